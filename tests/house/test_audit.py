"""What `make audit` looks at, which licences it takes, and what it says of advisories."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from email.message import Message
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import audit
import pytest


@dataclass
class Package:
    """As much of an installed package as the audit reads."""

    requires: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    version: str = "1.0"

    @property
    def metadata(self) -> Message:
        message = Message()
        for name, value in self.words.items():
            message[name] = value
        return message


def install(monkeypatch: pytest.MonkeyPatch, packages: dict[str, Package]) -> None:
    """Let these be all that is installed."""

    def find(name: str) -> Package:
        if name not in packages:
            raise PackageNotFoundError(name)
        return packages[name]

    monkeypatch.setattr(audit, "distribution", find)


# --- what is looked at --------------------------------------------------------------------------


def test_extras_that_are_asked_for_are_followed_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packages = {
        "ours": Package(["dask[distributed]>=1; extra == 'dask'", "typer; python_version > '3'"]),
        "dask": Package(
            ["toolz", "spread<2; extra == 'distributed'", "bokeh; extra == 'diagnostics'"]
        ),
        "spread": Package(["msgpack; python_version > '3'", "ancient; python_version < '3'"]),
        "msgpack": Package(["dask[distributed]"]),  # a circle ends
        "toolz": Package(["absent"]),
        **dict.fromkeys(["typer", "bokeh", "ancient", "alone"], Package()),
    }
    install(monkeypatch, packages)
    assert set(audit.needed("ours", set())) == {"ours", "typer"}
    whole = {"ours", "typer", "dask", "toolz", "spread", "msgpack"}
    assert set(audit.needed("ours", {"dask"})) == whole


def test_extras_of_a_package_that_was_seen_without_them_are_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packages = {
        "ours": Package(["first", "dask", "last"]),
        "first": Package(["dask"]),
        "last": Package(["Dask[all]"]),
        "dask": Package(["dask[spread]; extra == 'all'", "msgpack; extra == 'spread'"]),
        "Dask": Package(["dask[spread]; extra == 'all'", "msgpack; extra == 'spread'"]),
        "msgpack": Package(),
    }
    install(monkeypatch, packages)
    assert set(audit.needed("ours", set())) == {"ours", "first", "last", "dask", "msgpack"}


def test_what_dask_sends_with_is_looked_at() -> None:
    pytest.importorskip("distributed")
    assert {"numpy", "dask", "distributed", "msgpack", "zict"} <= set(audit.needed_by_us())


# --- licences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "MIT",
        "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",
        "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception",
        "Mozilla Public License 2.0 (MPL 2.0)",
        "ISC License (ISCL)",
        "PSF-2.0",
    ],
)
def test_licences_that_ask_for_a_notice_are_taken(words: str) -> None:
    assert audit.is_allowed(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "a licence of my own",
        "GPL",
        "BSD and GPLv3",
        "MIT; LGPLv3",
        "MIT AND LGPL-2.1-or-later",
        "BSD or AGPLv3+",
        "MIT, gpl2",
        "BSD License / GNU General Public License (GPL)",
        "Apache-2.0 WITH Commons-Clause",
        "Apache 2.0 with Commons Clause",
        "MIT AND SSPL-1.0",
        "Apache-2.0 OR BUSL-1.1",
        "MIT / Other/Proprietary License",
        "MIT AND CC-BY-NC-4.0",
        "BSD, non-commercial use only",
    ],
)
def test_licences_that_ask_for_more_are_not_whatever_is_beside_them(words: str) -> None:
    assert not audit.is_allowed(words)


def test_packages_are_named_with_the_licence_that_is_not_allowed() -> None:
    packages: Any = {
        "free": Package(words={"License-Expression": "MIT", "License": "GPL"}),
        "bound": Package(words={"Classifier": "License :: OSI Approved :: GNU GPL v3"}),
        "silent": Package(),
        "docutils": Package(words={"License": "GPL"}),
    }
    found = audit.licence_faults(packages)
    assert found == ["bound: GNU GPL v3", "silent: no licence is named"]


# --- advisories ---------------------------------------------------------------------------------

ANSWERS: list[dict[str, Any]] = [
    {"name": "numpy", "version": "1.0", "vulns": []},
    {"name": "dask", "version": "1.0", "vulns": [{"id": "PYSEC-1"}, {"id": "PYSEC-2"}]},
    {"name": "own", "skip_reason": "not found on the service"},
]


def test_only_answers_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    found = audit.judge(ANSWERS)
    assert found == (["dask 1.0: PYSEC-1", "dask 1.0: PYSEC-2"], 2, "")
    assert capsys.readouterr().out == "Advisories were asked for 2 of 3 packages.\n"


def test_a_service_that_knows_nothing_is_none() -> None:
    found = audit.judge(ANSWERS[2:])
    assert found == ([], 0, "the service of advisories knows none of the packages")


def run_audit(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answers: list[dict[str, Any]] | None
) -> tuple[dict[str, Any], str | int | None]:
    """Run all of it with a service that answers so, or not; return its figures and its end."""

    def ask(command: list[Any], **_: object) -> None:
        if answers is None:
            raise subprocess.TimeoutExpired(command, 300)
        if "--output" in command:
            command[-1].write_text(json.dumps({"dependencies": answers}))

    (folder / "audit").mkdir()
    monkeypatch.setattr(audit, "CACHE", folder)
    monkeypatch.setattr(audit, "make_environment", lambda _: Path("python"))
    monkeypatch.setattr(subprocess, "run", ask)
    mit = {"License": "MIT"}
    install(
        monkeypatch,
        {
            "disco-cvi": Package(["numpy", "dask", "own"], {**mit, "Provides-Extra": "dask"}),
            **dict.fromkeys(["disco-paper", "numpy", "dask", "own"], Package(words=mit)),
        },
    )
    with pytest.raises(SystemExit) as ended:
        audit.main()
    asked = (folder / "audit" / "asked.txt").read_text().split()
    assert sorted(asked) == ["dask==1.0", "numpy==1.0", "own==1.0"]
    return json.loads((folder / "audit.json").read_text()), ended.value.code


def test_figures_tell_how_many_packages_were_answered_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures, end = run_audit(tmp_path, monkeypatch, ANSWERS)
    assert figures == {"packages": 5, "licences": 0, "asked": 2, "skipped": "", "advisories": 2}
    assert end == "dask 1.0: PYSEC-1\ndask 1.0: PYSEC-2"


def test_a_service_that_cannot_be_asked_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures, end = run_audit(tmp_path, monkeypatch, None)
    why = "the service of advisories cannot be reached"
    assert (figures["asked"], figures["skipped"], end) == (0, why, 0)
    assert capsys.readouterr().out.endswith(f"make audit: advisories skipped, for {why}.\n")
