"""What units should cost: scores of equal requisition against equal requisition, and the prices that level them.

From cards to scores; how battles end depends only on the cards, and prices decide afterwards which of them count:

- `contest`: the budgets, limits of actions, distances and faces under which units are compared
- `fighters`: what each unit does to each other, one against one
- `tables`: how battles of n copies of one unit against m of another end
- `score`: what units score against each other at given prices

From scores to worth:

- `levels`: the price at which one unit is level with its opponents
- `worth`: what units are worth, and why: `aabalance.worth` and `aabalance.worth_reasons`
- `answer`: all that `aabalance worth` prints of a unit; `points`: what a point of a card is worth
- `movement`: what units are worth where both sides move
- `groups`: scores of nations, years and classes, and units that others make superfluous
- `paired`: two rosters that differ by some cards, compared on the same opponents

From scores to new prices for all units at once:

- `definition`: the table ``[tuning]`` of a report definition; `bounds`: which prices it and the user fix or limit
- `prices`: fair prices, at which all units are level; `draws`: intervals, over other opponents like these
- `remains`: how far from even units and pairs stay, and which share of that no price changes
- `tune`: `aabalance.tune`, which makes a table of all this, and writes prices into cards
"""
