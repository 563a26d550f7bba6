"""What a game offers, and the types that all games share. They have no behaviour, apart from defaults.

- `ruleset`: the rules of a game
- `roster`: what lists, reports and pricing say of its units
- `attack`: what one attack depends on, and what it does
- `fight`: what units do in a duel
- `force`: what a side does in a battle
- `match_rules`: the rules of a match; `match`: the records and dice that they are written with
- `notation`: actions of matches as texts, and back
- `board`: what boards of matches are made of
- `words`: a game's own words
"""

from __future__ import annotations

from aabalance.rulesets.base.attack import FAR, Circumstances, Dice, Distance, Shot, Step, Steps, Volley
from aabalance.rulesets.base.fight import (
    HOLD,
    Blows,
    Bracket,
    ConditionDuel,
    HitPointDuel,
    Holding,
    Order,
    Plan,
    Player,
    Survey,
    Turn,
)
from aabalance.rulesets.base.force import (
    ANNIHILATION,
    MODES,
    TIMED,
    Fighter,
    Force,
    Gun,
    Help,
    Mission,
    SituationMix,
    Strike,
)
from aabalance.rulesets.base.roster import Grid, Price, Profile, RosterRules, Stat, Term, Track, left
from aabalance.rulesets.base.ruleset import Ruleset
from aabalance.rulesets.base.words import INCHES, Keys, Labels, Length, Line, StrictKeys, Text
