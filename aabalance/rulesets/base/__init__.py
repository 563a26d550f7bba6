"""What a game offers, and the types that all games share. They have no behaviour, apart from defaults.

- `ruleset`: the rules of a game
- `roster`: what lists, reports and pricing say of its units
- `attack`: what one attack does
- `fight`: what units do in a duel
- `force`: what a side does in a battle
- `circumstances`: what an attack depends on
- `words`: a game's own words
- `profile`: what a player has to know about a unit
"""

from __future__ import annotations

from aabalance.rulesets.base.attack import Dice, Shot, Step, Volley
from aabalance.rulesets.base.circumstances import FAR, Circumstances, Distance, Steps
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
    DOMINATION,
    MODES,
    NEED_ROUNDS,
    TIMED,
    Aspect,
    Fighter,
    Force,
    Gun,
    Help,
    Mission,
    Objectives,
    Pace,
    Ride,
    SituationMix,
    Strike,
)
from aabalance.rulesets.base.profile import Grid, Profile, Stat, Term, Track, left
from aabalance.rulesets.base.roster import Roster
from aabalance.rulesets.base.ruleset import Ruleset
from aabalance.rulesets.base.words import INCHES, Labels, Length, Monotonic, Price

__all__ = [
    "ANNIHILATION",
    "DOMINATION",
    "FAR",
    "HOLD",
    "INCHES",
    "MODES",
    "NEED_ROUNDS",
    "TIMED",
    "Aspect",
    "Blows",
    "Bracket",
    "Circumstances",
    "ConditionDuel",
    "Dice",
    "Distance",
    "Fighter",
    "Force",
    "Grid",
    "Gun",
    "Help",
    "HitPointDuel",
    "Holding",
    "Labels",
    "Length",
    "Mission",
    "Monotonic",
    "Objectives",
    "Order",
    "Pace",
    "Plan",
    "Player",
    "Price",
    "Profile",
    "Ride",
    "Roster",
    "Ruleset",
    "Shot",
    "SituationMix",
    "Stat",
    "Step",
    "Steps",
    "Strike",
    "Survey",
    "Term",
    "Track",
    "Turn",
    "Volley",
    "left",
]
