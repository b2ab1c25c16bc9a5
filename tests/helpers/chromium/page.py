"""A page of Chromium: playwright's, with what tests of our pages ask for in one word each.

Tests say: from helpers.chromium.page import Page, open_page
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

# Runs before anything of the page does, in all its frames.
LISTENER = """
document.addEventListener('securitypolicyviolation', (event) =>
  __collect(['violation', `${event.violatedDirective} ${event.blockedURI}`]));
for (const name of ['alert', 'confirm', 'prompt'])
  window[name] = (text) => __collect(['dialog', `${name} ${text}`]);
"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@contextmanager
def chromium(program: str) -> Iterator[Browser]:
    """A browser without a window."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=options)
        yield browser
        browser.close()


@contextmanager
def open_page(
    browser: Browser, *, scripts: bool = True, ignore_policy: bool = False
) -> Iterator[Page]:
    """A new page of 1280 by 900 that shares nothing with others; closed at the end."""
    page = Page(browser, scripts=scripts, ignore_policy=ignore_policy)
    page.resize(1280, 900)
    yield page
    page.page.context.close()


class Box(NamedTuple):
    """Where an element is, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Page:
    """A page, `page` as playwright knows it, and what it did since it was opened."""

    def __init__(self, browser: Browser, *, scripts: bool, ignore_policy: bool) -> None:
        context = browser.new_context(
            no_viewport=True, java_script_enabled=scripts, bypass_csp=ignore_policy
        )
        self.scripts = scripts
        self.page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.console: list[str] = []
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.collected: list[tuple[str, str]] = []
        self.page.expose_function("__collect", lambda pair: self.collected.append(tuple(pair)))
        self.page.add_init_script(LISTENER)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self._hear("error", str(error)))
        self.page.on("console", lambda said: self._hear(said.type, said.text))
        self.protocol = context.new_cdp_session(self.page)

    def _hear(self, kind: str, text: str) -> None:
        self.console.append(text)
        if kind == "error":
            self.errors.append(text)

    @property
    def violations(self) -> list[str]:
        """What the page's Content Security Policy refused."""
        return [text for kind, text in self.collected if kind == "violation"]

    @property
    def dialogs(self) -> list[str]:
        """Calls of alert, confirm and prompt."""
        return [text for kind, text in self.collected if kind == "dialog"]

    # ---- what is shown, and how

    def open(self, url: str | Path, *, ready: str = "true") -> None:
        """Open a file or an address, and wait until it has loaded and the expression is true."""
        for heard in (self.console, self.errors, self.requests, self.collected):
            heard.clear()
        self.page.goto(url.resolve().as_uri() if isinstance(url, Path) else url)
        self.wait_until(f"document.readyState === 'complete' && !!({ready})")
        self.page.wait_for_timeout(20)  # what was heard meanwhile arrives

    def show(self, html: str) -> None:
        """Open a page that is given as text."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.html"
            path.write_text(html, encoding="utf-8", newline="")
            self.open(path)

    def resize(self, width: int, height: int, *, ratio: float = 1, phone: bool = False) -> None:
        """Set the size of the window and its pixels per CSS pixel; a phone has a touch screen."""
        size = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": phone}
        self.protocol.send("Emulation.setDeviceMetricsOverride", size)
        self.protocol.send("Emulation.setTouchEmulationEnabled", {"enabled": phone})

    def prefer(self, **media: Any) -> None:
        """Set media features: `color_scheme="dark"`, `reduced_motion="reduce"`; `media="print"`."""
        self.page.emulate_media(**media)

    def slow_down(self, times: float) -> None:
        """Let the page compute as if the processor were so many times slower."""
        self.protocol.send("Emulation.setCPUThrottlingRate", {"rate": times})

    # ---- looking

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression, also where the policy of the page refuses eval."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self.protocol.send("Runtime.evaluate", asked)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def call(self, function: str, *arguments: Any) -> Any:
        """The value of a JavaScript function, as `(a, b) => a + b`, for values of Python."""
        return self.run(f"({function})({', '.join(map(json.dumps, arguments))})")

    def wait_until(self, condition: str, *, limit: float = 20) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + limit
        while not self.run(condition):
            assert time.monotonic() < end, f"not true within {limit:g} s: {condition}"
            self.page.wait_for_timeout(20)

    def settle(self) -> None:
        """Wait until what was asked for has been drawn."""
        if self.scripts:
            self.run(TWO_FRAMES)

    def box(self, selector: str) -> Box:
        """Where the element is in the window."""
        found = self.page.locator(selector).first.bounding_box()
        assert found, f"the page shows no {selector}"
        return Box(**found)

    def center(self, selector: str) -> tuple[float, float]:
        """The middle of the element in the window."""
        x, y, width, height = self.box(selector)
        return x + width / 2, y + height / 2

    def is_visible(self, selector: str) -> bool:
        """Whether there is such an element, with a size, not hidden by itself or an ancestor."""
        return self.page.locator(selector).first.is_visible()

    # ---- doing

    def scroll_to(self, selector: str) -> None:
        """Bring the element into the middle of the window, without moving there slowly."""
        where = "{block: 'center', inline: 'center', behavior: 'instant'}"
        self.call(f"(s) => document.querySelector(s).scrollIntoView({where})", selector)
        self.settle()

    def click(self, selector: str) -> None:
        """Click on the element, which nothing may cover."""
        self.scroll_to(selector)
        self.page.locator(selector).first.click()
        self.settle()

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        self.page.mouse.move(x, y)
        self.settle()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press the mouse at the start, move it and let it go at the end."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=4)
        self.page.mouse.up()
        self.settle()

    def wheel(self, x: float, y: float, down: float, *, held: str = "") -> None:
        """Turn the wheel at a place; `held` is a key such as Control."""
        self.page.mouse.move(x, y)
        if held:
            self.page.keyboard.down(held)
        self.page.mouse.wheel(0, down)
        self.settle()
        if held:
            self.page.keyboard.up(held)

    def touch(self, moves: list[list[tuple[float, float]]]) -> None:
        """Put fingers down where the first entry says, move them along the others, lift them."""
        for place, fingers in enumerate([*moves, []]):
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
            kind = "touchEnd" if not fingers else "touchMove" if place else "touchStart"
            self.protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.settle()

    def tap(self, x: float, y: float) -> None:
        """Touch the screen for a moment."""
        self.touch([[(x, y)]])

    def press(self, *keys: str) -> None:
        """Press keys one after the other: `a`, `Enter`, `Shift+Tab`."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def pdf(self) -> bytes:
        """The page printed on A4."""
        return self.page.pdf(format="A4", print_background=True)

    def screen_reader(self) -> list[tuple[str, str]]:
        """The accessibility tree: role and name of each element that is not ignored."""
        nodes = self.protocol.send("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        ]
