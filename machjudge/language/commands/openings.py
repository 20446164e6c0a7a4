"""The words with which commands and orders begin, taken from the two grammars.

The reader of mails has to know where a new command begins; these are the only lists for that.
Knows words; no board, no game.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import TypeAlias

from machjudge.adjudicator.model.moments import Stage
from machjudge.language.commands.dialogue import command_phrases
from machjudge.language.vocabulary.grammar import (
    END,
    Halt,
    Shape,
    class_of,
    letter,
    openings,
    tree_of,
    vocabulary,
    words_of,
)
from machjudge.language.vocabulary.synonyms import SYNONYMS

Phrase: TypeAlias = tuple[str, ...]
"""Words in lower case, one after the other."""

_QUALITIES = frozenset(
    (
        *("CAVALRY", "CITIZEN", "CM", "ELITE", "EM", "EP"),
        *("MERCENARY", "MILITIA", "NORMAL", "PROFESSIONAL"),
    )
)
_TYPES = frozenset(("A", "ARMY", "F", "FLEET", "G", "GARRISON"))
_COASTS = frozenset(("COAST", "EAST", "EC", "NC", "NORTH", "SC", "SOUTH", "WC", "WEST"))
_NAMES = frozenset(("ARMY", "FLEET", "GARRISON", "NAME", "NUMBER", "FRACTION"))
_BEFORE_UNITS = frozenset(("BESIEGE", "CONVERT", "H", "HOLD", "LIFT", "MOVES", "RAISE", "SIEGE"))
"""Classes that begin an order only before a unit: ``hold`` may be the end of a support."""
_NO_VERBS = _QUALITIES | _NAMES | _BEFORE_UNITS | frozenset(("INTO", "NO", "NONE", "NOT", "TO"))
"""Classes with which an order may begin, and as well the rest of a broken one."""
_TAKEN_BACK = ("ALLY", "BURN", "CEDE", "EXCOMMUNICATE", "PERMIT")
"""Classes whose words begin an order behind ``not`` and ``no``, too."""
_PAYING = frozenset(("PAY", "REPAY"))
"""Classes whose other words begin an order, too, whatever follows."""
_NO_DEEDS = (
    _QUALITIES | _COASTS | frozenset(("A", "AN", "AT", "BY", "INTO", "NAME", "NO", "NOT", "TO"))
)
_NO_DEEDS |= frozenset(("VIA", "WITH"))
_PROSE = frozenset(("go", "goes"))
"""Deeds that say nothing in a sentence: "we shall go"."""
_SHORTHAND = frozenset(("conv", "march", "marches", "sup", "supp", "supporting", "sups"))
"""Deeds that the grammar does not list, and that no sentence has by chance."""
_BRANCHES = ("if", "then", "else", "elseif", "elsif", "endif")
_SWEEPS = ("all", "rest", "others", "the")
_SHORT = 3
"""A shorter word is too easily an abbreviation."""


@cache
def commands() -> frozenset[Phrase]:
    """Every phrase with which a command begins, and the words of ``if … endif``."""
    branches = [(word,) for word in _BRANCHES]
    return frozenset(command_phrases()) | frozenset([*branches, ("else", "if"), ("end", "if")])


@cache
def verbs() -> frozenset[Phrase]:
    """Every phrase with which an order begins that has another word behind it."""
    refused = [word for name in _TAKEN_BACK for word in words_of(name)]
    refusals = set(product([*words_of("NOT"), *words_of("NO")], refused))
    types = ["the", "my", *(word for name in _TYPES for word in words_of(name))]
    rare = [word for word, name in SYNONYMS.items() if name in _first_classes()]
    alone = [word for word, name in SYNONYMS.items() if name in _PAYING]
    before_units = set(product([*_words(_BEFORE_UNITS), *rare], types))
    verbs = frozenset((word,) for word in [*_words(_first_classes()), *alone])
    return verbs | refusals | before_units


@cache
def whole_orders() -> frozenset[Phrase]:
    """Every phrase that is an order by itself, as ``waive`` and ``hold rest`` are."""
    alone = (
        name
        for name in _first_classes()
        if any(not isinstance(tree_of(stage, letter(name)), Halt) for stage in Stage)
    )
    sweeps = set(product(("hold", "stand", "keep", "maintain"), _SWEEPS))
    return frozenset((word,) for word in _words(alone)) | sweeps


@cache
def unit_words() -> frozenset[str]:
    """Every word for a kind of unit, its letters left out."""
    names = frozenset(("ARMY", "FLEET", "GARRISON"))
    listed = {word for name in names for word in words_of(name)}
    return frozenset(listed | {word for word, name in SYNONYMS.items() if name in names})


@cache
def deeds() -> frozenset[str]:
    """Every word that says what a unit does, and stands behind its name."""
    return _SHORTHAND | frozenset(
        word
        for name in _behind_a_unit() - _NO_DEEDS
        for word in words_of(name)
        if word.isalpha() and word not in _PROSE
    )


def _first_classes() -> frozenset[str]:
    return frozenset(class_of(each) for stage in Stage for each in openings(stage)) - _NO_VERBS


def _words(classes: Iterable[str]) -> Iterator[str]:
    for name in classes:
        yield from (word for word in words_of(name) if len(word) >= _SHORT)


def _behind_a_unit() -> frozenset[str]:
    """The classes of words that may follow ``A NAME`` in some kind of phase."""
    unit: Shape = letter("A") + letter("NAME")
    found = {
        name
        for stage in Stage
        for name in set(vocabulary().values())
        if _may_go_on(stage, unit + letter(name), len(unit))
    }
    return frozenset(found - {END})


def _may_go_on(stage: Stage, shape: Shape, index: int) -> bool:
    tree = tree_of(stage, shape)
    return not isinstance(tree, Halt) or tree.index > index
