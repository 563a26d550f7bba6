"""A match of two lists on a board: many are played, by players that the package brings, and counted."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from aabalance.definitions.settings import reading
from aabalance.errors import counted
from aabalance.play import result
from aabalance.play.battle import list_in_words
from aabalance.play.match_question import MatchQuestion, Played, prepared
from aabalance.play.policy import name_of
from aabalance.play.sample import Sample, most_trials

if TYPE_CHECKING:
    from aabalance.engine.arrays import Floats
    from aabalance.play.explanation import Explanation
    from aabalance.play.match_page import Page


MATCHES = 200
"""Matches that are played where nobody says how many."""


@dataclass(frozen=True, repr=False, kw_only=True)
class MatchResult(result.Result):
    """Many matches of two lists on a board.

    Shares are of all matches; a pair whose name ends in ``_ci`` is its 95 % interval.

    Attributes
    ----------
    a, b : str
        Both lists in words.
    board : str
        Name of the board.
    mission : str or None
        How the match is won, in games that have missions.
    rounds : int or None
        Limit of rounds; None: no limit.
    actions : (int, int) or None
        Limits of actions in a turn of a and of b, in games that limit them.
    first : {"a", "b", "roll_off"}
        Who has the first turn.
    player_a, player_b : str
        Who plays each side.
    variant : str
        The rule switches in words.
    options : dict
        What else was agreed on, and places of units.
    currency : str
        What lists cost.
    requisition_a, requisition_b : float
        What the units cost that each side begins with.
    p_a, p_b, p_draw : float
        Shares that a and b won, and of draws.
    score_a_ci : (float, float)
        Interval of a's score, P(win) + P(draw) / 2.
    player_turns : float
        Mean number of player turns, those of both sides counted, with the last one. Its interval is None if all
        matches were alike in it, as is one alone.
    value_a, value_b : float
        Mean cost of the units left at the end; intervals as for `player_turns`.
    reasons : dict of str to float
        Shares of matches by the reason why they ended.
    p_early : float
        Share of matches that ended for another reason than the limit of rounds.
    p_a_moving_first, p_a_moving_second : float or None
        `p_a` of the matches in which a moved first, and of those in which b did; None if there were none.
    first_turn_gap : float or None
        a's score, P(win) + P(draw) / 2, if a moves first, less that if b does.
    zones : dict of str to float
        `p_a` by the zone in which a deployed; empty in games and set-ups without a choice of zones.
    zone_gap : float or None
        a's score in the first zone, less that in the other.
    engine : {"monte_carlo"}
        Matches are always played, never solved.
    trials, seed : int
        Number of matches, and seed.
    scores : array of float, shape (trials,)
        a's score in each match: 1, half, or 0. Results with the same seed are pairs.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> match = game.match(board="crossing_armies", rounds=4, player_a="random", player_b="random", simulate=2)
    >>> match.trials, match.p_a + match.p_b + match.p_draw, match.player_a
    (2, 1.0, 'random')
    """

    a: str
    b: str
    board: str
    mission: str | None
    rounds: int | None
    actions: tuple[int, int] | None
    first: str
    player_a: str
    player_b: str
    variant: str
    options: dict[str, Any]
    currency: str
    requisition_a: float
    requisition_b: float
    p_a: float
    p_b: float
    p_draw: float
    p_a_ci: result.Interval
    p_b_ci: result.Interval
    p_draw_ci: result.Interval
    score_a_ci: result.Interval
    player_turns: float
    player_turns_ci: result.Interval | None
    value_a: float
    value_a_ci: result.Interval | None
    value_b: float
    value_b_ci: result.Interval | None
    reasons: dict[str, float]
    reasons_ci: dict[str, result.Interval]
    p_early: float
    p_early_ci: result.Interval
    p_a_moving_first: float | None
    p_a_moving_first_ci: result.Interval | None
    p_a_moving_second: float | None
    p_a_moving_second_ci: result.Interval | None
    first_turn_gap: float | None
    first_turn_gap_ci: result.Interval | None
    zones: dict[str, float]
    zones_ci: dict[str, result.Interval]
    zone_gap: float | None
    zone_gap_ci: result.Interval | None
    engine: str
    trials: int
    seed: int
    played: Played = field(compare=False)
    scores: Floats = field(compare=False)

    def explain(self) -> Explanation:
        """Return the first match, number 0 of the seed, in words: every decision with its dice and rules.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> match = game.match(board="last_stand", rounds=2, player_a="random", player_b="random", simulate=1)
        >>> match.explain().to_frame()["action"].str.split().str[-2].value_counts().idxmax()  # the commonest action
        'move'
        """
        from aabalance.play.match_log import explained

        key = f"match 0 of seed {self.seed}"
        head = self._headed(f"{key}: {self.a} v {self.b}, on {self.board}, {self.player_a} v {self.player_b}")
        return explained(self.played.first, self.played.match.rules, head)

    def replay(self) -> Page:
        """Return the first match as a page of HTML that loads nothing: the board, and every decision on it.

        A notebook shows it; ``pathlib.Path.write_text`` keeps it.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> match = game.match(board="last_stand", rounds=2, player_a="random", player_b="random", simulate=1)
        >>> page = match.replay()
        >>> page.count("<svg"), "--seed 0" in page
        (1, True)
        """
        from aabalance.play.match_log import luck_of
        from aabalance.play.match_page import command, page

        said = dict(self._lines())
        about = {name: said[name] for name in ("match", "agreed", "players")}
        about["rules"] = self.variant
        about["seed"] = f"{self.seed}, match 0"
        about["cards"] = getattr(self.played.question.roster, "hash", "")
        about |= luck_of(self.played.first)
        own = [name_of(player) for player in self.played.question.players if callable(player)]
        again = shlex.join([*command(self), "--replay", "FILE.html"])
        about["make it again"] = f"in Python alone: {own[0]} is a function" if own else again
        return page(self, self.explain(), about)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, with its sentence.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> match = game.match(board="last_stand", rounds=2, player_a="random", player_b="random", simulate=1)
        >>> {name: match.to_dict()[name] for name in ("board", "trials", "player_a", "p_draw")}
        {'board': 'last_stand', 'trials': 1, 'player_a': 'random', 'p_draw': 1.0}
        """
        left_out = "currency", "played", "scores", "provenance"
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in left_out}
        score = {"score_a": float(self.scores.mean())}
        return values | score | {"sentence": self.sentence(), "provenance": self.provenance.said()}

    def sentence(self) -> str:
        """Return who wins, and what going first is worth, in a sentence or two, with what the numbers can't tell.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> match = game.match(board="last_stand", rounds=2, player_a="random", player_b="random", simulate=1)
        >>> match.sentence().rpartition(": ")[2]
        'after 1 match, who is favoured is open.'
        """
        a, b, draws = (
            result.percent_with_interval(p, ci)
            for p, ci in ((self.p_a, self.p_a_ci), (self.p_b, self.p_b_ci), (self.p_draw, self.p_draw_ci))
        )
        low, high = self.score_a_ci
        names, (a_wins, b_wins) = result.side_names(self.a, self.b), self._wins()
        favoured = names[high < result.EVEN]
        ahead = "who is favoured is open" if low <= result.EVEN <= high else f"that favours {favoured}"
        drawn = f"{draws} end in a draw" if self.p_draw else "none is drawn"
        said = [
            f"{a_wins} {a}, {b_wins} {b}, and {drawn}: after {self.trials} match{'es' * (self.trials != 1)}, {ahead}."
        ]
        told = (
            ("going first", self.first_turn_gap, self.first_turn_gap_ci),
            (f"zone {next(iter(self.zones), '')}", self.zone_gap, self.zone_gap_ci),
        )
        said += [
            result.is_worth(what, worth, ci, self.p_draw)
            for what, worth, ci in told
            if worth is not None and ci is not None
        ]
        return " ".join([*said, *self.remarks()])

    def remarks(self) -> list[str]:
        """Return in sentences what a reader should know of the agreement: who can't win so, what isn't on the lists.

        Examples
        --------
        >>> import aabalance as aab
        >>> match = aab.Game("skirmish_wars").match("tank", "tank", board="crossing", rounds=2, simulate=1)
        >>> match.remarks()
        ["Both sides also buy units in play, unless --with 'shop=[]' says otherwise."]
        """
        names = result.side_names(self.a, self.b)
        scores, said = self.played.match.rules.scorers.get(self.mission), []
        lists = [side.units for side in self.played.question.lists]
        lack = [name for name, units in zip(names, lists, strict=True) if scores and not any(map(scores, units))]
        if lack:
            who = "Neither side can" if len(lack) > 1 else f"{lack[0]} can't"
            said.append(f"{who} win {self.mission}: that takes a unit which holds objectives.")
        remark = self.played.agreed.remark
        return [*said, remark] if remark else said

    def _wins(self) -> tuple[str, str]:
        return result.wins(self.a, self.b, [len(self.played.units(side)) for side in result.SIDES])

    def _repr_html_(self) -> str:
        return f"<div>{self.played.question.board._repr_svg_()}</div>{super()._repr_html_()}"

    def _lines(self) -> list[tuple[str, str]]:
        from aabalance.cards.literals import as_option

        limit = "" if self.rounds is None else counted(self.rounds, "round")
        actions = result.actions_a_turn(self.actions or ())
        more = [as_option(name, value) for name, value in self.options.items()]
        agreed = ", ".join(filter(None, (self.mission, limit, actions, f"first: {self.first}", *more)))
        a_wins, b_wins = self._wins()
        chances = {a_wins: (self.p_a, self.p_a_ci), b_wins: (self.p_b, self.p_b_ci)}
        chances["draw"] = self.p_draw, self.p_draw_ci
        orders = [
            f"{name} {result.with_interval(result.chance(p), getattr(self, f'p_a_moving_{name}_ci'))}"
            for name, p in (("first", self.p_a_moving_first), ("second", self.p_a_moving_second))
            if p is not None
        ]
        zones = [
            f"{zone} {result.with_interval(result.chance(p), self.zones_ci[zone])}" for zone, p in self.zones.items()
        ]
        return [
            ("match", f"{self.a} v {self.b}, on {self.board}"),
            ("agreed", agreed),
            (self.currency, f"{self.requisition_a} v {self.requisition_b}"),
            ("players", f"{self.player_a} v {self.player_b}"),
            *((name, result.with_interval(result.chance(p), ci)) for name, (p, ci) in chances.items()),
            (f"{a_wins}, by turn", ", ".join(orders)),
            *([(f"{a_wins}, by zone", ", ".join(zones))] if zones else []),
            ("ended by", result.shares_in_words(self.reasons, self.reasons_ci)),
            ("player turns", self._said("{:.2f}".format, "player_turns")),
            (f"{self.currency} left", self._said("{:.1f}".format, "value_a", "value_b")),
            ("engine", f"{self.engine}, {counted(self.trials, 'trial')}, seed {self.seed}"),
            ("in words", self.sentence()),
        ]


def most_matches(simulate: int | None, target_error: float | None) -> int:
    """Return how many matches are played at most; parameters and errors as for `most_trials`."""
    most = most_trials(simulate, target_error)
    if target_error is None:
        return most
    from aabalance.engine.match import arena

    return arena.most_matches(target_error)


def match(question: MatchQuestion, sample: Sample) -> MatchResult:
    """Play matches; see `aabalance.game.Game.match`."""
    sample = sample.checked()
    import numpy as np

    from aabalance.play.match_counts import measured, scores
    from aabalance.rulesets.base.match import FACTS, LEFT_A, LEFT_B, RESULT

    played = prepared(question, sample.seed)
    rules, agreed = played.match.rules, played.agreed
    facts = played.play(sample)
    before = np.zeros(len(FACTS), np.int64)
    rules.facts(*played.match.starts[0], before)
    own, parts = before[[LEFT_A, LEFT_B]].tolist(), rules.parts
    cost_a, cost_b = (left / parts if left % parts else left // parts for left in own)
    a, b = (_in_words(played, side) for side in result.SIDES)
    return MatchResult(
        a=a,
        b=b,
        board=question.board.key,
        mission=agreed.mission,
        rounds=agreed.rounds,
        actions=agreed.actions,
        first=question.first,
        player_a=name_of(question.players[0]),
        player_b=name_of(question.players[1]),
        variant=reading(question.variant),
        options=dict(question.options),
        currency=question.ruleset.labels.currency,
        requisition_a=cost_a,
        requisition_b=cost_b,
        **measured(facts, list(question.board.zones), rules),
        engine="monte_carlo",
        trials=len(facts),
        seed=sample.seed,
        played=played,
        scores=scores(facts[:, RESULT]),
    )


def _in_words(played: Played, side: str) -> str:
    """Return the units that a side begins with: ``Spearhead (2 Tiger I)``; those of the board, if it brings some.

    Where nobody brings any, they are bought in the match.
    """
    name = played.question.lists[result.SIDES.index(side)].name
    said = list_in_words(played.units(side)) or "bought units"
    return f"{name} ({said})" if name else said
