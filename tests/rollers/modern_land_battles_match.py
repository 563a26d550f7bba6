"""A match of Modern Land Battles as its spec tells it, point by point, in plain Python: no code of the package.

The spec is the project's description of a full match; "section" here is a section of that, and M-6 to M-25 are points
that the rulebook leaves open. It is a witness: it is played against the package's match with the same actions and dice,
and has to give the same states, legal actions and result. It reads boards from the files of the units, nothing else.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

BOARDS = Path(__file__).parents[2] / "unitdb" / "modern_land_battles" / "boards"

AREAS = "B", "F", "T"
"""Breakthrough, Flanking, Terrain (section 1)."""

ATTACKS = {
    "assault": ("cannon", "small_arms"),
    "barrage": ("cannon",),
    "cannon": ("cannon",),
    "combined_arms": ("cannon", "missile", "small_arms"),
    "cover_fire": ("small_arms",),
    "missile": ("missile",),
    "overwatch": ("missile",),
    "raid": ("small_arms",),
    "small_arms": ("small_arms",),
}
"""The table of section 5: Action cards that attack, and with which symbols."""

FIRED_DEFENSE = {"barrage": ("cannon", 1), "cover_fire": ("small_arms", 2), "overwatch": ("missile", 1)}
"""Defense cards that a Force card fires (section 6): its symbol, and how many Hits or successes they stop."""

DECISIONS = "ready", "repair", "calm"
"""Benefits that are decided on (section 7)."""


@dataclass
class Force:
    """A Force card: where it is, and what lies on it."""

    id: str
    name: str
    card: dict[str, Any]
    area: str
    row: int
    hits: int = 0
    acted: bool = False

    @property
    def side(self) -> str:
        """The side that it belongs to."""
        return self.id[0]

    @property
    def weapons(self) -> dict[str, Any]:
        """Its Attack symbols."""
        return {symbol: weapon for symbol, weapon in self.card.get("weapons", {}).items() if weapon is not None}

    @property
    def maneuver(self) -> int | None:
        """What a Maneuver die needs, `None` without that symbol."""
        value: int | None = self.card.get("maneuver")
        return value


class Over(Exception):
    """The match has ended: nothing else of the action happens."""


class Match:
    """A match, from its set-up to its end."""

    def __init__(self, setup: dict[str, Any], roll: Callable[[int], int]) -> None:
        """Set the table up; nothing is rolled before `start`."""
        board = setup["board"]
        if isinstance(board, str):
            board = tomllib.loads((BOARDS / f"{board}.toml").read_text(encoding="utf-8"))
        self.board: dict[str, Any] = board
        self.roll = roll
        options = setup.get("options", {})
        self.range_defense: bool = options.get("range_defense", False)
        self.natural_rules: bool = options.get("d10_natural_rules", False)  # M-6: the other reading
        self.limit: int = options.get("limit", 200)
        self.forces: dict[str, Force] = {}
        for side in "ab":
            army = setup["lists"][side]
            # Section 1: named by side and place in the list, rows first, then the reserve.
            places = [("B", row, name) for row, names in enumerate(army["rows"], 1) for name in names]
            places += [("reserve", 0, name) for name in army["reserve"]]
            for number, (area, row, name) in enumerate(places, 1):
                self.forces[f"{side}{number}"] = Force(f"{side}{number}", name, setup["cards"][name], area, row)
        self.turn, self.side, self.stage, self.actions = 0, "a", "start", 1
        self.hands: dict[str, Counter[str]] = {"a": Counter(), "b": Counter()}
        self.deck = Counter({kind: card["count"] for kind, card in board["action"].items()})
        self.discards: Counter[str] = Counter()
        self.terrain: str | None = None
        self.terrain_deck = sorted(kind for kind, card in board["terrain"].items() for _ in range(card["count"]))
        self.control = self.superior = 0
        self.piles = {"a": 0, "b": 0}
        self.act: dict[str, Any] | None = None
        self.benefits: list[list[str]] = []
        self.destroyed = self.secured = False
        self.winner: str | None = None
        self.reason: str | None = None

    def to_move(self) -> str | None:
        """Return the side that decides (section 3)."""
        if self.stage == "over":
            return None
        if self.stage == "react":
            return other(self.side)
        return self.benefits[0][0] if self.stage == "benefit" else self.side

    def state(self) -> dict[str, Any]:
        """Return the state as section 2 lists it."""
        units = {
            force.id: {
                "card": force.name,
                "at": f"{force.area}{force.row}" if force.row else force.area,
                "hits": force.hits,
                "acted": force.acted,
            }
            for force in self.forces.values()
        }
        return {
            "turn": self.turn,
            "side": self.side,
            "stage": self.stage,
            "actions": self.actions,
            "units": units,
            "hands": {side: sorted(hand.elements()) for side, hand in self.hands.items()},
            "deck": {kind: count for kind, count in sorted(self.deck.items()) if count},
            "discards": {kind: count for kind, count in sorted(self.discards.items()) if count},
            "terrain": self.terrain,
            "control": self.control,
            "terrain_deck": list(self.terrain_deck),
            "superior": self.superior,
            "piles": dict(self.piles),
            "act": self.act and {key: list(value) if key == "shifted" else value for key, value in self.act.items()},
            "benefits": [list(waiting) for waiting in self.benefits],
            "destroyed": self.destroyed,
            "secured": self.secured,
        }

    def result(self) -> dict[str, Any]:
        """Return who has won, and why (section 9)."""
        return {"winner": self.winner, "reason": self.reason, "turn": self.turn, "points": dict(self.piles)}

    def legal(self) -> list[str]:
        """Return all legal actions, sorted as texts and without doubles (section 2)."""
        listed: dict[str, Callable[[], Iterator[str]]] = {
            "start": lambda: iter(["start"]),
            "action": self._actions,
            "target": self._targets,
            "modify": self._modifiers,
            "prepare": self._preparing,
            "reinforce": self._reinforcing,
            "react": self._reactions,
            "benefit": self._benefit,
            "after": self._afterwards,
            "over": lambda: iter([]),
        }
        return sorted(set(listed[self.stage]()))

    def do(self, text: str) -> None:
        """Take a legal action, and then what is done without asking."""
        if text not in self.legal():
            raise ValueError(text)
        self._take(text)
        # Section 3 and M-16: in these stages a single possible action is done without asking.
        while self.stage in ("react", "after", "benefit") and len(only := self.legal()) == 1:
            self._take(only[0])

    # --- the table ----------------------------------------------------------------------------------------------

    def _own(self, side: str) -> list[Force]:
        """List a side's Force cards on the table."""
        return [force for force in self.forces.values() if force.side == side and force.area in AREAS]

    def _there(self, side: str, area: str) -> list[Force]:
        """List a side's Force cards in an Area."""
        return [force for force in self._own(side) if force.area == area]

    def _rows(self, force: Force, area: str) -> range:
        """Rows of an Area that a card may move to: an existing one or one behind the last, at most 3 (section 4)."""
        rows = {own.row for own in self._there(force.side, area) if own is not force}
        return range(1, min(3, len(rows) + 1) + 1)

    def _close_up(self, side: str, area: str, row: int) -> None:
        """Move the Rows behind an empty one forward."""
        there = self._there(side, area)
        if all(force.row != row for force in there):
            for force in there:
                force.row -= force.row > row

    def _move(self, force: Force, area: str, row: int) -> None:
        """Lift a card, close up, put it down in a Row counted then (M-17); the match may end by it (section 4)."""
        old = force.area, force.row
        force.area, force.row = area, 0
        if old[0] in AREAS:
            self._close_up(force.side, *old)
        force.row = row
        self._breakthrough()

    def _breakthrough(self) -> None:
        """End the match if a side has no card in the Breakthrough Area: first the one on turn (section 4)."""
        for side in (self.side, other(self.side)):
            if not self._there(side, "B"):
                self._end(other(side), "breakthrough")

    def _score(self, side: str, points: int) -> None:
        """Put points on a side's pile, which may win (section 9)."""
        self.piles[side] += points
        if self.piles[side] >= self.board["victory"]:
            self._end(side, "points")

    def _end(self, winner: str | None, reason: str) -> NoReturn:
        """End the match at once: `act` is null, `benefits` empty (section 2)."""
        self.winner, self.reason, self.stage = winner, reason, "over"
        self.act, self.benefits = None, []
        raise Over

    def _hit(self, force: Force, hits: int, by: str) -> None:
        """Place Hits; 4 destroy, and the card's points go to the side that hit (section 5)."""
        force.hits = min(4, force.hits + hits)
        if force.hits < 4:
            return
        old = force.area, force.row
        force.area, force.row, force.acted = "destroyed", 0, False
        self._close_up(force.side, *old)
        self.destroyed |= by == self.side  # section 8: no Overrun for a reaction
        self._score(by, force.card["vp"])
        self._breakthrough()

    # --- cards --------------------------------------------------------------------------------------------------

    def _hand_size(self, side: str) -> int:
        """Hand size: one more with a Headquarters card on the table (section 3)."""
        size: int = self.board["hand"]
        return size + any(force.card.get("headquarters", False) for force in self._own(side))

    def _draw(self, side: str) -> None:
        """Draw a card, if there is one (section 3)."""
        self._renew()
        pile = sorted(self.deck.elements())
        if pile:
            kind = pile[self.roll(len(pile)) - 1]
            self.deck[kind] -= 1
            self.hands[side][kind] += 1
            self._renew()

    def _renew(self) -> None:
        """Make the discards the deck if it is empty: at once, or before the next draw (section 3)."""
        if not self.deck.total():
            self.deck, self.discards = self.discards, Counter()

    def _discard(self, side: str, kind: str) -> dict[str, int]:
        """Discard a card, and return its numbers."""
        self.hands[side][kind] -= 1
        self.discards[kind] += 1
        card: dict[str, int] = self.board["action"][kind]
        return card

    def _held(self, side: str) -> list[str]:
        """List the kinds of cards in a hand."""
        return [kind for kind, count in self.hands[side].items() if count]

    # --- legal actions ------------------------------------------------------------------------------------------

    def _actions(self) -> Iterator[str]:
        """Actions of section 5."""
        yield "prepare"
        held, own = self._held(self.side), self._own(self.side)
        ready = [force for force in own if not force.acted]
        for force in ready:
            if force.maneuver is not None:
                yield from (f"flank {force.id} {row}" for row in self._rows(force, "F"))
                if self.terrain is not None:
                    yield from (f"terrain {force.id} {row}" for row in self._rows(force, "T"))
            if "artillery" in force.weapons:
                yield from (f"artillery {force.id} {shot}" for shot in self._shots(force, "artillery", None))
        for kind in held:
            yield f"reinforce {kind}"
            for force in ready:
                for symbol in ATTACKS.get(kind, ()):
                    # M-24: without a target the card can't be chosen.
                    if symbol in force.weapons and any(self._shots(force, symbol, kind)):
                        yield f"play {kind} {force.id} {symbol}"
        if "regroup" in held:
            yield from (f"regroup {force.id} {area}" for force in own if force.hits for area in AREAS)
        yield from self._engineers()

    def _engineers(self) -> Iterator[str]:
        """Engineers, before the Action or after it; they need a Terrain card (section 5)."""
        if "engineers" in self._held(self.side) and self.terrain is not None:
            yield from ("engineers +1", "engineers -1")

    def _shots(self, force: Force, symbol: str, kind: str | None) -> Iterator[str]:
        """Places to attack from, each with a target that is in reach from there (sections 4 and 5)."""
        for area in AREAS:
            if kind == "assault" and area == force.area:
                continue
            for row in self._rows(force, area):
                for target in self._there(other(self.side), area):
                    raid = kind == "raid" and row == 1
                    if raid or (kind != "raid" and reaches(force, symbol, row, target.row)):
                        yield f"{area}{row} {target.id}"

    def _targets(self) -> Iterator[str]:
        """Where from and at whom a card is played."""
        assert self.act is not None
        force = self.forces[self.act["unit"]]
        yield from (f"at {shot}" for shot in self._shots(force, self.act["symbol"], self.act["card"]))

    def _modifiers(self) -> Iterator[str]:
        """A card to modify a Maneuver, or none."""
        yield "roll"
        yield from (f"modify {kind}" for kind in self._held(self.side))

    def _preparing(self) -> Iterator[str]:
        """Cards to discard before drawing."""
        yield "draw"
        yield from (f"discard {kind}" for kind in self._held(self.side))

    def _reinforcing(self) -> Iterator[str]:
        """What may be done while Reinforcing (section 5)."""
        assert self.act is not None
        yield "done"
        yield from (f"use {kind}" for kind in self._held(self.side))
        for force in self.forces.values():
            if force.side != self.side:
                continue
            if force.area == "reserve" and force.card["vp"] <= self.act["points"]:
                yield from (f"bring {force.id} {row}" for row in self._rows(force, "B"))
            if force.area in AREAS and force.id not in self.act["shifted"]:  # M-18
                rows = [own.row for own in self._there(self.side, force.area)]
                # A card alone in a Row that isn't the last joins, at its old number, those who were behind it.
                alone = rows.count(force.row) == 1 and force.row < max(rows)
                for row in self._rows(force, force.area):
                    if row != force.row or alone:
                        yield f"shift {force.id} {row}"

    def _reactions(self) -> Iterator[str]:
        """Cards that the other side may play after a roll (section 6)."""
        assert self.act is not None
        yield "none"
        side, hits, area = other(self.side), self.act["hits"], self.act["area"]
        acting = self.forces[self.act["unit"]]
        target = self.forces[self.act["target"]] if self.act["target"] else None
        for kind in self._held(side):
            if kind == "close_air_support" or (kind == "counter_fire" and self.act["symbol"] == "artillery"):
                yield kind
            if not hits:
                continue
            if kind in FIRED_DEFENSE:
                symbol = FIRED_DEFENSE[kind][0]
                for force in self._own(side):
                    if symbol in force.weapons and not force.acted:
                        for row in self._rows(force, area):
                            if reaches(force, symbol, row, acting.row):
                                yield f"{kind} {force.id} {row}"
            elif kind == "reaction_force":
                yield from (f"{kind} {force.id}" for force in self._own(side) if force.row > 1)  # M-20: Acted or not
            elif target is None:
                if kind == "minefield":
                    yield kind
            elif kind == "cover" or (kind == "pull_back" and target.row < 3 and not target.acted):  # M-21
                yield kind
            elif kind == "screening_force":
                for force in self._there(side, area):
                    if force.row == target.row and force is not target:
                        yield f"{kind} {force.id}"

    def _benefit(self) -> Iterator[str]:
        """What a benefit lets its side decide (section 7)."""
        side, kind = self.benefits[0]
        yield "skip"
        if kind == "calm":
            if self.superior:
                yield kind
        else:
            own = (force for force in self._own(side) if (force.acted if kind == "ready" else force.hits))
            yield from (f"{kind} {force.id}" for force in own)

    def _afterwards(self) -> Iterator[str]:
        """What may be done after the Action (section 8)."""
        yield "pass"
        yield from self._engineers()
        held = self._held(self.side)
        if self.destroyed and "overrun" in held:
            yield "overrun"
        if self.secured and "recon_drone" in held:
            yield "recon_drone"

    # --- taking actions -----------------------------------------------------------------------------------------

    def _take(self, text: str) -> None:
        """Take an action, until the match ends by it."""
        try:
            if self.stage == "react":
                self._react(*text.split())
            elif self.stage == "benefit":
                self._decide(*text.split())
            else:
                verb, *words = text.split()
                getattr(self, f"_do_{verb}")(*words)
        except Over:
            pass

    def _onward(self) -> None:
        """Go on to waiting benefits; then to what comes after the Action, or to the Action that is still to come."""
        if self.benefits:
            self.stage = "benefit"
        else:
            self.stage = "action" if self.act is None else "after"

    def _begin(
        self, unit: str | None = None, symbol: str | None = None, card: str | None = None, area: str | None = None
    ) -> None:
        """Note the Action in progress (section 2)."""
        self.act = {"unit": unit, "symbol": symbol, "card": card, "target": None, "hits": 0, "area": area}

    def _do_start(self) -> None:
        """Deal both hands, turn up a Terrain card, and see who begins (section 3)."""
        for side in "ab":
            for _ in range(self._hand_size(side)):
                self._draw(side)
        self._next_terrain()
        self.side = "ab"[self.roll(2) - 1]
        self.stage = "action"

    def _do_prepare(self) -> None:
        """Take the Acted counters off."""
        for force in self._own(self.side):
            force.acted = False
        self._begin()
        self.stage = "prepare"

    def _do_discard(self, kind: str) -> None:
        """Discard a card before drawing."""
        self._discard(self.side, kind)

    def _do_draw(self) -> None:
        """Fill the hand up."""
        for _ in range(self._hand_size(self.side) - self.hands[self.side].total()):
            self._draw(self.side)
        self._onward()

    def _do_reinforce(self, kind: str) -> None:
        """Discard the first card for its reinforcement value."""
        self.act = {"points": 0, "shifted": []}
        self.stage = "reinforce"
        self._do_use(kind)

    def _do_use(self, kind: str) -> None:
        """Discard a card for its reinforcement value."""
        assert self.act is not None
        self.act["points"] += self._discard(self.side, kind)["reinforce"]

    def _do_bring(self, unit: str, row: str) -> None:
        """Bring a card out of the reserve."""
        assert self.act is not None
        force = self.forces[unit]
        self.act["points"] -= force.card["vp"]
        self._move(force, "B", int(row))

    def _do_shift(self, unit: str, row: str) -> None:
        """Reorganize: a card goes to another Row of its Area."""
        assert self.act is not None
        self.act["shifted"].append(unit)
        self._move(self.forces[unit], self.forces[unit].area, int(row))

    def _do_done(self) -> None:
        """Stop Reinforcing; points left are lost."""
        self._onward()

    def _do_terrain(self, unit: str, row: str) -> None:
        """Begin a Terrain Maneuver."""
        self._maneuver(unit, "T", row)

    def _do_flank(self, unit: str, row: str) -> None:
        """Begin a Flanking Maneuver."""
        self._maneuver(unit, "F", row)

    def _maneuver(self, unit: str, area: str, row: str) -> None:
        """Move a card out to Maneuver; without cards in hand it rolls (section 5)."""
        self._begin(unit, area=area)
        self.forces[unit].acted = True
        self._move(self.forces[unit], area, int(row))
        self.stage = "modify"
        if not self._held(self.side):
            self._do_roll()

    def _do_modify(self, kind: str) -> None:
        """Roll a Maneuver with a card's maneuver number added."""
        self._do_roll(self._discard(self.side, kind)["maneuver"])

    def _do_roll(self, modifier: int = 0) -> None:
        """Roll a Maneuver."""
        assert self.act is not None
        force = self.forces[self.act["unit"]]
        assert force.maneuver is not None
        self.act["hits"] = self._successes(4 - force.hits, modifier, force.maneuver)
        self.stage = "react"

    def _successes(self, dice: int, modifier: int, need: int) -> int:
        """Roll D10s and count the successes; with a switch on, a 10 always succeeds and a 1 always fails (M-6)."""
        rolled = [self.roll(10) for _ in range(dice)]
        if self.natural_rules:
            return sum(die == 10 or (die > 1 and die + modifier >= need) for die in rolled)
        return sum(die + modifier >= need for die in rolled)

    def _do_artillery(self, unit: str, place: str, target: str) -> None:
        """Attack with Artillery."""
        self._begin(unit, "artillery")
        self._do_at(place, target)

    def _do_play(self, kind: str, unit: str, symbol: str) -> None:
        """Choose an Action card and who attacks with it."""
        self._begin(unit, symbol, kind)
        self.stage = "target"

    def _do_at(self, place: str, target: str) -> None:
        """Attack: discard the card, move, and roll (section 5)."""
        act = self.act
        assert act is not None
        force, enemy = self.forces[act["unit"]], self.forces[target]
        act["target"], act["area"] = target, place[0]
        kind, symbol = act["card"], act["symbol"]
        if kind is not None:
            self._discard(self.side, kind)
        force.acted = True
        self._move(force, place[0], int(place[1]))
        weapon = force.weapons[symbol]
        modifier = weapon["modifier"] if symbol == "artillery" else weapon
        if force.area == "B":
            modifier += max(0, self.superior * sign(self.side))
        extra = kind == "assault" or (kind in ("cannon", "missile", "small_arms") and force.area == "B")
        need = enemy.card["armor"] + (self._depth(enemy) if symbol == "artillery" else 0)
        act["hits"] = self._successes(4 - force.hits + extra, modifier, need)
        self.stage = "react"

    def _depth(self, force: Force) -> int:
        """What Range Defense adds to what Artillery and Close Air Support need."""
        return force.row - 1 if self.range_defense else 0

    def _do_regroup(self, unit: str, area: str) -> None:
        """Move a card to the last possible Row of an Area, and take all its Hits off (M-19)."""
        force = self.forces[unit]
        self._discard(self.side, "regroup")
        self._begin()
        force.hits = 0
        self._move(force, area, self._rows(force, area)[-1])
        self._onward()

    def _do_engineers(self, squares: str) -> None:
        """Move the Control counter a square; this uses no Action."""
        self._discard(self.side, "engineers")
        self._shift_control(int(squares))
        self._onward()

    def _do_overrun(self) -> None:
        """One more Action, for a destroyed card (section 8)."""
        self._discard(self.side, "overrun")
        self.destroyed = False
        self.actions += 1

    def _do_recon_drone(self) -> None:
        """One more Action, for a Terrain card that was Secured (section 8)."""
        self._discard(self.side, "recon_drone")
        self.secured = False
        self.actions += 1

    def _do_pass(self) -> None:
        """End the Action; the turn goes to the other side if there is no other one (section 3)."""
        self.act = None
        self.actions -= 1
        self.stage = "action"
        if not self.actions:
            self.turn, self.side, self.actions = self.turn + 1, other(self.side), 1
            self.destroyed = self.secured = False
            if self.turn == self.limit:
                self._end(None, "limit")

    # --- reactions and benefits ---------------------------------------------------------------------------------

    def _react(self, kind: str, unit: str = "", row: str = "") -> None:
        """Play a card in reaction, in the order of M-22, and let the attack or maneuver take effect (section 6)."""
        act = self.act
        assert act is not None
        side, acting = other(self.side), self.forces[act["unit"]]
        rolled, stopped = act["hits"], 0
        if kind != "none":
            self._discard(side, kind)
        if kind in FIRED_DEFENSE:
            stopped = FIRED_DEFENSE[kind][1]
            self.forces[unit].acted = True
            self._move(self.forces[unit], act["area"], int(row))
        elif kind == "reaction_force":
            stopped = 3
            self._move(self.forces[unit], self.forces[unit].area, 1)
        elif kind == "cover":
            stopped = 1
        elif kind == "pull_back":
            stopped = 2
            self._pull_back(self.forces[act["target"]])
        elif kind == "screening_force":
            act["target"] = unit
        act["hits"] = max(0, rolled - stopped)
        if act["target"]:
            self._hit(self.forces[act["target"]], act["hits"], self.side)
        elif act["area"] == "T":
            self._shift_control(act["hits"])
        else:
            self.superior += act["hits"] * sign(self.side)
        if kind == "close_air_support":
            self._hit(acting, self._successes(3, 0, 7 + self._depth(acting)), side)
        elif kind == "counter_fire":
            self._hit(acting, 2, side)
        elif kind == "minefield":
            self._hit(acting, rolled, side)
        self._onward()

    def _pull_back(self, force: Force) -> None:
        """Join the Row behind, or make one, and only then close up (section 6)."""
        force.acted = True
        force.row += 1
        self._close_up(force.side, force.area, force.row - 1)

    def _next_terrain(self) -> None:
        """Turn the next Terrain card up, with the counter on its start; there may be none (M-25)."""
        self.terrain, self.control = None, 0
        if self.terrain_deck:
            self.terrain = self.terrain_deck.pop(self.roll(len(self.terrain_deck)) - 1)

    def _shift_control(self, squares: int) -> None:
        """Move the Control counter, as the side on turn sees it; off the track it Secures the card (section 7)."""
        self.control += squares * sign(self.side)
        assert self.terrain is not None
        card = self.board["terrain"][self.terrain]
        if abs(self.control) <= card["squares"]:
            return
        side = "a" if self.control > 0 else "b"
        self.secured |= side == self.side
        self._next_terrain()
        self._score(side, card["vp"])
        if card["benefit"] == "draw":
            self._draw(side)
            self._draw(side)
        elif card["benefit"] == "flank":
            self.superior += sign(side)
        elif card["benefit"] in DECISIONS:
            self.benefits.append([side, card["benefit"]])

    def _decide(self, kind: str, unit: str = "") -> None:
        """Take a benefit, or leave it (section 7)."""
        self.benefits.pop(0)
        if kind == "ready":
            self.forces[unit].acted = False
        elif kind == "repair":
            self.forces[unit].hits -= 1
        elif kind == "calm":
            self.superior = 0
        self._onward()


def other(side: str) -> str:
    """Return the other side."""
    return "b" if side == "a" else "a"


def sign(side: str) -> int:
    """Return which way counters move towards a side: a's are positive (section 2)."""
    return 1 if side == "a" else -1


def reaches(force: Force, symbol: str, row: int, enemy_row: int) -> bool:
    """Whether a symbol reaches an enemy Row from an own one (section 4)."""
    away = row - 1 + enemy_row
    if symbol == "missile":
        return row <= 2 and enemy_row <= 2  # M-5
    if symbol == "artillery":
        return bool(away <= force.weapons["artillery"]["range"])
    return away <= {"small_arms": 1, "cannon": 2}[symbol]


ACTION_CARDS = (
    *ATTACKS,
    *("close_air_support", "counter_fire", "cover", "engineers", "minefield", "overrun", "pull_back"),
    *("reaction_force", "recon_drone", "regroup", "screening_force"),
)
"""All kinds of Action cards (boards of the spec)."""

TERRAIN_CARDS = "open_terrain", "heights", "town", "woods", "river", "airfield", "marsh", "a_hill"
"""Kinds of Terrain cards: those of the spec's boards, and two of our own, one of which sorts before them."""

BENEFITS = (*DECISIONS, "draw", "flank", "none")
"""All benefits (boards of the spec)."""


def random_setup(draw: random.Random) -> dict[str, Any]:
    """Draw a small set-up: decks, forces, cards and options that the spec allows, odd ones among them."""
    cards = {f"card{number}": _random_card(draw) for number in range(draw.randint(1, 8))}
    lists = {side: _random_army(draw, list(cards)) for side in "ab"}
    options: dict[str, Any] = {"limit": draw.choice((1, 2, 10, 40, 80, 80, 80, 80))}
    if draw.random() < 0.8:
        options["range_defense"] = draw.random() < 0.5
    if draw.random() < 0.3:
        options["d10_natural_rules"] = draw.random() < 0.7
    board: str | dict[str, Any] = draw.choice(("standard", "skirmish"))
    if draw.random() < 0.8:
        board = _random_board(draw)
    return {"board": board, "lists": lists, "cards": cards, "options": options}


def _random_card(draw: random.Random) -> dict[str, Any]:
    """Draw a Force card: mostly one that is easy to hit, and hits easily, so that much happens."""
    weapons: dict[str, Any] = {
        symbol: draw.randint(-2, 4) for symbol in ("small_arms", "cannon", "missile") if draw.random() < 0.55
    }
    if draw.random() < 0.3:
        weapons["artillery"] = {"range": draw.randint(1, 6), "modifier": draw.randint(-1, 3)}
    card: dict[str, Any] = {"armor": draw.choice((2, 4, 4, 5, 6, 8, 12)), "vp": draw.randint(1, 6), "weapons": weapons}
    if draw.random() < 0.75:
        card["maneuver"] = draw.choice((1, 4, 5, 6, 6, 7, 9, 12))
    if draw.random() < 0.2:
        card["headquarters"] = True
    return card


def _random_army(draw: random.Random, names: list[str]) -> dict[str, Any]:
    """Draw Rows and a reserve: now and then a card alone, more than ten in all, or nothing to bring."""
    most = draw.choice((1, 3, 4, 5))
    rows = [[draw.choice(names) for _ in range(draw.randint(1, most))] for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.05:
        rows = [rows[0][:1]]
    return {"rows": rows, "reserve": [draw.choice(names) for _ in range(draw.choice((0, 1, 2, 4, 8)))]}


def _random_board(draw: random.Random) -> dict[str, Any]:
    """Draw decks: many or few kinds, small ones that are shuffled anew or used up, Terrain cards that run out."""
    often = draw.choice((0.1, 0.3, 0.5, 1))
    kinds = draw.sample(ACTION_CARDS, len(ACTION_CARDS))  # in any order: piles are sorted by name
    action = {
        kind: {
            "count": draw.choice((0, 1, 2, 4, 8)),
            "maneuver": draw.randint(0, 5),
            "reinforce": draw.randint(0, 5),
        }
        for kind in kinds
        if draw.random() < often
    }
    terrain = {
        kind: {
            "count": draw.randint(1, 2),
            "squares": draw.choice((1, 1, 2, 3, 4)),
            "vp": draw.choice((0, 1, 2, 3, 6)),
            "benefit": draw.choice(BENEFITS),
        }
        for kind in draw.sample(TERRAIN_CARDS, draw.randint(1, 6))
    }
    return {
        "name": "Drawn",
        "victory": draw.choice((1, 8, 20, 40, 100)),
        "force": 100,
        "hand": draw.choice((0, 2, 4, 6, 8, 12)),
        "action": action,
        "terrain": terrain,
    }
