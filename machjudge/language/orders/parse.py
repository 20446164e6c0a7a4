"""A line of orders in, what it says out.  Knows the grammar and the names; no position, no rules.

Almost all lines go the quick way: their words are known, and so is the shape of the order.  All
others are cut into terms with their columns, so that a problem can be shown where it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations, islice

from machjudge.adjudicator.model.moments import Stage
from machjudge.language.orders.explain import nearest
from machjudge.language.orders.forms import OrderTrouble, Recipe
from machjudge.language.orders.meanings import Nameless, meanings_of
from machjudge.language.orders.parting import (
    begins_with_sea,
    begins_with_unit,
    dash_before,
    ends_with_removal,
    is_bare_unit,
    is_courtesy,
    is_fragment,
    is_lone_unit,
    is_payment,
    leading,
    lent_by,
    may_follow,
    on_the_way,
)
from machjudge.language.orders.pieces import Segment, Term
from machjudge.language.orders.recipes import MOST_TERMS, quickly, recipe_of
from machjudge.language.orders.refusals import (
    beginning_missing,
    half,
    impossible,
    no_order,
    of_another_phase,
    too_long,
    unexpected,
    unnamed,
    whose_removal,
)
from machjudge.language.orders.remarks import courtesies_around, remarks_in
from machjudge.language.orders.terms import segments_of, shape_of, terms_of
from machjudge.language.vocabulary.grammar import END, Halt, Shape, letter
from machjudge.language.vocabulary.lexicon import Lexicon, Unknown
from machjudge.language.vocabulary.said import Fault, Parsed, Problem, Said
from machjudge.language.vocabulary.words import PlainLine, line_of, undressed, without_brackets

MOST_CHARACTERS = 1_000
"""A longer line is refused unread."""
_MOST_READINGS = 16
"""How often an order is tried with other words of it taken for places."""
_MOST_REFUSED = 20
"""With more refused orders a line is not read again with words put right."""


def parse_order(text: str, lexicon: Lexicon, stage: Stage) -> Parsed:
    """Read a line of orders.

    :param text: one line as a player wrote it; anything at all.
    :param lexicon: the names of the game's scenario.
    :param stage: for what kind of phase orders are due.
    :returns: every order of the line, and a problem for each that cannot be read (SYN-01 to
        SYN-09); a line without orders gives none.
    """
    quick = _read_quickly(text, lexicon, stage)
    return quick or with_advice(_read_thoroughly(text, lexicon, stage), lexicon, stage)


def read_order(text: str, lexicon: Lexicon, stage: Stage) -> Parsed:
    """Read a line of orders without advice for what is wrong, which takes longer than the rest."""
    return _read_quickly(text, lexicon, stage) or _read_thoroughly(text, lexicon, stage)


def _read_quickly(text: str, lexicon: Lexicon, stage: Stage) -> Parsed | None:
    if len(text) > MOST_CHARACTERS:
        return None
    quick = quickly(text, lexicon, stage)
    return None if quick is None else Parsed(quick)


def _read_thoroughly(text: str, lexicon: Lexicon, stage: Stage) -> Parsed:
    if len(text) > MOST_CHARACTERS:
        return Parsed((too_long(text),))
    return OrderReader(lexicon, stage).read(text)


def with_advice(parsed: Parsed, lexicon: Lexicon, stage: Stage) -> Parsed:
    """Add to each problem the nearest line that can be read."""
    refused = parsed.refused
    if not 0 < len(refused) <= _MOST_REFUSED or len(refused[0].line) > MOST_CHARACTERS:
        return parsed

    @cache
    def advice(line: str) -> str | None:
        # Several orders of a line have the same advice: all of it is read again each time.
        return nearest(line, lexicon, lambda each: OrderReader(lexicon, stage).read(each).refused)

    said = (
        replace(one, nearest=one.nearest or advice(one.line)) if isinstance(one, Problem) else one
        for one in parsed.said
    )
    return replace(parsed, said=tuple(said))


def _told_once(parsed: Parsed) -> Parsed:
    """Of a line of prose, in which no part is an order, only the first problem."""
    formless = (Fault.UNEXPECTED, Fault.INCOMPLETE, Fault.LEFT_OVER)
    if all(isinstance(one, Problem) and one.fault in formless for one in parsed.said):
        return replace(parsed, said=parsed.said[:1], spans=())
    return parsed


def _span(line: PlainLine, segment: Segment) -> tuple[int, int]:
    """Where a segment stands in the line as it was written."""
    return line.column(segment[0].start), line.column(segment[-1].end - 1) + 1


@dataclass(frozen=True, slots=True)
class OrderReader:
    """Reads lines thoroughly: with names cut short, several orders, comments and mistakes."""

    lexicon: Lexicon
    stage: Stage

    def read(self, text: str) -> Parsed:
        """Everything that a line says, without advice."""
        line = undressed(line_of(text))
        parsed = self._orders(line)
        if not parsed.refused:
            return parsed
        start, end = courtesies_around(line.plain, self.lexicon)
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
        """The orders of a line without a comment.

        A full stop marks an abbreviation; only where that makes no sense it ends an order.
        """
        terms = terms_of(line, self.lexicon, self.stage)
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
            if last and is_courtesy(segment):
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
            spans += [_span(line, segment)] * len(more)
        return Parsed(tuple(said), spans=tuple(spans) if len(said) > 1 else ())

    def _spoiled(self, line: PlainLine, last: Segment, segment: Segment) -> Problem | None:
        """Why what follows an order makes the whole line unreadable; None if it does not."""
        if is_fragment(segment) and not self.is_order(segment):
            return half(line, last, segment, self.is_order)
        if is_lone_unit(last) and self.stage is Stage.CAMPAIGN:
            return half(line, segment, last, self.is_order)
        if is_bare_unit(last) and ends_with_removal(segment):
            return whose_removal(line, segment)
        return None

    def _with_rest(self, segment: Segment, others: list[Segment]) -> Segment:
        """A segment with what belongs to it of those behind it, which is taken off them."""
        while others and (joint := self._joint(segment, others[0])) is not None:
            segment += (*joint, *others.pop(0))
        if is_lone_unit(segment) and not self.is_order(segment):
            segment += lent_by(others)
        return segment

    def _joint(self, segment: Segment, behind: Segment) -> Segment | None:
        """What stands between a segment and the rest of its order; None if that is no rest.

        Behind a comma stands the rest of an expense, ``expense 1: 12 d, buy A sie``, or another
        sea of a way, ``A ven - bar via uas, las``.
        """
        is_whole = self.is_order(segment)
        if on_the_way(segment) and begins_with_sea(behind):
            dash = (dash_before(behind),)
            if not (is_whole and self.is_order(behind)) and self.is_order(segment + dash + behind):
                return dash
        if is_whole or begins_with_unit(behind):
            return None
        return () if self.is_order(segment + behind) else None

    def is_meant(self, segment: Segment) -> bool:
        """Whether a segment is an order of this kind of phase, and its names are names."""
        recipe = self._recipe(segment)
        if isinstance(recipe, Halt):
            return False
        return not isinstance(meanings_of(segment, recipe, self.lexicon), Nameless)

    def is_order(self, segment: Segment) -> bool:
        """Whether a segment is an order of this kind of phase, whatever its names mean."""
        return isinstance(self._recipe(segment), Recipe)

    def _makes_sense(self, segment: Segment) -> bool:
        """Whether a segment is an order with nothing wrong in it but its names."""
        recipe = self._recipe(segment)
        if isinstance(recipe, Halt):
            return False
        meanings = meanings_of(segment, recipe, self.lexicon)
        made = () if isinstance(meanings, Nameless) else recipe.make(meanings)
        return not any(isinstance(one, OrderTrouble) for one in made)

    def _recipe(self, segment: Segment) -> Recipe | Halt:
        first = recipe_of(self.stage, shape_of(segment))
        if isinstance(first, Recipe):
            return first
        others = (recipe_of(self.stage, shape) for shape in self._other_shapes(segment))
        return next((other for other in others if isinstance(other, Recipe)), first)

    def _other_shapes(self, segment: Segment) -> Iterator[Shape]:
        """The shapes of a segment with some order words taken for the places so called.

        ``for`` is Fornova too, but only where nothing else makes sense.
        """
        shape = shape_of(segment)
        double = [i for i, term in enumerate(segment) if self._is_double(term)]
        some = (combinations(double, size) for size in range(1, len(double) + 1))
        for chosen in islice(chain.from_iterable(some), _MOST_READINGS):
            yield "".join(
                letter("NAME") if index in chosen else kind for index, kind in enumerate(shape)
            )

    def _is_double(self, term: Term) -> bool:
        return term.kind != letter("NAME") and self.lexicon.is_place_too(term.text)

    def _said(self, line: PlainLine, segment: Segment) -> list[Said]:
        if len(segment) > MOST_TERMS:
            return [too_long(line.original)]
        recipe = self._recipe(segment)
        if isinstance(recipe, Halt):
            return [self._refusal(line, segment, recipe)]
        meanings = meanings_of(segment, recipe, self.lexicon)
        if isinstance(meanings, Nameless):
            return [unnamed(line, segment, meanings)]
        return [
            impossible(line, segment, one) if isinstance(one, OrderTrouble) else one
            for one in recipe.make(meanings)
        ]

    def _refusal(self, line: PlainLine, segment: Segment, halt: Halt) -> Problem:
        if halt.index < len(segment):
            for other in Stage:
                if OrderReader(self.lexicon, other).is_meant(segment):
                    return of_another_phase(line, segment, other, self.stage)
        if (END in halt.accepts or halt.index <= 1) and self._is_no_place(segment[0]):
            return no_order(line, segment)
        verb = None if halt.index else self._with_verb(line, segment)
        return verb or unexpected(line, segment, halt)

    def _is_no_place(self, term: Term) -> bool:
        is_name = term.kind == letter("NAME")
        return is_name and isinstance(self.lexicon.place(term.text), Unknown)

    def _with_verb(self, line: PlainLine, segment: Segment) -> Problem | None:
        """What to write where the beginning of an expense or a payment is missing."""
        start = segment[0].start
        said = line.between(start, segment[-1].end)
        for words in ("expense", "expense 1:", "pay"):
            begun = tuple(
                Term(word.text, self.lexicon.kind_of(word.text), start, start)
                for word in line_of(words).words()
                if word.text != ":"
            )
            if self._makes_sense(begun + segment):
                return beginning_missing(line, segment, words, f"{words} {said}")
        return None
