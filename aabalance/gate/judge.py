"""A gate read with its game, and the verdicts on its claims. Numbers that are rolled share one chance of error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from aabalance.analysis import battles, meetings
from aabalance.analysis.battles import Sides
from aabalance.cards.tables import PlacedFault, in_order, with_lines
from aabalance.definitions import claims
from aabalance.definitions.gate import Draft, Gate
from aabalance.definitions.gate import read as read_draft
from aabalance.engine.sampling import Advance
from aabalance.errors import CardError, Fault, UsageError
from aabalance.game import Game
from aabalance.gate import cases
from aabalance.gate.cases import EXACT, ROLLED, Case
from aabalance.gate.evidence import Evidence, Key, Numbers
from aabalance.gate.sequential import BROKEN, HOLDS, UNDECIDED, Decision
from aabalance.jobs.job import Job
from aabalance.play.battle import BattleNumbers

UNJUDGED = "not judged"
"""The verdict on a claim whose accepted numbers are missing."""
CLOSE = 1e-9
"""Distance beyond the end of a band up to which a number still counts as inside."""


class Judged(NamedTuple):
    """A claim with its verdict.

    Attributes
    ----------
    id : str
        Id of the claim.
    claim : Claim
        The claim.
    verdict : {"holds", "broken", "undecided", "not judged"}
        The verdict.
    value, low, high : float
        Of a claim on one number, the number with its interval; of a claim on a mean, the mean; of a claim on several
        numbers, the share of them within the band.
    cases : int
        How many numbers the claim is about.
    outside : tuple of Case
        The numbers outside of the band, the farthest first; none if the claim is on their mean, and this is inside.
    engine : {"exact", "monte_carlo"}
        Whether numbers were solved or rolled.
    trials : int
        Battles or matches rolled for the claim; a trial that is played twice, either side moving first, counts as two.
    note : str
        In words, which numbers there aren't, and which battles behind prices are rolled; empty if there is nothing.
    """

    id: str
    claim: claims.Claim
    verdict: str
    value: float
    low: float
    high: float
    cases: int
    outside: tuple[Case, ...]
    engine: str = EXACT
    trials: int = 0
    note: str = ""

    @property
    def status(self) -> str:
        """The verdict; for a claim with a `known` reason not to hold, ``known`` if it is broken, or ``holds again``."""
        if self.claim.known is None or self.verdict in (UNDECIDED, UNJUDGED):
            return self.verdict
        return "known" if self.verdict == BROKEN else "holds again"

    @property
    def many(self) -> bool:
        """Whether the band is for each of several numbers, so that `value` is a share of them."""
        return self.cases > 1 and not getattr(self.claim, "mean", False)


def read(
    source: str | Path | None = None, game_name: str | None = None, game_of: Callable[[str], Game] = Game
) -> tuple[Gate, Game]:
    """Read a gate's file, and make its game.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of a shipped gate; by default the game's own.
    game_name : str, optional
        Name of the game that it must be about; by default any.
    game_of : callable
        Takes the name of a game; returns the game, with the cards that claims are about.

    Raises
    ------
    UsageError
        There is no such file, or no such game.
    CardError
        The file or the cards have faults; all are listed, each with file and line, including units, fields and values
        in claims that the cards don't have, and lists that can't fight each other.
    """
    draft = read_draft(source, game_name)
    game, wrong = None, list(draft.faults)
    of_cards: Sequence[Fault] = ()
    if draft.game is not None:
        try:
            game = game_of(draft.game)
        except CardError as error:
            of_cards = error.faults
        else:
            placed = draft.card_faults(game.ruleset, game.cards)
            placed += _unfair(game, draft, draft.broken | {place[:2] for place, _ in placed})
            wrong += with_lines(draft.path, placed)
    if draft.gate is None or game is None or wrong:
        raise CardError([*in_order(wrong), *of_cards])
    return draft.gate, game


def _unfair(game: Game, draft: Draft, broken: set[tuple[str | int, ...]]) -> Iterator[PlacedFault]:
    """Yield why the lists of a claim can't fight: a single trial is refused for the same reasons as all of them."""
    for name, claim in draft.claims.items():
        if ("claims", name) in broken:
            continue
        try:
            if claim["kind"] == "battle":
                meant = claims.BattleClaim.model_validate(claim)
                game.battle(meant.a, meant.b, **cases.terms_of(meant), simulate=1)
            elif claim["kind"] == "match":
                cases.question_of_claim(claims.MatchClaim.model_validate(claim), game)
        except UsageError as error:
            yield ("claims", name), str(error)


def judge(
    gate: Gate, game: Game, accepted: Mapping[str, Numbers], *, seed: int = 0, advance: Advance = lambda claims: None
) -> list[Judged]:
    """Return the verdicts on all claims of a gate, in its order.

    Where battles have to be rolled, the chance of a wrong verdict is shared out evenly among all such claims
    (Bonferroni), so that each has an interval of its own. Exact numbers take no share.

    Parameters
    ----------
    gate : Gate
        The gate: claims on a game.
    game : Game
        The game: a ruleset with its cards and variant.
    accepted : mapping of str to dict
        Accepted numbers, by measure (see `Gate.accepted`) and unit. Claims on measures that it lacks aren't judged.
    seed : int
        Seed of the dice.
    advance : callable
        Called with the number of claims done since the last call.

    Raises
    ------
    CardError
        Claims can't be judged in this game; their places are named.
    """
    evidence = Evidence(game, seed)
    judged: dict[str, Judged] = {}
    rolled: dict[str, tuple[claims.Rolled, str, Key]] = {}
    wrong: list[Fault] = []
    fights: dict[str, tuple[claims.BattleClaim, Sides]] = {}
    for name, claim in gate.claims.items():
        try:
            if isinstance(claim, claims.BaselineClaim) and claim.measure not in accepted:
                nothing = math.nan, math.nan, math.nan
                judged[name] = Judged(name, claim, UNJUDGED, *nothing, 0, (), note="there are no accepted numbers")
            elif isinstance(claim, claims.MatchClaim):
                what = f"{claim.a or 'a'}{cases.AGAINST}{claim.b or 'b'}, on {claim.board}"
                rolled[name] = claim, what, cases.units_of_match(claim, game)
            elif isinstance(claim, claims.BattleClaim):
                fights[name] = claim, cases.sides(claim, evidence)
            else:
                judged[name] = _of_cases(name, claim, evidence, accepted)
        except UsageError as error:
            wrong.append(gate.fault(name, str(error)))
        advance(name in judged)
    results = battles.fought(game, [lists for _, lists in fights.values()])
    for name, (fought, lists) in fights.items():
        try:
            result = next(results)
        except UsageError as error:  # which ends the battles behind it, too
            wrong.append(gate.fault(name, str(error)))
            break
        about = fought, f"{result.a}{cases.AGAINST}{result.b}", cases.units_of(lists)
        if result.engine == EXACT:
            judged[name] = _of_fights(name, *about, _solved(fought, result))
        else:
            rolled[name] = about
        advance(name in judged)
    if wrong:
        raise CardError(in_order(wrong))
    alpha = gate.alpha / max(len(rolled), 1)
    jobs = [_job(claim, evidence, alpha, gate.most_trials) for claim, *_ in rolled.values()]
    for (name, asked), found in zip(rolled.items(), battles.from_json(jobs), strict=True):
        judged[name] = _of_fights(name, *asked, Decision(*found))
        advance(1)
    return [judged[name] for name in gate.claims]


def _of_cases(name: str, claim: claims.OfCases, evidence: Evidence, accepted: Mapping[str, Numbers]) -> Judged:
    found = cases.of(claim, evidence, accepted)
    every = found.cases
    if not every:
        raise UsageError("found no unit, pair or group here that has such a number, expected one at least")
    outside = [one for one in every if not _beyond(one.value, claim.band) <= CLOSE]
    if isinstance(claim, claims.DuelClaim) and claim.mean:
        mean = math.fsum(one.value for one in every) / len(every)
        inside = _beyond(mean, claim.band) <= CLOSE
        outside = [] if inside else outside
        verdict, value, low, high = HOLDS if inside else BROKEN, mean, mean, mean
    else:
        share = 1 - len(outside) / len(every)
        verdict = HOLDS if share >= getattr(claim, "share", 1.0) - CLOSE else BROKEN
        value, low, high = every[0][2:] if len(every) == 1 else (share, share, share)
    outside.sort(key=lambda one: -_beyond(one.value, claim.band))
    by_battles = claims.priced(claim.kind, getattr(claim, "measure", None))
    note = "; ".join(filter(None, (found.left_out, _rolled_tables(evidence) if by_battles else "")))
    return Judged(name, claim, verdict, value, low, high, len(every), tuple(outside), note=note)


def _beyond(value: float, band: tuple[float, float]) -> float:
    return max(band[0] - value, value - band[1])


def _solved(claim: claims.BattleClaim, result: BattleNumbers) -> Decision:
    """Return the verdict on a battle that was solved, in the form of that on one that was rolled."""
    value = cases.number_of(result, claim.measure)
    return Decision(HOLDS if _beyond(value, claim.band) <= CLOSE else BROKEN, value, value, value, 0)


def _job(claim: claims.Rolled, evidence: Evidence, alpha: float, most: int) -> Job:
    """Return the job of a claim that is rolled, or played."""
    asked = claim.measure, claim.band, alpha
    if isinstance(claim, claims.MatchClaim):
        question = cases.question_of_claim(claim, evidence.game)
        met = meetings.meeting(question, claim.matches, evidence.seed, more=asked)
        return meetings.job(cases.plays, evidence.game, [met])
    return battles.job(cases.rolls, evidence.game, [cases.sides(claim, evidence, *asked, most)])


def _of_fights(name: str, claim: claims.Rolled, what: str, units: Key, found: Decision) -> Judged:
    """Return the verdict on battles or matches.

    Parameters
    ----------
    name, claim : str and claim
        Id of the claim, and the claim.
    what, units : str and tuple of str
        Who fights, in words and by ids.
    found : Decision
        The test, or the solution.
    """
    number = found.mean, found.low, found.high
    outside = (Case(what, units, *number),) if found.verdict == BROKEN else ()
    return Judged(name, claim, found.verdict, *number, 1, outside, ROLLED if found.n else EXACT, found.n)


def _rolled_tables(evidence: Evidence) -> str:
    """Return a note on battles behind prices that were rolled, since they are too large to be solved."""
    roster = evidence.roster
    count, pairs = roster.simulated_pairs, math.comb(len(roster.units), 2)
    return f"{count} of {pairs} pairs rolled, each to +-.015" if count else ""


def fails(judged: list[Judged], undecided: str) -> bool:
    """Return whether a gate fails: a claim is broken without being known to be, or couldn't be judged.

    Parameters
    ----------
    judged : list of Judged
        The claims of the gate with their verdicts.
    undecided : {"pass", "fail"}
        What an undecided claim does.
    """
    failing = (BROKEN, UNDECIDED) if undecided == "fail" else (BROKEN,)
    return any(one.verdict == UNJUDGED or (one.verdict in failing and one.claim.known is None) for one in judged)
