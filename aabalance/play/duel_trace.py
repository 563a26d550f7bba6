"""How a duel goes: what each unit does in its turns, and the chances after each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance import dice
from aabalance.engine import fights, outcome
from aabalance.engine.hit_points import layout
from aabalance.errors import UsageError, counted
from aabalance.play.explanation import BETWEEN_RULES
from aabalance.play.result import SIDES

if TYPE_CHECKING:
    from aabalance.engine.fights import Fights
    from aabalance.engine.hit_points.graph import TurnGraph
    from aabalance.engine.outcome import Outcome
    from aabalance.play.duel import DuelQuestion
    from aabalance.rulesets.base import Blows, Player, Shot, Step, Turn

MOST_ROUNDS = 24
"""Most rounds of a course, and most turns of each unit that are looked at to tell what it does."""
NEARLY_ALL = 0.002
"""A course stops where no larger share of duels than this is undecided and will end later."""


class Deed(NamedTuple):
    """What a unit does in some of its turns of a duel, and what that does to a fresh enemy.

    Attributes
    ----------
    when : str
        In which of its own turns, or in which condition, in words.
    side : {"a", "b"}
        The unit's side.
    unit : str
        Name of the unit.
    does : str
        What it does, in words.
    range_in : float
        Distance after that.
    p_damage, p_kill : float
        Chances that it has any effect on the enemy, and that it destroys the enemy.
    expected_damage : float or None
        Mean effect, in what the game counts; None in a game with conditions if the unit itself isn't fresh.
    rule : str
        Sections of the rulebook behind its attacks.
    """

    when: str
    side: str
    unit: str
    does: str
    range_in: float
    p_damage: float
    expected_damage: float | None
    p_kill: float
    rule: str


@dataclass(frozen=True)
class DuelTrace:
    """What happens in a duel, beyond its outcome.

    Attributes
    ----------
    question : DuelQuestion
        The duel.
    orders : mapping of {"a", "b"} to Fights
        The fights, by who moves first.
    chooses : bool
        Whether a side plays as well as it can.
    """

    question: DuelQuestion
    orders: Mapping[str, Fights[float]]
    chooses: bool

    @property
    def effect(self) -> str:
        """The game's word for what a unit loses, such as hit points."""
        return self.question.ruleset.labels.effect

    @property
    def harm(self) -> str:
        """What `Deed.p_damage` is the chance of: without damage an attack may make a condition worse."""
        return "any effect" if fights.conditions(self.question.ruleset.fight) else "damage"

    def course(self) -> list[tuple[float, float, float, float]]:
        """Return, after each round from 0 on, the chances that only a is left, only b, both, and neither."""
        if self.chooses:
            raise UsageError("timeline: found a side that plays as well as it can, expected other postures")
        told, limit = [(0.0, 0.0, 1.0, 0.0)], self.question.rounds
        undecided = self._after(limit).p_draw
        for rounds in range(1, min(limit or MOST_ROUNDS, MOST_ROUNDS) + 1):
            mean = self._after(rounds)
            told.append((mean.p_a, mean.p_b, mean.p_draw, mean.p_both))
            if mean.p_draw - undecided < NEARLY_ALL:
                break
        return told

    def _after(self, rounds: int | None) -> Outcome[float]:
        return outcome.mean([outcome.seen_by_a(first, fight.solve(rounds)) for first, fight in self.orders.items()])

    def deeds(self) -> list[Deed]:
        """Return what both units do while neither has lost anything, and what they do differently after losses."""
        players, attacks = self.question.players(explain=True), self.question.best_attacks()
        if fights.conditions(self.question.ruleset.fight):
            sides = zip(players, attacks, strict=True)
            return [
                deed for side, (player, attack) in enumerate(sides) for deed in self._by_condition(side, player, attack)
            ]
        first = SIDES.index(next(iter(self.orders)))
        from aabalance.engine.hit_points.graph import TurnGraph

        duel = TurnGraph(players if first == 0 else (players[1], players[0]), self.question.range_in)
        path = list(_path(duel, self.question.rounds))
        return [
            deed
            for side in (0, 1)
            for deed in self._by_turn(side, players[side], duel, path, int(side != first), attacks[side][0])
        ]

    def _by_turn(
        self, side: int, player: Player, duel: TurnGraph, path: Sequence[tuple[int, int, Turn]], at: int, shot: Shot
    ) -> Iterator[Deed]:
        """Yield the distinct turns of a side; `at` says whether it is the duel's first or second side."""
        own = [(node, turn) for of, node, turn in path if of == at]
        turns: dict[Any, list[int]] = {}
        for number, (_, turn) in enumerate(own, 1):
            turns.setdefault(_key(turn), []).append(number)
        by_key = {_key(turn): turn for _, turn in own}
        for key, numbers in turns.items():
            yield self._turn(side, _numbers(numbers, len(own)), by_key[key], shot)
        if duel.chooses:
            return
        node, full = own[-1]
        for row, least in list(enumerate(player.least))[1:]:
            weak = duel.turns[_turn_at(duel, at, node, row)]
            if _key(weak) != _key(full):
                most = player.least[row - 1] - 1
                one = self.effect.removesuffix("s")
                left = counted(least, one) if least == most else f"{least} to {most} {self.effect}"
                yield self._turn(side, f"with {left} left", weak, shot)

    def _turn(self, side: int, when: str, turn: Turn, shot: Shot) -> Deed:
        effect = turn.volley.effect
        return Deed(
            when=when,
            side=SIDES[side],
            unit=self.question.cards[side].name,
            does=turn.orders,
            range_in=turn.range_in,
            p_damage=float(dice.chance_of_at_least(effect, 1)),
            expected_damage=float(dice.mean(effect)),
            p_kill=float(
                dice.chance_of_at_least(effect, self.question.ruleset.toughness(self.question.cards[1 - side]))
            ),
            rule=_rules(turn.volley.steps or (shot.steps if turn.volley.weapons else ())),
        )

    def _by_condition(self, side: int, player: Any, attack: tuple[Shot, float]) -> Iterator[Deed]:
        """Yield what a unit does to a fresh enemy, by its own condition."""
        blows: Blows = player.plan
        shot, expected = attack
        conditions = fights.conditions(self.question.ruleset.fight)
        before = None
        for own, name in enumerate(conditions):
            after = blows.chances[own][0]
            if after == before:
                continue
            before = after
            harm, kill = float(1 - after.get(0, 0)), float(after.get(len(conditions), 0))
            yield Deed(
                when=name,
                side=SIDES[side],
                unit=self.question.cards[side].name,
                does=shot.weapon if blows.after[own] == own else "recovers",
                range_in=self.question.range_in,
                p_damage=harm,
                expected_damage=expected if own == 0 else None,
                p_kill=kill,
                rule=_rules(shot.steps) if own == 0 else "",
            )


def _path(duel: TurnGraph, rounds: int | None) -> Iterator[tuple[int, int, Turn]]:
    """Yield side, node and turn of each player turn of a duel in which nobody loses anything."""
    limit = min(rounds or MOST_ROUNDS, MOST_ROUNDS)
    played = duel.best_play(rounds or limit) if duel.chooses else None
    node = 0
    for number in range(2 * limit):
        side = number % 2
        at = _turn_at(duel, side, node, 0) if played is None else int(played.policy[number, 0, node])
        yield side, node, duel.turns[at]
        node = duel.after[at]


def _turn_at(duel: TurnGraph, side: int, node: int, row: int) -> int:
    """Return the number of the only turn of a side at a node; `row` is the bracket of its toughness, 0 if whole."""
    own = duel.sides[side]
    return duel.choices[own[layout.AT] + node * own[layout.BRACKETS] + row]


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
