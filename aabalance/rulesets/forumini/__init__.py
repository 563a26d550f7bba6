"""Forumini Armies: fan revision of Axis & Allies Miniatures; pools of D6 against armour, simultaneous fire on hexes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aabalance.rulesets.base import ConditionDuel, Labels, Length, Monotonic, Profile, Ruleset, Shot, Survey
from aabalance.rulesets.forumini import card, duel, roster, situation, variant
from aabalance.rulesets.forumini.card import Unit, gun_class
from aabalance.rulesets.forumini.profile import profile
from aabalance.rulesets.forumini.shot import resolve, sheets
from aabalance.rulesets.forumini.shot.rules import CONDITIONS, DESTROYED
from aabalance.rulesets.forumini.shot.sheets import Defence, Offence


class Forumini(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "forumini"
    labels = Labels(
        title="Forumini Armies",
        rulebook="Forumini Armies Rules (A&A ForuMINI, posted 18 January 2009)",
        caveat=(
            "Costs, dice, Defense, front and rear armour are those of Axis & Allies Miniatures as facts.csv has them. "
            "The fan rules' own cards were never found: side and top armour, vital armour, Disintegration, Cover "
            "numbers and dice against aircraft are this project's, by formula. Special abilities count only where "
            "they are a number on the card. In a duel with an aircraft both strike at once, though the rules give "
            "antiair fire the first word."
        ),
        currency="cost",
        effect="hit counters",
        length=Length("hexes", " hexes", whole=True),
    )
    reference = roster.REFERENCE
    fight = ConditionDuel("together", DESTROYED, CONDITIONS)
    gun_classes = tuple(name for _, name in reversed(card.GUN_CLASSES))
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

    def relevance(self, offence: Offence) -> bool:
        """Return whether the attacks come from the air."""
        return offence.flies

    def relevant(self, defence: Defence, relevance: bool) -> Defence:
        """Return the defence of the face that is attacked from the air, or from the ground."""
        return sheets.relevant(defence, relevance)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return what an attacker does to a target at a distance."""
        return duel.survey(offence, defence, range_in, variant)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack with its explanation."""
        return resolve.shot(offence, defence, range_in, variant, weapon)

    def profile(self, card: Unit, variant: variant.Variant) -> Profile:
        """Return what a player has to know about a unit at the table."""
        return profile(card, variant)

    def category(self, card: Unit) -> str:
        """Return ``soldier``, ``vehicle``, ``aircraft`` or ``obstacle``."""
        return card.kind

    def gun_class(self, card: Unit) -> str:
        """Return the class of a unit's weapon, by the most Attack Dice that it has against vehicles."""
        return gun_class(card)

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that ``facts.csv`` in `folder` gives, by id."""
        return {fact.id: roster.derive(fact) for fact in roster.read_facts(folder / "facts.csv")}


RULESET = Forumini()
