"""The card reader: every fault at once, each with its file and line."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
from handmade import ai, vehicle
from pydantic import ValidationError

from aabalance import cards, rulesets
from aabalance.analysis.matchups import matchups
from aabalance.cards import Cards
from aabalance.cards.tables import put
from aabalance.errors import CardError, UnknownUnitError, UsageError
from aabalance.files import data_folder
from aabalance.game import Game
from aabalance.rulesets.armored_advance.card import sides_and_plus

SCHEMA = rulesets.load("armored_advance").Card
GOOD = """\
# a comment
[tank]
name = "Tank"
nation = "X"
class = "vehicle"
weight = "light"
drive = "tracked"
movement = 4
hp = 10
armor = { front = 3, side = 2, rear = 2 }
requisition = 50
keywords = { scout = true }
weapons = [
  # the gun
  { name = "Gun", kind = "at", penetration = 5, damage = 4 },
  { name = "MG", kind = "ai", ai = [{ min = 4, ai = "D3-1" }, { min = 1, ai = "D3-2" }], range = 12 },
]
"""


def faults(folder, *changes, name="x.toml"):
    """What the reader says about the good card with changes, without the folder."""
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(CardError) as caught:
        Cards.read(SCHEMA, folder)
    return [str(fault).removeprefix(f"{folder}/") for fault in caught.value.faults]


@pytest.mark.slow
def test_read__four_faults_are_four_lines_and_exit_2(tmp_path):
    text = (
        GOOD.replace("movement = 4\n", "movement = 4.5\n")
        .replace("hp = 10\n", "")
        .replace('weight = "light"', 'weight = "huge"')
        .replace("damage = 4", "damage = 0")
    )
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    command = Path(sys.executable).with_name("aabalance")
    ran = subprocess.run([command, "cards", "check", "--cards", tmp_path], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.removeprefix("at work\n").replace(f"{tmp_path}/", "").splitlines() == [
        "x.toml:2: tank.hp: found nothing, expected a value",
        "x.toml:6: tank.weight: found 'huge', expected 'light', 'medium' or 'heavy'",
        "x.toml:8: tank.movement: found 4.5, expected a valid integer",
        "x.toml:14: tank.weapons.0.damage: found 0, expected greater than or equal to 1",
    ]


def test_read__shipped_cards_are_fine():
    assert len(Game().cards) >= 131


def test_read__duplicate_id_across_files(tmp_path):
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    assert faults(tmp_path) == [f"x.toml:2: tank: this id stands in {tmp_path}/a.toml already"]


def test_read__faults_of_all_files_together(tmp_path):
    (tmp_path / "a.toml").write_text(GOOD.replace("[tank]", "[other]").replace("hp = 10", "hp = 0"), encoding="utf-8")
    (tmp_path / "b.toml").write_text("x = 3\n", encoding="utf-8")
    (tmp_path / "c.toml").write_bytes(b"[\xff]\n")
    found = faults(tmp_path, ("hp = 10", "hp = -1"))
    assert [line.partition(": ")[0] for line in found] == ["b.toml:1", "c.toml:1", "a.toml:9", "x.toml:9"]


@pytest.mark.parametrize(
    ("old", "new", "line"), [("hp = 10", "hp = ", 9), ('name = "Tank"', 'name = "Tank', 3), ("\n]\n", "\n", 16)]
)
def test_read__toml_syntax_error_has_its_line(tmp_path, old, new, line):
    (found,) = faults(tmp_path, (old, new))
    assert found.startswith(f"x.toml:{line}: not TOML: ")


def test_read__misspelt_key_proposes(tmp_path):
    assert faults(tmp_path, ("keywords = { scout", "keywords = { scuot")) == [
        "x.toml:12: tank.keywords.scuot: found true, expected no such field; did you mean 'scout'?"
    ]
    assert "x.toml:10: tank.armour: found" in faults(tmp_path, ("armor", "armour"))[1]


def test_read__contradicting_keywords(tmp_path):
    assert faults(tmp_path, ("scout = true", "casemate = true, reverse_casemate = true")) == [
        "x.toml:12: tank.keywords: found { casemate = true, reverse_casemate = true }, "
        "expected casemate and reverse_casemate contradict each other"
    ]


GUN = ('class = "vehicle"', 'class = "field_gun"'), ('drive = "tracked"', 'drive = "towed"')
SQUAD = (
    ('class = "vehicle"', 'class = "infantry"\nstrength = 2\nsquad = "rifle"'),
    ('drive = "tracked"', 'drive = "foot"'),
    ("hp = 10\narmor = { front = 3, side = 2, rear = 2 }\n", ""),
)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ((*GUN, ("scout", "towing")), "12: tank.keywords: found { towing = true }, expected no towing of a field gun"),
        ((*GUN, ("scout = true", "apc = 2")), "12: tank.keywords: found { apc = 2 }, expected no apc of a field gun"),
        (SQUAD, "12: tank.keywords: found { scout = true }, expected none of a squad"),
        (GUN[:1], "7: tank.drive: found 'tracked', expected towed of a field gun, another of a vehicle"),
        (
            (("vehicle", "tonk"), *GUN[1:]),
            "5: tank.class: found 'tonk', expected 'vehicle', 'field_gun' or 'infantry'",
        ),
        (
            (*SQUAD, ("keywords = { scout = true }", "equipment = { grenades = 1 }"), ("rifle", "rifel")),
            "7: tank.squad: found 'rifel'",
        ),
        (GUN[1:], "7: tank.drive: found 'towed', expected towed of a field gun, another of a vehicle"),
    ],
)
def test_read__what_no_unit_of_the_class_has(tmp_path, changes, found):
    (fault,) = faults(tmp_path, *changes)
    assert fault.startswith(f"x.toml:{found}")


@pytest.mark.parametrize("code", ["D31", "D62", "D3+", "-1", "D3-1234", "", "D4", "+1"])
def test_read__casualty_code_with_a_slip_is_refused(code):
    with pytest.raises(ValidationError, match="expected a casualty code such as 'D3-1', 'D6-2' or '1'"):
        vehicle(ai(code))


@pytest.mark.parametrize(("code", "parts"), [("D3", (3, 0)), ("D6-2", (6, -2)), ("D3+1", (3, 1)), ("12", (0, 12))])
def test_casualty_code__is_a_die_and_what_is_added(code, parts):
    assert sides_and_plus(code) == parts


def test_read__id_within_a_card_is_refused(tmp_path):
    assert faults(tmp_path, ("hp = 10", 'hp = 10\nid = "x"')) == [
        "x.toml:10: tank.id: found 'x', expected no such field: [tank] says it"
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('kind = "at"', 'kind = "att"', "x.toml:15: tank.weapons.0.kind: found 'att', expected 'at', 'he', 'ai'"),
        ('kind = "at", ', "", "x.toml:15: tank.weapons.0.kind: found nothing, expected a value"),
        ("range = 12", "range = -1", "x.toml:16: tank.weapons.1.range: found -1, expected greater than 0"),
        ("range = 12", "range = nan", "x.toml:16: tank.weapons.1.range: found nan, expected a finite number"),
        ("min = 1", "min = 0", "x.toml:16: tank.weapons.1.ai.1.min: found 0, expected greater than or equal to 1"),
        ("front = 3, ", "", "x.toml:10: tank.armor.front: found nothing, expected a value"),
        ("hp = 10", "hp = true", "x.toml:9: tank.hp: found true, expected a valid integer"),
        ('"Tank"', '""', "x.toml:3: tank.name: found '', expected at least 1 character"),
    ],
)
def test_read__fault_stands_where_it_is(tmp_path, old, new, expected):
    assert faults(tmp_path, (old, new)) == [expected]


def test_read__faults_of_a_card_stand_in_the_order_of_its_lines(tmp_path):
    moved = ("hp = 10\n", ""), ('name = "Tank"\n', "movement = 0.5\nhp = 0\nname = 3\n"), ("movement = 4\n", "")
    assert [line.partition(": found")[0] for line in faults(tmp_path, *moved)] == [
        "x.toml:3: tank.movement",
        "x.toml:4: tank.hp",
        "x.toml:5: tank.name",
    ]


def test_read__value_of_several_kinds_is_one_fault(tmp_path):
    (found,) = faults(tmp_path, ('ai = [{ min = 4, ai = "D3-1" }, { min = 1, ai = "D3-2" }]', 'ai = "X9"'))
    assert found.startswith("x.toml:16: tank.weapons.1.ai: found 'X9', expected a casualty code")


def test_read__capitals_in_the_ending_of_a_name_change_nothing(tmp_path):
    shipped = data_folder("unitdb") / "skirmish_wars"
    for name, source in {"cards": "units.toml", "boards": "boards/crossing.toml"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.TOML").write_bytes((shipped / source).read_bytes())
    game = Game("skirmish_wars", cards=tmp_path / "cards", boards=tmp_path / "boards")
    assert (game.cards.hash, [*game.boards]) == (Game("skirmish_wars").cards.hash, ["mine"])
    with pytest.raises(CardError, match="found cards of skirmish_wars, expected those of forumini"):
        Game("forumini", cards=tmp_path / "cards")


def test_read__folder_without_cards(tmp_path):
    with pytest.raises(UsageError, match="found no TOML file in"):
        Cards.read(SCHEMA, tmp_path)
    for text in ("", "\n# soon\n"):
        (tmp_path / "x.toml").write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="found no card in the TOML files of"):
            Cards.read(SCHEMA, tmp_path)
    (tmp_path / "y.toml").write_text(GOOD, encoding="utf-8")
    assert list(Cards.read(SCHEMA, tmp_path)) == ["tank"]


@pytest.mark.parametrize("name", ["file", "nowhere"])
def test_read__no_folder(tmp_path, name):
    (tmp_path / "file").write_text(GOOD, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        Cards.read(SCHEMA, tmp_path / name)
    assert str(caught.value) == f"cards: found no folder {tmp_path}/{name}, expected one with unit cards"


@pytest.mark.parametrize("name", ["", "a b", "a.b", "a\\nb", "a,b", "a*3"])
def test_read__id_that_no_command_could_take(tmp_path, name):
    (found,) = faults(tmp_path, ("[tank]", f'["{name}"]'))
    shown = name.replace("\\n", "\\n")
    assert found == f"x.toml:2: found the id '{shown}', expected one of letters, digits, _ and -"


def test_read__table_within_a_table_in_place_of_a_card(tmp_path):
    """`[a.b]`: one line, and not the fields that [a] then lacks."""
    text = GOOD.replace("[tank]", "[us.tank]") + '[us.gun]\nname = "Gun"\n'
    assert faults(tmp_path, (GOOD, text)) == ["x.toml:2: us.tank: found a table in a card's place: an id has no dot"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tank = 3\n", "x.toml:1: tank: found 3, expected a table [tank]"),
        ('[[tank]]\nname = "x"\n', "x.toml:1: tank: found [{ name = 'x' }], expected a table [tank]"),
    ],
)
def test_read__no_table(tmp_path, text, expected):
    assert faults(tmp_path, (GOOD, text)) == [expected]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("gate", "a gate"), ("field", "a report or of lists"), (None, "a report or of lists")],
)
def test_read__file_of_a_gate_or_a_report_among_cards_is_one_line_that_says_so(tmp_path, name, kind):
    shipped = data_folder("reports") / ".".join(filter(None, ("armored_advance", name, "toml")))
    text = shipped.read_text(encoding="utf-8")
    line = text[: text.index("title =")].count("\n") + 1
    (tmp_path / "x.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CardError) as caught:
        Cards.read(SCHEMA, tmp_path)
    said = f"{tmp_path / 'mine.toml'}:{line}: found the file of {kind}, expected cards: move it out of their folder"
    assert str(caught.value) == said


def test_read__long_value_is_cut(tmp_path):
    (found,) = faults(tmp_path, ("hp = 10", f"hp = {list(range(500))}"))
    assert found == "x.toml:9: tank.hp: found [0, 1, 2, 3, 4, 5, ...], expected a valid integer"
    (found,) = faults(tmp_path, ("hp = 10", f"hp = '{'x' * 500}'"))
    assert len(found) < 130


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("armor = { front = 3, side = 2, rear = 2 }", "armor = []", "armor: found [], expected a table"),
        ("{ min = 4, ", "3, { min = 4, ", "weapons.1.ai.0: found 3, expected a table"),
        ("range = 12", 'range = "x"', "weapons.1.range: found 'x', expected a valid number"),
        ("penetration = 5", "penetration_by_band = [1], penetration = 5", "found [1], expected at least 6 items"),
    ],
)
def test_read__says_table_and_list_and_no_word_of_the_machinery(tmp_path, old, new, expected):
    (found,) = faults(tmp_path, (old, new))
    assert found.endswith(expected)


def test_read__byte_order_mark_is_read_over(tmp_path):
    (tmp_path / "x.toml").write_text(GOOD, encoding="utf-8-sig")
    assert list(Cards.read(SCHEMA, tmp_path)) == ["tank"]
    (tmp_path / "x.toml").write_text(GOOD.replace("hp = 10", "hp = 0"), encoding="utf-8-sig")
    with pytest.raises(CardError, match=r"x.toml:9: tank.hp: found 0"):
        Cards.read(SCHEMA, tmp_path)


@pytest.mark.slow
def test_read__thousand_faulty_cards_are_told_in_seconds(tmp_path):
    card = GOOD.replace("hp =", "hpp =")
    (tmp_path / "x.toml").write_text("".join(card.replace("[tank]", f"[tank{n}]") for n in range(1000)))
    before = time.process_time()
    with pytest.raises(CardError) as caught:
        Game(cards=tmp_path)
    assert (len(caught.value.faults), time.process_time() - before < 12) == (2000, True)


def test_cards__take_their_own_cards_for_ids():
    cards = Game().cards
    card = cards["us_m4a1"]
    assert cards[card] is card
    assert list(cards.only([card, "Tiger I"])) == ["us_m4a1", "de_tiger1"]
    assert cards.get(math.nan) is None
    changed = Game(changes=["us_m4a1.hp=1"]).cards["us_m4a1"]
    with pytest.raises(UsageError, match=r"^unit: found another card of us_m4a1 than these, expected one of these$"):
        cards.only([changed])


def test_only__keeps_the_cards_themselves_in_the_order_given():
    before = Game().cards
    few = before.only(["us_m4a1", "Tiger I", "us_m4a1"])
    assert list(few) == ["us_m4a1", "de_tiger1"]
    assert all(few[unit] is before[unit] for unit in few)
    assert len(before) == len(Game().cards) > len(few)
    assert few.with_changes(["us_m4a1.hp=31"])["us_m4a1"].hp == 31


def test_repr__counts_one_card_as_one_and_dots_stand_for_more():
    cards = Game().cards
    four = [*cards][:4]
    assert repr(cards.only(four[:1])) == f"<1 card: {four[0]}>"
    assert repr(cards.only([*cards][:5])) == f"<5 cards: {', '.join(four)} ...>"
    assert repr(Game(cards=cards.only(four[:1]))) == "<Game armored_advance: 1 card, default rules>"


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("us_m4a1", "cards: found 'us_m4a1', expected a list of ids"),
        ([], "cards: found no unit, expected one at least"),
        (["us_m4a9"], "unknown unit 'us_m4a9'"),
        (None, "cards: found none, expected a list of ids"),
        (3, "cards: found 3, expected a list of ids"),
        ([None], "unknown unit 'none'; `aabalance"),
    ],
)
def test_only__says_what_is_wrong(units, message):
    with pytest.raises(UsageError, match=message):
        Game().cards.only(units)


def test_with_changes__what_if_counts_and_the_cards_stay():
    game = Game(changes=["su_t34_85.hp=14", "su_t34_85.weapons.0.name=Gun", "su_t34_85.keywords.scout=true"])
    card = game.cards["su_t34_85"]
    assert (card.hp, card.weapons[0].name, card.keywords["scout"]) == (14, "Gun", True)
    before = Game().cards
    changed = before.with_changes(["su_t34_85.hp=14"])
    assert changed.hash != before.hash
    fields = "hp=14", "requisition=7", "name=A", "armor.side=3", "keywords.scout=true", "weapons.0.damage=3"
    assert len({before.hash, *(before.with_changes([f"su_t34_85.{field}"]).hash for field in fields)}) == 7
    again = changed.with_changes([" us_m4a1.hp+=3"]).only(["us_m4a1", "su_t34_85"])
    assert again.changes == ("su_t34_85.hp=14", "us_m4a1.hp+=3")
    assert (before["su_t34_85"].hp, before.tables["su_t34_85"]["hp"]) == (32, 32)
    assert game.shot("de_tiger1", "su_t34_85", range_in=6).p_kill > 0


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ("su_t34_85.hp=x", CardError, "--set: su_t34_85.hp: found 'x', expected a valid integer"),
        ("su_t34_85.hpp=3", CardError, "did you mean 'hp'"),
        ("su_t34_85.id=x", CardError, "--set: su_t34_85.id: found 'x'"),
        ("su_t34_85.hp.x=3", UsageError, "hp is the value 32 and has no fields"),
        ("su_t34_85.weapons.9.damage=3", UsageError, "weapons is a list of 2, counted from 0"),
        ("su_t34_85.weapons.3=x", UsageError, "weapons is a list of 2, counted from 0"),
        ("su_t34_85.weapons.x=3", UsageError, "weapons is a list of 2, counted from 0"),
        ("su_t34_85.weapons.x.damage=3", UsageError, "weapons is a list of 2, counted from 0"),
        ("su_t34_85.weapons.-1.damage=3", UsageError, "weapons is a list of 2, counted from 0"),
        ("su_t34_85.weapons.0.penetration_by_band.7=3", UsageError, "penetration_by_band is a list of 6, counted"),
        ("su_t34_85..hp=3", UsageError, "found 'su_t34_85..hp=3', expected id.field=value"),
        ("su_t34_85.hp=false", CardError, "--set: su_t34_85.hp: found false, expected a valid integer"),
        ("su_t34_85.keywords.acurate=false", CardError, "did you mean 'accurate'"),
        ("su_t34_85.weapons.5.range=false", UsageError, "weapons is a list of 2, counted from 0"),
        ("su_t34_85.requisition=0", CardError, "requisition: found 0, expected greater than or equal to 1"),
        ("su_t34_85=3", UsageError, "expected id.field=value"),
        ("su_t34_86.hp=3", UnknownUnitError, "did you mean su_t34_85"),
        ("su_t34_85.hp=+10", UsageError, "expected su_t34_85.hp=10, or su_t34_85.hp+=10 for more"),
        ("su_t34_85.hp=+1.5", UsageError, "expected su_t34_85.hp=1.5, or su_t34_85.hp+=1.5 for more"),
        (
            "su_t34_85.hp=-10",
            CardError,
            "found -10, expected greater than or equal to 1; for 10 less than it is: su_t34_85.hp-=10",
        ),
        ("su_t34_85.hp-=32", CardError, "--set: su_t34_85.hp: found 0, expected greater than or equal to 1"),
        ("su_t34_85.name+=3", UsageError, "where the card has 'T-34-85 (1944)', expected two numbers"),
        ("su_t34_85.hp+=many", UsageError, "where the card has 32, expected two numbers"),
        ("su_t34_85.hp*=inf", UsageError, "where the card has 32, expected two numbers"),
        ("su_t34_85.hp*=nan", UsageError, "where the card has 32, expected two numbers"),
        ("su_t34_85.keywords.angling*=2", UsageError, "where the card has none, expected two numbers"),
    ],
)
def test_with_changes__wrong_what_if(change, error, message):
    with pytest.raises(error) as caught:
        Game(changes=[change])
    assert message in str(caught.value)


@pytest.mark.parametrize(("change", "hp"), [("hp*=-1", -32), ("hp-=40", -8)])
def test_with_changes__no_hint_at_an_amount_where_one_or_a_factor_is_given(change, hp):
    with pytest.raises(CardError) as caught:
        Game(changes=[f"su_t34_85.{change}"])
    assert str(caught.value) == f"--set: su_t34_85.hp: found {hp}, expected greater than or equal to 1"


@pytest.mark.parametrize(
    ("change", "weapon", "field", "value"),
    [
        ("weapons.0.damage=3", 0, "damage", 3),
        ("weapons.1.name=Coax", 1, "name", "Coax"),
        ("weapons.0.penetration_by_band.5=2", 0, "penetration_by_band", (13, 12, 12, 11, 11, 2)),
        ('weapons.1={name = "Coax", kind = "ai", ai = "D3"}', 1, "name", "Coax"),
        ('weapons.2={name = "Third", kind = "ai", ai = "D3"}', 2, "name", "Third"),
    ],
)
def test_with_changes__elements_of_lists(change, weapon, field, value):
    plain = Game().cards["su_t34_85"]
    card = Game(changes=[f"su_t34_85.{change}"]).cards["su_t34_85"]
    assert getattr(card.weapons[weapon], field) == value
    assert len(card.weapons) == max(2, weapon + 1)
    kept = [n for n in (0, 1) if n != weapon]
    assert [card.weapons[n] for n in kept] == [plain.weapons[n] for n in kept]


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("hp+=10", "hp", 42),
        ("hp -= 10", "hp", 22),
        ("requisition*=1.1", "requisition", 110),
        ("requisition*=0.995", "requisition", 100),
        ("requisition*=0.985", "requisition", 99),
        ("weapons.0.penetration_by_band.5-=1", "weapons", 9),
    ],
)
def test_with_changes__by_an_amount_or_a_factor(change, field, value):
    assert Game().cards["su_t34_85"].requisition == 100
    card = Game(changes=[f"su_t34_85.{change}"]).cards["su_t34_85"]
    found = card.weapons[0].penetration_by_band[5] if field == "weapons" else getattr(card, field)
    assert (found, type(found)) == (value, int)


@pytest.mark.parametrize("unit", ["Tiger I", "tiger i (Ausf. E)", "de_tiger1"])
def test_with_changes__units_have_names_with_dots(unit):
    assert Game(changes=[f"{unit}.armor.front=9"]).cards["de_tiger1"].armor.front == 9


def test_with_changes__an_unknown_field_says_where_fields_are():
    with pytest.raises(
        CardError, match=r"de_tiger1.speed_of_light: found 3, expected no such field; `aabalance cards de_tiger1` shows"
    ):
        Game(changes=["de_tiger1.speed_of_light=3"])


def test_with_changes__by_an_amount_twice_is_refused():
    with pytest.raises(UsageError, match=r"--set: su_t34_85.hp: found \+=3 and \+=3, expected one value"):
        Game(changes=["su_t34_85.hp+=3", "su_t34_85.hp+=3"])


def test_with_changes__false_takes_away_what_cannot_be_false():
    plain, changed = Game().cards, Game(changes=["de_tiger1.keywords.accurate=false"]).cards
    assert plain["de_tiger1"].keywords == {"accurate": True, "angling": 11}
    assert changed["de_tiger1"].keywords == {"angling": 11}
    assert changed.tables["de_tiger1"]["keywords"] == {"angling": 11}
    assert Game(changes=["de_tiger1.keywords.angling=false"]).cards["de_tiger1"].keywords == {"accurate": True}
    assert Game(changes=["de_tiger1.keywords.scout=false"]).cards["de_tiger1"].keywords == plain["de_tiger1"].keywords
    assert Game(changes=["de_tiger1.year=false"]).cards["de_tiger1"].year is None
    squad = Game(changes=["inf_rifle_mg.equipment.machine_gun=false"]).cards
    assert squad.tables["inf_rifle_mg"]["equipment"] == {"machine_gun": False}


def test_with_changes__two_values_for_a_field_are_refused():
    with pytest.raises(UsageError, match=r"--set: su_t34_85.hp: found 3 and 4, expected one value"):
        Game(changes=["su_t34_85.hp=3", "su_t34_85.hp=4"])
    assert Game(changes=["su_t34_85.hp=3", "su_t34_85.hp=3"]).cards["su_t34_85"].hp == 3


def test_with_changes__text_in_place_of_a_list():
    with pytest.raises(UsageError) as caught:
        Game(changes="de_tiger1.hp=3")
    assert str(caught.value) == "changes: found 'de_tiger1.hp=3', expected a list of such texts"


@pytest.mark.parametrize(
    ("game", "change"),
    [
        ("armored_advance", "de_tiger1.requisition=0"),
        ("forumini", "fr_char_b1_bis.cost=0"),
        ("skirmish_wars", "mech.cost=0"),
        ("modern_land_battles", "us_m60a3.vp=0"),
        ("armour_battles", "de_stug3.points=0"),
    ],
)
def test_cards__nothing_is_free(game, change):
    """An exchange ratio by cost would be infinite, and no rulebook prints a unit that costs nothing."""
    with pytest.raises(CardError, match="found 0, expected greater than"):
        Game(game, changes=[change])


def test_put__a_list_grows_by_one_at_its_end():
    table = {"weapons": [{"name": "a"}]}
    put(table, ["weapons", "1", "name"], "b")
    put(table, ["ai", "0", "min"], 4)
    assert table == {"weapons": [{"name": "a"}, {"name": "b"}], "ai": [{"min": 4}]}


@pytest.mark.parametrize("word", ["Tiger I (Ausf. E)", "tiger i", "TIGER I", "de_tiger1"])
def test_getitem__name_of_one_unit_is_that_unit(word):
    found = Game().cards
    assert found[word] is found["de_tiger1"]
    assert found.id_of(word) == "de_tiger1"


def test_getitem__whole_name_comes_before_one_that_begins_so():
    found = Game(changes=["de_tiger2.name=Tiger", "de_tiger1.name=Tiger I"]).cards
    assert found.id_of("tiger") == "de_tiger2"


@pytest.mark.parametrize("word", ["t-34", "T-34"])
def test_getitem__name_of_several_units_lists_them(word):
    few = Game().cards.only(["su_t34_41", "su_t34_85", "su_kv1_41"])
    with pytest.raises(UsageError) as caught:
        few[word]
    assert str(caught.value) == f"unit '{word}': found several of this name, expected one of su_t34_41, su_t34_85"


def test_getitem__words_within_names_are_those_of_the_only_unit_or_of_several():
    cards = Game().cards
    assert cards.id_of("firefly") == "uk_firefly"
    with pytest.raises(
        UsageError, match=r"^unit 'sherman': found several of this name, expected one of uk_firefly, us_m4"
    ):
        cards.id_of("sherman")  # the only name that begins so is one of many Shermans


@pytest.mark.parametrize("word", ["", " ", "/", "T-34-", "T-3", "Tige", "iger I", "tank"])
def test_getitem__part_of_a_word_is_no_name(word):
    with pytest.raises(UnknownUnitError):
        Game().cards[word]


def test_getitem__misspelt_name_proposes():
    with pytest.raises(UnknownUnitError, match=r"unknown unit 'Tigr I'; did you mean .*Tiger I \(Ausf. E\)"):
        Game().cards["Tigr I"]


def test_game__name_is_as_good_as_the_id():
    game = Game()
    assert game.shot("Tiger I", "T-34-85", range_in=18) == game.shot("de_tiger1", "su_t34_85", range_in=18)
    by_name, by_id = (
        game.duel(*pair, range_in=18, simulate=200, seed=3)
        for pair in (("Tiger I", "T-34-85"), ("de_tiger1", "su_t34_85"))
    )
    assert by_name == by_id  # the same dice, which go by the ids
    table = matchups(game, attackers=["Tiger I"], targets=["T-34-85"])
    assert table.equals(matchups(game, attackers=["de_tiger1"], targets=["su_t34_85"]))


@pytest.mark.parametrize("unit", [None, 3, {}])
def test_game__what_is_no_unit_is_refused(unit):
    with pytest.raises(UsageError, match=r"^unit: found .*, expected an id, a name or a card of "):
        Game().shot("de_tiger1", unit, range_in=18)


def test_getitem__unknown_id_proposes_the_nearest():
    said = "unknown unit 'de_tiger'; did you mean de_tiger1, de_tiger2, de_jagdtiger"
    with pytest.raises(UnknownUnitError, match=said):
        Game().cards["de_tiger"]


def test_json_schema__committed_copy_is_current():
    path = data_folder("unitdb") / "armored_advance" / cards.SCHEMA_FILE
    remake = "remake the schema: python docs/generate.py"
    assert path.read_text(encoding="utf-8") == cards.json_schema(SCHEMA), remake


def test_with___gives_another_game_and_leaves_this_one() -> None:
    game = Game(variant={"resolution": "two_dice"})
    other = game.with_(changes=["de_tiger1.hp=40"], variant={"range_boundary": "strict"})
    assert (game.cards["de_tiger1"].hp, other.cards["de_tiger1"].hp) == (57, 40)
    assert other.reading == "resolution=two_dice, range_boundary=strict"
    assert game.reading == "resolution=two_dice"
    assert game.with_(variant="rulebook").reading == "default rules"
    assert game.with_(cards=other.cards).cards is other.cards


@pytest.mark.parametrize(("name", "value"), [("variant", Game(variant="two_dice").variant), ("varaint", "two_dice")])
def test_game__never_changes(name: str, value: object) -> None:
    game = Game()
    with pytest.raises(UsageError, match=rf"^{name}: found a new value .*, expected another: game.with_\(...\)$"):
        setattr(game, name, value)
    assert game.reading == "default rules"
    there = pickle.loads(pickle.dumps(game))
    assert (there.cards.hash, there.variant, *there.boards) == (game.cards.hash, game.variant, *game.boards)


OTHER = Game("skirmish_wars")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cards": OTHER.cards}, "cards: found <9 cards: .*, expected a folder, or cards of Armored Advance$"),
        ({"cards": 3}, "cards: found 3, expected a folder, or cards of Armored Advance$"),
        ({"variant": OTHER.variant}, "variant: found Variant.*, expected switches of Armored Advance, or a preset$"),
        ({"variant": 3}, "variant: found 3, expected switches of Armored Advance, or a preset$"),
        ({"changes": [3]}, "--set: found 3, expected id.field=value"),
        ({"changes": None}, "--set: found none, expected id.field=value"),
        ({"boards": 3}, "boards: found 3, expected a folder$"),
    ],
    ids=str,
)
def test_game__takes_only_what_is_its_own(given: dict, message: str) -> None:
    for make in (Game, Game().with_):
        with pytest.raises(UsageError, match=f"^{message}"):
            make(**given)


def test_game__name_is_a_text() -> None:
    with pytest.raises(UsageError, match=r"^game: found \['x'\], expected one of armored_advance, "):
        Game(["x"])


def test_with___checks_no_card_that_stays() -> None:
    game = Game()
    other = game.with_(changes=["de_tiger1.armor.front=11"])
    assert other.cards["de_tiger1"].armor.front == 11
    assert game.cards.tables["de_tiger1"]["armor"]["front"] == 10
    assert [unit_id for unit_id in game.cards if other.cards[unit_id] is not game.cards[unit_id]] == ["de_tiger1"]


@pytest.mark.parametrize(
    "break_", ["\\n", "\\r", "\\u2028", "\\u001b[31m", "\\u0008", "\\u007f", "\\u009b", "\\u202e", "\\u2066"]
)
def test_read__line_break_in_a_name_is_refused(tmp_path, break_):
    (tmp_path / "x.toml").write_text(GOOD.replace('name = "Tank"', f'name = "Ta{break_}nk"'), encoding="utf-8")
    with pytest.raises(CardError, match=r"x.toml:\d+: tank.name: found .*expected a text without a line break"):
        Cards.read(SCHEMA, tmp_path)
