"""A retreat may be answered in the quotation: one of the offered lines in the place of another."""

import re

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.judge.mails import Outgoing
from tests.judge.house import House
from tests.judge.letters_in import answer, reply, write
from tests.judge.lines import test_form_answers as plain
from tests.judge.lines.html_replies import PROGRAMS
from tests.judge.lines.test_form_in_html import html_of, send
from tests.judge.year import SPRING, SUMMER, address_of, play

UNTOUCHED = {
    "en": "Your mail holds nothing but the message that it quotes",
    "es": "Tu mensaje no contiene más que el mensaje que cita",
}
NOT_READ = re.compile("NOT READ|NO LEÍDO")
TEXTS = [plain.gmail, plain.apple, plain.outlook, plain.samsung, plain.yahoo]


def dislodged(language: str) -> tuple[House, Outgoing]:
    """The Papacy's army has lost Perugia; what asks its player for the retreat."""
    house = House()
    house.start(options=["nomoney"])
    write(house, address_of(house, "P"), "SIGNON Pborgia pwP", f"SET LANGUAGE {language}")
    play(house, {**SPRING, "I": SPRING["I"][:3]})
    sent = play(house, {**SUMMER, "I": SUMMER["I"][:3]})
    assert house.view().state.moment.stage is Stage.RETREATS
    (letter,) = [
        each
        for each in sent
        if each.to == address_of(house, "P") and "Perugia disband\n" in each.body
    ]
    write(house, letter.to, "SIGNON Pborgia pwP", "SET WAIT")
    return house, letter


def on_file(house: House) -> list[str]:
    """The canonical orders of the Papacy."""
    order_set = house.view().order_sets.get(PowerId("P"))
    return [line.canonical for line in order_set.lines] if order_set is not None else []


ARMY = {"en": "A Perugia", "es": "E Perugia"}
"""The unit, in each language."""


def other_way(text: str, new: str) -> str:
    """A message whose line for disbanding is another way now."""
    changed = re.sub("\n[AE] Perugia disband\n", f"\n{new}\n", text)
    assert changed != text
    return changed


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("program", TEXTS)
def test_an_offered_way_in_the_place_of_another_is_the_retreat(program, language) -> None:
    """The same line stands twice then, and once in the message."""
    house, letter = dislodged(language)
    way = f"{ARMY[language]} - Spoleto"
    assert way in letter.body
    rows = other_way(letter.body, way).splitlines()

    told = answer(reply(house, letter, *program(rows)), letter.to)

    assert on_file(house) == ["A per - spo"], told
    assert not NOT_READ.search(told), told


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("program", TEXTS)
def test_an_untouched_retreat_changes_nothing(program, language) -> None:
    """And its sender is told so."""
    house, letter = dislodged(language)

    told = answer(reply(house, letter, *program(letter.body.splitlines())), letter.to)

    assert on_file(house) == []
    assert UNTOUCHED[language] in " ".join(told.split()), told


@pytest.mark.parametrize("is_changed", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_html_part_is_answered_in_the_same_way(program: str, is_changed: bool) -> None:
    """Whatever a program makes of it."""
    house, letter = dislodged("es")
    html = html_of(letter)
    if is_changed:
        html, count = re.subn(r"(?<=[\n>])E Perugia disband(?=\n|<)", "E Perugia - Spoleto", html)
        assert count == 1

    told = send(house, letter, PROGRAMS[program](html, (), ()))

    assert on_file(house) == (["A per - spo"] if is_changed else []), told


def test_two_ways_in_the_place_of_others_are_not_taken() -> None:
    """Nobody knows which is meant."""
    house, letter = dislodged("en")
    rows = letter.body.splitlines()
    ways = [n for n, row in enumerate(rows) if re.fullmatch("A Perugia (- .*|disband)", row)][-3:]
    for at in ways:
        rows[at] = "A Perugia - Spoleto"

    reply(house, letter, *plain.gmail(rows))

    assert on_file(house) == []


def test_a_line_that_was_copied_beside_the_others_is_not_taken() -> None:
    """Only what stands in the place of another line is a change of it."""
    house, letter = dislodged("en")
    text = other_way(letter.body, "A Perugia disband\nA Perugia - Spoleto")

    reply(house, letter, *plain.gmail(text.splitlines()))

    assert on_file(house) == []


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("program", TEXTS)
def test_the_only_way_that_is_left_is_the_retreat(program, language) -> None:
    """Anyone who deletes all others has chosen."""
    house, letter = dislodged(language)
    is_way = re.compile(f"{ARMY[language]} (- .*|disband)").fullmatch
    rows = [r for r in letter.body.splitlines() if not is_way(r)]
    at = letter.body.splitlines().index(f"{ARMY[language]} - Spoleto")
    ways = [r for r in letter.body.splitlines() if is_way(r)]
    first = letter.body.splitlines().index(ways[0])
    assert len(ways) > 2
    assert first <= at

    told = answer(
        reply(
            house, letter, *program([*rows[:first], letter.body.splitlines()[at], *rows[first:]])
        ),
        letter.to,
    )

    assert on_file(house) == ["A per - spo"], told
    assert not NOT_READ.search(told), told


def test_several_ways_that_are_left_are_asked_about() -> None:
    """The answer names them, and takes none."""
    house, letter = dislodged("en")
    rows = [row for row in letter.body.splitlines() if row != "A Perugia disband"]

    told = " ".join(answer(reply(house, letter, *plain.gmail(rows)), letter.to).split())

    assert on_file(house) == []
    assert "what you left of the lines between which you choose (A Perugia - " in told


def test_a_way_is_not_chosen_where_the_quotation_was_cut() -> None:
    """What stood below it was not deleted line by line."""
    house, letter = dislodged("en")
    rows = letter.body.splitlines()
    first = next(n for n, row in enumerate(rows) if row.startswith("A Perugia - "))

    reply(house, letter, *plain.gmail(rows[: first + 1]))

    assert on_file(house) == []
