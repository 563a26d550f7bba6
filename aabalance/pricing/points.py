"""What a point of a card is worth, and where the next one makes a difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.dice import Pmf
from aabalance.game import Game, Unit
from aabalance.pricing.contest import Contest
from aabalance.pricing.fighters import Fighters, lone
from aabalance.pricing.levels import level
from aabalance.pricing.score import Roster
from aabalance.pricing.worth import price_of, roster_about
from aabalance.rulesets.base import Fighter

PENETRATION = ".penetration"


def worth_of_changes(game: Game, units: Iterable[Unit], changes: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return what changes of a card are worth in requisition, each by itself, with all other cards unchanged.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card
        The units, by id or as cards.
    changes : mapping of str to str, optional
        What-ifs ``field=value``, by a description; by default those of the game (`Roster.increments`), a point or a
        keyword each.

    Returns
    -------
    DataFrame
        A row for each unit and change. ``worth`` is that with the change, at the level of the roster without it.

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
    tuning, before = roster_about(game, units)
    k, rows = level(before, tuning.least), []
    for unit in ids_of(game, units, "units"):
        at = before.place(unit)
        was = price_of(before, at, k, tuning.least).price
        given = game.ruleset.roster.increments(game.cards[unit]) if changes is None else changes
        for words, change in given.items():
            after = Roster(game.with_(changes=[f"{unit}.{change}"]), about=[unit])
            place = after.place(unit)
            now = price_of(after, place, k, tuning.least).price
            rows.append(
                {
                    "unit": unit,
                    "what_if": words,
                    "worth": now,
                    "worth_before": was,
                    "worth_difference": now - was,
                    "harmless_to": int(np.delete(~after.tables.hurts[place], place).sum()),
                }
            )
    return tidy("worth_of_changes", rows)


def toughness_steps(game: Game, units: Iterable[Unit] | None = None, *, roster: Roster | None = None) -> pd.DataFrame:
    """Return between which hit points a unit needs as many hits as now to be destroyed, by class of guns.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        By default all that can make up a side by themselves.
    roster : Roster, optional
        The opponents, whose guns are asked about; by default all that can make up a side by themselves, in the contest
        of the game's own report definition.

    Returns
    -------
    DataFrame
        A row for each unit and class of guns. ``hits`` is the mean over the class. Guns whose hits do different damage
        have no such steps, and are left out.

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
    contest, cards = _opponents(game, roster)
    ids = [card.id for card in cards] if units is None else ids_of(game, units, "units")
    fighter: Callable[[int, int], Fighter]
    if roster is None:
        fighter = Fighters(game, cards, [game.cards[unit] for unit in ids], contest).one
        places = list(range(len(ids)))
    else:
        fighter, places = roster.tables.fighter, [roster.place(unit) for unit in ids]
    rows = []
    known: dict[tuple[int, int], int] = {}
    for place, unit in zip(places, ids, strict=True):
        toughness = game.ruleset.toughness(game.cards[unit])
        by_class: dict[str, list[int]] = {}
        for at, card in enumerate(cards):
            enemy = fighter(at, place)
            if (id(enemy), toughness) not in known:
                known[id(enemy), toughness] = _damage(enemy, toughness)
            damage = known[id(enemy), toughness]
            if damage and card.id != unit:
                by_class.setdefault(game.ruleset.roster.gun_class(card), []).append(damage)
        for gun_class, guns in sorted(by_class.items()):
            hits = [-(-toughness // damage) for damage in guns]
            rows.append(
                {
                    "unit": unit,
                    "gun_class": gun_class,
                    "opponents": len(guns),
                    "toughness": toughness,
                    "toughness_from": max((n - 1) * damage + 1 for n, damage in zip(hits, guns, strict=True)),
                    "toughness_to": min(n * damage for n, damage in zip(hits, guns, strict=True)),
                    "hits": sum(hits) / len(hits),
                }
            )
    return tidy("toughness_steps", rows)


def _opponents(game: Game, roster: Roster | None) -> tuple[Contest, list[Any]]:
    """Return the contest and the cards of a roster, or those of the game's own report definition."""
    if roster is not None:
        return roster.contest, [game.cards[unit] for unit in roster.units]
    contest = Contest.standard(game)
    return contest, lone(game, contest)


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


def _of_most_effect(unit: Fighter, toughness: int) -> Pmf | None:
    """Return the effect of the attack with the largest expected damage; None if a unit can't hurt its enemy."""
    effects = [effect for strike in unit.strikes for [effect] in strike.effects if max(effect) > 0]
    return max(effects, key=lambda effect: _taken(effect, toughness), default=None)


def _taken(effect: Pmf, toughness: int) -> Fraction:
    return sum((min(amount, toughness) * p for amount, p in effect.items()), Fraction(0))


def penetration_of(game: Game, unit: str) -> tuple[str, int] | None:
    """Return the field of the penetration that the game's `Roster.increments` raises, and its value; None without one.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    unit : str
        Id.
    """
    raised = (change.partition("=") for change in game.ruleset.roster.increments(game.cards[unit]).values())
    return next(((field, int(value) - 1) for field, _, value in raised if field.endswith(PENETRATION)), None)


def penetration_steps(
    game: Game, unit: Unit, changes: Mapping[str, str], *, roster: Roster | None = None
) -> pd.DataFrame:
    """Return against how many opponents each of some changes of a gun's penetration makes a difference.

    Parameters
    ----------
    game : Game
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
    [unit_id] = ids_of(game, [unit], "unit")
    contest, cards = _opponents(game, roster)
    cards = [card for card in cards if card.id != unit_id]
    changed = [game.with_(changes=[f"{unit_id}.{change}"]).cards[unit_id] for change in changes.values()]
    toughness = [game.ruleset.toughness(card) for card in cards]
    # All forms of the card at once: what they share is worked out once.
    met = Fighters(game, [game.cards[unit_id], *changed], cards, contest)

    def expected_damage(form: int) -> list[Fraction]:
        by_enemy = []
        for enemy, left in enumerate(toughness):
            effect = _of_most_effect(met.one(form, enemy), left)
            by_enemy.append(_taken(effect, left) if effect else Fraction(0))
        return by_enemy

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
