"""What ducats do: the bank, expenses, assassins."""

from dataclasses import dataclass
from typing import Literal

from machjudge.adjudicator.model.moments import Campaign
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Expense
from machjudge.adjudicator.model.units import Unit


@dataclass(frozen=True, slots=True)
class LoanRepaid:
    """Ducats went to the bank for the loans due in one campaign (BNK-05)."""

    power: PowerId
    due: Campaign
    principal: int
    interest: int
    collected: bool
    """Whether the bank took it on the day, rather than the power paying."""


@dataclass(frozen=True, slots=True)
class PaymentNotNeeded:
    """More was offered to the bank than was owed or in the treasury (BNK-19).  Tells only."""

    power: PowerId
    asked: int
    paid: int


@dataclass(frozen=True, slots=True)
class GiftGiven:
    """Ducats passed from one power to another (BNK-11); *asked* is what the order said."""

    giver: PowerId
    receiver: PowerId
    ducats: int
    asked: int


@dataclass(frozen=True, slots=True)
class GiftRefused:
    """A gift did not take place (BNK-07, BNK-18, BNK-21).  Tells only."""

    giver: PowerId
    receiver: PowerId
    ducats: int
    because: Literal["in debt", "eliminated", "excommunicated", "too few ducats"]


@dataclass(frozen=True, slots=True)
class Excommunicated:
    """The Papacy cut a power off from the others for a campaign (BNK-22)."""

    victim: PowerId
    by: PowerId
    during: Campaign


@dataclass(frozen=True, slots=True)
class LoanTaken:
    """A power borrowed (BNK-02)."""

    power: PowerId
    principal: int
    interest: int
    due: Campaign


@dataclass(frozen=True, slots=True)
class LoanRefused:
    """The bank did not lend (BNK-01, BNK-10, BNK-20).  Tells only."""

    power: PowerId
    ducats: int
    because: Literal["limit", "defaulted"]


@dataclass(frozen=True, slots=True)
class LoanDefaulted:
    """A power could not pay; the bank takes the treasury and cancels the debt (BNK-10)."""

    power: PowerId
    owed: int
    seized: int


@dataclass(frozen=True, slots=True)
class ExpensePaid:
    """Ducats for an expense left the treasury (EXP-01, EXP-02)."""

    power: PowerId
    number: int
    asked: int
    paid: int


Fate = Literal[
    "done",
    "too small",
    "counter-bribed",
    "outbid",
    "tied",
    "out of reach",
    "no such unit",
    "not fitting",
    "special limit",
    "no effect",
    "no chit",
    "no attempt",
    "victim eliminated",
    "void: default",
    "failed",
]
"""What became of an expense."""


@dataclass(frozen=True, slots=True)
class ExpenseSettled:
    """What became of an expense: the price it had to reach and the force it had.  Tells only."""

    power: PowerId
    expense: Expense
    fate: Fate
    price: int
    force: int
    unit: Unit | None = None
    """The unit aimed at, before the step."""


@dataclass(frozen=True, slots=True)
class ChitUsed:
    """An attempt used up an assassination chit (ASN-01)."""

    power: PowerId
    victim: PowerId


@dataclass(frozen=True, slots=True)
class ChitGiven:
    """A chit passed to another power, at once and for good (ASN-02)."""

    giver: PowerId
    receiver: PowerId
    victim: PowerId


@dataclass(frozen=True, slots=True)
class ChitsDrawn:
    """A power drew its chits from the bag of all at the beginning (ASN-01)."""

    power: PowerId
    victims: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class PowerAssassinated:
    """A leader was killed, by powers or, where *by* is empty, by the bank (ASN-04 to ASN-11).

    Tells only: what follows from it are events of their own.
    """

    victim: PowerId
    by: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class RebellionRolled:
    """A province of an assassinated leader was tested for rebellion (ASN-09).  Tells only."""

    place: PlaceId
    die: int
    limit: int
    home: bool
    with_unit: bool


MoneyEvent = (
    LoanRepaid
    | PaymentNotNeeded
    | GiftGiven
    | GiftRefused
    | Excommunicated
    | LoanTaken
    | LoanRefused
    | LoanDefaulted
    | ExpensePaid
    | ExpenseSettled
    | ChitUsed
    | ChitGiven
    | ChitsDrawn
    | PowerAssassinated
    | RebellionRolled
)
