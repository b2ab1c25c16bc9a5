from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mutants.changes import mutants_of
from mutants.known import read_known
from mutants.subjects import GROUPS, Subject

SUBJECTS = [subject for group in GROUPS.values() for subject in group]


def changes(source: str) -> list[tuple[str, str]]:
    return [(each.kind, each.becomes) for each in mutants_of(source)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a < b", [("comparison", "(a <= b)"), ("comparison", "(a >= b)")]),
        ("return a == b", [("comparison", "(a != b)")]),
        ("return a + b", [("operation", "(a - b)")]),
        ("return a and b", [("and or", "(a or b)")]),
        ("return not a", [("sign", "a")]),
        ("return max(a, b)", [("opposite", "min(a, b)")]),
        ("return a.argmin()", [("opposite", "a.argmax()")]),
        ("return 3", [("constant", "4"), ("constant", "2")]),
        ("return True", [("constant", "False")]),
        ("return a if b else a", [("condition", f"a if {each} else a") for each in (True, False)]),
        ("return a.shape[0]", []),
        ("return f'{a + 1}'", []),
        ("return 'left out'", []),
        ("assert a > 1", []),
        ("c: int | None = a", []),
        ("c = a", []),
        ("a = b", [("removal", "pass")]),
        ("a[b] = b", [("removal", "pass")]),
        ("a += b", [("removal", "pass"), ("operation", "a -= b")]),
        ("raise a", [("removal", "pass")]),
    ],
)  # fmt: skip
def test_a_line_offers_these_changes(line: str, expected: list[tuple[str, str]]) -> None:
    source = f"def f(a, b):\n    {line}\n"
    found = [(kind, becomes.removeprefix("return ")) for kind, becomes in changes(source)]
    assert found == expected


def test_branches_and_loops_offer_these_changes() -> None:
    source = "def f(a):\n    while a:\n        if a:\n            break\n"
    assert changes(source) == [
        ("condition", "while False:"),
        ("condition", "if True:"),
        ("condition", "if False:"),
        ("jump", "continue"),
    ]


def test_what_nothing_can_notice_is_left_alone() -> None:
    source = "SIZE = 16\n@near(1)\ndef f(a: 1 | 2) -> 3:\n    '''4'''\n    return a\n"
    assert changes(source) == []


def test_methods_inner_functions_and_defaults_are_changed() -> None:
    method = "    def f(self, a=1):\n        def g():\n            return 5\n        return g\n"
    places = [(each.function, each.number) for each in mutants_of(f"class C:\n{method}")]
    assert places == [("C.f", 2), ("C.f", 2), ("C.f", 4), ("C.f", 4)]


def test_only_the_named_line_differs_and_places_are_counted_in_letters() -> None:
    source = "def f(a):\n    é = 'ö' * a\n    return (\n        é\n        + a\n    )\n"
    for each in mutants_of(source):
        ast.parse(each.source)
        assert each.source.splitlines()[0] == "def f(a):"
        assert each.becomes in {"é = ('ö' / a)", "(é - a)"}


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.module)
def test_the_table_names_modules_and_tests_that_exist(project: Path, subject: Subject) -> None:
    path = project / "src" / Path(*subject.module.split("."))
    assert path.with_suffix(".py").is_file()
    for test in subject.tests:
        assert (project / test).exists(), test


def test_every_listed_survivor_has_a_reason_and_a_module_of_the_table() -> None:
    modules = {subject.module.removeprefix("disco_cvi.") for subject in SUBJECTS}
    for key, reason in read_known().items():
        assert key.module in modules
        assert reason.endswith(".")
