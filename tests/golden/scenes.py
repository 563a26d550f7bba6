"""What a replay has to draw of a state in the words of transcripts, by the documents on matches; symbols apart."""

from __future__ import annotations

from collections import Counter
from math import pi, sin
from typing import Any

import aabalance as aab
from aabalance.rulesets.base.board import Piece, Scene

Words = dict[str, Any]


def told(game: str, setup: Words, state: Words) -> Scene:
    """Return the scene of a state, in a match that began with a set-up."""
    if isinstance(setup["board"], str):
        setup = setup | {"board": aab.Game(game).boards[setup["board"]].table}
    assert game in OF, f"scenes.OF: found no {game}, expected a function that tells a state of it as a Scene"
    return OF[game](setup, state)


def _piece(mark: str, card: str, at: Any, strength: int, most: int, facing: str = "", **more: str) -> Piece:
    return Piece(mark, card, mark[0], "armour", at and tuple(at), strength, most, facing, **more)


def _scene(turn: int, pieces: list[Piece], score: Words, owners: Words | None = None, cleared: Any = ()) -> Scene:
    both = {what: (of["a"], of["b"]) for what, of in score.items()}
    held = {at: of for at, of in (owners or {}).items() if of}
    return Scene(turn, pieces, held, [tuple(at) for at in cleared], both)


def _skirmish_wars(_: Words, state: Words) -> Scene:
    pieces = []
    for one in state["units"]:
        more = {"inside": one["in"] or "", "condition": "reduced" * one["reduced"]}
        pieces.append(_piece(one["id"], one["type"], one["at"], one["hp"], 8, **more))
    cities = Counter(one["owner"] for one in state["properties"] if one["kind"] == "city")
    score = {"$": state["money"], "cities": cities, "medals": state["medals"]}
    return _scene(state["round"], pieces, score, {tuple(one["at"]): one["owner"] for one in state["properties"]})


def _armored_advance(setup: Words, state: Words) -> Scene:
    pieces, left = [], Counter[str]()
    for name, one in state["units"].items():
        mark, _, kind = name.partition(".")
        card, inside = setup["cards"][kind], (one.get("aboard") or one.get("towed") or "").partition(".")[0]
        at, most = [one["x"], one["y"]] if "x" in one else None, card.get("hp") or card["strength"]
        more = {"inside": inside, "condition": "stunned" * one.get("stunned", 0)}
        pieces.append(_piece(mark, kind, at, one["hp"], most, one.get("f") or "", **more))
        left[mark[0]] += card["requisition"]
    score, owners = {"requisition left": left}, {}
    if "points" in state:
        score = {"points": state["points"]}
        owners = dict(zip(map(tuple, setup["board"]["objectives"]), state["owners"], strict=False))
    return _scene((state["turn"] + 1) // 2, pieces, score, owners, state.get("cleared", ()))


def _modern_land_battles(setup: Words, state: Words) -> Scene:
    taken, pieces = Counter[tuple[str, str]](), []
    for mark, one in state["units"].items():
        if one["at"] == "destroyed":
            continue
        at = None
        if one["at"] != "reserve":  # Areas side by side, with room for six cards each; a's Rows below, b's above
            area, row = {"T": 0, "B": 7, "F": 14}[one["at"][0]], int(one["at"][1])
            at = [area + min(taken[mark[0], one["at"]], 5), 3 + (row if mark[0] == "a" else -row)]
            taken[mark[0], one["at"]] += 1
        pieces.append(_piece(mark, one["card"], at, 4 - one["hits"], 4))
    track = f"track of {state['terrain']}" if state["terrain"] else "track"
    towards = {track: state["control"], "Superior": state["superior"]}
    score = {what: {"a": max(many, 0), "b": max(-many, 0)} for what, many in towards.items()}
    score |= {"Victory Points": state["piles"], "hand": {of: len(hand) for of, hand in state["hands"].items()}}
    ended = state["turn"] - (state["turn"] == setup.get("options", {}).get("limit", 200))
    held = {of: dict(Counter(hand)) for of, hand in state["hands"].items()}
    return _scene(0 if state["stage"] == "start" else ended // 2 + 1, pieces, score)._replace(hands=held)


def _forumini(setup: Words, state: Words) -> Scene:
    def hexed(at: str) -> tuple[int, ...]:
        return tuple(map(int, at.split(",")))

    def middle(at: str) -> complex:
        """Of a hex: neighbours are 1 apart, in a row and across."""
        x, y = hexed(at)
        return complex(x + y % 2 / 2, y * sin(pi / 3))

    pieces, left, zone = [], Counter[str](), Counter[str]()
    for mark, one in state["units"].items():
        if not one["at"] and state["phase"] not in ("start", "choice", "end", "deploy"):
            continue
        strength = 4 - max(one["down"], 2 * one["worse"], one["pinned"])  # turned up, two counters are Pinned and worse
        is_vehicle = setup["cards"][one["card"]]["kind"] != "soldier"
        said = ["Damaged" if is_vehicle else "Demoralized"] * one["worse"] + ["Pinned"] * one["pinned"]
        said += [f"{one['down']} counter{'s' * (one['down'] > 1)} face down"] * (one["down"] > 0)
        more = {"condition": ", ".join(said)}
        pieces.append(_piece(mark, one["card"], one["at"] and hexed(one["at"]), strength, 4, one["face"] or "", **more))
        cost = setup["cards"][one["card"]]["cost"]
        left[mark[0]] += cost
        if one["at"] and abs(middle(one["at"]) - middle(setup["board"]["objective"])) < 1.1:
            zone[mark[0]] += cost
    holder = "".join(zone) if len(zone) == 1 else None
    score = {"points left": left, "points in the zone": zone}
    return _scene(state["turn"], pieces, score, {hexed(setup["board"]["objective"]): holder})


def _armour_battles(_: Words, state: Words) -> Scene:
    pieces = []
    for one in state["units"]:
        condition = "suppressed" * one["suppressed"]
        pieces.append(_piece(one["id"], one["type"], one["at"], 3 - one["dp"], 3, one["facing"], condition=condition))
    pieces += [_piece(one["id"], one["type"], None, 1, 1) for one in state["batteries"]]
    dice = {of: len(faces) for of, faces in state["dice"].items()}
    score = {"morale": state["morale"], "staff orders": state["staff"], "command dice": dice}
    return _scene(state["turn"], pieces, score)


OF = {
    "skirmish_wars": _skirmish_wars,
    "armored_advance": _armored_advance,
    "modern_land_battles": _modern_land_battles,
    "forumini": _forumini,
    "armour_battles": _armour_battles,
}
