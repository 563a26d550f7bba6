"""Boards: every fault with its line and column, what a board means, its picture, and the command."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from golden.replay import Replay
from golden.test_matches import transcripts
from meetings import PLAYED

import aabalance as aab
from aabalance.boards.drawing import SQUARE, TEXTURES, middle
from aabalance.cli import main
from aabalance.errors import CardError, UsageError
from aabalance.rulesets.base.board import lines_of

ROOT = Path(__file__).resolve().parents[1]
MAPPED = [game for game in PLAYED if game != "modern_land_battles"]
"""Games whose boards are maps, and not decks."""
MEADOW = """\
name = "Meadow"
objectives = [[2, 2]]
map = '''
.....
.=~s.
..B..
.....
.....'''
[zones.north]
rect = [0, 0, 4, 0]
facing = "S"
[zones.south]
rect = [0, 4, 4, 4]
facing = "N"
"""
MAP = MEADOW[MEADOW.index("map") : MEADOW.index("[zones")].rstrip()
FORD = """\
name = "Ford"
map = '''
A1.~.2B
c..=..c
'''
turn_limit = 9
units = [
  { side = "a", type = "tank", at = [2, 0] },
  { side = "b", type = "mech", at = [4, 1], hp = 3 },
]
"""


def boards(folder: Path, text: str, game: str = "armored_advance") -> Any:
    """Return the boards of a folder with one board, ``it``."""
    (folder / "it.toml").write_text(text, encoding="utf-8")
    return aab.Game(game, boards=folder).boards


def faults(folder: Path, text: str, game: str = "armored_advance") -> list[str]:
    """Return the faults of a board, without its path."""
    with pytest.raises(CardError) as caught:
        boards(folder, text, game).check()
    return [line.removeprefix(f"{folder}/it.toml:") for line in str(caught.value).splitlines()]


# --- faults


def test_match__on_a_board_without_a_property_of_a_side_says_why_its_units_have_no_place(tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text('name = "Bare"\nmap = """\nA..\n...\n"""\n', encoding="utf-8")
    game = aab.Game("skirmish_wars", boards=tmp_path)
    said = (
        "list b: unit 1, Tank: found no place, expected a property of b on the board, near which it stands, or a place"
    )
    with pytest.raises(aab.UsageError, match=said):
        game.match("tank", "tank", board="it", simulate=1)
    assert game.match("tank", "tank", board="it", simulate=1, rounds=1, b1={"at": [2, 1]}).trials == 1


def test_check__a_board_on_ground_that_all_may_enter_is_fine(tmp_path: Path) -> None:
    meadow = MEADOW.replace("[2, 2]", "[1, 2]")
    for text in (meadow, meadow.replace("'''", '"""'), f"\ufeff{meadow}", meadow.replace("\n", "\r\n")):
        boards(tmp_path, text).check()
    boards(tmp_path, FORD, "skirmish_wars").check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("", "", "2:15: objectives.0: found building at 2,2, expected ground that units may enter"),
        (
            "[[2, 2]]",
            "[[0, 5]]",
            "2:15: objectives.0: found [0, 5], expected a square of the map: columns 0 to 4 and r",
        ),
        ("[[2, 2]]", "[[0, 2], [4, 2]]", "2:1: objectives: found [[0, 2], [4, 2]], expected an odd number of squares"),
        ("[[2, 2]]", "[[1, 2], [3, 2], [1, 2]]", "2:31: objectives.2: found [1, 2] a second time, expected once"),
        ("[[2, 2]]", "[[1, 2.5]]", "2:19: objectives.0.1: found 2.5, expected a valid integer"),
        ("=~s", "=x~", "5:3: map: found 'x' at 2,1, expected one of . = ~ w B ^ f - # T s"),
        ("..B..", "..B.", "6:5: map: found a row of 4 squares, expected 5"),
        ("..B..", "..B...", "6:6: map: found a row of 6 squares, expected 5"),
        ("4, 0]", "5, 0]", "10:1: zones.north.rect: found [0, 0, 5, 0], expected a part of the map: columns 0 to 4"),
        ("[0, 0, 4, 0]", "[-1, 0, 4, 0]", "10:1: zones.north.rect: found [-1, 0, 4, 0], expected a part of the map: c"),
        ("[0, 0, 4, 0]", "[0, 1, 4, 0]", "10:1: zones.north.rect: found [0, 1, 4, 0], expected the north-western corn"),
        ("'''\n.....", "'''.x...", "3:11: map: found 'x' at 1,0, expected one of"),
        ("4, 0]", "4, 4]", "13:1: zones.south.rect: found an overlap with zones.north, expected none"),
        ("[0, 0, 4, 0]", "[0, 0, 0, 4]", "13:1: zones.south.rect: found an overlap with zones.north, expected none"),
        ("[0, 0, 4, 0]", "[4, 0, 0, 0]", "10:1: zones.north.rect: found [4, 0, 0, 0], expected the north-western corn"),
        ('"S"', '"s"', "11:1: zones.north.facing: found 's', expected 'N', 'NE', 'E', 'SE', 'S', 'SW', 'W' or 'NW'"),
        ("objectives", "objektives", "2:1: objektives: found [[2, 2]], expected no such field; did you mean 'objectiv"),
        ("[zones.south]", "[zones.south.west]", "12:1: zones.south.rect: found nothing, expected a value"),
        ("map =", "maps =", "1:1: map: found nothing, expected a value"),
        ("..B..\n.....", "BBBBB\nBBBBB", "13:1: zones.south.rect: found no way to it, expected one from the rest"),
        (
            "[[2, 2]]\nmap = '''\n.....\n.=~s.\n..",
            "[[0, 1]]\nmap = '''\nB....\n.Bs..\nB.",
            "2:15: objectives.0: found no way to 0,1",
        ),
        ('"N"', '"N"\n[legend]\nx = "swamp"', "16:1: legend.x: found 'swamp', expected one of building, foliage"),
        ('"N"', '"N"\n[legend]\nxy = "road"', "16:1: legend.xy: found the key 'xy', expected one character"),
        (MAP, "map = '  '", "3:1: map: found '  ', expected more than blanks"),
        (
            "[zones.north]",
            '[zones.""]',
            "9:1: zones.'': found '', expected at least 1",
        ),
        ("name", "", "1: not TOML: invalid statement"),
    ],
)
def test_check__names_line_and_column_of_a_fault(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    changed = MEADOW.replace(was, becomes, 1)
    assert any(line.startswith(said) for line in faults(tmp_path, changed)), faults(tmp_path, changed)


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('"tank"', '"tanc"', "8:17: units.0.type: found 'tanc' (did you mean 'tank'?), expected one of infantry, mech"),
        ("[2, 0]", "[3, 0]", "8:32: units.0.at: found river at 3,0, expected ground that tank may enter"),
        ("[2, 0]", "[7, 0]", "8:32: units.0.at: found [7, 0], expected a square of the map: columns 0 to 6 and rows 0"),
        ("[4, 1]", "[2, 0]", "9:32: units.1.at: found a second unit at 2,0, expected one at most"),
        ("hp = 3", "hp = 9", "9:45: units.1.hp: found 9, expected less than or equal to 8"),
        ("turn_limit = 9", "turn_limit = 0", "6:1: turn_limit: found 0, expected greater than or equal to 1"),
    ],
)
def test_check__units_of_a_board(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    (line,) = faults(tmp_path, FORD.replace(was, becomes, 1), "skirmish_wars")
    assert line.startswith(said)


def test_check__a_property_that_nobody_can_reach(tmp_path: Path) -> None:
    tanks = aab.Game("skirmish_wars").cards.only(["tank"])
    (tmp_path / "it.toml").write_text(FORD.partition("turn_limit")[0].replace("..=..", "..~~."), encoding="utf-8")
    with pytest.raises(CardError) as caught:
        aab.Game("skirmish_wars", tanks, boards=tmp_path).boards.check()
    lines = [line.partition("it.toml:")[2] for line in str(caught.value).splitlines()]
    assert lines == [
        f"{place}: map: found no way to the {name}, expected one from the rest of the map"
        for place, name in (("3:6", "factory b at 5,0"), ("3:7", "hq b at 6,0"), ("4:7", "city at 6,1"))
    ]


def test_check__gives_all_faults_at_once_in_the_order_of_lines(tmp_path: Path) -> None:
    both = MEADOW.replace("=~s", "=x~").replace('"S"', '"s"').replace("4, 4]", "4, 5]")
    assert [line.split(": ")[:2] for line in faults(tmp_path, both)] == [
        ["2:15", "objectives.0"],
        ["5:3", "map"],
        ["11:1", "zones.north.facing"],
        ["13:1", "zones.south.rect"],
    ]


def test_check__a_map_larger_than_a_match_has_room_for(tmp_path: Path) -> None:
    wide = MEADOW.replace("'''\n.....", "'''\n" + ".....\n" * 800, 1)
    assert any("map: found 4020 squares, expected at most 3600" in line for line in faults(tmp_path, wide))
    traps = MEADOW.replace("'''\n.....", "'''\n" + "TTTTT\n" * 13, 1)
    assert any("map: found 65 tank traps, expected at most 64" in line for line in faults(tmp_path, traps))


def test_check__a_map_as_large_as_a_match_has_room_for(tmp_path: Path) -> None:
    meadow, first = MEADOW.replace("[2, 2]", "[4, 2]"), "'''\n....."
    boards(tmp_path, meadow.replace(first, "'''\n" + ".....\n" * 716, 1)).check()  # 720 rows of 5
    boards(tmp_path, meadow.replace(first, "'''\n" + "TTTT.\n" * 16, 1)).check()  # 64 tank traps


def test_check__a_zone_has_a_way_to_it_if_a_part_of_it_has(tmp_path: Path) -> None:
    corner = MEADOW.replace("[2, 2]", "[1, 2]").replace("'''\n.....\n.=~s.", "'''\n.B...\nB=~s.")
    assert "B=~s" in corner
    boards(tmp_path, corner).check()


@pytest.mark.parametrize("blank", ["\u2028", "\u2029", "\x85"])
def test_rows__end_where_check_says_that_they_do(tmp_path: Path, blank: str) -> None:
    sound = MEADOW.replace("[[2, 2]]", "[[1, 2]]")
    read = boards(tmp_path, sound.replace("=~s", f"={blank}~s"))
    read.check()
    assert lines_of(read["it"].table["map"]) == lines_of(boards(tmp_path, sound)["it"].table["map"])


@pytest.mark.parametrize("name", ["\\u0008", "\\u001b[31m", "\\u2066"])
def test_check__a_name_that_no_picture_and_no_terminal_can_show(tmp_path: Path, name: str) -> None:
    assert any(": name: found " in line for line in faults(tmp_path, MEADOW.replace('name = "', f'name = "{name}')))


# --- boards


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_boards__ours_are_fine(game: str) -> None:
    known = aab.Game(game).boards
    known.check()
    assert sorted(path.stem for path in (ROOT / "unitdb" / game / "boards").iterdir()) == list(known)
    for key, board in known.items():
        assert board.key == key
        assert {len(row) for row in board.rows} == {board.width}
        assert board.height == len(board.rows)


def test_boards__one_with_faults_stands_in_the_way_of_no_other(tmp_path: Path) -> None:
    (tmp_path / "fine.toml").write_text(MEADOW.replace("[2, 2]", "[1, 2]"), encoding="utf-8")
    known = boards(tmp_path, MEADOW)
    assert repr(known["fine"]) == "<Board fine: Meadow, 5 x 5, 2 zones, 1 objective>"
    with pytest.raises(CardError):
        known["it"]


def test_boards__what_cannot_be_found_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"board: found 'vilage' \(did you mean 'village'\?\), expected one of river"):
        aab.Game().boards["vilage"]
    (lane := tmp_path / "mine" / "lane.toml").parent.mkdir()
    lane.touch()
    with pytest.raises(UsageError, match=re.escape(f"; of a file its name, lane, with --boards {lane.parent}")):
        aab.Game().boards[str(lane)]
    with pytest.raises(UsageError, match=r"expected one of river, small, village$"):
        aab.Game().boards["lane.toml"]
    with pytest.raises(UsageError, match=r"boards: found no folder .*nowhere, expected one with boards"):
        _ = aab.Game(boards=tmp_path / "nowhere").boards
    with pytest.raises(UsageError, match=re.escape(f"boards: found no TOML file in {tmp_path}, expected boards there")):
        aab.Game(boards=tmp_path).boards["village"]


def test_with__keeps_the_folder_of_the_boards(tmp_path: Path) -> None:
    boards(tmp_path, MEADOW.replace("[2, 2]", "[1, 2]"))
    game = aab.Game(boards=tmp_path).with_(changes=["su_t34_85.hp=40"])
    assert list(game.boards) == ["it"]
    assert list(game.with_(boards=ROOT / "unitdb/armored_advance/boards").boards) == ["river", "small", "village"]


@pytest.mark.parametrize(
    ("unit", "closed"),
    [
        ("de_tiger1", {"building", "low wall", "high wall", "tank trap"}),
        ("de_leig18", {"building", "low wall", "high wall", "thick mud", "moderately deep water"}),
        ("inf_rifle", {"building"}),
    ],
)
def test_enters__as_the_table_of_grounds_says(unit: str, closed: set[str]) -> None:
    game = aab.Game()
    rules = game.ruleset.match()
    assert rules is not None
    assert rules.board is not None
    grounds = {ground.name for ground in rules.board.legend.values()}
    assert {name for name in grounds if not rules.board.enters(game.cards[unit], name)} == closed


def test_board__own_characters_play_like_the_games(tmp_path: Path) -> None:
    """A board whose legend has characters of its own begins a match in the same state."""
    setup = next(case["setup"] for case in transcripts("skirmish_wars").values())
    ford = FORD.replace("units = [", "drawn = [").partition("drawn")[0]
    ours = boards(tmp_path, ford, "skirmish_wars")["it"]
    own = boards(tmp_path, ford.replace("c", "o") + '[legend]\no = "city: a remark"\n', "skirmish_wars")["it"]
    assert own.rows[1] == "o..=..o"
    assert own.ground(0, 1).name == "city"
    one, other = (Replay("skirmish_wars", setup | {"board": board.table, "units": []}) for board in (ours, own))
    assert one.state() == other.state()
    assert (one.tables.ground == other.tables.ground).all()


def test_board__text_has_coordinates_legend_and_what_it_brings(tmp_path: Path) -> None:
    said = str(boards(tmp_path, FORD, "skirmish_wars")["it"])
    assert "    0123456\n  0 A1.~.2B\n  1 c..=..c\n" in said
    assert "  ~  river\n" in said
    assert said.endswith("units of a: tank 2,0\nunits of b: mech 4,1\nturn_limit: 9")
    bare = replace(boards(tmp_path, FORD, "skirmish_wars")["it"], marks={}, table={"name": "It", "turn_limit": 9})
    assert str(bare).endswith("\n\nturn_limit: 9")
    stand = aab.Game("skirmish_wars").boards["last_stand"]
    assert str(stand).endswith("\nmoney: { a = 0, b = 0 }\nturn_limit: 12")
    assert (stand.to_dict()["money"], stand.to_dict()["turn_limit"]) == ({"a": 0, "b": 0}, 12)
    small = str(aab.Game().boards["small"])
    assert "              1\n    0123456789012345\n  0 ....=" in small
    assert small.endswith("zone north: 0,0 to 15,3\nzone south: 0,20 to 15,23\nobjectives: 2,7  7,11  13,16")


def test_board__text_has_one_row_of_numbers_up_to_ten_columns_and_only_the_grounds_of_its_map(tmp_path: Path) -> None:
    said = str(boards(tmp_path, FORD, "skirmish_wars")["it"]).splitlines()
    assert said[:4] == ["Ford (it), 7 x 2", "", "    0123456", "  0 A1.~.2B"]
    assert sorted(line[2] for line in said[said.index("") + 5 :] if line.startswith("  ")) == sorted("A1.~2Bc=")


def test_board__of_hexes_may_have_rows_that_are_one_shorter_and_draws_odd_ones_half_a_hex_to_the_right(
    tmp_path: Path,
) -> None:
    """The folder's board of our own, but that odd rows lack their last hex."""
    name, number = "crossroads", iter(range(100))
    text = (ROOT / f"unitdb/forumini/boards/{name}.toml").read_text(encoding="utf-8")
    head, drawn, tail = text.split('"""')
    rows = [row.rstrip() for row in drawn.strip("\n").split("\n")]
    short = "\n".join(row[:-2] if next(number) % 2 else row for row in rows)
    known = boards(tmp_path, f'{head}"""\n{short}\n"""{tail}', "forumini")
    known.check()
    board = known["it"]
    assert [len(row) for row in board.rows] == [11, 10, 11, 10, 11, 10, 11]
    assert (board.width, board.height) == (11, 7)
    assert "\n  0 . . . w . = b . . . .\n  1  . . w w . = . . h .\n  2 . b" in str(board)


DECKS = (ROOT / "unitdb/modern_land_battles/boards/skirmish.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("victory = 12", "victory = 0", "3:1: victory: found 0, expected greater than or equal to 1"),
        ("hand = 5", "", "1:1: hand: found nothing, expected a value"),
        ("raid = {", "raids = {", "16:1: action.raids"),
        ("minefield = { count = 2", "minefield = { count = 2.5", "21:15: action.minefield.count: found 2.5, expected"),
        ('"calm"', '"quiet"', "34:45: terrain.heights.benefit: found 'quiet', expected 'none', 'draw', 'flank'"),
    ],
)
def test_check__names_line_and_column_of_a_fault_in_a_deck(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    lines = faults(tmp_path, DECKS.replace(was, becomes, 1), "modern_land_battles")
    assert any(line.startswith(said) for line in lines), lines


def test_board__of_decks_says_what_they_hold(tmp_path: Path) -> None:
    board = boards(tmp_path, DECKS, "modern_land_battles")["it"]
    assert board.summary == {"victory": 12, "force": 13, "hand": 5, "action": 50, "terrain": 10}
    assert "\nriver         1      3        5   flank\n" in str(board)
    assert board.to_dict()["action"]["raid"] == {"count": 3, "maneuver": 3, "reinforce": 2}
    assert repr(board) == "<Board it: Skirmish, victory 12, force 13, hand 5, action 50, terrain 10>"
    said = command("--game", "modern_land_battles")[1].splitlines()
    assert said[0].split() == ["board", "name", "victory", "force", "hand", "action", "terrain"]


# --- pictures


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in MAPPED for name in aab.Game(game).boards])
def test_svg__draws_all_that_a_board_brings(game: str, name: str) -> None:
    board = aab.Game(game).boards[name]
    drawn = board._repr_svg_()
    tree = ElementTree.fromstring(drawn)
    assert tree.attrib["aria-label"] == f"{board.name}, {board.width} × {board.height}"
    texts = ["".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    for words in (board.zones, [str(at) for at in range(max(board.width, board.height))]):
        assert set(words) <= set(texts)
    for ground in board.legend.values():
        assert f"url(#ground-{ground.texture.replace(' ', '-')})" in drawn
        assert ground.name.removesuffix(f" {ground.owner}") in texts
    assert drawn.count('r="4" fill="#fff"') == len(board.objectives) + bool(board.objectives)
    assert drawn.count("scale(.85)") == sum("at" in unit for unit in board.units)
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")  # nothing is loaded


def test_svg__a_square_has_the_mark_of_the_side_that_owns_it(tmp_path: Path) -> None:
    drawn = boards(tmp_path, FORD, "skirmish_wars")["it"]._repr_svg_()
    marks = re.findall(r'href="#side-(.)" transform="translate\(([\d.]+),([\d.]+)\) scale\(.38\)"', drawn)
    owned = {(side, int(float(x) / SQUARE), int(float(y) / SQUARE)) for side, x, y in marks}
    assert owned == {("a", 0, 0), ("a", 1, 0), ("b", 5, 0), ("b", 6, 0)}


def test_svg__a_unit_stands_on_its_square(tmp_path: Path) -> None:
    drawn = boards(tmp_path, FORD, "skirmish_wars")["it"]._repr_svg_()
    units = re.findall(r'translate\(([\d.]+),([\d.]+)\) scale\(.85\)"><use href="#side-(.)"', drawn)
    at = [(side, int(float(x) / SQUARE), int(float(y) / SQUARE)) for x, y, side in units]
    assert at == [("a", 2, 0), ("b", 4, 1)]


def test_svg__a_unit_shows_how_many_hits_it_has_left_where_the_board_says_so(tmp_path: Path) -> None:
    drawn = boards(tmp_path, FORD, "skirmish_wars")["it"]._repr_svg_()
    assert re.findall(r'<text y="4.8"[^>]*>([^<]*)</text>', drawn) == ["", "3"]


@pytest.mark.parametrize("game", MAPPED)
def test_svg__has_room_for_all_of_its_legend(game: str) -> None:
    for board in aab.Game(game).boards.values():
        drawn = board._repr_svg_()
        [(width, height)] = re.findall(r'viewBox="0 0 (\d+) (\d+)"', drawn)
        entries = re.findall(r'translate\((\d+),(\d+)\)"><g transform="scale\(1.8\)">', drawn)
        assert max(int(y) for _, y in entries) + 10 * 1.8 <= int(height), board.key
        assert max(int(x) for x, _ in entries) + 10 * 1.8 <= int(width), board.key


def test_svg__legend_has_signs_of_units_on_the_map_alone() -> None:
    """Its batteries stand off the table."""
    drawn = aab.Game("armour_battles").boards["crossroads"]._repr_svg_()
    assert re.findall(r">(armour|recon|anti-tank|artillery)<", drawn) == ["armour", "recon", "anti-tank"]


@pytest.mark.parametrize(("columns", "scale"), [(5, "1"), (16, "1"), (32, "2")])
def test_svg__objectives_of_a_map_of_more_than_sixteen_columns_are_larger_than_its_squares(
    tmp_path: Path, columns: int, scale: str
) -> None:
    rows = "\n".join(["." * columns] * 5)
    wide = MEADOW.replace(MAP, f"map = '''\n{rows}'''")
    drawn = boards(tmp_path, wide)["it"]._repr_svg_()
    assert re.findall(r'scale\((\S+)\)"><circle r="4"', drawn)[0] == scale


def test_svg__of_decks_counts_the_rows_of_either_side_from_the_front() -> None:
    """Force Formation: three Rows a side, the first ones face each other. Set-Up: Breakthrough is in the center."""
    drawn = aab.Game("modern_land_battles").boards["standard"]._repr_svg_()
    rows = re.findall(r'y="([\d.]+)"[^>]*text-anchor="end">([^<]*)</text>', drawn)
    assert [number for _, number in sorted(rows, key=lambda row: float(row[0]))] == ["3", "2", "1", "", "1", "2", "3"]
    areas = re.findall(r'<text x="([\d.]+)"[^>]*>(\w+) Area</text>', drawn)
    (left, one), (center, among), (right, other) = sorted((float(x), name) for x, name in areas)
    assert (among, {one, other}) == ("Breakthrough", {"Flanking", "Terrain"})
    # Each is six squares wide, a column lies between two, and its name stands in its middle.
    assert (left, center, right) == (3 * SQUARE, 10 * SQUARE, 17 * SQUARE)


def test_middle__hexes_that_touch_are_drawn_a_width_apart_and_no_others() -> None:
    board = aab.Game("forumini").boards["crossroads"]
    middles = {(x, y): middle(board, x, y) for x, y in product(range(6), range(6))}
    for (x, y), at in middles.items():
        near = {other for other, there in middles.items() if 0 < math.dist(at, there) < SQUARE * 1.01}
        assert near == (board.around(x, y) & {*middles}) - {(x, y)}
    assert middles[0, 0][0] == SQUARE / 2  # the first column begins at the edge


def test_svg__a_zone_of_hexes_has_a_line_around_it_and_none_within() -> None:
    board = aab.Game("forumini").boards["crossroads"]
    outlines = re.findall(r'<path d="([^"]*)" fill="none" stroke="[^"]*" stroke-width="1.2"/>', board._repr_svg_())
    assert len(outlines) == len(board.zones) > 0
    for outline, (x0, y0, x1, y1) in zip(outlines, board.zones.values(), strict=True):
        zone = {*product(range(x0, x1 + 1), range(y0, y1 + 1))}
        assert len(zone) > 1
        # `around` has the hex itself, too.
        assert outline.count("M") == sum(7 - len(board.around(x, y) & zone) for x, y in zone)


@pytest.mark.parametrize("game", PLAYED)
def test_svg__grounds_are_told_apart_without_colour(game: str) -> None:
    rules = aab.Game(game).ruleset.match()
    assert rules is not None
    assert rules.board is not None
    kinds = {(ground.name.removesuffix(f" {ground.owner}"), ground.texture) for ground in rules.board.legend.values()}
    assert len({texture for _, texture in kinds}) == len(kinds)
    assert len(set(TEXTURES.values())) == len(TEXTURES)


def test_svg__the_picture_of_the_page_is_todays() -> None:
    drawn = aab.Game(boards=ROOT / "tests/data/unitdb/armored_advance/boards").boards["small"]._repr_svg_()
    assert (ROOT / "docs/board.svg").read_text(encoding="utf-8") == drawn


# --- command


def command(*words: str) -> tuple[int, str]:
    ran = CliRunner().invoke(main, ["boards", *words])
    return ran.exit_code, ran.output


def test_command__lists_shows_draws(tmp_path: Path) -> None:
    code, said = command()
    assert code == 0
    assert said.splitlines()[2].split() == ["small", "Farm", "lane", "16", "x", "24", "2", "3", "0"]
    assert command("small") == (0, f"{aab.Game().boards['small']}\n")
    path = tmp_path / "small.svg"
    ran = CliRunner().invoke(main, ["boards", "small", "--svg", str(path)])
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", f"{path}: Farm lane\n")  # /dev/stdout has the map alone
    assert path.read_text(encoding="utf-8") == aab.Game().boards["small"]._repr_svg_()


def test_command__prints_json() -> None:
    code, said = command("--json", "--game", "skirmish_wars")
    assert code == 0
    assert [one["board"] for one in json.loads(said)] == ["crossing", "crossing_armies", "last_stand", "two_towns"]
    one = json.loads(command("crossing_armies", "--json", "--game", "skirmish_wars")[1])
    assert (one["width"], one["height"], len(one["units"]), one["map"][0]) == (8, 6, 8, "A1.=~*.c")


def test_command__checks_all_boards_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("name = 3", encoding="utf-8")
    boards(tmp_path, MEADOW)
    code, said = command("check", "--boards", str(tmp_path))
    assert code == 2
    assert said.splitlines()[-1].startswith(f"{tmp_path}/it.toml:2:15: objectives.0: found building")
    assert sum("broken.toml:1:1: " in line for line in said.splitlines()) == 3
    (tmp_path / "broken.toml").unlink()
    boards(tmp_path, MEADOW.replace("[2, 2]", "[1, 2]"))
    assert command("check", "--boards", str(tmp_path)) == (0, "1 board is fine\n")
    # Nobody has to begin by himself on boards that bring units.
    assert command("check", "--game", "skirmish_wars") == (0, "4 boards are fine\n")


@pytest.mark.parametrize(
    ("game", "ground", "why"),
    [
        (
            "skirmish_wars",
            "A..\n...",
            "list b: unit 1, Infantry: found no place, expected a property of b on the board",
        ),
        ("armour_battles", "~~~~\n~~~~", "list a: unit 1, StuG III: found no free square at its edge, expected one"),
        ("armour_battles", "....\n....", ""),
    ],
)
def test_command__says_of_a_board_that_nobody_can_begin_on_it(tmp_path: Path, game: str, ground: str, why: str) -> None:
    """It is no fault of the board: units may be put on it by --with."""
    (tmp_path / "bare.toml").write_text(f'name = "Bare"\nmap = """\n{ground}\n"""\n', encoding="utf-8")
    code, said = command("check", "--game", game, "--boards", str(tmp_path))
    first, *more = said.splitlines()
    assert (code, first) == (0, "1 board is fine")
    assert [line.startswith(f"bare: no match of a unit against itself can begin on it: {why}") for line in more] == [
        True
    ] * bool(why)


def test_command__refuses_a_scenario_whose_units_cant_begin(tmp_path: Path) -> None:
    scenario = 'name = "Bare"\nmap = """\n....\n....\n"""\nunits = [{ side = "a", type = "us_m4_76", at = [0, 0] }]\n'
    (tmp_path / "bare.toml").write_text(scenario, encoding="utf-8")
    code, said = command("check", "--game", "armour_battles", "--boards", str(tmp_path))
    assert code == 2
    assert said.strip() == (
        f"{tmp_path}/bare.toml:6: units: no match of them can begin: list b: found no unit but batteries, "
        "expected one at least"
    )


@pytest.mark.parametrize(
    ("game", "key", "said"),
    [
        ("armour_battles", 'turn_limit = "7"', "turn_limit: found '7', expected a valid integer"),
        ("armour_battles", "turn_limit = true", "turn_limit: found true, expected a valid integer"),
        ("forumini", "deploy = true", "deploy: found true, expected a valid integer"),
        ("forumini", "turns = [9, 3]", "turns: found [9, 3], expected the last turn not before the first"),
        ("modern_land_battles", "victory = true", "victory: found true, expected a valid integer"),
    ],
)
def test_check__a_number_is_no_text_and_no_truth(game: str, key: str, said: str, tmp_path: Path) -> None:
    board = {"armour_battles": "crossroads", "forumini": "crossroads", "modern_land_battles": "standard"}[game]
    whole = (ROOT / "unitdb" / game / "boards" / f"{board}.toml").read_text(encoding="utf-8")
    changed = re.sub(rf"^{key.split()[0]} = .*$", key, whole, count=1, flags=re.MULTILINE)
    assert key in changed
    (tmp_path / "it.toml").write_text(changed, encoding="utf-8")
    code, answer = command("check", "--game", game, "--boards", str(tmp_path))
    assert code == 2
    assert said in answer


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("vilage",), "board: found 'vilage' (did you mean 'village'?), expected one of river, small, village"),
        (("small", "--fair", "--rounds", "3"), "--rounds: found an option of match, expected --with rounds=3"),
        (("--svg", "x.svg"), "--svg: found without the name of a board, or with --json, expected a board to draw"),
        (("small", "--svg", "/nowhere/x.svg"), "/nowhere/x.svg: can't be written: found no folder /nowhere"),
        (("--boards", "/nowhere"), "boards: found no folder /nowhere, expected one with boards"),
        (("--boards", ""), "'--boards': found '', expected a path"),
    ],
)
def test_command__says_what_is_wrong_in_a_line(words: tuple[str, ...], said: str) -> None:
    assert command(*words) == (2, f"error: {said}\n")
