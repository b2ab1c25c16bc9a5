"""What the paper's programs do otherwise than the definitions of the indices, told in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from disco_paper.published import (
    cdbw,
    cvdd,
    cvnn,
    dbcv,
    dcsi,
    lccv,
    mmj_sc,
    s_dbw,
    viasckde,
)

# By index: what its program does, one by one.
DEVIATIONS: dict[str, dict[str, str]] = {
    "dbcv": dbcv.DEVIATIONS,
    "dcsi": dcsi.DEVIATIONS,
    "mmj_sc": mmj_sc.DEVIATIONS,
    "lccv": lccv.DEVIATIONS,
    "viasckde": viasckde.DEVIATIONS,
    "cvdd": cvdd.DEVIATIONS,
    "cdbw": cdbw.DEVIATIONS,
    "cvnn": cvnn.DEVIATIONS,
    "s_dbw": s_dbw.DEVIATIONS,
}


def describe_deviations(index: str, chosen: Iterable[str] | None = None) -> str:
    """What the program of an index does otherwise, in a row; or some of it.

    >>> describe_deviations("dcsi")
    'squares all distances, and counts equal distances as one when it ranks neighbors'
    """
    texts = DEVIATIONS.get(index, {})
    parts = [texts[key] for key in (texts if chosen is None else chosen)]
    return ", and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
