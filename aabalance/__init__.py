"""aabalance: balance analysis of tabletop wargames, exact where it can be.

>>> import aabalance as aab
>>> game = aab.Game("armored_advance")
>>> game.shot("de_tiger1", "su_t34_85", range_in=18).need
3
"""

from __future__ import annotations

from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aabalance.errors import (
        AabalanceError as AabalanceError,
    )
    from aabalance.errors import (
        CardError as CardError,
    )
    from aabalance.errors import (
        UnknownUnitError as UnknownUnitError,
    )
    from aabalance.errors import (
        UsageError as UsageError,
    )
    from aabalance.game import Game as Game
    from aabalance.results import DuelResult as DuelResult
    from aabalance.results import ShotResult as ShotResult

_PUBLIC = {
    "Game": "aabalance.game",
    "ShotResult": "aabalance.results",
    "DuelResult": "aabalance.results",
    "AabalanceError": "aabalance.errors",
    "CardError": "aabalance.errors",
    "UnknownUnitError": "aabalance.errors",
    "UsageError": "aabalance.errors",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``import aabalance`` costs nothing."""
    if name == "__version__":
        return metadata.version("aabalance")
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'aabalance' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
