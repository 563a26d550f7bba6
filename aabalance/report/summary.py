"""The content of a report without its pictures: the page, the summary and ``summary.json`` show nothing else.

It is made of lists, dicts, numbers and text. In the file, numbers have six digits, as in the tables.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from aabalance import columns
from aabalance.analysis.matches import sentences, skill
from aabalance.cards import CHANGED
from aabalance.cards.literals import as_option
from aabalance.definitions.fields import HOLDING
from aabalance.definitions.report import Report
from aabalance.definitions.settings import changed
from aabalance.definitions.tables import Battles, BoardWorth, Matches
from aabalance.engine.battle.policies import POLICIES
from aabalance.errors import counted
from aabalance.files import data_folder
from aabalance.game import Game
from aabalance.lists.described import Described
from aabalance.play.result import distance, percent
from aabalance.pricing.board import worth_in_words
from aabalance.pricing.results import Results
from aabalance.provenance import Provenance
from aabalance.report import findings, tables

EXTREMES = 5
BOARD_COLUMNS = (
    "board", "mission", "rounds", "actions_a", "player_a", "first_turn_gap", "first_turn_gap_ci_low",
    "first_turn_gap_ci_high", "zone", "zone_gap", "zone_gap_ci_low", "zone_gap_ci_high", "p_draw",
    "p_draw_ci_low", "p_draw_ci_high", "p_early", "p_early_ci_low", "p_early_ci_high", "lead_changes",
    "lead_changes_ci_low", "lead_changes_ci_high", "came_back", "came_back_ci_low", "came_back_ci_high", "player_turns",
    "player_turns_ci_low", "player_turns_ci_high", "n",
)  # fmt: skip
"""Columns of the table of matches by board; those without values are left out."""
WORTH_COLUMNS = (
    "name", "board", "mission", "requisition", "worth", "worth_low", "worth_high", "worth_change", "appeared", "n",
)  # fmt: skip
GAINERS = 3
LEAST_GAIN = 0.0005
"""Least change of a chance to win that is listed: smaller ones would read as 0.0 points."""

Content = dict[str, Any]


def summarise(
    spec: Report, game: Game, field: list[str], results: Results, provenance: Provenance, met: Described | None = None
) -> Content:
    """Return the content of a report without its pictures.

    Parameters
    ----------
    spec : Report
        The report definition.
    game : Game
        The game: a ruleset with its cards and variant.
    field : list of str
        Ids of the units that per-unit means count.
    results : Results
        The results of the analysis.
    provenance : Provenance
        Where the numbers come from.
    met : Described, optional
        What the lists of the meta-game say.
    """
    ranking, readings, curves = results.cost_effectiveness, results.sensitivity, results.kill_probability
    above, below = _out_of_line(results)
    moving = readings["mean_change_of_p_win"] > 0
    options = options_of(game)
    tuned_by = options if spec.name == game.ruleset.name else f" {spec.name}.toml{options}"
    return {
        "title": spec.title,
        "findings": findings.findings(game, field, results, above, below, tuned_by),
        "provenance": provenance.said(),
        "options": options,
        "tuned_by": tuned_by,
        "categories": None if spec.field is None else list(spec.field),
        "field": field,
        "battles": _battles(spec.battles, game, results) if spec.battles and len(results.battles) else None,
        "matches": _matches(spec.matches, results) if spec.matches else None,
        "board_worth": _board_worth(spec.board_worth, game, results) if spec.board_worth else None,
        "metagame": _metagame(results, met) if met else None,
        "situations": {name: dict(choices) for name, choices in spec.situations.items()},
        "situation_count": results.situations,
        "headlines": _records(results.headlines)[0],
        "verdict": _records(results.verdict)[0],
        "rounds": spec.rounds,
        "duels": None if spec.postures == HOLDING else " v ".join(spec.postures),
        "longest_duel": _longest(game, results.longest_duel),
        "titles": titles(game, results),
        "underpriced": _records(above.head(EXTREMES)),
        "overpriced": _records(below.tail(EXTREMES).iloc[::-1]),
        "priced": results.priced,
        "by_board": findings.by_board(results),
        "tuning": {
            "limits": list(spec.tuning.limits),
            "budgets": [f"{budget:g}" for budget in spec.tuning.budgets],
            "floor": spec.tuning.least,
        },
        "worth": _records(results.worth),
        "worth_reasons": _records(results.worth_reasons),
        "prices": _records(results.prices),
        "prices_leave": dict(results.prices_leave),
        "rated": len(results.rated),
        "in_line": int(findings.in_line(results.rated).sum()),
        "unjudged": results.rated.loc[findings.unjudged(results.rated), "name"].tolist(),
        "at_floor": results.rated.loc[findings.at_floor(results.rated), "name"].tolist(),
        "harmless": ranking.loc[ranking["requisition_exchange_ratio"] == 0, "name"].tolist(),
        "unhurt": ranking.loc[np.isinf(ranking["requisition_exchange_ratio"]), "name"].tolist(),
        "cheapest": float(ranking["requisition"].min()),
        "units": _records(ranking),
        "pairs": len(results.pairs),
        "plotted": list(dict.fromkeys(zip(curves["attacker"], curves["target"], strict=True))),
        "bars": _bars(results.structure, game.ruleset.die + 1),
        "gun_classes": _records(results.turns_to_kill),
        "sensitivity_situations": spec.sensitivity_situations,
        "readings": _records(readings[moving | (readings.index == 0)]),
        "gains": _gains(game, results),
        "gains_of_worth": {reading: _gains_of_worth(found) for reading, found in results.who_gains.items()},
        "idle": readings.loc[~moving & (readings.index > 0), "reading"].tolist(),
        "switches": _switches(game, spec),
        "no_proposal": results.no_proposal,
        "changed": findings.changed(results),
        "proposals": _records(results.requisition),
    }


def _out_of_line(results: Results) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the units that are worth more than they cost, and the units that are worth less, both by falling ratio.

    In a game with worth, their prices lie outside of its interval; so they do in others that have worth on the board.
    Without either, all count that duels compare, by their exchange ratio relative to that of units of their price.
    """
    if results.priced or findings.by_board(results):
        frame = findings.off(results)
        ratio = frame["worth"] / frame["requisition"]
    else:
        frame = findings.compared(results)
        ratio = frame["exchange_ratio_to_peers"]
    order = frame.assign(ratio=ratio).sort_values(["ratio", "unit"], ascending=[False, True])
    return order[order["ratio"] > 1].drop(columns="ratio"), order[order["ratio"] < 1].drop(columns="ratio")


def text(content: Content) -> str:
    """Return `content` as JSON; infinity is ``"inf"`` as in the tables, and NaN is null."""
    return json.dumps(_json(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def titles(game: Game, results: Results) -> dict[str, str]:
    """Return the titles of the pictures, which say what they show.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    results : Results
        Without tables on worth there is no title of their picture.
    """
    dearer, cheaper = (percent(results.verdict[name].iloc[0]) for name in ("p_dearer_wins", "p_cheaper_wins"))
    what_for_what = {"worth": _title_of_worth(game, results.rated)} if len(results.rated) else {}
    if not results.priced:
        ratio = results.cost_effectiveness["requisition_exchange_ratio"]
        above = f"{int((ratio > 1).sum())} of {len(ratio)} units"
        currency = game.ruleset.labels.currency
        what_for_what = {"cost_effectiveness": f"{above} destroy more {currency} than they lose, one against one"}
    return {
        "matchup_heatmap": f"Who wins: the dearer unit in {dearer} of duels, the cheaper in {cheaper}",
        **what_for_what,
        "sensitivity": _most_moved(results.sensitivity),
        **({"actions": _first_lead(results.leads)} if len(results.leads) else {}),
    }


def _title_of_worth(game: Game, rated: pd.DataFrame) -> str:
    if findings.unjudged(rated).all():
        return "What units are worth where all units hold: none has an interval"
    some = f"{int(findings.in_line(rated).sum())} of {len(rated)} units"
    return f"{some} cost the {game.ruleset.labels.currency} that they are worth where all units hold"


def terms_of_battles(game: Game, results: Results) -> str:
    """Return in words how the battles were fought: where, to what end, how long."""
    row = results.battles.iloc[0]
    rounds = [] if math.isinf(row["rounds"]) else [counted(int(row["rounds"]), "round")]
    where = [distance(row["range_in"], game.ruleset.labels.length.after), row["situation"], row["mode"], *rounds]
    return ", ".join(filter(None, where))


def _battles(section: Battles, game: Game, results: Results) -> Content:
    """Return the section on battles: the lists, who is ahead under which limits, and how much depends on the policy."""
    table = results.battles
    most = table.sort_values("score_span", ascending=False, kind="stable").iloc[0]
    return {
        "terms": terms_of_battles(game, results),
        "lists": {name: section.lists[name] for name in dict.fromkeys(table[["list_a", "list_b"]].to_numpy().ravel())},
        "costs": {row[f"list_{side}"]: row[f"requisition_{side}"] for row in _records(table) for side in "ab"},
        "policies": list(section.policies),
        "means": {name: cleandoc(POLICIES[name].__doc__ or "").split("\n")[0] for name in section.policies},
        "leads": tables.leads_in_words(results.leads),
        "span": float(most["score_span"]),
        "span_ci": [
            float(most[name]) for name in ("score_span_ci_low", "score_span_ci_high") if pd.notna(most.get(name))
        ],
        "span_of": f"{most['list_a']} v {most['list_b']} under {counted(int(most['actions_a']), 'action')} a turn",
        "rolled": results.rolled,
        "table": _records(table.drop(columns="situation")),
        "actions": _records(results.actions.drop(columns="situation")),
    }


def _matches(section: Matches, results: Results) -> Content:
    """Return the section on matches: what the first turn and the zones are worth on each board."""
    table = results.match_boards
    return {
        "said": [*sentences(table), *skill(results.matches)],
        "boards": list(section.boards),
        "simulate": section.simulate,
        "players": list(section.players),
        "table": _records(table),
        "columns": [name for name in BOARD_COLUMNS if name in table and not table[name].isin(["", math.nan]).all()],
        "rows": _records(results.matches),
    }


def _board_worth(section: BoardWorth, game: Game, results: Results) -> Content:
    """Return the section on worth on boards: who is worth something else than it costs."""
    table = results.board_worth
    said = [f"The roster can't play these matches: {results.unplayable}."]
    return {
        "said": worth_in_words(game, table, section.missions or (None,)) if len(table) else said,
        "table": _records(table),
        "columns": [name for name in WORTH_COLUMNS if name in table and not table[name].isin([""]).all()],
    }


def _metagame(results: Results, met: Described) -> Content:
    """Return the section on the meta-game: kinds of lists, who beats whom, and units beside their fair prices."""
    fair = dict(zip(results.prices["unit"], results.prices["fair_requisition"], strict=True))
    size = len(met.kinds)
    units = met.units.assign(fair_requisition=met.units["unit"].map(fair))
    return {
        "said": met.said,
        "kinds": _records(met.kinds),
        "map": [_records(met.map[at : at + size]) for at in range(0, len(met.map), size)],
        "units": _records(units),
    }


def _first_lead(leads: pd.DataFrame) -> str:
    lead = _records(leads)[0]
    decide = "Actions decide: " if lead["ahead_with_few"] != lead["ahead_with_many"] else ""
    return f"{decide}{tables.lead_in_words(lead)}"


def _longest(game: Game, duel: pd.DataFrame) -> str:
    """Return the longest duel in words; an empty text if there is none."""
    if duel.empty:
        return ""
    row = duel.iloc[0]
    where = [
        distance(row["range_in"], game.ruleset.labels.length.after),
        *(tables.plain(str(row[name])) for name in ("facing", "situation") if name in row),
    ]
    a, b = (game.cards[row[side]].name for side in ("attacker", "target"))
    turns = tables.cell(columns.COLUMNS["player_turns"], row["player_turns"]).text
    return f"{turns} player turns on average: {a} v {b}, {', '.join(filter(None, where))}"


def _most_moved(readings: pd.DataFrame) -> str:
    if len(readings) < 2:
        return "No other reading of the rules was tried"
    if not readings["mean_change_of_p_win"].iloc[1]:
        return "No other reading of the rules changes who wins"
    most = readings.iloc[1]
    change = tables.percentage_points(most["mean_change_of_p_win"])
    return f"{most['reading']} changes most: by {change} points in a pair's chance to win"


def _bars(shares: pd.DataFrame, impossible: int) -> list[Content]:
    """Return, for each facing, the share of pairs by what the die must show."""
    out: list[Content] = []
    for facing, part in shares.groupby("facing", sort=False) if len(shares) else ():
        parts = [
            {
                "need": "automatic" if need <= 1 else "impossible" if need == impossible else f"{need}+",
                "share_of_pairs": float(share),
            }
            for need, share in zip(part["need"], part["share_of_pairs"], strict=True)
        ]
        out.append({"facing": str(facing), "parts": parts})
    return out


def _gains(game: Game, results: Results) -> dict[str, Content]:
    """Return by reading of the rules the units that gain and lose most, with the change of their chance to win."""
    out = {}
    for reading, gains in results.sensitivity.attrs.get("gains", {}).items():
        rising = sorted(gains.items(), key=lambda one: (-one[1], one[0]))
        rows = [{"unit": unit, "name": game.cards[unit].name, "change_of_p_win": gain} for unit, gain in rising]
        ends = {"gain": rows[:GAINERS], "lose": rows[: -GAINERS - 1 : -1]}
        out[reading] = {
            way: [row for row in some if row["change_of_p_win"] * sign >= LEAST_GAIN]
            for (way, some), sign in zip(ends.items(), (1, -1), strict=True)
        }
    return out


def _gains_of_worth(found: pd.DataFrame) -> dict[str, list[Content]]:
    """Return the units that are worth more under a reading, and less, those that change most first."""
    rows = _records(found)
    return {
        "gain": [row for row in rows if row["worth_after"] > row["worth_before"]],
        "lose": [row for row in rows[::-1] if row["worth_after"] < row["worth_before"]],
    }


def _switches(game: Game, spec: Report) -> list[Content]:
    """Return every rule switch: its value, its default, its meaning, and whether other values were tried."""
    fields = type(game.variant).model_fields
    tried = spec.switches(game.variant)
    return [
        {
            "name": name,
            "value": value,
            "default": fields[name].default,
            "meaning": fields[name].description or "",
            "tried": name in tried,
        }
        for name, value in game.variant.model_dump().items()
    ]


def options_of(game: Game) -> str:
    """Return the options that commands need for a game, with a space first; empty for the defaults.

    Parameters
    ----------
    game : Game
        The folder of cards that aren't the package's is called DIR, so that pages are the same wherever it is. What-ifs
        are left out: commands refuse one of a unit that takes no part.
    """
    own = data_folder("unitdb") / game.ruleset.name
    apart = any(own not in Path(place).parents for place in game.cards.places.values() if place != CHANGED)
    return "".join(
        [
            "" if game.ruleset.name == "armored_advance" else f" --game {game.ruleset.name}",
            " --cards DIR" * apart,
            *(f" --variant {as_option(*switch)}" for switch in changed(game.variant).items()),
        ]
    )


def _records(frame: pd.DataFrame) -> list[Content]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _json(value: Any) -> Any:
    """Return a value as types that JSON has."""
    if isinstance(value, Mapping):
        return {str(name): _json(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json(inner) for inner in value]
    if not isinstance(value, float):
        return value
    return float(tables.CSV_FLOAT % value) if math.isfinite(value) else None if math.isnan(value) else str(value)
