"""What a player has to know about a unit: what is printed on its card, and what attacks on it have to score."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aabalance.rulesets.base import Grid, Profile, Stat, Term, Track
from aabalance.rulesets.forumini.card import AircraftCard, Faces, ObstacleCard, SoldierCard, Unit, VehicleCard
from aabalance.rulesets.forumini.shot import rules
from aabalance.rulesets.forumini.variant import Variant

TRACKS = {
    "soldier": ("Pinned", "Demoralized", "destroyed"),
    "vehicle": ("Pinned", "Damaged", "destroyed"),
    "aircraft": ("Damaged", "destroyed"),
    "obstacle": (),
}
CONDITIONS = {
    "soldier": {"in good order, Pinned": rules.GOOD_ORDER, "Demoralized": rules.SHAKEN},
    "vehicle": {"in good order": rules.GOOD_ORDER, "Pinned": rules.PINNED, "Damaged": rules.SHAKEN},
}

NUMBER = re.compile(r" \+?(\d+)$")
INDIRECT = (
    "attacks without a Line of Sight: picks a hex in range that a spotter sees; each unit in it, friend or enemy, "
    "makes a Cover Roll, and those that fail are attacked",
    "Indirect Fire",
)
TURRETLESS = "its facing says where it may fire; others fire all round", "Vehicle Facing"
ON_CARD = "Unit Cards: Special Abilities"
ABILITIES = {
    "Indirect Fire": INDIRECT,
    "Improved Indirect Fire": INDIRECT,
    "Paratrooper": (
        "deploys last, two to a target hex at most and none beside the edge; then scatters: a die for the direction, "
        "half of another, rounded up, for the hexes",
        "Special Units: Paratroopers",
    ),
    "No Turret": TURRETLESS,
    "Fixed Howitzer": TURRETLESS,
    "Initiative": (
        "X more on the roll for Initiative, unless Pinned or Demoralized; of several commanders the highest counts",
        "Initiative",
    ),
    "Superior Armor": ("X more vital armour, as above", ON_CARD),
    "Superior Frontal Armor": ("X more vital armour in front, as above", ON_CARD),
    "Extended Range": ("to X hexes against vehicles, as above", ON_CARD),
    "Enhanced Range": ("to X hexes, as above", ON_CARD),
    "Limited Range": ("to no more than X hexes, as above", ON_CARD),
    "Close Assault": ("X dice against vehicles in its own hex, as above", ON_CARD),
    "Antiair": ("attacks aircraft, as above", ON_CARD),
    "Crack Shot": ("its dice succeed one lower, as above", ON_CARD),
    "Inaccurate": ("its dice succeed X higher, as above", ON_CARD),
    "Double Shot": ("attacks twice, as above", ON_CARD),
    "Rockets": ("X dice as bombs, once a game, as above", ON_CARD),
    "Hard to Spot": ("its Cover Roll is one better, as above", ON_CARD),
    "Large Silhouette": ("its Cover Roll is one worse, as above", ON_CARD),
    "Tall Silhouette": ("its Cover Roll fails, as above", ON_CARD),
}
"""What an ability does, and where the rulebook says so. X is the ability's number. "As above" means that the card's
numbers include it. The rulebook says nothing about other abilities."""


def profile(card: Unit, variant: Variant) -> Profile:
    """Return what a player has to know about a unit.

    Parameters
    ----------
    card : SoldierCard, VehicleCard, AircraftCard or ObstacleCard
        The unit's.
    variant : Variant
        The rule switches, on which it depends what attacks have to score.
    """
    kind = card.kind if isinstance(card, ObstacleCard) else card.type
    stats = () if isinstance(card, ObstacleCard) else tuple(_stats(card))
    track = Track("Counters", TRACKS[card.kind])
    return Profile(kind, stats, track, tuple(_grids(card, variant)), tuple(_terms(card)))


def _stats(card: SoldierCard | VehicleCard | AircraftCard) -> Iterator[Stat]:
    if card.speed is not None:
        yield Stat("Speed", str(card.speed))
    if isinstance(card, AircraftCard):
        if card.bombs:
            yield Stat("Bombs", f"{card.bombs.dice} dice, {card.bombs.attacks} a game")
    else:
        yield Stat("Cover Roll", "fails" if card.cover is None else f"{card.cover}+")
        if card.initiative:
            yield Stat("Initiative", f"{card.initiative:+d}")
    if card.attacks > 1:
        yield Stat("Attacks", str(card.attacks))
    if card.range:
        yield Stat("A die succeeds on", f"{rules.SUCCESS - card.die_modifier}+")


def _grids(card: Unit, variant: Variant) -> Iterator[Grid]:
    """Yield the tables of a printed card: its attack dice by distance, and what attacks on it have to score."""
    if isinstance(card, ObstacleCard):
        return
    if rows := tuple(_dice(card)):
        starts = (0, *(end + 1 for end in card.range))
        columns = (
            f"{first}–{last}" if first < last else f"{last}" for first, last in zip(starts, card.range, strict=False)
        )
        damage = "for each Damaged counter" if variant.second_damaged == "cumulative" else "Damaged"
        worse = f" One worse while Pinned or {damage}." if isinstance(card, VehicleCard) else ""
        need = rules.SUCCESS - card.die_modifier
        note = f"Each die that shows {need} or more is a success.{worse} Direct Fire 2-5"
        yield Grid("Attack Dice, by hexes", ("against", *columns), rows, note)
    if isinstance(card, AircraftCard):
        declared = rules.declared(card.armor, card.vital)
        values = {"": (card.armor, card.vital), "after it declared a ground target": declared}
        lines: tuple[tuple[str, ...], ...] = tuple((name, _pair(*pair)) for name, pair in values.items())
        note = "Successes that reach the first: Damaged; the second: destroyed. Attacks against Aircraft"
        yield Grid("Under fire: armour/vital armour", ("", "successes"), lines, note)
        return
    faces = tuple(Faces.model_fields) if isinstance(card, VehicleCard) else ("successes",)
    what = "armour/vital armour" if isinstance(card, VehicleCard) else "Defense/Disintegration"
    conditions = CONDITIONS[card.kind]
    if isinstance(card, VehicleCard) and variant.second_damaged == "cumulative":
        conditions = conditions | {name: rules.CONDITIONS.index(name) for name in rules.CONDITIONS[rules.SHAKEN + 1 :]}
    lines = tuple(
        (name, *(_pair(*rules.lowered(card.kind, *pair, condition, variant.reading)) for pair in _values(card)))
        for name, condition in conditions.items()
    )
    equal = "; where both are one number, 1 hit" if variant.dis_equals_def == "one_hit" else ""
    note = (
        f"Successes that equal the first: 1 hit; more: 2; that reach the second: 3, destroyed{equal}. "
        f"Attacks against {card.kind.title()}s 6"
    )
    yield Grid(f"Under fire: {what}", ("", *faces), lines, note)


def _dice(card: SoldierCard | VehicleCard | AircraftCard) -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of target that the unit attacks: its name, then the Attack Dice by range."""
    rows = {"soldiers": card.antisoldier, "vehicles": card.antivehicle}
    if isinstance(card, AircraftCard):
        rows |= {"fighters": card.antifighter, "other aircraft": card.antibomber}
    else:
        rows["aircraft"] = card.antiair
    for name, numbers in rows.items():
        if numbers:
            yield name, *map(str, numbers)


def _values(card: SoldierCard | VehicleCard) -> Iterator[tuple[int, int]]:
    if isinstance(card, SoldierCard):
        yield card.defense, card.disintegration
    else:
        for face in Faces.model_fields:
            yield getattr(card.armor, face), getattr(card.vital, face)


def _pair(first: int, second: int) -> str:
    return f"{first}/{second}"


def _terms(card: Unit) -> Iterator[Term]:
    """Yield what each ability does; the last term lists all that neither the rulebook nor a number explains."""
    rest = []
    for ability in card.abilities:
        name = NUMBER.sub("", ability)
        if name in ABILITIES:
            meaning, rule = ABILITIES[name]
            number = NUMBER.search(ability)
            yield Term(ability, re.sub(r"\bX\b", number[1], meaning) if number else meaning, rule)
        else:
            rest.append(ability)
    if rest:
        yield Term("Also printed", "; ".join(rest), "the rulebook doesn't say what these do")
