"""A line cut into orders, and these into terms: words with their class on this board.

A name of several words is one term.  Where a line holds several orders, this is where they part.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from machjudge.adjudicator.model.moments import Stage
from machjudge.language.orders.coasts import with_coasts
from machjudge.language.orders.parting import is_payment
from machjudge.language.orders.pieces import Segment, Term, letters
from machjudge.language.orders.smoothing import smooth
from machjudge.language.vocabulary.grammar import Shape, letter, openings, vocabulary
from machjudge.language.vocabulary.lexicon import FILLER, HEAD, SEPARATOR, STOP, Lexicon
from machjudge.language.vocabulary.words import PlainLine, Word

_LEAST_OF_PIECE = 3
"""How many letters of the second word of a long name must be written: "upper adr"."""

_GLUED = frozenset(("sa", "sf", "sg", "sh", "ca", "ta"))
_BEFORE_VERB = "NAME NC SC EC WC CLOSE COLON"
_BEHIND_VERB = "NAME OPEN A ARMY F FLEET"

_TYPES = "A ARMY F FLEET G GARRISON"
_BEFORE_TYPE = "C CONVERT EQUALS TO INTO B BESIEGE SIEGE"
"""What stands before a unit type at the end of an order, as in ``A per c g.``"""


_JOINING = frozenset(("e", "y", "ed", "et", "und", "+"))
"""``and`` in other languages, where another order or unit follows."""
_OPENING = "HOLD H MAINTAIN M BUILD B REMOVE R DISBAND BESIEGE PAY GIVE"


def terms_of(line: PlainLine, lexicon: Lexicon, stage: Stage) -> list[Term]:
    """All terms of a line in a kind of phase, separators and full stops included."""
    words = line.words()
    terms: list[Term] = []
    at = 0
    while at < len(words):
        word = words[at]
        end = _end_of_name(words, at, lexicon) if word.text in lexicon.heads else at + 1
        if end > at + 1:
            pieces = [w.text for w in words[at:end] if w.text != "."]
            terms.append(Term(" ".join(pieces), letter("NAME"), word.start, words[end - 1].end))
        else:
            terms.append(Term(word.text, _kind_alone(word.text, lexicon), word.start, word.end))
        at = end
    terms = [part for at in range(len(terms)) for part in _parted_verb(terms, at, lexicon)]
    if lexicon.by_stage:
        terms = [_in_stage(term, lexicon, stage) for term in terms]
    terms = [_joiner(terms, at, lexicon) for at in range(len(terms))]
    if lexicon.letters:
        terms = [_usual(terms, index, lexicon) for index in range(len(terms))]
    return with_coasts(terms, lexicon)


def _parted_verb(terms: Sequence[Term], at: int, lexicon: Lexicon) -> Iterator[Term]:
    """A verb that is written together with the type of the unit behind it: ``F hel SF den``.

    ``SH`` is a support to hold.
    """
    term = terms[at]
    verb, kind = term.text[:1], term.text[1:]
    between = 0 < at < len(terms) - 1 and terms[at - 1].kind in letters(_BEFORE_VERB)
    is_verb = between and term.text in _GLUED and not lexicon.is_exact(term.text)
    if not is_verb or terms[at + 1].kind not in letters(_BEHIND_VERB):
        yield term
        return
    yield Term(verb, lexicon.kind_of(verb), term.start, term.start + 1)
    yield Term(kind, lexicon.kind_of(kind), term.start + 1, term.end)


def _in_stage(term: Term, lexicon: Lexicon, stage: Stage) -> Term:
    """A term; of a word that means what the kind of phase makes of it, with that meaning."""
    name = lexicon.by_stage.get(term.text, {}).get(stage)
    return term._replace(kind=letter(name)) if name is not None else term


def _joiner(terms: Sequence[Term], at: int, lexicon: Lexicon) -> Term:
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


def _usual(terms: Sequence[Term], index: int, lexicon: Lexicon) -> Term:
    """A term; the usual one for another language's letter of a kind of unit.

    Such a letter stands before a name, ``E Siena``, or at the end of a conversion, ``G Pisa C E``.
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
    return Term(usual, lexicon.kind_of(usual), term.start, term.end)


def shape_of(segment: Segment) -> Shape:
    """The classes of a segment's terms."""
    return "".join(term.kind for term in segment)


def segments_of(terms: Sequence[Term], *, at_stops: bool) -> list[Segment]:
    """The orders of a line.

    :param at_stops: whether a full stop behind a word ends an order; otherwise it only marks an
        abbreviation and says nothing.
    """
    cuts = [index for index in range(len(terms)) if _parts(terms, index, at_stops=at_stops)]
    bounds = zip([-1, *cuts], [*cuts, len(terms)], strict=True)
    pieces = (tuple(filter(_says_something, terms[a + 1 : b])) for a, b in bounds)
    return [smooth(segment) for segment in _joined(filter(None, pieces))]


def _kind_alone(word: str, lexicon: Lexicon) -> str:
    kind = lexicon.kind_of(word)
    if kind != HEAD:
        return kind
    return letter(vocabulary().get(word, "NAME"))


def _end_of_name(words: Sequence[Word], start: int, lexicon: Lexicon) -> int:
    """Behind the longest name of several words that begins here, complete or cut short."""
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
    """Whether a word is a piece of a name, or a beginning of it that is no order word."""
    if word == piece:
        return True
    return len(word) >= least and piece.startswith(word) and word not in vocabulary()


def _parts(terms: Sequence[Term], index: int, *, at_stops: bool) -> bool:
    """Whether one order ends here and another begins."""
    term = terms[index]
    if term.kind != STOP or not at_stops or index == 0:
        return term.kind == SEPARATOR
    # "A. Per h" abbreviates the army; "A Per c g. A Bol h" are two orders.
    abbreviates = terms[index - 1].kind in letters(_TYPES)
    return not abbreviates or (index > 1 and terms[index - 2].kind in letters(_BEFORE_TYPE))


def _says_something(term: Term) -> bool:
    return term.kind not in (STOP, FILLER)


def _joined(segments: Iterable[Segment]) -> list[Segment]:
    """Put what cannot begin an order back to the order before: ``A mil, h``, ``buy G sie, 9 d``."""
    joined: list[Segment] = []
    for segment in segments:
        pays_more = joined and is_payment(joined[-1])
        if joined and segment[0].kind not in _openings() and not (pays_more and _is_sum(segment)):
            joined[-1] += segment
        else:
            joined.append(segment)
    return joined


def _is_sum(segment: Segment) -> bool:
    """Whether a segment begins with an amount and goes on behind it."""
    return segment[0].kind == letter("NUMBER") and len(segment) > 1


@cache
def _openings() -> frozenset[str]:
    """The classes with which an order of any kind of phase may begin."""
    return frozenset().union(*(openings(stage) for stage in Stage))
