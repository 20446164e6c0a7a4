"""One mail being handled: who speaks, what has been changed so far, what the answer will say.

Nothing is written while a mail is handled; the worker writes the changes when it is over, or
throws them away and begins again.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from machjudge.language.vocabulary.lexicon import Lexicon, lexicon_of
from machjudge.letters.page.page import Stationery
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Proven
from machjudge.service.credentials.reply_tokens import Speaks, presented
from machjudge.service.game.names import Names
from machjudge.service.game.registry import clean_name, new_person
from machjudge.service.game.view import people_of
from machjudge.service.limits.guessing import Tries
from machjudge.service.model.records import (
    AddressStanding,
    Game,
    Notice,
    Person,
    PersonId,
    Role,
    Seat,
)
from machjudge.service.ports.claim import claim_of, where_to_answer
from machjudge.service.ports.stale import SenderNotKnownYet
from machjudge.service.session.game_in_hand import GameInHand

NOT_CONFIRMED = Sentence("session.not_confirmed")
"""Why a seat that waits for an answer does nothing yet."""


@dataclass(frozen=True, slots=True)
class Unsigned:
    """An anonymous text that is sent when the mail is over, if others hear of nothing else."""

    line: Line
    """The line of its command."""
    send: Callable[[], None]
    give_back: Callable[[], None]
    """Return the text to its writer."""


@dataclass(slots=True)
class Session(GameInHand):
    """The state of one conversation: a mail with its game, and who proves to have written it."""

    has_code: bool = False
    """Whether the mail answers a message of the judge, so that its reply code speaks."""
    proven: PersonId | None = None
    """Whom a proof without a seat shows to be the writer, or who was made by this mail."""
    confirmed_address: str = ""
    """An address that the answer to a message proves which nobody here has; else empty."""
    became: bool = False
    """Whether a master writes in the name of a player."""
    begins: bool = False
    """Whether somebody sat down at a seat that nobody held."""
    has_quit: bool = False
    """Whether a word ended the mail that may mean something else."""
    has_resigned: bool = False
    """Whether a seat was given up, which ends the mail."""
    has_written: bool = False
    """Whether press, postal press or an entry of a diary was among its lines."""
    answers_press: bool = False
    """Whether the mail answers press, so that its words go on and order nothing."""
    orders_in_press: tuple[str, ...] = ()
    """Lines of such words that look like orders or commands."""
    slips_looked_for: int = 0
    """For how many lines that are no orders an order was looked for that is like them."""
    missed: list[str] = field(default_factory=list)
    """Lines that their writer may have meant as orders, and that were not read."""
    wanted_language: str = ""
    """The language that a line of this mail sets, wherever it stands."""
    is_dry: bool = False
    """Whether nothing of this mail shall be stored."""
    unsigned: list[Unsigned] = field(default_factory=list)
    """Anonymous texts that wait for the end of the mail."""
    once_known: Callable[[], None] | None = None
    """What waits for the end of the mail, as a line below may register the writer."""
    mails_token: bool = False
    """Whether a token goes out that this mail has asked for."""
    is_locked: bool = False
    """Whether a password was not tried that came from an address on file of the seat."""
    waits: Person | None = None
    """Whose claimed address has to be confirmed by the answer to this mail's acknowledgement."""
    to_confirm: list[tuple[int, str, tuple[Wording, ...]]] = field(default_factory=list)
    """Changes of which the old address of a seat is told: its number, what, and more about it."""
    codes: Mapping[str, Speaks] = field(default_factory=dict)
    """The reply tokens of this mail."""
    speaks: tuple[Speaks, ...] = ()
    """What the reply tokens of this mail speak for, the surest first."""
    opened_by_token: bool = False
    """Whether a reply token has opened the seat."""
    moves_once_agreed: str = ""
    """What waits for an answer, and then brings the game to another phase."""
    answers_act: bool = False
    """Whether the mail answers the question about an act that waits."""
    check_sender: Callable[[], bool] = lambda: False
    """Whether the mail proves the address that it claims."""
    tries: Tries = field(init=False)
    """The passwords that this mail tries, as they are counted."""

    def __post_init__(self) -> None:
        """Count the tries of this mail."""
        self.tries = Tries(self.services.store, self.mail_id, self.now)

    # --- who speaks ---------------------------------------------------------------------------

    def hear_tokens(self, codes: Iterable[str]) -> None:
        """Take the reply tokens among *codes*; no answer and no log repeats one."""
        found = list(presented(self.services.secret, self.uow.reply_tokens, codes))
        self.secrets.update(code for code, _ in found)
        self.speaks = tuple(speaks for _, speaks in found)
        self.codes = dict(found)

    @property
    def is_verified(self) -> bool:
        """Whether the mail proves the address that it claims; asked for only where it matters."""
        try:
            return self.check_sender()
        except SenderNotKnownYet:
            return False

    @property
    def address(self) -> str:
        """The address that the mail claims to come from, in lower case; it is no proof."""
        claim = claim_of(self.mail)
        return claim.address if claim is not None else ""

    @property
    def answer_to(self) -> str:
        """Where the answer goes: the address in From, or another of the same person.

        A mail that came by a list, or names nobody, is answered where somebody is on file.
        """
        to = where_to_answer(self.mail, self.uow.persons)
        if to and not self.mail.by_list:
            return to
        opened, person = self._seat_of(self.opened_seat), self.person
        seat = (opened.address,) if opened is not None and opened.person is not None else ()
        on_file = (*seat, *(person.addresses if person is not None else ()))
        return to if to in on_file or not on_file else on_file[0]

    @property
    def claimant(self) -> Person | None:
        """Whose confirmed address stands in From.  That proves nothing: see `person`."""
        changed = self.changes.persons.values()
        own = (p for p in changed if p.is_confirmed and self.address in p.addresses)
        return next(own, None) or self.uow.persons.by_address(self.address)

    @property
    def person(self) -> Person | None:
        """Whoever has proved to be the writer; None if the mail only claims an address.

        Provisional where the mail has opened, or made, a seat that waits for an answer.
        """
        opened = self._seat_of(self.opened_seat)
        found = opened.person if opened is not None else self.proven
        if found is not None:
            return self.changes.persons.get(found) or self.uow.persons.get(found)
        return self.claimant if self.proof is Proven.SENDER else None

    @property
    def writers_seat(self) -> Seat | None:
        """The seat that the mail has opened by a proof; None where it waits for an answer."""
        seat = None if self.is_claim else self._seat_of(self.opened_seat)
        return seat if seat is not None and seat.person is not None else None

    @property
    def paper(self) -> Stationery:
        """The templates in the language of whoever sits at the seat, else of whoever wrote.

        One that the mail sets counts from its first line on, unless only its address tells whose
        language it would be.
        """
        sitting = self.seat.person if self.seat is not None else None
        known = None
        if sitting is not None:
            known = self.changes.persons.get(sitting) or self.uow.persons.get(sitting)
        reader = known or self.claimant
        language = reader.language if reader is not None else ""
        if self.wanted_language and (not language or self.person is not None):
            language = self.wanted_language
        return self.services.paper.of(language) if language else self.services.paper

    def lexicon(self, game: Game) -> Lexicon:
        """The names of a game's scenario, with those of the language of the answer."""
        return lexicon_of(self.services.scenario(game), self.paper.language)

    def known_by(self, person: Person) -> Person:
        """Somebody is known from here on by what this mail says of them, for what that is worth."""
        self.changes.persons[person.id] = person
        if self.opened_seat is None:
            self.proven = person.id
        return person

    def names(self) -> Names:
        """The names that others have, as far as whoever writes is concerned."""
        own = [each.id for each in (self.person, self.claimant) if each is not None]
        judge = self.services.judge
        return Names(self.services.atlas, judge.code, self.uow.persons.names(besides=own))

    def somebody_new(self, name: str) -> Person:
        """Somebody of that name under the claimed address; confirmed where the mail proves it."""
        address = self.confirmed_address or self.address
        person = new_person(self.services, address, name, self.now)
        is_sure = bool(self.confirmed_address) or (not person.is_confirmed and self.is_verified)
        return replace(person, standing=AddressStanding.CONFIRMED) if is_sure else person

    def person_or_new(self) -> Person | None:
        """Whoever writes; somebody new by the name in the mail, if it has one.

        A name that is not free costs nobody the seat: another one is found, and told.
        """
        person = self.person
        wanted = clean_name(self.mail.display_name)
        if person is None and wanted:
            name = self.names().nearest(wanted, self.address)
            person = self.known_by(self.somebody_new(name))
            if person.is_confirmed:
                self.done(Sentence("session.registered", name=person.name))
            if person.name != wanted:
                self.done(Sentence("session.name_not_free", wanted=wanted))
        return person

    def people(self, game: Game) -> dict[PersonId, Person]:
        """The people at a game, with those that this mail has registered."""
        return {**people_of(self.uow, game), **self.changes.persons}

    @property
    def proof(self) -> Proven:
        """The surest proof of the mail so far."""
        if self.is_claim:
            return Proven.UNCONFIRMED
        if self.has_code or self.opened_by_token:
            return Proven.TOKEN
        is_trusted = not self.services.judge.confirm and self.mail.is_in_from
        is_verified = is_trusted or self.is_verified
        if self.opened_seat is None:
            return Proven.SENDER if is_verified else Proven.NOTHING
        return Proven.BOTH if is_verified and self._is_from_its_owner else Proven.PASSWORD

    @property
    def _is_from_its_owner(self) -> bool:
        """Whether the mail claims an address of whoever sat at the open seat before it came."""
        opened = self._seat_of(self.opened_seat)
        found = opened.person if opened is not None and opened.person else self.proven
        person = self.uow.persons.get(found) if found is not None else None
        return person is not None and self.address in person.addresses

    def note(self, kind: str, text: Wording) -> None:
        """Add to the log of the game."""
        if self.game is not None:
            person = self.person
            by = person.id if person is not None and person.is_confirmed else None
            words = self.log_words(text)
            self.changes.notices.append(Notice(self.game.id, self.now, by, kind, words))


def not_approved(session: Session) -> Sentence | None:
    """Why orders from a seat do not count that waits for an answer, or for the master's approval.

    None if they do.
    """
    if session.is_claim:
        return NOT_CONFIRMED
    if session.seat is None or session.seat.approved or session.became:
        return None
    return Sentence("session.not_approved")


def too_old(session: Session) -> Sentence | None:
    """Orders for the phase before must not slip into this one, unless they name it.

    Nor may those of whoever is not approved.
    """
    if flaw := not_approved(session):
        return flaw
    game = session.game
    began = game.clock.began if game is not None and game.clock is not None else session.received
    if session.names_phase or session.received >= began:
        return None
    return Sentence("session.too_old")


def is_player(seat: Seat | None) -> bool:
    """Whether a seat is a player's."""
    return seat is not None and seat.role is Role.PLAYER
