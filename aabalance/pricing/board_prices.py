"""One step of prices towards worth on boards: for units that no battle prices, and for games without battles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.definitions.tables import Tuning
from aabalance.errors import check_kind
from aabalance.game import Game, Unit, game_of
from aabalance.pricing.board import board_worth, on_all
from aabalance.pricing.roster import A_TUNING
from aabalance.pricing.tuning import rounded

ABOUT_NUMBERS = "requisition", "worth", "worth_low", "worth_high"


def board_prices(
    game: Game | str, units: Iterable[Unit] | None = None, *, tuning: Tuning | None = None, **asked: Any
) -> pd.DataFrame:
    """Return prices one step nearer to worth on boards: a price moves if it lies outside the interval of the worth.

    Another step takes other matches, since lists are drawn by the prices on the cards.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards, boards and variant.
    units : iterable of str or card, optional
        Units that get new prices; by default all.
    tuning : Tuning, optional
        Steps of prices, the least one, the largest change, and whose price is kept: locked units and anchors. By
        default that of the game's own report definition. Budgets, limits and weights are those of battles.
    **asked
        What else `aabalance.board_worth` takes.

    Returns
    -------
    DataFrame
        Table ``board_prices``, the largest change first; its ``attrs`` are those of `aabalance.board_worth`.

    Raises
    ------
    UsageError
        A unit of `units` keeps its price; or what `aabalance.board_worth` refuses.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.board_prices(game, ["tank"], boards=["crossing"], rounds=20, matches=40)
    >>> found[["unit", "requisition", "new_requisition", "why"]]
       unit  requisition  new_requisition                         why
    0  tank          7.0              7.0  its interval has its price
    """
    game = game_of(game)
    check_kind("tuning", tuning, Tuning | None, A_TUNING)
    chosen, terms = None if units is None else ids_of(game, units, "units"), game.tuning if tuning is None else tuning
    terms.refuse_fixed(chosen or ())
    return one_step(board_worth(game, chosen, **asked), terms)


def one_step(found: pd.DataFrame, tuning: Tuning) -> pd.DataFrame:
    """Return prices one step nearer to worth on boards that is known already.

    Parameters
    ----------
    found : DataFrame
        From `aabalance.board_worth`.
    tuning : Tuning
        As for `board_prices`.

    Returns
    -------
    DataFrame
        As `board_prices` returns it.
    """
    rows = [_row(row, tuning) for row in on_all(found).to_dict("records")]
    rows.sort(key=lambda row: (-abs(math.log(row["new_requisition"] / row["requisition"])), row["unit"]))
    table = tidy("board_prices", rows)
    table.attrs.update(found.attrs)
    return table


def _row(row: Mapping[Any, Any], tuning: Tuning) -> dict[str, Any]:
    """Return the new price of a unit, and why it is that."""
    old, worth, low, high = (row[name] for name in ABOUT_NUMBERS)
    change = tuning.largest_change or math.inf
    least, most = max(old * (1 - change), tuning.floor or min(tuning.steps.values())), old * (1 + change)
    new = rounded(tuning, min(max(worth, least), most), least, most) if math.isfinite(worth) else old
    if row["unit"] in {*tuning.locked, *(tuning.anchors or ())}:
        new, why = old, "locked"
    elif math.isnan(low):
        new, why = old, "no match was decided" if math.isnan(worth) else "too few units for an interval"
    elif low <= old <= high:
        new, why = old, "its interval has its price"
    elif new is None:
        new, why = old, "no whole step lies within its bounds"
    else:
        new = min(new, old, key=lambda price: abs(price - worth))
        percent = math.floor(100 * abs(worth / old - 1) + 0.5)
        why = f"{percent} % too {'cheap' if worth > old else 'dear'}"
        if not least <= worth <= most:
            why += ", held by its bounds"
        elif new == old:
            why = "no whole step is nearer to its worth"
    why += ", depends on skill" if row.get("depends_on_skill") else ""
    named = {name: row[name] for name in ("unit", "name", *ABOUT_NUMBERS, "n")}
    return named | {"new_requisition": new, "change": new / old - 1, "why": why}
