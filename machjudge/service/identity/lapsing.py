"""Seats that wait for an answer: a reminder after a day, and the end when nobody has answered."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.language.commands.commands import Setting
from machjudge.letters.page.head import Head
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game import registry
from machjudge.service.game.view import zone_of
from machjudge.service.identity.provisional import (
    LASTS,
    is_over,
    lasts,
    token_of_claim,
    what_is_set,
)
from machjudge.service.model.records import Game, GameId, Person, PersonId, Seat
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import Stale
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session

_REMINDED_AFTER = timedelta(days=1)
_MOST_HOURS = 30 * 24
_HOURS = {"hour": 1, "hours": 1, "h": 1, "day": 24, "days": 24, "d": 24}


def look_after_claims(services: Services, now: datetime) -> None:
    """Remind everybody once whose answer is missing, and drop what nobody has confirmed."""
    with services.store.reading() as uow:
        people = {person.id: person for person in uow.persons.unconfirmed(now)}
        names = uow.games.claimed() if people else ()
        games = [game for name in names if (game := uow.games.get(name)) is not None]
    for game in games:
        # Whoever was faster has answered, or the next tick looks again.
        with suppress(Stale):
            _look_at(services, game.id, now)
    seated = {claim.person for game in games for claim in game.claims}
    old = [p.id for p in people.values() if p.id not in seated and p.registered + LASTS <= now]
    _forget(services, old)


def _forget(services: Services, people: Sequence[PersonId]) -> None:
    """Drop registrations that nobody has confirmed."""
    for person in people:
        # Whoever was faster has confirmed it, or forgotten it as well.
        with suppress(Stale), services.store.writing() as uow:
            known = uow.persons.get(person)
            if known is not None and not known.is_confirmed:
                uow.persons.remove(person)
                uow.commit()


def _look_at(services: Services, name: GameId, now: datetime) -> None:
    with services.store.writing() as uow:
        uow.games.lock(name)
        game = uow.games.get(name)
        if game is None or uow.inbox.any_before(now, name):
            return
        found = (uow.persons.get(claim.person) for claim in game.claims if claim.person)
        people = {person.id: person for person in found if person is not None}
        known = {c.address for c in game.claims if uow.persons.by_address(c.address) is not None}
        _changes(services, game, people, known, now).write(uow)
        uow.commit()


def _changes(
    services: Services,
    game: Game,
    people: dict[PersonId, Person],
    known: Collection[str],
    now: datetime,
) -> Changes:
    """What is to be done; *known* are the addresses that belong to somebody here."""
    over = [claim for claim in game.claims if is_over(game, claim, now)]
    late = [
        (claim, people[claim.person])
        for claim in game.claims
        if claim.person in people and claim not in over and _is_late(game, claim, now)
    ]
    rest = registry.without_claims(game, {claim.number for claim in over})
    for claim, _ in late:
        rest = registry.with_claim(rest, _reminded(claim))
    return Changes(
        read=game,
        game=rest,
        is_removed=not (rest.seats or rest.claims),
        forgotten={claim.person for claim in over if claim.person in people},
        letters=[
            _reminder(services, game, claim, person, now, is_known=claim.address in known)
            for claim, person in late
        ],
    )


def _is_late(game: Game, claim: Seat, now: datetime) -> bool:
    """Whether to remind them: after a day, or half of the time where that is earlier."""
    claimed, after = claim.claimed, min(_REMINDED_AFTER, lasts(game) / 2)
    return claimed is not None and not claimed.reminded and now >= claimed.since + after


def _reminded(claim: Seat) -> Seat:
    told = replace(claim.claimed, reminded=True) if claim.claimed is not None else None
    return replace(claim, claimed=told)


def _reminder(
    services: Services,
    game: Game,
    claim: Seat,
    person: Person,
    now: datetime,
    *,
    is_known: bool,
) -> Outgoing:
    since = claim.claimed.since if claim.claimed is not None else now
    until, zone = since + lasts(game), zone_of(services, person)
    asks = Sentence("identity.seat.reminder", game=game.name, until=until, zone=zone)
    subject = Sentence("identity.please_confirm")
    lines = (asks, *what_is_set(services, game, person, claim, is_known=is_known))
    facts = {"head": Head(services.judge.code), "subject": subject, "lines": lines}
    page = services.paper.page("token", facts)
    code = token_of_claim(game, person, claim)
    return Outgoing(claim.address, page.subject, page.body, game=game.id, reply=code)


# --- for the master ---------------------------------------------------------------------------


def unconfirmed_lines(game: Game) -> list[Sentence]:
    """How many seats wait for an answer, for a master; empty where none does."""
    waiting = len(game.claims)
    return [Sentence("identity.seat.unconfirmed", n=waiting)] if waiting else []


def set_confirm(session: Session, line: Line, said: Setting) -> None:
    """Say how long a seat waits for somebody to confirm their address."""
    hours = _hours(said.value)
    if session.game is None:
        return
    if hours is None or not said.on:
        session.refuse(line, Sentence("identity.seat.days"), instead="SET CONFIRM 3 DAYS")
        return
    changed = replace(session.game, conduct=replace(session.game.conduct, confirm_hours=hours))
    session.set_game(changed)
    told = Sentence("identity.seat.confirm_within", hours=hours)
    session.note("confirm", told)
    session.done(told)
    announce_setting(session, changed, [told])


SET_CONFIRM = CommandEntry(
    "set confirm",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_confirm,
    setting="confirm",
)


def _hours(words: Sequence[str]) -> int | None:
    """The hours that ``3 days`` or ``36 hours`` are; a number alone counts days."""
    number, *unit = words or ("",)
    each = _HOURS.get(" ".join(unit).lower() if unit else "days")
    if each is None or not number.isdecimal() or len(number) > len(str(_MOST_HOURS)):
        return None
    hours = int(number) * each
    return hours if 1 <= hours <= _MOST_HOURS else None
