"""What two powers agree on is done whole, or not at all, whatever else is ordered and agreed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import (
    ChitGiven,
    ExpensePaid,
    GiftGiven,
    LoanDefaulted,
    ProvinceTaken,
)
from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Borrow, Cede, Expense, GiveChit, Order, Pay, Purpose
from machjudge.adjudicator.state import Loan, State
from machjudge.adjudicator.world import World
from machjudge.judge.agreements import (
    Lapse,
    Part,
    Settled,
    Vote,
    parts_of,
    settle,
    write_part,
)
from machjudge.judge.records import Agreement, MailId
from tests.adjudicator.scene import scene

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
I, V, L, P = map(PowerId, "IVLP")  # noqa: E741  the letters of Milan, Venice, Florence, Papacy
POWERS = (I, V, L, P)
DICE = SecretDice(bytes(32), "S1454M")


@cache
def board() -> tuple[World, State]:
    """The powers of 1454 in Spring, where provinces may be traded."""
    there = scene("S1454M", options={"trade_provinces": True})
    state = replace(
        there.state,
        provinces={**there.state.provinces, "pst": L, "are": L, "man": V},
        treasuries=dict.fromkeys(there.world.in_play, 10),
        chits={power: tuple(sorted(set(there.world.in_play) - {power})) for power in POWERS},
    )
    return there.world, state


def rich(**treasuries: int) -> tuple[World, State]:
    """The same with other treasuries."""
    world, state = board()
    return world, replace(state, treasuries={**state.treasuries, **treasuries})


def agreed(
    number: int,
    giver: PowerId,
    to: PowerId,
    gives: Sequence[Part] = (),
    asks: Sequence[Part] = (),
    minute: int = 0,
) -> Agreement:
    """An agreement, accepted so many minutes after noon."""
    world, _ = board()
    return Agreement(
        number,
        giver,
        to,
        tuple(write_part(world, part) for part in gives),
        tuple(write_part(world, part) for part in asks),
        "S1454M",
        "S1454M",
        NOON,
        MailId(1),
        accepted=NOON + timedelta(minutes=minute),
        accepted_by=MailId(2),
    )


def settled(
    there: tuple[World, State], own: dict[PowerId, tuple[Order, ...]], *agreements: Agreement
) -> Settled:
    """The phase, played with these orders and agreements."""
    return settle(*there, own, agreements, DICE)


def done(what: Settled) -> list[int]:
    """The numbers of the agreements that were carried out."""
    return [each.number for each in what.done]


def lapsed(what: Settled) -> dict[int, tuple[PowerId, Lapse]]:
    """The others, with the side whose part could not be done, and why."""
    return {each.number: (side.power, side.why) for each, side in what.failed}


def gifts(what: Settled) -> Counter[tuple[PowerId, PowerId]]:
    """The ducats that went from one power to another."""
    found: Counter[tuple[PowerId, PowerId]] = Counter()
    for event in what.played.events:
        if isinstance(event, GiftGiven):
            found[event.giver, event.receiver] += event.ducats
    return found


# --- any agreements and purses -----------------------------------------------------------------

powers = st.sampled_from(POWERS)
amounts = st.integers(1, 14)


OWNED = {L: ("pst", "are"), V: ("man",)}


@st.composite
def parts(draw: st.DrawFn, power: PowerId, to: PowerId) -> list[Part]:
    """What a side may have to do; mostly it can."""
    pay = st.builds(Pay, amounts, st.just(to))
    chit = st.builds(GiveChit, st.sampled_from([p for p in POWERS if p != power]), st.just(to))
    vote = st.sampled_from([Vote(), Vote((I, V)), Vote(winner=P)])
    places = OWNED.get(power, ("pst",))
    drawn = draw(st.lists(st.one_of(pay, pay, chit, vote), min_size=1, max_size=2, unique=True))
    if draw(st.integers(0, 4)) == 0:
        drawn.append(Cede(draw(st.sampled_from(places)), to))
    pays = [part for part in drawn if isinstance(part, Pay)]
    return [part for part in drawn if part not in pays[1:]]


@st.composite
def some_agreements(draw: st.DrawFn) -> list[Agreement]:
    """A few between these powers; some accepted in one instant, some for nothing."""
    found = []
    for number in range(1, draw(st.integers(2, 6)) + 1):
        giver, to = draw(st.permutations(POWERS))[:2]
        gives = draw(parts(giver, to))
        asks = draw(st.one_of(st.just([]), parts(to, giver)))
        found.append(agreed(number, giver, to, gives, asks, draw(st.integers(0, 2))))
    return found


own_order = st.one_of(
    st.builds(Pay, amounts, st.sampled_from([None, *POWERS])),
    st.builds(Borrow, st.integers(0, 25), st.just(1)),
    st.builds(Expense, st.integers(1, 4), st.just(Purpose.ASSASSINATE), amounts, power=powers),
    st.builds(Cede, st.sampled_from(["pst", "man"]), st.sampled_from([None, *POWERS])),
)
own_orders = st.fixed_dictionaries(
    {power: st.lists(own_order, min_size=1, max_size=4).map(tuple) for power in POWERS}
)
purses = st.fixed_dictionaries({power: st.integers(0, 20) for power in POWERS})
loans = st.lists(
    st.builds(
        Loan,
        powers,
        st.integers(1, 10),
        st.integers(1, 3),
        st.sampled_from(["S1454M", "S1455M"]).map(lambda code: read_moment(code).campaign),
    ),
    max_size=2,
).map(tuple)


def with_purses(treasuries: dict[PowerId, int], debts: Iterable[Loan]) -> tuple[World, State]:
    """The position with these treasuries and debts."""
    world, state = board()
    return world, replace(state, treasuries={**state.treasuries, **treasuries}, loans=tuple(debts))


@given(some_agreements(), own_orders, purses, loans)
def test_every_part_is_done_or_none(found, own, treasuries, debts) -> None:
    """What changes hands by agreements is what those that were carried out say, to the ducat."""
    world, state = with_purses(treasuries, debts)
    what = settled((world, state), own, *found)
    alone = settled((world, state), own)

    expected = gifts(alone)
    chits = Counter(event for event in alone.played.events if isinstance(event, ChitGiven))
    ceded = []
    for each in what.done:
        for power in (each.giver, each.to):
            for part in parts_of(world, each, power):
                match part:
                    case Pay(ducats=ducats, to=to):
                        expected[power, to] += ducats
                    case GiveChit(of, to):
                        chits[ChitGiven(power, to, of)] += 1
                    case Cede(place, to):
                        ceded.append(ProvinceTaken(place, to, power))
                    case _:
                        pass
    assert sorted([*done(what), *lapsed(what)]) == [each.number for each in found]
    assert +gifts(what) == +expected
    assert Counter(e for e in what.played.events if isinstance(e, ChitGiven)) == chits
    assert all(each in what.played.events for each in ceded)


@given(some_agreements(), own_orders, purses)
def test_ducats_are_conserved(found, own, treasuries) -> None:
    """Agreements make no ducat and lose none: where nothing is spent, all are still there."""
    gifts_only = {
        power: tuple(o for o in orders if isinstance(o, Pay) and o.to)
        for power, orders in own.items()
    }
    world, state = rich(**treasuries)
    what = settled((world, state), gifts_only, *found)

    assert sum(what.played.state.treasuries.values()) == sum(state.treasuries.values())
    assert min(what.played.state.treasuries.values()) >= 0


@given(some_agreements(), own_orders, purses, loans, st.randoms(use_true_random=False))
def test_order_of_input_does_not_matter(found, own, treasuries, debts, shuffled) -> None:
    """Nor in which order two machines learned of them: only instants and numbers count."""
    there = with_purses(treasuries, debts)
    others = list(found)
    shuffled.shuffle(others)

    one, other = settled(there, own, *found), settled(there, own, *others)

    assert (one.done, one.failed, one.played) == (other.done, other.failed, other.played)


@given(some_agreements(), own_orders, purses, loans)
def test_own_orders_get_what_they_would_get_alone(found, own, treasuries, debts) -> None:
    """No agreement takes a ducat from what its side has ordered itself."""
    there = with_purses(treasuries, debts)
    alone, what = settled(there, own), settled(there, own, *found)
    spent, before = paid(what), paid(alone)

    assert all(spent[key] >= ducats for key, ducats in before.items())
    assert all(gifts(what)[key] >= ducats for key, ducats in gifts(alone).items())
    assert defaulted(what) <= defaulted(alone)


def paid(what: Settled) -> dict[tuple[PowerId, int], int]:
    """The ducats that went into each expense."""
    events = (each for each in what.played.events if isinstance(each, ExpensePaid))
    return {(each.power, each.number): each.paid for each in events}


def defaulted(what: Settled) -> set[PowerId]:
    """Who could not pay the bank."""
    return {each.power for each in what.played.events if isinstance(each, LoanDefaulted)}


# --- one by one --------------------------------------------------------------------------------


def test_agreements_on_one_purse_are_carried_out_in_the_order_of_acceptance() -> None:
    """Of equal instants the lower number comes first; what is left over is for the others."""
    there = rich(L=10)
    late, early = agreed(1, L, V, [Pay(6, V)], minute=2), agreed(9, L, I, [Pay(6, I)], minute=1)
    small = agreed(5, L, P, [Pay(4, P)], minute=2)

    what = settled(there, {}, late, early, small)

    assert done(what) == [9, 5]
    assert lapsed(what) == {1: (L, Lapse.FUNDS)}


def test_what_one_agreement_brings_pays_no_other() -> None:
    """Gifts are simultaneous: money that comes in cannot go on (BNK-08)."""
    what = settled(
        rich(I=10, V=0), {}, agreed(1, I, V, [Pay(10, V)]), agreed(2, V, L, [Pay(10, L)])
    )

    assert done(what) == [1]
    assert lapsed(what) == {2: (V, Lapse.FUNDS)}


def test_own_gift_to_the_same_power_stands_beside_the_agreement() -> None:
    """They are two gifts, not one that replaces the other (SYN-10)."""
    what = settled(rich(L=10), {L: (Pay(3, V),)}, agreed(1, L, V, [Pay(7, V)]))

    assert done(what) == [1]
    assert gifts(what) == {(L, V): 10}


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (Pay(8, I), Lapse.FUNDS),
        (Expense(1, Purpose.ASSASSINATE, 12, power=I), Lapse.FUNDS),
        (Cede("pst", P), Lapse.ORDERS),
        (Cede("pst", None), Lapse.ORDERS),
    ],
)
def test_own_order_comes_first(own: Order, why: Lapse) -> None:
    """What a power orders itself for the same ducats, or the same province, is done instead."""
    what = settled(rich(L=12), {L: (own,)}, agreed(1, L, V, [Pay(5, V), Cede("pst", V)]))

    assert done(what) == []
    assert lapsed(what) == {1: (L, why)}


def test_own_order_for_the_same_is_no_hindrance() -> None:
    """A province that its owner cedes anyhow to that power is ceded once."""
    what = settled(board(), {L: (Cede("pst", V),)}, agreed(1, L, V, [Cede("pst", V)], [Pay(5, L)]))

    assert done(what) == [1]
    assert gifts(what) == {(V, L): 5}


def test_own_attempt_keeps_its_chit() -> None:
    """A chit is not given away that the power uses itself (ASN-01)."""
    attempt = Expense(1, Purpose.ASSASSINATE, 12, power=I)
    what = settled(rich(L=20), {L: (attempt,)}, agreed(1, L, V, [GiveChit(I, V)], [Pay(3, L)]))

    assert lapsed(what) == {1: (L, Lapse.ORDERS)}
    assert gifts(what) == {}


def test_one_chit_is_given_once() -> None:
    """The second agreement about it lapses, with what was asked for it."""
    what = settled(
        board(),
        {},
        agreed(1, L, V, [GiveChit(I, V)], [Pay(3, L)]),
        agreed(2, L, P, [GiveChit(I, P)], [Pay(4, L)], minute=1),
    )

    assert done(what) == [1]
    assert lapsed(what) == {2: (L, Lapse.CHIT)}
    assert gifts(what) == {(V, L): 3}


def test_debtor_gives_nothing() -> None:
    """Who owes the bank cannot give (BNK-07); the other side keeps what it has."""
    world, state = rich(L=10)
    due = read_moment("F1455M")
    assert due is not None
    indebted = replace(state, loans=(Loan(L, 5, 1, due.campaign),))

    what = settled((world, indebted), {}, agreed(1, V, L, [Pay(3, L)], [Pay(4, V)]))

    assert lapsed(what) == {1: (L, Lapse.FUNDS)}
    assert gifts(what) == {}


def test_two_agreements_about_one_province_are_not_both_done() -> None:
    """The one that was accepted first is."""
    what = settled(
        board(),
        {},
        agreed(1, L, V, [Cede("pst", V)], [Pay(3, L)], minute=1),
        agreed(2, L, P, [Cede("pst", P)], [Pay(4, L)]),
    )

    assert done(what) == [2]
    assert lapsed(what) == {1: (L, Lapse.ORDERS)}


def test_who_is_late_under_the_rule_that_the_late_hold_spends_nothing() -> None:
    """Neither side's part is done."""
    world, state = board()
    what = settle(world, state, {}, [agreed(1, L, V, [Pay(3, V)], [Pay(4, L)])], DICE, idle={V})

    assert lapsed(what) == {1: (V, Lapse.LATE)}
    assert gifts(what) == {}
