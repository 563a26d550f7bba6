"""What an attack depends on besides the two cards and the variant: the situation, and the moment of the attack."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from aabalance.rulesets.base import Circumstances, Distance

Band = Literal["close", "effective", "long"]
Moves = Literal["single", "double", "triple"]
Evasion = Literal["stands", "disengages", "breaks_off", "shoots_and_scoots"]

MOST_WILD_DICE = 10
ONE_SIDED = "flank", "ambush", "moves", "indirect", "evasion"
"""What only the attacker has, or what only its fire meets; not so when the target fires back."""

A_ALONE = "; in a duel this holds for every pulse of a, and for none of b"


class Situation(Circumstances):
    """Where the two units stand and what they do. Distances are inches.

    In a duel all fields hold whenever a, the attacker, fires. When b fires back, a stands still, and in the open unless
    a field with ``own_`` says otherwise: flank, ambush, moves, indirect and evasion hold for a's fire only.
    """

    range_band: Band | None = Field(
        None,
        description="range band for any distance and gun (Direct Fire), in a duel for both units; none: the distances "
        "on the card decide",
    )
    flank: bool = Field(False, description=f"flank or rear attack (Direct Fire){A_ALONE}")
    ambush: bool = Field(False, description=f"ambush fire (Direct Fire){A_ALONE}")
    moves: Moves = Field(
        "single", description=f"how far the attacker moved before it fires; a double or triple move costs dice{A_ALONE}"
    )
    indirect: bool = Field(
        False,
        description=f"the attacker fires indirectly, with its artillery dice{A_ALONE}; units without AT dice always do",
    )
    light_cover: bool = Field(
        False, description="the target is in or behind light cover (Reaction Checks); in a duel whenever a fires"
    )
    uphill: bool = Field(
        False, description="the target is uphill of the firer (Reaction Checks); in a duel whenever a fires"
    )
    own_light_cover: bool = Field(
        False, description="the attacker is in light cover when the target fires back; if false, in the open"
    )
    own_uphill: bool = Field(False, description="the attacker is uphill of the target when the target fires back")
    evasion: Evasion = Field(
        "stands",
        description=f"what the target does under fire (Reaction Checks){A_ALONE}: a stands still under b's fire",
    )
    wild_dice: int = Field(
        0, ge=0, le=MOST_WILD_DICE, description="wild dice that the attacker adds to each of its rolls (Wild Dice)"
    )
    target_wild_dice: int = Field(
        0, ge=0, le=MOST_WILD_DICE, description="wild dice that the target adds to each of its rolls"
    )

    def mirrored(self, range_in: float) -> Self:
        """Return the situation as the target sees it when it fires back.

        The range band stays. The attacker, now under fire, stands still. Both keep their ground and their wild dice.
        """
        reset = {name: type(self).model_fields[name].default for name in ONE_SIDED}
        own = ("light_cover", "own_light_cover"), ("uphill", "own_uphill"), ("wild_dice", "target_wild_dice")
        return self._exchanged(own, **reset)


class Moment(Situation):
    """A situation at the moment of one attack. A duel starts with fresh units, and follows their conditions itself."""

    range_in: Distance = Field(description="distance to the target, inches")
    target_suppressed: bool = Field(False, description="the target is suppressed already")
