"""The command line: each command reads its words and calls the layers below.

Importing this module imports nothing but click; every command imports what it needs when it runs, so that ``--help``
and one exact matchup wait for no table or compiler. Exit codes: 0 fine, 1 a gate failed, 2 bad usage or a bad card, 3
internal, 130 interrupted, 141 the reader of a pipe is gone.

Long commands have files of their own. They share ``options`` and ``sweeps``, what they take, and ``terminal``, what
they print.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from aabalance.cli import options
from aabalance.cli.battle import actions, battle
from aabalance.cli.boards import boards
from aabalance.cli.cards import cards
from aabalance.cli.diff import diff
from aabalance.cli.explore import explore
from aabalance.cli.gate import gate
from aabalance.cli.lists import lists, metagame
from aabalance.cli.match import ladder, match, matches
from aabalance.cli.paths import as_output, as_path
from aabalance.cli.playtest import playtest
from aabalance.cli.rosters import matrix, roster
from aabalance.cli.sweeps import cache, takes_sweep
from aabalance.cli.terminal import Main, debug_option, on_terminal, print_block, print_json, print_table, progress
from aabalance.cli.tune import tune
from aabalance.cli.worth import worth
from aabalance.errors import counted

HEAD = 10
POSTURE = "hold|close:X|cautious:X|optimal"


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="aabalance")
@debug_option
def main() -> None:
    """Balance analysis for tabletop wargames: exact odds, duels and tables from your unit cards."""


COMMANDS = (
    cards,
    roster,
    matrix,
    boards,
    battle,
    match,
    matches,
    playtest,
    ladder,
    actions,
    lists,
    metagame,
    tune,
    worth,
    explore,
    diff,
    gate,
    cache,
)
for command in COMMANDS:
    main.add_command(command)


# --- the rulebook


@main.command()
@click.option("--open", "only_open", is_flag=True, help="List only the points that the rulebook leaves open.")
@options.takes(options.NAME)
@options.json_option
def rules(choice: options.Choice, only_open: bool, as_json: bool) -> None:
    """List the rulebook's rules: their code, tests and open points."""
    from aabalance import rulebook, rulesets
    from aabalance.cards.literals import option_value

    ruleset = rulesets.load(choice.name)
    points = rulebook.open_points(ruleset)
    covered = rulebook.coverage(ruleset)
    if as_json:
        print_json(points if only_open else {"rules": covered, "points": points})
        return
    if only_open:
        for row in points:
            switches = [f"{name}={'|'.join(map(option_value, of['values']))}" for name, of in row["switches"].items()]
            head = f"{row['point']}  {row['section']}: {row['question']}"
            print_block(head, {"read as": [row["reading"]], "switch": switches})
        return
    for row in covered:
        head = f"{row['section']}: {row['rule']}"
        functions = [f"{name} ({place})" for name, place in zip(row["functions"], row["places"], strict=True)]
        told = {"modelled": [row["modelled"]], "functions": functions, "tests": row["tests"], "points": row["points"]}
        print_block(head, told)
    kinds = ", ".join(f"{n} {kind}" for kind, n in rulebook.counts(ruleset).items())
    click.echo(f"{ruleset.labels.rulebook}: {counted(len(covered), 'rule')}, {kinds}")
    left = f"{counted(len(points), 'point')} {'is' if len(points) == 1 else 'are'}"
    click.echo(f"{left} left open; --open lists them")


# --- shots and duels


@main.command()
@click.argument("attacker")
@click.argument("target")
@options.takes_situation
@click.option("--moved", is_flag=True, help="The attacker's first action was a move.")
@click.option("--weapon", metavar="NAME", help="Weapon to use; by default the one with the largest expected effect.")
@click.option("--explain", is_flag=True, help="Show every step with its rulebook section.")
@options.takes_game
@options.json_option
def shot(
    choice: options.Choice,
    attacker: str,
    target: str,
    situation: dict[str, Any],
    moved: bool,
    weapon: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Resolve one attack exactly."""
    game = choice.game()
    if moved:
        options.join(situation, {"moved": True}, "--moved")
    options.check_fields(game, situation, of_one_attack=True)
    options.check_changes(game, [attacker], [target])
    result = game.shot(attacker, target, weapon=weapon, **situation)
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(result.explain() if explain else repr(result))


@main.command()
@click.argument("a")
@click.argument("b")
@options.takes_situation
@options.first_option
@options.number_option("--rounds", "Turn limit; by default none, or 12 with the posture optimal.")
@click.option("--posture-a", default="hold", show_default=True, metavar=POSTURE, help="What a does.")
@click.option("--posture-b", default="hold", show_default=True, metavar=POSTURE, help="What b does.")
@options.takes_sample("duels")
@options.takes_game
@options.json_option
def duel(choice: options.Choice, a: str, b: str, situation: dict[str, Any], as_json: bool, **given: Any) -> None:
    """Solve a duel of two units exactly, or simulate it."""
    from aabalance.play.sample import most_trials

    game = choice.game()
    options.check_fields(game, situation, of_one_attack=False)
    options.check_changes(game, [a], [b])
    with progress(most_trials(given["simulate"], given["target_error"]), "duels") as advance:
        result = game.duel(a, b, **given, advance=advance, **situation)
    options.check_seed(rolled=result.trials is not None)
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(repr(result))


# --- tables and the report


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--out",
    callback=as_output(own=rb"# \{.*\nattacker,target,|\{\"matchups\":\["),
    metavar="FILE",
    help="File to write the CSV to; by default it is printed.",
)
@takes_sweep
@options.takes_game
@options.json_option
def matchups(choice: options.Choice, spec: str | None, out: Path | None, as_json: bool) -> None:
    """Write every shot and duel in a report's situations as CSV.

    SPEC is a report definition: a file, or a name from `report --list`. The default is the game's own.
    """
    from aabalance import files
    from aabalance.analysis.matchups import matchups as work_out
    from aabalance.analysis.situations import Situations
    from aabalance.report import tables

    definition, game = choice.definition(spec)
    situations = Situations.of(game, definition.situations, definition.rounds, definition.postures)
    ids = list(game.cards)
    # A terminal shows the first rows only, for which one attacker is enough.
    glance = out is None and on_terminal()
    attackers = ids[:1] if glance else ids
    with progress(len(attackers), "matchups") as advance:
        table = work_out(game, situations, attackers=attackers, advance=advance)
    if glance:
        table = table.head(HEAD)
    head = tables.provenance(game, definition.name, definition.postures)
    content = tables.csv(table, head)
    if as_json:  # by pandas, since there may be a third of a million rows
        content = f'{{"matchups":{table.to_json(orient="records")},"provenance":{json.dumps(head.said())}}}\n'
    if out is not None:
        files.write(out, content)
        return
    click.echo(content, nl=False)
    if glance:
        rows = len(ids) ** 2 * len(situations.moments)
        click.echo(f"{len(table)} of {counted(rows, 'row')}; --out FILE writes them all; so does a pipe", err=True)


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--out",
    callback=as_path,
    metavar="DIR",
    help="Folder to write to; a report in it is replaced.  [default: reports/out/ plus the definition's name]",
)
@click.option("--list", "listed", is_flag=True, help="List the report definitions, and write nothing.")
@takes_sweep
@options.takes_game
@options.takes_boards
def report(choice: options.Choice, spec: str | None, out: Path | None, listed: bool) -> None:
    """Write the balance report: page, summary, tables and pictures.

    SPEC is a report definition: a file, or a name from --list. The default is the game's own.
    """
    if listed:
        from aabalance.definitions.report import Entry, catalogue

        print_table(Entry._fields, catalogue(), cut=True)
        return
    from aabalance.report import build

    definition, game = choice.definition(spec)
    with progress(build.total(definition, game), "steps") as advance:
        folder = build.write(definition, game, out, advance)
    click.echo(f"{folder / 'index.html'}")
