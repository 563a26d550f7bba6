"""Rules of matches that no transcript reaches, each by a few actions on a board of its own."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from golden.replay import Replay

import aabalance as aab
from aabalance.engine.jit import compiled
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.match import judgement
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base import notation

GROUND = ("........",) * 8
ZONES = {"north": {"rect": [0, 0, 7, 1], "facing": "S"}, "south": {"rect": [0, 6, 7, 7], "facing": "N"}}


def armored(
    a: Sequence[Any],
    b: Sequence[Any],
    mode: str = "timed",
    rows: Sequence[str] = GROUND,
    changes: Sequence[str] = (),
    **options: Any,
) -> Replay:
    """A match, on open ground as a rule, in which a moves first; units are a card and maybe a place."""
    cards = {card: aab.Game(changes=changes).cards[card] for card, *_ in (*a, *b)}
    lists = {
        side: [{"card": card, **({"at": list(at)} if at else {})} for card, *at in units]
        for side, units in (("a", a), ("b", b))
    }
    return Replay(
        "armored_advance",
        {
            "board": {"map": list(rows), "zones": ZONES, "objectives": [[0, 0]]},
            "lists": lists,
            "limit": 40,
            "mission": {"mode": mode, "rounds": 8},
            "options": options,
            "first": "a",
            "cards": {name: card.model_dump(by_alias=True, exclude_unset=True) for name, card in cards.items()},
        },
        plain=True,
    )


def wars(
    rows: Sequence[str], units: Sequence[dict[str, Any]], changed: dict[str, dict[str, Any]], **options: Any
) -> Replay:
    """A match of Skirmish Wars with some fields of cards changed."""
    cards = {name: card.model_dump(exclude={"id", "name"}) for name, card in aab.Game("skirmish_wars").cards.items()}
    for name, fields in changed.items():
        cards[name] |= fields
    return Replay(
        "skirmish_wars", {"board": {"map": list(rows)}, "units": units, "cards": cards, **options}, plain=True
    )


def left(match: Replay) -> list[int]:
    """What the units left cost, by side, as the arena notes it."""
    facts = np.zeros(len(base.FACTS), np.int64)
    match.rules.facts(match.tables, match.now, facts)
    return facts[[base.LEFT_A, base.LEFT_B]].tolist()


def said(match: Replay, *starts: str) -> list[str]:
    """Legal actions that begin like this."""
    return [action for action in match.legal() if action.startswith(starts)]


# --- Skirmish Wars


def test_strike__above_the_last_row_all_is_hit_without_a_die() -> None:
    powers = dict.fromkeys(("foot", "tread", "wheel", "triangle", "circle"), 20)
    units = [{"side": "a", "type": "tank", "at": [0, 0]}, {"side": "b", "type": "tank", "at": [1, 0]}]
    match = wars(["..."], units, {"tank": {"firepower": powers, "defense": 6}})  # 20 - 6 = 14, the last row is 13
    match.do("a1 attack b1", [])
    assert match.result()["winner"] == "a"
    match = wars(["..."], units, {"tank": {"firepower": powers, "defense": 7}})
    match.do("a1 attack b1", [])  # 13 in the open: 8+0
    assert match.result()["winner"] == "a"


def test_unload__not_onto_ground_that_is_closed_to_the_unit() -> None:
    costs = {"grass": 1, "road": 1, "forest": 1, "river": None, "hill": 1}
    units = [{"side": "a", "type": "apc", "at": [1, 0]}, {"side": "a", "type": "infantry", "at": [0, 0]}]
    match = wars([".=~", "~.~"], units, {"infantry": {"movement_cost": costs}})
    match.do("a2 load a1", [])
    assert said(match, "a1 unload") == ["a1 unload a2 0,0", "a1 unload a2 1,1"]


def test_eliminate__what_a_foot_unit_carries_is_lost_with_its_own_carrier() -> None:
    powers = dict.fromkeys(("foot", "tread", "wheel"), 20)
    kinds = ("a", "apc"), ("a", "infantry"), ("a", "mech"), ("b", "tank")
    units = [{"side": side, "type": kind, "at": [x, 0]} for x, (side, kind) in enumerate(kinds)]
    match = wars(["...."], units, {"infantry": {"carries": 1}, "tank": {"firepower": powers}})
    for said_, dice in (("a3 load a2", []), ("a2 load a1", []), ("a1 move 1,0", []), ("end", [])):
        match.do(said_, dice)
    match.do("b1 move 2,0", [])
    match.do("b1 attack a1", [])
    assert match.result()["reason"] == "conquest: no enemy unit left"
    assert match.result()["points"]["medals"] == {"a": 0, "b": 3}
    assert [unit["id"] for unit in match.state()["units"]] == ["b1"]


@pytest.mark.parametrize(("medals", "may_buy"), [(0, True), (3, False)])
def test_s_17__a_counter_that_the_enemy_keeps_as_a_medal_is_bought_no_more(medals: int, may_buy: bool) -> None:
    units = [{"side": side, "type": "infantry", "at": [x, 0]} for x, side in ((0, "a"), (4, "b"))]
    match = wars(["..1.."], units, {}, medals=medals, counters={"tank": 1}, money={"a": 50, "b": 0})
    tank = match.names.index("tank")
    assert said(match, "buy tank")
    match.now.eliminated[0, tank] = 1
    assert bool(said(match, "buy tank")) == may_buy


@pytest.mark.parametrize("had_a_unit", [True, False])
def test_s_20__a_factory_that_falls_beats_nobody(had_a_unit: bool) -> None:
    """4.0, S-20: a side is beaten as it loses its last unit, or not at all; who never had a unit has lost none."""
    powers = dict.fromkeys(("foot", "tread", "wheel"), 20)
    units = [{"side": "a", "type": "infantry", "at": [0, 0]}, {"side": "b", "type": "tank", "at": [1, 0]}]
    changed = {"infantry": {"firepower": powers, "defense": 20}}
    match = wars(["2."], units[: 1 + had_a_unit], changed, elimination="units_and_factories", shop=[])
    if had_a_unit:
        match.do("a1 attack b1", [])
        match.do("end", [])
        match.do("end", [])
    assert len(match.state()["units"]) == 1
    match.do("a1 capture", [])
    match.do("end", [])
    match.do("end", [])
    match.do("a1 capture", [])
    assert match.state()["properties"][0]["owner"] == "a"
    assert match.result()["reason"] == "not over"


@pytest.mark.parametrize(
    ("asked", "of_board", "flips"),
    [(None, None, True), (None, False, False), (False, True, False), (True, False, True)],
)
def test_unreduce_on_repair__what_players_ask_for_goes_before_the_board(
    asked: bool | None, of_board: bool | None, flips: bool
) -> None:
    switch = "unreduce_on_repair"
    game = aab.Game("skirmish_wars", variant={} if asked is None else {switch: asked})
    board = {"map": ["A."], "units": [{"side": "a", "type": "tank", "at": [0, 0], "hp": 4}]}
    board |= {} if of_board is None else {switch: of_board}
    rules = game.ruleset.match()
    tables, state, names = rules.start({"board": board}, game.cards, game.variant)
    assert rules.words(tables, state, names)["units"][0]["reduced"] is not flips


def test_unreduce_on_repair__another_price_asks_for_no_switch() -> None:
    assert not aab.Game("skirmish_wars").with_(changes=["tank.cost=9"]).variant.model_fields_set


@pytest.mark.parametrize("key", ["money", "counters"])
def test_options__money_and_counters_have_a_largest_number(key: str) -> None:
    with pytest.raises(UsageError, match=f"{key}.*found 3000000000"):
        aab.Game("skirmish_wars").match(board="last_stand", simulate=1, **{key: 3_000_000_000})


@pytest.mark.slow
def test_legal__there_is_room_for_the_moves_of_many_fast_units_on_the_largest_board() -> None:
    units = [{"side": "a", "type": "recon", "at": [unit, 0]} for unit in range(22)]
    match = wars(["=" * 22] * 23, units, {"recon": {"mp": 100}})
    assert len(said(match, "a")) == 22 * (22 * 23 - 22)


PLACED = ("a", "tank", 0, 8), ("a", "infantry", 1, 3), ("b", "infantry", 4, 8), ("b", "infantry", 5, 1)


def test_facts__what_is_left_counts_in_full_for_its_own_side() -> None:
    units = [{"side": side, "type": kind, "at": [x, 0], "hp": hp} for side, kind, x, hp in PLACED]
    assert left(wars(["......"], units, {"tank": {"cost": 7}, "infantry": {"cost": 2}})) == [9, 4]
    cards, m8, rifle = aab.Game().cards, ("us_m8", 0, 7, "N"), ("inf_rifle", 1, 0)
    costs = [cards[card].requisition for card in ("us_m8", "inf_rifle")]
    assert left(armored([m8], [("us_m8", 0, 0, "S"), rifle])) == [costs[0], sum(costs)]


# --- Armored Advance


@pytest.mark.slow
def test_legal__there_is_room_for_the_moves_of_many_fast_vehicles_on_the_largest_board() -> None:
    match = armored([("us_m8", at, 0, "S") for at in range(31)], [("de_tiger1", 30, 59, "N")], rows=["." * 60] * 60)
    match.tables.card["movement"][:31] = 2000
    count = compiled(match.rules.legal)(match.tables, match.now, base.ALL, np.empty(1 << 20, np.int64))
    assert 31 * 3000 * 7 < count <= match.rules.most_actions


@pytest.mark.slow
def test_gun_fire_uses_crew_action__a_gun_and_its_crew_have_one_attack_between_them() -> None:
    gun, squad, fires = "b1.uk_6pdr ", "b2.inf_rifle ", "b2.inf_rifle shoot a2.inf_rifle w0"

    def begun(**options: bool) -> Replay:
        units = [("us_m8", 3, 1, "S"), ("inf_rifle", 5, 1)], [("uk_6pdr", 3, 4, "N"), ("inf_rifle", 3, 5)]
        match = armored(*units, **options)
        match.do("end", [])
        return match

    match = begun(gun_fire_uses_crew_action=True)
    shots = said(match, f"{gun}shoot")
    assert shots
    match.do(fires, [1], [3])
    assert not said(match, f"{gun}shoot")
    assert said(match, f"{gun}move")
    match = begun(gun_fire_uses_crew_action=True)
    match.do(shots[0], [1])
    assert not said(match, squad)
    match = begun()
    match.do(fires, [1], [3])
    assert said(match, f"{gun}shoot") == shots


@pytest.mark.slow
def test_scout__for_every_friend_against_every_enemy_where_it_takes_no_action() -> None:
    a = [("us_m8", x, 7, "N") for x in range(6)]
    b = [("us_m10", x, 0, "S") for x in range(5)]
    match = armored(a, b, scout_costs_action=False)
    told = 0
    while asked := said(match, "a1.us_m8 scout"):
        match.do(asked[0], [])
        told += 1
    assert told == len(match.state()["scouted"]) == 5 * 5


def test_candidates__of_all_ways_to_scout_are_the_three_that_add_most() -> None:
    a = [("us_m8", 39, 7, "N"), ("us_m10", 0, 7, "N"), ("us_m4a1", 30, 7, "N"), ("uk_2pdr", 31, 7, "N")]
    b = [("de_tiger1", 0, 0, "S"), ("de_pz4h", 30, 0, "S"), ("de_sdkfz222", 29, 0, "S")]
    match = armored(a, b, rows=("." * 40,) * 8)  # a scout adds 3 below 24 inches, 1 from 36 on (p. 11)
    legal, few = said(match, "a1.us_m8 scout"), np.empty(match.rules.most_actions, np.int64)
    count = match.rules.candidates(match.tables, match.now, 0, False, few)
    looked_at = match.rules.texts(match.tables, match.now, few[:count].tolist(), match.names)

    def value_after(text: str) -> float:
        after = match.now.copy()
        action = match.rules.read(match.tables, match.now, text, match.names)
        match.rules.apply(match.tables, after, action, base.script([]))
        return judgement.value(match.tables, after, 0, 0)

    assert len(legal) > 3
    found = [value_after(text) for text in looked_at if " scout " in text]
    assert found == pytest.approx(sorted(map(value_after, legal), reverse=True)[:3])
    assert found[2] < found[1] < found[0]


@pytest.mark.parametrize(("rows", "men"), [(GROUND, 3), (("ssssssss",) * 8, 5)])
def test_autocannon_ai_rolls__sandbags_halve_the_sum_of_the_rolls(rows: Sequence[str], men: int) -> None:
    match = armored(
        [("de_sdkfz222", 3, 2)], [("inf_rifle", 3, 5), ("us_m8", 7, 7, "N")], rows=rows, autocannon_ai_rolls="X"
    )
    match.do("a1.de_sdkfz222 shoot b1.inf_rifle w1", [1, 1, 1], [3, 3, 3])
    assert match.state()["units"]["b1.inf_rifle"]["hp"] == men


def test_aim__is_a_single_shot_of_the_gun() -> None:
    """P. 12; rapid fire lets the gun fire with both actions (p. 13), which the accurate shot takes."""
    changes = "us_m8.actions=3", "us_m8.keywords.accurate=true", "us_m8.keywords.rapid_fire=true"
    match = armored([("us_m8", 0, 0, "S")], [("us_m8", 0, 7, "N")], changes=changes)
    match.do("a1.us_m8 aim b1.us_m8 w0", [1], [6])
    assert said(match, "a1.us_m8") == []


def test_turn_limit_counts__player_turns_after_a_tie_are_played_one_by_each_side() -> None:
    places = [("us_m8", x, 0, "S") for x in range(2)], [("us_m8", x, 7, "N") for x in range(2)]
    match = armored(*places, turn_limit_counts="player_turns")
    for _ in range(8):
        match.do("end", [])
    match.now.unit[3].hp = 0
    match.do("end", [])
    assert match.state()["turn"] == 10
    match.do("end", [])
    assert (match.result()["winner"], match.result()["reason"]) == ("a", "turn limit")


@pytest.mark.parametrize("place", [0, 1])
def test_lob_d2__wherever_the_weapon_stands_on_its_card(place: int) -> None:
    card = armored([("de_lefh18", 0, 0, "S")], [("us_m8", 0, 7, "N")]).tables.card[0]
    card.weapon[place], card.weapon[1] = card.weapon[1].copy(), card.weapon[place].copy()
    assert judgement.lob_d2(card) == 48**2


@pytest.mark.parametrize(
    ("squad", "open_to_fire"), [("inf_rifle", True), ("inf_sniper", False), ("inf_at_rifle", False)]
)
def test_apc_page_12__squads_thrown_out_are_open_to_fire(squad: str, open_to_fire: bool) -> None:
    """But for teams that p. 19 hides: these neither moved, got out nor fired in their own last turn (R-26)."""
    b = [("us_m3_ht", 3, 5, "N"), (squad, 2, 5), ("us_m8", 7, 7, "N")]
    match = armored([("us_m4a1", 3, 1, "S")], b)
    transport, team = match.now.unit[1], match.now.unit[2]
    transport.hp, team.at, team.aboard = 1, -1, 1
    fires = f"a1.us_m4a1 shoot b2.{squad} w1"
    assert fires not in match.legal()
    match.do("a1.us_m4a1 shoot b1.us_m3_ht w0", [6, 1], [6, 3])
    assert (fires in match.legal()) == open_to_fire


@pytest.mark.parametrize(("inches", "reached"), [(6, False), (7, True)])
def test_limited_range_page_15__ends_demolition_too(inches: int, reached: bool) -> None:
    rows = [*GROUND[:7], "...T...."]
    changes = [f"uk_avre.keywords.limited_range={inches}"]
    match = armored([("uk_avre", 3, 0, "S")], [("us_m8", 0, 4, "N")], rows=rows, changes=changes, hull=0)
    assert said(match, "a1.uk_avre demolish") == ["a1.uk_avre demolish 3,7"] * reached


def test_toll__support_counts_with_either_shell() -> None:
    """P. 14: what normally deals 10 damage does 15 to field guns."""
    hit = [f"de_pz3n.{field}" for field in ("weapons.0.penetration=99", "weapons.1.n=9")]
    tolls = [
        armored([("de_pz3n",)], [("uk_6pdr",)], changes=[*hit, *without, "uk_6pdr.hp=1000"]).tables.toll[0, 1].max()
        for without in ([], ["de_pz3n.keywords.support=false"])
    ]
    assert tolls == [0.015, 0.010]


def test_support_page_14__deals_half_as_much_again_rounded_up_to_field_guns() -> None:
    hit = ["de_pz3n.weapons.0.penetration=99", "de_pz3n.weapons.0.damage=5", "uk_6pdr.hp=20"]
    match = armored([("de_pz3n", 3, 0, "S")], [("uk_6pdr", 3, 4, "N")], changes=hit)
    match.do("a1.de_pz3n shoot b1.uk_6pdr w0", [6])
    assert match.now.unit[1].hp == 20 - 8


def test_holder__squads_that_are_not_on_the_board_hold_nothing() -> None:
    match = armored([("inf_rifle",)], [("us_m8",)], mode="domination")
    assert match.rules.scene is not None
    assert match.rules.scene(match.tables, match.now, match.names).owners == {}


@pytest.mark.parametrize("unit", ["inf_rifle", "inf_artillery_crew", "inf_sniper", "us_m8", "uk_6pdr", "de_sdkfz251_1"])
def test_scorers__are_units_that_hold_an_objective(unit: str) -> None:
    match = armored([(unit, 0, 1, "S")], [("us_m8", 0, 7, "N")], mode="domination")
    held = match.rules.scene(match.tables, match.now, match.names).owners == {(0, 0): "a"}
    assert match.rules.scorers["domination"](aab.Game().cards[unit]) == held


def test_holder__objectives_count_for_nobody_who_may_not_hold_them() -> None:
    match = armored([("inf_rifle", 0, 1, "S")], [("inf_rifle", 0, 7, "N")], mode="domination")
    stands = [judgement.of_squad(match.tables, match.now, unit, 9) for unit in range(2)]
    assert match.rules.scene(match.tables, match.now, match.names).owners == {(0, 0): "a"}
    match.tables.barred[0] = 1 << base.OBJECTIVES
    assert match.rules.scene(match.tables, match.now, match.names).owners == {}
    assert judgement.of_squad(match.tables, match.now, 0, 63) == stands[0]
    assert judgement.of_squad(match.tables, match.now, 1, 63) < stands[1]
    a, b = (judgement.worth_of(match.tables, unit) for unit in range(2))
    assert b - a == match.tables.weight.squad > 0


def test_squares__are_columns_and_rows_of_the_board_and_none_beside_it() -> None:
    slot = notation.squares(SimpleNamespace(width=3, height=2))
    assert [slot.say(square) for square in range(6)] == ["0,0", "1,0", "2,0", "0,1", "1,1", "2,1"]
    assert [slot.read(slot.say(square)) for square in range(6)] == [*range(6)]
    for beside in ("3,0", "0,2", "-1,0", "0,-1"):
        with pytest.raises(ValueError, match=beside):
            slot.read(beside)


def test_read__a_number_that_its_slot_has_no_room_for_is_no_action() -> None:
    patterns, slots = {1: "GO N", 2: "STAY"}, {"N": notation.Slot(base.Bits(5, 2), str, int)}
    assert [notation.read(f"GO {n}", patterns, slots) for n in (0, 3)] == [1, 1 + (3 << 5)]
    for wrong in ("GO 4", "GO -1", "GO", "STAY 1"):
        with pytest.raises(ValueError, match=wrong):
            notation.read(wrong, patterns, slots)
