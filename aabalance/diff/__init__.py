"""What a change of cards or rules did: `compare` works it out, `sentences` and `tables` tell it."""
