"""What the rules of all games' matches are written with: records, dice, and numbers that stand for words.

The rules of a match are plain functions over numpy records, which run as they are (logs, replays, transcripts) and
compiled (many matches). A state has the same fields and the same size in all matches of a game, so that it is copied
by one assignment; what never changes in a match stands in its tables. Chance is in `apply` alone, which rolls the dice
that it is handed.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Record: TypeAlias = Any
"""A numpy record, whose fields are known to numpy alone; or, for words, facts and pictures, what is `readable` of one:
there, records in records are asked for by attribute, and lists of them by whole numbers and slices."""

Actions = npt.NDArray[np.int64]

U = np.uint64

WORDS, DICE_A_WORD = 8, 8
"""Words of random dice, and how many D6 each gives before all give more: so few that no face is favoured by more than
1e-11."""
MOST_DICE = 128
"""Largest number of dice in one action; no face of the last ones is favoured by more than 1e-5."""
HALF_BITS, HALF = U(29), U((1 << 29) - 1)
"""A word holds a fraction of 58 bits. Times the sides of a die, it is the face before the point, and then the next
fraction; it is multiplied in halves, so that a die may have more sides than fit beside it: a deck of cards has."""

RANDOM, SCRIPT, ODOMETER = range(3)
"""Sources of dice: random words; faces that are given; and all faces in turn, which `next_way` counts up."""
DEPTH = 16
"""Dice of an action that an odometer counts; later ones are random, since dice may be rolled again for ever."""
ONE_DIE = -1.0
MOST_NOTES = 512
"""Numbers for which an action has room while it is carried out."""

Field: TypeAlias = tuple[str, Any, tuple[int, ...]]


class Fields(np.void):  # type: ignore[misc]  # as numpy.record is
    """A record whose fields are attributes; plain Python reads them in a sixth of the time of `numpy.record`.

    `record` makes a property of each name. With `__getattr__`, which is called once an attribute was looked for in
    vain, they take twice as long.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def fields(kind: Any, names: str, *shape: int) -> list[Field]:
    """Return fields of a record that have the same kind and shape, by their names with spaces between them."""
    return [(name, kind, shape) for name in names.split()]


def record(*groups: list[Field]) -> np.dtype[Any]:
    """Return the kind of a record that has these groups of fields."""
    named = [field for group in groups for field in group]
    for name, *_ in named:
        setattr(Fields, name, property(itemgetter(name)))
    return np.dtype((Fields, named))


def readable(record: Record) -> Record:
    """Return a record as named tuples, of which plain Python reads a field in a thirtieth of the time.

    Its arrays of numbers share the record's memory.
    """
    return _readable(np.asarray(record)[None])[0]


def _readable(records: npt.NDArray[Any]) -> list[Record]:
    if records.ndim > 1:
        return list(map(_readable, records))
    names, columns = records.dtype.names or (), list[list[Any]]()
    for column in map(records.__getitem__, names):
        if column.dtype.names:
            columns.append(_readable(column))
        else:
            columns.append(column.tolist() if column.ndim == 1 else list(column))
    return list(map(_tuple_of(names), *columns))


@cache
def _tuple_of(names: tuple[str, ...]) -> Callable[..., Record]:
    return namedtuple("Readable", names)


BARRED = fields(np.int64, "barred", 2)
"""In the tables of each game, for its players: of each side the kinds of actions that it may not choose, a bit each."""


def of_players(weights: Iterable[str]) -> list[Field]:
    """Return what the tables of each game have for its players: `BARRED`, and a `weight` by each of these names."""
    return [*fields(record(fields(np.float64, " ".join(weights))), "weight"), *BARRED]


DICE = record(
    fields(np.int64, "source rolled given"),
    fields(np.uint64, "words", WORDS),
    fields(np.int64, "faces most sides need pool", MOST_DICE),
    fields(np.float64, "share", DEPTH),
    fields(np.int64, "scratch", MOST_NOTES),
)
"""Dice for one action.

- `source`: one of `RANDOM`, `SCRIPT` and `ODOMETER`;
- `rolled`: how many dice the action has rolled;
- `given`: how many faces a script or an odometer has;
- `words`: random words of 58 bits, of which dice are made;
- `faces`, `sides`: of each die, what it shows (from 1 on) and the number of its sides;
- `need`: what a die has to show or more; below 0, or less; 0 where each face counts;
- `pool`: which pool of the action a die is of; 0 for none;
- `most`: the largest face up to which all are one to an odometer, from what the die shows on;
- `share`: to an odometer, the chance of a pool's successes, where a pool stands in place of a die; `ONE_DIE` else;
- `scratch`: what an action has to note while it is carried out; to allocate an array takes longer than most actions.
"""

NO_UNIT, ALL = -1, -2
"""In place of a unit: actions that are part of no unit's turn, and all actions."""
MOST_UNITS = 64
"""Units have numbers below this one."""


class Bits(NamedTuple):
    """The bits of a part of an action: the lowest, and how many there are."""

    at: int
    width: int


KIND, ACTOR, OTHER, NUMBER, EXTRA = Bits(0, 5), Bits(5, 6), Bits(11, 6), Bits(17, 16), Bits(33, 6)
"""The parts of an action: its kind, the unit that acts, another unit, a square or a number, and what else a game has to
say. A game may put something else that has as few numbers in the place of a unit."""
KINDS = 1 << KIND.width
"""Kinds of actions have numbers below this one."""
OBJECTIVES = KINDS
"""A bit of `BARRED` above those of actions: objectives that the side holds count for nobody."""
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
- `left_a`, `left_b`: what the units that are left cost, damaged ones in full, in parts of a point (`MatchRules.parts`);
- `decisions`: how many there were, the players' own.
"""


def roll(dice: Record, sides: int) -> int:
    """Roll a die and return the face that it shows, from 1 on; it is noted in `dice`, those of the action.

    A script without a face left shows 1, 2 and so forth, so that every roll-off ends. Then `rolled` is greater than
    `given`.
    """
    at = dice.rolled
    dice.rolled = at + 1
    dice.sides[at], dice.need[at], dice.pool[at] = sides, 0, 0
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
            else:
                dice.faces[at] += (at - dice.given) % sides
        if at < DEPTH:
            dice.share[at] = ONE_DIE
    dice.most[at] = dice.faces[at]
    return int(dice.faces[at])


def roll_for(dice: Record, sides: int, need: int, other: int) -> int:
    """Roll a die that has to show `need` or more, which is noted as 1 where no face can fail.

    All else that is asked is whether it shows `other` or more: so an odometer counts less. The rest is as for `roll`.
    """
    face, low, high = roll(dice, sides), min(need, other), max(need, other)
    most = high - 1 if face < high else sides
    dice.most[dice.rolled - 1] = min(sides, low - 1 if face < low else most)
    dice.need[dice.rolled - 1] = max(need, 1)
    return face


def roll_under(dice: Record, sides: int, need: int) -> int:
    """Roll a die by itself that has to show `need` or less; nothing else is asked of it. The rest is as for `roll`."""
    face = roll_for(dice, sides, need + 1, need + 1)
    dice.need[dice.rolled - 1], dice.pool[dice.rolled - 1] = -need, dice.rolled
    return face


def roll_pool(dice: Record, sides: int, count: int, need: int) -> int:
    """Roll `count` dice and return how many of them show `need` or more; an odometer counts these, not the dice.

    The rest is as for `roll`; there are two `sides` at least.
    """
    at = dice.rolled
    if dice.source == ODOMETER and at < DEPTH and count > 1 and 1 < need <= sides:
        p = (sides - need + 1) / sides
        found = roll(dice, count + 1) - 1
        share = 1.0
        for die in range(count):
            share *= p * (count - die) / (found - die) if die < found else 1.0 - p
        dice.share[at] = share
        return found
    found = 0
    for _ in range(count):
        if roll_for(dice, sides, need, need) >= need:
            found += 1
        dice.pool[dice.rolled - 1] = at + 1
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


def result(state: Record) -> int:
    """Return the winner, and `NOT_OVER` without a reason: the `MatchRules.result` of states that note both."""
    return int(state.winner) if state.reason else NOT_OVER


def write(out: Actions, count: int, action: int) -> int:
    """Write one more action behind the `count` that `out` has; return the number of actions then."""
    out[count] = action
    return count + 1


def action_of(kind: int, unit: int, other: int = 0, number: int = 0, extra: int = 0) -> int:
    """Return the action that is made of these parts.

    Parameters
    ----------
    kind : int
        Which of the game's kinds of actions it is.
    unit, other : int
        The unit that acts, and another unit or whatever else the kind has there.
    number : int
        A square, or another large number.
    extra : int
        A weapon, a facing, or another small number.
    """
    units = int(unit) << ACTOR.at | int(other) << OTHER.at
    return kind | units | int(number) << NUMBER.at | int(extra) << EXTRA.at


def part_of(action: int, part: Bits) -> int:
    """Return a part of an action."""
    return int(action >> part.at & (1 << part.width) - 1)


def parts_of(action: int) -> tuple[int, int, int, int, int]:
    """Return what `action_of` has made an action of: its kind, unit, other unit, number and extra."""
    kind, unit, other = part_of(action, KIND), part_of(action, ACTOR), part_of(action, OTHER)
    return kind, unit, other, part_of(action, NUMBER), part_of(action, EXTRA)


def units_of(tables: Record, side: int) -> range:
    """Return the numbers of a side's units: those of a come first, `units_of_a` of the `units` in the tables."""
    of_a, several = np.int64(tables.units_of_a), np.int64(tables.units)
    return range(of_a, several) if side else range(of_a)


def is_barred(tables: Record, side: int, action: int) -> bool:
    """Return whether actions of the kind of `action` are barred to a side."""
    return bool(tables.barred[side] >> part_of(action, KIND) & 1)


def may_hold(tables: Record, side: int) -> bool:
    """Return whether objectives that a side holds count for it."""
    return bool(tables.barred[side] >> OBJECTIVES & 1 == 0)


def weigh(tables: Record, weights: Mapping[str, float]) -> None:
    """Write what players think that things are worth, by the names of the fields of ``tables.weight``."""
    for name, weight in weights.items():
        tables.weight[name] = weight


def script(faces: list[int]) -> Record:
    """Return dice that show given faces, one after another."""
    dice = new(DICE)
    dice.source, dice.given, dice.faces[: len(faces)] = SCRIPT, len(faces), faces
    return dice


def new(kind: np.dtype[Any]) -> Record:
    """Return a record of a kind, all its fields 0."""
    return np.zeros(1, kind)[0]
