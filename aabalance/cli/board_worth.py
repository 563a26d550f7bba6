"""What `worth --board` and `tune --board` share, and what the first shows. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError

if TYPE_CHECKING:
    from aabalance.game import Game

SKILL = "its interval", "depends on skill"
HEAD = "unit", "board", "mission", "costs", "is worth", "90 % interval", "relative", "took part in", "matches"
PARAMETERS = {"board": "boards", "mission": "missions", "player": "players", "target_error": "target"} | {
    name: name for name in ("rounds", "actions", "budget", "matches")
}
"""The options of matches on boards, and the parameters of `board_worth` that they are."""


WITH_BOARD, WITHOUT_BOARD = "with --board, expected one of them", "without --board, expected a board"


def refuse_options(how: str, **given: Any) -> None:
    """Refuse the first of some options that was given, not None; `how` says where it was found."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"--{name.replace('_', '-')}: found it {how}")


def takes_board_matches(command: options.Command) -> options.Command:
    """Give a command the options of matches on boards; it gets them as `on`, as `board_worth` takes them, or None."""

    @wraps(command)
    def with_matches(**rest: Any) -> None:
        given = {name: value for name in PARAMETERS if (value := rest.pop(name)) is not None}
        if "board" not in given:
            refuse_options(WITHOUT_BOARD, **given)
        command(on={PARAMETERS[name]: value for name, value in given.items()} or None, **rest)

    decorated = options.gives(
        click.option("--board", metavar="NAME,...", callback=_names, help="Measure worth in matches on these boards."),
        click.option(
            "--mission",
            metavar="NAME,...",
            callback=_names,
            help="With --board: missions to play.  [default: the game's own]",
        ),
        options.number_option("--rounds", "With --board: limit of rounds.  [default: the game's own]"),
        click.option(
            "--actions",
            metavar="N|N,N",
            callback=lambda _, __, value: options.action_limits(value),
            help="With --board: action limit per turn, if the game has one.  [default: 5]",
        ),
        click.option(
            "--budget",
            type=float,
            metavar="N",
            help="With --board: about what a list costs.  [default: five units of middling price]",
        ),
        click.option(
            "--player",
            metavar="NAME[,NAME]",
            callback=_names,
            help="With --board: player for both sides; a second one plays a tenth of the matches again, to show what "
            "depends on skill.  [default: greedy]",
        ),
        options.error_option(
            "With --board: play until the half-width of the 90% interval is at most this share of the price, or "
            "of the worth if that is more.  [default: .12 for named units, .15 for a roster]"
        ),
        options.number_option(
            "--matches", "With --board: most matches on each board, in each mission.  [default: 60000]"
        ),
    )
    return decorated(with_matches)


def _names(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:
    """Return the names of an option with commas between them."""
    return None if value is None else [name.strip() for name in value.split(",")]


@contextmanager
def played(on: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the arguments of `board_worth`, one of which moves a bar."""
    from aabalance.pricing.board_fits import MATCHES

    most = on.get("matches", MATCHES) * len(on["boards"]) * len(on.get("missions", [None]))
    with progress(most, "matches, at most") as advance:
        yield {**on, "advance": advance}


def show(choice: options.Choice, units: Sequence[str] | None, on: Mapping[str, Any], as_json: bool) -> None:
    """Show what units are worth on boards.

    Parameters
    ----------
    choice : Choice
        Game, cards and rules.
    units : sequence of str, optional
        Ids; the whole roster by default.
    on : mapping
        Arguments of `board_worth`.
    as_json : bool
        Print JSON.
    """
    from aabalance.pricing.board import POOLED, board_worth, played_in_words, skill_in_words, worth_in_words

    game = choice.game()
    with played(on) as asked:
        found = board_worth(game, units, **asked)
    sentences = [played_in_words(game, found), *worth_in_words(game, found, on.get("missions", [None]))]
    if "sampled" in found:
        sentences += filter(None, [skill_in_words(found, on["players"][-1])])
    rows = found.to_dict("records")
    if units is not None:
        line, several = _on_the_line(game, found["unit"]), found["board"].eq(POOLED).any()
        sentences += [_sentence(row, line.get(row["unit"])) for row in rows if not several or row["board"] == POOLED]
    if as_json:
        print_json({"board_worth": found, "sentences": sentences, "provenance": found.attrs})
        return
    print_unusual(game)
    again = [f"by {on['players'][-1]}", *SKILL] if "sampled" in found else []
    print_table([*HEAD, *again], [_cells(row) for row in rows])
    click.echo("\n".join(sentences))


def _cells(row: Mapping[Any, Any]) -> list[object]:
    from aabalance.pricing.worth_report import change_in_words

    where, change = row["board"] or "average", change_in_words(row["worth_change"])
    numbers = f"{row['requisition']:g}", *with_interval(row, "worth"), change, row["appeared"], row["n"]
    skill = [*with_interval(row, "other_worth"), "yes" if row["depends_on_skill"] else ""] if "sampled" in row else []
    return [row["unit"], where, row["mission"], *numbers, *skill]


def with_interval(row: Mapping[Any, Any], name: str) -> tuple[str, str]:
    """Return the texts of a worth and its interval: dashes where nothing is known."""
    from aabalance.play.result import three_digits

    ends = row[name], row[f"{name}_low"], row[f"{name}_high"]
    worth, low, high = ("" if math.isnan(one) else three_digits(one) for one in ends)
    return worth or "–", f"{low} to {high}" if low else "–"


def _on_the_line(game: Game, units: Iterable[str]) -> dict[Any, Mapping[Any, Any]]:
    """Return the rows of `aabalance.worth` on units, by their ids; none of units and games that no battle prices."""
    from aabalance.pricing.contest import Contest, eligible_units
    from aabalance.pricing.worth import worth

    if not game.ruleset.limits_actions:
        return {}
    fighting = {card.id for card in eligible_units(game, Contest.standard(game))}
    about = [unit for unit in dict.fromkeys(units) if unit in fighting]
    found = worth(game, about).to_dict("records") if about else []
    return {row["unit"]: row for row in found if math.isfinite(row["worth"])}


def _sentence(row: Mapping[Any, Any], line: Mapping[Any, Any] | None) -> str:
    """Return what the board adds to worth on the line, in words."""
    from aabalance.play.result import number_with_interval, three_digits
    from aabalance.pricing.board import AVERAGE

    name, low, high = row["name"], row["worth_low"], row["worth_high"]
    worth, ends = with_interval(row, "worth")
    where = "on the board" if row["board"] else AVERAGE
    if math.isnan(row["worth"]):
        return f"Nothing is known of what {name} is worth {where}: no match was decided."
    said = f"{name} is worth {worth} ({ends if math.isfinite(low) else 'without an interval'})"
    if line is None:
        return f"{said} {where}; no battle prices it."
    apart = row["worth"] - line["worth"]
    on_it = three_digits(line["worth"])
    if math.isfinite(line["worth_low"]):  # there is no interval of fewer than three opponents
        on_it = number_with_interval(line["worth"], line["worth_low"], line["worth_high"])
    sure = "" if low > line["worth_high"] or high < line["worth_low"] else ", which may be chance"
    if math.isnan(low):
        return f"{said} {where}, {on_it} on the line."
    what = "add" if apart > 0 else "take"
    return (
        f"{said} {where}, {on_it} on the line: moving, cover, scouting and holding ground "
        f"{what} {three_digits(abs(apart))}{sure}."
    )
