"""Squads that begin a battle inside transports: by hand, against thrown dice, and the engine against itself."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from handmade import RIFLES, ai, at, field_gun, he, squad, vehicle
from odds import GAME, SIGMAS
from rollers.armored_advance_battle import Sitting

import aabalance as aab
from aabalance.definitions.units import unit_list
from aabalance.engine.battle.lanes import rolls
from aabalance.engine.battle.policies import POLICIES
from aabalance.errors import UsageError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_forms")]

TOOTHLESS = at(1, 1)
PINPRICK = at(20, 1)
"""It keeps a battle going."""


def truck(squads: int = 2, **fields: Any) -> Any:
    """A transport that hurts nobody."""
    usual = {"movement": 8, "hp": 10, "keywords": {"apc": squads}}
    return vehicle(TOOTHLESS, **{**usual, **fields})


def both(a: list[Any], b: list[Any], **how: Any) -> tuple[Any, Sitting]:
    """A battle of the package, a closing to 6 inches and b holding unless said otherwise, and the dice for it."""
    usual: dict[str, Any] = {"range_in": 24, "actions": 9, "mode": "annihilation", "rounds": 2, "first": "a"}
    usual |= {"posture_a": "close:6", "posture_b": "hold", "policy_a": "value", "policy_b": "value", "facing": "front"}
    usual |= how
    found = aab.Game().battle(a, b, **usual)
    actions, facing = usual["actions"], usual["facing"]
    table = [[card.model_dump(by_alias=True, exclude_none=True) for card in unit_list(side).units] for side in (a, b)]
    sitting = Sitting(
        (table[0], table[1]),
        range_in=usual["range_in"],
        actions=actions if isinstance(actions, tuple) else (actions, actions),
        policies=(usual["policy_a"], usual["policy_b"]),
        postures=(usual["posture_a"], usual["posture_b"]),
        rounds=usual["rounds"],
        timed=usual["mode"] == "timed",
        domination=usual["mode"] == "domination",
        facing={facing: 1} if isinstance(facing, str) else facing,
        carriers=(unit_list(a).carriers, unit_list(b).carriers),
    )
    return found, sitting


# --- lists ------------------------------------------------------------------------------------------------------


def test_listed__units_inside_another_follow_it() -> None:
    for given in ("a+b*2,c", ["a", ["b", "b"], "c"], ["a+b", ["b"], "c"], ["a+b*2", "c"]):
        assert (unit_list(given).units, unit_list(given).carriers) == (["a", "b", "b", "c"], {1: 0, 2: 0})
    assert unit_list("a,b*2,c+d").carriers == {4: 3}
    assert unit_list("a+b+c,d").carriers == {1: 0, 2: 0}


@pytest.mark.parametrize("given", ["a*2+b", "a+", "+a", [["a"]], ["a", ["b", ["c"]]], ["a", ["b+c"]], ["a", []]])
def test_listed__refuses_units_inside_none_or_inside_cargo(given: Any) -> None:
    with pytest.raises(UsageError, match=r"^list: found "):
        unit_list(given)


@pytest.mark.parametrize(
    ("a", "how", "expected"),
    [
        ("us_m3_ht+inf_rifle*3", {}, "as squad 3 inside M3.*, expected at most 2, as its keyword apc says"),
        ("de_tiger1+inf_rifle", {}, "as squad 1 inside Tiger I.*, expected at most 0"),
        ("us_m3_ht+us_m8", {}, "found .* inside M3.*, expected squads there"),
        ("de_pak40,us_m3_ht+inf_rifle", {}, "expected it behind .*, which it mans"),
        ("us_m3_ht+inf_rifle", {"posture_a": "hold"}, "with posture 'hold', expected one that says where they go"),
    ],
)
def test_battle__refuses_squads_that_cannot_be_inside(a: str, how: dict[str, Any], expected: str) -> None:
    with pytest.raises(UsageError, match=f"^list a: .*{expected}"):
        GAME.battle(a, "su_t34_85", **{"range_in": 24, "actions": 3, "posture_a": "close:6", **how})


def test_battle__refuses_them_in_games_without_rules_for_it_and_where_lists_change() -> None:
    game = aab.Game("skirmish_wars")
    one = next(iter(game.cards))
    with pytest.raises(UsageError, match=r"^list a: .* has no rules for it"):
        game.battle(f"{one}+{one}", one, range_in=1)
    with pytest.raises(UsageError, match=r"^list: found units inside others"):
        aab.actions(GAME, "us_m3_ht+inf_rifle", "su_t34_85", range_in=24, limits=[3], posture_a="close:6")


def test_battle__refuses_equipment_of_special_squads() -> None:
    """p. 19."""
    sniper = squad(squad="sniper", strength=2, equipment={"machine_gun": True})
    with pytest.raises(UsageError, match=r"^list: found squad with equipment, expected none of a special squad"):
        GAME.battle([vehicle()], [vehicle(), sniper], range_in=12, actions=2)


# --- by hand ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("strength", "lost"), [(1, F(2, 3)), (2, F(1, 3)), (3, F(0))])
def test_battle__squads_inside_lose_d3_less_1_with_their_transport(strength: int, lost: F) -> None:
    """p. 12, p. 18: a sure shot at 6 inches; each of two squads rolls for itself."""
    cargo = [squad(strength=strength, requisition=100), squad(strength=strength, requisition=10)]
    lists = [truck(), cargo, vehicle(TOOTHLESS, hp=200)], [vehicle(at(20, 30), hp=40)]
    found, _ = both(*lists, range_in=6, first="b", rounds=1)
    # a has 1 + 110 + 1 at first, of which the truck is gone; the gun hurts no squad.
    assert found.engine == "exact"
    assert found.value_a == pytest.approx(1 + 110 * float(1 - lost), abs=1e-12)
    assert found.left_a == pytest.approx(1 + 2 * float(1 - lost), abs=1e-12)


def test_battle__nobody_fires_at_a_squad_inside_until_its_transport_is_gone() -> None:
    """p. 12, p. 18: immune inside, open to anti-infantry fire at once when it is destroyed."""
    rifles = squad(strength=6, requisition=100)
    tank = vehicle(PINPRICK, hp=99)
    for gunner, left in ((vehicle(ai("6")), 3), (vehicle(at(20, 30), ai("6")), 1)):
        found, _ = both([tank, truck(), [rifles]], [gunner], range_in=6, first="b", rounds=1)
        assert found.left_a == pytest.approx(left, abs=1e-12)
    found, _ = both([tank, truck(), rifles], [vehicle(ai("6"))], range_in=6, first="b", rounds=1)
    assert found.left_a == pytest.approx(2, abs=1e-12)


@pytest.mark.parametrize("policy", POLICIES)
def test_battle__no_policy_aims_at_a_squad_inside_while_others_are_outside(policy: str) -> None:
    """The dear squad would be everybody's choice: first in the list, weakest and worth most."""
    mine = [truck(), [squad(strength=1, requisition=100)], squad(strength=2), vehicle(PINPRICK, hp=99)]
    enemy = [vehicle(ai("2"))]
    found, sitting = both(mine, enemy, range_in=6, first="b", rounds=1, policy_b=policy)
    sitting.fight(Random(0), "b")
    assert [unit.left for unit in sitting.sides[0]] == [10, 1, 0, 99]
    assert found.engine == "exact"
    rolled = aab.Game().battle(
        mine, enemy, range_in=6, first="b", rounds=1, actions=9, policy_b=policy, posture_a="close:6", simulate=1
    )
    assert found.value_a == rolled.value_a == 102


def test_battle__a_squad_rests_in_the_turn_in_which_it_gets_out_and_after_a_wreck() -> None:
    """p. 18. Its fire, 2 men of 6 for sure, is felt a turn later than that of one who was on foot."""
    sure, enemy, tank = squad(ai("2"), requisition=9), squad(ai("1", range=1), strength=6), vehicle(PINPRICK, hp=99)
    for a, taken in (([tank, truck(), sure], 6), ([tank, truck(), [sure]], 4)):
        found, sitting = both(a, [vehicle(TOOTHLESS, hp=99), enemy], range_in=6, rounds=3)
        sitting.fight(Random(0), "a")
        assert sitting.sides[1][1].left == 6 - taken
        assert found.left_b == pytest.approx(2 if taken < 6 else 1, abs=1e-12)
    # The truck is lost in b's first turn, before a's: a's first turn goes, then two with fire.
    found, sitting = both([tank, truck(), [sure]], [vehicle(at(20, 30), hp=99), enemy], range_in=6, rounds=3, first="b")
    sitting.fight(Random(0), "b")
    assert sitting.sides[1][1].left == 2
    assert found.left_b == pytest.approx(2, abs=1e-12)


def test_turn__a_squad_goes_with_its_transport_and_gets_out_where_it_wants_to_be() -> None:
    """8 inches a turn to 6 inches from the enemy: at 16, then at 10, where it gets out and rests."""
    _, sitting = both([truck(), [squad()]], [vehicle(TOOTHLESS)], range_in=22)
    unit, rifles = sitting.sides[0]
    for place, inside in ((8, True), (16, False)):
        sitting.turn(Random(0), 0)
        assert (unit.ahead, rifles.ahead, rifles.aboard) == (place, place, inside)
    # A side with no action for it lets its squads out where they are, and they walk in the next turn.
    sitting = both([vehicle(TOOTHLESS), truck(), [squad()]], [vehicle(TOOTHLESS)], range_in=22, actions=1)[1]
    for place in (0, 4):
        sitting.turn(Random(0), 0)
        assert [unit.ahead for unit in sitting.sides[0]] == [5 if place == 0 else 10, 0, place]


def test_battle__a_transport_brings_squads_to_the_objectives() -> None:
    """Domination at 24 inches, objectives every 6: 8 inches a turn against 4 on foot."""
    how: dict[str, Any] = {"mode": "domination", "range_in": 24, "posture_a": "objectives", "rounds": 2}
    ridden, sitting = both([truck(), [squad(), squad()]], [vehicle(TOOTHLESS)], **how)
    for places, aboard in (([6, 6, 6], [True, False]), ([12, 12, 6], [False, False])):
        sitting.turn(Random(0), 0)
        assert [unit.ahead for unit in sitting.sides[0]] == places
        assert [unit.aboard for unit in sitting.sides[0][1:]] == aboard
    # p. 23: points at the end of b's turns, for one objective and then for two; b has no men.
    assert ridden.p_a == 1


def test_explain__tells_who_is_inside_gets_out_and_loses_the_transport() -> None:
    rifles = squad(name="rifles", requisition=50)
    mine = [vehicle(PINPRICK, hp=99, movement=0, name="tank"), truck(name="truck"), [rifles]]
    told = both(mine, [vehicle(TOOTHLESS, hp=99)], range_in=14)[0].explain()
    assert "a: tank, truck, rifles (inside truck)" in told
    assert '  truck: moves 8" ahead, 6" from unit\n  rifles: gets out\n' in told
    found = both(mine, [vehicle(at(20, 30), hp=99)], range_in=6, first="b")[0]
    told = found.explain()
    assert "  rifles: loses its transport, and " in told
    assert "  rifles: rests, its transport lost\n" in told
    log = found.log
    row = log[log["weapon"] == "loses its transport"].iloc[0]
    assert (row["side"], row["player_turn"], row["toughness_before"]) == ("a", 1, 6)
    assert row["taken"] in (0, 1, 2)


def test_units__rest_is_no_action_spent() -> None:
    """Two turns of a truck on its way: all actions of its side are its own."""
    found = both([truck(movement=4), [squad()]], [vehicle(PINPRICK, hp=99)], range_in=30)[0]
    assert found.units["share_of_actions"].tolist()[:2] == [1, 0]


# --- against thrown dice, and itself ----------------------------------------------------------------------------


def loaded(rng: Random) -> list[Any]:
    """A list by chance of a transport with squads, and perhaps another unit."""

    def rifles() -> Any:
        weapons = rng.choice([RIFLES, ai("2"), ai("D3-1")])
        return squad(weapons, strength=rng.randint(1, 4), requisition=rng.randint(1, 6) * 10)

    ways = {}, {}, {"rapid_fire": True}, {"scout": True}
    number = rng.randint(1, 2)
    transport = vehicle(
        rng.choice([at(rng.randint(6, 10), rng.randint(3, 8)), ai("D3-1")]),
        armor=(rng.randint(4, 8), 5, 5),
        hp=rng.randint(4, 14),
        movement=rng.choice([0, 4, 6, 8]),
        weight=rng.choice(["light", "medium"]),
        requisition=rng.randint(2, 8) * 10,
        keywords={"apc": 2, **rng.choice(ways)},
    )
    units: list[Any] = [transport, [rifles() for _ in range(number)]]
    gun = at(rng.randint(7, 11), rng.randint(4, 10))
    more = rng.choice(
        [
            [],
            [vehicle(gun, ai(), armor=(7, 5, 5), hp=rng.randint(6, 16), movement=5, requisition=50)],
            [vehicle(he(rng.randint(12, 20), 1), ai("D6-2"), hp=8, armor=(4, 2, 2), movement=4, requisition=40)],
            [rifles()],
        ]
    )
    return [*more, *units] if rng.random() < 0.5 else [*units, *more]


def enemies(rng: Random) -> list[Any]:
    """A list by chance that can hurt vehicles and squads."""
    gun = at(rng.randint(7, 12), rng.randint(5, 14))
    first = vehicle(gun, ai(rng.choice(["D3-1", "D6-2"])), hp=rng.randint(6, 20), armor=(7, 6, 5), requisition=60)
    crewed = [field_gun(gun, hp=6, requisition=30, armor=(0, 0, 0)), squad(strength=2, requisition=20)]
    return [first, *rng.choice([[], [], [squad(strength=3, requisition=30)], crewed])]


def agreed_on(rng: Random) -> dict[str, Any]:
    points = rng.random() < 0.3
    mode = "domination" if points else rng.choice(["timed", "annihilation"])
    return {
        "range_in": rng.choice([12, 18, 24]),
        "actions": (rng.randint(1, 5), rng.randint(1, 5)),
        "policy_a": rng.choice(list(POLICIES)),
        "policy_b": rng.choice(list(POLICIES)),
        "posture_a": "objectives" if points else f"close:{rng.choice([0, 6, 9])}",
        "posture_b": rng.choice(["hold", "close:6"]),
        "mode": mode,
        "rounds": rng.randint(2, 4),
        "facing": rng.choice(["front", {"front": 0.65, "side": 0.3, "rear": 0.05}]),
        "first": rng.choice(["a", "b", "roll_off"]),
    }


BATTLES = 1000


@pytest.mark.parametrize("seed", range(30))
def test_battle__with_squads_in_transports_agrees_with_thrown_dice(seed: int) -> None:
    rng = Random(seed)
    a, b = loaded(rng), loaded(rng) if rng.random() < 0.3 else enemies(rng)
    how = agreed_on(rng)
    if unit_list(b).carriers:
        how["posture_b"] = "close:6"
    found, sitting = both(a, b, **how)
    dice = Random(seed)
    thrown = [sitting.fight(dice, how["first"]) for _ in range(BATTLES)]
    trials = 1 / BATTLES + (0 if found.engine == "exact" else 1 / found.trials)
    for who, p in (("a", found.p_a), ("b", found.p_b), ("draw", found.p_draw)):
        seen = sum(winner == who for winner, *_ in thrown) / BATTLES
        assert abs(seen - p) < SIGMAS * sqrt(max(p * (1 - p), 0) * trials) + SIGMAS * 0.1 * trials, (who, seen, p)
    for column, mean in ((2, found.value_a), (3, found.value_b)):
        values = [one[column] for one in thrown]
        average = sum(values) / BATTLES
        spread = sum((value - average) ** 2 for value in values) / BATTLES
        assert abs(average - mean) < SIGMAS * sqrt((spread + 10) * trials), (column, average, mean)


@pytest.mark.parametrize("seed", range(12))
def test_battle__with_squads_in_transports_rolled_is_as_solved(seed: int) -> None:
    rng = Random(100 + seed)
    a, b = loaded(rng)[:3], enemies(rng)[:1]
    if not unit_list(a).carriers:
        a = loaded(rng)
    how = {**agreed_on(rng), "posture_a": rng.choice(["close:6", "best_range"]), "mode": "timed"}
    solved = aab.Game().battle(a, b, **how)
    rolled = aab.Game().battle(a, b, **how, simulate=20_000, seed=seed)
    assert solved.engine == "exact"
    for p, share in ((solved.p_a, rolled.p_a), (solved.p_b, rolled.p_b), (solved.p_draw, rolled.p_draw)):
        assert abs(p - share) < SIGMAS * sqrt(max(p * (1 - p), 0) / 20_000) + 1e-3, (p, share)
    assert rolled.left_a == pytest.approx(solved.left_a, abs=0.05)
    assert rolled.value_b == pytest.approx(solved.value_b, abs=2)


@pytest.mark.parametrize("policies", [("list_order", "value"), ("value", "threat")])
def test_roll__with_squads_in_transports_hangs_on_no_lanes_or_parts(
    monkeypatch: pytest.MonkeyPatch, policies: tuple[str, str]
) -> None:
    rng = Random(5)
    a, b = [truck(hp=6), [squad(strength=2), squad()], vehicle(at(9, 6), hp=9)], loaded(rng)
    how: dict[str, Any] = {"policy_a": policies[0], "policy_b": policies[1], "rounds": 4, "posture_b": "close:6"}
    battle = both(a, b, **how)[0].replay.battle
    counts = []
    for lanes, cuts in ((2048, [0, 300]), (32, [0, 1, 77, 300])):
        monkeypatch.setattr(rolls, "LANES", lanes)
        runs = np.array([[0, 5, begin, end - begin, 4] for begin, end in pairwise(cuts)], dtype=np.uint64)
        counts.append(battle.rolls(0, detailed=True).roll(runs).sum(axis=0))
    assert (counts[0] == counts[1]).all()
    assert counts[0][:3].sum() == 300


def test_units__what_a_squad_loses_with_its_transport_is_the_shooters() -> None:
    """D3-1 of 2 men, 1 on the mean, whom no gun could hit; the squad of 10 is destroyed in a third of the battles."""
    mine = [truck(requisition=30), [squad(strength=2, requisition=10)], vehicle(TOOTHLESS, hp=200, requisition=1)]
    found = both(mine, [vehicle(at(20, 30))], range_in=6, first="b", rounds=1)[0]
    gun = found.units.query("side == 'b'").iloc[0]
    assert abs(gun["kills"] - 4 / 3) < SIGMAS * gun["kills_se"]
    assert abs(gun["requisition_destroyed"] - 35) < SIGMAS * gun["requisition_destroyed_se"]
