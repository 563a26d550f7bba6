"""The interface of the rules of a game's matches: what the engine, logs and pages ask them.

`tables`, `state` and `dice` are those of the match, `side` a side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from aabalance.errors import UsageError
from aabalance.rulesets.base import notation
from aabalance.rulesets.base.board import BoardRules, Scene
from aabalance.rulesets.base.match import Actions, Record, result
from aabalance.rulesets.base.notation import Slot


def to_move(state: Record) -> int:
    """Return the side that is to move, 2 once the match is over: the `MatchRules.to_move` of states that note it."""
    return int(state.to_move)


def sees_all(tables: Record, state: Record, side: int) -> None:
    """Hide nothing of `state` from `side`: the `MatchRules.view` of games in which all is open."""


def has_no_hands(tables: Record, state: Record, side: int, dice: Record) -> None:
    """Draw nothing anew, whatever `side` decides: the `MatchRules.redraw` of games in which all is open."""


def no_names(card: Any) -> Mapping[str, Any]:
    """Return nothing: the `MatchRules.disarmed` of games whose weapons have no names."""
    return {}


def all_units(tables: Record, state: Record) -> int:
    """Return how many units there are: the `MatchRules.units` of games whose tables say it."""
    return int(tables.units)


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
    remark : str
        A sentence without which results can be misread; the game says it.
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
    remark: str = ""

    def refuse_mission(self, why: str) -> None:
        """Refuse a mission, in a game without any; `why` says in words what decides its matches.

        Raises
        ------
        UsageError
            A mission is asked for.
        """
        if self.mission is not None:
            raise UsageError(f"mission: found {self.mission!r}, expected none: {why}")


class Tuned(NamedTuple):
    """What players of a game need to know besides its rules: measured, not reckoned.

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
        What greedy hopes of a plan counts as much as this many playouts of it. More playouts outvote it.
    """

    curve: float = 1.0
    playouts: int = 128
    horizon: int = 3
    trust: float = 8.0


class MatchRules(NamedTuple):
    """The rules of a game's matches.

    Tables and states are numpy records; sides are 0 and 1 (a and b). `to_move`, `legal`, `candidates`, `actor`,
    `apply`, `view`, `redraw`, `units`, `result`, `value` and `facts` also compile: they take and return numbers,
    records and arrays alone, and call functions that are imported by name, not as a part of a module.

    Each game gives, in this order:

    - what is agreed on: `Options`, `Place`, `agree`, `start`
    - how it is played: `legal`, `actor`, `apply`, `facts`, `most_actions`
    - how a player judges it: `candidates`, `value`
    - words: `patterns`, `slots`, `words`, `ended`, `reasons`, `sections`
    - its board, and drawings: `board`, `scene`

    What games share, or have no use for, is the default:

    - how it is played: `to_move`, `result`, `units`, `limits`, `parts`
    - what a side doesn't see: `view`, `redraw`
    - how players play it: `tuned`
    - its board: `sees`
    - what may be asked of lists and cards: `whole_roster`, `kinds`, `weapon`, `disarmed`, `priced`, `scorers`

    Attributes
    ----------
    Options : type of BaseModel
        Schema of what may be agreed on besides board, lists, mission, rounds and actions.
    Place : type of BaseModel
        Schema of where a unit of a list may begin; all its fields have defaults.
    agree : callable
        ``agree(agreement)`` returns the agreement with what was left open, and the set-up that `start` takes, but for
        who moves first. What can't be played is a `UsageError`.
    start : callable
        ``start(setup, cards, variant)`` returns the tables, the state at the start, and the names for `slots` and
        `words`. The set-up is one of `agree`, with the board as a table; the cards are those of the match by name. The
        tables have `BARRED`, all 0.
    legal : callable
        ``legal(tables, state, of, out)`` writes the legal actions into `out` and returns how many there are: those of
        one unit, or `NO_UNIT`, or `ALL`.
    actor : callable
        ``actor(action)`` returns the unit that an action is a part of the turn of; `NO_UNIT` if it is of none.
    apply : callable
        ``apply(tables, state, action, dice)`` changes the state by an action.
    facts : callable
        ``facts(tables, state, out)`` writes `FACTS` of a match that is over into `out`, but for `decisions`; of the
        state at the start, what lists cost.
    most_actions : int
        Largest number of actions that `legal` writes.
    candidates : callable
        ``candidates(tables, state, of, follows, out)`` is as `legal`, but writes only what a sensible player
        looks at; if it `follows`, those with which a unit may go on with a plan after its first action.
    value : callable
        ``value(tables, state, side, of)`` returns what a player may think of a state, the more the better for `side`.
        It is compared among states between which one unit acts, `of`, so that it may leave out what hangs on others;
        `of` may be `NO_UNIT`, too, and `ALL`, which leaves nothing out.
    patterns : mapping of int to str
        How people write actions, by the numbers of actions that have nothing in their slots: see
        `aabalance.rulesets.base.notation`.
    slots : callable
        ``slots(tables, state, names)`` returns what stands for the words of the patterns.
    words : callable
        ``words(tables, state, names)`` returns the state as transcripts have it.
    ended : callable
        ``ended(tables, state)`` returns the result as transcripts have it: ``winner`` (a, b or None), ``reason`` in
        words, and what else the game tells.
    reasons : tuple of str
        Why a match may end, in words.
    sections : mapping of str to str
        By the verb in an action's text, the section of the rulebook behind it.
    board : BoardRules
        What boards are made of.
    scene : callable
        ``scene(tables, state, names)`` returns what is drawn of a state.
    to_move : callable
        ``to_move(state)`` returns the side that decides next; 2 if the match is over.
    result : callable
        ``result(state)`` returns one of `NOT_OVER`, `WON_BY_A`, `WON_BY_B` and `DRAWN`.
    units : callable
        ``units(tables, state)`` returns the number below which all units have theirs.
    limits : tuple of int
        Those of `reasons` for which a match ends at its limit of rounds.
    parts : int
        How many parts a point of cost has in `facts`, which are whole; 1 where all costs are.
    view : callable
        ``view(tables, state, side)`` takes out of a state what a side doesn't see, such as the other's hand: players
        decide by what is left.
    redraw : callable
        ``redraw(tables, state, side, dice)`` draws anew what a side doesn't see, such as the other's hand: as likely as
        it can know.
    tuned : Tuned
        How players read `value` and search.
    sees : callable
        ``sees(tables, square, other)`` returns whether there is a line of sight between two squares, given as
        column + row * width; None in a game without lines of sight.
    whole_roster : bool
        Whether units that are in no list may come into a match: bought in it, or brought by its board.
    kinds : mapping of str to int
        The kinds of actions that may be barred to a side, as bits, by the verb in their texts or by a word for several
        verbs; "objectives" to hold them.
    weapon : callable
        ``weapon(action, names)`` returns the name of the weapon that an action fires, or nothing; None for a game whose
        weapons have no names.
    disarmed : callable
        ``disarmed(card)`` returns the cards that lack one of its weapons each, by the weapon's name.
    priced : tuple of str or None
        Missions in which what units cost decides who wins, with None if that is so where none is named.
    scorers : mapping of str to callable
        Missions that only some units can win, as no others hold objectives; ``scorers[mission](card)``: whether a
        unit is one.
    """

    # --- each game gives these

    # what is agreed on
    Options: type[BaseModel]
    Place: type[BaseModel]
    agree: Callable[[Agreement], tuple[Agreement, dict[str, Any]]]
    start: Callable[[Mapping[str, Any], Mapping[str, Any], Any], tuple[Record, Record, Any]]
    # how it is played
    legal: Callable[[Record, Record, int, Actions], int]
    actor: Callable[[int], int]
    apply: Callable[[Record, Record, int, Record], None]
    facts: Callable[[Record, Record, Actions], None]
    most_actions: int
    # how a player judges it
    candidates: Callable[[Record, Record, int, bool, Actions], int]
    value: Callable[[Record, Record, int, int], float]
    # words
    patterns: Mapping[int, str]
    slots: Callable[[Record, Record, Any], Mapping[str, Slot]]
    words: Callable[[Record, Record, Any], dict[str, Any]]
    ended: Callable[[Record, Record], dict[str, Any]]
    reasons: tuple[str, ...]
    sections: Mapping[str, str]
    # its board, and drawings
    board: BoardRules
    scene: Callable[[Record, Record, Any], Scene]

    # --- the rest has defaults

    # how it is played
    to_move: Callable[[Record], int] = to_move
    result: Callable[[Record], int] = result
    units: Callable[[Record, Record], int] = all_units
    limits: tuple[int, ...] = ()
    parts: int = 1
    # what a side doesn't see
    view: Callable[[Record, Record, int], None] = sees_all
    redraw: Callable[[Record, Record, int, Record], None] = has_no_hands
    # how players play it
    tuned: Tuned = Tuned()
    # its board
    sees: Callable[[Record, int, int], bool] | None = None
    # what may be asked of lists and cards
    whole_roster: bool = False
    kinds: Mapping[str, int] = {}
    weapon: Callable[[int, Any], str] | None = None
    disarmed: Callable[[Any], Mapping[str, Any]] = no_names
    priced: tuple[str | None, ...] = ()
    scorers: Mapping[str | None, Callable[[Any], bool]] = {}

    def text(self, tables: Record, state: Record, action: int, names: Any) -> str:
        """Return an `action` as people write it; `tables`, `state` and `names` are those of the match."""
        return self.texts(tables, state, (action,), names)[0]

    def texts(self, tables: Record, state: Record, actions: Iterable[int], names: Any) -> list[str]:
        """Return some `actions` of a state as people write them: many in half the time of each alone; see `text`."""
        slots = self.slots(tables, state, names)
        return [notation.text(action, self.patterns, slots) for action in actions]

    def read(self, tables: Record, state: Record, said: str, names: Any) -> int:
        """Return the action that was `said`; what is none is a `ValueError`. `tables`, `state`, `names`: see `text`."""
        return notation.read(said, self.patterns, self.slots(tables, state, names))
