"""`disco datasets`: list the data sets of the paper, and download them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from disco_cvi._output.words import count
from disco_cvi.cli.command import Command
from disco_cvi.cli.options import JsonOptions, argument, complete_dataset, option
from disco_cvi.cli.screen import note, print_json, say, table_facts
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi.datasets import DatasetInfo, DatasetTable

_DESCRIPTION = """\
List the data sets of the paper: their size, and where each is found. The folder
that the environment variable DISCO_DATA names is looked in first, then earlier
downloads; what is in neither is downloaded when it is first used."""
_EPILOG = """\
examples:
  disco datasets
  disco datasets --sources
  disco datasets --json
  disco datasets fetch Iris "Wine quality"
  disco datasets fetch --all"""

_FETCH_DESCRIPTION = """\
Download data sets from where they are published, so that they can be used later
without a network. What is there already is checked and kept."""
_FETCH_EPILOG = """\
examples:
  disco datasets fetch Iris "Wine quality"
  disco datasets fetch --all"""


@dataclass
class DatasetsOptions(JsonOptions):
    """The options of `disco datasets`."""

    sources: Annotated[
        bool, option("--sources", help="also say what each is, its source and its licence")
    ] = False


@dataclass
class FetchOptions(JsonOptions):
    """The options of `disco datasets fetch`."""

    names: Annotated[
        list[str],
        argument(
            metavar="NAME ...",
            autocompletion=complete_dataset,
            help="data sets, by names that 'disco datasets' lists",
        ),
    ] = field(default_factory=list)
    all: Annotated[bool, option("--all", help="fetch every data set")] = False


def run(options: DatasetsOptions) -> None:
    """Print the table."""
    from disco_cvi.datasets import available
    from disco_cvi.datasets.downloads.places import cache_folder

    table = available()
    if options.json:
        print_json(table_facts(table))
        return
    say(table)
    cache = cache_folder()
    if cache is not None:
        say(f"\ncache: {cache}")
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


def run_fetch(options: FetchOptions) -> None:
    """Download each data set, and go on if one cannot be had."""
    from disco_cvi.datasets import fetch

    failed, places = [], {}
    for info in _chosen(options):
        try:
            paths = fetch(info.name)[info.name]
        except (OSError, InvalidInputError, ImportError) as error:
            note(str(error))
            failed.append(info.name)
        else:
            places[info.name] = [str(path) for path in paths]
            if not options.json:
                say(f"{info.name}: {' '.join(places[info.name])}")
    if options.json:
        print_json(places)
    if failed:
        raise InvalidInputError(
            f"{count(len(failed), 'data set')} could not be fetched: {', '.join(failed)}."
        )


def _chosen(options: FetchOptions) -> DatasetTable:
    from disco_cvi.datasets import DatasetTable, available

    if options.all == bool(options.names):
        options.fail("give names of data sets, or --all")
    if options.all:
        return available()
    known, lister = available(), "'disco datasets'"
    try:
        found = [known.find(name, "NAME", "fetch", lister=lister) for name in options.names]
    except InvalidInputError as error:
        options.fail(error.worded("NAME"))
    return DatasetTable(dict.fromkeys(found))


COMMAND = Command(run, DatasetsOptions, "[fetch ...] [options]", _DESCRIPTION, _EPILOG)
CHILDREN = {
    "fetch": Command(
        run_fetch, FetchOptions, "[NAME ...] [--all]", _FETCH_DESCRIPTION, _FETCH_EPILOG
    )
}
