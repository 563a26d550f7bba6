"""What a side does in its turn of a battle.

- ``missions``: how each mode is won
- ``infantry``: a squad's action, the guns that it mans
- ``sides``, ``strikes``, ``cells``: the units of a battle, the attacks that they choose from, and what these do
"""
