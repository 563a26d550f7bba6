"""Shared fixtures, and how hypothesis looks for counter-examples."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import examples
import pytest
from browsing import browser as browser
from hypothesis import HealthCheck, Phase, settings

# Jobs in the background begin with interrupts ignored, and so would the processes that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Commands neither read nor write what the user has kept: numbers under test are worked out. Processes inherit it.
os.environ["AABALANCE_CACHE"] = ""

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that open a browser, whichever they are."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
