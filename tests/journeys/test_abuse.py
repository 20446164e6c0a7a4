"""Nobody makes the judge send heaps of mail to others, by SMTP."""

from email import message_from_bytes

import pytest

from tests.journeys.conftest import SMALL, answer
from tests.journeys.judge import Judge, QueuedMessage
from tests.journeys.pens import Writer, plain

VICTIM = Writer("Vittoria", "vittoria@far.example", "")
CATERINA = SMALL.people["V"]
KB = 1000


@pytest.fixture
def _limits(judge) -> None:
    """Strangers are answered as usual, and asked to confirm their addresses."""
    judge.more.update(MACHJUDGE_ANSWERS_PER_DAY="5", MACHJUDGE_CONFIRM="on")


def send(judge: Judge, writer: Writer, *lines: str, **header: str) -> str:
    """Hand a mail over; its Message-ID."""
    mail = plain(writer, lines)
    message = message_from_bytes(mail.copies[0])
    for name, value in header.items():
        message[name.replace("_", "-")] = value
    judge.send(message.as_bytes(), sender=writer.address)
    return mail.id


def letters_to(judge: Judge, address: str) -> list[QueuedMessage]:
    """All messages that came to an address."""
    judge.rest()
    return [each for each in judge.letters() if each.to == address]


@pytest.mark.usefixtures("_limits")
def test_a_small_mail_causes_one_small_message(judge) -> None:
    """In the name of somebody else, with everything that has a long answer."""
    judge.serve()
    send(judge, VICTIM, "GET RULES", "GET MAP", "GET GUIDE", "GET PACKAGE", "HELP", "LIST")
    judge.rest()
    sizes = [len(content) for _, readers, content in judge.post.taken if VICTIM.address in readers]

    assert len(sizes) == 1
    assert sizes[0] <= 4 * KB
    assert "The rest is left out" in letters_to(judge, VICTIM.address)[0].text


@pytest.mark.usefixtures("_limits")
def test_no_flood_goes_to_an_address_that_never_wrote(judge) -> None:
    """Whatever changes from mail to mail: five messages a day."""
    judge.serve()
    for number in range(9):
        liar = Writer(f"Name {number}", VICTIM.address, "")
        send(judge, liar, f"HELP {number}", f"SIGNON Vborgia guess{number}")
    for number in range(9):
        send(judge, VICTIM, "LIST", Reply_To=f"x{number}@far.example")

    assert len(letters_to(judge, VICTIM.address)) == 5


@pytest.mark.usefixtures("_limits")
def test_answers_go_to_nobody_named_in_reply_to_or_sender(judge) -> None:
    """Only the address in From is answered."""
    judge.serve()
    liar = Writer("Liar", "liar@far.example", "")
    send(judge, liar, "HELP", Reply_To=VICTIM.address)
    send(judge, liar, "LIST", Sender=VICTIM.address)
    send(judge, liar, "VERSION", Return_Receipt_To=VICTIM.address)

    assert letters_to(judge, VICTIM.address) == []
    assert len(letters_to(judge, liar.address)) == 3


@pytest.mark.usefixtures("_limits")
def test_anonymous_texts_of_one_mail_are_one_message_to_each_reader(judge) -> None:
    """However many of them are in it."""
    judge.serve()
    send(judge, SMALL.people["M"], SMALL.signon("M"), "SET WHITE/GREY")
    judge.rest()
    before = len(judge.letters())
    texts = [line for n in range(60) for line in ("BROADCAST GREY", f"secret {n}", "ENDPRESS")]
    send(judge, CATERINA, SMALL.signon("V"), *texts)
    judge.rest()
    after = judge.letters()[before:]

    others = [each.to for each in after if each.to != CATERINA.address]
    assert len(others) == len(set(others)) == 4


@pytest.mark.usefixtures("_limits")
def test_an_autoresponder_that_marks_nothing_comes_to_an_end(judge) -> None:
    """It answers each message of the judge, quoting it, with a number of its own in the text."""
    judge.serve()
    first = send(judge, CATERINA, SMALL.signon("V"), "LIST")
    letter = judge.answer_to(first)
    rounds = 0
    while letter is not None and rounds < 40:
        rounds += 1
        number = send(
            judge,
            CATERINA,
            f"I am away until Monday. Ticket {rounds}.",
            *(f"> {line}" for line in letter.text.splitlines()),
            In_Reply_To=str(letter.mail["Message-ID"]),
            References=str(letter.mail["Message-ID"]),
        )
        judge.rest()
        letter = next(iter(judge.answers_to(number)), None)

    assert rounds <= 11


@pytest.mark.usefixtures("_limits")
def test_somebody_who_writes_often_with_a_password_is_answered(judge) -> None:
    """Fifteen mails in a few minutes, with the same text."""
    judge.serve()
    sent = [send(judge, CATERINA, SMALL.signon("V"), "F dal H", "LIST") for _ in range(15)]
    judge.rest()

    assert [len(judge.answers_to(each)) for each in sent] == [1] * 15


# Nobody passes for the master, a power or somebody else, by SMTP.


def test_an_observer_is_not_called_like_others(judge) -> None:
    """Not the master, not a power, not a player, nor anything that looks like one."""
    judge.serve()
    taken = SMALL.people["L"].name
    lookalike = taken.replace("o", "\N{CYRILLIC SMALL LETTER O}")
    for number, name in enumerate(["the master", "Venice", taken, lookalike]):
        liar = Writer(name, f"liar{number}@far.example", "")
        told = answer(judge, liar, "OBSERVE borgia tulip9")
        assert "is not free here" in told
    for number, name in enumerate(["the master", "Venice", taken, lookalike]):
        liar = Writer("Dario", f"dario{number}@far.example", "")
        told = answer(judge, liar, "REGISTER", f"Name: {name}", "END")
        assert "choose another one" in told

    names = [name for (name,) in judge.rows("SELECT name FROM persons")]
    assert names.count(taken) == 1
    assert not {"the master", "Venice", lookalike} & set(names)


# Nobody fills a judge with games, observers and press, by SMTP.


DARIO = Writer("Dario", "dario@far.example", "tulip99")


def test_games_and_seats_come_to_an_end(judge) -> None:
    """After three games a day, and as many observers as the keeper allows; each refusal is told."""
    judge.more["MACHJUDGE_OBSERVERS_PER_GAME"] = "2"
    judge.serve()
    made = [answer(judge, DARIO, f"CREATE ?game{n} tulip99 1385") for n in range(4)]
    observers = [Writer(f"Ugo {n}", f"ugo{n}@far.example", "") for n in range(3)]
    watching = [answer(judge, each, "OBSERVE borgia tulip9") for each in observers]

    assert ["is created" in told for told in made] == [True, True, True, False]
    assert "ou have made 3 games in 24 hours" in made[3]
    assert "has 2 observers, as many as a game may have" in watching[2]


def test_press_comes_to_an_end_and_orders_do_not(judge) -> None:
    """Sixty texts an hour; the orders below them count."""
    judge.serve()
    texts = [line for n in range(62) for line in ("PRESS TO L", f"text {n}", "ENDPRESS")]
    told = answer(judge, SMALL.people["V"], SMALL.signon("V"), *texts, "F dal H")

    assert told.count("ou have sent 60 texts in an hour") == 2
    assert "text 61" in told
    assert judge.rows("SELECT count(*) FROM sheets WHERE power = 'V'") == [(1,)]
