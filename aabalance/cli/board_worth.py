"""What `aabalance worth --board` shows: worth on boards, in plain words. Imports nothing but click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli.options import Choice, action_limits
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress

if TYPE_CHECKING:
    from aabalance.game import Game

HEAD = "unit", "board", "mission", "costs", "is worth", "90 % interval", "relative", "took part in", "matches"
TOGETHER = "together"


def show(choice: Choice, units: Sequence[str] | None, boards: str, given: dict[str, Any], as_json: bool) -> None:
    """Show what units are worth on boards.

    Parameters
    ----------
    choice : Choice
        Game, cards and rules.
    units : sequence of str, optional
        Ids; the whole roster by default.
    boards : str
        Names of boards between commas.
    given : dict
        The other options by their names.
    as_json : bool
        Print JSON.
    """
    from aabalance.pricing.board import MATCHES, board_worth

    game = choice.game()
    named = [name.strip() for name in boards.split(",")]
    missions = [name.strip() for name in given.pop("missions").split(",")] if "missions" in given else [None]
    if "actions" in given:
        given["actions"] = action_limits(given["actions"])
    if "target_error" in given:
        given["target"] = given.pop("target_error")
    most = given.get("matches", MATCHES) * len(named) * len(missions)
    with progress(most, "matches, at most") as advance:
        found = board_worth(game, units, boards=named, missions=missions, advance=advance, **given)
    if as_json:
        print_json({"board_worth": found, "provenance": found.attrs})
        return
    print_unusual(game)
    rows = found.to_dict("records")
    print_table(list(HEAD), [_cells(row) for row in rows])
    line = {} if units is None else _on_the_line(game, [row["unit"] for row in rows])
    for row in rows if units is not None else ():
        if not row["board"] or len(named) * len(missions) == 1:
            click.echo(_sentence(row, line.get(row["unit"])))


def _cells(row: Mapping[Any, Any]) -> list[object]:
    worth, low, high = (f"{row[name]:.3g}" for name in ("worth", "worth_low", "worth_high"))
    where = row["board"] or TOGETHER
    share = f"{100 * row['worth_change']:+.0f} %"
    numbers = f"{row['requisition']:g}", worth, f"{low} to {high}", share, row["appeared"], row["n"]
    return [row["unit"], where, row["mission"], *numbers]


def _on_the_line(game: Game, units: Sequence[str]) -> dict[Any, Mapping[Any, Any]]:
    """Return the rows of `aabalance.worth` on units, by their ids; none of units and games that no battle prices."""
    from aabalance.errors import UsageError
    from aabalance.pricing.roster import Roster
    from aabalance.pricing.worth import worth

    try:
        about = [unit for unit in dict.fromkeys(units) if unit in Roster(game, about=()).units]
        if not about:
            return {}
        return {row["unit"]: row for row in worth(game, about, roster=Roster(game, about=about)).to_dict("records")}
    except UsageError:  # a game without battles
        return {}


def _sentence(row: Mapping[Any, Any], line: Mapping[Any, Any] | None) -> str:
    """Return what the board adds to worth on the line, in words."""
    name, low, high = row["name"], row["worth_low"], row["worth_high"]
    said = f"{name} is worth {row['worth']:.3g} ({low:.3g} to {high:.3g})"
    if line is None:
        return f"{said} on the board; no battle prices it."
    apart = row["worth"] - line["worth"]
    on_it = f"{line['worth']:.3g} ({line['worth_low']:.3g} to {line['worth_high']:.3g})"
    sure = "" if low > line["worth_high"] or high < line["worth_low"] else ", which may be chance"
    what = "add" if apart > 0 else "take"
    return (
        f"{said} on the board, {on_it} on the line: moving, cover, scouting, carrying and holding ground "
        f"{what} {abs(apart):.3g}{sure}."
    )
