"""Transcripts of whole matches, made by others: every state, list of legal actions, and result."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from meetings import PLAYED

from golden.replay import Replay
from golden.transcribe import file_of, transcribe

PLAIN = (
    ("skirmish_wars", "sw-golden-00"),
    ("armored_advance", "23 anti-aircraft guns"),
    ("armored_advance", "28 race 1"),
    *(("forumini", f"forumini/golden/{number}") for number in (1, 19, 27)),
    *(("armour_battles", f"ab-golden-{number:02}") for number in (8, 23, 38)),
)


@cache
def transcripts(game: str) -> dict[str, dict[str, Any]]:
    """Return the transcripts of a game by their names."""
    path = file_of(game)
    assert path.is_file(), f"found no {path}, expected some: in tests, `python -m golden.transcribe {game}`"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {case["id"]: case for case in map(json.loads, lines)}


def _check(match: Replay, check: dict[str, Any]) -> None:
    assert match.to_move() == check["to_move"]
    assert match.state() == check["state"]
    legal = match.legal()
    if "legal" in check:
        assert legal == check["legal"]
    else:
        assert len(legal) == check["legal_count"]
        assert hashlib.sha1("\n".join(legal).encode()).hexdigest() == check["legal_sha1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in PLAYED if file_of(game).is_file() for name in transcripts(game)]
)
def test_match__agrees_with_the_transcript(game: str, name: str) -> None:
    _replay(game, transcripts(game)[name])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), PLAIN)
def test_match__in_plain_python_agrees_with_the_transcript(game: str, name: str) -> None:
    _replay(game, transcripts(game)[name], plain=True)


def test_transcripts__a_game_without_them_is_told_how_to_get_them() -> None:
    with pytest.raises(AssertionError, match=r"found no .*match_chess.jsonl.gz, expected .*transcribe chess"):
        transcripts("chess")


@pytest.mark.slow
def test_transcribe__what_the_roller_plays_the_package_plays(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl.gz"
    transcribe("skirmish_wars", path, 2)
    one, other = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    assert any(step["dice"] for step in one["steps"])
    for case in (one, other):
        _replay("skirmish_wars", case, plain=True)
    with pytest.raises(FileExistsError):
        transcribe("skirmish_wars", path, 2)


def _replay(game: str, case: dict[str, Any], plain: bool = False) -> None:
    match = Replay(game, case["setup"], plain)
    checks: dict[int, list[dict[str, Any]]] = {}
    for check in case["checks"]:
        checks.setdefault(check["after"], []).append(check)
    for after, step in enumerate([None, *case["steps"]]):
        if step is not None:
            match.do(step["do"], step["dice"], step.get("sides"))
        for check in checks.get(after, ()):
            _check(match, check)
    assert match.result() == case["result"]


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_do__refuses_what_is_not_legal_and_dice_that_are_missing_or_left_over(game: str) -> None:
    case = next(case for case in transcripts(game).values() if any(step["dice"] for step in case["steps"]))
    before = next(at for at, step in enumerate(case["steps"]) if step["dice"])
    said, dice = case["steps"][before]["do"], case["steps"][before]["dice"]
    for wrong, rolled in ((said + "x", dice), ("end end", []), (said, dice[:-1]), (said, [*dice, 1])):
        match = Replay(game, case["setup"], plain=True)
        for step in case["steps"][:before]:
            match.do(step["do"], step["dice"], step.get("sides"))
        with pytest.raises(ValueError, match=said.split()[0] if wrong != "end end" else "end"):
            match.do(wrong, rolled)
