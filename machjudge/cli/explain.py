"""An adjudicated phase in words: what became of each order, and why."""

from collections.abc import Iterator, Mapping
from typing import get_args

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.reasons import Reason
from machjudge.cli.said import say
from machjudge.codec.adjudication.answer import AnsweredLine, Refusal
from machjudge.codec.adjudication.results import Result
from machjudge.codec.document.marks import Why
from machjudge.codec.document.notation import NotRead
from machjudge.letters.results.results import PlayedPhase, Results, results
from machjudge.letters.wording.sentences import Told, one_by_one
from machjudge.letters.wording.sight import EVERYTHING
from machjudge.letters.wording.why import why
from machjudge.letters.wording.words import Words, ducats, listed

_REASONS = get_args(Reason)


_TITLES = {
    "victory": "Victory",
    "money": "Money",
    "unrest": "Sieges and rebellions",
    "dislodged": "Dislodged",
    "control": "Changed hands",
    "fates": "Powers",
    "disasters": "Disasters",
    "rolls": "Variable income",
    "incomes": "Income",
}
"""The sections of a result mail that say what no order's sentence says."""


def explained(told: AnsweredLine | Refusal) -> str:
    """The phase in words, with an empty line at its end."""
    match told:
        case Refusal():
            return harmless(f"{_named(told)}an error at {told.where}: {told.says}\n")
        case AnsweredLine():
            return harmless("\n".join([*_phase(told), ""]))


def harmless(text: str) -> str:
    """The text without signs that a terminal obeys or cannot show."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def _named(told: AnsweredLine | Refusal) -> str:
    """The id of the question, where it has one."""
    return f"{told.id}: " if told.id is not None else ""


def _phase(told: AnsweredLine) -> Iterator[str]:
    words = Words(told.task.world)
    yield f"{_named(told)}{say(words.moment(told.task.state.moment))}"
    power: PowerId | None = None
    for result in told.results:
        if result.power != power:
            power = result.power
            yield words.power(power).capitalize()
        yield f"  {_order(result)}: {fate(words, result)}"
    yield from _besides(words, told)
    yield f"Next: {say(words.moment(told.played.state.moment))}"


def _order(result: Result) -> str:
    """The line as it was given, and as it was understood where that differs."""
    if result.given is None:
        return f"({result.order or 'no order'})"
    if result.order in (None, result.given):
        return result.given
    return f"{result.given} [{result.order}]"


def fate(words: Words, result: Result) -> str:
    """What became of an order, in one sentence without a full stop."""
    marked = result.marked
    if marked.why is None:
        done = [sentence for event in marked.events if (sentence := _done(words, event))]
        return "; ".join(done) or "done"
    driven = [event for event in marked.events if isinstance(event, happened.UnitDislodged)]
    others = [event for event in driven if event is not marked.why]
    return "; ".join([_why(words, marked.why), *(_why(words, event) for event in others)])


def _why(words: Words, because: Why) -> str:
    match because:
        case NotRead():
            return f"not understood: {because.says}"
        case happened.UnitDislodged():
            ways = [words.spot(spot) for spot in because.retreats]
            ways += ["its city"] if because.convert else []
            where = f"may retreat to {listed(ways, 'or')}" if ways else "has nowhere to go"
            odds = f"strength {because.strength} against {because.rival}"
            return f"dislodged by {words.whose(because.by)}, {odds}; {where}"
        case happened.Marched():
            stayed = because.to == because.unit.place
            return "cannot march" if stayed else f"gets as far as {words.place(because.to)}"
        case happened.OrderReplaced():
            return "replaced by a later line"
        case happened.OrderIgnored():
            return "not an order for one of its own units"
        case happened.UnitRemoved():
            return f"gone: {because.because.value}"
        case _ if isinstance(because, _REASONS):
            return say(why(words, because))
        case _:
            return _money(because)


def _money(event: Why) -> str:
    match event:
        case happened.ExpenseSettled(fate="failed"):
            return "the attempt failed"
        case happened.ExpenseSettled() if event.force < event.price:
            weight = "nothing" if event.force <= 0 else ducats(event.force)
            return f"{event.fate}: it weighs {weight}, the price is {ducats(event.price)}"
        case happened.ExpenseSettled():
            return event.fate
        case happened.LoanRefused() | happened.GiftRefused():
            return f"refused: {event.because}"
        case happened.GiftGiven():
            return f"only {ducats(event.ducats)} of {event.asked} were there"
        case happened.PaymentNotNeeded():
            return f"only {ducats(event.paid)} of {event.asked} were taken"
        case _:
            return "failed"


_PLAINLY: Mapping[type, str] = {
    happened.RebelsSupported: "the rebels help",
    happened.Held: "holds",
    happened.Marched: "marches",
    happened.SiegeBegun: "the siege begins",
    happened.SiegeKept: "the siege stays half done",
    happened.SiegeCompleted: "the city falls",
    happened.UnitRemoved: "leaves the map",
}


def _done(words: Words, event: Event) -> str:
    match event:
        case happened.Advanced():
            return f"moves with strength {event.strength}"
        case happened.Converted():
            return f"converts with strength {event.strength}"
        case happened.SupportGiven():
            return f"supports {words.whose(event.supported)}"
        case happened.Transported():
            return f"carries {words.whose(event.army)}"
        case happened.Retreated():
            return "retreats into the city" if event.into_city else "retreats"
        case _:
            return _PLAINLY.get(type(event), "")


def _besides(words: Words, told: AnsweredLine) -> Iterator[str]:
    """What happened besides the orders, in the sections of a result mail."""
    played = told.played
    seen = EVERYTHING.phase(words.world, told.task.state, played.state, played.events)
    sections: Results = results(words, PlayedPhase(seen, played.standing))
    for section, title in _TITLES.items():
        lines: tuple[Told, ...] = getattr(sections, section)
        if lines:
            yield title
            for line in one_by_one(lines):
                yield from (f"  {text}" for text in say(line).split("\n"))
