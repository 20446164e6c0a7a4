"""A year played by answering: five mail programs, two languages, and one who is away.

What is typed, and what must be on file afterwards, stands in `year_of_answers.toml`.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from machjudge.adjudicator.names import PowerId
from tests.journeys.conftest import SMALL
from tests.journeys.judge import Judge, QueuedMessage, judging
from tests.journeys.pens import PROGRAMS, answering, plain
from tests.patience import wait_until

PHASES: Sequence[Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "year_of_answers.toml").read_text("utf-8")
)["phases"]
MAILS = [(phase["code"], mail) for phase in PHASES for mail in phase["mails"]]
NAMES = [f"{at + 1}_{code}_{mail['from']}" for at, (code, mail) in enumerate(MAILS)]
OPENING = (
    ("M", "create ?borgia {} 1385 nodice"),
    ("I", "signon ?borgia {}\nset preferences I"),
    ("V", "signon ?borgia {}\nset preferences V\nset language es"),
    ("N", "signon ?borgia {}\nset preferences N\nset language it"),
    ("L", "signon ?borgia {}\nset preferences L"),
)


class Came(NamedTuple):
    """What came of a mail."""

    answers: list[QueuedMessage]
    filed: list[str]
    """All orders of its writer's power that are on file."""
    is_flagged: bool


class Played(NamedTuple):
    """The year, when it is over."""

    came: dict[str, Came]
    phases: list[tuple[str, Mapping[str, list[str]]]]
    """The phases that were played, each with the orders of every power."""
    press: list[QueuedMessage]


@pytest.fixture(scope="module")
def year(tmp_path_factory) -> Played:
    """All mails, one after the other."""
    with judging(tmp_path_factory.mktemp("answers")) as judge:
        for letter, text in OPENING:
            writer = SMALL.people[letter]
            mail = plain(writer, text.format(writer.password).split("\n"))
            judge.send(*mail.copies, sender=writer.address)
            judge.answer_to(mail.id)
        judge.rest()
        came = {}
        for phase in PHASES:
            began = judge.game("borgia").position
            assert began is not None
            for mail in phase["mails"]:
                came[NAMES[len(came)]] = sent(judge, mail, began)
            wait_until(
                lambda after=began: judge.game("borgia").position != after, f"{phase['code']}"
            )
            judge.rest()
        phases = [
            (
                each.moment,
                {power: [line.canonical for line in lines] for power, lines in each.orders.items()},
            )
            for each in judge.phases("borgia")[1:]
        ]
        press = [each for each in judge.letters() if is_press(each)]
    return Played(came, phases, press)


def sent(judge: Judge, mail: Mapping[str, Any], began: int) -> Came:
    """Send a mail of the phase that *began* then, and see what comes of it."""
    writer = SMALL.people[mail["from"]]
    answered = [
        each
        for each in judge.letters()
        if each.to == writer.address
        and not each.subject.startswith("Re:")
        and is_press(each) == mail.get("press", False)
    ][-1]
    written = answering(
        writer, mail["text"].strip("\n"), answered, mail["program"], mail.get("subject", "Re: {}")
    )
    judge.send(*written.copies, sender=writer.address, to=str(answered.mail["Reply-To"]))
    if not mail.get("silent"):
        judge.answer_to(written.id)
    judge.rest()
    with judge.application.store.reading() as work:
        order_set = work.order_sets.on_file(judge.game("borgia").id, began).get(
            PowerId(mail["from"])
        )
    filed = [line.canonical for line in order_set.lines] if order_set is not None else []
    return Came(judge.answers_to(written.id), filed, order_set is not None and order_set.flawed)


def is_press(letter: QueuedMessage) -> bool:
    """True if a letter is what another player wrote."""
    return re.search(r": (?:press|prensa|stampa) ", letter.subject) is not None and not (
        letter.subject.startswith("Re:")
    )


def wanted_of(name: str) -> Mapping[str, Any]:
    """What a mail is to bring."""
    return MAILS[NAMES.index(name)][1]


def test_year_is_written_in_five_programs() -> None:
    """Each of the four players has one, and one of them has two."""
    assert {mail["program"] for _, mail in MAILS} == set(PROGRAMS)


@pytest.mark.parametrize("name", NAMES)
def test_orders_on_file_are_what_was_written(year, name) -> None:
    """Nothing is lost, and nothing is there that nobody wrote."""
    code, mail = MAILS[NAMES.index(name)]
    until = MAILS[: NAMES.index(name) + 1]
    own = [each for phase, each in until if (phase, each["from"]) == (code, mail["from"])]
    filed = next((each["filed"] for each in reversed(own) if "filed" in each), [])

    assert sorted(year.came[name].filed) == sorted(filed)


@pytest.mark.parametrize("name", NAMES)
def test_flag_is_up_only_where_an_order_could_not_be_read(year, name) -> None:
    """Thanks, signatures, slogans, questions and a notice of absence raise none."""
    assert year.came[name].is_flagged == wanted_of(name).get("flag", False)


@pytest.mark.parametrize("name", NAMES)
def test_everybody_is_answered_but_a_machine(year, name) -> None:
    """With what the mail asks for."""
    mail, answers = wanted_of(name), year.came[name].answers
    texts = [" ".join(each.text.split()) for each in answers]

    assert len(answers) == (not mail.get("silent", False))
    assert [says for says in mail.get("says", ()) if says not in "".join(texts)] == []
    assert all(("ERROR FLAG" in text) == mail.get("flag", False) for text in texts)


def test_every_phase_is_played_with_these_orders(year) -> None:
    """As they stood on file when the last power was complete."""
    assert [code for code, _ in year.phases] == [phase["code"] for phase in PHASES]
    for (_, orders), phase in zip(year.phases, PHASES, strict=True):
        last = {mail["from"]: mail["filed"] for mail in phase["mails"] if mail.get("filed")}
        assert {power: sorted(lines) for power, lines in orders.items() if lines} == {
            power: sorted(lines) for power, lines in last.items()
        }


def test_press_is_read_by_those_for_whom_it_is(year) -> None:
    """What Lorenza wrote goes to Caterina, and the answer back to her; nobody else reads it."""
    assert [each.to for each in year.press] == [
        SMALL.people["V"].address,
        SMALL.people["L"].address,
    ]
    assert "¡trato hecho!" in year.press[1].text
