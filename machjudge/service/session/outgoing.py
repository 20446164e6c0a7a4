"""From a page to letters in the outbox: who reads, under which head, at which address."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.model.moments import read_moment
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.page.head import Head, Reader, phase_name
from machjudge.letters.page.page import Page
from machjudge.letters.receipt.todo import alert, asked, buttons, said_for
from machjudge.letters.results.astray import astray
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.view import GameView, SeenGame, reader_of, seat_of
from machjudge.service.model.records import Clock, Game, Person, PersonId, Role, Seat, Status
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.message_parts import Part, Standing, paged
from machjudge.service.ports.services import Services
from machjudge.service.session.session import Session


@dataclass(frozen=True, slots=True)
class Addressee:
    """One address that gets a letter of a game, with all its seats."""

    address: str
    reader: Reader
    seats: tuple[Seat, ...]
    sight: Sight
    """What may be shown to this address."""

    @property
    def powers(self) -> tuple[PowerId, ...]:
        """The powers that are led from this address."""
        return tuple(power for seat in self.seats for power in seat.powers)


def sight_of(game: Game, seats: Iterable[Seat]) -> Sight:
    """What whoever sits at these seats may see.

    That they play at another seat takes something away; what they did and got there adds nothing
    where these are observers' seats.
    """
    own = list(seats)
    people = {seat.person for seat in own if seat.person is not None}
    addresses = {seat.address for seat in own}
    all_seats = [s for s in game.seats if s.person in people or s.address in addresses]
    roles = {seat.role for seat in all_seats if seat.person is not None}
    watch = all(seat.role is Role.OBSERVER for seat in own)
    return Sight(
        frozenset(power for seat in own for power in seat.powers),
        is_master=Role.MASTER in {seat.role for seat in own},
        plays=Role.PLAYER in roles,
        hidden_money=game.conduct.hidden_money,
        hidden_kinds=not game.conduct.special_public,
        foggy=game.conduct.foggy,
        anonymous=game.conduct.anonymous,
        is_over=game.status is Status.FINISHED,
        reveals=game.conduct.reveal,
        people=frozenset(people),
        watches_from=frozenset(seat.number for seat in own if watch),
        has_copies=game.conduct.press.watched,
        opens_press=game.conduct.press.opened,
        in_letters=any(seat.wishes.in_letters for seat in own),
    )


def as_led(situation: GameView, power: PowerId) -> SeenGame:
    """The game as whoever leads a power sees it: so its orders are read and judged."""
    seat = seat_of(situation.game, power)
    if seat is None:
        return situation.seen_by(sight_of(situation.game, []))
    person = situation.people.get(seat.person) if seat.person is not None else None
    language = person.language if person is not None else ""
    return situation.seen_by(sight_of(situation.game, [seat]), language)


def addressees(
    services: Services, game: Game, people: Mapping[PersonId, Person], now: datetime
) -> Iterator[Addressee]:
    """Everybody at the game, each address once, by the number of the first seat."""
    taken = [seat for seat in game.seats if seat.person is not None]
    for address in dict.fromkeys(seat.address for seat in taken):
        seats = tuple(seat for seat in taken if seat.address == address)
        person = next((people[p] for s in seats if (p := s.person) and p in people), None)
        reader = reader_of(services, person, now, name=address)
        yield Addressee(address, reader, seats, sight_of(game, seats))


def turned_out(
    services: Services, game: Game, clock: Clock, people: Mapping[PersonId, Person], now: datetime
) -> Iterator[Addressee]:
    """Those whose seats were opened in a phase with that clock, as long as they may come back."""
    reached = {seat.address for seat in game.seats if seat.person is not None}
    for number, who in clock.turned_out:
        seat = next(each for each in game.seats if each.number == number)
        if seat.former == who and seat.address not in reached:
            person = people.get(who)
            reader = reader_of(services, person, now, name=seat.address)
            yield Addressee(seat.address, reader, (seat,), sight_of(game, [seat]))


def head_of(services: Services, game: Game, phase: str = "") -> Head:
    """The head of a game's letters; *phase* is the code of the phase that is being played."""
    scenario, clock = services.scenario(game), game.clock
    paused = clock is not None and clock.paused is not None
    moment = read_moment(phase)
    return Head(
        judge=services.judge.code,
        game=game.name,
        variant=f"{scenario.title} ({scenario.id})",
        phase=phase,
        deadline=clock.deadline if clock is not None and not paused else None,
        state="paused" if paused else game.status.value,
        ends=clock.ends if clock is not None else None,
        won=clock is not None and clock.won,
        next=phase_name(Words(services.world(game)), moment) if moment is not None else "",
    )


def head_now(services: Services, situation: GameView) -> Head:
    """The head of a running game's letters."""
    return head_of(services, situation.game, situation.state.moment.code)


def public_name(game: Game, person: Person) -> Wording:
    """Whom others read of when somebody does something at their power's seat."""
    return Sentence("session.somebody") if game.conduct.anonymous else person.name


def letter(game: Game, address: str, page: Page, *, may_wait: bool = False) -> Outgoing:
    """A page as a letter that answers no mail; *may_wait*: it is news, which a digest may bring."""
    return replace(paged(address, page, game.id), may_wait=may_wait)


def for_reader(situation: GameView, to: Addressee) -> Mapping[str, object]:
    """What stands in a letter for one reader alone."""
    goes_on = situation.game.clock is not None and not situation.game.clock.won
    own = to.powers if goes_on else ()
    view = to.sight.view(situation.world, situation.state)
    words = to.sight.words(situation.world, view)
    asks = [asked(words, view, power) for power in own]
    alerts: list[Wording] = [line for power in to.powers for line in alert(words, view, power)]
    if all(seat.person is None for seat in to.seats):
        alerts.insert(0, Sentence("session.seat_is_open"))
    return {
        "reader": to.reader,
        "due": tuple(line for each in asks for line in each.due),
        "form": tuple(
            line
            for power, each in zip(own, asks, strict=True)
            for line in said_for(words, power, own, each.form)
        ),
        # One answer opens one seat.
        "sendable": asks[0].sendable if len(asks) == 1 else (),
        "by_place": asks[0].by_place if len(asks) == 1 else (),
        "buttons": buttons(words, view) if len(asks) == 1 and asks[0].form else (),
        "alerts": tuple(alerts),
        "astray": tuple(
            line for power in to.powers for line in astray(words, power, situation.phase.events)
        ),
        "is_master": to.sight.is_master,
    }


def announce(
    session: Session,
    game: Game,
    subject: Wording,
    lines: Sequence[Wording],
    only: Collection[str] | None = None,
    standing: Standing | None = None,
) -> None:
    """Tell everybody at the game, or some addresses, except the speaker, who gets the answer."""
    own = session.seat.address if session.seat is not None else ""
    situation = session.situation()
    head = head_of(
        session.services, game, situation.state.moment.code if situation is not None else ""
    )
    for to in addressees(session.services, game, session.people(game), session.now):
        if to.address != own and (only is None or to.address in only):
            session.send(
                Part(game.id, to.address, to.reader, head, subject, tuple(lines), standing)
            )


def masters_only(game: Game) -> frozenset[str] | None:
    """Who is told of comings and goings: everybody, in a quiet game the masters alone."""
    return masters_of(game) if game.conduct.quiet else None


def masters_of(game: Game) -> frozenset[str]:
    """The addresses of the master and their co-masters."""
    return frozenset(seat.address for seat in game.seats if seat.role is Role.MASTER)


def announce_setting(
    session: Session, game: Game, lines: Sequence[Wording], standing: Standing | None = None
) -> None:
    """Tell everybody what has been set; of several masters also which of them has set it."""
    person = session.person
    if game.conduct.show and len(masters_of(game)) > 1 and person is not None:
        lines = [*lines, Sentence("session.set_by", name=person.name)]
    announce(session, game, Sentence("session.parameter_change"), lines, standing=standing)
