"""The numbers that the page's scripts draw from, packed, as ``js/data.js`` unpacks them; and unit cards in words.

Chances are whole numbers from 0 to `SURE`; these two ends mean exactly never and always, and nothing else is rounded to
them. Equal rows of a table are stored once, with an index that says which row is which. Arrays are little-endian, in
base64.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from pydantic import BaseModel

from aabalance.analysis.frames import costs
from aabalance.game import Game
from aabalance.play.result import ROUNDING, distance
from aabalance.pricing.results import Results
from aabalance.pricing.worth_report import worth_in_words
from aabalance.report import findings, tables
from aabalance.report.tables import plain

SURE = 64_000
"""A multiple of 2000, so that what lies between two tenths of a percent is rounded as it is elsewhere."""
OWN_PLACE = ("name", "nation", "year", "note")
"""Fields of cards that have a place of their own in the view of a unit, outside of its card."""
JUDGED = (
    *("worth", "worth_low", "worth_high", "score", "worth_slope", "worth_fewest_actions", "worth_most_actions"),
    *("immune_to", "harmless_to", "requisition_exchange_ratio", "exchange_ratio_to_peers", "peer_exchange_ratio"),
)
"""Columns of `roster` that the view of a unit and the chart of all units read."""

Json = dict[str, Any]
Lines = list[list[str]]
Words = Mapping[tuple[str, str], str]
"""Titles, by a field's name and one of its values; the title of the field itself has an empty text as the value."""


def words_of(schema: type[BaseModel]) -> Words:
    """Return the titles that a card's schema gives its fields, and the values of fields with one possible value.

    Parameters
    ----------
    schema : type of BaseModel
        The schema of the game's cards.
    """
    card = schema.model_json_schema()
    found = {}
    for part in (card, *card.get("$defs", {}).values()):
        for name, field in part.get("properties", {}).items():
            # Without a title of the author's, pydantic makes one from the name.
            automatic = plain(name).title()
            if (title := field.get("title", automatic)) != automatic:
                found[name, field.get("const", "")] = title
    return found


def lines(table: Mapping[str, Any], without: tuple[str, ...], words: Words) -> Lines:
    """Return the fields of a card as pairs of name and text; a field with a list of tables has a pair for each table.

    Parameters
    ----------
    table : mapping
        The card's table in its file.
    without : tuple of str
        Fields to leave out.
    words : mapping
        What `words_of` returns.
    """
    out: Lines = []
    for name, value in table.items():
        if name in without or value in ({}, []):
            continue
        several = value if _of_tables(value) else [value]
        out += [[_name(name, words), _text(part, words)] for part in several]
    return out


def _name(name: str, words: Words) -> str:
    return words.get((name, ""), plain(name))


def _text(value: Any, words: Words) -> str:
    if isinstance(value, Mapping):
        parts = dict(value)
        head = [f"{parts.pop('name')}:"] if "name" in parts else []
        return " ".join([*head, ", ".join(_part(name, part, words) for name, part in parts.items())])
    if isinstance(value, list):
        return " / ".join(_text(part, words) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value) if isinstance(value, str) and value.islower() else str(value)


def _part(name: str, value: Any, words: Words) -> str:
    """Return a field of a table within a card, with its name unless the value says all."""
    if value is True:
        return _name(name, words)
    if _of_tables(value):
        return _text(value, words)
    return words.get((name, str(value)), f"{_name(name, words)} {_text(value, words)}")


def _of_tables(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(part, Mapping) for part in value)


def data(results: Results, content: Mapping[str, Any], rows: list[Json]) -> Json:
    """Return all that the scripts draw from, as values for JSON.

    Parameters
    ----------
    results : Results
        The results of the analysis.
    content : mapping
        What `aabalance.report.summary.summarise` returns, with ``game``.
    rows : list of dict
        From `roster`.
    """
    game: Game = content["game"]
    place = {unit: at for at, unit in enumerate(game.cards)}
    labels, table = game.ruleset.labels, results.matchups
    by_pair = len(place) ** 2, results.situations
    return {
        "options": content["options"],
        "rounds": content["rounds"],
        "currency": labels.currency,
        "effect": labels.effect,
        "length": {**labels.length._asdict(), "one": distance(1, labels.length.after).removeprefix("1")},
        "die": game.ruleset.die,
        "valued": content["priced"] or content["by_board"],
        "within": int(results.kill_probability["turns"].iloc[0]),
        "level": float(results.worth["level"].iloc[0]) if len(results.worth) else None,
        "units": _units(game, results, rows, place),
        "field": [place[unit] for unit in content["field"]],
        "plotted": [[place[unit] for unit in pair] for pair in content["plotted"]],
        "situations": _situations(game, results),
        "wins": _distinct(_chance(table["p_win"].to_numpy().reshape(by_pair))),
        "draws": _distinct(_chance(table["p_draw"].to_numpy().reshape(by_pair))),
        "shots": _shots(table, by_pair),
        "kills": _kills(results),
        "scores": _scores(results, place),
        "gains": _gains(results, place),
        "actions": [] if content["battles"] is None else _actions(results.actions),
    }


def roster(game: Game, results: Results) -> list[Json]:
    """Return a row for each unit of the roster: by what it is judged, and how it does; the furthest from fair first.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    results : Results
        The results of the analysis.
    """
    by_board = findings.by_board(results)
    by_worth = results.priced or by_board
    judged = [results.worth if results.priced else results.cost_effectiveness]
    judged += [findings.on_board(results)] * by_board
    known = [table.set_index("unit").to_dict("index") for table in judged]
    ratio = "worth_change" if by_worth else "exchange_ratio_to_peers"
    price = costs(game)
    rows: list[Json] = []
    for at, (unit, card) in enumerate(game.cards.items()):
        row: Json = {str(name): value for of in known for name, value in of.get(unit, {}).items()}
        of_fair = row.get(ratio, math.nan) + (1 if by_worth else 0)
        rated = of_fair > 0 and (by_worth or of_fair < math.inf)  # by duels, who destroys or loses nothing isn't
        rows.append(
            {
                **row,
                "unit": unit,
                "place": at,
                "name": card.name,
                "nation": getattr(card, "nation", None) or "",
                "year": getattr(card, "year", None) or "",
                "category": tables.plain(game.ruleset.roster.category(card)),
                "requisition": price[unit],
                "far": abs(math.log(of_fair)) if rated else -1.0,
            }
        )
    return sorted(rows, key=lambda row: (-row["far"], row["place"]))


def _units(game: Game, results: Results, rows: list[Json], place: dict[str, int]) -> list[Json]:
    of_unit = {row["unit"]: row for row in rows}
    currency = game.ruleset.labels.currency
    reasons: dict[str, list[Any]] = {}
    for unit, opponent, _, _, pull, rate in results.worth_reasons.itertuples(index=False):
        reasons.setdefault(unit, []).append([place[opponent], _short(pull), _short(rate)])
    steps: dict[str, list[Any]] = {}
    for unit, gun_class, *numbers in results.toughness_steps.itertuples(index=False):
        steps.setdefault(unit, []).append([gun_class, *map(_short, numbers)])
    penetration: dict[str, list[Any]] = {}
    for unit, what_if, _, more, _ in results.penetration_steps.itertuples(index=False):
        penetration.setdefault(unit, []).append([int(what_if.partition("=")[2]), more])
    out_of_line = set(findings.off(results)["unit"])
    boards = _on_boards(results)
    out, words = [], words_of(game.cards.schema)
    for unit, card in game.cards.items():
        row = of_unit[unit]
        said = [verdict(row, results, currency), *boards.get(unit, [])]
        shown = {
            "id": unit,
            **{name: row[name] for name in ("name", "nation", "year", "category")},
            "price": _short(row["requisition"]),
            "verdict": " ".join(said if results.priced else reversed(said)),
            "out": unit in out_of_line,
            "card": lines(game.cards.tables[unit], (*OWN_PLACE, currency), words),
            "note": getattr(card, "note", None) or "",
            "reasons": reasons.get(unit, []),
            "steps": steps.get(unit, []),
            "penetration": penetration.get(unit, []),
        }
        shown |= {name: _short(row[name]) for name in JUDGED if name in row}
        out.append(shown | {name: row[name] for name in ("flags", "unseen") if row.get(name)})
    return out


def verdict(row: Mapping[str, Any], results: Results, currency: str) -> str:
    """Return in a sentence whether a unit costs what it is worth.

    Parameters
    ----------
    row : mapping
        A row of `roster`.
    results : Results
        The results of the analysis.
    currency : str
        The game's word for requisition.
    """
    price = f"{row['requisition']:g}"
    if not results.priced:
        if "rank" not in row:
            return f"It costs {price}. It isn't in the field that is compared here."
        got = tables.of(row, "requisition_exchange_ratio")
        said = f"It costs {price}, and destroys {got} {currency} for each point it loses, one against one"
        ratio = row["exchange_ratio_to_peers"]
        return f"{said}: {tables.multiple(ratio)} what is usual at its price." if 0 < ratio < math.inf else f"{said}."
    if "worth" not in row:
        return f"It costs {price}, which no battle can confirm: a side can't stand on it alone."
    return worth_in_words(row)


def _on_boards(results: Results) -> dict[str, list[str]]:
    """Return by unit what it is worth on the boards, in a sentence."""
    start = f"In matches on {findings.boards_in_words(results)} it is worth"
    return {
        row["unit"]: [
            f"{start} {tables.of(row, 'worth')} ({tables.of(row, 'worth_low')} to {tables.of(row, 'worth_high')})."
        ]
        for row in findings.on_board(results).to_dict("records")
    }


def _situations(game: Game, results: Results) -> list[Json]:
    after = game.ruleset.labels.length.after
    faces = [name for name in ("facing", "own_facing", "situation") if name in results.matchups]
    faces = [name for name in faces if name != "own_facing" or results.matchups[name].nunique() > 1]
    rows = results.matchups.head(results.situations).to_dict("records")
    return [
        {
            "words": ", ".join(
                filter(None, [distance(row["range_in"], after), *(_in_words(row[name]) for name in faces)])
            ),
            "range": row["range_in"],
            "weight": row["weight"],
        }
        for row in rows
    ]


def _in_words(text: Any) -> str:
    return str(text).replace("=", " ").replace("_", " ")


def _shots(table: pd.DataFrame, by_pair: tuple[int, int]) -> Json:
    """Return the best single attack of each pair in each situation; equal ones are stored once."""
    columns = (
        table["need"].to_numpy(),
        _chance(table["p_damage"].to_numpy()),
        table["expected_damage"].to_numpy(np.float32),
        table["expected_turns_to_kill"].to_numpy(np.float32),
    )
    # One number stands for all columns of a row, since sorting whole rows is slow.
    numbers = np.zeros(len(table), dtype=np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        numbers = numbers * len(values) + place
    _, first, of = np.unique(numbers, return_index=True, return_inverse=True)
    need, p_damage, damage, turns = (_packed(column[first]) for column in columns)
    return {"need": need, "p": p_damage, "damage": damage, "turns": turns, **_distinct(of.reshape(by_pair))}


def _kills(results: Results) -> Json:
    kills = results.kill_tables
    curves, of = np.unique(_chance(kills.chances), axis=0, return_inverse=True)
    case = of.reshape(-1)[kills.case]
    return {
        "faces": kills.faces,
        "starts": kills.starts,
        "end": kills.end,
        "turns": curves.shape[1],
        "curves": _packed(curves),
        **_distinct(case.reshape(len(kills.units) ** 2, -1)),
    }


def _scores(results: Results, place: dict[str, int]) -> Json | None:
    """Return the scores of units for equal requisition; None in a game without such battles."""
    if results.scores.empty:
        return None
    found = np.full((len(place), len(place)), SURE // 2, dtype=np.int64)
    rated = np.zeros(len(place), dtype=bool)
    at = results.scores["unit"].map(place).to_numpy(), results.scores["opponent"].map(place).to_numpy()
    found[at] = _chance(results.scores["score"].to_numpy())
    rated[at[0]] = True
    return {"fights": np.flatnonzero(rated).tolist(), "values": _packed(found)}


def _gains(results: Results, place: dict[str, int]) -> list[Json]:
    """Return how much each reading of the rules raises each unit's chance to win, in tenths of a percentage point."""
    return [
        {
            "reading": tables.plain(reading),
            "units": [place[unit] for unit in gains],
            "tenths": [math.floor(1000 * gain + 0.5) for gain in gains.values()],
        }
        for reading, gains in results.sensitivity.attrs.get("gains", {}).items()
    ]


def _actions(table: pd.DataFrame) -> list[Json]:
    rows = table.groupby(["list_a", "list_b", "policy_a"], sort=False, observed=True)
    return [
        {
            "a": str(a),
            "b": str(b),
            "policy": tables.plain(str(policy)),
            "limits": part["actions"].tolist(),
            "score": [_short(score) for score in part["score_a"]],
        }
        for (a, b, policy), part in rows
    ]


def _short(value: Any) -> Any:
    """Return a number with four digits; as text if it isn't finite, which JSON has no numbers for."""
    number = float(value)
    return (int(number) if number.is_integer() else float(f"{number:.4g}")) if math.isfinite(number) else str(number)


def _chance(p: Any) -> Any:
    """Return chances as whole numbers from 0 to `SURE`; only exact ends, up to rounding errors, become these two."""
    whole = np.floor(p * SURE + 0.5).astype(np.int64)
    return np.where(p <= ROUNDING, 0, np.where(p >= 1 - ROUNDING, SURE, whole.clip(1, SURE - 1)))


def _distinct(table: Any) -> Json:
    """Return a table with equal rows stored once."""
    rows, index = np.unique(table, axis=0, return_inverse=True)
    return {"rows": _packed(rows), "width": table.shape[1], "index": _packed(index.reshape(-1))}


def _packed(values: Any) -> Json:
    """Return numbers in the smallest type that holds them; numbers that aren't whole become 32-bit floats."""
    kind = "f4"
    if values.dtype.kind in "iu":
        kind = next(kind for kind, room in (("u1", 8), ("u2", 16), ("u4", 32)) if values.max(initial=0) < 1 << room)
    return {"type": kind, "data": base64.b64encode(values.astype(f"<{kind}").tobytes()).decode("ascii")}
