"""Every reference value of the kinds that the package answers, one test a kind; no kind goes unnoticed."""

from __future__ import annotations

import gzip
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from meetings import PLAYED
from rollers.timed_battle import Battle, Vehicle

import aabalance as aab
from aabalance.engine import jit
from golden.adapters import KINDS, evaluate
from golden.armored_advance import _card
from golden.cases import DATA, Case, files, games, reference_cases
from golden.update import update

TOLERANCE = 1e-12

# Kinds whose feature the package lacks so far. Every other kind of the data has an adapter.
NOT_BUILT_YET: dict[str, set[str]] = {}
PLAIN = ("battle", "metagame", "score")
"""Kinds whose cases are small, and of so many forms that compiling them takes longer than solving them plainly."""
GAMES = sorted(games() | KINDS.keys() | NOT_BUILT_YET.keys())


def _of_equals(case: Case) -> bool:
    """Whether equals play on in this battle: see `test_golden__timed_battles_of_equals`."""
    inputs = case["inputs"]
    if case["kind"] != "battle" or inputs.get("mode") != "timed" or Fraction(case["expect"]["p_draw"]):
        return False
    a, b = (sum(unit["requisition"] for unit in inputs[side]) for side in "ab")
    return bool(a == b)


def _differs(got: Any, want: Any) -> bool:
    if isinstance(want, dict):
        got = {key: p for key, p in got.items() if p}
        return got.keys() != want.keys() or any(_differs(got[key], want[key]) for key in want)
    wanted = float(Fraction(want))
    return got is None or not abs(got - wanted) <= TOLERANCE * max(1.0, abs(wanted))


@pytest.mark.parametrize("game", GAMES)
def test_golden__every_kind_has_an_adapter_or_is_said_to_be_not_built_yet(game: str) -> None:
    built = {*KINDS.get(game, ()), *(["match"] if game in PLAYED else [])}
    missing, known = NOT_BUILT_YET.get(game, set()), set(reference_cases(game))
    assert not known - built - missing, "no adapter, and not said to be not built yet"
    assert not built & missing, "said to be not built yet, but there is an adapter"
    assert not missing - known, "said to be not built yet, but not in the data"
    assert not built - known, "an adapter for a kind that is not in the data"


def test_golden__every_file_of_the_data_is_read() -> None:
    read = {path.name for game in GAMES for path in files(game)}
    assert {path.name for path in DATA.iterdir()} == read | {"README.md"}


def test_update__copies_a_folder_and_packs_transcripts(tmp_path: Path) -> None:
    made, data = tmp_path / "made", tmp_path / "data"
    made.mkdir(), data.mkdir()
    for name in ("README.md", "forumini.jsonl", "match_forumini.jsonl"):
        (made / name).write_text(f"of {name}\n", encoding="utf-8", newline="\n")
    (data / "old.jsonl").touch()
    update(made, data)
    assert {path.name for path in data.iterdir()} == {"README.md", "forumini.jsonl", "match_forumini.jsonl.gz"}
    assert (data / "forumini.jsonl").read_bytes() == b"of forumini.jsonl\n"
    assert gzip.decompress((data / "match_forumini.jsonl.gz").read_bytes()) == b"of match_forumini.jsonl\n"


def _check(game: str, kind: str, asked: list[Case]) -> None:
    assert asked
    wrong = []
    for case in asked:
        got = evaluate(game, kind, case["inputs"])
        if any(_differs(got[key], want) for key, want in case["expect"].items()):
            wrong.append((case["inputs"], case["expect"], got))
    assert not wrong, f"{len(wrong)} of {len(asked)}, the first: {wrong[0]}"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in KINDS.items() for kind in kinds])
def test_golden__agrees_with_every_reference_value(game: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind in PLAIN:
        monkeypatch.setattr(jit, "compiled", jit.plain)
    _check(game, kind, [case for case in reference_cases(game)[kind] if not _of_equals(case)])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["battle", "score"])  # a payoff of a meta-game is a battle
def test_golden__agrees_with_a_reference_value_compiled(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "plain", jit.compiled)
    _check("armored_advance", kind, reference_cases("armored_advance")[kind][:1])


EQUALS = [case for case in reference_cases("armored_advance")["battle"] if _of_equals(case)]


@pytest.mark.slow
@pytest.mark.parametrize("case", EQUALS)
def test_golden__timed_battles_of_equals(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference plays on after a turn that hurt nobody, though a side leads since the turn before.

    "After them the larger requisition left wins, equals play a round more until they differ": so that side has won. The
    literal solver gives the reference's fractions if it is deaf to such a lead, and the package's numbers if it isn't.
    """
    monkeypatch.setattr(jit, "compiled", jit.plain)
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
