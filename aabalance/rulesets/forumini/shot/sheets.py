"""The two halves of an attack, the attacker's and the target's, each from a card and a situation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aabalance.rulesets.forumini.card import AircraftCard, ObstacleCard, SoldierCard, Unit
from aabalance.rulesets.forumini.shot import rules
from aabalance.rulesets.forumini.shot.rules import AIRCRAFT, GOOD_ORDER, Kind
from aabalance.rulesets.forumini.situation import Moment

DIRECT, INDIRECT, DEFENSIVE, BOMBS = "direct fire", "indirect fire", "defensive fire", "bombs"


@dataclass(frozen=True, slots=True)
class Offence:
    """What a unit attacks with.

    Attributes
    ----------
    kind : Kind
        Its own kind.
    columns : tuple of int
        Last hex of each range column.
    dice : tuple of tuple of int, shape (kinds, columns)
        Number of Attack Dice by kind of the target (soldier, vehicle, fighter, bomber) and range column; empty for a
        kind that it can't attack.
    modifier : int
        What the card adds to each die.
    attacks : int
        Number of attacks in an Assault phase.
    bombs : int
        Number of Attack Dice of a bomb attack.
    fires : tuple of str
        Forms of attack that it may choose.
    condition : int
        Its condition, by its face-up counters.
    hit_the_dirt : bool
        Whether it has a Hit the Dirt counter while it is in good order, and then doesn't attack.
    hull_down : bool
        Whether it is a Hull Down vehicle, whose Defensive Fire is that of Overwatch alone.
    """

    kind: Kind
    columns: tuple[int, ...] = ()
    dice: tuple[tuple[int, ...], ...] = ((), (), (), ())
    modifier: int = 0
    attacks: int = 1
    bombs: int = 0
    fires: tuple[str, ...] = (DIRECT,)
    condition: int = GOOD_ORDER
    hit_the_dirt: bool = False
    hull_down: bool = False

    @property
    def flies(self) -> bool:
        """Whether it attacks from the air."""
        return self.kind in AIRCRAFT

    @property
    def lies_low(self) -> bool:
        """Whether a Hit the Dirt counter keeps it from attacking; only soldiers in good order have one."""
        return self.hit_the_dirt and self.condition == GOOD_ORDER


@dataclass(frozen=True, slots=True)
class Defence:
    """What decides how attacks on a unit fare.

    Attributes
    ----------
    kind : Kind
        Its kind.
    face : str
        Face of a vehicle that is attacked; empty for other units.
    defense, disintegration : int
        Defense and Disintegration, or armour and vital armour of the face, before counters.
    top : tuple of (int, int), or None
        Armour and vital armour of a vehicle's top.
    cover : int or None
        Cover number; None if it fails every Cover Roll.
    in_cover, hit_the_dirt, hull_down : bool
        Whether its hex offers cover; whether it has a Hit the Dirt counter; whether it is Hull Down and its front is
        attacked.
    terrain : int
        The terrain's modifier of Cover Rolls.
    condition, face_down : int
        Its condition, by its face-up counters, and the number of its face-down counters.
    """

    kind: Kind
    face: str = ""
    defense: int = 0
    disintegration: int = 0
    top: tuple[int, int] | None = None
    cover: int | None = None
    in_cover: bool = False
    terrain: int = 0
    hit_the_dirt: bool = False
    hull_down: bool = False
    condition: int = GOOD_ORDER
    face_down: int = 0


def kind_of(card: Unit) -> Kind:
    """Return the kind of a unit, by which others choose their dice against it."""
    if isinstance(card, AircraftCard):
        return "fighter" if card.type == "Aircraft-Fighter" else "bomber"
    return card.kind


def toughness(card: Unit) -> int:
    """Return how many counters destroy a fresh unit: three, for an aircraft two."""
    return rules.toughness(kind_of(card))


def offence(card: Unit, moment: Moment) -> Offence:
    """Return the attacker's half of all attacks of a unit."""
    kind = kind_of(card)
    if isinstance(card, ObstacleCard):
        return Offence(kind)
    fires: tuple[str, ...] = (DIRECT, DEFENSIVE)
    bombs = 0
    if isinstance(card, AircraftCard):
        dice_rows = (card.antisoldier, card.antivehicle, card.antifighter, card.antibomber)
        bombs = card.bombs.dice if card.bombs else 0
        fires = (DIRECT, BOMBS) if bombs else (DIRECT,)
    else:
        dice_rows = (card.antisoldier, card.antivehicle, card.antiair, card.antiair)
        if card.fires_indirectly:
            fires = (DIRECT, INDIRECT, DEFENSIVE)
    return Offence(
        kind,
        card.range,
        dice_rows,
        card.die_modifier,
        card.attacks,
        bombs,
        fires,
        moment.own_face_up,
        moment.own_hit_the_dirt and kind == "soldier",
        moment.own_hull_down and kind == "vehicle",
    )


def defence(card: Unit, moment: Moment) -> Defence:
    """Return the target's half of attacks on a unit."""
    kind = kind_of(card)
    sheet = Defence(kind, condition=moment.face_up, face_down=moment.face_down)
    if isinstance(card, ObstacleCard):
        return sheet
    if isinstance(card, AircraftCard):
        values = card.armor, card.vital
        defense, disintegration = rules.declared(*values) if moment.ground_target else values
        return replace(
            sheet,
            defense=defense,
            disintegration=disintegration,
            face_down=min(moment.face_down, rules.AIRCRAFT_COUNTERS - 1),
        )
    sheet = replace(sheet, cover=card.cover, in_cover=moment.cover, terrain=moment.cover_modifier)
    if isinstance(card, SoldierCard):
        dirt = moment.hit_the_dirt
        return replace(sheet, defense=card.defense, disintegration=card.disintegration, hit_the_dirt=dirt)
    face = moment.facing
    return replace(
        sheet,
        face=face,
        defense=getattr(card.armor, face),
        disintegration=getattr(card.vital, face),
        top=(card.armor.top, card.vital.top),
        hull_down=moment.hull_down and face == "front",
    )


def relevant(target: Defence, from_air: bool) -> Defence:
    """Return a defence for attacks from the air, which hit a vehicle's top, or from the ground.

    Source: Attacks against Vehicles 6.
    """
    if target.top is None:
        return target
    if from_air:
        defense, disintegration = target.top
        return replace(target, face="top", defense=defense, disintegration=disintegration, top=None, hull_down=False)
    return replace(target, top=None)


def attack_dice(attacker: Offence, kind: Kind, range_in: float) -> int:
    """Return the number of Attack Dice against a kind of target at a range; 0 beyond the last column (Direct Fire 2-4).

    Parameters
    ----------
    attacker : Offence
        The attacker's half.
    kind : str
        Kind of the target.
    range_in : float
        Distance in hexes.
    """
    return next((n for end, n in zip(attacker.columns, _row(attacker, kind), strict=False) if range_in <= end), 0)


def most_dice(attacker: Offence, kind: Kind) -> int:
    """Return the largest number of Attack Dice against a kind of target at any range."""
    return max(_row(attacker, kind), default=0)


def _row(attacker: Offence, kind: Kind) -> tuple[int, ...]:
    """Return the number of Attack Dice in each range column; there is none against an obstacle."""
    return () if kind == "obstacle" else attacker.dice[("soldier", "vehicle", "fighter", "bomber").index(kind)]
