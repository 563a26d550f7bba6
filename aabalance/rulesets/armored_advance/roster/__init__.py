"""From facts to cards, and what the cost formula can't know.

- ``derive``: a row of ``facts.csv`` becomes a unit card
- ``price``: surcharges, and the cost of units that can hurt no vehicle
- ``remarks``: what worth in battles doesn't know of a unit, and what-ifs that say what a point of its card is worth
"""
