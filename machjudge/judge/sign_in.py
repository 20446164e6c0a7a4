"""Signing on with a password or token, and from whom a game takes mails."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache

import structlog

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.names import PowerId
from machjudge.judge import people
from machjudge.judge.changes import Changes
from machjudge.judge.commands import setting
from machjudge.judge.credentials import Token, TokenPurpose, hash_of
from machjudge.judge.faults import SenderNotKnownYet
from machjudge.judge.game_settings import Senders
from machjudge.judge.game_view import load, open_powers, people_of, zone_of
from machjudge.judge.limits import (
    OWNER,
    begin_try,
    blocked_until,
    is_free,
    key_of_owner,
    key_of_seat,
    keys_of_stranger,
    take_back,
)
from machjudge.judge.mail_context import LineParser, MailContext
from machjudge.judge.mails import KeptMail
from machjudge.judge.outgoing import announce_setting
from machjudge.judge.people import FORMING, MASTER, OBSERVER, is_called
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.records import Game, GameId, Role, Seat, Status
from machjudge.language.commands import (
    Diary,
    Join,
    NotACommand,
    NoteAction,
    PlainCommand,
    PostalPress,
    Press,
    Set,
    Setting,
    SignOn,
    name_in,
    spellings,
)
from machjudge.language.lexicon import lexicon_of
from machjudge.language.words import ParseError
from machjudge.mail_parser.lines import (
    Line,
    Mail,
    MailFlaw,
    Where,
    is_bare_salutation,
    takes_back,
)
from machjudge.translatable import Message

# What an answer to a question of the judge says: nothing, no, or something else. What says yes
# stands in ``mail_parser/lines.py``. An answer without words of its own says yes: most people who
# mean it send it so. Who wonders why they are asked writes words, and so does a machine that
# answers for somebody who is away: they agree only with a word for it. What is asked once more
# costs little; a seat that a stranger gets by an answer which meant something else costs a game.
_DENIAL = re.compile(
    r"\W*(?:no|nope)(?:,? (?:thanks|thank you|gracias|grazie))?\W*"
    r"|.*\b(?:not|wasn['’]?t) (?:me|mine)\b.*"
    r"|.*\bno (?:soy|fui|he sido|era) yo\b.*|.*\byo no (?:soy|fui|he sido|era)\b.*"
    r"|.*\bnon (?:sono|ero) (?:stat[oa] )?io\b.*|\W*no[n]? (?:yo|io)\W*",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(r"\b(?:reply|answer|contesta|responde|rispondi)\b", re.IGNORECASE)
"""A word of the judge's own message, which some programs quote without a mark."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_REPLIES = re.compile(r"\s*(?:[^\s:：]{1,12}\s?[:：]\s*)+")
_SAID = (Where.GREETING, Where.CLOSING)
_HIDES_NOTHING = frozenset(
    (
        MailFlaw.EMPTY,
        MailFlaw.ATTACHMENT,
        MailFlaw.QUOTE_CUT,
        MailFlaw.QUOTE_REST,
        MailFlaw.AFTER_QUOTE,
    )
)
"""Flaws of an answer that may be without words; all others may hide some."""
_AWAY = re.compile(
    r"\b(?:away|out of (?:the )?office|vacation|on (?:leave|holidays?)|assente|in ferie|"
    r"fuori ufficio|ausente|de vacaciones|fuera de la oficina)\b",
    re.IGNORECASE,
)
_DECORATION = re.compile(
    r"image/|signature|calendar|\.(?:png|jpe?g|gif|bmp|svg|webp|vcf|ics|p7s|asc)$", re.IGNORECASE
)
"""A file without a message: a logo, a signature, a card."""


def own_words(mail: Mail) -> Iterator[str]:
    """Return the lines of an answer with words: no press, no mere salutations."""
    said = [(line.number, line.text) for line in mail.lines if not line.is_press]
    said += [(each.number, each.text) for each in mail.skipped if each.where in _SAID]
    name = set(_WORD.findall(mail.display_name.lower()))
    return (
        text
        for _, text in sorted(said)
        if not is_bare_salutation(text) and not name.issuperset(_WORD.findall(text.lower()) or "?")
    )


def is_wordless(mail: Mail) -> bool:
    """Return True if an answer has no words, no subject of its own and no unreadable part."""
    subject = _REPLIES.sub("", mail.subject, count=1)
    is_hidden = not _HIDES_NOTHING.issuperset(defect.flaw for defect in mail.defects)
    is_hidden |= not all(map(_DECORATION.search, mail.attachments))
    signed = (each.text for each in mail.skipped if each.where is Where.SIGNATURE)
    is_away = any(map(_AWAY.search, signed))
    says_no = subject == mail.subject and takes_back(subject)
    further = (each.text for each in mail.skipped if each.where is Where.FURTHER)
    is_silent = next(own_words(mail), None) is None and all(map(is_bare_salutation, further))
    return is_silent and not (is_hidden or is_away or says_no)


def denies(mail: Mail) -> bool:
    """Return True if a line says that another person sent the mail."""
    return any(
        _DENIAL.fullmatch(text) and not _INSTRUCTION.search(text) for text in own_words(mail)
    )


# The lock of a seat: what opens it, and how often one may try. Wrong passwords are counted for
# the sender, the seat and the game; who writes from an address on file of the seat is counted
# apart, so that strangers cannot lock them out. A token works whatever has been tried, and
# whatever opens a seat ends the wait of its owner.
log = structlog.get_logger(__name__)


def unlock(context: MailContext, name: str, letter: str, password: str) -> Seat | None:
    """Return the seat of a password or a token at a game; count and log a wrong one."""
    game = context.find_game(name)
    if game is not None:
        # All of them are asked for below, one after the other.
        people_of(context.uow, game)
    seat = _remembered(context, game, letter, password)
    seat = seat or by_token(context, game, letter, password)
    if seat is not None:
        return seat
    keys = _counted(context, name, letter)
    if keys is None:
        log.warning("signon.blocked", mail=context.mail_id, game=_id_of(game))
        return None
    own = _own_seat(context, game, letter) if game is not None else None
    seat = people.open_seat(context.services, game, letter, password, own)
    if seat is None or game is None:
        log.warning("signon.refused", mail=context.mail_id, game=_id_of(game))
        return None
    take_back(context, keys, _keys_of(game, seat))
    return seat


def _remembered(context: MailContext, game: Game | None, letter: str, password: str) -> Seat | None:
    """The seat of a recently verified password, which is no guess and not counted.

    None while wrong ones are counted, which a right one has to end.
    """
    own = _own_seat(context, game, letter) if game is not None else None
    seat = people.remembered_seat(context.services, game, letter, password, own)
    if seat is None or game is None:
        return None
    keys = {*_keys(context, game.id, letter), *_keys_of(game, seat)}
    return seat if is_free(context, keys) else None


def _counted(context: MailContext, name: str, letter: str) -> tuple[str, ...] | None:
    """Count a try and return its keys; None if no try is allowed.

    A mail that is surely the owner's has a counter that no forged one fills.
    """
    keys = _keys(context, name, letter)
    if begin_try(context, keys) is None:
        return keys
    context.writer.is_locked = keys[0].startswith(OWNER)
    if not context.writer.is_locked or not context.writer.is_verified:
        return None
    own = (f"{keys[0]}/sure",)
    context.writer.is_locked = begin_try(context, own) is not None
    return None if context.writer.is_locked else own


def may_try(context: MailContext, name: str, letter: str) -> bool:
    """Count a try of a password that is compared elsewhere; return False if it is not allowed."""
    return begin_try(context, _keys(context, name, letter)) is None


def why_not(context: MailContext, name: str, letter: str) -> Message:
    """Return why a signon failed: that it is wrong, or until when tries are blocked."""
    with context.services.store.reading() as uow:
        until = blocked_until(uow.counts, _keys(context, name, letter), context.now)
    if until is None:
        return people.NOT_OPENED
    zone = zone_of(context.services, context.person)
    return Message("identity.too_many_passwords", until=until, zone=zone)


def _id_of(game: Game | None) -> str | None:
    return game.id if game is not None else None


# --- tries -----------------------------------------------------------------------------------


def _keys(context: MailContext, name: str, letter: str) -> tuple[str, ...]:
    """The counters of tries: of the seat's owner, or else of sender, seat and game."""
    game = context.find_game(name)
    seat = _own_seat(context, game, letter) if game is not None else None
    if game is not None and seat is not None:
        return (key_of_owner(game.id, seat.number),)
    return keys_of_stranger(context.address, name, letter)


def _own_seat(context: MailContext, game: Game, letter: str) -> Seat | None:
    called = (seat for seat in game.seats if seat.person is not None and is_called(seat, letter))
    return next((seat for seat in called if context.address in addresses_of(context, seat)), None)


def addresses_of(context: MailContext, seat: Seat) -> tuple[str, ...]:
    """Return the addresses on file of a seat's holder."""
    person = context.uow.persons.get(seat.person) if seat.person is not None else None
    return (seat.address, *(person.addresses if person is not None else ()))


def _keys_of(game: Game, seat: Seat) -> Collection[str]:
    """The counter of one seat; observers share theirs, so that it stays."""
    letters = {
        Role.PLAYER: (*seat.powers, people.FORMING),
        Role.MASTER: (people.MASTER,),
        Role.OBSERVER: (),
    }
    shared = {key_of_seat(game.id, letter) for letter in letters[seat.role]}
    return {key_of_owner(game.id, seat.number), *shared}


# --- tokens ----------------------------------------------------------------------------------


def by_token(context: MailContext, game: Game | None, letter: str, text: str) -> Seat | None:
    """Return the seat of a token, from any address and despite earlier wrong ones."""
    found = (context.uow.tokens.token(hash_of(each)) for each in spellings(text))
    token = next((each for each in found if each is not None), None)
    if game is None or token is None or not _is_good(context, token) or token.game != game.id:
        return None
    for seat in game.seats:
        if (seat.number, seat.person) == (token.seat, token.person) and is_called(seat, letter):
            return _opened(context, seat, token, game)
    return None


def _is_good(context: MailContext, token: Token) -> bool:
    is_used = token.hashed in context.changes.used
    return token.purpose is not TokenPurpose.LINK and not is_used and context.received < token.until


def _opened(context: MailContext, seat: Seat, token: Token, game: Game) -> Seat:
    context.changes.used.add(token.hashed)
    take_back(context, (), _keys_of(game, seat))
    context.done(Message("identity.token.opened", game=game.name))
    if token.purpose is not TokenPurpose.UNDO or seat.address == token.address:
        return seat
    context.done(Message("identity.token.address_back", address=token.address))
    return replace(seat, address=token.address)


# Which seat a signon means, and what it may have meant where it opens none. Hints are made from
# what was typed and from the games that everybody can list, and from nothing else: an unlisted
# game looks like one that does not exist.
ScenarioOf = Callable[[str], Scenario | None]
"""The scenario of the game of a name; None if there is no such game."""

_ROLES = {
    "master": MASTER,
    "gm": MASTER,
    "moderator": MASTER,
    "observer": OBSERVER,
    "watcher": OBSERVER,
}
_LONGEST_GAME = 20
_LONGEST_WORD = 40
_LEAST_NAME = 3
_LIKE = 0.75
_MAX_NAMED = 8


@dataclass(frozen=True, slots=True)
class Hint:
    """Help for a line that opened nothing."""

    reason: Message | None = None
    instead: Message | None = None


# --- what is meant ---------------------------------------------------------------------------


def seat_letter(scenario: Scenario, seat: str) -> str:
    """Return the letter of a seat, perhaps named in full; empty if there is none."""
    if len(seat) == 1:
        return seat.upper()
    found = lexicon_of(scenario).power(seat.lower())
    return _ROLES.get(seat.lower()) or (found if isinstance(found, str) else "")


def meant(said: SignOn, scenario_of: ScenarioOf) -> SignOn:
    """Return the first reading of a signon with an existing game and seat; else the likeliest."""
    for reading in _readings(said):
        scenario = scenario_of(reading.game)
        if scenario is not None and seat_letter(scenario, reading.seat):
            return reading
    return said


def scenario_named(services: Services, uow: UnitOfWork, name: str) -> Scenario | None:
    """Return the scenario of the game of a name; None if there is no such game."""
    game = uow.games.get(GameId(name.lower()))
    return services.scenario(game) if game is not None else None


def named_game(said: Join, is_game: Callable[[str], bool]) -> Join:
    """Split ``? borgia tulip9`` into game and password, if that game exists."""
    if said.game or not said.wishes or not is_game(name_in(said.password)):
        return said
    password, *wishes = said.wishes
    return Join(name_in(said.password), password, tuple(wishes))


def _readings(said: SignOn) -> Iterator[SignOn]:
    """The possible readings of a signon, a power's name joined to the game last."""
    yield said
    yield from said.others
    word = said.seat + said.game
    if len(said.seat) == 1 and len(word) <= _LONGEST_WORD:
        for end in range(max(_LEAST_NAME, len(word) - _LONGEST_GAME), len(word)):
            yield SignOn(word[:end], word[end:], said.password, said.rest)


def rest_of_line(lines: LineParser, said: SignOn | Join) -> str:
    """Return the line behind a password; of a newcomer's words only a command."""
    if isinstance(said, SignOn):
        return said.rest
    text = " ".join(said.wishes)
    command = lines.command_in(text)
    return "" if isinstance(command, NotACommand | ParseError) else text


def begins_text(lines: LineParser, line: str) -> bool:
    """Return True if the lines below belong to a line, which cannot follow a password then."""
    match lines.command_in(line):
        case (
            PlainCommand(name="register")
            | Press()
            | PostalPress(act=NoteAction.RECORD)
            | Diary(act=NoteAction.RECORD)
        ):
            return True
        case Set(settings=settings):
            return any(each.value[:1] and each.key == "comment" for each in settings)
        case _:
            return False


# --- what helps ------------------------------------------------------------------------------


def hint_for_seat(context: MailContext, said: SignOn) -> Hint:
    """Return what a signon that opened no seat may have meant."""
    games = _public(context)
    game = games.get(said.game.lower())
    if game is not None:
        return _of_public_game(context, game, said)
    whole = games.get((said.seat + said.game).lower())
    if whole is not None:
        letter = "?" if whole.status is Status.FORMING else "L"
        return Hint(Message("identity.signon.letter_first"), _signon(letter, whole))
    near = _nearest(said.game, games)
    return Hint(instead=_signon(said.seat, near)) if near is not None else Hint()


def _of_public_game(context: MailContext, game: Game, said: SignOn) -> Hint:
    letter = seat_letter(context.services.scenario(game), said.seat)
    if letter == OBSERVER:
        return Hint(Message("identity.signon.observe"), _observe(game))
    if game.position is not None:
        lead = load(context.services, context.uow, game).leads(PowerId(letter))
        has_units = Message("identity.signon.has_units", lead=lead, power=letter)
        return Hint(has_units, _signon(lead, game)) if lead != letter else Hint()
    if game.status is not Status.FORMING or letter == MASTER:
        return Hint()
    return Hint(Message("identity.signon.not_begun", game=game.name), _signon(FORMING, game))


def hint_for_newcomer(context: MailContext, name: str) -> Hint:
    """Return what a failed JOIN may have meant."""
    games = _public(context)
    game = games.get(name.lower())
    if game is not None:
        empty = open_powers(context.services, context.uow, game)
        reason = Message("identity.signon.has_begun", game=game.name, empty=empty)
        return Hint(reason, _signon(empty[0], game) if empty else None)
    forming = {key: each for key, each in games.items() if each.status is Status.FORMING}
    near = _nearest(name, forming)
    if near is not None:
        return Hint(instead=_signon(FORMING, near))
    names = ", ".join([each.name for each in forming.values()][:_MAX_NAMED])
    return Hint(Message("identity.signon.forming_now", names=names))


def hint_for_watcher(context: MailContext, name: str) -> Hint:
    """Return what OBSERVE of an unknown game may have meant."""
    near = _nearest(name, _public(context))
    return Hint(instead=_observe(near)) if near is not None else Hint()


def hint_for_reader(context: MailContext, name: str, command: str) -> str | None:
    """Return the line with the game that a question may have meant."""
    near = _nearest(name, _public(context))
    return f"{command} {near.name}" if near is not None else None


def _signon(letter: str, game: Game) -> Message:
    return Message("identity.signon.line", letter=letter, game=game.name)


def _observe(game: Game) -> Message:
    return Message("identity.signon.observe_line", game=game.name)


def _public(context: MailContext) -> dict[str, Game]:
    games = context.uow.games.unfinished()
    return {game.id: game for game in games if game.is_confirmed and game.settings.listed}


def _nearest(name: str, games: dict[str, Game]) -> Game | None:
    near = get_close_matches(name.lower(), games, n=1, cutoff=_LIKE)
    return games[near[0]] if near else None


PATIENCE = timedelta(minutes=10)
"""How long a mail waits for the check of its sender."""


def turned_away(context: MailContext, line: Line | None, done: int = 0) -> bool:
    """Leave the opened seat if the game takes no such mail; return True if so.

    :param line: the line that has opened it; None for a reply code.
    :param done: how many lines of the answer stood there before.
    """
    flaw = _flaw(context)
    if flaw is None:
        return False
    context.changes = Changes(persons=context.changes.persons)
    context.seat_number = context.opened_seat = context.speaking_for = context.current = None
    context.writer.opened_by_token = context.writer.answers_act = False
    context.messages, context.at_end.to_confirm = [], []
    del context.answer.done[done:]
    context.answer.verdict.clear()
    if line is not None:
        context.refuse_all(line, flaw)
    else:
        context.answer.verdict.append(Message("identity.sender.turned_away", why=flaw))
        context.progress.is_closed = True
    return True


def _flaw(context: MailContext) -> Message | None:
    """Why the mail may not speak for the open seat; a seat taken with the mail is allowed."""
    read, number = context.changes.read, context.opened_seat
    seats = read.seats if read is not None else ()
    before = next((seat for seat in seats if seat.number == number), None)
    game, now = context.game, context.seat
    if read is None or before is None or game is None or now is None:
        return None
    if now.person != before.holder:
        return None
    return why_not_from(context, game.settings.sender, now)


def why_not_from(context: MailContext, senders: Senders, seat: Seat) -> Message | None:
    """Return why the sender of a mail may not speak for a seat; None if they may."""
    match senders:
        case Senders.ANY:
            may = True
        case Senders.KNOWN:
            may = context.address in addresses_of(context, seat)
        case Senders.VERIFIED:
            may = context.address in addresses_of(context, seat) and context.writer.check_sender()
    return None if may else Message(f"identity.sender.not_{senders.value}")


def sender_check(
    services: Services, uow: UnitOfWork, kept: KeptMail, address: str, now: datetime
) -> Callable[[], bool]:
    """Return the test whether a mail proves *address*.

    A mail proves it once, as a repeated one may have been resubmitted by a reader.  It raises
    SenderNotKnownYet for some minutes without a result; then nothing is proved.
    """

    @cache
    def is_verified() -> bool:
        try:
            is_signed = services.senders.is_verified(kept.raw, address, kept.received)
        except SenderNotKnownYet:
            if now < kept.received + PATIENCE:
                raise
            return False
        return is_signed and not uow.inbox.has_come_before(kept)

    return is_verified


@setting("sender", also=("set senders",))
def set_sender(context: MailContext, line: Line, said: Setting) -> None:
    """Set from whom the game takes mails; the master's own mail must be allowed."""
    game, seat = context.game, context.seat
    word = said.value[0].lower() if said.on and said.value else Senders.ANY.value
    wanted = next((each for each in Senders if each.value == word), None)
    if game is None or seat is None:
        return
    if wanted is None:
        context.refuse(line, Message("identity.sender.words"), instead="SET SENDER KNOWN")
    elif why_not_from(context, wanted, seat) is not None:
        context.refuse(line, Message("identity.sender.not_you", word=word))
    else:
        changed = replace(game, settings=replace(game.settings, sender=wanted))
        context.set_game(changed)
        says = Message(f"identity.sender.{wanted.value}")
        context.done(says)
        if wanted is not game.settings.sender:
            context.note("sender", wanted.value)
            announce_setting(context, changed, [Message("identity.sender.set", says=says)])
