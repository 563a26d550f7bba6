"""Armored Advance played with real dice: a witness that shares no code with the package.

Every function takes a `random.Random` and plain numbers, throws one D6 after another as players would at the table, and
says what happened. Pages are those of the Core Rules, version 1.1; where the rulebook leaves a point open there is an
argument, named as the reading is. Nothing here works out a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

# p. 7: "Penetration - Armor | Roll Required", success at 2 or more.
PLAIN_ARMOR = {1: 2, 0: 4, -1: 6}
WEAK_SPOT = {1: 2, 0: 4, -1: 5, -2: 6}

# p. 10: "Target Type | Hit Dice (Stationary / 2x Move)".
HIT_DICE = {"light": (0, -2), "medium": (+1, 0), "heavy": (+2, +1)}


def d6(rng: Random) -> int:
    return rng.randint(1, 6)


def d3(rng: Random) -> int:
    return (d6(rng) + 1) // 2


def range_roll(range_in: float, boundary: str = "round_up") -> int:
    """p. 6: the first column of the table that the distance fits, 6+ beyond the last."""
    for necessary in (1, 2, 3, 4, 5):
        edge = 6 * necessary
        if range_in < edge or (range_in == edge and boundary == "round_up"):
            return necessary
    return 6


def penetration_roll(penetration: int, armor: int, weak_spot: bool) -> int | None:
    """p. 7: 1 for "Success", None for "Fail"."""
    margin = penetration - armor
    if margin >= 2:
        return 1
    return (WEAK_SPOT if weak_spot else PLAIN_ARMOR).get(margin)


def throw(rng: Random, passes: Callable[[int], bool], advantage: bool, limit: int | None = 1, watch: Any = None) -> int:
    """p. 8: throw a die; firing at advantage, a throw one less than required is thrown again.

    A throw is one less than required if it fails and one pip more would have passed. `watch` is what has to be missed
    by one, where that isn't `passes` itself.
    """
    missed = watch or passes
    shown = d6(rng)
    again = 0
    while advantage and (limit is None or again < limit):
        if passes(shown) or missed(shown) or not missed(shown + 1):
            break
        shown = d6(rng)
        again += 1
    return shown


def shot(
    rng: Random,
    *,
    range_in: float,
    penetration: int,
    armor: int,
    weak_spot: bool = False,
    advantage: bool = True,
    bonus: int = 0,
    increase: int = 0,
    walls: int = 0,
    resolution: str = "one_die",
    range_boundary: str = "round_up",
    cap_stage: str = "requirement",
    natural_six_hits: bool = False,
    hit_mods_affect_penetration: bool = True,
    reroll_scope: str = "auto",
    reroll_limit: int | None = 1,
    wall_rule: str = "pen_minus_2",
) -> bool:
    """p. 5-8: one dice sequence; whether it does damage."""
    for _ in range(walls):
        penetration -= 2 if wall_rule in ("pen_minus_2", "both") else 0
        armor += 1 if wall_rule in ("armor_plus_1", "both") else 0
    through = penetration_roll(penetration, armor, weak_spot)
    necessary = range_roll(range_in, range_boundary)
    if increase:
        necessary += increase
        if cap_stage == "requirement":
            necessary = min(necessary, 6)
    six_will_do = natural_six_hits or (increase > 0 and cap_stage == "sum_then_cap")

    def hits(die: int) -> bool:
        return die + bonus >= necessary or (six_will_do and die >= 6)

    if resolution == "two_dice":
        if not hits(throw(rng, hits, advantage, reroll_limit)):
            return False
        if through is None:
            return False
        both = reroll_scope in ("final", "both")
        return throw(rng, lambda die: die >= through, advantage and both, reroll_limit) >= through

    if through is None:
        return False

    def damages(die: int) -> bool:
        if six_will_do and die >= 6:
            return True
        if resolution == "sum" and hit_mods_affect_penetration:
            return die + bonus >= necessary + (through - 1)
        if resolution == "sum":
            return die >= max(necessary - bonus, 1) + (through - 1)
        if hit_mods_affect_penetration:
            return die + bonus >= max(necessary, through)
        return hits(die) and die >= through

    watched = hits if reroll_scope == "hit" else damages
    return damages(throw(rng, damages, advantage, reroll_limit, watched))


def volley(rng: Random, shots: int, damage: int, **sequence: Any) -> int:
    """p. 13 Autocannon (X): one dice sequence after another; the damage summed."""
    total = 0
    for _ in range(shots):
        if shot(rng, **sequence):
            total += damage
    return total


def he_shot(
    rng: Random,
    *,
    range_in: float,
    base: int,
    n: int,
    side_armor: int,
    weight: str,
    target_moved: bool = False,
    advantage: bool = True,
    bonus: int = 0,
    increase: int = 0,
    range_boundary: str = "round_up",
) -> int:
    """p. 10 Large Caliber Artillery Attacks: the damage of one shot."""
    necessary = range_roll(range_in, range_boundary)
    if increase:
        necessary = min(necessary + increase, 6)
    added = HIT_DICE[weight][1 if target_moved else 0] + bonus

    def hits(die: int) -> bool:
        return die + added >= necessary

    if not hits(throw(rng, hits, advantage)):
        return 0
    damage = base - side_armor
    pips = d6(rng)
    for _ in range(n):
        damage -= pips
    return max(damage, 0)


def casualties(
    rng: Random,
    code: str,
    strength: int,
    *,
    machine_gun: bool = False,
    sandbags: bool = False,
    mg_after_clamp: bool = True,
) -> int:
    """p. 10, p. 17-18, p. 21: the men that a squad of `strength` loses to one anti-infantry attack."""
    head, _, minus = code.partition("-")
    killed = {"D3": d3, "D6": d6}[head](rng) if head in ("D3", "D6") else int(head)
    killed -= int(minus or 0)
    if machine_gun and not mg_after_clamp:
        killed += 1
    killed = max(killed, 0)
    if machine_gun and mg_after_clamp:
        killed += 1
    if sandbags:
        killed //= 2
    men = strength
    while killed and men:
        killed -= 1
        men -= 1
    return strength - men


def rifle_code(men: int) -> str:
    """p. 17: 4-6 individuals AI/D3-1, 1-3 individuals AI/D3-2."""
    return "D3-1" if men >= 4 else "D3-2"


def support_damage(damage: int) -> int:
    """p. 14: 50% more damage, rounded up, to field guns and fortifications."""
    return damage + (damage + 1) // 2


class Player:
    """A unit at the table: what it has left, whether its gun is loaded, whether it moved this turn.

    A unit is a dict: ``hp``; ``armor``, ``side_armor``, ``weak_spot``, ``weight``, ``class`` as a target; ``guns``, a
    list of dicts (``kind`` and its numbers, ``range``) in the order in which the player would spend actions on them, of
    which ``primary`` (0) is the one that the keywords act on; ``actions`` (2); ``rapid_fire``, ``autocannon``,
    ``accurate`` (the player aims), ``long_reload``, ``support``. A rifle squad has ``men`` in place of ``hp`` and guns.
    It holds its ground unless it has ``close``: then it drives straight in until so many inches from the foe, its
    ``move`` (and 2 more if it is ``light``) a turn, with its first action; a ``cautious`` one stops once it has
    less than half its hit points. A ``casemate`` that drove has 1 less on its rolls.
    """

    def __init__(self, unit: Mapping[str, Any]) -> None:
        self.unit = unit
        self.left = unit.get("men") or unit["hp"]
        self.reloading = False
        self.moved = False

    def turn(self, rng: Random, foe: Player, range_in: float) -> float:
        """Drive if it wants to be nearer, then fire; the distance afterwards."""
        self.moved = False
        wary = self.unit.get("cautious") and 2 * self.left < self.unit["hp"]
        if "close" in self.unit and range_in > self.unit["close"] and not wary:
            reach = self.unit["move"] + (2 if self.unit.get("weight") == "light" else 0)
            range_in = max(self.unit["close"], range_in - reach)
            self.moved = True
        self.fire(rng, foe, range_in)
        return range_in

    def fire(self, rng: Random, foe: Player, range_in: float) -> None:
        """Spend the turn's actions on `foe`."""
        if "men" in self.unit:
            if range_in <= 12:
                foe.left -= casualties(
                    rng, rifle_code(self.left), foe.left, machine_gun=self.unit.get("machine_gun", False)
                )
            return
        actions = self.unit.get("actions", 2) - (1 if self.moved else 0)
        primary = self.unit.get("primary", 0)
        fired_primary = False
        for number, gun in enumerate(self.unit["guns"]):
            if range_in > gun.get("range", 1000):
                continue
            if number == primary:
                if self.unit.get("long_reload") and self.reloading:
                    continue
                if self.unit.get("accurate") and not self.moved:
                    if actions >= 2:
                        actions -= 2
                        fired_primary = True
                        self.one_attack(rng, gun, foe, range_in, sequences=1, bonus=1)
                    continue
                for _ in range(2 if self.unit.get("rapid_fire") else 1):
                    if actions:
                        actions -= 1
                        fired_primary = True
                        self.one_attack(rng, gun, foe, range_in, sequences=self.unit.get("autocannon", 1), bonus=0)
            elif actions:
                actions -= 1
                self.one_attack(rng, gun, foe, range_in, sequences=1, bonus=0)
        self.reloading = fired_primary

    def one_attack(
        self, rng: Random, gun: Mapping[str, Any], foe: Player, range_in: float, *, sequences: int, bonus: int
    ) -> None:
        """One attack action: each dice sequence comes off the foe's health as it is thrown."""
        target = foe.unit
        if self.moved and self.unit.get("casemate"):
            bonus -= 1
        for _ in range(sequences):
            if gun["kind"] == "ai":
                if "men" in target:
                    foe.left -= casualties(rng, gun["ai"], max(foe.left, 0))
                continue
            if "men" in target:
                continue
            if gun["kind"] == "he":
                damage = he_shot(
                    rng,
                    range_in=range_in,
                    base=gun["base"],
                    n=gun["n"],
                    side_armor=target["side_armor"],
                    weight=target.get("weight", "medium"),
                    target_moved=foe.moved,
                    advantage=not self.moved,
                    bonus=bonus,
                )
            else:
                through = shot(
                    rng,
                    range_in=range_in,
                    penetration=gun["penetration"],
                    armor=target["armor"],
                    weak_spot=target.get("weak_spot", False),
                    advantage=not self.moved,
                    bonus=bonus,
                )
                damage = gun["damage"] if through else 0
            if self.unit.get("support") and target.get("class") == "field_gun":
                damage = support_damage(damage)
            foe.left -= damage


def duel(
    rng: Random,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    range_in: float,
    first: str = "roll_off",
    rounds: int | None = None,
) -> tuple[str, int]:
    """Two units take turns until one is gone or each has had `rounds` turns; the winner and the turns played."""
    sides: Sequence[tuple[str, Player]] = [("a", Player(a)), ("b", Player(b))]
    if first == "roll_off":
        thrown = (0, 0)
        while thrown[0] == thrown[1]:
            thrown = d6(rng), d6(rng)
        first = "a" if thrown[0] > thrown[1] else "b"
    if first == "b":
        sides = sides[::-1]
    turns = 0
    while rounds is None or turns < 2 * rounds:
        name, active = sides[turns % 2]
        foe = sides[1 - turns % 2][1]
        turns += 1
        range_in = active.turn(rng, foe, range_in)
        if foe.left <= 0:
            return name, turns
    return "draw", turns
