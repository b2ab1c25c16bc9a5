"""The table of edge cases in docs/evidence/edge_cases.md is what the indices answer, row by row.

``python docs/tables.py`` writes the table anew; read the difference before you keep it.
"""

from __future__ import annotations

from tables import CASES, answer, read_part

from disco_cvi import IndexInfo
from disco_cvi._output.tables import read_markdown_table
from helpers.twins import INDICES, every_index


def read_answers() -> dict[str, dict[str, str]]:
    """The table of the page: case, index, answer."""
    header, *rows = read_markdown_table(read_part("docs/evidence/edge_cases.md", "table"))
    return {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}


def test_the_page_has_every_case_and_index() -> None:
    table = read_answers()
    assert list(table) == list(CASES)
    assert all(list(row) == [info.title for info in INDICES.values()] for row in table.values())


@every_index
def test_the_answers_are_the_documented_ones(info: IndexInfo) -> None:
    expected = {case: row[info.title] for case, row in read_answers().items()}
    assert {case: answer(info, case) for case in CASES} == expected
