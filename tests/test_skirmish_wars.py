"""Skirmish Wars: the rulebook's examples, its rules one by one, cards, and dice thrown by hand."""

from __future__ import annotations

import csv
import itertools
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import isclose, sqrt
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rollers import skirmish_wars as table

import aabalance as aab
from aabalance import cards, dice, rulesets
from aabalance.analysis.situations import Situations
from aabalance.errors import CardError, UsageError
from aabalance.files import data_folder
from aabalance.rulesets.skirmish_wars import duel
from aabalance.rulesets.skirmish_wars import shot as shots
from aabalance.rulesets.skirmish_wars.shot import Cell
from aabalance.rulesets.skirmish_wars.situation import Terrain

GAME = aab.Game("skirmish_wars")
FOLDER = data_folder("unitdb") / "skirmish_wars"
TABLES = tomllib.loads((FOLDER / "units.toml").read_text(encoding="utf-8"))
PUBLISHED = Path(__file__).parent / "data"
TERRAINS: tuple[str, ...] = get_args(Terrain)
UNITS = tuple(TABLES)
KEPT_REDUCED = {"unreduce_on_repair": False}
KEPT = aab.Game("skirmish_wars", variant=KEPT_REDUCED)


def unit(name: str) -> Any:
    return GAME.cards[name]


def odds(*chances: tuple[int, str]) -> dict[int, float]:
    return {hits: float(Fraction(p)) for hits, p in chances}


# --- the rulebook's examples --------------------------------------------------------------------------------------


def test_example_battle__tank_strikes_anti_air_in_a_city() -> None:
    """Firepower 10 less defense 4 is 6; 6 in a city is 4 hits, one more on a 3 or less."""
    shot = GAME.shot("tank", "anti_air", range_in=1, terrain="city")
    assert shot.damage == odds((4, "1/2"), (5, "1/2"))
    said = {step.label: step.value for step in shot.steps}
    assert said["firepower"] == "10 against tread (full strength, 8 hit points)"
    assert said["initial damage"] == "10 - 4 defense = 6"
    assert said["hits"] == "6 on city: 4, one more on a die of 3 or less"


@pytest.mark.parametrize("left", [3, 4])
def test_example_battle__anti_air_fires_back_reduced(left: int) -> None:
    """Reduced firepower 7 less defense 6 is 1; 1 on a road is 1 hit, one more on a 3 or less."""
    shot = GAME.shot("anti_air", "tank", range_in=1, terrain="road_river", own_hp=left)
    assert shot.damage == odds((1, "1/2"), (2, "1/2"))
    assert "firepower       7 against tread (reduced" in shot.explain()


def test_first_requisition__keeps_the_printed_price_of_a_unit_that_strikes_nobody() -> None:
    some = GAME.with_(cards=GAME.cards.only(["apc", "tank", "anti_air"]))
    prices = aab.first_requisition(some, aab.shots(some)).set_index("unit")["proposal"]
    assert (prices["apc"], prices["tank"]) == (5, 7)  # the tank sets the scale


def test_shot__explains_one_hit_point_that_is_left() -> None:
    said = {step.label: step.value for step in GAME.shot("anti_air", "tank", range_in=1, own_hp=1).steps}
    assert said["firepower"] == "7 against tread (reduced, 1 hit point)"


def test_example_battle__both_strikes_in_a_round() -> None:
    """The tank's strike and the answer, as the engine gets them: AA at 3 or 4, then the tank at 6 or 7."""
    at = GAME.moment(range_in=1, terrain="city", own_terrain="road_river")
    tank, anti_air = unit("tank"), unit("anti_air")
    first = duel.survey(shots.offence(tank, at, GAME.variant), shots.defence(anti_air, at), 1).plan
    assert first.chances[0][0] == {4: Fraction(1, 2), 5: Fraction(1, 2)}
    back = at.mirrored(1)
    answer = duel.survey(shots.offence(anti_air, back, GAME.variant), shots.defence(tank, back), 1).plan
    for lost in (4, 5):
        assert answer.chances[lost][0] == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert answer.chances[3][0] == answer.chances[0][0] == {2: Fraction(1, 2), 3: Fraction(1, 2)}


def test_duel__no_answer_out_of_range() -> None:
    """3.4, example battle: artillery fires on a tank, which can't fire back; and the other way round, close by."""
    far = GAME.duel("artillery", "tank", range_in=2, first="b")
    assert (far.p_a, far.p_b) == (1, 0)
    near = GAME.duel("artillery", "tank", range_in=1, first="a")
    assert (near.p_a, near.p_b) == (0, 1)


def test_duel__the_answer_decides() -> None:
    """Two reduced tanks of one hit point in a forest, 8 less 8 defense: each strike destroys on a 3 or less.

    The strikes go a, b, b, a and so on: a wins by the first or the fourth of each four, 1/2 + 1/16 out of 1 - 1/16.
    Without answers they would go a, b, and a would have 2/3.
    """
    even = aab.Game("skirmish_wars", changes=["tank.defense=8"])
    met: dict[str, Any] = {"range_in": 1, "terrain": "forest", "own_terrain": "forest", "own_hp": 1, "target_hp": 1}
    assert even.shot("tank", "tank", **met).damage == odds((0, "1/2"), (1, "1/2"))
    found = even.duel("tank", "tank", first="a", **met)
    assert (found.p_a, found.p_b) == pytest.approx((3 / 5, 2 / 5))


# --- combat -------------------------------------------------------------------------------------------------------


def test_chart__cells_that_the_rulebook_tells() -> None:
    assert shots.cell(6, "city") == (4, 3)
    assert shots.cell(1, "road_river") == (1, 3)


def test_chart__is_the_published_one() -> None:
    published = PUBLISHED / "skirmish_wars_terrain_chart.csv"
    assert (FOLDER / "terrain_chart.csv").read_bytes() == published.read_bytes()


def test_chart__more_damage_and_barer_ground_never_hit_less() -> None:
    means = {(d, t): dice.mean(shots.hits(shots.cell(d, t))) for d in range(-5, 16) for t in TERRAINS}
    for damage, (better, worse) in itertools.product(range(-5, 15), itertools.pairwise(TERRAINS)):
        assert means[damage, better] <= means[damage, worse]
        assert means[damage, better] <= means[damage + 1, better]


def test_read_chart__every_fault_has_its_line(tmp_path: Path) -> None:
    lines = (FOLDER / "terrain_chart.csv").read_text(encoding="utf-8").splitlines()
    assert lines[4] == "0,0+1,0+2,0+3,0+4,0+5"
    lines[4] = "0,0+1,9+2,0+7,0,0+5"
    lines[6] = "1" + lines[6][1:]
    lines[8] += ",8+0"
    lines[9] = lines[9].rpartition(",")[0]
    lines[-1] = "14" + lines[-1][2:]
    path = tmp_path / "chart.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(CardError) as error:
        shots.read_chart(path)
    assert str(error.value).replace(str(path), "x.csv").splitlines() == [
        "x.csv:5: city: found '9+2', expected hits 0-8 + die 0-6, as 4+3",
        "x.csv:5: forest: found '0+7', expected hits 0-8 + die 0-6, as 4+3",
        "x.csv:5: grass: found '0', expected hits 0-8 + die 0-6, as 4+3",
        "x.csv:7: initial_damage: found '1', expected each of -3 to 13 once",
        "x.csv:9: found more cells than columns",
        "x.csv:10: road_river: found '', expected hits 0-8 + die 0-6, as 4+3",
        "x.csv:18: initial_damage: found '14', expected each of -3 to 13 once",
        "x.csv:1: initial_damage: found no row of 2",
        "x.csv:1: initial_damage: found no row of 13",
    ]


@pytest.mark.parametrize(
    ("lacking", "odd"), [("road_river", "grass"), ("road_river", "river"), ("initial_damage", "damage")]
)
def test_read_chart__names_columns_that_lack_or_are_too_many(tmp_path: Path, lacking: str, odd: str) -> None:
    head, _, rows = (FOLDER / "terrain_chart.csv").read_text(encoding="utf-8").partition("\n")
    path = tmp_path / "chart.csv"
    path.write_text(head.replace(lacking, odd) + "\n" + rows, encoding="utf-8")
    with pytest.raises(CardError) as error:
        shots.read_chart(path)
    expected = "initial_damage, hill_hq, city, forest, grass, road_river"
    assert str(error.value).replace(str(path), "x.csv").splitlines() == [
        f"x.csv:1: {lacking}: found no such column",
        f"x.csv:1: {odd}: found a column, expected {expected} once each",
    ]


def test_read_chart__takes_columns_and_rows_in_any_order(tmp_path: Path) -> None:
    with (FOLDER / "terrain_chart.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    path = tmp_path / "chart.csv"
    path.write_text("\n".join(",".join(row[::-1]) for row in (head, *rows[::-1])), encoding="utf-8")
    assert shots.read_chart(path) == shots.chart()


@pytest.mark.parametrize("terrain", TERRAINS)
def test_cell__beyond_the_rows_nothing_or_all(terrain: str) -> None:
    assert shots.cell(-4, terrain) == shots.cell(-99, terrain) == (0, 0)
    assert shots.cell(14, terrain) == shots.cell(99, terrain) == (8, 0)
    assert shots.cell(12, "hill_hq") == (7, 3)
    assert shots.cell(-3, "road_river") == (0, 1)


@pytest.mark.parametrize(
    ("cell", "want"),
    [
        (Cell(4, 3), {4: Fraction(1, 2), 5: Fraction(1, 2)}),
        (Cell(3, 1), {3: Fraction(5, 6), 4: Fraction(1, 6)}),
        (Cell(2, 6), {3: Fraction(1)}),
        (Cell(8, 0), {8: Fraction(1)}),
    ],
)
def test_hits__die_of_the_number_or_less(cell: Cell, want: dict[int, Fraction]) -> None:
    assert shots.hits(cell) == want


@pytest.mark.parametrize(
    ("name", "reached"),
    [("tank", {1}), ("artillery", {2, 3}), ("rocket", {3, 4, 5}), ("apc", set())],
)
def test_in_range__band_of_the_card(name: str, reached: set[int]) -> None:
    offence = shots.offence(unit(name), GAME.moment(range_in=1), GAME.variant)
    assert {squares for squares in range(8) if shots.in_range(offence, squares)} == reached


def test_in_range__an_unarmed_unit_has_none_at_all() -> None:
    apc = aab.Game("skirmish_wars", changes=["apc.firepower.foot=10"])
    assert apc.shot("apc", "infantry", range_in=0).p_damage == 0


@pytest.mark.parametrize(
    ("name", "symbol", "hp", "want"),
    [
        ("tank", "foot", 8, 7),
        ("tank", "tread", 5, 10),
        ("tank", "tread", 4, 8),
        ("anti_air", "wheel", 4, 5),
        ("anti_air", "triangle", 8, 15),
        ("med_tank", "circle", 1, 7),
    ],
)
def test_firepower__by_symbol_and_strength(name: str, symbol: str, hp: int, want: int) -> None:
    offence = shots.offence(unit(name), GAME.moment(range_in=1), GAME.variant)
    assert shots.firepower(offence, symbol, hp) == want


@pytest.mark.parametrize(("hp", "reduced"), [(8, False), (5, False), (4, True), (1, True)])
def test_is_reduced__below_five(hp: int, reduced: bool) -> None:
    assert shots.is_reduced(hp, kept_reduced=False) is reduced
    assert shots.is_reduced(hp, kept_reduced=True)


@pytest.mark.parametrize(("hp", "hits", "lost"), [(8, 3, 3), (8, 4, 4), (3, 2, 2), (3, 3, 8), (3, 5, 8)])
def test_blows__hits_come_off_and_who_has_none_left_is_destroyed(hp: int, hits: int, lost: int) -> None:
    assert duel.blows((Cell(hits, 0),) * 8, hp).chances[0][0] == {lost: 1}


def test_blows__condition_is_what_was_lost() -> None:
    blows = duel.blows((Cell(2, 3),) * 8, 8)
    half = Fraction(1, 2)
    assert blows.chances[0][0] == {2: half, 3: half}
    assert blows.chances[0][5] == {7: half, 8: half}
    assert blows.chances[7][6] == {8: 1}
    assert blows.after == tuple(range(8))


def test_blows__wounded_target_falls_sooner() -> None:
    blows = duel.blows((Cell(2, 3),) * 8, 3)
    assert blows.chances[0][0] == {2: Fraction(1, 2), 8: Fraction(1, 2)}


def test_blows__equal_ones_are_one_object() -> None:
    def plan(target: str, terrain: str) -> Any:
        at = GAME.moment(range_in=1, terrain=terrain)
        return duel.survey(shots.offence(unit("recon"), at, GAME.variant), shots.defence(unit(target), at), 1).plan

    assert plan("artillery", "forest") is plan("anti_air", "forest")
    assert plan("artillery", "forest") is not plan("artillery", "city")


def test_survey__agrees_with_shot() -> None:
    for attacker, target, terrain in itertools.product(UNITS, UNITS, TERRAINS):
        at = GAME.moment(range_in=3, terrain=terrain, own_hp=4)
        offence, defence = shots.offence(unit(attacker), at, GAME.variant), shots.defence(unit(target), at)
        survey = duel.survey(offence, defence, 3)
        assert survey.shot == shots.shot(offence, defence, 3, None)._replace(steps=())
        assert isclose(survey.per_action, dice.mean(survey.shot.effect))


@pytest.mark.parametrize(("left", "p"), [(8, 0), (5, Fraction(1, 2)), (4, 1), (3, 1)])
def test_shot__destroys_what_the_target_has_left(left: int, p: Fraction) -> None:
    """A tank on an anti-air unit in a city: 4 hits, one more on a 3 or less."""
    at = GAME.moment(range_in=1, terrain="city", target_hp=left)
    assert GAME.shot("tank", "anti_air", **at.model_dump()).p_kill == p
    offence, defence = shots.offence(unit("tank"), at, GAME.variant), shots.defence(unit("anti_air"), at)
    shot = duel.survey(offence, defence, 1).shot
    assert shot.left == left
    assert dice.chance_of_at_least(shot.effect, left) == p


@pytest.mark.parametrize(("left", "expected"), [(8, "8/3"), (5, "8/3"), (4, "3/2"), (1, "3/2")])
def test_matchups__a_unit_of_5_hit_points_still_fires_at_full_strength(left: int, expected: str) -> None:
    """3.4a: below 5. A tank's 10 less 6 on a hill is 2 hits and one on a 4 or less; reduced, 8 less 6 is 1 and a 3."""
    at = Situations.listed(GAME, [{"range_in": 1, "terrain": "hill_hq", "own_hp": left, "weight": 1.0}])
    row = aab.matchups(GAME, at, attackers=["tank"], targets=["tank"]).iloc[0]
    assert row["expected_damage"] == pytest.approx(float(Fraction(expected)))


@pytest.mark.parametrize(
    ("own_hp", "target_hp", "first", "second"),
    [(8, 8, 1, 0), (5, 8, 1, 0), (4, 8, 0, 0), (8, 5, 1, 0), (8, 4, 1, 1), (5, 5, 1, 0)],
)
def test_matchups__a_duel_from_5_hit_points_is_one_at_full_strength(
    own_hp: int, target_hp: int, first: int, second: int
) -> None:
    """Tanks that destroy with any strike at full strength and can't hurt when reduced: the first full one wins."""
    deadly = aab.Game("skirmish_wars", changes=["tank.firepower.tread=18", "tank.reduced.tread=0", "tank.defense=4"])
    met = {"range_in": 1, "own_hp": own_hp, "target_hp": target_hp, "weight": 1.0}
    row = aab.matchups(deadly, Situations.listed(deadly, [met]), attackers=["tank"], targets=["tank"]).iloc[0]
    assert (row["p_win_first"], row["p_win_second"]) == (first, second)


def test_shot__out_of_range_says_so() -> None:
    shot = GAME.shot("artillery", "tank", range_in=1)
    assert shot.p_damage == 0
    assert "weapon  indirect fire, range 2-3" in shot.explain()
    assert "range   out of range 2-3 at 1" in shot.explain()
    assert shot.sentence() == "Artillery can't hurt Tank: out of range 2-3 at 1."


def test_shot__names_its_one_weapon() -> None:
    assert GAME.shot("tank", "tank", range_in=1, weapon="direct fire").weapon == "direct fire"
    with pytest.raises(UsageError, match="expected one of direct fire"):
        GAME.shot("tank", "tank", range_in=1, weapon="88 mm")


def test_returned__is_the_targets_view_and_twice_the_own() -> None:
    at = GAME.situation(terrain="city", own_terrain="forest", own_hp=7, target_hp=3, own_repaired=True)
    back = at.mirrored(1)
    assert (back.terrain, back.own_terrain, back.own_hp, back.target_hp) == ("forest", "city", 3, 7)
    assert (back.own_repaired, back.target_repaired) == (False, True)
    assert back.mirrored(1) == at


@pytest.mark.parametrize("wrong", [{"range_in": 1.5}, {"range_in": 1, "own_hp": 0}, {"range_in": 1, "target_hp": 9}])
def test_situation__refuses_what_no_board_has(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        GAME.moment(**wrong)


# --- the switch ---------------------------------------------------------------------------------------------------


def test_unreduce_on_repair__a_repaired_unit_strikes_as_its_side_says() -> None:
    full = GAME.shot("tank", "tank", range_in=1).damage
    assert GAME.shot("tank", "tank", range_in=1, own_repaired=True).damage == full
    assert KEPT.shot("tank", "tank", range_in=1).damage == full
    reduced = GAME.shot("tank", "tank", range_in=1, own_hp=4).damage
    assert KEPT.shot("tank", "tank", range_in=1, own_repaired=True).damage == reduced != full


def test_unreduce_on_repair__the_answer_is_weaker_too() -> None:
    met: dict[str, Any] = {"range_in": 1, "target_repaired": True, "first": "a"}
    assert KEPT.duel("med_tank", "med_tank", **met).p_a > GAME.duel("med_tank", "med_tank", **met).p_a + 0.5


# --- cards --------------------------------------------------------------------------------------------------------


def test_cards__are_the_published_ones() -> None:
    with (PUBLISHED / "skirmish_wars_units.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [card.name for card in GAME.cards.values()] == [row["unit"] for row in rows]
    for card, row in zip(GAME.cards.values(), rows, strict=True):
        costs = card.movement_cost
        sides = [getattr(side, symbol) for side in (card.firepower, card.reduced) for symbol in type(side).model_fields]
        numbers = [card.symbol, card.cost, card.mp, card.defense, card.range.min, card.range.max]
        numbers += [costs.grass, costs.road, costs.forest, costs.river or "X", costs.hill or "X", *sides]
        assert list(map(str, numbers)) == list(row.values())[1:], card.name


def test_cards__schema_is_current_and_named() -> None:
    schema = cards.json_schema(rulesets.load("skirmish_wars").Card)
    assert (FOLDER / cards.SCHEMA_FILE).read_text(encoding="utf-8") == schema
    assert '"id"' not in schema
    assert (FOLDER / "units.toml").read_text(encoding="utf-8").startswith("#:schema ./unit.schema.json\n")


@pytest.mark.slow
def test_cards__every_fault_has_its_line(tmp_path: Path) -> None:
    text = (FOLDER / "units.toml").read_text(encoding="utf-8")
    card = "[infantry]" + text.partition("[infantry]")[2].partition("\n\n")[0] + "\n"
    for good, bad in [
        ('symbol = "foot"', 'symbol = "boot"'),
        ("defense = 1\n", ""),
        ("min = 1, max = 1", "min = 2, max = 1"),
        ("firepower = { foot = 5", "firepower = { foot = -5"),
        ("road = 1", "raod = 1, road = 1"),
    ]:
        assert good in card
        card = card.replace(good, bad)
    (tmp_path / "x.toml").write_text(card, encoding="utf-8")
    command: list[str | Path] = [
        Path(sys.executable).with_name("aabalance"),
        "cards",
        "check",
        "--game",
        "skirmish_wars",
    ]
    ran = subprocess.run([*command, "--cards", tmp_path], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.removeprefix("at work\n").replace(f"{tmp_path}/", "").splitlines() == [
        "x.toml:1: infantry.defense: found nothing, expected a value",
        "x.toml:3: infantry.symbol: found 'boot', expected 'foot', 'tread', 'wheel', 'triangle' or 'circle'",
        "x.toml:6: infantry.range: found { min = 2, max = 1 }, expected max to be no less than min",
        "x.toml:7: infantry.firepower.foot: found -5, expected greater than or equal to 0",
        "x.toml:9: infantry.movement_cost.raod: found 1, expected no such field; did you mean 'road'?",
    ]


# --- against thrown dice ------------------------------------------------------------------------------------------

ATTACKS, DUELS, LIMIT = 4000, 3000, 5.0


def assert_agrees(seen: Counter[Any], expected: Mapping[Any, float], thrown: int) -> None:
    """Each outcome that is seen can happen, and is seen about as often as it should be."""
    assert set(seen) <= {outcome for outcome, p in expected.items() if p > 0}
    for outcome, p in expected.items():
        deviation = sqrt(max(p * (1 - p), 0) * thrown)
        assert abs(seen[outcome] - p * thrown) <= LIMIT * deviation + 1e-9, outcome


ATTACK_CASES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "full strength": ("tank", "anti_air", {"range_in": 1, "terrain": "city"}, {}),
    "reduced": ("tank", "anti_air", {"range_in": 1, "terrain": "hill_hq", "own_hp": 4}, {}),
    "five is not reduced": ("mech", "tank", {"range_in": 1, "own_hp": 5}, {}),
    "indirect": ("rocket", "infantry", {"range_in": 4, "terrain": "forest"}, {}),
    "too near": ("artillery", "infantry", {"range_in": 1}, {}),
    "below the rows": ("infantry", "med_tank", {"range_in": 1, "terrain": "road_river"}, {}),
    "negative": ("infantry", "tank", {"range_in": 1, "terrain": "road_river"}, {}),
    "repaired, flipped back": ("tank", "tank", {"range_in": 1, "own_repaired": True}, {}),
    "repaired, kept reduced": ("tank", "tank", {"range_in": 1, "own_repaired": True}, KEPT_REDUCED),
    "unarmed": ("apc", "infantry", {"range_in": 0}, {}),
}


@pytest.mark.parametrize("name", ATTACK_CASES)
def test_shot__agrees_with_thrown_dice(name: str) -> None:
    attacker, target, at, variant = ATTACK_CASES[name]
    exact = aab.Game("skirmish_wars", variant=variant).shot(attacker, target, **at)
    rng = Random(len(name))
    seen = Counter(table.throw_attack(rng, TABLES[attacker], TABLES[target], at, variant) for _ in range(ATTACKS))
    assert_agrees(seen, exact.damage, ATTACKS)


@pytest.mark.parametrize("terrain", TERRAINS)
def test_shot__every_cell_is_the_rollers(terrain: str) -> None:
    """The roller has the chart typed out by hand: a witness of the file."""
    for name, target, hp in itertools.product(UNITS, UNITS, (4, 8)):
        at: dict[str, Any] = {"range_in": 3 if unit(name).range.max > 1 else 1, "terrain": terrain, "own_hp": hp}
        mine, theirs = table.counters(TABLES[name], TABLES[target], at, {})
        found = shots.strike(
            shots.offence(unit(name), GAME.moment(**at), GAME.variant),
            shots.defence(unit(target), GAME.moment(**at)),
            at["range_in"],
            hp,
        )
        assert found == mine.look_up(theirs, at["range_in"])


DUEL_CASES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "like against like": ("tank", "tank", {"range_in": 1, "own_terrain": "road_river", "terrain": "city"}, {}),
    "an even fight": ("recon", "mech", {"range_in": 1, "own_terrain": "road_river", "terrain": "city"}, {}),
    "guns in each other's reach": ("artillery", "rocket", {"range_in": 3, "terrain": "hill_hq"}, {}),
    "rockets alone in reach": ("rocket", "artillery", {"range_in": 5}, {}),
    "wounded": ("tank", "tank", {"range_in": 1, "own_hp": 6, "target_hp": 5, "terrain": "forest"}, {}),
    "from a reduced side": ("mech", "med_tank", {"range_in": 1, "own_hp": 4, "target_hp": 7}, {}),
    "kept reduced": ("mech", "recon", {"range_in": 1, "own_repaired": True, "terrain": "city"}, KEPT_REDUCED),
    "only at full strength": ("infantry", "tank", {"range_in": 1, "terrain": "hill_hq"}, {}),
    "nobody can hurt": ("apc", "apc", {"range_in": 1}, {}),
    "out of reach": ("tank", "tank", {"range_in": 2}, {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("name", DUEL_CASES)
def test_skirmish_duel__agrees_with_thrown_dice(name: str, first: Any) -> None:
    a, b, at, variant = DUEL_CASES[name]
    exact = aab.Game("skirmish_wars", variant=variant).duel(a, b, **at, first=first)
    rng = Random(len(name))
    seen = Counter(table.throw_duel(rng, TABLES[a], TABLES[b], at, variant, first) for _ in range(DUELS))
    assert_agrees(seen, {"a": exact.p_a, "b": exact.p_b, None: exact.p_draw}, DUELS)


# --- invariants ---------------------------------------------------------------------------------------------------

situations = st.fixed_dictionaries(
    {
        "range_in": st.integers(0, 6),
        "terrain": st.sampled_from(TERRAINS),
        "own_terrain": st.sampled_from(TERRAINS),
        "own_hp": st.integers(1, 8),
        "target_hp": st.integers(1, 8),
        "own_repaired": st.booleans(),
        "target_repaired": st.booleans(),
    }
)


@pytest.mark.slow
@given(st.sampled_from(UNITS), st.sampled_from(UNITS), situations, st.booleans())
def test_survey__chances_sum_to_one_and_never_heal(a: str, b: str, fields: dict[str, Any], unreduce: bool) -> None:
    at, variant = GAME.moment(**fields), (GAME if unreduce else KEPT).variant
    blows = duel.survey(shots.offence(unit(a), at, variant), shots.defence(unit(b), at), at.range_in).plan
    for row in blows.chances:
        for lost, after in enumerate(row):
            assert sum(after.values()) == 1
            assert all(lost <= condition <= 8 and p > 0 for condition, p in after.items())


@pytest.mark.slow
@given(st.sampled_from(UNITS), st.sampled_from(UNITS), situations)
def test_survey__own_losses_never_help(a: str, b: str, fields: dict[str, Any]) -> None:
    at = GAME.moment(**fields)
    blows = duel.survey(shots.offence(unit(a), at, GAME.variant), shots.defence(unit(b), at), at.range_in).plan
    means = [dice.mean(row[0]) for row in blows.chances]
    assert means == sorted(means, reverse=True)


@pytest.mark.slow
@given(st.sampled_from(UNITS), st.sampled_from(UNITS), situations)
def test_duel__seen_from_the_other_side_is_the_same(a: str, b: str, fields: dict[str, Any]) -> None:
    at = GAME.moment(**fields)
    one = GAME.duel(a, b, first="a", **fields)
    other = GAME.duel(b, a, first="b", **at.mirrored(at.range_in).model_dump())
    assert isclose(one.p_a, other.p_b, abs_tol=1e-12)
    assert isclose(one.p_b, other.p_a, abs_tol=1e-12)
    assert isclose(one.p_draw, other.p_draw, abs_tol=1e-12)
