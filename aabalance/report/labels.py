"""Texts that pictures and pages share: labels of costs, names of units, commands' options, changes and leads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aabalance.definitions.settings import changed
from aabalance.errors import counted
from aabalance.game import Game


def lead_in_words(lead: Mapping[str, Any]) -> str:
    """Return in words who is ahead under few actions, and who under many; `lead` is a row of `aabalance.leads`."""
    names = {"a": lead["list_a"], "b": lead["list_b"], "neither": "neither side"}
    few, many = names[lead["ahead_with_few"]], names[lead["ahead_with_many"]]
    if lead["few_to"] >= lead["many_from"]:
        return f"{few} ahead under every limit"
    return f"{few} ahead up to {counted(int(lead['few_to']), 'action')} a turn, {many} from {lead['many_from']} on"


def price_groups(prices: list[float], groups: int = 6) -> list[int]:
    """Return where groups of nearly equal size begin and end in rising `prices`.

    Parameters
    ----------
    prices : list of float
        Rising; equal prices stay in one group.
    groups : int
        Largest number of groups.
    """
    changes = [i for i in range(1, len(prices)) if prices[i] != prices[i - 1]]
    even = [n * len(prices) // groups for n in range(1, groups)]
    return sorted({0, *(next((i for i in changes if i >= place), len(prices)) for place in even), len(prices)})


def span_of(low: float, high: float) -> str:
    """Return the text of a span of costs."""
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


def names_of(game: Game) -> dict[str, str]:
    """Return the name of each unit, by id."""
    return {unit_id: card.name for unit_id, card in game.cards.items()}


def options_of(game: Game) -> str:
    """Return the options that commands need for a game and its rules, with a space first; empty for the defaults.

    Parameters
    ----------
    game : Game
        Its cards are left out, so that pages are the same wherever these are kept.
    """
    switches = [f"{name}={value}" for name, value in changed(game.variant).items()]
    named = "" if game.ruleset.name == "armored_advance" else f" --game {game.ruleset.name}"
    return named + "".join(f" --variant {switch_of(one)}" for one in switches)


def switch_of(reading: str) -> str:
    """Return a reading of the rules in the form that commands take, from the name that tables give it."""
    return re.sub("=(True|False|None)$", lambda found: found[0].lower(), reading)


def percentage_points(change: float) -> str:
    """Return a change of a chance in percentage points."""
    return "<0.01" if change < 0.0001 else f"{100 * change:#.2g}" if change < 0.0995 else f"{100 * change:.0f}"
