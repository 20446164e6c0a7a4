"""The newspaper of a year: what it tells, who gets it, and that it may be passed on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from machjudge.adjudicator.state import State
from machjudge.judge.mails import Attachment, Outgoing
from machjudge.judge.newspaper import Newspaper, newspaper_of
from machjudge.judge.records import Status
from tests.judge.house import House, started
from tests.judge.letters_in import answer, message_to, write
from tests.judge.pages.test_replay import HIDDEN, STRANGER, hiding, told
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, address_of, order, play

ANNA, MARCO = "anna@player.example", "marco@player.example"
SECRET = "Between you and me: Siena."
OPEN = "Peace & <b>quiet</b>."


def year(*readers: str) -> tuple[House, list[Outgoing]]:
    """A game of which these powers want the newspaper, and the messages after its first year."""
    house = started("nodice")
    for power in readers:
        order(house, power, "SET NEWSPAPER ON")
    play(house, OPENING)
    order(house, "L", "BROADCAST", OPEN, "ENDPRESS", "PRESS TO V", SECRET, "ENDPRESS")
    for orders in (SPRING, SUMMER):
        house.later(hours=1)
        play(house, orders)
    order(house, "P", "A per - spo")
    play(house, FALL)
    return house, [mail for power in "IVLPNTAF" for mail in order(house, power, "maintain all")]


def papers(sent: Sequence[Outgoing]) -> list[Outgoing]:
    """The newspapers among some messages."""
    return [each for each in sent if "newspaper of" in each.subject]


def page_of(mail: Outgoing) -> Attachment:
    """The page of a newspaper."""
    (file,) = [each for each in mail.attachments if each.name.endswith(".html")]
    return file


def test_it_comes_at_the_end_of_the_year_to_those_who_want_it() -> None:
    """Once to each address, after the adjustments; SET NEWSPAPER OFF ends it."""
    house, sent = year("L")
    (paper,) = papers(sent)

    assert paper.to == ANNA
    assert paper.subject == "borgia: newspaper of 1454 (S1455M)"
    assert page_of(paper).name == "borgia-1454.html"

    said = write(house, ANNA, "SIGNON Lborgia pwL", "SET NEWSPAPER OFF")
    assert "You get no newspaper of Borgia." in answer(said, ANNA)
    wrong = write(house, ANNA, "SIGNON Lborgia pwL", "SET NEWSPAPER blue")
    assert "Did you mean: SET NEWSPAPER ON" in answer(wrong, ANNA)


def test_nobody_gets_it_unasked() -> None:
    """A year without readers makes no newspaper."""
    assert not papers(year()[1])


def test_it_tells_results_growth_and_press_to_all() -> None:
    """In the text as on the page: every campaign, who grew, and the broadcast in full."""
    (paper,) = papers(year("L")[1])
    page = told(page_of(paper).content.decode())
    body = " ".join(paper.body.split())

    for text in (page, body):
        assert text.index("Spring 1454") < text.index("Summer 1454") < text.index("Fall 1454")
        assert "A Siena S A Arezzo - Perugia" in text
        assert "Naples: 5 (1 more)" in text
        assert "Papacy: 3 (1 fewer)" in text
        assert "Austria: 3" in text
        assert OPEN in text
    assert 'class="map still"' in page_of(paper).content.decode()
    assert 'class="chart"' in page_of(paper).content.decode()


def test_it_can_be_passed_on() -> None:
    """It has no code of a seat and no private press, and answers no mail."""
    (paper,) = papers(year("L")[1])

    assert not paper.takes_token
    assert paper.reply is None
    for text in (paper.body, page_of(paper).content.decode()):
        assert SECRET not in text
        assert ANNA not in text


def test_all_readers_of_a_language_get_the_same() -> None:
    """What a power knows adds nothing; another language has its own words."""
    house, _ = year()
    for power in "LP":
        order(house, power, "SET NEWSPAPER")
    order(house, "V", "SET LANGUAGE italian", "SET NEWSPAPER ON")
    for _ in range(3):
        house.later(hours=1)
        sent = [mail for power in "IVLPNTAF" for mail in order(house, power, "hold all")]
    sent += [mail for power in "IVLPNTAF" for mail in order(house, power, "maintain all")]
    pages = {
        each.to: page_of(each).content for each in sent if "1455.html" in str(each.attachments)
    }

    assert set(pages) == {ANNA, MARCO, address_of(house, "P")}
    assert pages[ANNA] == pages[address_of(house, "P")]
    assert "Borgia nel 1455" in pages[MARCO].decode()
    assert OPEN not in told(pages[ANNA].decode()), "it stood in the newspaper of the year before"


def test_press_of_a_year_stands_in_its_newspaper_alone() -> None:
    """What is written after the last phase of a year belongs to the next."""
    house, _ = year("L")
    order(house, "L", "BROADCAST", "A new year!", "ENDPRESS")

    old = asked(house, "GET NEWSPAPER borgia 1454")
    assert "A new year!" not in told(old)
    house.later(hours=1)
    for power in "IVLPNTAF":
        order(house, power, "hold all")
    assert "A new year!" in told(asked(house, "GET NEWSPAPER borgia 1455"))


def asked(house: House, line: str) -> str:
    """The page that a stranger asks for."""
    return page_of(message_to(write(house, STRANGER, line), STRANGER)).content.decode()


def test_a_year_that_is_asked_for_twice_is_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once, and takes no place among the three pages of a mail."""
    house, _ = year()
    made = []

    def counted(*facts: Any) -> Newspaper:
        made.append(facts)
        return newspaper_of(*facts)

    monkeypatch.setattr("machjudge.judge.newspaper.newspaper_of", counted)
    wanted = ["GET NEWSPAPER borgia 1454"] * 4
    sent = message_to(write(house, STRANGER, *wanted), STRANGER)

    assert len(made) == 1
    assert [each.name for each in sent.attachments] == ["borgia-1454.html"]
    assert "are enough for one mail" not in sent.body


def test_anybody_may_ask_for_one() -> None:
    """Of the last year that is over, or of another one that was played."""
    house, sent = year("L")
    assert asked(house, "GET NEWSPAPER borgia") == page_of(papers(sent)[0]).content.decode()
    assert asked(house, "GET NEWSPAPER borgia 1454") == asked(house, "GET NEWSPAPER 1454 borgia")

    for line in ("GET NEWSPAPER borgia 1460", "GET NEWSPAPER borgia 14540000000000000000000"):
        refused = answer(write(house, STRANGER, line), STRANGER)
        assert "The game has no such year; it has 1454." in refused
        assert "Did you mean: GET NEWSPAPER Borgia 1454" in refused
    forming = House()
    write(forming, "gina@desk.example", "CREATE ?Borgia masterkey 1454")
    refused = answer(write(forming, STRANGER, "GET NEWSPAPER borgia"), STRANGER)
    assert "has not begun" in refused


@pytest.mark.parametrize(("changed", "settings"), HIDDEN)
def test_what_is_hidden_changes_nothing_in_it(
    changed: Callable[[State], State], settings: dict[str, object]
) -> None:
    """It is the same whatever the treasuries, chits and kinds of units are."""
    house, _ = year()
    hiding(house, **settings)
    before = asked(house, "GET NEWSPAPER borgia")
    phases = house.store.tables.phases
    phases[:] = [replace(each, after=changed(each.after)) for each in phases]

    assert asked(house, "GET NEWSPAPER borgia") == before


def test_the_end_of_a_game_brings_the_newspaper_of_its_last_year() -> None:
    """Though the year is not over."""
    house, _ = year("L")
    for power in "IVLPNTAF":
        order(house, power, "hold all")
    sent = [mail for power in "IVLPNTAF" for mail in order(house, power, "SET DRAW")]

    assert house.game().status is Status.FINISHED
    (paper,) = papers(sent)
    assert page_of(paper).name == "borgia-1455.html"
