"""A gate's file: read, with all its faults at once, each with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from aabalance import rulesets
from aabalance.analysis.claims.definition import KINDS, PRICED, BattleClaim, Gate
from aabalance.analysis.claims.evidence import rows_of
from aabalance.analysis.selection import chosen, known_field
from aabalance.analysis.situations import WEIGHT, listed_faults
from aabalance.cards import validation_faults
from aabalance.cards.lines import Place, dotted, line_of, read_toml
from aabalance.engine.battle.policies import BEST, POLICIES
from aabalance.errors import CardError, Fault, UsageError, one_of
from aabalance.files import data_folder
from aabalance.game import OF_ONE_ATTACK, Game
from aabalance.play.battle import FRONT, listed, views_of
from aabalance.rulesets.base import MODES, NEED_ROUNDS, Ruleset

ENDING = ".gate.toml"

Wrong = Iterator[tuple[Place, str]]


def read(source: str | Path | None = None, game_name: str | None = None) -> Gate:
    """Read a gate's file.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of a shipped gate; by default the game's own.
    game_name : str, optional
        The game that it must be of; by default any.

    Raises
    ------
    UsageError
        There is no such file, or no such game.
    CardError
        All its faults, each with file and line.
    """
    shipped = sorted(path.name.removesuffix(ENDING) for path in data_folder("reports").glob(f"*{ENDING}"))
    if game_name is not None:
        rulesets.load(game_name)
    name = game_name if source is None else str(source)
    path = data_folder("reports") / f"{name}{ENDING}" if name in shipped else Path(str(source))
    if source is None and name not in shipped:
        raise UsageError(f"gate: there is none for {name}, expected one of {', '.join(shipped)}, or a file")
    if not path.is_file():
        raise UsageError(f"gate: found no file {str(source)!r}, expected one, or {', '.join(shipped)}")
    faults: list[Fault] = []
    table = read_toml(path, faults)
    if faults:
        raise CardError(faults)
    gate = None
    broken: set[Place] = set()
    try:
        gate = Gate.model_validate(table)
    except ValidationError as error:
        names = [*Gate.model_fields, *(field for kind in KINDS for field in kind.model_fields)]
        faults = validation_faults(error, names, table, (), path)
        broken = {fault["loc"][:2] if fault["loc"][0] == "claims" else fault["loc"][:1] for fault in error.errors()}
    faults += _placed(path, _of_game(table, broken, game_name))
    if faults or gate is None:
        raise CardError(sorted(faults, key=lambda fault: int(fault.place.rpartition(":")[2])))
    gate._path = path
    return gate


def check(gate: Gate, game: Game) -> None:
    """Refuse a game that isn't the gate's, or has no such units.

    Raises
    ------
    UsageError
        It is another game.
    CardError
        Claims name units, fields or values that the cards don't have; each with file and line.
    """
    if game.ruleset.name != gate.game:
        raise UsageError(f"game: found {game.ruleset.name}, expected {gate.game}, the game of the gate")
    faults = []
    for name, claim in gate.claims.items():
        for field in ("units", "a", "b"):
            units = getattr(claim, field, None)
            if units is None:
                continue
            try:
                if isinstance(claim, BattleClaim):
                    for unit in dict.fromkeys(listed(units)):
                        game.card(unit)
                else:
                    chosen(game, units)
            except UsageError as error:
                faults.append((("claims", name, field), str(error)))
        if hasattr(claim, "by"):
            try:
                known_field(game, claim.by)
            except UsageError as error:
                faults.append((("claims", name, "by"), str(error)))
    if faults:
        raise CardError(_placed(gate.path, iter(faults)))


def _of_game(table: Mapping[str, Any], broken: set[Place], game_name: str | None) -> Wrong:
    """Yield the faults in the well-formed parts of a gate that only its game can tell."""
    if "game" not in table or ("game",) in broken:
        return
    if game_name is not None and table["game"] != game_name:
        yield ("game",), f"found {table['game']!r}, expected {game_name!r}, the game that was asked for"
        return
    try:
        ruleset = rulesets.load(table["game"])
    except UsageError as error:
        yield ("game",), str(error).removeprefix("game: ")
        return
    if ("claims",) in broken or not isinstance(table.get("claims"), dict):
        return
    for name, claim in table["claims"].items():
        if ("claims", name) not in broken:
            for place, message in _of_claim(ruleset, claim):
                yield ("claims", name, *place), message


def _of_claim(ruleset: Ruleset, claim: Mapping[str, Any]) -> Wrong:
    kind, title = claim["kind"], ruleset.labels.title
    measure = claim.get("measure", "score")
    if not ruleset.limits_actions and (
        kind in ("group", "pairs") or (kind in ("unit", "baseline") and measure in PRICED)
    ):
        place = "kind" if kind in ("group", "pairs") else "measure"
        found = kind if place == "kind" else measure
        why = f"what is modelled of {title} has no battles under a limit of actions, which say so"
        yield (place,), f"found {found!r}, expected another: {why}"
    if kind == "battle":
        yield from _of_battle(ruleset, claim)
    elif kind == "duel" and "situation" in claim:
        yield from _of_situation(ruleset, claim["situation"], rows_of(claim["situation"]))


def _of_battle(ruleset: Ruleset, claim: Mapping[str, Any]) -> Wrong:
    if type(ruleset).forces is Ruleset.forces:
        yield ("kind",), f"found 'battle', expected another: what is modelled of {ruleset.labels.title} has no battles"
        return
    for side in "ab":
        try:
            listed(claim[side])
        except UsageError as error:
            yield (side,), str(error).removeprefix("list: ")
        policy = claim.get(f"policy_{side}", "value")
        if policy not in (*POLICIES, BEST):
            yield (f"policy_{side}",), one_of(policy, (*POLICIES, BEST))
    if ruleset.limits_actions and "actions" not in claim:
        yield (), "found no actions, expected the limit of a side's turn"
    mode = claim.get("mode", MODES[0])
    if mode not in MODES:
        yield ("mode",), one_of(mode, MODES)
    if mode in NEED_ROUNDS and "rounds" not in claim:
        yield ("mode",), f"found {mode!r} without rounds, expected them"
    situation = claim["situation"]
    try:
        views = views_of(lambda **face: tuple(face.items()), situation.get("facing", FRONT))
    except UsageError as error:
        yield ("situation", "facing"), str(error).removeprefix("facing: ")
        return
    fields = {name: value for name, value in situation.items() if name != "facing"}
    yield from _of_situation(ruleset, situation, [{**fields, **dict(view)} for view in views])


def _of_situation(ruleset: Ruleset, situation: Mapping[str, Any], rows: list[dict[str, Any]]) -> Wrong:
    """Yield what is wrong with a situation that stands for some rows of values."""
    if "range_in" not in situation:
        yield ("situation",), "found no range_in, expected a distance"
        return
    if not rows:
        yield ("situation",), "found a list without values, expected one at least"
        return
    for name in ruleset.of_one_attack():
        if name in situation:
            yield ("situation", name), OF_ONE_ATTACK
    for place, message in listed_faults(ruleset.Moment, [{**row, WEIGHT: 1 / len(rows)} for row in rows]):
        yield ("situation", *place[1:2]), message


def _placed(path: Path, faults: Wrong) -> list[Fault]:
    once = dict.fromkeys((f"{path}:{line_of(path, place)}", dotted(place), text) for place, text in faults)
    return [Fault(where, f"{name}: {text}") for where, name, text in once]
