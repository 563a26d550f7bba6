"""Random matches, told a second time: programs in `rollers` that share no code with the package play them, too.

Transcripts reach what their author thought of; set-ups are drawn here without end. Each game's `random_setup` draws
odd boards, cards, lists and switches. `MATCHES` in the environment multiplies how many decisions are compared:
`.ci/weekly` sets it.
"""

from __future__ import annotations

import copy
import os
import random
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from golden.replay import Replay

import aabalance as aab
from aabalance.rulesets import OURS

WITNESSES = sorted(path.stem for path in (Path(__file__).parent / "rollers").glob("*_match.py"))
DECISIONS = 800 * int(os.environ.get("MATCHES", "1"))
MOST_OF_A_MATCH = 300
ENDS = {"end", "done", "pass", "none", "draw", "roll"}
"""Kinds of decisions that end something: each is drawn a quarter as often as any other, so that matches get far."""


class Dice:
    """Dice that remember what they showed."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.shown: list[int] = []
        self.sides: list[int] = []

    def __call__(self, sides: int) -> int:
        """Roll a die."""
        self.sides.append(sides)
        self.shown.append(self.draw.randint(1, sides))
        return self.shown[-1]

    def forget(self) -> None:
        """Begin a new decision."""
        self.shown, self.sides = [], []


def choose(draw: random.Random, legal: list[str]) -> str:
    """Draw a kind of decisions first, then one of it: most decisions are moves, and would seldom be an attack."""
    kinds = defaultdict(list)
    for text in legal:
        kinds[" ".join(re.findall(r"\b[a-z_]{2,}\b", text))].append(text)
    names = sorted(kinds)
    return draw.choice(kinds[draw.choices(names, [1 if name in ENDS else 4 for name in names])[0]])


def test_witnesses__each_game_with_matches_has_one() -> None:
    assert sorted(f"{name}_match" for name in OURS if aab.Game(name).ruleset.match()) == WITNESSES


@pytest.mark.slow
@pytest.mark.parametrize("name", WITNESSES)
def test_match__agrees_with_a_program_that_shares_no_code(name: str) -> None:
    witness: Any = import_module(f"rollers.{name}")
    game = name.removesuffix("_match")
    compared = number = 0
    while compared < DECISIONS:
        draw, number = random.Random(f"{game} {number}"), number + 1
        setup = witness.random_setup(draw)
        dice = Dice(draw)
        told, ours = witness.Match(copy.deepcopy(setup), dice), Replay(game, setup)
        for _ in range(MOST_OF_A_MATCH):
            where = f"set-up {number - 1}, decision {compared}"
            assert ours.to_move() == told.to_move(), where
            assert ours.state() == told.state(), where
            if told.to_move() is None:
                assert ours.result() == told.result(), where
                break
            legal = told.legal()
            assert ours.legal() == legal, where
            said = choose(draw, legal)
            dice.forget()
            told.do(said)
            ours.do(said, dice.shown, dice.sides)
            compared += 1
