"""The command for what units are worth, and why, in plain words. Imports click alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli.options import Choice, json_option, takes_game
from aabalance.cli.terminal import print_block, print_json
from aabalance.errors import counted

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.game import Game


@click.command()
@click.argument("units", nargs=-1, required=True, metavar="ID...")
@click.option("--moving", is_flag=True, help="Say also what they are worth where both sides move; rolled.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of these dice.")
@takes_game
@json_option
def worth(choice: Choice, units: tuple[str, ...], moving: bool, seed: int, as_json: bool) -> None:
    """Show the price at which a unit scores as well as the roster does, and what raises and lowers it.

    All others cost what their cards say. With --set it is shown before the change, too.
    """
    from aabalance.analysis.tuning.movement import worth_moving

    game = choice.game()
    tables = _tables(game, units)
    moves = worth_moving(game, units, seed=seed) if moving else None
    before = _tables(choice._replace(changes=()).game(), units) if choice.changes else None
    if as_json:
        shown = {"worth": tables[0], "reasons": tables[1]}
        if before:
            shown |= {"worth_before": before[0], "reasons_before": before[1]}
        if moves is not None:
            shown["worth_moving"] = moves
        print_json({name: json.loads(table.to_json(orient="records")) for name, table in shown.items()})
        return
    table, reasons = tables
    old = None if before is None else before[0].set_index("unit")
    for row in table.to_dict("records"):
        was = None if old is None else old.loc[row["unit"]].to_dict()
        of_unit = reasons[reasons["unit"] == row["unit"]].to_dict("records")
        lines = dict(_lines(game, row, was, of_unit))
        if moves is not None:
            lines["moving"] = _moving(moves.set_index("unit").loc[row["unit"]].to_dict())
        print_block(f"{row['name']} ({row['unit']})", lines)


def _tables(game: Game, units: tuple[str, ...]) -> tuple[pd.DataFrame, pd.DataFrame]:
    from aabalance.analysis.tuning.worth import roster_about, worth_reasons
    from aabalance.analysis.tuning.worth import worth as work_out

    held, roster = roster_about(game, units)
    given: dict[str, Any] = {"roster": roster, "floor": held.least}
    return work_out(game, units, **given), worth_reasons(game, units, **given)


def _lines(
    game: Game, row: Mapping[Any, Any], was: Mapping[Any, Any] | None, reasons: Sequence[Mapping[Any, Any]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield what is said of a unit, each with its heading."""
    yield "costs", [f"{row['requisition']:g}, and scores {row['score']:.3f}; level is {row['level']:.3f}"]
    price = row["worth"]
    if not math.isfinite(price):
        yield "is worth", [row["flags"]]
        return
    between = f"[{row['worth_low']:.0f}, {row['worth_high']:.0f}]"
    worth = f"{price:.1f} {between}, {row['worth_change']:+.0%}"
    if was is not None:
        worth += f"; before the change {was['worth']:.1f}, {price - was['worth']:+.1f}"
    slope = 100 * row["worth_slope"]
    yield "is worth", [worth, f"a tenth dearer than that, it scores {abs(slope):.1f} points of 100 less"]
    limits = f"{row['worth_fewest_actions']:.0f} with the fewest actions a turn, {row['worth_most_actions']:.0f} with"
    yield "by actions", [f"{limits} the most"]
    yield (
        "unhurt",
        [f"immune to {counted(row['immune_to'], 'unit')}, harmless to {counted(row['harmless_to'], 'unit')}"],
    )
    for heading, some in (
        ("raised by", [one for one in reasons if one["pull"] > 0]),
        ("lowered by", [one for one in reasons if one["pull"] < 0]),
    ):
        if some:
            yield heading, [_reason(game, one) for one in some]
    for heading in ("flags", "unseen"):
        if row[heading]:
            yield {"flags": "beware", "unseen": "not seen"}[heading], row[heading].split("; ")


def _moving(row: Mapping[Any, Any]) -> list[str]:
    """Return what is said of a unit where both sides move."""
    if math.isnan(row["worth_moving"]):
        return ["nobody whom it can hurt can hurt it"]
    ends = f"[{row['worth_moving_ci_low']:.0f}, {row['worth_moving_ci_high']:.0f}]"
    points = 100 * (row["score_moving"] - row["score"])
    beyond = "more than hangs on whom it meets" if row["beyond"] else "no more than hangs on whom it meets"
    return [
        f"worth {row['worth_moving']:.1f} {ends} where both sides go where they exchange best, for 8 rounds",
        f"it scores {points:+.1f} points of 100 there: {beyond}",
    ]


def _reason(game: Game, one: Mapping[Any, Any]) -> str:
    rate, name = one["exchange_rate"], game.cards[one["opponent"]].name
    even = f"a point of it is worth {rate:.2f} of theirs"
    if rate == 0:
        even = "behind them at any price"
    elif math.isinf(rate):
        even = "ahead of them at any price"
    return f"{name} ({one['opponent']}, {one['opponent_requisition']:g}): {one['pull']:+.1f}; {even}"
