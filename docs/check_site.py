"""Read the built site: every link and anchor leads somewhere, and nothing is loaded from afar."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself; links that people click may lead anywhere.
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
# Links that say what a page is, which no browser loads.
UNLOADED = {"canonical", "author", "license"}


class Page(HTMLParser):
    """Anchors, links, and what is loaded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect one tag."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        if values.get(LOADED.get(tag, "")) and values.get("rel") not in UNLOADED:
            self.loaded.add(values[LOADED[tag]])


def find_problems(site: Path) -> list[str]:
    """Say of every page which links are broken and what it would load from a network."""
    found = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    pages = {path.resolve(): Page(path.read_text("utf-8")) for path in found}
    problems = []
    for path, page in sorted(pages.items()):
        place = path.relative_to(site.resolve())
        for link in sorted(page.links | page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    problems.append(f"{place}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists():
                problems.append(f"{place}: no file for {link}")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                problems.append(f"{place}: no anchor for {link}")
    return problems


if __name__ == "__main__":
    problems = find_problems(Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))
