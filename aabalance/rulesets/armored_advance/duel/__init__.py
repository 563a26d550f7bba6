"""What a unit does in its turn of a duel.

- ``fire``: the attacks of a turn, and the turns of a unit that holds its ground
- ``postures``: whether it holds, closes or does what is best, one function each
"""
