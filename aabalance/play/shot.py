"""One attack, resolved exactly."""

from __future__ import annotations

from typing import Any

from aabalance import dice
from aabalance.results import ShotResult, words
from aabalance.rulesets.base import Ruleset


def shot(ruleset: Ruleset, variant: Any, attacker: Any, target: Any, moment: Any, weapon: str | None) -> ShotResult:
    """Resolve one attack of a card on another at a moment; see `aabalance.game.Game.shot`."""
    offence, defence = ruleset.offence(attacker, moment, variant), ruleset.defence(target, moment, variant)
    attack = ruleset.shot(offence, defence, moment.range_in, variant, weapon)
    p_kill = attack.p_kill
    if p_kill is None:
        p_kill = dice.chance_of_at_least(attack.effect, ruleset.toughness(target))
    return ShotResult(
        attacker=attacker.name,
        target=target.name,
        weapon=attack.weapon,
        range_in=moment.range_in,
        length=ruleset.labels.length.after,
        situation=words(moment),
        attempts=attack.attempts,
        needs=attack.needs,
        damage={amount: float(p) for amount, p in sorted(attack.effect.items())},
        p_damage=float(dice.chance_of_at_least(attack.effect, 1)),
        expected_damage=float(dice.mean(attack.effect)),
        p_kill=float(p_kill),
        steps=attack.steps,
    )
