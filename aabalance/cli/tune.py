"""The command for fair prices, which can write them into the cards. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.board_worth import WITH_BOARD, played, refuse_options, takes_board_matches
from aabalance.cli.paths import as_output
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.game import Game
    from aabalance.pricing.tuning import Tuned

MANY = 10
"""Units that aren't named one by one."""


def _steps(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any]:
    """Return steps by the price that they begin at; one alone begins at 0."""
    return options.pairs_of(ctx, parameter, [value if "=" in value else f"0={value}" for value in values])


def _ids(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> list[str] | None:
    """Return the units of one option after another, each with commas between them; None without any."""
    return [word.strip() for value in values for word in value.split(",")] or None


@click.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--among", multiple=True, metavar="ID,ID", callback=_ids, help="Units to compare; not with --board.  [default: all]"
)
@click.option(
    "--units", multiple=True, metavar="ID,ID", callback=_ids, help="Units to give new prices; all others keep theirs."
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="ID=PRICE",
    callback=options.pairs_of,
    help="A price that sets the scale; not with --board.",
)
@click.option("--lock", "locked", multiple=True, metavar="ID", help="A unit that keeps its price.")
@click.option(
    "--step",
    "steps",
    multiple=True,
    metavar="STEP|FROM=STEP",
    callback=_steps,
    help="Step to round prices to, and the price from which it applies.  [default: 0=1, 50=5]",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="ID=W",
    callback=options.pairs_of,
    help="How much a unit counts as an opponent; 0: not at all; not with --board.  [default: 1]",
)
@click.option(
    "--floor",
    type=float,
    metavar="X",
    help="The least price.  [default: a fortieth of the largest budget; with --board, one step]",
)
@click.option("--largest-change", type=float, metavar="X", help="Largest change of a price: 0.25 is a quarter.")
@click.option("--write", is_flag=True, help="Write the new prices into the cards.")
@options.dry_run_option
@options.yes_option
@click.option(
    "--out", callback=as_output(own=rb"# \{.*\nunit,name,"), metavar="FILE", help="Also write the table as CSV."
)
@options.seed_option("the draws behind the intervals or, with --board, for lists, dice and players")
@takes_board_matches
@takes_sweep
@options.takes_game
@options.takes_boards
@options.json_option
def tune(
    choice: options.Choice,
    spec: str | None,
    among: list[str] | None,
    units: list[str] | None,
    locked: tuple[str, ...],
    write: bool,
    dry_run: bool,
    yes: bool,
    out: Path | None,
    seed: int,
    on: Mapping[str, Any] | None,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Find the prices at which every unit is worth its cost.

    SPEC is a report definition, which sets [tuning] and the situations. The default is the game's own.

    Without an --anchor, the game's reference unit keeps its price. With --board, prices move one step towards what
    units are worth in matches, where matches are sure of it. Nothing is written without --write.
    """
    from aabalance import files
    from aabalance.pricing import board, board_prices, tuning
    from aabalance.report import tables

    if (write or dry_run) and choice.changes:
        raise UsageError("--set: found a what-if, expected none: --write and --dry-run are about the cards")
    if write and not dry_run:
        choice.refuse_silent_writing(yes=yes)
    definition, game = choice.definition(spec)
    definition.check(game.ruleset, game.variant, game.cards)
    held = definition.tuning.within(game.cards if among is None else game.cards.only(among))
    changes = {name: value for name, value in wanted.items() if value not in (None, {})}
    if locked:
        changes["locked"] = (*held.locked, *locked)
    if on is not None:
        refuse_options(WITH_BOARD, among=among, anchor=changes.get("anchors"), weight=changes.get("weights"))
        with played(on) as asked:
            terms = held.changed(game.cards, **changes)
            terms.refuse_fixed(map(game.cards.id_of, units or ()))
            found = board.board_worth(game, units, seed=seed, **asked)
        table, by_dice = board_prices.one_step(found, terms), True
        _show_board(game, table, on, board.draws_in_words(found), as_json)
    else:
        given: dict[str, Any] = {"among": among, "tuning": held, "situations": definition.situations, "seed": seed}
        with progress(tuning.total(game, among, held, definition.situations), "pairs") as advance:
            tuned = tuning.tune(game, units, **given, advance=advance, **changes)
        table, by_dice = tuned.table, tuned.simulated_pairs > 0
        if as_json:
            summary = {name: None if value != value else value for name, value in tuned.summary().items()}
            print_json({**summary, "prices": table, "provenance": game.provenance().said()})
        else:
            _print(game, tuned)
    if out is not None:
        head = tables.provenance(game, definition.name, definition.postures)
        files.write(out, tables.csv(table, tables.by_dice(head) if by_dice else head))
    if write or dry_run:
        number, paths = tuning.write(game, table, dry_run=True)
        written = not dry_run and choice.may_write(paths, yes=yes)
        if written:
            tuning.write(game, table)
        said = (
            f"{counted(number, 'card')} written" if written else f"nothing written: {counted(number, 'card')} would be"
        )
        click.echo(said, err=as_json)


def _show_board(game: Game, table: pd.DataFrame, on: Mapping[str, Any], draws: str, as_json: bool) -> None:
    """Print one step towards worth on boards: in words, then the table; or as JSON."""
    from aabalance.pricing.board import played_in_words, price_counts
    from aabalance.pricing.worth_report import change_in_words, price_in_words

    counts = price_counts(game, on.get("missions", [None]))
    if as_json:
        print_json({"prices": table, "price_counts": counts, "draws": draws, "provenance": table.attrs})
        return
    print_unusual(game)
    number, by = _changed(table)
    click.echo(
        f"{number} of {counted(len(table), 'price')} change{by}, one step towards worth on "
        f"{' and '.join(on['boards'])}, as {table['n'].max():,} matches say. A price stays if it lies in the 90 % "
        "interval of the worth."
    )
    click.echo("\n".join([played_in_words(game, table), *filter(None, [counts]), draws, ""]))
    rows: list[list[object]] = []
    for row in table.to_dict("records"):
        prices = [f"{row[name]:g}" for name in ("requisition", "new_requisition")]
        worths = [price_in_words(row[name]) for name in ("worth", "worth_low", "worth_high")]
        rows.append([row["unit"], *prices, *worths, change_in_words(row["change"]), row["why"]])
    print_table(["unit", "old", "new", "worth", "from", "to", "change", "why"], rows)


def _changed(table: pd.DataFrame) -> tuple[int, str]:
    """Return how many prices change, and by how much in words; units that had no price don't enter the median."""
    from aabalance.pricing.tuning import changed
    from aabalance.pricing.worth_report import change_in_words

    changes = changed(table)["change"]
    by = change_in_words(changes.abs().median()).removeprefix("+")
    return len(changes), f", by {by} in the median" if changes.notna().any() else ""


def _print(game: Game, tuned: Tuned) -> None:
    """Print in words what changes and what stays wrong, then the table without units that get no new prices."""
    from aabalance.pricing.fair_prices import NOT_ASKED
    from aabalance.pricing.roster import EVEN

    table, before, after = tuned.table, tuned.before, tuned.after
    number, by = _changed(table)
    given = table[table["why"] == "anchor"]
    anchors = [f"{name} at {price:g}" for name, price in zip(given["name"], given["new_requisition"], strict=True)]
    scale = f"; the scale is set by {' and '.join(anchors)}" if anchors else ""
    far = f"more than 0.05: {', '.join(tuned.far)}" if tuned.far else "none more than 0.05"
    lines = [
        f"{number} of {counted(len(table), 'price')} change{by}{scale}.",
        f"The level is a score of {after.par + EVEN:.3f}. Units stay {after.rms:.3f} from it (root mean square), "
        f"{far}; at the old prices {before.rms:.3f}, by kill rates {tuned.by_kill_rates.rms:.3f}, "
        f"at fair prices before rounding {tuned.fair.rms:.3f}.",
        f"Pairs stay {after.rms_of_pairs:.3f} from even, at the old prices {before.rms_of_pairs:.3f}. "
        f"{100 * after.intransitivity:.0f} % of it is intransitive (a beats b beats c beats a), "
        "which no price can change.",
    ]
    if tuned.finer is not None:
        units, said, steps, off = tuned.finer
        commands = " ".join(f"--step {start}={size:g}" for start, size in steps.items())
        near = f"within {math.ceil(100 * off) / 100:g}"
        lines.insert(
            2, f"Rounding keeps {', '.join(units)} that far off: {said} would bring them to {near} ({commands})."
        )
    print_unusual(game)
    for line in lines:
        click.echo(line)
    unsure = table["fair_low"].isna() & table["fair_requisition"].notna()  # never of a price that is kept
    for what, ids in (
        ("Without an interval, as their opponents are too few", table.loc[unsure, "unit"]),
        ("Worth less than the least price, which they get", tuned.at_floor),
        ("No price levels", tuned.unidentified),
    ):
        if len(ids):
            click.echo(f"{what}: {', '.join(ids)}.")
    if kept := int((table["why"] == NOT_ASKED).sum()):
        click.echo(f"Prices kept: {counted(kept, 'unit')} that --units doesn't name.")
    outside = [unit_id for unit_id in game.cards if unit_id not in set(table["unit"])]
    if outside:
        click.echo(f"Not compared: {', '.join(outside) if len(outside) < MANY else counted(len(outside), 'unit')}.")
    click.echo()
    header = ["unit", "old", "new", "fair", "from", "to", "change", "score", "then", "why"]
    asked = table[table["why"] != NOT_ASKED]
    print_table(header, [_cells(row) for row in asked.itertuples(index=False)])


def _cells(row: Any) -> list[object]:
    from aabalance.pricing.worth_report import change_in_words, price_in_words

    prices = [price_in_words(price) for price in (row.fair_requisition, row.fair_low, row.fair_high)]
    stated = ["–" if math.isnan(price) else f"{price:g}" for price in (row.requisition, row.new_requisition)]
    scores = ["" if score != score else f"{score:.2f}" for score in (row.score_before, row.score_after)]
    return [row.unit, *stated, *prices, change_in_words(row.change), *scores, row.why]
