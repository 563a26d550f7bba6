"""One attack, resolved exactly."""

from __future__ import annotations

from typing import Any

from aabalance import dice
from aabalance.results import ShotResult, words
from aabalance.rulesets.base import Ruleset


def shot(ruleset: Ruleset, variant: Any, attacker: Any, target: Any, moment: Any, weapon: str | None) -> ShotResult:
    """Resolve one attack of a card on another at a moment; see `aabalance.game.Game.shot`."""
    offence, defence = ruleset.offence(attacker, moment, variant), ruleset.defence(target, moment, variant)
    found = ruleset.shot(offence, defence, moment.range_in, variant, weapon)
    p_kill = found.p_kill
    if p_kill is None:
        p_kill = dice.chance_of_at_least(found.effect, ruleset.toughness(target))
    return ShotResult(
        attacker=attacker.name,
        target=target.name,
        weapon=found.weapon,
        range_in=moment.range_in,
        length=ruleset.labels.length.after,
        situation=words(moment),
        attempts=found.attempts,
        needs=found.needs,
        damage={amount: float(p) for amount, p in sorted(found.effect.items())},
        p_damage=float(dice.chance_of_at_least(found.effect, 1)),
        expected_damage=float(dice.mean(found.effect)),
        p_kill=float(p_kill),
        steps=found.steps,
    )
