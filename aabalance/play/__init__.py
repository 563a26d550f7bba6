"""The questions that a game answers, one a file: check what was asked, choose the engine, make a result.

``shot``, ``duel`` and ``battle`` are the questions; ``settings`` checks switches and circumstances, ``ground`` says on
what a battle moves; ``course`` and ``account`` have what is told of a duel and of a battle afterwards.
"""
