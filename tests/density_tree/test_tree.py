"""DensityTree: core distances, heights and dc-distances, its contract, and its files."""

from __future__ import annotations

import copy
import math
import pickle
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from definitions import disco as definition
from disco_cvi import DensityTree, InvalidInputError, disco_samples, disco_score
from helpers import zoo

if TYPE_CHECKING:
    from pathlib import Path


def small_tree() -> DensityTree:
    return DensityTree(zoo.POINTS["blobs"], min_points=4)


def assert_same_tree(first: DensityTree, second: DensityTree) -> None:
    assert first.n_points == second.n_points
    assert first.min_points == second.min_points
    assert first.metric == second.metric
    assert first.core_distances.tobytes() == second.core_distances.tobytes()
    assert first.heights.tobytes() == second.heights.tobytes()
    assert first.distance_matrix().tobytes() == second.distance_matrix().tobytes()
    labels = zoo.many_labels(first.n_points)
    assert disco_samples(first, labels).tobytes() == disco_samples(second, labels).tobytes()


# --- attributes ---------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases())
def test_tree_is_the_one_of_the_definition(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    distances, core = definition.dc_distances(case.points, case.min_points)
    # Up to three features are added in one order only, so bits agree; more may be added in
    # another order, which moves a distance by a few units in the last place.
    tolerance = 0.0 if case.points.shape[1] <= 3 else 1e-13
    assert tree.n_points == len(case.points)
    assert tree.min_points == case.min_points
    np.testing.assert_allclose(tree.core_distances, core, rtol=tolerance, atol=0)
    np.testing.assert_allclose(tree.distance_matrix(), distances, rtol=tolerance, atol=0)
    expected = np.sort(single_linkage_heights(distances))
    np.testing.assert_allclose(tree.heights, expected, rtol=tolerance, atol=0)


def single_linkage_heights(distances: zoo.Points) -> zoo.Points:
    """Return the merge heights by SciPy's own algorithm; dc-distances have the same as d_m."""
    if len(distances) == 1:
        return np.empty(0)
    condensed = squareform(distances, checks=False)
    return np.asarray(hierarchy.linkage(condensed, "single")[:, 2])


@pytest.mark.small
def test_hand_worked_tree() -> None:
    # core 1 1 2 1 1 2; neighbors merge at 1, 2, 1, 2 and the groups at 7.
    tree = DensityTree([[0], [1], [3], [10], [11], [13]], min_points=2)
    assert tree.core_distances.tolist() == [1, 1, 2, 1, 1, 2]
    assert tree.heights.tolist() == [1, 1, 2, 2, 7]
    assert tree.distance(0, 1) == 1
    assert tree.distance(0, 2) == 2
    assert tree.distance(2, 3) == 7


@pytest.mark.small
def test_fewer_copies_than_min_points_merge_at_their_core_distance() -> None:
    tree = DensityTree([[0], [0], [0], [0], [2], [2], [2]], min_points=5)
    assert tree.heights.tolist() == [2] * 6  # four copies have core distance 2, not 0
    tree = DensityTree([[0], [0], [0], [0], [2], [2], [2]], min_points=4)
    # Four copies are enough; the three others reach over: core 2.
    assert tree.core_distances.tolist() == [0, 0, 0, 0, 2, 2, 2]
    assert tree.heights.tolist() == [0, 0, 0, 2, 2, 2]


@pytest.mark.small
def test_min_points_one_has_no_core_and_plain_single_linkage() -> None:
    X = zoo.POINTS["blobs"]
    tree = DensityTree(X, min_points=1)
    assert not tree.core_distances.any()
    distances = definition.pairwise_distances(X)
    assert tree.heights.tolist() == np.sort(single_linkage_heights(distances)).tolist()


@pytest.mark.small
def test_default_is_five_points_and_euclidean() -> None:
    tree = DensityTree(zoo.POINTS["grid"])
    assert (tree.min_points, tree.metric) == (5, "euclidean")


@pytest.mark.small
def test_a_tree_is_not_built_from_a_tree() -> None:
    with pytest.raises(TypeError, match="X of DensityTree"):
        DensityTree(small_tree())  # type: ignore[arg-type]


# --- order, steps -------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(150)
@given(zoo.cases())
def test_the_largest_step_between_two_points_is_their_distance(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    expected, _ = definition.dc_distances(case.points, case.min_points)
    tolerance = 0.0 if case.points.shape[1] <= 3 else 1e-13  # as for the distances themselves
    assert sorted(tree.order.tolist()) == list(range(len(case.points)))
    assert tree.steps.shape == tree.order.shape
    assert tree.steps[0] == np.inf
    for first, row in enumerate(tree.order):
        largest = np.maximum.accumulate(tree.steps[first + 1 :])
        found = expected[row, tree.order[first + 1 :]]
        np.testing.assert_allclose(largest, found, rtol=tolerance, atol=0)


@pytest.mark.small
def test_copies_of_a_point_stand_side_by_side() -> None:
    tree = DensityTree([[0], [9], [0], [9], [0], [40]], min_points=2)
    assert np.asarray([0, 9, 0, 9, 0, 40])[tree.order].tolist() == [0, 0, 0, 9, 9, 40]
    assert tree.steps.tolist() == [math.inf, 0, 0, 9, 0, 31]


# --- distance, distance_matrix ------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("name", ["blobs", "copies", "grid", "identical"])
def test_distance_answers_for_numbers_and_arrays(name: str) -> None:
    tree = DensityTree(zoo.POINTS[name])
    matrix = tree.distance_matrix()
    rows = np.arange(tree.n_points)
    all_pairs = tree.distance(rows[:, np.newaxis], rows[np.newaxis, :])
    assert isinstance(all_pairs, np.ndarray)
    assert all_pairs.shape == (tree.n_points, tree.n_points)
    assert all_pairs.tobytes() == matrix.tobytes()
    assert tree.distance([0, 1, 2], 3).tolist() == matrix[:3, 3].tolist()
    single = tree.distance(0, 5)
    assert isinstance(single, float)
    assert single == matrix[0, 5]
    assert tree.distance(np.int16(4), np.uint8(4)) == 0
    assert tree.distance([], []).shape == (0,)


@pytest.mark.small
@pytest.mark.parametrize("kind", ["random", "rising", "falling", "equal"])
def test_distance_answers_over_long_stretches(kind: str) -> None:
    steps = np.random.default_rng(2).random(200)
    steps = {"random": steps, "rising": np.sort(steps), "falling": -np.sort(-steps)}.get(
        kind, np.ones(200)
    )
    tree = DensityTree(np.cumsum(steps).reshape(-1, 1), min_points=1)
    first, second = np.random.default_rng(3).integers(0, 200, (2, 1000))
    expected = tree.distance_matrix()[first, second]
    assert tree.distance(first, second).tolist() == expected.tolist()


@pytest.mark.small
def test_distance_is_symmetric_and_ultrametric() -> None:
    matrix = small_tree().distance_matrix()
    assert matrix.tobytes() == matrix.T.copy().tobytes()
    assert not matrix.diagonal().any()
    through_any = np.maximum(matrix[:, :, np.newaxis], matrix[np.newaxis, :, :]).min(axis=1)
    assert (matrix <= through_any).all()


@pytest.mark.small
@pytest.mark.parametrize("row", [60, 10**6, 2**40, -61])
def test_distance_refuses_rows_that_do_not_exist(row: int) -> None:
    for arguments in ((row, 0), (0, row), ([0, row], [1, 1])):
        with pytest.raises((InvalidInputError, IndexError), match=r"\b(59|60)\b"):
            small_tree().distance(*arguments)


@pytest.mark.small
@pytest.mark.parametrize("row", [0.5, "0", None, [0.5]])
def test_distance_refuses_what_is_no_row_number(row: Any) -> None:
    with pytest.raises((TypeError, InvalidInputError), match="distance"):
        small_tree().distance(row, 0)


@pytest.mark.small
def test_distance_refuses_arrays_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"shape|broadcast"):
        small_tree().distance([0, 1, 2], [0, 1])


def test_distance_matrix_refuses_to_fill_the_memory() -> None:
    tree = DensityTree(np.random.default_rng(0).normal(size=(60_000, 1)), min_points=2)
    with pytest.raises(InvalidInputError, match=r"60,?000"):
        tree.distance_matrix()


# --- linkage ------------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=2))
def test_linkage_is_valid_and_has_the_same_distances(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    linkage = tree.linkage()
    assert hierarchy.is_valid_linkage(linkage, throw=True)
    assert hierarchy.is_monotonic(linkage)
    assert linkage[:, 2].tolist() == tree.heights.tolist()
    assert linkage[-1, 3] == tree.n_points
    cophenetic = hierarchy.cophenet(linkage)
    assert cophenetic.tolist() == squareform(tree.distance_matrix()).tolist()


@pytest.mark.small
def test_linkage_draws_a_dendrogram() -> None:
    drawing = hierarchy.dendrogram(small_tree().linkage(), no_plot=True)
    assert sorted(drawing["leaves"]) == list(range(60))


@pytest.mark.small
def test_one_point_is_a_tree() -> None:
    tree = DensityTree([[1.5, 2.5]], min_points=1)
    assert tree.n_points == 1
    assert tree.heights.shape == (0,)
    assert tree.core_distances.tolist() == [0]
    assert tree.distance(0, 0) == 0
    assert tree.distance_matrix().tolist() == [[0]]
    assert tree.linkage().shape == (0, 4)
    assert disco_score(tree, [0]) == 0
    assert disco_score(tree, [-1]) == -1


# --- immutable, copied, shown -------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    "name",
    ["n_points", "min_points", "metric", "core_distances", "heights", "order", "steps", "color"],
)
def test_attributes_cannot_be_set(name: str) -> None:
    tree = small_tree()
    with pytest.raises(AttributeError):
        setattr(tree, name, 3)
    with pytest.raises(AttributeError):
        delattr(tree, name)


@pytest.mark.small
@pytest.mark.parametrize("name", ["core_distances", "heights", "order", "steps"])
def test_arrays_are_read_only(name: str) -> None:
    array = getattr(small_tree(), name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.small
def test_what_is_handed_out_is_not_the_tree_itself() -> None:
    tree = small_tree()
    before = tree.distance_matrix().copy()
    tree.distance_matrix()[:] = 0
    tree.linkage()[:] = 0
    assert tree.distance_matrix().tobytes() == before.tobytes()


@pytest.mark.small
def test_later_changes_of_the_points_do_not_reach_the_tree() -> None:
    X = zoo.POINTS["blobs"].copy()
    tree = DensityTree(X, min_points=4)
    X[:] = 0
    assert_same_tree(tree, small_tree())


@pytest.mark.small
@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_are_equal_and_immutable(duplicate: Any) -> None:
    tree = small_tree()
    other = duplicate(tree)
    assert_same_tree(tree, other)
    with pytest.raises(AttributeError):
        other.min_points = 3
    with pytest.raises(ValueError, match="read-only"):
        other.heights[0] = 1


@pytest.mark.small
def test_repr_tells_size_min_points_and_metric() -> None:
    text = repr(DensityTree(zoo.POINTS["blobs"], min_points=4, metric="sqeuclidean"))
    assert text.startswith("DensityTree(")
    for word in ("60", "4", "sqeuclidean"):
        assert word in text
    assert "\n" not in text


# --- files --------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "manhattan"])
def test_a_saved_tree_is_the_same_tree(tmp_path: Path, metric: str, as_text: bool) -> None:
    tree = DensityTree(zoo.POINTS["copies"], min_points=4, metric=metric)
    path = tmp_path / "tree.npz"
    tree.save(str(path) if as_text else path)
    assert [file.name for file in tmp_path.iterdir()] == ["tree.npz"]
    loaded = DensityTree.load(str(path) if as_text else path)
    assert_same_tree(tree, loaded)
    assert repr(loaded) == repr(tree)
    with pytest.raises(ValueError, match="read-only"):
        loaded.heights[0] = 1


@pytest.mark.small
@pytest.mark.parametrize("points", [[[1.0]], [[1.0], [1.0]], [[0.0], [1.0]]])
def test_the_smallest_trees_are_saved(tmp_path: Path, points: Any) -> None:
    tree = DensityTree(points, min_points=1)
    tree.save(tmp_path / "tree.npz")
    assert_same_tree(tree, DensityTree.load(tmp_path / "tree.npz"))


@pytest.mark.small
def test_a_saved_tree_holds_no_pickle(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    small_tree().save(path)
    with np.load(path, allow_pickle=False) as arrays:
        assert all(arrays[name].dtype != object for name in arrays.files)


@pytest.mark.small
def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no-tree\.npz"):
        DensityTree.load(tmp_path / "no-tree.npz")


def saved_arrays(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    path = tmp_path / "tree.npz"
    DensityTree(zoo.POINTS["copies"], min_points=4).save(path)
    with np.load(path) as arrays:
        return path, {name: arrays[name] for name in arrays.files}


DAMAGES: dict[str, Any] = {
    "text": lambda array: np.full(array.shape, "a"),
    "complex": lambda array: np.full(array.shape, 1j),
    "one more dimension": lambda array: array[np.newaxis],
    "scalar": lambda array: array.ravel()[:1].reshape(()) if array.ndim else array[np.newaxis],
    "empty": lambda array: array.ravel()[:0],
    "one too few": lambda array: array[:-1] if array.ndim else array[np.newaxis],
    "one too many": lambda array: (
        np.concatenate([array, array[-1:]]) if array.ndim else [array] * 2
    ),
    "pickled": lambda array: array.astype(object),
    "records": lambda array: np.zeros(array.shape, dtype=[("a", "f8")]),
}


@pytest.mark.small
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_arrays_are_refused(tmp_path: Path, damage: str) -> None:
    path, arrays = saved_arrays(tmp_path)
    for name in arrays:
        np.savez(path, **(arrays | {name: DAMAGES[damage](arrays[name])}))
        with pytest.raises(InvalidInputError, match=r"tree\.npz"):
            DensityTree.load(path)


@pytest.mark.small
def test_missing_arrays_are_refused(tmp_path: Path) -> None:
    path, arrays = saved_arrays(tmp_path)
    for missing in arrays:
        np.savez(path, **{name: array for name, array in arrays.items() if name != missing})
        with pytest.raises(InvalidInputError, match=r"tree\.npz"):
            DensityTree.load(path)


@pytest.mark.small
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1.0])
def test_heights_and_core_distances_that_cannot_be_are_refused(
    tmp_path: Path, value: float
) -> None:
    path, arrays = saved_arrays(tmp_path)
    floating = [name for name, array in arrays.items() if array.dtype.kind == "f" and array.ndim]
    assert floating
    for name in floating:
        for place in (0, len(arrays[name]) // 2, -1):
            damaged = arrays[name].copy()
            damaged[place] = value
            np.savez(path, **(arrays | {name: damaged}))
            with pytest.raises(InvalidInputError, match=r"tree\.npz"):
                DensityTree.load(path)


@pytest.mark.small
@pytest.mark.parametrize("value", [-1, 10**6, 2**31 - 1, -(2**31)])
def test_numbers_of_points_and_nodes_that_cannot_be_are_refused(tmp_path: Path, value: int) -> None:
    path, arrays = saved_arrays(tmp_path)
    whole = [name for name, array in arrays.items() if array.dtype.kind in "iu" and array.ndim]
    assert whole
    for name in whole:
        for place in (0, len(arrays[name]) // 2, -1):
            damaged = arrays[name].copy()
            if value < 0 and damaged.dtype.kind == "u":
                continue
            damaged[place] = value
            np.savez(path, **(arrays | {name: damaged}))
            with pytest.raises(InvalidInputError, match=r"tree\.npz"):
                DensityTree.load(path)


@pytest.mark.small
@pytest.mark.parametrize("value", [-(10**6), 0, 10**6])
def test_numbers_out_of_range_are_refused(tmp_path: Path, value: int) -> None:
    path, arrays = saved_arrays(tmp_path)
    numbers = [name for name, array in arrays.items() if array.dtype.kind == "i" and not array.ndim]
    assert "min_points" in numbers
    for name in numbers:
        if name == "exponent" and value == 0:  # as good as any other
            continue
        np.savez(path, **(arrays | {name: np.array(value)}))
        with pytest.raises(InvalidInputError, match=r"tree\.npz"):
            DensityTree.load(path)


@pytest.mark.small
@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "null", '"euclidean"'])
def test_parameters_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    path, arrays = saved_arrays(tmp_path)
    np.savez(path, **(arrays | {"metric_params": np.array(text)}))
    with pytest.raises(InvalidInputError, match=r"tree\.npz"):
        DensityTree.load(path)


@pytest.mark.small
def test_core_distances_above_the_heights_are_refused(tmp_path: Path) -> None:
    path, arrays = saved_arrays(tmp_path)
    highest = np.full_like(arrays["core"], arrays["joins"].max())
    np.savez(path, **(arrays | {"core": highest}))
    with pytest.raises(InvalidInputError, match=r"tree\.npz.*core distance"):
        DensityTree.load(path)


def ordinary(first: Any, second: Any, size: float) -> float:
    return size * math.dist(first, second)


@pytest.mark.small
def test_a_tree_of_a_function_is_saved_with_its_name(tmp_path: Path) -> None:
    params = {"size": 2.0}
    tree = DensityTree(zoo.POINTS["copies"], metric=ordinary, metric_params=params)
    tree.save(tmp_path / "tree.npz")
    loaded = DensityTree.load(tmp_path / "tree.npz")
    assert loaded.heights.tobytes() == tree.heights.tobytes()
    labels = zoo.many_labels(tree.n_points)
    assert disco_samples(loaded, labels).tobytes() == disco_samples(tree, labels).tobytes()
    assert "ordinary" in repr(loaded)
    assert " at 0x" not in repr(loaded)


@zoo.examples(400)
@given(data=st.data())
def test_shuffled_files_give_an_error_or_a_working_tree(
    tmp_path: Path, data: st.DataObject
) -> None:
    """Whatever whole numbers a file holds, compiled code never reads beyond its arrays."""
    path, arrays = saved_arrays(tmp_path)
    name = data.draw(st.sampled_from([name for name in arrays if arrays[name].ndim]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    damaged = arrays[name].copy()
    places = random.integers(0, len(damaged), data.draw(st.integers(1, 4)))
    damaged[places] = (
        damaged[random.permutation(places)]
        if random.random() < 0.5
        else random.choice(damaged, len(places))
    )
    np.savez(path, **(arrays | {name: damaged}))
    try:
        tree = DensityTree.load(path)
    except InvalidInputError:
        return
    samples = disco_samples(tree, zoo.many_labels(tree.n_points))
    assert np.abs(samples).max() <= 1
    assert np.isfinite(tree.distance_matrix()).all()
    assert hierarchy.is_valid_linkage(tree.linkage(), throw=True)


@pytest.mark.small
def test_files_that_hold_no_tree_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    small_tree().save(path)
    whole = path.read_bytes()
    np.save(tmp_path / "plain.npy", np.arange(3))
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("heights.npy", b"no array")
    contents = {
        "empty": b"",
        "text": b"a,b\n1,2\n",
        "one array": (tmp_path / "plain.npy").read_bytes(),
        "pickle": pickle.dumps({"heights": [1, 2]}),
        "zip": (tmp_path / "other.zip").read_bytes(),
        "first half": whole[: len(whole) // 2],
        "without its end": whole[:-1],
        "second half": whole[len(whole) // 2 :],
    }
    for name, content in contents.items():
        broken = tmp_path / f"{name}.npz"
        broken.write_bytes(content)
        with pytest.raises(InvalidInputError, match=name):
            DensityTree.load(broken)


@zoo.examples(300)
@given(st.integers(0, 10**6), st.integers(1, 255))
def test_flipped_bytes_give_an_error_or_a_working_tree(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "flipped.npz"
    small_tree().save(path)
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= change
    path.write_bytes(content)
    try:
        tree = DensityTree.load(path)
    except InvalidInputError:
        return
    assert np.abs(disco_samples(tree, zoo.many_labels(tree.n_points))).max() <= 1
