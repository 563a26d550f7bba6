"""Options that are paths: what may be read, and what may be written. Imports only click."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from aabalance.errors import UsageError

HEAD = 100_000
"""How many bytes of a file say what it is: a line on its origin, and names of columns."""


def as_path(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """Return the path of an option; an empty text would mean the current folder, and is refused.

    Parameters as for `click.Option.callback`.
    """
    if value == "":
        raise UsageError(f"{parameter.get_error_hint(ctx)}: found '', expected a path")
    return None if value is None else Path(value)


def as_output(
    ending: str = "", own: bytes = b"$"
) -> Callable[[click.Context, click.Parameter, str | None], Path | None]:
    """Return the callback of an option for a file; that it can be written is known before the work that makes it.

    It replaces one of its own, but no cards, claims, facts or accepted numbers, which are TOML and CSV.

    Parameters
    ----------
    ending : str
        What the file's name has to end in, as a picture's: another ending would promise another kind of file.
    own : bytes
        Pattern of what the files begin with that the option writes, where they are TOML or CSV.
    """

    def as_written(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
        from aabalance import files

        path = as_path(ctx, parameter, value)
        if path is None:
            return None
        kind = path.suffix.lower()
        if ending and kind != ending and (path.is_file() or not path.exists()):  # else it is a device
            hint = parameter.get_error_hint(ctx)
            raise UsageError(f"{hint}: found {value!r}, expected a name that ends in {ending}")
        if kind in (".toml", ".csv"):
            refuse_another(path, own, parameter.opts[0])
        files.probe(path)
        return path

    return as_written


as_png = as_output(".png")


def refuse_another(path: Path, own: bytes, option: str) -> None:
    """Refuse to write over a file that isn't an option's own.

    Parameters
    ----------
    path : Path
        Where the option is to write.
    own : bytes
        Pattern of what its files begin with.
    option : str
        The option, for the error text.
    """
    if not path.is_file():
        return
    head = b"?"  # so is one that can't be read
    with suppress(OSError), path.open("rb") as file:
        head = file.read(HEAD)
    if head and not re.match(own, head):
        expected = "a name that isn't taken, or a file that this option has written"
        raise UsageError(f"{option}: found {path}, another file, expected {expected}")
