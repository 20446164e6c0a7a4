"""What one mail can make the judge send, by what it proves."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.credentials import code_of
from machjudge.judge.limits import LARGEST, fitted
from machjudge.judge.mails import Attachment, OutboxId, Outgoing, QueuedMessage
from machjudge.judge.records import JudgeLimits
from machjudge.mail.compose import compose
from machjudge.translatable import Message
from tests.judge.house import NOON, House, message_renderer
from tests.judge.letters_in import deliver, message_to, raw_mail, reply, work, write

CUT = message_renderer().say(Message("limits.cut"))

MARCO, VICTIM = "marco@player.example", "victim@far.example"
DAY = timedelta(hours=24)


def borgia() -> House:
    """A running game at a judge with the usual limits."""
    house = House(limits=JudgeLimits(), confirm=True)
    house.start()
    return house


def to(letters: Sequence[Outgoing], address: str) -> list[Outgoing]:
    """The messages to an address."""
    return [each for each in letters if each.to == address]


def asked(house: House, address: str, times: int, *, text: str = "HELP {}") -> list[Outgoing]:
    """What comes to an address for so many mails in its name, each with another text."""
    sent = [write(house, address, text.format(number)) for number in range(times)]
    return to([each for letters in sent for each in letters], address)


def size(house: House, letter: Outgoing) -> int:
    """The bytes of a message, its header included."""
    whole = QueuedMessage(OutboxId(123456), NOON, 1, letter)
    return len(compose(whole, house.services.judge, house.services.secret).content)


# --- without a proof -------------------------------------------------------------------------


def test_an_address_gets_five_messages_a_day_without_a_proof() -> None:
    """The last one says so; a day later there are five again."""
    house = borgia()
    first = asked(house, VICTIM, 12)
    house.later(hours=25)
    second = asked(house, VICTIM, 12)

    assert [len(first), len(second)] == [5, 5]
    assert "no more messages today" in first[4].body
    assert "no more messages today" not in first[3].body


def test_the_day_is_the_last_24_hours() -> None:
    """Five late in one day and five early in the next would be ten in an hour."""
    house = borgia()
    assert len(asked(house, VICTIM, 1)) == 1
    house.later(hours=23)
    assert len(asked(house, VICTIM, 9)) == 4
    house.later(hours=2)

    assert len(asked(house, VICTIM, 9)) == 1


def test_the_same_text_is_answered_once_a_day() -> None:
    """Whatever senders change around it: names, subjects, Message-IDs, spaces, capitals."""
    house = borgia()
    sent = write(house, VICTIM, "LIST")
    for number in range(9):
        lines = ["  " * number + "list", "" if number % 2 else "."]
        raw = raw_mail(VICTIM, lines, f"subject {number}", name=f"Name {number}")
        sent += deliver(house, raw, VICTIM)

    assert len(to(sent, VICTIM)) == 1


def test_a_big_text_is_cut_without_a_proof() -> None:
    """It ends with how to get the rest; nothing is attached."""
    house = borgia()
    (letter,) = write(house, VICTIM, "GET RULES", "GET MAP", "HELP", "GET GUIDE", "LIST")

    assert size(house, letter) <= LARGEST
    assert letter.attachments == ()
    assert "The rest is left out" in letter.body


def test_a_big_text_comes_whole_with_a_proof() -> None:
    """Marco signs on to his seat in the same mail."""
    house = borgia()
    (letter,) = to(write(house, MARCO, "SIGNON Vborgia pwV", "GET RULES"), MARCO)

    assert size(house, letter) > 10 * LARGEST


@given(
    body=st.text(max_size=6000),
    subject=st.text(max_size=300).map(lambda text: " ".join(text.split())),
    answers=st.none() | st.integers(10, 900).map(lambda n: f"<{'m' * n}@far.example>"),
    ends=st.sampled_from([(), ("One more line.", "And another.")]),
)
def test_a_fitted_message_is_never_larger_than_4_kb(body, subject, answers, ends) -> None:
    """In bytes, as it goes over the wire, in every alphabet."""
    house = House()
    file = Attachment("map.svg", "image/svg+xml", b"x" * 9000)
    references = tuple(f"<{'r' * 200}{n}@far.example>" for n in range(30))
    letter = Outgoing(VICTIM, subject, body, None, "", answers, references, (file,))

    assert size(house, fitted(letter, "\n".join(ends), CUT)) <= LARGEST


def test_a_mail_that_gets_no_answer_does_nothing() -> None:
    """Nobody is registered without a message that says so."""
    house = borgia()
    asked(house, VICTIM, 9)
    before = dict(house.store.tables.persons)
    assert write(house, VICTIM, "REGISTER", "Name: Vittoria", "END") == []

    assert house.store.tables.persons == before


def test_forged_mails_do_not_use_up_the_question_about_a_seat() -> None:
    """One message more asks for an answer; anyone who reads it joins any game by that."""
    house = borgia()
    asked(house, VICTIM, 9)
    (asks,) = write(house, VICTIM, "OBSERVE borgia spy77")
    assert write(house, VICTIM, "OBSERVE borgia spy78") == []

    told = reply(house, asks, "CREATE ?sforza tulip9 1385")
    assert "sforza" in message_to(told, VICTIM).body
    assert house.game("sforza").is_confirmed
    assert [seat for seat in house.game().seats if seat.address == VICTIM] == []


def test_forged_mails_do_not_use_up_the_way_in() -> None:
    """For somebody on file the last messages of a day are left for a token and a notice."""
    house = borgia()
    asked(house, MARCO, 9)
    (reset,) = to(write(house, MARCO, "SEND TOKEN borgia"), MARCO)

    assert "a way back to your seat" in reset.subject


def test_who_is_kept_waiting_is_told_once_how_to_get_in() -> None:
    """Also after a flood of forged mails, at the address on file."""
    house = borgia()
    asked(house, MARCO, 9)
    sent = asked(house, MARCO, 9, text="SIGNON Vborgia wrong{}")

    (told,) = [" ".join(each.body.split()) for each in sent]
    assert "Too many passwords were wrong" in told
    assert "reply to a message about your seat" in told
    assert "SEND TOKEN" in told


def test_all_of_that_is_five_a_day() -> None:
    """Whatever a forger mixes."""
    house = borgia()
    texts = ["HELP {}", "SIGNON Vborgia wrong{}", "SEND TOKEN borgia", "I AM ALSO x{}@far.example"]
    sent = [each for text in texts * 3 for each in asked(house, MARCO, 7, text=text)]
    others = [asked(house, f"liar{n}@far.example", 1, text=f"I AM ALSO {MARCO}") for n in range(9)]
    sent += [each for letters in others for each in to(letters, MARCO)]

    assert len(sent) <= 5


def test_somebody_with_several_seats_gets_one_message_for_all_tokens() -> None:
    """One mail causes one message."""
    house = borgia()
    letters = to(write(house, "lucia@player.example", "SEND TOKEN borgia"), "lucia@player.example")

    assert len(letters) == 1
    assert "SIGNON MBorgia" in letters[0].body
    assert "SIGNON IBorgia" in letters[0].body


# --- with a proof ----------------------------------------------------------------------------


def test_somebody_who_writes_often_with_a_proof_is_always_answered() -> None:
    """Sixty mails a day, some of them the same, some of them wrong."""
    house = borgia()
    sent = [
        write(house, MARCO, "SIGNON Vborgia pwV", "A nowhere H" if n % 3 else f"A ven S {n}")
        for n in range(30)
    ]
    sent += [write(house, MARCO, "SIGNON Vborgia pwV", "LIST", f"HELP {n}") for n in range(30)]

    assert all(len(to(letters, MARCO)) == 1 for letters in sent)


def test_two_machines_with_a_password_come_to_an_end() -> None:
    """The same text again and again gets no answer after a while; what it says still counts."""
    house = borgia()
    answers = [to(write(house, MARCO, "SIGNON Vborgia pwV", "SET WAIT"), MARCO) for _ in range(40)]

    assert sum(map(len, answers)) == 20
    assert "no more answers today" in answers[19][0].body


@pytest.mark.parametrize("words", ["I am away until Monday.", "I am away until Monday. Ticket {}"])
def test_an_autoresponder_that_marks_nothing_comes_to_an_end(words: str) -> None:
    """It answers every message of the judge, to the address that the message gives."""
    house = borgia()
    (letter,) = to(write(house, MARCO, "SIGNON Vborgia pwV", "LIST"), MARCO)
    rounds = 0
    while letter is not None and rounds < 60:
        rounds += 1
        sent = answered_by_machine(house, letter, words.format(rounds))
        letter = next(iter(to(sent, MARCO)), None)

    assert rounds <= 11


def answered_by_machine(house: House, letter: Outgoing, text: str) -> list[Outgoing]:
    """What comes for a machine's answer to a message."""
    raw = raw_mail(MARCO, [text], f"Re: {letter.subject}")
    recipient = reply_address(house, letter)
    house.store.receive(raw, MARCO, house.now, recipient=recipient)
    work(house)
    return house.mails_out()


def reply_address(house: House, letter: Outgoing) -> str:
    """Where answers to a message go."""
    if letter.reply is None:
        return "judge@mach.example"
    return f"judge+r.{code_of(house.services.secret, letter.reply)}@mach.example"


def test_one_person_confirms_several_seats_by_empty_answers() -> None:
    """Each of them does something, so that the same empty text is answered each time."""
    house = House(limits=JudgeLimits(), confirm=True)
    house.start()
    for name in ("one", "two", "three"):
        write(house, MARCO, "SIGNON Vborgia pwV")
        (letter,) = to(write(house, MARCO, f"CREATE ?{name} tulip99 1454"), MARCO)
        assert len(to(reply(house, letter), MARCO)) == 1


def test_the_same_orders_again_in_a_reply_are_answered() -> None:
    """They change nothing, and yet somebody wrote them."""
    house = borgia()
    (letter,) = to(write(house, MARCO, "SIGNON Vborgia pwV", "LIST"), MARCO)
    for _ in range(6):
        (letter,) = to(reply(house, letter, "maintain A Padua", sender=MARCO), MARCO)
        on_file = letter.body.partition("ORDERS ON FILE")[2]
        assert "  maintain A Padua" in on_file


@pytest.mark.parametrize("words", ["ok", "A nowhere - zzz", "va bene, grazie"])
def test_what_a_person_says_to_the_judge_is_always_answered(words: str) -> None:
    """An agreement that changes nothing more, and an order that cannot be read."""
    house = borgia()
    (letter,) = to(write(house, MARCO, "SIGNON Vborgia pwV", "LIST"), MARCO)
    bodies = [to(reply(house, letter, words, sender=MARCO), MARCO)[0].body for _ in range(12)]

    assert all("no more answers today" not in body for body in bodies)
    assert bodies[2].splitlines()[0] == bodies[11].splitlines()[0]


def test_thanks_in_other_words_are_another_text() -> None:
    """Each of them is answered, until a machine would have written as many."""
    house = borgia()
    (letter,) = to(write(house, MARCO, "SIGNON Vborgia pwV", "LIST"), MARCO)
    thanks = ("Thanks!", "Many thanks", "Thank you very much", "Best regards")
    answers = [to(reply(house, letter, each, sender=MARCO), MARCO) for each in thanks]

    assert [len(each) for each in answers] == [1, 1, 1, 1]
    assert "no more answers today" not in answers[3][0].body
