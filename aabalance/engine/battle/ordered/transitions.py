"""What the turns of an ordered side lead to: the chances of the strengths that the other side has after a turn.

They are worked out for each node of a turn and each strength of the other side. If the other side has equal units, one
unit more behind those that a turn can reach changes no chance: then the chances for fewer units are shared. All
functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine.battle.ordered.queue import BELOW, FRONT, HAS, KIND, OF_UNIT, REACH, Floats, Ints, Outcomes, Queue
from aabalance.engine.battle.ordered.shots import Player
from aabalance.engine.battle.ordered.turns import ALIKE, EFFECT, GIVEN_UP, NO_MORE, TELLS, U, plan

LEAST, BEGIN = range(2)
"""Columns of spans: the least strength that the other side may have after the turn, and the index at which the chances
begin. They are listed from the strength itself down to the least one."""
LAST = -1.0
"""Stands behind the last of these chances. Loops over them stop there instead of counting: the chances are few, and the
compiler would unroll a loop of a known length, which takes longer."""
MOST_CHANCES = 1 << 24
"""Most chances for a solution."""


class Turns(NamedTuple):
    """The turns of a side, and what they lead to.

    Attributes
    ----------
    positions, size, endings
        As in `turns.Plan`.
    spans : array of int64, shape (nodes, strengths of the other side, 2)
        Columns `LEAST` and `BEGIN`.
    chances : array of float
        The chances of all nodes and strengths, with `LAST` behind those of each.
    """

    positions: Ints
    size: int
    endings: Ints
    spans: Ints
    chances: Floats


def turns_of(player: Player, enemy: Queue, outcomes: Outcomes) -> Turns:
    """Work out the turns of a side.

    Parameters
    ----------
    player : Player
        The side.
    enemy : Queue
        The queue of the other side; both as `shots.mark_reach` leaves them.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    """
    made, most = plan(player, enemy), len(enemy.strengths)
    count = len(made.nodes)
    spans = np.empty((count, most, 2), np.int64)
    chances = np.empty(min(count * most * (most + 3) // 2 + 1, MOST_CHANCES))
    fits = _lead_on(player, enemy, made.nodes, outcomes, spans, chances)
    return Turns(made.positions, made.size if fits else GIVEN_UP, made.endings, spans, chances)


def _lead_on(player: Player, enemy: Queue, nodes: Ints, outcomes: Outcomes, spans: Ints, chances: Floats) -> bool:
    """Write what nodes lead to into `spans` and `chances`; return whether there was room for all chances."""
    strengths, orders = player.queue.strengths, player.orders
    queue, others, levels, floor = enemy.units, enemy.strengths, enemy.levels, enemy.floor
    start, amount, chance, nothing = outcomes
    afters = np.empty(len(amount), np.int64)
    count, following, size, most = len(nodes), EFFECT + len(orders), len(others), len(chances)
    end, bottom, shift = 0, 0, 0
    for strength in range(size):
        kind, left = others[strength, KIND], U(strength)
        known = NO_MORE
        if strength > 0:
            at, has = others[left, FRONT], others[left, HAS]
            below, unit = queue[at, BELOW], queue[at, OF_UNIT]
            if at > 0 and queue[at - 1, OF_UNIT] == unit:
                shift = below - queue[at - 1, BELOW]
            else:
                bottom, shift = below, 0
        for node in range(U(count)):
            effect, own = nodes[node, EFFECT + kind], nodes[node, ALIKE]
            # If the turn never reaches the last of the equal units, its chances are those with one unit fewer.
            if shift > 0:
                least = spans[node, U(strength - shift), LEAST]
                if least > max(bottom, floor, strengths[own, REACH]):
                    spans[node, left, LEAST] = least + shift
                    spans[node, left, BEGIN] = spans[node, U(strength - shift), BEGIN]
                    continue
            over = strength <= floor or (strength <= strengths[own, REACH] and own <= others[left, REACH])
            hurts = effect >= 0 and not over
            then, low = U(nodes[node, following + kind] if hurts else 0), strength
            if hurts:
                if effect != known:
                    known = effect
                    for x in range(start[effect], start[effect + 1]):
                        afters[x - start[effect]] = below + levels[unit, max(has - amount[x], 0)]
                low = spans[then, left, LEAST]
                for x in range(U(start[effect + 1] - start[effect])):
                    low = min(low, spans[then, U(afters[x]), LEAST])
            spans[node, left, LEAST], spans[node, left, BEGIN] = low, end
            if end + strength - low + 1 >= most:
                return False
            here = U(end)
            end += strength - low + 2
            chances[here] = 1.0 if (effect == NO_MORE and not over) or (over and nodes[node, TELLS] != 0) else 0.0
            for x in range(here + U(1), U(end - 1)):
                chances[x] = 0.0
            chances[U(end - 1)] = LAST
            if hurts:
                there, share = U(spans[then, left, BEGIN]), nothing[effect]
                for more in range(U(strength - spans[then, left, LEAST] + 1)):
                    chances[here + more] = share * chances[there + more]
                for x in range(start[effect], start[effect + 1]):
                    after, share = afters[x - start[effect]], chance[x]
                    lower, there = here + U(strength - after), U(spans[then, U(after), BEGIN])
                    for more in range(U(after - spans[then, U(after), LEAST] + 1)):
                        chances[lower + more] += share * chances[there + more]
    return True
