"""What a comparison says, in words and in short tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.cells import WORDS
from aabalance.analysis.compare import ADDED, CHANGED, REMOVED, Comparison, moved
from aabalance.errors import counted
from aabalance.report.tables import THREE_DIGITS
from aabalance.results import percent
from aabalance.rulesets.base import Labels

MOST = 5
"""Rows of a table that are shown at once; of one with gains and losses, of each of them."""
FEW = 3
"""Things that a sentence names."""
RATIO = "requisition_exchange_ratio"


class Section(NamedTuple):
    """A table with its heading.

    Attributes
    ----------
    title, intro : str
        What its rows are, and how to read them.
    head : tuple of str
    rows : list of list of str
    words : int
        How many columns have words; the others have numbers.
    first : int
        How many rows, from the first, are those to look at.
    """

    title: str
    intro: str
    head: tuple[str, ...]
    rows: list[list[str]]
    words: int
    first: int = MOST


class Diff(NamedTuple):
    """What a comparison says.

    Attributes
    ----------
    title : str
    old, new : str
        What was compared.
    headline : list of str
        Sentences.
    sections : list of Section
    caveat : str
    """

    title: str
    old: str
    new: str
    headline: list[str]
    sections: list[Section]
    caveat: str


def said(found: Comparison, labels: Labels, old: str, new: str) -> Diff:
    """Return what a comparison says.

    Parameters
    ----------
    found : Comparison
    labels : Labels
        What the game calls things.
    old, new : str
        What was compared, in words.
    """
    headline = [*_differences(found), *(_effects(found, labels) if found.matters else [_no_effect(found)])]
    sections = [section for section in _sections(found, labels) if section.rows]
    return Diff(f"{labels.title}: {old} against {new}", old, new, headline, sections, labels.caveat)


# --- sentences


def _differences(found: Comparison) -> list[str]:
    """Say what differs in cards and rules, and what new units are worth."""
    lines = []
    fields = found.cards[found.cards["what"] == CHANGED]
    if 0 < len(fields) <= FEW:
        lines.append(
            "; ".join(f"{row.name_}: {row.field} {row.before}, now {row.after}" for row in _rows(fields)) + "."
        )
    elif len(fields):
        number = fields["field"].value_counts(sort=True)
        some = [f"{field} of {counted(int(cards), 'card')}" for field, cards in number.items()]
        lines.append(f"{counted(fields['unit'].nunique(), 'card')} differ: {_some(some)}.")
    for what, verb in ((ADDED, "new"), (REMOVED, "gone")):
        units = found.cards[found.cards["what"] == what]
        some = [_new(found, row) if what == ADDED else row.name_ for row in _rows(units)]
        if some:
            lines.append(f"{counted(len(some), 'unit')} {'is' if len(some) == 1 else 'are'} {verb}: {_some(some)}.")
    if len(found.rules):
        rules = [f"{row.switch} {row.before}, now {row.after}" for row in _rows(found.rules)]
        lines.append(f"{_some(rules, '; ')}.")
    return lines


def _new(found: Comparison, card: Any) -> str:
    """Say what a new unit is worth, or, in a game whose prices no battle says, what it destroys."""
    for row in _rows(found.units[found.units["unit"] == card.unit]) if len(found.units) else []:
        worth, ratio = (getattr(row, f"{name}_after", math.nan) for name in ("worth", RATIO))
        costs = f"costs {_points(row.requisition_after)}"
        if not math.isnan(worth):
            return f"{card.name_} ({costs}, is worth {_points(worth)})"
        if not math.isnan(ratio):
            return f"{card.name_} ({costs}, destroys {ratio:.2f} for each point lost)"
    return str(card.name_)


def _no_effect(found: Comparison) -> str:
    """Say that nothing came of it, and why."""
    if not len(found.cards) + len(found.rules):
        return "No difference: cards and rules are the same on both sides."
    if not len(found.rules) and found.cards["field"].isin(WORDS).all():
        return "No effect: no number reads what differs."
    if not len(found.cards):
        return "No effect: no duel and no battle here hangs on these rules."
    return "No effect: every duel, score and price stays what it is."


def _effects(found: Comparison, labels: Labels) -> list[str]:
    """Say what came of it: duels, worth, proposals."""
    return [line for line in (_duels(found), _worth(found, labels), _ratios(found), _proposals(found, labels)) if line]


def _duels(found: Comparison) -> str:
    table, names = found.matchups, _names(found)
    flips = table[table["flipped"]]
    if not found.met:
        return ""
    if not len(table):
        return f"No duel changes, of {counted(found.met, 'pair')}."
    others = f"{len(table) - len(flips)} others of {counted(found.met, 'pair')} change without that."
    if not len(flips):
        largest = _rows(table.head(1))[0]
        between = f"{names(largest.unit)} v {names(largest.opponent)}"
        change = f"{percent(largest.duel_score_before)} to {percent(largest.duel_score_after)}"
        return f"No duel flips; {len(table)} of {counted(found.met, 'pair')} change, most {between}: {change}."
    some = [
        f"{names(row.unit)} {'loses to' if row.duel_score_after < row.duel_score_before else 'beats'} "
        f"{names(row.opponent)} ({percent(row.duel_score_before)} to {percent(row.duel_score_after)})"
        for row in _rows(flips.head(FEW))
    ]
    more = f", and {len(flips) - FEW} more" if len(flips) > FEW else ""
    return f"{counted(len(flips), 'duel')} {'flips' if len(flips) == 1 else 'flip'}: {'; '.join(some)}{more}. {others}"


def _worth(found: Comparison, labels: Labels) -> str:
    """Say whose worth changes most: that of changed cards first, then that of others; of many, who gains and loses."""
    if "worth_difference" not in found.units or not len(found.units):
        return ""
    table = _by_ratio(found.units, "worth")
    if not len(table):
        return "What units are worth stays."
    changed = found.cards["unit"][found.cards["what"] == CHANGED]
    own = found.units[found.units["unit"].isin(changed) & found.units["worth_difference"].notna()]
    if 0 < len(own) <= FEW and _paired(found.units):
        own = own.sort_values("worth_difference", key=abs, ascending=False, kind="stable")
        some = [f"{row.name_} is worth {_points(row.worth_after)}, {_before(row)}" for row in _rows(own)]
        others = [
            f"Of the other cards {_from_to(row)} changes most."
            for row in _rows(table[~table["unit"].isin(changed)].head(1))
        ]
        return " ".join([f"{'; '.join(some)}.", *others])
    gains = table["worth_difference"] > 0
    parts = [
        f"worth {words}: {_some([*map(_from_to, _rows(part))])}"
        for words, part in (("more", table[gains]), ("less", table[~gains]))
        if len(part)
    ]
    if not len(found.rules):
        return f"{sentence('; '.join(parts))}."
    measure = f"Worth is what battles of equal {labels.currency} say; a report's readings go by duels, one against one"
    return f"{sentence('; '.join(parts))}. {measure}, and may name others."


def _before(row: Any) -> str:
    """Say what a unit was worth before, and how sure the difference is, if there is one to be seen."""
    if round(row.worth_difference, 1) == 0:
        return "as before"
    return f"before {_points(row.worth_before)} ({_difference(row, 'worth')})"


def _paired(units: pd.DataFrame) -> bool:
    """Return whether differences have intervals: reports have none."""
    return "worth_difference_low" in units


def _from_to(row: Any) -> str:
    return f"{row.name_} ({_points(row.worth_before)} to {_points(row.worth_after)})"


def _ratios(found: Comparison) -> str:
    """Say whose exchange ratio changes most, in a game whose prices no battle says."""
    if f"{RATIO}_after" not in found.units:
        return ""
    table = _by_ratio(found.units, RATIO)
    some = [
        f"{row.name_} {getattr(row, f'{RATIO}_before'):.2f} to {getattr(row, f'{RATIO}_after'):.2f} "
        f"(place {row.rank_before:.0f} to {row.rank_after:.0f})"
        for row in _rows(table.head(FEW))
    ]
    return f"What units destroy for each point lost changes most: {'; '.join(some)}." if some else ""


def _proposals(found: Comparison, labels: Labels) -> str:
    table = _reproposed(found)
    if found.no_proposal:
        return f"No prices are proposed: {found.no_proposal}."
    if "proposal_after" not in found.units:
        return ""
    if not len(table):
        return "The proposed prices stay."
    some = [f"{row.name_} {row.proposal_after:g} instead of {row.proposal_before:g}" for row in _rows(table.head(FEW))]
    more = f", and {len(table) - FEW} more" if len(table) > FEW else ""
    prices = "price changes" if len(table) == 1 else "prices change"
    return f"{len(table)} proposed {prices}: {', '.join(some)}{more} ({labels.currency})."


def _some(words: Sequence[str], between: str = ", ") -> str:
    more = f"{between}and {len(words) - FEW} more" if len(words) > FEW else ""
    return between.join(words[:FEW]) + more


# --- tables


def _sections(found: Comparison, labels: Labels) -> list[Section]:
    names, units = _names(found), found.units
    changed = [
        [f"{row.unit}.{row.field}", row.before, row.after] if row.what == CHANGED else [row.unit, *_alone(row.what)]
        for row in _rows(found.cards)
    ]
    sections = [
        Section("Cards", "", ("card", "old", "new"), changed, 3),
        Section(
            "Rules" if not found.rules["switch"].isin(["cards"]).any() else "Where the numbers come from",
            "",
            ("what", "old", "new"),
            [list(map(str, row)) for row in _rows(found.rules)],
            3,
        ),
    ]
    intro = "the first one's chance to win, and half of that to draw."
    for title, table in (
        ("Duels that flip", found.matchups[found.matchups["flipped"]]),
        ("Other duels", found.matchups[~found.matchups["flipped"]]),
    ):
        rows = [
            [
                f"{names(row.unit)} v {names(row.opponent)}",
                _percent(row.duel_score_before),
                _percent(row.duel_score_after),
                _signed(100 * row.duel_score_difference),
            ]
            for row in _rows(table)
        ]
        sections.append(Section(title, intro, ("duel", "old %", "new %", "change"), rows, 1))
    if "worth_difference" in units:
        sections += _priced(units, found.groups, labels)
    elif len(units):
        rows = [
            [row.name_, *(f"{getattr(row, f'{RATIO}_{end}'):#.3g}" for end in ("before", "after")), *_ranks(row)]
            for row in _rows(_by_ratio(units, RATIO))
        ]
        intro = "what it destroys for each point that it loses, one against one, and its place among all."
        sections.append(Section("Exchange ratios", intro, ("unit", "old", "new", "place", "then"), rows, 1))
    proposed = [
        [row.name_, *map(_points, (row.requisition_after, row.proposal_before, row.proposal_after))]
        for row in _rows(_reproposed(found))
    ]
    intro = "at which all units would score the same." if "worth_after" in units else "by the formula."
    sections.append(Section("Proposed prices", intro, ("unit", "costs", "old", "new"), proposed, 1))
    return sections


def _priced(units: pd.DataFrame, groups: pd.DataFrame, labels: Labels) -> list[Section]:
    """Return the tables of a game whose prices battles say."""
    by_worth, of_worth = _ends_first(_by_ratio(units, "worth"), "worth_difference")
    by_score, of_score = _ends_first(_largest(units, "score_difference"), "score_difference")
    worth = [
        [
            row.name_,
            *map(_points, (row.requisition_after, row.worth_before, row.worth_after)),
            *_change(row, "worth"),
        ]
        for row in _rows(by_worth)
    ]
    score = [
        [row.name_, _percent(row.score_before), _percent(row.score_after), *_change(row, "score", 100), *_ranks(row)]
        for row in _rows(by_score)
    ]
    between = [
        [f"{row.group} v {row.opponent_group}".replace("_", " "), _percent(row.score_before), _percent(row.score_after)]
        for row in _rows(groups)
    ]
    between = [row for row in between if row[1] != row[2]]
    same = "; the change has its 90 % interval" if _paired(units) else ""
    ends = ("change", "from", "to") if _paired(units) else ("change",)
    level = f"the {labels.currency} at which it scores like the roster{same}."
    equal = f"for equal {labels.currency}, and its place among all{same}."
    columns = ("unit", "old %", "new %", *ends, "place", "then")
    return [
        Section("Worth", level, ("unit", "costs", "old", "new", *ends), worth, 1, of_worth),
        Section("Score at its price", equal, columns, score, 1, of_score),
        Section("Groups", "the first one's mean score.", ("groups", "old %", "new %"), between, 1),
    ]


def _alone(what: str) -> tuple[str, str]:
    return ("nothing", "a new card") if what == ADDED else ("a card", "nothing")


def _rows(table: pd.DataFrame) -> list[Any]:
    """Return rows as named tuples; `name` is one of their own words."""
    return list(table.rename(columns={"name": "name_"}).itertuples(index=False))


def _names(found: Comparison) -> Any:
    known = dict(zip(found.units["unit"], found.units["name"], strict=True)) if len(found.units) else {}
    known |= dict(zip(found.cards["unit"], found.cards["name"], strict=True))
    return lambda unit: known.get(unit, unit)


def _largest(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows whose numbers differ, the largest change first."""
    table = table[moved(table) & table[column].notna() & (table[column] != 0)]
    return table.assign(by=-table[column].abs().round(9)).sort_values(["by", "unit"]).drop(columns="by")


def _by_ratio(units: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows in which something differs, the largest factor first."""
    old, new = (units[f"{name}_{end}"] for end in ("before", "after"))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _largest(units.assign(change=np.log(new / old)), "change")


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


def _reproposed(found: Comparison) -> pd.DataFrame:
    if "proposal_after" not in found.units:
        return found.units[:0]
    change = found.units["proposal_after"] - found.units["proposal_before"]
    return _largest(found.units.assign(change=change), "change")


def _percent(share: float) -> str:
    return percent(share).removesuffix(" %")


def _points(price: float) -> str:
    if not math.isfinite(price):
        return "no end" if price > 0 else "–"
    return f"{price:.0f}" if price >= THREE_DIGITS or price == round(price) else f"{price:.1f}"


def _signed(change: float) -> str:
    return f"{change:+.1f}" if change else "0.0"


def _change(row: Any, name: str, scale: float = 1) -> list[str]:
    """Return a difference and the ends of its interval, if it has one."""
    values = [getattr(row, f"{name}_difference{end}", None) for end in ("", "_low", "_high")]
    return ["–" if math.isnan(value) else _signed(scale * value) for value in values if value is not None]


def _difference(row: Any, name: str) -> str:
    change, low, high = _change(row, name)
    return f"{change} [{low}, {high}]"


def _ranks(row: Any) -> list[str]:
    return ["–" if math.isnan(rank) else f"{rank:.0f}" for rank in (row.rank_before, row.rank_after)]


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
