"""The command for boards. Importing this module imports nothing but click."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from aabalance.cli import options
from aabalance.cli.paths import as_output
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import AabalanceError, UsageError, counted

if TYPE_CHECKING:
    from aabalance.game import Game

TARGET = 0.02
OF_FAIR = {
    "--with": "agreed",
    "--target-error": "target_error",
    "--seed": "seed",
    "--workers": "workers",
    "--scheduler": "scheduler",
    "--no-cache": "no_cache",
}
"""Options that only --fair obeys, with their parameters."""


def _refuse_term(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise UsageError(f"{parameter.opts[0]}: found an option of match, expected --with {parameter.name}={value}")


@click.command()
@click.option("--mission", hidden=True, expose_value=False, callback=_refuse_term)
@click.option("--rounds", hidden=True, expose_value=False, callback=_refuse_term)
@click.option("--actions", hidden=True, expose_value=False, callback=_refuse_term)
@click.argument("name", required=False, metavar="[NAME | check]")
@click.option("--svg", callback=as_output(".svg"), metavar="FILE", help="Draw the board to a file.")
@click.option(
    "--fair", is_flag=True, help="Play equal lists on the board, and say what its first turn and zones are worth."
)
@options.error_option("With --fair: play until the half-width of a score's 95% interval is at most E.  [default: 0.02]")
@options.with_option(
    "agreed", "With --fair: a term of the matches: mission=domination, rounds=6, actions=4, or a key of `match --with`"
)
@options.seed_option("the lists and the dice of --fair")
@takes_sweep
@options.takes_game
@options.takes_boards
@options.json_option
def boards(
    choice: options.Choice,
    name: str | None,
    svg: Path | None,
    fair: bool,
    target_error: float | None,
    seed: int,
    agreed: dict[str, Any],
    as_json: bool,
) -> None:
    """List, show, draw or check boards, or say whether one is fair.

    With --fair, --svg FILE draws where winners stood more often than losers. Two more files, with _fired and _fell in
    their names, draw where they fired and fell more often.
    """
    from aabalance import files

    game = choice.game()
    known = game.boards
    for option, given in OF_FAIR.items():
        if not fair and click.get_current_context().get_parameter_source(given) is not ParameterSource.DEFAULT:
            raise UsageError(f"{option}: found without --fair, expected both")
    if fair:
        if name in (None, "check"):
            raise UsageError("--fair: found without the name of a board, expected one")
        from aabalance.analysis.fairness import BATCH, fairness

        options.check_agreed(agreed, ("target_error",))
        options.check_changes_of_match(game, (), name)
        with progress(BATCH, "lists, at least") as advance:
            wanted = TARGET if target_error is None else target_error
            found = fairness(game, name, target_error=wanted, seed=seed, advance=advance, **agreed)
        if as_json:
            print_json({**found.to_dict(), "provenance": game.provenance().said()})
        else:
            print_unusual(game)
            click.echo("\n".join(found.sentences()))
        if svg is not None:
            drawings = {
                svg if what == "stood" else svg.with_stem(f"{svg.stem}_{what}"): found.svg(what)
                for what in (found.decided if svg.suffix else ("stood",))  # /dev/stdout takes one drawing
            }
            files.write_all(drawings)
            click.echo(f"drawn: {', '.join(map(str, drawings))}", err=True)
        return
    if svg is not None and (as_json or name in (None, "check")):
        raise UsageError("--svg: found without the name of a board, or with --json, expected a board to draw")
    if name == "check":
        _check(game, as_json=as_json)
    elif name is None:
        if as_json:
            print_json([board.to_dict() for board in known.values()])
            return
        columns = dict.fromkeys(name for board in known.values() for name in board.summary)
        rows = [(key, board.name, *map(board.summary.get, columns)) for key, board in known.items()]
        print_table(("board", "name", *columns), rows)
    elif svg is not None:
        files.write(svg, known[name]._repr_svg_())
        click.echo(f"{svg}: {known[name].name}", err=True)
    elif as_json:
        print_json(known[name].to_dict())
    else:
        click.echo(str(known[name]))


def _check(game: Game, *, as_json: bool) -> None:
    known = game.boards
    known.check()
    whys = {key: _why_no_match(game, key) for key in known}
    scenarios = {key for key, board in known.items() if board.table.get("units")}
    known.refuse({key: whys.pop(key) for key in scenarios if whys[key]})
    if as_json:
        print_json({"fine": list(known)})
        return
    click.echo(f"{counted(len(known), 'board')} {'is' if len(known) == 1 else 'are'} fine")
    for key in filter(whys.get, whys):
        click.echo(f"{key}: no match of a unit against itself can begin on it: {whys[key]}")


def _why_no_match(game: Game, board: str) -> str:
    """Return why no match of a board's own units, or else of any unit against itself, can begin on it."""
    why = ""
    for units in [()] if game.boards[board].table.get("units") else zip(game.cards):
        try:
            game.match_question(units, units, board=board).agreed()
        except AabalanceError as error:
            why = why or str(error)
        else:
            return ""
    return why
