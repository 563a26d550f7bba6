"""The questions that a game answers, one a file: check what was asked, choose the engine, make a result."""
