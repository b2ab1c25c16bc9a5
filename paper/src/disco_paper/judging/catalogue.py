"""What `reproduce` knows: a row per table or figure, in the order of the paper; then our own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from disco_cvi._output.tables import Columns, FieldsDisplay, InfoTable
from disco_cvi._output.words import duration
from disco_cvi.exceptions import InvalidInputError

# The labels in the paper's source, which are for the page.
_LABEL = re.compile(r",? (and )?(fig|tab):[\w:-]+")
_PLACE = re.compile(r"(Table|Figure)s? (\d+[a-z]?)(?: and (\d+[a-z]?))?")
_ASKED_PLACE = re.compile(r"(tab|table|fig|figure)\.?\d+[a-z]?")


# What stands for the place in the paper of a study that is not there.
OURS = "Our own study, not the paper's"


@dataclass(frozen=True, repr=False)
class ExperimentInfo(FieldsDisplay):
    """A table or figure of the paper, or a study of our own.

    Attributes
    ----------
    name : str
        What to call it in `reproduce`.
    title : str
    paper : str
        Where it is in the paper; empty for a study of our own.
    summary : str
        What it shows, in a line.
    seconds : int
        About how long it takes on two processors.
    topic : str
        The folder of its module, which has its name, with _ for -.
    """

    name: str
    title: str
    paper: str
    summary: str
    seconds: int
    topic: str

    def __repr__(self) -> str:
        return f"ExperimentInfo({self.name!r}: {self.title})"

    @property
    def is_ours(self) -> bool:
        """Whether it is a study of our own, which the paper does not have."""
        return not self.paper

    @property
    def origin(self) -> str:
        """Where it is in the paper, or that it is not there."""
        return OURS if self.is_ours else self.paper

    @property
    def places(self) -> list[str]:
        """The paper's own names for it: "Table 2", "Figure 20a"."""
        return [
            f"{kind} {number}"
            for kind, *numbers in _PLACE.findall(self.paper)
            for number in filter(None, numbers)
        ]


class ExperimentTable(InfoTable[ExperimentInfo]):
    """Experiments in a row; printing it shows a table."""

    __slots__ = ()

    lister: ClassVar[str] = "available_experiments()"
    shown: ClassVar[Columns] = {
        "experiment": "name",
        "in the paper": lambda info: _LABEL.sub("", info.origin),
        "time": lambda info: duration(info.seconds),
        "what it shows": "summary",
    }
    right: ClassVar[frozenset[str]] = frozenset({"time"})
    framed: ClassVar[Columns] = {
        name: name for name in ("name", "title", "paper", "is_ours", "summary", "seconds")
    }

    def find(self, name: object, argument: str, caller: str, *, lister: str = "") -> ExperimentInfo:
        """Return the info of a name, which may be the paper's own ("Table 2")."""
        plain = re.sub("[ _-]", "", str(name).casefold())
        if _ASKED_PLACE.fullmatch(plain) and plain not in self.other_names:
            # The nearest number would be no better a guess than any other.
            places = (f"{place} ({info.name})" for info in self for place in info.places)
            raise InvalidInputError(
                argument=argument,
                caller=caller,
                rule=f"be among those that {lister or self.lister} lists",
                got=repr(name),
                remedy=f"There are {', '.join(places)}.",
            )
        return super().find(name, argument, caller, lister=lister)


EXPERIMENT_TABLE = ExperimentTable(
    (
        ExperimentInfo(
            "fig-rings",
            "Rings in noise",
            "Figure 1, fig:motivation",
            "the scores under the four panels, and what the other indices say of them",
            2,
            "preferences",
        ),
        ExperimentInfo(
            "tab-features",
            "Features of the indices",
            "Table 1, tab:feature_overview",
            "shapes, noise, bounds, order of the rows and direction of each index, by computation",
            6,
            "preferences",
        ),
        ExperimentInfo(
            "fig-dbcv-shuffle",
            "DBCV depends on the order of the rows",
            "Figure 2, fig:dbcvNotDeterministic",
            "DBCV (published, authors' tree, order-proof) and DISCO of the truth over 1000 "
            "shuffles",
            65,
            "row_order",
        ),
        ExperimentInfo(
            "fig-pointwise",
            "Pointwise scores of cluto-t8-8k",
            "Figure 3, fig:pointwise_discussion",
            "the score of every point under the truth and under k-means",
            2,
            "overview",
        ),
        ExperimentInfo(
            "tab-shapes",
            "Clusters of any shape against those of k-means",
            "Table 2, tab:density_not_applicable",
            "eleven indices of the truth and of k-means on 3-spiral and complex9",
            15,
            "preferences",
        ),
        ExperimentInfo(
            "tab-noise",
            "Good and bad noise labels",
            "Table 3, tab:good_vs_bad_noise",
            "eleven indices of good and bad noise labels on cluto-t8-8k and two rings",
            6,
            "preferences",
        ),
        ExperimentInfo(
            "fig-eps-synth",
            "Choosing eps for DBSCAN on Synth_high",
            "Figure 4, fig:exp:findkeps",
            "the eps that each of ten indices prefers for DBSCAN on Synth_high",
            140,
            "parameters",
        ),
        ExperimentInfo(
            "tab-pcc",
            "Agreement of the indices with the truth",
            "Table 4, tab:pearson",
            "correlation of eleven indices with the ARI over seven labelings of 19 data sets",
            900,
            "overview",
        ),
        ExperimentInfo(
            "fig-mu",
            "Robustness against mu",
            "Figure 5, fig:exp:minptsablation",
            "DISCO of the true labels for mu = 1 to 10, or to 32, on 19 data sets",
            60,
            "parameters",
        ),
        ExperimentInfo(
            "fig-noise-parts",
            "The two parts of the noise score",
            "Figure 6, fig:exp:noise:both",
            "DISCO and its parts while a group of noise grows, or a noise point leaves a cluster",
            2,
            "noise",
        ),
        ExperimentInfo(
            "fig-closest",
            "The closest cluster",
            "Figure 7, fig:closest_cluster",
            "a sketch in which the nearest cluster is not the closest one by density",
            1,
            "overview",
        ),
        ExperimentInfo(
            "fig-noise-sketch",
            "Good and bad noise",
            "Figure 8, fig:noiseIllustration",
            "four kinds of noise in a sketch, and which part of the score decides for them",
            6,
            "noise",
        ),
        ExperimentInfo(
            "fig-mst",
            "Different minimum spanning trees of one graph",
            "Figure 9, fig:non_unique_MSTs",
            "Kruskal's and Prim's tree of complex8 under mutual reachability: weight and leaves",
            5,
            "row_order",
        ),
        ExperimentInfo(
            "tab-dbcv-t5",
            "Parameter selection with DBCV on cluto-t5-8k",
            "Table 5, tab:dbcv_nondeterminism; Figures 10 and 11",
            "published DBCV of 40 DBSCAN labelings and the truth over 100 orders of the rows",
            220,
            "row_order",
        ),
        ExperimentInfo(
            "tab-dbcv-t8",
            "Parameter selection with DBCV on cluto-t8-8k",
            "Table 6, tab:dbcv_nondeterminism2; Figures 12 and 13",
            "published DBCV of three DBSCAN labelings and the truth over 100 orders of the rows",
            40,
            "row_order",
        ),
        ExperimentInfo(
            "tab-datasets",
            "The data sets",
            "Table 7, tab:dataset-prop",
            "points, features, clusters, noise, and DISCO of the truth, of 19 data sets",
            15,
            "overview",
        ),
        ExperimentInfo(
            "tab-implementation",
            "Implementations of the indices",
            "Table 8, tab:implementation_details",
            "direction, bounds, parameters and programs of each index, theirs beside ours",
            1,
            "overview",
        ),
        ExperimentInfo(
            "tab-runtimes",
            "Run times of the indices",
            "Table 9, tab:runtimes; Figure 14, fig:runtimes",
            "seconds of eleven indices on the true labels of 19 data sets, compared by ratios",
            240,
            "overview",
        ),
        ExperimentInfo(
            "fig-eps-more",
            "Choosing eps for DBSCAN on 3-spiral and COIL20",
            "Figure 15, fig:exp:findkeps3spiralAndCOIL20",
            "the eps that each of ten indices prefers for DBSCAN on 3-spiral and COIL20",
            280,
            "parameters",
        ),
        ExperimentInfo(
            "fig-mu-noise",
            "Robustness against mu at several noise levels",
            "Figure 16, fig:exp:muablation",
            "DISCO for mu = 1 to 11 on ten clusters with up to 50 % of noise added",
            40,
            "parameters",
        ),
        ExperimentInfo(
            "fig-noise-dist",
            "Other distributions of noise",
            "Figures 17 and 18, fig:exp:discoscore and fig:exp:noisescore",
            "DISCO and its noise score with Gaussian, uniform and Poisson noise",
            22,
            "noise",
        ),
        ExperimentInfo(
            "tab-uci-noise",
            "Noise found by HDBSCAN in real data",
            "Table 10, tab:noiserwprop; Figure 19, fig:noisewrbox",
            "counts, DISCO and pointwise noise scores of HDBSCAN's labels of six UCI data sets",
            30,
            "noise",
        ),
        ExperimentInfo(
            "fig-moons-swap",
            "Sensitivity to mislabeled points",
            "Figure 20a, fig:exp:moons_swap_result",
            "eight indices on two moons while up to half of the labels are swapped",
            3,
            "sensitivity",
        ),
        ExperimentInfo(
            "fig-separation",
            "Sensitivity to separation",
            "Figure 20b, fig:exp:compsep_result",
            "eight indices on two discs that move apart",
            5,
            "sensitivity",
        ),
        ExperimentInfo(
            "fig-moons-jitter",
            "Sensitivity to fuzzy borders",
            "Figure 20c, fig:exp:jitterratios",
            "eight indices on two moons with more and more jitter",
            3,
            "sensitivity",
        ),
        ExperimentInfo(
            "fig-sensitivity",
            "Sensitivity of the indices, all three panels",
            "Figure 20, fig:exp:ablation_clustering_score",
            "mislabeled points, separation and fuzzy borders in one figure",
            8,
            "sensitivity",
        ),
        ExperimentInfo(
            "choose-eps",
            "Choosing eps, min_cluster_size and k by an index",
            "",
            "what is lost when an index chooses among labelings of 72 data sets",
            420,
            "choosing",
        ),
    )
)
INFOS = {info.name: info for info in EXPERIMENT_TABLE}


def _spellings() -> dict[str, str]:
    """The paper's own names, with words in full and cut short, by their plain form."""
    found = {}
    for info in EXPERIMENT_TABLE:
        for place in info.places:
            word, number = place.lower().split()
            for spelling in (word, word[:3], f"{word[:3]}."):
                found[f"{spelling}{number}"] = info.name.replace("-", "")
    return found


ExperimentTable.other_names = _spellings()
