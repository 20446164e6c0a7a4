"""What a forecast says: each movement of a power's money before it happens, and what to mind."""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.events import (
    Fate,
    GiftGiven,
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    LoanTaken,
    TaxesForced,
)
from machjudge.adjudicator.model.orders import Expense, Order
from machjudge.adjudicator.model.prices import Price
from machjudge.adjudicator.model.reasons import Reason
from machjudge.adjudicator.model.state import Loan
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.year.adjustment import Item

BankEvent = LoanRepaid | GiftGiven | GiftRefused | LoanTaken | LoanRefused | LoanDefaulted


class RemarkSeverity(Enum):
    """How much a remark matters."""

    ERROR = "error"
    """Not accepted."""
    WARNING = "warning"
    """Accepted, but it will probably fail or be wasted."""
    NOTICE = "notice"
    """Worth knowing."""


class Caution(Enum):
    """What a remark is about; *ducats* says which sum goes with it."""

    MONEY_SHORT = "the treasury will not reach"
    """For it there will be *ducats*."""
    MORE_THAN_OWED = "more than is owed"
    """The bank takes *ducats*."""
    IN_DEBT = "no gifts while in debt"
    """*ducats* are owed."""
    CUT_OFF = "no gifts to an excommunicated power"
    OVER_CREDIT = "above the credit"
    """The bank would lend *ducats*."""
    WILL_DEFAULT = "the loans due cannot be paid"
    """*ducats* are missing."""
    ODD_DUCATS = "counts in steps of three"
    """*ducats* are lost."""
    MORE_THAN_PRICE = "more than the price"
    """*ducats* are lost."""
    WILL_FAIL = "an expense that cannot work"
    """*fate* says why."""
    NONE_SEEN = "an expense on a unit that may stand in the fog"
    REPEATED = "an expense that an earlier one makes needless"
    IF_BOUGHT = "an order for a unit that must be bought first"
    NO_PURCHASE = "an order for a foreign unit without a purchase"
    NO_UNIT = "an order for a unit that is no longer there"
    NOT_THERE = "a support or transport of a unit that is not there"
    NOT_PROVIDED_FOR = "a unit that is neither maintained nor removed"
    BUILDS_LEFT = "builds that are not used"
    """*ducats* of them."""
    FAMINE = "a unit that stays where famine is"
    FAMINE_THERE = "a move to where famine is"
    BOUNCES = "a move into a place that is held for sure"
    """*unit* holds it."""
    DEBT_DUE = "a debt that the bank collects now"
    """It takes *ducats*."""
    REFUSED = "an order that the others of the sheet, or the position, rule out"
    """*objection* says why."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that the player should know about an order, or about a unit without one."""

    severity: RemarkSeverity
    caution: Caution
    order: Order | None = None
    ducats: int = 0
    fate: Fate | None = None
    unit: Unit | None = None
    objection: Reason | None = None


@dataclass(frozen=True, slots=True)
class BankEntry:
    """One thing that happens at the bank, and the treasury after it."""

    event: BankEvent
    left: int


@dataclass(frozen=True, slots=True)
class ExpenseEntry:
    """An expense: its price with the doublings, what is paid, and the treasury after it."""

    expense: Expense
    price: Price
    asked: int
    """Ducats that the order names, or the price where it names none."""
    paid: int
    left: int
    unit: Unit | None
    """The unit aimed at, if it is there."""
    within_reach: bool
    """Whether a unit stands next to the target, where that is needed (EXP-27)."""
    fate: Fate
    """What would become of it if nobody else ordered anything."""


@dataclass(frozen=True, slots=True)
class TaxEntry:
    """Taxes taken by force, and the treasury after them."""

    event: TaxesForced
    left: int


@dataclass(frozen=True, slots=True)
class AdjustmentEntry:
    """A unit maintained, removed or built, and the treasury after it."""

    item: Item
    left: int


Entry = BankEntry | ExpenseEntry | TaxEntry | AdjustmentEntry


@dataclass(frozen=True, slots=True)
class Forecast:
    """The money of one phase, in the order in which it will move."""

    treasury: int
    """Ducats before the phase."""
    left: int
    """Ducats after everything."""
    entries: tuple[Entry, ...]
    debts: tuple[Loan, ...]
    """What will be owed after the phase, earliest first."""
    remarks: tuple[Remark, ...]
