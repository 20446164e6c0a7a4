"""Orders for units: every form of SYN-01 to SYN-04 and SYN-08, and what people really type."""

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Build,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    Maintain,
    Named,
    Order,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    Waive,
)
from machjudge.adjudicator.units import Kind, Quality
from machjudge.language import Lexicon, parse_order, write
from machjudge.language.order_parts import parse_simple
from machjudge.language.orders import OrderReader
from tests.cases import cases
from tests.language.boards import lexicon

CAMPAIGN, RETREATS, ADJUSTMENT = Stage

ARMY, FLEET, GARRISON = Kind
PER, URB, BOL, MIL = (PlaceId(place) for place in ("per", "urb", "bol", "mil"))
A_PER = Named(ARMY, PER)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Per h", Hold(A_PER)),
        ("per h", Hold(Named(None, PER))),
        ("A Per - Urb", Advance(A_PER, URB)),
        ("A per s A bol", Support(A_PER, Named(ARMY, BOL))),
        ("A per s A bol - urb", Support(A_PER, Named(ARMY, BOL), URB)),
        ("A per s G bol c a", Support(A_PER, Named(GARRISON, BOL), BOL)),
        ("A per c g", Convert(A_PER, GARRISON)),
        ("A per b", Besiege(A_PER)),
        ("F lag b ven", Besiege(Named(FLEET, PlaceId("lag")))),
        ("F lag b G ven", Besiege(Named(FLEET, PlaceId("lag")))),
        ("A per l", LiftSiege(A_PER)),
        ("A per sm urb - bol", StrategicMove(A_PER, (URB, BOL))),
        ("A per sm - urb - bol", StrategicMove(A_PER, (URB, BOL))),
        ("A per disband", Disband(A_PER)),
        (
            "A per s Papal A bol - urb",
            Support(A_PER, Named(ARMY, BOL, owner=PowerId("P")), URB),
        ),
        (
            "A per s autonomous G bol",
            Support(A_PER, Named(GARRISON, BOL, owner=AUTONOMOUS)),
        ),
        (
            "A avi - wgl - cor",
            Advance(Named(ARMY, PlaceId("avi")), PlaceId("cor"), via=(PlaceId("wgl"),)),
        ),
        (
            "F cro/sc - dal",
            Advance(Named(FLEET, PlaceId("cro"), Coast("sc")), PlaceId("dal")),
        ),
        ("F dal - cro/sc", Advance(Named(FLEET, PlaceId("dal")), PlaceId("cro"), Coast("sc"))),
        (
            "G cro c f/nc",
            Convert(Named(GARRISON, PlaceId("cro")), FLEET, Coast("nc")),
        ),
        (
            "F ion t A rag - pal",
            Transport(Named(FLEET, PlaceId("ion")), Named(ARMY, PlaceId("rag")), PlaceId("pal")),
        ),
        ("A per - urb via", Advance(A_PER, URB, by_sea=True)),
    ],
)
def test_order_of_a_campaign_is_read(classic: Lexicon, text: str, order: Order) -> None:
    """The value says what was written and nothing else."""
    assert parse_order(text, classic, CAMPAIGN).said == (order,)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("build A mil", Build(ARMY, MIL)),
        ("build cm A mil", Build(ARMY, MIL, quality=Quality.MILITIA)),
        ("build F cro/nc", Build(FLEET, PlaceId("cro"), Coast("nc"))),
        ("maintain A per", Maintain(A_PER)),
        ("A per", Maintain(A_PER)),
        ("per", Maintain(Named(None, PER))),
        ("remove A per", Remove(A_PER)),
        ("waive", Waive()),
        ("tax Perugia", Tax(PlaceId("per"))),
    ],
)
def test_order_of_an_adjustment_is_read(classic: Lexicon, text: str, order: Order) -> None:
    """A bare unit is maintained."""
    assert parse_order(text, classic, ADJUSTMENT).said == (order,)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A per - urb", Advance(A_PER, URB)),
        ("A per C G", Convert(A_PER, GARRISON)),
        ("A per d", Disband(A_PER)),
    ],
)
def test_order_of_a_retreat_is_read(classic: Lexicon, text: str, order: Order) -> None:
    """A retreat is the order to advance (MOV-47)."""
    assert parse_order(text, classic, RETREATS).said == (order,)


@cases
def test_many_forms_say_the_same(canonical, short: str, text: str) -> None:
    """Synonyms, spaces, dashes and names make no difference."""
    assert canonical(short) == canonical(text) == [short]


@cases
def test_many_forms_of_adjustments_say_the_same(canonical, short: str, text: str) -> None:
    """The special kinds have long and short names, and the verb may stand behind."""
    assert canonical(short, ADJUSTMENT) == canonical(text, ADJUSTMENT) == [short]


@cases
def test_forms_of_retreats_say_the_same(canonical, short: str, text: str) -> None:
    """All the words of a campaign are understood."""
    assert canonical(text, RETREATS) == [short]


@cases
def test_names_of_another_board_are_read_by_the_same_grammar(
    standard: Lexicon, short: str, text: str
) -> None:
    """The grammar knows no places; names with dashes and dots are the board's affair."""
    (order,) = parse_order(text, standard, CAMPAIGN).understood

    assert write(order, standard) == short


@pytest.mark.parametrize(("scenario", "usual"), [("1454", "F lowe h"), ("standard", "F bohe h")])
def test_names_cut_short_are_read_quickly_as_they_are_read_thoroughly(
    scenario: str, usual: str
) -> None:
    """Beginnings of all names, with the letter of a coast behind each too (SYN-09)."""
    names = lexicon(scenario)
    cut = {name[:end] for name in names.place_names() for end in range(2, len(name))}
    words = {beginning + coast for beginning in cut for coast in ("", "n", "s", "nc")}
    lines = [
        line.format(word)
        for word in sorted(words)
        for line in ("F {} h", "A per - {}", "{} A per h")
        if not names.is_exact(word)
    ]
    quick = {
        line: said for line in lines if (said := parse_simple(line, names, CAMPAIGN)) is not None
    }

    thorough = OrderReader(names, CAMPAIGN)
    assert quick == {line: thorough.read(line).said for line in quick}
    assert usual in quick
