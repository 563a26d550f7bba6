"""The command for a battle of two lists. Imports nothing but click."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.terminal import print_json, print_table, progress

if TYPE_CHECKING:
    from aabalance.play.battle import BattleResult


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
    batches = result.replay.number_of_batches
    for name, table in rolled.items():
        click.echo(f"\n{name}: {table['n'].iloc[0]} simulated battles, seed {table.attrs['seed']}; 95 % intervals")
        shown = [column for column in table if column != "n" and not column.endswith(("_se", "_ci_low", "_ci_high"))]
        rows = [[_cell(result, row, column, batches) for column in shown] for row in table.to_dict("records")]
        print_table([column.replace(CURRENCY, game.ruleset.labels.currency) for column in shown], rows)


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
