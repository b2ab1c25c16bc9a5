"""Pages as readers and programs see them."""

from __future__ import annotations

from html.parser import HTMLParser

# Elements that have no end.
EMPTY_TAGS = {"meta", "img", "br", "wbr", "input"}


class Reader(HTMLParser):
    """Checks that tags are closed in order, and collects tags with their attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY_TAGS:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def of(self, tag: str) -> list[dict[str, str]]:
        """The attributes of all tags of a kind."""
        return [attributes for name, attributes in self.tags if name == tag]


def text_of(html: str) -> str:
    """What a reader sees, with single blanks."""
    return " ".join(" ".join(Reader(html).texts).split())
