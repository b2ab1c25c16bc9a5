"""Facts and a template become a page of HTML, readable without JavaScript and without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from disco_cvi._output.shown_values import (
    difference_text,
    exact,
    in_digits,
    printed_text,
    score_text,
    sentence,
    share_text,
    slug,
    value_text,
)
from disco_cvi._output.words import count, from_to, percent, visible

if TYPE_CHECKING:
    from jinja2 import Environment

# Other letters that cannot be seen stay: words are written with them, and pages with wide blanks.
_ORDERS = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def render(template_name: str, facts: Mapping[str, Any]) -> str:
    """Fill a template with facts; same facts, same text.

    Parameters
    ----------
    template_name : str
        A file in the folder `templates`.
    facts : mapping of str to plain values
        What the page says: texts, numbers, lists and dictionaries of these. Texts are plain; the
        template makes them safe inside HTML.

    Returns
    -------
    str
        The page, which needs no other file.

    Raises
    ------
    ImportError
        If jinja2 is missing, with what to install.
    """
    return _environment().get_template(template_name).render(facts)


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        message = (
            "A page needs jinja2, which is not installed. Run 'pip install disco-cvi[report]'."
        )
        raise ImportError(message) from error

    environment = Environment(
        loader=FunctionLoader(read_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.filters.update(
        counted=count,
        difference_text=difference_text,
        exact=exact,
        from_to=from_to,
        in_digits=in_digits,
        percent=percent,
        printed_text=printed_text,
        score_text=score_text,
        sentence=sentence,
        share_text=share_text,
        slug=slug,
        value_text=value_text,
    )
    return environment


def _visible(value: Any) -> Any:
    """Write out, in texts, what gives orders: to terminals, or to the direction of what follows.

    What a filter has made safe for HTML, as the data of the scripts, is a text of another type.
    """
    return _ORDERS.sub(lambda found: visible(found[0]), value) if type(value) is str else value


def read_template(name: str) -> str:
    """Return the text of a file in the folder `templates`."""
    return files("disco_cvi.report").joinpath("templates", name).read_text("utf-8")
