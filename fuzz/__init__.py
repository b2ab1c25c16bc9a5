"""Calls that nobody would write: whatever is public answers rightly, or refuses rightly.

``make fuzz CASES=50000`` runs them. A case is a function, display or command with arguments; it
follows from a seed and a number alone, so that what was not right can be called again.
"""

from __future__ import annotations

from fuzz.cases import Case, case

__all__ = ["Case", "case"]
