"""The digest: one message a day with all that has waited, and with what is due in one's games.

When it is due follows each time from its oldest message and from what the reader wants by then:
no clock that leaps, and no zone that changes, lets a message wait for ever.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from machjudge.letters.layout.lines import inside, without
from machjudge.letters.page.head import Head, phase_name
from machjudge.letters.receipt.order_lines import PowerNeeds
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.clock.notices import power_needs
from machjudge.service.game.view import GameView, load, reader_of, zone_of
from machjudge.service.model.digest_hours import digest_at
from machjudge.service.model.records import Game, Notify, Person, Role, Status
from machjudge.service.ports.generations import with_token
from machjudge.service.ports.interfaces import Stale, UnitOfWork
from machjudge.service.ports.mailbox import HeldLetter, Waiting
from machjudge.service.ports.mails import Attachment, Outgoing
from machjudge.service.ports.message_parts import paged
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import head_now

log = structlog.get_logger(__name__)

_LONGEST = 300_000
"""How many signs the messages of one digest have at most; more become another one."""


@dataclass(frozen=True, slots=True)
class DueGame:
    """What is due in a game of somebody."""

    game: str
    phase: Sentence
    deadline: datetime
    stands: bool
    """Whether its clock stands."""
    asks: bool
    """Whether its reader leads a power there."""
    needs: tuple[PowerNeeds, ...]
    """What is missing of their orders."""


@dataclass(frozen=True, slots=True)
class _Recipient:
    """Who gets a digest, where and when."""

    services: Services
    person: Person
    address: str
    views: Sequence[GameView]
    """Their running games, the next deadline first."""
    now: datetime


def send_digests(services: Services, now: datetime) -> int:
    """Send the digests that are due; how many there were.  One that fails stops no other."""
    with services.store.reading() as uow:
        waiting = uow.outbox.held()
        people = uow.persons.of({each.person for each in waiting})
    sent = 0
    for each in waiting:
        person = people.get(each.person)
        if person is None or not _is_due(services, person, each, now):
            continue
        try:
            with suppress(Stale):  # another process has made it
                sent += _send(services, person, each.address, now)
        # The digest of one reader, whatever fails in it, must not keep the others waiting.
        except Exception:
            log.exception("digest failed", person=person.id)
    return sent


def _is_due(services: Services, person: Person, waiting: Waiting, now: datetime) -> bool:
    if person.notify is Notify.EACH or waiting.since > now:
        return True
    return digest_at(zone_of(services, person), person.digest_hour, waiting.since) <= now


def _send(services: Services, person: Person, address: str, now: datetime) -> int:
    """Write the messages that wait for somebody into their digest.  Raises Stale."""
    with services.store.reading() as uow:
        held = uow.outbox.held_for(person.id, address)
        games = [game for name in uow.traces.games(person) if (game := uow.games.get(name))]
        views = _views(services, uow, games, person, address)
    reader = _Recipient(services, person, address, views, now)
    letters = [_digest(reader, batch) for batch in _batches(held)]
    by_id = {game.id: game for game in games}
    with services.store.writing() as uow:
        uow.outbox.gather([each.id for each in held], now)
        for one in letters:
            uow.outbox.put(with_token(one, by_id.get(one.game) if one.game else None))
        uow.commit()
    return len(letters)


def _views(
    services: Services, uow: UnitOfWork, games: Sequence[Game], person: Person, address: str
) -> Sequence[GameView]:
    """The running games that somebody plays or keeps at an address, the next deadline first."""
    found = []
    for game in games:
        own = [s for s in game.seats if (s.person, s.address) == (person.id, address)]
        if game.status is Status.RUNNING and any(s.role is not Role.OBSERVER for s in own):
            found.append(load(services, uow, game))
    return sorted(found, key=lambda view: view.clock.deadline)


def _batches(held: Sequence[HeldLetter]) -> Iterator[Sequence[HeldLetter]]:
    """The messages in their order, as many together as one digest takes."""
    batch: list[HeldLetter] = []
    size = 0
    for each in held:
        if batch and size + len(each.outgoing.body) > _LONGEST:
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += len(each.outgoing.body)
    if batch:
        yield batch


def _digest(to: _Recipient, held: Sequence[HeldLetter]) -> Outgoing:
    games = tuple(dict.fromkeys(each.outgoing.game for each in held if each.outgoing.game))
    only = games[0] if len(games) == 1 else None
    services, person = to.services, to.person
    view = next((each for each in to.views if each.game.id == only), None)
    facts = {
        "head": head_now(services, view) if view is not None else Head(services.judge.code),
        "reader": reader_of(services, person, to.now),
        "subject": Sentence("clock.digest.subject", n=len(held), games=games),
        "due": [_due(each, person) for each in to.views],
        "messages": [_message(each) for each in held],
        "hour": person.digest_hour,
        "is_last": person.notify is Notify.EACH,
        "is_of_one": only is not None,
    }
    page = services.paper.page("digest", facts)
    return replace(
        paged(to.address, page, only),
        attachments=_files(held, is_one_game=only is not None),
        takes_token=only is not None,
        digest_of=person.id,
    )


def _message(held: HeldLetter) -> tuple[str, datetime, str]:
    """Its subject, when it was written, and its lines, laid out as they would have been."""
    kinds = held.outgoing.layout.partition(" ")[2]
    # A digest has no picture to tap on, and a reply to it goes to nobody.
    said = without("tapping", held.outgoing.body, kinds)
    said = without("replying", said.text, said.kinds)
    return held.outgoing.subject, held.made, inside(said.text, said.kinds)


def _due(view: GameView, person: Person) -> DueGame:
    game, clock = view.game, view.clock
    own = [seat for seat in game.seats if seat.person == person.id]
    powers = [power for seat in own for power in seat.powers]
    moment = view.state.moment
    return DueGame(
        game=game.name,
        phase=phase_name(Words(view.world), moment),
        deadline=clock.deadline,
        stands=clock.paused is not None or clock.ends is not None,
        asks=bool(powers),
        needs=power_needs(view, powers),
    )


def _files(held: Sequence[HeldLetter], *, is_one_game: bool) -> tuple[Attachment, ...]:
    """The files of the messages; of several with one name in a game the newest.

    Pictures inside the messages are left out: they stand in parts that a digest does not have.
    """
    found: dict[tuple[str, str], Attachment] = {}
    for each in held:
        game = each.outgoing.game or ""
        for file in (one for one in each.outgoing.attachments if not one.cid):
            name = file.name if is_one_game else f"{game}-{file.name}"
            found[game, file.name] = replace(file, name=name)
    return tuple(found.values())
