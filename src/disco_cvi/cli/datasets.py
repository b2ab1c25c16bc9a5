"""`disco datasets`: list the data sets of the paper, and download them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disco_cvi._output.words import count
from disco_cvi.cli.parser import Parser, note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import argparse

    from disco_cvi.datasets import DatasetInfo, DatasetTable

NAME = "datasets"
SUMMARY = "list the data sets of the paper, and download them"
DESCRIPTION = """\
List the data sets of the paper: their size, and where each is found. The folder
that the environment variable DISCO_DATA names is looked in first, then earlier
downloads; what is in neither is downloaded when it is first used."""
EPILOG = """\
examples:
  disco datasets
  disco datasets --sources
  disco datasets fetch Iris "Wine quality"
  disco datasets fetch --all"""

_FETCH_DESCRIPTION = """\
Download data sets from where they are published, so that they can be used later
without a network. What is there already is checked and kept."""


def add_options(parser: Parser) -> None:
    """Add the options of `disco datasets` and of `disco datasets fetch`."""
    parser.add_argument(
        "--sources", action="store_true", help="also say what each is, its source and its licence"
    )
    commands = parser.add_subparsers(title="commands", metavar="[COMMAND]")
    fetch = commands.add_parser(
        "fetch",
        help="download data sets",
        description=_FETCH_DESCRIPTION,
        epilog='examples:\n  disco datasets fetch Iris "Wine quality"\n'
        "  disco datasets fetch --all",
    )
    fetch.add_argument(
        "names", metavar="NAME", nargs="*", help="a data set, by a name that 'disco datasets' lists"
    )
    fetch.add_argument("--all", action="store_true", help="fetch every data set")
    fetch.set_defaults(run=run_fetch, fetch_parser=fetch)


def run(options: argparse.Namespace) -> None:
    """Print the table."""
    from disco_cvi.datasets import available
    from disco_cvi.datasets.downloads.places import cache_folder

    table = available()
    print(table)
    cache = cache_folder()
    if cache is not None:
        print(f"\ncache: {cache}")
    if options.sources:
        for info in table:
            print()
            print("\n".join(_source(info)))


def _source(info: DatasetInfo) -> list[str]:
    unchecked = "" if info.address_checked else " (not checked)"
    return [
        f"{info.name}: {info.description}",
        f"  source:  {info.source}",
        f"  licence: {info.licence}",
        f"  address: {info.address}{unchecked}",
    ]


def run_fetch(options: argparse.Namespace) -> None:
    """Download each data set, and go on if one cannot be had."""
    from disco_cvi.datasets import fetch

    failed = []
    for info in _chosen(options):
        try:
            paths = fetch(info.name)[info.name]
        except (OSError, InvalidInputError, ImportError) as error:
            note(str(error))
            failed.append(info.name)
        else:
            print(f"{info.name}: {' '.join(map(str, paths))}", flush=True)
    if failed:
        raise InvalidInputError(
            f"{count(len(failed), 'data set')} could not be fetched: {', '.join(failed)}."
        )


def _chosen(options: argparse.Namespace) -> DatasetTable:
    from disco_cvi.datasets import DatasetTable, available

    if options.all == bool(options.names):
        options.fetch_parser.error("give names of data sets, or --all")
    if options.all:
        return available()
    found = [
        available().find(name, "NAME", "fetch", lister="'disco datasets'") for name in options.names
    ]
    return DatasetTable(dict.fromkeys(found))
