"""One page of a browser: what a person does with it, and what it did.

Tests say: from helpers.chromium.page import Page
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from helpers.chromium.keys import MODIFIERS, key_events
from helpers.chromium.process import BrowserError, Chromium

# Runs before anything of the page does, in all its frames.
LISTENER = """
document.addEventListener('securitypolicyviolation', (event) =>
  __collect(JSON.stringify(['violation', `${event.violatedDirective} ${event.blockedURI}`])));
for (const name of ['alert', 'confirm', 'prompt'])
  window[name] = (text) => __collect(JSON.stringify(['dialog', `${name} ${text}`]));
"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
A4 = {"paperWidth": 8.27, "paperHeight": 11.69}


class Box(NamedTuple):
    """Where an element is in the window, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Node(NamedTuple):
    """What a screen reader is told of an element."""

    role: str
    name: str


class Page:
    """A page that shares nothing with others; `open_page` makes and closes one."""

    def __init__(self, browser: Chromium, *, scripts: bool = True, ignore_policy: bool = False):
        self._browser = browser
        self._scripts = scripts
        self._media: dict[str, str] = {}
        self._context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send(
            "Target.createTarget", {"url": "about:blank", "browserContextId": self._context}
        )
        attached = browser.send(
            "Target.attachToTarget", {"targetId": target["targetId"], "flatten": True}
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        self.send("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        self.send("Page.setBypassCSP", {"enabled": ignore_policy})
        self.send("Runtime.addBinding", {"name": "__collect"})
        self.send("Page.addScriptToEvaluateOnNewDocument", {"source": LISTENER})

    def send(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """A command of the browser's own language, for this page."""
        return self._browser.send(method, parameters, session=self._session)

    def close(self) -> None:
        self._browser.send("Target.disposeBrowserContext", {"browserContextId": self._context})
        self._browser.events.pop(self._session, None)

    # ---- what is shown, and how

    def open(self, url: str | Path, *, ready: str = "true") -> None:
        """Open a file or an address, and wait until it has loaded and the expression is true."""
        address = url.resolve().as_uri() if isinstance(url, Path) else url
        self._browser.events[self._session].clear()
        answer = self.send("Page.navigate", {"url": address})
        if "errorText" in answer:
            raise BrowserError(f"{address} cannot be opened: {answer['errorText']}")
        self.wait_until(f"document.readyState === 'complete' && !!({ready})")

    def show(self, html: str, *, ready: str = "true") -> None:
        """Open a page that is given as text."""
        path = self._browser.folder / "page.html"
        path.write_text(html, encoding="utf-8", newline="")
        self.open(path, ready=ready)

    def resize(self, width: int, height: int, *, ratio: float = 1, phone: bool = False) -> None:
        """Set the size of the window and its pixels per CSS pixel; a phone has a touch screen."""
        size = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": phone}
        self.send("Emulation.setDeviceMetricsOverride", size)
        self.send("Emulation.setTouchEmulationEnabled", {"enabled": phone})

    def prefer(self, **features: str) -> None:
        """Set media features: `color_scheme="dark"`, `reduced_motion="reduce"`; `media="print"`."""
        self._media |= features
        shown = [
            {"name": f"prefers-{name.replace('_', '-')}", "value": value}
            for name, value in self._media.items()
            if name != "media"
        ]
        given = {"media": self._media.get("media", ""), "features": shown}
        self.send("Emulation.setEmulatedMedia", given)

    def slow_down(self, times: float) -> None:
        """Let the page compute as if the processor were so many times slower."""
        self.send("Emulation.setCPUThrottlingRate", {"rate": times})

    # ---- looking

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page; promises are waited for."""
        return self._evaluate({"expression": expression})

    def call(self, function: str, *arguments: Any) -> Any:
        """The value of a JavaScript function, as `(a, b) => a + b`, for values of Python."""
        given = ", ".join(map(json.dumps, arguments))
        return self.run(f"({function})({given})")

    def run_in_frame(self, expression: str) -> Any:
        """The same in the first frame of the page; it sees the document, not the page's own names.

        So it works where a frame may not run scripts.
        """
        frames = self.send("Page.getFrameTree")["frameTree"]["childFrames"]
        world = self.send("Page.createIsolatedWorld", {"frameId": frames[0]["frame"]["id"]})
        return self._evaluate({"expression": expression, "contextId": world["executionContextId"]})

    def _evaluate(self, given: dict[str, Any]) -> Any:
        answer = self.send(
            "Runtime.evaluate", given | {"returnByValue": True, "awaitPromise": True}
        )
        if "exceptionDetails" in answer:
            raise BrowserError(_thrown(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_until(self, condition: str, *, limit: float | None = None) -> None:
        """Wait until an expression is true."""
        limit = limit or self._browser.limit
        end = time.monotonic() + limit
        while not self.run(condition):
            if time.monotonic() > end:
                raise BrowserError(f"Not true within {limit:g} s: {condition}")
            self._browser.listen(0.02)

    def settle(self) -> None:
        """Wait until what was asked for has been drawn."""
        if self._scripts:
            self.run(TWO_FRAMES)

    def box(self, selector: str) -> Box:
        """Where the element is; it must be in the page."""
        found = self.call(
            "(s) => { const e = document.querySelector(s); if (!e) return null;"
            " const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }",
            selector,
        )
        if found is None:
            raise BrowserError(f"The page has no {selector}.")
        return Box(*found)

    def text(self, selector: str) -> str:
        """The text of the element as a reader sees it."""
        return str(self.call("(s) => document.querySelector(s).innerText", selector))

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements."""
        function = "(s) => [...document.querySelectorAll(s)].map((e) => e.innerText)"
        return list(self.call(function, selector))

    def attribute(self, selector: str, name: str) -> str | None:
        """An attribute of the element, if it has it."""
        function = "(s, name) => document.querySelector(s).getAttribute(name)"
        value: str | None = self.call(function, selector, name)
        return value

    def is_visible(self, selector: str) -> bool:
        """Whether there is such an element, with a size, not hidden by itself or an ancestor."""
        return bool(
            self.call(
                "(s) => { const e = document.querySelector(s); if (!e) return false;"
                " const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0"
                " && e.checkVisibility({opacityProperty: true, visibilityProperty: true}); }",
                selector,
            )
        )

    def screenshot(self, path: Path | None = None, *, whole: bool = False) -> bytes:
        """What the window, or the whole page, looks like, as PNG; also written to the path."""
        given: dict[str, Any] = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            given["clip"] = {**size, "scale": 1}
        image = base64.b64decode(self.send("Page.captureScreenshot", given)["data"])
        if path:
            path.write_bytes(image)
        return image

    def pdf(self) -> bytes:
        """The page printed on A4."""
        printed = self.send("Page.printToPDF", {"printBackground": True, **A4})
        return base64.b64decode(printed["data"])

    def screen_reader(self) -> list[Node]:
        """The accessibility tree: role and name of each element that is not ignored."""
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        return [
            Node(node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        ]

    # ---- doing

    def scroll_to(self, selector: str) -> None:
        """Bring the element into the middle of the window, at once."""
        function = (
            "(s) => document.querySelector(s)"
            ".scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})"
        )
        self.box(selector)
        self.call(function, selector)
        self.settle()

    def _reach(self, selector: str) -> tuple[float, float]:
        """The middle of the element, which must be what a finger would meet there."""
        self.scroll_to(selector)
        x, y = self.box(selector).center
        met = self.call(
            "(s, x, y) => { const met = document.elementFromPoint(x, y);"
            " return document.querySelector(s).contains(met) ? '' : met?.outerHTML ?? 'nothing'; }",
            selector,
            x,
            y,
        )
        if met:
            raise BrowserError(f"At the middle of {selector} there is {met[:100]}.")
        return x, y

    def click(self, selector: str) -> None:
        """Move to the element and click on it."""
        x, y = self._reach(selector)
        self.move(x, y)
        self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self._mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        self._mouse("mouseMoved", x, y)
        self.settle()

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 4) -> None:
        """Press the mouse at the start, move it and let it go at the end."""
        self._mouse("mouseMoved", *start)
        self._mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for step in range(1, steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
            self._mouse("mouseMoved", x, y, button="left", buttons=1)
        self._mouse("mouseReleased", *end, button="left", clickCount=1)
        self.settle()

    def wheel(self, x: float, y: float, down: float, *, held: str = "") -> None:
        """Turn the wheel at a place; `held` is a key such as Control."""
        modifiers = MODIFIERS[held] if held else 0
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=down, modifiers=modifiers)
        self.settle()

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def tap(self, x: float, y: float) -> None:
        """Touch the screen for a moment."""
        self.touch([[(x, y)]])

    def tap_on(self, selector: str) -> None:
        """Touch an element."""
        self.tap(*self._reach(selector))

    def touch(self, moves: list[list[tuple[float, float]]]) -> None:
        """Put fingers down where the first entry says, move them along the others, lift them."""
        for place, fingers in enumerate(moves):
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
            kind = "touchMove" if place else "touchStart"
            self.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.settle()

    def press(self, *keys: str) -> None:
        """Press keys one after the other: `a`, `Enter`, `Shift+Tab`."""
        for key in keys:
            for event in key_events(key):
                self.send("Input.dispatchKeyEvent", event)
        self.settle()

    # ---- what it did

    def _events(self, method: str) -> Iterator[dict[str, Any]]:
        self.send("Runtime.evaluate", {"expression": "0"})  # so that all before it have arrived
        for event in self._browser.events[self._session]:
            if event["method"] == method:
                yield event["params"]

    @property
    def console(self) -> list[str]:
        """All lines of the console since the page was opened: what it said, and errors."""
        said = [
            " ".join(str(value.get("value", value.get("description"))) for value in event["args"])
            for event in self._events("Runtime.consoleAPICalled")
        ]
        return said + self.errors

    @property
    def errors(self) -> list[str]:
        """What scripts threw, and what the browser complained of."""
        thrown = [_thrown(e["exceptionDetails"]) for e in self._events("Runtime.exceptionThrown")]
        return thrown + [event["entry"]["text"] for event in self._events("Log.entryAdded")]

    @property
    def requests(self) -> list[str]:
        """The addresses that were asked for since the page was opened, itself included."""
        return [event["request"]["url"] for event in self._events("Network.requestWillBeSent")]

    @property
    def violations(self) -> list[str]:
        """What the page's Content Security Policy refused."""
        return self._collected("violation")

    @property
    def dialogs(self) -> list[str]:
        """Calls of alert, confirm and prompt."""
        return self._collected("dialog")

    def _collected(self, kind: str) -> list[str]:
        pairs = [json.loads(event["payload"]) for event in self._events("Runtime.bindingCalled")]
        return [text for found, text in pairs if found == kind]


def _thrown(details: dict[str, Any]) -> str:
    return str(details.get("exception", {}).get("description") or details["text"])


@contextmanager
def open_page(
    browser: Chromium, *, scripts: bool = True, ignore_policy: bool = False
) -> Iterator[Page]:
    """A new page of 1280 by 900; closed at the end."""
    page = Page(browser, scripts=scripts, ignore_policy=ignore_policy)
    page.resize(1280, 900)
    try:
        yield page
    finally:
        page.close()
