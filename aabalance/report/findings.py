"""The findings at the head of a report: what is out of line, by how much, how sure that is, and what to do."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from aabalance import columns
from aabalance.errors import counted, listed
from aabalance.game import Game
from aabalance.play.result import percent
from aabalance.pricing import tuning
from aabalance.pricing.board import POOLED, on_all
from aabalance.pricing.results import Results
from aabalance.pricing.worth import AT_FLOOR
from aabalance.pricing.worth_report import LEFT_OUT, UNSURE, unsure
from aabalance.report import tables

NAMED = 3
"""Most units that a sentence names."""
ONE_AGAINST_ONE = "Duels are exact. But a duel isn't a battle, and a trend is what is, not what should be."
SOLVED = "Battles are solved exactly."
LARGE_GAP = 0.1
"""What the first turn adds to a score, from which on it is a finding."""
TELLING = 25
"""Percent that half of an interval may have, in the median, for "in line" to be a finding."""
ROUNDING = 1e-9
"""Relative difference up to which two prices are equal."""
ON_OR_OFF = {"true": " on", "false": " off"}
"""How a switch stands that is one of two, in a sentence."""


def findings(
    game: Game,
    field: Collection[str],
    results: Results,
    above: pd.DataFrame,
    below: pd.DataFrame,
    options: str,
) -> dict[str, Any]:
    """Return the head of the report: ``lead``, a sentence or two, and ``facts``, each with a title and a text.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    field : collection of str
        Ids of the units that are compared.
    results : Results
        The results of the analysis.
    above, below : DataFrame
        Units that are worth more than they cost, and less, the most out of line first and last.
    options : str
        What `aabalance tune` needs for this report: its definition, and `aabalance.report.summary.options_of`.
    """
    currency = game.ruleset.labels.currency
    out, moved = pd.concat([above, below]), changed(results)
    if results.priced and len(results.rated):
        unrated = len(field) - len(results.rated)
        lead = f"{_of_worth(results, out, moved, currency)} {_others(game, field, unrated)}".rstrip()
        facts = [("How sure", _sure(results)), ("What to do", _advice(results, out, moved, options))]
    elif results.priced:
        lead = f"No unit can be rated: {results.no_proposal}."
        facts = []
    elif by_board(results):
        own = on_board(results)
        lead = _of_board(game, results, own, out)
        facts = [("How sure", _sure_on_board(own)), ("What to do", _advice_on_board(results, out, options))]
    else:
        lead = f"{_of_trend(results, above, below, currency)} {_others(game, field)}".rstrip()
        facts = [("How sure", ONE_AGAINST_ONE), ("What to do", _advice_by_formula(results, currency))]
    if first_turn := _first_turn(results):
        facts.append(("The first turn", first_turn))
    facts.insert(1 if facts else 0, ("Under other readings of the rules", _readings(results)))
    return {"lead": lead, "facts": [{"title": title, "text": text} for title, text in facts]}


def in_line(rated: pd.DataFrame) -> pd.Series[bool]:
    """Return by unit whether its cost lies within the interval of its worth."""
    within = rated["requisition"].between(rated["worth_low"], rated["worth_high"])
    return within & ~at_floor(rated)


def at_floor(rated: pd.DataFrame) -> pd.Series[bool]:
    """Return by unit whether it is worth less than the least price and costs no more: no price would fit better."""
    return _stuck(rated) & (rated["requisition"] <= rated["worth"] * (1 + ROUNDING))


def unjudged(rated: pd.DataFrame) -> pd.Series[bool]:
    """Return by unit whether its worth has no interval to hold its cost against."""
    unsaid: pd.Series[bool] = np.isfinite(rated["worth"]) & rated["worth_low"].isna() & ~_stuck(rated)
    return unsaid


def _stuck(rated: pd.DataFrame) -> pd.Series[bool]:
    stuck: pd.Series[bool] = rated["flags"].astype(str).str.contains(AT_FLOOR, regex=False)
    return stuck


def out_of_line(rated: pd.DataFrame) -> pd.Series[bool]:
    """Return by unit whether it costs something else than it is worth, beyond doubt."""
    out: pd.Series[bool] = ~(in_line(rated) | at_floor(rated) | unjudged(rated))
    return out


def changed(results: Results) -> int:
    """Return how many units have a proposed price other than their cost."""
    if results.priced:
        return len(tuning.changed(results.prices))
    return int((results.requisition["proposal"] != results.requisition["requisition"]).sum())


def on_board(results: Results) -> pd.DataFrame:
    """Return the units whose worth on the board has an interval, with it."""
    own = on_all(results.board_worth)
    return own[own["worth_low"].notna()]


def by_board(results: Results) -> bool:
    """Return whether units are judged by their worth on the board: in a game that no battle prices, if it is known."""
    return not results.priced and len(on_board(results)) > 0


def boards_in_words(results: Results) -> str:
    """Return the names of the boards on which units were valued."""
    return listed([board for board in dict.fromkeys(results.board_worth["board"]) if board != POOLED])


def off(results: Results) -> pd.DataFrame:
    """Return the units whose cost lies outside of the interval of their worth, in battles or else on the board."""
    if results.priced:
        return results.rated[out_of_line(results.rated)]
    own = on_board(results)
    return own[~own["requisition"].between(own["worth_low"], own["worth_high"])]


def compared(results: Results) -> pd.DataFrame:
    """Return the units that duels compare: they destroy something, and lose something."""
    table = results.cost_effectiveness
    ratio = table["requisition_exchange_ratio"]
    rated: pd.DataFrame = table[(ratio > 0) & np.isfinite(ratio)]
    return rated


def _of_worth(results: Results, out: pd.DataFrame, changed: int, currency: str) -> str:
    rated, open_ones = results.rated, int(unjudged(results.rated).sum())
    held = f"battles of units that hold: {LEFT_OUT} are not in them."
    if open_ones == len(rated):
        return f"No unit can be judged, as none has an interval of its worth in {held}"
    fair = rated[in_line(rated)]
    units = f"{len(fair)} of {counted(len(rated), 'unit')}"
    said = [f"{units} cost the {currency} that they are worth in {held}"]
    wide = int(unsure(fair).sum())
    if 2 * wide > len(fair):
        said.append(f"But {wide} of these may be worth over {100 * UNSURE:g} % more or less.")
    tuned = int(results.prices["identified"].sum()) - changed
    if tuned > changed:
        said.append(
            f"That doesn't test the prices: {tuned} of {len(results.prices)} are what tuning finds in these same "
            "battles."
        )
    said.append(_how_far(out))
    if open_ones:
        whose = "its" if open_ones == 1 else "their"
        said.append(f"{counted(open_ones, 'unit')} can't be judged: there is no interval of {whose} worth.")
    stuck = at_floor(rated)
    if stuck.any():
        number = int(stuck.sum())
        least = rated[stuck].sort_values("score", kind="stable").iloc[0]
        verb, costs, those = "are", "cost", f"{least['name']} scores least,"
        if number == 1:
            verb, costs, those = "is", "costs", "it scores"
        said.append(
            f"{counted(number, 'unit')} {verb} worth less than the least price, and {costs} no more: "
            f"{those} {percent(least['score'])}."
        )
    return " ".join(said)


def _how_far(out: pd.DataFrame) -> str:
    if out.empty:
        return "None is out of line."
    most = tables.number(float(out["worth_change"].abs().max()), columns.COLUMNS["change"]).lstrip("+")
    return f"{counted(len(out), 'unit')} {'is' if len(out) == 1 else 'are'} out of line, by {most} at most."


def _of_board(game: Game, results: Results, own: pd.DataFrame, out: pd.DataFrame) -> str:
    width, one = _half_width(own), len(own) == 1
    said = (
        f"{len(own) - len(out)} of {counted(len(own), 'unit')} "
        f"{'is worth what it costs, by its' if one else 'are worth what they cost, by their'} "
        f"90 % interval{'' if one else 's'} of ±{width} %{'' if one else ' in the median'}. {_how_far(out)}"
    )
    if width > TELLING:
        said = (
            f"90 % intervals of worth are ±{width} % for the median unit: too wide to tell whether units are worth "
            f"what they cost. {'None is known to be out of line.' if out.empty else _how_far(out)}"
        )
    left = len(game.cards) - len(own)
    have = "has" if left == 1 else "have"
    others = f" {left} of the roster's {len(game.cards)} {have} no worth there." if left else ""
    return f"In matches on {boards_in_words(results)}, {said}{others}"


def _half_width(own: pd.DataFrame) -> int:
    """Return half of the median width of the intervals of worth on the board, in percent."""
    return math.floor(50 * float(((own["worth_high"] - own["worth_low"]) / own["worth"]).median()) + 0.5)


def _sure_on_board(own: pd.DataFrame) -> str:
    return (
        "Matches are simulated, and greedy plays both sides. The 90 % interval says how sure a worth is: "
        f"±{_half_width(own)} % for the median unit. A unit whose cost lies inside it is in line. "
        "Of units that cost what they are worth, one in ten seems out of line by chance."
    )


def _advice_on_board(results: Results, out: pd.DataFrame, options: str) -> str:
    if out.empty:
        why = "as none is out of line" if _half_width(on_board(results)) <= TELLING else "as the intervals are too wide"
        return f"Nothing, {why}. More `matches` in [board_worth] would show smaller differences."
    asked = results.board_worth.attrs["matches"]
    values = {
        "board": ",".join(asked["boards"]),
        "mission": ",".join(filter(None, asked["missions"])),
        "rounds": asked.get("rounds"),
        "actions": asked.get("actions"),
    }
    named = "".join(f" --{name} {value}" for name, value in values.items() if value)
    return f"{_whose(out)} out of line should cost something else: aabalance tune{options}{named} proposes prices."


def _whose(out: pd.DataFrame) -> str:
    return "The unit" if len(out) == 1 else f"The {len(out)} units"


def _others(game: Game, field: Collection[str], unrated: int = 0) -> str:
    """Return a sentence on the units of the roster that aren't rated, and why; an empty text if all are."""
    apart = [tables.plain(game.ruleset.roster.category(card)) for unit, card in game.cards.items() if unit not in field]
    classes, left = f"({', '.join(dict.fromkeys(apart))})", unrated + len(apart)
    if left == 1:
        why = f"its class isn't compared {classes}" if apart else "no battle can price it"
        return f"One of the roster's {len(game.cards)} is not rated: {why}."
    why = ", ".join(
        [f"{unrated} that no battle can price"] * (unrated > 0)
        + [f"{len(apart)} of a class that isn't compared {classes}"] * (len(apart) > 0)
    )
    return f"The other {left} of the roster's {len(game.cards)} are not rated: {why}." if left else ""


def _sure(results: Results) -> str:
    rated = results.rated[results.rated["worth"] > 0]
    halves = ((rated["worth_high"] - rated["worth_low"]) / 2 / rated["worth"]).dropna()
    solved = "Battles are solved exactly, or simulated where they are too large." if results.priced_by_dice else SOLVED
    if halves.empty:
        few = unjudged(results.rated).any()
        return f"{solved} Units meet too few others for an interval of their worth." if few else solved
    share = math.floor(100 * halves.median() + 0.5)
    return (
        f"{solved} The 90 % interval says how much a price depends on whom a unit meets: "
        f"±{share} % for the median unit. A unit whose cost lies inside it is in line."
    )


def _advice(results: Results, out: pd.DataFrame, changed: int, options: str) -> str:
    if results.no_proposal:
        return f"No prices can be proposed: {results.no_proposal}."
    left = results.prices_leave
    far = _named([str(unit) for unit in left["far"]], results.prices)
    apart = "Apart from units worth less than the least price, " if left["at_floor"] else ""
    if changed:
        unsure = unjudged(results.rated)
        start = "Nothing has to be done, as none is out of line. "
        if len(out):
            start = f"{_whose(out)} out of line should cost something else. "
        elif unsure.any():
            start = "With so few units, no price is sure. " if unsure.all() else ""
        need, them = ("needs", "it") if changed == 1 else ("need", "them")
        cards = f"{counted(changed, 'card')} {need} another one"
        said = f"{start}For all prices to be fair, {cards}: aabalance tune{options} --write writes {them}."
        before, after = (f"{left[name]:.3f}" for name in ("rms_before", "rms_after"))
        falls = f"falls from {before} to {after}"
        if before == after:
            falls = f"stays {after}: nothing is lost if they keep their prices"
        elif left["rms_before"] < left["rms_after"]:
            falls = f"rises from {before} to {after}: nothing is lost if they keep their prices"
        return f"{said} {apart}{'the' if apart else 'The'} root mean square of how far units score from level {falls}."
    said = "Nothing" if out.empty else "Leave the prices"
    least = ", or the least price" if left["at_floor"] else ""
    said += f": every card costs its fair price to the nearest step{least}."
    if len(out):
        those = "The one" if len(out) == 1 else f"The {len(out)}"
        said += f" {those} out of line can't come nearer in whole steps; only changed cards would help."
    if far:
        score = "scores" if len(left["far"]) == 1 else "score"
        said += f" {apart}{far} {score} more than {100 * tuning.FAR:g} points of 100 from level."
        if left["finer"]:
            off = math.ceil(100 * left["finer"]["off"])
            them = "it" if len(left["finer"]["units"]) == 1 else "them"
            said += f" That is rounding: {left['finer']['said']} would bring {them} to within {off}."
    return said


def _of_trend(results: Results, above: pd.DataFrame, below: pd.DataFrame, currency: str) -> str:
    ratio = results.cost_effectiveness["requisition_exchange_ratio"]
    ahead = f"{int((ratio > 1).sum())} of {counted(len(ratio), 'unit')}"
    said = f"{ahead} destroy more {currency} than they lose, one against one."
    ends = []
    for what, frame, at in (("gives most", above, 0), ("least", below, -1)):
        if len(frame):
            row = frame.iloc[at].to_dict()
            usual = f"{tables.multiple(row['exchange_ratio_to_peers'])} what is usual there"
            ends.append(f"{row['name']} {what} ({usual}{_reach(results.matchups, row['unit'])})")
    if ends:
        said += f" At its price {', '.join(ends)}."
    if unhurt := int(np.isinf(ratio).sum()):
        loses, them = ("loses", "it isn't") if unhurt == 1 else ("lose", "they aren't")
        said += f" {counted(unhurt, 'unit')} {loses} nothing in duels, so that {them} compared."
    return said


def _reach(matchups: pd.DataFrame, unit: str) -> str:
    """Return at how many distances a unit can hurt anybody, or "" if these weigh half or more."""
    own = matchups[matchups["attacker"] == unit]
    hurts = (own["p_damage"] > 0).groupby(own["range_in"]).any()
    weight = own["weight"].groupby(own["range_in"]).sum()
    few = 2 * weight[hurts].sum() < weight.sum()
    return f"; it can hurt at {hurts.sum()} of the {counted(len(hurts), 'distance')}" if few else ""


def _advice_by_formula(results: Results, currency: str) -> str:
    if results.no_proposal:
        return f"No {currency} can be proposed: {results.no_proposal}."
    rated = results.requisition[results.requisition["unit"].isin(compared(results)["unit"])]
    if len(rated) < 2:
        return "No formula can say: it compares cards, and there are too few."
    total, changed = counted(len(rated), "rated card"), int((rated["proposal"] != rated["requisition"]).sum())
    if not changed:
        return f"Nothing by the formula: all {total} cost what it says."
    them = "it" if changed == 1 else "them"
    return f"The formula, a first guess, would price {changed} of {total} differently: look at {them}."


def _readings(results: Results) -> str:
    """Return how much depends on the reading of the rules, and whose worth the one that moves most changes most."""
    tried = len(results.sensitivity) - 1
    moving = int((results.sensitivity["mean_change_of_p_win"] > 0).sum())
    if tried < 1:
        return "No other reading was tried."
    first = results.sensitivity.iloc[1]
    switch, _, value = str(first["reading"]).partition("=")
    reading = tables.plain(switch if value in ON_OR_OFF else first["reading"])
    reading = f'"{reading}"{ON_OR_OFF.get(value, "")}'
    one = f"One other reading was tried, {reading}: it"
    if not moving:
        return f"None of {tried} other readings changes who wins." if tried > 1 else f"{one} doesn't change who wins."
    change = tables.percentage_points(first["mean_change_of_p_win"])
    verb = "affects" if moving == 1 else "affect"
    many = f"{moving} of {tried} other readings {verb} duels. The strongest, {reading},"
    said = f"{one if tried == 1 else many} moves a pair's chance to win by {change} percentage points on average."
    moved = results.who_gains.get(str(first["reading"]))
    if moved is None or moved.empty:
        return said
    shift = np.log(moved["worth_after"]).sub(np.log(moved["worth_before"])).abs()
    row = moved.iloc[int(shift.argmax())].to_dict()
    before, after = (tables.of(row, name) for name in ("worth_before", "worth_after"))
    return f"{said} It changes the worth of {row['name']} most, from {before} to {after}."


def _first_turn(results: Results) -> str:
    """Return what the first turn decides, and in which battle most; an empty text where that is little."""
    in_duels = float(results.headlines["first_turn_gap"].iloc[0])
    battles = results.battles.sort_values("first_turn_gap", key=abs, ascending=False, kind="stable")
    worst = float(battles["first_turn_gap"].iloc[0]) if len(battles) else 0.0
    if max(abs(in_duels), abs(worst)) < LARGE_GAP:
        return ""
    said = f"It adds {tables.percentage_points(in_duels)} points of 100 to the score of a duel, on average."
    if abs(worst) < LARGE_GAP:
        return said
    row = battles.iloc[0]
    score, actions = row["score_a"], counted(int(row["actions_a"]), "action")
    with_it, without = (percent(score + half) for half in (worst / 2, -worst / 2))
    return (
        f"It matters a lot: under {actions} a turn, {row['list_a']} score {with_it} against {row['list_b']} if they "
        f"move first, {without} if they don't. In duels it adds {tables.percentage_points(in_duels)} points of 100, "
        "on average."
    )


def _named(units: Sequence[str], table: pd.DataFrame) -> str:
    names = table.set_index("unit")["name"]
    said = [str(names[unit]) for unit in units[:NAMED]]
    if len(units) > NAMED:
        said.append(f"{len(units) - NAMED} more")
    return listed(said)
