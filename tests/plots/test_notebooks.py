"""In a notebook the picture appears, once; and pyplot finds it where people look for it."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

# A kernel of its own takes seconds to start, so that all cells run in one.
CELLS = {
    "start": """
import numpy as np
from disco_cvi import DensityTree, compare, disco_samples, evaluate, explain
from disco_cvi.plots import NoiseDisplay, PointwiseMapDisplay, pointwise_map
X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [20.0, 3]])
labels = [0, 0, 0, 0, 1, 1, 1, 1, -1]
explanation = explain(X, labels, min_points=3)
""",
    "function": "pointwise_map(X, disco_samples(X, labels, min_points=3))",
    "display": "display = NoiseDisplay.from_explanation(explanation)\ndisplay.plot()",
    "not drawn": "NoiseDisplay.from_explanation(explanation)",
    "shown again": "display",
    "explanation": "explanation.plot()",
    "evaluation": "evaluate(X, labels, 'disco', min_points=3).plot('bars')",
    "comparison": "compare(X, {'a': labels}, 'disco', min_points=3).plot(theme='dark')",
    "tree": "DensityTree(X, min_points=3).plot(labels)",
    "path": "DensityTree(X, min_points=3).eps_path().plot()",
    "not the last line": "PointwiseMapDisplay.from_explanation(explanation).plot()\n_ = 3",
    "own axes": """
from matplotlib import pyplot as plt
figure, axes = plt.subplots(1, 2)
pointwise_map(X, disco_samples(X, labels, min_points=3), ax=axes[0])
explanation.plot('line', ax=axes[1])
""",
    "saved by pyplot": "explanation.plot('bars')\nplt.savefig('bars.png')\nplt.close()",
    "five at once": "for _ in range(5):\n    explanation.plot('noise')",
    "nothing left": "print(plt.get_fignums())",
}
PICTURES = {"start": 0, "saved by pyplot": 0, "five at once": 5, "nothing left": 0}


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[Any]], Path]:
    """What each cell put out, and the folder in which they ran."""
    nbclient: Any = pytest.importorskip("nbclient")
    nbformat: Any = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    place = {"metadata": {"path": str(folder)}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PLATFORM_DIRS", "1")
        nbclient.NotebookClient(notebook, timeout=600, resources=place).execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}, folder


def pictures(outputs: list[Any]) -> list[bytes]:
    found = [output.get("data", {}).get("image/png") for output in outputs]
    return [base64.b64decode(picture) for picture in found if picture]


def colors(file: Any) -> int:
    """How many colors a picture has; a blank one has a single one."""
    image = imread(file, format="png")
    return len(np.unique(image.reshape(-1, image.shape[-1]), axis=0))


@pytest.mark.parametrize("name", CELLS)
def test_every_picture_appears_once(name: str, executed: tuple[dict[str, Any], Path]) -> None:
    shown = pictures(executed[0][name])
    assert len(shown) == PICTURES.get(name, 1)
    assert all(colors(io.BytesIO(picture)) > 20 for picture in shown)


def test_no_cell_complains(executed: tuple[dict[str, Any], Path]) -> None:
    """But for the line that says that kernels are compiled."""
    for name, outputs in executed[0].items():
        said = [
            line
            for output in outputs
            if output.get("name") == "stderr"
            for line in output["text"].splitlines()
            if "compiling its kernels" not in line
        ]
        assert said == [], name


def test_pyplot_saves_what_was_drawn(executed: tuple[dict[str, Any], Path]) -> None:
    assert colors(executed[1] / "bars.png") > 20


def test_notebooks_keep_no_figure(executed: tuple[dict[str, Any], Path]) -> None:
    (output,) = executed[0]["nothing left"]
    assert output["text"].strip() == "[]"
