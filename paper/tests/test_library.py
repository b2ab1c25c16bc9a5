"""What the paper imports of the library: public names, and those that one module lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import disco_paper
from disco_cvi import _for_paper

PUBLIC = {"disco_cvi", "disco_cvi.datasets", "disco_cvi.exceptions", "disco_cvi.plots"}
SOURCE = Path(str(disco_paper.__file__)).parent


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.name)
def test_only_public_names_and_one_module_are_imported(path: Path) -> None:
    imported = re.findall(r"^ *(?:from|import) (disco_cvi[\w.]*)", path.read_text(), re.MULTILINE)
    assert set(imported) <= PUBLIC | {"disco_cvi._for_paper"}


@pytest.mark.parametrize("name", _for_paper._HOMES)
def test_every_listed_name_is_there_and_used(name: str) -> None:
    assert getattr(_for_paper, name) is not None
    assert any(re.search(rf"\b{name}\b", path.read_text()) for path in SOURCE.rglob("*.py"))
