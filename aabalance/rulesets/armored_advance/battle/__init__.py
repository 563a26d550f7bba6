"""What a side does in its turn of a battle.

- ``actions``: who begins, who deploys, and how many actions a unit and its side have left
- ``missions``: how each game mode is won, and what a list of units costs
- ``infantry``: a squad's action, the guns that it mans, the objectives that it holds
- ``transport``: squads inside others
- ``movement``: ground, towing, tank traps
- ``sides``, ``strikes``, ``cells``: the units of a battle, the attacks that they choose from, and what these do
"""
