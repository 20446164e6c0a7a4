"""Mails as they came, and letters as they go."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from machjudge.letters.wording.catalogue import LANGUAGE
from machjudge.service.credentials.reply_tokens import Speaks
from machjudge.service.model.records import GameId, MailId, PersonId


def dotted(game: str) -> str:
    """The game's name as it may stand in a Message-ID, before an ``@`` or a dot."""
    return re.sub(r"[^a-z0-9-]+", "-", game.casefold()).strip("-") or "game"


@dataclass(frozen=True, slots=True)
class KeptMail:
    """A mail as it was received: durable before the sender got their 250."""

    id: MailId
    received: datetime
    """The instant that counts at deadlines."""
    sender: str
    """The sender by which mails are kept in order, lower case; empty for bounces."""
    recipient: str
    raw: bytes
    tries: int
    """How often it has been taken up, this time included; those by processes that died are none."""
    envelope: str = ""
    """``MAIL FROM``, lower case; empty for bounces."""
    recipients: tuple[str, ...] = ()
    """All addresses of the judge to which it was sent."""
    deaths: int = 0
    """How many processes ended while they handled it."""
    game: GameId | None = None
    """For which game an earlier try found it to be."""
    message_id: str = ""
    is_alone: bool = False
    """Whether no other mail waited when it was taken up."""
    fault: str = ""
    """With what its last try failed, and where."""


class MailOutcome(Enum):
    """What became of a kept mail."""

    ANSWERED = "answered"
    SILENT = "silent"
    """Automatic mail, a bounce, a loop: noted, never answered."""
    HELD = "held"
    """Perhaps automatic, and no signon in it opened a seat: answered once a day at most."""


@dataclass(frozen=True, slots=True)
class MailEnd:
    """What became of a mail, and why it was not answered."""

    outcome: MailOutcome
    why: str = ""
    """For what a mail was taken that may not be answered."""


class Area(NamedTuple):
    """A part of a picture that opens a mail with some lines."""

    outline: tuple[tuple[float, float], ...]
    """Its corners, in shares of the picture's width."""
    lines: str


DRAWN_LATER = "application/vnd.machjudge."
"""With what the media types of pictures begin that are drawn when their message is sent."""
_IN_LANGUAGE = "; lang="


def in_language(media_type: str, language: str) -> str:
    """The media type of such a picture with the names of a language; any other as it is.

    What the picture shows is the same in all languages, so that their readers share it.
    """
    if language == LANGUAGE or not media_type.startswith(DRAWN_LATER):
        return media_type
    return f"{media_type}{_IN_LANGUAGE}{language}"


def kind_and_language(media_type: str) -> tuple[str, str]:
    """A media type without its language, and the language."""
    kind, _, language = media_type.partition(_IN_LANGUAGE)
    return kind, language or LANGUAGE


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along with a letter."""

    name: str
    media_type: str
    """Such as ``image/svg+xml``, or ``text/plain; charset=utf-8``."""
    content: bytes
    cid: str = ""
    """The name by which the HTML part shows it; empty for a file of its own."""
    areas: tuple[Area, ...] = ()
    """What opens mails at a tap; known once a picture has been drawn."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to one address, ready to be sent; subject and addresses are single lines."""

    to: str
    subject: str
    body: str
    game: GameId | None = None
    """The game that it is about."""
    phase: str = ""
    """The code of the phase whose thread it belongs to; empty before and after the game."""
    answers: str | None = None
    """The Message-ID of the mail that it answers; None for what the judge writes by itself."""
    references: tuple[str, ...] = ()
    """The Message-IDs of that mail's thread, oldest first, without *answers*."""
    attachments: tuple[Attachment, ...] = ()
    reply: Speaks | None = None
    """For what an answer to it speaks; the token itself is made when the letter is sent."""
    takes_token: bool = True
    """Whether it gets the token of the seat to whose address it goes, if it has none yet."""
    observer: int | None = None
    """The number of the observer's seat to which it goes, who can leave by an address in it."""
    layout: str = ""
    """From what its HTML part is made: language and kinds of lines; empty where it has none."""
    may_wait: bool = False
    """Whether it is news of a game, which may come in a digest."""
    held_for: PersonId | None = None
    """For whose digest it waits, in place of being sent."""
    digest_of: PersonId | None = None
    """Whose digest it is, who can stop them by an address in it."""
