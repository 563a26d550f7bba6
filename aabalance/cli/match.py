"""The command for a match of two lists on a board. Imports nothing but click."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aabalance.cli.options import (
    Choice,
    action_limits,
    as_path,
    check_changes,
    first_option,
    json_option,
    pairs_of,
    seed_option,
    takes_boards,
    takes_game,
)
from aabalance.cli.terminal import print_json, progress
from aabalance.errors import UsageError, counted

LISTS = 2


@click.command()
@click.argument("lists", nargs=-1, metavar="[LIST_A LIST_B]")
@click.option("--board", required=True, metavar="NAME", help="Where they play; `aabalance boards` lists the boards.")
@click.option(
    "--mission", metavar="NAME", help="How it is won, in games that have missions.  [default: the game's own]"
)
@click.option("--rounds", type=int, metavar="N", help="Limit of rounds, turns of each side.  [default: the game's own]")
@click.option("--actions", metavar="N|N,N", help="Limit of actions in a turn, if the game has one.  [default: 5]")
@first_option
@click.option("--player", metavar="NAME|NAME,NAME", help="Who plays, both sides or each.  [default: greedy]")
@click.option("--player-a", metavar="NAME", help="Who plays a; a wrong name lists the players.")
@click.option("--player-b", metavar="NAME", help="The same for b.")
@click.option("--simulate", type=int, metavar="N", help="Play N matches.  [default: 200]")
@click.option(
    "--target-error", type=float, metavar="E", help="Play until the 95% interval of P(a) is this narrow to each side."
)
@seed_option("the dice and the players")
@click.option(
    "--with",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    callback=pairs_of,
    help="What else is agreed on (budget=300), or where a unit begins (a1=3,20,N); a wrong key lists all; repeatable.",
)
@click.option(
    "--explain", is_flag=True, help="Show the first match in words, decision by decision; alone, play only it."
)
@click.option(
    "--replay", callback=as_path, metavar="FILE", help="Write the first match as a page; alone, play only it."
)
@takes_game
@takes_boards
@json_option
def match(
    choice: Choice,
    lists: tuple[str, ...],
    options: dict[str, Any],
    player: str | None,
    explain: bool,
    replay: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Play the whole game of two lists, such as "de_tiger1,de_pz4h*2" or @list.toml, on a board, many times.

    No lists are given where the board brings its units, or where units are bought in the match.
    """
    from aabalance import files
    from aabalance.play.match import MATCHES, most_matches

    if len(lists) not in (0, LISTS):
        raise UsageError(f"lists: found {len(lists)}, expected two, or none where the board brings the units")
    if clash := {"board", "seed", "advance", "list_a", "list_b", *given} & options.keys():
        raise UsageError(f"--with: found {min(clash)}, expected the option of this name")
    given["actions"] = action_limits(given["actions"])
    given |= _players(player, given.pop("player_a"), given.pop("player_b"))
    simulate, target_error = given.pop("simulate"), given["target_error"]
    if simulate is None and target_error is None:
        simulate = 1 if explain or replay else MATCHES
    if replay is not None:
        files.probe(replay)
    total = most_matches(simulate, target_error)
    game = choice.game()
    if lists:
        check_changes(game, *lists)
    with progress(total, "matches") as advance:
        a, b = lists or ((), ())
        result = game.match(a, b, simulate=simulate, **given, **options, advance=advance)
    if replay is not None:
        files.write(replay, result.replay(*choice.words()))
        click.echo(f"{replay}: {counted(len(result.played.first.steps), 'decision')}", err=as_json)
    if as_json:
        print_json({**result.to_dict(), **({"explain": result.explain()} if explain else {})})
    elif explain or replay is None:
        click.echo(result.explain() if explain else repr(result))


def _players(both: str | None, a: str | None, b: str | None) -> dict[str, str]:
    """Return the players of both sides by the names of their arguments."""
    if both is not None and (a is not None or b is not None):
        raise UsageError("--player: found it with --player-a or --player-b, expected one way to say who plays")
    named = (both or "greedy").split(",")
    if len(named) > LISTS:
        raise UsageError(f"--player: found {both!r}, expected a name, or one for each side")
    return {"player_a": a or named[0].strip(), "player_b": b or named[-1].strip()}
