"""What a shell offers for a word that is half typed."""

from __future__ import annotations


def _beginning(incomplete: str, known: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, what) for name, what in known.items() if name.startswith(incomplete)]


def complete_index(incomplete: str) -> list[tuple[str, str]]:
    """Names of indices."""
    from disco_cvi.indices.registry import available_indices

    names = {info.name: info.title for info in available_indices()}
    return _beginning(incomplete, {"all": "every index"} | names)


def complete_dataset(incomplete: str) -> list[tuple[str, str]]:
    """Names of data sets."""
    from disco_cvi.datasets.catalogue import CATALOGUE

    return _beginning(incomplete, {info.name: info.description for info in CATALOGUE})


def complete_experiment(incomplete: str) -> list[tuple[str, str]]:
    """Names of experiments."""
    from disco_cvi.experiments import available_experiments

    return _beginning(incomplete, {info.name: info.summary for info in available_experiments()})


def complete_metric(incomplete: str) -> list[str]:
    """Names of metrics."""
    from disco_cvi._input.metric import METRIC_NAMES

    return [name for name in METRIC_NAMES if name.startswith(incomplete)]
