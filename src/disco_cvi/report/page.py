"""The page of a run: from facts to HTML, readable without JavaScript and without a network."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template

from disco_cvi._output.words import count
from disco_cvi.experiments.page.facts import Facts
from disco_cvi.report.values import (
    DASH,
    breakable,
    difference_text,
    printed_text,
    sentence,
    slug,
    value_text,
)

_MARKS = {
    "passes": "\N{CHECK MARK}",
    "within method": "\N{ALMOST EQUAL TO}",
    "fails": "\N{MULTIPLICATION X}",
    "not judged": "\N{WHITE CIRCLE}",
}
_MEANINGS = {
    "passes": "equal to the printed digits, or the claim holds",
    "within method": "as near as a random or partly unknown recipe allows",
    "fails": "different; the notes say what we know about it",
    "not judged": "nothing to compare with, or a recipe that was cut short",
}
# More than that are folded away.
_FEW_FOOTNOTES = 12
_FEW_AUDITS = 5
_FEW_DIFFERING = 12
_MANY_COLUMNS = 8
_LONG_TEXT = 40  # characters in a cell of a grid that do not stay in one line


def render(facts: Facts) -> str:
    """The whole page."""
    home = files("disco_cvi.report").joinpath("templates")
    template = Template(home.joinpath("paper.html").read_text("utf-8"))
    return template.substitute(
        head="".join(_count_title(verdict) for verdict in facts["counts"]),
        style=home.joinpath("page.css").read_text("utf-8"),
        counts=_count_tiles(facts["counts"]),
        scope=_scope(facts),
        contents=_joined(_contents_row(section) for section in facts["sections"]),
        findings=_findings(facts["sections"]),
        sections=_joined(_section(section) for section in facts["sections"]),
        versions=", ".join(escape(f"{name} {v}") for name, v in facts["versions"].items()),
    )


# --- the head of the page ------------------------------------------------------------------------


def _count_tiles(counts: dict[str, int]) -> str:
    return _joined(
        f'<li class="{slug(verdict)}"><span class="mark" aria-hidden="true">{_MARKS[verdict]}'
        f'</span><b>{number}</b> <span class="verdict">{verdict}</span>'
        f"<small>{_MEANINGS[verdict]}</small></li>"
        for verdict, number in counts.items()
    )


def _count_title(verdict: str) -> str:
    return (
        f'<th scope="col" class="{slug(verdict)}"><span class="mark" aria-hidden="true">'
        f'{_MARKS[verdict]}</span> <span class="word">{verdict}</span></th>'
    )


def _scope(facts: Facts) -> str:
    """What was cut short, if anything."""
    said = []
    if facts["quick"]:
        said.append(
            "This was a quick run, with fewer data sets and repetitions. Numbers whose recipe was "
            "cut short are not judged."
        )
    if facts["runs"]:
        said.append(f"Experiments that repeat did so {count(facts['runs'], 'time')}.")
    return f'<p class="scope">{" ".join(said)}</p>' if said else ""


def _contents_row(section: Facts) -> str:
    counts = section["counts"]
    cells = "".join(
        f'<td class="count {slug(verdict) if number else "none"}">{number or DASH}</td>'
        for verdict, number in counts.items()
    )
    return (
        f'<tr><th scope="row"><a href="#{section["name"]}">{escape(section["title"])}</a>'
        f"<small>{escape(section['paper'].partition(',')[0])}</small></th>{cells}"
        f'<td class="share">{_share(counts)}</td></tr>'
    )


def _share(counts: dict[str, int]) -> str:
    """A bar of the shares; the numbers beside it say the same."""
    parts = "".join(
        f'<i class="{slug(verdict)}" style="flex:{number}"></i>'
        for verdict, number in counts.items()
        if number
    )
    return f'<span class="bar" aria-hidden="true">{parts}</span>'


# --- what we found -------------------------------------------------------------------------------


def _findings(sections: list[Facts]) -> str:
    """All differing numbers and claims, and what depends on deviating programs, by experiment."""
    told = [s for s in sections if s["differing"] or s["audits"]]
    if not told:
        return "<p>Nothing differs in this run.</p>"
    return _joined(_findings_of(section) for section in told)


def _findings_of(section: Facts) -> str:
    return (
        f'<article><h3><a href="#{section["name"]}">{escape(section["title"])}</a> '
        f"<small>{escape(section['paper'])}</small></h3>{_differing(section['differing'])}"
        f"{_audits(section['audits'])}</article>"
    )


def _differing(cells: list[Facts]) -> str:
    if not cells:
        return ""
    shown = f'<ul class="items">{_joined(_item(cell) for cell in cells)}</ul>'
    if len(cells) <= _FEW_DIFFERING:
        return shown
    return f"<details><summary>{len(cells)} numbers or claims differ</summary>{shown}</details>"


def _audits(groups: list[Facts]) -> str:
    """Folded where there are many."""
    if not groups:
        return ""
    items = []
    for group in groups:
        places = "; ".join(_audited(cell) for cell in group["cells"])
        items.append(f"<li><b>{places.removesuffix('.')}.</b> {escape(group['note'])}</li>")
    n_cells = sum(len(group["cells"]) for group in groups)
    nouns = "number or conclusion" if n_cells == 1 else "numbers or conclusions"
    shown = " open" if len(groups) <= _FEW_AUDITS else ""
    return (
        f"<details{shown}><summary>{n_cells} {nouns} with a remark on the paper's program</summary>"
        f'<ul class="audits">{_joined(items)}</ul></details>'
    )


def _audited(cell: Facts) -> str:
    original = cell["original"]
    shown = "" if original is None else f", original {value_text(original, cell['paper'])}"
    return f"{escape(_place(cell))}: {value_text(cell['ours'], cell['paper'])}{shown}"


def _mark(cell: Facts) -> str:
    """The verdict as a sign, and in words for those who hear the page; none without a question."""
    verdict = cell["verdict"]
    if verdict == "not judged" and not cell["paper"]:
        return ""
    return (
        f'<span class="mark" aria-hidden="true">{_MARKS[verdict]}</span>'
        f'<span class="hidden">{verdict}</span>'
    )


def _worst(cells: list[Facts]) -> str:
    """The verdict that colors a cell with several numbers."""
    found = {cell["verdict"] for cell in cells}
    order = ("fails", "within method", "passes", "not judged")
    return next(verdict for verdict in order if verdict in found)


def _place(cell: Facts) -> str:
    """Where a cell stands: its row and column, and its table if there are several."""
    parts = [cell["row"], cell["column"] if cell["column"] != "claim" else ""]
    return ", ".join(part for part in parts if part)


# --- one experiment ------------------------------------------------------------------------------


def _section(section: Facts) -> str:
    tables, claims = (
        _joined(
            _table(table, section)
            for table in section["tables"]
            if (table["kind"] == "claims") == is_claims
        )
        for is_claims in (False, True)
    )
    body = [_notes(section), tables, _footnotes(section), claims, _pictures(section)]
    if section["name"].startswith("fig-"):  # the figure is what the reader looks for
        body.insert(0, body.pop())
    csv = section["csv"]
    link = f' <a class="file" href="{escape(csv)}">{escape(csv)}</a>' if csv else ""
    counts = ", ".join(f"{n} {verdict}" for verdict, n in section["counts"].items() if n)
    return (
        f'<section id="{section["name"]}"><header><h2>{escape(section["title"])}</h2>'
        f'<p class="source">{escape(section["paper"])} <code>{section["name"]}</code>{link}</p>'
        f"<p>{sentence(section['summary'])}</p>"
        f'<p class="tally">{counts or "no numbers"}</p></header>{"".join(body)}'
        '<p class="up"><a href="#contents">Contents</a></p></section>'
    )


def _table(table: Facts, section: Facts) -> str:
    title = f"<h3>{escape(table['title'])}</h3>" if table["title"] else ""
    if table["kind"] == "claims":
        items = _joined(_item(cell) for cell in table["rows"])
        return f'{title or "<h3>What the paper says</h3>"}<ul class="items">{items}</ul>'
    drawn = _grid(table, section["name"]) if table["kind"] == "grid" else _list(table)
    # Wide tables move sideways inside their frame; the frame can be reached with the keyboard.
    label = escape(table["title"] or section["title"])
    framed = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{drawn}</div>'
    if table["is_compared"] or not section["pictures"]:
        return f"{title}{framed}"
    # The figure shows these numbers already.
    named = escape(table["title"] or "Numbers of the figure")
    return f"<details><summary>{named}</summary>{framed}</details>"


def _grid(table: Facts, anchor: str) -> str:
    """Rows and columns as in the paper."""
    # With many columns the paper's numbers stand below ours, so that the table fits the page.
    is_dense = len(table["columns"]) > _MANY_COLUMNS
    head = "".join(f'<th scope="col">{breakable(column)}</th>' for column in table["columns"])
    lines = []
    for line in table["rows"]:
        cells = "".join(_cell(same, anchor, is_dense=is_dense) for same in line["cells"])
        lines.append(f'<tr><th scope="row">{breakable(line["name"])}</th>{cells}</tr>')
    return (
        f'<table class="grid{" dense" * is_dense}"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{_joined(lines)}</tbody></table>"
    )


def _cell(cells: list[Facts], anchor: str, *, is_dense: bool) -> str:
    """A cell of a grid, with all the numbers that stand in it."""
    if not cells:
        return '<td class="none"></td>'
    shown = "".join(f"<div>{_numbers(cell, anchor, is_dense=is_dense)}</div>" for cell in cells)
    is_text = any(len(f"{cell['ours']}{cell['paper']}") > _LONG_TEXT for cell in cells)
    return f'<td class="{slug(_worst(cells))}{" text" * is_text}">{shown}</td>'


def _numbers(cell: Facts, anchor: str, *, is_dense: bool) -> str:
    """Ours large, the paper's small beside it; below them how far apart, and the original."""
    ours = f'<span class="ours">{value_text(cell["ours"], cell["paper"])}</span>'
    said, mark = _paper(cell), f"{_mark(cell)}{_reference(cell, anchor)}"
    lines = [f'{ours}<span class="paper">{said}</span>{mark}']
    if is_dense:
        lines = [f"{ours} {mark}", *([f'<span class="more">paper {said}</span>'] if said else [])]
    if cell["verdict"] in ("within method", "fails") and cell["difference"] is not None:
        far = difference_text(cell["difference"], cell["paper"])
        lines.append(f'<span class="more">off by {far}</span>')
    if cell["original"] is not None:
        original = value_text(cell["original"], cell["paper"])
        lines.append(f'<span class="more">original {original}</span>')
    return "<br>".join(lines)


def _paper(cell: Facts) -> str:
    """What the paper prints; a dash of the paper only where it is compared with ours."""
    is_compared = cell["paper"] or cell["verdict"] != "not judged"
    return printed_text(cell["paper"]) if is_compared else ""


def _reference(cell: Facts, anchor: str) -> str:
    """The number of the cell's note; resting on it shows the note at once."""
    number = cell["footnote"]
    if number is None:
        return ""
    note = escape(cell["note"])
    return f'<sup><a href="#{anchor}-note-{number}" title="{note}">{number}</a></sup>'


def _list(table: Facts) -> str:
    """One line per number, with its note; columns in which nothing would stand are left out."""
    titles = [table["columns"][0], "paper", "off by", "original", "verdict", "note"]
    classes = ("ours", "", "", "", "verdict", "note")
    lines = [_line(cell) for cell in table["rows"]]
    kept = [k for k in range(len(titles)) if any(line[k] for line in lines)]
    head = "".join(f'<th scope="col">{escape(titles[k])}</th>' for k in kept)
    body = []
    for cell, line in zip(table["rows"], lines, strict=True):
        shown = "".join(f'<td class="{classes[k]}">{line[k]}</td>' for k in kept)
        name = f'<th scope="row">{breakable(cell["row"])}</th>'
        body.append(f'<tr class="{slug(cell["verdict"])}">{name}{shown}</tr>')
    return (
        f'<table class="list"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{_joined(body)}</tbody></table>"
    )


def _line(cell: Facts) -> tuple[str, ...]:
    far, original, paper = cell["difference"], cell["original"], cell["paper"]
    is_judged = cell["verdict"] != "not judged"
    return (
        value_text(cell["ours"], paper),
        _paper(cell),
        difference_text(far, paper) if far else "",
        "" if original is None else value_text(original, paper),
        f'<span class="mark" aria-hidden="true">{_MARKS[cell["verdict"]]}</span> {cell["verdict"]}'
        if paper or is_judged
        else "",
        escape(cell["note"]),
    )


def _item(cell: Facts) -> str:
    """A claim, or a number on its own: what the paper says, what we see, what we know about it."""
    far = cell["difference"]
    facts = [
        ("Paper", _paper(cell)),
        ("Ours", value_text(cell["ours"], cell["paper"])),
    ]
    facts += [] if not far else [("Off by", difference_text(far, cell["paper"]))]
    if cell["original"] is not None:
        facts.append(("Original definition", value_text(cell["original"], cell["paper"])))
    shown = "".join(f"<div><dt>{term}</dt><dd>{value}</dd></div>" for term, value in facts)
    table = f"<small>{escape(cell['table'])}</small>" if cell["table"] else ""
    note = f'<p class="note">{escape(cell["note"])}</p>' if cell["note"] else ""
    return (
        f'<li class="{slug(cell["verdict"])}"><h4>{_mark(cell)} {escape(_place(cell))} {table}</h4>'
        f"<dl>{shown}</dl>{note}</li>"
    )


def _footnotes(section: Facts) -> str:
    notes = section["footnotes"]
    if not notes:
        return ""
    items = _joined(
        f'<li id="{section["name"]}-note-{number}">{escape(note)}</li>'
        for number, note in enumerate(notes, start=1)
    )
    shown = f'<ol class="footnotes">{items}</ol>'
    if len(notes) <= _FEW_FOOTNOTES:
        return shown
    return (
        f"<details><summary>{count(len(notes), 'note')} on the numbers</summary>{shown}</details>"
    )


def _notes(section: Facts) -> str:
    return "".join(f'<p class="remark">{escape(note)}</p>' for note in section["notes"])


def _pictures(section: Facts) -> str:
    return _joined(_picture(picture) for picture in section["pictures"])


def _picture(picture: Facts) -> str:
    width, height = picture["size"]
    image = (
        f'<img src="data:image/png;base64,{picture["png"]}" alt="{escape(picture["alt"])}" '
        f'width="{width}" height="{height}">'
    )
    caption, svg = escape(picture["caption"]), escape(picture["svg"])
    if svg:
        image = f'<a href="{svg}">{image}</a>'
        caption = f'{caption} <a href="{svg}">{svg}</a>'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"


def _joined(parts: Iterable[str]) -> str:
    """Parts of the page, each in a line of its own."""
    return "\n".join(parts)
