"""Files for calendars: they go with the messages that set a deadline, move it or end the game.

Each game is one entry in the calendar of everybody who plays or keeps it.  The entry moves from
deadline to deadline, and goes with the game or with their seat.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.model.moments import read_moment
from machjudge.letters.page.event import Event, event_file
from machjudge.letters.page.head import phase_name
from machjudge.letters.wording.times import when
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.game.view import zone_of
from machjudge.service.model.records import Calendar, Game, Person, PersonId, Role
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import Attachment, Outgoing
from machjudge.service.ports.services import Services

_FILE = "deadline.ics"


@dataclass(frozen=True, slots=True)
class _Due:
    """What stands in somebody's calendar about a game."""

    at: datetime
    stands: bool
    position: int | None
    """The phase before: a further one is another deadline, even at the same instant.

    Chits that pass from hand to hand in a phase are none: nobody else learns of them.
    """


def enter_deadlines(services: Services, uow: UnitOfWork, changes: Changes, now: datetime) -> None:
    """Add the file to the first letter for each address whose entry is another one afterwards."""
    read, game = changes.read, changes.game
    if game is None:
        return
    before = dict(_entries(read)) if read is not None else {}
    goes_on = changes.phases and all(each.is_secret for each, _ in changes.phases)
    after = dict(_entries(replace(game, position=read.position) if read and goes_on else game))
    moved = {who for who in before.keys() | after.keys() if before.get(who) != after.get(who)}
    number = _number(read)
    # An address of somebody is nobody else's affair: their entry stays the same.
    is_told = {who: due for (_, who), due in before.items()} != {
        who: due for (_, who), due in after.items()
    }
    number += is_told
    was_known = read is not None and read.clock is not None and read.clock.entered is not None
    if game.clock is not None and (is_told or was_known) and game.clock.entered != number:
        changes.game = game = replace(game, clock=replace(game.clock, entered=number))
    if not moved:
        return
    staying = {person for _, person in after}
    people = uow.persons.of({person for _, person in moved})
    for address, who in sorted(moved):
        person = changes.persons.get(who) or people.get(who)
        if person is None or person.calendar is Calendar.OFF:
            continue
        first = _first_to(changes.letters, game, address)
        old, new = before.get((address, who)), after.get((address, who))
        entry = new or old
        # Whoever has another address has the same calendar.
        has_moved = new is None and who in staying
        if first is None or entry is None or has_moved:
            continue
        one = changes.letters[first]
        event = _event(services, game, one, person, entry, now)
        # A cancellation comes after the entry, and before any further one (RFC 5546, 2.1.4).
        sequence = 2 * number + (new is None)
        file = _file(replace(event, sequence=sequence, is_cancelled=new is None))
        changes.letters[first] = replace(one, attachments=(*one.attachments, file))


def _number(read: Game | None) -> int:
    """How often calendars were told of a change of the game before; more, if nobody knows."""
    if read is None or (read.clock is None and read.position is None):
        return 0
    known = read.clock.entered if read.clock is not None else None
    return read.version if known is None else known


def _entry(game: Game) -> _Due | None:
    """The entry of everybody at the game; None where nothing is due."""
    clock = game.clock
    if clock is None:
        return None
    stands = clock.paused is not None or clock.ends is not None
    return _Due(clock.deadline, stands, game.position)


def _entries(game: Game) -> Iterator[tuple[tuple[str, PersonId], _Due]]:
    """The entries of a game by the address and the person to whom they go."""
    entry = _entry(game)
    if entry is None:
        return
    for seat in game.seats:
        if seat.person is not None and seat.role is not Role.OBSERVER:
            yield (seat.address, seat.person), entry


def _first_to(letters: list[Outgoing], game: Game, address: str) -> int | None:
    own = (n for n, one in enumerate(letters) if one.to == address and one.game == game.id)
    return next(own, None)


def _event(
    services: Services,
    game: Game,
    one: Outgoing,
    person: Person,
    entry: _Due,
    now: datetime,
) -> Event:
    """The entry as the calendar of *person* shows it; its number is still to be set."""
    say = services.paper.say
    moment = read_moment(one.phase)
    phase = phase_name(Words(services.world(game)), moment) if moment is not None else ""
    told = when(entry.at, zone_of(services, person))
    judge = services.judge.address
    return Event(
        uid=f"{_uid(game, person)}@{judge.rpartition('@')[2]}",
        sequence=0,
        at=entry.at,
        made=now,
        summary=say(
            Sentence("clock.calendar.summary", game=game.name, phase=phase, stands=entry.stands)
        ),
        description=say(
            Sentence("clock.calendar.description", game=game.name, at=told, judge=judge)
        ),
        judge=judge,
        reader=one.to,
        invites=person.calendar is Calendar.INVITE,
        stands=entry.stands,
    )


def _uid(game: Game, person: Person) -> str:
    """What names the entry of somebody, and tells nobody else who it is."""
    named = f"{game.id} {game.created.isoformat()} {person.id}"
    return hashlib.sha256(named.encode()).hexdigest()[:32]


def _file(event: Event) -> Attachment:
    media_type = "; ".join(("text/calendar", "charset=utf-8", f"method={event.method}"))
    return Attachment(_FILE, media_type, event_file(event))
