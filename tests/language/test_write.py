"""Canonical text is the inverse of reading."""

from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.board import Power
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Hold, Named, Order, Purpose, Support
from machjudge.adjudicator.units import Kind
from machjudge.language import Lexicon, parse_order, unit_text, write
from tests.cases import cases
from tests.language import orders_of_all_kinds as every
from tests.language.boards import lexicon

CLASSIC, STANDARD = lexicon("1454"), lexicon("standard")

PHASES = st.sampled_from(
    [
        (names, stage, orders(names))
        for names in (CLASSIC, STANDARD)
        for stage, orders in (
            (Stage.CAMPAIGN, every.orders_of_campaigns),
            (Stage.RETREATS, every.orders_of_retreats),
            (Stage.ADJUSTMENT, every.orders_of_adjustments),
        )
    ]
)
WRITTEN = PHASES.flatmap(lambda phase: st.tuples(*map(st.just, phase[:2]), phase[2]))


@given(WRITTEN)
def test_written_order_reads_as_itself(written: tuple[Lexicon, Stage, Order]) -> None:
    """On every board, for every kind of order of every kind of phase."""
    names, stage, order = written

    assert parse_order(write(order, names), names, stage).said == (order,)


DASHES = ("-", " - ", "->", " -> ", "-->", "–", " — ", "→", " => ", " ⇒ ")
SPACES = (" ", "  ", "\t", " \u00a0")


@st.composite
def mangled(draw: st.DrawFn) -> tuple[Lexicon, Stage, Order, str]:
    """An order, and its text as somebody's mail program and habits might have it."""
    names, stage, order = draw(WRITTEN)
    text = write(order, names).replace("counter-bribe", "counterbribe")
    pieces = text.replace(" - ", "\n").split("\n")
    dashed = "".join(
        piece + (draw(st.sampled_from(DASHES)) if last else "")
        for piece, last in zip(pieces, [True] * (len(pieces) - 1) + [False], strict=True)
    )
    spaced = "".join(draw(st.sampled_from(SPACES)) if sign == " " else sign for sign in dashed)
    cased = "".join(draw(st.sampled_from((str.upper, str.lower)))(sign) for sign in spaced)
    front = draw(st.sampled_from(("", " ", "* ", "1. ", "- ", "• ")))
    return names, stage, order, front + cased + draw(st.sampled_from(("", " ", ".", ";")))


@given(mangled())
def test_mangled_order_reads_as_the_same(case: tuple[Lexicon, Stage, Order, str]) -> None:
    """Case, spaces, dashes, arrows, bullets and full stops make no difference."""
    names, stage, order, text = case

    assert parse_order(text, names, stage).said == (order,)


@cases
def test_canonical_text_is_written_as_it_was(text: str, stage: str) -> None:
    """The notation of results and receipts, to the letter."""
    (order,) = parse_order(text, CLASSIC, Stage[stage]).understood

    assert write(order, CLASSIC) == text


def test_owner_is_called_by_a_name_that_is_no_place() -> None:
    """On the standard board "English" is the Channel, so the power is called England."""
    named = Named(Kind.ARMY, PlaceId("lon"), owner=PowerId("E"))

    assert unit_text(named, STANDARD) == "England A lon"


def test_owner_whose_names_are_all_places_keeps_his_name() -> None:
    """There is nothing clearer to say."""
    power = Power(PowerId("Z"), "Pisa", "Siena", (), (), (), (), (), None, 0)
    names = Lexicon(CLASSIC.board, {power.id: power})

    assert unit_text(Named(Kind.FLEET, PlaceId("psa"), owner=power.id), names) == "Pisa F psa"


def test_unit_without_a_type_is_written_without_one() -> None:
    """The player's word is kept."""
    assert write(Hold(Named(None, PlaceId("mil"))), CLASSIC) == "mil h"


def test_support_of_an_untyped_unit_into_its_own_place_is_a_move() -> None:
    """Only of a garrison it is a conversion."""
    unit = Named(Kind.ARMY, PlaceId("per"))
    order = Support(unit, Named(None, PlaceId("bol")), PlaceId("bol"))

    assert write(order, CLASSIC) == "A per s bol - bol"


def test_expense_without_a_target_is_written_without_one() -> None:
    """No such order is ever read, but what is written must not fail."""
    assert write(Expense(1, Purpose.ASSASSINATE), CLASSIC) == "expense 1: assassinate "
