"""Every public name has an example in its docstring, and it gives what it says."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes

import aabalance as aab
from aabalance.cards import Cards
from aabalance.report import plots

METHODS = (property, cached_property, classmethod)


def members(kind: type) -> Iterator[str]:
    """Yield the public methods and properties of a class that are ours: its own, and those of its bases."""
    for base in kind.__mro__:
        if base.__module__.startswith("aabalance."):
            yield from (
                name
                for name, value in vars(base).items()
                if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, METHODS))
            )


def public() -> dict[str, Any]:
    """Return everything that users call, by name."""
    found = {"aabalance": aab, "Cards": Cards, **{name: getattr(aab, name) for name in aab.__all__}}
    del found["__version__"], found["plots"]
    for kind in [value for value in found.values() if inspect.isclass(value)]:
        found |= {f"{kind.__name__}.{name}": inspect.getattr_static(kind, name) for name in members(kind)}
    return found | {f"plots.{name}": getattr(plots, name) for name in plots.__all__}


PUBLIC = public()

pytestmark = pytest.mark.usefixtures("frozen_cards")


def test_public__has_functions_methods_and_properties() -> None:
    assert {"matchups", "Game.duel", "Game.reading", "ShotResult.to_frame", "Situations.of", "plots.worth"} <= set(
        PUBLIC
    )
    assert len(PUBLIC) > 70


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:explore. found no notebook")
@pytest.mark.parametrize("name", PUBLIC)
def test_example__gives_what_it_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for what an example writes
    text = inspect.getdoc(PUBLIC[name]) or ""
    assert ">>> " in text, "an example is missing"
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=said.append, clear_globs=False)
    assert not said, "".join(said)
    if name.startswith("plots."):
        assert isinstance(example.globs["ax"], Axes)
        pyplot.close("all")


def test_example__one_that_says_something_else_is_noticed() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    said: list[str] = []
    doctest.DocTestRunner().run(example, out=said.append)
    assert "Expected" in said[0]
