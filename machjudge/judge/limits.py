"""Limits of passwords tried, games made, seats taken, press, and answers caused.

All counters are in the database, by the clock given to the judge.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum
from hashlib import sha256
from quopri import encodestring

from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import Outgoing
from machjudge.judge.ports import Passwords
from machjudge.judge.records import (
    DAY,
    HOUR,
    Counts,
    Game,
    Limit,
    Role,
    Seat,
    that_count,
    used,
)
from machjudge.mail_parser.lines import Mail, Owner
from machjudge.translatable import Message, MessageOrText

PASSWORDS_IN_A_MAIL = 8
"""Hashes for one mail.  A signon takes one, or up to three with signs around the word."""

TOO_MANY = Message("limits.passwords")


class TooManyPasswords(MachjudgeError):
    """A mail has used up its passwords."""


@dataclass(slots=True)
class LimitedHasher:
    """The port `Passwords` for one mail.  Raises TooManyPasswords after the last one."""

    passwords: Passwords
    left: int = PASSWORDS_IN_A_MAIL

    def hash(self, password: str) -> str:
        """Return the hash to be stored."""
        self._use()
        return self.passwords.hash(password)

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Return True if the password fits; costs one hash."""
        self._use()
        return self.passwords.is_right(hashed, password)

    def is_cached(self, hashed: str, password: str) -> bool:
        """Return True if the password was compared lately, at no cost."""
        return self.passwords.is_cached(hashed, password)

    def _use(self) -> None:
        if not self.left:
            raise TooManyPasswords
        self.left -= 1


# How often passwords may be tried, and for whom that is counted. A try is counted in a
# transaction of its own before the password is checked, so that processes which work at the same
# time cannot try more often than one. A right password takes it back.
FREE = 5
"""Free wrong passwords, at a seat and from an address."""
FREE_AT_GAME = 20
"""Free wrong passwords at all seats of a game together."""
FORGOTTEN = timedelta(hours=24)
_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=1)
_LONGEST_NAME = 40
_GAME = "tries/game/"
OWNER = "tries/owner/"


def keys_of_stranger(address: str, game: str, seat: str) -> tuple[str, ...]:
    """Return the keys for a claimed address not on file at the seat: sender, seat and game.

    *game* and *seat* are the names as typed, so that a hidden game is counted like one that does
    not exist.
    """
    name = game.lower()[:_LONGEST_NAME]
    return (f"tries/from/{address}", key_of_seat(name, seat), f"{_GAME}{name}")


def key_of_seat(game: str, seat: str) -> str:
    """Return the key for strangers at a seat."""
    return f"tries/seat/{game}/{seat}"


def key_of_owner(game: str, number: int) -> str:
    """Return the key for mails that claim an address on file at a seat.

    Guesses under other addresses do not count for it.  Those under the owner's own forged address
    do, so a token opens the seat whatever was counted.
    """
    return f"{OWNER}{game}/{number}"


def waits_until(wrong: Sequence[datetime], now: datetime, free: int = FREE) -> datetime | None:
    """Return until when tries are blocked: a minute after the free ones, doubled up to an hour."""
    past = [at for at in that_count(wrong, now) if now - FORGOTTEN < at]
    if len(past) < free:
        return None
    wait = min(_FIRST_WAIT * 2 ** min(len(past) - free, 10), _LONGEST_WAIT)
    until = past[-1] + wait
    return until if now < until else None


def begin_try(context: MailContext, keys: Collection[str]) -> datetime | None:
    """Count a try of a password for each key, before it is checked.

    If it is blocked, count none and return until when.  A mail that is handled again, after a
    conflict or a crash, is counted once.
    """
    context.writer.tries += 1
    own, now = f"try/{context.writer.tries}/{context.mail_id}", context.now
    with context.services.store.writing() as uow:
        uow.counts.lock((own, *keys))
        lately = uow.counts.all_lately((own, *keys), now - FORGOTTEN)
        if lately[own]:
            return None
        until = _blocked_until({key: lately[key] for key in keys}, now)
        if until is None:
            uow.counts.add((own, *keys), now)
            uow.commit()
    return until


def is_free(context: MailContext, keys: Collection[str]) -> bool:
    """Return True if nothing is counted under any key, so that a try need not be counted."""
    counted = context.uow.counts.all_lately(keys, context.now - FORGOTTEN)
    is_free = not any(counted.values())
    context.writer.tries += is_free
    return is_free


def take_back(context: MailContext, keys: Collection[str], ended: Collection[str] = ()) -> None:
    """Uncount a try that was right, and clear the keys in *ended*."""
    tried = [key for key in keys if key not in ended]
    with context.services.store.writing(single=not (tried and ended)) as uow:
        uow.counts.lock({*keys, *ended})
        uow.counts.take_back(tried, context.now)
        uow.counts.forget(ended)
        uow.commit()


def blocked_until(counts: Counts, keys: Collection[str], now: datetime) -> datetime | None:
    """Return until when no password is tried for these keys; None if one may try."""
    return _blocked_until(counts.all_lately(keys, now - FORGOTTEN), now)


def _blocked_until(wrong: Mapping[str, Sequence[datetime]], now: datetime) -> datetime | None:
    """The same from the instants of the tries under each key."""
    waits = (
        waits_until(at, now, FREE_AT_GAME if key.startswith(_GAME) else FREE)
        for key, at in wrong.items()
    )
    return max((until for until in waits if until is not None), default=None)


# --- games, seats and press ------------------------------------------------------------------


def no_more_games(context: MailContext) -> Message | None:
    """Count a new game of a person; or return why the limit is reached."""
    most = context.services.judge.limits.games_a_day
    if _take(context, _daily_limit(context, "games", most)):
        return None
    return Message("session.games_made", n=most)


def no_more_seats(context: MailContext) -> Message | None:
    """Count a new seat of a person; or return why the limit is reached."""
    most = context.services.judge.limits.seats_a_day
    if _take(context, _daily_limit(context, "seats", most)):
        return None
    return Message("session.seats_taken", n=most)


def no_more_observers(context: MailContext, game: Game) -> Message | None:
    """Return why a game takes no further observers; None if it does."""
    most = context.services.judge.limits.observers
    watching = sum(seat.role is Role.OBSERVER for seat in game.seats)
    if not most or watching < most:
        return None
    return Message("session.observers_there", n=most)


def no_more_press(context: MailContext, game: Game, seat: Seat) -> Message | None:
    """Count a text of a seat; or return why the limit is reached."""
    most = context.services.judge.limits.press_an_hour
    if _take(context, [Limit(f"press/{game.id}/{seat.number}", most, HOUR)]):
        return None
    return Message("session.press_sent", n=most)


def no_more_what_ifs(context: MailContext, game: Game, seat: Seat) -> Message | None:
    """Count a trial of a seat; or return why the limit is reached."""
    most = context.services.judge.limits.what_ifs_a_day
    if _take(context, [Limit(f"trials/{game.id}/{seat.number}", most)]):
        return None
    return Message("session.what_ifs_made", n=most)


def _daily_limit(context: MailContext, what: str, most: int) -> list[Limit]:
    """For a person with a proof; unconfirmed requests are counted when confirmed.

    So requests under a forged address use up nothing of its owner's.
    """
    person = context.person
    if person is None or not person.is_confirmed:
        return []
    return [Limit(f"{what}/person {person.id}", most)]


def _take(context: MailContext, limits: Sequence[Limit]) -> bool:
    """Count once more, unless a limit is reached; written with the mail's changes."""
    for limit in limits:
        before = limit.used(context.uow.counts, context.now) + context.changes.limit_uses.count(
            (limit, context.now)
        )
        if limit.most and before >= limit.most:
            return False
    context.changes.limit_uses += [(limit, context.now) for limit in limits]
    return True


# --- answers ---------------------------------------------------------------------------------

# How many messages a mail may cause, and how large they may be. Without a proof anybody may have
# written the mail in anybody's name: the address gets one small message, a few times a day. With
# a proof everybody is answered, but answers to a machine end.
LARGEST = 4000
"""Bytes of a message for a mail without a proof, with its header."""
SAME_AGAIN = 20
ALL_AGAIN = 200
EMPTY_SAME, EMPTY_IN_THREAD, EMPTY_IN_ALL = 2, 5, 10
"""Answers a day to empty mails with only a reply code: per text, per thread, per address."""

Say = Callable[[MessageOrText], str]
_HEADER = 950
"""Bytes of our header, without its variable parts."""
_LONGEST_SUBJECT = 60
_LONGEST_ID = 200
_NOT_WORDS = re.compile(r"[\W_]+")


class Need(IntEnum):
    """How urgently an answer to a mail without a proof may be needed.

    The value is the number of a day's messages reserved for higher needs, at addresses of
    registered people.
    """

    TOKEN = 0
    LOCKED = 1
    """It tells how to get in after too many wrong passwords."""
    OTHER = 2
    QUESTION = 3
    """It asks to confirm a new seat or game."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What decides how much a mail may cause."""

    sender: str
    content: str
    """A hash of its text, without what senders vary."""
    thread: str
    """A hash of the Message-ID of its thread; empty if it begins one."""
    now: datetime
    answer_to: str
    need: Need
    is_proven: bool
    """A proof opened a seat with a confirmed address."""
    is_empty: bool
    """Only a reply code proves it, and it asks for nothing."""


def content_of(mail: Mail, phase: str = "") -> str:
    """Return a hash of a mail's own text in a phase, without case, spaces, signs and header."""
    said = [row.text for row in mail.rows if row.owner is Owner.WRITER]
    words = _NOT_WORDS.sub(" ", " ".join(said)).casefold()
    return _hash(phase + " ".join(words.split()))


def thread_of(mail: Mail) -> str:
    """Return a hash of the first Message-ID of a mail's thread."""
    return _hash(mail.references[0]) if mail.references else ""


# --- without a proof -------------------------------------------------------------------------


def without_proof(
    cause: Cause,
    messages: Sequence[Outgoing],
    counts: Counts,
    most: int,
    known: Collection[str],
    say: Say,
) -> list[Outgoing]:
    """Return the messages for a mail without a proof: a small one per address, within limits.

    None at all if none is left for the sender: a mail without an answer has no effect.

    :param messages: the more urgent ones first.
    :param most: messages a day to one address.
    :param known: addresses with a reserve of a day's messages for a way in.
    """
    first: dict[str, Outgoing] = {}
    for message in messages:
        first.setdefault(message.to, message)
    kept = [
        found
        for each in first.values()
        if (found := _within(cause, each, counts, most, each.to in known, say))
    ]
    return kept if any(each.to == cause.answer_to for each in kept) else []


def _within(
    cause: Cause, message: Outgoing, counts: Counts, most: int, is_known: bool, say: Say
) -> Outgoing | None:
    kept_back = min(cause.need, Need.OTHER) if is_known else 0
    # Forged mails shall not use up the questions that an owner can answer.
    more = not is_known and cause.need is Need.QUESTION
    in_all = Limit(_to(message), max(1, most - kept_back) + more)
    left = _left(counts, [in_all, Limit(_to(message, cause), 1)], cause.now)
    if left < 0:
        return None
    is_last = _left(counts, [in_all], cause.now) == 0 and cause.need >= Need.OTHER
    ends = say(Message("limits.last_unproven", is_known=is_known)) if is_last else ""
    return fitted(message, ends, say(Message("limits.cut")))


def _to(message: Outgoing, cause: Cause | None = None) -> str:
    """The key of messages to an address, in all or for one content."""
    if cause is None:
        return f"messages/{message.to}"
    about = cause.need.name if cause.need is Need.LOCKED else cause.content
    return f"messages/{message.to}/{about}"


def fitted(message: Outgoing, ends: str, cut: str) -> Outgoing:
    """Return the message in at most 4 kB, without files and HTML, with *ends* below it."""
    subject = message.subject[:_LONGEST_SUBJECT].rstrip()
    answers = message.answers if len(message.answers or "") <= _LONGEST_ID else None
    room = LARGEST - _HEADER - 3 * len(message.to.encode()) - 2 * len(answers or "")
    below = f"\n\n{ends}\n"
    room -= _written(subject) * 2 + _written(below)
    fits = _written(message.body) <= room and not message.attachments
    body = message.body if fits else _beginning(message.body, room, f"\n\n{cut}\n")
    if ends:
        body = body.rstrip("\n") + below
    return replace(
        message,
        subject=subject,
        body=body,
        answers=answers,
        references=(),
        attachments=(),
        layout="",
    )


def _beginning(body: str, room: int, cut: str) -> str:
    room -= _written(cut)
    lines: list[str] = []
    for line in body.split("\n"):
        room -= _written(f"{line}\n")
        if room < 0:
            break
        lines.append(line)
    return "\n".join(lines).rstrip("\n") + cut


def _written(text: str) -> int:
    """The bytes of a text in a mail, at most: quoted-printable, with line ends of two bytes."""
    return len(encodestring(text.encode("utf-8", "replace"))) + text.count("\n")


# --- with a proof ----------------------------------------------------------------------------


def with_proof(cause: Cause, counts: Counts) -> tuple[bool, Message | None]:
    """Return whether a mail with a proof is answered (loops of machines are not), and a note."""
    left = _left(counts, _limits(cause), cause.now)
    if left < 0:
        return False, None
    return True, (Message("limits.last", is_empty=cause.is_empty) if left == 0 else None)


def _limits(cause: Cause) -> tuple[Limit, ...]:
    sender, content = cause.sender, cause.content
    always = (
        Limit(f"answers/{sender}", ALL_AGAIN),
        Limit(f"answers/{sender}/{content}", SAME_AGAIN),
    )
    if not cause.is_empty:
        return always
    thread = (Limit(f"empty/{cause.thread}", EMPTY_IN_THREAD),) if cause.thread else ()
    return (
        *always,
        *thread,
        Limit(f"empty/{sender}", EMPTY_IN_ALL),
        Limit(f"empty/{sender}/{content}", EMPTY_SAME),
    )


# --- counting --------------------------------------------------------------------------------


def _left(counts: Counts, limits: Sequence[Limit], now: datetime) -> int:
    """The remaining count under all keys after this one; below 0 if it exceeds them."""
    counted = used(counts, [each.key for each in limits], DAY, now)
    return min((each.most - counted[each.key] - 1 for each in limits), default=0)


def keys_of(cause: Cause, messages: Sequence[Outgoing]) -> list[str]:
    """Return the keys of a mail and of what it causes."""
    if cause.is_proven:
        return [each.key for each in _limits(cause)]
    return [key for each in messages for key in (_to(each), _to(each, cause))]


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
