"""Every data set of the paper: what it holds, where it comes from, and how to know it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from disco_cvi._output.tables import FieldsDisplay
from disco_cvi._output.words import count

# How the file of a data set is written.
Form = Literal["arff", "commas", "blanks", "semicolons", "named", "array", "images"]


@dataclass(frozen=True, repr=False)
class DatasetInfo(FieldsDisplay):
    """One data set that `load` knows.

    Attributes
    ----------
    name : str
        The name for `load`.
    n_points, n_features, n_clusters, n_noise : int
        Its size; noise is not counted as a cluster.
    description : str
        What a point is, and what a cluster.
    source : str
        Who made it, and where it is published.
    licence : str
        What is known of its licence.
    address : str
        Where it is downloaded from.
    address_checked : bool
        Whether a download from there has been tried; if not, the address may be wrong.
    files : tuple of str
        The files in the folder that DISCO_DATA names, and in the cache folder.
    form : str
        How these files are read.
    holds_images : bool
        Whether features are gray values of an image, which are standardized all together.
    digest : str
        SHA-256 of the values, see `value_digest`.
    """

    name: str
    n_points: int
    n_features: int
    n_clusters: int
    n_noise: int
    description: str
    source: str
    licence: str
    address: str
    files: tuple[str, ...]
    form: Form
    digest: str
    holds_images: bool = False
    address_checked: bool = False

    def __repr__(self) -> str:
        size = f"{self.n_points:,} points with {count(self.n_features, 'feature')}"
        return f"DatasetInfo({self.name!r}: {size}, {count(self.n_clusters, 'cluster')})"


# Names that are understood too: small letters, without blanks, hyphens and underscores.
OTHER_NAMES = {
    "threespiral": "3spiral",
    "synth1000.0": "synthnonoise",
    "wirelessindoorlocalization": "wifi",
    "wifilocalization": "wifi",
    "wine": "winequality",
    "coil20128x128": "coil20",
    "cmufaces4": "cmufaces",
    "cmufaceimages": "cmufaces",
}

_Size = tuple[int, int, int, int]  # points, features, clusters, noise


def _benchmark(name: str, size: _Size, digest: str, description: str, cited: str) -> DatasetInfo:
    """A set of the clustering benchmark by Tomas Barton."""
    licence = "no licence is named"
    if name == "chainlink":
        licence += "; its file asks users to cite Ultsch 2005"
    cites = f"; the file cites {cited}" if cited else ""
    return DatasetInfo(
        name,
        *size,
        description=description,
        source=f"github.com/deric/clustering-benchmark{cites}",
        licence=licence,
        address="https://raw.githubusercontent.com/deric/clustering-benchmark/master/src/main/"
        f"resources/datasets/artificial/{name}.arff",
        files=(f"deric/{name}.arff",),
        form="arff",
        digest=digest,
    )


def _densired(name: str, file: str, n_noise: int, digest: str, description: str) -> DatasetInfo:
    """A set that the authors of DISCO made with the generator DENSIRED."""
    return DatasetInfo(
        name,
        *(5000, 100, 10, n_noise),
        description=description,
        source="github.com/pasiweber/DISCO; made with the generator DENSIRED, Jahn et al. 2024",
        licence="no licence is named",
        address=f"https://raw.githubusercontent.com/pasiweber/DISCO/main/datasets/{file}",
        files=(f"densired/{file.rpartition('/')[2]}",),
        form="array",
        digest=digest,
    )


def _uci(
    name: str,
    size: _Size,
    page: str,
    files: str,
    form: Form,
    digest: str,
    description: str,
    *,
    holds_images: bool = False,
) -> DatasetInfo:
    """A set of the UCI Machine Learning Repository; `page` is the number and name of its page."""
    title = page.partition("/")[2].replace("+", " ")
    return DatasetInfo(
        name,
        *size,
        description=description,
        source=f"UCI Machine Learning Repository: {title}",
        licence="CC BY 4.0 by the pages of UCI, as far as known",
        address=f"https://archive.ics.uci.edu/static/public/{page}.zip",
        files=tuple(files.split()),
        form=form,
        digest=digest,
        holds_images=holds_images,
    )


CATALOGUE = (
    _benchmark(
        "3-spiral",
        (312, 2, 3, 0),
        "6bf34c57bf3990f928095c40bbe5012a69ea69f7bca6935103893c027e51d706",
        "Three spirals that wind around each other.",
        "Chang and Yeung 2008",
    ),
    _benchmark(
        "aggregation",
        (788, 2, 7, 0),
        "47fad6ef5edd7899848ec947797c1f02324fa750049c84d9b3975488ab9990e7",
        "Seven round groups of different sizes, some joined by thin bridges.",
        "Gionis et al. 2007",
    ),
    _benchmark(
        "chainlink",
        (1000, 3, 2, 0),
        "489c51163de47a5a1afa3b872da2bc98bfe97702e5b56d7ab5cbde9b9a060213",
        "Two rings in space, linked like a chain.",
        "Ultsch 2005",
    ),
    _benchmark(
        "cluto-t4-8k",
        (8000, 2, 6, 764),
        "bcb3ef349b880e236c52ab650df93dc814478ed8fe7f68d385198d70a03c2fce",
        "Six shapes, some inside others, in noise with a sine wave through them.",
        "Karypis 2002",
    ),
    _benchmark(
        "cluto-t5-8k",
        (8000, 2, 6, 1153),
        "be71fed17f5538392ba8ce8f7d75b5e07116f8fe1a1f631e5d91e201b3c9a9c3",
        "Six letters in noise, with a bar across them.",
        "Karypis 2002",
    ),
    _benchmark(
        "cluto-t7-10k",
        (10000, 2, 9, 792),
        "631259c9daaee19473bee513eb0f815264c0fa5e6549630e31ee1abd95450334",
        "Nine shapes of different sizes, some inside others, in noise.",
        "Karypis et al. 1999",
    ),
    _benchmark(
        "cluto-t8-8k",
        (8000, 2, 8, 323),
        "d6abcbb6ad9bb752a6f7beddb44f3b3ace750102bbdbe4d837abf90458edda69",
        "Eight shapes of different densities, in noise.",
        "Karypis et al. 1999",
    ),
    _benchmark(
        "complex8",
        (2551, 2, 8, 0),
        "09871fcdfc4088e4010c3fa05c7ac17368b264c45ee7ea5e21bab417a07b6fc7",
        "Eight shapes, partly around each other.",
        "Salvador and Chan 2004",
    ),
    _benchmark(
        "complex9",
        (3031, 2, 9, 0),
        "4eeb0288f443d48f9091e29a99a156a8ad7f9c8adc229ecae8b370fc62ee304b",
        "Nine shapes, partly around each other.",
        "Salvador and Chan 2004",
    ),
    _benchmark(
        "compound",
        (399, 2, 6, 0),
        "6ca79dfdff8655d9da5abbd402410fbfe6dc1af1460db5126f68c69be1390c18",
        "Six groups: touching, one in another, and a dense one in a sparse one.",
        "Zahn 1971",
    ),
    _benchmark(
        "dartboard1",
        (1000, 2, 4, 0),
        "22942770d049ea5072cd906f39dbe894d6bfacc59f9e6fbb574763c389fda1ee",
        "Four rings around one center.",
        "",
    ),
    _benchmark(
        "diamond9",
        (3000, 2, 9, 0),
        "ee2c03711ef2aca1dc57eac306feb96c0b834b5cfd397ad848cd103861aa9e23",
        "Nine diamonds that touch at their corners.",
        "Salvador and Chan 2004",
    ),
    _benchmark(
        "smile1",
        (1000, 2, 4, 0),
        "273c0e184b011019372280a5c615ef27958adc6a2b78508142fcce35ead3c0e4",
        "A smiling face: two eyes, a mouth, and the circle around them.",
        "Handl and Knowles 2004",
    ),
    _densired(
        "Synth_low",
        "low_data_100.npy",
        500,
        "5a87885b94b7409b4b6bef009b03afeb4d26c35d540c51e6e7118066d148515c",
        "Ten compact clusters of different densities, in noise.",
    ),
    _densired(
        "Synth_high",
        "high_data_100.npy",
        500,
        "dcb941cc90450f552e5b7e80e4a3d824aa1ac106e288b23225bbba6e2b3e5ddb",
        "Ten stretched clusters of different densities, in noise.",
    ),
    _densired(
        "Synth_no_noise",
        "synth/synth_100_0.0.npy",
        0,
        "e3d5de02c44a5c7b1745571684bca8ecaa5f09b8ae5cc0fe92242992adf39141",
        "Ten stretched clusters of different densities, without noise.",
    ),
    _uci(
        "htru2",
        (17898, 8, 2, 0),
        "372/htru2",
        "htru2/HTRU_2.csv",
        "commas",
        "c2e8facf0af8e786c07e3c6b4c17baea8d6d138bcab6cf1dcdad43581bc8d442",
        "Pulsar candidates of a radio survey: pulsars (1) and what only looks like one (0).",
    ),
    _uci(
        "Pendigits",
        (10992, 16, 10, 0),
        "81/pen+based+recognition+of+handwritten+digits",
        "pendigits/pendigits.tra pendigits/pendigits.tes",
        "commas",
        "8c36337e92a0643751cec628896f3b10a95fdb65a33403ee37b0f5984e3f0db9",
        "Digits written with a pen: eight points along the way of its tip.",
    ),
    DatasetInfo(
        "COIL20",
        *(1440, 16384, 20, 0),
        description="Gray images of 20 objects on a turntable, 72 views each, 128 x 128 pixels.",
        source="Columbia Object Image Library (COIL-20), Nene, Nayar and Murase 1996",
        licence="offered for research by its technical report; no licence is named",
        address="https://www.cs.columbia.edu/CAVE/databases/SLAM_coil-20_coil-100/coil-20/"
        "coil-20-proc.zip",
        files=("coil20/coil20_128x128.npz",),
        form="images",
        digest="f92dea57f9622b6f30d978a6ae294d82804602aea41546bc71dd4b82489bdc05",
        holds_images=True,
    ),
    _uci(
        "cmu_faces",
        (624, 960, 20, 0),
        "124/cmu+face+images",
        "cmu_faces/cmu_faces_4.npz",
        "images",
        "66d4316e80fea03f9f452081d9c01f78ddd9b46772b69aaa2db75a384329dce4",
        "Gray images of 20 people, 32 x 30 pixels, gray values scaled to 0 to 255.",
        holds_images=True,
    ),
    _uci(
        "Optdigits",
        (5620, 64, 10, 0),
        "80/optical+recognition+of+handwritten+digits",
        "optdigits/optdigits.tra optdigits/optdigits.tes",
        "commas",
        "1ee11bfe419e8169e6bb1b9eb43a960deefcbd2995dbc6e2450d11b902b88ad8",
        "Scanned digits: how many of 16 pixels are set in each of 8 x 8 blocks.",
        holds_images=True,
    ),
    _uci(
        "Iris",
        (150, 4, 3, 0),
        "53/iris",
        "iris/bezdekIris.data",
        "commas",
        "a0777418ef521c73db6e3b19932532cf0697afb020f8918ce4e4b34d54413bb2",
        "Flowers of three species by their leaves; the corrected form of the table.",
    ),
    _uci(
        "Seeds",
        (210, 7, 3, 0),
        "236/seeds",
        "seeds/seeds_dataset.txt",
        "blanks",
        "3341755eebd5bb101bdf9394a28372b2161055b69b07c93c32c6657054c881a7",
        "Wheat kernels of three varieties by their shape; the paper has 199 of the 210.",
    ),
    _uci(
        "WiFi",
        (2000, 7, 4, 0),
        "422/wireless+indoor+localization",
        "wifi_localization/wifi_localization.txt",
        "blanks",
        "daf792ee7177c279641e1f3530fbe8e19aa81d6a8fce8441c52e3d80847f67e9",
        "Signal strengths of seven wireless networks, seen from four rooms.",
    ),
    _uci(
        "Spambase",
        (4601, 57, 2, 0),
        "94/spambase",
        "spambase/spambase.data",
        "commas",
        "819c3f57826d9ad62c20381be66264f9318f61070709a9444e2bdef68d41dc20",
        "Electronic mail by how often words and signs occur: spam (1) and other mail (0).",
    ),
    _uci(
        "Wine quality",
        (6497, 11, 7, 0),
        "186/wine+quality",
        "wine_quality/winequality-red.csv wine_quality/winequality-white.csv",
        "semicolons",
        "a742288e28f2e9899c76c855e95e362959bb94e3b0be054d4f5edb74155cbebb",
        "Red, then white wines by chemical measurements; a cluster is a grade of quality.",
    ),
    _uci(
        "Yeast",
        (1484, 8, 10, 0),
        "110/yeast",
        "yeast/yeast.data",
        "named",
        "72f90aa5dd752653436c024fe526ede44e10aabd1857ec308623e7238c61f3ec",
        "Proteins of yeast by their sequence; a cluster is a place in the cell.",
    ),
)
