"""Every claim and text that a chapter names is there, and its blanks are those that are filled."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import disco_paper

FOLDER = Path(str(disco_paper.__file__)).parent


def _blanks(*texts: str) -> set[str]:
    parsed = (field for text in texts for _, field, _, _ in Formatter().parse(text))
    return {field.partition("[")[0] for field in parsed if field is not None}


def test_blanks_are_those_that_are_filled() -> None:
    words: dict[str, dict[str, Any]] = {
        name: tomllib.loads((FOLDER / file).read_text("utf-8"))
        for name, file in (("claim", "claims.toml"), ("read_text", "texts.toml"))
    }
    nodes = (n for p in FOLDER.glob("*.py") for n in ast.walk(ast.parse(p.read_text("utf-8"))))
    n_seen = 0
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        path, name = node.args[0], node.func.id
        given = {keyword.arg for keyword in node.keywords} - {"holds", "note"}
        if name in words and isinstance(path, ast.Constant) and None not in given:
            experiment, _, key = str(path.value).partition(".")
            text = words[name][experiment][key]
            needed = _blanks(*(text.values() if name == "claim" else [text]))
            assert needed == given, path.value
            n_seen += 1
    assert n_seen > 100
