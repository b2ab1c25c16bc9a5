"""
A report to send
================

All pictures and tables in one file that needs no network and no Python. See the guide for what it
shows; here is how it is made.
"""

import tempfile
from pathlib import Path

from disco_cvi.datasets import three_rings
from disco_cvi.report import write_report

rings = three_rings()
labelings = {"rings": rings.good_labels, "k-means": rings.bad_labels}
path = Path(tempfile.mkdtemp()) / "rings.html"
facts = write_report(rings.points, labelings, path, title="Three rings")
print(facts["labeling"], round(facts["score"], 3), f"{path.stat().st_size / 1000:.0f} kB")
