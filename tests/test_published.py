"""What people read, worked out with pencil and paper for a roster of three units, from the cards to the page.

The paper's rules (Armored Advance, p. 6-9): a shot needs what the range asks or what the armour asks, whichever is
more. Six inches ask for 1+, 24 inches for 4+. Two centimetres of penetration more than armour ask for 1+, as many for
4+, and two less are impossible. A unit that holds rerolls a miss by one, so 4+ comes in 1/2 x 7/6 = 7/12.

    penetration / armour    heavy 10, 10    T-34 10, side 8    scout 10, side 8
    heavy 12                      1+              1+                 1+
    T-34 10                       4+        4+, side 1+        4+, side 1+
    scout 8                   impossible  impossible, side 4+  impossible, side 4+

A hit of the heavy does 20, of the others 10; the heavy has 20 hit points, the others 10: all are gone with one hit, but
the heavy takes two of a T-34. The scout fires twice a turn. A squad stands outside of the field; it is one man, and
kills one man for sure within 12 inches.
"""

from __future__ import annotations

import contextlib
import html
import json
import math
import re
from fractions import Fraction as F
from functools import cache
from itertools import product

import pandas as pd
import pytest
from click.testing import CliRunner

from aabalance import cli
from aabalance.analysis import cost, sensitivity
from aabalance.analysis.matchups import matchups
from aabalance.analysis.situations import Situations
from aabalance.definitions import report as spec
from aabalance.errors import UsageError, counted
from aabalance.game import Game
from aabalance.jobs.sweeps import background
from aabalance.pricing import results
from aabalance.report import build, summary, tables

CARDS = """\
[heavy]
name = "Heavy"
nation = "Germany"
class = "vehicle"
weight = "heavy"
drive = "tracked"
movement = 4
hp = 20
armor = { front = 10, side = 10, rear = 10 }
requisition = 200
weapons = [{ name = "gun", kind = "at", penetration = 12, penetration_by_band = [12, 12, 12, 8, 8, 8], damage = 20 }]

[su_t34_85]
name = "T-34"
nation = "USSR"
class = "vehicle"
weight = "medium"
drive = "tracked"
movement = 5
hp = 10
armor = { front = 10, side = 8, rear = 8 }
requisition = 50
keywords = { apc = 2 }
weapons = [{ name = "gun", kind = "at", penetration = 10, damage = 10 }]

[scout]
name = "Scout <1>"
nation = "USSR"
class = "vehicle"
weight = "light"
drive = "wheeled"
movement = 7
hp = 10
armor = { front = 10, side = 8, rear = 8 }
requisition = 25
keywords = { scout = true, apc = 1, rapid_fire = true }
weapons = [{ name = "gun", kind = "at", penetration = 8, damage = 10 }]

[squad]
name = "Squad"
nation = "USSR"
class = "infantry"
weight = "light"
drive = "foot"
movement = 4
requisition = 10
strength = 1
squad = "rifle"
weapons = [{ name = "rifles", kind = "ai", ai = "1" }]
"""

DEFINITION = """\
title = "Three units"
game = "armored_advance"
field = ["vehicle"]

[situations.range_in]
6 = 0.25
24 = 0.75

[situations.facing]
front = 0.75
side = 0.25

[sensitivity]
resolution = ["two_dice"]
range_boundary = ["strict"]
penetration_falloff = [true]
wall_rule = ["both", "armor_plus_1"]

[tuning]
budgets = [100, 200]
limits = [2, 3]

[plots]
kill_probability = [["heavy", "su_t34_85"], ["su_t34_85", "scout"], ["su_t34_85", "heavy"]]
turns = 2
min_range_in = 6
max_range_in = 7
"""

HEAVY, T34, SCOUT = "heavy", "su_t34_85", "scout"
FIELD = (HEAVY, T34, SCOUT)
PRICE = {HEAVY: 200, T34: 50, SCOUT: 25}
NAME = {HEAVY: "Heavy", T34: "T-34", SCOUT: "Scout <1>"}
DAMAGE = {HEAVY: 20, T34: 10, SCOUT: 10}
HITS = {(T34, HEAVY): 2, (SCOUT, HEAVY): 2}
"""Hits that it takes, where it isn't one."""

# Of 16 parts.
WEIGHT = {(6, "front"): F(3, 16), (6, "side"): F(1, 16), (24, "front"): F(9, 16), (24, "side"): F(3, 16)}
CELLS = [(a, t, *at) for a, t, at in product(FIELD, FIELD, WEIGHT)]
PART = {(a, t, *at): WEIGHT[at] / 9 for a, t, at in product(FIELD, FIELD, WEIGHT)}
NEVER = math.inf

# What armour asks for: the table above.
PLATE = {
    **{(HEAVY, t, face): 1 for t in FIELD for face in ("front", "side")},
    **{(T34, t, "front"): 4 for t in FIELD},
    (T34, HEAVY, "side"): 4,
    (T34, T34, "side"): 1,
    (T34, SCOUT, "side"): 1,
    **{(SCOUT, t, "front"): 7 for t in FIELD},
    (SCOUT, HEAVY, "side"): 7,
    (SCOUT, T34, "side"): 4,
    (SCOUT, SCOUT, "side"): 4,
}
ROLL = {1: F(1), 2: F(35, 36), 4: F(7, 12), 5: F(7, 18), 7: F(0)}
"""Chance of n+ with a miss by one rerolled: (7 - n) / 6 x 7/6."""
DICE = {1: F(1), 4: F(1, 2), 7: F(0)}
"""Chance of n+ with a plain die."""


def by_the_rules(a, t, range_in, face):
    return ROLL[max(PLATE[a, t, face], 1 if range_in == 6 else 4)]


def strict(a, t, range_in, face):
    """The range asks for one more: at the edge of a band it is the next one's."""
    need = PLATE[a, t, face]
    return ROLL[need if need == 7 else max(need, 2 if range_in == 6 else 5)]


def two_dice(a, t, range_in, face):
    """One die for the range, which is rerolled, and another for the armour, which isn't."""
    return ROLL[1 if range_in == 6 else 4] * DICE[PLATE[a, t, face]]


def falloff(a, t, range_in, face):
    """At 24 inches the heavy's gun is as the scout's."""
    if (a, range_in) == (HEAVY, 24):
        return ROLL[PLATE[SCOUT, t, face]]
    return by_the_rules(a, t, range_in, face)


READINGS = {
    "default rules": by_the_rules,
    "penetration_falloff=true": falloff,
    "range_boundary=strict": strict,
    "resolution=two_dice": two_dice,
}


def in_a_turn(a, p):
    """A scout has two shots at what one of them destroys."""
    return 1 - (1 - p) ** 2 if a == SCOUT else p


def race(p, n, q, m):
    """Return the chance that the side to move wins, which hits with p and needs n, against one that hits with q, m.

    One turn each: both miss with (1 - p)(1 - q), and it begins again; so the chances of the rest are divided by
    1 - (1 - p)(1 - q). Of one hit each that is p / (1 - (1 - p)(1 - q)).
    """
    if p == 0:
        return F(0)
    now = p if n == 1 else p * answered(p, n - 1, q, m)
    later = (1 - p) * q * race(p, n, q, m - 1) if m > 1 else F(0)
    return (now + later) / (1 - (1 - p) * (1 - q))


def answered(p, n, q, m):
    """Return the same chance if the other side moves next."""
    return q * (race(p, n, q, m - 1) if m > 1 else F(0)) + (1 - q) * race(p, n, q, m)


class Paper:
    """All numbers of one reading of the rules."""

    def __init__(self, p):
        self.p = {cell: p(*cell) for cell in CELLS}
        self.first, self.second, self.lost = {}, {}, {}
        for a, t, range_in, face in CELLS:
            mine = in_a_turn(a, p(a, t, range_in, face)), HITS.get((a, t), 1)
            yours = in_a_turn(t, p(t, a, range_in, "front")), HITS.get((t, a), 1)  # fired back at the front
            cell = a, t, range_in, face
            self.first[cell], self.second[cell] = race(*mine, *yours), answered(*mine, *yours)
            self.lost[cell] = (race(*yours, *mine) + answered(*yours, *mine)) / 2
        self.win = {cell: (self.first[cell] + self.second[cell]) / 2 for cell in CELLS}
        self.draw = {cell: 1 - self.win[cell] - self.lost[cell] for cell in CELLS}
        self.shots = {c: HITS.get(c[:2], 1) / p if p else NEVER for c, p in self.p.items()}
        # Two hits of the scout's never come to pass; else its turn is two shots at one hit.
        self.turns = {c: HITS.get(c[:2], 1) / in_a_turn(c[0], p) if p else NEVER for c, p in self.p.items()}

    def pair(self, values, a, t):
        return sum(WEIGHT[at] * values[a, t, *at] for at in WEIGHT)

    def mean(self, values):
        return sum(PART[cell] * values[cell] for cell in CELLS)

    def rate(self, times, a, t):
        return self.pair({cell: 0 if time is NEVER else 1 / time for cell, time in times.items()}, a, t)

    def exchange(self):
        """What each unit's enemies lose, in units and in requisition, over what it loses, in both roles."""
        found = {}
        for u in FIELD:
            killed = {e: self.pair(self.win, u, e) + self.pair(self.lost, e, u) for e in FIELD}
            died = sum(self.pair(self.lost, u, e) + self.pair(self.win, e, u) for e in FIELD)
            points = sum(killed[e] * PRICE[e] for e in FIELD)
            found[u] = sum(killed.values()) / died, points / (died * PRICE[u])
        return found

    def median_turns(self):
        """The first of the rising turns with which half of the weight is reached."""
        kills = sorted((turns, PART[cell]) for cell, turns in self.turns.items() if turns is not NEVER)
        half, reached = sum(part for _, part in kills) / 2, 0
        return next(turns for turns, part in kills if (reached := reached + part) >= half)

    def headlines(self):
        return {
            "share_out_of_reach": 0,  # no gun has a longest range
            "share_impossible": sum(PART[cell] for cell in CELLS if not self.p[cell]),
            "mean_p_damage": self.mean(self.p),
            "median_turns_to_kill": self.median_turns(),
            "share_draws": self.mean(self.draw),
            "share_endless": sum(PART[cell] for cell in CELLS if self.draw[cell]),
            "first_turn_gap": self.mean({cell: self.first[cell] - self.second[cell] for cell in CELLS}),
        }


PAPER = {name: Paper(p) for name, p in READINGS.items()}
OWN = PAPER["default rules"]


# --- worth, on the same paper: so many of one against so many of another, distance and face drawn shot by shot

BUDGETS, LIMITS = (100, 200), (2, 3)
SHOTS = {HEAVY: 1, T34: 1, SCOUT: 2}
MEETS = {HEAVY: [T34], T34: [HEAVY, SCOUT], SCOUT: [T34]}
"""Who can hurt each other: a scout never hurts a heavy."""


@cache
def mover_wins(a, x, t, y, limit):
    """Return the chance of the side to move, x hits from its end, against one that is y hits from its own.

    Each hit takes one off. Whoever needs two hits is finished before another is begun, so that ceil(x / 2) are left.
    If both turns pass without a hit, it begins again.
    """

    def hits(side, left, other, most):
        need = HITS.get((other, side), 1)
        shots = min(limit, SHOTS[side] * -(-left // need))
        p = float(OWN.pair(OWN.p, side, other))
        chances = [math.comb(shots, h) * p**h * (1 - p) ** (shots - h) for h in range(shots + 1)]
        return [*chances[:most], sum(chances[most:])]

    mine, yours = hits(a, x, t, y), hits(t, y, a, x)
    now = sum(p * (1 - (mover_wins(t, y - h, a, x, limit) if y > h else 0)) for h, p in enumerate(mine) if h)
    then = sum(p * (1 - (mover_wins(a, x - h, t, y, limit) if x > h else 0)) for h, p in enumerate(yours) if h)
    return (now + mine[0] * (1 - then - yours[0])) / (1 - mine[0] * yours[0])


def battle(a, n, t, m, limit):
    x, y = n * HITS.get((t, a), 1), m * HITS.get((a, t), 1)
    return (mover_wins(a, x, t, y, limit) + 1 - mover_wins(t, y, a, x, limit)) / 2


def battle_at(a, t, prices, budget, limit):
    """Return what a scores against t for as much requisition, mixed between whole numbers of copies on each side."""
    spent = max(budget, prices[a], prices[t])
    (n, up_n), (m, up_m) = ((int(spent / prices[u]), spent / prices[u] % 1) for u in (a, t))
    few, many = (
        (1 - up_m) * battle(a, copies, t, m, limit) + up_m * battle(a, copies, t, m + 1, limit) for copies in (n, n + 1)
    )
    return (1 - up_n) * few + up_n * many


def lead(a, prices):
    """Return what a unit scores above even: the mean over those it meets, budgets and limits."""
    scores = [battle_at(a, t, prices, *with_) for t, *with_ in product(MEETS[a], BUDGETS, LIMITS)]
    return sum(scores) / len(scores) - 0.5


def worth_on_paper(unit, prices):
    """Return the price at which a unit is even, all others at theirs, by halving."""
    low, high = 5.0, 500.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if lead(unit, prices | {unit: middle}) > 0 else (low, middle)
    return low


def close(value):
    """Return a number of which six digits are written."""
    return pytest.approx(float(value), rel=6e-6, abs=1e-12)


def same(found, expected):
    """Compare a row with the paper's, column by column."""
    for name, value in expected.items():
        wanted = value if isinstance(value, str) else close(value)
        assert found[name] == wanted, name
    return True


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the folder of the report, written from the command line to where it goes by default."""
    here = tmp_path_factory.mktemp("report")
    (here / "cards").mkdir()
    (here / "cards/units.toml").write_text(CARDS, encoding="utf-8")
    (here / "three.toml").write_text(DEFINITION, encoding="utf-8")
    with contextlib.chdir(here):
        ran = CliRunner().invoke(cli.main, ["report", "three.toml", "--cards", "cards"], catch_exceptions=False)
    assert (ran.exit_code, ran.stdout) == (0, "reports/out/three/index.html\n"), ran.output
    return here / "reports/out/three"


@pytest.fixture(scope="module")
def said(report):
    return json.loads((report / "summary.json").read_text(encoding="utf-8"))


NO_INTERVAL = {name: [""] for name in ("worth_low", "worth_high", "fair_low", "fair_high")}


@pytest.fixture(scope="module")
def table(report):
    """Return a function that reads a table, its index the columns named."""

    def read(name, *index):
        frame = pd.read_csv(report / f"{name}.csv", comment="#", keep_default_na=False, na_values=NO_INTERVAL)
        return frame.set_index(list(index)) if index else frame

    return read


# --- the paper itself


def test_paper__a_few_numbers_by_pencil():
    """The means over 144 parts: 9 pairs, of which each has 16, at 6 inches 3 and 1, at 24 inches 9 and 3.

    The heavy hits at 6 inches for sure (12 parts) and at 24 on 4+ (36); the T-34 on 4+ but for the sides of T-34 and
    scout at 6 inches (1 part each); the scout on 4+ the sides of T-34 and scout (4 parts each), and else nothing.
    """
    half = F(7, 12)
    p = (12 + 36 * half) + (46 * half + 2) + 8 * half
    assert OWN.headlines()["mean_p_damage"] == p / 144 == F(133, 288)
    # Impossible: the scout against every front (3 x 12 parts) and the heavy's side (4).
    assert OWN.headlines()["share_impossible"] == F(40, 144)
    # A draw: two scouts front to front, and nothing else; 12 parts.
    assert OWN.headlines()["share_draws"] == F(12, 144)
    # Turns: 14 parts of 1, 8 of 144/119, 66 of 12/7, 16 of 24/7; the 52nd of 104 is a 12/7.
    assert OWN.headlines()["median_turns_to_kill"] == F(12, 7)
    # Two T-34 face to face, 4+ each: the first wins 7/12 / (1 - 25/144) = 84/119 = 12/17.
    assert OWN.first[T34, T34, 24, "front"] == F(12, 17)
    # A heavy and a T-34 that shows its front, 4+ each: the T-34 wins if it hits twice before it is hit. If it has the
    # turn: x = 7/12 x 5/12 x 12/17 + (5/12)^2 x, so x = 35/204 x 144/119 = 60/289.
    assert 1 - OWN.second[HEAVY, T34, 24, "front"] == F(60, 289)


# --- the tables


@pytest.mark.slow
def test_cost_effectiveness__every_column(table):
    rows = table("cost_effectiveness", "unit")
    exchange = OWN.exchange()
    ratio = {unit: points for unit, (_, points) in exchange.items()}
    order = sorted(FIELD, key=lambda unit: -ratio[unit])
    assert rows.index.tolist() == order
    for rank, unit in enumerate(order, 1):
        per_action = sum(DAMAGE[unit] * OWN.pair(OWN.p, unit, t) for t in FIELD) / 3
        kills = {t: OWN.rate(OWN.shots, unit, t) for t in FIELD}
        assert same(
            rows.loc[unit],
            {
                "name": NAME[unit],
                "nation": "Germany" if unit == HEAVY else "USSR",
                "category": "vehicle",
                "requisition": PRICE[unit],
                "expected_damage_per_action": per_action,
                "expected_damage_per_requisition": 100 * per_action / PRICE[unit],
                "p_kill_per_action": sum(kills.values()) / 3,
                "requisition_destroyed_per_action": sum(kills[t] * PRICE[t] for t in FIELD) / 3,
                "loss_exchange_ratio": exchange[unit][0],
                "requisition_exchange_ratio": ratio[unit],
                "rank": rank,
            },
        )
    # By pencil: 20 x (12 + 36 x 7/12) / 48, 10 x (46 x 7/12 + 2) / 48, 10 x 8 x 7/12 / 48.
    assert rows["expected_damage_per_action"].to_dict() == {
        HEAVY: close(F(55, 4)),
        T34: close(F(865, 144)),
        SCOUT: close(F(35, 36)),
    }


@pytest.mark.slow
def test_pairs__every_column(table):
    rows = table("pairs", "attacker", "target")
    assert len(rows) == 16
    for a, t in product(FIELD, FIELD):
        one_hit = (a, t) not in HITS
        rate = OWN.rate(OWN.turns, a, t)
        assert same(
            rows.loc[a, t],
            {
                "p_damage": OWN.pair(OWN.p, a, t),
                "expected_damage_per_action": DAMAGE[a] * OWN.pair(OWN.p, a, t),
                "p_kill_turn": OWN.pair({c: in_a_turn(a, p) for c, p in OWN.p.items()}, a, t) if one_hit else 0,
                "expected_turns_to_kill": 1 / rate if rate else math.inf,
                "p_win": OWN.pair(OWN.win, a, t),
                "p_draw": OWN.pair(OWN.draw, a, t),
                "p_loss": OWN.pair(OWN.lost, a, t),
            },
        ), (a, t)
    # The squad kills a squad at 6 inches, a quarter of the time, in its turn; whoever moves first does.
    numbers = [F(1, 4), F(1, 4), F(1, 4), 4, F(1, 8), F(3, 4), F(1, 8)]
    names = list(rows.columns[-7:])
    assert same(rows.loc["squad", "squad"], dict(zip(names, numbers, strict=True)))
    for unit in FIELD:
        for pair in (("squad", unit), (unit, "squad")):
            assert same(rows.loc[pair], dict(zip(names, [0, 0, 0, math.inf, 0, 1, 0], strict=True)))


@pytest.mark.slow
def test_worth__every_price_and_score(table):
    """Scores and worths by the literal battles above; one opponent or two are too few for an interval."""
    rows = table("worth", "unit")
    assert rows.index.tolist() == list(FIELD)
    for unit in FIELD:
        now, worth = lead(unit, PRICE), worth_on_paper(unit, PRICE)
        assert same(
            rows.loc[unit],
            {
                "name": NAME[unit],
                "nation": "Germany" if unit == HEAVY else "USSR",
                "category": "vehicle",
                "requisition": PRICE[unit],
                "score": 0.5 + now,
                "level": 0.5,  # what one scores of a pair the other doesn't, and nobody is at the least price
                "worth": worth,
                "worth_change": worth / PRICE[unit] - 1,
                "score_at_worth": 0.5,
                "immune_to": 1 if unit == HEAVY else 0,  # to the scout
                "harmless_to": 1 if unit == SCOUT else 0,
            },
        ), unit
        assert rows.loc[unit, ["worth_low", "worth_high"]].isna().all()
        assert rows.loc[unit, "flags"] == "depends on too few opponents for an interval"
    # A tenth of the price at the worth itself: the slope is that of a small step.
    step = {unit: worth_on_paper(unit, PRICE) for unit in FIELD}
    for unit in FIELD:
        near = [lead(unit, PRICE | {unit: step[unit] * math.exp(by)}) for by in (-1e-4, 1e-4)]
        slope = math.log(1.1) * (near[1] - near[0]) / 2e-4
        assert rows.loc[unit, "worth_slope"] == pytest.approx(slope, rel=1e-3), unit


@pytest.mark.slow
def test_worth_reasons__the_opponents_of_each(table):
    """One opponent alone pulls nowhere: it is even with it. The T-34's two pull as far as each other."""
    rows = table("worth_reasons", "unit", "opponent")
    assert sorted(rows.index) == [(T34, HEAVY), (T34, SCOUT)]
    at = PRICE | {T34: worth_on_paper(T34, PRICE)}
    for other in (HEAVY, SCOUT):
        prices = {T34: at[T34], other: PRICE[other]}
        alone = [battle_at(T34, other, prices, *with_) for with_ in product(BUDGETS, LIMITS)]
        assert rows.loc[(T34, other), "score"] == close(sum(alone) / 4)
        assert rows.loc[(T34, other), "opponent_requisition"] == PRICE[other]
    assert rows["pull"].sum() == pytest.approx(0, abs=1e-3)
    assert rows.loc[(T34, HEAVY), "pull"] > 1


@pytest.mark.slow
def test_prices__level_all_units(table):
    """At fair prices every lead is 0, the T-34 at its own; new ones are rounded to 1 below 50, else to 5, half up."""
    rows = table("prices", "unit")
    assert sorted(rows.index) == sorted(FIELD)
    fair = rows["fair_requisition"].to_dict()
    assert fair[T34] == PRICE[T34]
    assert [lead(unit, fair) for unit in FIELD] == pytest.approx([0, 0, 0], abs=1e-5)  # of prices with six digits
    steps = {unit: 1 if price < 50 else 5 for unit, price in fair.items()}
    new = {unit: steps[unit] * math.floor(price / steps[unit] + 0.5) for unit, price in fair.items()}
    assert rows["new_requisition"].to_dict() == new
    for unit in FIELD:
        before, after = 0.5 + lead(unit, PRICE), 0.5 + lead(unit, new)
        expected = {"requisition": PRICE[unit], "change": new[unit] / PRICE[unit] - 1}
        assert same(rows.loc[unit], {**expected, "score_before": before, "score_after": after})
    assert rows.loc[T34, "why"] == "anchor"


@pytest.mark.slow
def test_structure__share_of_each_need_at_six_inches(table):
    rows = table("structure")
    assert rows["facing"].tolist() == ["front"] * 7 + ["side"] * 7
    assert rows["need"].tolist() == [1, 2, 3, 4, 5, 6, 7] * 2
    ninths = [3, 0, 0, 3, 0, 0, 3, 5, 0, 0, 3, 0, 0, 1]
    assert rows["share_of_pairs"].tolist() == [close(F(n, 9)) for n in ninths]


@pytest.mark.slow
def test_turns_to_kill__median_of_each_class(table):
    """Every situation counts alike here. The heavy: six of 1 and six of 12/7, in the middle 19/14.

    T-34 and scout, 24 cells: the scout has no chance in 8; 1 twice, 144/119 four times, 12/7 six, 24/7 four times.
    """
    rows = table("turns_to_kill", "gun_class")
    assert rows.index.tolist() == ["75-77 mm", "100 mm and more"]
    small = {"units": 2, "share_out_of_reach": 0, "share_impossible": F(8, 24), "median_turns_to_kill": F(12, 7)}
    large = {"units": 1, "share_out_of_reach": 0, "share_impossible": 0, "median_turns_to_kill": F(19, 14)}
    assert same(rows.loc["75-77 mm"], small)
    assert same(rows.loc["100 mm and more"], large)


@pytest.mark.slow
def test_sensitivity__every_column_of_every_reading(table):
    rows = table("sensitivity")
    before = {unit: points for unit, (_, points) in OWN.exchange().items()}
    rank_before = sorted(FIELD, key=lambda unit: -before[unit])
    expected = {}
    for name, paper in PAPER.items():
        after = {unit: points for unit, (_, points) in paper.exchange().items()}
        rank = sorted(FIELD, key=lambda unit: -after[unit])
        moved = [abs(rank.index(unit) - rank_before.index(unit)) for unit in FIELD]
        change = {cell: abs(paper.win[cell] - OWN.win[cell]) for cell in CELLS}
        expected[name] = {
            "mean_change_of_p_win": OWN.mean(change),
            "largest_change_of_p_win": max(change.values()),
            "factor_on_exchange_ratio": math.prod(max(after[u] / before[u], before[u] / after[u]) for u in FIELD)
            ** (1 / 3),
            # Spearman's: 1 - 6 x sum of squares / (3 x 8).
            "rank_correlation": 1 - sum(F(n * n) for n in moved) / 4,
            "largest_change_of_rank": max(moved),
            **paper.headlines(),
        }
    still = {**expected["default rules"]}
    expected |= {"wall_rule=both": still, "wall_rule=armor_plus_1": still}
    readings = sorted(set(expected) - {"default rules"}, key=lambda n: (-expected[n]["mean_change_of_p_win"], n))
    assert rows["reading"].tolist() == ["default rules", *readings]
    for _, row in rows.iterrows():
        assert same(row, expected[row["reading"]]), row["reading"]
    # At 24 inches the heavy becomes the second: it must not be that nothing moves any rank.
    assert expected["penetration_falloff=true"]["largest_change_of_rank"] == 1
    assert expected["penetration_falloff=true"]["rank_correlation"] == F(1, 2)


@pytest.mark.slow
def test_sensitivity__the_largest_change_first_and_equal_ones_by_name(table):
    change = {
        name: paper.mean({cell: abs(paper.win[cell] - OWN.win[cell]) for cell in CELLS})
        for name, paper in PAPER.items()
        if paper is not OWN
    }
    order = sorted(change, key=change.get, reverse=True)
    assert order != sorted(order)
    idle = ["wall_rule=armor_plus_1", "wall_rule=both"]
    assert table("sensitivity")["reading"].tolist() == ["default rules", *order, *idle]


@pytest.mark.slow
def test_kill_probability__within_two_turns(table):
    """The heavy at a front, 1+ at 6 inches and 2+ at 7: 1 - (1/36)^2; the T-34 4+, 1 - (5/12)^2, or twice, (7/12)^2."""
    rows = table("kill_probability")
    expected = [
        (HEAVY, T34, 6, "front", 2, F(1)),
        (HEAVY, T34, 7, "front", 2, F(1295, 1296)),
        (T34, SCOUT, 6, "front", 2, F(119, 144)),
        (T34, SCOUT, 7, "front", 2, F(119, 144)),
        (T34, HEAVY, 6, "front", 2, F(49, 144)),
        (T34, HEAVY, 7, "front", 2, F(49, 144)),
    ]
    assert len(rows) == len(expected)
    for (_, row), values in zip(rows.iterrows(), expected, strict=True):
        assert same(row, dict(zip(rows.columns, values, strict=True)))


# --- what it comes to, in numbers and words


@pytest.mark.slow
def test_summary__headlines(said):
    assert said["headlines"].keys() == OWN.headlines().keys()
    assert same(said["headlines"], OWN.headlines())
    assert (said["field"], said["categories"]) == (list(FIELD), ["vehicle"])
    assert said["situations"] == {"range_in": {"6": 0.25, "24": 0.75}, "facing": {"front": 0.75, "side": 0.25}}
    assert said["situation_count"] == 4
    assert said["cheapest"] == 25


@pytest.mark.slow
def test_summary__price_and_victory(said):
    """Over the six ordered pairs of units that differ; a mirror has no dearer one."""
    pairs = [(a, t) for a, t in product(FIELD, FIELD) if a != t]
    win = {pair: OWN.pair(OWN.win, *pair) for pair in pairs}
    lost = {pair: OWN.pair(OWN.lost, *pair) for pair in pairs}
    dearer = [win[a, t] if PRICE[a] > PRICE[t] else lost[a, t] for a, t in pairs]
    # Nothing that differs in price can draw, so what the dearer doesn't win, the cheaper does.
    expected = {"p_dearer_wins": sum(dearer) / 6, "p_cheaper_wins": 1 - sum(dearer) / 6}
    # Never a win of the scout's: against a heavy, either way, and when it is the T-34 that chooses the face.
    assert lost[HEAVY, SCOUT] == win[SCOUT, HEAVY] == lost[T34, SCOUT] == 0
    # The others: the T-34 on either side of a heavy, and the scout that sees the side of a T-34, are no foregone wins.
    assert all(F(1, 2) < max(win[p], lost[p]) < F(9, 10) for p in [(HEAVY, T34), (T34, HEAVY), (SCOUT, T34)])
    assert same(said["verdict"], {**expected, "share_one_sided": F(3, 6)})


@pytest.mark.slow
def test_summary__tables_are_those_of_the_files(said, table):
    """The page has its tables from here, a program may have them from either."""
    for name, file in (
        ("units", "cost_effectiveness"),
        ("worth", "worth"),
        ("worth_reasons", "worth_reasons"),
        ("prices", "prices"),
        ("gun_classes", "turns_to_kill"),
    ):
        rows = json.loads(json.dumps(said[name]).replace('"inf"', "Infinity"))
        assert rows == table(file).astype(object).where(lambda frame: frame.notna(), None).to_dict("records")
    readings = table("sensitivity")
    assert said["readings"] == readings[readings["mean_change_of_p_win"].gt(0) | (readings.index == 0)].to_dict(
        "records"
    )


@pytest.mark.slow
def test_summary__words(said):
    # The T-34 is worth more than it costs, the others less; but of two opponents there is no interval to say so by.
    worths = {unit: worth_on_paper(unit, PRICE) for unit in FIELD}
    assert worths[T34] > 1.5 * PRICE[T34]
    assert worths[HEAVY] / PRICE[HEAVY] < worths[SCOUT] / PRICE[SCOUT] < 1
    assert (said["underpriced"], said["overpriced"]) == ([], [])
    assert (said["in_line"], said["rated"]) == (0, 3)
    assert said["harmless"] == []
    assert [row["reading"] for row in said["readings"]] == [
        "default rules",
        "penetration_falloff=true",
        "resolution=two_dice",
        "range_boundary=strict",
    ]
    assert said["idle"] == ["wall_rule=armor_plus_1", "wall_rule=both"]
    tried = [switch["name"] for switch in said["switches"] if switch["tried"]]
    assert tried == ["resolution", "range_boundary", "penetration_falloff", "wall_rule"]
    assert said["plotted"] == [[HEAVY, T34], [T34, SCOUT], [T34, HEAVY]]
    assert (said["changed"], said["no_proposal"], said["pairs"]) == (2, "", 16)
    assert said["tuning"] == {"limits": [2, 3], "budgets": ["100", "200"], "floor": 5}  # a fortieth of 200
    fair = {row["unit"]: row["fair_requisition"] for row in said["prices"]}
    for name, prices in (
        ("before", PRICE),
        ("fair", fair),
        ("after", {row["unit"]: row["new_requisition"] for row in said["prices"]}),
    ):
        rms = math.sqrt(sum(lead(unit, prices) ** 2 for unit in FIELD) / 3)
        assert said["prices_leave"][f"rms_{name}"] == pytest.approx(rms, abs=1e-6), name
    known = {"game": "Armored Advance", "variant": "default rules", "engine": "exact", "definition": "three"}
    assert known.items() <= said["provenance"].items()
    dearer = sum(OWN.pair(OWN.win, *pair) for pair in [(HEAVY, T34), (HEAVY, SCOUT), (T34, SCOUT)])
    dearer += sum(OWN.pair(OWN.lost, *pair) for pair in [(T34, HEAVY), (SCOUT, HEAVY), (SCOUT, T34)])
    moved = 100 * OWN.mean({c: abs(PAPER["penetration_falloff=true"].win[c] - OWN.win[c]) for c in CELLS})
    assert said["titles"] == {
        "matchup_heatmap": f"Who wins: the dearer unit in {float(100 * dearer / 6):.1f} % of duels, "
        f"the cheaper in {float(100 - 100 * dearer / 6):.1f} %",
        "worth": "What units are worth where all units hold: none has an interval",
        "sensitivity": f"penetration_falloff=true changes most: by {float(moved):.1f} points in a pair's chance to win",
    }


@pytest.mark.slow
def test_summary__bars(said):
    words = ["automatic", "2+", "3+", "4+", "5+", "6+", "impossible"]
    for bar, facing, ninths in zip(
        said["bars"], ("front", "side"), ([3, 0, 0, 3, 0, 0, 3], [5, 0, 0, 3, 0, 0, 1]), strict=True
    ):
        assert bar["facing"] == facing
        assert [part["need"] for part in bar["parts"]] == words
        assert [part["share_of_pairs"] for part in bar["parts"]] == [close(F(n, 9)) for n in ninths]


SHOWN = {
    "go to the dearer one": "93.7 %",
    "are one-sided": "50.0 %",
    "what the first turn adds": "14.4 points",
    "impossible": "27.8 %",
    "of holding to destroy a target": "1.71 turns",
    "have no winner": "8.3 %",
}
"""What stands before the words of each headline."""


def test_shown__is_what_the_paper_says():
    found = OWN.headlines()
    assert f"{float(100 * found['first_turn_gap']):.1f} points" == SHOWN["what the first turn adds"]
    assert f"{float(100 * found['share_impossible']):.1f} %" == SHOWN["impossible"]
    assert f"{float(100 * found['share_draws']):.1f} %" == SHOWN["have no winner"]
    assert f"{float(found['median_turns_to_kill']):.2f} turns" == SHOWN["of holding to destroy a target"]


@pytest.mark.slow
def test_summary_md__shows_the_numbers(report):
    text = (report / "summary.md").read_text(encoding="utf-8")
    for words, number in SHOWN.items():
        assert re.search(rf"^- {re.escape(number)} [^.]*{words}", text, re.MULTILINE), words
    assert ", 6.3 % to the cheaper." in text
    assert "3 units (vehicle) against each other in 4 weighted situations" in text
    assert "\n\nNone is known to be underpriced.\n\nNone is known to be overpriced.\n\n" in text
    assert "\n\nNo unit can be judged, as none has an interval of its worth in battles of units that hold: " in text
    assert "Cards at another than their fair price: 2 of 3." in text
    assert "\n## Most underpriced and most overpriced\n" in text
    assert "![What units are worth against what they cost](worth.png)" in text
    assert "trend" not in text
    assert "- front: automatic 33.3 %, 4+ 33.3 %, impossible 33.3 %\n" in text
    assert "- side: automatic 55.6 %, 4+ 33.3 %, impossible 11.1 %\n" in text
    assert "No effect on duels in these situations: wall_rule=armor_plus_1, wall_rule=both.\n" in text
    assert "| penetration_falloff=true | 22.9 % | 100.0 % | 3.01 | 0.500 | 1 |" in text
    assert "| default rules | 0.0 % | 0.0 % | 1.00 | 1.00 | 0 |" in text
    assert re.search(r"^\| 75-77 mm \| 2 \| 33\.3 % \|.* 1\.71 \|$", text, re.MULTILINE)
    switches = re.findall(r"^- `(\w+)`: AA-\d+", text, re.MULTILINE)
    assert switches == ["resolution", "range_boundary", "penetration_falloff", "wall_rule"]


@pytest.fixture(scope="module")
def page(report):
    """Return the sections of the page as text without tags, by id."""
    text = (report / "index.html").read_text(encoding="utf-8")
    sections = {}
    for name, body in re.findall(r'<section id="(\w+)"[^>]*>(.*?)</section>', text, re.DOTALL):
        sections[name] = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))
    return sections


def test_page__shows_the_numbers(page):
    head = page["findings"]
    for words, number in SHOWN.items():
        assert re.search(rf"{re.escape(number)} [^%]*{words}", head), words
    assert "6.3 % to the cheaper" in head
    assert "3 units (vehicle) against each other in 4 weighted situations" in head
    assert (
        "No unit can be judged, as none has an interval of its worth in battles of units that hold: movement, cover, "
        "scouting, carrying and objectives are not in them. " in head
    )
    assert "out of line" not in head
    for whose in ("more", "less"):
        assert f"Worth {whose} than they cost none is known to be" in head
    assert "budgets of 100, 200 and limits of 2, 3 actions a turn" in head
    assert "trend" not in head
    assert "no battle can price" not in head


def test_page__shows_the_tables(page):
    ranking = page["units"].partition("What units destroy for what they lose name rank")[2]
    assert re.search(r" Heavy 1 vehicle 200 1\.39 .* T-34 2 vehicle .* Scout <1> 3 ", ranking)
    assert "it doesn't say who is worth their requisition: dear units are above 1" in page["units"]
    for unit in (HEAVY, SCOUT):
        worth, score = f"{worth_on_paper(unit, PRICE):#.3g}", 100 * (0.5 + lead(unit, PRICE))
        change = math.floor(100 * (worth_on_paper(unit, PRICE) / PRICE[unit] - 1) + 0.5)
        row = f"{NAME[unit]} {PRICE[unit]} {worth} – – {change} % {score:.1f} % "
        assert re.search(rf"{re.escape(row)}[^–%]*vehicle ", page["units"]), unit
    assert "front 33.3 % 0.0 % 0.0 % 33.3 % 0.0 % 0.0 % 33.3 %" in page["structure"]
    assert "side 55.6 % 0.0 % 0.0 % 33.3 % 0.0 % 0.0 % 11.1 %" in page["structure"]
    assert " 75-77 mm 2 33.3 % 0.0 % 1.71 " in page["structure"]
    paper = PAPER["penetration_falloff=true"]
    largest = f"{100 * max(abs(float(paper.win[cell] - OWN.win[cell])) for cell in CELLS):.0f}"
    told = rf" penetration falloff: yes 23 {largest} T-34 \+.* 1 48\.6 % 31\.3 % 1\.71 "
    assert re.search(told, page["rules"])
    idle = "No effect on duels in these situations: wall rule: armor plus 1; wall rule: both."
    assert idle in page["rules"]
    costs = page["requisition"]
    assert "except units that are worth less than the least price, 5. Cards at another price: 2 of 3." in costs
    assert "formula" not in costs
    assert "all 16 ordered pairs" in page["wins"]
    assert "range, inches 6: 25.0 %, 24: 75.0 % facing front: 75.0 %, side: 25.0 %" in page["sources"]


@pytest.mark.slow
def test_page__explains_every_column_of_the_tables(report, page):
    used = {name for file in report.glob("*.csv") for name in file.read_text().splitlines()[1].split(",")}
    used |= {"p_dearer_wins", "p_cheaper_wins", "share_one_sided"}
    text = (report / "index.html").read_text(encoding="utf-8")
    columns_of = re.search(r'<section id="columns".*?</section>', text, re.DOTALL)[0]
    explained = re.findall(r"<td><code>(\w+)</code>", columns_of)
    assert set(explained) == used
    assert f" {len(used)} columns " in page["columns"]


@pytest.mark.slow
def test_tables__say_where_they_come_from(said, report):
    for path in report.glob("*.csv"):
        head = path.read_text(encoding="utf-8").splitlines()[0]
        assert json.loads(head.removeprefix("# ")) == said["provenance"]


# --- rosters of which less can be said


def analysed(cards, changes=(), definition=DEFINITION, source=True):
    """Return what a report says of a roster, without drawing it."""
    folder = cards.parent
    (folder / "mine.toml").write_text(definition, encoding="utf-8")
    found = spec.read(folder / "mine.toml" if source else None, "armored_advance")
    game = Game(cards=cards, changes=changes)
    field = cost.field_of(game, found.field)
    situations = Situations.of(game, found.situations)
    with background(worthwhile=False) as worker:
        prices = worker.submit(results.price, found, game, situations)
        made = results.analyse(found, game, field, situations, prices, lambda steps: None, worker)
    return summary.summarise(found, game, field, made, tables.provenance(game, found.name, found.postures))


@pytest.fixture
def cards(tmp_path):
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/units.toml").write_text(CARDS, encoding="utf-8")
    return tmp_path / "cards"


@pytest.mark.slow
def test_summary__units_that_destroy_nothing_are_not_rated(cards):
    """Without a gun the scout destroys nothing, and nothing says what it is worth."""
    said = analysed(cards, ["scout.weapons=[]"])
    assert said["harmless"] == ["Scout <1>"]
    assert SCOUT not in [row["unit"] for row in said["underpriced"] + said["overpriced"]]
    assert said["rated"] == 2
    worth = {row["unit"]: row for row in said["worth"]}
    assert math.isnan(worth[SCOUT]["worth"])
    assert worth[SCOUT]["flags"] == "no unit with a price can both hurt it and be hurt by it; no anti-tank weapon"
    prices = {row["unit"]: row for row in said["prices"]}
    assert (prices[SCOUT]["new_requisition"], prices[SCOUT]["why"]) == (25, "it can hurt nobody")
    scout = next(row for row in said["units"] if row["unit"] == SCOUT)
    assert (scout["requisition_exchange_ratio"], scout["loss_exchange_ratio"], scout["rank"]) == (0, 0, 3)
    # An attacker without a weapon has no part in what the die must show.
    half = [0.5, 0, 0, 0.5, 0, 0, 0]
    assert [part["share_of_pairs"] for part in said["bars"][0]["parts"]] == half
    text = json.loads(summary.text(said))
    assert next(row for row in text["worth"] if row["unit"] == SCOUT)["worth"] is None
    assert next(row for row in text["gun_classes"] if row["gun_class"] == "no gun") == {
        "gun_class": "no gun",
        "units": 1,
        "share_out_of_reach": 0.0,
        "share_impossible": 1.0,
        "median_turns_to_kill": "inf",
    }


@pytest.mark.slow
def test_summary__a_gun_that_pierces_nothing_has_no_part_in_what_the_die_must_show(cards):
    text = CARDS.replace("penetration = 8,", "penetration = 0,")
    (cards / "units.toml").write_text(text, encoding="utf-8")
    said = analysed(cards)
    assert said["harmless"] == ["Scout <1>"]
    assert [part["share_of_pairs"] for part in said["bars"][0]["parts"]] == [0.5, 0, 0, 0.5, 0, 0, 0]


@pytest.mark.slow
def test_summary__units_that_lose_nothing(cards):
    """Nothing pierces it: it destroys two of three, itself aside; no price would make it even."""
    said = analysed(cards, ["heavy.armor.front=20", "heavy.armor.side=20"])
    heavy = said["units"][0]
    assert heavy["unit"] == HEAVY
    assert heavy["requisition_exchange_ratio"] == heavy["loss_exchange_ratio"] == math.inf
    prices = {row["unit"]: row for row in said["prices"]}
    assert (prices[HEAVY]["new_requisition"], prices[HEAVY]["why"]) == (200, "nobody can hurt it")
    assert (said["rated"], said["no_proposal"]) == (2, "")


@pytest.mark.slow
def test_summary__roster_that_never_meets_has_no_headline_to_boast(cards):
    """One harmless unit against itself: nothing is dearer, nothing is decided, nothing moves."""
    text = CARDS[CARDS.index("[scout]") : CARDS.index("[squad]")]
    (cards / "units.toml").write_text(text, encoding="utf-8")
    said = analysed(cards, ["scout.weapons=[]"], source=False)
    verdict = said["verdict"]
    assert all(math.isnan(verdict[name]) for name in ("p_dearer_wins", "p_cheaper_wins", "share_one_sided"))
    assert said["headlines"]["share_impossible"] == close(1)
    assert said["headlines"]["share_draws"] == close(1)
    assert said["headlines"]["median_turns_to_kill"] == math.inf
    assert said["titles"]["sensitivity"] == "No other reading of the rules changes who wins"
    assert "– of duels, the cheaper in –" in said["titles"]["matchup_heatmap"]
    assert said["longest_duel"] == ""
    assert said["plotted"] == [(SCOUT, SCOUT)]
    assert said["no_proposal"] == "tune: found scout, expected two units at least that can hurt each other"
    assert (said["prices"], said["changed"], said["bars"], said["rated"]) == ([], 0, [], 0)
    assert "worth" not in said["titles"]
    assert [row["reading"] for row in said["readings"]] == ["default rules"]
    assert math.isnan(said["readings"][0]["rank_correlation"])
    assert (
        said["units"][0]["requisition_exchange_ratio"] == said["units"][0]["loss_exchange_ratio"] == 0
    )  # none of none
    assert said["harmless"] == ["Scout <1>"]
    assert said["readings"][0]["factor_on_exchange_ratio"] == 1


@pytest.mark.slow
def test_summary__own_definition_draws_the_middle_and_the_first_of_a_roster_without_its_pairs(cards):
    said = analysed(cards, source=False)
    assert [row["unit"] for row in said["units"]] == [HEAVY, T34, SCOUT]
    assert said["plotted"] == [(T34, HEAVY), (HEAVY, T34)]


@pytest.mark.slow
def test_summary__names_the_five_that_are_furthest_out(cards):
    """Of fourteen T-34 every other one costs half as much again: what copies are worth lies between."""
    block = CARDS[CARDS.index("[su_t34_85]") : CARDS.index("[scout]")]
    many = [
        block.replace("= 50", f"= {(120 if n % 2 else 80) + n}").replace("[su_t34_85]", f"[t{n:02}]") for n in range(14)
    ]
    (cards / "units.toml").write_text("\n".join(many), encoding="utf-8")
    definition = DEFINITION[: DEFINITION.index("[sensitivity]")] + DEFINITION[DEFINITION.index("[tuning]") :]
    definition = re.sub(r"kill_probability = .*", "kill_probability = []", definition)
    said = analysed(cards, definition=definition)
    cheap, dear = ([f"t{n:02}" for n in range(first, 14, 2)] for first in (0, 1))
    # Copies are worth about the same, so that the cheapest of the cheap and the dearest of the dear stand farthest out.
    assert [row["unit"] for row in said["underpriced"]] == cheap[:5]
    assert [row["unit"] for row in said["overpriced"]] == dear[:-6:-1]
    assert said["titles"]["worth"] == "0 of 14 units cost the requisition that they are worth where all units hold"


ALONE = CARDS[: CARDS.index("[su_t34_85]")]
NOBODY_MEETS = "tune: found heavy, su_t34_85, scout, expected two units at least that can hurt each other"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "changes", "said", "rated"),
    [
        (ALONE, [], "tune: found heavy, expected two units at least that can hurt each other", 0),
        # The T-34 sets the scale; without it, the others still say what they are worth to each other.
        (CARDS.replace("su_t34_85", "other"), [], "anchors: found none, and no su_t34_85, which sets the scale", 3),
        (CARDS, ["su_t34_85.weapons=[]"], NOBODY_MEETS, 0),
        (CARDS, [f"su_t34_85.armor.{face}=30" for face in ("front", "side", "rear")], NOBODY_MEETS, 0),
        (CARDS[CARDS.index("[squad]") :], [], "tune: found no unit, expected two units at least", 0),
    ],
    ids=["one unit", "no anchor", "one that can't hurt", "one that can't be hurt", "squads alone"],
)
def test_write__says_in_a_sentence_why_no_price_can_be_proposed(cards, text, changes, said, rated):
    """The page is whole all the same: whoever has a worth is rated, and the picture is of these."""
    (cards / "units.toml").write_text(text, encoding="utf-8")
    definition = DEFINITION.replace('field = ["vehicle"]\n', "").replace(
        DEFINITION[DEFINITION.index("[sensitivity]") : DEFINITION.index("[tuning]")], ""
    )
    definition = re.sub(r"kill_probability = .*", "kill_probability = []", definition)
    (cards.parent / "mine.toml").write_text(definition, encoding="utf-8")
    out = build.write(
        spec.read(cards.parent / "mine.toml", "armored_advance"),
        Game(cards=cards, changes=changes),
        cards.parent / "out",
    )
    shown = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert shown["no_proposal"].startswith(said)
    assert (shown["rated"], shown["prices"]) == (rated, [])
    assert (out / "worth.png").exists() == (rated > 0)
    page = (out / "index.html").read_text(encoding="utf-8").replace("&#39;", "'")
    assert f"<p>No prices can be proposed: {shown['no_proposal']}.</p>" in page
    assert ("No unit can be rated" in page) == (rated == 0)
    in_short = (out / "summary.md").read_text(encoding="utf-8")
    assert f"{shown['no_proposal']}." in in_short
    assert f"\n{counted(len(shown['field']), 'unit')} against each other in " in in_short


@pytest.mark.slow
@pytest.mark.parametrize(("price", "at_floor", "overpriced"), [(5, ["Scout <1>"], False), (8, [], True)])
def test_summary__who_is_worth_less_than_the_least_price_and_costs_it_is_not_out_of_line(
    cards, price, at_floor, overpriced
):
    """Beside a T-34 at 10, a scout is worth less than the least price: 5, a fortieth of 200."""
    prices = PRICE | {T34: 10, SCOUT: 5}
    assert lead(SCOUT, prices) < 0
    definition = DEFINITION[: DEFINITION.index("[sensitivity]")] + DEFINITION[DEFINITION.index("[tuning]") :]
    said = analysed(cards, ["su_t34_85.requisition=10", f"scout.requisition={price}"], definition)
    assert said["at_floor"] == at_floor
    assert ("Scout <1>" in [row["name"] for row in said["overpriced"]]) == overpriced
    assert "Scout <1>" not in [row["name"] for row in said["underpriced"]]
    assert said["rated"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(("penetration", "by_band"), [(8, 0), (0, 8)])
def test_sensitivity__a_unit_that_a_reading_disarms_or_arms_bears_on_no_factor(cards, penetration, by_band):
    """With falloff the scout's gun is worth nothing anywhere, or worth something only then: a rank, but no factor."""
    text = CARDS.replace("[12, 12, 12, 8, 8, 8]", str([12] * 6))
    gun = f"penetration = {penetration}, penetration_by_band = {[by_band] * 6},"
    (cards / "units.toml").write_text(text.replace("penetration = 8,", gun), encoding="utf-8")
    said = analysed(cards)
    disarmed = Paper(lambda a, *at: F(0) if a == SCOUT else by_the_rules(a, *at))
    own, other = (OWN, disarmed) if penetration else (disarmed, OWN)
    before, after = own.exchange(), other.exchange()
    assert disarmed.exchange()[SCOUT] == (0, 0)
    row = next(row for row in said["readings"] if row["reading"] == "penetration_falloff=true")
    factors = [max(after[u][1] / before[u][1], before[u][1] / after[u][1]) for u in (HEAVY, T34)]
    assert row["factor_on_exchange_ratio"] == close(math.prod(factors) ** (1 / 2))
    assert same(row, other.headlines())


def test_sensitivity__ranks_of_two_units_correlate(three):
    found = sensitivity.sensitivity(*three, switches={"resolution": ["two_dice"]}, field=[HEAVY, T34])
    assert found["rank_correlation"].tolist() == [close(1), close(1)]


@pytest.mark.slow
def test_sensitivity__in_situations_of_its_own(cards):
    """At 6 inches alone two dice change nothing that is sure, and halve what is 4+: the paper's, at that distance."""
    own = 'sensitivity_situations = [{ weight = 1.0, range_in = 6, facing = "side" }]\n'
    said = analysed(cards, definition=DEFINITION.replace("\n[situations.range_in]", f"{own}\n[situations.range_in]"))
    cells = [(a, t, 6, "side") for a, t in product(FIELD, FIELD)]
    mean = {name: sum(paper.p[cell] for cell in cells) / 9 for name, paper in PAPER.items()}
    found = {row["reading"]: row["mean_p_damage"] for row in said["readings"]}
    assert found == {name: close(mean[name]) for name in found}
    assert {"default rules", "resolution=two_dice", "range_boundary=strict"} == set(found)
    assert "penetration_falloff=true" in said["idle"]
    assert said["headlines"]["mean_p_damage"] == close(F(133, 288))  # the rest is as it was


# --- the same from Python


@pytest.fixture
def three(cards):
    """Return the game of the three units alone, and the situations."""
    (cards / "units.toml").write_text(CARDS[: CARDS.index("[squad]")], encoding="utf-8")
    game = Game(cards=cards)
    return game, Situations.of(game, {"range_in": {"6": 0.25, "24": 0.75}, "facing": {"front": 0.75, "side": 0.25}})


def test_cost_effectiveness__without_a_field_counts_everyone(three):
    found = cost.cost_effectiveness(matchups(*three)).set_index("unit")
    for unit, (loss, points) in OWN.exchange().items():
        assert found.loc[unit, "loss_exchange_ratio"] == pytest.approx(float(loss), rel=1e-12)
        assert found.loc[unit, "requisition_exchange_ratio"] == pytest.approx(float(points), rel=1e-12)
    assert cost.field_of(three[0], None) == list(FIELD)


def test_cost_effectiveness__equal_ratios_rank_by_id():
    chances = {"weight": 1.0, "p_win": 0.5, "p_loss": 0.5, "expected_damage_per_action": 1.0}
    rows = pd.DataFrame(product("bac", "bac"), columns=["attacker", "target"])
    found = cost.cost_effectiveness(rows.assign(**chances, expected_shots_to_kill=2.0, attacker_requisition=10.0))
    assert found["requisition_exchange_ratio"].tolist() == [1, 1, 1]
    assert list(zip(found["unit"], found["rank"], strict=True)) == [("a", 1), ("b", 2), ("c", 3)]


def test_cost_effectiveness__who_destroys_nothing_has_0_though_nobody_destroys_it():
    """And who loses nothing, but destroys something, has no end: a wins all duels with c, of b nobody wins any."""
    rows = pd.DataFrame(product("abc", "abc"), columns=["attacker", "target"])
    wins = {("a", "c"): (1.0, 0.0), ("c", "a"): (0.0, 1.0)}
    rows[["p_win", "p_loss"]] = [wins.get(pair, (0.0, 0.0)) for pair in product("abc", "abc")]
    given = {"weight": 1.0, "expected_damage_per_action": 1.0, "expected_shots_to_kill": 2.0}
    found = cost.cost_effectiveness(rows.assign(**given, attacker_requisition=10.0))
    for name in ("loss_exchange_ratio", "requisition_exchange_ratio"):
        assert found[name].tolist() == [math.inf, 0, 0]
    assert list(zip(found["unit"], found["rank"], strict=True)) == [("a", 1), ("b", 2), ("c", 3)]


def test_headlines__without_a_field_count_everyone(three):
    assert same(sensitivity.headlines(matchups(*three)).iloc[0], OWN.headlines())


def test_headlines__of_a_field_leave_out_who_isn_t_in_it(three):
    """Two heavies at 6 inches, one sure hit each: whoever moves first wins. At 24 inches 12/17, the other 5/17."""
    row = sensitivity.headlines(matchups(*three), [HEAVY]).iloc[0]
    advantage = F(1, 4) + F(3, 4) * (F(12, 17) - F(5, 17))
    expected = {"share_impossible": 0, "mean_p_damage": F(1, 4) + F(3, 4) * F(7, 12), "share_draws": 0}
    assert same(row, {**expected, "median_turns_to_kill": F(12, 7), "first_turn_gap": advantage})


def test_cost_effectiveness__against_the_trend(three):
    """A power law through 25, 50 and 200, of which the logarithms stand at -1, 0 and 2.

    What is left over goes as 2 : -3 : 1, since that has no mean and no slope, so
    c = (2 ln scout - 3 ln T-34 + ln heavy) / 14.
    """
    rows = cost.with_peers(cost.cost_effectiveness(matchups(*three))).set_index("unit")
    ratio = {unit: float(points) for unit, (_, points) in OWN.exchange().items()}
    c = math.log(ratio[SCOUT] ** 2 * ratio[HEAVY] / ratio[T34] ** 3) / 14
    peers = {SCOUT: math.exp(2 * c), T34: math.exp(-3 * c), HEAVY: math.exp(c)}
    assert rows["exchange_ratio_to_peers"].to_dict() == {unit: close(peers[unit]) for unit in rows.index}
    assert rows["peer_exchange_ratio"].to_dict() == {unit: close(ratio[unit] / peers[unit]) for unit in rows.index}


def test_first_requisition__the_formula_with_surcharges(cards):
    """The mean damage per action times the mean number of attacks that it survives; the T-34 at 100.

    The heavy survives 1 / ((11/16 + 7/24) / 3) = 144/47 attacks, the others 1 / ((11/16 + 39/64 + 7/48) / 3) = 576/277.
    Roots of attack x endurance: 1980/47 gives 6.4906, 3460/277 gives 3.5342, 560/277 gives 1.4219. The T-34 carries two
    squads for 10 of its 100, so a point of the root is 90 / 3.5342 = 25.465: the heavy 165.3, the scout 36.2 and 5 for
    scouting, 5 for a squad. The squad of riflemen has a flat 10.
    """
    game = Game(cards=cards)
    met = matchups(
        game, Situations.of(game, {"range_in": {"6": 0.25, "24": 0.75}, "facing": {"front": 0.75, "side": 0.25}})
    )
    rows = cost.first_requisition(game, met, list(FIELD)).set_index("unit")
    expected = {
        HEAVY: ("Heavy", 200, F(55, 4), F(144, 47), 165),
        T34: ("T-34", 50, F(865, 144), F(576, 277), 90 + 10),
        SCOUT: ("Scout <1>", 25, F(35, 36), F(576, 277), 35 + 5 + 5),
        "squad": ("Squad", 10, 0, math.inf, 10),
    }
    assert rows.index.tolist() == list(expected)
    for unit, values in expected.items():
        assert same(rows.loc[unit], dict(zip(rows.columns, values, strict=True))), unit


def formula(cards, changes=(), field=None):
    game = Game(cards=cards, changes=changes)
    return cost.first_requisition(game, matchups(game), field).set_index("unit")["proposal"].to_dict()


def test_first_requisition__is_flat_for_who_destroys_nothing_or_can_not_be_destroyed(cards):
    assert (
        formula(cards, ["scout.weapons=[]"], FIELD)[SCOUT] == 10 + 5 + 5
    )  # without a weapon, and what it does besides
    assert formula(cards, ["heavy.armor.front=20", "heavy.armor.side=20", "heavy.armor.rear=20"], FIELD)[HEAVY] == 20


@pytest.mark.parametrize("changes", [["su_t34_85.weapons=[]"], ["su_t34_85.armor.front=30", "su_t34_85.armor.side=30"]])
def test_first_requisition__none_where_the_reference_unit_can_t_hurt_or_be_hurt(cards, changes):
    three = {"range_in": {"6": 0.25, "24": 0.75}, "facing": {"front": 0.75, "side": 0.25}}
    game = Game(cards=cards, changes=changes)
    with pytest.raises(UsageError, match="no proposal: su_t34_85, whose 100 points fix the scale, doesn't fight"):
        cost.first_requisition(game, matchups(game, Situations.of(game, three)), list(FIELD))


def test_first_requisition__rounds_half_up(cards):
    """A gun of a quarter of the damage makes half the root: half of 95 is 47.5, and that is 50; a scout has 5 more."""
    blocks = CARDS.split("\n\n")
    reference = blocks[1].replace("apc = 2", "scout = true").replace("damage = 10", "damage = 40")
    half = blocks[1].replace("su_t34_85", "half").replace("apc = 2", "")
    (cards / "units.toml").write_text(f"{reference}\n\n{half}\n", encoding="utf-8")
    assert formula(cards) == {T34: 100, "half": 50}


def test_first_requisition__rounds_half_up_to_an_odd_step_too(cards):
    """A sixteenth of the damage makes a quarter of the root; of 90, as carrying squads costs 10, that is 22.5: 25."""
    blocks = CARDS.split("\n\n")
    reference = blocks[1].replace("damage = 10", "damage = 160")
    quarter = blocks[1].replace("su_t34_85", "quarter").replace("apc = 2", "")
    (cards / "units.toml").write_text(f"{reference}\n\n{quarter}\n", encoding="utf-8")
    assert formula(cards) == {T34: 100, "quarter": 25}


def test_first_requisition__without_a_field_counts_everyone(three):
    found = cost.first_requisition(three[0], matchups(*three)).set_index("unit")["proposal"]
    assert found.to_dict() == {HEAVY: 165, T34: 100, SCOUT: 45}


def test_sensitivity__without_a_field_counts_everyone(three):
    steps = []
    switches = {"resolution": ["two_dice"], "mg_on_grenades": [True]}  # the second isn't read: nobody has grenades
    found = sensitivity.sensitivity(*three, switches=switches, advance=steps.append)
    assert found["reading"].tolist() == ["default rules", "resolution=two_dice", "mg_on_grenades=true"]
    assert same(found.iloc[1], PAPER["resolution=two_dice"].headlines())
    assert sum(steps) == 9


def test_sensitivity__meets_in_the_standard_situations_by_default(three):
    game, _ = three
    found = sensitivity.sensitivity(game, switches={}).iloc[0]
    assert same(found, sensitivity.headlines(matchups(game)).iloc[0].to_dict())
    assert found["mean_p_damage"] != close(OWN.headlines()["mean_p_damage"])  # which are others than here


def headline(turns, weights, out_of_reach=False):
    frame = pd.DataFrame({"attacker": "a", "target": "a", "weight": weights, "expected_turns_to_kill": turns})
    frame["p_damage"] = frame["expected_damage_per_action"] = 1 / frame["expected_turns_to_kill"]
    duel = {"p_draw": 0.5, "first_turn_gap": 0.25, "player_turns": 2.0, "out_of_reach": out_of_reach}
    return sensitivity.headlines(frame.assign(**duel)).iloc[0]


@pytest.mark.parametrize(
    ("turns", "weights", "median", "impossible"),
    [
        ([3.0, 1.0], [1.0, 1.0], 1, 0),  # half of the weight is reached with the first
        ([3.0, 1.0], [1.5, 0.5], 3, 0),
        ([2.0, 8.0, 4.0], [0.25, 0.5, 0.25], 4, 0),
        ([math.inf, 5.0, 7.0], [8.0, 1.0, 1.0], 5, F(8, 10)),  # who can't kill has no part in it
        ([math.inf], [2.0], math.inf, 1),
    ],
)
def test_headlines__median_goes_by_weight(turns, weights, median, impossible):
    row = headline(turns, weights)
    assert same(row, {"median_turns_to_kill": median, "share_impossible": impossible, "share_draws": 0.5})
    assert row["first_turn_gap"] == pytest.approx(0.25)


def test_headlines__what_is_out_of_reach_is_not_called_impossible():
    row = headline([math.inf, math.inf, 2.0], [1.0, 1.0, 2.0], [True, False, False])
    assert same(row, {"share_out_of_reach": F(1, 4), "share_impossible": F(1, 3)})
    row = headline([math.inf], [1.0], [True])
    assert row["share_out_of_reach"] == 1
    assert math.isnan(row["share_impossible"])
