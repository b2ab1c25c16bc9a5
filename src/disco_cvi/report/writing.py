"""write_report: what a clustering is worth, as one page."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from disco_cvi._input.options import check_path
from disco_cvi._output.files import check_place, write_file
from disco_cvi._output.words import describe
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.style import THEMES
from disco_cvi.report.charts import draw_all
from disco_cvi.report.facts import facts_of
from disco_cvi.report.map import map_data
from disco_cvi.report.page import read_template, render
from disco_cvi.report.study import Request, Study, make_study
from disco_cvi.results.words import CHOOSE, decided_by_labels


def write_report(
    X: ArrayLike | DensityTree,
    labels: ArrayLike | Mapping[str, ArrayLike] | Any,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    about: str | None = None,
    row_names: Iterable[Any] | None = None,
    truth: ArrayLike | None = None,
    embedding: ArrayLike | None = None,
    indices: str | Iterable[str] | None = None,
    date: str | None = None,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Write a report on a clustering: one HTML file to look at, keep and send.

    The page tells the score and what it means, what to look at next, which clusters and points pull
    it down, whether the noise is rightly noise, which eps would be best, what other indices say,
    and how several labelings compare. It shows a map of the points, loads nothing from a network,
    and holds no time and no path: the same input gives the same bytes. It needs jinja2 and
    matplotlib (`pip install "disco-cvi[report]"`).

    Parameters
    ----------
    X : array-like of shape (n_points, n_features), or DensityTree
        The points, or the tree built from them; a square matrix of distances for
        ``metric="precomputed"``. A tree and distances have no map, unless `embedding` is given.
    labels : array-like, dict or data frame of these, Comparison, Suggestion, or fitted clusterer
        One label per point; or several labelings by name, which the page compares; or what
        `compare` or `suggest` returned; or a clusterer or search that has been fitted to `X`.
    path : str or path-like
        The page, which ends in .html; an existing file is replaced.
    title : str, optional
        What the page is about.
    about : str, optional
        Of several labelings, the one that the page shows; default: the best pair score.
    row_names : iterable of length n_points, optional
        Names of the points. Default: the index of `X`, if it is a data frame of pandas.
    truth : array-like of shape (n_points,), optional
        True labels; the page tells how well the labelings agree with them.
    embedding : array-like of shape (n_points, 2), optional
        Where the points stand in the map, for example of UMAP. Default: their two features, or the
        first two principal components.
    indices : str or iterable of str, optional
        Names of indices, see `available_indices`. Default: all, but those that compare all pairs
        of points only where that takes seconds.
    date : str, optional
        Shown at the end of the page.
    min_points : int, optional
        Points that make a place dense, the point itself counted; 5 if not given.
    metric : str or callable, optional
        Distance between points; euclidean if not given.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default -1
        The label of noise points; None if there is no noise.
    n_jobs : int, optional
        Threads to use; -1 for all processors.

    Returns
    -------
    dict
        What the page says, ready for ``json.dumps``: scores, verdict, what to look at next, facts
        on clusters, noise, the worst points, all indices, all labelings (best pair score first),
        and how it was computed. None where a quantity does not exist; no NaN, no NumPy types.

    Raises
    ------
    InvalidInputError, TypeError
        If an argument cannot be used, among them a path that cannot be written to.
    ImportError
        If jinja2 or matplotlib is missing, before anything is computed.

    Notes
    -----
    A page of 2,000 points takes about 0.3 MB, one of 100,000 about 4 MB. Of more points, the map
    shows 100,000, the 1,000 lowest scores and some of each cluster among them; all numbers are of
    all points.

    Examples
    --------
    >>> from disco_cvi.report import write_report
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9]]
    >>> facts = write_report(X, [0, 0, 0, 0, 1, 1, 1, 1], "report.html")  # doctest: +SKIP
    """
    caller = "write_report"
    _check_path(path, caller)
    _need_packages(caller)
    request = Request(
        title=title,
        about=about,
        row_names=row_names,
        truth=truth,
        embedding=embedding,
        indices=indices,
        date=date,
        min_points=min_points,
        metric=metric,
        metric_params=metric_params,
        noise_label=noise_label,
        n_jobs=n_jobs,
    )
    study = make_study(X, labels, request, caller)
    facts = facts_of(study)
    write_page(study, facts, path)
    return facts


def write_page(study: Study, facts: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write what was found out as a page, whole or not at all."""
    text = page_text(study, facts).encode("utf-8", errors="backslashreplace")
    write_file(path, lambda stream: stream.write(text))


def page_text(study: Study, facts: dict[str, Any]) -> str:
    """Return the page of a study; same study, same text."""
    style, script = render("report.css", {"themes": THEMES}), read_template("report.js")
    shown_map = None
    if study.plane is not None:
        shown_map = map_data(study.explanation, study.clustering.labels, study.plane)
    return render(
        "report.html",
        {
            "facts": facts,
            "charts": draw_all(study),
            "map": shown_map,
            "style": style,
            "script": script,
            "policy": _policy(style, script),
            "choose": CHOOSE,
            "is_decided": decided_by_labels(facts) is not None,
            "has_row_names": any(point["name"] is not None for point in facts["worst"]),
            "has_truth": study.agreements is not None,
        },
    )


def _policy(style: str, script: str) -> str:
    """What the page may do: its own style and script, pictures inside it, and nothing else.

    A policy inside a page cannot say who may frame it or where to report; these stay out.
    """
    hashes = (base64.b64encode(sha256(text.encode()).digest()).decode() for text in (script, style))
    allowed = "script-src 'sha256-{}'; style-src 'sha256-{}'".format(*hashes)
    rest = "img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; {allowed}; {rest}"


def _check_path(path: Any, caller: str) -> None:
    """Raise before the work begins if no page can be written to `path` after it."""
    name = str(check_path(path, "path", caller))
    if Path(name).suffix.lower() not in (".html", ".htm"):
        rule, got = "end in .html", describe(name)
        raise InvalidInputError(argument="path", caller=caller, rule=rule, got=got)
    check_place(name)


def _need_packages(caller: str) -> None:
    missing = [name for name in ("jinja2", "matplotlib") if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"{caller} needs {' and '.join(missing)}, which is not installed. "
            "Run 'pip install \"disco-cvi[report]\"'."
        )
