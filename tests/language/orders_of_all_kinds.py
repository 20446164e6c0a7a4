"""Hypothesis strategies for orders of every kind on a board, whether or not they make sense."""

from hypothesis import strategies as st

from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Burn,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    Named,
    Order,
    Pay,
    Permit,
    Purpose,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    Waive,
)
from machjudge.adjudicator.units import Kind, Quality
from machjudge.language import Lexicon

COASTS = st.sampled_from([NO_COAST, *map(Coast, ("nc", "sc", "ec", "wc"))])
DUCATS = st.integers(0, 9_999)
ON_PLACES = (Purpose.FAMINE_RELIEF, Purpose.PACIFY, Purpose.CAUSE_REBELLION)
ON_UNITS = (Purpose.COUNTER_BRIBE, Purpose.DISBAND, Purpose.BUY)


def places(lexicon: Lexicon) -> st.SearchStrategy[PlaceId]:
    """Any place of the board."""
    return st.sampled_from(sorted(lexicon.board.places))


def powers(lexicon: Lexicon) -> st.SearchStrategy[PowerId]:
    """Any power of the scenario."""
    return st.sampled_from(sorted(lexicon.powers))


def units(lexicon: Lexicon) -> st.SearchStrategy[Named]:
    """A unit as its owner names it."""
    return st.builds(Named, st.sampled_from([None, *Kind]), places(lexicon), COASTS)


def others(lexicon: Lexicon) -> st.SearchStrategy[Named]:
    """A unit as anybody names it; whose it is can only be said with its type."""
    owners = st.none() | powers(lexicon) | st.just(AUTONOMOUS)
    owned = st.builds(Named, st.sampled_from(Kind), places(lexicon), st.just(NO_COAST), owners)
    return units(lexicon) | owned


def orders_of_campaigns(lexicon: Lexicon) -> st.SearchStrategy[Order]:
    """Orders for units, and what ducats do."""
    unit, other, place = units(lexicon), others(lexicon), places(lexicon)
    return st.one_of(
        st.builds(Hold, unit),
        st.builds(Besiege, unit),
        st.builds(LiftSiege, unit),
        st.builds(Disband, unit),
        st.builds(Advance, unit, place, COASTS, st.lists(place, max_size=4).map(tuple)),
        st.builds(Advance, unit, place, COASTS, by_sea=st.just(True)),
        st.builds(Support, unit, other),
        st.builds(Support, unit, other, place, COASTS),
        st.builds(Support, unit, other).map(_of_conversion),
        st.builds(Transport, unit, other, place),
        st.builds(Convert, unit, st.sampled_from(Kind), COASTS),
        st.builds(StrategicMove, unit, st.lists(place, min_size=1, max_size=4).map(tuple), COASTS),
        money(lexicon),
    )


def _of_conversion(order: Support) -> Support:
    named = Named(Kind.GARRISON, order.supported.place, owner=order.supported.owner)
    return Support(order.unit, named, named.place)


def money(lexicon: Lexicon) -> st.SearchStrategy[Order]:
    """Loans, gifts, alliances, chits and expenses."""
    power = powers(lexicon)
    return st.one_of(
        st.builds(Ally, power, st.booleans()),
        st.builds(Excommunicate, power, st.booleans()),
        st.builds(Cede, places(lexicon), st.none() | power),
        st.builds(Burn, places(lexicon), st.booleans()),
        st.builds(Permit, power, st.booleans()),
        st.builds(Borrow, DUCATS, st.integers(1, 2)),
        st.builds(Pay, DUCATS, st.none() | power),
        st.builds(GiveChit, power, power),
        expenses(lexicon),
    )


def expenses(lexicon: Lexicon) -> st.SearchStrategy[Expense]:
    """Expenses with the target that their purpose asks for."""
    number, ducats = st.integers(1, 4), st.none() | DUCATS
    garrison = st.builds(Named, st.just(Kind.GARRISON), places(lexicon))
    return st.one_of(
        st.builds(Expense, number, st.none()),
        st.builds(Expense, number, st.sampled_from(ON_PLACES), ducats, place=places(lexicon)),
        st.builds(Expense, number, st.sampled_from(ON_UNITS), ducats, unit=others(lexicon)),
        st.builds(Expense, number, st.just(Purpose.TO_AUTONOMOUS), ducats, unit=garrison),
        st.builds(Expense, number, st.just(Purpose.ASSASSINATE), ducats, power=powers(lexicon)),
    )


def orders_of_adjustments(lexicon: Lexicon) -> st.SearchStrategy[Order]:
    """Builds, upkeep, removals and waived builds."""
    kind, quality = st.sampled_from(Kind), st.sampled_from(Quality)
    return st.one_of(
        st.builds(Build, kind, places(lexicon), COASTS, quality),
        st.builds(Maintain, units(lexicon)),
        st.builds(Remove, units(lexicon)),
        st.just(Waive()),
        st.builds(Tax, places(lexicon)),
        st.builds(GiveChit, powers(lexicon), powers(lexicon)),
    )


def orders_of_retreats(lexicon: Lexicon) -> st.SearchStrategy[Order]:
    """Retreats, into the province next door or into the own city."""
    unit = units(lexicon)
    return st.one_of(
        st.builds(Advance, unit, places(lexicon), COASTS),
        st.builds(Convert, unit, st.sampled_from(Kind), COASTS),
        st.builds(Disband, unit),
    )
