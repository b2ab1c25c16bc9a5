"""A report as a file: alone, changed, framed, printed, on a phone, without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from disco_cvi.report import write_report
from helpers.chromium.axe import violations
from helpers.chromium.page import Page
from helpers.report_page import ReportPage, open_report
from helpers.shown_reports import TOY
from helpers.toy_report import HOSTILE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def refused_report(report: Path) -> Path:
    """A report whose script was changed, so that it does not run."""
    path = report.with_name("refused.html")
    changed = report.read_text(encoding="utf-8").replace("'use strict';", "'use strict'; ")
    path.write_text(changed, encoding="utf-8", newline="")
    return path


def is_static(page: Page) -> bool:
    """Whether the picture is shown, and nothing that only works with scripts."""
    return (
        page.is_visible("#picture")
        and not page.is_visible("#canvas")
        and not page.is_visible("#zoom-in")
        and not page.is_visible("#keys")
        and page.run("document.querySelectorAll('button:enabled').length") == 2 + 1  # hidden ones
        and page.run("document.querySelectorAll('#clusters tbody tr').length") == 5
    )


def test_it_loads_silently_and_alone(page: Page, report: Path) -> None:
    open_report(page, report)
    assert page.console == []
    assert page.violations == []
    assert page.requests[0] == report.as_uri()
    assert all(address.startswith("data:image/png") for address in page.requests[1:])
    assert not page.is_visible("#picture")
    assert page.is_visible("#canvas")


INJECTED = {
    "script": "<script>window.bad = 1</script>",
    "handler": "<img src='data:,' onerror='window.bad = 1'>",
    "address": "<iframe src='javascript:parent.bad = 1'></iframe>",
    "file": "<script src='bad.js'></script>",
    "style": "<p style='position:fixed'>",
}


@pytest.mark.parametrize("kind", INJECTED)
def test_what_is_injected_does_not_run(page: Page, report: Path, tmp_path: Path, kind: str) -> None:
    changed = report.read_text(encoding="utf-8").replace("</main>", f"{INJECTED[kind]}</main>")
    (tmp_path / "changed.html").write_text(changed, encoding="utf-8", newline="")
    (tmp_path / "bad.js").write_text("window.bad = 1")
    open_report(page, tmp_path / "changed.html")
    assert page.run("window.bad === undefined")
    assert page.violations
    assert page.is_visible("#canvas")  # the rest works


def test_a_running_page_refuses_scripts_eval_and_the_network(report_page: ReportPage) -> None:
    page = report_page.page
    page.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1';"
        " document.body.append(s); setTimeout('window.bad = 2'); })()"
    )
    refused = "fetch('https://example.org').then(() => 'fetched', () => 'refused')"
    assert page.run(refused) == "refused"
    assert page.run("window.bad === undefined")
    assert {found.split()[0] for found in page.violations} >= {
        "script-src-elem",
        "script-src",
        "connect-src",
    }
    assert not any("example.org" in address for address in page.requests)


def test_where_the_script_is_refused_the_static_page_is_whole(
    page: Page, refused_report: Path
) -> None:
    page.open(refused_report)
    assert page.violations == ["script-src-elem inline"]
    assert is_static(page)


def test_without_scripts_all_is_there(page_without_scripts: Page, report: Path) -> None:
    page_without_scripts.open(report)
    assert is_static(page_without_scripts)
    assert page_without_scripts.console == []
    assert page_without_scripts.page.locator("#worst tbody tr").count() == 20


@pytest.mark.parametrize("sandbox", ["", "allow-scripts"])
def test_a_sandboxed_frame_shows_it(page: Page, report: Path, tmp_path: Path, sandbox: str) -> None:
    frame = f'<iframe sandbox="{sandbox}" src="{report.as_uri()}" width=1000 height=800></iframe>'
    (tmp_path / "frame.html").write_text(f"<!doctype html><title>Frame</title>{frame}")
    page.open(tmp_path / "frame.html")
    shown = "#canvas" if sandbox else "#picture"
    hidden = "#picture" if sandbox else "#canvas"
    inside = page.page.frames[1]
    assert inside.locator(shown).is_visible()
    assert not inside.locator(hidden).is_visible()
    assert inside.locator("#clusters tbody tr").count() == 5
    assert page.violations == []


def test_where_styles_and_pictures_are_forbidden_too_text_and_drawings_stay(
    page: Page, report: Path, tmp_path: Path
) -> None:
    policy = "default-src 'none'; img-src 'self'; style-src 'self'"
    head = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
    changed = report.read_text(encoding="utf-8").replace("<head>", head)
    (tmp_path / "changed.html").write_text(changed, encoding="utf-8", newline="")
    page.open(tmp_path / "changed.html")
    assert page.is_visible("#clusters")
    fills = page.run(
        "[...document.querySelectorAll('svg rect, svg path, svg text')]"
        ".map((e) => [e.tagName, getComputedStyle(e).fill])"
    )
    black = [tag for tag, fill in fills if fill == "rgb(0, 0, 0)" and tag != "text"]
    assert fills
    assert black == []


def test_hostile_names_are_only_text(page: Page, hostile_report: Path) -> None:
    shown = open_report(page, hostile_report)
    page.click("input[value=label]")  # names on the canvas
    for name in ("clusters", "worst"):
        page.click(f"#{name} tbody button")
    page.press("n")
    assert page.dialogs == []
    assert page.console == []
    assert page.violations == []
    assert shown.tip
    names = page.run(
        "[...document.querySelectorAll('#clusters tbody th button')].map((b) => b.textContent)"
    )
    assert {name.strip() for name in names} >= {
        name.strip() for name in HOSTILE if name.isprintable()
    }
    assert page.page.locator("h1").inner_text() == HOSTILE[0]
    assert page.run("document.querySelectorAll('main img').length") == 1


def test_long_names_are_cut_and_whole_in_their_title(page: Page, hostile_report: Path) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    open_report(page, hostile_report)
    assert page.run("document.documentElement.scrollWidth") <= 360
    shown, whole = page.call(
        "(name) => { const e = document.querySelector(`#clusters [title='${name}']`);"
        " return [e.clientWidth, e.scrollWidth]; }",
        "x" * 80,
    )
    assert shown < 240 < whole


def test_a_phone_shows_it_without_moving_sideways(page: Page, report: Path) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    open_report(page, report)
    assert page.run("document.documentElement.scrollWidth") <= 360
    assert page.run("visualViewport.scale") == 1
    wide = page.run(
        "[...document.querySelectorAll('main *')].filter((e) => e.checkVisibility()"
        " && !e.closest('.wide, .scroll, .unseen') && e.getBoundingClientRect().right > 360.5)"
        ".map((e) => e.outerHTML.slice(0, 80))"
    )
    assert wide == []


def test_what_a_table_shows_can_be_read_on_a_phone(page: Page, report: Path) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    open_report(page, report)
    cut = page.run(
        "[...document.querySelectorAll('caption')].filter((caption) => { const words ="
        " document.createRange(); words.selectNodeContents(caption);"
        " return words.getBoundingClientRect().right > 352; }).map((e) => e.textContent)"
    )
    assert cut == []
    score = page.box("#worst thead [aria-sort]")
    assert score.x + score.width < 352  # beside the name, without moving sideways


def test_what_is_touched_is_large_enough(page: Page, report: Path) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    open_report(page, report)
    small = page.run(
        "[...document.querySelectorAll('button, label, nav a')].filter((e) => {"
        " const b = e.getBoundingClientRect();"
        " return e.checkVisibility() && (b.width < 24 || b.height < 24); })"
        ".map((e) => e.outerHTML.slice(0, 80))"
    )
    assert small == []


def test_print_shows_the_picture_and_hides_the_controls(report_page: ReportPage) -> None:
    page = report_page.page
    page.prefer(color_scheme="dark", media="print")
    assert page.is_visible("#picture")
    for hidden in ("#canvas", "#zoom-in", "nav", "#keys", "#tip", ".note > [data-script]"):
        assert not page.is_visible(hidden)
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = page.run(
        "[...document.querySelectorAll('.scroll, .wide')]"
        ".filter((e) => e.scrollHeight > e.clientHeight + 1).length"
    )
    assert cut == 0


def test_it_is_printed_on_a_few_sheets(report_page: ReportPage) -> None:
    printed = report_page.page.pdf()
    assert 3 <= len(re.findall(rb"/Type /Page\b(?!s)", printed)) <= 9
    assert b"/Subtype /Image" in printed


def test_motion_is_reduced_when_asked(report_page: ReportPage) -> None:
    page = report_page.page
    behavior = "getComputedStyle(document.documentElement).scrollBehavior"
    assert page.run(behavior) == "smooth"
    page.prefer(reduced_motion="reduce")
    assert page.run(behavior) == "auto"
    page.click("#worst tbody tr:last-child button")
    top, bottom = page.run("(({top, bottom}) => [top, bottom])(tip.getBoundingClientRect())")
    assert 0 <= top < bottom <= 900  # at once


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["report", "hostile_report", "refused_report"])
def test_axe_finds_nothing(
    request: pytest.FixtureRequest, page: Page, axe: str, kind: str, scheme: str
) -> None:
    page.prefer(color_scheme=scheme)
    page.open(request.getfixturevalue(kind))
    assert violations(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_use_on_a_phone(
    page: Page, axe: str, report: Path, scheme: str
) -> None:
    page.prefer(color_scheme=scheme)
    page.resize(360, 740, ratio=2, phone=True)
    open_report(page, report)
    page.click("input[value=label]")
    page.click("#clusters tbody button")
    page.click("#worst thead button")
    page.tap(*page.center("#canvas"))
    assert violations(page, axe) == []


def test_without_a_map_it_is_whole(page: Page, axe: str, tmp_path: Path) -> None:
    from scipy.spatial.distance import pdist, squareform

    path = tmp_path / "report.html"
    write_report(
        squareform(pdist(TOY.points)),
        TOY.labels,
        path,
        indices=["disco"],
        metric="precomputed",
        noise_label="noise",
    )
    open_report(page, path)
    assert page.console == []
    assert page.violations == []
    assert not page.is_visible("#canvas")
    page.click("#worst thead th:first-child button")
    assert page.is_visible("#worst thead th:first-child[aria-sort=ascending]")
    assert violations(page, axe) == []
