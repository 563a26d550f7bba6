"""The reference values as they are kept: lines of JSON, transcripts of matches packed."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
FILE = re.compile(r"(?:match_|metagame_)?(\w+)\.jsonl(?:\.gz)?")
"""A file has a game's name, behind that of the kind if it has only one kind."""

Case = dict[str, Any]


def files(game: str) -> list[Path]:
    """Return the files with reference values of a game."""
    return sorted(path for path in DATA.iterdir() if (found := FILE.fullmatch(path.name)) and found[1] == game)


def games() -> set[str]:
    """Return every game that has reference values."""
    return {found[1] for path in DATA.iterdir() if (found := FILE.fullmatch(path.name))}


@cache
def reference_cases(game: str) -> dict[str, list[Case]]:
    """Return a game's cases by their kind."""
    found = defaultdict(list)
    for path in files(game):
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for line in content.splitlines():
            case = json.loads(line)
            found[case["kind"]].append(case)
    return dict(found)
