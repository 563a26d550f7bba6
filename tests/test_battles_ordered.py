"""Battles whose units fall in a known order: by hand, and against the graph of reachable states."""

from __future__ import annotations

from fractions import Fraction as F
from math import inf
from random import Random
from typing import Any

import numpy as np
import pytest

import aabalance as aab
from aabalance.engine.battle import battle as battles
from aabalance.engine.battle import policies
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.ordered.solve import equal_scores, solve
from aabalance.engine.battle.packing import packed
from aabalance.engine.outcome import BattleOutcome
from aabalance.errors import UsageError
from aabalance.rulesets.base import Fighter, Gun, Help, Strike

PLAIN = Terms((9, 9), ("list_order", "list_order"))
PAIRS = [("list_order", "value"), ("value", "focus"), ("focus", "list_order")]
"""Policies of both sides. The code for ordered battles is the same for all; the graph's is compiled for each pair."""


def unit(*strikes: Strike, toughness: int = 1, guns: tuple[Gun, ...] = (Gun(),), **fields: Any) -> Fighter:
    given = {"name": "unit", "actions": 2, "free": False, "cost": 1, "counts": True, **fields}
    return Fighter(toughness=toughness, guns=guns, strikes=strikes, **given)


def strike(effect: dict[int, F], enemies: int = 1, **fields: Any) -> Strike:
    given = {"weapon": "gun", "gun": 0, "attacks": 1, "actions": 1, "least": 1, "most": 999, **fields}
    return Strike(effects=((effect,),) * enemies, dice=(((),),) * enemies, **given)


def hit(p: F, damage: int = 1) -> dict[int, F]:
    return {0: 1 - p, damage: p}


def solved(a: tuple[Fighter, ...], b: tuple[Fighter, ...], terms: Terms) -> tuple[list[BattleOutcome], str]:
    made = Battle((a, b), terms)
    return [made.solve(first) for first in range(2)], made.solver


def solved_together(forces: tuple[tuple[Fighter, ...], tuple[Fighter, ...]]) -> tuple[Any, int]:
    """A battle in list order with all those of the units that fall last."""
    orders = range(len(forces[0])), range(len(forces[1]))
    tables, states = solve([(packed(forces, PLAIN.limits, (None, None)), orders)], PLAIN)
    return tables[0], states[0]


# --- by hand ----------------------------------------------------------------------------------------------------


def test_solve__two_against_one_by_hand() -> None:
    # a: two units with one step, which hit with 1/2; b: one with two steps, which hits with 1/3.
    # One against one, b with one step left, a to move: A = 1/2 + 1/2 x 2/3 x A, so A = 3/4 and 2 x 3/4 turns less what
    # b saves: T = 1 + 1/2 (1 + 2/3 T) gives 9/4. b with two steps left: A2 = 1/2 x 2/3 A1 + 1/2 x 2/3 A2, so A2 = 3/8;
    # T2 = 1 + 1/2 (1 + 2/3 T1) + 1/2 (1 + 2/3 T2) gives (2 + 3/4) / (2/3) = 33/8.
    # Two against one with one step left, b to move: B = 1/3 A1 + 2/3 (3/4 + 1/4 B), so B = 9/10 and a to move 39/40.
    # Two steps, a to move: 1/4 + 1/2 B + 1/4 B2 with B2 = 1/3 A2 + 2/3 (1/4 + 1/2 B + 1/4 B2).
    one = (F(1, 8) + F(2, 3) * (F(1, 4) + F(1, 2) * F(9, 10))) / (1 - F(1, 6))
    both = F(1, 4) + F(1, 2) * F(9, 10) + F(1, 4) * one
    a, b = unit(strike(hit(F(1, 2)))), unit(strike(hit(F(1, 3)), enemies=2), toughness=2)
    table, _ = solved_together(((a, a), (b,)))
    assert table[1, 1, 0, 0] == pytest.approx(float(F(3, 8)), abs=1e-15)
    assert table[1, 1, 0, 4] == pytest.approx(float(F(33, 8)), abs=1e-14)
    assert table[2, 1, 1, 0] == pytest.approx(float(one), abs=1e-15)
    assert table[2, 1, 0, 0] == pytest.approx(float(both), abs=1e-15)
    assert table[2, 1, 0, 1] == pytest.approx(float(1 - both), abs=1e-15)


def test_solve__what_is_left_of_a_shot_is_wasted() -> None:
    # Five damage on seven toughness is two hits; the second hit of three doesn't go through to the next unit.
    a, b = unit(strike({5: F(1)}, 2), toughness=9), unit(strike({1: F(1)}), toughness=7)
    table, _ = solved_together(((a,), (b, b)))
    # Each of a's turns is one hit: four of them, with three turns of b between, which take one each while both are
    # left, and when one is.
    assert table[1, 2, 0, :5].tolist() == [1, 0, 0, 0, 7]
    assert table[1, 1, 0, 4] == 3


def test_solve__nobody_who_can_hurt_is_a_draw_at_once() -> None:
    found, solver = solved((unit(),) * 2, (unit(cost=3),) * 2, PLAIN)
    assert found == [BattleOutcome(0, 0, 1, 0, 0, 2, 6, 2, 2)] * 2
    assert solver.startswith("chain")
    found, _ = solved((unit(),) * 2, (unit(cost=3),) * 2, PLAIN._replace(rounds=2, by_cost=True))
    assert found == [BattleOutcome(0, 1, 0, 0, 0, 2, 6, 2, 2)] * 2


def test_solve__a_battle_that_nobody_ends_is_a_draw_after_turns_without_end() -> None:
    # The gun takes both attacks of one that has only one.
    blank = unit(strike(hit(F(1, 2)), attacks=2))
    found, solver = solved((blank,), (blank,), PLAIN)
    assert found == [BattleOutcome(0, 0, 1, 0, inf, 1, 1, 1, 1)] * 2
    assert solver.startswith("chain")


def test_solve__a_sure_hit_may_lead_to_a_battle_without_end() -> None:
    # The first of b falls at once; for what hurts the second, nobody's gun has the attacks.
    never = strike(hit(F(1, 2)), 2, attacks=2)
    a = unit(strike(hit(F(1)), 2)._replace(effects=((hit(F(1)),), ({0: F(1)},))), never)
    b = unit(strike(hit(F(1, 2)), attacks=2))
    found, solver = solved((a,), (b, b), PLAIN)
    assert found == [BattleOutcome(0, 0, 1, 0, inf, 1, 1, 1, 1)] * 2
    assert solver.startswith("chain")


@pytest.mark.parametrize("solved_before", [0, 2])
def test_solve__what_has_no_chance_may_lead_to_turns_without_end(
    monkeypatch: pytest.MonkeyPatch, solved_before: int
) -> None:
    # The first of b falls at once, without having had one or two steps left: nobody has the attacks for those.
    monkeypatch.setattr(battles, "_plain", [0] * solved_before)
    never = strike(hit(F(1, 2)), 2, attacks=2)
    a = unit(strike(hit(F(1)), 2)._replace(effects=((hit(F(1), 3),), ({0: F(1)},))), never)
    b = unit(strike(hit(F(1, 2)), attacks=2), toughness=3)
    found, solver = solved((a,), (b, b), PLAIN)
    assert found == [BattleOutcome(0, 0, 1, 0, inf, 1, 1, 1, 1)] * 2
    assert solver == "chain, 28 states"


def test_solve__a_turn_ends_with_the_shot_after_which_nobody_can_hurt_who_counts() -> None:
    # One of b can hurt nobody but the first of a, and nobody can hurt it. Once the first of a and the first of b are
    # gone it is over: the other of a keeps its second shot, though there is somebody left who doesn't count.
    spent, bare = {0: F(1)}, unit()
    a = bare, unit(strike(hit(F(1)), 3)._replace(effects=((hit(F(1)),), (hit(F(1)),), (spent,))), guns=(Gun(2),))
    b = unit(), unit(counts=False), unit(strike(hit(F(1)), 2)._replace(effects=((hit(F(1)),), (spent,))))
    found, solver = solved(a, b, PLAIN)
    assert found[1] == BattleOutcome(0, 0, 1, 0, 2, 1, 2, 1, 2)
    assert solver.startswith("chain")


def test_solve__what_nobody_can_have_left_is_no_state() -> None:
    # Of 30, hits of 10 and 13 leave 20, 17, 10, 7, 4 and nothing: seven numbers by two, by who is to move.
    a = unit(strike({0: F(1, 3), 10: F(1, 3), 13: F(1, 3)}))
    b = unit(strike(hit(F(1, 2))), toughness=30)
    assert solved((a,), (b,), PLAIN)[1] == "chain, 28 states"


def test_solve__a_side_of_more_units_than_can_be_rolled() -> None:
    # One of a's shots is enough; before it, b takes one of them.
    a, b = unit(strike(hit(F(1))), cost=2), unit(strike(hit(F(1)), enemies=40), cost=3)
    found, solver = solved((a,) * 40, (b,), PLAIN)
    assert found == [BattleOutcome(1, 0, 0, 0, 1, 80, 0, 40, 0), BattleOutcome(1, 0, 0, 0, 2, 78, 0, 39, 0)]
    assert solver.startswith("chain")


HELPED = strike(hit(F(1, 2)), 2, helps=(Help((1,)),))
STEPS_ASIDE = {
    "help": (unit(HELPED), unit(strike(hit(F(1, 2)), 2))),
    "a shield": (unit(strike(hit(F(1, 2)), 2), strike(hit(F(2, 3)), 2, gone=0)),) * 2,
    "striking back": (unit(strike(hit(F(1, 2)), 2, return_fire=True)),) * 2,
    "one turn of fire": (unit(strike(hit(F(1, 2)), 2), strike(hit(F(1, 3)), 2, gun=1), guns=(Gun(once=True), Gun())),)
    * 2,
}


@pytest.mark.parametrize("what", STEPS_ASIDE)
def test_solve__strikes_that_ask_for_more_are_left_to_the_graph(what: str) -> None:
    a, b = STEPS_ASIDE[what], unit(strike(hit(F(1, 2)), 2), toughness=2)
    found, solver = solved(a, (b, b), PLAIN)
    assert not solver.startswith("chain")
    plain = Battle((a, (b, b)), PLAIN, in_order=False)
    for first in range(2):
        close(found[first], plain.solve(first))


# --- against the graph ------------------------------------------------------------------------------------------


def effect(rng: Random, most: int) -> dict[int, F]:
    amounts = rng.sample(range(1, most + 1), rng.randint(1, min(2, most)))
    shares = [rng.randint(1, 5) for _ in range(len(amounts) + 1)]
    return {0: F(shares[0], sum(shares)), **{n: F(k, sum(shares)) for n, k in zip(amounts, shares[1:], strict=True)}}


def drawn(rng: Random, targets: list[int]) -> Fighter:
    """A unit by chance; each number in `targets` is a kind of enemy, or -1 for one that it can't hurt."""
    toughness, actions = rng.randint(1, 7), rng.randint(1, 3)
    most, free = rng.choice([1, 2, 4, 9]), rng.random() < 0.2
    guns, strikes = [], []
    for gun in range(rng.choice([1, 1, 1, 2])):
        attacks = rng.choice([1, 1, 2])
        guns.append(Gun(attacks, rng.random() < 0.2))
        for _ in range(rng.choice([1, 1, 2])):
            by_kind = {kind: effect(rng, most) for kind in {*targets}} | {-1: {0: F(1)}}
            aims = rng.random() < 0.2
            takes, cost = (attacks, 2) if aims else (1, 1)
            parts = [(1, 999)] if rng.random() < 0.7 else [(3, 999), (1, 2)]
            for least, above in parts:
                scale = 1 if least == parts[0][0] else 2
                made = {kind: {n * scale: p for n, p in one.items()} for kind, one in by_kind.items()}
                effects = tuple((made[kind],) for kind in targets)
                dice: tuple[Any, ...] = (((),),) * len(targets)
                strikes.append(Strike("gun", gun, takes, cost, least, above, effects, dice))
    name = f"unit {rng.random()}"
    counts = not free or rng.random() < 0.3
    return Fighter(name, toughness, actions, free, rng.randint(1, 4), counts, tuple(guns), tuple(strikes))


def terms(rng: Random) -> Terms:
    limits = rng.randint(1, 5), rng.randint(1, 5)
    rounds = rng.choice([None, None, 1, 3])
    return Terms(limits, rng.choice(PAIRS), rounds, rounds is not None and rng.random() < 0.6)


def close(found: Any, expected: Any) -> None:
    assert np.asarray(found) == pytest.approx(np.asarray(expected), rel=1e-12, abs=1e-12)


def against_graph(a: tuple[Fighter, ...], b: tuple[Fighter, ...], given: Terms) -> bool:
    """The same either way; returns whether it was solved as an ordered battle at all."""
    found, solver = solved(a, b, given)
    plain = Battle((a, b), given, in_order=False)
    for first in range(2):
        close(found[first], plain.solve(first))
    assert plain.solver.startswith("reachable states")
    return solver.startswith("chain")


@pytest.mark.parametrize("seed", range(4))
def test_solve__equal_units_are_the_same_battle_as_their_reachable_states(seed: int) -> None:
    rng = Random(seed)
    in_order = 0
    for _ in range(20):
        n, m = rng.randint(1, 3), rng.randint(1, 3)
        a, b = drawn(rng, [0] * m), drawn(rng, [0] * n)
        in_order += against_graph((a,) * n, (b,) * m, terms(rng))
    assert in_order >= 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_solve__mixed_lists_are_the_same_battle_as_their_reachable_states(seed: int) -> None:
    rng = Random(seed)
    in_order = 0
    for _ in range(40):
        n, m = rng.randint(1, 3), rng.randint(1, 3)
        # Whom nobody hurts comes last, so that more lists have an order of falling.
        kinds_a, kinds_b = sorted(rng.choices([-1, 0, 1], k=m), reverse=True), sorted(rng.choices([0, 1], k=n))
        a = tuple(drawn(rng, kinds_a) for _ in range(n))
        b = tuple(drawn(rng, kinds_b) for _ in range(m))
        in_order += against_graph(a, b, terms(rng))
    assert in_order >= 10


def test_solve__cards_of_the_roster_are_the_same_battle_as_their_reachable_states() -> None:
    game = aab.Game()
    rng = Random(1)
    in_order = 0
    for _ in range(30):
        a, b = (game.card(unit) for unit in rng.choices(list(game.cards), k=2))
        n, m = rng.randint(1, 2), rng.randint(1, 2)
        lists = [a] * n, [b] * m
        views = {game.situation(): F(1)}
        force_a, force_b = game.ruleset.forces(lists, views, rng.choice([6, 12, 18, 24]), game.variant)
        if any(unit.counts for unit in force_a) and any(unit.counts for unit in force_b):
            in_order += against_graph(force_a, force_b, terms(rng))
    assert in_order >= 15


def test_solve__what_reloads_by_chance_is_the_same_battle_as_its_reachable_states() -> None:
    # The larger gun for whoever has all three steps left, the surer to finish it: which reloads depends on the dice.
    surer, larger = strike(hit(F(9, 10)), gun=1), strike(hit(F(1, 2), 3))
    a = unit(larger, surer, toughness=3, actions=1, guns=(Gun(reloads=True), Gun()))
    for n, m in ((1, 1), (2, 1), (2, 3)):
        forces = (against(a, m),) * n, (against(a, n),) * m
        found, solver = solved(*forces, PLAIN)
        assert solver.startswith("chain")
        plain = Battle(forces, PLAIN, in_order=False)
        assert np.array(found) == pytest.approx(np.array([plain.solve(first) for first in range(2)]), rel=1e-12)
        assert plain.solver.startswith("reachable states")


# --- all smaller ones -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_equal_scores__has_every_smaller_battle(seed: int) -> None:
    rng = Random(seed)
    pairs = [(drawn(rng, [0]), drawn(rng, [0])) for _ in range(6)]
    given = terms(rng)
    tables = equal_scores(pairs, [(3, 2)] * 6, [given])[0]
    assert {table.shape for table in tables} == {(4, 3)}
    held = [at for at, table in enumerate(tables) if not np.isnan(table).any()]
    assert len(held) >= 4
    for at in held:
        for n, m in ((1, 1), (1, 2), (2, 1), (3, 1), (2, 2)):
            forces = ((against(pairs[at][0], m),) * n, (against(pairs[at][1], n),) * m)
            plain = Battle(forces, given, in_order=False)
            ends = [plain.solve(first) for first in range(2)]
            assert tables[at][n, m] == pytest.approx(sum(end.p_a + end.p_draw / 2 for end in ends) / 2, abs=1e-12)


def against(one: Fighter, enemies: int) -> Fighter:
    """A unit that fights so many of the same enemy."""
    many = [made._replace(effects=made.effects * enemies, dice=made.dice * enemies) for made in one.strikes]
    return one._replace(strikes=tuple(many))


def test_equal_scores__a_side_without_units_has_lost() -> None:
    a = unit(strike(hit(F(1, 2))), cost=3)
    table = equal_scores([(a, a)], [(2, 2)], [PLAIN])[0][0]
    assert (table[0, 2], table[1, 0], table[0, 0]) == (0, 1, 0.5)


def test_solve__a_mixed_list_has_the_battles_of_those_that_fall_last() -> None:
    # In list order the first falls first: what the table has of two against one are the last two.
    rng = Random(5)
    shooter = drawn(rng, [0, 0, 0])
    lists = (shooter,), tuple(unit(strike(effect(rng, 3)), toughness=n, cost=n) for n in (2, 4, 3))
    table, states = solved_together(lists)
    assert states > 0
    last = (against(shooter._replace(strikes=tuple(made._replace(effects=made.effects[:1], dice=made.dice[:1])
            for made in shooter.strikes)), 2),)  # fmt: skip
    plain = Battle((last, lists[1][1:]), PLAIN, in_order=False)
    for first in range(2):
        close(table[1, 2, first], plain.solve(first))


def test_equal_scores__each_pair_has_a_table_of_its_own_size() -> None:
    rng = Random(7)
    pairs = [(drawn(rng, [0]), drawn(rng, [0])) for _ in range(4)]
    whole = equal_scores(pairs, [(4, 4)] * 4, [PLAIN])[0]
    parts = equal_scores(pairs, [(1, 4), (3, 2), (0, 1), (4, 4)], [PLAIN])[0]
    assert [table.shape for table in parts] == [(2, 5), (4, 3), (1, 2), (5, 5)]
    for table, part in zip(whole, parts, strict=True):
        assert not np.isnan(part).any()
        assert part == pytest.approx(table[: part.shape[0], : part.shape[1]], rel=1e-12, abs=1e-12)


def test_equal_scores__refuses_a_policy_that_it_does_not_know() -> None:
    with pytest.raises(UsageError, match="policy: found 'last', expected one of list_order, focus, value"):
        equal_scores([], [], [PLAIN._replace(policies=("value", "last"))])


@pytest.mark.slow
def test_solve__leaves_another_policy_to_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine(*given: Any) -> None:
        """Of the user, so that a small battle isn't compiled for it."""
        policies.POLICIES["list_order"](*given)

    monkeypatch.setitem(policies.POLICIES, "mine", mine)
    monkeypatch.setitem(policies.FALLS, "mine", policies.FALLS["list_order"])
    a = unit(strike(hit(F(1, 2))), toughness=2)
    found, solver = solved((a,), (a,), PLAIN._replace(policies=("mine", "mine")))
    assert solver.startswith("reachable states of a chain")
    for one, other in zip(found, solved((a,), (a,), PLAIN)[0], strict=True):
        close(one, other)
