"""A battle rolled once more for what its outcome lacks: what each unit did, and one battle strike by strike."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.engine.digits import DIE_AND_REROLL, threshold
from aabalance.play.explanation import BETWEEN_RULES
from aabalance.play.result import SIDES

if TYPE_CHECKING:
    from aabalance.engine.battle.battle import Battle
    from aabalance.engine.battle.lanes.detail import Parts
    from aabalance.engine.outcome import BattleTally
    from aabalance.engine.sampling import Run
    from aabalance.play.battle import BattleQuestion
    from aabalance.rulesets.base import Dice, Fighter, Force, Strike

TRIALS = 10_000
"""Trials of a battle that was solved; one that was rolled has as many as its result."""
MOST_BATCHES = 20
FACES = 6


class Struck(NamedTuple):
    """A strike of a battle in words.

    Attributes
    ----------
    player_turn : int
        Number of the player turn, from 1.
    side : {"a", "b"}
        The unit's side.
    unit, weapon, enemy : str
        Which unit strikes which enemy, and with what; units with the same name are numbered.
    helpers : str
        Names of units that help, joined by commas.
    before, toughness : int
        What the enemy had before the strike, and what it has at full strength.
    gain : float
        Part of the enemy's worth that the strike was expected to take, per action.
    needed, rolled : str
        Rolls that the dice need, and rolls that they showed; empty if nothing is rolled.
    taken : int
        What the strike took from the enemy.
    rules : str
        Sections of the rulebook behind the strike; empty if the game doesn't say.
    """

    player_turn: int
    side: str
    unit: str
    weapon: str
    enemy: str
    helpers: str
    before: int
    toughness: int
    gain: float
    needed: str
    rolled: str
    taken: int
    rules: str


def named(force: Force) -> list[str]:
    """Return the names of a side's units; units that have the same name are numbered in the order of the list."""
    names = [unit.name for unit in force]
    return [
        f"{name} #{names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)
    ]


def run_of(
    battle: Battle, first: str, names: tuple[str, ...], seed: int, *, detailed: bool = False
) -> Run[BattleTally]:
    """Return a battle ready to be rolled; its dice depend only on the seed, the names and who moves first.

    Parameters
    ----------
    battle : Battle
        The packed battle.
    first : {"a", "b"}
        Who moves first.
    names : tuple of str
        Ids of both lists' units, with a word between the lists.
    seed : int
        Seed of the dice.
    detailed : bool
        Whether to count also what each unit does.
    """
    from aabalance.engine import sampling

    rolls = battle.rolls(SIDES.index(first), detailed=detailed)
    return sampling.prepare(rolls, seed, (*names, first), battle.terms.rounds)


@dataclass(frozen=True)
class Replay:
    """A battle that can be simulated again, from the same dice.

    Attributes
    ----------
    question : BattleQuestion
        What the battle is about.
    forces : pair of Force
        Both sides.
    battle : Battle
        The packed battle.
    orders : tuple of {"a", "b"}
        Who moves first; of two, each in half of the trials.
    seed, trials : int
        Seed of the dice, and number of battles simulated.
    """

    question: BattleQuestion
    forces: tuple[Force, Force]
    battle: Battle
    orders: tuple[str, ...]
    seed: int
    trials: int

    @property
    def currency(self) -> str:
        """The game's word for what units cost."""
        return self.question.ruleset.labels.currency

    def run(self, first: str, *, detailed: bool = False) -> Run[BattleTally]:
        """Return the battle ready to be simulated; parameters as for `run_of`."""
        return run_of(self.battle, first, self.question.names(), self.seed, detailed=detailed)

    @property
    def number_of_batches(self) -> int:
        """How many batches `batches` rolls."""
        return min(MOST_BATCHES, max(self.trials // len(self.orders), 1))

    @cached_property
    def batches(self) -> list[Parts]:
        """Roll the battle in batches; if the result was rolled, these are its own trials."""
        from aabalance.engine import sampling
        from aabalance.engine.battle.lanes import detail, kernel

        size = len(self.forces[0]), len(self.forces[1])
        number = self.number_of_batches
        rows: list[Any] = [0] * number
        with sampling.threads() as pool:
            for n, first in enumerate(self.orders):
                run = self.run(first, detailed=True)
                share = self.trials // len(self.orders) + (n < self.trials % len(self.orders))
                for batch in range(number):
                    at, end = share * batch // number, share * (batch + 1) // number
                    if at < end:
                        rows[batch] = rows[batch] + sampling.count(run, at, end - at, executor=pool)
        return [detail.record(row[kernel.TALLY :], *size) for row in rows]

    @cached_property
    def strikes(self) -> list[Struck]:
        """Return the strikes of the first trial, in which the first of `orders` moves first."""
        battle, forces, explained = self.battle, self.forces, self.question.forces(explain=True)
        first = self.orders[0]
        run, rolls = self.run(first), battle.rolls(SIDES.index(first))
        base, shares = int(rolls.dice.base), int(rolls.dice.shares)
        names = [named(force) for force in forces]
        told = []
        for row in rolls.log(run.key, run.rounds).tolist():
            turn, side, unit, strike, enemy, helpers, share, had, loss, *digits = row
            index = _own(forces[side][unit], battle.strikes[side][strike])
            made = explained[side][unit].strikes[index]
            (thrown,) = made.dice[enemy]
            ends = list(accumulate(part * shares for part, _ in thrown))
            case = bisect_right(ends, share) if share >= 0 else 0
            dice = thrown[case][1]
            steps = made.steps[enemy][0][case] if made.steps else ()
            unrolled = made.prepare or digits[0] < 0  # nothing goes through the plate that was hit
            answers = side != (SIDES.index(first) + turn - 1) % 2
            prefix = "sets up " if made.prepare else "strikes back with " if answers else ""
            told.append(
                Struck(
                    turn,
                    SIDES[side],
                    names[side][unit],
                    weapon=prefix + made.weapon,
                    enemy=names[1 - side][enemy],
                    helpers=", ".join(name for at, name in enumerate(names[side]) if helpers >> at & 1),
                    before=had,
                    toughness=forces[1 - side][enemy].toughness,
                    gain=float(battle.gain(side, strike, enemy, had)),
                    needed="" if unrolled else _needed(dice, base),
                    rolled="" if unrolled else _rolled(dice, base, digits),
                    taken=min(loss, had),
                    rules=BETWEEN_RULES.join(dict.fromkeys(step.rule for step in steps)),
                )
            )
        return told


def _own(seen: Fighter, packed: Strike) -> int:
    """Return the position of a unit's own strike; the tables store strikes of equal effect once, under one name."""
    kept: dict[str, Any] = {"weapon": packed.weapon, "least": packed.least, "most": packed.most}
    return next(at for at, same in enumerate(seen.strikes) if same._replace(**kept) == packed)


def _dice_of(dice: Dice, base: int) -> list[tuple[int, int]]:
    """Return which of a sequence's two digits count, 0 or 1, and the need of each."""
    needs = [threshold(p, base) for p in (dice.first, dice.second)]
    by_face = len(set(dice.effects)) > 1
    return [(at, need) for at, need in enumerate(needs) if need > 0 or (at == 1 and by_face)]


def _needed(dice: Dice, base: int) -> str:
    """Return in words the dice that a sequence needs; empty if any dice will do."""
    return " and ".join(_need(need, base) for _, need in _dice_of(dice, base) if need > 0)


def _need(need: int, base: int) -> str:
    """Return in words the die that a digit has to show, with its reroll if it has one."""
    face, more = divmod(need, base // FACES)
    if not more:
        return f"{face + 1}+"
    again = f"{face + 1}, then {more * FACES // (base // FACES) + 1}+" if _once(more, base) else f"{face + 1}, rerolled"
    return again if face + 1 == FACES else f"{face + 2}+ or {again}"


def _once(more: int, base: int) -> bool:
    """Return whether a single further die decides on a face; else it is rolled again without end.

    `more` of the digits that show this face fall short of the need.
    """
    return base == DIE_AND_REROLL or more * FACES % (base // FACES) == 0


def _rolled(dice: Dice, base: int, digits: list[int]) -> str:
    """Return the dice of all sequences in words."""
    wanted = _dice_of(dice, base)
    shown = [[_face(digits[2 * n + at], need, base) for at, need in wanted] for n in range(dice.sequences)]
    return "; ".join(" and ".join(sequence) for sequence in shown)


def _face(digit: int, need: int, base: int) -> str:
    """Return in words the die that a digit stands for, with its reroll where that counts."""
    face, more = divmod(digit, base // FACES)
    needed, again = divmod(need, base // FACES)
    if not again or face != needed:
        return str(face + 1)
    if _once(again, base):
        return f"{face + 1}, then {more * FACES // (base // FACES) + 1}"
    return f"{face + 1}, rerolled {'in vain' if digit < need else 'well'}"
