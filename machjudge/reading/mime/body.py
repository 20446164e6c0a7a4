"""Which text of a mail its sender wrote, and its lines.

The first text that is not empty: the plain one of alternatives, else the HTML one. Attachments,
enclosed mails and calendars are never read, and nothing is read across the border of a part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from machjudge.reading.mime.charset import decode
from machjudge.reading.mime.header import decode_words
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.characters import single_line, split_lines, words
from machjudge.reading.text.flowed import unfold
from machjudge.reading.text.hypertext import is_hypertext, lines_of, signature_of
from machjudge.reading.text.mail import MailFlaw, ReadingLimits

_NO_PROSE = words(
    "text/calendar text/csv text/css text/vcard text/x-vcard text/directory text/rtf "
    "text/rfc822-headers text/x-amp-html text/javascript text/xml text/x-patch text/x-diff"
)
_UNREMARKABLE = words(
    "application/pgp-signature application/pkcs7-signature application/x-pkcs7-signature "
    "application/pgp-keys application/ms-tnef text/vcard text/x-vcard text/x-amp-html"
)
_MOST_TEXTS = 5
_SEALED = frozenset(("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"))


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of the text that is read, and what there is besides."""

    lines: tuple[str, ...]
    flaws: tuple[MailFlaw, ...]
    attachments: tuple[str, ...]
    further: tuple[str, ...] = ()
    """The lines of other texts in the mail, such as one behind a picture; they are not read."""


def body_of(mail: MimePart, limits: ReadingLimits) -> Body:
    """The text of the mail as lines: decoded, unfolded, HTML laid out."""
    text = _find(mail, named=False) or _find(mail, named=True)
    others = [part for part in _others(mail, text) if part is not mail]
    lines, cut = ([], False) if text is None else text_lines(text, limits)
    lines = _without_signature(lines, _laid_out_beside(mail, text), limits)
    flaws = [MailFlaw.TEXT_CUT] * cut + _flaws_of_structure(mail, text) + _remarks(others)
    texts = [part for part in others if is_text(part) and not part.is_blank][:_MOST_TEXTS]
    further = [line for part in texts for line in text_lines(part, limits)[0]]
    return Body(tuple(lines), tuple(flaws), tuple(map(title, others)), tuple(further))


def attached_text(mail: MimePart, limits: ReadingLimits) -> tuple[str, list[str]] | None:
    """Name and lines of the only text file that is attached; None if there is none, or several."""
    files = [part for part in leaves(mail) if _is_text_file(part) and not part.is_blank]
    if len(files) != 1:
        return None
    lines, cut = text_lines(files[0], limits)
    return None if cut else (title(files[0]), lines)


def _is_text_file(part: MimePart) -> bool:
    """Whether a part is a file of plain text, whatever type a mail program gave it."""
    is_plain = part.media_type == "text/plain"
    is_named = part.name.lower().endswith(".txt") and not part.media_type.startswith("text/html")
    return part.is_attachment and (is_plain or is_named)


def _laid_out_beside(part: MimePart, text: MimePart | None) -> MimePart | None:
    """The HTML of which the text is the plain alternative, if there is one."""
    if text is None or is_html(text):
        return None
    if part.media_type == "multipart/alternative" and any(each is text for each in part.parts):
        return next(filter(is_html, (leaf for each in part.parts for leaf in leaves(each))), None)
    found = (_laid_out_beside(inner, text) for inner in part.parts)
    return next(filter(None, found), None)


def _without_signature(lines: list[str], html: MimePart | None, limits: ReadingLimits) -> list[str]:
    """The lines with those quoted that the HTML beside the text marks as a signature."""
    if html is None:
        return lines
    signed = signature_of(_text_of(html, limits), limits.rows)
    return [f"> {line}" if " ".join(line.split()) in signed else line for line in lines]


def _text_of(part: MimePart, limits: ReadingLimits) -> str:
    content = part.content(limits.text + 1)
    return decode(content[: limits.text], part.parameter("charset"))


def text_lines(part: MimePart, limits: ReadingLimits) -> tuple[list[str], bool]:
    """The lines of one text part, and whether there would be more than the limits allow."""
    content = part.content(limits.text + 1)
    text = decode(content[: limits.text], part.parameter("charset"))
    if is_html(part) or is_hypertext(text):
        lines, cut = lines_of(text, limits.rows)
    else:
        lines, cut = split_lines(text), False
    if part.parameter("format").lower() == "flowed" and not is_html(part):
        lines = unfold(lines, delsp=part.parameter("delsp").lower() == "yes")
    kept = _within(lines, limits)
    return kept, cut or len(content) > limits.text or len(lines) > len(kept)


def _within(lines: Sequence[str], limits: ReadingLimits) -> list[str]:
    """The first lines, as many of them as are looked at."""
    kept: list[str] = []
    left = limits.shown
    for line in lines[: limits.rows]:
        left -= min(len(line), limits.longest)
        if left < 0:
            break
        kept.append(line)
    return kept


def leaves(part: MimePart) -> Iterator[MimePart]:
    """The parts that have no parts."""
    if not part.parts:
        yield part
    for inner in part.parts:
        yield from leaves(inner)


def is_text(part: MimePart) -> bool:
    """Whether the part is text meant to be read where it stands."""
    media = part.media_type
    return media.startswith("text/") and media not in _NO_PROSE and not part.is_attachment


def is_html(part: MimePart) -> bool:
    """Whether the part is HTML."""
    return part.media_type == "text/html"


def title(part: MimePart) -> str:
    """The name of a part that is not read, or else its type."""
    return single_line(decode_words(part.name), 100) or part.media_type


def _find(part: MimePart, *, named: bool) -> MimePart | None:
    if not part.parts:
        wanted = is_text(part) and bool(part.name) == named
        return part if wanted and not part.is_blank else None
    match part.media_type:
        case "multipart/digest" | "multipart/encrypted":
            return None
        case "multipart/signed" | "multipart/related":
            return _find(part.parts[0], named=named)
        case "multipart/alternative":
            found = [text for inner in part.parts if (text := _find(inner, named=named))]
            return min(found, key=is_html, default=None)
        case _:
            found = [text for inner in part.parts if (text := _find(inner, named=named))]
            return found[0] if found else None


def _others(part: MimePart, text: MimePart | None) -> list[MimePart]:
    """The leaves that were left out, but not the other alternatives of the text that was read."""
    if part is text:
        return []
    if not part.parts:
        return [part]
    left = [_others(inner, text) for inner in part.parts]
    if part.media_type == "multipart/alternative" and text is not None:
        for inner, rest in zip(part.parts, left, strict=True):
            if any(leaf is text for leaf in leaves(inner)):
                return rest
    return [leaf for rest in left for leaf in rest]


def _remarks(others: list[MimePart]) -> list[MailFlaw]:
    texts = [part for part in others if is_text(part) and not part.is_blank]
    files = [part for part in others if not is_text(part) and not _is_trimming(part)]
    return [MailFlaw.OTHER_TEXT] * bool(texts) + [MailFlaw.ATTACHMENT] * bool(files)


def _is_trimming(part: MimePart) -> bool:
    """Signatures, cards and pictures that mail programs add on their own."""
    is_picture = part.media_type.startswith("image/") and part.header.has("content-id")
    return part.media_type in _UNREMARKABLE or is_picture


def _flaws_of_structure(part: MimePart, text: MimePart | None) -> list[MailFlaw]:
    if text is not None:
        return []
    kinds = {part.media_type, *(leaf.media_type for leaf in leaves(part))}
    if kinds & _SEALED:
        return [MailFlaw.ENCRYPTED]
    return [MailFlaw.UNREADABLE] if any(leaf.broken for leaf in leaves(part)) else []
