"""Numbers have bounds: what the tables can't hold is refused in a line, and nothing that is allowed takes minutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from handmade import at, vehicle
from scipy.stats import nbinom

import aabalance as aab
from aabalance.cards import Cards
from aabalance.engine import grid, sampling
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.outcome import Tally
from aabalance.rulesets import OURS, load
from aabalance.rulesets.base import Dice, Turn, Volley

SURE = Fraction(1)
HUGE = 10**5000


# --- what is packed


class Player:
    """A unit that makes the same volley every turn, and counts `turns` of them before it begins again."""

    sees_moves = chooses = False
    least = (1,)

    def __init__(self, toughness: int, volley: Volley, turns: int = 1) -> None:
        self.toughness, self.volley, self.count = toughness, volley, turns

    def turns(self, range_in: float, memory: int, enemy_moved: Any, row: int) -> list[Turn]:
        return [Turn(self.volley, range_in, (memory + 1) % self.count, False, "")]


def hits(sequences: int, damage: int = 1) -> Volley:
    """Dice that always succeed, so many at a time."""
    return Volley(("gun",), {sequences * damage: SURE}, (Dice(sequences, SURE, SURE, (damage,) * 6),))


HARMLESS = Volley((), {0: SURE})


@pytest.mark.parametrize("hp", [65536, 65537, 131073, 10**30])
def test_duel__toughness_beyond_16_bits_is_not_simulated(hp: int) -> None:
    game = aab.Game()
    target = game.cards["su_t34_85"].model_copy(update={"hp": hp})
    with pytest.raises(aab.UsageError, match=f"toughness: found {hp}, expected at most 65535"):
        game.duel("de_tiger1", target, range_in=18, simulate=100)


@pytest.mark.slow
def test_duel__the_largest_toughness_of_the_tables_is_held() -> None:
    # 35000 a hit: two hits for either, whoever's toughness is packed where. With p_hit = p, a first:
    # P(a wins) = P(2nd success of a no later than that of b).
    game = aab.Game()
    unit = vehicle(at(9, 35_000 // 35)).model_copy(update={"hp": 65_535})
    weapons = (unit.weapons[0].model_copy(update={"damage": 35_000}),)
    unit = unit.model_copy(update={"weapons": weapons})
    p = game.shot(unit, unit, range_in=18).p_damage
    turns = np.arange(0, 400)
    wins = float((nbinom.pmf(turns, 2, p) * nbinom.sf(turns - 1, 2, p)).sum())
    rolled = game.duel(unit, unit, range_in=18, first="a", simulate=20_000)
    assert abs(rolled.p_a - wins) < 5 * (wins * (1 - wins) / 20_000) ** 0.5
    assert game.duel(unit, unit, range_in=18, first="a").p_a == pytest.approx(wins)


def test_rolls__a_second_roll_that_never_succeeds_takes_nothing() -> None:
    half = Fraction(1, 2)
    never = Volley(("gun",), {0: SURE}, (Dice(1, SURE, Fraction(0), (1,) * 6),))
    wounds = Volley(("gun",), {0: half, 1: half}, (Dice(1, half, SURE, (1,) * 6),))
    duel = TurnGraph((Player(1, never), Player(1, wounds)), 0)
    found = sampling.simulate(sampling.prepare(duel.rolls(), 1, ("a", "b"), None), 0, 50)
    assert (found.wins_a, found.wins_b) == (0, 50)


def test_rolls__as_many_dice_as_the_kernel_has_places_for_and_no_more() -> None:
    most = TurnGraph((Player(9, hits(2048)), Player(4096, hits(2048))), 0)
    # The first volley leaves 2048 of 4096, the answer kills.
    assert sampling.simulate(sampling.prepare(most.rolls(), 1, ("a", "b"), None), 0, 50) == Tally(0, 50, 0, 0, 100, 200)
    even = TurnGraph((Player(4097, hits(2048)), Player(4096, hits(2048))), 0)
    assert sampling.simulate(sampling.prepare(even.rolls(), 1, ("a", "b"), None), 0, 50) == Tally(50, 0, 0, 0, 150, 450)
    with pytest.raises(aab.UsageError, match="dice in a turn: found 2049, expected at most 2048"):
        TurnGraph((Player(9, hits(2049)), Player(4096, HARMLESS)), 0).rolls()


@pytest.mark.slow
def test_rolls__a_walk_of_more_nodes_than_a_word_counts_is_refused() -> None:
    walk = TurnGraph((Player(9, hits(1), turns=65_537), Player(9, HARMLESS)), 0)
    with pytest.raises(aab.UsageError, match="turns of a unit: found 65537, expected at most 65536"):
        walk.rolls()


def test_duel__an_effect_beyond_the_integers_of_the_tables_is_refused() -> None:
    with pytest.raises(aab.UsageError, match=f"effect of a volley: found {2**63}, expected at most {2**63 - 1}"):
        TurnGraph((Player(9, hits(1, 2**63)), Player(9, HARMLESS)), 0)


def test_grid__refuses_what_a_duel_alone_refuses() -> None:
    game = aab.Game()
    cards, situations = [game.cards["de_tiger1"]], [game.moment(range_in=18)]
    found = grid.grid(game.ruleset, cards, cards, situations, game.variant)
    hp = np.full(found.plan.shape, 65_537)
    with pytest.raises(aab.UsageError, match="toughness: found 65537, expected at most 65535"):
        grid.simulate(found.tables, found.plan, found.plan, hp, hp, (["a"], ["b"]), 100, 0)
    for much in (hp * 100, np.full_like(hp, 1 << 35)):  # of the second, whole numbers can't tell the steps
        with pytest.raises(aab.UsageError, match=r"found \d\.\de\+\d+ steps to an exact solution"):
            grid.duels(found.tables, found.plan, found.plan, much, much)


# --- what is allowed at all


def numbers(schema: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every number of a JSON Schema with its place."""
    if schema.get("type") in ("integer", "number") and "const" not in schema:
        yield place, schema
    for key, value in schema.items():
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if isinstance(part, Mapping):
                yield from numbers(part, f"{place}.{key}")


@pytest.mark.parametrize("name", OURS)
def test_schemas__every_number_has_two_bounds(name: str) -> None:
    rules = load(name)
    for model in (rules.Card, rules.Moment):
        found = dict(numbers(model.model_json_schema()))
        assert found
        for place, number in found.items():
            assert "maximum" in number, place
            assert "minimum" in number or "exclusiveMinimum" in number, place


def card_file(folder: Path, **fields: object) -> Path:
    lines = {
        "name": '"Tank"',
        "nation": '"x"',
        "class": '"vehicle"',
        "weight": '"medium"',
        "drive": '"tracked"',
        "movement": 5,
        "hp": 30,
        "armor": "{ front = 8, side = 8, rear = 8 }",
        "requisition": 100,
        "weapons": '[{ name = "gun", kind = "at", penetration = 9, damage = 10 }]',
        **fields,
    }
    path = folder / "cards.toml"
    path.write_text("[tank]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items()))
    return path


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("hp", 1001, "tank.hp: found 1001, expected less than or equal to 1000"),
        ("actions", 5, "tank.actions: found 5, expected less than or equal to 4"),
        (
            "keywords",
            "{ autocannon = 13 }",
            "tank.keywords.autocannon: found 13, expected less than or equal to 12",
        ),
        (
            "weapons",
            '[{ name = "gun", kind = "at", penetration = 9, damage = 100000000000000000000 }]',
            "tank.weapons.0.damage: found 100000000000000000000, expected less than or equal to 1000",
        ),
        (
            "weapons",
            '[{ name = "gun", kind = "ai", ai = "D6+1234" }]',
            "expected a casualty code such as 'D3-1', 'D6-2' or '1'",
        ),
    ],
)
def test_cards__a_number_beyond_its_bound_is_refused_where_it_stands(
    tmp_path: Path, field: str, value: object, said: str
) -> None:
    path = card_file(tmp_path, **{field: value})
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if text.startswith(field))
    with pytest.raises(aab.CardError) as caught:
        Cards.read(load("armored_advance").Card, tmp_path)
    (fault,) = caught.value.faults
    assert fault.place == f"{path}:{line}"
    assert said in fault.message


def test_cards__a_number_that_may_be_whole_or_not_says_its_bound_once() -> None:
    with pytest.raises(aab.CardError) as caught:
        aab.Game("forumini", changes=["su_t_34_85.cost=20000"])
    assert str(caught.value) == "--set: su_t_34_85.cost: found 20000, expected less than or equal to 10000"


def test_cards__the_bounds_themselves_are_allowed(tmp_path: Path) -> None:
    card_file(tmp_path, hp=1000, actions=4, keywords="{ autocannon = 12 }")
    assert Cards.read(load("armored_advance").Card, tmp_path)["tank"].hp == 1000


@pytest.mark.parametrize("name", ["range_in", "walls", "foliage", "scout_in"])
def test_situation__numbers_are_bounded(name: str) -> None:
    for found, said in ((1001, "1001"), (HUGE, "a number of thousands of digits")):
        with pytest.raises(aab.UsageError, match=f"^situation {name}: found {said}, expected "):
            aab.Game().shot("de_tiger1", "su_t34_85", **{"range_in": 18, name: found})


# --- the largest that is allowed


def test_duel__the_toughest_allowed_are_solved_exactly() -> None:
    # A hundred hits each, of chance p: as above, in closed form. Far more states than are solved without the compiler.
    game = aab.Game()
    unit = vehicle(at(9, 10), hp=1000)
    p = game.shot(unit, unit, range_in=18).p_damage
    turns = np.arange(0, 4000)
    wins = float((nbinom.pmf(turns, 100, p) * nbinom.sf(turns - 1, 100, p)).sum())
    for posture in ("hold", "close:18"):
        assert game.duel(unit, unit, range_in=18, first="a", posture_a=posture).p_a == pytest.approx(wins, abs=1e-9)
    limited = game.duel(unit, unit, range_in=18, first="a", rounds=150)
    until = turns[turns <= 50]  # failures before the 100th hit within 150 turns
    expected = float((nbinom.pmf(until, 100, p) * nbinom.sf(until - 1, 100, p)).sum())
    assert limited.p_a == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "options", [{"rounds": 1000}, {"posture_a": "close:0", "posture_b": "close:0", "range_in": 144}]
)
def test_duel__an_exact_solution_that_takes_too_long_is_refused(options: dict[str, Any]) -> None:
    # One point a hit and a thousand of them, at every inch.
    slow = vehicle(at(9, 1), hp=1000, movement=1)
    with pytest.raises(aab.UsageError, match=r"duel: found \d\.\de\+\d+ steps to an exact solution, expected at most"):
        aab.Game().duel(slow, slow, **{"range_in": 18, **options})


@pytest.mark.slow
def test_duel__best_play_that_takes_too_long_is_refused() -> None:
    slow = vehicle(at(9, 1), hp=1000)
    for rounds in (12, 1000):
        with pytest.raises(aab.UsageError, match="steps to an exact solution"):
            aab.Game().duel(slow, slow, range_in=18, posture_a="optimal", rounds=rounds)


def test_shot__a_long_burst_of_uneven_damage_is_summed_exactly() -> None:
    # 24 dice of six different effects: as many sums as there are, in the time of a shot.
    howitzer = {"name": "gun", "kind": "he", "base": 199, "n": 7}
    unit = vehicle(howitzer, hp=1000, keywords={"autocannon": 12, "rapid_fire": True})
    game = aab.Game()
    shot = game.shot(unit, "su_t34_85", range_in=18, facing="side")
    one = game.shot(vehicle(howitzer), "su_t34_85", range_in=18, facing="side")
    assert sum(shot.damage.values()) == pytest.approx(1)
    assert shot.expected_damage == pytest.approx(12 * one.expected_damage)
    assert game.duel(unit, "su_t34_85", range_in=18).p_a > 0.99


# --- arguments


@pytest.mark.parametrize("name", OURS)
def test_game__a_unit_is_an_id_or_a_card_of_the_game(name: str) -> None:
    game = aab.Game(name)
    other = aab.Game("forumini" if name != "forumini" else "armored_advance")
    unit = next(iter(game.cards))
    strangers = (None, 3, {}, ["a"], SimpleNamespace(name="unit"), other.cards[next(iter(other.cards))])
    for stranger in strangers:
        for ask in (game.shot, game.duel):
            with pytest.raises(aab.UsageError, match=r"^unit: found .*, expected an id, a name or a card of .*$"):
                ask(stranger, unit, range_in=1)
            with pytest.raises(aab.UsageError, match=r"^unit: found "):
                ask(unit, stranger, range_in=1)


WRONG = [
    ("rounds", [0, -1, 1001, 10**9, HUGE, 2.0, "2", True, [1]]),
    ("simulate", [0, -1, 10**10 + 1, HUGE, 5.0, "5", True]),
    ("seed", [-1, 2**64, HUGE, 1.0, "1", None, True]),
    ("target_error", [0.0, 1.0, -1, HUGE, float("nan"), float("inf"), "0.1", True, 1j]),
    ("first", [None, 1, [], "c"]),
    ("posture_a", [None, 1, ["hold"], "hod"]),
    ("posture_b", [None, 1, ["hold"], "hod"]),
]


@pytest.mark.parametrize(("name", "values"), WRONG, ids=[name for name, _ in WRONG])
def test_duel__an_argument_out_of_range_or_of_no_right_type_gives_one_line(name: str, values: list[Any]) -> None:
    for game, pair in ((aab.Game(), ("de_tiger1", "su_t34_85")), (aab.Game("skirmish_wars"), ("infantry", "mech"))):
        for value in values:
            with pytest.raises(aab.UsageError) as caught:
                game.duel(*pair, range_in=1, **{name: value})
            (line,) = str(caught.value).splitlines()
            assert line.startswith(name.removesuffix("_a").removesuffix("_b"))
            assert ": found " in line


@pytest.mark.parametrize(("name", "values"), WRONG[1:3], ids=[name for name, _ in WRONG[1:3]])
def test_matchups__an_argument_out_of_range_or_of_no_right_type_gives_one_line(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(aab.UsageError, match=f"^{name}: found "):
            aab.matchups(aab.Game("skirmish_wars"), **{name: value})


def test_duel__integers_of_numpy_are_integers() -> None:
    game = aab.Game()
    asked = {"simulate": np.int64(100), "seed": np.uint8(3), "rounds": np.int32(5)}
    found = game.duel("de_tiger1", "su_t34_85", range_in=18, **asked)
    assert found.to_dict() == game.duel("de_tiger1", "su_t34_85", range_in=18, simulate=100, seed=3, rounds=5).to_dict()
    assert [type(value) for value in (found.trials, found.seed, found.rounds)] == [int, int, int]
