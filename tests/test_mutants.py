"""The sample of mutants: what counts as a change, and that those called equivalent are of this source."""

from __future__ import annotations

import importlib
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
MUTANTS = ROOT / ".ci/mutants"


@pytest.fixture(scope="module")
def change() -> Any:
    sys.path.insert(0, str(MUTANTS))
    try:
        return importlib.import_module("change")
    finally:
        sys.path.remove(str(MUTANTS))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a < b", {"(a <= b)", "(a >= b)"}),
        ("a == b", {"(a != b)"}),
        ("a in b", {"(a not in b)"}),
        ("a and b", {"(a or b)"}),
        ("not a", {"(a)"}),
        ("a // b", {"(a * b)"}),
        ("a = 7", {"a = 8", "a = (6)"}),
        ("a = True", {"a = False"}),
        ("a += b", {"a -= b", "pass"}),
        ("a.b = c", {"pass"}),
        ("f(a, b)", {"pass", "(f(b, a))"}),
        ("raise a", {"pass"}),
        ("a if b else c", {"a if (not (b)) else c"}),
        ("[a for a in b if a]", {"[a for a in b if True]"}),
        ("a: b | None = c", set()),
        ("a = str | int", set()),
        ("'a text'", set()),
        ("a = 'a text'", set()),
        ("a = f'{b + 1}'", set()),
    ],
)
def test_changes__of_a_line(change: Any, line: str, expected: set[str]) -> None:
    source = line.encode()
    assert {one.made(source).decode() for one in change.changes(source)} == expected


BLOCK = '''def name(x: int = 1) -> int:
    """Return 1 + 1."""
    for y in x:
        if y:
            break
    return (
        y
    )
'''


def test_changes__say_which_lines_run_them_and_whether_an_import_does(change: Any) -> None:
    found = {(one.text, one.first, one.last, one.at_import) for one in change.changes(BLOCK.encode())}
    assert found == {
        ("2", 1, 1, True),
        ("(0)", 1, 1, True),
        ("(not (y))", 4, 4, False),
        ("continue", 5, 5, False),
        ("return None", 6, 8, False),
    }


def test_says_the_same__of_signs_that_mean_nothing_and_of_no_python(change: Any) -> None:
    assert change.says_the_same(b"a + b", b"(a  + b)")
    assert change.says_the_same(b"a", b"a +")
    assert not change.says_the_same(b"a + b", b"a - b")


def test_equivalent__each_is_argued_and_of_a_line_that_is_there() -> None:
    listed = tomllib.loads((MUTANTS / "equivalent.toml").read_text(encoding="utf-8")).get("mutant", [])
    for entry in listed:
        assert entry.keys() == {"file", "was", "now", "why"}
        lines = (ROOT / entry["file"]).read_text(encoding="utf-8").splitlines()
        assert entry["was"] in map(str.strip, lines), entry
