"""What players think: terms of what a state is worth, and candidates, each by a claim on two states that differ in it.

Matches tell hardly anything of one term: a player who is wrong about it still beats one who acts at random.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import meetings
import numpy as np
import pytest
from armour_scene import begun
from golden.replay import Replay
from modern_scene import Scene
from test_forumini_match import moving
from test_match_rules import armored, wars

from aabalance.rulesets.armored_advance import match as advance_rules
from aabalance.rulesets.armored_advance.match import judgement as advance
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.records import FACINGS
from aabalance.rulesets.armour_battles.match import judgement as battles
from aabalance.rulesets.armour_battles.match import records as orders
from aabalance.rulesets.base.match import ALL, action_of, parts_of
from aabalance.rulesets.forumini.match import judgement as hexes
from aabalance.rulesets.forumini.match.records import DIRECTIONS
from aabalance.rulesets.modern_land_battles.match import RULES
from aabalance.rulesets.modern_land_battles.match import records as cards


def value(match: Any, side: int = 0, of: int = ALL) -> float:
    """What a state is worth to a side."""
    rules = match.rules if isinstance(match, Replay) else RULES
    return float(rules.value(match.tables, match.now, side, of))


def sensible(match: Replay, of: int = ALL) -> list[str]:
    """The actions that players look at."""
    out = np.empty(match.rules.most_actions, np.int64)
    count = match.rules.candidates(match.tables, match.now, of, False, out)
    return sorted(match.rules.texts(match.tables, match.now, out[:count].tolist(), match.names))


# --- Skirmish Wars


def infantry(row: str, at: int, *enemies: tuple[str, int]) -> float:
    """What it is worth to have an infantry on a square of a row, with enemies on others."""
    units = [{"side": "a", "type": "infantry", "at": [at, 0]}]
    units += [{"side": "b", "type": kind, "at": [x, 0]} for kind, x in enemies]
    return value(wars([row], units, {}), 0, 0)


def test_skirmish_wars__an_enemy_who_can_strike_next_is_a_threat_and_one_beyond_reach_is_none() -> None:
    """A tank drives up and fires; an artillery fires at 3 squares or drives (3.3a)."""
    row = "." * 16
    assert infantry(row, 0, ("tank", 3)) < infantry(row, 0, ("tank", 15))
    assert infantry(row, 0, ("artillery", 3)) < infantry(row, 0, ("artillery", 15))
    assert infantry(row, 0, ("artillery", 4)) == infantry(row, 0, ("artillery", 15))


def test_skirmish_wars__an_hq_counts_as_two_squares_nearer() -> None:
    assert infantry("c......B", 4) > infantry("c......B", 2)


@pytest.mark.parametrize("owner", ["neutral", "b"])
def test_skirmish_wars__half_of_a_capture_is_worth_half_of_what_the_whole_changes(owner: str) -> None:
    """What it is worth to stand there is left out: there may be another place to go to."""
    units = [{"side": "a", "type": "infantry", "at": [1, 0]}, {"side": "b", "type": "infantry", "at": [5, 0]}]
    match, whose = wars([".c...."], units, {}), {"neutral": 2, "b": 1}[owner]
    match.tables.weight["nearer"] = 0
    held, found = match.now.property[0], []
    for held.owner, held.captured in ((whose, 0), (whose, 2), (0, 0)):
        found.append(value(match))
    assert found[1] > found[0]
    assert found[1] - found[0] == pytest.approx((found[2] - found[0]) / 2)


# --- Armored Advance


def test_armored_advance__a_squad_that_harms_no_vehicle_is_faced_only_if_it_is_four_times_as_near() -> None:
    for y, faced in ((4, "N"), (6, "E")):
        match = armored([("de_pz4h", 1, y, "N")], [("inf_rifle", 2, y), ("us_m4a1", 1, 1, "S")])
        assert FACINGS[advance.facing_to(match.tables, match.now, 0, int(match.now.unit[0].at))] == faced


def test_armored_advance__a_squad_knows_what_it_leaves_at_an_objective() -> None:
    """The objective is at 0,0."""
    match = armored([("inf_rifle", 0, 1), ("de_pz4h", 7, 7, "N")], [("us_m4a1", 7, 0, "S")], mode="domination")
    here, away = (advance.of_squad(match.tables, match.now, 0, x + 8 * y) for x, y in ((0, 1), (5, 5)))
    assert away < here


def test_armored_advance__nobody_scouts_for_a_unit_that_has_aimed() -> None:
    match = armored([("de_pz4h", 1, 4, "N")], [("us_m4a1", 1, 0, "S")])
    assert advance.help_wanted(match.tables, match.now, 0, 1) > 0
    match.now.unit[0].still = 1
    assert advance.help_wanted(match.tables, match.now, 0, 1) == 0


def test_armored_advance__nobody_loses_more_than_himself() -> None:
    match = armored([("de_pz4h", 3, 7, "N")], [("us_m4a1", 2, 0, "S"), ("us_m4a1", 4, 0, "S")])
    found = []
    for toll in (0.3, 0.5, 0.9):
        match.tables.toll[1:3, 0] = toll
        found.append(value(match, 0, 0))
    assert found[0] > found[1] == found[2]


@pytest.mark.parametrize("mode", ["timed", "domination"])
def test_armored_advance__what_a_state_is_worth_to_one_side_the_other_lacks(mode: str) -> None:
    units = [("us_m4a1", 7, 0, "S"), ("inf_rifle", 0, 1)]
    match = armored([("de_pz4h", 7, 7, "N")], units, mode=mode)
    assert value(match, 0) == pytest.approx(-value(match, 1))
    assert match.state().get("owners", ["b"]) == ["b"]


def test_armored_advance__a_crew_may_turn_its_gun() -> None:
    match = armored([("de_pak40", 1, 4, "N"), ("inf_rifle", 1, 5)], [("us_m4a1", 6, 4, "W")])
    assert any(said.startswith("a1.de_pak40 move") for said in sensible(match))


@pytest.mark.parametrize(("plate", "alike"), [("front", True), ("side", False)])
def test_armored_advance__high_explosive_hopes_for_what_the_side_armor_leaves(plate: str, alike: bool) -> None:
    """Page 10: less the armour of the side, wherever it comes from. Its armour-piercing shell hurts nobody here."""
    fire = "de_pz4f1.weapons.0.penetration=0"
    tolls = [
        armored([("de_pz4f1", 1, 6, "N")], [("us_m8", 1, 1, "S")], changes=[fire, *more]).tables.toll[0, 1]
        for more in ([], [f"us_m8.armor.{plate}=5"])
    ]
    assert tolls[0].max() > 0
    assert (tolls[0] == tolls[1]).all() == alike


def test_armored_advance__rows_where_units_are_put_are_the_same_from_either_edge_of_a_zone() -> None:
    zones = {"west": {"rect": [2, 0, 6, 4], "facing": "E"}, "east": {"rect": [10, 0, 14, 4], "facing": "W"}}
    board = {"name": "Plain", "map": ["." * 17] * 5, "zones": zones, "objectives": []}
    tables, state = meetings.armored(meetings.GREEDY, board, (["us_m8"], ["us_m8"])).starts[0]
    state.phase, state.to_move, state.zone[:] = records.DEPLOYING, 0, (0, 1)
    out = np.empty(advance_rules.RULES.most_actions, np.int64)
    squares = [parts_of(action)[3] for action in out[: advance.places(tables, state, ALL, out)]]
    rows, columns = ({int(at) for at in of[squares]} for of in (tables.y, tables.x))
    assert rows == {0, 1, 3, 4}
    assert columns == {2 + at for at in rows}


# --- Armour Battles


def payment(match: Replay, kind: int, shown: int = 0) -> float:
    """The score of a payment."""
    return battles.payment(match.tables, match.now, kind, shown)


def test_armour_battles__a_six_is_kept_longest_and_of_others_the_face_is_paid_of_which_there_are_most() -> None:
    """The dice show 6, 5, 4, 3, 2, 2."""
    match = begun(["tank 0,2"], ["tank 11,2"])
    of = {shown: payment(match, orders.DIE, shown) for shown in (2, 3, 4, 5, 6)}
    assert of[2] > of[3] == of[4] == of[5] > of[6]


def test_armour_battles__staff_orders_are_for_batteries() -> None:
    near = ["tank 2,2"], ["tank 5,2"]
    without, with_one = (begun(near[0] + more, near[1]) for more in ([], ["battery"]))
    assert payment(without, orders.STAFF_ORDER) < payment(without, orders.END)
    assert payment(with_one, orders.STAFF_ORDER) > payment(with_one, orders.END)


def test_armour_battles__two_enemies_are_as_dangerous_as_one_twice_and_a_third_adds_nothing() -> None:
    found = []
    for enemies in (["truck 5,2"], ["tank 5,2"], ["tank 5,2"] * 2, ["tank 5,2"] * 3):
        match = begun(["tank 0,2"], [f"{one.split()[0]} 5,{y}" for one, y in zip(enemies, (2, 1, 3), strict=False)])
        match.tables.toll[:] = 1.0
        found.append(battles.standing(match.tables, match.now, 0, int(match.now.unit[0].at)))
    none, one, two, three = found
    assert two - none == pytest.approx(2 * (one - none))
    assert three == two < one < none


def test_armour_battles__a_mission_on_friends_is_worth_less() -> None:
    match = begun(["tank 5,3", "tank 4,2"], ["tank 5,2", "tank 6,2"])
    aim = int(match.now.unit[2].at)
    assert battles.under(match.tables, match.now, aim) == 0
    match.now.side = 1
    assert battles.under(match.tables, match.now, aim) == 0
    match.now.unit_at[match.now.unit[1].at] = orders.NONE
    assert battles.under(match.tables, match.now, aim) == -1


def test_armour_battles__who_has_but_a_poor_shot_moves() -> None:
    match = begun(["tank 0,2"], ["tank 5,2"])
    shot = battles.best_shot(match.tables, match.now, 0, int(match.now.unit[0].at), orders.STAY)
    for stays, moves in ((0.9 * shot, False), (1.5 * shot, True)):
        match.tables.weight["stays"] = stays
        stay, move = (
            battles.score(match.tables, match.now, action_of(orders.ACT, 0, 0, pace))
            for pace in (orders.STAY, orders.SINGLE)
        )
        assert (move > stay) == moves


# --- Forumini Armies


def test_forumini__faces_the_nearest_enemy() -> None:
    match = moving(["tank 4,3 W"], ["rifle 8,3", "rifle 0,3", "rifle 6,3"])
    assert DIRECTIONS[hexes.facing(match.tables, match.now, 0)] == "E"


def test_forumini__a_move_does_not_go_back_at_once() -> None:
    match = moving(["tank 4,3 E"], ["rifle 8,0"])
    assert {said.split()[-1] for said in sensible(match) if " go " in said} == set(DIRECTIONS)
    match.do("a1 go E", [])
    assert {said.split()[-1] for said in sensible(match) if " go " in said} == {*DIRECTIONS} - {"W"}


def test_forumini__the_nearer_the_objective_the_better() -> None:
    """The objective is at 4,3, and the zone is a hex around it."""
    far, near = (value(moving([f"rifle {x},3"], ["rifle 8,0"])) for x in (0, 2))
    assert far < near


def test_forumini__a_move_cannot_well_stay_where_there_is_no_room() -> None:
    full, free = (
        moving(["tank 4,3 E", "rifle 5,3", "rifle 5,3", *at], ["rifle 8,0"]) for at in (["rifle 5,3"], ["rifle 0,3"])
    )
    for match in (full, free):
        match.do("a1 go E", [])
    assert value(full, 0, 0) < value(free, 0, 0) - 100


# --- Modern Land Battles


def test_modern_land_battles__few_in_the_breakthrough_area_are_a_danger() -> None:
    """A side that has nobody there has lost (Losing)."""
    scene = Scene([["us_stryker", "us_m113"]])
    alone = scene.state.copy()
    alone.unit[1].area = cards.FLANKING
    both, apart = (value(SimpleNamespace(tables=scene.tables, now=now)) for now in (scene.state, alone))
    assert apart < both


def test_modern_land_battles__who_reaches_from_the_first_row_alone_attacks_from_there() -> None:
    scene = Scene([["us_stryker"], ["us_m113"], ["us_m109"]], [["cn_type80"], ["cn_yw531"]]).hold("a", "cannon")
    scene.tables.card[0].reach[:3], scene.tables.card[0].modifier[:3] = 1, 6
    scene.do("play cannon a1 cannon")
    assert scene.sensible() == ["at B1 b1"]


@pytest.mark.parametrize(
    ("points", "held", "counted"),
    [(1, "overrun", 1), (4, "overrun", 4), (6, "overrun", 4), (1, "cover", 0), (3, "cover", 3)],
)
def test_modern_land_battles__points_count_as_far_as_a_card_that_is_within_reach_costs(
    points: int, held: str, counted: int
) -> None:
    """A card of 4 is in reserve; Overrun would add 3 points, and Cover 1."""
    scene = Scene([["us_stryker"]], reserve=["us_m113"]).hold("a", held)
    scene.tables.card[1].vp, scene.state.stage = 4, cards.REINFORCE
    found = []
    for scene.state.act.points in (0, points):
        found.append(value(SimpleNamespace(tables=scene.tables, now=scene.state)))
    assert found[1] - found[0] == pytest.approx(counted * scene.tables.weight.points)
