"""Messages between the people of a game: to all, or to some; signed, anonymous or faked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from machjudge.language.commands import Press, Tone
from machjudge.letters.page import clean_body
from machjudge.letters.press import (
    UNTOLD,
    Aim,
    Signature,
    subject,
    title,
    what_is_seen,
    who_knows,
)
from machjudge.letters.reply import Text
from machjudge.letters.sight import Missive
from machjudge.letters.words import Words, counted, listed
from machjudge.reading import BLOT, Line
from machjudge.service.audience import Meant, meant_by
from machjudge.service.blotting import Blotted, blotted
from machjudge.service.parts import Part
from machjudge.service.post import Addressee, addressees, head_of, sight_of
from machjudge.service.pressgate import Wanted, as_meant, why_not
from machjudge.service.records import Game, PersonId, PressItem, Role, Seat
from machjudge.service.registry import MASTER, OBSERVER
from machjudge.service.replying import reply_to
from machjudge.service.talk import Talk

LONGEST = 20_000
"""Signs of a message; what is longer is not sent."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that may be sent."""

    sender: Seat
    readers: tuple[Seat, ...]
    """Empty for everybody."""
    text: str
    to: Meant
    told: Meant | None
    """To whom it says that it goes; none where it does not say."""
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
    def is_faked(self) -> bool:
        """Whether it says that it goes to others than it does."""
        return self.told is not None and self.told.aim != self.aim

    @property
    def has_secrets(self) -> bool:
        """Whether its readers are not told everything about it."""
        return self.anonymous or self.shown != self.aim


# --- from a command to a message --------------------------------------------------------------


def press(talk: Talk, line: Line, said: Press, text: Sequence[str]) -> None:
    """Send a message; whoever may not send it gets it back with the reason."""
    game, seat = talk.game, talk.seat
    if game is None or seat is None:
        return
    clean = blotted(talk, text)
    message = _message(talk, game, seat, said, clean)
    if isinstance(message, str):
        talk.refuse(line, message)
        give_back(talk, clean)
        return
    _send(talk, game, message)
    _receipt(talk, game, message)
    tell_blotted(talk, clean)


def give_back(talk: Talk, text: Blotted) -> None:
    """Return a text that was not sent, so that nothing that was written is lost.

    Only to whoever has signed on: the judge carries nobody's words to an address in From that
    anybody can write there.
    """
    if not any(line.strip() for line in text.lines):
        return
    if talk.seat is None:
        lines = counted(len(text.lines), "line")
        talk.answer.notices.append(
            f"  {lines} of press were not sent; sign on, and send them again."
        )
        return
    body = clean_body("\n".join(text.lines)).strip("\n").split("\n")
    shown = tuple(f"  {line}".rstrip() for line in body)
    talk.answer.texts.append(Text("YOUR TEXT, WHICH WAS NOT SENT", shown))
    tell_blotted(talk, text)


def tell_blotted(talk: Talk, text: Blotted) -> None:
    """Say that a password stood in a text."""
    if text.count:
        where = counted(text.count, "line")
        talk.answer.notices.append(f"  A password in {where} of your text was blotted out: {BLOT}.")


def _message(talk: Talk, game: Game, seat: Seat, said: Press, text: Blotted) -> Message | str:
    """The message that is wanted, or why it cannot be sent."""
    scenario = talk.desk.scenario(game)
    to = meant_by(scenario, said.to)
    shown = meant_by(scenario, said.shown_to) if said.shown_to is not None else None
    if isinstance(to, str):
        return to
    if isinstance(shown, str):
        return shown
    wanted = as_meant(game.conduct.press, Wanted(seat, to, said.tone, shown, said.no_fake))
    reason = why_not(talk, game, wanted) or text_flaw(text)
    readers = () if to.aim.to_all else to.seats(game, seat)
    if reason is None and not readers and not to.aim.to_all:
        reason = "nobody is there to read it"
    return reason or _meant_message(wanted, readers, body_of(text))


def text_flaw(text: Blotted) -> str | None:
    """Why a text cannot be sent, whatever the rules of the game are."""
    body = body_of(text)
    if not body:
        return "the message is empty and was not sent"
    if len(body) > LONGEST:
        return f"the message is longer than {LONGEST} signs and was not sent"
    return None


def body_of(text: Blotted) -> str:
    """A text as its readers get it."""
    return clean_body("\n".join(text.lines)).strip("\n").rstrip()


def _meant_message(wanted: Wanted, readers: tuple[Seat, ...], text: str) -> Message:
    anonymous = wanted.tone is Tone.ANONYMOUS
    told = None if anonymous and not wanted.to.aim.to_all else wanted.to
    return Message(wanted.seat, readers, text, wanted.to, wanted.shown or told, anonymous)


# --- sending ----------------------------------------------------------------------------------


def _send(talk: Talk, game: Game, message: Message) -> None:
    """Put the letters into the outbox, and keep the message."""
    to = [each for each in _addressees(talk, game, message) if _gets(game, message, each)]
    people = [seat.person for each in to for seat in each.seats if seat.person is not None]
    writer = message.sender.person or PersonId("")
    item = PressItem(
        game=game.id,
        at=talk.now,
        after=game.position,
        sender=message.sender.number,
        readers=tuple(seat.number for seat in message.readers),
        text=message.text,
        anonymous=message.anonymous,
        author=signature_of(talk, game, message.sender).name,
        aim=message.aim.words,
        shown=message.shown.words if message.shown != message.aim else None,
        shown_to_all=message.shown.to_all,
        people=tuple(dict.fromkeys([writer, *people])),
    )
    for each in to:
        talk.send(_part(talk, game, message, missive_of(item), each))
    talk.changes.press.append(item)


def missive_of(item: PressItem) -> Missive:
    """What decides who may read a message that is kept."""
    return Missive(
        author=item.people[0] if item.people else "",
        people=frozenset(item.people) - {""},
        to_all=not item.readers,
        anonymous=item.anonymous,
    )


def _addressees(talk: Talk, game: Game, message: Message) -> list[Addressee]:
    """Everybody at the game but the writer.

    The numbers of letters follow their order: that of anonymous press is shuffled, so that the
    numbers of two letters do not tell whether the writer sits between their readers.
    """
    found = addressees(talk.desk, game, talk.people(game), talk.now)
    others = [to for to in found if message.sender.number not in {s.number for s in to.seats}]
    if not message.anonymous:
        return others
    salt = talk.desk.chance.token()
    return sorted(others, key=lambda to: sha256(f"{salt}/{to.address}".encode()).digest())


def _gets(game: Game, message: Message, to: Addressee) -> bool:
    if not message.readers:
        return any(seat.role is Role.PLAYER or seat.wishes.broadcasts for seat in to.seats)
    return _is_meant(message, to) or _reads_along(game, to)


def _is_meant(message: Message, to: Addressee) -> bool:
    readers = {seat.number for seat in message.readers}
    return not readers or bool(readers & {seat.number for seat in to.seats})


def _reads_along(game: Game, to: Addressee) -> bool:
    """Whether an observer or master gets a copy of what is not for him."""
    wishes = any(seat.wishes.all_press for seat in to.seats)
    return wishes and to.sight.reads_along(watched=game.conduct.press.watched)


def _part(talk: Talk, game: Game, message: Message, missive: Missive, to: Addressee) -> Part:
    """The message as the reader at one address may know it.

    Anonymous press goes alone: what else the mail brings would tell who wrote it.
    """
    situation = talk.situation()
    signature = signature_of(talk, game, message.sender)
    signed = signature if to.sight.sees_signature(missive) else None
    aim = message.aim if to.sight.sees_author(missive) else message.shown
    lines = talk.desk.paper.lines("press", _facts(talk, game, message, missive, to))
    return Part(
        game=game.id,
        to=to.address,
        reader=to.reader,
        head=head_of(talk.desk, game, situation.state.moment.code if situation else ""),
        subject=subject(signed, aim, anonymous=message.anonymous),
        lines=lines,
        is_press=True,
        is_alone=message.anonymous,
    )


def _facts(
    talk: Talk, game: Game, message: Message, missive: Missive, to: Addressee
) -> Mapping[str, object]:
    """What stands in the message to one address, as its reader may know it."""
    signature = signature_of(talk, game, message.sender)
    signed = signature.name if to.sight.sees_signature(missive) else ""
    knows = to.sight.sees_author(missive)
    aim = message.aim if knows else message.shown
    asides = [] if _is_meant(message, to) else ["You read along; nobody is told."]
    if knows and message.has_secrets:
        public = "" if message.anonymous else signature.name
        told = title(public, message.shown, anonymous=message.anonymous)
        asides += ["Its readers are told:", f"  {told}"]
    writer = message.sender if signed else None
    return {
        "title": title(signed, aim, anonymous=message.anonymous),
        "asides": asides,
        "text": message.text,
        "unsigned": [] if signed else who_knows(**_insight(game)),
        "writer": signed,
        "reply": reply_to(
            game, _seat_of(message, to), writer, message.to if knows else message.told
        ),
    }


def _seat_of(message: Message, to: Addressee) -> Seat:
    """From which of the reader's seats an answer goes: the first that got the message."""
    readers = {seat.number for seat in message.readers}
    return next((seat for seat in to.seats if seat.number in readers), to.seats[0])


def _insight(game: Game) -> dict[str, bool]:
    """Who sees through press that hides something, besides the judge."""
    masters = (seat for seat in game.seats if seat.role is Role.MASTER and seat.person)
    return {
        "master_sees": any(sight_of(game, [seat]).sees_all for seat in masters),
        "in_the_end": game.conduct.press.opened,
    }


# --- the receipt ------------------------------------------------------------------------------


def _receipt(talk: Talk, game: Game, message: Message) -> None:
    """Tell the writer what went to whom, as which he reads it himself."""
    kind = "anonymous press" if message.anonymous else "press"
    lines = [f"Your {kind} went to {message.aim.words}:"]
    if message.shown not in (message.aim, UNTOLD):
        lines = [f"Your {kind} went to {message.aim.words}.", "It says that it went"]
        lines[-1] += f" to {message.shown.words}:"
    talk.answer.done += [*lines, *(f"  {line}".rstrip() for line in message.text.split("\n"))]
    talk.answer.done += what_is_seen(
        anonymous=message.anonymous, faked=message.is_faked, **_insight(game)
    )
    absent = _absent(talk, game, message)
    if absent:
        talk.answer.done.append(f"Nobody leads {listed(absent, 'or')}, so nobody read it there.")


def _absent(talk: Talk, game: Game, message: Message) -> list[str]:
    """The powers that were named and have no player."""
    empty = {power for seat in game.seats if seat.person is None for power in seat.powers}
    if message.aim.to_all or message.aim.tag.startswith("all but"):
        return []
    words = Words(talk.desk.world(game))
    return [words.power(power) for power in sorted(empty) if power in message.aim.tag]


# --- names ------------------------------------------------------------------------------------


def signature_of(talk: Talk, game: Game, seat: Seat) -> Signature:
    """As whom a seat writes: its powers, the master, or the name of a person and what he is.

    Nobody who has called himself Venice can pass for Venice.
    """
    if seat.powers:
        words = Words(talk.desk.world(game))
        return Signature(listed(map(words.power, seat.powers)), "".join(seat.powers))
    if seat.role is Role.MASTER:
        return Signature("the master", MASTER)
    person = talk.people(game).get(seat.person) if seat.person is not None else None
    name = f"{person.name} ({seat.role.value})" if person is not None else seat.role.value
    return Signature(name, OBSERVER if seat.role is Role.OBSERVER else name)
