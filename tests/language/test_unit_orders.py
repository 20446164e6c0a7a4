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


SAME = {
    "A per h": "army perugia stands|A PERUGIA   hold|A. Per h|* A per holds|A Per h.|1. A Per h"
    "|A Per stays|the army perugia holds",
    "per h": "Per hold|perugia stand",
    "A per - urb": "A Per-Urb|A Per -Urb|A Per -> Urb|A Per --> Urb|A Per – Urb|A Per → Urb"
    "|A per m urb|A per move urb|A Per moves to Urbino|A per to Urb|A per into urb"
    "|A Per advance Urb|A Per A Urb|A per - urbi|Army Perugia goes to Urbino|A Per. - Urb."
    "|A per m to urb|A per -- urb|A  per   -  urb|A per: A-Urbin|A per A-Urb|a per : a - urb",
    "F anc - uas": "F Anc - Upper Adriatic Sea|F anc m upper adriatic|F anc-UA|fleet ancona to upp",
    "F anc - cro/nc": "F anc - cro (nc)|F anc - cro nc|F anc - cro/north coast"
    "|F anc - Croatia (north coast)|F anc - cro /nc|F anc - cro / nc",
    "F cro/sc h": "F cro south coast h|F cro (SC) hold",
    "A per s A bol": "a per supports army bologna|A Per S A Bol H|A per s a bol to hold"
    "|A per support A bol stands",
    "A per s bol": "a per s bologna|A Per S Bol hold",
    "A per s A bol - urb": "A Per supports A Bol to Urb|A per s a bol → urb|a per s a bol a urb"
    "|A per s A bol - urb via convoy|A per s A bol - fer - urb",
    "A per s bol - urb": "a per s bol a urb|a per s bol to urbino",
    "A per s Papal rme": "A per supports papacy rome|A per S Papal rme hold|A per: S-Rome-(P)"
    "|a per s-rome-(papal)|A per S - rme (pope)",
    "A per s Papal A rme": "A per s pope army rome|A per S Papal A Rme hold|a per s papacy's a rme",
    "A per s Venetian F lag": "A per s Venice F lag|A per s venetian fleet lagoon",
    "A per s G bol c": "A per s G bol c a|A per s G bol c f|A per s g bol converts to army"
    "|A per s bol c a|A per s G bol - bol|A per s garrison bologna convert",
    "F ion t A rag - pal": "F ion c A rag - pal|F ion convoys A rag to pal"
    "|F ion transport army ragusa - palermo",
    "F ion t rag - pal": "F ion c rag - pal|F ion t rag A pal|F ion t rag - dal - pal",
    "F ion t Papal A rag - pal": "F ion c papal a rag - pal|F ion convoys papacy army rag to pal",
    "A per c g": "A Per convert|A per converts to garrison|A Per c|A per = g|A per convert into G"
    "|A per converts to a garrison|A per conversion to g",
    "G per c a": "G per: A|G per c army|G per convert to an army|g per converts into army",
    "A per b": "A per besiege|A per besieges|A Per siege|A per b g|A per b G per|A per b garrison"
    "|A per siege rebellion|A per besiege city|A per beseige|A per besiege perugia|A per seige",
    "A per l": "A per lift|A per lifts siege|A per lift siege|A per ls|A per l siege",
    "A per disband": "A per d|A per disbands|disband A per|A per 0|disband army perugia",
    "A avi - wgl - cor": "A avi - cor via wgl|A avi-wgl-cor|A avi to wgl to cor"
    "|A avignon → western gulf of lyons → corsica",
    "A ven - uas - las - bar": "A ven - bar via uas - las|A ven - uas - bar via las",
    "A per - urb via": "A per - urb via convoy|A per - urb by convoy|A per - urb by sea",
    "F gon - ets": "F Gulf of Naples - Eastern Tyrrhenian Sea|F gulf of n - eastern tyrr|F gon-ets",
    "A for l": "A fornova lift|A FOR L",
    "A for s A for - for": "a for s a for-for",
    "F bot h": "F cm h|F cmed h",
    "F egl l": "F ls ls|F lig lift",
}


@pytest.mark.parametrize(
    ("short", "text"), [(short, text) for short, texts in SAME.items() for text in texts.split("|")]
)
def test_many_forms_say_the_same(canonical, short: str, text: str) -> None:
    """Synonyms, spaces, dashes and names make no difference."""
    assert canonical(short) == canonical(text) == [short]


SAME_IN_ADJUSTMENT = {
    "build A par": "b A par|builds army parma|build a par|build A parma",
    "build cm G mes": "build citizen's militia G mes|build citizens’ militia garrison messina"
    "|build militia G mes|build G mes cm|b citizen militia g mes|build G mes militia",
    "build em A flo": "build elite mercenary A flo|build elite mercenaries A flo|b em A flo"
    "|build mercenary army florence",
    "build ep F alb": "build elite professional F alb|build professionals F alb|build F alb ep",
    "build F pro/nc": "build F pro (nc)|build F pro north coast",
    "maintain A par": "m A par|A par|maintains army parma|A par maintain|A par m|maintain em A par"
    "|em A par|A par em|maintain A par em",
    "maintain par": "m par|parma|par maintain",
    "remove A par": "r A par|d A par|disband A par|debuild A par|removes A par|A par d"
    "|A par disband|A par remove|remove A par cm",
    "waive": "w|waives|waive build",
}


@pytest.mark.parametrize(
    ("short", "text"),
    [(short, text) for short, texts in SAME_IN_ADJUSTMENT.items() for text in texts.split("|")],
)
def test_many_forms_of_adjustments_say_the_same(canonical, short: str, text: str) -> None:
    """The special kinds have long and short names, and the verb may stand behind."""
    assert canonical(short, ADJUSTMENT) == canonical(text, ADJUSTMENT) == [short]


@pytest.mark.parametrize(
    ("short", "text"),
    [
        ("A pad - fer", "A pad retreats to Ferrara"),
        ("A pad - fer", "A pad A fer"),
        ("F anc - cro/nc", "F anc - cro nc"),
        ("A pad c g", "A pad convert"),
        ("A pad disband", "A pad 0"),
        ("A pad disband", "disband A pad"),
    ],
)
def test_forms_of_retreats_say_the_same(canonical, short: str, text: str) -> None:
    """All the words of a campaign are understood."""
    assert canonical(text, RETREATS) == [short]


@pytest.mark.parametrize(
    ("short", "text"),
    [
        ("F mao - eng", "F mid-atlantic ocean - english channel"),
        ("F mao - eng", "F mid-atl - channel"),
        ("F mao - eng", "F mid-eng"),
        ("F stp/sc - bot", "F St. Petersburg (south coast) - Gulf of Bothnia"),
        ("F stp/sc - bot", "F st petersburg/sc-both"),
        ("F eng t A lon - bre", "F ENG C A LON-BRE"),
        ("F nth s England F lon - bel", "F nth S English F lon - bel"),
        ("A tri - rom", "A trieste - rome"),
    ],
)
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
