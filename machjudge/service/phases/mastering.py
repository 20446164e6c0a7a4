"""What the master of a game may do with its course."""

from machjudge.language.commands.commands import Nudge, Process
from machjudge.letters.page.delays import flag_line
from machjudge.letters.wording.words import Words, listed
from machjudge.reading import Line
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

    Whoever may see a preview names its token as well, so that he plays what he has seen.
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
        reason = f"the game is at {moment.code}; name that phase"
        session.refuse(line, reason, instead=f"PROCESS {moment.code}")
        return
    flaw = _token_flaw(session, situation, said.token)
    if flaw is not None:
        session.refuse(line, flaw, instead="PREVIEW")
        return
    by = session.person.id if session.person is not None else None
    changes, after = process(session.services, situation, session.now, by)
    session.add(changes, after)
    session.done(f"{moment.code} is played; the results go to everybody.")


PROCESS = CommandEntry(
    "process",
    RUNNING,
    MASTERS,
    Act.FINAL,
    process_now,
    Process,
    refused_in=NOT_PLAYED,
)


def nudge(session: Session, line: Line, _: Nudge) -> None:
    """Remind those whose orders are missing, now and besides the reminders of the clock."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
        return
    if situation.clock.paused is not None:
        session.refuse(line, why_it_stands(session) or "the game is paused; RESUME first")
        return
    readiness, words = situation.readiness(), Words(situation.world)
    led = readiness.missing if readiness.led is None else readiness.led
    if session.now < situation.clock.deadline:
        led |= readiness.flagged
    if not led:
        session.done("Nobody is to be reminded:")
        for held in _held_up_by(session, situation, words):
            session.done(f"  {held}")
        return
    session.letters += nudges(session.services, situation, led, session.now)
    names = listed(words.power(power) for power in sorted(led))
    session.note("nudge", f"reminded {names}")
    session.done(f"Reminded: {names}.")
    for power in sorted(readiness.flagged):
        session.done(f"  {flag_line(words.power(power))}")


NUDGE = CommandEntry(
    "nudge",
    RUNNING,
    MASTERS,
    Act.STEER,
    nudge,
    Nudge,
    also=("remind",),
    refused_in=NOT_PLAYED,
)


def _held_up_by(session: Session, situation: GameView, words: Words) -> list[str]:
    """Why the phase is not played, for the master who asks."""
    seats = [session.seat] if session.seat is not None else []
    zone, sight = zone_of(session.services, session.person), sight_of(situation.game, seats)
    return holdup_lines(situation, words, session.now, zone, sight)


def _token_flaw(session: Session, situation: GameView, given: str) -> str | None:
    """Why the phase cannot be played with this word.

    Whoever plays himself names the phase alone; what he writes behind it says nothing, so that no
    word of another master tells him whether orders have changed.
    """
    if plays_himself(session):
        return None
    if not given:
        return "the word with which a preview ends is missing"
    if given.lower() == token(situation):
        return None
    return "that preview is of another phase, or orders have changed since"
