"""Hands and decks, and the Terrain cards that are Secured (Initial Action Cards, Terrain Maneuvering, Winning).

In all functions `tables` and `state` are those of the match, `side` is a side, `card` a kind of Action cards,
`count` a number of cards or of successes, `squares` are those of the track, `vp` are Victory Points, and `dice` are
those of the decision.
"""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import Actions, Record, roll
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.formation import end_match

BENEFIT_CARDS = 2


def deal(state: Record, side: int, count: int, dice: Record) -> None:
    """Draw cards; with the last one, the discarded cards become the deck (Prepare)."""
    for _ in range(count):
        if np.sum(state.deck) == 0:
            shuffle(state)
        if np.sum(state.deck) == 0:
            return
        state.hand[side, draw(state.deck, dice)] += 1
        if np.sum(state.deck) == 0:
            shuffle(state)


def draw(deck: Actions, dice: Record) -> int:
    """Take a card from a deck: the die names its place, from 1, among the cards in the order of their kinds."""
    place = roll(dice, int(np.sum(deck)))
    card = 0
    while place > deck[card]:
        place -= deck[card]
        card += 1
    deck[card] -= 1
    return card


def shuffle(state: Record) -> None:
    """Make the discarded cards the deck."""
    # One by one: numba takes seconds to compile the copy of an array whose size it has to check.
    for card in range(len(state.deck)):
        state.deck[card], state.discards[card] = state.discards[card], 0


def discard(state: Record, side: int, card: int) -> None:
    """Discard a card from a hand."""
    state.hand[side, card] -= 1
    state.discards[card] += 1


def next_terrain(state: Record, dice: Record) -> None:
    """Turn over the next Terrain card, if there is one, with the Control counter on Start (M-25)."""
    state.control = 0
    state.terrain = draw(state.terrain_deck, dice) if np.sum(state.terrain_deck) > 0 else records.NONE


def slide(tables: Record, state: Record, side: int, squares: int, dice: Record) -> None:
    """Slide the Control counter towards a side; off the end of the track, the card is Secured (Terrain Maneuvering)."""
    state.control += squares if side == 0 else -squares
    if abs(state.control) > tables.terrain[state.terrain].squares:
        secure(tables, state, 0 if state.control > 0 else 1, dice)


def secure(tables: Record, state: Record, side: int, dice: Record) -> None:
    """Give a side the points and the benefit of the Terrain card."""
    won = tables.terrain[state.terrain]
    next_terrain(state, dice)
    if side == state.side:
        state.secured = 1
    score(tables, state, side, won.vp)
    if state.stage == records.OVER:
        return
    if won.benefit == records.DRAW_TWO:
        deal(state, side, BENEFIT_CARDS, dice)
    elif won.benefit == records.FLANK_ONE:
        flank(state, side, 1)
    elif won.benefit != records.NO_BENEFIT:
        state.benefit, state.benefit_side = won.benefit, side


def flank(state: Record, side: int, count: int) -> None:
    """Discard the enemy's Superior counters, or add own ones when there are none (Superior Counters)."""
    state.superior += count if side == 0 else -count


def score(tables: Record, state: Record, side: int, vp: int) -> None:
    """Add Victory Points to a side's pile, and look whether it has won (Winning; M-13)."""
    state.piles[side] += vp
    if state.piles[side] >= tables.victory:
        end_match(state, side, records.POINTS)
