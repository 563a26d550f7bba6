"""Every reference value of the kinds that the package answers, one test a kind; no kind goes unnoticed."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rollers.timed_battle import Battle, Vehicle

import aabalance as aab
from golden.adapters import KINDS, evaluate
from golden.armored_advance import _card

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "golden"
TOLERANCE = 1e-12

# Kinds whose feature the package lacks so far. Every other kind of the data has an adapter.
NOT_BUILT_YET: dict[str, set[str]] = {}
GAMES = sorted({path.stem for path in DATA.glob("*.jsonl")} | KINDS.keys() | NOT_BUILT_YET.keys())


def _of_equals(case: dict[str, Any]) -> bool:
    """Whether equals play on in this battle: see `test_golden__timed_battles_of_equals`."""
    inputs = case["inputs"]
    if case["kind"] != "battle" or inputs.get("mode") != "timed" or Fraction(case["expect"]["p_draw"]):
        return False
    a, b = (sum(unit["requisition"] for unit in inputs[side]) for side in "ab")
    return bool(a == b)


def _cases(game: str) -> dict[str, list[dict[str, Any]]]:
    cases = defaultdict(list)
    for line in (DATA / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        cases[case["kind"]].append(case)
    return cases


def _differs(got: Any, want: Any) -> bool:
    if isinstance(want, dict):
        got = {key: p for key, p in got.items() if p}
        return got.keys() != want.keys() or any(_differs(got[key], want[key]) for key in want)
    wanted = float(Fraction(want))
    return got is None or not abs(got - wanted) <= TOLERANCE * max(1.0, abs(wanted))


@pytest.mark.parametrize("game", GAMES)
def test_golden__every_kind_has_an_adapter_or_is_said_to_be_not_built_yet(game: str) -> None:
    built, missing, known = set(KINDS.get(game, ())), NOT_BUILT_YET.get(game, set()), set(_cases(game))
    assert not known - built - missing, "no adapter, and not said to be not built yet"
    assert not built & missing, "said to be not built yet, but there is an adapter"
    assert not missing - known, "said to be not built yet, but not in the data"
    assert not built - known, "an adapter for a kind that is not in the data"


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in KINDS.items() for kind in kinds])
def test_golden__agrees_with_every_reference_value(game: str, kind: str) -> None:
    cases = [case for case in _cases(game)[kind] if not _of_equals(case)]
    assert cases
    wrong = []
    for case in cases:
        got = evaluate(game, kind, case["inputs"])
        if any(_differs(got[key], want) for key, want in case["expect"].items()):
            wrong.append((case["inputs"], case["expect"], got))
    assert not wrong, f"{len(wrong)} of {len(cases)}, the first: {wrong[0]}"


EQUALS = [case for case in _cases("armored_advance")["battle"] if _of_equals(case)]


@pytest.mark.parametrize("case", EQUALS)
def test_golden__timed_battles_of_equals(case: dict[str, Any]) -> None:
    """The reference plays on after a turn that hurt nobody, though a side leads since the turn before.

    "After them the larger requisition left wins, equals play a round more until they differ": so that side has won. The
    literal solver gives the reference's fractions if it is deaf to such a lead, and the package's numbers if it isn't.
    """
    inputs = case["inputs"]
    lists = [[_card(unit) for unit in inputs[side]] for side in "ab"]
    chances = [
        [[_chance(u, enemy, inputs["range_in"]) for enemy in lists[1 - side]] for u in lists[side]] for side in (0, 1)
    ]
    vehicles = [
        tuple(
            Vehicle(unit["hp"], unit["requisition"], unit["weapons"][0]["damage"], tuple(hits))
            for unit, hits in zip(inputs[name], chances[side], strict=True)
        )
        for side, name in enumerate("ab")
    ]
    policies = tuple(inputs.get(f"policy_{side}", inputs.get("policy")) for side in "ab")
    limits = inputs["actions_a"], inputs["actions_b"]
    battle = Battle(tuple(vehicles), policies, limits, inputs["rounds"])
    firsts = {"a": [0], "b": [1], "roll_off": [0, 1]}[inputs["first"]]
    names = ("p_a", "p_b", "player_turns", "value_a", "value_b")
    for deaf, numbers in ((True, case["expect"]), (False, evaluate("armored_advance", "battle", inputs))):
        ends = [replace(battle, deaf=deaf).ends(first) for first in firsts]
        literal = dict(zip(names, (sum(column) / len(firsts) for column in zip(*ends, strict=True)), strict=True))
        if deaf:
            assert literal == {name: Fraction(numbers[name]) for name in names}
        else:
            assert not any(_differs(numbers[name], literal[name]) for name in names)


def _chance(attacker: Any, target: Any, range_in: float) -> Fraction:
    return Fraction(aab.Game().shot(attacker, target, range_in=range_in).p_damage).limit_denominator(1296)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the reference values' own folder is not beside this checkout")
def test_golden__is_the_shared_copy() -> None:
    ours, theirs = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in (DATA, SHARED))
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name] != theirs[name]] == []
