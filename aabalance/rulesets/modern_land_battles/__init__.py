"""Modern Land Battles: Force cards in Rows from the 1970s on, D10 against Armor, four Hits destroy, Victory Points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aabalance.rulesets.base import Chain, Monotonic, Price, Ruleset, Shot, Survey
from aabalance.rulesets.modern_land_battles import attack, card, price, situation, variant
from aabalance.rulesets.modern_land_battles.attack import Defence, Offence
from aabalance.rulesets.modern_land_battles.rules import DESTROYED, row_at

UNARMED = "unarmed"
SYMBOLS = ("small_arms", "cannon", "missile", "artillery")


class ModernLandBattles(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "modern_land_battles"
    title = "Modern Land Battles"
    rulebook = "Modern Land Battles: Target Acquired, rulebook"
    currency = "vp"
    caveat = (
        "The rulebook prints numbers of nine Force cards, eleven numbers in all; each card lists them as printed. "
        "Every other number, and every other card, is this project's example."
    )
    reference = price.REFERENCE
    price_step = 1
    effect = "hits"
    length = " rows"
    die = 0
    fight = Chain("alternate", DESTROYED)
    gun_classes = (UNARMED, *SYMBOLS)
    presets: Mapping[str, Mapping[str, Any]] = {"rulebook": {}, "range_defense": {"range_defense": True}}
    monotonic = (
        Monotonic("attacker", "weapons.cannon", (-2, -1, 0, 1, 2, 3)),
        Monotonic("attacker", "weapons.small_arms", (-2, -1, 0, 1, 2, 3)),
        Monotonic("attacker", "weapons.missile", (-2, -1, 0, 1, 2, 3)),
        Monotonic("target", "armor", (12, 10, 8, 6, 4, 1)),
        Monotonic("situation", "superior_counters", (-2, 0, 1, 2, 5)),
        Monotonic("situation", "enemy_stops", (3, 2, 1, 0)),
    )
    Card = card.Card
    Variant = variant.Variant
    Situation = situation.Situation
    Moment = situation.Moment

    def toughness(self, card: card.Card) -> int:
        """Return the Hits that destroy a fresh card."""
        return DESTROYED

    def offence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of every attack of `card`."""
        return attack.offence(card, moment)

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return what `card` shows to its attacker."""
        return attack.defence(card, moment)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return all that a table asks of an attacker and a target at a distance."""
        return attack.survey(offence, defence, range_in, variant)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack, explained."""
        return attack.shot(offence, defence, range_in, variant, weapon)

    def returned(self, situation: situation.Situation, range_in: float) -> situation.Situation:
        """Return the same distance from the target's Row, with both players' counters and cards changed over."""
        return situation.model_copy(
            update={
                "attacker_row": row_at(situation.attacker_row, range_in),
                "superior_counters": -situation.superior_counters,
                "action_card": situation.enemy_action_card,
                "enemy_action_card": situation.action_card,
                "enemy_stops": situation.own_stops,
                "own_stops": situation.enemy_stops,
            }
        )

    def category(self, card: card.Card) -> str:
        """Return the type of the Force card."""
        return card.type

    def gun_class(self, card: card.Card) -> str:
        """Return the Attack symbol of the farthest reach: Small Arms, Cannon, Missile, Artillery in rising order."""
        armed = [symbol for symbol in SYMBOLS if getattr(card.weapons, symbol) is not None]
        return armed[-1] if armed else UNARMED

    def price(self, card: card.Card) -> Price:
        """Return the surcharge of Headquarters, and the cost of a card that can hurt nobody."""
        return price.price(card)


RULESET = ModernLandBattles()
