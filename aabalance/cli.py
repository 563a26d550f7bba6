"""The command line: each command reads its words and calls the layers below.

Importing this module imports click alone; every command imports what it needs when it runs, so that ``--help`` and one
exact matchup wait for no table or compiler. Exit codes: 0 fine, 1 a gate failed, 2 bad usage or a bad card, 3 internal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from aabalance.errors import UsageError, one_of
from aabalance.terminal import Main, debug_option, print_block, print_json, print_table, progress

if TYPE_CHECKING:
    from aabalance.game import Game
    from aabalance.report.spec import Spec


class _Cards(click.Group):
    """A group whose first word may also be a unit id, or be missing."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "-h", "--help"):
            args = [SHOW, *args]
        return super().parse_args(ctx, args)


SHOW = "[ID]..."
POSTURE = "hold|close:X|cautious:X|optimal"


class _Choice(NamedTuple):
    """What the options common to all commands choose."""

    name: str
    named: bool
    cards: Path | None
    variant: Mapping[str, Any]
    presets: tuple[str, ...]
    changes: tuple[str, ...]

    def game(self) -> Game:
        from aabalance import rulesets
        from aabalance.game import Game, preset

        switches: dict[str, Any] = {}
        for name in self.presets:
            switches |= preset(rulesets.load(self.name), name)
        return Game(self.name, self.cards, switches | dict(self.variant), self.changes)

    def definition(self, source: str | None) -> tuple[Spec, Game]:
        """Return a report definition and the game under its rules and those of the command line, which come first.

        A definition that is named chooses its game, unless the command line does.
        """
        from aabalance.report import spec

        found = spec.read(source, None if source and not self.named else self.name)
        chosen = self._replace(name=found.game, variant={**found.variant, **self.variant})
        return found, chosen.game()

    def derived(self, game: Game) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that the facts beside the cards give."""
        from aabalance.files import data_folder

        folder = self.cards or data_folder("unitdb") / self.name
        try:
            return game.ruleset.derive(folder)
        except FileNotFoundError as error:
            raise UsageError(
                f"{error.filename}: found no such file, expected the facts that cards derive from"
            ) from None


_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _pairs(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any]:
    """Return ``key=value`` words as a dict: numbers and true as TOML has them, ``none``, else text."""
    pairs = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not (key.strip() and equals):
            raise click.BadParameter(f"found {value!r}, expected key=value", ctx, parameter)
        from aabalance.cards import literal

        pairs[key.strip()] = None if text.strip().lower() == "none" else literal(text)
    return pairs


def _variant(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    """Return the switches, and the words that are none but name a preset."""
    presets = tuple(value for value in values if "=" not in value)
    return _pairs(ctx, parameter, [value for value in values if "=" in value]), presets


def _takes_game(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that choose a game, its cards and its rules; it gets them as one `choice`."""

    @wraps(command)
    def with_choice(
        game: str, cards: Path | None, variant: tuple[Any, tuple[str, ...]], changes: tuple[str, ...], **rest: Any
    ) -> None:
        named = click.get_current_context().get_parameter_source("game") is not ParameterSource.DEFAULT
        command(choice=_Choice(game, named, cards, *variant, changes), **rest)

    options = [
        click.option("--game", default="armored_advance", show_default=True, metavar="NAME", help="Which game."),
        click.option("--cards", type=click.Path(path_type=Path), metavar="DIR", help="A folder of unit cards."),
        click.option(
            "--variant",
            multiple=True,
            metavar="KEY=VALUE|PRESET",
            callback=_variant,
            help="A rule switch, or a preset of them; repeatable.",
        ),
        click.option("--set", "changes", multiple=True, metavar="ID.FIELD=VALUE", help="What if; repeatable."),
        debug_option,
    ]
    for option in reversed(options):
        with_choice = option(with_choice)
    return with_choice


def _takes_situation(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a situation; it gets their fields as `situation`."""

    @wraps(command)
    def with_situation(range_in: float, facing: str | None, fields: dict[str, Any], **rest: Any) -> None:
        given = {"range_in": range_in, "facing": facing}
        situation = {**fields, **{name: value for name, value in given.items() if value is not None}}
        command(situation=situation, **rest)

    options = [
        click.option("--range", "range_in", type=float, required=True, metavar="INCHES", help="Distance."),
        click.option("--facing", metavar="FACE", help="Face of the target: front, side or rear."),
        click.option(
            "--with",
            "fields",
            multiple=True,
            metavar="KEY=VALUE",
            callback=_pairs,
            help="Cover and the like; repeatable.",
        ),
    ]
    for option in reversed(options):
        with_situation = option(with_situation)
    return with_situation


def _check_fields(game: Game, situation: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse ``--with`` for anything but a field of the game's situation."""
    fields = game.ruleset.Situation.model_fields
    for name in situation:
        if name not in fields:
            raise UsageError(f"--with: {one_of(name, fields)}")
    return situation


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
@_takes_game
@_json_option
def cards_show(choice: _Choice, ids: tuple[str, ...], as_json: bool) -> None:
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
@_takes_game
def cards_check(choice: _Choice) -> None:
    """Check all cards; every fault with its file and line."""
    click.echo(f"{len(choice.game().cards)} cards are fine")


@cards.command("derive")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_takes_game
@_json_option
def cards_derive(choice: _Choice, ids: tuple[str, ...], as_json: bool) -> None:
    """Derive cards from real-world facts, as TOML; requisition is that of the card there is."""
    from aabalance.cards_audit import with_cost
    from aabalance.errors import UnknownUnitError

    game = choice.game()
    derived = choice.derived(game)
    chosen: dict[str, dict[str, Any]] = {}
    for unit_id in ids or derived:
        if unit_id not in derived:
            raise UnknownUnitError(unit_id, derived)
        chosen[unit_id] = with_cost(game.cards, unit_id, derived[unit_id], game.ruleset.currency)
    if as_json:
        print_json(chosen)
    else:
        _print_toml(chosen)


@cards.command("audit")
@_takes_game
@_json_option
def cards_audit(choice: _Choice, as_json: bool) -> None:
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
@_takes_game
def cards_export(choice: _Choice, file: Path) -> None:
    """Write all cards to a CSV, a row each."""
    from aabalance import cards_csv, files

    content = cards_csv.export(choice.game().cards)
    if str(file) == "-":
        click.echo(content, nl=False)
    else:
        files.write(file, content)


@cards.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.csv")
@_takes_game
def cards_import(choice: _Choice, file: Path) -> None:
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
@_takes_game
@_json_option
def rules(choice: _Choice, only_open: bool, as_json: bool) -> None:
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
@_takes_situation
@click.option("--moved", is_flag=True, help="The attacker's first action was a move.")
@click.option("--weapon", metavar="NAME", help="Which weapon; by default the one of largest expected effect.")
@click.option("--explain", is_flag=True, help="Show every step with its rulebook section.")
@_takes_game
@_json_option
def shot(
    choice: _Choice,
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
    at = _check_fields(game, {**situation, **({"moved": True} if moved else {})})
    result = game.shot(attacker, target, weapon=weapon, **at)
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(result.explain() if explain else repr(result))


@main.command()
@click.argument("a")
@click.argument("b")
@_takes_situation
@click.option("--first", default="roll_off", show_default=True, metavar="a|b|roll_off", help="Who has the first turn.")
@click.option("--rounds", type=int, metavar="N", help="Turn limit; by default to the end, 12 for optimal.")
@click.option("--posture-a", default="hold", show_default=True, metavar=POSTURE, help="What a does.")
@click.option("--posture-b", default="hold", show_default=True, metavar=POSTURE, help="What b does.")
@click.option("--simulate", type=int, metavar="N", help="Roll N duels instead of solving exactly.")
@click.option(
    "--target-error", type=float, metavar="E", help="Roll until the 95% interval is this narrow to each side."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of the dice.")
@_takes_game
@_json_option
def duel(choice: _Choice, a: str, b: str, situation: dict[str, Any], as_json: bool, **options: Any) -> None:
    """Solve a duel of two units exactly, or simulate it."""
    game = choice.game()
    result = game.duel(a, b, **options, **_check_fields(game, situation))
    if as_json:
        print_json(result.to_dict())
    else:
        click.echo(repr(result))


# --- tables and the report


@main.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where the CSV goes; printed by default.")
@_takes_game
@_json_option
def matchups(choice: _Choice, spec: str | None, out: Path | None, as_json: bool) -> None:
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
@_takes_game
def report(choice: _Choice, spec: str | None, out: Path | None) -> None:
    """Write the balance report: a page, a summary, tables and pictures."""
    from aabalance.report import build

    definition, game = choice.definition(spec)
    with progress(build.steps(definition, game), "report") as advance:
        folder = build.write(definition, game, out, advance)
    click.echo(f"{folder / 'index.html'}")


@main.command()
@click.option("--quick", is_flag=True, help="Fewer trials and rounds: under half a minute.")
@_json_option
@debug_option
def bench(quick: bool, as_json: bool) -> None:
    """Measure the engine against its baselines, as ratios, side by side in one run."""
    from aabalance.files import data_folder

    folder = data_folder("benchmarks")
    if not (folder / "run.py").is_file():
        raise UsageError("bench: found no folder benchmarks, expected a checkout of the project")
    sys.path.insert(0, str(folder.parent))
    import_module("benchmarks.run").main(as_json, quick)
