"""Which text of a mail its sender wrote, and its lines.

The first text that is not empty: the plain one of alternatives, else the HTML one. Where it says
nothing to the judge, the HTML beside it is read if that does, and so is the first text behind it
that holds orders, such as one below a picture. Attachments, enclosed mails and calendars are never
read, and nothing is put together across the border of a part.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from machjudge.reading.mime.charset import decode
from machjudge.reading.mime.header import decode_words
from machjudge.reading.mime.mime import MimePart
from machjudge.reading.text.characters import plain, single_line, split_lines, words
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
_LOOK_AT = 64
_ENCRYPTED = frozenset(("multipart/encrypted", "application/pgp-encrypted"))
_CMS = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_OUTLOOK = frozenset(("application/ms-tnef", "application/vnd.ms-tnef"))
_OPEN_CMS = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", b"\x01\x09\x10\x01\x09")
_SEALED_CMS = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", b"\x01\x09\x10\x01\x17")
"""The object identifiers of signed and compressed, and of encrypted data (RFC 5652, 3274, 5083)."""
_DOCUMENT = re.compile(r"(?:application|image|audio|video)/|text/rtf")
_NOT_A_WORD = re.compile(r"[\W_]+")

Says = Callable[[Sequence[str]], Sequence[str]]
"""What of some lines is said to the judge: a signon, an order, a command."""


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of the text that is read, and what there is besides."""

    lines: tuple[str, ...]
    flaws: tuple[MailFlaw, ...]
    attachments: tuple[str, ...]
    further: tuple[str, ...] = ()
    """The lines of other texts in the mail, such as one behind a picture; they are not read."""


def body_of(mail: MimePart, limits: ReadingLimits, says: Says, orders: Says) -> Body:
    """The text of the mail as lines: decoded, unfolded, HTML laid out.

    *says* and *orders* tell which lines are meant for the judge, and which of them are orders or
    signons, which no footer looks like.
    """
    text = _find(mail, named=False) or _find(mail, named=True)
    html = _laid_out_beside(mail, text)
    lines, cut = ([], False) if text is None else text_lines(text, limits, says)
    flaws: list[MailFlaw] = []
    if html is not None:
        laid_out, is_cut = text_lines(html, limits, says)
        if not says(lines) and says(laid_out):
            text, html, lines, cut = html, None, laid_out, is_cut
        else:
            is_part = not _lacks_any(laid_out, orders(lines))
            flaws += [MailFlaw.TEXTS_DIFFER] * (is_part and _lacks_any(lines, orders(laid_out)))
            lines = _without_signature(lines, html, limits)
    others = [part for part in _others(mail, text) if part is not mail]
    further: list[str] = []
    is_silent = not says(lines)
    for part in [part for part in others if is_text(part) and not part.is_blank][:_MOST_TEXTS]:
        more, is_cut = text_lines(part, limits, says)
        if is_silent and not part.name and orders(more):
            lines, cut, is_silent = [*lines, *more], cut or is_cut, False
            others.remove(part)
        else:
            further += more
    flaws += [MailFlaw.TEXT_CUT] * cut + _flaws_of_structure(mail, text, is_silent=is_silent)
    flaws += _remarks(others)
    return Body(tuple(lines), tuple(flaws), tuple(map(title, others)), tuple(further))


def _lacks_any(lines: Sequence[str], said: Sequence[str]) -> bool:
    """Whether one of the lines *said* stands nowhere in a text, however that is broken up."""
    whole = f" {' '.join(map(_bare_words, lines))} "
    return any(f" {_bare_words(line)} " not in whole for line in said)


def _bare_words(line: str) -> str:
    return " ".join(_NOT_A_WORD.sub(" ", plain(line)).casefold().split())


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


def _without_signature(lines: list[str], html: MimePart, limits: ReadingLimits) -> list[str]:
    """The lines with those quoted that the HTML beside the text marks as a signature."""
    signed = signature_of(_text_of(html, limits), limits.rows)
    return [f"> {line}" if " ".join(line.split()) in signed else line for line in lines]


def _text_of(part: MimePart, limits: ReadingLimits) -> str:
    content = part.content(limits.text + 1)
    return decode(content[: limits.text], part.parameter("charset"))


def text_lines(
    part: MimePart, limits: ReadingLimits, says: Says = lambda _: ()
) -> tuple[list[str], bool]:
    """The lines of one text part, and whether there would be more than the limits allow.

    *says* tells which lines are meant for the judge: those begin something new.
    """
    content = part.content(limits.text + 1)
    text = decode(content[: limits.text], part.parameter("charset"))
    if is_html(part) or is_hypertext(text):
        lines, cut = lines_of(text, limits.rows)
    else:
        lines, cut = split_lines(text), False
    if part.parameter("format").lower() == "flowed" and not is_html(part):
        delsp = part.parameter("delsp").lower() == "yes"
        lines = unfold(lines, delsp=delsp, begins=lambda line: bool(says([line])))
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
        case "multipart/signed":
            return _find(part.parts[0], named=named)
        case "multipart/related":
            return _find(_root(part), named=named)
        case "multipart/alternative":
            found = [text for inner in part.parts if (text := _find(inner, named=named))]
            return min(found, key=is_html, default=None)
        case _:
            found = [text for inner in part.parts if (text := _find(inner, named=named))]
            return found[0] if found else None


def _root(related: MimePart) -> MimePart:
    """The part that the others belong to (RFC 2387): as ``start`` says, else the first text."""
    start = related.parameter("start").strip("<> ")
    for part in related.parts:
        if start and part.header.get("content-id").strip("<> ") == start:
            return part
    first = related.parts[0]
    is_shown = first.parts or is_text(first)
    texts = (part for part in related.parts if part.parts or is_text(part))
    return first if is_shown else next(texts, first)


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


def _flaws_of_structure(
    part: MimePart, text: MimePart | None, *, is_silent: bool
) -> list[MailFlaw]:
    """Why nothing can be read: what the mail is instead, of which its sender is told."""
    if not is_silent:
        return []
    whole = list(_all_parts(part))
    kinds = {each.media_type for each in whole}
    signed = [_is_open(each) for each in whole if _is_cms(each)]
    if kinds & _ENCRYPTED or not all(signed):
        return [MailFlaw.ENCRYPTED]
    if signed:
        return [MailFlaw.SIGNED_WHOLE]
    if text is not None:
        return []
    if kinds & _OUTLOOK or any(leaf.name.lower() == "winmail.dat" for leaf in whole):
        return [MailFlaw.OUTLOOK]
    if any(leaf.broken for leaf in whole):
        return [MailFlaw.UNREADABLE]
    is_file = any(_DOCUMENT.match(leaf.media_type) for leaf in whole)
    return [MailFlaw.OTHER_FORMAT] if is_file else []


def _is_cms(part: MimePart) -> bool:
    return part.media_type in _CMS or part.name.lower().endswith(".p7m")


def _is_open(cms: MimePart) -> bool:
    """Whether S/MIME has signed or compressed a text in one piece, and not encrypted it."""
    start = cms.content(_LOOK_AT)[:_LOOK_AT]
    if any(name in start for name in _SEALED_CMS):
        return False
    kind = cms.parameter("smime-type").lower()
    return any(name in start for name in _OPEN_CMS) or kind in ("signed-data", "compressed-data")


def _all_parts(part: MimePart) -> Iterator[MimePart]:
    yield part
    for inner in part.parts:
        yield from _all_parts(inner)


# --- format=flowed (RFC 3676) -------------------------------------------------------------------

_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "
_NARROWEST = 60
"""No program breaks paragraphs at fewer characters."""


def unfold(
    lines: Sequence[str], *, delsp: bool, begins: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """The paragraphs of *lines*; with *delsp* the space at a soft line break is not text.

    *begins* says whether a line begins something new: some programs leave soft line breaks at the
    ends of short lines, too. Only lines of the same quoting depth are put together, and the
    signature's line never is.
    """
    out: list[str] = []
    pieces: list[str] = []
    depth = 0
    for line in lines:
        here, text = _unquoted(line)
        ends = here != depth or text == _SIGNATURE
        if pieces and (ends or (_had_room(pieces, text, depth) and begins(text))):
            out.append(_paragraph(depth, pieces))
            pieces = []
        depth = here
        soft = text.endswith(" ") and text != _SIGNATURE
        pieces.append(text[:-1] if soft and delsp else text)
        if not soft:
            out.append(_paragraph(depth, pieces))
            pieces = []
    return [*out, _paragraph(depth, pieces)] if pieces else out


def _had_room(pieces: Sequence[str], text: str, depth: int) -> bool:
    """Whether the first word of a line had room in the line above it."""
    word = text.partition(" ")[0]
    return depth + len(pieces[-1]) + len(word) < _NARROWEST


def _unquoted(line: str) -> tuple[int, str]:
    """The quoting depth, and the text without quote marks and stuffed space."""
    marks = _QUOTE.match(line)
    depth = marks.end() if marks else 0
    return depth, line[depth:].removeprefix(" ")


def _paragraph(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth else text
