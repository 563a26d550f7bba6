"""What a change of cards or rules did: `compare` works it out, `sentences` and `tables` tell it.

`written` compares the data of two reports that were written before.
"""
