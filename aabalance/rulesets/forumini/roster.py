"""From an Axis & Allies Miniatures card to a Forumini Armies card: the formulas by which ``facts.csv`` becomes cards.

The fan rules add faces, vital armour, Disintegration and dice against aircraft to the printed cards; their own cards
were never found. Costs, dice, Defense, front and rear armour, speed and abilities are as printed ("AAM"); what "ours"
marks is this project's. What an ability does is taken from the list of abilities that came with the data, marked "AAM".

==================== ============================================================== =================================
card field           formula                                                        source
==================== ============================================================== =================================
cost                 the printed one                                                AAM
defense              the printed one; of a vehicle armor.front and armor.rear       AAM
armor.side           mean of front and rear, rounded down                           ours
armor.top            the rear                                                       ours
disintegration,      half as much again as the first value, rounded up; and 2 more  ours; AAM: such armour is harder to
vital                with Superior Armor 2, on the front alone with Superior        score two hits on
                     Frontal Armor
cover                soldiers 4, vehicles 5; one less with Hard to Spot, one more   ours; the steps are AAM's
                     with Large Silhouette; none with Tall Silhouette
range                short 0-1, medium 2-4, long 5-8 hexes; to X with Enhanced      AAM
                     Range X, against vehicles alone with Extended Range X; no
                     further than X with Limited Range X; a column for the own hex
                     with Close Assault
antisoldier,         as printed; in the own hex against vehicles X with Close       AAM
antivehicle          Assault X
antiair, antifighter the antisoldier dice of units with Antiair, none of others     ours; AAM rolls antisoldier dice
antibomber                                                                          too, others at -1
die_modifier         +1 with Crack Shot, -1 with Inaccurate 1                       AAM
attacks              2 with Double Shot                                             AAM
initiative           X with Initiative +X                                           AAM
bombs                8 dice once with Rockets 8                                     ours, after AAM's rockets
type                 of aircraft: fighters have Antiair, others are bombers         ours
==================== ============================================================== =================================

Indirect Fire is a form of attack, and No Turret and Fixed Howitzer bind a vehicle to its front arc in matches. All
other abilities are listed on the card but have no effect here: Bombardment, Blast, Double Shot in Defensive Fire, shots
once in a game, abilities of crews, of commanders and of movement; nor do Close Assault and flamethrowers ignore cover.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from aabalance.errors import CardError, Fault
from aabalance.rulesets.base import RosterRules
from aabalance.rulesets.forumini.card import GUN_CLASSES, Unit, gun_class
from aabalance.rulesets.forumini.profile import profile
from aabalance.rulesets.forumini.variant import Variant

REFERENCE = ("us_m4a1_sherman", 21)
"""The printed cost that fixes the scale of the cost formula."""

SHORT, MEDIUM, LONG = 1, 4, 8
NOTES = {
    "soldier": "ours, not printed: disintegration, cover",
    "vehicle": "ours, not printed: side and top armour, vital armour, cover",
    "aircraft": "ours, not printed: type, vital armour",
}
NUMBERED = re.compile(r"(.*?) \+?(\d+)")

Row = list[tuple[int, int]]
"""The range columns against one kind of target: last hex and number of dice of each."""


def _empty(cell: Any) -> Any:
    return None if cell == "" else cell


Cell = Annotated[int | None, BeforeValidator(_empty)]


class Fact(BaseModel):
    """A row of ``facts.csv``."""

    id: str = Field(pattern=r"^[a-z0-9_]+$")
    unit: str
    nation: str
    type: str = Field(pattern="^(Soldier|Vehicle|Aircraft|Obstacle)")
    year: int
    cost: float
    defense: str = Field(alias="def_front/rear", pattern=r"^(\d+/\d+)?$")
    speed: str
    veh_s: Cell = Field(alias="veh_S")
    veh_m: Cell = Field(alias="veh_M")
    veh_l: Cell = Field(alias="veh_L")
    per_s: Cell = Field(alias="per_S")
    per_m: Cell = Field(alias="per_M")
    per_l: Cell = Field(alias="per_L")
    abilities: str


class Abilities(NamedTuple):
    """The special abilities of a card.

    Attributes
    ----------
    printed : tuple of str
        All abilities as printed, with their numbers.
    numbers : dict of str to int
        The number of each ability by its name; 1 if it has no number.
    """

    printed: tuple[str, ...]
    numbers: dict[str, int]

    @classmethod
    def read(cls, text: str) -> Abilities:
        """Return the abilities in a cell of ``facts.csv``."""
        printed = tuple(filter(None, (part.strip() for part in text.split(";"))))
        numbers = {}
        for ability in printed:
            numbered = NUMBERED.fullmatch(ability)
            numbers[numbered[1] if numbered else ability] = int(numbered[2]) if numbered else 1
        return cls(printed, numbers)

    def get(self, name: str, default: int = 0) -> int:
        """Return the number of the ability `name`; `default` if the card doesn't have it."""
        return self.numbers.get(name, default)


def vital(first: int, superior: int = 0) -> int:
    """Return Disintegration for a Defense, or vital armour for an armour.

    Parameters
    ----------
    first : int
        Defense or armour.
    superior : int
        What Superior Armor adds to it.
    """
    return first + (first + 1) // 2 + superior


def faces(front: int, rear: int) -> dict[str, int]:
    """Return the armour of the four faces."""
    return {"front": front, "side": (front + rear) // 2, "rear": rear, "top": rear}


def cover(kind: str, abilities: Abilities) -> int | None:
    """Return the Cover number of a kind of unit with these abilities; None if it fails every Cover Roll."""
    if abilities.get("Tall Silhouette"):
        return None
    base = 4 if kind == "soldier" else 5
    return base - abilities.get("Hard to Spot") + abilities.get("Large Silhouette")


def row(dice: Sequence[int | None], long: int, limit: int, close_assault: int = 0) -> Row:
    """Return the range columns against one kind of target.

    Parameters
    ----------
    dice : sequence of (int or None)
        Number of dice at short, medium and long range; None: no attack.
    long, limit : int
        Last hex of long range, and a hex beyond which no column goes.
    close_assault : int
        Number of dice in the unit's own hex; 0 if there is no such column.
    """
    columns = [(end, n or 0) for end, n in zip((SHORT, MEDIUM, long), dice, strict=True)]
    if close_assault:
        columns.insert(0, (0, close_assault))
    return [(min(end, limit), n) for end, n in columns]


def table(rows: dict[str, Row]) -> dict[str, list[int]]:
    """Return rows of dice that share their range columns, from rows with columns of their own.

    Keys are those of `rows`, and ``range`` for the last hexes of the shared columns.
    """
    # A row that is cut short may have two columns with the same last hex; the first of them counts.
    ends = sorted({end for columns in rows.values() for end, n in columns if n})
    dice_rows = {
        name: [next((n for end, n in columns if end >= at), 0) for at in ends] for name, columns in rows.items()
    }
    return {"range": ends} | {name: dice if any(dice) else [] for name, dice in dice_rows.items()}


def derive(fact: Fact) -> dict[str, Any]:
    """Return the card that a row of ``facts.csv`` gives: its fields, in the order of the card file."""
    kind = fact.type.split()[0].lower()
    abilities = Abilities.read(fact.abilities)
    card: dict[str, Any] = {"name": fact.unit}
    if kind != "obstacle":
        card["nation"] = fact.nation
    card |= {"year": fact.year, "kind": kind}
    cost = int(fact.cost) if fact.cost.is_integer() else fact.cost
    if kind == "obstacle":
        return card | {"cost": cost}
    first, second = map(int, fact.defense.split("/"))
    antiair = bool(abilities.get("Antiair"))
    if kind == "aircraft":
        card |= {"type": "Aircraft-Fighter" if antiair else "Aircraft-Bomber", "cost": cost}
        card |= {"armor": first, "vital": vital(first, abilities.get("Superior Armor"))}
    else:
        card |= {"type": fact.type.replace(" ", "-", 1), "cost": cost, "speed": int(fact.speed)}
    if kind == "soldier":
        card |= {"defense": first, "disintegration": vital(first)}
    elif kind == "vehicle":
        card |= _armor(first, second, abilities)
    number = None if kind == "aircraft" else cover(kind, abilities)
    if number is not None:
        card["cover"] = number
    card |= _attacks(fact, abilities, kind)
    return card | {"abilities": list(abilities.printed), "note": NOTES[kind]}


def _armor(front: int, rear: int, abilities: Abilities) -> dict[str, Any]:
    armor = faces(front, rear)
    superior = abilities.get("Superior Armor")
    vitals = {face: vital(number, superior) for face, number in armor.items()}
    vitals["front"] += abilities.get("Superior Frontal Armor")
    return {"armor": armor, "vital": vitals}


def _attacks(fact: Fact, abilities: Abilities, kind: str) -> dict[str, Any]:
    limit = abilities.get("Limited Range", 99)
    long = abilities.get("Enhanced Range", LONG)
    soldiers = row((fact.per_s, fact.per_m, fact.per_l), long, limit)
    vehicles = row(
        (fact.veh_s, fact.veh_m, fact.veh_l),
        abilities.get("Extended Range", long),
        limit,
        abilities.get("Close Assault"),
    )
    rows = {"antisoldier": soldiers, "antivehicle": vehicles}
    if abilities.get("Antiair"):
        rows |= dict.fromkeys(("antifighter", "antibomber") if kind == "aircraft" else ("antiair",), soldiers)
    fields: dict[str, Any] = dict(table(rows))
    if modifier := abilities.get("Crack Shot") - abilities.get("Inaccurate"):
        fields["die_modifier"] = modifier
    if abilities.get("Double Shot"):
        fields["attacks"] = 2
    if bonus := abilities.get("Initiative"):
        fields["initiative"] = bonus
    if rockets := abilities.get("Rockets"):
        fields["bombs"] = {"dice": rockets, "attacks": 1}
    return fields


def read_facts(path: Path) -> list[Fact]:
    """Return the rows of ``facts.csv`` in the order of the file; a `CardError` lists every malformed cell."""
    from aabalance.cards.csv import doubled
    from aabalance.cards.faults import validation_faults

    facts: dict[str, Fact] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.DictReader(file)
        faults = doubled(path, lines.fieldnames or ())
        for cells in lines:
            place = f"{path}:{lines.line_num}"
            try:
                fact = Fact.model_validate(cells)
            except ValidationError as error:
                faults += validation_faults(error, Fact, cells, (str(cells.get("id")),), place)
                continue
            if fact.id in facts:
                faults.append(Fault(place, f"{fact.id}: this id stands above already"))
            facts[fact.id] = fact
    if faults:
        raise CardError(faults)
    return list(facts.values())


class ForuminiRoster(RosterRules[Unit, Variant]):
    """Soldiers, vehicles, aircraft and obstacles at their printed costs."""

    reference = REFERENCE
    gun_classes = tuple(name for _, name in reversed(GUN_CLASSES))
    gun_class = staticmethod(gun_class)
    profile = staticmethod(profile)

    def category(self, card: Unit) -> str:
        """Return ``soldier``, ``vehicle``, ``aircraft`` or ``obstacle``."""
        return card.kind

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that ``facts.csv`` in `folder` gives, by id."""
        return {fact.id: derive(fact) for fact in read_facts(folder / "facts.csv")}
