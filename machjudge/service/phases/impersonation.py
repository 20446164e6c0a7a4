"""Speaking for another power in the same mail: a master for anybody, a player for their own."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Sweep
from machjudge.language.commands.commands import Become, NotACommand
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import seat_of
from machjudge.service.model.records import Role, Seat
from machjudge.service.phases.preview import plays_himself
from machjudge.service.session.audience import no_power
from machjudge.service.session.command import MASTERS, PLAYERS, PLAYING, RUNNING, CommandEntry
from machjudge.service.session.session import Session, is_player

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
