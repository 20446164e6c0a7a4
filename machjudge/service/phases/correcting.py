"""What a master sets right in the position: stored as a phase of its own, with his reason.

The orders on file stay there; the phase that is being played stays the same one.
"""

from collections.abc import Iterable
from dataclasses import replace

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.language.commands.commands import Fix
from machjudge.letters.page.corrections import CORRECTIONS, correction_lines
from machjudge.letters.wording.sentences import tell
from machjudge.letters.wording.words import Words, listed
from machjudge.reading import Line
from machjudge.service.game.view import Situation
from machjudge.service.model.holdings import holdings
from machjudge.service.model.records import Sheet, StoredPhase
from machjudge.service.phases.position_edits import ALSO, USAGE, Wrong, correction_meant
from machjudge.service.session.announce import announce
from machjudge.service.session.outgoing import addressees, sight_of
from machjudge.service.session.session import Talk


def fix(talk: Talk, line: Line, said: Fix) -> None:
    """Set one thing right, and tell everybody what and why."""
    situation = talk.situation()
    if situation is None:
        talk.refuse(line, talk.why_not_played())
        return
    usage = USAGE.get(ALSO.get(said.what, said.what))
    if usage is None:
        talk.refuse(line, f"what can be set right: {listed(USAGE, 'or')}", instead=_FIRST)
        return
    event = correction_meant(situation, said)
    if isinstance(event, Wrong):
        talk.refuse(line, event.says, instead=usage)
        return
    _store(talk, situation, event)
    for told in tell(CORRECTIONS, Words(situation.world), [event]):
        talk.done(told)
    _tell(talk, situation, event)


_FIRST = USAGE["treasury"]


def _tell(talk: Talk, situation: Situation, event: Event) -> None:
    """Tell everybody; of hidden ducats and of chits those who may not see them read less."""
    game, words = talk.game or situation.game, Words(situation.world)
    readers = list(addressees(talk.desk, game, talk.people(game), talk.now))
    outside = sight_of(game, [])
    talk.note("correction", " ".join(correction_lines(words, [event], outside)))
    for sees in (True, False):
        those = [to for to in readers if to.sight.sees(event) is sees]
        sight = those[0].sight if those else outside
        lines = [_HEAD, *correction_lines(words, [event], sight)]
        announce(talk, game, "Correction", lines, {to.address for to in those})


_HEAD = "The master has corrected the position:"


def _store(talk: Talk, situation: Situation, event: Event) -> None:
    game, before = situation.game, situation.state
    stored = StoredPhase(
        game=game.id,
        number=situation.last_number + 1,
        parent=situation.phase.number,
        moment=before.moment.code,
        before=before,
        after=evolve_all(before, [event]),
        orders={},
        rules=game.rules,
        events=(event,),
        adjudicator=talk.desk.judge.version,
        processed=talk.now,
    )
    talk.changes.phases.append((stored, holdings(situation.world, stored.after)))
    talk.changes.sheets += _carried_over(talk, situation, stored.number)
    moved = replace(game, position=stored.number)
    talk.set_game(moved)
    sheets = {power: replace(s, after=stored.number) for power, s in situation.sheets.items()}
    talk.current = replace(
        situation, game=moved, phase=stored, sheets=sheets, last_number=stored.number
    )


def _carried_over(talk: Talk, situation: Situation, number: int) -> Iterable[Sheet]:
    """The orders on file, with their history, for the corrected position."""
    old = situation.phase.number
    for power in situation.sheets:
        filed = [s for s in talk.changes.sheets if (s.power, s.after) == (power, old)]
        history = talk.uow.sheets.history(situation.game.id, old, power)
        yield from [replace(sheet, after=number) for sheet in (*history, *filed)]
