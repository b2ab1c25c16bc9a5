"""Reports: what a clustering is worth, as one self-contained page and as plain values.

They need jinja2 and matplotlib (`pip install "disco-cvi[report]"`).
"""

from __future__ import annotations

from disco_cvi.report.writing import report_facts, write_report

__all__ = ["report_facts", "write_report"]
