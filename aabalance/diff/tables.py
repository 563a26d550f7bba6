"""The short tables of a comparison: their rows, in order, and the texts of their numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.diff.changes import ADDED, CHANGED, REMOVED
from aabalance.diff.compare import ENDS, Comparison, moved
from aabalance.play.result import THREE_DIGITS, bare_percent, ratio_in_words
from aabalance.rulesets.base import Labels

MOST = 5
"""Rows of a table that are shown at once; of a table with gains and losses, as many of each."""
RATIO = "requisition_exchange_ratio"
WHOLE_CARD = {ADDED: ("nothing", "a new card"), REMOVED: ("a card", "nothing")}
"""What stands on both sides for a card that one of them lacks."""


class Section(NamedTuple):
    """A table with its heading.

    Attributes
    ----------
    title, intro : str
        What its rows are, and how to read them.
    head : tuple of str
        Headings of the columns.
    rows : list of list of str
        Cells of the table, by row.
    words : int
        Number of columns with words, which come first; the others have numbers.
    first : int
        Number of rows that are shown at once; the rest is folded.
    """

    title: str
    intro: str
    head: tuple[str, ...]
    rows: list[list[str]]
    words: int
    first: int = MOST


def tables(comparison: Comparison, labels: Labels) -> list[Section]:
    """Return tables of the differences and of their effects; parameters as for `aabalance.diff.sentences.in_words`."""
    names, units = names_of(comparison), comparison.units
    changed = [
        [f"{row.unit}.{row.field}", row.before, row.after] if row.what == CHANGED else [row.unit, *WHOLE_CARD[row.what]]
        for row in rows_of(comparison.cards)
    ]
    sections = [
        Section("Cards", "", ("card", "old", "new"), changed, 3),
        Section(
            "Rules" if not comparison.rules["switch"].isin(["cards"]).any() else "Where the numbers come from",
            "",
            ("what", "old", "new"),
            [list(map(str, row)) for row in rows_of(comparison.rules)],
            3,
        ),
    ]
    if "worth_difference" in units:
        sections += _priced(units, comparison.groups, labels)
    elif len(units):
        rows = [[row.name, *ratios_of(row), *_ranks(row)] for row in rows_of(ratios(units))]
        intro = "what it destroys for each point that it loses, one against one, and its place among all."
        sections.append(Section("Exchange ratios", intro, ("unit", "old", "new", "place", "then"), rows, 1))
    intro = "the first one's chance to win, plus half its chance to draw."
    for title, table in (
        ("Duels that flip", comparison.matchups[comparison.matchups["flipped"]]),
        ("Other duels", comparison.matchups[~comparison.matchups["flipped"]]),
    ):
        rows = [
            [
                f"{names(row.unit)} v {names(row.opponent)}",
                *_percents(row, "duel_score"),
                *change_of(row, "duel_score", 100),
            ]
            for row in rows_of(table)
        ]
        sections.append(Section(title, intro, ("duel", "old %", "new %", "change"), rows, 1))
    proposed = [
        [row.name, *map(points, (row.requisition_after, row.proposal_before, row.proposal_after))]
        for row in rows_of(reproposed(comparison))
    ]
    by = "at which all units would score the same, as tune finds them without an anchor"
    by = by if "worth_after" in units else "by the formula, a first guess from duels"
    intro = f"{by}. One unit's price is held: where that unit changes, all others move."
    sections.append(Section("Proposed prices", intro, ("unit", "costs", "old", "new"), proposed, 1))
    return sections


def _priced(units: pd.DataFrame, groups: pd.DataFrame, labels: Labels) -> list[Section]:
    """Return the tables on worth and scores, of a game that has them."""
    by_worth, of_worth = _ends_first(by_ratio(units, "worth"), "worth_difference")
    by_score, of_score = _ends_first(largest(units, "score_difference"), "score_difference")
    worth = [
        [
            row.name,
            *map(points, (row.requisition_after, row.worth_before, row.worth_after)),
            *change_of(row, "worth"),
            *change_of(row, "duel_score", 100)[:1],
        ]
        for row in rows_of(by_worth)
    ]
    score = [
        [row.name, *_percents(row, "score"), *change_of(row, "score", 100), *_ranks(row)] for row in rows_of(by_score)
    ]
    between = [
        [f"{row.group} v {row.opponent_group}".replace("_", " "), *_percents(row, "score")] for row in rows_of(groups)
    ]
    between = [row for row in between if row[1] != row[2]]
    same = "; the change has its 90 % interval" if are_paired(units) else ""
    ends = ("change", "from", "to") if are_paired(units) else ("change",)
    level = f"the {labels.currency} at which it scores like the roster{same}. In duels: wins of 100, one against one."
    equal = f"for equal {labels.currency}, and its place among all{same}."
    columns = ("unit", "old %", "new %", *ends, "place", "then")
    return [
        Section("Worth", level, ("unit", "costs", "old", "new", *ends, "in duels"), worth, 1, of_worth),
        Section("Score at its price", equal, columns, score, 1, of_score),
        Section("Groups", "the first one's mean score.", ("groups", "old %", "new %"), between, 1),
    ]


def rows_of(table: pd.DataFrame) -> list[Any]:
    """Return rows as named tuples."""
    return list(table.itertuples(index=False))


def names_of(comparison: Comparison) -> Callable[[str], str]:
    """Return a function that gives the name of a unit; its id if no card has one."""
    known = dict(zip(comparison.units["unit"], comparison.units["name"], strict=True)) if len(comparison.units) else {}
    known |= dict(zip(comparison.cards["unit"], comparison.cards["name"], strict=True))
    return lambda unit: known.get(unit, unit)


def are_paired(units: pd.DataFrame) -> bool:
    """Return whether differences have intervals: reports have none."""
    return "worth_difference_low" in units


def largest(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows whose numbers differ, the largest change first."""
    table = table[moved(table) & table[column].notna() & (table[column] != 0)]
    return table.assign(by=-table[column].abs().round(9)).sort_values(["by", "unit"]).drop(columns="by")


def by_ratio(units: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows in which something differs, the largest factor first."""
    old, new = (units[f"{name}_{end}"] for end in ENDS)
    with np.errstate(divide="ignore", invalid="ignore"):
        return largest(units.assign(change=np.log(new / old)), "change")


def ratios(units: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in which the exchange ratio differs in the digits that are shown, the largest factor first."""
    table = by_ratio(units, RATIO)
    old, new = (table[f"{RATIO}_{end}"].map(ratio_in_words) for end in ENDS)
    return table[old != new]


def ratios_of(row: Any) -> list[str]:
    """Return the exchange ratios of a unit on both sides, in words; `row` is one of a comparison's table of units."""
    return [ratio_in_words(getattr(row, f"{RATIO}_{end}")) for end in ENDS]


def _ends_first(table: pd.DataFrame, change: str) -> tuple[pd.DataFrame, int]:
    """Return rows with the largest gains and the largest losses in front, and how many these are.

    Whatever has the largest change of all comes first; of a table that is short anyway, the order stays.
    """
    if len(table) <= MOST:
        return table, MOST
    rises = table[change] > 0
    sides = [table[rises].head(MOST), table[~rises].head(MOST)]
    front = pd.concat(sides if rises.iloc[0] else sides[::-1])
    return pd.concat([front, table.drop(front.index)]), len(front)


def reproposed(comparison: Comparison) -> pd.DataFrame:
    """Return the units whose proposed prices differ, the largest change first."""
    if "proposal_after" not in comparison.units:
        return comparison.units[:0]
    change = comparison.units["proposal_after"] - comparison.units["proposal_before"]
    return largest(comparison.units.assign(change=change), "change")


def points(price: float) -> str:
    """Return a price in words, with three digits at least where it has them."""
    if not math.isfinite(price):
        return "no end" if price > 0 else "–"
    return f"{price:.0f}" if price >= THREE_DIGITS or price == round(price) else f"{price:.1f}"


def _percents(row: Any, name: str) -> list[str]:
    return [bare_percent(getattr(row, f"{name}_{end}")) for end in ENDS]


def _signed(change: float) -> str:
    return f"{change:+z.1f}" if change else "0.0"


def change_of(row: Any, name: str, scale: float = 1) -> list[str]:
    """Return a difference and the ends of its interval, if it has one.

    Parameters
    ----------
    row : named tuple
        A row of a comparison's table.
    name : str
        What differs.
    scale : float
        What one of it is in the table.
    """
    values = [getattr(row, f"{name}_difference{end}", None) for end in ("", "_low", "_high")]
    return [_signed(scale * value) if math.isfinite(value) else "–" for value in values if value is not None]


def _ranks(row: Any) -> list[str]:
    return ["–" if math.isnan(rank) else f"{rank:.0f}" for rank in (row.rank_before, row.rank_after)]
