"""Battles: two lists of units, turn and turn about, each side under a limit of actions.

Layout
    `packing` turns what a ruleset says of both sides (`aabalance.rulesets.base.Force`) into arrays of integers, whose
    columns `lanes` names: units, guns and strikes, what each strike does to each enemy, and the order of its gains,
    from `gains`. `tables` is what others ask: it holds a packed battle, and chooses how it is solved.

    `lanes` says what a side may do in its turn, and `policies` who acts on whom, one function each, made of what is in
    `picks`; all are loops over many battles at once. `kernel` calls them for thousands of lanes: `rows` holds these,
    `throws` throws the dice, which `rolls` packs, `ends` counts who won, `detail` what else is asked for, and `still`
    is what is called where nobody moves, strikes back or scores. The exact solver calls them for a single lane:
    `states` makes numbers of what is in it, `turns` plays one turn of a side in all the ways that it may go, `graph`
    finds every state that can be reached and what leads where, and `exact` solves that graph: to the end, or for a
    number of rounds. Where a side follows no policy, but replies to the other's as well as can be, `choices` says what
    it may choose from, and `best` what it does. `chain` takes battles in which the units of both sides fall in an
    order that is known, equal units above all, one or many at a time; `chain_lines` draws both sides up,
    `chain_turns` finds what may happen in a turn and `chain_ways` what that leads to, without a search for states, and
    `chain_exact` solves a battle together with all smaller ones, by `chain_settled`, or by `chain_links` where guns
    reload or rounds are counted.
    Where units move, `ground` says how far, and what that changes, `postures` where they want to go, `moving` takes
    them there, and `reach` says whom they can hurt from there; `domination` scores where points decide, and `cargo`
    knows of units that begin inside others.

State
    What is left of every unit, which guns have to reload, are prepared or have had their only turn, where units stand
    that move, which have not got out of others, and whose turn it is. What a unit has left is counted in steps of the
    least that its enemies can take from it, so that a state is one number of mixed radix whose highest digits are
    those steps: a turn that hurts anybody leads to a smaller number, and only one way in which it may go hurts nobody.
    Where the policy makes the units of a side fall in an order that is known, the number is the steps of all of them
    together: a chain, whose states are few for lists of any size. Within a turn, the state is what is left of the
    enemies and what has been spent.

Forms
    A battle is solved as a chain where both sides fall in a known order, under policies that `chain` knows, if strikes
    ask for no more than a unit that is left and its gun, and what reloads doesn't depend on the dice. Any other is
    solved by its reachable states; where only one side falls in a known order, that side still is one number.

Help
    A strike may need others of its side: a crew, or a friend who pays actions of its own for it; it is ready while one
    of them is left who can. Help that lasts leaves a bit for the unit and the enemy to the end of the turn. What is
    made under a condition is a strike of its own: after help that lasts, once an enemy's shield is gone, to prepare a
    gun, or with a prepared one.

Answers
    A unit may strike back at whoever struck it, at once: the next strike of the turn is chosen once both have fallen.
    Units then fall in their own turn too, and in no order that is known.

Gains
    What a strike is expected to take of an enemy's worth, per action, compares as a rank among all of a side's: exact
    rationals, sorted once. Rank 0 is a strike without effect.
"""
