"""The rules of axe-core for a page that everyone can use, fetched by npm on first use.

Tests say: from helpers.chromium.axe import axe_script, violations
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

from helpers.chromium.page import Page

VERSION = "4.14.0"
SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LIMIT = 300  # seconds for npm


def axe_script(folder: Path) -> str | None:
    """The text of axe-core, from the archive in the folder or from npm; None without both.

    Raises OSError if npm does not deliver, ValueError if the archive is another than ours.
    """
    archive = folder / f"axe-core-{VERSION}.tgz"
    if not archive.exists():
        npm = shutil.which("npm")
        if npm is None:
            return None
        _fetch(npm, archive)
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != SHA512:
        raise ValueError(f"{archive} is not axe-core {VERSION}: its SHA-512 is {found}. Remove it.")
    with tarfile.open(archive) as members:
        script = members.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def _fetch(npm: str, archive: Path) -> None:
    archive.parent.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", f"axe-core@{VERSION}", "--silent"]
    command += ["--pack-destination", str(archive.parent)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    if run.returncode:
        raise OSError(f"{' '.join(command)} failed: {run.stderr.strip()}")


def violations(page: Page, script: str) -> list[str]:
    """What breaks a rule of WCAG 2.2 AA or of good practice: rule, and the elements."""
    page.run(f"{script}; 0")
    found = page.call("(rules) => axe.run(document, {runOnly: rules})", RULES)
    assert found["passes"], "axe looked at nothing"
    return [
        f"{rule['id']} ({rule['help']}): {node['html'][:200]} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
