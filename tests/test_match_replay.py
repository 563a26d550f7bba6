"""A match that is noted, and its page: what stands on the board is what the rules say, decision by decision."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections import Counter
from html import unescape
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import meetings
import pytest
from browsing import barriers
from click.testing import CliRunner
from golden.replay import Replay
from golden.scenes import told
from golden.test_matches import transcripts
from meetings import PLAYED

import aabalance as aab
from aabalance.cli import main
from aabalance.play.match_log import MatchLog
from aabalance.rulesets.base.match import script

ROOT = Path(__file__).resolve().parents[1]

ASKED: dict[str, dict[str, Any]] = {
    "skirmish_wars": {"board": "last_stand", "rounds": 6},
    "modern_land_battles": {
        "board": "skirmish",
        "list_a": "us_stryker,us_m113,us_bradley,us_m109",
        "list_b": "cn_type80,cn_yw531,cn_type83",
    },
    "armored_advance": {
        "board": "small",
        "list_a": "de_pz2l,us_m3_ht,inf_rifle",
        "list_b": "su_t34_85,us_m24,inf_rifle",
        "rounds": 3,
        "mission": "domination",
    },
    "forumini": {
        "board": "crossroads",
        "list_a": "de_panzergrenadier*2,de_nashorn",
        "list_b": "su_t_34_85,us_m1_garand_rifle",
        "rounds": 2,
    },
    "armour_battles": {"board": "crossroads", "rounds": 2},
}


def played(game: str, **more: Any) -> aab.MatchResult:
    """A match between players at random."""
    asked = {**ASKED[game], "player_a": "random", "player_b": "random", "simulate": 1, **more}
    result: aab.MatchResult = aab.Game(game).match(**asked)
    return result


@pytest.fixture(scope="module")
def results() -> dict[str, aab.MatchResult]:
    return {game: played(game) for game in meetings.PLAYED}


@pytest.fixture(scope="module")
def logs(results: dict[str, aab.MatchResult]) -> dict[str, MatchLog]:
    return {game: result.played.first for game, result in results.items()}


# --- what is noted


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_record__replays_by_its_actions_and_dice(game: str, results: dict[str, aab.MatchResult]) -> None:
    played, log = results[game].played, results[game].played.first
    rules, (tables, start) = played.match.rules, played.match.start(0)
    state = start.copy()
    assert rules.words(tables, state, played.names) == log.state
    assert any(step.dice for step in log.steps), "found no die rolled, expected some: ASKED may need another match"
    for step in log.steps:
        assert "ab"[rules.to_move(state)] == step.side
        dice = script(list(step.dice))
        rules.apply(tables, state, rules.read(tables, state, step.action, played.names), dice)
        assert (dice.rolled, dice.sides[: dice.rolled].tolist()) == (len(step.dice), list(step.sides))
        assert rules.words(tables, state, played.names) == step.state
    assert rules.to_move(state) == 2
    assert rules.ended(tables, state) == log.result


@pytest.mark.slow
def test_record__another_number_is_another_match(results: dict[str, aab.MatchResult]) -> None:
    one, other = (results["skirmish_wars"].played.log(number) for number in (0, 2))
    assert [step.action for step in one.steps] == [step.action for step in results["skirmish_wars"].played.first.steps]
    assert [step.action for step in one.steps[:20]] != [step.action for step in other.steps[:20]]


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_scene__has_what_the_words_of_transcripts_have(game: str) -> None:
    carried, uneven = False, set()
    for case in list(transcripts(game).values())[:12]:
        match = Replay(game, case["setup"])
        scene = match.rules.scene
        assert scene is not None
        for at, step in enumerate([None, *case["steps"]]):
            if step is not None:
                match.do(step["do"], step["dice"], step.get("sides"))
            if at % 3:  # most is as it was a decision ago
                continue
            now = scene(match.tables, match.now, match.names)
            pieces = [one._replace(symbol="armour") for one in now.pieces]
            assert now._replace(pieces=pieces, cleared=list(now.cleared)) == told(game, case["setup"], match.state())
            carried |= any(one.inside for one in pieces)
            uneven |= {what for what, (a, b) in now.score.items() if a != b}
    assert carried == (game in ("skirmish_wars", "armored_advance"))
    assert set(now.score) <= uneven, "sides that are exchanged would show"


@pytest.mark.slow
def test_told__has_the_name_of_the_weapon_behind_the_action() -> None:
    asked = {"list_a": "de_tiger1", "list_b": "su_t34_85", "player_a": "greedy", "rounds": 4}
    result = played("armored_advance", **asked)
    fired = [step for step in result.played.first.steps if " w" in step.action]
    assert {"a1.de_tiger1", "b1.su_t34_85"} & {step.action.split()[0] for step in fired}
    for step in fired:
        unit, *_, weapon = step.action.split()
        called = aab.Game().cards[unit.partition(".")[2]].weapons[int(weapon.removeprefix("w"))].name
        assert step.told == f"{step.action} ({called})"
        assert step.told in result.explain()
    assert all(step.told == step.action for step in result.played.first.steps if step not in fired)


# --- the page


def check_words(said: str, step: Any, result: aab.MatchResult) -> None:
    """Check that words for people say what an action says, with the names of units in place of ids."""
    names = {one.mark: result.played.question.roster[one.card].name for one in step.scene.pieces}
    plain = [word.partition(".")[0] for word in step.action.split()]
    for word in plain:
        assert (
            f"{word} {names[word]}" in said
            if word in names
            else re.sub(r"^w\d+$", "with", word).replace("_", " ") in said
        )
    assert "_" not in said
    assert not re.search(r"\b([ab]\d+)[.]", said)


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_page__loads_nothing_and_has_all_decisions(game: str, results: dict[str, aab.MatchResult]) -> None:
    text, log = results[game].replay(), results[game].played.first
    assert not re.search(r"(?:src|href)=[\"'](?!#)|@import|url\((?!#)|fetch\(", text)
    data = json.loads(re.search(r'id="data">(.*)</script>', text)[1])  # type: ignore[index]
    assert [step["action"] for step in data["steps"]] == [step.told for step in log.steps]
    assert len(data["scenes"]) == len(log.steps) + 1
    shown = re.findall(r"<li><a href=.#\d+.><b class=.([ab]).>\1</b> (.*?)</a></li>", unescape(text))  # without scripts
    assert [side for side, _ in shown] == [step.side for step in log.steps]
    for (_, said), step in zip(shown, log.steps, strict=True):
        check_words(said, step, results[game])
    assert results[game].replay()._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_result__shows_its_board_in_a_notebook(game: str, results: dict[str, aab.MatchResult]) -> None:
    board = aab.Game(game).boards[ASKED[game]["board"]]
    assert results[game]._repr_html_().startswith(f"<div>{board._repr_svg_()}</div><table")


@pytest.mark.slow
def test_page__has_the_name_of_a_card_that_is_not_the_roster_s() -> None:
    game = aab.Game()
    changed = game.cards["us_m24"].model_copy(update={"hp": 3, "name": "Old Chaffee"})
    asked = {"board": "small", "rounds": 1, "player_a": "random", "player_b": "random", "simulate": 1}
    assert "Old Chaffee" in game.match([changed], "us_m24", **asked).replay()


def test_page__begins_with_the_list_of_each_side() -> None:
    asked = {"board": "crossing", "player_a": "random", "player_b": "random", "rounds": 1, "simulate": 1}
    text = aab.Game("skirmish_wars").match("tank", "infantry*2", **asked).replay()
    assert re.findall(r'<p><b class="([ab])">\1</b> (.*?)</p>', text) == [("a", "Tank"), ("b", "2 Infantry")]


def test_page__escapes_what_users_write(tmp_path: Path) -> None:
    board = (ROOT / "unitdb/skirmish_wars/boards/last_stand.toml").read_text(encoding="utf-8")
    (tmp_path / "b.toml").write_text(board.replace('"Last stand"', '"</script><b>"'), encoding="utf-8")
    asked = {"player_a": "random", "player_b": "random", "rounds": 1, "simulate": 1}
    text = aab.Game("skirmish_wars", boards=tmp_path).match(board="b", **asked).replay()
    assert "&lt;/script&gt;&lt;b&gt;" in text
    assert '<b>"' not in text


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_page__its_command_makes_the_same_page(game: str, results: dict[str, aab.MatchResult], tmp_path: Path) -> None:
    text = results[game].replay()
    command = shlex.split(unescape(re.search(r"<dd>(aabalance match .*)</dd>", text)[1]))  # type: ignore[index]
    path = tmp_path / "page.html"
    ran = CliRunner().invoke(main, [*command[1:-1], str(path)])
    assert (ran.exit_code, ran.output) == (0, f"{path}: {len(results[game].played.first.steps)} decisions\n")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_page__its_command_has_places_options_switches_and_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "unitdb/armored_advance", "mine")
    places = {
        "a1": "3,20,N",
        "a3": {"aboard": 2},
        "a2": [4, 21],
        "b1": [3, 2, "S"],
        "b2": [4, 2, "S"],
        "b3": [5, 2],
    }
    game = aab.Game(cards="mine", boards="mine/boards")
    game = game.with_(variant={"resolution": "two_dice"}, changes=["us_m24.hp=9"])
    asked = {**ASKED["armored_advance"], "mission": "timed", "rounds": 1, "hull": 1, "simulate": 1, "seed": 3}
    text = game.match(**asked, **places, player_a="random", player_b="random", first="b").replay()
    assert unescape(re.search(r"<dd>(aabalance match .*)</dd>", text)[1]) == (  # type: ignore[index]
        "aabalance match de_pz2l,us_m3_ht,inf_rifle su_t34_85,us_m24,inf_rifle --game armored_advance --board small"
        " --mission timed --rounds 1 --actions 5,5 --first b --player-a random --player-b random --seed 3"
        " --cards mine --boards mine/boards"
        " --set us_m24.hp=9 --variant resolution=two_dice --with hull=1 --with a1=3,20,N --with 'a3={ aboard = 2 }'"
        " --with 'a2=[4, 21]' --with 'b1=[3, 2, \"S\"]' --with 'b2=[4, 2, \"S\"]' --with 'b3=[5, 2]'"
        " --replay FILE.html"
    )


def test_command__a_page_that_cannot_be_written(tmp_path: Path) -> None:
    words = ["match", "--game", "skirmish_wars", "--board", "last_stand", "--replay", f"{tmp_path}/no/page.html"]
    ran = CliRunner().invoke(main, words)
    assert (ran.exit_code, ran.output.count("\n")) == (2, 1)
    assert "can't be written: found no folder" in ran.output


@pytest.fixture(scope="module")
def pages(results: dict[str, aab.MatchResult], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("matches")
    for game, result in results.items():
        (folder / f"{game}.html").write_text(result.replay(), encoding="utf-8")
    return {game: folder / f"{game}.html" for game in results}


@pytest.fixture(params=[(1280, 860), (390, 844)], ids=["desk", "phone"])
def look(browser: Any, request: pytest.FixtureRequest, pages: dict[str, Path]) -> Any:
    """Return a function that opens the page of a game; there is no network, and an error in the page is a failure."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True, reduced_motion="reduce")
    errors: list[str] = []

    def open_page(game: str) -> Any:
        opened = context.new_page()
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on("console", lambda message: errors.append(message.text))
        opened.goto(pages[game].as_uri())
        return opened

    yield open_page
    context.close()
    assert errors == []


PLAYED = """(steps) => steps.map((step) => {
  for (let left = step - at; left > 0; left--) document.getElementById("next").click();
  const texts = (where) => [...document.querySelectorAll(where)].map((part) => part.textContent);
  const numbers = (where, names) =>
    [...document.querySelectorAll(where)].map((part) => names.map((name) => Number(part.getAttribute(name))));
  const shown = [...document.querySelectorAll(".unit")].filter((unit) => getComputedStyle(unit).display !== "none");
  const boxes = shown.map((unit) => unit.querySelector("use").getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return {
    units: shown.map((unit) => {
      const [, x, y] = unit.style.transform.match(/translate\\(([\\d.]+)px, ([\\d.]+)px\\)/);
      const left = unit.querySelector(".left").getAttribute("width") / 7.8;
      return [unit.querySelector("text").textContent, Number(x), Number(y), left];
    }),
    facing: shown.map((unit) => {
      const arrow = unit.querySelector(".facing");
      const turned = arrow.getAttribute("transform").match(/^rotate\\((.+)\\)$/)[1];
      return arrow.style.display === "none" ? null : Number(turned);
    }),
    acts: texts(".unit.acts > text"),
    left: [...document.querySelectorAll("#roster tbody tr")]
      .filter((row) => !row.hidden)
      .map((row) => [row.cells[0].textContent, row.cells[2].textContent]),
    owners: [...document.querySelectorAll("#owners use")].map((mark) => {
      const [, x, y] = mark.getAttribute("transform").match(/translate\\(([\\d.]+),([\\d.]+)\\)/);
      return [mark.getAttribute("href"), Number(x) + 3.1, Number(y) + 3.1];
    }),
    cleared: numbers("#cleared rect", ["x", "y"]),
    tracks: numbers("#tracks line", ["x1", "y1", "x2", "y2"]),
    crosses: document.querySelectorAll("#effects path").length,
    covered: boxes.flatMap((a, one) => boxes.slice(one + 1).filter((b) => meet(a, b))).length,
    told: texts("#action")[0],
    dice: texts(".die"),
    rolls: texts("#dice .roll"),
    met: texts(".met.die"),
    turn: texts("#turn")[0],
    score: texts("#score tbody td"),
    hands: texts("#hands li"),
    rule: texts("#rule")[0],
    gone: texts("#roster tr.gone > :first-child"),
  };
})"""
"""Steps a replay to each decision of a list, and returns what the page shows there: units, words, dice and score."""
ANGLES = {"N": 0, "NE": 45, "E": 90, "SE": 135, "S": 180, "SW": 225, "W": 270, "NW": 315}
OF_HEXES = {"NE": 30, "E": 90, "SE": 150, "SW": 210, "W": 270, "NW": 330}
"""A hex with a corner to the north has an edge to the east, and one every 60 degrees."""


def middles(game: str) -> dict[tuple[int, int], complex]:
    """Return the middle of each square of a board, where a square is 10 wide: of hexes, by regular hexagons."""
    board = aab.Game(game).boards[ASKED[game]["board"]]
    squares = [(x, y) for y, row in enumerate(board.rows) for x in range(len(row))]
    if game != "forumini":
        return {(x, y): complex(10 * x + 5, 10 * y + 5) for x, y in squares}
    # The three hexes around a corner form a triangle of equal sides; the corner is its middle, as far from each.
    down, corner = 10 * sin(pi / 3), 5 / cos(pi / 6)
    return {(x, y): complex(5 + 10 * x + (5 if y % 2 else 0), corner + down * y) for x, y in squares}


def check_marks(game: str, seen: dict[str, Any], before: Any, step: Any) -> None:
    """Check what the page marks of a decision: who acts and looks where, what is left, moved, taken and held."""
    centre, angles = middles(game), OF_HEXES if game == "forumini" else ANGLES
    was, now = ({one.mark: one for one in scene.pieces} for scene in (before, step.scene))
    facing = dict(zip((unit[0] for unit in seen["units"]), seen["facing"], strict=True))
    assert facing == {mark: angles[one.facing] if one.facing else None for mark, one in now.items() if one.at}
    named = [word.partition(".")[0] for word in step.action.split()]
    assert set(seen["acts"]) <= {mark for mark in named if mark in {**was, **now}}
    assert seen["acts"] or not [mark for mark in named[:1] if mark in now and now[mark].at]
    for mark, left in seen["left"]:
        where = ""
        if (one := now.get(mark)) and not one.at:
            where = f", in {one.inside}" if one.inside else ", off the board"
        ails = f", {one.condition}" if one and one.condition else ""
        assert left == (f"{one.strength:g} of {one.most:g}{where}{ails}" if one else "gone")
    assert {*was, *now} <= {mark for mark, _ in seen["left"]}
    assert {mark for mark, left in seen["left"] if left == "gone"} == {*seen["gone"]} & {
        mark for mark, _ in seen["left"]
    }
    for said, (side, hand) in zip(seen["hands"], step.scene.hands.items(), strict=True):
        held = [f"{many} {card}" if many > 1 else card for card, many in hand.items()]
        assert said == f"{side} holds {', '.join(held).replace('_', ' ') or 'no card'}"
    held = {
        (f"#side-{side}", round(centre[at].real, 6), round(centre[at].imag, 6))
        for at, side in step.scene.owners.items()
    }
    assert {(mark, round(x, 6), round(y, 6)) for mark, x, y in seen["owners"]} == held
    assert [[x / 10, y / 10] for x, y in seen["cleared"]] == [[*at] for at in step.scene.cleared]
    moved = {
        (one.at, now[mark].at)
        for mark, one in was.items()
        if one.at and mark in now and now[mark].at not in (None, one.at)
    }
    ends = [[complex(*pair) for pair in (track[:2], track[2:])] for track in seen["tracks"]]
    nearest = [tuple(min(centre, key=lambda at: abs(centre[at] - end)) for end in track) for track in ends]
    assert len(nearest) >= len(moved)
    assert set(nearest) == moved
    assert seen["crosses"] == sum(bool(one.at) for mark, one in was.items() if mark not in now)


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_page__shows_each_decision(look: Any, results: dict[str, aab.MatchResult], game: str) -> None:
    logs = {game: results[game].played.first}
    opened, steps, centre = look(game), logs[game].steps, middles(game)
    assert opened.locator("#count").text_content() == f"0 of {len(steps)}"
    rows = "rows => rows.filter((row) => !row.hidden).map((row) => row.cells[0].textContent)"
    begins = logs[game].scene
    assert begins is not None
    assert set(opened.locator("#roster tbody tr").evaluate_all(rows)) == {one.mark for one in begins.pieces}
    wanted = [at for at, step in enumerate(steps, start=1) if step.dice or at % 7 == 0 or at == len(steps)]
    for at, seen in zip(wanted, opened.evaluate(PLAYED, wanted), strict=True):
        step = steps[at - 1]
        assert step.scene is not None
        on_board = {one.mark: one for one in step.scene.pieces if one.at}
        taken = Counter(one.at for one in on_board.values())
        expected = {mark: (one.at, pytest.approx(one.strength / one.most)) for mark, one in on_board.items()}
        shown = {}
        for mark, x, y, left in seen["units"]:
            nearest = min(centre, key=lambda square: abs(centre[square] - complex(x, y)))
            away = abs(centre[nearest] - complex(x, y))
            assert away < (0.01 if taken[nearest] == 1 else 5)  # those that share a hex stand around its middle
            shown[mark] = nearest, left
        assert shown == expected
        assert taken.total() == len(taken) or seen["covered"] == 0
        assert seen["told"].startswith(f"{step.side}: ")
        check_words(seen["told"], step, results[game])
        faces = [re.match(r"\d+", said)[0] for said in seen["dice"]]  # type: ignore[index]
        assert faces == [str(face) for face in step.dice]
        met = [face for roll in step.rolls for face, is_met in zip(roll.faces, roll.met, strict=True) if is_met]
        assert [int(re.match(r"\d+", said)[0]) for said in seen["met"]] == met  # type: ignore[index]
        assert seen["rolls"] == [
            "".join(f"{face}{f' of {roll.sides}' if roll.sides != 6 else ''}" for face in roll.faces)
            + (f"for {roll.asked}" if roll.asked else "")
            for roll in step.rolls
        ]
        assert seen["turn"].startswith(f"Round {step.scene.round}:" if step.scene.round else "Before round 1:")
        if at < len(steps):
            assert seen["turn"].endswith(f"{steps[at].side} to move")
        check_marks(game, seen, steps[at - 2].scene if at > 1 else logs[game].scene, step)
        assert seen["score"] == [str(of) for both in step.scene.score.values() for of in both]
    winner = logs[game].result["winner"]
    said = f"{winner} wins: {logs[game].result['reason']}" if winner else f"a draw: {logs[game].result['reason']}"
    assert opened.locator("#turn").text_content().endswith(said)


@pytest.mark.slow
def test_page__says_and_marks_what_a_shot_took(look: Any, logs: dict[str, MatchLog]) -> None:
    """The first shot that takes hit points of an enemy who survives it."""
    before = logs["skirmish_wars"].scene
    assert before is not None
    for number, step in enumerate(logs["skirmish_wars"].steps):
        was, now = ({one.mark: one for one in scene.pieces} for scene in (before, step.scene) if scene)
        hit = [mark for mark in now if mark in was and now[mark].strength < was[mark].strength]
        if hit and " attack " in step.action:
            at = number
            break
        before = step.scene
    opened = look("skirmish_wars")
    opened.locator("#steps a").nth(at).click()
    assert opened.locator("#count").text_content().startswith(f"{at + 1} of ")
    said = opened.locator("#effect li").all_text_contents()
    names = {card.id: card.name for card in aab.Game("skirmish_wars").cards.values()}
    for mark in hit:
        ails = f", {now[mark].condition}" if now[mark].condition != was[mark].condition else ""
        assert f"{mark} {names[now[mark].card]} {was[mark].strength} to {now[mark].strength} left{ails}" in said
    assert opened.locator("#rule").text_content()
    lost = [f"−{was[mark].strength - now[mark].strength}" for mark in hit]
    assert set(lost) <= set(opened.locator("#effects text").all_text_contents())
    ends = [
        coordinate for mark in step.action.split()[::2] for x in [was[mark.partition(".")[0]]] for coordinate in x.at
    ]
    [line] = opened.locator("#effects line").all()
    places = [float(line.get_attribute(name)) for name in ("x1", "y1", "x2", "y2")]
    assert places == [10 * at + 5 for at in ends], "from who fires to whom"
    assert [opened.locator("#effects circle").get_attribute(name) for name in ("cx", "cy")] == [
        f"{at:g}" for at in places[2:]
    ]
    assert line.get_attribute("stroke") == "#c40000"
    opened.evaluate("scenes[0].cleared = [[3, 1]]; show(0)")  # what no shot of this match does
    cleared = opened.locator("#cleared rect")
    assert [cleared.get_attribute(name) for name in ("x", "y")] == ["30", "10"]


@pytest.mark.slow
def test_page__keys_slider_and_buttons(look: Any, logs: dict[str, MatchLog]) -> None:
    opened, last = look("armored_advance"), len(logs["armored_advance"].steps)

    def count() -> str:
        return str(opened.locator("#count").text_content())

    for press, expected in (
        ("End", last),
        ("ArrowRight", last),
        ("ArrowLeft", last - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
    ):
        opened.keyboard.press(press)
        assert count() == f"{expected} of {last}"
    opened.keyboard.press("Control+ArrowRight")
    assert count() == f"0 of {last}", "keys of the browser's own"
    opened.locator("#at").fill("9")
    assert count() == f"9 of {last}"
    opened.locator("#at").focus()
    opened.keyboard.press("ArrowRight")
    assert count() == f"10 of {last}"
    for button, expected in (("#next", 11), ("#back", 10), ("#last", last), ("#first", 0)):
        opened.locator(button).click()
        assert count() == f"{expected} of {last}"
        assert opened.locator("#at").get_attribute("aria-valuetext") == f"decision {expected} of {last}"
        current = "all => all.flatMap((one, at) => one.getAttribute('aria-current') === 'step' ? [at + 1] : [])"
        assert opened.locator("#steps a").evaluate_all(current) == [expected][:expected]
    assert opened.locator("#rule").text_content() == "", "of the start"
    opened.locator("body").focus()
    opened.keyboard.press(" ")
    assert opened.locator("#play").get_attribute("aria-label") == "Play"  # the button that was pressed has the space
    opened.evaluate("document.activeElement.blur()")
    opened.clock.install(time=0)
    opened.clock.pause_at(1000)  # from here on, time passes when the test says so
    opened.keyboard.press(" ")
    assert opened.locator("#play").get_attribute("aria-label") == "Pause"
    assert opened.locator("#now").get_attribute("aria-live") == "off", "it would talk all the time"
    opened.clock.run_for(2500)
    assert opened.evaluate("at") == 2
    opened.keyboard.press(" ")
    assert opened.locator("#play").get_attribute("aria-label") == "Play"
    assert opened.locator("#now").get_attribute("aria-live") == "polite"
    stopped = count()
    opened.clock.run_for(1100)
    assert count() == stopped
    opened.keyboard.press("End")
    opened.keyboard.press(" ")
    assert count() == f"0 of {last}", "from its end a match plays anew"
    opened.clock.run_for(1000)
    assert count() == f"1 of {last}"
    opened.goto(f"{opened.url}#7")
    opened.reload()
    assert count() == f"7 of {last}"


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_page__fits_the_window_and_has_no_barrier(look: Any, game: str) -> None:
    opened = look(game)
    opened.keyboard.press("End")
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box, high = opened.locator("#controls").bounding_box(), opened.viewport_size["height"]
    assert box["y"] + box["height"] <= high + 1  # within reach without scrolling
    sizes = opened.eval_on_selector_all(
        "button", "all => all.map((one) => one.getBoundingClientRect()).flatMap((box) => [box.width, box.height])"
    )
    assert min(sizes) >= 44
    assert barriers(opened, "light") == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (800, 720)])
def test_page__has_board_words_and_bar_in_one_view_and_a_board_that_stays(
    browser: Any, pages: dict[str, Path], width: int, height: int
) -> None:
    opened = browser.new_page(viewport={"width": width, "height": height})
    opened.goto(pages["skirmish_wars"].as_uri())
    opened.evaluate("scrollTo(0, document.querySelector('main').offsetTop)")
    places = set()
    for _ in range(30):
        opened.keyboard.press("ArrowRight")
        boxes = [opened.locator(part).bounding_box() for part in ("#table svg", "#action", "#controls")]
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes[1:])
        legend = 0.2 * boxes[0]["height"]  # the bar may cover its last row
        assert boxes[0]["y"] >= 0
        assert boxes[0]["y"] + boxes[0]["height"] - legend <= boxes[2]["y"]
        places.add(boxes[0]["y"])
    opened.close()
    assert len(places) == 1


@pytest.mark.slow
def test_page__units_of_a_large_board_can_be_read_on_a_phone(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(played("armored_advance", board="village", rounds=1).replay(), encoding="utf-8")
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    opened.goto((tmp_path / "page.html").as_uri())
    opened.keyboard.press("End")
    high = "all => all.map((one) => one.getBoundingClientRect().height).filter(Boolean)"
    marks = opened.eval_on_selector_all(".unit .halo", high)
    assert marks
    assert min(marks) >= 8
    opened.close()


@pytest.mark.slow
def test_page__units_side_by_side_on_a_large_board_make_room_inside_their_squares(browser: Any, tmp_path: Path) -> None:
    pair = {"list_a": "de_pz4h*2", "a1": {"at": [18, 44, "N"]}, "a2": {"at": [18, 45, "N"]}}
    match = played("armored_advance", board="village", rounds=1, **pair)
    (tmp_path / "page.html").write_text(match.replay(), encoding="utf-8")
    opened, steps, near = browser.new_page(), match.played.first.steps, 0
    opened.goto((tmp_path / "page.html").as_uri())
    wanted = range(1, len(steps) + 1)
    for step, seen in zip(steps, opened.evaluate(PLAYED, list(wanted)), strict=True):
        assert step.scene is not None
        on_board = {one.mark: complex(*one.at) for one in step.scene.pieces if one.at}
        drawn = {mark: complex(x, y) for mark, x, y, _ in seen["units"]}
        assert set(drawn) == set(on_board)
        for mark, square in on_board.items():
            away = drawn[mark] - (10 * square + 5 + 5j)
            assert max(abs(away.real), abs(away.imag)) < 5  # it still stands in its square
            far = sorted((abs(square - other), name) for name, other in on_board.items() if name != mark)
            if far and far[0][0] == 1 and all(other > 5 for other, _ in far[1:]):
                near += 1
                assert abs(drawn[mark] - drawn[far[0][1]]) > 17
            elif not far or far[0][0] > 3:
                assert abs(away) < 0.01
    opened.close()
    assert near


@pytest.mark.slow
def test_page__can_be_read_without_scripts(browser: Any, pages: dict[str, Path], logs: dict[str, MatchLog]) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(pages["skirmish_wars"].as_uri())
    assert opened.locator("#controls").is_hidden()
    assert opened.locator("#steps li").count() == len(logs["skirmish_wars"].steps)
    assert "aabalance match --game skirmish_wars --board last_stand" in opened.locator("dl").inner_text()
    context.close()
