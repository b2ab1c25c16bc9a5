"""The same asked in another way: other orders, threads, files and functions give the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from disco_cvi import DensityTree, IndexInfo, available_indices, evaluate
from disco_cvi._input.labels import check_labels
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.index_info import options_of
from fuzz import definition
from fuzz.cases import Call
from fuzz.doors import Target, targets

INFOS = {
    name: info
    for info in available_indices()
    for name in (info.function_name, f"{info.name}_samples")
}


def judge_relations(value: Any, target: Target, call: Call) -> Iterator[str]:
    """Ask again in other ways, as far as the arguments allow, and say which answers differ."""
    info = INFOS.get(target.name)
    if target.name.endswith("_samples"):
        yield from _missing(value, call)
    if info is not None and _is_plain(call.arguments.get("X")):
        yield from _threads(value, target, call)
        if not callable(call.arguments.get("metric")):
            yield from _shuffled(value, target, info, call)
            yield from _evaluated(value, target, info, call)
        if info.name == "disco":
            yield from _defined(value, call)
    if target.name.startswith("distributed.") and isinstance(value, float):
        yield from _gathered(value, target, call)
    if target.name.endswith(".set_params"):
        yield from _kept(value, call)
    if isinstance(value, DensityTree) and not callable(value.metric):
        yield from _reloaded(value, call)


def _missing(value: Any, call: Call) -> Iterator[str]:
    """Only noise has no score, where the index leaves it out."""
    given = call.arguments
    labels = check_labels(given["labels"], len(value), given.get("noise_label", -1), "fuzz")
    if np.isnan(value[labels.codes >= 0]).any():
        yield "NaN for a point that is no noise"


def _is_plain(X: object) -> bool:
    return isinstance(X, np.ndarray) and not isinstance(X, np.ma.MaskedArray) and X.ndim == 2


def _answer(target: Target, arguments: dict[str, Any]) -> Any:
    try:
        return target.function(**arguments)
    except UndefinedScoreError as reason:
        return str(reason)


def same_bits(first: Any, second: Any) -> bool:
    """Whether two answers are equal to the last bit."""
    if isinstance(first, str) or isinstance(second, str):
        return bool(first == second)
    return np.asarray(first).tobytes() == np.asarray(second).tobytes()


def _threads(value: Any, target: Target, call: Call) -> Iterator[str]:
    call.asked.append("numbers of threads")
    for n_jobs in (1, 2):
        if not same_bits(value, _answer(target, call.arguments | {"n_jobs": n_jobs})):
            yield f"other bits for n_jobs={n_jobs}"


def _shuffled(value: Any, target: Target, info: IndexInfo, call: Call) -> Iterator[str]:
    """Shuffle the rows, where the index promises that their order does not matter."""
    labels = call.arguments["labels"]
    if info.order_proof != "yes" or not isinstance(labels, np.ndarray | list):
        return
    if call.arguments.get("ties") == "rows":  # the option says that their order matters
        return
    call.asked.append("shuffled rows")
    X, order = call.arguments["X"], call.draws.random.permutation(len(labels))
    turned = X[order][:, order] if call.arguments.get("metric") == "precomputed" else X[order]
    named = labels[order] if isinstance(labels, np.ndarray) else [labels[row] for row in order]
    other = _answer(target, call.arguments | {"X": turned, "labels": named})
    expected = value[order] if isinstance(value, np.ndarray) else value
    if not same_bits(expected, other):
        yield f"other bits for shuffled rows: {_difference(expected, other)}"


def _evaluated(value: Any, target: Target, info: IndexInfo, call: Call) -> Iterator[str]:
    """Ask `evaluate` for the same number."""
    if not isinstance(value, float):
        return
    call.asked.append("evaluate")
    own = {name: each for name, each in call.arguments.items() if name in options_of(info)}
    shared = {name: each for name, each in call.arguments.items() if name not in own}
    if info.name == "dbcv":  # its own default is another metric than that of all others
        shared.setdefault("metric", "sqeuclidean")
    found = evaluate(**shared, indices=[info.name], parameters={info.name: own})
    if not same_bits(value, found.scores.get(info.name, found.values[0].reason)):
        yield f"evaluate says {found.values[0]}, {target.name} {value!r}"


def _defined(value: Any, call: Call) -> Iterator[str]:
    """Compare DISCO with its definition in extended precision."""
    metric, X = call.arguments.get("metric"), call.arguments["X"]
    if metric not in (None, "euclidean", "l2") or not definition.can_tell(X):
        return
    call.asked.append("the definition in extended precision")
    noise_label = call.arguments.get("noise_label", -1)
    labels = check_labels(call.arguments["labels"], len(X), noise_label, "fuzz")
    min_points = call.arguments.get("min_points")
    samples = definition.disco_samples(
        X, labels.codes.astype(np.int64), 5 if min_points is None else int(min_points)
    )
    expected = samples if isinstance(value, np.ndarray) else samples.mean()
    error = float(np.abs(np.asarray(value) - expected).max())
    if not error <= definition.TOLERANCE:
        yield f"{error:.2g} from the definition"


def _gathered(value: float, target: Target, call: Call) -> Iterator[str]:
    """Score the points of all parts in this process."""
    X = call.arguments["X"]
    if not hasattr(X, "compute"):
        return
    call.asked.append("blocks against one process")
    names = ("labels", "min_points", "metric", "noise_label")
    given = {name: call.arguments[name] for name in names if name in call.arguments}
    columns = call.arguments.get("columns")
    points = X.compute() if columns is None else X.compute()[:, columns]
    local = _answer(targets()[target.name.partition(".")[2]], {"X": points, **given})
    if not same_bits(value, local):
        yield f"other bits than in one process: {_difference(value, local)}"


def _kept(value: dict[str, Any], call: Call) -> Iterator[str]:
    """An estimator keeps its parameters as they were given, as scikit-learn asks."""
    for name, given in call.arguments.items():
        if value[name] is not given:
            yield f"{name} is another after set_params"


def _reloaded(tree: DensityTree, call: Call) -> Iterator[str]:
    """Save and load a tree."""
    call.asked.append("saved and loaded trees")
    path = call.draws.path(".tree")
    tree.save(path)
    other = DensityTree.load(path)
    for name in ("heights", "order", "core_distances", "min_points"):
        if not same_bits(getattr(tree, name), getattr(other, name)):
            yield f"{name} of the tree are others after save and load"


def _difference(first: Any, second: Any) -> str:
    if isinstance(first, str) or isinstance(second, str):
        return f"{first!r} and {second!r}"[:200]
    return f"{np.abs(np.asarray(first) - np.asarray(second)).max():.2g}"
