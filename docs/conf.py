"""The documentation's site: what Sphinx makes of these pages and of the docstrings.

    sphinx-build -W -n docs build/docs

Nothing that is built needs a network, neither a font nor a script: formulas become MathML, which every browser of
today draws by itself. MathJax would be a megabyte from somewhere else, and pictures of formulas want a TeX.
"""

from __future__ import annotations

import re
from importlib import metadata
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pygments.lexers.special import TextLexer

OUTSIDE = re.compile(r"\]\(((?:\.\./)+[A-Z]+\.md)\)")

project = "aabalance"
author = "aabalance contributors"
copyright = f"2026, {author}"
release = version = metadata.version("aabalance")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
nitpicky = True

# --- pages: plain Markdown, as a code host shows it

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# --- reference: numpydoc docstrings say the types, so that signatures needn't

default_role = "autolink"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autosummary_generate = False
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

# --- looks: the theme brings its own style, and takes the reader's fonts

html_theme = "furo"
html_title = "aabalance"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_math_renderer = "mathml"

# --- external links, checked by `sphinx-build -b linkcheck` where there is a network

linkcheck_anchors = False
linkcheck_timeout = 20


def source_read(_: Any, __: str, source: list[str]) -> None:
    """Take links to Markdown outside of these pages as what they are here: files."""
    source[0] = OUTSIDE.sub(r"](path:\1)", source[0])


def inline(translator: Any, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula that stands by itself."""
    translator.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", source_read)
    app.add_lexer("csv", TextLexer)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
