"""Matchups: a table of shots and duels, a row for each ordered pair of units and situation; and attacks of several."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from aabalance import dice
from aabalance.analysis import cells
from aabalance.analysis.frames import ids_of, tidy
from aabalance.analysis.situations import Situations
from aabalance.definitions.fields import HOLDING, MOST_ROUNDS
from aabalance.definitions.lists import any_list
from aabalance.dice import Pmf
from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance, scaled
from aabalance.errors import UsageError, whole_number
from aabalance.game import Game, List, Unit, game_of
from aabalance.jobs import sweeps
from aabalance.play.result import FACES, words
from aabalance.play.sample import MOST_SEED, MOST_TRIALS
from aabalance.play.shot import resolved

LEAST_TRIALS = 2
"""Half of the trials let one side move first, half the other."""
MOST_WANTED = 10_000
TOGETHER = "all of them"
PER = 100
"""Requisition for which the effect is given, too."""


def matchups(
    game: Game | str,
    situations: Situations | None = None,
    *,
    attackers: Iterable[Unit] | None = None,
    targets: Iterable[Unit] | None = None,
    duels: bool = True,
    simulate: int | None = None,
    seed: int = 0,
    advance: Advance = lambda steps: None,
) -> pd.DataFrame:
    """Return a table of every attacker against every target in every situation.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
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
    advance : callable
        Called with the number of attackers done since the last call; all calls add up to ``len(attackers)``.

    Returns
    -------
    DataFrame
        Columns as ``aabalance.columns`` declares them, rows in order of attacker, target and situation. ``p_draw`` is
        the chance that neither wins: that of `Game.duel`, and its ``p_both_destroyed``.

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
    game = game_of(game)
    if simulate is not None:
        simulate = whole_number("simulate", simulate, LEAST_TRIALS, MOST_TRIALS)
    some: dict[str, Any] = {"attackers": attackers, "targets": targets, "duels": duels, "simulate": simulate}
    seed = whole_number("seed", seed, 0, MOST_SEED)
    [(table, _)] = several([game], situations, **some, seed=seed, advance=advance)
    return table


def several(
    games: Sequence[Game],
    situations: Situations | None = None,
    *,
    attackers: Iterable[Unit] | None = None,
    targets: Iterable[Unit] | None = None,
    duels: bool = True,
    simulate: int | None = None,
    seed: int = 0,
    tracked: bool = False,
    advance: Advance = lambda steps: None,
) -> Iterator[tuple[pd.DataFrame, set[str]]]:
    """Yield the tables of several games, whose cards are the same, and which switches each read, if that is tracked.

    Parameters
    ----------
    games : sequence of Game
        The games.
    situations, attackers, targets, duels, simulate, seed, advance
        As for `matchups`.
    tracked : bool
        Whether to note which rule switches were read; none are named otherwise.
    """
    first = games[0]
    situations = Situations.standard(first) if situations is None else _situations(first, situations)
    if situations.rounds is not None:
        whole_number("rounds", situations.rounds, 1, MOST_ROUNDS)
    ids = ids_of(first, attackers, "attackers"), ids_of(first, targets, "targets")
    back = cells.mirrored(first.ruleset, situations) if duels else ()
    if duels and simulate is not None and situations.postures != HOLDING:
        raise UsageError(f"simulate: found it with {' v '.join(situations.postures)}, expected units that hold")
    how = back, situations.rounds, situations.postures, simulate, seed, tracked
    terms = [cells.CellTerms(game.ruleset.name, game.variant, situations.moments, *how) for game in games]
    jobs = [cells.job(game, one, *ids) for game, one in zip(games, terms, strict=True)]
    done = scaled(advance, len(games) * len(ids[0]), len(games) * len(ids[0]) * len(ids[1]))
    circumstances = tidy("matchups", _circumstances(first, situations, ids))
    for one, found in zip(terms, sweeps.run(jobs, done), strict=True):
        data = {name: found[:, :, at].ravel() for at, name in enumerate(one.columns) if name != cells.READ}
        yield tidy("matchups", circumstances.assign(**data)), cells.switches_read(one, found) if tracked else set()


def shots(
    game: Game | str,
    situations: Situations | None = None,
    *,
    attackers: Iterable[Unit] | None = None,
    targets: Iterable[Unit] | None = None,
    advance: Advance = lambda steps: None,
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


def _costs(game: Game, ids: list[str]) -> Floats:
    """Return what units cost; nan for one that has no price yet, which no duel asks for."""
    return np.array([getattr(game.cards[i], game.ruleset.labels.currency) for i in ids], dtype=np.float64)


def _words(words: list[str]) -> pd.Categorical[str]:
    return pd.Categorical(words, categories=list(dict.fromkeys(words)))


def _circumstances(game: Game, situations: Situations, ids: tuple[list[str], list[str]]) -> dict[str, Any]:
    """Return the columns that say who meets whom where: each face is a column, all else is put in words."""
    moments, (attackers, targets) = situations.moments, ids
    # Every attacker meets every target at every moment.
    a, t, m = (index.ravel() for index in np.indices((len(attackers), len(targets), len(moments))))
    data: dict[str, Any] = {
        "attacker": _words(attackers)[a],
        "target": _words(targets)[t],
        "range_in": np.array([moment.range_in for moment in moments])[m],
        "weight": np.array(situations.weights)[m],
        "attacker_requisition": _costs(game, attackers)[a],
        "target_requisition": _costs(game, targets)[t],
    }
    for name in [name for name in FACES if name in game.ruleset.Situation.model_fields]:
        data[name] = _words([getattr(moment, name) for moment in moments])[m]
    texts = [words(moment, faces=False) for moment in moments]
    if any(texts):
        data["situation"] = _words(texts)[m]
    return data


def volleys(
    game: Game | str, attackers: List, targets: List, *, range_in: float | str, at_least: int = 1, **situation: Any
) -> pd.DataFrame:
    """Return what one attack of each attacker takes from each target: a row for each kind of unit, and one for all.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    attackers, targets : str, sequence of str or card, or mapping of str to int
        Lists, as for `Game.battle`; each target is attacked by all.
    range_in, **situation
        As for `Game.shot`, but for its weapon.
    at_least : int
        The effect whose chance is given.

    Returns
    -------
    DataFrame
        Exact, if no attack changes what the next rolls: where an earlier one suppresses the target (Armour Battles) or
        gives it a counter in cover (Forumini Armies), all find it as the situation says. ``effects`` is the
        distribution of the sum: the chance of each amount. An attack is the weapon's of largest expected effect. Costs,
        and the effect for 100 points, are nan where a card has no price.

    Examples
    --------
    >>> import aabalance as aab
    >>> fired = aab.volleys(aab.Game(), "us_m4a1*3,us_m10", "de_tiger1", range_in=6, facing="side", at_least=20)
    >>> fired[["attacker", "attacks", "expected_damage", "per_hundred", "p_at_least", "p_kill"]].round(3)
      attacker  attacks  expected_damage  per_hundred  p_at_least  p_kill
    0      us_m4a1        3             17.5        8.333       0.624     0.0
    1       us_m10        1             10.0       14.286       0.000     0.0
    2  all of them        4             27.5        9.821       0.928     0.0
    """
    game = game_of(game)
    wanted = whole_number("at_least", at_least, 1, MOST_WANTED)
    moment = game.moment(range_in=range_in, **situation)
    rows: list[tuple[str, str, int, Pmf, float, int]] = []
    both = [any_list(given, game.cards).units for given in (attackers, targets)]
    firing, aimed = (Counter(unit for unit in units if game.card(unit)) for units in both)  # refuses what is none
    prices = {unit: getattr(game.card(unit), game.ruleset.labels.currency) for unit in firing}
    costs = {unit: math.nan if price is None else price * firing[unit] for unit, price in prices.items()}
    for target in aimed:
        everything = dice.constant(0)
        for attacker, number in firing.items():
            shot, left = resolved(game.ruleset, game.variant, game.card(attacker), game.card(target), moment, None)
            together = dice.pool([shot.effect] * number)
            everything = dice.convolve(everything, together)
            rows.append((attacker, target, number, together, costs[attacker], left))
        if len(firing) > 1:
            rows.append((TOGETHER, target, firing.total(), everything, sum(costs.values()), left))
    found = [
        {
            "attacker": attacker,
            "target": target,
            "attacks": number,
            "attacker_requisition": cost,
            "expected_damage": float(dice.mean(effect)),
            "per_hundred": PER * float(dice.mean(effect)) / cost,
            "p_at_least": float(dice.chance_of_at_least(effect, wanted)),
            "p_kill": float(dice.chance_of_at_least(effect, left)),
        }
        for attacker, target, number, effect, cost, left in rows
    ]
    frame = tidy("volleys", found)
    frame.attrs.update(game.provenance(attackers=list(firing), targets=list(aimed)).said())
    frame.attrs["effects"] = [
        {amount: float(p) for amount, p in sorted(effect.items())} for _, _, _, effect, _, _ in rows
    ]
    return frame
