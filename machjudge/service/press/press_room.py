"""Messages between the people of a game: to all, or to some; signed, anonymous or faked."""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256

from machjudge.language.commands.commands import Audience, Press, Tone
from machjudge.letters.layout.lines import clean_body
from machjudge.letters.page.press import UNNAMED, UNTOLD, Aim
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.words import Words
from machjudge.reading import REDACTED, Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.credentials.reply_tokens import PressToken
from machjudge.service.game.registry import MASTER
from machjudge.service.model.records import Game, PersonId, PressItem, Role, Seat
from machjudge.service.press.permission import WantedPress, as_meant, why_not
from machjudge.service.press.press_message import (
    Message,
    author_of,
    insight,
    is_meant,
    missive_of,
    part_for,
    signature_of,
)
from machjudge.service.session.audience import Meant, meant_by
from machjudge.service.session.command import SEATED, TALKING, CommandEntry
from machjudge.service.session.outgoing import Addressee, addressees
from machjudge.service.session.quotas import no_more_press
from machjudge.service.session.redacting import Redacted, redacted
from machjudge.service.session.session import Session, Unsigned

_MOST_NAMED = 8
"""How many lines that look like orders the receipt names."""
LONGEST = 20_000
"""Signs of a message; what is longer is not sent."""


# --- from a command to a message --------------------------------------------------------------


def press(session: Session, line: Line, said: Press, text: Sequence[str]) -> None:
    """Send a message; whoever may not send it gets it back with the reason."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    wanted = _wanted(session, game, seat, said)
    _press(session, game, line, wanted, redacted(session, text))


def answer(session: Session, line: Line, token: PressToken, text: Sequence[str]) -> None:
    """Send the text to the writer of the message with that token, as `press` does."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    tone = Tone.ANONYMOUS if token.hides else None
    wanted = WantedPress(seat, _writer_of(session, game, token), tone)
    _press(session, game, line, as_meant(game.conduct.press, wanted), redacted(session, text))


def _writer_of(session: Session, game: Game, token: PressToken) -> Meant:
    """The writer of a message, as its reader knows them."""
    if token.is_unnamed:
        return Meant(UNNAMED, seat=token.writer)
    writer = next(seat for seat in game.seats if seat.number == token.writer)
    if writer.powers or writer.role is Role.MASTER:
        scenario = session.services.scenario(game)
        named = writer.powers or (MASTER,)
        found = meant_by(scenario, Audience(tuple(named)))
        if isinstance(found, Meant):
            return found
    return Meant(Aim(signature_of(session, game, writer).name), seat=token.writer)


def _press(
    session: Session, game: Game, line: Line, wanted: WantedPress | Sentence, clean: Redacted
) -> None:
    message = _message(session, game, wanted, clean)
    if isinstance(message, Message):
        message = no_more_press(session, game, message.sender) or message
    if not isinstance(message, Message):
        session.refuse(line, message)
        give_back(session, clean)
        _tell_orders(session, "")
        return
    if message.anonymous:
        sends = partial(_send_out, session, game, message, clean)
        session.unsigned.append(Unsigned(line, sends, partial(give_back, session, clean)))
        return
    _send_out(session, game, message, clean)


def _send_out(session: Session, game: Game, message: Message, text: Redacted) -> None:
    _send(session, game, message)
    _receipt(session, game, message)
    tell_redacted(session, text)


def send_unsigned(session: Session) -> None:
    """Send the anonymous text of a mail, if others hear of nothing else from the mail.

    So everybody gets one message at most for a mail, and nothing in it tells who wrote the text.
    To be called when the mail is over.
    """
    own = {
        session.answer_to,
        session.address,
        *((session.seat.address,) if session.seat is not None else ()),
    }
    tells_others = any(each.to not in own for each in session.letters)
    for number, text in enumerate(session.unsigned):
        if tells_others or number:
            session.refuse(text.line, Sentence("press.not_alone"))
            text.give_back()
        else:
            text.send()


def give_back(session: Session, text: Redacted) -> None:
    """Return a text that was not sent, so that nothing that was written is lost.

    Only to whoever has signed on: the judge carries nobody's words to an address in From that
    anybody can write there.
    """
    if not any(line.strip() for line in text.lines):
        return
    if session.seat is None:
        session.answer.notices.append(Sentence("press.not_sent", lines=len(text.lines)))
        return
    body = clean_body("\n".join(text.lines)).strip("\n").split("\n")
    shown = tuple(f"  {line}".rstrip() for line in body)
    session.answer.texts.append(Text(Sentence("press.given_back"), shown))
    tell_redacted(session, text)


def tell_redacted(session: Session, text: Redacted) -> None:
    """Say that a password stood in a text."""
    if text.count:
        told = Sentence("press.redacted", lines=text.count, sign=REDACTED)
        session.answer.notices.append(told)


def _wanted(session: Session, game: Game, seat: Seat, said: Press) -> WantedPress | Sentence:
    """What a command asks for, or why that is not clear."""
    scenario = session.services.scenario(game)
    to = meant_by(scenario, said.to)
    shown = meant_by(scenario, said.shown_to) if said.shown_to is not None else None
    if isinstance(to, Sentence):
        return to
    if isinstance(shown, Sentence):
        return shown
    return as_meant(game.conduct.press, WantedPress(seat, to, said.tone, shown, said.no_fake))


def _message(
    session: Session, game: Game, wanted: WantedPress | Sentence, text: Redacted
) -> Message | Wording:
    """The message that is wanted, or why it cannot be sent."""
    if isinstance(wanted, Sentence):
        return wanted
    reason, to = why_not(session, game, wanted) or text_flaw(text), wanted.to
    readers = () if to.aim.to_all else to.seats(game, wanted.seat)
    if reason is None and not readers and not to.aim.to_all:
        reason = Sentence("press.no_readers")
    return reason or _meant_message(wanted, readers, body_of(text))


def text_flaw(text: Redacted) -> Sentence | None:
    """Why a text cannot be sent, whatever the rules of the game are."""
    body = body_of(text)
    if not body:
        return Sentence("press.empty")
    if len(body) > LONGEST:
        return Sentence("press.too_long", most=LONGEST)
    return None


def body_of(text: Redacted) -> str:
    """A text as its readers get it."""
    return clean_body("\n".join(text.lines)).strip("\n").rstrip()


def _meant_message(wanted: WantedPress, readers: tuple[Seat, ...], text: str) -> Message:
    anonymous = wanted.tone is Tone.ANONYMOUS
    told = None if anonymous and not wanted.to.aim.to_all else wanted.to
    return Message(wanted.seat, readers, text, wanted.to, wanted.shown or told, anonymous)


# --- sending ----------------------------------------------------------------------------------


def _send(session: Session, game: Game, message: Message) -> None:
    """Put the letters into the outbox, and keep the message."""
    to = [each for each in _addressees(session, game, message) if _gets(game, message, each)]
    people = [seat.person for each in to for seat in each.seats if seat.person is not None]
    writer = message.sender.person or PersonId("")
    item = PressItem(
        game=game.id,
        at=session.now,
        after=game.position,
        sender=message.sender.number,
        readers=tuple(seat.number for seat in message.readers),
        text=message.text,
        anonymous=message.anonymous,
        author=author_of(session, game, message.sender),
        aim=message.to.readers,
        shown=message.says_to,
        people=tuple(dict.fromkeys([writer, *people])),
    )
    for each in to:
        session.send(part_for(session, game, message, missive_of(item), each))
    session.changes.press.append(item)


def _addressees(session: Session, game: Game, message: Message) -> list[Addressee]:
    """Everybody at the game but the writer.

    The numbers of letters follow their order: that of anonymous press is shuffled, so that the
    numbers of two letters do not tell whether the writer sits between their readers.
    """
    found = addressees(session.services, game, session.people(game), session.now)
    others = [to for to in found if message.sender.number not in {s.number for s in to.seats}]
    if not message.anonymous:
        return others
    salt = session.services.chance.token()
    return sorted(others, key=lambda to: sha256(f"{salt}/{to.address}".encode()).digest())


def _gets(game: Game, message: Message, to: Addressee) -> bool:
    if not message.readers:
        return any(seat.role is Role.PLAYER or seat.wishes.broadcasts for seat in to.seats)
    return is_meant(message, to) or _reads_along(game, to)


def _reads_along(game: Game, to: Addressee) -> bool:
    """Whether an observer or master gets a copy of what is not for them."""
    wishes = any(seat.wishes.all_press for seat in to.seats)
    return wishes and to.sight.reads_along(watched=game.conduct.press.watched)


# --- the receipt ------------------------------------------------------------------------------


def _receipt(session: Session, game: Game, message: Message) -> None:
    """Tell the writer what went to whom, as which they read it themselves."""
    is_shown = message.shown not in (message.aim, UNTOLD)
    if session.answers_press:
        session.answer.verdict.append(Sentence("press.answered", to=message.aim.words))
    _tell_orders(session, message.aim.words)
    session.done(
        Sentence(
            "press.sent",
            anonymous=message.anonymous,
            to=message.aim.words,
            shown=message.shown.words if is_shown else "",
        )
    )
    session.answer.done += [f"  {line}".rstrip() for line in message.text.split("\n")]
    if message.anonymous or message.is_faked:
        seen = {"anonymous": message.anonymous, "faked": message.is_faked, **insight(game)}
        session.done(Sentence("press.seen", **seen))
    absent = _absent(session, game, message)
    if absent:
        session.done(Sentence("press.absent", powers=absent))


def _tell_orders(session: Session, to: Wording) -> None:
    """Name the lines of an answer that look like orders; *to* is empty if it was not sent."""
    if lines := session.orders_in_press:
        shown = tuple(map(session.safe, lines[:_MOST_NAMED]))
        told = Sentence("press.orders_in_words", lines=shown, n=len(lines), to=to)
        session.answer.verdict.append(told)


def _absent(session: Session, game: Game, message: Message) -> tuple[str, ...]:
    """The powers that were named and have no player."""
    empty = {power for seat in game.seats if seat.person is None for power in seat.powers}
    named = () if message.to.all_but else message.to.named
    words = Words(session.services.world(game))
    return tuple(words.power(power) for power in sorted(empty) if power in named)


PRESS_TO = CommandEntry(
    "press",
    TALKING,
    SEATED,
    Act.PLAY,
    None,
    Press,
)
BROADCAST = CommandEntry(
    "broadcast",
    TALKING,
    SEATED,
    Act.PLAY,
    None,
    Press,
    also=("press to all",),
)
