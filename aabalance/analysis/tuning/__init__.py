"""What units should cost: scores of equal requisition against equal requisition, and the prices that level them.

`contest` says what units are compared by, `fighters` what each does to each, `battles` how so many of one end against
so many of another, `score` what that makes of prices, and `worth` which price levels a unit with its roster. How
battles end hangs on the cards alone: prices come in afterwards, as a look-up.
"""
