"""Sentences about events and reasons: each kind has one, or is told by a table."""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator import reasons as because
from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Campaign, Season
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import Build, Maintain, Named, Order
from machjudge.adjudicator.reasons import Flaw, Forced, Objection, Reason, Removal
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.adjudicator.world import world_of
from machjudge.judge.opening import set_up
from machjudge.judge.rule_settings import BadOption, rules_for
from machjudge.messages import results as corrected
from machjudge.messages import results as movement_told
from machjudge.messages import results as moves
from machjudge.messages.results import (
    DEATHS,
    EFFECTS,
    PlayedPhase,
    bank,
    movement,
    phase_results,
)
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import Words, counted, listed, messages_about, reason_words
from tests.judge.house import atlas
from tests.messages.said import lines, say

SECTIONS = (
    bank(1454),
    EFFECTS,
    DEATHS,
    movement_told.UNREST,
    movement_told.TIES,
    movement_told.DISLODGED,
    movement_told.RETREATS,
    movement_told.DISBANDED,
    movement_told.FATES,
    movement_told.NUMBERS,
    movement_told.VICTORY,
    movement_told.DISASTERS,
    movement_told.ADJUSTMENT,
    corrected.CORRECTIONS,
)
IN_TABLES = {
    event_types.ProvinceTaken,
    event_types.CityTaken,
    event_types.RollPaid,
    event_types.IncomePaid,
    event_types.ExpensePaid,
    event_types.ExpenseSettled,
    event_types.RebellionRolled,
}
PART_OF_OTHERS = {
    event_types.PhaseEnded,  # the head of the letter
    event_types.DiceThrown,  # the roll that it was thrown for
    event_types.OrderRefused,  # the receipt
    event_types.OrderReplaced,  # the receipt
    event_types.OrderIgnored,  # the mail to its giver
    event_types.ChitGiven,  # the answer to its giver (ASN-02)
    event_types.ChitUsed,  # the attempt
    event_types.ChitsDrawn,  # the purse in the receipt and the listing
    event_types.FamineBegan,  # the disaster
    event_types.ProvinceRecovered,  # the taxes
}


def florence() -> Words:
    """The words of 1454."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    rules = rules_for(scenario, ["nomoney"])
    assert not isinstance(rules, BadOption)
    return Words(world_of(scenario, rules))


WORDS = florence()
FLO, BOL, PER = (PlaceId(place) for place in ("flo", "bol", "per"))
OWN = Unit(PowerId("L"), Kind.ARMY, FLO)
OTHER = Unit(PowerId("P"), Kind.ARMY, BOL)

REASONS: tuple[Reason, ...] = (
    because.Bounced(OTHER, 1, 1),
    because.Withstood(OTHER, 1, 2),
    because.OwnUnitMet(OWN),
    because.OwnUnitStayed(OWN),
    because.NoConvoy(PlaceId("ion"), None, dislodged=False),
    because.NoConvoy(PlaceId("ion"), OTHER, dislodged=True),
    because.NoConvoy(PlaceId("ion"), OTHER, dislodged=False),
    because.NoConvoy(None, None, dislodged=False),
    because.ConvoyParadox(),
    because.NoConvoy(None, None, dislodged=False),
    because.ConvoyParadox(),
    because.StraitClosed(OTHER),
    because.VeniceHeld(OTHER),
    because.CityRebels(FLO),
    because.WasDislodged(OTHER),
    because.CutBy(OTHER),
    because.SupporterDislodged(OTHER),
    because.NotMatched(Named(Kind.ARMY, BOL)),
    because.HeldInstead(Forced.SIEGE_GOES_ON, "SIE-07"),
    Objection(Flaw.NOT_ADJACENT, "MOV-06", BOL),
)


def test_every_kind_of_event_is_told_somewhere() -> None:
    """In a section, in the report of its unit, in a table, or as part of another sentence."""
    kinds = set(get_args(Event))

    told_kinds = {kind for section in SECTIONS for kind in section} | set(moves._REMARKS)
    assert kinds - told_kinds == IN_TABLES | PART_OF_OTHERS


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: type(reason).__name__)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    """Without a full stop, and with the names of the board."""
    sentence = say(reason_words(WORDS, reason))

    assert sentence
    assert not sentence.endswith(".")
    assert "flo" not in sentence.split()


EXAMPLES: Mapping[object, object] = {
    PowerId: PowerId("L"),
    PlaceId: PER,
    Coast: NO_COAST,
    Unit: replace(OTHER, quality=Quality.MERCENARY),
    Campaign: Campaign(1455, Season.SPRING),
    Spot: Spot(PER),
    Removal: Removal.FAMINE,
    Order: Build(Kind.ARMY, FLO),
    Objection: Objection(Flaw.NOT_ADJACENT, "MOV-06", BOL),
    bool: True,
    int: 2,
    str: "counted wrongly",
}
"""A value for each type of a field of an event; of others the first one that there is."""


def example_of(kind: Any) -> Any:
    """A value of the type of a field."""
    if kind in EXAMPLES:
        return EXAMPLES[kind]
    if get_origin(kind) is tuple:
        return (example_of(get_args(kind)[0]),)
    if get_args(kind):
        first = get_args(kind)[0]
        return first if isinstance(first, str) else example_of(first)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    return kind(*(example_of(each) for each in get_type_hints(kind).values()))


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_message_of_an_event_asks_for_no_field_that_it_has_not(kind: type[Event]) -> None:
    """Its fields are named in the tables, where no type check sees them."""
    event: Event = kind(*(example_of(each) for each in get_type_hints(kind).values()))
    tables = [table for table in (*SECTIONS, moves._REMARKS) if kind in table]

    for table in tables:
        made = table[kind](WORDS, event)
        assert made is None or say(made)


def test_reasons_of_the_tests_are_all_that_there_are() -> None:
    """A new reason needs a sentence, and an entry here."""
    assert {type(reason) for reason in REASONS} == set(get_args(Reason))


def test_strengths_are_named_on_both_sides() -> None:
    """Who lost by how much stands in the sentence."""
    assert say(reason_words(WORDS, because.Withstood(OTHER, 1, 2))) == (
        "bounced off A Bologna (Papacy), strength 2 against 1"
    )


@pytest.mark.parametrize("flaw", Flaw)
def test_every_objection_names_its_rule(flaw: Flaw) -> None:
    """The number of the catalogue stands behind the reason."""
    assert say(reason_words(WORDS, Objection(flaw, "MOV-06"))).endswith("[MOV-06]")


def test_coasts_to_choose_from_are_named() -> None:
    """A missing coast is asked for with the coasts that there are."""
    objection = Objection(Flaw.COAST_NEEDED, "MOV-06", PlaceId("cro"), ("nc", "sc"))  # type: ignore[arg-type]

    assert say(reason_words(WORDS, objection)).endswith("write /nc or /sc [MOV-06]")


def test_of_a_coast_that_a_fleet_cannot_reach_it_is_not_said_that_there_is_none() -> None:
    """Croatia has a south coast, but not for a fleet of the Upper Adriatic (MOV-06)."""
    objection = Objection(Flaw.NO_SUCH_COAST, "MOV-06", PlaceId("cro"), ("nc",))  # type: ignore[arg-type]
    told = say(reason_words(WORDS, objection))

    assert told == "that coast is not within reach (Croatia): write /nc [MOV-06]"


IN_RETREATS = {Removal.NO_RETREAT_ORDERED, Removal.RETREATS_MET}
IN_ADJUSTMENTS = {Removal.NOT_MAINTAINED, Removal.TOO_FEW_CITIES}


@pytest.mark.parametrize("removal", Removal)
def test_no_removal_goes_untold(removal: Removal) -> None:
    """Whatever takes a unit off the map, exactly one section of its phase says it."""
    event = event_types.UnitRemoved(OWN, removal)
    apart = {True: [movement_told.RETREATS], False: [movement_told.ADJUSTMENT]}
    if removal in IN_RETREATS | IN_ADJUSTMENTS:
        sections = apart[removal in IN_RETREATS]
    else:
        apart_from = (movement_told.RETREATS, movement_told.ADJUSTMENT)
        sections = [each for each in SECTIONS if each not in apart_from]

    tellers = [
        each[event_types.UnitRemoved] for each in sections if event_types.UnitRemoved in each
    ]
    assert len([said for teller in tellers if (said := teller(WORDS, event))]) == 1


def test_autonomous_garrisons_that_hold_are_left_out() -> None:
    """A dozen of them would hide what happened."""
    state = set_up(WORDS.world)
    events = [event_types.Held(unit) for unit in state.units()]

    reports = movement(WORDS, state, {}, events)

    assert "Autonomous" not in {report.power for report in reports}
    assert len(reports) == 8


def test_power_that_wins_is_told_first() -> None:
    """Victory stands in a section of its own."""
    state = set_up(WORDS.world)
    events = (event_types.VictoryReached(PowerId("L"), 15, 2),)

    told_ = phase_results(
        WORDS, PlayedPhase(*EVERYTHING.phase(WORDS.world, state, state, events), {})
    )

    assert lines(told_.victory) == (
        "Florence fulfils the condition of victory (15 cities, 2 home countries).",
    )


def test_lists_are_written_as_sentences_have_them() -> None:
    """Commas, and a word before the last."""
    assert [listed("abc"), listed("ab", "or"), listed("a"), listed([])] == [
        "a, b and c",
        "a or b",
        "a",
        "",
    ]


def test_numbers_agree_with_their_nouns() -> None:
    """One unit, two units, two cities."""
    assert [counted(1, "unit"), counted(2, "unit"), counted(0, "city", "cities")] == [
        "1 unit",
        "2 units",
        "0 cities",
    ]


L, P, V = (PowerId(power) for power in "LPV")
LATER = Campaign(1455, Season.SPRING)
GARRISON = Unit(V, Kind.GARRISON, PlaceId("ven"))

SENTENCES: tuple[tuple[Event, str], ...] = (
    (
        event_types.LoanRepaid(L, LATER, 10, 2, collected=True),
        "The bank collects 10 ducats and 2 interest from Florence.",
    ),
    (
        event_types.LoanRepaid(L, LATER, 10, 2, collected=False),
        "Florence repays 10 ducats and 2 interest.",
    ),
    (
        event_types.PaymentNotNeeded(L, 9, 5),
        "The bank takes 5 of the 9 ducats that Florence offers.",
    ),
    (event_types.GiftGiven(L, P, 3, 5), "Florence pays 3 ducats to the Papacy (of 5 ordered)."),
    (
        event_types.GiftRefused(L, P, 3, "in debt"),
        "Florence pays nothing to the Papacy: its own debt to the bank comes first.",
    ),
    (
        event_types.LoanTaken(L, 10, 2, LATER),
        "Florence borrows 10 ducats for 1 year, 2 interest.",
    ),
    (
        event_types.LoanRefused(L, 10, "limit"),
        "Florence does not get 10 ducats: more than 25 would be owed.",
    ),
    (
        event_types.LoanDefaulted(L, 12, 4),
        "Florence cannot pay 12 ducats: the bank takes 4 and its revenge.",
    ),
    (
        event_types.PowerAssassinated(V, (L, P)),
        "The leader of Venice is killed by Florence and the Papacy.",
    ),
    (event_types.PowerAssassinated(V, ()), "The leader of Venice is killed by the bank."),
    (event_types.UnitChangedOwner(OTHER, L), "A Bologna (Papacy) now serves Florence."),
    (
        event_types.UnitChangedOwner(OTHER, AUTONOMOUS),
        "A Bologna (Papacy) is autonomous from now on.",
    ),
    (
        event_types.UnitMadePlain(replace(OTHER, quality=Quality.MERCENARY)),
        "A Bologna (Papacy) is an ordinary unit from now on, no longer elite mercenaries.",
    ),
    (event_types.FamineEnded(PER, relieved=True), "Famine in Perugia is relieved."),
    (
        event_types.RebellionStarted(PER, P, in_province=True, in_city=True),
        "Rebellion against the Papacy in the province and city of Perugia.",
    ),
    (
        event_types.RebellionEnded(
            PER, in_province=True, in_city=False, because=because.RebellionEnd.LIBERATED, by=L
        ),
        "The rebellion in the province of Perugia is over: the place is freed (Florence).",
    ),
    (
        event_types.SiegeEnded(PER, because.SiegeEnd.LIFTED),
        "The siege of Perugia ends: lifted.",
    ),
    (
        event_types.TieBroken("all advance", (OWN, OTHER)),
        "The orders of A Florence (Florence) and A Bologna (Papacy) waited for each other: "
        "all of them advance.",
    ),
    (
        event_types.UnitDislodged(OTHER, OWN, 2, 1, (Spot(PlaceId("mod")),), convert=True),
        "A Bologna (Papacy) may retreat to Modena or its city (C G).",
    ),
    (
        event_types.UnitDislodged(OTHER, OWN, 2, 1, (), convert=False),
        "A Bologna (Papacy) has no retreat.",
    ),
    (
        event_types.Retreated(OTHER, BOL, NO_COAST, into_city=True),
        "A Bologna (Papacy) retreats into the city of Bologna.",
    ),
    (
        event_types.HomeConquered(P, (BOL,), L, P),
        "The home country of the Papacy is Florence's now.",
    ),
    (
        event_types.HomeConquered(P, (BOL,), None, P),
        "The home country of the Papacy is nobody's now.",
    ),
    (
        event_types.HomeHeld(P, L),
        "Florence controls all of the home country of the Papacy, and conquers it if that is so at"
        " the end of the next campaign.",
    ),
    (
        event_types.HomeHeld(P, None),
        "Nobody controls all of the home country of the Papacy any more.",
    ),
    (
        event_types.EndThrown((L,), 12, 2, 2),
        "Florence leads with 12 cities: the game ends with 1 to 2 on a die. It shows 2, and the"
        " game is over.",
    ),
    (
        event_types.EndThrown((L, P), 11, 5, 1),
        "Florence and the Papacy lead with 11 cities: the game ends with 1 on a die. It shows 5,"
        " and that does not end it.",
    ),
    (event_types.UnitNumbered(OTHER, 3), "A Bologna (Papacy) is A3."),
    (event_types.PowerEliminated(P), "The Papacy is eliminated."),
    (
        event_types.DisasterStruck("famine", 6, 7, None, (PER, FLO)),
        "Famine: severity 6, row 7.\n  Struck: Florence, Perugia",
    ),
    (
        event_types.DisasterStruck("plague", 3, None, None, ()),
        "Plague: severity 3, nothing.",
    ),
    (
        event_types.AdjustmentFailed(
            L, Maintain(Named(Kind.ARMY, FLO)), Objection(Flaw.NO_MONEY, "ADJ-12")
        ),
        "cannot maintain A Florence: not enough ducats [ADJ-12]",
    ),
    (
        event_types.AdjustmentFailed(
            L,
            Build(Kind.ARMY, FLO, quality=Quality.MILITIA),
            Objection(Flaw.TOO_MANY_SPECIAL, "SPC-06"),
            lost=6,
        ),
        "cannot build cm A Florence: no more special units allowed [SPC-06]; 6 ducats lost",
    ),
    (event_types.BuildsWaived(L, 2), "waives 2 builds"),
    (event_types.UnitBuilt(GARRISON, 3), "builds G Venice (3d)"),
)


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_event_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    """Word for word, by the only section that tells it."""
    said = [say(one) for section in SECTIONS for one in messages_about(section, WORDS, [event])]

    assert said == [sentence]


@pytest.mark.parametrize("end", because.RebellionEnd)
def test_every_end_of_a_rebellion_has_its_words(end: because.RebellionEnd) -> None:
    """With the place; and with the power where one did it."""
    event = event_types.RebellionEnded(PER, in_province=False, in_city=True, because=end, by=L)

    (sentence,) = lines(messages_about(movement_told.UNREST, WORDS, [event]))
    assert sentence.startswith("The rebellion in the city of Perugia is ")
    assert "Florence" in sentence
