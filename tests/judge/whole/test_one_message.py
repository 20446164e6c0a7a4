"""One message for each reader of what one mail brings, whatever it sets, corrects and says."""

from collections import Counter

import pytest

from machjudge.judge.mails import Outgoing
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.phases.test_mastering import GINA, MASTER, master, previewed, ruled
from tests.judge.year import address_of, order


def most(sent: list[Outgoing]) -> int:
    """How many messages went to the address that got the most."""
    return max(Counter(letter.to for letter in sent).values())


def to(sent: list[Outgoing], house: House, power: str) -> Outgoing:
    """The only message to a power's player."""
    (one,) = [letter for letter in sent if letter.to == address_of(house, power)]
    return one


def test_four_corrections_are_one_message() -> None:
    """With all four of them, in their order, below one heading."""
    house = ruled()
    sent = master(house, *(f"FIX TREASURY {p} 9 BECAUSE slip {p}" for p in ("L", "V", "I", "P")))
    told = to(sent, house, "N")

    assert most(sent) == 1
    assert len(sent) == 9
    assert told.subject == "borgia: correction (F1453B)"
    assert [each for each in "LVIP" if f"slip {each}" in told.body] == list("LVIP")
    assert told.body.index("slip L") < told.body.index("slip V") < told.body.index("slip P")


def test_all_kinds_of_settings_are_one_message() -> None:
    """Its subject names the kinds; how the times and the press are then stands in it once."""
    house = ruled("nomoney")
    sent = master(
        house,
        "SET DEADLINE +48h",
        "SET MOVES NEXT 96",
        "SET WHITE/GREY, POSTAL PRESS",
        "SET RETREATS NEXT 48",
        "SET COMMENT Be kind.",
        "FIX UNIT Florence A sie BECAUSE slip",
    )
    told = to(sent, house, "L")

    assert most(sent) == 1
    kinds = "settings changed, comment, correction"
    assert told.subject == f"borgia: new deadline Sun 22 Nov, 13:00, {kinds} (S1454M)"
    assert told.body.count("First deadline: 168 hours") == 1
    assert told.body.count("Postal press comes with the results.") == 1
    assert told.body.count("NEXT: Spring 1454") == 1
    assert told.body.count("Campaigns 96 hours, retreats 48, adjustments 48.") == 1


def test_signed_press_and_a_setting_are_one_message() -> None:
    """Each reader gets what is for them, and nothing else."""
    house = ruled("nomoney")
    lines = ("PRESS TO L", "for you", "ENDPRESS", "BROADCAST", "for all", "ENDPRESS")
    sent = master(house, *lines, "SET NODICE")
    florence, venice = to(sent, house, "L"), to(sent, house, "V")

    assert florence.subject.startswith(
        "borgia: press from the master to Florence, broadcast from the master, settings changed"
    )
    assert "for you" in florence.body
    assert venice.subject.startswith("borgia: broadcast from the master, settings changed")
    assert "for you" not in venice.body
    assert "for all" in venice.body


def test_anonymous_press_is_a_message_of_its_own() -> None:
    """What else its writer sends in the same mail does not tell who it was: it is given back."""
    house = ruled("nomoney")
    master(house, "SET WHITE/GREY")
    sent = order(
        house, "L", "BROADCAST", "signed", "ENDPRESS", "BROADCAST GREY", "secret", "ENDPRESS"
    )
    (got,) = [letter for letter in sent if letter.to == address_of(house, "V")]
    (answer,) = [letter for letter in sent if letter.to == address_of(house, "L")]

    assert "signed" in got.body
    assert "secret" not in got.body
    assert "in a mail of its own" in " ".join(answer.body.split())
    assert "secret" in answer.body.partition("YOUR TEXT, WHICH WAS NOT SENT")[2]


def test_a_mail_with_many_anonymous_texts_is_one_message_to_each() -> None:
    """The first goes out, with the orders beside it; the others come back to their writer."""
    house = ruled("nomoney")
    master(house, "SET WHITE/GREY")
    texts = [line for n in range(30) for line in ("BROADCAST GREY", f"secret {n}", "ENDPRESS")]
    sent = order(house, "L", *texts, "A flo H")
    counts = [sum(each.to == address_of(house, power) for each in sent) for power in "IVN"]
    (got,) = [letter for letter in sent if letter.to == address_of(house, "V")]

    assert counts == [1, 1, 1]
    assert "secret 0" in got.body
    assert "secret 1" not in got.body


def test_results_stay_a_message_of_their_own() -> None:
    """What was set before them comes before them."""
    house = ruled("nomoney")
    word = previewed(house)
    sent = write(house, GINA, MASTER, "SET COMMENT Be kind.", "SET COMMENT Be fast.", word)
    got = [letter.subject for letter in sent if letter.to == address_of(house, "L")]

    assert got[0] == "borgia: comment (S1454M)"
    assert got[1].startswith("borgia: orders by ")
    assert len(got) == 2


def test_a_new_password_and_a_new_address_are_told_once() -> None:
    """With one token that undoes both."""
    house = ruled("nomoney")
    anna = address_of(house, "L")
    sent = order(house, "L", "SET PASSWORD tulip99", "SET ADDRESS new@home.example")
    (told,) = [x for x in sent if x.to == anna and "changes to your access" in x.subject]

    assert "password and address of your seat" in " ".join(told.body.split())
    assert told.body.count("SIGNON L") == 1


def test_the_receipt_says_once_how_press_is() -> None:
    """As it is in the end; each line is confirmed by what it has changed."""
    house = ruled("nomoney")
    body = answer(
        master(house, "SET WHITE/GREY", "SET POSTAL PRESS", "SET NOWATCH ALL PRESS"), GINA
    )

    assert body.count("The press of this game, from now on:") == 1
    assert "Press is signed (white), or anonymous (grey) on request." in body
    assert "\n  Press: Postal press comes with the results." in body
    assert "Press: nothing changes." in body


# What stands in a mail a thousand times is answered once.


ANNA = "anna@player.example"


@pytest.mark.parametrize("line", ["GET MAP", "GET RULES", "LIST", "HELP", "WHO borgia"])
def test_a_text_is_sent_once_however_often_it_is_asked_for(line) -> None:
    """With its files: otherwise a small mail would bring a very large letter."""
    house = started("nomoney")
    (once,) = write(house, ANNA, line)
    (often,) = write(house, ANNA, *[line] * 20)

    assert often.body == once.body
    assert often.attachments == once.attachments


def test_lines_that_replace_each_other_are_told_in_short() -> None:
    """The order set is what counts."""
    house = started("nomoney")
    (letter,) = write(house, ANNA, "SIGNON Lborgia pwL", *["A flo H"] * 500)

    assert "And 474 more lines replaced in the same way." in letter.body
    assert len(letter.body.splitlines()) < 60
