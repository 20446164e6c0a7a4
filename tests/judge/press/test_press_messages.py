"""What the messages and receipts of press say: who knows what, and how one answers."""

import pytest

from machjudge.judge.game_settings import Fakes, Tones
from tests.cases import cases
from tests.judge.house import House, started
from tests.judge.letters_in import answer, flat, write
from tests.judge.phases.test_mastering import ruled
from tests.judge.press.test_postal_and_diary import processed
from tests.judge.press.test_press_rules import (
    ANNA,
    DINO,
    MARCO,
    OGLE,
    press,
    to_others,
    with_master,
)
from tests.judge.year import order


def playing_master(**rules: object) -> House:
    """A game whose master leads Milan."""
    house = started("nomoney")
    write(house, "lucia@player.example", "SIGNON Mborgia masterkey", *rules.get("lines", ()))
    return house


@pytest.mark.parametrize("line", ["BROADCAST GREY", "PRESS GREY TO IV"])
def test_readers_of_anonymous_press_read_that_the_master_knows(line: str) -> None:
    """Because the master who does not play reads who wrote it."""
    house = with_master(tones=Tones.WHITE_GREY)
    sent = press(house, line, "marigold", "ENDPRESS")
    letters = to_others(sent)

    assert "Who wrote it is not told. Only the judge and the master know." in letters["marco"].body
    assert "The master can see that you wrote it." in flat(answer(sent, ANNA))


def test_where_the_master_plays_nobody_at_the_game_knows() -> None:
    """And both readers and writer are told so."""
    house = playing_master(lines=["SET WHITE/GREY"])
    sent = order(house, "L", "BROADCAST GREY", "marigold", "ENDPRESS")
    letters = to_others(sent)

    assert all("Only the judge knows." in letter.body for letter in letters.values())
    assert not any("Florence" in letter.body for letter in letters.values())
    assert "Nobody else at the game can see that you wrote it." in flat(answer(sent, ANNA))


HISTORY = {
    "en": (
        "Press from Florence to Milan and Venice,",
        "Press from Ogle (observer) to everybody but Milan and the master,",
        "Press from Florence to everybody but Milan and the observers,",
        "Broadcast from Florence to everybody,",
        "Postal press from the master,",
    ),
    "es": (
        "Prensa de Florencia a Milán y Venecia,",
        "Prensa de Ogle (observador) a todos menos Milán y el máster,",
        "Prensa de Florencia a todos menos Milán y los observadores,",
        "Texto de Florencia a todos,",
        "Prensa postal del máster,",
    ),
    "it": (
        "Stampa da Firenze a Milano e Venezia,",
        "Stampa da Ogle (osservatore) a tutti tranne Milano e il master,",
        "Stampa da Firenze a tutti tranne Milano e gli osservatori,",
        "Messaggio da Firenze a tutti,",
        "Stampa postale dal master,",
    ),
}


@pytest.mark.parametrize("language", HISTORY)
def test_the_history_names_writers_and_readers_in_the_language_of_who_asks(language: str) -> None:
    """Powers, observers, the master and everybody, of press, broadcasts and postal press."""
    house = with_master(tones=Tones.WHITE_GREY, fakes=Fakes.MAY, postal=True)
    press(house, "PRESS TO IV", "marigold", "ENDPRESS")
    press(house, "BROADCAST", "marigold", "ENDPRESS")
    signon = "SIGNON Oborgia tulip9"
    write(house, OGLE, signon, "PRESS TO ALL BUT I, MASTER", "marigold", "ENDPRESS")
    press(house, "PRESS TO V FAKE TO ALL BUT IO", "marigold", "ENDPRESS")
    write(house, DINO, "SIGNON Mborgia masterkey", "POSTAL PRESS", "marigold", "ENDPRESS")
    processed(house)
    write(house, MARCO, "SIGNON Vborgia pwV", f"SET LANGUAGE {language}")
    told = answer(order(house, "V", "HISTORY"), MARCO)

    assert [title for title in HISTORY[language] if title not in told] == []


def test_press_that_is_open_in_the_end_says_so() -> None:
    """To its readers, and to the person who writes it."""
    house = with_master(tones=Tones.WHITE_GREY, fakes=Fakes.MAY, opened=True)
    sent = press(house, "PRESS GREY TO V FAKE BROADCAST", "marigold", "ENDPRESS")

    reader = flat(to_others(sent)["marco"].body)
    assert "When the game is over, everybody can read it." in reader
    writer = flat(answer(sent, ANNA))
    assert "The master can see that you wrote it and to whom it really went." in writer
    assert "When the game is over, everybody can." in writer


def test_anonymous_press_after_the_end_of_a_game_with_open_press_says_who_sees_it() -> None:
    """Its writer is told that everybody can: it is not to come."""
    house = with_master(tones=Tones.WHITE_GREY, fakes=Fakes.MAY, opened=True)
    write(house, DINO, "SIGNON Mborgia masterkey", "DECLARE VICTORY Venice")
    sent = press(house, "PRESS GREY TO V FAKE BROADCAST", "marigold", "ENDPRESS")
    writer = flat(answer(sent, ANNA))

    assert "from Florence" in to_others(sent)["marco"].body
    assert "everybody can see that you wrote it and to whom it really went." in writer
    assert "Nobody else" not in writer
    assert "When the game is over" not in writer


def test_the_master_reads_that_press_was_anonymous() -> None:
    """In the subject as well, so that they do not give it away in an answer."""
    house = with_master(tones=Tones.WHITE_GREY)
    sent = press(house, "BROADCAST GREY", "marigold", "ENDPRESS")

    subjects = {name: letter.subject for name, letter in to_others(sent).items()}
    assert subjects["dino"].startswith("borgia: anonymous broadcast from Florence (")
    assert subjects["marco"].startswith("borgia: anonymous broadcast (")


# --- answering -------------------------------------------------------------------------------


def lines_of(house: House, line: str, reader: str, sender: str = "L") -> list[str]:
    """The lines with which a message tells its reader how to answer."""
    sent = press(house, line, "marigold", "ENDPRESS", sender=sender)
    body = next(x.body for x in sent if x.to == f"{reader}@player.example")
    return [
        each.strip()
        for each in body.partition("marigold")[2].partition("\n::")[0].splitlines()
        if each.strip()
    ]


TO_WRITER = [
    "To answer Florence, reply to this message.",
    "Your words go on without your address; no orders are read from them.",
]
APART = ["In a mail of its own:", "SIGNON VBorgia yourpassword", "PRESS TO L"]
TEXT = ["your text", "ENDPRESS"]
ALL = "To answer all who got it, begin your reply with:"


@cases
def test_a_reader_answers_the_writer_and_all_who_got_it(line: str, others: list[str]) -> None:
    """With a ready signon; faked press is answered to those to whom it says that it went."""
    house = with_master(fakes=Fakes.MAY)
    all_ = [f"{ALL} {each}" for each in others]

    assert lines_of(house, line, "marco") == [*TO_WRITER, *all_, *APART, *TEXT]


def test_the_lines_that_a_message_offers_work() -> None:
    """Sent back as they stand, with the password in its place."""
    house = with_master()
    (told,) = [x for x in lines_of(house, "PRESS TO IV", "marco") if x.startswith(ALL)]
    command = told.removeprefix(f"{ALL} ")
    sent = order(house, "V", command, "agreed", "ENDPRESS")

    assert set(to_others(sent, MARCO)) == {"anna", "lucia"}


def test_anonymous_press_is_answered_by_a_broadcast_at_most() -> None:
    """Its writer has no name; press to some does not say who else got it."""
    house = with_master(tones=Tones.WHITE_GREY)

    assert "PRESS TO" not in " ".join(lines_of(house, "BROADCAST GREY", "marco"))
    assert "BROADCAST" in lines_of(house, "BROADCAST GREY", "marco")
    assert "ENDPRESS" not in lines_of(house, "PRESS GREY TO IV", "marco")


def test_no_answer_is_offered_that_the_game_does_not_allow() -> None:
    """Where there is no press to some, all are answered; where there is none, the master."""
    house = with_master(partial=False)
    assert "BROADCAST" in lines_of(house, "BROADCAST", "marco")
    assert not any("PRESS TO" in line for line in lines_of(house, "BROADCAST", "marco"))

    house = with_master(tones=Tones.NONE)
    sent = write(house, "dino@player.example", "SIGNON Mborgia masterkey", "BROADCAST", "marigold")
    body = to_others(sent, "dino@player.example")["marco"].body
    assert "PRESS TO M" in body
    assert "  BROADCAST" not in body


# --- receipts --------------------------------------------------------------------------------


def test_a_receipt_of_press_repeats_no_orders_and_no_money() -> None:
    """Only whether they are complete; the text stands in it."""
    house = ruled()
    order(house, "L", "maintain A flo")
    body = answer(order(house, "L", "PRESS TO V", "marigold", "ENDPRESS"), ANNA)

    assert "NOT COMPLETE" in body
    assert "marigold" in body
    for title in ("ORDERS ON FILE", "MONEY", "WARNINGS", "This is set"):
        assert title not in body


@pytest.mark.parametrize("line", ["maintain A flo", "CLEAR", "PHASE S1454M", ""])
def test_a_receipt_shows_orders_where_the_mail_is_about_them(line: str) -> None:
    """Press beside orders hides none; a signon alone asks for them."""
    house = ruled()
    order(house, "L", "maintain A are")
    lines = ["PRESS TO V", "marigold", "ENDPRESS"] if line else []
    body = answer(order(house, "L", *lines, line, "A flo - sie" if "PHASE" in line else ""), ANNA)

    assert "ORDERS ON FILE" in body
