"""What players think that things are worth, tuned by self-play: ``benchmarks.weights GAME [BOARD[:MISSION]...]``.

A race by successive halving over sets of weights that are drawn around the game's own. Each plays, with greedy players,
against the game's own, from both seats on the same dice. The next race draws around the winner, more closely. In the
end the winner plays on fresh dice, and the curve is fitted by which what a state is worth becomes a chance to win.

A game of your own is tuned as it is: it needs ``tables.weight``, and lists in ``reports/GAME.ladder.toml``.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from aabalance import Game
from aabalance.engine import jit
from aabalance.engine.arrays import Floats
from aabalance.engine.match.arena import Course, Match
from aabalance.engine.match.players.luck import CERTAIN
from aabalance.play.match_question import prepared
from aabalance.rulesets.base.match import ALL, DRAWN, WON_BY_A, WON_BY_B, weigh
from benchmarks.matchups import SEED

Weights = dict[str, float]

SPREADS = 0.5, 0.4, 0.3, 0.2
"""Spread of the logarithms of the weights, by race."""
SETS, PAIRS = 32, 16
"""Sets of weights in a race, and pairs of matches of each in its first lap; twice as many in each next one."""
FRESH = 512
"""Pairs of matches in the end."""
VARIANTS, ALIKE = 8, 0.2
"""Lists in the races, and as many others in the end; the most by which costs of units may differ that change places."""
RACE = 1_000_000
"""Numbers of matches of a race; those below are of the end."""
SCORE = {WON_BY_A: 1.0, WON_BY_B: 0.0, DRAWN: 0.5}


class Task(NamedTuple):
    """Pairs of matches on a board: those of one number begin and roll alike, with seats swapped."""

    game: str
    board: str
    own: Weights
    other: Weights
    numbers: range


@cache
def match_of(game: str, board: str, variant: int = 0) -> Match:
    """Return the matches of the lists of the game's ladder on a board, or of a variant of them, the same on both sides.

    In a variant, each unit makes way for one of its class that costs about as much.
    """
    bound, dice = Game(game), np.random.default_rng(variant)
    cost = {name: bound.ruleset.cost(card) for name, card in bound.cards.items()}
    kind = {name: bound.ruleset.roster.category(card) for name, card in bound.cards.items()}
    lists = ladder(game)["lists"]
    if variant and lists:
        units = lists[0].split(",")
        alike = [
            [name for name in cost if kind[name] == kind[unit] and abs(cost[name] / cost[unit] - 1) <= ALIKE]
            for unit in units
        ]
        lists = [",".join(str(dice.choice(names)) for names in alike)] * 2
    place, _, mission = board.partition(":")
    return prepared(bound.match_question(*lists, board=place, mission=mission or None), SEED).match


def ladder(game: str) -> dict[str, Any]:
    """Return the game's ladder: a board and lists."""
    return tomllib.loads(Path("reports", f"{game}.ladder.toml").read_text("utf-8"))


def weights_of(match: Match) -> Weights:
    """Return the game's own weights."""
    weight = match.starts[0][0].weight
    return {name: float(weight[name]) for name in weight.dtype.names}


def variant(number: int) -> int:
    """Return the lists of a match by its number."""
    return number % VARIANTS + VARIANTS * (number < RACE)


def scores(task: Task) -> list[float]:
    """Return the score of the own weights in each pair of matches."""
    found = []
    for number in task.numbers:
        match = match_of(task.game, task.board, variant(number))
        score, other = (
            won(match, number // VARIANTS, pair) for pair in ((task.own, task.other), (task.other, task.own))
        )
        found.append((score + 1 - other) / 2)
    return found


def won(match: Match, number: int, weights: tuple[Weights, Weights]) -> float:
    """Return the score of a in a match in which each side has weights of its own."""
    course = Course(match, number, jit.compiled)
    while not course.is_over:
        weigh(course.tables, weights[match.rules.to_move(course.states[0])])
        course.go(1)
    return SCORE[int(match.rules.result(course.states[0]))]


def drawn(weights: Weights, spread: Weights, rng: np.random.Generator) -> Weights:
    """Return weights drawn around others, by the spread of the logarithm of each."""
    return {name: weight * float(np.exp(spread[name] * rng.standard_normal())) for name, weight in weights.items()}


def race(pool: Executor, game: str, boards: Sequence[str], around: Weights, spread: Weights, seed: int) -> Weights:
    """Return the weights that win a race of `SETS`, of which `around` is one."""
    rng, own = np.random.default_rng(seed), weights_of(match_of(game, boards[0]))
    field = [around, *(drawn(around, spread, rng) for _ in range(SETS - 1))]
    sums, played, pairs = np.zeros(SETS), 0, PAIRS
    while len(field) > 1:
        # Numbers of its own for each race: what is won by luck in one says nothing in the next.
        first = seed * RACE + played
        parts = [(board, range(first + at, first + pairs, len(boards))) for at, board in enumerate(boards)]
        tasks = [Task(game, board, one, own, numbers) for one in field for board, numbers in parts]
        sums += np.array([sum(of) for of in pool.map(scores, tasks)]).reshape(len(field), len(boards)).sum(axis=1)
        played, pairs = played + pairs, 2 * pairs
        kept = np.argsort(-sums, kind="stable")[: len(field) // 2]
        field, sums = [field[of] for of in kept], sums[kept]
    return field[0]


def leads(task: Task) -> tuple[Floats, Floats]:
    """Return a's lead in value where turns begin, in matches between players with the own weights, and a's scores."""
    found: list[Floats] = []
    for number in task.numbers:
        match = match_of(task.game, task.board, variant(number))
        rules, course, mover, lead = match.rules, Course(match, number // VARIANTS, jit.compiled), -1, []
        weigh(course.tables, task.own)
        while not course.is_over:
            state = course.states[0]
            if rules.to_move(state) != mover:
                mover = rules.to_move(state)
                a, b = (rules.value(course.tables, state, side, ALL) for side in (0, 1))
                lead.append((a - b) / 2)
            course.go(1)
        score = SCORE[int(rules.result(course.states[0]))]
        found.append(np.array([lead, [score] * len(lead)]))
    lead, score = np.concatenate(found, axis=1)
    return lead, score


def curve(lead: Floats, score: Floats) -> float:
    """Return by how much a has to lead for a chance of 73 % to win, fitted to leads and to who won (logistic curve)."""

    def loss(scale: float) -> float:
        logit = np.clip(lead / np.exp(scale), -CERTAIN, CERTAIN)
        return float(np.mean(np.logaddexp(0, -logit) + (1 - score) * logit))

    return float(np.exp(minimize_scalar(loss, bounds=(-3, 6), method="bounded").x))


def main() -> None:
    """Tune, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("board", nargs="*")
    parser.add_argument(
        "--only",
        metavar="WEIGHT,...",
        help="Tune only these weights, such as those for a single mission; by default all.",
    )
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    boards = given.board or [ladder(given.game)["board"]]
    own = best = weights_of(match_of(given.game, boards[0]))
    won(match_of(given.game, boards[0]), 0, (own, own))  # compiled once, before the others need it
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for seed, width in enumerate(SPREADS, 1):
            spread = {name: width * (not given.only or name in given.only.split(",")) for name in own}
            best = race(pool, given.game, boards, best, spread, seed)
            print(f"race {seed}:", {name: round(weight, 3) for name, weight in best.items()}, flush=True)
        parts = [range(first, first + PAIRS) for first in range(0, FRESH, PAIRS)]
        for board in boards:
            tasks = [Task(given.game, board, best, own, part) for part in parts]
            found = np.concatenate([*pool.map(scores, tasks)])
            half = 1.96 * found.std() / math.sqrt(len(found))
            low, high = found.mean() - half, found.mean() + half
            seen = pool.map(leads, tasks)
            scale = curve(*np.concatenate([*seen], axis=1))
            print(f"{board}: {found.mean():.3f} ({low:.3f} to {high:.3f}) against the game's own; curve {scale:.1f}")


if __name__ == "__main__":
    main()
