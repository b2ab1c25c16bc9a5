"""What stands between single backticks in a docstring: code, and a link if it is a public name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from tables import public_names

if TYPE_CHECKING:
    from docutils.parsers.rst.states import Inliner
    from sphinx.application import Sphinx

# Sphinx's own search takes any name that ends alike: `plot` would lead to one of many.
PLACES = {name: f"{module}.{name}" for module, names in public_names().items() for name in names}


def _make_code(
    role: str,  # noqa: ARG001
    rawtext: str,
    text: str,
    lineno: int,  # noqa: ARG001
    inliner: Inliner,  # noqa: ARG001
    options: Any = None,  # noqa: ARG001
    content: Any = (),  # noqa: ARG001
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    code = nodes.literal(rawtext, text)
    if text not in PLACES:
        return [code], []
    link = pending_xref(rawtext, code, refdomain="py", reftype="obj", reftarget=PLACES[text])
    return [link], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the role; Sphinx calls this."""
    app.add_role("backticks", _make_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
