"""The driver itself, on tiny pages."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from helpers.chromium.keys import key_events
from helpers.chromium.page import Node, Page, open_page
from helpers.chromium.process import BrowserError, Chromium

pytestmark = pytest.mark.browser

HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>Tiny</title>"
LOG = """<script>
const seen = [];
for (const kind of ['click', 'wheel', 'keydown', 'touchstart', 'touchmove', 'pointermove'])
  addEventListener(kind, (e) =>
    seen.push([kind, e.key ?? e.deltaY ?? e.touches?.length ?? e.buttons]));
</script>"""


def test_a_page_is_opened_from_text_and_from_a_file(page: Page, tmp_path: Path) -> None:
    page.show(f"{HEAD}<p>Grüße")
    assert page.text("p") == "Grüße"
    path = tmp_path / "a file.html"
    path.write_text(f"{HEAD}<p>other")
    page.open(path)
    assert page.text("p") == "other"
    assert page.requests == [path.as_uri()]


def test_javascript_gives_values_promises_and_errors(page: Page) -> None:
    assert page.run("({a: [1, null, 'x']})") == {"a": [1, None, "x"]}
    assert page.run("new Promise((done) => setTimeout(() => done(7), 5))") == 7
    assert page.call("(a, b) => a + b.c", "</script>", {"c": 1}) == "</script>1"
    with pytest.raises(BrowserError, match="wrong"):
        page.run("(() => { throw new Error('wrong') })()")


def test_console_errors_and_requests_are_collected_from_the_start(page: Page) -> None:
    page.show(f"{HEAD}<script>console.log('said', 1); nothing.at.all</script><img src=none.png>")
    console = page.console
    assert console[0] == "said 1"
    assert "nothing is not defined" in console[1]
    assert "ERR_FILE_NOT_FOUND" in console[2]
    assert page.errors == console[1:]
    assert [address.rsplit("/", 1)[1] for address in page.requests] == ["page.html", "none.png"]
    page.show(f"{HEAD}<p>silent")
    assert page.console == []


POLICY = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"


def test_violations_of_the_policy_are_collected_from_the_start(page: Page) -> None:
    page.show(f"{HEAD}{POLICY}<script>window.ran = true</script>")
    assert page.violations == ["script-src-elem inline"]
    assert page.run("window.ran === undefined")
    assert page.run("1 + 1") == 2  # the driver is not bound by it


def test_the_policy_can_be_ignored(browser: Chromium) -> None:
    with open_page(browser, ignore_policy=True) as page:
        page.show(f"{HEAD}{POLICY}<script>window.ran = true</script>")
        assert page.run("window.ran")


def test_dialogs_do_not_stop_the_page(page: Page) -> None:
    page.show(f"{HEAD}<script>alert(1); window.ran = true</script>")
    assert page.dialogs == ["alert 1"]
    assert page.run("ran")


def test_the_mouse_clicks_drags_and_turns_its_wheel(page: Page) -> None:
    page.show(f"{HEAD}{LOG}<body style='height:5000px'><button>here</button>")
    page.click("button")
    page.drag((200, 200), (300, 260), steps=2)
    page.wheel(200, 200, 120)
    seen = page.run("seen")
    assert ["click", 0] in seen
    assert seen.count(["pointermove", 1]) == 2
    assert ["wheel", 120] in seen
    page.wait_until("scrollY > 0")


def test_a_click_on_what_is_covered_is_an_error(page: Page) -> None:
    page.show(f"{HEAD}<button>under</button><div style='position:fixed;inset:0'>over</div>")
    with pytest.raises(BrowserError, match=r"At the middle of button there is <div.*over"):
        page.click("button")
    with pytest.raises(BrowserError, match=r"The page has no #none\."):
        page.click("#none")


def test_fingers_tap_and_move(page: Page) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    page.show(f"{HEAD}<meta name=viewport content='width=device-width'>{LOG}<button>here</button>")
    page.tap_on("button")
    assert ["click", 0] in page.run("seen")
    page.touch([[(100, 300), (200, 300)], [(50, 300), (250, 300)]])
    assert ["touchstart", 2] in page.run("seen")
    assert ["touchmove", 2] in page.run("seen")
    assert page.run("[innerWidth, devicePixelRatio]") == [360, 2]


def test_keys_type_move_the_focus_and_press_buttons(page: Page) -> None:
    page.show(
        f"{HEAD}{LOG}<input id=a><button id=b onclick='window.pressed = (window.pressed ?? 0) + 1'>"
    )
    page.press("Tab", "h", "+", "Tab", "Enter", " ", "Shift+Tab")
    assert page.run("document.querySelector('#a').value") == "h+"
    assert page.run("[pressed, document.activeElement.id]") == [2, "a"]
    assert page.run("seen.filter((s) => s[0] == 'keydown').map((s) => s[1])")[1:3] == ["h", "+"]


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(ValueError, match="No such key: 'Entre'"):
        key_events("Entre")


def test_media_features_are_set_and_kept(page: Page) -> None:
    queries = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "print"]
    function = "(queries) => queries.map((query) => matchMedia(query).matches)"
    assert page.call(function, queries) == [False, False, False]
    page.prefer(color_scheme="dark")
    page.prefer(reduced_motion="reduce", media="print")
    assert page.call(function, queries) == [True, True, True]
    page.prefer(media="screen")
    assert page.call(function, queries) == [True, True, False]


def test_the_processor_can_be_slowed_down(page: Page) -> None:
    work = """(() => { const begin = performance.now(); let sum = 0;
        for (let i = 0; i < 3e7; i++) sum += i % 7; return performance.now() - begin })()"""
    best = min(page.run(work) for _ in range(3))
    page.slow_down(20)
    assert page.run(work) > 2 * best


def test_without_scripts_the_page_can_still_be_looked_at(page_without_scripts: Page) -> None:
    page = page_without_scripts
    page.show(f"{HEAD}<p>first<script>document.querySelector('p').textContent = 'changed'</script>")
    assert page.text("p") == "first"
    assert page.is_visible("p")
    page.scroll_to("p")


def test_visible_is_what_has_a_size_and_is_not_hidden(page: Page) -> None:
    page.show(
        f"{HEAD}<p id=a>yes</p><div hidden><p id=b>no</p></div><p id=c style='visibility:hidden'>no"
        "<p id=d></p>"
    )
    assert [page.is_visible(f"#{name}") for name in "abcde"] == [True, False, False, False, False]


@pytest.mark.parametrize(("sandbox", "text"), [("", "static"), ("allow-scripts", "scripted")])
def test_frames_are_looked_into(page: Page, sandbox: str, text: str) -> None:
    inner = "<p>static</p><script>document.querySelector('p').textContent = 'scripted'</script>"
    page.show(f'{HEAD}<iframe sandbox="{sandbox}" srcdoc="{inner}"></iframe>')
    assert page.run_in_frame("document.querySelector('p').textContent") == text


def test_screenshots_and_print(page: Page, tmp_path: Path) -> None:
    page.show(f"{HEAD}<body style='margin:0;height:3000px;background:#08215c'>")
    image = page.screenshot(tmp_path / "window.png")
    assert image == (tmp_path / "window.png").read_bytes()
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(image[place : place + 4], "big") for place in (16, 20)] == [1280, 900]
    whole = page.screenshot(whole=True)
    assert int.from_bytes(whole[20:24], "big") == 3000
    assert page.pdf()[:5] == b"%PDF-"


def test_a_screen_reader_hears_roles_and_names(page: Page) -> None:
    page.show(f"{HEAD}<h1>Title</h1><button aria-label='Show all'>x</button><p hidden>never</p>")
    heard = page.screen_reader()
    assert Node("heading", "Title") in heard
    assert Node("button", "Show all") in heard
    assert not any("never" in node.name for node in heard)


def test_pages_share_nothing(browser: Chromium) -> None:
    for _ in range(2):
        with open_page(browser) as page:
            page.show(HEAD)
            assert page.run("localStorage.length") == 0
            page.run("localStorage.setItem('a', '1')")


def test_what_takes_too_long_is_an_error_that_says_what(page: Page, browser: Chromium) -> None:
    with pytest.raises(BrowserError, match=r"Not true within 0\.1 s: 1 > 2"):
        page.wait_until("1 > 2", limit=0.1)
    slow = {"expression": "new Promise(end => setTimeout(end, 1000))", "awaitPromise": True}
    with pytest.raises(BrowserError, match=r"Runtime\.evaluate: no answer within 0\.05 s\."):
        browser.send("Runtime.evaluate", slow, session=page._session, limit=0.05)
    assert page.run("3") == 3  # the late answer is not taken for the next


def test_what_cannot_be_opened_is_an_error(page: Page, tmp_path: Path) -> None:
    with pytest.raises(BrowserError, match=r"none\.html cannot be opened: net::ERR_FILE_NOT_FOUND"):
        page.open(tmp_path / "none.html")


def is_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def nothing(_: Chromium) -> None:
    pass


def fail(_: Chromium) -> None:
    raise KeyError


def crash(browser: Chromium) -> None:
    browser.send("Browser.crash")


@pytest.mark.parametrize(
    ("do", "outcome"),
    [
        (nothing, contextlib.nullcontext()),
        (fail, pytest.raises(KeyError)),
        (crash, pytest.raises(BrowserError, match="has ended")),
    ],
    ids=["nothing", "test fails", "browser crashes"],
)
def test_nothing_is_left_behind(
    program: str, do: Callable[[Chromium], None], outcome: AbstractContextManager[object]
) -> None:
    browser = Chromium(program)
    with outcome, browser:
        assert is_running(browser.process_id)
        assert browser.folder.is_dir()
        do(browser)
    end = time.monotonic() + 10  # killed processes are gone a moment later
    while is_running(browser.process_id) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(browser.process_id)
    assert not browser.folder.exists()
    browser.close()  # again: does nothing


def test_a_program_that_is_no_browser_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrowserError, match="has ended"):
        Chromium("/bin/true")
    mute = tmp_path / "mute"
    mute.write_text("#!/bin/sh\nsleep 60\n")
    mute.chmod(0o755)
    with pytest.raises(BrowserError, match="no answer within 1 s"):
        Chromium(str(mute), limit=1)
