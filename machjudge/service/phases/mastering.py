"""What the master of a game may do with its course."""

from machjudge.language.commands.commands import PlainCommand, Process
from machjudge.letters.page.delays import flag_line
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.clock.notices import nudges
from machjudge.service.clock.this_phase import why_it_stands
from machjudge.service.credentials.authority import Act
from machjudge.service.game.delays import holdup_lines
from machjudge.service.game.view import GameView, zone_of
from machjudge.service.phases.preview import plays_himself, token
from machjudge.service.phases.process import process
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session


def process_now(session: Session, line: Line, said: Process) -> None:
    """Play the phase at once with the orders on file; the phase must be named.

    Whoever may see a preview names its token as well, so that they play what they have seen.
    """
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
        return
    stands = why_it_stands(session)
    if stands is not None:
        session.refuse(line, stands)
        return
    moment = situation.state.moment
    if said.phase != moment:
        reason = Sentence("phases.process.wrong_phase", code=moment.code)
        session.refuse(line, reason, instead=f"PROCESS {moment.code}")
        return
    flaw = _token_flaw(session, situation, said.token)
    if flaw is not None:
        session.refuse(line, flaw, instead="PREVIEW")
        return
    by = session.person.id if session.person is not None else None
    changes, after = process(session.services, session.uow, situation, session.now, by)
    session.add(changes, after)
    session.done(Sentence("phases.process.done", code=moment.code))


PROCESS = CommandEntry(
    "process",
    RUNNING,
    MASTERS,
    Act.FINAL,
    process_now,
    Process,
    about_phase=True,
    refused_in=NOT_PLAYED,
)


def nudge(session: Session, line: Line, _: PlainCommand) -> None:
    """Remind those whose orders are missing, now and besides the reminders of the clock."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
        return
    if situation.clock.paused is not None:
        session.refuse(line, why_it_stands(session) or Sentence("phases.nudge.paused"))
        return
    readiness, words = situation.readiness(), Words(situation.world)
    led = readiness.missing if readiness.led is None else readiness.led
    if session.now < situation.clock.deadline:
        led |= readiness.flagged
    if not led:
        session.done(Sentence("phases.nudge.nobody"))
        for held in _held_up_by(session, situation, words):
            session.done(Sentence("game.delay.reason", reason=held))
        return
    session.letters += nudges(session.services, situation, led, session.now)
    names = tuple(map(words.power, sorted(led)))
    session.note("nudge", Sentence("phases.nudge.logged", powers=names))
    session.done(Sentence("phases.nudge.done", powers=names))
    for power in sorted(readiness.flagged):
        session.done(Sentence("phases.nudge.flagged", flag=flag_line(words.power(power))))


NUDGE = CommandEntry(
    "nudge",
    RUNNING,
    MASTERS,
    Act.STEER,
    nudge,
    also=("remind",),
    about_phase=True,
    refused_in=NOT_PLAYED,
)


def _held_up_by(session: Session, situation: GameView, words: Words) -> list[Wording]:
    """Why the phase is not played, for the master who asks."""
    seats = [session.seat] if session.seat is not None else []
    zone, sight = zone_of(session.services, session.person), sight_of(situation.game, seats)
    return holdup_lines(situation, words, session.now, zone, sight)


def _token_flaw(session: Session, situation: GameView, given: str) -> Sentence | None:
    """Why the phase cannot be played with this word.

    Whoever plays too names the phase alone; what they write behind it says nothing, so that no
    word of another master tells them whether orders have changed.
    """
    if plays_himself(session):
        return None
    if not given:
        return Sentence("phases.process.no_token")
    if given.lower() == token(situation):
        return None
    return Sentence("phases.process.other_token")
