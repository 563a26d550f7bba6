"""The claims of a gate: what is meant to hold of units, pairs, duels, battles, matches, each a number in a band."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from aabalance.definitions.fields import Actions, Rounds
from aabalance.definitions.lists import ALL, Chosen
from aabalance.rulesets.base import ANNIHILATION, Keys, Line


def _one_line(text: object) -> object:
    return " ".join(text.split()) if isinstance(text, str) else text


Words = Annotated[Line, BeforeValidator(_one_line)]
"""Plain words, which a file may have on several lines; tables and annotations have room for one."""
Number = Annotated[float, Field(strict=True)]
Share = Annotated[Number, Field(gt=0, le=1)]


def _renamed(measure: object) -> object:
    if measure == "first_mover_advantage":
        raise ValueError("first_turn_gap, which is twice that number, so twice the band")
    return measure


OfFight = Annotated[Literal["score", "p_win", "p_draw", "first_turn_gap"], BeforeValidator(_renamed)]
OfUnit = Literal["score", "worth", "worth_to_price", "duel_score"]
Accepted = Literal["score", "worth", "duel_score", "duels"]

UNBOUNDED = ("worth", "worth_to_price")
"""Measures that aren't shares."""


def priced(kind: str, measure: str | None) -> bool:
    """Return whether claims take battles under a limit of actions: on scores for equal requisition, and on worth."""
    return kind in ("group", "pairs") or (kind in ("unit", "baseline") and measure in ("score", *UNBOUNDED))


def _rising(band: tuple[float, float]) -> tuple[float, float]:
    if not band[0] <= band[1]:  # nor is NaN
        raise ValueError("the smaller number first")
    return band


def _symmetric(band: tuple[float, float]) -> tuple[float, float]:
    if not math.isclose(sum(band), 1):
        raise ValueError("a band that is symmetric about 0.5, since nobody is first in a pair")
    return band


Band = Annotated[tuple[Number, Number], AfterValidator(_rising)]


class _Claim(Keys):
    """The fields of every claim.

    Attributes
    ----------
    says, because : str
        The claim in plain words, and why it matters.
    band : (float, float)
        The least and the largest number with which the claim holds.
    known : str or None
        Why the claim doesn't hold yet; with a reason, it is listed, but doesn't make the gate fail.
    """

    says: Words
    because: Words
    band: Band
    known: Words | None = None


class UnitClaim(_Claim):
    """Each of some units has a number within the band, or at least a `share` of them has.

    Attributes
    ----------
    units : Chosen
    measure : str
        ``score`` for equal requisition against the roster; ``worth`` in requisition; ``worth_to_price``, worth divided
        by the price; ``duel_score``, the mean score of its duels with all others in the standard situations, in both
        roles.
    share : float
        Least share of the units.
    """

    kind: Literal["unit"]
    units: Chosen = ALL
    measure: OfUnit = "score"
    share: Share = 1.0


class GroupClaim(_Claim):
    """Each group of units scores within the band for equal requisition, in the mean against all other groups.

    Attributes
    ----------
    by : str
        A field of the cards: units with the same value make up a group.
    units : Chosen
        Units that are grouped.
    share : float
        Least share of the groups.
    """

    kind: Literal["group"]
    by: str
    units: Chosen = ALL
    share: Share = 1.0


class PairsClaim(_Claim):
    """Each two of some units that can hurt each other score within the band for equal requisition.

    Attributes
    ----------
    units : Chosen
    share : float
        Least share of the pairs.
    """

    kind: Literal["pairs"]
    band: Annotated[Band, AfterValidator(_symmetric)]
    units: Chosen = ALL
    share: Share = 1.0


class DuelClaim(_Claim):
    """Each duel of one of `a` against one of `b`, both holding, has a number within the band; or their mean has.

    Attributes
    ----------
    a, b : Chosen
    situation : dict or None
        Distance and whatever differs from its default, as a unit of `a` sees it; a list of values stands for each of
        them. None for the mean over the standard situations of the game's report definition.
    rounds : int or None
        Turns of each side after which a duel is a draw; None for no limit, or in the standard situations for theirs.
    measure : str
        ``score``, P(a wins) + P(draw) / 2; ``p_win``, ``p_draw``; or ``first_turn_gap``, the score of a moving first
        less that of a moving second.
    share : float
        Least share of the duels.
    mean : bool
        Whether the band is for the mean of all duels, and not for each.
    """

    kind: Literal["duel"]
    a: Chosen
    b: Chosen
    situation: dict[str, Any] | None = None
    rounds: Rounds | None = None
    measure: OfFight = "score"
    share: Share = 1.0
    mean: bool = Field(False, strict=True)

    @field_validator("mean")
    @classmethod
    def _one_of_both(cls, mean: bool, others: ValidationInfo) -> bool:
        if mean and others.data.get("share", 1.0) < 1:
            raise ValueError("share or mean, not both")
        return mean


class BattleClaim(_Claim):
    """A battle has a number within the band, each side moving first half of the time.

    Attributes
    ----------
    a, b : str
        Lists, as for `Game.battle`.
    situation : dict
        Further arguments of `Game.battle`: ``range_in``, ``facing`` (also ``mix``) and others.
    actions, mode, rounds, policy_a, policy_b
        As for `Game.battle`.
    measure : str
        As in `DuelClaim`.
    """

    kind: Literal["battle"]
    a: str
    b: str
    situation: dict[str, Any]
    actions: Actions | tuple[Actions, Actions] | None = None
    mode: str = ANNIHILATION
    rounds: Rounds | None = None
    policy_a: str = "value"
    policy_b: str = "value"
    measure: OfFight = "score"


class MatchClaim(_Claim):
    """Matches of two lists on a board have a number within the band, each side moving first in half of them.

    Attributes
    ----------
    board : str
        Name of the board.
    a, b : str
        Lists, as for `Game.match`; empty where the board brings units, or they are bought.
    mission, rounds, actions, player_a, player_b, options
        As for `Game.match`.
    measure : str
        As in `DuelClaim`.
    matches : int
        Most matches that are played before the claim is undecided.
    """

    kind: Literal["match"]
    board: str
    a: str = ""
    b: str = ""
    mission: str | None = None
    rounds: Rounds | None = None
    actions: Actions | tuple[Actions, Actions] | None = None
    player_a: str = "greedy"
    player_b: str = "greedy"
    options: dict[str, Any] = Field({})
    measure: OfFight = "score"
    matches: int = Field(4000, ge=100, le=10**6, strict=True)


class BaselineClaim(_Claim):
    """The change of each number since it was accepted is within the band, or that of at least a `share` of them.

    Attributes
    ----------
    measure : str
        As in `UnitClaim`, or ``duels``: the score of every unit against every other in the standard situations. The
        change of ``worth`` is relative to the accepted one, those of others are differences.
    share : float
        Least share of the numbers.
    """

    kind: Literal["baseline"]
    measure: Accepted
    share: Share = 1.0


OfCases = UnitClaim | GroupClaim | PairsClaim | DuelClaim | BaselineClaim
Rolled = BattleClaim | MatchClaim
"""Claims on numbers that may have to be rolled."""
Claim = OfCases | Rolled
