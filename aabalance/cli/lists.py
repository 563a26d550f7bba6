"""The commands for lists under a budget, and their meta-game. Imports nothing but click."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from aabalance.cli import options
from aabalance.cli.paths import as_output, as_path, as_png
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress, say
from aabalance.errors import UsageError

if TYPE_CHECKING:
    from aabalance.game import Game
    from aabalance.lists.metagame import Metagame
    from aabalance.lists.verdicts import Compared, Judged

    Allowed = Callable[[Game], dict[str, Any]]

BATTLES, METAGAME_BATTLES = 1_000_000, 20_000_000
SHOWN = 25


@click.group("list")
def lists() -> None:
    """Find the best list for a budget, or judge, compare or draw lists."""


takes_turns = options.gives(
    options.number_option("--actions", "Action limit per turn.", 4),
    click.option("--policy", default="value", show_default=True, metavar="value|focus", help="Who acts on whom."),
)
"""Gives a command the options that say what a side does in its turn."""


takes_fights = options.gives(
    takes_turns,
    click.option("--field", callback=as_path, metavar="FILE", help="Opponents, and their weights.  [default: stated]"),
    options.seed_option("the dice"),
)
"""Gives a command the options that say how lists fight, and against whom."""


takes_judgement = options.gives(
    click.option("--counter", metavar="LIST", help="The only opponent, instead of a field."),
    click.option("--board", metavar="NAME", help="Also play matches on this board, against the same opponents."),
    click.option("--out", callback=as_png, metavar="FILE", help="Draw a PNG of what each unit adds."),
)
"""Gives a command the options that say whom a list meets in place of a field, where too, and where that is drawn."""


takes_points = options.number_option("--points", "The budget.", 300)


def takes_allowance(command: options.Command) -> options.Command:
    """Give a command the options that say which lists are legal besides the budget; `allowed` gives them by game."""

    @wraps(command)
    def with_allowance(
        nation: str | None, own: Path | None, must: tuple[str, ...], limits: Path | None, **kwargs: Any
    ) -> None:
        def allowed(game: Game) -> dict[str, Any]:
            from aabalance.definitions.collections import Limits, Own, read_for

            roster = game.ruleset, game.cards
            return {
                "own": None if own is None else read_for(*roster, Own, own).root,
                "limits": None if limits is None else read_for(*roster, Limits, limits),
                "must": must,
                "nation": nation,
            }

        command(allowed=allowed, **kwargs)

    decorated = options.gives(
        click.option("--nation", metavar="NAME", help="Only units of this nation."),
        click.option("--own", callback=as_path, metavar="FILE", help="Units that you own: id = number."),
        click.option("--must", multiple=True, metavar="ID", help="A unit that the list must have; repeatable."),
        click.option(
            "--limits", callback=as_path, metavar="FILE", help="Limits on copies, and on points by class or nation."
        ),
    )
    return decorated(with_allowance)


def _battles_option(default: int, of: str) -> Callable[[options.Command], options.Command]:
    told = f"About how many battles {of} takes; scoring the lists found takes more."
    return options.number_option("--battles", told, default)


@lists.command()
@takes_points
@takes_allowance
@takes_fights
@_battles_option(BATTLES, "the search")
@takes_judgement
@options.takes_game
@options.takes_boards
@options.json_option
def best(
    choice: options.Choice,
    points: int,
    allowed: Allowed,
    battles: int,
    out: Path | None,
    as_json: bool,
    **fights: Any,
) -> None:
    """Find the best lists for a budget. It also says what each unit adds, and what beats the best list."""
    from aabalance.lists.advice import best_lists

    game = choice.game()
    with progress(battles, "battles") as advance:
        found = best_lists(game, points, battles=battles, say=say, advance=advance, **allowed(game), **fights)
    if as_json:
        print_json([one.to_dict() for one in found])
    else:
        _print(game, found[0])
        _print_found(found)
    _draw(found[0], out)


def _print_found(found: Sequence[Judged]) -> None:
    """Print a row for each list that a search has found."""
    from aabalance.play.result import percent

    rows = [
        (
            percent(one.score.score),
            _between(one.score.low, one.score.high),
            *([percent(one.on_board.score), _between(one.on_board.low, one.on_board.high)] if one.on_board else ()),
            one.payoffs.text(one.units),
        )
        for one in found
    ]
    played = [f"on {found[0].on_board.board}", "95 % interval"] if found[0].on_board else []
    click.echo("\nIn the order of the search; the scores come from fresh dice.")
    print_table(("score", "95 % interval", *played, "list"), rows)


@lists.command()
@click.argument("units", metavar="LIST")
@options.number_option("--points", "The budget that the list was made for.  [default: what it costs]")
@takes_allowance
@takes_fights
@takes_judgement
@options.takes_game
@options.takes_boards
@options.json_option
def judge(
    choice: options.Choice,
    units: str,
    points: int | None,
    allowed: Allowed,
    out: Path | None,
    as_json: bool,
    **fights: Any,
) -> None:
    """Judge a list against a field. It names weak points, what each unit adds and the best swap."""
    from aabalance.lists.advice import judge_list

    game = choice.game()
    judged = judge_list(game, units, points, say=say, **allowed(game), **fights)
    _print(game, judged, as_json)
    _draw(judged, out)


@lists.command()
@click.argument("a", metavar="LIST")
@click.argument("b", metavar="LIST")
@takes_fights
@options.takes_game
@options.json_option
def compare(choice: options.Choice, a: str, b: str, as_json: bool, **fights: Any) -> None:
    """Compare two lists: who wins, and what moving first is worth. Each also meets a field of other lists."""
    from aabalance.lists.advice import compare_lists

    game = choice.game()
    compared = compare_lists(game, a, b, say=say, **fights)
    _print(game, compared, as_json)


@lists.command("random")
@takes_points
@takes_allowance
@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True, metavar="N", help="How many.")
@options.seed_option("the draw")
@options.takes_game
@options.json_option
def random_(
    choice: options.Choice,
    points: int,
    allowed: Allowed,
    number: int,
    seed: int,
    as_json: bool,
) -> None:
    """Draw random legal lists, each filled until nothing more fits."""
    from aabalance.lists.advice import random_lists

    game = choice.game()
    found = random_lists(game, points, number, seed=seed, **allowed(game))
    if as_json:
        print_json({"lists": found, "seed": seed, "provenance": game.provenance().said()})
        return
    print_unusual(game)
    for text in found:
        click.echo(text)


def _draw(judged: Judged, out: Path | None) -> None:
    """Draw what each unit of a list adds."""
    if out is None:
        return
    from aabalance import files
    from aabalance.report.plots import canvas
    from aabalance.report.plots.rows import list_units, size_of_units

    table = judged.by_unit()
    files.write(out, canvas.png(canvas.whole(list_units(table, canvas.axes(size_of_units(table))))))


def _between(low: float, high: float) -> str:
    from aabalance.play.result import bare_percent

    return f"{bare_percent(low)} to {bare_percent(high)}"


def _print(game: Game, result: Judged | Compared, as_json: bool = False) -> None:
    if as_json:
        print_json(result.to_dict())
        return
    print_unusual(game)
    for sentence in result.sentences():
        click.echo(sentence)


@click.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@takes_points
@takes_allowance
@takes_turns
@_battles_option(METAGAME_BATTLES, "each combination (all its searches)")
@click.option(
    "--out",
    callback=as_output(own=b'title = "Equilibrium mix'),
    metavar="FILE",
    help="Write the mix as a field for --field.",
)
@options.seed_option("the dice")
@options.takes_game
@options.json_option
def metagame(
    choice: options.Choice,
    spec: str | None,
    allowed: Allowed,
    out: Path | None,
    seed: int,
    as_json: bool,
    **fights: Any,
) -> None:
    """Find the mix of lists that is hardest to exploit. It names kinds of lists and units, and says how sure that is.

    SPEC is a report definition. Its [metagame] sets the conditions; options replace them. A stopped search starts
    again from the beginning.
    """
    from aabalance import files
    from aabalance.definitions.collections import Metagame as Table
    from aabalance.lists.variations import defined

    definition, game = choice.definition(spec)
    source = click.get_current_context().get_parameter_source
    given = {name: value for name, value in fights.items() if source(name) is not ParameterSource.DEFAULT}
    given |= {name: value for name, value in allowed(game).items() if value is not None and value != ()}
    table = (definition.metagame or Table()).changed(**given)
    searches = len(table.searches())
    if out is not None and searches > 1:
        raise UsageError(f"--out: found {searches} searches, expected one: a file has the lists of one")
    with progress(searches * table.battles, "battles") as advance:
        found = defined(game, definition, table, seed, advance)
    if as_json:
        print_json(found[0].to_dict() if searches == 1 else [one.to_dict() for one in found])
    else:
        print_unusual(game)
        if searches == 1:
            _print_metagame(found[0])
        else:
            _print_metagames(found)
    if out is not None:
        files.write(out, found[0].toml(*_given(choice)))


def _print_metagames(found: Sequence[Metagame]) -> None:
    """Print a row for each of several meta-games."""
    from aabalance.lists.metagame import CAVEAT

    rows = []
    for one in found:
        of = one.payoffs
        shares = (f"{100 * share:.0f} [{100 * low:.0f}, {100 * high:.0f}]" for share, low, high in one.classes.values())
        conditions = one.points, of.actions, of.policy, of.where or "all"
        rows.append((*conditions, one.exploitable_by, *shares, one.archetypes[0].name))
    shares_of = (f"% {name.replace('_', ' ')}" for name in found[0].classes)
    print_table(("points", "actions", "policy", "distance", "exploitable by", *shares_of, "most weight"), rows)
    click.echo()
    bound = "what the best of the fresh searches exploits is a lower bound"
    bound += ", but for rows whose lists were all tried" * any(one.every for one in found)
    click.echo(f"Each row has a search of its own; {bound}.")
    click.echo(CAVEAT)


def _given(choice: options.Choice) -> Iterator[str]:
    """Yield the words of a command that its result doesn't know."""
    from aabalance.cards.literals import as_option

    params = click.get_current_context().params
    if params["spec"] is not None:
        yield params["spec"]
    yield from choice.words()
    given = {
        "--variant": (*choice.presets, *(as_option(name, value) for name, value in choice.variant.items())),
        "--must": params["must"],
        **{f"--{name}": [params[name]] for name in ("nation", "own", "limits") if params[name] is not None},
    }
    yield from (str(word) for option, values in given.items() for value in values for word in (option, value))


def _print_metagame(found: Metagame) -> None:
    from aabalance.play.result import percent

    kinds = [
        (
            f"{100 * one.share:.0f} %",
            f"{100 * one.low:.0f} to {100 * one.high:.0f}",
            one.name,
            found.payoffs.text(one.example),
        )
        for one in found.archetypes
    ]
    print_table(("share", "95 % interval", "kind of list", "for example"), kinds)
    click.echo()
    units = [
        (
            percent(row["share"]),
            _between(row["low"], row["high"]),
            percent(row["in_lists"]),
            _between(row["in_lists_low"], row["in_lists_high"]),
            row["name"],
        )
        for row in found.units[:SHOWN]
    ]
    print_table(("of requisition", "95 % interval", "in lists", "95 % interval", "unit"), units)
    click.echo()
    for sentence in found.sentences():
        click.echo(sentence)
