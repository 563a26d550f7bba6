"""How results read: never is not rarely, always is not nearly always, and both sides of a duel say so alike."""

from __future__ import annotations

import json

import pytest
from handmade import at, vehicle

import aabalance as aab
from aabalance.results import DuelResult, ShotResult

LAST_BIT = 0.9999999999999999


def lines(result):
    return dict(line.split("  ", 1) for line in repr(result).splitlines())


def duel(p_a, p_b, p_draw, **more):
    words = {"a": "A", "b": "B", "range_in": 6.0, "length": '"', "situation": "", "first": "roll_off", "rounds": None}
    values = {"posture_a": "hold", "posture_b": "hold", "player_turns": 1.0, "engine": "exact", "fought": None}
    values |= {"p_a_moving_first": None, "p_a_moving_second": None}
    return DuelResult(**words, **{**values, **more}, p_a=p_a, p_b=p_b, p_draw=p_draw)


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        ((1.0, 0.0, 0.0), ("1.0000", "0.0000", "0.0000")),
        ((LAST_BIT, 0.0, 0.0), ("1.0000", "0.0000", "0.0000")),
        ((1.0000000000000002, 0.0, -0.0), ("1.0000", "0.0000", "0.0000")),
        ((0.0, LAST_BIT, -1e-16), ("0.0000", "1.0000", "0.0000")),
        ((-0.0, 0.0, 1.0), ("0.0000", "0.0000", "1.0000")),
        ((LAST_BIT, 1e-20, 0.0), (">0.9999", "<0.0001", "0.0000")),
        ((0.0, 1.0, 1e-49), ("0.0000", ">0.9999", "<0.0001")),
        ((0.99996, 0.00004, 0.0), (">0.9999", "<0.0001", "0.0000")),
        ((0.99994, 0.00006, 0.0), ("0.9999", "0.0001", "0.0000")),
        ((0.5, 0.25, 0.25), ("0.5000", "0.2500", "0.2500")),
    ],
)
def test_duel__both_sides_say_alike_what_is_certain(odds, said):
    found = lines(duel(*odds))
    assert tuple(found[name].strip() for name in ("p_a", "p_b", "p_draw")) == said


def test_duel__both_gone_is_a_way_not_to_win():
    found = lines(duel(LAST_BIT, 0.0, 0.0, p_both_destroyed=1e-9))
    assert (found["p_a"].strip(), found["p_both_destroyed"].strip()) == (">0.9999", "<0.0001")


def test_duel__each_order_of_turns_reads_well():
    found = lines(duel(0.75, 0.25, 0.0, p_a_moving_first=LAST_BIT, p_a_moving_second=-0.0))
    assert found["p_a moving first / second"] == "1.0000 / 0.0000"
    found = lines(duel(0.75, 0.25, 0.0, p_a_moving_first=0.99999, p_a_moving_second=0.00001))
    assert found["p_a moving first / second"] == ">0.9999 / <0.0001"


def test_duel__interval_of_a_simulation_reads_well():
    limits = {"p_a_ci": (0.9997, 1.0), "p_b_ci": (0.0, 0.00001), "p_draw_ci": (0.0, 0.0003)}
    found = lines(duel(1.0, 0.0, 0.0, engine="monte_carlo", trials=9, seed=0, **limits))
    assert found["p_a"].strip() == "1.0000 [0.9997, 1.0000]"
    assert found["p_b"].strip() == "0.0000 [0.0000, <0.0001]"


def test_duel__against_a_harmless_enemy_is_certain_in_words():
    """7/12 a turn until it hits: nothing else can happen, however the chances were added up."""
    for range_in in (6, 24):
        found = lines(aab.Game().duel(vehicle(armor=9), vehicle(at(penetration=1), hp=10), range_in=range_in))
        assert [found[name].strip() for name in ("p_a", "p_b", "p_draw")] == ["1.0000", "0.0000", "0.0000"]


def test_duel__chance_of_nothing_has_no_sign():
    """A howitzer of Armour Battles that a self-propelled gun can't hurt: the solver's zero had a minus."""
    game = aab.Game("armour_battles")
    for a, b in (("de_stug3", "de_lefh18"), ("de_lefh18", "de_stug3")):
        for range_in in (1, 2, 3):
            found = game.duel(a, b, range_in=range_in)
            assert "-0" not in repr(found)
            assert "-0.0" not in json.dumps(found.to_dict())


def test_duel__best_play_leaves_no_remainder_for_a_draw():
    """A gun that nothing stops closes in and can't miss any more: no duel is left undecided."""
    a, b = vehicle(at(penetration=20), armor=9), vehicle(at(penetration=8), hp=10)
    assert aab.Game().duel(a, b, range_in=24, posture_a="optimal", rounds=4).p_draw == 0


@pytest.mark.parametrize(
    ("p_damage", "p_kill", "said"),
    [
        (1.0, 0.0, "damage 100.0 % of attacks, 3.00 expected, 0.0 % destroyed by one attack"),
        (0.9999, 0.00001, "damage >99.9 % of attacks, 3.00 expected, <0.1 % destroyed by one attack"),
        (0.5833, 0.25, "damage 58.3 % of attacks, 3.00 expected, 25.0 % destroyed by one attack"),
    ],
)
def test_shot__explains_what_is_certain(p_damage, p_kill, said):
    shot = ShotResult("A", "B", "gun", 6.0, '"', "", 1, {}, {}, p_damage, 3.0, p_kill, ())
    assert said in shot.explain()
