"""The command for a match of two lists on a board. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.paths import as_output
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    from aabalance.analysis.by_player import ByPlayer
    from aabalance.game import Game
    from aabalance.play.match import MatchResult

LISTS = 2


@click.command()
@click.argument("lists", nargs=-1, metavar="[LIST_A LIST_B]")
@click.option("--board", required=True, metavar="NAME", help="Board to play on; `aabalance boards` lists them.")
@click.option("--mission", metavar="NAME", help="Mission, in games that have missions.  [default: the game's own]")
@options.number_option("--rounds", "Limit of rounds (turns of each side).  [default: the game's own]")
@click.option("--actions", metavar="N|N,N", help="Action limit per turn, if the game has one.  [default: 5]")
@options.first_option
@click.option(
    "--player",
    metavar="NAME[,NAME]...",
    help="Player for both sides; several play one after another.  [default: greedy; with --without-a greedy,search]",
)
@click.option("--player-a", metavar="NAME", help="Player for a; a wrong name lists the players.")
@click.option("--player-b", metavar="NAME", help="The same for b.")
@options.number_option("--simulate", "Play N matches.  [default: 200]")
@options.error_option(
    "Play 200 matches or more, until P(a) has a 95% interval of half-width E at most; not with --simulate."
)
@options.seed_option("the dice and the players")
@options.with_option(
    "agreed",
    "Other terms of the match (budget=300), or where a unit begins (a1=3,20; in Armored Advance a1=3,20,N); a wrong "
    "key lists all keys",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Show the first match in words, decision by decision; play only that one unless --simulate, --target-error "
    "or --luck is given.",
)
@click.option(
    "--replay",
    callback=as_output(),
    metavar="FILE",
    help="Write the first match as a page; play only that one unless --simulate, --target-error or --luck is given.",
)
@click.option(
    "--luck", is_flag=True, help="Say what side a scores without the luck of the dice; this narrows the interval."
)
@click.option(
    "--without-a",
    metavar="KIND[,KIND]...|all",
    help="Say what a kind of action, `objectives` or a weapon is worth to side a, in score and points, from matches "
    "without it; not with --luck.",
)
@options.takes_game
@options.takes_boards
@options.json_option
def match(
    choice: options.Choice,
    lists: tuple[str, ...],
    agreed: dict[str, Any],
    player: str | None,
    explain: bool,
    replay: Path | None,
    luck: bool,
    without_a: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Play the whole game of two lists on a board, many times. Write a list as "de_tiger1,de_pz4h*2" or @list.toml.

    Give no lists if the board brings its units, or if units are bought in the match.
    """
    from aabalance import files
    from aabalance.analysis.by_player import by_player
    from aabalance.play.match import MATCHES, most_matches

    if len(lists) not in (0, LISTS):
        some_bring = any(board.table.get("units") for board in choice.game().boards.values())
        none = ", or none where the board brings the units" * some_bring
        raise UsageError(f"lists: found {len(lists)}, expected two{none}")
    options.check_agreed(agreed, given)
    given["actions"] = options.action_limits(given["actions"])
    usual = "greedy,search" if without_a else "greedy"
    named = [name.strip() for name in (usual if player is None else player).split(",")]
    seats = {"player_a": given.pop("player_a"), "player_b": given.pop("player_b")}
    apart = any(name is not None for name in seats.values())
    if player is not None and apart:
        raise UsageError("--player: found it with --player-a or --player-b, expected one way to say who plays")
    seats = {seat: named[0] if name is None else name for seat, name in seats.items()}
    simulate, target_error = given.pop("simulate"), given["target_error"]
    one_alone = (explain or replay is not None) and not luck and simulate is None and target_error is None
    if simulate is None and target_error is None:
        simulate = 1 if one_alone else MATCHES
    game = choice.game()
    rules = game.ruleset.match()
    if choice.changes and not (rules and rules.whole_roster):  # else any unit may be bought in play
        brought = [one["type"] for one in game.boards[given["board"]].table.get("units", ())]
        if lists or brought:
            options.check_changes(game, *(lists or [brought]))
    a, b = lists or ((), ())
    asked = {**given, **agreed, "simulate": simulate}
    total = most_matches(simulate, target_error)
    if without_a is not None:
        others = {
            "--explain": explain,
            "--replay": replay is not None,
            "--luck": luck,
            "--target-error": target_error is not None,
            "--player-a or --player-b": apart,
        }
        if found := [name for name, given_too in others.items() if given_too]:
            raise UsageError(f"--without-a: found it with {found[0]}, expected it with --player and --simulate alone")
        del asked["target_error"]
        _print_without(game, without_a, {**asked, "list_a": a, "list_b": b, "players": named}, as_json)
        return
    if len(named) > 1:
        if explain or replay or luck:
            raise UsageError(f"--player: found {player!r} with --explain, --replay or --luck, expected one player")
        with progress(total * len(named), "matches") as advance:
            _print_by_player(game, by_player(game, named, a, b, **asked, advance=advance), as_json)
        return
    with progress(total, "matches") as advance:
        result = game.match(a, b, **asked, **seats, advance=advance)
    if replay is not None:
        files.write(replay, result.replay(*choice.words()))
        click.echo(f"{replay}: {counted(len(result.played.first.steps), 'decision')}", err=as_json)
    _print_result(result, as_json, explain, not one_alone, luck)


def _print_result(result: MatchResult, as_json: bool, explain: bool, shown: bool, luck: bool) -> None:
    """Print what matches came to, or the first of them in words, and the score without luck."""
    said: dict[str, Any] = {"explain": result.explain()} if explain else {}
    if luck:
        from aabalance.analysis.luck import without_luck

        less = without_luck(result)
        said["without_luck"] = {**less._asdict(), "sentence": less.sentence()}
    if as_json:
        print_json({**result.to_dict(), **said})
        return
    if explain:
        click.echo(said["explain"])
    if shown:
        click.echo(repr(result))
    if luck:
        click.echo(said["without_luck"]["sentence"])


def _print_without(game: Game, kinds: str, asked: dict[str, Any], as_json: bool) -> None:
    """Print what kinds of actions are worth."""
    from aabalance.analysis.without import ALL, without

    named, rules = [kind.strip() for kind in kinds.split(",")], game.ruleset.match()
    runs = len(rules.kinds if rules and named == [ALL] else named) + 1 + bool(asked["list_a"])
    with progress(asked["simulate"] * len(asked["players"]) * runs, "matches") as advance:
        found = without(game, named, **asked, advance=advance)
    if as_json:
        provenance = game.provenance().said()
        print_json({"without": found.table, "sentences": found.sentences(), "provenance": provenance})
    else:
        print_unusual(game)
        click.echo("\n".join(found.sentences()))
        head = "without", "player", "score_a", "loss", f"in {found.currency}", "verdict", "stable"
        print_table(head, [_without_cells(row) for row in found.table.to_dict("records")])


def _without_cells(row: Mapping[Any, Any]) -> list[object]:
    from aabalance.play.result import in_row

    points = "" if math.isnan(row["loss_points"]) else in_row(row, "loss_points", "{:.3g}".format)
    lost, stable = in_row(row, "loss", "{:+z.3f}".format), "yes" if row["stable"] else ""
    return [row["without"], row["player"], f"{row['score_a']:.3f}", lost, points, row["verdict"], stable]


def _print_by_player(game: Game, played: ByPlayer, as_json: bool) -> None:
    """Print what matches came to by each player, and whether it depends on him."""
    from aabalance.play.result import chance, with_interval

    if as_json:
        print_json({"players": [one.to_dict() for one in played.results], "sentence": played.sentence()})
        return
    click.echo("\n".join(f"{name}: {value}" for name, value in played.results[0]._lines()[:2]))
    print_unusual(game)
    gap, turns = "{:+z.4f}".format, "{:.1f}".format
    rows = [
        (
            row["player"],
            *(with_interval(chance(row[name]), row[f"{name}_ci"]) for name in ("p_a", "p_b", "p_draw")),
            with_interval(chance(row["score_a"]), row["score_a_ci"]),
            ""
            if row["first_turn_gap"] is None
            else with_interval(gap(row["first_turn_gap"]), row["first_turn_gap_ci"], gap),
            with_interval(turns(row["player_turns"]), row["player_turns_ci"], turns),
            row["trials"],
        )
        for row in played.rows()
    ]
    print_table(("player", "p_a", "p_b", "p_draw", "score_a", "first_turn_gap", "player_turns", "trials"), rows)
    click.echo(played.sentence())
