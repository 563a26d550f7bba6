"""A comparison in words: sentences with short tables below them; as Markdown, as one HTML file, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from aabalance.analysis.cells import WORDS
from aabalance.diff.changes import ADDED, CHANGED, REMOVED
from aabalance.diff.compare import Comparison
from aabalance.diff.tables import (
    RATIO,
    Section,
    are_paired,
    by_ratio,
    change_of,
    largest,
    names_of,
    points,
    ratios,
    ratios_of,
    reproposed,
    rows_of,
    tables,
)
from aabalance.errors import counted
from aabalance.files import in_markdown, templates
from aabalance.play.result import percent
from aabalance.report.page import unbroken
from aabalance.rulesets.base import Labels

FEW = 3
"""Most things that a sentence names."""
SEEN = 0.01
"""Least change, as a share, of the units that the last sentence counts."""


class Diff(NamedTuple):
    """A comparison in words.

    Attributes
    ----------
    title : str
        Heading of the comparison.
    old, new : str
        The two sides that are compared.
    headline : list of str
        Sentences.
    sections : list of Section
        Tables with their headings.
    caveat : str
        What every report on the game has to say about its data.
    sentence : str
        The comparison in a sentence, with its doubt; empty if it has no effect.
    """

    title: str
    old: str
    new: str
    headline: list[str]
    sections: list[Section]
    caveat: str
    sentence: str


def in_words(comparison: Comparison, labels: Labels, old: str, new: str, *, origin: str = "") -> Diff:
    """Return a comparison in words.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    labels : Labels
        The game's own words.
    old, new : str
        The two sides that are compared, in words.
    origin : str
        Where the revisions come from that are compared.
    """
    headline = [
        *_differences(comparison),
        *(_effects(comparison, labels) if comparison.matters and not _alone(comparison) else [_no_effect(comparison)]),
    ]
    sections = [section for section in tables(comparison, labels) if section.rows]
    title = f"{labels.title}: {old} against {new}{origin and f' ({origin})'}"
    return Diff(title, old, new, headline, sections, labels.caveat, _in_short(comparison, labels))


def _differences(comparison: Comparison) -> list[str]:
    """Say what differs in cards and rules, and what new units are worth."""
    lines = []
    fields = comparison.cards[comparison.cards["what"] == CHANGED]
    if 0 < len(fields) <= FEW:
        lines.append(
            "; ".join(f"{row.name}: {row.field} {row.before}, now {row.after}" for row in rows_of(fields)) + "."
        )
    elif len(fields):
        number = fields["field"].value_counts(sort=True)
        some = [f"{field} of {counted(int(cards), 'card')}" for field, cards in number.items()]
        lines.append(f"{counted(fields['unit'].nunique(), 'card')} differ: {_some(some)}.")
    cards = comparison.cards
    new, gone = (cards["name"][cards["what"] == what] for what in (ADDED, REMOVED))
    # A name alone would say that the same unit is new and gone.
    cards = cards.assign(name=cards["name"].mask(cards["name"].isin(new) & cards["name"].isin(gone), cards["unit"]))
    for what, verb in ((ADDED, "new"), (REMOVED, "gone")):
        units = cards[cards["what"] == what]
        some = [_new(comparison, row) if what == ADDED else row.name for row in rows_of(units)]
        if some:
            lines.append(f"{counted(len(some), 'unit')} {'is' if len(some) == 1 else 'are'} {verb}: {_some(some)}.")
    if len(comparison.rules):
        rules = [f"{row.switch} {row.before}, now {row.after}" for row in rows_of(comparison.rules)]
        lines.append(f"{_some(rules, '; ')}.")
    return lines


def _new(comparison: Comparison, card: Any) -> str:
    """Say what a new unit is worth; in a game without worth, its exchange ratio."""
    if len(comparison.units) and card.unit in set(comparison.units["unit"]):
        [row] = rows_of(comparison.units[comparison.units["unit"] == card.unit])
        worth, ratio = (getattr(row, f"{name}_after", math.nan) for name in ("worth", RATIO))
        costs = "has no price" if math.isnan(row.requisition_after) else f"costs {points(row.requisition_after)}"
        if not math.isnan(worth):
            return f"{card.name} ({costs}, is worth {points(worth)})"
        if not math.isnan(ratio):
            return f"{card.name} ({costs}, destroys {ratio:.2f} for each point lost)"
    return str(card.name)


def _no_effect(comparison: Comparison) -> str:
    """Say that the differences had no effect, and why."""
    if not len(comparison.cards) + len(comparison.rules):
        return "No difference: cards and rules are the same on both sides."
    if not len(comparison.rules) and comparison.cards["field"].isin(WORDS).all():
        return "No effect: no number depends on what differs."
    if _alone(comparison):
        return "Nothing could be compared: fewer than two units are on both sides."
    if not len(comparison.cards):
        fights = f"no duel{' and no battle' * ('worth_after' in comparison.units)}"
        return f"No effect: {fights} here depends on these rules; matches aren't compared."
    return "No effect: every duel, score and price stays what it is."


def _alone(comparison: Comparison) -> bool:
    """Return whether no unit of both sides meets another one of both."""
    of_one_side = comparison.cards["unit"][comparison.cards["what"] != CHANGED]
    both = ~comparison.units["unit"].isin(of_one_side)
    return not len(comparison.matchups) and len(both) > 0 and int(both.sum()) < 2


def _effects(comparison: Comparison, labels: Labels) -> list[str]:
    """Say what the differences did to duels, worth and proposed prices."""
    lines = _worth(comparison), _duels(comparison), _ratios(comparison), _proposals(comparison, labels)
    return list(filter(None, lines))


def _duels(comparison: Comparison) -> str:
    table, names = comparison.matchups, names_of(comparison)
    flips = table[table["flipped"]]
    if not comparison.met:
        return ""
    if not len(table):
        return f"No duel changes, of {counted(comparison.met, 'pair')}."
    rest = len(table) - len(flips)
    of_all = f"of {counted(comparison.met, 'pair')} {'changes' if rest == 1 else 'change'}"
    others = f"{counted(rest, 'other')} {of_all} without a flip."
    if not len(flips):
        [most] = rows_of(table.head(1))
        between = f"{names(most.unit)} v {names(most.opponent)}"
        change = f"{percent(most.duel_score_before)} to {percent(most.duel_score_after)}"
        return f"No duel flips; {rest} {of_all}, most {between}: {change}."
    some = [
        f"{names(row.unit)} {'loses to' if row.duel_score_after < row.duel_score_before else 'beats'} "
        f"{names(row.opponent)} ({percent(row.duel_score_before)} to {percent(row.duel_score_after)})"
        for row in rows_of(flips.head(FEW))
    ]
    more = f", and {len(flips) - FEW} more" if len(flips) > FEW else ""
    return f"{counted(len(flips), 'duel')} {'flips' if len(flips) == 1 else 'flip'}: {'; '.join(some)}{more}. {others}"


def _worth(comparison: Comparison) -> str:
    """Say whose worth changes most: that of changed cards first, then that of others; of many, who gains and loses."""
    if "worth_difference" not in comparison.units or not len(comparison.units):
        return ""
    table = by_ratio(comparison.units, "worth")
    changed = comparison.cards["unit"][comparison.cards["what"] == CHANGED]
    own = comparison.units[comparison.units["unit"].isin(changed) & comparison.units["worth_difference"].notna()]
    if 0 < len(own) <= FEW and are_paired(comparison.units):
        own = own.sort_values("worth_difference", key=abs, ascending=False, kind="stable")
        some = [f"{row.name} is worth {points(row.worth_after)}, {_before(row)}{_scored(row)}" for row in rows_of(own)]
        others = [
            f"Of the other cards {_from_to(row)} changes most in worth."
            for row in rows_of(table[~table["unit"].isin(changed)].head(1))
            if points(row.worth_before) != points(row.worth_after)
        ]
        return " ".join([f"{'; '.join(some)}.", *others])
    gains = table["worth_difference"] > 0
    parts = [
        f"worth {words}: {_some([*map(_from_to, rows_of(part))])}"
        for words, part in (("more", table[gains]), ("less", table[~gains]))
        if len(part)
    ]
    some = [
        f"{row.name} ({percent(row.score_before)} to {percent(row.score_after)})"
        for row in rows_of(largest(comparison.units, "score_difference"))
    ]
    scores = f" Scores at their prices change most: {_some(some)}." if some else ""
    return f"{sentence('; '.join(parts) or 'what units are worth stays')}.{scores}"


def _scored(row: Any) -> str:
    """Say what a unit costs and scores, and what it scored before; nothing of a unit without a price."""
    if math.isnan(row.score_difference):
        return ""
    before = "as before"
    if round(100 * row.score_difference, 1):
        before = f"before {percent(row.score_before)} ({_changed(row, 'score', 100)})"
    return f", and costs {points(row.requisition_after)}: it scores {percent(row.score_after)}, {before}"


def _before(row: Any) -> str:
    """Say what a unit was worth before, and the difference with its interval if it can be seen."""
    if round(row.worth_difference, 1) == 0:
        return "as before"
    if not math.isfinite(row.worth_difference):
        return f"before {points(row.worth_before)}"
    return f"before {points(row.worth_before)} ({_changed(row, 'worth')})"


def _changed(row: Any, name: str, scale: float = 1) -> str:
    """Return a difference with its interval, if opponents are enough for one; parameters as for `change_of`."""
    change, low, high = change_of(row, name, scale)
    return f"{change}, without an interval" if low == "–" else f"{change} [{low}, {high}]"


def _from_to(row: Any) -> str:
    return f"{row.name} ({points(row.worth_before)} to {points(row.worth_after)})"


def _place(before: float, after: float) -> str:
    return f"still place {before:.0f}" if before == after else f"place {before:.0f} to {after:.0f}"


def _ratios(comparison: Comparison) -> str:
    """Say whose exchange ratio changes most, in a game without worth."""
    if f"{RATIO}_after" not in comparison.units:
        return ""
    table = ratios(comparison.units)
    some = [
        f"{row.name} {' to '.join(ratios_of(row))} ({_place(row.rank_before, row.rank_after)})"
        for row in rows_of(table.head(FEW))
    ]
    return f"What units destroy for each point lost changes most: {'; '.join(some)}." if some else ""


def _proposals(comparison: Comparison, labels: Labels) -> str:
    table = reproposed(comparison)
    if comparison.no_proposal:
        return f"No prices are proposed: {comparison.no_proposal}."
    if "proposal_after" not in comparison.units:
        return ""
    if not len(table):
        return "The proposed prices stay."
    some = _some([f"{row.name} {row.proposal_after:g} instead of {row.proposal_before:g}" for row in rows_of(table)])
    prices = "price changes" if len(table) == 1 else "prices change"
    return f"{len(table)} proposed {prices}: {some} ({labels.currency})."


def _in_short(comparison: Comparison, labels: Labels) -> str:
    """Say who changes most, a changed card first, by how much, with its doubt, and how many do."""
    name = "worth" if "worth_after" in comparison.units else RATIO
    if not comparison.matters or _alone(comparison) or f"{name}_after" not in comparison.units:
        return ""
    table = by_ratio(comparison.units, name)
    found = [table, *([largest(comparison.units, "score_difference")] if name == "worth" else [])]
    own = [one[one["unit"].isin(comparison.cards["unit"])] for one in found]
    first = next((one for one in own if len(one)), table).head(1)
    if not len(first):
        return f"In short: no unit changes in {'worth' if name == 'worth' else 'what it destroys'}."
    [row] = rows_of(first)
    if name == "worth":
        what = _worth_in_short(row, are_paired(comparison.units), labels)
    else:
        before, after = ratios_of(row)
        what = f"destroys {after} for each point lost instead of {before}; that is exact, one against one"
    ratio = table[f"{name}_after"] / table[f"{name}_before"]
    others = list(table["name"][((ratio - 1).abs() >= SEEN) & (table["unit"] != row.unit)])
    change = f"{counted(len(others), 'other unit')} {'changes' if len(others) == 1 else 'change'}"
    named = f"by 1 % or more{': ' * bool(others)}{_some(others)}."
    return f"In short: {row.name} {what}. {change if others else 'No other unit changes'} {named}"


def _worth_in_short(row: Any, paired: bool, labels: Labels) -> str:
    """Say what a unit is worth, costs, scores and wins, and did before; `paired`: changes have intervals."""
    stays = round(row.worth_difference, 1) == 0
    doubt = "without an interval, which reports don't give"
    if not math.isfinite(row.worth_difference):
        doubt = "without an interval, as a worth is unbounded"
    elif paired:
        _, low, high = change_of(row, *(("score", 100) if stays else ("worth",)))
        doubt = "without an interval" if low == "–" else f"90 % interval of the change {low} to {high}"
    what = f"is worth {points(row.worth_after)} {labels.currency}"
    what += " as before" if stays else f" instead of {points(row.worth_before)} ({doubt})"
    if not math.isnan(row.score_difference):
        scores = f"{percent(row.score_after)} instead of {percent(row.score_before)}"
        what += f" and costs {points(row.requisition_after)}: it scores {scores}{f' ({doubt})' * stays}"
    duels = 100 * row.duel_score_difference
    some = f"{abs(duels):.1f}"
    won = f"{some} {'more' if duels > 0 else 'fewer'} of 100 duels" if float(some) else "as many duels"
    return f"{what}, and wins {won}"


def _some(words: Sequence[str], between: str = ", ") -> str:
    more = f"{between}and {len(words) - FEW} more" if len(words) > FEW else ""
    return between.join(words[:FEW]) + more


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


MOST_FOLDED = 100
"""Rows of a table that are folded in Markdown: a comment on a pull request takes 65,536 characters."""
TEMPLATE = "diff.html.j2"


def markdown(diff: Diff) -> str:
    """Return a comparison as Markdown: the headline, and tables whose further rows are folded."""
    lines = [f"## {in_markdown(diff.title)}", "", *(f"- {in_markdown(line)}" for line in diff.headline), ""]
    for section in diff.sections:
        lines += [f"### {in_markdown(section.title)} ({len(section.rows)})", ""]
        if section.intro:
            lines += [in_markdown(sentence(section.intro)), ""]
        lines += [*_table(section, section.rows[: section.first]), ""]
        rest = section.rows[section.first :]
        if rest:
            folded, left = rest[:MOST_FOLDED], len(rest) - MOST_FOLDED
            lines += ["<details>", f"<summary>{min(len(rest), MOST_FOLDED)} more</summary>", ""]
            lines += [*_table(section, folded), "", "</details>", ""]
            lines += [f"... and {left} more that --html and --json have.", ""] if left > 0 else []
    return "\n".join([*lines, *([in_markdown(diff.sentence), ""] if diff.sentence else []), diff.caveat, ""])


def _table(section: Section, rows: list[list[str]]) -> list[str]:
    ends = ["---"] * section.words + ["--:"] * (len(section.head) - section.words)
    return [f"| {' | '.join(map(in_markdown, row))} |" for row in (list(section.head), ends, *rows)]


def page(diff: Diff) -> str:
    """Return a comparison as one HTML file that loads nothing else."""
    environment = templates("aabalance.report")
    environment.filters["sentence"] = sentence
    return unbroken(environment.get_template(TEMPLATE).render(diff=diff))


def in_json(diff: Diff, found: Comparison) -> dict[str, Any]:
    """Return a comparison for JSON: its sentences and its tables."""
    return {
        "old": diff.old,
        "new": diff.new,
        "effect": found.matters,
        "headline": diff.headline,
        "sentence": diff.sentence,
        "pairs_compared": found.met,
        "no_proposal": found.no_proposal,
        **{name: frame for name, frame in vars(found).items() if isinstance(frame, pd.DataFrame)},
        "provenance": dict(zip(("old", "new"), found.provenance, strict=True)),
    }
