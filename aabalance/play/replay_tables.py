"""What happened to the units of simulated battles, and in their turns: tables of means, and one battle in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from aabalance.play.explanation import Explanation, Legend
from aabalance.play.replay import Replay, Struck, named
from aabalance.play.result import SIDES, Result

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.engine.battle.lanes.detail import Parts

EXPLAINED = ("player_turn", "side", "unit", "weapon", "enemy", "before", "needed", "rolled", "taken", "rules")
"""Fields of `Struck` in the table of an explanation."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Replayed(Result):
    """What happened in a battle, from simulated battles.

    Attributes
    ----------
    replay : Replay
        The battle itself; it is simulated for what a solution lacks: `units`, `timeline`, `requisition_left` and `log`.
    """

    replay: Replay = field(compare=False)

    @cached_property
    def units(self) -> pd.DataFrame:
        """What each unit did, a row each, in rolled battles.

        If the result was rolled, these are the same battles; if it was solved, 10 000 are rolled for the table.
        Standard errors are estimated from batches of trials; intervals are Wilson's at 95 %. ``aabalance.columns``
        declares the columns.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
        >>> battle.units[["side", "name", "p_survives", "earned_its_cost"]].round(2)
          side                  name  p_survives  earned_its_cost
        0    a  Tiger I (Ausf. E) #1        0.03             0.43
        1    a  Tiger I (Ausf. E) #2        0.28             1.02
        2    b     T-34-85 (1944) #1        0.06             0.49
        3    b     T-34-85 (1944) #2        0.48             0.98
        4    b     T-34-85 (1944) #3        0.72             1.23
        """
        import numpy as np

        from aabalance.engine.sampling import wilson

        batches, trials = self.replay.batches, self.replay.trials
        rows = []
        for side, force in enumerate(self.replay.forces):
            enemies = self.replay.forces[1 - side]
            price = np.array([enemy.cost / enemy.toughness for enemy in enemies])
            shares = [_ratio(batch.actions[side], batch.actions[side].sum()) for batch in batches]
            destroyed = [batch.taken[side] @ price / batch.trials for batch in batches]
            kills = [batch.kills[side].sum(axis=1) / batch.trials for batch in batches]
            alive = np.sum([batch.alive[side] for batch in batches], axis=0)
            for at, (unit, name) in enumerate(zip(force, named(force), strict=True)):
                survived = int(alive[np.arange(len(alive)) >> at & 1 == 1].sum())
                low, high = wilson(survived, trials)
                credit, credit_se = _mean([one[at] for one in destroyed], batches)
                share, share_se = _mean([one[at] for one in shares], batches)
                killed, killed_se = _mean([one[at] for one in kills], batches)
                counted = survived / trials, low, high, share, share_se, credit, credit_se, killed, killed_se
                earned = _ratio(credit, unit.cost), _ratio(credit_se, unit.cost)
                rows.append((SIDES[side], at + 1, name, unit.cost, *counted, *earned, trials))
        return _frame("battle_units", rows, self.replay)

    @cached_property
    def timeline(self) -> pd.DataFrame:
        """What is left after each player turn, a row each, in the same battles as `units`.

        The first row is before any turn; after the turn of the last one all battles have ended, or it is turn 99.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
        >>> battle.timeline[["player_turn", "requisition_left_a", "requisition_left_b"]].round(1).loc[2:6]
           player_turn  requisition_left_a  requisition_left_b
        2            2               290.0               300.0
        3            3               246.8               260.9
        4            4               220.8               230.8
        5            5               196.6               215.0
        6            6               165.7               202.2
        """
        import numpy as np

        from aabalance.engine.sampling import wilson

        batches, trials = self.replay.batches, self.replay.trials
        ended = np.cumsum(sum(batch.turns for batch in batches))
        cost = [[unit.cost for unit in force] for force in self.replay.forces]
        left = [
            [sum(of) - np.cumsum(one.fallen[side] @ of) / one.trials for one in batches] for side, of in enumerate(cost)
        ]
        rows = []
        # The last count is that of all later turns, too.
        for turn in range(min(int(np.argmax(ended == trials)) + 1, len(ended) - 1)):
            going = trials - ended[turn]
            low, high = wilson(going, trials) if turn else (going / trials, going / trials)  # nothing is rolled yet
            both = [number for side in left for number in _mean([one[turn] for one in side], batches)]
            rows.append((turn, *both, going / trials, low, high, trials))
        return _frame("battle_timeline", rows, self.replay)

    @cached_property
    def requisition_left(self) -> pd.DataFrame:
        """How often each side has so much requisition left at the end, in the same battles as `units`.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
        >>> battle.requisition_left[["side", "requisition_left", "p_requisition_left"]].round(2)
          side  requisition_left  p_requisition_left
        0    a               0.0                0.72
        1    a             145.0                0.25
        2    a             290.0                0.03
        3    b               0.0                0.28
        4    b             100.0                0.24
        5    b             200.0                0.41
        6    b             300.0                0.06
        """
        import numpy as np

        from aabalance.engine.sampling import wilson

        batches, trials = self.replay.batches, self.replay.trials
        rows = []
        for side, force in enumerate(self.replay.forces):
            battles: dict[int, int] = {}
            for bits, number in enumerate(np.sum([batch.alive[side] for batch in batches], axis=0).tolist()):
                if number:
                    cost = sum(unit.cost for at, unit in enumerate(force) if bits >> at & 1)
                    battles[cost] = battles.get(cost, 0) + number
            rows += [
                (SIDES[side], cost, number / trials, *wilson(number, trials), trials)
                for cost, number in sorted(battles.items())
            ]
        return _frame("battle_left", rows, self.replay)

    @cached_property
    def log(self) -> pd.DataFrame:
        """The first battle of the seed strike by strike, a row each; `explain` puts it into words.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5, seed=1)
        >>> battle.log[["player_turn", "name", "rolled", "taken"]].head(4)
           player_turn                  name     rolled  taken
        0            1  Tiger I (Ausf. E) #1          4     14
        1            1  Tiger I (Ausf. E) #2          5     14
        2            2     T-34-85 (1944) #1  2, then 2      0
        3            2     T-34-85 (1944) #2          6     13
        """
        return _frame("battle_log", [(number, *one) for number, one in enumerate(self.replay.strikes, 1)], self.replay)

    def explain(self) -> Explanation:
        """Return the first battle of the seed in words, turn by turn: who acts on whom and why, the dice, the rules.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1", "us_m24", range_in=18, actions=2)
        >>> for line in battle.explain().splitlines()[:7]:
        ...     print(line)
        battle 0 of seed 0
        a: Tiger I (Ausf. E)
           value: Make the strike that is expected to take most of an enemy's cost, per action.
        b: M24 Chaffee
           value: Make the strike that is expected to take most of an enemy's cost, per action.
        turn 1, a
          Tiger I (Ausf. E): 8.8 cm KwK 36 at M24 Chaffee (18 of 18 left, 25.4 requisition expected per action)
        """
        from aabalance.engine.battle.policies import POLICIES

        replay, strikes = self.replay, self.replay.strikes
        lines, legend = [self._headed(f"battle 0 of seed {replay.seed}")], Legend()
        for side, force, policy in zip(SIDES, replay.forces, replay.question.policies, strict=True):
            why = (POLICIES[policy].__doc__ or "").partition("\n")[0]
            lines += [f"{side}: {', '.join(named(force))}", f"   {policy}: {why}"]
        for turn, made in groupby(strikes, key=lambda one: one.player_turn):
            for at, one in enumerate(made):
                if at == 0:
                    lines.append(f"turn {turn}, {one.side}")
                help_ = f", with {one.helpers}" if one.helpers else ""
                why = f"{one.before} of {one.toughness} left, {one.gain:.3g} {replay.currency} expected per action"
                lines.append(f"  {one.unit}: {one.weapon}{help_} at {one.enemy} ({why})")
                needed = f"needs {one.needed}; " if one.needed else ""
                rolled = f"rolled {one.rolled}: " if one.rolled else ""
                left = one.before - one.taken
                did = f"takes {one.taken}, " + (f"{left} left" if left else "destroyed") if one.taken else "no effect"
                lines.append(f"    {needed}{rolled}{did}{legend.cite(one.rules)}")
        if not strikes:
            lines.append("nobody can hurt anybody")
        lines += [f"left of {side}: {left}" for side, left in zip(SIDES, _left(replay, strikes), strict=True)]
        rows = [tuple(getattr(one, name) for name in EXPLAINED) for one in strikes]
        return Explanation("\n".join([*lines, *legend.lines()]), lines[0], EXPLAINED, rows)


def _left(replay: Replay, strikes: Sequence[Struck]) -> Iterator[str]:
    """Yield what each side has left after some strikes, in words."""
    other = dict(zip(SIDES, reversed(SIDES), strict=True))
    fallen = {(other[one.side], one.enemy) for one in strikes if one.taken and one.taken == one.before}
    for side, force in zip(SIDES, replay.forces, strict=True):
        alive = [(unit, name) for unit, name in zip(force, named(force), strict=True) if (side, name) not in fallen]
        cost = sum(unit.cost for unit, _ in alive)
        yield f"{cost} {replay.currency} ({', '.join(name for _, name in alive)})" if alive else "nobody"


def _mean(values: Sequence[float], batches: Sequence[Parts]) -> tuple[float, float]:
    """Return the mean of the batches' values, weighted by their trials, and its standard error from how they differ."""
    weights = [batch.trials for batch in batches]
    mean = math.fsum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
    if len(values) == 1:
        return mean, math.nan
    spread = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True)) / sum(weights)
    return mean, math.sqrt(spread / (len(values) - 1))


def _ratio(part: Any, whole: Any) -> Any:
    return part / whole if whole else part * math.nan


def _frame(table: str, rows: Sequence[tuple[Any, ...]], replay: Replay) -> pd.DataFrame:
    """Return rows as a declared table; its ``attrs`` have the seed."""
    import pandas as pd

    from aabalance.columns import COLUMNS, TABLES

    dtypes = {name: COLUMNS[name].dtype for name in TABLES[table].columns}
    frame = pd.DataFrame(rows, columns=list(dtypes))
    frame = frame.astype({name: dtype for name, dtype in dtypes.items() if dtype != "str"})
    frame.attrs["seed"] = replay.seed
    return frame
