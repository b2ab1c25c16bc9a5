"""Files and functions stay short, and all functions outside kernels are annotated."""

from __future__ import annotations

import ast

import pytest

from helpers.source import MODULES, Function, functions, parsed

FILE_LINES = 400
BODY_LINES = 40
KERNEL_LINES = 80

# Files ("density_tree.tree") and functions ("density_tree.tree.save") that may be longer, with the
# limit and why.
LONGER: dict[str, tuple[int, str]] = {}


def too_long() -> dict[str, int]:
    """Every file and function over its general limit, with its number of lines."""
    found = {}
    for module, path in MODULES.items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > FILE_LINES:
            found[module] = lines
        for function in functions(parsed(path)):
            if function.lines > (KERNEL_LINES if function.is_kernel else BODY_LINES):
                found[f"{module}.{function.name}"] = function.lines
    return found


def test_files_and_functions_are_short() -> None:
    over = {name: lines for name, lines in too_long().items() if lines > LONGER.get(name, (0,))[0]}
    assert not over


def test_exceptions_are_needed_and_have_a_reason() -> None:
    assert set(LONGER) <= set(too_long())
    assert all(reason for _, reason in LONGER.values())


@pytest.mark.parametrize("module", MODULES)
def test_functions_outside_kernels_are_annotated(module: str) -> None:
    bare = [
        function.name
        for function in functions(parsed(MODULES[module]))
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


def test_lines_of_a_body_are_counted_without_its_docstring() -> None:
    source = '''
@kernel
def function(a):
    """Two

    lines."""
    b = a

    return b
'''
    assert functions(ast.parse(source)) == [
        Function("function", lines=3, is_kernel=True, is_annotated=False)
    ]
