"""What units should cost: scores of equal requisition against equal requisition, and the prices that level them.

`contest` says what units are compared by, `fighters` what each does to each, `tables` how so many of one end against
so many of another, `score` what that makes of prices, `levels` at which price a unit is level with others, and `worth`
what that says of the roster's units. How battles end hangs on the cards alone: prices come in afterwards, as a look-up.
`points` says what a point of a card is worth, and `groups` what scores say of nations, years and classes, and who is
superfluous.

`prices` levels all units at once, within the `bounds` that a report `definition` and the user set; `draws` of other
opponents give the intervals, `remains` says what no price changes, and `tune` makes a table of it all.
"""
