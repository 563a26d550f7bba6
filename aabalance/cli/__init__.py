"""The command line: each command reads its words and calls the layers below.

Importing this module imports click alone; every command imports what it needs when it runs, so that ``--help`` and one
exact matchup wait for no table or compiler. Exit codes: 0 fine, 1 a gate failed, 2 bad usage or a bad card, 3 internal.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from aabalance.cli.actions import actions
from aabalance.cli.options import Choice, as_path, check_fields, join, json_option, takes_game, takes_situation
from aabalance.cli.terminal import Main, debug_option, on_terminal, print_block, print_json, print_table, progress
from aabalance.errors import UsageError, counted


class _Cards(click.Group):
    """A group whose first word may also be a unit id, or be missing."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "-h", "--help"):
            args = [SHOW, *args]
        return super().parse_args(ctx, args)


SHOW = "[ID]..."
HEAD = 10
POSTURE = "hold|close:X|cautious:X|optimal"


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="aabalance")
@debug_option
def main() -> None:
    """Balance analysis for tabletop wargames: exact odds, duels and tables from your unit cards."""


# --- cards


@main.group(cls=_Cards, subcommand_metavar="[ID]... | COMMAND [ARGS]...", short_help="List, show, check, derive cards.")
def cards() -> None:
    """List, show, check and derive unit cards, and take them to a spreadsheet and back."""


@cards.command(SHOW, options_metavar="[OPTIONS]")
@click.argument("words", nargs=-1, metavar="")
@click.option("--nation", metavar="NAME", help="Only units of this nation.")
@click.option("--class", "category", metavar="CLASS", help="Only units of this class.")
@takes_game
@json_option
def cards_show(choice: Choice, words: tuple[str, ...], nation: str | None, category: str | None, as_json: bool) -> None:
    """List all cards, or those with some words in id or name; show units that are named as TOML."""
    from aabalance.cli import listing

    game = choice.game()
    kept = listing.chosen(game, nation, category)
    try:
        asked = [game.cards.id_of(word) for word in words]
        whole = bool(words)
    except UsageError:
        asked = listing.with_words(game, words)
        whole = False
        if not asked:
            raise
    ids = [unit_id for unit_id in dict.fromkeys(asked) if unit_id in kept] if words else kept
    if not ids:
        raise UsageError(f"cards: found none of {', '.join(asked)} in that nation and class, expected one at least")
    if as_json:
        print_json({unit_id: game.cards.tables[unit_id] for unit_id in ids})
    elif whole:
        _print_toml({unit_id: game.cards.tables[unit_id] for unit_id in ids})
    else:
        print_table(*listing.listing(game, ids), cut=True)


@cards.command("check")
@takes_game
def cards_check(choice: Choice) -> None:
    """Check all cards; every fault with its file and line."""
    number = len(choice.game().cards)
    click.echo(f"{counted(number, 'card')} {'is' if number == 1 else 'are'} fine")


@cards.command("derive")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@takes_game
@json_option
def cards_derive(choice: Choice, ids: tuple[str, ...], as_json: bool) -> None:
    """Derive cards from real-world facts, as TOML; requisition is that of the card there is."""
    from aabalance.cards.audit import with_cost

    game = choice.game()
    derived = choice.derived(game)
    chosen: dict[str, dict[str, Any]] = {}
    if not derived:
        raise UsageError(f"derive: the cards of {game.ruleset.labels.title} have no facts to derive from")
    for word in ids or derived:
        unit_id = word if word in derived else game.cards.id_of(word)
        if unit_id not in derived:
            raise UsageError(f"derive: found no facts on {unit_id}, expected a unit that derives from facts")
        chosen[unit_id] = with_cost(game.cards, unit_id, derived[unit_id], game.ruleset.labels.currency)
    if as_json:
        print_json(chosen)
    else:
        _print_toml(chosen)


@cards.command("audit")
@takes_game
@json_option
def cards_audit(choice: Choice, as_json: bool) -> None:
    """List every deviation of a card from what its facts give."""
    from aabalance.cards.audit import Deviation, deviations

    game = choice.game()
    derived = choice.derived(game)
    found = deviations(game.cards, derived, game.ruleset.labels.currency)
    if as_json:
        print_json([deviation._asdict() for deviation in found])
        return
    if found:
        print_table(Deviation._fields, found)
    apart = [unit_id for unit_id in game.cards if unit_id not in derived]
    names = f": {', '.join(apart)}" if apart else ""
    said = f"{counted(len(found), 'deviation')} in {counted(len(derived), 'derived card')}"
    click.echo(f"{said}; {counted(len(apart), 'card')} {'has' if len(apart) == 1 else 'have'} no facts{names}")


@cards.command("export")
@click.argument("file", callback=as_path, metavar="FILE.csv")
@takes_game
def cards_export(choice: Choice, file: Path) -> None:
    """Write all cards to a CSV, a row each."""
    from aabalance import files
    from aabalance.cards import csv

    content = csv.export(choice.game().cards)
    if str(file) == "-":
        click.echo(content, nl=False)
    else:
        files.write(file, content)


@cards.command("import")
@click.argument("file", callback=as_path, metavar="FILE.csv")
@takes_game
def cards_import(choice: Choice, file: Path) -> None:
    """Write the changed cells of an exported CSV into the cards; comments and order of the files stay."""
    from aabalance.cards import csv

    if choice.changes:
        raise UsageError("--set: found a what-if, expected none: an import writes to the cards")
    changes = csv.import_(choice.game().cards, file)
    for change in changes:
        old, new = ("nothing" if value is None else value for value in (change.old, change.new))
        click.echo(f"{change.unit_id}.{change.column}: {old} -> {new}")
    units = {change.unit_id for change in changes}
    click.echo(f"{counted(len(changes), 'field')} of {counted(len(units), 'card')} changed")


def _print_toml(tables: Mapping[str, Mapping[str, Any]]) -> None:
    from aabalance.cards.text import text

    click.echo("\n".join(text(unit_id, table) for unit_id, table in tables.items()), nl=False)


# --- the rulebook


@main.command()
@click.option("--open", "only_open", is_flag=True, help="Only the points that the rulebook leaves open.")
@takes_game
@json_option
def rules(choice: Choice, only_open: bool, as_json: bool) -> None:
    """Show where each rule of the rulebook is modelled, by what, tested by what, and the points it leaves open."""
    from aabalance import rulebook, rulesets

    ruleset = rulesets.load(choice.name)
    points = rulebook.open_points(ruleset)
    covered = rulebook.coverage(ruleset)
    if as_json:
        print_json(points if only_open else {"rules": covered, "points": points})
        return
    if only_open:
        for row in points:
            switches = [f"{name}={_alternatives(switch)}" for name, switch in row["switches"].items()]
            head = f"{row['point']}  {row['section']}: {row['question']}"
            print_block(head, {"read as": [row["reading"]], "switch": switches})
        return
    for row in covered:
        head = f"{row['section']}: {row['rule']}"
        print_block(head, {"modelled": [row["modelled"]], **{k: row[k] for k in ("functions", "tests", "points")}})
    kinds = ", ".join(f"{n} {kind}" for kind, n in rulebook.counts(ruleset).items())
    click.echo(f"{ruleset.labels.rulebook}: {counted(len(covered), 'rule')}, {kinds}")
    left = f"{counted(len(points), 'point')} {'is' if len(points) == 1 else 'are'}"
    click.echo(f"{left} left open; --open lists them")


def _alternatives(switch: Mapping[str, Any]) -> str:
    return "|".join(str(value) for value in switch["values"])


# --- shots and duels


@main.command()
@click.argument("attacker")
@click.argument("target")
@takes_situation
@click.option("--moved", is_flag=True, help="The attacker's first action was a move.")
@click.option("--weapon", metavar="NAME", help="Which weapon; by default the one of largest expected effect.")
@click.option("--explain", is_flag=True, help="Show every step with its rulebook section.")
@takes_game
@json_option
def shot(
    choice: Choice,
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
        join(situation, {"moved": True}, "--moved")
    result = game.shot(attacker, target, weapon=weapon, **check_fields(game, situation, of_one_attack=True))
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(result.explain() if explain else repr(result))


@main.command()
@click.argument("a")
@click.argument("b")
@takes_situation
@click.option("--first", default="roll_off", show_default=True, metavar="a|b|roll_off", help="Who has the first turn.")
@click.option("--rounds", type=int, metavar="N", help="Turn limit; by default to the end, 12 for optimal.")
@click.option("--posture-a", default="hold", show_default=True, metavar=POSTURE, help="What a does.")
@click.option("--posture-b", default="hold", show_default=True, metavar=POSTURE, help="What b does.")
@click.option("--simulate", type=int, metavar="N", help="Roll N duels instead of solving exactly.")
@click.option(
    "--target-error", type=float, metavar="E", help="Roll until the 95% interval is this narrow to each side."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of the dice.")
@takes_game
@json_option
def duel(choice: Choice, a: str, b: str, situation: dict[str, Any], as_json: bool, **options: Any) -> None:
    """Solve a duel of two units exactly, or simulate it."""
    from aabalance.play.duel import most_trials

    game = choice.game()
    at = check_fields(game, situation, of_one_attack=False)
    with progress(most_trials(options["simulate"], options["target_error"]), "duels") as advance:
        result = game.duel(a, b, **options, advance=advance, **at)
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(repr(result))


@main.command()
@click.argument("list_a", metavar="A")
@click.argument("list_b", metavar="B")
@takes_situation
@click.option(
    "--actions", metavar="N|N,N", help="Action limit of a side's turn, or of each side's; needed if the game has one."
)
@click.option("--mode", default="annihilation", show_default=True, metavar="annihilation|timed", help="How it ends.")
@click.option("--rounds", type=int, metavar="N", help="Turn limit, turns of each side; a timed battle needs one.")
@click.option("--first", default="roll_off", show_default=True, metavar="a|b|roll_off", help="Who has the first turn.")
@click.option(
    "--policy-a",
    default="value",
    show_default=True,
    metavar="NAME",
    help="Who of a acts on whom; a wrong name lists them.",
)
@click.option("--policy-b", default="value", show_default=True, metavar="NAME", help="The same of b.")
@click.option("--posture-a", default="hold", show_default=True, metavar="hold", help="What a's units do.")
@click.option("--posture-b", default="hold", show_default=True, metavar="hold", help="What b's units do.")
@click.option("--requisition", type=int, metavar="N", help="What a list may cost.")
@click.option("--explain", is_flag=True, help="Show one battle turn by turn, with dice and rules; --seed picks it.")
@click.option("--units", "tables", flag_value="units", multiple=True, help="Show what each unit does; rolled.")
@click.option("--timeline", "tables", flag_value="timeline", multiple=True, help="Show what is left by turn; rolled.")
@click.option("--left", "tables", flag_value="requisition_left", multiple=True, help="Show how often how much is left.")
@click.option("--simulate", type=int, metavar="N", help="Roll N battles instead of solving exactly.")
@click.option(
    "--target-error", type=float, metavar="E", help="Roll until the 95% interval is this narrow to each side."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of the dice.")
@takes_game
@json_option
def battle(
    choice: Choice,
    list_a: str,
    list_b: str,
    situation: dict[str, Any],
    actions: str | None,
    explain: bool,
    tables: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Solve a battle of two lists, such as "de_tiger1,de_pz4h*2", under an action limit; or roll it.

    Tables of units, turns and what is left are always rolled: the battles of --simulate, else 10000.
    """
    from aabalance.play.duel import most_trials

    game = choice.game()
    at = check_fields(game, situation, of_one_attack=False)
    with progress(most_trials(options["simulate"], options["target_error"]), "battles") as advance:
        result = game.battle(list_a, list_b, actions=_limits(actions), **options, advance=advance, **at)
    if as_json:
        more = {name: getattr(result, name).to_dict(orient="records") for name in tables}
        print_json({**result.to_dict(), **more, **({"explain": result.explain()} if explain else {})})
        return
    click.echo(result.explain() if explain else repr(result))
    for name in tables:
        table = getattr(result, name)
        click.echo(f"\n{name}: rolled, {table['n'].iloc[0]} battles, seed {table.attrs['seed']}")
        print_table(
            list(table), [[f"{v:.4g}" if isinstance(v, float) else v for v in row] for row in table.to_numpy(object)]
        )


def _limits(text: str | None) -> Any:
    """Return the action limits that a word says, a number or two of them; none without a word."""
    if text is None:
        return None
    limits = tuple(int(part) if part.strip().isdecimal() else part for part in text.split(","))
    return limits[0] if len(limits) == 1 else limits


main.add_command(actions)


# --- tables and the report


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option("--out", callback=as_path, metavar="FILE", help="Where the CSV goes; printed by default.")
@takes_game
@json_option
def matchups(choice: Choice, spec: str | None, out: Path | None, as_json: bool) -> None:
    """Work out every unit against every unit in the situations of a report definition, as CSV."""
    from aabalance import files
    from aabalance.analysis.matchups import matchups as work_out
    from aabalance.analysis.situations import Situations
    from aabalance.report import build, tables

    definition, game = choice.definition(spec)
    situations = Situations.of(game, definition.situations, definition.rounds)
    ids = list(game.cards)
    # A person gets to see how the table begins, for which its first attacker is enough.
    glance = out is None and on_terminal()
    attackers = ids[:1] if glance else ids
    if out is not None:
        files.probe(out)
    with progress(len(attackers), "matchups") as advance:
        found = work_out(game, situations, attackers=attackers, advance=advance)
    if glance:
        found = found.head(HEAD)
    head = build.provenance(definition, game)
    content = found.to_json(orient="records") + "\n" if as_json else tables.csv(found, head)
    if out is not None:
        files.write(out, content)
        return
    click.echo(content, nl=False)
    if glance:
        rows = len(ids) ** 2 * len(situations.moments)
        click.echo(
            f"{len(found)} of {counted(rows, 'row')}; --out FILE writes all of them, a pipe gets them, too", err=True
        )


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--out", callback=as_path, metavar="DIR", help="Default: reports/out/ and the game's name; made if missing."
)
@takes_game
def report(choice: Choice, spec: str | None, out: Path | None) -> None:
    """Write the balance report: a page, a summary, tables and pictures."""
    from aabalance.report import build

    definition, game = choice.definition(spec)
    with progress(build.steps(definition, game), "report") as advance:
        folder = build.write(definition, game, out, advance)
    click.echo(f"{folder / 'index.html'}")


@main.command()
@click.option("--quick", is_flag=True, help="Fewer trials and rounds: under half a minute.")
@json_option
@debug_option
def bench(quick: bool, as_json: bool) -> None:
    """Measure the engine against its baselines, as ratios, side by side in one run."""
    from aabalance.files import data_folder

    folder = data_folder("benchmarks")
    if not (folder / "run.py").is_file():
        raise UsageError("bench: found no folder benchmarks, expected a checkout of the project")
    sys.path.insert(0, str(folder.parent))
    import_module("benchmarks.run").main(as_json, quick)
