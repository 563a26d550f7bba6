"""Matches are the same fights as battles: on an open board, units that stay where they are and shoot as battles do."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import aabalance as aab
from aabalance.engine import jit
from aabalance.engine.match import arena, players
from aabalance.play.match_question import prepared
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.base.match import ALL, DICE, DRAWN, KIND, WON_BY_A, new, part_of, parts_of

GAP, LIMIT = 17, 4
"""Inches between the lists, so that units face to face and askew are in one range band: at 18 they would not be."""
FOUR_SIGMA = 6.3e-5
TANKS = "de_pz4h", "us_m4a1", "su_t34_85", "su_t34_43", "de_pz3j", "su_kv1_41", "de_tiger1", "us_m10"
"""They do nothing but shoot: none scouts, loads or prepares."""
ROWS = "\n".join(["." * 11] * (GAP + 3))
PLAIN = f'''
name = "Plain"
objectives = [[5, 9]]
map = """
{ROWS}
"""
[legend]
"." = "open"
[zones.north]
rect = [0, 0, 10, 1]
facing = "S"
[zones.south]
rect = [0, {GAP + 1}, 10, {GAP + 2}]
facing = "N"
'''
Gain = Callable[[str, str, int, int], float]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> aab.Game:
    folder: Path = tmp_path_factory.mktemp("boards")
    (folder / "plain.toml").write_text(PLAIN)
    return aab.Game(boards=folder, changes=[f"{unit}.movement=1" for unit in TANKS])  # fewer moves to look at


def gains(game: aab.Game) -> Gain:
    """What a shot is expected to take of an enemy's cost: policy ``value``, in plain words."""
    known: dict[Any, Any] = {}

    def gain(attacker: str, target: str, weapon: int, left: int) -> float:
        card = game.cards[attacker]
        key = attacker, target, weapon
        if key not in known:
            fired = card.weapons[weapon]
            known[key] = game.shot(attacker, target, range_in=GAP, weapon=fired.name).damage
        taken = sum(min(amount, left) * p for amount, p in known[key].items())
        return game.cards[target].requisition * taken / left

    return gain


def holding(match: arena.Match, number: int, names: Any, gain: Gain) -> float:
    """What a scores in a match of two players who hold: the shot of most gain, ties to the first unit and enemy."""
    rules, (tables, start) = match.rules, match.start(number)
    legal, apply = jit.compiled(rules.legal), jit.compiled(rules.apply)  # as transcripts have them compiled anyway
    states = np.zeros(1, start.dtype)
    states[0] = start
    state, dice, out = states[0], new(DICE), np.empty(rules.most_actions, np.int64)
    at = 0
    ids = [card.id for card in names.cards]
    while (result := rules.result(state)) < 0:
        best, action = 0.0, -1
        end = -1
        for one in out[: legal(tables, state, ALL, out)].tolist():
            kind = part_of(one, KIND)  # most are moves
            if kind == records.SHOOT:
                _, unit, other, _, weapon = parts_of(one)
                worth = gain(ids[unit], ids[other], weapon, int(state.unit[other].hp))
                if worth > best * (1 + 1e-12):
                    best, action = worth, one
            elif kind in (records.END, records.ROLL_OFF):
                end = one
        players.shake(dice, match.key, number, at)
        apply(tables, state, end if action < 0 else action, dice)
        at += 1
    return 0.5 if result == DRAWN else float(result == WON_BY_A)


def p_value(game: aab.Game, a: Sequence[str], b: Sequence[str], matches: int, gain: Gain) -> float:
    """The chance that matches differ so much from the battle, were they alike: exact, as scores are near 0 or 1."""
    places = {f"a{n}": (3 + n, 1, "S") for n in range(1, len(a) + 1)}
    places |= {f"b{n}": (3 + n, GAP + 1, "N") for n in range(1, len(b) + 1)}
    asked = game.match_question(
        a, b, board="plain", mission="annihilation", actions=LIMIT, quiet=1000, cap=1000, **places
    )
    played = prepared(asked, 0)
    won = sum(holding(played.match, number, played.names, gain) for number in range(matches))
    battle = game.battle(a, b, range_in=GAP, actions=LIMIT, simulate=40_000)
    assert battle.p_draw == 0
    return float(binomtest(int(won), matches, battle.p_a).pvalue)


def drawn(rng: random.Random) -> tuple[list[str], list[str]]:
    a, b = ([rng.choice(TANKS) for _ in range(rng.randint(1, 3))] for _ in range(2))
    return a, b


@pytest.mark.slow
def test_matches_of_holding_players__are_battles(game: aab.Game) -> None:
    rng, gain = random.Random(0), gains(game)
    assert min(p_value(game, *drawn(rng), 25, gain) for _ in range(40)) > FOUR_SIGMA
