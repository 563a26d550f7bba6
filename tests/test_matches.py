"""Tables of matches: what was watched, what it comes to, and rows as jobs."""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import aabalance as aab
from aabalance.analysis import ladder, matches
from aabalance.cli import main
from aabalance.cli.match import _cells
from aabalance.definitions import report
from aabalance.engine.match.arena import trajectory
from aabalance.engine.sampling import wilson
from aabalance.play.match_tally import Watched, _end_round, _take, tally, watched
from aabalance.report import pictures
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.board import Piece, Scene

RANDOM = ["random"]
ENDS = "", "_ci_low", "_ci_high"


BY_RANDOM = {"player_a": "random", "player_b": "random"}
FACED = "de_panzer_iv_ausf_f2,de_mg_42_team", "de_panzer_iv_ausf_f2,de_mg_42_team"
HEXES = {
    "a1": {"at": [4, 3], "facing": "E"}, "a2": {"at": [4, 2]},
    "b1": {"at": [6, 3], "facing": "W"}, "b2": {"at": [6, 4]},
}  # fmt: skip
DECKS = "us_stryker,us_m113,us_bradley", "cn_type80,cn_yw531,cn_type83"
NEAR = {"a1": (4, 10, "S"), "a2": (8, 10, "S"), "b1": (4, 13, "N"), "b2": (8, 13, "N")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "lists", "more"),
    [
        ("skirmish_wars", ((), ()), {"board": "last_stand", "rounds": 2}),
        ("armored_advance", ("us_m8,us_m4a1", "de_puma,de_pz4h"), {"board": "small", "rounds": 2, **NEAR}),
        ("forumini", FACED, {"board": "crossroads", "rounds": 2, "seed": 4, **BY_RANDOM, **HEXES}),
        ("armour_battles", ("us_m4_75*2,us_105", "de_pz4h,de_puma"), {"board": "crossroads", "rounds": 1, "seed": 3}),
        ("modern_land_battles", DECKS, {"board": "skirmish", "rounds": 2, "seed": 2, **BY_RANDOM}),
    ],
)
def test_watched__what_a_side_destroys_is_what_the_other_loses(game: str, lists: Any, more: dict[str, Any]) -> None:
    asked = aab.Game(game)
    played = asked.match(*lists, **more, simulate=1).played
    currency = asked.ruleset.labels.currency
    costs = {name: getattr(card, currency) for name, card in played.agreed.cards.items()}
    seen = watched(played.match, played.names, 0, None, played.question.board, costs)
    log = played.first
    lost = {"a": 0.0, "b": 0.0}
    scenes = [log.scene, *(step.scene for step in log.steps)]
    for before, after in pairwise(scenes):
        left = {piece.mark: piece.strength for piece in after.pieces}
        for piece in before.pieces:
            lost[piece.side] += costs[piece.card] * max(piece.strength - left.get(piece.mark, 0), 0) / piece.most
    assert sum(lost.values()) > 0
    for side, enemy in ("ab", "ba"):
        done = sum(did["destroyed"] for piece, did in seen.units.values() if piece.side == side)
        assert done == pytest.approx(lost[enemy])
    assert sum(seen.actions.values()) == len(log.steps)
    assert {mark for mark, (_, did) in seen.units.items() if did["survived"]} == {
        piece.mark for piece in log.steps[-1].scene.pieces
    }
    assert len(seen.leads) == more["rounds"] - 1


@pytest.mark.slow
def test_watched__a_loss_that_shows_when_the_target_answers_is_the_work_of_who_fired() -> None:
    # docs/matches.md prints it: the words of a check, "b1 react", name the target alone, whose loss it is; before, b1
    # and b2 were fired at by a2 and a1, a1 in vain. The battery a3 hits b1 and b2 by itself.
    game = aab.Game("armour_battles")
    played = game.match("us_m4_75*2,us_105", "de_pz4h,de_puma", board="crossroads", rounds=1, seed=3, simulate=1).played
    [seen] = played.watch(1)
    did = {mark: what["destroyed"] for mark, (_, what) in seen.units.items()}
    tank, car = (game.cards[unit].points for unit in ("de_pz4h", "de_puma"))
    assert did == pytest.approx({"a1": 0, "a2": tank * 2 / 3, "a3": tank / 3 + car * 2 / 3, "b1": 0, "b2": 0})
    # Both shots are from the squares of the tanks that fired; one turn of both sides is over at the end.
    assert dict(seen.fired) == {("a", (1, 1)): 1, ("a", (2, 5)): 1}
    assert sum(seen.stood.values()) == 3  # both tanks, and the car


def test_watched__friends_whom_a_barrage_hits_are_no_work_of_the_enemy() -> None:
    def pieces(**strength: int) -> Scene:
        where = {"a1": (1, 1), "a2": (6, 3), "b1": (6, 3), "b2": (9, 3)}
        found = [Piece(mark, mark, mark[0], "tank", where[mark], left, 4) for mark, left in strength.items()]
        return Scene(1, found, {}, (), {})

    seen = Watched(base.NOT_OVER, [], Counter(), {}, Counter(), Counter(), Counter())
    seen.units.update({piece.mark: (piece, defaultdict(float)) for piece in pieces(a1=4, a2=4, b1=4, b2=4).pieces})
    last, costs = {"a": "a1", "b": "b2", "a2": "b2"}, {"a2": 20.0, "b1": 40.0}
    states = pieces(a1=4, a2=4, b1=4, b2=4), pieces(a1=4, a2=1, b1=2, b2=4), pieces(a1=4, b2=4)
    # b2 has fired at a2 before, in vain. What the barrage took shows at once but for the last of it, at the end.
    for (before, after), side, words in zip(pairwise(states), "ab", ["a1 barrage 6,3", "end"], strict=True):
        _take(seen, before, after, last, side, words.split(), costs)
    assert {mark: did["destroyed"] for mark, (_, did) in seen.units.items()} == {"a1": 40, "a2": 0, "b1": 0, "b2": 0}
    assert seen.fell == {("a", (6, 3)): 1, ("b", (6, 3)): 1}


def test_watched__who_attacks_has_taken_something_though_the_enemy_strikes_back() -> None:
    def pieces(a1: int, b1: int) -> Scene:
        return Scene(
            1,
            [Piece(mark, "tank", mark[0], "armour", (1, 1), left, 4) for mark, left in (("a1", a1), ("b1", b1))],
            {},
            (),
            {},
        )

    seen = Watched(base.NOT_OVER, [], Counter(), {}, Counter(), Counter(), Counter())
    seen.units.update({piece.mark: (piece, defaultdict(float)) for piece in pieces(4, 4).pieces})
    # The loss of b1 that shows at the end of its own turn is still that of a1, who struck last.
    last, words = {"b": "b1", "a": "a1"}, ("b1 attack a1", "end")
    states = pieces(4, 4), pieces(2, 3), pieces(2, 1)
    took = [
        _take(seen, before, after, last, "b", said.split(), {"tank": 40.0})
        for (before, after), said in zip(pairwise(states), words, strict=True)
    ]
    assert took == [True, False]
    assert {mark: did["destroyed"] for mark, (_, did) in seen.units.items()} == {"a1": 30, "b1": 20}


def test_watched__a_loss_that_shows_later_is_the_work_of_who_attacked_that_unit_last() -> None:
    """Not of a2, who was named after a1: it fired at b2, in vain."""

    def pieces(**left: int) -> Scene:
        return Scene(1, [Piece(mark, "tank", mark[0], "armour", (1, 1), left[mark], 4) for mark in left], {}, (), {})

    before, after = pieces(a1=4, a2=4, b1=4, b2=4), pieces(a1=4, a2=4, b1=1, b2=4)
    seen = Watched(base.NOT_OVER, [], Counter(), {}, Counter(), Counter(), Counter())
    seen.units.update({piece.mark: (piece, defaultdict(float)) for piece in before.pieces})
    last = {"b1": "a1", "b2": "a2", "a": "a2", "b": "b2"}
    assert not _take(seen, before, after, last, "b", ["end"], {"tank": 40.0})
    destroyed = {mark: did["destroyed"] for mark, (_, did) in seen.units.items()}
    assert destroyed == {"a1": 30, "a2": 0, "b1": 0, "b2": 0}


@pytest.mark.parametrize(
    ("game", "board", "held"),
    [("skirmish_wars", "crossing", {"a1", "a2"}), ("armored_advance", "village", {"a1", "a2", "b1"})],
)
def test_watched__who_is_carried_holds_what_its_carrier_does(game: str, board: str, held: set[str]) -> None:
    """Objectives are held from the squares around them, too; of two that are held, each counts for its own side."""
    units = [
        Piece("a1", "half-track", "a", "mechanized", (2, 2), 1, 1),
        Piece("a2", "squad", "a", "infantry", None, 1, 1, inside="a1"),
        Piece("a3", "squad", "a", "infantry", (3, 5), 1, 1),
        Piece("b1", "tank", "b", "armour", (4, 4), 1, 1),
    ]
    seen = Watched(base.NOT_OVER, [], Counter(), {}, Counter(), Counter(), Counter())
    seen.units.update({piece.mark: (piece, defaultdict(float)) for piece in units})
    _end_round(seen, Scene(1, units, {(2, 2): "a", (3, 4): "b"}, (), {}), aab.Game(game).boards[board])
    assert {mark for mark, (_, did) in seen.units.items() if did["held"]} == held
    assert {mark: did["carried"] for mark, (_, did) in seen.units.items() if did["carried"]} == {"a1": 1}


@pytest.mark.slow
def test_watched__is_what_a_plain_reading_of_the_words_says() -> None:
    played = aab.Game("skirmish_wars").match(board="last_stand", rounds=3, simulate=1, seed=0, **BY_RANDOM).played
    [seen], log = played.watch(1), played.first
    stood: Counter[tuple[str, tuple[int, ...]]] = Counter()
    held: Counter[str] = Counter()
    carried: Counter[str] = Counter()
    actions: Counter[tuple[str, str]] = Counter()
    turns = 0
    for step in log.steps:
        actions[step.side, next(word for word in step.action.split() if not word[-1].isdigit())] += 1
        if step.action != "end":
            continue
        turns += 1
        units = {one["id"]: one for one in step.state["units"]}
        stood.update((mark[0], tuple(one["at"])) for mark, one in units.items() if one["at"])
        if turns % 2 == 0:
            owned = {tuple(one["at"]): one["owner"] for one in step.state["properties"]}
            held.update(mark for mark, one in units.items() if one["at"] and owned.get(tuple(one["at"])) == mark[0])
            carried.update({one["in"] for one in units.values() if one["in"]})
    rules, (tables, _) = played.match.rules, played.match.start(0)
    states = [one.after for one in trajectory(played.match, 0)]
    ends = [
        next(state for state in states if state.turn == turn) for turn in (3, 5)
    ]  # both sides had one turn, and two
    a, b = ([rules.value(tables, state, side, base.NO_UNIT) for state in ends] for side in (0, 1))
    assert seen.leads == np.sign(np.subtract(a, b)).tolist()
    assert len(seen.leads) == 2
    assert turns == 6
    assert seen.stood == stood
    assert seen.actions == actions
    for what, counted in (("held", held), ("carried", carried)):
        assert sum(counted.values()) > 0
        assert {mark: did[what] for mark, (_, did) in seen.units.items() if did[what]} == counted


@pytest.mark.slow
def test_watched__who_scouts_where_units_fire_and_fall() -> None:
    """By the words of the actions and the squares of the states before them."""
    lists = "us_m8*2,us_m4a1", "de_puma,de_pz4h*2"
    played = aab.Game().match(*lists, board="small", rounds=4, simulate=1, seed=1).played
    [seen], log = played.watch(1), played.first
    scouted: Counter[str] = Counter()
    fired: Counter[tuple[str, tuple[int, int]]] = Counter()
    fell: Counter[tuple[str, tuple[int, int]]] = Counter()
    for before, after in pairwise(log.steps):
        unit, verb, *_ = *after.action.split(), ""
        units = {name: (one["x"], one["y"]) for name, one in before.state["units"].items() if "x" in one}
        if verb == "scout":
            scouted[unit.partition(".")[0]] += 1
        if verb in ("shoot", "aim"):
            fired[after.side, units[unit]] += 1
        fell.update((name[0], at) for name, at in units.items() if name not in after.state["units"])
    assert min(map(len, (scouted, fired, fell))) > 1
    assert {mark: did["scouted"] for mark, (_, did) in seen.units.items() if did["scouted"]} == scouted
    assert (seen.fired, seen.fell) == (fired, fell)


@pytest.mark.slow
def test_watched__an_attack_that_kills_for_sure_is_fired_though_no_die_falls() -> None:
    played = aab.Game("skirmish_wars").match(board="last_stand", rounds=1, seed=2, simulate=1).played
    [seen], log = played.watch(1), played.first
    fired: Counter[tuple[str, tuple[int, int] | None]] = Counter()
    sure = 0
    for before, step in zip([log.scene, *(step.scene for step in log.steps)], log.steps, strict=False):
        at = {piece.mark: piece.at for piece in before.pieces}
        unit, verb, *_ = *step.action.split(), ""
        if verb == "attack":
            fired[step.side, at[unit]] += 1
            sure += not len(step.dice)
    assert sure > 0
    assert seen.fired == fired


@pytest.mark.slow
def test_watched__on_hexes_a_side_holds_the_zone_in_which_it_is_alone() -> None:
    played = aab.Game("forumini").match(*FACED, board="crossroads", rounds=2, seed=4, simulate=1, **BY_RANDOM, **HEXES)
    [seen], log = played.played.watch(1), played.played.first
    # The objective of the board is 5,3; odd rows lie half a hex to the right.
    zone = {"5,3", "4,3", "6,3", "5,2", "6,2", "5,4", "6,4"}
    held: Counter[str] = Counter()
    for step, after in pairwise([*log.steps, None]):
        if after is None or after.state["turn"] > step.state["turn"]:
            last = step.state if after is None else after.state
            there = [mark for mark, one in last["units"].items() if one["at"] in zone]
            if len({mark[0] for mark in there}) == 1:
                held.update(there)
    assert held
    assert {mark: did["held"] for mark, (_, did) in seen.units.items() if did["held"]} == held
    assert sum(seen.stood.values()) <= 2 * len(HEXES)  # units that are left, at the end of two turns


def one(winner: int, leads: list[int], *units: tuple[str, str, float]) -> Watched:
    """Return a match of which little is known: of units, their marks, cards and what they destroyed."""
    met = {
        mark: (Piece(mark, card, mark[0], "armour", None, 1, 1), defaultdict(float, destroyed=destroyed))
        for mark, card, destroyed in units
    }
    return Watched(winner, leads, Counter({("a", "move"): len(leads)}), met, Counter(), Counter(), Counter())


def test_tally__counts_changes_of_the_lead_and_means_of_units() -> None:
    found = tally(
        [
            one(base.WON_BY_A, [-1, 0, -1, 1], ("a1", "tank", 4), ("a2", "tank", 8)),
            one(base.WON_BY_B, [-1], ("a1", "tank", 10)),
            one(base.DRAWN, [1, -1, 1]),
        ]
    )
    assert found["watched"] == 3
    assert found["lead_changes"] == 1  # 1, 0 and 2
    assert found["lead_changes_se"] == pytest.approx(1 / math.sqrt(3))
    assert (found["came_back"], found["came_back_ci_high"]) == (0.5, wilson(1, 2)[1])
    behind = [(row["round"], row["n"], row["p_a_ahead"], row["p_winner_behind"]) for row in found["leads"]]
    assert behind == [(1, 3, 1 / 3, 0.5), (2, 2, 0, 0), (3, 2, 0.5, 1), (4, 1, 1, 0)]
    [tank] = found["units"]
    assert (tank["units_a_match"], tank["destroyed"], tank["n"]) == (1, 8, 2)
    assert tank["destroyed_se"] == pytest.approx(2)
    assert [row["a_match"] for row in found["actions"]] == [pytest.approx(8 / 3)]


def test_tally__a_match_won_in_its_first_round_is_one_in_which_nobody_came_back() -> None:
    found = tally([one(base.WON_BY_A, []), one(base.WON_BY_A, [-1, 1])])
    assert (found["came_back"], found["came_back_ci_high"]) == (0.5, wilson(1, 2)[1])


def test_tally__who_was_level_was_not_behind() -> None:
    found = tally([one(base.WON_BY_A, [0, 1]), one(base.WON_BY_B, [0, -1])])
    assert found["came_back"] == 0
    assert [row["p_winner_behind"] for row in found["leads"]] == [0, 0]


def test_tally__of_one_match_without_a_winner_claims_nothing_of_others() -> None:
    found = tally([one(base.DRAWN, [1], ("a1", "tank", 4))])
    [lead], [unit] = found["leads"], found["units"]
    assert (found["lead_changes"], unit["destroyed"], lead["p_a_ahead"]) == (0, 4, 1)
    unknown = found["came_back"], found["lead_changes_se"], lead["p_winner_behind"], unit["destroyed_se"]
    assert all(map(math.isnan, unknown))
    assert [found[f"came_back_ci_{end}"] for end in ("low", "high")] == [0, 1]


def test_tally__rows_of_actions_are_by_side_and_verb() -> None:
    verbs = ("b", "move"), ("a", "shoot"), ("b", "aim"), ("a", "end"), ("a", "move")
    seen = [one(base.DRAWN, [])._replace(actions=Counter({verb: 3})) for verb in verbs]
    rows = tally(seen)["actions"]
    assert [(row["side"], row["action"]) for row in rows] == sorted(verbs)
    assert [row["a_match"] for row in rows] == [3 / 5] * 5


def test_matches__a_row_is_what_the_match_says_by_itself() -> None:
    game = aab.Game("skirmish_wars")
    lists = {"foot": "infantry*2,tank", "guns": "mech*2,artillery"}
    done: list[int] = []
    found = aab.matches(
        game, boards=["crossing"], lists=lists, rounds=[2, 3], players=RANDOM, simulate=1, seed=4, advance=done.append
    )
    assert done == [1, 1]
    alone = game.match(
        lists["foot"],
        lists["guns"],
        board="crossing",
        rounds=3,
        player_a="random",
        player_b="random",
        simulate=1,
        seed=4,
    )
    row = found.matches.iloc[1]
    assert (row["list_a"], row["list_b"], row["rounds"]) == ("foot", "guns", 3)
    assert (row["p_draw"], row["value_a"], row["player_turns"]) == (alone.p_draw, alone.value_a, alone.player_turns)
    assert (row["p_draw"], row["score_a"]) == (1, 0.5)
    same = ["player_a", "player_b", "requisition_a", "requisition_b", "p_a", "value_b"]
    assert alone.to_frame()[same].iloc[0].tolist() == row[same].tolist()
    foot, guns = (
        sum(game.cards[unit].cost for unit in units.split())
        for units in ("infantry infantry tank", "mech mech artillery")
    )
    assert (row["requisition_a"], row["requisition_b"]) == (foot, guns)
    assert found.units["name"].tolist() == [game.cards[unit].name for unit in found.units["unit"]]
    assert math.isnan(row["first_turn_gap"])
    assert set(found.units["side"]) == {"a", "b"}
    assert (found.actions["a_match"] >= 1).all()


@pytest.mark.slow
def test_matches__a_row_names_the_zone_that_its_gap_is_of() -> None:
    game, lists = aab.Game(), ("us_m8", "de_puma")
    found = aab.matches(game, [lists], boards=["small"], rounds=[1], players=RANDOM, simulate=8, watched=0).matches
    alone = game.match(*lists, board="small", rounds=1, simulate=8, **BY_RANDOM)
    north, south = game.boards["small"].zones
    assert (found["zone"].iloc[0], [*alone.zones]) == (north, [north, south])


@pytest.mark.parametrize(("given", "said"), [({"rounds": [None, 8]}, "rounds"), ({"actions": [5, None]}, "actions")])
def test_matches__rounds_and_actions_are_the_games_own_or_numbers(given: dict[str, Any], said: str) -> None:
    own = "none stands for the game's own, which may be one of them"
    with pytest.raises(aab.UsageError, match=f"^{said}: found none among others, expected numbers: {own}$"):
        aab.matches("armored_advance", [("us_m4a1", "de_pz4h")], **{"boards": ["small"], **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pairs": ("tank", "mech")}, "pairs: found 'tank', expected pairs"),
        ({"pairs": [None]}, "pairs: found none, expected pairs"),
        ({"lists": ["tank", "mech"]}, r"lists: found \['tank', 'mech'\], expected lists by name"),
        ({"lists": [], "pairs": [("tank", "mech")]}, r"lists: found \[\], expected lists by name"),
        ({"lists": {"one": "tank"}}, "lists: found 1, expected two at least"),
        ({"missions": [None, "annihilation"]}, "missions: found none among others"),
    ],
)
def test_matches__refuses_what_is_no_pair_and_no_named_list(given: dict[str, Any], said: str) -> None:
    with pytest.raises(aab.UsageError, match=f"^{said}"):
        aab.matches("skirmish_wars", **{"boards": ["crossing"], **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"boards": ["last_stand"] * 2}, "boards: found 'last_stand' twice"),
        ({"rounds": [4, 6, 4]}, "rounds: found 4 twice"),
        ({"players": ["greedy", "greedy"]}, "players: found 'greedy' twice"),
        ({"pairs": [("tank", "mech")] * 2, "boards": ["crossing"]}, r"pairs: found \['tank', 'mech'\] twice"),
    ],
)
def test_matches__a_mean_over_lists_counts_no_match_twice(given: dict[str, Any], said: str) -> None:
    with pytest.raises(aab.UsageError, match=f"^{said}, expected each once$"):
        aab.matches("skirmish_wars", **{"boards": ["last_stand"], **given})


@pytest.mark.slow
def test_matches__the_score_without_luck_is_that_of_the_match_by_itself() -> None:
    game = aab.Game("skirmish_wars")
    [row] = aab.matches(game, boards=["last_stand"], rounds=[6], simulate=40, watched=0, luck=True).matches.to_dict(
        "records"
    )
    alone = aab.without_luck(game.match(board="last_stand", rounds=6, simulate=40))
    assert alone.score_a != row["score_a"]
    assert (row["score_without_luck"], row["score_without_luck_ci_low"]) == (alone.score_a, alone.score_a_ci[0])
    with pytest.raises(aab.UsageError, match=r"^simulate: found 1, expected"):
        aab.matches(game, boards=["last_stand"], simulate=1, luck=True)


@pytest.mark.slow
def test_matches__only_so_many_are_watched_as_somebody_asks_for() -> None:
    asked: dict[str, Any] = {"boards": ["last_stand"], "rounds": [2], "players": RANDOM, "simulate": 3}
    found = aab.matches("skirmish_wars", **asked, watched=2)
    assert found.matches[["n", "watched"]].to_numpy().tolist() == [[3, 2]]


@pytest.mark.slow
def test_matches__rows_that_are_kept_are_not_played_again(tmp_path: Path) -> None:
    def play(rounds: list[int]) -> pd.DataFrame:
        with aab.sweeping(cache=tmp_path):
            game = aab.Game("skirmish_wars")
            return aab.matches(game, boards=["last_stand"], rounds=rounds, players=RANDOM, simulate=1).matches

    first = play([3])
    both = play([2, 3])
    assert both.iloc[1].to_dict() == pytest.approx(first.iloc[0].to_dict(), nan_ok=True)
    with closing(sqlite3.connect(next(tmp_path.glob("*.sqlite*")))) as kept:
        [[entries]] = kept.execute("SELECT count(*) FROM results")
    assert entries == 2


def test_by_board__means_have_the_interval_of_independent_dice() -> None:
    rows = pd.DataFrame(
        {
            "board": ["x", "x"], "zone": ["north", "north"], "n": [10, 30],
            "player_turns": [6.0, 8.0], "player_turns_ci_low": [5.7, 7.6], "player_turns_ci_high": [6.5, 8.0],
            **{f"{name}{end}": value for name in ("p_draw", "p_early", "first_turn_gap", "zone_gap")
               for end, value in (("", [0.2, 0.4]), ("_ci_low", [-0.1, 0.0]), ("_ci_high", [0.3, 0.4]))},
        }
    )  # fmt: skip
    [row] = matches.match_boards(rows).to_dict("records")
    assert (row["first_turn_gap"], row["n"], row["player_turns"]) == (pytest.approx(0.3), 40, 7)
    assert [row[f"player_turns_ci_{end}"] for end in ("low", "high")] == pytest.approx([7 - 0.5 / 2, 7 + 0.5 / 2])
    assert row["first_turn_gap_ci_low"] == pytest.approx(0.3 - 0.5 / 2)
    assert row["first_turn_gap_ci_high"] == pytest.approx(0.3 + 0.1 / 2)
    who = {"player_a": "greedy", "player_b": "greedy"}
    [said] = matches.sentences(pd.DataFrame([{**row, "mission": "", "rounds": 6.0, **who}]))
    assert said == (
        "On x, 6 rounds, by greedy: going first is worth +30.0 points in 100 (+5.0 to +35.0), zone north is worth "
        "+30.0 points in 100 (+5.0 to +35.0); 30.0 % (5.0 % to 35.0 %) are drawn, 30.0 % (5.0 % to 35.0 %) end early."
    )
    led = {
        "lead_changes": [1.0, 2.0],
        "lead_changes_se": [0.3, 0.4],
        "watched": [5, 8],
        "came_back": [0.2, 0.6],
        "came_back_ci_low": 0.0,
        "came_back_ci_high": 0.9,
    }
    [row] = matches.match_boards(rows.assign(**led)).to_dict("records")
    assert matches.sentences(pd.DataFrame([{**row, "mission": "", "rounds": 6.0, **who}]))[0].endswith(
        "end early; at the ends of rounds the lead by value changes 1.5 (0.9 to 2.1) times a match, and 40.0 % (8.4 % "
        "to 78.1 %) of winners were behind in it at one of them."
    )


def test_match_boards__a_row_that_cant_tell_leaves_what_the_others_tell() -> None:
    names = "p_draw", "p_early", "first_turn_gap", "zone_gap", "came_back"
    ends = {"": 0.5, "_ci_low": 0.2, "_ci_high": 0.9}
    rows = pd.DataFrame([{f"{name}{end}": at for name in names for end, at in ends.items()}] * 2)
    rows = rows.assign(
        board="x", mission="", rounds=6.0, zone="", n=10, lead_changes=1.0, lead_changes_se=math.nan, watched=1
    )
    rows = rows.assign(**{f"player_turns{end}": 6.0 for end in ends})
    # Nothing is decided in one of them, and nobody begins in the other half of its matches; nobody chooses zones.
    rows.loc[0, ["came_back", *(f"first_turn_gap{end}" for end in ends)]] = math.nan
    rows.loc[0, ["came_back_ci_low", "came_back_ci_high"]] = 0.0, 1.0
    rows[[f"zone_gap{end}" for end in ends]] = math.nan
    boards = matches.match_boards(rows)
    [row] = boards.to_dict("records")
    for name in ("first_turn_gap", "came_back"):
        assert [row[f"{name}{end}"] for end in ends] == pytest.approx([0.5, 0.2, 0.9])
    assert math.isnan(row["zone_gap"])
    assert math.isnan(row["zone_gap_ci_low"])
    assert row["p_draw_ci_high"] == pytest.approx(0.5 + 0.4 / math.sqrt(2))
    [said] = matches.sentences(boards.assign(player_a="greedy", player_b="greedy"))
    assert "+50.0 points in 100 (+20.0 to +90.0)" in said
    assert "at the ends of rounds the lead by value changes 1.0 times in each match watched, and" in said
    assert said.endswith("and 50.0 % (20.0 % to 90.0 %) of winners were behind in it at one of them.")


def test_match_boards__the_lead_changes_no_less_often_than_never() -> None:
    """Student's t of four degrees of freedom is 2.776: the interval would begin at -0.13."""
    names, ends = (
        ("p_draw", "p_early", "first_turn_gap", "zone_gap", "came_back", "player_turns"),
        ("", "_ci_low", "_ci_high"),
    )
    rows = pd.DataFrame([{f"{name}{end}": 0.5 for name in names for end in ends}]).assign(board="x", zone="", n=10)
    [row] = matches.match_boards(rows.assign(lead_changes=0.7, lead_changes_se=0.3, watched=5)).to_dict("records")
    assert row["lead_changes_ci_low"] == 0
    assert row["lead_changes_ci_high"] == pytest.approx(0.7 + 2.776 * 0.3, abs=1e-3)


def test_sentences__say_how_it_was_played_and_whether_a_gap_may_be_nothing() -> None:
    """The interval of a gap below nothing is as sure as that of one above."""
    names = "first_turn_gap", "zone_gap", "p_draw", "p_early"
    shares = (-0.3, -0.4, -0.2), (-0.1, -0.3, 0.1), (0.2, 0.1, 0.3), (0.4, 0.3, 0.5)
    row = {
        f"{name}{end}": at for name, ends in zip(names, shares, strict=True) for end, at in zip(ENDS, ends, strict=True)
    }
    row |= {"board": "x", "mission": "timed", "zone": "north", "player_a": "greedy", "player_b": "greedy"}
    said = [
        matches.sentences(pd.DataFrame([{**row, "rounds": rounds, "actions_a": a, "actions_b": b}]))[0].partition(": ")
        for rounds, a, b in ((1.0, 1.0, 1.0), (8.0, 3.0, 3.0), (8.0, 3.0, 5.0), (math.inf, math.nan, math.nan))
    ]
    assert [where for where, *_ in said] == [
        "On x, timed, 1 round, 1 action a turn, by greedy",
        "On x, timed, 8 rounds, 3 actions a turn, by greedy",
        "On x, timed, 8 rounds, 3/5 actions a turn, by greedy",
        "On x, timed, by greedy",
    ]
    assert {rest for *_, rest in said} == {
        "going first is worth -30.0 points in 100 (-40.0 to -20.0), zone north is worth -10.0 points in 100 (-30.0 to "
        "+10.0, maybe nothing); 20.0 % (10.0 % to 30.0 %) are drawn, 40.0 % (30.0 % to 50.0 %) end early."
    }


def test_skill__compares_the_last_of_several_players_with_the_first() -> None:
    """Of three, the third; and each is compared with the first, match by match."""
    score = {"weak": [0.0] * 40, "middling": [0.0, 1.0] * 20, "strong": [1.0] * 39 + [0.5]}
    rows: list[dict[str, Any]] = [
        {"list_a": "x", "list_b": "y", "board": "z", "mission": "", "player_a": one, "player_b": one}
        | {"score_a": np.mean(found), "score_a_ci_low": np.mean(found) - 0.1, "score_a_ci_high": np.mean(found) + 0.1}
        for one, found in score.items()
    ]
    matches._compare(rows, list(score.values()))
    assert [row.get("score_change") for row in rows] == [None, 0.5, 0.9875]
    [said] = matches.skill(pd.DataFrame(rows))
    assert said.startswith("On z, x v y: from weak to strong, a's score changes by +98.8 points in 100 (")
    assert said.endswith(": the answer depends on who plays, even who is ahead.")


@pytest.mark.slow
def test_game_lengths__names_of_files_have_no_letter_that_some_systems_refuse() -> None:
    rows = pd.DataFrame({"rounds": [3.0, 4.0] * 2, "player_a": ["greedy"] * 2 + ["search:200"] * 2})
    names, ends = ("first_turn_gap", "p_draw", "p_early"), ("", "_ci_low", "_ci_high")
    shown = {f"{name}{end}": 0.5 for name in names for end in ends}
    boards = rows.assign(board="x", player_b="greedy", actions_a=3, actions_b=3, **shown)
    found = pictures.game_lengths(boards)
    assert {file: said for file, (said, _) in found.items()} == {
        "game_length_x_greedy.png": "x, greedy",
        "game_length_x_search_200.png": "x, search:200",
    }


@pytest.mark.slow
def test_game_lengths__a_picture_shows_its_own_board_alone() -> None:
    names, ends = ("first_turn_gap", "p_draw", "p_early"), ("", "_ci_low", "_ci_high")
    rows = {f"{name}{end}": [0.2, 0.4, 0.6, 0.8, 0.5] for name in names for end in ends}
    rows |= {"board": [*"xxyyz"], "rounds": [3.0, 4.0, 5.0, 6.0, 7.0]}
    boards = pd.DataFrame(rows).assign(player_a="greedy", player_b="greedy", actions_a=3, actions_b=3)
    found = pictures.game_lengths(boards)
    assert [said for said, _ in found.values()] == ["x", "y"], "z has matches of one length alone"
    for board, (_, png) in zip("xy", found.values(), strict=True):
        [(_, alone)] = pictures.game_lengths(boards[boards["board"] == board]).values()
        assert png == alone
    assert len({png for _, png in found.values()}) == 2


@pytest.mark.slow
def test_match_boards__players_are_apart_and_words_say_whether_it_depends_on_them() -> None:
    ways: dict[str, Any] = {"boards": ["last_stand"], "rounds": [3], "simulate": 1, "watched": 0}
    found = aab.matches(aab.Game("skirmish_wars"), players=["random", ("random", "greedy")], **ways).matches
    boards = matches.match_boards(found)
    assert boards[["player_a", "player_b", "n"]].to_numpy().tolist() == [
        ["random", "random", 1],
        ["random", "greedy", 1],
    ]
    assert [said.partition(":")[0] for said in matches.sentences(boards)] == [
        "On last_stand, 3 rounds, by random",
        "On last_stand, 3 rounds, by random v greedy",
    ]
    assert found["score_change"].tolist() == [pytest.approx(math.nan, nan_ok=True), 0]  # both are drawn
    chances = {"score_a": [0.3, 0.8], "score_a_ci_low": [0.2, 0.7], "score_a_ci_high": [0.4, 0.9]}
    changed = {"score_change": 0.5, "score_change_ci_low": 0.359, "score_change_ci_high": 0.641}
    [said] = matches.skill(found.assign(**chances, **changed))
    assert ": from random to random v greedy, a's score changes by +50.0 points in 100 (+35.9 to +64.1): " in said
    assert said.endswith("the answer depends on who plays, even who is ahead.")
    assert not matches.skill(found.head(1))


@pytest.mark.parametrize("players", [None, "greedy", []])
def test_players__are_a_list_with_one_at_least(players: Any) -> None:
    asked: dict[str, Any] = {"board": "last_stand", "rounds": 1, "simulate": 2}
    for ask in (
        lambda: aab.by_player("skirmish_wars", players, **asked),
        lambda: aab.ladder("skirmish_wars", players, **asked),
        lambda: aab.without("skirmish_wars", ["attack"], players=players, **asked),
    ):
        with pytest.raises(aab.UsageError, match=r"^players: found .*, expected a list with one at least$"):
            ask()


@pytest.mark.parametrize("kinds", [None, "attack", []])
def test_without__kinds_are_a_list(kinds: Any) -> None:
    with pytest.raises(aab.UsageError, match=r"^kinds: found .*, expected a list with one at least$"):
        aab.without("skirmish_wars", kinds, board="last_stand", rounds=1, simulate=2)


def test_players__an_unknown_one_is_refused_before_any_match() -> None:
    game, players, said = (
        aab.Game("skirmish_wars"),
        ["random", "greedy", ""],
        r"^player: found '', expected one of random",
    )
    played: list[int] = []
    asked: dict[str, Any] = {"board": "last_stand", "rounds": 1, "advance": played.append}
    for ask in (
        lambda: aab.by_player(game, players, simulate=3, **asked),
        lambda: aab.ladder(game, players, simulate=2, **asked),
        lambda: aab.without(game, ["attack"], players=players, simulate=20, **asked),
    ):
        with pytest.raises(aab.UsageError, match=said):
            ask()
    assert not played


@pytest.mark.slow
def test_matches__by_several_players_change_the_score_as_they_do_in_one_match() -> None:
    game, players = aab.Game("skirmish_wars"), ["random", "greedy"]
    lists = "tank,infantry*2", "artillery,infantry"
    alone = aab.by_player(game, players, *lists, board="crossing", rounds=12, simulate=20)
    found = aab.matches(
        game, [lists], boards=["crossing"], rounds=[12], players=players, simulate=20, watched=0
    ).matches
    changes = alone.results[1].scores - alone.results[0].scores
    assert found["score_change"].iloc[1] == pytest.approx(changes.mean())
    assert changes.any()
    [bought] = alone.results[0].remarks()
    said = alone.sentence().removeprefix("From random to greedy, ")
    assert said.endswith(f" {bought}")
    assert said.removesuffix(f" {bought}") in matches.skill(found)[0]
    assert "score_change" not in aab.matches(game, [lists], boards=["crossing"], simulate=1, watched=0).matches


DEFINITION = """title = "Boards"
game = "skirmish_wars"
situations = { range_in = { 1 = 1.0 } }
[matches]
boards = ["last_stand"]
rounds = [2]
players = ["random"]
simulate = 1
"""
WRONG = {
    'boards = ["nowhere"]': "5: matches.boards: board: found 'nowhere', expected one of",
    'boards = ["last_stand"]\nlists = { x = "tank" }': "6: matches.lists: found one, expected two at least",
    'boards = ["last_stand"]\nmissions = ["timed"]': "6: matches.missions: mission: found 'timed', expected none",
    'boards = ["last_stand"]\npairs = [["a", "a"]]': "6: matches.pairs.0: found 'a', expected one of those in `lists`",
    'boards = ["crossing"]\nlists = { x = "tank", y = "tnk" }': "6: matches.lists.y: unknown unit 'tnk'",
    'boards = ["last_stand"]\noptions = { money = "x" }': "6: matches.options: with money: found 'x', expected a valid",
    'boards = ["last_stand"]\noptions = { foo = 3 }': "6: matches.options: with: found 'foo', expected one of",
    'boards = ["last_stand"]\nrond = [2]': "6: matches.rond: found [2], expected no such field",
}


@pytest.mark.parametrize("changed", WRONG)
def test_command__names_file_and_line_of_what_cant_be_played(changed: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(DEFINITION.replace('boards = ["last_stand"]', changed), encoding="utf-8")
    ran = CliRunner().invoke(main, ["matches", str(path), "--no-cache"])
    assert ran.exit_code == 2
    assert f"own.toml:{WRONG[changed]}" in ran.output


@pytest.mark.slow
def test_command__prints_sentences_and_rows_and_writes_tables(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(DEFINITION.replace("[2]", "[2, 3]"), encoding="utf-8")
    ran = CliRunner().invoke(main, ["matches", str(path), "--no-cache", "--out", str(tmp_path / "out")])
    assert ran.exit_code == 0
    assert ran.output.startswith(
        "On last_stand, 2 rounds, by random: going first can't be told; 100.0 % (20.7 % to 100.0 %) are drawn"
    )
    assert (tmp_path / "out" / "game_length_last_stand.png").read_bytes().startswith(b"\x89PNG")
    for at in (tmp_path / "out").glob("*.csv"):
        told = json.loads(at.read_text(encoding="utf-8").splitlines()[0].removeprefix("# "))
        assert (told["engine"], told["seed"]) == ("monte_carlo", 0)
    written = {at.stem: pd.read_csv(at, comment="#") for at in (tmp_path / "out").glob("*.csv")}
    assert set(written) == {"matches", "match_leads", "match_units", "match_actions"}
    assert np.isclose(written["matches"]["p_draw"], 1).all()
    again = ["matches", str(path), "--no-cache", "--out", str(tmp_path / "out")]
    assert CliRunner().invoke(main, again).exit_code == 0  # its own tables of before are replaced
    own = tmp_path / "out" / "match_units.csv"
    own.write_text("a,b\n", encoding="utf-8")
    ran = CliRunner().invoke(main, again)
    assert (ran.exit_code, own.read_text("utf-8")) == (2, "a,b\n")
    assert ran.stderr.startswith(f"error: --out: found {own}, another file, expected")


@pytest.mark.slow
def test_command__without_a_definition_plays_on_the_board_of_the_ladder() -> None:
    ran = CliRunner().invoke(main, ["matches", "--game", "skirmish_wars", "--no-cache"])
    assert (ran.exit_code, ran.output.partition(",")[0]) == (0, "On crossing_armies")
    [gap] = aab.matches(aab.Game("skirmish_wars"), boards=["crossing_armies"]).matches["first_turn_gap"]
    assert f"{100 * gap:+.1f} points in 100" in ran.output


def test_cells__a_player_has_a_column_where_rows_have_several_and_limits_are_whole_numbers() -> None:
    told = {f"{name}{end}": 0.25 for name in ("p_a", "p_draw", "first_turn_gap") for end in ("", "_ci_low", "_ci_high")}
    row = {"list_a": "x", "list_b": "y", "rounds": 6.0, "player_a": "greedy", "player_b": "greedy", **told, "n": 9}
    head, rows = _cells(pd.DataFrame([row, {**row, "player_a": "search"}]))
    assert head == ["list_a", "list_b", "rounds", "player_a", "p_a", "p_draw", "first_turn_gap", "n"]
    three = ["0.250 [0.250, 0.250]"] * 3
    assert rows == [["x", "y", "6", player, *three, 9] for player in ("greedy", "search")]


def test_cells__an_interval_is_told_from_its_low_end_to_its_high_end() -> None:
    told = {name: 0.5 for name in ("p_a", "p_draw", "first_turn_gap")}
    ends = {f"{name}_ci_{end}": at for name in told for end, at in (("low", 0.4), ("high", 0.75))}
    _, [row] = _cells(pd.DataFrame([{"list_a": "x", "list_b": "y", **told, **ends, "n": 9}]))
    assert row[2:5] == ["0.500 [0.400, 0.750]"] * 3


@pytest.mark.slow
def test_command__each_table_stands_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(DEFINITION + "watched = 1\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["matches", str(path), "--no-cache", "--json"])
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    own = {"matches": "p_early", "match_leads": "p_a_ahead", "match_units": "unit", "match_actions": "action"}
    assert set(told) == {*own, "provenance"}
    for name, column in own.items():
        assert {other for other in own if column in told[other][0]} == {name}


def test_command__a_definition_without_matches_is_refused_and_the_game_s_own_is_not(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(DEFINITION.partition("[matches]")[0], encoding="utf-8")
    ran = CliRunner().invoke(main, ["matches", str(path), "--no-cache"])
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert ran.stderr.startswith("error: matches: found no [matches] in own, expected them; ")


def test_match_boards__matches_whose_lead_changed_alike_tell_no_interval() -> None:
    """Three watched matches with one change each do not say that a fourth has one."""
    names, ends = (
        ("p_draw", "p_early", "first_turn_gap", "zone_gap", "came_back", "player_turns"),
        ("", "_ci_low", "_ci_high"),
    )
    rows = pd.DataFrame([{f"{name}{end}": 0.5 for name in names for end in ends}]).assign(board="x", zone="", n=10)
    [row] = matches.match_boards(rows.assign(lead_changes=1.0, lead_changes_se=0.0, watched=3)).to_dict("records")
    assert row["lead_changes"] == 1
    assert math.isnan(row["lead_changes_ci_low"])
    assert math.isnan(row["lead_changes_ci_high"])


@pytest.mark.slow
def test_defined__scores_without_luck_are_there_where_the_definition_asks_for_them(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    for more, there in (("", False), ("luck = true\n", True)):
        path.write_text(DEFINITION.replace("simulate = 1", "simulate = 2") + more, encoding="utf-8")
        found = matches.defined(aab.Game("skirmish_wars"), report.read(path)).matches
        assert (matches.WITHOUT_LUCK in found) == there


def test_headline__is_what_a_definition_asks_for_or_one_row_of_the_ladder() -> None:
    game = aab.Game("armored_advance")
    found = ladder.headline(game, game.definition)
    assert found.matches is not None
    board, lists = ladder.standard(game)
    assert (found.matches.boards, found.matches.pairs) == ((board,), (lists,))
    assert matches.count(found) == 1
    assert ladder.headline(game, found) is found


def test_count__is_a_row_for_each_pair_on_each_board_and_each_way_to_play(tmp_path: Path) -> None:
    """Three lists make three pairs; on two boards, of two lengths and by two players they make 24 rows."""
    path = tmp_path / "own.toml"
    lists = 'lists = { x = "tank", y = "mech", z = "recon" }'
    text = DEFINITION.replace('["last_stand"]', f'["crossing", "river"]\n{lists}').replace("[2]", "[2, 3]")
    path.write_text(text.replace('["random"]', '["random", "greedy"]'), encoding="utf-8")
    whole = report.read(path)
    assert matches.count(whole) == 24
    more = whole.matches.model_copy(update={"missions": ("this", "that"), "actions": (3, 4, (3, 5))})  # type: ignore[union-attr]
    assert matches.count(whole.model_copy(update={"matches": more})) == 24 * 2 * 3
    path.write_text(DEFINITION, encoding="utf-8")
    assert matches.count(report.read(path)) == 1  # without lists, the armies that the board brings


@pytest.mark.slow
def test_matches__each_limit_of_actions_in_turn_for_both_sides_or_for_either() -> None:
    asked = {"boards": ["small"], "rounds": [1], "actions": [1, (2, 3)], "players": RANDOM, "simulate": 1}
    found = aab.matches(aab.Game(), [("us_m4a1", "de_pz4h")], **asked, watched=0).matches
    assert found[["actions_a", "actions_b"]].to_numpy().tolist() == [[1, 1], [2, 3]]
    assert found["player_turns"].tolist() == [2, 2]


def test_definition__limits_of_actions_are_those_of_both_sides_or_of_either(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(DEFINITION + "actions = [1, [2, 3]]\n", encoding="utf-8")
    assert report.read(path).matches.actions == (1, (2, 3))  # type: ignore[union-attr]


@pytest.mark.slow
def test_matches__lists_take_the_place_of_units_that_a_board_brings() -> None:
    game = aab.Game("armour_battles")
    asked = {"boards": ["crossroads"], "rounds": [1], "players": RANDOM, "simulate": 1, "watched": 0}
    own, brought = (aab.matches(game, pairs, **asked).matches for pairs in ([("us_m4_75*2", "de_pz4h")], None))
    assert own["list_a"].tolist() == ["2 M4 Sherman (75 mm)"]
    assert brought["list_a"].tolist() != own["list_a"].tolist()
