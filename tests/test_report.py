"""Reports on a small roster: what is written, and what isn't when something is wrong."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import small
from pydantic import ValidationError

from aabalance import columns
from aabalance.analysis import cost
from aabalance.analysis.battles import battles
from aabalance.analysis.matchups import matchups
from aabalance.analysis.pairs import chances, kill_curves, pairs, price_and_victory
from aabalance.analysis.situations import Situations
from aabalance.cards import Cards
from aabalance.definitions import report as spec
from aabalance.definitions.tables import Plots
from aabalance.errors import CardError, OutputError, UsageError, listed
from aabalance.files import data_folder
from aabalance.game import Game
from aabalance.lists.described import described
from aabalance.play.result import percent
from aabalance.pricing import results
from aabalance.pricing.board import board_worth
from aabalance.pricing.tuning import tune
from aabalance.pricing.worth import worth
from aabalance.provenance import Provenance
from aabalance.report import build, findings, summary, tables
from aabalance.report.plots import canvas, prices

ROOT = Path(__file__).parents[1]
FILES = {
    "index.html",
    "summary.json",
    "summary.md",
    *(f"{name}.csv" for name in (*results.CSVS, *results.BATTLE_CSVS, *results.WORTH_CSVS)),
    *(f"{name}.png" for name in ("kill_probability", "matchup_heatmap", "worth", "sensitivity", "actions")),
}
RUN = """
import sys
from pathlib import Path
from aabalance.game import Game
from aabalance.definitions import report as spec
from aabalance.pricing import results
from aabalance.pricing.board import board_worth
from aabalance.report import build
build.write(spec.read(None, "armored_advance"), Game(cards=Path(sys.argv[1])), Path(sys.argv[2]))
"""
DEFINITION = """\
title = "A title"
game = "armored_advance"
field = ["vehicle"]

[situations.range_in]
12 = 0.5
24 = 0.5

[situations.facing]
front = 1.0

[plots]
kill_probability = [["de_tiger1", "su_t34_85"]]
"""


@pytest.fixture(scope="module")
def roster(tmp_path_factory):
    return small.write(tmp_path_factory.mktemp("cards"), small.few())


@pytest.fixture(scope="module")
def game(roster):
    return Game(cards=roster)


@pytest.fixture(scope="module")
def own():
    return spec.read(None, "armored_advance")


@pytest.fixture(scope="module")
def fewer():
    """What a report takes longest for is asked of all units: a roster for what needs no more of them."""
    return small.few(("de_tiger1", "su_t34_85", "us_m4a1"))


@pytest.fixture(scope="module")
def done(game, own, tmp_path_factory):
    """Return a report's folder, the steps it counted, and the pictures that it drew."""
    counted, figures, png = [], [], canvas.png
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canvas, "png", lambda figure: figures.append(figure) or png(figure))
        out = build.write(own, game, tmp_path_factory.mktemp("report") / "new" / "out", counted.append)
    return out, counted, figures


@pytest.fixture(scope="module")
def bare(game, tmp_path_factory):
    """Return the folder of a report of duels and prices alone, and its summary."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "mine.toml").write_text(DEFINITION, encoding="utf-8")
    return written(folder / "mine.toml", game, folder / "out")


@pytest.fixture
def definition(tmp_path):
    """Return a function that writes a definition, a text replaced, and gives its path."""

    def make(old="", new=""):
        assert old in DEFINITION
        path = tmp_path / "mine.toml"
        path.write_text(DEFINITION.replace(old, new) if old else DEFINITION, encoding="utf-8")
        return path

    return make


def refused(path, game_name="armored_advance"):
    with pytest.raises(CardError) as caught:
        spec.read(path, game_name)
    return [str(fault) for fault in caught.value.faults]


# --- what is written


@pytest.mark.slow
def test_write__makes_every_file_and_leaves_nothing_else(done):
    out = done[0]
    assert {path.name for path in out.iterdir()} == FILES
    assert sorted(json.loads((out / "summary.json").read_text("utf-8"))["files"]) == sorted(FILES)
    assert all(path.stat().st_size > 100 for path in out.iterdir())


@pytest.mark.slow
def test_write__the_summary_says_how_far_units_score_from_level_before_and_after(done):
    out, *_ = done
    leave = json.loads((out / "summary.json").read_text(encoding="utf-8"))["prices_leave"]
    before, after = (f"{leave[name]:.3f}" for name in ("rms_before", "rms_after"))
    said = (out / "summary.md").read_text(encoding="utf-8")
    assert f": {before} at the prices on the cards, {after} at fair ones in whole steps." in said
    assert before != after


@pytest.mark.slow
def test_write__counts_the_steps_it_promised(done, own, game):
    assert sum(done[1]) == build.total(own, game)


@pytest.mark.slow
def test_write__leaves_other_files_in_the_folder(own, game, done, tmp_path, monkeypatch):
    """The same files are written into another folder, without being worked out again."""
    (tmp_path / "mine.txt").write_text("kept")
    (tmp_path / "index.html").write_text("of an older report")
    (tmp_path / "summary.json").write_text('{"provenance": {"aabalance": "0.1.0"}}')
    files = {path.name: path.read_bytes() for path in done[0].iterdir()}
    monkeypatch.setattr(build, "_outputs", lambda *asked: files)
    build.write(own, game, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files | {"mine.txt": b"kept"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*results.CSVS, *results.BATTLE_CSVS, *results.WORTH_CSVS])
def test_write__csv_reads_back_with_declared_columns_and_types(done, name):
    frame = pd.read_csv(done[0] / f"{name}.csv", comment="#")
    table = columns.TABLES[name]
    assert list(frame) == [column for column in table.columns if column in frame]
    assert not frame[[column for column in table.key if column in frame]].duplicated().any()
    for column in (columns.COLUMNS[name] for name in frame):
        if column.dtype == "int64":
            assert frame[column.name].dtype == "int64", column.name
        if column.unit in (bounds := {"0-1": (0, 1), columns.SIGNED: (-1, 1)}):
            assert frame[column.name].dropna().between(*bounds[column.unit]).all(), column.name


@pytest.mark.slow
def test_write__same_bytes_whatever_the_hash_seed(roster, done, tmp_path):
    """This process has a seed of its own, drawn anew each time."""
    command = [sys.executable, "-c", RUN, str(roster), str(tmp_path / "out")]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "1"})
    there, here = (
        {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir()}
        for out in (tmp_path / "out", done[0])
    )
    assert there == here


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes", "says", "says_not"),
    [
        (
            "armour_battles",
            ("de_stug3.points=25",),
            (
                "duels favour dear units, which meet their enemies one at a time.",
                "Prices come in steps of 5, which explains much of a gap at the cheap end: for a unit of 15, a step",
                "dear units are above 1 because they fight alone here.",
                "A step is the edge of a range band",
            ),
            ("Not rated, since", "A step is a distance"),
        ),
        (
            "skirmish_wars",
            (),
            ("Not rated, since they destroy no unit of the field: APC.", "A step is a distance at which"),
            ("duels favour dear units", "Prices come in steps", "they fight alone", "A step is the edge"),
        ),
    ],
)
def test_write__page_without_worth_says_what_holds_of_its_units(name, changes, says, says_not, tmp_path):
    whole = Game(name)
    few = whole.with_(cards=whole.cards.only([*list(whole.cards)[:5], whole.ruleset.roster.reference[0]]))
    quick = {"battles": None, "matches": None, "board_worth": None, "sensitivity": {}}
    out = build.write(spec.read(None, name).model_copy(update=quick), few.with_(changes=changes), tmp_path)
    page = re.sub(r"<[^>]+>", "", (out / "index.html").read_text("utf-8").partition("<script")[0])
    words = " ".join(page.split())
    assert [text for text in says if text not in words] == []
    assert [text for text in says_not if text in words] == []
    assert words.count("with the wrong price.") == 1
    verdict = json.loads((out / "summary.json").read_text("utf-8"))["verdict"]
    dearer, cheaper = (f"{100 * verdict[f'p_{which}_wins']:.1f} %" for which in ("dearer", "cheaper"))
    assert f"{dearer} of duels between units of different {few.ruleset.labels.currency} go to the dearer one" in words
    assert f"dearer one, {cheaper} to the cheaper" in words


@pytest.mark.slow
def test_write__commands_name_the_definition_and_say_where_cards_that_are_not_the_package_s_go(done, bare):
    for out, words in ((done[0], "tune --cards DIR"), (bare[0], "tune mine.toml --cards DIR")):
        page = (out / "index.html").read_text(encoding="utf-8")
        assert re.findall(r"<code>aabalance (tune [^<]+)</code>", page) == [words]
    assert "In commands on this page <code>DIR</code> is the folder of your cards." in page


@pytest.mark.slow
def test_write__page_needs_no_network_and_no_other_file_to_show(done):
    page = (done[0] / "index.html").read_text(encoding="utf-8")
    links = re.findall(r"(?:src|href)=\"([^\"$]+)\"", page)
    assert all(link.startswith("#") or link in {*FILES, "data:,"} for link in links)
    assert "summary.json" in links
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "", 1), "the name of a vocabulary, no address"
    assert "url(" not in page


@pytest.mark.slow
def test_write__everything_says_where_it_comes_from(done, own, game):
    for name in FILES:
        if not name.endswith(".png"):
            text = (done[0] / name).read_text(encoding="utf-8").replace("&#39;", "'")
            if name.endswith(".json"):
                text = "\n".join(json.loads(text)["provenance"].values())
            head = text.splitlines()[0] if name.endswith(".csv") else text
            for value in tables.provenance(game, own.name, own.postures).said().values():
                assert value in head, (name, value)


@pytest.mark.slow
def test_write__page_says_the_variant_and_escapes_names(definition, fewer, tmp_path):
    game = fewer.with_(variant={"resolution": "sum"}, changes=['us_m4a1.name="<b>M4 & co"'])
    out, _ = written(definition(), game, tmp_path / "out")
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "resolution=sum" in page
    assert "&lt;b&gt;M4 &amp; co" in page
    assert "<b>M4" not in page
    found = pd.read_csv(out / "sensitivity.csv", comment="#")["reading"].tolist()
    assert found[0] == "resolution=sum"
    assert {"resolution=one_die", "resolution=two_dice"} == {
        reading for reading in found[1:] if "resolution" in reading
    }


@pytest.mark.slow
def test_write__a_reading_that_changes_duels_alone_changes_no_worth(definition, tmp_path):
    """Three of a kind are worth what they cost however they are hit, but fewer duels are over after six rounds."""
    shot = 'game = "armored_advance"\nrounds = 6\nsensitivity = { resolution = ["two_dice"] }\n'
    whole = Game()
    card = whole.cards.tables["us_m4a1"]
    three = Cards(whole.cards.schema, {unit: card | {"name": unit} for unit in ("su_t34_85", "de_tiger1", "a")}, {})
    out, _ = written(definition('game = "armored_advance"\n', shot), whole.with_(cards=three), tmp_path / "out")
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "<b>resolution: two dice</b>: no unit's worth changes</li>" in page


@pytest.mark.slow
def test_write__roster_without_the_reference_unit_says_so(own, game, tmp_path):
    tables_by_id = {i: game.cards.tables[i] for i in ("de_tiger1", "de_pz4h", "us_m4a1")}
    small = Game(cards=type(game.cards)(game.cards.schema, tables_by_id, {}))
    out = build.write(own, small, tmp_path)
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "anchors: found none, and no su_t34_85, which sets the scale by default" in page
    assert "<p>No prices can be proposed: anchors: found none" in page
    assert "\nNo prices can be proposed: anchors: found none" in (out / "summary.md").read_text(encoding="utf-8")
    assert "or anchors in the tuning of a report" in page, "`report` has no --anchor"
    assert "<td><code>new_requisition</code></td>" not in page, "there is no such column to explain"
    assert pd.read_csv(out / "prices.csv", comment="#").empty
    assert len(pd.read_csv(out / "worth.csv", comment="#")) == 3, "what they are worth needs no scale"


def written(path, game, out):
    """Return the folder of a report, which counts the steps that it has promised, and its summary."""
    asked, counted = spec.read(path, "armored_advance"), []
    build.write(asked, game, out, counted.append)
    assert sum(counted) == build.total(asked, game)
    return out, (out / "summary.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_write__without_a_limit_of_rounds_says_how_long_the_longest_duel_is(bare, game):
    _, said = bare
    at = Situations.of(game, {"range_in": {12: 0.5, 24: 0.5}})
    found = matchups(game, at).query("attacker != 'inf_rifle' and target != 'inf_rifle'")  # the field is vehicles
    ends = found["player_turns"] < math.inf
    longest = tables.number(found.loc[ends, "player_turns"].max(), columns.COLUMNS["player_turns"])
    assert f"{percent((~ends).mean())} of duels may never end. The longest of the others lasts {longest} " in said


@pytest.mark.slow
def test_write__with_a_limit_every_table_keeps_it(definition, game, tmp_path):
    game_line = 'game = "armored_advance"\n'
    listed = "sensitivity_situations = [{ weight = 1.0, range_in = 18 }]\n"
    out, said = written(definition(game_line, f"{game_line}rounds = 2\n{listed}"), game, tmp_path / "out")
    assert "both sides are left after 2 rounds" in said
    assert "4 player turns are the most that a duel lasts" in said
    own = '## Rules readings\n\nFor these the units meet in situations of their own: 18" (100.0 %).\n\n|'
    assert own in said
    assert "2 rounds are over" in (out / "index.html").read_text(encoding="utf-8")
    of_pairs = pd.read_csv(out / "pairs.csv", comment="#")
    row = of_pairs.query("attacker == 'de_pz4h' and target == 'us_m4a1'").iloc[0]
    duels = [game.duel("de_pz4h", "us_m4a1", range_in=range_in, rounds=2) for range_in in (12, 24)]
    assert row["p_draw"] == pytest.approx(sum(duel.p_draw for duel in duels) / 2, rel=1e-5)
    own = pd.read_csv(out / "sensitivity.csv", comment="#").iloc[0]
    vehicles = [unit for unit in small.UNITS if unit != "inf_rifle"]
    draws = [game.duel(a, b, range_in=18, rounds=2).p_draw for a in vehicles for b in vehicles]
    assert own["share_draws"] == pytest.approx(sum(draws) / len(draws), rel=1e-5)
    assert own["share_endless"] == 0


def test_write__takes_away_the_tables_and_pictures_of_the_report_before(own, game, tmp_path, monkeypatch):
    table, names = b"# {}\nunit\n", ["battles.csv", "leads.csv", "actions.png", "worth.csv", "mine.txt"]

    def files(some):
        said = {"provenance": {"aabalance": "0.1.0"}, "files": [*some, "summary.json", "../other.csv"]}
        return dict.fromkeys(some, table) | {"summary.json": json.dumps(said).encode()}

    out = tmp_path / "out"
    for some in (names, ["worth.csv"]):
        monkeypatch.setattr(build, "_outputs", lambda *asked, some=some: files(some))
        build.write(own, game, out)
        if some == names:
            (out / "leads.csv").write_text("a,b")
            for other in ("notes.csv", "photo.png", "../other.csv"):
                (out / other).write_bytes(table)
    assert {path.name for path in out.iterdir()} == {
        *("worth.csv", "summary.json", "leads.csv", "notes.csv", "photo.png", "mine.txt")
    }
    assert (tmp_path / "other.csv").is_file()


# --- what isn't


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("index.html", None),
        ("summary.json", '["mine"]'),
        ("summary.json", "[" * 200_000),
        ("worth.csv", '{"provenance": {"units": 3}}'),
        ("worth.csv", '{"provenance": {"aabalance": "0.2.0"}, "files": ["index.html", "summary.json"]}'),
    ],
)
def test_write__what_no_report_wrote_is_refused_before_any_work(own, game, tmp_path, name, summary):
    (tmp_path / name).write_text("mine")
    if summary is not None:
        (tmp_path / "summary.json").write_text(summary)
    before, counted = {path: path.read_text() for path in tmp_path.iterdir()}, []
    with pytest.raises(OutputError, match=r": found a file that no report wrote, expected a new folder or that of a r"):
        build.write(own, game, tmp_path, counted.append)
    assert counted == []
    assert {path: path.read_text() for path in tmp_path.iterdir()} == before


def test_write__a_picture_that_no_report_drew_stays(own, game, tmp_path, monkeypatch):
    (tmp_path / "worth.png").write_text("mine")
    monkeypatch.setattr(build, "_outputs", lambda *asked: {"index.html": b"", "worth.png": b""})
    with pytest.raises(OutputError, match=r"worth\.png: found a file that no report wrote"):
        build.write(own, game, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["worth.png"]


def test_write__unwritable_place_is_one_line_before_any_work(own, game, tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("a file")
    counted = []
    with pytest.raises(OutputError) as caught:
        build.write(own, game, blocker / "out", counted.append)
    assert "\n" not in str(caught.value)
    assert counted == []
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["summary.json", "index.html", "summary.md", "pairs.csv"])
def test_write__a_folder_in_the_way_of_any_file_is_found_before_any_work(own, game, tmp_path, name):
    (tmp_path / name).mkdir()
    counted = []
    with pytest.raises(OutputError, match=name):
        build.write(own, game, tmp_path, counted.append)
    assert counted == []


@pytest.mark.slow
def test_write__failure_on_the_way_leaves_nothing(definition, fewer, tmp_path, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr(prices, "worth", fail)
    path = definition()
    with pytest.raises(RuntimeError):
        build.write(spec.read(path, "armored_advance"), fewer, tmp_path / "out")
    assert list(tmp_path.iterdir()) == [path]


def test_write__unknown_units_and_categories_of_a_given_definition_are_faults(definition, game, tmp_path):
    path = definition('[["de_tiger1", "su_t34_85"]]', '[\n  ["de_tiger1", "su_t34"],\n  ["nobody", "de_tiger1"],\n]')
    path.write_text(path.read_text().replace('["vehicle"]', '["vehicel"]'))
    with pytest.raises(CardError) as caught:
        build.write(spec.read(path, "armored_advance"), game, tmp_path / "out")
    places = [fault.place.rpartition(":")[2] for fault in caught.value.faults]
    assert places == ["3", "14", "15"]
    category, one, other = (fault.message for fault in caught.value.faults)
    assert category.startswith("field.0: found 'vehicel' (did you mean 'vehicle'?), expected one of ")
    assert one == "plots.kill_probability.0: unknown unit 'su_t34'"
    assert other == "plots.kill_probability.1: unknown unit 'nobody'"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("table", ["matches", "board_worth"])
def test_write__a_board_that_is_not_there_is_a_fault_with_its_line(table, definition, fewer, tmp_path):
    path = definition("[plots]", f'[{table}]\nboards = ["village", "nowhere"]\n[plots]')
    line = path.read_text().splitlines().index('boards = ["village", "nowhere"]') + 1
    with pytest.raises(CardError, match=f"mine.toml:{line}: {table}.boards: board: found 'nowhere', expected one of"):
        build.write(spec.read(path, "armored_advance"), fewer, tmp_path / "out")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({}, "variant resolution: found 'one_die', expected 'sum', as the report has it"),
        ({"resolution": "two_dice"}, "variant resolution: found 'two_dice', expected 'sum', as the report has it"),
    ],
)
def test_write__game_under_other_rules_than_the_definition_s_is_refused(definition, roster, rules, message, tmp_path):
    found = spec.read(definition("\n[plots]", '\n[variant]\nresolution = "sum"\nreroll_limit = 1\n\n[plots]'))
    with pytest.raises(UsageError) as caught:
        build.write(found, Game(cards=roster, variant=rules), tmp_path / "out")
    assert str(caught.value) == message
    assert not (tmp_path / "out").exists()


def test_write__another_game_than_the_definition_s_is_refused(own, tmp_path):
    with pytest.raises(UsageError, match="game: found skirmish_wars, expected armored_advance, the game of the report"):
        build.write(own, Game("skirmish_wars"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_write__empty_field_is_a_usage_error(own, game, tmp_path):
    infantry = Game(cards=type(game.cards)(game.cards.schema, {"inf_rifle": game.cards.tables["inf_rifle"]}, {}))
    with pytest.raises(UsageError, match="no unit of the roster"):
        build.write(own, infantry, tmp_path / "out")


# --- definitions


def test_read__gives_every_fault_with_its_line(definition):
    path = definition("12 = 0.5", "-12 = 0.4")
    text = path.read_text().replace('"A title"', "7").replace("front = 1.0", "frnt = 1.0")
    path.write_text(text + "turns = 0\n[sensitivity]\nresolution = ['three_dice']\nnosuch = [1]\n[extra]\n")
    faults = refused(path)
    lines = [int(fault.removeprefix(f"{path}:").partition(":")[0]) for fault in faults]
    assert lines == sorted(lines)
    for line, word in ((1, "title"), (5, "0.9"), (6, "-12"), (10, "frnt"), (14, "turns"), (16, "three_dice")):
        assert any(fault.startswith(f"{path}:{line}: ") and word in fault for fault in faults), (line, word, faults)
    assert any(fault.startswith(f"{path}:17: ") and "nosuch" in fault for fault in faults)
    assert any(fault.startswith(f"{path}:18: ") and "extra" in fault for fault in faults)


def test_read__listed_situations_give_their_faults_with_their_lines(definition):
    listed = """\
sensitivity_situations = [
  { weight = 0.5, range_in = 6 },
  { weight = 0.5, range_in = -6, wals = 1 },
  { weight = 0.5, range_in = 6, facing = "top" },
  { range_in = 6 },
]
"""
    path = definition("\n[situations.range_in]", f"{listed}\n[situations.range_in]")
    faults = refused(path)
    for line, word in ((6, "wals"), (7, "top"), (8, "weight")):
        assert any(fault.startswith(f"{path}:{line}: ") and word in fault for fault in faults), (line, word, faults)


def test_read__what_holds_for_one_attack_alone_is_no_part_of_duels(definition):
    """Line 4 begins the table of situations, one more with each line above it."""
    said = "found a field of one attack, expected what stays as it is throughout a duel"
    path = definition("[situations.facing]", "[situations.moved]\nfalse = 1.0\n[situations.facing]")
    (fault,) = refused(path)
    line = path.read_text().splitlines().index("[situations.moved]") + 1
    assert fault == f"{path}:{line}: situations.moved: {said}"
    listed = "sensitivity_situations = [{ weight = 1, range_in = 6, target_moves = 1 }]\n"
    path = definition("\n[situations.range_in]", f"{listed}\n[situations.range_in]")
    (fault,) = refused(path)
    assert fault.endswith(f"sensitivity_situations.0.target_moves: {said}")


@pytest.mark.parametrize("rounds", ["0", "7.5", "true", '"7"', "1001", "[7]"])
def test_read__rounds_are_a_whole_number_from_1(definition, rounds):
    path = definition('game = "armored_advance"\n', f'game = "armored_advance"\nrounds = {rounds}\n')
    (fault,) = refused(path)
    assert fault.startswith(f"{path}:3: rounds: found ")


def test_read__situations_without_a_range_are_a_fault(definition):
    assert any("range_in" in fault for fault in refused(definition("[situations.range_in]\n12 = 0.5\n24 = 0.5\n", "")))


def test_read__definition_of_another_game_is_a_fault(definition):
    assert "expected 'armored_advance'" in refused(definition('game = "armored_advance"', 'game = "chess"'))[0]
    assert (
        "expected one of armored_advance" in refused(definition('game = "armored_advance"', 'game = "chess"'), None)[0]
    )


def test_read__file_that_is_missing_or_no_toml_is_one_line(definition, tmp_path):
    with pytest.raises(UsageError, match="found no file"):
        spec.read(tmp_path / "none.toml", "armored_advance")
    assert "not TOML" in refused(definition("title =", "title"))[0]


def test_read__shipped_definition_by_name_or_by_game():
    assert spec.read("armored_advance").model_dump() == spec.read(None, "armored_advance").model_dump()
    assert spec.read("armored_advance").field == ("vehicle", "field_gun")


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [("turns", 1, 100), ("min_range_in", 0, 1000), ("max_range_in", 1, 1000)],
)
def test_read__pictures_have_bounds(definition, field, least, most):
    for value in (least, most):
        far = f"max_range_in = {most}\n" if field == "min_range_in" else ""
        assert getattr(spec.read(definition("[plots]", f"[plots]\n{far}{field} = {value}")).plots, field) == value
    for value in (least - 1, most + 1):
        (fault,) = refused(definition("[plots]", f"[plots]\n{field} = {value}"))
        assert f": plots.{field}: found {value}, expected " in fault


@pytest.mark.parametrize(("largest", "most"), [("", 42), ("max_range_in = 5", 5)])
def test_read__the_least_distance_of_a_picture_is_not_above_the_largest(definition, largest, most):
    (fault,) = refused(definition("[plots]", f"[plots]\nmin_range_in = 50\n{largest}"))
    assert fault.endswith(f": plots.min_range_in: found 50, expected at most {most}, which is max_range_in")


@pytest.mark.parametrize("rounds", [1, 1000])
def test_read__rounds_up_to_a_thousand(definition, rounds):
    line = 'game = "armored_advance"\n'
    assert spec.read(definition(line, f"{line}rounds = {rounds}\n")).rounds == rounds


def test_read__a_title_of_a_letter_is_one(definition):
    assert spec.read(definition('"A title"', '"A"')).title == "A"


@pytest.mark.parametrize(
    ("game_name", "said"),
    [
        ("chess", "game: found 'chess', expected one of "),
        (None, "report: there is none for None, expected a file"),  # a game from elsewhere has none, either
    ],
)
def test_read__no_definition_to_begin_with(game_name, said):
    with pytest.raises(UsageError) as caught:
        spec.read(None, game_name)
    assert str(caught.value).startswith(said)


def test_ranges__with_both_ends():
    assert list(Plots(min_range_in=6, max_range_in=8).ranges) == [6, 7, 8]
    assert list(Plots().ranges) == list(range(43))
    assert Plots().turns == 6


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('title = "A title"', 'title = ""', 1, "title: found '', expected "),
        ('["vehicle"]', "[]", 3, "field: found []"),
        ('field = ["vehicle"]', "sensitivity_situations = []", 3, "sensitivity_situations: found []"),
        (
            'field = ["vehicle"]',
            "sensitivity_situations = [{ weight = 1, range_in = 6, walls = true }]",
            3,
            "sensitivity_situations.0.walls: found true, expected a number",
        ),
        ("\n[plots]", "\n[variant]\nhe_n = true\n\n[plots]", 13, "variant.he_n: found true, expected a number"),
        ('game = "armored_advance"\n', "", 1, "game: found nothing, expected a value"),
        ("12 = 0.5", '12 = "much"', 6, "situations.range_in.12: found 'much', expected "),
        ('"su_t34_85"]]', "7]]", 13, "plots.kill_probability.0.1: found 7, expected "),
        (
            "[plots]",
            "[metagame.limits]\nmost_copy = 3\n\n[plots]",
            13,
            "metagame.limits.most_copy: found 3, expected no such field; did you mean 'most_copies'?",
        ),
        (
            'game = "armored_advance"',
            'game = "armored_advanc"',
            2,
            "game: found 'armored_advanc' (did you mean 'armored_advance'?), expected one of ",
        ),
    ],
)
def test_read__one_fault_is_one_line(definition, old, new, line, said):
    path = definition(old, new)
    (fault,) = refused(path, None)
    assert fault.startswith(f"{path}:{line}: {said}")


def test_read__the_same_fault_is_said_once(definition):
    """Of both values of a switch that there isn't, and of the variant's, where they stand."""
    path = definition(
        "\n[plots]", "\n[variant]\nnosuch = 1\n[sensitivity]\nnosuch = [1, 2]\nwall_rule = ['no', 'both']\n[plots]"
    )
    assert [fault.removeprefix(f"{path}:").partition(",")[0] for fault in refused(path)] == [
        "13: variant.nosuch: found 'nosuch'",
        "15: sensitivity.nosuch: found 'nosuch'",
        "16: sensitivity.wall_rule.0: found 'no'",
    ]


def test_spec__can_not_be_changed(own):
    for part in (own, own.plots):
        with pytest.raises(ValidationError, match="frozen"):
            part.turns = 5


def test_curves__pairs_of_the_roster_alone(own, game):
    assert own.curves(game.cards) == [
        ("de_tiger1", "su_t34_85"), ("su_t34_85", "de_tiger1"), ("de_pz4h", "us_m4a1"), ("us_m4a1", "de_pz4h"),
    ]  # fmt: skip


@pytest.mark.parametrize(("units", "shown"), [
    ("abcde", [("c", "a"), ("a", "c")]), ("a", [("a", "a")]), ("XYabcde", [("c", "a"), ("a", "c")]),
    ("X", [("X", "X")]),
])  # fmt: skip
def test_examples__of_curves_are_the_middle_and_the_first_of_the_ranking_that_lose_anything(units, shown):
    ratios = [math.inf if unit.isupper() else 1.0 for unit in units]
    ranking = pd.DataFrame({"unit": [*units], "requisition_exchange_ratio": ratios})
    assert results._examples(ranking) == shown


def test_switches__those_named_and_the_default_less_the_game_s_own(definition, roster):
    named = spec.read(definition("\n[plots]", '\n[sensitivity]\nresolution = ["two_dice", "two_dice", "sum"]\n[plots]'))
    played = Game(cards=roster, variant={"resolution": "sum"})
    assert named.switches(played.variant) == {"resolution": ["one_die", "two_dice"]}
    assert named.switches(Game(cards=roster).variant) == {"resolution": ["two_dice", "sum"]}
    every = spec.read(definition()).switches(played.variant)
    assert sorted(every["resolution"]) == ["one_die", "two_dice"]
    assert every.keys() == played.variant.model_dump().keys()


# --- battles

BATTLES = """
[battles]
pairs = [["two", "one"]]
limits = [1, 2]
policies = ["focus"]
situation = { range_in = 18, facing = "side" }
[battles.lists]
one = "de_tiger1"
two = "us_m4a1*2"

[plots]
"""


def with_battles(definition, old="", new=""):
    assert old in BATTLES
    return definition("\n[plots]\n", BATTLES.replace(old, new) if old else BATTLES)


@pytest.mark.slow
def test_write__battles_of_a_definition_are_what_the_package_gives(definition, fewer, tmp_path):
    game, counted = fewer, []
    read = spec.read(with_battles(definition), "armored_advance")
    out = build.write(read, game, tmp_path / "out", counted.append)
    assert sum(counted) == build.total(read, game)
    rows = pd.read_csv(out / "battles.csv", comment="#").to_dict("records")
    assert [(row["list_a"], row["list_b"], row["actions_a"], row["policy_b"]) for row in rows] == [
        ("two", "one", 1, "focus"), ("two", "one", 2, "focus"),
    ]  # fmt: skip
    for row in rows:
        options = {"facing": "side", "actions": row["actions_a"], "policy_a": "focus", "policy_b": "focus"}
        fought = game.battle("us_m4a1*2", "de_tiger1", range_in=18, **options)
        assert row["p_a"] == pytest.approx(fought.p_a, rel=1e-5)
        assert row["value_b"] == pytest.approx(fought.value_b, rel=1e-5)
    curve = pd.read_csv(out / "actions.csv", comment="#")
    assert curve["actions"].tolist() == list(range(1, 13))
    assert curve["p_a"].tolist()[:2] == [row["p_a"] for row in rows]
    page, said = (out / "index.html").read_text("utf-8"), (out / "summary.md").read_text("utf-8")
    (lead,) = json.loads((out / "summary.json").read_text("utf-8"))["battles"]["leads"]
    for text in (page, said):
        assert f"{lead['said']} ({lead['policies']})" in text
        assert '18", side, annihilation; both sides hold' in text.replace("&#34;", '"')
    assert '<a href="#battles">' in page


@pytest.mark.slow
def test_write__matches_are_told_in_words_first_with_their_boards(tmp_path):
    text = "\n".join([
        'title = "Boards"', 'game = "skirmish_wars"', "situations = { range_in = { 1 = 1.0 } }", "[matches]",
        'boards = ["last_stand"]', "rounds = [3, 4]", "simulate = 20", "watched = 0",
        "[board_worth]", 'boards = ["crossing"]', "rounds = 12", "matches = 40",
    ])  # fmt: skip
    (tmp_path / "boards.toml").write_text(text, encoding="utf-8")
    game, definition, steps = Game("skirmish_wars"), spec.read(tmp_path / "boards.toml", None), list[int]()
    out = build.write(definition, game, tmp_path / "out", steps.append)
    assert sum(steps) == build.total(definition, game) > 40
    played = pd.read_csv(out / "matches.csv", comment="#")
    for rounds, found in zip((3, 4), played[["p_a", "p_draw"]].to_numpy().tolist(), strict=True):
        own = game.match(board="last_stand", rounds=rounds, simulate=20)
        assert found == [own.p_a, own.p_draw]
    boards = pd.read_csv(out / "match_boards.csv", comment="#")
    assert boards["rounds"].tolist() == [3, 4]
    page, said = (out / "index.html").read_text("utf-8"), (out / "summary.md").read_text("utf-8")
    for text in (page, said):
        assert "On last_stand, 4 rounds, by greedy: going first is worth" in text
    assert '<a href="#matches">' in page
    [drawn] = re.findall(r'src="data:image/svg.xml;base64,([^"]+)" alt="Last stand"', page)
    assert base64.b64decode(drawn).decode() == game.boards["last_stand"]._repr_svg_()
    png = (out / "game_length_last_stand.png").read_bytes()
    [drawn] = re.findall(r'png;base64,([^"]+)" alt="Matches on last_stand by their number of rounds"', page)
    assert base64.b64decode(drawn) == png
    assert "by their number of rounds](game_length_last_stand.png)" in said
    valued = pd.read_csv(out / "board_worth.csv", comment="#").set_index("unit")["worth"]
    there = board_worth(game, boards=["crossing"], rounds=12, matches=40).set_index("unit")["worth"]
    assert valued.to_dict() == pytest.approx(there.to_dict(), rel=1e-5)
    assert "of 9 units are worth more or less than they cost" in page
    for text in (page, said):
        assert "In matches on crossing, " in text
        assert "This is the" in text
        assert " from who wins matches of random lists, with its 90" in text
    assert "<h3>Worth more on the board than they cost</h3>" in page
    drawn = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert drawn["valued"], "the chart of all units is of their worth"
    assert {unit["id"]: unit["worth"] for unit in drawn["units"]} == pytest.approx(there.to_dict(), rel=1e-3)
    for unit in drawn["units"]:
        assert unit["verdict"].startswith("In matches on crossing it is worth ")
        assert f"). It costs {unit['price']}, and destroys " in unit["verdict"]
    [units] = re.findall(r'<table id="roster".*?</table>', page, re.DOTALL)
    heads = re.findall(r'<button type="button">([^<]+)</button>', units)
    assert heads == ["name", "cost", "worth", "worth at least", "worth at most", "change", "class"]
    assert "Nothing, as the intervals are too wide. More " in page  # after 40 matches
    assert "What the first turn is worth, by board" in page
    assert "## Most underpriced and most overpriced" in said
    [grid] = re.findall(r'<table id="table-boards".*?</table>', page, re.DOTALL)
    assert ">from<" not in grid, "intervals stand with their values"
    assert re.search(r">\d+\.\d\s%\n\(\d+\.\d to \d+\.\d\s%\)</td>", grid)
    assert "## Worth on the board" in said
    assert 'id="table-board-worth"' in page


@pytest.mark.slow
def test_write__boards_of_one_name_have_a_picture_each_and_one_round_and_one_match_are_one(tmp_path):
    own = (data_folder("unitdb") / "skirmish_wars" / "boards" / "last_stand.toml").read_text("utf-8")
    for key in ("one", "other"):
        (tmp_path / f"{key}.toml").write_text(own, encoding="utf-8")
    text = "\n".join([
        'title = "Boards"', 'game = "skirmish_wars"', "rounds = 1", "situations = { range_in = { 1 = 1.0 } }",
        "[matches]", 'boards = ["one", "other"]', "rounds = [3]", "simulate = 1", "watched = 0",
    ])  # fmt: skip
    (tmp_path / "it").mkdir()
    (tmp_path / "it" / "it.toml").write_text(text, encoding="utf-8")
    game = Game("skirmish_wars", boards=tmp_path)
    out = build.write(spec.read(tmp_path / "it" / "it.toml", None), game, tmp_path / "out")
    page, said = (" ".join((out / name).read_text("utf-8").split()) for name in ("index.html", "summary.md"))
    assert page.count('alt="Last stand"') == 2
    assert "until one is gone or 1 round is over" in page
    for text in (page, said):
        assert "both sides are left after 1 round, or both fall at once" in text
        assert "1 match of each pair of lists" in text


def test_boards__are_those_of_matches_and_of_worth(tmp_path):
    head = 'title = "x"\ngame = "skirmish_wars"\nsituations = { range_in = { 1 = 1.0 } }'
    text = f'{head}\n[matches]\nboards = ["last_stand"]\n[board_worth]\nboards = ["crossing"]'
    (tmp_path / "both.toml").write_text(text, encoding="utf-8")
    assert spec.read(tmp_path / "both.toml", None).boards(str) == ["last_stand", "crossing"]


def test_write__worth_on_boards_that_bring_units_has_its_line(tmp_path):
    head = 'title = "x"\ngame = "skirmish_wars"\nsituations = { range_in = { 1 = 1.0 } }'
    (tmp_path / "worth.toml").write_text(f'{head}\n[board_worth]\nboards = ["two_towns"]', encoding="utf-8")
    with pytest.raises(CardError, match=r"worth.toml:4: board_worth: .*brings 10 units, a scenario"):
        build.write(spec.read(tmp_path / "worth.toml", None), Game("skirmish_wars"), tmp_path / "out")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "few", "why"),
    [
        ("skirmish_wars", ["tank"], "units: found 1 that can play, expected two at least"),
        ("armour_battles", ["us_m10", "us_m4_76"], "battle_line.toml:19:17: units.0.type: found &#39;us_m4_75&#39;"),
    ],
)
def test_write__a_roster_that_cannot_play_what_ships_has_a_report_that_says_why(name, few, why, tmp_path):
    asked = spec.read(None, name).model_copy(update={"sensitivity": {}})
    game, steps = Game(name).with_(cards=Game(name).cards.only(few)), list[int]()
    out = build.write(asked, game, tmp_path / "out", steps.append)
    assert sum(steps) == build.total(asked, game)
    page = (out / "index.html").read_text("utf-8")
    assert f"<li>The roster can&#39;t play these matches: {why}" in page
    assert 'id="table-board-worth"' not in page
    assert "In matches on " not in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        ("mine.toml", "", "", "board: found 'crossing', expected one of mine"),
        ("crossing.toml", "name =", "title =", "crossing.toml:1:1: name: found nothing, expected a value"),
    ],
)
def test_write__a_roster_that_cannot_play_the_game_s_own_boards_is_told_why(name, old, new, why, tmp_path):
    shipped = (data_folder("unitdb") / "skirmish_wars" / "boards" / "crossing.toml").read_text(encoding="utf-8")
    (tmp_path / name).write_text(shipped.replace(old, new, 1) if old else shipped, encoding="utf-8")
    game, steps = Game("skirmish_wars", boards=tmp_path), list[int]()
    asked = spec.read(None, "skirmish_wars").model_copy(update={"sensitivity": {}})
    game = game.with_(cards=game.cards.only(["infantry", "tank", "artillery"]))
    out = build.write(asked, game, tmp_path / "out", steps.append)
    assert sum(steps) == build.total(asked, game)
    assert f"- The roster can't play these matches: {why}.\n" in (out / "summary.md").read_text("utf-8")
    page = html.unescape((out / "index.html").read_text("utf-8"))
    assert f"<li>The roster can't play these matches: {why}.</li>" in page
    assert "What units are worth on the board" not in page


def with_lists(definition, lists):
    """Return the path of a definition with a field of such lists."""
    path = definition()
    path.write_text(path.read_text("utf-8") + '\n[metagame]\nfield = "own.field.toml"\n', encoding="utf-8")
    rows = "".join(f'[[lists]]\nunits = "{units}"\nweight = {weight}\n' for units, weight in lists.items())
    path.with_name("own.field.toml").write_text(f"points = 300\n{rows}", encoding="utf-8")
    return path


@pytest.mark.slow
def test_write__lists_of_the_metagame_have_a_map_and_shares_beside_fair_prices(definition, game, tmp_path):
    path = with_lists(definition, {"de_tiger1*2": 3, "su_t34_85*3": 1})
    out, said = written(path, game, tmp_path / "out")
    kinds, met, units = (pd.read_csv(out / f"{name}.csv", comment="#") for name in build.METAGAME_CSVS)
    assert kinds["weight_of_kind"].tolist() == [0.75, 0.25]
    assert kinds["example_requisition"].tolist() == [2 * game.cards["de_tiger1"].requisition, 300]
    assert kinds["score_against_field"][0] == pytest.approx(0.75 / 2 + met["score_of_kind"][1] / 4, abs=0.02)
    assert (kinds["score_against_field_low"] < kinds["score_against_field"]).all()
    assert met["score_of_kind"].tolist()[::3] == [0.5, 0.5]
    assert met["score_of_kind"][1] + met["score_of_kind"][2] == pytest.approx(1)
    assert dict(zip(units["unit"], units["requisition_share"], strict=True)) == {"de_tiger1": 0.75, "su_t34_85": 0.25}
    page = (out / "index.html").read_text("utf-8")
    content = json.loads((out / "summary.json").read_text("utf-8"))
    fair = {row["unit"]: row["fair_requisition"] for row in content["prices"]}
    assert [row["fair_requisition"] for row in content["metagame"]["units"]] == [fair["de_tiger1"], fair["su_t34_85"]]
    for text in (page, said):
        assert "2 lists of 300 points under 4 actions a turn are of 2 kinds" in text
    # The first kind has three quarters of the field; a kind against itself is level.
    names = kinds["archetype"].tolist()
    against = sorted([(met["score_of_kind"][0], names[0]), (met["score_of_kind"][1], names[1])])
    most, least = (f"{100 * score:.1f} % against {name}" for score, name in (against[1], against[0]))
    assert f"{names[0]} has the largest share, 75.0 %." in said
    assert f"It scores {most} and {least}." in said
    heads = re.search(r'id="table-kinds".*?</thead>', page, re.DOTALL)
    assert heads, "no table of kinds"
    assert re.findall(r">([^<>]+)</button>", heads[0])[4:] == ["costs", "scores", "from", "to", "for example"]
    assert '<a href="#metagame">' in page


@pytest.mark.slow
def test_write__lists_with_units_that_the_roster_lacks_are_left_out(done, own, game):
    out = done[0]
    assert own.opponents(Game().cards)
    assert own.opponents(game.cards) is None
    assert not (out / "metagame_units.csv").exists()
    assert "#metagame" not in (out / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_described__units_in_too_few_lists_for_a_slope_have_none_in_their_rows(definition, fewer):
    field = spec.read(with_lists(definition, {"de_tiger1": 1})).opponents(fewer.cards)
    units = described(fewer, field).units
    assert units[["requisition_share", "share_slope", "share_slope_low"]].notna().to_numpy().tolist() == [
        [True, False, False]
    ]


def test_opponents__no_such_file_has_its_line(definition, game):
    path = with_lists(definition, {"jp_chiha": 1})
    path.with_name("own.field.toml").unlink()
    with pytest.raises(CardError, match=r"mine.toml:\d+: metagame.field: found no file 'own.field.toml'"):
        spec.read(path).opponents(game.cards)


@pytest.mark.slow
def test_write__without_battles_no_section_no_table_and_no_picture(bare):
    out, said = bare
    assert not any((out / f"{name}.csv").exists() for name in results.BATTLE_CSVS)
    assert not (out / "actions.png").exists()
    assert "#matches" not in (out / "index.html").read_text("utf-8")
    assert "#board_worth" not in (out / "index.html").read_text("utf-8")
    assert "#battles" not in (out / "index.html").read_text("utf-8")
    assert "## Battles" not in said
    assert json.loads((out / "summary.json").read_text("utf-8"))["battles"] is None


@pytest.mark.slow
def test_write__battles_too_large_to_be_solved_say_so(definition, fewer, tmp_path, monkeypatch):
    for solver in ("states", "ordered"):
        monkeypatch.setattr(f"aabalance.engine.battle.{solver}.solve.MOST_STATES", 10)
    path = with_battles(definition, '"us_m4a1*2"', '"us_m4a1"')
    path.write_text(path.read_text("utf-8") + '[sensitivity]\nresolution = ["two_dice"]\n', encoding="utf-8")
    monkeypatch.setattr("aabalance.play.battle.TOO_LARGE_ERROR", 0.05)
    out, said = written(path, fewer, tmp_path / "out")
    assert "too large for an exact solution" in said
    assert "<code>monte_carlo</code>" in (out / "index.html").read_text("utf-8")
    heads = {
        name: json.loads((out / f"{name}.csv").read_text("utf-8").splitlines()[0][2:])
        for name in ("battles", "pairs", *results.WORTH_CSVS)
    }
    for name in ("battles", *results.WORTH_CSVS):
        assert (heads[name]["engine"], heads[name]["seed"]) == ("monte_carlo", 0), name
    assert (heads["pairs"]["engine"], "seed" in heads["pairs"]) == ("exact", False)
    assert "solved exactly, or simulated where they are too large." in (out / "index.html").read_text("utf-8")
    frame = pd.read_csv(out / "battles.csv", comment="#")
    assert (frame["n"] >= 100).all()
    assert (frame["p_a_ci_low"] < frame["p_a"]).all()


@pytest.mark.slow
def test_write__battles_that_are_solved_say_so_where_prices_are_simulated(definition, fewer, tmp_path, monkeypatch):
    monkeypatch.setattr("aabalance.engine.battle.ordered.solve.MOST_STATES", 10)
    out, _ = written(with_battles(definition), fewer, tmp_path / "out")
    engines = {
        name: json.loads((out / f"{name}.csv").read_text("utf-8").splitlines()[0][2:])["engine"]
        for name in ("battles", *results.WORTH_CSVS)
    }
    assert engines == dict.fromkeys(results.WORTH_CSVS, "monte_carlo") | {"battles": "exact"}


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"us_m4a1*2"', '"us_m4a1*0"', 19, "battles.lists.two: found 'us_m4a1*0', expected units such as"),
        ('"us_m4a1*2"', "7", 19, "battles.lists.two: found 7, expected a text"),
        (
            '["two", "one"]',
            '["two", "on"]',
            13,
            "battles.pairs.0: found 'on' (did you mean 'one'?), expected one of one, two",
        ),
        ('["two", "one"]', '["two"]', 13, "battles.pairs.0.1: found nothing"),
        ("[1, 2]", "[0]", 14, "battles.limits.0: found 0, expected"),
        ("[1, 2]", "[]", 14, "battles.limits: found []"),
        ('["focus"]', '["focsu"]', 15, "battles.policies: found 'focsu' (did you mean 'focus'?)"),
        ('["focus"]', '["focus"]\nmode = "tmed"', 16, "battles.mode: found 'tmed' (did you mean 'timed'?)"),
        ('["focus"]', '["focus"]\nmode = "timed"', 16, "battles.mode: found 'timed' without rounds, expected them"),
        ('["focus"]', '["focus"]\nrounds = 0', 16, "battles.rounds: found 0"),
        ("range_in = 18, ", "", 16, "battles.situation: found no range_in"),
        (
            "range_in = 18, ",
            "range_in = 18, wals = 1, ",
            16,
            "battles.situation.wals: found 'wals' (did you mean 'walls'?)",
        ),
        ("range_in = 18, ", "range_in = -1, ", 16, "battles.situation.range_in: found -1"),
        (
            "range_in = 18, ",
            "range_in = 18, moved = true, ",
            16,
            "battles.situation.moved: found a field of one attack",
        ),
        ('"side"', '"top"', 16, "battles.situation.facing: found 'top'"),
        ('"side"', "{ front = 0.5 }", 16, "battles.situation.facing: found shares that add up to 0.5, expected 1"),
        ("limits", "limit", 14, "battles.limit: found [1, 2], expected no such field; did you mean 'limits'?"),
    ],
)
def test_read__a_fault_in_battles_is_one_line_with_its_place(definition, old, new, line, said):
    path = with_battles(definition, old, new)
    (fault,) = refused(path)
    assert fault.startswith(f"{path}:{line}: {said}")


def test_together__a_battle_that_is_solved_has_no_trials_next_to_one_that_is_rolled() -> None:
    game, pair, curve = Game(), ("us_m4a1", "de_tiger1"), pd.DataFrame({"actions": [1]})
    fought = [
        (
            battles(game, [pair], situations=[{"range_in": 18}], actions=[2], policies=["value"], simulate=simulate),
            curve,
        )
        for simulate in (None, 100)
    ]
    table, _ = results._together(fought)
    assert table["n"].tolist() == [0, 100]


def test_fought__without_pairs_every_list_against_every_other(definition):
    path = with_battles(definition, 'pairs = [["two", "one"]]\n', "")
    assert spec.read(path).meetings(Game().cards) == [("one", "two")]


def test_read__one_list_alone_meets_nobody(definition):
    path = with_battles(definition, 'pairs = [["two", "one"]]\n', "")
    path.write_text(path.read_text("utf-8").replace('two = "us_m4a1*2"\n', ""), encoding="utf-8")
    (fault,) = refused(path)
    assert fault == f"{path}:16: battles.lists: found one, expected two at least"
    path.write_text(path.read_text("utf-8").replace("[battles]\n", '[battles]\npairs = [["one", "one"]]\n'), "utf-8")
    assert spec.read(path).meetings(Game().cards) == [("one", "one")]


def test_read__battles_of_a_game_without_them(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "T"\ngame = "forumini"\n[situations.range_in]\n1 = 1\n[battles]\nlists = { a = "x", b = "y" }\n'
        "situation = { range_in = 1 }\n",
        encoding="utf-8",
    )
    (fault,) = refused(path, None)
    assert fault == f"{path}:5: battles: found some, expected none: what is modelled of Forumini Armies has no battles"


@pytest.mark.parametrize(
    ("units", "line", "said"),
    [
        ("nobody", 19, "battles.lists.two: unknown unit 'nobody'"),
        ("inf_rifle*2", 13, "battles.pairs.0: list a: found no unit that counts, expected one at least"),
    ],
)
def test_write__lists_that_can_not_fight_are_faults_with_their_place(definition, game, tmp_path, units, line, said):
    path = with_battles(definition, "us_m4a1*2", units)
    with pytest.raises(CardError) as caught:
        build.write(spec.read(path, "armored_advance"), game, tmp_path / "out")
    (fault,) = map(str, caught.value.faults)
    assert fault.startswith(f"{path}:{line}: {said}")
    assert not (tmp_path / "out").exists()


def test_fought__of_the_game_s_own_definition_those_in_the_roster(own, roster):
    few = Game(cards=roster)
    assert len(own.meetings(few.cards)) == len(own.battles.pairs)
    tables_by_id = {name: few.cards.tables[name] for name in ("de_tiger1", "su_t34_85")}
    two = Game(cards=Cards(few.cards.schema, tables_by_id, {}))
    assert own.meetings(two.cards) == [("5 Tigers", "7 T-34-85")]


# --- pictures


def size(png):
    """Return the width and the height of a PNG, which stand behind its first 16 bytes."""
    return struct.unpack(">II", png[16:24])


@pytest.mark.slow
def test_write__pictures_have_their_sizes(done):
    """Inches by 150, all of one width: two panels of kills, three rows of battles, sixteen readings."""
    found = {path.stem: size(path.read_bytes()) for path in done[0].glob("*.png")}
    assert found == {
        "kill_probability": (960, 600),
        "matchup_heatmap": (960, 1062),
        "worth": (960, 922),
        "sensitivity": (960, 775),
        "actions": (960, 1605),
    }


@pytest.mark.slow
def test_draw__each_picture_says_what_was_found_and_where_from(game, done):
    out, _, figures = done
    said = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    wins, actions, kills, readings, worths = figures  # every other one by the worker, first
    source = "Armored Advance, default rules, cards "
    titled = {"matchup_heatmap": wins, "worth": worths, "sensitivity": readings, "actions": actions}
    for name, figure in titled.items():
        assert figure.get_suptitle().replace("\n", " ") == said["titles"][name]
        if name == "actions":
            continue
        assert figure.get_supxlabel().removeprefix("Means over the standard situations.\n").startswith(source)
    assert wins.get_supxlabel().startswith("Means over")
    noted, terms = (" ".join(figure.get_supxlabel().split()) for figure in (kills, actions))
    assert "returns no fire. Armored Advance" in noted
    assert terms.startswith('24", front 65.0 %, side 30.0 %, rear 5.0 %, annihilation. Bands: ')
    assert f" fought. {source}" in terms
    (heat,) = [ax for ax in wins.axes if ax.images]
    assert [label.get_text() for label in heat.get_yticklabels()][
        -1
    ] == f"Tiger I (Ausf. E) ({game.cards['de_tiger1'].requisition})"
    assert heat.get_ylabel() == "attacker (requisition)"
    assert len(heat.get_yticks()) == len(small.UNITS) - 1, "the squad is not of the field"
    assert worths.axes[0].get_xlabel() == "requisition asked (log scale)"


# --- the analysis behind it


def test_pairs__are_weighted_means_and_inverse_rates(game, own):
    found = matchups(game)
    table = pairs(found).set_index(["attacker", "target"])
    rows = found[(found["attacker"] == "de_tiger1") & (found["target"] == "su_t34_85")]
    row = table.loc[("de_tiger1", "su_t34_85")]
    assert row["p_win"] == pytest.approx(sum(rows["p_win"] * rows["weight"]))
    assert row["expected_turns_to_kill"] == pytest.approx(1 / sum(rows["weight"] / rows["expected_turns_to_kill"]))
    assert (table[["p_win", "p_draw", "p_loss"]].sum(axis=1) - 1).abs().max() < 1e-12
    assert math.isinf(table.loc[("su_ba64", "de_tiger1"), "expected_turns_to_kill"])


def test_chances__are_weighted_by_situation():
    """3/4 of 0.2 and 1/4 of 0.6; of some of the situations, the mean over those."""
    rows = {"attacker": "x", "target": "y", "weight": [0.3, 0.1], "p_win": [0.2, 0.6], "p_draw": [0.0, 0.4]}
    [row] = chances(pd.DataFrame(rows)).to_dict("records")
    assert (row["p_win"], row["p_draw"]) == (pytest.approx(0.3), pytest.approx(0.1))


def test_price_and_victory__counts_the_dearer_of_each_pair(game):
    table = pd.DataFrame(
        {
            "attacker": ["de_tiger1", "us_m4a1", "us_m4a1"],
            "target": ["us_m4a1", "de_tiger1", "us_m4a1"],
            "p_win": [0.9, 0.3, 0.5],
            "p_loss": [0.1, 0.7, 0.5],
        }
    )
    strangers = table.assign(
        attacker=["su_t34_85"] * 3, target=["us_m4a1", "de_tiger1", "su_t34_85"], p_win=1, p_loss=0
    )
    table = pd.concat([table, strangers, strangers.rename(columns={"attacker": "target", "target": "attacker"})])
    row = price_and_victory(game, table, ["de_tiger1", "us_m4a1"]).iloc[0]
    # A unit against itself is neither the dearer nor the cheaper one.
    assert row[["p_dearer_wins", "p_cheaper_wins"]].tolist() == pytest.approx([0.8, 0.2])
    assert row["share_one_sided"] == pytest.approx(0.5)


@pytest.mark.parametrize("turns", [1, 3])
def test_kill_curves__agree_with_a_duel_against_a_harmless_unit(game, turns):
    curve = kill_curves(game, [("us_m4a1", "su_ba64")], [6, 18, 30], turns)
    assert curve["p_kill_within"].between(0.01, 0.999).any()
    for row in curve.itertuples():
        duel = game.duel("us_m4a1", "su_ba64", range_in=row.range_in, first="a", rounds=turns)
        assert row.p_kill_within == pytest.approx(duel.p_a)


def test_kill_curves__with_conditions_refuse_what_holds_for_one_attack():
    """A target that is Pinned at first isn't so turn after turn."""
    forumini, pair = Game("forumini"), ("su_t_34_76", "de_panzer_iv_ausf_f2")
    with pytest.raises(UsageError, match="face_up"):
        kill_curves(forumini, [pair], [3], face_up=1)
    front, rear = (
        kill_curves(forumini, [pair], [3], 2, facing=face)["p_kill_within"].item() for face in ("front", "rear")
    )
    assert 0 < front < rear < 1


def test_with_peers__finds_a_power_law_again():
    price = [10, 20, 40, 80]
    table = pd.DataFrame({"requisition": price, "requisition_exchange_ratio": [0.1, 0.4, 1.6, 6.4]})
    assert cost.with_peers(table)["exchange_ratio_to_peers"].tolist() == pytest.approx([1.0] * 4)
    table["requisition_exchange_ratio"] = [0.1, 0.4, 1.6, 0.0]
    found = cost.with_peers(table)
    assert found["exchange_ratio_to_peers"].tolist() == pytest.approx([1.0, 1.0, 1.0, 0.0])
    assert found["peer_exchange_ratio"].iloc[3] == pytest.approx(6.4)

    bare = pd.DataFrame(
        {"requisition": [10, 20, 40, 80, 0], "requisition_exchange_ratio": [0.1, 0.4, 1.6, math.inf, 1.0]}
    )
    found = cost.with_peers(bare)  # no end and no price bear on no trend
    assert found["peer_exchange_ratio"].tolist() == pytest.approx([0.1, 0.4, 1.6, 6.4, math.nan], nan_ok=True)
    assert found["exchange_ratio_to_peers"].iloc[3] == math.inf


def test_with_peers__three_units_of_two_prices_make_a_trend():
    """At the dearer price the geometric mean of 0.5 and 2; a price of 1 is a price."""
    found = cost.with_peers(pd.DataFrame({"requisition": [1, 4, 4], "requisition_exchange_ratio": [0.3, 0.5, 2.0]}))
    assert found["peer_exchange_ratio"].tolist() == pytest.approx([0.3, 1.0, 1.0])


@pytest.mark.parametrize(("price", "ratio"), [([10, 20, 40], [0.1, 0.4, 0.0]), ([10, 10, 10], [0.1, 0.4, 1.6])])
def test_with_peers__two_units_or_one_price_make_no_trend(price, ratio):
    found = cost.with_peers(pd.DataFrame({"requisition": price, "requisition_exchange_ratio": ratio}))
    assert found["exchange_ratio_to_peers"].isna().all()


@pytest.mark.parametrize(("win", "loss", "one_sided"), [(0.46, 0.04, 1), (0.02, 0.48, 1), (0.44, 0.06, 0)])
def test_price_and_victory__draws_are_nobody_s(game, win, loss, one_sided):
    """Half of the duels are drawn: nine in ten of the rest are 0.45."""
    table = pd.DataFrame({"attacker": ["de_tiger1"], "target": ["us_m4a1"], "p_win": [win], "p_loss": [loss]})
    row = price_and_victory(game, table, ["de_tiger1", "us_m4a1"]).iloc[0]
    assert row.tolist() == [win, loss, one_sided]


def test_price_and_victory__nobody_s_duels_are_one_sided_for_nobody(game):
    table = pd.DataFrame({"attacker": ["de_tiger1"], "target": ["us_m4a1"], "p_win": [0.0], "p_loss": [0.0]})
    row = price_and_victory(game, table, ["de_tiger1", "us_m4a1"]).iloc[0]
    assert row.tolist() == [0, 0, 0]


# --- words


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (0.12345, "p_win", "12.3 %"),
        (0.0001, "p_win", "<0.1 %"),
        (0.0006, "p_win", "0.1 %"),
        (1e-20, "p_win", "<0.1 %"),
        (0.0, "p_win", "0.0 %"),
        (-0.0, "p_win", "0.0 %"),
        (-1e-17, "first_turn_gap", "0.0 %"),
        (-0.0001, "first_turn_gap", ">-0.1 %"),
        (-0.123, "first_turn_gap", "-12.3 %"),
        (0.9994, "p_win", "99.9 %"),
        (0.9996, "p_win", ">99.9 %"),
        (1 - 1e-9, "p_win", ">99.9 %"),
        (1 - 1e-15, "p_win", "100.0 %"),
        (1 + 1e-15, "p_win", "100.0 %"),
        (1.0, "p_win", "100.0 %"),
        (math.nan, "p_win", "–"),
        (99.94, "requisition_exchange_ratio", "99.9"),
        (99.96, "requisition_exchange_ratio", "100"),
        (-0.0, "requisition_exchange_ratio", "0"),
        (-0.0, "requisition", "0"),
        (12.5, "requisition", "12.5"),
        (1234.5, "requisition", "1234.5"),
        (12.55, "requisition", "12.6"),
        (12.3456, "requisition_destroyed_per_action", "12.3"),
        (math.inf, "expected_turns_to_kill", "∞"),
        (4.0, "rounds", "4"),
        (4.0, "player_turns", "4"),
        (3.996, "player_turns", "4.00"),
        (2.512, "player_turns", "2.51"),
        (25.123, "requisition_exchange_ratio", "25.1"),
        (1234.5, "requisition_exchange_ratio", "1234"),
        (0.0, "requisition_exchange_ratio", "0"),
        (140, "requisition", "140"),
        (0.2549, "worth_change", "+25 %"),
        (-0.005, "worth_change", "-1 %"),
        (-0.0049, "worth_change", "+0 %"),
        (-0.506, "change", "-51 %"),
        (math.inf, "worth_change", "∞"),
        (math.nan, "change", "–"),
    ],
)
def test_number__reads_well(value, name, text):
    assert tables.number(value, columns.COLUMNS[name]) == text


@pytest.mark.parametrize(("change", "text"), [(0.0593, "5.9"), (-0.0593, "-5.9"), (-0.0001, "0.0"), (0.0, "0.0")])
def test_points__no_minus_zero(change, text):
    assert tables.percentage_points(change) == text


@pytest.mark.parametrize("text", ["", "a", "a and b", "a, b and c"])
def test_listed__the_last_of_several_has_an_and(text):
    assert listed(re.findall(r"\b[abc]\b", text)) == text


def test_multiple__of_what_loses_nothing_has_no_end():
    assert tables.multiple(math.inf) == "∞ times"


def test_markdown__a_bar_in_a_name_is_no_cell():
    made = tables.markdown([{"name": "a|b", "requisition": 7.0}], ["name", "requisition"], "points")
    assert made == "| name | points |\n| --- | --: |\n| a\\|b | 7 |"


def test_joined__an_interval_stands_below_its_value():
    names = ["board", "first_turn_gap", "first_turn_gap_ci_low", "first_turn_gap_ci_high", "n"]
    values = [("b", -0.065, -0.234, 0.112, 100), ("c", 0.5, math.nan, math.nan, 1)]
    made = tables.joined(tables.table([dict(zip(names, row, strict=True)) for row in values], names))
    assert [column.name for column in made.columns] == ["board", "first_turn_gap", "n"]
    assert [[cell.text for cell in row] for row in made.rows] == [
        ["b", "-6.5 %\n(-23.4 to 11.2 %)", "100"],
        ["c", "50.0 %", "1"],
    ]
    assert made.rows[0][1].order == "-0.065"


def test_gains__three_at_either_end_and_none_that_would_read_as_nothing(game):
    gains = {"us_m4a1": 0.02, "de_pz4h": 0.03, "de_tiger1": 0.001, "su_t34_85": -0.0004, "su_ba64": 0.0004}
    table = pd.DataFrame({"reading": ["x"]})
    table.attrs["gains"] = {"r": gains | {"inf_rifle": -0.05}}
    found = summary._gains(game, SimpleNamespace(sensitivity=table))["r"]
    assert [row["unit"] for row in found["gain"]] == ["de_pz4h", "us_m4a1", "de_tiger1"]
    assert [(row["unit"], row["change_of_p_win"]) for row in found["lose"]] == [("inf_rifle", -0.05)]
    table.attrs["gains"] = {"r": {unit: 0.1 - 0.01 * at for at, unit in enumerate(small.UNITS)}}
    found = summary._gains(game, SimpleNamespace(sensitivity=table))["r"]
    assert [row["unit"] for row in found["gain"]] == list(small.UNITS[:3])
    assert found["lose"] == [], "who gains least doesn't lose"


def test_gains_of_worth__who_stays_as_it_was_neither_gains_nor_loses():
    rows = [("a", 10, 12), ("b", 10, 10), ("c", 10, 9), ("d", 10, 7)]
    found = summary._gains_of_worth(pd.DataFrame(rows, columns=["unit", "worth_before", "worth_after"]))
    assert {way: [row["unit"] for row in some] for way, some in found.items()} == {"gain": ["a"], "lose": ["d", "c"]}


def test_bars__what_the_die_must_show_in_words():
    shares = pd.DataFrame({"facing": "front", "need": [1, 2, 6, 7], "share_of_pairs": [0.1, 0.2, 0.3, 0.4]})
    [bar] = summary._bars(shares, 7)
    assert [part["need"] for part in bar["parts"]] == ["automatic", "2+", "6+", "impossible"]


def test_longest__names_who_shoots_first(game):
    duel = {"attacker": "us_m4a1", "target": "de_pz4h", "range_in": 12.0, "facing": "front", "player_turns": 7.5}
    said = summary._longest(game, pd.DataFrame([duel]))
    a, b = (game.cards[unit].name for unit in ("us_m4a1", "de_pz4h"))
    assert said == f'7.5 player turns on average: {a} v {b}, 12", front'
    assert summary._longest(game, pd.DataFrame([duel])[:0]) == ""


@pytest.mark.parametrize(
    ("many", "begins"), [("b", "Actions decide: "), ("a", "A ahead up to 3 actions a turn, A from 4 on")]
)
def test_first_lead__actions_decide_where_another_is_ahead_with_many(many, begins):
    lead = {"list_a": "A", "list_b": "B", "ahead_with_few": "a", "few_to": 3, "ahead_with_many": many, "many_from": 4}
    assert summary._first_lead(pd.DataFrame([lead])).startswith(begins)


def test_findings__readings_of_the_rules_stand_behind_how_sure_it_is():
    made = SimpleNamespace(
        priced=False,
        board_worth=pd.DataFrame({"board": [], "worth_low": []}),
        cost_effectiveness=pd.DataFrame({"unit": ["a"], "requisition_exchange_ratio": [1.5]}),
        requisition=pd.DataFrame({"unit": ["a"], "requisition": [5], "proposal": [5]}),
        matchups=pd.DataFrame(),
        no_proposal="",
        sensitivity=pd.DataFrame({"reading": ["rules"], "mean_change_of_p_win": [0.0]}),
        headlines=pd.DataFrame({"first_turn_gap": [0.2]}),
        battles=pd.DataFrame({"first_turn_gap": []}),
    )
    game, none = Game("skirmish_wars"), pd.DataFrame()
    titles = [fact["title"] for fact in findings.findings(game, list(game.cards), made, none, none, "")["facts"]]
    assert titles == ["How sure", "Under other readings of the rules", "What to do", "The first turn"]


def test_table__of_one_row_has_its_columns():
    made = tables.table([{"unit": "a", "p_win": 0.25}])
    assert [column.name for column in made.columns] == ["unit", "p_win"]
    assert made.rows == [[("a", "a"), ("25.0 %", "0.25")]]


def test_csv__six_digits_and_inf_under_one_comment_line():
    source = Provenance("1.0", "ab", "Game", "Rules", "cd", "default rules", "small", "exact", note='a "note"')
    text = tables.csv(pd.DataFrame({"unit": ["a"], "p_win": [1 / 3], "expected_turns_to_kill": [math.inf]}), source)
    head, rest = text.split("\n", 1)
    said = {"aabalance": "1.0", "sources": "ab", "game": "Game", "rulebook": "Rules", "cards": "cd"}
    said |= {"variant": "default rules", "definition": "small", "engine": "exact", "note": 'a "note"'}
    assert json.loads(head.removeprefix("# ")) == said
    assert rest == "unit,p_win,expected_turns_to_kill\na,0.333333,inf\n"


def test_csv__text_is_no_formula():
    source = tables.provenance(Game("skirmish_wars"), "x")
    frame = pd.DataFrame({"name": ["=cmd", None, "T-34"], "requisition": [-1.0, 2.0, 3.0]})
    assert tables.csv(frame, source).splitlines()[1:] == ["name,requisition", "'=cmd,-1", ",2", "T-34,3"]
    assert frame["name"][0] == "=cmd"


def test_csv__refuses_a_column_nobody_declared():
    with pytest.raises(KeyError):
        tables.csv(pd.DataFrame({"nonsense": [1]}), "")


@pytest.mark.slow
def test_write__a_game_that_strikes_at_once_says_nothing_of_a_first_turn(tmp_path):
    few = {"de_tiger_i", "su_t_34_85"}
    game = Game("forumini")
    cards = Cards(game.cards.schema, {i: game.cards.tables[i] for i in game.cards if i in few}, game.cards.places)
    asked = spec.read(None, "forumini").model_copy(update={"board_worth": None})
    build.write(asked, Game("forumini", cards), tmp_path)
    said = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "what the first turn adds" not in said
    assert "\n- 14 player turns are the most" in said
    assert "\n## Most and least for their price\n" in said
    assert "underpriced" not in said
    # Neither battles nor matches say what its units are worth: it keeps the ratio, its trend and the formula.
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "A first proposal of what units should cost, by a formula on single attacks" in page
    assert "it doesn't say who is worth" in page
    assert "Compare a unit with the trend" in page
    assert all(f"{much} for their price" in page for much in ("Most", "Least"))
    assert {path.name for path in tmp_path.glob("*.csv")} == {
        *(f"{name}.csv" for name in (*results.CSVS, *results.FORMULA_CSVS))
    }
    assert (tmp_path / "cost_effectiveness.png").exists()
    assert not (tmp_path / "worth.png").exists()


@pytest.mark.slow
def test_write__worth_and_prices_are_what_the_package_gives(done, game, own):
    """Its own definition is the report's, so that `worth` and `tune` by themselves say the same."""
    shown = {name: pd.read_csv(done[0] / f"{name}.csv", comment="#").set_index("unit") for name in ("worth", "prices")}
    alone = worth(game).set_index("unit")
    assert shown["worth"]["worth"].to_dict() == pytest.approx(alone["worth"].to_dict(), rel=1e-5, nan_ok=True)
    tuned = tune(game)
    assert shown["prices"]["new_requisition"].to_dict() == tuned.table.set_index("unit")["new_requisition"].to_dict()
    said = json.loads((done[0] / "summary.json").read_text(encoding="utf-8"))
    assert said["prices_leave"]["rms_before"] == pytest.approx(tuned.before.rms, rel=1e-5)
    # The lists are the rows whose price lies outside the interval, the most out of line first.
    rated = shown["worth"][shown["worth"]["worth"].notna()]
    out = rated[(rated["requisition"] < rated["worth_low"]) | (rated["requisition"] > rated["worth_high"])]
    ratio = (out["worth"] / out["requisition"]).sort_values()
    assert [row["unit"] for row in said["overpriced"]] == ratio[ratio < 1].index.tolist()[:5]
    assert [row["unit"] for row in said["underpriced"]] == ratio[ratio > 1].index.tolist()[:-6:-1]
    assert (said["rated"], said["in_line"]) == (len(rated), len(rated) - len(out))
    assert len(out), "some are out of line, or the lists say nothing"
