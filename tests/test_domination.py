"""Battles for objectives: points by hand (p. 17, p. 23), exact against rolled, and against thrown dice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from handmade import RIFLES, ai, at, field_gun, squad, vehicle
from rollers.armored_advance_battle import Sitting

import aabalance as aab
from aabalance.engine.battle.policies import POLICIES
from aabalance.errors import UsageError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_forms")]

GAME = aab.Game()
TOOTHLESS = at(1, 1)
HARMLESS = ai("1", range=1)
"""Men who meet nobody within 1 inch hurt nobody."""
SIGMAS = 5


def fought(a: list[Any], b: list[Any], **given: Any) -> Any:
    """A battle for points; a's squads go to the objectives, b's hold, unless said otherwise."""
    usual = {"mode": "domination", "range_in": 24, "actions": 5, "rounds": 1, "posture_a": "objectives"}
    return GAME.battle(a, b, **{**usual, **given})


def shares(found: Any) -> tuple[float, float, float]:
    return found.p_a, found.p_b, found.p_draw


# --- by hand ----------------------------------------------------------------------------------------------------
# Five objectives, at 0, 6, 12, 18 and 24 inches from a's line, which a squad holds from 1 inch away (AA-71, AA-72). A
# squad gets 4 inches a turn: to 4, 8, and 11, where it has the middle one.


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_domination__who_leaves_its_own_line_falls_behind(first: str, rounds: int) -> None:
    # b has its own line all the time; a owns nothing for two of its turns, and one from then on.
    found = fought([squad(HARMLESS)], [squad(HARMLESS)], rounds=rounds, first=first)
    assert shares(found) == (0, 1, 0)
    assert found.player_turns == 2 * rounds


@pytest.mark.parametrize("first", ["a", "b"])
def test_domination__two_objectives_against_one_are_a_point_a_turn(first: str) -> None:
    # The first squad goes to the middle. The second one's is at 6 inches, held from 5: in its second turn. So b scores
    # after a's first turn (1 to 0), nobody after the second (1 to 1), a after b's turns from the third round on, when
    # it has both: 1, 2, 3 points.
    two, one = [squad(HARMLESS), squad(HARMLESS)], [squad(HARMLESS)]
    for rounds, who in ((1, 1), (2, 1), (3, 2), (4, 0), (5, 0)):
        # Where b has the turn before a's third, a scores a round later.
        if first == "b" and rounds > 2:
            who = {3: 1, 4: 2, 5: 0}[rounds]
        assert shares(fought(two, one, rounds=rounds, first=first))[who] == 1, rounds


def test_domination__of_equal_numbers_on_an_objective_nobody_owns_it() -> None:
    # Both go to the middle, b in time; then it is nobody's (interpretation 1.6).
    found = fought([squad(HARMLESS)], [squad(HARMLESS)], rounds=6, first="a", posture_b="objectives")
    # b scores for its own line after a's first turn. a has the middle alone after its third, when b scores nothing, and
    # b is there before a would score.
    assert shares(found) == (0, 1, 0)


def test_domination__more_men_own_it_in_however_few_squads() -> None:
    # 2 inches apart both are within 1 inch of the middle objective, each besides of two that the other isn't near.
    many, few = [squad(HARMLESS, strength=4)], [squad(HARMLESS, strength=1)] * 3
    for lists, expected in (((many, few), (1, 0, 0)), ((few, many), (0, 1, 0)), ((few, few), (0, 0, 1))):
        assert shares(fought(*lists, range_in=2, posture_a="hold")) == expected


def test_domination__vehicles_hold_nothing_and_their_end_ends_nothing() -> None:
    tank, victim = vehicle(at(20, 40)), vehicle(TOOTHLESS)
    # b's only unit is gone after a's first turn; nobody has a man on the table.
    found = fought([tank], [victim], rounds=3, first="a", range_in=6, posture_a="hold")
    assert shares(found) == (0, 0, 1)
    assert (found.player_turns, found.left_b) == (6, 0)
    # The squad of the side that has lost its tank goes on scoring.
    found = fought([tank], [victim, squad(HARMLESS)], rounds=3, first="a", range_in=6, posture_a="hold")
    assert shares(found) == (0, 1, 0)


def test_domination__a_squad_that_fires_at_the_holders_takes_the_objective_from_them() -> None:
    # 2 inches apart both have two objectives, and their men are on the middle one. D3 - 1 takes one or two of a man in
    # 2 of 3 throws: then it is a's alone, which scores at the end of b's turn.
    a, b = [squad(ai("D3-1"))], [squad(HARMLESS)]
    found = fought(a, b, first="a", range_in=2, posture_a="hold")
    assert shares(found) == pytest.approx((2 / 3, 0, 1 / 3), abs=1e-12)
    # With the second turn it scores nothing yet: that is for the end of b's next one.
    found = fought(a, b, first="b", range_in=2, posture_a="hold")
    assert shares(found) == (0, 0, 1)


def test_domination__with_no_enemy_left_squads_go_on_to_their_objectives() -> None:
    # The tank falls in the first turn. The squad leaves its own line, and has the middle after its third turn.
    a, b = [vehicle(at(20, 40)), squad(HARMLESS)], [vehicle(TOOTHLESS)]
    for rounds, p_draw in ((2, 1), (3, 0)):
        found = fought(a, b, first="a", rounds=rounds, range_in=24)
        assert found.left_b < 0.2
        assert shares(found) == (1 - p_draw, 0, p_draw)


# --- what is agreed on ------------------------------------------------------------------------------------------


def test_domination_page_23__fields_infantry_for_nothing() -> None:
    side = [vehicle(TOOTHLESS, requisition=50), squad(HARMLESS, requisition=30)]
    assert fought(side, side, requisition=50, posture_a="hold").p_draw == 1
    with pytest.raises(UsageError, match="list a: found 80 requisition"):
        fought(side, side, requisition=50, mode="timed", posture_a="hold")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rounds": None}, "rounds: found none, expected 1 to 1000, which a domination battle needs"),
        ({"policy_a": "best"}, "policy: found 'best' in a battle for points, expected a named one"),
        ({"mode": "timed"}, "posture: found 'objectives' in a battle without objectives, expected another"),
        ({"posture_a": "objectives:3"}, "posture: found 'objectives:3', expected 'objectives' without a distance"),
    ],
)
def test_domination__refuses_what_it_has_no_rule_for(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        fought([squad(HARMLESS), vehicle()], [vehicle()], **given)


def test_domination__is_of_games_whose_rules_have_it() -> None:
    with pytest.raises(UsageError, match=r"^mode: found 'domination', which .* has no rules for, expected another$"):
        aab.Game("skirmish_wars").battle("tank", "tank", range_in=1, mode="domination", rounds=3)


# --- against dice -----------------------------------------------------------------------------------------------


def some(rng: Random) -> list[Any]:
    """One to three units by chance, of which one or two are squads."""
    squads = [
        squad(
            rng.choice([RIFLES, ai("D3-1")]),
            strength=rng.randint(1, 4),
            movement=rng.choice([2, 4, 6]),
            requisition=rng.randint(1, 4) * 10,
        )
        for _ in range(rng.randint(1, 2))
    ]
    gun = rng.choice([at(rng.randint(8, 10), rng.randint(8, 16)), ai("1"), ai("D3-1")])
    others = [vehicle(gun, hp=rng.randint(8, 20), movement=rng.choice([0, 4]), requisition=40)] * rng.randint(0, 1)
    if rng.random() < 0.3:
        others = [field_gun(at(9, 8), hp=10, armor=(rng.randint(0, 1), 0, 0), requisition=30)]
    return rng.sample([*squads, *others], len(squads) + len(others))


def agreed_on(rng: Random) -> dict[str, Any]:
    postures = ["objectives"] * 4 + ["hold", "close:0", "close:6"]
    return {
        "range_in": rng.choice([4, 6, 8, 12]),
        "actions": (rng.randint(1, 4), rng.randint(1, 4)),
        "rounds": rng.randint(2, 5),
        "policy_a": rng.choice(list(POLICIES)),
        "policy_b": rng.choice(list(POLICIES)),
        "posture_a": rng.choice(postures),
        "posture_b": rng.choice(postures),
        "first": rng.choice(["a", "b", "roll_off"]),
    }


def off(seen: float, p: float, trials: float) -> float:
    """By how many standard errors a share is off."""
    return abs(seen - p) / max((max(p * (1 - p), 0) / trials) ** 0.5, 1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_domination__exact_agrees_with_rolled_and_with_thrown_dice(seed: int) -> None:
    rng = Random(seed)
    a, b, how = some(rng), some(rng), agreed_on(rng)
    found, trials = fought(a, b, **how), 20_000
    assert found.engine == "exact"
    rolled = fought(a, b, **how, simulate=trials)
    assert rolled.player_turns == found.player_turns == 2 * how["rounds"]
    for seen, p in zip(shares(rolled), shares(found), strict=True):
        assert off(seen, p, trials) < SIGMAS, (shares(rolled), shares(found))
    for name in ("left_a", "left_b", "value_a", "value_b"):
        assert getattr(rolled, name) == pytest.approx(getattr(found, name), rel=0.05, abs=0.05), name
    sitting = Sitting(
        (list(map(table, a)), list(map(table, b))),
        range_in=how["range_in"],
        actions=how["actions"],
        rounds=how["rounds"],
        policies=(how["policy_a"], how["policy_b"]),
        postures=(how["posture_a"], how["posture_b"]),
        domination=True,
    )
    battles = 1000
    winners = [sitting.fight(rng, how["first"])[0] for _ in range(battles)]
    for who, p in zip(("a", "b", "draw"), shares(found), strict=True):
        assert off(winners.count(who) / battles, p, battles) < SIGMAS, (who, winners.count(who), shares(found))


def table(card: Any) -> dict[str, Any]:
    """A card as the roller reads it."""
    return card.model_dump(by_alias=True, exclude_none=True)


def test_domination__the_grid_is_of_battles_that_are_open() -> None:
    found = []
    for seed in range(12):
        rng = Random(seed)
        found.append(max(shares(fought(some(rng), some(rng), **agreed_on(rng)))))
    assert sum(p < 0.95 for p in found) >= 4
