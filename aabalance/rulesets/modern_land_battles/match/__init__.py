"""A match of Modern Land Battles: the whole game, with its three Areas, decks and hands."""

from __future__ import annotations

from aabalance.rulesets.base.match_rules import MatchRules, Tuned
from aabalance.rulesets.base.notation import kinds
from aabalance.rulesets.modern_land_battles.match import (
    actions,
    agreement,
    board,
    judgement,
    records,
    setup,
    turns,
    words,
)

RULES = MatchRules(
    Options=agreement.Options,
    Place=agreement.Place,
    agree=agreement.agree,
    start=setup.start,
    legal=actions.legal,
    actor=actions.actor,
    apply=turns.apply,
    facts=turns.facts,
    most_actions=actions.MOST_ACTIONS,
    candidates=judgement.candidates,
    value=judgement.value,
    patterns=words.PATTERNS,
    slots=words.slots,
    words=words.words,
    ended=words.ended,
    reasons=records.REASONS,
    sections=words.SECTIONS,
    to_move=actions.to_move,
    units=turns.units,
    limits=(records.LIMIT,),
    view=turns.view,
    redraw=turns.redraw,
    tuned=Tuned(curve=9.0, playouts=48, horizon=3, trust=16.0),
    board=board.BOARD,
    scene=words.scene,
    kinds=kinds(words.PATTERNS | {records.RESPOND: "reactions"}),
    weapon=words.unit,
    disarmed=words.disarmed,
)
