"""`disco indices`: the table of all indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from disco_cvi.cli.command import Command
from disco_cvi.cli.options import JsonOptions, option
from disco_cvi.cli.screen import print_json, table_facts

_DESCRIPTION = """\
List the validity indices: which values are better, their range, which shapes
of clusters they are made for, what they do with noise, whether the order of
the rows matters, and how their time grows with n points and k clusters."""
_EPILOG = """\
noise: judged, or it affects the value without being judged, or it is ignored.

examples:
  disco indices
  disco indices --references
  disco indices --json"""


@dataclass
class IndicesOptions(JsonOptions):
    """The options of `disco indices`."""

    references: Annotated[bool, option("--references", help="also say where each is defined")] = (
        False
    )


def run(options: IndicesOptions) -> None:
    """Print the table."""
    from disco_cvi.indices.registry import available_indices

    table = available_indices()
    if options.json:
        print_json(table_facts(table))
        return
    print(table)
    if options.references:
        print()
        for info in table:
            print(f"{info.title}: {info.reference}")


COMMAND = Command(run, IndicesOptions, "[options]", _DESCRIPTION, _EPILOG)
