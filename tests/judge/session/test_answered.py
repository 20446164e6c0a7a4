"""Mails that answer a message about another phase: told first, and refused where they fit that."""

from dataclasses import replace
from email import message_from_bytes

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.mails import OutboxId, Outgoing, QueuedMessage, hidden_number
from machjudge.judge.records import Judge
from machjudge.mail.addresses import thread_root
from machjudge.mail.compose import compose
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import deliver, raw_mail
from tests.judge.year import OPENING, SPRING, SUMMER, order, play

ANNA = "anna@player.example"
DOMAIN = "mach.example"


@pytest.fixture(scope="module")
def summer() -> House:
    """A game in Summer, for copies."""
    house = House()
    house.start(options=("nodice",), keep_mails=True)
    play(house, OPENING)
    house.later(hours=1)
    play(house, SPRING)
    house.later(hours=1)
    house.mails_out()
    return house


@pytest.fixture
def house(summer: House) -> House:
    """The game in Summer."""
    house = House(now=summer.now)
    house.store.tables = summer.store.tables.copied()
    return house


def message_id(house: House, subject: str) -> str:
    """The Message-ID of the first message to Anna with that subject."""
    posted = enumerate(house.store.tables.posted, start=1)
    number, found = next(
        (n, p) for n, (to, p) in posted if to == ANNA and subject in p.outgoing.subject
    )
    letter = QueuedMessage(OutboxId(number), found.made, 1, Outgoing(ANNA, subject, "Hello\n"))
    sent = compose(letter, Judge("MACH", f"judge@{DOMAIN}", None, "1"), SECRET)
    return str(message_from_bytes(sent.content)["Message-ID"])


def message_id_as_before(house: House, subject: str) -> str:
    """The same as earlier versions wrote it, with the number as it is."""
    posted = enumerate(house.store.tables.posted, start=1)
    number, found = next(
        (n, p) for n, (to, p) in posted if to == ANNA and subject in p.outgoing.subject
    )
    return f"<{found.made:%Y%m%dT%H%M%S.%f}.{number}@{DOMAIN}>"


def reply(
    house: House, *lines: str, to: str = "", thread: str = "", subject: str = "Orders"
) -> Outgoing:
    """Florence answers a message by its Message-ID, or within a thread."""
    mail = message_from_bytes(raw_mail(ANNA, ["SIGNON Lborgia pwL", *lines], subject))
    if to:
        mail["In-Reply-To"] = to
    if thread or to:
        mail["References"] = f"{thread} {to}".strip()
    (answer,) = [m for m in deliver(house, mail.as_bytes(), ANNA) if m.subject.startswith("Re:")]
    return answer


def filed(house: House) -> list[str]:
    """What Florence has on file."""
    order_set = house.view().order_sets.get(PowerId("L"))
    return [line.written for line in order_set.lines] if order_set is not None else []


SPRING_RECEIPT = "Re: borgia: Orders (S1454M)"
SPRING_RESULTS = "– Piombino and Siena taken (U1454M)"
BEFORE = "borgia, Spring 1454: Piombino and Siena taken"
"""The same as earlier versions wrote it."""
PLAIN_RESULTS = "MACH:borgia - S1454M Results"
OLD = "Your mail answers a message about S1454M.\nThe game is at U1454M"
FITS_BOTH = ("A are H", "F pio H", "A sie H")
FITS_SPRING = ("A are H", "A flo - sie")


@pytest.mark.parametrize("name", [message_id, message_id_as_before])
def test_answer_to_an_older_message_is_told_first(house: House, name) -> None:
    """The orders count for the present phase, which stands in the first lines."""
    answer = reply(house, *FITS_BOTH, to=name(house, SPRING_RECEIPT))
    first = answer.body

    assert first.startswith(f"{OLD}: your orders count for that.\n")
    assert filed(house) == list(FITS_BOTH)


def test_both_codes_stand_in_the_subject(house: House) -> None:
    """That of the present phase in its place, that of the answered one at the end."""
    old = message_id(house, SPRING_RECEIPT)
    answer = reply(house, *FITS_BOTH, to=old, subject=f"Re: {SPRING_RECEIPT}")
    assert answer.subject == "Re: borgia: Orders (answers S1454M) (U1454M)"

    again = reply(house, *FITS_BOTH, to=message_id(house, answer.subject), subject=answer.subject)
    assert again.subject == "Re: borgia: Orders (U1454M)"
    assert "answers a message" not in again.body


@pytest.mark.parametrize("by", ["in-reply-to", "references"])
def test_orders_that_fit_the_older_phase_only_are_refused_as_a_whole(house: House, by: str) -> None:
    """Those that fit both would take the place of the orders for the present phase."""
    order(house, "L", *SUMMER["L"])
    before = filed(house)
    if by == "in-reply-to":
        answer = reply(house, *FITS_SPRING, to=message_id(house, SPRING_RECEIPT))
    else:
        answer = reply(house, *FITS_SPRING, thread=thread_root("borgia", "S1454M", DOMAIN))
    body = " ".join(answer.body.split())

    assert filed(house) == before
    assert answer.subject.startswith("Re: [Errors]")
    assert f"{OLD}.\n" in answer.body
    assert "This fits Spring 1454, campaign, about which the message was" in body
    assert "so none of these orders was taken." in body
    assert "write PHASE U1454M above them." in body
    assert "ERROR FLAG" not in answer.body


def test_named_phase_goes_before_the_answered_message(house: House) -> None:
    """Anyone who writes PHASE means it; each line is judged by itself."""
    old = message_id(house, SPRING_RECEIPT)
    answer = reply(house, "PHASE U1454M", *FITS_SPRING, to=old)

    assert filed(house) == ["A are H"]
    assert "none of these orders was taken" not in answer.body


def test_orders_that_fit_neither_phase_are_ordinary_slips(house: House) -> None:
    """They cost nothing but their own line."""
    answer = reply(house, *FITS_BOTH, "A xyz H", to=message_id(house, SPRING_RECEIPT))

    assert filed(house) == list(FITS_BOTH)
    assert "COMPLETE, but 1 line not taken." in answer.body


def test_answer_to_results_is_for_the_phase_that_they_open(house: House) -> None:
    """Though their subject names the phase that was played, in words or by its code."""
    answer = reply(house, *FITS_BOTH, to=message_id(house, SPRING_RESULTS), subject=f"Re: {BEFORE}")
    by_words = reply(house, *FITS_BOTH, subject=f"Re: {BEFORE}")
    by_mark = reply(house, *FITS_BOTH, subject=f"Re: borgia: orders {SPRING_RESULTS}")
    by_code = reply(house, *FITS_BOTH, subject=f"Re: {PLAIN_RESULTS}")

    for each in (answer, by_words, by_mark, by_code):
        assert each.subject.endswith(" (U1454M)")
        assert "S1454M" not in each.body + each.subject
        assert "answers" not in each.subject


@pytest.mark.parametrize("subject", [BEFORE, f"borgia: orders {SPRING_RESULTS}"])
def test_answer_to_older_news_names_its_phase(house: House, subject: str) -> None:
    """However the subject begins, and as earlier versions wrote it."""
    play(house, SUMMER)
    answer = reply(house, "A are H", subject=f"RE: AW: {subject}")

    assert "Your subject names U1454M." in answer.body


@pytest.mark.parametrize("front", ["***SPAM*** Re:", "[EXTERNAL] [SPAM?] SV:", "回复： Odp:"])
def test_marks_in_front_of_a_subject_are_not_repeated(house: House, front: str) -> None:
    """Neither those of servers nor those of mail programs, in any language."""
    answer = reply(house, *FITS_SPRING, subject=f"{front} borgia: Reminder")

    assert answer.subject.startswith("Re: [Errors] borgia: Reminder (")


def test_old_subject_alone_is_told_and_refuses_nothing_as_a_whole(house: House) -> None:
    """People type new orders below old subjects."""
    answer = reply(house, *FITS_SPRING, subject="AW: MACH:borgia - S1454M Reminder")

    assert "Your subject names S1454M.\nThe game is at U1454M" in answer.body
    assert answer.subject == "Re: [Errors] borgia: Reminder (answers S1454M) (U1454M)"
    assert filed(house) == ["A are H"]


def test_message_goes_before_the_subject(house: House) -> None:
    """A subject may be older than the message that is answered."""
    answer = reply(house, *FITS_BOTH, to=message_id(house, SPRING_RESULTS), subject=SPRING_RECEIPT)

    assert "answers a message" not in answer.body
    assert "Your subject" not in answer.body


@pytest.mark.parametrize(
    "unknown",
    [
        "<somebody@else.example>",
        "<20261120T120000.000000.999999@mach.example>",
        "<99999999T999999.000000.1@mach.example>",
        "<20261120T120000.000000.1@other.example>",
        "<20261120T120000.abcdefgh@mach.example>",
        f"<20261120T120000.{hidden_number(SECRET, OutboxId(2**40 - 1))}@mach.example>",
        f"<20261120T115959.{hidden_number(SECRET, OutboxId(1))}@mach.example>",
        "<other.S1454M.game@mach.example>",
    ],
)
def test_ids_that_are_not_ours_say_nothing(house: House, unknown: str) -> None:
    """Neither those of other programs nor of other games or judges."""
    answer = reply(house, *FITS_SPRING, to=unknown)

    assert "answers a message" not in answer.body
    assert filed(house) == ["A are H"]


def test_mail_without_orders_says_it_as_well(house: House) -> None:
    """The reader sees that the game has gone on."""
    answer = reply(house, "LIST", to=message_id(house, SPRING_RECEIPT))

    assert f"{OLD}.\n" in answer.body


def test_message_of_another_game_says_nothing(house: House) -> None:
    """The phase of one game is none of another."""
    assert house.store.tables.posted
    number = message_id(house, SPRING_RECEIPT)
    tables = house.store.tables
    tables.posted = [
        (to, replace(p, outgoing=replace(p.outgoing, game=p.outgoing.game and "sforza", phase="")))
        for to, p in tables.posted
    ]

    assert "answers a message" not in reply(house, *FITS_BOTH, to=number).body
