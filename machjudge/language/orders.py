"""Read lines of orders: tokens, orders, and what is wrong with them."""

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, get_close_matches
from functools import cache, lru_cache
from itertools import chain, combinations, islice
from typing import NamedTuple, TypeAlias

from machjudge.adjudicator.board import Place, Power
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    BulkOrder,
    Convert,
    Disband,
    Hold,
    Named,
    Order,
    Pay,
    UnitOrder,
    Verb,
)
from machjudge.adjudicator.units import Kind
from machjudge.language.lexicon import (
    END,
    FILLER,
    HEAD,
    JUNK,
    SEPARATOR,
    STOP,
    Halt,
    Lexicon,
    Shape,
    Unknown,
    class_of,
    letter,
    openings,
    squash,
    unit_text,
    vocabulary,
    words_of,
)
from machjudge.language.order_parts import (
    MAX_TERMS,
    OrderPattern,
    WrongWordError,
    parse_simple,
    pattern_of,
)
from machjudge.language.words import (
    BY_STAGE,
    MAX_CHARACTERS,
    OWN_WORDS,
    UNREAD,
    UNREAD_TO,
    Fault,
    Parsed,
    ParseError,
    PlainLine,
    Said,
    Word,
    ambiguous,
    cut,
    fold,
    line_of,
    undressed,
    without_brackets,
)
from machjudge.translatable import Message, MessageOrText


class OrderToken(NamedTuple):
    """A word, a number, a sign, or a name of several words."""

    text: str
    kind: str
    """The character of its class."""
    start: int
    """Where it begins in the plain line."""
    end: int


Segment: TypeAlias = tuple[OrderToken, ...]
"""The terms of an order."""


@cache
def letters(names: str) -> frozenset[str]:
    """Return the characters of classes in a shape; *names* has spaces between them."""
    return frozenset(map(letter, names.split()))


_START = re.compile(r"#|//|\(|\s{2,}(?=\S)")
_MAX_STARTS = 8
_WIDE = 4
"""The spaces that separate an order from the margin."""
_LEAST_UNKNOWN = 2

_PLAIN_ENGLISH = frozenset(
    {
        "a",
        "an",
        "and",
        "at",
        "by",
        "for",
        "go",
        "i",
        "in",
        "is",
        "not",
        "of",
        "one",
        "the",
        "to",
        "with",
    }
)
"""Words of English sentences, some also order words, which behind a comment's sign are prose."""
_IN_SENTENCES = _PLAIN_ENGLISH | frozenset({"are", "from", "no", "on", "or", "so"})
_NO_SENTENCE = re.compile(r"\d|\s-")


_KIND = (
    r"(?:please|pls|plz|thanks?(?:\s+you)?|thx|cheers|sorry|apologies|ok(?:ay)?|p\.?\s?s\.?:?|"
    r"por\s+favor|gracias|perdon|disculpad?|lo\s+siento|per\s+(?:favore|piacere|cortesia)|"
    r"grazie|scusa(?:te|mi)?|mi\s+dispiace|bitte|danke|s'il\s+(?:te|vous)\s+plait|merci)"
)
_KINDLY = re.compile(
    rf"[\s,;.:!?–-]*(?:\b{_KIND}(?:[\s,;.:!?–-]+(?:and|e|y)(?=\s))?[\s,;.:!?–-]*)+"
)
_ASKING = re.compile(r"[\s!?.]*\?[\s!?.]*$")
_OPENS = re.compile(r"\s*[¿¡]")
_SIGNED = re.compile(r"\s*(?:,|;|--)\s*([^\W\d_]{2,}(?:\s[^\W\d_]{2,})?)[.!]?\s*$")


def salutations_around(plain: str, lexicon: Lexicon) -> tuple[int, int]:
    """Return where the order in a line with salutations begins and ends.

    Courtesies are please, sorry, PS, thanks, a question mark, and a name behind a comma.
    """
    start, end = 0, len(plain)
    opened = _OPENS.match(plain)
    start = opened.end() if opened is not None else 0
    before = _KINDLY.match(plain, start)
    start = before.end() if before is not None else start
    for _ in range(_MAX_COURTESIES):
        behind = next((m for m in _KINDLY.finditer(plain, start) if m.end() >= end), None)
        asked = _ASKING.search(plain, start, end)
        signed = _SIGNED.search(plain, start, end)
        found = min((m.start() for m in (behind, asked) if m is not None), default=end)
        if found == end and signed is not None and _is_a_name(signed[1], lexicon):
            found = signed.start()
        if found >= end:
            break
        end = found
    return start, end


_MAX_COURTESIES = 3


def _is_a_name(text: str, lexicon: Lexicon) -> bool:
    known = {*vocabulary(), *lexicon.place_names(), *lexicon.power_names()}
    return not any(
        lexicon.means_something(word) or get_close_matches(word, known, n=1, cutoff=0.82)
        for word in cut(text)
    )


class LineRemark(NamedTuple):
    """The beginning of a possible comment in a line."""

    start: int
    """Where it begins in the plain line."""
    announced: bool
    """True behind ``#`` or ``//``, which no order contains."""


def remarks_in(plain: str, lexicon: Lexicon) -> Iterator[LineRemark]:
    """The places of a line behind which only a comment follows, from the left.

    A comment begins with ``#``, ``//``, ``(`` or two spaces, and contains no place, no power and
    no order word; behind ``#`` and ``//`` it may have figures and single letters.  Behind a wide
    gap a sentence may have some order words, but no name and no number.  A whole line behind ``#``
    or ``//`` may say anything: nothing is cut in half.
    """
    first = len(plain) - len(plain.lstrip())
    for match in islice(_START.finditer(plain, first), _MAX_STARTS):
        announced = match.group() in ("#", "//")
        whole = announced and match.start() == first
        if len(match.group()) >= _WIDE and _is_in_margin(plain[match.end() :], lexicon):
            whole = True
        if whole or not _might_be_an_order(plain[match.start() :], lexicon):
            yield LineRemark(match.start(), announced)


def _is_in_margin(tail: str, lexicon: Lexicon) -> bool:
    if _NO_SENTENCE.search(tail):
        return False
    words = [word for word in cut(tail) if word[0].isalpha() and word not in _IN_SENTENCES]
    unknown = [word for word in words if not lexicon.means_something(word)]
    named = any(map(lexicon.is_exact, words))
    return not named and len(unknown) >= _LEAST_UNKNOWN and len(unknown) * 2 > len(words)


def _might_be_an_order(tail: str, lexicon: Lexicon) -> bool:
    marked, announced = not tail[0].isspace(), tail.startswith(("#", "//"))
    words = [word for word in cut(tail) if word[0].isalnum()]
    if announced:
        words = [word for word in words if len(word) > 1 and word[0].isalpha()]
    return any(
        lexicon.means_something(word) and not (marked and word in _PLAIN_ENGLISH) for word in words
    )


# Did you mean: the nearest line that can be read. Bounded work: a line of prose is given up at
# once, and an order is tried a dozen times at most.
Reread: TypeAlias = Callable[[str], Sequence[ParseError]]
"""Reads a line again and says what is refused."""

_MAX_UNKNOWN = 3
"""The most unknown words of a line with slips; more are prose."""
_MAX_CHOICES = 3
_MAX_SLIPS = 2
_LEAST_LIKENESS = 0.66
_LEAST_LETTERS = 3

_MISSPELT = frozenset({"beseige", "beseiges", "seige"})
"""Misspelt order words that are accepted."""


def nearest(line: str, lexicon: Lexicon, reread: Reread) -> str | None:
    """Return the line with misspelt words corrected, if it can be read then.

    :param line: one in which something was refused.
    :param lexicon: the names that may have been meant.
    :param reread: reads a changed line.
    """
    lines, changed = [line], _translated(line, lexicon)
    for _ in range(_MAX_SLIPS + 1):
        readable = next((line for line in changed if not reread(line)), None)
        if readable is not None:
            return readable
        lines = changed[:_MAX_CHOICES] or lines
        changed = list(islice(_changed(lines, lexicon), _MAX_CHOICES * _MAX_UNKNOWN))
    return None


def _translated(line: str, lexicon: Lexicon) -> list[str]:
    """The line with words of other languages translated; none without such words."""
    where = line_of(line)
    words = [w for w in where.words() if w.text in UNREAD and _is_unknown(w.text, lexicon)]
    ways = []
    for choice in range(max((len(UNREAD[word.text]) for word in words), default=0)):
        said = line
        for word in reversed(words):
            start, end = where.column(word.start), where.column(word.end)
            meant = UNREAD[word.text]
            said = said[:start] + meant[min(choice, len(meant) - 1)] + said[end:]
        ways += [said, UNREAD_TO.sub(" to ", said), UNREAD_TO.sub(" ", said)]
    return list(dict.fromkeys(ways))


def _changed(lines: Iterable[str], lexicon: Lexicon) -> Iterator[str]:
    for line in lines:
        unknown = [word for word in line_of(line).words() if _is_unknown(word.text, lexicon)]
        if len(unknown) > _MAX_UNKNOWN:
            continue
        for word in unknown:
            where = line_of(line)
            start, end = where.column(word.start), where.column(word.end)
            for better in _alike(word.text, lexicon):
                written = better.capitalize() if line[start].isupper() else better
                yield line[:start] + written + line[end:]


def _is_unknown(word: str, lexicon: Lexicon) -> bool:
    return word[0].isalpha() and len(word) >= _LEAST_LETTERS and not lexicon.means_something(word)


@lru_cache(maxsize=1024)
def _alike(word: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The words of grammar and board most like a word, best first."""
    pool = {*vocabulary(), *lexicon.place_names(), *lexicon.power_names()} - _MISSPELT
    alike = [
        (SequenceMatcher(None, word, squash(other)).ratio(), other)
        for other in pool
        if _is_near(word, other)
    ]
    best = sorted((-degree, other) for degree, other in alike if degree >= _LEAST_LIKENESS)
    return tuple(other for _, other in best[:_MAX_CHOICES])


def _is_near(word: str, other: str) -> bool:
    """A quick test of length and first letters."""
    return (
        len(other) > 1
        and abs(len(word) - len(other)) <= _MAX_SLIPS
        and (bool({word[0], word[1]} & {other[0], other[1]}))
    )


# Small words and signs that say nothing where they stand: an order is read without them. ``A per:
# hold``, ``the army in Perugia is to move to Urbino``, ``expense #1 - for 12 ducats …``.
# Everything here looks at a word and its neighbours only.
# What the pieces of a line have to do with each other: lists, rests behind a comma, payments.
# Looks at the classes of words only; whether something is an order, the grammar says.
_TYPES = "A ARMY F FLEET G GARRISON"
_UNIT = f"{_TYPES} NAME NC SC EC WC SLASH"
_REMOVAL = "REMOVE DISBAND D"
_SHARED = "H HOLD B BESIEGE SIEGE L LIFT"
_PAYING = "PAY GIVE"
_CARRIED = f"ALLY UNALLY NOT WITH BUILD REMOVE DISBAND MAINTAIN B R D M H HOLD BESIEGE {_PAYING}"
"""The opening words that also hold behind a comma."""
_AFTER_CARRIED = f"{_TYPES} NAME CM EM EP CITIZEN MILITIA ELITE MERCENARY PROFESSIONAL CAVALRY"
_NO_ORDER_ALONE = (
    "NAME NUMBER FRACTION H HOLD MOVES CONVERT BESIEGE SIEGE LIFT RAISE BY VIA D DUCATS"
)
"""The beginnings of pieces that need what is before them."""
_COURTESIES = frozenset(("please", "pls", "plz", "thanks", "thank", "you", "thx", "cheers"))


def leading(segment: Segment) -> Segment:
    """Return an order's opening words that also hold behind a comma: ``remove A par, F gen``."""
    kept: list[OrderToken] = []
    for term in segment:
        if term.kind not in letters(_CARRIED):
            return tuple(kept)
        kept.append(term)
    return ()


def may_follow(carried: Segment, segment: Segment) -> bool:
    """Return whether another order's opening words may hold for a segment.

    Behind a payment only for an amount: ``pay 5 to Milan, 3 to Venice``.
    """
    if is_payment(carried):
        return any(term.kind == letter("NUMBER") for term in segment)
    return segment[0].kind in letters(_AFTER_CARRIED)


def begins_with_unit(segment: Segment) -> bool:
    """Return whether a segment begins with a unit or a name."""
    return segment[0].kind in letters(f"{_TYPES} NAME")


def begins_with_sea(segment: Segment) -> bool:
    """Return whether a segment begins with a name or a fleet, as the places of a way do."""
    is_fleet = len(segment) > 1 and segment[0].kind in letters("F FLEET")
    return segment[1 if is_fleet else 0].kind == letter("NAME")


def dash_before(segment: Segment) -> OrderToken:
    """Return the dash of a list of places written with commas or ``and``."""
    return OrderToken("-", letter("MOVE"), segment[0].start, segment[0].start)


def is_fragment(segment: Segment) -> bool:
    """Return whether a segment that is no order is a piece of the one before.

    In ``pay 5 ducats to Milan and Venice`` the last word is half an order.
    """
    return segment[0].kind in letters(_NO_ORDER_ALONE)


def is_salutation(segment: Segment) -> bool:
    """Return whether a segment is only a courtesy."""
    return all(term.text in _COURTESIES for term in segment)


def on_the_way(segment: Segment) -> bool:
    """Return whether a segment ends within a list of seas: ``A ven - bar via uas``."""
    way = letters("NAME MOVE F FLEET")
    tail = itertools.takewhile(lambda term: term.kind in way, reversed(segment))
    seas = list(tail)
    before = segment[: len(segment) - len(seas)]
    return bool(seas and before) and before[-1].kind in letters("VIA BY")


def is_bare_unit(segment: Segment) -> bool:
    """Return whether a segment is only a unit, which an adjustment maintains."""
    return begins_with_unit(segment) and all(term.kind in letters(_UNIT) for term in segment)


def is_lone_unit(segment: Segment) -> bool:
    """Return whether a segment is only a unit with its type."""
    return len(segment) > 1 and segment[0].kind in letters(_TYPES) and is_bare_unit(segment)


def lent_by(segments: Sequence[Segment]) -> Segment:
    """Return the last unit's verb for those before it: ``A per, A bol hold``.

    Only what each of them can do in its place; else nothing.
    """
    rest = list(itertools.dropwhile(is_lone_unit, segments))
    verb = rest[0][-1:] if rest else ()
    lends = verb and verb[0].kind in letters(_SHARED) and is_lone_unit(rest[0][:-1])
    return verb if lends else ()


def ends_with_removal(segment: Segment) -> bool:
    """Return whether a segment is a unit with its removal: ``F gen remove``."""
    return is_bare_unit(segment[:-1] or segment) and segment[-1].kind in letters(_REMOVAL)


def is_payment(segment: Segment) -> bool:
    """Return whether a segment begins like a payment."""
    return segment[0].kind in letters(_PAYING)


_LONG_TYPES = "ARMY FLEET GARRISON MILITIA CITIZEN ELITE MERCENARY PROFESSIONAL CAVALRY NORMAL"
_VERBS = "H HOLD MOVES SUPPORT TRANSPORT CONVERT BESIEGE LIFT LAY DISBAND BUILD REMOVE MAINTAIN"
_DEEDS = "DISBAND BUY BRIBE PACIFY CAUSE ASSASSINATE ASSASSINATION COUNTER FAMINE RELIEF"
_GIVING = "GIVE TO OF ON AGAINST FOR ALLY UNALLY WITH PERMIT EXCOMMUNICATE PAY"
"""Behind these words two letters are the name of a power."""
_RAISING = "BUILD B RAISE BUY"
_QUALITIES = "CM EM EP MILITIA CITIZEN ELITE MERCENARY PROFESSIONAL CAVALRY NORMAL"
_DUCATS = "D DUCATS NUMBER"
_STANDING = "H HOLD B BESIEGE SIEGE"
_POLITE = frozenset(("please", "pls", "plz", "kindly"))
_MINE = frozenset(("my", "our"))
_FIRMLY = frozenset(("put", "fast", "position", "ground", "still"))
_AUXILIARY = frozenset(("will", "shall", "should", "must", "is"))
_ORDINARY = _POLITE | _MINE | _AUXILIARY | {"do"}
_OF_UNIT = 2
"""The terms of a unit: ``A mil``."""
_NTH = 2
"""The terms of an expense's number: ``expense 1``."""


def drop_noise(segment: Segment) -> Segment:
    """Return an order's terms without words that mean nothing there."""
    segment = _types_first(_without_kinds(segment))
    is_expense = _is(segment[0], "EXPENSE E") if segment else False
    says_nothing = _of_expense if is_expense else _of_order
    done: list[OrderToken] = []
    for index, term in enumerate(segment):
        behind = segment[index + 1 :]
        if behind and (_anywhere(done, term, behind) or says_nothing(done, term, behind)):
            continue
        if done and (_closes(done, term, segment[:index]) or _is_emphasis(done, term)):
            continue
        done.append(term)
    return tuple(done)


def _without_kinds(segment: Segment) -> Segment:
    """``a tur - pav`` for ``elite a tur - pav``: a special kind names no unit (SPC-05).

    It is kept for units raised or bought, and where nothing follows.
    """
    kept: list[OrderToken] = []
    is_raised = False
    for at, term in enumerate(segment):
        is_raised = is_raised or _is(term, _RAISING)
        if is_raised or not _is(term, _QUALITIES) or not _names_no_unit(kept, segment[at + 1 :]):
            kept.append(term)
    return tuple(kept)


def _names_no_unit(before: list[OrderToken], behind: Segment) -> bool:
    if not behind or _is(behind[0], _QUALITIES):
        return bool(behind) and _names_no_unit(before, behind[1:])
    if _is(behind[0], _TYPES):
        return not _is(before[-1], _GIVING) if before else len(behind) > _OF_UNIT
    return len(before) > 1 and _is(before[-1], "NAME") and _is(before[-2], _TYPES)


def _types_first(segment: Segment) -> Segment:
    """``garrison bologna`` for ``Bologna garrison``; but ``Papal army rome`` is the Pope's."""
    terms = list(segment)
    for at in range(len(terms) - 1):
        place, kind = terms[at : at + 2]
        named = _is(place, "NAME") and _is(kind, "ARMY FLEET GARRISON")
        follows = at + 2 < len(terms) and _is(terms[at + 2], "NAME IN AT OF")
        if named and not follows and not (at and _is(terms[at - 1], f"{_TYPES} TO INTO")):
            terms[at : at + 2] = kind, place
    return tuple(terms)


def _anywhere(before: list[OrderToken], term: OrderToken, behind: Segment) -> bool:
    """``A in Perugia``, ``a garrison``, ``to hold``, and a bracket around a special kind."""
    follower = behind[0]
    if term.kind == letter("NAME") and term.text in _ORDINARY:
        return _is_ordinary(before, term, follower)
    if _is(term, "IN AT OF") and _is(follower, "NAME"):
        return bool(before) and _is(before[-1], _TYPES)
    if _is(term, "A AN"):
        return _is(follower, _LONG_TYPES)
    if _is(term, "TO IN"):
        return _is(follower, f"{_VERBS} {_DEEDS}") and bool(before)
    if _is(term, "MOVE") and len(behind) == 1 and _is(follower, _STANDING):
        # "A are-H": where it stands, and nowhere to go to.
        return bool(before) and _is(before[-1], "NAME NC SC EC WC CLOSE")
    if _is(term, "ON AGAINST"):
        return bool(before) and _is(before[-1], "MOVES") and _is(follower, "NAME")
    return _is(term, "OPEN") and _is(follower, f"{_QUALITIES} H HOLD")


def _is_ordinary(before: list[OrderToken], term: OrderToken, follower: OrderToken) -> bool:
    """``do not``, ``please hold``, ``my army``, ``will move``."""
    if term.text == "do":
        return _is(follower, "NOT")
    if term.text in _POLITE:
        return not before or _is(follower, _VERBS)
    if term.text in _MINE:
        return _is(follower, f"{_TYPES} {_LONG_TYPES}")
    return bool(before) and _is(follower, f"{_VERBS} TO")


def _of_order(before: list[OrderToken], term: OrderToken, behind: Segment) -> bool:
    """The colon behind a unit or a verb; another unit behind it is no order for the first.

    A letter alone is what a garrison becomes, ``G ven: F``; before a dash it is the advance of
    1978, ``A mil: A-pav``.
    """
    if not _is(term, "COLON") or not before:
        return False
    advances = _is(behind[0], "A") and len(behind) > 1 and _is(behind[1], "MOVE")
    return _is(before[-1], _VERBS) or advances or not _is(behind[0], _TYPES)


def _of_expense(before: list[OrderToken], term: OrderToken, behind: Segment) -> bool:
    """What stands around the number of an expense, and around its ducats."""
    follower = behind[0]
    if len(before) == 1 and term.kind == JUNK:
        return _is(follower, "NUMBER")
    if len(before) == _NTH and _is(term, "MOVE CLOSE EQUALS"):
        return True
    if _is(term, "FOR ON") and _is(follower, _DEEDS):
        return True
    if _is(term, "COLON") and len(before) > _NTH:
        return True
    return term.text == "attempt" or (_is(term, "FOR WITH AT OPEN") and _is(follower, "NUMBER"))


def _closes(done: list[OrderToken], term: OrderToken, so_far: Segment) -> bool:
    if term.text != ")" or not _is(done[-1], f"{_QUALITIES} {_DUCATS} H HOLD"):
        return False
    return any(each.text == "(" for each in so_far)


def _is_emphasis(done: list[OrderToken], term: OrderToken) -> bool:
    """``holds position``, ``stays put``."""
    return term.text in _FIRMLY and _is(done[-1], "H HOLD")


def _is(term: OrderToken, names: str) -> bool:
    return term.kind in letters(names)


# Coasts as people write them behind a place: ``ProveN``, ``pro-nc``, ``pro/n``, ``pro n``. A
# coast's letter behind a name is that coast only where the place has it. The first letters of a
# name are the name, also where the last of them looks like a coast: ``prove``, ``St Peters``.
_COASTS = {
    sign: word[0] + "C"
    for word in ("NORTH", "SOUTH", "EAST", "WEST")
    for sign in (word[0].lower(), word[0].lower() + "c", word.lower())
}
"""How a coast is written, by its letter, by both or by its word -> the name of its class."""
_GLUED = sorted((sign for sign in _COASTS if len(sign) <= len("nc")), key=len, reverse=True)
_SHORT = 5
"""The first so many letters of a land's name mean it on every board."""
_BEFORE = frozenset({"SLASH", "OPEN"})
_TOWARD = frozenset({"MOVE", "MOVES", "TO", "INTO"})


def with_coasts(terms: Sequence[OrderToken], lexicon: Lexicon) -> list[OrderToken]:
    """Return the terms with each coast as its own term, without a dash before it."""
    apart = [piece for term in terms for piece in _apart(term, lexicon)]
    done: list[OrderToken] = []
    for index, term in enumerate(apart):
        behind = apart[index + 1 :]
        if term.kind == letter("MOVE") and behind and _is_coast(done, behind, lexicon, dashed=True):
            continue
        done.append(_as_coast(term) if _is_coast(done, apart[index:], lexicon) else term)
    return done


def _apart(term: OrderToken, lexicon: Lexicon) -> Iterator[OrderToken]:
    """A place and its coast written as one word."""
    cut = _cut_of(term, lexicon)
    if not cut:
        yield term
        return
    at = term.start + cut
    yield OrderToken(term.text[:cut], term.kind, term.start, at)
    yield _as_coast(OrderToken(term.text[cut:], term.kind, at, term.end))


def _cut_of(term: OrderToken, lexicon: Lexicon) -> int:
    """The length of the name before a coast in a word; 0 without a coast."""
    if term.kind != letter("NAME") or lexicon.is_exact(term.text):
        return 0
    for sign in _GLUED:
        base = term.text.removesuffix(sign)
        if base != term.text and _coast_of(sign) in lexicon.coasts_of(base):
            return 0 if _is_beginning(term.text, base, lexicon) else len(base)
    return 0


def _is_beginning(text: str, base: str, lexicon: Lexicon) -> bool:
    """Return whether a word with a coast's letter at its end is a beginning of a name.

    Behind five letters it is the coast, as in 1978: ``ProveN``.
    """
    if lexicon.is_beginning_of_another(text, base):
        return True
    is_short = len(base) == _SHORT
    return not is_short and lexicon.place(text) == lexicon.place(base)


def _is_coast(
    before: Sequence[OrderToken],
    behind: Sequence[OrderToken],
    lexicon: Lexicon,
    *,
    dashed: bool = False,
) -> bool:
    term = behind[0]
    if term.text not in _COASTS or not before or (len(behind) > 1 and behind[1].text == "coast"):
        return False
    if class_of(before[-1].kind) in _BEFORE:
        return len(term.text) <= len("nc") or _is_coast(before[:-1], behind, lexicon)
    if before[-1].kind != letter("NAME") or not lexicon.coasts_of(before[-1].text):
        return False
    if _coast_of(term.text) not in lexicon.coasts_of(before[-1].text):
        return len(term.text) == len("nc")
    if term.text == "s" and not dashed:
        return _goes_there(before) and _ends(behind)
    return term.text != "e" or len(behind) == 1 or behind[1].kind != letter("NUMBER")


def _coast_of(sign: str) -> str:
    """The coast that a sign stands for, as boards call it: ``nc``."""
    return _COASTS[sign].lower()


def _goes_there(before: Sequence[OrderToken]) -> bool:
    """Return whether a unit goes to the place: elsewhere ``s`` is a support."""
    return len(before) > 1 and class_of(before[-2].kind) in _TOWARD


def _ends(behind: Sequence[OrderToken]) -> bool:
    return len(behind) == 1 or not class_of(behind[1].kind)


def _as_coast(term: OrderToken) -> OrderToken:
    name = _COASTS[term.text]
    return term._replace(text=name.lower(), kind=letter(name))


# A line cut into orders, and these into terms: words with their class on this board. A name of
# several words is one term. Where a line holds several orders, this is where they part.
_LEAST_OF_PIECE = 3
"""The least letters of a long name's second word: "upper adr"."""

_GLUED_VERBS = frozenset(("sa", "sf", "sg", "sh", "ca", "ta"))
_BEFORE_VERB = "NAME NC SC EC WC CLOSE COLON"
_BEHIND_VERB = "NAME OPEN A ARMY F FLEET"

_BEFORE_TYPE = "C CONVERT EQUALS TO INTO B BESIEGE SIEGE"
"""What precedes a final unit type, as in ``A per c g.``"""


_JOINING = frozenset(("e", "y", "ed", "et", "und", "+"))
"""``and`` in other languages, where another order or unit follows."""
_OPENING = "HOLD H MAINTAIN M BUILD B REMOVE R DISBAND BESIEGE PAY GIVE"


def tokens_of(line: PlainLine, lexicon: Lexicon, stage: Stage) -> list[OrderToken]:
    """Return all terms of a line, separators and full stops included."""
    words = line.words()
    terms: list[OrderToken] = []
    at = 0
    while at < len(words):
        word = words[at]
        end = _end_of_name(words, at, lexicon) if word.text in lexicon.heads else at + 1
        if end > at + 1:
            pieces = [w.text for w in words[at:end] if w.text != "."]
            terms.append(
                OrderToken(" ".join(pieces), letter("NAME"), word.start, words[end - 1].end)
            )
        else:
            terms.append(
                OrderToken(word.text, _kind_alone(word.text, lexicon), word.start, word.end)
            )
        at = end
    terms = [part for at in range(len(terms)) for part in _parted_verb(terms, at, lexicon)]
    if lexicon.by_stage:
        terms = [_in_stage(term, lexicon, stage) for term in terms]
    if lexicon.small_words:
        terms = [_small_word(terms, at, lexicon) for at in range(len(terms))]
    terms = [_joiner(terms, at, lexicon) for at in range(len(terms))]
    if lexicon.letters:
        terms = [_usual(terms, index, lexicon) for index in range(len(terms))]
    return with_coasts(terms, lexicon)


def _parted_verb(terms: Sequence[OrderToken], at: int, lexicon: Lexicon) -> Iterator[OrderToken]:
    """A verb joined with a unit's type: ``F hel SF den``; ``SH`` is a support to hold."""
    term = terms[at]
    verb, kind = term.text[:1], term.text[1:]
    between = 0 < at < len(terms) - 1 and terms[at - 1].kind in letters(_BEFORE_VERB)
    is_verb = between and term.text in _GLUED_VERBS and not lexicon.is_exact(term.text)
    if not is_verb or terms[at + 1].kind not in letters(_BEHIND_VERB):
        yield term
        return
    yield OrderToken(verb, lexicon.kind_of(verb), term.start, term.start + 1)
    yield OrderToken(kind, lexicon.kind_of(kind), term.start + 1, term.end)


def _in_stage(term: OrderToken, lexicon: Lexicon, stage: Stage) -> OrderToken:
    """A term with its meaning in the kind of phase."""
    name = lexicon.by_stage.get(term.text, {}).get(stage)
    return term._replace(kind=letter(name)) if name is not None else term


_GIVING = "PAY GIVE REPAY CEDE"
_AIMED = "ASSASSINATION RELIEF FAMINE PACIFY CAUSE REBELLION"
_BOUGHT = "CB COUNTER BRIBE BUY DISBAND"
_LENDING = "BORROW LIFT"
_CLASSES = ("TO", "INTO", "OF", "FOR")
"""The classes of the grammar that small words may mean; others have no meaning."""
_ONE_OR_TWO = {"un": "1", "uno": "1", "dos": "2", "due": "2"}
"""The years of a loan, spelt out."""


def _small_word(terms: Sequence[OrderToken], at: int, lexicon: Lexicon) -> OrderToken:
    """A term; a preposition or an article of the language as the class that it means there.

    ``pagar 3 ducados a Venecia``, ``F Pisa converte in A``, ``asesina al Papado``.
    """
    term, before = terms[at], terms[at - 1] if at else None
    if before is None:
        return term
    behind = terms[at + 1].kind if at + 1 < len(terms) else ""
    if at + 1 < len(terms) and terms[at + 1].text in _ONE_OR_TWO:
        behind = letter("NUMBER")
    if term.text in _ONE_OR_TWO and behind == letter("YEAR"):
        return term._replace(text=_ONE_OR_TWO[term.text], kind=letter("NUMBER"))
    started = next((n for n in range(at - 1, -1, -1) if terms[n].kind == SEPARATOR), -1)
    verbs = {each.kind for each in terms[started + 1 : at]}
    for name, words in lexicon.small_words.items():
        is_last = name not in ("", "STILL") and not behind
        if term.text in words and not is_last and _means(name, before.kind, behind, verbs):
            is_meant = name in _CLASSES and before.kind not in letters(_BOUGHT)
            return term._replace(kind=letter(name) if is_meant else FILLER)
    return term


def _means(name: str, before: str, behind: str, verbs: Collection[str]) -> bool:
    """Return whether a small word means a class, between two terms and behind some verbs."""
    match name:
        case "TO":
            return before in letters("MOVES") or not letters(_GIVING).isdisjoint(verbs)
        case "INTO":
            return before in letters("C CONVERT")
        case "SELF":
            return behind in letters("MOVES HOLD CONVERT")
        case "STILL":
            return before in letters("HOLD")
        case "OF":
            return before in letters(f"{_AIMED} {_BOUGHT}")
        case "FOR":
            return behind == letter("NUMBER") and not letters("BORROW").isdisjoint(verbs)
        case _:
            return not letters(f"{_GIVING} {_AIMED} {_BOUGHT} {_LENDING}").isdisjoint(verbs)


def _joiner(terms: Sequence[OrderToken], at: int, lexicon: Lexicon) -> OrderToken:
    """A term; a separator for ``A bar e F nap``, ``A pad y mantener F dal``."""
    term, behind = terms[at], terms[at + 1 : at + 3]
    if term.text not in _JOINING or at == 0 or not behind:
        return term
    if term.text not in {"e", "+"} and lexicon.is_exact(term.text):
        return term
    verb = behind[0].kind in letters(_OPENING)
    is_type = behind[0].kind in letters(_TYPES) or behind[0].text in lexicon.letters
    unit = is_type and len(behind) > 1 and behind[1].kind in (letter("NAME"), HEAD)
    converts = terms[at - 1].kind in letters(_BEFORE_TYPE)
    return term._replace(kind=SEPARATOR) if (verb or unit) and not converts else term


def _usual(terms: Sequence[OrderToken], index: int, lexicon: Lexicon) -> OrderToken:
    """A term in the usual letter of its kind of unit.

    Another language's letter stands before a name, ``E Siena``, or at the end, ``G Pisa C E``.
    """
    term = terms[index]
    usual = lexicon.letters.get(term.text)
    if usual is None:
        return term
    is_last = index + 1 == len(terms)
    before_name = not is_last and terms[index + 1].kind in (letter("NAME"), HEAD)
    converts = is_last and index > 0 and terms[index - 1].kind in letters("C CONVERT INTO")
    if not before_name and not converts:
        return term
    return OrderToken(usual, lexicon.kind_of(usual), term.start, term.end)


def shape_of(segment: Segment) -> Shape:
    """The classes of a segment's terms."""
    return "".join(term.kind for term in segment)


def segments_of(terms: Sequence[OrderToken], *, at_stops: bool) -> list[Segment]:
    """Return the orders of a line.

    :param at_stops: full stops end orders; otherwise they mark abbreviations.
    """
    cuts = [index for index in range(len(terms)) if _parts(terms, index, at_stops=at_stops)]
    bounds = zip([-1, *cuts], [*cuts, len(terms)], strict=True)
    pieces = (tuple(filter(_says_something, terms[a + 1 : b])) for a, b in bounds)
    return [drop_noise(segment) for segment in _joined(filter(None, pieces))]


def _kind_alone(word: str, lexicon: Lexicon) -> str:
    kind = lexicon.kind_of(word)
    if kind != HEAD:
        return kind
    return letter(vocabulary().get(word, "NAME"))


def _end_of_name(words: Sequence[Word], start: int, lexicon: Lexicon) -> int:
    """The end of the longest name that begins here, complete or cut short."""
    names = lexicon.heads[words[start].text]
    return max(_end_of(pieces, words, start) for pieces in names)


def _end_of(pieces: tuple[str, ...], words: Sequence[Word], start: int) -> int:
    at, end = start, start + 1
    for number, piece in enumerate(pieces):
        while at < len(words) and words[at].text == ".":
            at += 1
        least = 1 if number > 1 else _LEAST_OF_PIECE
        if at == len(words) or not _writes(words[at].text, piece, least):
            break
        at += 1
        # A name cut short does not end with "of" or a dash, unless that is all of it.
        if piece is pieces[-1] or (piece[0].isalpha() and piece not in vocabulary()):
            end = at
    return end


def _writes(word: str, piece: str, least: int) -> bool:
    if word == piece:
        return True
    return len(word) >= least and piece.startswith(word) and word not in vocabulary()


def _parts(terms: Sequence[OrderToken], index: int, *, at_stops: bool) -> bool:
    term = terms[index]
    if term.kind != STOP or not at_stops or index == 0:
        return term.kind == SEPARATOR
    # "A. Per h" abbreviates the army; "A Per c g. A Bol h" are two orders.
    abbreviates = terms[index - 1].kind in letters(_TYPES)
    return not abbreviates or (index > 1 and terms[index - 2].kind in letters(_BEFORE_TYPE))


def _says_something(term: OrderToken) -> bool:
    return term.kind not in (STOP, FILLER)


def _joined(segments: Iterable[Segment]) -> list[Segment]:
    """Join what cannot begin an order to the one before: ``A mil, h``, ``buy G sie, 9 d``."""
    joined: list[Segment] = []
    for segment in segments:
        pays_more = joined and is_payment(joined[-1])
        if joined and segment[0].kind not in _openings() and not (pays_more and _is_sum(segment)):
            joined[-1] += segment
        else:
            joined.append(segment)
    return joined


def _is_sum(segment: Segment) -> bool:
    return segment[0].kind == letter("NUMBER") and len(segment) > 1


@cache
def _openings() -> frozenset[str]:
    return frozenset().union(*(openings(stage) for stage in Stage))


_MAX_EXPECTED = 8
_SHOWN = 200
"""The length of a line that is repeated."""

_PHRASES: Mapping[str, MessageOrText] = {
    "H": Message("language.expected.hold"),
    "MOVES": Message("language.expected.moves"),
    "S": Message("language.expected.support"),
    "T": Message("language.expected.transport"),
    "C": Message("language.expected.convert"),
    "B": "b",
    "L": Message("language.expected.lift"),
    "DISBAND": "disband",
    "EXPENSE": "expense",
    "BORROW": "borrow",
    "PAY": "pay",
    "ALLY": "ally",
    "PERMIT": "permit",
    "EXCOMMUNICATE": "excommunicate",
    "CEDE": "cede",
    "BURN": "burn",
    "BUILD": "build",
    "REMOVE": "remove",
    "MAINTAIN": "maintain",
    "WAIVE": "waive",
    "TAX": "tax",
    "NUMBER": Message("language.expected.number"),
    "DUCATS": "ducats",
    "TO": "to",
    "BANK": "bank",
    "YEAR": "years",
    "SLASH": Message("language.expected.coast"),
    "COUNTER": "counter-bribe",
    "BUY": "buy",
    "FAMINE": "famine relief",
    "PACIFY": "pacify rebellion",
    "CAUSE": "cause rebellion",
    "ASSASSINATE": "assassinate",
    "NONE": "none",
}
"""Phrases for classes of synonyms, in order of mention."""

_OF_HELP = frozenset({"H", "MOVES", "TO"})

_EXPENSE_DEEDS = (
    "counter-bribe",
    "disband",
    "buy",
    "garrison to autonomous",
    "famine relief",
    "pacify rebellion",
    "cause rebellion",
    "assassinate",
)
"""The purposes of expenses, told whole."""


def unexpected(line: PlainLine, segment: Segment, halt: Halt) -> ParseError:
    """The refusal of a word, or the end, where an order stops."""
    if _is_unknown_deed(segment, halt):
        halt = Halt(len(segment) - 1, halt.accepts | {"FAMINE"})
    if halt.index == len(segment):
        position = segment[-1].end
        reason, fault = Message("language.order_incomplete"), Fault.INCOMPLETE
        return ParseError(line.original, line.column(position), fault, reason, "", _expected(halt))
    term = segment[halt.index]
    found = line.between(term.start, term.end)
    if END in halt.accepts:
        reason = Message("language.complete_before", found=found)
        return ParseError(line.original, line.column(term.start), Fault.LEFT_OVER, reason, found)
    reason = Message("language.cannot_stand_here", found=found)
    if (
        halt.index == 1
        and segment[0].kind in letters("A F G ARMY FLEET GARRISON")
        and found.isdigit()
    ):
        reason = Message("language.unit_number")
    return ParseError(
        line.original,
        line.column(term.start),
        Fault.UNEXPECTED,
        reason,
        found,
        _expected(halt),
    )


def no_order(line: PlainLine, segment: Segment) -> ParseError:
    """The refusal of a line of prose."""
    start = segment[0].start
    reason = Message("language.no_order")
    found = line.between(start, segment[0].end)
    return ParseError(line.original, line.column(start), Fault.LEFT_OVER, reason, found)


def _is_unknown_deed(segment: Segment, halt: Halt) -> bool:
    at_end = halt.index == len(segment)
    return at_end and halt.accepts <= {"D", "DUCATS"} and segment[0].text in _expense()


@cache
def _expense() -> frozenset[str]:
    return frozenset({"e", *words_of("EXPENSE")})


def refused(line: PlainLine, segment: Segment, wrong: WrongWordError) -> ParseError:
    """The refusal of a complete order that cannot be meant."""
    if wrong.index < 0:
        column, found = line.column(segment[-1].end), ""
    else:
        term = segment[wrong.index]
        column, found = line.column(term.start), line.between(term.start, term.end)
    if wrong.candidates:
        return ambiguous(line.original, column, found, wrong.candidates)
    no_name = "no_power" if wrong.fault is Fault.NO_POWER else "no_place"
    reason = wrong.reason or Message(f"language.{no_name}", found=found)
    return ParseError(line.original, column, wrong.fault, reason, found, wrong.expected)


def half(
    line: PlainLine, order: Segment, rest: Segment, is_order: Callable[[Segment], bool]
) -> ParseError:
    """The refusal of an order with a half one behind it.

    :param is_order: tells if terms are an order.
    """
    found = line.between(rest[0].start, rest[-1].end)
    reason = Message("language.half", found=found)
    begun = order[:-1] + rest
    is_payment = class_of(order[0].kind) in ("PAY", "GIVE") and order[-1].kind == rest[0].kind
    nearest = None
    if is_payment and is_order(begun):
        first = line.between(order[0].start, order[-1].end)
        nearest = f"{first}; {line.between(order[0].start, order[-2].end)} {found}"
    return ParseError(
        line.original, line.column(rest[0].start), Fault.HALF, reason, found, nearest=nearest
    )


def whose_removal(line: PlainLine, segment: Segment) -> ParseError:
    """The refusal of a removal behind several units: of the last, or all."""
    term = segment[-1]
    found = line.between(term.start, term.end)
    reason = Message("language.whose_removal", found=found)
    return ParseError(line.original, line.column(term.start), Fault.UNCLEAR, reason, found)


def beginning_missing(line: PlainLine, segment: Segment, words: str, nearest: str) -> ParseError:
    """The refusal of an order without these words before it."""
    found = line.between(segment[0].start, segment[0].end)
    column = line.column(segment[0].start)
    key = "no_expense_number" if words.startswith("e") else "no_verb"
    reason = Message(f"language.{key}", begins=words)
    return ParseError(line.original, column, Fault.UNEXPECTED, reason, found, nearest=nearest)


def of_another_phase(line: PlainLine, segment: Segment, given: Stage, due: Stage) -> ParseError:
    """The refusal of an order of another phase."""
    reason = Message("language.other_phase", given=_phase(given), due=_phase(due))
    found = line.between(segment[0].start, segment[-1].end)
    return ParseError(line.original, line.column(segment[0].start), Fault.PHASE, reason, found)


def _phase(stage: Stage) -> Message:
    return Message(f"language.phase.{stage.name.lower()}")


def too_long(text: str) -> ParseError:
    """The refusal of an endless line."""
    return ParseError(text[:_SHOWN], 0, Fault.TOO_LONG, Message("language.too_long"))


def _expected(halt: Halt) -> tuple[MessageOrText, ...]:
    if "FAMINE" in halt.accepts:
        return _EXPENSE_DEEDS
    # A power may be written by its initial, so all letters are accepted where it can stand.
    power = "CR" in halt.accepts and "NAME" in halt.accepts
    # "supports hold to Siena" is read, but not taught.
    untaught = _OF_HELP if {"ARMY", "FROM"} <= halt.accepts else frozenset()
    named: list[MessageOrText] = [
        phrase
        for name, phrase in _PHRASES.items()
        if name in halt.accepts - untaught and not (power and len(name) == 1)
    ]
    if "NAME" in halt.accepts:
        named.insert(0, Message("language.expected.power" if power else "language.expected.place"))
    if "ARMY" in halt.accepts:
        named.insert(0, Message("language.expected.unit_type"))
    others = (words_of(name)[-1] for name in sorted(halt.accepts) if words_of(name))
    return tuple(named or others)[:_MAX_EXPECTED]


_MAX_READINGS = 16
"""The most readings with order words as places."""
_MAX_REFUSED = 20
"""The most refused orders of a line that is read with corrections."""


def parse_order(text: str, lexicon: Lexicon, stage: Stage) -> Parsed:
    """Read a line of orders.

    :param text: one line as a player wrote it; anything at all.
    :param lexicon: the names of the game's scenario.
    :param stage: for what kind of phase orders are due.
    :returns: every order of the line, and a problem for each that cannot be read (SYN-01 to
        SYN-09); a line without orders gives none.
    """
    simple = parse_simple(text, lexicon, stage)
    if simple is not None:
        return Parsed(simple)
    return with_advice(_read_thoroughly(text, lexicon, stage), lexicon, stage)


def read_order(text: str, lexicon: Lexicon, stage: Stage) -> Parsed:
    """Read a line of orders without advice, which takes longer than the rest."""
    simple = parse_simple(text, lexicon, stage)
    return _read_thoroughly(text, lexicon, stage) if simple is None else Parsed(simple)


def _read_thoroughly(text: str, lexicon: Lexicon, stage: Stage) -> Parsed:
    if len(text) > MAX_CHARACTERS:
        return Parsed((too_long(text),))
    return OrderReader(lexicon, stage).read(text)


def with_advice(parsed: Parsed, lexicon: Lexicon, stage: Stage) -> Parsed:
    """Add to each problem the nearest line that can be read."""
    refused = parsed.refused
    if not 0 < len(refused) <= _MAX_REFUSED or len(refused[0].line) > MAX_CHARACTERS:
        return parsed

    @cache
    def advice(line: str) -> str | None:
        # Several orders of a line have the same advice: all of it is read again each time.
        return nearest(line, lexicon, lambda each: OrderReader(lexicon, stage).read(each).refused)

    said = (
        replace(one, nearest=one.nearest or advice(one.line))
        if isinstance(one, ParseError) and not one.candidates
        else one
        for one in parsed.said
    )
    return replace(parsed, said=tuple(said))


def _told_once(parsed: Parsed) -> Parsed:
    """Only the first problem of a line of prose."""
    formless = (Fault.UNEXPECTED, Fault.INCOMPLETE, Fault.LEFT_OVER)
    if all(isinstance(one, ParseError) and one.fault in formless for one in parsed.said):
        return replace(parsed, said=parsed.said[:1], spans=())
    return parsed


@dataclass(frozen=True, slots=True)
class OrderReader:
    """Reads lines thoroughly: abbreviated names, several orders, comments, mistakes."""

    lexicon: Lexicon
    stage: Stage

    def read(self, text: str) -> Parsed:
        """Read a line, without advice."""
        line = undressed(line_of(text))
        parsed = self._orders(line)
        if not parsed.refused:
            return parsed
        start, end = salutations_around(line.plain, self.lexicon)
        if (start, end) != (0, len(line.plain)):
            polite = self._orders(replace(line, plain=f"{' ' * start}{line.plain[start:end]}"))
            if polite.understood and not polite.refused:
                around = (text[: line.column(start)], text[line.column(end) :])
                ignored = " … ".join(filter(None, (each.strip(" ,;-") for each in around)))
                return replace(polite, ignored=ignored)
        for remark in remarks_in(line.plain, self.lexicon):
            head = self._orders(replace(line, plain=line.plain[: remark.start]))
            if remark.announced or not head.refused:
                ignored = text[line.column(remark.start) :].strip()
                return _told_once(replace(head, ignored=ignored))
        # "A(Flo) - Are", "A Lon - Bel (via convoy)": what stands in brackets belongs to the order.
        bare = without_brackets(line)
        within = parsed if bare == line else self._orders(bare)
        return _told_once(within if within.said and not within.refused else parsed)

    def _orders(self, line: PlainLine) -> Parsed:
        """The orders of a line; full stops end orders only if they cannot mark abbreviations."""
        terms = tokens_of(line, self.lexicon, self.stage)
        parsed = self._segments(line, segments_of(terms, at_stops=False))
        if parsed.refused:
            apart = self._segments(line, segments_of(terms, at_stops=True))
            if len(apart.understood) > len(parsed.understood):
                return apart
        return parsed

    def _segments(self, line: PlainLine, segments: list[Segment]) -> Parsed:
        said: list[Said] = []
        spans: list[tuple[int, int]] = []
        carried: Segment = ()
        last: Segment = ()
        while segments:
            segment = segments.pop(0)
            if last and is_salutation(segment):
                continue
            if carried and may_follow(carried, segment) and self.is_order(carried + segment):
                more = self._said(line, carried + segment)
            else:
                segment = self._with_rest(segment, segments)
                if last and (problem := self._spoiled(line, last, segment)) is not None:
                    return Parsed((problem,))
                more = self._said(line, segment)
                last = segment if self.is_order(segment) or is_lone_unit(segment) else last
                carried = leading(segment) if last is segment or not is_payment(segment) else ()
            said += more
            spans += [(line.column(segment[0].start), line.column(segment[-1].end - 1) + 1)] * len(
                more
            )
        return Parsed(tuple(said), spans=tuple(spans) if len(said) > 1 else ())

    def _spoiled(self, line: PlainLine, last: Segment, segment: Segment) -> ParseError | None:
        if is_fragment(segment) and not self.is_order(segment):
            return half(line, last, segment, self.is_order)
        if is_lone_unit(last) and self.stage is Stage.CAMPAIGN:
            return half(line, segment, last, self.is_order)
        if is_bare_unit(last) and ends_with_removal(segment):
            return whose_removal(line, segment)
        return None

    def _with_rest(self, segment: Segment, others: list[Segment]) -> Segment:
        """A segment with its further pieces, which are removed from the list."""
        while others and (joint := self._joint(segment, others[0])) is not None:
            segment += (*joint, *others.pop(0))
        if is_lone_unit(segment) and not self.is_order(segment):
            segment += lent_by(others)
        return segment

    def _joint(self, segment: Segment, behind: Segment) -> Segment | None:
        """The words between a segment and its continuation, or None.

        Behind a comma: the rest of an expense, ``expense 1: 12 d, buy A sie``, or another sea, ``A
        ven - bar via uas, las``.
        """
        is_whole = self.is_order(segment)
        if on_the_way(segment) and begins_with_sea(behind):
            dash = (dash_before(behind),)
            if not (is_whole and self.is_order(behind)) and self.is_order(segment + dash + behind):
                return dash
        if is_whole or begins_with_unit(behind):
            return None
        return () if self.is_order(segment + behind) else None

    def is_order(self, segment: Segment) -> bool:
        """Return whether a segment is an order of this phase, whatever its names mean."""
        return isinstance(self._pattern(segment), OrderPattern)

    def flaw_of(self, segment: Segment) -> WrongWordError | Halt | None:
        """Return why a segment is no order of this phase, or None."""
        pattern = self._pattern(segment)
        if isinstance(pattern, Halt):
            return pattern
        try:
            pattern.orders([term.text for term in segment], self.lexicon)
        except WrongWordError as wrong:
            return wrong
        return None

    def _pattern(self, segment: Segment) -> OrderPattern | Halt:
        first = pattern_of(self.stage, shape_of(segment))
        if isinstance(first, OrderPattern):
            return first
        others = (pattern_of(self.stage, shape) for shape in self._other_shapes(segment))
        return next((other for other in others if isinstance(other, OrderPattern)), first)

    def _other_shapes(self, segment: Segment) -> Iterator[Shape]:
        """The shapes of a segment with order words as places; ``for`` is Fornova too."""
        shape = shape_of(segment)
        double = [i for i, term in enumerate(segment) if self._is_double(term)]
        some = (combinations(double, size) for size in range(1, len(double) + 1))
        for chosen in islice(chain.from_iterable(some), _MAX_READINGS):
            yield "".join(
                letter("NAME") if index in chosen else kind for index, kind in enumerate(shape)
            )

    def _is_double(self, term: OrderToken) -> bool:
        return term.kind != letter("NAME") and self.lexicon.is_place_too(term.text)

    def _said(self, line: PlainLine, segment: Segment) -> Sequence[Said]:
        if len(segment) > MAX_TERMS:
            return [too_long(line.original)]
        pattern = self._pattern(segment)
        if isinstance(pattern, Halt):
            return [self._refusal(line, segment, pattern)]
        try:
            return pattern.orders([term.text for term in segment], self.lexicon)
        except WrongWordError as wrong:
            return [refused(line, segment, wrong)]

    def _refusal(self, line: PlainLine, segment: Segment, halt: Halt) -> ParseError:
        if halt.index < len(segment):
            for other in Stage:
                flaw = OrderReader(self.lexicon, other).flaw_of(segment)
                if flaw is None or (isinstance(flaw, WrongWordError) and not flaw.is_name):
                    return of_another_phase(line, segment, other, self.stage)
        if (END in halt.accepts or halt.index <= 1) and self._is_no_place(segment[0]):
            return no_order(line, segment)
        verb = None if halt.index else self._with_verb(line, segment)
        return verb or self._longer_name(line, segment, halt) or unexpected(line, segment, halt)

    def _longer_name(self, line: PlainLine, segment: Segment, halt: Halt) -> ParseError | None:
        """The refusal of a name of several words that no place has: "F psa - Tyrrhenian Sea"."""
        first, behind = segment[halt.index - 1], segment[halt.index :]
        names = letters("NAME OF SEA")
        if END not in halt.accepts or not behind or first.kind != letter("NAME"):
            return None
        last = next((at for at, term in enumerate(behind) if term.kind not in names), len(behind))
        if not last or self.lexicon.is_exact(first.text):
            return None
        found = line.between(first.start, behind[last - 1].end)
        column, candidates = line.column(first.start), self.lexicon.places_with(found)
        if candidates:
            return ambiguous(line.original, column, found, candidates)
        reason = Message("language.no_place", found=found)
        return ParseError(line.original, column, Fault.NO_PLACE, reason, found)

    def _is_no_place(self, term: OrderToken) -> bool:
        is_name = term.kind == letter("NAME")
        return is_name and isinstance(self.lexicon.place(term.text), Unknown)

    def _with_verb(self, line: PlainLine, segment: Segment) -> ParseError | None:
        """The correction for an expense or payment without its beginning."""
        start = segment[0].start
        said = line.between(start, segment[-1].end)
        for words in ("expense", "expense 1:", "pay"):
            begun = tuple(
                OrderToken(word.text, self.lexicon.kind_of(word.text), start, start)
                for word in line_of(words).words()
                if word.text != ":"
            )
            flaw = self.flaw_of(begun + segment)
            if flaw is None or (isinstance(flaw, WrongWordError) and flaw.is_name):
                return beginning_missing(line, segment, words, f"{words} {said}")
        return None


_VERBS_BY_STAGE = "|".join({word for own in BY_STAGE.values() for word in own})
_OTHER_HOLDS = "|".join(
    word for own in OWN_WORDS.values() for word, name in own.items() if name == "HOLD"
)
_BULK_VERB = (
    r"(?P<{}>holds?|h|stands?|stays?|maintains?|m|keeps?"
    rf"|tengono|{_VERBS_BY_STAGE}|{_OTHER_HOLDS})"
)
_KINDS = {
    **dict.fromkeys(("armies", "ejercitos", "armate", "eserciti"), Kind.ARMY),
    **dict.fromkeys(("fleets", "flotas", "flotte"), Kind.FLEET),
    **dict.fromkeys(("garrisons", "guarniciones", "guarnigioni"), Kind.GARRISON),
}
"""The words for all units of a type."""
_OF_KIND = "|".join(_KINDS)
_WHOSE = r"(?:\s+(?:my|the|our))?(?:\s+(?:other|remaining))?"
_ALL = rf"all(?:\s+of)?{_WHOSE}(?:\s+(?:units|others|them|{_OF_KIND}))?"
_BOTH = rf"(?:both(?:\s+of)?\s+)?(?:(?:my|the|our)\s+)?(?:(?:other|remaining)\s+)?(?:{_OF_KIND})"
_REST = rf"(?:the\s+)?(?:rest(?:\s+of)?{_WHOSE}\s+(?:units|{_OF_KIND})|rest|others)"
_EACH = r"every(?:thing|body|one|\s+unit)(?:\s+else)?"
_UNITS_THERE = (
    r"(?:\s+(?:las|los|le|i|gli)?\s*(?:mie\s+|miei\s+|mis\s+)?"
    rf"(?:unidades|unita|{_OF_KIND}))?"
)
_ALL_THERE = rf"(?:tutto|tutt[eai]|tod[oa]s?){_UNITS_THERE}"
_REST_THERE = (
    r"(?:el\s+|il\s+|lo\s+)?resto(?:\s+delle\s+unita|\s+de\s+(?:las\s+|mis\s+)?unidades)?"
    r"|(?:(?:tutte|tutti|todas|todos)\s+)?(?:gli|le|las|los|lo)\s+"
    rf"(?:altr[ei]|otr[oa]s|demas|restant[ei]s?)(?:\s+(?:unita|unidades|{_OF_KIND}))?"
    rf"|(?:(?:ambas|ambos|entramb[ei])\s+)?(?:(?:gli|le|las|los|mis)\s+)?"
    rf"(?:(?:due|dos|mie|miei)\s+)?(?:{_OF_KIND})"
)
_WHOM = rf"(?P<{{}}>{_ALL}|{_BOTH}|{_EACH}|{_REST}|{_REST_THERE}|{_ALL_THERE})"
_MANY = re.compile(f"all|every|rest|others|tutt|tod[oa]|altr[ei]|otr[oa]s|demas|{_OF_KIND}")
"""Each order for many units has one of these."""
_LEFT = frozenset(
    (
        *("rest", "others", "other", "remaining", "else"),
        *("resto", "altri", "altre", "otros", "otras", "demas"),
        *("restante", "restanti", "restantes"),
    )
)
"""Words for the units without orders."""
_VERB_FIRST = re.compile(
    rf"\s*{_BULK_VERB.format('verb')}\s+{_WHOM.format('whom')}"
    r"(?:\s*,?\s*(?P<but>except(?:\s+for)?|but|without|excepto|salvo|menos|eccetto|tranne|meno)\s*:?(?P<units>.*))?\s*[.;]?\s*"
)
_STILL = r"(?:\s+(?:ferm[oaie]|quiet[oa]s?))?"
_VERB_LAST = re.compile(
    rf"\s*{_WHOM.format('whom')}\s+(?:s[ie]\s+)?{_BULK_VERB.format('verb')}{_STILL}\s*[.;]?\s*"
)
_COMMENT = re.compile(r"\s*(?:#|//).*")
_STAGES = {Verb.HOLD: Stage.CAMPAIGN, Verb.MAINTAIN: Stage.ADJUSTMENT}
_SEPARATOR = re.compile(r"\s*(?:,|&|\b(?:and|e|y|ed)\b|\.(?=\s))\s*", re.IGNORECASE)
_MAX_CUTS = 20
"""The most commas at which an order for many units is looked for."""


class LinePart(NamedTuple):
    """A part of a line, and its meaning."""

    text: str
    said: BulkOrder | Parsed
    is_for_many: bool = False
    """True for an order for many units, which may be impossible."""

    @property
    def refused(self) -> tuple[ParseError, ...]:
        """Return what could not be read."""
        return self.said.refused if isinstance(self.said, Parsed) else ()

    @property
    def understood(self) -> tuple[Order, ...]:
        """Return its orders that are for one unit each."""
        return self.said.understood if isinstance(self.said, Parsed) else ()


def read_line(text: str, lexicon: Lexicon, stage: Stage) -> tuple[LinePart, ...]:
    """Read a line of orders for one or many units, without advice."""
    if not may_be_bulk_order(text):
        return (LinePart(text, read_order(text, lexicon, stage)),)
    return tuple(_read_part(each, lexicon, stage) for each in split_bulk_line(text, lexicon, stage))


def advised(pieces: tuple[LinePart, ...], lexicon: Lexicon, stage: Stage) -> tuple[LinePart, ...]:
    """Return the result with the nearest readable line for each problem."""
    orders = [each.said.said for each in pieces if isinstance(each.said, Parsed)]
    if ParseError not in map(type, chain(*orders)):
        return pieces
    return tuple(
        each._replace(said=with_advice(each.said, lexicon, stage))
        if isinstance(each.said, Parsed) and not each.is_for_many
        else each
        for each in pieces
    )


def _read_part(text: str, lexicon: Lexicon, stage: Stage) -> LinePart:
    sweep = parse_bulk_order(text, lexicon, stage)
    if sweep is None:
        return LinePart(text, read_order(text, lexicon, stage))
    said = sweep if isinstance(sweep, BulkOrder) else Parsed((sweep,))
    return LinePart(text, said, is_for_many=True)


def may_be_bulk_order(text: str) -> bool:
    """Return whether a line has a word of orders for many units."""
    return bool(_MANY.search(fold(text)))


def parse_bulk_order(text: str, lexicon: Lexicon, stage: Stage) -> BulkOrder | ParseError | None:
    """Read a line as an order for many units; None if it is none."""
    if len(text) > MAX_CHARACTERS or not may_be_bulk_order(text):
        return None
    plain = _COMMENT.sub("", undressed(line_of(text)).plain)
    match = _worded(plain)
    if match is None:
        start, end = salutations_around(plain, lexicon)
        match = _worded(plain[start:end])
    if match is None:
        return None
    said = match.groupdict()
    verb = _verb(said["verb"], stage)
    if stage is not _STAGES[verb]:
        reason = Message(f"language.only.{verb.value}")
        return ParseError(text, 0, Fault.PHASE, reason, text.strip())
    whom = said["whom"].split()
    kind = next((_KINDS[word] for word in whom if word in _KINDS), None)
    sweep = BulkOrder(verb, not _LEFT.isdisjoint(whom), kind=kind)
    return _with_exceptions(text, sweep, said, lexicon)


def _worded(plain: str) -> re.Match[str] | None:
    return _VERB_FIRST.fullmatch(plain) or _VERB_LAST.fullmatch(plain)


def _verb(word: str, stage: Stage) -> Verb:
    """A verb's order; another language's may depend on the kind of phase."""
    if word in _EITHER:
        return Verb.MAINTAIN if stage is Stage.ADJUSTMENT else Verb.HOLD
    is_hold = word[0] in "hs" or word in _OTHER_HOLDS.split("|")
    return Verb.HOLD if is_hold else Verb.MAINTAIN


_EITHER = frozenset(("tengono", *_VERBS_BY_STAGE.split("|")))


def split_bulk_line(text: str, lexicon: Lexicon, stage: Stage) -> tuple[str, ...]:
    """Return the pieces of a line around orders for many units, or the whole line."""
    if len(text) > MAX_CHARACTERS or not may_be_bulk_order(text):
        return (text,)

    def is_bulk(piece: str) -> bool:
        return isinstance(parse_bulk_order(piece, lexicon, stage), BulkOrder)

    pieces = [piece for whole in text.split(";") for piece in _split_list(whole, is_bulk)]
    return tuple(pieces) if any(map(is_bulk, pieces)) else (text,)


def _split_list(text: str, is_bulk: Callable[[str], bool]) -> tuple[str, ...]:
    """A list split where an order for many units begins or ends, which may have a list itself."""
    if is_bulk(text):
        return (text,)
    cuts = [match.span() for match in _SEPARATOR.finditer(text)][:_MAX_CUTS]
    for start, end in reversed(cuts):
        if is_bulk(text[:start]):
            return text[:start], *_split_list(text[end:], is_bulk)
    for start, end in cuts:
        if is_bulk(text[end:]):
            return text[:start], text[end:]
    return (text,)


def _with_exceptions(
    text: str, sweep: BulkOrder, said: dict[str, str | None], lexicon: Lexicon
) -> BulkOrder | ParseError:
    if not said.get("but"):
        return sweep
    named: list[Named] = []
    for part in re.split(r"[,;&]|\band\b|\b(?:e|y|ed)\b(?=\s+\w+\s)", said.get("units") or ""):
        unit = _unit(text, part.strip(), lexicon)
        if not isinstance(unit, Named):
            return unit
        named.append(unit)
    return replace(sweep, excepted=tuple(named))


def _unit(text: str, name: str, lexicon: Lexicon) -> Named | ParseError:
    said = read_order(f"{name} h", lexicon, Stage.CAMPAIGN).said if name else ()
    if len(said) == 1 and isinstance(said[0], Hold):
        return said[0].unit
    at = max(fold(text).rfind(name), 0) if name else len(text)
    if len(said) == 1 and isinstance(said[0], ParseError) and said[0].candidates:
        return ambiguous(text, at, name, said[0].candidates)
    reason = Message("language.left_out")
    return ParseError(text, at, Fault.UNEXPECTED if name else Fault.INCOMPLETE, reason, name)


# What waits beside the orders of a phase: where a unit goes if it is dislodged, and what holds in
# every phase of a kind.  ``A flo - bol; retreat sie, pst``, ``always A pad besieges``.
_IF_DISLODGED = (
    r"(?:(?:if\s+(?:it\s+is\s+|it's\s+)?(?:dislodged|driven\s+out)"
    r"|si\s+(?:es\s+|la\s+|lo\s+)?(?:desaloj|expuls)\w+"
    r"|se\s+(?:viene\s+|e\s+)?(?:sloggiat|scacciat|cacciat)\w+),?\s+)?"
)
_RETREAT = re.compile(
    rf"(?:^|(?<=[\s,:(.]))(?:(?:and|y|e|ed)\s+)?{_IF_DISLODGED}(?:(?:it|to|se|si)\s+)?"
    r"(?:retreat(?:s|ing)?|retir(?:a|ada|ar|arse|o)|ritir(?:a|ata|are|arsi|o))\b"
    r"(?:\s*:|\s+(?:it|to|towards?|hacia|verso))*\s*"
)
_ELSE = re.compile(
    r"\s*(?:,|\b(?:and\s+then|or|else|then|otherwise|o|sino|si\s+no|luego|oppure|altrimenti|poi)\b)"
    r"\s*"
)
_TOWARDS = re.compile(r"(?:->|-|to|towards?|into|in|a|al|alla|ad|en|hacia|verso)\s*(?<=\W)")
_NONE = re.compile(
    r"(?:none|nothing|nil|cancel|withdraw|ningun[oa]?|nada|nessun[oa]?|niente|nulla)\W*"
)
_MAY_WAIT = re.compile(
    "retreat|retir|ritir|always|standing|siempre|sempre|permanent|until it|hasta|fino"
)
_ALWAYS = re.compile(
    r"\W*(?:standing(?:\s+orders?)?|always|siempre|sempre"
    r"|(?:orden(?:es)?\s+|ordin[ei]\s+)?permanent\w*)\b\W*"
)
_UNTIL = re.compile(
    r"[\s,]+(?:always|siempre|sempre|until\s+it\s+(?:falls|ends)|hasta\s+que\s+(?:caiga|termine)"
    r"|fino\s+alla\s+(?:fine|resa|caduta))\W*$"
)
_UPKEEP = re.compile(r"(?:maint|keep|upkeep|mant|conserv|ten(?:go|ere)\b)")
_AND_REST = re.compile(
    r"\s*(?:[,;&]|\band\b|\be\b|\by\b)\s*(?:and\s+|y\s+|e\s+|poi\s+|then\s+|luego\s+)?"
    r"((?:(?:the|el|il)\s+)?(?:rest|resto|others)|everything\s+else)\W*$"
)
_MAX_RETREATS = 8


class RetreatText(NamedTuple):
    """Where a unit shall go if it is dislodged, as it is written."""

    unit: Named | None
    """None if it is not said."""
    goals: str


def may_wait(text: str) -> bool:
    """Return whether a line may have more than orders for its phase; a quick test."""
    return bool(_MAY_WAIT.search(text.lower()))


def waits(text: str, lexicon: Lexicon, stage: Stage) -> bool:
    """Return whether a line that is no order of its phase says what waits with the orders."""
    if not may_wait(text):
        return False
    if standing_part(text, lexicon, stage) is not None:
        return True
    line = line_of(text)
    found = _RETREAT.match(line.plain.lstrip())
    if stage is not Stage.CAMPAIGN or found is None:
        return False
    return _names_place(line.plain.lstrip()[found.end() :], lexicon)


def _names_place(goals: str, lexicon: Lexicon) -> bool:
    """Return whether a place, or the word for none, comes first."""
    toward = _TOWARDS.match(fold(goals))
    plain = fold(goals)[toward.end() if toward is not None else 0 :]
    first = cut(plain)[:1]
    if not first:
        return False
    place = lexicon.place(first[0])
    is_place = isinstance(place, str) or (
        len(first[0]) >= _LEAST_LETTERS and not isinstance(place, Unknown)
    )
    return is_place or bool(_NONE.match(plain))


def split_retreats(text: str, lexicon: Lexicon, above: str) -> tuple[str, tuple[RetreatText, ...]]:
    """Return the orders of a campaign's line, and where its units go if they are dislodged.

    Without a unit of its own a retreat is that of the order before it, if only in the line *above*.
    """
    orders: list[str] = []
    retreats: list[RetreatText] = []
    for piece in text.split(";"):
        line = line_of(piece)
        found = _RETREAT.search(line.plain)
        if found is None:
            orders.append(piece)
            continue
        before = line.between(0, found.start()).strip(" ,:(.-")
        goals = line.between(found.end(), len(line.plain)).strip(" .)")
        unit = unit_in(before, lexicon)
        if before and unit is None:
            orders.append(before)
            unit = _last_unit(before, lexicon)
        elif not before:
            unit = _unit_of_retreat(goals, lexicon)
            if unit is None and not orders and not _names_place(goals, lexicon):
                orders.append(piece)
                continue
            unit = unit or _last_unit(orders[-1] if orders else above, lexicon)
        retreats.append(RetreatText(unit, goals))
    return ";".join(orders).strip(), tuple(retreats)


def _last_unit(text: str, lexicon: Lexicon) -> Named | None:
    understood = [o for part in read_line(text, lexicon, Stage.CAMPAIGN) for o in part.understood]
    last = understood[-1] if understood else None
    return last.unit if isinstance(last, UnitOrder) else None


def _unit_of_retreat(goals: str, lexicon: Lexicon) -> Named | None:
    """The unit of ``retreat A flo - sie, pst``, or of ``retreat A flo: none``."""
    said = read_order(_ELSE.split(goals, maxsplit=1)[0], lexicon, Stage.RETREATS).said
    if len(said) == 1 and isinstance(said[0], Advance | Convert | Disband):
        return said[0].unit
    return None


def unit_in(text: str, lexicon: Lexicon) -> Named | None:
    """Return the unit of a text that is nothing else; None of any other."""
    unit = _unit(text, fold(text), lexicon)
    return unit if isinstance(unit, Named) else None


def read_retreats(
    text: str, wanted: RetreatText, lexicon: Lexicon
) -> tuple[Order, ...] | ParseError:
    """Return the retreat orders of a unit, the best first; none where they are withdrawn."""
    unit = unit_text(wanted.unit, lexicon) if wanted.unit is not None else ""
    if _NONE.fullmatch(fold(wanted.goals)):
        return ()
    found: list[Order] = []
    for goal in filter(None, _goals(wanted.goals)):
        order = _retreat_to(unit, goal, lexicon)
        if isinstance(order, ParseError):
            at = max(text.find(goal), 0)
            return ParseError(text, at, order.fault, order.reason, goal, order.expected)
        if order not in found:
            found.append(order)
    if found and len(found) <= _MAX_RETREATS:
        return tuple(found)
    return ParseError(text, len(text), Fault.INCOMPLETE, _which_way(unit))


def _goals(text: str) -> list[str]:
    line = line_of(text)
    cuts = [
        0,
        *(at for found in _ELSE.finditer(line.plain) for at in found.span()),
        len(line.plain),
    ]
    pieces = zip(cuts[::2], cuts[1::2], strict=True)
    return [line.between(start, end).strip() for start, end in pieces]


def _retreat_to(unit: str, goal: str, lexicon: Lexicon) -> Order | ParseError:
    toward = _TOWARDS.match(fold(goal))
    bare = goal[toward.end() :] if toward is not None else goal
    tries = (f"{unit} - {goal}", f"{unit} {goal}", f"{unit} - {bare}", goal)
    said = [read_order(each, lexicon, Stage.RETREATS).said for each in tries]
    for one in said:
        order = one[0] if len(one) == 1 else None
        if (
            isinstance(order, Advance | Convert | Disband)
            and unit_text(order.unit, lexicon) == unit
        ):
            return order
    first = said[2][0] if said[2] else None
    if isinstance(first, ParseError):
        return first
    return ParseError(goal, 0, Fault.UNEXPECTED, _which_way(unit))


def _which_way(unit: str) -> Message:
    return Message("language.retreat_where", unit=unit, most=_MAX_RETREATS)


class StandingText(NamedTuple):
    """What is said to hold in every phase of a kind."""

    text: str
    """The orders; a unit where they are withdrawn."""
    stage: Stage | None
    """None where they are withdrawn."""


def standing_part(text: str, lexicon: Lexicon, stage: Stage) -> StandingText | None:
    """Return what a line says for every phase of a kind, as ``always A pad besieges``; or None.

    *stage* is the kind of phase that the line is for: what is an order of that is nothing else.
    """
    line = line_of(text)
    begins, ends = _ALWAYS.match(line.plain), _UNTIL.search(line.plain)
    if begins is None and ends is None:
        return None
    if _reads(text, lexicon, stage):
        return None
    start = begins.end() if begins is not None else 0
    rest = line.between(start, ends.start() if ends is not None else len(line.plain)).strip()
    plain = fold(rest)
    *unit, last = plain.rsplit(maxsplit=1) or [""]
    if unit and _NONE.fullmatch(last) and unit_in(unit[0].strip(": "), lexicon) is not None:
        return StandingText(unit[0].strip(": "), None)
    if is_upkeep := _UPKEEP.match(plain):
        rest = _AND_REST.sub(", maintain rest", rest) if rest.isascii() else rest
    stages = sorted(Stage, key=lambda each: (each is not Stage.ADJUSTMENT) if is_upkeep else 0)
    for each in stages:
        if _reads(rest, lexicon, each) or (each is Stage.RETREATS and _RETREAT.search(plain)):
            return StandingText(rest, each)
    return None


def _reads(text: str, lexicon: Lexicon, stage: Stage) -> bool:
    parts = read_line(text, lexicon, stage)
    said = [part for part in parts if isinstance(part.said, BulkOrder) or part.understood]
    return bool(said) and not any(part.refused for part in parts)


def write_bulk_order(sweep: BulkOrder, lexicon: Lexicon) -> str:
    """An order for many units as text that reads as the same order."""
    whom = "rest" if sweep.rest else "all"
    if sweep.kind is not None:
        word = next(word for word, kind in _KINDS.items() if kind is sweep.kind)
        whom = f"{'all other' if sweep.rest else 'all'} {word}"
    names = ", ".join(unit_text(named, lexicon) for named in sweep.excepted)
    return f"{sweep.verb.value} {whom}{f' except {names}' if names else ''}"


@dataclass(frozen=True, slots=True)
class ReservedName:
    """A name that orders cannot use."""

    bearer: PlaceId | PowerId
    name: str
    line: str
    """An order with the name that is read otherwise."""


@lru_cache(maxsize=64)
def reserved_names(lexicon: Lexicon) -> tuple[ReservedName, ...]:
    """Return the names that orders cannot say, such as a place called Hold (SYN-09), by trial."""
    places = lexicon.board.places.values()
    return (
        *(each for place in places for each in _of_place(place, lexicon)),
        *(each for power in lexicon.powers.values() for each in _of_power(power, lexicon)),
    )


def _of_place(place: Place, lexicon: Lexicon) -> Iterator[ReservedName]:
    other = next((p for p in lexicon.board.places if p != place.id), place.id)
    unit, stranger = Named(Kind.ARMY, place.id), Named(Kind.ARMY, other)
    for name in (place.id, place.name, *place.aliases):
        trials: dict[str, Order] = {
            f"A {name} H": Hold(unit),
            f"A {other} - {name}": Advance(stranger, place.id),
        }
        yield from _misread(place.id, name, trials, lexicon)


def _of_power(power: Power, lexicon: Lexicon) -> Iterator[ReservedName]:
    for name in (power.id, power.name, power.adjective, *power.aliases):
        yield from _misread(power.id, name, {f"pay 3 to {name}": Pay(3, power.id)}, lexicon)


def _misread(
    bearer: PlaceId | PowerId, name: str, trials: dict[str, Order], lexicon: Lexicon
) -> Iterator[ReservedName]:
    for line, meant in trials.items():
        if read_order(line, lexicon, Stage.CAMPAIGN).said != (meant,):
            yield ReservedName(bearer, name, line)
            return
