"""Pictures: the same bytes for the same drawing, on any machine and at any time."""

from __future__ import annotations

import base64
from typing import Literal

import pytest
from matplotlib.figure import Figure as Drawing

from disco_cvi.report.pictures import PICTURE_FORMS, default_style, embed_png, picture_bytes


def draw() -> Drawing:
    drawing = Drawing(figsize=(2, 1))
    drawing.add_subplot().plot([1, 2], clip_on=True)
    return drawing


@pytest.mark.parametrize("form", PICTURE_FORMS)
def test_same_drawing_same_bytes(form: Literal["png", "svg"]) -> None:
    import matplotlib as mpl

    with default_style("a"):
        first = picture_bytes(draw(), form)
    with mpl.rc_context({"lines.linewidth": 9, "savefig.dpi": 50}):
        with default_style("a"):
            assert picture_bytes(draw(), form) == first
        assert mpl.rcParams["lines.linewidth"] == 9
    for said in (b"software", b"matplotlib", b"dc:date"):
        assert said not in first.split(b"<style")[0].lower()


def test_a_picture_inside_a_page_has_its_size() -> None:
    image = picture_bytes(draw(), "png")
    facts = embed_png(image)
    assert base64.b64decode(facts["png"]) == image
    assert facts["size"] == [210, 105]
