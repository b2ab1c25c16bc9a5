"""House rules that a program can check: direction of imports, names, sizes, docstrings, tests."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import disco_cvi

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = PROJECT / "src" / "disco_cvi"
TESTS = PROJECT / "tests"

# The street: a module imports only from those above it, also inside functions and for type checks.
# A name stands for a module, or for a package with all its files, which may import each other.
STREET = [
    "exceptions",
    "_source_files",
    "_jit",
    "_progress",
    "_threads",
    "_text_table",
    "_frames",
    "_exact",
    "_validation",
    "_labels",
    "_metrics",
    "_kd_tree",
    "_neighbors",
    "_forest",
    "_spanning_tree",
    "_leaf_order",
    "_tree_walks",
    "_tree_file",
    "density_tree",
    "indices._workspace",
    "indices._density_involved",
    "indices._shortest_paths",
    "indices._gaussian_sums",
    "indices._tournament",
    "indices._nearest_cluster",
    "indices.disco",
    "indices.silhouette",
    "indices.s_dbw",
    "indices.dbcv",
    "indices.dcsi",
    "indices.mmj_sc",
    "indices.lccv",
    "indices.viasckde",
    "indices.cvdd",
    "indices.cdbw",
    "indices.cvnn",
    "indices._registry",
    "indices",
    "evaluation",
    "comparison",
    "_explanation_text",
    "explanation",
    "_files",
    "datasets",
    "plots",
    "experiments",
    "cli",
    "__main__",
]

PUBLIC_NAMES = {
    "Comparison",
    "DensityTree",
    "Evaluation",
    "Explanation",
    "IndexInfo",
    "InvalidInputError",
    "UndefinedScoreError",
    "__version__",
    "available_indices",
    "cdbw_score",
    "compare",
    "cvdd_score",
    "cvnn_index",
    "cvnn_indices",
    "dbcv_score",
    "dcsi_score",
    "disco_samples",
    "disco_score",
    "evaluate",
    "explain",
    "lccv_score",
    "mmj_sc_samples",
    "mmj_sc_score",
    "s_dbw_index",
    "silhouette_samples",
    "silhouette_score",
    "viasckde_samples",
    "viasckde_score",
}

FILE_LINES = 400
BODY_LINES = 40
KERNEL_LINES = 80

# Files ("_kd_tree") and functions ("_kd_tree.build") that may be longer, with the limit and why.
LONGER: dict[str, tuple[int, str]] = {}

HEAVY = {"numba", "llvmlite", "scipy", "sklearn", "pandas", "polars", "narwhals", "matplotlib"}

COMPARISONS = {"approx", "allclose", "array_equal", "array_equiv", "isclose", "all", "any"}


# --- reading source files -----------------------------------------------------------------------


class Function(NamedTuple):
    name: str
    lines: int
    is_kernel: bool
    is_annotated: bool


def module_name(path: Path) -> str:
    """`indices/disco.py` is `indices.disco`, a package's `__init__.py` the package itself."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
INSIDE = {name: path for name, path in MODULES.items() if name != "__init__"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_modules(tree: ast.Module) -> set[str]:
    """Dotted names of everything imported, wherever the import stands."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{'.' * node.level}{node.module or ''}"}
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def imported_neighbors(tree: ast.Module) -> set[str]:
    """Modules of this package that are imported; a public name stands for its module."""
    found = set()
    for name in imported_modules(tree):
        inner = name.removeprefix("disco_cvi.")
        home = disco_cvi._HOMES.get(inner, "") if name.startswith("disco_cvi.") else ""
        inner = home.removeprefix("disco_cvi.") or inner
        if name.startswith("disco_cvi.") and inner in MODULES:
            found.add(inner)
    return found


def station(module: str) -> int | None:
    """The module's place in the street: its own, or that of the nearest package around it."""
    while module not in STREET and "." in module:
        module = module.rpartition(".")[0]
    return STREET.index(module) if module in STREET else None


def functions(tree: ast.Module) -> list[Function]:
    """All functions and methods of a module."""
    return [
        Function(
            node.name,
            _body_lines(node),
            any("kernel" in ast.unparse(decorator) for decorator in node.decorator_list),
            _is_annotated(node),
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def _body_lines(function: ast.FunctionDef) -> int:
    """Lines of the body without the docstring."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    body = function.body[has_docstring:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def _is_annotated(function: ast.FunctionDef) -> bool:
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    named = [argument for argument in arguments if argument and argument.arg not in {"self", "cls"}]
    return function.returns is not None and all(argument.annotation for argument in named)


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


# --- direction of imports -----------------------------------------------------------------------


@pytest.mark.parametrize("module", INSIDE)
def test_imports_point_backwards_along_the_street(module: str) -> None:
    here = station(module)
    assert here is not None, f"give {module} its place in STREET"
    for other in imported_neighbors(parsed(MODULES[module])):
        there = station(other)
        assert there is not None, f"give {other} its place in STREET"
        same_package = there == here and STREET[here] in MODULES and _is_package(STREET[here])
        assert there < here or same_package, f"{module} must not import {other}"


def _is_package(module: str) -> bool:
    return MODULES[module].name == "__init__.py"


@pytest.mark.parametrize("module", INSIDE)
def test_numba_is_imported_only_through_jit(module: str) -> None:
    roots = {name.partition(".")[0] for name in imported_modules(parsed(MODULES[module]))}
    assert module == "_jit" or not roots & {"numba", "llvmlite"}


def test_no_relative_imports() -> None:
    for module, path in MODULES.items():
        assert not [name for name in imported_modules(parsed(path)) if name.startswith(".")], module


def test_importing_the_package_is_light() -> None:
    code = "import sys, disco_cvi; dir(disco_cvi); print(*sorted(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in answer.stdout.split()}
    assert "disco_cvi" in loaded
    assert not loaded & (HEAVY | {"numpy"})


# --- public names -------------------------------------------------------------------------------


def test_public_names() -> None:
    assert set(disco_cvi.__all__) == PUBLIC_NAMES
    assert set(dir(disco_cvi)) >= PUBLIC_NAMES
    assert set(disco_cvi._HOMES) == PUBLIC_NAMES - {"__version__"}


def load(name: str) -> Any:
    """The public object of this name; a module that is still to be written is no failure."""
    try:
        return getattr(disco_cvi, name)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("disco_cvi."):
            pytest.skip(f"{error.name} does not exist yet")
        raise


@pytest.mark.parametrize("name", sorted(PUBLIC_NAMES))
def test_public_name_loads_from_its_home(name: str) -> None:
    value = load(name)
    if name != "__version__":
        assert value.__module__ == disco_cvi._HOMES[name]
        assert value is getattr(importlib.import_module(disco_cvi._HOMES[name]), name)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'disco_cvi' has no attribute 'disko_score'"):
        disco_cvi.disko_score  # noqa: B018


def test_version_is_written_once_and_cited() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", disco_cvi.__version__)
    assert f"version: {disco_cvi.__version__}\n" in (PROJECT / "CITATION.cff").read_text()
    assert disco_cvi.__version__ in (PROJECT / "CHANGELOG.md").read_text()


# --- sizes and annotations ----------------------------------------------------------------------


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


# --- docstrings ---------------------------------------------------------------------------------


def documented_names(docstring: str, section: str) -> list[str]:
    """Names in a numpydoc section such as Parameters, in their order."""
    pattern = rf"^{section}\n-+\n(.*?)(?=^[^\s-][^\n]*\n--+$|\Z)"
    match = re.search(pattern, docstring, re.MULTILINE | re.DOTALL)
    lines = match[1].splitlines() if match else []
    heads = [line.partition(" : ")[0] for line in lines if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in {"self", "cls"}]


def public_callables() -> dict[str, Any]:
    """Public functions and classes, and the public methods of these classes."""
    found = {}
    for name in sorted(PUBLIC_NAMES - {"__version__"}):
        value = load(name)
        if inspect.isclass(value) and issubclass(value, Exception):
            continue
        found[name] = value
        if inspect.isclass(value):
            members = inspect.getmembers(value, inspect.isroutine)
            own = {key: member for key, member in members if key in vars(value)}
            found |= {f"{name}.{key}": member for key, member in own.items() if key[0] != "_"}
    return found


def test_signature_and_docstring_name_the_same_parameters() -> None:
    for name, function in public_callables().items():
        docstring = inspect.getdoc(function) or ""
        assert docstring, f"{name} has no docstring"
        if dataclasses.is_dataclass(function):
            section = "Attributes"
            expected = [field.name for field in dataclasses.fields(function)]
        else:
            section, expected = "Parameters", parameters(function)
        assert documented_names(docstring, section)[: len(expected)] == expected, name


def test_public_functions_show_an_example_that_runs() -> None:
    for name, function in public_callables().items():
        if inspect.isfunction(function) and "." not in name:
            assert ">>> " in (inspect.getdoc(function) or ""), name


# --- tests --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS))
)
def test_every_comparison_in_a_test_is_asserted(path: Path) -> None:
    assert not unasserted_comparisons(parsed(path))


# --- the rules themselves -----------------------------------------------------------------------


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


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
from disco_cvi import disco_score, cli
if TYPE_CHECKING:
    from disco_cvi._jit import kernel
def function():
    import disco_cvi._exact
    import numpy
"""
    assert imported_neighbors(ast.parse(source)) >= {"_jit", "_exact"}
    assert (
        "indices.disco" in imported_neighbors(ast.parse(source)) or "indices.disco" not in MODULES
    )


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


def test_documented_names_are_read() -> None:
    docstring = """Summary.

Parameters
----------
X : array-like
    Points.
i, j : int
    Indices.
*rest : object
    Others.

Returns
-------
float
    A number.
"""
    assert documented_names(docstring, "Parameters") == ["X", "i", "j", "rest"]
    assert documented_names(docstring, "Attributes") == []


def test_a_file_in_a_package_has_the_place_of_the_package() -> None:
    assert station("datasets.rings") == STREET.index("datasets")
    assert station("indices.disco") == STREET.index("indices.disco")
    assert station("unheard_of") is None
