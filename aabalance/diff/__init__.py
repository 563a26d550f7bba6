"""What a change of cards or rules did: `changes` finds what differs, `compare` works out what that did, `sentences` and
`tables` tell it.

`written` compares the data of two reports that were written before.
"""
