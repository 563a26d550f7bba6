"""What a side does in its turn of a battle.

- ``missions``: who begins, who deploys, how many actions a unit has left, what a list costs, how each mode is won
- ``infantry``: a squad's action, the guns that it mans, the objectives that it holds, the transports that carry it
- ``movement``: ground, towing, tank traps
- ``sides``, ``strikes``, ``cells``: the units of a battle, the attacks that they choose from, and what these do
"""
