"""A draw for each argument that has a name in public: mostly what is allowed, wild what is not."""

from __future__ import annotations

import decimal
import fractions
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from disco_cvi import available_indices
from disco_cvi._input.metric import METRIC_NAMES
from disco_cvi._input.options import Choice
from disco_cvi.indices.index_info import options_of
from fuzz import labelings, points
from fuzz.draws import Draws

Draw = Callable[[Draws, bool], Any]

INDICES = [info.name for info in available_indices()]
# Words that an option of an index may be: (index, option, words).
CHOICES = [
    (info, name, option.choices)
    for info in available_indices()
    for name, option in options_of(info).items()
    if isinstance(option, Choice)
]

# Given where something else is asked for.
ANYTHING: tuple[Callable[[], Any], ...] = (
    *(lambda value=value: value for value in (None, True, False, -1, 0, 1, 2.5, -0.0, 1e-300)),
    *(lambda value=value: value for value in (2**31, 2**63, 2**70, -(2**70), 1e308, 5e-324)),
    *(lambda value=value: value for value in (10**400, 10**5000, -(10**400))),
    *(lambda value=value: value for value in (float("nan"), float("inf"), -float("inf"), 1j)),
    *(lambda value=value: value for value in ("", "x", "5", b"x", "\x1b[31m", "\ud800", "a" * 999)),
    *(lambda value=value: value for value in (np.int8(3), np.float32(2), np.bool_(1), np.nan)),
    *(lambda value=value: value for value in (decimal.Decimal("NaN"), decimal.Decimal("1e999"))),
    *(lambda value=value: value for value in (fractions.Fraction(1, 3), (), (1, 2), range(3))),
    *(lambda value=value: value for value in (int, np.datetime64("NaT", "s"), np.str_("x"))),
    list,
    dict,
    object,
    lambda: [1],
    lambda: {"a": 1},
    lambda: np.array(3),
    lambda: np.array([1.5, np.nan]),
    lambda: iter([1]),
    lambda: [None],
    lambda: {None: None},
)


def anything(draws: Draws) -> Any:
    """Return something of another kind than was asked for."""
    return draws.one_of(ANYTHING)()


def choice(*allowed: Any) -> Draw:
    """Return a draw of one of some values."""

    def draw(draws: Draws, wild: bool) -> Any:
        return anything(draws) if wild else draws.one_of(allowed)

    return draw


def made(make: Callable[[Draws], Any]) -> Draw:
    """Return a draw of what a function makes."""

    def draw(draws: Draws, wild: bool) -> Any:
        return anything(draws) if wild else make(draws)

    return draw


def whole(low: int, high: int) -> Draw:
    """Return a draw of a whole number."""
    return made(lambda draws: draws.whole(low, high))


# --- points, labels, metric ---------------------------------------------------------------------


def draw_points(draws: Draws, wild: bool) -> Any:
    """Points; where the function takes a tree, sometimes that."""
    return points.points(draws, wild=wild)


def draw_labels(draws: Draws, wild: bool) -> Any:
    """Labels."""
    return labelings.labels(draws, wild=wild)


def draw_noise_label(draws: Draws, wild: bool) -> Any:
    """The label of noise: mostly the customary one."""
    return anything(draws) if wild else draws.one_of([-1, -1, -1, None, 0, "noise", "-1", 10**30])


def draw_labelings(draws: Draws, wild: bool) -> Any:
    """Several labelings by name."""
    names = draws.random.permutation(np.array([*labelings.WORDS, "a", "b", "c"], dtype=object))
    if wild and draws.chance(0.5):
        return anything(draws)
    return {name: labelings.labels(draws, wild=wild) for name in names[: draws.whole(1 - wild, 3)]}


def draw_list_of_labelings(draws: Draws, wild: bool) -> Any:
    """Several labelings in a row."""
    if wild and draws.chance(0.5):
        return anything(draws)
    return [labelings.labels(draws, wild=wild) for _ in range(draws.whole(1 - wild, 3))]


def draw_min_points(draws: Draws, wild: bool) -> Any:
    """A number of points, seldom more than there are."""
    if wild:
        return draws.one_of([draws.n_points + 1, anything(draws)])
    return draws.one_of([1, 2, 3, 5, draws.n_points, np.int64(2), draws.whole(1, draws.n_points)])


def draw_several_min_points(draws: Draws, wild: bool) -> Any:
    """Several numbers of points."""
    if wild:
        return draws.one_of([anything(draws), [anything(draws)], [], range(0), [0, 1]])
    most = draws.whole(1, draws.n_points)
    return draws.one_of([range(1, most + 1), [most], (1, most), np.arange(1, most + 1), {1, 2}])


def distance_of_sums(first: Any, second: Any) -> Any:
    """A metric of our own."""
    return abs(float(first.sum()) - float(second.sum()))


def constant(value: Any) -> Any:
    """Return a metric that says the same of all pairs."""

    def distance(*_: Any) -> Any:
        return value

    return distance


def failing(*_: Any) -> Any:
    """A metric with a bug."""
    raise ZeroDivisionError("the metric of a user")


def draw_metric(draws: Draws, wild: bool) -> Any:
    """A metric: mostly known by name."""
    if wild:
        answers = (np.nan, -1.0, np.inf, 10**400, None, "x", 1j, [1.0])
        return draws.one_of([anything(draws), constant(draws.one_of(answers)), "euclid", failing])
    if draws.chance(0.1):
        return draws.one_of([distance_of_sums, constant(1.0), constant(0)])
    return draws.one_of([*METRIC_NAMES, "euclidean", "euclidean", "manhattan", "precomputed"])


def draw_metric_params(draws: Draws, wild: bool) -> Any:
    """What a metric takes beside the points."""
    if wild:
        keys = ["p", "w", "V", "VI", "q", ""]
        return draws.one_of([anything(draws), {draws.one_of(keys): anything(draws)}])
    metric, count = draws.known.get("metric"), draws.n_features
    fitting = {
        "minkowski": {"p": draws.one_of([1, 1.5, 2, 3, np.inf])},
        "hamming": {"w": np.ones(count)},
        "seuclidean": {"V": np.full(count, 2.0)},
        "mahalanobis": {"VI": np.eye(count)},
    }
    return fitting.get(metric, {}) if isinstance(metric, str) else draws.one_of([None, {}])


def draw_row_names(draws: Draws, wild: bool) -> Any:
    """Names of the rows."""
    names = [f"row {row}" for row in range(draws.n_points)]
    if wild:
        return draws.one_of([anything(draws), names[1:], [*names, "x"], [None, *names[1:]]])
    hostile = [draws.one_of(labelings.WORDS) + str(row) for row in range(draws.n_points)]
    return draws.one_of([names, iter(names), range(draws.n_points), hostile, ["same"] * len(names)])


def draw_parameters(draws: Draws, wild: bool) -> Any:
    """Own parameters of indices."""
    if wild:
        keys = [draws.one_of(INDICES), "disko", 1, None]
        inner = [anything(draws), {"noise": anything(draws)}, {"min_points": anything(draws)}, {}]
        return draws.one_of([anything(draws), {draws.one_of(keys): draws.one_of(inner)}])
    info, name, words = draws.one_of(CHOICES)
    chosen = {info.name: {name: draws.one_of(words)}}
    return draws.one_of(
        [None, {}, {"disco": {"min_points": 1}}, {"cvnn": {"n_neighbors": 2}}, chosen]
    )


def draw_indices(draws: Draws, wild: bool) -> Any:
    """Names of indices."""
    if wild:
        return draws.one_of([anything(draws), ["disko"], [], ["disco", "disco"], "pairs", {"dunn"}])
    some = draws.random.permutation(INDICES)[: draws.whole(1, 4)].tolist()
    return draws.one_of(["all", some, some, tuple(some), iter(some), some[0]])


# --- numbers, words, files ----------------------------------------------------------------------


def draw_rows(draws: Draws, wild: bool) -> Any:
    """Numbers of rows, one or several."""
    last = draws.n_points - 1
    if wild:
        return draws.one_of([anything(draws), last + 1, -1, [0.5], [[0], [0, 1]], [last + 1]])
    return draws.one_of([draws.whole(0, last), [0, last], np.array([[0], [last]]), np.int8(0), []])


def draw_numbers(draws: Draws, wild: bool) -> Any:
    """One number for each point."""
    values = draws.random.normal(size=draws.n_points)
    if wild:
        return draws.one_of([anything(draws), values[:-1], values * np.nan, values.astype(str)])
    return draws.one_of([values, values.tolist(), np.zeros(draws.n_points), np.arange(len(values))])


def draw_scores(draws: Draws, wild: bool) -> Any:
    """One score for each point."""
    return draw_numbers(draws, True) if wild else draws.random.uniform(-1, 1, draws.n_points)


def draw_plane(draws: Draws, wild: bool) -> Any:
    """Points with two features."""
    draws.n_features = 2
    return points.points(draws, wild=wild)


def draw_embedding(draws: Draws, wild: bool) -> Any:
    """Places in the plane."""
    if wild:
        return draws.one_of([anything(draws), points.points(draws, wild=True)])
    return draws.one_of([None, draws.random.normal(size=(draws.n_points, 2))])


def draw_path(draws: Draws, wild: bool) -> Any:
    """A file to write."""
    folder = draws.folder
    if wild:
        missing = folder / "missing" / "file"
        strange = [folder / ("n" * 300), f"{folder}/a\0b", "", folder, missing, "/proc/nothing"]
        return draws.one_of([anything_but_text(draws), *strange])
    names = ["file", "file.npz", "ä b", "new\nline", "\x1b[31m", "-o", "n" * 200]
    path = folder / draws.one_of(names)
    return draws.one_of([path, str(path)])


def draw_page(draws: Draws, wild: bool) -> Any:
    """A page to write."""
    path = draw_path(draws, wild)
    return path if wild else f"{path}.html"


def anything_but_text(draws: Draws) -> Any:
    """What is no name of a file."""
    value = anything(draws)
    return None if isinstance(value, str | bytes | int) and not isinstance(value, bool) else value


def numbers_by_name(draws: Draws, wild: bool) -> Any:
    """Several rows of numbers by name."""
    if wild:
        inner = [anything(draws), [1.0, "a"], [], [np.nan], [np.inf]]
        return draws.one_of([anything(draws), {"a": draws.one_of(inner)}, {}])
    names = draws.random.permutation(np.array(["disco", "a", "$x$", "<b>"], dtype=object))
    return {name: draws.random.normal(size=5) for name in names[: draws.whole(1, 3)]}


def draw_axes(draws: Draws, wild: bool) -> Any:
    """Where to draw."""
    if wild:
        return anything(draws)
    from matplotlib.figure import Figure

    return draws.one_of([None, Figure().subplots()])


def draw_text(draws: Draws, wild: bool) -> Any:
    """Words for people."""
    return anything(draws) if wild else draws.one_of([None, "title", *labelings.WORDS])


def names_of(names: Sequence[str]) -> Draw:
    """Return a draw of one name or several."""

    def draw(draws: Draws, wild: bool) -> Any:
        if wild:
            return draws.one_of([anything(draws), "nothing of the kind", [], ["x"]])
        return draws.one_of([names[0], list(names[:2]), iter(names[:1])])

    return draw
