"""The way to a spreadsheet and back."""

from __future__ import annotations

import csv
import io
import os
import shutil

import pytest

from aabalance.cards import csv as cards_csv
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
    for path in (data_folder("unitdb") / "armored_advance").glob("*.toml"):
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


def test_import__unchanged_export_changes_no_byte(folder):
    before = files_of(folder)
    for encoding, delimiter in (("utf-8", ","), ("utf-8-sig", ";")):
        assert cards_csv.import_(load(folder), save(folder, {}, encoding=encoding, delimiter=delimiter)) == []
    path = folder / "plain.csv"
    path.write_text(cards_csv.export(load(folder)), encoding="utf-8", newline="")
    assert cards_csv.import_(load(folder), path) == []
    assert files_of(folder) == before


def test_import__one_cell_is_one_line(folder):
    before = files_of(folder)
    (change,) = cards_csv.import_(load(folder), save(folder, {"de_tiger1": {"hp": "58"}}))
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
    assert cards_csv.import_(load(folder), path) == [("t_a", "hp", 5, 6)]


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


def test_import__some_rows_and_columns_are_enough(folder):
    path = folder / "some.csv"
    path.write_text("hp,id\n9,t_b\n\n", encoding="utf-8")
    assert cards_csv.import_(load(folder), path) == [("t_b", "hp", 5, 9)]
    assert load(folder)["t_b"].hp == 9


def test_import__all_faults_with_their_lines_and_nothing_written(folder):
    path = folder / "bad.csv"
    path.write_text(
        'id,hp,armor.front,keywords.scout,note\nt_a,x,3,,"two\nlines"\nt_bb,1,1,,\nt_b,-1,1.5,no,\nde_tiger1,60,10,,\n',
        encoding="utf-8",
    )
    assert messages(folder, path) == [
        "bad.csv:4: unknown unit 't_bb'; did you mean t_b, t_c, t_a?",
        "bad.csv:2: t_a.hp: found 'x', expected a valid integer",
        "bad.csv:5: t_b.hp: found -1, expected greater than or equal to 1",
        "bad.csv:5: t_b.armor.front: found 1.5, expected a valid integer",
        "bad.csv:5: t_b.keywords.scout: found 'no', expected true",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,hpp\nt_b,3\n", "bad.csv:1: column: found 'hpp', expected a field of a card; did you mean 'hp'?"),
        ("id,hp,hp\nt_b,3,3\n", "bad.csv:1: column hp: found more than once"),
        ("hp\n3\n", "bad.csv:1: found no column 'id', expected one"),
        ("", "bad.csv:1: found no column 'id', expected one"),
        ("id,hp\nt_b,3,4\n", "bad.csv:2: t_b: found 3 cells, expected 2"),
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


@pytest.mark.parametrize("content", [b"\xff\xfe", b'id,hp\nt_b,"3\n', None])
def test_import__unreadable_file_is_one_line(folder, content):
    path = folder / "bad.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        cards_csv.import_(load(folder), path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_import__write_protected_file_stops_all(folder, monkeypatch):
    before = files_of(folder)
    monkeypatch.setattr(os, "access", lambda path, mode: "odd" not in str(path))  # root may write anything
    with pytest.raises(OutputError, match=r"odd\.toml: can't be written"):
        cards_csv.import_(load(folder), save(folder, {"de_tiger1": {"hp": "58"}, "t_b": {"hp": "7"}}))
    assert files_of(folder) == before
    assert not list(folder.glob(".*"))
