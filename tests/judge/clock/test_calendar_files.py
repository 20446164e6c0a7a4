"""Deadlines come as files for calendars: one entry for each game, which moves and goes with it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar
from icalendar import Event as Entry

from machjudge.judge.mails import Attachment, Outgoing
from machjudge.messages.calendar import Event, calendar_file, event_file
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
    """Anyone who forwards a file names nobody else's entry."""
    sent = play(house, OPENING)
    names = {str(entry(sent, address_of(house, power))["UID"]) for power in POWERS}

    assert len(names) == len(POWERS)
    assert not any("marco" in name for name in names)


def test_anyone_who_moves_the_deadline_gets_it_with_the_answer(house) -> None:
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
    """Anyone who was told of a deadline is told that it is none any more."""
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

    assert "write on, off, invite or link" in told.lower()


def test_anyone_who_leaves_loses_the_entry(house) -> None:
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
    """Each deadline adds the same, no matter who wrote in between (RFC 5545, 3.8.7.4)."""
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


# --- the file itself --------------------------------------------------------------------------

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from(",;\\\n"))


def event(summary: str = "Borgia: deadline", **other: object) -> Event:
    """A deadline for Marco's calendar."""
    told = Event("x@mach.example", 4, NOON, NOON, summary, "", "judge@mach.example", VENICE)
    return replace(told, **other)  # type: ignore[arg-type]  # fields of several kinds


@given(_TEXT, _TEXT, st.booleans(), st.booleans())
def test_a_library_reads_what_was_written(
    summary: str, description: str, invites: bool, stands: bool
) -> None:
    """Each text comes back as it was, in lines of at most 75 bytes (RFC 5545, 3.1, 3.3.11)."""
    told = event(summary, description=description, invites=invites, stands=stands, alarms=(24, 3))
    written = event_file(told)
    (found,) = Calendar.from_ical(written).walk("VEVENT")

    assert (str(found["SUMMARY"]), str(found["DESCRIPTION"])) == (summary, description)
    assert found["DTSTART"].dt == found["DTSTAMP"].dt == NOON
    assert not found.errors
    assert max(map(len, written.split(b"\r\n"))) <= 75
    assert written.count(b"\n") == written.count(b"\r\n")
    assert len(found.walk("VALARM")) == (0 if stands else 2)


def test_alarms_ring_that_long_before(house) -> None:
    """A day and two hours before, from the beginning; none while the clock stands."""
    rings = [each["TRIGGER"].dt for each in entry(moved(house, 5), VENICE).walk("VALARM")]
    paused = write(house, MASTER, "SIGNON Mborgia masterkey", "PAUSE")

    assert rings == [timedelta(days=-1), timedelta(hours=-2)]
    assert entry(paused, VENICE).walk("VALARM") == []


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("SET CALENDAR ALARM 12", [12]),
        ("SET CALENDAR ALARM 1 36", [36, 1]),
        ("SET CALENDAR ALARM 3 days, 12 hours and 1", [72, 12, 1]),
        ("SET CALENDAR ALARM 2d 3h", [48, 3]),
        ("SET CALENDAR ALARM OFF", []),
        ("SET NO CALENDAR ALARM", []),
        ("SET ALARM ON", [24, 2]),
    ],
)
def test_a_person_says_when_the_calendar_reminds_them(house, said, hours) -> None:
    """In hours or days, the earliest first; the answer says so."""
    told = answer(write(house, VENICE, "SIGNON Vborgia pwV", said), VENICE)
    rings = [each["TRIGGER"].dt for each in entry(moved(house, 5), VENICE).walk("VALARM")]

    assert rings == [timedelta(hours=-each) for each in hours]
    assert "Your calendar reminds you" in told


@pytest.mark.parametrize("said", ["0", "24 2 1 5 7", "400", "soon", "24 soon", "-3"])
def test_times_of_other_kinds_are_refused(house, said) -> None:
    """With the line that works."""
    told = answer(write(house, VENICE, "SIGNON Vborgia pwV", f"SET CALENDAR ALARM {said}"), VENICE)

    assert "Write on, off, or up to 4 times in hours, each from 1 to 336" in told
    assert "SET CALENDAR ALARM 24 2" in told


def test_a_calendar_is_in_the_language_of_its_reader(house) -> None:
    """The name of the phase, the words around it, and the date."""
    write(house, VENICE, "SIGNON Vborgia pwV", "SET LANGUAGE es")
    found = entry(moved(house, 5), VENICE)

    assert found["SUMMARY"] == "Borgia: plazo, ajuste de otoño de 1453"
    assert "Órdenes antes de" in found["DESCRIPTION"]


def test_a_file_to_subscribe_to_has_all_deadlines() -> None:
    """Also without one it is a calendar (RFC 5545, 3.6); each line is short enough."""
    both = calendar_file("Ñandú", "abc", [event(), event("Más", uid="y@mach.example")])
    none = calendar_file("Ñandú", "abc", [])
    read = Calendar.from_ical(both)

    assert [str(each["SUMMARY"]) for each in read.walk("VEVENT")] == ["Borgia: deadline", "Más"]
    assert (str(read["NAME"]), str(read["METHOD"])) == ("Ñandú", "PUBLISH")
    assert Calendar.from_ical(none).subcomponents


# --- the file beside the web pages ------------------------------------------------------------


def with_pages(house: House, web: str | None = "https://mach.example/") -> House:
    """The judge with web pages."""
    house.services = replace(house.services, judge=replace(house.services.judge, web=web))
    return house


def test_the_link_goes_to_the_address_of_the_file_alone(house) -> None:
    """It opens without a password: no answer has it, wherever the mail came from."""
    with_pages(house)
    sent = write(house, VENICE, "SIGNON Vborgia pwV", "GET CALENDAR")
    links = [each for each in sent if "calendars/" in each.body]

    assert [each.to for each in links] == [VENICE]
    assert re.search(
        r"^https://mach\.example/calendars/[a-z2-7]{32}\.ics$", links[0].body, re.MULTILINE
    )
    assert any("your calendar file goes to marco@player.example." in each.body for each in sent)


def test_the_password_of_a_seat_tells_the_link_to_nobody_else(house) -> None:
    """From an address that is not on file."""
    with_pages(house)
    sent = write(house, "mallory@else.example", "SIGNON Vborgia pwV", "GET CALENDAR")

    assert not any("calendars/" in each.body for each in sent)


def test_without_pages_there_is_no_link(house) -> None:
    """The answer says that deadlines come with messages."""
    told = answer(write(house, VENICE, "SIGNON Vborgia pwV", "GET CALENDAR"), VENICE)

    assert "This judge has no web pages" in told


def test_who_wants_the_file_alone_gets_none_with_messages(house) -> None:
    """And who wants nothing is told how to have the file."""
    with_pages(house)
    write(house, VENICE, "SIGNON Vborgia pwV", "SET CALENDAR LINK")
    none = files(moved(house, 5), VENICE)
    write(house, VENICE, "SIGNON Vborgia pwV", "SET CALENDAR OFF")
    told = answer(write(house, VENICE, "SIGNON Vborgia pwV", "GET CALENDAR"), VENICE)

    assert none == []
    assert "SET CALENDAR LINK" in told
