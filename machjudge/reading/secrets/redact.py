"""What is kept of a mail after it was handled: readable, and without a password in it.

A redacted mail is a plain one in UTF-8: a few header fields, then the lines of every text in it.
Attachments and enclosed mails are only named, and so is encoded text: nobody sees what it holds.
"""

import re
from binascii import a2b_base64
from collections.abc import Collection, Iterable, Iterator, Sequence

from machjudge.reading.mime.body import is_text, leaves, text_lines, title
from machjudge.reading.mime.charset import decode
from machjudge.reading.mime.header import decode_words, value_of
from machjudge.reading.mime.mime import MimePart, parse, quoted_printable
from machjudge.reading.secrets.codes import without_codes
from machjudge.reading.secrets.passwords import passwords_in, redact_known, redact_words
from machjudge.reading.text.characters import readable, single_line, words
from machjudge.reading.text.mail import ReadingLimits

_KEPT = words(
    "return-path from sender reply-to to cc date subject message-id in-reply-to references "
    "auto-submitted precedence list-id x-machjudge-loop"
)
_OWN_FIELDS = (
    "Redacted: passwords and attachments",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
)
_LIMITS = ReadingLimits(characters=4_000, rows=4_000, text=1_000_000)
_MOST_TEXTS = 10
_MOST_FIELDS = 60
_ENCODED = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_MAYBE_ENCODED = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
_LAST_OF_BLOCK = re.compile(r"[A-Za-z0-9+/]{1,76}={0,2}")
_UU_BEGIN = re.compile(r"begin [0-7]{3,4} \S")
_CODE = re.compile(r"=[0-9A-Fa-f]{2}|=$")
_PLAIN_ENCODINGS = frozenset(("", "7bit", "8bit", "binary", "base64", "quoted-printable"))
_NOT_KEPT = "[not kept: encoded text]"


def redact(raw: bytes, secrets: Collection[str] = ()) -> bytes:
    """The mail *raw* without passwords, as a mail in UTF-8. Any bytes in, never raises.

    Redacted are the words that stand in the place of a password (see
    :mod:`machjudge.reading.secrets.passwords`), every other place where one of them occurs, and
    *secrets*, which the caller knows besides.
    """
    mail = parse(raw)
    header = list(_header(mail))
    body = [line for leaf in _leaves(mail) for line in _lines(leaf)]
    seen = [_seen(group) for group in _groups(body)]
    known = passwords_in(body) | {*secrets}
    if seen != body:
        known |= passwords_in(seen)
    known = known.union(*(passwords_in([value]) for _, value in header))
    head = [f"{name}: {redact_known(redact_words([value])[0], known)}" for name, value in header]
    kept = list(_without_encoded(body, known))
    if kept != body:
        seen = [_seen(group) for group in _groups(kept)]
    text = list(_redacted(kept, seen, known))
    if seen != kept:  # what stood in codes may be base64
        text = list(_without_encoded(text, known))
    text = without_codes(text, known)
    return ("\n".join([*head, *_OWN_FIELDS, "", *text]) + "\n").encode("utf-8", "replace")


def _header(mail: MimePart) -> Iterator[tuple[str, str]]:
    fields = [(name, value) for name, value in mail.header.fields if name in _KEPT]
    for name, value in fields[:_MOST_FIELDS]:
        yield name.title(), single_line(readable(decode_words(value)))


def _leaves(mail: MimePart) -> Iterator[MimePart]:
    """The parts to keep: the first texts, and the names of the rest."""
    texts = 0
    for leaf in leaves(mail):
        texts += is_text(leaf)
        if texts <= _MOST_TEXTS or not is_text(leaf):
            yield leaf


def _lines(leaf: MimePart) -> Iterator[str]:
    encoding = value_of(leaf.header.get("content-transfer-encoding"))
    if not is_text(leaf) or encoding not in _PLAIN_ENCODINGS:
        yield f"[not kept: {readable(title(leaf))}]"
        return
    lines, cut = text_lines(leaf, _LIMITS)
    for line in _without_uu(lines):
        yield readable(line) if len(line) <= _LIMITS.characters else "[not kept: a long line]"
    if cut:
        yield "[not kept: further lines]"


def _without_uu(lines: Sequence[str]) -> Iterator[str]:
    """The lines without files written into the text by uuencode."""
    in_file = False
    for line in lines:
        if _UU_BEGIN.match(line):
            in_file = True
            yield _NOT_KEPT
        elif not in_file:
            yield line
        elif line.strip() == "end":
            in_file = False


def _groups(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines that quoted-printable would read as one: a bounce may show such text undecoded."""
    group: list[str] = []
    for line in lines:
        group.append(line)
        if not line.endswith("=") or len(group) > _LIMITS.characters:
            yield group
            group = []
    if group:
        yield group


def _seen(group: list[str]) -> str:
    """A group of lines as one line, decoded if it holds codes."""
    if len(group) == 1 and not _CODE.search(group[0]):
        return group[0]
    return readable(decode(quoted_printable("\n".join(group).encode("utf-8", "replace")), "utf-8"))


def _redacted(body: Sequence[str], seen: Sequence[str], known: Collection[str]) -> Iterator[str]:
    """The body's lines redacted; where only the decoded line shows a password, the decoded line."""
    whole = redact_words(body)
    plain = iter(whole)
    decoded_lines = whole if seen == body else redact_words(seen)
    for group, line, redacted in zip(_groups(body), seen, decoded_lines, strict=True):
        shown = [redact_known(next(plain), known) for _ in group]
        decoded = redact_known(redacted, known)
        yield from [decoded] if decoded != line else shown


def _without_encoded(lines: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """The lines without base64: long runs of it, the line that ends one, and short secrets."""
    in_block = False
    for line in lines:
        ends_block = in_block and bool(_LAST_OF_BLOCK.fullmatch(line))
        in_block = bool(_ENCODED.search(line))
        if ends_block and not in_block:
            yield _NOT_KEPT
        else:
            shorter = _ENCODED.sub(_NOT_KEPT, line)
            yield _MAYBE_ENCODED.sub(lambda run: _unless_secret(run[0], known), shorter)


def _unless_secret(run: str, known: Collection[str]) -> str:
    letters = run.rstrip("=")
    inside = a2b_base64(letters[: len(letters) - (len(letters) % 4 == 1)] + "==").decode("latin-1")
    return _NOT_KEPT if redact_known(inside, known) != inside or passwords_in([inside]) else run
