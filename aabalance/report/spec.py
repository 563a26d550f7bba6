"""Report definitions: one TOML says what a report covers; every fault in it at once, with file and line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from aabalance import rulesets
from aabalance.analysis import situations
from aabalance.analysis.pairs import RANGES, WITHIN_TURNS
from aabalance.analysis.sensitivity import alternatives
from aabalance.analysis.situations import Rounds
from aabalance.cards import validation_faults
from aabalance.cards.lines import Place, dotted, line_of, read_toml
from aabalance.errors import CardError, Fault, UsageError, expectation, one_of, shown
from aabalance.files import data_folder
from aabalance.game import OF_ONE_ATTACK, Game

Found = list[tuple[Place, str]]


class Plots(BaseModel):
    """What the pictures show.

    Attributes
    ----------
    kill_probability : tuple of (str, str)
        Attacker and target of each curve.
    turns : int
        Turns of holding within which a kill counts.
    min_range_in, max_range_in : int
        Where the curves begin and end.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kill_probability: tuple[tuple[str, str], ...] = ()
    turns: int = Field(WITHIN_TURNS, ge=1, le=100)
    min_range_in: int = Field(RANGES[0], ge=0, le=1000)
    max_range_in: int = Field(RANGES[-1], ge=1, le=1000)

    @property
    def ranges(self) -> range:
        """The distances of the curves."""
        return range(self.min_range_in, self.max_range_in + 1)


class Spec(BaseModel):
    """A report definition.

    Attributes
    ----------
    title, game : str
    variant : dict
        Rule switches under which it is made; the others are the game's to choose.
    field : tuple of str or None
        Categories of the units that per-unit means count; None: all.
    situations : dict
        By field of the game's `Moment` that isn't of one attack alone, its values with their weights.
    rounds : int or None
        Turns of each side after which a duel is a draw; None: it is fought to the end.
    sensitivity : dict or None
        By rule switch, the values under which the numbers are worked out again; None: all values of all switches.
    sensitivity_situations : tuple of dict or None
        The situations in which that is done, one by one, each with its ``weight``; None: `situations`.
    plots : Plots
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = Field(min_length=1)
    game: str
    variant: dict[str, Any] = {}
    field: tuple[str, ...] | None = Field(None, min_length=1)
    situations: dict[str, dict[str, float]]
    rounds: Rounds | None = None
    sensitivity: dict[str, tuple[Any, ...]] | None = None
    sensitivity_situations: tuple[dict[str, Any], ...] | None = Field(None, min_length=1)
    plots: Plots = Field(default_factory=lambda: Plots.model_validate({}))

    _path: Path = PrivateAttr(default=Path("report"))
    _own: bool = PrivateAttr(default=False)

    @property
    def name(self) -> str:
        """Name of the file that it stands in."""
        return self._path.stem

    def check(self, game: Game) -> None:
        """Refuse a game that isn't the definition's, or isn't played by its rules.

        A game's own definition passes with any roster: whoever brings cards of their own has no part in its examples.

        Raises
        ------
        UsageError
            Another game, or a rule switch that stands otherwise.
        CardError
            Units and categories that `game` doesn't have.
        """
        if game.ruleset.name != self.game:
            raise UsageError(f"game: found {game.ruleset.name}, expected {self.game}, the game of the report")
        wanted = game.ruleset.Variant.model_validate(self.variant)
        for name in self.variant:
            here, expected = getattr(game.variant, name), getattr(wanted, name)
            if here != expected:
                raise UsageError(f"variant {name}: found {here!r}, expected {expected!r}, as the report has it")
        if self._own:
            return
        found: Found = []
        categories = dict.fromkeys(game.ruleset.category(card) for card in game.cards.values())
        for index, name in enumerate(self.field or ()):
            if name not in categories:
                found.append((("field", index), one_of(name, categories)))
        for index, pair in enumerate(self.plots.kill_probability):
            found += [
                (("plots", "kill_probability", index), f"unknown unit {unit_id!r}")
                for unit_id in pair
                if unit_id not in game.cards
            ]
        if found:
            raise CardError(_placed(self._path, found))

    def versus(self, game: Game) -> list[tuple[str, str]]:
        """Return the pairs of the kill curves that are in the roster."""
        return [(a, b) for a, b in self.plots.kill_probability if a in game.cards and b in game.cards]

    def switches(self, game: Game) -> dict[str, list[Any]]:
        """Return the other values of each switch to look at: those named here and the default, less the game's own."""
        if self.sensitivity is None:
            return alternatives(game)
        out: dict[str, list[Any]] = {}
        for name, values in self.sensitivity.items():
            default = type(game.variant).model_fields[name].default
            now = getattr(game.variant, name)
            out[name] = [value for value in dict.fromkeys([default, *values]) if value != now]
        return out


def read(source: str | Path | None = None, game_name: str | None = None) -> Spec:
    """Read a report definition.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of one of the shipped definitions; the game's own by default.
    game_name : str, optional
        The game, if the definition doesn't get to choose it.

    Raises
    ------
    UsageError
        There is no such definition, or no such game.
    CardError
        Faults, all of them, each with file and line.
    """
    shipped = sorted(path.stem for path in data_folder("reports").glob("*.toml"))
    if game_name is not None:
        rulesets.load(game_name)
    if source is None:
        if game_name not in shipped:
            raise UsageError(f"report: there is no definition for {game_name}, expected one of {', '.join(shipped)}")
        path = situations.definition(game_name)
    else:
        path = situations.definition(str(source)) if str(source) in shipped else Path(source)
        if not path.is_file():
            raise UsageError(
                f"report: found no file {str(source)!r}, expected a report definition or {', '.join(shipped)}"
            )
    faults: list[Fault] = []
    table = read_toml(path, faults)
    if faults:
        raise CardError(faults)
    spec = None
    broken: set[str | int] = set()
    try:
        spec = Spec.model_validate(table)
    except ValidationError as error:
        names = [*Spec.model_fields, *Plots.model_fields]
        faults = validation_faults(error, names, table, (), path)
        broken = {fault["loc"][0] for fault in error.errors()}
    sound = {name: value for name, value in table.items() if name not in broken}
    faults += _placed(path, _game_faults(sound, game_name))
    if faults or spec is None:
        raise CardError(sorted(faults, key=lambda fault: int(fault.place.rpartition(":")[2])))
    spec._path, spec._own = path, source is None
    return spec


def _game_faults(table: Mapping[str, Any], game_name: str | None) -> Found:
    """Return what the game has to say against the well-formed parts of a definition."""
    if "game" not in table:
        return []
    if game_name is not None and table["game"] != game_name:
        return [(("game",), f"found {table['game']!r}, expected {game_name!r}, the game that was asked for")]
    try:
        ruleset = rulesets.load(table["game"])
    except UsageError as error:
        return [(("game",), str(error).removeprefix("game: "))]
    found: Found = []
    # Its pairs fight duels.
    rows: list[tuple[Place, Any]] = [(("situations",), table.get("situations", {}))]
    rows += [(("sensitivity_situations", n), row) for n, row in enumerate(table.get("sensitivity_situations", ()))]
    found += [((*place, name), OF_ONE_ATTACK) for place, row in rows for name in ruleset.passing() if name in row]
    if "situations" in table:
        wrong = situations.faults(ruleset.Moment, table["situations"])
        found += [(("situations", *place), message) for place, message in wrong]
    if "sensitivity_situations" in table:
        listed = situations.listed_faults(ruleset.Moment, table["sensitivity_situations"])
        found += [(("sensitivity_situations", *place), message) for place, message in listed]
    for name, value in table.get("variant", {}).items():
        found += _switch_faults(ruleset.Variant, ("variant", name), name, value)
    for name, values in table.get("sensitivity", {}).items():
        for index, value in enumerate(values):
            found += _switch_faults(ruleset.Variant, ("sensitivity", name, index), name, value)
    return found


def _switch_faults(schema: type[BaseModel], place: Place, name: str, value: Any) -> Found:
    if name not in schema.model_fields:
        return [(place[:2], one_of(name, schema.model_fields))]
    try:
        schema.model_validate({name: value})
    except ValidationError as error:
        said = expectation(error.errors()[0])
        return [(place, f"found {shown(value)}, expected {said}")]
    return []


def _placed(path: Path, found: Found) -> list[Fault]:
    once = dict.fromkeys((f"{path}:{line_of(path, place)}", dotted(place), text) for place, text in found)
    return [Fault(where, f"{name}: {text}") for where, name, text in once]
