"""The commands for a battle of two lists, and for how they fare under each action limit. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.play.battle import BattleResult

EXACT = "exact"


@click.command()
@click.argument("list_a", metavar="A")
@click.argument("list_b", metavar="B")
@options.takes_battle
@click.option(
    "--actions",
    metavar="N|N,N",
    help="Action limit per turn: one for both sides, or one for each; required if the game has a limit.",
)
@click.option("--mode", default="annihilation", show_default=True, metavar="MODE", help="annihilation or timed.")
@options.number_option("--rounds", "Limit of turns of each side; required if the mode is timed.")
@options.first_option
@click.option(
    "--policy-a",
    default="value",
    show_default=True,
    metavar="NAME",
    help="How a decides who acts on whom: value takes as much enemy cost as it can; a wrong name lists the others.",
)
@click.option("--policy-b", default="value", show_default=True, metavar="NAME", help="The same for b.")
@options.refuses_postures
@options.number_option("--requisition", "Refuse lists that cost more than N.")
@click.option("--explain", is_flag=True, help="Show one battle turn by turn, with dice and rules; --seed picks it.")
@click.option("--units", "tables", flag_value="units", multiple=True, help="Show what each unit does.")
@click.option("--timeline", "tables", flag_value="timeline", multiple=True, help="Show what is left after each turn.")
@click.option(
    "--left",
    "tables",
    flag_value="requisition_left",
    multiple=True,
    help="Show how often each amount of requisition is left.",
)
@options.takes_sample("battles")
@options.takes_game
@options.json_option
def battle(
    choice: options.Choice,
    list_a: str,
    list_b: str,
    situation: dict[str, Any],
    actions: str | None,
    explain: bool,
    tables: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Solve or simulate a battle of two lists. Write a list as "de_tiger1,de_pz4h*2".

    The tables of --units, --timeline and --left come from simulated battles: as many as --simulate says, else 10000.
    A simulated battle has at most 16 units a side; a solved one may have more.
    """
    from aabalance.columns import CURRENCY
    from aabalance.play.sample import most_trials

    game = choice.game()
    options.check_fields(game, situation, of_one_attack=False)
    options.check_changes(game, list_a, list_b)
    with progress(most_trials(given["simulate"], given["target_error"]), "battles") as advance:
        result = game.battle(
            list_a, list_b, actions=options.action_limits(actions), **given, advance=advance, **situation
        )
    options.check_seed(rolled=result.trials is not None or explain or bool(tables))
    # Nothing is printed before all that may fail is done.
    rolled = {name: getattr(result, name) for name in tables}
    if as_json:
        print_json({**result.to_dict(), **rolled, **({"explain": result.explain()} if explain else {})})
        return
    click.echo(result.explain() if explain else repr(result))
    batches, currency = result.replay.number_of_batches, game.ruleset.labels.currency
    for name, table in rolled.items():
        head, count = name.replace(CURRENCY, currency), counted(table["n"].iloc[0], "simulated battle")
        click.echo(f"\n{head}: {count}, seed {table.attrs['seed']}; 95 % intervals")
        shown = [column for column in table if column != "n" and not column.endswith(("_se", "_ci_low", "_ci_high"))]
        rows = [[_cell(result, row, column, batches) for column in shown] for row in table.to_dict("records")]
        print_table([column.replace(CURRENCY, currency) for column in shown], rows)


def _cell(result: BattleResult, row: Mapping[Any, Any], column: str, batches: int) -> object:
    """Return a value as text, with its 95 % interval if it has one; its standard error is from so many batches."""
    from aabalance.engine.sampling import student_quantile, wilson
    from aabalance.play.result import in_row, ratio_in_words

    value = row[column]
    if f"{column}_se" in row:
        half = student_quantile(batches) * row[f"{column}_se"] if batches > 1 else 0.0
        # Batches may be alike where battles aren't.
        half = max(half, wilson(0, row["n"])[1] * _largest(result, row, column))
        return f"{ratio_in_words(value)} ± {float(f'{half:.1g}'):g}"
    if f"{column}_ci_low" in row:
        return in_row(row, column, "{:.4f}".format)
    return f"{value:.4g}" if isinstance(value, float) else value


def _largest(result: BattleResult, row: Mapping[Any, Any], column: str) -> float:
    """Return the largest number that a battle can have in a column."""
    if row.get("player_turn") == 0:
        return 0.0  # nothing is rolled yet
    cost, units = {"a": result.requisition_a, "b": result.requisition_b}, {"a": result.units_a, "b": result.units_b}
    side = row.get("side", column[-1])
    enemy = "b" if side == "a" else "a"
    by_unit = {"share_of_actions": 1.0, "requisition_destroyed": cost[enemy], "kills": units[enemy]}
    if column == "earned_its_cost":
        return float(cost[enemy] / row["requisition"])
    return by_unit.get(column, cost[side])


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
