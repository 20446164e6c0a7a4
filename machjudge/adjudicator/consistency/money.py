"""Treasuries, debts and chits (areas BNK, ASN)."""

from collections import Counter
from collections.abc import Iterator

from machjudge.adjudicator.consistency.fault import Inconsistency
from machjudge.adjudicator.model.moments import Season, Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.rules import Chits
from machjudge.adjudicator.model.state import Loan, State
from machjudge.adjudicator.model.world import World
from machjudge.adjudicator.money.banking import CREDIT, interest_on

_LONGEST_LOAN = 2
"""Years (BNK-02)."""


def faults(world: World, state: State) -> Iterator[Inconsistency]:
    """What is wrong with money and chits."""
    yield from _faults_of_loans(world, state)
    for power in sorted(state.defaulted):
        flaw = _flaw_of_debtor(world, state, power)
        if flaw:
            yield Inconsistency(("defaulted", power), flaw)
    yield from _faults_of_chits(world, state)
    for power in sorted(state.eliminated - set(world.in_play)):
        yield Inconsistency(("eliminated", power), f"nobody plays {power}")


# --- loans -----------------------------------------------------------------------------------


def _faults_of_loans(world: World, state: State) -> Iterator[Inconsistency]:
    principal: Counter[PowerId] = Counter()
    for loan in state.loans:
        principal[loan.power] += loan.principal
        flaw = _flaw_of_debtor(world, state, loan.power)
        if loan.power in state.defaulted:
            flaw = f"the bank has cancelled the debts of {loan.power}, and lends it nothing more"
        flaw = flaw or _flaw_of_loan(world, state, loan)
        if not flaw and principal[loan.power] > CREDIT:
            flaw = f"{loan.power} owes more than {CREDIT} ducats without interest"
        if flaw:
            yield Inconsistency(("loans", loan), flaw)


def _flaw_of_debtor(world: World, state: State, power: PowerId) -> str:
    """Whom the bank lends to: powers that somebody plays, while they live (ELI-02)."""
    if power not in world.in_play:
        return f"nobody plays {power}"
    return f"{power} is eliminated and owes nothing" if power in state.eliminated else ""


def _flaw_of_loan(world: World, state: State, loan: Loan) -> str:
    """When a loan falls due, and how much interest there can be (BNK-02, BNK-03)."""
    now, before_bank = state.moment.campaign, state.moment.stage is Stage.CAMPAIGN
    if loan.due < now or (loan.due == now and not before_bank):
        return f"it was due in {loan.due.code}, and this is {state.moment.code}"
    if loan.due.season is Season.SUMMER and not world.rules.game.summer:
        return f"this game has no Summer, so nothing is due in {loan.due.code}"
    if loan.principal == 0:
        return "nothing is left to pay back: interest is paid before principal"
    # At most two loans are due in one campaign, of one year and of two; each is rounded up.
    if loan.interest > interest_on(loan.principal, _LONGEST_LOAN) + 1:
        return f"its interest is more than the bank asks for {loan.principal}"
    return ""


# --- chits -----------------------------------------------------------------------------------


def _faults_of_chits(world: World, state: State) -> Iterator[Inconsistency]:
    """Each power began with one chit for every other (ASN-01)."""
    players = frozenset(world.in_play)
    most = len(players) - 1
    around: Counter[PowerId] = Counter()
    for power, held in sorted(state.chits.items()):
        around.update(held)
        strangers = {power, *held} - players if held else set()
        flaw = f"nobody plays {', '.join(sorted(strangers))}" if strangers else ""
        if any(around[victim] > most for victim in held):
            flaw = f"there are more chits for one power than the {most} of the beginning"
        if flaw:
            yield Inconsistency(("chits", power), flaw)
        elif power in held and world.rules.assassins.chits is not Chits.DRAWN:
            says = f"{power} holds a chit on itself, as nobody does at the beginning"
            yield Inconsistency(("chits", power), says, harmless=True)
