"""The commands for tables of matches, and for the ladder of players. Imports nothing but click."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.paths import as_path, as_png, refuse_another
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

NAMES = "matches", "match_leads", "match_units", "match_actions"
"""Names of the tables of `matches`."""


@click.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--out",
    callback=as_path,
    metavar="DIR",
    help="Write or replace tables as CSV, and plots of how long games last, in this folder.",
)
@takes_sweep
@options.takes_game
@options.takes_boards
@options.json_option
def matches(choice: options.Choice, spec: str | None, out: Path | None, as_json: bool) -> None:
    """Play the matches of a report: who wins on which board. It also says what the first turn and zones are worth.

    SPEC is a report definition with [matches]. The default is the game's own; if that has no [matches], 200 matches
    on the board of its ladder, with the lists of its ladder.

    Finished rows are kept, so that a stopped command continues where it was.
    """
    from aabalance import files
    from aabalance.analysis.ladder import headline
    from aabalance.analysis.matches import count, defined, match_boards
    from aabalance.report import tables
    from aabalance.report.pictures import game_lengths

    definition, game = choice.definition(spec)
    if spec is None:
        definition = headline(game, definition)
    own = [] if out is None else [out / f"{name}.csv" for name in NAMES]
    files.probe_all(own)
    for path in own:
        refuse_another(path, rb"# \{", "--out")
    with progress(count(definition), "rows") as advance:
        found = defined(game, definition, advance)
    frames = dict(zip(NAMES, (found.matches, found.leads, found.units, found.actions), strict=True))
    if out is not None:
        head = tables.by_dice(tables.provenance(game, definition.name))
        written: dict[Path, str | bytes] = {
            out / f"{name}.csv": tables.csv(frame, head) for name, frame in frames.items()
        }
        drawn = game_lengths(match_boards(found.matches))
        written |= {out / name: png for name, (_, png) in drawn.items()}
        files.probe_all(written)
        files.write_all(written)
    if as_json:
        print_json({**frames, "provenance": game.provenance().said()})
        return
    print_unusual(game)
    click.echo(repr(found))
    print_table(*_cells(found.matches))


def _cells(table: pd.DataFrame) -> tuple[list[str], list[list[object]]]:
    """Return the headings and the rows that a person reads: intervals behind what has one."""
    from aabalance.analysis.matches import KEY, WITHOUT_LUCK
    from aabalance.play.result import in_row

    head = [name for name in KEY if name in table and (not name.startswith("player") or table[name].nunique() > 1)]
    told = ["p_a", "p_draw", "first_turn_gap", *([WITHOUT_LUCK] if WITHOUT_LUCK in table else [])]
    rows: list[list[object]] = []
    for row in table.to_dict("records"):
        keys = [f"{row[name]:g}" if isinstance(row[name], float) else row[name] for name in head]
        cells = [in_row(row, name, "{:.3f}".format) for name in told]
        rows.append([*keys, *cells, row["n"]])
    return [*head, *told, "n"], rows


@click.command()
@click.argument("lists", nargs=-1, metavar="[LIST_A LIST_B]")
@click.option(
    "--board",
    metavar="NAME",
    help="Board to play on; without lists, with those of the game's ladder.  [default: its own board]",
)
@click.option("--player", metavar="NAME,NAME...", help="Players.  [default: all but exact]")
@options.number_option("--simulate", "Matches of each pair, in each seat.", 50)
@options.seed_option("the dice and the players")
@options.with_option(
    "agreed", "A term of the matches: mission=domination, rounds=6, actions=4, or a key of `match --with`"
)
@click.option("--out", callback=as_png, metavar="FILE", help="Draw the ladder to a PNG.")
@options.takes_game
@options.takes_boards
@options.json_option
def ladder(
    choice: options.Choice,
    lists: tuple[str, ...],
    board: str | None,
    player: str | None,
    simulate: int,
    seed: int,
    agreed: dict[str, Any],
    out: Path | None,
    as_json: bool,
) -> None:
    """Rate players of matches: each plays every other, in both seats."""
    from aabalance import files
    from aabalance.analysis.ladder import ladder as climb
    from aabalance.engine.match.players import PLAYERS

    if len(lists) not in (0, 2) or (lists and board is None):
        raise UsageError("lists: expected two with --board, or none")
    options.check_agreed(agreed, ("players", "first"))
    names = list(PLAYERS) if player is None else [name.strip() for name in player.split(",")]
    game = choice.game()
    a, b = lists or (None, None)
    with progress(simulate * len(names) * (len(names) - 1), "matches") as advance:
        found = climb(game, names, a, b, board=board, simulate=simulate, seed=seed, advance=advance, **agreed)
    if as_json:
        print_json({**found.to_dict(), "seed": seed, "provenance": game.provenance().said()})
    else:
        print_unusual(game)
        click.echo("\n".join(found.sentences()))
        print_table(*found.cells())
    if out is not None:  # last, since a ladder that can't be drawn would have to be played again
        from aabalance.report.plots import canvas, heatmap

        files.write(out, canvas.png(canvas.whole(heatmap.ladder(found.scores, canvas.axes(heatmap.LADDER)))))
