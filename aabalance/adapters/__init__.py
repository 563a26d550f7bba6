"""Matches as other people's libraries want them, so that their algorithms play; each needs its extra."""

LACKING = "found no {0}, expected the extra {1}: python -m pip install 'aabalance[{1}]'"
