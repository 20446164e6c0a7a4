"""The order form to answer: lines changed in place inside the quotation are orders.

Results of a phase end with lines to be sent back.  Whoever answers them may change these lines
where they stand.  A row is taken only where all of this holds; otherwise the answer names it as
not read:

* the mail carries the token of the message, which opens the seat, and is about this very phase;
* what it quotes is a message of this phase to this reader that has these lines, and is quoted once;
* the row stands below the title of the lines, and is no row of the message;
* in a campaign or retreat it is a whole order for a unit of one of the lines, and no other changed
  row is for that unit.

A form that stays as it was says nothing.  Where a line of an adjustment was changed, added, deleted
or moved, its other lines to send together count as they stand, for a unit without one is removed.
Of lines between which to choose, one in the place of another counts, and what was left alone.  A
row that cannot be read is refused like any other line.  What its writer typed outside the quotation
counts more.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.orders import (
    Build,
    Maintain,
    Named,
    Order,
    Remove,
    UnitOrder,
    Waive,
)
from machjudge.language.commands.commands import NotACommand
from machjudge.letters.receipt.todo import Asked, asked
from machjudge.reading import Aside, Line, Where
from machjudge.sentence import Sentence
from machjudge.service.lines.asides import holds, letters_to_writer, plain_words
from machjudge.service.lines.overlooked import Search, looks_like_order
from machjudge.service.lines.quoted_form import (
    MeantForm,
    QuotedForm,
    QuotedRow,
    SentForm,
    chosen_of,
    compare,
    is_like,
)
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.replied_phase import answered, began
from machjudge.service.session.session import Session, is_player

_OURS = 0.5
"""Which part of the quoted rows must be ours."""


def take_changed_form(session: Session) -> None:
    """Read the rows of the quoted form that were changed before the lines of the mail."""
    meant = _meant(session) if _may_change(session) else None
    if meant is None:
        return
    taken = {number for row in meant.rows for number in row.numbers}
    session.mail = replace(
        session.mail,
        lines=(
            *(Line(row.number, row.text, row.text) for row in meant.rows),
            *session.mail.lines,
        ),
        asides=tuple(each for each in session.mail.asides if each.number not in taken),
    )
    _tell(session, meant)


def _may_change(session: Session) -> bool:
    """Whether the mail has the proof for orders, and answers a message of this phase."""
    is_proven = session.opened_by_token and is_player(session.seat)
    return is_proven and session.situation() is not None and answered(session) is None


def _meant(session: Session) -> MeantForm | None:
    """What the quotation means; None if it is none of the form, or the form is as it was."""
    view, power = session.situation(), session.power
    quoted = [each for each in session.mail.asides if each.where is Where.QUOTE]
    if view is None or power is None or not quoted:
        return None
    title = plain_words(session.say(Sentence("results.section.form")))
    at = [n for n, each in enumerate(quoted) if plain_words(each.text) == title]
    if len(at) != 1:
        return None
    seen = as_led(view, power)
    asks = asked(seen.words, seen.state, power)
    form = _form(session, asks)
    letter = _quoted_letter(session, quoted, form)
    if letter is None:
        return None
    comparing = _Comparing(session, asks, form, compare(form, quoted[at[0] + 1 :]), letter)
    is_adjustment = seen.state.moment.stage is Stage.ADJUSTMENT
    return comparing.of_adjustment() if is_adjustment else comparing.of_units()


def _form(session: Session, asks: Asked) -> SentForm:
    """The lines to send back, as the message has them."""
    say = session.say
    marks = [each for each in asks.form if isinstance(each, Sentence)]
    marks += [Sentence("todo.send"), Sentence("todo.tap")]
    ends = [Sentence("todo.buttons"), Sentence("todo.how")]
    return SentForm(
        tuple(map(say, asks.sendable)),
        tuple(tuple(map(say, choice.lines)) for choice in asks.choices),
        frozenset(plain_words(say(each)) for each in marks),
        frozenset(plain_words(say(each)) for each in ends),
    )


def _quoted_letter(session: Session, quoted: Sequence[Aside], form: SentForm) -> str | None:
    """The words of the letter that is quoted, if it is of this phase and has the form."""
    rows = [plain_words(each.text) for each in quoted]
    lines = [plain_words(line) for lines in (form.lines, *form.choices) for line in lines]

    def held(letter: str) -> int:
        return sum(row in letter for row in rows)

    letter = max(letters_to_writer(session, began(session)), key=held, default="")
    if held(letter) < len(rows) * _OURS or not all(line in letter for line in lines):
        return None
    # Of an older message the same lines are no answer to this one.
    is_older = any(held(each) > held(letter) for each in letters_to_writer(session))
    return None if is_older else letter


@dataclass(slots=True)
class _Comparing:
    """A quoted form, and what is made of the changes in it."""

    session: Session
    asks: Asked
    form: SentForm
    quoted: QuotedForm
    letter: str
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.search = Search(self.session)

    # --- campaigns and retreats ---------------------------------------------------------------

    def of_units(self) -> MeantForm | None:
        """Of orders for units: the changed ones, and what was chosen."""
        form = self.form
        choices = [self._unit_of(lines[0]) for lines in form.choices]
        units = {*map(self._unit_of, form.lines), *choices} - {""}
        rows = [(row, self._unit_of(row.text)) for row in self._new_rows()]
        of_units = Counter(unit for _, unit in rows)
        changed = [row for row, unit in rows if unit in units and of_units[unit] == 1]
        meant = MeantForm(changed, self._slips())
        self._choose(meant, [n for n, unit in enumerate(choices) if not of_units[unit]])
        return meant if meant.rows or meant.unclear else None

    def _unit_of(self, text: str) -> str:
        """The unit that a row orders, as it stands on file; empty if it is not one whole order."""
        orders = self._orders(text)
        return " ".join(self.search.canonical(orders[0]).split()[:2]) if len(orders) == 1 else ""

    # --- adjustments --------------------------------------------------------------------------

    def of_adjustment(self) -> MeantForm | None:
        """Of lines for units and for new ones: the changed ones, and the others as they stand."""
        quoted = self.quoted
        new = [row for row in self._new_rows() if self._is_order(row.text)]
        meant = MeantForm([*quoted.again, *new], self._slips())
        orders = [order for row in meant.changed for order in self._orders(row.text)]
        if not any(isinstance(order, Build | Waive) for order in orders):
            self._choose(meant, range(len(self.form.choices)))
        meant.is_moved = quoted.is_moved
        meant.has_offers = any(quoted.choices) and not (meant.chosen or meant.unclear)
        if not (meant.rows or quoted.deleted or meant.is_moved or meant.unclear):
            return None
        named = [unit for order in orders if (unit := _unit(order)) is not None]
        meant.stands = [row for row in quoted.stands if not self._is_for(named, row.text)]
        has_sweep = any(self.search.is_sweep(row.text) for row in meant.changed)
        meant.deleted = tuple(
            line
            for line in quoted.deleted
            if not (has_sweep or self._is_for(named, line) or is_like(line, meant.slips))
        )
        return meant

    def _is_for(self, named: Sequence[Named], text: str) -> bool:
        """Whether a line is for one of some units."""
        units = [_unit(order) for order in self._orders(text)]
        return any(unit is not None and _is_same(unit, each) for unit in units for each in named)

    # --- rows ---------------------------------------------------------------------------------

    def _choose(self, meant: MeantForm, numbers: Iterable[int]) -> None:
        """Add what was chosen of some choices."""
        for number in numbers:
            left = self.quoted.choices[number]
            found = chosen_of(
                self.form.choices[number],
                left,
                is_whole=self.quoted.is_whole,
                most=self.asks.choices[number].most,
                orders=sum(len(self._orders(row.text)) for row in left),
            )
            if found is None:
                meant.unclear.append(left)
            else:
                meant.chosen += found

    def _new_rows(self) -> list[QuotedRow]:
        """The rows that the message does not have."""
        below = (row for row in self.quoted.below if not holds(self.letter, row.text))
        return [*(row for row in self.quoted.others if not self._is_ours(row)), *below]

    def _is_ours(self, row: QuotedRow) -> bool:
        """Whether a row is, or is part of, a sentence among the lines to send back."""
        words = plain_words(row.text)
        return any(words in mark for mark in self.form.marks)

    def _slips(self) -> list[QuotedRow]:
        """Rows among the lines that their writer has changed, and that are no whole orders."""
        return [row for row in self.quoted.others if self._is_slip(row)]

    def _is_slip(self, row: QuotedRow) -> bool:
        if self._is_order(row.text) or self._is_ours(row) or not self._is_no_command(row.text):
            return False
        is_changed = any(is_like(line, [row]) for line in self.quoted.deleted)
        return is_changed or looks_like_order(row.text)

    def _is_order(self, text: str) -> bool:
        """Whether a row is whole orders, or one for many units."""
        return bool(self._orders(text)) or self.search.is_sweep(text)

    def _orders(self, text: str) -> tuple[Order, ...]:
        return self.search.orders_in(text) if self._is_no_command(text) else ()

    def _is_no_command(self, text: str) -> bool:
        """Whether a row is no command, for none is carried out that is quoted."""
        return isinstance(self.session.said.command_in(text), NotACommand)


def _unit(order: Order) -> Named | None:
    return order.unit if isinstance(order, UnitOrder | Maintain | Remove) else None


def _is_same(one: Named, other: Named) -> bool:
    is_kind = one.kind == other.kind or None in (one.kind, other.kind)
    return is_kind and one.place == other.place


def _tell(session: Session, meant: MeantForm) -> None:
    """Say what was understood of the form."""

    def tell(key: str, rows: Sequence[QuotedRow], **more: object) -> None:
        if rows:
            lines = tuple(session.safe(row.text) for row in rows)
            session.answer.notices.append(Sentence(f"lines.form.{key}", lines=lines, **more))

    tell("changed", sorted(meant.changed, key=lambda row: row.number))
    tell("chosen", meant.chosen)
    is_rest = bool(meant.changed or meant.chosen or meant.slips or meant.deleted)
    tell("stands", meant.stands, is_moved=meant.is_moved, is_rest=is_rest)
    search = Search(session)
    for is_filed in (False, True):
        gone = [line for line in meant.deleted if search.is_on_file(line) is is_filed]
        if gone:
            told = Sentence("lines.form.deleted", lines=tuple(gone), is_filed=is_filed)
            session.answer.notices.append(told)
    if meant.has_offers and meant.rows:
        session.answer.notices.append(Sentence("lines.form.offers"))
    for left in meant.unclear:
        first, lines = left[0], tuple(row.text for row in left)
        reason = Sentence("lines.form.unclear", lines=lines)
        session.refuse(Line(first.number, first.text, first.text), reason)
        session.missed += lines
