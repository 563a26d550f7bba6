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
    units=turns.units,
    limits=(records.TURN_LIMIT,),
    tuned=Tuned(curve=15.0, playouts=128),
    board=board.BOARD,
    scene=words.scene,
    whole_roster=True,
    kinds=kinds(words.PATTERNS, carry="load unload"),
)
