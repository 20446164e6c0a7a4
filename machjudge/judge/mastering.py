"""A master who falls silent: one of their co-masters takes over after the days that they set.

They are warned a day before, or as long before as half of the days is, and never replaced sooner
after the warning, however late the judge looks.
Whoever was the master stays a co-master and gets the game back only from the new one (PROMOTE).
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Sweep
from machjudge.judge.audience import no_power
from machjudge.judge.changes import Changes
from machjudge.judge.clock import why_it_stands
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import GameView, holdup_lines, seat_of, zone_of
from machjudge.judge.mail_context import (
    FIRST_MASTER,
    MASTERS,
    NOT_PLAYED,
    PLAYERS,
    PLAYING,
    RUNNING,
    CommandEntry,
    Session,
    is_player,
)
from machjudge.judge.outgoing import addressees, announce_setting, head_now, letter, sight_of
from machjudge.judge.ports import Services
from machjudge.judge.preview import plays_himself, token
from machjudge.judge.process import process
from machjudge.judge.records import Game, Notice, Role, Seat
from machjudge.judge.reminders import nudges
from machjudge.language.commands import Become, NotACommand, PlainCommand, Process, Setting
from machjudge.language.lexicon import lexicon_of
from machjudge.mail_parser.lines import Line
from machjudge.messages.render import flag_line
from machjudge.messages.wording import Words, when
from machjudge.sentence import Sentence, Wording

_ADDRESSED = re.compile(
    r"(?P<orders>(?:(?:here\sare\s)?(?:my|our|the)\s)?(?:orders|moves)\s(?=for\s))?"
    r"(?P<word>for\s)?(?:the\s)?(?:(?P<name>[^:]{3,30}?)\s?:|(?P<plain>[^\W\d_]{3,}))"
    r"(?:\s+|(?<=:)|$)(?P<rest>\S.*)?",
    re.IGNORECASE,
)
"""A line that begins with the name of a power, and may go on with orders."""


def become(session: Session, line: Line, said: Become) -> None:
    """What follows is another power's; whatever fails, nothing after it is read."""
    power = _power(session, said.who)
    flaw = _flaw(session, said, power)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return
    seat = seat_of(session.game, power) if session.game is not None and power is not None else None
    if seat is None or power is None or session.game is None:
        session.refuse_all(line, _no_power(session, said.who))
        return
    if not said.own:
        session.became = True
        name = Words(session.services.world(session.game)).power(power)
        session.note("become", Sentence("phases.become.logged", power=name))
    session.speak_from(seat.number, power)


FOR = CommandEntry(
    "for",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    become,
    Become,
    is_dry=True,
)
BECOME = CommandEntry(
    "become",
    RUNNING,
    MASTERS,
    Act.STEER,
    become,
    Become,
    is_dry=True,
)


def parted_by_power(session: Session, line: Line) -> tuple[Line, ...] | None:
    """What a line that begins with a power of the reader's own says: ``FOR`` it, and the rest.

    ``Venice: A pad h`` is ``FOR Venice`` and the order; the order alone, where the lines are for
    Venice already.  None for any other line.
    """
    found = _ADDRESSED.fullmatch(line.text)
    if found is None or not is_player(session.seat) or session.target or session.is_nowhere:
        return None
    power = _power(session, found["name"] or found["plain"])
    own = {each for seat in own_seats(session) for each in seat.powers}
    if power not in own or not _is_for_power(session, line.text, found, len(own)):
        return None
    change = f"FOR {found['name'] or found['plain']}"
    said = [change] if power != session.power else []
    return tuple(
        replace(line, text=each, raw=each) for each in (*said, found["rest"]) if each is not None
    )


def _is_for_power(session: Session, text: str, found: re.Match[str], powers: int) -> bool:
    """Whether the name of a power is a heading, and no place of an order."""
    rest, has_colon = found["rest"], found["name"] is not None
    if rest is None and found["word"]:
        return found["orders"] is not None
    if rest is None:
        return has_colon or (powers > 1 and not _is_order(session, text))
    if found["word"] and has_colon:
        return True
    if _is_order(session, text):
        return False
    is_nothing_else = has_colon and isinstance(session.said.command_in(rest), NotACommand)
    return is_nothing_else or _is_order(session, rest)


def _is_order(session: Session, text: str) -> bool:
    """Whether a text is nothing but orders that can be read."""
    situation = session.situation()
    if session.game is None or situation is None:
        return False
    stage = situation.state.moment.stage
    pieces = session.said.orders(text, session.lexicon(session.game), stage)
    return all(
        isinstance(each.said, Sweep) or (each.understood and not each.refused) for each in pieces
    )


def _flaw(session: Session, said: Become, power: PowerId | None) -> Sentence | None:
    if said.own:
        own = {each for seat in own_seats(session) for each in seat.powers}
        names = _names(session, own)
        not_yours = Sentence("phases.become.not_yours", said=said.who, own=names)
        return None if power in own else not_yours
    is_master = session.seat is not None and session.seat.role is Role.MASTER
    if session.became:
        return Sentence("phases.become.only_once")
    if not is_master:
        return Sentence("phases.become.for_master")
    return Sentence("phases.become.you_play") if plays_himself(session) else None


def _no_power(session: Session, who: str) -> Wording:
    if who.lower() in ("master", "gm", "moderator"):
        return Sentence("foreign.command.become_master")
    return (
        no_power(session.services.scenario(session.game), who) if session.game is not None else ""
    )


def _names(session: Session, powers: Collection[PowerId]) -> tuple[str, ...]:
    if session.game is None:
        return ()
    return tuple(map(Words(session.services.world(session.game)).power, sorted(powers)))


def own_seats(session: Session) -> Iterator[Seat]:
    """The players' seats of whoever sits where the signon was; that one first."""
    seat = session.seat
    if seat is None or session.game is None:
        return
    if seat.role is Role.PLAYER:
        yield seat
    for each in session.game.seats:
        is_his = each.person is not None and each.person == seat.person
        if is_his and each.role is Role.PLAYER and each.number != seat.number:
            yield each


def _power(session: Session, who: str) -> PowerId | None:
    """The power that is meant: the one that has the units of the named one (SET-24)."""
    if session.game is None:
        return None
    name = who.lower().removeprefix("the ")
    found = lexicon_of(session.services.scenario(session.game)).power(name)
    if not isinstance(found, str):
        return None
    situation = session.situation()
    return situation.leads(PowerId(found)) if situation is not None else PowerId(found)


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
