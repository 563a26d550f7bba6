"""Logs of games at a table: malformed ones, exact p-values, and what few games may say of units."""

from __future__ import annotations

import inspect
import itertools
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import small
from click.testing import CliRunner
from meetings import PLAYED
from scipy.stats import beta, norm

import aabalance as aab
from aabalance.cli import main
from aabalance.definitions.games import Played, read_log
from aabalance.errors import CardError, shown
from aabalance.pricing.board_fits import Fitted
from aabalance.pricing.board_matches import Drawer
from aabalance.pricing.inference import QUANTILE, Estimate, Known, estimate, half_widths
from aabalance.pricing.playtest import example, results_of
from aabalance.pricing.playtest_words import Verdict, _alike, exact_test, notes, sentences, verdict
from benchmarks.board_worth import SCALE, covered, simulated

HEAD = "list_a,list_b,winner,first,board,rounds\n"
OWN_BOARDS = Path(__file__).resolve().parents[1] / "unitdb/skirmish_wars/boards"


def test_command__its_defaults_are_those_of_the_function() -> None:
    usual = inspect.signature(aab.playtest).parameters
    for name in ("simulate", "matches"):
        (option,) = (one for one in main.commands["playtest"].params if one.name == name)
        assert option.default == usual[name].default


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "games.csv"
    path.write_text(text)
    with pytest.raises(aab.AabalanceError) as error:
        aab.playtest(aab.Game("skirmish_wars"), path)
    return str(error.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "games.csv:1: found no column list_a"),
        (HEAD, "found no game, expected a row for each"),
        (
            "list_a,list_b,winner,winner\ntank,tank,a,b\n",
            "games.csv:1: found the column winner more than once, expected it once",
        ),
        ("list_a,list_b,winer\n", "games.csv:1: found the column 'winer', expected list_a"),
        (HEAD + "tank,tank,c,,,\n", "games.csv:2: winner: found 'c', expected 'a', 'b' or 'draw'"),
        (HEAD + "tank,tank,a,,\n", "games.csv:2: found 5 cells, expected 6"),
        (HEAD + "tank,tank,a,,,x\n", "games.csv:2: rounds: found 'x', expected a valid integer"),
        (HEAD + "tank,tank,a,,,0\n", "games.csv:2: rounds: found '0', expected greater than or equal to 1"),
        (HEAD + ",tank,a,,,\n", "games.csv:2: list_a: found nothing, expected a value"),
        (HEAD + "tank,tank,a,,,\nthank,tank,a,,,\n", "games.csv:3: unknown unit 'thank'; did you mean tank,"),
        (HEAD + "tank,tank,a,,nowhere,\n", "games.csv:2: board: found 'nowhere', expected one of crossing"),
        (
            "list_a,list_b,winner,score_a\ntank,tank,a,nan\n",
            "games.csv:2: score_a: found 'nan', expected a finite number",
        ),
        (
            "list_a,list_b,winner,score_b\ntank,tank,a,1e400\n",
            "games.csv:2: score_b: found '1e400', expected a finite number",
        ),
        (HEAD + "tank,tank,a,c,,\n", "games.csv:2: first: found 'c', expected 'a' or 'b'"),
    ],
)
def test_log__each_fault_has_its_file_and_line(tmp_path, text, said):
    assert said in refused(tmp_path, text)


def test_log__all_faults_at_once(tmp_path):
    for rows in (
        "tank,tank,c,,,\ntank,tank,a,,,x\n",
        "tank,tank,a\ntank,tank\n",
        "tank,tank,c,,,\ntank,infantry,tank,a,,,\n",
        "tank,infantry,tank,a,,,\ntank,tank,a,,,x\n",
    ):
        said = refused(tmp_path, HEAD + rows)
        assert [line[:12] for line in said.splitlines()] == ["games.csv:2:", "games.csv:3:"]


def test_log__faults_of_columns_and_of_rows_at_once(tmp_path):
    said = refused(tmp_path, "list_a,list_b,winner,bord\ntank,tank,c,x\ntank,tank\n").splitlines()
    assert [line[:12] for line in said] == ["games.csv:1:", "games.csv:2:", "games.csv:3:"]


def test_log__cells_of_spreadsheets(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("list_a;list_b;winner;date\ntank,infantry; tank ;DRAW;2026-01-31\n;;;\n")
    [game] = read_log(path).values()
    assert (game.list_a, game.list_b, game.winner, str(game.date)) == ("tank,infantry", "tank", "draw", "2026-01-31")


def test_log__faults_show_cells_as_they_stand(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("list_a,list_b,winner,date\ntank,tank,Ann,2026-01-31\ntank,tank,a,31.01.2026\n")
    with pytest.raises(CardError) as caught:
        read_log(path)
    assert str(caught.value).splitlines() == [
        f"{path}:2: winner: found 'Ann', expected 'a', 'b' or 'draw'",
        f"{path}:3: date: found '31.01.2026', expected a date such as 2026-01-31",
    ]


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"matches": 0}, {"simulate": 0}, {"simulate": None}])
def test_playtest__numbers_that_are_none_are_refused_before_any_match(wrong, tmp_path, monkeypatch):
    monkeypatch.delattr("aabalance.pricing.playtest._predicted")
    log = tmp_path / "games.csv"
    log.write_text(HEAD + "tank,tank,a,,,\n")
    [(name, value)] = wrong.items()
    with pytest.raises(aab.UsageError, match=f"^{name}: found {shown(value)}, expected a whole number from"):
        aab.playtest(aab.Game("skirmish_wars"), log, board="crossing", **{"simulate": 20, **wrong})


def test_playtest__an_unknown_board_is_refused_even_if_no_game_was_on_it(monkeypatch):
    monkeypatch.delattr("aabalance.pricing.playtest._predicted")
    game = {"list_a": "tank", "list_b": "tank", "winner": "a", "board": "crossing"}
    with pytest.raises(aab.UsageError, match="found 'nowhere', expected one of crossing, "):
        aab.playtest(aab.Game("skirmish_wars"), [game], board="nowhere", simulate=20)


@pytest.mark.slow
def test_playtest__a_card_without_a_price_that_nobody_played_stops_nothing():
    game = small.without_prices(small.few(), "de_tiger1")
    log = {"list_a": "us_m4a1", "list_b": "de_pz4h", "winner": "a", "rounds": 2}
    found = aab.playtest(game, [log], board="small", simulate=4, matches=8)
    assert found.games[["requisition_a", "requisition_b"]].to_numpy().tolist() == [[70, 60]]
    with pytest.raises(CardError, match="game 1: de_tiger1: has no requisition"):
        aab.playtest(game, [log | {"list_a": "de_tiger1"}], board="small", simulate=4, matches=8)


@pytest.mark.parametrize("name", PLAYED)
def test_template__is_a_log_that_can_be_played(tmp_path, name):
    path = tmp_path / "games.csv"
    ran = CliRunner().invoke(main, ["playtest", str(path), "--template", "--game", name])
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", f"{path}: a log to fill in\n")
    [row] = read_log(path).values()
    game = aab.Game(name)
    assert path.read_text() == example(game)
    free = [key for key, board in game.boards.items() if not board.table.get("units")]
    assert row.board == [*free, *game.boards][0], "the first on which lists can be played"
    game.match_question(row.list_a, row.list_b, board=row.board, first=row.first or "roll_off").agreed()
    again = CliRunner().invoke(main, ["playtest", str(path), "--template", "--game", name])
    assert again.exit_code == 2
    assert "expected a file that isn't there yet" in again.output


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("quoted", [' "mech*2, recon"', '"mech*2, recon" ', ' "mech*2, recon"  '])
def test_read_log__blanks_around_a_quoted_list_are_none_of_it(tmp_path, quoted, between):
    rows = ["list_a", " winner", " list_b", " board"], ["tank", " a", quoted, " x"], ["recon", " b", " tank", quoted]
    (path := tmp_path / "games.csv").write_text("\n".join(map(between.join, rows)) + "\n", encoding="utf-8")
    row, other = read_log(path).values()
    assert other.board == "mech*2, recon"
    assert (row.list_a, row.list_b, row.winner) == ("tank", "mech*2, recon", "a")


def test_template__is_of_the_board_that_is_named(tmp_path):
    path = tmp_path / "games.csv"
    assert CliRunner().invoke(main, ["playtest", str(path), "--template", "--board", "small"]).exit_code == 0
    assert [row.board for row in read_log(path).values()] == ["small"]
    unknown = CliRunner().invoke(main, ["playtest", str(tmp_path / "x.csv"), "--template", "--board", "smal"])
    assert unknown.exit_code == 2


@pytest.mark.slow
def test_playtest__a_game_without_a_mission_is_of_the_same_as_one_that_names_the_games_own():
    game = small.few(["us_m4a1", "de_pz4h"])
    row = {"list_a": "us_m4a1", "list_b": "de_pz4h", "winner": "a", "rounds": 2}
    done: list[int] = []
    rows = [row, row | {"mission": "timed"}]
    found = aab.playtest(game, rows, board="small", simulate=4, matches=8, advance=done.append)
    assert found.games["mission"].tolist() == ["timed", "timed"]
    assert sum(done) == 4 + 8, "one prediction, and units are valued once"


def test_exact_test__is_the_sum_over_all_ways_that_are_as_far_from_what_is_expected():
    rng = np.random.default_rng(0)
    chances = rng.dirichlet([2, 1, 2], 6)
    which = np.array([2, 2, 1, 0, 2, 2])
    ways = {}
    for way in itertools.product(range(3), repeat=6):
        chance = np.prod([chances[game, result] for game, result in enumerate(way)])
        ways[sum(way)] = ways.get(sum(way), 0) + chance
    score, expected, p = exact_test(chances, which)
    assert score == 4.5
    assert expected == pytest.approx(sum(at / 2 * chance for at, chance in ways.items()))
    far = abs(score - expected) - 1e-12
    assert p == pytest.approx(sum(chance for at, chance in ways.items() if abs(at / 2 - expected) >= far))


def test_exact_test__a_rare_draw_between_equals_is_nobodys_luck():
    assert exact_test(np.array([[0.49, 0.02, 0.49]]), np.array([1])) == (0.5, 0.5, 1.0)


def test_verdict__has_the_middle_95_in_100_of_the_p_values_that_are_possible():
    """The p-value of a win that has a chance below one half is that chance."""
    wins = np.append(0.3, np.linspace(0, 0.4, 1001))
    found = verdict(np.stack([1 - wins, 0 * wins, wins], axis=1)[:, None], np.array([2]))
    assert found[:5] == pytest.approx((1, 0.3, 0.3, 0.01, 0.39))
    assert found.least == pytest.approx(0.3)


@pytest.mark.slow
def test_playtest__few_games_and_few_matches_leave_in_doubt_whether_they_are_as_predicted():
    game = aab.Game("skirmish_wars")
    row = {"list_a": "recon", "list_b": "tank*4", "winner": "a", "first": "b"}

    def said(rows, simulate):
        return aab.playtest(game, rows, board="crossing", simulate=simulate, matches=40)

    few = said([row], 20)
    assert few.games["p_b"].tolist() == [pytest.approx(20.5 / 21.5)]
    assert few.sides["scored"].tolist() == [1, 0]
    assert few.sides["expected"].tolist() == [pytest.approx(0.75 / 21.5), pytest.approx(20.75 / 21.5)]
    ann = few.sides.iloc[0]
    low, high = beta(0.5, 21).ppf([0.025, 0.975])
    assert ann["p_value"] == pytest.approx(0.5 / 21.5)
    assert 0.3 * low < ann["p_value_low"] < 3 * low
    assert ann["p_value_high"] == pytest.approx(high, rel=0.3)
    first, *_ = few.sentences()
    assert re.search(
        r"0 of 1 game ended as was likeliest, where 0\.95 were expected: p = 0\.047, "
        r"by 20 simulated matches from 0\.00\d+ to",
        first,
    )
    assert first.endswith("which can't tell whether these games are as predicted.")
    assert not any("Surprising" in one for one in few.sentences())
    many = said([row], 120).sentences()
    assert many[0].endswith("so these games are not what is predicted, or the dice did something rare.")
    assert many[1] == "Surprising: 1 of them, such as game 1 (p = 0.0082); one in twenty is surprising anyway."
    even = {"list_a": "tank", "list_b": "tank", "winner": "a", "first": "a"}
    one = said([even], 20).sentences()
    assert one[0].endswith("so few games can't show whether they are as predicted.")
    assert "The games move the worth of no unit." in one
    usual = said([row | {"winner": "b"}] * 2, 60).sentences()
    assert usual[0].endswith("p = 1, so these games are as predicted, as far as this many tell.")


def _told(
    units: int, errors: float, players: int = 2, high: float = 0.04, games: tuple[float, ...] = (0.6,)
) -> list[str]:
    """Return sentences on units of which the first moved by so many standard errors, and on players with a p-value.

    Games that take a standard deviation from .1 to .06 move the mean by one of .08 (law of total variance).
    """
    found = pd.DataFrame({"n": 400, "p_value": np.array(games) / 2, "p_value_high": games})
    found.insert(0, "game", found.index + 1)
    names = [f"P{number}" for number in range(players)]
    luck = {"games": 9, "scored": 7.0, "expected": 4.0, "luck": 3.0, "p_value": high / 3}
    sides = pd.DataFrame({"player": names} | luck | {"p_value_low": high / 4, "p_value_high": high})
    moved = np.exp(0.08 * errors * np.eye(1, units)[0])
    table = pd.DataFrame({"name": [f"U{number}" for number in range(units)], "prior": 1.0, "worth": moved})
    for column, spread in (("prior", 0.1), ("worth", 0.06)):
        for end, sign in (("low", -1), ("high", 1)):
            table[f"{column}_{end}"] = table[column] * np.exp(sign * QUANTILE * spread)
    return sentences(found, sides, table.assign(games_needed=100.0), Verdict(1, 1, 1, 1, 1, 0.01))


@pytest.mark.parametrize(
    ("low", "high", "least", "said"),
    [
        (0.2, 0.3, 0.05, "so few games can't show whether they are as predicted."),
        (0.2, 0.3, 0.049, "so these games are as predicted, as far as this many tell."),
        (0.05, 0.3, 0.01, "so these games are as predicted, as far as this many tell."),
        (
            0.049,
            0.05,
            0.01,
            "by 400 simulated matches from 0.049 to 0.05, which can't tell whether these games are as predicted.",
        ),
        (0.02, 0.049, 0.01, "so these games are not what is predicted, or the dice did something rare."),
    ],
)
def test_sentences__games_are_surprising_below_one_in_twenty(low: float, high: float, least: float, said: str) -> None:
    found = pd.DataFrame({"game": [1, 2, 3], "n": 400, "p_value": 0.5, "p_value_high": 0.9})
    units = pd.DataFrame({"name": ["U"], "games_needed": 1.0} | dict.fromkeys(("prior", "worth"), 8.0))
    units = units.assign(**{f"{name}_{end}": 8.0 for name in ("prior", "worth") for end in ("low", "high")})
    first, *_ = sentences(found, pd.DataFrame(), units, Verdict(2, 1.6, 0.04, low, high, least))
    assert first == f"2 of 3 games ended as was likeliest, where 1.60 were expected: p = 0.04, {said}"


def test_sentences__of_many_units_chance_moves_the_one_that_moved_most_by_more():
    for units, errors, sure in ((1, 1.9, False), (1, 2.0, True), (20, 2.9, False), (20, 3.1, True)):
        z = norm.ppf(1 - 0.05 / units / 2)  # 1.96, and 3.02: Bonferroni's
        assert (errors > z) == sure
        (one,) = (said for said in _told(units, errors) if said.startswith("The games move"))
        assert one.endswith(", more than chance would." if sure else ", which may be chance."), (units, errors)


def test_sentences__of_many_players_one_is_lucky_anyway():
    two, five = (
        {said.rsplit("(p = 0.008)", 1)[1] for said in _told(3, 0, players, 0.024) if "scored" in said}
        for players in (2, 5)
    )
    assert two == {"."}
    assert five == {", by 400 simulated matches from 0.006 to 0.024."}
    usual = [said for said in _told(3, 0, 5, 0.06) if "scored" in said]
    assert len(usual) == 5
    assert all(said.endswith("(p = 0.02), which isn't unusual for one of 5.") for said in usual)
    assert _told(3, 0, 1, 0.3)[1].endswith("(p = 0.1), which isn't unusual.")


def test_sentences__luck_is_up_or_down_and_a_little_is_none() -> None:
    found = pd.DataFrame({"game": [1], "n": 400, "p_value": 0.5, "p_value_high": 0.9})
    units = pd.DataFrame({"name": ["U"], "games_needed": 1.0} | dict.fromkeys(("prior", "worth"), 8.0))
    units = units.assign(**{f"{name}_{end}": 8.0 for name in ("prior", "worth") for end in ("low", "high")})
    luck = [0.05, 0.04, -0.04, -0.05]
    sides = pd.DataFrame({"player": list("abcd"), "games": [1, 2, 3, 4], "scored": 2.5, "luck": luck})
    sides = sides.assign(expected=2.5 - sides["luck"], p_value=0.6, p_value_low=0.5, p_value_high=0.7)
    told = sentences(found, sides, units, Verdict(1, 1, 1, 1, 1, 0.01))[1:5]
    assert [one.removesuffix(" (p = 0.6), which isn't unusual for one of 4.") for one in told] == [
        "a scored 2.5 of 1 game, 2.45 were expected: lucky, or better than that, by 0.05",
        "b scored 2.5 of 2 games, 2.46 were expected: neither lucky nor unlucky",
        "c scored 2.5 of 3 games, 2.54 were expected: neither lucky nor unlucky",
        "d scored 2.5 of 4 games, 2.55 were expected: unlucky, or worse than that, by 0.05",
    ]


def test_alike__names_that_differ_only_in_capitals_or_spaces() -> None:
    assert _alike(["Olga", "Ann", "olga", "Ann B", "Anna", "ann b", "AnnB"]) == [
        ["Olga", "olga"],
        ["Ann B", "ann b", "AnnB"],
    ]


def _on_units(worths: list[float], needed: list[float]) -> list[str]:
    """Return the last two sentences on units that were worth 10, from 9 to 11, by their worth after the games."""
    found = pd.DataFrame({"game": [1], "n": 400, "p_value": 0.5, "p_value_high": 0.9})
    table = pd.DataFrame({"name": [f"U{number}" for number in range(len(worths))], "worth": worths})
    table = table.assign(prior=10.0, prior_low=9.0, prior_high=11.0, games_needed=needed)
    table = table.assign(worth_low=0.9 * table["worth"], worth_high=1.1 * table["worth"])
    return sentences(found, pd.DataFrame(), table, Verdict(1, 1, 1, 1, 1, 0.01))[1:]


@pytest.mark.parametrize(
    ("needed", "takes"),
    [
        ([1.0, 1.0, 900.0], "takes about 1 game, with"),
        ([40.0, 1234.0, math.inf], "takes about 1,200 games, with"),
        ([40.0, math.inf, math.inf], "takes over 100,000 games, with"),
    ],
)
def test_sentences__the_middle_unit_says_how_many_games_are_needed(needed: list[float], takes: str) -> None:
    moved, last = _on_units([13.0, 10.0, 6.0], needed)
    assert moved.startswith("The games move the worth of U2 most, from 10 (9 to 11) to 6 (5.4 to 6.6), "), "down 40 %"
    assert last.startswith(f"To know the worth of half of these units, compared with the others, to 12 % {takes}")


def test_notes__count_games_of_unequal_cost_whichever_side_costs_more_and_games_without_a_board() -> None:
    found = pd.DataFrame({"requisition_a": [30.0, 30.0, 19.0], "requisition_b": [30.0, 25.5, 30.0]})
    assert notes(found, ["hill"], "search")[0].startswith("What was expected is what search on both sides comes to")
    assert notes(found, ["hill"], "search")[1:] == [
        "1 game without a board: assumed to be played on hill.",
        "2 games with lists of unequal cost, by 11 at most; the predictions allow for that.",
    ]
    assert len(notes(found[:1], [], "search")) == 1


@pytest.mark.parametrize(
    ("games", "said"),
    [
        ((0.6, 0.024), "game 2 (p = 0.012); even as one of 2, game 2 is rare."),
        ((0.6, 0.026), "game 2 (p = 0.013); one in twenty is surprising anyway."),
        ((0.024,), "game 1 (p = 0.012); one in twenty is surprising anyway."),
    ],
)
def test_sentences__of_many_games_one_surprises_anyway(games: tuple[float, ...], said: str) -> None:
    odd = sum(high < 0.05 for high in games)
    assert _told(3, 0, games=games)[1] == f"Surprising: {odd} of them, such as {said}"


@pytest.mark.slow
def test_playtest__results_that_are_as_likely_are_likeliest_both():
    game = aab.Game("skirmish_wars")
    row = {"list_a": "tank,infantry", "list_b": "tank,infantry", "winner": "a"}
    found = aab.playtest(
        game, [row] * 10 + [row | {"winner": "b"}] * 10, board="crossing", simulate=6, matches=20, seed=4
    )
    p_a, p_draw, p_b = found.games.loc[0, ["p_a", "p_draw", "p_b"]]
    assert p_a == p_b > p_draw
    first = found.sentences()[0]
    assert first.startswith(f"20 of 20 games ended as was likeliest, where {20 * (p_a + p_b):.2f} were expected: p = ")
    assert first.endswith(", which can't tell whether these games are as predicted.")  # six matches are few


@pytest.mark.slow
def test_log__a_player_whose_name_a_terminal_would_obey_is_refused(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text('list_a,list_b,winner,player_a\ntank,tank,a,"An\nn"\ntank,tank,a,\x1b[31mBen\n', encoding="utf-8")
    with pytest.raises(CardError) as caught:
        read_log(path)
    assert [str(one).partition(": found")[0] for one in caught.value.faults] == [
        f"{path}:2: player_a",
        f"{path}:4: player_a",
    ]


def test_playtest__who_plays_alone_has_no_luck_and_one_match_is_one():
    row = {"list_a": "tank", "list_b": "tank", "winner": "a", "rounds": 4, "player_a": "Ann", "player_b": "Ann"}
    found = aab.playtest(aab.Game("skirmish_wars"), [row] * 6, board="crossing", simulate=1, matches=20)
    assert found.sides.empty
    assert not any("Ann" in said for said in found.sentences())
    assert ", by 1 simulated match from " in found.sentences()[0]


@pytest.mark.slow
def test_playtest__where_most_games_are_drawn_more_are_needed():
    game = aab.Game("skirmish_wars")
    row = {"list_a": "tank,infantry", "list_b": "mech*2,recon", "winner": "a"}
    drawn, decided = (
        aab.playtest(game, [row | {"rounds": rounds}], board="crossing", simulate=60, matches=60) for rounds in (4, 30)
    )
    shares = [1 - one.games.loc[0, "p_draw"] for one in (decided, drawn)]
    assert shares[0] > 10 * shares[1]
    needed = [one.units["games_needed"].replace(np.inf, 1e6).median() for one in (decided, drawn)]
    assert needed[1] > 0.3 * needed[0] * shares[0] / shares[1]


def test_playtest__games_needed_are_of_lists_that_cost_what_those_of_the_log_do_on_average(monkeypatch):
    budgets = []

    def drawer(prices, budget, rng):
        budgets.append(budget)
        return Drawer(prices, budget, rng)

    monkeypatch.setattr("aabalance.pricing.playtest.Drawer", drawer)
    rows = [
        {"list_a": "tank*2", "list_b": "infantry*3", "winner": "a"},
        {"list_a": "tank", "list_b": "infantry", "winner": "b"},
    ]
    aab.playtest(aab.Game("skirmish_wars"), rows, board="crossing", simulate=2, matches=8)
    assert budgets == [(14 + 3 + 7 + 1) / 4]  # a tank costs 7, infantry 1


@pytest.mark.slow
def test_estimate__twelve_games_hardly_leave_the_simulated_worth_and_cover():
    inside, narrower = [], []
    for seed in range(20):
        prices, results, truth = simulated(seed, 40, 12)
        known = Known(np.zeros(40), np.full(40, 0.05), np.log(SCALE), 0.6)
        before = estimate(prices, results.only(slice(0)), known)
        after = estimate(prices, results, known)
        assert np.abs(after.mean - before.mean).max() < 0.25
        inside.append(covered(after, truth))
        narrower.append(np.mean(after.error / before.error))
    assert 0.87 < np.mean(inside) < 0.97
    assert 0.9 < np.mean(narrower) < 1


@pytest.mark.slow
def test_half_widths__of_as_many_games_is_that_of_the_estimate_and_falls_as_their_root():
    prices, results, _ = simulated(1, 20, 2000)
    known = Known(np.zeros(20), np.zeros(20), np.log(SCALE), 0.6)
    found = estimate(prices, results, known)
    dear = prices > 60
    np.testing.assert_allclose(half_widths(prices, results, known, found, 1)[dear], found.half_width[dear], rtol=0.15)
    many, more = (half_widths(prices, results, known, found, times) for times in (400, 1600))
    np.testing.assert_allclose(np.arcsinh(many) / np.arcsinh(more), 2, rtol=0.1)
    assert (half_widths(prices, results, known, found, 0) > QUANTILE * 0.2).all()


@pytest.mark.slow
def test_playtest__says_what_it_takes_for_granted_and_agrees_with_matches(tmp_path):
    game = aab.Game("skirmish_wars")
    path = tmp_path / "games.csv"
    rows = ["tank*2,b,infantry*3,", "infantry*3,a,tank*2,", "tank,draw,tank,crossing"]
    cells = [row.split(",") for row in rows]
    lines = [f"{a},{b},{winner},{'b'},{board},4,Ann,Ben" for a, winner, b, board in cells]
    path.write_text("list_a,list_b,winner,first,board,rounds,player_a,player_b\n" + "\n".join(lines))
    asked = ["--board", "crossing", "--simulate", "50", "--matches", "60", "--json", "--game", "skirmish_wars"]
    result = CliRunner().invoke(main, ["playtest", str(path), *asked])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    match = game.match("tank*2", "infantry*3", board="crossing", rounds=4, first="b", simulate=50)
    assert found["games"][0]["p_a"] == pytest.approx((50 * match.p_a + 0.5) / 51.5)
    assert found["games"][0]["requisition_a"] - found["games"][0]["requisition_b"] == 11
    ann, ben = found["sides"]
    assert (ann["scored"], ben["scored"], ann["luck"]) == (1.5, 1.5, pytest.approx(-ben["luck"]))
    assert {row["unit"]: row["games"] for row in found["units"]} == {"tank": 3, "infantry": 2}
    assert found["provenance"]["game"] == "Skirmish Wars"
    said = "\n".join(found["sentences"])
    assert "2 games without a board: assumed to be played on crossing." in said
    assert "2 games with lists of unequal cost, by 11 at most" in said
    assert "To know the worth of half of these units" in said


@pytest.mark.slow
def test_command__prints_what_json_has_and_takes_the_seed(tmp_path):
    path = tmp_path / "games.csv"
    games = "tank*2,infantry*3,b", "infantry*3,tank*2,a", "tank,tank,draw"
    path.write_text(HEAD + "".join(f"{game},b,crossing,4\n" for game in games))
    words = ["playtest", str(path), "--simulate", "20", "--matches", "40", "--game", "skirmish_wars"]
    printed = CliRunner().invoke(main, words).stdout.splitlines()
    usual, other = (
        json.loads(CliRunner().invoke(main, [*words, "--seed", seed, "--json"]).stdout)["units"] for seed in "01"
    )
    assert usual != other
    head, *rows = (re.split(r" {2,}", line) for line in printed[1 : 2 + len(usual)])
    assert head == ["unit", "costs", "games", "before, 90 %", "after, 90 %", "games needed"]
    assert {row["games_needed"] is None for row in usual} == {True, False}
    for cells, row in zip(rows, usual, strict=True):
        before, after = (
            "{:.3g} ({:.3g} to {:.3g})".format(*(row[f"{name}{end}"] for end in ("", "_low", "_high")))
            for name in ("prior", "worth")
        )
        many = row["games_needed"]  # told to two digits
        needed = ">100,000" if many is None else f"{round(many, 1 - math.floor(math.log10(many))):,.0f}"
        assert cells == [row["unit"], f"{row['requisition']:g}", str(row["games"]), before, after, needed]


@pytest.mark.slow
def test_command__one_unit_alone_has_no_number_of_games(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(HEAD + "tank,tank,a,b,crossing,4\n")
    words = ["playtest", str(path), "--simulate", "2", "--matches", "8", "--game", "skirmish_wars"]
    _, _, row, *_ = CliRunner().invoke(main, words).stdout.splitlines()
    unit, costs, games, *_, needed = re.split(r" {2,}", row.strip())
    assert (unit, costs, games, needed) == ("tank", "7", "1", "–")


@pytest.mark.slow
def test_playtest__where_no_match_was_decided_worth_before_it_is_unknown():
    game = small.few(["us_m4a1", "de_pz4h"])  # no squad, which alone could hold an objective
    row = {"list_a": "us_m4a1", "list_b": "de_pz4h", "winner": "draw", "rounds": 2, "mission": "domination"}
    drawn, won = (
        aab.playtest(game, [row, row | {"winner": last}], board="small", simulate=4, matches=4)
        for last in ("draw", "a")
    )
    for found in (drawn, won):
        assert found.units[["prior", "prior_low", "prior_high"]].isna().all(axis=None)
        assert "Nothing is known about worth before these games: no simulated match was decided." in found.sentences()
    assert drawn.units[["worth", "worth_low", "worth_high"]].isna().all(axis=None)
    assert won.units[["worth", "worth_low", "worth_high"]].notna().all(axis=None)


@pytest.mark.slow
def test_playtest__units_are_valued_where_games_were_and_nowhere_else(tmp_path):
    """Nobody can play for domination on a board without objectives."""
    plain = "\n".join(["........"] * 10)
    zones = '[zones.north]\nrect = [0, 0, 7, 1]\nfacing = "S"\n[zones.south]\nrect = [0, 8, 7, 9]\nfacing = "N"\n'
    for name, more in (("plain", ""), ("goal", "objectives = [[0, 5]]\n")):
        (tmp_path / f"{name}.toml").write_text(f'name = "x"\n{more}map = """\n{plain}\n"""\n{zones}', encoding="utf-8")
    game = aab.Game(boards=tmp_path).with_(cards=small.few(["us_m4a1", "de_pz4h", "inf_rifle"]).cards)
    lists = {"list_a": "us_m4a1,inf_rifle", "list_b": "de_pz4h,inf_rifle", "winner": "a", "rounds": 2}
    rows = [
        lists | {"board": "plain", "mission": "timed"},
        lists | {"board": "goal", "mission": "domination"},
    ]
    done: list[int] = []
    found = aab.playtest(game, rows, simulate=4, matches=8, advance=done.append)
    assert found.units["unit"].tolist() == ["us_m4a1", "de_pz4h", "inf_rifle"]
    assert sum(done) == 2 * 4 + 2 * 8


@pytest.mark.slow
def test_playtest__games_that_differ_in_one_thing_alone_are_predicted_each_by_its_own_matches():
    game = aab.Game("skirmish_wars")
    lists = {"list_a": "tank*2", "list_b": "tank*2"}
    same = {"rounds": 20, "first": "a"}
    terms = [same | other for other in ({}, {"first": "b"}, {"first": None}, {"rounds": 8})]
    rows = [{**lists, **one, "winner": "a"} for one in [*terms, terms[0]]]
    found = aab.playtest(game, rows, board="crossing", simulate=20, matches=8).games
    matches = [
        game.match(*lists.values(), board="crossing", simulate=20, **one | {"first": one["first"] or "roll_off"})
        for one in terms
    ]
    expected = [[(20 * p + 0.5) / 21.5 for p in (one.p_a, one.p_draw, one.p_b)] for one in [*matches, matches[0]]]
    assert len({tuple(one) for one in expected}) == len(terms)
    np.testing.assert_allclose(found[["p_a", "p_draw", "p_b"]], expected)


def test_results_of__are_lists_seats_and_players_with_the_sign_of_a():
    rows = [
        {"winner": "b", "first": "b", "player_a": "Ben", "player_b": "Ann"},
        {"winner": "draw", "first": "a", "player_b": "Ben"},
        {"winner": "a"},
    ]
    units = (["x", "x", "y"], ["y"]), (["y"], ["z", "z"]), (["z", "x"], ["x"])
    met = [
        SimpleNamespace(row=Played(list_a="x", list_b="x", **row), units=own)
        for row, own in zip(rows, units, strict=True)
    ]
    found = results_of(met, ["z", "y", "x"])
    assert found.difference.tolist() == [[0, 0, 2], [-2, 1, 0], [1, 0, 0]]
    assert found.score.tolist() == [0, 0.5, 1]
    assert found.effects.tolist() == [[-0.5, -1, 1], [0.5, 0, -1], [0, 0, 0]]  # first turn, Ann, Ben


@pytest.mark.slow
@pytest.mark.parametrize("winner", ["a", "b", "draw"])
def test_playtest__what_was_known_counts_what_boards_differ_by_and_whoever_wins_is_worth_more(winner, monkeypatch):
    game = aab.Game("skirmish_wars").with_(changes=["mech.cost=7"])
    none, error = np.zeros(2), np.full(2, 0.1)
    fits = [
        Fitted(at, "", ["tank", "mech"], np.full(2, 7.0), Estimate(mean, error, none, none, -0.5, 0.3), 9, none, 0)
        for at, mean in zip("wxyz", np.array([[0.7, -0.7], [-0.3, 0.3]] * 2), strict=True)
    ]
    monkeypatch.setattr("aabalance.pricing.playtest.board_fits", lambda *given, **asked: fits)
    row = {"list_a": "tank", "list_b": "mech", "winner": winner, "rounds": 2}
    tank, mech = aab.playtest(game, [row], board="crossing", simulate=4).units.to_dict("records")
    # Of four boards: .7, -.3, .7 and -.3, each known to .1. The variance between them is that of these four without
    # .01. At a table worth is spread once more; both together are worth 14.
    variance = 0.28**2 + (1 / 3 - 0.01) + 0.01 / 4
    for unit, log, other in ((tank, 0.2, -0.2), (mech, -0.2, 0.2)):
        prior = 14 * np.exp(log) / (np.exp(log) + np.exp(other))
        assert unit["prior"] == pytest.approx(prior)
        of_both = np.sqrt(2 * 5 / 6 * variance) * (1 - prior / 14)  # 5/6: Laplace's of t with five degrees of freedom
        half = norm.ppf(0.95) * of_both
        assert (unit["prior_low"], unit["prior_high"]) == pytest.approx((prior * np.exp(-half), prior * np.exp(half)))
    gains = np.round([unit["worth"] - unit["prior"] for unit in (tank, mech)], 6)
    assert np.sign(gains).tolist() == {"a": [1, -1], "b": [-1, 1], "draw": [0, 0]}[winner]


@pytest.mark.slow
def test_playtest__the_scale_that_was_known_is_the_mean_of_all_boards_of_which_one_is_enough_to_know_worth(monkeypatch):
    game = aab.Game("skirmish_wars")
    none, error, mean = np.zeros(2), np.full(2, 0.1), np.array([0.2, -0.2])
    row = {"list_a": "tank", "list_b": "mech", "winner": "a", "rounds": 2}
    found = []
    for scales, drawn in (((-0.5, -0.5), (0, 0)), ((-1.5, 0.5), (0, 0)), ((-0.5, -0.5), (9, 0))):
        fits = [
            Fitted(
                "",
                "",
                ["tank", "mech"],
                np.array([7.0, 3.0]),
                Estimate(mean, error, none, none, scale, 0.3),
                9,
                none,
                n,
            )
            for scale, n in zip(scales, drawn, strict=True)
        ]
        monkeypatch.setattr("aabalance.pricing.playtest.board_fits", lambda *given, fits=fits, **asked: fits)
        found.append(aab.playtest(game, [row], board="crossing", simulate=2).units)
    pd.testing.assert_frame_equal(found[0], found[1])
    assert found[2][["prior", "worth"]].notna().all(axis=None)


@pytest.mark.slow
def test_playtest__a_notebook_shows_names_as_they_are():
    game = {"list_a": "tank", "list_b": "tank", "winner": "draw", "player_a": "<b>Ann", "player_b": "Ben"}
    found = aab.playtest(aab.Game("skirmish_wars"), [game], board="crossing", simulate=4, matches=8)
    assert "&lt;b&gt;Ann scored" in found._repr_html_()
    assert "<b>" not in found._repr_html_()


@pytest.mark.slow
def test_playtest__one_unit_has_no_others_beside_which_games_tell_its_worth():
    game = {"list_a": "tank", "list_b": "tank", "winner": "draw", "first": "a"}
    rows = [game | {"player_a": "Ann", "player_b": "Ben"}, game | {"player_a": "Ben", "player_b": "Ann"}]
    found = aab.playtest(aab.Game("skirmish_wars"), rows, board="crossing", simulate=20, matches=40)
    assert found.units["games_needed"].tolist() == [np.inf]
    assert "These games have only one unit, so they can't compare its worth with that of others." in found.sentences()
    assert any("Ann scored 1 of 2 games, 1.00 were expected: neither lucky nor" in said for said in found.sentences())


def test_template__is_played_on_the_first_board_that_brings_no_units_and_shows_how_copies_are_written(tmp_path):
    for name, board in (("a", "two_towns"), ("b", "crossing")):
        (tmp_path / f"{name}.toml").write_bytes((OWN_BOARDS / f"{board}.toml").read_bytes())
    game = aab.Game("skirmish_wars", boards=tmp_path)
    assert [len(board.units) for board in game.boards.values()] == [10, 0]
    path = tmp_path / "games.csv"
    path.write_text(example(game), encoding="utf-8")
    [row] = read_log(path).values()
    assert row.board == "b"
    assert re.fullmatch(r"(\w+)\*2,(?!\1)\w+", row.list_a)


def test_verdict__the_least_p_value_is_that_of_the_rarer_end():
    for win in (0.1, 0.9):
        chances = np.tile([1 - win, 0, win], (3, 1, 1))
        assert verdict(chances, np.array([2])).least == pytest.approx(0.1)


def test_sentences__of_many_surprising_games_five_are_named():
    said = _told(3, 0, games=(0.04,) * 6)[1]
    assert said.startswith("Surprising: 6 of them, such as game 1 (p = 0.02), 2 (p = 0.02), ")
    assert re.findall(r"(\d) \(p", said) == [*"12345"]


def test_sentences__the_game_that_is_rare_among_all_is_the_one_that_is_surely_so():
    found = pd.DataFrame({"game": [1, 2], "n": 400, "p_value": [0.001, 0.005], "p_value_high": [0.03, 0.01]})
    units = pd.DataFrame({"name": ["U"], "games_needed": 1.0} | dict.fromkeys(("prior", "worth"), 8.0))
    units = units.assign(**{f"{name}_{end}": 8.0 for name in ("prior", "worth") for end in ("low", "high")})
    said = sentences(found, pd.DataFrame(), units, Verdict(1, 1, 1, 1, 1, 0.01))[1]
    assert said.endswith("; even as one of 2, game 2 is rare.")
