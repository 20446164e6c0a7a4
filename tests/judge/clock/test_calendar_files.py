"""Deadlines come as files for calendars: one entry for each game, which moves and goes with it."""

from collections.abc import Sequence
from datetime import UTC, timedelta
from itertools import pairwise

import pytest
from icalendar import Calendar
from icalendar import Event as Entry

from machjudge.judge.mails import Attachment, Outgoing
from tests.judge.calendar import POWERS
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.year import OPENING, address_of, order, play

MASTER = "lucia@player.example"
VENICE = "marco@player.example"


def files(sent: Sequence[Outgoing], to: str) -> list[Attachment]:
    """The files for calendars that go to an address."""
    every = (file for letter in sent if letter.to == to for file in letter.attachments)
    return [file for file in every if file.media_type.startswith("text/calendar")]


def entry(sent: Sequence[Outgoing], to: str) -> Entry:
    """The only entry for the calendar of an address."""
    (file,) = files(sent, to)
    (found,) = Calendar.from_ical(file.content).walk("VEVENT")
    return found


def method(sent: Sequence[Outgoing], to: str) -> str:
    """What the file asks of the calendar, which its media type says as well."""
    (file,) = files(sent, to)
    found = str(Calendar.from_ical(file.content)["METHOD"])
    assert file.media_type == f"text/calendar; charset=utf-8; method={found}"
    return found


@pytest.fixture
def house() -> House:
    """A game that has just begun."""
    return started()


def moved(house: House, hours: int) -> list[Outgoing]:
    """The master puts the deadline off."""
    clock = house.game().clock
    assert clock is not None
    until = clock.deadline + timedelta(hours=hours)
    told = until.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return write(house, MASTER, "SIGNON Mborgia masterkey", f"SET DEADLINE {told}")


def test_a_deadline_that_moves_comes_to_the_calendar(house) -> None:
    """The player finds game and instant there; a mail that moves nothing brings no file."""
    clock = house.game().clock
    assert clock is not None
    sent = write(house, VENICE, "SIGNON Vborgia pwV", "SET WAIT")
    assert files(sent, VENICE) == []  # nothing has moved

    found = entry(moved(house, 5), VENICE)

    assert found["DTSTART"].dt == clock.deadline + timedelta(hours=5)
    assert "Borgia" in found["SUMMARY"]
    assert found["STATUS"] == "CONFIRMED"


def test_results_move_the_same_entry(house) -> None:
    """The entry keeps its name and rises in number from phase to phase."""
    first = entry(moved(house, 5), VENICE)
    sent = play(house, OPENING)
    second = entry(sent, VENICE)
    clock = house.game().clock
    assert clock is not None

    assert second["UID"] == first["UID"]
    assert second["SEQUENCE"] > first["SEQUENCE"]
    assert second["DTSTART"].dt == clock.deadline
    assert "Spring 1454" in second["SUMMARY"]


def test_each_player_has_an_entry_of_their_own(house) -> None:
    """Whoever forwards a file names nobody else's entry."""
    sent = play(house, OPENING)
    names = {str(entry(sent, address_of(house, power))["UID"]) for power in POWERS}

    assert len(names) == len(POWERS)
    assert not any("marco" in name for name in names)


def test_whoever_moves_the_deadline_gets_it_with_the_answer(house) -> None:
    """The master reads of it in the answer alone."""
    sent = moved(house, 3)

    assert len(files(sent, MASTER)) == 1


def test_a_paused_game_is_tentative_and_certain_again(house) -> None:
    """The clock stands: the entry says so until it goes on."""
    paused = write(house, MASTER, "SIGNON Mborgia masterkey", "PAUSE")
    house.later(hours=30)
    resumed = write(house, MASTER, "SIGNON Mborgia masterkey", "RESUME")

    assert entry(paused, VENICE)["STATUS"] == "TENTATIVE"
    assert "the clock stands" in entry(paused, VENICE)["SUMMARY"]
    assert entry(resumed, VENICE)["STATUS"] == "CONFIRMED"
    later = entry(resumed, VENICE)["DTSTART"].dt - entry(paused, VENICE)["DTSTART"].dt
    assert later >= timedelta(hours=30)


def test_the_entry_goes_with_the_game(house) -> None:
    """Whoever was told of a deadline is told that it is none any more."""
    first = entry(moved(house, 5), VENICE)
    sent = write(house, MASTER, "SIGNON Mborgia masterkey", "DECLARE DRAW")
    last = entry(sent, VENICE)

    assert method(sent, VENICE) == "CANCEL"
    assert last["STATUS"] == "CANCELLED"
    assert last["UID"] == first["UID"]
    assert last["SEQUENCE"] > first["SEQUENCE"]


@pytest.mark.parametrize(("said", "wanted"), [("ON", "PUBLISH"), ("INVITE", "REQUEST")])
def test_a_person_says_how_it_comes(house, said, wanted) -> None:
    """By file, or as an invitation in which the reader already comes."""
    write(house, VENICE, "SIGNON Vborgia pwV", f"SET CALENDAR {said}")
    sent = moved(house, 5)

    assert method(sent, VENICE) == wanted
    attendees = str(entry(sent, VENICE).get("ATTENDEE", ""))
    assert attendees == ("mailto:marco@player.example" if said == "INVITE" else "")


@pytest.mark.parametrize("said", ["SET CALENDAR OFF", "SET NOCALENDAR"])
def test_a_person_may_want_none(house, said) -> None:
    """Nothing is attached for them; others get their files."""
    told = write(house, VENICE, "SIGNON Vborgia pwV", said)
    sent = moved(house, 5)

    assert "No more deadlines come for your calendar." in answer(told, VENICE)
    assert files(sent, VENICE) == []
    assert files(sent, "anna@player.example") != []


def test_another_word_is_refused(house) -> None:
    """The answer says what there is."""
    told = answer(write(house, VENICE, "SIGNON Vborgia pwV", "SET CALENDAR weekly"), VENICE)

    assert "write on, off, or invite" in told.lower()


def test_whoever_leaves_loses_the_entry(house) -> None:
    """A player who resigns has no deadline in this game any more."""
    moved(house, 5)
    sent = write(house, VENICE, "SIGNON Vborgia pwV", "RESIGN")
    sent += write(house, VENICE, "SIGNON Vborgia pwV", "RESIGN Borgia")

    assert [str(f.media_type).rpartition("=")[2] for f in files(sent, VENICE)] == ["CANCEL"]


def test_another_address_has_the_same_entry(house) -> None:
    """It comes there, and is not taken from the calendar of the old address."""
    first = entry(moved(house, 5), VENICE)
    sent = write(house, VENICE, "SIGNON Vborgia pwV", "SET ADDRESS marco@new.example")

    assert entry(sent, "marco@new.example")["UID"] == first["UID"]
    assert files(sent, VENICE) == []


def test_nothing_of_a_power_stands_in_the_file(house) -> None:
    """The file for one player differs from another's in its name alone."""
    sent = play(house, OPENING)
    one, other = (entry(sent, address_of(house, power)) for power in "VL")

    for name in ("SUMMARY", "DTSTART", "DESCRIPTION", "ORGANIZER"):
        assert one[name] == other[name]


# --- the number of an entry -------------------------------------------------------------------


def number(sent: Sequence[Outgoing], to: str) -> int:
    """The number of the entry that somebody gets."""
    return int(entry(sent, to)["SEQUENCE"])


def test_the_number_of_an_entry_tells_nothing_of_the_mails_of_others(house) -> None:
    """Each deadline adds the same, whoever wrote in between (RFC 5545, 3.8.7.4)."""
    numbers = [number(moved(house, 1), VENICE)]
    for mails in (0, 5, 0):
        for n in range(mails):
            order(house, "L", f"build a garrison {n}", "SET WAIT" if n % 2 else "SET NOWAIT")
        numbers.append(number(moved(house, 1), VENICE))

    steps = {later - earlier for earlier, later in pairwise(numbers)}
    assert len(steps) == 1
    assert steps.pop() > 0


def test_a_cancelled_entry_has_a_higher_number_and_a_further_one_a_higher_one_still(house) -> None:
    """So that no calendar takes the older for the newer (RFC 5546, 2.1.4)."""
    first = number(moved(house, 1), VENICE)
    gone = order(house, "V", "RESIGN")
    assert method(gone, VENICE) == "CANCEL"
    assert first < number(gone, VENICE)
    assert number(gone, VENICE) < number(moved(house, 1), address_of(house, "L"))
