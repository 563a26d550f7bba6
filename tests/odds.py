"""Short ways to ask the package, shared by the tests of the rules, the keywords and the situations."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import aabalance as aab
from aabalance.rulesets.armored_advance import attack, fire
from aabalance.rulesets.armored_advance.situation import Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Survey

GAME = aab.Game()


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
    at, switches = Situation(range_in=range_in, **situation), Variant(**(variant or {}))
    return fire.survey(attack.offence(unit, at), attack.defence(target, at, switches), range_in, switches)


def brackets(unit: Any, target: Any, range_in: float = 18, **variant: Any) -> Any:
    """How a unit that holds fires at each strength, by the packer of tables."""
    return survey(unit, target, range_in, variant).plan


def volleys(unit: Any, target: Any, range_in: float = 18, **variant: Any) -> list[dict[int, F]]:
    """What a unit that holds does to its target, turn by turn."""
    return [volley.effect for volley in brackets(unit, target, range_in, **variant)[0].cycle]


def row(text: str) -> list[F]:
    """Fractions, written one after the other."""
    return [F(cell) for cell in text.split()]
