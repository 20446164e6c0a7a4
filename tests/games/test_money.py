"""What holds of ducats, whatever anybody orders: ledgers, loans, purses, the order of mails."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import ExpenseSettled, IncomePaid, LoanTaken
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import JUDGE
from machjudge.adjudicator.orders import Borrow, Orders, Pay
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.forecast import forecast
from machjudge.adjudicator.year.steps import play
from machjudge.judge.opening import set_up
from tests.games import looks
from tests.games.game import Deal, atlas, opening, play_phase, world_for
from tests.games.invariants import Phase, flaws
from tests.games.letters import Bookkeeper, letter_of
from tests.games.players import orders_for
from tests.games.variations import with_everything

WITH_EVERYTHING = Deal("1454", 4, chosen=with_everything())
FLORENCE = PowerId("L")
SEEDS = st.integers(0, 10**6)


@cache
def positions() -> tuple[tuple[World, State], ...]:
    """The campaigns of some years in which everything is on."""
    world, found = world_for(WITH_EVERYTHING), []
    state = opening(world, WITH_EVERYTHING.secret)
    for _ in range(24):
        state = play_phase(WITH_EVERYTHING, world, state, ()).after
        if state.moment.stage is Stage.CAMPAIGN:
            found.append((world, state))
    return tuple(found)


def rich_phase(seed: int) -> tuple[Phase, Orders]:
    """A campaign in which everybody has ducats for every expense, and spends them."""
    deal = Deal("1454", seed)
    chance = deal.chance("riches")
    world, state = chance.choice(positions())
    state = replace(state, treasuries={p: chance.randint(0, 120) for p in state.treasuries})
    orders = orders_for(world, state, chance)
    dice = SecretDice(deal.secret, state.moment.code)
    return Phase(world, state, dice, play(world, state, orders, dice)), orders


@given(SEEDS)
def test_a_ledger_from_the_mail_alone_balances(seed: int) -> None:
    """Before, with income, loans and gifts, without what is paid, spent and repaid, is after."""
    phase, orders = rich_phase(seed)
    keeper = Bookkeeper(phase.world, phase.before)

    assert list(keeper(phase, orders, WITH_EVERYTHING.chance("ledger"))) == []


@given(SEEDS)
def test_no_treasury_is_overdrawn_and_nothing_else_is_amiss(seed: int) -> None:
    """Everything that must be true of a phase is."""
    phase, _ = rich_phase(seed)

    assert flaws(phase) == []
    assert min(phase.after.treasuries.values()) >= 0


@given(SEEDS)
def test_mails_in_any_order_do_the_same(seed: int) -> None:
    """Whose expenses are read first makes no difference, nor in which order a mail lists them."""
    phase, orders = rich_phase(seed)

    chance = WITH_EVERYTHING.chance(str(seed))
    assert list(looks.mails_in_any_order_do_the_same(phase, orders, chance)) == []


@given(SEEDS)
def test_what_a_receipt_leaves_is_left(seed: int) -> None:
    """The money that is counted beforehand is what the phase does where nobody else orders."""
    phase, _ = rich_phase(seed)
    chance = WITH_EVERYTHING.chance(f"receipt {seed}")
    power = chance.choice(sorted(phase.before.treasuries))
    sheet = phase.played.standing.get(power, ())

    told = forecast(phase.world, phase.before, power, sheet)
    alone = play(phase.world, phase.before, {power: sheet}, phase.dice)

    earned = sum(
        event.seas + event.provinces + event.cities + event.variable
        for event in alone.events
        if isinstance(event, IncomePaid) and event.power == power
    )
    owed = tuple(loan for loan in alone.state.loans if loan.power == power)
    if power not in alone.state.eliminated:
        assert told.left + earned == alone.state.treasuries[power]
        assert told.debts == owed


def test_riches_are_spent_on_everything() -> None:
    """The phases of these tests hold what they are about: every kind of expense, every fate."""
    settled = [
        event
        for seed in range(150)
        for event in rich_phase(seed)[0].played.events
        if isinstance(event, ExpenseSettled)
    ]
    fates = {event.fate for event in settled}

    assert len({event.expense.purpose for event in settled if event.fate == "done"}) == 8
    assert fates >= {"done", "too small", "counter-bribed", "outbid", "tied", "out of reach"}
    assert fates >= {"no such unit", "no effect", "no chit", "no attempt", "failed"}


# --- loans -----------------------------------------------------------------------------------

INTEREST = {
    1: [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5],
    2: [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13],
}
"""For one year and for two, by the ducats borrowed: 20 and 50 per cent, rounded up (BNK-02)."""


def at(campaign: Campaign) -> tuple[World, State]:
    """The set-up of 1454 in some campaign."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    world = world_of(scenario, JUDGE)
    return world, replace(set_up(world), moment=Moment(campaign, Stage.CAMPAIGN))


def campaign_of(world: World, state: State, *orders: Borrow | Pay) -> Phase:
    """A campaign in which only Florence orders something."""
    dice = SecretDice(bytes(32), state.moment.code)
    return Phase(world, state, dice, play(world, state, {FLORENCE: orders}, dice))


@given(
    st.integers(1, 25),
    st.sampled_from((1, 2)),
    st.integers(1454, 1474),
    st.sampled_from((Season.SPRING, Season.SUMMER)),
)
def test_a_loan_costs_and_falls_due_by_the_catalogue(
    ducats: int, years: int, year: int, season: Season
) -> None:
    """In the same season one or two years later (BNK-02, BNK-03)."""
    world, state = at(Campaign(year, season))

    phase = campaign_of(world, state, Borrow(ducats, years))

    (loan,) = phase.after.loans
    assert (loan.principal, loan.interest) == (ducats, INTEREST[years][ducats])
    assert loan.due == Campaign(year + years, season)
    assert phase.after.treasuries[FLORENCE] == ducats


@pytest.mark.parametrize("years", [1, 2])
def test_the_bank_collects_on_the_day(years: int) -> None:
    """Not a campaign earlier, and then all of it, or the debtor is ruined."""
    world, state = at(Campaign(1454, Season.SPRING))
    lent = campaign_of(world, state, Borrow(10, years)).after
    owed = 10 + INTEREST[years][10]
    before = Moment(Campaign(1453 + years, Season.FALL), Stage.CAMPAIGN)
    due = Moment(Campaign(1454 + years, Season.SPRING), Stage.CAMPAIGN)
    purse = {**lent.treasuries, FLORENCE: owed}
    poor = {**lent.treasuries, FLORENCE: owed - 1}

    early = campaign_of(world, replace(lent, moment=before, treasuries=purse)).after
    paid = campaign_of(world, replace(lent, moment=due, treasuries=purse)).after
    ruined = campaign_of(world, replace(lent, moment=due, treasuries=poor)).after

    assert early.loans == lent.loans
    assert (paid.loans, paid.treasuries[FLORENCE], paid.defaulted) == ((), 0, frozenset())
    assert (ruined.loans, ruined.treasuries[FLORENCE]) == ((), 0)
    assert ruined.defaulted == {FLORENCE}


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from((1, 2))), max_size=4))
def test_no_more_than_25_ducats_are_ever_owed(wishes: list[tuple[int, int]]) -> None:
    """Anyone who asks for more, in one campaign or in several, does not get it (BNK-01)."""
    world, state = at(Campaign(1454, Season.SPRING))

    owed = 0
    for ducats, years in wishes:
        phase = campaign_of(world, state, Borrow(ducats, years))
        state = replace(phase.after, moment=state.moment)
        lent = [event for event in phase.played.events if isinstance(event, LoanTaken)]

        assert bool(lent) == (0 < ducats <= 25 - owed)
        owed += ducats if lent else 0
        assert owed == sum(loan.principal for loan in state.loans)


def test_the_ledger_notices_a_wrong_ducat() -> None:
    """It is no ledger that agrees with everything."""
    phase, _ = rich_phase(1)
    keeper = Bookkeeper(phase.world, phase.before)
    letter = letter_of(phase)

    assert keeper._ledger.read(letter) == []
    keeper = Bookkeeper(phase.world, phase.before)
    wrong = letter.replace("ducats: done.", "1 ducats: done.")
    assert keeper._ledger.read(wrong)
