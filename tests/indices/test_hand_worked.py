"""Values of points on a line, worked out by hand, and what is undefined: index by index.

Those of DISCO stand in `helpers.zoo`, those of DBCV beside its other tests.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from disco_cvi.exceptions import UndefinedScoreError
from helpers.twins import INDICES, TWINS, assert_agrees
from helpers.zoo import column

pytestmark = pytest.mark.small

NAN = math.nan
# Points on a line, labels, options, value; where the index has one for each point, all of them.
Row = tuple[list[float], list[int], dict[str, Any], Any]

SINGLETONS, FILTER, AS_CLUSTER = ({"noise": word} for word in ("singletons", "filter", "cluster"))
PAIRS, IN_PAIRS = [0.0, 1, 5, 6], [0, 0, 1, 1]
PLACES, IN_PLACES = [0.1, 0.1, 0.1, 0.7, 0.7], [0, 0, 0, 1, 1]
NOISY, IN_NOISY = [0.0, 1, 3, 5, 6, 99], [0, 0, -1, 1, 1, -1]

CALINSKI_HARABASZ: dict[str, Row] = {
    # Means 1/2, 11/2 and 3: B = 4 * (5/2)^2 = 25; W = 4 * (1/2)^2 = 1: 25 / (1 / 2).
    "two clusters": (PAIRS, IN_PAIRS, {}, 50.0),
    "noise": (NOISY, IN_NOISY, {}, 50.0),
    "noise as a cluster": (PAIRS, [0, 0, -1, -1], AS_CLUSTER, 50.0),
    # Means 1/2, 5 and 2: B = 2 * 9/4 + 9 = 27/2; W = 1/2: (27/2) / (1/2 / 1).
    "a cluster of one point": ([0, 1, 5], [0, 0, 1], {}, 27.0),
    "one center": ([-1, 1, -2, 2], IN_PAIRS, {}, 0.0),
    "clusters without width": (PLACES, IN_PLACES, {}, math.inf),
}
DAVIES_BOULDIN: dict[str, Row] = {
    # Means 1/2 and 11/2, widths 1/2 and 1/2: (1/2 + 1/2) / 5 for both.
    "two clusters": (PAIRS, IN_PAIRS, {}, 1 / 5),
    "noise": (NOISY, IN_NOISY, {}, 1 / 5),
    "noise as a cluster": (PAIRS, [0, 0, -1, -1], AS_CLUSTER, 1 / 5),
    # Means 1/2, 5 and 20, widths 1/2, 0 and 0: (1/2) / (9/2) for the first two; the third is worse
    # off with the first: (1/2) / (39/2).
    "clusters of one point": ([0, 1, 5, 20], [0, 0, 1, 2], {}, (1 / 9 + 1 / 9 + 1 / 39) / 3),
    "one center": ([-1, 1, -2, 2], IN_PAIRS, {}, math.inf),
    "one center, one width": ([-1, 1, 0, 0], IN_PAIRS, {}, math.inf),
    "clusters without width": (PLACES, IN_PLACES, {}, 0.0),
}
DUNN: dict[str, Row] = {
    # From 1 to 5, over 1.
    "two clusters": (PAIRS, IN_PAIRS, {}, 4.0),
    "noise": (NOISY, IN_NOISY, {}, 4.0),
    "noise as a cluster": (PAIRS, [0, 0, -1, -1], AS_CLUSTER, 4.0),
    # The gap 2 is between the last two, the diameter 3 that of the first.
    "three clusters": ([0, 3, 10, 11, 13, 14], [0, 0, 1, 1, 2, 2], {}, 2 / 3),
    "a cluster of one point": ([0, 1, 5], [0, 0, 1], {}, 4.0),
    "copies in two clusters": ([0, 1, 1, 6], IN_PAIRS, {}, 0.0),
    "clusters without width": (PLACES, IN_PLACES, {}, math.inf),
}
GENERALIZED_DUNN: dict[str, Row] = {
    # Distances 5, 6, 4, 5 between, means 1/2 away from all points: 5 / (2 * 1/2).
    "two clusters": (PAIRS, IN_PAIRS, {}, 5.0),
    "noise": (NOISY, IN_NOISY, {}, 5.0),
    "noise as a cluster": (PAIRS, [0, 0, -1, -1], AS_CLUSTER, 5.0),
    # Distances 5 and 4; diameters 1 and 0.
    "a cluster of one point": ([0, 1, 5], [0, 0, 1], {}, 9 / 2),
    # The second and the third are the same place: gap 0.
    "two clusters in one place": ([0, 1, 5, 5, 5], [0, 0, 1, 2, 2], {}, 0.0),
    "clusters without width": (PLACES, IN_PLACES, {}, math.inf),
}
# 0: a = 1, b = 11/2 (to 5 and 6): 9/11. 1: a = 1, b = 9/2: 7/9. The others alike.
APART = [9 / 11, 7 / 9, 7 / 9, 9 / 11]
SILHOUETTE: dict[str, Row] = {
    "two clusters": (PAIRS, IN_PAIRS, {}, APART),
    "a point alone in its cluster": ([0, 1, 5], [0, 0, 1], {}, [4 / 5, 3 / 4, 0]),
    "identical points": ([0.1] * 4, IN_PAIRS, {}, [0, 0, 0, 0]),
    # The copies 0 and 0: a = 0, b = 1 and so 1; of 0 and 1 in one cluster: a = 1, b = 0: -1 for
    # the copy, and a = b = 1: 0 for the other.
    "copies in two clusters": ([0, 0, 0, 1], IN_PAIRS, {}, [1, 1, -1, 0]),
    "one cluster and noise as a cluster": (PAIRS, [0, 0, -1, -1], AS_CLUSTER, APART),
    # b is the distance to the nearest noise point: 5 and 4.
    "one cluster and lone noise": (PAIRS, [0, 0, -1, -1], SINGLETONS, [4 / 5, 3 / 4, 0, 0]),
    "noise left out": ([0, 1, 3, 5, 6], [0, 0, -1, 1, 1], FILTER, [*APART[:2], NAN, *APART[2:]]),
    # The noise at 3 is nearer than any cluster: b = 3, 2, 2, 3.
    "noise as a rival": (
        [0, 1, 3, 5, 6],
        [0, 0, -1, 1, 1],
        SINGLETONS,
        [2 / 3, 1 / 2, 0, 1 / 2, 2 / 3],
    ),
}
# Noise at 6 and 7: jumps 4, 1, 3 from left to right.
JUMPS, IN_JUMPS = [0.0, 1, 2, 6, 7, 10, 11], [0, 0, 0, -1, -1, 1, 1]
MMJ_SC: dict[str, Row] = {
    # Jumps inside: 1, 2, 2; across 7. 0 and 1: a = 3/2, b = 7; 3: a = 2, b = 7.
    "two clusters": (
        [0, 1, 3, 10, 11, 13],
        [0, 0, 0, 1, 1, 1],
        {},
        [11 / 14, 11 / 14, 5 / 7] * 2,
    ),
    # 0 and 1: a = 1, b = 1 to the lone point; 9 and 10: a = 1, b = 7.
    "alone in its cluster": ([0, 1, 2, 9, 10], [0, 0, 5, 1, 1], {}, [0, 0, 0, 6 / 7, 6 / 7]),
    "identical points": ([3] * 4, IN_PAIRS, {}, [0.0] * 4),
    # 0, 0: a = 0, b = 5; 5: alone.
    "copies": ([0, 0, 5], [0, 0, 1], {}, [1, 1, 0]),
    "copies in two clusters": ([0, 0, 5, 5], [0, 1, 0, 1], {}, [-1 / 2] * 4),
    # 0 and 1: a = 1, b = 4; 5: the noise, a group of one point.
    "one cluster and noise": ([0, 1, 5], [0, 0, -1], {}, [3 / 4, 3 / 4, 0]),
    "one cluster and lone noise": ([0, 1, 5], [0, 0, -1], SINGLETONS, [3 / 4, 3 / 4, 0]),
    # Clusters: a = 1, b = 4 and 3. Noise: a = 1, b = 3.
    "noise is a group": (JUMPS, IN_JUMPS, {}, [3 / 4] * 3 + [2 / 3] * 4),
    # Without it the gap is 8.
    "noise is left out": (JUMPS, IN_JUMPS, FILTER, [7 / 8] * 3 + [NAN] * 2 + [7 / 8] * 2),
    "noise is one group each": (JUMPS, IN_JUMPS, SINGLETONS, [3 / 4] * 3 + [0] * 2 + [2 / 3] * 2),
}
S_DBW: dict[str, Row] = {
    # Variances 1/4 and 1/4, together 26/4; radius sqrt(1/2) / 2 = 0.35: nobody is that near to a
    # center, and nobody to the middle: density 0.
    "nobody near centers or the middle": (PAIRS, IN_PAIRS, {}, 1 / 26),
    "noise": ([0, 1, 2.75, 5, 6, 99], IN_NOISY, {}, 1 / 26),
    # The second cluster is one point: variances 1/4 and 0, together 14/3; radius 1/4; the lone
    # point is near its own center, nobody is near the middle 2.75.
    "a cluster of one point": ([0, 1, 5], [0, 0, 1], {}, 3 / 112),
    # Clusters -3, 3 and -3, 3: one center 0, which nobody is near, in the middle either.
    "both centers and the middle empty": ([-3, 3, -3, 3], IN_PAIRS, {}, 1.0),
    # Radius 0: closed balls hold the copies at their very center.
    "copies at two places": (PLACES, IN_PLACES, {}, 0.0),
    # Centers and middle are all 0, where the two points of the second cluster are: 2 / 2.
    "one center": ([-1, 1, 0, 0], IN_PAIRS, {}, 1.0 + 1.0),
    "all alone": ([0, 1, 5], [0, 1, 2], {}, 0.0),
    # Means -3 and 3, variances 9 and 9 (of -6, 0 and 0, 6), together 18; radius sqrt(18) / 2 = 2.1;
    # nobody is near the centers, but two points are near the middle 0.
    "centers empty, the middle not": ([-6, 0, 0, 6], IN_PAIRS, {}, math.inf),
}
# min_points is 2. All points are core points: of each cluster, two lie within 2.5, the median of 3,
# 2, 2, 3. The longest step is 1, the gap 10.
LINE = [0.0, 1, 2, 3, 13, 14, 15, 16]
TWO = [0, 0, 0, 0, 1, 1, 1, 1]
BY_TWO = {"min_points": 2}
DCSI: dict[str, Row] = {
    "two clusters": (LINE, TWO, BY_TWO, 10 / 11),
    "noise is left out": ([*LINE, 8], [*TWO, -1], BY_TWO, 10 / 11),
    "a cluster of min_points points": ([*LINE, 30, 31], [*TWO, 2, 2], BY_TWO, 10 / 11 / 3),
    "a point alone in its cluster": ([*LINE, 30], [*TWO, 7], BY_TWO, 10 / 11 / 3),
    "all points alone": ([0, 1, 2], [0, 1, 2], BY_TWO, 0.0),
    "clusters that share a core point": ([*LINE[:4], 3, 4, 5, 6], TWO, BY_TWO, 0.0),
    "the same points twice": (LINE[:4] * 2, TWO, BY_TWO, 0.0),
    "all points identical": ([5.0] * 8, TWO, BY_TWO, 0.0),
    "copies of two points": ([5.0] * 4 + [6.0] * 4, TWO, BY_TWO, 1.0),
    "one core is a point": ([0, 0, 0, 0, 3, 4, 5, 6], TWO, BY_TWO, 3 / 4),
    # Reaches 4, 3, 2, 2, 3, 4 and 48: the median is 3, so that 50 is no core point.
    "an outlier": (
        [0, 1, 2, 3, 4, 5, 50, 61, 62, 63, 64],
        [0] * 7 + [1] * 4,
        BY_TWO,
        56 / 57,
    ),
    "more min_points than points": ([0, 1, 2, 3], IN_PAIRS, {"min_points": 1000}, 0.0),
}
# The bandwidth is 1. Of three points in a row the middle one has the largest density, the ends have
# equal ones, and nothing comes from beyond: only the middle one has a weight.
FAR = [0.0, 1, 2, 100, 101, 102]
THREES = [0, 0, 0, 1, 1, 1]
WIDE = {"bandwidth": 1.0}
VIASCKDE: dict[str, Row] = {
    "two clusters": (FAR, THREES, WIDE, [0, 98 / 99, 0, 0, 98 / 99, 0]),
    "noise has no score": ([*FAR, 50], [*THREES, -1], WIDE, [0, 98 / 99, 0] * 2 + [NAN]),
    "a point alone in its cluster": ([0, 1, 2, 100], [0, 0, 0, 1], WIDE, [0, 98 / 99, 0, 0]),
    "all points alone": ([0, 1, 2], [0, 1, 2], WIDE, [0, 0, 0]),
    "a cluster of copies": ([0, 1, 2, 90, 90], [0, 0, 0, 1, 1], WIDE, [0, 88 / 89, 0, 0, 0]),
    "equal densities": ([0, 1, 100, 101], IN_PAIRS, WIDE, [0] * 4),
    "all points identical": ([3] * 4, IN_PAIRS, WIDE, [0] * 4),
    # 0 and 0 have copies inside and outside: a = b = 0.
    "copies inside and outside": ([0, 0, 9, 0, 0, 9], THREES, WIDE, [0] * 6),
    # Densities 2 and 2 at 0 and 9, 1 at 50: 0 has its copy outside, its nearest member is 9.
    "copies outside": ([0, 9, 50, 0, 9], [0, 0, 0, 1, 1], WIDE, [-1, -1, 0, 0, 0]),
}
# The deviation of -1 and 1 is 1. Both ends are representatives; moved by t towards the center, one
# lies t from its own end and 2 - t from the other, so that one of two points is near: Intra is 1/2
# throughout, Comp 1/2, Change 0. The facing ends 1 and 9 are 8 apart, and no point is within 1 of
# the middle: Sep is 8.
ENDS = [-1.0, 1, 9, 11]
CDBW: dict[str, Row] = {
    "two clusters": (ENDS, IN_PAIRS, {}, 8 / 4),
    "noise is left out": ([*ENDS, 5], [*IN_PAIRS, -1], {}, 8 / 4),
    # S is 1/2: the ends -1 and 1, moved by 0.1 to 0.4, have one of two points near, farther moved
    # ones none. The lone point is always near itself. Intra is 2 * 3/4 four times, then
    # 2 * 1/2: Comp 5/4, Change 1/14. S(c, e) is 1/2, nothing is near 5: Sep is 8.
    "a point alone in its cluster": ([-1, 1, 9], [0, 0, 1], {}, 8 * (5 / 4) ** 2 / (1 + 1 / 14)),
    "copies are one representative": (
        [-1, 1, 9, 9, 9],
        [0, 0, 1, 1, 1],
        {},
        8 * (5 / 4) ** 2 / (1 + 1 / 14),
    ),
    "all points alone": ([0, 1, 2], [0, 1, 2], {}, 0.0),
    "all clusters are copies": ([0.1] * 3 + [0.7] * 3, THREES, {}, 0.0),
    "all points identical": ([0.1] * 6, THREES, {}, 0.0),
    "clusters on top of each other": ([0, 1, 0, 1], IN_PAIRS, {}, 0.0),
}
# Den 1 1 2 2, so f 1/2 1/2 1 1. Cheapest way across: from 1 to 10, 9 + 3 (1 - exp(-1/2)).
# Path distances inside: 1 and 2. Mean 1/2 and 1; squares around it 4/4 and 4, over 3.
ACROSS = math.sqrt(1 / 2) * (9 + 3 * (1 - math.exp(-1 / 2)))
COMPACTNESS = math.sqrt(1 / 3) / 2 / 2 + math.sqrt(4 / 3) / 2
# Den 1 1 9: sep 9 + 10 (1 - exp(-(9 + 1/9 - 2))), times sqrt(1/9), for both clusters.
LONE = 2 * math.sqrt(1 / 9) * (9 + 10 * (1 - math.exp(-64 / 9))) / (math.sqrt(1 / 3) / 4)
BY_ONE = {"n_neighbors": 1}
CVDD: dict[str, Row] = {
    "two clusters": ([0, 1, 10, 12], IN_PAIRS, BY_ONE, 2 * ACROSS / COMPACTNESS),
    "noise is left out": ([5, 0, 1, 10, 12], [-1, 0, 0, 1, 1], BY_ONE, 2 * ACROSS / COMPACTNESS),
    "alone in its cluster": ([0, 1, 10], [0, 0, 5], BY_ONE, LONE),
    "all alone": ([0, 1, 5], [2, 1, 0], {}, math.inf),
    "two points": ([0, 1], [2, 1], {}, math.inf),
    "pairs of copies": ([0, 0, 5, 5], IN_PAIRS, {}, math.inf),
    "copies apart and alone": ([0, 0, 5], [0, 1, 2], BY_ONE, 0.0),
    "more copies than neighbors": ([0, 0, 5, 9], IN_PAIRS, BY_ONE, 0.0),
    "every point has enough copies": ([0, 0, 5, 5], IN_PAIRS, BY_ONE, 0.0),
    "copies in two clusters": ([0, 0, 5, 9], [0, 1, 1, 0], {}, 0.0),
    "identical points": ([3] * 4, IN_PAIRS, {}, 0.0),
    "identical points, all alone": ([3] * 3, [0, 1, 2], {}, 0.0),
}
POOLED = {"compactness": "pooled"}
CVNN: dict[str, Row] = {
    # Nearest of each: its partner. Distances 1 and 2.
    "separated": ([0, 1, 9, 11], IN_PAIRS, BY_ONE, 3.0),
    "separated, pooled": ([0, 1, 9, 11], IN_PAIRS, BY_ONE | POOLED, 1.5),
    # Of two neighbors one is always the other cluster's: 1/2.
    "half of the neighbors": ([0, 1, 9, 11], IN_PAIRS, {"n_neighbors": 2}, 3.5),
    # All three others, of which two are foreign: 2/3.
    "n_neighbors is n or more": ([0, 1, 9, 11], IN_PAIRS, {}, 3 + 2 / 3),
    "a cluster of one point": ([0, 1, 9], [0, 0, 1], BY_ONE, 1 + 1),
    "all alone": ([0, 1, 9], [0, 1, 2], {}, 1.0),
    "all alone, pooled": ([0, 1, 9], [0, 1, 2], POOLED, 1.0),
    # Distances 1, 8, 9.
    "one cluster, no noise": ([0, 1, 9], [0, 0, 0], {}, 6.0),
    # The nearest of 9 is noise, those of 0 and 1 are not: 1/3.
    "one cluster and noise": ([0, 1, 9, 10], [0, 0, 0, -1], BY_ONE, 6 + 1 / 3),
    "one cluster, noise left out": ([0, 1, 9, 10], [0, 0, 0, -1], BY_ONE | FILTER, 6.0),
    "one point": ([7], [0], {}, 0.0),
    "one point but for noise": ([7, 8], [0, -1], FILTER, 0.0),
    "one point and noise": ([7, 8], [0, -1], {}, 1.0),
    # Copies are neighbors at distance 0. The first neighbor by row of 0: row 1, of all others row
    # 0. So foreign: 0 of 2 and 2 of 2.
    "identical points": ([0.1] * 4, IN_PAIRS, BY_ONE, 1.0),
    # 1 lies between 0 and 2; the smaller row is nearest: in its cluster.
    "a tie": ([0, 1, 2, 3], IN_PAIRS, BY_ONE, 2 + 1 / 2),
}
# Lambda is 2: 40 is nobody's neighbor after one round, and after two. By row, nb is 1 2 3 3 3 2 0,
# so mu = 3, and the sums of three distances are 26 18 18 17 17 23 62.
# 15 is densest; it comes to stand for 11, 20 and 23 as well, 6 for itself and 2, 40 for itself.
# Paths: 6 to 15 and back 9, 40 to 15 (by 20) 25, 40 to 6 34; none leads to 40: 34, the longest.
SEVEN = [2.0, 6, 11, 15, 20, 23, 40]
LCCV: dict[str, Row] = {
    # 6 and 15: a = 9, b = 34, s = 25/34, weights 2 and 4; 40 is alone: 0.
    "two clusters": (SEVEN, [0, 0, 0, 0, 0, 1, 1], {}, 6 * 25 / 34 / 7),
    # 15: a = 34, b = 9, s = -25/34; 40: a = 25, b = 34, s = 9/34; 6 is alone: 0.
    "paths have a direction": (SEVEN, [0, 0, 1, 1, 1, 1, 1], {}, (-4 * 25 + 9) / 34 / 7),
    "noise has no weight": (SEVEN, [-1, 0, 0, 0, 0, -1, 1], {}, 4 * 25 / 34 / 7),
    "a cluster without a core is no other": (SEVEN, [0, 0, 0, 0, 1, 1, 0], {}, 0.0),
    "the only other core is noise": (SEVEN, [0, 0, 0, 0, 1, 1, -1], {}, 0.0),
    # 15 is noise: 6 and 40 are alone in their clusters.
    "points whose core is noise": (SEVEN, [0, 0, 0, -1, 0, 1, 1], {}, 0.0),
    "every cluster has one core": (SEVEN, [0, 0, 1, 1, 1, 1, 2], {}, 0.0),
    "all alone": (SEVEN, [0, 1, 2, 3, 4, 5, 6], {}, 0.0),
    "all alone but for noise": (SEVEN, [0, 1, 2, 3, -1, 5, 6], {}, 0.0),
    "one cluster": (SEVEN, [5] * 7, {}, 0.0),
    "one cluster and noise": (SEVEN, [5, 5, 5, 5, 5, -1, -1], {}, 0.0),
    "only noise": (SEVEN, [-1] * 7, {}, 0.0),
    "identical points": ([0.1] * 4, [0, 1, 0, 1], {}, 0.0),
    # Lambda is 1: no path leads from one pair to another, and there is no longest one.
    "pairs of copies": ([0, 0, 5, 5, 9, 9], [0, 0, 1, 1, 1, 1], {}, 0.0),
}

VALUES = {
    "calinski_harabasz": CALINSKI_HARABASZ,
    "davies_bouldin": DAVIES_BOULDIN,
    "dunn": DUNN,
    "generalized_dunn": GENERALIZED_DUNN,
    "silhouette": SILHOUETTE,
    "mmj_sc": MMJ_SC,
    "s_dbw": S_DBW,
    "dcsi": DCSI,
    "viasckde": VIASCKDE,
    "cdbw": CDBW,
    "cvdd": CVDD,
    "cvnn": CVNN,
    "lccv": LCCV,
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    info = INDICES[name]
    for case, (line, labels, options, expected) in VALUES[name].items():
        points = column(*line)
        score = info.function(points, labels, **options)
        assert type(score) is float
        assert score == pytest.approx(np.nanmean(expected), rel=2e-15, abs=5e-16), case
        if info.samples is not None:
            samples = info.samples(points, labels, **options)
            np.testing.assert_allclose(samples, expected, rtol=0, atol=1e-15, err_msg=case)
        assert_agrees(name, points, np.array(labels), **options)


# --- undefined ----------------------------------------------------------------------------------

# Points on a line, labels, options, what is missing.
Missing = tuple[list[float], list[int], dict[str, Any], str]

# With and without noise, and one point.
ONE_CLUSTER: dict[str, Missing] = {
    "one cluster": (PAIRS, [4] * 4, {}, "(2|two) (clusters|groups).*1 cluster"),
    "only noise": (PAIRS, [-1] * 4, {}, "(2|two) (clusters|groups).*0 clusters"),
    "one point": ([3], [0], {}, "(2|two) (clusters|groups).*1 cluster"),
}
AND_NOISE: dict[str, Missing] = {
    "one cluster and noise": (PAIRS, [4, 4, -1, -1], {}, "2 clusters.*1 cluster and 2 noise"),
}
SPREAD: dict[str, Missing] = {
    **ONE_CLUSTER,
    **AND_NOISE,
    "one place": ([0.1] * 4, IN_PAIRS, {}, "(points|clusters) that differ"),
    "every point alone": ([0, 1, 5], [0, 1, 2], {}, "a cluster of 2 points.*3 clusters"),
    "all alone but for noise": ([0, 1, 5], [0, 1, -1], {}, "a cluster of 2 points.*1 noise"),
}
ALL_ALONE: dict[str, Missing] = {
    "every point alone": ([0, 1, 2], [0, 1, 2], {}, "3 clusters and 0 noise"),
    "only noise left out": ([0, 1, 2], [-1] * 3, FILTER, "0 clusters and 3 noise points"),
    "only noise as singletons": ([0, 1, 2], [-1] * 3, SINGLETONS, "3 noise points"),
    "noise left out": ([0, 1, 2], [0, 0, -1], FILTER, "1 cluster and 1 noise"),
    "all left are alone": ([0, 1, 2], [0, 1, -1], FILTER, "2 clusters and 1 noise point"),
}
# The same in the words of MMJ-SC.
GROUPS_OF = ["1 group of 4", "1 group of 4", "1 group of 1", "3 groups of 3"]
GROUPS_OF += ["0 groups of 0", "3 groups of 3", "1 group of 2", "2 groups of 2"]
UNDEFINED: dict[str, dict[str, Missing]] = {
    "calinski_harabasz": SPREAD,
    # The third cluster does not help: the ratio of the first two is 0/0.
    "davies_bouldin": SPREAD
    | {"two in one": ([3, 3, 3, 7, 8], [0, 0, 1, 2, 2], {}, "clusters that")},
    "dunn": SPREAD | {"two in one": ([3, 3, 3, 7, 7], [0, 0, 1, 2, 2], {}, "points that differ")},
    "generalized_dunn": SPREAD
    | {"two in one": ([3, 3, 3, 7, 7], [0, 0, 1, 2, 2], {}, "clusters that differ")},
    "silhouette": ONE_CLUSTER | ALL_ALONE,
    "mmj_sc": {
        case: (*row[:3], f"these labels make {groups} point")
        for (case, row), groups in zip((ONE_CLUSTER | ALL_ALONE).items(), GROUPS_OF, strict=True)
    },
    "s_dbw": ONE_CLUSTER
    | AND_NOISE
    | {
        "identical": ([0.1] * 3, [0, 0, 1], {}, "differ; here all 3 cluster points"),
        "identical but for noise": ([3, 3, 4], [0, 1, -1], {}, "here all 2 cluster points"),
    },
    "dcsi": ONE_CLUSTER | AND_NOISE,
    "viasckde": ONE_CLUSTER | AND_NOISE,
    "cdbw": ONE_CLUSTER | AND_NOISE,
    "cvdd": ONE_CLUSTER | AND_NOISE,
    "cvnn": {
        f"only noise, {options}": ([0, 1, 2], [-1] * 3, options, "0 clusters and 3 noise")
        for options in ({}, FILTER)
    },
    "lccv": {
        str(labels): (list(range(len(labels))), labels, {}, "got [12] point")
        for labels in ([0], [-1], [0, 0], [0, 1], [-1, -1])
    },
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined(name: str) -> None:
    info = INDICES[name]
    for line, labels, options, missing in UNDEFINED[name].values():
        for function in filter(None, (info.function, info.samples)):
            with pytest.raises(UndefinedScoreError, match=rf"^{info.title} needs .*{missing}.*\.$"):
                function(column(*line), labels, **options)


def test_every_twin_has_rows() -> None:
    assert set(VALUES) == set(UNDEFINED) == set(TWINS)
