"""How a duel goes: who fires what when, and the chances after each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aabalance import dice
from aabalance.engine import outcome
from aabalance.engine.hit_points import exact
from aabalance.errors import UsageError
from aabalance.results.duel import Deed
from aabalance.results.explanation import BETWEEN_RULES

if TYPE_CHECKING:
    from aabalance.engine.fights import Fights
    from aabalance.engine.hit_points.graph import TurnGraph
    from aabalance.engine.outcome import Outcome
    from aabalance.rulesets.base import Blows, Player, Shot, Step, Turn

SIDES = "ab"
MOST_ROUNDS = 24
"""Most rounds of a course, and most turns of each unit that are looked at to tell what it does."""
NEARLY_ALL = 0.002
"""A course stops where no larger share of duels than this still goes on and will end."""


@dataclass(frozen=True)
class FoughtDuel:
    """A duel that was fought; see `aabalance.results.duel.FoughtDuel`.

    Attributes
    ----------
    names : pair of str
        Names of both units.
    effect : str
        The game's word for what a unit loses, such as hit points.
    toughness : pair of int
        Toughness of both units at the beginning.
    orders : mapping of {"a", "b"} to Fights
        The fights, by who moves first.
    rounds : int or None
        Turn limit.
    p_draw : float
        Chance that the duel never ends, or that it is undecided at the limit.
    conditions : tuple of str
        Names of the conditions of units; empty in a game whose units lose toughness instead.
    chooses : bool
        Whether a side plays as well as it can.
    explained : callable
        Returns both players with the steps of their volleys, the single best attack of each, and, where units have
        conditions, the expected damage of each one's turn to a fresh enemy.
    range_in : float
        Distance at the start.
    """

    names: tuple[str, str]
    effect: str
    toughness: tuple[int, int]
    orders: Mapping[str, Fights[float]]
    rounds: int | None
    p_draw: float
    conditions: tuple[str, ...]
    chooses: bool
    explained: Callable[[], tuple[tuple[Player, Player], Sequence[Shot], Sequence[float]]]
    range_in: float

    def course(self) -> list[tuple[float, float, float, float]]:
        """Return, after each round from 0 on, the chances that only a is left, only b, both, and neither."""
        if self.chooses:
            raise UsageError("timeline: found a side that plays as well as it can, expected other postures")
        told = [(0.0, 0.0, 1.0, 0.0)]
        for rounds in range(1, min(self.rounds or MOST_ROUNDS, MOST_ROUNDS) + 1):
            mean = outcome.mean([self._after(first, rounds) for first in self.orders])
            told.append((mean.p_a, mean.p_b, mean.p_draw, mean.p_both))
            if mean.p_draw - self.p_draw < NEARLY_ALL:
                break
        return told

    def _after(self, first: str, rounds: int) -> Outcome[float]:
        return outcome.seen_by_a(first, self.orders[first].solve(rounds))

    def deeds(self) -> list[Deed]:
        """Return what both units do; see `Deed`."""
        players, shots, expected = self.explained()
        if self.conditions:
            return [
                deed for side in (0, 1) for deed in self._of_chain(side, players[side], shots[side], expected[side])
            ]
        first = SIDES.index(next(iter(self.orders)))
        from aabalance.engine.hit_points.graph import TurnGraph

        walk = TurnGraph(players if first == 0 else (players[1], players[0]), self.range_in)
        path = list(_path(walk, self.rounds))
        return [
            deed
            for side in (0, 1)
            for deed in self._of_walk(side, players[side], walk, path, int(side != first), shots[side])
        ]

    def _of_walk(
        self,
        side: int,
        player: Player,
        walk: TurnGraph,
        path: Sequence[tuple[int, int, Turn]],
        at: int,
        shot: Shot,
    ) -> Iterator[Deed]:
        """Yield the distinct turns of a side of a walk; `at` says whether it is the walk's first or second side."""
        own = [(node, turn) for of, node, turn in path if of == at]
        turns: dict[Any, list[int]] = {}
        for number, (_, turn) in enumerate(own, 1):
            turns.setdefault(_key(turn), []).append(number)
        by_key = {_key(turn): turn for _, turn in own}
        for key, numbers in turns.items():
            yield self._turn(side, _numbers(numbers, len(own)), by_key[key], shot)
        if walk.chooses:
            return
        node, full = own[-1]
        for row, least in list(enumerate(player.least))[1:]:
            weak = _chosen(walk, at, node, row, len(player.least))
            if _key(weak) != _key(full):
                most = player.least[row - 1] - 1
                left = f"{least}" if least == most else f"{least} to {most}"
                yield self._turn(side, f"with {left} {self.effect} left", weak, shot)

    def _turn(self, side: int, when: str, turn: Turn, shot: Shot) -> Deed:
        effect = turn.volley.effect
        return Deed(
            when=when,
            side=SIDES[side],
            unit=self.names[side],
            does=turn.orders,
            range_in=turn.range_in,
            p_damage=float(dice.chance_of_at_least(effect, 1)),
            expected_damage=float(dice.mean(effect)),
            p_kill=float(dice.chance_of_at_least(effect, self.toughness[1 - side])),
            rule=_rules(turn.volley.steps or (shot.steps if turn.volley.weapons else ())),
        )

    def _of_chain(self, side: int, player: Any, shot: Shot, expected: float) -> Iterator[Deed]:
        """Yield what a unit of a chain does to a fresh enemy, by its own condition."""
        blows: Blows = player.plan
        before = None
        for own, name in enumerate(self.conditions):
            after = blows.chances[own][0]
            if after == before:
                continue
            before = after
            harm, kill = float(1 - after.get(0, 0)), float(after.get(len(self.conditions), 0))
            yield Deed(
                when=name,
                side=SIDES[side],
                unit=self.names[side],
                does=shot.weapon if blows.after[own] == own else "recovers",
                range_in=self.range_in,
                p_damage=harm,
                expected_damage=float(expected) if own == 0 else None,
                p_kill=kill,
                rule=_rules(shot.steps) if own == 0 else "",
            )


def _path(walk: TurnGraph, rounds: int | None) -> Iterator[tuple[int, int, Turn]]:
    """Yield side, node and turn of each player turn of a duel in which nobody loses anything."""
    limit = min(rounds or MOST_ROUNDS, MOST_ROUNDS)
    played = walk.best_play(rounds or limit) if walk.chooses else None
    node = 0
    for number in range(2 * limit):
        side = number % 2
        if played is None:
            entry = walk.sides[side][exact.AT] + node * walk.sides[side][exact.BRACKETS]
            at = walk.choices[entry]
        else:
            at = int(played.policy[number, 0, node])
        yield side, node, walk.turns[at]
        node = walk.after[at]


def _chosen(walk: TurnGraph, side: int, node: int, row: int, rows: int) -> Turn:
    return walk.turns[walk.choices[walk.sides[side][exact.AT] + node * rows + row]]


def _rules(steps: Sequence[Step]) -> str:
    return BETWEEN_RULES.join(dict.fromkeys(step.rule for step in steps))


def _key(turn: Turn) -> tuple[Any, ...]:
    return turn.orders, turn.range_in, turn.volley.weapons, tuple(turn.volley.effect.items())


def _numbers(turns: Sequence[int], last: int) -> str:
    """Return in words in which of its turns a unit does something; `last` is the last turn that was looked at."""
    if turns[-1] == last and len(turns) == last - turns[0] + 1:
        return "each turn" if turns[0] == 1 else f"from turn {turns[0]} on"
    shown = ", ".join(map(str, turns[:3])) + (" ..." if len(turns) > 3 else "")
    return f"turn{'s' * (len(turns) > 1)} {shown}"
