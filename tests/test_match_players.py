"""Players: who looks at values beats who acts at random, and hits what is worth hitting."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import meetings
import numpy as np
import pytest
from meetings import GREEDY

from aabalance.engine import jit, sampling
from aabalance.engine.match import arena, players
from aabalance.engine.match.arena import Match
from aabalance.engine.match.players import greedy, hooks, luck, search
from aabalance.engine.match.players.greedy import NOTHING, best_plan, forget
from aabalance.engine.match.players.workspace import FIRST, MATCH, NOT_JUDGED, SECOND, SEEN, TRUE, workspaces
from aabalance.errors import UsageError
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import ALL
from aabalance.rulesets.modern_land_battles.match import records as cards
from aabalance.rulesets.skirmish_wars.match import records

HANDS_SWAPPED = 30
"""Decisions that are made again with other hands."""


def shares(match: Match, matches: int) -> list[float]:
    """Return the shares of matches that a wins, b wins, and that nobody wins."""
    with sampling.threads() as pool:
        results = arena.play(match, 0, matches, executor=pool)[:, base.RESULT]
    return [float((results == result).mean()) for result in (base.WON_BY_A, base.WON_BY_B, base.DRAWN)]


@pytest.mark.slow
@pytest.mark.parametrize("board", ["crossing", "crossing_armies"])
def test_greedy__skirmish_wars(board: str) -> None:
    assert shares(meetings.skirmish(("greedy", "random"), board), 100)[0] >= 0.95
    assert shares(meetings.skirmish(("random", "greedy"), board), 100)[1] >= 0.95
    assert shares(meetings.skirmish(GREEDY, board), 100)[2] < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["timed", "domination"])
@pytest.mark.parametrize("board", ["small", "village"])
def test_greedy__armored_advance(board: str, mode: str) -> None:
    assert shares(meetings.armored(("greedy", "random"), board, mode=mode), 100)[0] >= 0.95
    assert shares(meetings.armored(("random", "greedy"), board, mode=mode), 100)[1] >= 0.95
    assert shares(meetings.armored(GREEDY, board, mode=mode), 100)[2] < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("board", ["standard", "skirmish"])
def test_greedy__modern_land_battles(board: str) -> None:
    lists = (meetings.UNITED_STATES, meetings.CHINA) if board == "standard" else (meetings.SMALL, meetings.SMALL)
    assert shares(meetings.modern(("greedy", "random"), board, lists), 100)[0] >= 0.95
    assert shares(meetings.modern(("random", "greedy"), board, lists), 100)[1] >= 0.95
    assert shares(meetings.modern(GREEDY, board, lists), 100)[2] < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "greedy", "search:16"])
def test_decide__the_other_hand_may_be_any_that_fits(player: str) -> None:
    """Each decision of a match is made again with a hand drawn anew from all cards that the player doesn't see."""
    match, draw, stages = meetings.modern((player, player)), random.Random(3), set()
    course = arena.Course(match, 3, jit.plain if player == "random" else jit.compiled)
    for step in arena.trajectory(meetings.modern(meetings.RANDOM), 3):
        kinds = range(len(step.before.deck))
        other = 1 - step.side
        unseen = [kind for kind in kinds for _ in range(step.before.deck[kind] + step.before.hand[other, kind])]
        held = draw.sample(unseen, k=int(step.before.hand[other].sum()))
        decided = []
        for swapped in (False, True):
            course.states[TRUE], course.at, course.works["hopes"] = step.before, 0, NOT_JUDGED
            if swapped:
                for kind in kinds:
                    course.states[TRUE].hand[other, kind] = held.count(kind)
                    course.states[TRUE].deck[kind] = unseen.count(kind) - held.count(kind)
            course.go(1)
            decided.append(int(course.made[0]))
        assert decided[0] == decided[1]
        stages.add(int(step.before.stage))
        if len(stages) > 5:
            break
    assert len(stages) > 5


@pytest.mark.slow
def test_playout__a_side_decides_by_what_it_sees() -> None:
    """The first decision of each playout is the same whichever hand it has drawn for the other side."""
    match, compared = meetings.modern(meetings.RANDOM), 0
    for step in islice(arena.trajectory(match, 3), 1, None):
        if step.before.stage == cards.ACTION and step.before.hand[1 - step.side].any():
            calm, supported = (
                _first_of_playouts(match, step.before, of) for of in (cards.ENGINEERS, cards.CLOSE_AIR_SUPPORT)
            )
            assert calm == supported
            compared += 1
            if compared == 4:
                break
    assert compared == 4


def _first_of_playouts(match: Match, state: Any, card: int) -> list[int]:
    """Return the first decisions of playouts in which the other side holds one kind of cards alone."""

    def redraw(tables: Any, state: Any, side: int, dice: Any) -> None:
        held = state.hand[1 - side].sum()
        state.hand[1 - side] = 0
        state.hand[1 - side, card] = held

    def ended(*asked: Any) -> int:
        raise StopIteration(int(decided(*asked)))  # what comes of it doesn't matter, and takes a second

    given = hooks.of(match.rules) | {"redraw": redraw}
    decided = jit.plain(best_plan, **given)
    playout = jit.plain(search.playout, **given | {"best_plan": ended})
    works = workspaces(state, match.rules.most_actions)
    begun, first = np.full(2, NOTHING), list[int]()
    for number in range(3):
        with pytest.raises(StopIteration) as decision:
            playout(match.tables(0), works, begun, match.rules.tuned, np.uint64(5), number)
        first.append(int(decision.value.value))
    return first


@pytest.mark.slow
@pytest.mark.parametrize("board", ["crossroads", "ridge", "river_town"])
def test_greedy__forumini(board: str) -> None:
    assert shares(meetings.forumini(("greedy", "random"), board), 100)[0] >= 0.95
    assert shares(meetings.forumini(("random", "greedy"), board), 100)[1] >= 0.95
    assert shares(meetings.forumini(GREEDY, board), 100)[2] < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("board", ["crossroads", "battle_line"])
def test_greedy__armour_battles(board: str) -> None:
    assert shares(meetings.armour(("greedy", "random"), board), 100)[0] >= 0.95
    assert shares(meetings.armour(("random", "greedy"), board), 100)[1] >= 0.95
    assert shares(meetings.armour(GREEDY, board), 100)[2] < 0.3


def test_candidates__a_crowded_zone_has_a_place_for_every_unit() -> None:
    match = meetings.armored(GREEDY, meetings.FIELD, (("us_m8",) * 13,) * 2)
    rules, (tables, state) = match.rules, match.starts[0]
    few, dice, placed = np.empty(rules.most_actions, np.int64), base.new(base.DICE), 0
    while state.turn == 0:
        assert rules.candidates(tables, state, ALL, False, few) > 0
        players.shake(dice, 1, 0, placed)
        rules.apply(tables, state, few[0], dice)
        placed += 1
    assert placed == 2 + 2 * 13


def test_best_plan__units_of_whom_less_is_hoped_than_another_keeps_are_not_judged() -> None:
    match = meetings.skirmish(GREEDY)
    tables, state = match.tables(0), match.starts[0][1]
    work = workspaces(state, match.rules.most_actions)[MATCH]
    hopes, work.states[SEEN] = work.hopes, state
    plan, noted = (match.bound(function, jit.plain) for function in (best_plan, forget))

    def chosen() -> int:
        return int(plan(tables, work, np.uint64(3)))

    action = chosen()
    worth = {unit: hopes[unit] for unit in range(state.units) if hopes[unit] > 0}
    assert len(worth) > 1
    assert worth[match.rules.actor(action)] == max(worth.values())
    # Where nothing is hoped of anybody, all are judged; where much is hoped of one who adds something, he alone.
    hopes[:] = 0
    assert chosen() == action
    least = min(worth, key=worth.__getitem__)
    hopes[:] = worth[least] / 2
    hopes[least] = np.inf
    assert match.rules.actor(chosen()) == least
    work.dice.rolled = 0
    noted(work, action)
    assert [unit for unit in range(len(hopes)) if hopes[unit] == np.inf] == [match.rules.actor(action)]
    noted(work, records.END)
    assert np.isinf(hopes).all()


def test_note__what_one_side_hoped_says_nothing_of_the_other() -> None:
    match = meetings.skirmish(GREEDY)
    work = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH]
    work.states[SEEN] = work.states[TRUE]
    work.states[TRUE].to_move = 1 - work.states[SEEN].to_move
    work.hopes[:] = 1.0
    match.bound(forget, jit.plain)(work, base.action_of(records.ATTACK, 0, 1))
    assert (work.hopes == NOT_JUDGED).all()


@pytest.mark.parametrize(("rolled", "judged_anew"), [(0, [True, False, False]), (1, [True, True, True])])
def test_forget__once_dice_have_fallen_all_are_judged_anew(rolled: int, judged_anew: list[bool]) -> None:
    match = meetings.skirmish(GREEDY)
    work = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH]
    work.states[SEEN] = work.states[TRUE]
    work.hopes[:], work.dice.rolled = 1.0, rolled
    match.bound(forget, jit.plain)(work, base.action_of(records.ATTACK, 0, 1))
    assert (work.hopes[:3] == NOT_JUDGED).tolist() == judged_anew


@pytest.mark.parametrize(("rolled", "second"), [(0, 7), (1, NOTHING)])
def test_plan__has_no_second_action_behind_dice(rolled: int, second: int) -> None:
    """It would be chosen for one outcome of several."""
    match = meetings.skirmish(GREEDY)
    work = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH]

    def mean_after(tables: Any, work: Any, place: int, *about: Any) -> float:
        work.dice.rolled = rolled
        return float(place)

    def sensible(tables: Any, state: Any, unit: int, follows: bool, out: Any) -> int:
        out[0] = 7
        return 1

    given = hooks.of(match.rules) | {"mean_after": mean_after, "sensible": sensible}
    side = match.rules.to_move(work.states[FIRST])
    found = jit.plain(greedy.plan, **given)(match.tables(0), work, 3, side, 0, 0.0, np.uint64(1))
    assert found == (float(SECOND if second > 0 else FIRST), second)


def test_best_of__a_unit_that_can_do_a_single_thing_may_gain_by_it() -> None:
    match = meetings.skirmish(GREEDY)
    work = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH]

    def sensible(tables: Any, state: Any, unit: int, follows: bool, out: Any) -> int:
        out[0] = 7
        return 1

    def plan(tables: Any, work: Any, action: int, side: int, unit: int, now: float, word: Any) -> tuple[float, int]:
        return now + 2.0, NOTHING

    given = hooks.of(match.rules) | {"sensible": sensible, "plan": plan, "value": lambda *about: 1.0}
    best_of = jit.plain(greedy.best_of, **given)
    assert best_of(match.tables(0), work, 0, np.uint64(1)) == (2.0, 7, 1)
    assert best_of(match.tables(0), work, base.NO_UNIT, np.uint64(1)) == (0.0, 7, 0), "the end of a turn adds nothing"


def test_mean_after__is_exact_for_as_many_dice_as_an_odometer_counts() -> None:
    """All faces of the first 15 D6 are alike; the last shows 3.5 on the mean."""
    match = meetings.skirmish(GREEDY)
    work, shown = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH], [0]

    def apply(tables: Any, state: Any, action: int, dice: Any) -> None:
        for _ in range(base.DEPTH - 1):
            base.roll_for(dice, 6, 1, 1)
        shown[0] = base.roll(dice, 6)

    given = hooks.of(match.rules) | {"apply": apply, "value": lambda *about: float(shown[0])}
    mean_after = jit.plain(greedy.mean_after, **given)
    attack = base.action_of(records.ATTACK, 0, 1)
    assert mean_after(match.tables(0), work, FIRST, attack, 0, 0.0, np.uint64(1)) == pytest.approx(3.5)


def test_mean_chance__throws_of_many_dice_differ() -> None:
    """Four D6 fall in 1296 ways. The mean of 16 throws of one is within .43 of the middle, five standard errors."""
    match = meetings.skirmish(GREEDY)
    work = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH]

    def apply(tables: Any, state: Any, action: int, dice: Any) -> None:
        for _ in range(4):
            base.roll(dice, 6)

    def winning(tables: Any, state: Any, side: int, curve: float) -> float:
        return (float(work.dice.faces[0]) - 1) / 5

    given = hooks.of(match.rules) | {"apply": apply, "winning": winning}
    mean_chance = jit.plain(luck.mean_chance, **given)
    found = [mean_chance(match.tables(0), work, 0, 1.0, np.uint64(word)) for word in range(8)]
    assert 0.07 < min(found) < max(found) < 0.93


def test_best_plan__each_of_several_best_plans_is_as_likely_as_any_other() -> None:
    """One unit has three of the four best plans: it acts in three of four decisions, .75 +- .11 of 400."""
    match = meetings.skirmish(GREEDY)
    work = workspaces(match.starts[0][1], match.rules.most_actions)[MATCH]

    def best_of(tables: Any, work: Any, unit: int, word: Any) -> tuple[float, int, int]:
        return 1.0, unit, 3 if unit == 1 else 1

    given = hooks.of(match.rules) | {"units": lambda tables, state: 2, "best_of": best_of}
    plan = jit.plain(best_plan, **given)
    chosen = []
    for word in range(400):
        work.hopes[:] = NOT_JUDGED
        chosen.append(plan(match.tables(0), work, np.uint64(word)))
    assert 0.64 < np.mean(chosen) < 0.86


# --- search -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("board", ["crossing_armies"])
def test_search__skirmish_wars(board: str) -> None:
    """Who wins eight in ten would win all of these twelve matches by luck one time in fourteen."""
    assert shares(meetings.skirmish(("search", "greedy"), board), 6)[0] == 1
    assert shares(meetings.skirmish(("greedy", "search"), board), 6)[1] == 1


@pytest.mark.parametrize(("playouts", "chosen"), [(78, 11), (82, 12)])
def test_race__what_greedy_hopes_counts_for_eight_playouts_of_a_plan(playouts: int, chosen: int) -> None:
    """A lead of half a chance, 8 times, is as much as a tenth 40 times: each of two plans has 39, or 41."""
    match = meetings.skirmish(("search", "search"))
    works, tuned = workspaces(match.starts[0][1], match.rules.most_actions), match.rules.tuned

    def proposals(tables: Any, work: Any, word: Any, plans: Any, gains: Any) -> int:
        plans[:2], gains[:2] = [[11, NOTHING], [12, NOTHING]], [2 * tuned.curve, 0.0]
        return 2

    def playout(tables: Any, works: Any, begun: Any, *about: Any) -> float:
        return 0.5 if begun[0] == 11 else 0.6

    given = hooks.of(match.rules) | {"proposals": proposals, "playout": playout}
    race = jit.plain(search.race, **given)
    assert race(match.tables(0), works, tuned, playouts, np.uint64(5)) == chosen


@pytest.mark.slow
def test_search__decides_alike_compiled_and_in_plain_python() -> None:
    match = meetings.skirmish(("search:16", "search:16"), "crossing_armies", turn_limit=1)
    made = arena.decisions(match, 0)
    assert [step.action for step in islice(arena.trajectory(match, 0), 3)] == made[:3].tolist()


@pytest.mark.slow
def test_search__is_the_same_for_any_number_of_threads() -> None:
    match = meetings.skirmish(("search:16", "random"), turn_limit=6)
    with ThreadPoolExecutor(3) as pool:
        shared = arena.play(match, 0, 7, executor=pool)
    assert shared.tolist() == arena.play(match, 0, 7).tolist()
    assert len({tuple(facts) for facts in shared}) > 3


# --- restricted play --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["random", "greedy", pytest.param("search:16", marks=pytest.mark.slow)])
def test_allowed__a_side_doesnt_do_what_is_barred_to_it_and_the_other_does(who: str) -> None:
    free = meetings.skirmish((who, who), "last_stand", turn_limit=12)
    barred = free._replace(barred=(1 << records.ATTACK, 0))
    for match in (free, barred):
        attacks = [0, 0]
        for step in arena.trajectory(match, 0, arena.decisions(match, 0)):
            attacks[step.side] += base.part_of(step.action, base.KIND) == records.ATTACK
        assert (attacks[0] == 0) == (match is barred)
        assert attacks[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", meetings.PLAYED)
def test_allowed__greedy_does_what_is_barred_only_where_nothing_else_is_legal(game: str) -> None:
    match, out = meetings.drawn(game, 3, GREEDY), np.empty(1 << 16, np.int64)
    for bit in range(base.KINDS):
        barred = match._replace(barred=(1 << bit, 0))
        tables = barred.tables(0)
        for step in arena.trajectory(barred, 0, arena.decisions(barred, 0)):
            if step.side == 0 and base.part_of(step.action, base.KIND) == bit:
                legal = out[: match.rules.legal(tables, step.before, ALL, out)]
                assert {base.part_of(int(action), base.KIND) for action in legal} == {bit}


def test_allowed__who_has_nothing_else_to_do_may_do_what_is_barred() -> None:
    match = meetings.skirmish(("random", "random"), "last_stand", turn_limit=1)
    course = arena.Course(match._replace(barred=((1 << base.KINDS) - 1,) * 2), 0, jit.plain)
    while not course.is_over:
        course.go(1)
    assert course.at > 1


# --- luck -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", ["skirmish_wars", "armour_battles", "armored_advance"])
def test_lucks__their_mean_is_nil_and_without_dice_there_is_none(game: str) -> None:
    """Of sums over matches, whose mean is 0 whatever `value` is: within four standard errors."""
    build = {"skirmish_wars": meetings.skirmish, "armour_battles": meetings.armour, "armored_advance": meetings.armored}
    match, sums = build[game](GREEDY), []
    for number in range(200):
        made = arena.decisions(match, number)
        found = arena.luck(match, number, made, jit.compiled)
        sums.append(found.sum())
    assert np.std(sums) > 0.01
    assert abs(np.mean(sums)) < 4 * np.std(sums) / np.sqrt(len(sums))
    plain = arena.luck(match, 199, made, jit.plain)
    assert plain == pytest.approx(found, abs=1e-12)
    for at, step in enumerate(arena.trajectory(match, 199, made)):
        assert step.faces or found[at] == 0.0


@pytest.mark.parametrize(
    ("game", "lead"),
    [
        ("skirmish_wars", 15),
        ("armored_advance", 26),
        ("modern_land_battles", 9),
        ("forumini", 19),
        ("armour_battles", 6),
    ],
)
def test_winning__a_lead_that_benchmarks_weights_found_to_win_73_of_100_matches_does(game: str, lead: float) -> None:
    match = meetings.drawn(game, 1, meetings.RANDOM)
    rules = match.rules._replace(value=lambda tables, state, side, of: (lead, -lead)[side])
    chance, (tables, state) = jit.plain(luck.winning, **hooks.of(rules)), match.start(0)
    assert [chance(tables, state, side, rules.tuned.curve) for side in (0, 1)] == pytest.approx(
        [0.7311, 0.2689], abs=1e-4
    )


@pytest.mark.parametrize(
    "name",
    [
        "serch",
        "search:",
        "search:many",
        "",
        "search:15",
        "search:-1",
        f"search:{'9' * 5000}",
        "greedy:4",
        "exact:4",
        None,
    ],
)
def test_number__a_name_that_is_none(name: Any) -> None:
    with pytest.raises(UsageError, match=r"^player: found [^\n]{,150}$"):
        players.number(name)
    assert (players.number("search"), players.number("search:64")) == (players.SEARCH, 64)
    assert players.number(players.EXACT) == players.TOLD


@pytest.mark.slow
def test_redraw__a_hand_is_drawn_from_all_cards_that_are_not_seen() -> None:
    """Each kind of card is held as often as in hypergeometric draws: the mean is held x (cards of it) / (all)."""
    match = meetings.modern(meetings.RANDOM)
    tables = match.starts[0][0]
    state = next(step.after for step in arena.trajectory(match, 3) if step.after.hand[1].sum() > 3)
    dice, sums, draws = base.new(base.DICE), np.zeros(len(state.deck)), 2000
    unseen, held = state.deck + state.hand[1], int(state.hand[1].sum())
    for number in range(draws):
        drawn = np.array([state])[0]
        players.shake(dice, 9, number, 0)
        match.rules.redraw(tables, drawn, 0, dice)
        assert drawn.hand[0].tolist() == state.hand[0].tolist()
        assert (drawn.deck + drawn.hand[1]).tolist() == unseen.tolist()
        sums += drawn.hand[1]
    p = unseen / unseen.sum()
    assert np.all(np.abs(sums / draws - held * p) < 5 * np.sqrt(held * p * (1 - p) / draws) + 1e-9)
