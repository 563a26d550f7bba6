"""Forumini Armies: fan revision of Axis & Allies Miniatures; pools of D6 against armour, simultaneous fire on hexes."""

from __future__ import annotations

from aabalance.rulesets.base import ConditionDuel, Labels, Length, Ruleset
from aabalance.rulesets.forumini import card, duel, situation, variant
from aabalance.rulesets.forumini.card import Unit
from aabalance.rulesets.forumini.roster import ForuminiRoster
from aabalance.rulesets.forumini.shot import resolve, sheets
from aabalance.rulesets.forumini.shot.rules import CONDITIONS, DESTROYED
from aabalance.rulesets.forumini.shot.sheets import Defence, Offence
from aabalance.rulesets.forumini.situation import Moment, Situation
from aabalance.rulesets.forumini.variant import Variant


class Forumini(Ruleset[Unit, Situation, Moment, Variant, Offence, Defence]):
    """The rules of attacks, duels and matches of Forumini Armies."""

    name = "forumini"
    labels = Labels(
        title="Forumini Armies",
        rulebook="Forumini Armies Rules (A&A ForuMINI, posted 18 January 2009)",
        caveat=(
            "Costs, dice, Defense, front and rear armour are those of Axis & Allies Miniatures as facts.csv has them. "
            "The fan rules' own cards were never found: side and top armour, vital armour, Disintegration, Cover "
            "numbers and dice against aircraft are this project's, by formula. Some special abilities "
            "count: numbers on the card, Indirect Fire, and in matches No Turret and Fixed Howitzer. In a duel with an "
            "aircraft both strike at once, though the rules give antiair fire the first word."
        ),
        currency="cost",
        effect="hit counters",
        length=Length("hexes", " hexes", whole=True),
    )
    roster = ForuminiRoster()
    fight = ConditionDuel("together", DESTROYED, CONDITIONS)
    has_matches = True
    Card, Variant, Situation, Moment = card.Card, variant.Variant, situation.Situation, situation.Moment

    toughness = staticmethod(sheets.toughness)
    relevant = staticmethod(sheets.relevant)
    survey = staticmethod(duel.survey)
    shot = staticmethod(resolve.shot)

    def offence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Offence:
        """Return the attacker's half of every attack of `card`; no rule switch bears on it."""
        return sheets.offence(card, moment)

    def defence(self, card: Unit, moment: situation.Moment, variant: variant.Variant) -> Defence:
        """Return what `card` shows to its attacker; no rule switch bears on it."""
        return sheets.defence(card, moment)

    def relevance(self, offence: Offence) -> bool:
        """Return whether the attacks come from the air."""
        return offence.flies


RULESET = Forumini()
