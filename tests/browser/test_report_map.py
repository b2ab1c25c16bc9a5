"""The map of a report: hover, tap, colors, clusters, zoom, walk."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from disco_cvi import disco_samples
from helpers.chromium.page import Page
from helpers.report_page import ReportPage, open_report
from helpers.shown_reports import TOY

pytestmark = pytest.mark.browser

MINUS = "\N{MINUS SIGN}"
CLUSTER_POINT, NOISE_POINT = 3, len(TOY.points) - 4


@cache
def scores() -> NDArray[np.float64]:
    return disco_samples(TOY.points, TOY.labels, noise_label="noise")


def words_of(row: int) -> str:
    """How what is said of a point begins."""
    label = "noise" if TOY.labels[row] == "noise" else f"cluster {TOY.labels[row]}"
    score = f"{scores()[row]:.3f}".replace("-", MINUS)
    return f"Point {TOY.row_names[row]} (row {row}), {label}: score {score}"


def pixels_per_css_pixel(page: Page) -> list[float]:
    found = page.run("[canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight]")
    return list(found)


@pytest.mark.parametrize(
    ("row", "facts"),
    [(CLUSTER_POINT, ("a ", "b ", "nearest cluster")), (NOISE_POINT, ("rho_sparse", "rho_far"))],
    ids=["cluster", "noise"],
)
def test_hover_shows_facts_and_leaving_hides_them(
    report_page: ReportPage, row: int, facts: tuple[str, ...]
) -> None:
    report_page.show_map()
    before = report_page.picture
    report_page.page.move(*report_page.place(row))
    assert report_page.tip.startswith(words_of(row))
    assert all(fact in report_page.tip for fact in facts)
    assert report_page.picture != before  # a ring
    report_page.leave_map()
    assert report_page.tip == ""
    assert report_page.picture == before


def test_the_tip_stays_inside_the_map(report_page: ReportPage) -> None:
    report_page.show_map()
    area = report_page.page.box("#canvas")
    for row in (np.argmax(TOY.points[:, 0]), np.argmin(TOY.points[:, 1]), np.argmax(scores())):
        report_page.page.move(*report_page.place(int(row)))
        tip = report_page.page.box("#tip")
        assert area.x <= tip.x
        assert area.y <= tip.y
        assert tip.x + tip.width <= area.x + area.width
        assert tip.y + tip.height <= area.y + area.height


def test_a_tap_shows_a_point_and_a_tap_beside_hides_it(page: Page, report_page: ReportPage) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    report_page.show_map()
    page.tap(*report_page.place(NOISE_POINT))
    assert report_page.tip.startswith(words_of(NOISE_POINT))
    assert report_page.spoken.startswith(words_of(NOISE_POINT))
    area = page.box("#canvas")
    page.tap(area.x + 4, area.y + 4)
    assert report_page.tip == ""


def test_two_fingers_zoom_and_one_scrolls(page: Page, report_page: ReportPage) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    report_page.show_map()
    before = report_page.picture
    x, y = page.center("#canvas")
    apart = [[(x - d, y), (x + d, y)] for d in (20, 40, 60, 80)]
    page.touch(apart)
    assert report_page.picture != before
    assert page.run("visualViewport.scale") == 1  # the map, not the page
    zoomed, scrolled = report_page.picture, page.run("scrollY")
    page.touch([[(x, y - d)] for d in range(0, 120, 10)])
    page.wait_until(f"scrollY > {scrolled}")
    assert report_page.picture == zoomed


def test_colors_change_and_come_back(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    assert page.is_visible("#scale")
    page.click("input[value=label]")
    report_page.leave_map()
    assert report_page.picture != before
    assert not page.is_visible("#scale")
    page.click("input[value=score]")
    report_page.leave_map()
    assert report_page.picture == before
    assert page.is_visible("#scale")


@pytest.mark.parametrize("number", [0, 4], ids=["cluster", "noise"])
def test_a_cluster_is_chosen_and_let_go(report_page: ReportPage, number: int) -> None:
    page, before = report_page.page, report_page.picture
    row = f"#clusters tbody tr:nth-child({number + 1})"
    name = page.page.locator(f"{row} button").inner_text().strip()
    page.click(f"{row} button")
    assert report_page.picture != before
    assert page.page.locator(f"{row} button").get_attribute("aria-pressed") == "true"
    assert page.run("document.querySelectorAll('[aria-pressed=true]').length") == 1
    assert report_page.spoken == f"{name} is highlighted in the map."
    page.click(f"{row} button")
    assert report_page.picture == before
    assert page.page.locator(f"{row} button").get_attribute("aria-pressed") == "false"
    assert report_page.spoken == "All points are shown."


def test_hover_finds_points_of_the_chosen_cluster_only(report_page: ReportPage) -> None:
    page = report_page.page
    page.click("#clusters button[data-cluster='-1']")
    report_page.show_map()
    page.move(*report_page.place(NOISE_POINT))
    assert report_page.tip.startswith(words_of(NOISE_POINT))
    page.move(*report_page.place(CLUSTER_POINT))
    assert "cluster" not in report_page.tip.split(":")[0]


def test_the_wheel_scrolls_the_page_until_the_map_has_the_focus(report_page: ReportPage) -> None:
    page = report_page.page
    report_page.show_map()
    before, scrolled = report_page.picture, page.run("scrollY")
    x, y = page.center("#canvas")
    page.wheel(x, y, 120)
    page.wait_until(f"scrollY > {scrolled}")
    report_page.leave_map()
    assert report_page.picture == before


@pytest.mark.parametrize("by", ["click", "Control"])
def test_the_wheel_zooms_when_asked(report_page: ReportPage, by: str) -> None:
    page = report_page.page
    report_page.show_map()
    before = report_page.picture
    area = page.box("#canvas")
    x, y = area.x + 5, area.y + 5  # where there is no point to mark
    if by == "click":
        page.click("#canvas")
        assert report_page.focus == "canvas"
    report_page.leave_map()
    scrolled = page.run("scrollY")
    page.wheel(x, y, -120, held="" if by == "click" else by)
    report_page.leave_map()
    assert report_page.picture != before
    assert page.run("scrollY") == scrolled
    page.click("#show-all")
    report_page.leave_map()
    assert report_page.picture == before


def test_zooming_keeps_what_is_under_the_mouse(report_page: ReportPage) -> None:
    page = report_page.page
    report_page.show_map()
    x, y = map(round, page.center("#canvas"))
    rows = (CLUSTER_POINT, NOISE_POINT)
    before = np.array([report_page.place(row) for row in rows]) - (x, y)
    page.wheel(x, y, -40, held="Control")
    after = np.array([report_page.place(row) for row in rows]) - (x, y)
    factors = after / before
    assert factors.min() > 1.2
    assert factors.ravel() == pytest.approx(factors[0, 0], rel=1e-6)


def test_dragging_moves_the_map(report_page: ReportPage) -> None:
    page = report_page.page
    report_page.show_map()
    before, place = report_page.picture, report_page.place(0)
    x, y = page.center("#canvas")
    page.drag((x, y), (x + 80, y + 40))
    report_page.leave_map()
    assert report_page.picture != before
    assert report_page.place(0) == pytest.approx((place[0] + 80, place[1] + 40), abs=0.1)
    page.click("#show-all")
    report_page.leave_map()
    assert report_page.picture == before


def test_buttons_zoom(report_page: ReportPage) -> None:
    page, pictures = report_page.page, [report_page.picture]
    for button in ("#zoom-in", "#zoom-in", "#zoom-out", "#zoom-out"):
        page.click(button)
        pictures.append(report_page.picture)
    assert len(set(pictures[:3])) == 3
    assert pictures[3:] == pictures[1::-1]


def test_keys_zoom_and_move(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    page.run("document.querySelector('#canvas').focus()")
    for key in ("+", "-", "=", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        was = report_page.picture
        page.press(key)
        assert report_page.picture != was
    page.press("0")
    assert report_page.picture == before


def test_keys_that_are_not_the_maps_are_left_alone(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    page.run("document.querySelector('#canvas').focus()")
    page.run("addEventListener('keydown', (e) => { window.stopped = e.defaultPrevented })")
    page.press("Control++")
    assert page.run("stopped") is False
    page.press("x")
    assert page.run("stopped") is False
    assert report_page.picture == before


def test_the_walk_begins_at_the_lowest_score(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    order = np.argsort(scores().astype(np.float32), kind="stable")
    page.run("document.querySelector('#canvas').focus()")
    page.press("n")
    assert report_page.spoken.startswith(words_of(order[0]))
    page.press("n", "n")
    assert report_page.spoken.startswith(words_of(order[2]))
    page.press("p")
    assert report_page.spoken.startswith(words_of(order[1]))
    assert report_page.tip == report_page.spoken
    page.press("Escape", "0")
    assert report_page.tip == ""
    assert report_page.picture == before


def test_a_row_of_the_worst_points_leads_to_its_point(report_page: ReportPage) -> None:
    page = report_page.page
    row = int(page.page.locator("#worst tbody tr:nth-child(3) button").inner_text())
    page.click("#worst tbody tr:nth-child(3) button")
    assert report_page.focus == "canvas"
    assert report_page.tip.startswith(words_of(row))
    page.wait_until(
        "(({top, bottom}) => top >= 0 && bottom <= innerHeight)"
        "(document.querySelector('#tip').getBoundingClientRect())"
    )


@pytest.mark.parametrize("ratio", [1, 2, 3])
def test_the_map_is_sharp_on_fine_screens(page: Page, report: Path, ratio: int) -> None:
    page.resize(1280, 900, ratio=ratio)
    shown = open_report(page, report)
    assert pixels_per_css_pixel(page) == pytest.approx([min(ratio, 2)] * 2, abs=0.01)
    shown.show_map()
    page.move(*shown.place(CLUSTER_POINT))
    assert shown.tip.startswith(words_of(CLUSTER_POINT))


def test_another_size_of_the_window_keeps_what_is_shown(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    page.resize(800, 900)
    page.wait_until("document.querySelector('#canvas').clientWidth < 800")
    assert report_page.picture != before
    report_page.show_map()
    page.move(*report_page.place(CLUSTER_POINT))
    assert report_page.tip.startswith(words_of(CLUSTER_POINT))
    report_page.leave_map()
    page.resize(1280, 900)
    page.settle()
    assert report_page.picture == before


def test_dark_and_back_without_loading_again(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    pixel = "[...canvas.getContext('2d').getImageData(2, 2, 1, 1).data].slice(0, 3)"
    page.prefer(color_scheme="dark")
    dark = report_page.picture
    assert dark != before
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(15, 20, 25)"
    assert page.run(pixel) == [15, 20, 25]
    page.prefer(color_scheme="light")
    assert report_page.picture == before
    assert page.run(pixel) == [255, 255, 255]
