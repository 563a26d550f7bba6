"""Every reference value of the kinds that the package answers, one test a kind; no kind goes unnoticed."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from golden.adapters import KINDS, evaluate

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "golden"
TOLERANCE = 1e-12

# Kinds whose feature the package lacks so far. Every other kind of the data has an adapter.
NOT_BUILT_YET = {"armored_advance": {"score"}}
GAMES = sorted({path.stem for path in DATA.glob("*.jsonl")} | KINDS.keys() | NOT_BUILT_YET.keys())


# The reference plays on after a round whose last turn hurt nobody, though a side leads since the turn before: it closes
# the cycle of what is left without a look at the requisition. That bears on timed battles of equals alone.
EQUALS_PLAY_ON = 1e-6


def _tolerance(kind: str, inputs: dict[str, Any]) -> float:
    if kind == "battle" and inputs.get("mode") == "timed":
        a, b = (sum(unit["requisition"] for unit in inputs[side]) for side in "ab")
        return EQUALS_PLAY_ON if a == b else TOLERANCE
    return TOLERANCE


def _cases(game: str) -> dict[str, list[dict[str, Any]]]:
    cases = defaultdict(list)
    for line in (DATA / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        cases[case["kind"]].append(case)
    return cases


def _differs(got: Any, want: Any, tolerance: float) -> bool:
    if isinstance(want, dict):
        got = {key: p for key, p in got.items() if p}
        return got.keys() != want.keys() or any(_differs(got[key], want[key], tolerance) for key in want)
    wanted = float(Fraction(want))
    return got is None or not abs(got - wanted) <= tolerance * max(1.0, abs(wanted))


@pytest.mark.parametrize("game", GAMES)
def test_golden__every_kind_has_an_adapter_or_is_said_to_be_not_built_yet(game: str) -> None:
    built, missing, known = set(KINDS.get(game, ())), NOT_BUILT_YET.get(game, set()), set(_cases(game))
    assert not known - built - missing, "no adapter, and not said to be not built yet"
    assert not built & missing, "said to be not built yet, but there is an adapter"
    assert not missing - known, "said to be not built yet, but not in the data"
    assert not built - known, "an adapter for a kind that is not in the data"


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in KINDS.items() for kind in kinds])
def test_golden__agrees_with_every_reference_value(game: str, kind: str) -> None:
    cases = _cases(game)[kind]
    assert cases
    wrong = []
    for case in cases:
        got = evaluate(game, kind, case["inputs"])
        tolerance = _tolerance(kind, case["inputs"])
        if any(_differs(got[key], want, tolerance) for key, want in case["expect"].items()):
            wrong.append((case["inputs"], case["expect"], got))
    assert not wrong, f"{len(wrong)} of {len(cases)}, the first: {wrong[0]}"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the reference values' own folder is not beside this checkout")
def test_golden__is_the_shared_copy() -> None:
    ours, theirs = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in (DATA, SHARED))
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name] != theirs[name]] == []
