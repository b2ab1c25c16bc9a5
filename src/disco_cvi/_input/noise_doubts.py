"""Labels are taken as they stand; where noise is probably meant otherwise, users are told."""

from __future__ import annotations

from collections.abc import Iterable

from disco_cvi._input.labels import Labels, Name
from disco_cvi._output.warn import warn_user
from disco_cvi._output.words import shorten
from disco_cvi.exceptions import NoiseLabelWarning

# What people and programs call noise, in small letters.
_LIKE_NOISE = frozenset(
    ["-1", "noise", "outlier", "outliers", "unclustered", "unassigned", "none", "nan"]
)
_DEFAULT = -1


def noise_like(names: Iterable[Name]) -> Name | None:
    """Return the first cluster whose name sounds like noise, or None.

    >>> noise_like(["left", "right", "Noise"])
    'Noise'
    """
    return next((name for name in names if str(name).lower() in _LIKE_NOISE), None)


def warn_of_noise(labelings: Iterable[tuple[object, Labels]], noise_label: object) -> None:
    """Warn if a cluster sounds like noise, or no labeling of a call has the noise that it names.

    `labelings` are labels as given and as checked; whoever gives checked ones has looked.
    """
    checked = [labels for given, labels in labelings if not isinstance(given, Labels)]
    if noise_label is None or not checked:
        return
    if noise_label != _DEFAULT:
        if not any(labels.n_noise for labels in checked):
            warn_user(
                f"No point has the noise_label {shorten(noise_label)}; the clusters are "
                f"{shorten(list(checked[0].names))}. Pass noise_label=None if there is no noise.",
                NoiseLabelWarning,
            )
        return
    for labels in checked:
        name = noise_like(labels.names)
        if labels.n_noise == 0 and name is not None:
            warn_user(
                f"The cluster {shorten(name)} counts as a cluster. If it is noise, pass "
                f"noise_label={shorten(name)}; if not, noise_label=None.",
                NoiseLabelWarning,
            )
            return
