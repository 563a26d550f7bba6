"""The command for logs of games at a table. Importing this module imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from aabalance.cli import options
from aabalance.cli.board_worth import with_interval
from aabalance.cli.paths import as_path
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError

HEAD = "unit", "costs", "games", "before, 90 %", "after, 90 %", "games needed"


@click.command()
@click.argument("log", metavar="GAMES.csv", callback=as_path)
@click.option("--template", is_flag=True, help="Write GAMES.csv as a log to fill in.")
@click.option("--board", metavar="NAME", help="Board of the games that name none.  [default: the first board]")
@click.option(
    "--player", default="greedy", show_default=True, metavar="NAME", help="Player in the matches that predict."
)
@options.number_option("--simulate", "Matches that predict each game.", 400)
@options.number_option(
    "--matches",
    "Most matches on each board, in each mission, that estimate what units are worth before your games; fewer if "
    "that is sure sooner.",
    3000,
)
@options.seed_option("lists, dice and players")
@takes_sweep
@options.takes_game
@options.takes_boards
@options.json_option
def playtest(
    choice: options.Choice,
    log: Path,
    template: bool,
    board: str | None,
    player: str,
    simulate: int,
    matches: int,
    seed: int,
    as_json: bool,
) -> None:
    """Compare your own games with predictions, and say who was lucky."""
    from aabalance import files
    from aabalance.definitions.games import read_log
    from aabalance.pricing import playtest as room

    game = choice.game()
    if template:
        if log.exists():
            raise UsageError(f"--template: found {log}, expected a file that isn't there yet")
        files.write(log, room.example(game, board))
        click.echo(f"{log}: a log to fill in", err=True)
        return
    given: dict[str, Any] = {"board": board, "player": player, "simulate": simulate, "matches": matches, "seed": seed}
    rows = read_log(log).values()
    total = simulate * len(rows) + matches * len({(row.board or board, row.mission) for row in rows})
    with progress(total, "matches, at most") as advance:
        found = room.playtest(game, log, advance=advance, **given)
    if as_json:
        tables = {name: getattr(found, name) for name in ("games", "sides", "units")}
        print_json({**tables, "sentences": found.sentences(), "provenance": found.units.attrs})
        return
    print_unusual(game)
    click.echo("Worth on the board, before these games (by simulated matches alone) and after them:")
    many = f">{room.NUMBERS[-1]:,.0f}" if len(found.units) > 1 else "–"  # one unit alone is compared with none
    print_table(HEAD, [_cells(row, many) for row in found.units.to_dict("records")])
    click.echo(repr(found))


def _cells(row: Mapping[Any, Any], many: str) -> list[object]:
    needed = row["games_needed"]
    ends = [
        "–" if math.isnan(row[name]) else "{} ({})".format(*with_interval(row, name)) for name in ("prior", "worth")
    ]
    return [
        row["unit"],
        f"{row['requisition']:g}",
        row["games"],
        *ends,
        f"{float(f'{needed:.2g}'):,.0f}" if math.isfinite(needed) else many,
    ]
