"""The commands for a whole roster, and for many attacks at once. Imports nothing but click."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.paths import as_path
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, print_unusual, say
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    from aabalance.game import Game

MOST_NAMED, MOST_GAPS = 3, 8
"""Attackers that the sentence on a target names, and units that the one on roles does."""


@click.command()
@click.option("--among", metavar="ID,...", help="The units that a player chooses from; by default all.")
@click.option(
    "--field", callback=as_path, metavar="FILE", help="With --among: opponents of the lists.  [default: stated]"
)
@options.seed_option("the dice of lists")
@takes_sweep
@options.takes_game
@options.json_option
def roster(choice: options.Choice, among: str | None, field: Path | None, seed: int, as_json: bool) -> None:
    """Show what each unit is for. It counts the enemies to which a unit is the best answer for its points, and names
    the unit that makes it superfluous.

    Each unit meets the whole roster for equal requisition, in battles of units that hold; its score is the mean.
    `worth` leaves out the opponents that a unit can't hurt or that can't hurt it: they say nothing about its price.

    With --among it also finds the best lists of these units for 300 points, with and without each unit, and says
    where the two measures disagree.
    """
    import pandas as pd

    from aabalance.lists.among import never_worth_taking, with_and_without
    from aabalance.play.result import percent
    from aabalance.pricing.roles import roles
    from aabalance.pricing.worth_report import LEFT_OUT

    game = choice.game()
    units = None if among is None else [unit.strip() for unit in among.split(",")]
    if units is None and field is not None:
        raise UsageError("--field: found it without --among, expected both: lists are of a few units")
    options.check_seed(rolled=units is not None, by="--among")
    lists = pd.DataFrame() if units is None else with_and_without(game, units, field=field, seed=seed, say=say)
    table = roles(game, units)
    rows, gaps = table.to_dict("records"), table.attrs.pop("gaps")
    adds = {row["unit"]: row for row in lists.to_dict("records")}
    never = [f"{row['name']} ({row['dominated_by']} costs no more)" for row in rows if row["dominated_by"]]
    priced = [row for row in rows if not math.isnan(row["requisition"])]
    dead = [str(row["name"]) for row in priced if not row["best_against"] and not row["dominated_by"]] or ["none"]
    replaced = f"Never worth taking, as far as battles show: {', '.join(never) or 'none'}."
    others = f" and {counted(len(gaps) - MOST_GAPS, 'other')}, which --json has" if len(gaps) > MOST_GAPS else ""
    unmet = ", ".join(game.cards[unit].name for unit in gaps[:MOST_GAPS]) + others
    said = [
        never_worth_taking(rows, adds.values()) if adds else replaced,
        *filter(None, [lists.attrs.get("lists")]),
        f"Best answer to nobody, though no single unit of its cost or less can replace it: {', '.join(dead)}.",
        f"No unit here scores one half against: {unmet}." if unmet else "Some unit scores one half against each.",
    ]
    if len(game.cards) == 1:
        said = ["One unit: there is nobody to compare it with."]
    sentence = " ".join([*said, f"Battles don't show {LEFT_OUT}."])
    if as_json:
        print_json({"units": table, "gaps": gaps, "lists": lists, "sentence": sentence, "provenance": table.attrs})
        return
    print_unusual(game)
    cells = [
        [
            row["unit"],
            *(
                ("–", "–", "–")
                if math.isnan(row["requisition"])
                else (f"{row['requisition']:g}", percent(row["score"]), row["best_against"])
            ),
            row["dominated_by"],
            *([_added(adds.get(row["unit"]))] if adds else ()),
            row["unseen"],
        ]
        for row in rows
    ]
    adds_to = ["adds to lists"] if adds else []
    header = ["unit", "costs", "scores v all", "best against", "dominated by", *adds_to, "not seen"]
    print_table(header, cells, cut=True)
    click.echo(f"\n{sentence}")


def _added(row: Mapping[Hashable, Any] | None) -> str:
    """Return in points what a unit adds to lists, with its interval; nothing of one that has no place in them."""
    return f"{100 * row['adds']:+z.1f} ({100 * row['adds_low']:+z.1f} to {100 * row['adds_high']:+z.1f})" if row else ""


@click.command()
@click.argument("attackers")
@click.argument("targets")
@options.takes_situation
@options.number_option("--at-least", "Show the chance of N or more.", 1)
@click.option("--histogram", is_flag=True, help="Show how likely each amount is.")
@options.takes_game
@options.json_option
def matrix(
    choice: options.Choice,
    attackers: str,
    targets: str,
    situation: dict[str, Any],
    at_least: int,
    histogram: bool,
    as_json: bool,
) -> None:
    """Show what an attack of each attacker does to each target.

    For each target, one row has all attackers together: their effects add up, and no attack changes another's rolls.

    ATTACKERS and TARGETS are lists, such as "us_m4a1*3,us_m10", or a value that selects all cards with it, such as
    class=field_gun.
    """
    from aabalance.analysis.matchups import volleys
    from aabalance.play.result import chance

    game = choice.game()
    options.check_fields(game, situation, of_one_attack=True)
    table = volleys(game, _list(game, attackers), _list(game, targets), at_least=at_least, **situation)
    effects = table.attrs.pop("effects")
    table["effects"] = effects
    table = table.sort_values(["target", "per_hundred"], ascending=[True, False], kind="stable")
    rows = table.to_dict("records")
    said = [_most(game, list(of_it)) for _, of_it in groupby(rows, key=itemgetter("target"))]
    free = [row["attacker"] for row in rows if row["attacker"] in game.cards and math.isnan(row["per_hundred"])]
    if free:
        said.append(f"Without a price, nothing is known per point of {', '.join(dict.fromkeys(free))}.")
    if as_json:
        print_json({"volleys": table, "sentences": said, "provenance": table.attrs})
        return
    print_unusual(game)
    effect = game.ruleset.labels.effect
    header = ["attacker", "attacks", "target", effect, f"per 100 {game.ruleset.labels.currency}", f"{at_least} or more"]
    cells = [
        [
            row["attacker"],
            row["attacks"],
            row["target"],
            f"{row['expected_damage']:.2f}",
            "–" if math.isnan(row["per_hundred"]) else f"{row['per_hundred']:.2f}",
            chance(row["p_at_least"]),
            chance(row["p_kill"]),
        ]
        for row in rows
    ]
    print_table([*header, "destroyed"], cells)
    for row in rows if histogram else ():
        click.echo(f"\n{row['attacker']} -> {row['target']}, {effect}")
        for amount, p in row["effects"].items():
            click.echo(f"{amount:>6}  {chance(p):>7}  {'#' * round(50 * p)}")
    click.echo("\n" + "\n".join(said))


def _most(game: Game, rows: list[dict[Hashable, Any]]) -> str:
    """Return who of the attackers of a target does most to it for its points, and how many can't hurt it."""
    from aabalance.analysis.matchups import PER

    target, labels = game.cards[rows[0]["target"]].name, game.ruleset.labels
    single = [row for row in rows if row["attacker"] in game.cards]
    able = [row for row in single if row["expected_damage"] > 0]
    if not able:
        return f"From here none of them can hurt {target}."
    priced = [row for row in able if not math.isnan(row["per_hundred"])]
    most = ", ".join(f"{game.cards[row['attacker']].name} ({row['per_hundred']:.1f})" for row in priced[:MOST_NAMED])
    per = f"Effect of an attack on {target}, in {labels.effect} per {PER} {labels.currency}"
    harmless = len(single) - len(able)
    none = f" {harmless} of {len(single)} kinds can't hurt it from here." if harmless else ""
    return f"{per}, most first: {most or 'unknown'}.{none}"


def _list(game: Game, given: str) -> str | list[str]:
    """Return a list as it was given, or the units whose cards have the value that was given."""
    from aabalance.cards.literals import literal
    from aabalance.definitions.lists import chosen

    field, equals, value = given.partition("=")
    return chosen(game.ruleset, game.cards, {field.strip(): literal(value)}) if equals else given
