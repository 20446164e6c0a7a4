"""A master who falls silent: one of their co-masters takes over after the days that they set.

They are warned a day before, or as long before as half of the days is, and never replaced sooner
after the warning, however late the judge looks.
Whoever was the master stays a co-master and gets the game back only from the new one (PROMOTE).
"""

from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.language.commands.commands import Setting
from machjudge.letters.wording.times import when
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
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
    """Warn a silent master, or later give the game to a co-master; None while nothing is due."""
    game, seat = situation.game, _successor(situation.game, now)
    if seat is None or now < _warned_from(game):
        return None
    if not _is_warned(game):
        return _warned(services, situation, seat, now)
    return _handed_over(services, situation, seat, now) if now >= _hands_over_at(game) else None


def next_succession(game: Game, now: datetime) -> datetime | None:
    """The next instant at which a silent master may be warned or replaced; None if never."""
    back = (absence.end + _DAY for seat in game.seats for absence in seat.absences)
    instants = (_warned_from(game), _hands_over_at(game), *back)
    return min((each for each in instants if each > now), default=None)


def _notice(game: Game) -> timedelta:
    """How long before somebody takes over the master is warned: a day, or half of a short time."""
    return min(_DAY, timedelta(days=game.conduct.silent_days) / 2)


def _warned_from(game: Game) -> datetime:
    """From when on the master is so silent that they are warned."""
    heard = game.heard or game.created
    return heard + timedelta(days=game.conduct.silent_days) - _notice(game)


def _is_warned(game: Game) -> bool:
    """Whether the master was warned in this silence."""
    return game.warned is not None and game.warned >= _warned_from(game)


def _hands_over_at(game: Game) -> datetime:
    """When a co-master takes over: never sooner after the warning than it says."""
    start = game.warned if game.warned is not None and _is_warned(game) else _warned_from(game)
    return start + _notice(game)


def _successor(game: Game, now: datetime) -> Seat | None:
    """Who would take over, by the first seat; nobody while the master is away."""
    if not game.conduct.silent_days or _is_away(game, now):
        return None
    return next(
        (
            seat
            for seat in game.seats
            if seat.role is Role.MASTER and seat.person not in (None, game.master)
        ),
        None,
    )


def _warned(services: Services, situation: GameView, seat: Seat, now: datetime) -> Changes:
    """Tell the masters who takes over and when, if the silent one goes on saying nothing."""
    game = situation.game
    changed = replace(game, warned=now)
    facts = {
        "head": head_now(services, situation),
        "subject": Sentence("phases.succession.warning_subject"),
    }
    letters = []
    for to in addressees(services, changed, situation.people, now):
        if not to.sight.is_master:
            continue
        told = Sentence(
            "phases.succession.warning",
            own=any(each.person == game.master for each in to.seats),
            days=game.conduct.silent_days,
            name=_name_of(situation, seat),
            at=when(_hands_over_at(changed), to.reader.zone),
        )
        page = services.paper.page("announcement", {**facts, "reader": to.reader, "lines": [told]})
        letters.append(letter(changed, to.address, page))
    logged = services.paper.say(Sentence("phases.succession.warning_logged"))
    notice = Notice(game.id, now, None, "master", logged)
    return Changes(read=game, game=changed, notices=[notice], letters=letters)


def _handed_over(services: Services, situation: GameView, seat: Seat, now: datetime) -> Changes:
    """Give the game to a co-master, and tell everybody."""
    game = situation.game
    changed = replace(game, master=seat.person or game.master, heard=now)
    name = _name_of(situation, seat)
    facts = {
        "head": head_now(services, situation),
        "subject": Sentence("phases.succession.subject"),
        "lines": [
            Sentence("phases.succession.announced", days=game.conduct.silent_days, name=name)
        ],
    }
    letters = [
        letter(
            changed,
            to.address,
            services.paper.page("announcement", {**facts, "reader": to.reader}),
            may_wait=True,
        )
        for to in addressees(services, changed, situation.people, now)
    ]
    logged = services.paper.say(Sentence("phases.succession.logged", name=name))
    notice = Notice(game.id, now, None, "master", logged)
    return Changes(read=game, game=changed, notices=[notice], letters=letters)


def _name_of(situation: GameView, seat: Seat) -> Wording:
    person = situation.people.get(seat.person) if seat.person is not None else None
    return person.name if person is not None else Sentence("phases.succession.somebody")


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
