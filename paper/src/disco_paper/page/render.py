"""Facts and a template become a page of HTML, readable without JavaScript and without a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from disco_cvi._output.shown_values import difference_text, printed_text, sentence, slug, value_text
from disco_cvi._output.words import count


def render(template_name: str, facts: Mapping[str, Any]) -> str:
    """Fill a template with facts; same facts, same text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("disco_paper.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        counted=count,
        difference_text=difference_text,
        printed_text=printed_text,
        sentence=sentence,
        slug=slug,
        value_text=value_text,
    )
    return environment.get_template(template_name).render(facts)
