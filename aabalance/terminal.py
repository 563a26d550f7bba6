"""What people see: JSON with stable bytes, tables and progress with or without a terminal, a line for an error."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from aabalance.errors import AabalanceError, CardError

MOST_FAULTS = 50
BAD, INTERNAL, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141
DEBUG = "aabalance.debug"


def print_json(value: object) -> None:
    """Print JSON in ASCII, whatever the terminal's encoding; ValueError for a NaN or an infinity, which JSON lacks."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: with rich on a terminal, else in plain columns that nothing is cut from."""
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    numbers = [all(_is_number(row[column]) for row in cells) for column in range(len(header))]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for name, number in zip(header, numbers, strict=True):
            table.add_column(name, justify="right" if number else "left")
        for row in cells:
            table.add_row(*row)
        Console(highlight=False, markup=False).print(table)
        return
    lines = [list(header), *cells]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        fields = [f"{v:>{w}}" if n else f"{v:<{w}}" for v, w, n in zip(line, widths, numbers, strict=True)]
        click.echo("  ".join(fields).rstrip())


def print_block(head: str, fields: Mapping[str, Sequence[str]]) -> None:
    """Print a line with what there is to say about it below, each field with its values one under the other."""
    click.echo(head)
    width = max(map(len, fields), default=0)
    for name, values in fields.items():
        for n, value in enumerate(values):
            click.echo(f"    {name if n == 0 else '':<{width}}  {value}")
    click.echo()


@contextmanager
def progress(total: int, label: str) -> Iterator[Callable[[int], None]]:
    """Give a function that is told of steps done; a bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=total, label=label, file=sys.stderr) as bar:
        yield bar.update


def _is_number(text: str) -> bool:
    return not text or text.removeprefix("-").replace(".", "", 1).isdecimal()


class Main(click.Group):
    """Turns what goes wrong in a command into a line and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except CardError as error:
            # Each line begins with its place, for editors to jump to.
            lines = [str(fault) for fault in error.faults]
            more = [f"... and {len(lines) - MOST_FAULTS} faults more"] if len(lines) > MOST_FAULTS else []
            self._leave(ctx, "\n".join(lines[:MOST_FAULTS] + more), BAD)
        except AabalanceError as error:
            self._leave(ctx, f"error: {error}", BAD)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            # Python flushes once more when it ends, and would complain then.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(PIPE_CLOSED)
        except Exception as error:
            said = " ".join(str(error).split()) or "no message"
            hint = "" if ctx.meta.get(DEBUG) else "; --debug shows where, please report it"
            self._leave(ctx, f"internal error: {type(error).__name__}: {said}{hint}", INTERNAL)

    def _leave(self, ctx: click.Context, message: str, code: int) -> None:
        if ctx.meta.get(DEBUG):
            traceback.print_exc()
        click.echo(message, err=True)
        ctx.exit(code)


def _set_debug(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta[DEBUG] = value or ctx.meta.get(DEBUG, False)


debug_option = click.option(
    "--debug",
    is_flag=True,
    envvar="AABALANCE_DEBUG",
    expose_value=False,
    is_eager=True,
    callback=_set_debug,
    help="Show a traceback with an error.",
)
