"""What only some battles need: which parts a battle is compiled with, and that each has a place where it is called."""

from __future__ import annotations

from typing import Any

import pytest

import aabalance as aab
from aabalance.definitions.lists import unit_list
from aabalance.definitions.settings import FRONT, situation_mix
from aabalance.engine import jit
from aabalance.engine.battle import actions, policies
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.lanes import kernel, rolls
from aabalance.engine.battle.states import best_reply, solve

pytestmark = pytest.mark.own_forms

GAME = aab.Game()
VALUE = f"policy_{policies.numbers(['value'])[0]}"
HOLD: dict[str, Any] = {"range_in": 18, "actions": 4}


def of(a: str, b: str, *, detailed: bool = False, policy_b: str = "value") -> set[str]:
    """The names of the parts of a battle that is rolled."""
    cards = (
        [GAME.card(unit) for unit in unit_list(a, GAME.cards)],
        [GAME.card(unit) for unit in unit_list(b, GAME.cards)],
    )
    forces = GAME.ruleset.forces(cards, situation_mix(GAME.situation, FRONT), 18, GAME.variant)
    followed = "value", policy_b
    sides = Battle(forces, Terms((4, 4), followed)).sides
    return set(rolls.of_rolls(sides, policies.numbers(followed), detailed=detailed))


def test_parts__each_has_a_place_where_it_is_called() -> None:
    """A name that nothing calls would be left out in silence."""
    kinds = policies.OF_HELP, rolls.OF_DETAIL, rolls.OF_LOG
    every: dict[str, Any] = {name: part for kind in kinds for name, part in kind.items()}
    every |= {**policies.by_number(), "offer": best_reply.offer, "return_fire": kernel.fire_back}
    called = {**jit._asked_for(kernel.battles, every), **jit._asked_for(solve.reach, every)}
    assert set(called) == set(every)


@pytest.mark.parametrize(
    ("a", "b", "given", "needed"),
    [
        ("de_pz4h*2", "us_m4a1*2", {}, {VALUE}),
        ("de_pz4h*2", "us_m4a1*2", {"detailed": True}, {VALUE, *rolls.OF_DETAIL}),
        ("de_pz4h*2", "us_m4a1*2", {"policy_b": "focus"}, set(policies.by_number())),
        ("de_pak40,inf_rifle", "us_m4a1*2", {}, {VALUE, *policies.OF_HELP}),
    ],
)
def test_of_rolls__are_what_a_battle_needs_and_no_more(a: str, b: str, given: dict[str, Any], needed: set[str]) -> None:
    assert of(a, b, **given) == needed


@pytest.mark.slow
def test_parts__that_a_battle_has_no_need_of_change_nothing(request: pytest.FixtureRequest) -> None:
    lists = "de_pz4h*2", "us_m4a1*2"
    needed = of(*lists)
    rolled = GAME.battle(*lists, **HOLD, simulate=300)
    request.getfixturevalue("few_forms")
    assert of(*lists) == needed | set(policies.by_number()) | set(policies.OF_HELP)
    assert GAME.battle(*lists, **HOLD, simulate=300) == rolled


@pytest.mark.slow
@pytest.mark.usefixtures("few_forms")
@pytest.mark.parametrize("seed", range(5))
def test_log__in_plain_loops_is_the_trial_that_the_compiled_ones_count(seed: int) -> None:
    found = GAME.battle("de_pz4h*2,inf_rifle", "us_m4a1*3", **HOLD, first="a", seed=seed, simulate=1)
    log = found.log
    assert log["player_turn"].max() == found.player_turns
    killed = log[(log["taken"] > 0) & (log["taken"] == log["toughness_before"])].groupby("side").size()
    counted = found.units.groupby("side")["kills"].sum()
    assert killed.reindex(counted.index, fill_value=0).to_dict() == counted.to_dict()


def test_policy__a_ninth_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "POLICIES", {str(n): policies.value for n in range(8)})
    with pytest.raises(ValueError, match="found 9, expected 8 at most"):
        policies.policy()(policies.value)


def test_policy__a_name_is_taken_once() -> None:
    # Exact solutions go by names: they would keep to the policy that had it before.
    with pytest.raises(ValueError, match="found value a second time"):
        policies.policy()(policies.value)


@pytest.mark.parametrize(("least", "most", "always"), [(1, 2, True), (2, 2, False), (1, 1, False)])
def test_all_can_hurt_all__a_unit_that_grows_too_weak_to_strike_cannot(least: int, most: int, always: bool) -> None:
    cards = [GAME.card("de_pz4h"), GAME.card("inf_at_rifle")], [GAME.card("fr_p178")]
    (tank, squad), enemies = GAME.ruleset.forces(cards, situation_mix(GAME.situation, FRONT), 6, GAME.variant)
    [strike] = squad.strikes
    squad = squad._replace(strikes=(strike._replace(least=least, most=most),))
    assert actions.all_can_hurt_all(Battle(((tank, squad), enemies), Terms((4, 4), ("value",) * 2)).sides) == always
