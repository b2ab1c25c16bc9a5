"""Rules about the source and the tests that have caught real faults."""

from __future__ import annotations

import ast

import pytest

from helpers.source import MODULES, TESTS, functions, parsed

COMPARISONS = {"approx", "allclose", "array_equal", "array_equiv", "isclose", "all", "any"}


def unasserted_comparisons(tree: ast.Module) -> list[int]:
    """Lines with a comparison whose result nobody looks at."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and _is_comparison(node.value)
    ]


def _is_comparison(expression: ast.expr) -> bool:
    if isinstance(expression, ast.Call):
        called = expression.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name in COMPARISONS
    if isinstance(expression, ast.UnaryOp):
        return _is_comparison(expression.operand)
    return isinstance(expression, ast.Compare | ast.BoolOp)


def test_every_comparison_in_a_test_is_asserted() -> None:
    found = {path: unasserted_comparisons(parsed(path)) for path in sorted(TESTS.rglob("*.py"))}
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize(
    "line",
    [
        "a == b",
        "a < b < c",
        "not a == b",
        "a and b",
        "pytest.approx(a) == b",
        "pytest.approx(a)",
        "np.allclose(a, b)",
        "np.array_equal(a, b)",
        "math.isclose(a, b)",
        "(a == b).all()",
    ],
)
def test_unasserted_comparisons_are_found(line: str) -> None:
    assert unasserted_comparisons(ast.parse(f"def test():\n    {line}")) == [2]
    assert unasserted_comparisons(ast.parse(f"assert {line}\nfound = {line}\ncheck({line})")) == []


def test_functions_outside_kernels_are_annotated() -> None:
    """Mypy cannot ask for it: kernels have no annotations, because numba finds their types."""
    bare = [
        f"{module}.{function.name}"
        for module, path in MODULES.items()
        for function in functions(parsed(path))
        if not function.is_kernel and not function.is_annotated
    ]
    assert not bare


@pytest.mark.parametrize(
    ("head", "is_annotated"),
    [
        ("def f(self, a: int) -> None", True),
        ("def f(*rest: int, b: int = 1, **named: int) -> None", True),
        ("def f(a: int)", False),
        ("def f(a, b: int) -> None", False),
        ("def f(*, a) -> None", False),
    ],
)
def test_missing_annotations_are_found(head: str, is_annotated: bool) -> None:
    assert functions(ast.parse(f"{head}: ..."))[0].is_annotated == is_annotated
