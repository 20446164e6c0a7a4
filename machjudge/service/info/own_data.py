"""``send my data``: all that the judge has of somebody, as a file, to their address on file."""

import json
from dataclasses import replace
from datetime import datetime

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.head import Head
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act, Verdict, verdict
from machjudge.service.game.view import reader_of
from machjudge.service.model.records import Person
from machjudge.service.ports.mails import Attachment, Outgoing
from machjudge.service.ports.message_parts import paged
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session

_FILE = "my-data.json"


def send_my_data(session: Session, line: Line, _: PlainCommand) -> None:
    """Send the writer what is known of them; a password proves a seat, not a person."""
    person = session.person
    if person is None or not person.is_confirmed or not _may(session):
        session.refuse(line, Sentence("info.own_data.no_proof"))
        return
    session.send(_letter(session, person))
    session.done(Sentence("info.own_data.sent", address=person.addresses[0]))


SEND_MY_DATA = CommandEntry(
    "send my data",
    ASKING,
    ANYBODY,
    Act.GAMES,
    send_my_data,
)


def _may(session: Session) -> bool:
    return verdict(Act.GAMES, session.proof) is Verdict.YES


def _letter(session: Session, person: Person) -> Outgoing:
    facts = {
        "head": Head(session.services.judge.code),
        "subject": Sentence("info.own_data.subject"),
        "lines": (Sentence("info.own_data.letter", file=_FILE),),
        "reader": reader_of(session.services, person, session.now),
    }
    page = session.services.paper.page("token", facts)
    file = Attachment(_FILE, "application/json", _content(session, person))
    return replace(paged(person.addresses[0], page), attachments=(file,))


def _content(session: Session, person: Person) -> bytes:
    known = {
        "person": {
            "name": person.name,
            "addresses": person.addresses,
            "time zone": person.zone,
            "registered": person.registered,
        },
        **session.uow.traces.of(person),
    }
    text = json.dumps(known, ensure_ascii=False, indent=1, default=_written)
    return text.encode("utf-8", "replace")


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
