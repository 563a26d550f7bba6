"""Writing whole files or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aabalance.errors import OutputError
from aabalance.files import probe, write, write_all


def test_write__keeps_bytes_and_mode(tmp_path):
    path = tmp_path / "a" / "b.txt"
    write_all({path: "ü\r\n"})
    assert path.read_bytes() == b"\xc3\xbc\r\n"
    path.chmod(0o600)
    write(path, b"\xff")
    assert path.read_bytes() == b"\xff"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == ["b.txt"]


def test_write__link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "new"


def test_write__unwritable_place_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for path in (tmp_path, tmp_path / "file" / "below"):
        with pytest.raises(OutputError, match="can't be written: ") as caught:
            write(path, "y")
        assert "\n" not in str(caught.value)


def test_write__folder_that_is_not_there_is_not_made(tmp_path):
    for act in (lambda path: write(path, "y"), probe):
        with pytest.raises(OutputError) as caught:
            act(tmp_path / "slip" / "a.csv")
        assert str(caught.value) == f"{tmp_path}/slip/a.csv: can't be written: found no folder {tmp_path}/slip"
    assert os.listdir(tmp_path) == []
    probe(tmp_path / "a.csv")
    assert os.listdir(tmp_path) == []


def test_write__pipe_behind_a_link_gets_the_text(tmp_path):
    # /dev/stdout is such a link.
    read, end = os.pipe()
    write(Path(f"/proc/self/fd/{end}"), "through")
    assert os.read(read, 100) == b"through"


def test_write_all__all_or_none(tmp_path):
    (tmp_path / "a").write_text("old", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="folder"):
        write_all({tmp_path / "a": "new", tmp_path / "folder": "new"})
    assert (tmp_path / "a").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir(tmp_path)) == ["a", "folder"]
