"""The command as a whole: help, exit codes, one line for every failure."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, NoReturn

import pytest
import typer

import disco_cvi
from disco_cvi import cli
from disco_cvi.cli import main
from helpers.clustered_files import LABELS, X

NO_MEMORY = (
    "disco: the memory of this machine does not suffice; a sample of the rows, fewer columns or "
    "labelings at a time, or --dask of 'disco score' need less\n"
)


@pytest.mark.small
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "disco: interrupted\n"),
        (MemoryError(), 1, NO_MEMORY),
        (disco_cvi.InvalidInputError("two\nlines"), 1, "disco: two lines\n"),
    ],
)
def test_interrupts_and_failures_end_in_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    message: str,
) -> None:
    def stop(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr("disco_cvi.results.explanation.explain", stop)
    assert main(["score", "points.csv", "--labels", "labels.csv"]) == code
    assert capsys.readouterr() == ("", message)


@pytest.mark.small
def test_indices_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["indices"]) == 0
    table = capsys.readouterr().out
    names = [line.split()[0] for line in table.splitlines()]
    assert names == ["name", *(info.name for info in disco_cvi.available_indices())]
    assert main(["indices", "--references"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(table)
    assert all(info.reference in text for info in disco_cvi.available_indices())


@pytest.mark.small
def test_warnings_of_python_are_notes(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from disco_cvi.results import explanation

    explain = explanation.explain

    def warn(*given: Any, **options: Any) -> Any:
        for _ in range(2):
            warnings.warn("this looks\nodd.", UserWarning, stacklevel=2)
        return explain(*given, **options)

    monkeypatch.setattr(explanation, "explain", warn)
    assert main(["score", "points.csv", "--labels", "labels.csv", "--min-points", "2"]) == 0
    assert capsys.readouterr().err == "disco: this looks odd.\n"


# --- the command as a whole -----------------------------------------------------------------------


@pytest.mark.small
def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"disco-cvi {disco_cvi.__version__}\n"
    assert main(["--help"]) == 0
    assert "disco score points.csv --labels labels.csv" in capsys.readouterr().out
    assert main(["help"]) == 0
    assert "Usage: disco [OPTIONS] COMMAND" in capsys.readouterr().out
    assert main(["help", "score"]) == 0
    assert "Usage: disco score" in capsys.readouterr().out
    assert main(["score", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "DISCO depends on" in text
    assert main([]) == 2
    assert "Examples:" in capsys.readouterr().err


@pytest.mark.small
@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_a_help_with_examples(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"Usage: disco {name} " in text
    assert re.search(rf"Examples:\s+disco {name}", text)
    assert "[required]" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert main([name, "-h"]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.small
@pytest.mark.parametrize("name", cli.COMMANDS)
def test_wrong_use_of_a_command_points_to_its_own_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--hepl"]) == 2
    assert capsys.readouterr() == (
        "",
        f"disco {name}: no such option: --hepl. Did you mean '--help'? "
        f"See 'disco {name} --help'.\n",
    )


def test_the_first_help_loads_neither_numpy_nor_pandas_nor_rich() -> None:
    code = (
        "import sys; from disco_cvi.cli import main; main(['--help']); "
        "names = ('numpy', 'numba', 'pandas', 'rich', 'scipy', 'disco_paper'); "
        "print([name for name in names if name in sys.modules])"
    )
    assert run_python("-c", code).stdout.endswith("\n[]\n")


# --- commands of other packages -------------------------------------------------------------------


class Entry:
    """An entry point of a package that is not there."""

    dist = SimpleNamespace(name="extra")

    def __init__(self, name: str, loaded: Any) -> None:
        self.name, self.loaded = name, loaded

    def load(self) -> Any:
        if isinstance(self.loaded, Exception):
            raise self.loaded
        return self.loaded


def greet(
    words: Annotated[list[str] | None, typer.Option("--words", metavar="WORD ...")] = None,
) -> None:
    """Greet somebody."""
    if words is None:
        raise disco_cvi.InvalidInputError(argument="words", caller="greet", rule="be there")
    print(*words)  # noqa: T201


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    several = typer.Typer()
    several.command("greet")(greet)
    several.command("wave")(greet)
    entries = [Entry("greet", greet), Entry("several", several), Entry("bad", ImportError("no x"))]

    def entry_points(name: str | None = None) -> list[Entry]:
        return [entry for entry in entries if name in (None, entry.name)]

    monkeypatch.setattr(cli, "_entry_points", entry_points)


@pytest.mark.small
@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("words", "code", "shown"),
    [
        (["greet", "--words", "a", "b"], 0, "a b\n"),
        (["greet"], 1, "disco: --words must be there.\n"),
        (["greet", "--wrods"], 2, "Did you mean '--words'? See 'disco greet --help'.\n"),
        (["greet", "--help"], 0, "Greet somebody."),
        (["several", "wave", "--words", "a"], 0, "a\n"),
        (["several", "wav"], 2, "disco several: No such command 'wav'. Did you mean 'wave'?"),
        (["bad"], 1, "disco: the package of 'bad' cannot be loaded (ImportError: no x)\n"),
        (["gret"], 2, "no such command: 'gret'. Did you mean 'greet'?"),
        (["reproduce"], 2, "'reproduce' is not installed: pip install ./paper, in a checkout"),
        (["--help"], 0, "Of the package extra."),
    ],
)
def test_packages_add_commands(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, shown: str
) -> None:
    assert main(words) == code
    assert shown in "".join(capsys.readouterr())


# --- completion in a shell ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("disco ", "score"),
        ("disco comp", "compare"),
        ("disco compare --lab", "--labels"),
        ("disco compare p.csv --indices silh", "silhouette"),
        ("disco compare p.csv --indices disco pair silh", "silhouette"),
        ("disco compare p.csv --indices disco --js", "--json"),
        ("disco score p.csv --metric manh", "manhattan"),
        ("disco reproduce tab-sh", "tab-shapes"),
        ("disco tune p.csv --algorithm h", "hdbscan"),
    ],
)
def test_a_shell_completes_words(words: str, expected: str) -> None:
    asked = {
        "_DISCO_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = run_python("-m", "disco_cvi", env={**os.environ, **asked})
    assert (done.returncode, done.stderr) == (0, "")
    assert expected in done.stdout.split()


# --- a process of its own -------------------------------------------------------------------------


def run_python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        **options,
    )


def test_a_process_of_its_own(folder: Path) -> None:
    arguments = [
        "-m",
        "disco_cvi",
        "score",
        "--label-column",
        "cluster",
        "--min-points",
        "2",
        "--json",
    ]
    done = run_python(*arguments, input=Path("table.csv").read_text())
    assert done.returncode == 0
    assert json.loads(done.stdout)["score"] == disco_cvi.disco_score(X, LABELS, min_points=2)
    done = run_python(*arguments, input="x,cluster\n1,2\n3,\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("disco: standard input: column 'cluster' holds no label in 1 row")


def test_scoring_a_small_file_does_not_load_pandas(folder: Path) -> None:
    code = (
        "import sys; from disco_cvi.cli import main; "
        "code = main(['score', 'points.csv', '--labels', 'labels.csv']); "
        "print(code, [name for name in ('sklearn', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    assert run_python("-c", code).stdout.endswith("0 []\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--help"], ["demo"]])
def test_a_closed_pipe_is_no_complaint(arguments: list[str], unbuffered: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "disco_cvi", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        # Kernels may be compiled here for the first time, which is said and no complaint.
        assert re.fullmatch(rb"(disco-cvi: compiling .*\n)?", process.stderr.read())
        # A help that nobody reads may end without a word.
        assert process.wait(timeout=60) in (0, 141)
