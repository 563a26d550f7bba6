"""A browser for the tests of pages, and what else only they need: never missing in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CI = os.environ.get("CI") == "true"


def wanted(name: str) -> Any:
    """Import a module that only these tests need; without it they are skipped, but never in CI."""
    return import_module(name) if CI else pytest.importorskip(name)


@pytest.fixture(scope="module")  # Its event loop runs until it is closed, and notebooks want one of their own.
def browser() -> Iterator[Any]:
    """Return a headless browser."""
    if CHROMIUM is None:
        said = "found no chromium, expected one to open the page with: apt-get install chromium"
        (pytest.fail if CI else pytest.skip)(said)
    with wanted("playwright.sync_api").sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()
