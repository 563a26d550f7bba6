"""Writing whole files or none."""

from __future__ import annotations

import os
from pathlib import Path

import mistune
import pytest

from aabalance.errors import OutputError
from aabalance.files import from_cell, in_cell, in_markdown, probe, probe_all, write, write_all


def test_write__keeps_bytes_and_mode(tmp_path):
    path = tmp_path / "a" / "b.txt"
    write_all({path: "ü\r\n"})
    assert path.read_bytes() == b"\xc3\xbc\r\n"
    path.chmod(0o600)
    write(path, b"\xff")
    assert path.read_bytes() == b"\xff"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == ["b.txt"]


def test_write__a_name_of_a_file_that_is_no_text(tmp_path):
    write(tmp_path / "a.xml", "g\udcff.toml")
    assert (tmp_path / "a.xml").read_bytes() == b"g?.toml"


def test_write__link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "new"


def test_probe_all__refuses_a_link_out_of_the_folder_and_takes_one_within(tmp_path):
    folder = tmp_path / "sent"
    folder.mkdir()
    (folder / "real.csv").touch()
    (folder / "within.csv").symlink_to("real.csv")
    for name, target in {"out.csv": "../victim", "new.csv": "/no/such/place"}.items():
        (folder / name).symlink_to(target)
        with pytest.raises(OutputError, match=rf"/{name}: found a link to /.*, expected a file in the folder$"):
            probe_all([folder / "within.csv", folder / name])
    (tmp_path / "folder").symlink_to(folder)
    probe_all([tmp_path / "folder" / name for name in ("within.csv", "other.csv")])
    probe(folder / "out.csv")  # who names a file by a link may


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


@pytest.mark.parametrize(
    "name",
    [
        "Anna | <Berta>",
        "[win](https://example.org)",
        "![win](https://example.org/a.png)",
        "<https://example.org>",
        "http://example.org and www.example.org",
        "**Tiger** _I_ `x` ~~y~~",
        "_a_ and de_tiger1_",
        "# Tiger",
        "> Tiger",
        "- Tiger",
        "back\\slash",
        "&lt;b&gt; &copy; $a$",
        "<script>alert(1)</script>",
        "T-34-85 (1944) 8.8 cm *",
    ],
)
def test_in_markdown__shows_what_cards_say_as_it_is(name):
    render = mistune.create_markdown(plugins=["table", "strikethrough", "url"])
    shown = name.translate({ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"})
    html = render(f"- {in_markdown(name)}\n\n| a |\n| - |\n| {in_markdown(name)} |\n").replace("\u200b", "")
    assert html.startswith(f"<ul>\n<li>{shown}</li>\n</ul>\n")
    assert f"<td>{shown}</td>" in html


def test_in_markdown__is_one_line():
    assert in_markdown("Anna\nBerta\t II") == "Anna Berta II"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", "\t=1", "Tiger", "'Tiger'", "'"])
def test_in_cell__is_no_formula_and_comes_back(text):
    cell = in_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert from_cell(cell) == text
