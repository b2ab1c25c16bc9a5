"""The rooms: where each file stands, in which order, and which rooms a room may use."""

from __future__ import annotations

import ast
from typing import NamedTuple

import pytest

from disco_cvi import available_indices
from disco_cvi.experiments import available_experiments
from helpers.source import MODULES, PROJECT, imported_modules, imported_neighbors, parsed


class Room(NamedTuple):
    """Files in the order in which they build on each other, and the rooms that they use."""

    files: str
    uses: str = ""


# One for each row of the registry, so that they make no room crowded.
INDEX_FILES = [info.name for info in available_indices()]
# In the order in which data flow. A file imports only files before it in its own room, and files of
# the rooms that are named beside it; imports inside functions and for type checks count too. Every
# room may use OPEN_TO_ALL. The __init__ of a room comes last in it.
OPEN_TO_ALL = ("exceptions", "_compute", "_output")
ROOMS = {
    "exceptions": Room(""),
    "_compute": Room(
        "interrupts arrays source_files compiler kernels lanes memory free_memory progress threads "
        "exact_sums sorting safe_scale ranked_squares cluster"
    ),
    "_output": Room(
        "words letters warn shown_values text_table rich_display data_frames info_table files "
        "drawing",
    ),
    "_input": Room(
        "kinds options arrays plot_arguments arrow_columns row_names metric distance_matrix points "
        "needed_memory labels noise_doubts clustering standardize",
    ),
    "datasets": Room(
        "labeled_points generators.rings generators.moons generators.discs generators.noise "
        "generators.densired generators catalogue downloads.places downloads.file_forms "
        "downloads.known_values downloads.archive downloads.images downloads.fetch downloads "
        "loading",
        "_input",
    ),
    "_neighbors": Room(
        "distances centers kd_growth kd_tree expected_spheres counted_neighbors core_distances "
        "products neighbor_lists random_trees neighbor_graph search_choice "
        "neighborhoods nearest_points pair_sums gaussian_sums",
        "_input",
    ),
    "_spanning_tree": Room(
        "boruvka by_lists by_products few_points node_cores partners node_slabs "
        "leaving_edges round_choice mutual_reachability every_min_points climbing given_graph "
        "approximate quality density_involved",
        "_input _neighbors",
    ),
    "density_tree": Room(
        "leaf_order walks build distances nodes cuts eps_scores condensing size_scores "
        "paths clusterings file trees tree tournament nearest_cluster",
        "_input _neighbors _spanning_tree",
    ),
    "indices": Room(
        "dbcv_trees dbcv_rows disco pair silhouette s_dbw dbcv dcsi mmj_sc "
        "row_balls path_search ball_paths shortest_paths lccv_sums lccv_peaks "
        "lccv_representatives lccv_copies lccv viasckde cvdd cdbw cvnn davies_bouldin "
        "calinski_harabasz dunn generalized_dunn index_info registry",
        "_input _neighbors _spanning_tree density_tree",
    ),
    "results": Room(
        "flags obstacles explanation_facts explanation_words explanation parameters evaluation "
        "agreement labelings comparison curves",
        "_input _neighbors density_tree indices",
    ),
    "distributed": Room(
        "runner parts splits boxes walk block local_tree rounds joining spanning_tree workers "
        "dask_runner files sources scores",
        "_input _neighbors _spanning_tree density_tree indices results",
    ),
    "cluster": Room("tree_clusterer dbscan hdbscan", "_input density_tree indices"),
    "selection": Room(
        "criteria callbacks candidates settings labelings results search scorer structureless "
        "proposals suggestion_words suggestion suggest",
        "_input density_tree indices results cluster",
    ),
    "plots": Room(
        "style plane maps curves distributions bars steps path_words paths display bars_display "
        "noise_display line_display eps_display map_display comparison_display",
        "_input density_tree indices results",
    ),
    "report.charts": Room("svg ruler bars noise eps density_line strip", "results plots"),
    "report": Room(
        "pictures page provenance sample point_block map_picture map_data labelings study facts "
        "drawings document writing",
        "_input density_tree indices results plots report.charts",
    ),
    "experiments.cells": Room(
        "cell source data hdbscan labelings measures turned_axes",
        "_input datasets _neighbors density_tree indices results",
    ),
    "experiments.published": Room(
        "cdbw cvdd cvnn dbcv dcsi lccv mmj_sc s_dbw viasckde deviations single_deviations",
        "_input _neighbors density_tree indices experiments.cells",
    ),
    "experiments.judging": Room(
        "printed paper_names catalogue rows experiment drawing scaling",
        "indices plots experiments.cells",
    ),
    "experiments.preferences": Room(
        "pairs fig_rings tab_shapes tab_noise tab_features",
        "datasets experiments.cells experiments.published experiments.judging",
    ),
    "experiments.row_order": Room(
        "shuffles chosen_labelings fig_dbcv_shuffle tab_dbcv_t5 tab_dbcv_t8 fig_mst",
        "density_tree plots experiments.cells experiments.judging",
    ),
    "experiments.sensitivity": Room(
        "panels fig_moons_swap fig_separation fig_moons_jitter fig_sensitivity",
        "datasets plots experiments.cells experiments.published experiments.judging",
    ),
    "experiments.parameters": Room(
        "eps_search fig_eps_synth fig_eps_more fig_mu fig_mu_noise",
        "plots experiments.cells experiments.judging",
    ),
    "experiments.noise": Room(
        "fig_noise_parts fig_noise_sketch fig_noise_dist tab_uci_noise",
        "datasets density_tree results plots experiments.cells experiments.judging",
    ),
    "experiments.overview": Room(
        "correlations tab_datasets tab_implementation tab_runtimes tab_pcc fig_pointwise "
        "fig_closest",
        "datasets density_tree indices plots experiments.cells experiments.published "
        "experiments.judging",
    ),
    "experiments.choosing": Room(
        "made sets candidates regret choices automatic tables choose_eps",
        "_input datasets density_tree indices plots experiments.cells experiments.judging",
    ),
    "experiments.page": Room("facts", "report experiments.cells experiments.judging"),
    "experiments.running": Room(
        "batch worker pool store summary outputs versions run",
        "report experiments.cells experiments.judging experiments.page",
    ),
    "experiments": Room("", "_input experiments.cells experiments.judging experiments.running"),
    "cli.tables": Room(
        "options layout table arrow_files binary json_lines plain_text text identity files "
        "features read",
        "_input",
    ),
    "cli": Room(
        "screen options command data_options reading outputs cluster score explain "
        "compare report tune indices datasets reproduce demo",
        "_input datasets density_tree indices results distributed selection report "
        "experiments.running experiments cli.tables",
    ),
    "precompile": Room("", "_input density_tree indices results distributed selection"),
}
# Files that stand alone at the root.
ROOT = ("__init__", "__main__", "exceptions", "precompile")


def room_of(module: str) -> str:
    """The room of a module: the longest name in ROOMS that it begins with."""
    while module and module not in ROOMS:
        module = module.rpartition(".")[0]
    return module


def files_of(room: str) -> list[str]:
    """The modules of a room in their order; the room's own __init__ last."""
    return [*(f"{room}.{file}" for file in ROOMS[room].files.split()), room]


INSIDE = [module for module in MODULES if module not in ("__init__", "__main__")]


@pytest.mark.parametrize("module", INSIDE)
def test_every_file_has_its_place(module: str) -> None:
    assert module in files_of(room_of(module)), f"give {module} its place in ROOMS"


def test_every_place_has_its_file() -> None:
    assert {module for room in ROOMS for module in files_of(room)} == set(INSIDE)


@pytest.mark.parametrize("module", INSIDE)
def test_files_of_a_room_import_only_files_before_them(module: str) -> None:
    order = files_of(room_of(module))
    for other in imported_neighbors(parsed(MODULES[module])):
        if room_of(other) == room_of(module):
            assert order.index(other) < order.index(module), f"{module} must not import {other}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_exactly_the_rooms_that_its_row_names(room: str) -> None:
    used = {
        room_of(other)
        for module in files_of(room)
        for other in imported_neighbors(parsed(MODULES[module]))
    }
    assert used - {room} - set(OPEN_TO_ALL) == set(ROOMS[room].uses.split())


def test_rooms_use_only_rooms_before_them() -> None:
    order = list(ROOMS)
    for room, (_, uses) in ROOMS.items():
        later = [other for other in uses.split() if order.index(other) >= order.index(room)]
        assert not later, f"{room} must not use {later}"


def test_no_room_is_crowded() -> None:
    for name, room in ROOMS.items():
        assert len(set(room.files.split()) - set(INDEX_FILES)) <= 16, name


def test_indices_do_not_import_each_other() -> None:
    """But for the pair score, which is made of the scores of DISCO."""
    modules = {f"indices.{info.name}" for info in available_indices()}
    for module in modules - {"indices.pair"}:
        assert not imported_neighbors(parsed(MODULES[module])) & (modules - {module}), module


def test_topics_of_experiments_do_not_import_each_other() -> None:
    topics = {f"experiments.{info.topic}" for info in available_experiments()}
    for topic in topics:
        assert not set(ROOMS[topic].uses.split()) & topics, topic


def test_the_root_is_small() -> None:
    assert tuple(module for module in MODULES if "." not in module and is_file(module)) == ROOT


def is_file(module: str) -> bool:
    return module == "__init__" or MODULES[module].name != "__init__.py"


@pytest.mark.parametrize("module", INSIDE)
def test_numba_is_imported_only_where_its_options_are_decided(module: str) -> None:
    roots = {name.partition(".")[0] for name in imported_modules(parsed(MODULES[module]))}
    assert module in {"_compute.compiler", "_compute.kernels", "_compute.lanes"} or not roots & {
        "numba",
        "llvmlite",
    }


def test_no_relative_imports() -> None:
    for module, path in MODULES.items():
        assert not [name for name in imported_modules(parsed(path)) if name.startswith(".")], module


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


def test_a_file_belongs_to_the_innermost_room() -> None:
    assert room_of("experiments.cells.data") == "experiments.cells"
    assert room_of("indices.disco") == "indices"
    assert room_of("unheard_of") == ""


def test_contributors_are_shown_every_room() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    street = text.split("```")[1].split("\n")
    shown = [line.split()[0].removesuffix("/").removesuffix(".py") for line in street if line]
    assert shown == list(dict.fromkeys(room.partition(".")[0] for room in ROOMS))
