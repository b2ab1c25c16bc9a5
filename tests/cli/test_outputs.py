"""Files that commands write: none takes the place of an input, all are whole or absent."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from disco_cvi.cli import main
from disco_cvi.indices.registry import available_indices

ALWAYS = ["--min-points", "2"]


def as_it_is(path: str) -> str:
    return path


def with_a_dot(path: str) -> str:
    return f"./{path}"


def absolute(path: str) -> str:
    return str(Path(path).resolve())


def symlink(path: str) -> str:
    Path("link.csv").symlink_to(path)
    return "link.csv"


def hard_link(path: str) -> str:
    os.link(path, "second.csv")
    return "second.csv"


@pytest.mark.small
@pytest.mark.parametrize("alias", [as_it_is, with_a_dot, absolute, symlink, hard_link])
@pytest.mark.parametrize(
    ("command", "source"),
    [
        (["score", "points.csv", "--labels", "labels.csv", "--samples"], "points.csv"),
        (["score", "points.csv", "--labels", "labels.csv", "--samples"], "labels.csv"),
        (["explain", "points.csv", "--labels", "labels.csv", "--samples"], "labels.csv"),
        (["score", "table.csv", "--label-column", "cluster", "--samples"], "table.csv"),
        (["tune", "points.csv", "--out"], "points.csv"),
    ],
)
def test_no_output_overwrites_an_input(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    alias: Callable[[str], str],
    command: list[str],
    source: str,
) -> None:
    before = Path(source).read_bytes()
    target = alias(source)
    assert main([*command, target, *ALWAYS]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{target} would overwrite {source}, which is read. Name another file." in err
    assert Path(source).read_bytes() == before


@pytest.mark.small
@pytest.mark.parametrize("command", [["score", "--label-column", "cluster", "--samples"]])
def test_no_output_overwrites_the_file_that_a_shell_reads(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    before = Path("table.csv").read_bytes()
    keyboard = os.dup(0)
    try:
        with Path("table.csv").open("rb") as stream:
            os.dup2(stream.fileno(), 0)  # disco score ... < table.csv
        assert main([*command, "./table.csv", *ALWAYS]) == 2
    finally:
        os.dup2(keyboard, 0)
        os.close(keyboard)
    assert "./table.csv would overwrite the standard input, which" in capsys.readouterr().err
    assert Path("table.csv").read_bytes() == before


@pytest.mark.small
def test_a_page_does_not_overwrite_an_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("labels.html").write_bytes(Path("labels.csv").read_bytes())
    arguments = ["points.csv", "--labels", "labels.html"]
    assert main(["report", *arguments, "-o", "./labels.html"]) == 2
    assert "./labels.html would overwrite labels.html, which is read." in capsys.readouterr().err


@pytest.mark.small
def test_a_page_does_not_overwrite_a_file_in_a_folder_of_labels(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("runs").mkdir()
    Path("runs/a.html").write_bytes(Path("labels.csv").read_bytes())
    assert main(["report", "points.csv", "--labels", "runs", "-o", "runs/../runs/a.html"]) == 2
    assert "runs/../runs/a.html would overwrite runs/a.html, which" in capsys.readouterr().err


@pytest.mark.small
def test_two_outputs_are_two_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--samples", "out.csv", "--plot", "out.png"]
    assert main(["score", "points.csv", "--labels", "labels.csv", *files, *ALWAYS]) == 0
    assert Path("out.png").read_bytes().startswith(b"\x89PNG")
    Path("out.png").unlink()
    Path("out.png").symlink_to("out.csv")
    assert main(["score", "points.csv", "--labels", "labels.csv", *files, *ALWAYS]) == 2
    assert "--samples and --plot both name out.png; name another" in capsys.readouterr().err


@pytest.mark.small
@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_the_score_is_printed_before_a_write_may_fail(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    extra: list[str],
) -> None:
    def no_space(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device", "out.csv")

    monkeypatch.setattr("disco_cvi._output.files._replace", no_space)
    arguments = ["points.csv", "--labels", "labels.csv", *ALWAYS, "--samples", "out.csv", *extra]
    assert main(["score", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("{" if extra else "DISCO score")
    assert err == "disco: out.csv: No space left on device\n"
    assert not list(Path().glob("*out.csv*"))
    assert not list(Path().glob("*.partial"))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
@pytest.mark.parametrize(
    ("command", "path", "begin"),
    [
        (["score", "--samples"], "/proc/out.csv", "DISCO score"),
        (["report", "--indices", "disco", "-o"], "/proc/out.html", "DISCO score"),
        (["report", "--indices", "disco", "--json", "-o"], "/proc/out.html", "{"),
    ],
)
def test_the_score_is_told_before_a_folder_takes_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], path: str, begin: str
) -> None:
    name, *options = command
    arguments = ["points.csv", "--labels", "labels.csv", *ALWAYS, *options, path]
    assert main([name, *arguments]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(begin)
    assert err == f"disco: {path}: No such file or directory\n"


# --- JSON -----------------------------------------------------------------------------------------


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.small
def test_lists_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    indices = json_of(capsys, "indices")
    assert [index["name"] for index in indices] == [info.name for info in available_indices()]
    highest = {index["name"]: index["highest"] for index in indices}
    assert (highest["disco"], highest["dunn"]) == (1.0, None)
