"""The error flag: one state, shown everywhere in the same words, and what clears it."""

from datetime import timedelta
from functools import cache

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge.fakes import Tables
from tests.judge.house import House, started
from tests.judge.letters_in import answer, reply, write
from tests.judge.year import OPENING, SPRING, SUMMER, order, play

LUCIA = "lucia@player.example"
ANNA = "anna@player.example"
FLORENCE = PowerId("L")
FLAG = "ERROR FLAG of Florence: lines of its last orders not taken."
CLEARS = "READY clears it, and so do orders without an error"
BAD = "A flo - nowhere"


@cache
def _tables() -> Tables:
    house = started("nodice")
    write(house, LUCIA, "SIGNON Mborgia masterkey", "SET NOWARN")
    play(house, OPENING)
    house.mails_out()
    return house.store.tables


def spring() -> House:
    """A game in Spring whose master, Lucia, leads Milan."""
    house = House()
    house.store.tables = _tables().copied()
    return house


def flagged(*bad: str) -> House:
    """All orders are in, and Florence has the error flag."""
    house = spring()
    order(house, "L", *SPRING["L"], *(bad or (BAD,)))
    play(house, SPRING, without="L")
    return house


def to_florence(sent: list[Outgoing]) -> str:
    """What Florence reads."""
    return answer(sent, ANNA)


def phase(house: House) -> str:
    """The code of the phase."""
    return house.view().state.moment.code


def master(house: House, *lines: str) -> str:
    """What the master, who plays Milan here, reads when asking."""
    return answer(
        write(house, LUCIA, "SIGNON Mborgia masterkey", *lines),
        LUCIA,
    )


# --- where it is shown -----------------------------------------------------------------------


def test_receipt_shows_the_flag_and_what_clears_it() -> None:
    """At once, and in every answer while it lasts."""
    house = spring()
    first = to_florence(order(house, "L", *SPRING["L"], BAD))
    later = to_florence(order(house, "L", "LIST"))

    assert "COMPLETE, but 1 line not taken.\n" in first
    assert "COMPLETE, but Florence has the error flag.\n" in later
    for said in (first, later):
        assert FLAG in said
        assert CLEARS in said
        assert "All orders are in" not in said


@pytest.mark.parametrize("asked", ["LIST", "WHO LATE", "NUDGE"])
def test_master_reads_who_holds_the_phase_up_and_why(asked: str) -> None:
    """By name, in the words of the receipt."""
    said = master(flagged(), asked)

    assert FLAG in said.split("NEXT:")[0] or asked == "NUDGE"
    assert FLAG in said
    assert "All orders are in" not in said


def test_list_of_the_master_names_the_power_of_each_block() -> None:
    """No block says "your last mail"."""
    house = flagged()
    order(house, "V", "SET WAIT")
    said = master(house).partition("ORDERS ON FILE")[2]

    assert "COMPLETE, but Florence has the error flag." in said
    assert FLAG in said
    assert "WAIT of Venice: it waits for the deadline." in said
    assert "your last mail" not in said


@pytest.mark.parametrize("slip", ["SET FROB", "EJECT Venise", "frobnicate", "A flo H"])
def test_a_masters_slip_is_not_answered_with_the_orders_of_all_powers(slip: str) -> None:
    """What is wrong stands there alone; a mail without a slip brings them."""
    house = flagged()
    said = master(house, slip)

    assert slip in said
    assert "ORDERS ON FILE" not in said
    assert "ORDERS ON FILE" in master(house)


def test_others_read_how_many_hold_the_phase_up() -> None:
    """Not who, before the deadline."""
    house = flagged()
    said = answer(order(house, "V", "WHO LATE"), "marco@player.example")

    assert "1 power holds the phase up until its deadline." in said
    assert "Florence" not in said.partition("WHO IS LATE")[2]


def test_complete_orders_with_the_flag_get_the_reminder() -> None:
    """The player may not have read the receipt."""
    house = flagged()
    write(house, LUCIA, "SIGNON Mborgia masterkey", "SET WARN 12")
    house.now = house.view().clock.deadline - timedelta(hours=12)
    look_at_games(house.services, house.now)
    (reminder,) = [each for each in house.mails_out() if each.to == ANNA]

    assert "12 hours are left, and the phase waits for you.\n" in reminder.body
    assert FLAG in reminder.body
    assert CLEARS in reminder.body


def test_nudge_and_late_notice_show_the_flag() -> None:
    """In the same words as the receipt."""
    house = flagged()
    nudged = write(house, LUCIA, "SIGNON Mborgia masterkey", "NUDGE")
    assert FLAG in answer(nudged, ANNA)

    house = spring()
    order(house, "L", *SPRING["L"][1:], BAD)
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    late = answer(house.mails_out(), ANNA)
    assert FLAG in late
    assert "waits for its deadline" not in late


def test_all_that_holds_up_stands_in_who_late() -> None:
    """A missing unit, the error flag, a wish to wait."""
    house = spring()
    order(house, "L", *SPRING["L"], BAD)
    order(house, "V", *SPRING["V"], "SET WAIT")
    order(house, "P", *SPRING["P"][1:])
    play(house, {p: lines for p, lines in SPRING.items() if p not in "LVPI"})
    order(house, "I", *SPRING["I"])
    said = master(house, "WHO LATE").partition("WHO IS LATE IN BORGIA")[2]

    assert "1 power still without complete orders." in said
    assert "2 more powers hold the phase up until its deadline." in said
    assert "Papacy, 1 order missing." in said
    assert FLAG in said
    assert "WAIT of Venice: it waits for the deadline." in said


# --- what holds up besides -------------------------------------------------------------------


@cases
def test_all_orders_are_in_is_not_said_while_something_holds_the_phase(settings, says) -> None:
    """Nobody wonders why nothing happens."""
    house = spring()
    write(house, LUCIA, "SIGNON Mborgia masterkey", *settings)
    play(house, SPRING)
    assert phase(house) == "S1454M"
    said = answer(order(house, "V", "LIST"), "marco@player.example")

    assert "All orders are in" not in said
    assert says in said


# --- what clears it --------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [("READY",), ("SET NOWAIT",), ("NOWAIT",), ("A flo h",)])
def test_flag_is_cleared_and_the_phase_played(lines: tuple[str, ...]) -> None:
    """By what its player says of the orders, not only by new ones."""
    house = flagged()
    assert phase(house) == "S1454M"
    said = to_florence([m for m in order(house, "L", *lines) if m.subject.startswith("Re:")])

    assert phase(house) == "U1454M"
    assert "COMPLETE: all orders of Florence are on file." in said
    assert "ERROR FLAG" not in said


def test_ready_takes_back_the_wish_to_wait() -> None:
    """It says that nobody needs to wait for this power."""
    house = flagged()
    order(house, "L", "SET WAIT")
    order(house, "L", "READY")

    assert phase(house) == "U1454M"


@pytest.mark.parametrize("lines", [("LIST",), ("BROADCAST", "hello", "ENDPRESS"), ("SET WAIT",)])
def test_other_mails_leave_the_flag_and_say_what_clears_it(lines: tuple[str, ...]) -> None:
    """Their writer may not have read the receipt yet."""
    house = flagged()
    said = to_florence([m for m in order(house, "L", *lines) if m.subject.startswith("Re:")])

    assert phase(house) == "S1454M"
    assert FLAG in said
    assert CLEARS in said


def test_ready_does_not_clear_what_its_own_mail_raises() -> None:
    """Nobody has read of that error."""
    house = spring()
    order(house, "L", *SPRING["L"], BAD, "READY")
    play(house, SPRING, without="L")

    assert phase(house) == "S1454M"


def test_correct_lines_further_down_do_not_hide_an_error_above() -> None:
    """A command between the orders of one mail makes no difference."""
    house = spring()
    order(house, "L", BAD, "RESTORE 7", *SPRING["L"])
    play(house, SPRING, without="L")

    assert phase(house) == "S1454M"
    assert house.view().flagged() == {FLORENCE}


# --- what raises it --------------------------------------------------------------------------


def test_power_with_nothing_to_order_never_holds_the_game_up() -> None:
    """A bad line in retreats in which it has none."""
    house = started("nodice")
    for orders in (OPENING, SPRING, SUMMER):
        play(house, orders)
    assert phase(house) == "U1454R"
    said = to_florence(order(house, "L", "A xyz - flo", "Cordially speaking"))
    assert "Florence has nothing to order in this phase.\n" in said
    assert "ERROR FLAG" not in said
    order(house, "P", "A per - spo")

    assert phase(house) == "F1454M"


def test_orders_of_another_kind_of_phase_raise_no_flag() -> None:
    """They can mean nothing now, and nobody waits for them to be mended."""
    house = flagged("maintain A flo", "build A flo")

    assert phase(house) == "U1454M"


def test_order_for_all_units_of_another_kind_of_phase_raises_no_flag() -> None:
    """It is refused with its reason all the same."""
    house = spring()
    receipt = to_florence(order(house, "L", *SPRING["L"], "maintain all"))

    assert "Units are maintained in adjustments only." in receipt
    assert not house.view().flagged()


def test_orders_for_units_that_need_not_retreat_raise_no_flag() -> None:
    """The retreat is there, and the rest is for later."""
    house = started("nodice")
    for orders in (OPENING, SPRING, SUMMER):
        play(house, orders)
    order(house, "P", "A per - spo", "A bol - fer")

    assert phase(house) == "F1454M"


@cases
def test_what_cannot_be_read_for_this_phase_raises_the_flag(bad: tuple[str, ...]) -> None:
    """The game is not played without that order."""
    house = flagged(*bad)

    assert phase(house) == "S1454M"
    assert house.view().flagged() == {FLORENCE}
    assert FLAG in to_florence(order(house, "L", "LIST"))


def test_unreadable_condition_alone_raises_the_flag() -> None:
    """In a mail of its own, after complete orders."""
    house = spring()
    order(house, "L", *SPRING["L"])
    order(house, "L", "IF nobody ownz pis", "A flo h", "ENDIF")
    play(house, SPRING, without="L")

    assert phase(house) == "S1454M"
    lines = [line.written for line in house.view().order_sets[FLORENCE].lines]
    assert lines == list(SPRING["L"])


def test_unreadable_condition_of_a_later_phase_raises_no_flag_now() -> None:
    """This phase does not wait for the next."""
    house = spring()
    order(house, "L", *SPRING["L"], "PHASE U1454M", "IF nobody ownz pis", "A flo h", "ENDIF")
    play(house, SPRING, without="L")

    assert phase(house) == "U1454M"


def test_flag_of_a_power_without_player_holds_nobody_up() -> None:
    """Nobody is there to mend it."""
    house = flagged()
    write(house, LUCIA, "SIGNON Mborgia masterkey", "EJECT Florence")

    assert phase(house) == "U1454M"


def test_game_is_played_at_the_deadline_in_spite_of_the_flag() -> None:
    """It gives time to mend, and no more."""
    house = flagged()
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)

    assert phase(house) == "U1454M"


@cases
def test_a_wish_in_plain_words_is_told_how_to_say_it_and_raises_the_flag(line, says) -> None:
    """The orders on file are not what is meant: the phase does not begin without them."""
    house = flagged(line)
    said = " ".join(to_florence(order(house, "L", line)).split())

    assert says.lower() in said.lower()
    assert "cannot stand here" not in said
    assert phase(house) == "S1454M"
    assert FLAG in said


# --- no flag without its line ----------------------------------------------------------------

QUOTED = {
    "marked": ("On Fri, 20 Nov 2026 at 13:02, MACH judge <judge@mach.example> wrote:", "> "),
    "as Outlook does": (
        "-----Original Message-----\nFrom: MACH judge <judge@mach.example>\n"
        "Sent: Friday, November 20, 2026 1:02 PM\nTo: Anna\nSubject: Borgia\n",
        "",
    ),
    "without a mark": ("", ""),
    "below a signature": (
        "Sent from my iPhone\n\n> On 20 Nov 2026, at 13:02, MACH judge wrote:\n>",
        "> ",
    ),
}
REMARKS = (
    "Looks good to me, thanks!",
    "Perfect, thank you",
    "Va bene così, grazie!",
    "Me parece bien, gracias",
    "Thanks! But what about my fleet?",
    "See you on Friday, and sorry for the delay",
    "A flo - zzz",
    "A flo - sie, A xyz H",
    "hold all but the fleet, please, and tell me why",
    "Florence: please cancel my last order",
    "",
)


@pytest.mark.parametrize("how", QUOTED)
@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("before", [(), ("A flo - sie", "A are h")], ids=["nothing", "orders"])
def test_no_mail_raises_the_flag_without_naming_a_line(
    how: str, remark: str, before: tuple[str, ...]
) -> None:
    """A reply above the form that the judge sent, which nobody has touched."""
    house = House()
    house.start(options=["nomoney"], keep_mails=True)
    start = [each for each in house.mails_out() if each.to == ANNA][-1]
    if before:
        order(house, "L", *before)
    head, mark = QUOTED[how]
    quoted = [f"{mark}{line}" for line in start.body.split("\n")]
    sent = reply(house, start, remark, "", *head.split("\n"), *quoted)
    told = [each.body for each in sent if each.to == ANNA][-1]
    order_set = house.view().order_sets.get(PowerId("L"))

    assert "line 1" in told or order_set is None or not order_set.flawed, told
