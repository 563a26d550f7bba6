"""The command for the ladder of players. Imports nothing but click."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aabalance.cli.options import Choice, as_path, json_option, pairs_of, seed_option, takes_boards, takes_game
from aabalance.cli.terminal import print_json, print_table, progress


@click.command()
@click.argument("lists", nargs=-1, metavar="[LIST_A LIST_B]")
@click.option("--board", metavar="NAME", help="Where they play.  [default: the game's own, with its lists]")
@click.option("--player", default="random,greedy,search", show_default=True, metavar="NAME,NAME...", help="Who plays.")
@click.option("--simulate", type=int, default=50, show_default=True, metavar="N", help="Matches in each seat.")
@seed_option("the dice and the players")
@click.option("--with", "options", multiple=True, metavar="KEY=VALUE", callback=pairs_of, help="As for `match`.")
@click.option("--out", callback=as_path, metavar="FILE", help="Draw the ladder into a PNG.")
@takes_game
@takes_boards
@json_option
def ladder(
    choice: Choice,
    lists: tuple[str, ...],
    board: str | None,
    player: str,
    simulate: int,
    seed: int,
    options: dict[str, Any],
    out: Path | None,
    as_json: bool,
) -> None:
    """Rate the players of matches: all play each other, in both seats."""
    from aabalance import files
    from aabalance.analysis.ladder import ladder as climb
    from aabalance.errors import UsageError

    if len(lists) not in (0, 2) or (lists and board is None):
        raise UsageError("lists: expected two with --board, or none")
    names = [name.strip() for name in player.split(",")]
    a, b = lists or (None, None)
    with progress(simulate * len(names) * (len(names) - 1), "matches") as advance:
        found = climb(choice.game(), names, a, b, board=board, simulate=simulate, seed=seed, advance=advance, **options)
    if out is not None:
        from aabalance.report.plots import canvas
        from aabalance.report.plots.ladder import SIZE
        from aabalance.report.plots.ladder import ladder as drawn

        files.write(out, canvas.png(canvas.whole(drawn(found.scores, canvas.axes(SIZE)))))
    if as_json:
        print_json(found.to_dict())
        return
    click.echo("\n".join(found.sentences()))
    print_table(*found.cells())
