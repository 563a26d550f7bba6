"""The best reply to a policy: by hand, against every way to play that an independent recursion goes through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import aabalance as aab
from aabalance.cli import main
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.policies import BEST, POLICIES
from aabalance.errors import UsageError
from aabalance.rulesets.base import Fighter, Force, Gun, Help, Strike

pytestmark = pytest.mark.slow

GAME = aab.Game()


def score(found: Any) -> float:
    return float(found.p_a + found.p_draw / 2)


# --- units by hand ----------------------------------------------------------------------------------------------


def strike(*effects: dict[int, F], attacks: int = 1, actions: int = 1, **fields: Any) -> Strike:
    """One that takes this much from each enemy."""
    whole = tuple(({**effect, 0: 1 - sum(effect.values())},) for effect in effects)
    dice = (((),),) * len(effects)
    return Strike("gun", fields.pop("gun", 0), attacks, actions, fields.pop("least", 1), 99, whole, dice, **fields)


GUN = (Gun(),)


def unit(toughness: int, *strikes: Strike, cost: int = 1, actions: int = 2, guns: tuple[Gun, ...] = GUN) -> Fighter:
    return Fighter("unit", toughness, actions, False, cost, True, guns, strikes)


def solved(a: list[Fighter], b: list[Fighter], policies: tuple[str, str] = (BEST, "value"), **terms: Any) -> Any:
    first = terms.pop("first", 0)
    return Battle((tuple(a), tuple(b)), Terms(terms.pop("limits", (2, 2)), policies, **terms)).solve(first)


# --- by hand ----------------------------------------------------------------------------------------------------


def test_best__aims_where_value_spares_an_action_that_it_has_no_use_for() -> None:
    # A plain shot hits one time in three and an aimed one in two, for two actions. Each is worth less per action, so
    # `value` never aims; b hits one time in two. a first: p = q + (1 - q)(1/2) p.
    shots = strike({1: F(1, 3)}), strike({1: F(1, 2)}, actions=2)
    a, b = [unit(1, *shots)], [unit(1, strike({1: F(1, 2)}))]
    assert score(solved(a, b, ("value", "value"))) == pytest.approx(F(1, 3) / (1 - F(1, 3)))
    assert score(solved(a, b)) == pytest.approx(F(1, 2) / (1 - F(1, 4)))


def test_best__destroys_the_cheap_one_that_bites() -> None:
    # One shot a turn that never misses. The dear one does nothing, the cheap one destroys a in its turn.
    a = [unit(1, strike({1: F(1)}, {1: F(1)}))]
    b = [unit(1, cost=9), unit(1, strike({1: F(1)}))]
    assert score(solved(a, b, ("value", "value"))) == 0
    assert score(solved(a, b)) == 1
    assert score(solved(a, b, ("threat", "value"))) == 1


def test_best__keeps_what_it_has_once_for_whom_nothing_else_hurts() -> None:
    # The gun hurts the first enemy alone; what there is once hurts both, and takes more of the dear first one.
    guns = Gun(), Gun(once=True)
    a = [unit(9, strike({1: F(1)}, {}), strike({2: F(1)}, {1: F(1)}, gun=1), actions=1, guns=guns)]
    b = [unit(2, cost=9), unit(1, strike({1: F(1)}))]
    # Once it is gone, the second enemy is there for ever, and takes one of nine a turn.
    assert score(solved(a, b, ("value", "value"))) == 0
    found = solved(a, b)
    assert (score(found), found.player_turns) == (1, 5)


def test_best__stops_to_keep_a_gun_loaded() -> None:
    # The second enemy is hurt by the gun that reloads alone, for certain, once the first is gone; that goes to the
    # other gun with 1/2, to this with 1/6. In two turns of a, after which it is a draw: if the other gun misses, the
    # loaded one waits, and the second turn wins with 1/2 again. Fired instead, it is empty when it is wanted.
    shots = strike({1: F(1, 2)}, {}), strike({1: F(1, 6)}, {}, gun=1), strike({}, {1: F(1)}, gun=1, gone=0)
    a, b = [unit(1, *shots, guns=(Gun(), Gun(reloads=True)))], [unit(1), unit(1)]
    assert score(solved(a, b, ("value", "value"), rounds=2)) == pytest.approx((1 + F(1, 2)) / 2)
    assert score(solved(a, b, rounds=2)) == pytest.approx((1 + F(3, 4)) / 2)


@pytest.mark.parametrize(("p", "expected"), [(F(2, 5), 0.5), (F(3, 5), 0.6)])
def test_best__takes_a_draw_for_half_of_a_win(p: F, expected: float) -> None:
    # One shot in the only round: at the one that counts, which wins with p and loses otherwise; or, for certain, at the
    # squad that would destroy a in its turn, which makes it a draw.
    a = [unit(1, strike({1: p}, {1: F(1)}))]
    b = [unit(1, cost=9), unit(1, strike({1: F(1)}))._replace(counts=False)]
    assert score(solved(a, b, rounds=1)) == pytest.approx(expected)


def test_best__of_a_battle_without_end_is_a_draw() -> None:
    # b's only shot was its last, a hurts nobody: nobody can be kept from going on for ever.
    a, b = [unit(2)], [unit(1, strike({1: F(1)}), guns=(Gun(once=True),))]
    found = solved(a, b)
    assert (found.p_draw, found.player_turns, score(found)) == (1, float("inf"), 0.5)


def test_best__may_be_the_second_side() -> None:
    shots = strike({1: F(1, 3)}), strike({1: F(1, 2)}, actions=2)
    a, b = [unit(1, *shots)], [unit(1, strike({1: F(1, 2)}))]
    assert score(solved(b, a, ("value", BEST), first=1)) == pytest.approx(1 - F(1, 2) / (1 - F(1, 4)))


def test_best__prepares_a_gun_that_is_worth_it() -> None:
    # In two rounds: prepared in the first, the second gun takes all in the second; the first hits one time in three.
    shots = strike({1: F(1, 3)}), strike({2: F(1)}, gun=1, prepare=2), strike({2: F(1)}, gun=1, prepared=True)
    a, b = [unit(1, *shots, guns=(Gun(), Gun()))], [unit(2)]
    assert score(solved(a, b, rounds=2)) == 1
    # With one action a turn there is none to prepare it with: both shots have to hit.
    assert score(solved(a, b, rounds=2, limits=(1, 1))) == pytest.approx((1 + F(1, 9)) / 2)


def test_best__leaves_the_shot_to_the_squad_that_no_gun_needs() -> None:
    # The gun takes the second enemy once the first is gone, with an action of the first squad. Either squad takes the
    # first enemy, and they differ in nothing else.
    squads = [unit(1, strike({1: F(1)}, {}), actions=1) for _ in range(2)]
    gun = unit(1, strike({}, {1: F(1)}, gone=0, helps=(Help((0,), 1),)), actions=1)
    a, b = [*squads, gun], [unit(1), unit(1)]
    assert score(solved(a, b, limits=(3, 1), rounds=1)) == 1
    assert score(solved(a, b, ("value", "value"), limits=(3, 1), rounds=1)) == 0.5


def test_best__spares_whoever_would_strike_back() -> None:
    # Struck, the dear enemy strikes back, and each takes one of two in b's own turn. The cheap one is harmless.
    a = [unit(2, strike({1: F(1)}, {1: F(1)}), actions=1)]
    b = [unit(2, strike({1: F(1)}, return_fire=True), cost=9), unit(1)]
    assert score(solved(a, b, ("value", "value"), limits=(1, 1), rounds=1)) == 0
    assert score(solved(a, b, limits=(1, 1), rounds=1)) == 0.5


# --- every way to play ------------------------------------------------------------------------------------------


class Ways:
    """All ways in which one side may play against a policy of the other, and the best of them; no code of the engine.

    Parameters
    ----------
    forces : pair of Force
        Units of one pool of actions, whose strikes need nobody.
    limits : (int, int)
    policy : str
        Of side 1.
    by_worth : bool
    """

    def __init__(self, forces: tuple[Force, Force], limits: tuple[int, int], policy: str, by_worth: bool) -> None:
        self.forces, self.limits, self.policy, self.by_worth = forces, limits, policy, by_worth
        self.after_turn = cache(self._after_turn)

    def fresh(self) -> Any:
        left = tuple(tuple(unit.toughness for unit in force) for force in self.forces)
        return left, tuple(frozenset() for _ in self.forces)

    def over(self, left: Any) -> bool:
        return not all(map(any, left)) or not any(
            max(amount for amount, p in strike.effects[enemy][0].items() if p) > 0
            for side, limit in enumerate(self.limits)
            for n, unit in enumerate(self.forces[side])
            for strike in unit.strikes
            for enemy, toughness in enumerate(left[1 - side])
            if left[side][n] and toughness and strike.actions <= min(limit, unit.actions)
        )

    def ended(self, left: Any) -> F:
        """The score of side 0 at the end."""
        if all(map(any, left)) and self.by_worth:
            mine, other = (
                sum(unit.cost for unit, has in zip(force, of, strict=True) if has)
                for force, of in zip(self.forces, left, strict=True)
            )
            return F((mine > other) - (mine < other) + 1, 2)
        return F(any(left[0]) - any(left[1]) + 1, 2)

    def offers(self, side: int, left: Any, empty: Any, fired: Any, spent: Any) -> Iterator[tuple[int, int, int]]:
        for n, unit in enumerate(self.forces[side]):
            for k, one in enumerate(unit.strikes):
                gun = unit.guns[one.gun]
                if (
                    left[side][n] == 0
                    or (n, one.gun) in empty[side]
                    or fired.count((n, one.gun)) + one.attacks > gun.attacks
                    or spent[n] + one.actions > unit.actions
                    or sum(spent) + one.actions > self.limits[side]
                ):
                    continue
                for enemy, toughness in enumerate(left[1 - side]):
                    if toughness and self.mean(one, enemy, toughness) > 0:
                        yield n, k, enemy

    def answered(self, side: int, n: int, enemy: int, left: Any) -> Iterator[tuple[Any, F]]:
        """What may be left once an enemy who was struck has struck back."""
        strikes = self.forces[1 - side][enemy].strikes if left[1 - side][enemy] else ()
        back = [one for one in strikes if one.return_fire and self.mean(one, n, left[side][n]) > 0]
        for amount, p in back[0].effects[n][0].items() if back else [(0, F(1))]:
            row = list(left[side])
            row[n] = max(row[n] - amount, 0)
            yield ((tuple(row), left[1]) if side == 0 else (left[0], tuple(row))), p

    @staticmethod
    def mean(one: Strike, enemy: int, left: int) -> F:
        return sum((p * min(amount, left) for amount, p in one.effects[enemy][0].items()), F(0))

    def chosen(self, left: Any, offers: list[tuple[int, int, int]]) -> tuple[int, int, int]:
        force, enemies = self.forces[1], self.forces[0]

        def gain(offer: tuple[int, int, int]) -> F:
            n, k, enemy = offer
            one = force[n].strikes[k]
            return self.mean(one, enemy, left[0][enemy]) / one.actions / left[0][enemy]

        if self.policy == "value":
            return max(offers, key=lambda offer: gain(offer) * enemies[offer[2]].cost)
        of_first = [offer for offer in offers if offer[0] == offers[0][0]]
        whom = sorted({enemy for _, _, enemy in of_first})
        if self.policy == "focus":
            whom.sort(key=lambda enemy: (left[0][enemy], -enemies[enemy].cost))
        return max((offer for offer in of_first if offer[2] == whom[0]), key=gain)

    def turn(self, side: int, state: Any, then: Any) -> F:
        """The score of side 0 if `then` says what it is of the states after this turn."""
        left, empty = state

        def goes_on(left: Any, fired: tuple[Any, ...], spent: tuple[int, ...]) -> F:
            if self.over(left):
                return self.ended(left)
            offers = list(self.offers(side, left, empty, fired, spent))
            if side == 1 and offers:
                return struck(left, fired, spent, self.chosen(left, offers))
            guns = [(n, at) for n, unit in enumerate(self.forces[side]) for at in range(len(unit.guns))]
            now = frozenset(
                (n, at)
                for n, at in guns
                for gun in [self.forces[side][n].guns[at]]
                if ((n, at) in fired and (gun.reloads or gun.once)) or ((n, at) in empty[side] and gun.once)
            )
            stopped = then((left, (now, empty[1]) if side == 0 else (empty[0], now)))
            return max([struck(left, fired, spent, offer) for offer in offers] + [stopped])

        @cache
        def struck(left: Any, fired: tuple[Any, ...], spent: tuple[int, ...], offer: tuple[int, int, int]) -> F:
            n, k, enemy = offer
            one = self.forces[side][n].strikes[k]
            total = F(0)
            fired = (*fired, *((n, one.gun),) * one.attacks)
            spent = (*spent[:n], spent[n] + one.actions, *spent[n + 1 :])
            for amount, p in one.effects[enemy][0].items():
                if p:
                    row = list(left[1 - side])
                    row[enemy] = max(row[enemy] - amount, 0)
                    after = (left[0], tuple(row)) if side == 0 else (tuple(row), left[1])
                    for answered, q in self.answered(side, n, enemy, after):
                        total += p * q * goes_on(answered, fired, spent)
            return total

        return goes_on(left, (), (0,) * len(self.forces[side]))

    def _after_turn(self, turns: int, side: int, state: Any) -> F:
        """The score of side 0 with so many turns to go."""
        if turns == 0 or self.over(state[0]):
            return self.ended(state[0])
        return self.turn(side, state, lambda later: self.after_turn(turns - 1, 1 - side, later))


def small(rng: Random, sides: tuple[int, int], *, answering: bool = False) -> tuple[Force, Force]:
    """Lists by chance of so many units, some of whom may strike back."""

    def effect() -> dict[int, F]:
        sure = rng.randint(0, 6)
        return rng.choice([{1: F(sure, 6)}, {1: F(sure, 6)}, {2: F(sure, 6)}, {1: F(sure, 12), 2: F(1, 3)}])

    def one(enemies: int) -> Fighter:
        gun = Gun(rng.randint(1, 2), reloads=rng.random() < 0.3)
        strikes = [strike(*(effect() for _ in range(enemies)))]
        guns = [gun]
        if rng.random() < 0.4:
            strikes.append(strike(*(effect() for _ in range(enemies)), attacks=gun.attacks, actions=2))
        if rng.random() < 0.3:
            strikes.append(strike(*(effect() for _ in range(enemies)), gun=1))
            guns.append(Gun(once=rng.random() < 0.5))
        if answering:
            strikes = [one._replace(return_fire=one.actions == 1 and rng.random() < 0.7) for one in strikes]
        toughness, cost = rng.randint(1, 3), rng.randint(1, 4)
        return unit(toughness, *strikes, cost=cost, actions=rng.randint(1, 3), guns=tuple(guns))

    made = []
    for own, enemies in (sides, sides[::-1]):
        units = [one(enemies) for _ in range(own)]
        # Equal units too.
        made.append(tuple(rng.choice(units) for _ in units) if rng.random() < 0.4 else tuple(units))
    return made[0], made[1]


NAMED = "list_order", "focus", "value"


@pytest.mark.parametrize("seed", range(36))
def test_best__is_the_best_of_all_ways_to_play_some_rounds(seed: int) -> None:
    rng = Random(seed)
    forces = small(rng, rng.choice([(1, 2), (2, 1), (2, 2), (3, 1)]), answering=seed >= 24)
    limits, policy = (rng.randint(1, 3), rng.randint(1, 3)), NAMED[seed % 3]
    rounds, first, by_worth = rng.randint(1, 3), rng.randint(0, 1), rng.random() < 0.5
    if by_worth:
        # No two sets of units are worth the same, so that nobody plays on.
        a, b = forces
        forces = (
            tuple(one._replace(cost=1 << n) for n, one in enumerate(a)),
            tuple(one._replace(cost=1 << len(a) + n) for n, one in enumerate(b)),
        )
    ways = Ways(forces, limits, policy, by_worth)
    expected = ways.after_turn(2 * rounds, first, ways.fresh())
    found = Battle(forces, Terms(limits, (BEST, policy), rounds, by_worth)).solve(first)
    assert score(found) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(102, 114))
def test_best__is_the_best_of_all_ways_to_play_to_the_end(seed: int) -> None:
    rng = Random(seed)
    forces = small(rng, rng.choice([(1, 2), (2, 1), (2, 2)]))
    limits, policy = (rng.randint(1, 3), rng.randint(1, 3)), NAMED[seed % 3]
    ways = Ways(forces, limits, policy, by_worth=False)
    # What is undecided after so many turns as floating point can tell, is a draw.
    values: dict[Any, float] = {(0, ways.fresh()): 0.5}
    asked: list[Any] = []

    def known(side: int, state: Any) -> Any:
        if (side, state) not in values:
            values[side, state] = 0.5
            asked.append((side, state))
        return values[side, state]

    change = 1.0
    for sweep in range(3000):
        change = 0.0
        for side, state in list(values):

            def then(later: Any, other: int = 1 - side) -> Any:
                return known(other, later)

            new = float(ways.turn(side, state, then))
            change = max(change, abs(new - values[side, state]))
            values[side, state] = new
        if change < 1e-12 and sweep > 20:
            break
    assert change < 1e-12
    found = Battle(forces, Terms(limits, (BEST, policy))).solve(0)
    assert score(found) == pytest.approx(values[0, ways.fresh()], abs=1e-9)


# --- on a grid --------------------------------------------------------------------------------------------------

TANKS = "de_pz4h su_t34_85 us_m4a1 de_tiger1 us_m18 de_marder3m su_is2 uk_17pdr de_pz2f inf_rifle su_t70"


@pytest.mark.parametrize("seed", range(10))
def test_best__is_no_worse_than_any_policy(seed: int) -> None:
    rng = Random(seed)
    a, b = (["us_m4a1", *rng.choices(TANKS.split(), k=rng.randint(0, 1))] for _ in range(2))
    given: dict[str, Any] = {
        "range_in": rng.choice([6, 12, 18, 24]),
        "actions": (rng.randint(1, 4), rng.randint(1, 4)),
        "facing": rng.choice(["front", "mix"]),
        "first": rng.choice(["a", "b"]),
        "policy_b": rng.choice(["value", "threat"]),
        **rng.choice([{}, {"rounds": 4}, {"mode": "timed", "rounds": 3}]),
    }
    found = GAME.battle(a, b, **given, policy_a=BEST)
    assert found.engine == "exact"
    assert found.solver.startswith("best reply, ")
    for policy in POLICIES:
        assert score(found) >= score(GAME.battle(a, b, **given, policy_a=policy)) - 1e-12, policy


def test_best__is_no_worse_than_any_policy_where_units_strike_back() -> None:
    game = aab.Game("skirmish_wars")
    tanks = [card.id for card in game.cards.values() if card.name]
    given: dict[str, Any] = {"range_in": 1, "rounds": 3}
    for seed in range(4):
        a, b = Random(seed).choices(tanks, k=2), Random(-seed - 1).choices(tanks, k=2)
        found = game.battle(a, b, **given, policy_a=BEST)
        for policy in POLICIES:
            assert score(found) >= score(game.battle(a, b, **given, policy_a=policy)) - 1e-12, (seed, policy)


# --- what is refused, and said ----------------------------------------------------------------------------------


MANY_A = "de_tiger1*3,de_pz4h*3,de_hetzer*3,de_puma*3"
MANY_B = "su_t34_85*3,su_is2*3,su_t70*3,su_su100*3"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"policy_b": BEST}, "policy: found 'best' for both sides, expected a named one for one"),
        ({"simulate": 1000}, "policy: found 'best' in a battle to be rolled, expected a named one"),
        (
            {"list_a": MANY_A, "list_b": MANY_B},
            "battle: too large for an exact solution, which 'best' needs; use fewer",
        ),
    ],
)
def test_best__refuses_in_a_line(given: dict[str, Any], said: str) -> None:
    fought = {"list_a": "de_tiger1", "list_b": "su_t34_85", "range_in": 18, "actions": 5, "policy_a": BEST, **given}
    with pytest.raises(UsageError) as error:
        GAME.battle(**fought)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("asked", ["--explain", "--units"])
def test_best__is_refused_where_its_battle_would_be_rolled_to_be_told(asked: str) -> None:
    words = ["battle", "de_tiger1", "su_t34_85", "--range", "18", "--actions", "2", "--policy-a", "best", asked]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 2
    assert found.stderr.splitlines()[-1].endswith("policy: found 'best' in a battle to be rolled, expected a named one")


def test_best__reaches_the_command_line_and_the_table_of_battles() -> None:
    words = ["battle", "de_tiger1", "su_t34_85*2", "--range", "18", "--actions", "2", "--policy-a", "best", "--json"]
    said = json.loads(CliRunner().invoke(main, words).output)
    assert said["solver"].startswith("best reply, one side a chain, ")
    # A Tiger aims with the second action, of which `value` makes nothing.
    pairs = [("de_tiger1", "su_t34_85*2")]
    table = aab.battles(
        GAME,
        pairs=pairs,
        situations=[{"range_in": 18}],
        actions=[2],
        policies=[(BEST, "value"), ("value", "value")],
    )
    best, plain = table["score_a"]
    assert best == pytest.approx(said["p_a"] + said["p_draw"] / 2)
    assert table["score_span"].iloc[0] == pytest.approx(best - plain)
    assert best > 2 * plain
