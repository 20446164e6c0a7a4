"""Thirty mails as people's programs write them, from the making of a game to its first phase.

The mails stand in `opening_mails`, as bytes; `answers.toml` there says what each brings.
"""

import re
import tomllib
from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.journeys.judge import Judge, QueuedMessage, judging
from tests.results_told import tells_results

MAILS = Path(__file__).parent / "opening_mails"
ANSWERS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (MAILS / "answers.toml").read_text("utf-8")
)
SHOWN = {"ORDERS ON FILE", "ORDERS AS THEY WOULD BE"}
PASSWORD = re.compile(r"(?i)signon\s+\??\w*\s+(\w+\d)\b|\?sforza\s+(\w+\d)")


class Sent(NamedTuple):
    """A mail and everything that came for it."""

    sender: str
    answers: list[QueuedMessage]
    others: list[QueuedMessage]
    """What others got, or the sender besides the answer."""


@pytest.fixture(scope="module")
def sent(tmp_path_factory) -> dict[str, Sent]:
    """All mails, one after the other, each sent when everything for the one before has come."""
    with judging(tmp_path_factory.mktemp("opening")) as judge:
        return {name: send(judge, name) for name in ANSWERS}


def send(judge: Judge, name: str) -> Sent:
    """Send a mail, and wait for all that it brings."""
    raw = (MAILS / f"{name}.eml").read_bytes()
    mail = message_from_bytes(raw, policy=default)
    sender, before = parseaddr(str(mail["From"]))[1], len(judge.letters())
    judge.send(raw, sender=sender)
    judge.answer_to(str(mail["Message-ID"]))
    subject, count = ANSWERS[name].get("also", ("", 0))
    if count:
        judge.wait_for(count, lambda each: is_about(each, subject, before, judge), subject)
    judge.rest()
    new = judge.letters()[before:]
    answers = [each for each in new if each.answers == str(mail["Message-ID"])]
    return Sent(sender, answers, [each for each in new if each not in answers])


def is_about(letter: QueuedMessage, subject: str, before: int, judge: Judge) -> bool:
    """True if a letter about that has come since."""
    return is_called(letter, subject) and letter in judge.letters()[before:]


def is_called(letter: QueuedMessage, subject: str) -> bool:
    """True if its subject says that; results have news there, and say in the text what they are."""
    return tells_results(letter.text) if subject == "Results" else subject in letter.subject


def passwords(mail: EmailMessage) -> set[str]:
    """What a mail signs on with."""
    parts = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "text"]
    return {one for found in PASSWORD.findall("\n".join(parts)) for one in found if one}


def test_table_is_about_all_mails() -> None:
    """None is left out."""
    assert sorted(ANSWERS) == sorted(file.stem for file in MAILS.glob("*.eml"))


@pytest.mark.parametrize("name", ANSWERS)
def test_mail_gets_the_one_answer_that_it_asks_for(sent, name) -> None:
    """To its sender alone; others hear of it only where they must."""
    brought, wanted = sent[name], ANSWERS[name]
    (answer,) = brought.answers
    text = " ".join(answer.text.split())
    subject, count = wanted.get("also", ("", 0))

    assert answer.to == brought.sender
    assert [says for says in wanted["says"] if says not in text] == []
    assert [never for never in wanted.get("never", ()) if never in text] == []
    assert [once for once in wanted.get("once", ()) if text.count(once) != 1] == []
    assert len(brought.others) == count
    assert all(is_called(other, subject) for other in brought.others)


@pytest.mark.parametrize("name", [name for name, wanted in ANSWERS.items() if "orders" in wanted])
def test_answer_shows_the_orders_that_were_meant(sent, name) -> None:
    """No more and no fewer, in the order in which they were written first."""
    (answer,) = sent[name].answers
    (title,) = SHOWN & set(answer.text.splitlines())

    assert answer.part(title) == ANSWERS[name]["orders"]


def test_first_message_says_all_that_one_needs_to_order(sent) -> None:
    """The power, the deadline here and in UTC, units, money, how to order, what can be built."""
    letters = {each.to.partition("@")[0]: each for each in sent["012_join_any"].others}
    text = " ".join(letters["federica"].text.split())
    venice = " ".join(letters["caterina"].text.split())

    assert "You lead Austria." in text
    assert "You can build: build A Treviso build G Padua, G Treviso Assassination" in venice
    assert re.search(r"\d\d:\d\d NZDT \(.*?UTC\)", text)
    for says in (
        "maintain A Austria",
        "ducats",
        "SIGNON ASforza yourpassword",
        "build G Austria, G Tyrolea",
    ):
        assert says in text


def test_no_letter_shows_a_password(sent) -> None:
    """Neither the answers nor what others get."""
    mails = [message_from_bytes(file.read_bytes(), policy=default) for file in MAILS.glob("*.eml")]
    secrets = {"giudice4"}.union(*map(passwords, mails))
    letters = [each for brought in sent.values() for each in (*brought.answers, *brought.others)]

    assert len(secrets) == 1 + 8
    assert [each for each in letters for secret in secrets if secret in each.text] == []
