"""Forumini Armies: fan revision of Axis & Allies Miniatures; pools of D6 against armour, simultaneous fire on hexes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aabalance.rulesets.base import Chain, Monotonic, Ruleset, Shot, Survey
from aabalance.rulesets.forumini import card, fight, sheets, situation, variant
from aabalance.rulesets.forumini import shot as shots
from aabalance.rulesets.forumini.card import ObstacleCard, Unit
from aabalance.rulesets.forumini.rules import DESTROYED
from aabalance.rulesets.forumini.sheets import Defence, Offence

GUN_CLASSES = (
    (14, "14 dice and more"),
    (10, "10-13 dice"),
    (6, "6-9 dice"),
    (1, "1-5 dice"),
    (0, "no attack on vehicles"),
)
"""Least number of Attack Dice against vehicles of a class."""


class Forumini(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "forumini"
    title = "Forumini Armies"
    rulebook = "Forumini Armies Rules (A&A ForuMINI, posted 18 January 2009)"
    currency = "cost"
    caveat = (
        "Costs, dice, Defense, front and rear armour are those of Axis & Allies Miniatures as facts.csv has them. The "
        "fan rules' own cards were never found: side and top armour, vital armour, Disintegration, Cover numbers and "
        "dice against aircraft are this project's, by formula. Special abilities count only where they are a number on "
        "the card. In a duel with an aircraft both strike at once, though the rules give antiair fire the first word."
    )
    reference = ("us_m4a1_sherman", 21)
    price_step = 1
    effect = "hit counters"
    length = " hexes"
    die = 0
    fight = Chain("together", DESTROYED)
    gun_classes = tuple(name for _, name in reversed(GUN_CLASSES))
    monotonic = (
        Monotonic("situation", "facing", ("front", "side", "rear")),
        Monotonic("situation", "cover", (True, False)),
        Monotonic("situation", "face_up", (0, 1)),  # at 2 one counter destroys an aircraft, so none adds two
        Monotonic("situation", "own_face_up", (2, 1, 0)),
        Monotonic("attacker", "die_modifier", (-2, -1, 0, 1, 2)),
        Monotonic("target", "cover", (2, 3, 4, 5, 6)),
    )
    Card = card.Card
    Variant = variant.Variant
    Situation = situation.Situation
    Moment = situation.Moment

    def toughness(self, card: Unit) -> int:
        """Return the counters that destroy a fresh unit: three, or an aircraft's two."""
        return sheets.toughness(card)

    def offence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of every attack of `card`."""
        return sheets.offence(card, moment)

    def defence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return what `card` shows to its attacker."""
        return sheets.defence(card, moment)

    def reads(self, offence: Offence) -> bool:
        """Return whether the attack comes from the air."""
        return offence.flies

    def shown(self, defence: Defence, reads: bool) -> Defence:
        """Return the defence of the face that is attacked from the air, or from the ground."""
        return sheets.shown(defence, reads)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return all that a table asks of an attacker and a target at a distance."""
        dice = sheets.attack_dice(offence, defence.kind, range_in)
        found = self._fight(offence, defence, dice, range_in, variant)
        if dice:
            return found
        nearer = self._fight(offence, defence, sheets.most_dice(offence, defence.kind), range_in, variant)
        return found._replace(out_of_reach=nearer.per_action > 0)

    def _fight(
        self, offence: Offence, defence: Defence, dice: int, range_in: float, variant: variant.Variant
    ) -> Survey:
        met = fight.meet(offence, defence, dice, range_in, variant)
        return fight.survey(met, offence.condition, defence.condition)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack, explained."""
        return shots.shot(offence, defence, range_in, variant, weapon)

    def returned(self, situation: situation.Situation, range_in: float) -> situation.Situation:
        """Return the situation as the target sees it."""
        return situation.returned()

    def category(self, card: Unit) -> str:
        """Return ``soldier``, ``vehicle``, ``aircraft`` or ``obstacle``."""
        return card.kind

    def gun_class(self, card: Unit) -> str:
        """Return the class of the most Attack Dice that the unit has against vehicles."""
        dice = 0 if isinstance(card, ObstacleCard) else max(card.antivehicle, default=0)
        return next(name for least, name in GUN_CLASSES if dice >= least)

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that ``facts.csv`` in `folder` gives, by id."""
        from aabalance.rulesets.forumini.derive import derive, read_facts

        return {fact.id: derive(fact) for fact in read_facts(folder / "facts.csv")}


RULESET = Forumini()
