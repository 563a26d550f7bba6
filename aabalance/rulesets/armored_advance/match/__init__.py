"""A match of Armored Advance: the whole game on its board."""

from __future__ import annotations

from aabalance.rulesets.armored_advance.match import (
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
from aabalance.rulesets.base.match import OBJECTIVES
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
    limits=(records.TURN_LIMIT, records.CAP),
    tuned=Tuned(curve=26.0, playouts=24, horizon=2),
    board=board.BOARD,
    scene=words.scene,
    sees=sight.sees,
    kinds=kinds(words.PATTERNS, carry="load hitch", indirect="setup lob") | {"objectives": 1 << OBJECTIVES},
    weapon=words.weapon,
    disarmed=words.disarmed,
    priced=(None, records.MODES[records.TIMED]),
    scorers={records.MODES[records.DOMINATION]: agreement.holds_objectives},
)
