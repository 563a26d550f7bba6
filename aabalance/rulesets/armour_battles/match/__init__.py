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
    to_move=turns.to_move,
    limits=(records.TURN_LIMIT,),
    tuned=Tuned(curve=6.0, playouts=1024, horizon=8),
    board=board.BOARD,
    scene=words.scene,
    sees=sight.is_clear,
    kinds=kinds(words.PATTERNS, indirect="call adjust maintain", reactions="react breakoff"),
)
