"""The lists of those who may join a game, and of those who may not: ``set allow``, ``set deny``.

An entry is an address, a pattern, or a person who is named.  Addresses are shown to the masters
alone.
"""

from dataclasses import dataclass, replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.invitations import is_by_invitation
from machjudge.service.model.records import Person, PersonId
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.people_meant import person_meant
from machjudge.service.session.session import Session


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a master writes on a list or takes from it."""

    text: str
    """An address or a pattern in small letters; empty for somebody who was named."""
    person: Person | None
    """Who it is; None for a pattern, or an address that nobody is known by."""
    shown: str
    """How the master is told of it; empty for the whole list."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What goes from a list: the text itself; of somebody who was named, each address."""
        if self.text or self.person is None:
            return (self.text,)
        return self.person.addresses


def set_allowed(session: Session, line: Line, said: Setting) -> None:
    """Invite somebody, or let them in again; without a name show the list.

    From the first invitation on, only the invited may join.
    """
    entry = _entry(session, line, said)
    if entry is None or session.game is None:
        return
    conduct = changed = session.game.conduct
    if _is_taken_off(said):
        changed = _not_invited(conduct, entry)
        if entry.shown and changed == conduct:
            session.done(Sentence("setup.guests.not_invited", who=entry.shown))
    elif entry.shown:
        changed = _let_in(session, conduct, entry)
    _save(session, changed)
    session.done(_invited(session, changed))


SET_ALLOW_PLAYER = CommandEntry(
    "set allow player",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_allowed,
    setting="allow player",
)


def set_denied(session: Session, line: Line, said: Setting) -> None:
    """Keep somebody out of the game; without a name show the list."""
    entry = _entry(session, line, said)
    if entry is None or session.game is None:
        return
    conduct = changed = session.game.conduct
    if _is_taken_off(said):
        changed = _not_denied(conduct, entry)
        if entry.shown and changed == conduct:
            session.done(Sentence("setup.guests.not_kept_out", who=entry.shown))
    elif entry.shown:
        changed = _denied(conduct, entry)
        _tell_of_seats(session, entry)
    _save(session, changed)
    session.done(_kept_out(session, changed))


SET_DENY_PLAYER = CommandEntry(
    "set deny player",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_denied,
    setting="deny player",
)


def _invited(session: Session, conduct: Conduct) -> Sentence:
    """Who is invited, for a master."""
    names = (*_names(session, conduct.invited), *conduct.allowed)
    return Sentence("setup.guests.invited", are_few=is_by_invitation(conduct), names=names)


def _kept_out(session: Session, conduct: Conduct) -> Sentence:
    """Who is kept out, for a master."""
    names = (*_names(session, conduct.shut_out), *conduct.denied)
    return Sentence("setup.guests.kept_out", names=names)


# --- the entry -------------------------------------------------------------------------------


def _is_taken_off(said: Setting) -> bool:
    return not said.on or " ".join(said.value).startswith("-")


def _entry(session: Session, line: Line, said: Setting) -> _Entry | None:
    """Whom the words mean; without words, everybody on the list.  Refuses what means nobody."""
    who = " ".join(said.value).removeprefix("-").strip()
    if not who:
        return _Entry("", None, "")
    person = person_meant(session, who)
    if "@" in who or "*" in who:
        known = None if isinstance(person, Sentence) else person
        return _Entry(who.lower(), known, who.lower())
    if isinstance(person, Sentence):
        session.refuse(line, Sentence("session.or_pattern", why=person))
        return None
    return _Entry("", person, person.name)


# --- the lists -------------------------------------------------------------------------------


def let_in_again(conduct: Conduct, person: Person) -> Conduct:
    """Somebody is shut out no longer."""
    return replace(conduct, shut_out=_without(conduct.shut_out, person.id))


def shut_out(conduct: Conduct, person: PersonId) -> Conduct:
    """Somebody stays out, whatever address they write from, and is invited no more."""
    invited = _without(conduct.invited, person)
    return replace(conduct, invited=invited, shut_out=_with(conduct.shut_out, person))


def _let_in(session: Session, conduct: Conduct, entry: _Entry) -> Conduct:
    """Take somebody from the list of those kept out; where there is a list, invite them as well.

    In a game that is open to all, the first would otherwise close it to everybody else.
    """
    freed = _not_denied(conduct, entry)
    if freed != conduct:
        session.done(Sentence("setup.guests.let_in", who=entry.shown))
        if not is_by_invitation(conduct):
            return freed
    if entry.text:
        return replace(freed, allowed=_with(freed.allowed, entry.text))
    person = entry.person.id if entry.person is not None else ""
    return replace(freed, invited=_with(freed.invited, person))


def _not_invited(conduct: Conduct, entry: _Entry) -> Conduct:
    if not entry.shown:
        return replace(conduct, allowed=(), invited=())
    invited = _without(conduct.invited, entry.person.id) if entry.person else conduct.invited
    return replace(conduct, allowed=_without(conduct.allowed, *entry.texts), invited=invited)


def _denied(conduct: Conduct, entry: _Entry) -> Conduct:
    if entry.text:
        return replace(conduct, denied=_with(conduct.denied, entry.text))
    return shut_out(conduct, entry.person.id) if entry.person is not None else conduct


def _not_denied(conduct: Conduct, entry: _Entry) -> Conduct:
    if not entry.shown:
        return replace(conduct, denied=(), shut_out=())
    freed = let_in_again(conduct, entry.person) if entry.person is not None else conduct
    return replace(freed, denied=_without(freed.denied, *entry.texts))


def _with(entries: tuple[str, ...], one: str) -> tuple[str, ...]:
    return tuple(sorted({*entries, one}))


def _without(entries: tuple[str, ...], *those: str) -> tuple[str, ...]:
    return tuple(each for each in entries if each not in those)


# --- what is said ----------------------------------------------------------------------------


def _save(session: Session, conduct: Conduct) -> None:
    if session.game is None or conduct == session.game.conduct:
        return
    session.set_game(replace(session.game, conduct=conduct))
    invited = len(conduct.allowed) + len(conduct.invited)
    denied = len(conduct.denied) + len(conduct.shut_out)
    # The log is shown to the players in the end, and addresses are nobody's affair.
    session.note("invitations", Sentence("setup.guests.noted", invited=invited, denied=denied))


def _tell_of_seats(session: Session, entry: _Entry) -> None:
    """Somebody who sits at the game already keeps the seat."""
    game, person = session.game, entry.person
    if game is None or person is None:
        return
    held = [seat for seat in game.seats if seat.person == person.id]
    if held:
        first = next((power for seat in held for power in seat.powers), person.name)
        session.done(Sentence("setup.guests.has_seat", name=person.name, seat=first))


def _names(session: Session, people: tuple[str, ...]) -> list[str]:
    """The names of people by their tokens."""
    found = (session.uow.persons.get(PersonId(each)) for each in people)
    return sorted(person.name for person in found if person is not None)


def guest_lines(session: Session) -> list[Sentence]:
    """Both lists of the game, as far as there is something on them, for a master."""
    if session.game is None:
        return []
    conduct = session.game.conduct
    lines = []
    if is_by_invitation(conduct):
        lines.append(_invited(session, conduct))
    if conduct.denied or conduct.shut_out:
        lines.append(_kept_out(session, conduct))
    return lines
