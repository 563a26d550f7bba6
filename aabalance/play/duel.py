"""A duel of two units, solved exactly or simulated; every order of first turn is turned to a's point of view.

`aabalance.engine.fights` names the file in which each kind of duel is decided. `aabalance.game.Game.situation` refuses
fields that a duel doesn't have.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.engine import fights, outcome
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.outcome import Tally
from aabalance.errors import UsageError, check_kind, counted
from aabalance.play import result
from aabalance.play.duel_trace import Deed, DuelTrace
from aabalance.play.explanation import Explanation, Legend
from aabalance.play.sample import Sample, simulated
from aabalance.play.shot import shot
from aabalance.rulesets.base import HOLD, Player, Ruleset, Shot

if TYPE_CHECKING:
    import pandas as pd

BEST_PLAY_ROUNDS = 12


class DuelQuestion(NamedTuple):
    """Two units that fight a duel.

    Attributes
    ----------
    ruleset : Ruleset
        The game's rules.
    variant : BaseModel
        The rule switches.
    cards : pair of card
        Cards of both units.
    situation : Circumstances
        As the first of the two sees it; the second one's is mirrored.
    range_in : float
        Distance at the start.
    postures : pair of str
        Posture of each unit.
    first : {"a", "b", "roll_off"}
        Who has the first turn.
    rounds : int or None
        Limit of rounds, each a turn of both units; None: no limit.
    """

    ruleset: Ruleset
    variant: Any
    cards: tuple[Any, Any]
    situation: Any
    range_in: float
    postures: tuple[str, str]
    first: str = "roll_off"
    rounds: int | None = None

    def _seen(self, side: int) -> tuple[Any, Any, Any]:
        """Return the card of a side, that of its enemy, and the situation as it sees it; 0 is a."""
        a, b = self.cards
        return (a, b, self.situation) if side == 0 else (b, a, self.situation.mirrored(self.range_in))

    def no_effect(self, side: int) -> str:
        """Return why the first attack of a side can do nothing, as `ShotResult.no_effect`; 0 is a."""
        card, enemy, view = self._seen(side)
        moment = self.ruleset.initial_moment(view, self.range_in)
        return shot(self.ruleset, self.variant, card, enemy, moment, None).no_effect

    def players(self, *, explain: bool = False) -> tuple[Player, Player]:
        """Return both sides; with `explain`, their volleys have steps.

        Raises
        ------
        UsageError
            A posture isn't text, or the game doesn't have it.
        """
        for posture in self.postures:
            check_kind("posture", posture, str, f"a name such as {HOLD!r}")
        a, b = (
            self.ruleset.player(*self._seen(side), self.range_in, self.variant, posture, explain=explain)
            for side, posture in enumerate(self.postures)
        )
        return a, b

    def best_attacks(self) -> list[tuple[Shot, float]]:
        """Return each unit's single best attack, and the expected effect of one action of it on a fresh enemy."""
        attacks = []
        for card, enemy, view in map(self._seen, (0, 1)):
            moment = self.ruleset.initial_moment(view, self.range_in)
            offence = self.ruleset.offence(card, moment, self.variant)
            defence = self.ruleset.defence(enemy, moment, self.variant)
            shot = self.ruleset.shot(offence, defence, self.range_in, self.variant, None)
            effect = self.ruleset.survey(offence, defence, self.range_in, self.variant).per_action
            attacks.append((shot, float(effect)))
        return attacks

    def turn_graph(self) -> TurnGraph:
        """Return the duel, the first unit moving first, as tables that can be solved and simulated.

        Raises
        ------
        UsageError
            The game's units have conditions and don't move.
        """
        if fights.conditions(self.ruleset.fight):
            raise UsageError(f"{self.ruleset.name}: found a game of conditions, expected one of hit points and turns")
        return TurnGraph(self.players(), self.range_in)


@dataclass(frozen=True, repr=False, kw_only=True)
class DuelResult(result.FightResult):
    """A duel of two units, solved exactly or simulated.

    Its other attributes are those of `FightResult`. `p_draw` is the chance that both units are left; in tables
    such as that of `aabalance.matchups` it is this and ``p_both_destroyed`` together.

    Attributes
    ----------
    posture_a, posture_b : str
        How each unit behaves.
    p_both_destroyed : float or None
        Chance that neither is left; None in games whose units never strike at the same time.
    p_both_destroyed_ci : (float, float) or None
        Wilson's 95 % interval of a simulation.
    no_effect_a, no_effect_b : str
        Why this unit can do nothing to the other if it holds; empty if it can.
    trace : DuelTrace
        What happens in the duel, for `timeline` and `explain`.

    Examples
    --------
    >>> import aabalance as aab
    >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=24)
    >>> [round(p, 3) for p in (duel.p_a, duel.p_a_moving_first, duel.p_a_moving_second)], duel.engine
    ([0.737, 0.798, 0.676], 'exact')
    """

    posture_a: str
    posture_b: str
    trace: DuelTrace = field(compare=False)
    p_both_destroyed: float | None = None
    p_both_destroyed_ci: result.Interval | None = None
    no_effect_a: str = ""
    no_effect_b: str = ""

    _keys = (
        "a b range_in situation first rounds posture_a posture_b p_a p_b p_draw player_turns p_a_moving_first "
        "p_a_moving_second first_turn_gap engine p_both_destroyed no_effect_a no_effect_b "
        f"{result.SIMULATED} p_both_destroyed_ci"
    )
    _kind = "duel"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; a solved duel leaves out those of a simulation.

        Examples
        --------
        >>> import aabalance as aab
        >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18, simulate=1000, seed=7)
        >>> {name: duel.to_dict()[name] for name in ("p_a", "engine", "trials", "seed")}
        {'p_a': 0.532, 'engine': 'monte_carlo', 'trials': 1000, 'seed': 7}
        """
        values = super().to_dict()
        return {name: value for name, value in values.items() if self._at_once or "both_destroyed" not in name}

    @cached_property
    def timeline(self) -> pd.DataFrame:
        """The chances after each round, a row each; round 0 is before the first. Exact, even if the duel was rolled.

        The last row is the limit of rounds, or the round after which hardly any duel will be decided if that is
        sooner.

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
        lines, legend = [self._headed(self._head())], Legend()
        for side, unit in (("a", self.a), ("b", self.b)):
            own = [deed for deed in deeds if deed.side == side]
            lines.append(f"{side}: {unit}, {self.posture_a if side == 'a' else self.posture_b}")
            width = max(len(deed.when) for deed in own)
            for deed in own:
                at = result.distance(deed.range_in, self.length)
                said = [f"{deed.does}, at {at}"]
                if deed.p_damage:
                    said.append(f"{result.percent(deed.p_damage)} {self.trace.harm}")
                    if deed.expected_damage is not None:
                        said.append(f"{deed.expected_damage:.2f} {self.trace.effect} expected")
                    said.append(f"{result.percent(deed.p_kill)} destroyed")
                lines.append(f"  {deed.when:<{width}}  {', '.join(said)}{legend.cite(deed.rule)}")
        ends = dict(zip(("p_a", "p_b"), self._wins(), strict=True)) | {"p_draw": "draw"}
        ends |= {"p_both_destroyed": "both destroyed"} if self._at_once else {}
        tail = f"=> {', '.join(f'{end} {self._share(name)}' for name, end in ends.items())}"
        return Explanation("\n".join([*lines, *legend.lines(), tail]), lines[0], Deed._fields, deeds, tail)

    @property
    def _at_once(self) -> bool:
        return self.p_both_destroyed is not None

    def _head(self) -> str:
        limit = "to the end" if self.rounds is None else counted(self.rounds, "round")
        where = ", ".join(filter(None, (result.distance(self.range_in, self.length), self.situation)))
        return f"{self.a} v {self.b}, {where}, first: {self.first}, {limit}"

    def _lines(self) -> list[tuple[str, str]]:
        chances = {"p_a": self.p_a, "p_b": self.p_b, "p_draw": self.p_draw}
        if self.p_both_destroyed is not None:
            chances["p_both_destroyed"] = self.p_both_destroyed
        head = [("duel", self._head()), ("postures", f"{self.posture_a} v {self.posture_b}")]
        rests = {name: sum(max(p, 0) for other, p in chances.items() if other != name) for name in chances}
        ends = self._lines_of({name: (p, rests[name]) for name, p in chances.items()})
        reasons = zip(result.side_names(self.a, self.b), (self.no_effect_a, self.no_effect_b), strict=True)
        harmless = [(f"{name} can't hurt it", why) for name, why in reasons if why]
        return [*head, *ends, *harmless, *self._last_lines()]


def duel(question: DuelQuestion, sample: Sample) -> DuelResult:
    """Fight a duel; see `aabalance.game.Game.duel`."""
    rounds = result.check_turns(question.first, question.rounds)
    sample = sample.checked()
    pair = question.players()
    chooses = any(player.chooses for player in pair)
    if rounds is None and chooses:
        rounds = BEST_PLAY_ROUNDS
    question = question._replace(rounds=rounds)
    tables = fights.tables(question.ruleset.fight)
    if tables.simultaneous:
        if question.first in result.SIDES:
            expected = f"expected none: in {question.ruleset.name} both sides strike at once"
            raise UsageError(f"first: found {question.first!r}, {expected}")
        question = question._replace(first=result.AT_ONCE)
    orders = {
        who: tables.duel(pair if who == "a" else pair[::-1], question.range_in)
        for who in result.SIDES
        if (who == "a" if tables.simultaneous else question.first in (who, "roll_off"))
    }
    a, b = question.cards
    if sample.trials:
        from aabalance.engine import sampling

        names = a.id or a.name, b.id or b.name
        # The dice depend only on the seed, the names of the two units and who moves first.
        runs = {who: sampling.prepare(one.rolls(), sample.seed, (*names, who), rounds) for who, one in orders.items()}
        outcomes, counts, how = simulated(runs, sample, partial(Tally.outcome, limited=rounds is not None))
        mean = counts.outcome(limited=rounds is not None)
        if tables.simultaneous:
            how |= {"p_both_destroyed_ci": sampling.wilson(counts.both, counts.trials), "p_a_moving_first_ci": None}
    else:
        outcomes = {who: outcome.seen_by_a(who, fight.solve(rounds)) for who, fight in orders.items()}
        mean, how = outcome.mean(outcomes.values()), {"engine": "exact"}
    ends = result.common(question, outcomes, mean) | how
    ends |= {"posture_a": question.postures[0], "posture_b": question.postures[1]}
    if tables.simultaneous:
        ends |= {"p_both_destroyed": mean.p_both, "p_a_moving_first": None}
    chances = {"no_effect_a": ends["p_a"], "no_effect_b": ends["p_b"]}
    for side, (name, p) in enumerate(chances.items()):
        if p <= 0 and question.postures[side] == HOLD:
            ends[name] = question.no_effect(side)
    return DuelResult(
        a=a.name,
        b=b.name,
        situation=result.words(question.situation),
        rounds=rounds,
        trace=DuelTrace(question, orders, chooses),
        **ends,
    )
