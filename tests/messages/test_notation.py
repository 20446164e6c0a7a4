"""Orders with the full names of places: what a receipt shows can be sent back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator import orders as ordered
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, with_option
from machjudge.adjudicator.orders import Named, Order, Purpose
from machjudge.adjudicator.units import Kind, Quality
from machjudge.adjudicator.world import world_of
from machjudge.judge.rule_settings import usual_rules
from machjudge.language.lexicon import lexicon_of
from machjudge.language.orders import parse_order
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.notation import order_text
from machjudge.messages.wording import Words
from tests.judge.house import atlas, message_renderer

ATLAS, PAPER = atlas(), message_renderer()
LANGUAGES = [each for each in PAPER.languages if each != LANGUAGE]
SCENARIO = ATLAS.scenario("1454")
assert SCENARIO is not None
RULES = usual_rules(SCENARIO)
WORDS = Words(world_of(SCENARIO, RULES))
LEXICON = lexicon_of(SCENARIO)

places = st.sampled_from(sorted(SCENARIO.board.places)).map(PlaceId)
seas = st.sampled_from(sorted(p.id for p in SCENARIO.board.places.values() if p.is_sea))
powers = st.sampled_from(SCENARIO.in_play).map(PowerId)
kinds = st.sampled_from(Kind)
units = st.builds(Named, kinds, places)
armies = st.builds(Named, st.just(Kind.ARMY), places)
ducats = st.integers(1, 50)

campaign: st.SearchStrategy[Order] = st.one_of(
    st.builds(ordered.Hold, units),
    st.builds(ordered.Advance, units, places),
    st.builds(ordered.Advance, armies, places, via=st.lists(seas, max_size=3).map(tuple)),
    st.builds(ordered.Support, units, units),
    st.builds(ordered.Support, units, units, places),
    st.builds(ordered.Transport, st.builds(Named, st.just(Kind.FLEET), places), armies, places),
    st.builds(ordered.Convert, units, kinds),
    st.builds(ordered.Besiege, units),
    st.builds(ordered.StrategicMove, units, st.lists(places, min_size=1, max_size=3).map(tuple)),
    st.builds(ordered.LiftSiege, units),
    st.builds(ordered.Disband, units),
    st.builds(ordered.Ally, powers, st.booleans()),
    st.builds(ordered.Excommunicate, powers),
    st.builds(ordered.Cede, places, powers),
    st.builds(ordered.Burn, places),
    st.builds(ordered.Permit, powers),
    st.builds(ordered.Borrow, ducats, st.sampled_from((1, 2))),
    st.builds(ordered.Pay, ducats, st.one_of(st.none(), powers)),
    st.builds(ordered.GiveChit, powers, powers),
    st.builds(
        ordered.Expense, st.integers(1, 4), st.just(Purpose.FAMINE_RELIEF), ducats, place=places
    ),
    st.builds(ordered.Expense, st.integers(1, 4), st.just(Purpose.BUY), ducats, unit=units),
    st.builds(
        ordered.Expense, st.integers(1, 4), st.just(Purpose.ASSASSINATE), ducats, power=powers
    ),
    st.builds(ordered.Expense, st.integers(1, 4), st.none()),
)
adjustment: st.SearchStrategy[Order] = st.one_of(
    st.builds(ordered.Build, kinds, places, quality=st.sampled_from(Quality)),
    st.builds(ordered.Tax, places),
    st.builds(ordered.Maintain, units),
    st.builds(ordered.Remove, units),
    st.just(ordered.Waive()),
)


@given(campaign)
def test_campaign_order_reads_as_it_was_written(order: Order) -> None:
    """The full names mean the same places."""
    assert parse_order(order_text(WORDS, order), LEXICON, Stage.CAMPAIGN).said == (order,)


@given(adjustment)
def test_adjustment_order_reads_as_it_was_written(order: Order) -> None:
    """Builds, upkeep and removals too."""
    assert parse_order(order_text(WORDS, order), LEXICON, Stage.ADJUSTMENT).said == (order,)


@pytest.mark.parametrize("language", LANGUAGES)
@given(campaign)
def test_campaign_order_reads_in_each_language_as_it_was_written(
    language: str, order: Order
) -> None:
    """With its names of places and powers, and its letters for units."""
    text = PAPER.of(language).say(order_text(WORDS, order))

    assert parse_order(text, lexicon_of(SCENARIO, language), Stage.CAMPAIGN).said == (order,)


@pytest.mark.parametrize("language", LANGUAGES)
@given(adjustment)
def test_adjustment_order_reads_in_each_language_as_it_was_written(
    language: str, order: Order
) -> None:
    """Builds, upkeep and removals too."""
    text = PAPER.of(language).say(order_text(WORDS, order))

    assert parse_order(text, lexicon_of(SCENARIO, language), Stage.ADJUSTMENT).said == (order,)


@pytest.mark.parametrize("scenario", ATLAS.scenario_ids())
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_place_of_a_board_reads_in_each_language(language: str, scenario: str) -> None:
    """No board has two places with the same name in a language, nor one that is an order word."""
    found = ATLAS.scenario(scenario)
    assert found is not None
    words, lexicon = Words(world_of(found, usual_rules(found))), lexicon_of(found, language)
    for place in found.board.places:
        order = ordered.Advance(Named(Kind.ARMY, place), place)
        text = PAPER.of(language).say(order_text(words, order))
        assert parse_order(text, lexicon, Stage.CAMPAIGN).said == (order,), text


def test_a_spanish_army_is_an_e() -> None:
    """Unless a power has that letter, as England has, or the game has units with numbers."""
    army = ordered.Hold(Named(Kind.ARMY, PlaceId("per")))
    spanish, numbered = PAPER.of("es"), with_option(RULES, "notation", "serial")
    england = ATLAS.scenario("standard")
    assert england is not None
    paris = ordered.Hold(Named(Kind.ARMY, PlaceId("par")))

    assert spanish.say(order_text(WORDS, army)) == "E Perugia H"
    assert spanish.say(order_text(Words(world_of(SCENARIO, numbered)), army)) == "A Perugia H"
    words = Words(world_of(england, usual_rules(england)))
    assert spanish.say(order_text(words, paris)) == "A París H"


@pytest.mark.parametrize(
    ("power", "shown"),
    [(PowerId("P"), "A Perugia S Papal Rome"), (AUTONOMOUS, "A Perugia S autonomous Rome")],
)
def test_a_support_shows_the_power_where_it_is_for_one(power: PowerId, shown: str) -> None:
    """And is read again as it was meant; elsewhere the place says all (MOV-13)."""
    scenario = SCENARIO
    assert scenario is not None
    rules = with_option(JUDGE, "support_target", "place_power")
    support = ordered.Support(
        Named(Kind.ARMY, PlaceId("per")), Named(None, PlaceId("rme"), owner=power)
    )
    text = order_text(Words(world_of(scenario, rules)), support)

    assert text == shown
    assert parse_order(text, LEXICON, Stage.CAMPAIGN).said == (support,)
    assert order_text(WORDS, support) == "A Perugia S Rome"
