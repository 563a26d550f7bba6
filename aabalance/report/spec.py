"""Report definitions: one TOML file says what a report covers. All its faults are found at once, with their lines."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from aabalance import rulesets
from aabalance.analysis import situations
from aabalance.analysis.battles import POLICIES
from aabalance.analysis.pairs import RANGES, WITHIN_TURNS
from aabalance.analysis.sensitivity import alternatives
from aabalance.analysis.situations import HOLDING, Postures, Rounds
from aabalance.cards.faults import validation_faults
from aabalance.cards.lines import Place, read_toml
from aabalance.engine.battle.policies import POLICIES as ALL_POLICIES
from aabalance.errors import CardError, Fault, UsageError, expectation, one_of, shown
from aabalance.game import Game
from aabalance.play.battle import MOST_ACTIONS, listed
from aabalance.play.ground import posture_of
from aabalance.play.settings import OF_ONE_ATTACK
from aabalance.pricing.definition import Tuning
from aabalance.report import faults as shared
from aabalance.report.definitions import shipped
from aabalance.report.faults import PlacedFault
from aabalance.rulesets.base import ANNIHILATION, Ruleset

PlacedFaults = list[PlacedFault]


class Plots(BaseModel):
    """What the pictures show.

    Attributes
    ----------
    kill_probability : tuple of (str, str)
        Attacker and target of each curve.
    turns : int
        Number of turns of holding within which the target has to be destroyed.
    min_range_in, max_range_in : int
        Distances between which the curves are drawn.
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


class Battles(BaseModel):
    """Which lists of units fight which others, and how.

    Attributes
    ----------
    lists : dict
        By name, a list of units as `Game.battle` takes it.
    pairs : tuple of (str, str) or None
        Names of the lists that meet; None for every one against every other.
    situation : dict
        What `Game.battle` is told of it: ``range_in``, ``facing`` (``mix`` too) and others.
    limits : tuple of int
        Action limits of either side for the table of battles; the curves go from 1 to 12.
    policies : tuple of str
        Who acts on whom, each on both sides.
    postures : (str, str)
        Where the units of either side go, as for `Game.battle`: they hold, unless it says otherwise.
    mode : str
        How a battle ends: ``annihilation``, ``timed`` or ``domination``.
    rounds : int or None
        Turn limit, turns of each side.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lists: dict[str, str] = Field(min_length=1)
    pairs: tuple[tuple[str, str], ...] | None = Field(None, min_length=1)
    situation: dict[str, Any]
    limits: tuple[Annotated[int, Field(ge=1, le=MOST_ACTIONS, strict=True)], ...] = Field((3, 5, 8), min_length=1)
    policies: tuple[str, ...] = Field(POLICIES, min_length=1)
    postures: Postures = HOLDING
    mode: str = ANNIHILATION
    rounds: Rounds | None = None

    def met(self) -> list[tuple[str, str]]:
        """Return the names of the lists that meet."""
        return list(itertools.combinations(self.lists, 2)) if self.pairs is None else list(self.pairs)


class Spec(BaseModel):
    """A report definition.

    Attributes
    ----------
    title : str
        What stands on top of the page.
    game : str
        As for ``--game``.
    variant : dict
        Rule switches that the report sets; the game decides the others.
    field : tuple of str or None
        Categories of the units that per-unit means count; None for all.
    situations : dict
        By field of the game's `Moment`, its values with their weights. Fields that hold for one attack alone can't be
        used.
    rounds : int or None
        Turns of each side after which a duel is a draw; None if it is fought to the end.
    postures : (str, str)
        What the attacker and the target of a row do in their duel, as for `Game.duel`: hold, unless it says otherwise.
    sensitivity : dict or None
        By rule switch, the values for which the numbers are computed again; None for all values of all switches.
    sensitivity_situations : tuple of dict or None
        The situations in which they are computed again, one by one, each with its ``weight``; None for `situations`.
    battles : table or None
        Lists of units that fight each other.
    tuning : table
        What units are priced by.
    plots : table
        What the pictures show.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = Field(min_length=1)
    game: str
    variant: dict[str, Any] = {}
    field: tuple[str, ...] | None = Field(None, min_length=1)
    situations: dict[str, dict[str, float]]
    rounds: Rounds | None = None
    postures: Postures = HOLDING
    sensitivity: dict[str, tuple[Any, ...]] | None = None
    sensitivity_situations: tuple[dict[str, Any], ...] | None = Field(None, min_length=1)
    battles: Battles | None = None
    tuning: Tuning = Field(default_factory=lambda: Tuning.model_validate({}))
    plots: Plots = Field(default_factory=lambda: Plots.model_validate({}))

    _path: Path = PrivateAttr(default=Path("report"))
    _own: bool = PrivateAttr(default=False)

    @property
    def name(self) -> str:
        """Name of the definition's file, without its ending."""
        return self._path.stem

    def check(self, game: Game) -> None:
        """Refuse a game that isn't the definition's, or has other rules.

        A game's own definition is accepted with any roster: its examples don't concern users who bring their own cards.

        Raises
        ------
        UsageError
            It is another game, or a rule switch has another value.
        CardError
            The definition names units or categories that `game` doesn't have.
        """
        if game.ruleset.name != self.game:
            raise UsageError(f"game: found {game.ruleset.name}, expected {self.game}, the game of the report")
        required = game.ruleset.Variant.model_validate(self.variant)
        for name in self.variant:
            here, expected = getattr(game.variant, name), getattr(required, name)
            if here != expected:
                raise UsageError(f"variant {name}: found {here!r}, expected {expected!r}, as the report has it")
        if self._own:
            return
        faults: PlacedFaults = []
        categories = dict.fromkeys(game.ruleset.roster.category(card) for card in game.cards.values())
        for index, name in enumerate(self.field or ()):
            if name not in categories:
                faults.append((("field", index), one_of(name, categories)))
        for index, pair in enumerate(self.plots.kill_probability):
            faults += [
                (("plots", "kill_probability", index), f"unknown unit {unit_id!r}")
                for unit_id in pair
                if unit_id not in game.cards
            ]
        for name, units in self.battles.lists.items() if self.battles else ():
            faults += [(("battles", "lists", name), why) for why in shared.unknown_units(game, units)]
        for place, unit_id in self.tuning.units():
            if unit_id not in game.cards:
                faults.append((("tuning", *place), f"unknown unit {unit_id!r}"))
        if faults:
            raise CardError(shared.placed(self._path, faults))

    def versus(self, game: Game) -> list[tuple[str, str]]:
        """Return the pairs of the kill curves that are in the roster."""
        return [(a, b) for a, b in self.plots.kill_probability if a in game.cards and b in game.cards]

    def fought(self, game: Game) -> list[tuple[str, str]]:
        """Return the pairs of lists that meet, by name, as far as the roster has their units."""
        if self.battles is None:
            return []
        known = [name for name, units in self.battles.lists.items() if not shared.unknown_units(game, units)]
        return [(a, b) for a, b in self.battles.met() if a in known and b in known]

    def fault_of_battle(self, pair: tuple[str, str], why: str) -> CardError:
        """Return the error of two lists that can't fight, with the place where they are said to."""
        assert self.battles is not None
        return CardError(shared.placed(self._path, [(("battles", "pairs", self.battles.met().index(pair)), why)]))

    def switches(self, game: Game) -> dict[str, list[Any]]:
        """Return the values to try by switch: those named here and the default, without the game's own value."""
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
    known = shipped()
    if game_name is not None:
        rulesets.load(game_name)
    if source is None:
        if game_name not in known:
            raise UsageError(f"report: there is no definition for {game_name}, expected one of {', '.join(known)}")
        path = known[game_name]
    else:
        path = known.get(str(source), Path(source))
        if not path.is_file():
            raise UsageError(
                f"report: found no file {str(source)!r}, expected a report definition or {', '.join(known)}"
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
        names = [*Spec.model_fields, *Plots.model_fields, *Battles.model_fields, *Tuning.model_fields]
        faults = validation_faults(error, names, table, (), path)
        broken = {fault["loc"][0] for fault in error.errors()}
    sound = {name: value for name, value in table.items() if name not in broken}
    faults += shared.placed(path, _game_faults(sound, game_name))
    if faults or spec is None:
        raise CardError(sorted(faults, key=lambda fault: int(fault.place.rpartition(":")[2])))
    spec._path, spec._own = path, source is None
    return spec


def _game_faults(table: Mapping[str, Any], game_name: str | None) -> PlacedFaults:
    """Return the faults in the well-formed parts of a definition that only its game can tell."""
    if "game" not in table:
        return []
    if wrong_game := shared.of_game(table["game"], game_name):
        return wrong_game
    ruleset = rulesets.load(table["game"])
    faults: PlacedFaults = []
    # The pairs of a report fight duels, so no situation may have a field of one attack alone.
    rows: list[tuple[Place, Any]] = [(("situations",), table.get("situations", {}))]
    rows += [(("sensitivity_situations", n), row) for n, row in enumerate(table.get("sensitivity_situations", ()))]
    faults += [
        ((*place, name), OF_ONE_ATTACK) for place, row in rows for name in ruleset.attack_fields() if name in row
    ]
    if "situations" in table:
        wrong = situations.faults(ruleset.Moment, table["situations"])
        faults += [(("situations", *place), message) for place, message in wrong]
    if "sensitivity_situations" in table:
        listed = situations.listed_faults(ruleset.Moment, table["sensitivity_situations"])
        faults += [(("sensitivity_situations", *place), message) for place, message in listed]
    if "postures" in table:
        wrong_postures = situations.posture_faults(ruleset, table["postures"])
        faults += [(("postures", *place), message) for place, message in wrong_postures]
    if "battles" in table:
        faults += [(("battles", *place), message) for place, message in _battle_faults(ruleset, table["battles"])]
    if "tuning" in table:
        faults += [(("tuning", *place), message) for place, message in _tuning_faults(ruleset, table["tuning"])]
    for name, value in table.get("variant", {}).items():
        faults += _switch_faults(ruleset.Variant, ("variant", name), name, value)
    for name, values in table.get("sensitivity", {}).items():
        for index, value in enumerate(values):
            faults += _switch_faults(ruleset.Variant, ("sensitivity", name, index), name, value)
    return faults


def _battle_faults(ruleset: Ruleset, table: Mapping[str, Any]) -> PlacedFaults:
    """Return what is wrong with the battles of a definition, well-formed as they are."""
    if not ruleset.has_battles:
        return [((), f"found some, expected none: what is modelled of {ruleset.labels.title} has no battles")]
    faults: PlacedFaults = []
    for name, units in table["lists"].items():
        try:
            listed(units)
        except UsageError as error:
            faults.append((("lists", name), str(error).removeprefix("list: ")))
    for n, pair in enumerate(table.get("pairs", ())):
        faults += [(("pairs", n), one_of(name, table["lists"])) for name in pair if name not in table["lists"]]
    if "pairs" not in table and len(table["lists"]) < 2:
        faults.append((("lists",), "found one, expected two at least"))
    wrong = (name for name in table.get("policies", ()) if name not in ALL_POLICIES)
    faults += [(("policies",), one_of(name, ALL_POLICIES)) for name in wrong]
    faults += shared.of_mode(table)
    for n, posture in enumerate(table.get("postures", ())):
        try:
            posture_of(posture)
        except UsageError as error:
            faults.append((("postures", n), str(error).removeprefix("posture: ")))
    wrong_situation = shared.of_battle_situation(ruleset, table["situation"])
    faults += [(("situation", *place), message) for place, message in wrong_situation]
    return faults


def _tuning_faults(ruleset: Ruleset, table: Mapping[str, Any]) -> PlacedFaults:
    """Return what is wrong with the tuning of a definition, well-formed as it is."""
    if not ruleset.limits_actions:
        title = ruleset.labels.title
        return [((), f"found some, expected none: what is modelled of {title} has no battles under a limit of actions")]
    return [*Tuning.model_validate(table).contradictions()]


def _switch_faults(schema: type[BaseModel], place: Place, name: str, value: Any) -> PlacedFaults:
    if name not in schema.model_fields:
        return [(place[:2], one_of(name, schema.model_fields))]
    try:
        schema.model_validate({name: value})
    except ValidationError as error:
        expected = expectation(error.errors()[0])
        return [(place, f"found {shown(value)}, expected {expected}")]
    return []
