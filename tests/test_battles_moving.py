"""Battles whose units move: the literal dice by hand, against the package's duels, and against its battles."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest
from handmade import RIFLES, ai, at, field_gun, he, squad, vehicle
from odds import GAME, SIGMAS, fits
from rollers.armored_advance_battle import Sitting
from rollers.armored_advance_moves import reach

import aabalance as aab
from aabalance.engine.battle.policies import POLICIES

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_forms")]

TOOTHLESS = at(1, 1)
SURE = at(20, 10)
"""Within 6 inches it needs no throw, at a vehicle with the usual armour of 8."""


def table(card: Any) -> dict[str, Any]:
    """A card as the roller reads it."""
    return card.model_dump(by_alias=True, exclude_none=True)


def sat(a: list[Any], b: list[Any], range_in: float = 36, **given: Any) -> Sitting:
    """Two lists at a table, a closing to 6 inches and b holding unless said otherwise."""
    usual = {"actions": (9, 9), "policies": ("value", "value"), "postures": ("close:6", "hold")}
    return Sitting((list(map(table, a)), list(map(table, b))), range_in=range_in, **{**usual, **given})


def ahead(sitting: Sitting, side: int = 0) -> list[float]:
    """Where the units of a side stand."""
    return [unit.ahead for unit in sitting.sides[side]]


# --- where the roller's units go --------------------------------------------------------------------------------


def test_reach_page_4__is_one_action_and_2_inches_more_for_a_light_vehicle() -> None:
    cards = [vehicle(weight=weight, movement=5) for weight in ("light", "medium", "heavy")]
    assert [reach(table(card)) for card in cards] == [7, 5, 5]
    assert reach(table(squad())) == 4
    assert reach(table(vehicle(weight="light", movement=0))) == reach(table(field_gun())) == 0


def test_turn__all_close_for_an_action_each_in_list_order_as_far_as_the_limit_goes() -> None:
    # A squad moves outside the limit (p. 17), which is spent on the first two vehicles.
    mine = [vehicle(TOOTHLESS), vehicle(TOOTHLESS, weight="light"), vehicle(TOOTHLESS), squad()]
    sitting = sat(mine, [vehicle(TOOTHLESS)], actions=(2, 2))
    sitting.turn(Random(0), 0)
    assert ahead(sitting) == [5, 7, 0, 4]
    assert [unit.spent for unit in sitting.sides[0]] == [1, 1, 0, 1]


def test_turn__nobody_closes_past_the_distance_from_the_nearest_enemy_who_lives() -> None:
    sitting = sat([vehicle(TOOTHLESS, movement=20)], [vehicle(TOOTHLESS), vehicle(TOOTHLESS)])
    unit, (near, far) = sitting.sides[0][0], sitting.sides[1]
    near.ahead = 12
    sitting.turn(Random(0), 0)
    assert unit.ahead == 36 - 12 - 6
    sitting.turn(Random(0), 0)
    assert (unit.ahead, unit.moves) == (18, 0)
    near.left = 0
    sitting.turn(Random(0), 0)
    assert (unit.ahead, unit.moves, unit.moved_in) == (30, 1, 12)
    assert sitting.table.board.distance(unit, far) == 6


def test_turn__guns_and_the_squads_that_man_them_stay_and_so_does_who_is_dead_or_holds() -> None:
    mine = [field_gun(TOOTHLESS), squad(), squad(), vehicle(TOOTHLESS)]
    sitting = sat(mine, [vehicle(TOOTHLESS)])
    sitting.sides[0][3].left = 0
    sitting.turn(Random(0), 0)
    sitting.turn(Random(0), 1)
    assert (ahead(sitting), ahead(sitting, 1)) == ([0, 0, 4, 0], [0])


def at_their_best(stretches: dict[int, list[tuple[int, float, float]]], mine: list[Any], range_in: float) -> Sitting:
    foes = [vehicle(TOOTHLESS), vehicle(TOOTHLESS)]
    how: dict[str, Any] = {"postures": ("best_range", "hold"), "stretches": (stretches, None)}
    return sat(mine, foes, range_in, **how)


def test_turn__at_best_range_goes_ahead_to_the_far_end_of_the_stretch() -> None:
    sitting = at_their_best({0: [(0, 20, 30), (1, 0, 6)]}, [vehicle(TOOTHLESS)], 36)
    for place in (5, 6, 6):
        sitting.turn(Random(0), 0)
        assert ahead(sitting) == [place]
    # The enemy it likes best is gone: the next one counts, at whom it gets to 6 inches.
    sitting.sides[1][0].left = 0
    for place in (11, 16, 21, 26, 30, 30):
        sitting.turn(Random(0), 0)
        assert ahead(sitting) == [place]


def test_turn__at_best_range_stops_at_the_foremost_enemy() -> None:
    sitting = at_their_best({0: [(0, 0, 6)]}, [vehicle(TOOTHLESS, movement=9)], 36)
    sitting.sides[1][1].ahead = 33
    for place in (3, 3):
        sitting.turn(Random(0), 0)
        assert ahead(sitting) == [place]


def test_turn__at_best_range_goes_back_to_the_near_end_and_not_off_the_board() -> None:
    slow = vehicle(TOOTHLESS, movement=5, keywords={"slow_reverse": True})
    lists = [vehicle(TOOTHLESS), slow, vehicle(TOOTHLESS), vehicle(TOOTHLESS, weight="light")]
    sitting = at_their_best(
        {0: [(0, 33, 40)], 1: [(0, 40, 48)], 2: [(0, 48, 60)], 3: [(0, 10, 30)]}, lists, 30
    )  # 48 - 30 inches: 9 behind either line
    for places in ([-3, -2.5, -5, 0], [-3, -5, -9, 0], [-3, -7.5, -9, 0], [-3, -9, -9, 0]):
        sitting.turn(Random(0), 0)
        assert ahead(sitting) == places
    # From 50 inches on the board is no deeper than that.
    far = at_their_best({0: [(0, 60, 60)]}, [vehicle(TOOTHLESS)], 50)
    far.turn(Random(0), 0)
    assert (ahead(far), far.sides[0][0].spent) == ([0], 0)


# --- what it does to the dice -----------------------------------------------------------------------------------

THROWN = 2000


def ended(sitting: Sitting, first: str = "a", battles: int = THROWN) -> Counter[tuple[str, int]]:
    """Who wins many battles, and after how many turns of both."""
    rng = Random(1)
    return Counter(sitting.fight(rng, first)[:2] for _ in range(battles))


def test_fight__a_short_gun_gets_there_first() -> None:
    # 18, 12, 6 inches: it kills with the second action of its second turn.
    sitting = sat([vehicle(at(20, 30, range=6), movement=6)], [vehicle(TOOTHLESS)], 18)
    assert ended(sitting, battles=50) == {("a", 3): 50}


def test_fight__a_limit_of_one_action_is_spent_on_moving() -> None:
    sitting = sat([vehicle(at(20, 30, range=6), movement=6)], [vehicle(TOOTHLESS)], 18, actions=(1, 1))
    assert ended(sitting, battles=50) == {("a", 5): 50}


def test_fight__who_moved_has_no_advantage_and_a_casemate_1_less() -> None:
    # At 12 inches 2+ is needed: 5/6 after the move, 35/36 if it stays; a casemate that came needs 3+ once: 2/3.
    for keywords, p in (({}, 5 / 6), ({"casemate": True}, 2 / 3)):
        mover = vehicle(at(20, 30), movement=6, keywords=keywords)
        sitting = sat([mover], [vehicle(TOOTHLESS)], 18, postures=("close:12", "hold"), rounds=2)
        miss = 1 - p
        fits(
            ended(sitting),
            {("a", 1): p, ("a", 3): miss * 35 / 36, ("draw", 4): miss / 36},
            THROWN,
        )


def test_fight__he_finds_a_light_unit_harder_to_hit_once_it_has_moved() -> None:
    # At 12 inches 2+ is needed: D6 + 0 at a light unit that stayed, D6 - 2 after its move; one less is thrown again.
    gunner, light = vehicle(he(60, 1)), vehicle(TOOTHLESS, weight="light", movement=4)
    for posture, p in (("hold", 35 / 36), ("close:12", 1 / 2 + 1 / 12)):
        sitting = sat([light], [gunner], 18 if posture != "hold" else 12, postures=(posture, "hold"), rounds=1)
        fits(ended(sitting), {("b", 2): p, ("draw", 2): 1 - p}, THROWN)
    # Nobody has moved before the first turn: 18 inches ask for 3+, and the one who moves comes too late.
    sitting = sat([light], [gunner], 18, postures=("close:12", "hold"), rounds=1)
    fits(ended(sitting, "b"), {("b", 1): 7 / 9, ("draw", 2): 2 / 9}, THROWN)


@pytest.mark.parametrize(("movement", "weight", "turns"), [(7, "medium", 3), (7, "light", 5), (14, "light", 7)])
def test_fight__indirect_fire_takes_half_or_nothing_from_who_moved_far(movement: int, weight: str, turns: int) -> None:
    # 20 - D6 kills at once, half of it at the second time; the first turn goes to setting up. 7 inches a turn are none
    # to care about, 9 are half, 16 are no damage at all, until 2 are left to 12 inches.
    lob = vehicle(he(20, 1, range=6), keywords={"indirect": 48}, movement=0)
    runner = vehicle(TOOTHLESS, armor=(8, 0, 0), hp=10, movement=movement, weight=weight)
    sitting = sat([lob], [runner], 46, postures=("hold", "close:12"))
    assert ended(sitting, battles=50) == {("a", turns): 50}


def test_fight__a_gun_that_moved_is_set_up_again() -> None:
    lob = vehicle(he(60, 1, range=6), armor=(8, 0, 0), keywords={"indirect": 48}, movement=6)
    sitting = sat([lob], [vehicle(TOOTHLESS, hp=200)], 30, postures=("close:18", "hold"))
    unit, enemy = sitting.sides[0][0], sitting.sides[1][0]
    # On its way; set up; fires, the enemy falls back, after it; set up again.
    for back, place, ready, hit in (
        (0, 6, 0, 0),
        (0, 12, 0, 0),
        (0, 12, 1, 0),
        (0, 12, 1, 1),
        (3, 15, 0, 1),
        (3, 15, 1, 1),
    ):
        enemy.ahead = -back
        sitting.turn(Random(0), 0)
        assert (unit.ahead, unit.set_up, enemy.left < 200) == (place, ready, hit)


SCOUTED = [field_gun(at(20, 30)), squad(), vehicle(TOOTHLESS, movement=7, keywords={"scout": True})]
FROM_AFAR = {"close:6": 35 / 36, "hold": 7 / 9}
"""p. 11: 3 from within 2 feet, 2 from within 3. The gun stays at 30 inches, asks for 5+, and fires at advantage; the
scout comes to 23 inches in its first turn, or stays beside it."""


@pytest.mark.parametrize("posture", FROM_AFAR)
def test_fight__a_scout_helps_from_where_it_stands(posture: str) -> None:
    how: dict[str, Any] = {"postures": (posture, "hold"), "variant": {"scout_costs_action": False}}
    p = FROM_AFAR[posture]
    sitting = sat(SCOUTED, [vehicle(TOOTHLESS)], 30, **how, rounds=1)
    fits(ended(sitting), {("a", 1): p, ("draw", 2): 1 - p}, THROWN)


def test_fight__is_over_where_nobody_will_ever_get_near_enough() -> None:
    short = vehicle(at(20, 30, range=12))
    for postures, over in (
        (("hold", "hold"), True),
        (("close:13", "hold"), True),
        (("close:12", "hold"), False),
        (("hold", "close:0"), False),
    ):
        assert sat([short], [vehicle(TOOTHLESS)], 30, postures=postures).over() is over
    # The gun stays, but the one it waits for comes; behind a screen of men it would not.
    waits = [field_gun(at(20, 30, range=12)), squad()]
    assert not sat(waits, [vehicle(TOOTHLESS)], 30, postures=("close:6", "close:6")).over()
    assert sat(waits, [vehicle(TOOTHLESS)], 30, postures=("close:6", "hold")).over()
    assert sat(waits, [vehicle(TOOTHLESS, movement=0)], 30, postures=("close:6", "close:6")).over()


def test_fight__ends_where_all_stand_where_they_like_and_can_do_nothing() -> None:
    stretches = {0: [(0, 20.0, 30.0)]}
    sitting = sat(
        [vehicle(at(20, 30, range=12))],
        [vehicle(TOOTHLESS)],
        36,
        postures=("best_range", "hold"),
        stretches=(stretches, None),
    )
    assert sitting.fight(Random(0), "a")[0] == "draw"


# --- against the package ----------------------------------------------------------------------------------------

DUELS = 2000
SET_UP: dict[str, Any] = {"keywords": {"indirect": 48}, "movement": 0, "hp": 20}
RUNNER = vehicle(at(9, 5), armor=(9, 1, 1), hp=60, weight="light", movement=7)


@pytest.mark.parametrize(
    ("a", "b", "range_in", "posture_a", "posture_b"),
    [
        pytest.param("fr_r35", "us_m8", 30, "close:6", "hold", id="light"),
        pytest.param("us_m8", "fr_r35", 33, "close:0", "close:12", id="light, both"),
        pytest.param("uk_churchill4", "de_pz4g", 30, "close:6", "close:6", id="heavy"),
        pytest.param("it_sem90_53", "de_stug3g", 30, "close:6", "close:6", id="casemates"),
        pytest.param("de_jagdtiger", "de_sturmtiger", 36, "close:6", "close:6", id="long reload"),
        pytest.param("de_stuh42", "us_m8", 36, "hold", "close:6", id="howitzer, light mover"),
        pytest.param("de_stuh42", "su_t34_85", 36, "close:6", "close:6", id="howitzer, both"),
        pytest.param("de_hummel", "su_t34_85", 40, "hold", "close:6", id="indirect, mover"),
        # 60 hit points: a policy that sees what is left of an enemy does no other than a duel.
        pytest.param(vehicle(he(20, 1), **SET_UP), RUNNER, 44, "hold", "close:6", id="indirect, fast mover"),
        pytest.param("de_wespe", "de_pz3n", 40, "close:20", "hold", id="indirect that moves"),
    ],
)
def test_duel__is_a_battle_of_one_against_one(a: Any, b: Any, range_in: float, posture_a: str, posture_b: str) -> None:
    exact = GAME.duel(a, b, range_in=range_in, posture_a=posture_a, posture_b=posture_b)
    sitting = sat([GAME.card(a)], [GAME.card(b)], range_in, postures=(posture_a, posture_b))
    rng = Random(2)
    found = [sitting.fight(rng, "roll_off") for _ in range(DUELS)]
    p = {"a": exact.p_a, "b": exact.p_b, "draw": exact.p_draw}
    fits(Counter(winner for winner, *_ in found), {who: chance for who, chance in p.items() if chance > 1e-9}, DUELS)
    turns = [count for _, count, *_ in found]
    mean = sum(turns) / DUELS
    spread = sqrt(sum((count - mean) ** 2 for count in turns) / DUELS)
    assert abs(mean - exact.player_turns) < SIGMAS * spread / sqrt(DUELS) + 1e-9, (mean, exact.player_turns)


def moving(rng: Random) -> list[Any]:
    """A list of one to four units by chance, of which most can move; most guns come with a crew, and nobody scouts."""

    def some() -> dict[str, Any]:
        return {
            "weight": rng.choice(["light", "medium", "heavy"]),
            "movement": rng.choice([0, 3, 4, 5, 6, 8]),
            "hp": rng.randint(8, 24),
            "requisition": rng.randint(2, 12) * 10,
        }

    def tank() -> list[Any]:
        ways = {}, {}, {"rapid_fire": True}, {"long_reload": True}, {"accurate": True}, {"casemate": True}
        guns = [at(rng.randint(7, 12), rng.randint(4, 12)), *rng.choice([[], [ai()]])]
        armor = rng.randint(6, 9), rng.randint(5, 7), 5
        return [vehicle(*guns, armor=armor, keywords=rng.choice(ways), **some())]

    def howitzer() -> list[Any]:
        shells = at(rng.randint(7, 9), rng.randint(4, 9), gun="m"), he(rng.randint(12, 24), rng.randint(1, 2), gun="m")
        how = rng.choice([{}, {"indirect": 48}, {"indirect": 24, "casemate": True}, {"support": True}])
        return [vehicle(*shells, armor=(rng.randint(0, 8), 2, 2), keywords=how, **some())]

    def flak() -> list[Any]:
        short = at(rng.randint(8, 11), 3, range=rng.choice([12, 18]))
        return [vehicle(short, armor=(6, 5, 5), keywords={"autocannon": 3}, **some())]

    def gun() -> list[Any]:
        fields = {"hp": rng.randint(6, 14), "requisition": 40}
        men = squad(ai("1", range=1), strength=3, squad="artillery_crew", requisition=10)
        return [field_gun(at(rng.randint(8, 11), rng.randint(5, 9)), armor=(rng.randint(0, 1), 0, 0), **fields), men]

    def rifles() -> list[Any]:
        return [squad(RIFLES, strength=rng.randint(1, 4), requisition=40, equipment={"grenades": rng.randint(0, 1)})]

    units = tank()
    for _ in range(rng.randint(0, 2)):
        units += rng.choice([tank, tank, howitzer, flak, gun, rifles])()
    return rng.sample(units[:4], len(units[:4]))


def agreed_on(rng: Random) -> dict[str, Any]:
    """What is agreed on by chance before a battle of such lists, as `Game.battle` is told."""
    timed = rng.random() < 0.5
    return {
        "range_in": rng.choice([12, 18, 24, 30, 36]),
        "actions": (rng.randint(1, 6), rng.randint(1, 6)),
        "policy_a": rng.choice(list(POLICIES)),
        "policy_b": rng.choice(list(POLICIES)),
        "posture_a": f"close:{rng.choice([0, 6, 12, 18])}",
        "posture_b": rng.choice(["hold", "close:6", "close:15"]),
        "mode": "timed" if timed else "annihilation",
        "rounds": rng.randint(2, 6) if timed else rng.choice([None, 8]),
        "facing": rng.choice(["front", {"front": 0.65, "side": 0.3, "rear": 0.05}]),
        "first": rng.choice(["a", "b", "roll_off"]),
    }


def literal(a: list[Any], b: list[Any], variant: dict[str, Any] | None = None, **how: Any) -> Sitting:
    """The literal dice for what `Game.battle` is told."""
    facing = how.get("facing", "front")
    return sat(
        a,
        b,
        how["range_in"],
        actions=how["actions"],
        policies=(how["policy_a"], how["policy_b"]),
        postures=(how["posture_a"], how["posture_b"]),
        timed=how["mode"] == "timed",
        rounds=how["rounds"],
        facing={facing: 1} if isinstance(facing, str) else facing,
        variant=variant,
    )


BATTLES = 1000


def agree(a: list[Any], b: list[Any], seed: int, variant: dict[str, Any] | None = None, **how: Any) -> None:
    """The package's battle, exact if it can be solved, fits battles that are played with dice."""
    found = aab.Game(variant=variant).battle(a, b, **how)
    sitting, rng = literal(a, b, variant, **how), Random(seed)
    thrown = [sitting.fight(rng, how["first"]) for _ in range(BATTLES)]
    # What is rolled by the package is off by chance itself, a fraction of the dice here.
    trials = 1 / BATTLES + (0 if found.engine == "exact" else 1 / 10_000)
    for who, p in (("a", found.p_a), ("b", found.p_b), ("draw", found.p_draw)):
        seen = sum(winner == who for winner, *_ in thrown) / BATTLES
        assert abs(seen - p) < SIGMAS * sqrt(max(p * (1 - p), 0) * trials) + SIGMAS * 0.1 * trials, (who, seen, p)
    worth = [sum(unit.requisition for unit in side) for side in (a, b)]
    means = [(2, found.value_a, worth[0]), (3, found.value_b, worth[1])]
    if found.player_turns is not None:
        means.append((1, found.player_turns, 1))
    for column, mean, most in means:
        values = [one[column] for one in thrown]
        average = sum(values) / BATTLES
        spread = sum((value - average) ** 2 for value in values) / BATTLES
        assert abs(average - mean) < SIGMAS * sqrt((spread + most * 0.1) * trials), (column, average, mean)


@pytest.mark.parametrize("seed", range(40))
def test_battle__of_units_that_move_agrees_with_thrown_dice(seed: int) -> None:
    rng = Random(seed)
    sides = [moving(rng) for _ in range(2)]
    agree(*sides, seed=seed, **agreed_on(rng))


@pytest.mark.parametrize("posture", FROM_AFAR)
def test_battle__a_scout_is_reckoned_to_stand_beside_whom_it_helps(posture: str) -> None:
    """Where it has gone ahead that is less than the rulebook's bonus, as the reference says."""
    how: dict[str, Any] = {"range_in": 30, "actions": 9, "rounds": 1, "first": "a", "posture_a": posture}
    found = aab.Game(variant={"scout_costs_action": False}).battle(SCOUTED, [vehicle(TOOTHLESS)], **how)
    assert found.p_a == pytest.approx(FROM_AFAR["hold"], abs=1e-12)
