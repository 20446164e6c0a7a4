"""What a master sets right in the position: stored as a phase of its own, with their reason.

The orders on file stay there; the phase that is being played stays the same one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.events.evolve import evolve, evolve_all
from machjudge.language.commands.commands import Fix
from machjudge.letters.page.corrected import CORRECTIONS, correction_lines, numbers_changed
from machjudge.letters.wording.sentences import tell
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView
from machjudge.service.model.holdings import holdings
from machjudge.service.model.records import Sheet, StoredPhase
from machjudge.service.phases.position_edits import ALSO, KINDS, correction_meant
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.outgoing import addressees, announce, sight_of
from machjudge.service.session.session import Session


def fix(session: Session, line: Line, said: Fix) -> None:
    """Set one thing right, and tell everybody what and why."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
        return
    kind = ALSO.get(said.what, said.what)
    lexicon = session.lexicon(situation.game)
    event = correction_meant(situation, said, lexicon) if kind in KINDS else _NO_KIND
    if isinstance(event, Sentence):
        usage = Sentence(f"phases.usage.{kind if kind in KINDS else KINDS[0]}")
        session.refuse(line, event, instead=None if event.key in _CANNOT_BE else usage)
        return
    correct(session, situation, [event])
    words = Words(situation.world)
    for told in tell(CORRECTIONS, words, [event]):
        session.done(told)
    changed = numbers_changed(words, situation.state, event)
    if changed is not None:
        session.done(changed)
    _tell(session, situation, event)


FIX = CommandEntry(
    "fix",
    RUNNING,
    MASTERS,
    Act.STEER,
    fix,
    Fix,
    about_phase=True,
    refused_in=NOT_PLAYED,
)


_CANNOT_BE = frozenset(
    f"phases.fix.{why}"
    for why in ("no_assassins", "no_bank", "no_city_there", "no_money", "not_played")
)
"""What is wrong however the line is written."""
_NO_KIND = Sentence("phases.fix.kinds", kinds=KINDS)


def _tell(session: Session, situation: GameView, event: Event) -> None:
    """Tell everybody; of what is hidden those who may not see it read less."""
    game, words = session.game or situation.game, Words(situation.world)
    before = situation.state
    told_to = partial(correction_lines, words, before, evolve(before, event), [event])
    for line in told_to(sight_of(game, [])):
        session.note("correction", line)
    readers: dict[tuple[Sentence, ...], set[str]] = {}
    for to in addressees(session.services, game, session.people(game), session.now):
        readers.setdefault(told_to(to.sight), set()).add(to.address)
    for told, those in readers.items():
        lines: list[Wording] = [Sentence("phases.fix.announced"), *told]
        announce(session, game, Sentence("phases.fix.subject"), lines, those)
    if len(readers) > 1:
        session.answer.notices.append(Sentence("phases.fix.reason_for_all"))


def correct(session: Session, situation: GameView, events: Sequence[Event]) -> None:
    """Change the position of a game outside its phases; nobody is told here."""
    game, before = situation.game, situation.state
    stored = StoredPhase(
        game=game.id,
        number=situation.last_number + 1,
        parent=situation.phase.number,
        moment=before.moment.code,
        before=before,
        after=evolve_all(before, events),
        orders={},
        rules=game.rules,
        events=tuple(events),
        adjudicator=session.services.judge.version,
        processed=session.now,
    )
    session.changes.phases.append((stored, holdings(situation.world, stored.after)))
    session.changes.sheets += _carried_over(session, situation, stored.number)
    moved = replace(game, position=stored.number)
    session.set_game(moved)
    sheets = {power: replace(s, after=stored.number) for power, s in situation.sheets.items()}
    session.current = replace(
        situation, game=moved, phase=stored, sheets=sheets, last_number=stored.number
    )


def _carried_over(session: Session, situation: GameView, number: int) -> Iterable[Sheet]:
    """The orders on file, with their history, for the corrected position."""
    old = situation.phase.number
    for power in situation.sheets:
        filed = [s for s in session.changes.sheets if (s.power, s.after) == (power, old)]
        history = session.uow.sheets.history(situation.game.id, old, power)
        yield from [replace(sheet, after=number) for sheet in (*history, *filed)]
