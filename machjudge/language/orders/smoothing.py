"""Small words and signs that say nothing where they stand: an order is read without them.

``A per: hold``, ``the army in Perugia is to move to Urbino``, ``expense #1 - for 12 ducats …``.
Everything here looks at a word and its neighbours only.
"""

from machjudge.language.orders.pieces import Segment, Term, letters
from machjudge.language.vocabulary.grammar import letter
from machjudge.language.vocabulary.lexicon import JUNK

_TYPES = "A F G ARMY FLEET GARRISON"
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
"""How many terms a unit has: ``A mil``."""
_NTH = 2
"""How many terms the number of an expense has: ``expense 1``."""


def smooth(segment: Segment) -> Segment:
    """The terms of an order without those that say nothing where they stand."""
    segment = _types_first(_without_kinds(segment))
    is_expense = _is(segment[0], "EXPENSE E") if segment else False
    says_nothing = _of_expense if is_expense else _of_order
    done: list[Term] = []
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

    It says something where a unit is raised or bought, and where nothing follows it.
    """
    kept: list[Term] = []
    is_raised = False
    for at, term in enumerate(segment):
        is_raised = is_raised or _is(term, _RAISING)
        if is_raised or not _is(term, _QUALITIES) or not _names_no_unit(kept, segment[at + 1 :]):
            kept.append(term)
    return tuple(kept)


def _names_no_unit(before: list[Term], behind: Segment) -> bool:
    """Whether a special kind stands beside a unit of which an order says something."""
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


def _anywhere(before: list[Term], term: Term, behind: Segment) -> bool:
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


def _is_ordinary(before: list[Term], term: Term, follower: Term) -> bool:
    """``do not``, ``please hold``, ``my army``, ``will move``."""
    if term.text == "do":
        return _is(follower, "NOT")
    if term.text in _POLITE:
        return not before or _is(follower, _VERBS)
    if term.text in _MINE:
        return _is(follower, f"{_TYPES} {_LONG_TYPES}")
    return bool(before) and _is(follower, f"{_VERBS} TO")


def _of_order(before: list[Term], term: Term, behind: Segment) -> bool:
    """The colon behind a unit or a verb; another unit behind it is no order for the first.

    A letter alone is what a garrison becomes, ``G ven: F``; before a dash it is the advance of
    1978, ``A mil: A-pav``.
    """
    if not _is(term, "COLON") or not before:
        return False
    advances = _is(behind[0], "A") and len(behind) > 1 and _is(behind[1], "MOVE")
    return _is(before[-1], _VERBS) or advances or not _is(behind[0], _TYPES)


def _of_expense(before: list[Term], term: Term, behind: Segment) -> bool:
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


def _closes(done: list[Term], term: Term, so_far: Segment) -> bool:
    """Whether a bracket ends what one was dropped before: a special kind or a number of ducats."""
    if term.text != ")" or not _is(done[-1], f"{_QUALITIES} {_DUCATS} H HOLD"):
        return False
    return any(each.text == "(" for each in so_far)


def _is_emphasis(done: list[Term], term: Term) -> bool:
    """``holds position``, ``stays put``."""
    return term.text in _FIRMLY and _is(done[-1], "H HOLD")


def _is(term: Term, names: str) -> bool:
    return term.kind in letters(names)
