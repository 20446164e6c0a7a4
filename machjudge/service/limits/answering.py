"""How many messages a mail may cause, and how large they may be.

Without a proof anybody may have written the mail in anybody's name: the address gets one small
message, a few times a day.  With a proof everybody is answered, but answers to a machine end.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from hashlib import sha256
from quopri import encodestring

from machjudge.reading import Mail, Owner
from machjudge.sentence import Sentence, Wording
from machjudge.service.model.allowances import DAY
from machjudge.service.model.counts import Counts, used
from machjudge.service.ports.mails import Outgoing

LARGEST = 4000
"""Bytes of a message, its header included, that a mail without a proof may cause."""
SAME_AGAIN = 20
"""Answers a day to the same text with a proof."""
ALL_AGAIN = 200
"""Answers a day to one address with a proof."""
EMPTY_SAME, EMPTY_IN_THREAD, EMPTY_IN_ALL = 2, 5, 10
"""Answers a day to mails that only a reply code proves and that say nothing the judge can do: to
the same text, in one thread, to one address."""

Say = Callable[[Wording], str]
_HEADER = 950
"""Bytes of our header, without what is written into it."""
_LONGEST_SUBJECT = 60
_LONGEST_ID = 200
_NOT_WORDS = re.compile(r"[\W_]+")


class Need(IntEnum):
    """How much somebody may need an answer to a mail without a proof.

    The value says how many messages of a day are left for those who need one more, where the
    address is that of somebody who is registered.
    """

    TOKEN = 0
    """It has a token that was asked for."""
    LOCKED = 1
    """It tells how to get in where too many passwords were wrong."""
    OTHER = 2
    QUESTION = 3
    """It asks who has taken a seat or made a game to confirm that."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What of a mail decides how much it may cause."""

    sender: str
    """The address in From."""
    content: str
    """A hash of what it says; whatever senders change around that makes no difference."""
    thread: str
    """A hash of the Message-ID of the thread that it belongs to; empty if it begins one."""
    now: datetime
    answer_to: str
    """Where the answer goes."""
    need: Need
    is_proven: bool
    """Whether a proof opened a seat whose address is confirmed."""
    is_empty: bool
    """Whether only a reply code proves it, and it says nothing that the judge can do."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How often something may be counted under a key in 24 hours."""

    key: str
    most: int


def content_of(mail: Mail) -> str:
    """A hash of what its writer says in a mail: the words without case, spaces and signs.

    Subject, names, dates and Message-IDs are left out: machines change them each time.
    """
    said = (row.text for row in mail.rows if row.owner is Owner.WRITER)
    words = _NOT_WORDS.sub(" ", " ".join(said)).casefold()
    return _hash(" ".join(words.split()))


def thread_of(mail: Mail) -> str:
    """A hash of the first Message-ID of a mail's thread."""
    return _hash(mail.references[0]) if mail.references else ""


# --- without a proof -------------------------------------------------------------------------


def without_proof(
    cause: Cause,
    letters: Sequence[Outgoing],
    counts: Counts,
    most: int,
    known: Collection[str],
    say: Say,
) -> list[Outgoing]:
    """What a mail without a proof causes: one small message to each address, if one is left.

    Nothing at all if none is left for the sender: a mail that gets no answer does nothing.

    :param letters: those that matter more come first.
    :param most: messages a day to one address.
    :param known: addresses at which the last messages of a day are left for a way in.
    """
    first: dict[str, Outgoing] = {}
    for letter in letters:
        first.setdefault(letter.to, letter)
    kept = [
        found
        for each in first.values()
        if (found := _within(cause, each, counts, most, each.to in known, say))
    ]
    return kept if any(each.to == cause.answer_to for each in kept) else []


def _within(
    cause: Cause, letter: Outgoing, counts: Counts, most: int, is_known: bool, say: Say
) -> Outgoing | None:
    kept_back = min(cause.need, Need.OTHER) if is_known else 0
    # Forged mails shall not use up what asks: whoever can answer is kept out of nothing.
    more = not is_known and cause.need is Need.QUESTION
    in_all = Limit(_to(letter), max(1, most - kept_back) + more)
    left = _left(counts, [in_all, Limit(_to(letter, cause), 1)], cause.now)
    if left < 0:
        return None
    is_last = _left(counts, [in_all], cause.now) == 0 and cause.need >= Need.OTHER
    ends = say(Sentence("limits.last_unproven", is_known=is_known)) if is_last else ""
    return fitted(letter, ends, say(Sentence("limits.cut")))


def _to(letter: Outgoing, cause: Cause | None = None) -> str:
    """The key under which messages to an address are counted, in all or for one content."""
    if cause is None:
        return f"messages/{letter.to}"
    about = cause.need.name if cause.need is Need.LOCKED else cause.content
    return f"messages/{letter.to}/{about}"


def fitted(letter: Outgoing, ends: str, cut: str) -> Outgoing:
    """The letter as small as it may be without a proof: no files, no HTML, and no more than 4 kB.

    *ends* stands below it in any case, *cut* where something was left out.
    """
    subject = letter.subject[:_LONGEST_SUBJECT].rstrip()
    answers = letter.answers if len(letter.answers or "") <= _LONGEST_ID else None
    room = LARGEST - _HEADER - 3 * len(letter.to.encode()) - 2 * len(answers or "")
    below = f"\n\n{ends}\n"
    room -= _written(subject) * 2 + _written(below)
    fits = _written(letter.body) <= room and not letter.attachments
    body = letter.body if fits else _beginning(letter.body, room, f"\n\n{cut}\n")
    if ends:
        body = body.rstrip("\n") + below
    return replace(
        letter,
        subject=subject,
        body=body,
        answers=answers,
        references=(),
        attachments=(),
        layout="",
    )


def _beginning(body: str, room: int, cut: str) -> str:
    """The text as far as there is room, with what to do for the rest."""
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


def with_proof(cause: Cause, counts: Counts) -> tuple[bool, Sentence | None]:
    """Whether a mail with a proof is answered, and what its answer says if it is the last one.

    Nobody who writes by hand meets these limits; two machines do.
    """
    left = _left(counts, _limits(cause), cause.now)
    if left < 0:
        return False, None
    return True, (Sentence("limits.last", is_empty=cause.is_empty) if left == 0 else None)


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
    """How often one may still count under all keys after this time; below 0 not this time."""
    counted = used(counts, [each.key for each in limits], DAY, now)
    return min((each.most - counted[each.key] - 1 for each in limits), default=0)


def keys_of(cause: Cause, letters: Sequence[Outgoing]) -> list[str]:
    """Under which keys a mail and what it causes are counted."""
    if cause.is_proven:
        return [each.key for each in _limits(cause)]
    return [key for each in letters for key in (_to(each), _to(each, cause))]


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
