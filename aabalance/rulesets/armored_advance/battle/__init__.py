"""What a side does in its turn of a battle.

- ``sides``: the units of a battle, a squad's action and the guns that it mans, how each mode is won
- ``strikes``, ``cells``: the attacks that units choose from, and what these do
"""
