"""The derivation of cards from history, and the shipped cards against it."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aabalance.errors import CardError
from aabalance.game import Game
from aabalance.rulesets.armored_advance.match.setup import slot_names
from aabalance.rulesets.armored_advance.roster.derive import (
    KEYWORD_ORDER,
    angling,
    caliber_damage,
    derive,
    front_armor,
    he_profile,
    howitzer_ai,
    machine_gun_ai,
    movement,
    penetration_by_band,
    plate_cm,
    read_facts,
    round_half_up,
    shield_cm,
    weight_class,
)

FOLDER = Path(__file__).parents[1] / "unitdb" / "armored_advance"
FACTS = read_facts(FOLDER / "facts.csv")
DERIVED: dict[str, Any] = {unit_id: derive(fact, FACTS) for unit_id, fact in FACTS.items()}
CARDS = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
SHIPPED = {unit_id: card for cards in CARDS.values() for unit_id, card in cards.items()}


def without_requisition(card: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in card.items() if key != "requisition"}


# --- formulas


@pytest.mark.parametrize(("value", "expected"), [(0.5, 1), (1.5, 2), (2.5, 3), (6.5, 7), (2.49, 2), (0.0, 0)])
def test_round_half_up__takes_a_half_upwards(value, expected):
    assert round_half_up(value) == expected


@pytest.mark.parametrize(
    ("mm", "deg", "expected"), [(80, 55, 14), (100, 9, 10), (45, 60, 9), (65, 0, 7), (150, 50, 23), (0, 0, 0)]
)
def test_plate_cm__takes_the_slope_into_account(mm, deg, expected):
    assert plate_cm(mm, deg) == expected


def test_shield_cm__thin_shield_counts_as_one_and_none_as_nothing():
    assert (shield_cm(4, 0), shield_cm(8, 0), shield_cm(0, 0)) == (1, 1, 0)


@pytest.mark.parametrize(
    ("hull", "turret", "expected"),
    [(14, 10, (11, True)), (10, 14, (11, True)), (9, 8, (8, False)), (8, 6, (6, True)), (9, 5, (6, True))],
)
def test_front_armor__weaker_plate_at_most_three_below_the_stronger(hull, turret, expected):
    assert front_armor(hull, turret) == expected


def test_angling__only_where_the_side_beats_the_front():
    assert angling(10, 80, 0) == 11
    assert angling(11, 80, 0) is None


def test_penetration_by_band__interpolates_at_250_and_750_m():
    assert penetration_by_band((162, 151, 138, 126)) == [16, 16, 15, 14, 14, 13]


@pytest.mark.parametrize(("mm", "expected"), [(75, 10), (85, 13), (88, 14), (152.4, 41), (37, 2), (20, 1), (12.7, 1)])
def test_caliber_damage__goes_with_the_cross_section_and_never_below_one(mm, expected):
    assert caliber_damage(mm) == expected


@pytest.mark.parametrize(
    ("mm", "expected"),
    [(75, (10, 1)), (99.9, (18, 1)), (100, (18, 2)), (149.9, (40, 2)), (150, (40, 3)), (380, (60, 3))],
)
def test_he_profile__base_is_capped_and_n_goes_up_with_the_calibre(mm, expected):
    assert he_profile(mm) == expected


def test_ai_codes__step_with_calibre_and_number():
    assert [howitzer_ai(mm) for mm in (99.9, 100, 149.9, 150)] == ["D6-2", "D6-1", "D6-1", "D6"]
    assert [machine_gun_ai("MG 34", n) for n in (1, 2, 3)] == ["D3-1", "D3-1", "D3"]
    assert machine_gun_ai("12.7 mm M2HB", 1) == "D3"


@pytest.mark.parametrize(
    ("tonnes", "towed", "expected"),
    [
        (15.9, False, "light"),
        (16, False, "medium"),
        (36.9, False, "medium"),
        (37, False, "heavy"),
        (1.39, True, "light"),
        (1.4, True, "medium"),
        (2.4, True, "medium"),
        (2.5, True, "heavy"),
    ],
)
def test_weight_class__has_thresholds_of_its_own_for_field_guns(tonnes, towed, expected):
    assert weight_class(tonnes, towed) == expected


@pytest.mark.parametrize(
    ("road_kmh", "weight", "drive", "expected"),
    [
        (55, "medium", "tracked", 7),
        (38, "heavy", "tracked", 4),
        (80, "medium", "tracked", 10),
        (19, "light", "tracked", 3),
        (85, "light", "wheeled", 9),
        (53, "light", "half_track", 6),
        (None, "light", "towed", 2),
        (None, "heavy", "towed", 0),
        (50, "light", "towed", 2),
    ],
)
def test_movement__goes_with_road_speed_weight_and_drive(road_kmh, weight, drive, expected):
    assert movement(road_kmh, weight, drive) == expected


# --- known vehicles


def test_derive__tiger_is_the_example_of_the_design():
    assert DERIVED["de_tiger1"] == {
        "name": "Tiger I (Ausf. E)",
        "nation": "Germany",
        "year": 1942,
        "class": "vehicle",
        "weight": "heavy",
        "drive": "tracked",
        "movement": 4,
        "hp": 57,
        "armor": {"front": 10, "side": 8, "rear": 8},
        "keywords": {"accurate": True, "angling": 11},
        "weapons": [
            {
                "name": "8.8 cm KwK 36",
                "kind": "at",
                "penetration": 15,
                "penetration_by_band": [16, 16, 15, 14, 14, 13],
                "damage": 14,
            },
            {"name": "MG 34", "kind": "ai", "ai": "D3-1", "range": 12},
        ],
    }


@pytest.mark.parametrize("unit_id", ["de_pantherd", "de_pantherg"])
def test_derive__panther_has_front_11_with_a_weak_spot(unit_id):
    assert DERIVED[unit_id]["armor"]["front"] == 11
    assert DERIVED[unit_id]["keywords"]["weak_spot"] is True


def test_derive__field_gun_has_a_shield_and_no_weak_spot():
    """Two plates of 4 mm make one of 8 mm, which counts as 1 cm."""
    card = derive(FACTS["de_pak40"], FACTS)
    assert (card["class"], card["armor"]) == ("field_gun", {"front": 1, "side": 0, "rear": 0})
    assert "weak_spot" not in card["keywords"]


def test_derive__t_34_85_takes_and_deals_what_the_design_says():
    card = DERIVED["su_t34_85"]
    assert (card["hp"], card["movement"], card["weapons"][0]["damage"]) == (32, 7, 13)


def test_derive__howitzer_is_one_gun_with_three_profiles():
    kinds = [(weapon["kind"], weapon.get("gun")) for weapon in DERIVED["de_stuh42"]["weapons"]]
    assert kinds == [("at", "10.5 cm StuH 42"), ("he", "10.5 cm StuH 42"), ("ai", "10.5 cm StuH 42"), ("ai", None)]


def test_derive__gun_without_penetration_is_high_explosive_first():
    for unit_id in ("de_sturmtiger", "uk_avre"):
        first = DERIVED[unit_id]["weapons"][0]
        assert (first["kind"], first["base"], first["n"]) == ("he", 60, 3)


def test_derive__autocannon_fires_at_both_kinds_of_targets_in_a_turn():
    at, ai = DERIVED["de_flak38"]["weapons"]
    assert (at["kind"], ai["kind"]) == ("at", "ai")
    assert at["gun"] == ai["gun"]  # one gun, whose keyword acts on both
    assert slot_names(Game().cards["de_flak38"]) == ["2 cm Flak 38 at", "2 cm Flak 38 ai"]  # an attack each in a turn


def test_derive__autocannon_number_follows_barrels_and_calibre():
    found = {unit_id: card["keywords"].get("autocannon") for unit_id, card in DERIVED.items()}
    assert {unit_id for unit_id, x in found.items() if x == 6} == {"de_wirbelwind", "us_m16"}
    assert {unit_id for unit_id, x in found.items() if x == 2} == {"de_ostwind", "su_61k", "uk_bofors"}
    assert found["fr_p178"] is None, "25 mm, but a single-shot gun"


def test_derive__autocannons_are_those_that_the_history_names():
    with open(FOLDER / "facts.csv", encoding="utf-8", newline="") as file:
        named = {row["id"] for row in csv.DictReader(file) if "autocannon" in row["keyword_notes"]}
    assert {unit_id for unit_id, card in DERIVED.items() if "autocannon" in card["keywords"]} == named


@pytest.mark.parametrize(
    ("unit_id", "changes", "keyword", "expected"),
    [
        ("de_flak38", {"calibre_mm": 25.0, "rate": (100.0, 120.0)}, "autocannon", 3),
        ("de_flak38", {"calibre_mm": 25.1}, "autocannon", 2),
        ("de_flak38", {"rate": (99.0, 120.0)}, "autocannon", None),
        ("de_flak38", {"calibre_mm": 29.9}, "anti_air", 18),
        ("de_flak38", {"calibre_mm": 30.0}, "anti_air", 24),
        ("de_flak38", {"calibre_mm": 74.9}, "anti_air", 24),
        ("de_flak38", {"calibre_mm": 75.0}, "anti_air", 36),
        ("su_m30", {"calibre_mm": 119.9}, "indirect", 48),
        ("su_m30", {"calibre_mm": 120.0}, "indirect", 60),
    ],
)
def test_derive__numbers_of_keywords_step_where_the_table_of_formulas_says(unit_id, changes, keyword, expected):
    keywords: Any = derive(replace(FACTS[unit_id], **changes), FACTS)["keywords"]
    assert keywords.get(keyword) == expected


def test_derive__a_gun_pierces_from_a_centimetre_on_and_a_cannon_of_which_that_is_unknown_fires_shells():
    def kinds(**changes: Any) -> list[str]:
        card: Any = derive(replace(FACTS["de_pak40"], machine_guns=0, **changes), FACTS)
        return [weapon["kind"] for weapon in card["weapons"]]

    assert kinds(penetration_mm=(14.0, 10.0, 8.0, 6.0)) == ["at"]
    assert kinds(penetration_mm=(9.0, 4.0, 3.0, 2.0)) == []
    assert kinds(penetration_mm=None) == ["he", "ai"]


def test_derive__single_heavy_machine_gun_is_one_gun_with_two_profiles():
    weapons = DERIVED["us_m3_ht"]["weapons"]
    assert [(weapon["kind"], weapon.get("gun")) for weapon in weapons] == [
        ("at", "12.7 mm M2HB"),
        ("ai", "12.7 mm M2HB"),
        ("ai", None),
    ]


def test_derive__machine_gun_vehicle_has_no_at_weapon():
    for unit_id in ("su_ba64", "uk_dingo", "uk_ucarrier", "de_sdkfz251_1"):
        assert [weapon["kind"] for weapon in DERIVED[unit_id]["weapons"]] == ["ai"]


def test_derive__unarmed_prime_mover_has_no_weapons():
    assert DERIVED["de_sdkfz7"]["weapons"] == []


@pytest.mark.parametrize(("unit_id", "second"), [("us_m3_lee", "37 mm M6"), ("fr_b1bis", "47 mm SA35")])
def test_derive__second_gun_is_a_gun_of_its_own(unit_id, second):
    guns = [weapon for weapon in DERIVED[unit_id]["weapons"] if weapon["kind"] == "at"]
    assert len(guns) == 2
    assert guns[1]["name"] == second
    assert "gun" not in guns[1]


def test_derive__field_gun_has_a_shield_at_most():
    card = DERIVED["de_pak40"]
    assert (card["class"], card["armor"], card["movement"]) == ("field_gun", {"front": 1, "side": 0, "rear": 0}, 1)
    assert card["hp"] == 7, "4 + 2 x 1.425"
    assert DERIVED["su_61k"]["armor"]["front"] == 0


def test_derive__rapid_fire_goes_by_the_lower_practical_rate():
    rapid = {unit_id for unit_id, card in DERIVED.items() if "rapid_fire" in card["keywords"]}
    assert rapid == {"su_53k", "su_m42", "su_zis2", "us_m3_37", "uk_2pdr"}


def test_derive__long_reload_goes_by_the_upper_practical_rate():
    slow = {unit_id for unit_id, card in DERIVED.items() if "long_reload" in card["keywords"]}
    assert slow == {
        *("de_brummbar", "de_sturmtiger", "su_is2", "su_su152", "su_isu122", "su_isu152", "uk_avre"),
    }


def test_derive__casemates_point_one_way():
    assert DERIVED["uk_archer"]["keywords"].get("reverse_casemate") is True
    assert all(not {"casemate", "reverse_casemate"} <= card["keywords"].keys() for card in DERIVED.values())


def test_derive__keywords_come_in_the_order_of_the_schema():
    for card in DERIVED.values():
        assert list(card["keywords"]) == [name for name in KEYWORD_ORDER if name in card["keywords"]]


def test_derive__every_figure_that_needs_a_word_has_a_note():
    for unit_id in ("us_m3_lee", "fr_b1bis", "de_sturmtiger", "uk_avre", "us_m7", "de_stuh42", "jp_chinu"):
        assert DERIVED[unit_id]["note"]


# --- the shipped cards


def test_cards__one_for_every_row_in_its_order_and_the_infantry():
    assert len(FACTS) >= 131
    nations = [unit_id for stem, cards in CARDS.items() if stem != "infantry" for unit_id in cards]
    assert sorted(nations) == sorted(FACTS)
    for stem, cards in CARDS.items():
        if stem != "infantry":
            assert list(cards) == [unit_id for unit_id in FACTS if unit_id in cards]
    assert len(CARDS["infantry"]) == 7


@pytest.mark.parametrize("unit_id", FACTS)
def test_cards__without_a_note_of_its_own_a_card_is_the_derivation(unit_id):
    card = SHIPPED[unit_id]
    if card.get("note", "") == FACTS[unit_id].note:
        assert without_requisition(card) == DERIVED[unit_id]
        assert list(without_requisition(card)) == list(DERIVED[unit_id])
    else:
        assert card["note"]


@pytest.mark.parametrize("stem", CARDS)
def test_cards__every_file_names_its_schema_first(stem):
    assert (FOLDER / f"{stem}.toml").read_text(encoding="utf-8").startswith("#:schema ./unit.schema.json\n")


def test_infantry__has_the_numbers_of_the_rulebook():
    rifle = SHIPPED["inf_rifle"]
    assert (rifle["strength"], rifle["movement"], rifle["actions"]) == (6, 4, 1)
    assert rifle["weapons"][0]["ai"] == [{"min": 4, "ai": "D3-1"}, {"min": 1, "ai": "D3-2"}]
    at, ai = SHIPPED["inf_at_rifle"]["weapons"]
    assert (at["penetration"], at["damage"], at["range"], ai["ai"], ai["range"]) == (4, 2, 18, "D3-2", 12)
    assert (SHIPPED["inf_sniper"]["weapons"][0]["ai"], SHIPPED["inf_sniper"]["weapons"][0]["range"]) == ("1", 30)
    assert SHIPPED["inf_artillery_crew"]["strength"] == 3


# --- malformed facts


def spoilt(tmp_path: Path, changes: dict[str, dict[str, str]]) -> Path:
    with open(FOLDER / "facts.csv", encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        columns = table.fieldnames
        rows = list(table)
    path = tmp_path / "facts.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows({**row, **changes.get(row["id"], {})} for row in rows)
    return path


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("combat_mass_t", "heavy", "de_pz2l.combat_mass_t: found 'heavy', expected a number from 0"),
        ("combat_mass_t", "nan", "de_pz2l.combat_mass_t: found 'nan', expected a number from 0"),
        ("side_mm", "-5", "de_pz2l.side_mm, side_deg: found '-5', expected a number from 0"),
        ("side_deg", "90", "de_pz2l.side_mm, side_deg: found a slope of 90, expected one below 90"),
        ("drive", "traked", "de_pz2l.drive: found 'traked' (did you mean 'tracked'?)"),
        (
            "year_in_service",
            "about 1943",
            "de_pz2l.year_in_service: found 'about 1943', expected a whole number from 0",
        ),
        (
            "pen0_500m_mm",
            "",
            "de_pz2l.pen0_100m_mm, pen0_500m_mm, pen0_1000m_mm, pen0_1500m_mm: found '', expected a number from 0",
        ),
        ("rate_of_fire_rpm", "fast", "de_pz2l.rate_of_fire_rpm: found 'fast', expected a number or a range"),
        ("road_speed_kmh", "", "de_pz2l.road_speed_kmh: found nothing, expected a number from 0"),
        ("card_keywords", "skout", "de_pz2l.card_keywords: found 'skout' (did you mean 'scout'?)"),
        ("card_keywords", "angling=3", "de_pz2l.card_keywords: found 'angling'"),
        ("card_keywords", "apc", "de_pz2l.card_keywords: found 'apc', expected 'apc=X'"),
        ("card_keywords", "scout=1", "de_pz2l.card_keywords: found 'scout=1', expected 'scout'"),
        ("card_keywords", "casemate; reverse_casemate", "de_pz2l.card_keywords: found casemate and reverse_casemate"),
        ("second_gun_of", "us_m99", "de_pz2l.second_gun_of: found 'us_m99', expected the id of a row"),
        ("id", "de_pz2f", "de_pz2f.id: found more than once"),
    ],
)
def test_read_facts__malformed_cell_is_a_fault_with_file_and_line(tmp_path, column, value, message):
    path = spoilt(tmp_path, {"de_pz2l": {column: value}})
    with pytest.raises(CardError) as caught:
        read_facts(path)
    fault = caught.value.faults[-1]
    assert fault.place == f"{path}:3"
    assert fault.message.startswith(message)


def test_read_facts__byte_order_mark_is_read_over(tmp_path):
    path = tmp_path / "facts.csv"
    path.write_bytes(b"\xef\xbb\xbf" + (FOLDER / "facts.csv").read_bytes())
    assert read_facts(path) == FACTS


def test_read_facts__gives_all_faults_at_once(tmp_path):
    path = spoilt(tmp_path, {"de_pz2f": {"side_mm": "x", "rear_mm": "y"}, "fr_sa37": {"combat_mass_t": ""}})
    with pytest.raises(CardError) as caught:
        read_facts(path)
    assert [fault.place for fault in caught.value.faults] == [f"{path}:2", f"{path}:2", f"{path}:{1 + len(FACTS)}"]


def test_read_facts__short_row_and_missing_column_are_faults(tmp_path):
    lines = (FOLDER / "facts.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    short = tmp_path / "short.csv"
    short.write_text(lines[0] + "de_pz2f,Panzer II\n", encoding="utf-8")
    with pytest.raises(CardError, match="de_pz2f: found more or fewer cells than columns"):
        read_facts(short)
    (empty := tmp_path / "empty.csv").touch()
    with pytest.raises(CardError, match=r"empty\.csv:1: found no columns .*combat_mass_t"):
        read_facts(empty)
    twice = tmp_path / "twice.csv"
    twice.write_text(lines[0].rstrip() + ",combat_mass_t\n", encoding="utf-8")
    with pytest.raises(CardError, match=r"twice\.csv:1: column combat_mass_t: found more than once"):
        read_facts(twice)
    headless = tmp_path / "headless.csv"
    headless.write_text("id,name,name\na,b,c\n", encoding="utf-8")
    with pytest.raises(CardError, match=r"column name: found more than once\n.*found no columns .*combat_mass_t"):
        read_facts(headless)
