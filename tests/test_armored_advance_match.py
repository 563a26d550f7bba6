"""Matches of Armored Advance, rule by rule, in the words of the document on them: R-n are its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from golden.replay import Replay
from test_match_rules import armored, said

ENEMY = [("us_m4a1", 19, 0, "W")]
ROAD, MUD, WATER = "=" * 20, "." + "~" * 19, "." + "w" * 19


def strip(ground: str = "." * 20, *units: Any, changes: Sequence[str] = (), **options: Any) -> Replay:
    """A match on a strip one inch wide and twenty long; the units of a begin as they say, and an enemy at its end."""
    return armored(units, ENEMY, rows=[ground], changes=changes, **options)


def furthest(match: Replay, unit: str, verb: str = "move") -> int:
    """How far east a unit can get."""
    ends = (action.split()[2] for action in said(match, f"{unit} {verb} "))
    return max(int(end.split(",")[0]) for end in ends)


# --- moves


def test_r_6__a_heavy_vehicle_makes_its_first_move_alone_in_full() -> None:
    match = strip("." * 20, ("de_tiger1", 0, 0, "E"))
    assert furthest(match, "a1.de_tiger1") == 4
    match.do("a1.de_tiger1 move 0,0 W", [])  # a pivot counts as a move (AA-84)
    assert furthest(match, "a1.de_tiger1") == 2


@pytest.mark.parametrize(("ground", "inches"), [("." * 20, 2), (ROAD, 3)])
def test_r_7__a_light_vehicle_has_a_free_move(ground: str, inches: int) -> None:
    match = strip(ground, ("us_m8", 0, 0, "E"))
    assert furthest(match, "a1.us_m8", "free") == inches
    match.do(f"a1.us_m8 free {inches},0 E", [])
    assert not said(match, "a1.us_m8 free")
    assert match.state()["left"] == 40
    assert match.state()["units"]["a1.us_m8"]["tenths"] == 10 * inches


@pytest.mark.parametrize(
    ("drive", "ground", "inches"),
    [
        ("tracked", ROAD, 9),
        ("half_track", ROAD, 10),
        ("wheeled", ROAD, 10),
        ("wheeled", "=========" + "." * 11, 8),  # it has to end on the road, which is 8 inches long
        ("wheeled", "." + "=" * 19, 8),  # and to begin there
        ("wheeled", MUD, 4),
        ("half_track", MUD, 6),  # 4 unhindered, 2 more for the second 4 (p. 20)
        ("tracked", MUD, 7),
        ("tracked", "......." + "~" * 13, 7),  # it loses an inch if it enters mud, and else gets to 6 at least
    ],
)
def test_r_9_r_10__roads_help_and_mud_hinders_by_the_drive(drive: str, ground: str, inches: int) -> None:
    changes = ["us_m4a1.movement=8", f"us_m4a1.drive={drive}"]
    assert furthest(strip(ground, ("us_m4a1", 0, 0, "E"), changes=changes), "a1.us_m4a1") == inches


@pytest.mark.parametrize(("weight", "inches"), [("light", 4), ("medium", 8), ("heavy", 8)])
def test_r_11__water_is_mud_for_light_vehicles_alone(weight: str, inches: int) -> None:
    changes = ["us_m8.movement=8", f"us_m8.weight={weight}"]
    assert furthest(strip(WATER, ("us_m8", 0, 0, "E"), changes=changes), "a1.us_m8") == inches


def test_r_5__through_friends_but_neither_through_enemies_nor_between_two_corners() -> None:
    rows = ["..B.", ".B..", "....", "...."]
    match = armored([("us_m4a1", 1, 0, "S"), ("us_m8", 0, 1, "E")], [("us_m8", 0, 3, "N")], rows=rows)
    ends = {action.split()[2] for action in said(match, "a1.us_m4a1 move ")}
    assert "2,1" in ends  # 1,0 - 0,1 (a friend) - 1,2 - 2,1, and not between the buildings
    match = armored([("us_m4a1", 1, 0, "S")], [("us_m8", 0, 1, "N")], rows=rows)
    assert {action.split()[2] for action in said(match, "a1.us_m4a1 move ")} == {"0,0", "1,0"}


def test_r_12__slow_in_reverse_beyond_half_of_the_move() -> None:
    changes = ["us_m4a1.movement=6", "us_m4a1.keywords.slow_reverse=true"]
    match = strip("." * 20, ("us_m4a1", 0, 0, "W"), changes=changes)
    facings = {x: {one[-2:].strip() for one in said(match, f"a1.us_m4a1 move {x},0 ")} for x in (3, 4)}
    assert len(facings[3]) == 8
    assert facings[4] == {"E", "NE", "SE"}


# --- guns, and what carries


def test_r_34__a_heavy_gun_in_tow_halves_moves_and_keeps_out_of_water() -> None:
    changes = ["us_m3_ht.movement=8", "us_m3_ht.keywords.towing=true", "uk_6pdr.weight=heavy"]
    units = ("us_m3_ht", 1, 0, "E"), ("uk_6pdr", 0, 0, "E")
    match = strip("....." + "w" * 15, *units, changes=changes)
    match.do("a1.us_m3_ht hitch a2.uk_6pdr", [])
    assert match.state()["units"]["a2.uk_6pdr"] == {"hp": match.now.unit[1].hp, "towed": "a1.us_m3_ht"}
    assert furthest(match, "a1.us_m3_ht") == 4  # the water's edge
    match = strip("." * 20, *units, changes=changes)
    match.do("a1.us_m3_ht hitch a2.uk_6pdr", [])
    assert furthest(match, "a1.us_m3_ht") == 5
    match.do("a1.us_m3_ht move 5,0", [])
    assert not said(match, "a1.us_m3_ht move")
    match.do("a2.uk_6pdr drop 4,0 W", [])  # free
    assert match.state()["left"] == 38
    assert match.state()["units"]["a2.uk_6pdr"]["f"] == "W"
    match = strip(".w" + "." * 18, *units, changes=changes)
    assert not said(match, "a1.us_m3_ht hitch")  # in water it tows nothing


def test_r_31__a_gun_does_nothing_without_a_squad_behind_it() -> None:
    for squad, acts in ((("inf_rifle", 0, 0), True), (("inf_sniper", 0, 0), False), (("inf_rifle", 2, 0), False)):
        match = strip("." * 20, ("uk_6pdr", 1, 0, "E"), squad)
        assert bool(said(match, "a1.uk_6pdr")) is acts


def test_r_32__who_got_out_does_nothing_more_in_the_turn() -> None:
    match = strip("." * 20, ("us_m3_ht", 1, 0, "E"), ("inf_rifle", 0, 0))
    match.do("a1.us_m3_ht load a2.inf_rifle", [])
    assert match.state()["left"] == 39
    match.do("a2.inf_rifle exit 2,0", [])
    assert not said(match, "a2.inf_rifle")
    assert match.state()["units"]["a2.inf_rifle"] == {"hp": 6, "x": 2, "y": 0, "used": 1, "tenths": 10}


# --- indirect fire


def ready(**changed: int) -> Replay:
    """A self-propelled gun that has set up, in its next turn, with an enemy behind a building."""
    rows = ["." * 20, ".....B" + "." * 14]
    match = armored([("us_m7", 0, 0, "E")], [("us_m4a1", 19, 1, "W")], rows=rows)
    match.do("a1.us_m7 setup", [])
    assert said(match, "a1.us_m7") == []
    match.do("end", [])
    for field, value in changed.items():
        setattr(match.now.unit[1], field, value)
    match.now.unit[1].moves = 1
    match.do("end", [])
    return match


LOB = "a1.us_m7 lob b1.us_m4a1 w1"


@pytest.mark.parametrize(("tenths", "halves"), [(79, 2), (80, 1), (140, 1), (150, 1), (151, 0)])
def test_r_28__takes_half_from_who_moved_and_nothing_from_who_moved_far(tenths: int, halves: int) -> None:
    match = ready(tenths=tenths)
    assert (LOB in match.legal()) is (halves > 0)
    if halves:
        before = int(match.now.unit[1].hp)
        weapon, side = match.names.cards[0].weapons[1], match.names.cards[1].armor.side
        match.do(LOB, [2], [6])
        assert before - match.now.unit[1].hp == (weapon.base - 2 * weapon.n - side) * halves // 2


def test_r_28__moving_ends_what_was_set_up_but_a_pivot_does_not() -> None:
    match = ready()
    match.do("a1.us_m7 move 0,0 NE", [])
    assert match.state()["units"]["a1.us_m7"]["set_up"] == 2
    match = ready()
    match.do("a1.us_m7 move 1,0 E", [])
    assert "set_up" not in match.state()["units"]["a1.us_m7"]
    assert LOB not in match.legal()


# --- the turn


def test_r_2__pool_and_limit_both_bind_and_squads_stand_outside() -> None:
    match = strip("." * 20, ("us_m4a1", 0, 0, "E"), ("de_tiger1", 2, 0, "E"), ("inf_rifle", 4, 0))
    match.now.left = 1
    match.do("a1.us_m4a1 move 1,0 E", [])
    assert not said(match, "a1", "a2")
    match.do("a3.inf_rifle move 5,0", [])
    assert match.legal() == ["end"]


def test_r_25__an_accurate_shot_wants_a_unit_that_has_done_nothing_and_ends_its_moves() -> None:
    changes = ["us_m8.keywords.accurate=true"]
    aims = "a1.us_m8 aim b1.us_m4a1 w0"
    match = strip("." * 20, ("us_m8", 9, 0, "E"), changes=[*changes, "us_m4a1.armor.front=1"])
    assert aims in match.legal()
    match.do("a1.us_m8 free 9,0 N", [])
    assert aims not in match.legal()
    match = strip("." * 20, ("us_m8", 9, 0, "E"), changes=[*changes, "us_m4a1.armor.front=1"])
    match.do(aims, [6], [6])
    assert not said(match, "a1.us_m8")  # no free move either


def test_r_35__the_higher_die_picks_a_zone_and_places_first_and_sides_take_turns() -> None:
    match = armored([("us_m4a1",), ("us_m8",)], [("us_m8",)])
    match.do("roll off", [3, 3, 2, 5], [6] * 4)
    assert (match.to_move(), match.legal()) == ("b", ["zone north", "zone south"])
    match.do("zone south", [])
    assert {action.split()[-1][-1] for action in match.legal()} == {"6", "7"}
    match.do("b1.us_m8 place 3,6", [])
    match.do("a2.us_m8 place 0,0", [])
    assert match.to_move() == "a"  # who has none left waits
    assert "a1.us_m4a1 place 0,0" not in match.legal()
    match.do("a1.us_m4a1 place 7,1", [])
    state = match.state()
    assert (state["turn"], state["to_move"], state["units"]["a1.us_m4a1"]["f"]) == (1, "a", "S")
    assert state["zones"] == {"a": "north", "b": "south"}
