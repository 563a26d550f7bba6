"""Matchups: one row per ordered pair and situation, shots and duels, all exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from aabalance import columns
from aabalance.analysis.situations import Situations
from aabalance.engine import grid
from aabalance.engine.outcome import Outcome, Tally, mean, total
from aabalance.engine.sampling import wilson
from aabalance.errors import UsageError, whole_number
from aabalance.game import OF_ONE_ATTACK, Game, Unit
from aabalance.play.duel import MOST_ROUNDS, MOST_SEED, MOST_TRIALS
from aabalance.results import FACES, words

LEAST_TRIALS = 2
"""One for each order of turns."""
SHOTS = [
    "need",
    "out_of_reach",
    "p_damage",
    "expected_damage",
    "expected_damage_per_action",
    "p_kill",
    "p_kill_turn",
    "expected_shots_to_kill",
    "expected_turns_to_kill",
]
SIMULATED = ["n", "ci_low", "ci_high"]
DUELS = ["p_win", "p_draw", "p_loss", "p_win_first", "p_win_second", "player_turns"]


def tidy(table: str, data: pd.DataFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return `data` as a frame of the columns that `aabalance.columns` declares for a table, in their order and types.

    Columns that `data` lacks are left out; without any rows it has them all.

    Raises
    ------
    KeyError
        A column that the table doesn't have.
    """
    frame = pd.DataFrame(data)
    declared = columns.TABLES[table].columns
    if unknown := set(frame.columns) - set(declared):
        raise KeyError(f"{table}: {', '.join(sorted(map(str, unknown)))}")
    frame = frame.reindex(columns=[name for name in declared if frame.empty or name in frame])
    for column in columns.describe(map(str, frame.columns)):
        if column.dtype != "str":
            frame[column.name] = frame[column.name].astype(column.dtype)
    return frame


def expect(frame: Any, names: Iterable[str], source: str) -> pd.DataFrame:
    """Return a frame that has some columns; levels of its index count as such.

    Raises
    ------
    UsageError
        No frame, one that lacks a column, or one without rows; `source` says where the right one comes from.
    """
    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"frame: found a {type(frame).__name__}, expected the frame of {source}")
    wanted = list(names)
    table = frame.reset_index() if any(name in frame.index.names and name not in frame for name in wanted) else frame
    lacking = next((name for name in wanted if name not in table), None)
    if lacking is not None:
        raise UsageError(f"frame: found no column {lacking}, expected the frame of {source}")
    if table.empty:
        raise UsageError(f"frame: found no rows, expected those of {source}")
    return table


def by_id(units: Iterable[Unit], place: str) -> dict[str, Unit]:
    """Return some units by id, each once.

    Raises
    ------
    UsageError
        Not a list of ids or cards, or an empty one.
    """
    if isinstance(units, str) or not np.iterable(units):
        raise UsageError(f"{place}: found {units!r}, expected a list of ids")
    found: dict[str, Unit] = {}
    for unit in units:
        unit_id = getattr(unit, "id", unit)
        if not isinstance(unit_id, str):
            raise UsageError(f"{place}: found {unit!r}, expected ids of units")
        found.setdefault(unit_id, unit)
    if not found:
        raise UsageError(f"{place}: found no unit, expected one at least")
    return found


def ids_of(game: Game, units: Iterable[Unit] | None, place: str) -> list[str]:
    """Return the ids of some units of the roster, of all by default, each once.

    Raises
    ------
    UsageError
        No unit, an unknown one, or a card that isn't the roster's own.
    """
    if units is None:
        return list(game.cards)
    ids = []
    for word, unit in by_id(units, place).items():
        unit_id = game.cards.id_of(word)
        if not isinstance(unit, str) and unit != game.cards[unit_id]:
            raise UsageError(f"{place}: found another card of {unit_id} than the game's, expected Game(changes=...)")
        ids.append(unit_id)
    return list(dict.fromkeys(ids))


def matchups(
    game: Game,
    situations: Situations | None = None,
    *,
    attackers: Iterable[Unit] | None = None,
    targets: Iterable[Unit] | None = None,
    duels: bool = True,
    simulate: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    advance: Callable[[int], None] = lambda steps: None,
) -> pd.DataFrame:
    """Return every attacker against every target in every situation.

    Parameters
    ----------
    situations : Situations, optional
        The game's standard situations by default, which bring its limit of rounds.
    attackers, targets : iterable of str or card, optional
        Ids, names or cards, each of which counts once; the whole roster by default. A unit meets itself too.
    duels : bool
        Also solve the duel of each row: both hold, the target shows the row's facing, the attacker its own_facing. What
        holds for one attack alone (``moved``) is then no part of a row.
    simulate : int, optional
        Roll so many duels a row instead of solving them, half with each order; adds the columns `SIMULATED`, the
        interval being Wilson's at 95 % for `p_win`.
    seed : int
        Same seed: same dice for the same two units, whatever else is in the table.
    executor : Executor, optional
        Where duels are rolled, processes for example; a thread for each processor by default. Changes no number.
    advance : callable
        Called with the number of attackers done since the last call; there are ``len(attackers)``. Of simulated duels
        with what that share of the trials would be.

    Returns
    -------
    DataFrame
        Columns as `aabalance.columns` declares them, rows in order of attacker, target and situation.

    Raises
    ------
    UsageError
        Fewer than two trials, a limit of less than a round, no unit or one that isn't of the roster, situations of
        another game, or duels in what holds for one attack alone.
    """
    if simulate is not None:
        simulate = whole_number("simulate", simulate, LEAST_TRIALS, MOST_TRIALS)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    at = Situations.standard(game) if situations is None else _situations(game, situations)
    if at.rounds is not None:
        whole_number("rounds", at.rounds, 1, MOST_ROUNDS)
    rows = ids_of(game, attackers, "attackers")
    cols = ids_of(game, targets, "targets")
    shape = len(rows), len(cols), len(at.moments)
    cards = game.cards
    returned = _returned(game, at) if duels else []
    # The same units either way: then what the other fires back stands in the same table.
    asked = list(dict.fromkeys([*at.moments, *(returned if rows == cols else ())]))
    units = [cards[i] for i in rows], [cards[i] for i in cols]
    rolled = duels and simulate is not None
    packing = (lambda steps: None) if rolled else advance
    table = grid.grid(game.ruleset, *units, asked, game.variant, packing)
    found = table.of([asked.index(moment) for moment in at.moments])
    hp = {i: game.ruleset.toughness(cards[i]) for i in {*rows, *cols}}
    hp_target = np.array([hp[i] for i in cols], dtype=np.int64)[None, :, None]
    kills = grid.kills(found, hp_target)
    data: dict[str, Any] = {
        "attacker": _words(rows, shape, 0),
        "target": _words(cols, shape, 1),
        "range_in": np.tile([moment.range_in for moment in at.moments], shape[0] * shape[1]),
        **_circumstances(game, at, shape),
        "weight": np.tile(at.weights, shape[0] * shape[1]),
        "attacker_requisition": np.repeat(_costs(game, rows), shape[1] * shape[2]),
        "target_requisition": np.tile(np.repeat(_costs(game, cols), shape[2]), shape[0]),
    }
    values = (
        found.need,
        found.out_of_reach,
        found.p_damage,
        found.expected_damage,
        found.per_action,
        kills.p_kill,
        kills.p_kill_turn,
        kills.shots,
        kills.turns,
    )
    data |= {name: value.ravel() for name, value in zip(SHOTS, values, strict=True)}
    if duels:
        hp_attacker = np.array([hp[i] for i in rows], dtype=np.int64)[:, None, None]
        fired_back = _return_fire(game, table, asked, returned, rows, cols)
        sides = found.tables, found.plan, fired_back, hp_attacker, hp_target
        if simulate is None:
            data |= _solved(*grid.duels(*sides, at.rounds))
        else:
            names_a = [name for name in rows for _ in range(shape[1] * shape[2])]
            names_b = [name for name in cols for _ in at.moments] * shape[0]
            told = _share(advance, len(rows), len(names_a) * simulate)
            counts = grid.simulate(*sides, (names_a, names_b), simulate, seed, at.rounds, executor, told)
            data |= _counted(*counts, at.rounds)
    return tidy("matchups", data)


def _share(advance: Callable[[int], None], steps: int, of: int) -> Callable[[int], None]:
    """Return a function that is told of parts of `of`, and tells `advance` of as large a share of `steps`."""
    done = 0

    def told(part: int) -> None:
        nonlocal done
        before, done = done * steps // of, done + part
        advance(done * steps // of - before)

    return told


def shots(
    game: Game,
    situations: Situations | None = None,
    *,
    attackers: Iterable[Unit] | None = None,
    targets: Iterable[Unit] | None = None,
    advance: Callable[[int], None] = lambda steps: None,
) -> pd.DataFrame:
    """Return the attack columns of `matchups` alone: chances, kills, expected shots and turns to kill."""
    return matchups(game, situations, attackers=attackers, targets=targets, duels=False, advance=advance)


def _situations(game: Game, given: Any) -> Situations:
    found = type(given).__name__
    if isinstance(given, Situations):
        if all(isinstance(moment, game.ruleset.Moment) for moment in given.moments):
            return given
        found = "Situations of another game"
    raise UsageError(f"situations: found {found}, expected Situations.of(game, ...) of {game.ruleset.name}")


def _returned(game: Game, at: Situations) -> list[Any]:
    """Return the moments as the targets see them, in duels in which both hold.

    Raises
    ------
    UsageError
        A moment says what an attacker or a target did.
    """
    rules = game.ruleset
    returned = []
    for moment in at.moments:
        situation = rules.Situation(**{name: getattr(moment, name) for name in rules.Situation.model_fields})
        still = rules.still(situation, moment.range_in)
        moved = next((name for name in rules.passing() if getattr(moment, name) != getattr(still, name)), None)
        if moved is not None:
            raise UsageError(f"situations.{moved}: {OF_ONE_ATTACK}; duels=False leaves the duels out")
        returned.append(rules.still(situation.returned(moment.range_in), moment.range_in))
    return returned


def _costs(game: Game, ids: list[str]) -> list[float]:
    return [getattr(game.cards[i], game.ruleset.labels.currency) for i in ids]


def _words(words: Sequence[str], shape: tuple[int, int, int], axis: int) -> Any:
    kinds = list(dict.fromkeys(words))
    codes = np.array([kinds.index(word) for word in words], dtype=np.int64)
    spread = np.broadcast_to(codes.reshape([-1 if n == axis else 1 for n in range(3)]), shape)
    return pd.Categorical.from_codes(spread.ravel(), categories=pd.Index(kinds))


def _circumstances(game: Game, at: Situations, shape: tuple[int, int, int]) -> dict[str, Any]:
    """Return what situations are besides the distance: faces in columns of their own, the rest in words."""
    columns = {
        name: _words([getattr(moment, name) for moment in at.moments], shape, 2)
        for name in FACES
        if name in game.ruleset.Situation.model_fields
    }
    said = [words(moment, faces=False) for moment in at.moments]
    if any(said):
        columns["situation"] = _words(said, shape, 2)
    return columns


def _solved(a_first: Outcome, b_first: Outcome) -> dict[str, Any]:
    """Return the duel columns of outcomes in both orders of first turn; a draw leaves both or neither."""
    both = mean((a_first, b_first))
    values = both.p_a, both.p_draw + both.p_both, both.p_b, a_first.p_a, b_first.p_a, both.player_turns
    return {name: value.ravel() for name, value in zip(DUELS, values, strict=True)}


def _counted(a_first: Tally, b_first: Tally, rounds: int | None) -> dict[str, Any]:
    """Return the duel columns of counts in both orders of first turn, with their intervals."""
    counts = total((a_first, b_first))
    low, high = zip(*map(wilson, counts.wins_a.tolist(), counts.trials.tolist()), strict=True)
    shares = _solved(*(tally.outcome(limited=rounds is not None) for tally in (a_first, b_first)))
    return {**shares, "n": counts.trials, "ci_low": low, "ci_high": high}


def _return_fire(
    game: Game, table: grid.Grid, asked: list[Any], returned: list[Any], rows: list[str], cols: list[str]
) -> npt.NDArray[np.int64]:
    """Return the plans of the targets in the situations as they see them, from `table` if the units are the same."""
    if rows != cols:
        asked = list(dict.fromkeys(returned))
        units = [game.cards[i] for i in cols], [game.cards[i] for i in rows]
        table = grid.grid(game.ruleset, *units, asked, game.variant, tables=table.tables)
    return table.plan.take([asked.index(moment) for moment in returned], axis=2).transpose(1, 0, 2)
