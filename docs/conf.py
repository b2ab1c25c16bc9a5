"""The site: ``make docs`` builds it from these pages, and nothing in it needs a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

# The site's own extensions stand beside this file.
sys.path.insert(0, str(Path(__file__).parent))
# Compiled kernels are those of the tests.
_CACHE = Path(__file__).resolve().parents[1] / ".cache"
os.environ.setdefault("NUMBA_CACHE_DIR", str(_CACHE / "numba" / "plain"))

import disco_cvi  # noqa: E402

project = "disco-cvi"
version = release = disco_cvi.__version__
author = "The disco-cvi developers"
copyright = author  # noqa: A001

extensions = [
    "backticks",
    "command_help",
    "mathml",
    "samples",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery"]
highlight_language = "none"

# Pages: Markdown, with anchors for headings, so that a broken link is a warning, which is an error.
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# The reference: what the docstrings say. Single backticks link to a name, if there is one.
default_role = "backticks"
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# The gallery: scripts whose pictures are drawn when the site is built.
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "generated/gallery",
    "filename_pattern": "plot_",
    "default_thumb_file": str(Path(__file__).parent / "rings.svg"),
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "capture_repr": (),
    "copyfile_regex": "",
    "nested_sections": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "disco-cvi"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
# The theme complains in the console where it is not told how pages begin.
html_context = {"default_mode": "auto"}
html_theme_options: dict[str, Any] = {
    "header_links_before_dropdown": 7,
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "footer_start": ["sphinx-version"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
