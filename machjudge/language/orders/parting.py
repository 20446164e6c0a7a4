"""What the pieces of a line have to do with each other: lists, rests behind a comma, payments.

Looks at the classes of words only; whether something is an order, the grammar says.
"""

import itertools
from collections.abc import Sequence

from machjudge.language.orders.pieces import Segment, Term, letters
from machjudge.language.vocabulary.grammar import letter

_TYPES = "A ARMY F FLEET G GARRISON"
_UNIT = f"{_TYPES} NAME NC SC EC WC SLASH"
_REMOVAL = "REMOVE DISBAND D"
_SHARED = "H HOLD B BESIEGE SIEGE L LIFT"
_PAYING = "PAY GIVE"
_CARRIED = f"ALLY UNALLY NOT WITH BUILD REMOVE DISBAND MAINTAIN B R D M H HOLD BESIEGE {_PAYING}"
"""The opening words that hold for the units or powers that follow behind a comma."""
_AFTER_CARRIED = f"{_TYPES} NAME CM EM EP CITIZEN MILITIA ELITE MERCENARY PROFESSIONAL CAVALRY"
_NO_ORDER_ALONE = (
    "NAME NUMBER FRACTION H HOLD MOVES CONVERT BESIEGE SIEGE LIFT RAISE BY VIA D DUCATS"
)
"""With what a piece begins that says nothing by itself, or only together with what is before it."""
_COURTESIES = frozenset(("please", "pls", "plz", "thanks", "thank", "you", "thx", "cheers"))


def leading(segment: Segment) -> Segment:
    """The opening words of an order that hold for what follows it behind a comma.

    In ``remove A par, F gen`` the fleet is to be removed too.
    """
    kept: list[Term] = []
    for term in segment:
        if term.kind not in letters(_CARRIED):
            return tuple(kept)
        kept.append(term)
    return ()


def may_follow(carried: Segment, segment: Segment) -> bool:
    """Whether a segment is of the kind to which the opening words of another order may belong.

    Behind a payment only what has an amount of its own: ``pay 5 to Milan, 3 to Venice``.
    """
    if is_payment(carried):
        return any(term.kind == letter("NUMBER") for term in segment)
    return segment[0].kind in letters(_AFTER_CARRIED)


def begins_with_unit(segment: Segment) -> bool:
    """Whether a segment begins with a unit or a name, so that it is about something else."""
    return segment[0].kind in letters(f"{_TYPES} NAME")


def begins_with_sea(segment: Segment) -> bool:
    """Whether a segment begins with a name, or with a fleet as the places of a way are written."""
    is_fleet = len(segment) > 1 and segment[0].kind in letters("F FLEET")
    return segment[1 if is_fleet else 0].kind == letter("NAME")


def dash_before(segment: Segment) -> Term:
    """The dash that a list of places has where somebody writes a comma or ``and``."""
    return Term("-", letter("MOVE"), segment[0].start, segment[0].start)


def is_fragment(segment: Segment) -> bool:
    """Whether a segment, if it is no order, is a piece of the one before it.

    In ``pay 5 ducats to Milan and Venice`` the last word is half an order.
    """
    return segment[0].kind in letters(_NO_ORDER_ALONE)


def is_courtesy(segment: Segment) -> bool:
    """Whether a segment is nothing but a kind word to the judge."""
    return all(term.text in _COURTESIES for term in segment)


def on_the_way(segment: Segment) -> bool:
    """Whether a segment ends within a list of seas: ``A ven - bar via uas``, ``via F uas``."""
    way = letters("NAME MOVE F FLEET")
    tail = itertools.takewhile(lambda term: term.kind in way, reversed(segment))
    seas = list(tail)
    before = segment[: len(segment) - len(seas)]
    return bool(seas and before) and before[-1].kind in letters("VIA BY")


def is_bare_unit(segment: Segment) -> bool:
    """Whether a segment is a unit and nothing else; in an adjustment it is maintained."""
    return begins_with_unit(segment) and all(term.kind in letters(_UNIT) for term in segment)


def is_lone_unit(segment: Segment) -> bool:
    """Whether a segment is a unit with its type, and nothing else."""
    return len(segment) > 1 and segment[0].kind in letters(_TYPES) and is_bare_unit(segment)


def lent_by(segments: Sequence[Segment]) -> Segment:
    """The verb that the last of some units lends to one before them: ``A per, A bol hold``.

    Only what each of them can do where it stands; nothing where there is no such verb.
    """
    rest = list(itertools.dropwhile(is_lone_unit, segments))
    verb = rest[0][-1:] if rest else ()
    lends = verb and verb[0].kind in letters(_SHARED) and is_lone_unit(rest[0][:-1])
    return verb if lends else ()


def ends_with_removal(segment: Segment) -> bool:
    """Whether a segment is a unit with its removal behind it: ``F gen remove``."""
    return is_bare_unit(segment[:-1] or segment) and segment[-1].kind in letters(_REMOVAL)


def is_payment(segment: Segment) -> bool:
    """Whether a segment begins like a payment."""
    return segment[0].kind in letters(_PAYING)
