"""The lines by which mail programs announce quoted mail: "On … wrote:" and header blocks.

In English, German, French, Italian, Spanish, Portuguese, Dutch, Swedish, Danish, Norwegian and
Polish, whole or broken over several rows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.reading.text.rows import Row

_MOST_ROWS = 4
_MOST_CHARACTERS = 500
_LOOK_AHEAD = 8
_ENOUGH_FIELDS = 2

_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schrieben|a écrit|ha scritto|escribió|escribio|escreveu|schreef"
    r"|skrev|napisał(?:\(a\)|a)?|geschreven)\b",
    re.IGNORECASE,
)
_SAID = re.compile(r"\b(?:said|says|quoting|zitat von|citando|citazione)\b", re.IGNORECASE)
_OPENS = re.compile(
    r"(?:(?:on|am|le|il|el|op|em|den|dnia|w dniu|på) .*\d"
    r"|.{0,200}<[^\s<>@]{1,100}@[^\s<>@]{1,100}>"
    r"|\d{4}-\d\d-\d\d|\d\d?[./]\d)",
    re.IGNORECASE,
)
_WITH_TEXT = re.compile(
    r"(?:on|am|le|il|el|op|em|den) .{5,200}<[^\s<>@]{1,100}@[^\s<>@]{1,100}>,? ?"
    r"(?:wrote|schrieb|a écrit|ha scritto|escribió|escreveu|schreef|skrev) ?: *\S",
    re.IGNORECASE,
)
"""One that a telephone puts into one line with the beginning of the quotation."""
_MOMENT = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\S@\S")
_OLD_GMAIL = re.compile(r"\d{4}[-/]\d\d?[-/]\d\d? .{0,200}<[^\s<>@]{1,100}@[^\s<>@]{1,100}>:$")

_FROM = re.compile(
    r"(?:from|von|de|da|van|från|fra|od|expéditeur|remitente|mittente) ?: ?\S", re.IGNORECASE
)
_WHEN = re.compile(
    r"(?:sent|date|gesendet|datum|envoyé|inviato|data|enviado(?: el)?|enviada|fecha|verzonden"
    r"|skickat|sendt|wysłano) ?: ?.*\d",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|inviato|data|a|oggetto"
    r"|enviado(?: el)?|enviada|para|asunto|assunto|fecha|verzonden|aan|onderwerp|skickat|till|ämne"
    r"|sendt|til|emne|wysłano|do|temat|reply-to) ?:",
    re.IGNORECASE,
)
_DIVIDER = re.compile(
    r"original|forward|nachricht|message|messaggio|mensa?je|mensagem|bericht|meddelande|besked",
    re.IGNORECASE,
)
_BEGIN_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message "
    r"(?:réexpédié|transféré)|inizio messaggio inoltrato|inicio del mensaje reenviado)\s*:$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Attribution:
    """The rows from *start* to before *end* announce a quotation."""

    start: int
    end: int
    certain: bool
    """It names a time or an address. One that does not counts only with a quotation behind it."""


def attribution_at(rows: Sequence[Row], at: int) -> Attribution | None:
    """The attribution that begins at row *at*, if one does."""
    first = rows[at].bare
    if _WITH_TEXT.match(first[:_MOST_CHARACTERS]):
        return Attribution(at, at + 1, certain=True)
    if not first.endswith(":") and not _OPENS.match(first):
        return None
    for end in range(at + 1, min(at + _MOST_ROWS, len(rows)) + 1):
        last = rows[end - 1]
        if last.is_blank or last.is_quoted or last.is_signon:
            return None
        if last.bare.endswith(":"):
            joined = " ".join(row.bare for row in rows[at:end])
            return _attribution(joined, at, end)
    return None


def header_block_at(rows: Sequence[Row], at: int) -> bool:
    """Whether the header of an enclosed mail begins at row *at* (From, Sent, To, Subject).

    It has an address or a date: the letters that players write to each other have neither.
    """
    if not _FROM.match(rows[at].squeezed):
        return False
    behind = [row.squeezed for row in rows[at + 1 : at + 1 + _LOOK_AHEAD] if not row.is_blank]
    is_dated = "@" in rows[at].bare or any(_WHEN.match(text) for text in behind)
    return is_dated and sum(bool(_FIELD.match(text)) for text in behind) >= _ENOUGH_FIELDS


def divider_at(rows: Sequence[Row], at: int) -> bool:
    """Whether row *at* says that an original or forwarded mail follows."""
    text = rows[at].bare
    framed = rows[at].text.startswith("---") and text.endswith("---")
    return bool((framed and _DIVIDER.search(text)) or _BEGIN_FORWARDED.match(text))


def _attribution(joined: str, start: int, end: int) -> Attribution | None:
    if len(joined) > _MOST_CHARACTERS:
        return None
    if _OLD_GMAIL.match(joined):
        return Attribution(start, end, certain=True)
    has_moment, has_verb = bool(_MOMENT.search(joined)), bool(_WROTE.search(joined))
    if not (has_moment or has_verb or _SAID.search(joined)):
        return None
    return Attribution(start, end, certain=has_moment and has_verb)
