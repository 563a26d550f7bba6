"""What all games' matches share: the interface of their rules, and dice.

The rules of a match are plain functions over numpy records, which run as they are (logs, replays, transcripts) and
compiled (many matches). A state has the same fields and the same size in all matches of a game, so that it is copied
by one assignment; what never changes in a match stands in its tables. Chance is in `apply` alone, which rolls the dice
that it is handed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from aabalance.rulesets.base.board import BoardRules, Scene

Record: TypeAlias = Any
"""A numpy record. Its fields are known to numpy alone."""

Actions = npt.NDArray[np.int64]

U = np.uint64

WORDS, DICE_A_WORD = 8, 8
"""Words of random dice, and how many D6 each gives before all give more: so few that no face is favoured by more than
1e-11."""
MOST_DICE = 128
"""Largest number of dice in one action; no face of the last ones is favoured by more than 1e-5."""
HALF_BITS, HALF, FRACTION = U(29), U((1 << 29) - 1), U((1 << 58) - 1)
"""A word holds a fraction of 58 bits. Times the sides of a die, it is the face before the point, and then the next
fraction; it is multiplied in halves, so that a die may have more sides than fit beside it: a deck of cards has."""

RANDOM, SCRIPT, ODOMETER = range(3)
"""Sources of dice: random words; faces that are given; and all faces in turn, which `next_way` counts up."""
DEPTH = 16
"""Dice of an action that an odometer counts; later ones are random, since dice may be rolled again for ever."""
ONE_DIE = -1.0

Field: TypeAlias = tuple[str, Any, tuple[int, ...]]


class Fields(np.void):  # type: ignore[misc]  # as numpy.record is
    """A record whose fields are attributes; plain Python reads them in a third of the time of `numpy.record`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def fields(kind: Any, names: str, *shape: int) -> list[Field]:
    """Return fields of a record that have the same kind and shape, by their names with spaces between them."""
    return [(name, kind, shape) for name in names.split()]


def record(*groups: list[Field]) -> np.dtype[Any]:
    """Return the kind of a record that has these groups of fields."""
    return np.dtype((Fields, [field for group in groups for field in group]))


BARRED = fields(np.int64, "barred", 2)
"""In the tables of each game, for its players: of each side the kinds of actions that it may not choose, a bit each."""

DICE = record(
    fields(np.int64, "source rolled given"),
    fields(np.uint64, "words", WORDS),
    fields(np.int64, "faces most sides", MOST_DICE),
    fields(np.float64, "share", DEPTH),
)
"""Dice for one action.

- `source`: one of `RANDOM`, `SCRIPT` and `ODOMETER`;
- `rolled`: how many dice the action has rolled;
- `given`: how many faces a script or an odometer has;
- `words`: random words of 58 bits, of which dice are made;
- `faces`, `sides`: of each die, what it shows (from 1 on) and the number of its sides;
- `most`: the largest face up to which all are one to an odometer, from what the die shows on;
- `share`: to an odometer, the chance of a pool's successes, where a pool stands in place of a die; `ONE_DIE` else.
"""

NO_UNIT, ALL = -1, -2
"""In place of a unit: actions that are part of no unit's turn, and all actions."""
MOST_UNITS = 64
"""Units have numbers below this one."""
NOT_OVER, WON_BY_A, WON_BY_B, DRAWN = -1, 0, 1, 2
"""Results of a match."""

FACTS = "result", "reason", "player_turns", "first", "zone", "left_a", "left_b", "decisions"
RESULT, REASON, PLAYER_TURNS, FIRST, ZONE, LEFT_A, LEFT_B, DECISIONS = range(len(FACTS))
"""What is noted of a match that is over, in this order, as integers.

- `result`: one of the results above;
- `reason`: why it ended, an index into `MatchRules.reasons`;
- `player_turns`: how many there were, of both sides together;
- `first`: the side that had the first turn;
- `zone`: the zone that a deployed in; -1 where there is no choice of zones;
- `left_a`, `left_b`: what the units that are left cost, damaged ones in full;
- `decisions`: how many there were, the players' own.
"""


def roll(dice: Record, sides: int) -> int:
    """Roll a die and return the face that it shows, from 1 on.

    A script that has no face left shows 1; whoever wrote it compares `rolled` with `given`.

    Parameters
    ----------
    dice : record of DICE
        The dice of the action; the die is noted in it.
    sides : int
        Number of sides.
    """
    at = dice.rolled
    dice.rolled = at + 1
    dice.sides[at] = sides
    if dice.source == RANDOM or (dice.source == ODOMETER and at >= DEPTH):
        which = at // DICE_A_WORD if at < WORDS * DICE_A_WORD else at % WORDS
        word = dice.words[which]
        low = (word & HALF) * U(sides)
        high = (word >> HALF_BITS) * U(sides) + (low >> HALF_BITS)
        dice.words[which] = (high & HALF) << HALF_BITS | low & HALF
        dice.faces[at] = np.int64(high >> HALF_BITS) + 1
    else:
        if at >= dice.given:
            dice.faces[at] = 1
            if dice.source == ODOMETER:
                dice.given = at + 1
        if at < DEPTH:
            dice.share[at] = ONE_DIE
    dice.most[at] = dice.faces[at]
    return int(dice.faces[at])


def roll_for(dice: Record, sides: int, low: int, high: int) -> int:
    """Roll a die of which is only asked whether it shows `low` or more, and `high` or more: so an odometer counts less.

    Parameters
    ----------
    dice : record of DICE
        As for `roll`.
    sides, low, high : int
        Number of sides, and both bounds, in order.
    """
    face = roll(dice, sides)
    most = high - 1 if face < high else sides
    dice.most[dice.rolled - 1] = min(sides, low - 1 if face < low else most)
    return face


def roll_pool(dice: Record, sides: int, count: int, low: int) -> int:
    """Roll several dice and return how many of them show `low` or more; an odometer counts these, not the dice.

    Parameters
    ----------
    dice : record of DICE
        As for `roll`.
    sides, count, low : int
        Number of sides, at least 2, number of dice, and what is asked of each.
    """
    at = dice.rolled
    if dice.source == ODOMETER and at < DEPTH and count > 1:
        p = min(max(sides - low + 1, 0), sides) / sides
        found = roll(dice, count + 1) - 1
        share = 1.0
        for die in range(count):
            share *= p * (count - die) / (found - die) if die < found else 1.0 - p
        dice.share[at] = share
        return found
    found = 0
    for _ in range(count):
        if roll_for(dice, sides, low, low) >= low:
            found += 1
    return found


def higher(dice: Record, sides: int) -> int:
    """Roll a die for each side, again while they are equal, and return the side with the higher one."""
    a, b = roll(dice, sides), roll(dice, sides)
    while a == b:
        a, b = roll(dice, sides), roll(dice, sides)
    return 0 if a > b else 1


def chance(dice: Record) -> float:
    """Return the probability of the faces that an action has rolled, as far as an odometer counts them."""
    p = 1.0
    for at in range(min(dice.rolled, DEPTH)):
        if dice.share[at] != ONE_DIE:
            p *= dice.share[at]
        else:
            p *= (dice.most[at] - dice.faces[at] + 1) / dice.sides[at]
    return p


def next_way(dice: Record) -> bool:
    """Count an odometer up, to the next way in which the dice of an action can fall; return whether there is one."""
    dice.given = min(dice.rolled, DEPTH)
    while dice.given > 0 and dice.most[dice.given - 1] == dice.sides[dice.given - 1]:
        dice.given -= 1
    if dice.given == 0:
        return False
    dice.faces[dice.given - 1] = dice.most[dice.given - 1] + 1
    dice.rolled = 0
    return True


def to_move(state: Record) -> int:
    """Return the side that is to move, 2 once the match is over: the `MatchRules.to_move` of states that note it."""
    return int(state.to_move)


def result(state: Record) -> int:
    """Return the winner, and `NOT_OVER` without a reason: the `MatchRules.result` of states that note both."""
    return int(state.winner) if state.reason else NOT_OVER


def write(out: Actions, count: int, action: int) -> int:
    """Write one more action behind the `count` that `out` has; return the number of actions then."""
    out[count] = action
    return count + 1


def weigh(tables: Record, weights: Mapping[str, float]) -> None:
    """Write what players think that things are worth, by the names of the fields of ``tables.weight``."""
    for name, weight in weights.items():
        tables.weight[name] = weight


def kind_of(action: int) -> int:
    """Return what the five lowest bits of an action hold: the `MatchRules.kind` of most games."""
    return int(action & 31)


def sees_all(tables: Record, state: Record, side: int) -> None:
    """Hide nothing of `state` from `side`: the `MatchRules.view` of games in which all is open."""


def has_no_hands(tables: Record, state: Record, side: int, dice: Record) -> None:
    """Draw nothing anew, whatever `side` decides: the `MatchRules.redraw` of games in which all is open."""


def all_units(tables: Record, state: Record) -> int:
    """Return how many units there are: the `MatchRules.units` of games whose tables say it."""
    return int(tables.units)


def script(faces: list[int]) -> Record:
    """Return dice that show given faces, one after another."""
    dice = new(DICE)
    dice.source, dice.given, dice.faces[: len(faces)] = SCRIPT, len(faces), faces
    return dice


def new(kind: np.dtype[Any]) -> Record:
    """Return a record of a kind, all its fields 0."""
    return np.zeros(1, kind)[0]


class Start(NamedTuple):
    """A unit of a list, and where it begins.

    Attributes
    ----------
    card : str
        Name of its card among those of the match.
    place : BaseModel
        The game's `MatchRules.Place`.
    """

    card: str
    place: Any


class Agreement(NamedTuple):
    """What two players agree on before a match. What they leave open is None until the game says what it is.

    Attributes
    ----------
    board : mapping
        The board as a table.
    lists : pair of sequence of Start
        The units of both sides; both empty if none are brought.
    cards : mapping of str to card
        The cards of the match by name: the whole roster, and those of both lists.
    mission : str or None
        How the match is won, in games that have missions.
    rounds : int or None
        Limit of rounds.
    actions : (int, int) or None
        Limit of actions in a turn of each side.
    first : {"a", "b", "roll_off"}
        Who has the first turn, where the rules leave that open.
    options : BaseModel
        The game's `MatchRules.Options`.
    variant : BaseModel
        The rule switches.
    """

    board: Mapping[str, Any]
    lists: tuple[Sequence[Start], Sequence[Start]]
    cards: Mapping[str, Any]
    mission: str | None
    rounds: int | None
    actions: tuple[int, int] | None
    first: str
    options: Any
    variant: Any


class Tuned(NamedTuple):
    """What players of a game need to know beside its rules: measured, not reckoned.

    Attributes
    ----------
    curve : float
        How much `MatchRules.value` it takes between both sides for a chance of 73 % to win: the scale of a logistic
        curve, fitted to matches between greedy players.
    playouts : int
        How many `search` makes for a decision, where nobody says.
    horizon : int
        How many turns, or phases of a side, end in a playout.
    trust : float
        How much what greedy hopes of a plan counts beside the mean of its playouts.
    ahead : bool
        Whether quick decisions in playouts look at a plan's second action.
    """

    curve: float = 1.0
    playouts: int = 128
    horizon: int = 3
    trust: float = 1.0
    ahead: bool = False


class MatchRules(NamedTuple):
    """The rules of a game's matches.

    Tables and states are numpy records; sides are 0 and 1 (a and b). `to_move`, `legal`, `candidates`, `kind`, `actor`,
    `apply`, `view`, `units`, `result`, `value` and `facts` also compile: they take and return numbers, records and
    arrays alone.

    Attributes
    ----------
    Options : type of BaseModel
        Schema of what may be agreed on beside board, lists, mission, rounds and actions.
    Place : type of BaseModel
        Schema of where a unit of a list may begin; all its fields have defaults.
    agree : callable
        ``agree(agreement)`` returns the agreement with what was left open, and the set-up that `start` takes, but for
        who moves first. What can't be played is a `UsageError`.
    start : callable
        ``start(setup, cards, variant)`` returns the tables, the state at the start, and the names for `text` and its
        kin. The board stands in the set-up as a table. The tables have `BARRED`, all 0.
    to_move : callable
        ``to_move(state)`` returns the side that decides next; 2 if the match is over.
    legal : callable
        ``legal(tables, state, of, out)`` writes the legal actions into `out` and returns how many there are: those of
        one unit, or `NO_UNIT`, or `ALL`.
    candidates : callable
        ``candidates(tables, state, of, follows, out)`` is as `legal`, but writes only those that a sensible player
        looks at; if it `follows`, those with which a unit may go on with a plan after its first action.
    actor : callable
        ``actor(action)`` returns the unit that an action is a part of the turn of; `NO_UNIT` if it is of none.
    apply : callable
        ``apply(tables, state, action, dice)`` changes the state by an action.
    result : callable
        ``result(state)`` returns one of `NOT_OVER`, `WON_BY_A`, `WON_BY_B` and `DRAWN`.
    value : callable
        ``value(tables, state, side, of)`` returns what a player may think of a state, the more the better for `side`.
        It is compared among states between which one unit acts, `of`, so that it may leave out what hangs on others;
        `of` may be `NO_UNIT`, too.
    facts : callable
        ``facts(tables, state, out)`` writes `FACTS` of a match that is over into `out`, but for `decisions`.
    text : callable
        ``text(tables, state, action, names)`` returns an action as people write it.
    read : callable
        ``read(tables, state, text, names)`` returns the action of a text; a text that is no action is a `ValueError`.
    words : callable
        ``words(tables, state, names)`` returns the state as transcripts have it.
    ended : callable
        ``ended(tables, state)`` returns the result as transcripts have it.
    most_actions : int
        Largest number of actions that `legal` writes.
    reasons : tuple of str
        Why a match may end, in words.
    sections : mapping of str to str
        By the verb in an action's text, the section of the rulebook behind it.
    board : BoardRules
        What boards are made of; None for a game without boards.
    scene : callable
        ``scene(tables, state, names)`` returns what is drawn of a state; None for a game without boards.
    weapon : callable
        ``weapon(action, names)`` returns the name of the weapon that an action fires, or nothing; None for a game whose
        weapons have no names.
    view : callable
        ``view(tables, state, side)`` takes out of a state what a side doesn't see, such as the other's hand: players
        decide by what is left.
    redraw : callable
        ``redraw(tables, state, side, dice)`` draws anew what a side doesn't see, such as the other's hand: as likely as
        it can know.
    units : callable
        ``units(tables, state)`` returns the number below which all units have theirs.
    limits : tuple of int
        Those of `reasons` for which a match ends at its limit of rounds.
    sees : callable
        ``sees(tables, square, other)`` returns whether there is a line of sight between two squares, given as
        column + row * width; None in a game without lines of sight.
    whole_roster : bool
        Whether units that are in no list may come into a match: bought in it, or brought by its board.
    kinds : mapping of str to int
        The kinds of actions that may be barred to a side, by the verb in their texts.
    kind : callable
        ``kind(action)`` returns the kind of an action.
    tuned : Tuned
        How players read `value` and search.
    """

    Options: type[BaseModel]
    Place: type[BaseModel]
    agree: Callable[[Agreement], tuple[Agreement, dict[str, Any]]]
    start: Callable[[Mapping[str, Any], Mapping[str, Any], Any], tuple[Record, Record, Any]]
    legal: Callable[[Record, Record, int, Actions], int]
    candidates: Callable[[Record, Record, int, bool, Actions], int]
    actor: Callable[[int], int]
    apply: Callable[[Record, Record, int, Record], None]
    value: Callable[[Record, Record, int, int], float]
    facts: Callable[[Record, Record, Actions], None]
    text: Callable[[Record, Record, int, Any], str]
    read: Callable[[Record, Record, str, Any], int]
    words: Callable[[Record, Record, Any], dict[str, Any]]
    ended: Callable[[Record, Record], dict[str, Any]]
    most_actions: int
    reasons: tuple[str, ...]
    sections: Mapping[str, str]
    board: BoardRules | None = None
    scene: Callable[[Record, Record, Any], Scene] | None = None
    weapon: Callable[[int, Any], str] | None = None
    view: Callable[[Record, Record, int], None] = sees_all
    redraw: Callable[[Record, Record, int, Record], None] = has_no_hands
    units: Callable[[Record, Record], int] = all_units
    to_move: Callable[[Record], int] = to_move
    result: Callable[[Record], int] = result
    limits: tuple[int, ...] = ()
    whole_roster: bool = False
    kinds: Mapping[str, int] = MappingProxyType({})
    kind: Callable[[int], int] = kind_of
    tuned: Tuned = Tuned()
    sees: Callable[[Record, int, int], bool] | None = None
