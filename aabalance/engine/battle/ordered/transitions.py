"""What the turns of a chain lead to: the chances of what the other side has left after a turn.

They are worked out for each node of a turn and each number of the other side. If the other side has equal units, one
unit more behind those that a turn can reach changes no chance: then the chances for fewer units are shared. All
functions are plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.ordered.queue import BELOW, FRONT, HAS, KIND, OF_UNIT, REACH
from aabalance.engine.battle.ordered.turns import ALIKE, EFFECT, NO_MORE, TELLS, U

LEAST, BEGIN = range(2)
"""Columns of `found`, by node and number of the other side: the least number that it may have after the turn, and the
index at which its chances begin. The chances are listed from the number itself down to the least number."""
LAST = -1.0
"""Stands behind the last of these chances. Loops over them stop there instead of counting: the chances are few, and the
compiler would unroll a loop of a known length, which takes longer."""


def ways(
    numbers: Any,
    orders: Any,
    nodes: Any,
    theirs: Any,
    floor_other: Any,
    outcomes: Any,
    afters: Any,
    found: Any,
    chances: Any,
) -> Any:
    """Work out the chances of what the other side has left after the turns of a side.

    Parameters
    ----------
    numbers, orders, nodes : arrays of int64
        The numbers of the side, its orders from `queue.sort_strikes`, and its nodes from
        `turns.positions`.
    theirs : tuple of arrays
        The line, the numbers and the places of the other side, from `queue`.
    floor_other : int
        The largest number at which the other side has no unit left that counts.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Effects`.
    afters : array of int64
        Scratch, with room for the outcomes of a volley.
    found : array of int64, shape (nodes, numbers of the other side, 2)
        Takes `LEAST` and `BEGIN`.
    chances : array of float
        Takes the chances, with `LAST` behind those of each node and number.

    Returns
    -------
    bool
        Whether there was room for all chances. If not, what is written has no meaning.
    """
    line, others, places = theirs
    start, amount, chance, nothing = outcomes
    count, following, size, most = len(nodes), EFFECT + len(orders), len(others), len(chances)
    end: Any = np.int64(0)
    bottom, shift = end, end
    for number in range(size):
        kind, left = others[number, KIND], U(number)
        known = NO_MORE
        if number > 0:
            at, has = others[left, FRONT], others[left, HAS]
            below, unit = line[at, BELOW], line[at, OF_UNIT]
            if at > 0 and line[at - 1, OF_UNIT] == unit:
                shift = below - line[at - 1, BELOW]
            else:
                bottom, shift = below, np.int64(0)
        for node in range(U(count)):
            effect, own = nodes[node, EFFECT + kind], nodes[node, ALIKE]
            # If the turn never reaches the last of the equal units, its chances are those with one unit fewer.
            if shift > 0:
                least = found[node, U(number - shift), LEAST]
                if least > max(bottom, floor_other, numbers[own, REACH]):
                    found[node, left, LEAST] = least + shift
                    found[node, left, BEGIN] = found[node, U(number - shift), BEGIN]
                    continue
            over = number <= floor_other or (number <= numbers[own, REACH] and own <= others[left, REACH])
            hurts = effect >= 0 and not over
            then, low = U(nodes[node, following + kind] if hurts else 0), number
            if hurts:
                if effect != known:
                    known = effect
                    for x in range(start[effect], start[effect + 1]):
                        afters[x - start[effect]] = below + places[unit, max(has - amount[x], 0)]
                low = found[then, left, LEAST]
                for x in range(U(start[effect + 1] - start[effect])):
                    low = min(low, found[then, U(afters[x]), LEAST])
            found[node, left, LEAST], found[node, left, BEGIN] = low, end
            if end + number - low + 1 >= most:
                return False
            here = U(end)
            end += number - low + 2
            chances[here] = 1.0 if (effect == NO_MORE and not over) or (over and nodes[node, TELLS] != 0) else 0.0
            for x in range(here + U(1), U(end - 1)):
                chances[x] = 0.0
            chances[U(end - 1)] = LAST
            if hurts:
                there, share = U(found[then, left, BEGIN]), nothing[effect]
                for more in range(U(number - found[then, left, LEAST] + 1)):
                    chances[here + more] = share * chances[there + more]
                for x in range(start[effect], start[effect + 1]):
                    after, share = afters[x - start[effect]], chance[x]
                    lower, there = here + U(number - after), U(found[then, U(after), BEGIN])
                    for more in range(U(after - found[then, U(after), LEAST] + 1)):
                        chances[lower + more] += share * chances[there + more]
    return True
