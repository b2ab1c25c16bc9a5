"""`disco indices`: the table of all indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disco_cvi.cli.parser import Parser

if TYPE_CHECKING:
    import argparse

NAME = "indices"
SUMMARY = "list the validity indices and what they promise"
DESCRIPTION = """\
List the validity indices: which values are better, their range, which shapes
of clusters they are made for, what they do with noise, whether the order of
the rows matters, and how their time grows with n points and k clusters."""
EPILOG = """\
noise: judged, or it affects the value without being judged, or it is ignored."""


def add_options(parser: Parser) -> None:
    """Add the options of `disco indices`."""
    parser.add_argument("--references", action="store_true", help="also say where each is defined")


def run(options: argparse.Namespace) -> None:
    """Print the table."""
    from disco_cvi.indices.registry import available_indices

    table = available_indices()
    print(table)
    if options.references:
        print()
        for info in table:
            print(f"{info.title}: {info.reference}")
