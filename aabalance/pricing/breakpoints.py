"""What a point of a card is worth, and where the next one makes a difference."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis import cells
from aabalance.analysis.frames import ids_of, tidy
from aabalance.analysis.matchups import shots
from aabalance.analysis.situations import Situations
from aabalance.dice import Pmf
from aabalance.errors import check_kind
from aabalance.game import Game, Unit, game_of
from aabalance.jobs import sweeps
from aabalance.pricing.contest import Contest, Fighters, eligible_units
from aabalance.pricing.indifference import par, worth_of
from aabalance.pricing.roster import Roster
from aabalance.rulesets.base import Fighter

PENETRATION = ".penetration"
CHANGES = "{what: 'field=value', ...}"
"""What changes of a card look like."""


def worth_of_changes(game: Game | str, units: Iterable[Unit], changes: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return what changes of a card are worth in requisition, each by itself, with all other cards unchanged.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.
    changes : mapping of str to str, optional
        What-ifs ``field=value``, by a description; by default those of the game (`RosterRules.increments`), a point or
        a keyword each.

    Returns
    -------
    DataFrame
        A row for each unit and change. ``worth`` is that with the change, at the par of the roster without it.

    Raises
    ------
    UsageError, CardError
        A change can't be made.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> changes = {"30 to 40 hit points": "hp=40", "30 to 41": "hp=41"}
    >>> aab.worth_of_changes(few, ["us_m4a1"], changes)[["what_if", "worth", "worth_difference"]].round(1)
                   what_if  worth  worth_difference
    0  30 to 40 hit points   60.2               7.9
    1             30 to 41   63.6              11.3
    """
    game = game_of(game)
    if changes is not None:
        check_kind("changes", changes, Mapping, CHANGES)
    ids = ids_of(game, units, "units")
    before = Roster(game, about=ids)
    at_par, rows = par(before), []
    for unit in ids:
        was = worth_of(before, before.index(unit), at_par).price
        given = game.ruleset.roster.increments(game.cards[unit], game.variant) if changes is None else changes
        for words, change in given.items():
            after = Roster(game.with_(changes=[f"{unit}.{change}"]), about=[unit])
            at = after.index(unit)
            now = worth_of(after, at, at_par).price
            rows.append(
                {
                    "unit": unit,
                    "what_if": words,
                    "worth": now,
                    "worth_before": was,
                    "worth_difference": now - was,
                    "harmless_to": int(np.delete(~after.hurts[at], at).sum()),
                }
            )
    return tidy("worth_of_changes", rows)


def toughness_steps(
    game: Game | str, units: Iterable[Unit] | None = None, *, roster: Roster | None = None
) -> pd.DataFrame:
    """Return between which hit points a unit needs as many hits as now to be destroyed, by class of guns.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        By default all that can make up a side by themselves.
    roster : Roster, optional
        The opponents, whose guns count; by default all that can make up a side by themselves, in the contest
        of the game's own report definition.

    Returns
    -------
    DataFrame
        A row for each unit and class of guns. ``hits`` is the mean over the class, and from ``half_from`` on half of
        them need another hit: a class has odd guns, which need one sooner. Guns whose hits do different damage have no
        such steps, and are left out.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> steps = aab.toughness_steps(few, ["us_m4a1"])
    >>> steps[["gun_class", "toughness", "toughness_from", "toughness_to", "hits"]]
      gun_class  toughness  toughness_from  toughness_to  hits
    0  75-77 mm         30              21            30   3.0
    1  85-90 mm         30              29            39   3.0
    """
    game = game_of(game)
    contest, cards = _opponents(game, roster)
    ids = [card.id for card in cards] if units is None else ids_of(game, units, "units")
    if roster is not None:
        for unit in ids:
            roster.index(unit)  # refuses a unit that it hasn't
    fighters = Fighters(game, cards, [game.cards[unit] for unit in ids], contest)
    rows = []
    known: dict[tuple[int, int], int] = {}
    for index, unit in enumerate(ids):
        toughness = game.ruleset.toughness(game.cards[unit])
        by_class: dict[str, list[int]] = {}
        for at, card in enumerate(cards):
            enemy = fighters.one(at, index)
            if (id(enemy), toughness) not in known:
                known[id(enemy), toughness] = _damage(enemy, toughness)
            damage = known[id(enemy), toughness]
            if damage and card.id != unit:
                by_class.setdefault(game.ruleset.roster.gun_class(card), []).append(damage)
        for gun_class, guns in sorted(by_class.items()):
            hits = [-(-toughness // damage) for damage in guns]
            enough = [n * damage for n, damage in zip(hits, guns, strict=True)]
            rows.append(
                {
                    "unit": unit,
                    "gun_class": gun_class,
                    "opponents": len(guns),
                    "toughness": toughness,
                    "toughness_from": max((n - 1) * damage + 1 for n, damage in zip(hits, guns, strict=True)),
                    "toughness_to": min(enough),
                    "hits": sum(hits) / len(hits),
                    "half_from": statistics.median_low(enough) + 1,
                }
            )
    return tidy("toughness_steps", rows)


def _opponents(game: Game, roster: Roster | None) -> tuple[Contest, list[Any]]:
    """Return the contest and the cards of a roster, or those of the game's own report definition."""
    check_kind("roster", roster, Roster | None, "a Roster")
    if roster is not None:
        return roster.contest, [game.cards[unit] for unit in roster.units]
    contest = Contest.standard(game)
    return contest, eligible_units(game, contest)


def _damage(unit: Fighter, toughness: int) -> int:
    """Return the damage of a hit of the best attack among those whose hits all do the same; 0 if there is none."""
    best, damage = Fraction(0), 0
    for strike in unit.strikes:
        [[effect]] = strike.effects
        each = min((amount for amount in effect if amount > 0), default=0)
        taken = _taken(effect, toughness)
        if taken > best and not any(amount % each for amount in effect):
            best, damage = taken, each
    return damage


def _most_taken(unit: Fighter, toughness: int) -> Fraction:
    """Return the largest expected damage of an attack; 0 if a unit can't hurt its enemy."""
    effects = (effect for strike in unit.strikes for [effect] in strike.effects)
    return max((_taken(effect, toughness) for effect in effects), default=Fraction(0))


def _taken(effect: Pmf, toughness: int) -> Fraction:
    return sum((min(amount, toughness) * p for amount, p in effect.items()), Fraction(0))


def penetration_of(game: Game, unit: str) -> tuple[str, int] | None:
    """Return the field of the penetration that `RosterRules.increments` raises, and its value; None without one.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    unit : str
        Id.
    """
    raised = game.ruleset.roster.increments(game.cards[unit], game.variant).values()
    changes = (change.partition("=") for change in raised)
    return next(((field, int(value) - 1) for field, _, value in changes if field.endswith(PENETRATION)), None)


def penetration_steps(
    game: Game | str, unit: Unit, changes: Mapping[str, str], *, roster: Roster | None = None
) -> pd.DataFrame:
    """Return against how many opponents each of some changes of a gun's penetration makes a difference.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    unit : str or card
        The unit that has the gun, by id or as a card.
    changes : mapping of str to str
        What-ifs ``field=value``, by a description, in rising order: ``weapons.0.penetration=9`` and so on.
    roster : Roster, optional
        The opponents; by default as for `toughness_steps`.

    Returns
    -------
    DataFrame
        A row for each change. ``more_against`` counts the opponents against which an attack is expected to do more
        damage than with the change before it; the first change is compared with the card as it is. ``expected_damage``
        is the mean over all opponents, nan without any.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> guns = {f"{cm} cm": f"weapons.0.penetration={cm}" for cm in (9, 10, 11, 12)}
    >>> aab.penetration_steps(few, "us_m4a1", guns)[["what_if", "expected_damage", "more_against"]].round(2)
      what_if  expected_damage  more_against
    0    9 cm             5.50             2
    1   10 cm             6.57             2
    2   11 cm             6.91             2
    3   12 cm             6.92             1
    """
    game = game_of(game)
    check_kind("changes", changes, Mapping, CHANGES)
    [unit_id] = ids_of(game, [unit], "unit")
    contest, cards = _opponents(game, roster)
    cards = [card for card in cards if card.id != unit_id]
    changed = [game.with_(changes=[f"{unit_id}.{change}"]).cards[unit_id] for change in changes.values()]
    toughness = [game.ruleset.toughness(card) for card in cards]
    # All forms of the card at once: what they share is worked out once.
    met = Fighters(game, [game.cards[unit_id], *changed], cards, contest)

    def expected_damage(form: int) -> list[Fraction]:
        return [_most_taken(met.one(form, enemy), left) for enemy, left in enumerate(toughness)]

    before, rows = expected_damage(0), []
    for form, words in enumerate(changes, 1):
        after = expected_damage(form)
        rows.append(
            {
                "unit": unit_id,
                "what_if": words,
                "expected_damage": float(sum(after, Fraction(0)) / len(cards)) if cards else math.nan,
                "more_against": sum(now > was for now, was in zip(after, before, strict=True)),
                "harmless_to": sum(not now for now in after),
            }
        )
        before = after
    return tidy("penetration_steps", rows)


POINTS = 3
SAME = 1e-12
"""Two effects that rounding tells apart."""


def penetration_of_all(game: Game, situations: Situations) -> pd.DataFrame:
    """Return how many opponents a point more of penetration makes a difference to, unit by unit.

    `aabalance.penetration_steps` does so for one unit, at all distances. Here attacks are made at the distance
    that counts most.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    situations : Situations
        The distance is that of largest weight; faces and all other fields are those of its situations there.

    Returns
    -------
    DataFrame
        A row for each unit whose penetration `RosterRules.increments` raises, and each point. ``more_against`` counts
        the opponents against which an attack is expected to do more than with a point less. A unit alone has no rows.
    """
    guns = {unit: gun for unit in game.cards if (gun := penetration_of(game, unit)) is not None}
    if not guns or len(game.cards) < 2:
        return tidy("penetration_steps", {})
    by_range: dict[float, float] = {}
    for moment, weight in zip(situations.moments, situations.weights, strict=True):
        by_range[moment.range_in] = by_range.get(moment.range_in, 0.0) + weight
    usual = max(by_range, key=lambda at: by_range[at])
    moments = [moment for moment in situations.moments if moment.range_in == usual]
    units = list(game.cards)
    others = np.array([[unit != other for other in units] for unit in guns])
    terms = cells.CellTerms(game.ruleset.name, game.variant, tuple(moments))

    def done(of: Game) -> Any:
        found = sweeps.results(cells.job(of, terms, list(guns), list(game.cards), against=game))
        return found[:, :, terms.columns.index("expected_damage")]

    before, rows = done(game), []
    for more in range(1, POINTS + 1):
        changes = [f"{unit}.{field}={now + more}" for unit, (field, now) in guns.items()]
        after = done(game.with_(changes=changes))
        gains = ((after > before + SAME).any(axis=2) & others).sum(axis=1)
        harmless = ((after == 0).all(axis=2) & others).sum(axis=1)
        rows += [
            {
                "unit": unit,
                "what_if": f"{field}={now + more}",
                "expected_damage": float(after[at][others[at]].mean()),
                "more_against": int(gains[at]),
                "harmless_to": int(harmless[at]),
            }
            for at, (unit, (field, now)) in enumerate(guns.items())
        ]
        before = after
    return tidy("penetration_steps", rows)


FEWER, MORE = 1, 4
"""Points of penetration that are tried, down and up."""


def fire(game: Game, units: Iterable[Unit], roster: Roster) -> pd.DataFrame:
    """Return how many turns of fire units need to destroy their opponents, and these to destroy them.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.
    roster : Roster
        Their opponents. Only those count that can hurt the unit and that it can hurt.

    Returns
    -------
    DataFrame
        A row for each unit: the median, over its opponents, of the turns that one of them takes at the mean rate over
        the standard situations. nan for a unit without opponents.
    """
    ids = ids_of(game, units, "units")
    fired, fired_back = (
        _rates(shots(game, attackers=attackers, targets=targets))
        for attackers, targets in ((ids, roster.units), (roster.units, ids))
    )
    rows = []
    for unit in ids:
        met = [roster.units[at] for at in np.flatnonzero(roster.mutual[roster.index(unit)])]
        needs, lasts = ((1 / rates).median() for rates in (fired.loc[unit, met], fired_back.loc[met, unit]))
        rows.append({"unit": unit, "opponents": len(met), "turns_to_destroy": needs, "turns_it_lasts": lasts})
    return tidy("fire", rows)


def _rates(table: pd.DataFrame) -> pd.DataFrame:
    """Return kills per turn of holding, by attacker and target: the mean over the situations of a table of shots."""
    keys = [table["attacker"].astype(str), table["target"].astype(str)]
    mean = (table["weight"] / table["expected_turns_to_kill"]).groupby(keys).sum() / table["weight"].groupby(keys).sum()
    return mean.unstack()


def penetration_around(game: Game, unit: str, roster: Roster) -> pd.DataFrame:
    """Return what a little more or less penetration does to the worth of `unit` in `roster`.

    The gun is the one that the `RosterRules.increments` of the game raise.
    """
    gun = penetration_of(game, unit)
    if gun is None:
        return tidy("penetration_steps", {})
    field, now = gun
    values = [now + by for by in range(-FEWER, MORE + 1) if now + by >= 0]
    changes = {str(value): f"{field}={value}" for value in values}
    return penetration_steps(game, unit, changes, roster=roster)
