"""The command for what units are worth, and why, in plain words. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.board_worth import WITH_BOARD, WITHOUT_BOARD, refuse_options, show, takes_board_matches
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_unusual
from aabalance.errors import UsageError, counted, listed, whole_number

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.game import Game
    from aabalance.pricing.worth_report import WorthReport

Rows = Sequence[Mapping[Any, Any]]
Lines = Iterator[tuple[str, ...]]
"""Rows of a table: what it is, then a value for each column; an empty row ends a table."""
BETWEEN = "  "
NONE = "–"
"""Where there is no number."""


@click.command()
@click.argument("units", nargs=-1, metavar="[ID...]")
@click.option("--all", "everybody", is_flag=True, help="The whole roster instead of units; only with --board.")
@takes_board_matches
@click.option("--seed", type=int, metavar="S", help="With --board: seed for lists, dice and players.  [default: 0]")
@click.option(
    "--against",
    multiple=True,
    metavar="FIELD=VALUE",
    callback=options.pairs_of,
    help="Name only opponents whose cards have this: nation=Germany, year=[1943, 1944], class=field_gun; repeatable; "
    "not with --board.",
)
@options.number_option(
    "--top",
    "How many best and how many worst opponents to name; not with --board.  [default: 5, or all that --against "
    "selects]",
)
@takes_sweep
@options.takes_game
@options.takes_boards
@options.json_option
def worth(
    choice: options.Choice,
    units: tuple[str, ...],
    everybody: bool,
    against: dict[str, Any],
    top: int | None,
    on: dict[str, Any] | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Show what a unit is worth, and why. Worth is the price at which it scores as well as the roster does.

    All other units cost what their cards say. With --set, worth before the change is shown too. --against selects
    which opponents are named as best and worst; worth itself is still against all.

    With --board, random lists play matches, and who wins says what units are worth. Finished matches are kept, so that
    a stopped command continues where it was.
    """
    if bool(units) == everybody:
        raise UsageError(
            f"units: found {'units and --all' if units else 'none'}, expected units, or --all with --board"
        )
    if on is not None:
        refuse_options(WITH_BOARD, against=against or None, top=top)
        show(choice, units or None, on if seed is None else {**on, "seed": seed}, as_json)
        return
    refuse_options(WITHOUT_BOARD, all=everybody or None, seed=seed)
    from aabalance.definitions.lists import ALL, chosen
    from aabalance.pricing.roster import Roster
    from aabalance.pricing.worth_report import MOST, duels_in_words, worth_explained, worth_in_words

    game = choice.game()
    some = against or ALL
    try:
        chosen(game.ruleset, game.cards, some)
    except UsageError as error:
        raise UsageError(f"--against: {error}") from None
    usual = len(game.cards) if against else min(MOST, len(game.cards))
    most = whole_number("--top", usual if top is None else top, 1, len(game.cards))
    before = choice._replace(changes=()).game() if choice.changes else None
    roster = Roster(game, about=units)
    found = worth_explained(game, units, against=some, before=before, roster=roster, most=most)
    rows = found.worth.to_dict("records")
    said = {row["unit"]: worth_in_words(row) + duels_in_words(roster.game, row, roster.units) for row in rows}
    if as_json:
        print_json({**found.frames(), "sentences": said, "provenance": found.worth.attrs})
        return
    print_unusual(game)
    for unit, sentence in said.items():
        for line in _aligned([*_unit(game, found, unit, roster.contest.limits, against)]):
            click.echo(line)
        click.echo(f"{sentence}\n")


def _unit(game: Game, found: WorthReport, unit: str, limits: tuple[int, ...], against: Mapping[str, Any]) -> Lines:
    """Yield the text on a unit; numbers have a column before the change, if there is one, and a column now."""
    from aabalance.pricing.worth_report import LEFT_OUT

    sides = [found] if found.before is None else [found.before, found]
    rows = [one for side in sides for one in _of(side.worth, unit)]
    yield (f"{rows[-1]['name']} ({unit})", *(("before", "after") if len(sides) > 1 else ()))
    yield from _numbers(game, rows, [_of(side.fire, unit)[0] for side in sides], limits)
    for one in _of(found.change, unit):
        if math.isnan(one["worth_difference_low"]):
            continue
        ends = (f"{one[f'worth_difference{end}']:+z.1f}" for end in ("", "_low", "_high"))
        yield ("change of its worth, 90 % interval", "", "{} [{}, {}]".format(*ends))
    yield from _opponents(game, _of(found.reasons, unit), rows[-1]["level"], against)
    yield from _points(game, found, unit)
    if rows[-1]["flags"]:
        yield ()
        yield (f"beware: {rows[-1]['flags']}",)
    yield ()
    own = rows[-1]["unseen"]
    yield (f"not priced: {LEFT_OUT}{own and f'; of this unit above all: {own}'}",)
    yield ()


def _numbers(game: Game, rows: Rows, fire: Rows, limits: tuple[int, ...]) -> Lines:
    """Yield cost, worth and scores."""
    from aabalance.play.result import percent
    from aabalance.pricing.worth_report import change_in_words, price_in_words

    yield ("costs", *(NONE if math.isnan(row["requisition"]) else f"{row['requisition']:g}" for row in rows))
    yield ("is worth", *(price_in_words(row["worth"]) for row in rows))
    yield ("  90 % interval", *(_between(row["worth_low"], row["worth_high"]) for row in rows))
    yield ("  relative to its cost", *(change_in_words(row["worth_change"]) for row in rows))
    yield (
        f"  where a side has {counted(min(limits), 'action')} a turn",
        *(price_in_words(row["worth_fewest_actions"]) for row in rows),
    )
    yield (f"  where it has {max(limits)}", *(price_in_words(row["worth_most_actions"]) for row in rows))
    yield (f"scores for equal {game.ruleset.labels.currency}", *(percent(row["score"]) for row in rows))
    yield ("  level, the mean above the least price", *(percent(row["level"]) for row in rows))
    yield ("  for 10 % more than it is worth", *(_points_of_score(row["worth_slope"]) for row in rows))
    yield ("destroys an opponent, turns of fire", *(_turns(row["turns_to_destroy"]) for row in fire))
    yield ("lasts, turns of an opponent's fire", *(_turns(row["turns_it_lasts"]) for row in fire))
    yield ("units that can't hurt it", *(str(row["immune_to"]) for row in rows))
    yield ("units that it can't hurt", *(str(row["harmless_to"]) for row in rows))


def _opponents(game: Game, reasons: Rows, level: float, against: Mapping[str, Any]) -> Lines:
    """Yield the best and the worst opponents for equal requisition, of those that `against` chooses."""
    from aabalance.play.result import percent

    if against:
        values = {name: value if isinstance(value, list) else [value] for name, value in against.items()}
        only = ", ".join(f"{name} {' or '.join(map(str, some))}" for name, some in values.items())
        yield ()
        yield (f"of opponents with {only}{'' if reasons else ': it meets none'}",)
    for heading, some in (
        ("best against, for its points", [one for one in reasons if one["score"] > level]),
        ("worst against", [one for one in reasons if one["score"] < level][::-1]),
    ):
        if some:
            yield ()
            yield (heading, "costs", "scores at its worth", "adds to worth", "exchange rate")
        for one in some:
            rate = one["exchange_rate"]
            even = NONE if math.isnan(rate) else "none" if rate == 0 else "any" if math.isinf(rate) else f"{rate:.2f}"
            name = f"  {game.cards[one['opponent']].name} ({one['opponent']})"
            yield (name, f"{one['opponent_requisition']:g}", percent(one["score"]), _pull(one["pull"]), even)


def _points(game: Game, now: WorthReport, unit: str) -> Lines:
    """Yield which further points make a difference."""
    from aabalance.pricing.breakpoints import MORE

    steps = _of(now.toughness, unit)
    if steps:
        effect, have = game.ruleset.labels.effect, steps[0]["toughness"]
        yield ()
        yield (f"{effect}: {have}", "hits to destroy", "unchanged between", "and", "half of them need more from")
        for row in steps:
            ends = f"{row['toughness_from']}", f"{row['toughness_to']}"
            yield (f"  {row['gun_class']}", f"{row['hits']:.1f}", *ends, f"{row['half_from']}")
        enough = min(row["toughness_to"] for row in steps)
        guns = listed([row["gun_class"] for row in steps if row["toughness_to"] == enough])
        most = max(steps, key=lambda row: row["opponents"])
        half = f"half of the guns of {most['gun_class']}, the most common, from {most['half_from']} on"
        yield (f"  with {enough + 1} some guns of {guns} need another hit; {half}",)
    tried = _of(now.penetration, unit)
    if tried:
        *fewer, have = tried[:-MORE]  # none is fewer than 0
        yield ()
        yield (f"penetration: {have['what_if']}", "more against, at all distances")
        for row in tried[-MORE:]:
            yield (f"  {row['what_if']}", f"{row['more_against']}")
        for row in fewer:
            yield (f"  with {row['what_if']} it does less against", f"{have['more_against']}")


def _of(frame: pd.DataFrame | None, unit: str) -> list[dict[Any, Any]]:
    return [] if frame is None else frame[frame["unit"] == unit].to_dict("records")


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of tables under each other: words to the left, values to the right."""
    words = max(len(row[0]) for row in rows if len(row) > 1)
    table: list[tuple[str, ...]] = []
    for row in (*rows, ()):
        if row:
            table.append(row)
            continue
        columns = max(map(len, table), default=0)
        widths = [max(len(of[at]) for of in table if len(of) > at) for at in range(1, columns)]
        for of in table:
            values = (f"{value:>{width}}" for value, width in zip(of[1:], widths, strict=False))
            yield BETWEEN.join((f"{of[0]:<{words}}" if len(of) > 1 else of[0], *values))
        if table:
            yield ""
        table = []


def _between(low: float, high: float) -> str:
    from aabalance.pricing.worth_report import price_in_words

    return NONE if math.isnan(low) else f"{price_in_words(low)} to {price_in_words(high)}"


def _pull(points: float) -> str:
    if math.isnan(points):
        return NONE
    return f"{points:+z.1f}" if abs(points) >= 0.1 else f"{points:+z.2f}"


def _points_of_score(change: float) -> str:
    return NONE if math.isnan(change) else f"{100 * change:+z.1f}"


def _turns(turns: float) -> str:
    if math.isnan(turns):
        return NONE  # it has no opponents
    return "never" if not math.isfinite(turns) else f"{turns:.1f}"
