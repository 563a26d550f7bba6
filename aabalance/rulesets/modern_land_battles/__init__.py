"""Modern Land Battles: Force cards in Rows from the 1970s on, D10 against Armor, four Hits destroy, Victory Points."""

from __future__ import annotations

from aabalance.rulesets.base import ConditionDuel, Labels, Length, Monotonic, Price, Profile, Ruleset, Shot, Survey
from aabalance.rulesets.modern_land_battles import card, duel, roster, shot, situation, variant
from aabalance.rulesets.modern_land_battles.card import gun_class
from aabalance.rulesets.modern_land_battles.profile import profile
from aabalance.rulesets.modern_land_battles.shot import Defence, Offence


class ModernLandBattles(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "modern_land_battles"
    labels = Labels(
        title="Modern Land Battles",
        rulebook="Modern Land Battles: Target Acquired, rulebook",
        caveat=(
            "The rulebook prints numbers of nine Force cards, eleven numbers in all; each card lists them as printed. "
            "Every other number, and every other card, is this project's example."
        ),
        currency="vp",
        effect="hits",
        length=Length("rows", " rows", whole=True),
    )
    reference = roster.REFERENCE
    fight = ConditionDuel("alternate", duel.DESTROYED, duel.NAMES)
    gun_classes = (card.UNARMED, *card.SYMBOLS)
    presets = variant.PRESETS
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
        return duel.DESTROYED

    def offence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of all attacks of `card`."""
        return shot.offence(card, moment)

    def defence(self, card: card.Card, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return the target's half of attacks on `card`."""
        return shot.defence(card, moment)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return what an attacker does to a target at a distance."""
        return duel.survey(offence, defence, range_in, variant)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack with its explanation."""
        return shot.shot(offence, defence, range_in, variant, weapon)

    def profile(self, card: card.Card, variant: variant.Variant) -> Profile:
        """Return what a player has to know about a unit at the table."""
        return profile(card, variant)

    def category(self, card: card.Card) -> str:
        """Return the type of the Force card."""
        return card.type

    def gun_class(self, card: card.Card) -> str:
        """Return the last Attack symbol of a card, in the order Small Arms, Cannon, Missile, Artillery."""
        return gun_class(card)

    def price(self, card: card.Card) -> Price:
        """Return the surcharge of Headquarters, and the cost of a card that can hurt nobody."""
        return roster.price(card)


RULESET = ModernLandBattles()
