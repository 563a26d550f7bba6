"""Work that is done once for each object, where hashing an object takes longer than the work is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def once_per_object(of: Callable[[T], R]) -> Callable[[T], R]:
    """Return a function whose results are kept by the identity of its argument, not by its value.

    Arguments are kept, too: the id of one that is gone may be that of a later one, which would get its result.
    """
    known: dict[int, tuple[T, R]] = {}

    def result(one: T) -> R:
        if id(one) not in known:
            known[id(one)] = one, of(one)
        return known[id(one)][1]

    return result
