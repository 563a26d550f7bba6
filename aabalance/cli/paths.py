"""Options that are paths: what may be read, and what may be written. Imports only click."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from aabalance.errors import UsageError


def as_path(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """Return the path of an option; an empty text would mean the current folder, and is refused.

    Parameters as for `click.Option.callback`.
    """
    if value == "":
        raise UsageError(f"{parameter.get_error_hint(ctx)}: found '', expected a path")
    return None if value is None else Path(value)


def as_output(
    ending: str = "", mark: str | None = None
) -> Callable[[click.Context, click.Parameter, str | None], Path | None]:
    """Return the callback of an option for a file; that it can be written is known before the work that makes it.

    It replaces one of its own, but no cards, claims or facts, which are TOML and CSV.

    Parameters
    ----------
    ending : str
        What the file's name has to end in, as a picture's: another ending would promise another kind of file.
    mark : str, optional
        With what the files begin that the option writes, where they are TOML or CSV.
    """

    def as_written(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
        from aabalance import files

        path = as_path(ctx, parameter, value)
        if path is None:
            return None
        kind, own = path.suffix.lower(), False
        if ending and kind != ending and (path.is_file() or not path.exists()):  # else it is a device
            hint = parameter.get_error_hint(ctx)
            raise UsageError(f"{hint}: found {value!r}, expected a name that ends in {ending}")
        if kind in (".toml", ".csv") and path.is_file():
            with suppress(OSError), path.open("rb") as file:
                own = mark is not None and file.read(len(mark)) == mark.encode()
            if not own:
                raise UsageError(f"{parameter.opts[0]}: found {path}, which it hasn't written, expected another file")
        files.probe(path)
        return path

    return as_written


as_csv, as_png = as_output(mark="# {"), as_output(".png")
