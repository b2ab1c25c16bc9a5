"""What is released: archives, bounds of versions, the recipe for conda and the workflow."""

from __future__ import annotations

import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import archives
import environment
import pytest
import versions
import yaml
from versions import TOOLS, oldest_requirements, stated_requirements

import disco_cvi
from helpers.source import PROJECT

STATED, PAPER = (
    tomllib.loads((PROJECT / path).read_text(encoding="utf-8"))["project"]
    for path in ("pyproject.toml", "paper/pyproject.toml")
)
RECIPE: Any = yaml.safe_load((PROJECT / "release/conda/recipe.yaml").read_text(encoding="utf-8"))
WORKFLOW: Any = yaml.safe_load((PROJECT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
# What conda calls otherwise: one package of two names, and matplotlib without windows.
CONDA_NAMES = {
    "dask[distributed]": ("dask", "distributed"),
    "matplotlib": ("matplotlib-base",),
}


# --- archives -----------------------------------------------------------------------------------


def write_wheel(path: Path, place: str, *, without: str = "") -> None:
    package = PROJECT / place
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in archives.package_files(package) - {without}:
            archive.write(package.parent / name, name)


@pytest.mark.parametrize("place", archives.LARGEST_WHEELS)
def test_the_packages_are_small(place: str, tmp_path: Path) -> None:
    wheel = tmp_path / "some-0.whl"
    write_wheel(wheel, place)
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("some-0.dist-info/licenses/LICENSE", "BSD")
    assert archives.wheel_faults(wheel, PROJECT, place) == []
    assert wheel.stat().st_size > archives.LARGEST_WHEELS[place] / 3, "lower the limit"


def test_the_packages_have_more_than_programs() -> None:
    for place, endings in (
        ("src/disco_cvi", {"py", "typed", "html", "css", "js"}),
        ("paper/src/disco_paper", {"py", "typed", "csv", "toml", "html"}),
    ):
        names = archives.package_files(PROJECT / place)
        assert {name.rpartition(".")[2] for name in names} - {"pyi"} == endings
        assert not [name for name in names if "tests/" in name or "/test_" in name]


def test_faults_of_a_wheel_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(archives.LARGEST_WHEELS, "src/disco_cvi", 1000)
    wheel = tmp_path / "disco_cvi-0.whl"
    write_wheel(wheel, "src/disco_cvi", without="disco_cvi/py.typed")
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("tests/test_door.py", "")
    size = wheel.stat().st_size
    assert archives.wheel_faults(wheel, PROJECT, "src/disco_cvi") == [
        "disco_cvi-0.whl lacks disco_cvi/py.typed",
        "disco_cvi-0.whl holds tests/test_door.py, which is not of the package",
        "disco_cvi-0.whl holds no LICENSE",
        f"disco_cvi-0.whl has {size:,} bytes; at most 1,000",
    ]


def test_faults_of_a_source_archive_are_found(tmp_path: Path) -> None:
    path = tmp_path / "disco_cvi-0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(PROJECT / "LICENSE", "disco_cvi-0/LICENSE")
    assert archives.source_faults(path, {"LICENSE"}) == []
    assert archives.source_faults(path, {"LICENSE", "tests/conftest.py"}) == [
        "disco_cvi-0.tar.gz lacks tests/conftest.py"
    ]


# --- versions -----------------------------------------------------------------------------------


def test_everything_has_a_lower_bound_and_is_tried_with_it() -> None:
    stated = stated_requirements()
    bounds, exact = oldest_requirements(stated)
    assert len(bounds) + len(exact) + len(TOOLS) == len(stated)
    assert {"numpy==1.26", "dask[distributed]==2025.5"} <= set(bounds)
    assert exact == ["densired==1.1.0"]


def test_the_paper_has_the_version_of_the_library_and_asks_for_it() -> None:
    assert PAPER["version"] == disco_cvi.__version__
    pinned = [line for line in PAPER["dependencies"] if line.startswith("disco-cvi")]
    assert pinned == [f"disco-cvi=={disco_cvi.__version__}"]
    for field in ("license", "requires-python"):
        assert PAPER[field] == STATED[field]
    assert (PROJECT / "paper/LICENSE").read_bytes() == (PROJECT / "LICENSE").read_bytes()


def test_no_package_has_two_lower_bounds() -> None:
    names = [re.split("[>=]", line)[0] for line in stated_requirements()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("line", ["numpy", "numpy<3", "numpy>=1.26,<3", "numpy~=1.26"])
def test_a_bound_of_another_form_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="has no lower bound, or one of another form"):
        oldest_requirements([line])


@pytest.mark.parametrize(("words", "logs"), [([], ["packages", "tests"]), (["tests/house"], [])])
def test_all_tests_leave_logs_of_their_python_and_a_part_of_them_none(
    words: list[str], logs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Path | None] = []
    monkeypatch.setattr(versions, "prepare", lambda _: Path("python"))
    monkeypatch.setattr(versions, "run", lambda *_, log: kept.append(log))
    versions.main(["newest", *words])
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    names = [log.name for log in kept if log is not None]
    assert names == [f"newest-{python}-{name}.txt" for name in logs]


def test_a_log_is_that_of_a_program_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.txt"
    with pytest.raises(SystemExit):
        environment.run(sys.executable, "-c", "print('done'); raise SystemExit(1)", log=log)
    assert log.read_text() == "done\n"

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.print", stop)
    with pytest.raises(KeyboardInterrupt):
        environment._run_and_keep([sys.executable, "-c", "print(1)"], tmp_path, {}, log)
    assert not log.exists()


# --- conda and the workflow ---------------------------------------------------------------------


def conda_lines(requirements: list[str]) -> set[str]:
    """Requirements as conda writes them."""
    found = set()
    for line in requirements:
        name, bound = line.split(">=")
        found |= {f"{each} >={bound}" for each in CONDA_NAMES.get(name, (name,))}
    return found


def test_the_recipe_asks_for_what_the_package_asks_for() -> None:
    minimum = RECIPE["context"]["python_min"]
    assert STATED["requires-python"] == f">={minimum}"
    assert RECIPE["context"]["version"] == disco_cvi.__version__
    run = set(RECIPE["requirements"]["run"]) - {"python >=${{ python_min }}"}
    assert run == conda_lines(STATED["dependencies"])
    chosen = ("dask", "parquet", "plots", "report")
    extras = {line for extra in chosen for line in STATED["optional-dependencies"][extra]}
    assert set(RECIPE["requirements"]["run_constraints"]) == conda_lines(sorted(extras))
    build = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert conda_lines(build["requires"]) <= set(RECIPE["requirements"]["host"])


def test_the_recipe_makes_the_same_command() -> None:
    made = [f"{name} = {place}" for name, place in STATED["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == made
    assert RECIPE["about"]["summary"] == STATED["description"]
    assert RECIPE["about"]["license"] == STATED["license"]


def test_the_workflow_tries_every_python_on_three_systems() -> None:
    begin = "Programming Language :: Python :: 3."
    named = [each.removeprefix(begin) for each in STATED["classifiers"] if each.startswith(begin)]
    tried = WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]
    assert tried["python"] == [f"3.{minor}" for minor in (*named, int(named[-1]) + 1)]
    assert [system.partition("-")[0] for system in tried["system"]] == [
        "ubuntu",
        "macos",
        "windows",
    ]
    assert WORKFLOW["permissions"] == {"contents": "read"}


def test_the_workflow_runs_what_is_there() -> None:
    lines = [
        step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step
    ]
    programs = {word for line in lines for word in line.split() if "/" in word}
    assert programs >= {".ci/run", "release/package.py", "release/versions.py"}
    assert all((PROJECT / program).is_file() for program in programs)
