"""Forumini Armies played with real dice: a witness that shares no code with the package.

Cards are the tables of the card files, situations and variants plain dicts with the package's field names, of which any
may be missing. Every die is thrown on its own; nothing here works out a probability. Sections are the rulebook's.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rollers.readings import Promise, Readings, agreed

Table = Mapping[str, Any]

READINGS: Readings = {
    "dis_equals_def": ("destroyed", "one_hit"),
    "min_defense": (1, 0),
    "second_damaged": ("no_effect", "cumulative", "destroyed"),
    "cover_one_hit_exempt": (True, False),
    "df_always_cover": (False, True),
    "aircraft_cover_penalty": (0, 2),
    # Of a whole turn, or of several units in a hex: nothing that two units can try out on each other.
    "df_counts": (True,),
    "indirect_shared_roll": (False,),
}

PROMISES = (
    Promise("situation", "facing", ("front", "side", "rear")),
    Promise("situation", "cover", (True, False)),
    Promise("situation", "face_up", (0, 1)),  # at 2 one counter destroys an aircraft, so none adds two
    Promise("situation", "own_face_up", (2, 1, 0)),
    Promise("attacker", "die_modifier", (-2, -1, 0, 1, 2)),
    Promise("target", "cover", (2, 3, 4, 5, 6)),
)

MOST_TURNS = 2_000


def d6(rng: Random) -> int:
    return 1 + int(6 * rng.random())


class Unit:
    """A unit on the table: its card, its face-up counters, and how many face-down counters lie beside it."""

    def __init__(self, card: Table, face_up: int = 0, face_down: int = 0) -> None:
        self.card = card
        self.kind = card["kind"]
        self.pinned = face_up == 1 and self.kind != "aircraft"
        self.demoralized = face_up == 2 and self.kind == "soldier"
        self.damaged = 1 if face_up == 2 and self.kind in ("vehicle", "aircraft") else 0
        self.destroyed = False
        self.down = face_down

    @property
    def good_order(self) -> bool:
        return not (self.pinned or self.demoralized or self.damaged)

    def casualty_phase(self, rules: Table) -> None:
        """K. Casualty."""
        down, self.down = self.down, 0
        if self.kind == "aircraft":  # D. Antiair: flipped at the end of that phase
            self.damaged += min(down, 1)
            if down >= 2 or self.damaged >= 2:
                self.destroyed = True
            return
        self.pinned = False
        if self.demoralized:
            self.demoralized, self.pinned = False, True
        if down >= 1:
            self.pinned = True
        if down >= 2:
            if self.kind == "soldier":
                self.demoralized = True
            elif not self.damaged:
                self.damaged = 1
            elif rules["second_damaged"] == "cumulative":
                self.damaged = min(self.damaged + 1, 3)
            elif rules["second_damaged"] == "destroyed":
                self.destroyed = True
        if down >= 3:
            self.destroyed = True


def attack_dice(attacker: Table, target: Table, hexes: float) -> int:
    """Direct Fire 3-4."""
    if target["kind"] == "obstacle" or attacker["kind"] == "obstacle":
        return 0
    row = {"soldier": "antisoldier", "vehicle": "antivehicle", "aircraft": "antiair"}[target["kind"]]
    if attacker["kind"] == "aircraft" and row == "antiair":
        row = "antifighter" if target["type"] == "Aircraft-Fighter" else "antibomber"
    for column, last in enumerate(attacker.get("range", ())):
        if hexes <= last:
            return int(attacker[row][column]) if attacker.get(row) else 0
    return 0


def values(attacker: Unit, target: Unit, seen: Table, rules: Table) -> tuple[int, int, str]:
    """The two numbers that successes are compared with, and the face that is hit."""
    card = target.card
    least = rules["min_defense"]
    if target.kind == "soldier":
        first, second, face = card["defense"], card["disintegration"], ""
        if target.demoralized:
            first, second = max(first - 1, least), max(second - 1, least)
        return first, second, face
    if target.kind == "aircraft":
        first, second = card["armor"], card["vital"]
        if seen.get("ground_target"):
            first, second = max(first - 1, 1), max(second - 1, 1)
        return first, second, ""
    face = "top" if attacker.kind == "aircraft" else seen.get("facing", "front")
    first, second = card["armor"][face], card["vital"][face]
    if target.damaged:
        first, second = max(first - target.damaged, least), max(second - target.damaged, least)
    elif target.pinned:
        first = max(first - 1, least)
    return first, second, face


def die_modifier(attacker: Unit, target: Unit, seen: Table, rules: Table) -> int:
    modifier: int = attacker.card.get("die_modifier", 0)
    if attacker.kind == "vehicle":
        if attacker.damaged:
            modifier -= attacker.damaged
        elif attacker.pinned:
            modifier -= 1
    if attacker.kind == "aircraft" and target.kind != "aircraft" and seen.get("cover"):
        modifier -= rules["aircraft_cover_penalty"]
    return modifier


def scored(rolled: int, first: int, second: int, rules: Table) -> int:
    """Attacks against Soldiers 6, Attacks against Vehicles 6."""
    if rolled < first:
        return 0
    if first == second and rolled == first and rules["dis_equals_def"] == "one_hit":
        return 1
    if rolled >= second:
        return 3
    return 1 if rolled == first else 2


def cover_roll(rng: Random, attacker: Unit, target: Unit, seen: Table, hexes: float, more: int) -> bool:
    """Cover against Attacks 2; `more` is what the attack itself adds."""
    number = target.card.get("cover")
    die = d6(rng)
    if number is None or die == 1:
        return False
    die += seen.get("cover_modifier", 0) + more
    if hexes == 0:
        die -= 1
    if seen.get("hit_the_dirt") and target.kind == "soldier" and target.good_order:
        die += 1
    front = target.kind == "vehicle" and attacker.kind != "aircraft" and seen.get("facing", "front") == "front"
    if seen.get("hull_down") and front:
        die += 1
    return bool(die >= number)


def strike(rng: Random, attacker: Unit, target: Unit, seen: Table, hexes: float, rules: Table) -> None:
    """One attack by direct fire; face-down counters are put beside the target."""
    number = attack_dice(attacker.card, target.card, hexes)
    if seen.get("own_hit_the_dirt") and attacker.kind == "soldier" and attacker.good_order:
        number = 0
    if number == 0:
        return
    added = die_modifier(attacker, target, seen, rules)
    rolled = 0
    for _ in range(number):
        if d6(rng) + added >= 4:
            rolled += 1
    first, second, _ = values(attacker, target, seen, rules)
    if target.kind == "aircraft":
        if rolled >= second:
            target.down += 2
        elif rolled >= first:
            target.down += 1
        return
    hits = scored(rolled, first, second, rules)
    if hits == 0:
        return
    exempt = hits == 1 and target.down == 0 and rules["cover_one_hit_exempt"]
    if seen.get("cover") and not exempt:
        more = 0
        if rolled > first:
            more -= 1
        if rolled >= second:
            more -= 1
        if cover_roll(rng, attacker, target, seen, hexes, more):
            if target.down == 0:
                target.down = 1
            return
    target.down += hits


def face_down(target: Table, situation: Table) -> int:
    """Counters of other attacks; an aircraft has room for one."""
    most = 1 if target["kind"] == "aircraft" else 2
    return min(situation.get("face_down", 0), most)


def destroyed_by(counters: int, target: Table, situation: Table, rules: Table) -> bool:
    """Whether a target is gone after the casualty phase with so many face-down counters."""
    unit = Unit(target, situation.get("face_up", 0), counters)
    unit.casualty_phase(rules)
    return unit.destroyed


def throw_attack(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> int:
    """The counters that one attack adds, laid down one by one until the target is past help."""
    rules = agreed(variant, READINGS)
    firing = Unit(attacker, situation.get("own_face_up", 0))
    before = face_down(target, situation)
    hit = Unit(target, situation.get("face_up", 0), before)
    strike(rng, firing, hit, situation, situation["range_in"], rules)
    lying = before
    while lying < hit.down and not destroyed_by(lying, target, situation, rules):
        lying += 1
    return lying - before


def throw_kill(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> bool:
    """Whether the target is destroyed in the casualty phase after one attack."""
    added = throw_attack(rng, attacker, target, situation, variant)
    return destroyed_by(face_down(target, situation) + added, target, situation, agreed(variant, READINGS))


def throw_defensive_fire(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> bool:
    """Whether a Defensive Fire attack stops and pins a soldier or vehicle in good order."""
    rules = agreed(variant, READINGS)
    firing, hit = Unit(attacker), Unit(target)
    if firing.kind == "vehicle" and hit.kind == "soldier":
        return False
    hexes = situation["range_in"]
    rolled = 0
    for _ in range(attack_dice(attacker, target, hexes)):
        if d6(rng) + die_modifier(firing, hit, situation, rules) >= 4:
            rolled += 1
    first, second, _ = values(firing, hit, situation, rules)
    hits = scored(rolled, first, second, rules)
    if hits == 0:
        return False
    exempt = hits == 1 and rules["cover_one_hit_exempt"] and not rules["df_always_cover"]
    if situation.get("cover") and not exempt:
        more = -1 - (rolled > first) - (rolled >= second)
        return not cover_roll(rng, firing, hit, situation, hexes, more)
    return True


def throw_indirect_fire(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> int:
    """The counters that indirect fire puts on one unit of the hex."""
    rules = agreed(variant, READINGS)
    firing, hit = Unit(attacker), Unit(target)
    hexes = situation["range_in"]
    if situation.get("cover") and cover_roll(rng, firing, hit, situation, hexes, 0):
        return 0
    strike(rng, firing, hit, {**situation, "cover": False}, hexes, rules)
    return 3 if hit.down > 3 else hit.down


TARGETS_FIELDS = ("facing", "cover", "cover_modifier", "hit_the_dirt", "hull_down", "ground_target")


def other_way_round(situation: Table) -> dict[str, Any]:
    """The situation as the target sees it when it strikes back."""
    turned: dict[str, Any] = {"range_in": situation["range_in"]}
    for name in TARGETS_FIELDS:
        if f"own_{name}" in situation:
            turned[name] = situation[f"own_{name}"]
        if name in situation:
            turned[f"own_{name}"] = situation[name]
    return turned


def throw_duel(rng: Random, a: Table, b: Table, situation: Table, variant: Table, first: str) -> str | None:
    """Both attack in every turn, at the same time, until one or both are destroyed; None if that never happens.

    Who is `first` throws first; that changes nothing, as counters count from the casualty phase on.
    """
    rules = agreed(variant, READINGS)
    sides = {"a": (Unit(a), situation), "b": (Unit(b), other_way_round(situation))}
    order = ("a", "b") if first == "a" else ("b", "a")
    for _ in range(MOST_TURNS):
        for me, foe in (order, order[::-1]):
            unit, seen = sides[me]
            for _ in range(unit.card.get("attacks", 1)):
                strike(rng, unit, sides[foe][0], seen, seen["range_in"], rules)
        for unit, _ in sides.values():
            unit.casualty_phase(rules)
        gone = [name for name, (unit, _) in sides.items() if unit.destroyed]
        if gone:
            return "both" if len(gone) == 2 else "b" if gone == ["a"] else "a"
    return None
