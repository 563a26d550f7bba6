"""The command for the action economy: how two lists fare under each action limit. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

EXACT = "exact"


@click.command()
@click.argument("list_a", metavar="A")
@click.argument("list_b", metavar="B")
@options.takes_battle
@click.option(
    "--limits", default="1-12", show_default=True, metavar="N|N-N", help="Action limits to compare, first to last."
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME",
    help="Policy of both sides; repeatable.  [default: value, focus]",
)
@click.option("--mode", default="annihilation", show_default=True, metavar="MODE", help="annihilation or timed.")
@options.number_option("--rounds", "Limit of turns of each side; required if the mode is timed.")
@options.refuses_postures
@options.first_option
@options.takes_sample("battles of each kind")
@takes_sweep
@options.takes_game
@options.json_option
def actions(
    choice: options.Choice,
    list_a: str,
    list_b: str,
    situation: dict[str, Any],
    limits: str,
    policies: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Show who wins under each action limit. It also says how much requisition one more action is worth."""
    from aabalance.analysis import actions as economy
    from aabalance.definitions.fields import POLICIES
    from aabalance.definitions.lists import unit_list
    from aabalance.play.battle import list_in_words
    from aabalance.play.result import side_names
    from aabalance.report.tables import leads_in_words

    game = choice.game()
    options.check_fields(game, situation, of_one_attack=False)
    options.check_changes(game, list_a, list_b)
    span, chosen = _span(limits), policies or POLICIES
    with progress(len(span) * len(chosen), "limits") as advance:
        table = economy.actions(
            game, list_a, list_b, limits=span, policies=chosen, **given, advance=advance, **situation
        )
    exact = bool((table["engine"] == EXACT).all())
    options.check_seed(rolled=not exact)
    leads = economy.leads(table)
    doubt = "" if exact else "; where the interval of a score has .5, neither side is ahead"
    a, b = side_names(*(list_in_words(map(game.card, unit_list(given, game.cards))) for given in (list_a, list_b)))
    named = leads_in_words(leads.assign(list_a=a, list_b=b))
    said = "; with ".join(f"{one['policies']}: {one['said']}" for one in named)
    sentence = f"With {said}{doubt}."
    if as_json:
        print_json({"actions": table, "leads": leads, "sentence": sentence, "provenance": table.attrs})
        return
    print_unusual(game)
    click.echo(f"a: {list_a}, b: {list_b}")
    print_table(*_merged(*_cells(table)))
    click.echo(sentence)


def _span(text: str) -> range:
    """Return the whole numbers from one to another, or one alone."""
    first, dash, last = (part.strip() for part in text.partition("-"))
    last = last if dash else first
    if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise UsageError(f"--limits: found {text!r}, expected a number, or two such as 1-12")
    return range(int(first), int(last) + 1)


def _cells(table: pd.DataFrame) -> tuple[list[str], list[list[object]]]:
    """Return the headings and the rows that a person reads: intervals behind what has one."""
    from aabalance.play.result import with_interval

    rows: list[list[object]] = []
    four = "{:.4f}".format
    for row in table.to_dict("records"):
        names = {"p_a": "p_a_ci", "p_b": "p_b_ci", "p_draw": "p_draw_ci", "score_a": "score_a"}
        rolled = row["engine"] != EXACT
        chances = [
            with_interval(four(row[name]), _ends(row, end) if rolled else None, four) for name, end in names.items()
        ]
        prices = [_price(row[name], *_ends(row, name)) for name in ("action_price_a", "action_price_b")]
        rows.append([row["policy_a"], row["actions"], *chances, *prices])
    return ["policy", "actions", "a wins", "b wins", "draw", "score of a", "an action for a", "for b"], rows


def _ends(row: Mapping[Any, Any], name: str) -> tuple[float, float]:
    return row[f"{name}_low"], row[f"{name}_high"]


def _price(price: float, low: float, high: float) -> str:
    if math.isinf(price):
        return f"more than {low:g}"
    return f"{price:.0f} [{low:g}, {f'{high:g}' if math.isfinite(high) else 'no end'}]"


def _merged(head: list[str], rows: list[list[object]]) -> tuple[list[str], list[list[object]]]:
    """Return rows without repetition: limits that change nothing are one row, and so are policies that agree."""
    policies: dict[tuple[Any, ...], list[str]] = {}
    for policy, same_policy in groupby(rows, key=lambda row: str(row[0])):
        part = []
        for numbers, alike in groupby(same_policy, key=lambda row: tuple(row[2:])):
            limits = [row[1] for row in alike]
            part.append((f"{limits[0]}-{limits[-1]}" if len(limits) > 1 else limits[0], *numbers))
        policies.setdefault(tuple(part), []).append(policy)
    return head, [[" and ".join(names), *row] for part, names in policies.items() for row in part]
