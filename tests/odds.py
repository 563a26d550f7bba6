"""Short ways to ask the package, shared by the tests of the rules, the keywords and the situations."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction as F
from math import sqrt
from random import Random
from typing import Any

import pytest
from handmade import at, field_gun, vehicle
from rollers import told

import aabalance as aab
from aabalance.rulesets.armored_advance.duel import fire
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Survey

GAME = aab.Game()
SIGMAS = 5.0
TIMES = 4 if "MATCHES" in os.environ else 1
"""How many times as often dice are thrown: `.ci/weekly` sets the variable."""


def first_in(game: aab.Game, first: str = "a") -> Any:
    """Return who has the first turn of a duel: nobody is asked for where both sides strike at once."""
    return "roll_off" if game.ruleset.fight.simultaneous else first


def fits(counts: Mapping[Any, int], exact: Mapping[Any, float], n: int) -> None:
    """Each outcome's count fits its probability; what the package calls impossible or certain is so."""
    possible = {outcome for outcome, p in exact.items() if p > 0}
    assert {outcome for outcome, count in counts.items() if count} <= possible, (counts, exact)
    for outcome, p in exact.items():
        seen = counts.get(outcome, 0)
        z = (seen - n * p) / max(sqrt(n * p * max(1 - p, 0)), 1e-6)
        assert abs(z) < SIGMAS, f"{outcome}: {seen / n:.4f} seen, {float(p):.4f} exact, z = {z:.1f}"


def agrees(
    once: Callable[[Random], Any], exact: Mapping[Any, float], n: int = 12_000 * TIMES, seed: int = 0, sides: int = 6
) -> None:
    """What a literal roller does has the odds that the package works out.

    The roller is asked with every way in which its dice can fall, if these are fewer than the `n` times that they are
    thrown otherwise.
    """
    try:
        odds = told.odds(once, sides, n)
    except told.TooManyWays:
        rng = Random(seed)
        fits(Counter(once(rng) for _ in range(n)), exact, n)
        return
    assert sum(odds.values()) == pytest.approx(1, abs=1e-15)
    for outcome in odds.keys() | exact.keys():
        wanted, found = float(odds.get(outcome, 0)), float(exact.get(outcome, 0))
        assert found == pytest.approx(wanted, abs=1e-12), f"{outcome}: {wanted} by every way of the dice, {found} exact"


def p(attacker: Any, target: Any, variant: dict[str, Any] | None = None, **situation: Any) -> F:
    """The chance of damage as a fraction of few dice."""
    game = aab.Game(variant=variant) if variant else GAME
    return F(game.shot(attacker, target, **{"range_in": 18, **situation}).p_damage).limit_denominator(1296)


def mean(attacker: Any, target: Any, variant: dict[str, Any] | None = None, **situation: Any) -> F:
    """The expected effect of an attack as a fraction of few dice."""
    game = aab.Game(variant=variant) if variant else GAME
    return F(game.shot(attacker, target, **{"range_in": 18, **situation}).expected_damage).limit_denominator(1296)


def survey(
    unit: Any, target: Any, range_in: float = 18, variant: dict[str, Any] | None = None, **situation: Any
) -> Survey:
    """What a table asks of a unit and its target."""
    at, switches = Moment(range_in=range_in, **situation), Variant(**(variant or {}))
    return fire.survey(halves.offence(unit, at), halves.defence(target, at, switches), range_in, switches)


def brackets(unit: Any, target: Any, range_in: float = 18, **variant: Any) -> Any:
    """How a unit that holds fires at each strength, by the packer of tables."""
    return survey(unit, target, range_in, variant).plan


def volleys(unit: Any, target: Any, range_in: float = 18, **variant: Any) -> list[dict[int, F]]:
    """What a unit that holds does to its target, turn by turn."""
    return [volley.effect for volley in brackets(unit, target, range_in, **variant)[0].cycle]


def row(text: str) -> list[F]:
    """Fractions, written one after the other."""
    return [F(cell) for cell in text.split()]


CASEMATES = ("casemate", "reverse_casemate")
SCOUT_IN = {1: 48, 2: 30, 3: 12}
"""From where a scout adds so much to a roll."""


def asked(
    *,
    range_in: float,
    penetration: int,
    armor: int,
    weak_spot: bool = False,
    advantage: bool = True,
    bonus: int = 0,
    increase: int = 0,
    walls: int = 0,
    foliage: int = 0,
) -> tuple[Any, Any, dict[str, Any]]:
    """A shot given by its numbers as firer, target and situation, so that cards say what they can.

    A bonus comes from a scout, a malus from casemates that moved; of an increase foliage makes 2 and sandbags 1.
    """
    # A gun fires at advantage even if it moved.
    firer = (field_gun if advantage else vehicle)(at(penetration, 1))
    # No card may have both, but nothing else takes 2 off a shot.
    firer = firer.model_copy(update={"keywords": dict.fromkeys(CASEMATES[: max(-bonus, 0)], True)})
    sandbags = increase % 2
    keywords = {"weak_spot": True} if weak_spot else {}
    # Sandbags are for guns, and are 1 armour as well.
    target = (field_gun if sandbags else vehicle)(armor=armor - sandbags, keywords=keywords)
    situation = {
        "range_in": range_in,
        "moved": not advantage or bonus < 0,
        "walls": walls,
        "foliage": foliage + increase // 2,
        "sandbags": bool(sandbags),
        "scout_in": SCOUT_IN.get(bonus),
    }
    return firer, target, situation
