"""requirements.lock holds what pyproject.toml asks for, and nothing else."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SELF = PROJECT["project"]["name"]
APART = "open_spiel", "pettingzoo"
"""Extras that `.ci/weekly` installs beside the lock: for adapters alone."""
EXTRAS = {name: texts for name, texts in PROJECT["project"]["optional-dependencies"].items() if name not in APART}
WANTED = [
    Requirement(text)
    for texts in (PROJECT["build-system"]["requires"], PROJECT["project"]["dependencies"], *EXTRAS.values())
    for text in texts
]
PINNED = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))? \\\n(?P<rest>(?: +.*\n)+)", re.MULTILINE
)


class Pin(NamedTuple):
    """One entry of the lock; `via` names who asks for it."""

    name: str
    version: str
    here: bool
    hashes: int
    via: list[str]


def _pin(found: re.Match[str]) -> Pin:
    marker, rest = found["marker"], found["rest"]
    via = re.findall(r"^ +#(?: via)? +(?:via )?([\w.-]+)", rest, re.MULTILINE)
    here = marker is None or Marker(marker).evaluate()
    return Pin(found["name"], found["version"], here, rest.count("--hash=sha256:"), via)


PINS = [_pin(found) for found in PINNED.finditer(LOCK)]
NAMES = {pin.name for pin in PINS}


def test_lock__is_read_whole_with_hashes_and_names_no_index() -> None:
    assert len(PINS) == len(re.findall(r"^[^ #\n]", LOCK, re.MULTILINE))
    assert all(pin.hashes for pin in PINS)
    assert not re.search(r"://|--(extra-)?index|--find-links|--trusted", LOCK)


@pytest.mark.parametrize("wanted", [wanted for wanted in WANTED if wanted.name != SELF], ids=lambda wanted: wanted.name)
def test_lock__has_a_version_that_fits(wanted: Requirement) -> None:
    versions = [pin.version for pin in PINS if pin.name == canonicalize_name(wanted.name)]
    assert versions
    assert all(wanted.specifier.contains(version) for version in versions), f"found {versions}, expected {wanted}"


def test_lock__every_extra_is_in_the_one_that_is_locked() -> None:
    """``dev`` is; the others have to be part of it."""
    assert f"aabalance[{','.join(sorted(EXTRAS.keys() - {'dev'}))}]" in EXTRAS["dev"]


def test_lock__nothing_is_in_it_that_nobody_asks_for() -> None:
    direct = {pin.name for pin in PINS if SELF in pin.via}
    assert direct == {canonicalize_name(wanted.name) for wanted in WANTED} - {SELF}
    reached, fresh = set(direct), set(direct)
    while fresh:
        fresh = {pin.name for pin in PINS if fresh & set(pin.via)} - reached
        reached |= fresh
    assert reached == NAMES


@pytest.mark.slow
def test_dependencies__have_all_that_the_package_imports() -> None:
    """But for what nobody has installed: adapters need more."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / SELF).rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    imported = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {SELF}
    own = [PROJECT["project"]["dependencies"], *(texts for extra, texts in EXTRAS.items() if extra != "dev")]
    declared = {canonicalize_name(Requirement(text).name) for texts in own for text in texts}
    from_where = metadata.packages_distributions()
    offered = {name: {canonicalize_name(one) for one in from_where[name]} for name in imported & from_where.keys()}
    assert [name for name, by in offered.items() if not by & declared] == []
    assert len(offered) > 10


def test_lock__is_what_the_installed_packages_ask_for() -> None:
    """The word of their metadata, not of the lock's own comments."""
    here = {pin.name: pin for pin in PINS if pin.here}
    for pin in here.values():
        try:
            installed = metadata.version(pin.name)
        except metadata.PackageNotFoundError:
            installed = "nothing"
        if installed != pin.version:
            pytest.skip(f"installed without the lock: {pin.name}: found {installed}, expected {pin.version}")
    asked: set[tuple[str, str]] = set()
    to_do = list(WANTED)
    while to_do:
        wanted = to_do.pop()
        for extra in ("", *wanted.extras):
            one = canonicalize_name(wanted.name), extra
            if one in asked or wanted.name == SELF:
                continue
            asked.add(one)
            for text in metadata.requires(wanted.name) or ():
                inner = Requirement(text)
                if inner.marker is None or inner.marker.evaluate({"extra": extra}):
                    to_do.append(inner)
    assert {name for name, _ in asked} == here.keys()


@pytest.mark.parametrize(("extra", "library"), [("open_spiel", "pyspiel"), ("pettingzoo", "gymnasium")])
def test_adapters__name_the_extra_that_is_lacking(extra: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)  # so it can't be imported, wherever it is installed
    monkeypatch.delitem(sys.modules, f"aabalance.adapters.{extra}", raising=False)
    with pytest.raises(
        ModuleNotFoundError, match=rf"found no {library}, .*: python -m pip install 'aabalance.{extra}.'"
    ):
        importlib.import_module(f"aabalance.adapters.{extra}")
