"""What the master of a game may do with its course."""

from machjudge.language.commands import Process
from machjudge.reading import Line
from machjudge.service.process import process
from machjudge.service.talk import Talk


def process_now(talk: Talk, line: Line, said: Process) -> None:
    """Play the phase at once with the orders on file; the phase must be named."""
    situation = talk.situation()
    if situation is None:
        talk.refuse(line, talk.why_not_played())
        return
    moment = situation.state.moment
    if said.phase != moment:
        reason = f"the game is at {moment.code}; name that phase"
        talk.refuse(line, reason, instead=f"PROCESS {moment.code}")
        return
    by = talk.person.id if talk.person is not None else None
    changes, after = process(talk.desk, situation, talk.now, by)
    talk.add(changes, after)
    talk.done(f"{moment.code} is played; the results go to everybody.")
