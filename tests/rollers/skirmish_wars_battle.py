"""Skirmish Wars battles played with a real die: two rows of counters, so many squares apart, that hold their ground.

A witness that shares no code with the package; a strike itself is thrown by `rollers.skirmish_wars`. No probability is
worked out, but for a player who has to choose a target and goes through the six faces of the die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from rollers.readings import agreed
from rollers.skirmish_wars import READINGS, Counter

Table = Mapping[str, Any]
Row = list[Counter]


class Sitting:
    """What is agreed on before the first counter is touched.

    `limit` is a house rule, how many units a player may activate in a turn; the rulebook has none (3.3).
    """

    def __init__(
        self,
        lists: tuple[Sequence[Table], Sequence[Table]],
        situation: Table,
        policies: tuple[str, str] = ("value", "value"),
        rounds: int | None = None,
        timed: bool = False,
        limit: int | None = None,
        variant: Table | None = None,
    ) -> None:
        self.lists, self.squares = lists, situation["range_in"]
        self.policies, self.rounds, self.timed, self.limit = policies, rounds, timed, limit
        self.rules = agreed(variant or {}, READINGS)
        self.known: dict[tuple[int, bool, int, str, int], Fraction | None] = {}
        self.standing = [
            (
                situation.get(f"{own}terrain", "grass"),
                situation.get(f"{whose}_hp", 8),
                situation.get(f"{whose}_repaired"),
            )
            for own, whose in (("own_", "own"), ("", "target"))
        ]

    def fight(self, rng: Random, first: str) -> tuple[str, int, int, int]:
        """One battle: the winner ("draw" for none), player turns, and what is left of either side, at its price."""
        if first == "roll_off":
            first = rng.choice("ab")
        rows = [
            [Counter(card, terrain, hp, bool(repaired), self.rules) for card in cards]
            for cards, (terrain, hp, repaired) in zip(self.lists, self.standing, strict=True)
        ]
        order = (0, 1) if first == "a" else (1, 0)
        turns = 0
        while not self.over(rows):
            if self.rounds is not None and turns >= 2 * self.rounds and turns % 2 == 0:
                costs = [self.cost(row) for row in rows]
                if not self.timed or costs[0] != costs[1]:
                    break
            self.take_turn(rng, rows, order[turns % 2])
            turns += 1
        a, b = (self.cost(row) for row in rows)
        alive = [any(counter.hp > 0 for counter in row) for row in rows]
        if not all(alive):
            winner = "a" if alive[0] else "b"
        elif self.timed and a != b:
            winner = "a" if a > b else "b"
        else:
            winner = "draw"
        return winner, turns, a, b

    def take_turn(self, rng: Random, rows: list[Row], side: int) -> None:
        """3.3: units activate one after another, each once; 3.4a: who was fired at and is left fires back."""
        waiting = [counter for counter in rows[side] if counter.hp > 0]
        activated = 0
        while activated != self.limit and not self.over(rows):
            picked = self.pick(waiting, rows[1 - side], self.policies[side])
            if picked is None:
                return
            unit, target = picked
            target.suffer(unit.strike(rng, target, self.squares))
            if target.hp > 0:
                unit.suffer(target.strike(rng, unit, self.squares))
            waiting = [counter for counter in waiting if counter is not unit]
            activated += 1

    def pick(self, waiting: Row, enemies: Row, policy: str) -> tuple[Counter, Counter] | None:
        """Which unit fires at which enemy; nobody fires where no hit can come of it."""
        pairs = [(unit, enemy) for unit in waiting for enemy in enemies if enemy.hp > 0 and self.hurts(unit, enemy)]
        if not pairs:
            return None
        if policy == "value":
            gains = [self.gain(unit, enemy) or 0 for unit, enemy in pairs]
            return pairs[gains.index(max(gains))]
        first = [(unit, enemy) for unit, enemy in pairs if unit is pairs[0][0]]
        if policy == "list_order":
            return first[0]
        return min(first, key=lambda pair: (pair[1].hp, -pair[1].card["cost"]))

    def gain(self, unit: Counter, enemy: Counter) -> Fraction | None:
        """The share of an enemy's price that a strike takes on average, which six faces of the die tell; none if none.

        The chart is read once for all battles of the sitting.
        """
        seen = id(unit.card), unit.reduced_side_up, id(enemy.card), enemy.terrain, enemy.hp
        if seen not in self.known:
            total, die = unit.look_up(enemy, self.squares)
            taken = sum(min(total + (face <= die), enemy.hp) for face in range(1, 7))
            self.known[seen] = Fraction(enemy.card["cost"] * taken, 6 * enemy.hp) if total or die else None
        return self.known[seen]

    def hurts(self, unit: Counter, enemy: Counter) -> bool:
        return self.gain(unit, enemy) is not None

    def over(self, rows: list[Row]) -> bool:
        """A side is gone (4.0, conquest), or nobody who is left can hurt anybody."""
        left = [[counter for counter in row if counter.hp > 0] for row in rows]
        if not all(left):
            return True
        a, b = left
        return not any(self.hurts(unit, enemy) or self.hurts(enemy, unit) for unit in a for enemy in b)

    def cost(self, row: Row) -> int:
        return sum(counter.card["cost"] for counter in row if counter.hp > 0)
