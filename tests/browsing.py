"""A browser for the tests of pages, and what else only they need: never missing in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import import_module, resources
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


REPEATED = """() => document.querySelectorAll("tbody, ol").forEach(list => {
  const looks = part => {
    const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(part);
    return [part.tagName, part.className, color, backgroundColor, fontSize, fontWeight, !part.textContent.trim()];
  };
  const seen = new Set();
  const repeated = [...list.children].map(row => {
    const said = JSON.stringify([row, ...row.querySelectorAll("*")].map(looks));
    return seen.size === seen.add(said).size;
  });
  repeated.forEach((is, at) => { list.children[at].style.display = is ? "none" : "" });
})"""
"""Hides each row that looks like one above it but for its words and numbers, and shows all others."""


def barriers(page: Any, *schemes: str) -> list[tuple[str, list[str]]]:
    """Return what axe finds wrong with a page: by rule, the elements.

    Their colours are looked at in each scheme, and once for all rows that look the same: that takes long.
    """
    wanted("axe_playwright_python")
    page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    run = "only => axe.run(document, { resultTypes: ['violations'], ...only }).then(found => found.violations)"
    found = page.evaluate(run, {"rules": {"color-contrast": {"enabled": False}}})
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(REPEATED)
        found += page.evaluate(run, {"runOnly": ["color-contrast"]})
    return [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found]
