"""Each output table: which of the declared columns it has, and which of them tell its rows apart."""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    """One output table.

    Attributes
    ----------
    name : str
        Name of the table and of its CSV.
    key : tuple of str
        Columns whose values together differ from row to row; empty if the table has one row. Some games or questions
        lack some of them.
    others : tuple of str
        The other columns. The function that makes the table says which of them it may lack.
    """

    name: str
    key: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the key, then the others."""
        return (*self.key, *self.others)


_WHERE = ("range_in", "facing", "own_facing", "situation")
_DUEL = ("p_win", "p_draw", "p_loss")
_BATTLE = ("list_a", "list_b", "range_in", "situation", "mode", "rounds")
_CHOICES = ("policy_a", "policy_b", "posture_a", "posture_b")
_ENDS = ("p_a", "p_b", "p_draw")
_OF_ACTIONS = ("score_a", "action_price_a", "action_price_b", "even_requisition_b")
_HEADLINES = (
    "share_impossible",
    "share_out_of_reach",
    "mean_p_damage",
    "median_turns_to_kill",
    "share_draws",
    "share_endless",
    "first_turn_advantage",
)
_TABLES = [
    Table(
        "matchups",
        ("attacker", "target", *_WHERE),
        (
            "weight",
            "attacker_requisition",
            "target_requisition",
            "need",
            "out_of_reach",
            "p_damage",
            "expected_damage",
            "expected_damage_per_action",
            "p_kill",
            "p_kill_turn",
            "expected_shots_to_kill",
            "expected_turns_to_kill",
            *_DUEL,
            "p_win_first",
            "p_win_second",
            "player_turns",
            "n",
            "ci_low",
            "ci_high",
        ),
    ),
    Table(
        "cost_effectiveness",
        ("unit",),
        (
            "name",
            "nation",
            "category",
            "requisition",
            "expected_damage_per_action",
            "expected_damage_per_requisition",
            "p_kill_per_action",
            "requisition_destroyed_per_action",
            "loss_exchange_ratio",
            "requisition_exchange_ratio",
            "rank",
            "peer_exchange_ratio",
            "exchange_ratio_to_peers",
        ),
    ),
    Table(
        "pairs",
        ("attacker", "target"),
        (
            "facing",
            "own_facing",
            "p_damage",
            "expected_damage_per_action",
            "p_kill_turn",
            "expected_turns_to_kill",
            *_DUEL,
        ),
    ),
    Table("requisition", ("unit",), ("name", "requisition", "attack", "endurance", "proposal")),
    Table("structure", ("facing", "need"), ("share_of_pairs",)),
    Table(
        "turns_to_kill",
        ("gun_class",),
        ("units", "share_impossible", "share_out_of_reach", "median_turns_to_kill"),
    ),
    Table(
        "sensitivity",
        ("reading",),
        (
            "mean_change_of_p_win",
            "largest_change_of_p_win",
            "factor_on_exchange_ratio",
            "rank_correlation",
            "largest_change_of_rank",
            *_HEADLINES,
        ),
    ),
    Table("kill_probability", ("attacker", "target", "range_in", "situation", "turns"), ("p_kill_within",)),
    Table("headlines", (), _HEADLINES),
    Table("price_and_victory", (), ("p_dearer_wins", "p_cheaper_wins", "share_one_sided")),
    Table("chances", ("attacker", "target"), ("p_win", "p_draw")),
    Table("turns_of_duel", ("player_turn",), ("p_end", "p_ended")),
    Table("survivors_of_duel", ("winner", "toughness_left"), ("p_left",)),
    Table("longest_duel", ("attacker", "target", *_WHERE), ("player_turns",)),
    Table(
        "best_play",
        (
            "range_in",
            "toughness_left",
            "enemy_toughness_left",
            "reloading",
            "enemy_reloading",
            "enemy_moved",
        ),
        ("orders",),
    ),
    Table(
        "battles",
        (*_BATTLE, "actions_a", "actions_b", *_CHOICES),
        (
            "requisition_a",
            "requisition_b",
            *_ENDS,
            "score_a",
            "score_span",
            "value_a",
            "value_b",
            "loss_exchange_ratio",
            "requisition_exchange_ratio",
            "first_mover_advantage",
            "player_turns",
            "engine",
            "solver",
            "n",
            *(f"{name}_ci_{end}" for name in _ENDS for end in ("low", "high")),
        ),
    ),
    Table(
        "actions",
        (*_BATTLE, *_CHOICES, "actions"),
        (
            "requisition_a",
            "requisition_b",
            *_ENDS,
            *(f"{name}{end}" for name in _OF_ACTIONS for end in ("", "_low", "_high")),
            "engine",
        ),
    ),
    Table(
        "battle_units",
        ("side", "place"),
        (
            "name",
            "requisition",
            "p_survives",
            "p_survives_ci_low",
            "p_survives_ci_high",
            "share_of_actions",
            "share_of_actions_se",
            "requisition_destroyed",
            "requisition_destroyed_se",
            "kills",
            "kills_se",
            "earned_its_cost",
            "earned_its_cost_se",
            "n",
        ),
    ),
    Table(
        "battle_timeline",
        ("player_turn",),
        (
            *(f"requisition_left_{side}{end}" for side in "ab" for end in ("", "_se")),
            *(f"p_goes_on{end}" for end in ("", "_ci_low", "_ci_high")),
            "n",
        ),
    ),
    Table(
        "battle_left",
        ("side", "requisition_left"),
        (*(f"p_requisition_left{end}" for end in ("", "_ci_low", "_ci_high")), "n"),
    ),
    Table(
        "battle_log",
        ("strike",),
        (
            "player_turn",
            "side",
            "name",
            "weapon",
            "enemy",
            "range_in",
            "moved_in",
            "helpers",
            "toughness_before",
            "toughness",
            "gain",
            "needed",
            "rolled",
            "taken",
            "rules",
        ),
    ),
    Table(
        "scores",
        ("unit", "opponent"),
        ("requisition", "opponent_requisition", "score", "mutual", "solver"),
    ),
    Table(
        "worth",
        ("unit",),
        (
            "name",
            "nation",
            "category",
            "requisition",
            "score",
            "level",
            "worth",
            "worth_low",
            "worth_high",
            "worth_change",
            "score_at_worth",
            "worth_slope",
            "worth_fewest_actions",
            "worth_most_actions",
            "immune_to",
            "harmless_to",
            "flags",
            "unseen",
        ),
    ),
    Table(
        "worth_moving",
        ("unit",),
        (
            "name",
            "requisition",
            "score",
            "score_moving",
            "score_moving_ci_low",
            "score_moving_ci_high",
            "worth",
            "worth_low",
            "worth_high",
            "worth_moving",
            "worth_moving_ci_low",
            "worth_moving_ci_high",
            "beyond",
            "engine",
            "n",
            "seed",
        ),
    ),
    Table(
        "worth_reasons",
        ("unit", "opponent"),
        ("opponent_requisition", "score", "pull", "exchange_rate"),
    ),
    Table(
        "worth_of_changes",
        ("unit", "what_if"),
        ("worth", "worth_before", "worth_difference", "harmless_to"),
    ),
    Table(
        "penetration_steps",
        ("unit", "what_if"),
        ("expected_damage", "more_against", "harmless_to"),
    ),
    Table("score_by", ("group", "opponent_group"), ("units", "opponents", "pairs", "score")),
    Table("dominated", ("unit", "by"), ("requisition", "by_requisition", "score", "by_score")),
    Table("fire", ("unit",), ("opponents", "turns_to_destroy", "turns_it_lasts")),
    Table(
        "toughness_steps",
        ("unit", "gun_class"),
        ("opponents", "toughness", "toughness_from", "toughness_to", "hits"),
    ),
    Table(
        "prices",
        ("unit",),
        (
            "name",
            "requisition",
            "fair_requisition",
            "new_requisition",
            "fair_low",
            "fair_high",
            "change",
            "score_before",
            "score_after",
            "score_slope",
            "at_floor",
            "identified",
            "why",
        ),
    ),
    Table("card_changes", ("unit", "what", "field"), ("name", "before", "after")),
    Table("rule_changes", ("switch",), ("before", "after")),
    Table(
        "matchup_changes",
        ("unit", "opponent"),
        ("duel_score_before", "duel_score_after", "duel_score_difference", "flipped"),
    ),
    Table(
        "unit_changes",
        ("unit",),
        (
            "name",
            *(
                f"{name}_{end}"
                for name in ("requisition", "rank", "requisition_exchange_ratio", "score", "worth", "proposal")
                for end in ("before", "after")
            ),
            *(f"{name}_difference{end}" for name in ("score", "worth") for end in ("", "_low", "_high")),
        ),
    ),
    Table(
        "group_changes",
        ("grouping", "group", "opponent_group"),
        ("score_before", "score_after", "score_difference"),
    ),
    Table("leads", (*_BATTLE, *_CHOICES), ("ahead_with_few", "few_to", "ahead_with_many", "many_from")),
]
TABLES = {table.name: table for table in _TABLES}
