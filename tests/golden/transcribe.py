"""Write transcripts of random matches as a roller tells them: in ``tests``, ``python -m golden.transcribe GAME``.

They are for a game whose transcripts nobody else makes, and replace none: a file that is there stays.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from test_match_witness import Dice, choose

from golden.cases import DATA


def file_of(game: str) -> Path:
    """Return where the transcripts of a game are kept."""
    return DATA / f"match_{game}.jsonl.gz"


def transcribe(game: str, path: Path, matches: int = 12) -> None:
    """Write so many matches of a game to a new file, in the form that ``data/README.md`` describes."""
    lines = "".join(f"{json.dumps(_transcript(game, number))}\n" for number in range(matches))
    with path.open("xb") as file:
        file.write(gzip.compress(lines.encode(), mtime=0))


def _transcript(game: str, number: int) -> dict[str, Any]:
    witness: Any = import_module(f"rollers.{game}_match")
    name = f"{game} drawn {number}"
    draw = random.Random(name)
    setup, dice = witness.random_setup(draw), Dice(draw)
    match = witness.Match(copy.deepcopy(setup), dice)
    steps: list[dict[str, Any]] = []
    checks: list[dict[str, Any]] = []
    while True:
        side = match.to_move()
        legal = match.legal() if side else []
        checks.append(copy.deepcopy({"after": len(steps), "to_move": side, "state": match.state(), "legal": legal}))
        if not side:
            ids = {"kind": "match", "game": game, "id": name}
            return {**ids, "setup": setup, "steps": steps, "checks": checks, "result": match.result()}
        dice.forget()
        said = choose(draw, legal)
        match.do(said)
        steps.append({"do": said, "dice": dice.shown, "sides": dice.sides})


if __name__ == "__main__":
    transcribe(sys.argv[1], file_of(sys.argv[1]))
