"""Mails and messages as they are stored, the outgoing messages, and addresses bound to one message.

Those addresses, for bounces and for leaving, carry a seal over the message's number with the
judge's secret, so that they cannot be forged.  The number is hidden from readers.
"""

import base64
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from functools import lru_cache
from hmac import compare_digest
from itertools import groupby
from typing import NamedTuple, NewType, Protocol

from machjudge.judge.credentials import PressToken, TokenScope
from machjudge.judge.records import Bounce, GameId, MailId, PersonId
from machjudge.judge.secret import JudgeSecret
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.render import MessageHeader, MessageRenderer, Page, Reader
from machjudge.translatable import Message, MessageOrText


def dotted(game: str) -> str:
    """Return the game's name as it may stand in a Message-ID, before an ``@`` or a dot."""
    return re.sub(r"[^a-z0-9-]+", "-", game.casefold()).strip("-") or "game"


class MailOutcome(Enum):
    """The result of a kept mail."""

    ANSWERED = "answered"
    SILENT = "silent"
    """Automatic mail, a bounce, a loop: noted, never answered."""
    HELD = "held"
    """Perhaps automatic, and without a valid signon: answered once a day at most."""


@dataclass(frozen=True, slots=True)
class KeptMail:
    """A mail as received: durable before the sender got their 250."""

    id: MailId
    received: datetime
    """The instant that counts at deadlines."""
    sender: str
    """Mails of one sender are kept in order; lower case, empty for bounces."""
    recipients: tuple[str, ...]
    raw: bytes = b""
    """Empty in lists of mails."""
    tries: int = 0
    """Claims, including this one, without those of processes that died."""
    envelope: str = ""
    """``MAIL FROM``, lower case; empty for bounces."""
    deaths: int = 0
    game: GameId | None = None
    """The game that an earlier try found."""
    message_id: str = ""
    queue_was_empty: bool = False
    """No other mail waited when it was claimed."""
    is_oldest: bool = False
    """No older mail waited or was in hand when it was claimed."""
    why: str = ""
    """The error of its last try, why it was set aside, or for what it was taken."""
    outcome: MailOutcome | None = None
    ended: datetime | None = None

    @property
    def recipient(self) -> str:
        """The first recipient."""
        return self.recipients[0]


@dataclass(frozen=True, slots=True)
class MailEnd:
    """The result of a mail, and why it was not answered."""

    outcome: MailOutcome
    why: str = ""


TAPPED = 328
"""The width in pixels of a picture to tap on: the room in a narrow telephone."""
LEAST_AREA = 24
"""The least width and height in pixels of what can be tapped on (WCAG 2.2, 2.5.8)."""


class Area(NamedTuple):
    """A part of a picture that opens a mail with some lines."""

    outline: tuple[tuple[float, float], ...]
    """Its corners, in shares of the picture's width."""
    lines: str


DRAWN_LATER = "application/vnd.machjudge."
"""The prefix of media types of pictures that are drawn when their message is sent."""
_IN_LANGUAGE = "; lang="


def in_language(media_type: str, language: str) -> str:
    """Return a picture's media type with the language of its names; others unchanged."""
    if language == LANGUAGE or not media_type.startswith(DRAWN_LATER):
        return media_type
    return f"{media_type}{_IN_LANGUAGE}{language}"


def kind_and_language(media_type: str) -> tuple[str, str]:
    """Return a media type without its language, and the language."""
    kind, _, language = media_type.partition(_IN_LANGUAGE)
    return kind, language or LANGUAGE


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message."""

    name: str
    media_type: str
    content: bytes
    cid: str = ""
    """Its name in the HTML part; empty for a separate file."""
    areas: tuple[Area, ...] = ()
    """Links of the picture; known once it has been drawn."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to one address, ready to be sent; subject and addresses are single lines."""

    to: str
    subject: str
    body: str
    game: GameId | None = None
    phase: str = ""
    """The code of the phase of its thread; empty before and after the game."""
    answers: str | None = None
    """The Message-ID of the answered mail, or None."""
    references: tuple[str, ...] = ()
    """The Message-IDs of that mail's thread, oldest first, without *answers*."""
    attachments: tuple[Attachment, ...] = ()
    reply: TokenScope | None = None
    """The scope of its reply token, which is made when the message is sent."""
    takes_token: bool = True
    """It gets the token of the seat with its address, if it has none yet."""
    observer: int | None = None
    """The number of its observer's seat, who can leave by an address in it."""
    layout: str = ""
    """Language and kinds of lines for its HTML part; empty if it has none."""
    may_wait: bool = False
    """It is news of a game, which may come in a digest."""
    held_for: PersonId | None = None
    """The person for whose digest it waits, instead of being sent."""
    digest_of: PersonId | None = None
    """The reader of the digest, who can stop digests by an address in it."""
    yields: timedelta | None = None
    """For how long others go first where the relay takes only so many; None: it is urgent."""
    expires: datetime | None = None
    """From when on it would tell nothing but what is over, so that it is not sent any more."""


class Fate(Enum):
    """The state of a message."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    """Given up, or dropped by the judge keeper."""
    HELD = "held"


# What the answer of a mail server says of an address, by its status code (RFC 3463).
_STATUS = re.compile(r"(?<![\w.])([45])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")
_REPLY = re.compile(r"\s*(?:[\w-]+\s*;)?\s*([45])\d\d\b")
"""An SMTP reply code (RFC 5321, 4.2), in a report behind the kind of its words."""
_POLICY = re.compile(
    r"\b(?:spam\w*|unsolicited|virus|polic(?:y|ies)|(?:black|block|deny|gr[ae]y)[ -]?list\w*"
    r"|blocked|banned|dnsbl|rbl|reputation|dmarc|dkim|spf|relay(?:ing)?)\b",
    re.IGNORECASE,
)
_SOFT = frozenset({("2", "2"), ("2", "3"), ("3", "4"), ("4", "7")})
_OF_SENDER = frozenset({("1", "7"), ("1", "8")})
_OF_RECIPIENT = frozenset({"1", "2"})
_SECURITY_OR_POLICY, _UNDEFINED = "7", "0"
_OF_MAILBOX = re.compile(
    r"\b(?:mail ?box|recipient(?:'s)? (?:quota|storage)|over ?quota|user|account that you tried)\b",
    re.IGNORECASE,
)
_TOO_MANY = re.compile(
    r"\btoo (?:many|much|fast|frequent\w*|often)\b|\bthrottl\w*|\bslow down\b|\bunusual rate\b"
    r"|\brate[ -]?limit\w*|\b(?:send\w*|messages?|mails?|e-?mails?|hourly|daily|rate|outgoing)"
    r"\W+(?:\w+\W+){0,3}?(?:limit\w*|quota\w*|allowance)\b"
    r"|\b(?:limit|quota)\w*\W+(?:\w+\W+){0,4}?(?:exceeded|reached|per (?:hour|day|minute))\b"
    r"|\bexceed\w*\W+(?:\w+\W+){0,5}?(?:limit|quota|rate|number)\w*"
    r"|\b(?:per|an?|each|this) (?:hour|day|minute)\b",
    re.IGNORECASE,
)
_OF_US = re.compile(
    r"\bsender(?:'s)? (?:address|verif\w+|domain)?\W*(?:\S+\W+)?(?:is )?"
    r"(?:rejected|refused|denied|blocked"
    r"|not (?:allowed|permitted|owned|accepted|valid|authori[sz]ed))"
    r"|\bnot owned by\b|\bsend ?as ?denied\b|\bsend as this sender\b|\boutbound ?spam"
    r"|\b(?:sender'?s?|sending|outgoing|outbound|your) (?:\w+ ){0,2}(?:limit|quota)\b"
    r"|\b(?:limit|quota) (?:of|for) (?:the |this |your )?(?:sender|account|user)\b"
    r"|\b(?:authenticat\w+|auth|log[- ]?in) (?:is )?(?:required|failed|first|needed)"
    r"|\bmust (?:authenticate|log ?in|issue a? ?starttls)\b|\bnot authenticated\b"
    r"|\b(?:your|sending|sender'?s?|this) (?:account|mailbox|user)\b.{0,40}"
    r"\b(?:suspended|disabled|blocked|locked|restricted|compromised)\b",
    re.IGNORECASE,
)


def bounce_of(words: str, status: str = "") -> Bounce | None:
    """Return the weight of a rejection for an address; None if it does not concern it.

    *words* are the server's, *status* is the code of a delivery report.  Rejections as spam, by a
    policy or for the sender do not count.  The words matter only where the code is ambiguous.
    """
    codes = _STATUS.findall(f"{status} {words}")
    says_why = (e for e in codes if e[1] == _SECURITY_OR_POLICY or e[2] != _UNDEFINED)
    said = next(says_why, None)
    if is_about_sender(words, ("", "") if said is None else said[1:]):
        return None
    if said is None:
        reply = _REPLY.match(words)
        kind = next((each[0] for each in codes), reply[1] if reply is not None else "4")
        return None if _POLICY.search(words) else _by_class(kind)
    kind, *why = said
    if why[0] == _SECURITY_OR_POLICY:
        return None
    return Bounce.SOFT if tuple(why) in _SOFT else _by_class(kind)


def is_about_sender(words: str, status: tuple[str, ...]) -> bool:
    """Return True if a server would refuse the sender's other mails as well.

    For who they are, or because they have sent too many.  *status* is subject and detail of the
    code (RFC 3463), empty where it has none.
    """
    if status in _OF_SENDER or _OF_US.search(words):
        return True
    if status[0] in _OF_RECIPIENT or (not status[0] and speaks_of_mailbox(words)):
        return False
    return says_too_many(words)


def says_too_many(words: str) -> bool:
    """Return True if a server has had too many mails."""
    return _TOO_MANY.search(words) is not None


def speaks_of_mailbox(words: str) -> bool:
    """Return True if the words are about the reader's mailbox."""
    return _OF_MAILBOX.search(words) is not None


def _by_class(kind: str) -> Bounce:
    return Bounce.HARD if kind == "5" else Bounce.SOFT


LEASE = timedelta(minutes=2)
"""How long a claim lasts without renewal."""
OutboxId = NewType("OutboxId", int)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail as a mail server delivered it; every text in it is one line, valid Unicode."""

    raw: bytes
    """The mail as received, byte for byte."""
    envelope_sender: str
    """``MAIL FROM``; empty for bounces (RFC 5321, 4.5.5)."""
    recipients: tuple[str, ...]
    """All ``RCPT TO`` that are the judge's; at least one."""
    sender: str
    """Mails of one sender are kept in order; lower case, empty for bounces."""
    message_id: str
    """With its brackets; empty if it has none."""
    key: str
    """Equal for repeated deliveries of the same mail."""
    received: datetime | None = None
    """When a mailbox got it, not after it is kept; None: it is received when it is kept."""
    is_cut: bool = False
    """It is too large: only its beginning is kept, behind a `CUT_HEADER`, for an answer."""


class ArrivalStore(Protocol):
    """Stores arriving mails durably."""

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep mails in this order; one whose *key* is known is only counted.

        All of them or, with an exception, none.
        """


class MailboxLedger(Protocol):
    """What has been taken from the judge's mailbox, so that nothing is taken twice.

    A mail is known by its number (UID) and the *validity* of numbers (RFC 3501, 2.3.1.1).
    """

    def claim(self) -> bool:
        """Claim the mailbox, or keep it claimed; False while another process has it."""

    def release(self) -> None:
        """End this process's claim."""

    def taken(self, validity: int) -> Mapping[int, bool]:
        """Return the mails taken that may still be in the mailbox; True for a refused one."""

    def keep(self, validity: int, mails: Mapping[int, Arrival | None]) -> None:
        """Keep mails by their numbers, in this order, durably; refused are None, and cut ones.

        All of them or, with an exception, none. One whose key is known is only counted.
        """

    def gone(self, validity: int, numbers: Collection[int]) -> None:
        """Forget mails that are in the mailbox no more, and all of other validities."""

    def opened(self) -> None:
        """Record a new connection to the mailbox."""

    def looked(self, until: datetime, left: int) -> None:
        """Record a look: unless some mails are *left*, all received before *until* are kept."""

    def failed(self, why: str) -> datetime | None:
        """Record that no look was possible; return since when, None if it has just begun."""

    def is_awaited(self, at: datetime) -> bool:
        """Return True if a game waits for a look: a time of it lies between the last and *at*."""


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message in the outbox."""

    id: OutboxId
    made: datetime
    tries: int
    """Claims, including this one, without those of processes that died."""
    outgoing: Outgoing
    deaths: int = 0
    queue_was_empty: bool = False
    """No other message waited when it was claimed."""
    after_refusal: bool = False
    """The relay has refused us, and taken nothing since."""
    fate: Fate = Fate.WAITING
    ended: datetime | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class SendLimits:
    """How many messages the relay may be given; 0: any number."""

    an_hour: int = 0
    a_day: int = 0


NO_LIMITS = SendLimits()
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
"""How long a relay is left alone that refuses us: twice as long each time."""
PAUSES_UNTOLD = 5
"""How many pauses in a row the keeper does not hear of, if the relay has only had too many."""


@dataclass(frozen=True, slots=True)
class WaitingDigest:
    """Messages that wait for a digest."""

    person: PersonId
    address: str
    since: datetime


class SendQueue(Protocol):
    """The messages that wait to be sent, oldest first."""

    def claim(self, now: datetime, until: datetime) -> QueuedMessage | None:
        """Claim the oldest due and unclaimed message; the claim ends at *until*."""

    def sent(self, message: OutboxId, now: datetime) -> None:
        """Record that the relay has accepted it."""

    def sent_one(self, message: OutboxId, now: datetime, until: datetime) -> QueuedMessage | None:
        """Record the same, and claim the next message as `claim` does."""

    def later(self, message: OutboxId, due: datetime, why: str, *, counts: bool) -> None:
        """Try again at *due*.  Without *counts* it was no try at all."""

    def give_up(
        self, message: OutboxId, now: datetime, why: str, bounce: Bounce | None = None
    ) -> None:
        """Never send it; the keeper can see it and why.

        *bounce* is its weight against its address; None: it does not count.
        """

    def expire(self, message: OutboxId, now: datetime) -> None:
        """Never send it: what it says is over."""

    def pause(
        self, message: OutboxId, now: datetime, why: str, *, lasting: bool, counts: bool
    ) -> datetime:
        """Offer the relay nothing until the returned instant; *message* goes after others then.

        Each pause in a row is longer.  *lasting*: it will not change by itself, so the keeper has
        to know at once.  Without *counts* it was no try.
        """

    def resume(self) -> None:
        """Record that the relay takes messages again."""

    def refused(self, now: datetime, why: str) -> None:
        """Record for the keeper that the relay refuses a message because of ourselves."""


_MAX_SUBJECTS = 4


# What one mail brings its readers: one message for each of them, in the order of the mail. Who
# announces something adds a part; at the end the parts for one address become one message.
@dataclass(frozen=True, slots=True)
class Standing:
    """A state that a mail may change several times, such as the times of a game."""

    what: str
    lines: tuple[MessageOrText, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What one address is told about one thing."""

    game: GameId
    to: str
    reader: Reader
    head: MessageHeader
    """The game afterwards."""
    subject: MessageOrText
    lines: tuple[MessageOrText, ...]
    standing: Standing | None = None
    """The state afterwards; one message tells only the last."""
    is_press: bool = False
    """It was written by people; such a message does not say what comes next."""
    stands_alone: bool = False
    """It is a message of its own, so that nothing beside it shows who wrote it."""
    reply: PressToken | None = None
    """The scope of an answer to press."""
    yields: timedelta | None = None
    """As in `Outgoing`."""


def paged(to: str, page: Page, game: GameId | None = None) -> Outgoing:
    """Return a page as a message that answers no mail, with its layout and pictures."""
    language = page.layout.partition(" ")[0]
    pictures = tuple(
        Attachment(f"{each.cid}.png", in_language(each.media_type, language), each.png, each.cid)
        for each in page.pictures
    )
    return Outgoing(
        to, page.subject, page.body, game, page.phase, attachments=pictures, layout=page.layout
    )


def in_messages(renderer: MessageRenderer, messages: Sequence[Outgoing | Part]) -> list[Outgoing]:
    """Return the messages, with all parts for one address in one message.

    A separate message to the same address, such as results, divides the parts before it from those
    after; press is in the first message.  The same message twice is sent once.
    """
    pages: dict[Hashable, Page] = {}
    return [
        each if isinstance(each, Outgoing) else _message(renderer, each, pages)
        for each in _gathered(messages)
    ]


def _gathered(messages: Sequence[Outgoing | Part]) -> list[Outgoing | list[Part]]:
    found: list[Outgoing | list[Part]] = []
    begun: dict[str, list[Part]] = {}
    letters_of: set[str] = set()
    for each in messages:
        if isinstance(each, Outgoing):
            if each in found:
                continue
            letters_of.add(each.to)
            found.append(each)
        elif each.stands_alone:
            found.append([each])
        elif each.to in begun and _goes_with(each, begun[each.to], letters_of):
            begun[each.to].append(each)
        else:
            letters_of.discard(each.to)
            begun[each.to] = [each]
            found.append(begun[each.to])
    return found


def _goes_with(part: Part, begun: Sequence[Part], letters_of: Collection[str]) -> bool:
    """True if a part fits the message that has begun: an answer to press has one reader."""
    tokens = {each.reply for each in (part, *begun) if each.reply is not None}
    return len(tokens) <= 1 and (part.is_press or part.to not in letters_of)


def _message(
    renderer: MessageRenderer, parts: Sequence[Part], pages: dict[Hashable, Page]
) -> Outgoing:
    """The message of some parts; *pages* has those of readers who are told the same."""
    last = parts[-1]
    told = tuple([(each.subject, each.lines, each.standing, each.is_press) for each in parts])
    page = pages.get((last.head, last.reader, told))
    if page is None:
        facts = {
            "head": last.head,
            "reader": last.reader,
            "subject": _subject(parts),
            "lines": [*_lines(parts)],
        }
        is_press = all(part.is_press for part in parts)
        page = renderer.page("press_message" if is_press else "announcement", facts)
        pages[last.head, last.reader, told] = page
    reply = next((part.reply for part in parts if part.reply is not None), None)
    waits = [part.yields for part in parts if part.yields is not None]
    yields = min(waits) if len(waits) == len(parts) else None
    return replace(paged(last.to, page, last.game), may_wait=True, reply=reply, yields=yields)


def _subject(parts: Sequence[Part]) -> Message:
    """Each subject once, in their order; of many only the first."""
    subjects = list(dict.fromkeys(part.subject for part in parts))
    more = max(0, len(subjects) - _MAX_SUBJECTS)
    return Message("message.subjects", subjects=tuple(subjects[:_MAX_SUBJECTS]), more=more)


def _lines(parts: Sequence[Part]) -> Iterator[MessageOrText]:
    for number, (_, group) in enumerate(groupby(_once_each(parts), key=_thing)):
        yield from ("",) if number else ()
        members = list(group)
        yield from _as_one([*dict.fromkeys(part.lines for part in members if part.lines)])
        for part in members:
            yield from ("", *part.standing.lines) if part.standing is not None else ()


def _once_each(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, each state once, at the last part about it."""
    for number, part in enumerate(parts):
        later = [each.standing.what for each in parts[number + 1 :] if each.standing is not None]
        is_old = part.standing is not None and part.standing.what in later
        yield replace(part, standing=None) if is_old else part


def _thing(part: Part) -> tuple[MessageOrText, ...]:
    """The key of parts about the same thing; press is always separate."""
    return (part.subject, *part.lines) if part.is_press else (part.subject,)


def _as_one(texts: Sequence[tuple[MessageOrText, ...]]) -> Iterator[MessageOrText]:
    """Texts about one thing, with their common beginning and end once."""
    if not texts:
        return
    begin = 1 if len({text[:1] for text in texts}) == 1 and _are_longer(texts, 1) else 0
    end = 1 if len({text[-1:] for text in texts}) == 1 and _are_longer(texts, begin + 1) else 0
    if len(texts) == 1:
        begin = end = 0
    yield from texts[0][:begin]
    for text in texts:
        yield from text[begin : len(text) - end]
    yield from texts[0][len(texts[0]) - end :] if end else ()


def _are_longer(texts: Sequence[tuple[MessageOrText, ...]], length: int) -> bool:
    return all(len(text) > length for text in texts)


_BOUNCE, _LEAVE = "bounce", "leave"
_SEALED = re.compile(rf"[^+@]*\+({_BOUNCE}|{_LEAVE})\.([^@]*)@")
_TAG = re.compile(r"([a-z2-7]{8}|[1-9][0-9]{0,17})\.([a-z2-7]+)")
"""The number is hidden; earlier versions wrote it as it is."""
_LEAVING_SUBJECT = re.compile(
    rb"^subject:[ \t\r\n]*(leave\.[a-z2-7]{8}\.[a-z2-7]{16})[ \t\r]*$", re.IGNORECASE | re.MULTILINE
)
_HALF = 20
_ROUNDS = 4
_BYTES = 10
"""Of the seal: 80 bits, in 16 letters and digits."""


def return_tag(secret: JudgeSecret, message: OutboxId) -> str:
    """Return the case-independent text behind the ``+`` in a message's envelope sender."""
    return _tag(secret, _BOUNCE, message)


def leaving_tag(secret: JudgeSecret, message: OutboxId) -> str:
    """Return the same for the address by which an observer leaves."""
    return _tag(secret, _LEAVE, message)


@lru_cache(maxsize=256)
def hidden_number(secret: JudgeSecret, message: OutboxId) -> str:
    """Return a letter's number for readers: 8 letters and digits that hide the count."""
    hidden = _hidden(secret, message).to_bytes(2 * _HALF // 8, "big")
    return base64.b32encode(hidden).decode("ascii").lower()


def shown_number(secret: JudgeSecret, written: str) -> OutboxId | None:
    """Return the number behind the text of `hidden_number`; None if there is none."""
    if len(written) != 2 * _HALF // 5:
        return None
    try:
        hidden = base64.b32decode(written.upper())
    except ValueError:  # digits that base32 does not have
        return None
    return OutboxId(_shown(secret, int.from_bytes(hidden, "big")))


def is_return(recipient: str) -> bool:
    """Return True for an address for bounces, valid or not; people are told of none."""
    address = _SEALED.match(recipient.lower())
    return address is not None and address[1] == _BOUNCE


def message_returned(secret: JudgeSecret, recipient: str) -> OutboxId | None:
    """Return the message whose envelope sender is *recipient*; None if it is forged."""
    return _number_in(secret, _BOUNCE, recipient)


def message_left(secret: JudgeSecret, recipient: str) -> OutboxId | None:
    """Return the message whose leaving address this is; None if it is forged."""
    return _number_in(secret, _LEAVE, recipient)


def message_of_return(secret: JudgeSecret, tag: str) -> OutboxId | None:
    """Return the message whose `return_tag` this is; None if it is forged."""
    return _number_in(secret, _BOUNCE, f"+{tag}@")


def message_left_by(secret: JudgeSecret, raw: bytes) -> OutboxId | None:
    """Return the message whose `leaving_tag` is the subject of a mail; None if there is none."""
    subject = _LEAVING_SUBJECT.search(raw)
    return (
        None if subject is None else _number_in(secret, _LEAVE, f"+{subject[1].decode('ascii')}@")
    )


def _tag(secret: JudgeSecret, purpose: str, message: OutboxId) -> str:
    return f"{purpose}.{hidden_number(secret, message)}.{_seal(secret, purpose, message)}"


def _number_in(secret: JudgeSecret, purpose: str, recipient: str) -> OutboxId | None:
    address = _SEALED.match(recipient.lower())
    is_meant = address is not None and address[1] == purpose
    found = _TAG.fullmatch(address[2]) if address is not None and is_meant else None
    if found is None:
        return None
    plain = OutboxId(int(found[1])) if found[1].isdecimal() else None
    for message in (shown_number(secret, found[1]), plain):
        if message is None:
            continue
        if compare_digest(found[2].encode(), _seal(secret, purpose, message).encode()):
            return message
    return None


def _hidden(secret: JudgeSecret, number: int) -> int:
    """A number of up to 40 bits as another one, by a Feistel network; `_shown` is its inverse."""
    left, right = number >> _HALF, number % (1 << _HALF)
    for each in range(_ROUNDS):
        left, right = right, left ^ _mixed(secret, each, right)
    return left << _HALF | right


def _shown(secret: JudgeSecret, hidden: int) -> int:
    """The inverse of `_hidden`."""
    left, right = hidden >> _HALF, hidden % (1 << _HALF)
    for each in reversed(range(_ROUNDS)):
        left, right = right ^ _mixed(secret, each, left), left
    return left << _HALF | right


def _mixed(secret: JudgeSecret, number: int, half: int) -> int:
    return int(secret.code("mail/hidden", number, half, length=10), 36) % (1 << _HALF)


def _seal(secret: JudgeSecret, purpose: str, message: OutboxId) -> str:
    """Sixteen letters and digits that only the judge can compute."""
    return secret.code(purpose, message, length=_BYTES)
