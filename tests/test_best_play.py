"""Best play: never worse than any other posture, and equal to the whole game tree where that is small."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction as F
from random import Random
from typing import Any

import pytest
from handmade import at, field_gun, he, vehicle

import aabalance as aab

OTHERS = ("hold", "close:0", "close:6", "close:18", "cautious:9")


def score(result: aab.DuelResult) -> float:
    return result.p_a - result.p_b


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_optimal__is_never_worse_than_any_other_posture_against_the_same_enemy(seed: int) -> None:
    random = Random(seed)
    game = aab.Game(variant=random.choice([{}, {"resolution": "two_dice"}, {"resolution": "sum"}]))
    armed = [i for i, card in game.cards.items() if card.weapons]
    a, b = random.choices(armed, k=2)
    where: dict[str, Any] = {"range_in": random.choice((9, 20, 33)), "rounds": 8, "first": random.choice("ab")}
    for enemy in random.choices([*OTHERS, "optimal"], k=2):
        best = score(game.duel(a, b, posture_a="optimal", posture_b=enemy, **where))
        for posture in OTHERS:
            other = score(game.duel(a, b, posture_a=posture, posture_b=enemy, **where))
            assert best >= other - 1e-12, (a, b, where, posture, enemy)


def test_optimal__against_itself_is_fair_to_equal_units() -> None:
    result = aab.Game().duel("us_m4a1", "us_m4a1", range_in=24, posture_a="optimal", posture_b="optimal")
    assert result.rounds == 12
    assert result.p_a == pytest.approx(result.p_b, abs=1e-12)


def tree(
    players: Sequence[Any],
    side: int,
    range_in: float,
    memory: tuple[int, int],
    moved: bool,
    hp: tuple[int, int],
    left: int,
) -> float:
    """Return P(0 wins) - P(1 wins) by walking the whole game tree; the loser of the last turn is nobody."""
    if left == 0:
        return 0.0
    player = players[side]
    row = next(n for n, least in enumerate(player.least) if hp[side] >= least)
    values = []
    for turn in player.turns(range_in, memory[side], moved and player.sees_moves, row):
        value = 0.0
        for amount, p in turn.volley.effect.items():
            after = list(hp)
            after[1 - side] -= amount
            if after[1 - side] <= 0:
                value += float(p) * (1 if side == 0 else -1)
            else:
                keeps = (turn.memory, memory[1]) if side == 0 else (memory[0], turn.memory)
                value += float(p) * tree(
                    players, 1 - side, turn.range_in, keeps, turn.moved, (after[0], after[1]), left - 1
                )
        values.append(value)
    return max(values) if side == 0 else min(values)


TINY = [
    (vehicle(at(9, 10), hp=20, movement=1), vehicle(at(8, 10), hp=10, movement=1), 13),
    (
        vehicle(at(9, 10), hp=10, movement=1, keywords={"accurate": True}),
        vehicle(at(8, 10), hp=20, movement=0, keywords={"long_reload": True}),
        25,
    ),
    (
        vehicle(at(7, 4), hp=5, movement=1, weight="light", keywords={"rapid_fire": True, "slow_reverse": True}),
        field_gun(at(9, 10), hp=6),
        7,
    ),
    (
        vehicle(at(9, 10), hp=10, movement=1, weight="heavy", keywords={"casemate": True, "long_reload": True}),
        vehicle(at(10, 10), hp=10, movement=0),
        18,
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", TINY, ids=["both move", "accurate v reload", "light v gun", "heavy casemate"])
@pytest.mark.parametrize("enemy", ["hold", "optimal"])
def test_optimal__equals_the_whole_game_tree(case: tuple[Any, Any, int], enemy: str) -> None:
    a, b, range_in = case
    game = aab.Game()
    situation = game.situation()
    players = (
        game.ruleset.player(a, b, situation, range_in, game.variant, "optimal"),
        game.ruleset.player(b, a, situation.mirrored(range_in), range_in, game.variant, enemy),
    )
    rounds = 1 if a.weight == "light" else 2
    found = game.turn_graph(a, b, range_in=range_in, postures=("optimal", enemy)).best_play(rounds).outcome
    want = tree(players, 0, range_in, (0, 0), False, (a.hp, b.hp), 2 * rounds)
    assert found.p_a - found.p_b == pytest.approx(want, abs=1e-12)


def test_optimal__may_leave_the_enemy_s_range() -> None:
    short = vehicle(at(20, 30), keywords={"limited_range": 12}, movement=3)
    long = vehicle(at(20, 10), movement=8, hp=20)
    game = aab.Game()
    fixed = game.duel(long, short, range_in=12, rounds=6, posture_a="hold", posture_b="close:0", first="a")
    free = game.duel(long, short, range_in=12, rounds=6, posture_a="optimal", posture_b="close:0", first="a")
    assert free.p_b < fixed.p_b


def turns_of(card: Any, range_in: float) -> list[Any]:
    game = aab.Game()
    player: Any = game.ruleset.player(card, vehicle(), game.situation(), range_in, game.variant, "optimal")
    return player.turns(range_in, 0, None, 0)


@pytest.mark.parametrize("fields", [{"weight": "light"}, {"actions": 3}], ids=["free move", "three actions"])
def test_optimal__who_aims_doesn_t_move(fields: dict[str, Any]) -> None:
    """At 24" an aimed gun needs 3+, one that isn't 4+, and 5+ without a reroll after a move to 25" (p. 12 Accurate)."""
    turns = turns_of(vehicle(at(99, 10), keywords={"accurate": True}, **fields), 24)
    assert {turn.volley.effect.get(10, 0) for turn in turns if turn.range_in == 24} == {F(7, 9)}
    assert {turn.volley.effect.get(10, 0) for turn in turns if turn.range_in == 25} == {F(7, 12), F(1, 3), 0}


def test_optimal__closes_in_from_beyond_its_farthest_distance() -> None:
    turns = turns_of(vehicle(at(99, 10, range=30), movement=5), 60)
    assert {turn.range_in for turn in turns} == set(range(50, 61))


def test_best_play__says_what_to_do_where() -> None:
    game = aab.Game()
    table = aab.best_play(game, "de_pz4h", "us_m4a1", range_in=24, posture_b="hold")
    assert set(table["range_in"]) <= set(range(49))
    assert list(table.index) == list(range(len(table)))
    fresh = table.query("toughness_left == 26 and enemy_toughness_left == 30")
    assert fresh["range_in"].is_unique
    assert fresh.set_index("range_in").loc[24.0, "orders"].startswith(("fire", "close", "back"))
    # One hit from victory, at arm's length, nobody walks away.
    last = table.query("range_in == 6 and toughness_left == 26").sort_values("enemy_toughness_left").iloc[0]
    assert "fire" in last["orders"]


@pytest.mark.slow
def test_best_play__says_whose_gun_is_reloaded_and_whether_the_enemy_moved() -> None:
    mine, enemy = (
        vehicle(at(20, 7), hp=14, movement=3, keywords={"long_reload": True}),
        vehicle(at(20, 3, range=12), hp=10),
    )
    table = aab.best_play(aab.Game(), mine, enemy, range_in=12, rounds=1, posture_b="hold")
    fires = table["orders"].str.contains("fire weapon 1")
    assert fires[~table["reloading"]].any()
    assert not fires[table["reloading"]].any()
    assert table["reloading"].any()
    assert not table[["enemy_reloading", "enemy_moved"]].any(axis=None)
    howitzer = vehicle(he(20), hp=10, movement=3)  # for HE it counts whether the target moved (AA-24)
    other = aab.best_play(aab.Game(), howitzer, mine, range_in=12, rounds=1, posture_b="close:3")
    assert not other["reloading"].any()
    assert set(other["enemy_reloading"]) == set(other["enemy_moved"]) == {False, True}


def test_best_play__toughness_falls_by_one_hit_and_who_has_shot_leaves_the_enemy_s_range() -> None:
    mine, enemy = vehicle(at(20, 7), hp=20, movement=3), vehicle(at(20, 3, range=12), hp=10)
    table = aab.best_play(aab.Game(), mine, enemy, range_in=12, rounds=1, posture_b="hold")
    assert list(table["toughness_left"].unique()) == [20, 17, 14, 11, 8, 5, 2]  # the enemy's hits take 3
    assert list(table["enemy_toughness_left"].unique()) == [10, 3]
    # Either dies of one hit, and the enemy reaches no farther than 12": fire as well as one can, then out of its range.
    [orders] = table.query("range_in == 12 and toughness_left == 2 and enemy_toughness_left == 3")["orders"]
    assert re.fullmatch("fire weapon 1, back [123]", orders)
