"""The order form to answer: lines changed in place inside the quotation are orders.

Results of a phase end with lines to be sent back.  Whoever answers them may change these lines
where they stand.  A row is taken only where all of this holds; otherwise the answer names it as
not read:

* the mail carries the token of the message, which opens the seat, and is about this very phase;
* what it quotes is a message of this phase to this reader that has these lines, and is quoted once;
* the row stands below the title of the lines, and is no row of the message;
* in a campaign or retreat it is a whole order for a unit of one of the lines, or an expense among
  them, and no other changed row is for that unit, or has that number.

A form that stays as it was says nothing.  Once a line was changed, the other lines to send together
count as they stand: a unit without an order holds, gives up its siege or, in an adjustment, is
removed.  There a line that was added, deleted or moved is a change too.  Orders on file count more
than a line that stands.  Of lines between which to choose, one in the place of another counts, and
what was left alone.  A row that cannot be read is refused like any other line.  What its writer
typed outside the quotation counts more.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Build, Expense, Named, Order, Waive
from machjudge.language.commands.commands import NotACommand
from machjudge.letters.page.page import Stationery
from machjudge.letters.receipt.todo import Asked, asked
from machjudge.reading import Aside, Line, Owner, Where
from machjudge.reading.text.courtesies import is_assent, is_closing, is_greeting, is_name, names_of
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.view import GameView
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
    is_same,
    units_of,
)
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.replied_phase import answered, answered_at, began
from machjudge.service.session.session import Session, is_player

_OURS = 0.5
"""Which part of the quoted rows must be ours."""


def take_form(session: Session) -> None:
    """Read what the mail makes of the form that it answers, before the lines of the mail.

    The rows that were changed in it; or, where the mail but agrees, the lines as they are offered.
    """
    lines = _changed_for_others(session)
    comparing = _compared(session) if _may_change(session) else None
    meant = comparing.meant(comparing.stage) if comparing is not None else None
    if meant is None and not lines:
        if is_agreement(session):
            _take_offered(session, comparing)
        return
    if lines and session.power is not None:
        lines.append(_for_power(session.power, lines[-1].number))
    lines += _taken(session, meant) if meant is not None else []
    session.mail = replace(session.mail, lines=(*lines, *session.mail.lines))


def _changed_for_others(session: Session) -> list[Line]:
    """What was changed in the lines of one's other powers, which the same message has."""
    if not _may_change(session):
        return []
    number, speaking_for, power = session.seat_number, session.speaking_for, session.power
    own = [(each.number, PowerId(letter)) for each in own_seats(session) for letter in each.powers]
    lines: list[Line] = []
    for seat, letter in own:
        if letter == power:
            continue
        session.seat_number, session.speaking_for = seat, letter
        comparing = _compared(session)
        meant = comparing.meant(comparing.stage) if comparing is not None else None
        taken = _taken(session, meant) if meant is not None else []
        lines += [_for_power(letter, taken[0].number), *taken] if taken else []
    session.seat_number, session.speaking_for = number, speaking_for
    return lines


def _for_power(power: PowerId, number: int) -> Line:
    """The line that says for which power the orders below it are."""
    return Line(number, f"FOR {power}", f"FOR {power}")


def _taken(session: Session, meant: MeantForm) -> list[Line]:
    """The lines that a form means, which are told and no longer named as quoted."""
    taken = {number for row in meant.rows for number in row.numbers}
    asides = tuple(each for each in session.mail.asides if each.number not in taken)
    session.mail = replace(session.mail, asides=asides)
    _tell(session, meant)
    return [Line(row.number, row.text, row.text) for row in meant.rows]


def _may_change(session: Session) -> bool:
    """Whether the mail has the proof for orders, and answers a message of this phase."""
    return session.opened_by_token and is_player(session.seat) and answered(session) is None


def is_agreement(session: Session) -> bool:
    """Whether a mail agrees, and says nothing else: a greeting and a name at most."""
    names = names_of([session.mail.display_name])
    own = [each.text for each in session.mail.rows if each.owner is Owner.WRITER]
    return any(map(is_assent, own)) and all(
        is_assent(text) or is_greeting(text) or is_closing(text) or is_name(text, names)
        for text in own
    )


def offers_lines(session: Session) -> bool:
    """Whether the message that a mail answers has lines that can be taken as they stand."""
    return _may_change(session) and bool(_offered(session, _compared(session)))


def _take_offered(session: Session, comparing: "_Comparing | None") -> None:
    """Take the lines of the form as they are offered, but for units with another order on file."""
    offered = _offered(session, comparing)
    if not offered:
        return
    search = Search(session)
    taken = [line for line in offered if not search.is_ordered(line)]
    stays = tuple(line for line in offered if line not in taken and not search.is_on_file(line))
    shown = tuple(line for line in offered if line not in stays)
    number = session.mail.lines[0].number if session.mail.lines else 1
    lines = tuple(Line(number, line, line) for line in taken)
    asides = tuple(each for each in session.mail.asides if not is_assent(each.text))
    session.mail = replace(session.mail, lines=lines, asides=asides)
    session.answer.verdict += [
        Sentence("lines.form.offered", lines=shown, stays=stays),
        Sentence("lines.form.how_to_change"),
    ]


def _offered(session: Session, comparing: "_Comparing | None") -> tuple[str, ...]:
    """The lines to send together of the message that a mail answers, as far as they stand."""
    if comparing is not None:
        gone = comparing.quoted.deleted
        return tuple(line for line in comparing.form.lines if line not in gone)
    view, power = session.situation(), session.power
    if view is None or power is None or any(a.where is Where.QUOTE for a in session.mail.asides):
        return ()
    seen = as_led(view, power)
    lines = tuple(map(session.say, asked(seen.words, seen.state, power).sendable))
    made = answered_at(session)
    letters = (each.words for each in letters_to_writer(session) if each.made == made)
    has_all = any(all(plain_words(line) in words for line in lines) for words in letters)
    return lines if has_all else ()


def _compared(session: Session) -> "_Comparing | None":
    """The quoted form; None if the quotation is none of it."""
    view, power = session.situation(), session.power
    quoted = [each for each in session.mail.asides if each.where is Where.QUOTE]
    found = _title(session, quoted) if quoted else None
    if view is None or power is None or found is None:
        return None
    paper, at = found
    seen = as_led(view, power)
    asks = asked(seen.words, seen.state, power)
    form = _form(paper, asks, _of_other_powers(session, view, power))
    letter = _quoted_letter(session, quoted, form)
    if letter is None:
        return None
    compared = compare(form, quoted[at + 1 :])
    stage = seen.state.moment.stage
    return _Comparing(session, asks, form, compared, letter, seen.orders_of(power), stage)


def _title(session: Session, quoted: Sequence[Aside]) -> tuple[Stationery, int] | None:
    """Where the only title of the form stands, and in which of its reader's languages."""
    title = Sentence("results.section.form")
    for paper in dict.fromkeys((session.paper, session.services.paper)):
        words = plain_words(paper.say(title))
        at = [n for n, each in enumerate(quoted) if plain_words(each.text) == words]
        if at:
            return (paper, at[0]) if len(at) == 1 else None
    return None


def _of_other_powers(session: Session, view: GameView, power: PowerId) -> list[Wording]:
    """The lines of one's other powers, which one message has together with these."""
    others = {each for seat in own_seats(session) for each in seat.powers} - {power}
    views = ((as_led(view, each), each) for each in sorted(others))
    return [line for seen, each in views for line in asked(seen.words, seen.state, each).form]


def _form(paper: Stationery, asks: Asked, others: Sequence[Wording]) -> SentForm:
    """The lines to send back, as the message has them."""
    say = paper.say
    marks = [each for each in asks.form if isinstance(each, Sentence)]
    marks += [Sentence("todo.send"), Sentence("todo.tap")]
    ends = [Sentence("todo.buttons"), Sentence("todo.how")]
    return SentForm(
        tuple(map(say, asks.sendable)),
        tuple(tuple(map(say, choice.lines)) for choice in asks.choices),
        frozenset(plain_words(say(each)) for each in marks),
        frozenset(plain_words(say(each)) for each in others),
        frozenset(plain_words(say(each)) for each in ends),
    )


def _quoted_letter(session: Session, quoted: Sequence[Aside], form: SentForm) -> str | None:
    """The words of the letter that is quoted, if it is of this phase and has the form."""
    rows = [plain_words(each.text) for each in quoted]
    lines = [plain_words(line) for lines in (form.lines, *form.choices) for line in lines]

    def held(letter: str) -> int:
        return sum(row in letter for row in rows)

    since, letters = began(session), letters_to_writer(session)
    of_phase = (each.words for each in letters if since is None or each.made >= since)
    letter = max(of_phase, key=held, default="")
    if held(letter) < len(rows) * _OURS or not all(line in letter for line in lines):
        return None
    # Of an older message the same lines are no answer to this one.
    return None if any(held(each.words) > held(letter) for each in letters) else letter


@dataclass(slots=True)
class _Comparing:
    """A quoted form, and what is made of the changes in it."""

    session: Session
    asks: Asked
    form: SentForm
    quoted: QuotedForm
    letter: str
    filed: Sequence[Order]
    stage: Stage
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.search = Search(self.session)

    def meant(self, stage: Stage) -> MeantForm | None:
        """What was changed, and the other lines as they stand; None if nothing was."""
        is_adjustment = stage is Stage.ADJUSTMENT
        meant = self._of_adjustment() if is_adjustment else self._of_units()
        is_touched = is_adjustment and (self.quoted.deleted or self.quoted.is_moved)
        if meant.rows or is_touched:
            self._add_rest(meant)
            return meant
        return meant if meant.unclear else None

    def _of_units(self) -> MeantForm:
        """Of orders for units: the changed ones, and what was chosen."""
        choices = [self._unit_of(lines[0]) for lines in self.form.choices]
        spent = [self._unit_of(each.text) for each in self.quoted.others if self._spends(each.text)]
        units = {*map(self._unit_of, self.form.lines), *choices, *spent} - {""}
        rows = [(row, self._unit_of(row.text)) for row in self._new_rows()]
        of_units = Counter(unit for _, unit in rows)
        changed = [row for row, unit in rows if unit in units and of_units[unit] == 1]
        meant = MeantForm(changed, self._slips())
        self._choose(meant, [n for n, unit in enumerate(choices) if not of_units[unit]])
        return meant

    def _unit_of(self, text: str) -> str:
        """The unit that a row orders, or its expense; empty if it is not one whole order."""
        orders = self._orders(text)
        return " ".join(self.search.canonical(orders[0]).split()[:2]) if len(orders) == 1 else ""

    def _of_adjustment(self) -> MeantForm:
        """Of lines for units and for new ones: the changed ones, and what was chosen."""
        new = [row for row in self._new_rows() if self._is_order(row.text)]
        meant = MeantForm([*self.quoted.again, *new], self._slips())
        orders = [order for row in meant.changed for order in self._orders(row.text)]
        if not (meant.slips or any(isinstance(order, Build | Waive) for order in orders)):
            self._choose(meant, range(len(self.form.choices)))
        meant.has_offers = any(self.quoted.choices) and not (meant.chosen or meant.unclear)
        return meant

    def _add_rest(self, meant: MeantForm) -> None:
        """Add the other lines to send together: an order on file, or a changed row, counts more."""
        named = [each for row in meant.changed for each in units_of(self._orders(row.text))]
        filed = list(units_of(self.filed))
        for row in self.quoted.stands:
            if self._is_for(filed, row.text):
                meant.idle += [] if self.search.is_on_file(row.text) else [row]
            elif not self._is_for(named, row.text):
                meant.stands.append(row)
        meant.is_moved = self.quoted.is_moved
        has_sweep = any(self.search.is_sweep(row.text) for row in meant.changed)
        meant.deleted = tuple(
            line
            for line in self.quoted.deleted
            if not (has_sweep or self._is_for(named, line) or is_like(line, meant.slips))
        )

    def _is_for(self, units: Sequence[Named], text: str) -> bool:
        """Whether a line is for one of some units."""
        return any(is_same(each, unit) for each in units_of(self._orders(text)) for unit in units)

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
        below = [row for row in self.quoted.below if not holds(self.letter, row.text)]
        others = [row for row in self.quoted.others if not self._is_ours(row)]
        return [row for row in (*others, *below) if not self.search.others_in(row.text)]

    def _is_ours(self, row: QuotedRow) -> bool:
        """Whether a row is, or is part of, a sentence among the lines to send back."""
        words = plain_words(row.text)
        return any(words in mark for mark in self.form.marks | self.form.strange)

    def _slips(self) -> list[QuotedRow]:
        """Rows among the lines that their writer has changed, and that are no whole orders."""
        return [row for row in self.quoted.others if self._is_slip(row)]

    def _is_slip(self, row: QuotedRow) -> bool:
        if self._is_order(row.text) or not self._is_no_command(row.text):
            return False
        gone, words = self.quoted.gone, plain_words(row.text)
        if self._is_ours(row):
            # What begins a sentence of the message may be what is left of a line.
            return any(plain_words(line).startswith(words) for line in gone)
        return looks_like_order(row.text) or any(is_like(line, [row]) for line in gone)

    def _is_order(self, text: str) -> bool:
        """Whether a row is whole orders, or one for many units."""
        return bool(self._orders(text)) or self.search.is_sweep(text)

    def _spends(self, text: str) -> bool:
        """Whether a row is an expense, for which no form has a line."""
        return any(isinstance(order, Expense) for order in self._orders(text))

    def _orders(self, text: str) -> tuple[Order, ...]:
        return self.search.orders_in(text) if self._is_no_command(text) else ()

    def _is_no_command(self, text: str) -> bool:
        """Whether a row is no command, for none is carried out that is quoted."""
        return isinstance(self.session.said.command_in(text), NotACommand)


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
    tell("idle", meant.idle)
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
        line = Line(first.number, first.text, first.text)
        session.refuse(line, Sentence("lines.form.unclear", lines=lines))
        session.missed += lines
