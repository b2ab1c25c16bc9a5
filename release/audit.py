"""Check what is installed with this Python: licences, and advisories where they can be asked for.

``python release/audit.py`` looks at everything that disco-cvi, disco-paper and their extras need,
directly or not.
A licence that is not allowed, or an advisory, ends it with 1. Advisories are asked for by pip-audit
in an environment of its own; without a network that part is skipped, and says so.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from environment import CACHE, make_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Words of licences that ask for a notice alone, or for changes to their own files (MPL).
ALLOWED = re.compile(
    r"\b(0BSD|Apache|BSD|CC0|ISC|MIT|MIT-CMU|MPL|Mozilla|PSF|Python Software Foundation|"
    r"Public Domain|Unlicense|Zlib)\b"
)
# With any number, and hyphens or spaces between words: GPLv3, LGPL-2.1, Commons-Clause.
FORBIDDEN = re.compile(
    r"GPL|GNU|Affero|SSPL|Server[ -]Side|BUSL|Business[ -]Source|Commons[ -]Clause|"
    r"Proprietary|Non-?commercial|CC-BY-N[CD]",
    re.IGNORECASE,
)
# What no rule reads, with what the package's own COPYING says.
KNOWN = {
    "docutils": "public domain, BSD; GPL for the mode of Emacs, which pip does not install",
}
_OURS = ("disco-cvi", "disco-paper")


class Advisories(NamedTuple):
    """What is known of the packages, how many were answered for, and why none was, if so."""

    known: list[str]
    n_answered: int
    skipped: str


def needed(name: str, extras: set[str]) -> dict[str, Distribution]:
    """Everything installed that a package needs with some of its extras, and what that needs."""
    found: dict[str, Distribution] = {}
    looked_at: set[tuple[str, str]] = set()
    # A package without extras is one with an extra of no name: markers are read so.
    left = [(name, extra) for extra in ("", *sorted(extras))]
    while left:
        name, extra = left.pop()
        key = canonicalize_name(name)
        if (key, extra) in looked_at:
            continue
        looked_at.add((key, extra))
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:  # for another system, or an extra that nobody asked for
            continue
        for each in map(Requirement, found[key].requires or ()):
            if each.marker is None or each.marker.evaluate({"extra": extra}):
                left += [(each.name, asked) for asked in ("", *each.extras)]
    return found


def needed_by_us() -> dict[str, Distribution]:
    """Everything installed that disco-cvi and disco-paper need, in any of their extras."""
    found: dict[str, Distribution] = {}
    for name in _OURS:
        metadata: Any = distribution(name).metadata
        found |= needed(name, set(metadata.get_all("Provides-Extra") or ()))
    return found


def licence(package: Distribution) -> str:
    """What the metadata say: the expression, else classifiers, else the first line of the text."""
    metadata: Any = package.metadata
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or []
        if line.startswith("License ::") and not line.endswith("OSI Approved")
    ]
    first = (metadata.get("License") or "").strip().partition("\n")[0]
    return metadata.get("License-Expression") or " / ".join(classifiers) or first


def is_allowed(words: str) -> bool:
    """Whether a licence is of a kind that we take."""
    return bool(ALLOWED.search(words)) and not FORBIDDEN.search(words)


def licence_faults(packages: dict[str, Distribution]) -> list[str]:
    """Packages whose licence is not allowed, with the licence."""
    return [
        f"{name}: {licence(package) or 'no licence is named'}"
        for name, package in sorted(packages.items())
        if name not in KNOWN and not is_allowed(licence(package))
    ]


def advisories(packages: dict[str, Distribution]) -> Advisories:
    """Known advisories, of those that were answered for."""
    folder = CACHE / "audit"
    python = make_environment("audit")
    asked, answer = folder / "asked.txt", folder / "answer.json"
    lines = [f"{name}=={each.version}" for name, each in packages.items() if name not in _OURS]
    asked.write_text("\n".join(lines), encoding="utf-8")
    quiet = ("--quiet", "--disable-pip-version-check", "pip-audit")
    commands: list[list[str | Path]] = [
        [python, "-m", "pip", "install", *quiet],
        [python, "-m", "pip_audit", "--disable-pip", "--no-deps", "--progress-spinner", "off"],
    ]
    commands[1] += ["--requirement", asked, "--format", "json", "--output", answer]
    # Who is not answered within five minutes is not answered.
    with contextlib.suppress(subprocess.TimeoutExpired):
        for command in commands:
            subprocess.run(command, check=False, capture_output=True, timeout=300)
    if not answer.is_file():
        return Advisories([], 0, "the service of advisories cannot be reached")
    return judge(json.loads(answer.read_text(encoding="utf-8"))["dependencies"])


def judge(answers: list[dict[str, Any]]) -> Advisories:
    """Advisories among answers; a service that knows no package at all is none.

    pip-audit itself says "no known vulnerabilities" then.
    """
    told = [answer for answer in answers if "skip_reason" not in answer]
    if not told:
        return Advisories([], 0, "the service of advisories knows none of the packages")
    print(f"Advisories were asked for {len(told)} of {len(answers)} packages.")
    known = [
        f"{answer['name']} {answer['version']}: {found['id']}"
        for answer in told
        for found in answer["vulns"]
    ]
    return Advisories(known, len(told), "")


def main() -> None:
    """Check both."""
    packages = needed_by_us()
    faults = licence_faults(packages)
    print(f"Licences of {len(packages)} packages: {len(faults)} not allowed.")
    found = advisories(packages)
    figures = {
        "packages": len(packages),
        "licences": len(faults),
        "asked": found.n_answered,
        "skipped": found.skipped,
        "advisories": len(found.known),
    }
    (CACHE / "audit.json").write_text(json.dumps(figures) + "\n", encoding="utf-8")
    if found.skipped:
        print(f"make audit: advisories skipped, for {found.skipped}.")
    sys.exit("\n".join(faults + found.known) or 0)


if __name__ == "__main__":
    main()
