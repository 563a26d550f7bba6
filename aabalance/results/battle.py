"""The result of a battle."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aabalance.results import account
from aabalance.results.account import Fought
from aabalance.results.base import (
    SIMULATED,
    Interval,
    Result,
    by_first_turn,
    chance,
    distance,
    ratio_in_words,
    with_interval,
)

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.engine.outcome import BattleDetail
    from aabalance.results.explanation import Explanation


@dataclass(frozen=True, repr=False)
class BattleResult(Result):
    """A battle of two lists, solved exactly or simulated.

    Attributes
    ----------
    a, b : str
        The lists of both sides, in words.
    range_in, length, situation
        As in `DuelResult`.
    actions : (int, int)
        Limits of actions in a turn of a and of b; without a limit, all actions that their units have.
    mode : str
        How the battle is won.
    rounds : int or None
        Limit of rounds, each a turn of both sides; None: no limit.
    first : {"a", "b", "roll_off"}
        Who has the first turn.
    policy_a, policy_b, posture_a, posture_b : str
        How each side decides which unit attacks which enemy, and where its units go.
    p_a, p_b, p_draw : float
        Chances that a wins, that b wins, and of a draw.
    player_turns : float or None
        Expected number of player turns, those of both sides counted, with the last one; None if there may be no end.
    value_a, value_b : float
        Expected requisition of the units left at the end.
    left_a, left_b : float
        Expected number of units left at the end.
    loss_exchange_ratio, requisition_exchange_ratio : float
        Expected losses of b over expected losses of a, in units and in requisition; infinite if a loses nothing, NaN
        if neither does.
    p_a_moving_first, p_a_moving_second : float or None
        `p_a` if a moves first, and if b does; None if only one order was asked for.
    first_mover_advantage : float or None
        Half of the difference between a's score, P(win) + P(draw) / 2, if a moves first and if b does; None if only one
        order was asked for.
    engine : {"exact", "monte_carlo"}
        Whether the battle was solved or rolled.
    solver : str
        Method of the exact solution, or why there is none; empty if none was asked for.
    trials, seed : int or None
        Number of trials and seed of a simulation.
    p_a_ci, p_b_ci, p_draw_ci : (float, float) or None
        Wilson's 95 % intervals of a simulation.
    fought : Fought
        The battle itself; it is rolled for what a solution doesn't contain: `units`, `timeline`, `requisition_left`
        and `log`.

    Examples
    --------
    >>> import aabalance as aab
    >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
    >>> [round(number, 2) for number in (battle.p_a, battle.value_a, battle.value_b, battle.requisition_exchange_ratio)]
    [0.28, 44.63, 125.91, 0.71]
    >>> battle.engine, battle.solver
    ('exact', 'chain, 220 states')
    """

    a: str
    b: str
    range_in: float
    length: str
    situation: str
    actions: tuple[int, int]
    mode: str
    rounds: int | None
    first: str
    policy_a: str
    policy_b: str
    posture_a: str
    posture_b: str
    p_a: float
    p_b: float
    p_draw: float
    player_turns: float | None
    value_a: float
    value_b: float
    left_a: float
    left_b: float
    loss_exchange_ratio: float
    requisition_exchange_ratio: float
    p_a_moving_first: float | None
    p_a_moving_second: float | None
    first_mover_advantage: float | None
    engine: str
    fought: Fought = field(compare=False)
    solver: str = ""
    trials: int | None = None
    seed: int | None = None
    p_a_ci: Interval | None = None
    p_b_ci: Interval | None = None
    p_draw_ci: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; a solved battle leaves out those of a simulation.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
        >>> {name: battle.to_dict()[name] for name in ("actions", "policy_a", "engine")}
        {'actions': (5, 5), 'policy_a': 'value', 'engine': 'exact'}
        """
        left_out = {"length", "fought", *(SIMULATED if self.engine == "exact" else ())}
        values = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in left_out}
        ratios = {name: values[name] for name in ("loss_exchange_ratio", "requisition_exchange_ratio")}
        return values | {name: ratio if math.isfinite(ratio) else None for name, ratio in ratios.items()}

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
        return account.units(self.fought, self._batches)

    @cached_property
    def timeline(self) -> pd.DataFrame:
        """What is left after each player turn, a row each, in the same battles as `units`.

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
        return account.timeline(self.fought, self._batches)

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
        return account.requisition_left(self.fought, self._batches)

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
        return account.log(self.fought, self._strikes)

    def explain(self) -> Explanation:
        """Return the first battle of the seed in words, turn by turn: who acts on whom and why, the dice, the rules.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1", "us_m24", range_in=18, actions=2)
        >>> for line in battle.explain().splitlines()[:7]:
        ...     print(line)
        battle 1 of seed 0
        a: Tiger I (Ausf. E)
           value: Make the strike that is expected to take most of an enemy's cost, per action.
        b: M24 Chaffee
           value: Make the strike that is expected to take most of an enemy's cost, per action.
        turn 1, a
          Tiger I (Ausf. E): 8.8 cm KwK 36 at M24 Chaffee (18 of 18 left, 25.4 requisition expected per action)
        """
        return account.explain(self.fought, (self.policy_a, self.policy_b), self._strikes)

    @cached_property
    def _batches(self) -> list[BattleDetail]:
        return self.fought.batches()

    @cached_property
    def _strikes(self) -> list[account.Struck]:
        return self.fought.strikes()

    def _lines(self) -> list[tuple[str, str]]:
        where = ", ".join(filter(None, (distance(self.range_in, self.length), self.situation)))
        limits = "/".join(map(str, dict.fromkeys(self.actions)))
        limit = "" if self.rounds is None else f", {self.rounds} round{'s' * (self.rounds != 1)}"
        ratios = self.loss_exchange_ratio, self.requisition_exchange_ratio
        chances = {"p_a": self.p_a, "p_b": self.p_b, "p_draw": self.p_draw}
        lines = [
            ("battle", f"{self.a} v {self.b}, {where}, first: {self.first}"),
            ("mode", f"{self.mode}{limit}, {limits} action{'s' * (limits != '1')} a turn"),
            ("policies", f"{self.policy_a} v {self.policy_b}"),
            ("postures", f"{self.posture_a} v {self.posture_b}"),
            *(
                (name, with_interval(chance(p, max(sum(chances.values()) - p, 0)), getattr(self, f"{name}_ci")))
                for name, p in chances.items()
            ),
            ("player_turns", "without end" if self.player_turns is None else f"{self.player_turns:.2f}"),
            ("requisition left, a / b", f"{self.value_a:.1f} / {self.value_b:.1f}"),
            ("units left, a / b", f"{self.left_a:.2f} / {self.left_b:.2f}"),
            ("loss / requisition exchange", " / ".join(map(ratio_in_words, ratios))),
        ]
        lines += by_first_turn(self.p_a_moving_first, self.p_a_moving_second)
        rolled = "" if self.trials is None else f"{self.trials} trials, seed {self.seed}"
        return [*lines, ("engine", ", ".join(filter(None, (self.engine, rolled, self.solver))))]
