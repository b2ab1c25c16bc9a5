"""What is right: a value within its range, or one documented error that names the argument."""

from __future__ import annotations

import json
import math
import pickle
import re
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning

from disco_cvi import (
    Comparison,
    Evaluation,
    Explanation,
    available_indices,
)
from disco_cvi._output.words import visible
from disco_cvi.exceptions import ArgumentError, NoiseLabelWarning, UndefinedScoreError
from fuzz import arguments
from fuzz.cases import Call, show
from fuzz.doors import Target

# Ours, and documented; and what the clusterers of scikit-learn say that are arguments.
WARNINGS = (NoiseLabelWarning, FitFailedWarning, ConvergenceWarning)
RANGES = {
    name: info.range
    for info in available_indices()
    for name in (info.function_name, *info.other_functions)
}
RANGES |= {f"distributed.{name}": RANGES[name] for name in ("disco_score", "pair_score")}
# Arguments whose files may be missing or forbidden,; points
# are in files only where no single machine holds them.
OF_FILES = ("path", "out", "names", "name")
# Functions that users would give us as a metric.
METRICS = ("distance", "failing", "distance_of_sums")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")


# --- errors -------------------------------------------------------------------------------------


def judge_error(error: BaseException, target: Target, call: Call) -> Iterator[str]:
    """Say what is wrong with an error."""
    message = str(error)
    if isinstance(error, ArgumentError):
        yield from _judge_argument(error, target, call)
    elif isinstance(error, UndefinedScoreError):
        if not message.endswith("."):
            yield f"the reason is no sentence: {show(message)}"
    elif isinstance(error, OSError) and names_file(error, target, call):
        return
    elif not _is_of_others(error, target, call):
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
        yield f"{type(error).__name__} at {where}: {show(message)}"


def _judge_argument(error: ArgumentError, target: Target, call: Call) -> Iterator[str]:
    message = str(error)
    spoken = [] if error.argument is None else spoken_of(error.argument)
    strange = [name for name in spoken if name not in call.words]
    if strange:
        yield f"the error is of {show(strange[0])}, which is no argument: {show(message)}"
    # What is wrong with a file is said of its name.
    elif not spoken and not names_file(error, target, call):
        yield f"the error is of no argument: {show(message)}"
    if len(message) > 1500:
        yield f"the message has {len(message)} letters"
    yield from _raw(message)


def spoken_of(argument: str) -> list[str]:
    """The arguments that an error names: "labels", "labels['a']", "first, second and heights"."""
    inner = re.fullmatch(r"(\w+)\[.*\]", argument, re.DOTALL)
    return [inner[1]] if inner else re.split(", | and ", argument)


def names_file(error: BaseException, target: Target, call: Call) -> bool:
    """Whether an error is of a file that is an argument, and says so."""
    names = (*OF_FILES, "X") if target.name.startswith("distributed.") else OF_FILES
    given = [part for name in names for part in _texts(call.arguments.get(name))]
    said = {str(getattr(error, "filename", None)), str(getattr(error, "filename2", None))}
    message = str(error)
    return any(
        part in said or (part and any(part in text for text in (*said, message, visible(message))))
        for name in given
        for part in (name, visible(name))
    )


def _texts(value: Any) -> list[str]:
    """Names of files or data sets: one, or several."""
    if isinstance(value, str | Path):
        return [str(value)]
    return [str(part) for part in value] if isinstance(value, list | tuple) else []


def _raw(text: str) -> Iterator[str]:
    """Say where a text could move the cursor of a terminal, or turn its letters around."""
    found = CONTROL.search(text)
    if found:
        yield f"raw control characters: {show(text[max(0, found.start() - 50) : found.end()])}"


def _is_of_others(error: BaseException, target: Target, call: Call) -> bool:
    """Whether it is an error of the user's own function, or scikit-learn's of an estimator."""
    frames = traceback.extract_tb(error.__traceback__)
    # The package has functions of the same names, whose errors are ours.
    if frames and frames[-1].name in METRICS and frames[-1].filename == arguments.__file__:
        return True
    # A search has `predict` only if its clusterer has: programs ask for the method first.
    if isinstance(error, AttributeError) and target.name == "selection.ClusteringSearch.predict":
        return str(error).endswith("has no attribute 'predict'")
    if not isinstance(error, ValueError | TypeError | OverflowError):
        return False
    # Checks of scikit-learn, as its estimators have them; a search tells of all fits that failed.
    of_sklearn = any("/sklearn/" in frame.filename for frame in frames)
    told = str(error).startswith("All ") and "failed:" in str(error)
    takes_any = any("clusterer" in name or "estimator" in name for name in call.arguments)
    return (target.is_estimator or takes_any) and (of_sklearn or told)


# --- values -------------------------------------------------------------------------------------


def judge_value(value: Any, target: Target) -> Iterator[str]:
    """Say what is wrong with a value."""
    bounds = RANGES.get(target.name)
    if bounds is not None:
        is_one = target.name.endswith(("_score", "_index"))
        if is_one is not isinstance(value, float):
            yield f"a {type(value).__name__} where a number or numbers were promised"
        # Noise may have none: `relations` looks whether it is noise.
        known = value[~np.isnan(value)] if target.name.endswith("_samples") else value
        yield from out_of_range(known, bounds, target.name)
    elif isinstance(value, Evaluation):
        yield from _judge_evaluation(value)
    elif isinstance(value, Comparison):
        for evaluation in value.evaluations.values():
            yield from _judge_evaluation(evaluation)
    elif isinstance(value, Explanation):
        yield from out_of_range([value.score, value.pair_score], (-1, 1), target.name)
        yield from out_of_range(value.points.score, (-1, 1), "scores of points")
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any():
        yield "NaN in an array"
    yield from _judge_words(value)


def out_of_range(values: Any, bounds: tuple[float, float], what: str) -> Iterator[str]:
    """Say which value is none of those that are promised."""
    for number in np.atleast_1d(np.asarray(values, dtype=np.float64)).ravel().tolist():
        if math.isnan(number) or not bounds[0] <= number <= bounds[1]:
            yield f"{what}: {number!r} is not from {bounds[0]} to {bounds[1]}"
            return


def _judge_evaluation(evaluation: Evaluation) -> Iterator[str]:
    ranges = {info.name: info.range for info in available_indices()}
    for found in evaluation.values:
        if found.value is not None:
            yield from out_of_range(found.value, ranges[found.index], found.index)
        elif not found.reason:
            yield f"{found.index} has neither a value nor a reason"


def _judge_words(value: Any) -> Iterator[str]:
    """What it says of itself, to people and to programs."""
    if isinstance(value, ArgumentError):  # its words are those that it was given
        copy = pickle.loads(pickle.dumps(value))
        if (str(copy), vars(copy)) != (str(value), vars(value)):
            yield "another error after pickle"
        return
    if not type(value).__module__.startswith("disco_cvi"):
        return
    if not str(value) or not repr(value):
        yield "nothing is shown"
    yield from _raw(str(value))
    if hasattr(value, "to_dict"):
        json.dumps(value.to_dict(), allow_nan=False)
    if hasattr(value, "_repr_html_"):
        value._repr_html_()


# --- commands -----------------------------------------------------------------------------------


def judge_command(code: Any, said: tuple[str, str], line: list[str]) -> Iterator[str]:
    """Say what is wrong with the answer of a command."""
    answer, notes = said
    if code not in (0, 1, 2):
        yield f"the exit code is {code!r}"
    if "Traceback" in notes or "Traceback" in answer:
        yield f"a traceback: {show(notes[-300:])}"
    for text in said:
        yield from _raw(text)
    if code == 1 and not notes.startswith("disco:"):
        yield f"no reason is said: {show(notes)}"
    if code == 1 and answer:
        yield f"an answer in spite of an error: {show(answer)}"
    if code == 2 and not notes:
        yield "wrong use, and not a word"
    if code == 0 and "--json" in line and "--help" not in line:
        json.loads(answer, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


# --- arguments ----------------------------------------------------------------------------------


def fingerprint(value: Any) -> object:
    """Return what can be compared of an argument; None where nothing can."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        mask = np.ma.getmaskarray(value).tobytes() if isinstance(value, np.ma.MaskedArray) else b""
        data = np.asarray(value)
        # Long doubles have bytes that mean nothing.
        held = str(data.tolist()) if data.dtype.char in "gG" else data.tobytes()
        return held, data.dtype.str, data.shape, data.strides, data.flags.writeable, mask
    if hasattr(value, "__next__"):
        return None
    if isinstance(value, np.generic):  # long doubles have bytes that mean nothing
        return repr(value)
    if isinstance(value, np.ndarray):
        return [fingerprint(inner) for inner in value.ravel().tolist()]
    if isinstance(value, dict):
        return [(show(key), fingerprint(inner)) for key, inner in value.items()]
    if isinstance(value, list | tuple):
        return [fingerprint(inner) for inner in value]
    if type(value).__module__.partition(".")[0] in ("builtins", "numpy", "pandas", "decimal"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return pickle.dumps(value)
        except Exception:  # noqa: BLE001 - what cannot be written cannot be compared
            return None
    return None


def changed_arguments(used: Call, fresh: Call) -> Iterator[str]:
    """Say which arguments are not what they were: the same case, drawn again, is compared."""
    for name, value in used.arguments.items():
        if isinstance(value, str | Path):  # names of files in two folders
            continue
        if fingerprint(value) != fingerprint(fresh.arguments[name]):
            yield f"the argument {name} was changed"


def judge_warnings(caught: list[warnings.WarningMessage], call: Call) -> Iterator[str]:
    """Say which warnings are none of ours."""
    others = {"clusterer", "estimator"} & set(call.arguments)
    for each in caught:
        # A clusterer of the user warns as it likes.
        if others and "/disco_cvi/" not in each.filename:
            continue
        # What packages say of each other's versions is shown to nobody.
        if issubclass(each.category, DeprecationWarning) and "/disco_cvi/" not in each.filename:
            continue
        if not issubclass(each.category, WARNINGS):
            where = f"{each.filename.rpartition('/')[2]}:{each.lineno}"
            yield f"{each.category.__name__} at {where}: {show(str(each.message))}"
