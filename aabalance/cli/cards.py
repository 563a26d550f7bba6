"""The commands for unit cards. Importing this module imports nothing but click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.paths import as_output, as_path
from aabalance.cli.terminal import print_json, print_table
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    from aabalance.game import Game

SHOW = "[ID]..."
OF_CARDS = "*.toml", "unit.schema.json", "facts.csv"
"""Files that `--cards` reads; others in a folder of ours are rules."""


class _Cards(click.Group):
    """A group whose first word may also be a unit id, or be missing."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "-h", "--help"):
            args = [SHOW, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options without a command, too, since those are the ones that people look for here."""
        with formatter.section("Options without a command"):
            records = (param.get_help_record(ctx) for param in self.commands[SHOW].get_params(ctx))
            formatter.write_dl([record for record in records if record and record[0]])
        self.format_commands(ctx, formatter)


@click.group(cls=_Cards, subcommand_metavar="[ID]... | COMMAND [ARGS]...")
def cards() -> None:
    """List, show, check and derive unit cards. Export them to a spreadsheet, and import them from it."""


@cards.command(SHOW, options_metavar="[OPTIONS]")
@click.argument("words", nargs=-1, metavar="")
@click.option("--nation", metavar="NAME", help="Only units of this nation.")
@click.option("--class", "category", metavar="CLASS", help="Only units of this class.")
@click.option(
    "--print", "printed", callback=as_output(), metavar="OUT.html", help="Write a page of cards to print on A4."
)
@options.takes(options.NAME, options.CARDS, options.CHANGES)
@options.json_option
def cards_show(
    choice: options.Choice,
    words: tuple[str, ...],
    nation: str | None,
    category: str | None,
    printed: Path | None,
    as_json: bool,
) -> None:
    """List cards, or show them as TOML. Words select cards by id and name."""
    from aabalance.cli import listing

    if printed is not None and as_json:
        raise UsageError("--print: found together with --json, expected one of the two")
    game = choice.game()
    kept = listing.chosen(game, nation, category)
    try:
        asked = [game.cards.id_of(word) for word in words]
        whole = bool(words)
    except UsageError:
        asked = listing.with_words(game, words)
        whole = False
        if not asked and words[0] in ("show", "list"):
            told = " ".join(["aabalance cards", *words[1:]])
            raise UsageError(f"cards: found {words[0]!r}, expected units alone, or none: `{told}`") from None
        if not asked:
            raise
    ids = [unit_id for unit_id in dict.fromkeys(asked) if unit_id in kept] if words else kept
    if not ids:
        raise UsageError(f"cards: found none of {', '.join(asked)} in that nation and class, expected one at least")
    if printed is not None:
        _print_cards(game, ids, printed)
    elif as_json:
        print_json({unit_id: game.cards.tables[unit_id] for unit_id in ids})
    elif whole:
        _print_toml({unit_id: game.cards.tables[unit_id] for unit_id in ids})
    else:
        print_table(*listing.listing(game, ids), cut=True)


@cards.command("check")
@options.takes(options.NAME, options.CARDS, options.CHANGES)
def cards_check(choice: options.Choice) -> None:
    """Check all cards, and list every fault with its file and line."""
    number = len(choice.game().cards)
    click.echo(f"{counted(number, 'card')} {'is' if number == 1 else 'are'} fine")


@cards.command("derive")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@options.takes(options.NAME, options.CARDS, options.CHANGES)
@options.json_option
def cards_derive(choice: options.Choice, ids: tuple[str, ...], as_json: bool) -> None:
    """Derive cards from real-world facts, as TOML. The requisition is copied from the present card."""
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
@options.takes(options.NAME, options.CARDS, options.CHANGES)
@options.json_option
def cards_audit(choice: options.Choice, as_json: bool) -> None:
    """List every field in which a card deviates from its facts."""
    from aabalance.cards.audit import Deviation, deviations

    game = choice.game()
    derived = choice.derived(game)
    differences = deviations(game.cards, derived, game.ruleset.labels.currency)
    if as_json:
        print_json([deviation._asdict() for deviation in differences])
        return
    if differences:
        print_table(Deviation._fields, differences)
    apart = [unit_id for unit_id in game.cards if unit_id not in derived]
    names = f": {', '.join(apart)}" if apart else ""
    said = f"{counted(len(differences), 'deviation')} in {counted(len(derived), 'derived card')}"
    click.echo(f"{said}; {counted(len(apart), 'card')} {'has' if len(apart) == 1 else 'have'} no facts{names}")


@cards.command("copy")
@click.argument("folder", callback=as_path, metavar="DIR")
@options.takes(options.NAME)
def cards_copy(choice: options.Choice, folder: Path) -> None:
    """Copy a game's cards to a new folder, to change and extend. Then --cards DIR uses them."""
    from aabalance import files, rulesets

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: found it there already, expected a new folder, or an empty one")
    source = files.data_folder("unitdb") / rulesets.load(choice.name).name
    own = (file for pattern in OF_CARDS for file in source.glob(pattern))
    files.write_all({folder / file.name: file.read_bytes() for file in own})


@cards.command("export")
@click.argument("file", callback=as_path, metavar="FILE.csv")
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@options.takes(options.NAME, options.CARDS, options.CHANGES)
def cards_export(choice: options.Choice, file: Path, overwrite: bool) -> None:
    """Write all cards to a CSV, one row per card."""
    from aabalance import files
    from aabalance.cards import csv

    if file.is_file() and not overwrite:
        raise UsageError(f"{file}: found a file of this name, expected none, or --overwrite")
    content = csv.export(choice.game().cards)
    if str(file) == "-":
        click.echo(content, nl=False)
    else:
        files.write(file, content)


@cards.command("import")
@click.argument("file", callback=as_path, metavar="FILE.csv")
@options.dry_run_option
@options.yes_option
@options.takes(options.NAME, options.CARDS)
def cards_import(choice: options.Choice, file: Path, dry_run: bool, yes: bool) -> None:
    """Write the changed cells of a CSV into the cards. Rows with new ids are new units.

    The files keep their comments and their order.
    """
    from aabalance.cards import csv

    cards = choice.game().cards
    changes, added, paths = csv.import_(cards, file, dry_run=True)
    if paths and not dry_run:
        choice.refuse_silent_writing(yes=yes)
    for change in changes:
        old, new = ("nothing" if value is None else value for value in (change.old, change.new))
        click.echo(f"{change.unit_id}.{change.column}: {old} -> {new}")
    for unit_id, path in added.items():
        click.echo(f"{unit_id}: new, in {path}")
    written = not dry_run and choice.may_write(paths, yes=yes)
    if written:
        csv.import_(cards, file)
    units = {change.unit_id for change in changes}
    changed = "changed" if written else "would change"
    more = f", {counted(len(added), 'card')} new" if added else ""
    click.echo(f"{counted(len(changes), 'field')} of {counted(len(units), 'card')} {changed}{more}")


def _print_cards(game: Game, ids: Sequence[str], path: Path) -> None:
    from aabalance import files
    from aabalance.report.cards_print import page

    files.write(path, page(game, ids))
    click.echo(f"{path}: {counted(len(ids), 'card')}")


def _print_toml(tables: Mapping[str, Mapping[str, Any]]) -> None:
    from aabalance.cards.save import text

    click.echo("\n".join(text(unit_id, table) for unit_id, table in tables.items()), nl=False)
