"""Armour Battles played with real dice: a witness that shares no code with the package.

Cards and situations are plain tables, as in the card files; what a situation leaves out is as usual. Sections are those
of the quick reference sheet; where it leaves a point open, the variant decides, with the package's default.
"""

from __future__ import annotations

from random import Random
from typing import Any

from rollers.readings import Promise, Readings, agreed

Table = dict[str, Any]

READINGS: Readings = {
    "opposed": ("net", "no_cancel"),
    "indirect_hit": ("net", "any_success", "in_area"),
    # A suppressed unit loses a pulse to Regroup, or to waiting for the end of the turn.
    "suppression_clears": ("regroup", "end_of_turn", "never"),
    # Of rallies, staff orders and activations: nothing that two units can try out on each other.
    "rally_boundary": ("upper_inclusive",),
    "staff_faces": ("2-6",),
    "activations": ("once_a_turn",),
}

PROMISES = (
    Promise("attacker", "at_dice", (4, 6, 8, 10, 12)),
    Promise("target", "reaction_dice", (9, 7, 5, 3, 0)),
    Promise("situation", "range_band", ("long", "effective", "close")),
    Promise("situation", "moves", ("triple", "double", "single")),
    Promise("situation", "flank", (False, True)),
    Promise("situation", "ambush", (False, True)),
    Promise("situation", "light_cover", (True, False)),
    Promise("situation", "evasion", ("disengages", "stands")),
    Promise("situation", "target_suppressed", (False, True)),
    Promise("situation", "wild_dice", (0, 1, 3)),
)

MOST_PULSES = 20_000


def d6(rng: Random) -> int:
    return 1 + int(6 * rng.random())


def throw_dice(rng: Random, number: int, target_number: int) -> tuple[int, int]:
    """Successes and 6s."""
    successes = sixes = 0
    for _ in range(number):
        shown = d6(rng)
        if shown >= target_number:
            successes += 1
        if shown == 6:
            sixes += 1
    return successes, sixes


def fires_indirectly(attacker: Table, situation: Table) -> bool:
    has_guns = attacker.get("at_dice", 0) > 0
    return attacker.get("artillery_dice", 0) > 0 and (not has_guns or situation.get("indirect", False))


def firing(attacker: Table, target: Table, situation: Table) -> tuple[int, int]:
    """Direct Fire, Indirect Fire: how many dice, and what each has to show; no dice if there is nothing to fire."""
    if target["class"] == "battery":
        return 0, 4
    wild = situation.get("wild_dice", 0)
    if fires_indirectly(attacker, situation):
        return attacker["artillery_dice"] + wild, 4
    number = attacker.get("at_dice", 0)
    if number == 0 or situation.get("indirect", False):
        return 0, 4
    needed = 4
    band = situation.get("range_band")
    if band is None:
        close, effective, long = attacker["ranges_in"]
        if situation["range_in"] > long:
            return 0, 4
        band = "long"
        if situation["range_in"] <= effective:
            band = "effective"
        if situation["range_in"] <= close:
            band = "close"
    if band == "close":
        needed -= 1
    if band == "long":
        needed += 1
    if situation.get("flank", False):
        needed -= 1
    if situation.get("ambush", False):
        number += 1
    if situation.get("moves", "single") == "double":
        number -= 1
    if situation.get("moves", "single") == "triple":
        number -= 2
    return max(number + wild, 0), needed


def reacting(target: Table, situation: Table, indirect: bool) -> int:
    """Reaction Checks: how many dice."""
    number: int = target["reaction_dice"]
    if indirect:
        number = int(target.get("reaction_dice_indirect", number))
        if target.get("open_topped", False):
            number -= 1
    if situation.get("light_cover", False):
        number += 1
    if situation.get("uphill", False):
        number += 1
    if situation.get("evasion", "stands") in ("disengages", "breaks_off", "shoots_and_scoots"):
        number += 2
    return max(number + int(situation.get("target_wild_dice", 0)), 0)


def fire(
    rng: Random, attacker: Table, target: Table, situation: Table, variant: Table, suppressed: bool
) -> tuple[int, bool]:
    """Fire Combat Results: disruption points, and whether the fire suppresses."""
    rules = agreed(variant, READINGS)
    number, needed = firing(attacker, target, situation)
    if number == 0:
        return 0, False
    indirect = fires_indirectly(attacker, situation)
    hits, sixes = throw_dice(rng, number, needed)
    reactions, their_sixes = throw_dice(rng, reacting(target, situation, indirect), 5 if suppressed else 4)
    points = hits
    if rules["opposed"] == "net":
        points = max(hits - reactions, 0)
    if not indirect:
        return points, sixes > their_sixes
    rule = rules["indirect_hit"]
    was_hit = rule == "in_area" or (rule == "any_success" and hits > 0) or (rule == "net" and points > 0)
    return points, was_hit and not their_sixes > sixes


def throw_attack(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> int:
    """The disruption points of one attack by a fresh unit."""
    return fire(rng, attacker, target, situation, variant, situation.get("target_suppressed", False))[0]


def throw_duel(rng: Random, a: Table, b: Table, situation: Table, variant: Table, first: str) -> str | None:
    """Who is left when pulses alternate to the end; None if neither can destroy the other any more."""
    back = {
        "range_in": situation["range_in"],
        "range_band": situation.get("range_band"),
        "light_cover": situation.get("own_light_cover", False),
        "uphill": situation.get("own_uphill", False),
        "wild_dice": situation.get("target_wild_dice", 0),
        "target_wild_dice": situation.get("wild_dice", 0),
    }
    cards = {"a": a, "b": b}
    seen = {"a": situation, "b": back}
    points = {"a": 0, "b": 0}
    suppressed = {"a": False, "b": False}
    able = {me: firing(cards[me], cards["b" if me == "a" else "a"], seen[me])[0] > 0 for me in "ab"}
    for_good = agreed(variant, READINGS)["suppression_clears"] == "never"
    me = first
    for _ in range(MOST_PULSES):
        if not any(able[side] and not (for_good and suppressed[side]) for side in "ab"):
            return None
        enemy = "b" if me == "a" else "a"
        if suppressed[me]:
            # Regroup: the whole pulse.
            suppressed[me] = for_good
        else:
            taken, suppresses = fire(rng, cards[me], cards[enemy], seen[me], variant, suppressed[enemy])
            points[enemy] += taken
            suppressed[enemy] = suppressed[enemy] or suppresses
            if points[enemy] >= 3:
                return me
        me = enemy
    raise AssertionError("a duel without end")


def throw_rally(rng: Random, rally_dice: int, target_number: int, disruption: int) -> int:
    """Rallying: the points removed."""
    mine, _ = throw_dice(rng, rally_dice, target_number)
    theirs, _ = throw_dice(rng, disruption, 4)
    removed = 0
    while mine > theirs and removed < disruption:
        mine -= 1
        removed += 1
    return removed


def throw_command(rng: Random, command_dice: int) -> list[int]:
    """Game Turn: the command dice as they fall."""
    return [d6(rng) for _ in range(command_dice)]


def failed(shown: list[int]) -> bool:
    return shown.count(1) > shown.count(6)


def restocked(shown: list[int], faces: tuple[int, ...] = (2, 3, 4, 5, 6)) -> int:
    """Restock Staff Orders: double 1, triple 2, quadruple 3, and so on."""
    orders = 0
    for face in faces:
        for nth in range(1, shown.count(face) + 1):
            if nth >= 2:
                orders += 1
    return orders
