"""Armored Advance played with real dice: a witness that shares no code with the package.

Every function takes a `random.Random` and plain numbers, throws one D6 after another as players would at the table, and
says what happened. Pages are those of the Core Rules, version 1.1; where the rulebook leaves a point open there is an
argument, named as the reading is. Nothing here works out a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
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


def grenade(rng: Random, strength: int, *, sandbags: bool = False, machine_gun: bool = False) -> int:
    """p. 18: AI/D6-2; the machine gun's kill goes with it only where the players say so."""
    return casualties(rng, "D6-2", strength, sandbags=sandbags, machine_gun=machine_gun)


def indirect(
    rng: Random,
    *,
    base: int,
    n: int,
    side_armor: int,
    moved_in: float = 0,
    support: bool = False,
    gap: str = "halve",
    rounding: str = "down",
) -> int:
    """p. 15 Indirect: the damage of one shot of a gun that is set up, on a target within X inches."""
    if moved_in > 15 or (moved_in > 14 and gap == "immune"):
        return 0
    damage = base - side_armor
    pips = d6(rng)
    for _ in range(n):
        damage -= pips
    damage = max(damage, 0)
    if support:
        damage = support_damage(damage)
    if moved_in >= 8:
        odd = damage % 2
        damage = (damage - odd) // 2 + (odd if rounding == "up" else 0)
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


def air_attack(rng: Random, within: int, overflown: int) -> bool:
    """p. 15 Anti-Air: whether an attack gets past so many vehicles near its goal, and so many on its way."""
    spoiled = [d6(rng) >= 3 for _ in range(within)] + [d6(rng) >= 5 for _ in range(overflown)]
    return not any(spoiled)


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
    A gun with ``lob`` inches is fired indirectly so far once it is set up, for which the player spends the first
    turn, and again after a move. ``grenades`` are thrown at a squad within 6 inches, one a turn, before any other fire.
    It holds its ground unless it has ``close``: then it drives straight in until so many inches from the foe, its
    ``move`` (and 2 more if it is ``light``) a turn, with its first action; a ``cautious`` one stops once it has
    less than half its hit points. A ``casemate`` that drove has 1 less on its rolls.
    """

    def __init__(self, unit: Mapping[str, Any]) -> None:
        self.unit = unit
        self.left = unit.get("men") or unit["hp"]
        self.reloading = False
        self.moved = False
        self.moved_in = 0.0
        self.set_up = unit.get("set_up", False)
        self.grenades = unit.get("grenades", 0)

    def turn(self, rng: Random, foe: Player, range_in: float) -> float:
        """Drive if it wants to be nearer, then fire; the distance afterwards."""
        self.moved, self.moved_in = False, 0.0
        wary = self.unit.get("cautious") and 2 * self.left < self.unit["hp"]
        if "close" in self.unit and range_in > self.unit["close"] and not wary:
            reach = self.unit["move"] + (2 if self.unit.get("weight") == "light" else 0)
            self.moved, self.moved_in = True, min(reach, range_in - self.unit["close"])
            self.set_up = False
            range_in -= self.moved_in
        self.fire(rng, foe, range_in)
        return range_in

    def fire(self, rng: Random, foe: Player, range_in: float) -> None:
        """Spend the turn's actions on `foe`."""
        if self.grenades and range_in <= 6 and "men" in foe.unit:
            self.grenades -= 1
            foe.left -= grenade(rng, max(foe.left, 0))
            return
        if not self.set_up and not self.moved and any("lob" in gun for gun in self.unit.get("guns", ())):
            self.set_up, self.reloading = True, False
            return
        if "guns" not in self.unit:
            if range_in <= 12:
                foe.left -= casualties(
                    rng, rifle_code(self.left), foe.left, machine_gun=self.unit.get("machine_gun", False)
                )
            return
        actions = self.unit.get("actions", 2) - (1 if self.moved else 0)
        primary = self.unit.get("primary", 0)  # None: it stays silent
        fired_primary = False
        for number, gun in enumerate(self.unit["guns"]):
            if range_in > (gun["lob"] if self.set_up and "lob" in gun else gun.get("range", 1000)):
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
                    code = gun["ai"]
                    if not isinstance(code, str):
                        code = next(step["ai"] for step in code if self.left >= step["min"])
                    more = self.unit.get("machine_gun", False)
                    foe.left -= casualties(rng, code, max(foe.left, 0), machine_gun=more)
                continue
            if "men" in target:
                continue
            soft = self.unit.get("support", False) and target.get("class") == "field_gun"
            if "lob" in gun and self.set_up:
                foe.left -= indirect(
                    rng,
                    base=gun["base"],
                    n=gun["n"],
                    side_armor=target["side_armor"],
                    moved_in=foe.moved_in,
                    support=soft,
                )
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
            foe.left -= support_damage(damage) if soft else damage


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


# --- units as their cards have them -----------------------------------------------------------------------------


class _Told(Random):
    """Dice that fall as they are told, and as 1 beyond that."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int] = []
        self.used = 0

    def randint(self, low: int, high: int) -> int:
        self.used += 1
        if self.used > len(self.told):
            self.told.append(low)
        return self.told[self.used - 1]


def on_the_mean(once: Callable[[Random], int]) -> Fraction:
    """What `once` comes to, tried with every way in which its D6 can fall."""
    dice, total = _Told(), Fraction(0)
    while True:
        dice.used = 0
        result = once(dice)
        del dice.told[dice.used :]
        total += Fraction(result, 6 ** len(dice.told))
        while dice.told and dice.told[-1] == 6:
            dice.told.pop()
        if not dice.told:
            return total
        dice.told[-1] += 1


def counter(table: Mapping[str, Any], facing: str = "front") -> dict[str, Any]:
    """A card, as `Player` reads it, but for the choice of guns."""
    if table["class"] == "infantry":
        equipment = table.get("equipment", {})
        return {
            "men": table["strength"],
            "actions": 1,
            "machine_gun": equipment.get("machine_gun", False),
            "grenades": equipment.get("grenades", 0),
            "guns": [],
        }
    keywords = table.get("keywords", {})
    unit = {
        "hp": table["hp"],
        "armor": table["armor"][facing],
        "side_armor": table["armor"]["side"],
        "weight": table["weight"],
        "class": table["class"],
        "actions": table.get("actions", 2),
        "guns": [],
    }
    flags = ("weak_spot", "rapid_fire", "autocannon", "long_reload", "support")
    return unit | {name: keywords[name] for name in flags if name in keywords}


def gun_lists(table: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """The guns of a card, each with its kinds of attack; the primary first, its indirect fire last."""
    keywords = table.get("keywords", {})
    guns: dict[str, list[dict[str, Any]]] = {}
    for number, weapon in enumerate(table.get("weapons", ())):
        gun = {"range": 12, **weapon} if weapon["kind"] == "ai" else dict(weapon)
        kinds = guns.setdefault(weapon.get("gun", f"weapon {number}"), [])
        if kinds is next(iter(guns.values())) and "limited_range" in keywords:
            gun["range"] = min(keywords["limited_range"], gun.get("range", 1000))
        kinds.append(gun)
    for kinds in list(guns.values())[:1]:
        if "indirect" in keywords:
            kinds += [{**gun, "lob": keywords["indirect"]} for gun in kinds if gun["kind"] == "he"]
    return list(guns.values())


def settled(
    mine: Mapping[str, Any], table: Mapping[str, Any], foe: Mapping[str, Any], range_in: float
) -> dict[str, Any]:
    """How a player who holds plays a unit: the kind of attack of each gun that does most, aimed, set up or not."""
    lists = gun_lists(table)
    keywords = table.get("keywords", {})

    def worth(gun: Mapping[str, Any], bonus: int = 0) -> Fraction:
        """What one dice sequence takes from the target on the mean."""
        far = gun["lob"] if "lob" in gun else gun.get("range", 1000)
        if range_in > far:
            return Fraction(0)

        def once(rng: Random) -> int:
            player, target = Player({**mine, "set_up": "lob" in gun}), Player(foe)
            player.one_attack(rng, gun, target, range_in, sequences=1, bonus=bonus)
            return int(Player(foe).left - target.left)

        return on_the_mean(once)

    def turn(loaded: bool, set_up: bool) -> tuple[Fraction, dict[str, Any]]:
        """The best turn: what it does, and how it is played."""
        attacks = []
        for number, kinds in enumerate(lists):
            usable = [gun for gun in kinds if set_up or "lob" not in gun]
            kind = max(usable, key=worth)
            sequences = keywords.get("autocannon", 1) if number == 0 and kind["kind"] != "ai" else 1
            attacks.append((worth(kind) * sequences, number, kind))
        primary, others = attacks[:1], sorted(attacks[1:], key=lambda attack: -attack[0])
        plain = sorted([*primary * (2 if "rapid_fire" in keywords else 1) * loaded, *others], key=lambda a: -a[0])
        best = sum((attack[0] for attack in plain[: mine["actions"]]), Fraction(0))
        ordered = sorted(attacks, key=lambda attack: -attack[0])
        aims = False
        for gun in lists[0] if loaded and "accurate" in keywords and mine["actions"] >= 2 else ():
            if gun["kind"] == "ai" or ("lob" in gun and not set_up):
                continue
            aimed = worth(gun, 1) + sum((attack[0] for attack in others[: mine["actions"] - 2]), Fraction(0))
            if aimed > best:
                best, aims, ordered = aimed, True, [(aimed, 0, gun), *others]
        ordered = [attack for attack in ordered if attack[0]]
        places = [number for _, number, _ in ordered]
        return best, {
            "guns": [gun for _, _, gun in ordered],
            "primary": places.index(0) if 0 in places else None,
            "accurate": aims,
        }

    def play(set_up: bool) -> tuple[Fraction, dict[str, Any]]:
        loaded, how = turn(True, set_up)
        rest, _ = turn(False, set_up) if "long_reload" in keywords else (loaded, how)
        return (loaded + rest) / 2, how

    if not lists:
        return {**mine, "grenades": 0}
    (plain, direct), (better, lobbing) = play(False), play(True)
    grenades = mine.get("grenades", 0)
    if grenades and range_in <= 6 and "men" in foe:
        grenades *= on_the_mean(lambda rng: grenade(rng, foe["men"])) > plain
    return {**mine, **(lobbing if better > plain else direct), "grenades": grenades}


_SETTLED: dict[str, Any] = {}


def throw_attack(
    rng: Random, attacker: Mapping[str, Any], target: Mapping[str, Any], situation: Mapping[str, Any], variant: Any
) -> int:
    """The attack of a unit that does most, by a card on a card: what it takes from the target."""
    key = repr(("attack", attacker, target, situation))
    if key not in _SETTLED:
        # One action, so that the best is all there is of the turn.
        keywords = {name: x for name, x in attacker.get("keywords", {}).items() if name not in ("accurate", "indirect")}
        one = {**attacker, "keywords": keywords}
        mine, foe = {**counter(one), "actions": 1, "grenades": 0}, counter(target, situation.get("facing", "front"))
        _SETTLED[key] = settled(mine, one, foe, situation["range_in"]), foe
    mine, foe = _SETTLED[key]
    player, hit = Player(mine), Player(foe)
    player.fire(rng, hit, situation["range_in"])
    return int(Player(foe).left - hit.left)


def throw_duel(
    rng: Random,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    situation: Mapping[str, Any],
    variant: Any,
    first: str,
) -> str | None:
    """Two cards that hold their ground; None if neither can hurt the other."""
    key = repr(("duel", a, b, situation))
    if key not in _SETTLED:
        mine, yours = counter(a), counter(b, situation.get("facing", "front"))
        far = situation["range_in"]
        _SETTLED[key] = settled(mine, a, yours, far), settled(yours, b, mine, far)
    sides = _SETTLED[key]
    if not any(side["guns"] or side["grenades"] for side in sides):
        return None
    return duel(rng, *sides, range_in=situation["range_in"], first=first)[0]
