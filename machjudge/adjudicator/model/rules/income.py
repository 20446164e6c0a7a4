"""Income, fixed and variable (area INC)."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.model.rules.option import Limits, option


class FixedRolls(Enum):
    """The fixed die of games without dice, by the year (INC-14)."""

    ODD_FOUR = "odd4_even3"
    ODD_THREE = "odd3_even4"


class HomeIncome(Enum):
    """How long a home country's variable income is paid (INC-11)."""

    UNTIL_CONQUERED = "until_conquered"
    FOOTHOLD = "foothold"


class IncomeTable(Enum):
    """By which table variable incomes are paid, and to which homes and cities (INC-10)."""

    SCENARIO = "scenario"
    KARTTUNEN = "karttunen_9"


class ForcedTaxes(Enum):
    """Whether provinces can be taxed by force in the adjustment, and what follows (INC-19)."""

    OFF = "off"
    KARTTUNEN = "karttunen"
    V31 = "v31"


@dataclass(frozen=True, slots=True)
class IncomeRules:
    """The year's income (area INC)."""

    fixed_rolls: FixedRolls = option(
        FixedRolls.ODD_FOUR, "nodice_rolls", "INC-14", presets={"battleline": FixedRolls.ODD_THREE}
    )
    besieged_pays: bool = option(
        False, "besieged_income", "INC-06", "SIE-15", presets={"article": True}
    )
    fort_income: int = option(0, "fort_income", "MAP-08", limits=Limits(most=99))
    city_roll_needs_province: bool = option(
        False, "var_city_needs_province", "INC-13", presets={"karttunen": True}
    )
    home_roll: HomeIncome = option(
        HomeIncome.UNTIL_CONQUERED, "var_keep", "INC-11", presets={"judge2009": HomeIncome.FOOTHOLD}
    )
    table: IncomeTable = option(
        IncomeTable.SCENARIO,
        "var_income_table",
        "INC-10",
        presets={"karttunen": IncomeTable.KARTTUNEN},
    )
    shared_die: bool = option(False, "var_shared_die", "INC-10", presets={"karttunen": True})
    forced: ForcedTaxes = option(
        ForcedTaxes.OFF,
        "forced_taxation",
        "INC-19",
        presets={"karttunen": ForcedTaxes.KARTTUNEN},
    )
