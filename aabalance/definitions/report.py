"""Report definitions: one TOML file says what a report covers. All its faults are found at once, with their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, Field, PrivateAttr, ValidationError

from aabalance import rulesets
from aabalance.cards import Cards
from aabalance.cards.faults import drafted, read_as
from aabalance.cards.tables import Place, PlacedFault, in_order, read_toml, with_lines
from aabalance.definitions import settings, tables
from aabalance.definitions.claims import Words
from aabalance.definitions.collections import FieldFile, Metagame
from aabalance.definitions.fields import HOLDING, Postures, Rounds
from aabalance.definitions.settings import OF_ONE_ATTACK, alternatives
from aabalance.definitions.tables import Battles, BoardWorth, Matches, Plots, Tuning, unknown_units
from aabalance.errors import CardError, Fault, UsageError, counted, expectation, one_of, shown
from aabalance.files import data_folder
from aabalance.rulesets.base import Keys, Ruleset

if TYPE_CHECKING:
    from aabalance.boards import Board

FOLDER = "reports"


class Report(Keys):
    """A report definition.

    Attributes
    ----------
    title : str
        The page's title.
    game : str
        As for ``--game``.
    variant : dict
        Rule switches that the report sets; the game decides the others.
    field : tuple of str or None
        Categories of the units that means over units include; None for all.
    situations : dict
        For each field of the game's `Moment`, its values with their weights. Fields that apply to a single attack
        alone can't be used.
    rounds : int or None
        Turns of each side after which a duel is a draw; None if it is fought to the end.
    postures : (str, str)
        Postures of a row's attacker and target in their duel, as for `Game.duel`.
    sensitivity : dict or None
        For each rule switch, the values for which the numbers are computed again; None for all values of all switches.
    sensitivity_situations : tuple of dict or None
        The situations for which they are computed again, each with its ``weight``; None for `situations`.
    battles : table or None
        Lists of units that fight each other.
    matches : table or None
        Matches on boards.
    board_worth : table or None
        What units are worth on boards.
    metagame : table or None
        Lists that are hard to exploit.
    tuning : table
        How units are priced.
    plots : table
        What the pictures show.
    """

    title: Words
    game: str
    variant: dict[str, Any] = Field({})
    field: tuple[str, ...] | None = Field(None, min_length=1)
    situations: dict[str, dict[str, float]]
    rounds: Rounds | None = None
    postures: Postures = HOLDING
    sensitivity: dict[str, tuple[Any, ...]] | None = None
    sensitivity_situations: tuple[dict[str, Any], ...] | None = Field(None, min_length=1)
    battles: Battles | None = None
    matches: Matches | None = None
    board_worth: BoardWorth | None = None
    metagame: Metagame | None = None
    tuning: Tuning = Field(default_factory=lambda: Tuning.model_validate({}))
    plots: Plots = Field(default_factory=lambda: Plots.model_validate({}))

    _path: Path = PrivateAttr(default=Path("report"))
    _own: bool = PrivateAttr(default=False)

    @property
    def name(self) -> str:
        """Name of the definition's file, without its ending and without dots before it: a folder may have it."""
        return self._path.stem.lstrip(".") or "report"

    def check(self, ruleset: Ruleset, variant: BaseModel, cards: Cards) -> None:
        """Refuse a game that isn't the definition's, or has other rules.

        A game's own definition is accepted with any roster: its examples don't concern users who bring their own cards.

        Parameters
        ----------
        ruleset : Ruleset
            The game's rules.
        variant : BaseModel
            The rule switches.
        cards : Cards
            The roster.

        Raises
        ------
        UsageError
            It is another game, or a rule switch has another value.
        CardError
            The definition names units or categories that the roster doesn't have.
        """
        if ruleset.name != self.game:
            raise UsageError(f"game: found {ruleset.name}, expected {self.game}, the game of the report")
        required = ruleset.Variant.model_validate(self.variant)
        for name in self.variant:
            here, expected = getattr(variant, name), getattr(required, name)
            if here != expected:
                raise UsageError(
                    f"variant {name}: found {shown(here)}, expected {shown(expected)}, as the report has it"
                )
        if not self._own and (wrong := list(self._unknown(ruleset, cards))):
            raise CardError(with_lines(self._path, wrong))

    def _unknown(self, ruleset: Ruleset, cards: Cards) -> Iterator[PlacedFault]:
        """Yield faults of categories and units that the roster doesn't have."""
        categories = dict.fromkeys(ruleset.roster.category(card) for card in cards.values())
        for index, name in enumerate(self.field or ()):
            if name not in categories:
                yield ("field", index), one_of(name, categories)
        for index, pair in enumerate(self.plots.kill_probability):
            for unit_id in pair:
                if unit_id not in cards:
                    yield ("plots", "kill_probability", index), f"unknown unit {unit_id!r}"
        for table in ("battles", "matches"):
            lists = getattr(getattr(self, table), "lists", {})
            for name, units in lists.items():
                yield from (((table, "lists", name), why) for why in unknown_units(cards, units))
        for place, why in self.metagame.unknown(ruleset, cards) if self.metagame else ():
            yield ("metagame", *place), why
        for place, unit_id in self.tuning.units():
            if unit_id not in cards:
                yield ("tuning", *place), f"unknown unit {unit_id!r}"

    def curves(self, cards: Cards) -> list[tuple[str, str]]:
        """Return attacker and target of the kill curves whose units are in the roster."""
        return [(a, b) for a, b in self.plots.kill_probability if a in cards and b in cards]

    def meetings(self, cards: Cards) -> list[tuple[str, str]]:
        """Return the pairs of lists that meet, by name, as far as the roster has their units."""
        if self.battles is None:
            return []
        known = [name for name, units in self.battles.lists.items() if not unknown_units(cards, units)]
        return [(a, b) for a, b in self.battles.met() if a in known and b in known]

    def opponents(self, cards: Cards) -> FieldFile | None:
        """Return the lists of the meta-game's `field`; None without one, or if the roster lacks a unit of theirs.

        Raises
        ------
        CardError
            There is no such file, or it has faults.
        """
        if self.metagame is None or self.metagame.field is None:
            return None
        path = self._path.parent / self.metagame.field
        if not path.is_file():
            path = data_folder(FOLDER) / self.metagame.field
        if not path.is_file():
            message = f"found no file {self.metagame.field!r}, expected one that `aabalance metagame --out` wrote"
            raise CardError(with_lines(self._path, [(("metagame", "field"), message)]))
        file = read_as(FieldFile, path)
        return None if any(unknown_units(cards, one.units) for one in file.lists) else file

    def boards(self, board: Callable[[str], Board]) -> list[Board]:
        """Return the boards of matches and of worth on boards; `board` returns one by its name.

        Boards of a game's own definition are left out if the roster can't play on them.

        Raises
        ------
        CardError
            There is no such board, or it has faults.
        """
        found = []
        for table in ("matches", "board_worth"):
            try:
                found += [board(name) for name in getattr(getattr(self, table), "boards", ())]
            except (UsageError, CardError) as error:
                self.unplayable(table, error)
        return found

    def unplayable(self, table: str, error: UsageError | CardError) -> str:
        """Return why the roster can't play what a table of a game's own definition has.

        Parameters
        ----------
        table : str
            Name of the table.
        error : UsageError or CardError
            What was raised.

        Raises
        ------
        CardError
            The definition is the user's.
        """
        if not self._own:
            raise error if isinstance(error, CardError) else self.fault_of(table, str(error)) from None
        return Path(str(error.faults[0])).name if isinstance(error, CardError) else str(error)

    def fault_of_battle(self, pair: tuple[str, str], why: str) -> CardError:
        """Return the error of two lists that can't fight, with the line of their pair."""
        assert self.battles is not None
        return CardError(with_lines(self._path, [(("battles", "pairs", self.battles.met().index(pair)), why)]))

    def fault_of(self, table: str, why: str) -> CardError:
        """Return the error of a table by which nothing can be worked out, with its line: of what `why` begins with."""
        about = why.partition(":")[0]
        names = ["options"] if about.split()[0] == "with" else [about, f"{about}s"]
        named = [name for name in names if name in getattr(self, table).model_fields_set]
        return CardError(with_lines(self._path, [((table, *named), why)]))

    def switches(self, variant: BaseModel) -> dict[str, list[Any]]:
        """Return the values to try by switch: those named here and the default, without the present value."""
        if self.sensitivity is None:
            return alternatives(variant)
        out: dict[str, list[Any]] = {}
        for name, values in self.sensitivity.items():
            default, now = type(variant).model_fields[name].default, getattr(variant, name)
            out[name] = [value for value in dict.fromkeys([default, *values]) if value != now]
        return out


def shipped() -> dict[str, Path]:
    """Return the definitions of the checkout, or else of the package, by name; a name with a dot in it is a gate's."""
    return {path.stem: path for path in sorted(data_folder(FOLDER).glob("*.toml")) if "." not in path.stem}


def read(source: str | Path | None = None, game_name: str | None = None) -> Report:
    """Read a report definition.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of a shipped definition; by default the game's own definition.
    game_name : str, optional
        The game that the definition must have; by default any.

    Raises
    ------
    UsageError
        There is no such definition, or no such game.
    CardError
        All faults of the definition, each with file and line.
    """
    path = settings.path_of("report", shipped(), source, game_name)
    table, spec, wrong, places = drafted(Report, path)
    sound = {name: value for name, value in table.items() if name not in {place[0] for place in places}}
    wrong += with_lines(path, _game_faults(sound, game_name))
    if wrong or spec is None:
        raise CardError(in_order(wrong))
    spec._path, spec._own = path, source is None
    return spec


def _game_faults(table: Mapping[str, Any], game_name: str | None) -> Iterator[PlacedFault]:
    """Yield the faults in the well-formed parts of a definition that only its game can tell."""
    if "game" not in table:
        return
    if wrong_game := settings.game_name_faults(table["game"], game_name):
        yield from wrong_game
        return
    ruleset = rulesets.load(table["game"])
    # The pairs of a report fight duels, so no situation may have a field of one attack alone.
    rows: list[tuple[Place, Any]] = [(("situations",), table.get("situations", {}))]
    rows += [(("sensitivity_situations", n), row) for n, row in enumerate(table.get("sensitivity_situations", ()))]
    for place, row in rows:
        yield from (((*place, name), OF_ONE_ATTACK) for name in ruleset.attack_fields() if name in row)
    parts: dict[str, Callable[[Any], Iterable[PlacedFault]]] = {
        "situations": partial(settings.table_faults, ruleset.Moment),
        "sensitivity_situations": partial(settings.row_faults, ruleset.Moment),
        "postures": partial(settings.posture_faults, ruleset),
        "battles": partial(tables.battle_faults, ruleset),
        "matches": partial(tables.match_faults, ruleset),
        "board_worth": partial(tables.match_faults, ruleset),
        "tuning": partial(tables.tuning_faults, ruleset),
    }
    for name, part_faults in parts.items():
        if name in table:
            yield from (((name, *place), message) for place, message in part_faults(table[name]))
    for name, value in table.get("variant", {}).items():
        yield from _switch_faults(ruleset.Variant, ("variant", name), name, value)
    for name, values in table.get("sensitivity", {}).items():
        for index, value in enumerate(values):
            yield from _switch_faults(ruleset.Variant, ("sensitivity", name, index), name, value)


def _switch_faults(schema: type[BaseModel], place: Place, name: str, value: Any) -> Iterator[PlacedFault]:
    if name not in schema.model_fields:
        yield place[:2], one_of(name, schema.model_fields)
        return
    try:
        if settings.no_numbers(schema.model_validate({name: value}), {name: value}):
            yield place, f"found {shown(value)}, expected a number"
    except ValidationError as error:
        yield place, f"found {shown(value)}, expected {expectation(error.errors()[0])}"


class Entry(NamedTuple):
    """An entry in the list of report definitions.

    Attributes
    ----------
    name : str
        Its name for `read`: the file's name without its ending, or the file's path.
    game, title : str
        As in the file; if its TOML has faults, their number in place of the title.
    path : Path
        Path of the file.
    """

    name: str
    game: str
    title: str
    path: Path


def catalogue() -> list[Entry]:
    """Return the shipped definitions, and those in the folder ``reports`` below the current one."""
    known = shipped()
    seen = {path.resolve() for path in known.values()}
    here = [path for path in sorted(Path(FOLDER).glob("*.toml")) if "." not in path.stem and path.resolve() not in seen]
    others = {str(path): path for path in here}
    return [_entry(name, path) for name, path in {**known, **others}.items()]


def _entry(name: str, path: Path) -> Entry:
    wrong: list[Fault] = []
    table = read_toml(path, wrong)
    title = counted(len(wrong), "fault") if wrong else str(table.get("title", ""))
    return Entry(name, str(table.get("game", "")), title, path)
