"""Where numbers come from: versions of packages, and digests of data that tell them from others."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._input.labels import Labels
    from disco_cvi._input.points import Points

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "matplotlib")


def versions_of(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Versions of this package, of Python and of other packages."""
    found = {"disco-cvi": __version__, "python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def digest_of(*arrays: NDArray[Any]) -> str:
    """SHA-256 of shapes and values, whatever machine holds them.

    >>> digest_of(np.array([[0.0, 1.0]]))[:12]
    '355c2d63ad19'
    """
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.shape}{array.dtype.kind}{array.dtype.itemsize}".encode())
        digest.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).data)
    return digest.hexdigest()


def describe_data(points: Points) -> dict[str, str]:
    """What was given in place of the points, in words, and its digest."""
    if points.given is None:
        line = points.tree.parts.line
        how = "" if points.tree.algorithm == "exact" else "approximate "
        words = f"{how}density tree of {points.n_points:,} points"
        return {"words": words, "sha256": digest_of(line.leaves, line.joins, line.core)}
    rows, columns = points.given.shape
    kind = "distances" if points.metric.name == "precomputed" else "features"
    words = f"{rows:,} rows of {columns:,} {kind}, as 64-bit floats"
    return {"words": words, "sha256": digest_of(points.given)}


def labels_digest(labels: Labels) -> str:
    """SHA-256 of a labeling: the cluster of each point and the names of the clusters."""
    names = json.dumps(labels.names).encode()
    return hashlib.sha256(digest_of(labels.codes).encode() + names).hexdigest()
