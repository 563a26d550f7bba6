"""The commands for matches: of two lists on a board, in tables, and the players' ladder. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.paths import as_output, as_path, as_png, refuse_another
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.analysis.by_player import ByPlayer
    from aabalance.game import Game
    from aabalance.play.match import MatchResult

LISTS = 2
NAMES = "matches", "match_leads", "match_units", "match_actions"
"""Names of the tables of `matches`."""


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
    options.check_changes_of_match(game, lists, given["board"])
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
        files.write(replay, result.replay())
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
    from aabalance.play.result import in_row, three_digits

    points = "" if math.isnan(row["loss_points"]) else in_row(row, "loss_points", three_digits)
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
    if of := definition.matches:
        lists = of.lists.values() or [units for pair in of.pairs or () for units in pair]
        options.check_changes_of_match(game, lists, *of.boards)
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
    from aabalance.analysis.ladder import standard
    from aabalance.engine.match.players import PLAYERS

    if len(lists) not in (0, 2) or (lists and board is None):
        without = " without --board" * (board is None)
        raise UsageError(f"lists: found {len(lists)}{without}, expected two with --board, or none")
    options.check_agreed(agreed, ("players", "first"))
    names = list(PLAYERS) if player is None else [name.strip() for name in player.split(",")]
    game = choice.game()
    where, own = (board, lists) if board and lists else standard(game, board)
    options.check_changes_of_match(game, own, where)
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
