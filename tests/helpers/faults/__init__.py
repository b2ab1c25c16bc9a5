"""Commands that write, stopped at any moment: ``python -m helpers.faults kill score 200``."""
