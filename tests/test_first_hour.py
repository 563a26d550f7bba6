"""What goes wrong in somebody's first hour, a line each and exit code 2; and what a terminal shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from aabalance import cli
from aabalance.errors import counted, shown
from aabalance.files import data_folder
from aabalance.game import Game

COMMAND = Path(sys.executable).with_name("aabalance")
ITALY = data_folder("unitdb") / "armored_advance" / "italy.toml"
SHOT = ("shot", "de_tiger1", "su_t34_85", "--range", "18")


def real(*words, shell='exec "$0" "$@"', **options):
    """The installed command, run by a shell."""
    if sys.platform == "win32":
        pytest.skip("there is no such shell there")
    line = ["sh", "-c", shell, COMMAND, *map(str, words)]
    ran = subprocess.run(line, capture_output=True, text=True, timeout=60, **options)
    ran.stderr = ran.stderr.removeprefix("at work\n")  # said on a busy machine
    return ran


def run(*words):
    return CliRunner().invoke(cli.main, [str(word) for word in words])


def refusal(*words):
    """The one line that a command ends with; nothing is printed besides, and the exit code is 2."""
    ran = run(*words)
    assert (ran.exit_code, ran.stdout) == (2, ""), ran.output
    assert ran.stderr.count("\n") == 1, ran.stderr
    return ran.stderr.rstrip("\n")


def on_terminal(*words, columns=80):
    """What a terminal shows, without colours; the exit code is 0."""
    fcntl, pty, termios = (
        pytest.importorskip(name, reason="there are no such terminals here") for name in ("fcntl", "pty", "termios")
    )
    process, screen = pty.fork()
    if process == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        os.execve(COMMAND, [str(COMMAND), *map(str, words)], environment)
    said = b""
    while True:
        try:
            more = os.read(screen, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        said += more
    os.close(screen)
    _, status = os.waitpid(process, 0)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.decode()).replace("\r\n", "\n")
    assert os.waitstatus_to_exitcode(status) == 0, text
    return re.sub("(?m)^at work\n", "", text)  # said on a busy machine


@pytest.fixture
def few(tmp_path):
    """A folder with a small roster."""
    (tmp_path / "few").mkdir()
    shutil.copy(ITALY, tmp_path / "few")
    return tmp_path / "few"


# --- where the output goes


@pytest.mark.slow
@pytest.mark.parametrize("words", [("cards",), ("cards", "check"), SHOT, ("--help",), ("cards", "-h"), ("--version",)])
def test_output__closed_or_full_is_one_line(words):
    closed = real(*words, shell='exec "$0" "$@" >&-')
    assert (closed.returncode, closed.stderr) == (2, "error: standard output: can't be written: it is closed\n")
    full = real(*words, shell='exec "$0" "$@" >/dev/full')
    assert (full.returncode, full.stderr) == (2, "error: standard output: No space left on device\n")


@pytest.mark.slow
def test_output__errors_closed_is_no_error_of_ours(few):
    assert real("cards", "check", shell='exec "$0" "$@" 2>&-').stdout == f"{len(Game().cards)} cards are fine\n"
    assert real("cards", "chekc", shell='exec "$0" "$@" 2>&-').returncode == 2
    assert real("matchups", "--cards", few, shell='exec "$0" "$@" 2>&-').returncode == 0


@pytest.mark.slow
def test_folder__that_was_removed_under_a_command_is_named(tmp_path):
    (tmp_path / "gone").mkdir()
    ran = real("gate", "--game", "skirmish_wars", shell='cd gone && rmdir ../gone && exec "$0" "$@"', cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (2, "error: current folder: No such file or directory\n")


@pytest.mark.slow
def test_export__to_a_pipe_by_name(few):
    named, dash = (real("cards", "export", to, "--cards", few).stdout for to in ("/dev/stdout", "-"))
    assert named == dash != ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is full here")
@pytest.mark.parametrize(
    ("words", "ending", "said"),
    [
        (("tune", "--anchor", "it_m13_40=60"), ".csv", "6 of 6 prices change"),
        (("metagame", "--points", 60, "--battles", 50_000), ".toml", "kind of list"),
        (("list", "best", "--points", 60, "--battles", 50_000, "--counter", "it_ab41"), ".png", "In the order"),
    ],
)
def test_out__what_was_found_is_printed_though_no_file_can_be_kept(few, tmp_path, words, ending, said):
    path = tmp_path / f"full{ending}"
    path.symlink_to("/dev/full")
    ran = run(*words, "--cards", few, "--out", path)
    assert ran.exit_code == 2
    assert ran.stderr.endswith(f"error: {path}: can't be written: No space left on device\n")
    assert said in ran.stdout


@pytest.mark.parametrize("command", [("cards", "export"), ("matchups", "--out")])
def test_out__file_in_a_folder_that_is_not_there(few, tmp_path, command):
    path = tmp_path / "slip" / "x.csv"
    said = refusal(*command, path, "--cards", few)
    assert said == f"error: {path}: can't be written: found no folder {path.parent}"
    assert not (tmp_path / "slip").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("matchups", "--out"),
        ("tune", "--out"),
        ("metagame", "--out"),
        ("diff", "--html"),
        ("diff", "--markdown"),
        ("gate", "--junit"),
        ("gate", "--markdown"),
        ("match", "us_m8", "us_m8", "--board", "village", "--replay"),
        ("cards", "--print"),
    ],
)
@pytest.mark.parametrize("name", ["italy.toml", "facts.csv"])
def test_out__cards_and_facts_are_not_replaced(few, words, name):
    path = few / name
    path.write_text("mine")
    assert refusal(*words, path).startswith(
        f"error: {words[-1]}: found {path}, another file, expected a name that isn't "
    )
    assert path.read_text() == "mine"


@pytest.mark.parametrize("words", [("matchups", "--out"), ("tune", "--out")])
def test_out__accepted_numbers_begin_as_tables_do_and_are_not_replaced(tmp_path, words):
    path = tmp_path / "worth.csv"
    shutil.copy(next((data_folder("reports") / "baseline").rglob("worth.csv")), path)
    assert ", another file, expected " in refusal(*words, path)


@pytest.mark.slow
def test_out__own_file_of_before_is_replaced(few):
    path = few / "x.csv"
    path.touch()
    for form in ((), (), ("--json",), ("--json",), ()):
        assert run("matchups", "--cards", few, "--out", path, *form).exit_code == 0
    field = shutil.copy(data_folder("reports") / "armored_advance.field.toml", few.parent)
    assert "'x' is not a valid integer" in refusal("metagame", "--out", field, "--points", "x")


@pytest.mark.parametrize(
    "words",
    [
        ("cards", "--cards", ""),
        ("report", "--out", ""),
        ("matchups", "--out", ""),
        ("cards", "export", ""),
        ("cards", "import", ""),
    ],
)
def test_path__empty_one_is_refused(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refusal(*words)
    assert said.endswith(": found '', expected a path")
    assert (words[-2] if words[-2].startswith("--") else "FILE.csv") in said
    assert os.listdir(tmp_path) == []


# --- card files


def test_cards__empty_file_alone_is_no_roster(tmp_path):
    (tmp_path / "x.toml").touch()
    for words in (("cards",), ("cards", "check"), ("matchups",), ("report",)):
        assert "found no card in the TOML files of" in refusal(*words, "--cards", tmp_path)


def test_cards__empty_file_beside_others_is_nothing(few):
    (few / "x.toml").touch()
    assert run("cards", "check", "--cards", few).stdout == "6 cards are fine\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with a name there")
def test_cards__pipe_does_not_hang(few):
    os.mkfifo(few / "a.toml")
    ran = real("cards", "check", "--cards", few)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"error: {few}/a.toml: found a folder, a pipe or a device, expected a file\n"


@pytest.mark.slow
def test_cards__five_thousand_brackets(few):
    (few / "a.toml").write_text("[a]\nx = " + "[" * 5000 + "]" * 5000, encoding="utf-8")
    ran = real("cards", "check", "--cards", few)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert ran.stderr.startswith(f"{few}/a.toml:2: found tables and lists nested more than 50 deep")


def test_cards__byte_order_mark_stays(few):
    path = few / "italy.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ITALY.read_bytes())
    (few / "x.csv").write_text("id,hp\nit_ab41,9\n", encoding="utf-8")
    said = run("cards", "import", few / "x.csv", "--cards", few).stdout
    assert said == "it_ab41.hp: 8 -> 9\n1 field of 1 card changed\n"
    changed = ITALY.read_text(encoding="utf-8").split("[it_ab41]")
    changed[1] = changed[1].replace("hp = 8\n", "hp = 9\n", 1)
    assert path.read_bytes() == b"\xef\xbb\xbf" + "[it_ab41]".join(changed).encode()


def test_check__one_card_is_one(tmp_path):
    text = ITALY.read_text(encoding="utf-8")
    first = text.index("\n[", text.index("\n[") + 1)
    (tmp_path / "x.toml").write_text(text[:first], encoding="utf-8")
    assert run("cards", "check", "--cards", tmp_path).stdout == "1 card is fine\n"


def test_faults__the_one_left_over_is_one(tmp_path):
    text = "".join(f"a{n} = 1\n" for n in range(51))
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    assert run("cards", "check", "--cards", tmp_path).stderr.endswith("\n... and 1 fault more\n")


def test_derive__unit_without_facts():
    assert refusal("cards", "derive", "inf_rifle").startswith("error: derive: found no facts on inf_rifle")
    assert run("cards", "derive", "tiger i").stdout == run("cards", "derive", "de_tiger1").stdout != ""


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_audit__facts_in_another_encoding(few, encoding):
    facts = (data_folder("unitdb") / "armored_advance" / "facts.csv").read_text(encoding="utf-8")
    (few / "facts.csv").write_text(f"{facts}é", encoding=encoding, errors="replace")
    assert refusal("cards", "audit", "--cards", few).endswith("expected a CSV in UTF-8")


@pytest.mark.parametrize("game", ["armored_advance", "forumini"])
def test_audit__facts_saved_by_a_spreadsheet(tmp_path, game):
    shutil.copytree(data_folder("unitdb") / game, tmp_path / game)
    facts = tmp_path / game / "facts.csv"
    facts.write_bytes(b"\xef\xbb\xbf" + facts.read_bytes())
    words = ("cards", "audit", "--game", game)
    assert run(*words, "--cards", tmp_path / game).stdout == run(*words).stdout != ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with a name there")
@pytest.mark.parametrize("make", ["mkfifo", "mkdir"])
def test_audit__facts_that_are_no_file(few, make):
    getattr(os, make)(few / "facts.csv")
    ran = real("cards", "audit", "--cards", few)
    said = f"error: {few}/facts.csv: found a folder, a pipe or a device, expected a file\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"id,hp\nit_ab41,\xe9\n", "x.csv:2: found the byte 0xe9, expected a CSV in UTF-8"),
        ("id,hp\n".encode("utf-16"), "x.csv:1: found the byte 0xff, expected a CSV in UTF-8"),
        (b"id,hp\nit_ab41," + b"1" * 5000, "found '111111111111111111111111111...1111111111111111111111111111', expec"),
        (b"id,hp\nit_ab41," + b"[" * 9000, "x.csv:2: it_ab41.hp: found '[[[["),
        (b"id,requisition\nit_ab41,0\n", "x.csv:2: it_ab41.requisition: found 0, expected greater than or equal to 1"),
    ],
)
def test_import__odd_cells_are_one_line(few, tmp_path, content, expected):
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    assert expected in refusal("cards", "import", path, "--cards", few)


# --- options that contradict each other


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--with", "range_in=3"), "error: --with: range_in: found 18.0 and 3, expected one value"),
        (("--moved", "--with", "moved=false"), "error: --moved: moved: found false and true, expected one value"),
        (
            ("--facing", "rear", "--with", "angled=true"),
            "error: situation angled: found true, expected false at the rear: angled is 30 to 60 degrees off the "
            "front axis",
        ),
        (
            ("--facing", "rear", "--with", "facing=front"),
            "error: --with: facing: found 'rear' and 'front', expected one value",
        ),
        (("--with", "walls=1", "--with", "walls=2"), "error: --with: walls: found 1 and 2, expected one value"),
        (
            ("--variant", "resolution=sum", "--variant", "resolution=one_die"),
            "error: --variant: resolution: found 'sum' and 'one_die', expected one value",
        ),
        (
            ("--set", "de_tiger1.hp=3", "--set", "de_tiger1.hp=4"),
            "error: --set: de_tiger1.hp: found 3 and 4, expected one value",
        ),
    ],
)
def test_options__two_values_for_one_thing(words, expected):
    assert refusal(*SHOT, *words) == expected


def test_options__the_same_value_twice_is_no_contradiction():
    words = ("--moved", "--with", "moved=true", "--with", "range_in=18", "--facing", "side", "--with", "facing=side")
    assert run(*SHOT, *words).stdout == run(*SHOT, "--moved", "--facing", "side").stdout != ""


@pytest.mark.parametrize("facing", ["front", "side"])
def test_situation__angled_is_front_or_side(facing):
    """30 to 60 degrees off the front axis (p. 14) reach over the corner at 45 (AA-47), and never to the rear."""
    found = Game().shot("de_tiger1", "su_t34_85", range_in=18, facing=facing, angled=True)
    assert "angled" in found.situation


def test_set__keyword_goes():
    changed = run(*SHOT, "--set", "de_tiger1.keywords.accurate=false")
    assert changed.exit_code == 0
    shown_card = run("cards", "de_tiger1", "--set", "de_tiger1.keywords.accurate=false").stdout
    assert "keywords = { angling = 11 }\n" in shown_card


@pytest.mark.parametrize("path", ["weapons.x", "weapons.x.damage", "weapons.7.damage", "weapons.3"])
def test_set__no_such_element(path):
    said = refusal(*SHOT, "--set", f"de_tiger1.{path}=3")
    assert said == f"error: --set: found 'de_tiger1.{path}=3', but weapons is a list of 2, counted from 0"


def test_set__deep_and_long_values_are_one_short_line():
    for change in ("hp=" + "[" * 5000 + "]" * 5000, "x" + ".x" * 5000 + "=1", "hp=" + "9" * 9000, "hp=" + "x" * 9000):
        assert len(refusal(*SHOT, "--set", f"de_tiger1.{change}")) < 200


def test_report__weights_that_nearly_sum_to_one_are_shown_to_the_last_digit(tmp_path):
    spec = tmp_path / "x.toml"
    spec.write_text('title = "x"\ngame = "armored_advance"\n[situations.range_in]\n6 = 0.99999999\n', encoding="utf-8")
    said = "situations.range_in: found weights that sum to 0.99999999, expected weights from 0 that sum to 1"
    assert refusal("report", spec, "--out", tmp_path / "r") == f"{spec}:3: {said}"


# --- names and lists


def test_names__are_as_good_as_ids():
    for words in (SHOT[3:], ("--range", "18", "--simulate", "100")):
        command = "duel" if "--simulate" in words else "shot"
        want = run(command, "de_tiger1", "su_t34_85", *words, "--json").stdout
        assert run(command, "Tiger I", "t-34-85", *words, "--json").stdout == want != ""


def test_names__of_several_units_list_the_ids():
    frozen = Path(__file__).parent / "data/unitdb/armored_advance"
    said = refusal("shot", "Tiger I", "T-34", "--range", "18", "--cards", frozen)
    assert said == "error: unit 'T-34': found several of this name, expected one of su_t34_41, su_t34_43, su_t34_85"


def test_names__a_what_if_on_an_unknown_unit():
    assert "unknown unit 'Tiger IX'" in refusal(*SHOT, "--set", "Tiger IX.hp=3")


def ids(*words):
    ran = run("cards", *words)
    assert ran.exit_code == 0, ran.output
    return [line.split()[0] for line in ran.stdout.splitlines()[1:]]


def test_cards__filters_go_together():
    cards = Game().cards
    guns = [i for i, card in cards.items() if card.nation == "USSR" and card.class_ == "field_gun"]
    assert ids("--nation", "ussr", "--class", "FIELD_GUN") == guns != []
    assert ids("--nation", "ussr", "--class", "field gun") == guns
    assert ids("--nation", "Germany", "tiger") == ["de_tiger1", "de_tiger2", "de_jagdtiger", "de_sturmtiger"]
    fours = [i for i, card in cards.items() if "panzer" in card.name.lower() and "IV" in card.name]
    assert ids("panzer", "iv") == fours != ids("panzer")
    assert list(json.loads(run("cards", "tiger", "--nation", "germany", "--json").stdout)) == ids("tiger")


def test_cards__name_of_one_unit_shows_its_card():
    assert run("cards", "tiger i").stdout == run("cards", "de_tiger1").stdout
    assert run("cards", "tiger i").stdout.startswith("[de_tiger1]\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--nation", "finland"), "error: nation: found 'finland', expected one of France, Germany, Generic, Italy"),
        (("--class", "tank"), "error: class: found 'tank', expected one of vehicle, field_gun, infantry"),
        (("--nation", "italy", "--class", "infantry"), "error: cards: found none of nation italy and class infantry"),
        (("tiger", "--nation", "ussr"), "error: cards: found none of de_tiger1, de_tiger2, de_jagdtiger, de_sturmti"),
        (("--game", "skirmish_wars", "--nation", "x"), "error: nation: found 'x', expected none: no card of Skirmish"),
        (("tigr",), "error: unknown unit 'tigr'"),
    ],
)
def test_cards__no_match_is_one_line(words, expected):
    assert refusal("cards", *words).startswith(expected)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["armored_advance", "forumini", "skirmish_wars"])
@pytest.mark.parametrize("columns", [80, 50])
def test_cards__fits_the_terminal(game, columns):
    cards = Game(game).cards
    lines = on_terminal("cards", "--game", game, columns=columns).splitlines()[: len(cards) + 1]
    assert all(len(line) <= columns for line in lines)
    assert [line.split()[0] for line in lines[1:]] == list(cards)
    cost = Game(game).ruleset.labels.currency
    assert lines[0].split()[:2] == ["id", "name"]
    assert lines[0].split()[-1] == cost
    assert [line.split()[-1] for line in lines[1:]] == [str(t[cost]) for t in cards.tables.values()]


@pytest.mark.slow
def test_cards__nothing_is_cut_in_a_pipe():
    assert "Tiger II (Henschel turret) vehicle 70 20/9/9 8.8 cm KwK 43" in " ".join(real("cards").stdout.split())


@pytest.mark.slow
def test_audit__notes_stay_whole_on_a_terminal():
    note = " ".join(f"word{n}" for n in range(20))
    said = on_terminal("cards", "audit", "--set", f"de_tiger1.note={note}", "--set", "de_tiger1.hp=3")
    assert all(word in said for word in note.split())


@pytest.mark.slow
def test_matchups__a_terminal_gets_the_head(few):
    said = on_terminal("matchups", "--cards", few)
    rows = [line for line in said.splitlines() if line.startswith("it_")]
    assert len(rows) == 10
    whole = real("matchups", "--cards", few).stdout.splitlines()
    assert len(whole) == 2 + 6 * 6 * 18
    assert [line for line in said.splitlines() if line.startswith(("# ", "attacker,", "it_"))] == whole[:12]
    assert f"10 of {6 * 6 * 18} rows; --out FILE writes them all" in said
    as_json = on_terminal("matchups", "--cards", few, "--json")
    assert len(json.loads(next(line for line in as_json.splitlines() if line.startswith("{")))["matchups"]) == 10


# --- words


def test_counted__one_is_one():
    assert [counted(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


def test_shown__is_one_short_line_whatever_it_is():
    assert shown({"b": 2, "a": {}}) == "{ b = 2, a = {} }"
    assert shown({n: n for n in range(5)}) == "{ 0 = 0, 1 = 1, 2 = 2, 3 = 3, ... }"
    assert shown("a\nb") == "'a\\nb'"
    deep = value = []
    for _ in range(5000):
        value.append([])
        value = value[0]
    for long in (deep, "x" * 9999, list(range(9999)), {n: {n: "x" * 99} for n in range(99)}, 16**9999):
        assert len(shown(long)) <= 100
