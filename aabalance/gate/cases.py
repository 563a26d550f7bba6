"""The numbers that a claim is about, each with the units that it belongs to: a function for each kind of claim."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from aabalance.analysis.battles import BattleRules, Sides, in_json
from aabalance.analysis.battles import sides as fought_lists
from aabalance.analysis.meetings import Meeting, Rules, question_of
from aabalance.definitions import claims
from aabalance.definitions.gate import rows_of
from aabalance.definitions.lists import chosen
from aabalance.engine import sampling
from aabalance.engine.arrays import FIRST_TRIAL, KEY, ROUNDS, TRIALS, Floats
from aabalance.engine.outcome import DRAW, A, B, BattleTally
from aabalance.errors import UsageError, counted
from aabalance.game import Game
from aabalance.gate.baseline import as_written
from aabalance.gate.evidence import Evidence, Key, Numbers, duel_numbers, groups_of, known
from aabalance.gate.sequential import Decision, decide
from aabalance.play.battle import BattleNumbers, BattleResult
from aabalance.play.match_question import MatchQuestion
from aabalance.play.result import SIDES, distance, words

EXACT, ROLLED = "exact", "monte_carlo"
OBSERVED = 16
"""Pairs of battles whose mean is one number for the test; the kernel takes little more time for them than for one."""
AGAINST = " v "
NAMED = 3
"""Most units without a number that are named."""
Asked = tuple[claims.OfFight, tuple[float, float], float]
"""A number of fights, its band, and the chance that a verdict on it is wrong."""
MATCHED = 4
"""Pairs of matches whose mean is one number for the test, a moving first in one of a pair, b in the other."""


class Case(NamedTuple):
    """One number that a claim is about.

    Attributes
    ----------
    name : str
        The units in words, and the situation if there are several.
    units : tuple of str
        Ids; the number is one of the first, against the others.
    value, low, high : float
        The number and its interval, whose ends equal it where it is exact. The interval of a worth says how much
        depends on which units it meets.
    """

    name: str
    units: Key
    value: float
    low: float
    high: float


class Cases(NamedTuple):
    """All numbers that a claim is about.

    Attributes
    ----------
    cases : list of Case
        The numbers, each with its units.
    left_out : str
        In words, how many units there is no number of, or no interval, and which; empty if none.
    """

    cases: list[Case]
    left_out: str = ""


def of(claim: claims.OfCases, evidence: Evidence, accepted: Mapping[str, Numbers]) -> Cases:
    """Return the numbers that a claim is about.

    Parameters
    ----------
    claim : OfCases
        The claim.
    evidence : Evidence
        The numbers of the game.
    accepted : mapping of str to dict
        Accepted numbers, by measure and unit.
    """
    match claim:
        case claims.UnitClaim():
            return of_units(claim, evidence)
        case claims.GroupClaim():
            return of_groups(claim, evidence)
        case claims.PairsClaim():
            return of_pairs(claim, evidence)
        case claims.DuelClaim():
            return of_duels(claim, evidence)
        case claims.BaselineClaim():
            return of_baseline(claim, evidence, accepted)


def of_units(claim: claims.UnitClaim, evidence: Evidence) -> Cases:
    """Return a number for each unit of a claim."""
    ids = chosen(evidence.game.ruleset, evidence.game.cards, claim.units)
    numbers = {key: number for key, number in evidence.of_units(claim.measure).items() if key[0] in ids}
    found = _cases(evidence, known(numbers))
    if claim.measure.startswith("worth"):
        found = [_with_ends(one, evidence, claim.measure) for one in found]
    without = {unit for one in found if math.isnan(one.low) for unit in one.units}
    missing = {*ids} - {unit for one in found for unit in one.units}
    said = _left_out(missing, "of no such number"), _left_out(without, "without an interval")
    return Cases(found, "; ".join(filter(None, said)))


def _with_ends(case: Case, evidence: Evidence, measure: str) -> Case:
    """Return the case of a worth with its interval."""
    [unit] = case.units
    worth, over = evidence.worth[unit], evidence.over(unit, measure)
    return case._replace(low=worth.low / over, high=worth.high / over)


def of_groups(claim: claims.GroupClaim, evidence: Evidence) -> Cases:
    """Return the mean score of each group of units against all other groups."""
    roster = evidence.roster
    ids = {*chosen(evidence.game.ruleset, evidence.game.cards, claim.units)} - roster.unpriced
    groups = groups_of(evidence.game, [unit for unit in roster.units if unit in ids], claim.by)
    places = {name: [roster.index(unit) for unit in units] for name, units in groups.items()}
    found = []
    for name, units in groups.items():
        others = sorted(at for group, some in places.items() if group != name for at in some)
        scores = evidence.scores[np.ix_(places[name], others)]
        if not np.isnan(scores).all():
            mean = float(np.nanmean(scores))
            found.append(Case(f"{name} ({len(units)})", tuple(units), mean, mean, mean))
    return Cases(found)


def of_pairs(claim: claims.PairsClaim, evidence: Evidence) -> Cases:
    """Return the score of each two units of a claim that can hurt each other, the better one first."""
    ids = set(chosen(evidence.game.ruleset, evidence.game.cards, claim.units))
    return Cases(_cases(evidence, {key: score for key, score in evidence.of_pairs().items() if ids.issuperset(key)}))


def of_duels(claim: claims.DuelClaim, evidence: Evidence) -> Cases:
    """Return a number for each duel of a claim; no unit meets itself unless it is the only one on both sides."""
    game = evidence.game
    a, b = (chosen(game.ruleset, game.cards, units) for units in (claim.a, claim.b))
    values, weights = duel_numbers(game, a, b, claim.situation, claim.rounds, claim.measure)
    where = [""]
    if claim.situation is None:
        values = (values @ weights)[..., None]
    else:
        moments = [game.moment(**fields) for fields in rows_of(claim.situation)]
        length = game.ruleset.labels.length.after
        where = [", ".join(filter(None, (distance(one.range_in, length), words(one)))) for one in moments]
    found = []
    for i, unit in enumerate(a):
        for j, other in enumerate(b):
            if unit == other and (len(a) > 1 or len(b) > 1):
                continue
            for at, value in zip(where, values[i, j].tolist(), strict=True):
                name = ", ".join(filter(None, (_named(evidence, (unit, other)), at)))
                found.append(Case(name, (unit, other), value, value, value))
    return Cases(found)


def of_baseline(claim: claims.BaselineClaim, evidence: Evidence, accepted: Mapping[str, Numbers]) -> Cases:
    """Return how far each number has moved since it was accepted: a worth relatively, others absolutely.

    Parameters are those of `of`.
    """
    before, now = known(accepted[claim.measure]), as_written(claim.measure, evidence.kept(claim.measure))
    moved = {key: _moved(before[key], now[key], claim.measure == "worth") for key in now if key in before}
    here, there = ({unit for key in some for unit in key} for some in (now, before))
    left = [_left_out(here - there, "not accepted yet"), _left_out(there - here, "gone")]
    return Cases(_cases(evidence, moved), "; ".join(filter(None, left)))


def terms_of(claim: claims.BattleClaim) -> dict[str, Any]:
    """Return the arguments of `aabalance.Game.battle` for a claim's battle, without its lists."""
    given = claim.model_dump(include={"actions", "mode", "rounds", "policy_a", "policy_b"})
    return {**given, **claim.situation}


def sides(claim: claims.BattleClaim, evidence: Evidence, *more: Any) -> Sides:
    """Return the battle of a claim, as a row of a sweep.

    Parameters
    ----------
    claim : BattleClaim
        The claim.
    evidence : Evidence
        The numbers of the game; it has the game and the seed.
    *more
        Further arguments of the sweep's work.
    """
    return fought_lists(evidence.game, claim.a, claim.b, {**terms_of(claim), "seed": evidence.seed}, *more)


def number_of(result: BattleNumbers, measure: claims.OfFight) -> float:
    """Return a number of a battle that was solved."""
    if measure == "score":
        return result.p_a + result.p_draw / 2
    if measure == "p_win":
        return result.p_a
    return float(getattr(result, measure))


def rolls(rules: BattleRules, rows: Sequence[Sides], _: Any) -> list[bytes]:
    """Return what `roll` gives for battles, as JSON: the work of a job.

    Parameters
    ----------
    rules : BattleRules
        The game's rules.
    rows : sequence of Sides
        The battles.
    _ : object
        The columns of the job, which has none.
    """
    found = []
    for row in rows:
        # A single trial, since only the packed battle in the result is needed.
        result = rules.empty.battle(row.a, row.b, **row.given, simulate=1)
        found.append(in_json(roll(result, *row.more)))
    return found


def roll(result: BattleResult, measure: claims.OfFight, band: tuple[float, float], alpha: float, most: int) -> Decision:
    """Roll a battle until a number of it is known to be within a band, or outside; see `sequential.decide`.

    Each trial is played twice on the same dice, once with either side moving first, so that the advantage of moving
    first cancels. A number for the test is the mean of `OBSERVED` such pairs.

    Parameters
    ----------
    result : BattleResult
        The battle.
    measure : str
        As in `aabalance.definitions.claims.BattleClaim`.
    band : (float, float)
        Least and largest mean that keep the claim.
    alpha : float
        Chance that the verdict is wrong.
    most : int
        Battles after which it is undecided; a trial that is played twice counts as two.
    """
    from aabalance.engine import rng

    of = result.replay
    key = rng.stream_key(of.seed, *of.question.names())
    runs = [of.run(who) for who in SIDES]

    def share(run: sampling.Run[BattleTally], side: int, at: int, count: int) -> Floats:
        """Return a side's measure in `count` batches, from number `at` on; in a run one side always moves first."""
        rows = np.zeros((count, 5), dtype=np.uint64)
        rows[:, KEY], rows[:, ROUNDS] = key, run.rounds
        rows[:, FIRST_TRIAL], rows[:, TRIALS] = np.arange(at, at + count) * OBSERVED, OBSERVED
        counts = run.rolls.roll(rows)
        won = {"p_win": counts[:, side], "p_draw": counts[:, DRAW]}
        shares: Floats = won.get(measure, counts[:, side] + counts[:, DRAW] / 2) / OBSERVED
        return shares

    def by_seat(at: int, count: int) -> tuple[Floats, Floats]:
        # In the second half b moves first: whoever does is the first side in the kernel's counts.
        first, second = pool.map(share, runs, (A, B), (at, at), (count, count))
        return first, second

    with sampling.threads() as pool:
        return tested(by_seat, (measure, band, alpha), most, 2 * OBSERVED)


def tested(by_seat: Callable[[int, int], tuple[Floats, Floats]], asked: Asked, most: int, fights: int) -> Decision:
    """Look at more and more numbers of fights until their mean is known to be within a band, or outside.

    Parameters
    ----------
    by_seat : callable
        Takes the place of the first number and a count; returns as many numbers of a moving first, and of b.
    asked : Asked
        The number, its band, and the chance that the verdict is wrong.
    most, fights : int
        Most fights, and how many there are for a number.
    """
    measure, band, alpha = asked
    # The test wants numbers from 0 to 1; the difference between moving first and second is from -1 to 1.
    least, width = (-1, 2) if measure == "first_turn_gap" else (0, 1)

    def observe(at: int, count: int) -> Floats:
        first, second = by_seat(at, count)
        return (first - second - least) / width if least else (first + second) / 2

    scaled = (band[0] - least) / width, (band[1] - least) / width
    found = decide(observe, scaled, alpha, max(most // fights, 1))
    mean, low, high = (value * width + least for value in (found.mean, found.low, found.high))
    return found._replace(mean=mean, low=low, high=high, n=found.n * fights)


def units_of(lists: Sides) -> Key:
    """Return the ids of the units of a battle, each once."""
    return tuple(dict.fromkeys(card.id for card in (*lists.a, *lists.b)))


def _cases(evidence: Evidence, of: Numbers) -> list[Case]:
    return [Case(_named(evidence, key), key, value, value, value) for key, value in of.items()]


def _named(evidence: Evidence, key: Key) -> str:
    return AGAINST.join(evidence.game.cards[unit].name for unit in key)


def _moved(before: float, now: float, relative: bool) -> float:
    """Return a change; 0 between two numbers that are both infinite."""
    if math.isinf(before) or math.isinf(now):
        return 0.0 if before == now else math.copysign(math.inf, now if math.isinf(now) else -before)
    return now / before - 1 if relative else now - before


def _left_out(units: set[str], why: str) -> str:
    named = ", ".join([*sorted(units)[:NAMED], *(["..."] if len(units) > NAMED else [])])
    return f"{counted(len(units), 'unit')} {why} ({named})" if units else ""


def question_of_claim(claim: claims.MatchClaim, game: Game) -> MatchQuestion:
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


def units_of_match(claim: claims.MatchClaim, game: Game) -> Key:
    """Return the ids of the units that a claim's lists bring, each once."""
    return tuple(dict.fromkeys(card.id for side in question_of_claim(claim, game).lists for card in side.units))


def plays(rules: Rules, rows: Sequence[Meeting], _: Any) -> list[bytes]:
    """Return the test of each claim as JSON; see `aabalance.jobs.sweeps`."""
    from aabalance.engine import sampling
    from aabalance.engine.match import arena
    from aabalance.play.match_question import prepared
    from aabalance.rulesets.base.match import DRAWN, RESULT, WON_BY_A

    found = []
    for row in rows:
        played = prepared(question_of(rules, row), row.seed)
        measure, band, alpha = row.more

        def by_seat(at: int, count: int, played: Any = played, measure: str = measure) -> tuple[Floats, Floats]:
            """Return a's measure in each batch, of even matches, in which a moves first, and of odd ones."""
            each = 2 * MATCHED
            result = arena.play(played.match, each * at, each * count, executor=pool)[:, RESULT]
            won, drawn = result == WON_BY_A, result == DRAWN
            share = {"p_win": won, "p_draw": drawn}.get(measure, won + drawn / 2)
            means = share.reshape(count, MATCHED, 2).mean(axis=1)
            return means[:, 0], means[:, 1]

        with sampling.threads() as pool:
            found.append(in_json(tested(by_seat, (measure, band, alpha), row.matches, 2 * MATCHED)))
    return found
