"""The Dask cluster that joblib sends its work to, where a user said so."""

from __future__ import annotations

import sys
from typing import Any


def has_cluster() -> bool:
    """Whether joblib sends its work to a cluster; nobody who has not loaded it has said so."""
    return hasattr(_backend(), "client")


def send_once(*values: Any) -> list[Any]:
    """Bring values to all workers of the cluster, or return them if there is none.

    Within tasks they would go to the same worker again and again.
    """
    if not has_cluster():
        return list(values)
    sent: list[Any] = _backend().client.scatter(list(values), hash=False, broadcast=True)
    return sent


def _backend() -> Any:
    joblib = sys.modules.get("joblib.parallel")
    return None if joblib is None else joblib.get_active_backend()[0]
