"""A keyword is one function in keywords.py, a game is one package and a folder of cards.

Both are put into a copy of the package, which another Python runs: through `Game`, the command line and the report.
A game of another distribution is found by its entry point.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from other_games import offer

import aabalance as aab
from aabalance import rulesets
from aabalance.cards import SCHEMA_FILE, json_schema
from aabalance.cli import main
from aabalance.engine.battle import policies
from aabalance.errors import UsageError
from aabalance.rulesets import OURS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a checkout needs to run."""
    for folder in ("aabalance", "unitdb", "reports"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "out"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def commands(checkout: Path, *lines: tuple[str, ...], before: str = "") -> list[str]:
    """Return what command lines print, one after another in a process; ahead of it what Python prints before."""
    *said, printed = run(checkout, f"{before}\n{COMMANDS.format(lines=lines)}").splitlines()
    return ["\n".join(said), *json.loads(printed)]


COMMANDS = """
import json
from click.testing import CliRunner
from aabalance.cli import main
ran = [CliRunner().invoke(main, words) for words in {lines!r}]
assert not any(one.exit_code for one in ran), [one.output for one in ran]
print(json.dumps([one.output for one in ran]))
"""


def run(checkout: Path, code: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(checkout), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


KEYWORD = '''

@keyword("attack", "p. 99 Dummy", number=True)
def dummy(attack: Attack, x: int, moment: Moment) -> Attack:
    """X more damage."""
    return attack.change("dummy", f"{x} more damage", "p. 99 Dummy", damage=attack.damage + x)
'''

SHOOT_WITH_IT = """
import aabalance as aab
game = aab.Game(changes=["su_t34_85.keywords.dummy=7"])
plain = aab.Game().shot("su_t34_85", "su_t34_85", range_in=6, facing="rear")
shot = game.shot("su_t34_85", "su_t34_85", range_in=6, facing="rear")
print(aab.__file__, max(shot.damage) - max(plain.damage))
print(shot.explain())
from aabalance.cards import json_schema
assert "dummy" in json_schema(game.ruleset.Card)
"""


@pytest.mark.slow
def test_keyword__one_function_reaches_cards_schema_and_explanation(checkout: Path) -> None:
    with (checkout / "aabalance/rulesets/armored_advance/keywords.py").open("a", encoding="utf-8") as file:
        file.write(KEYWORD)
    (checkout / "reports/small.toml").write_text(SMALL.format(game="armored_advance"), encoding="utf-8")
    cards = checkout / "unitdb/armored_advance"
    with (cards / "ussr.toml").open("a", encoding="utf-8") as file:
        file.write(UNIT)
    words = ("shot", "su_t34_85", "su_t34_85", "--range", "6", "--set", "su_t34_85.keywords.dummy=7", "--explain")
    said, explained, checked = commands(checkout, words, ("cards", "check"), before=SHOOT_WITH_IT)
    assert said.splitlines()[0] == f"{checkout}/aabalance/__init__.py 7"
    step = next(line.split() for line in said.splitlines() if line.startswith("  dummy "))
    assert " ".join(step) == "dummy 7 more damage p. 99 Dummy"
    assert "7 more damage" in explained
    assert checked.strip() == f"{len(aab.Game().cards) + 1} cards are fine"
    # New sources have no compiled code yet: a report is quick in plain Python, but of two units, not of the roster.
    for path in cards.glob("*.toml"):
        path.unlink()
    plain = UNIT.replace("su_test", "su_plain").replace("keywords = { dummy = 7 }\n", "")
    (cards / "two.toml").write_text(UNIT + plain, encoding="utf-8")
    _, said = commands(checkout, ("report", "small", "--out", "r"))
    assert said.strip() == "r/index.html"
    assert "Test tank" in (checkout / "r/index.html").read_text(encoding="utf-8")
    # Of 10 hit points a hit takes 5, with the keyword 12.
    rows = list(csv.DictReader((checkout / "r/pairs.csv").read_text(encoding="utf-8").splitlines()[1:]))
    hits = {row["attacker"]: float(row["expected_damage_per_action"]) / float(row["p_damage"]) for row in rows}
    assert hits == pytest.approx({"su_test": 12, "su_plain": 5}, rel=1e-4)


UNIT = """
[su_test]
name = "Test tank"
nation = "USSR"
class = "vehicle"
weight = "light"
drive = "tracked"
movement = 7
hp = 10
armor = { front = 3, side = 2, rear = 2 }
requisition = 15
keywords = { dummy = 7 }
weapons = [{ name = "gun", kind = "at", penetration = 20, damage = 5 }]
"""

SMALL = """
title = "Small"
game = "{game}"
[situations.range_in]
6 = 1
"""

GAME = '''
"""Every attack takes a D6 from the target."""

from typing import Literal

from pydantic import BaseModel

from aabalance import dice
from aabalance.rulesets.base import Bracket, Circumstances, Dice, HitPointDuel, Labels, Length, RosterRules, Ruleset
from aabalance.rulesets.base import Shot, Step, Survey, Volley


class Card(BaseModel):
    id: str = ""
    name: str
    points: int
    life: int
    shots: int


class Variant(BaseModel):
    sides: Literal[6, 8] = 6


class Situation(Circumstances):
    pass


class Moment(Situation):
    range_in: float


class Units(RosterRules):
    reference, gun_classes = ("one", 10), ("gun",)

    def category(self, card):
        return "unit"

    def gun_class(self, card):
        return "gun"


class Dummy(Ruleset):
    name, labels = "dummy", Labels("Dummy", "Dummy rules", "", "points", "lives", Length("paces", " paces", whole=True))
    roster, fight = Units(), HitPointDuel()
    Card, Variant, Situation, Moment = Card, Variant, Situation, Moment

    def toughness(self, card):
        return card.life

    def offence(self, card, moment, variant):
        return card.shots

    def defence(self, card, moment, variant):
        return 0

    def shot(self, offence, defence, range_in, variant, weapon):
        effect = dice.pool([dice.die(variant.sides)] * offence)
        rolled = Dice(offence, dice.ONE, dice.ONE, (1, 2, 3, 4, 5, 6))
        return Shot("gun", offence, {}, effect, (Step("die", "D6", "p. 1"),), (rolled,))

    def survey(self, offence, defence, range_in, variant):
        shot = self.shot(offence, defence, range_in, variant, None)
        return Survey((Bracket(1, (Volley(("gun",), shot.effect, shot.dice),)),), shot, 3.5 * offence)


RULESET = Dummy()
'''

CARDS = """
[one]
name = "One"
points = 10
life = 2
shots = 1

[two]
name = "Two"
points = 20
life = 6
shots = 2
"""

PLAY = """
import aabalance as aab
from aabalance.analysis.matchups import matchups
from aabalance.analysis.situations import Situations
game = aab.Game("dummy")
shot = game.shot("two", "one", range_in=1)
assert (shot.expected_damage, shot.p_damage) == (7, 1), shot
assert "D6" in shot.explain()
duel = game.duel("one", "two", range_in=1, first="a")
assert abs(duel.p_a - 1 / 6) < 1e-12, duel
table = matchups(game, Situations.of(game, {"range_in": {1: 1.0}}))
print(len(game.cards), len(table), aab.Game("dummy", variant={"sides": 8}).reading)
"""


@pytest.mark.slow
def test_game__one_package_and_a_folder_of_cards(checkout: Path) -> None:
    package = checkout / "aabalance/rulesets/dummy"
    package.mkdir()
    (package / "__init__.py").write_text(GAME, encoding="utf-8")
    (checkout / "unitdb/dummy").mkdir()
    (checkout / "unitdb/dummy/cards.toml").write_text(CARDS, encoding="utf-8")
    (checkout / "reports/dummy.toml").write_text(SMALL.format(game="dummy"), encoding="utf-8")
    said, listed, printed, shot, written = commands(
        checkout,
        ("cards", "--game", "dummy"),
        ("cards", "--game", "dummy", "--print", "c.html"),
        ("shot", "two", "one", "--range", "1", "--game", "dummy"),
        ("report", "--game", "dummy", "--out", "r"),
        before=PLAY,
    )
    assert said.split() == ["2", "4", "sides=8"]
    assert "two" in listed
    assert printed.strip() == "c.html: 2 cards"
    assert "<dt>shots</dt>" in (checkout / "c.html").read_text(encoding="utf-8")
    assert "expected_damage  7.000" in shot
    assert written.strip() == "r/index.html"
    assert "Two" in (checkout / "r/index.html").read_text(encoding="utf-8")


CLAIM = '''class ShotClaim(_Claim):
    """Each shot of one of `a` at one of `b` has a chance to tell within the band.

    Attributes
    ----------
    a, b : Chosen
    range_in : float
    """

    kind: Literal["shot"]
    a: Chosen
    b: Chosen
    range_in: Number


'''

OF_CLAIM = '''

def of_shots(claim: claims.ShotClaim, evidence: Evidence) -> Cases:
    """Return the chance of each shot of a claim to tell."""
    game = evidence.game
    a, b = (chosen(game.ruleset, game.cards, units) for units in (claim.a, claim.b))
    shots = {(one, other): game.shot(one, other, range_in=claim.range_in) for one in a for other in b}
    return Cases(_cases(evidence, {key: shot.p_damage for key, shot in shots.items()}))
'''

GATE = """
title = "Shots"
game = "forumini"
[claims.tell]
says = "A Sherman may hurt both, and needn't"
because = "Else nobody would roll."
kind = "shot"
a = "us_m4a1_sherman"
b = ["de_nashorn", "us_m4a1_sherman"]
range_in = 1
band = [0.01, 0.99]
"""


@pytest.mark.slow
def test_claim__a_class_and_a_function_with_its_case_are_a_new_kind(checkout: Path) -> None:
    """Which is about no battles: the game has none."""
    classes, functions = checkout / "aabalance/definitions/claims.py", checkout / "aabalance/gate/cases.py"
    text = classes.read_text(encoding="utf-8")
    text = text.replace("class BattleClaim", f"{CLAIM}class BattleClaim").replace(
        "OfCases = ", "OfCases = ShotClaim | "
    )
    classes.write_text(text, encoding="utf-8")
    case = "        case claims.ShotClaim():\n            return of_shots(claim, evidence)\n"
    text = functions.read_text(encoding="utf-8").replace("    match claim:\n", f"    match claim:\n{case}")
    functions.write_text(text + OF_CLAIM, encoding="utf-8")
    (checkout / "mine.gate.toml").write_text(GATE, encoding="utf-8")
    _, said = commands(checkout, ("gate", "mine.gate.toml"))
    assert "2 of 2 (100 %)" in said
    assert said.endswith("Shots: 1 claim, 1 holds; the gate passes\n")


# --- a game of conditions, of another distribution

DUEL_GAME = '''
"""A hit on 4 or more, two for units that are strong; three hits destroy."""

from fractions import Fraction
from typing import Literal

from pydantic import BaseModel

from aabalance import dice
from aabalance.rulesets.base import Blows, Circumstances, ConditionDuel, Labels, Length, RosterRules
from aabalance.rulesets.base import Ruleset, Shot, Step, Survey

HALF = Fraction(1, 2)


class Card(BaseModel):
    id: str = ""
    name: str
    points: int
    hits: int


class Variant(BaseModel):
    model_config = {"frozen": True}
    lucky: bool = False


class Situation(Circumstances):
    cover: Literal["none", "wall"] = "none"


class Moment(Situation):
    range_in: float


class Units(RosterRules):
    reference, gun_classes = ("weak", 10), ("fists",)

    def category(self, card):
        return "fighter"

    def gun_class(self, card):
        return "fists"


class Dummy(Ruleset):
    name = "fifth"
    labels = Labels("Fifth Game", "Fifth rules", "Made up.", "points", "hits", Length("paces", " paces", whole=True))
    roster, fight = Units(), ConditionDuel("alternate", 3)
    Card, Variant, Situation, Moment = Card, Variant, Situation, Moment

    def toughness(self, card):
        return 3

    def offence(self, card, moment, variant):
        return card.hits

    def defence(self, card, moment, variant):
        return moment.cover

    def effect_of(self, hits, cover, variant):
        p = HALF / 2 if cover == "wall" else Fraction(2, 3) if variant.lucky else HALF
        return dice.bernoulli(p, dice.constant(hits))

    def shot(self, offence, defence, range_in, variant, weapon):
        effect = self.effect_of(offence, defence, variant)
        return Shot("fists", 1, {}, effect, (Step("hit", "4+", "1 [X-1]"),))

    def survey(self, offence, defence, range_in, variant):
        shot = self.shot(offence, defence, range_in, variant, None)
        row = tuple({min(3, j + hits): p for hits, p in shot.effect.items()} for j in range(3))
        return Survey(Blows((row,) * 3, (0, 1, 2)), shot, float(dice.mean(shot.effect)))


RULESET = Dummy()
'''

FIGHTERS = """
[weak]
name = "Weak"
points = 10
hits = 1

[strong]
name = "Strong"
points = 20
hits = 2
"""

RULEBOOK = """
[[rule]]
section = "p. 1"
rule = "a hit on 4 or more"
modelled = "shot, duel"
functions = ["Dummy.survey"]
tests = ["test_game__a_fifth_one_needs_no_edit_of_the_package"]
points = ["X-1"]

[[point]]
number = "X-1"
section = "p. 1"
question = "is luck a thing"
reading = "no"
switches = ["lucky"]
"""

FIFTH = """
title = "Fifth"
game = "fifth"
[situations.range_in]
1 = 1
[situations.cover]
none = 0.5
wall = 0.5
[plots]
max_range_in = 3
"""


FORCES = """
    has_battles = True
    {limit}
    def forces(self, lists, mix, range_in, variant, *, explain=False):
        from aabalance.rulesets.base import Fighter, Gun, Strike
        sides = []
        for own, enemies in zip(lists, lists[::-1]):
            # Each attack draws its situation: an effect over all, and the dice of each.
            effects = [
                (dice.mixture(mix, lambda seen: self.effect_of(card.hits, seen.cover, variant)),) for card in own
            ]
            rolled = [
                (tuple((share, self.thrown(card, seen, variant)) for seen, share in mix.items()),) for card in own
            ]
            strikes = [
                Strike("fists", 0, 1, 1, 1, 3, (effect,) * len(enemies), (thrown,) * len(enemies))
                for effect, thrown in zip(effects, rolled)
            ]
            sides.append(
                tuple(
                    Fighter(card.name, 3, 1, False, card.points, True, (Gun(),), (strike,))
                    for card, strike in zip(own, strikes)
                )
            )
        return sides[0], sides[1]

    def thrown(self, card, seen, variant):
        from aabalance.rulesets.base import Dice
        p = self.effect_of(card.hits, seen.cover, variant)[card.hits]
        return Dice(1, p, Fraction(1), (card.hits,) * 6)

    def survey("""


@pytest.mark.slow
def test_forces__are_all_that_a_game_needs_to_have_battles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/fighters.toml").write_text(FIGHTERS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def fought(name: str, source: str, *more: str, kind: str = "battle") -> str:
        (tmp_path / f"{name}.py").write_text(source.replace('"fifth"', f'"{name}"'), encoding="utf-8")
        offer(tmp_path, **{name: name})
        words = ["strong", "weak", "--range", "2", "--first", "a", "--game", name, "--json", *more]
        return CliRunner().invoke(main, [kind, *words, "--cards", str(tmp_path / "cards")]).output

    without = fought("fifth_without", DUEL_GAME)
    assert without == "error: battle: Fifth Game has no battles of lists yet\n"
    source = DUEL_GAME.replace("    def survey(", FORCES.format(limit="").lstrip("\n"), 1)
    for more in ((), ("--with", "cover=wall"), ("--rounds", "2")):
        exact, duel = (json.loads(fought("fifth_with", source, *more, kind=kind)) for kind in ("battle", "duel"))
        assert [exact[name] for name in ("p_a", "p_b", "p_draw")] == pytest.approx(
            [duel[name] for name in ("p_a", "p_b", "p_draw")]
        )
    assert exact["actions"] == [1, 1]
    rolled = json.loads(fought("fifth_with", source, "--rounds", "2", "--simulate", "20000"))
    assert abs(rolled["p_a"] - exact["p_a"]) < 0.02
    limited = DUEL_GAME.replace("    def survey(", FORCES.format(limit="limits_actions = True\n").lstrip("\n"), 1)
    assert fought("fifth_limited", limited).startswith("error: actions: found none, expected 1 to 1000")
    assert json.loads(fought("fifth_limited", limited, "--actions", "1", "--rounds", "2"))["p_a"] == exact["p_a"]


@pytest.mark.slow
def test_tune__goes_by_the_definition_alone_where_the_game_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = DUEL_GAME.replace("    def survey(", FORCES.format(limit="limits_actions = True\n").lstrip("\n"), 1)
    (tmp_path / "fifth_tuned.py").write_text(limited.replace('"fifth"', '"fifth_tuned"'), encoding="utf-8")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/fighters.toml").write_text(FIGHTERS, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(FIFTH.replace('"fifth"', '"fifth_tuned"'), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    offer(tmp_path, fifth_tuned="fifth_tuned")
    words = ["tune", str(tmp_path / "mine.toml"), "--cards", str(tmp_path / "cards"), "--anchor", "weak=10", "--json"]
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 0, ran.output
    prices = {row["unit"]: row["new_requisition"] for row in json.loads(ran.stdout)["prices"]}
    assert prices["weak"] == 10
    assert 10 < prices["strong"] < 20


@pytest.mark.slow
def test_game__a_fifth_one_needs_no_edit_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fifth_game.py").write_text(DUEL_GAME, encoding="utf-8")
    (tmp_path / "rulebook.toml").write_text(RULEBOOK, encoding="utf-8")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/fighters.toml").write_text(FIGHTERS, encoding="utf-8")
    (tmp_path / "fifth.toml").write_text(FIFTH, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    offer(tmp_path, fifth="fifth_game")

    def said(*words: str) -> str:
        ran = CliRunner().invoke(main, [*words, "--game", "fifth"])
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    cards = ("--cards", str(tmp_path / "cards"))
    assert "Fifth rules: 1 rule, 1 modelled, 0 function only, 0 not modelled, 0 not a combat rule" in said("rules")
    assert "lucky=false|true" in said("rules", "--open")
    assert "strong" in said("cards", *cards)
    words = ("strong", "weak", "--range", "2", *cards)
    assert "hit  4+  1 [X-1]" in said("shot", *words, "--explain")
    assert "2 paces, cover=wall" in said("shot", *words, "--with", "cover=wall", "--explain")
    assert json.loads(said("duel", *words, "--first", "a", "--rounds", "2", "--json"))["p_a"] == pytest.approx(0.25)
    rolled = json.loads(said("duel", *words, "--simulate", "20000", "--json"))
    assert abs(rolled["p_a"] - json.loads(said("duel", *words, "--json"))["p_a"]) < 0.02
    assert CliRunner().invoke(main, ["duel", *words, "--game", "fifth", "--posture-a", "close:6"]).exit_code == 2
    ran = CliRunner().invoke(main, ["match", "strong", "weak", "--board", "any", "--game", "fifth", *cards])
    assert ran.exit_code == 2
    assert ran.output == "error: boards: found none in what is modelled of Fifth Game, expected a game that has them\n"
    out = tmp_path / "report"
    said("report", str(tmp_path / "fifth.toml"), *cards, "--out", str(out))
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "points destroyed for each point lost" in page
    assert "<td><code>range_in</code></td><td>paces</td>" in page
    assert "lucky: yes" in page
    assert "cover=wall" in said("matchups", str(tmp_path / "fifth.toml"), *cards)


MATCH = '''
"""Units take turns to strike the first enemy that is left: a hit on 4 or more, as in duels."""

import numpy as np

from aabalance.rulesets.base import Keys, match as base
from aabalance.rulesets.base.board import BoardFile, BoardRules, Ground, Piece, Scene
from aabalance.rulesets.base.match import action_of, part_of, roll_for, units_of, write
from aabalance.rulesets.base.match_rules import MatchRules
from aabalance.rulesets.base.notation import kinds, letter, named

STRIKE, TOUGHNESS, REASONS = 0, 3, ("not over", "nobody left")
PATTERNS = {STRIKE: "UNIT strikes"}
TABLES = base.record(
    base.fields(np.int64, "hits cost", base.MOST_UNITS), base.fields(np.int64, "units units_of_a"), base.BARRED
)
STATE = base.record(
    base.fields(np.int64, "left", base.MOST_UNITS), base.fields(np.int64, "first to_move turns winner reason")
)


def agree(asked):
    return asked, {"lists": asked.lists}


def start(setup, cards, variant):
    tables, state, a, b = base.new(TABLES), base.new(STATE), *setup["lists"]
    tables.units_of_a, tables.units = len(a), len(a) + len(b)
    for unit, one in enumerate([*a, *b]):
        tables.hits[unit], tables.cost[unit], state.left[unit] = cards[one.card].hits, cards[one.card].points, TOUGHNESS
    state.first = state.to_move = "ab".index(setup["first"])
    marks = [f"{side}{at + 1}" for side, own in zip("ab", (a, b)) for at in range(len(own))]
    return tables, state, dict(zip(marks, [one.card for one in (*a, *b)]))


def legal(tables, state, of, out):
    count = 0
    for unit in units_of(tables, state.to_move):
        if state.left[unit] > 0 and (of == base.ALL or of == unit):
            count = write(out, count, action_of(STRIKE, unit))
    return count


def candidates(tables, state, of, follows, out):
    return 0 if follows else legal(tables, state, of, out)


def actor(action):
    return part_of(action, base.ACTOR)


def apply(tables, state, action, dice):
    side, left, struck = state.to_move, 0, roll_for(dice, 6, 4, 4) >= 4
    for enemy in units_of(tables, 1 - side):
        if struck and state.left[enemy] > 0:
            state.left[enemy] = max(0, state.left[enemy] - tables.hits[actor(action)])
            struck = False
        left += state.left[enemy]
    state.turns += 1
    state.to_move = 1 - side
    if left == 0:
        state.winner, state.reason, state.to_move = side, 1, 2


def value(tables, state, side, of):
    worth = 0.0
    for unit in range(tables.units):
        worth += state.left[unit] if (unit < tables.units_of_a) == (side == 0) else -state.left[unit]
    return worth


def facts(tables, state, out):
    out[base.RESULT], out[base.REASON], out[base.ZONE] = state.winner, state.reason, -1
    out[base.PLAYER_TURNS], out[base.FIRST] = state.turns, state.first
    out[base.LEFT_A] = out[base.LEFT_B] = 0
    for unit in range(tables.units):
        if state.left[unit] > 0:
            out[base.LEFT_A if unit < tables.units_of_a else base.LEFT_B] += tables.cost[unit]


def slots(tables, state, names):
    return {"UNIT": named(base.ACTOR, list(names))}


def words(tables, state, names):
    return {"left": dict(zip(names, map(int, state.left)))}


def ended(tables, state):
    return {"winner": letter(state.winner), "reason": REASONS[state.reason]}


def scene(tables, state, names):
    left = zip(names.items(), map(int, state.left))
    pieces = [Piece(mark, card, mark[0], "infantry", None, hits, TOUGHNESS) for (mark, card), hits in left if hits]
    return Scene(int(state.turns) // 2 + 1, pieces, {}, [], {})


GROUNDS = {".": Ground("grass", "#e6efd2", "plain")}
BOARD = BoardRules(BoardFile, GROUNDS, lambda card, ground: True, lambda card: "infantry", 100, ())
RULES = MatchRules(
    Options=Keys, Place=Keys, agree=agree, start=start, legal=legal, candidates=candidates, actor=actor, apply=apply,
    value=value, facts=facts, patterns=PATTERNS, slots=slots, words=words, ended=ended, most_actions=base.MOST_UNITS,
    reasons=REASONS, sections={"strikes": "p. 1"}, board=BOARD, scene=scene, kinds=kinds(PATTERNS),
)
'''


PLAYED = """
[matches]
lists = { one = "strong", two = "weak*2" }
boards = ["field"]
simulate = 4
watched = 2
"""


@pytest.mark.slow
def test_match__of_a_game_of_another_distribution_is_one_module(tmp_path: Path) -> None:
    for name, text in (("cards/fighters", FIGHTERS), ("boards/field", 'name = "Field"\nmap = ".."')):
        (tmp_path / name).parent.mkdir()
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "fifth_match").mkdir()
    (tmp_path / "small.toml").write_text(f"{SMALL.format(game='fifth')}{PLAYED}", encoding="utf-8")
    source = DUEL_GAME.replace("    Card, Variant", "    has_matches = True\n    Card, Variant")
    (tmp_path / "fifth_match/__init__.py").write_text(source, encoding="utf-8")
    (tmp_path / "fifth_match/match.py").write_text(MATCH, encoding="utf-8")
    offer(tmp_path, fifth="fifth_match")
    at = ("--game", "fifth", "--cards", "cards")
    played = (*at, "--boards", "boards", "--board", "field", "--first", "a")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "NUMBA_DISABLE_JIT": "1"}
    lines = [
        ("duel", "strong", "weak", "--range", "1", "--first", "a", "--json", *at),
        ("match", "strong", "weak", "--simulate", "400", "--json", *played),
        ("match", "strong,weak", "weak*2", "--explain", *played),
        ("report", "small.toml", "--cards", "cards", "--boards", "boards", "--out", "r"),
    ]
    line = [sys.executable, "-c", COMMANDS.format(lines=lines)]
    said = subprocess.run(line, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    duel, match, told, _ = json.loads(said)
    exact, rolled = json.loads(duel), json.loads(match)
    # One against one it is the duel: whatever a player does, it strikes.
    assert abs(rolled["p_a"] - exact["p_a"]) < 5 * (exact["p_a"] * (1 - exact["p_a"]) / 400) ** 0.5
    assert rolled["player_turns"] == pytest.approx(exact["player_turns"], abs=0.8)  # five standard errors
    assert (rolled["requisition_a"], rolled["requisition_b"]) == (20, 10)
    assert "  a1 strikes, D6 " in told
    assert "wins: nobody left" in told
    assert 'alt="Field"' in (tmp_path / "r/index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_game__an_edit_of_a_fifth_one_is_worked_out_anew(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    for name, text in (("rulebook", RULEBOOK), ("cards/fighters", FIGHTERS), ("fifth", FIFTH)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    offer(tmp_path, fifth="fifth_game")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["AABALANCE_CACHE"] = str(tmp_path / "kept")

    def found(source: str, *more: str) -> tuple[str, str]:
        """Return what both commands say after an edit, in a process that has not seen the game before it."""
        (tmp_path / "fifth_game.py").write_text(source, encoding="utf-8")
        asked = (("matchups", "fifth.toml", "--json"), ("report", "fifth.toml", "--out", "out"))
        code = COMMANDS.format(lines=[[*words, "--game", "fifth", "--cards", "cards", *more] for words in asked])
        line = [sys.executable, "-c", code]
        said = subprocess.run(line, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
        return json.loads(said)[0], (tmp_path / "out/pairs.csv").read_text(encoding="utf-8")

    edited = DUEL_GAME.replace("HALF = Fraction(1, 2)", "HALF = Fraction(1, 3)")
    before, after = found(DUEL_GAME), found(edited)
    for one, other in zip(before, after, strict=True):
        assert one != other
    assert after == found(edited, "--no-cache")


PLACES = (
    "aabalance/rulesets/{}/rulebook.toml",
    "unitdb/{}/unit.schema.json",
    "tests/data/unitdb/{}/unit.schema.json",
    "reports/{}.toml",
    "reports/{}.gate.toml",
    "tests/rollers/{}.py",
)
"""What every game has, besides its section in docs/games.md; CONTRIBUTING lists the places."""

OF_MATCHES = (
    "reports/{}.ladder.toml",
    "tests/rollers/{}_match.py",
    "tests/golden/data/match_{}.jsonl.gz",
    "benchmarks/match_setups/{}.toml",
)
"""What a game has besides if it has matches, and boards."""

ROOMS = ("card", "situation", "variant", "shot", "duel", "roster")


def test_game__every_one_is_in_its_places_and_no_list_of_games_is_elsewhere() -> None:
    assert {path.name for path in (ROOT / "unitdb").iterdir()} == set(OURS)
    for game in OURS:
        places = (*PLACES, *OF_MATCHES) if rulesets.load(game).has_matches else PLACES
        assert [place.format(game) for place in places if not (ROOT / place.format(game)).is_file()] == []
        schemas = {
            (ROOT / folder / game / SCHEMA_FILE).read_text("utf-8") for folder in ("unitdb", "tests/data/unitdb")
        }
        assert schemas == {json_schema(rulesets.load(game).Card)}, "python docs/generate.py writes both"
        package = ROOT / "aabalance/rulesets" / game
        assert [
            room for room in ROOMS if not (package / room).is_dir() and not (package / f"{room}.py").is_file()
        ] == []
        assert f"--game {game}" in (ROOT / "docs/games.md").read_text(encoding="utf-8") or game == "armored_advance"
    lists = (ROOT / "aabalance", ROOT / ".ci", ROOT / "docs", ROOT / "benchmarks")
    files = [ROOT / "pyproject.toml", *(path for folder in lists for path in folder.rglob("*") if path.is_file())]
    for path in files:
        if path.suffix in ("", ".py", ".toml") and "rulesets" not in path.relative_to(ROOT).parts:
            text = path.read_text(encoding="utf-8")
            assert not all(game in text for game in OURS), f"{path} lists the games"


def test_games__of_other_distributions_come_after_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty_game.py").write_text("RULESET = 'no rules'", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    renamed = "from aabalance.rulesets.forumini import RULESET"
    (tmp_path / "renamed_game.py").write_text(renamed, encoding="utf-8")
    modules = {"bad_game": "no_such_module", "no_game": "empty_game", "other_game": "renamed_game"}
    offer(tmp_path, **modules, forumini="empty_game")  # nobody takes one of our names
    assert rulesets.names() == (*rulesets.OURS, "bad_game", "no_game", "other_game")
    assert rulesets.load("forumini").name == "forumini"
    with pytest.raises(UsageError, match="game: found 'empty_game:RULESET' as 'no_game', expected a Ruleset"):
        rulesets.load("no_game")
    unloaded = "which can't be loaded: ModuleNotFoundError: No module named 'no_such_module'"
    with pytest.raises(UsageError, match=f"game: found 'no_such_module:RULESET' as 'bad_game', {unloaded}"):
        rulesets.load("bad_game")
    with pytest.raises(UsageError, match="as 'other_game', whose name is 'forumini', expected 'other_game'"):
        rulesets.load("other_game")
    with pytest.raises(UsageError, match=r"game: found 'nogame' \(did you mean 'no_game'\?\), expected one of armored"):
        rulesets.load("nogame")


def test_choose__has_a_place_for_every_policy() -> None:
    """One too many would be left out in silence."""
    assert all(hasattr(policies, place) for place in policies.by_number())
