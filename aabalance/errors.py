"""The exceptions that users can meet; the command line prints them as they are and exits with 2.

::

    AabalanceError
    ├── UsageError            a wrong argument: range, variant key, situation, posture ...
    │   └── UnknownUnitError  an id that no card has; proposes the nearest
    ├── CardError             unit cards or facts with faults, all of them at once
    └── OutputError           a file or folder that can't be written
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class AabalanceError(Exception):
    """Root of everything the package raises on purpose."""


class UsageError(AabalanceError):
    """A wrong argument; the message names what was found and what was expected."""


class UnknownUnitError(UsageError, KeyError):
    """An id without a card.

    Parameters
    ----------
    unit_id : str
        What was asked for.
    known : iterable of str
        The ids there are.
    """

    def __init__(self, unit_id: str, known: Iterable[str]) -> None:
        self.unit_id = unit_id
        self.nearest = tuple(difflib.get_close_matches(unit_id, list(known), n=3, cutoff=0.5))
        super().__init__(unit_id)

    def __str__(self) -> str:
        hint = f"; did you mean {', '.join(self.nearest)}?" if self.nearest else "; `aabalance cards` lists the ids"
        return f"unknown unit {self.unit_id!r}{hint}"


class Fault(NamedTuple):
    """One fault in a file: where it is and what is wrong."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class CardError(AabalanceError):
    """Faults in cards, facts or report definitions, a line each.

    Parameters
    ----------
    faults : sequence of Fault
        At least one; ``place`` is ``file:line``.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class OutputError(AabalanceError):
    """A place that can't be written to; nothing was left half-written."""


def one_of(found: object, allowed: Iterable[str]) -> str:
    """Say what was found, the nearest allowed word and all allowed words, for use in a message."""
    words = list(allowed)
    near = difflib.get_close_matches(str(found), words, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"found {found!r}{hint}, expected one of {', '.join(words)}"
