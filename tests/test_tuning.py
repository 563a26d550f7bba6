"""Scores of equal requisition, and what units are worth: by hand, and what must hold for any roster."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from itertools import combinations
from math import comb, inf
from typing import Any

import numpy as np
import pytest
from handmade import at, squad, vehicle

import aabalance as aab
from aabalance.cards import Cards
from aabalance.definitions.tables import Tuning
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.engine.battle.ordered import solve
from aabalance.errors import UsageError
from aabalance.pricing import battles
from aabalance.pricing.battles import Battles
from aabalance.pricing.contest import Contest, Fighters
from aabalance.pricing.indifference import par, worth_of
from aabalance.pricing.roles import score_table
from aabalance.pricing.roster import Roster
from aabalance.pricing.worth import worth
from aabalance.rulesets.armored_advance.card import Card

GAME = aab.Game()
NEAR_AND_FAR = {"range_in": {"12": 0.5, "24": 0.5}}
TANKS = ["de_tiger1", "su_t34_85", "us_m4a1", "de_stug3g", "de_pz4h", "su_kv1_41"]


def game_of(**cards: Any) -> aab.Game:
    found = {name: card.model_dump(by_alias=True, exclude_unset=True, exclude={"id"}) for name, card in cards.items()}
    return aab.Game(cards=Cards(Card, found, {}))


def roster(
    game: aab.Game, budgets: tuple[float, ...] = (150.0,), limits: tuple[int, ...] = (2,), **tuning: Any
) -> Roster:
    return Roster(game, tuning=Tuning(budgets=budgets, limits=limits, **tuning), situations=NEAR_AND_FAR)


def tanks(count: int = len(TANKS), **tuning: Any) -> Roster:
    """The roster of some of the tanks in the standard contest, but for these fields of its tuning."""
    return Roster(GAME, TANKS[:count], tuning=GAME.tuning.changed(GAME.cards, **tuning))


@cache
def real() -> Roster:
    return Roster(GAME, TANKS)


def tank(price: float, penetration: int = 9, **fields: Any) -> Any:
    return vehicle(at(penetration, 10), **{"requisition": price, "hp": 10} | fields)


def score(table: Any, unit: str, opponent: str) -> float:
    return float(table.set_index(["unit", "opponent"]).loc[(unit, opponent), "score"])


# --- by hand ----------------------------------------------------------------------------------------------------

# Every hit kills. At 12 inches a penetration of 9 against 8 misses with a natural 1 that is rolled again and is 1
# again, 35/36, at 24 inches 7/12: at either half the time 7/9. A penetration of 8 against 8 does 7/12 at both.
P_A, P_B = F(7, 9), F(7, 12)


def literal(n: int, m: int, limit: int) -> F:
    """What n of a score against m of b, a turn being one shot of each unit, at most `limit`."""

    def kills(p: F, shots: int, targets: int) -> dict[int, F]:
        found: dict[int, F] = {}
        for hits in range(shots + 1):
            dead = min(hits, targets)
            found[dead] = found.get(dead, F(0)) + comb(shots, hits) * p**hits * (1 - p) ** (shots - hits)
        return found

    @cache
    def wins(n: int, m: int) -> tuple[F, F]:
        if not n or not m:
            return (F(int(n > 0)),) * 2
        of_a, of_b = kills(P_A, min(n, limit), m), kills(P_B, min(m, limit), n)
        a = sum((p * wins(n, m - dead)[1] for dead, p in of_a.items() if dead), F(0))
        b = sum((p * wins(n - dead, m)[0] for dead, p in of_b.items() if dead), F(0))
        first = (a + of_a[0] * b) / (1 - of_a[0] * of_b[0])
        return first, b + of_b[0] * first

    return sum(wins(n, m)) / 2


def test_fighters__distance_is_drawn_attack_by_attack() -> None:
    game = game_of(a=tank(60), b=tank(100, 8))
    cards = [game.cards["a"], game.cards["b"]]
    met = Fighters(game, cards, cards, Contest.of(game, NEAR_AND_FAR))
    assert met.one(0, 1).strikes[0].effects == (({0: 1 - P_A, 10: P_A},),)
    assert met.one(1, 0).strikes[0].effects == (({0: 1 - P_B, 10: P_B},),)
    [[shares]] = met.one(0, 1).strikes[0].dice
    assert sorted(share for share, _ in shares) == [F(1, 2), F(1, 2)]


def test_fighters__the_face_is_drawn_attack_by_attack_on_both_sides() -> None:
    # Sides that nothing hits stop every shot at them: 9 against 12 needs a penetration of 3 more than there is.
    game = game_of(a=tank(1, armor=(8, 99, 99)), b=tank(1, 8, armor=(8, 99, 99)))
    table = {"range_in": {"24": 1.0}, "facing": {"front": 0.6, "side": 0.4}}
    cards = [game.cards["a"], game.cards["b"]]
    met = Fighters(game, cards, cards, Contest.of(game, table))
    assert (
        met.one(0, 1).strikes[0].effects[0][0][10] == met.one(1, 0).strikes[0].effects[0][0][10] == F(6, 10) * F(7, 12)
    )


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_score__two_units_by_hand(limit: int) -> None:
    # 150 buys two and a half of a at 60, and one and a half of b at 100: two or three, one or two, each half the time.
    found = score_table(roster(game_of(a=tank(60), b=tank(100, 8)), limits=(limit,)))
    expected = sum(literal(n, m, limit) for n in (2, 3) for m in (1, 2)) / 4
    assert score(found, "a", "b") == pytest.approx(float(expected), abs=1e-14)
    assert score(found, "b", "a") == pytest.approx(float(1 - expected), abs=1e-14)
    assert found["solver"].tolist() == ["chain"] * 2


def test_score__is_the_mean_of_budgets_and_limits() -> None:
    # 40 isn't enough for either: each side has what the dearer one costs, 100.
    found = score_table(roster(game_of(a=tank(60), b=tank(100, 8)), (40.0, 150.0), (1, 2)))
    small = [(literal(1, 1, limit) + 2 * literal(2, 1, limit)) / 3 for limit in (1, 2)]
    large = [sum(literal(n, m, limit) for n in (2, 3) for m in (1, 2)) / 4 for limit in (1, 2)]
    assert score(found, "a", "b") == pytest.approx(float(sum(small + large) / 4), abs=1e-14)


def test_score__one_that_cannot_be_hurt_wins_at_any_price() -> None:
    cards = {"a": tank(60, armor=99), "b": tank(1, 8), "c": tank(1, armor=99)}
    one_sided = roster(game_of(**cards))
    found = score_table(one_sided)
    assert score(found, "a", "b") == pytest.approx(1, abs=1e-14)
    assert score(found, "a", "c") == 0.5
    assert not found["mutual"].any()
    assert np.isnan(one_sided.margins(one_sided.scores())).all()
    assert np.isnan(one_sided.scores(limit=2).score).sum() == 0


def test_score__what_has_no_order_is_solved_from_its_states(monkeypatch: pytest.MonkeyPatch) -> None:
    # The larger gun reloads, and is left to the surer one where that is enough: which reloads depends on the dice.
    odd = vehicle(at(8, 30), at(9, 10), hp=30, requisition=100, actions=1, keywords={"long_reload": True})
    game = game_of(a=odd, b=vehicle(at(9, 10), hp=30, requisition=100))
    in_order = score_table(roster(game, (100.0, 200.0)))
    assert in_order["solver"].tolist() == ["chain"] * 2
    monkeypatch.setattr(solve, "MOST_STATES", 0)
    found = score_table(roster(game, (100.0, 200.0)))
    assert found["solver"].tolist() == ["reachable states"] * 2
    assert found["score"].tolist() == pytest.approx(in_order["score"].tolist(), abs=1e-14)


def test_score__of_guns_whose_preparing_hangs_on_the_dice() -> None:
    # A 25-pounder fires at a fresh Hetzer and prepares to finish one that was hit.
    contest, cards = Contest.standard(GAME), [GAME.cards[unit] for unit in ("uk_25pdr", "de_hetzer")]
    met = Fighters(GAME, cards, cards, contest)
    gun, hetzer = met.one(0, 1), met.one(1, 0)
    found = Battles(GAME, cards, contest).look_up(*(np.array([x]) for x in (0, 1, 3, 2)))
    for limit, score in zip(contest.limits, found[:, 0].tolist(), strict=True):
        terms = Terms((limit, limit), ("value", "value"))
        forces = (battles.against(gun, 2),) * 3, (battles.against(hetzer, 3),) * 2
        plain = [Battle(forces, terms, in_order=False).solve(first) for first in range(2)]
        assert score == pytest.approx(sum(one.p_a + one.p_draw / 2 for one in plain) / 2, abs=1e-12)


# --- what must hold ---------------------------------------------------------------------------------------------


def test_score__pairs_share_one_point() -> None:
    found = real().scores().score
    assert found + found.T == pytest.approx(np.ones_like(found), abs=1e-14)


def test_score__prices_and_budgets_in_other_units_are_the_same() -> None:
    double = tanks(budgets=tuple(2 * budget for budget in real().contest.budgets))
    found = double.scores(2 * real().prices)
    assert found.score == pytest.approx(real().scores().score, abs=1e-13)


def test_score__falls_with_its_own_price_and_rises_with_others() -> None:
    scores = real().scores()
    assert (scores.by_own[real().mutual] <= 0).all()
    assert (scores.by_other[real().mutual] >= 0).all()
    assert real().margins(scores).sum() == pytest.approx(0, abs=1e-12)


def test_tune__refuses_a_roster_that_knows_one_unit_alone() -> None:
    with pytest.raises(UsageError, match=r"^roster: found the scores of us_m4a1 alone, expected those of all units$"):
        aab.tune(GAME, roster=Roster(GAME, TANKS, about=["us_m4a1"]))


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5])
def test_tune__refuses_a_seed_that_rolls_could_not_have(seed: Any) -> None:
    with pytest.raises(UsageError) as error:
        aab.tune(GAME, TANKS, seed=seed)
    assert str(error.value) == f"seed: found {seed}, expected a whole number from 0 to {2**64 - 1}"


def test_score__derivatives_are_those_of_small_steps() -> None:
    # Off the prices at which a whole unit more is bought, where scores have a corner. 500 is dearer than any budget.
    prices = real().prices * np.linspace(1.013, 1.057, len(TANKS))
    prices[0] = 500
    step = 1e-6
    scores = real().scores(prices)
    for unit in range(len(prices)):
        up, down = (real().scores(prices * np.exp(sign * step * (np.arange(len(prices)) == unit))) for sign in (1, -1))
        slope = (up.score - down.score) / (2 * step)
        others = np.arange(len(prices)) != unit
        assert slope[unit][others] == pytest.approx(scores.by_own[unit][others], abs=1e-7)
        assert slope[others, unit] == pytest.approx(scores.by_other[others, unit], abs=1e-7)


def test_score__the_order_of_the_cards_is_irrelevant() -> None:
    a, b = (score_table(Roster(GAME, field)) for field in (TANKS[:4], TANKS[3::-1]))
    both = a.merge(b, on=["unit", "opponent"])
    assert len(both) == 12
    assert both["score_x"].to_numpy() == pytest.approx(both["score_y"].to_numpy(), abs=1e-13)


def test_score__tables_grow_when_a_price_asks_for_more() -> None:
    grown, fresh = tanks(3), tanks(3)
    before = grown.scores().score
    cheap = grown.prices / 3
    assert grown.scores(cheap).score == pytest.approx(fresh.scores(cheap).score, abs=1e-13)
    assert grown.scores().score == pytest.approx(before, abs=1e-13)


# --- worth ------------------------------------------------------------------------------------------------------


def test_worth__copies_of_a_card_are_worth_the_same_and_a_planted_price_is_found() -> None:
    # Of four copies, all but one at 60: worth 60, whatever that one costs. Nobody's neighbours tell it another price.
    game = game_of(a=tank(60), b=tank(60), c=tank(60), d=tank(90))
    found = worth(game, roster=roster(game, (100.0, 200.0), (2, 3))).set_index("unit")
    assert found.loc["d", "worth"] == pytest.approx(60, rel=1e-9)
    assert found.loc["d", "worth_change"] == pytest.approx(60 / 90 - 1, rel=1e-9)
    assert found.loc[["a", "b"], "worth"].nunique() == 1
    assert found.loc["a", "level"] == pytest.approx(0.5, abs=1e-12)


def test_worth__is_the_price_at_which_the_mean_score_is_level() -> None:
    this = real()
    k = par(this)
    for unit in range(len(TANKS)):
        found = worth_of(this, unit, k)
        prices = np.where(np.arange(len(TANKS)) == unit, found.price, this.prices)
        scores = this.scores(prices).score[unit]
        assert scores[this.mutual[unit]].mean() - 0.5 == pytest.approx(k, abs=1e-10)
        assert found.low < found.price < found.high


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_worth__hangs_on_the_others_alone(factor: float) -> None:
    prices = {unit: float(price) for unit, price in zip(TANKS, real().prices, strict=True)}
    other = GAME.with_(changes=[f"de_tiger1.requisition={round(prices['de_tiger1'] * factor)}"])
    there = worth_of(Roster(other, TANKS), 0, 0.0)
    here = worth_of(real(), 0, 0.0)
    assert there == pytest.approx(here, rel=1e-9)


def test_worth__a_unit_that_is_level_at_the_floor_only_is_worth_the_floor() -> None:
    # One hit of a hundred is needed to kill the other; it dies of any.
    game = game_of(a=tank(50, 8), b=vehicle(at(9, 10), hp=900, requisition=50))
    found = worth(game, ["a"], roster=roster(game, (100.0,))).iloc[0]
    assert found["worth"] == pytest.approx(100 / 40)
    assert found["score"] < 0.01


def test_worth__without_end_where_no_number_of_the_others_is_enough() -> None:
    game = game_of(a=vehicle(at(8, 5), hp=10, requisition=50), b=vehicle(at(9, 10), hp=1000, requisition=50))
    found = worth(game, ["b"], roster=roster(game, (100.0,))).iloc[0]
    assert found["worth"] == inf


@pytest.mark.parametrize(("odd", "column"), [({"armor": 99}, "immune_to"), ({"penetration": 1}, "harmless_to")])
def test_worth__no_number_for_whom_nobody_counts(odd: dict[str, Any], column: str) -> None:
    game = game_of(a=tank(50), b=tank(50, **odd), c=tank(50))
    found = worth(game, roster=roster(game)).set_index("unit")
    assert np.isnan(found.loc["b", ["score", "worth", "worth_low", "worth_high"]].astype(float)).all()
    assert found.loc["b", column] == 2
    assert found.loc["a", column] == 0
    assert found.loc["a", "worth"] == pytest.approx(50, rel=1e-9)


def test_worth__of_a_roster_of_one_is_no_number() -> None:
    game = game_of(a=tank(50))
    assert np.isnan(worth(game, roster=roster(game))["worth"].iloc[0])


def test_worth__intervals_do_not_hang_on_who_else_is_asked_for_or_in_what_order() -> None:
    # The others are the same, so are their weights.
    game = GAME
    one, other = (worth(game, ["su_kv1_41"], roster=Roster(game, field)) for field in (TANKS, TANKS[::-1]))
    assert one["worth_low"].iloc[0] == pytest.approx(other["worth_low"].iloc[0], rel=1e-9)
    assert one["worth_high"].iloc[0] == pytest.approx(other["worth_high"].iloc[0], rel=1e-9)


def test_par__what_units_at_the_floor_lack_the_others_have() -> None:
    roster = tanks(weights={"su_t34_85": 3})
    floor = roster.floor = float(roster.prices[[2, 4]].max())
    free = roster.prices > floor
    assert 0 < free.sum() < len(TANKS)
    lead = roster.margins(roster.scores())
    counted = roster.weights * np.array([3 + 5 - weight for weight in roster.weights])
    assert par(roster) == pytest.approx((counted * lead)[free].sum() / counted[free].sum(), abs=1e-12)
    roster.floor = 1.0
    assert par(roster) == 0


def test_worth__of_one_unit_needs_its_own_battles_alone() -> None:
    alone, whole = Roster(GAME, TANKS, about=["us_m4a1"]), real()
    fought = np.argwhere(alone.solver != "")
    assert fought.tolist() == [[0, 2], [1, 2], [2, 0], [2, 1], [2, 3], [2, 4], [2, 5], [3, 2], [4, 2], [5, 2]]
    assert worth_of(alone, 2, 0.0) == worth_of(whole, 2, 0.0)
    assert alone.scores().score[2] == pytest.approx(whole.scores().score[2], abs=1e-14)
    assert np.isnan(alone.scores().score[0, 1])


# --- refusals ---------------------------------------------------------------------------------------------------


def test_roster__leaves_out_units_that_no_side_can_stand_on() -> None:
    game = game_of(a=tank(50), b=squad(requisition=20))
    assert roster(game).units == ["a"]


def test_roster__refuses_what_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match=r"^b: found a price of 0, expected one above 0$"):
        roster(game_of(a=tank(50), b=tank(50))).scores([50, 0])
    with pytest.raises(UsageError, match=r"^weights: found x, expected units that are compared$"):
        roster(game_of(a=tank(50)), weights={"x": 1})


def test_roster__weights_say_how_much_an_opponent_counts() -> None:
    heavy = tanks(3, weights={"su_t34_85": 3, "us_m4a1": 0})
    scores = heavy.scores()
    assert heavy.margins(scores)[0] == pytest.approx(scores.score[0, 1] - 0.5)
    assert heavy.margins(scores)[1] == pytest.approx(scores.score[1, 0] - 0.5)


def test_scores__refuse_more_units_than_can_be_fought() -> None:
    with pytest.raises(UsageError, match=r"^battle: found [0-9]+ of a kind, expected at most 100$"):
        real().scores(real().prices / 1000)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"budgets": ()}, "budgets: found [], expected numbers above 0"),
        ({"limits": (0,)}, "limits: found [0], expected numbers above 0"),
        ({"table": {"range_in": {"12": 0.5}}}, "situations.range_in: found weights that sum to 0.5"),
        ({"table": {}}, "situations: found no range_in"),
    ],
)
def test_contest__refuses_what_it_cannot_be(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        Contest.of(GAME, **{"table": NEAR_AND_FAR} | given)
    assert str(error.value).startswith(message)


def test_contest__the_standard_one_is_the_report_definition() -> None:
    standard = Contest.standard(GAME)
    assert standard.ranges == {
        6: F(1, 20), 12: F(1, 5), 18: F(3, 10), 24: F(1, 4), 30: F(3, 20), 36: F(1, 20)
    }  # fmt: skip
    faces = {(view.facing, view.own_facing): share for view, share in standard.mix.items()}
    assert faces == {("front", "front"): F(13, 20), ("side", "side"): F(3, 10), ("rear", "rear"): F(1, 20)}


def test_contest__views_are_every_combination_with_its_share() -> None:
    table = {"range_in": {"24": 1.0}, "facing": {"front": 0.6, "side": 0.4}, "walls": {"0": 0.75, "1": 0.25}}
    views = {(view.facing, view.walls): share for view, share in Contest.of(GAME, table).mix.items()}
    assert views == {
        ("front", 0): F(9, 20), ("front", 1): F(3, 20), ("side", 0): F(3, 10), ("side", 1): F(1, 10)
    }  # fmt: skip


def test_tables__do_not_hang_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "TOGETHER", 4)
    found = []
    for threads in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda threads=threads: threads)
        found.append(tanks().scores().score)
    assert (found[0] == found[1]).all()


def test_tables__more_units_than_can_be_rolled_are_rolled_with_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "MOST_STATES", 0)
    contest = Contest.of(GAME, NEAR_AND_FAR, (100.0,), (3,))
    made = Battles(GAME, [GAME.cards["us_m4a1"], GAME.cards["su_t34_85"]], contest)
    few, many, same = (
        made.look_up(*(np.array([x]) for x in (0, 1, n, m)))[0, 0] for n, m in ((16, 8), (30, 15), (16, 8))
    )
    assert made.solver[0, 1] == "rolled with fewer"
    assert many == few == same


def test_tables__a_pair_is_rolled_where_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    # As above; a battle of which no states may be kept.
    odd = vehicle(at(8, 30), at(9, 10), hp=30, requisition=100, actions=1, keywords={"long_reload": True})
    game = game_of(a=odd, b=vehicle(at(9, 10), hp=30, requisition=100))
    exact = score(score_table(roster(game, (100.0,))), "a", "b")
    monkeypatch.setattr(solve, "MOST_STATES", 0)
    monkeypatch.setattr("aabalance.engine.battle.states.solve.MOST_STATES", 1)
    found = score_table(roster(game, (100.0,)))
    assert found["solver"].tolist() == ["rolled"] * 2
    assert score(found, "a", "b") == pytest.approx(exact, abs=5 * 0.5 / battles.TRIALS**0.5)


# --- battles that are the same ------------------------------------------------------------------------------------


def test_look_up__is_the_same_however_far_a_table_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two autocannons: an ordered battle of 24 a side is solved, one of 61 a side is too large."""
    cards = [GAME.cards[unit] for unit in ("de_pz2l", "de_sdkfz234_1")]
    contest = Contest.standard(GAME)
    fresh, grown = (Battles(GAME, cards, contest) for _ in range(2))
    asked = [np.array(x) for x in ([0, 1], [1, 0], [[20, 5], [12, 9]], [[12, 9], [20, 5]])]
    grown._grow(grown._battle[:1], np.array([[61, 61]]))
    assert np.isnan(grown._cells[:, grown._start[0] : grown._end]).all()
    np.testing.assert_allclose(grown.look_up(*asked), fresh.look_up(*asked), rtol=0, atol=1e-13)
    assert [grown.solver[0, 1]] == ["chain"]
    # The largest is solved first, and has the others.
    monkeypatch.setattr(battles, "scores", None)
    smaller = [np.array([x]) for x in (0, 1, 19, 11)]
    np.testing.assert_allclose(grown.look_up(*smaller), fresh.look_up(*smaller), rtol=0, atol=1e-13)


def test_tables__battles_that_differ_in_names_and_spare_points_are_solved_once() -> None:
    # 21 to 30 points are three hits of 10 and two of 15: b, c and d are alike to a and to each other.
    a = tank(60, hp=15)
    game = game_of(a=a, b=tank(70, hp=21), c=tank(80, hp=30), d=tank(50, hp=25))
    cards, contest = list(game.cards.values()), Contest.of(game, NEAR_AND_FAR, (100.0,), (2, 3))
    found = Battles(game, cards, contest)
    pairs = list(combinations(range(4), 2))
    first, second = np.array(pairs).T
    together = found.look_up(first, second, np.array([3] * 6), np.array([2] * 6))
    alone = [Battles(game, [cards[i] for i in pair], contest) for pair in pairs]
    apart = np.concatenate([one.look_up(*(np.array([x]) for x in (0, 1, 3, 2))) for one in alone], axis=1)
    assert together == pytest.approx(apart, abs=1e-14)
    assert len(set(together[0, :3])) == len(set(together[0, 3:])) == 1
    assert together[0, 0] != pytest.approx(together[0, 3], abs=1e-3)


def test_tables__the_same_battle_from_the_other_side() -> None:
    game = game_of(a=tank(60, hp=15), b=tank(70, 8, hp=25), c=tank(60, hp=12))
    contest = Contest.of(game, NEAR_AND_FAR, (100.0,), (3,))
    found = Battles(game, list(game.cards.values()), contest)
    a_b, b_c = (found.look_up(*(np.array([x]) for x in asked))[0, 0] for asked in ((0, 1, 2, 3), (1, 2, 3, 2)))
    assert a_b + b_c == pytest.approx(1, abs=1e-14)
    assert a_b != pytest.approx(0.5, abs=1e-3)


def test_tables__what_is_left_of_a_hit_tells_apart_who_may_choose() -> None:
    # Two hits of 10 take 11 points or 20, and so does one of 20. Of 11 that takes hardly more, and the other is surer.
    a = vehicle(at(9, 10), at(8, 20), hp=10, requisition=60, actions=1)
    scores = []
    for hp in (11, 20):
        game = game_of(a=a, b=tank(60, hp=hp))
        contest = Contest.of(game, {"range_in": {"12": 1.0}}, (100.0,), (2,))
        scores.append(Battles(game, list(game.cards.values()), contest).look_up(*(np.array([x]) for x in (0, 1, 1, 1))))
    game = game_of(a=a, b=tank(60, hp=11), c=tank(60, hp=20))
    contest = Contest.of(game, {"range_in": {"12": 1.0}}, (100.0,), (2,))
    both = Battles(game, list(game.cards.values()), contest)
    found = both.look_up(*(np.array(x) for x in ([0, 0], [1, 2], [1, 1], [1, 1])))
    assert found[0].tolist() == pytest.approx([float(one[0, 0]) for one in scores], abs=1e-14)
    assert found[0, 0] != pytest.approx(found[0, 1], abs=1e-3)


def test_tables__progress_counts_every_pair_once() -> None:
    done: list[int] = []
    found = Roster(GAME, TANKS, advance=done.append)
    found.scores()
    found.scores(found.prices / 2)
    assert sum(done) == len(TANKS) * (len(TANKS) - 1) // 2


def test_tables__progress_moves_while_battles_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "FEW", 1)
    done: list[int] = []
    Roster(GAME, TANKS, advance=done.append).scores()
    assert max(done) < sum(done) / 2
