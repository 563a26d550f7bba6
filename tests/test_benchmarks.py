"""The baselines of `python -m benchmarks` play the same duels as the kernel: slower ways to the same thing."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from aabalance.engine import jit, sampling
from aabalance.engine.match.players import search

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("M1", "M1c", "M2")
TRIALS = 40_000
FAR = 5
"""Standard deviations."""
PARTS = "__main__", "battles", "matches", "lists", "recovery", "board_worth", "explorer"
TINY = {
    "rounds": 0,
    "slow_rounds": 0,
    "trials": 4000,
    "plain_trials": 2,
    "largest": 3,
    "processes": 1,
    "battle_seconds": 0.002,
    "changes": 2,
    "followed": 0,
    "matches": 2,
    "plain_matches": 1,
    "rosters": 1,
    "full": False,
}
UNITS = {"", "x", "0-1", "/s", "s", "s of CPU", "ms", "us", "ns", "duels", "ns/duel", "ns/battle", "ns/shot"}


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


@pytest.mark.parametrize(("rounds", "median"), [(0, 9), (1, 2), (3, 4)])
def test_interleaved__the_first_round_counts_only_if_there_is_no_other(bench, rounds, median):
    ticks = iter([0, 9, 10, 12, 20, 24, 30, 37])
    assert bench.measure.interleaved({"piece": lambda: None}, rounds, lambda: next(ticks)) == {"piece": median}


def test_row__a_promise_is_kept_or_not(bench):
    row = bench.measure.Row
    assert row("", "", 3.0, "x", least=3).kept
    assert not row("", "", 16.0, "us", most=15).kept
    assert row("", "", 1.0, "x").kept is None


@pytest.mark.parametrize(
    ("value", "unit", "bounds", "promise", "is_broken"),
    [
        (12.3, "x", (12, None), ">= 12: kept", False),
        (11.9, "x", (12, None), ">= 12: not kept", True),
        (0.97, "0-1", (0.85, 0.95), ">= 0.85, <= 0.95: not kept", True),
        (0.84, "0-1", (0.85, 0.95), ">= 0.85, <= 0.95: not kept", True),
        (19_000.0, "/s", (30_000, None), ">= 30000, for orientation: not kept", False),
        (14.0, "us", (None, 15), "<= 15, for orientation: kept", False),
        (None, "left out: why", (12, None), "", False),
    ],
)
def test_row__a_ratio_may_be_broken_and_a_time_is_for_orientation(bench, value, unit, bounds, promise, is_broken):
    row = bench.measure.Row("", "", value, unit, *bounds)
    assert (row.words[-1], row.is_broken) == (promise, is_broken)


def test_show__prints_all_lines_and_a_broken_one_ends_with_1(bench, capsys):
    row = bench.measure.Row
    bench.measure.show([row("kernel", "M1", 12.3, "x", least=12), row("first duel", "M1", 7.0, "s of CPU", most=5)])
    capsys.readouterr()
    with pytest.raises(SystemExit, match="1"):
        bench.measure.show([row("kernel", "M1", 11.0, "x", least=12), row("copy", "M1", 4.0, "ns")])
    assert capsys.readouterr().out == "kernel  M1  11  x  >= 12: not kept\ncopy  M1  4  ns  \n"


def _run(bench, monkeypatch, value, *options):
    rows = [bench.measure.Row("kernel", "M1", value, "x", least=12), bench.measure.Row("other", "M1", None, "left out")]
    monkeypatch.setattr(bench.__main__, "PARTS", (lambda _: rows,))
    return CliRunner().invoke(bench.__main__.main, ["--quick", *options])


def test_run__prints_json_or_text(bench, monkeypatch):
    found = json.loads(_run(bench, monkeypatch, 12.3, "--json").output)
    assert found["machine"]["vector_bits"] in (128, 256, 512)
    assert [row["kept"] for row in found["rows"]] == [True, None]
    said = _run(bench, monkeypatch, 12.3).output
    assert ">= 12: kept" in said
    assert "left out" in said


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_run__a_broken_promise_ends_with_1(bench, monkeypatch, options):
    assert [_run(bench, monkeypatch, value, *options).exit_code for value in (12.3, 11.9)] == [0, 1]


def test_run__has_all_parts(bench):
    assert {part.__module__ for part in bench.__main__.PARTS} == {f"benchmarks.{name}" for name in PARTS}


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_rows__are_measured(bench, name):
    found = list(getattr(bench, name).rows(bench.measure.Effort(**TINY)))
    assert len({row[:2] + row[3:4] for row in found}) == len(found)
    for row in found:
        if row.value is None:
            assert row.unit.startswith("left out: ")
        else:
            assert 0 <= row.value < math.inf
            assert row.unit in UNITS
    of_open_spiel = [row for row in found if "OpenSpiel" in row.what]
    assert bool(of_open_spiel) == (name == "matches")
    for row in of_open_spiel:
        assert row.case.endswith(("3 turns v random matches", "3 turns: greedy decisions v random ones"))
        assert (row.value is None) == (importlib.util.find_spec("pyspiel") is None)


@pytest.mark.slow
def test_searching__counts_the_playouts_that_are_made(bench):
    """Of 20, four plans make 8 in their first lap, and two 10: fewer than were asked for."""
    found, made = bench.matches.searching(20, jit.plain, 1), 0

    def seen(frame, event, _):
        nonlocal made
        made += event == "call" and frame.f_code is search.playout.__code__

    sys.setprofile(seen)
    try:
        found.decide()
    finally:
        sys.setprofile(None)
    assert found.playouts == made == 18


@pytest.mark.slow
def test_weights__the_same_are_even_and_the_opposite_loses(bench):
    weights = bench.weights
    own = weights.weights_of(weights.match_of("skirmish_wars", "last_stand"))
    wild = {name: -weight for name, weight in own.items()}
    scores = {
        name: weights.scores(weights.Task("skirmish_wars", "last_stand", one, own, range(64)))
        for name, one in {"same": own, "wild": wild}.items()
    }
    assert scores["same"] == [0.5] * 64
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
