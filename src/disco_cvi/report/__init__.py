"""Reports: what a clustering is worth, as one self-contained page.

They need jinja2 and matplotlib (`pip install "disco-cvi[report]"`).
"""

from __future__ import annotations

from disco_cvi.report.writing import write_report

__all__ = ["write_report"]
