"""Modern Land Battles played with real dice: a witness that shares no code with the package.

Force cards, situations and variants are plain tables as the files and the command line have them; what a table lacks
has its plain value. Sections are the rulebook's. Nothing here works out a chance, but for a player who has to choose
among several Attack symbols, and counts on fingers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

from rollers.readings import Promise, Readings, agreed

Table = Mapping[str, Any]

READINGS: Readings = {"d10_natural_rules": (False, True), "range_defense": (False, True)}

PROMISES = (
    Promise("attacker", "weapons.cannon", (-2, -1, 0, 1, 2, 3)),
    Promise("attacker", "weapons.small_arms", (-2, -1, 0, 1, 2, 3)),
    Promise("attacker", "weapons.missile", (-2, -1, 0, 1, 2, 3)),
    Promise("target", "armor", (12, 10, 8, 6, 4, 1)),
    Promise("situation", "superior_counters", (-2, 0, 1, 2, 5)),
    Promise("situation", "enemy_stops", (3, 2, 1, 0)),
)


def d10(rng: Random) -> int:
    return 1 + int(10 * rng.random())


def succeeds(die: int, bonus: int, value: int, natural_rules: bool) -> bool:
    """How to Attack: the die and all that is added, against the value; by the switch 10 and 1 speak for themselves."""
    if natural_rules and die in (1, 10):
        return die == 10
    return die + bonus >= value


def symbols_of(played: str) -> set[str]:
    """Action Cards: the symbols that an Action card attacks with."""
    return {
        "assault": {"cannon", "small_arms"},
        "barrage": {"cannon"},
        "cannon": {"cannon"},
        "combined_arms": {"cannon", "small_arms", "missile"},
        "cover_fire": {"small_arms"},
        "missile": {"missile"},
        "overwatch": {"missile"},
        "raid": {"small_arms"},
        "small_arms": {"small_arms"},
    }[played]


def reaches(symbol: str, own_row: int, enemy_row: int, printed: int, played: str) -> bool:
    """Determining Range, Artillery Attack, Raid: walk from the attacker's Row to the target's and count."""
    if not (1 <= own_row <= 3 and 1 <= enemy_row <= 3):
        return False
    away = len(range(own_row - 1, 0, -1)) + len(range(1, enemy_row + 1))
    if symbol == "artillery":
        return away <= printed
    if symbol == "missile":
        return own_row < 3 and enemy_row < 3
    if symbol == "small_arms" and played == "raid":
        return own_row == 1
    return away <= {"small_arms": 1, "cannon": 2}[symbol]


class Player:
    """A Force card on the table, and how its player plays."""

    def __init__(self, card: Table, row: int, counters: int, played: str, stops: int) -> None:
        self.card = card
        self.row = row
        self.counters = counters
        self.played = played
        self.stops = stops
        self.hits = 0

    def attacks(self, foe: Player, area: str, rules: Table) -> list[tuple[int, int, int]]:
        """Every attack open to the card, as extra dice, what is added to a die, and what it has to come to."""
        found = []
        for symbol in ("small_arms", "cannon", "missile", "artillery"):
            weapon = self.card.get("weapons", {}).get(symbol)
            if weapon is None:
                continue
            gun = symbol == "artillery"
            bonus = weapon["modifier"] if gun else weapon
            printed = weapon["range"] if gun else 0
            if not gun and symbol not in symbols_of(self.played):
                continue
            if not reaches(symbol, self.row, foe.row, printed, self.played):
                continue
            extra = 0
            if not gun and self.played == "assault":
                extra = 1
            if not gun and area == "breakthrough" and self.played in ("cannon", "missile", "small_arms"):
                extra = 1
            if area == "breakthrough":
                bonus += self.counters
            value = foe.card["armor"]
            if gun and rules["range_defense"]:
                value += {1: 0, 2: 1, 3: 2}[foe.row]
            found.append((extra, bonus, value))
        return found

    def best(self, foe: Player, area: str, rules: Table) -> Choice | None:
        """The attack of which the player expects most, the first of equals; None if it promises nothing."""
        natural_rules = rules["d10_natural_rules"]
        best, most = None, 0
        for extra, bonus, value in self.attacks(foe, area, rules):
            good = [face for face in range(1, 11) if succeeds(face, bonus, value, natural_rules)]
            promise = reckon(4 - self.hits + extra, len(good), foe.stops)
            if promise > most:
                best, most = Choice(extra, bonus, value, foe.stops, natural_rules), promise
        return best


class Choice(NamedTuple):
    """An attack: extra dice, what is added to a die, what it has to come to, and the Hits that will be stopped."""

    extra: int
    bonus: int
    value: int
    stops: int
    natural_rules: bool


@cache
def reckon(count: int, good_faces: int, stops: int) -> int:
    """What a player expects of so many dice, in units that only compare between options: all throws, counted up."""
    total = 0
    for throw in product((True, False), repeat=count):
        ways = 1
        for good in throw:
            ways *= good_faces if good else 10 - good_faces
        total += ways * max(0, sum(throw) - stops)
    return total * int(10 ** (8 - count))


def table(a: Table, b: Table, situation: Table) -> tuple[Player, Player]:
    """Put two cards into their Rows, with counters and hands as the situation says."""
    row = situation.get("attacker_row", 1)
    counters = situation.get("superior_counters", 0)
    own = Player(a, row, max(counters, 0), situation.get("action_card", "combined_arms"), situation.get("own_stops", 0))
    far = int(situation["range_in"]) - (row - 1)
    played, stops = situation.get("enemy_action_card", "combined_arms"), situation.get("enemy_stops", 0)
    return own, Player(b, far, max(-counters, 0), played, stops)


_CHOSEN: dict[str, dict[str, list[Choice | None]]] = {}


def chosen(a: Table, b: Table, situation: Table, variant: Table) -> dict[str, list[Choice | None]]:
    """What either player attacks with, by the Hits that the own card has."""
    key = repr((a, b, situation, variant))
    if key not in _CHOSEN:
        rules, area = agreed(variant, READINGS), situation.get("area", "breakthrough")
        _CHOSEN[key] = {"a": [], "b": []}
        players = dict(zip("ab", table(a, b, situation), strict=True))
        for name, other in ("ab", "ba"):
            for hits in range(4):
                players[name].hits = hits
                _CHOSEN[key][name].append(players[name].best(players[other], area, rules))
    return _CHOSEN[key]


def attack(rng: Random, hits: int, choice: Choice | None) -> int:
    """Damaging a Force Card, Reaction: throw the dice one after another; the Hits that are not stopped."""
    if choice is None:
        return 0
    thrown = 0
    for _ in range(4 - hits):
        thrown += succeeds(d10(rng), choice.bonus, choice.value, choice.natural_rules)
    for _ in range(choice.extra):
        thrown += succeeds(d10(rng), choice.bonus, choice.value, choice.natural_rules)
    for _ in range(choice.stops):
        if thrown:
            thrown -= 1
    return thrown


def throw_attack(rng: Random, attacker: Table, target: Table, situation: Table, variant: Table) -> int:
    """One attack of a fresh card on a fresh card: the Hits that it suffers."""
    return attack(rng, 0, chosen(attacker, target, situation, variant)["a"][0])


def throw_duel(rng: Random, a: Table, b: Table, situation: Table, variant: Table, first: str) -> str | None:
    """Attacks in turn until a card has 4 Hits; None if neither can hurt the other any more."""
    plans = chosen(a, b, situation, variant)
    hits = {"a": 0, "b": 0}
    name, other = ("a", "b") if first == "a" else ("b", "a")
    while plans["a"][hits["a"]] or plans["b"][hits["b"]]:
        hits[other] += attack(rng, hits[name], plans[name][hits[name]])
        if hits[other] >= 4:
            return name
        name, other = other, name
    return None


def throw_maneuver(
    rng: Random, value: int, own_hits: int, modifier: int = 0, stopped: int = 0, natural_rules: bool = False
) -> int:
    """Terrain and Flanking Maneuvering: the successes that are not stopped."""
    successes = 0
    for _ in range(4 - own_hits):
        successes += succeeds(d10(rng), modifier, value, natural_rules)
    return max(successes - stopped, 0)


def throw_close_air_support(rng: Random, row: int = 1, range_defense: bool = False, natural_rules: bool = False) -> int:
    """Close Air Support: three dice at 7 or more, higher against deeper Rows under the optional rule."""
    higher = {1: 0, 2: 1, 3: 2}[row] if range_defense else 0
    return sum(succeeds(d10(rng), 0, 7 + higher, natural_rules) for _ in range(3))


def throw_flanking(rng: Random, own: int, enemy: int, value: int) -> tuple[int, int]:
    """Superior Counters: each success takes one of the enemy's or, when it has none, adds an own one."""
    for _ in range(throw_maneuver(rng, value, 0)):
        if enemy:
            enemy -= 1
        else:
            own += 1
    return own, enemy
