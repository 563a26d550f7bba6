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

from aabalance.errors import UsageError
from aabalance.options import Choice, check_fields, json_option, takes_game, takes_situation
from aabalance.terminal import Main, debug_option, print_block, print_json, print_table, progress


class _Cards(click.Group):
    """A group whose first word may also be a unit id, or be missing."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "-h", "--help"):
            args = [SHOW, *args]
        return super().parse_args(ctx, args)


SHOW = "[ID]..."
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
@click.argument("ids", nargs=-1, metavar="")
@takes_game
@json_option
def cards_show(choice: Choice, ids: tuple[str, ...], as_json: bool) -> None:
    """List all cards, or show some as TOML."""
    game = choice.game()
    for unit_id in ids:
        game.card(unit_id)
    chosen = {unit_id: game.cards.tables[unit_id] for unit_id in ids or game.cards}
    if as_json:
        print_json(chosen)
    elif ids:
        _print_toml(chosen)
    else:
        print_table(*game.listing())


@cards.command("check")
@takes_game
def cards_check(choice: Choice) -> None:
    """Check all cards; every fault with its file and line."""
    click.echo(f"{len(choice.game().cards)} cards are fine")


@cards.command("derive")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@takes_game
@json_option
def cards_derive(choice: Choice, ids: tuple[str, ...], as_json: bool) -> None:
    """Derive cards from real-world facts, as TOML; requisition is that of the card there is."""
    from aabalance.cards_audit import with_cost
    from aabalance.errors import UnknownUnitError

    game = choice.game()
    derived = choice.derived(game)
    chosen: dict[str, dict[str, Any]] = {}
    if not derived:
        raise UsageError(f"derive: the cards of {game.ruleset.title} have no facts to derive from")
    for unit_id in ids or derived:
        if unit_id not in derived:
            raise UnknownUnitError(unit_id, derived)
        chosen[unit_id] = with_cost(game.cards, unit_id, derived[unit_id], game.ruleset.currency)
    if as_json:
        print_json(chosen)
    else:
        _print_toml(chosen)


@cards.command("audit")
@takes_game
@json_option
def cards_audit(choice: Choice, as_json: bool) -> None:
    """List every deviation of a card from what its facts give."""
    from aabalance.cards_audit import Deviation, deviations

    game = choice.game()
    derived = choice.derived(game)
    found = deviations(game.cards, derived, game.ruleset.currency)
    if as_json:
        print_json([deviation._asdict() for deviation in found])
        return
    if found:
        print_table(Deviation._fields, found)
    apart = [unit_id for unit_id in game.cards if unit_id not in derived]
    names = f": {', '.join(apart)}" if apart else ""
    click.echo(f"{len(found)} deviations in {len(derived)} derived cards; {len(apart)} cards have no facts{names}")


@cards.command("export")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE.csv")
@takes_game
def cards_export(choice: Choice, file: Path) -> None:
    """Write all cards to a CSV, a row each."""
    from aabalance import cards_csv, files

    content = cards_csv.export(choice.game().cards)
    if str(file) == "-":
        click.echo(content, nl=False)
    else:
        files.write(file, content)


@cards.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.csv")
@takes_game
def cards_import(choice: Choice, file: Path) -> None:
    """Write the changed cells of an exported CSV into the cards; comments and order of the files stay."""
    from aabalance import cards_csv

    if choice.changes:
        raise UsageError("--set: found a what-if, expected none: an import writes to the cards")
    changes = cards_csv.import_(choice.game().cards, file)
    for change in changes:
        old, new = ("nothing" if value is None else value for value in (change.old, change.new))
        click.echo(f"{change.unit_id}.{change.column}: {old} -> {new}")
    click.echo(f"{len(changes)} fields of {len({change.unit_id for change in changes})} cards changed")


def _print_toml(tables: Mapping[str, Mapping[str, Any]]) -> None:
    from aabalance import cards_toml

    click.echo("\n".join(cards_toml.text(unit_id, table) for unit_id, table in tables.items()), nl=False)


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
    modelled = sum(bool(row["functions"]) for row in covered)
    click.echo(f"{ruleset.rulebook}: {len(covered)} rules, {modelled} modelled")
    click.echo(f"{len(points)} points are left open; --open lists them")


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
    at = check_fields(game, {**situation, **({"moved": True} if moved else {})})
    result = game.shot(attacker, target, weapon=weapon, **at)
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
    game = choice.game()
    result = game.duel(a, b, **options, **check_fields(game, situation))
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(repr(result))


# --- tables and the report


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where the CSV goes; printed by default.")
@takes_game
@json_option
def matchups(choice: Choice, spec: str | None, out: Path | None, as_json: bool) -> None:
    """Work out every unit against every unit in the situations of a report definition, as CSV."""
    from aabalance import files
    from aabalance.analysis.matchups import matchups as work_out
    from aabalance.analysis.situations import Situations
    from aabalance.report import build, tables

    definition, game = choice.definition(spec)
    files.probe([out] if out else [])
    with progress(len(game.cards), "matchups") as advance:
        found = work_out(game, Situations.of(game, definition.situations), advance=advance)
    head = "; ".join(f"{key}: {value}" for key, value in build.provenance(game).items())
    content = found.to_json(orient="records") + "\n" if as_json else tables.csv(found, head)
    if out is None:
        click.echo(content, nl=False)
    else:
        files.write(out, content)


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Default: reports/out/ and the game's name."
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
