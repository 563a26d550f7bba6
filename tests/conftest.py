"""Shared fixtures, and how hypothesis looks for counter-examples."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator

import examples
import pytest
from browsing import browser as browser
from hypothesis import HealthCheck, Phase, settings

from aabalance.engine.battle import battle, policies
from aabalance.engine.battle.columns import Sides
from aabalance.engine.battle.lanes import rolls

# Jobs in the background begin with interrupts ignored, and so would the processes that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Commands neither read nor write what the user has kept: numbers under test are worked out. Processes inherit it.
os.environ["AABALANCE_CACHE"] = ""

# Each process has one thread of linear algebra. More would spin while they wait for each other, on processors that
# other tests need. Processes that tests start inherit this.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# What notebooks are checked with would build a grammar of web addresses when it is imported, which takes seconds; it
# does without.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

# The same examples on every run: CI fails because of a change, never because of luck. To hunt for more:
# pytest --hypothesis-profile=search
settings.register_profile("same", derandomize=True, max_examples=150, **COMMON)
settings.register_profile("search", max_examples=2000, **COMMON)
# For mutants (.ci/mutants): any counter-example will do, it needn't be the smallest.
settings.register_profile("unshrunk", settings.get_profile("same"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("same")


@pytest.fixture(scope="module")
def frozen_cards() -> Iterator[None]:
    """Let the package find the cards that README, docs and notebooks tell of: see `docs/examples.py`."""
    with examples.frozen_cards():
        yield


@pytest.fixture
def few_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every battle compiled with all policies and with help, as some are anyway: that halves the forms to compile.

    Each takes 4 to 15 seconds. Neither does anything in a battle that has no need of it, as `test_battle_parts` shows.
    Return fire would: without a unit that returns it, tables have no room for its dice.
    """
    of_turns, of_rolls = policies.of_turns, rolls.of_rolls

    def all_of_turns(sides: Sides) -> policies.Hooks:
        return of_turns(sides) | policies.OF_HELP

    def with_all_policies(sides: Sides, followed: tuple[int, int], *, detailed: bool) -> policies.Hooks:
        return of_rolls(sides, (0, 1), detailed=detailed)

    monkeypatch.setattr(policies, "of_turns", all_of_turns)
    monkeypatch.setattr(battle, "of_turns", all_of_turns)
    monkeypatch.setattr(rolls, "of_rolls", with_all_policies)


@pytest.fixture(autouse=True)
def forms(request: pytest.FixtureRequest) -> None:
    """Have few forms of battles compiled, but in tests marked as `own_forms`, which are about them."""
    if not request.node.get_closest_marker("own_forms"):
        request.getfixturevalue("few_forms")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one process more than there are processors: tests wait for browsers and commands a sixth of their time.

    Quick ones hardly wait, and each process takes seconds to find them.
    """
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    return len(processors) + ("not slow" not in config.option.markexpr)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what is found, a million objects that stay: it took a tenth of a quick test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that open a browser, whichever they are; begin with the files that have slow tests.

    Those without a slow test come last, and even out when the processes end.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
