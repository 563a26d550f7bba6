"""Armored Advance: WW2 vehicles, one D6 a shot against armour, hit points, requisition, few actions a turn."""

from __future__ import annotations

from aabalance.rulesets.armored_advance import card, situation, variant
from aabalance.rulesets.armored_advance.battle import sides
from aabalance.rulesets.armored_advance.card import Unit
from aabalance.rulesets.armored_advance.duel import fire
from aabalance.rulesets.armored_advance.duel.postures import NAMES, Player, parse
from aabalance.rulesets.armored_advance.roster import ArmoredAdvanceRoster
from aabalance.rulesets.armored_advance.shot import choose, halves
from aabalance.rulesets.armored_advance.shot.sheets import Defence, Offence
from aabalance.rulesets.armored_advance.shot.tables import D6
from aabalance.rulesets.armored_advance.situation import Moment, Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import INCHES, HitPointDuel, Labels, Ruleset


class ArmoredAdvance(Ruleset[Unit, Situation, Moment, Variant, Offence, Defence]):
    """The rules of a game of Armored Advance."""

    name = "armored_advance"
    labels = Labels(
        title="Armored Advance",
        rulebook="Armored Advance, Core Rules version 1.1",
        caveat=(
            "The rulebook publishes no unit cards and no requisition values. aabalance's are derived from historical "
            "figures, and requisition is its proposal."
        ),
        currency="requisition",
        effect="hit points",
        length=INCHES,
    )
    roster = ArmoredAdvanceRoster()
    die = D6
    limits_actions = True
    has_battles = True
    fight = HitPointDuel()
    postures = NAMES
    presets = variant.PRESETS
    has_matches = True
    Card, Variant, Situation, Moment = card.Card, variant.Variant, situation.Situation, situation.Moment

    toughness = staticmethod(card.toughness)
    defence = staticmethod(halves.defence)
    relevant = staticmethod(halves.relevant)
    survey = staticmethod(fire.survey)
    surveys = staticmethod(fire.surveys)
    shot = staticmethod(choose.shot)
    player = staticmethod(Player)
    forces = staticmethod(sides.forces)
    one_on_one = staticmethod(sides.one_on_one)
    mission = staticmethod(sides.mission)

    def offence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of every attack of `card`; no rule switch bears on it."""
        return halves.offence(card, moment)

    def relevance(self, offence: Offence) -> frozenset[str]:
        """Return the kinds of attack."""
        return frozenset(attack.kind for _, guns in offence.guns for gun in guns for attack in gun)

    def check_posture(self, posture: str) -> None:
        """Refuse a posture that isn't one of ``duel/postures.py``, or that lacks its distance."""
        parse(posture)


RULESET = ArmoredAdvance()
