"""The kernel and what runs it: known answers, exact probabilities, and counts that nothing but the seed may change."""

from __future__ import annotations

import ast
import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from random import Random
from threading import Event, Timer, main_thread
from typing import Any

import numpy as np
import pytest
from handmade import at, he, vehicle
from scipy.stats import binomtest, t

import aabalance as aab
from aabalance.engine import fights, jit, rng, sampling
from aabalance.engine.hit_points import kernel
from aabalance.engine.outcome import Outcome, Tally, total
from aabalance.play.duel import DuelQuestion
from aabalance.play.sample import most_trials
from aabalance.provenance import sources_hash
from aabalance.rulesets import OURS

ROOT = Path(__file__).resolve().parents[1]
TRIALS = 20_000
MOST_Z = 5.0


def walk(game: aab.Game, a: Any, b: Any, range_in: float, postures: tuple[str, str], **situation: Any) -> Any:
    """Return the tables of a duel in which a moves first."""
    return game.turn_graph(a, b, range_in=range_in, postures=postures, **situation)


def tables_of(game: aab.Game, a: str, b: str, range_in: float) -> Any:
    """Return a duel of units that hold, in which a moves first."""
    question = DuelQuestion(
        game.ruleset, game.variant, (game.card(a), game.card(b)), game.situation(), range_in, ("hold", "hold")
    )
    return fights.tables(game.ruleset.fight).duel(question.players(), range_in)


def worst_z(tally: Tally, found: Outcome) -> float:
    """Return how many standard errors counts are off, at most."""
    worst = 0.0
    for count, p in zip(tally[:4], found[:4], strict=True):
        spread = math.sqrt(max(p * (1 - p), 1e-9) * tally.trials)
        worst = max(worst, abs(count - p * tally.trials) / spread)
    return worst


# --- random numbers ---------------------------------------------------------------------------------------------

KNOWN_ANSWERS = [  # Random123, kat_vectors, philox4x32 10: counter, key, output
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def pair(low: int, high: int) -> np.uint64:
    return np.uint64(low | high << 32)


@pytest.mark.parametrize("philox", [rng.philox, jit.compiled(rng.philox)], ids=["plain", "compiled"])
@pytest.mark.parametrize(("counter", "key", "output"), KNOWN_ANSWERS)
def test_philox__gives_the_published_known_answers(philox: Any, counter: Any, key: Any, output: Any) -> None:
    with np.errstate(over="ignore"):
        words = philox(pair(*key), pair(*counter[2:]), pair(*counter[:2]))
    assert tuple(map(int, words)) == (int(pair(*output[:2])), int(pair(*output[2:])))


def test_stream_key__hangs_on_seed_and_names_alone() -> None:
    assert rng.stream_key(1, "a", "b") == 0xB542A4D68D3F6F98  # on every machine, in every version
    keys = {rng.stream_key(seed, *names) for seed in (0, 1) for names in (("a", "b"), ("b", "a"), ("ab", ""))}
    assert len(keys) == 6


# --- kernel v exact ---------------------------------------------------------------------------------------------

GAMES = [
    {},
    {"resolution": "two_dice"},
    {"resolution": "two_dice", "reroll_scope": "both"},
    {"resolution": "sum"},
    {"reroll_limit": None},
    {"hit_mods_affect_penetration": False},
    {"range_boundary": "strict"},
]
POSTURES = ("hold", "close:0", "close:9", "cautious:6")


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: ", ".join(f"{k}={v}" for k, v in variant.items()))
def test_kernel__agrees_with_the_exact_solver_on_random_matchups(variant: dict[str, Any]) -> None:
    game = aab.Game(variant=variant)
    random = Random(str(variant))
    for n in range(45):
        a, b = (game.cards[i] for i in random.choices(list(game.cards), k=2))
        situation = {"facing": random.choice(("front", "side", "rear")), "walls": random.choice((0, 0, 1))}
        rounds = random.choice((2, 6, 30))
        duel = walk(
            game,
            a,
            b,
            random.choice((4, 10, 17, 28, 40)),
            (random.choice(POSTURES), random.choice(POSTURES)),
            **situation,
        )
        run = sampling.prepare(duel.rolls(), n, (a.id, b.id), rounds)
        tally = sampling.simulate(run, 0, TRIALS)
        assert worst_z(tally, duel.solve(rounds)) < MOST_Z, (a.id, b.id, situation, rounds)


def test_kernel__a_threshold_off_by_one_is_seen() -> None:
    game = aab.Game()
    duel = walk(game, vehicle(), vehicle(), 15, ("hold", "hold"))
    found = duel.solve()
    run: Any = sampling.prepare(duel.rolls(), 1, ("a", "b"), None)
    assert worst_z(sampling.simulate(run, 0, TRIALS * 10), found) < MOST_Z
    run.rolls.entries[0] += 1
    assert worst_z(sampling.simulate(run, 0, TRIALS * 10), found) > MOST_Z


def test_kernel__duels_end_when_the_exact_solver_says() -> None:
    game = aab.Game()
    duel = walk(game, vehicle(he(24), hp=41), vehicle(at(11, 7)), 20, ("close:6", "hold"))
    ends = duel.ending_turns(40)
    for rounds in (1, 2, 3, 5, 8, 40):
        tally = sampling.simulate(sampling.prepare(duel.rolls(), 5, ("a", "b"), rounds), 0, 200_000)
        for count, p in ((tally.wins_a, sum(ends[: 2 * rounds : 2])), (tally.wins_b, sum(ends[1 : 2 * rounds : 2]))):
            assert abs(count - p * 200_000) <= MOST_Z * math.sqrt(max(p * (1 - p), 1e-9) * 200_000)


# --- what may not change a count --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run() -> sampling.Run:
    game = aab.Game()
    fast, slow = vehicle(keywords={"autocannon": 4, "rapid_fire": True}), vehicle(keywords={"long_reload": True})
    duel = walk(game, fast, slow, 30, ("close:6", "cautious:9"))
    return sampling.prepare(duel.rolls(), 3, ("a", "b"), 50)


def test_simulate__any_split_of_the_trials_gives_the_same_counts(run: sampling.Run) -> None:
    whole = sampling.simulate(run, 0, 30_000)
    for cut in (1, 1000, kernel.LANES, 12_345):
        assert total([sampling.simulate(run, 0, cut), sampling.simulate(run, cut, 30_000 - cut)]) == whole


def processes(workers: int) -> ProcessPoolExecutor:
    """Return processes that share nothing with this one, as they start on every system."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


@pytest.mark.slow
@pytest.mark.parametrize(("pool", "workers"), [*((ThreadPoolExecutor, n) for n in (1, 2, 3)), (processes, 2)])
def test_simulate__any_executor_gives_the_same_counts(
    run: sampling.Run, pool: Callable[[int], Executor], workers: int
) -> None:
    trials = 4_000_000
    with pool(workers) as executor:
        parts: list[int] = []
        found = sampling.simulate(run, 0, trials, executor=executor, advance=parts.append)
    alone = sampling.simulate(run, 0, trials)
    assert len(parts) > 3
    assert sum(parts) == trials
    assert found == alone


@pytest.mark.slow
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, processes], ids=["threads", "processes"])
def test_matchups__any_executor_gives_the_same_bytes_in_every_game(pool: Callable[[int], Executor]) -> None:
    rosters = {}
    for name in OURS:
        game = aab.Game(name)
        fighters = [i for i, card in game.cards.items() if getattr(card, "kind", "") not in ("obstacle", "aircraft")]
        units = fighters[:: len(fighters) // 3][:3]
        rosters[name] = game, aab.Situations.of(game, {"range_in": {1: 0.5, 4: 0.5}}), units

    def table(name: str, executor: Executor | None) -> str:
        game, situations, units = rosters[name]
        sides = {"attackers": units, "targets": units}
        steps: list[int] = []
        # So many trials that they are rolled in more parts than one, and that a part ends within a matchup.
        rolls = {"simulate": 15_000, "seed": 5, "advance": steps.append}
        with aab.sweeping(executor=executor):
            found = aab.matchups(game, situations, **sides, **rolls)
        assert sum(steps) == len(units)
        return found.to_csv()

    alone = {name: table(name, None) for name in rosters}
    for workers in (1, 2, 3):
        with pool(workers) as executor:
            for name in rosters:
                assert table(name, executor) == alone[name], (name, workers)


@pytest.mark.skipif(sys.platform == "win32", reason="no signal reaches a thread that waits there")
def test_matchups__an_interrupt_takes_back_what_nobody_waits_for() -> None:
    class Stuck(ThreadPoolExecutor):
        """Is interrupted while its first task, which never ends, is waited for."""

        def submit(self, *call: Any) -> Any:
            if not futures:
                Timer(0.5, signal.pthread_kill, (main_thread().ident, signal.SIGINT)).start()
            futures.append(super().submit(blocked.wait, 60))
            return futures[-1]

    futures: list[Future[Any]] = []
    blocked = Event()
    with Stuck(1) as executor:
        with pytest.raises(KeyboardInterrupt), aab.sweeping(executor=executor):
            aab.matchups(aab.Game("skirmish_wars"), simulate=10**6)
        assert len(futures) > 2
        assert all(future.cancelled() for future in futures[1:])
        blocked.set()


@pytest.mark.parametrize("name", OURS)
def test_duel__a_card_has_the_dice_of_its_id(name: str) -> None:
    game = aab.Game(name)
    even = (pair for pair in combinations(game.cards, 2) if 0.2 < game.duel(*pair, range_in=1).p_a < 0.8)
    a, b = next(even)
    rolls = {"range_in": 1, "simulate": 10_001, "seed": 3}
    by_id = game.duel(a, b, **rolls).to_dict()
    for pair in ((game.cards[a], game.cards[b]), (a, game.cards[b]), (game.cards[a], b)):
        assert game.duel(*pair, **rolls).to_dict() == by_id
    # A what-if has the same dice, under a name and a mark of its own.
    renamed = game.cards[a].model_copy(update={"name": "Another name"})
    named = {said: by_id[said] for said in ("a", "provenance", "sentence")}
    assert game.duel(renamed, b, **rolls).to_dict() | named == by_id


def test_duel__a_card_without_an_id_has_the_dice_of_its_name() -> None:
    game = aab.Game()
    one, other = vehicle(), vehicle(name="other")
    rolls = {"range_in": 18, "simulate": 10_001, "seed": 3}
    assert game.duel(one, one, **rolls) == game.duel(vehicle(), vehicle(), **rolls)
    assert game.duel(one, other, **rolls).p_a != game.duel(one, one, **rolls).p_a


def test_duel__tells_how_many_duels_are_rolled() -> None:
    game = aab.Game()
    for options in ({"simulate": 1}, {"simulate": 1001}, {"target_error": 0.003}):
        steps: list[int] = []
        found = game.duel("de_pz4h", "us_m4a1", range_in=18, advance=steps.append, **options)
        assert sum(steps) == found.trials
        assert min(steps) >= 0
    steps.clear()
    game.duel("de_pz4h", "us_m4a1", range_in=18, advance=steps.append)
    assert not steps


def test_matchups__simulated_rows_stay_when_units_are_added_and_equal_the_duel_alone() -> None:
    game = aab.Game()
    at = aab.Situations.of(game, {"range_in": {12: 0.5, 30: 0.5}})
    few, many = ["de_tiger1", "su_t34_85"], ["us_m18", "su_t34_85", "de_wespe", "de_tiger1", "inf_rifle"]
    small = aab.matchups(game, at, attackers=few, targets=few, simulate=501, seed=7)
    large = aab.matchups(game, at, attackers=many, targets=many, simulate=501, seed=7)
    key = ["attacker", "target", "range_in"]
    both = small.astype({"attacker": str, "target": str}).merge(large.astype({"attacker": str, "target": str}), on=key)
    assert len(both) == len(small)
    for column in ("p_win", "p_draw", "p_loss", "player_turns", "n", "ci_low", "ci_high"):
        assert (both[f"{column}_x"] == both[f"{column}_y"]).all(), column
    alone = game.duel("de_tiger1", "su_t34_85", range_in=30, simulate=501, seed=7)
    row = small.query("attacker == 'de_tiger1' and target == 'su_t34_85' and range_in == 30").iloc[0]
    assert (alone.p_a, alone.p_b, alone.p_a_ci) == (row["p_win"], row["p_loss"], (row["ci_low"], row["ci_high"]))


def test_duel__variants_on_one_seed_use_the_same_dice() -> None:
    units, at_30 = ("de_pz4h", "us_m4a1"), {"range_in": 30, "simulate": 20_000, "seed": 2}
    strict = aab.Game(variant={"range_boundary": "strict"})
    assert aab.Game().duel(*units, **at_30).p_a_ci != strict.duel(*units, **at_30).p_a_ci
    # At 29 inches the switch changes nothing, and so not one count.
    at_29 = at_30 | {"range_in": 29}
    assert aab.Game().duel(*units, **at_29) == strict.duel(*units, **at_29)


# --- intervals and stopping -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (1, 7), (333, 1000), (999_999, 1_000_000)])
def test_wilson__equals_scipy(successes: int, trials: int) -> None:
    low, high = binomtest(successes, trials).proportion_ci(method="wilson")
    assert sampling.wilson(successes, trials) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("numbers", [(1, 4), (0, 0, 3), tuple(range(2000)), (1, 1, 2) * 300])
def test_student__equals_scipy(numbers: tuple[int, ...]) -> None:
    found = sampling.student(sum(numbers), sum(number**2 for number in numbers), len(numbers))
    low, high = t.interval(
        0.95, len(numbers) - 1, loc=np.mean(numbers), scale=np.std(numbers, ddof=1) / len(numbers) ** 0.5
    )
    assert found == pytest.approx((max(low, 0), high), rel=1e-3)
    assert sampling.student(9, 27, 3) is None


@pytest.mark.parametrize(
    ("name", "pair", "range_in"),
    [
        ("armored_advance", ("us_m4a3_75w", "de_stug3g"), 18),
        ("armored_advance", ("uk_dingo", "uk_dingo"), 18),
        ("skirmish_wars", ("mech", "tank"), 1),
        ("forumini", ("us_m4a1_sherman", "de_panzer_iv_ausf_g"), 1),
    ],
)
def test_simulate__counts_the_squares_of_each_trials_turns(name: str, pair: tuple[str, str], range_in: int) -> None:
    rounds = 3
    fight = tables_of(aab.Game(name), *pair, range_in)
    run = sampling.prepare(fight.rolls(), 5, ("a", "b"), rounds)
    each = [sampling.simulate(run, trial, 1).player_turns for trial in range(50)]
    assert sampling.simulate(run, 0, 50)[4:] == (sum(each), sum(turns**2 for turns in each))
    many = sampling.roll(fight.rolls(), np.array([run.key], dtype=np.uint64), 50, rounds)
    assert (many.player_turns.item(), many.squares.item()) == (sum(each), sum(turns**2 for turns in each))


def test_duel__target_error_is_reached_and_not_by_far() -> None:
    result = aab.Game().duel("de_pz4h", "us_m4a1", range_in=18, target_error=0.002, seed=4)
    low, high = result.p_a_ci or (0.0, 1.0)
    assert 0.0017 < (high - low) / 2 <= 0.002
    assert result.seed == 4
    assert result.engine == "monte_carlo"


@pytest.mark.parametrize("value", [1e-6, 1, "0.1"])
def test_most_trials__refuses_what_is_no_half_width_and_takes_both_ends(value: Any) -> None:
    assert most_trials(None, 1e-5) > most_trials(None, 0.99) > 0
    with pytest.raises(aab.UsageError, match=f"^target_error: found {value!r}, expected a half-width from 1e-05 to "):
        most_trials(None, value)


def test_duel__simulated_harmless_units_draw() -> None:
    result = aab.Game().duel("uk_dingo", "uk_dingo", range_in=18, simulate=1000)
    assert (result.p_draw, result.player_turns) == (1.0, None)


@pytest.mark.parametrize(
    ("name", "unit", "range_in"), [("armored_advance", "uk_dingo", 18), ("skirmish_wars", "apc", 1)]
)
def test_duel__simulated_harmless_units_face_each_other_to_the_limit(name: str, unit: str, range_in: int) -> None:
    """Three turns of each side are six player turns, fired in or not."""
    result = aab.Game(name).duel(unit, unit, range_in=range_in, rounds=3, simulate=1000)
    assert (result.p_draw, result.player_turns) == (1.0, 6.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulate": 0}, "simulate: found 0"),
        ({"target_error": 0.0}, "target_error: found 0.0"),
        ({"simulate": 10, "posture_a": "optimal"}, "best play is solved exactly"),
        ({"posture_a": "close"}, "expected close:X"),
        ({"posture_b": "hold:3"}, "without a distance"),
        ({"posture_b": "clos:3"}, "did you mean 'close'"),
    ],
)
def test_duel__says_what_is_wrong_with_its_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(aab.UsageError, match=message):
        aab.Game().duel("de_tiger1", "su_t34_85", range_in=18, **options)


# --- the compiled cache -----------------------------------------------------------------------------------------

SHOOT = """
import aabalance as aab
forest = {"terrain": "forest", "own_terrain": "forest"}
print(aab.Game("skirmish_wars").duel("mech", "mech", range_in=1, first="a", simulate=100_000, **forest).p_a)
"""


@pytest.mark.slow
def test_compiled__an_edited_rule_in_another_file_is_seen_at_once(tmp_path: Path) -> None:
    for folder in ("aabalance", "unitdb"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").touch()
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def p_a() -> float:
        command = [sys.executable, "-c", SHOOT]
        return float(
            subprocess.run(command, env=environment, cwd=tmp_path, text=True, capture_output=True, check=True).stdout
        )

    before = p_a()
    rules = tmp_path / "aabalance/rulesets/skirmish_wars/shot.py"
    rules.write_text(rules.read_text().replace("REDUCED_BELOW = 5", "REDUCED_BELOW = 3"))
    rng_file = tmp_path / "aabalance/engine/rng.py"
    after_rule = p_a()
    assert after_rule != before
    rng_file.write_text(rng_file.read_text().replace("range(10)", "range(9)"))
    assert p_a() != after_rule


@pytest.mark.slow
def test_compiled__without_a_folder_to_keep_it_in_it_is_compiled_and_said_once(tmp_path: Path) -> None:
    for folder in ("aabalance", "unitdb"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").touch()
    # Files where folders would have to be: like a read-only checkout and no home, but for root as well.
    (tmp_path / "aabalance/engine/__pycache__").touch()
    (tmp_path / "home").touch()
    code = """
import aabalance as aab
game = aab.Game("skirmish_wars")
print(game.duel("infantry", "mech", range_in=1, simulate=100).p_a)
print(game.duel("infantry", "mech", range_in=1, simulate=100).p_a)
"""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    }
    environment |= {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path / "home")}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, text=True, capture_output=True)
    here = aab.Game("skirmish_wars").duel("infantry", "mech", range_in=1, simulate=100).p_a
    assert (ran.returncode, ran.stdout) == (0, f"{here}\n" * 2), ran.stderr
    assert ran.stderr.count("Warning: compiled code can't be kept in") == 1
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.slow
def test_compiled__keeps_what_is_ours_apart_from_what_the_user_compiles(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("import numba\n\n\n@numba.njit(cache=True)\ndef own():\n    return 1\n")
    code = """
import numba
import aabalance as aab
aab.Game("skirmish_wars").duel("infantry", "mech", range_in=1, simulate=100)
import own
own.own()
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True)
    folders = {path.parent.parent: path.name for path in tmp_path.rglob("*.nbi")}
    assert set(folders) == {tmp_path / "cache", tmp_path / "cache" / sources_hash("engine")}
    assert folders[tmp_path / "cache"].startswith("own.")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no locks there: each process compiles for itself")
def test_compiled__of_several_processes_one_compiles_and_the_others_load(tmp_path: Path) -> None:
    code = """
import numpy as np
from numba.core import event
from aabalance.engine import jit
from aabalance.engine.rng import philox
function = jit.compiled(philox)
print("ready", flush=True)
with event.install_recorder("numba:compile") as seen:
    input()
    function(np.uint64(1), np.uint64(2), np.uint64(3))
print(len(seen.buffer))
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdin=pipe, stdout=pipe, text=True)
        for _ in range(3)
    ]
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    compiled = sorted(int(process.communicate()[0]) for process in started)
    assert compiled[:2] == [0, 0] < compiled[2:]


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_one_by_one__goes_on_without_a_lock_that_can_not_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    assert jit._one_by_one(str, tmp_path / "gone" / "lock", 1) == "1"
    monkeypatch.setattr(jit, "PATIENCE", 0.1)
    with (tmp_path / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert jit._one_by_one(str, tmp_path / "lock", 2) == "2"
        fcntl.flock(held, fcntl.LOCK_UN)
        monkeypatch.setattr(jit, "PATIENCE", 300)
        assert jit._one_by_one(str, tmp_path / "lock", 3) == "3"


@pytest.mark.parametrize(("below", "why"), [("file", "Not a directory"), ("~", "there is no home folder")])
def test_cache_folder__warns_of_a_folder_that_can_not_be(
    below: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    given = Path("~/x") if below == "~" else tmp_path / "file" / "x"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(given))
    folder = given / sources_hash("engine")
    with pytest.warns(UserWarning, match=f"can't be kept in {folder}: {why}; it is compiled anew each time"):
        assert jit.cache_folder.__wrapped__() is None


def test_cache_folder__is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a" / "b"))
    folder = tmp_path / "a" / "b" / sources_hash("engine")  # so that no edit brings old machine code to life
    for _ in range(2):
        assert jit.cache_folder.__wrapped__() == folder
    assert [*tmp_path.rglob("*")] == [folder.parents[1], folder.parent, folder, folder / jit.LOCKS]


def test_cache_folder__versions_that_nobody_has_used_for_long_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    own, used, old, others = (tmp_path / name for name in (sources_hash("engine"), "0" * 16, "f" * 16, "pictures"))
    for folder in (own, used, old, others):
        (folder / jit.LOCKS).mkdir(parents=True)
    for folder in (own, old, others):
        os.utime(folder / jit.LOCKS, (0, 0))
    assert jit.cache_folder.__wrapped__() == own
    assert sorted(tmp_path.iterdir()) == sorted([own, used, others])
    assert (own / jit.LOCKS).stat().st_mtime > 0


def test_cache_folder__its_key_covers_all_that_is_compiled() -> None:
    # The key is a hash of the engine's sources: a constant from elsewhere would be compiled into what it keeps.
    folder = Path(jit.__file__).parent
    for path in folder.rglob("*.py"):
        rooms = path.relative_to(folder).with_suffix("").parts
        module = import_module(".".join(("aabalance.engine", *rooms)).removesuffix(".__init__"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            # Functions of matches are keyed by the sources of `rulesets.base` as well.
            known = ("aabalance.engine.", "typing.", *(["aabalance.rulesets.base."] if rooms[0] == "match" else []))
            if isinstance(node, ast.ImportFrom) and not f"{node.module}.".startswith(known):
                for name in (alias.asname or alias.name for alias in node.names):
                    assert not isinstance(vars(module).get(name), (bool, int, float, str, tuple)), (path, name)
