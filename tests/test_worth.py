"""What units are worth, why, and what a point of a card is worth: by hand, and from other ways to the same number."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise
from math import inf, log, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import small
from click.testing import CliRunner
from handmade import at, field_gun, he, squad, vehicle

import aabalance as aab
from aabalance.analysis.situations import Situations
from aabalance.cards import Cards
from aabalance.cards.save import text as toml
from aabalance.cli import main
from aabalance.cli.worth import _opponents, _pull
from aabalance.definitions.lists import chosen
from aabalance.definitions.tables import Tuning
from aabalance.errors import UsageError
from aabalance.pricing import worth as worths
from aabalance.pricing.breakpoints import fire, penetration_of, penetration_of_all
from aabalance.pricing.contest import Contest
from aabalance.pricing.indifference import MIDDLE, bootstrap, indifference_price, worth_of
from aabalance.pricing.roles import score_table
from aabalance.pricing.roster import FLAT, Roster
from aabalance.pricing.worth import worth, worth_differences, worth_reasons
from aabalance.pricing.worth_report import change_in_words, price_in_words, worth_in_words
from aabalance.rulesets.armored_advance.card import Card

GAME = aab.Game()
NEAR_AND_FAR = {"range_in": {"12": 0.5, "24": 0.5}}
TANKS = ["de_tiger1", "su_t34_85", "us_m4a1", "de_stug3g", "de_pz4h", "su_kv1_41"]


def game_of(**cards: Any) -> aab.Game:
    found = {
        name: card.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude={"id"})
        for name, card in cards.items()
    }
    return aab.Game(cards=Cards(Card, found, {}))


def roster(
    game: aab.Game, limits: tuple[int, ...] = (2, 3), about: list[str] | None = None, floor: float | None = None
) -> Roster:
    tuning = Tuning(budgets=(100.0, 200.0), limits=limits, floor=floor)
    return Roster(game, tuning=tuning, situations=NEAR_AND_FAR, about=about)


def tanks(floor: float | None = None, **tuning: Any) -> Roster:
    """The roster of the tanks in the standard contest, but for these fields of its tuning and another floor."""
    made = Roster(GAME, TANKS, tuning=GAME.tuning.changed(GAME.cards, **tuning))
    made.floor = made.floor if floor is None else floor
    return made


def tank(price: float, penetration: int = 9, **fields: Any) -> Any:
    return vehicle(at(penetration, 10), **{"requisition": price, "hp": 10} | fields)


@cache
def real() -> Roster:
    return tanks()


def test_indifference_price__is_found_where_the_score_falls_at_once() -> None:
    """Steps by the slope alone would lead from one side of the fall to the other and back, for ever."""

    def against(unit: int, others: Any, price: float, limit: int | None) -> tuple[Any, Any]:
        steep = np.tanh((log(price) - 3) / 0.02)
        return np.array([0.5 - 0.3 * steep]), np.array([-15 * (1 - steep**2)])

    priced: Any = SimpleNamespace(floor=1.0, prices=np.array([np.exp(3.2), 20.0]), against=against)
    found = indifference_price(priced, 0, np.array([0.0, 1.0]), 0.1)
    assert found.margins[1] == pytest.approx(0.1)
    assert found.log_price == pytest.approx(3 - 0.02 * np.arctanh(1 / 3))


# --- the table --------------------------------------------------------------------------------------------------


def test_worth__by_limit_is_that_of_a_contest_with_this_limit_alone() -> None:
    found = worth(GAME, ["su_kv1_41"], roster=real()).iloc[0]
    for limit, column in ((3, "worth_fewest_actions"), (8, "worth_most_actions")):
        alone = worth(GAME, ["su_kv1_41"], roster=tanks(limits=(limit,)))
        assert found[column] == pytest.approx(alone["worth"].iloc[0], rel=1e-9)
    assert found["score_at_worth"] == pytest.approx(found["level"], abs=1e-10)


def test_worth__by_limit_has_the_level_of_this_limit() -> None:
    game = game_of(a=tank(60, hp=500), b=tank(100, 8, hp=500), c=tank(7, 8, hp=1))
    found = worth(game, ["a"], roster=roster(game, floor=7)).iloc[0]
    for limit, column in ((2, "worth_fewest_actions"), (3, "worth_most_actions")):
        alone = worth(game, ["a"], roster=roster(game, (limit,), floor=7)).iloc[0]
        assert abs(alone["level"] - found["level"]) > 1e-4
        assert found[column] == pytest.approx(alone["worth"], rel=1e-9)


@pytest.mark.parametrize(("floor", "change"), [(9, nan), (7, 0.0), (5, -2 / 7)])
def test_worth__less_than_the_least_price_has_no_change_if_the_unit_costs_less_than_that(
    floor: float, change: float
) -> None:
    game = game_of(a=tank(60, hp=500), b=tank(100, 8, hp=500), c=tank(7, 8, hp=1))
    found = worth(game, ["c"], roster=roster(game, floor=floor)).iloc[0]
    assert "at the floor" in found["flags"]
    assert found["worth"] == pytest.approx(floor)
    assert found["requisition"] == 7
    assert found["worth_change"] == pytest.approx(change, abs=1e-9, nan_ok=True)


def test_worth__in_the_roster_of_the_game_is_the_same_for_one_and_for_all() -> None:
    cards = {"a": tank(60), "b": tank(100, 8), "c": tank(70, hp=20), "e": tank(80, 10)}
    game = game_of(**cards, d=squad(requisition=10))
    one, every = worth(game, ["c"]), worth(game)
    assert every["unit"].tolist() == ["a", "b", "c", "e"]
    assert one.iloc[0].to_dict() == every.iloc[2].to_dict()


def test_worth__with_a_unit_at_the_floor_all_are_held_to_what_it_lacks() -> None:
    # The third costs 7, the least price, and is worth less: level is above even.
    game = game_of(a=tank(60, hp=500), b=tank(100, 8, hp=500), c=tank(7, 8, hp=1))
    whole = Roster(game, about=["a"])
    assert whole.floor == 7
    found = worth(game, ["a"])
    assert (whole.solver != "").sum() == 2 * 3
    lead = whole.margins(whole.scores())
    assert lead[2] < 0
    assert found["level"].iloc[0] == pytest.approx(0.5 + lead[:2].mean(), abs=1e-12)
    assert found["level"].iloc[0] == pytest.approx(worth(game)["level"].iloc[0], abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "fields", "flags"),
    [
        (tank(50), {}, "depends on too few opponents for an interval"),
        (tank(50, hp=500), {"hp": 1, "penetration": 8}, "at the floor; flat: its price hardly changes its score"),
        (
            vehicle(at(8, 1), hp=10, requisition=50),
            {"hp": 1000},
            "leads at any price; flat: its price hardly changes its score",
        ),
        (tank(50), {"armor": 99}, "no unit with a price can both hurt it and be hurt by it"),
    ],
)
def test_worth__flags_say_why_not_to_trust_it(other: Any, fields: dict[str, Any], flags: str) -> None:
    game = game_of(a=other, b=tank(50, **fields))
    held = Roster(game, tuning=game.tuning.changed(game.cards, floor=20))
    found = worth(game, ["b"], roster=held).iloc[0]
    assert found["flags"] == flags
    assert (found["worth"] == inf) == flags.startswith("leads")
    assert np.isnan(found["worth_slope"]) == (not np.isfinite(found["worth"])), "there is no tenth more"


PERHAPS = "Perhaps fairly priced: A is worth "


@pytest.mark.parametrize(
    ("cost", "worth", "ends", "flags", "said"),
    [
        (145, 144.2, (130, 161), "", "Fairly priced: A is worth 144 (130 to 161 in 90 of 100 draws of opponents), "),
        (145, 120, (86, 172), "", f"{PERHAPS}120 (86.0 to 172 in 90 of 100 draws of opponents), "),
        (100, 101, (75, 125), "", "Fairly priced: A is worth 101 (75.0 to 125 in 90 of 100 draws of opponents), "),
        (100, 101, (76, 126), "", f"{PERHAPS}101 (76.0 to 126 in 90 of 100 draws of opponents), "),
        (129, 144.2, (130, 161), "", "Too cheap: A is worth 144 (130 to 161 in 90 of 100 draws of opponents), "),
        (60, 50.04, (48.02, 53.1), "", "Too dear: A is worth 50.0 (48.0 to 53.1 in 90 of 100 draws of opponents), "),
        (60, 50, (nan, nan), "depends on one", "A is worth 50.0, nobody can say how surely (depends on one), "),
        (7, 7, (7, 7), "at the floor", "A is worth no more than the least price, 7.0, "),
    ],
)
def test_worth_in_words__is_a_verdict_with_its_doubt(
    cost: float, worth: float, ends: tuple[float, float], flags: str, said: str
) -> None:
    row = {"name": "A", "requisition": cost, "worth": worth, "worth_low": ends[0], "worth_high": ends[1]}
    assert worth_in_words({**row, "flags": flags}) == f"{said}and costs {cost}."
    assert worth_in_words({**row, "flags": flags, "requisition": nan}).endswith("no price yet.")
    assert worth_in_words({**row, "worth": inf, "flags": "leads"}) == "No battle prices A: leads."


@pytest.mark.parametrize(
    ("price", "said"), [(99.94, "99.9"), (100, "100"), (100.4, "100"), (inf, "no end"), (nan, "–")]
)
def test_price_in_words__has_a_place_behind_the_point_below_a_hundred(price: float, said: str) -> None:
    assert price_in_words(price) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.005, "+1 %"),
        (0.025, "+3 %"),
        (0.0049, "+0 %"),
        (-0.126, "-13 %"),
        (-0.375, "-38 %"),
        (-0.0049, "+0 %"),
        (nan, "–"),
        (inf, "–"),
    ],
)
def test_change_in_words__is_in_whole_percent_half_up(share: float, said: str) -> None:
    assert change_in_words(share) == said


@pytest.mark.parametrize(
    ("points", "said"), [(4.33, "+4.3"), (-4.33, "-4.3"), (0.04, "+0.04"), (-0.04, "-0.04"), (nan, "–")]
)
def test_pull__below_a_tenth_has_two_places_either_way(points: float, said: str) -> None:
    assert _pull(points) == said


@pytest.mark.slow
def test_tune__of_units_without_a_price_alone_tells_no_median_change(tmp_path: Path) -> None:
    cards = small.write(tmp_path / "cards", small.without_prices(small.few(TANKS), "de_tiger1"))
    ran = CliRunner().invoke(main, ["tune", "--cards", str(cards), "--units", "de_tiger1"])
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.startswith("1 of 6 prices change; the scale is set by T-34-85 (1944) at 100.\n"), ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kept", [("--units", "de_tiger1"), ("--lock", "su_kv1_41")])
def test_tune__writes_no_price_into_a_card_without_one_that_gets_none(tmp_path: Path, kept: tuple[str, str]) -> None:
    cards = small.write(tmp_path / "cards", small.without_prices(small.few(TANKS), "de_tiger1", "su_kv1_41"))
    words = ["tune", "--cards", str(cards), "--anchor", "su_t34_85=100", *kept]
    found = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)["prices"]
    [row] = [row for row in found if row["unit"] == "su_kv1_41"]
    assert {row[name] for name in ("requisition", "new_requisition", "change", "score_before", "score_after")} == {None}
    changed = [one["unit"] for one in found if one["new_requisition"] not in (None, one["requisition"])]
    ran = CliRunner().invoke(main, [*words, "--write"])
    assert ran.stdout.startswith(f"{len(changed)} of 6 prices change"), ran.stdout
    assert f"{len(changed)} card" in ran.stdout.splitlines()[-1]
    assert "requisition" not in aab.Game(cards=cards).cards.tables["su_kv1_41"]


@pytest.mark.slow
def test_tune__the_largest_change_holds_no_unit_that_has_no_price_to_change() -> None:
    few = small.without_prices(small.few(TANKS), "de_tiger1")
    found = aab.tune(few, anchors={"su_t34_85": 100}, largest_change=0.05).to_frame().set_index("unit")
    assert found["why"]["de_tiger1"] == "it had no price"
    assert found["new_requisition"]["de_tiger1"] > 120
    assert found["score_after"]["de_tiger1"] == pytest.approx(found["score_after"]["su_t34_85"], abs=0.05)


def test_worth__of_a_unit_without_a_price_is_that_with_one() -> None:
    """Its own price doesn't enter its worth; as an opponent it counts for nobody until it has one."""
    few, free = small.few(TANKS), small.without_prices(small.few(TANKS), "de_tiger1")
    priced, unpriced = (worth(game, ["de_tiger1"]).iloc[0] for game in (few, free))
    for name in ("worth", "worth_low", "worth_high", "score_at_worth"):
        assert unpriced[name] == pytest.approx(priced[name], rel=1e-6)
    assert np.isnan(unpriced[["requisition", "score", "worth_change"]].astype(float)).all()
    assert worth_in_words(unpriced).startswith("Tiger I (Ausf. E) should cost ")
    without = few.with_(cards=GAME.cards.only([unit for unit in TANKS if unit != "de_tiger1"]))
    assert worth(free, ["us_m4a1"])["worth"].item() == pytest.approx(worth(without, ["us_m4a1"])["worth"].item())
    # A point of its own is none, so that nobody can say how much of another's it is worth.
    assert np.isnan(worth_reasons(free, ["de_tiger1"])["exchange_rate"]).all()
    new = aab.tune(free, anchors={"su_t34_85": 100}).to_frame().set_index("unit").loc["de_tiger1"]
    assert new["why"] == "it had no price"
    assert new["new_requisition"] > 0
    with pytest.raises(UsageError, match="de_tiger1: has no requisition, expected some; `aabalance worth de_tiger1`"):
        free.battle("de_tiger1", "us_m4a1", range_in=18, actions=3)
    assert free.duel("de_tiger1", "us_m4a1", range_in=18).p_a == few.duel("de_tiger1", "us_m4a1", range_in=18).p_a


@pytest.mark.parametrize("others", [{}, {"e": tank(80, 10)}])
def test_worth__of_one_opponent_or_two_has_no_interval(others: dict[str, Any]) -> None:
    """By whatever weight is drawn for it, one says the same, and two say too little; who can't be hurt is nobody."""
    cards = {"a": tank(60), "b": tank(100, 8), "c": tank(60, armor=99)} | others
    found = worth(game_of(**cards)).set_index("unit")
    for unit in ("a", "b", *others):
        assert np.isfinite(found.loc[unit, "worth"])
        assert np.isnan(found.loc[unit, ["worth_low", "worth_high"]].astype(float)).all()
        assert found.loc[unit, "flags"] == "depends on too few opponents for an interval"
    more = worth(game_of(**cards | {"d": tank(70, hp=20), "e": tank(80, 10)})).set_index("unit")
    among = ["a", "b", "d", "e"]
    assert (more.loc[among, "worth_low"] < more.loc[among, "worth_high"]).all()
    assert more.loc["a", "flags"] == ""


def test_worth_differences__of_one_opponent_alone_have_no_interval() -> None:
    game = game_of(a=tank(60), b=tank(100, 8))
    [row] = worth_differences(roster(game), roster(game.with_(changes=["a.hp=11"])), ["a"]).to_dict("records")
    assert row["worth_difference"] < 0 or row["worth_difference"] > 0
    assert np.isnan(row["worth_difference_low"])
    assert np.isnan(row["worth_difference_high"])


def test_who_gains__two_units_that_change_places_have_each_the_worth_of_the_other() -> None:
    cards = {"c": tank(100, 8), "d": tank(70, hp=20), "e": tank(60, hp=20)}
    one, other = (game_of(a=tank(60, hp=a), b=tank(60, hp=b), **cards) for a, b in ((10, 30), (30, 10)))
    before = worth(one, roster=roster(one))
    found = worths.who_gains(before, roster(other))
    known = before.set_index("unit")["worth"]
    assert found["unit"].tolist() == ["a", "b"]
    assert found["worth_before"].tolist() == [known["a"], known["b"]]
    assert found["worth_after"].tolist() == pytest.approx([known["b"], known["a"]], rel=1e-6)


def test_who_gains__names_those_that_change_most_each_way() -> None:
    """Nobody is named whose worth changes by less than half a percent."""
    cards = {"a": tank(60), "b": tank(70, hp=12), "c": tank(100, 8, hp=30), "d": tank(70, hp=30), "e": tank(60, hp=20)}
    old, new = (game_of(**cards | more) for more in ({}, {"a": tank(60, hp=20), "c": tank(100, 8, hp=20)}))
    before, after = worth(old, roster=roster(old)), roster(new)
    share = (worth(new, roster=after).set_index("unit")["worth"] / before.set_index("unit")["worth"]).sort_values()
    assert (share < 0.995).sum() > 2
    assert (share > 1.005).sum() >= 1
    assert worths.who_gains(before, after, most=1)["unit"].tolist() == [share.index[-1], share.index[0]]
    named = worths.who_gains(before, after, most=5)
    assert named["unit"].tolist() == share[(share < 0.995) | (share > 1.005)].index[::-1].tolist()
    dearer = roster(game_of(**cards | {"a": tank(61)}))
    little = worth(old, roster=dearer).set_index("unit")["worth"] / before.set_index("unit")["worth"]
    assert 1.001 < little.max() < 1.005
    assert worths.who_gains(before, dearer, most=5).empty


def test_who_gains__a_unit_whose_price_hardly_changed_its_score_is_left_out() -> None:
    """It loses to everybody whatever it costs, so that its worth before the change tells nothing."""
    others = {"a": tank(50, hp=80), "c": tank(50, hp=70)}
    old, new = (game_of(**others, b=b) for b in (tank(50, 8, hp=1), tank(50, hp=80)))
    before, after = worth(old, roster=roster(old, floor=20)).set_index("unit"), roster(new, floor=20)
    now = worth(new, roster=after).set_index("unit")
    assert before.loc["b", "flags"] == "at the floor; flat: its price hardly changes its score"
    assert now.loc["b", "worth"] > 2 * before.loc["b", "worth"]
    found = worths.who_gains(before.reset_index(), after)["unit"].tolist()
    assert "a" in found
    assert "b" not in found


@pytest.mark.parametrize(
    ("kept", "changed", "most"),
    [
        # One step of Newton's method puts f, g and a before b, which loses most.
        (
            {"a": (60, 11, 10), "d": (50, 12, 30), "f": (80, 10, 10), "g": (80, 10, 10)},
            {"b": (60, 11, 60, 50), "c": (80, 11, 10, 20), "e": (60, 8, 40, 50)},
            ["c", "b"],
        ),
        # It puts b and d before c, which gains most.
        (
            {"b": (100, 11, 60), "d": (60, 8, 40), "g": (60, 10, 20)},
            {"a": (50, 9, 40, 30), "c": (100, 12, 10, 20), "e": (80, 11, 40, 30), "f": (50, 9, 30, 20)},
            ["c", "f"],
        ),
    ],
)
def test_who_gains__who_gains_most_is_told_by_worth_and_not_by_a_first_guess(
    kept: dict[str, tuple[int, ...]], changed: dict[str, tuple[int, ...]], most: list[str]
) -> None:
    old, new = (
        game_of(
            **{
                name: tank(price, gun, hp=hp[min(at, len(hp) - 1)])
                for name, (price, gun, *hp) in sorted((kept | changed).items())
            }
        )
        for at in (0, 1)
    )
    before, after = worth(old, roster=roster(old)), roster(new)
    share = (worth(new, roster=after)["worth"] / before["worth"]).set_axis(before["unit"]).sort_values()
    assert [share.index[-1], share.index[0]] == most
    assert worths.who_gains(before, after, most=1)["unit"].tolist() == most


def test_worth__what_a_battle_does_not_see_stands_beside_it() -> None:
    scout = tank(50, movement=9, keywords={"scout": True, "towing": True})
    gun = tank(50, keywords={"casemate": True}, movement=5)
    found = worth(game_of(a=scout, b=gun)).set_index("unit")
    assert found.loc["a", "unseen"] == "scouting; towing guns; its speed"
    assert found.loc["b", "unseen"] == "turning, which it has to do to aim"
    field_gun = GAME.ruleset.roster.unseen(GAME.cards["de_pak40"])
    assert [*field_gun] == ["its crew, which nobody fires at", "that it hardly moves"]
    aiming = worth(game_of(a=tank(50, keywords={"accurate": True}), b=gun)).set_index("unit")
    without = worth(game_of(a=tank(50), b=gun)).set_index("unit")
    assert aiming.loc["a", "unseen"] == "aiming, on which the policy hardly ever spends an action"
    assert aiming.loc["a", "worth"] == without.loc["a", "worth"]
    assert [*GAME.ruleset.roster.lacks(GAME.cards["uk_avre"])] == ["no anti-tank weapon"]
    assert not GAME.ruleset.roster.lacks(GAME.cards["us_m4a1"])


def test_worth__refuses_a_unit_that_its_roster_is_not_about() -> None:
    game = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20))
    this = roster(game, about=["c"])
    assert worth(game, roster=this)["unit"].tolist() == ["c"]
    with pytest.raises(UsageError, match=r"^units: found a, expected units that the roster is about$"):
        worth(game, ["a"], roster=this)
    with pytest.raises(UsageError, match=r"^units: found us_m4a1, expected units of the roster that is compared$"):
        worth(GAME, ["us_m4a1"], roster=Roster(GAME, TANKS[:2]))


# --- its reasons ------------------------------------------------------------------------------------------------


def test_worth_reasons__copies_are_even_at_one_price() -> None:
    game = game_of(a=tank(60), b=tank(60), d=tank(90))
    found = worth_reasons(game, ["d"], roster=roster(game))
    # Nobody pulls: against both it scores the same.
    assert found.empty
    other = game_of(a=tank(60), b=tank(60), d=tank(90), e=tank(60, hp=20))
    rates = worth_reasons(other, ["d"], roster=roster(other)).set_index("opponent")["exchange_rate"]
    assert rates["a"] == pytest.approx(60 / 90, rel=1e-9)
    assert rates["e"] < rates["a"]


def test_worth_reasons__pulls_cancel_and_rates_are_even() -> None:
    this, unit = real(), "us_m4a1"
    found = worth_reasons(GAME, [unit], roster=this, most=5)
    assert len(found) == 5
    assert found["pull"].sum() == pytest.approx(0, abs=1e-8)
    for row in found.to_dict("records"):
        prices = this.prices.copy()
        prices[2] = row["exchange_rate"] * this.prices[2]
        assert this.scores(prices).score[2, TANKS.index(row["opponent"])] == pytest.approx(0.5, abs=1e-9)


def test_worth_reasons__a_pull_is_what_the_price_loses_without_the_opponent() -> None:
    # To the first order: with a little less of its weight the price moves by that much of the pull.
    this = real()
    found = worth_reasons(GAME, ["us_m4a1"], roster=this, most=5).set_index("opponent")
    price = worth_of(this, 2, 0.0).price
    less = tanks(weights={"de_tiger1": 1 - 1e-4})
    change = worth_of(less, 2, 0.0).price - price
    assert -change / 1e-4 == pytest.approx(found.loc["de_tiger1", "pull"], rel=2e-3)


def test_worth_reasons__where_any_price_would_do_no_pull_is_a_number() -> None:
    """At the floor b loses to everybody whatever it costs; whom it does better against is still said."""
    game = game_of(a=tank(50, hp=500), c=tank(50, hp=400), b=tank(50, 8, hp=1))
    this = roster(game, floor=20)
    [row] = worth(game, ["b"], roster=this).to_dict("records")
    assert row["worth_slope"] / log(1.1) > FLAT
    found = worth_reasons(game, ["b"], roster=this)
    assert {*found["opponent"]} <= {"a", "c"}
    assert len(found) > 0
    assert np.isnan(found["pull"]).all()
    steep = worth_reasons(game, ["a"], roster=this)
    assert np.isfinite(steep["pull"]).all()


def test_worth_reasons__pulls_fall_and_cancel_at_a_level_that_is_not_even() -> None:
    """The last is worth more than the least price, which it costs: the others' mean is below even."""
    cards = {"b": tank(60, hp=20), "c": tank(80, 8), "d": tank(70, 10), "e": tank(90, hp=15), "f": tank(7, 8, hp=1)}
    game = game_of(a=tank(60), **cards)
    this = roster(game, floor=7)
    assert worth(game, ["a"], roster=this)["level"].item() < 0.45
    pulls = worth_reasons(game, ["a"], roster=this, most=5)["pull"]
    assert len(pulls) == len(cards)
    assert (pulls < 0).sum() > 1
    assert pulls.is_monotonic_decreasing
    assert pulls.sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("flatter", [True, False])
def test_worth__where_flat_begins_the_flag_stands_and_pulls_end(flatter: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    slope = worth_of(real(), 2, 0.0).slope
    assert slope < FLAT
    monkeypatch.setattr(worths, "FLAT", slope * (1.01 if flatter else 0.99))
    [row] = worth(GAME, ["us_m4a1"], roster=real()).to_dict("records")
    assert (row["flags"] == "flat: its price hardly changes its score") == flatter
    assert np.isnan(worth_reasons(GAME, ["us_m4a1"], roster=real())["pull"]).all() == flatter


def test_worth_of__no_interval_goes_below_the_floor() -> None:
    free = worth_of(real(), 2, 0.0)
    floor = (free.low + free.price) / 2
    held = worth_of(tanks(floor), 2, 0.0)
    assert held.low == pytest.approx(floor)
    assert (held.price, held.high) == pytest.approx((free.price, free.high))


def test_bootstrap__no_draw_goes_below_the_floor() -> None:
    free = worth_of(real(), 2, 0.0)
    floor = (free.low + free.price) / 2
    drawn = bootstrap(tanks(floor), only=[2]).drawn_worth[:, 2]
    assert drawn.min() == pytest.approx(floor)
    assert (drawn > floor * 1.001).mean() > 0.5


def with_a_cheap_one(price: int) -> Roster:
    """Return four tanks at 500, of which the first is the best, and one more that hardly counts, at its price."""
    cards = {"x": tank(500, hp=20), "a": tank(500), "b": tank(500, 10, hp=12), "d": tank(500, 8, hp=16)}
    tuning = Tuning(budgets=(600.0,), limits=(2,), floor=5, weights={"c": 1e-9})
    return Roster(game_of(**cards, c=tank(price)), tuning=tuning, situations=NEAR_AND_FAR, about=["x"])


def test_bootstrap__holds_all_to_the_level_that_worth_holds_them_to() -> None:
    """The last is worth more than the least price, which it costs: the others' mean is below even."""
    cards = {"b": tank(60, hp=20), "c": tank(80, 8), "d": tank(70, 10), "e": tank(90, hp=15), "f": tank(7, 8, hp=1)}
    game = game_of(a=tank(60), **cards)
    this = roster(game, floor=7)
    assert bootstrap(this).worth == pytest.approx(worth(game, roster=this)["worth"].to_numpy(), rel=1e-9)


def test_worth__no_draw_goes_above_what_battles_have_room_for() -> None:
    """One buys at most 99 of the cheapest: between whole numbers of copies, battles of one more are looked up."""
    free, held = with_a_cheap_one(50), with_a_cheap_one(7)
    unit = free.index("x")
    wide, narrow = worth_of(free, unit, 0.0), worth_of(held, unit, 0.0)
    assert wide.price < 99 * 7 < wide.high
    assert narrow.high == pytest.approx(99 * 7)
    assert (narrow.low, narrow.price) == pytest.approx((wide.low, wide.price))
    drawn = bootstrap(held, only=[unit]).drawn_worth[:, unit]
    assert drawn.max() == pytest.approx(99 * 7)
    assert (drawn < 99 * 6.9).mean() > 0.5


def test_interval__has_90_of_100_draws_in_it() -> None:
    assert np.quantile(np.arange(101.0), MIDDLE).tolist() == [5, 95]


def test_worth__is_bounded_by_those_alone_whom_it_meets() -> None:
    """The third, at 1, can't be hurt: 99 for one is no bound for a unit that meets only the other."""
    game = game_of(a=tank(50), b=tank(50, hp=50), c=tank(1, armor=99))
    [row] = worth(game, ["b"], roster=roster(game, floor=1)).to_dict("records")
    assert 99 < row["worth"] < 99 * 50
    assert row["score_at_worth"] == pytest.approx(0.5, abs=1e-9)


def test_worth_reasons__an_opponent_dearer_than_all_budgets_may_be_out_of_reach() -> None:
    """As many of the other as its price buys, at most 100: from a 99th of it on, and even there it is behind."""
    game = game_of(a=tank(60), b=tank(310, hp=1000, armor=10), c=tank(60, 8))
    met = roster(game)
    found = worth_reasons(game, ["a"], roster=met).set_index("opponent")
    assert found.loc["b", "exchange_rate"] == 0
    assert met.scores([310 / 99, 310, 60]).score[0, 1] < 0.5


def test_worth_reasons__behind_or_ahead_at_any_price() -> None:
    weak, strong = tank(50, 8, hp=1), tank(50, hp=1000)
    game = game_of(a=weak, b=strong, c=tank(50), d=tank(80))
    this = roster(game, floor=1)
    rates = worth_reasons(game, ["c"], roster=this).set_index("opponent")["exchange_rate"]
    assert rates["b"] == 0
    assert rates["a"] > 1


# --- the command ------------------------------------------------------------------------------------------------


def run(*words: str) -> str:
    result = CliRunner().invoke(main, ["worth", *words])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_command__says_what_a_unit_is_worth_before_and_after_a_change(tmp_path: Path) -> None:
    cards = "--cards", str(small.write(tmp_path, small.few()))
    text = run("us_m4a1", *cards, "--set", "us_m4a1.hp=40")
    lines = {line.strip().partition("  ")[0]: line.split() for line in text.splitlines()}
    assert lines["M4A1 Sherman (75 mm) (us_m4a1)"][-2:] == ["before", "after"]
    for words in ("is worth", "lasts, turns of an opponent's fire", "best against, for its points", "worst against"):
        assert words in lines
    after = json.loads(run("us_m4a1", *cards, "--set", "us_m4a1.hp=40", "--json"))
    before = json.loads(run("us_m4a1", *cards, "--json"))
    assert after["worth_before"] == before["worth"]
    for name in ("reasons", "fire", "toughness", "penetration"):
        assert after[f"{name}_before"] == before[name]
    assert after["worth"][0]["worth"] > before["worth"][0]["worth"]
    [change] = after["change"]
    ends = [f"{change[f'worth_difference{end}']:+.1f}" for end in ("", "_low", "_high")]
    assert " ".join(lines["change of its worth, 90 % interval"]).endswith("{} [{}, {}]".format(*ends))
    shown = [f"{side['worth'][0]['worth']:.1f}" for side in (before, after)]
    assert lines["is worth"][-2:] == shown
    assert "before" not in run("us_m4a1", *cards)


@pytest.mark.slow
def test_command__names_the_next_useful_points() -> None:
    text = run("us_m4a1")
    steps = aab.toughness_steps(GAME, ["us_m4a1"])
    least = steps["toughness_to"].min() + 1
    *more, last = steps.loc[steps["toughness_to"] == least - 1, "gun_class"]
    guns = f"{', '.join(more)} and {last}" if more else last
    usual = steps.loc[steps["opponents"].idxmax()]
    half = f"half of the guns of {usual['gun_class']}, the most common, from {usual['half_from']} on"
    assert f"\n  with {least} some guns of {guns} need another hit; {half}\n" in text
    more = aab.penetration_steps(GAME, "us_m4a1", {str(n): f"weapons.0.penetration={n}" for n in range(7, 11)})
    assert more["what_if"].tolist()[1] == "8"  # what it has
    shown = [int(line.split()[-1]) for line in text[text.index("penetration: 8") :].splitlines()[1:3]]
    assert shown == more["more_against"].tolist()[2:]
    assert re.search(r"^penetration: 8 +more against, at all distances$", text, re.MULTILINE)
    assert re.search(rf"with 7 it does less against +{more['more_against'][1]}\n", text)


def test_fire__turns_of_two_by_hand() -> None:
    """A hit takes all 10 hit points of one and half of the other's; nobody hurts the third."""
    game = game_of(a=tank(60), b=tank(60, hp=20), c=tank(60, armor=99))
    this = roster(game)
    found = fire(game, ["a", "c"], this).set_index("unit")
    rates = {}
    for target in ("a", "b"):
        table = aab.shots(game, attackers=["a" if target == "b" else "b"], targets=[target])
        rates[target] = float((table["weight"] / table["expected_turns_to_kill"]).sum())
    assert found.loc["a", "opponents"] == 1
    assert found.loc["a", "turns_to_destroy"] == pytest.approx(1 / rates["b"], rel=1e-12)
    assert found.loc["a", "turns_it_lasts"] == pytest.approx(1 / rates["a"], rel=1e-12)
    # Two hits instead of one: twice as long, as each turn has one shot.
    assert found.loc["a", "turns_to_destroy"] == pytest.approx(2 * found.loc["a", "turns_it_lasts"], rel=1e-12)
    assert found.loc["c", "opponents"] == 0
    assert np.isnan(found.loc["c", "turns_to_destroy"])
    three = game_of(a=tank(60), b=tank(60, hp=20), c=tank(60), d=tank(60, hp=90))
    assert fire(three, ["a"], roster(three))["turns_to_destroy"].item() == found.loc["a", "turns_to_destroy"]


def test_fire__where_they_never_hurt_each_other_there_is_no_end_of_turns() -> None:
    """They meet at 2 inches, as the roster has it, and their guns reach no farther than 3."""
    near = {"keywords": {"limited_range": 3}}
    game = game_of(a=tank(60, **near), b=tank(60, **near))
    met = Roster(game, tuning=Tuning(budgets=(100.0,), limits=(2,)), situations={"range_in": {"2": 1.0}})
    found = fire(game, ["a"], met).iloc[0]
    assert found["opponents"] == 1
    assert (found["turns_to_destroy"], found["turns_it_lasts"]) == (inf, inf)


def test_worth_explained__compares_what_came_before_in_the_same_contest() -> None:
    game = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20), d=tank(80, 10))
    found = aab.worth_explained(game, ["a"], before=game, roster=roster(game))
    assert found.change is not None
    assert found.change.filter(like="difference").iloc[0].tolist() == [0, 0, 0]
    assert found.change["worth_before"].equals(found.change["worth_after"])


def test_frames__of_a_change_have_what_was_before_beside_what_is_now() -> None:
    cards = {"b": tank(100, 8), "c": tank(70, hp=20), "d": tank(80, 10)}
    old, new = (game_of(a=tank(60, hp=hp), **cards) for hp in (10, 20))
    found = aab.worth_explained(new, ["a"], before=old, roster=roster(new)).frames()
    assert found["worth_before"].equals(worth(old, ["a"], roster=roster(old)))
    assert found["worth"].equals(worth(new, ["a"], roster=roster(new)))


def test_worth_explained__is_what_its_parts_say() -> None:
    game = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20))
    found = aab.worth_explained(game, ["c", "a"])
    assert found.worth.equals(worth(game, ["c", "a"]))
    assert found.reasons.equals(worth_reasons(game, ["c", "a"], most=5))
    assert found.toughness.equals(aab.toughness_steps(game, ["c", "a"]))
    assert found.penetration["unit"].tolist() == ["c"] * 6 + ["a"] * 6
    assert found.penetration["what_if"].tolist() == 2 * ["8", "9", "10", "11", "12", "13"]


def test_worth_explained__names_those_that_were_asked_for_and_is_worth_the_same() -> None:
    cards = {"b": tank(100, 8), "c": tank(70, hp=20), "d": tank(40, 8, hp=20), "e": tank(80, 10, hp=15)}
    game = game_of(a=tank(60), **{name: card.model_copy(update={"nation": name}) for name, card in cards.items()})
    everyone = aab.worth_explained(game, ["a"])
    costs = {"b": 100, "c": 70, "d": 40, "e": 80}
    assert everyone.reasons["opponent_requisition"].tolist() == [costs[one] for one in everyone.reasons["opponent"]]
    some = aab.worth_explained(game, ["a"], against={"nation": ("c", "d")})
    assert some.worth.equals(everyone.worth)
    named = everyone.reasons[everyone.reasons["opponent"].isin(["c", "d"])].reset_index(drop=True)
    assert len(named) == 2 < len(everyone.reasons)
    assert some.reasons.equals(named)
    with pytest.raises(UsageError, match=r"^nation: found 'f', expected one of any, b, c, d, e$"):
        aab.worth_explained(game, ["a"], against={"nation": "f"})


def test_chosen__texts_are_read_alike_that_people_read_alike() -> None:
    guns = [unit for unit, card in GAME.cards.items() if card.class_ == "field_gun"]
    for words in ("field_gun", "field gun", "Field Gun"):
        assert chosen(GAME.ruleset, GAME.cards, {"class": words}) == guns
    assert chosen(GAME.ruleset, GAME.cards, {"class": ("field gun", "Infantry", "VEHICLE")}) == list(GAME.cards)
    assert chosen(GAME.ruleset, GAME.cards, ("de_tiger1", GAME.cards["de_tiger1"].name)) == ["de_tiger1"]
    # Written as it stands on a card, a text means that alone.
    twins = game_of(a=tank(60).model_copy(update={"nation": "East"}), b=tank(60).model_copy(update={"nation": "east"}))
    found = [chosen(twins.ruleset, twins.cards, {"nation": nation}) for nation in ("East", "east", "EAST")]
    assert found == [["a"], ["b"], ["a", "b"]]
    with pytest.raises(UsageError, match=r"^class: found 'field-gun'"):
        chosen(GAME.ruleset, GAME.cards, {"class": "field-gun"})
    with pytest.raises(UsageError, match=r"^unknown unit 'de_tigre'.*; unknown unit 'de_tigr'"):
        chosen(GAME.ruleset, GAME.cards, ("de_tigre", "us_m8", "de_tigr"))


@pytest.mark.slow
def test_command__names_only_opponents_that_were_asked_for(tmp_path: Path) -> None:
    units = ["su_kv1_41", "de_tiger1", "de_stug3g", "de_pz4h", "us_m4a1", "su_t34_85"]
    (tmp_path / "few.toml").write_text("\n".join(toml(unit, GAME.cards.tables[unit]) for unit in units))

    def lists(*words: str) -> str:
        ran = CliRunner().invoke(main, ["worth", "su_kv1_41", "--cards", str(tmp_path), *words])
        assert ran.exit_code == 0, ran.output
        return ran.output.partition("units that it can't hurt")[2].partition("hit points:")[0]

    assert {*re.findall(r"\((\w+)\) ", lists("--against", "nation=Germany", "--against", "year=1942"))} == {
        unit for unit in units if GAME.cards[unit].nation == "Germany" and GAME.cards[unit].year == 1942
    }
    assert "of opponents with nation USSR\n" in lists("--against", "nation=USSR")
    assert "costs  scores at its worth  adds to worth" in lists("--against", "nation=USSR")
    itself = lists("--against", "nation=USSR", "--against", "year=1941")
    assert "of opponents with nation USSR, year 1941: it meets none\n" in itself
    for wrong, said in (
        ("natoin=USSR", "--against: found 'natoin' (did you mean 'nation'?), expected one of "),
        ("nation=Russia", "--against: nation: found 'Russia', expected one of USSR, Germany, USA\n"),
    ):
        ran = CliRunner().invoke(main, ["worth", "su_kv1_41", "--cards", str(tmp_path), "--against", wrong])
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert ran.stderr.startswith(f"error: {said}")


@pytest.mark.slow
def test_command__the_best_opponents_are_those_that_add_to_worth_where_level_is_not_even(tmp_path: Path) -> None:
    """The last is worth more than it costs, the least price: even scores are above level."""
    cards = {"b": tank(60, hp=20), "c": tank(80, 8), "d": tank(70, 10), "e": tank(90, hp=15), "f": tank(7, 8, hp=1)}
    game = game_of(a=tank(60), **cards)
    (tmp_path / "few.toml").write_text("\n".join(toml(unit, game.cards.tables[unit]) for unit in game.cards))
    text = run("a", "--cards", str(tmp_path))
    best, worst = text.partition("best against, for its points")[2].split("worst against")
    rows = {side: re.findall(r"\((\w)\) .* ([<\d.]+) % +([+-])", part) for side, part in (("+", best), ("-", worst))}
    assert {unit for some in rows.values() for unit, _, _ in some} == {*cards}
    assert {(side, sign) for side, some in rows.items() for _, _, sign in some} == {("+", "+"), ("-", "-")}
    [level] = map(float, re.findall(r"level, the mean above the least price +([\d.]+) %", text))
    assert any(level < float(score) < 50 for _, score, _ in rows["+"])


def test_opponents__the_best_and_the_worst_come_first_with_what_even_battles_cost() -> None:
    """Reasons are in the order of their pull, the most first; an exchange rate of 0 or without end is a word."""
    rows = [("b", 0.9, 12.34, inf), ("c", 0.6, 0.1, 1.236), ("d", 0.4, -0.04, 0.5), ("e", 0.1, -3.0, 0.0)]
    reasons: list[dict[Any, Any]] = [
        {"opponent": unit, "opponent_requisition": 60, "score": score, "pull": pull, "exchange_rate": rate}
        for unit, score, pull, rate in rows
    ]
    lines = [line for line in _opponents(game_of(**{unit: tank(60) for unit in "bcde"}), reasons, 0.5, {}) if line]
    assert [(line[0].strip(), *line[-2:]) for line in lines] == [
        ("best against, for its points", "adds to worth", "exchange rate"),
        ("unit (b)", "+12.3", "any"),
        ("unit (c)", "+0.1", "1.24"),
        ("worst against", "adds to worth", "exchange rate"),
        ("unit (e)", "-3.0", "none"),
        ("unit (d)", "-0.04", "0.50"),
    ]


@pytest.mark.parametrize(
    ("others", "said", "number"),
    [
        ({}, "beware: no unit with a price can both hurt it and be hurt by it", "–"),
        ({"b": tank(50, armor=99)}, "beware: no unit with a price can both hurt it and be hurt by it", "–"),
        ({"b": tank(50, hp=20)}, "beware: depends on too few opponents for an interval", None),
    ],
)
def test_command__of_few_or_no_opponents_says_what_it_lacks(
    others: dict[str, Any], said: str, number: str | None, tmp_path: Path
) -> None:
    game = game_of(a=tank(60), **others)
    (tmp_path / "few.toml").write_text("\n".join(toml(unit, game.cards.tables[unit]) for unit in game.cards))
    text = run("a", "--cards", str(tmp_path))
    assert said in text
    assert "nan" not in text
    lines = {line.strip().partition("  ")[0]: line.split()[-1] for line in text.splitlines() if line}
    assert lines["90 % interval"] == "–"
    assert number is None or lines["is worth"] == lines["for 10 % more than it is worth"] == number


def test_command__refuses_a_unit_that_is_not_compared() -> None:
    squads = [unit for unit, card in GAME.cards.items() if card.class_ == "infantry"]
    result = CliRunner().invoke(main, ["worth", squads[0]])
    assert result.exit_code == 2
    refusal = f"units: found {squads[0]}, which can't make up a side by itself, expected units that can"
    assert f"{refusal}; matches tell its worth: `aabalance worth` with --board" in result.output


# --- groups -----------------------------------------------------------------------------------------------------


def test_score_by__is_the_mean_of_the_pairs() -> None:
    found = aab.score_by(GAME, roster=real()).set_index(["group", "opponent_group"])
    pairs = score_table(real())
    nation = {unit: GAME.cards[unit].nation for unit in TANKS}
    for (group, other), row in found.iterrows():
        some = pairs[(pairs["unit"].map(nation) == group) & (pairs["opponent"].map(nation) == other)]
        assert row["pairs"] == len(some)
        assert [row["units"], row["opponents"]] == [list(nation.values()).count(of) for of in (group, other)]
        if len(some):
            assert row["score"] == pytest.approx(some["score"].mean(), abs=1e-14)
    assert found.loc[("Germany", "Germany"), "score"] == pytest.approx(0.5)
    assert np.isnan(found.loc[("USA", "USA"), "score"])
    assert set(aab.score_by(GAME, "category", roster=real())["group"]) == {"vehicle"}
    with pytest.raises(UsageError, match=r"^by: found 'color', expected a field of the cards, or 'category'$"):
        aab.score_by(GAME, "color", roster=real())


def test_score_table__has_what_both_of_a_pair_cost() -> None:
    pairs, cost = score_table(real()), {unit: GAME.cards[unit].requisition for unit in TANKS}
    assert pairs["requisition"].tolist() == pairs["unit"].map(cost).tolist()
    assert pairs["opponent_requisition"].tolist() == pairs["opponent"].map(cost).tolist()


def test_dominated__one_that_takes_more_for_the_same_price() -> None:
    game = game_of(a=tank(60), b=tank(60), c=tank(60, hp=20), d=tank(200, 8))
    found = aab.dominated(game, roster=roster(game))
    assert {*zip(found["unit"], found["by"], strict=True)} == {
        ("a", "c"),
        ("b", "c"),
        ("d", "a"),
        ("d", "b"),
        ("d", "c"),
    }
    assert found[found["unit"] == "d"]["by"].tolist()[0] == "c"
    mean = score_table(roster(game)).groupby("unit")["score"].mean()
    assert found["score"].tolist() == pytest.approx(mean[found["unit"]].tolist())
    assert found["by_score"].tolist() == pytest.approx(mean[found["by"]].tolist())
    dear = game_of(a=tank(60), b=tank(60), c=tank(61, hp=20), d=tank(60, 8))
    assert aab.dominated(dear, roster=roster(dear)).query("unit == 'a'").empty


def test_dominated__says_what_no_battle_shows_of_the_two() -> None:
    """The better one is a gun that hardly moves, the other a fast scout."""
    fast = tank(60, movement=8, keywords={"scout": True})
    gun = field_gun(at(9, 10), requisition=60, hp=20)
    game = game_of(a=fast, b=gun, c=tank(60, hp=9))
    found = aab.dominated(game, roster=roster(game)).set_index(["unit", "by"]).loc[("a", "b")]
    assert found["unseen"] == "scouting; its speed"
    assert found["by_unseen"] == "its crew, which nobody fires at; that it hardly moves"


def test_dominated__against_some_and_each_other_it_may_be_the_same() -> None:
    """Nobody hurts e, so that all score 0 against it; a and c can't hurt each other, and c takes more of b's hits."""
    shielded = {"penetration": 8, "armor": 12}
    game = game_of(a=tank(60, **shielded), b=tank(60, 14), c=tank(60, hp=20, **shielded), e=tank(60, armor=99))
    this = roster(game)
    assert this.scores().score[0, 2] == 0.5
    found = aab.dominated(game, roster=this)
    assert [*zip(found["unit"], found["by"], strict=True)] == [("a", "c")]


# --- points -----------------------------------------------------------------------------------------------------


def test_toughness_steps__by_hand() -> None:
    # Damage 10 is that of a 75 mm gun, 14 that of 88 mm, which is another class.
    game = game_of(a=tank(60, hp=25), b=tank(60), c=vehicle(at(9, 14), requisition=60, hp=10))
    found = aab.toughness_steps(game, ["a"]).set_index("gun_class")
    assert found["hits"].tolist() == [3, 2]
    assert found[["toughness_from", "toughness_to"]].to_numpy().tolist() == [[21, 30], [15, 28]]
    assert found["opponents"].tolist() == [1, 1]
    assert found["half_from"].tolist() == [31, 29]


def test_toughness_steps__of_a_class_hold_for_all_its_guns() -> None:
    # 25 points are two hits of 13, which take 14 to 26, or of 14, which take 15 to 28.
    game = game_of(a=tank(60, hp=25), b=vehicle(at(9, 13), requisition=60, hp=10), c=vehicle(at(9, 14), hp=10))
    [row] = aab.toughness_steps(game, ["a"]).to_dict("records")
    assert (row["opponents"], row["hits"], row["toughness_from"], row["toughness_to"]) == (2, 2, 15, 26)
    assert row["half_from"] == 27
    odd = game_of(a=tank(60, hp=25), b=vehicle(at(9, 13), hp=10), **{n: vehicle(at(9, 14), hp=10) for n in "cd"})
    [row] = aab.toughness_steps(odd, ["a"]).to_dict("records")
    assert (row["opponents"], row["toughness_to"], row["half_from"]) == (3, 26, 29)


def test_toughness_steps__of_guns_whose_hits_differ_there_are_none() -> None:
    """What HE takes depends on the die."""
    game = game_of(a=tank(60, hp=25), b=vehicle(he(20, 1), requisition=60, hp=10), c=tank(60))
    effects = Roster(game).battles.fighter(1, 0).strikes[0].effects[0][0]
    amounts = sorted(amount for amount in effects if amount)
    assert any(amount % amounts[0] for amount in amounts)
    [row] = aab.toughness_steps(game, ["a"]).to_dict("records")
    assert (row["opponents"], row["toughness_from"], row["toughness_to"]) == (1, 21, 30)


def test_toughness_steps__within_them_no_battle_changes() -> None:
    step = aab.toughness_steps(GAME, ["us_m4a1"]).set_index("gun_class").loc["75-77 mm"]
    at_least, at_most = (
        GAME.with_(changes=[f"us_m4a1.hp={step[end]}"]).duel("us_m4a1", "de_pz4h", range_in=18)
        for end in ("toughness_from", "toughness_to")
    )
    assert at_least.p_a == at_most.p_a
    beyond = GAME.with_(changes=[f"us_m4a1.hp={step['toughness_to'] + 10}"]).duel("us_m4a1", "de_pz4h", range_in=18)
    assert beyond.p_a > at_most.p_a


def test_penetration_steps__by_hand() -> None:
    # Against armour 8: 9 hurts as computed in `test_tuning`, 7/9 at either distance half the time; 8 does 7/12. Each
    # hit takes all 10 hit points.
    game = game_of(a=tank(60, 8), b=tank(60), c=tank(60))
    found = aab.penetration_steps(game, "a", {"8": "weapons.0.penetration=8", "9": "weapons.0.penetration=9"})
    assert found["more_against"].tolist() == [0, 2]
    assert found["harmless_to"].tolist() == [0, 0]
    armed = aab.penetration_steps(game, "a", {"1": "weapons.0.penetration=1", "9": "weapons.0.penetration=9"})
    assert armed["harmless_to"].tolist() == [2, 0]
    standard = game.with_(changes=["a.weapons.0.penetration=9"])
    contest = Contest.standard(game)
    mean = sum(
        float(share * part) * standard.shot("a", "b", range_in=range_in, facing=view.facing).expected_damage
        for range_in, share in contest.ranges.items()
        for view, part in contest.mix.items()
    )
    assert found["expected_damage"].iloc[1] == pytest.approx(mean, rel=1e-12)
    second = game.with_(
        cards=game_of(a=vehicle(at(8, 10), at(9, 10), requisition=60, hp=10), b=tank(60), c=tank(60)).cards
    )
    found = aab.penetration_steps(second, "a", {"7": "weapons.0.penetration=7"})
    assert found["expected_damage"].iloc[0] == pytest.approx(mean, rel=1e-12), "of the better weapon"


def test_penetration_steps__count_the_opponents_of_a_roster() -> None:
    game = game_of(a=tank(60, 8), b=tank(60), c=tank(60))
    change = {"9": "weapons.0.penetration=9"}
    assert aab.penetration_steps(game, "a", change, roster=Roster(game)).equals(
        aab.penetration_steps(game, "a", change)
    )
    few = aab.penetration_steps(game, "a", change, roster=Roster(game, ["a", "b"]))
    assert few["more_against"].tolist() == [1]


def test_toughness_steps__of_a_roster_that_is_there_are_the_same() -> None:
    game = game_of(a=tank(60, hp=25), b=tank(60), c=vehicle(at(9, 14), requisition=60, hp=10))
    assert aab.toughness_steps(game, roster=Roster(game)).equals(aab.toughness_steps(game))
    with pytest.raises(UsageError, match=r"^units: found c, expected units of the roster"):
        aab.toughness_steps(game, ["c"], roster=Roster(game, ["a", "b"]))


def test_penetration_of_all__is_what_each_unit_by_itself_is_told_where_all_stand_at_one_distance() -> None:
    """Against armour 8 at 18 inches the need is that of the distance from a margin of 1 on (p. 7): 10 is no more."""
    game = game_of(a=tank(60, 8), b=tank(60), c=tank(60), d=squad())
    situations = Situations.listed(game, [{"weight": 0.8, "range_in": 18}, {"weight": 0.2, "range_in": 6}])
    found = penetration_of_all(game, situations).set_index(["unit", "what_if"])["more_against"]
    shots = [
        game.with_(changes=[f"a.weapons.0.penetration={n}"]).shot("a", "b", range_in=18).expected_damage
        for n in (8, 9, 10, 11)
    ]
    expected = [2 * (after > before) for before, after in pairwise(shots)]
    assert found["a"].tolist() == expected
    assert expected[0] == 2
    assert 0 in expected
    assert "d" not in found


def test_worth_of_changes__is_the_worth_of_the_changed_card_less_that_of_the_other() -> None:
    game = game_of(a=tank(60, hp=12), b=tank(100, 8), c=tank(70, hp=20))
    found = aab.worth_of_changes(game, ["a"]).set_index("what_if")
    # 13 hit points die of two hits of 10, as 12 do.
    assert found.loc["1 hit point more", "worth_difference"] == pytest.approx(0, abs=1e-9)
    more = worth(game.with_(changes=["a.weapons.0.penetration=10"]), ["a"])["worth"].iloc[0]
    assert found.loc["1 point more of penetration", "worth"] == pytest.approx(more, rel=1e-12)
    assert found.loc["1 point more of penetration", "worth_difference"] > 0.1
    own = aab.worth_of_changes(game, ["a"], {"twice as tough": "hp=24"})
    assert own["what_if"].tolist() == ["twice as tough"]
    assert own["worth_difference"].iloc[0] > 5


def test_increments__name_points_and_keywords() -> None:
    changes = GAME.ruleset.roster.increments(GAME.cards["uk_sexton"], GAME.variant)
    assert changes["1 hit point more"] == f"hp={GAME.cards['uk_sexton'].hp + 1}"
    assert changes["without indirect"] == "keywords.indirect=false"
    assert GAME.with_(changes=[f"uk_sexton.{change}" for change in changes.values()]).cards["uk_sexton"].keywords == {}


@pytest.mark.parametrize("bands", [None, [9, 8, 7, 6, 5, 4]])
def test_increments__have_no_penetration_that_the_rules_do_not_read(bands: list[int] | None) -> None:
    """Under penetration_falloff an attack reads that of the band, if the card has it."""
    game = game_of(a=vehicle(at(9, 10, penetration_by_band=bands)), b=tank(60))
    assert penetration_of(game, "a") == ("weapons.0.penetration", 9)
    falls = game.with_(variant={"penetration_falloff": True})
    assert penetration_of(falls, "a") == (("weapons.0.penetration", 9) if bands is None else None)
    more = {"shots": falls.with_(changes=["a.weapons.0.penetration=30"]), "as is": falls}
    kills = {aab.matchups(one, attackers=["a"], targets=["b"])["p_win"].mean() for one in more.values()}
    assert len(kills) == (2 if bands is None else 1)


@pytest.mark.slow
@pytest.mark.parametrize(("penetration", "less"), [(2, "  with 1 it does"), (1, "  with 0 it does"), (0, "")])
def test_command__shows_the_penetration_that_the_card_has(tmp_path: Path, penetration: int, less: str) -> None:
    few = small.few(["us_m4a1", "de_pz4h", "su_t34_85"])
    cards = small.write(tmp_path / "cards", few.with_(changes=[f"us_m4a1.weapons.0.penetration={penetration}"]))
    text = CliRunner().invoke(main, ["worth", "us_m4a1", "--cards", str(cards)]).stdout
    head, *steps = text[text.index("penetration: ") :].splitlines()[:6]
    assert head.split()[1] == str(penetration)
    assert [line.split()[0] for line in steps[:4]] == [str(penetration + more) for more in range(1, 5)]
    assert steps[4].startswith(less) if less else not steps[4]


def test_worth__slope_is_that_of_a_small_step() -> None:
    this = real()
    found = worth_of(this, 3, 0.0)
    step = 1e-6
    up, down = (
        this.margins(this.scores(np.where(np.arange(len(TANKS)) == 3, found.price * (1 + sign * step), this.prices)))[3]
        for sign in (1, -1)
    )
    assert (up - down) / (2 * step) == pytest.approx(found.slope, rel=1e-4)
    assert worth(GAME, [TANKS[3]], roster=this)["worth_slope"].iloc[0] == pytest.approx(found.slope * log(1.1))
    assert found.slope < FLAT
