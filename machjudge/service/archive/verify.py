"""Whether everything about a game holds: its commitment, its positions, its dice, its results."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from machjudge.adjudicator.events.corrections import is_correction
from machjudge.adjudicator.model.dice import commitment
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.codec.document.chronicle import Chronicle, ChronicleEntry, throws_of
from machjudge.codec.document.seals import head_link, last_link, phase_link, seal_of
from machjudge.codec.document.shape import shown
from machjudge.sentence import Sentence, Wording
from machjudge.service.archive.replay import PhaseCheck, Watched, checks, unwatched

_MOST_DICE = 20
"""No throw of a game has more; of a file that says otherwise no more are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    """In a word: ``dice``."""
    holds: bool
    says: Wording
    """What holds, or the first thing that does not."""
    doubt: bool = False
    """Whether something remains on which this version cannot judge another one."""


def verify(
    chronicle: Chronicle, scenario: Scenario, version: str, watched: Watched = unwatched
) -> tuple[Finding, ...]:
    """What there is to say of a game; *version* is the one of the running program.

    That phases of other versions come out otherwise now breaks nothing; it is told.
    """
    checked = tuple(watched(checks(chronicle, scenario), len(chronicle.phases)))
    return (
        _secret(chronicle),
        _order(chronicle),
        _of_phases(checked, "starts", _starts_wrong, Sentence("archive.starts")),
        _of_phases(checked, "events", _not_rebuilt, Sentence("archive.events")),
        _dice(chronicle, checked),
        _orders(checked, version),
        _seals(chronicle),
        *_corrections(chronicle),
    )


def _secret(chronicle: Chronicle) -> Finding:
    right = commitment(chronicle.secret)
    told = shown(chronicle.commitment) if chronicle.commitment != right else ""
    says = Sentence("archive.secret", right=right, told=told)
    return Finding("secret", holds=not told, says=says)


def _order(chronicle: Chronicle) -> Finding:
    wrong = _wrong_order(chronicle)
    if wrong is not None:
        return Finding("phases", holds=False, says=wrong)
    moments = {phase.number: phase.moment for phase in chronicle.phases}
    first, last = chronicle.phases[0].moment, moments[chronicle.last or 0]
    n = len(chronicle.phases)
    says = Sentence("archive.phases", n=n, first=shown(first), last=shown(last))
    return Finding("phases", holds=True, says=says)


def _wrong_order(chronicle: Chronicle) -> Sentence | None:
    """Phases are numbered in their order, from an opening on; nothing else is none's parent."""
    phases = chronicle.phases
    numbers = [phase.number for phase in phases]
    if not phases:
        return Sentence("archive.no_phases")
    if any(number >= after for number, after in pairwise(numbers)):
        return Sentence("archive.not_in_order")
    for phase in phases:
        if (phase.parent is None) != (phase is phases[0]):
            return Sentence("archive.no_parent", phase=_named(phase))
    if chronicle.last not in numbers:
        return Sentence("archive.no_last_phase", last=chronicle.last)
    return None


def _of_phases(
    checked: Iterable[PhaseCheck],
    what: str,
    flaw: Callable[[PhaseCheck], Wording | None],
    well: Sentence,
) -> Finding:
    """The first phase with a flaw, or that all is well."""
    for check in checked:
        found = flaw(check)
        if found is not None:
            return _wrong(what, check, found)
    return Finding(what, holds=True, says=well)


def _wrong(what: str, phase: ChronicleEntry | PhaseCheck, flaw: Wording) -> Finding:
    says = Sentence("archive.of_phase", phase=_named(phase), flaw=flaw)
    return Finding(what, holds=False, says=says)


def _starts_wrong(check: PhaseCheck) -> Sentence | None:
    return None if check.starts_right else Sentence("archive.starts_wrong")


def _not_rebuilt(check: PhaseCheck) -> Sentence | None:
    return None if check.events_rebuild else Sentence("archive.events_wrong")


def _dice(chronicle: Chronicle, checked: Iterable[PhaseCheck]) -> Finding:
    for entry in chronicle.phases:
        if entry.dice != throws_of(entry.events):
            return _wrong("dice", entry, Sentence("archive.dice_not_in_events"))
    throws = sum(len(entry.dice) for entry in chronicle.phases)
    words = len(chronicle.words) if chronicle.words is not None else None
    well = Sentence("archive.dice", throws=throws, words=words)
    return _of_phases(checked, "dice", _wrong_dice, well)


def _wrong_dice(check: PhaseCheck) -> Sentence | None:
    if not check.wrong_dice:
        return None
    wrong = check.wrong_dice[0]
    return Sentence(
        "archive.dice_wrong",
        purpose=shown(wrong.purpose),
        n=wrong.n,
        told=wrong.told[:_MOST_DICE],
        right=wrong.right[:_MOST_DICE],
    )


def _orders(checked: Sequence[PhaseCheck], version: str) -> Finding:
    """Played again by this version they bring the same events, where this version played them."""
    ours = (check for check in checked if check.adjudicator == version)
    finding = _of_phases(ours, "orders", _first_difference, Sentence("archive.orders"))
    others = [check for check in checked if check.adjudicator != version]
    if not finding.holds or not others:
        return finding
    changed = [check for check in others if not check.plays_again]
    says = Sentence(
        "archive.orders_of_others",
        others=len(others),
        changed=len(changed),
        first=_named(changed[0]) if changed else "",
        version=shown(changed[0].adjudicator) if changed else "",
    )
    return Finding("orders", holds=True, says=says, doubt=bool(changed))


def _seals(chronicle: Chronicle) -> Finding:
    """Whether what cannot be computed again is what was sealed: each phase goes on from the last.

    In place nothing is sealed yet: the seal is told, to be compared with that of the last message.
    """
    if chronicle.seal:
        link = head_link(chronicle)
        for number, entry in enumerate(chronicle.phases):
            if entry.seal != phase_link(link, entry):
                flaw = Sentence("archive.not_as_sealed", is_first=not number)
                return _wrong("seal", entry, flaw)
            link = entry.seal
        if chronicle.seal != last_link(link, chronicle.last):
            says = Sentence("archive.not_the_last", last=chronicle.last)
            return Finding("seal", holds=False, says=says)
    says = Sentence("archive.seal", seal=chronicle.seal or seal_of(chronicle))
    return Finding("seal", holds=True, says=says)


def _corrections(chronicle: Chronicle) -> Iterator[Finding]:
    """What the master has set right follows from nothing: their players must know of each."""
    corrected = tuple(_named(each) for each in chronicle.phases if is_correction(each.events))
    if corrected:
        yield Finding("by-hand", holds=True, says=Sentence("archive.corrected", phases=corrected))


def _first_difference(check: PhaseCheck) -> Wording | None:
    first = next(iter(check.differences), None)
    if not isinstance(first, str):
        return first
    is_lost = first.startswith("-")
    return Sentence("archive.lost_event" if is_lost else "archive.new_event", event=first[2:])


def _named(phase: ChronicleEntry | PhaseCheck) -> Sentence:
    return Sentence("archive.phase", number=phase.number, moment=shown(phase.moment))
