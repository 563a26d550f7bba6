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
    to_move=actions.to_move,
    legal=actions.legal,
    candidates=judgement.candidates,
    actor=actions.actor,
    apply=turns.apply,
    value=judgement.value,
    facts=turns.facts,
    patterns=words.PATTERNS,
    slots=words.slots,
    words=words.words,
    ended=words.ended,
    most_actions=actions.MOST_ACTIONS,
    reasons=records.REASONS,
    sections=words.SECTIONS,
    board=board.BOARD,
    scene=words.scene,
    weapon=words.unit,
    disarmed=words.disarmed,
    view=turns.view,
    limits=(records.LIMIT,),
    redraw=turns.redraw,
    units=turns.units,
    kinds=kinds(words.PATTERNS | {records.RESPOND: "react"}),
    tuned=Tuned(curve=9.0, playouts=192, horizon=3, trust=2.0, ahead=True),
)
