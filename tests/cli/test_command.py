"""The command as a whole: help, exit codes, one line for every failure."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, NoReturn

import pytest

import disco_cvi
from disco_cvi import cli
from disco_cvi.cli import main
from helpers.clustered_files import LABELS, X
from helpers.no_threads import run_without_threads

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
        (ImportError("a.so: failed to map segment from shared object"), 1, NO_MEMORY),
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


def test_a_library_that_memory_has_no_room_for_is_a_lack_of_memory(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> NoReturn:
        try:
            raise OSError("a.so: failed to map segment from shared object")  # noqa: TRY301 - as ctypes
        except OSError:
            raise OSError("a.so cannot be found")  # noqa: B904 - as llvmlite does

    monkeypatch.setattr("disco_cvi.results.explanation.explain", stop)
    assert main(["score", "points.csv", "--labels", "labels.csv"]) == 1
    assert capsys.readouterr() == ("", NO_MEMORY)


def test_a_package_that_is_missing_is_no_lack_of_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> NoReturn:
        raise ImportError("No module named 'unheard_of'")

    monkeypatch.setattr("disco_cvi.results.explanation.explain", stop)
    with pytest.raises(ImportError, match="unheard_of"):
        main(["score", "points.csv", "--labels", "labels.csv"])


def test_a_command_runs_where_no_thread_can_be_started(folder: Path) -> None:
    """OpenBLAS raises the signal of Ctrl-C there, unless it is told to start none."""
    ended = run_without_threads(
        "-m", "disco_cvi", "score", "points.csv", "--labels", "labels.csv", "--json"
    )
    assert ended.returncode == 0, ended.stderr
    assert "score" in json.loads(ended.stdout)


def test_where_no_process_can_be_started_reproduce_says_so(folder: Path) -> None:
    folder.chmod(0o777)
    ended = run_without_threads("-m", "disco_cvi", "reproduce", "table2", "--quick", "--jobs", "1")
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        "disco: reproduce computes in processes of its own, and the system lets it start none ("
    )
    assert ended.stderr.endswith(
        "). A higher limit of processes (ulimit -u), or more memory, helps.\n"
    )


@pytest.mark.parametrize("path", sorted(Path(cli.__file__).parent.rglob("*.py")), ids=str)
def test_messages_are_worded_from_fields_and_not_repaired(path: Path) -> None:
    text = path.read_text()
    assert "re.sub" not in text
    assert "str(error).replace" not in text


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


class OldNameWarning(UserWarning, DeprecationWarning):
    """Of both kinds, as pyparsing has it, of which old versions of Matplotlib use old names."""


@pytest.mark.small
def test_what_only_programmers_can_mend_is_no_note(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from disco_cvi.results import explanation

    explain = explanation.explain

    def warn(*given: Any, **options: Any) -> Any:
        warnings.warn("use another name", OldNameWarning, stacklevel=2)
        return explain(*given, **options)

    monkeypatch.setattr(explanation, "explain", warn)
    assert main(["score", "points.csv", "--labels", "labels.csv", "--min-points", "2"]) == 0
    assert capsys.readouterr().err == ""


# --- the command as a whole -----------------------------------------------------------------------


@pytest.mark.small
def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"disco-cvi {disco_cvi.__version__}\n"
    assert main(["--help"]) == 0
    assert "disco score points.csv --labels labels.csv" in capsys.readouterr().out
    assert main(["help"]) == 0
    assert "usage: disco COMMAND" in capsys.readouterr().out
    assert main(["help", "score"]) == 0
    assert "usage: disco score" in capsys.readouterr().out
    assert main(["score", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "DISCO depends on the scale of the features" in text
    assert main([]) == 2
    assert "examples:" in capsys.readouterr().err


@pytest.mark.small
@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_a_help_with_examples(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: disco {name} ")
    assert f"examples:\n  disco {name}" in text
    assert max(map(len, text.splitlines())) <= 84
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


def test_help_loads_neither_numpy_nor_rich() -> None:
    code = (
        "import sys; from disco_cvi.cli import main; main(['--help']); "
        "print([m for m in ('numpy', 'numba', 'rich', 'pydantic', 'scipy') if m in sys.modules])"
    )
    assert run_python("-c", code).stdout.endswith("\n[]\n")


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


def test_the_completion_of_a_shell_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = run_python("-m", "disco_cvi", "--show-completion", "bash", env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_DISCO_COMPLETE=complete_bash" in done.stdout


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


def test_scoring_a_file_loads_neither_scikit_learn_nor_pandas(folder: Path) -> None:
    code = (
        "import sys; from disco_cvi.cli import main; "
        "code = main(['score', 'points.csv', '--labels', 'labels.csv']); "
        "print(code, [m for m in ('sklearn', 'pandas', 'pyarrow', 'narwhals') if m in sys.modules])"
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
        # argparse keeps quiet about a help that nobody reads.
        assert process.wait(timeout=60) in (0, 141)
