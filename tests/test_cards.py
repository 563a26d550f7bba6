"""The card reader: every fault at once, each with its file and line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from aabalance import cards, rulesets
from aabalance.cards import Cards, line_of, put
from aabalance.errors import CardError, UnknownUnitError, UsageError
from aabalance.files import data_folder
from aabalance.game import Game

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
    assert ran.stderr.replace(f"{tmp_path}/", "").splitlines() == [
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
        "x.toml:12: tank.keywords.scuot: found True, expected no such field; did you mean 'scout'?"
    ]
    assert "x.toml:10: tank.armour: found" in faults(tmp_path, ("armor", "armour"))[1]


def test_read__contradicting_keywords(tmp_path):
    assert faults(tmp_path, ("scout = true", "casemate = true, reverse_casemate = true")) == [
        "x.toml:12: tank.keywords: found {'casemate': True, 'reverse_casemate': True}, "
        "expected casemate and reverse_casemate contradict each other"
    ]


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
        ("hp = 10", "hp = true", "x.toml:9: tank.hp: found True, expected a valid integer"),
        ('"Tank"', '""', "x.toml:3: tank.name: found '', expected at least 1 character"),
    ],
)
def test_read__fault_stands_where_it_is(tmp_path, old, new, expected):
    assert faults(tmp_path, (old, new)) == [expected]


def test_read__value_of_several_kinds_is_one_fault(tmp_path):
    (found,) = faults(tmp_path, ('ai = [{ min = 4, ai = "D3-1" }, { min = 1, ai = "D3-2" }]', 'ai = "X9"'))
    assert found.startswith("x.toml:16: tank.weapons.1.ai: found 'X9', expected a casualty code")


def test_read__folder_without_cards(tmp_path):
    with pytest.raises(UsageError, match="found no TOML file in"):
        Cards.read(SCHEMA, tmp_path)


def test_line_of__every_way_to_write_a_key(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(
        '[a]\narmor.front = 3\n"quoted key" = 4\nweapons = [\n  # first\n  { name = "g" },\n'
        '  { name = "m",  ai = [\n    { min = 4 },\n    { min = 1 } ] },\n]\n[a.keywords]\nscout = true\n'
        '[[b.weapons]]\nname = "x"\n[[b.weapons]]\nname = "y"\n[b.weapons.sub]\nq = 1\n',
        encoding="utf-8",
    )
    places = {
        ("a",): 1,
        ("a", "armor", "front"): 2,
        ("a", "quoted key"): 3,
        ("a", "weapons", 0, "name"): 6,
        ("a", "weapons", 1, "ai"): 7,
        ("a", "weapons", 1, "ai", 1, "min"): 9,
        ("a", "keywords", "scout"): 12,
        ("b", "weapons", 0, "name"): 14,
        ("b", "weapons", 1): 15,
        ("b", "weapons", 1, "name"): 16,
        ("b", "weapons", 1, "sub", "q"): 18,
        ("a", "weapons", 0, "missing"): 6,
        ("nowhere",): 1,
    }
    assert {place: line_of(path, place) for place in places} == places


def test_with_changes__what_if_counts_and_the_cards_stay():
    game = Game(changes=["su_t34_85.hp=14", "su_t34_85.weapons.0.name=Gun", "su_t34_85.keywords.scout=true"])
    card = game.cards["su_t34_85"]
    assert (card.hp, card.weapons[0].name, card.keywords["scout"]) == (14, "Gun", True)
    before = Game().cards
    assert before.with_changes(["su_t34_85.hp=14"]).hash != before.hash
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
        ("su_t34_85=3", UsageError, "expected id.field=value"),
        ("su_t34_86.hp=3", UnknownUnitError, "did you mean su_t34_85"),
    ],
)
def test_with_changes__wrong_what_if(change, error, message):
    with pytest.raises(error) as caught:
        Game(changes=[change])
    assert message in str(caught.value)


def test_put__a_list_grows_by_one_at_its_end():
    table = {"weapons": [{"name": "a"}]}
    put(table, ["weapons", "1", "name"], "b")
    put(table, ["ai", "0", "min"], 4)
    assert table == {"weapons": [{"name": "a"}, {"name": "b"}], "ai": [{"min": 4}]}


def test_getitem__unknown_id_proposes_the_nearest():
    with pytest.raises(UnknownUnitError, match="unknown unit 'de_tiger'; did you mean de_tiger"):
        Game().cards["de_tiger"]


def test_json_schema__committed_copy_is_current():
    path = data_folder("unitdb") / "armored_advance" / cards.SCHEMA_FILE
    # bring it up to date by writing cards.json_schema(Card) to that path
    assert path.read_text(encoding="utf-8") == cards.json_schema(SCHEMA)
