"""How an object is drawn without knowing how: the room `plots` stands later in the street.

Objects that can be drawn name the function of `disco_cvi.plots` that does it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def draw(figure: str, *things: Any, **options: Any) -> Any:
    """Call a function of `disco_cvi.plots`, which is loaded only now, and return its axes."""
    return getattr(import_module("disco_cvi.plots"), figure)(*things, **options)
