"""Frames made by hand, from which pictures are drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd

from aabalance.rulesets.base import Length

HEXES = Length("hexes", " hexes", whole=True)


def curves(rows, along, turns=4, situation=""):
    """Return a frame of kill curves: attacker, target and the chances along the ranges."""
    return pd.DataFrame(
        [(a, t, x, situation, turns, p) for a, t, chances in rows for x, p in zip(along, chances, strict=True)],
        columns=["attacker", "target", "range_in", "situation", "turns", "p_kill_within"],
    )


DUEL = [("a", "b", [1.0, 0.5, 0.25, 0.0]), ("b", "a", [0.75, 0.5, 0.5, 0.25])]


def grid(wins, draws=None):
    """Return the frame of a table of chances to win and, if any, to draw; units are called u0, u1 ..."""
    wins = np.array(wins, dtype=float)
    draws = np.zeros_like(wins) if draws is None else np.array(draws, dtype=float)
    rows = [(f"u{i}", f"u{j}", wins[i, j], draws[i, j]) for i, j in np.ndindex(*wins.shape)]
    return pd.DataFrame(rows, columns=["attacker", "target", "p_win", "p_draw"])


def units(**columns):
    """Return a frame of five units, one that destroys and one that loses nothing."""
    return pd.DataFrame(
        {
            "name": ["One", "Two", "Three", "Zero", "Endless"],
            "nation": ["X", "Y", "X", "Y", "X"],
            "requisition": [20, 50, 100, 30, 200],
            "requisition_exchange_ratio": [0.2, 1.5, 2.0, 0.0, np.inf],
            "peer_exchange_ratio": [0.3, 0.8, 2.0, 0.5, 4.0],
            "exchange_ratio_to_peers": [0.67, 1.9, 1.0, 0.0, np.inf],
            **columns,
        }
    )


def worths(**columns):
    """Return a frame of four units, one without a worth and one that leads at any price."""
    return pd.DataFrame(
        {
            "name": ["One", "Two", "Nobody", "Endless"],
            "nation": ["X", "Y", "X", "Y"],
            "category": ["vehicle"] * 4,
            "requisition": [20, 100, 30, 200],
            "worth": [50.0, 80.0, np.nan, np.inf],
            "worth_low": [40.0, 70.0, np.nan, np.inf],
            "worth_high": [60.0, 100.0, np.nan, np.inf],
            **columns,
        }
    )


def readings(changes):
    return pd.DataFrame(
        {
            "reading": [f"r{n}" for n in range(len(changes))],
            "mean_change_of_p_win": changes,
            "largest_change_of_p_win": [2 * change for change in changes],
        }
    )


def economies(*rows, limits=(1, 2, 3), ends=0.0):
    """Return a frame of action curves: lists, policy, scores of a, and prices of an action to both, two units wide."""
    made = []
    for a, b, policy, scores, prices in rows:
        for limit, score, price in zip(limits, scores, prices, strict=True):
            row = {"list_a": a, "list_b": b, "policy_a": policy, "policy_b": policy, "actions": limit}
            row |= {"score_a": score, "score_a_low": score - ends, "score_a_high": score + ends}
            for side in "ab":
                row |= {f"action_price_{side}{end}": price + off for end, off in (("", 0), ("_low", -5), ("_high", 5))}
            made.append(row)
    return pd.DataFrame(made)


ONE = ("A", "B", "value", [0.9, 0.5, 0.2], [30.0, 10.0, 5.0])


OTHER = ("A", "B", "focus", [0.8, 0.4, 0.3], [40.0, 20.0, 0.0])


THIRD = ("C", "D", "value", [0.1, 0.2, 0.3], [1.0, 2.0, 3.0])
