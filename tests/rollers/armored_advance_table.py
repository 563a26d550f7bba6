"""Armored Advance played with real dice: a witness that shares no code with the package.

Every function takes a `random.Random` and plain numbers, throws one D6 after another as players would at the table, and
says what happened. Pages are those of the Core Rules, version 1.1; where the rulebook leaves a point open the players
have agreed on a reading, one of `READINGS`. Nothing here works out a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from rollers.readings import Readings, agreed

READINGS: Readings = {
    "resolution": ("one_die", "two_dice", "sum"),
    "range_boundary": ("round_up", "strict"),
    "cap_stage": ("requirement", "sum_then_cap"),
    "natural_six_hits": (False, True),
    "hit_mods_affect_penetration": (True, False),
    "reroll_scope": ("auto", "final", "hit", "both"),
    "reroll_limit": (1, None),
    "free_move_breaks_advantage": (True, False),
    "penetration_falloff": (False, True),
    "wall_rule": ("pen_minus_2", "armor_plus_1", "both"),
    "foliage_rule": ("requirement_plus_2", "range_plus_3"),
    "foliage_exempt": ("firer", "target", "either"),
    "foliage_stacks": (False, True),
    "he_moved": ("any", "two_moves"),
    "he_n": ("card", 1, 2, 3),
    "he_advantage": (True, False),
    "indirect_requires_hit": (False, True),
    "indirect_gap": ("halve", "immune"),
    "indirect_rounding": ("down", "up"),
    "autocannon_ai_rolls": (1, "X"),
    "mg_after_clamp": (True, False),
    "mg_on_grenades": (False, True),
    "angling": ("replace", "add"),
    # Of battles, and of what an action costs: nothing that two units can try out on each other.
    "scout_costs_action": (True,),
    "annihilation_counts_guns": (True,),
    "turn_limit_counts": ("rounds",),
    "gun_fire_uses_crew_action": (False,),
}
Table = Mapping[str, Any]
USUAL: Table = agreed({}, READINGS)
NOTHING: Table = {}

# p. 7: "Penetration - Armor | Roll Required", success at 2 or more.
PLAIN_ARMOR = {1: 2, 0: 4, -1: 6}
WEAK_SPOT = {1: 2, 0: 4, -1: 5, -2: 6}

# p. 10: "Target Type | Hit Dice (Stationary / 2x Move)".
HIT_DICE = {"light": (0, -2), "medium": (+1, 0), "heavy": (+2, +1)}


def d6(rng: Random) -> int:
    return 1 + int(6 * rng.random())


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


def throw(
    rng: Random, passes: Callable[[int], bool], advantage: bool, limit: int | None = 1, watch: Any = None
) -> bool:
    """p. 8: throw a die; firing at advantage, a throw one less than required is thrown again. Whether it passes.

    A throw is one less than required if it fails and one pip more would have passed. `watch` is what has to be missed
    by one, where that isn't `passes` itself.
    """
    missed = watch or passes
    again = 0
    while True:
        shown = d6(rng)
        if passes(shown):
            return True
        if not advantage or again == limit or missed(shown) or not missed(shown + 1):
            return False
        again += 1


def sequence(
    rng: Random, *, range_in: float, through: int | None, advantage: bool, bonus: int, increase: int, rules: Table
) -> bool:
    """p. 5-8: one dice sequence; whether it hits and gets `through`."""
    resolution, limit, natural_six = rules["resolution"], rules["reroll_limit"], rules["natural_six_hits"]
    base = range_roll(range_in, rules["range_boundary"])
    necessary = base + increase
    sum_capped = increase > 0 and rules["cap_stage"] == "sum_then_cap"
    if increase and not sum_capped:
        necessary = min(necessary, 6)

    def hits(die: int) -> bool:
        if die + bonus >= necessary:
            return True
        # With a capped sum, terrain alone doesn't take away a 6 that would have done without it.
        return die >= 6 and (natural_six or (sum_capped and die + bonus >= base))

    if resolution == "two_dice":
        if not throw(rng, hits, advantage, limit) or through is None:
            return False
        again = advantage and rules["reroll_scope"] in ("final", "both")
        return throw(rng, lambda die: die >= through, again, limit)
    if through is None:
        return False
    whole = rules["hit_mods_affect_penetration"]

    def enough(die: int, required: int) -> bool:
        if resolution == "sum":
            if whole:
                return die + bonus >= required + (through - 1)
            return die >= max(required - bonus, 1) + (through - 1)
        if whole:
            return die + bonus >= max(required, through)
        return die + bonus >= required and die >= through

    def damages(die: int) -> bool:
        if enough(die, necessary):
            return True
        return die >= 6 and (natural_six or (sum_capped and enough(die, base)))

    return throw(rng, damages, advantage, limit, hits if rules["reroll_scope"] == "hit" else None)


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
    rules: Table = USUAL,
) -> bool:
    """p. 5-8, p. 21: whether a shot does damage."""
    for _ in range(walls):
        penetration -= 2 if rules["wall_rule"] in ("pen_minus_2", "both") else 0
        armor += 1 if rules["wall_rule"] in ("armor_plus_1", "both") else 0
    through = penetration_roll(penetration, armor, weak_spot)
    return sequence(
        rng, range_in=range_in, through=through, advantage=advantage, bonus=bonus, increase=increase, rules=rules
    )


def volley(rng: Random, shots: int, damage: int, **sequence: Any) -> int:
    """p. 13 Autocannon (X): one dice sequence after another; the damage summed."""
    total = 0
    for _ in range(shots):
        if shot(rng, **sequence):
            total += damage
    return total


def he_hits(
    rng: Random,
    *,
    range_in: float,
    weight: str,
    target_moved: bool = False,
    advantage: bool = True,
    bonus: int = 0,
    increase: int = 0,
    rules: Table = USUAL,
) -> bool:
    """p. 10 Large Caliber Artillery Attacks: whether high explosive hits; it needn't get through."""
    bonus += HIT_DICE[weight][1 if target_moved else 0]
    again = advantage and rules["he_advantage"]
    return sequence(rng, range_in=range_in, through=1, advantage=again, bonus=bonus, increase=increase, rules=rules)


def he_damage(rng: Random, base: int, n: int, side_armor: int, rules: Table = USUAL) -> int:
    """p. 10: Base - n x D6 - S, on a hit."""
    damage = base - side_armor
    pips = d6(rng)
    for _ in range(n if rules["he_n"] == "card" else rules["he_n"]):
        damage -= pips
    return max(damage, 0)


def he_shot(rng: Random, *, base: int, n: int, side_armor: int, rules: Table = USUAL, **aim: Any) -> int:
    """p. 10 Large Caliber Artillery Attacks: the damage of one shot."""
    return he_damage(rng, base, n, side_armor, rules) if he_hits(rng, rules=rules, **aim) else 0


def kills(rng: Random, code: str, machine_gun: bool = False, rules: Table = USUAL) -> int:
    """p. 10, p. 18: what one roll of a casualty code kills."""
    head, _, minus = code.partition("-")
    killed = {"D3": d3, "D6": d6}[head](rng) if head in ("D3", "D6") else int(head)
    killed -= int(minus or 0)
    if machine_gun and not rules["mg_after_clamp"]:
        killed += 1
    killed = max(killed, 0)
    if machine_gun and rules["mg_after_clamp"]:
        killed += 1
    return killed


def casualties(
    rng: Random,
    code: str,
    strength: int,
    *,
    machine_gun: bool = False,
    sandbags: bool = False,
    rolls: int = 1,
    rules: Table = USUAL,
) -> int:
    """p. 10, p. 17-18, p. 21: the men that a squad of `strength` loses to one anti-infantry attack."""
    killed = 0
    for _ in range(rolls):
        killed += kills(rng, code, machine_gun, rules)
    if sandbags:
        killed //= 2
    men = strength
    while killed and men:
        killed -= 1
        men -= 1
    return strength - men


def grenade(
    rng: Random, strength: int, *, sandbags: bool = False, machine_gun: bool = False, rules: Table = USUAL
) -> int:
    """p. 18: AI/D6-2; the machine gun's kill goes with it only where the players say so."""
    helped = machine_gun and rules["mg_on_grenades"]
    return casualties(rng, "D6-2", strength, sandbags=sandbags, machine_gun=helped, rules=rules)


def indirect(
    rng: Random,
    *,
    base: int,
    n: int,
    side_armor: int,
    moved_in: float = 0,
    support: bool = False,
    rules: Table = USUAL,
) -> int:
    """p. 15 Indirect: the damage of one shot of a gun that is set up, on a target within X inches."""
    if moved_in > 15 or (moved_in > 14 and rules["indirect_gap"] == "immune"):
        return 0
    damage = he_damage(rng, base, n, side_armor, rules)
    if support:
        damage = support_damage(damage)
    if moved_in >= 8:
        odd = damage % 2
        damage = (damage - odd) // 2 + (odd if rules["indirect_rounding"] == "up" else 0)
    return damage


def scout_bonus(scout_in: float) -> int:
    """p. 11 Scout: the rows of the table, for a scout within 5 feet; 2 and 3 feet themselves go with the row below."""
    feet = scout_in / 12
    if feet > 5:
        return 0
    if feet < 2:
        return +3
    if feet < 3:
        return +2
    return +1


def foliage(pieces: Sequence[str], exempt: str = "firer", stacks: bool = False) -> int:
    """p. 21 Foliage: what is added to the roll required.

    A piece is "open", near the "firer" or near the "target" (within 3 inches); `exempt` is the unit that a piece near
    it does not affect, "either" for both.
    """
    added = 0
    for piece in pieces:
        if piece == exempt or (exempt == "either" and piece != "open"):
            continue
        added = added + 2 if stacks else 2
    return added


def foliage_page_8(pieces: Sequence[str], stacks: bool = False) -> int:
    """p. 8: inches added to the range of a target within 3 inches of the foliage and behind it."""
    behind = [piece for piece in pieces if piece == "target"]
    return sum(3 for _ in (behind if stacks else behind[:1]))


def foliage_pieces(seen: Table) -> list[str]:
    """The pieces of a situation that counts them, one by one."""
    near = {whom: seen.get(f"foliage_near_{whom}", 0) for whom in ("firer", "target")}
    open_ = seen.get("foliage", 0) - sum(near.values())
    if open_ < 0:
        raise NotImplementedError(f"foliage: found {near} of {seen['foliage']}, expected no piece that is near both")
    return [whom for whom, pieces in near.items() for _ in range(pieces)] + ["open"] * open_


def rifle_code(men: int) -> str:
    """p. 17: 4-6 individuals AI/D3-1, 1-3 individuals AI/D3-2."""
    return "D3-1" if men >= 4 else "D3-2"


def support_damage(damage: int) -> int:
    """p. 14: 50% more damage, rounded up, to field guns and fortifications."""
    return damage + (damage + 1) // 2


class Player:
    """A unit at the table: what it has left, whether its gun is loaded, whether it moved this turn.

    A unit is a dict: ``hp``; ``armor``, ``side_armor``, ``weak_spot``, ``weight``, ``class`` as a target, ``increase``
    and ``halved`` behind sandbags; ``guns``, a list of dicts (``kind`` and its numbers, ``range``) in the order in
    which the player would spend actions on them, of which ``primary`` (0) is the one that keywords act on; ``actions``
    (2); ``rapid_fire``, ``autocannon``, ``accurate`` (the player aims), ``long_reload``, ``support``. A rifle squad has
    ``men`` in place of ``hp`` and guns. A gun with ``lob`` inches is fired indirectly so far once it is set up, for
    which the player spends the first turn, and again after a move. ``grenades`` are thrown at a squad within 6 inches,
    one a turn, before any other fire. It holds its ground unless it has ``close``: then it drives straight in until so
    many inches from the foe, its ``move`` (and 2 more if it is ``light``) a turn, with its first action; a ``cautious``
    one stops once it has less than half its hit points. A ``casemate`` that drove has 1 less on its rolls.

    `seen` is what lies between it and its foe, and who helps it: ``walls``, ``foliage`` and which pieces of it are near
    whom, ``scout_in``, ``artillery_crew``.
    """

    def __init__(self, unit: Table, seen: Table = NOTHING, rules: Table = USUAL) -> None:
        self.unit = unit
        self.seen = seen
        self.rules = rules
        self.left = unit.get("men") or unit["hp"]
        self.reloading = False
        self.moves = 0
        self.moved_in = 0.0
        self.shifted = False
        self.set_up = unit.get("set_up", False)
        self.grenades = unit.get("grenades", 0)

    def turn(self, rng: Random, foe: Player, range_in: float) -> float:
        """Drive if it wants to be nearer, then fire; the distance afterwards."""
        self.moves, self.moved_in = 0, 0.0
        wary = self.unit.get("cautious") and 2 * self.left < self.unit["hp"]
        if "close" in self.unit and range_in > self.unit["close"] and not wary:
            reach = self.unit["move"] + (2 if self.unit.get("weight") == "light" else 0)
            self.moves, self.moved_in = 1, min(reach, range_in - self.unit["close"])
            self.set_up = False
            range_in -= self.moved_in
        self.fire(rng, foe, range_in)
        return range_in

    def fire(self, rng: Random, foe: Player, range_in: float) -> None:
        """Spend the turn's actions on `foe`."""
        if self.grenades and range_in <= 6 and "men" in foe.unit:
            self.grenades -= 1
            self.throw_grenade(rng, foe)
            return
        if not self.set_up and not self.moves and any("lob" in gun for gun in self.unit.get("guns", ())):
            self.set_up, self.reloading = True, False
            return
        if "guns" not in self.unit:
            if range_in <= 12:
                rifles = {"kind": "ai", "ai": rifle_code(self.left)}
                self.one_attack(rng, rifles, foe, range_in, sequences=1, bonus=0)
            return
        actions = self.unit.get("actions", 2) - self.moves
        primary = self.unit.get("primary", 0)  # None: it stays silent
        fired_primary = False
        for number, gun in enumerate(self.unit["guns"]):
            if range_in > (gun["lob"] if self.set_up and "lob" in gun else gun.get("range", 1000)):
                continue
            if number == primary:
                if self.unit.get("long_reload") and self.reloading:
                    continue
                if self.unit.get("accurate") and not self.moves:
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
                self.one_attack(rng, gun, foe, range_in, sequences=1, bonus=0, primary=False)
        self.reloading = fired_primary

    def throw_grenade(self, rng: Random, foe: Player) -> None:
        """p. 18 Grenade."""
        foe.left -= grenade(
            rng,
            max(foe.left, 0),
            sandbags=foe.unit.get("halved", False),
            machine_gun=self.unit.get("machine_gun", False),
            rules=self.rules,
        )

    def one_attack(
        self,
        rng: Random,
        gun: Table,
        foe: Player,
        range_in: float,
        *,
        sequences: int,
        bonus: int,
        primary: bool = True,
    ) -> None:
        """One attack action: each dice sequence comes off the foe's health as it is thrown."""
        if (gun["kind"] == "ai") != ("men" in foe.unit):
            return
        if gun["kind"] == "ai":
            code = gun["ai"]
            if not isinstance(code, str):
                code = next(step["ai"] for step in code if self.left >= step["min"])
            foe.left -= casualties(
                rng,
                code,
                max(foe.left, 0),
                machine_gun=self.unit.get("machine_gun", False),
                sandbags=foe.unit.get("halved", False),
                rolls=sequences if self.rules["autocannon_ai_rolls"] == "X" else 1,
                rules=self.rules,
            )
            return
        if primary and self.moves and self.unit.get("casemate"):
            bonus -= 1
        bonus += self.helped()
        soft = primary and self.unit.get("support", False) and foe.unit.get("class") == "field_gun"
        for _ in range(sequences):
            foe.left -= self.damage(rng, gun, foe, range_in, bonus, soft)

    def helped(self) -> int:
        """What a scout and an artillery crew add to a roll (p. 11, p. 19)."""
        scout_in = self.seen.get("scout_in")
        crew = self.seen.get("artillery_crew", False) and self.unit.get("class") == "field_gun"
        return (0 if scout_in is None else scout_bonus(scout_in)) + (1 if crew else 0)

    def at_advantage(self) -> bool:
        """p. 8: it hasn't moved; a field gun is where it is, whoever pushes it."""
        if self.unit.get("class") == "field_gun":
            return True
        return not self.moves and not (self.shifted and self.rules["free_move_breaks_advantage"])

    def damage(self, rng: Random, gun: Table, foe: Player, range_in: float, bonus: int, soft: bool) -> int:
        """What one dice sequence does to a vehicle or field gun."""
        target, rules = foe.unit, self.rules
        increase = target.get("increase", 0)
        aim = {"range_in": range_in, "advantage": self.at_advantage(), "bonus": bonus, "rules": rules}
        if "lob" in gun and self.set_up:
            # Over whatever grows between the two.
            if rules["indirect_requires_hit"] and not he_hits(rng, **foe.to_he(rules), increase=increase, **aim):
                return 0
            shell = {"base": gun["base"], "n": gun["n"], "side_armor": target["side_armor"]}
            return indirect(rng, **shell, moved_in=foe.moved_in, support=soft, rules=rules)
        if "foliage" in self.seen:
            pieces = foliage_pieces(self.seen)
            if rules["foliage_rule"] == "range_plus_3":
                aim["range_in"] += foliage_page_8(pieces, rules["foliage_stacks"])
            else:
                increase += foliage(pieces, rules["foliage_exempt"], rules["foliage_stacks"])
        if gun["kind"] == "he":
            shell = {"base": gun["base"], "n": gun["n"], "side_armor": target["side_armor"]}
            damage = he_shot(rng, **shell, **foe.to_he(rules), increase=increase, **aim)
        else:
            penetration = gun["penetration"]
            if rules["penetration_falloff"] and "penetration_by_band" in gun:
                penetration = gun["penetration_by_band"][range_roll(aim["range_in"], rules["range_boundary"]) - 1]
            through = shot(
                rng,
                penetration=penetration,
                armor=target["armor"],
                weak_spot=target.get("weak_spot", False),
                increase=increase,
                walls=self.seen.get("walls", 0),
                **aim,
            )
            damage = gun["damage"] if through else 0
        return support_damage(damage) if soft else damage

    def to_he(self, rules: Table) -> dict[str, Any]:
        """p. 10: the row and the column of the hit dice; a field gun counts as stationary."""
        moved = self.moves >= 2 if rules["he_moved"] == "two_moves" else self.moves > 0 or self.moved_in > 0
        weight = self.unit.get("weight", "medium")
        return {"weight": weight, "target_moved": moved and self.unit.get("class") != "field_gun"}


def duel(
    rng: Random,
    a: Table,
    b: Table,
    *,
    range_in: float,
    first: str = "roll_off",
    rounds: int | None = None,
) -> tuple[str, int]:
    """Two units take turns until one is gone or each has had `rounds` turns; the winner and the turns played."""
    return play(rng, Player(a), Player(b), range_in=range_in, first=first, rounds=rounds)


def play(
    rng: Random, a: Player, b: Player, *, range_in: float, first: str, rounds: int | None = None
) -> tuple[str, int]:
    """As `duel`, by two players who have sat down already."""
    sides = [("a", a), ("b", b)]
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
