"""Rules about the tests themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from helpers.source import TESTS, parsed

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


@pytest.mark.parametrize(
    "path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS))
)
def test_every_comparison_in_a_test_is_asserted(path: Path) -> None:
    assert not unasserted_comparisons(parsed(path))


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
