"""A match of Forumini Armies: the whole game on its board."""

from __future__ import annotations

from aabalance.rulesets.base.match import OBJECTIVES
from aabalance.rulesets.base.match_rules import MatchRules, Tuned
from aabalance.rulesets.base.notation import kinds
from aabalance.rulesets.forumini.match import actions, agreement, board, fire, judgement, records, setup, turns, words

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
    limits=(records.ZONE_POINTS, records.POINTS_DESTROYED, records.POINTS_LEFT, records.DRAW),
    parts=records.PARTS,
    tuned=Tuned(curve=19.0, playouts=48, horizon=8, trust=24.0),
    board=board.BOARD,
    scene=words.scene,
    sees=fire.sees,
    kinds=kinds(words.PATTERNS, reactions="watch fire") | {"objectives": 1 << OBJECTIVES},
    priced=(None,),
)
