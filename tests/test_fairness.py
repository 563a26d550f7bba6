"""Is a board fair: equal lists on it, the map of what winners did, and what is out of reach or sight."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import small
from click.testing import CliRunner
from scipy import stats

import aabalance as aab
from aabalance.analysis import fairness
from aabalance.analysis.battles import from_json
from aabalance.analysis.meetings import job, meeting
from aabalance.cli import main
from aabalance.play.match_question import prepared
from aabalance.play.match_tally import Watched
from aabalance.play.sample import Sample
from aabalance.rulesets.base import match as base

ARMIES = (("a", "us_m4_75", 0), ("b", "de_pz4h", 8))
OPEN = (
    """name = "Open"
objectives = [[0, 5]]
map = """
    + "'''\n"
    + "\n".join(["........"] * 10)
    + """
'''
[zones.north]
rect = [0, 0, 7, 1]
facing = "S"
[zones.south]
rect = [0, 8, 7, 9]
facing = "N"
"""
)


def test_mean__has_students_interval() -> None:
    # Student 1908: t of 3 degrees of freedom is 3.182.
    mean, away = fairness._mean([0.5, 0.6, 0.7, 0.8], 10_000, False, 1)
    assert mean == pytest.approx(0.65)
    assert away == pytest.approx(3.182 * np.std([0.5, 0.6, 0.7, 0.8], ddof=1) / 2, rel=2e-4)


def test_mean__what_never_happened_may_happen() -> None:
    # Three of as many: of matches if the armies are the same each time, else of lists, whose matches hang together.
    assert fairness._mean([0.5] * 4, 100, True, 1) == (0.5, 0.015)
    assert fairness._mean([1.0] * 4, 100, True, 1) == (1, 0.03)
    assert fairness._mean([0.5] * 4, 100, False, 1) == (0.5, 0.375)
    assert fairness._mean([1.0] * 8, 256, False, 6)[1] == pytest.approx(np.log(6 / 0.05) / 8, rel=2e-3)  # of six
    assert fairness._mean([0.5, 0.5, 0.5, 0.501], 100, False, 1)[1] == pytest.approx(0.015, rel=1e-2)


def test_table__intervals_of_kinds_hold_together_and_that_of_all_lists_stands_for_itself() -> None:
    board = aab.Game("skirmish_wars").boards["crossing"]
    scores = [0.5, 0.6, 0.4, 0.55, 0.65, 0.45, 0.5, 0.6, 0.7]
    found = [{"n": 3200, "chosen": False, "drawn": 0.0, "first": score, "zone": score} for score in scores]
    every, *kinds = fairness._table(found, ["any", "cheap", "dear"] * 3, board).to_dict("records")
    of_any = scores[::3]
    for row, values, claims in ((every, scores, 1), (kinds[0], of_any, 9)):  # three kinds, each first, zone and draws
        half = stats.t.ppf(1 - 0.05 / claims / 2, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values))
        assert row["score_first_ci_high"] == pytest.approx(min(np.mean(values) + half, 1)), row
        assert row["score_zone_ci_low"] == pytest.approx(max(np.mean(values) - half, 0)), row


def test_table__no_score_is_beyond_all_matches_won() -> None:
    board = aab.Game("skirmish_wars").boards["last_stand"]
    one = {"n": 32, "chosen": False, "drawn": 0.0}
    found = [one | {"first": first, "zone": 1 - first} for first in (1.0, 0.97, 1.0)]
    [row] = fairness._table(found, [fairness.ALL] * 3, board).to_dict("records")
    half = 4.3027 * np.std([1, 0.97, 1], ddof=1) / np.sqrt(3)  # Student's t with 2 degrees of freedom
    assert (row["score_first_ci_low"], row["score_first_ci_high"]) == (pytest.approx(0.99 - half, abs=1e-5), 1)
    assert (row["score_zone_ci_low"], row["score_zone_ci_high"]) == (0, pytest.approx(0.01 + half, abs=1e-5))
    away = [fairness._away(row, name) for name in ("score_first", "score_zone")]
    assert away == pytest.approx([half, half], abs=1e-5)


def test_meetings__seeds_share_no_dice_and_both_seats_are_watched() -> None:
    game = aab.Game("skirmish_wars")
    board = game.boards["crossing_armies"]
    drawn = [[row for _, row in islice(fairness._meetings(game, board, seed, {}), 24)] for seed in (0, 1)]
    seeds = [one.seed for rows in drawn for one in rows]
    assert len(set(seeds)) == 48
    question = game.match_question(board=board)
    starts = prepared(question, seeds[0]).match
    assert {starts.start(number)[0].first for number in range(drawn[0][0].watched)} == {0, 1}


def test_around__is_what_touches_a_square_or_a_hex() -> None:
    for name, board in (("forumini", "crossroads"), ("armored_advance", "small")):
        game = aab.Game(name)
        rules = game.ruleset.match()
        assert rules is not None
        assert rules.board is not None
        corners = 0 if rules.board.hexes else 4
        for at in ((5, 2), (5, 3)):
            near = game.boards[board].around(*at)
            assert near >= rules.board.beside(at) | {at}
            assert at not in rules.board.beside(at)
            assert len(near) == len(rules.board.beside(at)) + 1 + corners


def test_meetings__have_a_squad_where_nobody_else_wins() -> None:
    game = aab.Game()
    for mission, least in (("timed", 0), ("domination", 1)):
        drawn = islice(fairness._meetings(game, game.boards["small"], 0, {"mission": mission}), 9)
        squads = [sum(card.class_ == "infantry" for card in one.lists[0].units) for _, one in drawn]
        assert min(squads) == least


def test_meetings__one_unit_is_both_the_cheaper_and_the_dearer_half() -> None:
    game = small.few(["us_m4a1"])
    drawn = [*islice(fairness._meetings(game, game.boards["small"], 0, {}), 6)]
    assert [kind for kind, _ in drawn] == ["any", "cheap", "dear"] * 2
    assert {card.id for _, one in drawn for card in one.lists[0].units} == {"us_m4a1"}


def test_meetings__are_of_units_that_have_a_price() -> None:
    game = small.few()
    board = game.boards["small"]
    drawn = islice(fairness._meetings(small.without_prices(game, "us_m4a1"), board, 0, {}), 30)
    ids = {card.id for _, one in drawn for card in one.lists[0].units}
    assert ids == {*small.UNITS} - {"us_m4a1"}
    with pytest.raises(aab.UsageError, match="cards: found no requisition on any card"):
        next(fairness._meetings(small.without_prices(game, *small.UNITS), board, 0, {}))


def test_map__counts_for_winners_and_against_losers() -> None:
    def seen(winner: int, *stood: tuple[str, tuple[int, int]]) -> Watched:
        return Watched(winner, [], Counter(), {}, Counter(stood), Counter(), Counter())

    found = fairness._map(
        [
            seen(base.WON_BY_A, ("a", (1, 2)), ("a", (1, 2)), ("b", (3, 3))),
            seen(base.WON_BY_B, ("a", (1, 2)), ("b", (4, 4))),
            seen(base.DRAWN, ("a", (5, 5))),
        ]
    )
    assert found == {
        "reached": [[1, 2], [3, 3], [4, 4], [5, 5]],
        "stood": [[1, 2, 1], [3, 3, -1], [4, 4, 1]],
        "fired": [],
        "fell": [],
    }


ENDS = "", "_ci_low", "_ci_high"
LEVEL = {"n": 32, "chosen": False, "drawn": 0.0, "first": 0.5, "zone": 0.5}


def _result(board: aab.boards.Board, one: dict[str, Any] = LEVEL, **given: Any) -> fairness.Fairness:
    """Return a result made by hand: of two lists that score alike."""
    whole = {
        "mission": None,
        "players": ("greedy", "random"),
        "decided": {},
        "not_reached": (),
        "watched": 2,
        "sight": (),
    }
    return fairness.Fairness(board=board, table=fairness._table([one] * 2, [fairness.ALL] * 2, board), **whole | given)


def test_svg__marks_are_those_of_the_legend_where_it_was() -> None:
    decided = {"fell": Counter({(1, 2): 4, (3, 3): -1})}
    drawn = _result(aab.Game("skirmish_wars").boards["last_stand"], decided=decided).svg("fell")
    mark = r'<circle r="([\d.]+)" (fill="[^>]*)/>'
    places = re.findall(rf"\((\d+),(\d+)\)\"><title>(.*?)</title>{mark}", drawn)
    seen = {title: (x, y, *found) for x, y, title, *found in places}
    legend = {name: found for *found, name in re.findall(rf"{mark}</g></g><text [^>]*>(\w+) fell more often", drawn)}
    # A square is ten wide; the largest mark is that of the legend.
    assert seen["1,2: +4"] == ("15", "25", *legend["winners"])
    x, y, radius, look = seen["3,3: -1"]
    assert (x, y, look) == ("35", "35", legend["losers"][1])
    # A quarter as much is drawn half as far above the smallest mark: areas tell how much oftener, not radii.
    assert float(legend["losers"][0]) == fairness.MOST
    assert float(radius) == pytest.approx((fairness.LEAST + fairness.MOST) / 2, abs=0.01)
    assert legend["winners"][1] != legend["losers"][1]
    assert "#1b7837" in legend["winners"][1]  # green


def test_svg__of_what_nobody_counts_is_refused() -> None:
    found = _result(aab.Game("skirmish_wars").boards["last_stand"], decided={"stood": Counter()})
    with pytest.raises(aab.UsageError, match=r"^what: found 'stand' .*, expected one of stood$"):
        found.svg("stand")


@pytest.mark.parametrize(("game", "board"), [("armored_advance", "small"), ("skirmish_wars", "two_towns")])
def test_svg__marks_of_the_legend_have_lines_of_their_own(game: str, board: str) -> None:
    drawn = _result(aab.Game(game).boards[board], decided={"stood": Counter({(1, 2): 65})}).svg()
    places = re.findall(r'translate\((\d+),(\d+)\)"><g transform="scale\(1.8\)">.*?<text [^>]*>(.*?)</text>', drawn)
    *grounds, (x, line, winners), (x_too, next_line, losers) = places
    assert (winners, losers) == tuple(f"{who} stood more often, 65 times at this size" for who in ("winners", "losers"))
    assert x == x_too == grounds[0][0]
    assert max(int(y) for _, y, _ in grounds) < int(line) < int(next_line)
    [height] = re.findall(r'viewBox="0 0 \d+ (\d+)"', drawn)
    assert int(next_line) + 18 <= int(height)


def test_goals__an_objective_is_reached_beside_it_and_a_property_on_it() -> None:
    objective, near = next(fairness._goals(aab.Game().boards["small"]))
    x, y = objective
    assert near == {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    board = aab.Game("skirmish_wars").boards["last_stand"]
    properties = (0, 0), (0, 6), (7, 1), (7, 5), (8, 2), (8, 3)  # A, a, b, b, B, b of its map
    assert dict(fairness._goals(board)) == {at: {at} for at in properties}


def test_sentences__tell_what_nobody_reached_and_the_quartiles_of_sight() -> None:
    board = aab.Game("skirmish_wars").boards["last_stand"]
    assert len(_result(board).sentences()) == 1
    assert ", by greedy v random, " in _result(board).sentences()[0]
    _, *said = _result(board, not_reached=[(0, 5), (2, 1)], watched=6, sight=[0.5, 0.1, 0.4, 0.3, 0.2]).sentences()
    assert said == [
        "Nobody reached 0,5, 2,1 in 6 matches that were watched.",
        "Of the board a quarter of the squares see 20.0 % or less, half 30.0 % or less, a quarter 40.0 % or more.",
    ]
    assert _result(board, sight=[1.0, 1.0]).sentences()[1] == "Of the board every square that was tried sees 100.0 %."


def test_sentences__tell_of_all_lists_and_of_each_kind_its_own_scores() -> None:
    """By hand: shares are those of their row and column; an interval that has a half in it, or ends there, is even."""
    names = "score_first", "score_zone", "p_draw"
    shares = {
        "all": ((0.53, 0.51, 0.55), (0.44, 0.4, 0.48), (0.2, 0.17, 0.23)),
        "any": ((0.54, 0.5, 0.58), (0.45, 0.4, 0.5), (0.21, 0.1, 0.3)),
        "cheap": ((0.56, 0.51, 0.61), (0.47, 0.41, 0.53), (0.22, 0.1, 0.3)),
        "dear": ((0.48, 0.42, 0.49), (0.49, 0.43, 0.55), (0.23, 0.1, 0.3)),
    }
    rows = [
        {"kind": kind, "zone": "north", "lists": 96, "n": 3072}
        | {
            f"{name}{end}": at
            for name, ends in zip(names, found, strict=True)
            for end, at in zip(ENDS, ends, strict=True)
        }
        for kind, found in shares.items()
    ]
    board = aab.Game("skirmish_wars").boards["crossing"]
    assert replace(_result(board), table=pd.DataFrame(rows)).sentences() == [
        "crossing: of 3072 matches between equal lists, by greedy v random, the side that goes first scores 53.0 % "
        "(51.0 % to 55.0 %): a first turn worth +6.0 points in 100 (+2.0 to +10.0); the side in zone north scores "
        "44.0 % (40.0 % to 48.0 %); 20.0 % (17.0 % to 23.0 %) are drawn.",
        "Lists of any units: first scores 54.0 % (50.0 % to 58.0 %, maybe even), the side in zone north scores 45.0 % "
        "(40.0 % to 50.0 %, maybe even).",
        "Lists of cheap units: first scores 56.0 % (51.0 % to 61.0 %), the side in zone north scores 47.0 % "
        "(41.0 % to 53.0 %, maybe even).",
        "Lists of dear units: first scores 48.0 % (42.0 % to 49.0 %), the side in zone north scores 49.0 % "
        "(43.0 % to 55.0 %, maybe even).",
    ]


def test_sentences__scores_of_matches_that_hardly_anybody_wins_say_little() -> None:
    result = _result(aab.Game("skirmish_wars").boards["crossing"])
    for drawn, said in ((0.75, False), (0.76, True), (0.96, True)):
        sentences = replace(result, table=result.table.assign(p_draw=drawn)).sentences()
        assert any(one.startswith("Hardly anybody wins here, so these scores say little") for one in sentences) == said


def test_sight__is_that_of_the_board(tmp_path: Path) -> None:
    (tmp_path / "open.toml").write_text(OPEN, encoding="utf-8")
    row = OPEN.index("........\n........\n........\n........") + 3 * 9
    (tmp_path / "wall.toml").write_text(
        f"{OPEN[:row]}BBBBBBB.{OPEN[row + 8 :]}".replace("[[0, 5]]", "[[0, 2]]"), encoding="utf-8"
    )
    game = aab.Game(boards=tmp_path)
    found = {}
    for name in ("open", "wall"):
        question = game.match_question("us_m4a1", "us_m4a1", board=name)
        found[name] = fairness._sight(game, meeting(question, 1), game.boards[name], 3)
    assert found["open"] == [1.0] * fairness.SEEN
    assert 0.3 < np.mean(found["wall"]) < 0.8


def test_sight__of_armour_battles_ends_at_a_town(tmp_path: Path) -> None:
    """Half of a row lies on either side of it; the town itself is seen, and sees all."""
    units = ", ".join(f'{{ side = "{side}", type = "{tank}", at = [{x}, 0] }}' for side, tank, x in ARMIES)
    (tmp_path / "row.toml").write_text(
        f'name = "Row"\nmap = """\n....#....\n"""\nunits = [{units}]\n', encoding="utf-8"
    )
    game = aab.Game("armour_battles", boards=tmp_path)
    row = meeting(game.match_question((), (), board="row"), 1)
    assert sorted(fairness._sight(game, row, game.boards["row"], 3)) == [0.5] * 8 + [1.0]


def test_meetings__lists_are_equal_and_of_their_kind() -> None:
    game = aab.Game()
    drawn = list(islice(fairness._meetings(game, game.boards["small"], 5, {}), 6))
    assert [kind for kind, _ in drawn] == list(fairness.KINDS) * 2
    costs = sorted(card.requisition for card in game.cards.values())
    for kind, row in drawn:
        a, b = row.lists
        assert [card.id for card in a.units] == [card.id for card in b.units]
        each = [card.requisition for card in a.units]
        if kind == "dear":
            assert min(each) >= costs[len(costs) // 2]
        else:
            assert kind == "any" or max(each) <= costs[len(costs) // 2]
    again = [row.lists for _, row in islice(fairness._meetings(game, game.boards["small"], 5, {}), 6)]
    assert again == [row.lists for _, row in drawn]


def test_list__spends_all_that_pays_for_a_unit_and_begins_with_one_that_scores() -> None:
    costs, draw = {"tank": 20.0, "squad": 10.0}, random.Random(0)
    assert fairness._list(draw, ["tank"], costs, 100, ()) == ["tank"] * 5  # the last costs just what is left
    assert fairness._list(draw, ["tank"], costs, 100, ["squad"]) == ["squad"] + ["tank"] * 4  # it is paid, too


def test_meetings__a_list_costs_as_much_as_five_median_units_of_its_kind() -> None:
    game = aab.Game()
    costs = sorted(card.requisition for card in game.cards.values())
    half = len(costs) // 2
    pools = {"any": costs, "cheap": costs[: half + 1], "dear": costs[half:]}
    for kind, row in islice(fairness._meetings(game, game.boards["small"], 5, {}), 9):
        left = 5 * np.median(pools[kind]) - sum(card.requisition for card in row.lists[0].units)
        assert 0 <= left < pools[kind][0], "nothing is left that would pay for one more"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seed": None}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"target_error": None}, "target_error"),
        ({"target_error": 0.0009}, "target_error"),
    ],
)
def test_fairness__refuses_what_is_no_seed_and_no_half_width(given: dict[str, Any], said: str) -> None:
    with pytest.raises(aab.UsageError, match=rf"^{said}: found .*, expected a"):
        aab.fairness("skirmish_wars", "last_stand", **{"rounds": 1, "target_error": 0.4, **given})


@pytest.mark.slow
def test_meetings__lists_of_few_kinds_cost_less_where_counters_are_limited() -> None:
    game = aab.Game("skirmish_wars")
    alone = game.with_(cards=game.cards.only(["tank"]))
    drawn = islice(fairness._meetings(alone, game.boards["crossing"], 0, {}), 4)
    assert {len(row.lists[0].units) for _, row in drawn} == {4}, "five would be drawn, and there are four counters"
    with pytest.raises(aab.UsageError, match="found 1 tank, expected at most 0"):
        next(fairness._meetings(alone, game.boards["crossing"], 0, {"counters": 0}))


@pytest.mark.slow
def test_play_mirrored__scores_are_those_of_the_match() -> None:
    game = aab.Game("skirmish_wars")
    question = game.match_question(board="last_stand", rounds=8)
    [found] = from_json([job(fairness.play_mirrored, game, [meeting(question, 40, 7)])])
    alone = game.match(board="last_stand", rounds=8, simulate=40, seed=7)
    assert found["zone"] == pytest.approx(alone.p_a + alone.p_draw / 2)  # nobody chooses one: that of side a
    assert (found["n"], found["drawn"], found["chosen"]) == (40, alone.p_draw, False)


@pytest.mark.slow
def test_play_mirrored__counts_for_who_goes_first_and_for_the_first_zone() -> None:
    game, units = aab.Game(), "us_m4a1*2,inf_rifle"
    question = game.match_question(units, units, board="river", rounds=6)
    row = meeting(question, 40, 9)
    [found] = from_json([job(fairness.play_mirrored, game, [row])])
    alone = game.match(units, units, board="river", rounds=6, simulate=40, seed=9)
    assert alone.first_turn_gap  # either side begins half of the matches
    assert found["first"] == pytest.approx(0.5 + alone.first_turn_gap / 2)
    assert (found["n"], found["drawn"], found["chosen"]) == (40, 0, True)
    won = {"first": 0, "zone": 0}
    for match in prepared(question, row.seed).play(Sample(40, None, row.seed, lambda done: None)):
        winner = [base.WON_BY_A, base.WON_BY_B].index(match[base.RESULT])
        won["first"] += winner == match[base.FIRST]
        won["zone"] += winner == match[base.ZONE]  # that of a: if it is the second one, b has the first
    assert [found[name] * 40 for name in won] == pytest.approx([*won.values()])
    assert won["zone"] != 20
    board = game.boards["river"]
    assert (
        f"the side in zone {next(iter(board.zones))} scores {won['zone'] / 0.4:.1f} %"
        in _result(board, found).sentences()[0]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "board", "units"), [("armored_advance", "small", "us_m4a1"), ("forumini", "crossroads", "de_tiger_i*2")]
)
def test_facts__zone_is_where_the_units_of_a_are_placed(game: str, board: str, units: str) -> None:
    question = aab.Game(game).match_question(units, units, board=board, rounds=1, player_a="random", player_b="random")
    played = prepared(question, 1)
    seen = set()
    for number in range(2):
        log = played.log(number)
        placed = [(one.side, one.at) for step in reversed(log.steps) for one in step.scene.pieces if one.at]
        for side, zone in zip("ab", (log.facts[base.ZONE], 1 - log.facts[base.ZONE]), strict=True):
            x0, y0, x1, y1 = [*question.board.zones.values()][zone]
            x, y = [at for of, at in placed if of == side][-1]  # the first place of all
            assert x0 <= x <= x1
            assert y0 <= y <= y1
        seen.add(log.facts[base.ZONE])
    assert seen == {0, 1}


@pytest.mark.slow
def test_fairness__finds_the_board_that_favours_a_side(monkeypatch: pytest.MonkeyPatch) -> None:
    # The factories of the board stand a column nearer to b: docs/matches.md. Of eight lists its score is six standard
    # errors below a half.
    monkeypatch.setattr(fairness, "BATCH", 8)
    found = aab.fairness(aab.Game("skirmish_wars"), "two_towns", rounds=20, target_error=0.06)
    [row] = found.table.to_dict("records")
    assert row["lists"] == 8
    assert row["score_zone_ci_high"] < 0.5
    assert (row["zone"], row["lists"] * fairness.EACH) == ("side a", row["n"])
    assert found.sight == []
    drawn = found.svg("fell")
    assert "<circle" in drawn
    assert "winners fell more often" in drawn
    assert "losers fell more often" in drawn
    assert "side a" not in drawn  # no units are on it
    named = replace(found, mission="<b>")._repr_html_()
    assert "&lt;b&gt;: of " in named
    assert "<b>" not in named


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2])
def test_fairness__plays_until_both_scores_are_sure_enough(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four lists one score is: with the first seed that of the zone, with the other that of who goes first."""
    monkeypatch.setattr(fairness, "BATCH", 4)
    found = aab.fairness(aab.Game("skirmish_wars"), "last_stand", rounds=4, target_error=0.06, seed=seed).table.iloc[0]
    assert found["lists"] > 4
    for name in ("score_first", "score_zone"):
        assert found[f"{name}_ci_high"] - found[name] <= 0.06
        assert found[name] - found[f"{name}_ci_low"] <= 0.06


@pytest.mark.slow
def test_sentences__armies_that_the_board_brings_are_not_called_equal() -> None:
    game = aab.Game("skirmish_wars")
    found = aab.fairness(game, "last_stand", rounds=2, target_error=0.2)
    assert found.watched == fairness.SEATS * fairness.WATCHED
    assert found.not_reached == []  # two rounds are enough to stand on each property
    assert "matches of the armies that the board brings, which may be unequal, by greedy, side a" in (
        found.sentences()[0].replace("the side that goes first", "side a")
    )
    changed = CliRunner().invoke(
        main,
        ["boards", "last_stand", "--game", "skirmish_wars", "--set", "tank.cost=20", "--fair", "--with", "rounds=2"],
    )
    assert changed.output.startswith("with tank.cost=20\n")


def test_command__checked_boards_as_json() -> None:
    ran = CliRunner().invoke(main, ["boards", "check", "--game", "skirmish_wars", "--json"])
    assert json.loads(ran.stdout) == {"fine": [*aab.Game("skirmish_wars").boards]}


@pytest.mark.slow
def test_command__draws_where_winners_stood_fired_and_fell_and_plays_until_it_is_as_near_as_it_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In two rounds nobody wins: of a score of a half, n lists leave 3 / 2 of 32 n matches to chance, .02 of 2.3."""
    monkeypatch.setattr(fairness, "BATCH", 2)
    words = "boards", "last_stand", "--game", "skirmish_wars", "--fair", "--with"
    ran = CliRunner().invoke(main, [*words, "rounds=2", "--svg", "/dev/null"])
    assert ran.stdout.startswith("last_stand: of 128 matches ")
    assert ran.stderr.endswith("drawn: /dev/null\n")
    path, game = tmp_path / "map.svg", aab.Game("skirmish_wars")
    drawn = [*words, "rounds=8", "--json", "--target-error", "0.2", "--seed", "3", "--svg", str(path)]
    ran = CliRunner().invoke(main, drawn)
    assert ran.stderr.endswith(f"drawn: {path}, {tmp_path / 'map_fired.svg'}, {tmp_path / 'map_fell.svg'}\n")
    told = json.loads(ran.stdout)
    found = aab.fairness(game, "last_stand", rounds=8, target_error=0.2, seed=3)
    assert told["decided"]["stood"]
    for name, what in (("map", "stood"), ("map_fired", "fired"), ("map_fell", "fell")):
        assert path.with_name(f"{name}.svg").read_text(encoding="utf-8") == found.svg(what)
    assert found.svg() not in (found.svg("fell"), game.boards["last_stand"]._repr_svg_())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fair",), "--fair: found without the name of a board"),
        (("check", "--fair"), "--fair: found without the name of a board, expected one"),
        (("small", "--svg", "small.svg", "--json"), "--svg: found without the name of a board, or with --json"),
        (("small", "--with", "rounds=3"), "--with: found without --fair, expected both"),
        (("small", "--target-error", "0.1"), "--target-error: found without --fair, expected both"),
        (("small", "--seed", "1"), "--seed: found without --fair, expected both"),
        (("small", "--workers", "2"), "--workers: found without --fair, expected both"),
        (("small", "--fair", "--with", "target_error=1"), "--with: found target_error, expected the option"),
        (("small", "--fair", "--with", "board=river"), "--with: found board, expected the option of this name"),
        (("small", "--svg", "small.png"), "found 'small.png', expected a name that ends in .svg"),
        (("small", "--fair", "--svg", "nowhere/small.svg"), "nowhere/small.svg: can't be written: found no folder"),
        (("small", "--fair", "--target-error", "0"), "target_error: found 0.0"),
        (("small", "--fair", "--target-error", "0.5"), "target_error: found 0.5, expected a half-width from 0.001 to "),
        (("small", "--fair", "--with", "first=a"), "first: found 'a', expected none: either side begins half"),
        (("small", "--fair", "--with", "mission=no"), "mission: found 'no', expected one of"),
    ],
)
def test_command__says_what_is_wrong_in_a_line(words: tuple[str, ...], said: str) -> None:
    ran = CliRunner().invoke(main, ["boards", *words])
    assert (ran.exit_code, ran.output.count("\n")) == (2, 1)
    assert said in ran.output
