"""DensityDBSCAN and DensityHDBSCAN are scikit-learn estimators: all of its checks pass."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from disco_cvi.cluster import DensityDBSCAN, DensityHDBSCAN

# None takes distances: the checks for clusterers give points to all of them.
CLUSTERERS = [
    DensityDBSCAN(),
    DensityDBSCAN(0.5, border="first"),
    DensityDBSCAN(metric="manhattan", min_points=2),
    DensityHDBSCAN(),
    DensityHDBSCAN(5, method="leaf", epsilon=0.1, allow_single_cluster=True),
]


@parametrize_with_checks(CLUSTERERS)  # type: ignore[untyped-decorator]
def test_check(estimator: Any, check: Any) -> None:
    check(estimator)
