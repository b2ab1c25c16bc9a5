"""Check what is installed with this Python: licences, and advisories where they can be asked for.

``python release/audit.py`` looks at everything that disco-cvi and its extras need, directly or not.
A licence that is not allowed, or an advisory, ends it with 1. Advisories are asked for by pip-audit
in an environment of its own; without a network that part is skipped, and says so.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from environment import CACHE, make_environment

# Words of licences that ask for a notice alone, or for changes to their own files (MPL).
ALLOWED = re.compile(
    r"\b(0BSD|Apache|BSD|CC0|ISC|MIT|MIT-CMU|MPL|Mozilla|PSF|Python Software Foundation|"
    r"Public Domain|Unlicense|Zlib)\b"
)
FORBIDDEN = re.compile(r"\b(A?GPL|LGPL|GNU|SSPL|BUSL|Commons Clause|Proprietary)\b")
# What no rule reads, with what the package's own COPYING says.
KNOWN = {
    "docutils": "public domain, BSD; GPL for the mode of Emacs, which pip does not install",
}
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


def needed(name: str, found: dict[str, Distribution] | None = None) -> dict[str, Distribution]:
    """Everything installed that a package needs, in any extra, and what that needs."""
    found = {} if found is None else found
    key = name.lower().replace("_", "-")
    if key in found:
        return found
    try:
        found[key] = distribution(name)
    except PackageNotFoundError:  # for another system, or an extra that nobody asked for
        return found
    for line in found[key].requires or ():
        word = _NAME.match(line)
        if word and (key == "disco-cvi" or "extra ==" not in line):
            needed(word[0], found)
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


def advisories(packages: dict[str, Distribution]) -> tuple[list[str], str]:
    """Known advisories, and why nobody could be asked, if so."""
    folder = CACHE / "audit"
    python = make_environment("audit")
    asked, answer = folder / "asked.txt", folder / "answer.json"
    lines = [f"{name}=={each.version}" for name, each in packages.items() if name != "disco-cvi"]
    asked.write_text("\n".join(lines), encoding="utf-8")
    quiet = ("--quiet", "--disable-pip-version-check", "pip-audit")
    commands: list[list[str | Path]] = [
        [python, "-m", "pip", "install", *quiet],
        [python, "-m", "pip_audit", "--disable-pip", "--no-deps", "--progress-spinner", "off"],
    ]
    commands[1] += ["--requirement", asked, "--format", "json", "--output", answer]
    for command in commands:
        subprocess.run(command, check=False, capture_output=True, timeout=300)
    if not answer.is_file():
        return [], "the service of advisories cannot be reached"
    return judge(json.loads(answer.read_text(encoding="utf-8"))["dependencies"])


def judge(answers: list[dict[str, Any]]) -> tuple[list[str], str]:
    """Advisories among answers; a service that knows no package at all is none.

    pip-audit itself says "no known vulnerabilities" then.
    """
    told = [answer for answer in answers if "skip_reason" not in answer]
    if not told:
        return [], "the service of advisories knows none of the packages"
    print(f"Advisories were asked for {len(told)} of {len(answers)} packages.")
    return [
        f"{answer['name']} {answer['version']}: {found['id']}"
        for answer in told
        for found in answer["vulns"]
    ], ""


def main() -> None:
    """Check both."""
    packages = needed("disco-cvi")
    faults = licence_faults(packages)
    print(f"Licences of {len(packages)} packages: {len(faults)} not allowed.")
    found, skipped = advisories(packages)
    figures = {
        "packages": len(packages),
        "licences": len(faults),
        "asked": 0 if skipped else len(packages) - 1,
        "skipped": skipped,
        "advisories": len(found),
    }
    (CACHE / "audit.json").write_text(json.dumps(figures) + "\n", encoding="utf-8")
    if skipped:
        print(f"make audit: advisories skipped, for {skipped}.")
    sys.exit("\n".join(faults + found) or 0)


if __name__ == "__main__":
    main()
