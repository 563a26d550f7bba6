"""The sides of a battle: what each unit of a list may do in its turn, and what that does to each unit of the other.

All units hold, at one distance; what moves is a match. Squads count as active all the time. What a unit needs of
others is taken from its own list:

- A field gun is manned by a squad that stands behind it, and does nothing once that is gone (p. 17). The gun's plates
  keep anti-infantry fire from the squad until the gun itself is gone. A gun for which the list has no squad brings a
  crew of its own, that isn't fired at.
- A scout gives a friend its bonus against one enemy, which lasts to the end of the turn, for an action (p. 11; AA-43).
- An indirect gun is set up in a turn of its unit that takes all the actions of its pool (p. 15; AA-32), and for the
  reason that a duel has: if the unit does more a turn afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle.cells import Cells, Shown
from aabalance.rulesets.armored_advance.battle.strikes import Arms, Moments, Seen, arms, at_one, differs, sees
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, VehicleCard, toughness
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.sheets import Defence
from aabalance.rulesets.armored_advance.situation import Moment, Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import TIMED, Fighter, Force, Help, Mission, SituationMix, Strike

CREWS = ("artillery_crew", "rifle")
"""Squads that man guns, the best first; teams with a weapon of their own stay with it (p. 19)."""


def forces(
    lists: tuple[Sequence[Unit], Sequence[Unit]],
    mix: SituationMix[Situation],
    range_in: float,
    variant: Variant,
    *,
    explain: bool = False,
) -> tuple[Force, Force]:
    """Return both sides of a battle; see `forces` of `aabalance.rulesets.base.Ruleset`."""
    back: dict[Situation, Fraction] = {}
    for situation, share in mix.items():
        if situation.scout_in is not None:
            raise UsageError("scout_in: found a scout of no list, expected none in a battle")
        other = situation.mirrored(range_in)
        back[other] = back.get(other, Fraction(0)) + share
    both = _moments(mix, range_in), _moments(back, range_in)
    a, b = (Cells((range_in,), tuple(moments.values()), variant, explain=explain) for moments in both)
    return _force(lists[0], lists[1], both[0], a, variant), _force(lists[1], lists[0], both[1], b, variant)


def one_on_one(
    cards: Sequence[Unit],
    enemies: Sequence[Unit],
    mix: SituationMix[Situation],
    ranges: Sequence[float],
    variant: Variant,
    *,
    together: bool = False,
) -> Force:
    """Return units each as the only one of its side; see `one_on_one` of `aabalance.rulesets.base.Ruleset`."""
    moments = _moments(mix, ranges[0])
    cells = _cells(tuple(ranges), tuple(moments.values()), variant)
    bare = [0] * len(moments)
    seen = Seen(tuple(_shown(card, moments, bare, cells, variant) for card in enemies), {})
    scouts = _scouts(cards, moments, ranges) if together else ()
    made = (arms(card, moments, seen, cells, scout=bool(scouts)) for card in cards)
    return tuple(
        _fighter(card, fired, (), tuple(by for by in scouts if by != at), (), variant)
        for at, (card, fired) in enumerate(zip(cards, made, strict=True))
    )


@lru_cache(maxsize=4)
def _cells(ranges: tuple[float, ...], shares: tuple[Fraction, ...], variant: Variant) -> Cells:
    """Return what attacks do; kept, since a roster of which one card is changed asks for nearly the same again."""
    return Cells(ranges, shares, variant, explain=False)


def _moments(mix: SituationMix[Situation], range_in: float) -> Moments:
    """Return the moments of attacks in these situations; `halves` read no distance of them."""
    return {Moment(**dict(situation), range_in=range_in): share for situation, share in mix.items()}


def _force(own: Sequence[Unit], enemies: Sequence[Unit], moments: Moments, cells: Cells, variant: Variant) -> Force:
    """Return a side; equal cards, of which a list has many, are worked out once."""
    seen = _seen(enemies, moments, cells, variant)
    manned, scouts = crews(own), _scouts(own, moments, cells.ranges)
    made: dict[tuple[int, str], Arms] = {}
    force = []
    for at, card in enumerate(own):
        crew = own[manned[at]] if at in manned else None
        squad = crew.squad if isinstance(crew, InfantryCard) else ""
        if (id(card), squad) not in made:
            crewed = _with(moments, artillery_crew=squad == "artillery_crew") if squad else moments
            made[id(card), squad] = arms(card, crewed, seen, cells, scout=bool(scouts))
        firing: tuple[Help, ...] = ()
        if isinstance(crew, InfantryCard):
            firing = (Help((manned[at],), crew.actions * variant.gun_fire_uses_crew_action),)  # AA-63
        others = tuple(by for by in scouts if by != at)
        force.append(_fighter(card, made[id(card), squad], firing, others, range(len(enemies)), variant))
    return tuple(force)


def _with(moments: Moments, **fields: object) -> Moments:
    return {moment.model_copy(update=fields): share for moment, share in moments.items()}


def _scouts(cards: Sequence[Unit], moments: Moments, ranges: Sequence[float]) -> tuple[int, ...]:
    """Return the places of the scouts, if any of them sees an enemy from any distance."""
    see = any(sees(moments, range_in) for range_in in ranges)
    return tuple(at for at, card in enumerate(cards) if see and "scout" in card.keywords)


def _seen(cards: Sequence[Unit], moments: Moments, cells: Cells, variant: Variant) -> Seen:
    """Return a list as its enemies see it, its crews behind their guns."""
    gun_of = {squad: gun for gun, squad in crews(cards).items()}
    known: dict[tuple[int, tuple[int, ...]], Shown] = {}

    def shown(card: Unit, shields: tuple[int, ...]) -> Shown:
        if (id(card), shields) not in known:
            known[id(card), shields] = _shown(card, moments, shields, cells, variant)
        return known[id(card), shields]

    front = []
    behind = {}
    for at, card in enumerate(cards):
        shields = tuple(moment.gun_shield for moment in moments)
        gun = cards[gun_of[at]] if at in gun_of else None
        if isinstance(gun, VehicleCard):
            shields = tuple(getattr(gun.armor, moment.facing) for moment in moments)
            if any(shields):
                behind[at] = gun_of[at], shown(card, (0,) * len(moments))
        front.append(shown(card, shields))
    return Seen(tuple(front), behind)


def _shown(card: Unit, moments: Moments, shields: Sequence[int], cells: Cells, variant: Variant) -> Shown:
    """Return what a unit shows in each view."""

    def face(moment: Moment, shield: int) -> Defence:
        return halves.defence(card, moment.model_copy(update={"gun_shield": shield}), variant)

    return cells.kept(face(moment, shield) for moment, shield in zip(moments, shields, strict=True))


def _fighter(
    card: Unit, made: Arms, firing: tuple[Help, ...], scouts: tuple[int, ...], scouted: Sequence[int], variant: Variant
) -> Fighter:
    """Return a unit of a battle.

    Parameters
    ----------
    card : card
        The unit's.
    made : Arms
        Its guns and strikes.
    firing : tuple of Help
        The help that firing needs from its crew, if a squad of the list mans it.
    scouts : tuple of int
        Places in the list of the units that can scout for it.
    scouted : sequence of int
        Places of the enemies for whom strikes are wanted that are made with a scout's help from earlier in the turn.
    variant : Variant
        The rule switches.
    """
    return Fighter(
        name=card.name,
        toughness=toughness(card),
        actions=card.actions,
        free=isinstance(card, InfantryCard),
        cost=card.requisition or 0,
        counts=is_mechanized(card, variant),
        guns=made.guns,
        strikes=tuple(one for one in _strikes(card, made, firing, scouts, scouted, variant) if _has_effect(one)),
    )


def _has_effect(strike: Strike) -> bool:
    # Enemies on which a strike has the same effects share one row object.
    return any(max(effect) > 0 for row in {id(row): row for row in strike.effects}.values() for effect in row)


def _strikes(
    card: Unit, made: Arms, firing: tuple[Help, ...], scouts: tuple[int, ...], scouted: Sequence[int], variant: Variant
) -> Iterator[Strike]:
    """Yield the strikes of a unit with the help that they take."""
    price = int(variant.scout_costs_action)
    aided = {arm.scouted.gun for arm in made.strikes if arm.scouted is not None}
    lasts = price > 0 and card.actions > 1 and sum(made.guns[gun].attacks for gun in aided) > 1
    for alone, better in made.strikes:
        manned = tuple(one._replace(actions=0) for one in firing) if alone.prepare else firing
        yield alone._replace(helps=manned)
        if better is None or not scouts:
            continue
        yield better._replace(helps=(*manned, Help(scouts, price, lasts)))
        for enemy in scouted:
            if lasts and differs(better, alone, enemy):
                yield at_one(better, enemy)._replace(helps=manned, helped_at=enemy)


def is_mechanized(card: Unit, variant: Variant) -> bool:
    """Return whether a side needs the unit: once its mechanized force is gone, it has lost (p. 23 Annihilation).

    Infantry is no mechanized force; field guns are one while ``annihilation_counts_guns`` (AA-53, GUESS).
    """
    return card.class_ == "vehicle" or (card.class_ == "field_gun" and variant.annihilation_counts_guns)


# --- infantry beyond its fire (p. 17-19) ------------------------------------------------------------------------------


def crews(cards: Sequence[Unit]) -> dict[int, int]:
    """Return which squad of a list stands behind which of its field guns, by their places in the list (p. 17).

    Guns come in the order of the list, artillery crews before rifle squads. A gun for which no squad is left has no
    entry.
    """
    squads = [
        at for squad in CREWS for at, card in enumerate(cards) if isinstance(card, InfantryCard) and card.squad == squad
    ]
    squad_of: dict[int, int] = {}
    for gun, card in enumerate(cards):
        if card.class_ == "field_gun":
            at_hand = (at for at in squads if at not in squad_of.values())
            squad_of.update((gun, at) for at in list(at_hand)[:1])
    return squad_of


# --- how a battle ends (p. 23) ----------------------------------------------------------------------------------------


def mission(mode: str, turn_limit: int | None, variant: Variant) -> Mission:
    """Return how a battle of a mode ends besides the end of a mechanized force (p. 23).

    An annihilation may have a limit too. At the limit of a timed one the larger requisition wins, of all units left,
    damaged or not (AA-55); equals play another turn each until they differ. See
    `aabalance.rulesets.base.Ruleset.mission`.

    Parameters
    ----------
    mode : str
        One of ``annihilation`` and ``timed``.
    turn_limit : int or None
        As for `rounds`; None for no limit.
    variant : Variant
        The rule switches.

    Raises
    ------
    UsageError
        One side would have a turn more than the other.
    """
    return Mission() if turn_limit is None else Mission(rounds(turn_limit, variant), by_cost=mode == TIMED)


def rounds(turn_limit: int, variant: Variant) -> int:
    """Return how many turns each side has up to a turn limit.

    Parameters
    ----------
    turn_limit : int
        In turns of both sides, or of either, by ``turn_limit_counts`` (AA-54).
    variant : Variant
        The rule switches.

    Raises
    ------
    UsageError
        One side would have a turn more than the other.
    """
    if variant.turn_limit_counts == "rounds":
        return turn_limit
    if turn_limit % 2:
        raise UsageError(f"rounds: found a limit of {turn_limit} player turns, expected as many turns of either side")
    return turn_limit // 2
