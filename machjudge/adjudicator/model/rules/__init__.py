"""The rules in force: one field per variation, grouped by the room that reads it.

Each field carries the facts of its option: name, values, what is played with each of them, and
numbers of the catalogue.  Presets, flags, settings, the codec and the documents follow from these.
"""

from dataclasses import dataclass, fields
from functools import cached_property

from machjudge.adjudicator.model.rules.cities import (
    Besieged,
    ConversionRules,
    GarrisonLoss,
    OtherOrder,
    Overrun,
    PortCoasts,
    SiegeRules,
)
from machjudge.adjudicator.model.rules.conflict import (
    ConflictRules,
    ConvoyCut,
    EliteBounce,
    EliteCut,
    OwnConflict,
    StrengthScope,
    SupportCut,
    SupportTarget,
)
from machjudge.adjudicator.model.rules.disaster import (
    DisasterRules,
    Severity,
    Storms,
    StormTime,
)
from machjudge.adjudicator.model.rules.game import (
    AdjustmentSeason,
    GameRules,
    Opening,
    OrderNotation,
    SideUnits,
)
from machjudge.adjudicator.model.rules.income import (
    FixedRolls,
    ForcedTaxes,
    HomeIncome,
    IncomeRules,
    IncomeTable,
)
from machjudge.adjudicator.model.rules.intrigue import (
    AssassinNumbers,
    AssassinRules,
    BribeRules,
    BribeTie,
    Chits,
    CounterBribes,
    Liberation,
    Nations,
    OverLimit,
    RebelControl,
    RebellionRules,
    RebelPlacement,
    RebelSupport,
    Released,
    SiegeKill,
    SpecialRules,
)
from machjudge.adjudicator.model.rules.money import (
    Adjacency,
    AdjustmentRules,
    BuildControl,
    FleetBuilds,
    FortBuilds,
    MoneyRules,
    Overspend,
    Trades,
    Unpaid,
)
from machjudge.adjudicator.model.rules.movement import (
    BorderRules,
    CoastSupport,
    Crossing,
    MovementRules,
    Route,
    StraitEntry,
    StraitRules,
)
from machjudge.adjudicator.model.rules.orders import Ban, Legality, LongMoves, OrderRules
from machjudge.adjudicator.model.rules.retreat import (
    Chooser,
    CityRetreat,
    Lagoon,
    Meeting,
    Origin,
    Piombino,
    RetreatRules,
    RetreatStrength,
    RetreatTiming,
)
from machjudge.adjudicator.model.rules.territory import (
    BasicTest,
    BothLost,
    CityControl,
    Conquest,
    ControlRules,
    EliminationTest,
    EliminationTiming,
    HomeFormula,
    HomeLoss,
    HomesCounted,
    Level,
    OwnHome,
    Timing,
    VictoryRules,
)


@dataclass(frozen=True)
class Rules:
    """All variations in force in one game."""

    game: GameRules = GameRules()
    movement: MovementRules = MovementRules()
    conflict: ConflictRules = ConflictRules()
    retreat: RetreatRules = RetreatRules()
    conversion: ConversionRules = ConversionRules()
    siege: SiegeRules = SiegeRules()
    strait: StraitRules = StraitRules()
    borders: BorderRules = BorderRules()
    control: ControlRules = ControlRules()
    victory: VictoryRules = VictoryRules()
    income: IncomeRules = IncomeRules()
    adjustment: AdjustmentRules = AdjustmentRules()
    disaster: DisasterRules = DisasterRules()
    money: MoneyRules = MoneyRules()
    orders: OrderRules = OrderRules()
    bribes: BribeRules = BribeRules()
    rebellion: RebellionRules = RebellionRules()
    assassins: AssassinRules = AssassinRules()
    special: SpecialRules = SpecialRules()

    def __hash__(self) -> int:
        """Worked out once: each mail looks up the world of its game by its rules."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, each.name) for each in fields(self)))


__all__ = [
    "Adjacency",
    "AdjustmentRules",
    "AdjustmentSeason",
    "AssassinNumbers",
    "AssassinRules",
    "Ban",
    "BasicTest",
    "Besieged",
    "BorderRules",
    "BothLost",
    "BribeRules",
    "BribeTie",
    "BuildControl",
    "Chits",
    "Chooser",
    "CityControl",
    "CityRetreat",
    "CoastSupport",
    "ConflictRules",
    "Conquest",
    "ControlRules",
    "ConversionRules",
    "ConvoyCut",
    "CounterBribes",
    "Crossing",
    "DisasterRules",
    "EliminationTest",
    "EliminationTiming",
    "EliteBounce",
    "EliteCut",
    "FixedRolls",
    "FleetBuilds",
    "ForcedTaxes",
    "FortBuilds",
    "GameRules",
    "GarrisonLoss",
    "HomeFormula",
    "HomeIncome",
    "HomeLoss",
    "HomesCounted",
    "IncomeRules",
    "IncomeTable",
    "Lagoon",
    "Legality",
    "Level",
    "Liberation",
    "LongMoves",
    "Meeting",
    "MoneyRules",
    "MovementRules",
    "Nations",
    "Opening",
    "OrderNotation",
    "OrderRules",
    "Origin",
    "OtherOrder",
    "OverLimit",
    "Overrun",
    "Overspend",
    "OwnConflict",
    "OwnHome",
    "Piombino",
    "PortCoasts",
    "RebelControl",
    "RebelPlacement",
    "RebelSupport",
    "RebellionRules",
    "Released",
    "RetreatRules",
    "RetreatStrength",
    "RetreatTiming",
    "Route",
    "Rules",
    "Severity",
    "SideUnits",
    "SiegeKill",
    "SiegeRules",
    "SpecialRules",
    "StormTime",
    "Storms",
    "StraitEntry",
    "StraitRules",
    "StrengthScope",
    "SupportCut",
    "SupportTarget",
    "Timing",
    "Trades",
    "Unpaid",
    "VictoryRules",
]
