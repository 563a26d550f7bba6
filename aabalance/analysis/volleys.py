"""Attacks of several units on several targets at once: what they take, for their points, and how often."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd

from aabalance import dice
from aabalance.analysis.frames import tidy
from aabalance.definitions.lists import any_list
from aabalance.dice import Pmf
from aabalance.errors import whole_number
from aabalance.game import Game, List
from aabalance.play.shot import resolved

MOST_WANTED = 10_000
TOGETHER = "all of them"
PER = 100
"""Requisition for which the effect is given, too."""


def volleys(
    game: Game, attackers: List, targets: List, *, range_in: float | str, at_least: int = 1, **situation: Any
) -> pd.DataFrame:
    """Return what one attack of each attacker takes from each target: a row for each kind of unit, and one for all.

    Parameters
    ----------
    game : Game
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
        distribution of the sum: the chance of each amount. An attack is the weapon's of largest expected effect.

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
    wanted = whole_number("at_least", at_least, 1, MOST_WANTED)
    moment = game.moment(range_in=range_in, **situation)
    rows: list[tuple[str, str, int, Pmf, int, int]] = []
    firing, aimed = (Counter(any_list(given, game.cards).units) for given in (attackers, targets))
    for target in aimed:
        everything = dice.constant(0)
        for attacker, number in firing.items():
            shot, left = resolved(game.ruleset, game.variant, game.card(attacker), game.card(target), moment, None)
            together = dice.pool([shot.effect] * number)
            everything = dice.convolve(everything, together)
            cost = game.ruleset.cost(game.card(attacker)) * number
            rows.append((attacker, target, number, together, cost, left))
        if len(firing) > 1:
            cost = sum(game.ruleset.cost(game.card(unit)) * number for unit, number in firing.items())
            rows.append((TOGETHER, target, firing.total(), everything, cost, left))
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
