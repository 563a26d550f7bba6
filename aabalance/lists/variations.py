"""The meta-games of a report definition: how an equilibrium moves with budget, actions, policy and distance."""

from __future__ import annotations

from typing import Any

from aabalance.definitions.collections import Metagame as Table
from aabalance.definitions.report import Report
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.lists.fields import check_given
from aabalance.lists.metagame import Metagame, metagame


def defined(
    game: Game,
    definition: Report,
    table: Table | None = None,
    seed: int = 0,
    advance: Advance = lambda battles: None,
) -> list[Metagame]:
    """Return the meta-games of a report definition: one of each budget, limit of actions, policy and distance.

    Parameters
    ----------
    game, seed, advance
        As for `metagame`.
    definition : Report
        Its situations say where attacks are made.
    table : Table, optional
        What is searched for; by default the ``[metagame]`` of the definition.

    Raises
    ------
    CardError
        The definition names what the roster doesn't have, or leaves no list.
    UsageError
        Another table leaves none.
    """
    check_given(game, seed)
    definition.check(game.ruleset, game.variant, game.cards)
    of = table or definition.metagame or Table()
    for _, why in of.unknown(game.ruleset, game.cards):
        raise UsageError(why)
    allowed = {name: getattr(of, name) for name in ("nation", "own", "must", "limits")}
    found = []
    try:
        for points, actions, policy, range_in in of.searches():
            here = {} if range_in is None else {"range_in": {str(range_in): 1.0}}
            at = {**definition.situations, **here}
            how: dict[str, Any] = {"actions": actions, "policy": policy, "situations": at, "battles": of.battles}
            found.append(metagame(game, points, **how, seed=seed, advance=advance, **allowed))
    except UsageError as error:
        if of is not definition.metagame:
            raise
        raise definition.fault_of("metagame", str(error)) from None
    return found
