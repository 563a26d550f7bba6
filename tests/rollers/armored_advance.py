"""Armored Advance from its cards: how the players of `rollers.armored_advance_table` use what their cards say.

Cards are the tables of the card files, situations and variants plain dicts with the package's field names, of which any
may be missing. Nothing here works out a probability, but for a player who has to choose how to fire, and goes through
all ways in which the dice can fall.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from rollers import told
from rollers.armored_advance_table import READINGS, Player, Table, play
from rollers.readings import Promise, agreed

BETWEEN = ("range_in", "walls", "foliage", "foliage_near_firer", "foliage_near_target")
FACES = ("facing", "own_facing")
IN_A_DUEL = (*BETWEEN, *FACES, "angled", "set_up", "artillery_crew", "scout_in", "sandbags", "own_sandbags")
OF_A_SHOT = (*IN_A_DUEL, "moved", "shifted", "target_moves", "target_moved_in")
"""Fields of a situation that these players heed."""

# A wall never helps the shooter, a scout never hurts him, and so on: under every reading but ``reroll_scope=hit``,
# by which a shot that can't miss by range is never rolled again, so that some distance may help.
PROMISES = (
    Promise("situation", "range_in", (60, 36, 30, 24, 18, 12, 6, 0)),
    Promise("situation", "walls", (3, 2, 1, 0)),
    Promise("situation", "hidden", (True, False)),
    Promise("situation", "foliage", (2, 1, 0)),
    Promise("situation", "sandbags", (True, False)),
    Promise("situation", "scout_in", (None, 60, 36, 23)),
    Promise("situation", "moved", (True, False)),
    Promise("situation", "set_up", (False, True)),
    Promise("situation", "artillery_crew", (False, True)),
    Promise("situation", "target_moves", (2, 1, 0)),
    Promise("target", "armor.front", (25, 12, 8, 4, 0)),
    Promise("target", "armor.side", (25, 12, 8, 4, 0)),
    Promise("attacker", "weapons.0.penetration", (0, 4, 8, 12, 25)),
    Promise("attacker", "weapons.0.damage", (1, 5, 10, 20)),
)


def heeded(situation: Table, fields: tuple[str, ...]) -> Table:
    for name in situation:
        if name not in fields:
            raise NotImplementedError(f"{name}: found it in a situation, this roller heeds {', '.join(fields)}")
    return situation


def other_way_round(situation: Table) -> dict[str, Any]:
    """The situation as the target sees it when it fires back, without help."""
    swapped = {
        "facing": "own_facing",
        "own_facing": "facing",
        "foliage_near_firer": "foliage_near_target",
        "foliage_near_target": "foliage_near_firer",
        "sandbags": "own_sandbags",
        "own_sandbags": "sandbags",
    }
    kept = ("range_in", "walls", "foliage")
    names = {**{name: name for name in kept}, **swapped}
    return {mine: situation[yours] for mine, yours in names.items() if yours in situation}


# --- units as their cards have them -----------------------------------------------------------------------------


def counter(card: Table, shown: Table, rules: Table) -> dict[str, Any]:
    """A card, as `Player` reads it, but for the choice of guns; `shown` is the situation as its enemy sees it."""
    if card["class"] == "infantry":
        equipment = card.get("equipment", {})
        return {
            "men": card["strength"],
            "halved": shown.get("sandbags", False),
            "actions": 1,
            "machine_gun": equipment.get("machine_gun", False),
            "grenades": equipment.get("grenades", 0),
            "guns": [],
        }
    keywords, facing = card.get("keywords", {}), shown.get("facing", "front")
    armor, side_armor, increase = card["armor"][facing], card["armor"]["side"], 0
    if shown.get("angled", False) and facing != "rear" and "angling" in keywords:
        armor = armor + keywords["angling"] if rules["angling"] == "add" else max(armor, keywords["angling"])
    if shown.get("sandbags", False) and card["class"] == "field_gun":
        armor, increase = armor + 1, 1
        side_armor += 1 if facing == "side" else 0
    unit = {
        "hp": card["hp"],
        "armor": armor,
        "side_armor": side_armor,
        "increase": increase,
        "weight": card["weight"],
        "class": card["class"],
        "actions": card.get("actions", 2),
        "casemate": "casemate" in keywords or "reverse_casemate" in keywords,
        "guns": [],
    }
    flags = ("weak_spot", "rapid_fire", "autocannon", "long_reload", "support")
    return unit | {name: keywords[name] for name in flags if name in keywords}


def gun_lists(card: Table) -> list[list[dict[str, Any]]]:
    """The guns of a card, each with its kinds of attack; the primary first, its indirect fire last."""
    keywords = card.get("keywords", {})
    guns: dict[str, list[dict[str, Any]]] = {}
    for number, weapon in enumerate(card.get("weapons", ())):
        gun = {"range": 12, **weapon} if weapon["kind"] == "ai" else dict(weapon)
        kinds = guns.setdefault(weapon.get("gun", f"weapon {number}"), [])
        if kinds is next(iter(guns.values())) and "limited_range" in keywords:
            gun["range"] = min(keywords["limited_range"], gun.get("range", 1000))
        kinds.append(gun)
    for kinds in list(guns.values())[:1]:
        if "indirect" in keywords:
            kinds += [{**gun, "lob": keywords["indirect"]} for gun in kinds if gun["kind"] == "he"]
    return list(guns.values())


class Side(NamedTuple):
    """A player who hasn't sat down yet: the unit, what it sees, and how it drove before."""

    unit: Table
    seen: Table
    rules: Table
    moves: int = 0
    moved_in: float = 0
    shifted: bool = False

    def sits_down(self) -> Player:
        player = Player(self.unit, self.seen, self.rules)
        player.moves, player.moved_in, player.shifted = self.moves, self.moved_in, self.shifted
        return player


def worth(side: Side, gun: Table, foe: Side, *, sequences: int = 1, bonus: int = 0, primary: bool = True) -> Fraction:
    """What an attack takes from the target on the mean."""
    range_in = side.seen["range_in"]
    if range_in > (gun["lob"] if "lob" in gun else gun.get("range", 1000)):
        return Fraction(0)
    # Five more throws are as good as no end of them, to somebody who only compares.
    limit = 5 if side.rules["reroll_limit"] is None else side.rules["reroll_limit"]
    reckoning = side._replace(unit={**side.unit, "set_up": "lob" in gun}, rules={**side.rules, "reroll_limit": limit})
    # Men are killed by all rolls together; damage adds up.
    together, times = (sequences, 1) if gun["kind"] == "ai" else (1, sequences)

    def once(rng: Random) -> int:
        player, target = reckoning.sits_down(), foe.sits_down()
        before = target.left
        player.one_attack(rng, gun, target, range_in, sequences=together, bonus=bonus, primary=primary)
        return int(before - target.left)

    return times * told.mean(once)


class Choice(NamedTuple):
    """An attack that a player may choose."""

    worth: Fraction
    number: int
    gun: Table
    sequences: int


def choices(side: Side, card: Table, foe: Side, set_up: bool) -> list[Choice]:
    """The kind of attack of each gun that does most."""
    found = []
    for number, kinds in enumerate(gun_lists(card)):
        sequences = card.get("keywords", {}).get("autocannon", 1) if number == 0 else 1
        usable = [gun for gun in kinds if set_up or "lob" not in gun]
        if usable:
            worths = [worth(side, gun, foe, sequences=sequences, primary=number == 0) for gun in usable]
            best = worths.index(max(worths))
            found.append(Choice(worths[best], number, usable[best], sequences))
    return found


def settled(side: Side, card: Table, foe: Side) -> Side:
    """How a player who holds plays a unit: the kind of attack of each gun that does most, aimed, set up or not."""
    keywords, pool = card.get("keywords", {}), side.unit["actions"]

    def turn(loaded: bool, set_up: bool) -> tuple[Fraction, dict[str, Any]]:
        """The best turn: what it does, and how it is played."""
        attacks = choices(side, card, foe, set_up)
        primary = attacks[:1]
        others = sorted(attacks[1:], key=lambda attack: -attack.worth)
        plain = sorted(
            [*primary * (2 if "rapid_fire" in keywords else 1) * loaded, *others], key=lambda attack: -attack.worth
        )
        best = sum((attack.worth for attack in plain[:pool]), Fraction(0))
        ordered = sorted(attacks, key=lambda attack: -attack.worth)
        aims = False
        for gun in gun_lists(card)[0] if loaded and "accurate" in keywords and pool >= 2 else ():
            if gun["kind"] == "ai" or ("lob" in gun and not set_up):
                continue
            shot = worth(side, gun, foe, bonus=1)
            aimed = shot + sum((attack.worth for attack in others[: pool - 2]), Fraction(0))
            if aimed > best:
                best, aims, ordered = aimed, True, [Choice(shot, 0, gun, 1), *others]
        ordered = [attack for attack in ordered if attack.worth]
        numbers = [attack.number for attack in ordered]
        return best, {
            "guns": [attack.gun for attack in ordered],
            "primary": numbers.index(0) if 0 in numbers else None,
            "accurate": aims,
        }

    def held(set_up: bool) -> tuple[Fraction, dict[str, Any]]:
        """The best turns one after another, on the mean."""
        loaded, how = turn(True, set_up)
        rest, _ = turn(False, set_up) if "long_reload" in keywords else (loaded, how)
        return (loaded + rest) / 2, how

    if not gun_lists(card):
        return side._replace(unit={**side.unit, "grenades": 0})
    ready = side.unit.get("set_up", False)
    (plain, direct), (better, lobbing) = held(ready), held(True)
    grenades = side.unit.get("grenades", 0)
    if grenades and side.seen["range_in"] <= 6 and "men" in foe.unit:

        def thrown(rng: Random) -> int:
            player, target = side.sits_down(), foe.sits_down()
            before = target.left
            player.throw_grenade(rng, target)
            return int(before - target.left)

        grenades *= told.mean(thrown) > plain
    return side._replace(unit={**side.unit, **(lobbing if better > plain else direct), "grenades": grenades})


def sides(a: Table, b: Table, situation: Table, rules: Table) -> tuple[Side, Side]:
    """Two cards at the table, without orders."""
    back = other_way_round(situation)
    mine, yours = counter(a, back, rules), counter(b, situation, rules)
    still = not situation.get("moved", False) and not situation.get("shifted", False)
    mine["set_up"] = situation.get("set_up", False) and still and "indirect" in a.get("keywords", {})
    return Side(mine, situation, rules), Side(yours, back, rules)


def driven(card: Table, moves: int) -> float:
    """p. 4: how far so many actions take a unit; a heavy one has 2 inches from the second on."""
    if card["weight"] == "heavy" and card["class"] == "vehicle":
        return sum([card["movement"], 2, 2, 2][:moves])
    return float(moves * card["movement"])


# --- what the contract asks -------------------------------------------------------------------------------------

_SETTLED: dict[str, Any] = {}


def throw_attack(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> int:
    """The attack of a unit that does most, by a card on a card: what it takes from the target."""
    key = repr(("attack", attacker, target, situation, variant))
    if key not in _SETTLED:
        heeded(situation, OF_A_SHOT)
        mine, foe = sides(attacker, target, situation, agreed(variant, READINGS))
        mine = mine._replace(moves=int(situation.get("moved", False)), shifted=situation.get("shifted", False))
        if target["class"] == "vehicle":
            moves = situation.get("target_moves", 0)
            foe = foe._replace(moves=moves, moved_in=situation.get("target_moved_in", driven(target, moves)))
        open_to_it = choices(mine, attacker, foe, mine.unit["set_up"])
        _SETTLED[key] = mine, foe, max(open_to_it, key=lambda attack: attack.worth, default=None)
    mine, foe, best = _SETTLED[key]
    if best is None or not best.worth:
        return 0
    player, hit = mine.sits_down(), foe.sits_down()
    player.set_up = "lob" in best.gun
    before = hit.left
    sequences, primary = best.sequences, best.number == 0
    player.one_attack(rng, best.gun, hit, situation["range_in"], sequences=sequences, bonus=0, primary=primary)
    return int(before - hit.left)


def throw_duel(rng: Random, a: Table, b: Table, situation: Table, variant: Table, first: str) -> str | None:
    """Two cards that hold their ground; None if neither can hurt the other."""
    key = repr(("duel", a, b, situation, variant))
    if key not in _SETTLED:
        heeded(situation, IN_A_DUEL)
        mine, yours = sides(a, b, situation, agreed(variant, READINGS))
        _SETTLED[key] = settled(mine, a, yours), settled(yours, b, mine)
    pair = _SETTLED[key]
    if not any(side.unit["guns"] or side.unit.get("grenades", 0) for side in pair):
        return None
    return play(rng, *(side.sits_down() for side in pair), range_in=situation["range_in"], first=first)[0]
