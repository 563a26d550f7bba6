"""The questions that a game answers, one a file: check the arguments, choose the engine, make a result.

``shot``, ``duel`` and ``battle`` are the questions. ``settings`` checks switches and circumstances; ``ground`` sets up
the distances of a battle in which units move. ``course`` and ``account`` tell how a duel and a battle went.
"""
