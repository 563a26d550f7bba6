"""Matches of Armour Battles, rule by rule: what is legal, and what comes of it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from armour_scene import CARDS, GOOD, OPEN, POOR, begun, chances_of_faces, play, said, scene, unit, ways
from golden.replay import Replay
from rollers import armour_battles as table
from test_armour_battles import ROLLS, assert_agrees, thrown

import aabalance as aab
from aabalance.engine.jit import compiled
from aabalance.errors import UsageError
from aabalance.files import data_folder
from aabalance.rulesets.armour_battles.match import artillery, fire, movement, records, sight, turns
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base import notation

TANK, ENEMY = "tank 0,2", "tank 11,2"
FAILURE = [1, 1, 6, 2, 3, 4]

# --- turns and pulses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "tie", "first"),
    [(GOOD, POOR, [], "a"), (POOR, GOOD, [], "b"), (GOOD, GOOD, [1], "a"), (GOOD, GOOD, [2], "b")],
)
def test_begin_turn__most_sixes_go_first_and_ties_are_drawn(
    a: list[int], b: list[int], tie: list[int], first: str
) -> None:
    match = scene([TANK], [ENEMY])
    match.do("roll", a + b + tie, [6] * 12 + [2] * len(tie))
    assert (match.to_move(), match.state()["pulses"][first]) == (first, 1)


def test_begin_turn__ones_are_discarded() -> None:
    match = scene([TANK], [ENEMY])
    match.do("roll", [6, 1, 1, 6, 2, 3, *POOR])
    assert match.state()["dice"] == {"a": [2, 3, 6, 6], "b": sorted(POOR)}


def test_begin_turn__a_failure_lends_its_ones_and_comes_second() -> None:
    match = scene([TANK], [ENEMY])
    match.do("roll", FAILURE + POOR)
    state = match.state()
    assert (state["side"], state["failed"], state["lent"]) == ("b", {"a": True, "b": False}, {"a": 0, "b": 2})


def test_begin_turn__two_failures_end_the_turn() -> None:
    match = scene([TANK], [ENEMY])
    match.do("roll", FAILURE * 2)
    assert (match.state()["turn"], match.legal()) == (2, ["roll"])
    for _ in range(2):
        match.do("roll", FAILURE * 2)
    assert match.result() == {
        "winner": None,
        "reason": "turn limit",
        "points": {"morale": {"a": 1, "b": 1}, "units": {"a": 1, "b": 1}},
    }


def test_begin_turn__a_failure_cancels_missions_and_reserves() -> None:
    match = begun([TANK, "tank", "battery"], [ENEMY])
    play(match, "staff", "smoke a3 b1", dice=[4, 4, 4, 4, 4, 4, 1, 1, 1, 6])
    assert match.state()["smoke"]
    play(match, "end")
    while match.state()["turn"] == 1:
        dice = next((name for name in match.legal() if name.startswith("die")), "end")
        play(match, *((dice, "pass", "end") if dice != "end" else ("end",)))
    match.do("roll", FAILURE + POOR)
    assert (match.state()["smoke"], match.state()["batteries"][0]["mission"]) == ([], None)
    play(match, "end", "die 6")
    assert "reserves" not in match.legal()


def test_pulses__alternate_until_all_command_dice_are_used() -> None:
    match, sides = scene([TANK], [ENEMY], army={"a": {"command_dice": 4}, "b": {"command_dice": 2}}), []
    match.do("roll", [6, 5, 4, 3, 2, 3])
    while match.state()["turn"] == 1:
        sides.append(match.to_move())
        play(match, said(match, "die")[0], "pass", "end")
    assert sides == ["a", "b", "a", "b", "a", "a"]


def test_fails__more_ones_than_sixes() -> None:
    assert [bool(turns.fails((0, ones, 0, 0, 0, 0, sixes))) for ones, sixes in ((0, 0), (1, 1), (2, 1), (1, 2))] == [
        False,
        False,
        True,
        False,
    ]
    counts = thrown(lambda rng: table.failed(table.throw_command(rng, 6)), ROLLS)
    exact = float(sum(p for faces, p in chances_of_faces(6).items() if turns.fails(faces)))
    assert_agrees(counts, {True: exact, False: 1 - exact}, ROLLS)


def test_restocked__as_the_sheet_lists() -> None:
    assert [turns.restocked((0, 0, 0, equal, 0, 0, 0), 2) for equal in range(6)] == [0, 0, 1, 2, 3, 4]
    assert turns.restocked((0, 0, 2, 0, 3, 0, 2), 2) == 1 + 2 + 1


def test_restocked__the_face_one_counts_only_under_the_switch() -> None:
    assert [turns.restocked((0, 3, 2, 0, 0, 0, 0), first) for first in (1, 2)] == [3, 1]
    match = scene([TANK], [ENEMY], army={"a": {"staff_orders": 9}}, staff_faces="1-6")
    match.tables.army[0].staff_orders, match.now.staff[0] = 9, 0
    match.do(
        "roll",
        [
            1,
            1,
            6,
            6,
            3,
            4,
            *POOR,
        ],
    )
    assert match.state()["staff"]["a"] == 2


def test_restocked__no_more_than_the_army_has() -> None:
    match = scene([TANK], [ENEMY], army={"a": {"staff_orders": 2}})
    match.now.staff[0] = 1
    match.do("roll", [6, 6, 6, 5, 5, 5, *POOR])
    assert match.state()["staff"]["a"] == 2
    play(match, "instant 3")
    assert match.state()["staff"]["a"] == 4
    play(match, "end")
    for _ in range(20):
        if match.state()["turn"] > 1:
            break
        paid = said(match, "die")
        play(match, *((paid[0], "pass", "end") if paid else ("end",)))
    assert match.state()["staff"]["a"] == 2


# --- payment and orders -----------------------------------------------------------------------------------------------


def test_payments__a_chain_has_one_face_and_sixes() -> None:
    match = begun([TANK], [ENEMY])
    assert said(match, "die") == ["die 2", "die 3", "die 4", "die 5", "die 6"]
    play(match, "die 6", "pass")
    assert said(match, "die") == ["die 2", "die 3", "die 4", "die 5"]
    play(match, "die 2", "pass")
    assert said(match, "die", "lent") == ["die 2"]
    match = scene([TANK], [ENEMY])
    match.do("roll", [*GOOD, *FAILURE])
    assert "lent" not in match.legal()
    play(match, "die 3", "pass")
    assert said(match, "die", "lent") == ["die 6", "lent"]


def test_payments__staff_orders_come_besides() -> None:
    match = begun([TANK], [ENEMY])
    for left in (3, 2, 1, 0):
        assert play(match, "staff", "pass")["staff"]["a"] == left
    assert match.state()["pulse"]["spent"] == 0
    assert said(match, "staff") == []


def test_payments__sixes_for_instant_staff_orders() -> None:
    match = scene([TANK], [ENEMY])
    match.do("roll", [6, 6, 6, 2, 3, 4, *POOR])
    assert said(match, "instant") == ["instant 2", "instant 3"]
    state = play(match, "instant 2")
    assert (state["staff"]["a"], state["dice"]["a"], state["pulse"]["spent"]) == (5, [2, 3, 4, 6], 1)


def test_spend_wild__lent_dice_then_sixes_then_staff_orders() -> None:
    match = scene(["tank 0,2 E 1"], ["tank 6,2"])
    match.do("roll", [*GOOD, *FAILURE])
    left = []
    for _ in range(2):
        state = match.state()
        left.append((state["lent"]["a"], state["dice"]["a"].count(6), state["staff"]["a"]))
        fire.spend_wild(match.now, 0, 3 if not left[1:] else 1)
    state = match.state()
    left.append((state["lent"]["a"], state["dice"]["a"].count(6), state["staff"]["a"]))
    assert left == [(2, 1, 4), (0, 0, 4), (0, 0, 3)]


def test_missions__for_staff_orders_alone() -> None:
    match = begun([TANK, "battery"], ["tank 6,2", "tank 6,0 suppressed"], OPEN)
    play(match, "die 2")
    assert said(match, "call", "smoke") == []
    play(match, "pass", "staff")
    assert said(match, "call", "smoke") == ["call a2 b1", "call a2 b2", "smoke a2 b1", "smoke a2 b2"]
    state = play(match, "call a2 b1", dice=[4, 4, 1, 1, 1, 1, 5, 5, 3])
    assert state["batteries"][0]["mission"] == {"kind": "fire", "aim": [6, 2], "status": "called", "turn": 1}
    play(match, "staff")
    assert said(match, "adjust", "maintain") == [
        f"adjust a2 {face}" for face in ("E", "N", "NE", "NW", "S", "SE", "SW", "W")
    ]


def test_is_immediate__agrees_with_thrown_dice() -> None:
    def throw(rng: Random) -> bool:
        return table.throw_dice(rng, 5, 4)[0] > table.throw_dice(rng, 3, 4)[0]

    assert_agrees(thrown(throw, ROLLS), ways(lambda dice: artillery.is_immediate(5, dice)), ROLLS)


def test_regroup__is_no_activation() -> None:
    match = begun(["tank 0,2 suppressed", "tank 0,4"], [ENEMY])
    play(match, "die 2")
    assert said(match, "move") == ["move a2"]
    play(match, "regroup a1")
    assert (unit(match, "a1")["suppressed"], unit(match, "a1")["activated"]) == (False, False)
    play(match, "die 2")
    assert said(match, "move") == ["move a1", "move a2"]


# --- command groups ---------------------------------------------------------------------------------------------------


def acting(match: Replay) -> set[str]:
    """Who of the group may act."""
    return {action.split()[0] for action in said(match, "a") if action.endswith("stay")}


def test_group__a_leader_and_three_others() -> None:
    # Six inches are two squares: a6 stands three away.
    match = begun(["tank 2,2", "tank 2,3", "tank 2,4", "tank 4,2", "tank 3,3", "tank 5,2"], [ENEMY])
    play(match, "die 2", "move a1")
    assert match.state()["group"]["members"] == ["a1", "a2", "a3", "a4", "a5"]
    play(match, "a2 stay", "a3 stay", "a4 stay")
    assert acting(match) == {"a1"}
    play(match, "a1 stay")
    assert acting(match) == set()
    play(match, "done", "die 2")
    assert said(match, "move") == ["move a5", "move a6"]


def test_group__a_reconnaissance_unit_comes_on_top() -> None:
    match = begun(["tank 2,2", "tank 2,3", "tank 2,4", "tank 4,2", "scout 3,3", "tank 1,2"], [ENEMY])
    play(match, "die 2", "move a1", "a2 stay", "a3 stay", "a4 stay")
    assert acting(match) == {"a1", "a5"}
    play(match, "a5 stay")
    assert acting(match) == {"a1"}
    match = begun(["scout 2,2", "tank 2,3", "tank 2,4", "tank 4,2", "tank 3,3"], [ENEMY])
    play(match, "die 2", "move a1", "a2 stay", "a3 stay", "a4 stay")
    assert acting(match) == {"a1"}


def test_group__no_suppressed_units() -> None:
    match = begun(["tank 2,2 2", "tank 2,3 1 suppressed", "tank 2,1"], [ENEMY])
    play(match, "die 2")
    assert said(match, "move", "rally") == ["move a1", "move a3", "rally a1", "rally a3"]
    play(match, "move a1")
    assert match.state()["group"]["members"] == ["a1", "a3"]
    play(match, "done", "die 2", "rally a3")
    assert match.state()["group"]["members"] == ["a1"]


def test_reserves__enter_at_their_own_edge() -> None:
    rows = ["~...........", *OPEN[1:]]
    match = begun(["tank 0,2", "tank", "tank"], [ENEMY], rows)
    play(match, "die 2", "reserves")
    assert said(match, "a2") == ["a2 enter 0,1", "a2 enter 0,3", "a2 enter 0,4", "a2 enter 0,5"]
    play(match, "a2 enter 0,3")
    assert (unit(match, "a2")["at"], unit(match, "a2")["activated"], unit(match, "a3")["reserve"]) == (
        [0, 3],
        True,
        True,
    )


# --- moves ------------------------------------------------------------------------------------------------------------


def within(match: Replay, most: int) -> set[tuple[int, int]]:
    cost, out = np.empty(512, np.int64), np.empty(512, np.int64)
    count = movement.reach(match.tables, match.now, 0, most, cost, out)
    return {notation.place_of(match.tables, int(at)) for at in out[:count]}


def test_reach__terrain_halves_and_friends_let_pass() -> None:
    # Three inches a square, four diagonally, twice that into a wood; water is closed.
    assert within(scene(["tank 0,0"], ["tank 9,0"], ("..........",) * 3), 7) == {
        (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2),
    }  # fmt: skip
    assert within(scene(["tank 0,0"], ["tank 9,0"], (".*........", "~~~~~~~~~~")), 8) == {(1, 0)}
    assert within(scene(["tank 0,0", "tank 1,0"], ["tank 9,0"], (".....*....", "~~~~~~~~~~")), 9) == {(2, 0), (3, 0)}
    assert within(scene(["tank 0,0"], ["tank 1,0"], (".....*....", "~~~~~~~~~~")), 30) == set()


def test_go__a_unit_faces_where_it_went() -> None:
    for dx, dy, facing in (
        (0, -3, "N"),
        (1, -3, "N"),
        (1, -2, "NE"),
        (5, 2, "E"),
        (4, 2, "SE"),
        (-1, 1, "SW"),
        (-3, 0, "W"),
    ):
        assert records.DIRECTIONS[sight.direction(dx, dy)] == facing
    match = begun(["tank 5,4 W ambush"], [ENEMY])
    play(match, "die 2", "move a1")
    play(match, "a1 single", dice=[1])
    play(match, "a1 to 6,3")
    assert (unit(match, "a1")["facing"], unit(match, "a1")["ambush"]) == ("NE", False)


def test_push__the_lowest_move_die_becomes_a_six() -> None:
    match = begun(["scout 0,2"], [ENEMY])
    play(match, "die 2", "move a1")
    play(match, "a1 single", dice=[3, 1])
    assert play(match, "a1 push")["group"]["move"] == {"base": 6, "dice": [3, 6], "kind": "single"}
    assert play(match, "a1 push")["group"]["move"]["dice"] == [6, 6]
    assert said(match, "a1 push") == []


def test_disengage__only_away_from_the_nearest_enemy() -> None:
    match = begun(["tank 5,2"], ["tank 6,2"])
    play(match, "die 2", "disengage a1")
    play(match, "a1 disengage", dice=[1])
    assert unit(match, "a1")["evading"]
    squares = [tuple(map(int, action.split()[2].split(","))) for action in said(match, "a1 to")]
    assert squares
    assert all((x - 6) ** 2 + (y - 2) ** 2 > 1 for x, y in squares)
    play(match, "a1 to 3,2")
    assert unit(match, "a1")["facing"] == "E"


# --- rallies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("inches", "needed"), [(0, 6), (3, 6), (9, 5), (18, 4), (25, 3), (30, 3), (36, 2), (99, 2)])
def test_rally_number__as_the_sheet_lists(inches: float, needed: int) -> None:
    assert {turns.rally_number(inches**2, lower) for lower in (False, True)} == {needed}


def test_rally_number__the_edges_of_two_bands() -> None:
    assert [turns.rally_number(edge**2, False) for edge in (6, 12, 24)] == [6, 5, 4]
    assert [turns.rally_number(edge**2, True) for edge in (6, 12, 24)] == [5, 4, 3]


@pytest.mark.parametrize(("rally_dice", "needed", "disruption"), [(4, 4, 2), (1, 6, 1), (5, 2, 2), (3, 5, 1)])
def test_rally__agrees_with_thrown_dice(rally_dice: int, needed: int, disruption: int) -> None:
    counts = thrown(lambda rng: table.throw_rally(rng, rally_dice, needed, disruption), ROLLS)
    assert_agrees(counts, ways(lambda dice: turns.rally(rally_dice, needed, disruption, dice)), ROLLS)


@pytest.mark.parametrize(("row", "dice"), [("..........", 4), (",.........", 5), (",...*.....", 6)])
def test_refresh__cover_and_no_line_of_sight_add_dice(row: str, dice: int) -> None:
    match = begun(["tank 0,0 1"], ["tank 9,0"], [row])
    play(match, "die 2", "rally a1")
    play(match, "a1 rally", dice=[3] * (dice - 1) + [4, 1])  # 27 inches: 3+
    assert unit(match, "a1")["dp"] == 0


# --- fire -------------------------------------------------------------------------------------------------------------


def ready(a: str, b: str, pace: str = "stay", rows: Any = OPEN, **keys: Any) -> Replay:
    """A match in which a1 of a is about to fire."""
    match = begun([a, "battery"], [b], rows, **keys)
    play(match, "die 2", "move a1", f"a1 {pace}")
    return match


def test_fire_dice__by_pace_and_ambush() -> None:
    for ambush, more in (("", 0), (" ambush", 1)):
        match = scene([f"tank 0,2{ambush}", "truck 0,3"], [ENEMY])
        assert [fire.fire_dice(match.tables, match.now, 0, pace) for pace in (1, 2, 3, 4)] == [
            6 + more,
            6 + more,
            5 + more,
            4 + more,
        ]
        assert fire.fire_dice(match.tables, match.now, 1, 1) == 0


def test_target_number__by_range_and_flank() -> None:
    match = scene(["tank 0,2"], ["tank 11,2"])
    at = {x: 2 * 12 + x for x in range(12)}
    west, east = records.WEST, records.EAST
    # 6, 9, 15, 18, 30 and 33 inches; close to 8, effective to 16, long to 32.
    numbers = [fire.target_number(match.tables, 0, at[0], west, at[x]) for x in (2, 3, 5, 6, 10)]
    assert numbers == [3, 4, 4, 5, 5]
    assert fire.target_number(match.tables, 0, at[0], east, at[3]) == 3
    faces = [sight.is_flank(match.tables, face, at[0], at[3]) for face in range(8)]
    assert [records.DIRECTIONS[face] for face in range(8) if not faces[face]] == ["SW", "W", "NW"]


def test_reaction_dice__cover_hill_and_evading() -> None:
    def dice(row: str, **fields: int) -> int:
        match = scene(["tank 0,0"], ["tank 5,0"], [row])
        for name, value in fields.items():
            setattr(match.now.unit[1], name, value)
        return fire.reaction_dice(match.tables, match.now, 1, 0, 5)

    assert [dice(row) for row in ("......", ".....,", "....,.", "...,..", ".....^", "^....^")] == [4, 5, 5, 4, 5, 4]
    assert dice("......", evading=1) == 6


def test_sees__hills_woods_and_smoke() -> None:
    def seen(row: str) -> bool:
        return bool(scene(["tank 0,0"], ["tank 5,0"], [row]).tables.sight[0, 5])

    assert [seen(row) for row in ("......", "..*...", "..#...", "..^...", "^.^...", "..,~..", "*....*")] == [
        True, False, False, False, True, True, True,
    ]  # fmt: skip
    # A mere corner doesn't count.
    assert scene(["tank 0,0"], ["tank 2,2"], ["..*", ".*.", "..."]).tables.sight[0, 8] == 0
    assert scene(["tank 0,0"], ["tank 2,2"], [".*.", "*.*", ".*."]).tables.sight[0, 8] == 1
    match = begun([TANK, "battery"], ["tank 8,2"], OPEN)
    assert sight.sees(match.tables, match.now, 24, 32)
    play(match, "staff", "smoke a2 b1", dice=[4, 4, 4, 4, 4, 4, 1, 1, 1, 6])
    assert match.state()["smoke"] == [
        {"side": "a", "battery": "a2", "squares": [[8, 1], [7, 2], [8, 2], [9, 2], [8, 3]]}
    ]
    assert not sight.sees(match.tables, match.now, 24, 32)
    assert not sight.sees(match.tables, match.now, 26, 34)
    assert sight.sees(match.tables, match.now, 31, 32)


def test_react__counts_what_was_rolled() -> None:
    match = ready("tank 0,2", "tank 4,2", rows=OPEN, army={"b": {"staff_orders": 0}})
    match.now.staff[1] = 0
    match.do("a1 fire b1", [4, 4, 6, 3, 1, 2, 4, 3, 3, 3])  # 12 inches: 4+; b1 has no other way but to react
    state = unit(match, "b1")
    # Three hits less one; one 6 more than the target, so that it is suppressed and goes back.
    assert (state["dp"], state["suppressed"], state["at"]) == (2, True, [6, 2])
    match = ready("tank 0,2", "tank 4,2 suppressed", army={"b": {"staff_orders": 0}}, opposed="no_cancel")
    match.now.staff[1] = 0
    match.do("a1 fire b1", [4, 4, 2, 3, 1, 2, 4, 4, 5, 3])
    assert (unit(match, "b1")["dp"], unit(match, "b1")["at"]) == (2, [6, 2])


def test_with_wild__two_at_most() -> None:
    match = ready("tank 0,2", "tank 4,2")
    assert said(match, "a1 fire") == ["a1 fire b1", "a1 fire b1 +1", "a1 fire b1 +2"]
    play(match, "a1 fire b1 +2")
    assert match.to_move() == "b"
    assert match.legal() == ["b1 react", "b1 react +1", "b1 react +2"]
    match.do("b1 react +1", [1] * 8 + [1] * 5)
    assert (match.state()["staff"], match.state()["dice"]["a"]) == ({"a": 3, "b": 3}, [2, 3, 4, 5])


def test_break_off__reconnaissance_goes_back() -> None:
    match = ready("tank 0,2", "scout 4,2")
    play(match, "a1 fire b1")
    assert said(match, "b1 breakoff") == ["b1 breakoff", "b1 breakoff +1", "b1 breakoff +2"]
    match.do("b1 breakoff", [1] * 6 + [1] * 6)
    assert (unit(match, "b1")["at"], unit(match, "b1")["activated"]) == ([6, 2], True)


def test_scene__counts_the_command_dice_that_are_left() -> None:
    match = begun([TANK], [ENEMY])
    play(match, "die 2", "pass", "die 2", "pass")
    # Both rolled six, and no 1; a has spent its two 2s.
    shown = match.rules.scene(match.tables, match.now, match.names).score
    assert shown["command dice"] == (4, 6)


def test_break_off__who_is_suppressed_by_the_fire_without_a_point_stays() -> None:
    """Fire Combat Results: only who isn't suppressed goes back as it broke off, and without points no one is forced."""
    match = ready("tank 0,2", "scout 4,2")
    play(match, "a1 fire b1")
    match.do("b1 breakoff", [6, 1, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1])
    state = unit(match, "b1")
    assert (state["dp"], state["suppressed"], state["at"], state["activated"]) == (0, True, [4, 2], True)


def test_scoot__tank_destroyers_and_reconnaissance_after_they_stayed_and_fired() -> None:
    for card, scoots in (("destroyer", True), ("scout", True), ("tank", False)):
        match = ready(f"{card} 0,2", "tank 4,2")
        play(match, "a1 fire b1")
        match.do("b1 react", [1] * 10)
        assert bool(said(match, "a1 scoot")) == scoots


def test_suffer__a_third_point_disperses_for_a_d3_of_morale() -> None:
    match = begun(["tank 0,2"], ["tank 4,2 2", "tank 9,2"], army={"b": {"morale": 3}})
    play(match, "die 2", "move a1", "a1 stay", "a1 fire b1")
    match.do("b1 react", [4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2], [6] * 10 + [3])
    assert (unit(match, "b1"), match.state()["morale"]) == ({}, {"a": 1, "b": 1})
    match = begun(["tank 0,2"], ["tank 4,2 2", "tank 9,2"], army={"b": {"morale": 3}})
    play(match, "die 2", "move a1", "a1 stay", "a1 fire b1")
    match.do("b1 react", [4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3], [6] * 10 + [3])
    assert (match.result()["winner"], match.result()["reason"]) == ("a", "army broken")


def test_fall_back__two_squares_as_far_as_the_way_is_free() -> None:
    for row, units, left in (
        ("......", ["tank 3,0"], 5),
        ("....~.", ["tank 3,0"], 3),
        ("......", ["tank 3,0", "tank 5,0"], 4),
        ("......", ["tank 5,0"], 5),
    ):
        match = scene(["tank 0,0"], units, [row])
        movement.fall_back(match.tables, match.now, 1)
        assert unit(match, "b1")["at"] == [left, 0]


# --- artillery --------------------------------------------------------------------------------------------------------


def test_logistics__a_mission_falls_where_it_is_adjusted_to() -> None:
    match = begun([TANK, "battery"], ["tank 6,2", "destroyer 6,3"])
    play(match, "staff", "call a2 b1", dice=[1] * 9)
    play(match, "end")
    assert (match.state()["phase"], len(match.legal())) == ("logistics", 9)
    # 6 dice at 4+ against four of the tank, and one less of the open-topped destroyer.
    match.do("a2 shift S", [6, *[4, 4, 1, 1, 1, 1], *[1] * 4, *[4, 1, 1, 1, 1, 1], *[1] * 3])
    assert (unit(match, "b1")["dp"], unit(match, "b2")["dp"]) == (2, 1)
    assert match.state()["batteries"][0]["mission"] == {"kind": "fire", "aim": [6, 3], "status": "done", "turn": 1}
    assert match.to_move() == "b"


@pytest.mark.parametrize(("inches", "squares"), [(1, 0), (2, 1), (4, 1), (5, 2), (6, 2)])
def test_fall__deviates_by_a_die_of_inches(inches: int, squares: int) -> None:
    match = begun([TANK, "battery"], ["tank 6,2"])
    dice = [4, 4, 4, 4, 4, 4, 1, 1, 1, 3, inches, 3]
    state = play(match, "staff", "smoke a2 b1", dice=dice, sides=[6] * 11 + [8])
    assert state["smoke"][0]["squares"][2] == [6 + squares, 2]


@pytest.mark.parametrize(("rule", "suppressed"), [("net", False), ("any_success", True), ("in_area", True)])
def test_shell__what_counts_as_hit(rule: str, suppressed: bool) -> None:
    match = begun([TANK, "battery"], ["tank 6,2"], indirect_hit=rule)
    play(match, "staff", "call a2 b1", dice=[4] * 6 + [1] * 3 + [6] + [4, 1, 1, 1, 1, 1] + [4, 1, 1, 1])
    assert unit(match, "b1")["suppressed"] == suppressed
    assert unit(match, "b1")["dp"] == 0


# --- the set-up -------------------------------------------------------------------------------------------------------


def test_start__eight_turns_where_neither_the_set_up_nor_the_board_says_how_many() -> None:
    setup: dict[str, Any] = {"board": {"map": list(OPEN)}, "cards": CARDS}
    units = {"units": [{"side": side, "type": "tank", "at": [x, 2]} for side, x in (("a", 0), ("b", 11))]}
    limits = [
        int(Replay("armour_battles", one).tables.turn_limit)
        for one in (setup | units, setup | units | {"board": setup["board"] | {"turn_limit": 5}})
    ]
    assert limits == [8, 5]


@pytest.mark.slow
def test_legal__there_is_room_for_many_units_that_enter_on_a_long_edge() -> None:
    reserve = [{"side": "a", "type": "tank"} for _ in range(60)]
    board = {"map": ["."] * 512, "units": [*reserve, {"side": "b", "type": "tank", "at": [0, 9]}], "turn_limit": 2}
    match = Replay("armour_battles", {"board": board, "cards": CARDS})
    match.do("roll", GOOD + POOR)
    for text in ("die 6", "reserves"):
        match.do(text, [])
    count = compiled(match.rules.legal)(match.tables, match.now, base.ALL, np.empty(1 << 16, np.int64))
    assert 60 * 500 < count <= match.rules.most_actions


# --- what players agree on --------------------------------------------------------------------------------------------

GAME = aab.Game("armour_battles")
WRONG = {
    "a mission": ({"mission": "timed"}, "mission: found 'timed', expected none"),
    "who is first": ({"first": "a"}, "first: found 'a', expected roll_off"),
    "too long": ({"rounds": 101}, "rounds: found 101, expected at most 100"),
    "batteries alone": ({"list_b": "de_lefh18*2"}, "list b: found no unit but batteries"),
    "off the map": ({"a1": (24, 2)}, "found place 24,2, expected a square from 0,0 to 7,7"),
    "two in a square": ({"a1": (0, 2), "b1": (0, 2)}, "found another unit at 0,2"),
    "a place of a battery": ({"list_a": "us_105,us_m5", "a1": (0, 2)}, "found a place, expected none"),
    "both places": ({"a1": {"at": [0, 2], "reserve": True}}, "found a square and reserve, expected one of them"),
    "both states": ({"a1": {"ambush": True, "reserve": True}}, "found ambush and reserve, expected one of them"),
}


@pytest.mark.parametrize("what", WRONG)
def test_agree__says_in_a_line_what_cant_be_played(what: str) -> None:
    given, told = WRONG[what]
    asked: dict[str, Any] = {
        "list_a": "us_m4_75*2",
        "list_b": "de_pz4h*2",
        "board": "crossroads",
        "simulate": 1,
        **given,
    }
    with pytest.raises(UsageError, match=told.replace("(", r"\(")):
        GAME.match(**asked)


@pytest.mark.parametrize("what", ["ambush", "suppressed"])
def test_agree__nobody_of_a_board_is_in_reserve_and_in_ambush_or_suppressed(tmp_path: Path, what: str) -> None:
    text = (data_folder("unitdb") / "armour_battles/boards/crossroads.toml").read_text(encoding="utf-8")
    in_reserve = text.replace('type = "us_m10" }', f'type = "us_m10", {what} = true }}')
    assert in_reserve != text
    (tmp_path / "crossroads.toml").write_text(in_reserve, encoding="utf-8")
    with pytest.raises(UsageError, match=r"^list a: M10: found no square, expected one: nobody in reserve"):
        aab.Game("armour_battles", boards=tmp_path).match(board="crossroads", simulate=1)


@pytest.mark.parametrize("army", ["{ command_dice = 5 }", "{ a = { command_dice = 5 } }", "{ morale = 9 }"])
def test_agree__a_board_says_what_both_armies_have_at_once_or_one(tmp_path: Path, army: str) -> None:
    text = (data_folder("unitdb") / "armour_battles/boards/crossroads.toml").read_text(encoding="utf-8")
    (tmp_path / "crossroads.toml").write_text(f"army = {army}\n{text}", encoding="utf-8")
    game = aab.Game("armour_battles", boards=tmp_path)
    agreed = game.match_question(board="crossroads").agreed()[2]["army"]
    said = {name: int(value) for name, value in re.findall(r"(command_dice|morale) = (\d)", army)}
    assert agreed == ({"a": said} if "a =" in army else {"a": said, "b": said})


def test_agree__dice_that_only_batteries_roll_are_counted_of_batteries() -> None:
    game = GAME.with_(changes=["us_m10.artillery_dice=20", "us_m10.reaction_dice=15"])
    assert game.match_question("us_m10", "us_m10", board="crossroads").agreed()
    many = GAME.with_(changes=["us_105.artillery_dice=20", "us_m10.reaction_dice=15"])
    with pytest.raises(UsageError, match=r"lists: found 20 artillery dice against 1[0-9] reaction dice"):
        many.match_question("us_105,us_m10", "us_m10", board="crossroads").agreed()


@pytest.mark.slow
def test_agree__a_card_may_have_no_reaction_dice_against_batteries_and_many_against_guns() -> None:
    game = GAME.with_(
        changes=["us_m4_75.reaction_dice=20", "us_m4_75.reaction_dice_indirect=0", "us_105.artillery_dice=15"]
    )
    assert game.match("us_m4_75,us_105", "us_m4_75", board="crossroads", simulate=1, rounds=1).played.first.state


@pytest.mark.slow
def test_agree__lists_stand_at_their_edges_and_the_boards_units_where_it_says() -> None:
    state = GAME.match(
        "us_m4_75*2,us_105", "de_pz4h,de_puma", board="crossroads", simulate=1, rounds=1
    ).played.first.state
    assert [unit["at"] for unit in state["units"]] == [[0, 3], [0, 4], [7, 4], [7, 3]]
    assert state["batteries"] == [{"id": "a3", "type": "us_105", "mission": None}]
    scenario = GAME.match(board="crossroads", simulate=1, rounds=1, army={"morale": 9}).played.first.state
    assert [unit["at"] for unit in scenario["units"]][:4] == [[0, 2], [0, 4], [1, 5], None]
    assert scenario["morale"] == {"a": 9, "b": 9}
