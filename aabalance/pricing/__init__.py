"""What units should cost: scores of equal requisition against equal requisition, and the prices that level them.

From cards to scores; how battles end depends only on the cards, and prices decide afterwards which of them count:

- `contest`: the budgets, action limits, distances and faces under which units are compared; and what each unit does to
  each other in them, one against one
- `battles`: how battles of n copies of one unit against m of another end
- `roster`: what units score against each other at given prices; `roles`: the same in tables, by groups, and what each
  unit is for

From scores to worth:

- `indifference`: the price at which one unit is at par with its opponents, and its interval over other opponents
- `worth`: what units are worth, and by which opponents: `aabalance.worth`, `aabalance.worth_reasons`; `worth_report`:
  all about it in tables and sentences: `aabalance.worth_explained`
- `breakpoints`: what a point of a card is worth, and where the next one makes a difference

From scores to new prices for all units at once:

- `fair_prices`: prices at which all units are at par, and how far from even units and pairs stay at given prices
- `tuning`: `aabalance.tune`, which puts fair prices within bounds and rounds them, and writes prices into cards

On boards, where units move:

- `board_matches` draws lists of about equal requisition and plays them, `inference` estimates from results what each
  unit adds to the log odds; `board_fits` has them do so until that says enough
- `board` turns that into worth: `aabalance.board_worth`, and `board_prices` into prices: `aabalance.board_prices`
- `playtest`: the same from a log of games at a table

All that a report shows, with matchups and battles of lists: `results`.
"""
