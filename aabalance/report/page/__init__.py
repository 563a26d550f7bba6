"""The page of a report: one HTML file that loads nothing else.

- ``page.html.j2`` has all sections, and whatever shows without scripts: findings, tables, readings
- ``js/`` holds the parts of one script, put together in the order of `SCRIPTS`: the views of a unit and of a pair, and
  the charts
- `data` packs the numbers that the script draws from, and puts unit cards into words
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from aabalance.pricing.results import Results
from aabalance.report.page import data

SCRIPTS = ("base", "data", "charts", "tables", "units", "heatmap", "lists", "pair", "unit", "range", "actions", "main")

WORTH = ["requisition", "worth", "worth_low", "worth_high", "worth_change", "score", "flags"]
RATIOS = ["requisition", "requisition_exchange_ratio", "exchange_ratio_to_peers", "loss_exchange_ratio"]
"""Columns of the table of units where they are judged by worth, as far as it has them, and where by duels."""


def render(pages: jinja2.Environment, results: Results, content: Mapping[str, Any]) -> str:
    """Return the page.

    Parameters
    ----------
    pages : Environment
        The templates, with the filters of `aabalance.report.build`.
    results : Results
        The results of the analysis.
    content : mapping
        What `aabalance.report.summary.summarise` returns, with ``game``, ``boards``, ``lengths``, ``csvs`` and
        ``meanings``.
    """
    here = resources.files("aabalance.report.page")
    parts = [(here / "js" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    roster = data.roster(content["game"], results)
    by_worth = content["priced"] or content["by_board"]
    whole = json.dumps(data.data(results, content, roster), ensure_ascii=False, separators=(",", ":"))
    return unbroken(
        pages.get_template("page/page.html.j2").render(
            **content,
            style=Markup((here / "page.css").read_text(encoding="utf-8")),
            script=Markup('"use strict";\n' + "\n".join(parts)),
            data=Markup(whole.replace("<", "\\u003c")),
            roster=roster,
            rated_columns=[name for name in WORTH if any(name in row for row in roster)] if by_worth else RATIOS,
        )
    )


def unbroken(text: str) -> str:
    """Return a page in which no line ends between a number and its percent sign."""
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", text)
