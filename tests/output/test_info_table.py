"""A table of infos prints, becomes a data frame, and is chosen from by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from disco_cvi import available_indices
from disco_cvi._output.tables import Columns, InfoTable
from disco_cvi.exceptions import InvalidInputError


@dataclass(frozen=True)
class Animal:
    name: str
    legs: int


class Animals(InfoTable[Animal]):
    __slots__ = ()

    lister: ClassVar[str] = "animals()"
    shown: ClassVar[Columns] = {"animal": "name", "legs": "legs", "pairs": lambda a: a.legs // 2}
    framed: ClassVar[Columns] = {"name": "name", "is_bird": lambda a: a.legs == 2}
    right: ClassVar[frozenset[str]] = frozenset({"legs"})
    other_names: ClassVar[dict[str, str]] = {"hen": "chicken"}


class GuessTwo(Animals):
    __slots__ = ()

    n_guesses: ClassVar[int] = 2


ANIMALS = (Animal("guinea-pig", 4), Animal("Chicken", 2), Animal("duck", 2), Animal("cat", 4))
TABLE = Animals(ANIMALS)


def test_printing_shows_a_line_per_info() -> None:
    assert str(Animals(TABLE[:2])) == (
        "animal      legs  pairs\nguinea-pig     4  2\nChicken        2  1"
    )
    assert repr(TABLE) == "Animals(4: guinea-pig, Chicken, duck, cat)"


def test_it_is_a_sequence_of_infos() -> None:
    assert tuple(TABLE) == ANIMALS
    assert TABLE[1] is ANIMALS[1]
    assert ANIMALS[2] in TABLE


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_data_frame(backend: str) -> None:
    frame = TABLE.to_frame(backend=backend)
    assert list(frame.columns) == ["name", "is_bird"]
    assert list(frame["is_bird"]) == [False, True, True, False]
    with pytest.raises(InvalidInputError, match="backend of to_frame"):
        TABLE.to_frame(backend="arrow")


@pytest.mark.parametrize("name", ["Chicken", "chicken", "CHICK-EN", " chic_ken", "Hen"])
def test_spelling_does_not_matter(name: str) -> None:
    assert TABLE.find(name, "name", "load") is ANIMALS[1]


def test_all_one_or_several_are_chosen_in_the_order_of_the_user() -> None:
    assert TABLE.choose("all", "names", "fetch") == ANIMALS
    assert TABLE.choose("cat", "names", "fetch") == ANIMALS[3:]
    chosen = TABLE.choose((name for name in ("duck", "hen")), "names", "fetch")
    assert chosen == (ANIMALS[2], ANIMALS[1])
    assert isinstance(chosen, Animals)


@pytest.mark.parametrize(
    ("table", "names", "message"),
    [
        (TABLE, "dug", "got 'dug'. Did you mean 'duck'?"),
        (TABLE, "henn", "got 'henn'. Did you mean 'Chicken'?"),
        (TABLE, ["duck", "zebu"], "got 'zebu'. There are guinea-pig, Chicken, duck, cat."),
        (GuessTwo(ANIMALS), "cuck", "got 'cuck'. Did you mean 'duck' or 'Chicken'?"),
    ],
)
def test_a_wrong_name_is_guessed(table: Animals, names: object, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        table.choose(names, "names", "fetch")
    assert (
        str(caught.value) == f"names of fetch must be among those that animals() lists; {message}"
    )


def test_the_lister_can_have_another_name() -> None:
    with pytest.raises(InvalidInputError, match="name of load must be among those that 'zoo' list"):
        TABLE.find("gnu", "name", "load", lister="'zoo'")


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (5, TypeError, r"^names of fetch must be 'all', a name \(str\) or several; got 5 \(int\)"),
        (["duck", None], TypeError, "^names of fetch must be given as str; got None"),
        (
            [],
            InvalidInputError,
            r"^names of fetch must name one or more, or be 'all'. The names are ",
        ),
    ],
)
def test_what_is_no_name_is_refused(names: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TABLE.choose(names, "names", "fetch")


def test_the_indices_are_such_a_table() -> None:
    frame = available_indices().to_frame()
    assert list(frame["name"]) == [info.name for info in available_indices()]
    assert frame["highest"].max() == float("inf")
