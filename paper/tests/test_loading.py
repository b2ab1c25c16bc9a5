from __future__ import annotations

import csv
import hashlib
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from disco_cvi import InvalidInputError
from disco_paper.datasets import DatasetInfo, available, load
from disco_paper.datasets.catalogue import CATALOGUE, Form, LabeledPoints
from disco_paper.datasets.downloads.files import parse, value_digest
from disco_paper.tables import plain as plain_name
from paper_helpers.archives import TOY, Server

NAMES = [
    *("3-spiral", "aggregation", "chainlink", "cluto-t4-8k", "cluto-t5-8k", "cluto-t7-10k"),
    *("cluto-t8-8k", "complex8", "complex9", "compound", "dartboard1", "diamond9", "smile1"),
    *("Synth_low", "Synth_high", "Synth_no_noise", "htru2", "Pendigits", "COIL20", "cmu_faces"),
    *("Optdigits", "Iris", "Seeds", "WiFi", "Spambase", "Wine quality", "Yeast"),
]
IMAGES = {"COIL20", "cmu_faces", "Optdigits"}


@pytest.fixture
def reference(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of reference data, named by DISCO_DATA."""
    folder = shared / "data"
    monkeypatch.setenv("DISCO_DATA", str(folder))
    return folder


# --- the data sets themselves ---------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_data_set_loads(reference: Path, name: str) -> None:
    """The values are compared with their checksum on the way; here, shape and form."""
    info = next(info for info in CATALOGUE if info.name == name)
    data = load(name, standardize=False)
    assert data.X.shape == (info.n_points, info.n_features)
    assert len(set(data.labels.tolist()) - {-1}) == info.n_clusters
    assert (data.labels == -1).sum() == info.n_noise
    assert data.X.dtype == np.float64
    assert data.labels.dtype == np.int64
    assert data.X.flags.c_contiguous
    assert not data.X.flags.writeable
    assert not data.labels.flags.writeable
    assert np.isfinite(data.X).all()
    assert data.info == info


def test_sizes_are_those_of_the_paper(shared: Path) -> None:
    sizes = {
        info.name: (info.n_points, info.n_features, info.n_clusters, info.n_noise)
        for info in CATALOGUE
    }
    with (shared / "expected" / "paper_tab_dataset-prop.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 19
    for row in rows:
        printed = tuple(int(row[column]) for column in ("n", "d", "k", "n_noise"))
        assert sizes[row["dataset"]] == printed


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"COIL20", "chainlink"}])
def test_standardized(reference: Path, name: str) -> None:
    raw, data = load(name, standardize=False).X, load(name).X
    axis = None if name in IMAGES else 0
    deviation = raw.std(axis=axis)
    expected = (raw - raw.mean(axis=axis)) / np.where(deviation > 0, deviation, 1)
    np.testing.assert_allclose(data, expected, rtol=1e-9, atol=1e-9)
    assert not data.flags.writeable


@pytest.mark.parametrize(
    ("name", "smallest"),
    [("3-spiral", 1), ("complex8", 0), ("cluto-t4-8k", -1), ("Synth_high", -1), ("Seeds", 1)],
)
def test_labels_are_those_of_the_files(reference: Path, name: str, smallest: int) -> None:
    assert load(name).labels.min() == smallest


def test_names_of_classes_count_in_sorted_order(reference: Path) -> None:
    assert np.bincount(load("Iris").labels).tolist() == [50, 50, 50]
    rows = (reference / "yeast" / "yeast.data").read_text().splitlines()
    classes = [row.split()[-1] for row in rows]
    assert [sorted(set(classes))[label] for label in load("Yeast").labels] == classes


def test_iris_is_the_corrected_form(reference: Path) -> None:
    iris = load("Iris", standardize=False).X
    assert iris[34].tolist() == [4.9, 3.1, 1.5, 0.2]
    assert iris[37].tolist() == [4.9, 3.6, 1.4, 0.1]


def test_the_paper_has_fewer_rows_of_seeds(reference: Path) -> None:
    lines = (reference / "seeds" / "seeds_dataset.txt").read_text().splitlines()
    kept = [i for i, line in enumerate(lines) if len(line.split("\t")) == 8]
    everything = load("Seeds", standardize=False)
    paper = load("Seeds", standardize=False, paper_rows=True)
    assert paper.X.shape == (199, 7)
    assert np.array_equal(paper.X, everything.X[kept])
    assert np.array_equal(paper.labels, everything.labels[kept])
    standardized = load("Seeds", paper_rows=True).X  # by the rows that are there
    np.testing.assert_allclose(standardized.mean(axis=0), 0, atol=1e-12)
    assert not standardized.flags.writeable


def test_the_paper_has_all_rows_of_the_others(reference: Path) -> None:
    assert np.array_equal(load("Iris").X, load("Iris", paper_rows=True).X)


def test_faces_are_scaled_by_the_largest_gray_value(reference: Path) -> None:
    faces = load("cmu_faces", standardize=False).X
    with np.load(reference / "cmu_faces" / "cmu_faces_4.npz") as arrays:
        raw, largest = arrays["images"].reshape(624, 960), arrays["maxval"]
    for face, pixels, top in zip(faces[::50], raw[::50], largest[::50], strict=True):
        assert face.tolist() == [round(int(value) / int(top) * 255) for value in pixels]


# --- names ----------------------------------------------------------------------------------------


def test_available_lists_every_name_in_order(cache: Path) -> None:
    assert [info.name for info in available()] == NAMES
    lines = str(available()).splitlines()
    assert lines[0].split() == ["name", "points", "features", "clusters", "noise", "found", "in"]
    assert [line.partition("  ")[0] for line in lines[1:]] == NAMES
    assert all(line.endswith("  to download") for line in lines[1:])


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("three_spiral", "3-spiral"),
        ("wine_quality", "Wine quality"),
        ("WINE  QUALITY", "Wine quality"),
        ("cluto t4 8k", "cluto-t4-8k"),
        ("synth_100_0.0", "Synth_no_noise"),
        ("CMU-Faces", "cmu_faces"),
        ("coil-20", "COIL20"),
    ],
)
def test_names_are_read_generously(reference: Path, name: str, found: str) -> None:
    assert load(name, standardize=False).info.name == found


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("winequalty", " Did you mean 'Wine quality'?"),
        ("three spirals", " Did you mean '3-spiral'?"),
        ("qqq", f" There are {', '.join(NAMES)}."),
        ("", f" There are {', '.join(NAMES)}."),
    ],
)
def test_unknown_names(name: str, hint: str) -> None:
    expected = f"name of load must be among those that available() lists; got {name!r}.{hint}"
    with pytest.raises(InvalidInputError, match=f"^{re.escape(expected)}$"):
        load(name)


def test_a_name_must_be_text() -> None:
    with pytest.raises(TypeError, match=r"^name of load must be a name; got 3 \(int\)\.$"):
        load(3)  # type: ignore[arg-type]


def test_no_two_names_are_alike() -> None:
    others = [name for info in CATALOGUE for name in info.other_names]
    assert len({*map(plain_name, NAMES), *others}) == len(NAMES) + len(others)
    assert [plain_name(name) for name in others] == others


# --- where files are looked for -------------------------------------------------------------------


def _put(folder: Path, content: bytes = TOY) -> Path:
    (folder / "toy").mkdir(parents=True)
    (folder / "toy" / "toy.data").write_bytes(content)
    return folder / "toy" / "toy.data"


def test_the_folder_goes_before_the_cache(
    plain: DatasetInfo, server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put(cache)
    path = _put(tmp_path / "own", b"1,2,3\n")
    assert str(available()).splitlines()[1].endswith("  cache")
    monkeypatch.setenv("DISCO_DATA", str(tmp_path / "own"))
    assert str(available()).splitlines()[1].endswith("  DISCO_DATA")
    with pytest.raises(InvalidInputError) as caught:
        load("toy set")
    assert str(caught.value) == (
        f"{path} does not hold the values of the data set 'Toy set': expected 3 points with 2 "
        f"features and the SHA-256 {plain.digest} of their values; got 1 points with 2 features "
        f"and {value_digest(parse('commas', [path]))}. Put the published file there, or let "
        "DISCO_DATA name another folder."
    )
    path.unlink()
    assert load("toy set").X.shape == (3, 2)  # from the cache, as the folder does not have it
    assert not server.asked


def test_a_home_folder_may_be_written_short(
    plain: DatasetInfo, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put(tmp_path / "own")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("DISCO_DATA", "~/own")
    assert load("toy set").X.shape == (3, 2)


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_variable_names_no_folder(
    plain: DatasetInfo, cache: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    _put(cache)
    monkeypatch.setenv("DISCO_DATA", value)
    assert load("toy set").X.shape == (3, 2)


def test_a_variable_that_names_no_folder(
    plain: DatasetInfo, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put(cache)
    monkeypatch.setenv("DISCO_DATA", "/no/such/folder")
    with pytest.raises(InvalidInputError, match=r"got '/no/such/folder', which is no folder\."):
        load("toy set")


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.small
def test_the_digest_is_what_it_says() -> None:
    parsed = LabeledPoints(np.array([[1.5, -2.0], [0.0, 3.0]]), np.array([-1, 4]))
    numbers = struct.pack("<4d", 1.5, -2, 0, 3) + struct.pack("<2q", -1, 4)
    assert value_digest(parsed) == hashlib.sha256(b"2 x 2\n" + numbers).hexdigest()
    fortran = LabeledPoints(np.asfortranarray(parsed.points), parsed.labels.astype(">i8"))
    assert value_digest(fortran) == value_digest(parsed)
    wide = LabeledPoints(parsed.points.reshape(1, 4), parsed.labels)
    assert value_digest(wide) != value_digest(parsed)


@pytest.mark.small
@pytest.mark.parametrize(
    ("form", "text", "points", "labels"),
    [
        ("commas", "1,2,7\r\n3,4,8\r\n", [[1, 2], [3, 4]], [7, 8]),
        ("commas", " 1, 2,7\r 3, 4,8", [[1, 2], [3, 4]], [7, 8]),
        ("commas", "-0.0,2,b\n3,4,a\n\n", [[0, 2], [3, 4]], [1, 0]),
        ("commas", "1,2,1.0\n3,4,2.0\n", [[1, 2], [3, 4]], [0, 1]),
        ("blanks", "1\t\t2\t-1\n3  4 0\n", [[1, 2], [3, 4]], [-1, 0]),
        ("semicolons", '"a";"b";"c"\n1;2;3\n', [[1, 2]], [3]),
        ("named", "noise 1 2 z\nY  3  4  y\n", [[1, 2], [3, 4]], [1, 0]),
        ("arff", "% x\n@relation r\n@DATA\n1,2,noise\n% y\n3,4,5\n", [[1, 2], [3, 4]], [-1, 5]),
        ("arff", "@attribute a\n@data \n1,2,noise\n", [[1, 2]], [0]),
    ],
)
def test_text_is_read(
    tmp_path: Path, form: Form, text: str, points: list[list[float]], labels: list[int]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    parsed = parse(form, [path])
    assert parsed.points.tolist() == points
    assert not np.signbit(parsed.points).any()
    assert parsed.labels.tolist() == labels


@pytest.mark.small
def test_files_are_stacked_in_their_order(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text({"a": "1,2\n", "b": "3,4\n5,6\n"}[name])
    parsed = parse("commas", [tmp_path / "b", tmp_path / "a"])
    assert parsed.points.tolist() == [[3], [5], [1]]
    assert parsed.labels.tolist() == [4, 6, 2]


@pytest.mark.small
@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("arff", b"1,2,3\n"),
        ("commas", b""),
        ("commas", b"1\n2\n"),
        ("commas", b"1,2,3\n4,5\n"),
        ("commas", b"a,b,1\n"),
        ("blanks", b"\x80\x81"),
        ("semicolons", b'"a";"b"\n'),
        ("named", b"a\n"),
        ("array", b"\x93NUMPY"),
        ("array", b"no array"),
        ("images", b"PK\x03\x04"),
    ],
)
def test_what_cannot_be_read(form: Form, content: bytes, plain: DatasetInfo, cache: Path) -> None:
    from dataclasses import replace

    from disco_paper.datasets.downloads.files import read_values

    path = _put(cache, content)
    with pytest.raises(InvalidInputError, match=r"^here cannot be read as .* 'Toy set': "):
        read_values(replace(plain, form=form), [path], "here", "Do something.")


@pytest.mark.small
def test_arrays_that_hold_something_else(tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    for wrong in (np.zeros(3), np.array([["a", "b"]]), np.zeros((2, 2, 2))):
        np.save(path, wrong)
        with pytest.raises(ValueError, match=r"array\.npy holds no table of numbers"):
            parse("array", [path])
    np.save(path, np.array([[{}]], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        parse("array", [path])
    np.savez(tmp_path / "images.npz", images=np.zeros((1, 2, 2)))
    with pytest.raises(ValueError, match=r"images\.npz does not hold labels"):
        parse("images", [tmp_path / "images.npz"])


def test_importing_is_light() -> None:
    import subprocess
    import sys

    code = "import sys, disco_paper.datasets; print(*sorted(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in answer.stdout.split()}
    assert "disco_cvi" in loaded
    assert not loaded & {"numba", "scipy", "sklearn", "pooch", "requests", "densired", "matplotlib"}
