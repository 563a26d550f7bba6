"""The reference values' way into the package.

``evaluate(game, kind, inputs)`` returns the keys of the case's ``expect``, worked out by the package's own code: each
game has a module here with one thin function a kind.
"""

from __future__ import annotations

from importlib import import_module, util
from typing import Any

from aabalance.rulesets import OURS

Case = dict[str, Any]

KINDS = {game: import_module(f"golden.{game}").KINDS for game in OURS if util.find_spec(f"golden.{game}")}


def evaluate(game: str, kind: str, inputs: Case) -> Case:
    """Return what the package says of one reference case."""
    found: Case = KINDS[game][kind](inputs)
    return found
