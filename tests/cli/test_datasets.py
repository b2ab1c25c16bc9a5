from __future__ import annotations

import json
from pathlib import Path

import pytest

from disco_cvi.cli import main
from disco_cvi.datasets import DatasetInfo, catalogue
from disco_cvi.datasets.catalogue import CATALOGUE
from helpers.archives import TOY, Server

Capture = pytest.CaptureFixture[str]


def test_the_table(cache: Path, capsys: Capture) -> None:
    assert main(["datasets"]) == 0
    answer = capsys.readouterr()
    lines = answer.out.splitlines()
    assert lines[0] == "name            points  features  clusters  noise  found in"
    assert lines[1] == "3-spiral           312         2         3      0  to download"
    assert len(lines) == 1 + len(CATALOGUE) + 2
    assert lines[-1] == f"cache: {cache}"
    assert answer.err == ""


def test_sources(plain: DatasetInfo, cache: Path, capsys: Capture) -> None:
    assert main(["datasets", "--sources"]) == 0
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "Toy set: Three points.",
        "  source:  Nobody",
        "  licence: none",
        f"  address: {plain.address} (not checked)",
    ]


@pytest.mark.parametrize("arguments", [["--all"], ["toy-set"], ["Toy set", "toy_set"]])
def test_fetch(
    plain: DatasetInfo, server: Server, cache: Path, capsys: Capture, arguments: list[str]
) -> None:
    server.contents["/toy.data"] = TOY
    assert main(["datasets", "fetch", *arguments]) == 0
    assert capsys.readouterr() == (f"Toy set: {cache / 'toy' / 'toy.data'}\n", "")
    assert main(["datasets"]) == 0
    assert "  cache\n" in capsys.readouterr().out
    assert server.asked == ["/toy.data"]


def test_fetch_for_programs(
    plain: DatasetInfo, server: Server, cache: Path, capsys: Capture
) -> None:
    server.contents["/toy.data"] = TOY
    assert main(["datasets", "fetch", "--all", "--json"]) == 0
    answer = capsys.readouterr()
    assert json.loads(answer.out) == {"Toy set": [str(cache / "toy" / "toy.data")]}


def test_fetch_goes_on_when_one_cannot_be_had(
    plain: DatasetInfo,
    server: Server,
    cache: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dataclasses import replace

    gone = replace(plain, name="Gone", address=f"{server.address}/gone", files=("gone/gone",))
    monkeypatch.setattr(catalogue, "CATALOGUE", (gone, plain))
    server.contents["/toy.data"] = TOY
    assert main(["datasets", "fetch", "--all"]) == 1
    answer = capsys.readouterr()
    assert answer.out == f"Toy set: {cache / 'toy' / 'toy.data'}\n"
    first, last = answer.err.splitlines()
    assert first.startswith("disco: the data set 'Gone' cannot be downloaded from http://127.0.0.1")
    assert last == "disco: 1 data set could not be fetched: Gone."


def test_fetch_without_pooch(
    plain: DatasetInfo, cache: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pooch", None)
    assert main(["datasets", "fetch", "--all"]) == 1
    assert "needs pooch, which is not installed" in capsys.readouterr().err
    assert main(["datasets"]) == 0
    assert "to download" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["--all", "toy set"]])
def test_wrong_use(plain: DatasetInfo, cache: Path, capsys: Capture, arguments: list[str]) -> None:
    assert main(["datasets", "fetch", *arguments]) == 2
    assert capsys.readouterr().err == (
        "disco datasets fetch: give names of data sets, or --all. "
        "See 'disco datasets fetch --help'.\n"
    )


def test_unknown_name(cache: Path, capsys: Capture) -> None:
    assert main(["datasets", "fetch", "Irs"]) == 2
    assert capsys.readouterr().err == (
        "disco datasets fetch: NAME must be among those that 'disco datasets' lists; got 'Irs'. "
        "Did you mean 'Iris'? See 'disco datasets fetch --help'.\n"
    )


def test_a_variable_that_names_no_folder(
    cache: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCO_DATA", "/no/such/folder")
    assert main(["datasets"]) == 1
    assert capsys.readouterr().err.startswith("disco: the environment variable DISCO_DATA must")


def test_help(capsys: Capture) -> None:
    assert main(["datasets", "--help"]) == 0
    assert "usage: disco datasets [fetch ...] [options]\n" in capsys.readouterr().out
    assert main(["datasets", "fetch", "--help"]) == 0
    assert "usage: disco datasets fetch [NAME ...] [--all]\n" in capsys.readouterr().out
