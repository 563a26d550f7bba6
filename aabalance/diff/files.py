"""A comparison as Markdown for a pull request, as one HTML file, and for a program."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from aabalance.diff.compare import Comparison
from aabalance.diff.sentences import Diff, sentence
from aabalance.diff.tables import Section
from aabalance.report.page import templates, unbroken

MOST_FOLDED = 100
"""Rows of a table that are folded in Markdown: a comment on a pull request takes 65,536 characters."""
TEMPLATE = "diff.html.j2"


def markdown(diff: Diff) -> str:
    """Return a comparison as Markdown: the headline, and tables whose further rows are folded."""
    lines = [f"## {_escaped(diff.title)}", "", *(f"- {_escaped(line)}" for line in diff.headline), ""]
    for section in diff.sections:
        lines += [f"### {section.title} ({len(section.rows)})", ""]
        if section.intro:
            lines += [sentence(section.intro), ""]
        lines += [*_table(section, section.rows[: section.first]), ""]
        rest = section.rows[section.first :]
        if rest:
            folded, left = rest[:MOST_FOLDED], len(rest) - MOST_FOLDED
            lines += ["<details>", f"<summary>{min(len(rest), MOST_FOLDED)} more</summary>", ""]
            lines += [*_table(section, folded), "", "</details>", ""]
            lines += [f"... and {left} more that --html and --json have.", ""] if left > 0 else []
    return "\n".join([*lines, diff.caveat, ""])


def _table(section: Section, rows: list[list[str]]) -> list[str]:
    ends = ["---"] * section.words + ["--:"] * (len(section.head) - section.words)
    return [f"| {' | '.join(map(_escaped, row))} |" for row in (list(section.head), ends, *rows)]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def page(diff: Diff) -> str:
    """Return a comparison as one HTML file that loads nothing else."""
    environment = templates()
    environment.filters["sentence"] = sentence
    return unbroken(environment.get_template(TEMPLATE).render(diff=diff))


def in_json(diff: Diff, found: Comparison) -> dict[str, Any]:
    """Return a comparison for JSON: its sentences and all rows of its tables; missing numbers are null."""
    frames = {name: frame for name, frame in found._asdict().items() if isinstance(frame, pd.DataFrame)}
    return {
        "old": diff.old,
        "new": diff.new,
        "effect": found.matters,
        "headline": diff.headline,
        "pairs_compared": found.met,
        "no_proposal": found.no_proposal,
        **{name: json.loads(frame.to_json(orient="records")) for name, frame in frames.items()},
    }
