"""`aab.tune`: fair prices for the units of a game, within bounds and rounded, and how far from par units stay."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.cards.save import save
from aabalance.cards.tables import kinds
from aabalance.definitions.settings import Weights, raise_faults
from aabalance.definitions.tables import Tuning
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.engine.sampling import Advance
from aabalance.errors import CardError, UsageError, check_kind, whole_number
from aabalance.game import Game, Unit, game_of
from aabalance.play.sample import MOST_SEED
from aabalance.pricing.contest import Contest, eligible_units
from aabalance.pricing.fair_prices import (
    ANCHOR,
    Bounds,
    Residuals,
    bounds_of,
    by_kill_rates,
    check_units,
    fair,
    par_weights,
    residuals,
)
from aabalance.pricing.roster import A_TUNING, EVEN, FLAT, Roster

FAR = 0.05
"""How far a unit's score may be from par before the unit is named."""
HALVINGS = 4
"""How often steps are halved in the search for steps that bring units nearer to par."""


class FinerSteps(NamedTuple):
    """Finer steps of prices that would bring units nearer to par.

    Attributes
    ----------
    units : list of str
        Ids of the units that are far from par for rounding alone.
    said : str
        The steps in words.
    steps : dict of str to float
        The steps, as in `Tuning`.
    off : float
        How far from par the farthest of the units would be.
    """

    units: list[str]
    said: str
    steps: dict[str, float]
    off: float


@dataclass(frozen=True, eq=False, repr=False)
class Tuned:
    """Fair prices, rounded and within bounds, and how far from par units stay.

    Attributes
    ----------
    table : DataFrame
        Table ``prices``: a row for each unit that is compared, the largest change first.
    before, fair, after, by_kill_rates : Residuals
        How far units and pairs are from even at the prices on the cards, at fair ones, at the new ones (rounded), and
        at those of the rule by kill rates. Their `rms` is over anchors, and over units whose prices may move and that
        aren't at the floor.
    movable : int
        Number of units whose prices may move.
    far : list of str
        Ids of the units that are more than .05 from par at the new prices.
    finer : FinerSteps or None
        Finer steps that would bring units nearer to par that are far from it for rounding alone.
    at_floor : list of str
        Ids of units worth less than the least price.
    unidentified : list of str
        Ids of units whose price hardly changes their score; none of those whose price is kept, or held by a bound.
    simulated_pairs : int
        Number of pairs whose battles were too large to be solved, and are simulated.
    """

    table: pd.DataFrame
    before: Residuals
    fair: Residuals
    after: Residuals
    by_kill_rates: Residuals
    movable: int
    far: list[str]
    finer: FinerSteps | None
    at_floor: list[str]
    unidentified: list[str]
    simulated_pairs: int

    def to_frame(self) -> pd.DataFrame:
        """Return `table`."""
        return self.table

    def summary(self) -> dict[str, Any]:
        """Return all but the table as plain values: the keys of ``aabalance tune --json`` besides ``prices``."""
        return {
            "level": self.after.par + EVEN,
            "units": self.movable,
            "rms_before": self.before.rms,
            "rms_fair": self.fair.rms,
            "rms_after": self.after.rms,
            "rms_by_kill_rates": self.by_kill_rates.rms,
            "far": self.far,
            "finer": None if self.finer is None else self.finer._asdict(),
            "pairs_before": self.before.rms_of_pairs,
            "pairs_after": self.after.rms_of_pairs,
            "cyclic_before": self.before.intransitivity,
            "cyclic_after": self.after.intransitivity,
            "rolled": self.simulated_pairs,
            "at_floor": self.at_floor,
            "unidentified": self.unidentified,
        }

    def __repr__(self) -> str:
        return f"{self._headline()}\n{self.table}"

    def _repr_html_(self) -> str:
        table: str = self.table._repr_html_()  # type: ignore[operator]
        return f"<p>{self._headline()}</p>{table}"

    def _headline(self) -> str:
        return (
            f"{len(changed(self.table))} of {len(self.table)} prices change; distance of units from par "
            f"(root mean square): {self.before.rms:.3f} before, {self.after.rms:.3f} after"
        )


def step_at(tuning: Tuning, price: float) -> float:
    """Return the size of the steps that `tuning` allows at a price."""
    return tuning.steps[max(start for start in tuning.steps if start <= price)]


def rounded(tuning: Tuning, price: float, low: float, high: float) -> float | None:
    """Return the price in whole steps that is nearest to one, half up, and lies from `low` to `high`; None without any.

    Parameters
    ----------
    tuning : Tuning
        Its steps, whose sizes depend on the price.
    price, low, high : float
        The price, and its bounds.
    """
    # Fair prices are exact to some digits only; equal ones must be rounded the same way.
    price = round(price, 6)
    size = step_at(tuning, price)
    nearest = size * float(np.floor(price / size + 0.5))
    near = [value for value in (nearest, nearest + size, nearest - size) if low - 1e-9 <= value <= high + 1e-9]
    return near[0] if near else None


def total(game: Game, among: Iterable[Unit] | None, tuning: Tuning, situations: Weights) -> int:
    """Return the number of steps of `tune`, which it counts by calling `advance`: pairs of units.

    Parameters
    ----------
    game, among, tuning, situations
        As for `tune`.
    """
    contest = Contest.of(game, situations, tuning.budgets, tuning.limits)
    count = len(eligible_units(game, contest) if among is None else ids_of(game, among, "among"))
    return count * (count - 1) // 2


def tune(
    game: Game | str,
    units: Iterable[Unit] | None = None,
    *,
    among: Iterable[Unit] | None = None,
    tuning: Tuning | None = None,
    situations: Weights | None = None,
    roster: Roster | None = None,
    seed: int = 0,
    advance: Advance = lambda pairs: None,
    **changes: Any,
) -> Tuned:
    """Return fair prices.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        Units that get new prices; all others keep theirs, and set the scale if there are no anchors. By default all.
    among : iterable of str or card, optional
        Units that are compared; by default all that can make up a side by themselves.
    tuning : Tuning, optional
        Bounds, steps and anchors of prices; by default those of `roster`, or of the game's own report definition.
    situations : mapping, optional
        Situations in which units meet, as for `Situations.of`; by default those of the game's own report definition.
    roster : Roster, optional
        Units and contest, in place of `among`, `situations`, and the budgets, limits and weights of `tuning`.
    seed : int
        Seed of the bootstrap behind the intervals.
    advance : callable
        Called with the number of pairs whose battles were solved since the last call; `total` says how many there are.
    **changes
        Fields of `Tuning` that replace those of `tuning`: ``anchors={"su_t34_85": 100}``.

    Raises
    ------
    UsageError
        Arguments contradict each other, or name a unit that isn't compared, or one that no price can level; or no unit
        sets the scale.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> prices = aab.tune(few)
    >>> prices.to_frame()[["unit", "requisition", "fair_requisition", "new_requisition", "score_after"]].round(2)
            unit  requisition  fair_requisition  new_requisition  score_after
    0    us_m4a1         70.0             54.24             55.0         0.50
    1    de_pz4h         60.0             63.49             65.0         0.48
    2  de_tiger1        145.0            152.57            155.0         0.50
    3  su_t34_85        100.0            100.00            100.0         0.52
    >>> round(prices.before.rms, 3), round(prices.after.rms, 3)
    (0.16, 0.013)
    """
    game = game_of(game)
    whole_number("seed", seed, 0, MOST_SEED)
    if among is not None:
        among = ids_of(game, among, "among")
    check_kind("tuning", tuning, Tuning | None, A_TUNING)
    check_kind("roster", roster, Roster | None, "a Roster")
    if tuning is None and roster is not None:
        tuning = roster.tuning
    elif tuning is None:
        tuning = game.tuning.within(game.cards if among is None else game.cards.only(among))
    tuning = tuning.changed(game.cards, **changes)
    raise_faults(tuning.contradictions())
    chosen = None if units is None else ids_of(game, units, "units")
    if among is not None:
        check_units(game, among, tuning, chosen)
    if roster is None:
        roster = Roster(game, among, tuning=tuning, situations=situations, advance=advance)
    elif len(roster.about) < len(roster.units):
        raise UsageError(f"roster: found the scores of {', '.join(roster.about)} alone, expected those of all units")
    bounds, kept = bounds_of(game, roster, tuning, chosen)
    found = fair(roster, bounds, seed=seed)
    new, unfit = _rounded(roster.prices, found.prices, bounds, tuning)
    moves, priced = bounds.low < bounds.high, roster.priced
    at_floor = moves & (found.held < 0) & (found.prices <= tuning.least)
    anchors = np.isin(np.arange(len(new)), [at for at, why in kept.items() if why == ANCHOR])
    counted = (moves & ~at_floor | anchors) & priced
    settle_par = counted | bounds.sets
    weights_of_par = par_weights(roster, settle_par)
    before, ideal, after, by_rates = (
        residuals(roster, prices, counted, weights_of_par)
        for prices in (roster.prices, found.prices, new, by_kill_rates(roster, bounds))
    )
    far = counted & (np.abs(after.margins) > FAR)
    rounding = far & (np.abs(ideal.margins) <= FAR)
    # What a slope says of a price that is kept, or held by the largest change, is no matter of the price that levels.
    sought = anchors | moves & ((found.held == 0) | (found.prices <= tuning.least) | (found.prices >= tuning.largest))
    identified = roster.mutual.any(axis=1) & ((found.slope < FLAT) | ~sought)
    table = pd.DataFrame(
        {
            "unit": roster.units,
            "name": [game.cards[unit].name for unit in roster.units],
            "requisition": roster.prices,
            "fair_requisition": found.prices,
            "new_requisition": new,
            "fair_low": found.low,
            "fair_high": found.high,
            "score_before": before.margins + before.par + EVEN,
            "score_after": after.margins + after.par + EVEN,
            "score_slope": found.slope * math.log(1.1),
            "at_floor": at_floor,
            "identified": identified,
        }
    )
    why = _reasons(table, priced, found.held, settle_par) | unfit | kept
    table["why"] = [why[at] for at in range(len(new))]
    table.loc[~priced, ["requisition", "score_before"]] = np.nan
    fixed = ~priced & ~moves & ~anchors  # at the median, which no table states
    table.loc[fixed, ["fair_requisition", "new_requisition", "fair_low", "fair_high", "score_after"]] = np.nan
    table["change"] = table["new_requisition"] / table["requisition"] - 1
    order = np.lexsort((roster.units, -np.abs(np.log(new / roster.prices)).round(9)))

    def ids(which: Bools) -> list[str]:
        return [roster.units[at] for at in np.flatnonzero(which)]

    return Tuned(
        table=tidy("prices", table.iloc[order].reset_index(drop=True)),
        before=before,
        fair=ideal,
        after=after,
        by_kill_rates=by_rates,
        movable=int(moves.sum()),
        far=ids(far),
        finer=_finer(roster, found.prices, bounds, tuning, rounding, weights_of_par),
        at_floor=ids(at_floor),
        unidentified=ids(~identified),
        simulated_pairs=roster.simulated_pairs,
    )


def _reasons(table: pd.DataFrame, priced: Bools, held: Ints, settle_par: Bools) -> dict[int, str]:
    """Return by index why a unit gets its price.

    `held` is as in `FairPrices`. A ratio of prices is told relative to the median ratio of the units that `settle_par`.
    """
    ratio = table["fair_requisition"] / table["requisition"]
    ratio /= np.median(ratio[settle_par])
    same = table["new_requisition"] == table["requisition"]
    reasons: dict[str, Bools] = {  # the first that holds is told
        "it had no price": ~priced,
        "worth less than the least price": table["at_floor"].to_numpy(),
        "its price hardly changes its score": ~table["identified"].to_numpy(),
        "the largest change holds it up": held < 0,
        "the largest change or price holds it down": held > 0,
        "fair to the nearest step": same.to_numpy(),
    }
    relative = list(map(_relative_price, ratio, table["score_before"]))
    return dict(enumerate(np.select(list(reasons.values()), list(reasons), relative).tolist()))


def _rounded(old: Floats, prices: Floats, bounds: Bounds, tuning: Tuning) -> tuple[Floats, dict[int, str]]:
    """Return prices in whole steps; and by index why a unit keeps its old price."""
    new, unfit = bounds.low.copy(), {}
    for at in np.flatnonzero(bounds.low < bounds.high).tolist():
        price = rounded(tuning, prices[at], bounds.low[at], bounds.high[at])
        if price is None:
            unfit[at] = "no whole step lies within its bounds"
        new[at] = old[at] if price is None else price
    return new, unfit


def _finer(
    roster: Roster, ideal: Floats, bounds: Bounds, tuning: Tuning, far: Bools, weights_of_par: Floats
) -> FinerSteps | None:
    """Return the coarsest steps with which no unit is far from par for rounding alone; None if there are none.

    Steps are halved, once or more, up to the next round price above that of the dearest unit that is far from par now
    (`far` says which these are). They stay whole where the cards' prices are.
    """
    if not far.any():
        return None
    below = _round_above(float(ideal[far].max()))
    last = step_at(tuning, below)
    whole = "number" not in kinds(roster.game.cards.schema)[roster.game.ruleset.labels.currency].types
    for parts in (2**n for n in range(1, HALVINGS + 1)):
        finer = {start: max(size // parts, 1) if whole else size / parts for start, size in tuning.steps.items()}
        halved = tuning.steps | {start: size for start, size in finer.items() if start < below}
        steps = dict(sorted(({below: last} | halved).items()))
        try:
            tried = tuning.changed(roster.game.cards, steps=steps)
        except UsageError:  # 2 of a step of 5 don't begin at 25
            continue
        new, _ = _rounded(roster.prices, ideal, bounds, tried)
        margins = np.nan_to_num(roster.margins(roster.scores(new)))
        off = float(np.abs(margins - weights_of_par @ margins)[far].max())
        if off <= FAR:
            sizes = " and ".join(dict.fromkeys(f"{size:g}" for start, size in steps.items() if start < below))
            return FinerSteps(
                units=[roster.units[at] for at in np.flatnonzero(far)],
                said=f"steps of {sizes} below {below:g}",
                steps={f"{start:g}": size for start, size in steps.items()},
                off=off,
            )
    return None


def _round_above(price: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, 50 and so on above a price."""
    power = 10.0 ** math.floor(math.log10(price))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power > price)


def changed(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of units that get another price, or their first; of table ``prices`` or ``board_prices``."""
    new = table["new_requisition"]
    return table[new.notna() & (new != table["requisition"])]


def write(game: Game, table: pd.DataFrame, *, dry_run: bool = False) -> tuple[int, list[Path]]:
    """Write new prices into the files of the cards; comments, order and layout stay. All files are written or none.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    table : DataFrame
        Table ``prices`` or ``board_prices``.
    dry_run : bool
        Whether to write nothing.

    Returns
    -------
    number : int
        How many cards have another price.
    files : list of Path
        The files of these cards.

    Raises
    ------
    CardError
        The game has no such price: not a whole number, for example.
    UsageError
        A card comes from no file.
    OutputError
        A file can't be written.
    """
    rows = changed(table)
    prices = dict(zip(rows["unit"], rows["new_requisition"].tolist(), strict=True))
    currency = game.ruleset.labels.currency
    try:
        tables = game.cards.with_changes(f"{unit}.{currency}={price:.12g}" for unit, price in prices.items()).tables
    except CardError as error:
        raise CardError([fault._replace(place="--write") for fault in error.faults]) from None
    return len(prices), save(game.cards, tables, dry_run=dry_run)


def _relative_price(ratio: float, score: float) -> str:
    """Return in short why a unit gets another price: its price relative to the others', whatever the scale."""
    percent = math.floor(100 * (ratio - 1) + 0.5)
    scored = f"it scored {score:.2f}"
    if not percent:
        return f"right compared with the others: {scored}"
    return f"{abs(percent)} % too {'cheap' if percent > 0 else 'dear'} compared with the others: {scored}"
