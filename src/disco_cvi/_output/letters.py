"""Names as pictures can show them: in the letters of the font, and without formulas."""

from __future__ import annotations

from functools import lru_cache

_BOX, _QUESTION = "\N{WHITE SQUARE}", "?"


def in_font(text: str) -> str:
    """A text in which a box stands for every letter that the fonts of matplotlib lack.

    Otherwise matplotlib warns of each of them, whenever it draws. Its fonts are those of the
    user's settings, plain and bold.
    """
    if text.isascii():
        return text
    from matplotlib.font_manager import FontProperties

    known = _known_letters(tuple(FontProperties().get_family()))
    box = _BOX if ord(_BOX) in known else _QUESTION
    return "".join(sign if sign == "\n" or ord(sign) in known else box for sign in text)


def in_legend(text: str) -> str:
    """A text for a legend, where a $ would begin a formula."""
    return in_font(text).replace("$", r"\$")


@lru_cache(maxsize=8)
def _known_letters(families: tuple[str, ...]) -> frozenset[int]:
    """The letters that some font of these families has, both plain and bold."""
    plain, bold = (
        {letter for family in families for letter in _letters_of(family, weight)}
        # What draws if none of the families is there.
        or _letters_of("DejaVu Sans", weight)
        for weight in ("normal", "bold")
    )
    return frozenset(plain & bold)


def _letters_of(family: str, weight: str) -> set[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    try:
        font = findfont(FontProperties(family=[family], weight=weight), fallback_to_default=False)
    except ValueError:  # there is no such font
        return set()
    return set(get_font(font).get_charmap())
