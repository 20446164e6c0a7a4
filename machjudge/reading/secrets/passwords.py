"""How the passwords in what people write are redacted."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from machjudge.reading.secrets.codes import REDACTED, sure_codes_in, without_codes
from machjudge.reading.secrets.password_places import AROUND, PasswordPlace, password_places
from machjudge.reading.text.characters import normal_form, readable

_SHORT = 4
"""A shorter password in a mail is redacted only where it stands as one. Elsewhere that would mark
the places of common letters, and so betray it."""
_LONG = 200
_MOST_KNOWN = 300
_QUOTED = re.compile(r"(\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))")


def redact_line(text: str, secrets: Collection[str] = ()) -> str:
    """One line without the password it may hold, and without *secrets*: for logs and answers."""
    line = readable(text)
    return _without(line, _spans(line, secrets))


def redacted_column(line: str, column: int, secrets: Collection[str] = ()) -> int:
    """Where a column of a line is when it is redacted; of one in a password, where that begins."""
    shift = 0
    for start, end in _merged(_spans(line, secrets)):
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
    """A sentence of the judge without the *secrets* of a mail that it may repeat.

    What it repeats stands in quotation marks; elsewhere only what is no plain word can come from a
    mail. A password that is a word of the sentence itself would be betrayed by a gap.
    """
    odd = {word for word in secrets if not word.isalpha()}
    parts = _QUOTED.split(text)
    return "".join(redact_known(part, secrets if at % 2 else odd) for at, part in enumerate(parts))


def redact_words(
    lines: Sequence[str],
    counts: Callable[[PasswordPlace], PasswordPlace | None] = lambda place: place,
) -> list[str]:
    """The lines with everything redacted that stands in the place of a password.

    *counts* gives what of a place is redacted, or None.
    """
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in filter(None, map(counts, password_places(lines))):
        spans[place.line].append((place.start, place.end))
    return [_without(line, spans.get(at, ())) for at, line in enumerate(lines)]


def passwords_in(lines: Sequence[str]) -> frozenset[str]:
    """The passwords in the lines that can be looked for elsewhere."""
    found: dict[str, None] = {}
    for place in password_places(lines):
        for text in place.known:
            bare = text.strip(AROUND)
            found |= dict.fromkeys([text, bare, *re.split("[;,]", bare)])
    long = (text for text in found if _SHORT <= len(text) <= _LONG and text.strip("* "))
    return frozenset(islice(long, _MOST_KNOWN)) | sure_codes_in(lines)


def redact_known(line: str, known: Collection[str]) -> str:
    """The line with every occurrence of the *known* passwords redacted, in any case of letters."""
    return _without(line, _known_in(line, _pattern(frozenset(known))))


def redact_secrets(lines: Sequence[str], secrets: Collection[str]) -> list[str]:
    """The lines without *secrets* that stand there as words, and without reply codes.

    In any form of letters, and for codes also in pieces, line for line.
    """
    pattern = _pattern(frozenset(secrets), as_words=True)
    lines = without_codes(lines, secrets)
    return [_without(line, _known_in(line, pattern)) for line in lines]


def _known_in(line: str, pattern: re.Pattern[str] | None) -> list[tuple[int, int]]:
    """Where something known stands in a line, in whatever form of letters."""
    if pattern is None:
        return []
    form, at = normal_form(line)
    found = (match.span() for match in pattern.finditer(form))
    return [(at[start], at[end - 1] + 1) for start, end in found]


def _spans(line: str, secrets: Collection[str]) -> list[tuple[int, int]]:
    """What is redacted in one line."""
    known = _known_in(line, _pattern(passwords_in([line]) | {*secrets}))
    return [*known, *((place.start, place.end) for place in password_places([line]))]


def _merged(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans in order, those that overlap as one."""
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
    """The line with its spans redacted."""
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
