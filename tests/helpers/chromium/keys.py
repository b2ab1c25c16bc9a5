"""What a keyboard sends for a key."""

from __future__ import annotations

from typing import Any

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
# name: (number that the browser knows it by, text that it types)
NAMED = {
    "Backspace": (8, ""),
    "Tab": (9, ""),
    "Enter": (13, "\r"),
    "Escape": (27, ""),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
    "End": (35, ""),
    "Home": (36, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "Delete": (46, ""),
}


def key_events(pressed: str) -> list[dict[str, Any]]:
    """The events of a key, as `a`, `Enter`, `Shift+Tab` or `Control++`: down and up."""
    held, _, key = pressed[:-1].rpartition("+")
    key += pressed[-1]
    if key in NAMED:
        number, text = NAMED[key]
    elif len(key) == 1:
        number, text = ord(key.upper()), key
    else:
        raise ValueError(f"No such key: {pressed!r}. Known: one letter, {', '.join(NAMED)}.")
    modifiers = sum(MODIFIERS[name] for name in held.split("+") if name)
    event = {"key": key, "code": _code(key), "windowsVirtualKeyCode": number}
    event["modifiers"] = modifiers
    types = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
    return [event | types, event | {"type": "keyUp"}]


def _code(key: str) -> str:
    if key == " ":
        return "Space"
    if len(key) > 1:
        return key
    return f"Key{key.upper()}" if key.isalpha() else f"Digit{key}" if key.isdigit() else ""
