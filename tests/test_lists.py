"""Lists under a budget: their battles agree with those of `Game.battle`, and searches find what is there to find."""

from __future__ import annotations

import itertools
import json
import math
import re
import shlex
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from handmade import at, vehicle
from odds import TIMES
from pydantic import BaseModel
from scipy import stats
from small import few, without_prices, write
from test_worth import game_of

import aabalance as aab
from aabalance.analysis.battles import Score
from aabalance.cards import Cards
from aabalance.cards.faults import read_as
from aabalance.cli import main
from aabalance.cli.lists import _between, _print_metagame, _print_metagames
from aabalance.definitions.collections import FieldFile, Limit, Limits
from aabalance.definitions.lists import ListFile, any_list
from aabalance.definitions.report import read as read_definition
from aabalance.definitions.settings import SHARES
from aabalance.engine.arrays import Floats
from aabalance.engine.battle.bulk import tables
from aabalance.errors import UsageError
from aabalance.lists import advice, kinds, on_board, variations, verdicts
from aabalance.lists import fields as fields_of_lists
from aabalance.lists import metagame as metagame_of
from aabalance.lists import payoffs as payoffs_of
from aabalance.lists.allowance import Allowance
from aabalance.lists.described import _slopes, described
from aabalance.lists.fields import against, field_of, stated_for
from aabalance.lists.kinds import Archetype, _ends, agreement, archetypes, classes_of, units_of
from aabalance.lists.metagame import cyclic_in_words, cyclic_share, resampled
from aabalance.lists.oracle import PAIR, Oracle, equilibrium
from aabalance.lists.payoffs import Field, Payoffs, scorer, shared_out
from aabalance.lists.search import overlap, search
from aabalance.lists.variations import defined
from aabalance.lists.verdicts import Compared, Difference, Judged, Met
from aabalance.play.result import bare_percent, percent
from aabalance.pricing.board_matches import play_pairs
from aabalance.rulesets.base import Fighter, Gun, Strike

AT_18 = {"range_in": {"18": 1.0}, "facing": SHARES}
FEW = ["de_tiger1", "de_pz4h", "de_pak40", "su_t34_85", "su_t34_43", "us_m4a1", "us_m8", "us_m16", "inf_rifle"]


def _handmade(**guns: dict[str, Any]) -> aab.Game:
    """Return a game of vehicles that one hit of ten kills; no gun goes through what is thick."""
    plates = {unit: 40 if unit == "thick" else 8 for unit in guns}
    return game_of(**{unit: vehicle(gun, name=unit, hp=10, armor=plates[unit]) for unit, gun in guns.items()})


@cache
def _roster(policy: str = "value") -> Payoffs:
    return Payoffs(aab.Game(), policy=policy, situations=AT_18)


@cache
def _few() -> Payoffs:
    game = aab.Game()
    return Payoffs(game.with_(cards=game.cards.only(FEW)), situations=AT_18)


def test_payoffs__of_one_game_are_mustered_once_and_those_of_other_cards_anew() -> None:
    game = _few().game
    muster = Payoffs(game).muster
    assert Payoffs(game, actions=3, policy="focus").muster is muster
    other = Payoffs(game.with_(changes=["de_tiger1.hp=3"])).muster
    assert other.cards.tolist() != muster.cards.tolist()
    assert Payoffs(game).muster.cards.tolist() == muster.cards.tolist()


@pytest.mark.parametrize("change", [{"variant": "two_dice"}, {"changes": ["de_tiger1.keywords.weak_spot=true"]}])
def test_payoffs__of_other_rules_or_keywords_are_mustered_anew(change: dict[str, Any]) -> None:
    game = _few().game
    assert Payoffs(game.with_(**change)).muster is not Payoffs(game).muster


def test_payoffs__of_equal_games_are_mustered_once_but_keep_the_order_of_the_cards() -> None:
    first, again, turned = (
        Payoffs(game.with_(cards=game.cards.only(ids)))
        for game, ids in ((aab.Game(), FEW), (aab.Game(), FEW), (aab.Game(), FEW[::-1]))
    )
    assert again.muster is first.muster
    assert turned.ids == first.ids[::-1]


def _differences(pairs: int, battles: int, seed: int, policy: str = "value") -> Floats:
    """Return by how many standard errors scores of random lists differ from those of `Game.battle`."""
    roster = _roster(policy)
    allowance, rng = Allowance(roster), np.random.default_rng(seed)
    found = np.empty(pairs)
    for number in range(pairs):
        a, b = allowance.random(rng), allowance.random(rng)
        given = {"range_in": 18, "facing": "mix", "actions": 4, "policy_a": policy, "policy_b": policy}
        met = roster.game.battle(roster.text(a), roster.text(b), simulate=battles, seed=number, **given)
        one = met.p_a + met.p_draw / 2
        other = float(roster.among([b, a], battles, seed)[1, 0])
        spread = max(one * (1 - one) + other * (1 - other), 4 / battles)
        found[number] = (one - other) / (spread / battles) ** 0.5
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "pairs"), [("value", 100 * TIMES), ("focus", 8 * TIMES)])
def test_payoffs__agree_with_many_battles_of_random_lists(policy: str, pairs: int) -> None:
    """A difference of .02 in one pair is seen, or of .005 in each of a hundred: squares of z add up to their number."""
    z = _differences(pairs, 20_000, seed=2, policy=policy)
    assert np.abs(z).max() < 4
    assert (z**2).sum() < pairs + 5 * (2 * pairs) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), [("de_tiger1*2", "su_t34_85*3"), ("us_m8,us_m4a1", "de_pak40,us_m16")])
def test_payoffs__agree_with_solved_battles(a: str, b: str) -> None:
    roster = _roster()
    solved = roster.game.battle(a, b, range_in=18, facing="mix", actions=4)
    assert solved.engine == "exact"
    score = roster.among([roster.units(b), roster.units(a)], 40_000, 3)[1, 0]
    want = solved.p_a + solved.p_draw / 2
    assert abs(score - want) < 4 * (max(want * (1 - want), 1e-4) / 40_000) ** 0.5


def test_payoffs__that_are_known_are_kept_and_all_others_worked_out() -> None:
    roster = _few()
    lists = [roster.units(text) for text in ("su_t34_85*3", "de_tiger1,us_m8", "us_m4a1*3")]
    whole = roster.among(lists, 100, 3)
    for known in range(4):
        assert (roster.among(lists, 100, 3, whole[:known, :known]) == whole).all()


def test_payoffs__of_a_list_against_itself_are_even() -> None:
    roster = _few()
    tanks = roster.units("su_t34_85*3")
    assert abs(roster.among([tanks, tanks], 10_000, 5)[1, 0] - 0.5) < 0.02


def test_counts__do_not_depend_on_how_battles_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    roster = _few()
    lists = [roster.units(text) for text in ("su_t34_85*3", "de_tiger1,us_m8", "us_m4a1*3", "de_pak40*4")]
    field = Field.of({units: weight for units, weight in zip(lists, (4, 3, 2, 1), strict=True)})
    whole = roster.ends(lists, field, 500, 7)
    monkeypatch.setattr(payoffs_of, "PART", 1)
    parts = roster.ends(lists, field, 200, 7) + roster.ends(lists, field, 300, 7, first=200)
    assert (whole == roster.ends(lists, field, 500, 7)).all()
    # Who moves first is told by a trial's number, which goes on in the second part.
    assert (whole == parts).all()


def test_ends__gives_each_opponent_battles_by_its_weight_and_either_side_the_first_turn_as_often() -> None:
    roster = _few()
    lists = [roster.units(text) for text in ("su_t34_85*3", "de_tiger1,us_m8", "us_m4a1*3")]
    field = Field(tuple(lists), (0.5, 0.3, 0.2))
    ends = roster.ends(lists[:1], field, 1000, 1)[0]
    assert ends.sum(axis=(1, 2)) == pytest.approx([500, 300, 200], abs=2)
    assert ends.sum(axis=(0, 2)) == pytest.approx([500, 500], abs=3)
    # Against two a list has a battle each: it begins one of them, not both or none.
    assert roster.ends(lists[:1], Field(tuple(lists[1:]), (0.5, 0.5)), 2, 1)[0].sum(axis=(0, 2)).tolist() == [1, 1]


# From Python 3.12 on `sum` rounds floats less often, so that its last bit isn't the same on each Python.


def test_field__of_ten_equal_lists_weighs_each_a_tenth_on_any_python() -> None:
    assert Field.of({(at,): 0.1 for at in range(10)}).weights == (0.1,) * 10


def test_overlap__of_a_list_with_itself_is_1_on_any_python() -> None:
    units = _few().units("de_tiger1,de_pz4h,us_m8")
    assert overlap(_few(), units, units) == 1.0


@pytest.mark.slow
def test_units__refuses_infantry_and_too_many() -> None:
    with pytest.raises(aab.UsageError, match="expected vehicles and guns"):
        _roster().units("inf_rifle,de_tiger1")
    with pytest.raises(aab.UsageError, match="found 17 units, expected at most 16"):
        _roster().units("us_m8*17")
    assert len(_roster().units("us_m8*16")) == 16


def test_muster__refuses_more_guns_and_attacks_than_the_tables_have_room_for() -> None:
    def unit(strikes: int, guns: int = 1) -> Fighter:
        made = [Strike("gun", 0, 1, 1, 1, 9, (({n: Fraction(1)},),) * 16, ((),) * 16) for n in range(1, strikes + 1)]
        return Fighter("unit", 9, 2, False, 1, True, (Gun(),) * guns, tuple(made))

    assert [tables.fits(unit(1, guns)) for guns in (4, 5)] == [True, False]
    assert tables.muster((unit(6),) * 16, [Fraction(1)]).strikes.shape == (96, 6)
    with pytest.raises(
        aab.UsageError, match="roster: different attacks of the 16 units that have most: found 97, expected at most 96"
    ):
        tables.muster((*(unit(6),) * 15, unit(7)), [Fraction(1)])


def test_equilibrium__of_rock_paper_scissors_weighs_all_alike() -> None:
    found = equilibrium(np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]))
    assert found.value == pytest.approx(0.5)
    assert found.rows == pytest.approx([1 / 3] * 3)
    assert found.columns == pytest.approx([1 / 3] * 3)


def test_equilibrium__of_a_game_with_unequal_sides() -> None:
    # Von Neumann's odds and evens, where a match of ones is worth 2: solved by hand.
    found = equilibrium(np.array([[2.0, -3.0], [-3.0, 4.0]]))
    assert (found.value, *found.rows) == pytest.approx((-1 / 12, 7 / 12, 5 / 12))


@pytest.mark.parametrize(
    ("matrix", "share"),
    [([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], 1.0), ([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]], 0.0)],
)
def test_cyclic_share__is_all_of_a_cycle_and_nothing_of_a_ladder(matrix: list[list[float]], share: float) -> None:
    assert cyclic_share(np.array(matrix)) == pytest.approx(share)


def _rolled(rng: np.random.Generator, chances: Floats) -> Floats:
    """Return payoffs as they may be rolled."""
    one = np.tril(rng.binomial(PAIR, chances) / PAIR, -1)
    return one + np.triu(1 - one.T, 1) + np.diag(np.full(len(chances), 0.5))


def test_cyclic_share__is_what_the_best_ranking_leaves_and_of_dice_alone_there_is_none() -> None:
    """A witness: least squares over all pairs. Of lists that are alike dice made up to nine tenths cyclic."""
    rng = np.random.default_rng(3)
    skill = rng.normal(0, 0.1, 6)
    matrix = _rolled(rng, (0.5 + skill[:, None] - skill + np.triu(rng.normal(0, 0.1, (6, 6)))).clip(0, 1))
    pairs = list(itertools.combinations(range(6), 2))
    which, margins = np.zeros((len(pairs), 6)), np.array([matrix[pair] - 0.5 for pair in pairs])
    for row, pair in zip(which, pairs, strict=True):
        row[list(pair)] = 1, -1
    left = margins - which @ np.linalg.lstsq(which, margins)[0]
    dice = sum(matrix[pair] * (1 - matrix[pair]) for pair in pairs) / PAIR
    circles = (left**2).sum() - dice * (1 - 2 / 6)  # least squares fit five differences to noise in fifteen
    assert cyclic_share(matrix) == pytest.approx(circles / ((margins**2).sum() - dice))
    for number in (1, 2, 4, 12):
        rolled = [cyclic_share(_rolled(rng, np.full((number, number), 0.5))) for _ in range(40)]
        assert rolled.count(None) >= 35
    assert "score alike" in cyclic_in_words(None)
    explains = "A ranking of the lists explains 88.0 % of who beats whom; the other 12.0 % come from lists that"
    assert cyclic_in_words(0.12).startswith(explains)


def test_cyclic_share__dice_on_a_ranking_are_no_circles() -> None:
    rng = np.random.default_rng(5)
    for apart in (0.05, 0.1):
        skill = np.linspace(-apart, apart, 12)
        shares = [cyclic_share(_rolled(rng, 0.5 + skill[:, None] - skill)) for _ in range(40)]
        assert np.mean([share for share in shares if share is not None]) < 0.06


def test_equilibrium__neither_side_gains_by_another_choice_and_no_choice_is_mixed_in_that_scores_less() -> None:
    """A witness: the conditions of an equilibrium, on random games."""
    rng = np.random.default_rng(1)
    for rows, columns in ((1, 1), (1, 5), (5, 1), (4, 7), (12, 12)):
        payoffs = rng.random((rows, columns))
        value, mine, others = equilibrium(payoffs)
        assert mine.sum() == pytest.approx(1)
        assert others.sum() == pytest.approx(1)
        assert (payoffs @ others).max() == pytest.approx(value)
        assert (mine @ payoffs).min() == pytest.approx(value)
        np.testing.assert_allclose((payoffs @ others)[mine > 1e-9], value)
        np.testing.assert_allclose((mine @ payoffs)[others > 1e-9], value)


def test_resampled__so_many_draws_that_their_quantiles_hold_95_percent() -> None:
    # Of one more draw, the chance to lie between the quantiles q and 1 - q of k others is (1 - 2 q) (k - 1) / (k + 1).
    matrix = _rolled(np.random.default_rng(0), np.full((3, 3), 0.5))
    again = resampled(matrix, np.random.default_rng(0))
    assert 0.95 * (len(again) - 1) / (len(again) + 1) > 0.94
    assert again.sum(axis=1) == pytest.approx(np.ones(len(again)))


@pytest.mark.slow
def test_replies__the_best_of_several_searches_stands_first() -> None:
    # So short that they find different lists.
    few, mix = _few(), Field((_few().units("su_t34_85,us_m16"),), (1.0,))
    replies, every = metagame_of._replies(Allowance(few, 100), mix, [], 1_000, 2, lambda battles: None)
    scores = [payoffs_of.score_against(few, units, mix, 99, 20_000).score for units, _ in replies]
    assert every == 0
    assert max(scores[1:]) + 0.01 < scores[0]


def test_resampled__who_always_wins_wins_again_and_who_always_loses_loses() -> None:
    circle = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])  # no dice decide, so that no draw differs
    again = resampled(circle, np.random.default_rng(0))
    np.testing.assert_allclose(again, np.full(again.shape, 1 / 3))


@pytest.mark.slow
def test_metagame__of_lists_that_are_alike_finds_nothing_to_exploit() -> None:
    game = aab.Game()
    table = game.cards.tables["su_t34_85"]
    cards = Cards(game.cards.schema, {f"t{n}": table | {"name": f"T{n}"} for n in range(4)}, game.cards.places)
    twins = game.with_(cards=cards)
    found = [aab.metagame(twins, 100, battles=50_000, seed=seed, situations=AT_18) for seed in range(4)]
    assert [one.cyclic for one in found].count(None) >= 3
    assert json.loads(json.dumps(found[0].to_dict(), allow_nan=False))["cyclic_share"] == found[0].cyclic
    for one in found:
        assert ("They agree on shares and kinds, not" in repr(one)) == (one.agreement > 0.5)
    assert "They don't agree on shares" in repr(found)
    # All four lists are tried, and the best of them is told by other dice: else it would score too much.
    assert [one.every for one in found] == 4 * [4]
    assert sum(one.exploitable[1].low > 0.5 for one in found) <= 1


def test_units_of__shares_are_points_spent_by_weight() -> None:
    """A witness: two lists, counted by hand."""
    roster = _few()
    lists = [roster.units("de_tiger1,us_m8*2"), roster.units("su_t34_85*2")]
    weights, again = np.array([0.25, 0.75]), np.array([[0.0, 1.0], [1.0, 0.0], [0.4, 0.6]])
    cards = roster.game.cards
    tiger = cards["de_tiger1"].requisition / (cards["de_tiger1"].requisition + 2 * cards["us_m8"].requisition)
    of_lists = {"de_tiger1": (tiger, 0.0), "us_m8": (1 - tiger, 0.0), "su_t34_85": (0.0, 1.0)}
    found = {row["unit"]: row for row in units_of(roster, lists, weights, again).to_dict("records")}
    assert next(iter(found)) == "su_t34_85"
    assert found.keys() == of_lists.keys()
    for unit, spent in of_lists.items():
        has = [float(share > 0) for share in spent]
        for of, names in ((spent, ("share", "low", "high")), (has, ("in_lists", "in_lists_low", "in_lists_high"))):
            drawn = [sum(part * share for part, share in zip(mix, of, strict=True)) for mix in again]
            number, *ends = (found[unit][name] for name in names)
            assert number == pytest.approx(0.25 * of[0] + 0.75 * of[1])
            assert ends == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist())
    assert classes_of(roster, lists, weights, again)["vehicle"] == (1, 1, 1)
    with_gun = classes_of(roster, [roster.units("de_pak40"), lists[1]], weights, again)
    assert {name: one.score for name, one in with_gun.items()} == {"vehicle": 0.75, "field_gun": 0.25}
    kinds = archetypes(roster, lists, weights, again)
    assert [(one.name, one.share, one.example) for one in kinds] == [
        ("T-34-85 (1944)", 0.75, lists[1]),
        ("Tiger I (Ausf. E)", 0.25, lists[0]),
    ]
    fields = [Field.of(dict(zip(lists, mix, strict=True))) for mix in ((0.25, 0.75), (0.5, 0.5), (0.75, 0.25))]
    shares = [
        [sum(w * s for w, s in zip(one.weights, spent, strict=True)) for spent in of_lists.values()] for one in fields
    ]
    pairs = [statistics.correlation(a, b) for a, b in itertools.combinations(shares, 2)]
    assert agreement(roster, fields) == pytest.approx(statistics.mean(pairs))


def test_ends__of_a_share_hold_the_share_itself() -> None:
    low, high = _ends(np.array([0.9, 0.1, 0.5]), np.linspace(0.4, 0.6, 41)[:, None])
    assert low == pytest.approx([0.405, 0.1, 0.405])
    assert high == pytest.approx([0.9, 0.595, 0.595])


@pytest.mark.parametrize(
    ("weights", "name"), [((0.9, 0.1), "T-34-85 (1944) + M4A1 Sherman (75 mm)"), ((0.5, 0.5), "T-34-85 (1944)")]
)
def test_archetypes__have_the_names_of_cards_that_are_at_least_half_of_what_the_first_is(
    weights: tuple[float, ...], name: str
) -> None:
    """Of 170 points the Sherman has 70, of 160 the Panzer IV 60; where both lists weigh alike, neither is a half."""
    roster = _few()
    lists = [roster.units("su_t34_85,us_m4a1"), roster.units("su_t34_85,de_pz4h")]
    (kind,) = archetypes(roster, lists, np.array(weights), np.array([weights]))
    assert (kind.name, kind.example, kind.members) == (name, lists[0], (0, 1))


@pytest.mark.parametrize(("other", "kinds"), [("su_t34_85,su_t34_43", 1), ("us_m4a1,de_pz4h", 2)])
def test_archetypes__lists_that_have_more_than_55_percent_apart_are_of_two_kinds(other: str, kinds: int) -> None:
    """Of 170 points the T-34-85 has 100, 59 %, the Sherman 70, 41 %: so much is shared with either of the others."""
    roster = _few()
    lists = [roster.units("su_t34_85,us_m4a1"), roster.units(other)]
    assert len(archetypes(roster, lists, np.array([0.5, 0.5]), np.array([[0.5, 0.5]]))) == kinds


def test_archetypes__of_a_kind_that_dice_alone_keep_out_the_list_that_draws_have_is_the_example() -> None:
    roster = _few()
    lists = [roster.units(text) for text in ("su_t34_85*2", "de_tiger1,us_m8", "de_tiger1,us_m16")]
    _, kept_out = archetypes(roster, lists, np.array([1.0, 0.0, 0.0]), np.array([[0.5, 0.1, 0.4]]))
    assert (kept_out.members, kept_out.example) == ((1, 2), lists[2])


def test_archetypes__have_the_names_of_three_cards_at_most() -> None:
    """They cost 100, 70, 60 and 55 points: all are more than half of the first."""
    roster = _few()
    (kind,) = archetypes(
        roster, [roster.units("su_t34_85,us_m4a1,de_pz4h,su_t34_43")], np.array([1.0]), np.array([[1.0]])
    )
    assert kind.name == "T-34-85 (1944) + M4A1 Sherman (75 mm) + Panzer IV Ausf. H"


def test_agreement__of_one_mix_found_twice_is_1_even_where_all_shares_are_alike() -> None:
    """Where nothing varies there is no correlation to work out."""
    roster = _few()
    mix = Field((roster.units("de_tiger1"), roster.units("us_m4a1*2")), (0.5, 0.5))
    assert agreement(roster, [mix, mix]) == 1


def test_agreement__of_a_mix_of_equal_shares_with_another_is_0() -> None:
    """Such shares say nothing of those of the other, so that there is no correlation to work out either."""
    roster = _few()
    lists = roster.units("de_tiger1"), roster.units("us_m4a1*2")
    assert agreement(roster, [Field(lists, (0.5, 0.5)), Field(lists, (0.1, 0.9))]) == 0


def test_archetypes__a_kind_that_next_to_no_draw_has_is_none() -> None:
    roster = _few()
    lists = [roster.units("de_tiger1"), roster.units("us_m8*9")]
    draws = [[1.0, 0.0]] * 99 + [[0.0, 1.0]]  # the middle 95 of 100 hold nothing of the second
    kinds = archetypes(roster, lists, np.array([1.0, 0.0]), np.array(draws))
    assert [one.name for one in kinds] == ["Tiger I (Ausf. E)"]


def test_shared_out__each_opponent_has_battles_by_its_weight_and_never_fewer_of_more() -> None:
    weights, before = (0.05, 0.5, 0.15, 0.3), np.zeros(4)
    for battles in (0, 1, 7, 100, 20_000):
        number = shared_out(weights, battles)
        assert number.sum() == battles
        assert (number >= before).all()
        assert np.abs(number - np.array(weights) * battles).max() < 3
        before = number


@pytest.mark.parametrize(
    ("least", "most", "points"),
    [
        (None, None, (0, 300)),
        (0, 90, (0, 90)),
        (90, 90, (90, 90)),
        (100, "50 %", (100, 150)),
        ("20 %", "100 %", (60, 300)),
        ("12.5%", None, (37.5, 300)),
    ],
)
def test_limit__a_part_is_one_of_the_budget(
    least: int | str | None, most: int | str | None, points: tuple[float, float]
) -> None:
    assert Limit(units={"class": "vehicle"}, least=least, most=most).bounds(300) == points


@pytest.mark.slow
def test_allowance__fills_lists_within_all_limits() -> None:
    roster = _roster()
    limits = Limits(
        most_units=8,
        most_copies=2,
        limits=(
            Limit(units={"class": "field_gun"}, least="20 %", most=90),
            Limit(units={"nation": ["Germany", "Italy"]}, most="50%"),
        ),
    )
    allowance, rng = Allowance(roster, must="de_pak40", limits=limits), np.random.default_rng(4)
    for _ in range(40):
        units = allowance.random(rng)
        cards = [roster.cards[at] for at in units]
        costs = [card.requisition for card in cards]
        assert len(units) <= 8
        assert sum(costs) <= 300
        assert max(Counter(units).values()) <= 2
        assert "de_pak40" in [card.id for card in cards]
        assert 60 <= sum(card.requisition for card in cards if card.class_ == "field_gun") <= 90
        assert sum(card.requisition for card in cards if card.nation in ("Germany", "Italy")) <= 150
        assert costs == sorted(costs, reverse=True)
        assert all(one != units and allowance.legal(one) for one in allowance.near(units, rng, 5))


def test_allowance__what_just_reaches_a_limit_fits() -> None:
    roster = _few()
    (tiger,) = roster.units("de_tiger1")
    for most, fits in ((145, True), (144, False)):  # its cost, and less
        allowance = Allowance(roster, limits=Limits(limits=(Limit(units={"nation": "Germany"}, most=most),)))
        assert (tiger in allowance._fits((), allowance.allowed)) == allowance.legal((tiger,)) == fits
    for points, fits in ((145, True), (144, False)):
        allowance = Allowance(roster, points)
        kinds = [*allowance.of_one_kind(np.random.default_rng(1))]
        assert (tiger in allowance.allowed) == ((tiger,) in kinds) == allowance.legal((tiger,)) == fits


def test_allowance__what_is_like_a_list_has_none_of_its_units_that_are_not_allowed() -> None:
    roster = _few()
    tiger, *others = roster.units("de_tiger1, us_m4a1, us_m4a1")
    without = Allowance(roster, own={roster.ids[at]: 12 for at in range(len(roster.ids)) if at != tiger})
    like = without.like((tiger, *others), np.random.default_rng(1))
    assert tiger not in like
    assert Counter(others) <= Counter(like)


def test_allowance__has_twelve_units_at_most_unless_told_otherwise() -> None:
    """Twenty would fit into the points, and sixteen into the tables."""
    roster = _few()
    gun = roster.ids.index("us_m16")
    assert 16 * roster.cost[gun] <= 300
    for limits, most in ((None, 12), (Limits(most_units=5), 5), (Limits(most_units=16, most_copies=16), 16)):
        allowance = Allowance(roster, own={"us_m16": 20}, limits=limits)
        assert allowance.random(np.random.default_rng(1)) == (gun,) * most
        assert allowance.legal((gun,) * most)
        assert not allowance.legal((gun,) * (most + 1))


def test_allowance__a_group_without_a_most_may_have_all_points() -> None:
    limits = Limits(limits=(Limit(units={"nation": "Germany"}, least=350),))
    assert Allowance(_few(), 400, limits=limits).groups[0][1:] == (350, 400)


def test_allowance__what_is_in_no_group_has_all_points_that_are_left() -> None:
    roster = _few()
    allowance = Allowance(roster, 270, limits=Limits(limits=(Limit(units={"nation": "Germany"}, most=0),)))
    assert roster.units("su_t34_85*2,us_m4a1") in allowance.every(10**6)


def test_filled__of_a_group_that_needs_nothing_there_may_be_none() -> None:
    roster, rng = _few(), np.random.default_rng(1)
    allowance = Allowance(roster, 300, limits=Limits(limits=(Limit(units={"name": "T-34-85 (1944)"}, most=300),)))
    [tank] = roster.units("su_t34_85")
    assert {tank in allowance.random(rng) for _ in range(20)} == {True, False}


def test_filled__with_others_where_nothing_more_of_a_group_fits() -> None:
    limits = Limits(limits=(Limit(units={"nation": "Germany"}, least=87),))
    allowance, rng = Allowance(_few(), 300, must="su_t34_85*2", limits=limits), np.random.default_rng(1)
    spent = {allowance._spent(allowance.filled(allowance.must, rng), allowance.groups[0]) for _ in range(20)}
    assert spent == {81, 87}


def test_near__one_unit_or_two_have_something_else_in_their_place() -> None:
    roster = _few()
    units = roster.units("su_t34_85*3")
    (tank, *_), near = units, Allowance(roster).near(units, np.random.default_rng(1), 50)
    assert {Counter(one)[tank] for one in near} == {1, 2}


@pytest.mark.slow
def test_allowance__takes_only_what_one_owns() -> None:
    roster = _roster()
    allowance = Allowance(roster, own={"de_tiger1": 1, "Panzer IV Ausf. H": 2, "su_t34_85": 0})
    units = allowance.random(np.random.default_rng(1))
    assert Counter(roster.ids[at] for at in units) == {"de_tiger1": 1, "de_pz4h": 2}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"points": 0}, "points: found 0"),
        ({"nation": "Atlantis"}, "Atlantis"),
        ({"own": {"de_tigre": 1}}, "unknown unit 'de_tigre'"),
        (
            {"points": 20, "must": "de_tiger1"},
            "points: found 20, expected 145 at least, for the units that have to be in",
        ),
        ({"points": 2}, r"points: found 2, expected \d at least, for a single unit"),
        (
            {"must": "de_pak40*3", "limits": {"limits": [{"units": {"class": "field_gun"}, "most": "25 %"}]}},
            "limits: found 81 points of units that have to be in, expected 75 at most",
        ),
        ({"own": {}}, "own: found no unit that a list may have, expected one at least"),
        ({"own": {"de_tiger1": 0, "us_m8": 0}}, "own: found no unit that a list may have, expected one at least"),
        (
            {"own": {"de_tiger1": 1}, "nation": "USA"},
            "nation: found no unit of USA that a list may have, expected one at least",
        ),
        (
            {"own": {"de_tiger1": 1}, "must": "de_tiger1*2"},
            "must: found 2 de_tiger1, of which a list may have 1 at most",
        ),
        ({"nation": "Germany", "must": "us_m8"}, "must: found 1 us_m8, of which a list may have none"),
        ({"limits": Limits(limits=(Limit(units={"class": "field_gun"}, least=301),))}, "no legal list"),
        ({"limits": {"limits": [{"units": {"class": "field_gun"}, "least": 301}]}}, "no legal list"),
        ({"limits": {"most_unit": 3}}, "limits: most_unit: found 3, expected no such field"),
        ({"limits": "mine.toml"}, "limits: found 'mine.toml', expected {'most_units': 10"),
        ({"own": ["de_tiger1"]}, r"own: found \['de_tiger1'\], expected how many of each unit"),
        ({"own": {"de_tiger1": -1}}, "own: de_tiger1: found -1, expected a whole number from 0"),
        ({"own": {"de_tiger1": "2"}}, "own: de_tiger1: found '2', expected a whole number"),
    ],
)
def test_allowance__refuses_what_leaves_no_list(given: dict[str, object], message: str) -> None:
    with pytest.raises(aab.UsageError, match=message):
        Allowance(_roster(), **given)


def test_units__of_another_card_than_the_roster_s_are_refused() -> None:
    game = aab.Game()
    changed = game.with_(changes=["us_m8.hp=100"]).cards["us_m8"]
    assert _roster().units([game.cards["us_m8"]]) == _roster().units("us_m8")
    with pytest.raises(aab.UsageError, match="list: found another card of us_m8 than the game's"):
        _roster().units([changed])


def _all_lists(allowance: Allowance) -> list[tuple[int, ...]]:
    """Return every list of the few cards that nothing more fits into, counted up plainly."""
    cost, points = allowance.cost, allowance.points
    most = [points // int(one) for one in cost]
    some = []
    for counts in itertools.product(*(range(number + 1) for number in most)):
        spent = int(np.dot(counts, cost))
        full = points - spent < cost.min() or sum(counts) == allowance.most_units
        if spent <= points and sum(counts) <= allowance.most_units and full:
            some.append(allowance.payoffs.sorted(at for at, n in enumerate(counts) for _ in range(n)))
    return some


@pytest.mark.parametrize(
    "given", [{}, {"own": {"de_tiger1": 1, "us_m8": 3}}, {"must": "us_m8*2"}, {"limits": {"most_copies": 2}}]
)
def test_every__is_each_legal_list_that_is_full_once(given: dict[str, Any]) -> None:
    allowance = Allowance(_few(), 160, **given)
    every, some = allowance.every(10_000), {allowance.random(np.random.default_rng(seed)) for seed in range(60)}
    assert len(set(every)) == len(every) >= len(some) > 1
    assert some <= set(every)
    assert all(allowance.legal(units) and not allowance._fits(units, allowance.allowed) for units in every)
    if not given:
        assert sorted(every) == sorted(_all_lists(allowance))
    assert allowance.every(2 * len(every)) == every
    assert allowance.every(len(every) - 1) == []


@pytest.mark.slow
def test_replies__are_of_all_lists_if_each_gets_32_battles() -> None:
    """The ways to 59 lists are four for each of 70, and no fewer."""
    allowance, mix = Allowance(_few(), 120), Field((_few().units("us_m8*2"),), (1.0,))
    for battles, tried, searches in ((70 * 32, 59, 1), (70 * 32 - 1, 0, 3)):
        replies, every = metagame_of._replies(allowance, mix, [], battles, 1, lambda done: None)
        assert (every, len(replies)) == (tried, searches)


@pytest.mark.slow
def test_search__finds_the_best_of_all_lists() -> None:
    roster = _few()
    allowance = Allowance(roster, 150)
    field = Field.of({roster.units("su_t34_85*2,us_m8"): 1.0, roster.units("de_tiger1"): 1.0})
    score = scorer(roster, field, 1)
    found = search(score, allowance, np.random.default_rng(1), battles=100_000)[0]
    every = _all_lists(allowance)
    assert found.units in every
    best = max(score(every, 2000, 0))
    assert roster.scores([found.units], field, 20_000, 2)[0] > best - 0.03


@pytest.mark.slow
@pytest.mark.parametrize("battles", [60_000, 300_000])
def test_search__every_race_test_and_the_last_score_are_of_fresh_dice(battles: int) -> None:
    roster, called = _few(), list[tuple[list[tuple[int, ...]], int, int]]()

    def score(lists: Sequence[tuple[int, ...]], some: int, first: int) -> Floats:
        """Lists of more units score more; which battles they were is in the digits behind."""
        called.append((list(lists), some, first))
        return np.array([len(units) / 100 + first * 1e-9 for units in lists])

    found = search(score, Allowance(roster, 150), np.random.default_rng(1), battles=battles)
    dice = [range(first, first + some) for _, some, first in called]
    assert all(one.stop <= other.start for one, other in itertools.pairwise(dice))
    *rest, (last, each, at) = called
    assert [one.score for one in found] == [len(one.units) / 100 + at * 1e-9 for one in found]
    assert {one.units for one in found} <= {*last}
    assert each >= 512
    # The last generation is begun with more than 15 % of the battles left: they are its own, and those of the last.
    spent = [len(lists) * some for lists, some, _ in rest]
    assert each * len(last) + sum(spent[-3:]) > 0.15 * battles
    assert sum(spent) + each * len(last) < 1.2 * battles + 512 * len(last)


@pytest.mark.slow
def test_search__finds_better_lists_than_those_of_one_kind_that_open_it() -> None:
    roster = Payoffs(aab.Game())
    allowance = Allowance(roster)
    field = against(roster, allowance.points).field
    found = search(scorer(roster, field, 1), allowance, np.random.default_rng(1))
    # Four KV-1, the best of one kind, score .505: a search that only swapped one or two units ended there.
    assert roster.scores([found[0].units], field, 20_000, 2)[0] > 0.52
    assert all(overlap(roster, a.units, b.units) < 0.5 for a, b in itertools.combinations(found, 2))


@pytest.mark.slow
def test_metagame__can_be_exploited_by_no_list_of_a_small_roster() -> None:
    game = aab.Game()
    found = aab.metagame(game.with_(cards=game.cards.only(FEW)), 120, battles=600_000, seed=3)
    roster = found.payoffs
    every = _all_lists(Allowance(roster, 120))
    assert max(roster.scores(every, found.field, 4000, 11)) < 0.5 + 0.05
    # There are few enough to try them all, so that the best reply is no lower bound.
    assert found.every == len(every)
    assert "Exploitable by at least" not in repr(found)
    assert found.exploitable[1].score > max(roster.scores(every, found.field, 20_000, 12)) - 0.02
    ranking = found.to_dict()["ranking"]
    assert sorted(row["mean_score"] for row in ranking)[::-1] == [row["mean_score"] for row in ranking]
    evenly = Field(found.lists, (1.0,) * len(found.lists))
    for row in (ranking[0], ranking[-1]):
        [score] = roster.scores([roster.units(row["list"])], evenly, 20_000, 13)
        assert row["mean_score"] == pytest.approx(score, abs=0.03)
    assert sum(one.share for one in found.archetypes) == pytest.approx(1)
    assert sum(row["share"] for row in found.units) == pytest.approx(1)
    assert found.cyclic is not None
    assert 0 <= found.cyclic <= 1
    for said in found.sentences():
        assert said.endswith(".")


@pytest.mark.slow
def test_toml__of_a_mix_is_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = aab.Game(changes=["de_tiger1.name='a b'"])
    own = dict.fromkeys(FEW[:3], 9)
    fought, counts = [], Payoffs.counts
    monkeypatch.setattr(Payoffs, "counts", lambda *given: fought.append(counts(*given)) or fought[-1])
    found = aab.metagame(game.with_(cards=game.cards.only(FEW[:4])), 80, battles=100_000, own=own)
    assert found.battles == found.to_dict()["battles"] == sum(int(one.sum()) for one in fought)
    assert [found.payoffs.ids[at] for at in found.choice] == [
        unit for unit in FEW[:3] if game.cards[unit].requisition <= 80
    ]
    assert set(found.unused()) < set(own)
    _says_how_sure_it_is(found)
    assert found.to_frame()["weight"].sum() == pytest.approx(1)
    path = tmp_path / "mine.field.toml"
    path.write_text(found.toml("--must", "de_tiger1"), encoding="utf-8")
    file = read_as(FieldFile, path)
    command = shlex.split(file.made.partition(", ")[0])
    words = "--game armored_advance --points 80 --actions 4 --policy value --battles 100000 --seed 0"
    assert command == [
        "aabalance",
        "metagame",
        *["--must", "de_tiger1", "--set"],
        "de_tiger1.name='a b'",
        *words.split(),
    ]
    of = found.payoffs.game.provenance()
    assert f", {found.battles} battles, cards {of.cards}, aabalance {of.aabalance}; " in file.made  # and no date
    assert [found.payoffs.units(one.units) for one in file.lists] == list(found.field.lists)
    assert sum(one.weight for one in file.lists) == pytest.approx(1, abs=1e-3)


def _says_how_sure_it_is(found: metagame_of.Metagame) -> None:
    first, *said = found.sentences()
    assert repr(found) == "\n".join([first, *said])
    assert first.startswith(f"{found.battles:,} battles, {len(found.lists)} lists; the mix has ")
    unused = found.unused()
    assert f"{len(unused)} of {len(found.choice)} units {'is' if len(unused) == 1 else 'are'} in no list" in str(said)
    moved = [f"{bare_percent(low)}, {bare_percent(high)}] against this mix." for _, (_, low, high), _ in found.moved]
    assert [one.rpartition(" [")[2] for one in said if one.startswith("With ")] == moved
    assert "another --seed may find shares that differ by more" in said[-1]
    for row in found.units:
        assert 0 <= row["in_lists_low"] <= row["in_lists"] <= row["in_lists_high"] <= 1


def _made() -> metagame_of.Metagame:
    """Return a meta-game of which each number is known."""
    roster = _few()
    lists = tuple(map(roster.units, ("de_tiger1", "su_t34_85", "us_m4a1", "us_m8*9", "us_m16*9")))
    return metagame_of.Metagame(
        payoffs=roster,
        points=145,
        seed=7,
        asked=50_000,
        battles=60_000,
        lists=lists,
        weights=np.array([0.9663, 0.0333, 0.0004, 0.0, 0.0]),
        scores=np.array([0.5, 0.5, 0.5, 0.481, 0.479]),
        archetypes=(Archetype("Tiger I (Ausf. E)", 0.9663, 0.9, 1.0, lists[0], (0,)),),
        classes={},
        units=[],
        crossed=(Score(0.53, 0.52, 0.54), Score(0.51, 0.495, 0.525)),
        agreement=0.8,
        replies=((lists[1], Score(0.51, 0.505, 0.515)),),
        every=0,
        cyclic=None,
        ranks=np.array([0.5, 0.6, 0.4, 0.3, 0.2]),
        more_points=Difference(0.1, 0.05, 0.15),
        moved=(),
        choice=tuple(range(len(roster.cards))),
    )


def test_metagame__prints_each_share_of_kinds_and_units_and_a_row_of_several_searches(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = _made()
    kind = Archetype("Scouts", 0.3, 0.1, 0.6, made.lists[3], (3,))
    unit = {"name": "Tank", "share": 0.2, "low": 0.1, "high": 0.4, "in_lists": 0.7, "in_lists_low": 0.6}
    classes = {"vehicle": Score(0.6, 0.5, 0.7), "field_gun": Score(0.4, 0.3, 0.5)}
    made = replace(made, archetypes=(kind,), units=26 * [unit | {"in_lists_high": 0.9}], classes=classes)
    _print_metagame(made)
    kinds, units, said = capsys.readouterr().out.split("\n\n")
    assert [re.split("  +", line.strip()) for line in kinds.splitlines()] == [
        ["share", "95 % interval", "kind of list", "for example"],
        ["30 %", "10 to 60", "Scouts", "us_m8*9"],
    ]
    head, *rows = (re.split("  +", line.strip()) for line in units.splitlines())
    assert head == ["of requisition", "95 % interval", "in lists", "95 % interval", "unit"]
    assert rows == 25 * [["20.0 %", "10.0 to 40.0", "70.0 %", "60.0 to 90.0", "Tank"]]
    assert "The kind with the most weight, 30.0 % [10.0, 60.0], is Scouts." in said
    assert "5 lists; the mix has 3. " in said
    _print_metagames([made])
    head, row = (re.split("  +", line.strip()) for line in capsys.readouterr().out.splitlines()[:2])
    shares = {"% vehicle": "60 [50, 70]", "% field gun": "40 [30, 50]"}
    assert dict(zip(head, row, strict=True)) == {
        "points": "145", "actions": "4", "policy": "value", "distance": '18"', "exploitable by": "0.010 [0.005, 0.015]",
        **shares, "most weight": "Scouts",
    }  # fmt: skip
    for tried, bound in ((0, "is a lower bound."), (7, "is a lower bound, but for rows whose lists were all tried.")):
        _print_metagames([made, replace(made, every=tried)])
        assert f"fresh searches exploits {bound}\n" in capsys.readouterr().out
    assert made.to_dict()["score_of_10_percent_more_points_ci"] == (0.05, 0.15)


def test_metagame__says_who_is_in_no_good_list_and_how_far_searches_exploit_each_other(tmp_path: Path) -> None:
    made = _made()
    roster, lists = made.payoffs, made.lists
    said = " ".join(made.sentences())
    assert "the searches could exploit each other by +0.030 [0.020, 0.040], +0.010 [-0.005, 0.025]; their" in said
    reply = roster.words(lists[1])
    assert f"Exploitable by at least 0.010 [0.005, 0.015]: the best of 1 fresh searches is {reply}." in said
    other = replace(made, replies=((lists[1], Score(0.51, 0.495, 0.525)), (lists[0], Score(0.6, 0.58, 0.62))))
    assert f"Exploitable by at least 0.010 [-0.005, 0.025]: the best of 2 fresh searches is {reply}." in str(other)
    beaten = replace(made, replies=((lists[1], Score(0.49, 0.48, 0.505)),))
    none = f"No reply found beats it: the best of 1 fresh searches, {reply}, scores -0.010 [-0.020, 0.005] above level."
    assert beaten.sentences()[1] == none
    whole = f"Exploitable by 0.010 [0.005, 0.015]: the best of all 1,234 legal lists is {reply}."
    assert replace(made, every=1234).sentences()[1] == whole
    assert "above level" in (alone := replace(beaten, every=1).sentences()[1])
    assert alone.startswith(f"No reply found beats it: the only legal list, {reply}, scores ")
    assert f"The first of that ranking is {reply}." in replace(made, cyclic=0.4).sentences()
    assert "ranking" not in said
    # A list within 2 points of the mix is good: the scout cars' is, the flak's isn't.
    assert made.unused() == [unit for unit in roster.ids if unit in ("de_pz4h", "de_pak40", "su_t34_43", "us_m16")]
    assert "4 of 8 units are in no list within 2 points of the mix: " in said
    all_but_one = [at for at, unit in enumerate(roster.ids) if unit not in made.unused()[1:]]
    assert "1 of 5 units is in no list" in " ".join(replace(made, choice=tuple(all_but_one)).sentences())
    assert "They agree on shares and kinds, not on single lists." in said
    assert "They don't agree on shares" in " ".join(replace(made, agreement=0.5).sentences())
    path = tmp_path / "mine.field.toml"
    path.write_text(made.toml("2026-01-01"), encoding="utf-8")
    file = read_as(FieldFile, path)
    # A list that has no part in a thousand is left out, one of some in a hundred isn't.
    assert [one.weight for one in file.lists] == [0.9663, 0.0333]
    assert file.title == "Equilibrium mix of 145 points and 4 actions"
    what_if = roster.game.with_(variant={"resolution": "two_dice"}, changes=['de_tiger1.name="x"'])
    path.write_text(replace(made, payoffs=Payoffs(what_if, actions=1)).toml(), encoding="utf-8")
    assert read_as(FieldFile, path).title.endswith(f" and 1 action, with {what_if.provenance().unusual()}")
    assert " --points 145 --actions 4 --policy value --battles 50000 --seed 7, all at 18" in file.made


@pytest.mark.slow
def test_described__a_slope_is_what_a_tenth_of_the_points_adds() -> None:
    """A witness: ridge regression as least squares with a row more for each unit, on the same lists."""
    roster, seed = Payoffs(_few().game), 3
    mix = Field.of({roster.units("de_tiger1,su_t34_85"): 1.0, roster.units("us_m4a1*3"): 1.0})
    allowance = Allowance(roster, 250)
    found = _slopes(allowance, mix, np.random.default_rng(seed), seed)
    rng = np.random.default_rng(seed)
    lists = list(dict.fromkeys([*mix.lists, *(one for units in mix.lists for one in allowance.near(units, rng, 16))]))
    spent = np.array([[roster.shares(units).get(at, 0.0) for at in range(len(roster.cards))] for units in lists])
    often = np.flatnonzero((spent > 0).sum(axis=0) >= 8)
    assert list(found.index) == [roster.ids[at] for at in often]
    x, y = spent[:, often], roster.scores(lists, mix, 384, seed + 1)

    def slopes(at: Any) -> Any:
        rows = np.vstack([x[at] - x[at].mean(axis=0), 0.3**0.5 * np.eye(len(often))])
        return 0.1 * np.linalg.lstsq(rows, np.append(y[at] - y[at].mean(), np.zeros(len(often))))[0]

    assert found["share_slope"].tolist() == pytest.approx(slopes(range(len(lists))))
    # Slopes of lists drawn again, by other dice: 95 % of a normal distribution are within 1.96 of its spread.
    spread = np.std([slopes(rng.integers(len(lists), size=len(lists))) for _ in range(400)], axis=0)
    wide = found["share_slope_high"] - found["share_slope_low"]
    assert wide.tolist() == pytest.approx(2 * 1.96 * spread, rel=0.25)
    assert found["share_slope"].between(found["share_slope_low"], found["share_slope_high"], inclusive="neither").all()


def test_described__says_how_sure_a_score_of_a_kind_is() -> None:
    """By the normal distribution 256 even battles are known to 1.96 times a 32nd either way."""
    rows = [{"units": "de_tiger1"}, {"units": "us_m4a1*2"}]
    said = described(_few().game, FieldFile.model_validate({"points": 145, "lists": rows})).said
    assert "fought 256 battles: 95 % intervals of a kind's scores are 6 points to either side" in " ".join(said)


@pytest.mark.slow
def test_described__units_and_pairs_of_kinds_have_their_own_numbers() -> None:
    rows = [{"units": "de_tiger1,su_t34_85", "weight": 3}, {"units": "us_m4a1*2", "weight": 1}]
    found = described(_few().game, FieldFile.model_validate({"points": 245, "lists": rows}))
    units = found.units.set_index("unit")[["requisition", "requisition_share", "in_lists"]]
    assert {unit: tuple(row) for unit, *row in units.itertuples()} == {
        "de_tiger1": (145, pytest.approx(0.75 * 145 / 245), 0.75),
        "su_t34_85": (100, pytest.approx(0.75 * 100 / 245), 0.75),
        "us_m4a1": (70, 0.25, 0.25),
    }
    assert (found.units["requisition_share_low"] < found.units["requisition_share_high"]).all()
    mixed, shermans = found.kinds["archetype"]
    met = found.map.set_index(["archetype", "against_archetype"])["score_of_kind"]
    assert met[mixed, shermans] > 0.6
    assert found.said[1].endswith(f" against {shermans} and 50.0 % against {mixed}.")
    assert met[mixed, mixed] == met[shermans, shermans] == 0.5
    assert met[shermans, mixed] == pytest.approx(1 - met[mixed, shermans])


def test_oracle__knows_each_list_once_and_keeps_what_pairs_of_them_have_fought() -> None:
    roster, told = _few(), list[int]()
    tigers, cars, tanks = (roster.units(one) for one in ("de_tiger1*2", "us_m8*8", "su_t34_85*2"))
    oracle = Oracle(Allowance(roster, 300), 1, told.append).run([tigers, cars, tigers], 0)
    assert (oracle.lists, oracle.battles, told) == ([tigers, cars], PAIR, [PAIR])
    known = oracle.matrix.copy()
    assert known[0, 1] > 0.9  # the cars can't hurt them
    assert known[0, 1] + known[1, 0] == 1
    assert oracle.weights.tolist() == [1, 0]
    oracle.run([cars, tanks], 0)
    assert (oracle.lists, oracle.battles) == ([tigers, cars, tanks], 3 * PAIR)
    assert (oracle.matrix[:2, :2] == known).all()


def test_oracle__takes_no_list_that_is_no_better_and_looks_longer_after_a_search_in_vain() -> None:
    """One can have the Tiger or the car, which loses to it: a quarter of the battles, twice as many, and no more."""
    roster = _few()
    tiger = roster.units("de_tiger1")
    oracle = Oracle(Allowance(roster, 145, own={"de_tiger1": 1, "us_m8": 1}), 1).run([tiger], 20_000)
    assert (oracle.lists, oracle.battles) == ([tiger], 5_000 + 10_000)


def test_more_points__of_which_there_are_none_are_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # Other lists of the same points beat this mix: that isn't what more points are worth.
    few = _few()
    allowance, mix = (
        Allowance(few, 120),
        Field((few.units("su_t34_85,us_m16"), few.units("de_pz4h,su_t34_43")), (0.75, 0.25)),
    )
    scores: list[Score] = []

    def seen(*given: Any) -> Score:
        scores.append(payoffs_of.score_against(*given))
        return scores[-1]

    with monkeypatch.context() as spied:
        spied.setattr(metagame_of, "score_against", seen)
        worth = metagame_of._more_points(allowance, mix, 1, {})
    # Errors of lists that are rolled apart add up by their squares.
    pairs = zip(scores[::2], scores[1::2], strict=True)
    each = [_apart(richer.score, same.score, metagame_of.RICHER, 1) for richer, same in pairs]
    change = sum(weight * gain for weight, (gain, _, _) in zip(mix.weights, each, strict=True))
    half = math.hypot(*(weight * (high - low) / 2 for weight, (_, low, high) in zip(mix.weights, each, strict=True)))
    assert worth == pytest.approx((change, change - half, change + half))
    assert worth.low < worth.change < worth.high < worth.low + 0.045
    monkeypatch.setattr(metagame_of, "MORE_POINTS", 0)
    nothing = metagame_of._more_points(allowance, mix, 1, {})
    assert nothing.change == 0
    assert nothing.low < 0 < nothing.high


def test_more_points__are_spent_on_what_lists_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    roster, met = _few(), list[tuple[int, ...]]()

    def seen(*given: Any) -> Score:
        met.append(given[1])
        return payoffs_of.score_against(*given)

    monkeypatch.setattr(metagame_of, "score_against", seen)
    allowed = {"nation": "Germany", "limits": Limits(most_units=3)}
    mix = Field((roster.units("de_pak40*3"),), (1.0,))
    metagame_of._more_points(Allowance(roster, 120, **allowed), mix, 1, allowed)
    assert len(met) == 2
    assert {roster.cards[at].nation for units in met for at in units} == {"Germany"}
    assert max(map(len, met)) <= 3


@pytest.mark.slow
def test_more_points__are_worth_something_where_the_mix_can_be_beaten_by_them() -> None:
    # Whatever fits into 100 points fits into 110.
    mix = Field((_few().units("su_t34_85"),), (1.0,))
    worth = metagame_of._more_points(Allowance(_few(), 100), mix, 1, {})
    assert 0.05 < worth.low < worth.change < worth.high < 0.5


def test_crossed__is_what_the_best_list_of_the_others_scores_against_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metagame_of, "KNOWN", ((512, 1),))
    monkeypatch.setattr(metagame_of, "FRESH", 2000)
    roster = _few()
    lists = [roster.units(one) for one in ("su_t34_85*2,us_m8*4", "de_pz4h*2,de_pak40*3", "su_t34_43*4")]
    crossed = [one.score for one in metagame_of._crossed(roster, [Field((one,), (1.0,)) for one in lists], 1)]
    met = roster.among(lists, 2000, 9)  # each is beaten by another one
    assert crossed == pytest.approx((met[1, 0], met[2, 1], met[0, 2]), abs=0.07)
    assert min(crossed) > 0.6
    # Its own list isn't one of the others: what beats all of them is exploited by none.
    strong, _ = metagame_of._crossed(roster, [Field((one,), (1.0,)) for one in lists[:2][::-1]], 1)
    assert strong.score == pytest.approx(1 - met[1, 0], abs=0.07)


@pytest.mark.slow
def test_moved__is_the_best_reply_under_other_conditions_by_battles_under_these(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metagame_of, "FRESH", 5000)
    few, replies, mix = _few(), ["su_t34_85*2,us_m8*4", "us_m4a1*2,us_m16*6"], "de_pz4h*2,de_pak40*3"
    ranges = Payoffs(few.game, situations={"range_in": {"12": 0.5, "36": 0.5}, "facing": SHARES})
    lists, field = [few.units(one) for one in replies], Field((few.units(mix),), (1.0,))
    found = [*metagame_of._moved(few, lists, field, 1), *list(metagame_of._moved(ranges, lists, field, 1))[-2:]]
    changes = [
        {"actions": 3},
        {"actions": 5},
        {"policy_a": "focus", "policy_b": "focus"},
        {"range_in": 12},
        {"range_in": 36},
    ]
    assert [what for what, *_ in found] == ["3 actions", "5 actions", "policy focus", 'all at 12"', 'all at 36"']
    usual = {"range_in": 18, "facing": "mix", "actions": 4, "simulate": 5000}
    before, *scores = (
        [(met.p_a + met.p_draw / 2, one) for one in replies for met in [few.game.battle(one, mix, **usual | change)]]
        for change in ({}, *changes)
    )
    for (what, score, units), met in zip(found, scores, strict=True):
        best, reply = max(met)
        assert few.text(units) == reply, what
        assert score.score == pytest.approx(best, abs=0.05), what
        assert reply != max(before)[1] or abs(best - max(before)[0]) > 0.05, what


def test_metagame__its_file_has_the_whole_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: list[str] = []
    made = SimpleNamespace(toml=lambda *words: given.extend(words) or "made", to_dict=dict)
    monkeypatch.setattr("aabalance.lists.variations.defined", lambda *question: [made])
    own, limits, out = (tmp_path / f"{name}.toml" for name in ("own", "limits", "x.field"))
    own.write_text("de_tiger1 = 1\n", encoding="utf-8")
    limits.write_text("most_copies = 3\n", encoding="utf-8")
    spec, cards = _definition(tmp_path, ""), write(tmp_path / "cards", few(FEW[:4]))
    words = [str(spec), "--cards", str(cards), "--variant", "angling=add"]
    words += ["--must", "de_tiger1", "--must", "de_pz4h", "--nation", "Germany"]
    words += ["--own", str(own), "--limits", str(limits)]
    assert _run("metagame", *words, "--points", "90", "--out", str(out), "--json") == (0, "{}\n")
    assert given == words
    assert out.read_text(encoding="utf-8") == "made"


def test_against__says_in_words_who_the_opponents_are(tmp_path: Path) -> None:
    roster, path = _few(), tmp_path / "mine.field.toml"
    lists = 'points = 300\n[[lists]]\nunits = "us_m8"\n'
    for title, words in (('title = "Scouts"\n', "Scouts"), ("", str(path))):
        path.write_text(title + lists, encoding="utf-8")
        assert against(roster, 100, field=path).words == words
    assert against(roster, 100, field=["us_m8", "us_m4a1"]).words == "a field of 2 lists"
    assert against(roster, 100, counter="us_m4a1*2").words == "2 M4A1 Sherman (75 mm) (140 points)"


@pytest.mark.slow
def test_against__says_for_which_conditions_a_field_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields_of_lists, "MADE", 50_000)
    roster, said = Payoffs(_few().game, actions=1, policy="focus"), list[str]()
    against(roster, 150, say=said.append)
    [line] = said
    assert line.startswith("no field is stated for 150 points, 1 action and policy focus: one is made, ")


def test_field_of__equal_lists_of_a_file_add_up() -> None:
    lists = [("de_tiger1,de_pz4h", 3), ("de_pz4h,de_tiger1", 3), ("us_m8*8", 4)]
    file = FieldFile.model_validate({"points": 300, "lists": [{"units": one, "weight": n} for one, n in lists]})
    assert field_of(_few(), file) == against(_few(), 300, field={"de_tiger1,de_pz4h": 6, "us_m8*8": 4}).field
    assert field_of(_few(), file).weights == (0.6, 0.4)


@pytest.mark.slow
def test_stated_for__serves_budgets_near_its_own_and_the_policy_and_limit_it_was_made_for() -> None:
    roster = _roster()
    near = [points for points in (150, 284, 285, 315, 316, 600) if stated_for(roster, points) is not None]
    assert near == [285, 315]  # a twentieth of 300 to either side
    known = stated_for(roster, 300)
    assert known is not None
    assert known.words == "the stated field of 300 points"
    assert stated_for(_roster("focus"), 300) is None
    assert stated_for(Payoffs(aab.Game(), actions=3), 300) is None


def test_terms__name_the_distance_where_there_is_one() -> None:
    assert _few().terms == (
        "Battles of units that hold, 4 actions a turn, policy value; at 18\", each attack has a face by the report's "
        "shares."
    )
    never = Payoffs(_few().game, situations=AT_18 | {"range_in": {"18": 1.0, "24": 0.0}})
    assert never.terms == _few().terms
    assert Payoffs(_few().game).terms.endswith("; each attack has a distance and a face by the report's shares.")


@pytest.mark.parametrize("weight", ["inf", "nan", "1e+308", "0"])
def test_field__a_weight_that_is_none_has_its_line(tmp_path: Path, weight: str) -> None:
    path = tmp_path / "field.toml"
    path.write_text(f'points = 300\n\n[[lists]]\nunits = "us_m4a1"\nweight = {weight}\n', encoding="utf-8")
    with pytest.raises(aab.CardError, match=rf"field\.toml:5: lists\.0\.weight: found {re.escape(weight)}"):
        read_as(FieldFile, path)


@pytest.mark.parametrize(("schema", "line"), [(ListFile, 'name = "{}"'), (FieldFile, 'title = "{}"')])
def test_name__with_a_control_character_is_refused(tmp_path: Path, schema: type[BaseModel], line: str) -> None:
    path = tmp_path / "list.toml"
    path.write_text(line.format("L\\n::error::x"), encoding="utf-8")
    with pytest.raises(
        aab.CardError, match=r"list\.toml:1: (name|title): found .*, expected a text without a line break"
    ):
        read_as(schema, path)


def test_any_list__places_are_those_of_the_units_behind_several_of_a_kind(tmp_path: Path) -> None:
    path, game = tmp_path / "list.toml", _few().game
    rules = game.ruleset.match()
    assert rules is not None
    rows = '["us_m8*2", { unit = "de_tiger1", at = [1, 2] }, "us_m4a1", { unit = "us_m16", at = [3, 4] }]'
    path.write_text(f"units = {rows}\n", encoding="utf-8")
    found = any_list(f"@{path}", game.cards, rules.Place)
    assert found.units == ["us_m8", "us_m8", "de_tiger1", "us_m4a1", "us_m16"]
    assert {number: tuple(place.at) for number, place in found.places.items()} == {2: (1, 2), 4: (3, 4)}


@pytest.mark.parametrize(
    ("row", "found"),
    [("inf_rifle", "found Rifle squad, expected vehicles and guns"), ("us_m8*16", "found 17 units, expected at most")],
)
def test_units__a_file_that_lists_cannot_have_names_its_line(tmp_path: Path, row: str, found: str) -> None:
    path = tmp_path / "list.toml"
    path.write_text(f'units = [\n"us_m8",\n"{row}",\n]\n', encoding="utf-8")
    with pytest.raises(aab.CardError, match=rf"list\.toml:3: units\.1: {found}"):
        _few().units(f"@{path}")


def test_field__a_list_that_cannot_fight_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.field.toml"
    path.write_text('points = 300\n[[lists]]\nunits = "us_m8*9"\n[[lists]]\nunits = "inf_rifle"\n', encoding="utf-8")
    with pytest.raises(aab.CardError, match=r"toml:5: lists.1.units: found Rifle squad, expected vehicles and guns"):
        against(_few(), 300, field=path)


def test_allowance__leaves_out_what_no_list_has_and_says_so() -> None:
    own = {"de_tiger1": 1, "Tiger I (Ausf. E)": 1, "inf_rifle": 3}
    with pytest.warns(UserWarning, match="own: lists have vehicles and guns with a price, and so not Rifle squad"):
        allowance = Allowance(_few(), own=own)
    assert {unit: n for unit, n in zip(_few().ids, allowance.copies.tolist(), strict=True) if n} == {"de_tiger1": 2}
    Allowance(_few(), own={"de_tiger1": 1, "inf_rifle": 0})  # of what one has none, nothing is left out: no warning


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lists be judged by few battles."""
    monkeypatch.setattr(advice, "COUNTER", 10_000)
    monkeypatch.setattr(advice, "SWAPS", ((64, 2), (256, 1)))
    monkeypatch.setattr(advice, "FRESH", 2000)


@pytest.mark.usefixtures("quick")
def test_judge_list__of_many_units_tries_others_in_their_place() -> None:
    judged = aab.judge_list(_few().game, "us_m16*14", counter="de_tiger1*4")
    assert [len(swap) >= 13 for swap, _ in judged.swaps.values()] == [True]
    answer, _ = judged.beaten_by or ((), None)
    cost = judged.payoffs.requisition(answer)
    assert 0 < cost <= judged.payoffs.requisition(judged.units)
    assert judged.to_dict()["beaten_by"]["requisition"] == cost
    assert f"{judged.payoffs.words(answer)} ({cost} points), leaves it " in repr(judged)


@pytest.mark.usefixtures("quick")
def test_compare_lists__cards_of_one_name_are_told_apart_by_their_ids() -> None:
    gun = at(penetration=12, damage=10)
    game = _handmade(old=gun, new=gun, other=gun)
    tables = {unit: table | {"name": "Tank"} for unit, table in game.cards.tables.items() if unit != "other"}
    game = game.with_(cards=Cards(game.cards.schema, {**game.cards.tables, **tables}, game.cards.places))
    compared = aab.compare_lists(game, "old*2,new", "new,other", field=["other*2"])
    assert [said.partition(" (")[0] for said in compared.sentences()[:2]] == ["a: 2 Tank", "b: Tank"]
    assert compared.sentences()[0].startswith("a: 2 Tank (old), Tank (new) (")
    assert compared.sentences()[1].startswith("b: Tank (new), other (")


@pytest.mark.usefixtures("quick")
def test_judge_list__of_one_unit_has_none_to_leave_out_but_others_in_its_place() -> None:
    cheap, dear = (aab.judge_list(_few().game, unit, counter="us_m16") for unit in ("us_m8", "us_m4a1"))
    for judged, swaps in ((cheap, 0), (dear, 1)):
        assert "With one unit there is none to leave out." in judged.sentences()
        assert ("No unit can be swapped: nothing else fits in its place." in judged.sentences()) is not bool(swaps)
        assert judged.by_unit()["gain"].notna().tolist() == [bool(swaps)]
        name = judged.payoffs.words(judged.units)
        assert aab.plots.list_units(judged.by_unit()).get_yticklabels()[0].get_text() == name


@pytest.mark.usefixtures("quick")
def test_best_lists__what_beats_the_best_costs_no_more() -> None:
    best = aab.best_lists(_few().game, 250, own={"us_m8": 2}, counter="us_m16", battles=50_000)[0]
    assert best.payoffs.text(best.units) == "us_m8*2"
    assert best.payoffs.requisition(best.beaten_by[0]) <= best.payoffs.requisition(best.units)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_best_lists__are_in_the_order_of_other_dice_than_those_of_their_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "FRESH", 20)
    game = aab.Game()
    five = game.with_(cards=game.cards.only(["us_m8", "de_pz4h", "de_puma", "de_tiger1", "su_t34_85"]))
    found = aab.best_lists(five, 160, counter="de_tiger1,us_m8", battles=50_000, seed=3)
    # By 2,000 battles and other seeds they score .73 to .75, .55 to .57, .48 to .51, and next to nothing.
    texts = [one.payoffs.text(one.units) for one in found]
    first = ["su_t34_85,de_pz4h", "de_pz4h*2,de_puma*2", "de_tiger1,us_m8"]
    assert texts == [*first, "de_pz4h,us_m8*11", "de_puma*8,us_m8"]
    assert [one.score.score for one in found] == pytest.approx([0.65, 0.3, 0.5, 0, 0])


def test_difference__is_newcombes_and_so_is_a_part_of_it() -> None:
    whole = Difference.of(Score(0.9, 0.87, 0.92), Score(0.5, 0.46, 0.53))
    # Newcombe's method 10 by hand: half of 0.4 less hypot(.03, .03), and more hypot(.02, .04)
    assert whole.times(0.5) == pytest.approx((0.2, 0.1787868, 0.2223607))


@pytest.mark.parametrize(
    ("low", "high", "sure"), [(0.1, 0.3, True), (-0.3, -0.1, True), (-0.1, 0.3, False), (0.0, 0.2, False)]
)
def test_difference__is_sure_on_either_side_of_nothing(low: float, high: float, sure: bool) -> None:
    assert Difference((low + high) / 2, low, high).sure == sure


def test_judged__calls_better_what_surely_is_and_counts_copies() -> None:
    roster, even, none = _few(), Score(0.5, 0.4, 0.6), Difference(0.0, -0.1, 0.1)
    units = roster.units("su_t34_85*2,us_m8")
    tank, car = units[0], units[2]
    swaps = {
        tank: (roster.units("su_t34_85,us_m4a1,us_m8"), Difference(0.05, -0.01, 0.11)),
        car: (roster.units("su_t34_85*2,us_m16,us_m8"), Difference(0.04, 0.01, 0.07)),
    }
    adds = {tank: Difference(0.3, 0.2, 0.4), car: Difference(0.1, 0.05, 0.15)}
    met = ((roster.units("de_tiger1"), even),)
    judged = Judged(roster, units, "a field", even, none, met, adds, swaps, met[0], ())
    better = [said for said in judged.sentences() if said.startswith("Better")]
    assert better == ["Better: M16 MGMC in place of unspent points: +4.0 [1.0, 7.0]."]
    assert judged.by_unit()[["unit", "number"]].to_numpy().tolist() == [["su_t34_85", 2], ["us_m8", 1]]


def test_judged__names_the_three_worst_opponents_and_the_three_best_swaps_the_largest_gain_first() -> None:
    roster, none = _few(), Difference(0.0, -0.1, 0.1)
    names = ["de_tiger1", "su_t34_85", "us_m4a1", "us_m8"]
    units, score = roster.units(",".join(names)), Score(0.5, 0.4, 0.6)
    met = tuple(
        (roster.units(name), Score(p, p - 0.1, p + 0.1)) for name, p in zip(names, (0.2, 0.3, 0.4, 0.5), strict=True)
    )
    gains = dict(zip(units, (0.01, 0.04, 0.02, 0.03), strict=True))
    swaps = {at: (units, Difference(gain, gain - 0.005, gain + 0.005)) for at, gain in gains.items()}
    gap, answer = Difference(0.08, 0.05, 0.11), (roster.units("us_m4a1*2"), score)
    judged = Judged(roster, units, "a field", score, gap, met, dict.fromkeys(units, none), swaps, answer, ())
    said = judged.sentences()
    assert (
        said[1] == "scores 50.0 % [40.0, 60.0] against a field; moving first instead of second adds +8.0 [5.0, 11.0]."
    )
    [worst] = [one for one in said if one.startswith("Does worst against ")]
    assert re.findall(r"\(([\d.]+) %", worst) == ["20.0", "30.0", "40.0"]
    assert "The best answer found that costs no more, 2 M4A1 Sherman (75 mm) (140 points), leaves it 50.0 %" in str(
        said
    )
    better = [one for one in said if one.startswith("Better")]
    assert [re.findall(r"([+\d.]+) \[", one) for one in better] == [["+4.0"], ["+3.0"], ["+2.0"]]
    assert judged.to_dict()["first_turn_gap_ci"] == (0.05, 0.11)
    assert not [one for one in replace(judged, opponents=met[:1]).sentences() if one.startswith("Does worst")]


def _apart(one: float, other: float, battles: int, claims: int) -> tuple[float, float, float]:
    """Return a difference of scores with the interval by hand that holds together with those of `claims`."""
    z = stats.norm.ppf(1 - 0.05 / claims / 2)

    def wilson(p: float) -> tuple[float, float]:
        roots = np.roots([1 + z**2 / battles, -(2 * p + z**2 / battles), p**2])  # (p - x)^2 = z^2 x (1 - x) / n
        return min(roots), max(roots)

    (low, high), (least, most) = wilson(one), wilson(other)
    down, up = np.hypot(one - low, most - other), np.hypot(high - one, other - least)
    return one - other, one - other - down, one - other + up


@pytest.mark.usefixtures("quick")
def test_compare_lists__intervals_of_all_opponents_hold_together() -> None:
    field = dict.fromkeys(["us_m4a1*2", "su_t34_43*2", "de_pz4h*2", "us_m16*5", "us_m8*5"], 1)
    compared = aab.compare_lists(_few().game, "de_tiger1", "su_t34_85", field=field)
    for met in compared.opponents:
        wanted = _apart(met.a.score, met.b.score, 400, 5)  # a fifth of 2,000 battles, less or more one
        assert met.difference == pytest.approx(Difference(*wanted).times(0.2), abs=5e-4)


@cache
def _three() -> Judged:
    """Return what is said of three units; few battles have to be set before."""
    return aab.judge_list(_few().game, "su_t34_85,us_m4a1,us_m8", counter="de_tiger1,us_m16")


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_judge_list__by_the_budget_that_it_was_made_for() -> None:
    given = {"game": _few().game, "units": "us_m4a1", "counter": "de_tiger1"}
    cost = _few().game.cards["us_m4a1"].requisition
    for points, least, most in ((None, 1, cost), (cost, 1, cost), (150, cost + 1, 150)):
        [(other, _)] = aab.judge_list(**given, points=points).swaps.values()
        assert least <= _few().requisition(other) <= most
    with pytest.raises(UsageError, match=f"points: found {cost - 1}, expected {cost} or more: so much the list costs"):
        aab.judge_list(**given, points=cost - 1)


@pytest.mark.usefixtures("quick")
def test_judge_list__swaps_a_unit_for_what_one_owns() -> None:
    given = {"game": _few().game, "units": "us_m4a1", "counter": "us_m16"}
    owned = {"us_m4a1": 1, "us_m8": 1}
    [(other, _)] = aab.judge_list(**given, own=owned).swaps.values()
    assert _few().text(other) == "us_m8"
    assert aab.judge_list(**given, own=owned, nation="USA", must="us_m4a1").swaps == {}
    with pytest.raises(UsageError, match="list: found more or less than own allow, expected a list within these"):
        aab.judge_list(**given, own={"us_m8": 9})


@pytest.mark.slow
def test_judge_list__of_a_stated_budget_meets_the_stated_field() -> None:
    judged = aab.judge_list(aab.Game(), "su_t34_85*2,su_t34_43", points=300)
    assert judged.field == "the stated field of 300 points"


def test_judge_list__names_the_worst_opponents_first(tmp_path: Path) -> None:
    """Two Tigers stop what a scout car of the same field can't."""
    path = tmp_path / "two.field.toml"
    path.write_text('points = 300\n[[lists]]\nunits = "us_m8"\n[[lists]]\nunits = "de_tiger1*2"\n', encoding="utf-8")
    judged = aab.judge_list(_few().game, "su_t34_85,us_m8", field=path)
    (tigers, low), (car, high) = judged.opponents
    assert low.score < 0.3 < 0.7 < high.score
    assert [judged.payoffs.text(units) for units in (tigers, car)] == ["de_tiger1*2", "us_m8"]
    [said] = [line for line in judged.sentences() if line.startswith("Does worst against")]
    one, other = (percent(score.score) for score in (low, high))
    assert re.fullmatch(rf"Does worst against 2 Tiger I.* \({one} \[.*\]\); M8 .* \({other} \[.*\]\)\.", said)


@pytest.mark.usefixtures("quick")
def test_judge_list__fights_each_list_of_a_field_as_often_whatever_it_weighs() -> None:
    roster = _few()
    opponents = against(roster, 100, field={"su_t34_85": 99, "us_m4a1": 1})
    judged = advice._judged(roster, roster.units("su_t34_43"), opponents, seed=1)
    assert len(judged.opponents) == 2
    for _, score in judged.opponents:
        assert score == pytest.approx(Score.counted(score.score, advice.EACH, 1), abs=1e-4)


@pytest.mark.usefixtures("quick")
def test_judge_list__units_add_what_it_lacks_without_them_and_the_answer_leaves_it_what_it_scores() -> None:
    judged = _three()

    def score(units: str, opponents: str) -> float:
        """Return a score by other dice."""
        both = [judged.payoffs.units(text) for text in (opponents, units)]
        return float(judged.payoffs.among(both, 5000, 99)[1, 0])

    rests = {"su_t34_85": "us_m4a1,us_m8", "us_m4a1": "su_t34_85,us_m8", "us_m8": "su_t34_85,us_m4a1"}
    whole = score("su_t34_85,us_m4a1,us_m8", "de_tiger1,us_m16")
    added = {judged.payoffs.ids[at]: more for at, more in judged.adds.items()}
    assert {unit: more.change for unit, more in added.items()} == {
        unit: pytest.approx(whole - score(rest, "de_tiger1,us_m16"), abs=0.08) for unit, rest in rests.items()
    }
    assert added["su_t34_85"].low > 0.1
    opponent = Field.of({judged.payoffs.units("de_tiger1,us_m16"): 1.0})
    for unit, rest in rests.items():  # on the dice of the score that is told, so that none adds more than that
        without = payoffs_of.score_against(judged.payoffs, judged.payoffs.units(rest), opponent, 0, 2000).score
        assert added[unit].change == pytest.approx(judged.score.score - without)
    assert judged.by_unit()["adds"].tolist() == sorted((more.change for more in added.values()), reverse=True)
    change, low, high = (f"{100 * one:.1f}" for one in added["su_t34_85"])
    assert f"One of each adds, in points of score: T-34-85 (1944) +{change} [{low}, {high}], " in repr(judged)
    assert judged.beaten_by is not None
    answer, left = judged.beaten_by
    assert left.score == pytest.approx(score("su_t34_85,us_m4a1,us_m8", judged.payoffs.text(answer)), abs=0.07)
    assert left.high < 0.5
    assert f"leaves it {percent(left.score)} [{bare_percent(left.low)}, {bare_percent(left.high)}]." in repr(judged)


@pytest.mark.usefixtures("quick")
def test_judge_list__intervals_of_all_swaps_hold_together() -> None:
    judged = _three()
    assert len(judged.swaps) == 2  # nothing else fits for the M8
    mine = judged.score.score
    for one, gain in judged.swaps.values():
        assert gain == pytest.approx(_apart(mine + gain.change, mine, 2000, 2)), one


@pytest.mark.usefixtures("quick")
def test_compare_lists__who_moves_first_wins_as_in_a_duel_of_single_hits() -> None:
    """A witness: where one hit at p is enough, the first wins 1 / (2 - p); solved duels tell p at each distance."""
    game = _handmade(one=at(20, 10))
    compared = aab.compare_lists(game, "one", "one", field={"one": 1})
    p = 0.0
    for range_in, share in compared.payoffs.contest.ranges.items():
        p += float(share) * (2 - 1 / game.duel("one", "one", range_in=range_in, first="a").p_a)
    first = 1 / (2 - p)
    assert first > 0.65
    assert compared.moving_first.score == pytest.approx(first, abs=0.07)
    assert compared.moving_second.score == pytest.approx(1 - first, abs=0.07)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ((0.6, 0.51, 0.68), "Uneven: a is favoured. a scores 60.0 % [51.0, 68.0]"),
        ((0.4, 0.32, 0.49), "Uneven: b is favoured. a scores 40.0 % [32.0, 49.0]"),
        ((0.6, 0.49, 0.7), "Unsure. a scores 60.0 % [49.0, 70.0]"),
        ((0.6, 0.5, 0.7), "Unsure. a scores 60.0 % [50.0, 70.0]"),
        ((0.48, 0.44, 0.52), "Unsure. a scores 48.0 % [44.0, 52.0]"),
        ((0.52, 0.51, 0.54), "About even. a scores 52.0 % [51.0, 54.0]"),
    ],
)
def test_compared__says_who_is_favoured_if_that_is_sure(score: tuple[float, float, float], said: str) -> None:
    roster = _few()
    a, b, one = roster.units("de_tiger1"), roster.units("us_m8*2"), Score(*score)
    moving = Score(0.7, 0.6, 0.8), Score(0.5, 0.4, 0.6)
    text = Compared(roster, a, b, one, *moving, "a field", (one, one), (), ((), ())).sentences()
    assert text[:3] == [
        "a: Tiger I (Ausf. E) (145 points)",
        "b: 2 M8 Greyhound (16 points)",
        f"{said} against b: 70.0 % [60.0, 80.0] moving first, 50.0 % [40.0, 60.0] moving second.",
    ]


def test_compared__each_number_is_that_of_its_list() -> None:
    roster = _few()
    a, b, opponent = (roster.units(one) for one in ("de_tiger1", "us_m8*2", "us_m4a1"))
    score, first, second, of_a, of_b = (Score(p, p - 0.01, p + 0.01) for p in (0.6, 0.7, 0.5, 0.8, 0.3))
    met = (Met(opponent, 0.2, of_a, of_b, Difference(0.1, 0.05, 0.15)),)
    compared = Compared(roster, a, b, score, first, second, "a field", (of_a, of_b), met, ((), ()))
    assert compared.against == "Against a field a scores 80.0 % [79.0, 81.0], b 30.0 % [29.0, 31.0]."
    assert compared.to_frame()[["list", "score"]].to_numpy().tolist() == [["de_tiger1", 0.8], ["us_m8*2", 0.3]]
    found = compared.to_dict()
    assert (found["a"], found["b"], found["requisition"]) == ("de_tiger1", "us_m8*2", [145, 16])
    assert [found[name]["score"] for name in ("moving_first", "moving_second")] == [0.7, 0.5]
    assert [one["score"] for one in found["against_field"]] == [0.8, 0.3]
    [one] = found["opponents"]
    assert (one["list"], one["weight"], one["a"]["score"], one["b"]["score"]) == ("us_m4a1", 0.2, 0.8, 0.3)
    assert one["adds"] == {"change": 0.1, "low": 0.05, "high": 0.15}


def test_compared__reasons_begin_with_what_makes_the_largest_difference() -> None:
    roster, even = _few(), Score(0.5, 0.4, 0.6)
    units = [roster.units(one) for one in ("us_m8", "us_m16", "us_m4a1", "de_pz4h", "de_pak40")]
    changes = (-0.3, -0.1, 0.02, 0.1, 0.3)  # the third isn't sure
    met = [Met(one, 0.2, even, even, Difference(c, c - 0.05, c + 0.05)) for one, c in zip(units, changes, strict=True)]
    lists = roster.units("de_tiger1"), roster.units("su_t34_85")
    a, b = Compared(roster, *lists, even, even, even, "a field", (even, even), tuple(met), ((), ())).reasons()
    found = [re.findall(r"(M8|M16|M4A1|Panzer|7.5 cm) .*?: ([+-]\d+\.\d) \[", said) for said in (a, b)]
    assert found == [[("7.5 cm", "+30.0"), ("Panzer", "+10.0")], [("M8", "-30.0"), ("M16", "-10.0")]]
    assert a.startswith("a does better than b")
    assert b.startswith("b does better than a")


def test_compared__weak_points_of_both_are_no_reason() -> None:
    roster, even = _few(), Score(0.5, 0.4, 0.6)
    lists, weak = (roster.units("de_tiger1"), roster.units("us_m8*2")), (("x", "y"), ("z", "x"))
    compared = Compared(roster, *lists, even, even, even, "a field", (even, even), (), weak)
    assert compared.reasons() == ["a alone: y", "b alone: z"]


def test_weak_points__from_a_distance_on_are_what_nothing_of_it_hurts_there_and_farther() -> None:
    """A witness by hand: the gun reaches 12", and hurts the thin plate alone."""
    game = _handmade(gun=at(20, 10, range=12), thick=at(9, 10), thin=at(9, 10))
    weights = {"range_in": {"6": 0.5, "18": 0.25, "36": 0.25}, "facing": SHARES}
    roster = Payoffs(game, situations=weights)
    field = Field.of({roster.units("thick"): 1.0, roster.units("thin*3"): 3.0})
    assert kinds.weak_points(roster, roster.units("gun"), field) == [
        "At no distance does it hurt the front of thick: 25 % of the field's points.",
        "From 18\" on, nothing in it hurts the front of thin: 75 % of the field's points.",
    ]
    for part, told in (
        (0.02, ["At no distance does it hurt the front of thick: 2 % of the field's points."]),
        (0.009, []),
    ):
        field = Field.of({roster.units("thick"): part, roster.units("thin*3"): 1 - part})
        assert kinds.weak_points(roster, roster.units("gun"), field)[:-1] == told


def test_weak_points__of_one_unit_that_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    roster = _few()
    field = Field.of({roster.units("de_tiger1,su_t34_85,de_pz4h"): 1.0})
    monkeypatch.setattr(kinds, "NAMED", 2)  # of the three whose front it can't hurt
    said = kinds.weak_points(roster, roster.units("us_m16"), field)
    assert [" and 1 other: 100 % of the field's points." in one for one in said] == [True]


def test_weak_points__names_only_what_the_field_has_the_most_of_it_first() -> None:
    roster = _few()
    field = Field.of({roster.units("de_pz4h"): 1.0, roster.units("su_t34_85"): 3.0})
    (said,) = kinds.weak_points(roster, roster.units("us_m16"), field)
    # It can't hurt the Tiger's front either, which would read as if the field had Tigers.
    assert "the front of T-34-85 (1944), Panzer IV Ausf. H: 100 %" in said


def test_in_words__an_interval_that_ends_short_of_certain_does_not_read_as_certain() -> None:
    assert verdicts.in_words(Score(1.0, 0.99981, 1.0)) == "100.0 % [>99.9, 100.0]"
    assert verdicts.in_words(Score(0.0, 0.0, 0.00019)) == "0.0 % [0.0, <0.1]"
    played = on_board.OnBoard("small", "timed", 400, 1.0, 0.99981, 1.0)
    assert "it scores 100.0 % [>99.9, 100.0] against the same opponents: 400 matches" in played.sentence()
    assert _between(0.99981, 1.0) == ">99.9 to 100.0"


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5])
def test_lists__refuse_a_seed_that_is_none(seed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    game, own = _few().game, "us_m8"
    for made in ("_own", "_mustered"):
        monkeypatch.delattr(f"aabalance.lists.payoffs.{made}")
    for ask in (
        lambda: aab.random_lists(game, seed=seed),
        lambda: aab.best_lists(game, seed=seed),
        lambda: aab.judge_list(game, own, seed=seed),
        lambda: aab.compare_lists(game, own, own, seed=seed),
        lambda: aab.with_and_without(game, FEW, seed=seed),
        lambda: aab.metagame(game, seed=seed),
        lambda: variations.defined(game, game.definition, seed=seed),
    ):
        with pytest.raises(
            aab.UsageError, match=r"^seed: found .*, expected a whole number from 0 to 18446744073709551615$"
        ):
            ask()


@pytest.mark.parametrize("policy", ["none", None, ["value"]])
def test_judge_list__refuses_what_is_no_policy(policy: Any) -> None:
    with pytest.raises(aab.UsageError, match=r"^policy: found .*, expected one of value, focus$"):
        aab.judge_list(_few().game, "us_m8", policy=policy)


@pytest.mark.parametrize("battles", ["x", 49_999])
def test_lists__refuse_battles_that_are_too_few_or_no_number(battles: object) -> None:
    for ask in (aab.best_lists, aab.metagame):
        with pytest.raises(aab.UsageError, match=f"^battles: found {battles!r}, expected a whole number from 50000 to"):
            ask(_few().game, 100, battles=battles)


def test_judge_list__what_moving_first_adds_has_an_interval() -> None:
    units, field = "de_tiger1*2", {"su_t34_85*3": 1.0}
    payoffs = _few()
    one = advice._judged(payoffs, payoffs.units(units), against(payoffs, 300, field=field), seed=1)
    first, second = payoffs.ends([one.units], Field.of({payoffs.units("su_t34_85*3"): 1.0}), advice.FRESH, 1)[0, 0]
    (p, n), (q, m) = ((wins / fought.sum(), fought.sum()) for wins, fought in ((first[0], first), (second[0], second)))
    assert first[1] == second[1] == 0  # none is drawn
    error = 1.96 * (p * (1 - p) / n + q * (1 - q) / m) ** 0.5
    assert one.first_turn_gap == pytest.approx((p - q, p - q - error, p - q + error), abs=5e-4)
    change, low, high = (f"{100 * number:.1f}" for number in one.first_turn_gap)
    assert f"moving first instead of second adds +{change} [{low}, {high}]." in one.sentences()[1]
    assert repr(one) == "\n".join(one.sentences())
    assert one._repr_html_().startswith("<p>2 Tiger I (Ausf. E) (")


@pytest.mark.slow
def test_compare_lists__says_who_is_favoured(tmp_path: Path) -> None:
    field = tmp_path / "mine.field.toml"
    field.write_text('points = 300\n[[lists]]\nunits = "us_m4a1*6"\n', encoding="utf-8")
    one = aab.compare_lists(aab.Game(), "de_tiger1*2", "su_t34_43*4,su_su85", field=field, seed=7)
    table = one.to_frame()
    assert table["list"].tolist() == ["de_tiger1*2", "su_su85,su_t34_43*4"]
    assert table["score"].tolist() == [score.score for score in one.scores]
    terms = {"seed": 7, "actions": one.payoffs.actions, "policy": one.payoffs.policy}
    assert table.attrs == one.to_dict()["provenance"] == aab.Game().provenance().said() | terms
    assert one.score.low > 0.9
    assert "a is favoured" in " ".join(one.sentences())


@pytest.mark.slow
def test_compare_lists__says_against_whom_and_for_what_weak_point() -> None:
    """Puma and 37 mm guns can't hurt the front of KV-1, which the Tigers can."""
    field = {"su_kv1_41*4": 3, "us_m8*12": 1}
    one = aab.compare_lists(aab.Game(), "de_tiger1*2", "us_m3_37*12", field=field)
    met = {one.payoffs.text(each.units): each for each in one.opponents}
    assert {text: each.weight for text, each in met.items()} == {"su_kv1_41*4": 0.75, "us_m8*12": 0.25}
    total = one.scores[0].score - one.scores[1].score
    assert sum(each.difference.change for each in one.opponents) == pytest.approx(total, abs=1e-4)
    text, kv = repr(one), met["su_kv1_41*4"]
    assert f"a does better than b against 4 KV-1 (1941) ({verdicts.in_words(kv.a)} and 0.0 % [0.0, " in text
    more, *ends = (f"{100 * number:.1f}" for number in kv.difference)
    assert f": +{more} [{', '.join(ends)}] of the difference)" in text
    assert "b alone: At no distance does it hurt the front of KV-1 (1941)" in text
    assert "a alone" not in text
    assert one.to_dict()["weak_points"] == [list(said) for said in one.weak_points]
    alike = aab.compare_lists(aab.Game(), "de_tiger1*2", "de_tiger1*2", field=field)
    assert alike.reasons() == []


@pytest.mark.slow
def test_compare_lists__takes_a_field_as_lists() -> None:
    lists = ["us_m4a1*6", {"su_t34_85": 3}, "us_m4a1*6"]
    one = aab.compare_lists(aab.Game(), "de_tiger1*2", "su_t34_43*4", field=lists)
    same = aab.compare_lists(aab.Game(), "de_tiger1*2", "su_t34_43*4", field={"us_m4a1*6": 2, "su_t34_85*3": 1})
    assert one.scores == same.scores
    assert one.field == "a field of 3 lists"


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_compare_lists__the_field_is_that_of_the_dearer_list() -> None:
    def none_is_made(text: str) -> None:
        raise AssertionError(text)

    compared = aab.compare_lists(aab.Game(), "us_m8", "de_tiger1*2", say=none_is_made)
    assert compared.field == "the stated field of 300 points"


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ([], r"field: found \[\], expected"),
        (3, "field: found 3, expected a file, or lists"),
        ({"us_m4a1": 0}, "field: found a weight of 0"),
        (["us_m4a9"], "us_m4a9"),
    ],
)
def test_compare_lists__refuses_what_is_no_field(field: object, message: str) -> None:
    with pytest.raises(aab.UsageError, match=message):
        against(_few(), 150, field=field)


METAGAME = """\
title = "Small"
game = "armored_advance"
sensitivity = {}
situations = { range_in = { 18 = 1 } }
[metagame]
"""


def _definition(folder: Path, lines: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(METAGAME + lines, encoding="utf-8")
    return path


@pytest.mark.slow
def test_metagame__a_definition_says_what_is_searched_for_and_options_replace_it(tmp_path: Path) -> None:
    lines = 'points = 80\nactions = [2, 3]\npolicy = "focus"\nmust = "de_pak40"\nrange_in = [12, 36]\nbattles = 50000\n'
    words = str(_definition(tmp_path, lines)), "--cards", str(write(tmp_path / "cards", few(FEW[:4])))
    code, output = _run("metagame", *words, "--actions", "4", "--seed", "1")
    assert code == 0
    head, *rows = (re.split("  +", line.strip()) for line in output.splitlines()[:3])
    assert [row[:4] for row in rows] == [["80", "4", "focus", '12"'], ["80", "4", "focus", '36"']]
    for row in rows:
        shares = [int(cell.partition(" ")[0]) for cell in row[head.index("% vehicle") : -1]]
        assert sum(shares) == pytest.approx(100, abs=1)
        assert row[-1] == "7.5 cm Pak 40"  # with one there is no room for a tank
    code, output = _run("metagame", *words, "--out", str(tmp_path / "x.field.toml"))
    assert (code, "--out: found 4 searches, expected one" in output) == (2, True)


@pytest.mark.slow
def test_metagame__of_a_definition_has_its_limits_and_the_seed(tmp_path: Path) -> None:
    path = _definition(tmp_path, 'points = 150\nbattles = 50000\nlimits = { most_units = 1 }\nnation = "Germany"\n')
    (found,) = defined(_few().game, read_definition(path), seed=5)
    assert found.seed == 5
    assert {len(units) for units in found.lists} == {1}
    assert {found.payoffs.cards[at].nation for units in found.lists for at in units} == {"Germany"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("points = 0", "6: metagame.points: found 0, expected greater than or equal to 1\n"),
        ("points = []", "6: metagame.points: found [], expected at least 1 item\n"),
        ("actions = [3, 0]", "6: metagame.actions.1: found 0"),
        ('policy = "best"', "6: metagame.policy: found 'best', expected 'value' or 'focus'\n"),
        ("own = { de_tiger1 = true }", "6: metagame.own.de_tiger1: found true, expected a valid integer\n"),
        ('own = { de_tiger1 = "2" }', "6: metagame.own.de_tiger1: found '2', expected a valid integer\n"),
        ("own = { de_tigre = 1 }", "6: metagame.own.de_tigre: unknown unit 'de_tigre'"),
        ('nation = "Atlantis"', "6: metagame.nation: nation: found 'Atlantis'"),
        ('must = "de_tigre*2"', "6: metagame.must.0: unknown unit 'de_tigre'"),
        ("limits = { most_copies = 0 }", "6: metagame.limits.most_copies: found 0"),
        ("limits = { limits = [{ units = { class = 3 }, least = 2 }] }", "6: metagame.limits.limits.0.units: class"),
        ("distance = 18", "6: metagame.distance: found 18, expected no such field"),
        ('points = 20\nmust = ["de_tiger1"]', "6: metagame.points: points: found 20"),
    ],
)
def test_metagame__faults_of_a_definition_have_their_line(line: str, message: str, tmp_path: Path) -> None:
    cards = str(write(tmp_path / "cards", few(FEW[:4])))
    code, output = _run("metagame", str(_definition(tmp_path, line)), "--cards", cards)
    assert code == 2
    assert f"mine.toml:{message}" in output


def _run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    return result.exit_code, result.output


@pytest.mark.slow
def test_list_random__prints_lists_that_cost_the_points() -> None:
    code, output = _run("list", "random", "--points", "100", "--number", "3", "--seed", "4", "--json")
    roster, found = _roster(), json.loads(output)
    assert code == 0
    assert [90 < roster.requisition(roster.units(text)) <= 100 for text in found["lists"]] == [True] * 3
    assert (found["seed"], found["provenance"]) == (4, aab.Game().provenance().said())


def test_list_random__says_what_is_unusual(tmp_path: Path) -> None:
    words = "--cards", str(write(tmp_path / "cards", few(FEW[:4]))), "--set", "de_tiger1.requisition=10"
    code, output = _run("list", "random", "--points", "20", *words)
    assert (code, output) == (0, "with de_tiger1.requisition=10\nde_tiger1*2\n")


@pytest.mark.parametrize("words", ["list random", "list best", "list judge UNIT", "list compare UNIT UNIT", "metagame"])
@pytest.mark.parametrize("unit", ["inf_rifle", "us_m8"])
def test_list__of_cards_none_of_which_a_list_may_have_is_refused(words: str, unit: str, tmp_path: Path) -> None:
    cards = write(tmp_path / "cards", without_prices(few([unit]), "us_m8"))
    code, output = _run(*words.replace("UNIT", unit).split(), "--cards", str(cards))
    assert code == 2
    assert output.endswith("cards: found none that a list may have, expected vehicles and guns with a price\n")


@pytest.mark.slow
def test_list_best__of_a_collection(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("de_tiger1 = 1\nde_pz4h = 2\nde_pak40 = 3\nde_sdkfz222 = 1\n", encoding="utf-8")
    words = ["--points", "200", "--own", str(own), "--counter", "su_t34_85*3", "--battles", "60000"]
    code, output = _run("list", "best", *words)
    assert code == 0
    assert "against 3 T-34-85" in output
    assert "One of each adds" in output


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_list_best__each_score_has_its_own_interval(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(on_board, "PAIRS", 2)
    cards = str(write(tmp_path / "cards", few(FEW[:4])))
    words = ["--points", "200", "--counter", "su_t34_85*2", "--battles", "50000", "--board", "small", "--cards", cards]
    found = json.loads(_run("list", "best", *words, "--json")[1])
    text = _run("list", "best", *words)[1].partition("the scores come from fresh dice.\n")[2]
    head, *rows = (re.split("  +", line.strip()) for line in text.splitlines())
    assert head == ["score", "95 % interval", "on small", "95 % interval", "list"]
    for cells, one in zip(rows, found, strict=True):
        in_battles, on_it = (
            [100 * given[name] for name in ("score", "low", "high")] for given in (one, one["on_board"])
        )
        numbers = [float(number) for cell in cells[:4] for number in re.findall(r"[\d.]+", cell)]
        assert numbers == pytest.approx([*in_battles, *on_it], abs=0.1)
        assert in_battles[2] - in_battles[1] < (on_it[2] - on_it[1]) / 2
        assert cells[4] == one["list"]


def test_on_board__scores_are_those_of_the_list_whichever_side_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_board, "PAIRS", 8)
    roster = _few()
    tigers, cars = roster.units("de_tiger1*2"), roster.units("us_m8*2")
    strong, weak = (
        on_board.on_board(roster, [one], Field((other,), (1.0,)), "small", seed=1)[0]
        for one, other in ((tigers, cars), (cars, tigers))
    )
    assert (strong.matches, strong.board, strong.mission) == (16, "small", "timed")
    assert strong.score > 0.8
    assert weak.score < 0.2
    assert strong.low < strong.score
    assert strong.sentence().startswith("On small (timed), where units move, it scores")


def test_on_board__the_list_begins_half_of_its_matches_on_either_side_under_its_own_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[Any] = []

    def seen(terms: Any, rows: Any) -> Floats:
        played.append((terms, rows, play_pairs(terms, rows)))
        return played[-1][2]

    monkeypatch.setattr(on_board, "play_pairs", seen)
    monkeypatch.setattr(on_board, "PAIRS", 8)
    roster = Payoffs(_few().game, actions=3, situations=AT_18)
    mine, others = roster.units("us_m16*2"), roster.units("us_m8*3")
    on_board.on_board(roster, [mine], Field((others,), (1.0,)), "small", seed=1)
    ((terms, rows, facts),) = played
    assert terms.met.terms["actions"] == 3
    on_a = [row.a[0].id == "us_m16" for row in rows]
    # Who moves first is the second fact: 0 for a.
    begun = Counter((side, (first == 0) == side) for side, row in zip(on_a, facts, strict=True) for first in row[:, 1])
    assert begun == {(side, begins): 4 for side in (True, False) for begins in (True, False)}


def test_on_board__a_draw_is_half_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two guns that nobody tows into each other's sight end as they began."""
    monkeypatch.setattr(on_board, "PAIRS", 2)
    gun = _few().units("de_pak40")
    assert on_board.on_board(_few(), [gun], Field((gun,), (1.0,)), "small", seed=1)[0].score == 0.5


@pytest.mark.slow
def test_list_judge__plays_on_a_board_and_draws_what_units_add(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(on_board, "PAIRS", 2)
    monkeypatch.setattr(advice, "COUNTER", 20_000)
    out = tmp_path / "units.png"
    words = ["su_t34_85,us_m8", "--counter", "us_m4a1*2", "--board", "small", "--out", str(out)]
    code, output = _run("list", "judge", *words)
    assert code == 0
    assert "On small (timed)" in output
    assert out.read_bytes().startswith(b"\x89PNG")
    code, output = _run("list", "judge", *words, "--nation", "Germany")
    assert (code, "list: found more or less than nation allow, expected a list within these" in output) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ("best", "--must", "de_tigre"),
        ("best", "--counter", "de_tigre*2"),
        ("judge", "us_m8,de_tigre"),
        ("judge", "us_m8", "--counter", "de_tigre"),
        ("judge", "us_m8", "--field", "nowhere"),
        ("judge", "us_m8", "--must", "de_tigre"),
        ("judge", "us_m8", "--out", "nowhere/units.png"),
        ("best", "--out", "nowhere/units.png"),
        ("best", "--board", "nowhere"),
        ("judge", "us_m8", "--board", "nowhere"),
        ("compare", "us_m8", "de_tigre"),
        ("random", "--must", "de_tigre"),
        ("metagame", "--must", "de_tigre"),
    ],
)
def test_list__what_is_known_at_once_is_refused_before_a_table_is_made(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for made in ("_own", "_mustered"):
        monkeypatch.delattr(f"aabalance.lists.payoffs.{made}")
    code, output = _run(*(words if words[0] == "metagame" else ("list", *words)))
    assert code == 2
    said = "nowhere: can't be read", "nowhere/units.png: can't be written", "unknown unit 'de_tigre'; did you mean"
    said = *said, "board: found 'nowhere', expected one of"
    assert any(f"error: {one}" in output for one in said)


@pytest.mark.slow
def test_list__units_of_files_that_nobody_knows_have_their_line(tmp_path: Path) -> None:
    own, field = tmp_path / "mine.toml", tmp_path / "mine.field.toml"
    own.write_text("de_tiger1 = 1\nde_tigre = 2\n", encoding="utf-8")
    field.write_text('points = 300\n[[lists]]\nunits = "us_m8*9"\n[[lists]]\nunits = "us_m8*0"\n', encoding="utf-8")
    code, output = _run("list", "random", "--own", str(own))
    assert code == 2
    assert f"{own}:2: de_tigre: unknown unit 'de_tigre'; did you mean de_tiger1" in output
    code, output = _run("list", "judge", "us_m8", "--field", str(field))
    assert code == 2
    assert f"{field}:5: lists.1.units: found 'us_m8*0', expected units such as" in output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("most_copies = 0\n", "limits.toml:1: most_copies: found 0"),
        ("most_copies = true\n", "limits.toml:1: most_copies: found true, expected a valid integer"),
        ('most_units = "3"\n', "limits.toml:1: most_units: found '3', expected a valid integer"),
        (
            '[[limits]]\nunits = { class = "field_gun" }\nmost = true\n',
            "limits.toml:3: limits.0.most: found true, expected a valid integer or ",
        ),
        (
            '[[limits]]\nunits = { class = "field_gun" }\nleast = "a lot"\n',
            "limits.toml:3: limits.0.least: found 'a lot', expected a valid integer or a part such as '30 %'",
        ),
        (
            'most_copies = 3\n[[limits]]\nunits = { class = "tank" }\n',
            "limits.toml:3: limits.0.units: class: found 'tank', expected one of vehicle, field_gun, infantry",
        ),
        (
            '[[limits]]\nunits = { class = "field_gun" }\nleast = 80\nmost = 40\n',
            "limits.toml:4: limits.0.most: found 40, expected 80 or more, which is least",
        ),
        (
            '[[limits]]\nunits = { class = "field_gun" }\nleast = "30 %"\nmost = "5 %"\n',
            "limits.toml:4: limits.0.most: found '5 %', expected 30 % or more, which is least",
        ),
        ("copies = 2\n", "limits.toml:1"),
        (
            '[[limits]]\nunits = { class = "vehicle" }\nmost = 99999999999999999999\n',
            "limits.toml:3: limits.0.most: found 99999999999999999999, expected less than or equal to 1000000 or",
        ),
    ],
)
def test_list__faults_of_files_have_their_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text(text, encoding="utf-8")
    code, output = _run("list", "random", "--limits", str(path))
    assert code == 2
    assert message in output
