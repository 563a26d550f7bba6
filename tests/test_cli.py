"""The command line, as people and scripts meet it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from importlib import metadata
from inspect import isfunction, signature
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import aabalance as aab
from aabalance import cli
from aabalance.files import data_folder
from aabalance.game import Game

SHOT = ("shot", "de_tiger1", "su_t34_85", "--range", "18")
DUEL = ("duel", "de_tiger1", "su_t34_85", "--range", "18")


def run(*words):
    return CliRunner().invoke(cli.main, [str(word) for word in words])


def out(*words):
    ran = run(*words)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def imported(*words):
    """The modules that a command has imported when it ends, in a process of its own."""
    code = (
        "import sys\nfrom aabalance.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: assert not end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert ran.stdout
    return set(ran.stderr.split())


# --- imports


def test_help__imports_nothing_heavy():
    assert not imported("--help") & {"numpy", "pandas", "pydantic", "numba", "scipy", "matplotlib", "rich", "tomlkit"}


@pytest.mark.slow
@pytest.mark.parametrize("words", [(*SHOT, "--json"), (*DUEL, "--json"), (*SHOT, "--explain")])
def test_one_matchup__imports_no_frames_compilers_or_plots(words):
    assert not imported(*words) & {"numpy", "pandas", "numba", "llvmlite", "scipy", "matplotlib", "rich", "tomlkit"}


# --- shot and duel


def test_shot__json_has_the_promised_keys():
    result = json.loads(out(*SHOT, "--json"))
    assert {"need", "p_damage", "damage", "expected_damage", "p_kill", "engine"} <= result.keys()
    assert (result["need"], result["p_damage"], result["engine"]) == (3, pytest.approx(7 / 9), "exact")
    assert sum(result["damage"].values()) == pytest.approx(1)


def test_shot__impossible_need_is_null():
    assert json.loads(out(*SHOT, "--json", "--set", "su_t34_85.armor.front=99"))["need"] is None


def test_shot__two_dice_have_two_needs():
    result = json.loads(out(*SHOT, "--json", "--variant", "resolution=two_dice"))
    assert {"hit_need", "pen_need"} <= result.keys()
    assert "need" not in result


def test_shot__options_reach_the_rules():
    game = Game()
    want = game.shot("su_t34_85", "de_tiger1", range_in=12.5, facing="side", moved=True, foliage=True, walls=1)
    words = ("--range", "12.5", "--facing", "side", "--moved", "--with", "foliage=true", "--with", "walls=1")
    assert json.loads(out("shot", "su_t34_85", "de_tiger1", *words, "--json")) == want.to_dict()
    assert want.p_damage != game.shot("su_t34_85", "de_tiger1", range_in=12.5, facing="side").p_damage


def test_shot__chosen_weapon_fires():
    assert "MG 34" in out("shot", "de_tiger1", "inf_rifle", "--range", "6", "--weapon", "MG 34")
    # The one that does less, if it is asked for.
    howitzer = ("shot", "us_m7", "su_t34_85", "--range", "18")
    other = next(name for name in re.findall(r"'([^']+)'", str(Game().cards["us_m7"].weapons)) if name.endswith(" AI"))
    assert "attack infantry only" in out(*howitzer, "--weapon", other, "--explain")
    assert "attack infantry only" not in out(*howitzer, "--explain")


def test_shot__what_if_counts():
    assert json.loads(out(*SHOT, "--json", "--set", "su_t34_85.hp=14"))["p_kill"] == pytest.approx(7 / 9)


MEETING = """
title = "Meeting"
game = "armored_advance"
situations.range_in = { 18 = 1 }
matches = { boards = ["village"], lists = { Cat = "de_tiger1", Mice = "su_t34_85*2" }, simulate = 1 }
"""


@pytest.mark.parametrize(
    "words",
    [
        SHOT,
        DUEL,
        ("battle", "de_tiger1", "su_t34_85*2", "--range", "18", "--actions", "2"),
        ("actions", "de_tiger1", "su_t34_85*2", "--range", "18"),
        ("match", "de_tiger1", "su_t34_85*2", "--board", "village"),
        ("ladder", "de_tiger1", "su_t34_85*2", "--board", "village"),
        ("matches", "meeting.toml"),
    ],
)
def test_set__of_a_unit_that_takes_no_part_is_refused(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "meeting.toml").write_text(MEETING, encoding="utf-8")
    ran = run(*words, "--set", "de_tiger1.hp=50", "--set", "us_m24.hp=10")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == "error: --set: found us_m24, which takes no part, expected one of de_tiger1, su_t34_85\n"


@pytest.mark.parametrize(
    ("words", "option", "field"),
    [
        ("--moved", "--moved", "moved"),
        ("--facing side", "--facing", "facing"),
        ("--with moved=true", "--with", "moved"),
    ],
)
def test_situation__the_error_names_the_option_of_a_field_that_the_game_has_not(words, option, field):
    ran = run("shot", "tank", "infantry", "--game", "skirmish_wars", "--range", "1", *words.split())
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"error: {option}: found '{field}', expected one of terrain, ")


@pytest.mark.parametrize(
    ("game", "board", "change", "code"),
    [("skirmish_wars", "crossing", "tank.cost=9", 0), ("armour_battles", "crossroads", "de_tiger1.points=9", 2)],
)
def test_what_ifs__are_of_units_that_are_bought_in_play_or_that_the_board_brings(game, board, change, code):
    lists = ["infantry", "infantry"] if game == "skirmish_wars" else []
    words = ["--game", game, "--board", board, "--rounds", "1", "--simulate", "1", "--player", "random"]
    ran = run("match", *lists, *words, "--set", change)
    assert ran.exit_code == code
    assert ("which takes no part" in ran.stderr) == (code > 0)


@pytest.mark.parametrize("words", [("ladder", "--board", "crossroads"), ("boards", "crossroads", "--fair")])
def test_what_ifs__of_a_unit_that_a_scenario_lacks_are_refused(words):
    ran = run(*words, "--game", "armour_battles", "--set", "de_tiger1.points=9")
    assert "error: --set: found de_tiger1, which takes no part" in ran.stderr


def test_shot__explain_cites_the_rulebook():
    text = out(*SHOT, "--explain")
    for words in ("range band", "margin", "need", "probability", "damage", "p. 6 Hit Roll", "p. 7 Armor Penetration"):
        assert words in text


@pytest.mark.parametrize(("text", "value"), [("none", None), ("1", 1)])
def test_variant__none_and_numbers_are_read(text, value):
    game = Game(variant={"reroll_limit": value})
    want = game.shot("de_tiger1", "su_t34_85", range_in=18).to_dict()
    assert json.loads(out(*SHOT, "--json", "--variant", f"reroll_limit={text}")) == want


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*SHOT, "--variant", "turn_limit_counts=player_turns"), "no shot depends on it"),
        ((*DUEL, "--variant", "turn_limit_counts=player_turns", "--variant", "two_dice"), "no duel depends on it"),
        (("battle", *DUEL[1:], "--actions", "1", "--variant", "turn_limit_counts=player_turns"), None),
        ((*DUEL, "--variant", "turn_limit_counts=rounds"), None),
        ((*SHOT, "--variant", "two_dice"), None),
    ],
)
def test_variant__says_what_changes_nothing_here(words, said):
    assert run(*words).stderr == (f"variant turn_limit_counts: {said}\n" if said else "")


def test_duel__json_has_the_promised_keys():
    result = json.loads(out(*DUEL, "--json"))
    assert {"p_a", "p_b", "p_draw", "player_turns", "engine"} <= result.keys()
    assert result["p_a"] + result["p_b"] + result["p_draw"] == pytest.approx(1)


def test_duel__harmless_units_draw_without_end():
    words = ("--set", "de_tiger1.armor.front=99", "--set", "su_t34_85.armor.front=99")
    result = json.loads(out(*DUEL, "--json", *words))
    assert (result["p_a"], result["p_b"], result["p_draw"], result["player_turns"]) == (0, 0, 1, None)


def test_duel__options_reach_the_rules():
    want = Game().duel("de_tiger1", "su_t34_85", range_in=18, first="b", rounds=2, facing="side").to_dict()
    assert json.loads(out(*DUEL, "--first", "b", "--rounds", 2, "--facing", "side", "--json")) == want


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [(*SHOT, "--json"), (*DUEL, "--json"), ("cards", "--json"), ("cards", "audit", "--json")]
)
def test_json__same_bytes_every_time(words):
    command = [sys.executable, "-c", "from aabalance.cli import main; main()", *words]
    first, second = (
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    )
    assert first == second
    json.loads(first)


# --- errors

UNROLLED = "--seed: found it where nothing is rolled, expected --simulate or --target-error, too\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("shot", "de_tiger", "su_t34_85", "--range", "18"),
            "unknown unit 'de_tiger'; did you mean de_tiger1, de_tiger2",
        ),
        (("duel", "de_tiger1", "su_t34", "--range", "18"), "did you mean su_t34"),
        ((*SHOT[:4], "-1"), "range_in: found -1.0, expected greater than or equal to 0"),
        ((*SHOT[:4], "nan"), "range_in: found nan, expected a finite number"),
        ((*DUEL[:4], "inf"), "range_in: found inf, expected a finite number"),
        ((*SHOT, "--variant", "resolutoin=sum"), "variant: found 'resolutoin' (did you mean 'resolution'?)"),
        ((*SHOT, "--variant", "resolution=som"), "variant resolution: found 'som', expected 'one_die'"),
        ((*SHOT, "--with", "wals=1"), "--with: found 'wals' (did you mean 'walls'?)"),
        ((*SHOT, "--with", "weapon=x"), "--with: found 'weapon'"),
        ((*SHOT, "--with", "walls=many"), "situation walls: found 'many', expected a valid integer"),
        ((*SHOT, "--facing", "top"), "situation facing: found 'top'"),
        ((*SHOT, "--weapon", "Flak"), "Flak"),
        ((*SHOT, "--game", "chess"), "game: found 'chess'"),
        ((*SHOT, "--cards", "/nowhere"), "found no folder /nowhere"),
        (
            ("worth", "de_tiger1", "--boards", "/nowhere"),
            "boards: found no folder /nowhere, expected one with boards\n",
        ),
        (("gate", "--boards", "/nowhere"), "boards: found no folder /nowhere, expected one with boards\n"),
        ((*SHOT, "--set", "su_t34_85.hp=x"), "--set: su_t34_85.hp: found 'x', expected a valid integer"),
        ((*SHOT, "--set", "su_t34_85"), "expected id.field=value"),
        ((*DUEL, "--first", "c"), "first: found 'c'"),
        ((*DUEL, "--rounds", "0"), "rounds: found 0"),
        (("cards", "de_tigre1"), "did you mean de_tiger1"),
        (
            ("cards", "show", "de_tiger1"),
            "cards: found 'show', expected units alone, or none: `aabalance cards de_tiger1`\n",
        ),
        (("cards", "list"), "cards: found 'list', expected units alone, or none: `aabalance cards`\n"),
        (("cards", "derive", "de_tigre1"), "did you mean de_tiger1"),
        (("cards", "import", "/nowhere/x.csv"), "/nowhere/x.csv: can't be read: "),
        (("cards", "export", "/dev/null/x.csv"), "/dev/null/x.csv: can't be written: "),
        (("shot",), "missing argument 'ATTACKER'; `main shot --help` says more\n"),
        (("shoot",), "no such command 'shoot'"),
        (("shot", "--rangee", "18"), "no such option"),
        (("rules", "AA-9"), "got unexpected extra argument (AA-9); `main rules --help` says more\n"),
        (SHOT[:3], "missing option '--range'; "),
        ((*DUEL, "--seed", "0"), UNROLLED),
        (("battle", "de_tiger1", "us_m24", "--range", "18", "--actions", "2", "--seed", "7", "--json"), UNROLLED),
        (("actions", "de_tiger1", "us_m24", "--range", "18", "--limits", "1-2", "--seed", "7"), UNROLLED),
        (
            ("duel", "--game", "forumini", "us_m4a1_sherman", "us_m4a1_sherman", "--range", "1", "--first", "a"),
            "first: found 'a', expected none: in forumini both sides strike at once\n",
        ),
        ((*DUEL, "--seed", "x"), "invalid value for '--seed': 'x' is not a valid integer; "),
        ((*SHOT, "--with", "=1"), "--with: found '=1', expected key=value\n"),
    ],
)
def test_error__is_one_line_and_exit_2(words, message):
    ran = run(*words)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("error: ")
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_error__of_a_file_whose_name_a_terminal_would_obey_is_one_line(tmp_path):
    folder = tmp_path / "b\x1b[31mx\u202ea\nb"
    folder.mkdir()
    (folder / "x.toml").write_text("[", encoding="utf-8")
    done = run("cards", "--cards", str(folder))
    assert done.output.startswith(f"{tmp_path}/b?[31mx?a b/x.toml:1: not TOML: ")
    assert (done.output.count("\n"), done.exit_code) == (1, 2)


def test_error__internal_is_one_line_and_exit_3(monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr(Game, "shot", broken)
    monkeypatch.delenv("AABALANCE_DEBUG", raising=False)
    ran = run(*SHOT)
    assert ran.exit_code == 3
    assert ran.stderr == "internal error: ZeroDivisionError: by zero; --debug shows where, please report it\n"
    for debugged in (run(*SHOT, "--debug"), run("--debug", *SHOT)):
        assert debugged.exit_code == 3
        assert "Traceback" in debugged.stderr
    monkeypatch.setenv("AABALANCE_DEBUG", "1")
    assert "Traceback" in run(*SHOT).stderr


def test_interrupt__is_quiet(monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Game, "shot", stopped)
    ran = run(*SHOT)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("module", ["click", "aabalance.cli.worth"])
def test_interrupt__of_the_first_imports_is_quiet(module):
    code = f"""if True:
        import runpy, signal, sys
        class Interrupts:
            def find_spec(name, *_):
                if name == {module!r}:
                    signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Interrupts)
        runpy.run_module("aabalance", run_name="__main__")"""
    ran = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.slow
def test_closed_pipe__is_quiet():
    code = "from aabalance.cli import main; main()"
    read, write = os.pipe()
    os.close(read)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ran = subprocess.run(
        [sys.executable, "-c", code, "cards"], stdout=write, stderr=subprocess.PIPE, text=True, env=env
    )
    os.close(write)
    assert (ran.returncode, ran.stderr.removeprefix("at work\n")) == (141, "")


@pytest.mark.slow
def test_error__of_the_system_is_not_of_the_output():
    resource = pytest.importorskip("resource")

    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))

    command = [sys.executable, "-c", "from aabalance.cli import main; main()", "matchups", "--game", "skirmish_wars"]
    ran = subprocess.run([*command, "--workers", "2"], capture_output=True, text=True, preexec_fn=few_files)
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (2, "error: OSError: Too many open files")


# --- cards


def test_cards__lists_all_in_plain_columns():
    lines = out("cards").splitlines()
    assert lines[0].split() == ["id", "name", "class", "hp", "armor", "main", "gun", "pen", "dmg", "requisition"]
    assert len(lines) == 1 + len(Game().cards)
    tiger = next(line for line in lines if line.startswith("de_tiger1 "))
    assert {"vehicle", "57", "10/8/8", "KwK", "15", "14"} <= set(tiger.split())
    assert tiger.split()[-1] == f"{Game().cards['de_tiger1'].requisition}"
    assert [line.split()[0] for line in out("cards", "M4A1", "(76").splitlines()[1:]] == ["us_m4a1_76w"]
    assert all(line == line.rstrip() for line in lines)


def test_cards__of_squads_alone_have_no_column_for_armour():
    lines = out("cards", "--class", "infantry").splitlines()
    assert lines[0].split() == ["id", "name", "class", "hp", "main", "gun", "pen", "dmg", "requisition"]


@pytest.mark.parametrize(
    ("game", "cost"), [("armour_battles", "points"), ("forumini", "cost"), ("modern_land_battles", "vp")]
)
def test_cards__of_units_that_have_different_columns_end_with_what_they_cost(game, cost):
    assert out("cards", "--game", game).splitlines()[0].split()[-1] == cost


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("--class", "vehicle"), ("--class", "VEHICLE")),
        (("--class", "field_gun"), ("--class", "field gun")),
        (("--nation", "ussr"), ("--nation", "USSR")),
    ],
)
def test_cards__a_class_or_nation_is_found_however_it_is_spelled(words, same):
    assert out("cards", *words) == out("cards", *same) != out("cards")
    assert len(out("cards", *words).splitlines()) > 1


def test_cards__ids_show_the_cards_as_their_files_do():
    text = out("cards", "de_tiger1", "inf_rifle")
    folder = data_folder("unitdb") / "armored_advance"
    first, second = text.split("\n\n")
    assert first in (folder / "germany.toml").read_text(encoding="utf-8")
    assert second in (folder / "infantry.toml").read_text(encoding="utf-8")
    assert list(json.loads(out("cards", "--json", "de_tiger1"))) == ["de_tiger1"]


def test_cards__show_what_ifs():
    assert "hp = 40\n" in out("cards", "su_t34_85", "--set", "su_t34_85.hp=40")


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_cards__help_is_that_of_the_group(word):
    assert "[ID]... | COMMAND" in out("cards", word)
    assert "Check all cards" in out("cards", "check", word)
    [options] = re.findall(r"Options without a command:\n((?:  .*\n)+)", out("cards", word))
    assert {*re.findall(r"^  (?:-h, )?(--[a-z]+)", options, re.M)} >= {
        "--print",
        "--nation",
        "--class",
        "--set",
        "--json",
    }
    assert all(line.strip() for line in options.splitlines())


def derived() -> int:
    """The rows of the facts, below their headings."""
    facts = data_folder("unitdb") / "armored_advance/facts.csv"
    return len(facts.read_text(encoding="utf-8").splitlines()) - 1


def test_check__counts_the_cards():
    assert out("cards", "check") == f"{len(Game().cards)} cards are fine\n"


def test_check__one_is_no_plural(tmp_path):
    (tmp_path / "cards.toml").write_text(out("cards", "de_tiger1"), encoding="utf-8")
    assert out("cards", "check", "--cards", str(tmp_path)) == "1 card is fine\n"


def test_derive__gives_the_card_with_the_cost_it_has():
    assert out("cards", "derive", "de_tiger1") == out("cards", "de_tiger1")
    assert len(json.loads(out("cards", "derive", "--json"))) == derived()


def test_audit__finds_what_deviates_and_no_cost():
    before = json.loads(out("cards", "audit", "--json"))
    words = ("--set", "de_tiger1.hp=50", "--set", "de_tiger1.note=slow", "--set", "su_t34_85.requisition=1")
    words = (*words, "--set", "su_t34_85.movement=9")
    after = json.loads(out("cards", "audit", "--json", *words))
    new = [row for row in after if row not in before]
    assert new == [
        {"id": "de_tiger1", "field": "hp", "card": 50, "derived": 57, "note": "slow"},
        {"id": "de_tiger1", "field": "note", "card": "slow", "derived": None, "note": "slow"},
        {"id": "su_t34_85", "field": "movement", "card": 9, "derived": 7, "note": None},
    ]
    text = out("cards", "audit", *words)
    assert f"{len(after)} deviations in {derived()} derived cards" in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_audit__without_facts_is_one_line(tmp_path):
    shutil.copy(data_folder("unitdb") / "armored_advance" / "italy.toml", tmp_path)
    ran = run("cards", "audit", "--cards", tmp_path)
    assert ran.exit_code == 2
    assert ran.stderr == f"error: {tmp_path}/facts.csv: found no such file, expected the facts that cards derive from\n"


def test_export_import__there_and_back(tmp_path):
    shutil.copy(data_folder("unitdb") / "armored_advance" / "italy.toml", tmp_path)
    table = tmp_path / "cards.csv"
    out("cards", "export", table, "--cards", tmp_path)
    assert table.read_text(encoding="utf-8") == out("cards", "export", "-", "--cards", tmp_path)
    assert out("cards", "import", table, "--cards", tmp_path) == "0 fields of 0 cards changed\n"
    first = Game(cards=tmp_path).cards
    unit_id = next(iter(first))
    table.write_text(f"id,hp\n{unit_id},{first[unit_id].hp + 1}\n", encoding="utf-8")
    said = out("cards", "import", table, "--cards", tmp_path)
    assert said == f"{unit_id}.hp: {first[unit_id].hp} -> {first[unit_id].hp + 1}\n1 field of 1 card changed\n"
    assert Game(cards=tmp_path).cards[unit_id].hp == first[unit_id].hp + 1
    for note, change in (("slow", "nothing -> slow"), ("", "slow -> nothing")):
        table.write_text(f"id,note\n{unit_id},{note}\n", encoding="utf-8")
        said = out("cards", "import", table, "--cards", tmp_path)
        assert said == f"{unit_id}.note: {change}\n1 field of 1 card changed\n"


# --- matchups and report


@pytest.fixture
def few(tmp_path):
    """A folder with a small roster."""
    (tmp_path / "cards").mkdir()
    shutil.copy(data_folder("unitdb") / "armored_advance" / "italy.toml", tmp_path / "cards")
    return tmp_path / "cards"


@pytest.mark.slow
def test_actions_and_worth__say_what_they_are_results_of(few):
    changed = ("--cards", few, "--variant", "two_dice", "--set", "it_m13_40.hp=40")
    economy = ("actions", "it_m13_40", "it_m13_40", "--range", "18", "--limits", "1", *changed)
    for words in (economy, ("worth", "it_m13_40", *changed)):
        assert "with resolution=two_dice, it_m13_40.hp=40" in out(*words).splitlines()
        said = json.loads(out(*words, "--json"))["provenance"]
        assert (said["variant"], said["changes"]) == ("resolution=two_dice", ["it_m13_40.hp=40"])
        assert said["cards"] == Game(cards=few, changes=["it_m13_40.hp=40"]).cards.hash


def test_matchups__csv_and_json_have_a_row_a_pair_and_situation(few, tmp_path):
    cards = Game(cards=few).cards
    text = out("matchups", "--cards", few)
    lines = text.splitlines()
    said = json.loads(lines[0].removeprefix("# "))
    assert (said["aabalance"], said["cards"]) == (metadata.version("aabalance"), cards.hash)
    assert "seed" not in said
    assert lines[1].startswith("attacker,target,range_in,facing,own_facing,weight,")
    assert len(lines) == 2 + len(cards) ** 2 * 18
    assert out("matchups", "--cards", few, "--out", tmp_path / "m.csv") == ""
    assert (tmp_path / "m.csv").read_bytes() == text.encode()
    printed = json.loads(out("matchups", "--cards", few, "--json"))
    assert printed["provenance"] == said
    rows = printed["matchups"]
    assert len(rows) == len(lines) - 2
    assert (rows[0]["attacker"], rows[0]["range_in"]) == (next(iter(cards)), 6)


def test_matchups__fights_the_rounds_of_its_definition_under_both_faces(few, tmp_path):
    definition = tmp_path / "short.toml"
    head = 'title = "Short"\ngame = "armored_advance"\nrounds = 1\n'
    text = f"{head}[situations.range_in]\n6 = 1\n[situations.own_facing]\nside = 1\n"
    definition.write_text(text, encoding="utf-8")
    rows = json.loads(out("matchups", definition, "--cards", few, "--json"))["matchups"]
    assert {(row["facing"], row["own_facing"]) for row in rows} == {("front", "side")}
    words = ("--range", "6", "--rounds", "1", "--with", "own_facing=side", "--json")
    for row in rows[::7]:
        duel = json.loads(out("duel", row["attacker"], row["target"], "--cards", few, *words))
        assert (row["p_win"], row["p_loss"], row["p_draw"]) == pytest.approx((duel["p_a"], duel["p_b"], duel["p_draw"]))
        assert row["player_turns"] == pytest.approx(duel["player_turns"])


@pytest.mark.slow
def test_report__writes_and_says_where(few, tmp_path):
    said = out("report", "--cards", few, "--out", tmp_path / "r")
    assert said == f"{tmp_path / 'r' / 'index.html'}\n"
    assert (tmp_path / "r" / "summary.md").is_file()


def test_report__definition_brings_rules_and_the_command_line_comes_first(few, tmp_path):
    own = (data_folder("reports") / "armored_advance.toml").read_text(encoding="utf-8")
    spec = tmp_path / "own.toml"
    spec.write_text('variant = { resolution = "sum", wall_rule = "both" }\n' + own, encoding="utf-8")
    head = out("matchups", spec, "--cards", few, "--variant", "resolution=two_dice").splitlines()[0]
    assert json.loads(head.removeprefix("# "))["variant"] == "resolution=two_dice, wall_rule=both"


@pytest.mark.parametrize(
    ("words", "variant"),
    [
        ((), "resolution=sum, wall_rule=both"),
        (("two_dice",), "resolution=two_dice, wall_rule=both"),
        (("page_8_terrain",), "resolution=sum, wall_rule=armor_plus_1, foliage_rule=range_plus_3"),
        (("rulebook",), "default rules"),
        (("two_dice", "resolution=one_die"), "wall_rule=both"),
        (("resolution=one_die", "two_dice"), "wall_rule=both"),
        (("two_dice", "page_8_terrain"), "resolution=two_dice, wall_rule=armor_plus_1, foliage_rule=range_plus_3"),
    ],
)
def test_report__a_preset_of_the_command_line_comes_before_the_definition(few, tmp_path, words, variant):
    own = (data_folder("reports") / "armored_advance.toml").read_text(encoding="utf-8")
    spec = tmp_path / "own.toml"
    spec.write_text('variant = { resolution = "sum", wall_rule = "both" }\n' + own, encoding="utf-8")
    head = out("matchups", spec, "--cards", few, *(word for name in words for word in ("--variant", name))).splitlines()
    assert json.loads(head[0].removeprefix("# "))["variant"] == variant


@pytest.mark.parametrize("presets", [("two_dice", "rulebook"), ("rulebook", "two_dice")])
def test_variant__presets_that_contradict_are_refused_in_either_order(presets):
    ran = run(*SHOT, *(word for name in presets for word in ("--variant", name)))
    values = {"two_dice": "two_dice", "rulebook": "one_die"}
    assert ran.exit_code == 2
    assert ran.stderr == (
        f"error: variant: found the presets {presets[0]} and {presets[1]}, which set resolution to "
        f"{values[presets[0]]} and {values[presets[1]]}, expected one of the two\n"
    )


def test_variant__switches_that_contradict_are_said_as_commands_take_them():
    presets = ("--variant", "range_defense", "--variant", "rulebook")
    ran = run("roster", "--game", "modern_land_battles", *presets)
    assert "which set range_defense to true and false, expected one of the two" in ran.stderr


@pytest.mark.slow
def test_report__command_line_s_rules_are_no_fault_of_the_definition(few, tmp_path):
    spec = tmp_path / "own.toml"
    spec.write_text(
        'title = "T"\ngame = "armored_advance"\nvariant = { resolution = "sum" }\nsensitivity = {}\n'
        "[situations]\nrange_in = { 6 = 1 }\n",
        encoding="utf-8",
    )
    out("report", spec, "--cards", few, "--variant", "two_dice", "--out", tmp_path / "r")
    assert json.loads((tmp_path / "r/summary.json").read_text())["provenance"]["variant"] == "resolution=two_dice"


@pytest.mark.parametrize("command", ["matchups", "report"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nosuch"], "found no file 'nosuch'"),
        (["--game", "chess"], "game: found 'chess'"),
        (["armored_advance", "--game", "chess"], "game: found 'chess'"),
        (["--out", "/dev/null/x/y"], "/dev/null/x"),
        (["--variant", "resolutoin=sum"], "variant: found 'resolutoin'"),
    ],
)
def test_report__bad_usage_is_one_line(few, command, words, message):
    ran = run(command, "--cards", few, *words)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("error: ")
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_report__bad_definition_is_all_its_faults_and_nothing_written(tmp_path):
    own = (data_folder("reports") / "armored_advance.toml").read_text(encoding="utf-8")
    spec = tmp_path / "own.toml"
    spec.write_text(own.replace("front = 0.65", "front = 0.66").replace("title = ", "titel = "), encoding="utf-8")
    ran = run("report", spec, "--out", tmp_path / "r")
    assert ran.exit_code == 2
    assert ran.stderr.count(f"{spec}:") == ran.stderr.count("\n") == 3
    assert not (tmp_path / "r").exists()


OF_ALL_GAMES = {"--game", "--cards", "--variant", "--set"}
UNUSED = {
    "info": OF_ALL_GAMES,
    "clear": OF_ALL_GAMES,
    "rules": OF_ALL_GAMES - {"--game"},
    "import": {"--variant", "--set"},
    "copy": {"--cards", "--variant", "--set"},
    **{command: {"--variant"} for command in ("[ID]...", "check", "derive", "audit", "export")},
}
"""Options that would change nothing, by command."""


def test_commands__all_take_the_options_that_choose_a_game():
    def leaves(group):
        for command in group.commands.values():
            yield from leaves(command) if isinstance(command, click.Group) else [command]

    for command in leaves(cli.main):
        options = {option for parameter in command.params for option in parameter.opts}
        wanted = {"--game", "--cards", "--variant", "--set", "--debug"} - UNUSED.get(command.name, set())
        assert wanted <= options, command.name
        assert not options & UNUSED.get(command.name, set())


def test_entry_point__is_installed():
    ran = subprocess.run([Path(sys.executable).with_name("aabalance"), "--version"], capture_output=True, text=True)
    assert ran.returncode == 0
    assert "aabalance" in ran.stdout


# --- rules and presets


def test_rules__lists_every_rule_with_functions_tests_and_open_points() -> None:
    said = json.loads(out("rules", "--game", "skirmish_wars", "--json"))
    assert {"section", "rule", "modelled", "functions", "places", "tests", "points"} == set(said["rules"][0])
    assert all(name.startswith("rulesets.skirmish_wars.") for rule in said["rules"] for name in rule["functions"])
    kinds = Counter(rule["modelled"].partition(":")[0] for rule in said["rules"])
    kinds.setdefault("function only", 0)
    others = [f"{kinds.pop(kind)} {kind}" for kind in ("function only", "not modelled", "not a combat rule")]
    text = out("rules", "--game", "skirmish_wars")
    assert ", ".join([f"{len(said['rules'])} rules", f"{kinds.total()} modelled", *others]) in text
    assert all(rule["rule"] in text for rule in said["rules"])


@pytest.mark.slow
def test_rules__open_lists_the_open_points_alone_with_their_switches() -> None:
    points = json.loads(out("rules", "--open", "--json"))
    resolution = next(point for point in points if point["point"] == "AA-1")
    assert resolution["switches"]["resolution"] == {"default": "one_die", "values": ["one_die", "two_dice", "sum"]}
    said = out("rules", "--open")
    assert "resolution=one_die|two_dice|sum" in said
    assert "natural_six_hits=false|true\n" in said
    assert "reroll_limit=1|none\n" in said


def test_variant__a_preset_is_its_switches_and_a_switch_behind_it_wins() -> None:
    words = ("shot", "su_t34_85", "de_tiger1", "--range", "18", "--json", "--variant")
    assert out(*words, "two_dice") == out(*words, "resolution=two_dice")
    assert out(*words, "two_dice", "--variant", "resolution=sum") == out(*words, "resolution=sum")
    done = run(*words, "three_dice")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "variant: found 'three_dice' (did you mean 'two_dice'?)" in done.stderr
    assert "expected one of rulebook, two_dice, page_8_terrain, or KEY=VALUE\n" in done.stderr


# --- errors that teach


@pytest.mark.slow
def test_cards_of_another_game__are_said_so_in_one_line() -> None:
    done = run("worth", "de_tiger1", "--cards", "tests/data/unitdb/forumini")
    said = "error: tests/data/unitdb/forumini: found cards of forumini, expected those of armored_advance; "
    assert (done.exit_code, done.stderr) == (2, f"{said}with --game forumini they are read\n")


def test_faulty_cards_of_no_game__have_their_faults(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('[x]\nname = "X"\nhpp = 3\n')
    done = run("worth", "x", "--cards", tmp_path)
    assert done.exit_code == 2
    assert f"{tmp_path / 'x.toml'}:3: x.hpp: found 3, expected no such field; did you mean 'hp'?" in done.stderr


@pytest.mark.parametrize("command", ["battle", "worth"])
def test_games_without_battles__say_so(command: str) -> None:
    words = ("fr_char_b1_bis", "fr_renault_r_35", "--range", "3") if command == "battle" else ("fr_char_b1_bis",)
    done = run(command, *words, "--game", "forumini")
    assert done.exit_code == 2
    assert "Forumini Armies has no battles" in done.stderr


@pytest.mark.parametrize(("command", "lacks"), [("rules", "--cards --variant --set")])
def test_help__offers_only_what_the_command_takes(command: str, lacks: str) -> None:
    said = out(command, "--help")
    assert "--game" in said
    assert not [option for option in lacks.split() if option in said]


@pytest.mark.parametrize("group", [[], ["boards"], ["cards"], ["list"]])
def test_help__of_a_group_cuts_no_line_at_80_columns(group: list[str]) -> None:
    said = CliRunner().invoke(cli.main, [*group, "--help"], terminal_width=80).stdout
    assert "Commands:" in said or group == ["boards"]
    assert max(map(len, said.splitlines())) <= 80
    assert "..." not in said.replace("ARGS]...", "").replace("[ID]...", "")


def test_out_of_reach__is_said_by_shot_and_duel() -> None:
    """A squad's rifles reach 12 inches (p. 15)."""
    assert 'no effect        out of reach: 12" at most' in out("shot", "inf_rifle", "inf_rifle", "--range", "18")
    said = out("duel", "inf_rifle", "inf_rifle", "--range", "18")
    assert [line.split("  ")[-1].strip() for line in said.splitlines() if "can't hurt it" in line] == [
        'out of reach: 12" at most'
    ] * 2
    assert "can't hurt it" not in out("duel", "inf_rifle", "inf_rifle", "--range", "12")


@pytest.mark.slow
def test_name_of_a_game__does_as_a_game() -> None:
    shots = aab.matchups("skirmish_wars", attackers=["tank"])
    assert shots.equals(aab.matchups(aab.Game("skirmish_wars"), attackers=["tank"]))
    with pytest.raises(aab.UsageError, match="game: found 5, expected a Game or the name of one"):
        aab.worth(5)


def test_name_of_a_game__is_of_the_type_that_functions_say() -> None:
    public = (getattr(place, name) for place in (aab, aab.plots) for name in place.__all__)
    firsts = {
        found.__name__: next(iter(signature(found).parameters.values()), None) for found in public if isfunction(found)
    }
    said = {name: first.annotation for name, first in firsts.items() if first and first.name == "game"}
    assert len(said) > 30
    assert set(said.values()) == {"Game | str"}


def test_a_card_without_a_price__is_refused_before_the_work_where_points_count(tmp_path):
    shutil.copytree(data_folder("unitdb") / "armored_advance", cards := tmp_path / "cards")
    file = cards / "usa.toml"
    text = file.read_text(encoding="utf-8")
    at = text.index("requisition", text.index("[us_m24]"))
    file.write_text(text[:at] + text[text.index("\n", at) + 1 :], encoding="utf-8")
    for command in (
        ("match", "us_m24", "de_pz4h", "--board", "village"),
        ("battle", "us_m24", "de_pz4h", "--range", "18", "--actions", "3"),
        ("report", "--out", tmp_path / "out"),
    ):
        ran = run(*command, "--cards", cards)
        refused = (
            "error: us_m24: has no requisition, expected some; `aabalance worth us_m24` proposes it, with the same"
        )
        assert (ran.exit_code, ran.stderr) == (2, f"{refused} options\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "offered"), [("shot", 0), ("duel", 0), ("matrix", 0), ("battle", 1), ("actions", 1)]
)
def test_help__offers_a_mix_of_faces_where_it_is_taken(command, offered):
    assert "or mix: .65" in " ".join(out(command, "--help").split()) or not offered
    assert "mix" not in out(command, "--help") or offered


@pytest.mark.parametrize("words", [SHOT, DUEL])
def test_range__beyond_any_table_is_out_of_range(words):
    ran = run(*words[:-1], "145")
    assert ran.exit_code == 2
    assert ran.stderr == (
        "error: situation range_in: found 145.0, expected 144 at most: farther is out of range, longer than any table\n"
    )
    assert run(*words[:-1], "144").exit_code == 0


@pytest.mark.slow
def test_worth__says_in_how_many_duels_it_wins_and_what_no_battle_shows():
    said = out("worth", "us_m24", "su_ba64")  # README has a dear one
    assert re.search(r"and costs 42\. In duels it wins 5\d\.\d %\.\n", said)
    assert (
        "\nnot priced: movement, cover, scouting, carrying and objectives; of this unit above all: scouting; its"
        in said
    )
    assert re.findall(r"\nlasts, turns of an opponent's fire +(\S+)\n", said)[-1] == "–"
    assert (
        "No battle prices BA-64: no unit with a price can both hurt it and be hurt by it; no anti-tank weapon.\n"
        in said
    )


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("forumini", "0 deviations in 144 derived cards; 0 cards have no facts"),
        ("armored_advance", "0 deviations in 131 derived cards; 7 cards have no facts: inf_rifle, "),
    ],
)
def test_cards_audit__says_how_many_cards_have_no_facts(game: str, said: str) -> None:
    frozen = Path(__file__).parent / "data/unitdb" / game
    ran = CliRunner().invoke(cli.main, ["cards", "audit", "--game", game, "--cards", str(frozen)])
    assert (ran.exit_code, ran.stdout.startswith(said)) == (0, True), ran.output
