"""Which draw each argument has: by its name, or by that of its function and its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz import subjects
from fuzz.arguments import (
    CHOICES,
    Draw,
    anything,
    choice,
    draw_axes,
    draw_embedding,
    draw_indices,
    draw_labelings,
    draw_labels,
    draw_list_of_labelings,
    draw_metric,
    draw_metric_params,
    draw_min_points,
    draw_noise_label,
    draw_numbers,
    draw_page,
    draw_parameters,
    draw_path,
    draw_plane,
    draw_points,
    draw_row_names,
    draw_rows,
    draw_scores,
    draw_several_min_points,
    draw_text,
    made,
    numbers_by_name,
    whole,
)
from fuzz.draws import Draws
from fuzz.files import damage


def points_or_tree(draws: Draws, wild: bool) -> Any:
    """Points, or a tree of as many."""
    if wild or draws.chance(0.85) or draws.known.get("metric") is not None:
        return draw_points(draws, wild)
    return subjects.tree(draws)


def tree_file(draws: Draws, wild: bool) -> Any:
    """A file that holds a tree, or did."""
    path = draws.folder / "tree.npz"
    subjects.tree(draws).save(path)
    if not wild:
        return draws.one_of([path, str(path)])
    if draws.chance(0.2):
        return draw_path(draws, wild)
    path.write_bytes(damage(draws, path.read_bytes()))
    return path


def one_or_several_labelings(draws: Draws, wild: bool) -> Any:
    """Labels, or labelings by name."""
    return draws.one_of([draw_labels, draw_labelings])(draws, wild)


def spanning_edges(draws: Draws, wild: bool) -> Any:
    """The ends of edges, each above its parent."""
    if wild:
        return anything(draws)
    return np.arange(draws.n_points - 1)


def column_names(draws: Draws, wild: bool) -> Any:
    """Columns of points in parts."""
    return anything(draws) if wild else draws.one_of([None, [0], ["x"], []])


def line_columns(draws: Draws, wild: bool) -> Any:
    """What `columns` of the display returned, which `runs` takes."""
    return anything(draws) if wild else subjects.SUBJECTS["DensityLineDisplay"](draws).columns()


def graph(draws: Draws, wild: bool) -> Any:
    """Neighbors of each point."""
    if wild:
        return draws.one_of([anything(draws), draw_points(draws, True)])
    everybody = np.tile(np.arange(draws.n_points), (draws.n_points, 1))
    return draws.one_of([None, None, everybody])


def draw_labels_or_none(draws: Draws, wild: bool) -> Any:
    """Labels, or none."""
    return None if draws.chance(0.2) else draw_labels(draws, wild)


def always(value: Any) -> Draw:
    """Return a draw of one value, never of anything else."""
    return lambda _draws, _wild: value


def part_of(display: str, part: str) -> Draw:
    """Return a draw of what a display is made of: that of another one, as all parts must fit.

    None is wild: like those of scikit-learn, displays trust whoever makes them by hand.
    """

    def draw(draws: Draws, _wild: bool) -> Any:
        other = draws.known.get(display) or subjects.SUBJECTS[display](draws)
        draws.known[display] = other
        value = getattr(other, part)
        return value.tolist() if isinstance(value, np.ndarray) and draws.chance(0.5) else value

    return draw


# What displays are made of, which they keep under the same names.
PARTS = {
    "ComparisonDisplay": ("rows", "plane"),
    "DensityLineDisplay": ("steps", "codes", "names", "noise_bar"),
    "EpsCurveDisplay": ("path", "of_labels", "chosen"),
    "NoiseDisplay": ("rho_sparse", "rho_far", "n_noise", "n_points"),
    "PointwiseMapDisplay": ("plane", "scores", "codes", "names", "score", "flags"),
    "ScoreBarsDisplay": ("blocks", "score", "n_clusters"),
}
FLAG = choice(True, False)
BACKEND = choice("pandas", "polars")
SEED = choice(0, 1, 42, 2**31 - 1)
SHARE = choice(0.0, 0.5, 0.95, 1.0)

ARGUMENTS: dict[str, Draw] = {
    # points and labels
    "X": draw_points,
    "labels": draw_labels,
    "labelings": draw_labelings,
    "truth": draw_labels,
    "y": choice(None, 0),
    "noise_label": draw_noise_label,
    "row_names": draw_row_names,
    "embedding": draw_embedding,
    "samples": draw_numbers,
    # how they are measured
    "min_points": draw_min_points,
    "metric": draw_metric,
    "metric_params": draw_metric_params,
    "algorithm": choice("exact", "exact", "approximate"),
    "seed": SEED,
    "graph": graph,
    "n_jobs": choice(None, 1, 2, -1, -2, 100),
    "progress": choice(None, False, True),
    # indices
    "index": choice("disco", "pairs", "cvnn", "dunn"),
    "indices": draw_indices,
    "parameters": draw_parameters,
    "n_representatives": whole(1, 12),
    "n_neighbors": whole(1, 12),
    "n_features": choice(None, 1, 2, 100),
    "bandwidth": choice(0.05, 1e-9, 1.0, 1e9, 3),
    # trees
    "eps": choice(0.0, 0.5, 1.0, 3, 1e300),
    "border": choice("nearest", "noise", "first"),
    "i": draw_rows,
    "j": draw_rows,
    "k": whole(1, 6),
    "first": spanning_edges,
    "second": made(lambda draws: np.arange(1, draws.n_points)),
    "heights": made(lambda draws: np.sort(draws.random.random(draws.n_points - 1)) + 1),
    "core_distances": made(lambda draws: np.ones(draws.n_points)),
    "min_cluster_size": whole(2, 9),
    "method": choice("eom", "leaf"),
    "epsilon": choice(0.0, 0.5, 1e9),
    "allow_single_cluster": FLAG,
    "path": draw_path,
    "share": SHARE,
    # results
    "backend": BACKEND,
    "kind": choice(None, "map", "bars", "line", "noise", "eps"),
    "what": choice("points", "clusters"),
    "count": whole(0, 9),
    "points": FLAG,
    # selection and clusterers
    "estimator": made(subjects.clusterer),
    "param_grid": choice({}, {"n_jobs": [1, None]}, [{}]),
    "n_iter": choice(None, 1, 2),
    "scoring": choice("pairs", "disco", ["disco", "dunn"]),
    "refit": choice(True, False, "disco"),
    "error_score": choice("raise", float("nan"), 0),
    "random_state": choice(0, 1, 7),
    "verbose": choice(0, 1, 2, 3),
    "deep": FLAG,
    "n_null": whole(0, 2),
    # pictures and pages
    "ax": draw_axes,
    "theme": choice("light", "dark"),
    "groups": numbers_by_name,
    "values": numbers_by_name,
    "colors": choice(None, {}, {"a": "red"}, {"a": "#123456"}),
    "legend": choice("right", "below", "inside", None),
    "bins": whole(1, 30),
    "size": choice(None, 1.0, 20),
    "colorbar": FLAG,
    "log": FLAG,
    "mark_best": FLAG,
    "band": choice(None, 0.5, 0.75),
    "x": made(lambda _: np.arange(5)),
    "scores": numbers_by_name,
    "suggestion": made(subjects.suggestion),
    "explanation": made(subjects.explanation),
    "comparison": made(subjects.comparison),
    "clusterer": made(subjects.clusterer),
    "tree": made(subjects.tree),
    "columns": column_names,
    "most": whole(1, 99),
    "width": whole(1, 60),
    "height": whole(1, 60),
    "n_cells": whole(1, 60),
    "n_clusters": whole(1, 5),
    "title": draw_text,
    "about": draw_text,
    "date": choice(None, "2026-01-02", "<b>"),
    "standardize": FLAG,
    "paper_rows": FLAG,
    "half_distance": choice(0, 2.0, 1e300),
    "offset": choice(0, 3.0, -1e300),
    "jitter": choice(0.0, 0.5, 1),
    "swaps": whole(0, 20),
    "build": choice(1, 2),
    "distribution": choice("gaussian", "uniform", "poisson"),
    "quick": FLAG,
    "runs": choice(1),
    "out": made(lambda draws: draws.folder / "out"),
    "n_blocks": choice(None, 1, 2, 5),
    "client": made(lambda _: subjects.client()),
    # by the name of the function, where a name means something else
    **{
        f"{function}.{name}": choice(*words)
        for info, name, words in CHOICES
        for function in (info.function_name, *info.other_functions)
    },
    **dict.fromkeys(
        ("disco_score.X", "disco_samples.X", "pair_score.X", "pair_samples.X", "mmj_sc_score.X"),
        points_or_tree,
    ),
    **dict.fromkeys(("mmj_sc_samples.X", "evaluate.X", "compare.X", "explain.X"), points_or_tree),
    "suggest.X": points_or_tree,
    "report.write_report.X": points_or_tree,
    "report.write_report.path": draw_page,
    **dict.fromkeys(("plots.labels_map.X", "plots.pointwise_map.X"), draw_plane),
    "plots.pointwise_map.samples": draw_scores,
    "report.write_report.labels": one_or_several_labelings,
    "cvnn_indices.labelings": draw_list_of_labelings,
    "DensityTree.for_min_points.min_points": draw_several_min_points,
    "DensityTree.load.path": tree_file,
    "DensityTree.plot.labels": draw_labels_or_none,
    "selection.Suggestion.to_dict.labels": FLAG,
    "plots.EpsCurveDisplay.from_path.path": made(subjects.eps_path),
    "plots.ComparisonDisplay.from_predictions.labels": draw_labelings,
    "plots.EpsCurveDisplay.curve.values": choice("score", "disco", "n_clusters", "noise_share"),
    "plots.DensityLineDisplay.runs.columns": line_columns,
    **{
        f"distributed.{name}.{argument}": draw
        for name in ("density_tree", "disco_score", "pair_score", "explain")
        for argument, draw in (
            ("X", made(subjects.dask_points)),
            ("metric", choice("euclidean", "sqeuclidean", "cosine", "haversine", "manhattan")),
        )
    },
    **{
        f"plots.{display}.{part}": part_of(display, part)
        for display, parts in PARTS.items()
        for part in parts
    },
    # How our own functions call themselves, which no user says.
    "caller": always("fuzz"),
    "lister": always("'the list'"),
    "DensityDBSCAN.eps": choice("auto", 0.5, 3),
    "DensityHDBSCAN.min_cluster_size": choice("auto", 2, 5),
    "DensityHDBSCAN.method": choice("auto", "eom", "leaf"),
}


def find_draw(target: str, argument: str) -> Draw | None:
    """Return how an argument of a function is drawn, if that is known."""
    return ARGUMENTS.get(f"{target}.{argument}", ARGUMENTS.get(argument))
