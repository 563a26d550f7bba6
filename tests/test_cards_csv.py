"""The way to a spreadsheet and back."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import aabalance
from aabalance.cards import csv as cards_csv
from aabalance.cards.save import spelt
from aabalance.cli import main
from aabalance.errors import CardError, OutputError, UsageError
from aabalance.files import data_folder
from aabalance.game import Game

ODD = '''\
# Layouts that people use
[t_a]
name = "A"
nation = "X"
class = "vehicle"
weight = "light"
drive = "tracked"
movement = 3
hp = 5 # tough
armor.front = 3 # thick
armor.side = 2
armor.rear = 2
requisition = 10
note = """
two
lines, "quoted"
"""

[t_a.keywords]
scout = true

# its gun
[[t_a.weapons]]
name = "g" # a gun
kind = "at"
penetration = 3
damage = 2

[t_b]
name = "B"
nation = "X"
class = "vehicle"
weight = "light"
drive = "tracked"
movement = 3
hp = 5
armor = { front = 1, side = 1, rear = 1 } # thin
requisition = 10
keywords = {} # none
weapons = [
  # the first
  { name = "g", kind = "at", penetration = 1, damage = 1 }, # one
  # the second
  { name = "h", kind = "at", penetration = 2, damage = 1 }, # two
  { name = "i", kind = "ai", ai = "D3" }, # three
]

# about c
[t_c]
name = "C"
nation = "X"
class = "infantry"
weight = "light"
drive = "foot"
movement = 3
strength = 5
squad = "rifle"
requisition = 10
weapons = []
note = "c"
'''


@pytest.fixture
def folder(tmp_path):
    # The frozen cards, among which no new one can take the place of `NEW`.
    for path in (Path(__file__).parent / "data/unitdb/armored_advance").glob("*.toml"):
        shutil.copy(path, tmp_path)
    (tmp_path / "odd.toml").write_text(ODD, encoding="utf-8")
    return tmp_path


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.toml")}


def load(folder):
    return Game(cards=folder).cards


def save(folder, changes, *, encoding="utf-8", delimiter=","):
    """Export, change cells by id and column, and save as a spreadsheet would."""
    rows = list(csv.DictReader(io.StringIO(cards_csv.export(load(folder)), newline="")))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    for row in rows:
        assert changes.get(row["id"], {}).keys() <= row.keys()
        writer.writerow({**row, **changes.get(row["id"], {})})
    path = folder / "cards.csv"
    path.write_text(out.getvalue(), encoding=encoding, newline="")
    return path


def changed_lines(before, after):
    old, new = before.decode().splitlines(), after.decode().splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def messages(folder, path):
    before = files_of(folder)
    with pytest.raises(CardError) as caught:
        cards_csv.import_(load(folder), path)
    assert files_of(folder) == before
    return [str(fault).removeprefix(f"{folder}/") for fault in caught.value.faults]


def test_export__a_row_a_unit_and_dotted_columns(folder):
    rows = list(csv.DictReader(io.StringIO(cards_csv.export(load(folder)), newline="")))
    tiger = next(row for row in rows if row["id"] == "de_tiger1")
    assert next(iter(rows[0])) == "id"
    assert len(rows) == len(load(folder))
    assert "weapons" not in rows[0]  # the list itself, of a card without weapons
    assert (tiger["hp"], tiger["armor.front"], tiger["weapons.0.penetration_by_band"]) == (
        "57",
        "10",
        "[16, 16, 15, 14, 14, 13]",
    )
    assert (tiger["keywords.accurate"], tiger["keywords.scout"]) == ("true", "")
    assert next(row for row in rows if row["id"] == "t_a")["note"] == 'two\nlines, "quoted"\n'


def test_export__what_no_card_has_is_an_empty_column_lists_too():
    cards = Game("forumini").cards.only(["de_tiger_i"])
    head, row = csv.reader(io.StringIO(cards_csv.export(cards), newline=""))
    cells = dict(zip(head, row, strict=True))
    assert (cells["antivehicle"], cells["antiair"]) == ("[17, 15, 12, 12]", "")


@pytest.mark.slow
def test_import__unchanged_export_changes_no_byte(folder):
    before = files_of(folder)
    for encoding, delimiter in (("utf-8", ","), ("utf-8-sig", ";"), ("utf-8", "\t")):
        assert cards_csv.import_(load(folder), save(folder, {}, encoding=encoding, delimiter=delimiter)) == ([], {}, [])
    path = folder / "plain.csv"
    path.write_text(cards_csv.export(load(folder)), encoding="utf-8", newline="")
    assert cards_csv.import_(load(folder), path) == ([], {}, [])
    assert files_of(folder) == before


@pytest.mark.slow
def test_import__one_cell_is_one_line(folder):
    before = files_of(folder)
    (change,), _, _ = cards_csv.import_(load(folder), save(folder, {"de_tiger1": {"hp": "58"}}))
    assert change == ("de_tiger1", "hp", 57, 58)
    after = files_of(folder)
    assert [name for name in before if before[name] != after[name]] == ["germany.toml"]
    assert changed_lines(before["germany.toml"], after["germany.toml"])[1] == ["hp = 58"]
    assert len(before["germany.toml"]) == len(after["germany.toml"])


def test_import__comments_order_and_layout_stay(folder):
    changes = {
        "t_a": {"hp": "6", "armor.front": "4", "keywords.scout": "", "keywords.apc": "2", "weapons.0.name": "gg"},
        "t_b": {"armor.rear": "2", "keywords.scout": "TRUE", "year": "1942", "weapons.1.penetration": "3"},
    }
    before = files_of(folder)["odd.toml"]
    cards_csv.import_(load(folder), save(folder, changes))
    assert changed_lines(before, files_of(folder)["odd.toml"]) == (
        [
            "hp = 5 # tough",
            "armor.front = 3 # thick",
            "scout = true",
            'name = "g" # a gun',
            "armor = { front = 1, side = 1, rear = 1 } # thin",
            "keywords = {} # none",
            '  { name = "h", kind = "at", penetration = 2, damage = 1 }, # two',
        ],
        [
            "hp = 6 # tough",
            "armor.front = 4 # thick",
            "apc = 2",
            'name = "gg" # a gun',
            "year = 1942",
            "armor = { front = 1, side = 1, rear = 2 } # thin",
            "keywords = { scout = true } # none",
            '  { name = "h", kind = "at", penetration = 3, damage = 1 }, # two',
        ],
    )
    lines = files_of(folder)["odd.toml"].decode().splitlines()
    assert lines.index("year = 1942") == lines.index("[t_b]") + 3


def test_import__weapons_come_and_go(folder):
    gone = dict.fromkeys(("weapons.0.name", "weapons.0.kind", "weapons.0.penetration", "weapons.0.damage"), "")
    new = {"weapons.0.name": "r", "weapons.0.kind": "ai", "weapons.0.ai.0.min": "2", "weapons.0.ai.0.ai": "D3"}
    cards_csv.import_(load(folder), save(folder, {"t_b": gone, "t_c": new}))
    text = files_of(folder)["odd.toml"].decode()
    assert "# one" not in text
    assert '  { name = "h", kind = "at", penetration = 2, damage = 1 }, # two\n' in text
    assert 'weapons = [\n  { name = "r", kind = "ai", ai = [{ min = 2, ai = "D3" }] },\n]\n' in text
    assert [weapon.name for weapon in load(folder)["t_b"].weapons] == ["h", "i"]


def test_import__cell_that_says_the_same_is_no_change(folder):
    path = save(folder, {"t_a": {"keywords.scout": "TRUE", "movement": " 3 ", "hp": "6"}})
    assert cards_csv.import_(load(folder), path).changes == [("t_a", "hp", 5, 6)]


def test_import__a_text_of_digits_stays_a_text_and_a_whole_number_of_pandas_one(folder):
    path = save(folder, {"t_b": {"note": "1944", "hp": "6.0", "name": "7"}})
    cards_csv.import_(load(folder), path)
    card = load(folder)["t_b"]
    assert (card.note, card.hp, card.name) == ("1944", 6, "7")


def test_import__emptied_cell_deletes_the_key(folder):
    cards_csv.import_(load(folder), save(folder, {"t_c": {"note": ""}}))
    assert load(folder)["t_c"].note is None
    assert "note" not in load(folder).tables["t_c"]


def test_import__casualty_code_gives_way_to_another_form(folder):
    code = {f"weapons.0.ai.{index}.{name}": "" for index in (0, 1) for name in ("min", "ai")}
    cards_csv.import_(load(folder), save(folder, {"inf_rifle": {**code, "weapons.0.ai": "D3"}}))
    assert load(folder)["inf_rifle"].weapons[0].ai == "D3"


def test_import__text_with_breaks_and_quotes_survives(folder):
    note = 'one, "two"\nthree = [4] # five\\'
    cards_csv.import_(load(folder), save(folder, {"t_c": {"note": note}, "t_a": {"note": note}}))
    assert (load(folder)["t_c"].note, load(folder)["t_a"].note) == (note, note)


def test_import__windows_line_ends_stay(folder):
    (folder / "odd.toml").write_bytes(ODD.replace("\n", "\r\n").encode())
    cards_csv.import_(load(folder), save(folder, {"t_b": {"hp": "7"}}))
    assert files_of(folder)["odd.toml"] == ODD.replace("\n", "\r\n").replace("hp = 5\r", "hp = 7\r").encode()


def test_import__byte_order_mark_stays(folder):
    (folder / "odd.toml").write_text(ODD, encoding="utf-8-sig")
    cards_csv.import_(load(folder), save(folder, {"t_b": {"hp": "7"}}))
    after = ODD.partition("[t_b]")
    assert (
        files_of(folder)["odd.toml"]
        == ("\ufeff" + "".join(after[:2]) + after[2].replace("hp = 5", "hp = 7", 1)).encode()
    )


def test_import__a_new_field_s_line_ends_as_those_of_its_file(folder):
    weapon = {"weapons.0.name": "r", "weapons.0.kind": "ai", "weapons.0.ai": "D3"}
    (folder / "odd.toml").write_bytes(ODD.replace("\n", "\r\n").encode())
    cards_csv.import_(load(folder), save(folder, {"t_b": {"year": "1942"}, "t_c": weapon}))
    after = files_of(folder)["odd.toml"]
    assert b"year = 1942\r\n" in after
    assert b'weapons = [\r\n  { name = "r", kind = "ai", ai = "D3" },\r\n]\r\n' in after
    assert after.count(b"\r\n") == after.count(b"\n")


def test_import__a_new_field_stands_above_the_tables_of_its_card(folder):
    note = ODD[ODD.index("note = ") : ODD.index("\n[t_a.keywords]")]
    (folder / "odd.toml").write_text(ODD.replace(note, ""), encoding="utf-8")
    cards_csv.import_(load(folder), save(folder, {"t_a": {"note": "of one line"}}))
    lines = files_of(folder)["odd.toml"].decode().splitlines()
    assert lines.index('note = "of one line"') < lines.index("[t_a.keywords]")
    assert load(folder)["t_a"].note == "of one line"


def test_import__several_dotted_fields_go_at_once(folder):
    words = "keywords.scout = true # sees\nkeywords.accurate = true\nkeywords.angling = 5\n"
    (folder / "odd.toml").write_text(ODD.replace("keywords = {} # none\n", words), encoding="utf-8")
    cards_csv.import_(load(folder), save(folder, {"t_b": {"keywords.accurate": "", "keywords.angling": ""}}))
    assert files_of(folder)["odd.toml"].decode() == ODD.replace("keywords = {} # none", "keywords.scout = true # sees")


def test_import__some_rows_and_columns_are_enough(folder):
    path = folder / "some.csv"
    path.write_text("hp,id\n9,t_b\n\n,\n", encoding="utf-8")  # spreadsheets leave empty rows
    assert cards_csv.import_(load(folder), path).changes == [("t_b", "hp", 5, 9)]
    assert load(folder)["t_b"].hp == 9


def test_import__all_faults_with_their_lines_and_nothing_written(folder):
    path = folder / "bad.csv"
    path.write_text(
        'id,hp,armor.front,keywords.scout,note\nt_a,x,3,,"two\nlines"\nt_bb,1,1,,\nt_b,-1,1.5,no,\nde_tiger1,60,10,,\n',
        encoding="utf-8",
    )
    assert messages(folder, path) == [
        "bad.csv:4: unknown unit 't_bb'; did you mean t_b, t_a, t_c? A new unit has a name",
        "bad.csv:2: t_a.hp: found 'x', expected a valid integer",
        "bad.csv:5: t_b.hp: found -1, expected greater than or equal to 1",
        "bad.csv:5: t_b.armor.front: found 1.5, expected a valid integer",
        "bad.csv:5: t_b.keywords.scout: found 'no', expected true",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,hpp\nt_b,3\n", "bad.csv:1: column: found 'hpp', expected a field of a card; did you mean 'hp'?"),
        ("id,HP\nt_b,3\n", "bad.csv:1: column: found 'HP', expected a field of a card; did you mean 'hp'?"),
        ("id,hp,hp\nt_b,3,3\n", "bad.csv:1: column hp: found more than once"),
        ("hp\n3\n", "bad.csv:1: found no column 'id', expected one"),
        ("", "bad.csv:1: found no column 'id', expected one"),
        ("id,hp\nt_b,3,4\n", "bad.csv:2: t_b: found 3 cells, expected 2"),
        ("id,hp,name\nt_b\n", "bad.csv:2: t_b: found 1 cell, expected 3"),
        ("id,hp,name\n,1\n", "bad.csv:2: row: found 2 cells, expected 3"),
        ("id,hp\nt_b,3\nt_b,3\n", "bad.csv:3: t_b: found a second row, expected one"),
        (
            "id,weapons.7.name\nt_b,x\n",
            "bad.csv:2: t_b.weapons.7.name: found 'x', but weapons is a list of 3, counted from 0",
        ),
    ],
)
def test_import__shape_of_the_file(folder, text, expected):
    path = folder / "bad.csv"
    path.write_text(text, encoding="utf-8")
    assert messages(folder, path) == [expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xff\xfe", "bad.csv:1: found the byte 0xff, expected a CSV in UTF-8"),
        (b"id,name\nt_b,J\xe4ger\n", "bad.csv:2: found the byte 0xe4, expected a CSV in UTF-8"),
        (b"\xef\xbb\xbfid,name\n\xe4", "bad.csv:2: found the byte 0xe4, expected a CSV in UTF-8"),
        (b'"id,hp\nt_a,4\n', "bad.csv:1: found no CSV (unexpected end of data), expected one"),
        (b'id,hp\nt_a,4\nt_b,"3\n', "bad.csv:3: found no CSV (unexpected end of data), expected one"),
        (None, "bad.csv: can't be read: No such file or directory"),
    ],
)
def test_import__unreadable_file_is_one_line(folder, content, expected):
    path = folder / "bad.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        cards_csv.import_(load(folder), path)
    assert str(caught.value) == f"{folder}/{expected}"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_import__write_protected_file_stops_all(folder, monkeypatch):
    before = files_of(folder)
    monkeypatch.setattr(os, "access", lambda path, mode: "odd" not in str(path))  # root may write anything
    with pytest.raises(OutputError, match=r"odd\.toml: can't be written"):
        cards_csv.import_(load(folder), save(folder, {"de_tiger1": {"hp": "58"}, "t_b": {"hp": "7"}}))
    assert files_of(folder) == before
    assert not list(folder.glob(".*"))


NEW = {
    "id": "su_t34_57",
    "name": "T-34-57",
    "nation": "USSR",
    "year": "1941",
    "class": "vehicle",
    "weight": "medium",
    "drive": "tracked",
    "movement": "7",
    "hp": "27",
    "armor.front": "6",
    "armor.side": "6",
    "armor.rear": "7",
    "requisition": "55",
    "keywords.angling": "8",
    "keywords.weak_spot": "true",
    "weapons.0.name": "57 mm ZiS-4",
    "weapons.0.kind": "at",
    "weapons.0.penetration": "11",
    "weapons.0.damage": "6",
    "weapons.1.name": "DT",
    "weapons.1.kind": "ai",
    "weapons.1.ai": "D3-1",
}
NEW_TABLE = """
[su_t34_57]
name = "T-34-57"
nation = "USSR"
year = 1941
class = "vehicle"
weight = "medium"
drive = "tracked"
movement = 7
hp = 27
armor = { front = 6, side = 6, rear = 7 }
requisition = 55
keywords = { angling = 8, weak_spot = true }
weapons = [
  { name = "57 mm ZiS-4", kind = "at", penetration = 11, damage = 6 },
  { name = "DT", kind = "ai", ai = "D3-1" },
]
"""


def sheet(folder, *rows):
    path = folder / "new.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_import__a_new_id_is_a_new_unit_at_the_end_of_the_file_of_its_nation(folder):
    before = files_of(folder)
    rows = csv.DictReader(io.StringIO(cards_csv.export(load(folder)), newline=""))
    edited = next(row for row in rows if row["id"] == "t_b") | {"hp": "9"}
    changes, added, _ = cards_csv.import_(load(folder), sheet(folder, NEW, edited))
    assert changes == [("t_b", "hp", 5, 9)]
    assert added == {"su_t34_57": folder / "ussr.toml"}
    after = files_of(folder)
    assert after["ussr.toml"].decode() == before["ussr.toml"].decode() + NEW_TABLE
    assert {name for name in after if after[name] != before.get(name)} == {"ussr.toml", "odd.toml"}
    card = load(folder)["su_t34_57"]
    assert (card.hp, card.weapons[1].range) == (27, 12)


@pytest.mark.slow
def test_import__an_export_with_a_new_id_copies_the_unit(folder):
    rows = list(csv.DictReader(io.StringIO(cards_csv.export(load(folder)), newline="")))
    tiger = next(row for row in rows if row["id"] == "de_tiger1")
    cards_csv.import_(load(folder), sheet(folder, tiger | {"id": "de_tiger9", "name": "Tiger IX"}))
    cards = load(folder)
    assert cards.tables["de_tiger9"] == cards.tables["de_tiger1"] | {"name": "Tiger IX"}
    assert list(cards.tables["de_tiger9"]) == list(cards.tables["de_tiger1"])


def test_import__a_new_unit_goes_to_the_file_that_has_most_of_its_nation(folder):
    for name in ("a", "z"):  # the first file and the last have one of its nation each
        (folder / f"{name}.toml").write_text(
            NEW_TABLE.lstrip("\n").replace("su_t34_57", f"su_{name}").replace("T-34-57", name), encoding="utf-8"
        )
    assert cards_csv.import_(load(folder), sheet(folder, NEW)).added == {"su_t34_57": folder / "ussr.toml"}


def test_import__a_new_nation_is_a_new_file(folder):
    shutil.copy(data_folder("unitdb") / "armored_advance/unit.schema.json", folder)
    row = NEW | {"id": "pl_7tp", "name": "7TP", "nation": "Free Poland"}
    _, added, _ = cards_csv.import_(load(folder), sheet(folder, row))
    assert added == {"pl_7tp": folder / "free_poland.toml"}
    text = (folder / "free_poland.toml").read_text(encoding="utf-8")
    assert text.startswith('#:schema ./unit.schema.json\n\n[pl_7tp]\nname = "7TP"\n')
    assert load(folder)["pl_7tp"].nation == "Free Poland"


def test_import__a_new_nation_in_a_folder_without_a_schema_begins_with_its_unit(folder):
    cards_csv.import_(load(folder), sheet(folder, NEW | {"nation": "Poland"}))
    assert (folder / "poland.toml").read_text(encoding="utf-8") == NEW_TABLE.lstrip("\n").replace("USSR", "Poland")


def test_spelt__is_the_same_in_any_order_and_another_for_another_kind_of_value():
    assert spelt({"hp": 1, "armor": {"front": 2, "rear": 1}}) == spelt({"armor": {"rear": 1, "front": 2}, "hp": 1})
    assert spelt({"hp": 1}) != spelt({"hp": True})


def test_import__windows_line_ends_of_a_file_are_those_of_its_new_unit(folder):
    (folder / "odd.toml").write_bytes(ODD.replace("\n", "\r\n").encode())
    cards_csv.import_(load(folder), sheet(folder, NEW | {"nation": "X"}))
    text = files_of(folder)["odd.toml"]
    assert text == (ODD + NEW_TABLE.replace("USSR", "X")).replace("\n", "\r\n").encode()


def test_import__all_faults_of_new_units_with_their_lines_and_nothing_written(folder):
    rows = (
        {name: value for name, value in NEW.items() if name not in ("hp", "armor.rear")} | {"drive": "hover"},
        NEW | {"id": "su t34"},
        NEW | {"id": "de_tigr1", "name": "Tiger I (Ausf. E)"},
        NEW | {"id": "su_t34_58", "weapons.1.ai": "D4"},
        NEW | {"id": "su_t34_58", "hp": "28"},
    )
    assert messages(folder, sheet(folder, *rows)) == [
        "new.csv:3: found the id 'su t34', expected one of letters, digits, _ and -",
        "new.csv:4: de_tigr1.name: found 'Tiger I (Ausf. E)', expected another: it is the name of de_tiger1",
        "new.csv:6: su_t34_58: found a second row, expected one",
        "new.csv:2: su_t34_57.drive: found 'hover', expected 'tracked', 'half_track', 'wheeled' or 'towed'",
        "new.csv:2: su_t34_57.hp: found nothing, expected a value",
        "new.csv:2: su_t34_57.armor.rear: found nothing, expected a value",
        "new.csv:5: su_t34_58.weapons.1.ai: found 'D4', expected a casualty code such as 'D3-1', 'D6-2' or '1' "
        "or a list",
    ]


def test_import__a_new_unit_of_a_game_without_nations(tmp_path):
    shutil.copytree(data_folder("unitdb") / "skirmish_wars", tmp_path / "cards")
    game = Game("skirmish_wars", cards=tmp_path / "cards")
    rows = list(csv.DictReader(io.StringIO(cards_csv.export(game.cards), newline="")))
    _, added, _ = cards_csv.import_(
        game.cards, sheet(tmp_path, rows[0] | {"id": "guard", "name": "Guard", "cost": "2"})
    )
    (path,) = added.values()
    assert path.parent == tmp_path / "cards"
    assert Game("skirmish_wars", cards=tmp_path / "cards").cards["guard"].cost == 2


@pytest.mark.slow
def test_derive__a_new_row_of_facts_becomes_a_card(tmp_path):
    folder = tmp_path / "cards"
    shutil.copytree(data_folder("unitdb") / "armored_advance", folder)
    with (folder / "facts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    fact = next(row for row in rows if row["id"] == "su_t34_41") | {"id": "su_t34_x", "name": "T-34 X"}
    with (folder / "facts.csv").open("a", encoding="utf-8", newline="") as file:
        csv.DictWriter(file, list(fact)).writerow(fact)
    done = CliRunner().invoke(main, ["cards", "derive", "su_t34_x", "--cards", str(folder)])
    assert done.exit_code == 0
    with (folder / "ussr.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + done.stdout.replace("\nkeywords", "\nrequisition = 50\nkeywords"))
    assert CliRunner().invoke(main, ["cards", "check", "--cards", str(folder)]).exit_code == 0
    old, new = (Game(cards=folder).cards.tables[unit_id] for unit_id in ("su_t34_41", "su_t34_x"))
    assert new == old | {"name": "T-34 X"}


# --- the package's own cards --------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path, folder):
    """A copy of the package with few cards of its own, and a CSV that changes one."""
    package = Path(aabalance.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, tmp_path / "copy" / "aabalance", ignore=ignored)
    shutil.copytree(package.parent / "unitdb", tmp_path / "copy" / "unitdb", ignore=ignored)
    (tmp_path / "copy" / "pyproject.toml").touch()
    (tmp_path / "new.csv").write_text("id,hp\nde_tiger1,58\n")
    return tmp_path / "copy"


def run_import(own, *words, stdin=subprocess.DEVNULL):
    return subprocess.run(
        [sys.executable, "-m", "aabalance", "cards", "import", "../new.csv", *words],
        cwd=own,
        env={**os.environ, "PYTHONPATH": str(own)},
        stdin=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_import__package_s_own_cards_change_on_demand_alone(own):
    german = own / "unitdb" / "armored_advance" / "germany.toml"
    before = german.read_text(encoding="utf-8")
    shown = "de_tiger1.hp: 57 -> 58\n"
    refused = run_import(own)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.removeprefix("at work\n") == (
        f"error: --cards: found none, so that {german.parent} would change, expected --cards FOLDER, or --yes\n"
    )
    dry = run_import(own, "--dry-run")
    assert (dry.returncode, dry.stdout) == (0, shown + "1 field of 1 card would change\n")
    assert german.read_text(encoding="utf-8") == before
    assert run_import(own, "--yes").stdout == shown + "1 field of 1 card changed\n"
    assert german.read_text(encoding="utf-8") == before.replace("hp = 57", "hp = 58", 1)


def test_import__says_how_many_fields_of_how_many_cards(folder):
    path = save(folder, {"de_tiger1": {"hp": "58", "movement": "5"}, "t_a": {"hp": "6"}})
    ran = CliRunner().invoke(main, ["cards", "import", str(path), "--cards", str(folder), "--dry-run"])
    assert ran.output.endswith("3 fields of 2 cards would change\n"), ran.output


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="terminals")
@pytest.mark.parametrize(("answer", "changed"), [(b"n\n", False), (b"y\n", True)])
def test_import__asks_at_a_terminal_before_the_package_s_own_cards_change(own, answer, changed):
    german = own / "unitdb" / "armored_advance" / "germany.toml"
    before = german.read_bytes()
    master, slave = os.openpty()
    os.write(master, answer)
    ran = run_import(own, stdin=slave)
    os.close(slave)
    os.close(master)
    assert f"These are the package's own cards: {german}. Change them? [y/N]: " in ran.stderr
    assert ran.stdout.endswith("changed\n" if changed else "would change\n")
    assert (german.read_bytes() != before) == changed


def test_export__keeps_a_file_that_is_there(folder, tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("mine")
    words = ["cards", "export", str(path), "--cards", str(folder)]
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 2
    assert ran.stderr == f"error: {path}: found a file of this name, expected none, or --overwrite\n"
    assert path.read_text() == "mine"
    assert CliRunner().invoke(main, [*words, "--overwrite"]).exit_code == 0
    assert path.read_text() == cards_csv.export(load(folder))


def test_copy__has_no_rules_which_are_never_read_from_there(tmp_path):
    """The chart of Skirmish Wars is the game's, whatever `--cards` says."""
    assert CliRunner().invoke(main, ["cards", "copy", str(tmp_path), "--game", "skirmish_wars"]).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"units.toml", "unit.schema.json"}
    derived = tmp_path / "aa"
    assert CliRunner().invoke(main, ["cards", "copy", str(derived)]).exit_code == 0
    assert {"facts.csv", "germany.toml", "unit.schema.json"} <= {path.name for path in derived.iterdir()}


def test_copy__is_the_games_own_folder_and_replaces_none(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()  # as a disk that was full leaves it
    assert CliRunner().invoke(main, ["cards", "copy", str(mine), "--game", "forumini"]).exit_code == 0
    assert Game("forumini", cards=mine).cards.tables == Game("forumini").cards.tables
    for name in ("nonsense", ".."):
        ran = CliRunner().invoke(main, ["cards", "copy", str(tmp_path / "other"), "--game", name])
        assert (ran.exit_code, ran.output.partition(", expected one of ")[0]) == (2, f"error: game: found {name!r}")
    assert not (tmp_path / "other").exists()
    again = CliRunner().invoke(main, ["cards", "copy", str(mine)])
    assert (again.exit_code, again.output) == (
        2,
        f"error: {mine}: found it there already, expected a new folder, or an empty one\n",
    )
