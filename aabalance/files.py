"""Files: where the data is, and how to write files completely or not at all, with one line of error."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from aabalance.errors import OutputError

if TYPE_CHECKING:
    import jinja2


def write(path: Path, content: str | bytes) -> None:
    """Write a file in one step into a folder that exists; text is written in UTF-8 with its line ends unchanged.

    Raises
    ------
    OutputError
        The file can't be written; what was there before still is.
    """
    _expect_folder(path)
    write_all({path: content})


def write_all(contents: Mapping[Path, str | bytes], stale: Iterable[Path] = ()) -> None:
    """Write files by path; missing folders are made. All are first written beside their places, then renamed.

    Files that are `stale` are removed last.

    Raises
    ------
    OutputError
        One of them can't be written. Only a fault in the very last step, renaming, can leave some of them written.
    """
    ready: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, content in contents.items():
            # A name of a file may have bytes that are no text.
            data = content.encode(errors="replace") if isinstance(content, str) else content
            if path.exists() and not path.is_file():
                path.write_bytes(data)  # a device or a pipe, /dev/stdout; a folder fails here
                continue
            target = Path(os.path.realpath(path))  # a link stays a link
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
            ready.append((temporary, target))
            temporary.write_bytes(data)
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
                if not os.access(target, os.W_OK):  # renaming over it would work all the same
                    raise PermissionError(0, "it is write-protected")
        for temporary, target in ready:
            path = target
            os.replace(temporary, target)
        for path in stale:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: can't be written: {error.strerror or error}") from None
    finally:
        for temporary, _ in ready:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def probe(path: Path) -> None:
    """Check that `write` can write a file, before the work that makes its content; no trace is left.

    Raises
    ------
    OutputError
        The file can't be written.
    """
    _expect_folder(path)
    _probe(path)


def _expect_folder(path: Path) -> None:
    # Making a folder for a misspelt path would hide the mistake.
    if not path.parent.is_dir():
        raise OutputError(f"{path}: can't be written: found no folder {path.parent}")


def probe_all(paths: Iterable[Path]) -> None:
    """Check that `write_all` can write files into their folders, before the work that makes their contents.

    No trace is left.

    Raises
    ------
    OutputError
        One of the files can't be written, or is a link that leads out of its folder: nobody has named that place, and
        the folder may be somebody else's. The text names the first.
    """
    for path in paths:
        target = os.path.realpath(path)
        if path.is_symlink() and not Path(target).is_relative_to(os.path.realpath(path.parent)):
            raise OutputError(f"{path}: found a link to {target}, expected a file in the folder")
        _probe(path)


def _probe(path: Path) -> None:
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        if not folder.is_dir():
            raise NotADirectoryError(0, f"{folder} is no folder")
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        if path.exists():
            if not os.access(path, os.W_OK):
                raise PermissionError(0, "it is write-protected")
        else:
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as error:
        raise OutputError(f"{path}: can't be written: {error.strerror or error}") from None


def templates(package: str) -> jinja2.Environment:
    """Return an environment that loads the templates of a package and escapes what goes into HTML."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader(package, "."),
        autoescape=lambda name: name is None or ".html" in name,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def data_folder(name: str) -> Path:
    """Return the folder `name` (``unitdb``, ``reports``) of the checkout, or of the installed package.

    A checkout wins: an editable install leaves a stale copy of the data beside the package.
    """
    checkout = Path(__file__).resolve().parents[1]
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    return Path(str(resources.files("aabalance"))) / name


MARKED = re.compile(r"[\\`*\[\]|<&$]|(?<!\w)_|_(?!\w)|^[#>]|^[-+](?= )|~(?=~)|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What makes Markdown more than text: marks, and addresses, which some readers turn into links by themselves."""
FORMULA = "=", "+", "-", "@", "\t", "\r"
"""Beginnings of a cell that a spreadsheet takes for a formula."""


def in_markdown(text: str) -> str:
    """Return a text as one line of Markdown that shows it as it is: no mark, link or HTML in it counts."""
    return MARKED.sub(r"\\\g<0>", " ".join(text.split()))


def in_cell(text: str) -> str:
    """Return a text as a cell of a spreadsheet; a quotation mark keeps it from being taken for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def from_cell(cell: str) -> str:
    """Return the text of a cell that `in_cell` made."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell
