"""Coasts as people write them behind a place: ``ProveN``, ``pro-nc``, ``pro/n``, ``pro n``.

A coast's letter behind a name is that coast only where the place has it.  The first letters of a
name are the name, also where the last of them looks like a coast: ``prove``, ``St Peters``.
"""

from collections.abc import Iterator, Sequence

from machjudge.language.orders.pieces import Term
from machjudge.language.vocabulary.grammar import class_of, letter
from machjudge.language.vocabulary.lexicon import Lexicon

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


def with_coasts(terms: Sequence[Term], lexicon: Lexicon) -> list[Term]:
    """The terms of a line, with every coast as a term of its own and without a dash before it."""
    apart = [piece for term in terms for piece in _apart(term, lexicon)]
    done: list[Term] = []
    for index, term in enumerate(apart):
        behind = apart[index + 1 :]
        if term.kind == letter("MOVE") and behind and _is_coast(done, behind, lexicon, dashed=True):
            continue
        done.append(_as_coast(term) if _is_coast(done, apart[index:], lexicon) else term)
    return done


def _apart(term: Term, lexicon: Lexicon) -> Iterator[Term]:
    """A place and its coast that are written as one word."""
    cut = _cut_of(term, lexicon)
    if not cut:
        yield term
        return
    at = term.start + cut
    yield Term(term.text[:cut], term.kind, term.start, at)
    yield _as_coast(Term(term.text[cut:], term.kind, at, term.end))


def _cut_of(term: Term, lexicon: Lexicon) -> int:
    """Behind how many letters of a word its coast begins; 0 where it has none."""
    if term.kind != letter("NAME") or lexicon.is_exact(term.text):
        return 0
    for sign in _GLUED:
        base = term.text.removesuffix(sign)
        if base != term.text and _coast_of(sign) in lexicon.coasts_of(base):
            return 0 if _is_beginning(term.text, base, lexicon) else len(base)
    return 0


def _is_beginning(text: str, base: str, lexicon: Lexicon) -> bool:
    """Whether a word with a coast's letter at its end is the beginning of a name instead.

    Behind five letters it is the coast, as the notation of 1978 writes it: ``ProveN``.
    """
    if lexicon.is_beginning_of_another(text, base):
        return True
    is_short = len(base) == _SHORT
    return not is_short and lexicon.place(text) == lexicon.place(base)


def _is_coast(
    before: Sequence[Term], behind: Sequence[Term], lexicon: Lexicon, *, dashed: bool = False
) -> bool:
    """Whether the first of *behind* names a coast of the place before it."""
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


def _goes_there(before: Sequence[Term]) -> bool:
    """Whether the place is one that a unit goes to: behind others an ``s`` is a support."""
    return len(before) > 1 and class_of(before[-2].kind) in _TOWARD


def _ends(behind: Sequence[Term]) -> bool:
    """Whether the order ends behind the first term."""
    return len(behind) == 1 or not class_of(behind[1].kind)


def _as_coast(term: Term) -> Term:
    name = _COASTS[term.text]
    return term._replace(text=name.lower(), kind=letter(name))
