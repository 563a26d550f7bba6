"""TOML as people write it: what it says, on which line, and what keeps it from being read."""

from __future__ import annotations

from pathlib import Path

import pytest

from aabalance.cards.csv import read_lines
from aabalance.cards.literals import literal
from aabalance.cards.tables import line_of, read_toml
from aabalance.errors import UsageError


def refused(path, content):
    """What is said of a file, without its folder; a list of bytes or text."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    faults = []
    assert read_toml(path, faults) == {}
    return [str(fault).removeprefix(f"{path.parent}/") for fault in faults]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]\nx = 1\n\n[b]\n[a]\n", "x.toml:5: a: found a second time, expected once; first in line 1"),
        ("[a]\nx = 1\n\nx = 1\n", "x.toml:4: a.x: found a second time, expected once; first in line 2"),
        ("[a]\nx = 1\nx = [\n1,\n2]\n", "x.toml:3: a.x: found a second time, expected once; first in line 2"),
        ("[a.b]\n[a.c]\n[a.b]\n", "x.toml:3: a.b: found a second time, expected once; first in line 1"),
        ("[a]\nx = { b = 1, b = 2 }\n", "x.toml:2: a.x.b: found a second time, expected once; first in line 2"),
        ("[[a]]\nx = 1\n[[a]]\nx = 1\nx = 2\n", "x.toml:5: a.1.x: found a second time, expected once; first in line 4"),
        ('["a b"]\n["a b"]\n', "x.toml:2: 'a b': found a second time, expected once; first in line 1"),
        ("[a]\nb.c = 1\n[a.b]\n", "x.toml:3: not TOML: cannot declare a.b twice"),
        # Broken otherwise: what stands behind the break is no second time.
        ("[a]\nw = [\n  { n = 1 },\n  { n = 2 },\n\n[b]\nn = 3\n", "x.toml:6: not TOML: invalid value"),
    ],
)
def test_read_toml__what_stands_twice_is_named_with_both_lines(tmp_path, text, expected):
    assert refused(tmp_path / "x.toml", text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "[a]\nx = " + "[" * 5000 + "]" * 5000,
        "[a]\nx = " + "[" * 60 + "]" * 60,
        "[a]\nx" + ".x" * 60 + " = 1",
        "[a]\nx" + ".x" * 5000 + " = 1",
        "[a]\nx = " + "{x = " * 5000 + "1" + "}" * 5000,
    ],
)
def test_read_toml__nested_too_deeply_is_one_line(tmp_path, text):
    said = "x.toml:2: found tables and lists nested more than 50 deep, expected fewer"
    assert refused(tmp_path / "x.toml", text) == [said]


def test_read_toml__nested_too_deeply_over_many_lines_names_the_deepest(tmp_path):
    (said,) = refused(tmp_path / "x.toml", "x = \n".strip() + " " + "[\n" * 70 + "]\n" * 70)
    assert said.startswith("x.toml:70: found tables and lists nested")


def test_read_toml__nested_a_little_is_fine(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("x = " + "[" * 40 + "]" * 40, encoding="utf-8")
    faults = []
    assert "x" in read_toml(path, faults)
    assert faults == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"[a]\n# caf\xe9\n", "x.toml:2: found the byte 0xe9, expected text in UTF-8"),
        ("[a]\n".encode("utf-16"), "x.toml:1: found the byte 0xff, expected text in UTF-8"),
        (b"\x00" * 3000, "x.toml:1: not TOML: invalid statement"),
        (
            "[a]\nx = " + "1" * 5000 + "\ny = 2\n",
            "x.toml:2: found a number of thousands of digits, expected a shorter one",
        ),
    ],
)
def test_read_toml__what_is_no_text_is_one_line(tmp_path, content, expected):
    (said,) = refused(tmp_path / "x.toml", content)
    assert said.startswith(expected)


def test_read_toml__who_changes_what_was_read_changes_no_other_reading(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("[x]\ny = [1]\n", encoding="utf-8")
    read_toml(path, [])["x"]["y"].append(2)
    assert read_toml(path, []) == {"x": {"y": [1]}}
    path.write_text("[x]\ny = [3]\n", encoding="utf-8")
    assert read_toml(path, []) == {"x": {"y": [3]}}


def test_read_toml__only_files_are_opened(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "gone.toml").symlink_to("nowhere")
    faults = []
    for name in ("folder", "loop", "gone"):
        assert read_toml(tmp_path / f"{name}.toml", faults) == {}
    assert [str(fault).removeprefix(f"{tmp_path}/") for fault in faults] == [
        "folder.toml: found a folder, a pipe or a device, expected a file",
        "loop.toml: can't be read: Too many levels of symbolic links",
        "gone.toml: can't be read: No such file or directory",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[a]\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n", 2),
        ("[a]\r\nx = 1\r\n=======\r\nx = 2\r\n", 3),
        ("[a]\nx = 1\n>>>>>>> theirs\n", 3),
        ("[a]\nx = [\n  1,\n||||||| base\n  2,\n]\n", 4),
        ('[a]\nmap = """\n=======\n"""\n<<<<<<<\n', 5),
    ],
)
def test_read_toml__a_merge_conflict_is_called_one(tmp_path, text, line):
    expected = f"x.toml:{line}: found a mark of a merge conflict, expected that it is resolved"
    assert refused(tmp_path / "x.toml", text) == [expected]


@pytest.mark.parametrize("name", ["a\0b.toml", "a\ud800b.toml"])
def test_read__paths_that_no_system_has_are_as_any_that_cannot_be_read(name):
    faults = []
    assert read_toml(Path(name), faults) == {}
    assert [str(fault).partition(" read: ")[0] for fault in faults] == [f"{name}: can't be"]
    with pytest.raises(UsageError, match=r"^a.b.toml: can't be read: [^\n]+$"):
        read_lines(Path(name))


def test_literal__deep_nesting_is_one_short_line():
    with pytest.raises(UsageError) as caught:
        literal("[" * 5000 + "]" * 5000)
    assert "nested more than 50 deep" in str(caught.value)
    assert len(str(caught.value)) < 150
    assert literal("9" * 5000) == "9" * 5000  # no number that Python would read


def test_line_of__every_way_to_write_a_key(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(
        '[a]\narmor.front = 3\n"quoted key" = 4\nweapons = [\n  # first\n  { name = "g" },\n'
        '  { name = "m",  ai = [\n    { min = 4 },\n    { min = 1 } ] },\n]\n[a.keywords]\nscout = true\n'
        '[[b.weapons]]\nname = "x"\n[[b.weapons]]\nname = "y"\n[b.weapons.sub]\nq = 1\n',
        encoding="utf-8",
    )
    places = {
        ("a",): 1,
        ("a", "armor", "front"): 2,
        ("a", "quoted key"): 3,
        ("a", "weapons", 0, "name"): 6,
        ("a", "weapons", 1, "ai"): 7,
        ("a", "weapons", 1, "ai", 1, "min"): 9,
        ("a", "keywords", "scout"): 12,
        ("b", "weapons", 0, "name"): 14,
        ("b", "weapons", 1): 15,
        ("b", "weapons", 1, "name"): 16,
        ("b", "weapons", 1, "sub", "q"): 18,
        ("a", "weapons", 0, "missing"): 6,
        ("nowhere",): 1,
    }
    assert {place: line_of(path, place) for place in places} == places
