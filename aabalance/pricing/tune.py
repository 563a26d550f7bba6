"""`aab.tune`: fair prices for the units of a game as a table, with what they leave."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.frames import ids_of, tidy
from aabalance.analysis.situations import Weights, standard
from aabalance.cards.save import save
from aabalance.engine.sampling import Advance
from aabalance.game import Game, Unit
from aabalance.pricing.bounds import ANCHOR, bounds_of
from aabalance.pricing.contest import Contest
from aabalance.pricing.definition import Tuning
from aabalance.pricing.fighters import lone
from aabalance.pricing.prices import Bounds, Steps, fair, shares_of_level
from aabalance.pricing.remains import by_kill_rates, remains
from aabalance.pricing.score import EVEN, FLAT, Roster
from aabalance.pricing.tables import ROLLED, SCALED

FAR = 0.05
"""How far a unit's score may be from level before the unit is named."""
HALVINGS = 4
"""How often steps are halved in the search for steps that bring units nearer to level."""
HELD = {-1: "the largest change holds it up", 1: "the largest change or price holds it down"}


def steps(game: Game, among: Iterable[Unit] | None = None) -> int:
    """Return the number of steps of `tune`, which it counts by calling `advance`: pairs of units."""
    count = len(lone(game, Contest.standard(game)) if among is None else ids_of(game, among, "among"))
    return count * (count - 1) // 2


def tune(
    game: Game,
    units: Iterable[Unit] | None = None,
    *,
    among: Iterable[Unit] | None = None,
    tuning: Tuning | None = None,
    situations: Weights | None = None,
    roster: Roster | None = None,
    seed: int = 0,
    advance: Advance = lambda pairs: None,
    **changes: Any,
) -> pd.DataFrame:
    """Return fair prices: a row for each unit that is compared, the largest change first.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : iterable of str or card, optional
        Units that get new prices; all others keep theirs, and set the scale if there are no anchors. By default all.
    among : iterable of str or card, optional
        Units that are compared; by default all that can make up a side by themselves.
    tuning : Tuning, optional
        Bounds, steps and anchors of prices; by default those of the game's own report definition.
    situations : mapping, optional
        Situations in which units meet, as for `Situations.of`; by default those of the game's own report definition.
    roster : Roster, optional
        Units and contest, in place of `among`, `situations`, and the budgets, limits and weights of `tuning`.
    seed : int
        Seed of the draws behind the intervals.
    advance : callable
        Called with the number of pairs whose battles were solved since the last call; `steps` says how many there are.
    **changes
        Fields of `Tuning` that replace those of `tuning`: ``anchors={"su_t34_85": 100}``.

    Returns
    -------
    DataFrame
        Its ``attrs`` say how level the prices are:

        - ``level``: mean score, at the new prices, of the units that aren't at the floor
        - ``rms_before``, ``rms_fair``, ``rms_after``, ``rms_by_kill_rates``: root mean square distance from level, of
          anchors and of units whose prices may move and that aren't at the floor; at the prices on the cards, at fair
          ones, at the new ones (rounded), and at those of the rule by kill rates
        - ``far``: ids of the units that are more than .05 from level at the new prices
        - ``finer``: finer steps that would bring units nearer to level that only rounding keeps away: ``units``, their
          ids; ``steps``, as in `Tuning`; ``said``, these in words; ``off``, how far from level the furthest of them
          would be. None if there are none
        - ``pairs_before``, ``pairs_after``, ``cyclic_before``, ``cyclic_after``: how far pairs are from even, and the
          share of that which goes in circles, so that no price can change it
        - ``rolled``: number of pairs whose battles were too large to be solved, and are rolled
        - ``units``: number of units whose prices may move; ``at_floor``: ids of units worth less than the least price;
          ``unidentified``: ids of units whose price hardly changes their score

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
    >>> prices[["unit", "requisition", "fair_requisition", "new_requisition", "score_after"]].round(2)
            unit  requisition  fair_requisition  new_requisition  score_after
    0    us_m4a1         70.0             54.24             55.0         0.50
    1    de_pz4h         60.0             63.49             65.0         0.48
    2  de_tiger1        145.0            152.57            155.0         0.50
    3  su_t34_85        100.0            100.00            100.0         0.52
    >>> round(prices.attrs["rms_before"], 3), round(prices.attrs["rms_after"], 3)
    (0.16, 0.013)
    """
    tuning = (Tuning.standard(game) if tuning is None else tuning).changed(game, **changes)
    if roster is None:
        where = standard(game)[0] if situations is None else situations
        field = None if among is None else ids_of(game, among, "among")
        weights = {unit: one for unit, one in tuning.weights.items() if field is None or unit in field}
        roster = Roster(game, Contest.of(game, where, tuning.budgets, tuning.limits), field, weights, advance=advance)
    bounds, kept = bounds_of(game, roster, tuning, None if units is None else ids_of(game, units, "units"))
    found = fair(roster, bounds, seed=seed)
    new, unfit = _rounded(roster.prices, found.prices, bounds, tuning)
    moves = bounds.low < bounds.high
    at_floor = moves & (found.held < 0) & (found.prices <= tuning.least)
    judged = moves & ~at_floor | np.isin(np.arange(len(new)), [at for at, why in kept.items() if why == ANCHOR])
    even = shares_of_level(roster, judged | bounds.sets)
    before, ideal, after, cheap = (
        remains(roster, prices, judged, even)
        for prices in (roster.prices, found.prices, new, by_kill_rates(roster, bounds))
    )
    far = judged & (np.abs(after.lead) > FAR)
    score_before, score_after = (one.lead + one.level + EVEN for one in (before, after))
    identified = roster.mutual.any(axis=1) & (found.slope < FLAT)
    ratio = found.prices / roster.prices
    ratio /= np.median(ratio[judged | bounds.sets])
    why = {at: _beside_the_others(ratio[at], score_before[at]) for at in range(len(new))}
    why |= dict.fromkeys(np.flatnonzero(new == roster.prices).tolist(), "fair to the nearest step")
    why |= {at: HELD[int(found.held[at])] for at in np.flatnonzero(found.held).tolist()}
    why |= dict.fromkeys(np.flatnonzero(~identified).tolist(), "its price hardly changes its score")
    why |= dict.fromkeys(np.flatnonzero(at_floor).tolist(), "worth less than the least price")
    why |= unfit | kept
    cards = [game.cards[unit] for unit in roster.units]
    table = pd.DataFrame(
        {
            "unit": roster.units,
            "name": [card.name for card in cards],
            "requisition": roster.prices,
            "fair_requisition": found.prices,
            "new_requisition": new,
            "fair_low": found.low,
            "fair_high": found.high,
            "change": new / roster.prices - 1,
            "score_before": score_before,
            "score_after": score_after,
            "score_slope": found.slope * math.log(1.1),
            "at_floor": at_floor,
            "identified": identified,
            "why": [why[at] for at in range(len(new))],
        }
    )
    order = np.lexsort((roster.units, -np.abs(np.log(new / roster.prices)).round(9)))
    table = tidy("prices", table.iloc[order].reset_index(drop=True))
    table.attrs = {
        "level": after.level + EVEN,
        "units": int(moves.sum()),
        "rms_before": before.rms,
        "rms_fair": ideal.rms,
        "rms_after": after.rms,
        "rms_by_kill_rates": cheap.rms,
        "far": [roster.units[at] for at in np.flatnonzero(far)],
        "finer": _finer(roster, found.prices, bounds, tuning, far & (np.abs(ideal.lead) <= FAR), even),
        "pairs_before": before.pairs,
        "pairs_after": after.pairs,
        "cyclic_before": before.cyclic,
        "cyclic_after": after.cyclic,
        "rolled": sum(solver in (ROLLED, SCALED) for solver in roster.tables.solvers),
        "at_floor": [roster.units[at] for at in np.flatnonzero(at_floor)],
        "unidentified": [roster.units[at] for at in np.flatnonzero(~identified)],
    }
    return table


def _rounded(old: Any, prices: Any, bounds: Bounds, tuning: Tuning) -> tuple[Any, dict[int, str]]:
    """Return prices in whole steps; and by place, in words, why a unit has no such price and keeps its old one."""
    steps = Steps(*zip(*sorted(tuning.steps.items()), strict=True))
    new, unfit = bounds.low.copy(), {}
    for at in np.flatnonzero(bounds.low < bounds.high).tolist():
        price = steps.rounded(prices[at], bounds.low[at], bounds.high[at])
        if price is None:
            unfit[at] = "no whole step lies within its bounds"
        new[at] = old[at] if price is None else price
    return new, unfit


def _finer(roster: Roster, fair: Any, bounds: Bounds, tuning: Tuning, rounded: Any, even: Any) -> dict[str, Any] | None:
    """Return the coarsest steps with which no unit is far from level for rounding; None if there are none.

    Steps are halved, once or more, up to the next round price above that of the dearest unit that is far from level now
    (`rounded` says which these are).
    """
    if not rounded.any():
        return None
    below = _round_above(float(fair[rounded].max()))
    last = [size for start, size in sorted(tuning.steps.items()) if start <= below][-1]
    for parts in (2.0**n for n in range(1, HALVINGS + 1)):
        halved = {start: size / parts if start < below else size for start, size in tuning.steps.items()}
        steps = dict(sorted(({below: last} | halved).items()))
        new, _ = _rounded(roster.prices, fair, bounds, tuning.model_copy(update={"steps": steps}))
        lead = np.nan_to_num(roster.lead(roster.scores(new)))
        off = float(np.abs(lead - even @ lead)[rounded].max())
        if off <= FAR:
            sizes = " and ".join(dict.fromkeys(f"{size:g}" for start, size in steps.items() if start < below))
            return {
                "units": [roster.units[at] for at in np.flatnonzero(rounded)],
                "said": f"steps of {sizes} below {below:g}",
                "steps": {f"{start:g}": size for start, size in steps.items()},
                "off": off,
            }
    return None


def _round_above(price: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, 50 and so on above a price."""
    power = 10.0 ** math.floor(math.log10(price))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power > price)


def write(game: Game, table: pd.DataFrame) -> int:
    """Write new prices into the files of the cards; comments, order and layout stay. All files are written or none.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    table : DataFrame
        From `tune`.

    Returns
    -------
    int
        How many cards have another price.

    Raises
    ------
    CardError
        The game has no such price: not a whole number, for example.
    UsageError
        A card comes from no file.
    OutputError
        A file can't be written.
    """
    changed = table[table["new_requisition"] != table["requisition"]]
    prices = dict(zip(changed["unit"], changed["new_requisition"].tolist(), strict=True))
    currency = game.ruleset.labels.currency
    save(
        game.cards, game.cards.with_changes(f"{unit}.{currency}={price:.12g}" for unit, price in prices.items()).tables
    )
    return len(prices)


def _beside_the_others(ratio: float, score: float) -> str:
    """Return in short why a unit gets another price: how it was priced beside the others, whatever the scale."""
    percent = math.floor(100 * (ratio - 1) + 0.5)
    scored = f"it scored {score:.2f}"
    if not percent:
        return f"right beside the others: {scored}"
    return f"{abs(percent)} % too {'cheap' if percent > 0 else 'dear'} beside the others: {scored}"
