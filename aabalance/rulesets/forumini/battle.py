"""What a side does besides the attacks of one unit: initiative, movement, bombs, several attacks, Overwatch, landings.

A hex has two coordinates (q, r): q counts along one row of the map, r along the row that is turned by 60 degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.forumini.shot.rules import D6, GOOD_ORDER, Target, attack
from aabalance.rulesets.forumini.variant import Variant

OVERWATCH_REACH = 12

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Steps to the six neighbours of a hex, clockwise."""


# --- the phases of a turn (Sequence of Play) --------------------------------------------------------------------------


def initiative_bonus(commanders: Iterable[tuple[int, int]]) -> int:
    """Return a side's Initiative Bonus: the highest of its commanders in good order (A. Initiative).

    Parameters
    ----------
    commanders : iterable of (int, int)
        Initiative Bonus and condition of each.
    """
    return max((bonus for bonus, condition in commanders if condition == GOOD_ORDER), default=0)


def initiative(bonus_difference: int) -> Fraction:
    """Return the chance that player 1 wins the initiative, and chooses who is first (A. Initiative) [F-1].

    Each player rolls two dice and adds the bonus. Equal totals go to the higher bonus; if the bonuses are equal as
    well, both roll again.

    Parameters
    ----------
    bonus_difference : int
        Player 1's bonus minus player 2's.
    """
    two = dice.pool([dice.die(D6)] * 2)
    lead = dice.convolve(two, dice.transform(two, lambda total: bonus_difference - total))
    ahead, level = dice.chance_of_at_least(lead, 1), lead.get(0, Fraction(0))
    if bonus_difference == 0:
        return ahead / (1 - level)
    return ahead + level if bonus_difference > 0 else ahead


def speed(printed: int, *, pinned: bool, damaged: int, kind: str = "vehicle") -> int:
    """Return a unit's speed under face-up counters (Effects of face-up counters).

    A vehicle loses 1 for each Damaged counter; if it is Pinned, the rest is halved. A Pinned or Demoralized soldier
    doesn't move.

    Parameters
    ----------
    printed : int
        Speed on the card, in Movement Points.
    pinned : bool
        Whether it has a Pinned counter.
    damaged : int
        Number of its Damaged (or Demoralized) counters.
    kind : str
        ``soldier`` or ``vehicle``.
    """
    if kind == "soldier":
        return 0 if pinned or damaged else printed
    left = max(printed - damaged, 0)
    return left // 2 if pinned else left


def may_bomb(
    *, antiair_now: bool, antiair_before: bool, bombs_left: int, variant: Variant, defensive_armament: bool = False
) -> bool:
    """Return whether an aircraft may make a bomb attack (D. Antiair) [F-13].

    Parameters
    ----------
    antiair_now, antiair_before : bool
        Whether it attacked in the Antiair phase of this turn, and in that of an earlier turn.
    bombs_left : int
        Number of bomb attacks that it has left.
    variant : Variant
        The rule switches.
    defensive_armament : bool
        Whether it attacked only with the Special Ability Defensive Armament.
    """
    attacked = antiair_now or (antiair_before and variant.aa_blocks_bombs == "game")
    return bombs_left > 0 and (defensive_armament or not attacked)


def placement(speeds: Iterable[int]) -> list[int]:
    """Return the indices of aircraft in the order in which they are placed: the slowest first (C. Aircraft Placement).

    By the rules aircraft of equal speed roll a die for their order; here they keep the order in which they are given.
    """
    return [index for _, index in sorted((value, index) for index, value in enumerate(speeds))]


def turn(
    attacks: Sequence[tuple[int, int]], target: Target, variant: Variant, *, pinned_in_movement: bool = False
) -> Pmf:
    """Return the face-down counters of a unit at the end of a turn.

    Parameters
    ----------
    attacks : sequence of (int, int)
        Number of Attack Dice and die modifier of each attack.
    target : Target
        The unit, with the counters that it has before these attacks.
    variant : Variant
        The rule switches.
    pinned_in_movement : bool
        Whether Defensive Fire pinned the target in the movement phase. Then the first later hit is its second counter,
        unless ``df_counts`` is off [F-10].
    """
    if pinned_in_movement and variant.df_counts:
        target = target._replace(face_down=max(target.face_down, 1))

    def struck_by(attack_dice: int, modifier: int) -> Callable[[int], Pmf]:
        return lambda had: attack(attack_dice, modifier, target._replace(face_down=had), variant.reading)

    after = dice.sequence(target.face_down, [struck_by(*dice_and_modifier) for dice_and_modifier in attacks])
    return dice.transform(after, lambda counters: max(counters, int(pinned_in_movement)))


# --- hexes, Overwatch, paratroopers -----------------------------------------------------------------------------------


def distance(a: Hex, b: Hex) -> int:
    """Return the range between two hexes; the firer's hex isn't counted, the target's is (Direct Fire 2)."""
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def neighbours(at: Hex) -> set[Hex]:
    """Return the six hexes around a hex."""
    return {(at[0] + q, at[1] + r) for q, r in DIRECTIONS}


def line(a: Hex, b: Hex) -> set[Hex]:
    """Return the hexes that the line between two centres traverses (Overwatch 1).

    Where the line runs along a hexspine, the hexes on both sides count. A hex that it only touches at a corner doesn't.
    """
    reach = distance(a, b)
    box = [
        (a[0] + q, a[1] + r) for q in range(-reach, reach + 1) for r in range(-reach, reach + 1) if abs(q + r) <= reach
    ]
    return {at for at in box if _length_inside(a, b, at) > 0} or {a}


def _length_inside(a: Hex, b: Hex, at: Hex) -> Fraction:
    """Return which part of the line from a to b, as a fraction of its length, lies in the closed hex `at`."""
    start, end = Fraction(0), Fraction(1)
    for at_a, at_b in zip(_across(a, at), _across(b, at), strict=True):
        # Each pair of opposite hexsides bounds a strip. Across it, a point in the hex is between -1 and 1.
        if at_a == at_b:
            if abs(at_a) > 1:
                return Fraction(0)
            continue
        enters, leaves = sorted((Fraction(-1 - at_a, at_b - at_a), Fraction(1 - at_a, at_b - at_a)))
        start, end = max(start, enters), min(end, leaves)
    return max(end - start, Fraction(0))


def _across(point: Hex, centre: Hex) -> tuple[int, int, int]:
    """Return how far a point is from a hex's centre across each of its three pairs of hexsides."""
    q, r = point[0] - centre[0], point[1] - centre[1]
    s = -q - r
    return q - r, r - s, s - q


def overwatch_arc(unit: Hex, aim: Hex) -> set[Hex]:
    """Return the Overwatch Arc: the hexes that the line to `aim` traverses, and all hexes beside them (Overwatch 1).

    There is no map, so that no terrain blocks the line.
    """
    traversed = line(unit, aim)
    return traversed.union(*map(neighbours, traversed))


def overwatch_limit(points: int) -> int:
    """Return how many units of an army may be in Overwatch: two per hundred points of cost (Overwatch)."""
    return 2 * points // 100


def overwatch_reach(longest: int, *, mortar: bool = False, moved: bool = False) -> int:
    """Return how many hexes a unit's Overwatch Arc may reach; 0 if it may not enter Overwatch (Overwatch 1).

    Parameters
    ----------
    longest : int
        Last hex of the unit's last range column.
    mortar, moved : bool
        Whether the unit is a mortar, and whether it has moved.
    """
    return 0 if mortar or moved else min(longest, OVERWATCH_REACH)


def scatter() -> dict[Hex, Fraction]:
    """Return the chances of where a paratrooper lands, as steps from his target hex (Paratroopers 2-3).

    A die decides the direction; half of another die, rounded up, is the number of hexes.
    """
    along = dice.transform(dice.die(D6), lambda face: (face + 1) // 2)
    return {
        (q * hexes, r * hexes): p * q_hexes
        for (q, r), p in zip(DIRECTIONS, dice.die(D6).values(), strict=True)
        for hexes, q_hexes in along.items()
    }


def lands(target: Hex, on_map: Callable[[Hex], bool], taken: frozenset[Hex] = frozenset()) -> dict[Hex, Fraction]:
    """Return the chances of the hexes in which a paratrooper may land (Paratroopers 3).

    If he would leave the map, he lands in the last hex before its edge. If his hex is full, he goes on in the same
    direction to the next hex that isn't.

    Parameters
    ----------
    target : Hex
        Hex at which he aims.
    on_map : callable
        Takes a hex; returns whether it is on the map.
    taken : frozenset of Hex
        Hexes that are full.
    """

    def landed(away: Hex) -> Hex:
        q, r = away
        hexes = max(abs(q), abs(r))
        at, walked = target, 0
        while walked < hexes or at in taken:
            after = at[0] + q // hexes, at[1] + r // hexes
            if not on_map(after):
                break
            at, walked = after, walked + 1
        return at

    return dice.transform(scatter(), landed)
