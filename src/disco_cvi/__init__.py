"""Score clusterings, noise included, by density-connectivity.

`disco_score` gives one number for a labeling, `disco_samples` one number per point, `explain` says
in numbers and words what pulled the score, and `DensityTree` keeps what many labelings of the same
points have in common.
"""

# Nothing is imported here: it would happen before the command `disco` can answer Ctrl-C. Type
# checkers know this name and take it for true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    # For type checkers and editors alone; `_find_homes` is what decides.
    from disco_cvi.density_tree.tree import DensityTree as DensityTree
    from disco_cvi.exceptions import InvalidInputError as InvalidInputError
    from disco_cvi.exceptions import UndefinedScoreError as UndefinedScoreError
    from disco_cvi.indices.calinski_harabasz import (
        calinski_harabasz_score as calinski_harabasz_score,
    )
    from disco_cvi.indices.cdbw import cdbw_score as cdbw_score
    from disco_cvi.indices.cvdd import cvdd_score as cvdd_score
    from disco_cvi.indices.cvnn import cvnn_index as cvnn_index
    from disco_cvi.indices.cvnn import cvnn_indices as cvnn_indices
    from disco_cvi.indices.davies_bouldin import davies_bouldin_index as davies_bouldin_index
    from disco_cvi.indices.dbcv import dbcv_score as dbcv_score
    from disco_cvi.indices.dcsi import dcsi_score as dcsi_score
    from disco_cvi.indices.disco import disco_samples as disco_samples
    from disco_cvi.indices.disco import disco_score as disco_score
    from disco_cvi.indices.dunn import dunn_score as dunn_score
    from disco_cvi.indices.generalized_dunn import generalized_dunn_score as generalized_dunn_score
    from disco_cvi.indices.index_info import IndexInfo as IndexInfo
    from disco_cvi.indices.lccv import lccv_score as lccv_score
    from disco_cvi.indices.mmj_sc import mmj_sc_samples as mmj_sc_samples
    from disco_cvi.indices.mmj_sc import mmj_sc_score as mmj_sc_score
    from disco_cvi.indices.pair import pair_samples as pair_samples
    from disco_cvi.indices.pair import pair_score as pair_score
    from disco_cvi.indices.registry import available_indices as available_indices
    from disco_cvi.indices.s_dbw import s_dbw_index as s_dbw_index
    from disco_cvi.indices.silhouette import silhouette_samples as silhouette_samples
    from disco_cvi.indices.silhouette import silhouette_score as silhouette_score
    from disco_cvi.indices.viasckde import viasckde_samples as viasckde_samples
    from disco_cvi.indices.viasckde import viasckde_score as viasckde_score
    from disco_cvi.results.comparison import Comparison as Comparison
    from disco_cvi.results.comparison import compare as compare
    from disco_cvi.results.curves import MinPointsCurve as MinPointsCurve
    from disco_cvi.results.curves import disco_curve as disco_curve
    from disco_cvi.results.curves import pair_curve as pair_curve
    from disco_cvi.results.evaluation import Evaluation as Evaluation
    from disco_cvi.results.evaluation import evaluate as evaluate
    from disco_cvi.results.explanation import Explanation as Explanation
    from disco_cvi.results.explanation import explain as explain
    from disco_cvi.selection.scorer import scorer as scorer

__version__ = "0.1.0"

# Public names beside the functions of the indices, by the module that they live in.
_OTHER_NAMES = {
    "density_tree.tree": ("DensityTree",),
    "exceptions": ("InvalidInputError", "UndefinedScoreError"),
    "indices.index_info": ("IndexInfo",),
    "indices.registry": ("available_indices",),
    "results.comparison": ("Comparison", "compare"),
    "results.curves": ("MinPointsCurve", "disco_curve", "pair_curve"),
    "results.evaluation": ("Evaluation", "evaluate"),
    "results.explanation": ("Explanation", "explain"),
    "selection.scorer": ("scorer",),
}


_homes: dict[str, str] = {}


def _find_homes() -> dict[str, str]:
    """Return the module of each public name.

    Names load on first use, the registry of the indices too, so that `import disco_cvi` does not
    pay for numba, SciPy and scikit-learn.
    """
    if _homes:
        return _homes
    from disco_cvi.indices.registry import available_indices

    homes = {
        name: f"{__name__}.{module}" for module, names in _OTHER_NAMES.items() for name in names
    }
    for info in available_indices():
        homes |= dict.fromkeys((info.function_name, *info.other_functions), info.module)
    _homes.update(sorted(homes.items()))
    return _homes


def __getattr__(name: str) -> object:
    from importlib import import_module
    from importlib.util import find_spec

    if name == "__all__":
        return [*_find_homes(), "__version__"]
    # Python and its tools ask for names with underscores that no module needs to have.
    home = None if name.startswith("__") else _find_homes().get(name)
    if home is None:
        if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
            return import_module(f"{__name__}.{name}")
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return _open(import_module(home), name)


def _open(home: object, name: str) -> object:
    """Take a public name out of its module; a function then says in our words what memory lacks.

    Here, for this is where all of them pass. Its module has the same one from now on: pickled, it
    is looked for there.
    """
    from types import FunctionType

    from disco_cvi._compute.free_memory import tell_memory

    value = getattr(home, name)
    if isinstance(value, FunctionType) and not hasattr(value, "__wrapped__"):
        value = tell_memory(value)
        setattr(home, name, value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_find_homes()})
