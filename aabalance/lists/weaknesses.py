"""What a list can't hurt, from which distance on, in words."""

from __future__ import annotations

import numpy as np

from aabalance.definitions.settings import FRONT, situation_mix
from aabalance.errors import counted
from aabalance.lists.kinds import unit_shares
from aabalance.lists.payoffs import Field, Payoffs, Units
from aabalance.play.result import distance

NAMED = 3
NOTEWORTHY = 0.01
"""Least share of a field's requisition that a weak point is told about."""


def weak_points(payoffs: Payoffs, units: Units, field: Field) -> list[str]:
    """Return in words what a list can't hurt, from where on, and how much of the field that is.

    Parameters
    ----------
    payoffs : Payoffs
        The roster.
    units, field : Units and Field
        The list, and its opponents.
    """
    game, ranges = payoffs.game, sorted(payoffs.contest.ranges)
    own = [payoffs.cards[at] for at in dict.fromkeys(units)]
    front = situation_mix(game.situation, FRONT)
    force = game.ruleset.one_on_one(own, payoffs.cards, front, tuple(ranges), game.variant)
    safe = np.ones((len(payoffs.cards), len(ranges)), dtype=bool)
    for unit in force:
        for strike in unit.strikes:
            for card, row in enumerate(strike.effects):
                safe[card] &= [max(effect) == 0 for effect in row]
    met = np.array(field.weights) @ unit_shares(payoffs, field.lists)
    said = []
    before = np.zeros(len(payoffs.cards), dtype=bool)
    for n, range_in in enumerate(ranges):
        always = safe[:, n:].all(axis=1)
        fresh = np.flatnonzero(always & ~before)
        before |= always
        if len(fresh):
            dear = sorted(fresh.tolist(), key=lambda at: (-met[at], -payoffs.cost[at]))
            names = ", ".join(payoffs.cards[at].name for at in dear[:NAMED])
            far = distance(range_in, game.ruleset.labels.length.after)
            where = "At no distance" if n == 0 else f"From {far} on, nothing in it"
            part = met[fresh].sum()
            if part < NOTEWORTHY:
                continue
            hurts = "does it hurt" if n == 0 else "hurts"
            more = f" and {counted(len(fresh) - NAMED, 'other')}" if len(fresh) > NAMED else ""
            said.append(f"{where} {hurts} the front of {names}{more}: {100 * part:.0f} % of the field's points.")
    return said
