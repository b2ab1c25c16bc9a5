"""Whole messages as patterns."""

from __future__ import annotations

import re


def says(text: str) -> str:
    """A pattern that matches exactly this message."""
    return f"^{re.escape(text)}$"
