"""A match of Skirmish Wars: the whole game on its board."""

from __future__ import annotations

from aabalance.rulesets.base.match_rules import MatchRules, Tuned
from aabalance.rulesets.base.notation import kinds
from aabalance.rulesets.skirmish_wars.match import actions, agreement, board, judgement, records, setup, turns, words

RULES = MatchRules(
    Options=board.Options,
    Place=agreement.Place,
    agree=agreement.agree,
    start=setup.start,
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
    units=turns.units,
    limits=(records.TURN_LIMIT,),
    whole_roster=True,
    kinds=kinds(words.PATTERNS),
    kind=actions.kind,
    tuned=Tuned(curve=15.0, playouts=256, ahead=True),
)
