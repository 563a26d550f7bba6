"""A gate's file: claims, each in words, with a band for a number and the reason for it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, PrivateAttr

from aabalance import rulesets
from aabalance.cards import Cards
from aabalance.cards.faults import drafted
from aabalance.cards.tables import Place, PlacedFault, line_of, with_lines
from aabalance.definitions import settings
from aabalance.definitions.claims import UNBOUNDED, Accepted, BaselineClaim, Claim, Words, priced
from aabalance.definitions.fields import as_fault
from aabalance.definitions.lists import chosen, known_field, unit_list
from aabalance.definitions.tables import battle_situation_faults, mode_faults, situation_faults, unknown_units
from aabalance.errors import Fault, one_of, shown
from aabalance.files import data_folder
from aabalance.rulesets.base import Keys, Ruleset

ENDING = ".gate.toml"
TOLD = ("says", "because", "band", "known")
"""Fields of a claim that don't say on what number it is."""


class Gate(Keys):
    """What a gate's file says, as it was read.

    Attributes
    ----------
    title : str
        The heading above its verdicts.
    game : str
        Name of the game that it judges.
    alpha : float
        Chance that at least one verdict on the claims on rolled battles and on matches is wrong; they share it.
    most_trials : int
        Most battles that are rolled for a claim before it is undecided; a trial that is played twice, either side
        moving first, counts as two.
    undecided : {"pass", "fail"}
        What an undecided claim does to the gate.
    claims : dict of str to Claim
        By id.
    """

    title: Words
    game: str
    alpha: float = Field(0.05, gt=0, le=0.5, strict=True)
    most_trials: int = Field(40_000, ge=1000, le=10**8, strict=True)
    undecided: Literal["pass", "fail"] = "pass"
    claims: dict[Annotated[str, Field(pattern=r"^[\w-]+$")], Annotated[Claim, Field(discriminator="kind")]] = Field(
        min_length=1
    )

    _path: Path = PrivateAttr(default=Path("gate"))

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def name(self) -> str:
        """Name of the file, without its endings and without dots before it: a folder may have it."""
        return self._path.name.lstrip(".").partition(".")[0] or "gate"

    def accepted(self) -> list[Accepted]:
        """Return the measures whose numbers are compared with accepted ones."""
        return list(dict.fromkeys(claim.measure for claim in self.claims.values() if isinstance(claim, BaselineClaim)))

    def line_of(self, claim: str) -> int:
        """Return the line of the table ``[claims.ID]`` in the file, counted from 1."""
        return line_of(self._path, ("claims", claim))

    def fault(self, claim: str, why: str) -> Fault:
        """Return a fault of a claim with its place in the file."""
        [fault] = with_lines(self._path, [(("claims", claim), why)])
        return fault


class Draft(NamedTuple):
    """A gate's file that has been read, and checked without cards.

    Attributes
    ----------
    path : Path
        The file.
    gate : Gate or None
        The gate; None if the schema refuses the file.
    game : str or None
        Name of the game; None if the file names none that there is.
    claims : dict of str to mapping
        The tables of the claims that the schema accepts, by id; a field with a fault of its own is None in them.
    faults : list of Fault
        Faults of the file so far.
    broken : set of Place
        Claims with faults so far.
    """

    path: Path
    gate: Gate | None
    game: str | None
    claims: dict[str, Mapping[str, Any]]
    faults: list[Fault]
    broken: set[Place]

    def card_faults(self, ruleset: Ruleset, cards: Cards) -> list[PlacedFault]:
        """Return faults of units and fields that the roster doesn't have."""
        return list(_of_claims(self.claims, lambda claim: _of_cards(ruleset, cards, claim)))


def read(source: str | Path | None = None, game_name: str | None = None) -> Draft:
    """Read a gate's file.

    Parameters
    ----------
    source : str or Path, optional
        A file, or the name of a shipped gate; by default the game's own.
    game_name : str, optional
        Name of the game that it must be about; by default any.

    Raises
    ------
    UsageError
        There is no such file, or no such game.
    CardError
        The file is no TOML.
    """
    path = settings.path_of("gate", _shipped(), source, game_name)
    table, gate, wrong, places = drafted(Gate, path)
    if gate is not None:
        gate._path = path
    broken = set(map(_broken, places))
    name, of_game = _game_name(table, broken, game_name)
    claims = _sound(table, broken) if name is not None else {}
    if name is not None:
        ruleset = rulesets.load(name)
        of_game += _of_claims(claims, lambda claim: _of_claim(ruleset, claim))
        of_game += _contradictions(claims)
    broken |= {place for place, _ in of_game}
    return Draft(path, gate, name, claims, wrong + with_lines(path, of_game), {place[:2] for place in broken})


def _shipped() -> dict[str, Path]:
    """Return the gates of the checkout, or else of the package, by name of the game."""
    return {path.name.removesuffix(ENDING): path for path in sorted(data_folder("reports").glob(f"*{ENDING}"))}


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
    wrong = settings.game_name_faults(name, asked)
    return (None if wrong else name), wrong


def _sound(table: Mapping[str, Any], broken: set[Place]) -> dict[str, Mapping[str, Any]]:
    """Return the claims without faults of the schema; a field with a fault of its own is None in them."""
    if ("claims",) in broken or not isinstance(table.get("claims"), dict):
        return {}
    return {
        name: {field: None if ("claims", name, field) in broken else value for field, value in claim.items()}
        for name, claim in table["claims"].items()
        if ("claims", name) not in broken
    }


def _of_claims(
    claims: Mapping[str, Mapping[str, Any]], faults_of: Callable[[Mapping[str, Any]], Iterable[PlacedFault]]
) -> Iterator[PlacedFault]:
    for name, claim in claims.items():
        for place, message in faults_of(claim):
            yield ("claims", name, *place), message


def _contradictions(claims: Mapping[str, Mapping[str, Any]]) -> Iterator[PlacedFault]:
    """Yield claims on the same number as an earlier one, of whose bands no number is in both."""
    known: dict[str, list[str]] = {}
    for name, claim in claims.items():
        if claim.get("band") is None:
            continue
        told = {field: value for field, value in claim.items() if field not in TOLD}
        about = json.dumps(told, sort_keys=True, default=str)  # a date, which is refused later
        low, high = claim["band"]
        for other in known.setdefault(about, []):
            least, most = claims[other]["band"]
            if high < least or most < low:
                why = f"contradicts claims.{other}, {shown([least, most])}: no number is in both"
                yield ("claims", name, "band"), f"found {shown([low, high])}, which {why}"
        known[about].append(name)


def _of_cards(ruleset: Ruleset, cards: Cards, claim: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield the units and fields that a claim names and the cards don't have, as faults."""
    for field in ("units", "a", "b"):
        if claim.get(field) is None:
            continue
        if claim["kind"] not in ("battle", "match"):
            yield from as_fault((field,), partial(chosen, ruleset, cards, claim[field]))
        elif claim[field] and (unknown := unknown_units(cards, claim[field])):
            yield (field,), "; ".join(unknown)
    if claim.get("by") is not None:
        yield from as_fault(("by",), partial(known_field, ruleset, cards, claim["by"]))


def _of_claim(ruleset: Ruleset, claim: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield faults of a claim that depend only on its game, not on the cards."""
    kind, title = claim["kind"], ruleset.labels.title
    measure = claim.get("measure", "score")
    if not ruleset.limits_actions and priced(kind, measure):
        place = "kind" if kind in ("group", "pairs") else "measure"
        found = kind if place == "kind" else measure
        yield (place,), f"found {found!r}, expected another: {ruleset.unpriced}"
    if measure not in (None, *UNBOUNDED) and claim.get("band") and max(map(abs, claim["band"])) > 1:
        yield ("band",), f"found {shown(claim['band'])}, expected shares up to 1: 0.65 for 65 %"
    if kind == "battle":
        yield from _of_battle(ruleset, claim)
    elif kind == "match" and ruleset.match() is None:
        yield ("kind",), f"found 'match', expected another: what is modelled of {title} has no matches"
    elif kind == "duel" and claim.get("situation") is not None:
        yield from _in_situation(situation_faults(ruleset, claim["situation"], rows_of(claim["situation"])))


def _of_battle(ruleset: Ruleset, claim: Mapping[str, Any]) -> Iterator[PlacedFault]:
    from aabalance.engine.battle.policies import BEST, POLICIES

    if not ruleset.has_battles:
        yield ("kind",), f"found 'battle', expected another: what is modelled of {ruleset.labels.title} has no battles"
        return
    for side in "ab":
        if claim.get(side) is not None:
            yield from as_fault((side,), partial(unit_list, claim[side], None), "list")
        policy = claim.get(f"policy_{side}", "value")
        if policy is not None and policy not in (*POLICIES, BEST):
            yield (f"policy_{side}",), one_of(policy, (*POLICIES, BEST))
    if ruleset.limits_actions and "actions" not in claim:
        yield (), "found no actions, expected the limit of a side's turn"
    yield from mode_faults(claim)
    if claim.get("situation") is not None:
        yield from _in_situation(battle_situation_faults(ruleset, claim["situation"]))


def _in_situation(wrong: Iterable[PlacedFault]) -> Iterator[PlacedFault]:
    for place, message in wrong:
        yield ("situation", *place), message


def rows_of(situation: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return all combinations of the values of a situation, in which a list stands for each of its values."""
    each = [value if isinstance(value, list) else [value] for value in situation.values()]
    return [dict(zip(situation, values, strict=True)) for values in itertools.product(*each)]
