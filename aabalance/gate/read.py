"""Reading a gate's file: all its faults are reported at once, each with file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from aabalance import rulesets
from aabalance.analysis.selection import chosen, known_field
from aabalance.cards.faults import validation_faults
from aabalance.cards.lines import Place, read_toml
from aabalance.engine.battle.policies import BEST, POLICIES
from aabalance.errors import CardError, Fault, UsageError, one_of
from aabalance.files import data_folder
from aabalance.game import Game
from aabalance.gate.cases import terms_of
from aabalance.gate.definition import KINDS, PRICED, BattleClaim, Gate
from aabalance.gate.evidence import rows_of
from aabalance.play.battle import listed
from aabalance.report import faults as shared
from aabalance.report.faults import PlacedFault
from aabalance.rulesets.base import Ruleset

ENDING = ".gate.toml"

Claim = Mapping[str, Any]
"""The table of a claim in its file."""


def read(
    source: str | Path | None = None, game_name: str | None = None, game_of: Callable[[str], Game] = Game
) -> tuple[Gate, Game]:
    """Read a gate's file, and make its game.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of a shipped gate; by default the game's own.
    game_name : str, optional
        Name of the game that it must be about; by default any.
    game_of : callable
        Takes the name of a game; returns the game, with the cards that claims are about.

    Raises
    ------
    UsageError
        There is no such file, or no such game.
    CardError
        The file or the cards have faults; all are listed, each with file and line, including units, fields and values
        in claims that the cards don't have, and lists that can't fight each other.
    """
    path = _path_of(source, game_name)
    faults: list[Fault] = []
    table = read_toml(path, faults)
    if faults:
        raise CardError(faults)
    gate = game = None
    broken: set[Place] = set()
    try:
        gate = Gate.model_validate(table)
    except ValidationError as error:
        names = [*Gate.model_fields, *(field for kind in KINDS for field in kind.model_fields)]
        faults = validation_faults(error, names, table, (), path)
        broken = {_broken(fault["loc"]) for fault in error.errors()}
    name, wrong = _game_name(table, broken, game_name)
    if name is not None:
        claims = _sound(table, broken)
        wrong += _of_claims(claims, partial(_of_claim, rulesets.load(name)))
        try:
            game = game_of(name)
        except CardError as error:
            faults += error.faults
        else:
            wrong += _of_claims(claims, partial(_of_cards, game))
            faulty = {place[:2] for place in (*broken, *(place for place, _ in wrong))}
            fair = {name: claim for name, claim in claims.items() if ("claims", name) not in faulty}
            wrong += _of_claims(fair, partial(_of_lists, game))
    faults += shared.placed(path, wrong)
    if gate is None or game is None or faults:
        own = {fault: int(fault.place.rpartition(":")[2]) for fault in faults if fault.place.startswith(f"{path}:")}
        raise CardError([*sorted(own, key=own.__getitem__), *(fault for fault in faults if fault not in own)])
    gate._path = path
    return gate, game


def _path_of(source: str | Path | None, game_name: str | None) -> Path:
    """Return the path of a gate's file; arguments as for `read`."""
    shipped = sorted(path.name.removesuffix(ENDING) for path in data_folder("reports").glob(f"*{ENDING}"))
    if game_name is not None:
        rulesets.load(game_name)
    name = game_name if source is None else str(source)
    path = data_folder("reports") / f"{name}{ENDING}" if name in shipped else Path(str(source))
    if source is None and name not in shipped:
        raise UsageError(f"gate: there is none for {name}, expected one of {', '.join(shipped)}, or a file")
    if not path.is_file():
        raise UsageError(f"gate: found no file {str(source)!r}, expected one, or {', '.join(shipped)}")
    return path


def _broken(place: Place) -> Place:
    """Return the part of the file that a fault of the schema makes unusable: a top-level field, a claim or a field."""
    if place[0] != "claims":
        return place[:1]
    return place[:2] if len(place) < 4 else (*place[:2], place[3])


def _game_name(table: Mapping[str, Any], broken: set[Place], asked: str | None) -> tuple[str | None, list[PlacedFault]]:
    """Return the game's name, or None with its fault."""
    if "game" not in table or ("game",) in broken:
        return None, []
    name = str(table["game"])
    wrong = shared.of_game(name, asked)
    return (None if wrong else name), wrong


def _sound(table: Mapping[str, Any], broken: set[Place]) -> dict[str, Claim]:
    """Return the claims without faults of the schema; a field with a fault of its own is None in them."""
    if ("claims",) in broken or not isinstance(table.get("claims"), dict):
        return {}
    return {
        name: {field: None if ("claims", name, field) in broken else value for field, value in claim.items()}
        for name, claim in table["claims"].items()
        if ("claims", name) not in broken
    }


def _of_claims(claims: Mapping[str, Claim], faults: Callable[[Claim], Iterator[PlacedFault]]) -> Iterator[PlacedFault]:
    for name, claim in claims.items():
        for place, message in faults(claim):
            yield ("claims", name, *place), message


def _of_cards(game: Game, claim: Claim) -> Iterator[PlacedFault]:
    """Yield faults in a claim's units and fields, which the cards don't have."""
    for field in ("units", "a", "b"):
        if claim.get(field) is not None:
            try:
                if claim["kind"] != "battle":
                    chosen(game, claim[field])
                elif unknown := shared.unknown_units(game, claim[field]):
                    yield (field,), "; ".join(unknown)
            except UsageError as error:
                yield (field,), str(error)
    if claim.get("by") is not None:
        try:
            known_field(game, claim["by"])
        except UsageError as error:
            yield ("by",), str(error)


def _of_lists(game: Game, claim: Claim) -> Iterator[PlacedFault]:
    """Yield why the lists of a claim can't fight: a single trial is refused for the same reasons as all of them."""
    if claim["kind"] == "battle":
        meant = BattleClaim.model_validate(claim)
        try:
            game.battle(meant.a, meant.b, **terms_of(meant), simulate=1)
        except UsageError as error:
            yield (), str(error)


def _of_claim(ruleset: Ruleset, claim: Claim) -> Iterator[PlacedFault]:
    """Yield faults of a claim that depend only on its game, not on the cards."""
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
    elif kind == "duel" and claim.get("situation") is not None:
        yield from _in_situation(shared.of_situation(ruleset, claim["situation"], rows_of(claim["situation"])))


def _of_battle(ruleset: Ruleset, claim: Claim) -> Iterator[PlacedFault]:
    if not ruleset.has_battles:
        yield ("kind",), f"found 'battle', expected another: what is modelled of {ruleset.labels.title} has no battles"
        return
    for side in "ab":
        try:
            if claim.get(side) is not None:
                listed(claim[side])
        except UsageError as error:
            yield (side,), str(error).removeprefix("list: ")
        policy = claim.get(f"policy_{side}", "value")
        if policy is not None and policy not in (*POLICIES, BEST):
            yield (f"policy_{side}",), one_of(policy, (*POLICIES, BEST))
    if ruleset.limits_actions and "actions" not in claim:
        yield (), "found no actions, expected the limit of a side's turn"
    yield from shared.of_mode(claim)
    if claim.get("situation") is not None:
        yield from _in_situation(shared.of_battle_situation(ruleset, claim["situation"]))


def _in_situation(faults: Iterable[PlacedFault]) -> Iterator[PlacedFault]:
    for place, message in faults:
        yield ("situation", *place), message
