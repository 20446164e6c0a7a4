"""``info player``: how somebody keeps the deadlines of their games."""

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.reply import Text
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.attendance import percent_on_time, record_of
from machjudge.service.model.records import PersonId
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session


def info_player(session: Session, line: Line, said: PlainCommand) -> None:
    """Numbers about somebody who is named by their address, or by a name from a game's listing.

    The answer calls them as the question does: whose name belongs to an address is not told.
    """
    found = person_or_refuse(session, line, said.text)
    if found is not None:
        title = Sentence("info.title.player", who=said.text)
        session.answer.texts.append(Text(title, (_record(session, found),)))


INFO_PLAYER = CommandEntry(
    "info player",
    ASKING,
    ANYBODY,
    Act.READ,
    info_player,
)


def person_or_refuse(session: Session, line: Line, who: str) -> PersonId | None:
    """Who has that address or, at a game, that name; refuses where it is not one person."""
    found = _people_called(session, who)
    if len(found) == 1:
        return found[0]
    session.refuse(
        line, Sentence("info.player.several" if found else "info.player.nobody", who=who)
    )
    return None


def _people_called(session: Session, who: str) -> list[PersonId]:
    by_address = session.uow.persons.by_address(who)
    if by_address is not None:
        return [by_address.id]
    called = session.uow.persons.by_name(who.replace("_", " "))
    return sorted(session.uow.games.seated([person.id for person in called]))


def _record(session: Session, person: PersonId) -> Sentence:
    record = record_of(session.uow.games.attended_by(person), person)
    on_time = sum(each.on_time for each in record)
    return Sentence(
        "info.player.record",
        percent=percent_on_time(record),
        on_time=on_time,
        phases=on_time + sum(each.late for each in record),
        games=len(record),
        left=sum(each.left for each in record),
    )
