"""The ladder of players: ratings from scores, and every pairing in both seats."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from meetings import PLAYED
from scipy import optimize, stats

import aabalance as aab
from aabalance.analysis.ladder import Ladder, rated, standard
from aabalance.cli import main
from aabalance.engine.match.players import PLAYERS
from aabalance.errors import UsageError


def test_rated__400_points_are_odds_of_ten_to_one() -> None:
    points = np.array([[0, 10_000, 100_000], [1000, 0, 10_000], [1000, 1000, 0]], float)
    elo, *_ = rated(points)
    assert elo == pytest.approx([400, 0, -400], abs=0.5)


def test_rated__the_interval_of_two_is_that_of_their_log_odds() -> None:
    points = np.array([[0, 600.0], [400.0, 0]])
    elo, low, high = rated(points)
    p, n = 600.5 / 1001, 1001
    assert elo[0] - elo[1] == pytest.approx(400 * math.log10(p / (1 - p)))
    # Each rating moves by half of what their difference does; of so many matches the curvature says about the same.
    half = 400 / math.log(10) * 1.959964 / math.sqrt(n * p * (1 - p)) / 2
    assert [*(elo - low), *(high - elo)] == pytest.approx([half] * 4, rel=0.02)
    for end in (low[0], high[0]):  # where the likelihood ratio is at the quantile of chi squared
        other = 1 / (1 + 10 ** (-2 * end / 400))
        ratio = p * math.log(p / other) + (1 - p) * math.log((1 - p) / (1 - other))
        assert 2 * n * ratio == pytest.approx(1.959964**2, rel=1e-5)


@pytest.mark.slow
def test_rated__the_interval_covers_who_hardly_ever_wins() -> None:
    matches, rare = 50, np.geomspace(0.003, 0.03, 12)
    ends = [rated(np.array([[0, won], [matches - won, 0.0]]))[1:] for won in range(12)]
    covered = [
        sum(
            math.comb(matches, won) * p**won * (1 - p) ** (matches - won)
            for won, (low, high) in enumerate(ends)
            if low[0] <= 200 * math.log10(p / (1 - p)) <= high[0]
        )
        for p in rare
    ]
    assert np.mean(covered) > 0.945  # by the curvature of the likelihood it is .889


def test_rated__of_three_players_is_what_another_optimizer_finds() -> None:
    points = np.array([[0, 66, 99.5], [34, 0, 100], [0.5, 0, 0]])
    won = points + 0.5 * (1 - np.eye(3))

    def unlikely(free: np.ndarray, *held: float) -> float:
        theta = np.array([*free, *held])
        theta = np.append(theta, -theta.sum()) * math.log(10) / 400
        return float((won * np.log1p(np.exp(theta[None, :] - theta[:, None]))).sum())

    elo, low, high = rated(points)
    best = optimize.minimize(unlikely, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-9})
    assert [*best.x, -best.x.sum()] == pytest.approx(elo, abs=0.1)
    for end in (low[1], high[1]):  # of the second, the first as likely as it can be, and the third the rest
        held = optimize.minimize_scalar(lambda first, end=end: unlikely(np.array([first]), end))
        assert 2 * (held.fun - best.fun) == pytest.approx(1.959964**2, abs=1e-3)


def test_rated__who_never_wins_has_a_rating() -> None:
    elo, low, high = rated(np.array([[0, 50.0], [0, 0]]))
    assert np.isfinite([*elo, *low, *high]).all()
    assert low[0] < 300 < elo[0] < high[0]


@pytest.mark.parametrize("game", PLAYED)
def test_standard__each_board_of_a_game_has_lists_that_can_be_played_and_one_is_the_ladders(game: str) -> None:
    asked = aab.Game(game)
    for where in (None, *asked.boards):
        board, lists = standard(asked, where)
        asked.match_question(*lists, board=board).agreed()


@pytest.mark.slow
def test_ladder__pairings_are_played_in_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    game, clock = aab.Game("skirmish_wars"), itertools.count(0, 2)
    monkeypatch.setattr("aabalance.analysis.ladder.time.process_time", lambda: next(clock))
    found = aab.ladder(game, ["random", "greedy"], simulate=10, seed=3)
    seats = [
        game.match(board="crossing_armies", player_a=a, player_b=b, simulate=10, seed=3)
        for a, b in (("random", "greedy"), ("greedy", "random"))
    ]
    score = (seats[0].p_b + seats[0].p_draw / 2 + seats[1].p_a + seats[1].p_draw / 2) / 2
    assert found.scores.set_index("player")["score_against"].to_dict() == pytest.approx(
        {"greedy": score, "random": 1 - score}
    )
    assert found.scores["cpu_ms"].tolist() == [200, 200], "two seconds in each seat, in both together twenty matches"
    own = "2 Infantry, Recon, Tank"
    assert found.sentences()[0] == (
        f"On crossing_armies, {own} v {own}, 30 rounds, first: roll_off: 20 matches a pairing, half of them in each "
        "seat."
    )
    assert found.sentences()[1].startswith("greedy beats random")
    assert repr(found) == "\n".join(found.sentences())
    assert found._repr_html_().startswith("".join(f"<p>{one}</p>" for one in found.sentences()) + "<table")
    assert found.to_frame() is found.ratings


def test_ladder__names_the_list_of_side_a_first() -> None:
    asked = {"board": "crossing", "rounds": 1, "simulate": 2}
    found = aab.ladder(aab.Game("skirmish_wars"), ["random", "greedy"], "tank", "mech*2", **asked)
    assert found.sentences()[0].startswith("On crossing, Tank v 2 Mech, 1 round, first: roll_off: 4 matches a pairing")
    assert found.to_dict()["agreed"] == "1 round, first: roll_off"


@pytest.mark.slow
def test_ladder__another_board_takes_the_game_s_lists_and_a_scenario_its_own_units() -> None:
    game, two = aab.Game("armour_battles"), ["random", "greedy"]
    assert aab.ladder(game, two, board="battle_line", rounds=1, simulate=2).sentences()
    modern = aab.Game("modern_land_battles")
    [own, *_] = aab.ladder(modern, two, board="skirmish", rounds=1, simulate=2).sentences()
    lists = standard(modern)[1]
    [given, *_] = aab.ladder(modern, two, *lists, board="skirmish", rounds=1, simulate=2).sentences()
    assert own == given


def test_ladder__says_whose_score_is_whose_and_how_sure_it_is() -> None:
    met = {"ab": (0.6, 0.45, 0.73), "ac": (0.9, 0.8, 0.95), "bc": (0.3, 0.2, 0.42)}
    met |= {pair[::-1]: (1 - score, 1 - high, 1 - low) for pair, (score, low, high) in met.items()}
    names = "score_against", "score_against_ci_low", "score_against_ci_high"
    scores = [
        {"player": pair[0], "against": pair[1], **dict(zip(names, found, strict=True)), "cpu_ms": 4.0**cpu, "n": 60}
        for cpu, (pair, found) in enumerate(met.items(), start=1)
    ]
    ratings = [
        {"player": one, "elo": elo, "elo_ci_low": elo - 30, "elo_ci_high": elo + 20}
        for one, elo in (("a", 90), ("b", 0), ("c", -90))
    ]
    found = Ladder("x", ("1 Tank", "2 Tank"), "6 rounds", pd.DataFrame(scores), pd.DataFrame(ratings))
    assert found.sentences() == [
        "On x, 1 Tank v 2 Tank, 6 rounds: 60 matches a pairing, half of them in each seat.",
        "a may be no better than b: it scores 0.600 [0.450, 0.730].",
        "b loses to c: it scores 0.300 [0.200, 0.420].",
    ]
    turned = Ladder("x", found.lists, found.agreed, found.scores, found.ratings.iloc[[2, 1, 0]])
    assert turned.sentences()[1] == "c beats b: it scores 0.700 [0.580, 0.800]."
    assert found.cells() == (
        ["player", "Elo", "against a", "against b", "against c", "most ms CPU a match"],
        [
            ["a", "+90 [+60, +110]", "", "0.600 [0.450, 0.730]", "0.900 [0.800, 0.950]", "16.0"],
            ["b", "+0 [-30, +20]", "0.400 [0.270, 0.550]", "", "0.300 [0.200, 0.420]", "256"],
            ["c", "-90 [-120, -70]", "0.100 [0.050, 0.200]", "0.700 [0.580, 0.800]", "", "4096"],
        ],
    )


@pytest.mark.slow
def test_ladder__all_intervals_of_scores_hold_together() -> None:
    """Wilson's: at either end of it the score is just as far away as a level of 95 % for three pairings allows."""
    game, players = aab.Game("skirmish_wars"), ["greedy", "search:16", "search:17"]
    found = aab.ladder(game, players, board="last_stand", rounds=2, simulate=10).scores
    for end in ("score_against_ci_low", "score_against_ci_high"):
        error = (found[end] * (1 - found[end]) / found["n"]) ** 0.5
        assert (found[end] - found["score_against"]).abs().tolist() == pytest.approx(
            stats.norm.ppf(1 - 0.05 / 6) * error
        )


@pytest.mark.parametrize("players", [["greedy"], ["greedy", "greedy"], []])
def test_ladder__nobody_to_play(players: list[str]) -> None:
    with pytest.raises(UsageError, match=r"players: found"):
        aab.ladder(aab.Game("skirmish_wars"), players)


def test_command__rates_every_player_that_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def climb(game: aab.Game, players: list[str], *given: Any, **more: Any) -> Ladder:
        asked.extend(players)
        raise UsageError("no match is needed")

    monkeypatch.setattr("aabalance.analysis.ladder.ladder", climb)
    CliRunner().invoke(main, ["ladder"])
    assert asked == list(PLAYERS)


@pytest.mark.parametrize("key", ["simulate=5", "seed=1", "first=a", "players=x"])
def test_command__keys_that_are_its_own_are_refused(key: str) -> None:
    ran = CliRunner().invoke(main, ["ladder", "--game", "skirmish_wars", "--with", key])
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert f"--with: found {key.partition('=')[0]}, expected the option of this name" in ran.stderr


@pytest.mark.slow
def test_command__says_what_it_is_a_result_of() -> None:
    words = [
        "ladder",
        "--game",
        "skirmish_wars",
        "--player",
        "random,greedy",
        "--set",
        "tank.cost=20",
        "--simulate",
        "2",
    ]
    assert CliRunner().invoke(main, words).output.startswith("with tank.cost=20\n")
    said = json.loads(CliRunner().invoke(main, [*words, "--seed", "7", "--json"]).stdout)
    assert (said["seed"], said["provenance"]["changes"]) == (7, ["tank.cost=20"])


@pytest.mark.slow
def test_command__the_seed_is_that_of_the_matches() -> None:
    words = ["ladder", "--game", "skirmish_wars", "--player", "random,greedy", "--simulate", "20", "--json", "--seed"]
    told = [json.loads(CliRunner().invoke(main, [*words, str(seed)]).stdout)["ratings"] for seed in (0, 3)]
    game = aab.Game("skirmish_wars")
    found = [aab.ladder(game, ["random", "greedy"], simulate=20, seed=seed).to_dict()["ratings"] for seed in (0, 3)]
    assert told == found
    assert found[0] != found[1]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is full here")
def test_command__what_is_played_is_printed_though_no_picture_can_be_kept(tmp_path: Path) -> None:
    out = tmp_path / "ladder.png"
    out.symlink_to("/dev/full")
    words = ["ladder", "--game", "skirmish_wars", "--player", "random,greedy", "--simulate", "2", "--out", str(out)]
    ran = CliRunner().invoke(main, words)
    assert (ran.exit_code, ran.stderr) == (2, f"error: {out}: can't be written: No space left on device\n")
    assert "4 matches a pairing" in ran.stdout


def test_command__a_picture_is_a_png(tmp_path: Path) -> None:
    out = tmp_path / "ladder.pdf"
    ran = CliRunner().invoke(main, ["ladder", "--out", str(out)])
    assert ran.exit_code == 2
    assert ran.stderr.endswith(f"'--out': found {str(out)!r}, expected a name that ends in .png\n")
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "found"), [(["tank", "mech"], "2 without --board"), (["tank", "--board", "crossing"], "1")]
)
def test_command__two_lists_and_a_board_come_together(words: list[str], found: str) -> None:
    ran = CliRunner().invoke(main, ["ladder", "--game", "skirmish_wars", *words])
    assert (ran.exit_code, ran.stderr) == (2, f"error: lists: found {found}, expected two with --board, or none\n")
