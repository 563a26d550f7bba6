from aabalance.analysis.actions import actions as actions
from aabalance.analysis.actions import leads as leads
from aabalance.analysis.battles import battles as battles
from aabalance.analysis.cost import cost_effectiveness as cost_effectiveness
from aabalance.analysis.cost import first_requisition as first_requisition
from aabalance.analysis.duels import best_play as best_play
from aabalance.analysis.duels import survivors_of_duel as survivors_of_duel
from aabalance.analysis.duels import turns_of_duel as turns_of_duel
from aabalance.analysis.matchups import matchups as matchups
from aabalance.analysis.matchups import shots as shots
from aabalance.analysis.sensitivity import sensitivity as sensitivity
from aabalance.analysis.situations import Situations as Situations
from aabalance.diff.compare import compare as compare
from aabalance.errors import AabalanceError as AabalanceError
from aabalance.errors import CardError as CardError
from aabalance.errors import OutputError as OutputError
from aabalance.errors import UnknownUnitError as UnknownUnitError
from aabalance.errors import UsageError as UsageError
from aabalance.explorer import explore as explore
from aabalance.game import Game as Game
from aabalance.jobs.sweeps import sweeping as sweeping
from aabalance.play.battle import BattleResult as BattleResult
from aabalance.play.duel import DuelResult as DuelResult
from aabalance.play.match import MatchResult as MatchResult
from aabalance.play.shot import ShotResult as ShotResult
from aabalance.pricing.breakpoints import penetration_steps as penetration_steps
from aabalance.pricing.breakpoints import toughness_steps as toughness_steps
from aabalance.pricing.breakpoints import worth_of_changes as worth_of_changes
from aabalance.pricing.roster import dominated as dominated
from aabalance.pricing.roster import score_by as score_by
from aabalance.pricing.tuning import tune as tune
from aabalance.pricing.worth import worth as worth
from aabalance.pricing.worth import worth_explained as worth_explained
from aabalance.pricing.worth import worth_reasons as worth_reasons
from aabalance.report import plots as plots

__all__: list[str]
__version__: str
