"""How battles end (Core Rules 1.1, p. 23)."""

from __future__ import annotations

from typing import Any

import pytest
from handmade import field_gun, squad, vehicle

import aabalance as aab
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle.sides import is_mechanized
from aabalance.rulesets.armored_advance.variant import Variant

DEFAULT = Variant.model_validate({})


# --- annihilation -----------------------------------------------------------------------------------------------


def test_annihilation_page_23__vehicles_are_the_mechanized_force() -> None:
    assert is_mechanized(vehicle(), DEFAULT)
    assert not is_mechanized(squad(), DEFAULT)


def test_annihilation_counts_guns__field_guns_hold_out_or_not() -> None:
    """AA-53."""
    assert is_mechanized(field_gun(), DEFAULT)
    assert not is_mechanized(field_gun(), Variant.model_validate({"annihilation_counts_guns": False}))


# --- turn limits ------------------------------------------------------------------------------------------------

GAME = aab.Game()
DUELLISTS: dict[str, Any] = {"range_in": 18, "actions": 2, "list_a": "de_tiger1", "list_b": "su_t34_85*2"}


@pytest.mark.parametrize("mode", ["annihilation", "timed"])
def test_turn_limit_counts__turns_of_both_or_of_either(mode: str) -> None:
    """AA-54."""
    game = GAME.with_(variant={"turn_limit_counts": "player_turns"})
    found = game.battle(**DUELLISTS, mode=mode, rounds=4)
    same = GAME.battle(**DUELLISTS, mode=mode, rounds=2)
    assert (found.p_a, found.p_b, found.rounds) == (same.p_a, same.p_b, 2)
    assert found.player_turns < GAME.battle(**DUELLISTS, mode=mode, rounds=4).player_turns


def test_turn_limit_counts__leaves_nobody_a_turn_more() -> None:
    """AA-54."""
    game = GAME.with_(variant={"turn_limit_counts": "player_turns"})
    with pytest.raises(UsageError, match=r"^rounds: found a limit of 3 player turns, expected as many"):
        game.battle(**DUELLISTS, mode="timed", rounds=3)
