"""Matches of Forumini Armies, rule by rule: what is legal, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from golden.replay import Replay
from hypothesis import given
from hypothesis import strategies as st

import aabalance as aab
from aabalance.errors import CardError
from aabalance.files import data_folder
from aabalance.rulesets.base import match as base
from aabalance.rulesets.forumini.card import Card
from aabalance.rulesets.forumini.match import fire, hexes, movement, records, terrain, turns
from aabalance.rulesets.forumini.shot import rules
from aabalance.rulesets.forumini.variant import Reading

OF_SOLDIER = {"kind": "soldier", "defense": 4, "disintegration": 6, "cover": 4}
OF_VEHICLE = {
    "kind": "vehicle",
    "armor": {"front": 5, "side": 4, "rear": 3, "top": 3},
    "vital": {"front": 8, "side": 7, "rear": 6, "top": 6},
    "cover": 5,
}
RIFLE = {**OF_SOLDIER, "type": "Soldier", "cost": 4, "speed": 1}
RIFLE |= {"range": [0, 1, 4], "antisoldier": [8, 8, 6], "antivehicle": [6, 2, 0]}
SCOUT = {**RIFLE, "speed": 2}
OFFICER = {**RIFLE, "type": "Soldier-Commander", "cost": 6, "initiative": 2}
MORTAR = {**OF_SOLDIER, "type": "Soldier-Artillery", "name": "81mm Mortar", "cost": 10, "speed": 0}
MORTAR |= {"range": [1, 4, 16], "antisoldier": [3, 8, 8], "antivehicle": [0, 6, 5], "abilities": ["Indirect Fire"]}
TANK = {**OF_VEHICLE, "type": "Vehicle-Tank", "cost": 20, "speed": 4}
TANK |= {"range": [1, 4, 8], "antisoldier": [8, 8, 7], "antivehicle": [13, 11, 9]}
SLOW = {**TANK, "speed": 2}
ASSAULT_GUN = {**TANK, "abilities": ["No Turret"]}
CARDS: dict[str, dict[str, Any]] = {
    name: {"name": name, **card}
    for name, card in {
        "rifle": RIFLE, "scout": SCOUT, "officer": OFFICER, "mortar": MORTAR, "tank": TANK, "slow": SLOW,
        "gun": ASSAULT_GUN, "double": {**RIFLE, "attacks": 2}, "sniper": {**RIFLE, "cost": 50, "range": [1, 4, 16]},
    }.items()
}  # fmt: skip
OPEN = "\n".join([". . . . . . . . ."] * 7)
WIN_A = [6, 6, 1, 1]


def match(a: Sequence[str], b: Sequence[str], map_: str = OPEN, objective: str = "4,3", **keys: Any) -> Replay:
    """Return a match whose units stand as their texts say: a card, then its place."""
    lists = {side: [said.split()[0] for said in own] for side, own in (("a", a), ("b", b))}
    placed = {side: [said.partition(" ")[2] for said in own] for side, own in (("a", a), ("b", b))}
    board = {"objective": objective, "deploy": 1, "turns": [7, 10], "map": map_}
    setup = {"board": board, "lists": lists, "cards": CARDS, **({"placed": placed} if placed["a"][0] else {}), **keys}
    return Replay("forumini", setup, plain=True)


def moving(a: Sequence[str], b: Sequence[str], *args: Any, **keys: Any) -> Replay:
    """Return a match in the Movement phase of a."""
    return done(match(a, b, *args, **keys), ("start", WIN_A), "first")


def assaulting(a: Sequence[str], b: Sequence[str], *args: Any, **keys: Any) -> Replay:
    """Return a match in the Assault phase of a."""
    return done(moving(a, b, *args, **keys), "end", "end")


def done(played: Replay, *steps: str | tuple[str, list[int]]) -> Replay:
    """Take actions, with their dice."""
    for step in steps:
        text, dice = (step, []) if isinstance(step, str) else step
        played.do(text, dice)
    return played


def unit(played: Replay, name: str) -> dict[str, Any]:
    """Return a unit in words."""
    found: dict[str, Any] = played.state()["units"][name]
    return found


def of(played: Replay, name: str) -> list[str]:
    """Return what a unit may do."""
    return [said.removeprefix(f"{name} ") for said in played.legal() if said.startswith(f"{name} ")]


# --- hexes ------------------------------------------------------------------------------------------------------------

STEP = st.integers(-6, 6)


def line(dq: int, dr: int) -> set[tuple[int, int]]:
    box = range(-7, 8)
    return {(q, r) for q, r in product(box, box) if hexes.meets(dq, dr, q, r)}


def test_length__counts_the_target_not_the_firer() -> None:
    assert [hexes.length(*step) for step in ((0, 0), (1, 0), (1, -1), (2, 1), (-3, 5))] == [0, 1, 1, 3, 5]


def test_meets__traverses_and_splits_along_a_hexspine() -> None:
    assert line(3, 0) == {(0, 0), (1, 0), (2, 0), (3, 0)}
    assert line(1, 1) == {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert hexes.meets(3, 0, 1, 0) == hexes.CROSSED
    assert {hexes.meets(1, 1, 1, 0), hexes.meets(1, 1, 0, 1)} == {hexes.LEFT, hexes.RIGHT}


@pytest.mark.slow
@given(STEP, STEP)
def test_meets__has_every_hex_that_points_on_the_line_lie_in(q: int, r: int) -> None:
    """Points between the two centres, each with its nearest hex centre, by floats."""
    found = line(q, r)
    assert q == r == 0 or {(0, 0), (q, r)} <= found
    assert found == {(q - one, r - other) for one, other in found}  # the same from both ends
    for n in range(1, 200):
        x, y = q * (n + 0.37) / 201, r * (n + 0.37) / 201
        near = {
            (a, b): (a - x) ** 2 + (b - y) ** 2 + (a - x) * (b - y)
            for a in range(int(x) - 2, int(x) + 3)
            for b in range(int(y) - 2, int(y) + 3)
        }
        if (q, r) != (0, 0):
            assert {at for at, off in near.items() if off < min(near.values()) + 1e-9} <= found


def test_in_arc__line_and_its_neighbours() -> None:
    tables = match(["rifle 0,0"], ["rifle 8,6"]).tables
    arc = {at for at in range(63) if hexes.in_arc(tables, 29, 31, at)}  # from 2,3 to 4,3
    assert arc == {*range(28, 33), *range(20, 24), *range(38, 42)}


def test_face_shown__three_fronts_two_sides_and_a_rear() -> None:
    shown = [hexes.face_shown(q, r, 0) for q, r in records.STEPS]
    assert shown == [records.FRONT, records.FRONT, records.SIDE, records.REAR, records.SIDE, records.FRONT]
    assert hexes.face_shown(0, 0, 0) == records.SIDE
    # Straight up or down is still ahead; a rear of 60 degrees ends along the hexspines.
    assert [hexes.face_shown(*step, 0) for step in ((-1, 2), (-2, 1), (-3, 1))] == [
        records.FRONT, records.REAR, records.REAR,
    ]  # fmt: skip


def test_sight__terrain_in_between_and_both_sides_of_a_hexspine() -> None:
    # In odd-r, the line from 2,0 to 2,2 runs along the hexspine between 1,1 and 2,1.
    for between, sees in ((". .", True), ("w .", True), (". w", True), ("w w", False), ("b b", True)):
        map_ = f". . . . .\n . {between} . .\n. . . . .\n. . . . ."
        tables = match(["rifle 2,0"], ["rifle 2,2"], map_, "2,3").tables
        assert tables.sight[2, 12] == tables.sight[12, 2] == sees
        assert tables.sight[2, 6]
        assert tables.sight[5, 8] == (between not in ("w .", ". w", "w w"))
    # Terrain at the ends doesn't block, nor does it at a corner.
    tables = match(["rifle 0,0"], ["rifle 4,0"], "w w . . w\n . . . . .", "2,1").tables
    assert [bool(tables.sight[4, at]) for at in (3, 2, 1, 0)] == [True, True, True, False]


# --- the chart and boards ---------------------------------------------------------------------------------------------


def test_read_chart__names_the_line_of_each_fault(tmp_path: Path) -> None:
    ours = (data_folder("unitdb") / terrain.FILE).read_text(encoding="utf-8")
    assert terrain.read_chart(data_folder("unitdb") / terrain.FILE)["woods"].roll == 4
    path, lines = tmp_path / "terrain.toml", ours.splitlines()
    roll, letter = lines.index("roll = 4") + 1, lines.index('letter = "h"') + 1
    for was, becomes, said in (
        ("roll = 4", "roll = 7", f"{roll}: woods.roll: found 7, expected less than or equal to 6"),
        ("roll = 4", "rol = 4", f"{roll}: woods.rol: found 4, expected no such field; did you mean 'roll'?"),
        ('letter = "h"', 'letter = "hh"', f"{letter}: hill.letter: found 'hh', expected text like"),
        ('letter = "h"', 'letter = "w"', "1: "),
        ("[hill]", "[hill", ""),
    ):
        path.write_text(ours.replace(was, becomes), encoding="utf-8")
        with pytest.raises(CardError) as caught:
            terrain.read_chart(path)
        assert any(str(fault).startswith(f"{path}:{said}") for fault in caught.value.faults), caught.value


# --- deployment, initiative, phases -----------------------------------------------------------------------------------


def test_turns__are_7_and_10_where_the_board_names_none(tmp_path: Path) -> None:
    text = (data_folder("unitdb") / "forumini/boards/crossroads.toml").read_text(encoding="utf-8")
    assert "turns = [7, 10]\n" in text
    (tmp_path / "plain.toml").write_text(text.replace("turns = [7, 10]\n", ""), encoding="utf-8")
    lists = "de_panzergrenadier*2", "su_mosin_nagant_1891_30*2"
    game = aab.Game("forumini", boards=tmp_path)
    assert game.match_question(*lists, board="plain").agreed()[2]["turns"] == (7, 10)
    board = {"objective": "4,3", "deploy": 1, "map": OPEN}
    tables = Replay("forumini", {"board": board, "lists": {"a": ["rifle"], "b": ["rifle"]}, "cards": CARDS}).tables
    assert (tables.first_check, tables.last_turn) == (7, 10)


def test_objective__of_another_form_shows_the_form(tmp_path: Path) -> None:
    text = (data_folder("unitdb") / "forumini/boards/crossroads.toml").read_text(encoding="utf-8")
    (tmp_path / "it.toml").write_text(text.replace('"5,3"', '"5;3"'), encoding="utf-8")
    with pytest.raises(CardError, match=r"objective: found '5;3', expected a column and a row such as '5,3'"):
        aab.Game("forumini", boards=tmp_path).boards.check()


def test_deployment__first_player_chooses_an_end_and_deploys_in_list_order() -> None:
    played = match(["rifle", "tank"], ["rifle"], ". . .\n ~ . .\n. h .", "1,1")
    done(played, ("start", [3, 3, 2, 5]), "first")
    assert (played.to_move(), played.legal()) == ("b", ["east", "west"])
    done(played, "east")
    assert played.legal() == ["b1 at 2,0", "b1 at 2,1", "b1 at 2,2"]
    done(played, "b1 at 2,0")
    assert played.legal() == ["a1 at 0,0", "a1 at 0,2"]
    done(played, "a1 at 0,0", ("a2 at 0,2", WIN_A))
    state = played.state()
    assert (state["turn"], state["phase"], state["ends"]) == (1, "order", {"b": "east", "a": "west"})
    assert (unit(played, "a2")["face"], unit(played, "a1")["face"]) == ("E", None)


def test_throw_initiative__higher_total_then_higher_bonus() -> None:
    for bonus_a, bonus_b, dice, winner in (
        (0, 0, [6, 6, 6, 5], 0),
        (0, 2, [6, 6, 6, 5], 1),
        (0, 1, [6, 6, 6, 5], 1),
        (1, 0, [6, 5, 6, 6], 0),
        (2, 2, [1, 2, 2, 1], records.NOBODY),
    ):
        assert turns.throw_initiative(bonus_a, bonus_b, base.script(dice)) == winner


def test_initiative_bonus__best_commander_in_good_order() -> None:
    for said, bonus in (("", 2), (" pinned", 0), (" worse", 0)):
        played = match(["rifle 0,0", f"officer 1,1{said}"], ["rifle 8,6"])
        assert turns.initiative_bonus(played.tables, played.now, 0) == bonus
        assert turns.initiative_bonus(played.tables, played.now, 1) == 0
    done(match(["officer 0,0"], ["rifle 8,6"]), ("start", [1, 1, 2, 2]), "second")


def test_end__first_player_then_second_in_each_phase() -> None:
    played = match(["rifle 0,0"], ["rifle 8,6"])
    done(played, ("start", [1, 1, 1, 1, 1, 2, 2, 2]), "first")
    seen = []
    for dice in ([], [], [], [3, 3, 2, 2]):
        seen.append((played.to_move(), played.state()["phase"]))
        done(played, ("end", dice))
    assert seen == [("b", "movement"), ("a", "movement"), ("b", "assault"), ("a", "assault")]
    assert (played.to_move(), played.state()["phase"], played.state()["turn"]) == ("a", "order", 2)


# --- movement ---------------------------------------------------------------------------------------------------------

AROUND = ". . w h .\n . t . b .\n. . ~ . .\n . . . . ."


def costs(played: Replay) -> list[int]:
    """Return what a1's steps to its neighbours cost."""
    at = played.now.unit[0].at
    return [movement.step_cost(played.tables, played.now, 0, to) for to in played.tables.adjacent[at]]


def test_step_cost__by_the_terrain_chart() -> None:
    assert costs(moving(["tank 2,1 E"], ["rifle 0,3"], AROUND, "2,3")) == [2, 1, -1, 2, 1, 2]
    assert costs(moving(["rifle 2,1"], ["rifle 0,3"], AROUND, "2,3")) == [1, 1, -1, 1, 1, 1]
    assert costs(moving(["rifle 0,0"], ["rifle 0,3"], AROUND, "2,3")) == [1, 1, -1, -1, -1, -1]


def test_step_cost__minimum_movement_of_a_vehicle_of_speed_1() -> None:
    played = moving(["slow 2,1 E worse"], ["rifle 0,3"], AROUND, "2,3")
    assert costs(played) == [1, 1, -1, 1, 1, 1]
    assert costs(done(played, "end", "end")) == [-1, 1, -1, -1, 1, -1]
    map_ = "= = h . . . . . .\n . . . . . . . . .\n. . . . . . . . ."
    road = moving(["slow 0,0 E worse"], ["rifle 8,2"], map_, "4,1")
    done(road, "a1 go E")  # free along the road, and yet the first step
    assert (road.state()["moving"]["points"], costs(road)[0]) == (1, -1)


def test_step_cost__the_first_hexside_along_a_road_is_free() -> None:
    played = moving(["slow 0,0 E"], ["rifle 8,2"], "= = = t = = = = .\n . . . . . . . . .\n. . . . . . . . .", "4,1")
    left = []
    for _ in range(3):
        done(played, "a1 go E")
        left.append(played.state()["moving"]["points"])
    assert left == [2, 1, 0]  # without a Movement Roll for the town
    assert "go W" not in of(played, "a1")
    slow = moving(["slow 4,0 E"], ["rifle 8,2"], ". . . . . = = . .\n . . . . . . . . .\n. . . . . . . . .", "4,1")
    done(slow, "a1 go E")
    assert slow.state()["moving"]["points"] == 1
    done(slow, "a1 go E", "a1 go E")
    assert slow.state()["moving"]["points"] == 0


def test_go__a_failed_movement_roll_ends_the_move() -> None:
    played = moving(["tank 2,1 E"], ["rifle 0,3"], AROUND, "2,3")
    done(played, ("a1 go NW", [3]))
    assert (unit(played, "a1")["at"], unit(played, "a1")["face"], unit(played, "a1")["act"]) == ("2,1", "NW", "moved")
    assert played.state()["moving"] is None
    played = moving(["tank 2,1 E"], ["rifle 0,3"], AROUND, "2,3")
    done(played, ("a1 go NW", [4]), "a1 stop SW")
    assert (unit(played, "a1")["at"], unit(played, "a1")["face"]) == ("2,0", "SW")


def test_go__a_move_that_has_ended_leaves_nothing_of_its_path() -> None:
    """Exact play knows states by their bytes, so that those which are alike have to be equal."""
    there, back = (
        done(moving(["scout 2,1"], ["rifle 8,6"]), *steps) for steps in (("a1 go E", "a1 go W"), ("a1 go W", "a1 go E"))
    )
    assert (unit(there, "a1")["at"], there.state()["moving"]) == ("2,1", None)
    assert there.now.tobytes() == back.now.tobytes()


@pytest.mark.slow
def test_speed__damaged_first_then_half() -> None:
    for said, speed in (("", 4), (" pinned", 2), (" worse", 3), (" pinned worse", 1)):
        played = match([f"tank 0,0 E{said}"], ["rifle 8,6"])
        assert movement.speed(played.tables, played.now, 0) == speed
    for said, speed in (("", 2), (" pinned", 0), (" worse", 0)):
        played = match([f"scout 0,0{said}"], ["rifle 8,6"])
        assert movement.speed(played.tables, played.now, 0) == speed


def test_stacking__who_is_stopped_in_a_full_hex_goes_back() -> None:
    full = ["rifle 2,0", "rifle 2,0", "rifle 2,0"]
    played = moving(["scout 1,0", *full], ["rifle 8,6"])
    done(played, "a1 go E")
    assert "stop" not in of(played, "a1")
    done(played, "a1 go W")
    assert unit(played, "a1")["at"] == "1,0"
    # Stopped by fire in the full hex.
    played = moving(["scout 1,0", *full], ["rifle 1,1"])
    done(played, "a1 go E", ("b1 fire", [6] * 8))
    assert (unit(played, "a1")["at"], unit(played, "a1")["down"]) == ("1,0", 1)
    # One vehicle in a hex, but soldiers beside it.
    played = moving(["tank 1,0 E", "tank 3,0 E", "scout 4,0"], ["rifle 8,6"])
    done(played, "a1 go E", "a1 go E")
    assert not any(said.startswith("stop") for said in of(played, "a1"))
    done(played, "a1 go W", "a1 stop E", "a3 go W")
    assert "stop" in of(played, "a3")


# --- attacks ----------------------------------------------------------------------------------------------------------


def test_assault__a_unit_moves_or_attacks_and_damage_waits() -> None:
    played = assaulting(["rifle 1,1", "double 1,3", "rifle 0,0"], ["rifle 3,1", "rifle 3,3"])
    assert {"go E", "attack b1", "attack b2", "dirt"} <= set(of(played, "a1"))
    done(played, ("a1 attack b1", [6] * 6))
    assert of(played, "a1") == []
    assert unit(played, "b1")["down"] == 3
    assert "attack b1" not in of(played, "a2")  # doomed units are no targets
    done(played, ("a2 attack b2", [1] * 6), "a3 go E", ("a2 attack b2", [1] * 6))
    assert of(played, "a2") == of(played, "a3") == []
    done(played, "end")
    assert "attack a1" in of(played, "b1")  # and yet they act
    done(played, ("end", WIN_A))
    assert unit(played, "b1")["at"] is None
    assert played.state()["destroyed"] == {"a": 0, "b": 4}


def test_attack__one_target_in_sight_and_within_the_last_column() -> None:
    played = assaulting(["rifle 0,0"], ["rifle 4,0", "rifle 5,0", "tank 2,0 W", "rifle 0,4"], OPEN)
    assert [said for said in of(played, "a1") if "attack" in said] == ["attack b1", "attack b4"]
    played = assaulting(["rifle 0,0"], ["rifle 4,0"], ". . w . .\n . . . . .\n. . . . .", "2,2")
    assert "attack b1" not in of(played, "a1")


def test_attack__without_a_turret_ahead_alone() -> None:
    enemies = ["rifle 5,3", "rifle 3,3", "rifle 4,3", "rifle 4,1"]
    played = assaulting(["gun 4,3 E"], enemies)
    assert [said for said in of(played, "a1") if "attack" in said] == ["attack b1", "attack b3", "attack b4"]
    assert len([said for said in of(assaulting(["tank 4,3 E"], enemies), "a1") if "attack" in said]) == 4


GROUNDS = {".": (False, 0), "b": (True, 0), "t": (True, 1), "h": (True, -1)}


@pytest.mark.slow
@pytest.mark.parametrize("switches", [{}, {"cover_one_hit_exempt": False, "dis_equals_def": "one_hit"}])
@pytest.mark.parametrize("target", ["rifle", "tank"])
def test_strike__counters_have_the_odds_of_shots(target: str, switches: dict[str, Any]) -> None:
    """Matches and shots say the same of dice, hits, cover and counters: each is tested against the rulebook alone."""
    game = aab.Game("forumini", variant=switches)
    firer, struck = (Card.model_validate(CARDS[name]).root for name in ("tank", target))
    for ground, at in product(".bth", (1, 3)):
        map_ = f"{ground} . . . .\n . . . . .\n. . . . ."
        played = match([f"tank {at},0 W"], [f"{target} 0,0{' E' * (target == 'tank')}"], map_, "2,2", **switches)
        one, other = played.now.unit[0], played.now.unit[1]
        for face, down, up, own in product((0, 3)[: 2 if target == "tank" else 1], (0, 1), (0, 1, 2), (0, 1, 2)):
            one.pinned, one.worse, other.pinned, other.worse = own > 0, own > 1, up > 0, up > 1
            if target == "tank":
                other.face = face
            found: Counter[int] = Counter()
            dice, more = base.new(base.DICE), True
            dice.source = base.ODOMETER
            while more:
                other.down = down
                fire.strike(played.tables, played.now, 0, 1, False, dice)
                found[int(other.down) - down] += base.chance(dice)
                more = base.next_way(dice)
            cover, modifier = GROUNDS[ground]
            shot = game.shot(
                firer, struck, range_in=at, cover=cover, cover_modifier=modifier, face_down=down, face_up=up,
                own_face_up=own, facing="rear" if face else "front",
            )  # fmt: skip
            wanted = {n: p for n, p in shot.damage.items() if p}
            assert {n: p for n, p in found.items() if p} == pytest.approx(wanted), (ground, at, face, down, up, own)


def test_dirt__no_attacks_until_he_rises() -> None:
    played = moving(["rifle 1,1"], ["rifle 3,1"], OPEN)
    done(played, "a1 dirt", "end", "end")
    assert (unit(played, "a1")["mark"], of(played, "a1")) == (
        "dirt",
        ["go E", "go NE", "go NW", "go SE", "go SW", "go W", "rise"],
    )
    done(played, "end", ("b1 attack a1", [6, 6, 6, 6, 1, 1]), ("end", WIN_A))
    assert (unit(played, "a1")["mark"], unit(played, "a1")["pinned"]) == ("", True)
    # It helps Cover Rolls: 4+ at +1, against a hit more than one.
    played = done(
        moving(["rifle 1,1"], ["rifle 3,1"], ". . . . .\n . b . . .\n. . . . .", "2,2"), "a1 dirt", "end", "end", "end"
    )
    done(played, ("b1 attack a1", [6, 6, 6, 6, 6, 1, 4]))  # Crushing -1
    assert unit(played, "a1")["down"] == 1


def test_hull__one_more_to_cover_rolls_against_the_front() -> None:
    map_ = ". . . . .\n . b . . .\n. . . . ."
    for face, die, down in (("E", 5, 1), ("W", 5, 3), ("E", 4, 2)):
        played = done(moving([f"tank 1,1 {face}"], ["tank 3,1 W"], map_, "2,2"), "a1 hull", "end", "end")
        assert "attack b1" in of(played, "a1")
        done(played, "end", ("b1 attack a1", [6] * 6 + [1] * 5 + [die]))  # two hits on the front, three on the rear
        assert unit(played, "a1")["down"] == down


# --- Indirect Fire ----------------------------------------------------------------------------------------------------

HILL = ". . . . . . . . .\n . . w w w w . . .\n. . . . . . . . ."


def test_barrage__needs_another_unit_that_sees_the_hex() -> None:
    for spotter, sees in (("rifle 6,2", True), ("rifle 6,2 pinned", False), ("rifle 0,2", False)):
        played = assaulting(["mortar 0,1", spotter], ["rifle 7,1"], HILL, "4,2")
        assert ("barrage 7,1" in of(played, "a1")) is sees
    played = done(moving(["mortar 0,1", "rifle 5,2"], ["rifle 7,1"], HILL, "4,2"), "a2 go E")
    assert "barrage 7,1" in of(done(played, "end", "end"), "a1")
    assert "barrage 7,1" not in of(done(played, "a2 go W"), "a1")


def test_barrage__hits_friend_and_foe_after_their_cover_rolls() -> None:
    map_ = ". . . . . .\n . . . . t .\n. . . . . ."
    played = assaulting(["mortar 0,1", "rifle 4,1", "rifle 5,1"], ["tank 4,1 W", "rifle 4,1"], map_, "2,2")
    # Cover Rolls of a2, b1 and b2 at +1: passed, failed, failed; then 6 dice at the tank and 8 at the soldier.
    done(played, ("a1 barrage 4,1", [3, 3, 1, *[6] * 6, *[6] * 4, *[1] * 4]))
    assert [unit(played, name)["down"] for name in ("a2", "b1", "b2")] == [0, 2, 1]
    played = assaulting(["mortar 0,1", "rifle 5,1"], ["rifle 4,1"], OPEN)
    done(played, ("a1 barrage 4,1", [6] * 8))  # no cover, no roll
    assert unit(played, "b1")["down"] == 3


@pytest.mark.parametrize("shared", [False, True])
def test_barrage__without_dice_for_its_kind_leaves_a_unit_alone(shared: bool) -> None:
    """F-3: a Pinned vehicle of armour 1 then has 0, which no success of no dice would equal."""
    thin = {**TANK, "name": "thin", "armor": dict.fromkeys(OF_VEHICLE["armor"], 1)}
    played = assaulting(
        ["mortar 0,0", "rifle 2,0"], ["thin 1,0 W pinned", "rifle 1,0"], cards={**CARDS, "thin": thin},
        min_defense=0, indirect_shared_roll=shared,
    )  # fmt: skip
    done(played, ("a1 barrage 1,0", [6, 6, 6]))
    assert [unit(played, name)["down"] for name in ("b1", "b2")] == [0, 0]


@pytest.mark.parametrize(
    ("firer", "ground", "dice", "down"),
    [
        ("mortar", ".", [6, 6, 6, 6, 1, 1, 6, 6], [0, 3]),  # the tank meets the first six
        ("howitzer", ".", [6, 6, 6, 1, 1, 1, 6, 6], [1, 0]),  # the rifle does
        ("mortar", "t", [1, 6, *[6] * 5, 1], [1, 0]),  # it passes its Cover Roll: nobody meets more than six
        ("howitzer", "t", [6, 1, *[6] * 5, 1], [0, 2]),
        ("howitzer", "t", [6, 6], [0, 0]),
    ],
)
def test_barrage__one_roll_for_all_units(firer: str, ground: str, dice: list[int], down: list[int]) -> None:
    """F-15: each unit that is attacked meets the first dice, as many as are thrown at its kind."""
    cards = {**CARDS, "howitzer": {**CARDS["mortar"], "antisoldier": [3, 6, 6], "antivehicle": [0, 8, 8]}}
    map_ = f". . . . . .\n . . . . {ground} .\n. . . . . ."
    asked: dict[str, Any] = {"cards": cards, "indirect_shared_roll": True}
    played = assaulting([f"{firer} 0,1", "rifle 5,1"], ["tank 4,1 W", "rifle 4,1"], map_, "2,2", **asked)
    done(played, ("a1 barrage 4,1", dice))
    assert [unit(played, name)["down"] for name in ("b1", "b2")] == down


# --- Defensive Fire ---------------------------------------------------------------------------------------------------


def test_may_shoot__who_may_make_defensive_fire() -> None:
    for firer, may in (
        ("rifle 1,0", True), ("rifle 1,0 pinned", False), ("rifle 1,0 worse", False), ("tank 1,0 E", False),
    ):  # fmt: skip
        played = done(moving(["scout 1,1"], [firer]), "a1 go W")
        assert (played.to_move() == "b") is may
    played = done(moving(["tank 1,1 E"], ["tank 1,0 E worse"]), "a1 go W")
    assert played.legal() == ["b1 fire", "pass"]


def test_may_shoot__from_one_adjacent_hex_to_another() -> None:
    for to, may in (("go W", True), ("go NW", True), ("go SE", False)):
        assert (done(moving(["scout 1,1"], ["rifle 1,0"]), f"a1 {to}").to_move() == "b") is may


def test_may_shoot__dirt_and_hull_down() -> None:
    for said, may in ((" dirt", False), (" dirt watch=5,3", True), ("", True)):
        played = done(moving(["tank 4,3 E"], [f"rifle 4,2{said}"]), "a1 go W")
        assert (played.to_move() == "b") is may
    assert done(moving(["scout 4,2"], ["rifle 4,2 dirt"]), "a1 go E").to_move() == "b"
    for said, may in ((" hull", False), (" hull watch=5,3", True)):
        played = done(moving(["tank 4,3 E"], [f"tank 4,2 E{said}"]), "a1 go W")
        assert (played.to_move() == "b") is may


def test_fire__pins_and_stops_and_cover_negates_it() -> None:
    # The tank steps within reach of two rifles: 2 dice each, never enough; a tank's 13 dice are.
    played = done(moving(["tank 1,1 E"], ["tank 1,0 E"]), "a1 go W", ("b1 fire", [6] * 13))
    assert (unit(played, "a1")["down"], played.state()["moving"], played.to_move()) == (1, None, "a")
    assert not unit(played, "a1")["pinned"]
    map_ = ". . . . .\n h . . . .\n. . . . ."
    for die, down in ((6, 1), (5, 1)):  # 5+ at -1 for the hill, -1 for Defensive Fire, -1 Crushing
        played = done(moving(["tank 1,1 E"], ["tank 1,0 E"], map_, "2,2"), "a1 go W")
        done(played, ("b1 fire", [6] * 6 + [1] * 7 + [die]))
        assert unit(played, "a1")["down"] == down
    map_ = map_.replace("h", "b")
    played = done(moving(["scout 1,1"], ["rifle 1,0"], map_, "2,2"), "a1 go W", ("b1 fire", [6] * 5 + [1] * 3 + [6]))
    assert unit(played, "a1")["down"] == 0
    assert played.state()["moving"]["unit"] == "a1"


def test_fire__is_decided_after_each_step_shooter_after_shooter() -> None:
    played = done(moving(["scout 4,3"], ["rifle 4,2", "rifle 4,4"]), "a1 go W")
    assert (played.to_move(), played.legal()) == ("b", ["b1 fire", "b2 fire", "pass"])
    done(played, ("b2 fire", [1] * 8))
    assert played.legal() == ["b1 fire", "pass"]
    done(played, "pass", "a1 go E")
    assert played.legal() == ["b1 fire", "pass"]  # once in a phase
    done(played, ("b1 fire", [1] * 8))
    assert (played.to_move(), played.state()["moving"]) == ("a", None)


def test_fire__a_pin_is_the_first_counter_of_the_turn() -> None:
    """F-10."""
    for counts, down in ((True, 2), (False, 1)):
        played = done(moving(["scout 4,3"], ["rifle 4,2"], df_counts=counts), "a1 go W", ("b1 fire", [6] * 8))
        done(played, "end", "end", "end", ("b1 attack a1", [6] * 4 + [1] * 4))
        assert unit(played, "a1")["down"] == down
        done(played, ("end", WIN_A))
        assert (unit(played, "a1")["pinned"], unit(played, "a1")["worse"]) == (True, counts)


# --- Overwatch --------------------------------------------------------------------------------------------------------


def test_watch__two_per_hundred_points_and_no_mortars() -> None:
    played = moving(["sniper 0,0", "sniper 0,1", "sniper 0,2", "mortar 0,3"], ["rifle 8,6"])
    assert "watch" not in of(played, "a4")
    done(played, "a1 watch", "a1 aim 3,0", "a2 watch", "a2 aim 3,1")
    done(played, "a3 watch", "a3 aim 3,2", "a1 unwatch")  # 160 points: three
    assert unit(played, "a1")["watch"] is None
    assert unit(played, "a2")["watch"] == "3,1"
    assert "watch" not in of(moving(["rifle 0,0", "sniper 0,1 pinned"], ["rifle 8,6"]), "a2")
    assert "watch" not in of(moving(["rifle 0,0"], ["rifle 8,6"]), "a1")


def test_reach__twelve_hexes_or_the_longest_range() -> None:
    wide = "\n".join([" ".join("." * 20)] * 3)
    for card, far in (("sniper", 12), ("tank", 8)):
        facing = " E" if card == "tank" else ""
        played = done(moving([f"{card} 0,0{facing}", "sniper 0,1"], ["rifle 19,2"], wide, "9,1"), "a1 watch")
        row = [int(said.split()[1].split(",")[0]) for said in of(played, "a1") if said.endswith(",0")]
        assert (min(row), max(row)) == (1, far)


# --- the end of a turn ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["soldier", "vehicle"])
@pytest.mark.parametrize("second_damaged", ["no_effect", "cumulative", "destroyed"])
def test_casualty__in_matches_as_in_duels(kind: Any, second_damaged: str) -> None:
    card = "rifle 0,0" if kind == "soldier" else "tank 0,0 E"
    reading = Reading(second_damaged=second_damaged)
    for condition, down in product(range(3 if kind == "soldier" else 5), range(4)):
        played = match([card, "tank 8,6 E"], ["rifle 8,0"], second_damaged=second_damaged)
        own = played.now.unit[0]
        own.pinned, own.worse, own.down = condition == 1, max(condition - 1, 0), down
        turns.remove_face_up(played.tables, played.now)
        turns.turn_face_down_up(played.tables, played.now)
        after = rules.DESTROYED if own.at == records.GONE else fire.condition(own)
        assert after == rules.casualty(kind, condition, down, reading), (condition, down)


def test_is_rallied__a_commander_rids_soldiers_of_demoralized_alone() -> None:
    for officer, pinned in (("1,0", False), ("1,0 pinned", False), ("1,0 worse", True), ("2,0", True)):
        played = match(["rifle 0,0 worse", f"officer {officer}"], ["rifle 8,6"])
        turns.remove_face_up(played.tables, played.now)
        assert (bool(played.now.unit[0].worse), bool(played.now.unit[0].pinned)) == (False, pinned)
    played = match(["officer 0,0 worse", "officer 0,0 worse"], ["rifle 8,6"])
    turns.remove_face_up(played.tables, played.now)
    assert [bool(played.now.unit[at].pinned) for at in (0, 1)] == [True, True]  # all at once


def test_is_rallied__by_no_commander_whom_defensive_fire_has_stopped() -> None:
    """K. Casualty: he has a face-down counter, also where it doesn't count for later hits (F-10)."""
    for stopped in (False, True):
        played = match(["rifle 0,0 worse", "officer 1,0"], ["rifle 8,6"], df_counts=False)
        played.now.unit[1].stopped = stopped
        turns.remove_face_up(played.tables, played.now)
        assert bool(played.now.unit[0].pinned) is stopped


@pytest.mark.parametrize(("of_b", "owners"), [("8,6", {(4, 3): "a"}), ("4,4", {})])
def test_scene__the_objective_is_of_the_side_that_is_alone_in_the_zone(of_b: str, owners: dict[Any, str]) -> None:
    played = match(["rifle 4,3"], [f"rifle {of_b}"])
    assert played.rules.scene(played.tables, played.now, played.names).owners == owners


@pytest.mark.parametrize(("face_up", "down", "left"), [("", 0, 4), ("", 1, 3), ("worse", 0, 2), ("worse", 1, 2)])
def test_scene__face_up_and_face_down_counters_do_not_add_up(face_up: str, down: int, left: int) -> None:
    """K. Casualty: a Demoralized soldier with one face-down counter will be Pinned, not destroyed."""
    played = match([f"rifle 0,0 {face_up}".strip()], ["rifle 8,6"])
    played.now.unit[0].down = down
    drawn = played.rules.scene(played.tables, played.now, played.names).pieces[0]
    assert (drawn.strength, drawn.most) == (left, 4)


def ends(a: Sequence[str], b: Sequence[str], last: list[int], lost: str = "", barred: int | None = None) -> Any:
    """Return how a match ends after its first turn, `lost` being destroyed in it, a side being barred from the zone."""
    played = assaulting(a, b, turns=last)
    if barred is not None:
        played.tables.barred[barred] = 1 << base.OBJECTIVES
    for name in lost.split():
        played.now.unit[list(played.names.units).index(name)].down = 3
    dice = [] if done(played, "end").state()["turn"] >= last[0] or lost else WIN_A
    try:
        played.do("end", dice)
    except ValueError:
        return None
    return played.result()["winner"], played.result()["reason"]


@pytest.mark.slow
def test_how_to_win__the_zone_late_enough_then_points() -> None:
    far = ["rifle 8,6"]
    assert ends(["rifle 4,2"], far, [1, 5]) == ("a", "objective")
    assert ends(["rifle 4,2"], far, [1, 5], barred=1) == ("a", "objective")
    assert ends(["rifle 4,2"], far, [1, 5], barred=0) is None  # not over: the next turn rolls dice
    assert ends(["rifle 4,2"], far, [2, 5]) == (None, None)
    assert ends(["rifle 4,2"], ["rifle 4,4"], [1, 1]) == (None, "draw")
    assert ends(["rifle 4,2", "rifle 0,0"], ["officer 4,4"], [1, 1]) == ("b", "zone points")
    assert ends(["rifle 0,0", "rifle 0,1"], ["rifle 8,6", "officer 8,5"], [1, 1], "a1 b2") == ("a", "points destroyed")
    assert ends(["rifle 0,0", "rifle 0,1"], far, [1, 1]) == ("a", "points left")
    assert ends(["rifle 0,0"], far, [5, 9], "b1") == ("a", "eliminated")
    assert ends(["rifle 0,0"], far, [5, 9], "a1 b1") == (None, "draw")


TENTHS = {name: {**RIFLE, "name": name, "cost": cost} for name, cost in (("one", 0.1), ("two", 0.2), ("three", 0.3))}


@pytest.mark.slow
def test_how_to_win__costs_that_are_no_whole_numbers_are_equal_in_any_order() -> None:
    a, b = ["one 4,2", "two 4,2", "three 4,2"], ["three 4,4", "two 4,4", "one 4,4"]
    played = assaulting(a, b, cards=TENTHS, turns=[1, 1])
    assert done(played, "end", "end").result() == {
        "winner": None,
        "reason": "draw",
        "turn": 1,
        "points": {"a": 0.6, "b": 0.6},
        "zone": {"a": 0.6, "b": 0.6},
    }


def test_how_to_win__a_unit_that_costs_next_to_nothing_holds_the_zone() -> None:
    cheap = {"rifle": {**RIFLE, "name": "Rifle", "cost": 1e-10}}
    played = assaulting(["rifle 4,2"], ["rifle 0,0"], cards=cheap, turns=[1, 1])
    assert done(played, "end", "end").result()["reason"] == "objective"


def test_has_watch_left__costs_that_are_no_whole_numbers_make_fifty_points() -> None:
    costs = (0.2, 22.9, 13.7, 11.8, 1.4)  # a sum of floats is less
    cards = {f"rifle_{at}": {**RIFLE, "name": "Rifle", "cost": cost} for at, cost in enumerate(costs)}
    played = moving([f"{name} {at},0" for at, name in enumerate(cards)], ["rifle_0 7,6"], cards=cards)
    assert "a1 watch" in played.legal()


@pytest.mark.slow
def test_match__costs_that_are_no_whole_numbers_are_told_whole() -> None:
    game = aab.Game("forumini", changes=["de_panzergrenadier.cost=4.1", "de_mg_42_team.cost=5"])
    lists = "de_panzergrenadier*3", "de_mg_42_team*2"
    found = game.match(*lists, board="crossroads", rounds=1, simulate=1, player_a="random", player_b="random")
    assert (found.requisition_a, found.value_a, str(found.requisition_b), found.value_b) == (12.3, 12.3, "10", 10)
    assert "12.3 v 10" in repr(found)
    assert found.played.first.scene.score["points left"] == (12.3, 10)
