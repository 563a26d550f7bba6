"""What a change of cards or rules did: against two answers worked out apart, and by hand on small rosters."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import small
from click.testing import CliRunner
from handmade import at, vehicle
from test_worth import game_of

import aabalance as aab
from aabalance import columns
from aabalance.analysis.pairs import pairs
from aabalance.cards import Cards, revisions
from aabalance.cli import main
from aabalance.diff import compare as comparing
from aabalance.diff import sentences as diff
from aabalance.diff import tables as diff_tables
from aabalance.diff.compare import Comparison, compare, matchup_changes, moved, total, unit_changes
from aabalance.diff.written import compared, read
from aabalance.errors import UsageError
from aabalance.pricing.indifference import MIDDLE, bootstrap, par, worth_of
from aabalance.pricing.roster import Roster
from aabalance.pricing.worth import worth_differences
from aabalance.report import tables as report_tables

ROOT = Path(__file__).resolve().parents[1]
TANKS = ["de_tiger1", "su_t34_85", "us_m4a1", "de_stug3g", "de_pz4h", "su_kv1_41", "us_m24", "uk_firefly"]
GAME = aab.Game()


def tank(price: float | None, penetration: int = 9, **fields: Any) -> Any:
    return vehicle(at(penetration, 10), **{"requisition": price, "hp": 10, "nation": "X"} | fields)


@cache
def few() -> aab.Game:
    """A small roster of real cards."""
    return small.few(TANKS)


@cache
def weaker() -> tuple[aab.Game, Comparison]:
    game = few().with_(changes=["de_tiger1.hp=40", "us_m24.requisition=90"])
    return game, compare(few(), game)


def row_of(table: pd.DataFrame, unit: str) -> Any:
    return table.set_index("unit").loc[unit]


# --- what differs ------------------------------------------------------------------------------------------------


def test_compare__refuses_a_seed_that_rolls_could_not_have() -> None:
    with pytest.raises(UsageError, match=r"^seed: found -1, expected a whole number from 0 to "):
        compare(few(), few().with_(changes=["us_m24.hp=30"]), seed=-1)


def test_cards__field_by_field_in_their_order() -> None:
    old = game_of(a=tank(60), b=tank(70), gone=tank(9))
    new = game_of(a=tank(65, 10, keywords={"casemate": True}), b=tank(70), fresh=tank(8))
    found = compare(old, new).cards
    assert found.to_dict("split")["data"] == [
        ["a", "changed", "requisition", "unit", "60", "65"],
        ["a", "changed", "weapons.0.penetration", "unit", "9", "10"],
        ["a", "changed", "keywords.casemate", "unit", "nothing", "yes"],
        ["gone", "removed", "", "unit", "", ""],
        ["fresh", "added", "", "unit", "", ""],
    ]
    assert tuple(found) == columns.TABLES["card_changes"].columns


@pytest.mark.slow
def test_rules__switch_by_switch() -> None:
    found = compare(few(), few().with_(variant={"resolution": "two_dice"}))
    assert found.rules.to_dict("records") == [{"switch": "resolution", "before": "one_die", "after": "two_dice"}]
    assert found.met == len(TANKS) * (len(TANKS) - 1) // 2
    assert found.matters


@pytest.mark.slow
def test_compare__a_card_without_a_price_is_worth_as_much_as_one_with_any() -> None:
    tables = {unit: dict(table) for unit, table in few().cards.tables.items()}
    del tables["us_m24"]["requisition"]
    old = few().with_(cards=Cards(few().cards.schema, tables, few().cards.places))
    found = compare(old, old.with_(changes=["us_m24.hp=30"]))
    row = row_of(found.units, "us_m24")
    assert row["worth_before"] == pytest.approx(aab.worth(old, ["us_m24"])["worth"].item())
    assert row["worth_after"] > row["worth_before"] * 1.2
    assert row[["requisition_before", "requisition_after", "score_before", "score_after"]].isna().all()
    assert row_of(found.units, "us_m4a1")["worth_difference"] == 0  # nobody's price hangs on a unit without one


# --- duels -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_duels__are_those_of_both_games_in_both_roles() -> None:
    """Means over the situations by `Game.duel`: what a wins as attacker, and as the target of the other's attacks."""
    game, found = weaker()
    situations = aab.Situations.standard(few())

    def score(of: aab.Game, a: str, b: str) -> float:
        mean = 0.0
        for moment, weight in zip(situations.moments, situations.weights, strict=True):
            for first, second, sign in ((a, b, 1), (b, a, -1)):
                duel = of.duel(first, second, range_in=moment.range_in, facing=moment.facing)
                mean += weight * (0.5 + sign * (duel.p_a + duel.p_draw / 2 - 0.5)) / 2
        return mean

    assert {*found.matchups["unit"]} == {"de_tiger1"}
    for row in found.matchups.to_dict("records"):
        pair = "de_tiger1", row["opponent"]
        assert row["duel_score_before"] == pytest.approx(score(few(), *pair), abs=1e-12)
        assert row["duel_score_after"] == pytest.approx(score(game, *pair), abs=1e-12)
    unchanged = {*TANKS} - {"de_tiger1", *found.matchups["opponent"]}
    for other in unchanged:
        assert score(few(), "de_tiger1", other) == pytest.approx(score(game, "de_tiger1", other), abs=1e-6)
    assert found.met == len(TANKS) - 1


def table_of(scores: dict[tuple[str, str], tuple[float, float]]) -> pd.DataFrame:
    rows = [{"attacker": a, "target": b, "p_win": win, "p_draw": draw} for (a, b), (win, draw) in scores.items()]
    return pd.DataFrame(rows)


def test_flips__by_hand() -> None:
    # a v b: (.7 + 1 - .4) / 2 = .65, then (.5 + 1 - .6) / 2 = .45; a v c stays ahead, .6 to .51; a v d goes to even,
    # b v d from it; b v c changes by nothing; a draw counts half.
    old = {("a", "b"): (0.6, 0.2), ("b", "a"): (0.4, 0.0), ("a", "c"): (0.6, 0.0), ("c", "a"): (0.4, 0.0)}
    new = {("a", "b"): (0.4, 0.2), ("b", "a"): (0.6, 0.0), ("a", "c"): (0.52, 0.0), ("c", "a"): (0.5, 0.0)}
    for table, win, level in ((old, 0.9, 0.5), (new, 0.5, 0.8)):
        table |= {("a", "d"): (win, 0.0), ("d", "a"): (1 - win, 0.0), ("b", "c"): (0.3, 0.1), ("c", "b"): (0.6, 0.1)}
        table |= {
            ("b", "d"): (level, 0.0),
            ("d", "b"): (1 - level, 0.0),
            ("c", "d"): (1.0, 0.0),
            ("d", "c"): (0.0, 0.0),
        }
    found = matchup_changes(table_of(old), table_of(new), list("abcd"), list("abcd"))
    assert found[["unit", "opponent", "flipped"]].to_numpy().tolist() == [
        ["a", "b", True],
        ["a", "d", False],
        ["b", "d", False],
        ["a", "c", False],
    ]
    assert found["duel_score_before"].tolist() == pytest.approx([0.65, 0.9, 0.5, 0.6])
    assert found["duel_score_after"].tolist() == pytest.approx([0.45, 0.5, 0.8, 0.51])
    assert found["duel_score_difference"].tolist() == pytest.approx([-0.2, -0.4, 0.3, -0.09])


# --- worth -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_worth__before_and_after_are_those_of_two_separate_answers() -> None:
    game, found = weaker()
    for of, end in ((few(), "before"), (game, "after")):
        alone = aab.worth(of).set_index("unit")
        prices = aab.tune(of).table.set_index("unit")["new_requisition"]
        for unit in TANKS:
            row = row_of(found.units, unit)
            assert row[f"worth_{end}"] == pytest.approx(alone.loc[unit, "worth"], rel=1e-9)
            assert row[f"score_{end}"] == pytest.approx(alone.loc[unit, "score"], abs=1e-12)
            assert row[f"requisition_{end}"] == of.cards[unit].requisition
            assert row[f"proposal_{end}"] == prices[unit]
            assert row[f"rank_{end}"] == 1 + (alone["score"] > alone.loc[unit, "score"] + 1e-9).sum()
    assert found.units["worth_difference"].tolist() == pytest.approx(
        (found.units["worth_after"] - found.units["worth_before"]).tolist()
    )
    assert tuple(found.units) == tuple(name for name in columns.TABLES["unit_changes"].columns if "ratio" not in name)


def test_worth__of_a_unit_that_one_side_lacks_is_no_number_there() -> None:
    old, new = (
        game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20)),
        game_of(b=tank(100, 8), a=tank(60), d=tank(50, 8)),
    )
    found = compare(old, new)
    assert found.units["unit"].tolist() == ["b", "a", "d", "c"]
    gone, fresh = row_of(found.units, "c"), row_of(found.units, "d")
    assert np.isnan([gone["worth_after"], gone["worth_difference_low"], fresh["worth_before"]]).all()
    assert fresh["worth_after"] == pytest.approx(aab.worth(new, ["d"])["worth"].iloc[0], rel=1e-9)
    # The other side of a pair is found though the cards stand in another order.
    for unit in "ab":
        assert row_of(found.units, unit)["worth_after"] == pytest.approx(
            aab.worth(new, [unit])["worth"].iloc[0], rel=1e-9
        )
    assert found.matters


def test_moved__is_who_has_other_numbers_and_nobody_whom_a_side_lacks() -> None:
    old = pd.DataFrame({"requisition": [60.0, 70.0, 80.0, math.nan]}, index=["dearer", "same", "gone", "free"])
    new = pd.DataFrame({"requisition": [65.0, 70.0 + 1e-9, 80.0, math.nan]}, index=["dearer", "same", "fresh", "free"])
    table = unit_changes(old, new, {unit: unit for unit in (*old.index, *new.index)})
    assert table["unit"][moved(table)].tolist() == ["dearer"]


def test_total__is_the_pairs_of_both_sides() -> None:
    game, solved = few().with_(changes=["de_tiger1.hp=40"]), list[int]()
    compare(few(), game, advance=solved.append)
    assert sum(solved) == total(few(), game) == len(TANKS) * (len(TANKS) - 1)


def test_steps__none_where_nothing_differs() -> None:
    assert total(few(), few()) == 0
    other = few().with_(variant={"resolution": "two_dice"})
    assert total(few(), other) == len(TANKS) * (len(TANKS) - 1)


@pytest.mark.slow
def test_compare__the_other_way_round_is_the_negative() -> None:
    game, forth = weaker()
    back = compare(game, few())
    for name in ("score", "worth"):
        for unit in TANKS:
            one, other = (row_of(found.units, unit) for found in (forth, back))
            assert one[f"{name}_difference"] == pytest.approx(-other[f"{name}_difference"], abs=1e-9)
            assert one[f"{name}_difference_low"] == pytest.approx(-other[f"{name}_difference_high"], abs=1e-9)
            assert one[f"{name}_before"] == pytest.approx(other[f"{name}_after"], abs=1e-9)
            assert one["rank_before"] == other["rank_after"]
    one, other = (found.matchups.set_index(["unit", "opponent"]) for found in (forth, back))
    assert (one["duel_score_difference"] == -other["duel_score_difference"]).all()
    assert (one["flipped"] == other["flipped"]).all()
    assert forth.cards["before"].tolist() == back.cards["after"].tolist()
    sides = (
        found.groups.set_index(["grouping", "group", "opponent_group"])["score_difference"] for found in (forth, back)
    )
    one, other = sides
    assert one.to_dict() == pytest.approx((-other).to_dict(), abs=1e-12)


@pytest.mark.slow
def test_groups__are_those_of_score_by() -> None:
    game, found = weaker()
    for row in found.groups.to_dict("records"):
        for of, end in ((few(), "before"), (game, "after")):
            alone = aab.score_by(of, row["grouping"]).set_index(["group", "opponent_group"])["score"]
            assert row[f"score_{end}"] == pytest.approx(alone[row["group"], row["opponent_group"]], abs=1e-12)
    assert ("nation", "Germany", "USSR") in {
        *zip(*(found.groups[n] for n in ("grouping", "group", "opponent_group")), strict=True)
    }


# --- paired intervals --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_interval__of_a_difference_is_narrower_than_of_two_units_apart() -> None:
    """On real cards: the difference of two worths whose opponents were drawn apart would spread as the two together."""
    units = [*TANKS, *list(GAME.cards)[::6]]
    old = GAME.with_(cards=Cards(GAME.ruleset.Card, {unit: GAME.cards.tables[unit] for unit in units}, {}))
    new = old.with_(changes=["de_tiger1.hp=50"])
    row = row_of(compare(old, new).units, "de_tiger1")
    alone = [aab.worth(of, ["de_tiger1"]).iloc[0] for of in (old, new)]
    width = row["worth_difference_high"] - row["worth_difference_low"]
    apart = np.hypot(*(side["worth_high"] - side["worth_low"] for side in alone))
    assert 0 < width < 0.5 * apart
    assert row["worth_difference_low"] < row["worth_difference"] < row["worth_difference_high"] < 0
    # Another seed draws other opponents, and about as wide an interval.
    other = row_of(compare(old, new, seed=1).units, "de_tiger1")
    assert other["worth_difference"] == row["worth_difference"]
    assert other["worth_difference_low"] != row["worth_difference_low"]
    assert other["worth_difference_high"] - other["worth_difference_low"] == pytest.approx(width, rel=0.3)


@pytest.mark.slow
def test_worth_differences__of_a_few_units_are_those_of_all() -> None:
    game, found = weaker()
    units = ["us_m24", "de_tiger1"]
    alone = worth_differences(Roster(few(), about=units), Roster(game, about=units), units)
    assert alone["unit"].tolist() == units
    for row in alone.to_dict("records"):
        for end in ("", "_low", "_high"):
            column = f"worth_difference{end}"
            assert row[column] == pytest.approx(row_of(found.units, row["unit"])[column], abs=1e-9)


def test_in_words__of_few_opponents_has_no_interval() -> None:
    game = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20))
    words = diff.in_words(compare(game, game.with_(changes=["a.hp=14"])), game.ruleset.labels, "old", "new")
    said = "\n".join(words.headline)
    assert ", without an interval)" in said
    assert "–" not in said


def test_interval__is_nothing_where_nothing_can_differ() -> None:
    cards = {"a": tank(60), "b": tank(100, 8), "c": tank(70, hp=20), "d": tank(80, 10)}
    game = game_of(**cards, e=tank(60, 5, armor=99))
    found = compare(game, game.with_(changes=["e.hp=11"])).units
    same = found[found["unit"] != "e"]
    assert (same[[f"worth_difference{end}" for end in ("", "_low", "_high")]].to_numpy() == 0).all()


@pytest.fixture(scope="module")
def law() -> Any:
    """Return what makes a roster under a law of exchange: only its first unit is asked about, which is changed.

    Odds depend on what both are worth together, and on a chance of each pair that the change leaves but for a fifth.
    """
    sys.path.insert(0, str(ROOT))
    try:
        recovery = import_module("benchmarks.recovery")
    finally:
        sys.path.remove(str(ROOT))

    class Law(recovery.Planted):  # type: ignore[name-defined]
        scores = Roster.scores

    def made(gain: float, noise: float, seed: int) -> Any:
        generator = np.random.default_rng(seed)
        worth = np.exp(generator.uniform(np.log(20), np.log(200), 40))
        worth[0] = 60 * gain
        chance = generator.normal(0, noise, 40) + np.random.default_rng((seed, int(10 * gain))).normal(0, noise / 5, 40)

        def ends(a: Any, b: Any, n: Any, m: Any) -> Any:
            odds = recovery.STEEP * (np.log(n * worth[a]) - np.log(m * worth[b])) + chance[b]
            return np.broadcast_to(1 / (1 + np.exp(-odds)), (len(recovery.LIMITS), *odds.shape))

        roster = Law(worth, ends, seed)
        roster.prices = worth.copy()
        roster.prices[0] = 60.0
        roster.mutual[1:, 1:], roster.weights[0] = False, 0.0
        return roster

    return made


@pytest.mark.slow
def test_interval__covers_as_often_as_it_says(law: Any) -> None:
    """The interval is of the difference over all opponents like these: that of the law, without the chance of pairs."""
    hits, widths, apart = [], [], []
    for seed in range(150):
        exact = [law(gain, 0.0, seed) for gain in (1.0, 1.1)]
        known = [worth_of(roster, 0, par(roster)).price for roster in exact]
        drawn = [bootstrap(law(gain, 0.4, seed), seed).drawn_worth[:, 0] for gain in (1.0, 1.1)]
        low, high = np.quantile(drawn[1] - drawn[0], MIDDLE)
        hits.append(low <= known[1] - known[0] <= high)
        widths.append(high - low)
        apart.append(np.hypot(*(np.subtract(*np.quantile(of, MIDDLE)) for of in drawn)))
    assert abs(np.mean(hits) - 0.9) < 3 * np.sqrt(0.9 * 0.1 / len(hits))
    assert np.median(widths) < 0.5 * np.median(apart)


# --- no effect ---------------------------------------------------------------------------------------------------


def said(found: Comparison) -> list[str]:
    return diff.in_words(found, GAME.ruleset.labels, "old", "new").headline


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "variant", "words"),
    [
        ([], {}, ["No difference: cards and rules are the same on both sides."]),
        (
            ["su_t34_85.note=x", "us_m4a1.name=Sherman"],
            {},
            [
                "T-34-85 (1944): note nothing, now x; Sherman: name M4A1 Sherman (75 mm), now Sherman.",
                "No effect: no number depends on what differs.",
            ],
        ),
        (
            [],
            {"wall_rule": "both"},
            [
                "wall_rule pen_minus_2, now both.",
                "No effect: no duel and no battle here depends on these rules; matches aren't compared.",
            ],
        ),
        # Nobody drives in battles in which all hold.
        (
            ["su_t34_85.movement=9", "us_m4a1.name=M4"],
            {},
            [
                "T-34-85 (1944): movement 7, now 9; M4: name M4A1 Sherman (75 mm), now M4.",
                "No effect: every duel, score and price stays what it is.",
            ],
        ),
    ],
)
def test_no_effect__is_said_and_why(changes: list[str], variant: dict[str, Any], words: list[str]) -> None:
    found = compare(few(), few().with_(changes=changes, variant=variant))
    assert said(found) == words
    assert not found.matters
    assert not len(found.matchups) + len(found.groups)


def test_no_effect__of_rules_that_only_matches_read_names_no_battles_where_there_are_none() -> None:
    game = aab.Game("armour_battles")
    game = game.with_(cards=game.cards.only(["de_stug3", "us_m10"]))
    found = compare(game, game.with_(variant={"staff_faces": "1-6"}))
    assert diff.in_words(found, game.ruleset.labels, "old", "new").headline == [
        "staff_faces 2-6, now 1-6.",
        "No effect: no duel here depends on these rules; matches aren't compared.",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (small.few(["us_m4a1"]), small.few(["us_m4a1"]).with_(changes=["us_m4a1.hp=50"])),
        (small.few(["us_m4a1"]), small.few(["us_m4a1", "de_pz4h"])),
        (small.few(["us_m4a1", "de_pz4h"]), small.few(["us_m4a1"])),
    ],
)
def test_no_effect__is_not_said_where_nothing_could_be_compared(before: aab.Game, after: aab.Game) -> None:
    found = diff.in_words(compare(before, after), after.ruleset.labels, "old", "new")
    assert found.headline[1:] == ["Nothing could be compared: fewer than two units are on both sides."]
    assert found.sentence == ""


# --- other games -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_games_without_limits__compare_formula_and_ratio() -> None:
    game = aab.Game("skirmish_wars")
    after = game.with_(changes=["tank.defense=8"])
    found = compare(game, after)
    for of, end in ((game, "before"), (after, "after")):
        table = aab.matchups(of)
        ratio = aab.cost_effectiveness(table).set_index("unit")
        asked = aab.first_requisition(of, table).set_index("unit")["proposal"]
        for row in found.units.to_dict("records"):
            name = "requisition_exchange_ratio"
            assert row[f"{name}_{end}"] == ratio.loc[row["unit"], name]
            assert row[f"rank_{end}"] == ratio.loc[row["unit"], "rank"]
            assert row[f"proposal_{end}"] == asked[row["unit"]]
    assert {*found.matchups["unit"]} == {"tank"}
    assert "score_before" not in found.units
    assert total(game, after) == 2 * len(game.cards)
    words = diff.in_words(found, game.ruleset.labels, "old", "new").headline
    assert words[0].startswith("Tank: defense ")
    (said,) = (line for line in words if line.startswith("What units destroy for each point lost changes most: Tank "))
    ranks = found.units.set_index("name")[["rank_before", "rank_after"]].astype(int)
    for name, place in re.findall(r"(?:: |; )([^;:]+) [\d.]+ to [\d.]+ \(([^)]*)\)", said):
        before, after = ranks.loc[name]
        assert place == (f"still place {before}" if before == after else f"place {before} to {after}")
    assert re.search(r"\(place \d+ to \d+\)", said)


def test_compare__a_notebook_shows_the_first_rows_of_each_table() -> None:
    game = few()
    two = compare(game, game.with_(variant={"resolution": "two_dice"}))
    found = two._repr_html_()
    pairs = len(TANKS) * (len(TANKS) - 1) // 2
    assert "<p>rules that differ: 1</p>" in found
    assert "<td>one_die</td>" in found
    assert f"pairs of {pairs} whose duels end otherwise" in found
    assert "fields and units" not in found
    seven = replace(two, rules=pd.DataFrame({"switch": [*"abcdefg"]}))._repr_html_()
    assert "<p>rules that differ: 7, of which these are the first</p>" in seven
    assert re.findall("<td>(.)</td>", seven.partition("<p>pairs")[0]) == [*"abcde"]
    assert compare(game, game)._repr_html_() == "<p>Nothing differs.</p>"
    assert repr(compare(game, game)) == "Nothing differs."
    assert repr(compare(game, game.with_(changes=["de_tiger1.note=x"]))) == "fields and units that differ: 1"


def test_compare__two_games_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^compare: found armored_advance and forumini, expected one game$"):
        compare(GAME, aab.Game("forumini"))


# --- words and files ---------------------------------------------------------------------------------------------


def test_headline__says_what_changed_and_what_that_did() -> None:
    _, found = weaker()
    lines = said(found)
    assert lines[0] == "Tiger I (Ausf. E): hp 57, now 40; M24 Chaffee: requisition 42, now 90."
    row = row_of(found.units, "de_tiger1")
    ends = [f"{row[f'worth_difference{end}']:+.1f}" for end in ("", "_low", "_high")]
    worth = f"is worth {row['worth_after']:.{row['worth_after'] < 100:d}f}, before {row['worth_before']:.0f}"
    assert f"Tiger I (Ausf. E) {worth} ({ends[0]} [{ends[1]}, {ends[2]}])" in " ".join(lines)
    worths = next(line for line in lines if " is worth " in line)
    assert worths.startswith("Tiger I (Ausf. E) is worth "), "it falls by more than the other card moves"
    assert "; M24 Chaffee is worth " in worths
    largest = found.matchups.iloc[0]
    assert not largest["flipped"]
    assert f"No duel flips; {len(found.matchups)} of 7 pairs change, most Tiger I (Ausf. E) v " in " ".join(lines)


@pytest.mark.slow
def test_headline__of_a_unit_that_leads_at_any_price_now_has_no_end_and_no_interval() -> None:
    game = game_of(a=tank(60), b=vehicle(at(8, 1), hp=10, requisition=50), c=vehicle(at(8, 1), hp=12, requisition=55))
    found = compare(game, game.with_(changes=["a.hp=1000"]))
    assert np.isinf(row_of(found.units, "a")["worth_after"])
    before = diff_tables.points(row_of(found.units, "a")["worth_before"])
    words = diff.in_words(found, GAME.ruleset.labels, "old", "new")
    assert f"unit is worth no end, before {before}" in " ".join(words.headline)
    assert "inf" not in " ".join(words.headline)
    assert f"is worth no end requisition instead of {before} (without an interval, as a worth" in words.sentence
    [section] = [one for one in diff_tables.tables(found, GAME.ruleset.labels) if one.title == "Worth"]
    assert section.rows[0][2:7] == [before, "no end", "–", "–", "–"]


def test_headline__of_a_card_that_costs_more_says_that_its_worth_is_as_before() -> None:
    """What a unit is worth doesn't depend on its own price, but those at the least one move the level a bit."""
    found = compare(few(), few().with_(changes=["de_tiger1.requisition=150"]))
    worth, row = aab.worth(few(), ["de_tiger1"])["worth"].iloc[0], row_of(found.units, "de_tiger1")
    before, after = (f"{100 * row[f'score_{end}']:.1f} %" for end in ("before", "after"))
    change, low, high = (100 * row[f"score_difference{end}"] for end in ("", "_low", "_high"))
    assert change < -1
    shown = f"it scores {after}, before {before} ({change:+.1f} [{low:+.1f}, {high:+.1f}])"
    start = f"Tiger I (Ausf. E) is worth {worth:.0f}, as before, and costs 150: {shown}. Of the other cards "
    assert start in " ".join(said(found))
    doubt = f"(90 % interval of the change {low:+.1f} to {high:+.1f})"
    assert diff.in_words(found, GAME.ruleset.labels, "old", "new").sentence.startswith(
        f"In short: Tiger I (Ausf. E) is worth {worth:.0f} requisition as before and costs 150: it scores {after} "
        f"instead of {before} {doubt}, and wins as many duels. "
    )


def test_headline__names_no_other_card_whose_worth_reads_the_same() -> None:
    found = compare(few(), few().with_(changes=["de_tiger1.requisition=146"]))
    others = found.units[found.units["unit"] != "de_tiger1"]
    assert (others["worth_before"] != others["worth_after"]).any()
    assert "Of the other cards" not in " ".join(said(found))


def test_headline__of_many_prices_names_the_scores_that_change_most() -> None:
    found = compare(few(), few().with_(changes=[f"{unit}.requisition=80" for unit in TANKS[:4]]))
    order = found.units.sort_values("score_difference", key=abs, ascending=False)
    assert set(order["unit"].head(3)) <= set(TANKS[:4])
    some = ", ".join(
        f"{row['name']} ({100 * row['score_before']:.1f} % to {100 * row['score_after']:.1f} %)"
        for row in order.head(3).to_dict("records")
    )
    assert f" Scores at their prices change most: {some}, and {len(order) - 3} more." in " ".join(said(found))


@pytest.mark.slow
def test_headline__names_duels_that_flip() -> None:
    found = compare(few(), few().with_(changes=["su_kv1_41.weapons.0.penetration=9"]))
    flips = found.matchups[found.matchups["flipped"]].to_dict("records")
    assert [row["opponent"] for row in flips] == ["us_m4a1", "de_stug3g", "uk_firefly"]
    shown = [
        f"KV-1 (1941) beats {few().cards[row['opponent']].name} "
        f"({100 * row['duel_score_before']:.1f} % to {100 * row['duel_score_after']:.1f} %)"
        for row in flips
    ]
    change = f"{len(found.matchups) - 3} others of 7 pairs change without a flip."
    assert f"3 duels flip: {'; '.join(shown)}. {change}" in said(found)
    assert len(found.matchups) == 5
    four = found.matchups.sort_values("flipped", ascending=False).head(4)
    assert ". 1 other of 7 pairs changes without a flip." in " ".join(said(replace(found, matchups=four)))
    every = " ".join(said(replace(found, matchups=found.matchups.assign(flipped=True))))
    assert ", and 2 more. 0 others of 7 pairs change without a flip." in every, "three of five are named"


@pytest.mark.slow
def test_headline__many_fields_are_counted() -> None:
    new = few().with_(changes=[f"{unit}.requisition=33" for unit in TANKS[:4]] + ["us_m24.hp=9", f"{TANKS[0]}.hp=9"])
    assert said(compare(few(), new))[0] == "5 cards differ: requisition of 4 cards, hp of 2 cards."


def units_of(rows: list[tuple[str, float, float]], game: aab.Game = GAME) -> Comparison:
    """Return a comparison of rules in which units are worth something else: name, before, after."""
    units = pd.DataFrame(
        [
            {"unit": name, "name": name, "requisition_before": 50.0, "requisition_after": 50.0}
            | {f"worth_{end}": value for end, value in zip(("before", "after"), worths, strict=True)}
            | {f"score_{end}": value / 100 for end, value in zip(("before", "after"), worths, strict=True)}
            | {f"rank_{end}": 1.0 for end in ("before", "after")}
            | {"duel_score_difference": 0.031 if worths[1] > worths[0] else -0.0004}
            for name, *worths in rows
        ]
    )
    for name in ("worth", "score"):
        units[f"{name}_difference"] = units[f"{name}_after"] - units[f"{name}_before"]
    empty = compare(game, game)
    rules = pd.DataFrame([{"switch": "resolution", "before": "one_die", "after": "two_dice"}])
    return replace(empty, units=units, rules=rules)


def test_tables__of_many_units_begin_with_the_largest_gains_and_the_largest_losses() -> None:
    falls = [(f"loser {n}", 80.0, 60.0 - n) for n in range(9)]
    rises = [(f"gainer {n}", 40.0, 41.0 + n) for n in range(9)]
    shown = diff.in_words(units_of([*falls, *rises]), GAME.ruleset.labels, "old", "new")
    for section in (one for one in shown.sections if one.title in ("Worth", "Score at its price")):
        assert [row[0] for row in section.rows[: section.first]] == [
            *(f"loser {n}" for n in (8, 7, 6, 5, 4)),
            *(f"gainer {n}" for n in (8, 7, 6, 5, 4)),
        ]
        assert len(section.rows) == 18
    few = [
        ("fell most", 80.0, 59.0),
        ("rose most", 40.0, 50.0),
        ("rose", 40.0, 47.0),
        ("fell", 80.0, 70.0),
        ("least", 50.0, 51.0),
    ]
    shown = diff.in_words(units_of(few), GAME.ruleset.labels, "old", "new")
    worth = next(section for section in shown.sections if section.title == "Worth")
    assert [row[0] for row in worth.rows] == [name for name, *_ in few], "so few stand by size, both ways"


def test_headline__of_other_rules_names_units_by_worth_first() -> None:
    lines = said(units_of([("a", 40.0, 50.0), ("b", 50.0, 40.0)]))
    assert all(lines)
    scores = "Scores at their prices change most: a (40.0 % to 50.0 %), b (50.0 % to 40.0 %)."
    assert lines[:2] == [
        "resolution one_die, now two_dice.",
        f"Worth more: a (40 to 50); worth less: b (50 to 40). {scores}",
    ]


@pytest.mark.parametrize(
    ("proposals", "says"),
    [
        ([], "The proposed prices stay."),
        ([(40, 45)], "1 proposed price changes: a 45 instead of 40 (requisition)."),
        (
            [(40, 41), (40, 30), (40, 42.5), (40, 44)],
            "4 proposed prices change: b 30 instead of 40, d 44 instead of 40, c 42.5 instead of 40, and 1 more "
            "(requisition).",
        ),
    ],
)
def test_headline__counts_the_proposed_prices_that_change(proposals: list[tuple[float, float]], says: str) -> None:
    found = units_of([(name, 40.0, 50.0) for name in "abcde"])
    before, after = ([pair[end] for pair in proposals] + [60.0] * (len(found.units) - len(proposals)) for end in (0, 1))
    assert says in said(replace(found, units=found.units.assign(proposal_before=before, proposal_after=after)))
    assert "No prices are proposed: no unit sets the scale." in said(
        replace(found, no_proposal="no unit sets the scale")
    )


def test_tables__of_worth_have_duels_beside_and_stand_before_those_of_duels() -> None:
    _, found = weaker()
    shown = diff.in_words(found, GAME.ruleset.labels, "old", "new")
    titles = [section.title for section in shown.sections]
    assert titles.index("Worth") < titles.index("Other duels")
    worth = next(section for section in shown.sections if section.title == "Worth")
    change = row_of(found.units, "de_tiger1")["duel_score_difference"]
    [row] = [row for row in worth.rows if row[0] == few().cards["de_tiger1"].name]
    assert (worth.head[-1], row[-1]) == ("in duels", f"{100 * change:+.1f}")


def test_units__have_the_change_of_their_duels_with_all_others() -> None:
    """By hand: each unit's mean over the others, in both roles; a duel that stays counts, too."""
    new, found = weaker()
    old, now = (comparing.duel_scores(aab.matchups(game)) for game in (few(), new))
    for unit in few().cards:
        rise = [
            (now[unit, other] - old[unit, other] - now[other, unit] + old[other, unit]) / 2
            for other in few().cards
            if other != unit
        ]
        assert row_of(found.units, unit)["duel_score_difference"] == pytest.approx(sum(rise) / len(rise), abs=1e-6)
    assert len(found.matchups) < len(few().cards) * (len(few().cards) - 1) / 2, "some stay"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            [("a", 40.0, 50.0), ("b", 50.0, 50.4), ("c", 50.0, 49.3)],
            "a is worth 50 requisition instead of 40 (without an interval, which reports don't give) and costs 50: "
            "it scores 50.0 % instead of 40.0 %, and wins 3.1 more of 100 duels. 1 other unit changes by 1 % or more: "
            "c.",
        ),
        (
            [("a", 50.0, 40.0)],
            "a is worth 40 requisition instead of 50 (without an interval, which reports don't give) and costs 50: "
            "it scores 40.0 % instead of 50.0 %, and wins as many duels. No other unit changes by 1 % or more.",
        ),
        ([("a", 50.0, 50.0)], "no unit changes in worth."),
    ],
)
def test_sentence__names_who_changes_most(rows: list[tuple[str, float, float]], says: str) -> None:
    found = replace(units_of(rows), cards=weaker()[1].cards, matchups=weaker()[1].matchups)
    assert diff.in_words(found, GAME.ruleset.labels, "old", "new").sentence == f"In short: {says}"


def test_sentence__says_who_wins_fewer_duels() -> None:
    found = units_of([("a", 50.0, 40.0)])
    found = replace(found, units=found.units.assign(duel_score_difference=-0.021), matchups=weaker()[1].matchups)
    said = diff.in_words(found, GAME.ruleset.labels, "old", "new").sentence
    assert said.endswith(", and wins 2.1 fewer of 100 duels. No other unit changes by 1 % or more.")


@pytest.mark.slow
def test_sentence__is_of_the_changed_card_with_its_interval_and_ends_each_output(tmp_path: Path) -> None:
    _, found = weaker()
    row = row_of(found.units, "de_tiger1")
    low, high = (row[f"worth_difference_{end}"] for end in ("low", "high"))
    sentence = diff.in_words(found, GAME.ruleset.labels, "old", "new").sentence
    scores = f"{100 * row['score_after']:.1f} % instead of {100 * row['score_before']:.1f} %"
    doubt = f" (90 % interval of the change {low:+.1f} to {high:+.1f})"
    assert f"{doubt} and costs 145: it scores {scores}, and wins " in sentence
    assert sentence.startswith(
        f"In short: {few().cards['de_tiger1'].name} is worth {row['worth_after']:.0f} requisition"
    )
    changed = ["--set", "infantry.cost=3", "--game", "skirmish_wars"]
    shown = out(*changed, "--markdown", tmp_path / "diff.md", "--html", tmp_path / "diff.html").splitlines()[-1]
    told = json.loads(out(*changed, "--json"))
    assert told["sentence"] == shown
    [infantry] = [row for row in told["units"] if row["unit"] == "infantry"]
    before, after = (infantry[f"requisition_exchange_ratio_{end}"] for end in ("before", "after"))
    assert before != after
    assert shown.startswith(
        f"In short: Infantry destroys {after:.3g} for each point lost instead of {before:.3g}; that is exact, one "
        "against one"
    )
    for end in ("md", "html"):
        assert shown in (tmp_path / f"diff.{end}").read_text(encoding="utf-8").replace("\xa0%", " %")
    assert diff.in_words(compare(few(), few()), GAME.ruleset.labels, "old", "new").sentence == ""


def test_headline__units_of_one_name_that_are_new_and_gone_have_their_ids() -> None:
    old, new = (
        game_of(**{unit: tank(60, name=unit.upper()) for unit in "ab"} | {unit: tank(70, 8, name=name)})
        for unit, name in (("m10", "M10"), ("m10_gmc", "M10"))
    )
    worth = aab.worth(new, ["m10_gmc"])["worth"].iloc[0]
    assert said(compare(old, new))[:2] == [
        f"1 unit is new: m10_gmc (costs 70, is worth {worth:.1f}).",
        "1 unit is gone: m10.",
    ]


@pytest.mark.slow
def test_headline__says_what_new_units_are_worth() -> None:
    old = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20))
    new = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20), d=tank(50, 8), e=tank(9, armor=99, penetration=1))
    worth = aab.worth(new, ["d"])["worth"].iloc[0]
    said_of_d = f"unit (costs 50, is worth {worth:.1f})"
    first, *rest = said(compare(old, new))
    assert first == f"2 units are new: {said_of_d}, unit."
    assert any(
        re.match(r"Worth (more|less): unit \(.*\d\)\. Scores at their prices change most: ", line) for line in rest
    ), "to others they make a difference"
    unpriced = game_of(a=tank(60), b=tank(100, 8), c=tank(70, hp=20), d=tank(None, 8))
    worth = aab.worth(unpriced, ["d"])["worth"].iloc[0]
    assert said(compare(old, unpriced))[0] == f"1 unit is new: unit (has no price, is worth {worth:.1f})."
    game = aab.Game("skirmish_wars")
    few = {unit: game.cards.tables[unit] for unit in list(game.cards)[:4]}
    later = aab.Game("skirmish_wars", Cards(game.cards.schema, few, {}))
    [fresh] = [*few][-1:]
    sooner = aab.Game("skirmish_wars", Cards(game.cards.schema, {u: t for u, t in few.items() if u != fresh}, {}))
    found = compare(sooner, later)
    ratio = aab.cost_effectiveness(aab.matchups(later)).set_index("unit").loc[fresh, "requisition_exchange_ratio"]
    price = getattr(later.cards[fresh], game.ruleset.labels.currency)
    lines = diff.in_words(found, game.ruleset.labels, "old", "new").headline
    name = later.cards[fresh].name
    assert lines[0] == f"1 unit is new: {name} (costs {price}, destroys {ratio:.2f} for each point lost)."


def test_tables__old_stands_left_of_new() -> None:
    """A witness: worth and scores of either game alone; what `compare` found elsewhere has tests above."""
    game, found = weaker()
    sections = diff_tables.tables(found, GAME.ruleset.labels)
    tables = {one.title: {row[0]: row for row in one.rows} for one in sections}
    intro = next(one.intro for one in sections if one.title == "Proposed prices")
    assert "as tune finds them without an anchor. One unit's price is held" in intro
    tuned = [aab.tune(of).to_frame().set_index("name")["new_requisition"] for of in (few(), game)]
    old, new = (aab.worth(of).set_index("name") for of in (few(), game))
    for unit, costs in (("Tiger I (Ausf. E)", "145"), ("M24 Chaffee", "90")):
        worth = [f"{of.loc[unit, 'worth']:.3g}" for of in (old, new)]
        score = [f"{100 * of.loc[unit, 'score']:.1f}" for of in (old, new)]
        places = [f"{of['score'].rank(ascending=False)[unit]:.0f}" for of in (old, new)]
        assert worth[0] != worth[1]
        assert tables["Worth"][unit][1:4] == [costs, *worth]
        assert tables["Score at its price"][unit][1:3] == score
        assert tables["Score at its price"][unit][-2:] == places
        assert tables["Proposed prices"][unit][1:] == [costs, *(f"{prices[unit]:.0f}" for prices in tuned)]
    ends = "before", "after"
    row = found.matchups.set_index("opponent").loc["su_t34_85"]
    duel = tables["Other duels"]["Tiger I (Ausf. E) v T-34-85 (1944)"]
    assert duel[1:3] == [f"{100 * row[f'duel_score_{end}']:.1f}" for end in ends]
    assert duel[3] == f"{100 * (row['duel_score_after'] - row['duel_score_before']):+.1f}"
    for row in found.groups.to_dict("records"):
        group = tables["Groups"][f"{row['group']} v {row['opponent_group']}"]
        assert group[1:] == [f"{100 * row[f'score_{end}']:.1f}" for end in ends]


def test_points__none_are_a_dash_and_no_end_is_said() -> None:
    assert [diff_tables.points(price) for price in (math.nan, math.inf, 40.0, 40.25)] == ["–", "no end", "40", "40.2"]


def test_tables__groups_whose_scores_read_the_same_are_left_out() -> None:
    _, found = weaker()
    groups = found.groups.head(2).assign(score_before=0.5, score_after=[0.5004, 0.501])
    [section] = [
        one for one in diff_tables.tables(replace(found, groups=groups), GAME.ruleset.labels) if one.title == "Groups"
    ]
    assert [row[1:] for row in section.rows] == [["50.0", "50.1"]]


def test_groups__one_that_a_side_lacks_has_no_score_to_compare() -> None:
    both = {"a": tank(60), "b": tank(100, 8, nation="Y")}
    found = compare(game_of(**both), game_of(**both, c=tank(70, hp=20, nation="Z")))
    assert "c" in found.units["unit"].tolist()
    gone = replace(found, cards=found.cards.assign(what="removed"))
    rows = [diff_tables.tables(one, GAME.ruleset.labels)[0].rows for one in (found, gone)]
    assert rows == [[["c", "nothing", "a new card"]], [["c", "a card", "nothing"]]]
    assert not {"Z"} & {*found.groups["group"], *found.groups["opponent_group"]}


def test_rank__equal_scores_share_the_better_place() -> None:
    scores = pd.Series({"a": 0.3, "b": 0.5, "c": 0.5 + 1e-12, "d": math.nan})
    assert comparing.rank(scores).fillna(-1).tolist() == [3, 1, 1, -1]


def test_largest__leaves_out_what_rounding_alone_has_moved() -> None:
    units = units_of([("a", 50.0, 50.0 + 1e-8), ("b", 50.0, 51.0)]).units
    assert diff_tables.by_ratio(units, "worth")["name"].tolist() == ["b"]


def test_ratios__are_those_that_read_otherwise() -> None:
    ends = {f"{diff_tables.RATIO}_before": [1.001, 1.0, 1.0], f"{diff_tables.RATIO}_after": [1.002, 1.5, 0.5]}
    units = pd.DataFrame({"unit": list("abc"), "name": list("abc"), **ends})
    assert diff_tables.ratios(units)["unit"].tolist() == ["c", "b"]  # by half as much is less than to the half


def test_groups__nations_first_then_the_largest_change_and_each_pair_once() -> None:
    found = weaker()[1].groups
    changes = found["score_difference"].abs().tolist()
    assert len(changes) > 2
    assert found["grouping"].tolist() == ["nation"] * len(changes)
    assert changes == sorted(changes, reverse=True)
    pairs = list(zip(found["group"], found["opponent_group"], strict=True))
    assert all(one < other for one, other in pairs)
    assert len({*pairs}) == len(pairs)


@pytest.mark.slow
def test_groups__nations_stand_before_categories() -> None:
    game = small.few(["us_m4a1", "de_pz4h", "su_t34_85", "de_pak40"])
    groupings = compare(game, game.with_(changes=["de_pz4h.hp=45"])).groups["grouping"].tolist()
    assert groupings == ["nation", "nation", "category"]


def test_markdown__what_cells_say_is_no_mark() -> None:
    section = diff_tables.Section("Cards", "", ("card", "old", "new"), [["tank", "a|b", "*c*"]], 3)
    text = diff.markdown(diff.Diff("title", "old", "new", [], [section], "caveat.", ""))
    assert r"| tank | a\|b | \*c\* |" in text.splitlines()


@pytest.mark.parametrize(("more", "left"), [(0, ""), (1, "... and 1 more that --html and --json have.")])
def test_markdown__says_how_many_rows_are_left_out_if_any_are(more: int, left: str) -> None:
    section = diff_tables.Section("Cards", "", ("card", "old", "new"), [["tank", "1", "2"]] * (100 + more), 3)
    text = diff.markdown(diff.Diff("title", "old", "new", [], [section._replace(first=0)], "caveat.", ""))
    assert left in text
    assert bool(left) == ("--html" in text)


def test_markdown__headline_first_the_rest_folded() -> None:
    _, found = weaker()
    shown = diff.in_words(found, GAME.ruleset.labels, "a|b", "new")
    text = diff.markdown(shown)
    lines = text.splitlines()
    assert lines[0] == "## Armored Advance: a\\|b against new"
    assert [line.replace("\\", "") for line in lines[2 : 2 + len(shown.headline)]] == [
        f"- {line}" for line in shown.headline
    ]
    for section in shown.sections:
        part = text.partition(f"### {section.title} ({len(section.rows)})")[2].partition("\n### ")[0]
        visible, _, folded = part.partition("<details>")
        rows = [line for line in (visible + folded).splitlines() if line.startswith("| ")]
        heads = 2 if not folded else 4
        assert len(rows) == len(section.rows) + heads
        assert visible.count("\n| ") == min(len(section.rows), section.first) + 2
        assert bool(folded) == (len(section.rows) > section.first)
        assert not folded or f"<summary>{len(section.rows) - section.first} more</summary>" in folded
        assert all(line.count(" | ") == len(section.head) - 1 for line in rows)
    assert text.endswith(f"{GAME.ruleset.labels.caveat}\n")


def test_markdown__fits_into_a_comment_however_much_changes() -> None:
    rows = [[f"unit {n} v unit {n + 1}", "50.0", "49.9", "-0.1"] for n in range(2000)]
    section = diff_tables.Section("Other duels", "", ("duel", "old %", "new %", "change"), rows, 1)
    text = diff.markdown(diff.Diff("title", "old", "new", ["line."], [section] * 7, "caveat.", "short."))
    assert len(text) < 65536
    assert text.count("| unit ") == 7 * (diff_tables.MOST + diff.MOST_FOLDED)
    assert text.count("<summary>100 more</summary>") == 7
    assert text.count("... and 1895 more that --html and --json have.\n") == 7


def test_page__is_whole_and_escaped() -> None:
    _, found = weaker()
    shown = diff.in_words(found, GAME.ruleset.labels, "<old>", "new")
    text = diff.page(shown)
    for section in shown.sections:
        part = text.partition(f"<h2>{section.title} ({len(section.rows)})</h2>")[2].partition("<h2>")[0]
        visible, _, folded = part.partition("<details>")
        assert visible.count("<tr><td") == min(len(section.rows), section.first)
        assert folded.count("<tr><td") == max(len(section.rows) - section.first, 0)
        assert not folded or f"<summary>{len(section.rows) - section.first} more</summary>" in folded
    assert "&lt;old&gt;" in text
    assert "<old>" not in text
    assert not re.search(r"(src|href)=", text)
    assert text.count("<table>") == text.count("</table>") > 3
    assert "prefers-color-scheme: dark" in text


# --- the command -------------------------------------------------------------------------------------------------


def run(*words: object) -> Any:
    return CliRunner().invoke(main, ["diff", *map(str, words)])


def out(*words: object) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.output


def refusal(*words: object) -> str:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr.rstrip("\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small.write(tmp_path_factory.mktemp("cards") / "old", few())


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small.write(tmp_path_factory.mktemp("cards") / "new", weaker()[0])


@pytest.mark.slow
def test_command__two_folders_are_what_python_says_of_them(folder: Path, changed: Path, tmp_path: Path) -> None:
    words = (folder, changed, "--markdown", tmp_path / "a.md", "--html", tmp_path / "a.html")
    text = out(*words)
    _, found = weaker()
    lines = said(found)
    assert text.startswith(f"Armored Advance: {folder} against {changed}\n  {lines[0]}\n")
    assert all(f"  {line}\n" in text for line in lines)
    assert "and 0 more" not in text
    as_json = json.loads(out(folder, changed, "--json"))
    assert as_json["headline"] == lines
    assert (as_json["old"], as_json["new"]) == (str(folder), str(changed))
    assert as_json["effect"] is True
    assert as_json["pairs_compared"] == found.met
    assert [as_json["provenance"][side]["cards"] for side in ("old", "new")] == [
        aab.Game(cards=cards).cards.hash for cards in (folder, changed)
    ]
    for name in ("cards", "rules", "matchups", "units", "groups"):
        frame = getattr(found, name)
        assert as_json[name] == frame.astype(object).where(frame.notna(), None).to_dict("records")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(before) == 2
    assert out(*words) == text
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.slow
def test_command__the_seed_is_that_of_the_draws(folder: Path, changed: Path) -> None:
    found, usual = compare(few(), weaker()[0], seed=1).units, weaker()[1].units
    units = json.loads(out(folder, changed, "--seed", 1, "--json"))["units"]
    assert units == found.astype(object).where(found.notna(), None).to_dict("records")
    assert (found["worth_difference_low"] != usual["worth_difference_low"]).any()


@pytest.mark.slow
def test_command__says_how_many_rows_it_leaves_out(folder: Path) -> None:
    text = out("--cards", folder, "--new-variant", "two_dice")
    found = compare(few(), few().with_(variant={"resolution": "two_dice"}))
    sections = diff.in_words(found, GAME.ruleset.labels, "old", "new").sections
    left = [str(len(section.rows) - section.first) for section in sections if len(section.rows) > section.first]
    assert left
    assert re.findall(r"^[.]{3} and (\d+) more; --json, --markdown and --html have them$", text, re.MULTILINE) == left


def test_command__a_what_if_and_rules_of_the_new_side_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[aab.Game, aab.Game]] = []

    def caught(before: aab.Game, after: aab.Game, **rest: Any) -> Comparison:
        seen.append((before, after))
        return compare(before, before)

    monkeypatch.setattr(comparing, "compare", caught)
    text = out("--cards", folder, "--set", "us_m24.hp=9", "--variant", "wall_rule=both", "--new-variant", "two_dice")
    [(before, after)] = seen
    assert (before.cards["us_m24"].hp, after.cards["us_m24"].hp) == (18, 9)
    old, new = before.variant.model_dump(), after.variant.model_dump()
    assert (old["resolution"], new["resolution"]) == ("one_die", "two_dice")
    assert old["wall_rule"] == new["wall_rule"] == "both"
    both = "Armored Advance: the cards as they are with wall_rule=both against the same with us_m24.hp=9, two_dice\n"
    assert text.startswith(both)
    switches = "--new-variant", "resolution=sum", "--new-variant", "he_advantage=false"
    text = out("--cards", folder, *switches, "--new-variant", "two_dice")
    assert seen[-1][1].variant.model_dump()["resolution"] == "sum"  # a switch says more than a preset, in any order
    changed = "two_dice, resolution=sum, he_advantage=false"
    assert text.startswith(f"Armored Advance: the cards as they are against the same with {changed}\n")


@pytest.mark.slow
def test_command__a_folder_against_the_cards_as_they_are(folder: Path, changed: Path) -> None:
    assert (
        out(changed, "--cards", changed).splitlines()[1]
        == "  No difference: cards and rules are the same on both sides."
    )
    assert (
        json.loads(out(folder, "--cards", changed, "--json"))["cards"]
        == json.loads(out(folder, changed, "--json"))["cards"]
    )


@pytest.mark.parametrize("option", ["--markdown", "--html"])
def test_command__a_place_that_can_not_be_written_leaves_all_as_it_was(
    folder: Path, tmp_path: Path, option: str
) -> None:
    other = tmp_path / "kept.md"
    other.write_text("before")
    rest = "--html" if option == "--markdown" else "--markdown"
    assert "it is a folder" in refusal(folder, folder, option, tmp_path, rest, other)
    missing = tmp_path / "slip" / "a.md"
    assert f"found no folder {missing.parent}" in refusal(folder, folder, option, missing, rest, other)
    assert not missing.parent.exists()
    assert "expected two files" in refusal(folder, folder, option, other, rest, other)
    assert other.read_text() == "before"
    assert run(folder, folder, option, "").exit_code == 2


# --- revisions ---------------------------------------------------------------------------------------------------


def git(at: Path, *words: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    ran = subprocess.run(("git", "-C", str(at), *who, *words), capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, folder: Path, changed: Path) -> Path:
    """A repository with the old cards on main, the changed ones on a branch, and on main a later commit."""
    root = tmp_path / "repo"
    (root / "units").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main", str(root))
    (root / "README").write_text("no cards yet")
    git(root, "add", ".")
    git(root, "commit", "-qm", "empty")
    git(root, "tag", "empty")
    for branch, source in (("main", folder), ("change", changed)):
        git(root, "checkout", "-q", *(() if branch == "main" else ("-b",)), branch)
        shutil.copy(source / "cards.toml", root / "units")
        git(root, "add", ".")
        git(root, "commit", "-qm", branch)
    git(root, "checkout", "-q", "main")
    (root / "units" / "cards.toml").write_text(
        (root / "units" / "cards.toml").read_text().replace("hp = 32", "hp = 31")
    )
    git(root, "commit", "-qam", "later")
    return root


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
def test_revisions__a_file_whose_name_is_no_text(repository: Path) -> None:
    units = repository / "units"
    (units / "cards.toml").rename(units / os.fsdecode(b"\xff.TOML"))
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "renamed")
    assert json.loads(out("--cards", units, "--json", "main~1..main"))["cards"] == []


@pytest.mark.slow
def test_revisions__cards_of_either_side_and_the_checkout_untouched(repository: Path) -> None:
    units = repository / "units"
    (units / "cards.toml").write_text((units / "cards.toml").read_text().replace("hp = 31", "hp = 30"))
    state = (
        git(repository, "status", "--porcelain"),
        (units / "cards.toml").read_bytes(),
        git(repository, "rev-parse", "HEAD"),
    )

    def fields(*words: str) -> set[tuple[str, str, str, str]]:
        rows = json.loads(out("--cards", units, "--json", *words))["cards"]
        return {(row["unit"], row["field"], row["before"], row["after"]) for row in rows}

    own = {("de_tiger1", "hp", "57", "40"), ("us_m24", "requisition", "42", "90")}
    later = {row for row in fields("main~1..main")}
    assert {row[1:] for row in later} == {("hp", "32", "31")}
    assert fields("main...change") == own  # from where the branch left
    left = git(repository, "rev-parse", "--short", git(repository, "merge-base", "main", "change"))
    assert json.loads(out("--cards", units, "--json", "main...change"))["old"] == left
    assert fields("main~1", "change") == own
    assert fields("main..change") == own | {(unit, field, "31", "32") for unit, field, _, _ in later}
    assert fields("main") == {(unit, field, "31", "30") for unit, field, _, _ in later}
    assert fields("change..change") == set()
    assert out("--cards", units, "change..").startswith(
        "Armored Advance: change against HEAD (units of the git repository repo)\n"
    )
    assert (
        git(repository, "status", "--porcelain"),
        (units / "cards.toml").read_bytes(),
        git(repository, "rev-parse", "HEAD"),
    ) == state


@pytest.mark.slow
def test_revisions__without_cards_are_those_of_the_current_folder(
    repository: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "units")
    assert out("main~1..main").startswith("Armored Advance: main~1 against main (units of the git repository repo)\n")
    git(repository, "mv", "units", "unitdb-of-old")
    (repository / "unitdb").mkdir()
    git(repository, "mv", "unitdb-of-old", "unitdb/armored_advance")
    git(repository, "commit", "-qm", "moved")
    monkeypatch.chdir(repository)
    assert out("main..").startswith(
        "Armored Advance: main against HEAD (unitdb/armored_advance of the git repository repo)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert refusal("main..main") == (
        "error: diff: found 'main..main', which is no folder, and no cards of armored_advance in the current folder, "
        "expected --cards FOLDER, in the git repository that has that revision"
    )


@pytest.mark.parametrize(
    ("span", "both"), [("a..b", ("a", "b")), ("..b", ("HEAD", "b")), ("a..", ("a", "HEAD")), ("..", ("HEAD", "HEAD"))]
)
def test_revisions__an_end_that_is_left_out_is_the_head(span: str, both: tuple[str, str]) -> None:
    assert revisions.ends(Path(), span) == both


def test_revisions__are_found_from_inside_a_hook(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert "No difference" in out("--cards", repository / "units", "main..main")


def test_revisions__faults_have_the_place_in_the_revision(repository: Path) -> None:
    (repository / "units" / "cards.toml").write_text("[a]\nhp = 1\n")
    git(repository, "commit", "-qam", "bad")
    ran = run("main~1..main", "--cards", repository / "units")
    assert ran.exit_code == 2
    assert ran.stderr.startswith("main:units/cards.toml:1: a.")


def test_revisions__a_file_whose_content_isnt_here_isnt_an_empty_one(repository: Path) -> None:
    """As in a partial clone without network: all cards seemed to be gone."""
    blob = git(repository, "rev-parse", "main~1:units/cards.toml")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert refusal("main~1..main", "--cards", repository / "units") == (
        "error: cards: can't read units/cards.toml at main~1, expected a file whose content is in the git repository "
        f"{repository}"
    )


def test_revisions__each_error_is_one_line(repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    units = repository / "units"
    assert refusal("nope", "--cards", units) == (
        f"error: diff: found 'nope', expected a folder, or a revision in the git repository {repository}"
    )
    assert refusal("../nope", folder, "--cards", units) == (
        f"error: diff: found '../nope', expected a folder, or a revision in the git repository {repository}"
    )
    assert refusal("empty..main", "--cards", units) == (
        "error: cards: found no TOML file in units at empty, expected unit cards there"
    )
    assert refusal("nope", "--cards", folder) == (
        f"error: diff: found 'nope', expected a folder; a revision it can't be, git says of {folder}: not a git "
        "repository (or any of the parent directories): .git"
    )
    assert refusal("main..change", "main", "--cards", units) == (
        "error: diff: found 'main' after 'main..change', which says both sides, expected nothing more"
    )
    git(repository, "checkout", "-q", "--orphan", "alone")
    git(repository, "commit", "-qm", "alone")
    assert "expected two revisions of" in refusal("main...alone", "--cards", units)
    monkeypatch.setenv("PATH", str(repository))
    assert refusal("main", "--cards", units) == (
        "error: diff: found no program git, which revisions need, expected two folders"
    )


# --- reports -----------------------------------------------------------------------------------------------------


def report_of(folder: Path, game: aab.Game) -> Path:
    """Write what `diff` reads of a report, with the functions that reports are written with."""
    from aabalance.definitions import report as spec

    folder.mkdir()
    definition = spec.read(None, game.ruleset.name)
    head = report_tables.provenance(game, definition.name, definition.postures)
    table = aab.matchups(game)
    frames = {"pairs": pairs(table)}
    if game.ruleset.limits_actions:
        frames |= {"worth": aab.worth(game), "prices": aab.tune(game).to_frame()}
    else:
        ranked = aab.cost_effectiveness(table)
        named = ranked.assign(name=[game.cards[unit].name for unit in ranked["unit"]])
        frames |= {"cost_effectiveness": named, "requisition": aab.first_requisition(game, table)}
    for name, frame in frames.items():
        (folder / f"{name}.csv").write_text(report_tables.csv(frame, head))
    return folder


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    at = tmp_path_factory.mktemp("reports")
    return report_of(at / "old", few()), report_of(at / "new", weaker()[0])


@pytest.mark.slow
def test_reports__say_what_their_games_say_but_for_intervals(reports: tuple[Path, Path]) -> None:
    found, (_, live) = json.loads(out(*reports, "--json")), weaker()
    table, own = pd.DataFrame(found["units"]).set_index("unit"), live.units.set_index("unit")
    for name in ("worth", "score", "requisition", "proposal", "rank"):
        for end in ("before", "after"):
            column = f"{name}_{end}"
            assert table[column].to_dict() == pytest.approx(own[column].to_dict(), rel=1e-5)
    assert "worth_difference_low" not in table
    assert not re.search(r" from +to$| from +to +place|90 % interval", out(*reports), re.MULTILINE)
    flips = {(row["unit"], row["opponent"]) for row in found["matchups"] if row["flipped"]}
    assert {frozenset(pair) for pair in flips} == {
        frozenset(pair) for pair in live.matchups.query("flipped")[["unit", "opponent"]].itertuples(index=False)
    }
    assert [(row["unit"], row["before"], row["after"]) for row in found["cards"]] == [("us_m24", "42", "90")]
    assert found["pairs_compared"] == math.comb(len(few().cards), 2)
    assert [row["switch"] for row in found["rules"]] == ["cards", "changes"]
    assert str(found["provenance"]["new"]["changes"]) == found["rules"][1]["after"]


@pytest.mark.slow
def test_reports__units_that_one_of_them_lacks_are_new_or_gone(tmp_path: Path) -> None:
    game = few()
    less = game.with_(cards=game.cards.only([unit for unit in game.cards if unit != "us_m24"]))
    old, new = report_of(tmp_path / "old", less), report_of(tmp_path / "new", game)
    for sides, what, said in (((old, new), "added", "is new"), ((new, old), "removed", "is gone")):
        shown = json.loads(out(*sides, "--json"))
        assert [(row["unit"], row["what"]) for row in shown["cards"]] == [("us_m24", what)]
        assert any(f"1 unit {said}: {game.cards['us_m24'].name}" in line for line in shown["headline"])


@pytest.mark.slow
def test_reports__prices_that_only_one_of_them_proposes_are_no_prices_that_stay(
    reports: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = reports
    none = shutil.copytree(new, tmp_path / "none")
    head = (new / "prices.csv").read_text(encoding="utf-8").splitlines(keepends=True)[:2]
    (none / "prices.csv").write_text("".join(head), encoding="utf-8")
    for sides in ((old, none), (none, old)):
        assert "No prices are proposed: a report has none." in json.loads(out(*sides, "--json"))["headline"]


@pytest.mark.slow
def test_reports__names_and_ids_are_those_of_the_cards_whatever_they_look_like(tmp_path: Path) -> None:
    names = {"7": "Tank #3", "08": "-8 #", "-9": "=NA(), 9", "NA": "10"}
    real = [few().cards.tables[unit] for unit in TANKS[:4]]
    tables = {unit: {**table, "name": name} for (unit, name), table in zip(names.items(), real, strict=True)}
    game = GAME.with_(cards=Cards(GAME.cards.schema, tables, {}))
    folder = tmp_path / "report"
    folder.mkdir()
    head = report_tables.provenance(game, "any")
    for name, frame in (("pairs", pairs(aab.matchups(game))), ("worth", aab.worth(game))):
        (folder / f"{name}.csv").write_text(report_tables.csv(frame, head))
    found = read(folder, game.ruleset)
    assert found.names == names
    assert set(found.pairs["attacker"]) == set(found.pairs["target"]) == {*names}
    worth = aab.worth(game).set_index("unit")
    for column in ("requisition", "score", "worth"):
        assert found.units[column].to_dict() == pytest.approx(worth[column].to_dict(), rel=1e-5)
    assert not compared(found, found).matters


@pytest.mark.slow
def test_reports__of_games_without_limits(tmp_path: Path) -> None:
    game = aab.Game("armour_battles")
    old, new = report_of(tmp_path / "a", game), report_of(tmp_path / "b", game.with_(changes=["de_tiger1.at_dice=10"]))
    found = json.loads(out(old, new, "--game", "armour_battles", "--json"))
    row = pd.DataFrame(found["units"]).set_index("unit").loc["de_tiger1"]
    assert row["requisition_exchange_ratio_after"] > row["requisition_exchange_ratio_before"]
    assert "found a report of Armour Battles, expected one of Armored Advance" in refusal(old, new)


@pytest.mark.slow
def test_reports__each_error_is_one_line(reports: tuple[Path, Path], folder: Path, tmp_path: Path) -> None:
    old, new = reports
    assert refusal(old, folder) == f"error: diff: found one report's data, in {old}, expected those of two, or none"
    assert "expected those of two" in refusal(old)
    assert refusal(old, new, "--set", "us_m24.hp=9") == (
        "error: diff: found a what-if or a rule switch, expected none: reports are compared as they are"
    )
    broken = tmp_path / "broken"
    shutil.copytree(new, broken)
    worth = (broken / "worth.csv").read_text()
    (broken / "worth.csv").write_text(worth.replace(",score,", ",points,"))
    assert refusal(old, broken) == (
        f"error: {broken}/worth.csv: found no column score, expected a report of this version of aabalance"
    )
    (broken / "worth.csv").unlink()
    assert refusal(old, broken) == (
        f"error: {broken}/worth.csv: found no such file, expected the data of a report; `aabalance report` writes it"
    )
    (broken / "pairs.csv").write_text((broken / "pairs.csv").read_text().partition("\n")[2])
    assert "pairs.csv:1: found no record of where the numbers come from" in refusal(old, broken)
    (broken / "pairs.csv").write_bytes(b"# {}\n\xff\n")
    assert f"error: {broken}/pairs.csv: found" in refusal(old, broken)


PAIRS = '# {"game": "Armored Advance"}\nattacker,target,p_win,p_draw\na,b,0.5,0\nb,a,0.5,0\n'
WORTH = '# {"game": "Armored Advance"}\nunit,name,requisition,score,worth\na,A,50,0.5,50\nb,B,50,0.5,\n'
PRICES = "# {}\nunit,new_requisition\na,50\n"
NO_RECORD = "found no record of where the numbers come from"


@pytest.mark.parametrize(
    ("table", "old", "new", "said"),
    [
        ("pairs", "b,a", "a,b", "4: found a v b a second time, expected it once"),
        ("pairs", "a,b,0.5", "a,b,abc", "3: a v b: found 'abc' as p_win, expected a number from 0 to 1"),
        ("pairs", "b,a,0.5", "b,a,", "4: b v a: found nan as p_win, expected a number from 0 to 1"),
        ("pairs", "b,a,0.5", "b,a,-5", "4: b v a: found -5.0 as p_win, expected a number from 0 to 1"),
        ("pairs", "0.5,0\nb,a,0.5,0", "0.5,0,\nb,a,0.5,0,", "3: found more cells than columns, expected one for each"),
        ("pairs", "b,a,0.5,0", "b", "4: found a row that ends early, expected a value of each column"),
        ("worth", "b,B", "a,B", "4: found a a second time, expected it once"),
        ("worth", "B,50", "B,inf", "4: b: found inf as requisition, expected a finite number"),
        ("worth", "B,50", f"B,{'1' * 5000}", "4: b: found "),
        ("prices", "a,50", "a,abc", "3: a: found 'abc' as new_requisition, expected a finite number"),
        ("pairs", "{", "[" * 10**5, f"1: {NO_RECORD}"),
        ("pairs", '{"', f'{{"n": {"1" * 5000}, "', f"1: {NO_RECORD}"),
    ],
)
def test_reports__a_table_that_no_report_wrote_has_its_line(
    tmp_path: Path, table: str, old: str, new: str, said: str
) -> None:
    for name, text in {"pairs": PAIRS, "worth": WORTH, "prices": PRICES}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    assert read(tmp_path, GAME.ruleset).units["proposal"]["a"] == 50
    path = tmp_path / f"{table}.csv"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(UsageError, match=re.escape(f"{path}:{said}")):
        read(tmp_path, GAME.ruleset)


def test_folder__of_neither_cards_nor_a_report_is_refused(tmp_path: Path, folder: Path) -> None:
    assert refusal(folder, tmp_path) == f"error: cards: found no TOML file in {tmp_path}, expected unit cards there"
