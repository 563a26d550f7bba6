"""The command for boards. Importing this module imports nothing but click."""

from __future__ import annotations

from pathlib import Path

import click

from aabalance.cli.options import CARDS, NAME, Choice, as_path, json_option, takes, takes_boards
from aabalance.cli.terminal import print_json, print_table
from aabalance.errors import UsageError, counted


@click.command()
@click.argument("name", required=False, metavar="[NAME | check]")
@click.option("--svg", callback=as_path, metavar="FILE", help="Draw the board into a file.")
@takes(NAME, CARDS)
@takes_boards
@json_option
def boards(choice: Choice, name: str | None, svg: Path | None, as_json: bool) -> None:
    """List the boards of a game, show or draw one, or check them all."""
    from aabalance import files

    known = choice.game().boards
    if svg is not None and (as_json or name in (None, "check")):
        raise UsageError("--svg: found without the name of a board, or with --json, expected a board to draw")
    if name == "check":
        known.check()
        click.echo(f"{counted(len(known), 'board')} {'is' if len(known) == 1 else 'are'} fine")
    elif name is None:
        if as_json:
            print_json([board.to_dict() for board in known.values()])
            return
        columns = dict.fromkeys(name for board in known.values() for name in board.summary)
        rows = [(key, board.name, *map(board.summary.get, columns)) for key, board in known.items()]
        print_table(("board", "name", *columns), rows)
    elif svg is not None:
        files.write(svg, known[name]._repr_svg_())
        click.echo(f"{svg}: {known[name].name}")
    elif as_json:
        print_json(known[name].to_dict())
    else:
        click.echo(str(known[name]))
