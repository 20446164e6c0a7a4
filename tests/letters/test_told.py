"""Sentences about events and reasons: each kind has one, or is told by a table."""

from typing import get_args

import pytest

from machjudge.adjudicator import events as happened
from machjudge.adjudicator import reasons as because
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Named
from machjudge.adjudicator.reasons import Flaw, Forced, Objection, Reason, Removal
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import world_of
from machjudge.letters import moves, told
from machjudge.letters.moves import movement
from machjudge.letters.results import Played, results
from machjudge.letters.why import why
from machjudge.letters.words import Words, counted, flowed, listed
from machjudge.service.opening import set_up
from machjudge.service.rulebook import BadOption, rules_for
from tests.service.house import atlas

SECTIONS = (
    told.MONEY,
    told.UNREST,
    told.TIES,
    told.DISLODGED,
    told.RETREATS,
    told.DISBANDED,
    told.FATES,
    told.VICTORY,
    told.DISASTERS,
    told.ADJUSTMENT,
)
IN_TABLES = {
    happened.ProvinceTaken,
    happened.CityTaken,
    happened.RollPaid,
    happened.IncomePaid,
}
PART_OF_OTHERS = {
    happened.PhaseEnded,  # the head of the letter
    happened.DiceThrown,  # the roll that it was thrown for
    happened.OrderRefused,  # the receipt
    happened.OrderReplaced,  # the receipt
    happened.OrderIgnored,  # the purchase that failed
    happened.ExpensePaid,  # the expense that is settled
    happened.ChitUsed,  # the attempt
    happened.FamineBegan,  # the disaster
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
    sentence = why(WORDS, reason)

    assert sentence
    assert not sentence.endswith(".")
    assert "flo" not in sentence.split()


def test_reasons_of_the_tests_are_all_that_there_are() -> None:
    """A new reason needs a sentence, and an entry here."""
    assert {type(reason) for reason in REASONS} == set(get_args(Reason))


def test_strengths_are_named_on_both_sides() -> None:
    """Who lost by how much stands in the sentence."""
    assert why(WORDS, because.Withstood(OTHER, 1, 2)) == (
        "bounced off A Bologna (Papacy), strength 2 against 1"
    )


@pytest.mark.parametrize("flaw", Flaw)
def test_every_objection_names_its_rule(flaw: Flaw) -> None:
    """The number of the catalogue stands behind the reason."""
    assert why(WORDS, Objection(flaw, "MOV-06")).endswith("[MOV-06]")


def test_coasts_to_choose_from_are_named() -> None:
    """A missing coast is asked for with the coasts that there are."""
    objection = Objection(Flaw.COAST_NEEDED, "MOV-06", PlaceId("cro"), ("nc", "sc"))  # type: ignore[arg-type]

    assert why(WORDS, objection).endswith("write /nc or /sc [MOV-06]")


IN_RETREATS = {Removal.NO_RETREAT_ORDERED, Removal.RETREATS_MET}
IN_ADJUSTMENTS = {Removal.NOT_MAINTAINED, Removal.TOO_FEW_CITIES}


@pytest.mark.parametrize("removal", Removal)
def test_no_removal_goes_untold(removal: Removal) -> None:
    """Whatever takes a unit off the map, exactly one section of its phase says it."""
    event = happened.UnitRemoved(OWN, removal)
    apart = {True: [told.RETREATS], False: [told.ADJUSTMENT]}
    if removal in IN_RETREATS | IN_ADJUSTMENTS:
        sections = apart[removal in IN_RETREATS]
    else:
        sections = [each for each in SECTIONS if each not in (told.RETREATS, told.ADJUSTMENT)]

    tellers = [each[happened.UnitRemoved] for each in sections if happened.UnitRemoved in each]
    assert len([said for teller in tellers if (said := teller(WORDS, event))]) == 1


def test_autonomous_garrisons_that_hold_are_left_out() -> None:
    """A dozen of them would hide what happened."""
    state = set_up(WORDS.world)
    events = [happened.Held(unit) for unit in state.units()]

    reports = movement(WORDS, state, {}, events)

    assert "Autonomous" not in {report.power for report in reports}
    assert len(reports) == 8


def test_power_that_wins_is_told_first() -> None:
    """Victory stands in a section of its own."""
    state = set_up(WORDS.world)
    events = (happened.VictoryReached(PowerId("L"), 15, 2),)

    told_ = results(WORDS, Played(state, state, {}, events))

    assert told_.victory == (
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


def test_items_are_never_broken() -> None:
    """A line ends between two units, not within one."""
    lines = flowed("Venice", ["A Padua", "A Verona", "F Dalmatia", "G Venice"])

    assert lines == ["Venice: A Padua, A Verona, F Dalmatia,", "  G Venice"]
