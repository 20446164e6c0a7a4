"""FIX: every kind of correction does what it says, is told, kept and shown in the history."""

import pytest

from machjudge.adjudicator.moments import Campaign, Season
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import Loan, State
from machjudge.judge.archive import replay
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.records import GameId
from tests.cases import cases
from tests.judge.house import House, started
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, MASTER, master, ruled, said
from tests.judge.year import OPENING, address_of, order, play
from tests.results_told import tells_results

FLO, VEN, MIL = PowerId("L"), PowerId("V"), PowerId("I")
DUE = Campaign(1456, Season.SPRING)


def fixed(line: str, house: House | None = None, *, kept: str = "") -> State:
    """The position after a correction; *kept* is what the answer says."""
    house = house or ruled()
    answer = said(master(house, f"FIX {line} BECAUSE of a slip"))

    assert kept in answer
    assert "NOT TAKEN" not in answer
    assert all(
        check.is_kept and check.plays_again for check in replay(house.services, GameId("borgia"))
    )
    return house.view().state


def refused(line: str, house: House | None = None) -> str:
    """Why a correction is refused; nothing has changed then."""
    house = house or ruled()
    before = house.view().state
    answer = said(master(house, f"FIX {line} BECAUSE of a slip"))

    assert "NOT TAKEN" in answer
    assert house.view().state == before
    return answer


# --- home countries --------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "owner"), [("Milan", MIL), ("nobody", None)])
def test_a_home_country_is_set_as_a_whole(by: str, owner: PowerId | None) -> None:
    """All its provinces, which the first owner of it had; others stay."""
    house = ruled()
    places = house.view().world.scenario.powers[FLO].home
    state = fixed(f"HOME {by} COUNTRY Florence", house, kept="home country of Florence is")

    assert {state.homes.get(place) for place in places} == {owner}
    assert VEN in state.homes.values()


@pytest.mark.parametrize("line", ["HOME Milan", "HOME Sparta COUNTRY Florence", "HOME V COUNTRY x"])
def test_a_home_country_needs_both_names(line: str) -> None:
    """With the line as it is written."""
    assert "FIX HOME Milan COUNTRY Florence" in refused(line)


# --- loans -----------------------------------------------------------------------------------


def test_a_loan_is_set_and_taken_away() -> None:
    """For one campaign; another due date is another loan."""
    house = ruled()
    state = fixed("LOAN Florence 10 5 Spring 1456", house, kept="owes the bank 10 ducats and 5")
    assert state.loans == (Loan(FLO, 10, 5, DUE),)

    state = fixed("LOAN L 4 S1456", house)
    assert state.loans == (Loan(FLO, 4, 0, DUE),)

    state = fixed("LOAN Florence 0 spring 1456", house, kept="owes the bank nothing that is due")
    assert state.loans == ()


@cases
def test_no_loan_that_the_bank_never_gives(line: str, why: str) -> None:
    """The reason stands in the answer, and how a loan is written."""
    told = refused(line)

    assert why.lower() in told.lower()
    assert "FIX LOAN Florence 10 5" in told


def test_a_default_is_set_and_lifted() -> None:
    """Anyone who cannot borrow has no debts."""
    house = ruled()
    fixed("LOAN Florence 10 5 Spring 1456", house)
    state = fixed("DEFAULT Florence", house, kept="lends nothing more to Florence")
    assert (state.defaulted, state.loans) == ({FLO}, ())

    state = fixed("DEFAULT NO Florence", house, kept="lends again to Florence")
    assert state.defaulted == frozenset()


# --- a sign is a change -----------------------------------------------------------------------


@cases
def test_ducats_with_a_sign_are_a_change_and_those_without_are_what_there_is(
    said: str, ducats: int
) -> None:
    """The answer says what it was and what it is."""
    house = ruled()
    fixed("TREASURY Venice 3", house)
    state = fixed(f"TREASURY Venice {said}", house, kept=f"Ducats of Venice: was 3, is {ducats}.")

    assert state.treasuries[VEN] == ducats


def test_a_sign_changes_what_is_owed_and_chits_too() -> None:
    """Interest that is not named stays what it was where the ducats are a change."""
    house = ruled()
    fixed("LOAN Florence 10 5 Spring 1456", house, kept="was 0, is 10. Interest: was 0, is 5.")
    state = fixed("LOAN Florence +2 Spring 1456", house, kept="was 10, is 12. Interest: was 5, is")
    assert state.loans == (Loan(FLO, 12, 5, DUE),)
    state = fixed("LOAN Florence -4 - 2 Spring 1456", house)
    assert state.loans == (Loan(FLO, 8, 3, DUE),)
    state = fixed("CHITS Florence on Venice -1", house, kept="on Venice: was 1, is 0.")
    assert VEN not in state.chits[FLO]


@pytest.mark.parametrize("line", ["TREASURY Venice -4", "TREASURY Venice +999999"])
def test_a_change_leads_to_no_impossible_number(line: str) -> None:
    """The reason says what it would be and what it was."""
    house = ruled()
    fixed("TREASURY Venice 3", house)

    assert "instead of 3" in refused(line, house)


# --- chits -----------------------------------------------------------------------------------


def test_chits_are_counted() -> None:
    """So many on one victim; the others stay."""
    house = ruled()
    before = house.view().state.chits[FLO]
    state = fixed("CHITS Florence on Venice 0", house, kept="no assassination chit on Venice")
    assert state.chits[FLO] == tuple(each for each in before if each != VEN)

    state = fixed("CHIT L V 1", house, kept="1 assassination chit on Venice")
    assert state.chits[FLO] == before


def test_there_are_no_more_chits_than_at_the_beginning() -> None:
    """Seven on each of eight powers."""
    assert "there are more chits for one power" in refused("CHITS Florence Venice 3")


def test_who_may_not_see_chits_reads_that_one_was_corrected() -> None:
    """With the reason, and without the names; its owner reads all."""
    house = ruled()
    sent = master(house, "FIX CHITS Florence Venice 0 BECAUSE it was used by post")
    bodies = {letter.to: letter.body for letter in sent}
    others = [bodies[address_of(house, power)] for power in "VIPNTAF"]

    assert "Florence holds no assassination chit on Venice" in bodies[address_of(house, "L")]
    assert all("An assassination chit was corrected: it was used" in body for body in others)
    assert not any("Florence" in body or "Venice now" in body for body in others)


@pytest.mark.parametrize(
    ("line", "warned"), [("CHITS Florence Venice 0", True), ("HOME Milan COUNTRY Venice", False)]
)
def test_the_master_is_told_that_also_those_who_see_less_read_the_reason(line, warned) -> None:
    """It might name what is hidden from them; where all see all there is nothing to say."""
    told = said(master(ruled(), f"FIX {line} BECAUSE of a slip"))

    assert "NOT TAKEN" not in told
    assert ("your reason they all read" in told) is warned


# --- elimination -----------------------------------------------------------------------------


def test_an_eliminated_power_loses_everything() -> None:
    """As by the rules (ELI-02): units, places, home, ducats, chits, debts."""
    house = ruled()
    fixed("LOAN Florence 10 5 Spring 1456", house)
    state = fixed("ELIMINATION Florence", house, kept="Florence is eliminated")

    assert FLO in state.eliminated
    assert state.units_of(FLO) == []
    owned = (*state.provinces.values(), *state.cities.values(), *state.homes.values())
    assert FLO not in owned
    assert FLO not in state.treasuries
    assert FLO not in state.chits
    assert state.loans == ()


def test_a_power_comes_back_and_is_set_up_again() -> None:
    """Step by step, in the order in which the guide says."""
    house = ruled()
    fixed("ELIMINATION Florence", house)
    assert "FIX ELIMINATION NO" in refused("UNIT Florence A flo", house)
    fixed("ELIMINATION NO Florence", house, kept="Florence is in the game again")
    fixed("OWNER Florence CITY flo", house)
    fixed("HOME Florence COUNTRY Florence", house)
    fixed("TREASURY Florence 9", house)
    state = fixed("UNIT Florence A flo", house)

    assert FLO not in state.eliminated
    assert [unit.place for unit in state.units_of(FLO)] == [PlaceId("flo")]
    assert state.treasuries[FLO] == 9


@pytest.mark.parametrize("line", ["ELIMINATION NO Florence", "ELIMINATION Sparta", "ELIMINATION"])
def test_nobody_is_eliminated_by_a_slip(line: str) -> None:
    """Nor brought back who never left."""
    refused(line)


def test_a_game_with_a_corrected_elimination_goes_on() -> None:
    """The next phase is played, and nobody waits for who is out."""
    house = ruled()
    fixed("ELIMINATION Florence", house)
    sent = play(house, OPENING, without="L")

    assert any(tells_results(letter.body, "F1453B") for letter in sent)


def test_what_no_game_leads_to_is_refused() -> None:
    """Rebels in a city with a garrison, for instance; the reason says so."""
    house = ruled()
    fixed("UNIT Florence G flo", house)

    assert "no game leads to such a position" in refused("MARKER CITY REBELLION flo", house).lower()


# --- the history -----------------------------------------------------------------------------


def history(house: House, power: str = "V", *lines: str) -> str:
    """What somebody reads who asks for it."""
    sent = order(house, power, *lines, "HISTORY borgia")
    return next(x.body for x in sent if x.to == address_of(house, power))


def test_the_history_shows_corrections_with_their_text() -> None:
    """At their time, among the results, and not as results without text."""
    house = ruled()
    master(house, "FIX TREASURY Florence 9 BECAUSE the gift was lost")
    play(house, OPENING)
    master(house, "FIX UNIT nobody A flo BECAUSE it was never built")
    told = history(house)

    assert "F1453B: corrected by the master" in told
    assert "Florence has 9 ducats now: the gift was lost." in told
    assert "S1454M: corrected by the master" in told
    assert "No unit stands in Florence now: it was never built." in told
    assert told.count("results of") == 1
    assert told.index("the gift was lost") < told.index("results of") < told.index("never built")


def test_the_history_hides_what_is_hidden() -> None:
    """Ducats in a game that hides them, and chits, from all but their owner and the master."""
    house = ruled()
    house.change_settings(treasuries=Treasuries.PRIVATE)
    master(house, "FIX TREASURY Florence 9 BECAUSE of a gift")
    master(house, "FIX CHITS Florence Venice 0 BECAUSE of a murder")

    assert "Florence has 9 ducats" in history(house, "L")
    assert "Florence has 9 ducats" in said(write(house, GINA, MASTER, "HISTORY borgia"))
    told = history(house, "V")
    assert "A treasury was corrected: because of a gift." in told
    assert "An assassination chit was corrected: because of a murder." in told
    assert "Florence has" not in told
    assert "on Venice" not in told


def test_the_summary_counts_no_correction_as_a_phase() -> None:
    """Only what was played."""
    house = ruled()
    play(house, OPENING)
    master(house, *["FIX TREASURY Florence 9 BECAUSE of a gift"] * 3)
    sent = order(house, "V", "SUMMARY")

    assert "1 phase in" in next(x.body for x in sent if x.to == address_of(house, "V"))


@cases
def test_a_correction_brings_nothing_that_the_game_has_not(line: str, says: str) -> None:
    """In plain Diplomacy: no famine, rebels, sieges or garrisons, and no advice to try again."""
    house = ruled("PRESET", "diplomacy", scenario="standard")
    told = refused(line, house).replace("\n", " ").lower()

    assert says in told
    assert ("did you mean" in told) is ("SIEGE" in line)


def test_an_order_on_file_for_a_unit_that_a_master_took_away_is_warned_of() -> None:
    """As long as its player sends no others: these are for the units that there are."""
    house = ruled("nomoney", "nodice")
    order(house, "L", "A flo h", "A are h", "F psa h")
    fixed("UNIT nobody A flo", house)
    (asked,) = order(house, "L", "WHO")
    (anew,) = order(house, "L", "A are - per")

    told = " ".join(asked.body.split())
    assert "A Florence H does not count: there is no such unit any more." in told
    assert "A Florence H" not in anew.body


def test_a_power_without_units_is_told_that_nobody_waits_for_its_expenses() -> None:
    """It may pay, and may not know that the phase is played without it."""
    house = ruled()
    play(house, OPENING)
    units = house.view().state.units_of(PowerId("L"))
    lines = [f"FIX UNIT nobody {each.kind.value} {each.place} BECAUSE x" for each in units]
    assert "Florence has no units to order; the game does not wait for its expenses." in said(
        master(house, *lines)
    )


# --- what was, and back ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "was"),
    [
        ("TREASURY Florence 40", "Ducats of Florence: was"),
        ("UNIT nobody A flo", "Before: A Florence (Florence)."),
        ("UNIT Florence A sie", "Before: no unit."),
        ("OWNER Milan CITY flo", "Before: Florence's."),
        ("OWNER nobody PROVINCE flo", "Before: Florence's."),
        ("MARKER FAMINE flo", "Before: no famine."),
        ("HOME Milan COUNTRY Florence", "Before: Florence's."),
        ("LOAN Florence 10 5 Spring 1456", "Debt of Florence: was 0"),
        ("DEFAULT Florence", "Before: the bank lent."),
        ("CHITS Florence Venice 0", "Chits of Florence on Venice: was"),
        ("ELIMINATION Florence", "Before: A"),
    ],
)
def test_every_correction_says_what_was_and_how_to_take_it_back(line: str, was: str) -> None:
    """The line of the answer makes the position, to the last chit, what it was."""
    house = ruled()
    before = house.view().state
    house.later(minutes=1)
    answer = said(master(house, f"FIX {line} BECAUSE of a slip"))
    assert was in answer
    back = answer.partition("TO UNDO THIS ")[2]
    words = back.partition(" taken back")
    named = f"{words[0]}{words[1]}" if back.startswith("FIX") else "ROLLBACK F1453B"
    house.later(minutes=1)
    master(house, named)

    assert house.view().state == before


def test_corrections_of_one_mail_are_taken_back_together() -> None:
    """Also where only a rollback can take one of them back."""
    house = ruled()
    before = house.view().state
    answer = said(
        master(
            house,
            "FIX UNIT nobody A flo BECAUSE of a slip",
            "FIX ELIMINATION Venice BECAUSE of a slip",
            "FIX TREASURY Florence 4 BECAUSE of a slip",
        )
    )
    assert answer.partition("TO UNDO THIS ")[2].startswith("ROLLBACK F1453B " * 3)
    master(house, *["ROLLBACK F1453B"] * 3)

    assert house.view().state == before


def test_a_master_who_plays_reads_of_nothing_that_is_hidden_what_was() -> None:
    """Of hidden ducats neither the sum, nor a line that names it."""
    house = started()
    house.change_settings(treasuries=Treasuries.PRIVATE)
    lucia = "lucia@player.example"
    sent = write(house, lucia, MASTER, "FIX TREASURY Venice 4 BECAUSE of a slip")
    answer = said([x for x in sent if "Re:" in x.subject], lucia)

    assert "was" not in answer.partition("DONE")[2].partition("TO UNDO")[0]
    assert "TO UNDO THIS ROLLBACK F1453B" in answer
