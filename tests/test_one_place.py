"""A keyword is one function in keywords.py, a game is one package, a line in the registry and a folder of cards.

Both are put into a copy of the package, which another Python runs: through `Game`, the command line and the report.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a checkout needs to run."""
    for folder in ("aabalance", "unitdb", "reports"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "out"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def command(checkout: Path, *words: str) -> str:
    """Return what a command line prints."""
    return run(checkout, f"from aabalance.cli import main\nmain({list(words)!r})")


def run(checkout: Path, code: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(checkout), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


KEYWORD = '''

@keyword("attack", "p. 99 Dummy", number=True)
def dummy(attack: Attack, x: int, situation: Situation) -> Attack:
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


def test_keyword__one_function_reaches_cards_schema_and_explanation(checkout: Path) -> None:
    with (checkout / "aabalance/rulesets/armored_advance/keywords.py").open("a", encoding="utf-8") as file:
        file.write(KEYWORD)
    (checkout / "reports/small.toml").write_text(SMALL.format(game="armored_advance"), encoding="utf-8")
    said = run(checkout, SHOOT_WITH_IT)
    assert said.splitlines()[0] == f"{checkout}/aabalance/__init__.py 7"
    step = next(line.split() for line in said.splitlines() if line.startswith("  dummy "))
    assert " ".join(step) == "dummy 7 more damage p. 99 Dummy"
    words = ("shot", "su_t34_85", "su_t34_85", "--range", "6", "--set", "su_t34_85.keywords.dummy=7", "--explain")
    assert "7 more damage" in command(checkout, *words)
    cards = checkout / "unitdb/armored_advance/ussr.toml"
    with cards.open("a", encoding="utf-8") as file:
        file.write(UNIT)
    assert command(checkout, "cards", "check").strip() == "139 cards are fine"
    assert command(checkout, "report", "small", "--out", "r").strip() == "r/index.html"
    assert "Test tank" in (checkout / "r/index.html").read_text(encoding="utf-8")


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
from aabalance.rulesets.base import Bracket, Dice, Point, Price, Rule, Shot, Step, Survey, Turn, Volley


class Card(BaseModel):
    id: str = ""
    name: str
    points: int
    life: int
    shots: int


class Variant(BaseModel):
    sides: Literal[6, 8] = 6


class Situation(BaseModel):
    model_config = {"frozen": True}
    range_in: float


class Player:
    least, sees_moves, chooses = (1,), False, False

    def __init__(self, toughness, volley):
        self.toughness, self.volley = toughness, volley

    def turns(self, range_in, memory, enemy_moved, row):
        return [Turn(self.volley, range_in, 0, False, "fires")]


class Dummy:
    name, title, rulebook, currency, caveat = "dummy", "Dummy", "Dummy rules", "points", ""
    reference, price_step, gun_classes = ("one", 10), 1, ("gun",)
    effect, length, order, conditions = "lives", " paces", "walk", 0
    rules = (Rule("p. 1", "Every attack takes a die", "shot, duel", (dice.die,), ("test_die",), ("D-1",)),)
    points = (Point("D-1", "p. 1", "which die", "a D6", ("sides",)),)
    presets, monotonic = {"rulebook": {}}, ()
    Card, Variant, Situation = Card, Variant, Situation

    def toughness(self, card):
        return card.life

    def offence(self, card, situation, variant):
        return card.shots

    def defence(self, card, situation, variant):
        return 0

    def reads(self, offence):
        return 0

    def shown(self, defence, offence):
        return defence

    def shot(self, offence, defence, range_in, variant, weapon):
        effect = dice.pool([dice.die(variant.sides)] * offence)
        rolled = Dice(offence, dice.ONE, dice.ONE, (1, 2, 3, 4, 5, 6))
        return Shot("gun", offence, {}, effect, (Step("die", "D6", "p. 1"),), (rolled,))

    def survey(self, offence, defence, range_in, variant):
        shot = self.shot(offence, defence, range_in, variant, None)
        return Survey((Bracket(1, (Volley(("gun",), shot.effect, shot.dice),)),), shot, 3.5 * offence)

    def player(self, card, enemy, situation, variant, posture):
        return Player(card.life, self.survey(card.shots, 0, 0, variant).plan[0].cycle[0])

    def returned(self, situation):
        return situation

    def category(self, card):
        return "unit"

    def gun_class(self, card):
        return "gun"

    def price(self, card):
        return Price(0, 0)

    def derive(self, folder):
        return {}


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


def test_game__one_package_one_line_and_a_folder_of_cards(checkout: Path) -> None:
    package = checkout / "aabalance/rulesets/dummy"
    package.mkdir()
    (package / "__init__.py").write_text(GAME, encoding="utf-8")
    registry = checkout / "aabalance/rulesets/__init__.py"
    line = '    "dummy": "aabalance.rulesets.dummy",\n'
    before = registry.read_text(encoding="utf-8")
    registry.write_text(before.replace("REGISTRY = {\n", "REGISTRY = {\n" + line, 1), encoding="utf-8")
    (checkout / "unitdb/dummy").mkdir()
    (checkout / "unitdb/dummy/cards.toml").write_text(CARDS, encoding="utf-8")
    assert run(checkout, PLAY).split() == ["2", "4", "sides=8"]
    (checkout / "reports/dummy.toml").write_text(SMALL.format(game="dummy"), encoding="utf-8")
    assert "two" in command(checkout, "cards", "--game", "dummy")
    assert "expected_damage  7.000" in command(checkout, "shot", "two", "one", "--range", "1", "--game", "dummy")
    assert command(checkout, "report", "--game", "dummy", "--out", "r").strip() == "r/index.html"
    assert "Two" in (checkout / "r/index.html").read_text(encoding="utf-8")
