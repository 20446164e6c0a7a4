"""Redact passwords and reply codes from what is kept of a mail.

A redacted mail is plain UTF-8: a few header fields, then the lines of every text. Attachments,
enclosed mails and encoded text are only named.
"""

import re
from binascii import a2b_base64
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum, auto
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from machjudge.mail_parser.lines import (
    ReadingLimits,
    is_bare_salutation,
    normal_form,
    readable,
    single_line,
    visible,
    words,
)
from machjudge.mail_parser.mime import (
    Header,
    MimePart,
    decode,
    decode_words,
    ids,
    is_text,
    leaves,
    parse,
    quoted_printable,
    text_lines,
    title,
    value_of,
)

# Reply codes: the tokens that messages of the judge carry, found in what people send back. They
# stand as ``r.`` and 26 letters and digits in an address (``judge+r.CODE@host``), in a
# Message-ID, and in a line of the text. Mail programs break them: by signs that nobody sees, by
# letters in another form, by ends of lines. All are looked for in one normal form of the text.
REDACTED: Final = "********"
"""What stands in the place of a secret."""
MAX = 20
"""The most whole codes, and the most broken ones, looked at in one mail."""

_LENGTH = 26
_SIGN = "[a-z2-7]"
_BEGIN, _END = "(?<![a-z0-9])", "(?![a-z0-9])"
_GAP = "[^a-z0-9]{0,12}"
_CODE = re.compile(rf"{_BEGIN}(?:r\.)?({_SIGN}{{26}}){_END}", re.IGNORECASE)
_TAGGED = re.compile(rf"{_BEGIN}r\.({_SIGN}{{26}}){_END}", re.IGNORECASE)
_BROKEN = re.compile(
    rf"{_BEGIN}(?=r[^a-z0-9.]{{0,4}}\.[^a-z0-9]{{0,8}}({_SIGN}(?:{_GAP}{_SIGN}){{25}}){_END})",
    re.IGNORECASE,
)
_PIECE = re.compile(rf"{_BEGIN}{_SIGN}{{1,25}}{_END}", re.IGNORECASE)
_WORD = re.compile("[a-z0-9]+", re.IGNORECASE)
_DIGIT = re.compile("[2-7]")
_MAX_PIECES = 4
_LEAST_PIECE = 8
"""The least length of a piece of a known code that is no chance."""
_WIDEST_GAP = 12
_ESCAPED = re.compile(
    r"&(?:[a-z]{2,14}|#[0-9]{1,7}|#x[0-9a-f]{1,6});|[=%][0-9A-F]{2}|</?[a-z][^<>\n]{0,40}>"
)
"""What stands for a sign where a program did not decode it, or is no text."""
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")


def codes_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Everything in *texts* that may be a code, in order, each once and in lower case."""
    form = _form("\n".join(texts))[0]
    return _first(match[1].lower() for match in _CODE.finditer(form))


def sure_codes_in(texts: Iterable[str]) -> frozenset[str]:
    """The codes in *texts* that are marked as such: nothing else looks like them."""
    text = "\n".join(texts)
    if text.isascii() and "r." not in text.lower():
        return frozenset()
    return frozenset(_TAGGED.findall(_form(text)[0]))


def redact_codes(text: str) -> str:
    """The text without the codes that are marked as such."""
    return "".join(_blotted(text, _spans(text, ())))


def without_codes(lines: Sequence[str], known: Collection[str] = ()) -> list[str]:
    """Return the lines without marked codes and without *known* ones.

    Pieces of one broken by line ends go too; the line ends stay.
    """
    text = "\n".join(lines)
    return "".join(_blotted(text, _spans(text, known))).split("\n") if lines else []


def codes_of(header: Header, rows: Iterable[str]) -> tuple[str, ...]:
    """Return possible codes, the surest first: recipients, mails answered, text, broken ones."""
    lines = list(rows)
    whole = codes_in([*_fields(header), *lines])
    form = _form("\n".join(lines))[0]
    broken = _first(chain(_marked(form), _bare(form)))
    return tuple(dict.fromkeys((*whole, *broken)))


def lines_of_codes(lines: Sequence[str]) -> list[str]:
    """The lines with everything redacted that is a code by its looks, whole or marked as such."""
    marked = _first(_marked(_form("\n".join(lines))[0]))
    return without_codes(lines, {*codes_in(lines), *marked})


def _marked(form: str) -> Iterator[str]:
    return (_squeezed(match[1]) for match in _BROKEN.finditer(form))


def _first(found: Iterable[str]) -> tuple[str, ...]:
    each: dict[str, None] = {}
    for code in found:
        each.setdefault(code)
        if len(each) >= MAX:
            break
    return tuple(each)


def _squeezed(text: str) -> str:
    return "".join(re.findall(_SIGN, text.lower()))


def _bare(form: str) -> Iterator[str]:
    """Neighbours that together are as long as a code, with a digit, as prose seldom has."""
    words = [word.span() for word in _WORD.finditer(form)]
    for first, (begin, behind) in enumerate(words):
        size, end = behind - begin, behind
        for start, stop in words[first + 1 : first + _MAX_PIECES]:
            if start - end > _WIDEST_GAP or size >= _LENGTH:
                break
            size, end = size + stop - start, stop
            if size == _LENGTH:
                code = _squeezed(form[begin:end])
                if len(code) == _LENGTH and _DIGIT.search(code):
                    yield code


def _form(text: str) -> tuple[str, Sequence[int]]:
    """The normal form of a text with nothing in it that stands for a sign, and where all stood."""
    return normal_form(_ESCAPED.sub(lambda found: " " * len(found[0]), text))


def _spans(text: str, known: Collection[str]) -> list[tuple[int, int]]:
    """Where codes stand in a text, without what marks them as such."""
    form, at = _form(text)
    sure = [match.span(1) for match in _TAGGED.finditer(form)]
    for code in known:
        if re.fullmatch(rf"{_SIGN}{{26}}", code, re.IGNORECASE):
            pattern = re.compile(_BEGIN + rf"(?:r\.)?({_GAP.join(code)})" + _END, re.IGNORECASE)
            sure += [match.span(1) for match in pattern.finditer(form)]
            pieces = (match for match in _PIECE.finditer(form) if len(match[0]) >= _LEAST_PIECE)
            sure += [match.span() for match in pieces if match[0].lower() in code.lower()]
    return [(at[start], at[end - 1] + 1) for start, end in sure]


def _blotted(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The text with its spans redacted, each line of one by itself."""
    done = 0
    for start, end in sorted(spans):
        if start < done:
            continue
        yield text[done:start]
        yield re.sub(r"(?:^|(?<=\n))([\s>|]*)[^\n]+", rf"\1{REDACTED}", text[start:end])
        done = end
    yield text[done:]


def _fields(header: Header) -> Iterator[str]:
    for name in _RECIPIENTS:
        yield from header.all(name)
    yield from ids(header.get("in-reply-to"))
    yield from reversed(ids(header.get("references")))


# The one finder of passwords and tokens in what people write, and how they are redacted. Found is
# what stands behind the game in a signon, hello, login, observe or watch, the word behind the
# game in a create, what stands behind "set password", "password is" or "confirm", and what is
# joined to a game (``signon Vborgia/tulip9``). It may stand on one of the next lines. In doubt
# rather too much is found: who writes to other people chooses by ``PasswordPlace`` what of it
# counts.
_NEXT_LINES = 3
_MAX_IN_LINE = 10
"""The number of commands in a line behind which everything is redacted."""
_HEAD = r"^[\s>|*•+_\-\"'`]{0,200}(?:\(?\d{1,3}[.)][\s*_]{0,9})?"
_NAME = r"(?:pass(?:word|wort|wd)|kennwort|pwd?)"
_COMMAND = re.compile(
    r"(?P<seat>(?<![a-z0-9])(?:sign[\s-]{0,3}on|log[\s-]?in)(?P<joined>\w{0,40})[:.,]{0,3})"
    rf"|(?P<watch>{_HEAD}(?:(?P<hello>hello|join)|observe|watch)\b)"
    r"|(?P<create>(?<![a-z0-9])create\b(?=\s*\?))"
    r"|(?P<set>(?<![a-z0-9])set\b(?:(?!\bset\b)[^\n]){0,200}?\b(?:pass\w{0,40}|pw|p)\b[:=]{0,3})"
    rf"|(?P<meant>{_HEAD}set\s{{1,9}}(?P<key>\w{{5,12}})\s{{0,9}}[:=]?(?=\s{{0,9}}\S+\s{{0,9}}$))"
    rf"|(?P<word>(?<![a-z0-9]){_NAME}\s{{0,9}}(?:is\b|ist\b|[:=]))"
    rf"|(?P<bare>{_HEAD}(?:my\s{{1,9}})?{_NAME}(?=\s{{1,9}}(?!ist?\b|[:=])\S+\s{{0,9}}$))"
    rf"|(?P<loose>(?<![a-z0-9]){_NAME}\s{{1,9}}(?:-{{1,3}}>?\s{{1,9}})?(?=\S)"
    rf"|{_HEAD}(?:pass|token)(?=\s{{1,9}}\S+\s{{0,9}}$)"
    rf"|{_HEAD}(?:my\s{{1,9}})?{_NAME}\s{{0,9}}$)"
    rf"|(?P<glued>{_HEAD}\??[a-z]\w{{2,40}}[/|\\]{{1,3}}(?=[^\s/|\\]{{3,80}}\s{{0,9}}$))"
    rf"|(?P<confirm>{_HEAD}confirm\b)",
    re.IGNORECASE,
)
_STEMS = re.compile(
    r"sign|log|hello|observe|watch|join|create|set|pass|token|kennwort|pw|confirm|[/|\\]"
)
"""One of these is in every match of the pattern."""
_MEANT = ("password", "passwort")
_JOINED = re.compile(r"\??[\w@.-]{1,60}?[/:;,=|\\]+(?=\w)")
"""A game with its password joined on."""
_LOOSELY_JOINED = re.compile(r"\??[A-Za-z0-9]{1,60}[^A-Za-z0-9\s]+(?=\w)")
"""The same with any sign, where no password follows."""
_ODD = re.compile(r"\d")
_SHORTEST_GAME = 3
_ANY_WORD = re.compile(r"[\"“][^\"“”]{1,80}[\"”]\S*|\S+")
_MARKS = re.compile(r"[\s>|*•+-]*")


class Behind(Enum):
    """What a password follows."""

    SIGNON = auto()
    HELLO = auto()
    """Also a greeting."""
    GAME = auto()
    """``observe``, ``watch``, ``create``."""
    SETTING = auto()
    NAME = auto()
    """Its own name ("my password is")."""
    CONFIRM = auto()


@dataclass(frozen=True, slots=True)
class PasswordPlace:
    """A stretch of a line that is or may be a password."""

    line: int
    start: int
    end: int
    behind: Behind
    opening: tuple[int, int] = (0, 0)
    """The line and column where the command begins."""
    game: str = ""
    """The word in the place of a game, as written."""
    first: str = ""
    """The first word of the stretch."""
    known: tuple[str, ...] = ()
    """What of it can be looked for elsewhere."""


@dataclass(frozen=True, slots=True)
class _LineWord:
    line: int
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


AROUND = " \t.,;:!?\"'()<>[]“”‘’*_`"


def password_places(lines: Sequence[str]) -> Iterator[PasswordPlace]:
    """Where passwords stand or may stand in lines, one after another."""
    if not _has_stem(lines):
        return
    for at, line in enumerate(lines):
        if not _has_stem((line,)):
            continue
        commands = _COMMAND.finditer(line)
        for command in islice(commands, _MAX_IN_LINE):
            yield from _behind(lines, at, command)
        for command in islice(commands, 1):
            yield PasswordPlace(at, command.end(), len(line), Behind.SIGNON)


def _has_stem(lines: Sequence[str]) -> bool:
    return _STEMS.search("\n".join(lines).casefold()) is not None


def _behind(lines: Sequence[str], at: int, command: re.Match[str]) -> Iterator[PasswordPlace]:
    """What stands behind *command*, found in line *at*, that is a password or may be one."""
    behind = _kind(command)
    if behind is None:
        return
    words = _words(lines, at, command.end())
    has_game = behind in (Behind.SIGNON, Behind.HELLO, Behind.GAME) and not command["joined"]
    game = next(words, None) if has_game else None
    first = next(words, None)
    joined = _joined(game, first) if game else None
    if game and joined:
        first = _LineWord(game.line, game.start + joined.end(), game.text[joined.end() :])
    if first is None:
        return
    if behind is Behind.HELLO and (first.line != at or _greets(lines[at], command)):
        return
    name = game.text[: joined.end()] if game and joined else game.text if game else ""
    place = PasswordPlace(
        first.line, first.start, first.end, behind, (at, command.start()), name, first.text
    )
    if command["loose"]:
        yield replace(place, known=(first.text,) if _ODD.search(first.text) else ())
        return
    if behind in (Behind.NAME, Behind.CONFIRM) or (command["create"] and name != "?"):
        yield replace(place, known=(first.text,))
        return
    line = lines[first.line]
    rest = line[first.start :]
    # "Hello judge, how are you" is hardly a signon: redacted, but not looked for elsewhere.
    is_sure = not command["watch"] or len(rest.split()) == 1
    yield replace(place, end=len(line), known=(first.text, rest) if is_sure else ())


def _greets(line: str, command: re.Match[str]) -> bool:
    """Return whether a line with "hello" is a sentence: "Hello, I would like to play"."""
    said = line[command.end() :].lstrip(AROUND)
    if _COMMAND.match(said):
        return False
    name, *behind = said.split() or [""]
    is_word = len(name.strip(AROUND)) < _SHORTEST_GAME or is_bare_salutation(name)
    is_address = is_word or name[-1:] in (*",.!:;",) or line[command.end()] in ",.!:;"
    return is_address and len(behind) > 1 and not any(map(_ODD.search, behind))


def _joined(game: _LineWord, after: _LineWord | None) -> re.Match[str] | None:
    """The game and the sign with which its password is joined on, if it is."""
    found = _JOINED.match(game.text)
    if found is None and (after is None or after.line != game.line):
        found = _LOOSELY_JOINED.match(game.text)
    return found


def _kind(command: re.Match[str]) -> Behind | None:
    """What the command has a password behind; None if it is no command."""
    if command["meant"]:
        return Behind.SETTING if means_password(command["key"]) else None
    named = {
        "seat": Behind.SIGNON,
        "hello": Behind.HELLO,
        "watch": Behind.GAME,
        "create": Behind.GAME,
        "set": Behind.SETTING,
        "word": Behind.NAME,
        "bare": Behind.NAME,
        "loose": Behind.NAME,
        "glued": Behind.NAME,
        "confirm": Behind.CONFIRM,
    }
    return next(kind for group, kind in named.items() if command[group])


def _words(lines: Sequence[str], at: int, start: int) -> Iterator[_LineWord]:
    """The words behind *start* in line *at*, then those of the next lines up to a command."""
    yield from _words_of(lines, at, start)
    filled = (n for n in range(at + 1, len(lines)) if lines[n].strip())
    for n in islice(filled, _NEXT_LINES):
        marks = _MARKS.match(lines[n])
        begin = marks.end() if marks else 0
        if _COMMAND.match(lines[n][begin:]):
            return
        yield from _words_of(lines, n, begin)


def _words_of(lines: Sequence[str], at: int, start: int) -> Iterator[_LineWord]:
    return (_LineWord(at, word.start(), word[0]) for word in _ANY_WORD.finditer(lines[at], start))


@lru_cache(maxsize=1024)
def means_password(word: str) -> bool:
    """Return whether a word is, perhaps misspelt, the name of the password, as behind ``set``."""
    return bool(get_close_matches(word.lower(), _MEANT, cutoff=0.6))


_SHORT = 4
"""A shorter password is redacted only in its place: elsewhere that would betray its letters."""
_LONG = 200
_MAX_KNOWN = 300
_QUOTED = re.compile(r"(\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))")


def redact_line(text: str, secrets: Collection[str] = ()) -> str:
    """One line without the password it may hold, and without *secrets*: for logs and answers."""
    line = readable(text)
    return _without(line, _password_spans(line, secrets))


def redacted_column(line: str, column: int, secrets: Collection[str] = ()) -> int:
    """Where a column of a line is when it is redacted; of one in a password, where that begins."""
    shift = 0
    for start, end in _merged(_password_spans(line, secrets)):
        if column >= end:
            shift += len(REDACTED) - (end - start)
        elif column > start:
            return start + shift
    return column + shift


def hidden_in(line: str, secrets: Collection[str] = ()) -> frozenset[str]:
    """The words of a line that are not in it any more when it is redacted."""
    shown = redact_line(line, secrets)
    bare = {form for word in line.split() for form in (word, word.strip(AROUND))}
    return frozenset(word for word in bare if word and word not in shown)


def redact_sentence(text: str, secrets: Collection[str]) -> str:
    """Redact a sentence of the judge that may repeat *secrets* of a mail.

    Repeated text is quoted; elsewhere only what is no plain word can come from a mail. A gap would
    betray a password that is a word of the sentence.
    """
    if not secrets:
        return text
    odd = {word for word in secrets if not word.isalpha()}
    parts = enumerate(_QUOTED.split(text))
    return "".join([redact_known(part, secrets if at % 2 else odd) for at, part in parts])


def redact_words(
    lines: Sequence[str],
    counts: Callable[[PasswordPlace], PasswordPlace | None] = lambda place: place,
) -> list[str]:
    """Redact everything in the place of a password; *counts* gives what of a place, or None."""
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in filter(None, map(counts, password_places(lines))):
        spans[place.line].append((place.start, place.end))
    if not spans:
        return list(lines)
    return [_without(line, spans.get(at, ())) for at, line in enumerate(lines)]


def passwords_in(lines: Sequence[str]) -> frozenset[str]:
    """The passwords in the lines that can be looked for elsewhere."""
    found: dict[str, None] = {}
    for place in password_places(lines):
        for text in place.known:
            bare = text.strip(AROUND)
            found |= dict.fromkeys([text, bare, *re.split("[;,]", bare)])
    long = (text for text in found if _SHORT <= len(text) <= _LONG and text.strip("* "))
    return frozenset(islice(long, _MAX_KNOWN)) | sure_codes_in(lines)


def redact_known(line: str, known: Collection[str]) -> str:
    """The line with every occurrence of the *known* passwords redacted, in any case of letters."""
    return _without(line, _known_in(line, _pattern(frozenset(known))))


def _all_without(lines: list[str], known: Collection[str]) -> list[str]:
    """The same of several lines, most of which have none of them."""
    pattern = _pattern(frozenset(known))
    if pattern is None or pattern.search(normal_form("\n".join(lines))[0]) is None:
        return lines
    return [_without(line, _known_in(line, pattern)) for line in lines]


def redact_secrets(lines: Sequence[str], secrets: Collection[str]) -> list[str]:
    """Return the lines without reply codes and without *secrets*, in any form of letters."""
    pattern = _pattern(frozenset(secrets), as_words=True)
    lines = without_codes(lines, secrets)
    return [_without(line, _known_in(line, pattern)) for line in lines]


def _known_in(line: str, pattern: re.Pattern[str] | None) -> list[tuple[int, int]]:
    """Where something known stands in a line, in whatever form of letters."""
    if pattern is None:
        return []
    form, at = normal_form(line)
    return [(at[each.start()], at[each.end() - 1] + 1) for each in pattern.finditer(form)]


def _password_spans(line: str, secrets: Collection[str]) -> list[tuple[int, int]]:
    known = _known_in(line, _pattern(passwords_in([line]) | {*secrets}))
    return [*known, *((place.start, place.end) for place in password_places([line]))]


def _merged(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans in order, overlapping ones joined."""
    open_: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if open_ is None or start >= open_[1]:
            if open_ is not None:
                yield open_
            open_ = (start, end)
        else:
            open_ = (open_[0], max(open_[1], end))
    if open_ is not None:
        yield open_


def _without(line: str, spans: Sequence[tuple[int, int]]) -> str:
    if not spans:
        return line
    out: list[str] = []
    at = 0
    for start, end in _merged(spans):
        out += [line[at:start], REDACTED]
        at = end
    return "".join([*out, line[at:]])


@lru_cache(maxsize=16)
def _pattern(known: frozenset[str], *, as_words: bool = False) -> re.Pattern[str] | None:
    forms = {normal_form(word)[0] for word in known if word.strip()}
    words = sorted(filter(str.strip, forms), key=len, reverse=True)
    choices = [_choice(word, as_word=as_words or len(word) < _SHORT) for word in words]
    return re.compile("|".join(choices), re.IGNORECASE) if choices else None


def _choice(word: str, *, as_word: bool) -> str:
    exact = re.escape(word)
    return rf"(?<!\w){exact}(?!\w)" if as_word else exact


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
_MAX_TEXTS = 10
_MAX_FIELDS = 60
_ENCODED = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_MAYBE_ENCODED = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
_LAST_OF_BLOCK = re.compile(r"[A-Za-z0-9+/]{1,76}={0,2}")
_UU_BEGIN = re.compile(r"begin [0-7]{3,4} \S")
_ENCODED_SIGN = re.compile(r"=[0-9A-Fa-f]{2}|=$")
_PLAIN_ENCODINGS = frozenset(("", "7bit", "8bit", "binary", "base64", "quoted-printable"))
_NOT_KEPT = "[not kept: encoded text]"


def redact(raw: bytes, secrets: Collection[str] = ()) -> bytes:
    """Return the mail *raw* without passwords, as UTF-8; never raises.

    Redacted are the words in a password's place (see :mod:`machjudge.mail_parser.secrets`), their
    other occurrences, and *secrets*, known to the caller.
    """
    mail = parse(raw)
    header = list(_header(mail))
    body = [line for leaf in _leaves(mail) for line in _lines(leaf)]
    seen = _all_seen(body)
    known = passwords_in(body) | {*secrets}
    if seen != body:
        known |= passwords_in(seen)
    values = [value for _, value in header]
    known |= sure_codes_in(values)
    if _has_stem(values):
        known = known.union(*(passwords_in([value]) for value in values))
        values = [redact_words([value])[0] for value in values]
    values = _all_without(values, known)
    head = [f"{name}: {value}" for (name, _), value in zip(header, values, strict=True)]
    kept = list(_without_encoded(body, known))
    if kept != body:
        seen = _all_seen(kept)
    text = list(_redacted(kept, seen, known))
    if seen != kept:  # what stood in codes may be base64
        text = list(_without_encoded(text, known))
    text = without_codes(text, known)
    return ("\n".join([*head, *_OWN_FIELDS, "", *text]) + "\n").encode("utf-8", "replace")


def _header(mail: MimePart) -> Iterator[tuple[str, str]]:
    fields = [(name, value) for name, value in mail.header.fields if name in _KEPT]
    for name, value in fields[:_MAX_FIELDS]:
        yield name.title(), single_line(readable(decode_words(value)))


def _leaves(mail: MimePart) -> Iterator[MimePart]:
    """The parts to keep: the first texts, and the names of the rest."""
    texts = 0
    for leaf in leaves(mail):
        texts += is_text(leaf)
        if texts <= _MAX_TEXTS or not is_text(leaf):
            yield leaf


def _lines(leaf: MimePart) -> Iterator[str]:
    encoding = value_of(leaf.header.get("content-transfer-encoding"))
    if not is_text(leaf) or encoding not in _PLAIN_ENCODINGS:
        yield f"[not kept: {readable(title(leaf))}]"
        return
    lines, cut = text_lines(leaf, _LIMITS)
    for line in _without_uu(lines) if "begin " in "".join(lines) else lines:
        if len(line) > _LIMITS.characters:
            yield "[not kept: a long line]"
        else:
            yield visible(line) if line.isascii() else readable(line)
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


def _all_seen(lines: list[str]) -> list[str]:
    """The lines as a program shows them that decodes what holds codes."""
    if "=" not in "".join(lines):
        return lines
    return [_seen(group) for group in _groups(lines)]


def _seen(group: list[str]) -> str:
    """A group of lines as one line, decoded if it holds codes."""
    if len(group) == 1 and not _ENCODED_SIGN.search(group[0]):
        return group[0]
    return readable(decode(quoted_printable("\n".join(group).encode("utf-8", "replace")), "utf-8"))


def _redacted(body: Sequence[str], seen: Sequence[str], known: Collection[str]) -> Iterable[str]:
    """The redacted lines, decoded where only that shows a password."""
    whole = _all_without(redact_words(body), known)
    if seen == body:
        return whole
    plain = iter(whole)
    lines: list[str] = []
    for group, line, redacted in zip(_groups(body), seen, redact_words(seen), strict=True):
        decoded = redact_known(redacted, known)
        shown = list(islice(plain, len(group)))
        lines += [decoded] if decoded != line else shown
    return lines


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
