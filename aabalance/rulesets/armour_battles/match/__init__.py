"""A match of Armour Battles: the whole game on its board."""

from __future__ import annotations

from aabalance.rulesets.armour_battles.match import (
    actions,
    agreement,
    board,
    judgement,
    records,
    setup,
    sight,
    turns,
    words,
)
from aabalance.rulesets.base.match_rules import MatchRules, Tuned
from aabalance.rulesets.base.notation import kinds

RULES = MatchRules(
    Options=agreement.Options,
    Place=agreement.Place,
    agree=agreement.agree,
    start=setup.start,
    to_move=turns.to_move,
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
    sees=sight.is_clear,
    limits=(records.TURN_LIMIT,),
    kinds=kinds(words.PATTERNS),
    tuned=Tuned(curve=6.0, playouts=512, horizon=8),
)
