"""The layout of what the kernel reads: entries, and the rows of sides."""

from __future__ import annotations

GROUPS = 4
"""Number of groups of dice sequences of a side."""
GROUPS_AT = 4
"""First column of the groups in the row of a side; before it stand `HP` to `LEAST_AT` of
`aabalance.engine.hit_points.exact`."""
COUNT, FULL, BASE, EFFECTS_AT = range(4)
"""Columns of a group: the number of its sequences; 1 if they need a second digit, else 0; the base of the first digit;
and the index at which its effects begin, six, by the face of the second die."""
GROUP_FIELDS = 4

GROUP_BITS = 12
NEED_BITS = 6
NEXT_BITS = 48
"""An entry has `GROUP_BITS` bits for each group, two thresholds of `NEED_BITS` bits, and the next node from bit
`NEXT_BITS` on."""
NEVER = 63
"""A threshold that no digit reaches."""
