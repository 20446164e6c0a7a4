"""The order form to answer: lines changed in place inside the quotation are orders.

Results of a phase end with a line for each unit, to be sent back.  Whoever answers them may change
these lines where they stand.  Such a row is taken only where all of this holds; otherwise the
answer names it as not read:

* the mail carries the token of the message, which opens the seat, and is about this very phase;
* what it quotes is a message to this reader that asks for these lines, and is quoted once;
* the row stands below the title of the lines, is a whole order for a unit of one of them, and is
  no row of the message; no other changed row is for that unit.  Where the message offers several
  lines for a unit, as for a retreat, one of them in the place of another is a changed row too.

A line that stayed as it was says nothing.  What its writer typed outside the quotation counts more.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.receipt.todo import example, retreat_lines
from machjudge.reading import Aside, Line, Where
from machjudge.sentence import Sentence
from machjudge.service.game.view import SeenGame
from machjudge.service.lines.asides import holds, letters_to_writer, plain_words
from machjudge.service.lines.overlooked import Search
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.replied_phase import answered
from machjudge.service.session.session import Session, is_player

Row: TypeAlias = tuple[Aside, str]
"""A quoted row and the unit that it orders."""

_OURS = 0.5
"""Which part of the quoted rows must be ours."""


def take_changed_form(session: Session) -> None:
    """Read the rows of the quoted form that were changed before the lines of the mail."""
    taken = _changed(session) if _may_change(session) else ()
    if not taken:
        return
    numbers = {aside.number for aside in taken}
    lines = tuple(Line(aside.number, aside.text, aside.text) for aside in taken)
    session.mail = replace(
        session.mail,
        lines=(*lines, *session.mail.lines),
        asides=tuple(each for each in session.mail.asides if each.number not in numbers),
    )
    told = tuple(session.safe(aside.text) for aside in taken)
    session.answer.notices.append(Sentence("lines.form_changed", lines=told))


def _may_change(session: Session) -> bool:
    """Whether the mail has the proof for orders, and answers a message with lines for units."""
    view = session.situation()
    has_form = view is not None and view.state.moment.stage is not Stage.ADJUSTMENT
    opened = session.opened_by_token and is_player(session.seat)
    return has_form and opened and answered(session) is None


def _form(session: Session, seen: SeenGame, power: PowerId) -> list[str]:
    """The lines to send back, as the message has them."""
    if seen.state.moment.stage is not Stage.RETREATS:
        return [session.say(line) for line in example(seen.words, seen.state, power)]
    waiting = [each for each in seen.state.dislodged if each.unit.owner == power]
    return [line for each in waiting for line in retreat_lines(seen.words, each)]


def _changed(session: Session) -> tuple[Aside, ...]:
    """The changed rows of the form that the mail quotes."""
    view, power = session.situation(), session.power
    quoted = [each for each in session.mail.asides if each.where is Where.QUOTE]
    if view is None or power is None or not quoted:
        return ()
    search = Search(session)
    seen = as_led(view, power)
    form = _form(session, seen, power)
    units = [unit for line in form if (unit := _unit_of(search, line))]
    title = session.say(Sentence("results.section.form"))
    at = [n for n, each in enumerate(quoted) if plain_words(each.text) == plain_words(title)]
    letter = _quoted_letter(session, quoted, [title, *(line.rpartition(" ")[0] for line in form)])
    if len(at) != 1 or letter is None:
        return ()
    rows = [(each, _unit_of(search, each.text)) for each in quoted[at[0] + 1 :]]
    changed = [
        (row, unit) for row, unit in rows if unit in units and not holds(letter, row.text)
    ] + _instead(rows, form, units)
    of_units = [unit for _, unit in changed]
    return tuple(row for row, unit in changed if of_units.count(unit) == 1)


def _instead(rows: Sequence[Row], form: Sequence[str], units: Sequence[str]) -> list[Row]:
    """The rows that stand in the place of another line which the form has for the same unit."""
    lines = Counter(map(plain_words, form))
    of_form = Counter(units)
    of_rows = Counter(unit for _, unit in rows)
    seen: Counter[str] = Counter()
    found = []
    for row, unit in rows:
        words = plain_words(row.text)
        seen[words] += 1
        if 0 < lines[words] < seen[words] and of_rows[unit] == of_form[unit]:
            found.append((row, unit))
    return found


def _unit_of(search: Search, text: str) -> str:
    """The unit that a row orders, as it stands on file; empty if it is not one whole order."""
    orders = search.orders_in(text)
    return " ".join(search.canonical(orders[0]).split()[:2]) if len(orders) == 1 else ""


def _quoted_letter(session: Session, quoted: Sequence[Aside], form: Sequence[str]) -> str | None:
    """The words of the letter that is quoted, if it asks for the lines of the form."""
    for letter in letters_to_writer(session):
        ours = sum(holds(letter, each.text) for each in quoted)
        if ours >= len(quoted) * _OURS and all(holds(letter, line) for line in form):
            return letter
    return None
