"""What players agree on before a match, checked, and the set-up that comes of it (Create Your Army; M-15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from aabalance.errors import UsageError
from aabalance.rulesets.base import Keys, StrictKeys
from aabalance.rulesets.base.match_rules import Agreement, Start
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.setup import LIMIT, usual_row

MOST_TURNS = 2000
PLAYER_TURNS = 2
"""Player turns of a round."""
RESERVE = "reserve"
COMING = "Force cards of the reserve come in play and count among what is left, not among what a side begins with."


class Options(StrictKeys):
    """What players may agree on besides board and lists."""

    limit: int = Field(LIMIT, ge=1, le=MOST_TURNS, description="player turns after which nobody has won")


def _one_word(at: Any) -> Any:
    return at[0] if isinstance(at, list) and len(at) == 1 else at


class Place(Keys):
    """Where a Force card begins: a Row of the Breakthrough Area, or the reserve."""

    at: Annotated[Literal["B1", "B2", "B3", "reserve"] | None, BeforeValidator(_one_word)] = Field(
        None, description="a Row of the Breakthrough Area, or the reserve"
    )


def agree(asked: Agreement) -> tuple[Agreement, dict[str, Any]]:
    """Return the whole agreement, and the set-up; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    asked.refuse_mission(f"{asked.board['victory']} points win")
    limit = asked.options.limit
    if asked.rounds is not None:
        if "limit" in asked.options.model_fields_set and limit != PLAYER_TURNS * asked.rounds:
            raise UsageError(f"with limit: found {limit}, expected {PLAYER_TURNS * asked.rounds}, as rounds says")
        limit = PLAYER_TURNS * asked.rounds
    lists = {side: _formation(side, units, asked) for side, units in zip("ab", asked.lists, strict=True)}
    rounds, remark = -(-limit // PLAYER_TURNS), COMING if any(own["reserve"] for own in lists.values()) else ""
    return asked._replace(rounds=rounds, remark=remark), {
        "board": asked.board,
        "lists": lists,
        "options": {"limit": limit},
    }


def _formation(side: str, units: Sequence[Start], asked: Agreement) -> dict[str, Any]:
    """Return the Rows of a side, and its reserve: what nobody has placed starts as long as its points last."""
    most = asked.board["force"]
    if len(units) > records.MOST_OF_SIDE:
        raise UsageError(f"list {side}: found {len(units)} Force cards, expected at most {records.MOST_OF_SIDE}")
    left = most - sum(asked.cards[one.card].vp for one in units if one.place.at not in (None, RESERVE))
    if left < 0:
        raise UsageError(f"list {side}: found {most - left} Victory Points in Rows, expected at most {most}")
    rows: list[list[str]] = [[] for _ in range(records.ROWS)]
    reserve = []
    for one in units:
        card, at = asked.cards[one.card], one.place.at
        if at is None and card.vp <= left:
            left -= card.vp
            at = f"B{usual_row(card)}"
        if at in (None, RESERVE):
            reserve.append(one.card)
        else:
            rows[int(at[1]) - 1].append(one.card)
    if not any(rows):
        raise UsageError(f"list {side}: found no Force card in a Row, expected one")
    return {"rows": [row for row in rows if row], "reserve": reserve}
