"""Armored Advance: WW2 vehicles, one D6 a shot against armour, hit points, requisition, few actions a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aabalance.rulesets.armored_advance import card, situation, variant
from aabalance.rulesets.armored_advance.battle import missions, sides, transport
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, gun_class, toughness
from aabalance.rulesets.armored_advance.duel import fire
from aabalance.rulesets.armored_advance.duel.postures import NAMES, Player, parse
from aabalance.rulesets.armored_advance.profile import profile
from aabalance.rulesets.armored_advance.roster import price, remarks
from aabalance.rulesets.armored_advance.shot import choose, damage, halves
from aabalance.rulesets.armored_advance.shot.needs import D6
from aabalance.rulesets.armored_advance.shot.sheets import Defence, Offence
from aabalance.rulesets.base import (
    DOMINATION,
    INCHES,
    Aspect,
    Force,
    HitPointDuel,
    Labels,
    Mission,
    Monotonic,
    Pace,
    Price,
    Profile,
    Ride,
    Ruleset,
    Shot,
    SituationMix,
    Survey,
)


class ArmoredAdvance(Ruleset):
    """The ruleset; see `aabalance.rulesets.base.Ruleset`."""

    name = "armored_advance"
    labels = Labels(
        title="Armored Advance",
        rulebook="Armored Advance, Core Rules version 1.1",
        caveat=(
            "The rulebook publishes no unit cards and no requisition values. Cards are derived from historical "
            "figures; requisition is this project's proposal."
        ),
        currency="requisition",
        effect="hit points",
        length=INCHES,
    )
    reference = price.REFERENCE
    price_step = price.STEP
    die = D6
    limits_actions = True
    gone_steps = damage.INDIRECT_STEPS_IN
    fight = HitPointDuel()
    gun_classes = tuple(name for _, name in reversed(card.GUN_CLASSES))
    postures = NAMES
    presets = variant.PRESETS
    # A wall never helps the shooter, a scout never hurts him, and so on: under every reading but ``reroll_scope=hit``,
    # by which a shot that can't miss by range is never rolled again, so that some distance may help.
    monotonic = (
        Monotonic("situation", "range_in", (60, 36, 30, 24, 18, 12, 6, 0)),
        Monotonic("situation", "walls", (3, 2, 1, 0)),
        Monotonic("situation", "hidden", (True, False)),
        Monotonic("situation", "foliage", (2, 1, 0)),
        Monotonic("situation", "sandbags", (True, False)),
        Monotonic("situation", "scout_in", (None, 60, 36, 23)),
        Monotonic("situation", "moved", (True, False)),
        Monotonic("situation", "set_up", (False, True)),
        Monotonic("situation", "artillery_crew", (False, True)),
        Monotonic("situation", "target_moves", (2, 1, 0)),
        Monotonic("target", "armor.front", (25, 12, 8, 4, 0)),
        Monotonic("target", "armor.side", (25, 12, 8, 4, 0)),
        Monotonic("attacker", "weapons.0.penetration", (0, 4, 8, 12, 25)),
        Monotonic("attacker", "weapons.0.damage", (1, 5, 10, 20)),
    )
    Card = card.Card
    Variant = variant.Variant
    Situation = situation.Situation
    Moment = situation.Moment

    def toughness(self, card: Unit) -> int:
        """Return the hit points, or the men of a squad."""
        return toughness(card)

    def offence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of every attack of `card`."""
        return halves.offence(card, moment)

    def defence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return what `card` shows to its attacker."""
        return halves.defence(card, moment, variant)

    def relevance(self, offence: Offence) -> frozenset[str]:
        """Return the kinds of attack."""
        return frozenset(attack.kind for _, guns in offence.guns for gun in guns for attack in gun)

    def relevant(self, defence: Defence, relevance: frozenset[str]) -> Defence:
        """Return what attacks of these kinds read of a defence."""
        return halves.relevant(defence, relevance)

    def survey(self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant) -> Survey:
        """Return all that a table asks of an attacker and a target at a distance."""
        return fire.survey(offence, defence, range_in, variant)

    def surveys(
        self, offence: Offence, defences: Sequence[Defence], range_in: float, variant: variant.Variant
    ) -> Sequence[Survey]:
        """Return `survey` of each target, worked out once for those to which all attacks do the same."""
        return fire.surveys(offence, defences, range_in, variant)

    def shot(
        self, offence: Offence, defence: Defence, range_in: float, variant: variant.Variant, weapon: str | None
    ) -> Shot:
        """Return one attack, explained."""
        return choose.shot(offence, defence, range_in, variant, weapon)

    def player(
        self,
        card: Unit,
        enemy: Unit,
        situation: situation.Situation,
        range_in: float,
        variant: variant.Variant,
        posture: str,
        *,
        explain: bool = False,
    ) -> Player:
        """Return a unit with a posture."""
        return Player(card, enemy, situation, range_in, variant, posture, explain=explain)

    def check_posture(self, posture: str) -> None:
        """Refuse a posture that isn't one of ``duel/postures.py``, or that lacks its distance."""
        parse(posture)

    def paces(
        self, lists: tuple[Sequence[Unit], Sequence[Unit]], variant: variant.Variant
    ) -> tuple[tuple[Pace, ...], tuple[Pace, ...]]:
        """Return how the units of both sides move."""
        a, b = lists
        return sides.paces(a), sides.paces(b)

    def rides(self, cards: Sequence[Unit], carriers: Mapping[int, int], variant: variant.Variant) -> Mapping[int, Ride]:
        """Return how squads ride that begin a battle inside transports."""
        return transport.rides(cards, carriers, variant)

    def forces(
        self,
        lists: tuple[Sequence[Unit], Sequence[Unit]],
        views: SituationMix,
        aspects: Sequence[Aspect],
        variant: variant.Variant,
        *,
        explain: bool = False,
    ) -> tuple[Force, Force]:
        """Return both sides of a battle."""
        return sides.forces(lists, views, aspects, variant, explain=explain)

    def one_on_one(
        self, cards: Sequence[Any], enemies: Sequence[Any], views: SituationMix, aspects: Sequence[Aspect], variant: Any
    ) -> Force:
        """Return units each as the only one of its side; see `Ruleset`."""
        return sides.one_on_one(cards, enemies, views, aspects, variant)

    def mission(self, mode: str, turn_limit: int | None, variant: variant.Variant) -> Mission:
        """Return how a battle of a mode ends."""
        return missions.mission(mode, turn_limit, variant)

    def list_cost(self, cards: Sequence[Unit], mode: str) -> int:
        """Return the requisition of a list, which fields its infantry for nothing in a game of domination."""
        return missions.requisition(cards, infantry_free=mode == DOMINATION)

    def listed(self, card: Unit) -> Mapping[str, object]:
        """Return hit points, armour and the main gun."""
        gun = next(iter(card.weapons), None)
        return {
            "hp": self.toughness(card),
            "armor": "" if isinstance(card, InfantryCard) else card.armor.model_dump(),
            "main gun": "" if gun is None else gun.name,
            "pen": getattr(gun, "penetration", ""),
            "dmg": getattr(gun, "damage", ""),
        }

    def profile(self, card: Unit, variant: variant.Variant) -> Profile:
        """Return what a player has to know of a unit at the table."""
        return profile(card, variant)

    def category(self, card: Unit) -> str:
        """Return ``vehicle``, ``field_gun`` or ``infantry``."""
        return card.class_

    def gun_class(self, card: Unit) -> str:
        """Return the calibre class of the largest gun, read off its damage (p. 9: 75 mm does 10)."""
        return gun_class(card)

    def price(self, card: Unit) -> Price:
        """Return scout and transport surcharges, and the cost of units that can hurt no vehicle."""
        return Price(price.surcharge(card), price.flat(card))

    def unseen(self, card: Unit) -> Sequence[str]:
        """Return what a battle doesn't show in which all hold: scouting, carrying, turning, crew, mobility."""
        return remarks.unseen(card)

    def lacks(self, card: Unit) -> Sequence[str]:
        """Return whether a unit lacks an anti-tank weapon."""
        return () if any(weapon.kind == "at" for weapon in card.weapons) else ("no anti-tank weapon",)

    def one_more(self, card: Unit) -> Mapping[str, str]:
        """Return a point more of hit points, armour and the main gun, and each keyword less."""
        return remarks.one_more(card)

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that ``facts.csv`` in `folder` gives, by id."""
        from aabalance.rulesets.armored_advance.roster.derive import derive, read_facts

        facts = read_facts(folder / "facts.csv")
        return {unit_id: derive(fact, facts) for unit_id, fact in facts.items()}


RULESET = ArmoredAdvance()
