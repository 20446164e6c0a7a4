"""Whole mails to the desk: replies by code, with a password, in somebody's name, and strangers'.

Each is handled from the first byte to the last message, in a game that begins anew each time.
"""

from collections.abc import Iterator
from functools import cache
from random import Random

from machjudge.adjudicator.names import PowerId
from machjudge.judge.command_table import TABLE
from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mail_context import read_mail
from machjudge.judge.ports import claim_of
from machjudge.judge.worker import handle
from tests.fuzz.damage import damaged
from tests.fuzz.trying import Target
from tests.judge.fakes import SECRET, FakeStore, Tables
from tests.judge.house import House, message_renderer

ANNA = "anna@player.example"
_POWER = PowerId("L")
_REPLY, _PASSWORD, _FORGED, _STRANGER = b"R", b"P", b"F", b"S"
_KINDS = (_REPLY, _REPLY, _PASSWORD, _FORGED, _STRANGER)
_TEXTS = (
    "PRESS TO V", "PRESS TO A, V", "BROADCAST", "DIARY RECORD", "POSTAL PRESS RECORD", "press V",
    "PRESS TO M FAKE BROADCAST", "WHITE PRESS TO V", "SET COMMENT BEGIN", "press to nobody",
)  # fmt: skip
"""Commands behind which a text stands."""
_SAID = (
    "", "", " ", "\t", "\u00a0", "\u200b", "hello", "Hello!", "Dear Florence,", "shall we ally?",
    "A flo - bol", "A pis H", "SIGNON Lborgia pwL", "JOIN borgia pw", "CREATE ?next 1454 pw",
    "SIGNOFF", "DRY", "yes", "ok", "Anna", "-- ", "> quoted", "On Monday, judge wrote:",
    "OBSERVE borgia pw", "SET LANGUAGE italiano", "end", "*", "...", "~~~~", "[1]", "1. A flo H",
)  # fmt: skip
_ENDS = ("ENDPRESS", "ENDPRESS", "endpress", "SIGNOFF", "", "ENDPRES")
_OWN = (
    "A flo H", "A flo - bol", "F pis - wts", "A flo S A pis", "flo H", "hold all", "B flo A",
    "borrow 5", "give 3 to V", "SIGNOFF", "DRY", "CLEAR", "WAIT", "GO", "For Florence:", "BECOME V",
    "if A flo - bol", "else", "endif", "PHASE F1454B", "NAME: Anna", "REGISTER", "password: abc",
    "GET MAP", "LIST", "WHO", "HISTORY", "SUMMARY", "hello", "Hello Lborgia pwL", "Thanks!", "Anna",
    "I hope that you are well.", "What is this?", "> A flo H", "end", "yes", "no",
)  # fmt: skip


@cache
def _usages() -> tuple[str, ...]:
    return tuple(message_renderer().say(entry.usage) for entry in TABLE)


def make(chance: Random) -> bytes:
    """A kind of writer, then what they write: orders, commands and texts, with damage at times."""
    lines: list[str] = []
    for _ in range(chance.randint(1, 5)):
        match chance.random():
            case luck if luck < 0.4:
                said = [chance.choice(_SAID) for _ in range(chance.randint(0, 5))]
                lines += [chance.choice(_TEXTS), *said, chance.choice(_ENDS)]
            case luck if luck < 0.6:
                lines.append(chance.choice(_usages()))
            case _:
                lines += [chance.choice(_OWN) for _ in range(chance.randint(1, 3))]
    text = "\n".join(lines).encode()
    return chance.choice(_KINDS) + (damaged(text, chance) if chance.random() < 0.3 else text)


@cache
def _begun() -> tuple[House, Tables, str]:
    """A game that has begun, all that is kept of it, and where a reply of Florence goes."""
    house = House(store=FakeStore())
    house.start(options=["nomoney"], keep_mails=True)
    (start,) = (each for each in house.mails_out() if each.to == ANNA)
    assert start.reply is not None
    return house, house.store.tables, f"judge+{tag_of(code_of(SECRET, start.reply))}@mach.example"


def flaws(raw: bytes) -> Iterator[str]:
    """The mail is handled to its end, a person is answered, and no text of press is an order."""
    house, begun, reply_to = _begun()
    house.store.tables = begun.copied()
    kind, text = raw[:1], raw[1:]
    sender = "eve@elsewhere.example" if kind == _STRANGER else ANNA
    signon = b"SIGNON Lborgia pwL\n" if kind == _PASSWORD else b""
    head = f"From: {sender}\nTo: judge@mach.example\nMessage-ID: <1@player.example>\n\n".encode()
    to = reply_to if kind == _REPLY else "judge@mach.example"
    house.store.receive(head + signon + text, sender, house.now, recipient=to)
    with house.store.writing() as uow:
        kept = uow.inbox.claim(house.now)
        uow.commit()
    assert kept is not None
    taken = handle(house.services, kept, house.now)
    if not taken.is_finished:
        yield "the mail is not finished"
    mail = read_mail(kept.raw, own=("judge@mach.example",))
    is_person = claim_of(mail) is not None and mail.why_ignored is None
    if is_person and not any(each.to == sender for each in house.store.tables.outbox):
        yield "its writer gets no answer"
    said = {line.text for line in mail.instructions}
    press = {line.text for line in mail.lines} - said
    order_set = house.view().order_sets.get(_POWER)
    filed = {line.written for line in order_set.lines} if order_set is not None else set()
    yield from (f"press is on file as an order: {each!r}" for each in filed & press)


CONVERSATIONS = Target("conversations", 10, make, lambda raw: [*flaws(raw)])
"""The desk."""
