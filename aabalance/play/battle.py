"""A battle of two lists under an action limit, solved exactly or simulated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, cast

from aabalance.definitions.fields import MOST_ACTIONS, MOST_REQUISITION, MOST_ROUNDS
from aabalance.engine import outcome
from aabalance.engine.outcome import BattleOutcome, BattleTally
from aabalance.errors import UsageError, check_word, counted, shown, whole_number
from aabalance.play import result
from aabalance.play.replay import TRIALS, Replay, run_of
from aabalance.play.replay_tables import Replayed
from aabalance.play.sample import Sample, simulated
from aabalance.rulesets.base import MODES, TIMED, Force, Ruleset, SituationMix

AGAINST = "v"
"""Stands between the names of both lists, on which the dice depend."""
TOO_LARGE_ERROR = 0.005
"""Half-width to which a battle is simulated that is too large to be solved."""
NONE_LOST = 1e-9
"""Losses below this are rounding errors: nothing is lost."""
HOLDS = "units hold in a battle; for what moves, use: aabalance match LIST LIST --board NAME"
EXCHANGES = {"left": "loss_exchange_ratio", "value": "requisition_exchange_ratio"}
"""The ratio of losses by what is left of them."""
DOMINATION = "domination"
"""A mode of matches."""


class NoneCounts(UsageError):
    """A list has lost from the start: none of its units counts."""


class BattleQuestion(NamedTuple):
    """Two lists that fight a battle; see `aabalance.game.Game.battle`.

    Attributes
    ----------
    ruleset : Ruleset
        The game's rules.
    variant : BaseModel
        The rule switches.
    lists : pair of list of card
        Cards of both sides' units.
    mix : SituationMix
        The situations in which attacks are made, with their shares.
    range_in : float
        Distance between the two lines.
    actions : int, pair of int or None
        Limit of actions of a side's turn; a pair once it is checked.
    mode : str
        How the battle ends.
    rounds : int or None
        Turn limit.
    first : str
        Who has the first turn.
    policies : pair of str
        How each side picks its attacks.
    requisition : int or None
        The most that a list may cost.
    """

    ruleset: Ruleset
    variant: Any
    lists: tuple[Sequence[Any], Sequence[Any]]
    mix: SituationMix
    range_in: float
    actions: int | tuple[int, int] | None
    mode: str
    rounds: int | None
    first: str
    policies: tuple[str, str]
    requisition: int | None

    def checked(self) -> BattleQuestion:
        """Return the question with the limit of actions as a pair, or None in a game without one.

        Raises
        ------
        UsageError
            A value is unknown or out of range, or two contradict each other.
        """
        from aabalance.engine.battle.policies import BEST, POLICIES

        rounds = result.check_turns(self.first, self.rounds)
        if str(self.mode) == DOMINATION:
            raise UsageError(f"mode: {HOLDS} --mission {DOMINATION} --rounds N")
        check_word("mode", self.mode, MODES)
        if self.mode == TIMED and self.rounds is None:
            raise UsageError(f"rounds: found none, expected 1 to {MOST_ROUNDS}, which a {self.mode} battle needs")
        for policy in self.policies:
            check_word("policy", policy, (*POLICIES, BEST))
        if self.policies == (BEST, BEST):
            expected = "expected a named one for one, to which it replies"
            raise UsageError(f"policy: found {BEST!r} for both sides, {expected}")
        if self.requisition is not None:
            whole_number("requisition", self.requisition, 1, MOST_REQUISITION)
        limited = self.actions is not None or self.ruleset.limits_actions
        return self._replace(actions=action_limits(self.actions) if limited else None, rounds=rounds)

    def check_lists(self, forces: tuple[Force, Force]) -> None:
        """Refuse lists that have lost from the start, cost too much, or have a unit without a price."""
        for side, force, cards in zip(result.SIDES, forces, self.lists, strict=True):
            if not any(unit.counts for unit in force):
                raise NoneCounts(f"list {side}: found no unit that counts, expected one at least: without, it has lost")
            cost = self.ruleset.list_cost(cards)
            if self.requisition is not None and cost > self.requisition:
                limit = f"expected at most {self.requisition}"
                raise UsageError(f"list {side}: found {cost} {self.ruleset.labels.currency}, {limit}")
            if free := [unit.name for unit in force if unit.cost == 0]:
                raise UsageError(f"list {side}: found {free[0]}, which costs nothing, expected a cost above 0")

    def names(self) -> tuple[str, ...]:
        """Return the ids of both lists' units, or their names, on which the dice depend."""
        a, b = (tuple(card.id or card.name for card in cards) for cards in self.lists)
        return (*a, AGAINST, *b)

    def forces(self, *, explain: bool = False) -> tuple[Force, Force]:
        """Return both sides; their strikes have steps if they are to `explain`."""
        return self.ruleset.forces(self.lists, self.mix, self.range_in, self.variant, explain=explain)


def action_limits(actions: Any) -> tuple[int, int]:
    """Return both sides' limits of actions in a turn, from one number or a pair.

    Raises
    ------
    UsageError
        None, or a number out of range.
    """
    if actions is None:
        raise UsageError(f"actions: found none, expected 1 to {MOST_ACTIONS}, the limit of a side's turn")
    pair = actions if isinstance(actions, Sequence) and not isinstance(actions, str) else None
    if pair is not None and len(pair) != len(result.SIDES):
        raise UsageError(f"actions: found {shown(actions)}, expected a number, or one for each side")
    a, b = pair or (actions, actions)
    return whole_number("actions", a, 1, MOST_ACTIONS), whole_number("actions", b, 1, MOST_ACTIONS)


@dataclass(frozen=True, repr=False, kw_only=True)
class BattleNumbers(result.FightResult):
    """How a battle of two lists ends, solved exactly or simulated.

    Its other attributes are those of `FightResult`.

    Attributes
    ----------
    actions : (int, int)
        Limits of actions in a turn of a and of b; without a limit, all actions that their units have.
    mode : str
        How the battle is won.
    policy_a, policy_b : str
        How each side decides which unit attacks which enemy.
    currency : str
        What units cost: requisition, or the game's own word.
    requisition_a, requisition_b : int
        What both lists cost.
    units_a, units_b : int
        How many units both lists have.
    value_a, value_b : float
        Expected requisition of the units left at the end.
    left_a, left_b : float
        Expected number of units left at the end.
    loss_exchange_ratio, requisition_exchange_ratio : float
        Expected losses of b over expected losses of a, in units and in requisition; infinite if a loses nothing, NaN
        if neither does.
    solver : str
        Method of the exact solution, or why there is none; empty for a simulation.
    value_a_ci, value_b_ci, left_a_ci, left_b_ci : (float, float) or None
        Wilson's 95 % intervals of a simulation, of shares of what both lists had: wider than necessary, as no share of
        a list varies more than all or nothing does.
    loss_exchange_ratio_ci, requisition_exchange_ratio_ci : (float, float) or None
        From the fewest losses of b over the most of a, by those intervals, to the most of b over the fewest of a: at
        95 %, however losses go together.
    """

    actions: tuple[int, int]
    mode: str
    policy_a: str
    policy_b: str
    currency: str
    requisition_a: int
    requisition_b: int
    units_a: int
    units_b: int
    value_a: float
    value_b: float
    left_a: float
    left_b: float
    loss_exchange_ratio: float
    requisition_exchange_ratio: float
    solver: str = ""
    value_a_ci: result.Interval | None = None
    value_b_ci: result.Interval | None = None
    left_a_ci: result.Interval | None = None
    left_b_ci: result.Interval | None = None
    loss_exchange_ratio_ci: result.Interval | None = None
    requisition_exchange_ratio_ci: result.Interval | None = None

    _kind = "battle"
    _keys = (
        "a b requisition_a requisition_b units_a units_b "
        "range_in situation actions mode rounds first policy_a policy_b p_a p_b p_draw "
        "player_turns value_a value_b left_a left_b loss_exchange_ratio requisition_exchange_ratio p_a_moving_first "
        f"p_a_moving_second first_turn_gap engine solver {result.SIMULATED} "
        "value_a_ci value_b_ci left_a_ci left_b_ci loss_exchange_ratio_ci requisition_exchange_ratio_ci"
    )

    def _compared(self) -> tuple[Any, ...]:
        """Return what a result is compared by: None for nan, which from Python 3.13 on makes dataclasses unequal."""
        return tuple(_unless_nan(getattr(self, one.name)) for one in fields(self) if one.compare)

    def __eq__(self, other: object) -> bool:
        return self._compared() == other._compared() if isinstance(other, BattleNumbers) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; a solved battle leaves out those of a simulation.

        Examples
        --------
        >>> import aabalance as aab
        >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
        >>> {name: battle.to_dict()[name] for name in ("actions", "policy_a", "engine")}
        {'actions': (5, 5), 'policy_a': 'value', 'engine': 'exact'}
        """
        values = super().to_dict()
        for name in EXCHANGES.values():
            values[name] = _finite(values[name])
            if ends := values.get(f"{name}_ci"):
                values[f"{name}_ci"] = tuple(map(_finite, ends))
        return values

    def _lines(self) -> list[tuple[str, str]]:
        where = ", ".join(filter(None, (result.distance(self.range_in, self.length), self.situation)))
        limit = "" if self.rounds is None else f", {counted(self.rounds, 'round')}"
        units = "unit" if self.units_a == self.units_b == 1 else "units"
        # A chance that rounding alone keeps from 1 is shown as 1: solving a battle adds up more than solving a duel.
        chances = {"p_a": self.p_a, "p_b": self.p_b, "p_draw": self.p_draw}
        return [
            ("battle", f"{self.a} v {self.b}, {where}, first: {self.first}"),
            (self.currency, f"{self.requisition_a} v {self.requisition_b}, {self.units_a} v {self.units_b} {units}"),
            ("mode", f"{self.mode}{limit}, {result.actions_a_turn(self.actions)}"),
            ("policies", f"{self.policy_a} v {self.policy_b}"),
            *self._lines_of({name: (p, sum(chances.values()) - p) for name, p in chances.items()}),
            (f"{self.currency} left", self._said("{:.1f}".format, "value_a", "value_b")),
            ("units left", self._said("{:.2f}".format, "left_a", "left_b")),
            (f"loss / {self.currency} exchange", self._said(result.ratio_in_words, *EXCHANGES.values())),
            *self._last_lines(self.solver),
        ]

    def _wins(self) -> tuple[str, str]:
        return result.wins(self.a, self.b, (self.units_a, self.units_b))


@dataclass(frozen=True, repr=False, kw_only=True, eq=False)
class BattleResult(BattleNumbers, Replayed):
    """A battle of two lists, solved exactly or simulated.

    Its attributes are those of `FightResult`, `BattleNumbers` and `Replayed`.

    Examples
    --------
    >>> import aabalance as aab
    >>> battle = aab.Game().battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=5)
    >>> [round(number, 2) for number in (battle.p_a, battle.value_a, battle.value_b, battle.requisition_exchange_ratio)]
    [0.28, 44.63, 125.91, 0.71]
    >>> battle.engine, battle.solver
    ('exact', 'chain, 220 states')
    """


def battle(question: BattleQuestion, sample: Sample) -> BattleResult:
    """Fight a battle; see `aabalance.game.Game.battle`."""
    question = question.checked()
    mission = question.ruleset.mission(question.mode, question.rounds, question.variant)
    forces = question.forces()
    question.check_lists(forces)
    # Without a limit, units do all that they may.
    pools = tuple(sum(unit.actions for unit in force) for force in forces)
    limits = cast("tuple[int, int]", question.actions or pools)
    sample = sample.checked()
    from aabalance.engine.battle.battle import Battle
    from aabalance.engine.battle.columns import Terms
    from aabalance.engine.battle.states.solve import TooLargeToSolve

    packed = Battle(forces, Terms(limits, question.policies, mission.rounds, mission.by_cost))
    orders = tuple(who for who in result.SIDES if question.first in (who, "roll_off"))
    names = question.names()

    most = {"left": [len(force) for force in forces], "value": [sum(unit.cost for unit in force) for force in forces]}

    def rolled(sample: Sample) -> tuple[dict[str, BattleOutcome], BattleOutcome, dict[str, Any]]:
        runs = {who: run_of(packed, who, names, sample.seed) for who in orders}
        outcomes, counts, how = simulated(runs, sample, BattleTally.outcome)
        return outcomes, counts.outcome(), how | _intervals(counts, most)

    if sample.trials:
        outcomes, mean, how = rolled(sample)
    else:
        try:
            outcomes = {who: packed.solve(result.SIDES.index(who)) for who in orders}
            mean, how = outcome.mean(outcomes.values()), {"engine": "exact", "solver": packed.solver}
        except TooLargeToSolve:
            outcomes, mean, how = rolled(sample._replace(target_error=TOO_LARGE_ERROR))
            how["solver"] = "too large to be solved"
    (units_a, units_b), (cost_a, cost_b) = most["left"], most["value"]
    return BattleResult(
        a=list_in_words(question.lists[0]),
        b=list_in_words(question.lists[1]),
        situation=_situation(question.mix),
        actions=limits,
        mode=question.mode,
        currency=question.ruleset.labels.currency,
        rounds=mission.rounds,
        policy_a=question.policies[0],
        policy_b=question.policies[1],
        requisition_a=question.ruleset.list_cost(question.lists[0]),
        requisition_b=question.ruleset.list_cost(question.lists[1]),
        units_a=len(question.lists[0]),
        units_b=len(question.lists[1]),
        value_a=mean.value_a,
        value_b=mean.value_b,
        left_a=mean.left_a,
        left_b=mean.left_b,
        loss_exchange_ratio=_ratio(units_b - mean.left_b, units_a - mean.left_a),
        requisition_exchange_ratio=_ratio(cost_b - mean.value_b, cost_a - mean.value_a),
        replay=Replay(
            question=question,
            forces=forces,
            battle=packed,
            orders=orders,
            seed=sample.seed,
            trials=how.get("trials", TRIALS),
        ),
        **result.common(question, outcomes, mean),
        **how,
    )


def _intervals(counts: BattleTally, most: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Return the intervals of what is left of both sides, and of the exchange; `most` is what they had."""
    from aabalance.engine.sampling import wilson

    found: dict[str, Any] = {}
    for what, had in most.items():
        left = []
        for side, all_of_it in zip(result.SIDES, had, strict=True):
            shares = getattr(counts, f"{what}_{side}") / all_of_it
            left.append(tuple(all_of_it * end for end in wilson(shares, counts.trials)))
            found[f"{what}_{side}_ci"] = left[-1]
        (a_low, a_high), (b_low, b_high) = left
        had_a, had_b = had
        ends = _ratio(had_b - b_high, had_a - a_low), _ratio(had_b - b_low, had_a - a_high)
        found[f"{EXCHANGES[what]}_ci"] = ends
    return found


def _unless_nan(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_unless_nan, value))
    return None if isinstance(value, float) and math.isnan(value) else value


def _finite(ratio: float) -> float | None:
    return ratio if math.isfinite(ratio) else None


def _ratio(gain: float, loss: float) -> float:
    """Return a ratio of mean losses; infinite if only the denominator is 0, nan if both are."""
    if loss > NONE_LOST:
        return gain / loss if gain > NONE_LOST else 0.0
    return math.inf if gain > NONE_LOST else math.nan


def list_in_words(cards: Iterable[Any]) -> str:
    """Return a list of cards in words: ``2 T-34/85, Tiger I``; two cards of one name count apart."""
    some = list(cards)  # of some games they have no hash
    numbers = [(card.name, some.count(card)) for at, card in enumerate(some) if some.index(card) == at]
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in numbers)


def _situation(views: SituationMix) -> str:
    """Return the situations in words; faces that are drawn with their shares."""
    situations = list(views)
    if len(situations) == 1:
        return result.words(situations[0])
    faces = ", ".join(f"{situation.facing} {result.percent(float(share))}" for situation, share in views.items())
    return ", ".join(filter(None, (faces, result.words(situations[0], faces=False))))
