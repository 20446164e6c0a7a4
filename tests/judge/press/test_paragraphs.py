"""The text of a press has empty lines, and no line of it is ever an order or a command."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mails import MailOutcome, Outgoing
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import deliver, reply, work, write

ATTACKS = Path(__file__).parents[1] / "intake" / "attacks"
MARCO, ANNA = "marco@player.example", "anna@player.example"
COMMANDS = ("PRESS TO L", "BROADCAST", "DIARY RECORD", "POSTAL PRESS RECORD")
COMMAND_LINES = (
    "SIGNON Lborgia pwL", "A flo H", "JOIN borgia pw", "CREATE ?next 1454 pw", "SIGNOFF",
    "OBSERVE borgia pw", "SET WAIT", "PHASE S1454M", "DRY", "yes", "hello", "", " ", "\t",
)  # fmt: skip


def begun() -> tuple[House, Outgoing]:
    """1454 in its first Spring, and what Venice got at its beginning."""
    house = House()
    house.start(options=["nomoney"], keep_mails=True)
    (start,) = (each for each in house.mails_out() if each.to == MARCO)
    return house, start


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reply_keeps_its_orders_above_a_text_of_two_paragraphs(command: str) -> None:
    """The first word of an empty line is nobody's greeting."""
    house, start = begun()

    letters = reply(house, start, "A pad H", "", command, "Dear Florence,", "", "shall we ally?")

    assert house.on_file("V") == ["A pad h"]
    assert house.store.tables.inbox[-1].outcome is MailOutcome.ANSWERED
    answer = next(each for each in letters if each.to == MARCO)
    assert "shall we ally?" in "".join(each.body for each in letters)
    assert "ON FILE" in answer.body


def test_the_reply_that_was_lost_counts() -> None:
    """By its raw mail: the orders are on file, and Florence reads both paragraphs."""
    house, start = begun()
    assert start.reply is not None
    tag = tag_of(code_of(SECRET, start.reply))
    raw = (ATTACKS / "reply_press_empty_line.eml").read_bytes()
    raw = raw.replace(b"v@p.example", MARCO.encode())
    raw = raw.replace(b"r.CODEOFTHESEAT", tag.encode()).replace(b"F rag H", b"A pad H")
    house.store.receive(raw, MARCO, house.now, recipient=f"judge+{tag}@mach.example")
    work(house)

    letters = {each.to: each.body for each in house.mails_out()}
    assert house.on_file("V") == ["F dal - uas", "A pad h", "G ven h"]
    assert "Dear Florence,\n\n  shall we ally?" in letters[ANNA]


def test_a_stranger_with_a_text_gets_an_answer_at_once() -> None:
    """And no mail waits for another try."""
    house, _ = begun()

    letters = deliver(house, (ATTACKS / "stranger_freeze.eml").read_bytes(), "eve@evil.example")

    assert [each.to for each in letters] == ["eve@evil.example"]
    assert house.store.tables.inbox[-1].outcome is MailOutcome.ANSWERED


@given(st.lists(st.sampled_from(COMMAND_LINES), max_size=6), st.sampled_from(COMMANDS))
def test_no_line_of_a_text_is_carried_out(text: list[str], command: str) -> None:
    """Whatever stands in it: only the order outside is on file, and the seat stays the same."""
    house, start = begun()
    games = set(house.store.tables.games)

    reply(house, start, "A pad H", command, *text, "ENDPRESS")

    assert house.store.tables.inbox[-1].outcome is MailOutcome.ANSWERED
    assert all(order.startswith("A pad") for order in house.on_file("V"))
    assert house.view().order_sets.keys() == {PowerId("V")}
    assert set(house.store.tables.games) == games


def test_a_mail_with_a_password_keeps_its_orders_as_well() -> None:
    """Which proof a mail has makes no difference."""
    house, _ = begun()

    write(house, MARCO, "SIGNON Vborgia pwV", "A pad H", "DIARY RECORD", "one", "", "two")

    assert house.on_file("V") == ["A pad h"]
