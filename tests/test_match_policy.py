"""Policies: players that a designer writes in Python."""

from __future__ import annotations

import json
from typing import Any

import pytest

import aabalance as aab
from aabalance.errors import UsageError
from aabalance.play.policy import in_words

SHORT = {"board": "last_stand", "rounds": 1, "simulate": 1}


def nonsense(view: dict[str, Any], legal: list[str]) -> str:
    return "dance"


@pytest.mark.slow
def test_policy__who_decides_as_greedy_did_plays_the_same_match() -> None:
    game = aab.Game("skirmish_wars")
    greedy = game.match(**SHORT).played.first
    left, sides = [step.action for step in greedy.steps], list[str]()

    def again(view: dict[str, Any], legal: list[str]) -> str:
        sides.append(view["you"])
        assert view["to_move"] == view["you"]
        return left.pop(0)

    match = game.match(**SHORT, player_a=again, player_b=again)
    assert (match.player_a, match.player_b) == ("again", "again")
    assert sides == [step.side for step in greedy.steps]
    assert match.played.first.steps == greedy.steps
    left += [step.action for step in greedy.steps if step.side == "b"]
    assert game.match(**SHORT, player_b=again).played.first.steps == greedy.steps


def test_policy__a_wrong_answer_is_one_line() -> None:
    expected = r"^player nonsense: found 'dance', expected one of \d+ legal actions, such as '[^'\n]+'$"
    with pytest.raises(UsageError, match=expected):
        aab.Game("skirmish_wars").match(**SHORT, player_b=nonsense)


def test_policy__a_slip_of_the_pen_is_told_what_it_may_have_meant() -> None:
    asked = []

    def slips(view: dict[str, Any], legal: list[str]) -> str:
        asked[:] = legal
        return legal[-1].upper()[:1] + legal[-1][1:]

    with pytest.raises(UsageError) as refused:
        aab.Game("skirmish_wars").match(**SHORT, player_a=slips)
    assert len(asked) > 1
    assert str(refused.value).endswith(f"such as {asked[-1]!r}")


def test_replay__no_command_plays_a_policy() -> None:
    def first(view: dict[str, Any], legal: list[str]) -> str:
        return legal[0]

    page = aab.Game("skirmish_wars").match(**SHORT, player_b=first).replay()
    assert "in Python alone: first is a function" in page
    assert "--player-b" not in page


def test_in_words__a_player_of_both_sides_is_named_once() -> None:
    assert in_words(("greedy", "greedy")) == "greedy"
    assert in_words(("greedy", nonsense)) == "greedy v nonsense"


@pytest.mark.slow
def test_policy__sees_no_hand_but_its_own() -> None:
    seen = []

    def looks(view: dict[str, Any], legal: list[str]) -> str:
        seen.append(view)
        return legal[0] if len(seen) < 30 else "enough"

    army = ["us_m1a1", "us_stryker", "us_m113", "us_bradley", "us_m901", "us_m109", "us_stryker", "us_hmmwv"]
    with pytest.raises(UsageError, match="found 'enough'"):
        aab.Game("modern_land_battles").match(army, army, board="standard", player_a=looks, player_b=looks, simulate=1)
    held = [{side: len(hand) for side, hand in view["hands"].items()} for view in seen]
    assert {view["you"] for view in seen} == {"a", "b"}
    for view, hands in zip(seen, held, strict=True):
        assert hands["a" if view["you"] == "b" else "b"] == 0
    assert max(sum(hands.values()) for hands in held) > 0


def test_policy__what_it_reads_of_a_move_in_progress_can_be_written_as_json() -> None:
    read = []

    def moves(view: dict[str, Any], legal: list[str]) -> str:
        read.append(json.loads(json.dumps(view)))
        if view["group"] and view["group"]["move"]:
            return "enough"
        wanted = (text for word in ("die", "move", "single") for text in legal if word in text.split())
        return next(wanted, legal[0])

    with pytest.raises(UsageError, match="found 'enough'"):
        aab.Game("armour_battles").match(board="crossroads", player_a=moves, player_b=moves, simulate=1)
    assert read[-1]["group"]["move"]["base"] == 6


def test_policy__what_is_kept_by_name_refuses_it() -> None:
    players: list[Any] = [nonsense]
    with pytest.raises(UsageError, match=r"^player: found the policy nonsense, expected a name"):
        aab.matches("skirmish_wars", boards=["last_stand"], players=players, simulate=1)


@pytest.mark.slow
def test_ladder__rates_a_policy_beside_the_others() -> None:
    def first(view: dict[str, Any], legal: list[str]) -> str:
        return legal[0]

    found = aab.ladder("skirmish_wars", ["greedy", first], board="last_stand", rounds=1, simulate=2)
    assert set(found.ratings["player"]) == {"greedy", "first"}
