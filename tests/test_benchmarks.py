"""The baselines of `python -m benchmarks` play the same duels as the kernel: slower ways to the same thing."""

from __future__ import annotations

import importlib
import json
import math
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from aabalance.engine import sampling

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("M1", "M1c", "M2")
TRIALS = 40_000
FAR = 5
"""Standard deviations."""


@pytest.fixture(scope="module")
def bench():
    """The modules of ``benchmarks/``, which no wheel holds."""
    pytest.importorskip("icepool")
    names = (
        "battles",
        "board_worth",
        "matches",
        "explorer",
        "icepool_odds",
        "lists",
        "matchups",
        "measure",
        "numpy_duels",
        "plain_duels",
        "raw_words",
        "recovery",
        "__main__",
        "scalar_duels",
        "weights",
    )
    try:
        yield type("Bench", (), {name: importlib.import_module(f"benchmarks.{name}") for name in names})
    finally:
        sys.path.remove(str(ROOT))


def _spread(found):
    """Return the standard deviation of the player turns of a duel."""
    ends = np.array(found.duel.ending_turns(200))
    played = np.arange(1, 401)
    mean = ends @ played
    return math.sqrt(ends @ (played - mean) ** 2)


def _counts(tally):
    return [tally.wins_a, tally.wins_b, tally.draws, tally.player_turns]


def _check(counts, found):
    n = sum(counts[:3])
    for count, p in zip(counts, found.outcome[:3], strict=False):
        assert abs(count - n * p) <= FAR * math.sqrt(n * max(p * (1 - p), 0)) + 1e-3
    assert abs(counts[3] / n - found.outcome.player_turns) < FAR * _spread(found) / math.sqrt(n)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_scalar_duels__count_as_the_kernel_does(bench, name):
    run = bench.matchups.matchup(name).run
    for first, trials, rounds in ((0, TRIALS, 200), (12345, 3000, 2), (1, 1, 200)):
        limited = run._replace(rounds=rounds)
        counts = sampling.simulate(limited, first, trials)
        assert bench.scalar_duels.duels(limited, first, trials) == _counts(counts)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_baselines__play_the_same_duel(bench, name):
    found = bench.matchups.matchup(name)
    generator, plain = np.random.default_rng(1), random.Random(1)
    duels, matchups = bench.numpy_duels, bench.matchups
    _check(_counts(sampling.simulate(found.run, 0, TRIALS)), found)
    _check(duels.by_rules(found.tanks, matchups.RANGE_IN, TRIALS, 200, generator), found)
    _check(duels.by_tables(found.tables, TRIALS, 200, generator), found)
    _check(bench.plain_duels.duels(found.tanks, matchups.RANGE_IN, TRIALS, 200, plain), found)


@pytest.mark.parametrize("name", NAMES)
def test_icepool_odds__are_the_exact_solver_s(bench, name):
    found = bench.matchups.matchup(name)
    assert [float(p) for p in bench.icepool_odds.duel(found.tables)] == pytest.approx(found.outcome[:2], abs=1e-12)


def test_raw_words__are_as_many_as_asked_for(bench):
    from aabalance.engine import rng

    words = [rng.philox(np.uint64(5), np.uint64(0), np.uint64(k)) for k in range(10)]
    assert bench.raw_words.draw(5, 10) == sum(int(low ^ high) for low, high in words) % 2**64


def test_row__a_promise_is_kept_or_not(bench):
    row = bench.measure.Row
    assert row("", "", 3.0, "x", least=3).kept
    assert not row("", "", 16.0, "us", most=15).kept
    assert row("", "", 1.0, "x").kept is None


def test_run__prints_json_or_text(bench, monkeypatch):
    run = bench.__main__
    rows = [run.Row("kernel", "M1", 12.3, "x", least=12)]
    for part in ("_duel_rows", "_batch_rows", "_thread_rows", "_start_rows"):
        monkeypatch.setattr(run, part, lambda *_: rows)
    for module in (bench.battles, bench.matches, bench.explorer, bench.recovery, bench.lists, bench.board_worth):
        monkeypatch.setattr(module, "rows", lambda _: rows)
    monkeypatch.setattr(run, "_growth_row", lambda *_: rows[0])
    found = json.loads(CliRunner().invoke(run.main, ["--json", "--quick"], catch_exceptions=False).output)
    assert found["machine"]["vector_bits"] in (128, 256, 512)
    assert found["rows"][0]["kept"] is True
    assert ">= 12: kept" in CliRunner().invoke(run.main, ["--quick"], catch_exceptions=False).output


@pytest.mark.slow
def test_weights__the_same_are_even_and_the_opposite_loses(bench):
    weights = bench.weights
    own = weights.weights_of(weights.match_of("skirmish_wars", "last_stand"))
    wild = {name: -weight for name, weight in own.items()}
    scores = {
        name: weights.scores(weights.Task("skirmish_wars", "last_stand", one, own, range(16)))
        for name, one in {"same": own, "wild": wild}.items()
    }
    assert scores["same"] == [0.5] * 16
    assert np.mean(scores["wild"]) < 0.5


def test_weights__a_curve_is_found_again(bench):
    rng = np.random.default_rng(0)
    lead = rng.normal(0, 20, 20_000)
    score = (rng.random(20_000) < 1 / (1 + np.exp(-lead / 7))).astype(float)
    assert bench.weights.curve(lead, score) == pytest.approx(7, rel=0.1)


def test_weights__lists_of_a_number_are_those_of_its_race_or_of_the_end(bench):
    weights = bench.weights
    ends, races = ({weights.variant(first + n) for n in range(100)} for first in (0, weights.RACE))
    assert len(ends) == len(races) == weights.VARIANTS
    assert not ends & races
