"""A battle of two lists under an action limit, solved exactly or simulated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from aabalance.engine import outcome
from aabalance.engine.outcome import BattleOutcome, BattleTally
from aabalance.play import replay_tables
from aabalance.play.battle_question import BattleQuestion
from aabalance.play.ground import ground
from aabalance.play.replay import TRIALS, Replay, Struck, run_of
from aabalance.play.result import (
    ROUNDING,
    SIDES,
    SIMULATED,
    Interval,
    Result,
    by_first_turn,
    chance,
    distance,
    percent,
    ratio_in_words,
    with_interval,
    words,
)
from aabalance.play.sample import Sample, simulated
from aabalance.rulesets.base import SituationMix

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.engine.battle.battle import Battle
    from aabalance.engine.outcome import BattleDetail
    from aabalance.play.explanation import Explanation

TOO_LARGE_ERROR = 0.005
"""Half-width to which a battle is simulated that is too large to be solved."""
NONE_LOST = 1e-9
"""Losses below are what rounding left of none."""


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
        `p_a` if a moves first, and if b does; None if only one order was played.
    first_mover_advantage : float or None
        Half of the difference between a's score, P(win) + P(draw) / 2, if a moves first and if b does; None if only one
        order was played.
    engine : {"exact", "monte_carlo"}
        Whether the battle was solved or rolled.
    solver : str
        Method of the exact solution, or why there is none; empty for a simulation.
    trials, seed : int or None
        Number of trials and seed of a simulation.
    p_a_ci, p_b_ci, p_draw_ci : (float, float) or None
        Wilson's 95 % intervals of a simulation.
    replay : Replay
        The battle itself; it is simulated for what a solution lacks: `units`, `timeline`, `requisition_left` and `log`.

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
    replay: Replay = field(compare=False)
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
        left_out = {"length", "replay", *(SIMULATED if self.engine == "exact" else ())}
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
        return replay_tables.units(self.replay, self._batches)

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
        return replay_tables.timeline(self.replay, self._batches)

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
        return replay_tables.requisition_left(self.replay, self._batches)

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
        return replay_tables.log(self.replay, self._strikes)

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
        return replay_tables.explain(self.replay, (self.policy_a, self.policy_b), self._strikes)

    @cached_property
    def _batches(self) -> list[BattleDetail]:
        return self.replay.batches()

    @cached_property
    def _strikes(self) -> list[Struck]:
        return self.replay.strikes()

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


def battle(question: BattleQuestion, sample: Sample) -> BattleResult:
    """Fight a battle; see `aabalance.game.Game.battle`."""
    question = question.checked()
    ruleset, rides = question.ruleset, question.rides()
    mission = ruleset.mission(question.mode, question.rounds, question.variant)
    on, aspects = ground(
        ruleset, question.lists, question.range_in, question.variant, question.postures, mission.objectives
    )
    forces = question.forces(aspects, rides)
    question.check_lists(forces, must_count=mission.objectives is None)
    # Without a limit, units do all that they may.
    pools = tuple(sum(unit.actions for unit in force) for force in forces)
    limits = cast("tuple[int, int]", question.actions or pools)
    sample = sample.checked()
    from aabalance.engine.battle.battle import Battle
    from aabalance.engine.battle.states.solver import TooLarge
    from aabalance.engine.battle.terms import Terms

    packed = Battle(forces, Terms(limits, question.policies, mission.rounds, mission.by_cost, on))
    orders = tuple(who for who in SIDES if question.first in (who, "roll_off"))
    names = question.names()
    if sample.trials:
        outcomes, how = _simulated(packed, orders, names, sample)
    else:
        try:
            outcomes = {who: packed.solve(SIDES.index(who)) for who in orders}
            how = {"engine": "exact", "solver": packed.solver}
        except TooLarge:
            outcomes, how = _simulated(packed, orders, names, sample._replace(target_error=TOO_LARGE_ERROR))
            how["solver"] = "too large to be solved"
    mean = outcome.mean(outcomes.values())
    cost_a, cost_b = (sum(unit.cost for unit in force) for force in forces)
    return BattleResult(
        a=_names(forces[0]),
        b=_names(forces[1]),
        range_in=question.range_in,
        length=ruleset.labels.length.after,
        situation=_situation(question.mix),
        actions=limits,
        mode=question.mode,
        rounds=mission.rounds,
        first=question.first,
        policy_a=question.policies[0],
        policy_b=question.policies[1],
        posture_a=question.postures[0],
        posture_b=question.postures[1],
        p_a=mean.p_a,
        p_b=mean.p_b,
        p_draw=mean.p_draw,
        player_turns=mean.player_turns if math.isfinite(mean.player_turns) else None,
        value_a=mean.value_a,
        value_b=mean.value_b,
        left_a=mean.left_a,
        left_b=mean.left_b,
        loss_exchange_ratio=_ratio(len(forces[1]) - mean.left_b, len(forces[0]) - mean.left_a),
        requisition_exchange_ratio=_ratio(cost_b - mean.value_b, cost_a - mean.value_a),
        p_a_moving_first=outcomes["a"].p_a if "a" in outcomes else None,
        p_a_moving_second=outcomes["b"].p_a if "b" in outcomes else None,
        first_mover_advantage=_of_first_turn(outcomes),
        replay=Replay(
            question=question,
            forces=forces,
            battle=packed,
            orders=orders,
            seed=sample.seed,
            trials=how.get("trials", TRIALS),
            explained=partial(question.forces, aspects, rides, explain=True),
        ),
        **how,
    )


def _ratio(gain: float, loss: float) -> float:
    """Return a ratio of mean losses; infinite if only the lower one is 0, nan if both are."""
    if loss > NONE_LOST:
        return gain / loss if gain > NONE_LOST else 0.0
    return math.inf if gain > NONE_LOST else math.nan


def _of_first_turn(outcomes: Mapping[str, BattleOutcome]) -> float | None:
    """Return half the difference in a's score between moving first and second, from the outcomes as a sees them."""
    if len(outcomes) < len(SIDES):
        return None
    first, second = (outcomes[who].p_a + outcomes[who].p_draw / 2 for who in SIDES)
    half = float(first - second) / 2
    return half if abs(half) > ROUNDING else 0.0


def _simulated(
    packed: Battle, orders: Sequence[str], names: tuple[str, ...], sample: Sample
) -> tuple[dict[str, BattleOutcome], dict[str, Any]]:
    """Return the outcomes, as a sees them, by who moves first; and the result's fields on the simulation."""
    from aabalance.engine import sampling

    runs = {who: run_of(packed, who, names, sample.seed) for who in orders}
    counts = sampling.estimate(runs, sample.trials or 0, sample.target_error, sample.advance)
    rolled = cast("Mapping[str, BattleTally]", counts)
    seen = {who: outcome.seen_by_a(who, count) for who, count in rolled.items() if count.trials}
    shares = {who: count.outcome() for who, count in seen.items()}
    return shares, simulated(outcome.total(seen.values()), sample.seed)


def _names(force: Sequence[Any]) -> str:
    """Return a list in words: ``2 T-34/85, Tiger I``, ``M3 half-track, 2 rifle squad in M3 half-track``."""
    names = [f"{unit.name} in {force[unit.ride.carrier].name}" if unit.ride else unit.name for unit in force]
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in Counter(names).items())


def _situation(views: SituationMix) -> str:
    """Return the situations in words; faces that are drawn with their shares."""
    situations = list(views)
    if len(situations) == 1:
        return words(situations[0])
    faces = ", ".join(f"{situation.facing} {percent(float(share))}" for situation, share in views.items())
    return ", ".join(filter(None, (faces, words(situations[0], faces=False))))
