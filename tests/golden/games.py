"""The games that reference cases are put to, one for each variant."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import aabalance as aab


def game_of(name: str, case: dict[str, Any]) -> aab.Game:
    """Return the game under the variant that a case names."""
    return _game(name, json.dumps(case.get("variant", {}), sort_keys=True))


@cache
def _game(name: str, variant: str) -> aab.Game:
    return aab.Game(name, variant=json.loads(variant))
