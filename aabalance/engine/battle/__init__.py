"""Battles: two lists of units that take turns, each side under a limit of actions.

Layout
    `columns` has the records that all rooms share, and names their columns. `packing` turns what a ruleset says of both
    sides (`aabalance.rulesets.base.Force`) into them, and ranks what strikes are expected to take. `battle` is what
    other layers use: it holds a packed battle, and chooses how it is solved.

    `actions` says what a side may do in its turn, whose help it takes, and when a battle is over. `policies` say who
    acts on whom, a function each. Both are loops over many battles at once. The package `lanes` rolls battles,
    thousands at once: `rolls` makes a battle ready, and says which functions it needs, since what it does without isn't
    compiled. `workspace` holds the arrays, `dice` rolls the dice, `kernel` plays the turns and counts how battles end,
    and `detail` counts what else is wanted.

    The package `bulk` rolls a few battles each of very many pairs of lists, from tables of the whole roster.

    The package `states` solves battles by their reachable states, in a single lane: `solve` finds all states that can
    be reached and the transitions between them. `encoding` has the arrays of the lane, and packs what is in it into
    numbers; `turns` plays one turn of a side in all the ways that it may go. If a side follows no policy, but plays its
    best reply to the other's, `best_reply` says what it may do and what it does. `aabalance.engine.absorbing` solves
    the states: to the end, or for a number of rounds.

    The package `ordered` solves battles in which the units of both sides fall in an order that is known, equal units
    above all, one or many at a time, each together with all smaller ones (`solve`).
    `sides` lines up both sides, `turns` lists what may happen in a turn, and `payoffs` works out what that leads to and
    how battles end; no search for states is needed.

State
    A state says what is left of every unit; which guns have to reload, are prepared, or have had their only turn; and
    whose turn it is. What a unit has left is counted in steps of the least that its enemies can take from it. A state
    is one number of mixed radix, whose highest digits are those steps: a turn that hurts any unit leads to a smaller
    number, and only one way of a turn hurts none. If the policy makes the units of a side fall in an order that is
    known, the sum of their steps takes the place of their digits: then states are few for lists of any size. Within a
    turn, a state is what is left of both sides and what the side to move has spent.

Forms
    A battle is solved by `ordered` if both sides fall in a known order, under policies that it knows, and strikes need
    nothing but a unit that is left, its actions and a gun, which isn't one for a single turn of the battle. Any
    other battle is solved by its reachable states; a side that falls in a known order still is one number there.

Help
    A strike may need the help of other units of its side: of a crew, or of a friend who pays actions of its own for it.
    It is ready as long as a unit is left that can help. Help that lasts holds, for the unit and the enemy, to the end
    of the turn. What can be done under a condition only is a strike of its own: after help that lasts, once an enemy's
    shield is gone, to prepare a gun, or with a prepared gun.

Answers
    A unit may strike back at once at a unit that struck it: the next strike of the turn is chosen once the dice of both
    have fallen. Units then fall in their own turn too, and in no order that is known.

Gains
    A gain is what a strike is expected to take of an enemy's worth, per action. It is exact, and policies compare its
    rank among all gains of a side. Rank 0 is a strike without effect.
"""
