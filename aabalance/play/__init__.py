"""The questions that a game answers, one a file: check what was asked, choose the engine, make a result.

``shot``, ``duel`` and ``battle`` are the questions; ``ground`` says on what a battle moves, ``account`` what is told of
it afterwards.
"""
