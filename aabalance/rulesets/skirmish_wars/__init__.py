"""Skirmish Wars: squares, eight hit points, firepower less defense on a terrain chart, and a strike back."""

from __future__ import annotations

from aabalance.rulesets import base
from aabalance.rulesets.skirmish_wars import battle, card, duel, shot, situation, variant
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card
from aabalance.rulesets.skirmish_wars.roster import SkirmishWarsRoster
from aabalance.rulesets.skirmish_wars.shot import Defence, Offence
from aabalance.rulesets.skirmish_wars.situation import Moment, Situation
from aabalance.rulesets.skirmish_wars.variant import Variant


class SkirmishWars(base.Ruleset[Card, Situation, Moment, Variant, Offence, Defence]):
    """The rules of strikes, duels and battles of Skirmish Wars."""

    name = "skirmish_wars"
    labels = base.Labels(
        title="Skirmish Wars",
        rulebook="Skirmish Wars: Advance Tactics, English Rules version 1.0b",
        caveat=(
            "The rulebook shows its unit cards and its terrain chart as pictures. Both are taken from published "
            "programs of the game, which agree with each other and with every number of the rulebook's example "
            "battle; the columns for triangle and circle stand in one of them only. Costs are the printed $."
        ),
        currency="cost",
        effect="hit points",
        length=base.Length("squares", " squares", whole=True),
    )
    roster = SkirmishWarsRoster()
    has_battles = True
    fight = base.ConditionDuel("return_fire", HIT_POINTS, duel.CONDITIONS)
    has_matches = True
    Card, Variant, Situation, Moment = card.Card, variant.Variant, situation.Situation, situation.Moment

    offence = staticmethod(shot.offence)
    forces = staticmethod(battle.forces)

    def toughness(self, card: card.Card) -> int:
        """Return the hit points of a fresh unit."""
        return HIT_POINTS

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return the target's half of strikes on `card`; no rule switch bears on it."""
        return shot.defence(card, moment)

    def survey(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant
    ) -> base.Survey[base.Blows]:
        """Return what an attacker does to a target at a distance."""
        return duel.survey(offence, defence, range_in)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> base.Shot:
        """Return one strike with its explanation."""
        return shot.shot(offence, defence, range_in, weapon)


RULESET = SkirmishWars()
