"""A battle rolled once more, for what its outcome doesn't tell: who did what, and one battle strike by strike."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from aabalance.results.account import SIDES, Struck, named

if TYPE_CHECKING:
    from aabalance.engine.battle.tables import Battle
    from aabalance.engine.outcome import BattleDetail
    from aabalance.engine.sampling import Run
    from aabalance.rulesets.base import Dice, Fighter, Force, Strike

TRIALS = 10_000
"""Of a battle that was solved."""
BATCHES = 20
FACES = 6
ONE_REROLL = 36
"""Base of digits that stand for a die and its reroll."""


def run_of(battle: Battle, first: str, names: tuple[str, ...], seed: int, *, detailed: bool = False) -> Run:
    """Make a battle ready to be rolled; its dice hang on the seed, the names and the order alone.

    Parameters
    ----------
    battle : Battle
    first : {"a", "b"}
        Who moves first.
    names : tuple of str
        Of the two lists.
    seed : int
    detailed : bool
        Count also what each unit does.
    """
    from aabalance.engine import rng, sampling

    limit = sampling.ROUNDS if battle.terms.rounds is None else battle.terms.rounds
    rolls = battle.rolls(SIDES.index(first), detailed=detailed)
    return sampling.Run(rolls, rng.stream_key(seed, *names, first), limit)


@dataclass(frozen=True)
class Fought:
    """A battle that was fought; see `aabalance.results.account.Fought`.

    Attributes
    ----------
    forces : pair of Force
    battle : Battle
    orders : tuple of {"a", "b"}
        Who moves first, each equally often.
    names : tuple of str
    seed, trials : int
    currency : str
    explained : callable
        Returns the forces with the steps of their strikes.
    """

    forces: tuple[Force, Force]
    battle: Battle
    orders: tuple[str, ...]
    names: tuple[str, ...]
    seed: int
    trials: int
    currency: str
    explained: Callable[[], tuple[Force, Force]]

    def batches(self) -> list[BattleDetail]:
        """Roll the battle: the trials of the result, if it was rolled."""
        from aabalance.engine import sampling
        from aabalance.engine.battle import detail, kernel

        size = len(self.forces[0]), len(self.forces[1])
        number = min(BATCHES, max(self.trials // len(self.orders), 1))
        rows: list[Any] = [0] * number
        with sampling.threads() as pool:
            for n, first in enumerate(self.orders):
                run = run_of(self.battle, first, self.names, self.seed, detailed=True)
                share = self.trials // len(self.orders) + (n < self.trials % len(self.orders))
                for batch in range(number):
                    at, end = share * batch // number, share * (batch + 1) // number
                    if at < end:
                        rows[batch] = rows[batch] + sampling.count(run, at, end - at, executor=pool)
        return [detail.record(row[kernel.TALLY :], *size) for row in rows]

    def strikes(self) -> list[Struck]:
        """Return the strikes of the first trial of the first order."""
        import numpy as np

        from aabalance.engine.battle import detail
        from aabalance.engine.battle.tables import Battle

        forces = self.explained()
        battle = Battle(forces, self.battle.terms)
        first = self.orders[0]
        run, rolls = run_of(battle, first, self.names, self.seed), battle.rolls(SIDES.index(first))
        base, shares = (int(rolls.dice[column]) for column in (detail.BASE, detail.SHARES))
        names = [named(force) for force in forces]
        told = []
        for row in rolls.log(np.array([0, run.key, 0, 1, run.rounds], dtype=np.uint64)).tolist():
            turn, _, side, unit, strike, enemy, helpers, share, had, loss, *digits = row
            made = _own(forces[side][unit], battle.strikes[side][strike])
            ends = list(accumulate(part * shares for part, _ in made.dice[enemy]))
            case = bisect_right(ends, share) if share >= 0 else 0
            dice = made.dice[enemy][case][1]
            steps = made.steps[enemy][case] if made.steps else ()
            answers = side != (SIDES.index(first) + turn - 1) % 2
            prefix = "sets up " if made.prepare else "strikes back with " if answers else ""
            told.append(
                Struck(
                    player_turn=turn,
                    side=SIDES[side],
                    unit=names[side][unit],
                    weapon=prefix + made.weapon,
                    enemy=names[1 - side][enemy],
                    helpers=", ".join(name for at, name in enumerate(names[side]) if helpers >> at & 1),
                    before=had,
                    toughness=forces[1 - side][enemy].toughness,
                    gain=float(battle.gain(side, strike, enemy, had)),
                    needed="" if made.prepare else _needed(dice, base),
                    rolled="" if made.prepare else _rolled(dice, base, digits),
                    taken=min(loss, had),
                    rules="; ".join(dict.fromkeys(step.rule for step in steps)),
                )
            )
        return told


def _own(unit: Fighter, made: Strike) -> Strike:
    """Return a unit's own strike; the tables keep what it does, and not always what it is called."""
    kept: dict[str, Any] = {"weapon": made.weapon, "least": made.least, "most": made.most}
    return next(one for one in unit.strikes if one._replace(**kept) == made)


def _dice_of(dice: Dice, base: int) -> list[tuple[int, int]]:
    """Return which digits of a sequence count, the first 0 and the second 1, and what each needs."""
    from aabalance.engine.digits import threshold

    needs = [threshold(p, base) for p in (dice.first, dice.second)]
    by_face = len(set(dice.effects)) > 1
    return [(at, need) for at, need in enumerate(needs) if need > 0 or (at == 1 and by_face)]


def _needed(dice: Dice, base: int) -> str:
    """Return in words which dice a sequence needs; nothing where any will do."""
    return " and ".join(_need(need, base) for _, need in _dice_of(dice, base) if need > 0)


def _need(need: int, base: int) -> str:
    """Return in words the die that a digit has to be, or the die and its reroll."""
    face, more = divmod(need, base // FACES)
    if not more:
        return f"{face + 1}+"
    again = f"{face + 1}, then {more * FACES // (base // FACES) + 1}+" if _once(more, base) else f"{face + 1}, rerolled"
    return again if face + 1 == FACES else f"{face + 2}+ or {again}"


def _once(more: int, base: int) -> bool:
    """Return whether a face is rerolled once, to so many of its digits falling short."""
    return base == ONE_REROLL or more * FACES % (base // FACES) == 0


def _rolled(dice: Dice, base: int, digits: list[int]) -> str:
    """Return the dice of all sequences in words."""
    wanted = _dice_of(dice, base)
    shown = [[_face(digits[2 * n + at], need, base) for at, need in wanted] for n in range(dice.sequences)]
    return "; ".join(" and ".join(sequence) for sequence in shown)


def _face(digit: int, need: int, base: int) -> str:
    """Return the die that a digit stands for, and its reroll where that counts."""
    face, more = divmod(digit, base // FACES)
    needed, again = divmod(need, base // FACES)
    if not again or face != needed:
        return str(face + 1)
    if _once(again, base):
        return f"{face + 1}, then {more * FACES // (base // FACES) + 1}"
    return f"{face + 1}, rerolled {'in vain' if digit < need else 'well'}"
