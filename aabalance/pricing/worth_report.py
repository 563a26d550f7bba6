"""Whether units are worth their price, with the reasons: tables, and sentences about them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.frames import InWords, ids_of
from aabalance.analysis.matchups import matchups
from aabalance.analysis.pairs import chances
from aabalance.definitions.lists import ALL, Chosen, chosen
from aabalance.errors import check_kind
from aabalance.game import Game, Unit, game_of
from aabalance.play.result import percent
from aabalance.pricing.breakpoints import fire, penetration_around, toughness_steps
from aabalance.pricing.roster import Roster, roster_of
from aabalance.pricing.worth import AT_FLOOR, worth, worth_differences, worth_reasons

MOST_OF_DUELS = 0.75
"""Share of duels from which on a dear unit wins them for its price, and a cheap one loses them."""
UNSURE = 0.25
"""Share of its cost by which a unit may be worth more, or less, before nobody can call it fairly priced."""
MOST = 5
"""Opponents that a report names as the best, and as the worst."""
LEFT_OUT = "movement, cover, scouting, carrying and objectives"
"""What no battle of units that hold shows."""


@dataclass(frozen=True, eq=False, repr=False)
class WorthReport(InWords):
    """Whether units are worth their price: tables with rows for each unit.

    Attributes
    ----------
    worth, reasons : DataFrame
        From `aabalance.worth` and `aabalance.worth_reasons`.
    fire : DataFrame
        Table ``fire``: how quickly a unit destroys its opponents, and they destroy it.
    toughness, penetration : DataFrame
        From `aabalance.toughness_steps` and `aabalance.penetration_steps`: how much more toughness it needs to stand
        another hit of some guns, and how much more penetration to hurt some opponents more.
    before : WorthReport or None
        The same of the game that it is compared with.
    change : DataFrame or None
        Table ``unit_changes``: how much more units are worth than in that game.
    """

    worth: pd.DataFrame
    reasons: pd.DataFrame
    fire: pd.DataFrame
    toughness: pd.DataFrame
    penetration: pd.DataFrame
    before: WorthReport | None = None
    change: pd.DataFrame | None = None

    def sentences(self) -> list[str]:
        """Return for each unit whether it is fairly priced, and how sure that is."""
        return [worth_in_words(row) for row in self.worth.to_dict("records")]

    def to_frame(self) -> pd.DataFrame:
        """Return `worth`."""
        return self.worth

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name; those of ``before`` as ``worth_before`` and so on."""
        own = "worth", "reasons", "fire", "toughness", "penetration"
        found = {name: getattr(self, name) for name in own}
        found |= {f"{name}_before": getattr(self.before, name, None) for name in own}
        found |= {"change": self.change}
        return {name: frame for name, frame in found.items() if frame is not None}


def unsure(rows: Any) -> Any:
    """Return whether the interval of a worth reaches too far from the cost to call the unit fairly priced.

    `rows` is a row of `aabalance.worth`, or the whole table.
    """
    cost = rows["requisition"]
    return np.maximum(cost - rows["worth_low"], rows["worth_high"] - cost) > UNSURE * cost


def worth_in_words(row: Mapping[Any, Any]) -> str:
    """Return in a sentence whether a unit is fairly priced, and how sure that is; `row` is one of `aabalance.worth`."""
    name, cost, price, low, high = (row[it] for it in ("name", "requisition", "worth", "worth_low", "worth_high"))
    costs, found = f"and costs {cost:g}" if cost == cost else "and has no price yet", price_in_words(price)
    if not math.isfinite(price):
        return f"No battle prices {name}: {row['flags']}."
    if AT_FLOOR in row["flags"]:
        return f"{name} is worth no more than the least price, {found}, {costs}."
    if math.isnan(low):
        return f"{name} is worth {found}, nobody can say how surely ({row['flags']}), {costs}."
    between = f"{price_in_words(low)} to {price_in_words(high)}"
    if cost != cost:
        return f"{name} should cost {found} ({between} in 90 of 100 draws of opponents): it has no price yet."
    verdict = "Too cheap" if price > cost else "Too dear"
    if low <= cost <= high:
        verdict = "Perhaps fairly priced" if unsure(row) else "Fairly priced"
    return f"{verdict}: {name} is worth {found} ({between} in 90 of 100 draws of opponents), {costs}."


def duels_in_words(game: Game, row: Mapping[Any, Any], others: Sequence[str]) -> str:
    """Return in a sentence how often a unit wins its duels, a draw counting half, and whether that goes by its price.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    row : mapping
        A row of `aabalance.worth`.
    others : sequence of str
        Ids of the units that it meets, on both sides of a duel.
    """
    unit, met = [row["unit"]], [other for other in others if other != row["unit"]]
    if not met or not math.isfinite(row["worth"]):
        return ""
    there, back = (chances(matchups(game, attackers=a, targets=b)) for a, b in ((unit, met), (met, unit)))
    scores = (float((table["p_win"] + table["p_draw"] / 2).mean()) for table in (there, back))
    score = (next(scores) + 1 - next(scores)) / 2
    usual, price = np.median([game.ruleset.cost(game.cards[other]) for other in met]), row["requisition"]
    why = " because it is dear" if score > MOST_OF_DUELS and price > usual else ""
    why = " because it is cheap" if score < 1 - MOST_OF_DUELS and price < usual else why
    return f" In duels it wins {percent(score)}{why}."


def price_in_words(price: float) -> str:
    """Return the text of a price, which has a decimal place below 100."""
    if math.isnan(price):
        return "–"
    return "no end" if math.isinf(price) else f"{price:.0f}" if price >= 100 else f"{price:.1f}"


def change_in_words(share: float) -> str:
    """Return the text of a relative change in whole percent, half up whether it rises or falls."""
    if not math.isfinite(share):
        return "–"
    return f"{math.copysign(math.floor(100 * abs(share) + 0.5), share):+z.0f} %"


def worth_explained(
    game: Game | str,
    units: Iterable[Unit],
    *,
    against: Chosen = ALL,
    before: Game | None = None,
    roster: Roster | None = None,
    most: int = MOST,
) -> WorthReport:
    """Return whether units are worth their price, with the reasons, and what a change of cards or rules did to it.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.
    against : str, tuple of str or dict, default "all"
        Which opponents `WorthReport.reasons` may name: ids, or fields of their cards with the values that they may
        have, as in ``{"nation": "Germany"}``. The worth of units is always that against all.
    before : Game, optional
        The game before a change, with which it is compared.
    roster : Roster, optional
        As for `aabalance.worth`.
    most : int
        Largest number of opponents that are named as the best, and as the worst.

    Raises
    ------
    UsageError
        A unit isn't in the roster, or no card is as `against` says.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> aab.worth_explained(few, ["us_m4a1"]).fire.round(2)
          unit  opponents  turns_to_destroy  turns_it_lasts
    0  us_m4a1          3             10.86            4.34
    >>> tougher = aab.worth_explained(few.with_(changes=["us_m4a1.hp=40"]), ["us_m4a1"], before=few)
    >>> tougher.change.filter(like="difference").round(1)
       worth_difference  worth_difference_low  worth_difference_high
    0               7.9                  -2.0                   21.9
    """
    game = game_of(game)
    ids = ids_of(game, units, "units")
    check_kind("before", before, Game | None, "a Game")
    check_kind("against", against, Iterable, "units, or fields of cards with their values")
    among = chosen(game.ruleset, game.cards, against)  # a wrong choice is refused before the work
    roster = roster_of(game, roster, ids)
    found = _report(game, ids, roster, among, most)
    if before is not None:
        old = Roster(before, about=ids, tuning=roster.tuning, situations=roster.situations)
        change = worth_differences(old, roster, ids)
        among = chosen(before.ruleset, before.cards, against)
        found = replace(found, before=_report(before, ids, old, among, most), change=change)
    return found


def _report(game: Game, units: list[str], roster: Roster, among: Sequence[str], most: int) -> WorthReport:
    return WorthReport(
        worth(game, units, roster=roster),
        worth_reasons(game, units, roster=roster, most=most, among=among),
        fire(roster.game, units, roster),
        toughness_steps(roster.game, units, roster=roster),
        pd.concat([penetration_around(roster.game, unit, roster) for unit in units], ignore_index=True),
    )
