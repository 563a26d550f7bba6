"""Report definitions: listed, checked with their lines, and one line of them says how duels are fought."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from small import few, write

import aabalance as aab
from aabalance.cli import main
from aabalance.definitions import report as spec
from aabalance.definitions.tables import Plots
from aabalance.errors import CardError, UsageError
from aabalance.files import data_folder
from aabalance.rulesets import OURS

SMALL = """\
title = "Small"
game = "{game}"
{line}
sensitivity = {{}}
[situations.range_in]
{range} = 1
"""


def small(folder: Path, line: str, game: str = "armored_advance", range_in: int = 24) -> Path:
    path = folder / "small.toml"
    path.write_text(SMALL.format(line=line, game=game, range=range_in), encoding="utf-8")
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(CardError) as caught:
        spec.read(path)
    return [str(fault).removeprefix(f"{path}:") for fault in caught.value.faults]


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """A folder of three units."""
    return write(tmp_path / "three", few(["de_tiger1", "su_t34_85", "us_m4a1"]))


# --- wrong values


def test_read__weights_that_are_no_numbers_have_a_line_each(tmp_path: Path) -> None:
    path = small(tmp_path, "")
    path.write_text(f'{path.read_text()}30 = "1"\n36 = true\n', encoding="utf-8")
    assert faults(path) == [
        "7: situations.range_in.30: found weight '1', expected a number from 0",
        "8: situations.range_in.36: found weight true, expected a number from 0",
    ]


@pytest.mark.parametrize(("facing", "shown"), [('["front", "side"]', "['front', 'side']"), ("1", "1")])
def test_read__a_facing_of_battles_is_a_face_or_shares(tmp_path: Path, facing: str, shown: str) -> None:
    lists = 'lists = { a = "de_tiger1", b = "us_m4a1" }'
    path = small(tmp_path, f"battles = {{ {lists}, situation = {{ range_in = 24, facing = {facing} }} }}")
    assert faults(path) == [f"3: battles.situation.facing: found {shown}, expected a face, or shares of faces"]


def test_read__a_share_of_a_face_that_no_unit_has_is_a_fault(tmp_path: Path) -> None:
    facing = "{ front = 0.5, top = 0.5 }"
    lists = 'lists = { a = "de_tiger1", b = "us_m4a1" }'
    path = small(tmp_path, f"battles = {{ {lists}, situation = {{ range_in = 24, facing = {facing} }} }}")
    (fault, *_) = faults(path)
    assert fault.startswith("3: battles.situation.facing: found 'top', expected 'front', 'side' or 'rear'")


def test_plots__curves_end_at_the_largest_distance() -> None:
    assert [*Plots(min_range_in=3, max_range_in=5).ranges] == [3, 4, 5]


def test_switches__are_those_named_and_the_default_but_not_what_holds_now(tmp_path: Path) -> None:
    path = small(tmp_path, 'variant = { resolution = "two_dice" }')
    path.write_text(path.read_text().replace("{}", '{ resolution = ["two_dice"], angling = ["add"] }'))
    game = aab.Game(variant={"resolution": "two_dice"})
    default = type(game.variant).model_fields["angling"].default
    found = spec.read(path).switches(game.variant)
    assert found["resolution"] == ["one_die"]
    assert found["angling"] == ([] if default == "add" else ["add"])


def test_read__a_misspelt_key_of_a_table_is_told_the_nearest(tmp_path: Path) -> None:
    assert faults(small(tmp_path, "plots = { truns = 3 }")) == [
        "3: plots.truns: found 3, expected no such field; did you mean 'turns'?"
    ]


def test_read__a_misspelt_table_gets_no_name_of_a_nested_field(tmp_path: Path) -> None:
    path = small(tmp_path, "list = 1")
    assert faults(path) == ["3: list: found 1, expected no such field"]  # lists are part of battles
    path.write_text(path.read_text(encoding="utf-8").replace("list = 1", "postur = 1"), encoding="utf-8")
    assert faults(path) == ["3: postur: found 1, expected no such field; did you mean 'postures'?"]


def test_read__a_name_with_a_control_character_is_refused(tmp_path: Path) -> None:
    bad = {'title = "Small"': 'title = "S\\u001b[31m"', 'a = "de': '"a\\u202e" = "de'}
    path = small(tmp_path, 'battles = { lists = { a = "de_tiger1", b = "us_m4a1" }, situation = { range_in = 24 } }')
    for old, new in bad.items():
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert [one.partition(", expected ")[0] for one in faults(path)] == [
        "1: title: found 'S\\x1b[31m'",
        "3: battles.lists.'a\\u202e': found 'a\\u202e'",
    ]


@pytest.mark.parametrize(
    ("file", "name"), [("...toml", "report"), (".toml", "toml"), ("..x.toml", "x"), ("x.y.toml", "x.y")]
)
def test_name__is_never_another_folder(tmp_path: Path, file: str, name: str) -> None:
    assert spec.read(small(tmp_path, "").rename(tmp_path / file)).name == name


# --- the list


def test_list__names_every_definition_with_its_game_title_and_path() -> None:
    done = CliRunner().invoke(main, ["report", "--list"])
    assert done.exit_code == 0
    folder = data_folder("reports")
    for name in OURS:
        title = spec.read(name).title
        line = next(line for line in done.stdout.splitlines() if line.split()[0] == name)
        assert title in line
        assert str(folder / f"{name}.toml") in line


def test_list__has_those_of_the_folder_at_hand_by_path_and_says_what_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    small(tmp_path / "reports", "")
    (tmp_path / "reports/broken.toml").write_text("title = \n", encoding="utf-8")
    (tmp_path / "reports/small.gate.toml").write_text('title = "a gate"\n', encoding="utf-8")
    lines = CliRunner().invoke(main, ["report", "--list"]).stdout.splitlines()
    assert len(lines) == 1 + len(OURS) + 2
    assert [line.split() for line in lines[-2:]] == [
        ["reports/broken.toml", "1", "fault", "reports/broken.toml"],
        ["reports/small.toml", "armored_advance", "Small", "reports/small.toml"],
    ]


# --- postures


def test_postures__every_wrong_one_with_its_line_and_all_other_faults(tmp_path: Path) -> None:
    path = small(tmp_path, 'rounds = 0\npostures = ["charge", "close"]\nfield = ["vehicle", 3]')
    assert faults(path) == [
        "3: rounds: found 0, expected greater than or equal to 1",
        "4: postures.0: found 'charge', expected one of hold, close, cautious, optimal",
        "4: postures.1: found 'close', expected close:X with X inches, for example close:6",
        "5: field.1: found 3, expected a text",
    ]


@pytest.mark.parametrize("name", [name for name in OURS if name != "armored_advance"])
def test_postures__a_game_whose_units_only_hold_refuses_others(name: str, tmp_path: Path) -> None:
    title = aab.Game(name).ruleset.labels.title
    path = small(tmp_path, 'postures = ["hold", "close:6"]', name, 1)
    assert faults(path) == [f"3: postures.1: found close:6, expected hold, the only one of {title}"]
    spec.read(small(tmp_path, 'postures = ["hold", "hold"]', name, 1))


@pytest.mark.slow
@pytest.mark.parametrize("postures", [("close:6", "close:6"), ("hold", "close:6"), ("optimal", "cautious:12")])
def test_postures__reach_the_duels_of_matchups(postures: tuple[str, str]) -> None:
    game = aab.Game()
    faces = {"front": 0.5, "side": 0.5}
    at = aab.Situations.of(game, {"range_in": {"24": 1.0}, "facing": faces}, 6, postures)
    table = aab.matchups(game, at, attackers=["de_tiger1"], targets=["su_t34_85"])
    for row in table.itertuples():
        asked: dict[str, Any] = {"range_in": 24, "facing": row.facing, "rounds": 6}
        duel = game.duel("de_tiger1", "su_t34_85", posture_a=postures[0], posture_b=postures[1], **asked)
        assert (row.p_win, row.p_draw, row.p_loss) == (duel.p_a, duel.p_draw, duel.p_b)
        assert (row.p_win_first, row.p_win_second) == (duel.p_a_moving_first, duel.p_a_moving_second)
    held = aab.matchups(game, at._replace(postures=("hold", "hold")), attackers=["de_tiger1"], targets=["su_t34_85"])
    assert np.abs(held["p_win"] - table["p_win"]).max() > 0.01
    # What an attack does is the same whatever is done in a duel.
    assert held["p_damage"].tolist() == table["p_damage"].tolist()


def test_postures__holding_one_by_one_is_holding_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = aab.Game()
    at = aab.Situations.of(game, {"range_in": {"18": 0.5, "24": 0.5}})
    units = {"attackers": ["de_tiger1", "us_m4a1"], "targets": ["su_t34_85", "de_wespe"]}
    # A unit within its distance already holds.
    walked = aab.matchups(game, at._replace(postures=("close:24", "close:24")), **units)
    held = aab.matchups(game, at, **units)
    assert held["player_turns"].to_numpy() == pytest.approx(walked["player_turns"].to_numpy(), rel=1e-9)
    assert held["p_win"].to_numpy() == pytest.approx(walked["p_win"].to_numpy(), abs=1e-12)


def test_postures__who_begins_and_what_never_ends_are_as_in_the_duel() -> None:
    game = aab.Game(changes=["us_m8.weapons=[]"])
    at = aab.Situations.of(game, {"range_in": {"24": 1.0}}, postures=("close:18", "close:18"))
    row = aab.matchups(game, at, attackers=["us_m4a1"], targets=["de_pz4h"]).iloc[0]
    duel = game.duel("us_m4a1", "de_pz4h", range_in=24, posture_a="close:18", posture_b="close:18")
    assert (row["p_win_first"], row["p_win_second"]) == (duel.p_a_moving_first, duel.p_a_moving_second)
    assert row["p_win_first"] > row["p_win_second"], "to fire first is to the good"
    unarmed = aab.matchups(game, at, attackers=["us_m8"], targets=["us_m8"]).iloc[0]
    assert (unarmed["p_draw"], unarmed["player_turns"]) == (1, math.inf)


def test_postures__dice_are_not_rolled_for_units_that_move() -> None:
    game = aab.Game()
    at = aab.Situations.of(game, {"range_in": {"24": 1.0}}, postures=("close:6", "close:6"))
    with pytest.raises(UsageError, match="simulate: found it with close:6 v close:6, expected units that hold"):
        aab.matchups(game, at, attackers=["de_tiger1"], targets=["su_t34_85"], simulate=10)


@pytest.mark.slow
def test_postures__one_line_of_a_definition_changes_the_report_and_all_of_it_says_so(
    three: Path, tmp_path: Path
) -> None:
    lines = {"held": "", "closed": 'postures = ["close:6", "close:6"]'}
    for name, line in lines.items():
        path = small(tmp_path, f"{line}\nrounds = 12")
        if name == "closed":
            path.write_text(path.read_text().replace("{}", '{ resolution = ["two_dice"] }'), encoding="utf-8")
        out = tmp_path / name
        done = CliRunner().invoke(main, ["report", str(path), "--cards", str(three), "--out", str(out)])
        assert done.exit_code == 0, done.output
    for path in (tmp_path / "closed").glob("*.csv"):
        head = json.loads(path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# "))
        assert head["duels"] == "close:6 v close:6"
        assert "duels" not in (tmp_path / "held" / path.name).read_text(encoding="utf-8").partition("\n")[0]
    wins = {}
    for name in lines:
        _, _, body = (tmp_path / name / "pairs.csv").read_text(encoding="utf-8").partition("\n")
        rows = list(csv.DictReader(io.StringIO(body)))
        wins[name] = next(float(r["p_win"]) for r in rows if (r["attacker"], r["target"]) == ("de_tiger1", "us_m4a1"))
    game = aab.Game()
    for name, posture in (("held", "hold"), ("closed", "close:6")):
        duel = game.duel("de_tiger1", "us_m4a1", range_in=24, rounds=12, posture_a=posture, posture_b=posture)
        assert wins[name] == pytest.approx(duel.p_a, abs=1e-6)
    # Another reading of the rules is weighed in the same postures.
    _, _, body = (tmp_path / "closed/sensitivity.csv").read_text(encoding="utf-8").partition("\n")
    reading = next(row for row in csv.DictReader(io.StringIO(body)) if row["reading"] == "resolution=two_dice")
    ids = ("de_tiger1", "su_t34_85", "us_m4a1")
    changes = [
        abs(np.subtract(*(bound.duel(a, b, range_in=24, rounds=12, **CLOSING).p_a for bound in (game, TWO_DICE))))
        for a in ids
        for b in ids
    ]
    assert float(reading["mean_change_of_p_win"]) == pytest.approx(np.mean(changes), abs=1e-6)
    assert "close:6 v close:6" in (tmp_path / "closed/summary.md").read_text(encoding="utf-8")


CLOSING = {"posture_a": "close:6", "posture_b": "close:6"}
TWO_DICE = aab.Game(variant="two_dice")


def test_postures__matchups_of_a_definition_follow_it(three: Path, tmp_path: Path) -> None:
    path = small(tmp_path, 'postures = ["close:6", "hold"]')
    done = CliRunner().invoke(main, ["matchups", str(path), "--cards", str(three)])
    assert done.exit_code == 0
    head, _, body = done.stdout.partition("\n")
    assert json.loads(head.removeprefix("# "))["duels"] == "close:6 v hold"
    row = next(
        row
        for row in csv.DictReader(io.StringIO(body))
        if (row["attacker"], row["target"]) == ("de_tiger1", "su_t34_85")
    )
    duel = aab.Game().duel("de_tiger1", "su_t34_85", range_in=24, posture_a="close:6")
    assert float(row["p_win"]) == pytest.approx(duel.p_a, abs=1e-6)


def test_postures__of_a_games_own_definition_are_the_standard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(data_folder("reports"), tmp_path / "reports", ignore=shutil.ignore_patterns("out", "baseline"))
    path = tmp_path / "reports/armored_advance.toml"
    path.write_text('postures = ["close:6", "close:6"]\n' + path.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(spec, "data_folder", lambda name: tmp_path / name)
    assert aab.Situations.standard(aab.Game()).postures == ("close:6", "close:6")
    assert aab.Situations.standard(aab.Game("forumini")).postures == ("hold", "hold")
