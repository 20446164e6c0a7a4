"""A message of the press room, and what each of its readers gets of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.letters.page.press import UNTOLD, Aim, Signature, subject, title
from machjudge.letters.wording.sight import Missive
from machjudge.letters.wording.words import Words
from machjudge.sentence import Name, Sentence, Wording
from machjudge.service.credentials.reply_tokens import PressToken
from machjudge.service.game.registry import MASTER, OBSERVER
from machjudge.service.model.records import Author, Game, PressItem, Readership, Role, Seat, Status
from machjudge.service.ports.message_parts import Part
from machjudge.service.press.replying import reply_to
from machjudge.service.session.audience import Meant
from machjudge.service.session.outgoing import Addressee, head_of, sight_of
from machjudge.service.session.session import Session


@dataclass(frozen=True, slots=True)
class Message:
    """A message that may be sent."""

    sender: Seat
    readers: tuple[Seat, ...]
    """Empty for everybody."""
    text: str
    to: Meant
    told: Meant | None
    """To whom it says that it goes; None if it does not say."""
    anonymous: bool = False

    @property
    def aim(self) -> Aim:
        """To whom it goes."""
        return self.to.aim

    @property
    def shown(self) -> Aim:
        """To whom it says that it goes; the same as *aim* where it says the truth."""
        return self.told.aim if self.told is not None else UNTOLD

    @property
    def says_to(self) -> Readership | None:
        """The same as it is kept; None where it says the truth."""
        if self.shown == self.aim:
            return None
        return self.told.readers if self.told is not None else Readership()

    @property
    def is_faked(self) -> bool:
        """Whether it says that it goes to others than it does."""
        return self.told is not None and self.told.aim != self.aim

    @property
    def has_secrets(self) -> bool:
        """Whether its readers are not told everything about it."""
        return self.anonymous or self.shown != self.aim


def missive_of(item: PressItem) -> Missive:
    """What decides who may read a message that is kept."""
    return Missive(
        author=item.people[0] if item.people else "",
        sender=item.sender,
        people=frozenset(item.people) - {""},
        seats=frozenset(item.readers),
        to_all=not item.readers,
        anonymous=item.anonymous,
    )


def is_meant(message: Message, to: Addressee) -> bool:
    """Whether a message is for somebody at an address."""
    readers = {seat.number for seat in message.readers}
    return not readers or bool(readers & {seat.number for seat in to.seats})


def part_for(
    session: Session, game: Game, message: Message, missive: Missive, to: Addressee
) -> Part:
    """The message as the reader at one address may know it.

    Anonymous press goes alone: what else the mail brings would tell who wrote it.
    """
    situation = session.situation()
    signature = signature_of(session, game, message.sender)
    signed = signature if to.sight.sees_signature(missive) else None
    aim = message.aim if to.sight.sees_author(missive) else message.shown
    lines = session.services.paper.of(to.reader.language).lines(
        "press", _facts(session, game, message, missive, to)
    )
    return Part(
        game=game.id,
        to=to.address,
        reader=to.reader,
        head=head_of(session.services, game, situation.state.moment.code if situation else ""),
        subject=subject(signed, aim, anonymous=message.anonymous),
        lines=lines,
        is_press=True,
        reply=_token(session, game, message, to, knows_writer=signed is not None),
        is_alone=message.anonymous,
    )


def _facts(
    session: Session, game: Game, message: Message, missive: Missive, to: Addressee
) -> Mapping[str, object]:
    """What stands in the message to one address, as its reader may know it."""
    signature = signature_of(session, game, message.sender)
    signed = signature.name if to.sight.sees_signature(missive) else ""
    knows = to.sight.sees_author(missive)
    aim = message.aim if knows else message.shown
    public = "" if message.anonymous else signature.name
    reader = _seat_of(message, to)
    told = title(public, message.shown, anonymous=message.anonymous)
    writer = message.sender if signed else None
    return {
        "title": title(signed, aim, anonymous=message.anonymous),
        "reads_along": not is_meant(message, to),
        "told": told if knows and message.has_secrets else "",
        "text": message.text,
        "unsigned": None if signed else Sentence("press.who_knows", **insight(game)),
        "writer": signed,
        "reply": reply_to(game, reader, writer, message.to if knows else message.told),
    }


def _token(
    session: Session, game: Game, message: Message, to: Addressee, *, knows_writer: bool
) -> PressToken:
    """What an answer of the reader at one address speaks for: words to the writer."""
    seat, serial = _seat_of(message, to), "" if knows_writer else session.services.chance.token()
    return PressToken(
        game.id,
        seat.number,
        seat.generation,
        writer=message.sender.number,
        is_unnamed=not knows_writer,
        hides=message.to.is_unnamed,
        serial=serial,
    )


def _seat_of(message: Message, to: Addressee) -> Seat:
    """From which of the reader's seats an answer goes: the first that got the message."""
    readers = {seat.number for seat in message.readers}
    return next((seat for seat in to.seats if seat.number in readers), to.seats[0])


def insight(game: Game) -> dict[str, bool]:
    """Who sees through press that hides something, besides the judge."""
    masters = (seat for seat in game.seats if seat.role is Role.MASTER and seat.person)
    return {
        "master_sees": any(sight_of(game, [seat]).sees_all for seat in masters),
        "in_the_end": game.conduct.press.opened,
        "is_open": game.conduct.press.opened and game.status is Status.FINISHED,
    }


def author_of(session: Session, game: Game, seat: Seat) -> Author:
    """As whom a seat writes, as it is kept: no name beside a power or an office."""
    is_named = not seat.powers and seat.role is not Role.MASTER
    person = session.people(game).get(seat.person) if is_named and seat.person else None
    return Author(seat.role, seat.powers, person.name if person is not None else "")


def signed_by(words: Words, author: Author) -> Wording:
    """An author in words."""
    if author.role is None:
        return Name(author.name, words.world.scenario.board.names)
    powers = tuple(map(words.power, author.powers))
    return Sentence("press.signature", powers=powers, role=author.role.value, name=author.name)


def signature_of(session: Session, game: Game, seat: Seat) -> Signature:
    """As whom a seat writes: its powers, the master, or the name of a person and what they are.

    Nobody who calls themselves Venice can pass for Venice.
    """
    name = signed_by(Words(session.services.world(game)), author_of(session, game, seat))
    others = {Role.MASTER: MASTER, Role.OBSERVER: OBSERVER, Role.PLAYER: name}
    return Signature(name, "".join(seat.powers) or others[seat.role])
