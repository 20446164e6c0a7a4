"""Problems: what a player is told about a line that could not be read, in words of the game."""

from collections.abc import Callable, Mapping
from functools import cache

from machjudge.adjudicator.model.moments import Stage
from machjudge.language.orders.forms import OrderTrouble
from machjudge.language.orders.meanings import Nameless
from machjudge.language.orders.pieces import Segment, letters
from machjudge.language.vocabulary.grammar import END, Halt, class_of, words_of
from machjudge.language.vocabulary.lexicon import Several
from machjudge.language.vocabulary.said import Ambiguous, Fault, Problem, Refused
from machjudge.language.vocabulary.words import PlainLine
from machjudge.sentence import Sentence, Wording

_MOST_EXPECTED = 8
_SHOWN = 200
"""How much of an endless line is repeated."""

_PHRASES: Mapping[str, Wording] = {
    "H": Sentence("language.expected.hold"),
    "MOVES": Sentence("language.expected.moves"),
    "S": Sentence("language.expected.support"),
    "T": Sentence("language.expected.transport"),
    "C": Sentence("language.expected.convert"),
    "B": "b",
    "L": Sentence("language.expected.lift"),
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
    "NUMBER": Sentence("language.expected.number"),
    "DUCATS": "ducats",
    "TO": "to",
    "BANK": "bank",
    "YEAR": "years",
    "SLASH": Sentence("language.expected.coast"),
    "COUNTER": "counter-bribe",
    "BUY": "buy",
    "FAMINE": "famine relief",
    "PACIFY": "pacify rebellion",
    "CAUSE": "cause rebellion",
    "ASSASSINATE": "assassinate",
    "NONE": "none",
}
"""What may follow, by the class that stands for all of its synonyms, in the order of mention."""

_OF_HELP = frozenset({"H", "MOVES", "TO"})

_DEEDS = (
    "counter-bribe",
    "disband",
    "buy",
    "garrison to autonomous",
    "famine relief",
    "pacify rebellion",
    "cause rebellion",
    "assassinate",
)
"""What an expense may be for: told whole, though other words might stand there, too."""


def unexpected(line: PlainLine, segment: Segment, halt: Halt) -> Problem:
    """The order stops being one at a word, or at the end."""
    if _is_unknown_deed(segment, halt):
        halt = Halt(len(segment) - 1, halt.accepts | {"FAMINE"})
    if halt.index == len(segment):
        position = segment[-1].end
        reason, fault = Sentence("language.order_incomplete"), Fault.INCOMPLETE
        return Problem(line.original, line.column(position), fault, reason, "", _expected(halt))
    term = segment[halt.index]
    found = line.between(term.start, term.end)
    if END in halt.accepts:
        reason = Sentence("language.complete_before", found=found)
        return Problem(line.original, line.column(term.start), Fault.LEFT_OVER, reason, found)
    reason = Sentence("language.cannot_stand_here", found=found)
    if (
        halt.index == 1
        and segment[0].kind in letters("A F G ARMY FLEET GARRISON")
        and found.isdigit()
    ):
        reason = Sentence("language.unit_number")
    return Problem(
        line.original,
        line.column(term.start),
        Fault.UNEXPECTED,
        reason,
        found,
        _expected(halt),
    )


def no_order(line: PlainLine, segment: Segment) -> Problem:
    """A line that begins with a word unknown to orders, and goes on like prose."""
    start = segment[0].start
    reason = Sentence("language.no_order")
    found = line.between(start, segment[0].end)
    return Problem(line.original, line.column(start), Fault.LEFT_OVER, reason, found)


def _is_unknown_deed(segment: Segment, halt: Halt) -> bool:
    """Whether an expense ends with a word that could only have been an amount in words."""
    at_end = halt.index == len(segment)
    return at_end and halt.accepts <= {"D", "DUCATS"} and segment[0].text in _expense()


@cache
def _expense() -> frozenset[str]:
    """The words with which an expense begins."""
    return frozenset({"e", *words_of("EXPENSE")})


def impossible(line: PlainLine, segment: Segment, trouble: OrderTrouble) -> Problem:
    """The order is complete, but cannot be meant so; word -1 is the end of the line."""
    if trouble.index < 0:
        column, found = line.column(segment[-1].end), ""
    else:
        term = segment[trouble.index]
        column, found = line.column(term.start), line.between(term.start, term.end)
    return Problem(line.original, column, trouble.fault, trouble.reason, found, trouble.expected)


def half(
    line: PlainLine, order: Segment, rest: Segment, is_order: Callable[[Segment], bool]
) -> Problem:
    """What follows a whole order is no order by itself: the two are refused together.

    :param is_order: whether terms are an order; what might have been meant is one.
    """
    found = line.between(rest[0].start, rest[-1].end)
    reason = Sentence("language.half", found=found)
    begun = order[:-1] + rest
    is_payment = class_of(order[0].kind) in ("PAY", "GIVE") and order[-1].kind == rest[0].kind
    nearest = None
    if is_payment and is_order(begun):
        first = line.between(order[0].start, order[-1].end)
        nearest = f"{first}; {line.between(order[0].start, order[-2].end)} {found}"
    return Problem(
        line.original, line.column(rest[0].start), Fault.HALF, reason, found, nearest=nearest
    )


def whose_removal(line: PlainLine, segment: Segment) -> Problem:
    """A removal behind a list of units is for the last one, or for all of them."""
    term = segment[-1]
    found = line.between(term.start, term.end)
    reason = Sentence("language.whose_removal", found=found)
    return Problem(line.original, line.column(term.start), Fault.UNCLEAR, reason, found)


def beginning_missing(line: PlainLine, segment: Segment, words: str, nearest: str) -> Problem:
    """The order would be one behind these words."""
    found = line.between(segment[0].start, segment[0].end)
    column = line.column(segment[0].start)
    key = "no_expense_number" if words.startswith("e") else "no_verb"
    reason = Sentence(f"language.{key}", begins=words)
    return Problem(line.original, column, Fault.UNEXPECTED, reason, found, nearest=nearest)


def of_another_phase(line: PlainLine, segment: Segment, given: Stage, due: Stage) -> Problem:
    """The order can be read, but not now."""
    reason = Sentence("language.other_phase", given=_phase(given), due=_phase(due))
    found = line.between(segment[0].start, segment[-1].end)
    return Problem(line.original, line.column(segment[0].start), Fault.PHASE, reason, found)


def _phase(stage: Stage) -> Sentence:
    return Sentence(f"language.phase.{stage.name.lower()}")


def unnamed(line: PlainLine, segment: Segment, nameless: Nameless) -> Refused:
    """A word that should name a place or a power names none, or several."""
    term = segment[nameless.index]
    column, found = line.column(term.start), line.between(term.start, term.end)
    if isinstance(nameless.meaning, Several):
        return Ambiguous(line.original, column, found, nameless.meaning.candidates)
    key = "no_power" if nameless.fault is Fault.NO_POWER else "no_place"
    reason = Sentence(f"language.{key}", found=found)
    return Problem(line.original, column, nameless.fault, reason, found)


def too_long(text: str) -> Problem:
    """Nobody writes such a line."""
    return Problem(text[:_SHOWN], 0, Fault.TOO_LONG, Sentence("language.too_long"))


def _expected(halt: Halt) -> tuple[Wording, ...]:
    if "FAMINE" in halt.accepts:
        return _DEEDS
    # A power may be written by its initial, so all letters are accepted where it can stand.
    power = "CR" in halt.accepts and "NAME" in halt.accepts
    # "supports hold to Siena" is read, but not taught.
    untaught = _OF_HELP if {"ARMY", "FROM"} <= halt.accepts else frozenset()
    named: list[Wording] = [
        phrase
        for name, phrase in _PHRASES.items()
        if name in halt.accepts - untaught and not (power and len(name) == 1)
    ]
    if "NAME" in halt.accepts:
        named.insert(0, Sentence("language.expected.power" if power else "language.expected.place"))
    if "ARMY" in halt.accepts:
        named.insert(0, Sentence("language.expected.unit_type"))
    others = (words_of(name)[-1] for name in sorted(halt.accepts) if words_of(name))
    return tuple(named or others)[:_MOST_EXPECTED]
