"""What units of a roster are for, and attacks of several units at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import small
from click.testing import CliRunner
from handmade import ai, at, field_gun, squad, vehicle
from test_worth import game_of, tank

import aabalance as aab
from aabalance.analysis.battles import Score
from aabalance.cards import Cards
from aabalance.cli import main
from aabalance.lists import among
from aabalance.lists.among import never_worth_taking
from aabalance.lists.verdicts import Difference

FEW = ["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]


def run(*words: str) -> str:
    ran = CliRunner().invoke(main, list(words), catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


@pytest.fixture(scope="module")
def few() -> aab.Game:
    game = aab.Game()
    return game.with_(cards=game.cards.only(FEW))


def test_roles__among_all_say_what_dominated_says(few: aab.Game) -> None:
    table, pairs = aab.roles(few).set_index("unit"), aab.dominated(few)
    assert {unit: by for unit, by in table["dominated_by"].items() if by} == dict(
        pairs.drop_duplicates("unit")[["unit", "by"]].to_numpy().tolist()
    )
    assert table.loc["us_m4a1", "best_against"] == 0
    assert table["score"].between(0, 1).all()


def test_roles__the_best_of_those_that_make_a_unit_superfluous_is_named() -> None:
    game = game_of(a=tank(60), b=tank(60), c=tank(60, hp=20), d=tank(200, 8))
    named = aab.roles(game).set_index("unit")["dominated_by"].to_dict()
    assert named == {"a": "c", "b": "c", "c": "", "d": "c"}  # d also by a and b, which have half of c's points


def test_roles__among_some_they_are_not_superfluous_for_those_that_nobody_may_take(few: aab.Game) -> None:
    table = aab.roles(few, ["us_m4a1", "de_tiger1"])
    assert table["unit"].tolist() == ["us_m4a1", "de_tiger1"]
    assert table["dominated_by"].tolist() == ["", ""]
    two = game_of(a=tank(60), b=tank(60, hp=20))
    assert [aab.roles(two, among)["dominated_by"].iloc[0] for among in (["a", "b"], ["a"])] == ["b", ""]
    with pytest.raises(aab.UsageError, match="unknown unit 'nobody'"):
        aab.roles(few, ["nobody"])


def test_roles__a_unit_without_a_price_has_no_score_and_is_nobodys_opponent(few: aab.Game, tmp_path: Path) -> None:
    free = small.without_prices(few, "de_tiger1")
    found, without = aab.roles(free), aab.roles(few.with_(cards=few.cards.only([u for u in FEW if u != "de_tiger1"])))
    own = found.set_index("unit").loc["de_tiger1"]
    assert own[["requisition", "score"]].isna().all()
    assert (own["best_against"], own["dominated_by"]) == (0, "")
    pd.testing.assert_frame_equal(found[found["unit"] != "de_tiger1"].reset_index(drop=True), without)
    assert found.attrs["gaps"] == without.attrs["gaps"]
    shown = run("roster", "--cards", str(small.write(tmp_path / "cards", free)))
    assert re.search(r"^de_tiger1 +– +– +– +aiming, on which", shown, re.MULTILINE)
    assert "Tiger" not in shown.splitlines()[-1]


def test_roles__of_units_that_make_up_no_side_are_refused() -> None:
    with pytest.raises(aab.UsageError, match="roster: found no unit that can make up a side by itself, expected one"):
        aab.roles(small.few(["inf_rifle", "inf_rifle_mg"]))


@pytest.mark.slow
def test_with_and_without__a_unit_that_costs_most_of_the_points_for_nothing_is_never_worth_taking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four T-34-85 beat one Stuart that costs 290 and can't hurt them; infantry has no place in lists."""
    monkeypatch.setattr("aabalance.lists.among.COUNTER", 50_000)
    game = aab.Game().with_(cards=aab.Game().cards.only(["us_m3_stuart", "su_t34_85", "us_m8", "inf_rifle"]))
    game = game.with_(changes=["us_m3_stuart.requisition=290"])
    table = aab.with_and_without(game, ["us_m3_stuart", "su_t34_85", "inf_rifle"], field=["su_t34_85*3"])
    rows = table.set_index("unit").to_dict("index")
    assert set(rows) == {"us_m3_stuart", "su_t34_85"}
    assert rows["us_m3_stuart"]["list"] == "us_m3_stuart"
    assert rows["us_m3_stuart"]["other_list"] == rows["su_t34_85"]["list"] == "su_t34_85*3"
    assert rows["us_m3_stuart"]["adds"] == pytest.approx(-0.5, abs=0.03) == -rows["su_t34_85"]["adds"]
    for row in rows.values():
        for name in ("score", "other_score", "adds"):
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
            assert 0 < row[f"{name}_high"] - row[f"{name}_low"] < 0.04
        both = Difference.of(*(Score.counted(row[name], among.FRESH, 2) for name in ("score", "other_score")))
        assert (row["adds_low"], row["adds_high"]) == pytest.approx(both[1:])  # of both units they hold together
    assert table.attrs["lists"].endswith("cost 300 points, and meet a field of 1 list.")
    assert aab.with_and_without(game, ["us_m8"], field=["su_t34_85*3"]).empty


def test_with_and_without__what_costs_more_than_the_points_has_no_row(few: aab.Game) -> None:
    dear = few.with_(changes=["de_tiger1.requisition=301"])
    table = aab.with_and_without(dear, ["de_tiger1", "us_m4a1"], field=["us_m4a1"])
    assert table.empty
    assert table.attrs["lists"] == ("Lists of 300 points can have fewer than two of these units: none are compared.")


def test_never_worth_taking__names_what_both_measures_say_and_where_they_disagree() -> None:
    roles = [{"unit": unit, "name": unit.upper(), "dominated_by": "e" if unit in "abd" else ""} for unit in "abcde"]
    lists = [
        {"unit": unit, "adds": adds, "adds_low": adds - 0.01, "adds_high": adds + 0.01}
        for unit, adds in (("a", -0.2), ("b", -0.055), ("c", -0.07), ("e", 0.3))
    ]
    text = never_worth_taking(roles, lists)
    assert text.startswith(
        "Never worth taking, by battles for equal points and by lists: A (-20.0 points in 100 (-21.0 to -19.0); e "
        "costs no more). By battles for equal points alone: B (-5.5 points in 100 (-6.5 to -4.5); e costs no more), "
        "D (in no such list; e costs no more). By lists alone: C (-7.0 points in 100 (-8.0 to -6.0)). "
    )
    assert "by lists: none. The two measures agree. " in never_worth_taking(roles[4:], lists)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--field", "mine.toml"), "--field: found it without --among"),
        (("--seed", "1"), "--seed: found it where nothing is rolled, expected --among, too"),
    ],
)
def test_roster__what_is_for_lists_of_a_few_units_is_refused_without_them(words: tuple[str, str], message: str) -> None:
    ran = CliRunner().invoke(main, ["roster", *words])
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert message in ran.stderr


def test_roster__a_missing_file_is_found_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aabalance.pricing.roles.roles", None)  # who calls it fails
    ran = CliRunner().invoke(main, ["roster", "--among", "us_m4a1,us_m10", "--field", "nix.toml"])
    assert (ran.exit_code, ran.stderr) == (2, "error: nix.toml: can't be read: No such file or directory\n")


def test_roster__says_why_lists_of_one_unit_are_not_compared(few: aab.Game, tmp_path: Path) -> None:
    assert "none are compared." in run("roster", "--among", "us_m4a1", "--cards", str(small.write(tmp_path, few)))


def test_roster__names_a_few_of_those_against_whom_nothing_does_well(
    few: aab.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("aabalance.cli.rosters.MOST_GAPS", 1)
    monkeypatch.setattr("aabalance.lists.among.with_and_without", lambda *given, **more: pd.DataFrame())
    cards = small.write(tmp_path, few.with_(changes=["us_m4a1.requisition=400"]))
    found = json.loads(run("roster", "--among", "us_m4a1", "--cards", str(cards), "--json"))
    assert found["gaps"] == FEW
    assert "one half against: M4A1 Sherman (75 mm) and 3 others, which --json has." in found["sentence"]


def test_roster__where_somebody_does_well_against_each_it_says_so(few: aab.Game, tmp_path: Path) -> None:
    table = few.cards.tables["us_m4a1"]
    twins = few.with_(cards=Cards(few.cards.schema, {"one": table, "other": table | {"name": "Other"}}, {}))
    said = run("roster", "--cards", str(small.write(tmp_path, twins)))
    assert "Some unit scores one half against each." in said


def test_roster__what_a_unit_adds_to_lists_has_its_interval(few: aab.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = pd.DataFrame([{"unit": "us_m4a1", "adds": 0.051, "adds_low": -0.012, "adds_high": 0.114}])
    lists.attrs["lists"] = "These."
    monkeypatch.setattr("aabalance.lists.among.with_and_without", lambda *given, **more: lists)
    text = run("roster", "--among", "us_m4a1,us_m10")
    assert re.search(r"^us_m4a1 .* \+5\.1 \(-1\.2 to \+11\.4\)", text, re.MULTILINE)


def test_volleys__of_three_by_hand() -> None:
    """A 3 of 6 hits at 18 inches, a 2 is rolled again (p. 6, p. 8): 7/9; a hit takes 10 of 30."""
    gun, tank = vehicle(at(penetration=20), name="gun", requisition=50), vehicle(name="tank", armor=8, hp=30)
    table = aab.volleys(aab.Game(), [gun] * 3, [tank], range_in=18, at_least=20)
    (row,) = table.to_dict("records")
    p = 7 / 9
    assert row["expected_damage"] == pytest.approx(30 * p)
    assert row["per_hundred"] == pytest.approx(30 * p / 1.5)
    assert row["p_at_least"] == pytest.approx(p**3 + 3 * p**2 * (1 - p))
    assert row["p_kill"] == pytest.approx(p**3)
    assert table.attrs["effects"][0] == pytest.approx(
        {0: (1 - p) ** 3, 10: 3 * p * (1 - p) ** 2, 20: 3 * p**2 * (1 - p), 30: p**3}
    )


@pytest.mark.parametrize(
    ("game", "attackers", "target", "situation", "left"),
    [
        ("skirmish_wars", ("artillery", "rocket"), "recon", {"range_in": 3, "own_hp": 3, "target_hp": 5}, 5),
        ("forumini", ("de_pak_40", "de_tiger_i"), "su_t_34_76", {"range_in": 4, "face_down": 1}, 2),
    ],
)
def test_volleys__destroy_what_is_left_of_the_target(
    game: str, attackers: tuple[str, str], target: str, situation: dict[str, Any], left: int
) -> None:
    two, one = (aab.Game(game).shot(unit, target, **situation).damage for unit in attackers)
    p_two = sum(two[first] * two[second] for first in two for second in two if first + second >= left)
    p_one = sum(one[amount] for amount in one if amount >= left)
    p_all = sum(two[x] * two[y] * one[z] for x in two for y in two for z in one if x + y + z >= left)
    table = aab.volleys(aab.Game(game), f"{attackers[0]}*2,{attackers[1]}", target, **situation)
    assert table["p_kill"].tolist() == pytest.approx([p_two, p_one, p_all])
    assert 0 < p_one < p_two


def test_matrix__ranks_per_point_and_adds_all_together() -> None:
    words = ("matrix", "us_m4a1*3,us_m10", "de_pz4h", "--range", "12", "--at-least", "20")
    rows = json.loads(run(*words, "--json"))["volleys"]
    assert {row["attacker"]: row["attacks"] for row in rows} == {"us_m4a1": 3, "us_m10": 1, "all of them": 4}
    rates = [row["per_hundred"] for row in rows]
    assert rates == sorted(rates, reverse=True)
    *single, together = sorted(rows, key=lambda row: row["attacks"])
    assert together["expected_damage"] == pytest.approx(sum(row["expected_damage"] for row in single))
    cost = 3 * aab.Game().cards["us_m4a1"].requisition + aab.Game().cards["us_m10"].requisition
    assert together["per_hundred"] == pytest.approx(100 * together["expected_damage"] / cost)
    assert "20 or more" in run(*words)
    assert "us_m10 -> de_pz4h, hit points" in run(*words, "--histogram")


def test_matrix__a_card_without_a_price_has_no_effect_per_point(few: aab.Game, tmp_path: Path) -> None:
    cards = str(small.write(tmp_path, small.without_prices(few, "us_m4a1")))
    words = "matrix", "us_m4a1,de_tiger1", "de_pz4h,de_tiger1", "--range", "6", "--cards", cards
    rows = {(row["attacker"], row["target"]): row for row in json.loads(run(*words, "--json"))["volleys"]}
    free, whole, priced = (rows[unit, "de_pz4h"] for unit in ("us_m4a1", "all of them", "de_tiger1"))
    assert free["attacker_requisition"] is free["per_hundred"] is whole["per_hundred"] is None
    assert free["expected_damage"] > 0
    assert priced["per_hundred"] > 0
    told = run(*words)
    assert re.search(r"^us_m4a1 +1 +de_pz4h +[\d.]+ +– ", told, re.MULTILINE)
    assert told.count("Without a price, nothing is known per point of us_m4a1.") == 1
    assert "nan" not in told
    assert ", most first: unknown." in run("matrix", "us_m4a1", "de_pz4h", *words[3:])


def test_matrix__takes_all_units_whose_cards_have_a_value() -> None:
    rows = json.loads(run("matrix", "class=field_gun", "su_kv1_41", "--range", "12", "--json"))["volleys"]
    guns = {unit for unit, card in aab.Game().cards.items() if card.class_ == "field_gun"}
    assert {row["attacker"] for row in rows} == guns | {"all of them"}


def test_matrix__ends_in_a_sentence_on_each_target() -> None:
    ran = run("matrix", "us_m5a1,us_m10", "de_tiger1,de_pz4h", "--range", "6")
    per = "Effect of an attack on {}, in hit points per 100 requisition, most first: "
    on_panzer, on_tiger = ran.split("\n\n")[-1].splitlines()
    assert re.fullmatch(per.format("Panzer IV Ausf. H") + r"M\w+ \w+ \([\d.]+\), M\w+ \w+ \([\d.]+\)\.", on_panzer)
    assert on_tiger.startswith(per.format("Tiger I (Ausf. E)") + "M10 GMC (")
    assert on_tiger.endswith("). 1 of 2 kinds can't hurt it from here.")
    alone = run("matrix", "us_m5a1", "de_tiger1", "--range", "18")
    assert alone.endswith("\nFrom here none of them can hurt Tiger I (Ausf. E).\n")


def test_matrix__names_the_three_that_do_most() -> None:
    on_panzer = run("matrix", "us_m4a1,us_m10,su_t34_85,de_tiger1", "de_pz4h", "--range", "6").splitlines()[-1]
    named = re.findall(r"([^,:]+) \(([\d.]+)\)(?:, |\.)", on_panzer.partition("most first: ")[2])
    assert len(named) == 3
    rates = [float(rate) for _, rate in named]
    assert rates == sorted(rates, reverse=True)


def test_matrix__prints_each_number_under_its_heading_and_a_mark_for_each_two_percent() -> None:
    """At 12 inches a 2 of 6 hits and a 1 is rolled again; a hit takes 10 of 30."""
    text = run("matrix", "us_m4a1*3", "de_pz4h", "--range", "12", "--at-least", "20", "--histogram")
    p, cost = 35 / 36, aab.Game().cards["us_m4a1"].requisition
    head, row, *_ = (re.split(r" {2,}", line) for line in text.splitlines())
    assert head == ["attacker", "attacks", "target", "hit points", "per 100 requisition", "20 or more", "destroyed"]
    chances = f"{p**3 + 3 * p**2 * (1 - p):.4f}", f"{p**3:.4f}"
    assert row == ["us_m4a1", "3", "de_pz4h", f"{30 * p:.2f}", f"{1000 * p / cost:.2f}", *chances]
    two = 3 * p**2 * (1 - p)
    assert f"\n    20   {two:.4f}  {'#' * round(two / 0.02)}\n    30   {p**3:.4f}  {'#' * round(p**3 / 0.02)}\n" in text


def test_roster__a_unit_that_another_can_replace_is_not_said_to_have_no_substitute(
    few: aab.Game, tmp_path: Path
) -> None:
    cards = small.write(tmp_path, few.with_(changes=["us_m4a1.requisition=100", "us_m4a1.hp=10"]))
    found = json.loads(run("roster", "--cards", str(cards), "--json"))
    [row] = [row for row in found["units"] if row["unit"] == "us_m4a1"]
    assert (row["best_against"], bool(row["dominated_by"])) == (0, True)
    never, _, dead = found["sentence"].partition("Best answer to nobody, though no single unit")
    assert "M4A1 Sherman (75 mm) (" in never
    assert "M4A1" not in dead.partition("Nothing here")[0]


def test_armored_advance__costs_beside_what_a_unit_does_in_battle_are_those_that_are_stated() -> None:
    """By hand: 5 for scouting and for each squad that is carried, and 5 for a machine gun and a grenade (p. 18)."""
    price = aab.Game().ruleset.roster.price
    assert [price(vehicle(keywords=keywords)).surcharge for keywords in ({}, {"scout": True}, {"apc": 2})] == [0, 5, 10]
    assert price(vehicle(keywords={"scout": True, "apc": 1})).surcharge == 10
    kinds = "rifle", "at_rifle", "sniper", "artillery_crew"
    assert [price(squad(squad=kind)).flat for kind in kinds] == [10, 15, 15, 10]
    assert price(squad(equipment={"machine_gun": True, "grenades": 2})).flat == 10 + 3 * 5
    assert price(vehicle(ai())).flat == 20
    assert price(vehicle().model_copy(update={"weapons": ()})).flat == 10


def test_armored_advance__says_what_no_battle_shows_of_a_unit() -> None:
    unseen = aab.Game().ruleset.roster.unseen
    fast, slow = "its speed", "that it is slow"
    assert [unseen(vehicle(movement=inches)) for inches in (3, 4, 6, 7)] == [(slow,), (), (), (fast,)]
    assert unseen(vehicle(movement=7, keywords={"scout": True})) == ("scouting", fast)
    gun = unseen(field_gun(keywords={"accurate": True}))
    assert gun[0].startswith("aiming")
    assert gun[1:] == ("its crew, which nobody fires at", "that it hardly moves")
    lacks = aab.Game().ruleset.roster.lacks
    assert [lacks(vehicle(*guns)) for guns in ((at(),), (ai(), at()), (ai(),))] == [(), (), ("no anti-tank weapon",)]


def test_armored_advance__a_point_more_is_one_of_each_number_that_battles_read() -> None:
    game = aab.Game()
    card = vehicle(at(9, 10), armor=(8, 6, 4), hp=30, keywords={"casemate": True})
    assert game.ruleset.roster.increments(card, game.variant) == {
        "1 hit point more": "hp=31",
        "1 cm more at the front": "armor.front=9",
        "1 cm more at the side": "armor.side=7",
        "1 point more of penetration": "weapons.0.penetration=10",
        "1 point more of damage": "weapons.0.damage=11",
        "without casemate": "keywords.casemate=false",
    }
