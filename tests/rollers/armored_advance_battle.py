"""Armored Advance battles played with real dice: two lists, an action limit, and players who follow a simple policy.

A witness that shares no code with the package; the attacks themselves are thrown by `rollers.armored_advance_table`. No
probability is worked out, but for a player who has to choose and goes through all ways in which the dice can fall.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from rollers.armored_advance import counter, gun_lists, on_the_mean
from rollers.armored_advance_table import READINGS, Player, Table, d6
from rollers.readings import agreed

Pick = tuple["Unit", "Attack", "Unit"] | None


class Attack:
    """A way to fire a gun: its number on the card, the actions that it takes, and whether it is aimed."""

    def __init__(self, gun: int, kind: Table, sequences: int, aimed: bool) -> None:
        self.gun, self.kind, self.aimed = gun, kind, aimed
        self.sequences = 1 if aimed else sequences
        self.actions = 2 if aimed else 1


class Unit:
    """A counter on the table, as it looks from each of its faces."""

    def __init__(self, card: Table, faces: Mapping[str, Any], rules: Table) -> None:
        self.faces = {face: counter(card, {"facing": face}, rules) for face in faces}
        self.rules = rules
        self.infantry = card["class"] == "infantry"
        self.left = card["strength"] if self.infantry else card["hp"]
        self.pool = 1 if self.infantry else card.get("actions", 2)
        self.cost = card["requisition"]
        self.keywords = card.get("keywords", {})
        self.attacks: list[Attack] = []
        for number, kinds in enumerate(gun_lists(card)):
            sequences = self.keywords.get("autocannon", 1) if number == 0 else 1
            self.attacks += [Attack(number, kind, sequences, False) for kind in kinds]
            if number == 0 and "accurate" in self.keywords:
                self.attacks += [Attack(0, kind, 1, True) for kind in kinds if kind["kind"] != "ai"]
        self.fired_last_turn = False
        self.spent = 0
        self.fired: dict[int, int] = {}

    def begins_turn(self) -> None:
        self.spent, self.fired = 0, {}

    def ends_turn(self) -> None:
        self.fired_last_turn = self.fired.get(0, 0) > 0

    def may(self, attack: Attack, actions: int) -> bool:
        """Whether it may fire so now, its side having so many actions left."""
        if self.left <= 0 or self.spent + attack.actions > self.pool:
            return False
        if attack.actions > actions and not self.infantry:
            return False
        if attack.gun == 0 and "long_reload" in self.keywords and self.fired_last_turn:
            return False
        fired = self.fired.get(attack.gun, 0)
        if attack.aimed:
            return fired == 0
        return fired < (2 if attack.gun == 0 and "rapid_fire" in self.keywords else 1)

    def sits(self, face: str) -> Player:
        player = Player(self.faces[face], {}, self.rules)
        player.left = self.left
        return player


class Field:
    """The distance, the shares of the faces, and what the players have reckoned out so far."""

    def __init__(self, range_in: float, faces: Mapping[str, Fraction]) -> None:
        self.range_in = range_in
        self.faces = faces
        self.reckoned: dict[Any, dict[int, Fraction]] = {}
        self.remembered: dict[Any, Fraction] = {}

    def throw(self, rng: Random, unit: Unit, attack: Attack, enemy: Unit) -> None:
        """One attack; all its sequences hit the face that chance shows."""
        (face,) = rng.choices(list(self.faces), [float(share) for share in self.faces.values()])
        enemy.left -= self._taken(rng, unit, attack, enemy, face, attack.sequences)

    def _taken(self, rng: Random, unit: Unit, attack: Attack, enemy: Unit, face: str, sequences: int) -> int:
        if self.range_in > attack.kind.get("range", 1000):
            return 0
        player, foe = unit.sits(next(iter(self.faces))), enemy.sits(face)
        bonus = 1 if attack.aimed else 0
        foe.left = 1000
        player.one_attack(
            rng, attack.kind, foe, self.range_in, sequences=sequences, bonus=bonus, primary=attack.gun == 0
        )
        return int(1000 - foe.left)

    def worth(self, unit: Unit, attack: Attack, enemy: Unit) -> Fraction:
        """What the attack takes of what the enemy has left, on the mean, per action."""
        key = id(unit), id(attack), id(enemy), enemy.left, unit.left if unit.infantry else 0
        if key not in self.remembered:
            total = Fraction(0)
            for face, share in self.faces.items():
                chances = self.reckon(unit, attack, enemy, face).items()
                total += share * sum((p * min(taken, enemy.left) for taken, p in chances), Fraction(0))
            self.remembered[key] = total / attack.actions
        return self.remembered[key]

    def reckon(self, unit: Unit, attack: Attack, enemy: Unit, face: str) -> dict[int, Fraction]:
        """What an attack takes, each amount with its chance: one sequence by all dice, then one after the other."""
        men = unit.left if unit.infantry else 0
        key = id(unit), id(attack), id(enemy), face, men
        if key not in self.reckoned:
            seen: set[int] = set()

            def once(rng: Random) -> int:
                seen.add(self._taken(rng, unit, attack, enemy, face, 1))
                return 0

            on_the_mean(once)
            each = {
                amount: on_the_mean(
                    lambda rng, want=amount: int(self._taken(rng, unit, attack, enemy, face, 1) == want)
                )
                for amount in seen
            }
            total = {0: Fraction(1)}
            rolls = 1 if attack.kind["kind"] == "ai" else attack.sequences
            for _ in range(rolls):
                more: dict[int, Fraction] = {}
                for before, p in total.items():
                    for amount, q in each.items():
                        more[before + amount] = more.get(before + amount, Fraction(0)) + p * q
                total = more
            self.reckoned[key] = total
        return self.reckoned[key]

    def hurts(self, unit: Unit, attack: Attack, enemy: Unit) -> bool:
        return enemy.left > 0 and self.worth(unit, attack, enemy) > 0


# --- policies ---------------------------------------------------------------------------------------------------


def _best(table: Field, unit: Unit, enemy: Unit, actions: int) -> Attack:
    open_to_it = [attack for attack in unit.attacks if unit.may(attack, actions) and table.hurts(unit, attack, enemy)]
    return max(open_to_it, key=lambda attack: table.worth(unit, attack, enemy))


def _first_unit(table: Field, own: list[Unit], enemies: list[Unit], actions: int) -> tuple[Unit, list[Unit]] | None:
    for unit in own:
        open_to_it = [attack for attack in unit.attacks if unit.may(attack, actions)]
        found = [enemy for enemy in enemies if any(table.hurts(unit, attack, enemy) for attack in open_to_it)]
        if found:
            return unit, found
    return None


def list_order(table: Field, own: list[Unit], enemies: list[Unit], actions: int) -> Pick:
    found = _first_unit(table, own, enemies, actions)
    if found is None:
        return None
    unit, targets = found
    return unit, _best(table, unit, targets[0], actions), targets[0]


def focus(table: Field, own: list[Unit], enemies: list[Unit], actions: int) -> Pick:
    found = _first_unit(table, own, enemies, actions)
    if found is None:
        return None
    unit, targets = found
    weakest = min(targets, key=lambda enemy: (enemy.left, -enemy.cost))
    return unit, _best(table, unit, weakest, actions), weakest


def value(table: Field, own: list[Unit], enemies: list[Unit], actions: int) -> Pick:
    most, pick = Fraction(0), None
    for unit in own:
        for attack in unit.attacks:
            for enemy in enemies:
                if unit.may(attack, actions) and table.hurts(unit, attack, enemy):
                    gain = enemy.cost * table.worth(unit, attack, enemy) / enemy.left
                    if gain > most:
                        most, pick = gain, (unit, attack, enemy)
    return pick


POLICIES: dict[str, Callable[..., Pick]] = {"list_order": list_order, "focus": focus, "value": value}


# --- a battle ---------------------------------------------------------------------------------------------------


class Sitting:
    """Two lists of cards that are fought over again and again."""

    def __init__(
        self,
        lists: tuple[list[Table], list[Table]],
        *,
        range_in: float,
        actions: tuple[int, int],
        policies: tuple[str, str],
        rounds: int | None = None,
        timed: bool = False,
        facing: Mapping[str, float] | None = None,
        variant: Table | None = None,
    ) -> None:
        faces = {face: Fraction(str(share)) for face, share in (facing or {"front": 1}).items()}
        rules = agreed(variant or {}, READINGS)
        self.sides = [[Unit(card, faces, rules) for card in cards] for cards in lists]
        self.strength = [[unit.left for unit in side] for side in self.sides]
        self.table = Field(range_in, faces)
        self.actions, self.policies = actions, [POLICIES[name] for name in policies]
        self.rounds, self.timed = rounds, timed

    def over(self) -> bool:
        """A side has lost its vehicles and guns, or nobody can hurt one any more."""
        alive = [[unit for unit in side if unit.left > 0] for side in self.sides]
        if any(all(unit.infantry for unit in side) for side in alive):
            return True
        for own, foes, limit in zip(alive, alive[::-1], self.actions, strict=True):
            for unit in own:
                for attack in unit.attacks:
                    payable = attack.actions <= unit.pool and (unit.infantry or attack.actions <= limit)
                    if payable and any(self.table.hurts(unit, attack, foe) for foe in foes if not foe.infantry):
                        return False
        return True

    def winner(self) -> str | None:
        """Who has lost nothing but the other; or who leads by requisition in a timed battle."""
        left = [[unit for unit in side if unit.left > 0] for side in self.sides]
        beaten = [all(unit.infantry for unit in side) for side in left]
        if beaten[0] != beaten[1]:
            return "b" if beaten[0] else "a"
        a, b = (sum(unit.cost for unit in side) for side in left)
        if not self.timed or a == b:
            return None
        return "a" if a > b else "b"

    def turn(self, rng: Random, side: int) -> None:
        own, foes, left = self.sides[side], self.sides[1 - side], self.actions[side]
        for unit in own:
            unit.begins_turn()
        while not self.over():
            pick = self.policies[side](self.table, own, foes, left)
            if pick is None:
                break
            unit, attack, enemy = pick
            unit.spent += attack.actions
            unit.fired[attack.gun] = unit.fired.get(attack.gun, 0) + 1
            if not unit.infantry:
                left -= attack.actions
            if attack.aimed:
                unit.fired[attack.gun] = 2
            self.table.throw(rng, unit, attack, enemy)
        for unit in own:
            unit.ends_turn()

    def fight(self, rng: Random, first: str) -> tuple[str, int, int, int]:
        """One battle: who wins, the turns of both sides, and what requisition either has left."""
        for side, strength in zip(self.sides, self.strength, strict=True):
            for unit, left in zip(side, strength, strict=True):
                unit.left, unit.fired_last_turn = left, False
        if first == "roll_off":
            mine = yours = 0
            while mine == yours:
                mine, yours = d6(rng), d6(rng)
            first = "a" if mine > yours else "b"
        turns = 0
        while not self.over():
            if (
                self.rounds is not None
                and turns >= 2 * self.rounds
                and turns % 2 == 0
                and (not self.timed or self.winner())
            ):
                break
            self.turn(rng, (turns + (first == "b")) % 2)
            turns += 1
        a, b = (sum(unit.cost for unit in side if unit.left > 0) for side in self.sides)
        return self.winner() or "draw", turns, a, b
