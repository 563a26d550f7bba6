"""What tune, diff, gate, roster and worth say of seven made-up vehicles, worked out a second time in plain Python.

Each vehicle has one gun, so that an attack hits or not (p. 6-8), and hits count one by one: the damaged enemy is shot
at first, and so many of a side are left as its hits divided by those of one, rounded up. All else is as the pages on
pricing, its theory, the reference and the gate have it. Nothing is taken from the package but its answers.
"""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import combinations, product
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import pytest
import small
from click.testing import CliRunner

import aabalance as aab
from aabalance.cli import main
from aabalance.diff.compare import compare
from aabalance.pricing.worth_report import duels_in_words

RANGES = {6: 0.05, 12: 0.20, 18: 0.30, 24: 0.25, 30: 0.15, 36: 0.05}
FACES = {"front": 0.65, "side": 0.30, "rear": 0.05}
BUDGETS, LIMITS, FLOOR = (70, 140, 280), (3, 5, 8), 7
"""Of reports/armored_advance.toml; the floor is a fortieth of the largest budget."""
T34, BIG, MID, GUNNY, LIGHT, TINY, WALL = "su_t34_85", "big", "mid", "gunny", "light", "tiny", "wall"
CARDS = {  # penetration, damage, hit points, armour, requisition, nation
    T34: (9, 10, 30, (9, 7, 6), 100, "USSR"),
    BIG: (13, 14, 50, (11, 9, 8), 200, "Germany"),
    MID: (10, 10, 25, (8, 5, 4), 70, "Germany"),
    GUNNY: (13, 14, 12, (2, 2, 2), 45, "Germany"),
    LIGHT: (8, 5, 15, (5, 3, 2), 25, "USSR"),
    TINY: (6, 4, 6, (2, 1, 1), 9, "USSR"),
    WALL: (8, 10, 60, (15, 15, 12), 150, "UK"),  # only two of the others can hurt it
}
PRICES = {unit: float(card[4]) for unit, card in CARDS.items()}
CARD = """\
[{0}]
name = "{0}"
nation = "{6}"
class = "vehicle"
weight = "medium"
drive = "tracked"
movement = 5
hp = {3}
armor = {{ front = {4[0]}, side = {4[1]}, rear = {4[2]} }}
requisition = {5}
weapons = [{{ name = "gun", kind = "at", penetration = {1}, damage = {2} }}]
"""


class Paper:
    """Battles, scores and prices of some cards."""

    def __init__(self, cards: Any = CARDS, weights: Any = None, floor: float = FLOOR) -> None:
        self.cards, self.floor, self.ids = cards, floor, list(cards)
        self.weight = {unit: (weights or {}).get(unit, 1) for unit in cards}
        self.p = {(a, b): self.hit_mixed(a, b) for a, b in product(cards, cards)}
        self.hits = {(a, b): -(-cards[b][2] // cards[a][1]) for a, b in product(cards, cards)}
        self.meets = {a: [b for b in cards if b != a and self.p[a, b] > 0 and self.p[b, a] > 0] for a in cards}
        self.turn = cache(self._turn)

    def hit(self, a: str, b: str, range_in: int, face: str) -> float:
        """The harder of what range and armour ask for, a miss by one rerolled."""
        margin = self.cards[a][0] - self.cards[b][3][list(FACES).index(face)]
        armour = 1 if margin >= 2 else {1: 2, 0: 4, -1: 6}.get(margin, 7)
        need = max(-(-range_in // 6), armour)
        return 1.0 if need <= 1 else 0.0 if need >= 7 else (7 - need) / 6 * 7 / 6

    def hit_mixed(self, a: str, b: str) -> float:
        cells = product(RANGES.items(), FACES.items())
        return sum(part * share * self.hit(a, b, at, face) for (at, part), (face, share) in cells)

    def _turn(self, a: str, x: int, b: str, y: int, limit: int) -> tuple[float, float]:
        """P(a wins) with x hits left against y of b's, if a moves and if b does; without a hit, it begins again."""

        def taken(by: str, left: int, of: str, most: int) -> list[float]:
            shots, p = min(limit, -(-left // self.hits[of, by])), self.p[by, of]
            each = [math.comb(shots, hit) * p**hit * (1 - p) ** (shots - hit) for hit in range(shots + 1)]
            return [*each[:most], sum(each[most:])]

        mine, yours = taken(a, x, b, y), taken(b, y, a, x)
        now = sum(p * (self.turn(a, x, b, y - hit, limit)[1] if hit < y else 1) for hit, p in enumerate(mine) if hit)
        then = sum(p * (self.turn(a, x - hit, b, y, limit)[0] if hit < x else 0) for hit, p in enumerate(yours) if hit)
        first = (now + mine[0] * then) / (1 - mine[0] * yours[0])
        return first, then + yours[0] * first

    def battle(self, a: str, n: int, b: str, m: int, limit: int) -> float:
        if not self.p[a, b] or not self.p[b, a]:
            return (1 + (self.p[a, b] > 0) - (self.p[b, a] > 0)) / 2
        return sum(self.turn(a, n * self.hits[b, a], b, m * self.hits[a, b], limit)) / 2

    def score(self, a: str, b: str, prices: Any, limits: Any = LIMITS) -> float:
        """For equal requisition: the mean over budgets and limits, mixed between whole numbers of copies."""
        found = []
        for budget, limit in product(BUDGETS, limits):
            spent = max(budget, prices[a], prices[b])
            (n, more_n), (m, more_m) = (
                (int(q := spent / prices[unit] + 1e-9), max(q % 1 - 1e-9, 0)) for unit in (a, b)
            )
            found.append(
                sum(
                    share_n * share_m * self.battle(a, n + i, b, m + j, limit)
                    for i, share_n in enumerate((1 - more_n, more_n))
                    for j, share_m in enumerate((1 - more_m, more_m))
                    if share_n * share_m > 1e-8
                )
            )
        return fmean(found)

    def lead(self, a: str, prices: Any, limits: Any = LIMITS) -> float:
        weights = [self.weight[b] for b in self.meets[a]]
        return float(np.average([self.score(a, b, prices, limits) for b in self.meets[a]], weights=weights)) - 0.5

    def slope(self, a: str, prices: Any, of: Any = None) -> float:
        """Derivative of a lead, or of another function of a unit and prices, by the logarithm of its own price."""
        of = of or self.lead
        low, high = (of(a, prices | {a: prices[a] * math.exp(step)}) for step in (-1e-5, 1e-5))
        return float(high - low) / 2e-5

    def worth(self, a: str, prices: Any, limits: Any = LIMITS) -> float:
        low, high = self.floor, 99 * min(prices[b] for b in self.meets[a])
        for _ in range(45):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.lead(a, prices | {a: middle}, limits) > 0 else (low, middle)
        return low

    def par(self, sets: Any, prices: Any) -> float:
        """Mean lead of those that set the scale, each counted by the weight of all its pairs."""
        counts = [self.weight[a] * sum(self.weight[b] for b in self.meets[a]) for a in sets]
        return float(np.average([self.lead(a, prices) for a in sets], weights=counts))

    def of_pairs(self, prices: Any) -> tuple[float, float]:
        """How far pairs are from even, root mean square; and which share of the squares no number of each unit has."""
        pairs = [(a, b) for a, b in combinations(self.ids, 2) if b in self.meets[a]]
        root = np.sqrt([self.weight[a] * self.weight[b] for a, b in pairs])
        above = np.array([self.score(a, b, prices) - 0.5 for a, b in pairs])
        left = (above - self.differences(pairs) @ self.numbers(pairs, above, root)) * root
        return math.sqrt(((above * root) ** 2).sum() / (root**2).sum()), (left**2).sum() / ((above * root) ** 2).sum()

    def differences(self, pairs: Any) -> Any:
        return np.array([[(unit == a) - (unit == b) for unit in self.ids] for a, b in pairs], dtype=float)

    def numbers(self, pairs: Any, wanted: Any, root: Any) -> Any:
        return np.linalg.lstsq(self.differences(pairs) * root[:, None], wanted * root, rcond=None)[0]

    def duel(self, a: str, b: str, range_in: int, face: str = "front", own: str = "front") -> tuple[float, float]:
        """P(a wins) the duel, moving first and second; of two that can't hurt each other, half."""
        p, q = self.hit(a, b, range_in, face), self.hit(b, a, range_in, own)
        if not p or not q:
            return ((1 + (p > 0) - (q > 0)) / 2,) * 2
        wins = {(x, 0): (1.0, 1.0) for x in range(self.hits[b, a] + 1)}
        wins |= {(0, y): (0.0, 0.0) for y in range(1, self.hits[a, b] + 1)}
        for x, y in product(range(1, self.hits[b, a] + 1), range(1, self.hits[a, b] + 1)):
            hit, lost = wins[x, y - 1][1], wins[x - 1, y][0]
            first = (p * hit + (1 - p) * q * lost) / (1 - (1 - p) * (1 - q))
            wins[x, y] = first, q * lost + (1 - q) * first
        return wins[self.hits[b, a], self.hits[a, b]]

    def in_duels(self, a: str, b: str) -> float:
        """Score over the standard situations, in half of which either one shows its flanks."""
        return sum(
            part * share * fmean((*self.duel(a, b, at, face), *self.duel(a, b, at, own=face)))
            for (at, part), (face, share) in product(RANGES.items(), FACES.items())
        )


PAPER = Paper()


def write(folder: Any, cards: Any = CARDS) -> Any:
    folder.mkdir(exist_ok=True)
    (folder / "units.toml").write_text("\n".join(CARD.format(unit, *card) for unit, card in cards.items()))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return write(tmp_path_factory.mktemp("seven") / "cards")


@pytest.fixture(scope="module")
def game(folder: Any) -> aab.Game:
    return aab.Game(cards=folder)


def close(number: float) -> Any:
    return pytest.approx(number, abs=1e-6, rel=1e-6)


# --- tune


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"anchors": {T34: 100, MID: 70}},
        {"locked": [BIG, WALL]},
        {"floor": 20},
        {"weights": {TINY: 0, BIG: 2}},
        {"largest_change": 0.25},
    ],
)
def test_tune__every_price_score_and_distance(game: aab.Game, changes: dict[str, Any]) -> None:
    found = aab.tune(game, **changes)
    rows, said = found.table.set_index("unit"), found.summary()
    paper = Paper(weights=changes.get("weights"), floor=changes.get("floor", FLOOR))
    anchors, locked = changes.get("anchors", {T34: 100}), changes.get("locked", [])
    fair, new = (rows[f"{which}_requisition"].to_dict() for which in ("fair", "new"))
    assert {unit: fair[unit] for unit in (*anchors, *locked)} == anchors | {unit: PRICES[unit] for unit in locked}
    # All above the least price score par, those at it less; those that the largest change holds down more.
    par, most = paper.par(anchors, fair), changes.get("largest_change", math.inf)
    free = [unit for unit in CARDS if unit not in anchors and unit not in locked]
    for unit in free:
        off = paper.lead(unit, fair) - par
        low = fair[unit] <= paper.floor
        held = fair[unit] >= PRICES[unit] * (1 + most) - 1e-9
        assert (low and off < 0) or (held and off > 0) or abs(off) < 1e-7, unit
        assert rows.loc[unit, "at_floor"] == low
        step = 1 if fair[unit] < 50 else 5
        if not low and not held:  # at a bound, as many copies may be whole numbers, where the slope is another each way
            assert new[unit] == step * math.floor(fair[unit] / step + 0.5)
            assert rows.loc[unit, "score_slope"] == pytest.approx(math.log(1.1) * paper.slope(unit, fair), rel=1e-3)
    before, after = ({unit: paper.lead(unit, prices) for unit in CARDS} for prices in (PRICES, new))
    assert rows["score_before"].to_dict() == {unit: close(0.5 + lead) for unit, lead in before.items()}
    assert rows["score_after"].to_dict() == {unit: close(0.5 + lead) for unit, lead in after.items()}
    # Distances are those of anchors, and of all that may move and aren't at the floor, from their own mean.
    counted = [unit for unit in CARDS if unit in anchors or (unit in free and fair[unit] > paper.floor)]
    for leads, prices, when in ((before, PRICES, "before"), (after, new, "after")):
        aside = [leads[unit] - paper.par(counted, prices) for unit in counted]
        assert said[f"rms_{when}"] == close(math.sqrt(fmean(one**2 for one in aside)))
        rms, cyclic = paper.of_pairs(prices)
        assert (said[f"pairs_{when}"], said[f"cyclic_{when}"]) == (close(rms), close(cyclic))
    assert said["level"] == close(0.5 + paper.par(counted, new))
    far = [unit for unit in counted if abs(after[unit] - paper.par(counted, new)) > 0.05]
    assert said["far"] == far
    # None of these prices is without effect; a price that is held or kept far from par says nothing of that.
    assert said["unidentified"] == []
    assert not rows["why"].str.contains("hardly").any()


@pytest.mark.slow
def test_tune__what_the_rule_by_kill_rates_leaves(game: aab.Game) -> None:
    """A half of the logarithm of the ratio of shares that either destroys of the other in a turn."""
    pairs = [(a, b) for a, b in combinations(CARDS, 2) if b in PAPER.meets[a]]

    def share(a: str, b: str) -> float:
        return PAPER.p[a, b] * min(CARDS[a][1], CARDS[b][2]) / CARDS[b][2]

    halves = np.array([math.log(share(a, b) / share(b, a)) / 2 for a, b in pairs])
    found = dict(zip(CARDS, np.exp(PAPER.numbers(pairs, halves, np.ones(len(pairs)))).tolist(), strict=True))
    prices = {unit: 100 * price / found[T34] for unit, price in found.items()}
    rms = math.sqrt(fmean(PAPER.lead(unit, prices) ** 2 for unit in CARDS))
    assert aab.tune(game).summary()["rms_by_kill_rates"] == close(rms)


@pytest.mark.slow
def test_tune__intervals_are_those_of_a_bayesian_bootstrap_of_our_own(game: aab.Game) -> None:
    rows = aab.tune(game).table.set_index("unit")
    fair = rows["fair_requisition"].to_dict()
    draw = np.random.default_rng(7)
    for unit in (BIG, MID, LIGHT):
        met = PAPER.meets[unit]
        margins = np.array([PAPER.score(unit, other, fair) - 0.5 for other in met])
        weights = draw.exponential(size=(4000, len(met)))
        drawn = weights @ margins / weights.sum(axis=1) * math.sqrt((len(met) + 1) / max(len(met) - 2, 1))
        ends = np.log(rows.loc[unit, ["fair_low", "fair_high"]].to_numpy(float) / fair[unit])
        assert ends == pytest.approx(np.quantile(-drawn / PAPER.slope(unit, fair), (0.05, 0.95)), rel=0.2), unit


# --- diff


OTHERS = {unit: card for unit, card in CARDS.items() if unit != GUNNY} | {
    MID: (10, 10, 35, (8, 5, 4), 70, "Germany"),
    LIGHT: (8, 5, 15, (5, 3, 2), 30, "USSR"),
    "new": (11, 12, 30, (7, 5, 4), 80, "UK"),
}


@pytest.mark.slow
def test_diff__every_worth_score_and_duel(game: aab.Game, tmp_path: Any) -> None:
    found = compare(game, aab.Game(cards=write(tmp_path / "other", OTHERS)))
    sides = ("before", PAPER, PRICES), ("after", Paper(OTHERS), {unit: float(card[4]) for unit, card in OTHERS.items()})
    rows = found.units.set_index("unit")
    assert set(rows.index) == {*CARDS, *OTHERS}
    for when, paper, prices in sides:
        scores = {unit: 0.5 + paper.lead(unit, prices) for unit in paper.ids}
        for unit in rows.index:
            row = rows.loc[unit]
            if unit not in scores:
                assert row[[f"score_{when}", f"worth_{when}", f"rank_{when}"]].isna().all()
                continue
            assert row[f"score_{when}"] == close(scores[unit])
            assert row[f"worth_{when}"] == close(paper.worth(unit, prices))
            assert row[f"rank_{when}"] == 1 + sum(score > scores[unit] for score in scores.values())
        for row in found.matchups.to_dict("records"):
            assert row[f"duel_score_{when}"] == close(paper.in_duels(row["unit"], row["opponent"]))
        for row in found.groups[found.groups["grouping"] == "nation"].to_dict("records"):
            pairs = [
                paper.score(a, b, prices)
                for a, b in product(paper.ids, paper.ids)
                if b in paper.meets[a]
                and (paper.cards[a][5], paper.cards[b][5]) == (row["group"], row["opponent_group"])
            ]
            assert row[f"score_{when}"] == close(fmean(pairs))
    common = [unit for unit in CARDS if unit in OTHERS]
    for unit in common:
        before, after = (sum(one.in_duels(unit, b) for b in common if b != unit) for _, one, _ in sides)
        assert rows.loc[unit, "duel_score_difference"] == close((after - before) / (len(common) - 1))
    # Two alone can hurt the wall: too few for an interval. No worth of the others is beyond what battles have room for.
    _, after, prices = sides[1]
    for unit in common:
        ends = rows.loc[unit, ["worth_difference_low", "worth_difference_high"]]
        assert ends.isna().all() == (unit == "wall")
        room = 99 * min(prices[b] for b in after.meets[unit])
        assert unit == "wall" or ends.abs().max() <= room


# --- gate


def claims(*some: dict[str, Any]) -> str:
    said = 'title = "Seven"\ngame = "armored_advance"\n'
    for number, claim in enumerate(some):
        fields = {"says": "so", "because": "so", **claim}
        said += f"\n[claims.c{number}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in fields.items())
    return said


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {toml(one)}' for key, one in value.items())} }}"
    return json.dumps(value)


def judged(folder: Any, gate: Any, *words: str) -> list[Any]:
    ran = CliRunner().invoke(main, ["gate", str(gate), "--cards", str(folder), "--json", *words])
    assert ran.exit_code in (0, 1), ran.output
    return json.loads(ran.stdout)["claims"]


def of_nation(name: str) -> list[str]:
    return [unit for unit, card in CARDS.items() if card[5] == name]


@pytest.mark.slow
def test_gate__every_number_of_every_kind(folder: Any, tmp_path: Any) -> None:
    """All numbers are out of a band where none is, so that each is told."""
    nowhere, points = [1.0, 1.0], [2000.0, 3000.0]
    units = {"kind": "unit", "units": "all", "band": nowhere}
    duel = {"kind": "duel", "a": MID, "b": T34, "situation": {"range_in": 12}, "band": nowhere}
    germans = {"kind": "duel", "a": {"nation": "Germany"}, "b": {"nation": "USSR"}, "mean": True, "band": nowhere}
    some = [
        units,
        units | {"measure": "worth", "band": points},
        units | {"measure": "worth_to_price", "band": points},
        units | {"measure": "duel_score"},
        {"kind": "group", "units": "all", "by": "nation", "band": nowhere},
        {"kind": "pairs", "units": "all", "band": [0.5, 0.5]},
        duel,
        duel | {"measure": "first_turn_gap"},
        germans | {"situation": {"range_in": [18, 24], "facing": "side"}},
        germans,
    ]
    gate = tmp_path / "mine.gate.toml"
    gate.write_text(claims(*some))
    found = judged(folder, gate)
    score, worth, ratio, duels, groups, pairs = (
        {tuple(one["units"]): one["value"] for one in claim["outside"]} for claim in found[:6]
    )
    assert score == {(unit,): close(0.5 + PAPER.lead(unit, PRICES)) for unit in CARDS}
    assert worth == {(unit,): close(PAPER.worth(unit, PRICES)) for unit in CARDS}
    assert ratio == {(unit,): close(PAPER.worth(unit, PRICES) / PRICES[unit]) for unit in CARDS}
    assert duels == {(a,): close(fmean(PAPER.in_duels(a, b) for b in CARDS if b != a)) for a in CARDS}
    assert fmean(duels.values()) == close(0.5)
    expected = {}
    for name in ("Germany", "USSR", "UK"):
        own = of_nation(name)
        met = [PAPER.score(a, b, PRICES) for a in own for b in PAPER.meets[a] if b not in own]
        expected[tuple(own)] = close(fmean(met))
    assert groups == expected
    assert len(pairs) == sum(map(len, PAPER.meets.values())) / 2
    assert all(value == close(PAPER.score(pair[0], pair[1], PRICES)) and value >= 0.5 for pair, value in pairs.items())
    first, second = PAPER.duel(MID, T34, 12)
    assert (found[6]["value"], found[7]["value"]) == (close((first + second) / 2), close(first - second))
    fought = list(product(of_nation("Germany"), of_nation("USSR")))
    assert found[8]["value"] == close(fmean(fmean(PAPER.duel(a, b, at, "side")) for a, b in fought for at in (18, 24)))
    # Without a situation it is the standard ones, as a sees them: b shows its flanks.
    cells = product(RANGES.items(), FACES.items())
    expected = sum(p * q * fmean(fmean(PAPER.duel(a, b, at, face)) for a, b in fought) for (at, p), (face, q) in cells)
    assert found[9]["value"] == close(expected)


@pytest.mark.slow
def test_gate__accepted_numbers_are_held_to_the_last_digit_that_is_kept(folder: Any, tmp_path: Any) -> None:
    gate = tmp_path / "mine.gate.toml"
    measures = ("worth", "score", "duel_score", "duels")
    gate.write_text(claims(*({"kind": "baseline", "measure": measure, "band": [0, 0]} for measure in measures)))
    ran = CliRunner().invoke(main, ["gate", str(gate), "--cards", str(folder), "--update-baseline"])
    assert ran.exit_code == 0
    assert [one["verdict"] for one in judged(folder, gate)] == ["holds"] * 4
    changed = judged(folder, gate, "--set", f"{MID}.hp=35")
    assert [one["verdict"] for one in changed] == ["broken"] * 4


# --- roster


@pytest.mark.slow
def test_roster__who_is_for_what(folder: Any) -> None:
    ran = CliRunner().invoke(main, ["roster", "--cards", str(folder), "--json"])
    said = json.loads(ran.stdout)
    rows = {row["unit"]: row for row in said["units"]}
    score = {(a, b): PAPER.score(a, b, PRICES) if a != b else 0.5 for a, b in product(CARDS, CARDS)}
    best = {b: max(score[a, b] for a in CARDS if a != b) for b in CARDS}

    def as_good(a: str, b: str) -> bool:
        """Whether a is as good as b against everybody, each other included."""
        return all(score[a, c] >= score[b, c] - 1e-9 for c in CARDS if c not in (a, b)) and score[a, b] >= 0.5

    for unit, row in rows.items():
        others = [b for b in CARDS if b != unit]
        assert row["score"] == close(fmean(score[unit, b] for b in others))
        assert row["best_against"] == sum(score[unit, b] >= max(best[b] - 1e-9, 0.5) for b in others)
        by = [a for a in others if PRICES[a] <= PRICES[unit] and as_good(a, unit)]
        assert row["dominated_by"] == (by[0] if by else "")
    assert said["gaps"] == [b for b in CARDS if best[b] < 0.5] == [WALL]
    # The wall is better than the T-34 against everybody, but costs more: the T-34 isn't better against somebody.
    assert as_good(WALL, T34)
    assert rows[T34]["dominated_by"] == ""
    assert (
        f"Best answer to nobody, though no single unit of its cost or less can replace it: {T34}, " in said["sentence"]
    )


@pytest.mark.slow
def test_roster__of_one_unit_compares_it_with_nobody(tmp_path: Path) -> None:
    folder = small.write(tmp_path / "one", small.few(["us_m4a1"]))
    ran = CliRunner().invoke(main, ["roster", "--cards", str(folder), "--json"])
    assert json.loads(ran.stdout)["sentence"].startswith("One unit: there is nobody to compare it with. Battles don't")


# --- worth


@pytest.mark.slow
def test_worth__reasons_limits_and_fire(game: aab.Game) -> None:
    told = aab.worth_explained(game, [MID])
    [row] = told.worth.to_dict("records")
    price = PAPER.worth(MID, PRICES)
    at = PRICES | {MID: price}
    for name, limits in (("worth", LIMITS), ("worth_fewest_actions", LIMITS[:1]), ("worth_most_actions", LIMITS[2:])):
        assert row[name] == close(PAPER.worth(MID, PRICES, limits))
    reasons = told.reasons.set_index("opponent")
    assert set(reasons.index) == set(PAPER.meets[MID])
    for other in PAPER.meets[MID]:
        score = PAPER.score(MID, other, at)
        assert reasons.loc[other, "score"] == close(score)
        pull = price / len(PAPER.meets[MID]) * (score - 0.5) / -PAPER.slope(MID, at)
        assert reasons.loc[other, "pull"] == pytest.approx(pull, rel=1e-4)
        even = reasons.loc[other, "exchange_rate"] * PRICES[MID]
        assert PAPER.score(MID, other, PRICES | {MID: even}) == close(0.5)
    destroys, lasts = (
        median(PAPER.hits[pair] / PAPER.p[pair] for pair in pairs)
        for pairs in ([(MID, b) for b in PAPER.meets[MID]], [(b, MID) for b in PAPER.meets[MID]])
    )
    [fire] = told.fire.to_dict("records")
    assert (fire["turns_to_destroy"], fire["turns_it_lasts"]) == (close(destroys), close(lasts))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "others", "why"),
    [
        (BIG, tuple(CARDS), " because it is dear"),
        (MID, tuple(CARDS), ""),
        (LIGHT, tuple(CARDS), " because it is cheap"),
        (WALL, (BIG, MID), " because it is dear"),  # 79 of 100, and dearer than the two are in the middle
        (WALL, (BIG, T34), ""),  # as many, and no dearer
        (T34, (MID, LIGHT), ""),  # just below three quarters
        (GUNNY, (BIG, MID), ""),  # just above a quarter
    ],
)
def test_worth__says_how_many_duels_a_unit_wins_and_whether_by_its_price(
    game: aab.Game, unit: str, others: tuple[str, ...], why: str
) -> None:
    score = fmean(PAPER.in_duels(unit, other) for other in others if other != unit)
    row = {"unit": unit, "worth": 1.0, "requisition": PRICES[unit]}
    assert duels_in_words(game, row, others) == f" In duels it wins {math.floor(1000 * score + 0.500001) / 10} %{why}."
