"""What the turns of a chain lead to: from every node, by what the other side has left, the chances of what it may have
left after the turn.

Of equal units, one more behind those that a turn may reach changes none of them, so that they are worked out for the
first few and shared by the others.

Plain loops that also compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine.battle.chain_lines import BELOW, FRONT, HAS, KIND, OF_UNIT, REACH
from aabalance.engine.battle.chain_turns import ALIKE, EFFECT, NO_MORE, TELLS, U

LEAST, BEGIN = range(2)
"""What is found by node and number of the other side: the least that may be left of it, and where the chances begin of
what is left, the most first."""
LAST = -1.0
"""Behind the last of the chances. Whoever goes through them stops there: they are few, and a loop that knew how many
would be unrolled, which takes longer."""


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
    """Work out what the turns of a side lead to.

    Parameters
    ----------
    numbers, orders, nodes : arrays
        Of the side.
    theirs : tuple of arrays
        Line, numbers and places of the other side.
    floor_other : int
        The other side's `floor`.
    outcomes : tuple of arrays
        As `aabalance.engine.volleys.Volleys.outcomes`.
    afters : array of int64
        Scratch, with room for as many numbers as there are outcomes.
    found : array of int64, shape (nodes, numbers, 2)
        Written: by node and the other side's number, `LEAST` and `BEGIN`.
    chances : array of float
        Written: of what is left then, from the number itself to the least, and `LAST`.

    Returns
    -------
    bool
        Whether there was room; without, what is written says nothing.
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
            # All that the turn may reach of the other side is as if one unit less stood behind.
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
