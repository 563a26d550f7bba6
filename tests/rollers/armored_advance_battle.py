"""Armored Advance battles played with real dice: two lists, an action limit, and players who follow a simple policy.

A witness that shares no code with the package; the attacks themselves are thrown by `rollers.armored_advance_table`.
No probability is worked out, but for a player who has to choose and goes through all ways in which the dice can fall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from rollers import told
from rollers.armored_advance import counter, gun_lists
from rollers.armored_advance_table import READINGS as OF_ATTACKS
from rollers.armored_advance_table import Player, Table, d6
from rollers.readings import Readings, agreed

READINGS: Readings = {
    **OF_ATTACKS,
    "scout_costs_action": (True, False),
    "annihilation_counts_guns": (True, False),
    "gun_fire_uses_crew_action": (False, True),
}
FAR = 1000
SCOUTED_TO = 60
IDLE = 4


class Attack:
    """A way to fire a gun: its number on the card, the actions that it takes, and whether it is aimed."""

    def __init__(self, gun: int, kind: Table, sequences: int = 1, aimed: bool = False) -> None:
        self.gun, self.kind, self.aimed = gun, kind, aimed
        self.sequences = 1 if aimed else sequences
        self.actions = 2 if aimed else 1


class Unit:
    """A counter on the table, as it looks from each of its faces."""

    def __init__(self, card: Table, faces: Mapping[str, Any], rules: Table) -> None:
        self.card = card
        self.faces = {face: counter(card, {"facing": face}, rules) for face in faces}
        self.rules = rules
        self.infantry, self.field_gun = card["class"] == "infantry", card["class"] == "field_gun"
        self.left = card["strength"] if self.infantry else card["hp"]
        self.pool = 1 if self.infantry else card.get("actions", 2)
        self.cost = card["requisition"]
        self.keywords = card.get("keywords", {})
        # p. 23: the mechanized force.
        self.mechanized = not self.infantry and (rules["annihilation_counts_guns"] or not self.field_gun)
        self.crew: Unit | None = None
        self.manned: Unit | None = None
        self.attacks: list[Attack] = []
        for number, kinds in enumerate(gun_lists(card)):
            sequences = self.keywords.get("autocannon", 1) if number == 0 else 1
            self.attacks += [Attack(number, kind, sequences) for kind in kinds]
            if number == 0 and "accurate" in self.keywords:
                self.attacks += [Attack(0, kind, 1, True) for kind in kinds if kind["kind"] != "ai"]
        if card.get("equipment", {}).get("grenades", 0):
            self.attacks.append(Attack(-1, {"kind": "grenade", "range": 6}))
        self.deploys()

    def deploys(self) -> None:
        self.left = self.card["strength" if self.infantry else "hp"]
        self.fired_last_turn = self.set_up = False
        self.grenades = self.card.get("equipment", {}).get("grenades", 0)
        self.begins_turn()

    def state(self) -> tuple[Any, ...]:
        """All of it that changes while a battle is fought."""
        of_turn = self.spent, tuple(self.fired.items()), tuple(self.scouted.items())
        return self.left, self.fired_last_turn, self.set_up, self.grenades, *of_turn

    def begins_turn(self) -> None:
        self.spent = 0
        self.fired: dict[int, int] = {}
        self.scouted: dict[int, float] = {}

    def may_pay(self, price: int, actions: int) -> bool:
        """Whether it has so many actions to give, its side having so many left."""
        return self.spent + price <= self.pool and (self.infantry or price <= actions)

    def ends_turn(self) -> None:
        self.fired_last_turn = self.fired.get(0, 0) > 0

    def works(self) -> bool:
        """p. 17: a field gun whose crew is gone has no functionality."""
        return self.left > 0 and (self.crew is None or self.crew.left > 0)

    def loaded(self, attack: Attack) -> bool:
        """Whether it has such an attack left in this turn."""
        if attack.kind["kind"] == "grenade":
            return self.grenades > 0
        if attack.gun == 0 and "long_reload" in self.keywords and self.fired_last_turn:
            return False
        fired = self.fired.get(attack.gun, 0)
        if attack.aimed:
            return fired == 0
        return fired < (2 if attack.gun == 0 and "rapid_fire" in self.keywords else 1)

    def shielded(self, face: str) -> bool:
        """p. 17: it stands behind a gun that has armour where the fire comes from."""
        return self.guarded() and self.manned.card["armor"][face] > 0

    def guarded(self) -> bool:
        return self.manned is not None and self.manned.left > 0

    def sits(self, face: str, seen: Table) -> Player:
        player = Player(self.faces[face], seen, self.rules)
        player.left = self.left
        return player


class Offer(NamedTuple):
    """Something that a unit may do now: an attack, or setting its gun up for it; and what everybody pays."""

    unit: Unit
    attack: Attack
    enemy: Unit
    scout_in: float | None
    actions: int
    scout: Unit | None
    crew: Unit | None
    sets_up: bool

    @property
    def reckoned(self) -> int:
        """The actions by which it is judged: of the attack and of those who help."""
        return self.attack.actions + (self.scout is not None) + (self.crew is not None)


def man_guns(side: list[Unit]) -> None:
    """p. 17: a squad behind each gun, artillery crews first; a gun too many has men that nobody fires at."""
    squads = [unit for unit in side if unit.infantry]
    crews = [unit for unit in squads if unit.card["squad"] == "artillery_crew"]
    crews += [unit for unit in squads if unit.card["squad"] == "rifle"]
    for gun, crew in zip([unit for unit in side if unit.field_gun], crews, strict=False):
        gun.crew, crew.manned = crew, gun


class Field:
    """The distance, the shares of the faces, and what the players have reckoned out so far."""

    def __init__(self, range_in: float, faces: Mapping[str, Fraction], rules: Table) -> None:
        self.range_in = range_in
        self.faces = faces
        self.rules = rules
        self.reckoned: dict[Any, dict[int, Fraction]] = {}
        self.remembered: dict[Any, Fraction] = {}

    def throw(self, rng: Random, offer: Offer) -> None:
        """One attack; all its sequences hit the face that chance shows."""
        (face,) = rng.choices(list(self.faces), [float(share) for share in self.faces.values()])
        unit, attack, enemy, scout_in = offer[:4]
        enemy.left -= self._taken(rng, unit, attack, enemy, face, attack.sequences, scout_in)

    def _taken(
        self,
        rng: Random,
        unit: Unit,
        attack: Attack,
        enemy: Unit,
        face: str,
        sequences: int,
        scout_in: float | None,
    ) -> int:
        range_in = self.range_in
        if range_in > attack.kind.get("lob", attack.kind.get("range", FAR)) or enemy.shielded(face):
            return 0
        crew = unit.crew is not None and unit.crew.card["squad"] == "artillery_crew"
        seen = {"artillery_crew": crew, "scout_in": scout_in}
        player, foe = unit.sits(next(iter(self.faces)), seen), enemy.sits(face, {})
        foe.left = FAR
        if attack.kind["kind"] == "grenade":
            if enemy.infantry:
                player.throw_grenade(rng, foe)
        else:
            player.set_up = "lob" in attack.kind
            bonus = 1 if attack.aimed else 0
            player.one_attack(
                rng, attack.kind, foe, range_in, sequences=sequences, bonus=bonus, primary=attack.gun == 0
            )
        return int(FAR - foe.left)

    def takes(self, unit: Unit, attack: Attack, enemy: Unit, scout_in: float | None, left: int) -> Fraction:
        """What the attack takes of an enemy who has so much left, on the mean."""
        key = id(unit), id(attack), id(enemy), left, unit.left if unit.infantry else 0, scout_in, enemy.guarded()
        if key not in self.remembered:
            total = Fraction(0)
            for face, share in self.faces.items():
                chances = self.reckon(unit, attack, enemy, face, scout_in).items()
                total += share * sum((p * min(taken, left) for taken, p in chances), Fraction(0))
            self.remembered[key] = total
        return self.remembered[key]

    def reckon(self, unit: Unit, attack: Attack, enemy: Unit, face: str, scout_in: float | None) -> dict[int, Fraction]:
        """What an attack takes, each amount with its chance: one sequence by all dice, then one after the other."""
        men = unit.left if unit.infantry else 0
        key = id(unit), id(attack), id(enemy), face, men, scout_in, enemy.guarded()
        if key not in self.reckoned:
            seen: set[int] = set()

            def once(rng: Random) -> int:
                seen.add(self._taken(rng, unit, attack, enemy, face, 1, scout_in))
                return 0

            told.mean(once)
            each = {
                amount: told.mean(
                    lambda rng, want=amount: int(self._taken(rng, unit, attack, enemy, face, 1, scout_in) == want)
                )
                for amount in seen
            }
            total = {0: Fraction(1)}
            rolls = attack.sequences if attack.kind["kind"] in ("at", "he") else 1
            for _ in range(rolls):
                more: dict[int, Fraction] = {}
                for before, p in total.items():
                    for amount, q in each.items():
                        more[before + amount] = more.get(before + amount, Fraction(0)) + p * q
                total = more
            self.reckoned[key] = total
        return self.reckoned[key]

    def pays(self, unit: Unit, lob: Attack, enemy: Unit) -> bool:
        """Whether a fresh enemy suffers more from indirect fire than from the gun's direct fire of as many actions."""
        others = [one for one in unit.attacks if one.gun == 0 and "lob" not in one.kind and one.actions == lob.actions]
        direct = [self.takes(unit, one, enemy, None, FAR) for one in others]
        return self.takes(unit, lob, enemy, None, FAR) > max(direct, default=Fraction(0))

    def offers(self, own: list[Unit], foes: list[Unit], actions: int) -> Iterator[Offer]:
        """All that a side may do that hurts somebody, or will once a gun is set up."""
        for unit in own:
            for attack in unit.attacks:
                if not unit.works() or not unit.loaded(attack):
                    continue
                for scouted in (False, True):
                    for enemy in foes:
                        offer = self.offer(own, unit, attack, enemy, scouted, actions)
                        if offer and self.takes(unit, attack, enemy, offer.scout_in, enemy.left):
                            yield offer

    def offer(
        self, own: list[Unit], unit: Unit, attack: Attack, enemy: Unit, scouted: bool, actions: int
    ) -> Offer | None:
        """One of these, if it can be paid for by a side with so many actions left."""
        sets_up = "lob" in attack.kind and not unit.set_up
        cost = unit.pool if sets_up else attack.actions
        if enemy.left <= 0 or unit.spent + cost > unit.pool or (cost > actions and not unit.infantry):
            return None
        if sets_up:
            pays = not scouted and self.pays(unit, attack, enemy)
            return Offer(unit, attack, enemy, None, cost, None, None, True) if pays else None
        crew = unit.crew if self.rules["gun_fire_uses_crew_action"] else None
        if crew is not None and crew.spent >= crew.pool:
            return None
        scout_in = unit.scouted.get(id(enemy))
        scout = None
        if scouted and scout_in is None:
            price = 1 if self.rules["scout_costs_action"] else 0
            left = actions if unit.infantry else actions - cost
            helpers = self.scouts(own, unit, crew)
            scout = next((one for one in helpers if one.may_pay(price, left)), None)
            if scout is None:
                return None
            scout_in = self.range_in
        elif scout_in is not None and not scouted:
            return None
        payer = scout if self.rules["scout_costs_action"] else None
        return Offer(unit, attack, enemy, scout_in, cost, payer, crew, False)

    def scouts(self, own: list[Unit], unit: Unit, crew: Unit | None) -> list[Unit]:
        """p. 11: who may scout for a friend; not a crew that fires its gun with its one action."""
        able = [one for one in own if "scout" in one.keywords and one.left > 0 and one is not unit and one is not crew]
        return able if self.range_in <= SCOUTED_TO else []

    def gain(self, offer: Offer) -> Fraction:
        """What an offer takes of what the enemy has left, on the mean, for each action of all who take part."""
        unit, attack, enemy, scout_in = offer[:4]
        return self.takes(unit, attack, enemy, scout_in, enemy.left) / offer.reckoned

    def may_ever_make(self, own: list[Unit], unit: Unit, foe: Unit, limit: int) -> Iterator[tuple[Attack, Unit | None]]:
        """The attacks of a unit in some turn to come, with all that is left of its side; by itself, and with scouts."""
        for attack in unit.attacks:
            cost = unit.pool if "lob" in attack.kind and not unit.set_up else attack.actions
            limited = 0 if unit.infantry else cost
            if not unit.works() or cost > unit.pool or limited > limit:
                continue
            yield attack, None
            price = 1 if self.rules["scout_costs_action"] else 0
            crew = unit.crew if self.rules["gun_fire_uses_crew_action"] else None
            for one in self.scouts(own, unit, crew):
                if one.infantry or limited + price <= limit:
                    yield attack, one

    def may_ever_hurt(self, own: list[Unit], unit: Unit, foe: Unit, limit: int) -> bool:
        """Whether a unit may hurt a foe in some turn to come, with all that is left of its side."""
        return any(self.hurts(unit, attack, foe, scout) for attack, scout in self.may_ever_make(own, unit, foe, limit))

    def hurts(self, unit: Unit, attack: Attack, foe: Unit, scout: Unit | None) -> bool:
        """Whether an attack takes anything."""
        return self.takes(unit, attack, foe, None if scout is None else self.range_in, FAR) > 0

    def danger(self, own: list[Unit], unit: Unit, foes: list[Unit], limit: int) -> Fraction:
        """The most that an attack of a unit takes of the requisition of a foe, for each action of all who take part."""
        most = Fraction(0)
        for foe in foes:
            for attack, scout in self.may_ever_make(own, unit, foe, limit):
                lob = "lob" in attack.kind
                helpers = (scout is not None and self.rules["scout_costs_action"]) + (
                    unit.crew is not None and self.rules["gun_fire_uses_crew_action"] and not lob
                )
                if foe.left > 0 and not (lob and (scout or not self.pays(unit, attack, foe))):
                    taken = self.takes(unit, attack, foe, None if scout is None else self.range_in, foe.left)
                    most = max(most, foe.cost * taken / foe.left / (attack.actions + helpers))
        return most


# --- policies ---------------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """Both sides as the one sees them whose turn it is, and the limit of the other."""

    own: list[Unit]
    foes: list[Unit]
    limit: int


def _of_first_unit(offers: list[Offer]) -> list[Offer]:
    return [offer for offer in offers if offer.unit is offers[0].unit]


def _best_at(table: Field, offers: list[Offer], enemy: Unit) -> Offer:
    return max((offer for offer in offers if offer.enemy is enemy), key=table.gain)


def list_order(table: Field, met: Met, offers: list[Offer]) -> Offer:
    open_to_it = _of_first_unit(offers)
    first = next(foe for foe in met.foes if any(offer.enemy is foe for offer in open_to_it))
    return _best_at(table, open_to_it, first)


def focus(table: Field, met: Met, offers: list[Offer]) -> Offer:
    open_to_it = _of_first_unit(offers)
    found = [foe for foe in met.foes if any(offer.enemy is foe for offer in open_to_it)]
    return _best_at(table, open_to_it, min(found, key=lambda foe: (foe.left, -foe.cost)))


def value(table: Field, met: Met, offers: list[Offer]) -> Offer:
    return max(offers, key=lambda offer: offer.enemy.cost * table.gain(offer) / offer.enemy.left)


def threat(table: Field, met: Met, offers: list[Offer]) -> Offer:
    found = [foe for foe in met.foes if any(offer.enemy is foe for offer in offers)]
    return _best_at(table, offers, max(found, key=lambda foe: table.danger(met.foes, foe, met.own, met.limit)))


POLICIES: dict[str, Callable[[Field, Met, list[Offer]], Offer]] = {
    "list_order": list_order,
    "focus": focus,
    "value": value,
    "threat": threat,
}


# --- a battle ---------------------------------------------------------------------------------------------------


class Sitting:
    """Two lists of cards that are fought over again and again."""

    def __init__(
        self,
        lists: tuple[list[Table], list[Table]],
        *,
        range_in: float,
        actions: tuple[int, int],
        policies: tuple[str, str],
        rounds: int | None = None,
        timed: bool = False,
        facing: Mapping[str, float] | None = None,
        variant: Table | None = None,
    ) -> None:
        faces = {face: Fraction(str(share)) for face, share in (facing or {"front": 1}).items()}
        rules = agreed(variant or {}, READINGS)
        self.sides = [[Unit(card, faces, rules) for card in cards] for cards in lists]
        for side in self.sides:
            man_guns(side)
        self.table = Field(range_in, faces, rules)
        self.actions, self.policies = actions, [POLICIES[name] for name in policies]
        self.rounds, self.timed = rounds, timed
        self.choices: dict[Any, Offer | None] = {}

    def over(self) -> bool:
        """A side has lost its vehicles and guns, or nobody can hurt one any more."""
        alive = [[unit for unit in side if unit.left > 0] for side in self.sides]
        if not all(any(unit.mechanized for unit in side) for side in alive):
            return True
        return not any(
            foe.mechanized and self.table.may_ever_hurt(own, unit, foe, limit)
            for own, foes, limit in zip(alive, alive[::-1], self.actions, strict=True)
            for unit in own
            for foe in foes
        )

    def winner(self) -> str | None:
        """Who has lost nothing but the other; or who leads by requisition in a timed battle."""
        left = [[unit for unit in side if unit.left > 0] for side in self.sides]
        beaten = [not any(unit.mechanized for unit in side) for side in left]
        if beaten[0] != beaten[1]:
            return "b" if beaten[0] else "a"
        a, b = (sum(unit.cost for unit in side) for side in left)
        if not self.timed or a == b:
            return None
        return "a" if a > b else "b"

    def turn(self, rng: Random, side: int) -> bool:
        """A turn of a side; whether anybody did anything."""
        own = self.sides[side]
        for unit in own:
            unit.begins_turn()
        left = self.actions[side]
        while offer := self.choice(side, left):
            left -= self.pay(offer)
            if not offer.sets_up:
                self.table.throw(rng, offer)
        for unit in own:
            unit.ends_turn()
        return any(unit.spent for unit in own)

    def choice(self, side: int, left: int) -> Offer | None:
        """What a side does that has so many actions left, if anything; the same whenever all stand as they do."""
        state = side, left, *(unit.state() for units in self.sides for unit in units)
        if state not in self.choices:
            own, foes = self.sides[side], self.sides[1 - side]
            offers = [] if self.over() else list(self.table.offers(own, foes, left))
            met = Met(own, foes, self.actions[1 - side])
            self.choices[state] = self.policies[side](self.table, met, offers) if offers else None
        return self.choices[state]

    def pay(self, offer: Offer) -> int:
        """What everybody pays for it; the actions that the side's limit is asked for."""
        unit, attack = offer.unit, offer.attack
        payers = [(unit, offer.actions), (offer.scout, 1), (offer.crew, 1)]
        for payer, price in payers:
            if payer is not None:
                payer.spent += price
        if offer.sets_up:
            unit.set_up = True
        elif attack.kind["kind"] == "grenade":
            unit.grenades -= 1
        else:
            unit.fired[attack.gun] = 2 if attack.aimed else unit.fired.get(attack.gun, 0) + 1
        if offer.scout_in is not None:
            unit.scouted[id(offer.enemy)] = offer.scout_in
        return sum(price for payer, price in payers if payer is not None and not payer.infantry)

    def fight(self, rng: Random, first: str) -> tuple[str, int, int, int]:
        """One battle: who wins, the turns of both sides, and what requisition either has left."""
        for side in self.sides:
            for unit in side:
                unit.deploys()
        if first == "roll_off":
            mine = yours = 0
            while mine == yours:
                mine, yours = d6(rng), d6(rng)
            first = "a" if mine > yours else "b"
        turns = idle = 0
        while not self.over():
            if (
                self.rounds is not None
                and turns >= 2 * self.rounds
                and turns % 2 == 0
                and (not self.timed or self.winner())
            ):
                break
            side = (turns + (first == "b")) % 2
            idle = 0 if self.turn(rng, side) else idle + 1
            turns += 1
            # Guns are loaded then: whoever does nothing now never will.
            if idle == IDLE and (self.rounds is None or turns >= 2 * self.rounds):
                break
        a, b = (sum(unit.cost for unit in side if unit.left > 0) for side in self.sides)
        return self.winner() or "draw", turns, a, b
