"""The Ruleset protocol and the types that all games share. No behaviour.

A ruleset is plain Python. It says what one attack does (`Shot`) and what a unit does in a turn of a duel: a game of hit
points says so by a `Plan` and by `Player`s that move, a game of conditions (hits, suppression, counters) by `Blows`.
The engine packs either into tables and never asks which game they come from.

An attack is split into the half that the attacker brings (`Ruleset.offence`) and the half that the target shows
(`Ruleset.defence`). Both are hashable values, so a batch works out each half once a unit instead of once a pair.

What an attack depends on besides the two cards is a `Moment`: the `Situation`, which stays while two units fight, and
what holds for this attack alone. A duel begins in a situation; who moves in it, its units decide.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from aabalance.dice import Pmf
from aabalance.errors import UsageError

HOLD = "hold"
"""The posture that every game has."""


FAR = 1000
"""Of whatever a game counts distances in: far above any table's."""

Distance = Annotated[float, Field(ge=0, le=FAR, allow_inf_nan=False)]
Steps = Annotated[Distance, Field(multiple_of=1)]
"""A distance in hexes, squares or rows."""


class Circumstances(BaseModel):
    """What an attack depends on besides the two cards, as the attacker sees it: a game's `Situation` and `Moment`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def returned(self, range_in: float) -> Self:
        """Return the situation as the target sees it when it fires back from this distance; by default the same."""
        return self


class Step(NamedTuple):
    """One line of an explanation.

    Attributes
    ----------
    label, value : str
        What was looked at, and what came of it.
    rule : str
        The rulebook section it rests on, with the number of the open point if there is one.
    """

    label: str
    value: str
    rule: str


class Dice(NamedTuple):
    """The dice of one attack: equal and independent sequences of two chances and an effect.

    Attributes
    ----------
    sequences : int
    first, second : Fraction
        Chances that the first die (with its reroll) and the second are high enough.
    effects : tuple of int
        What a sequence takes from the target, by the face of a further D6.
    """

    sequences: int
    first: Fraction
    second: Fraction
    effects: tuple[int, ...]


class Shot(NamedTuple):
    """One attack, resolved.

    Attributes
    ----------
    weapon : str
    attempts : int
        Dice sequences in the attack, each with the needs below.
    needs : dict of str to (int or None)
        Needed natural rolls by name; None where no roll succeeds, no entry where nothing is rolled for.
    effect : Pmf
        What the whole attack takes from the target: hit points, casualties, hits; more than it has left included.
    steps : tuple of Step
    dice : tuple of Dice
        How it is rolled; empty if there is nothing to roll, or a game doesn't say.
    p_kill : Fraction or None
        Chance that it destroys the target as the situation has it; None: where the effect reaches the toughness.
    """

    weapon: str
    attempts: int
    needs: Mapping[str, int | None]
    effect: Pmf
    steps: tuple[Step, ...]
    dice: tuple[Dice, ...] = ()
    p_kill: Fraction | None = None


class Volley(NamedTuple):
    """One unit's attacks in a turn.

    Attributes
    ----------
    weapons : tuple of str
        Used in this order.
    effect : Pmf
        What they take from the target together.
    dice : tuple of Dice
        How each of them is rolled; empty if a game doesn't say, which leaves its duels to the exact solver.
    """

    weapons: tuple[str, ...]
    effect: Pmf
    dice: tuple[Dice, ...] = ()


class Bracket(NamedTuple):
    """What a unit does while at least `least` of its own toughness is left: `opening` once, then `cycle` for ever."""

    least: int
    cycle: tuple[Volley, ...]
    opening: tuple[Volley, ...] = ()


Plan = tuple[Bracket, ...]
"""Brackets by falling `least`, the last one at 1; all openings are of one length, and all cycles.

Which turn of its plan a unit is in depends on the turns it had, not on what it lost.
"""


class Blows(NamedTuple):
    """What a unit's turn does to its enemy, in a game in which units have conditions.

    A table stores each object once: a game should give the same object for what is the same, from a cache for example.
    Conditions are numbered from 0, the fresh one; the number after the last stands for destroyed.

    Attributes
    ----------
    chances : tuple of tuple of Pmf, shape (conditions, conditions)
        By own and by the enemy's condition at the start of the turn: the enemy's condition after it.
    after : tuple of int
        By own condition at the start of the turn: the own one after it.
    """

    chances: tuple[tuple[Pmf, ...], ...]
    after: tuple[int, ...]


class Walk(NamedTuple):
    """How a game fights whose units lose toughness turn by turn, and may move and choose."""

    @property
    def simultaneous(self) -> bool:
        """Both strike at the same time, so nobody moves first: never."""
        return False


Order = Literal["alternate", "answer", "together"]
"""How blows follow each other in a chain; see `Chain`."""


class Chain(NamedTuple):
    """How a game fights whose units have conditions.

    Attributes
    ----------
    order : Order
        Turns alternate; they alternate and the target strikes back at once if it is left; both strike at the same time,
        once a round.
    conditions : int
        Of a unit that is not destroyed.
    """

    order: Order
    conditions: int

    @property
    def simultaneous(self) -> bool:
        """Both strike at the same time, so nobody moves first."""
        return self.order == "together"


class Survey(NamedTuple):
    """What a unit does to a target from where it stands.

    Attributes
    ----------
    plan : Plan or Blows
        What it does turn by turn while it holds its ground; `Blows` unless the game's duels are walks.
    shot : Shot
        Its single attack of largest expected effect, without steps.
    per_action : float
        Largest expected effect that one action buys; a turn of reloading costs an action too.
    out_of_reach : bool
        `shot` has no effect, and an attack would have one that doesn't reach so far, or is too near.
    """

    plan: Any
    shot: Shot
    per_action: float
    out_of_reach: bool = False


class Turn(NamedTuple):
    """What a player does in a turn of a duel, and what that leaves behind.

    Attributes
    ----------
    volley : Volley
    range_in : float
        Distance after the turn.
    memory : int
        What the unit itself remembers for its next turn; 0 at the start.
    moved : Hashable
        How it moved, as far as an enemy that `sees_moves` may care; something false if it didn't.
    orders : str
        The turn in words.
    """

    volley: Volley
    range_in: float
    memory: int
    moved: Hashable
    orders: str


class Player(Protocol):
    """One side of a duel: a unit with a posture.

    Attributes
    ----------
    toughness : int
    least : tuple of int
        Falling thresholds of the unit's own toughness, the last one 1; a turn may differ from row to row.
    sees_moves : bool
        Its turns may depend on how the enemy moved.
    chooses : bool
        It has a choice of turns and makes the best of it.
    """

    toughness: int
    sees_moves: bool
    chooses: bool

    @property
    def least(self) -> tuple[int, ...]:
        """See above."""

    def turns(self, range_in: float, memory: int, enemy_moved: Hashable, row: int) -> Sequence[Turn]:
        """Return the turns open to a unit whose toughness is in row `row`: one, unless it `chooses`."""


class Holding:
    """A player that stays where it is and goes through what it does in order; see `Player`.

    Parameters
    ----------
    toughness : int
    plan : Plan or Blows
        As the game's fights are walks or chains.
    """

    sees_moves = False
    chooses = False

    def __init__(self, toughness: int, plan: Any) -> None:
        self.toughness = toughness
        self.plan = plan

    @property
    def least(self) -> tuple[int, ...]:
        """The thresholds of the plan's brackets."""
        return tuple(bracket.least for bracket in self.plan)

    def turns(self, range_in: float, memory: int, enemy_moved: Hashable, row: int) -> tuple[Turn]:
        """Return the turn after so many others; `memory` counts them, and goes round with the cycle."""
        _, cycle, opening = self.plan[row]
        turns = (*opening, *cycle)
        after = memory + 1 if memory + 1 < len(turns) else len(opening)
        return (Turn(turns[memory], range_in, after, None, "hold"),)


class Length(NamedTuple):
    """What a game counts distances in.

    Attributes
    ----------
    name : str
        ``inches``.
    after : str
        As it follows a number: ``"`` for inches, `` hexes``.
    whole : bool
        Distances are whole numbers.
    """

    name: str
    after: str
    whole: bool


INCHES = Length("inches", '"', whole=False)


class Labels(NamedTuple):
    """What a game is called, and what it calls things.

    Attributes
    ----------
    title, rulebook : str
        The game's name as people write it; title and version of its rulebook.
    caveat : str
        What every report on this game has to say about its data.
    currency : str
        What a unit costs, and the card field that says how much.
    effect : str
        What an attack takes from its target: ``hit points``.
    length : Length
    """

    title: str
    rulebook: str
    caveat: str
    currency: str
    effect: str
    length: Length


class Price(NamedTuple):
    """What a unit costs beside its fighting value.

    Attributes
    ----------
    surcharge : int
        Added to the formula.
    flat : int
        In place of the formula, for units that can hurt nobody in the field.
    """

    surcharge: int
    flat: int


class Monotonic(NamedTuple):
    """A promise about attacks: as a field takes these values in turn, the mean effect of an attack never falls.

    Attributes
    ----------
    of : {"attacker", "target", "situation"}
        Whose field: of either card, or of the situation.
    field : str
        Dotted path, as in a card file.
    values : tuple
        At least two, from the worst for the attacker to the best.
    """

    of: Literal["attacker", "target", "situation"]
    field: str
    values: tuple[Any, ...]


class Ruleset(Protocol):
    """What a game package offers to the layers above.

    Attributes
    ----------
    name : str
        The package's name.
    labels : Labels
    reference : tuple of (str, int)
        A unit and its cost, which fix the scale of the cost formula.
    price_step : int
        Costs are multiples of this.
    die : int
        Faces of the one die that decides an attack; 0 where pools are rolled, and no single roll decides.
    fight : Walk or Chain
        How its units fight.
    gun_classes : tuple of str
        What `gun_class` can return, the lightest first.
    presets : mapping of str to (mapping of str to object)
        Variants that have a name.
    monotonic : tuple of Monotonic
        Promises that the tests hold the game to.
    Card, Variant : type of BaseModel
        Schemas of a unit card and of the rule switches.
    Situation, Moment : type of Circumstances
        Schemas of what stays while two units fight, and of that with what belongs to one attack as well: a subclass
        with a field ``range_in``, the distance, and others that have defaults.
    """

    name: str
    labels: Labels
    reference: tuple[str, int]
    price_step: int = 1
    die: int = 0
    fight: Walk | Chain
    gun_classes: tuple[str, ...]
    presets: Mapping[str, Mapping[str, Any]] = MappingProxyType({"rulebook": {}})
    monotonic: tuple[Monotonic, ...] = ()
    Card: type[BaseModel]
    Variant: type[BaseModel]
    Situation: type[Circumstances]
    Moment: type[Circumstances]

    def toughness(self, card: Any) -> int:
        """Return how much the unit can lose before it is gone: hit points, men, hits, counters."""

    def offence(self, card: Any, moment: Any, variant: Any) -> Hashable:
        """Return the attacker's half of every attack of a unit; reads no range and nothing of the target."""

    def defence(self, card: Any, moment: Any, variant: Any) -> Hashable:
        """Return the target's half; reads no range and nothing of the attacker."""

    def reads(self, offence: Any) -> Hashable:
        """Return what `shown` needs to know of an offence; few offences differ in it. By default nothing."""
        return None

    def shown(self, defence: Any, reads: Any) -> Hashable:
        """Return `defence` without what an offence that `reads` so never reads: a table then has fewer cases.

        By default all of it.
        """
        made: Hashable = defence
        return made

    def survey(self, offence: Any, defence: Any, range_in: float, variant: Any) -> Survey:
        """Return all that a table asks of an attacker and a target at a distance."""

    def shot(self, offence: Any, defence: Any, range_in: float, variant: Any, weapon: str | None) -> Shot:
        """Return one attack, explained, with `weapon` or with the one of largest expected effect.

        Raises
        ------
        UsageError
            The unit has no such weapon.
        """

    def passing(self) -> Sequence[str]:
        """Return the fields, besides the distance, that hold for one attack alone."""
        return [name for name in self.Moment.model_fields if name not in {"range_in", *self.Situation.model_fields}]

    def still(self, situation: Any, range_in: float) -> Any:
        """Return the moment of an attack at this distance where nobody has done anything yet."""
        # Both are checked already, and from the other side a situation may be one that nobody would ask for.
        return self.Moment.model_construct(**dict(situation), range_in=range_in)

    def player(self, card: Any, enemy: Any, situation: Any, range_in: float, variant: Any, posture: str) -> Player:
        """Return a side of a duel; by default one that holds, as in games whose units do nothing else.

        Raises
        ------
        UsageError
            No such posture.
        """
        if posture != HOLD:
            raise UsageError(f"posture: found {posture}, expected {HOLD}, the only one of {self.labels.title}")
        moment = self.still(situation, range_in)
        offence, defence = self.offence(card, moment, variant), self.defence(enemy, moment, variant)
        plan = self.survey(offence, defence, range_in, variant).plan
        return Holding(self.toughness(card), plan)

    def listed(self, card: Any) -> Mapping[str, object]:
        """Return what a list of units shows of a card beside its cost, by heading: text, numbers, several numbers.

        By default every number that the card gives, but the year.
        """
        given: dict[str, object] = card.model_dump(exclude_unset=True, by_alias=True)
        hidden = {"year", self.labels.currency}
        return {name: value for name, value in given.items() if name not in hidden and _is_of_numbers(value)}

    def category(self, card: Any) -> str:
        """Return the kind of unit, by which a report chooses its field."""

    def gun_class(self, card: Any) -> str:
        """Return the class of the unit's main weapon, by which tables of kill times group."""

    def price(self, card: Any) -> Price:
        """Return what the cost formula can't know of a unit; by default nothing."""
        return Price(surcharge=0, flat=0)

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that the facts in `folder` give, by id; by default none, for cards that have no facts."""
        return {}


def _is_of_numbers(value: object) -> bool:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
    return bool(parts) and all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts)
