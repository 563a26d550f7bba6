"""A duel of two units, solved exactly or simulated; every order of first turn is turned to a's point of view.

`aabalance.engine.fights` names the file in which each kind of duel is decided. `aabalance.game.Game.situation` refuses
fields that a duel doesn't have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aabalance.definitions.fields import MOST_ROUNDS
from aabalance.engine import fights, outcome
from aabalance.engine.fights import Fights
from aabalance.engine.outcome import Outcome
from aabalance.errors import UsageError, one_of, whole_number
from aabalance.play.duel_question import DuelQuestion
from aabalance.play.duel_trace import Deed, DuelTrace
from aabalance.play.explanation import Explanation, Legend
from aabalance.play.result import (
    FIRSTS,
    SIDES,
    SIMULATED,
    Interval,
    Result,
    by_first_turn,
    chance,
    distance,
    percent,
    with_interval,
    words,
)
from aabalance.play.sample import Sample, simulated

if TYPE_CHECKING:
    import pandas as pd

BEST_PLAY_ROUNDS = 12


@dataclass(frozen=True, repr=False)
class DuelResult(Result):
    """A duel of two units, solved exactly or simulated.

    Attributes
    ----------
    a, b : str
        Names of the units, as on their cards.
    range_in : float
        Distance at the start, in the game's unit of length.
    length : str
        What is written behind the number of a distance: ``"`` for inches.
    situation : str
        The other circumstances in words, as a sees them.
    first : {"a", "b", "roll_off"}
        Who has the first turn.
    rounds : int or None
        Limit of rounds, each a turn of both units; None: no limit.
    posture_a, posture_b : str
        How each unit behaves.
    p_a, p_b, p_draw : float
        Chances that only a is left, that only b is left, and that both are: at the limit of rounds, or because neither
        can destroy the other.
    p_both_destroyed : float or None
        Chance that neither is left; None in games whose units never strike at the same time.
    player_turns : float or None
        Expected number of player turns, those of both sides counted, with the last one; None if there may be no end.
    p_a_moving_first, p_a_moving_second : float or None
        `p_a` if a moves first, and if b does; None if only one order was simulated.
    engine : {"exact", "monte_carlo"}
        Whether the duel was solved or rolled.
    trials, seed : int or None
        Number of trials and seed of a simulation.
    p_a_ci, p_b_ci, p_draw_ci : (float, float) or None
        Wilson's 95 % intervals of a simulation.
    trace : DuelTrace
        What happens in the duel, for `timeline` and `explain`.

    Examples
    --------
    >>> import aabalance as aab
    >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=24)
    >>> [round(p, 3) for p in (duel.p_a, duel.p_a_moving_first, duel.p_a_moving_second)], duel.engine
    ([0.737, 0.798, 0.676], 'exact')
    """

    a: str
    b: str
    range_in: float
    length: str
    situation: str
    first: str
    rounds: int | None
    posture_a: str
    posture_b: str
    p_a: float
    p_b: float
    p_draw: float
    player_turns: float | None
    p_a_moving_first: float | None
    p_a_moving_second: float | None
    engine: str
    trace: DuelTrace = field(compare=False)
    p_both_destroyed: float | None = None
    trials: int | None = None
    seed: int | None = None
    p_a_ci: Interval | None = None
    p_b_ci: Interval | None = None
    p_draw_ci: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; a solved duel leaves out those of a simulation.

        Examples
        --------
        >>> import aabalance as aab
        >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18, simulate=1000, seed=7)
        >>> {name: duel.to_dict()[name] for name in ("p_a", "engine", "trials", "seed")}
        {'p_a': 0.532, 'engine': 'monte_carlo', 'trials': 1000, 'seed': 7}
        """
        values = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("length", "trace")}
        if self.p_both_destroyed is None:
            del values["p_both_destroyed"]
        if self.engine == "exact":
            return {name: value for name, value in values.items() if name not in SIMULATED}
        return values

    @cached_property
    def timeline(self) -> pd.DataFrame:
        """The chances after each round, a row each; round 0 is before the first. Exact, even if the duel was rolled.

        The last row is the limit of rounds; without one, the round after which hardly
        any duel will be decided.

        Raises
        ------
        UsageError
            A side plays as well as it can: what it then does in a round depends on how many rounds are left.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18).timeline.tail(3).round(3)
           round    p_a    p_b  p_draw
        6      6  0.530  0.444   0.026
        7      7  0.538  0.457   0.005
        8      8  0.540  0.459   0.001
        """
        import pandas as pd

        table = pd.DataFrame(self.trace.course(), columns=["p_a", "p_b", "p_draw", "p_both_destroyed"])
        if self.p_both_destroyed is None:
            del table["p_both_destroyed"]
        return table.rename_axis("round").reset_index()

    def explain(self) -> Explanation:
        r"""Return what each unit does in its turns, its chances against a fresh enemy, and the rules behind them.

        Examples
        --------
        >>> import aabalance as aab
        >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18)
        >>> print("\n".join(duel.explain().splitlines()[:5]))
        M4A3(75)W Sherman v StuG III Ausf. G, 18", front, first: roll_off, to the end
        a: M4A3(75)W Sherman, hold
          each turn  fire 75 mm M3, at 18", 58.3 % damage, 5.83 hit points expected, 0.0 % destroyed  [1-7]
        b: StuG III Ausf. G, hold
          each turn  fire 7.5 cm StuK 40, at 18", 77.8 % damage, 7.78 hit points expected, 0.0 % destroyed  [1-7]
        """
        deeds = self.trace.deeds()
        lines, legend = [self._head()], Legend()
        for side, unit in (("a", self.a), ("b", self.b)):
            own = [deed for deed in deeds if deed.side == side]
            lines.append(f"{side}: {unit}, {self.posture_a if side == 'a' else self.posture_b}")
            width = max(len(deed.when) for deed in own)
            for deed in own:
                at = distance(deed.range_in, self.length)
                said = [f"{deed.does}, at {at}"]
                if deed.p_damage:
                    said.append(f"{percent(deed.p_damage)} damage")
                    if deed.expected_damage is not None:
                        said.append(f"{deed.expected_damage:.2f} {self.trace.effect} expected")
                    said.append(f"{percent(deed.p_kill)} destroyed")
                lines.append(f"  {deed.when:<{width}}  {', '.join(said)}{legend.cite(deed.rule)}")
        tail = f"=> a wins {percent(self.p_a)}, b {percent(self.p_b)}, draw {percent(self.p_draw)}"
        if self.p_both_destroyed is not None:
            tail += f", both destroyed {percent(self.p_both_destroyed)}"
        return Explanation("\n".join([*lines, *legend.lines(), tail]), lines[0], Deed._fields, deeds, tail)

    def _head(self) -> str:
        limit = "to the end" if self.rounds is None else f"{self.rounds} round{'s' * (self.rounds != 1)}"
        first = "both at once" if self.p_both_destroyed is not None else self.first
        where = ", ".join(filter(None, (distance(self.range_in, self.length), self.situation)))
        return f"{self.a} v {self.b}, {where}, first: {first}, {limit}"

    def _lines(self) -> list[tuple[str, str]]:
        turns = "without end" if self.player_turns is None else f"{self.player_turns:.2f}"
        chances = {"p_a": self.p_a, "p_b": self.p_b, "p_draw": self.p_draw}
        if self.p_both_destroyed is not None:
            chances["p_both_destroyed"] = self.p_both_destroyed
        said = {
            name: chance(p, sum(max(other, 0) for others, other in chances.items() if others != name))
            for name, p in chances.items()
        }
        lines = [
            ("duel", self._head()),
            ("postures", f"{self.posture_a} v {self.posture_b}"),
            *((name, with_interval(text, getattr(self, f"{name}_ci", None))) for name, text in said.items()),
            ("player_turns", turns),
            *by_first_turn(self.p_a_moving_first, self.p_a_moving_second),
        ]
        how = self.engine if self.trials is None else f"{self.engine}, {self.trials} trials, seed {self.seed}"
        return [*lines, ("engine", how)]


def duel(question: DuelQuestion, first: str, rounds: int | None, sample: Sample) -> DuelResult:
    """Fight a duel; see `aabalance.game.Game.duel`."""
    if first not in FIRSTS:
        raise UsageError(f"first: {one_of(first, FIRSTS)}")
    if rounds is not None:
        rounds = whole_number("rounds", rounds, 1, MOST_ROUNDS)
    sample = sample.checked()
    pair = question.players()
    chooses = any(player.chooses for player in pair)
    if rounds is None and chooses:
        rounds = BEST_PLAY_ROUNDS
    tables = fights.tables(question.ruleset.fight)
    orders = {
        who: tables.duel(pair if who == "a" else pair[::-1], question.range_in)
        for who in SIDES
        if (who == "a" if tables.simultaneous else first in (who, "roll_off"))
    }
    a, b = question.cards
    if sample.trials:
        outcomes, how = _simulated(orders, (a.id or a.name, b.id or b.name), rounds, sample)
    else:
        outcomes, how = _solved(orders, rounds)
    mean = outcome.mean(outcomes.values())
    return DuelResult(
        a=a.name,
        b=b.name,
        range_in=question.range_in,
        length=question.ruleset.labels.length.after,
        situation=words(question.situation),
        first=first,
        rounds=rounds,
        posture_a=question.postures[0],
        posture_b=question.postures[1],
        p_a=mean.p_a,
        p_b=mean.p_b,
        p_draw=mean.p_draw,
        player_turns=mean.player_turns if math.isfinite(mean.player_turns) else None,
        p_a_moving_first=outcomes["a"].p_a if "a" in outcomes and not tables.simultaneous else None,
        p_a_moving_second=outcomes["b"].p_a if "b" in outcomes else None,
        p_both_destroyed=mean.p_both if tables.simultaneous else None,
        trace=DuelTrace(question, orders, rounds, mean.p_draw, chooses),
        **how,
    )


def _solved(
    orders: Mapping[str, Fights[float]], rounds: int | None
) -> tuple[dict[str, Outcome[float]], dict[str, Any]]:
    """Return the outcomes, as a sees them, by who moves first; and the result's fields on the engine."""
    outcomes = {who: outcome.seen_by_a(who, fight.solve(rounds)) for who, fight in orders.items()}
    return outcomes, {"engine": "exact"}


def _simulated(
    orders: Mapping[str, Fights[float]], names: tuple[str, ...], rounds: int | None, sample: Sample
) -> tuple[dict[str, Outcome[float]], dict[str, Any]]:
    """Return the outcomes, as a sees them, by who moves first; and the result's fields on the simulation.

    The dice depend only on the seed, the names of the two units and who moves first.
    """
    from aabalance.engine import sampling

    runs = {who: sampling.prepare(fight, sample.seed, (*names, who), rounds) for who, fight in orders.items()}
    counts = sampling.estimate(runs, sample.trials or 0, sample.target_error, sample.advance)
    seen = {who: outcome.seen_by_a(who, count) for who, count in counts.items() if count.trials}
    shares = {who: count.outcome(limited=rounds is not None) for who, count in seen.items()}
    return shares, simulated(outcome.total(seen.values()), sample.seed)
