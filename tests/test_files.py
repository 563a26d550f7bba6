"""Writing whole files or none."""

from __future__ import annotations

import os

import pytest

from aabalance.errors import OutputError
from aabalance.files import write, write_all


def test_write__makes_folders_and_keeps_bytes(tmp_path):
    path = tmp_path / "a" / "b.txt"
    write(path, "ü\r\n")
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


def test_write_all__all_or_none(tmp_path):
    (tmp_path / "a").write_text("old", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="folder"):
        write_all({tmp_path / "a": "new", tmp_path / "folder": "new"})
    assert (tmp_path / "a").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir(tmp_path)) == ["a", "folder"]
