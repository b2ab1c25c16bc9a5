"""What strangers give is data: nothing in it is run, whatever file it comes in."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, InvalidInputError
from disco_cvi.cli import main
from disco_paper.datasets.catalogue import CATALOGUE
from disco_paper.datasets.downloads.files import parse
from helpers.source import MODULES, imported_modules, parsed

# Modules that read pickles, or run what they read.
DANGEROUS = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal", "jsonpickle", "yaml"}
# Functions that do, by their last name; `compile` of `re` is another.
RUNNING = {"eval", "exec", "__import__", "read_pickle", "unsafe_load", "system", "popen"}


def dangers(tree: ast.Module) -> Iterator[str]:
    """What a module does that could run what a stranger wrote."""
    for name in sorted(imported_modules(tree)):
        if name.partition(".")[0] in DANGEROUS or name == "joblib.load":
            yield f"imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _dangers_of_call(node)


def _dangers_of_call(call: ast.Call) -> Iterator[str]:
    called = ast.unparse(call.func)
    if called.rpartition(".")[2] in RUNNING or called in {"joblib.load", "compile"}:
        yield f"calls {called}"
    given = {word.arg: ast.unparse(word.value) for word in call.keywords}
    if called in {"np.load", "numpy.load"} and given.get("allow_pickle") != "False":
        yield f"calls {called} without allow_pickle=False"
    if given.get("allow_pickle", "False") != "False":
        yield "allows pickles"
    if given.get("shell", "False") != "False":
        yield "opens a shell"


def test_nothing_that_is_read_is_run() -> None:
    found = {name: list(dangers(parsed(path))) for name, path in MODULES.items()}
    assert not {name: why for name, why in found.items() if why}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from pickle import loads",
        "from joblib import load",
        "joblib.load(path)",
        "eval(text)",
        "exec(text)",
        "pd.read_pickle(path)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "np.save(path, array, allow_pickle=True)",
        "subprocess.run(text, shell=True)",
        "os.system(text)",
        "yaml.unsafe_load(text)",
        "compile(text, '', 'exec')",
    ],
)
def test_dangers_are_found(line: str) -> None:
    assert list(dangers(ast.parse(line)))


class Bomb:
    """Runs when it is read back from a pickle."""

    ran = False

    def __reduce__(self) -> tuple[Any, ...]:
        return setattr, (Bomb, "ran", True)


def objects(kind: str) -> bytes:
    """A file of NumPy that holds a pickle."""
    stream = io.BytesIO()
    array = np.array([[Bomb(), 1.0], [2.0, 3.0]], dtype=object)
    if kind == "npy":
        np.save(stream, array, allow_pickle=True)
    else:
        np.savez(stream, images=array, labels=array, heights=array, order=array)
    return stream.getvalue()


def read_by_command(path: Path) -> None:
    if main(["score", str(path), "--label-column", "1"]):
        raise ValueError


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "the command, npy": ("npy", read_by_command),
    "the command, npz": ("npz", read_by_command),
    "a tree": ("npz", DensityTree.load),
    "a data set, npy": ("npy", lambda path: parse("array", [path])),
    "a data set, npz": ("npz", lambda path: parse("images", [path])),
}


@pytest.mark.parametrize(("kind", "read"), READERS.values(), ids=READERS)
def test_pickles_in_arrays_are_refused(
    kind: str, read: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / f"points.{kind}"
    path.write_bytes(objects(kind))
    with pytest.raises((ValueError, InvalidInputError)):
        read(path)
    assert not Bomb.ran


def test_the_bomb_works() -> None:
    np.load(io.BytesIO(objects("npy")), allow_pickle=True)
    assert Bomb.ran
    Bomb.ran = False


@pytest.mark.parametrize("info", CATALOGUE, ids=lambda info: info.name)
def test_data_sets_come_over_https_and_are_known_by_a_hash(info: Any) -> None:
    assert info.address.startswith("https://")
    assert re.fullmatch("[0-9a-f]{64}", info.digest)
