"""What an answer to a question of the judge says: nothing, no, or something else.

What says yes stands in `reading.text.courtesies`.

An answer without words of its own says yes: most people who mean it send it so.  Whoever wonders
why they are asked writes words, and so does a machine that answers for somebody who is away: they
agree only with a word for it.  What is asked once more costs little; a seat that a stranger gets
by an answer which meant something else costs a game.
"""

import re
from collections.abc import Iterator

from machjudge.reading import Mail, MailFlaw, Where
from machjudge.reading.text.courtesies import is_bare_courtesy, takes_back

_DENIAL = re.compile(
    r"\W*(?:no|nope)(?:,? (?:thanks|thank you|gracias|grazie))?\W*"
    r"|.*\b(?:not|wasn['’]?t) (?:me|mine)\b.*"
    r"|.*\bno (?:soy|fui|he sido|era) yo\b.*|.*\byo no (?:soy|fui|he sido|era)\b.*"
    r"|.*\bnon (?:sono|ero) (?:stat[oa] )?io\b.*|\W*no[n]? (?:yo|io)\W*",
    re.IGNORECASE,
)
"""A line by which somebody says that others have used their address."""
_INSTRUCTION = re.compile(r"\b(?:reply|answer|contesta|responde|rispondi)\b", re.IGNORECASE)
"""A word of the judge's own message, as some programs quote it without a mark."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_REPLIES = re.compile(r"\s*(?:[^\s:：]{1,12}\s?[:：]\s*)+")
_SAID = (Where.GREETING, Where.CLOSING)
_HIDES_NOTHING = frozenset(
    (
        MailFlaw.EMPTY,
        MailFlaw.ATTACHMENT,
        MailFlaw.QUOTE_CUT,
        MailFlaw.QUOTE_REST,
        MailFlaw.AFTER_QUOTE,
    )
)
"""Flaws of an answer that may be without words; all others may hide some."""
_AWAY = re.compile(
    r"\b(?:away|out of (?:the )?office|vacation|on (?:leave|holidays?)|assente|in ferie|"
    r"fuori ufficio|ausente|de vacaciones|fuera de la oficina)\b",
    re.IGNORECASE,
)
"""What a signature says that is a notice of absence."""
_DECORATION = re.compile(
    r"image/|signature|calendar|\.(?:png|jpe?g|gif|bmp|svg|webp|vcf|ics|p7s|asc)$", re.IGNORECASE
)
"""A file that says nothing: a logo, a signature, a card."""


def own_words(mail: Mail) -> Iterator[str]:
    """The lines of an answer that say something, in their order: no press, no bare courtesies."""
    said = [(line.number, line.text) for line in mail.lines if not line.is_press]
    said += [(each.number, each.text) for each in mail.asides if each.where in _SAID]
    name = set(_WORD.findall(mail.display_name.lower()))
    return (
        text
        for _, text in sorted(said)
        if not is_bare_courtesy(text) and not name.issuperset(_WORD.findall(text.lower()) or "?")
    )


def is_wordless(mail: Mail) -> bool:
    """Whether an answer has no words of its own, be it in a subject that is no reply's.

    What cannot be read may hide words.
    """
    subject = _REPLIES.sub("", mail.subject, count=1)
    is_hidden = not _HIDES_NOTHING.issuperset(defect.flaw for defect in mail.defects)
    is_hidden |= not all(map(_DECORATION.search, mail.attachments))
    signed = (each.text for each in mail.asides if each.where is Where.SIGNATURE)
    is_away = any(map(_AWAY.search, signed))
    says_no = subject == mail.subject and takes_back(subject)
    further = (each.text for each in mail.asides if each.where is Where.FURTHER)
    is_silent = next(own_words(mail), None) is None and all(map(is_bare_courtesy, further))
    return is_silent and not (is_hidden or is_away or says_no)


def denies(mail: Mail) -> bool:
    """Whether a line of an answer says that it was somebody else."""
    return any(
        _DENIAL.fullmatch(text) and not _INSTRUCTION.search(text) for text in own_words(mail)
    )
