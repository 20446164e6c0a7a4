"""A master who falls silent: one of their co-masters takes over after the days that they set.

Whoever was the master stays a co-master and gets the game back only from the new one (PROMOTE).
"""

from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView
from machjudge.service.model.records import Game, Notice, Role, Seat
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.services import Services
from machjudge.service.session.command import FIRST_MASTER, RUNNING, CommandEntry
from machjudge.service.session.outgoing import addressees, announce_setting, head_now, letter
from machjudge.service.session.session import Session

_DAY = timedelta(days=1)

MOST_DAYS = 90
"""How long a master may be silent at most, where somebody could take over."""


def succession(services: Services, situation: GameView, now: datetime) -> Changes | None:
    """Give the game to a co-master, if its master has been silent for too long; tell everybody."""
    game, seat = situation.game, successor(situation.game, now)
    if seat is None or seat.person is None:
        return None
    changed = replace(game, master=seat.person, heard=now)
    person = situation.people.get(seat.person)
    name = person.name if person is not None else Sentence("phases.succession.somebody")
    days = game.conduct.silent_days
    facts = {
        "head": head_now(services, situation),
        "subject": Sentence("phases.succession.subject"),
        "lines": [Sentence("phases.succession.announced", days=days, name=name)],
    }
    letters = [
        letter(
            changed, to.address, services.paper.page("announcement", {**facts, "reader": to.reader})
        )
        for to in addressees(services, changed, situation.people, now)
    ]
    logged = services.paper.say(Sentence("phases.succession.logged", name=name))
    notice = Notice(game.id, now, None, "master", logged)
    return Changes(read=game, game=changed, notices=[notice], letters=letters)


def successor(game: Game, now: datetime) -> Seat | None:
    """The co-master who takes over now: the one with the first seat; nobody while it is time."""
    days, heard = game.conduct.silent_days, game.heard or game.created
    if not days or now - heard < timedelta(days=days) or _is_away(game, now):
        return None
    return next(
        (
            seat
            for seat in game.seats
            if seat.role is Role.MASTER and seat.person not in (None, game.master)
        ),
        None,
    )


def next_succession(game: Game, now: datetime) -> datetime | None:
    """The next instant at which somebody may take over from the master; None if never."""
    heard = game.heard or game.created
    back = (absence.end + _DAY for seat in game.seats for absence in seat.absences)
    instants = (heard + timedelta(days=game.conduct.silent_days), *back)
    return min((each for each in instants if each > now), default=None)


def _is_away(game: Game, now: datetime) -> bool:
    """Whether the master has said that they are away, or were until the day before."""
    own = (seat for seat in game.seats if seat.person == game.master)
    absences = (absence for seat in own for absence in seat.absences)
    return any(each.start <= now < each.end + _DAY for each in absences)


def set_takeover(session: Session, line: Line, said: Setting) -> None:
    """After how many silent days of the master a co-master takes over; ``no takeover``: never."""
    game, days = session.game, said.number if said.on else 0
    if game is None:
        return
    if days > MOST_DAYS or (said.on and not days):
        wanted = Sentence("phases.succession.number_wanted", most=MOST_DAYS)
        session.refuse(line, wanted, instead="SET TAKEOVER 14")
        return
    changed = replace(game, conduct=replace(game.conduct, silent_days=days))
    told = Sentence("phases.succession.set", days=days)
    session.set_game(changed)
    session.note("conduct", told)
    session.done(Sentence("phases.succession.done", told=told))
    announced = Sentence("phases.succession.set_announced", told=told)
    announce_setting(session, changed, [announced])


SET_TAKEOVER = CommandEntry(
    "set takeover",
    RUNNING,
    FIRST_MASTER,
    Act.STEER,
    set_takeover,
    setting="takeover",
)
