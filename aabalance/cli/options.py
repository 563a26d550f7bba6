"""The options that commands share: game, cards, rules, situation. Imports only click."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from aabalance.cli.paths import as_path
from aabalance.cli.terminal import debug_option, say, wait_for_user
from aabalance.errors import UsageError, one_of, shown

if TYPE_CHECKING:
    from aabalance.definitions.report import Report
    from aabalance.game import Game


USES = {"shot": ("shot",), "matrix": ("shot",), "duel": ("duel",)}
"""What a command prints that has no battles, as `Rule.modelled` calls it."""


class Choice(NamedTuple):
    """The values of the options that all commands have: game, cards, rule switches and what-ifs.

    Attributes
    ----------
    name : str
        The game.
    named : bool
        Whether the user has named it.
    cards : Path or None
        The folder of the cards; None for the game's own.
    variant : mapping
        Rule switches.
    presets, changes : tuple of str
        Names of presets of switches, and what-ifs on cards.
    boards : Path or None
        The folder of the boards; None for the game's own.
    """

    name: str
    named: bool
    cards: Path | None
    variant: Mapping[str, Any]
    presets: tuple[str, ...]
    changes: tuple[str, ...]
    boards: Path | None = None

    def game(self) -> Game:
        """Return the game with its cards under the chosen rules."""
        from aabalance.game import Game

        game = Game(self.name, self.cards, self._switches(), self.changes, self.boards)
        if self.boards is not None:
            _ = game.boards  # refuses a folder that is missing or has no boards, even if the command plays on none
        if self.variant or self.presets:
            self._say_unread(game)
        return game

    def _say_unread(self, game: Game) -> None:
        """Say which of the chosen switches change nothing that the command prints, if it plays no matches."""
        from aabalance import rulebook

        command = click.get_current_context().command
        if not any(parameter.name == "boards" for parameter in command.params):
            uses = USES.get(command.name or "", ("shot", "duel", "battle"))
            set_here = self._switches().keys() & game.variant.model_dump(exclude_defaults=True)
            for switch in rulebook.unread(game.ruleset, set_here, uses):
                say(f"variant {switch}: no {' and no '.join(uses)} depends on it")

    def words(self) -> list[str]:
        """Return the options for folders of cards and boards as they were given."""
        given = {"--cards": self.cards, "--boards": self.boards}
        return [str(word) for option, value in given.items() if value for word in (option, value)]

    def definition(self, source: str | None) -> tuple[Report, Game]:
        """Return a report definition and its game; rules of the command line replace those of the definition.

        If `source` names a definition, it decides the game too, unless the command line does.
        """
        from aabalance.definitions.report import read

        if source is None:
            choice, game = self, self.game()
            report = game.definition
        else:
            report = read(source, self.name if self.named else None)
            choice = self._replace(name=report.game)
            game = choice.game()
        if report.variant:
            game = game.with_(variant={**report.variant, **choice._switches()})
        return report.model_copy(update={"variant": game.variant.model_dump()}), game

    def _switches(self) -> dict[str, Any]:
        """Return the rule switches of the command line: those of its presets, then single ones."""
        from aabalance import rulesets
        from aabalance.definitions.settings import preset_switches

        return {**preset_switches(rulesets.load(self.name), self.presets), **self.variant}

    def derived(self, game: Game) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that the facts beside the cards give."""
        import csv

        from aabalance.files import data_folder

        folder = self.cards or data_folder("unitdb") / self.name
        facts = folder / "facts.csv"
        if facts.exists() and not facts.is_file():
            raise UsageError(f"{facts}: found a folder, a pipe or a device, expected a file")
        try:
            return game.ruleset.roster.derive(folder)
        except FileNotFoundError as error:
            raise UsageError(
                f"{error.filename}: found no such file, expected the facts that cards derive from"
            ) from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise UsageError(f"{facts}: found {error}, expected a CSV in UTF-8") from None

    def refuse_silent_writing(self, *, yes: bool) -> None:
        """Check that somebody says yes, or can be asked, before the package's own cards change; those of a user may."""
        if self.cards is None and not yes and not sys.stdin.isatty():
            from aabalance.files import data_folder

            own = data_folder("unitdb") / self.name
            raise UsageError(f"--cards: found none, so that {own} would change, expected --cards FOLDER, or --yes")

    def may_write(self, paths: Sequence[Path], *, yes: bool) -> bool:
        """Return whether these card files may be written; ask, where they are the package's own."""
        if self.cards is not None or yes or not paths:
            return True
        self.refuse_silent_writing(yes=yes)
        names = ", ".join(map(str, paths))
        wait_for_user()
        return click.confirm(f"These are the package's own cards: {names}. Change them?", err=True)


Command = Callable[..., None]


def gives(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return what gives a command several options, which its help shows in this order."""

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


yes_option = click.option("--yes", is_flag=True, help="Without --cards, change the package's own cards without asking.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
first_option = click.option(
    "--first", default="roll_off", show_default=True, metavar="a|b|roll_off", help="Who takes the first turn."
)


def number_option(name: str, told: str, default: int | None = None) -> Callable[[Command], Command]:
    """Return the option `name` for a whole number, which may have a `default`; `told` is its help."""
    return click.option(name, type=int, default=default, show_default=default is not None, metavar="N", help=told)


def error_option(told: str) -> Callable[[Command], Command]:
    """Return the option for the half-width of an interval until which is simulated; `told` is its help."""
    return click.option("--target-error", type=float, metavar="E", help=told)


def seed_option(of: str) -> Callable[[Command], Command]:
    """Return the option for a seed; `of` says what it is the seed of."""
    return click.option("--seed", type=int, default=0, show_default=True, metavar="S", help=f"Seed for {of}.")


def pairs_of(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any]:
    """Return texts ``key=value`` as a dict; values are read as TOML, ``none`` is None, anything else is text.

    Parameters as for `click.Option.callback`.
    """
    pairs: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not (key.strip() and equals):
            raise UsageError(f"{parameter.opts[0]}: found {value!r}, expected key=value")
        from aabalance.cards.literals import literal

        parsed = None if text.strip().lower() == "none" else literal(text)
        join(pairs, {key.strip(): parsed}, parameter.opts[0])
    return pairs


def with_option(name: str, told: str) -> Callable[[Command], Command]:
    """Return the option for values by their names, which a command gets as `name`; `told` is its help."""
    return click.option(
        "--with", name, multiple=True, metavar="KEY=VALUE", callback=pairs_of, help=f"{told}; repeatable."
    )


def check_agreed(agreed: Mapping[str, Any], own: Iterable[str]) -> None:
    """Refuse a key of --with that is the command's `own`, or that of what it calls."""
    if clash := agreed.keys() & {"board", "seed", "simulate", "advance", "list_a", "list_b", *own}:
        raise UsageError(f"--with: found {min(clash)}, expected the option of this name, if there is one")


def join(pairs: dict[str, Any], more: Mapping[str, Any], options: str) -> None:
    """Add the pairs of `more` to `pairs`.

    Parameters
    ----------
    pairs, more : mapping
        The pairs so far, which are changed, and those to add.
    options : str
        Options that the pairs come from, for the error text.

    Raises
    ------
    UsageError
        Both have the same key with different values.
    """
    for key, value in more.items():
        first = pairs.setdefault(key, value)
        if first is not value and first != value:  # nan differs from itself
            raise UsageError(f"{options}: {key}: found {shown(first)} and {shown(value)}, expected one value")


def switches_of(
    ctx: click.Context, parameter: click.Parameter, values: Sequence[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Split the values of --variant: ``KEY=VALUE`` is a rule switch, any other value the name of a preset.

    Parameters as for `click.Option.callback`.
    """
    presets = tuple(value for value in values if "=" not in value)
    return pairs_of(ctx, parameter, [value for value in values if "=" in value]), presets


NAME, CARDS, VARIANT, CHANGES = "game", "cards", "variant", "changes"
OF_GAME = {
    NAME: click.option("--game", default="armored_advance", show_default=True, metavar="NAME", help="The game."),
    CARDS: click.option("--cards", callback=as_path, metavar="DIR", help="Folder of unit cards."),
    VARIANT: click.option(
        "--variant",
        multiple=True,
        metavar="KEY=VALUE|PRESET",
        callback=switches_of,
        help="A rule switch, or a preset of switches; repeatable.",
    ),
    CHANGES: click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="ID.FIELD=VALUE",
        help="What if: set a field of a card (=), or add (+=), subtract (-=) or multiply (*=); repeatable.",
    ),
}
"""The options that say what a command is about."""


def takes(*names: str) -> Callable[[Command], Command]:
    """Return what gives a command some of `OF_GAME`; it gets them as one `choice`."""

    def decorated(command: Command) -> Command:
        @wraps(command)
        def with_choice(
            game: str,
            cards: Path | None = None,
            variant: tuple[Any, tuple[str, ...]] = ({}, ()),
            changes: tuple[str, ...] = (),
            **kwargs: Any,
        ) -> None:
            named = click.get_current_context().get_parameter_source("game") is not ParameterSource.DEFAULT
            command(choice=Choice(game, named, cards, *variant, changes), **kwargs)

        return gives(*(OF_GAME[name] for name in names), debug_option)(with_choice)

    return decorated


takes_game = takes(*OF_GAME)


def takes_boards(command: Command) -> Command:
    """Give a command, inside of `takes_game`, the option for a folder of boards; it becomes a part of `choice`."""

    @wraps(command)
    def with_boards(choice: Choice, boards: Path | None, **kwargs: Any) -> None:
        command(choice=choice._replace(boards=boards), **kwargs)

    return click.option("--boards", callback=as_path, metavar="DIR", help="Folder of boards.")(with_boards)


def takes_situation(command: Command, *, mix: str = "") -> Command:
    """Give a command the options of a situation; it gets their fields as `situation`.

    Parameters
    ----------
    command : callable
        The command.
    mix : str
        What its help text says of a mix of faces, if it takes one.
    """

    @wraps(command)
    def with_situation(range_in: str, facing: str | None, fields: dict[str, Any], **kwargs: Any) -> None:
        situation: dict[str, Any] = {"range_in": _as_number(range_in)}
        if facing is not None:
            situation["facing"] = facing
        join(situation, fields, "--with")
        command(situation=situation, **kwargs)

    options = gives(
        click.option(
            "--range",
            "range_in",
            required=True,
            metavar="DISTANCE",
            help="Distance in the game's unit (inches, hexes, squares or rows): 18, 18in or 18,5.",
        ),
        click.option("--facing", metavar="FACE", help=f"Face of the target, in games that have faces{mix}."),
        with_option("fields", "A circumstance, such as cover: walls=1"),
    )
    return options(with_situation)


takes_battle = partial(takes_situation, mix="; or mix: .65 front, .30 side, .05 rear")
"""The same for the situation of a battle."""


def _as_number(text: str) -> float | str:
    """Return the number that a text is, to be compared with others; another text as it is, since games know more."""
    try:
        return float(text)
    except ValueError:
        return text


def refuses_postures(command: Command) -> Command:
    """Give a command of battles, in which units hold, options that name the command for units that move."""

    def refuse(context: click.Context, parameter: click.Parameter, posture: str | None) -> None:
        if posture is not None:
            from aabalance.play.battle import HOLDS

            raise UsageError(f"{parameter.opts[0]}: {HOLDS}")

    for side in "ab":
        command = click.option(f"--posture-{side}", hidden=True, expose_value=False, callback=refuse)(command)
    return command


def takes_sample(fights: str) -> Callable[[Command], Command]:
    """Return a decorator that gives a command the options of a simulation: how many fights, and the seed.

    Parameters
    ----------
    fights : str
        The fights in words, for the help text.
    """
    return gives(
        number_option("--simulate", f"Simulate N {fights} instead of solving exactly."),
        error_option("Simulate until the half-width of the 95% interval is at most E; not with --simulate."),
        seed_option("the dice"),
    )


def check_seed(*, rolled: bool, by: str = "--simulate or --target-error") -> None:
    """Refuse a seed that was given to a command which, at the end, has not `rolled` anything; `by` would roll."""
    if not rolled and click.get_current_context().get_parameter_source("seed") is not ParameterSource.DEFAULT:
        raise UsageError(f"--seed: found it where nothing is rolled, expected {by}, too")


def check_fields(game: Game, situation: Mapping[str, Any], *, of_one_attack: bool) -> None:
    """Refuse fields of a situation that no attack of the game depends on.

    Parameters
    ----------
    of_one_attack : bool
        Whether it is that of a shot: a duel and a battle know fewer fields.
    """
    fields = game.ruleset.Moment.model_fields
    for name in situation:
        if name not in fields:
            passing = () if of_one_attack else game.ruleset.attack_fields()
            option = "--with" if name in click.get_current_context().params["fields"] else f"--{name}"
            raise UsageError(f"{option}: {one_of(name, (field for field in fields if field not in passing))}")


def check_changes(game: Game, *lists: Any) -> None:
    """Refuse what-ifs on units that take no part in what is asked: the answer would be that without them.

    Parameters
    ----------
    game : Game
        The game with its what-ifs.
    *lists : str or sequence of str
        The units that take part.
    """
    if not game.cards.changes:
        return
    from aabalance.cards import CHANGED
    from aabalance.definitions.lists import any_list

    rules = game.ruleset.match()
    place = rules.Place if rules else None
    units = dict.fromkeys(game.card(unit).id for given in lists for unit in any_list(given, game.cards, place).units)
    for unit, origin in game.cards.places.items():
        if origin == CHANGED and unit not in units:
            raise UsageError(f"--set: found {unit}, which takes no part, expected one of {', '.join(units)}")


def check_changes_of_match(game: Game, lists: Collection[Any], *boards: str) -> None:
    """Refuse what-ifs on units that take no part in matches.

    Parameters
    ----------
    game : Game
        The game with its what-ifs.
    lists : collection of (str or sequence of str)
        The units that are brought; none if boards bring theirs.
    *boards : str
        Where they play.
    """
    rules = game.ruleset.match()
    if not game.cards.changes or (rules and rules.whole_roster):  # any unit may be bought in play
        return
    brought = [[one["type"] for one in game.boards[board].table.get("units", ())] for board in boards]
    if units := lists or [*filter(None, brought)]:
        check_changes(game, *units)


def action_limits(text: str | None) -> Any:
    """Return the action limits that a text gives, one number or two; `Game` checks them."""
    if text is None:
        return None
    limits = tuple(int(part) if part.strip().isdecimal() else part for part in text.split(","))
    return limits[0] if len(limits) == 1 else limits
