"""The gate: claims on cards, their verdicts, and what is said of them. Numbers are by hand or from golden data."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import tomllib
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from golden.cases import reference_cases
from scipy import stats

import aabalance as aab
from aabalance.cli import main
from aabalance.definitions.claims import BaselineClaim, BattleClaim, MatchClaim
from aabalance.definitions.gate import Gate
from aabalance.files import data_folder
from aabalance.gate import baseline, cases, outputs, sequential
from aabalance.gate.evidence import Evidence, groups_of
from aabalance.gate.judge import UNJUDGED, Judged, judge, read
from aabalance.gate.sequential import BROKEN, HOLDS, UNDECIDED, above, bets, decide, interval
from aabalance.play.battle import BattleResult
from aabalance.rulesets import OURS

# At 18 inches this gun needs a 3, which a die with its reroll at advantage shows in 7 of 9; one hit destroys.
HIT = Fraction(7, 9)
FIRST_WINS = 1 / (2 - HIT)
CARD = """
[{id}]
name = "{name}"
nation = "{nation}"
year = 1943
class = "vehicle"
weight = "medium"
drive = "tracked"
movement = 5
hp = {hp}
armor = {{ front = {armor}, side = {armor}, rear = {armor} }}
requisition = {price}
weapons = [{{ name = "gun", kind = "at", penetration = {gun}, damage = 14 }}]
"""
TWINS = {"anna": {}, "berta": {"nation": "Y"}}


def card(unit: str, **fields: Any) -> str:
    given = {"name": unit.title(), "nation": "X", "hp": 10, "armor": 9, "price": 50, "gun": 15} | fields
    return CARD.format(id=unit, **given)


def claim(name: str, **fields: Any) -> str:
    given = {"says": f"Claim {name}", "because": "it should"} | fields
    return f"[claims.{name}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in given.items()) + "\n"


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {toml(one)}' for key, one in value.items())} }}"
    return json.dumps(list(value) if isinstance(value, tuple) else value) if not isinstance(value, date) else str(value)


class Place:
    """A folder with cards and a gate."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gate = folder / "mine.gate.toml"
        self.cards(**TWINS)

    def cards(self, **units: dict[str, Any]) -> None:
        (self.folder / "cards").mkdir(exist_ok=True)
        text = "".join(card(unit, **fields) for unit, fields in units.items())
        (self.folder / "cards" / "some.toml").write_text(f"# two lines\n# of words\n{text}")

    def claims(self, *texts: str, **head: Any) -> None:
        first = {"title": "Mine", "game": "armored_advance"} | head
        lines = "".join(f"{key} = {toml(value)}\n" for key, value in first.items())
        self.gate.write_text(f"{lines}\n{''.join(texts)}")

    def read(self) -> tuple[Gate, aab.Game]:
        return read(self.gate, game_of=lambda name: aab.Game(name, self.folder / "cards"))

    def run(self, *words: object) -> Any:
        given = ["gate", self.gate, "--cards", self.folder / "cards", *words]
        return CliRunner().invoke(main, [str(word) for word in given])

    def judged(self, *words: object) -> dict[str, Any]:
        """What --json says of the claims, by id."""
        ran = self.run("--json", *words)
        assert ran.exit_code in (0, 1), ran.output
        return {one["id"]: one for one in json.loads(ran.stdout)["claims"]}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def duel(name: str = "one", **fields: Any) -> str:
    given = {"kind": "duel", "a": "anna", "b": "berta", "situation": {"range_in": 18}, "band": (0.0, 1.0)}
    return claim(name, **given | fields)


# --- kinds of claims --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "number"), [("score", Fraction(1, 2)), ("p_win", Fraction(1, 2)), ("p_draw", Fraction(0))]
)
def test_duel__of_twins_is_even(place: Place, measure: str, number: Fraction) -> None:
    place.claims(duel(measure=measure))
    one = place.judged()["one"]
    assert (one["value"], one["cases"], one["engine"]) == (pytest.approx(float(number), abs=1e-12), 1, "exact")


def test_duel__that_ends_at_its_turn_limit_counts_half(place: Place) -> None:
    place.claims(duel(measure="score", rounds=1), duel("won", measure="p_win", rounds=1))
    found = place.judged()
    assert found["one"]["value"] == pytest.approx(0.5, abs=1e-12)
    assert found["won"]["value"] < 0.48, "in one of twenty duels both are left"


def test_duel__first_turn_gap_is_all_that_the_first_turn_adds(place: Place) -> None:
    # Whoever shoots first wins in 1 / (2 - p) = 9 of 11, so that the first turn adds 7 of 11.
    place.claims(duel(measure="first_turn_gap"))
    assert Fraction(9, 11) == FIRST_WINS
    assert place.judged()["one"]["value"] == pytest.approx(7 / 11, abs=1e-12)


def test_duel__golden_value_at_the_end_of_a_band_holds_and_beyond_is_broken(place: Place) -> None:
    # From golden: two plain tanks at 6 inches, a first, 64155996 of 69343957; moving second the rest.
    first = Fraction(64155996, 69343957)
    assert Fraction(reference_cases("armored_advance")["duel"][0]["expect"]["p_a"]) == first
    gap = float(2 * first - 1)
    plain = {"gun": 9, "armor": 8, "hp": 30}
    place.cards(anna=plain, berta=plain)
    path = place.folder / "cards" / "some.toml"
    path.write_text(path.read_text().replace("damage = 14", "damage = 10"))
    given: dict[str, Any] = {"measure": "first_turn_gap", "situation": {"range_in": 6}}
    place.claims(
        duel("at_end", band=(0.0, gap), **given),
        duel("beyond", band=(0.0, gap - 1e-6), **given),
    )
    found = place.judged()
    place.claims(duel("short", band=(gap + 1e-6, 1.0), **given))
    found |= place.judged()
    assert found["at_end"]["value"] == pytest.approx(gap, abs=1e-12)
    assert {name: one["verdict"] for name, one in found.items()} == {
        "at_end": HOLDS,
        "beyond": BROKEN,
        "short": BROKEN,
    }


def test_duel__lists_selectors_and_ranges_stand_for_every_combination(place: Place) -> None:
    place.cards(**TWINS, clara={"armor": 30})
    place.claims(
        duel("lists", a=("anna", "berta"), b=("anna", "clara"), situation={"range_in": [12, 18]}),
        duel("fields", a={"nation": "X"}, b={"nation": ("X", "Y"), "class": "vehicle"}),
        duel("all", a="all", b="all"),
        duel("one_of_them", a="anna", b=("anna", "berta")),
        duel("herself", a="anna", b="anna"),
    )
    # 2 x 2 without anna against herself, at two ranges; anna and clara against three, but themselves; 3 x 2; anna meets
    # herself only where there is nobody else.
    cases_of = {name: one["cases"] for name, one in place.judged().items()}
    assert cases_of == {"lists": 6, "fields": 4, "all": 6, "one_of_them": 1, "herself": 1}


def test_duel__share_and_mean_are_over_all_cases(place: Place) -> None:
    # Clara, whom nobody hurts, wins all: of six duels two are even, two won, two lost.
    place.cards(**TWINS, clara={"armor": 30})
    every: dict[str, Any] = {"a": "all", "b": "all", "band": (0.5, 1.0)}
    place.claims(
        duel("all_of_them", **every),
        duel("two_thirds", share=0.666, **every),
        duel("more", share=0.667, **every),
        duel("mean", mean=True, a="clara", b=("anna", "berta"), band=(1.0, 1.0)),
        duel("low_mean", mean=True, a="all", b="all", band=(0.51, 1.0)),
    )
    found = place.judged()
    assert found["all_of_them"]["value"] == pytest.approx(4 / 6)
    assert [one["name"] for one in found["all_of_them"]["outside"]] == [
        'Anna v Clara, 18", front',
        'Berta v Clara, 18", front',
    ]
    verdicts = {name: one["verdict"] for name, one in found.items()}
    assert verdicts == {
        "all_of_them": BROKEN,
        "two_thirds": HOLDS,
        "more": BROKEN,
        "mean": HOLDS,
        "low_mean": BROKEN,
    }
    assert found["low_mean"]["value"] == pytest.approx(0.5)
    # The two duels that are won lie in the band, and aren't named among the numbers outside of it.
    assert [one["value"] for one in found["low_mean"]["outside"]] == pytest.approx([0, 0, 0.5, 0.5])
    assert (found["low_mean"]["cases_outside"], found["low_mean"]["cases"]) == (4, 6)
    # Of a mean that lies in the band no number is at fault.
    place.claims(duel("mean", mean=True, a="all", b="all", band=(0.49, 0.51)))
    held = place.judged()["mean"]
    assert (held["verdict"], held["cases_outside"], held["outside"]) == (HOLDS, 0, [])


def test_duel__mean_of_equal_duels_is_theirs_on_any_python(place: Place) -> None:
    # From Python 3.12 on `sum` rounds floats less often, so that its last bit isn't the same on each Python.
    place.cards(**{name: TWINS["anna"] for name in ("anna", "berta", "clara", "dora")})
    gap: dict[str, Any] = {"measure": "first_turn_gap"}
    place.claims(duel("one", **gap), duel("mean", mean=True, a="all", b="all", **gap))
    found = place.judged()
    assert found["mean"]["cases"] == 12
    assert found["mean"]["value"] == found["one"]["value"]


def test_duel__without_situation_is_the_mean_of_the_standard_ones(place: Place) -> None:
    place.cards(**TWINS, clara={"armor": 30})
    place.claims(duel("twins", situation={"range_in": 18}), duel("standard", a="anna", b="clara", band=(0.0, 0.0)))
    text = re.sub(r"(\[claims.standard\][^\[]*?)situation = [^\n]*\n", r"\1", place.gate.read_text())
    place.gate.write_text(text)
    found = place.judged()["standard"]
    assert (found["cases"], found["value"], found["verdict"]) == (1, 0.0, HOLDS)


def test_duel__rounds_end_it_in_a_draw(place: Place) -> None:
    # Both have one shot: a draw if both miss.
    place.claims(duel(measure="p_draw", rounds=1))
    assert place.judged()["one"]["value"] == pytest.approx(float((1 - HIT) ** 2), abs=1e-12)


def test_duel__rounds_end_those_of_the_standard_situations_too(place: Place) -> None:
    standard: dict[str, Any] = {"measure": "p_draw", "situation": None}
    place.claims(*(re.sub("situation = .*\n", "", duel(f"of_{n}", rounds=n, **standard)) for n in (1, 2)))
    found = place.judged()
    # The second round is drawn as often as the first, in each situation: of unlike ones, the mean of squares is above
    # the square of the mean.
    assert 0 < found["of_1"]["value"] ** 2 < found["of_2"]["value"] < found["of_1"]["value"]


def battle(name: str = "one", **fields: Any) -> str:
    given = {"kind": "battle", "a": "anna", "b": "berta", "actions": 1, "situation": {"range_in": 18}}
    return claim(name, **given | {"band": (0.0, 1.0)} | fields)


def test_battle__of_one_against_one_with_one_action_is_a_duel(place: Place) -> None:
    place.claims(battle("even"), battle("first", measure="first_turn_gap"))
    found = place.judged()
    assert (found["even"]["value"], found["first"]["value"]) == (0.5, pytest.approx(7 / 11))


def test_battle__of_two_against_one_by_hand(place: Place) -> None:
    # One action a turn: the two lose a unit a hit, and have to be hit twice; q misses, p hits.
    # w2: chance of the two on their turn, l2 on the other's; w1, l1 with one left.
    p, q = HIT, 1 - HIT
    w1 = p / (1 - q * q)
    l1 = q * w1
    # w2 = p + q l2, l2 = p w1 + q w2
    w2 = (p + q * p * w1) / (1 - q * q)
    l2 = p * w1 + q * w2
    place.claims(battle(a="anna*2"))
    assert l1 < w1
    assert place.judged()["one"]["value"] == pytest.approx(float((w2 + l2) / 2), abs=1e-12)


def test_battle__a_draw_at_the_limit_of_rounds_counts_half(place: Place) -> None:
    # Both have one shot: a draw if both miss; else either is as likely to have hit first.
    place.claims(battle("score", rounds=1), battle("wins", measure="p_win", rounds=1))
    found = place.judged()
    wins = float(1 - (1 - HIT) ** 2) / 2
    assert (found["score"]["value"], found["wins"]["value"]) == (pytest.approx(0.5), pytest.approx(wins))


def clones(place: Place) -> None:
    """Three that are alike and cost 50, and a fourth that costs 100."""
    place.cards(anna={}, berta={"nation": "Y"}, clara={}, dora={"nation": "Y", "price": 100})


def test_unit__a_clone_is_worth_what_its_like_cost(place: Place) -> None:
    clones(place)
    place.claims(
        claim("worth", kind="unit", units="dora", measure="worth", band=(49.99, 50.01)),
        claim("ratio", kind="unit", units="dora", measure="worth_to_price", band=(0.4999, 0.5001)),
        claim("dear", kind="unit", measure="worth_to_price", band=(0.8, 1.25)),
    )
    found = place.judged()
    assert {name: one["verdict"] for name, one in found.items()} == {"worth": HOLDS, "ratio": HOLDS, "dear": BROKEN}
    assert found["worth"]["value"] == pytest.approx(50, abs=1e-6)
    assert [one["units"] for one in found["dear"]["outside"]] == [["dora"]]


def test_unit__worth_by_price_has_the_interval_of_worth_by_price(place: Place) -> None:
    place.cards(**{unit: {} for unit in "abcd"}, clara={"armor": 12}, dora={"price": 100, "hp": 20}, eva={"gun": 9})
    dora: dict[str, Any] = {"kind": "unit", "units": "dora", "band": (0.0, 100.0)}
    place.claims(claim("worth", measure="worth", **dora), claim("ratio", measure="worth_to_price", **dora))
    worth, ratio = ([one[name] for name in ("ci_low", "value", "ci_high")] for one in place.judged().values())
    assert worth[0] < worth[1] < worth[2]
    assert ratio == pytest.approx([end / 100 for end in worth])


def test_unit__scores_of_clones_at_one_price_are_even(place: Place) -> None:
    place.claims(claim("score", kind="unit", measure="score", band=(0.5, 0.5)))
    assert place.judged()["score"]["verdict"] == HOLDS


def test_unit__duel_score_is_the_mean_over_all_others(place: Place) -> None:
    # In every standard situation the twins are even, and Clara always wins: 1, (1/2 + 0) / 2, the same.
    place.cards(**TWINS, clara={"armor": 30})
    place.claims(claim("some", kind="unit", measure="duel_score", band=(0.25, 0.25), share=0.5))
    found = place.judged()["some"]
    assert (found["verdict"], [one["units"] for one in found["outside"]]) == (HOLDS, [["clara"]])


def test_unit__duel_score_is_the_mean_of_attacking_and_of_being_attacked(place: Place) -> None:
    # In three of ten standard situations the target shows its side, and nothing goes through Berta's: there Anna, who
    # attacks, loses all duels. All others are even, and so are those in which Berta attacks.
    place.cards(**TWINS)
    cards = place.folder / "cards" / "some.toml"
    anna, berta = cards.read_text().split("[berta]")
    cards.write_text(f"{anna}[berta]{berta.replace('side = 9', 'side = 30')}")
    place.claims(claim("both", kind="unit", units="anna", measure="duel_score", band=(0.0, 1.0)))
    assert place.judged()["both"]["value"] == pytest.approx((0.7 * 0.5 + 0.5) / 2)


def test_unit__without_a_worth_is_left_out_and_said_so(place: Place) -> None:
    place.cards(**TWINS, clara={"gun": 0})  # hurts nobody
    place.claims(claim("all", kind="unit", measure="worth_to_price", band=(0.0, 2.0)))
    found = place.judged()["all"]
    assert (found["cases"], found["note"]) == (
        2,
        "1 unit of no such number (clara); 2 units without an interval (anna, berta)",
    )


def test_unit__without_a_price_has_no_score_and_no_ratio_but_a_worth(place: Place) -> None:
    clones(place)
    place.claims(
        claim("score", kind="unit", band=(0.0, 1.0)),
        claim("ratio", kind="unit", measure="worth_to_price", band=(0.0, 100.0)),
        claim("worth", kind="unit", measure="worth", band=(0.0, 100.0)),
        claim("pairs", kind="pairs", band=(0.0, 1.0)),
        claim("groups", kind="group", by="nation", band=(0.0, 1.0)),
    )
    counts = {"score": 4, "ratio": 4, "worth": 4, "pairs": 6, "groups": 2}
    assert {name: one["cases"] for name, one in place.judged().items()} == counts
    (place.folder / "cards" / "some.toml").write_text(
        (place.folder / "cards" / "some.toml").read_text().replace("requisition = 100\n", "")
    )
    found = place.judged()
    assert {name: one["cases"] for name, one in found.items()} == counts | {"score": 3, "ratio": 3, "pairs": 3}
    left_out, unsure = "1 unit of no such number (dora)", "3 units without an interval (anna, berta, clara)"
    notes = [found[name]["note"] for name in ("score", "ratio", "worth")]
    assert notes == [left_out, f"{left_out}; {unsure}", unsure]
    groups = Evidence(place.read()[1]), place.read()[0].claims["groups"]
    assert [one.name for one in cases.of_groups(groups[1], groups[0]).cases] == ["X (2)", "Y (1)"]


def test_pairs__of_clones_are_even_unless_one_is_dearer(place: Place) -> None:
    clones(place)
    place.claims(
        claim("half", kind="pairs", band=(0.49, 0.51), share=0.5),
        claim("more", kind="pairs", band=(0.49, 0.51), share=0.51),
        claim("cheap", kind="pairs", units=("anna", "berta", "clara"), band=(0.5, 0.5)),
    )
    found = place.judged()
    assert [found[name]["verdict"] for name in ("half", "more", "cheap")] == [HOLDS, BROKEN, HOLDS]
    assert (found["half"]["cases"], found["cheap"]["cases"]) == (6, 3)
    assert all(one["units"][1] == "dora" for one in found["half"]["outside"])  # the better one first


def test_group__the_one_with_a_dear_clone_is_behind_by_as_much_as_the_other_is_ahead(place: Place) -> None:
    clones(place)
    dear = claim("dear", kind="pairs", units=("anna", "dora"), band=(0.5, 0.5))
    group = {"kind": "group", "by": "nation", "band": (0.5, 0.5)}
    without = claim("without", units=("anna", "berta", "clara"), **group)
    place.claims(claim("nations", **group), without, dear)
    judged = place.judged()
    assert judged["without"]["verdict"] == HOLDS  # Dora is in no group
    found, s = judged["nations"], judged["dear"]["value"]
    x, y = sorted(found["outside"], key=lambda one: one["name"])
    assert (x["name"], y["name"]) == ("X (2)", "Y (2)")
    assert x["value"] + y["value"] == pytest.approx(1)
    # Anna and Clara score 1/2 against Berta, and s against Dora, who costs twice as much for nothing.
    assert s > 0.6
    assert x["value"] == pytest.approx((0.5 + s + 0.5 + s) / 4)


def test_groups_of__are_in_the_order_of_their_names_whatever_the_order_of_the_cards(place: Place) -> None:
    place.cards(anna={"nation": "Y"}, berta={"nation": "X"}, clara={"nation": "Y"})
    place.claims(duel())
    groups = groups_of(place.read()[1], ["anna", "berta", "clara"], "nation")
    assert list(groups.items()) == [("X", ["berta"]), ("Y", ["anna", "clara"])]


@pytest.mark.slow
def test_pairs__note_says_how_many_of_all_pairs_were_rolled(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for solver in ("states", "ordered"):
        monkeypatch.setattr(f"aabalance.engine.battle.{solver}.solve.MOST_STATES", 0)
    place.cards(**{name: {"hp": 10 + n} for n, name in enumerate(("anna", "berta", "clara"))})
    place.claims(claim("all", kind="pairs", band=(0.0, 1.0)))
    assert place.judged()["all"]["note"] == "3 of 3 pairs rolled, each to +-.015"


# --- known claims, exit codes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("band", "known", "status", "code"),
    [
        ((0.4, 0.6), {}, "holds", 0),
        ((0.6, 0.9), {}, "broken", 1),
        ((0.6, 0.9), {"known": "the die is fair"}, "known", 0),
        ((0.4, 0.6), {"known": "the die is fair"}, "holds again", 0),
    ],
)
def test_gate__exit_code_and_words_of_a_claim(
    place: Place, band: tuple[float, float], known: dict[str, str], status: str, code: int
) -> None:
    place.claims(duel(band=band, **known))
    ran = place.run()
    assert ran.exit_code == code, ran.output
    assert ran.stdout.splitlines()[1].startswith(f"{status}  ")
    assert ("the die is fair" in ran.stdout) == bool(known)
    assert f"1 {status}; the gate {'fails' if code else 'passes'}" in ran.stdout


def many_tanks(place: Place) -> None:
    """Battles that are too large to be solved: twelve tanks a side, of four kinds."""
    units = {name: {"hp": 60 + 7 * n, "armor": 9 + n % 2, "price": 50 + n} for n, name in enumerate("abcdefgh")}
    place.cards(**units)


TOO_LARGE: dict[str, Any] = {
    "a": "a*3,c*3,e*3,g*3",
    "b": "b*3,d*3,f*3,h*3",
    "actions": 3,
    "mode": "timed",
    "rounds": 8,
    "policy_a": "threat",
    "policy_b": "threat",
}


@pytest.mark.slow
def test_gate__a_battle_too_large_to_solve_is_rolled_until_it_is_decided(place: Place) -> None:
    many_tanks(place)
    place.claims(battle("wide", band=(0.02, 0.98), **TOO_LARGE), battle("wrong", band=(0.98, 1.0), **TOO_LARGE))
    found = place.judged()
    assert [found[name]["verdict"] for name in ("wide", "wrong")] == [HOLDS, BROKEN]
    for one in found.values():
        assert one["engine"] == "monte_carlo"
        assert 0 < one["trials"] < 40_000
        assert one["trials"] % (2 * cases.OBSERVED) == 0
        assert one["ci_low"] < one["value"] < one["ci_high"]
    assert place.judged() == found  # the same dice


MATCH = {"kind": "match", "board": "crossing", "rounds": 4, "a": "tank*2", "b": "infantry*3"}


def on_board(folder: Path, *claims: dict[str, Any]) -> Any:
    """What the gate says of claims on matches of Skirmish Wars."""
    text = "".join(claim(f"claim_{n}", **MATCH | one) for n, one in enumerate(claims))
    (folder / "mine.gate.toml").write_text(f'title = "Mine"\ngame = "skirmish_wars"\n\n{text}')
    return CliRunner().invoke(main, ["gate", str(folder / "mine.gate.toml"), "--json"])


@pytest.mark.slow
def test_match__is_judged_by_the_matches_that_the_same_seed_plays(tmp_path: Path) -> None:
    few = {"matches": 104, "rounds": 16}
    ran = on_board(tmp_path, few | {"band": (0.4, 0.6)}, few | {"band": (0, 0.1), "measure": "first_turn_gap"})
    score, gap = json.loads(ran.stdout)["claims"]
    for one in (score, gap):
        match = aab.Game("skirmish_wars").match(
            MATCH["a"], MATCH["b"], board="crossing", rounds=16, simulate=one["trials"]
        )
        assert one["trials"] % 8 == 0
        value = match.p_a + match.p_draw / 2 if one is score else match.first_turn_gap
        assert one["value"] == pytest.approx(value)
        assert one["ci_low"] <= value <= one["ci_high"]
        assert value  # a gap of 0 would not tell who began


def test_match__is_tested_at_the_level_of_its_gate(tmp_path: Path) -> None:
    """Nobody wins in a round, so that the test's numbers are known."""
    sure = {"rounds": 1, "measure": "p_draw", "band": (0.5, 1), "matches": 400}
    ran = on_board(tmp_path, sure)
    assert ran.exit_code == 0, ran.output
    [one] = json.loads(ran.stdout)["claims"]
    ones = cases.tested(lambda at, count: (np.ones(count), np.ones(count)), ("p_draw", (0.5, 1), 0.05), 400, 8)
    assert (one["value"], one["trials"], one["ci_low"]) == (1, ones.n, pytest.approx(ones.low))


@pytest.mark.slow
def test_match__another_seed_plays_other_matches(tmp_path: Path) -> None:
    text = claim("one", **MATCH | {"rounds": 16}, band=(0.5, 0.6), matches=104)
    (tmp_path / "mine.gate.toml").write_text(f'title = "Mine"\ngame = "skirmish_wars"\n\n{text}')
    words = ["gate", str(tmp_path / "mine.gate.toml"), "--json", "--seed", "5"]
    [one] = json.loads(CliRunner().invoke(main, words).stdout)["claims"]
    lists, game = (MATCH["a"], MATCH["b"]), aab.Game("skirmish_wars")
    asked = {"board": "crossing", "rounds": 16, "simulate": one["trials"]}
    usual, other = (match.p_a + match.p_draw / 2 for match in (game.match(*lists, **asked, seed=n) for n in (0, 5)))
    assert one["value"] == pytest.approx(other)
    assert abs(usual - other) > 0.001


def test_evidence__battles_of_its_roster_are_rolled_with_its_seed(place: Place) -> None:
    place.claims(duel())
    assert Evidence(place.read()[1], 7).roster.seed == 7


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"board": "nowhere"}, "claims.claim_0: board: found 'nowhere', expected one of crossing"),
        ({"a": "tonk"}, "claims.claim_0.a: unknown unit 'tonk'"),
        ({"player_b": "chess"}, "claims.claim_0: player: found 'chess'"),
        ({"matches": 5}, "claims.claim_0.matches: found 5, expected greater than or equal to 100"),
        ({"measure": "worth"}, "claims.claim_0.measure: found 'worth'"),
        ({"band": (0, 50)}, "expected shares up to 1"),
    ],
)
def test_match__faults_of_a_claim_have_their_line(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    ran = on_board(tmp_path, {"band": (0, 1)} | fields)
    assert ran.exit_code == 2
    assert said in ran.output


@pytest.mark.parametrize("game", ["armour_battles", "forumini"])
def test_match__the_first_turn_is_not_tested_where_dice_say_who_has_it(tmp_path: Path, game: str) -> None:
    """Matches by pairs said "holds, -0.032" of one that is worth +68 points in 100."""
    board, unit = next(iter(aab.Game(game).boards)), next(iter(aab.Game(game).cards))
    text = claim("one", kind="match", a=unit, b=unit, board=board, measure="first_turn_gap", band=(-0.2, 0.2))
    (tmp_path / "mine.gate.toml").write_text(f'title = "Mine"\ngame = "{game}"\n\n{text}')
    ran = CliRunner().invoke(main, ["gate", str(tmp_path / "mine.gate.toml")])
    assert ran.exit_code == 2
    assert "claims.one: measure: found first_turn_gap, expected score, p_win or p_draw: here dice say" in ran.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "head", "code"),
    [
        ((), {}, 0),
        (("--undecided", "fail"), {}, 1),
        ((), {"undecided": "fail"}, 1),
        (("--undecided", "pass"), {"undecided": "fail"}, 0),
    ],
)
def test_gate__undecided_passes_unless_told_to_fail(
    place: Place, words: tuple[str, ...], head: dict[str, str], code: int
) -> None:
    many_tanks(place)
    middle = Evidence(aab.Game(cards=place.folder / "cards"))
    place.claims(battle(band=(0.0, 1.0), **TOO_LARGE))
    gate, _ = place.read()
    result = solved(gate.claims["one"], middle)  # type: ignore[arg-type]
    rolled = cases.roll(result, "score", (0.0, 0.0), 0.05, 1000)
    place.claims(battle(band=(rolled.mean, 1.0), **TOO_LARGE), most_trials=1000, **head)
    ran = place.run(*words, "--junit", place.folder / "gate.xml")
    assert ran.exit_code == code, ran.output
    assert ran.stdout.splitlines()[1].startswith("undecided ")
    suites = ElementTree.parse(place.folder / "gate.xml").getroot()
    assert (suites.get("failures"), suites.get("skipped")) == (str(code), str(1 - code)), "one or the other"
    place.claims(battle(band=(rolled.mean, 1.0), known="nobody knows", **TOO_LARGE), most_trials=1000, **head)
    assert place.run(*words).exit_code == 0


def solved(claim: BattleClaim, evidence: Evidence) -> BattleResult:
    """Return the battle of a claim, solved, or rolled where it is too large for that."""
    lists = cases.sides(claim, evidence)
    return evidence.game.battle(lists.a, lists.b, **lists.given)


# --- bad input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "line", "message"),
    [
        ({"band": (0.6, 0.4)}, 11, "claims.one.band: found [0.6, 0.4], expected the smaller number first"),
        ({"band": (35, 65)}, 11, "claims.one.band: found [35, 65], expected shares up to 1: 0.65 for 65 %"),
        (
            {"measure": "first_turn_gap", "band": (-65, 0.1)},
            11,
            "claims.one.band: found [-65, 0.1], expected shares up to 1: 0.65 for 65 %",
        ),
        ({"a": "ana"}, 8, "claims.one.a: unknown unit 'ana'; did you mean anna?"),
        ({"a": {"nations": "X"}}, 8, "claims.one.a: found 'nations' (did you mean 'nation'?), expected one of class"),
        ({"a": {"nation": "Z"}}, 8, "claims.one.a: nation: found 'Z', expected one of X, Y"),
        ({"situation": {"range": 18}}, 10, "claims.one.situation: found no range_in, expected a distance"),
        (
            {"situation": {"range_in": 18, "facing": "top"}},
            10,
            "claims.one.situation.facing: found 'top', expected 'front', 'side' or 'rear'",
        ),
        ({"situation": {"range_in": []}}, 10, "claims.one.situation: found a list without values, expected one"),
        ({"situation": {"range_in": 18, "moved": True}}, 10, "claims.one.situation.moved: found a field of one attack"),
        (
            {"measure": "first_mover_advantage"},
            12,
            "claims.one.measure: found 'first_mover_advantage', expected first_turn_gap, which is twice that number",
        ),
        ({"measure": "p_wins"}, 12, "claims.one.measure: found 'p_wins', expected 'score', 'p_win', 'p_draw' or"),
        ({"share": 0.0}, 12, "claims.one.share: found 0.0, expected greater than 0"),
        ({"share": 0.5, "mean": True}, 13, "claims.one.mean: found true, expected share or mean, not both"),
        ({"sharp": 1}, 12, "claims.one.sharp: found 1, expected no such field; did you mean 'share'?"),
        (
            {"kind": "duell"},
            7,
            "claims.one.kind: found 'duell', expected 'unit', 'group', 'pairs', 'duel', 'baseline', ",
        ),
        ({"known": ""}, 12, "claims.one.known: found '', expected at least 1 character"),
        ({"known": " "}, 12, "claims.one.known: found ' ', expected at least 1 character"),
        ({"band": ("0.35", "0.65")}, 11, "claims.one.band.0: found '0.35', expected a valid number"),
        ({"band": (False, True)}, 11, "claims.one.band.0: found false, expected a valid number"),
        ({"share": "0.5"}, 12, "claims.one.share: found '0.5', expected a valid number"),
        ({"mean": "yes"}, 12, "claims.one.mean: found 'yes', expected true or false"),
        (
            {"situation": {"range_in": date(2020, 1, 2)}},
            10,
            "claims.one.situation.range_in: found 2020-01-02, expected a valid number",
        ),
        ({"a": {"year": "1943"}}, 8, "claims.one.a: year: found '1943', expected one of 1943\n"),
    ],
)
def test_gate__names_the_line_of_a_fault_in_a_claim(
    place: Place, fields: dict[str, Any], line: int, message: str
) -> None:
    place.claims(duel(**fields))
    ran = place.run()
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"{place.gate}:{line}: {message}"), ran.stderr


def test_gate__says_nothing_of_a_band_whose_measure_it_does_not_know(place: Place) -> None:
    place.claims(duel(measure="wort", band=(0.9, 1.1)))
    [said] = place.run().stderr.splitlines()
    assert "claims.one.measure: found 'wort', expected 'score', " in said


@pytest.mark.parametrize(("file", "name"), [(".gate.toml", "gate"), ("..x.gate.toml", "x"), ("....toml", "toml")])
def test_gate__has_a_name_of_its_own_for_the_folder_of_its_numbers(place: Place, file: str, name: str) -> None:
    place.claims(duel())
    place.gate = place.gate.rename(place.folder / file)
    assert place.read()[0].name == name


@pytest.mark.parametrize("control", ["\\u001b]0;t\\u0007", "\\u0000", "\\u202e"])
def test_gate__refuses_words_that_a_terminal_would_obey(place: Place, control: str) -> None:
    place.claims(duel())
    place.gate.write_text(place.gate.read_text().replace('"Mine"', f'"Mi{control}ne"'))
    assert "mine.gate.toml:1: title: found " in place.run().output


def test_gate__puts_words_of_several_lines_on_one(place: Place) -> None:
    place.claims(re.sub('(says|because) = "(.*)"', r'\1 = """\n  On\n \2\n"""', duel()))
    told = place.judged()["one"]
    assert (told["says"], told["because"]) == ("On Claim one", "On it should")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (battle(a=""), "claims.one.a: found ''"),
        (battle(a="nobody"), "claims.one.a: unknown unit 'nobody'"),
        (battle(mode="chess"), "claims.one.mode: found 'chess'"),
        (battle(mode="timed"), "claims.one.mode: found 'timed' without rounds, expected them"),
        (battle(policy_b="valour"), "claims.one.policy_b: found 'valour' (did you mean 'value'?)"),
        (battle(situation={"range_in": 18, "facing": {"front": 0.5}}), "claims.one.situation.facing: found shares"),
        (battle().replace("actions = 1\n", ""), "claims.one: found no actions, expected the limit of a side's turn"),
        (
            claim("one", kind="pairs", band=(0.3, 0.6)),
            "claims.one.band: found [0.3, 0.6], expected a band that is symmetric about 0.5",
        ),
        (claim("one", kind="group", by="colour", band=(0.3, 0.6)), "claims.one.by: found 'colour'"),
        (
            claim("one", kind="unit", units=(), band=(0.3, 0.6)),
            "claims.one.units: found no unit, expected one at least",
        ),
        (claim("one", kind="unit"), "claims.one.band: found nothing, expected a value"),
        (claim("one", kind="unit", units="zita", band=(0, 1)), "claims.one.units: unknown unit 'zita'"),
    ],
)
def test_gate__says_what_is_wrong_with_other_claims(place: Place, text: str, message: str) -> None:
    place.claims(text)
    ran = place.run()
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert re.match(rf"{re.escape(str(place.gate))}:\d+: {re.escape(message)}", ran.stderr), ran.stderr


def test_gate__tells_all_faults_at_once_in_the_order_of_lines(place: Place) -> None:
    place.claims(duel("one", band=(2, 1)), battle("two", mode="chess"), alpha=2, undecided="maybe")
    told = place.run().stderr.splitlines()
    assert [line.split(": ")[1] for line in told] == ["alpha", "undecided", "claims.one.band", "claims.two.mode"]
    lines = [int(line.split(":")[1]) for line in told]
    assert lines == sorted(lines)


def test_gate__tells_what_only_cards_show_with_what_the_file_shows_and_of_one_claim_too(place: Place) -> None:
    (place.folder / "cards" / "more.toml").write_text(card("clara", gun='"a"'))
    texts = [
        duel("one", a="ana", band=(2, 1)),
        battle("two", a="anna*0", b="nobody,berta,noone"),
        claim("three", kind="group", by="colour", units={"nation": "Z"}, band=(0.3, 0.6)),
        battle("four", situation={"range_in": 18, "scout_in": 12}),
        duel("five", measure="luck", situation={"range_in": 18, "facing": "top"}),
    ]
    place.claims(*texts)
    card_alone, *rest = place.run().stderr.splitlines()[::-1]
    assert "more.toml:" in card_alone
    without_cards = [line.split(": ")[1] for line in rest[::-1]]
    assert without_cards == ["claims.one.band", "claims.two.a", "claims.five.situation.facing", "claims.five.measure"]
    (place.folder / "cards" / "more.toml").unlink()
    told = place.run().stderr.splitlines()
    assert [line.split(": ")[1] for line in told] == [
        "claims.one.a",
        "claims.one.band",
        "claims.two.a",
        "claims.two.b",
        "claims.three.by",
        "claims.three.units",
        "claims.four",
        "claims.five.situation.facing",
        "claims.five.measure",
    ]
    assert all(line.startswith(f"{place.gate}:") for line in told)
    assert "unknown unit 'nobody'" in told[3]
    assert "unknown unit 'noone'" in told[3]


def test_gate__refuses_claims_on_one_number_that_cant_both_hold(place: Place) -> None:
    place.claims(duel(band=(0.3, 0.4)), duel("two", band=(0.4, 0.6)), duel("three", known="Not yet.", band=(0.5, 0.6)))
    (told,) = place.run().stderr.splitlines()
    assert told.endswith("found [0.5, 0.6], which contradicts claims.one, [0.3, 0.4]: no number is in both")
    assert "claims.three.band" in told


def test_gate__unless_it_says_otherwise_is_wrong_once_in_twenty_and_passes_what_is_undecided(place: Place) -> None:
    place.claims(duel())
    gate = Gate.model_validate(tomllib.loads(place.gate.read_text(encoding="utf-8")))
    assert (gate.alpha, gate.most_trials, gate.undecided) == (0.05, 40_000, "pass")


def test_gate__without_a_game_is_a_fault_like_others(place: Place) -> None:
    place.claims(duel(band=(2, 1)))
    place.gate.write_text(place.gate.read_text().replace('game = "armored_advance"\n', ""))
    assert [line.split(": ")[1:3] for line in place.run().stderr.splitlines()] == [
        ["game", "found nothing, expected a value"],
        ["claims.one.band", "found [2, 1], expected the smaller number first"],
    ]


def test_gate__tells_all_claims_that_cant_be_judged(place: Place) -> None:
    place.cards(anna={}, berta={"armor": 99})
    units = {"kind": "unit", "units": "berta", "measure": "worth", "band": (1, 2)}
    place.claims(claim("one", **units), duel("two"), claim("three", **units))
    told = place.run().stderr.splitlines()
    assert [line.split(": ")[1] for line in told] == ["claims.one", "claims.three"]


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("forumini", claim("x", kind="pairs", band=(0.4, 0.6)), "claims.x.kind: found 'pairs', expected another"),
        (
            "forumini",
            claim("x", kind="unit", measure="worth", band=(1, 2)),
            "claims.x.measure: found 'worth', expected",
        ),
        (
            "forumini",
            claim("x", kind="unit", measure="worth_to_price", band=(1, 2)),
            "claims.x.measure: found 'worth_to_price', expected",
        ),
        (
            "forumini",
            battle(),
            "claims.one.kind: found 'battle', expected another: what is modelled of Forumini Armies",
        ),
        ("chess", duel(), "game: found 'chess'"),
    ],
)
def test_gate__refuses_what_the_game_has_not(place: Place, game: str, text: str, message: str) -> None:
    place.claims(text, game=game)
    ran = place.run()
    assert ran.exit_code == 2
    assert message in ran.stderr


def test_gate__file_that_isnt_there_or_no_toml(place: Place) -> None:
    ran = place.run()
    assert (ran.exit_code, "found no file" in ran.stderr, "armored_advance" in ran.stderr) == (2, True, True)
    place.gate.write_text("title = \n")
    ran = place.run()
    assert ran.stderr.startswith(f"{place.gate}:1: not TOML")


def test_gate__of_another_game_than_asked_for(place: Place) -> None:
    place.claims(duel())
    ran = place.run("--game", "forumini")
    assert ran.exit_code == 2
    assert "game: found 'armored_advance', expected 'forumini'" in ran.stderr


def test_gate__without_a_file_is_that_of_the_game(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["gate", "--cards", str(tmp_path)])
    assert (ran.exit_code, ran.stderr) == (
        2,
        f"error: cards: found no TOML file in {tmp_path}, expected unit cards there\n",
    )


# --- the accepted baseline --------------------------------------------------------------------------------------

DRIFTS = (
    claim("worth", kind="baseline", measure="worth", band=(-0.05, 0.05)),
    claim("duels", kind="baseline", measure="duels", band=(-0.03, 0.03)),
)


def test_baseline__counts_the_numbers_that_there_are(place: Place) -> None:
    place.cards(anna={})
    place.claims(*DRIFTS)
    said = {line.rpartition("/")[2] for line in place.run("--update-baseline").stdout.splitlines()}
    assert said == {"worth.csv: 0 numbers", "duels.csv: 0 numbers"}, "one unit meets nobody"


def test_baseline__accepted_is_held_until_a_card_changes(place: Place) -> None:
    place.cards(**TWINS, clara={})
    place.claims(*DRIFTS)
    assert place.run().exit_code == 2
    assert place.run("--update-baseline").exit_code == 0
    assert sorted(path.name for path in (place.folder / "baseline" / "mine").iterdir()) == ["duels.csv", "worth.csv"]
    held = place.judged()
    assert {one["verdict"] for one in held.values()} == {HOLDS}
    assert (held["worth"]["cases"], held["duels"]["cases"]) == (3, 6)
    changed = place.judged("--set", "anna.armor.front=30", "--set", "anna.armor.side=30", "--set", "anna.armor.rear=30")
    # Nobody hurts Anna: her two duels go from 1/2 to 1 both ways, and she has no worth any more.
    assert (changed["duels"]["verdict"], changed["duels"]["cases_outside"]) == (BROKEN, 4)
    assert {round(abs(one["value"]), 12) for one in changed["duels"]["outside"]} == {0.5}
    assert changed["worth"]["note"] == "1 unit gone (anna)"


def test_baseline__keeps_six_digits_of_a_worth_and_four_decimals_of_a_chance() -> None:
    assert baseline._table("worth", {("anna",): 123.4567}).splitlines() == ["unit,worth", "anna,123.457"]
    assert baseline._table("score", {("anna",): 0.123456}).splitlines() == ["unit,score", "anna,0.1235"]


def test_baseline__that_is_missing_is_said_and_the_other_claims_are_judged(place: Place) -> None:
    place.claims(*DRIFTS, duel("good"))
    place.run("--update-baseline")
    (place.folder / "baseline" / "mine" / "worth.csv").unlink()
    junit, markdown = place.folder / "gate.xml", place.folder / "gate.md"
    ran = place.run("--junit", junit, "--markdown", markdown, "--github")
    assert ran.exit_code == 2
    assert "| not judged | Claim worth |  |  | -5.0 % to +5.0 % |" in markdown.read_text().splitlines()
    path = place.folder / "baseline" / "mine" / "worth.csv"
    [line] = ran.stderr.splitlines()
    hint = "`aabalance gate --update-baseline`, with the same SPEC, --cards and --baseline, "
    assert line.startswith(f"error: baseline: found no file {path}; {hint}")
    assert [row.split("  ")[0] for row in ran.stdout.splitlines()[2:5]] == ["not judged", "holds", "holds"]
    assert "3 claims, 2 hold, 1 not judged; the gate fails" in ran.stdout
    assert "::there are no accepted numbers" not in ran.stdout
    assert re.search(
        r"^::error file=[^,]*mine.gate.toml,line=4,.*::Claim worth: there are no accepted", ran.stdout, re.M
    )
    root = ElementTree.parse(junit).getroot()
    assert [root.get(name) for name in ("tests", "failures", "skipped", "errors")] == ["3", "0", "0", "1"]
    assert [case.get("name") for case in root.iter("testcase") if case.find("error") is not None] == [
        "worth: Claim worth"
    ]
    as_json = json.loads(place.run("--json").stdout)
    assert (as_json["passed"], as_json["claims"][0]["verdict"], as_json["claims"][0]["value"]) == (
        False,
        "not judged",
        None,
    )
    assert not {"cards", "variant"} & as_json.keys(), "the provenance has them"
    # What was judged, and is broken, says more than what is missing.
    place.claims(*DRIFTS, duel("bad", band=(0.6, 0.9)))
    assert place.run().exit_code == 1


def test_baseline__a_worth_without_end_that_has_one_now_fell_without_end(place: Place) -> None:
    place.claims(*DRIFTS)
    gate, game = place.read()
    accepted = {"worth": {("anna",): math.inf, ("berta",): 25.0}}  # twins at 50 are worth that
    found = cases.of(gate.claims["worth"], Evidence(game), accepted).cases
    assert [(one.units, one.value) for one in found] == [(("anna",), -math.inf), (("berta",), pytest.approx(1))]


def test_baseline__new_units_are_told_and_fail_nothing(place: Place) -> None:
    place.claims(*DRIFTS)
    assert place.run("--update-baseline").exit_code == 0
    place.cards(**TWINS, clara={})
    assert place.judged()["duels"]["note"] == "1 unit not accepted yet (clara)"
    assert place.run().exit_code == 0


def test_baseline__of_a_unit_without_a_number_is_empty_and_its_first_one_is_not_accepted_yet(place: Place) -> None:
    place.cards(**TWINS, clara={"gun": 0})  # hurts nobody
    place.claims(*DRIFTS)
    place.run("--update-baseline")
    folder = place.folder / "baseline" / "mine"
    assert (folder / "worth.csv").read_text().splitlines()[-1] == "clara,"
    assert (folder / "duels.csv").read_text().splitlines()[2] == "anna,,0.5000,1.0000"  # nobody meets herself
    place.cards(**TWINS, clara={})
    assert place.judged()["worth"]["note"] == "1 unit not accepted yet (clara)"


def test_baseline__in_another_folder(place: Place, tmp_path: Path) -> None:
    place.claims(DRIFTS[1])
    other = tmp_path / "elsewhere"
    assert place.run("--update-baseline", "--baseline", other).exit_code == 0
    assert [path.name for path in other.iterdir()] == ["duels.csv"]
    assert not (tmp_path / "baseline").exists()
    assert place.run("--baseline", other).exit_code == 0
    assert place.run().exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (f'"aabalance": "{aab.__version__}"', '"aabalance": "0.0.9"', 1, "found numbers of aabalance 0.0.9, expected"),
        (f'"aabalance": "{aab.__version__}"', '"aabalance": "99.0"', 1, "found numbers of aabalance 99.0, expected"),
        ('"game": "Armored Advance"', '"game": "Chess"', 1, "found numbers of Chess, expected Armored Advance"),
        ("# {", "{{", 1, "found no line that says where the numbers come from"),
        ("# {", "# " + "[" * 10**5, 1, "found no line that says where the numbers come from"),
        ("unit,anna", "unit,berta", 2, "found other columns than expected"),
        ("0.5000", "half", 3, "found 'half', expected a finite number"),
        ("0.5000", "0.5,0.5", 3, "found 4 values, expected 3"),
        ("0.5000", "nan", 3, "found 'nan', expected a finite number"),
        ("0.5000", "1e999", 3, "found '1e999', expected a finite number"),
        ("berta", "anna", 4, "found anna a second time, expected each unit once"),
        ("0.5000", "0.5\r000", 2, "found no CSV, expected accepted numbers"),
        ("0.5000", "1" * 140_000, 2, "found no CSV, expected accepted numbers"),
    ],
)
def test_baseline__of_another_version_or_shape_is_one_clear_error(
    place: Place, old: str, new: str, line: int, message: str
) -> None:
    place.claims(DRIFTS[1])
    place.run("--update-baseline")
    path = place.folder / "baseline" / "mine" / "duels.csv"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    ran = place.run()
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"{path}:{line}: {message}"), ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with a name there")
def test_baseline__a_pipe_is_not_waited_for(place: Place) -> None:
    place.claims(DRIFTS[1])
    place.run("--update-baseline")
    path = place.folder / "baseline" / "mine" / "duels.csv"
    path.unlink()
    os.mkfifo(path)
    ran = place.run()
    assert ran.stderr.startswith(f"{path}:1: found a folder, a pipe or a device, expected a CSV of accepted numbers")


def test_baseline__that_cant_be_written_leaves_the_former_one_whole(place: Place) -> None:
    place.claims(*DRIFTS)
    place.run("--update-baseline")
    folder = place.folder / "baseline" / "mine"
    before = (folder / "duels.csv").read_bytes()
    (folder / "worth.csv").unlink()
    (folder / "worth.csv").mkdir()
    place.cards(anna={"hp": 50}, berta={})
    ran = place.run("--update-baseline")
    assert ran.exit_code == 2
    assert "worth.csv: can't be written" in ran.stderr
    assert (folder / "duels.csv").read_bytes() == before


def test_baseline__of_a_what_if_is_not_accepted(place: Place) -> None:
    place.claims(*DRIFTS)
    ran = place.run("--update-baseline", "--set", "anna.hp=50")
    assert (ran.exit_code, "--set: found a what-if" in ran.stderr) == (2, True)
    assert not (place.folder / "baseline").exists()


@pytest.mark.parametrize("asked", ["--undecided fail", "--junit gate.xml", "--markdown gate.md", "--github", "--json"])
def test_baseline__that_is_accepted_comes_without_verdicts(place: Place, asked: str) -> None:
    place.claims(*DRIFTS)
    ran = place.run("--update-baseline", *asked.split())
    said = f"error: {asked.split()[0]}: found it with --update-baseline, which judges nothing, expected one of them\n"
    assert (ran.exit_code, ran.stderr) == (2, said)
    assert not (place.folder / "baseline").exists()


def test_baseline__needs_a_claim_to_update(place: Place) -> None:
    place.claims(duel())
    ran = place.run("--update-baseline")
    assert (ran.exit_code, "found no claim of kind 'baseline'" in ran.stderr) == (2, True)


# --- outputs ----------------------------------------------------------------------------------------------------


def test_junit__parses_and_counts(place: Place) -> None:
    place.claims(
        duel("good"),
        duel("bad", band=(0.6, 0.9), says='"Anna" & <Berta>\ufffe'),
        duel("old", band=(0.6, 0.9), known="the die is fair"),
    )
    out = place.folder / "gate.xml"
    assert place.run("--junit", out).exit_code == 1
    root = ElementTree.parse(out).getroot()
    assert {name: root.get(name) for name in ("tests", "failures", "skipped", "errors")} == {
        "tests": "3",
        "failures": "1",
        "skipped": "1",
        "errors": "0",
    }
    (suite,) = root
    found = {case.get("name", "").partition(":")[0]: case for case in suite.iter("testcase")}
    assert found["bad"].get("name") == 'bad: "Anna" & <Berta>?'
    assert [child.tag for name in ("good", "bad", "old") for child in found[name]] == ["failure", "skipped"]
    skipped = found["old"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "the die is fair"
    failure = found["bad"].find("failure")
    assert failure is not None
    assert failure.get("message") == "found 0.500, wanted 0.600 to 0.900"
    line = int(found["bad"].get("line", "0"))
    assert place.gate.read_text().splitlines()[line - 1] == "[claims.bad]"


@pytest.mark.parametrize(
    ("band", "said"),
    [
        ((0.50002, 0.9), "found 0.50000, wanted 0.50002 to 0.90000"),
        ((0.0, 0.4999), "found 0.5000, wanted 0.0000 to 0.4999"),
        ((0.6, 0.9), "found 0.500, wanted 0.600 to 0.900"),
    ],
)
def test_outputs__a_number_hardly_out_of_the_band_reads_otherwise_than_its_end(
    place: Place, band: tuple[float, float], said: str
) -> None:
    place.claims(duel(band=band))
    ran = place.run("--junit", place.folder / "gate.xml")
    [failure] = ElementTree.parse(place.folder / "gate.xml").getroot().iter("failure")
    assert failure.get("message") == said
    assert said.removeprefix("found ") in ran.stdout


@pytest.mark.parametrize(
    ("kind", "more", "fights"),
    [
        (BattleClaim, {"kind": "battle", "situation": {}}, "battles rolled"),
        (MatchClaim, {"kind": "match", "board": "x"}, "matches played by greedy"),
        (MatchClaim, {"kind": "match", "board": "x", "player_b": "random"}, "matches played by greedy v random"),
    ],
)
def test_outputs__say_what_was_rolled_or_played(kind: Any, more: dict[str, Any], fights: str) -> None:
    one = kind.model_validate({"says": "s", "because": "b", "a": "a", "b": "b", "band": (0.4, 0.6)} | more)
    said = outputs._sentence(Judged("one", one, HOLDS, 0.5, 0.45, 0.55, 1, (), "monte_carlo", 104))
    assert said == f"found 0.500 [0.450, 0.550], wanted 0.400 to 0.600; 104 {fights}"


def test_outputs__a_change_of_next_to_nothing_downwards_reads_otherwise_than_none() -> None:
    claim = BaselineClaim(kind="baseline", says="a", because="b", measure="worth", band=(0.0, 0.2))
    judged = Judged("a", claim, BROKEN, -0.0004, -0.0004, -0.0004, 1, ())
    assert [outputs._number(judged, value) for value in (-0.0004, 0.0)] == ["-0.04 %", "+0.00 %"]


def test_outputs__json_counts_all_numbers_outside_and_lists_a_hundred(place: Place) -> None:
    place.cards(**{name: {} for name in "abcdefghijk"})
    place.claims(duel(a="all", b="all", band=(0.6, 0.9)))  # 11 twins, each against 10 others: all duels are even
    one = place.judged()["one"]
    assert (one["cases"], one["cases_outside"], len(one["outside"])) == (110, 110, 100)


def test_outputs__the_number_nearest_to_the_band_reads_otherwise_than_its_end(place: Place) -> None:
    place.cards(**TWINS, clara={"armor": 30})  # hurt by nobody: of six duels two are even, two won, two lost
    place.claims(duel(a="all", b="all", band=(0.0, 0.4999)))
    out = place.folder / "gate.md"
    place.run("--markdown", out)
    assert "- found: 2 of 6 (33.3 %), wanted all in 0.0000 to 0.4999" in out.read_text().splitlines()


def test_outputs__json_says_what_a_value_is(place: Place) -> None:
    every: dict[str, Any] = {"a": "all", "b": "all"}
    place.claims(duel("one"), duel("mean", mean=True, **every), duel("each", **every))
    assert {name: one["value_is"] for name, one in place.judged().items()} == {
        "one": "the number",
        "mean": "mean of cases",
        "each": "share of cases in the band",
    }


def test_outputs__name_five_numbers_outside_and_count_the_others(place: Place) -> None:
    place.cards(**{name: {} for name in "abc"})
    place.claims(duel(a="all", b="all", band=(0.6, 0.9), share=0.5))
    out = place.folder / "gate.md"
    place.run("--markdown", out)
    lines = out.read_text().splitlines()
    outside = [line for line in lines if line.startswith("- outside: ")]
    assert (len(outside), outside[-1]) == (6, "- outside: and 1 more")  # three twins, each against two others
    assert "- found: 0 of 6 (0 %), wanted 50 % in 0.600 to 0.900" in lines


def test_outputs__many_numbers_hardly_out_of_the_band_do_so_too(place: Place) -> None:
    place.claims(duel(a=("anna", "berta"), b=("anna", "berta"), band=(0.5001, 0.9)))
    assert "0 of 2 (0 %)            all in 0.5001 to 0.9000" in place.run().stdout


def test_markdown__of_many_numbers_says_how_many_are_in_the_band(place: Place) -> None:
    every: dict[str, Any] = {"a": "all", "b": "all"}
    place.claims(duel("none", band=(0.6, 0.9), **every), duel("each", band=(0.4, 0.6), **every))
    out = place.folder / "gate.md"
    place.run("--markdown", out)
    found = [line.split(" | ")[2] for line in out.read_text().splitlines() if line.startswith("| ")][2:]
    assert sorted(found) == ["0 of 2 (0 %)", "2 of 2 (100 %)"]


@pytest.mark.parametrize(
    ("share", "said"),
    [(1, "100 %"), (0.9999, "99.9 %"), (0.5, "50 %"), (0.97744, "97.7 %"), (1 / 16, "6.3 %"), (0.00001, "0 %")],
)
def test_outputs__nearly_all_are_not_all(share: float, said: str) -> None:
    assert outputs._percent(share) == said


def test_markdown__has_a_row_a_claim_and_tells_what_is_broken_first(place: Place) -> None:
    place.claims(duel("good"), duel("bad", band=(0.6, 0.9), says="Anna | Berta"))
    out = place.folder / "gate.md"
    assert place.run("--markdown", out).exit_code == 1
    lines = out.read_text().splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert rows[2] == "| broken | Anna \\| Berta | 0.500 |  | 0.600 to 0.900 |"
    assert "- found: 0.500, wanted 0.600 to 0.900" in lines
    assert rows[3].startswith("| holds | Claim good |")
    assert "- because: it should" in lines


def told_of(place: Place, undecided: str, *verdicts: tuple[str, str, str | None]) -> outputs.Run:
    """A gate of claims on one number each: their ids, their verdicts, and why they are known to be broken."""
    place.claims(*(duel(name, **({"known": known} if known else {})) for name, _, known in verdicts))
    gate, game = place.read()
    judged = [Judged(name, gate.claims[name], said, 0.5, 0.4, 0.6, 1, ()) for name, said, _ in verdicts]
    return outputs.Run(gate, game, judged, undecided, 0)


def test_outputs__what_a_reader_has_to_see_comes_first(place: Place) -> None:
    verdicts = [
        ("fine", HOLDS, None),
        ("old", BROKEN, "why"),
        ("again", HOLDS, "why"),
        ("open", UNDECIDED, None),
        ("unsure", UNDECIDED, "why"),
        ("blind", UNJUDGED, None),
        ("bad", BROKEN, None),
    ]
    run = told_of(place, "pass", *verdicts)
    assert [(one.id, one.status) for one in outputs.told(run)] == [
        ("bad", "broken"),
        ("blind", "not judged"),
        ("open", "undecided"),
        ("unsure", "undecided"),  # nobody knows yet whether it holds again
        ("again", "holds again"),
        ("old", "known"),
    ]
    assert run.summary == (
        "Mine: 7 claims, 1 holds, 1 broken, 1 not judged, 2 undecided, 1 holds again, 1 known; the gate fails"
    )


@pytest.mark.parametrize(
    ("undecided", "tag", "kind", "words"),
    [("pass", "skipped", "warning", "passes"), ("fail", "failure", "error", "fails")],
)
def test_outputs__an_undecided_claim_warns_unless_it_has_to_fail(
    place: Place, undecided: str, tag: str, kind: str, words: str
) -> None:
    run = told_of(place, undecided, ("open", UNDECIDED, None))
    [case] = ElementTree.fromstring(outputs.junit(run).partition("\n")[2]).iter("testcase")
    assert [child.tag for child in case] == [tag]
    assert case[0].get("message") == "found 0.500 [0.400, 0.600], wanted 0.000 to 1.000"
    assert [line.split()[0] for line in outputs.github(run)] == [f"::{kind}"]
    assert run.summary == f"Mine: 1 claim, 1 undecided; the gate {words}"


def test_outputs__json_has_no_number_without_end(place: Place) -> None:
    clones(place)
    place.claims(claim("worth", kind="unit", units="dora", measure="worth", band=(0.0, 1000.0)))
    place.gate.write_text(place.gate.read_text().replace("1000.0]", "inf]"))
    assert "Infinity" not in place.run("--json").stdout
    assert place.judged()["worth"]["band"] == [0.0, None]


def test_markdown__a_worth_is_in_requisition_and_its_share_of_a_price_is_none_in_percent(place: Place) -> None:
    clones(place)
    dora: dict[str, Any] = {"kind": "unit", "units": "dora"}
    place.claims(
        claim("worth", measure="worth", band=(40, 60), **dora),
        claim("ratio", measure="worth_to_price", band=(0.4, 0.6), **dora),
    )
    out = place.folder / "gate.md"
    place.run("--markdown", out)
    lines = out.read_text().splitlines()
    assert "| holds | Claim worth | 50.0 |  | 40.0 to 60.0 |" in lines
    assert "| holds | Claim ratio | 0.500 |  | 0.400 to 0.600 |" in lines


def test_outputs__are_written_all_or_none(place: Place) -> None:
    place.claims(duel())
    junit, markdown = place.folder / "gate.xml", place.folder / "gate.md"
    junit.write_text("former")
    markdown.mkdir()
    ran = place.run("--junit", junit, "--markdown", markdown)
    assert (ran.exit_code, junit.read_text()) == (2, "former")
    same = place.run("--junit", junit, "--markdown", junit)
    assert (same.exit_code, junit.read_text()) == (2, "former")


def annotated(ran: Any) -> list[tuple[str, str, int, str]]:
    """Kind, file, line and text of each annotation."""
    found = re.findall(r"^::(error|warning|notice) file=([^,]*),line=(\d+),title=[^:]*::(.*)$", ran.stdout, re.M)
    return [(kind, file, int(line), text) for kind, file, line, text in found]


def test_github__points_at_the_card_that_is_out_of_the_band(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    place.claims(duel("bad", a="berta", b="anna", band=(0.6, 0.9), says="100 %, I say:"))
    [(kind, file, line, text)] = annotated(place.run("--github"))
    assert (kind, file) == ("error", "cards/some.toml")
    assert (place.folder / file).read_text().splitlines()[line - 1] == "[berta]"
    assert text.startswith('100 %25, I say:: Berta v Anna, 18", front: 0.500; wanted 0.600 to 0.900')


def test_github__tells_of_a_card_what_is_farthest_out_of_the_band(place: Place) -> None:
    place.cards(**TWINS, clara={"armor": 30})  # hurt by nobody
    place.claims(duel("bad", a="anna", b=("berta", "clara"), band=(0.6, 0.9)))
    [(_, _, _, text)] = annotated(place.run("--github"))
    assert text.startswith('Claim bad: Anna v Clara, 18", front: 0.000; wanted all in 0.600 to 0.900')


def test_terminal__has_the_places_that_the_annotations_point_at(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    both = {"a": ("anna", "berta"), "b": ("anna", "berta"), "band": (0.6, 0.9)}
    place.claims(duel("one", **both), duel("known", **both, known="the die is fair"), duel("mean", mean=True, **both))
    ran = place.run("--github")
    blocks = {head: block for head, block in re.findall(r"^\w+: Claim (\w+) .*\n((?:    .*\n)*)", ran.stdout, re.M)}
    lines = place.folder.joinpath("cards", "some.toml").read_text().splitlines()
    berta, anna = (lines.index(f"[{unit}]") + 1 for unit in ("berta", "anna"))
    found = {name: re.findall(r"\S+\.toml:\d+", block) for name, block in blocks.items()}
    claim_line = place.gate.read_text().splitlines().index("[claims.mean]") + 1
    assert found == {
        "one": [f"cards/some.toml:{anna}", f"cards/some.toml:{berta}"],
        "mean": [f"mine.gate.toml:{claim_line}"],
        "known": [],
    }
    annotations = {f"{file}:{line}" for _, file, line, _ in annotated(ran)}
    assert annotations == {*found["one"], *found["mean"]}


def test_github__points_at_the_claim_where_no_card_is_at_fault(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    place.claims(duel("bad", a="all", b="all", mean=True, band=(0.6, 0.9)))
    [(kind, file, line, _)] = annotated(place.run("--github"))
    assert (kind, file) == ("error", "mine.gate.toml")
    assert place.gate.read_text().splitlines()[line - 1] == "[claims.bad]"
    what_if = duel("bad", band=(0.6, 0.9))
    place.claims(what_if)
    [(_, file, _, _)] = annotated(place.run("--github", "--set", "anna.hp=11"))
    assert file == "mine.gate.toml"  # a what-if stands in no file
    place.cards(anna={}, berta={}, clara={"hp": 60})
    place.claims(battle("two", band=(0.6, 0.9)), battle("three", a="anna,clara", band=(0.0, 0.1)))
    files = {text.partition(":")[0]: file for _, file, _, text in annotated(place.run("--github"))}
    assert files == {"Claim two": "cards/some.toml", "Claim three": "mine.gate.toml"}


def test_github__no_name_is_a_command(place: Place) -> None:
    place.cards(anna={"name": "::stop-commands::pwn"}, berta={"name": "##[error]forged"})
    place.claims(duel("bad", a="all", b="all", band=(0.6, 0.9)))
    lines = place.run("--github").stdout.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    again = lines.index(f"::{token}::")
    assert (len(token), len(lines[again + 1 :])) == (64, 2)
    assert all(line.startswith("::error file=") for line in lines[again + 1 :])
    assert any("  ::stop-commands::pwn" in line for line in lines[1:again])


@pytest.mark.parametrize(
    ("band", "expected"), [("[-inf, inf]", "shares up to 1: "), ("[nan, 0.5]", "the smaller number first")]
)
def test_gate__a_band_without_ends_is_in_order_and_one_of_no_number_is_not(
    place: Place, band: str, expected: str
) -> None:
    place.claims(duel())
    place.gate.write_text(place.gate.read_text().replace("[0.0, 1.0]", band))
    assert f"claims.one.band: found {band}, expected {expected}" in place.run().output


def test_gate__an_id_that_would_begin_a_line_is_refused(place: Place) -> None:
    place.claims(duel())
    place.gate.write_text(place.gate.read_text().replace("[claims.one]", '[claims."x\\n::error::y"]'))
    assert "found 'x\\n::error::y', expected letters, digits, _ and -" in place.run().output


def test_github__a_group_is_no_card(place: Place) -> None:
    clones(place)
    place.claims(claim("nations", kind="group", by="nation", band=(0.5, 0.5)))
    [(kind, file, line, _)] = annotated(place.run("--github"))
    assert (kind, Path(file).name) == ("error", "mine.gate.toml")
    assert place.gate.read_text().splitlines()[line - 1] == "[claims.nations]"


def test_github__points_at_the_card_that_drifted_and_not_at_all_it_meets(place: Place) -> None:
    place.cards(**TWINS, clara={}, dora={})
    place.claims(DRIFTS[1])
    place.run("--update-baseline")
    place.cards(**TWINS, clara={"hp": 60}, dora={})
    [(kind, file, line, _)] = annotated(place.run("--github"))
    assert (kind, Path(file).read_text().splitlines()[line - 1]) == ("error", "[clara]")


def test_github__ten_of_a_kind_at_most_and_each_claim_in_turn(place: Place) -> None:
    place.cards(**{f"unit{n}": {} for n in range(14)})
    every: dict[str, Any] = {"a": "all", "b": "all", "band": (0.6, 0.9)}
    again = [duel(f"again{n}", a="unit1", b="unit2", known="yes", band=(0.4, 0.6)) for n in range(11)]
    place.claims(*(duel(name, **every) for name in ("one", "two", "three")), duel("old", known="yes", **every), *again)
    found = annotated(place.run("--github"))
    assert [kind for kind, *_ in found] == ["error"] * 10 + ["notice"] * 10
    assert [text.partition(":")[0] for _, _, _, text in found[:4]] == [
        "Claim one",
        "Claim two",
        "Claim three",
        "Claim one",
    ]
    assert {text.partition(":")[0] for kind, _, _, text in found if kind == "notice"} == {
        f"Claim again{n}" for n in range(10)
    }


# --- the sequential test ----------------------------------------------------------------------------------------


def test_bets__are_made_before_the_number_is_seen() -> None:
    x = np.random.default_rng(1).random(50)
    other = x.copy()
    other[30:] = 1 - other[30:]
    np.testing.assert_array_equal(bets(x, 0.05)[:31], bets(other, 0.05)[:31])
    assert bets(x, 0.05)[31] != bets(other, 0.05)[31]


def test_interval__of_two_ones_by_hand() -> None:
    # The first bet is sqrt(2 log 40 / (1/4 log 2)). After a one the mean is 3/4 and the variance (1/4 + 1/16) / 2,
    # which gives the second. Neither is cut, as 3/4 over m is more; the fortune reaches 2 / alpha = 40 where it ends.
    first = math.sqrt(2 * math.log(40) / (0.25 * math.log(2)))
    second = math.sqrt(2 * math.log(40) / (0.15625 * 2 * math.log(3)))
    gain = max(np.roots([first * second, first + second, 1 - 40]).real)  # 1 - m
    low, high = interval(np.ones(2), 0.05)
    assert first < 0.75 / low
    assert (low, high) == (pytest.approx(1 - gain, abs=1e-9), 1.0)


def test_interval__no_bet_can_lose_more_than_three_quarters() -> None:
    # All numbers are 0, and all bets are above the cut, 3/4 over 1 - m at the upper end: each wins 3/4 m / (1 - m) of
    # the fortune, and (1 + 3/4 m / (1 - m))^3 is 40 at that end.
    x = np.zeros(3)
    _, high = interval(x, 0.05)
    odds = (40 ** (1 / 3) - 1) / 0.75
    assert (bets(x, 0.05) > 0.75 / (1 - high)).all()
    assert high == pytest.approx(odds / (1 + odds), abs=1e-9)


def test_above__a_fortune_that_was_high_enough_once_still_tells() -> None:
    x = np.array([1.0] * 8 + [0.0] * 40)
    bet = np.full(len(x), 0.75)
    # At m = 1/2 each one wins 3/8 of the fortune, 1.375^8 = 12.8, and each zero loses it: at the end it is next to 0.
    assert above(x, bet, 0.5, 2 / 12.7)
    assert not above(x, bet, 0.5, 2 / 12.9)
    # Every mean is above what is below 0, none above 1.
    assert above(x, bet, -0.1, 0.05)
    assert not above(x, bet, 1.0, 0.05)


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find an interval's ends to 2e-5, never too narrow by that: most of the time of a test goes into their digits."""
    monkeypatch.setattr(sequential, "STEPS", 16)


BOUND = 0.3
ENDS = ((0.0, BOUND), (BOUND, 1.0))


def coins(seed: int, number: int) -> Any:
    """Means of 16 throws each of a coin that shows heads in exactly `BOUND`."""
    return np.random.default_rng(seed).binomial(16, BOUND, number) / 16


@pytest.mark.slow
@pytest.mark.parametrize("band", ENDS)
def test_decide__rejects_a_true_claim_at_its_bound_in_no_more_than_the_stated_share(
    coarse: None, band: tuple[float, float]
) -> None:
    # Looked at again and again up to 400 numbers, 1000 times. A test of one end may reject alpha / 2 of them.
    alpha, runs = 0.2, 1000
    rejected = missed = 0
    for seed in range(runs):
        x = coins(seed, 400)
        found = decide(lambda at, count, x=x: x[at : at + count], band, alpha, 400)
        rejected += found.verdict == BROKEN
        missed += not found.low <= BOUND <= found.high
    for count, stated in ((rejected, alpha / 2), (missed, alpha)):
        low, high = stats.binomtest(count, runs).proportion_ci(0.99)
        assert high < stated, (count, low, high)
    assert rejected > 0  # it can fail


@pytest.mark.slow
def test_decide__of_many_true_claims_at_their_bounds_any_is_rejected_in_no_more_than_the_stated_share(
    coarse: None,
) -> None:
    # Eight claims at once, half of them at either end of their bands, up to 200 numbers each, 80 times.
    alpha, claims, runs = 0.2, 8, 80
    shares = {alpha / claims: 0, alpha: 0}
    for seed in range(runs):
        for each in shares:
            shares[each] += any(
                decide(lambda at, count, x=x: x[at : at + count], band, each, 200).verdict == BROKEN
                for x, band in ((coins(seed * claims + n, 200), ENDS[n % 2]) for n in range(claims))
            )
    shared_out, one_by_one = shares.values()
    low, high = stats.binomtest(shared_out, runs).proportion_ci(0.99)
    assert high < alpha, (shared_out, low, high)
    assert one_by_one / runs > alpha, "why alpha is shared out"


def test_decide__a_fixed_test_that_is_looked_at_as_often_would_reject_far_more() -> None:
    # Why not an ordinary interval: the usual one at every look, of the same numbers.
    z, wrong = stats.norm.ppf(0.9), 0
    for seed in range(300):
        x = coins(seed, 400)
        n = np.arange(1, 401)
        mean = x.cumsum() / n
        error = np.sqrt(BOUND * (1 - BOUND) / 16 / n)
        wrong += bool((mean - BOUND > z * error)[8:].any())
    assert wrong / 300 > 0.2


@pytest.mark.parametrize(("band", "verdict"), [((0.0, 0.28), BROKEN), ((0.32, 1.0), BROKEN), ((0.28, 0.32), HOLDS)])
def test_decide__finds_what_is_off_by_two_points_within_the_limit(band: tuple[float, float], verdict: str) -> None:
    for seed in range(20):
        x = coins(seed, 1250)  # 40000 battles
        assert decide(lambda at, count, x=x: x[at : at + count], band, 0.05, 1250).verdict == verdict


def test_tested__counts_fights_and_never_has_more_than_the_most() -> None:
    asked = [0]

    def even(at: int, count: int) -> Any:
        asked[0] = max(asked[0], at + count)
        return np.full(count, 0.5), np.full(count, 0.5)

    # A number is of 32 fights, so that 100 are enough for three; these can't tell 0.5 from anything.
    found = cases.tested(even, ("score", (0.5, 0.5), 0.05), 100, 32)
    assert (found.verdict, found.mean, found.n, asked[0]) == (UNDECIDED, 0.5, 96, 3)
    # Ten are eight for the first look, and the two that are left.
    assert (cases.tested(even, ("score", (0.5, 0.5), 0.05), 350, 32).n, asked[0]) == (320, 10)
    # Fewer than a number takes are one all the same: without any nothing could be said.
    assert cases.tested(even, ("score", (0.5, 0.5), 0.05), 20, 32).n == 32


@pytest.mark.parametrize(("first", "second"), [(0.9, 0.3), (0.3, 0.9)])
def test_tested__the_gap_is_what_moving_first_adds_from_minus_one_to_one(first: float, second: float) -> None:
    gap = first - second
    asked = "first_turn_gap", (gap - 0.2, gap + 0.2), 0.05
    found = cases.tested(lambda at, count: (np.full(count, first), np.full(count, second)), asked, 40_000, 32)  # type: ignore[arg-type]
    assert (found.verdict, found.mean) == (HOLDS, pytest.approx(gap))
    assert gap - 0.2 < found.low < gap < found.high < gap + 0.2


@pytest.mark.parametrize(("number", "band"), [(0.0, (0.0, 0.5)), (1.0, (0.5, 1.0))])
def test_decide__a_band_to_an_end_holds_for_numbers_that_are_all_at_this_end(
    number: float, band: tuple[float, float]
) -> None:
    # Numbers of a mean beyond 0 or 1 there are none, so that nothing has to be shown at this end of the band.
    found = decide(lambda at, count: np.full(count, number), band, 0.05, 1000)
    assert (found.verdict, found.mean) == (HOLDS, number)


def test_decide__stops_at_the_most_and_says_so() -> None:
    x = coins(5, 100)
    found = decide(lambda at, count: x[at : at + count], (0.0, BOUND + 0.001), 0.05, 100)
    assert (found.verdict, found.n, found.mean) == (UNDECIDED, 100, pytest.approx(x.mean()))


def solved_battle(seed: int) -> Any:
    """A small battle of different tanks on either side, with a seed of its dice."""
    given = {
        "says": "x",
        "because": "y",
        "kind": "battle",
        "a": "de_pz4h,us_m24",
        "b": "us_m4a1,su_t34_41",
        "actions": 2,
    }
    given |= {"situation": {"range_in": 18}, "band": (0, 1)}
    return solved(BattleClaim.model_validate(given), Evidence(aab.Game(), seed))


@pytest.mark.slow
def test_roll__a_battle_that_is_solved_too_is_rejected_at_its_exact_value_no_more_often_than_stated() -> None:
    exact = {measure: cases.number_of(solved_battle(0), measure) for measure in ("score", "first_turn_gap")}
    alpha, runs = 0.2, 60
    for measure, value in exact.items():
        wrong, ends = 0, {"upper": 0, "lower": 0}
        for seed in range(runs):
            # A band of one point has its bound at both ends: broken if the test of either says so.
            found = cases.roll(solved_battle(seed), measure, (value, value), alpha, 1600)  # type: ignore[arg-type]
            wrong += found.verdict == BROKEN
            ends["upper"] += found.low > value
            ends["lower"] += found.high < value
        assert stats.binomtest(wrong, runs, alpha, alternative="greater").pvalue > 0.01, (measure, wrong)
        for end, count in ends.items():
            assert stats.binomtest(count, runs, alpha / 2, alternative="greater").pvalue > 0.01, (measure, end, count)


@pytest.mark.slow
def test_roll__a_battle_whose_bound_is_off_by_five_points_is_found_out() -> None:
    value = cases.number_of(solved_battle(0), "score")
    for seed in range(5):
        found = cases.roll(solved_battle(seed), "score", (0.0, value - 0.05), 0.05, 40_000)
        assert found.verdict == BROKEN
        assert found.n < 40_000


def test_roll__both_seats_play_the_same_dice() -> None:
    # Seen from the other seat, and with the same dice, twins exchange their fortunes: the mean of a pair is even.
    given = {"says": "x", "because": "y", "kind": "battle", "a": "de_pz4h*2", "b": "de_pz4h*2", "actions": 2}
    given |= {"situation": {"range_in": 18}, "band": (0.4, 0.6)}
    result = solved(BattleClaim.model_validate(given), Evidence(aab.Game()))
    found = cases.roll(result, "score", (0.45, 0.55), 0.05, 3200)
    assert (found.mean, found.verdict) == (0.5, HOLDS)
    # In one round nobody is destroyed, and a draw is half a battle. A number is of 32 battles, of which 1000 have 31.
    short = solved(BattleClaim.model_validate(given | {"rounds": 1}), Evidence(aab.Game()))
    found = cases.roll(short, "score", (0.5, 0.5), 0.05, 1000)
    assert (found.mean, found.n) == (0.5, 992)
    assert (found.low, found.high) == interval(np.full(31, 0.5), 0.05)


@pytest.mark.slow
def test_judge__shares_its_chance_to_be_wrong_among_what_is_rolled(place: Place) -> None:
    many_tanks(place)
    game = aab.Game(cards=place.folder / "cards")
    place.claims(battle(**TOO_LARGE))
    [claim_of_it] = place.read()[0].claims.values()
    result = solved(claim_of_it, Evidence(game))  # type: ignore[arg-type]
    middle = cases.roll(result, "score", (0.0, 0.9999), 0.05, 1000).mean
    one = {"band": (middle, middle), **TOO_LARGE}
    widths = []
    for more in (0, 3):
        others = [battle(f"other{n}", **TOO_LARGE) for n in range(more)]
        exact = battle("exact", a="a", b="b")
        place.claims(battle(**one), *others, exact, most_trials=1000)
        found = judge(place.read()[0], game, {})[0]
        widths.append((found.verdict, found.trials, found.high - found.low))
    alone, among_four = widths
    assert alone[:2] == among_four[:2] == (UNDECIDED, 992)
    assert among_four[2] > alone[2]
    for (_, _, width), alpha in ((alone, 0.05), (among_four, 0.0125)):
        rolled = cases.roll(result, "score", one["band"], alpha, 1000)
        assert rolled.high - rolled.low == width


# --- the shipped gates ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", OURS)
def test_shipped__gates_fit_their_cards_and_their_accepted_numbers(game: str) -> None:
    gate, _ = read(None, game)
    assert gate.accepted()
    folder = data_folder("reports") / "baseline" / game
    assert sum((folder / f"{measure}.csv").stat().st_size for measure in gate.accepted()) < 300_000


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in OURS if game != "armored_advance"])
def test_shipped__gates_of_the_other_games_pass(game: str) -> None:
    ran = CliRunner().invoke(main, ["gate", "--game", game])
    assert ran.exit_code == 0, ran.output


@pytest.mark.slow
def test_shipped__a_broken_claim_points_at_a_copy_of_the_cards(tmp_path: Path) -> None:
    shutil.copytree(data_folder("unitdb") / "skirmish_wars", tmp_path / "cards")
    gate = (data_folder("reports") / "skirmish_wars.gate.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.gate.toml").write_text(re.sub("^known = .*$", "", gate, flags=re.M), encoding="utf-8")
    accepted = data_folder("reports") / "baseline" / "skirmish_wars"
    words = ["gate", tmp_path / "mine.gate.toml", "--cards", tmp_path / "cards", "--baseline", accepted, "--github"]
    ran = CliRunner().invoke(main, [str(word) for word in words])
    assert ran.exit_code == 1, ran.output
    places = re.findall(r"^::error file=([^,]*),line=(\d+),title=broken%3A (\w+)::", ran.stdout, re.M)
    lines = (tmp_path / "cards" / "units.toml").read_text(encoding="utf-8").splitlines()
    assert {claim: lines[int(line) - 1] for _, line, claim in places} == {
        "med_tank_v_tank": "[med_tank]",
        "numbers": "[tank]",
    }


# --- recipes ----------------------------------------------------------------------------------------------------


def test_recipes__call_commands_with_options_that_there_are() -> None:
    root = Path(__file__).parents[1]
    called = set()
    for name in (".github/workflows/balance.yml", ".pre-commit-hooks.yaml", "docs/ci.md", ".ci/run"):
        text = (root / name).read_text(encoding="utf-8").replace('"$bin/aabalance"', "aabalance")
        for words in re.findall(r"aabalance((?: [\w\".$%/{}-]+)+)", text):
            name, *rest = words.split()
            if name not in main.commands:
                continue
            command: Any = main.commands[name]
            if rest and rest[0] in getattr(command, "commands", {}):
                command = command.commands[rest[0]]
            options = {word for parameter in command.params for word in parameter.opts}
            assert {word for word in rest if word.startswith("--")} <= options, words
            called.add(name)
    assert called >= {"cards", "gate", "report"}


def test_recipes__the_workflow_judges_before_it_fails() -> None:
    text = (Path(__file__).parents[1] / ".github/workflows/balance.yml").read_text(encoding="utf-8")
    gate = text[text.index("- name: Gate") : text.index("- name: Report")]
    assert re.search(r"aabalance gate --github .*\|\| code=\$\?\n.*GITHUB_STEP_SUMMARY.*\n.*exit \"\$code\"", gate)


def test_outputs__say_of_what_if_and_rules_they_are(place: Place) -> None:
    place.claims(duel())
    markdown, junit = place.folder / "out.md", place.folder / "out.xml"
    asked = "--set", "anna.hp=11", "--variant", "resolution=two_dice"
    ran = place.run(*asked, "--markdown", markdown, "--junit", junit)
    assert ran.stdout.startswith("with resolution=two_dice, anna.hp=11\n")
    assert ", resolution=two_dice, anna.hp=11, alpha" in markdown.read_text().replace("\\_", "_")
    assert '<property name="changes" value="anna.hp=11" />' in junit.read_text()
    assert json.loads(place.run(*asked, "--json").stdout)["provenance"]["changes"] == ["anna.hp=11"]
    assert not place.run("--junit", junit).stdout.startswith("with")
    assert "changes" not in junit.read_text()
