"""Claims on matches: played on their board until a number of them is known to be within the band, or outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aabalance.analysis.battles import in_json
from aabalance.analysis.meetings import Meeting, Rules, meeting, question_of
from aabalance.definitions.claims import MatchClaim
from aabalance.engine.arrays import Floats
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.gate.cases import Asked, tested
from aabalance.gate.evidence import Key
from aabalance.play.match_question import MatchQuestion

OBSERVED = 4
"""Pairs of matches whose mean is one number for the test, a moving first in one of a pair, b in the other."""


class Claimed(NamedTuple):
    """Matches that a claim is about, and what it says of them."""

    met: Meeting
    asked: Asked


def question_of_claim(claim: MatchClaim, game: Game) -> MatchQuestion:
    """Return the question of a claim's matches; what can't be played is a `UsageError`."""
    terms = claim.model_dump(include={"board", "mission", "rounds", "actions", "player_a", "player_b"})
    question = game.match_question(claim.a or (), claim.b or (), **terms, **claim.options)
    question.agreed()
    if claim.measure == "first_turn_gap":
        try:
            question._replace(first="a").agreed()
        except UsageError:  # then matches can't be told apart beforehand, as the test by pairs has to
            expected = "score, p_win or p_draw: here dice say in each match who begins"
            raise UsageError(f"measure: found first_turn_gap, expected {expected}") from None
    return question


def units_of(claim: MatchClaim, game: Game) -> Key:
    """Return the ids of the units that a claim's lists bring, each once."""
    return tuple(dict.fromkeys(card.id for side in question_of_claim(claim, game).lists for card in side.units))


def claimed(claim: MatchClaim, game: Game, seed: int, alpha: float) -> Claimed:
    """Return the matches of a claim as a row of a sweep.

    Parameters
    ----------
    claim : MatchClaim
        The claim.
    game : Game
        The game.
    seed, alpha : int and float
        Seed of dice and players, and the chance that the verdict is wrong.
    """
    met = meeting(question_of_claim(claim, game), claim.matches, seed)
    return Claimed(met, (claim.measure, claim.band, alpha))


def plays(rules: Rules, rows: Sequence[Claimed], _: Any) -> list[bytes]:
    """Return the test of each claim as JSON; see `aabalance.jobs.sweeps`."""
    from aabalance.engine import sampling
    from aabalance.engine.match import arena
    from aabalance.play.match_played import prepared
    from aabalance.rulesets.base.match import DRAWN, RESULT, WON_BY_A

    found = []
    for met, asked in rows:
        played, _agreed, _setup = prepared(question_of(rules, met), met.seed)

        def by_seat(at: int, count: int, played: Any = played, measure: str = asked[0]) -> tuple[Floats, Floats]:
            """Return the numbers of the matches in which a moves first, which are the even ones, and of the others."""
            each = 2 * OBSERVED
            result = arena.play(played.match, each * at, each * count, executor=pool)[:, RESULT]
            won, drawn = result == WON_BY_A, result == DRAWN
            share = {"p_win": won, "p_draw": drawn}.get(measure, won + drawn / 2)
            means = share.reshape(count, OBSERVED, 2).mean(axis=1)
            return means[:, 0], means[:, 1]

        with sampling.threads() as pool:
            found.append(in_json(tested(by_seat, asked, met.matches, 2 * OBSERVED)))
    return found
