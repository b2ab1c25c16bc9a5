"""The packages in the order in which data flow, and what they may import."""

from __future__ import annotations

import ast

from disco_cvi import available_indices
from helpers.source import MODULES, imported_modules, imported_neighbors, parsed

# A module imports only packages that stand before its own, wherever the import stands.
ORDER = (
    "exceptions",
    "_output",
    "_compute",
    "_input",
    "datasets",
    "_neighbors",
    "_spanning_tree",
    "density_tree",
    "indices",
    "results",
    "distributed",
    "cluster",
    "selection",
    "plots",
    "report",
    "cli",
    "_for_paper",
    "precompile",
)


def package_of(module: str) -> str:
    return module.partition(".")[0]


def test_imports_only_point_backwards() -> None:
    inside = [module for module in MODULES if module not in {"__init__", "__main__"}]
    assert {package_of(module) for module in inside} == set(ORDER)
    wrong = [
        f"{module} imports {other}"
        for module in inside
        for other in imported_neighbors(parsed(MODULES[module]))
        if ORDER.index(package_of(other)) > ORDER.index(package_of(module))
    ]
    assert not wrong


def test_indices_do_not_import_each_other() -> None:
    """But for the pair score, which is made of the scores of DISCO."""
    modules = {f"indices.{info.name}" for info in available_indices()}
    for module in modules - {"indices.pair"}:
        assert not imported_neighbors(parsed(MODULES[module])) & (modules - {module}), module


def test_numba_is_imported_only_where_its_options_are_decided() -> None:
    importing = {
        module
        for module, path in MODULES.items()
        if {"numba", "llvmlite"}
        & {name.partition(".")[0] for name in imported_modules(parsed(path))}
    }
    assert importing <= {"_compute.compiler", "_compute.kernels", "_compute.lanes"}


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
from disco_cvi import disco_score, cli
if TYPE_CHECKING:
    from disco_cvi._compute.kernels import kernel
def function():
    import disco_cvi._compute.exact_sums
    import numpy
"""
    found = imported_neighbors(ast.parse(source))
    assert found == {"_compute.kernels", "_compute.exact_sums", "indices.disco", "cli"}
