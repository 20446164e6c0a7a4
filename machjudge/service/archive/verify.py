"""Whether everything about a game holds: its commitment, its positions, its dice, its results."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from machjudge.adjudicator.events.corrections import is_correction
from machjudge.adjudicator.model.dice import commitment
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.codec.document.chronicle import Chronicle, throws_of
from machjudge.codec.document.seals import head_link, last_link, phase_link, seal_of
from machjudge.codec.document.shape import shown
from machjudge.letters.wording.words import counted
from machjudge.service.archive.replay import PhaseCheck, checks

_LONGEST = 300
_MOST_DICE = 20
"""No throw of a game has more; of a file that says otherwise no more are shown."""
_KINDS = {
    "- ": "its orders do not bring what it tells: ",
    "+ ": "its orders bring what it does not tell: ",
}
"""The two kinds of difference, in words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    """In a word: ``dice``."""
    holds: bool
    says: str
    """What holds, or the first thing that does not, in a sentence without a full stop."""
    doubt: bool = False
    """Whether something remains on which this version cannot judge another one."""


def verify(chronicle: Chronicle, scenario: Scenario, version: str) -> tuple[Finding, ...]:
    """What there is to say of a game; *version* is the one of the running program.

    That phases of other versions come out otherwise now breaks nothing; it is told.
    """
    checked = tuple(checks(chronicle, scenario))
    return (
        _secret(chronicle),
        _order(chronicle),
        _of_phases(checked, "starts", _starts_wrong, "each phase begins where its parent ended"),
        _of_phases(checked, "events", _not_rebuilt, "they lead from every position to the next"),
        _dice(chronicle, checked),
        _orders(checked, version),
        _seals(chronicle),
        *_corrections(chronicle),
    )


def _secret(chronicle: Chronicle) -> Finding:
    right = commitment(chronicle.secret)
    if chronicle.commitment == right:
        return Finding("secret", holds=True, says=f"its SHA-256 is {right}")
    told = shown(chronicle.commitment)
    return Finding("secret", holds=False, says=f"its SHA-256 is {right}, not {told}")


def _order(chronicle: Chronicle) -> Finding:
    """Phases are numbered in their order, from an opening on; nothing else is none's parent."""
    phases = chronicle.phases
    numbers = [phase.number for phase in phases]
    if not phases:
        return Finding("phases", holds=False, says="there are none")
    if any(number >= after for number, after in pairwise(numbers)):
        return Finding("phases", holds=False, says="they are not numbered in their order")
    for phase in phases:
        if (phase.parent is None) != (phase is phases[0]):
            says = f"{_named(phase.number, phase.moment)} goes on from nothing, or is no opening"
            return Finding("phases", holds=False, says=says)
    if chronicle.last not in numbers:
        return Finding("phases", holds=False, says=f"there is no last phase {chronicle.last}")
    first, last = phases[0].moment, phases[numbers.index(chronicle.last)].moment
    says = f"{len(phases)}, from {shown(first)} to {shown(last)}"
    return Finding("phases", holds=True, says=says)


def _of_phases(
    checked: Iterable[PhaseCheck], what: str, flaw: Callable[[PhaseCheck], str], well: str
) -> Finding:
    """The first phase with a flaw, or that all is well."""
    for check in checked:
        found = flaw(check)
        if found:
            says = f"{_named(check.number, check.moment)}: {found}"
            return Finding(what, holds=False, says=says)
    return Finding(what, holds=True, says=well)


def _starts_wrong(check: PhaseCheck) -> str:
    return "" if check.starts_right else "it does not start from the position before it"


def _not_rebuilt(check: PhaseCheck) -> str:
    return "" if check.events_rebuild else "its events do not lead to the position after it"


def _dice(chronicle: Chronicle, checked: Iterable[PhaseCheck]) -> Finding:
    for entry in chronicle.phases:
        if entry.dice != throws_of(entry.events):
            says = f"{_named(entry.number, entry.moment)}: its list differs from its events"
            return Finding("dice", holds=False, says=says)
    throws = sum(len(entry.dice) for entry in chronicle.phases)
    well = f"{counted(throws, 'throw')}, all from the secret"
    if chronicle.words is not None:
        well += f" and {counted(len(chronicle.words), 'word')} of the players"
    return _of_phases(checked, "dice", _wrong_dice, well)


def _wrong_dice(check: PhaseCheck) -> str:
    if not check.wrong_dice:
        return ""
    wrong = check.wrong_dice[0]
    right = ",".join(map(str, wrong.right[:_MOST_DICE])) or "some"
    told = ",".join(map(str, wrong.told[:_MOST_DICE])) or "none"
    return f'for "{shown(wrong.purpose)}", throw {wrong.n}, {told} instead of {right}'


def _orders(checked: Sequence[PhaseCheck], version: str) -> Finding:
    """Played again by this version they bring the same events, where this version played them."""
    ours = (check for check in checked if check.adjudicator == version)
    finding = _of_phases(ours, "orders", _first_difference, "played again, they bring the same")
    others = [check for check in checked if check.adjudicator != version]
    if not finding.holds or not others:
        return finding
    changed = [check for check in others if not check.plays_again]
    says = f"{finding.says}; {counted(len(others), 'phase')} of other versions"
    if changed:
        first = changed[0]
        named = _named(first.number, first.moment)
        says += f", {len(changed)} would come out otherwise now, first {named} of "
        says += shown(first.adjudicator)
    return Finding("orders", holds=True, says=says, doubt=bool(changed))


def _seals(chronicle: Chronicle) -> Finding:
    """Whether what cannot be computed again is what was sealed: each phase goes on from the last.

    In place nothing is sealed yet: the seal is told, to be compared with that of the last message.
    """
    if not chronicle.seal:
        return Finding("seal", holds=True, says=f"it is {seal_of(chronicle)}")
    link = head_link(chronicle)
    for number, entry in enumerate(chronicle.phases):
        if entry.seal != phase_link(link, entry):
            says = f"{_named(entry.number, entry.moment)}: not as sealed: its orders, who wrote "
            says += "them, its version" + ("" if number else ", or the game's name or words")
            return Finding("seal", holds=False, says=says)
        link = entry.seal
    if chronicle.seal != last_link(link, chronicle.last):
        says = f"the game was not sealed with {chronicle.last} as its last phase"
        return Finding("seal", holds=False, says=says)
    return Finding("seal", holds=True, says=f"it is {chronicle.seal}")


def _corrections(chronicle: Chronicle) -> Iterator[Finding]:
    """What the master has set right follows from nothing: his players must know of each."""
    corrected = [entry for entry in chronicle.phases if is_correction(entry.events)]
    if corrected:
        named = ", ".join(_named(entry.number, entry.moment) for entry in corrected)
        says = f"the master has set right {counted(len(corrected), 'thing')}: {named}"
        yield Finding("by hand", holds=True, says=says)


def _first_difference(check: PhaseCheck) -> str:
    if check.plays_again:
        return ""
    first = check.differences[0]
    first = _KINDS.get(first[:2], first[:2]) + first[2:]
    return first if len(first) <= _LONGEST else first[:_LONGEST] + "..."


def _named(number: int, moment: str) -> str:
    return f"phase {number} ({shown(moment)})"
