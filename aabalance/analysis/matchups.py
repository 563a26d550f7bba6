"""Matchups: a table of shots and duels with one row per ordered pair of units and situation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from aabalance import columns
from aabalance.analysis.situations import HOLDING, Situations
from aabalance.engine import grid
from aabalance.engine.outcome import Outcome, Tally, mean, total
from aabalance.engine.sampling import wilson
from aabalance.errors import UsageError, whole_number
from aabalance.game import OF_ONE_ATTACK, Game, Unit
from aabalance.play.duel import MOST_ROUNDS, MOST_SEED, MOST_TRIALS, Sample, duel
from aabalance.results import FACES, words

EXACT = Sample(None, None, 0, lambda trials: None)
LEAST_TRIALS = 2
"""Half of the trials let one side move first, half the other."""


def tidy(table: str, data: pd.DataFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return `data` as a frame of the columns that `aabalance.columns` declares for a table, in their order and types.

    Columns that `data` lacks are left out; if `data` has no rows, the frame has all columns.

    Parameters
    ----------
    table : str
        Name of the table in `aabalance.columns.TABLES`.
    data : DataFrame, mapping or sequence of mapping
        Anything that a DataFrame is made from.

    Raises
    ------
    KeyError
        `data` has a column that the table doesn't have.
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
    """Return `frame` if it has the columns `names`; levels of its index count as columns.

    Parameters
    ----------
    frame : object
        What the user gave as a frame.
    names : iterable of str
        Columns that it must have.
    source : str
        Call that makes a right frame, for the error text.

    Raises
    ------
    UsageError
        It is no frame, lacks a column, or has no rows.
    """
    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"frame: found a {type(frame).__name__}, expected the frame of {source}")
    required = list(names)
    table = frame.reset_index() if any(name in frame.index.names and name not in frame for name in required) else frame
    lacking = next((name for name in required if name not in table), None)
    if lacking is not None:
        raise UsageError(f"frame: found no column {lacking}, expected the frame of {source}")
    if table.empty:
        raise UsageError(f"frame: found no rows, expected those of {source}")
    return table


def by_id(units: Iterable[Unit], place: str) -> dict[str, Unit]:
    """Return units by id, each once.

    Parameters
    ----------
    units : iterable of str or card
    place : str
        What the user calls the list, for the error text.

    Raises
    ------
    UsageError
        `units` is no list of ids or cards, or is empty.
    """
    if isinstance(units, str) or not np.iterable(units):
        raise UsageError(f"{place}: found {units!r}, expected a list of ids")
    chosen: dict[str, Unit] = {}
    for unit in units:
        unit_id = getattr(unit, "id", unit)
        if not isinstance(unit_id, str):
            raise UsageError(f"{place}: found {unit!r}, expected ids of units")
        chosen.setdefault(unit_id, unit)
    if not chosen:
        raise UsageError(f"{place}: found no unit, expected one at least")
    return chosen


def ids_of(game: Game, units: Iterable[Unit] | None, place: str) -> list[str]:
    """Return the ids of units of the roster, each once.

    Parameters
    ----------
    game : Game
    units : iterable of str or card, optional
        Ids, names or cards; the whole roster by default.
    place : str
        What the user calls the list, for the error text.

    Raises
    ------
    UsageError
        The list is empty, a unit is unknown, or a card isn't the roster's own.
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
    """Return a table of every attacker against every target in every situation.

    Parameters
    ----------
    game : Game
    situations : Situations, optional
        The game's standard situations by default, with its limit of rounds and its postures.
    attackers, targets : iterable of str or card, optional
        Ids, names or cards, each of which counts once; the whole roster by default. A unit meets itself too.
    duels : bool
        Also solve the duel of each row, in which both units hold unless the situations have other postures. Those
        duels are solved one by one: some 2 ms each, half a second for ``optimal``. The target shows the row's
        ``facing``, the attacker its ``own_facing``. No row may then have a field that holds for one attack alone
        (``moved``).
    simulate : int, optional
        Roll this many duels for each row instead of solving them; in half of them the target moves first. Adds the
        columns ``n``, ``ci_low`` and ``ci_high``, with Wilson's 95 % interval for ``p_win``.
    seed : int
        The same seed gives two units the same dice, whatever else is in the table.
    executor : Executor, optional
        Where duels are rolled, for example in processes; a thread for each processor by default. Changes no number.
    advance : callable
        Called with the number of attackers done since the last call; all calls add up to ``len(attackers)``. When duels
        are rolled, it is called with the same share of that number as of the trials.

    Returns
    -------
    DataFrame
        Columns as ``aabalance.columns`` declares them, rows in order of attacker, target and situation.

    Raises
    ------
    UsageError
        Fewer than two trials, a limit below one round, an empty list of units or one not in the roster, situations of
        another game, duels in situations with a field that holds for one attack alone, or in postures that the game
        doesn't have; rolled duels of units that don't hold.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> at = aab.Situations.of(game, {"range_in": {12: 0.5, 24: 0.5}})
    >>> met = aab.matchups(game, at, attackers=["us_m4a3_75w"], targets=["de_stug3g"])
    >>> met[["attacker", "target", "range_in", "need", "p_win", "p_loss"]].round(2)
          attacker     target  range_in  need  p_win  p_loss
    0  us_m4a3_75w  de_stug3g      12.0     4   0.35    0.65
    1  us_m4a3_75w  de_stug3g      24.0     4   0.74    0.26
    """
    if simulate is not None:
        simulate = whole_number("simulate", simulate, LEAST_TRIALS, MOST_TRIALS)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    situations = Situations.standard(game) if situations is None else _situations(game, situations)
    if situations.rounds is not None:
        whole_number("rounds", situations.rounds, 1, MOST_ROUNDS)
    attacker_ids = ids_of(game, attackers, "attackers")
    target_ids = ids_of(game, targets, "targets")
    shape = len(attacker_ids), len(target_ids), len(situations.moments)
    cards = game.cards
    returned = _returned(game, situations) if duels else []
    # If attackers and targets are the same units, what a target fires back stands in the same table.
    moments = list(dict.fromkeys([*situations.moments, *(returned if attacker_ids == target_ids else ())]))
    units = [cards[i] for i in attacker_ids], [cards[i] for i in target_ids]
    rolled = duels and simulate is not None
    moving = duels and situations.postures != HOLDING
    if rolled and moving:
        raise UsageError(f"simulate: found it with {' v '.join(situations.postures)}, expected units that hold")
    packing = (lambda steps: None) if rolled or moving else advance
    table = grid.grid(game.ruleset, *units, moments, game.variant, packing)
    cells = table.of([moments.index(moment) for moment in situations.moments])
    hp = {i: game.ruleset.toughness(cards[i]) for i in {*attacker_ids, *target_ids}}
    hp_target = np.array([hp[i] for i in target_ids], dtype=np.int64)[None, :, None]
    kills = grid.kills(cells, hp_target)
    data: dict[str, Any] = {
        "attacker": _words(attacker_ids, shape, 0),
        "target": _words(target_ids, shape, 1),
        "range_in": np.tile([moment.range_in for moment in situations.moments], shape[0] * shape[1]),
        **_circumstances(game, situations, shape),
        "weight": np.tile(situations.weights, shape[0] * shape[1]),
        "attacker_requisition": np.repeat(_costs(game, attacker_ids), shape[1] * shape[2]),
        "target_requisition": np.tile(np.repeat(_costs(game, target_ids), shape[2]), shape[0]),
    }
    data |= _raveled(
        need=cells.need,
        out_of_reach=cells.out_of_reach,
        p_damage=cells.p_damage,
        expected_damage=cells.expected_damage,
        expected_damage_per_action=cells.per_action,
        p_kill=kills.p_kill,
        p_kill_turn=kills.p_kill_turn,
        expected_shots_to_kill=kills.shots,
        expected_turns_to_kill=kills.turns,
    )
    if moving:
        data |= _walked(game, situations, *units, advance)
    elif duels:
        hp_attacker = np.array([hp[i] for i in attacker_ids], dtype=np.int64)[:, None, None]
        fired_back = _return_fire(game, table, moments, returned, attacker_ids, target_ids)
        sides = cells.tables, cells.plan, fired_back, hp_attacker, hp_target
        if simulate is None:
            data |= _solved(*grid.duels(*sides, situations.rounds))
        else:
            names_a = [name for name in attacker_ids for _ in range(shape[1] * shape[2])]
            names_b = [name for name in target_ids for _ in situations.moments] * shape[0]
            advance_rolled = _share(advance, len(attacker_ids), len(names_a) * simulate)
            counts = grid.simulate(
                *sides, (names_a, names_b), simulate, seed, situations.rounds, executor, advance_rolled
            )
            data |= _counted(*counts, situations.rounds)
    return tidy("matchups", data)


def _share(advance: Callable[[int], None], steps: int, of: int) -> Callable[[int], None]:
    """Return a function that takes a part of `of`, and calls `advance` with the same share of `steps`."""
    done = 0

    def advance_part(trials: int) -> None:
        nonlocal done
        before, done = done * steps // of, done + trials
        advance(done * steps // of - before)

    return advance_part


def shots(
    game: Game,
    situations: Situations | None = None,
    *,
    attackers: Iterable[Unit] | None = None,
    targets: Iterable[Unit] | None = None,
    advance: Callable[[int], None] = lambda steps: None,
) -> pd.DataFrame:
    """Return the attack columns of `matchups` alone: chances, kills, expected shots and turns to kill.

    Parameters
    ----------
    game, situations, attackers, targets, advance
        As for `matchups`.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> at = aab.Situations.of(game, {"range_in": {12: 0.5, 24: 0.5}})
    >>> fired = aab.shots(game, at, attackers=["us_m4a3_75w"], targets=["de_stug3g"])
    >>> fired[["attacker", "target", "range_in", "p_damage", "expected_turns_to_kill"]].round(2)
          attacker     target  range_in  p_damage  expected_turns_to_kill
    0  us_m4a3_75w  de_stug3g      12.0      0.58                    5.14
    1  us_m4a3_75w  de_stug3g      24.0      0.58                    5.14
    """
    return matchups(game, situations, attackers=attackers, targets=targets, duels=False, advance=advance)


def _situations(game: Game, situations: Any) -> Situations:
    kind = type(situations).__name__
    if isinstance(situations, Situations):
        if all(isinstance(moment, game.ruleset.Moment) for moment in situations.moments):
            return situations
        kind = "Situations of another game"
    raise UsageError(f"situations: found {kind}, expected Situations.of(game, ...) of {game.ruleset.name}")


def _returned(game: Game, situations: Situations) -> list[Any]:
    """Return the moments as the targets see them, in duels.

    Raises
    ------
    UsageError
        A moment has a field that holds for one attack alone.
    """
    ruleset = game.ruleset
    returned = []
    for moment in situations.moments:
        situation = ruleset.Situation(**{name: getattr(moment, name) for name in ruleset.Situation.model_fields})
        still = ruleset.still(situation, moment.range_in)
        moved = next((name for name in ruleset.of_one_attack() if getattr(moment, name) != getattr(still, name)), None)
        if moved is not None:
            raise UsageError(f"situations.{moved}: {OF_ONE_ATTACK}; duels=False leaves the duels out")
        returned.append(ruleset.still(situation.returned(moment.range_in), moment.range_in))
    return returned


def _costs(game: Game, ids: list[str]) -> list[float]:
    return [getattr(game.cards[i], game.ruleset.labels.currency) for i in ids]


def _words(words: Sequence[str], shape: tuple[int, int, int], axis: int) -> Any:
    kinds = list(dict.fromkeys(words))
    codes = np.array([kinds.index(word) for word in words], dtype=np.int64)
    spread = np.broadcast_to(codes.reshape([-1 if n == axis else 1 for n in range(3)]), shape)
    return pd.Categorical.from_codes(spread.ravel(), categories=pd.Index(kinds))


def _circumstances(game: Game, situations: Situations, shape: tuple[int, int, int]) -> dict[str, Any]:
    """Return the columns that describe situations besides the distance: each face a column, all else in words."""
    data = {
        name: _words([getattr(moment, name) for moment in situations.moments], shape, 2)
        for name in FACES
        if name in game.ruleset.Situation.model_fields
    }
    texts = [words(moment, faces=False) for moment in situations.moments]
    if any(texts):
        data["situation"] = _words(texts, shape, 2)
    return data


def _solved(a_first: Outcome, b_first: Outcome) -> dict[str, Any]:
    """Return the duel columns from the outcomes in both orders of first turn; if both units are lost, it is a draw."""
    both = mean((a_first, b_first))
    return _raveled(
        p_win=both.p_a,
        p_draw=both.p_draw + both.p_both,
        p_loss=both.p_b,
        p_win_first=a_first.p_a,
        p_win_second=b_first.p_a,
        player_turns=both.player_turns,
    )


def _walked(
    game: Game, situations: Situations, attackers: list[Any], targets: list[Any], advance: Callable[[int], None]
) -> dict[str, Any]:
    """Return the duel columns of units that don't both hold, from duels that are solved one by one."""
    fields = game.ruleset.Situation.model_fields
    places = [
        (game.situation(**{name: getattr(moment, name) for name in fields}), moment.range_in)
        for moment in situations.moments
    ]
    solved = []
    for a in attackers:
        for b in targets:
            for at, range_in in places:
                sides: dict[str, Any] = {"postures": situations.postures, "first": "roll_off"}
                sides |= {"rounds": situations.rounds, "sample": EXACT}
                solved.append(duel(game.ruleset, game.variant, (a, b), at, range_in, **sides))
        advance(1)
    return {
        "p_win": [one.p_a for one in solved],
        "p_draw": [one.p_draw for one in solved],
        "p_loss": [one.p_b for one in solved],
        "p_win_first": [one.p_a_moving_first for one in solved],
        "p_win_second": [one.p_a_moving_second for one in solved],
        "player_turns": [np.inf if one.player_turns is None else one.player_turns for one in solved],
    }


def _raveled(**values: Any) -> dict[str, Any]:
    return {name: value.ravel() for name, value in values.items()}


def _counted(a_first: Tally, b_first: Tally, rounds: int | None) -> dict[str, Any]:
    """Return the duel columns of counts in both orders of first turn, with their intervals."""
    counts = total((a_first, b_first))
    low, high = zip(*map(wilson, counts.wins_a.tolist(), counts.trials.tolist()), strict=True)
    shares = _solved(*(tally.outcome(limited=rounds is not None) for tally in (a_first, b_first)))
    return {**shares, "n": counts.trials, "ci_low": low, "ci_high": high}


def _return_fire(
    game: Game,
    table: grid.Grid,
    moments: list[Any],
    returned: list[Any],
    attacker_ids: list[str],
    target_ids: list[str],
) -> npt.NDArray[np.int64]:
    """Return the targets' plans in the moments `returned`; they stand in `table` if both lists have the same units."""
    if attacker_ids != target_ids:
        moments = list(dict.fromkeys(returned))
        units = [game.cards[i] for i in target_ids], [game.cards[i] for i in attacker_ids]
        table = grid.grid(game.ruleset, *units, moments, game.variant, tables=table.tables)
    return table.plan.take([moments.index(moment) for moment in returned], axis=2).transpose(1, 0, 2)
