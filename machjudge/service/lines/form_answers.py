"""The order form to answer: lines changed in place inside the quotation are orders.

Results of a phase end with lines to be sent back.  Whoever answers them may change these lines
where they stand.  A row is taken only where all of this holds; otherwise the answer names it as
not read:

* the mail carries the token of the message, which opens the seat, and is about this very phase;
* what it quotes is a message to this reader that has these lines, and is quoted once;
* the row stands below the title of the lines, and the comparison with the message has found that
  it was put in or changed;
* in a campaign or retreat it is a whole order for a unit of one of the lines, or an expense among
  them, and no other changed row is for that unit, or has that number.

A form that stays as it was says nothing.  Once a line was changed, the other lines to send together
count as they stand: a unit without an order holds, gives up its siege or, in an adjustment, is
removed.  There a line that was added, deleted or moved is a change too.  Orders on file count more
than a line that stands.  Of lines between which to choose, one in the place of another counts, and
what was left alone.  A row that cannot be read is refused like any other line.  What its writer
typed outside the quotation counts more.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from difflib import SequenceMatcher

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import (
    Build,
    Expense,
    Maintain,
    Named,
    Order,
    Remove,
    UnitOrder,
    Waive,
)
from machjudge.language.commands.commands import NotACommand
from machjudge.letters.page.page import Stationery
from machjudge.letters.receipt.todo import Asked, asked
from machjudge.reading import Line, Owner, Where, words_of
from machjudge.reading.text.courtesies import is_assent, is_closing, is_greeting, is_name, names_of
from machjudge.sentence import Sentence
from machjudge.service.lines.overlooked import Search, looks_like_order
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.replied_phase import answered, answered_at, began
from machjudge.service.session.session import Session, is_player

_SINCE = timedelta(days=60)
_MOST_MESSAGES = 30
_OURS = 0.5
"""Which part of the quoted rows must stand in the message."""
_STRUCK = re.compile(r"~~.*?~~|#.*")
"""What was struck out, and comments."""
_ALIKE = 0.6
"""How much a row must be like a line that is gone, to be that line with a slip."""
_MOST_PIECES = 4
"""Into so many rows mail programs break a line of the form."""


def take_form(session: Session) -> None:
    """Read what the mail makes of the form that it answers, before the lines of the mail.

    The rows that were changed in it; or, where the mail but agrees, the lines as they are offered.
    """
    lines = _changed_for_others(session)
    form = _quoted(session) if _may_change(session) else None
    is_answered = form is not None and form.says_something
    if not (lines or is_answered):
        if is_agreement(session):
            _take_offered(session, form)
        return
    if lines and session.power is not None:
        lines.append(_for_power(session.power, lines[-1].number))
    lines += _taken(session, form) if form is not None and is_answered else []
    session.mail = session.mail.with_lines((*lines, *session.mail.lines))


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
        form = _quoted(session)
        taken = _taken(session, form) if form is not None and form.says_something else []
        lines += [_for_power(letter, taken[0].number), *taken] if taken else []
    session.seat_number, session.speaking_for = number, speaking_for
    return lines


def _for_power(power: PowerId, number: int) -> Line:
    """The line that says for which power the orders below it are."""
    return Line(number, f"FOR {power}", f"FOR {power}")


def _taken(session: Session, form: "_Form") -> list[Line]:
    """The lines that a form means, which are told and no longer named as quoted."""
    taken = {row.number for row in form.rows}
    left = (row for row in session.mail.rows if row.where is None or row.number not in taken)
    session.mail = replace(session.mail, rows=tuple(left))
    _tell(session, form)
    return [Line(row.number, row.text, row.text) for row in form.rows]


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
    return _may_change(session) and bool(_offered(session, _quoted(session)))


def _take_offered(session: Session, form: "_Form | None") -> None:
    """Take the lines of the form as they are offered, but for units with another order on file."""
    offered = _offered(session, form)
    if not offered:
        return
    search = Search(session)
    taken = [line for line in offered if not search.is_ordered(line)]
    stays = tuple(line for line in offered if line not in taken and not search.is_on_file(line))
    shown = tuple(line for line in offered if line not in stays)
    number = session.mail.lines[0].number if session.mail.lines else 1
    lines = (Line(number, line, line) for line in taken)
    asides = (row for row in session.mail.asides if not is_assent(row.text))
    session.mail = replace(session.mail, rows=(*lines, *asides))
    session.answer.verdict += [
        Sentence("lines.form.offered", lines=shown, stays=stays),
        Sentence("lines.form.how_to_change"),
    ]


def _offered(session: Session, form: "_Form | None") -> tuple[str, ...]:
    """The lines to send together of the message that a mail answers, as far as they stand."""
    if form is not None:
        return tuple(line for line in form.lines if line not in form.left_out)
    view, power = session.situation(), session.power
    if view is None or power is None or any(a.where is Where.QUOTE for a in session.mail.asides):
        return ()
    seen = as_led(view, power)
    lines = tuple(map(session.say, asked(seen.words, seen.state, power).sendable))
    made = answered_at(session)
    has_all = made and any(_has_all(body, lines) for body in _messages(session, made, made))
    return lines if has_all else ()


def _messages(session: Session, since: datetime | None, until: datetime | None = None) -> list[str]:
    """The messages that were sent to the writer of a mail in some time."""
    owner = session.seat.address if session.seat is not None else ""
    return [
        body
        for address in sorted({session.address, session.answer_to, owner} - {""})
        for at, body in session.uow.outbox.bodies(address, session.now - _SINCE, _MOST_MESSAGES)
        if (since is None or at >= since) and (until is None or at <= until)
    ]


def _has_all(message: str, lines: Iterable[str]) -> bool:
    words = plain_words(message)
    return all(plain_words(line) in words for line in lines)


def plain_words(text: str) -> str:
    """The words and signs of a text in one line: how it was broken makes no difference."""
    return f" {' '.join(words_of(text))} "


def _quoted(session: Session) -> "_Form | None":
    """The form that is quoted; None if it is not that of this phase, or not quoted once."""
    view, power = session.situation(), session.power
    rows = [
        replace(row, text=text)
        for row in session.mail.asides
        if row.where is Where.QUOTE and (text := _STRUCK.sub("", row.text).strip())
    ]
    found = _title(session, rows) if rows else None
    if view is None or power is None or found is None:
        return None
    paper, at = found
    seen = as_led(view, power)
    asks = asked(seen.words, seen.state, power)
    lines = tuple(map(paper.say, asks.sendable))
    choices = tuple(tuple(map(paper.say, choice.lines)) for choice in asks.choices)
    every = [*lines, *(line for choice in choices for line in choice)]
    message = next(iter(session.mail.quoted), "")
    if not _has_all(message, every) or message not in _messages(session, began(session)):
        return None
    words = plain_words(message)
    if sum(plain_words(row.text) in words for row in rows) < len(rows) * _OURS:
        return None
    filed = list(units_of(seen.orders_of(power)))
    form = _Form(session, asks, lines, choices, message, filed)
    others = {each for seat in own_seats(session) for each in seat.powers} - {power}
    for other in sorted(others):
        led = as_led(view, other)
        form.strange |= {
            plain_words(paper.say(line)) for line in asked(led.words, led.state, other).form
        }
    form.compare(paper, rows[at + 1 :])
    form.read(is_adjustment=seen.state.moment.stage is Stage.ADJUSTMENT)
    return form


def _title(session: Session, quoted: Sequence[Line]) -> tuple[Stationery, int] | None:
    """Where the only title of the form stands, and in which of its reader's languages."""
    title = Sentence("results.section.form")
    for paper in dict.fromkeys((session.paper, session.services.paper)):
        words = plain_words(paper.say(title))
        at = [n for n, each in enumerate(quoted) if plain_words(each.text) == words]
        if at:
            return (paper, at[0]) if len(at) == 1 else None
    return None


@dataclass(slots=True)
class _Form:
    """The lines to send back of a message, and what its quotation makes of them."""

    session: Session
    asks: Asked
    lines: tuple[str, ...]
    """Those that may be sent all together as they stand."""
    choices: tuple[tuple[str, ...], ...]
    """Those of which some may be sent."""
    message: str
    filed: list[Named]
    """The units with an order on file."""
    strange: set[str] = field(default_factory=set)
    """The words of the lines for their reader's other powers."""
    search: Search = field(init=False)
    words: str = field(init=False)
    """Those of the message."""
    sentences: frozenset[str] = field(init=False)
    """The words of each of its rows."""
    kept: list[Line] = field(default_factory=list)
    """The lines to send together that stand in the quotation."""
    again: list[Line] = field(default_factory=list)
    """Those that stand there more often than in the form."""
    left: list[list[Line]] = field(default_factory=list)
    """What stands there of each choice."""
    changed: list[Line] = field(default_factory=list)
    """Rows that were put in or changed; of them, in the end, those that are read."""
    pieces: list[Line] = field(default_factory=list)
    """Rows of the message that are no lines of the form: one of them may be what is left of one."""
    gone: tuple[str, ...] = ()
    """Lines to send together that do not stand there."""
    end: int = 0
    """The number of the first row below the form."""
    is_whole: bool = False
    """Whether the end of the form is quoted, so that a line that is not there was deleted."""
    is_moved: bool = False
    """Whether lines to send together stand in another order."""
    slips: list[Line] = field(default_factory=list)
    """Changed rows that are no whole orders."""
    stands: list[Line] = field(default_factory=list)
    """Lines that count as they stand."""
    idle: list[Line] = field(default_factory=list)
    """Lines that stand and do not count, for another order for their unit is on file."""
    chosen: list[Line] = field(default_factory=list)
    unclear: list[list[Line]] = field(default_factory=list)
    """What is left of each choice from which too much was left."""
    deleted: tuple[str, ...] = ()
    has_offers: bool = False
    """Whether lines stand there that would build something, and that say nothing."""

    def __post_init__(self) -> None:
        self.search = Search(self.session)
        self.words = plain_words(self.message)
        self.sentences = frozenset(map(plain_words, self.message.split("\n")))
        self.left = [[] for _ in self.choices]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The lines to send together that were taken out or changed."""
        return self.gone if self.is_whole else ()

    @property
    def rows(self) -> list[Line]:
        """What is read, from top to bottom."""
        found = (*self.changed, *self.slips, *self.stands, *self.chosen)
        return sorted(found, key=lambda row: row.number)

    def compare(self, paper: Stationery, rows: Sequence[Line]) -> None:
        """Find what of the form stands in the rows below its title."""
        below = [each for each in self.asks.form if isinstance(each, Sentence)]
        below += map(Sentence, ("todo.send", "todo.tap"))
        marks = {plain_words(paper.say(each)) for each in below}
        titles = {plain_words(paper.say(Sentence(each))) for each in ("todo.buttons", "todo.how")}
        words = [plain_words(row.text) for row in rows]
        end = next((n for n, each in enumerate(words) if each in titles), len(rows))
        self.is_whole = end < len(rows) or not marks.isdisjoint(words)
        self.end = rows[end].number if end < len(rows) else rows[-1].number + 1 if rows else 0
        self.changed = [row for row in rows[end:] if row.is_changed]
        lines = [plain_words(line) for line in self.lines]
        waiting = Counter(lines)
        offers = {plain_words(one): n for n, each in enumerate(self.choices) for one in each}
        places: list[int] = []
        at = 0
        while at < end:
            row, key, size = _row_at(rows[:end], at, waiting.keys() | offers.keys())
            if key in offers:
                self.left[offers[key]].append(row)
            elif key in waiting:
                (self.kept if waiting[key] else self.again).append(row)
                places += [lines.index(key)] if waiting[key] else []
                waiting[key] -= min(waiting[key], 1)
            elif self._is_new(row, rows[at + 1 : at + 2]):
                self.changed.append(row)
            else:
                self.pieces.append(row)
            at += size
        self.is_moved = places != sorted(places)
        pairs = zip(self.lines, lines, strict=True)
        self.gone = tuple(line for line, words in pairs if waiting[words])

    def read(self, *, is_adjustment: bool) -> None:
        """Take what was changed, and the other lines as they stand; nothing where nothing was."""
        self.slips = [row for row in self.changed if self._is_slip(row)]
        # What stands in a line that is gone may be what is left of it.
        gone = [plain_words(line) for line in self.gone]
        left = (row for row in self.pieces if not self._is_order(row.text))
        self.slips += [row for row in left if any(plain_words(row.text) in line for line in gone)]
        new = [row for row in self.changed if not self.search.others_in(row.text)]
        if is_adjustment:
            self._read_adjustment(new)
        else:
            self._read_units(new)
        if self.rows or (is_adjustment and (self.left_out or self.is_moved)):
            self._add_rest()

    @property
    def says_something(self) -> bool:
        """Whether anything was made of the form."""
        return bool(self.rows or self.unclear or self.deleted)

    def _read_units(self, new: Sequence[Line]) -> None:
        """Of orders for units: the changed ones, and what was chosen."""
        choices = [self._unit_of(lines[0]) for lines in self.choices]
        spent = [self._unit_of(row.text) for row in new if self._spends(row)]
        units = {*map(self._unit_of, self.lines), *choices, *spent} - {""}
        rows = [(row, self._unit_of(row.text)) for row in new]
        of_units = Counter(unit for _, unit in rows)
        self.changed = [row for row, unit in rows if unit in units and of_units[unit] == 1]
        self._choose([n for n, unit in enumerate(choices) if not of_units[unit]])

    def _read_adjustment(self, new: Sequence[Line]) -> None:
        """Of lines for units and for new ones: the changed ones, and what was chosen."""
        self.changed = [*self.again, *(row for row in new if self._is_order(row.text))]
        orders = [order for row in self.changed for order in self._orders(row.text)]
        if not (self.slips or any(isinstance(order, Build | Waive) for order in orders)):
            self._choose(range(len(self.choices)))
        self.has_offers = any(self.left) and not (self.chosen or self.unclear)

    def _add_rest(self) -> None:
        """Add the other lines to send together: an order on file, or a changed row, counts more."""
        named = [each for row in self.changed for each in units_of(self._orders(row.text))]
        for row in self.kept:
            if self._is_for(self.filed, row.text):
                self.idle += [] if self.search.is_on_file(row.text) else [row]
            elif not self._is_for(named, row.text):
                self.stands.append(row)
        has_sweep = any(self.search.is_sweep(row.text) for row in self.changed)
        self.deleted = tuple(
            line
            for line in self.left_out
            if not (has_sweep or self._is_for(named, line) or _is_like(line, self.slips))
        )

    def _choose(self, numbers: Iterable[int]) -> None:
        """Add what was chosen of some choices: what stands in the place of another, or alone."""
        for number in numbers:
            left, lines = self.left[number], self.choices[number]
            counts = Counter(plain_words(row.text) for row in left)
            twice = [row for row in left if counts[plain_words(row.text)] > 1]
            if twice:
                is_in_place = len(left) == len(counts) + 1 == len(lines)
                is_clear, found = is_in_place or len(counts) == 1, twice[:1]
            elif not self.is_whole or not left or len(counts) == len(lines):
                continue
            else:
                orders = sum(len(self._orders(row.text)) for row in left)
                is_clear, found = orders <= self.asks.choices[number].most, left
            if is_clear:
                self.chosen += found
            else:
                self.unclear.append(left)

    # --- rows ---------------------------------------------------------------------------------

    def _unit_of(self, text: str) -> str:
        """The unit that a row orders, or its expense; empty if it is not one whole order."""
        orders = self._orders(text)
        return " ".join(self.search.canonical(orders[0]).split()[:2]) if len(orders) == 1 else ""

    def _is_for(self, units: Sequence[Named], text: str) -> bool:
        """Whether a line is for one of some units."""
        return any(_is_same(each, unit) for each in units_of(self._orders(text)) for unit in units)

    def _is_new(self, row: Line, below: Sequence[Line]) -> bool:
        """Whether a row was put in or changed: also where but the end of a line was left out.

        What goes on in the row *below* as it does in the message was only broken.
        """
        words = plain_words(row.text)
        if any(words in line for line in self.strange):
            return False
        if row.is_changed or words not in self.words:
            return True
        is_broken = any(plain_words(f"{row.text} {each.text}") in self.words for each in below)
        return not is_broken and words not in self.sentences and self._is_order(row.text)

    def _is_slip(self, row: Line) -> bool:
        if self._is_order(row.text) or not self._is_no_command(row.text):
            return False
        return looks_like_order(row.text) or any(_is_like(line, [row]) for line in self.gone)

    def _is_order(self, text: str) -> bool:
        """Whether a row is whole orders, or one for many units."""
        return bool(self._orders(text)) or self.search.is_sweep(text)

    def _spends(self, row: Line) -> bool:
        """Whether a row is an expense among the lines, for which no form has one."""
        orders = self._orders(row.text) if row.number < self.end else ()
        return any(isinstance(order, Expense) for order in orders)

    def _orders(self, text: str) -> tuple[Order, ...]:
        return self.search.orders_in(text) if self._is_no_command(text) else ()

    def _is_no_command(self, text: str) -> bool:
        """Whether a row is no command, for none is carried out that is quoted."""
        return isinstance(self.session.said.command_in(text), NotACommand)


def _row_at(rows: Sequence[Line], at: int, known: Collection[str]) -> tuple[Line, str, int]:
    """The row at a place, with those that make one line of the form together with it."""
    for size in range(1, min(_MOST_PIECES, len(rows) - at) + 1):
        text = " ".join(piece.text for piece in rows[at : at + size])
        if (words := plain_words(text)) in known:
            return replace(rows[at], text=text, raw=text), words, size
    return rows[at], "", 1


def _is_like(line: str, rows: Sequence[Line]) -> bool:
    """Whether one of some rows is like a line, or begins as that does."""
    words = plain_words(line)
    begins = " ".join(words.split()[:-1])
    return any(
        text.lstrip().startswith(begins) or SequenceMatcher(None, words, text).ratio() >= _ALIKE
        for text in (plain_words(row.text) for row in rows)
    )


def units_of(orders: Iterable[Order]) -> Iterator[Named]:
    """The units that orders are for."""
    return (each.unit for each in orders if isinstance(each, UnitOrder | Maintain | Remove))


def _is_same(one: Named, other: Named) -> bool:
    """Whether two names mean one unit."""
    is_kind = one.kind == other.kind or None in (one.kind, other.kind)
    return is_kind and one.place == other.place


def _tell(session: Session, meant: _Form) -> None:
    """Say what was understood of the form."""

    def tell(key: str, rows: Sequence[Line], **more: object) -> None:
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
        lines = tuple(row.text for row in left)
        session.refuse(left[0], Sentence("lines.form.unclear", lines=lines))
        session.missed += lines
