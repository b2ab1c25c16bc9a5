"""Values of every index, and bits of trees and cuts, as they were on 2026-11-19.

``python -m helpers.frozen [zoo] [data]`` (with tests/ on the path) compares with tests/frozen and
says what differs; ``--write`` freezes anew, which needs a reason. DISCO, the pair score, trees and
cuts must agree to the bit; the other indices to a relative 1e-9, because their sums may be ordered
in another way.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi import DensityTree, disco_samples, evaluate, pair_samples
from helpers import reference_values, zoo

FOLDER = Path(__file__).resolve().parents[1] / "frozen"
TO_THE_BIT = {"disco", "pair"}
MORE_SETS = ("htru2", "Pendigits", "COIL20", "Optdigits", "WiFi", "Spambase", "Wine quality")
Facts = dict[str, Any]


def digest(array: NDArray[Any]) -> str:
    """A short name for the bits of an array; -0.0 counts as 0.0."""
    plain = np.ascontiguousarray(array) + 0
    return hashlib.sha256(plain.tobytes()).hexdigest()[:16]


def facts_of_labels(points: NDArray[Any], labels: NDArray[Any], min_points: int) -> Facts:
    """The value of every index for one labeling, and the bits of DISCO's and the pair's samples."""
    scores = evaluate(points, labels, indices="all", min_points=min_points).scores
    found: Facts = {name: None if value is None else repr(value) for name, value in scores.items()}
    if scores["disco"] is not None:
        found["disco samples"] = digest(disco_samples(points, labels, min_points=min_points))
    if scores["pair"] is not None:
        found["pair samples"] = digest(pair_samples(points, labels, min_points=min_points))
    return found


def facts_of_tree(points: NDArray[Any], min_points: int) -> Facts:
    """The bits of a tree and of some of its cuts."""
    tree = DensityTree(points, min_points=min_points)
    found = {"heights": digest(tree.heights), "cores": digest(tree.core_distances)}
    for share in (0.25, 0.5, 0.9, 0.99):
        eps = float(np.quantile(tree.heights, share, method="lower"))
        if eps > 0:
            found[f"dbscan {share}"] = digest(tree.dbscan(eps).astype(np.int64))
    for method in ("eom", "leaf"):
        labels = tree.hdbscan(min_cluster_size=5, method=method)
        found[f"hdbscan {method}"] = digest(labels.astype(np.int64))
    return found


def zoo_labelings(points: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Labelings of every kind: many clusters, noise, none, one, all alone, halves, by density."""
    n_points = len(points)
    for seed in range(2):
        yield f"many {seed}", zoo.many_labels(n_points, seed)
    random = np.random.default_rng(3)
    yield "random without noise", random.integers(0, 4, n_points)
    yield "halves", (np.arange(n_points) * 2 >= n_points).astype(np.int64)
    yield "half noise", np.where(np.arange(n_points) * 2 >= n_points, 8, -1)
    for name, (labels_of, _) in zoo.DISTANCE_FREE.items():
        yield name, np.array(labels_of(n_points), dtype=np.int64)
    tree = DensityTree(points, min_points=3)
    yield "by density", tree.hdbscan(min_cluster_size=4)


def zoo_facts() -> Iterator[tuple[str, Facts]]:
    """Everything of the named tiny data sets."""
    for name, points in zoo.POINTS.items():
        for min_points in (1, 2, 5):
            yield f"{name}, tree of {min_points}", facts_of_tree(points, min_points)
        for labeling, labels in zoo_labelings(points):
            yield f"{name}, {labeling}", facts_of_labels(points, labels, 4)


def data_facts(shared: Path, labelings: tuple[str, ...]) -> Iterator[tuple[str, Facts]]:
    """Everything of the data sets, with the labelings of the golden values."""
    for name in (
        *reference_values.GOLDEN_SETS,
        "htru2",
        "Pendigits",
        "COIL20",
        "Optdigits",
        "WiFi",
    ):
        points, _ = reference_values.load(shared, name)
        yield f"{name}, tree of 5", facts_of_tree(points, 5)
        if name in reference_values.GOLDEN_SETS:
            for labeling in labelings:
                labels = reference_values.golden_labels(shared, name, labeling)
                yield f"{name}, {labeling}", facts_of_labels(points, labels, 5)


def differences(frozen: dict[str, Facts], facts: Iterator[tuple[str, Facts]]) -> Iterator[str]:
    """What differs from the frozen facts, one line each."""
    for case, found in facts:
        kept = frozen[case]
        for what in sorted(kept.keys() | found.keys()):
            if not _agree(what, kept.get(what), found.get(what)):
                yield f"{case}: {what} was {kept.get(what)}, is {found.get(what)}"


def _agree(what: str, kept: str | None, found: str | None) -> bool:
    if kept == found or kept is None or found is None or what in TO_THE_BIT or " " in what:
        return kept == found
    if what in {"heights", "cores"}:
        return False
    return math.isclose(float(kept), float(found), rel_tol=1e-9, abs_tol=1e-12)


def read(name: str) -> dict[str, Facts]:
    """The frozen facts of the zoo or of the data sets."""
    frozen: dict[str, Facts] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return frozen


def main() -> None:
    """Compare with what is frozen, or freeze anew."""
    shared = Path(__file__).resolve().parents[3] / "shared"
    facts = {"zoo": zoo_facts(), "data": data_facts(shared, reference_values.LABELINGS)}
    asked = [word for word in sys.argv[1:] if word in facts] or list(facts)
    for name, found in ((name, facts[name]) for name in asked):
        if "--write" in sys.argv:
            lines = ",\n".join(f"{json.dumps(case)}: {json.dumps(one)}" for case, one in found)
            (FOLDER / f"{name}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        else:
            print(*differences(read(name), found), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
