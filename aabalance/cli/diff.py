"""The command for what a change did to the balance. Imports nothing but click."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.paths import as_output
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import print_json, print_table, progress
from aabalance.errors import UsageError

if TYPE_CHECKING:
    from aabalance.diff.compare import Comparison
    from aabalance.game import Game

AS_THEY_ARE = "the cards as they are"


@click.command()
@click.argument("old", required=False, metavar="[OLD]")
@click.argument("new", required=False, metavar="[NEW]")
@click.option(
    "--new-variant",
    multiple=True,
    metavar="KEY=VALUE|PRESET",
    callback=options.switches_of,
    help="A rule switch or preset for the new side only; repeatable.",
)
@click.option("--markdown", callback=as_output(), metavar="FILE", help="Also write Markdown, for a pull request.")
@click.option("--html", callback=as_output(), metavar="FILE", help="Also write one HTML file.")
@options.seed_option("the draws behind the intervals")
@takes_sweep
@options.takes_game
@options.json_option
def diff(
    choice: options.Choice,
    old: str | None,
    new: str | None,
    new_variant: tuple[Any, tuple[str, ...]],
    markdown: Path | None,
    html: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Show what a change of cards or rules did: worth, scores, duels.

    OLD and NEW are folders of cards, git revisions (or main..HEAD for both), or the folders of two reports. A side
    that isn't named is the cards as they are. Revisions are looked up in the git repository of --cards, or of the
    cards in the current folder. --set and --new-variant change only the new side; --variant applies to both.
    """
    from aabalance import files, rulesets
    from aabalance.diff import sentences as words

    if markdown is not None and markdown == html:
        raise UsageError(f"--markdown, --html: found {markdown} twice, expected two files")
    labels = rulesets.load(choice.name).labels
    choice, origin = _with_repository(choice, old, new)
    found, names = _compared(choice, _sides(choice, old, new), new_variant, seed)
    shown = words.in_words(found, labels, *names, origin=origin)
    contents: dict[Path, str | bytes] = {}
    if markdown is not None:
        contents[markdown] = words.markdown(shown)
    if html is not None:
        contents[html] = words.page(shown)
    files.write_all(contents)
    if as_json:
        print_json(words.in_json(shown, found))
        return
    click.echo(shown.title)
    for line in shown.headline:
        click.echo(f"  {line}")
    for section in shown.sections:
        click.echo(f"\n{section.title}{f': {section.intro}' if section.intro else ''}")
        print_table(section.head, section.rows[: section.first])
        if len(section.rows) > section.first:
            click.echo(f"... and {len(section.rows) - section.first} more; --json, --markdown and --html have them")
    if shown.sentence:
        click.echo(f"\n{shown.sentence}")


def _with_repository(choice: options.Choice, *words: str | None) -> tuple[options.Choice, str]:
    """Return the choice with the folder whose revisions are named, and where that is; as it was, if none is named.

    The folder is that of --cards, or the current one's.
    """
    from aabalance import rulesets
    from aabalance.cards import revisions
    from aabalance.diff import written

    named = [word for word in words if word is not None and _is_revision(word) and not written.is_report(Path(word))]
    if not named:
        return choice, ""
    folder = choice.cards or revisions.folder_here(rulesets.load(choice.name).Card, choice.name)
    if folder is None:
        raise UsageError(
            f"diff: found {named[0]!r}, which is no folder, and no cards of {choice.name} in the current folder, "
            "expected --cards FOLDER, in the git repository that has that revision"
        )
    return choice._replace(cards=folder), revisions.described(folder, named[0])


def _is_revision(word: str) -> bool:
    return not Path(word).is_dir()


def _sides(choice: options.Choice, old: str | None, new: str | None) -> tuple[str | None, str | None]:
    """Return the arguments that name both sides; None for the present cards."""
    from aabalance.cards import revisions

    if old is not None and ".." in old and ".." not in Path(old).parts and _is_revision(old):
        if new is not None:
            raise UsageError(f"diff: found {new!r} after {old!r}, which says both sides, expected nothing more")
        assert choice.cards is not None
        return revisions.ends(choice.cards, old)
    return old, new


def _compared(
    choice: options.Choice, sides: tuple[str | None, str | None], new_variant: tuple[Any, tuple[str, ...]], seed: int
) -> tuple[Comparison, tuple[str, str]]:
    """Return the comparison, and the names of both sides."""
    from aabalance import rulesets
    from aabalance.diff import compare, written

    reports = [word for word in sides if word is not None and written.is_report(Path(word))]
    switches, presets = new_variant
    if reports:
        old, new = sides
        if old is None or new is None or len(reports) < 2:
            raise UsageError(f"diff: found one report's data, in {reports[0]}, expected those of two, or none")
        if choice.changes or switches or presets or choice.variant or choice.presets:
            raise UsageError("diff: found a what-if or a rule switch, expected none: reports are compared as they are")
        read = [written.read(Path(word), rulesets.load(choice.name)) for word in (old, new)]
        return written.compared(*read), (old, new)
    before, after = (_game(choice, word) for word in sides)
    after = _changed(choice, after, switches, presets)
    categories = before.definition.field
    with progress(compare.total(before, after), "pairs") as advance:
        found = compare.compare(before, after, categories=categories, seed=seed, advance=advance)
    first, second = (AS_THEY_ARE if word is None else word for word in sides)
    shared, changed = _said(choice.presets, choice.variant), [*choice.changes, *_said(presets, switches)]
    second = _with("the same", changed) if first == second else _with(second, [*shared, *changed])
    return found, (_with(first, shared), second)


def _said(presets: tuple[str, ...], switches: Mapping[str, Any]) -> list[str]:
    from aabalance.cards.literals import as_option

    return [*presets, *starmap(as_option, switches.items())]


def _with(cards: str, changed: list[str]) -> str:
    return f"{cards} with {', '.join(changed)}" if changed else cards


def _game(choice: options.Choice, word: str | None) -> Game:
    """Return the game with the cards of a folder or a revision, without what-ifs."""
    from aabalance.cards import revisions

    plain = choice._replace(changes=())
    if word is None or not _is_revision(word):
        return plain._replace(cards=choice.cards if word is None else Path(word)).game()
    game = plain._replace(cards=None).game()
    assert choice.cards is not None
    return game.with_(cards=revisions.read(game.ruleset.Card, choice.cards, word))


def _changed(choice: options.Choice, game: Game, switches: Any, presets: tuple[str, ...]) -> Game:
    """Return the new side's game with what changes it alone."""
    from aabalance.definitions.settings import preset_switches

    merged = {**preset_switches(game.ruleset, presets), **switches}
    return game.with_(variant=merged, changes=choice.changes)
