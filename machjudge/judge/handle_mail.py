"""The answer to a mail as letters: to its sender, and to the seat in whose name they wrote."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from machjudge.adjudicator.names import PowerId
from machjudge.judge import confirmation, press, rows, seats, sign_in
from machjudge.judge.changes import token_of
from machjudge.judge.command_table import entries_for, entry_of_setting
from machjudge.judge.confirmation import (
    REGISTER,
    code_for,
    confirm_changes,
    is_from_address_on_file,
    register,
    signon_for,
    waiting_words,
    why_not_yet,
)
from machjudge.judge.credentials import (
    LABEL,
    Act,
    ActToken,
    AddressToken,
    JudgeSecret,
    PressToken,
    SeatToken,
    Speaks,
    Verdict,
    hash_of,
    presented,
    verdict,
    without_codes,
)
from machjudge.judge.game_view import GameView, completeness_of, numbers, reader_of
from machjudge.judge.limits import TOO_MANY, TooManyPasswords
from machjudge.judge.mail_context import (
    ASKING,
    Caller,
    CommandEntry,
    Session,
    is_player,
    redacted,
    tell_unread,
)
from machjudge.judge.mails import Attachment, KeptMail, Outgoing, in_language, paged
from machjudge.judge.mastering import own_seats, parted_by_power
from machjudge.judge.order_lines import OrderDraft
from machjudge.judge.order_sets import filed
from machjudge.judge.outgoing import Addressee, Answered, answered, head_of, sight_of
from machjudge.judge.pictures import pictures_of_orders
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.postal_press import waiting_lines
from machjudge.judge.questions import SETTINGS, answer_questions, begins_press
from machjudge.judge.records import Game, GameId, Role, Seat
from machjudge.judge.rows import (
    DRY,
    MOST_ERRORS,
    NOT_IN_DRY_MAILS,
    SAYS,
    TOO_MANY_ERRORS,
    Heard,
    Leftovers,
    Search,
    commands_of,
    file_orders,
    hide_signon,
    is_about_orders,
    is_courteous,
    is_harmless,
    kind_of,
    questions_within,
    refuse_problem,
    refuse_unknown,
    says_nothing,
    stop,
    take_form,
    tell_cut,
)
from machjudge.judge.seats import hear_answer, set_house_rules
from machjudge.judge.set_handlers import language_set_by
from machjudge.judge.setup import for_beginner
from machjudge.judge.sign_in import begins_text, is_called, rest_of_line
from machjudge.language.commands import (
    Become,
    Clear,
    Command,
    Create,
    Diary,
    Join,
    NotACommand,
    NoteAction,
    Observe,
    PlainCommand,
    PostalPress,
    Press,
    Restore,
    Set,
    SignOff,
    SignOn,
    spellings,
)
from machjudge.language.settings import takes_nothing
from machjudge.language.words import Problem, wish_of
from machjudge.mail_parser.lines import Line, LineKind, Mail
from machjudge.mail_parser.secrets import REDACTED, codes_in, lines_of_codes
from machjudge.messages.render import Head, Page, Reader, Stationery
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.sentence import Sentence, Wording, joined

Opening = SignOn | Join | Observe | Create

_CODE_LINE = re.compile(rf"\W*(?:{LABEL})?\W*(?:r\.)?{re.escape(REDACTED)}\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenedSeat:
    """A seat at a game."""

    game: Game
    seat: Seat


def without_code_lines(mail: Mail) -> Mail:
    """The mail without lines that are nothing but a reply code: they say nothing else.

    Nor are those that are nothing but a piece of one.
    """
    blotted = lines_of_codes([line.text for line in mail.lines])
    lines = tuple(
        line
        for line, left in zip(mail.lines, blotted, strict=True)
        if left == line.text or not _CODE_LINE.fullmatch(left)
    )
    return mail if len(lines) == len(mail.lines) else mail.with_lines(lines)


def codes_of(kept: KeptMail, mail: Mail) -> list[str]:
    """What may be reply tokens in a mail: in the address it was sent to, then in the mail."""
    return list(dict.fromkeys([*codes_in(kept.recipients), *mail.codes]))


def game_answered(
    secret: JudgeSecret, uow: UnitOfWork, kept: KeptMail, mail: Mail
) -> GameId | None:
    """The game whose seat the reply tokens of a mail speak for."""
    found = presented(secret, uow.reply_tokens, codes_of(kept, mail))
    return _game_of(uow, tuple(speaks for _, speaks in found))


def _game_of(uow: UnitOfWork, speaks: tuple[Speaks, ...]) -> GameId | None:
    """The game that tokens speak for: that of the first seat or waiting act."""
    for each in speaks:
        match each:
            case SeatToken(game=game):
                return game
            case ActToken(act):
                waiting = uow.acts.get(act)
                return waiting.game if waiting is not None else None
            case AddressToken():
                continue
    return None


def open_by_token(session: Session) -> None:
    """Speak from the seat that the mail's token opens, unless the mail opens another one itself."""
    place = _opened(session)
    command = _first_opening(session)
    if place is None:
        return
    if command is not None and not _means(session, command, place):
        # It still proves who writes: another seat is theirs at once.
        session.proven, session.has_code = place.seat.person, True
        return
    session.enter(place.game, place.seat)
    session.opened_by_token = True
    if isinstance(command, SignOn):
        letter = seats.named_letter(session, seats.as_meant(session, command))
        session.speak_from(place.seat.number, PowerId(letter))


def press_answered(session: Session) -> PressToken | None:
    """The token of the press that a mail answers, unless it signs on like any other mail."""
    if not session.opened_by_token or _first_opening(session) is not None:
        return None
    surest = next((each for each in session.speaks if isinstance(each, SeatToken)), None)
    return surest if isinstance(surest, PressToken) else None


def is_open(session: Session, command: object) -> bool:
    """Whether a command opens the very seat that a token has opened already."""
    if not session.opened_by_token or session.became or not isinstance(command, Opening):
        return False
    game, seat = session.game, session.seat
    return (
        game is not None and seat is not None and _means(session, command, OpenedSeat(game, seat))
    )


def tell_why_not(session: Session) -> None:
    """Say why the token of a mail opened no seat, where nothing else has opened one."""
    known = signon_for(session)
    if session.game is None and known is not None and _opened(session) is None:
        seat, game = known
        session.answer.verdict.append(Sentence("intake.old_code", seat=seat, game=game.name))


def _opened(session: Session) -> OpenedSeat | None:
    """The seat that the surest good token opens."""
    return place_opened(session.speaks, session.find_game)


def place_opened(
    speaks: Iterable[Speaks], find_game: Callable[[str], Game | None]
) -> OpenedSeat | None:
    """The seat that the first good token among some opens; None if none of them opens one."""
    tokens = (each for each in speaks if isinstance(each, SeatToken))
    places = (_place_of(each, find_game(each.game)) for each in tokens)
    return next((place for place in places if place is not None), None)


def _place_of(token: SeatToken, game: Game | None) -> OpenedSeat | None:
    """The seat of a token, as long as the token is of its generation and somebody holds it."""
    for seat in game.seats if game is not None else ():
        is_it = (seat.number, seat.generation) == (token.seat, token.generation)
        if game is not None and is_it and seat.person is not None:
            return OpenedSeat(game, seat)
    return None


def _first_opening(session: Session) -> Opening | None:
    """The first command of a mail that opens a seat."""
    for line in session.mail.instructions:
        command = None if is_courteous(line) else session.said.command(line)
        if isinstance(command, SignOff):
            return None
        if isinstance(command, Opening):
            return command
    return None


def _means(session: Session, command: Opening, place: OpenedSeat) -> bool:
    """Whether a command opens that seat, and not with a token of its own, which does more."""
    match command:
        case SignOn():
            said = seats.as_meant(session, command)
            is_it = said.game.lower() == place.game.id
            is_it = is_it and is_called(place.seat, seats.named_letter(session, said))
        case Join(game=name):
            is_it = (name.lower(), Role.PLAYER) == (place.game.id, place.seat.role)
        case Observe(game=name):
            is_it = (name.lower(), Role.OBSERVER) == (place.game.id, place.seat.role)
        case Create():
            return False
    return is_it and not _is_token(session, command.password)


def _is_token(session: Session, text: str) -> bool:
    return any(session.uow.keys.token(hash_of(each)) is not None for each in spellings(text))


def answer_letters(session: Session) -> list[Outgoing]:
    """The answer to the sender; a copy to the seat's address of record where that is another."""
    to = session.answer_to
    seat = session.seat
    owner = seat.address if seat is not None and seat.person is not None else to
    situation, reader = session.situation(), _reader(session)
    _judge_orders(session, situation, reader)
    session.answer.verdict += waiting_words(session)
    _tell_overlooked(session)
    page = _page(session, situation, reader, _writer(session) if owner != to else "")
    # Whoever's registration was changed is told as well, wherever the answer goes.
    known = [person for person in session.changes.persons.values() if person.is_confirmed]
    changed = (person.addresses[0] for person in known)
    addresses = dict.fromkeys((to, owner, *changed))
    return [_letter(session, address, page) for address in addresses if address]


def _writer(session: Session) -> Wording:
    """From whom the mail came, for the seat's owner; a master's address is their own affair."""
    if not session.became or session.power is None or session.game is None:
        return session.address
    power = Words(session.services.world(session.game)).power(session.power)
    return Sentence("intake.master_as", power=power)


def _letter(session: Session, address: str, page: Page) -> Outgoing:
    about = session.game.id if session.game is not None and session.seat is not None else None
    letter, language = paged(address, page, about), session.paper.language
    return replace(
        letter,
        answers=session.mail.message_id,
        references=without_codes(session.mail.references),
        reply=(reply := _reply(session, address, page)),
        takes_token=reply is not None,
        attachments=(
            *letter.attachments,
            *(
                Attachment(file.name, in_language(file.media_type, language), file.content)
                for file in dict.fromkeys(session.answer.files)
            ),
        ),
    )


def _reply(session: Session, address: str, page: Page) -> Speaks | None:
    """For what an answer speaks: the seat that spoke, if the address is on file for it.

    Without a seat, for the address.
    """
    game, seat = session.game, session.seat
    if game is None or seat is None or session.is_claim:
        return code_for(session, address)
    owner = session.people(game).get(seat.person) if seat.person is not None else None
    on_file = (seat.address, *(owner.addresses if owner is not None else ()))
    return token_of(game, seat, page.phase) if address in on_file else None


def _judge_orders(session: Session, situation: GameView | None, reader: Reader) -> None:
    """Verdict and order set, for whoever has a seat at a running game."""
    seat, answer = session.seat, session.answer
    if situation is None or seat is None or session.is_claim:
        return
    if seat.person is None and not session.became:
        return
    seats = [seat] if session.became or seat.role is not Role.PLAYER else list(own_seats(session))
    if _shows_orders(session):
        _show_orders(session, situation, sight_of(situation.game, seats), reader)
    if seat.role is Role.PLAYER:
        for each in seats:
            answer.verdict += completeness_of(
                situation, each, answer.errors, session.now, is_dry=session.is_dry
            )
            if _shows_orders(session) and not session.is_dry:
                answer.numbers += numbers(situation, each)
        answer.verdict += _late(session, situation, reader)
        if answer.warnings:
            answer.verdict.append(Sentence("intake.warned", n=len(answer.warnings)))


def _show_orders(session: Session, everything: GameView, sight: Sight, reader: Reader) -> None:
    """What is on file, as far as it may be seen; players get a picture of it, too."""
    situation = everything.seen_by(sight)
    answer, shown = session.answer, filed(situation, sight)
    answer.orders, answer.money = [*shown.orders], [*shown.money]
    answer.warnings = [*shown.warnings]
    answer.notices += shown.notices
    answer.later = [*shown.later]
    if sight.powers and reader.pictures:
        answer.pictures = pictures_of_orders(session.services, situation, sight)


def _shows_orders(session: Session) -> bool:
    """Whether the answer repeats what is on file: not where the mail was about press alone."""
    changed = session.has_ordered or bool(session.changes.sheets or session.changes.plans)
    return changed or not session.has_written


def _tell_overlooked(session: Session) -> None:
    """That something that was not read may have been meant."""
    numbers = session.answer.overlooked
    if numbers:
        shown = tuple(str(number) for number in numbers[:_MOST_NAMED])
        told = Sentence("intake.overlooked", numbers=shown, n=len(numbers))
        session.answer.verdict.append(told)


def _late(session: Session, situation: GameView, reader: Reader) -> list[Sentence]:
    deadline = situation.clock.deadline
    is_late = session.received > deadline and situation.clock.paused is None
    if not session.has_ordered or not is_late:
        return []
    by = session.received - deadline
    return [Sentence("intake.late", deadline=deadline, zone=reader.zone, by=by)]


def _page(
    session: Session, situation: GameView | None, reader: Reader, copied_from: Wording
) -> Page:
    answer, about = session.answer, None if session.answers_press else answered(session)
    facts = {
        "head": _head(session, situation),
        "reader": reader,
        "subject": session.safe(_subject(session, about)),
        "about": _about(situation, about, session) if about is not None else (),
        "errors": answer.errors,
        "dry": SAYS if session.is_dry else "",
        "speaker": _speaker(session, situation),
        "verdict": answer.verdict,
        "troubles": answer.trouble_lines(session.paper.say),
        "done": [
            f"  {text}" for line in answer.done_lines() for text in session.say(line).split("\n")
        ],
        "ignored": [f"  {session.say(line)}" for line in answer.ignored],
        "orders": answer.orders,
        "later": answer.later,
        "numbers": answer.numbers,
        "money": answer.money,
        "buttons": _buttons(session, situation),
        "warnings": answer.warnings,
        "notices": answer.notices,
        "pictures": answer.pictures,
        **_beginning(session, situation, reader),
        "postal": waiting_lines(session),
        # Whoever asks a thousand times for the map gets it once.
        "texts": tuple(dict.fromkeys(answer.texts)),
        "copied_from": copied_from,
    }
    return session.services.paper.page("reply", facts)


def _beginning(
    session: Session, situation: GameView | None, reader: Reader
) -> Mapping[str, object]:
    """What whoever has just taken a seat reads of the position, as at the start of a game."""
    seat = session.seat
    if situation is None or seat is None or not session.begins or session.has_ordered:
        return {"form": (), "units": ()}
    to = Addressee(seat.address, reader, (seat,), sight_of(situation.game, [seat]))
    return for_beginner(session.services, situation, to)


def _buttons(session: Session, situation: GameView | None) -> tuple[Sentence, ...]:
    """What whoever has sent orders may send next, in one line."""
    seat = session.seat
    if situation is None or seat is None or seat.role is not Role.PLAYER or session.is_dry:
        return ()
    if seat.person is None or session.is_claim or session.became or not session.has_ordered:
        return ()
    is_flagged = any(s.flawed for s in map(situation.sheets.get, seat.powers) if s is not None)
    ready = (Sentence("todo.button.ready"),) if is_flagged else ()
    if situation.state.eliminated.issuperset(seat.powers):
        return ()
    if situation.is_overdue(session.now) or situation.clock.ends is not None:
        return ready
    return (*ready, Sentence(f"todo.button.{'nowait' if seat.waits else 'wait'}"))


def _head(session: Session, situation: GameView | None) -> Head:
    """The game's head for whoever has a seat; to others the judge says only who it is."""
    services: Services = session.services
    if session.game is None or session.seat is None or session.is_claim:
        return Head(services.judge.code)
    phase = situation.state.moment.code if situation is not None else ""
    return head_of(services, session.game, phase or _started_phase(session))


def _started_phase(session: Session) -> str:
    """The phase of a game that starts with this very mail."""
    return next((phase.after.moment.code for phase, _ in session.changes.phases), "")


def _speaker(session: Session, situation: GameView | None) -> Wording:
    if session.game is None or session.seat is None or session.is_claim:
        return ""
    words = Words(session.services.world(session.game))
    return Sentence(
        "intake.speaker",
        powers=joined(", ", map(words.power, session.seat.powers)),
        role=session.seat.role.value,
        game=session.game.name,
        phase=words.moment(situation.state.moment) if situation is not None else "",
    )


def _reader(session: Session) -> Reader:
    """Whoever sits at the seat, else whoever wrote."""
    seat = session.seat
    sitting = session.people(session.game) if session.game is not None else {}
    person = sitting.get(seat.person) if seat is not None and seat.person else session.person
    return replace(
        reader_of(session.services, person, session.now), language=session.paper.language
    )


def _subject(session: Session, about: Answered | None) -> str:
    """The subject of the mail, with the code of the phase that it answers if it is another one."""
    typed = session.mail.subject
    for paper in dict.fromkeys((session.paper, session.services.paper)):
        typed = _mark(paper).sub("", typed)
    own = _without_tags(typed, session.services.judge.code)
    code = about.moment.code if about is not None else ""
    return session.say(Sentence("intake.subject", subject=own, code=code)).strip()


def _mark(paper: Stationery) -> re.Pattern[str]:
    """With what the subject of an answer ends that names another phase."""
    mark = paper.say(Sentence("intake.subject", subject="", code=_CODE)).strip()
    pattern = re.escape(mark).replace(_CODE, r"[SUF]\d{4}[MRB]")
    return re.compile(rf"\s*{pattern}\s*$", re.ASCII)


def _about(situation: GameView | None, about: Answered, session: Session) -> tuple[Sentence, ...]:
    """That the mail answers a message about another phase, for whoever plays."""
    if situation is None or session.seat is None or session.seat.role is not Role.PLAYER:
        return ()
    here, there = situation.state.moment.code, about.moment.code
    told = Sentence(
        "intake.about",
        here=here,
        there=there,
        is_certain=about.is_certain,
        has_ordered=session.has_ordered,
    )
    return (told,)


def _without_tags(subject: str, code: str) -> str:
    """The subject without the prefixes that answers have put in front of it."""
    words = list(_own_words(subject, code))
    return " ".join(words)


def _own_words(subject: str, code: str) -> Iterator[str]:
    """The words behind ``Re:``, ``[Errors]`` and ``MACH:borgia - S1454M``."""
    rest = subject.split()
    while rest and (rest[0].lower() in _PREFIXES or rest[0].upper().startswith(f"{code}:")):
        tagged = rest.pop(0).upper().startswith(f"{code}:")
        if tagged and rest[:1] == ["-"]:
            del rest[:2]
    yield from rest


_CODE = "S0000M"
_PREFIXES = frozenset(
    "re: aw: fwd: fw: wg: r: i: tr: rv: rif: [errors] [errores] [errori]".split()  # noqa: SIM905
)

_MOST_NAMED = 8
"""How many lines the verdict names by their numbers."""


_ENDS_OF_COMMENT = frozenset({"end", "endcomment", "setcommentend", "signoff"})
"""Lines with which a long comment ends, without their spaces."""


class CommandLines:
    """Carries out commands; *left* are the lines below, and a command may take some of them."""

    def __init__(self, session: Session, left: list[Line], draft: OrderDraft) -> None:
        self.session = session
        self.left = left
        self.draft = draft
        self._asked: list[tuple[int, Callable[[], None]]] = []
        """Questions that wait for the orders, each with its place among the texts."""
        self._answered: dict[tuple[object, ...], Game | None] = {}
        """Questions of the mail, by who asks what, and the game as it was then."""

    def is_repeated(self, command: Command) -> bool:
        """Whether a question was asked in this mail already, and nothing has changed since."""
        entry = next(iter(entries_for(command)), None)
        if entry is None or entry.group is not ASKING or entry.act is not Act.READ:
            return False
        session = self.session
        words = command.text.lower() if isinstance(command, PlainCommand) else command
        asked = (entry.name, words, session.seat_number, session.speaking_for)
        is_known = asked in self._answered and self._answered[asked] is session.game
        self._answered[asked] = session.game
        return is_known

    def carry_out(self, line: Line, command: Command) -> None:
        """Carry out a command; whoever may not speak for the seat that it opens leaves it again."""
        entries, done = entries_for(command), len(self.session.answer.done)
        opens = bool(entries) and entries[0].opens_seat and self.session.game is None
        self._hand_over(line, command, entries)
        if opens:
            sign_in.turned_away(self.session, line, done)

    def _hand_over(self, line: Line, command: Command, entries: Sequence[CommandEntry]) -> None:
        if isinstance(command, Set):
            self._set(line, command)
        elif not entries:
            refuse_unknown(self.session, line)
        elif entries[0].opens_seat and self.session.game is not None:
            self._open_again(line, command)
        elif isinstance(command, SignOn | Join):
            self._open(line, command, entries[0])
        elif isinstance(command, Become):
            self._become(line, command, entries[0])
        elif may(self.session, line, entries[0]) and entries[0].handler is not None:
            if isinstance(command, Clear | Restore):
                # What stands above is on file first, so that it is dropped or replaced as well.
                file_orders(self.session, self.draft)
            self._do(line, command, entries[0])

    def file_orders(self) -> None:
        """Put on file what was ordered so far, and answer what was asked about it."""
        file_orders(self.session, self.draft)
        texts = self.session.answer.texts
        for at, answer in reversed(self._asked):
            end = len(texts)
            answer()
            texts[at:] = [*texts[end:], *texts[at:end]]
        self._asked.clear()

    def _do(self, line: Line, command: Command, entry: CommandEntry) -> None:
        """Carry out a command; a question, or one that cannot be taken back, may have to wait."""
        handler = entry.handler
        if handler is None:
            return
        if entry.tells_orders and is_player(self.session.seat):
            at = len(self.session.answer.texts)
            self._asked.append((at, partial(handler, self.session, line, command)))
            return
        if entry.act is not Act.FINAL or confirmation.is_proven(self.session):
            handler(self.session, line, command)
            return
        refused = confirmation.refusals_of(
            self.session, lambda session: handler(session, line, command)
        )
        self.session.answer.troubles += refused
        if not refused:
            text = self.in_full(line)
            confirmation.put_off(self.session, line, text)
            if entry.about_phase:
                self.session.moves_once_agreed = text

    def in_full(self, line: Line) -> str:
        """A command as its line means the same whenever it is read."""
        command = self.session.said.command(line)
        entries = () if isinstance(command, Problem | NotACommand) else entries_for(command)
        in_full = next((entry.unchanging for entry in entries), None)
        return in_full(self.session, command) if in_full is not None else line.text

    def _open(self, line: Line, typed: SignOn | Join, entry: CommandEntry) -> None:
        """Open a seat; what stands behind the password is a line of its own."""
        said = seats.as_meant(self.session, typed) if isinstance(typed, SignOn) else typed
        rest = rest_of_line(self.session.said, said)
        if begins_text(self.session.said, rest):
            self.session.secrets.add(said.password)
            self.session.refuse_all(line, seats.TEXT_ON_LINE, note=seats.NOTHING_TAKEN)
        elif entry.handler is not None:
            entry.handler(self.session, line, said)
            if rest and not self.session.is_closed:
                self.left.insert(0, replace(line, text=rest, raw=rest))

    def _open_again(self, line: Line, command: Command) -> None:
        """A second signon: the same once more changes nothing, another one is for another mail."""
        is_same = isinstance(command, SignOn) and seats.is_open(self.session, command)
        if not (is_same or is_open(self.session, command)):
            self.session.refuse_all(line, Sentence("intake.one_game"))
            return
        said = seats.as_meant(self.session, command) if isinstance(command, SignOn) else command
        rest = rest_of_line(self.session.said, said) if isinstance(said, SignOn | Join) else ""
        if rest:
            self.left.insert(0, replace(line, text=rest, raw=rest))

    def _become(self, line: Line, command: Become, entry: CommandEntry) -> None:
        """What is meant for another power must not become an order of one's own."""
        self.file_orders()
        if not may(self.session, line, entry):
            self.session.is_closed = True
        elif entry.handler is not None:
            entry.handler(self.session, line, command)

    def _set(self, line: Line, command: Set) -> None:
        for one in command.settings:
            entry = entry_of_setting(one)
            if entry is None:
                unknown = Sentence("intake.no_setting", key=one.key)
                self.session.refuse(line, SETTINGS.get(one.key, unknown))
            elif one.key == "comment" and one.on and one.value[0].lower() == "begin":
                self._house_rules(line, entry)
            elif one.value and takes_nothing(one.key):
                reason = Sentence("intake.nothing_behind", key=one.key)
                self.session.refuse(line, reason, instead=entry.usage)
            elif may(self.session, line, entry) and entry.handler is not None:
                entry.handler(self.session, line, one)

    def _house_rules(self, line: Line, entry: CommandEntry) -> None:
        """A long comment: the lines up to ``end``."""
        lines: list[Line] = []
        has_end = False
        while self.left and not has_end:
            each = self.left.pop(0)
            has_end = "".join(each.text.split()).lower() in _ENDS_OF_COMMENT
            lines += [] if has_end else [each]
        if not may(self.session, line, entry):
            return
        if not has_end:
            self.session.refuse(line, Sentence("intake.comment_without_end"))
            tell_unread(self.session, lines)
            return
        set_house_rules(self.session, line, tuple(each.raw.strip() for each in lines))

    def register(self, line: Line) -> None:
        """Register with the lines up to ``end``, or up to the first that is no field."""
        fields: list[Line] = []
        while self.left and not self.left[0].is_press:
            if self.left[0].text.strip().lower() == "end":
                self.left.pop(0)
                break
            if ":" not in self.left[0].text:
                break
            fields.append(self.left.pop(0))
        if may(self.session, line, REGISTER):
            register(self.session, line, fields)

    def write(self, line: Line, command: Press | PostalPress | Diary) -> None:
        """A command with a text; its lines are no commands, whoever may or may not send it."""
        passage = rows.passage_behind(self.session.said, self.left, line.number)
        entry = next(iter(entries_for(command)))
        if not may(self.session, line, entry):
            press.give_back(self.session, redacted(self.session, passage.text))
        elif meant := rows.swallowed(self.session, passage):
            rows.hold_back(self.session, line, passage, meant)
        else:
            rows.write_text(self.session, line, command, passage.text)


# --- who may use a command ----------------------------------------------------------------------


def may(session: Session, line: Line, entry: CommandEntry) -> bool:
    """Whether the sender may use a command; if not, they are told why not."""
    flaw = _why_not(session, entry)
    if flaw:
        session.refuse(line, flaw)
    return not flaw


def _why_not(session: Session, entry: CommandEntry) -> Wording | None:
    """Why the sender may not use a command now; None if they may."""
    game, seat = session.game, session.seat
    if session.became and entry.is_personal:
        return Sentence("lines.only_the_player")
    if entry.about_phase and session.moves_once_agreed:
        return Sentence("lines.waits_above", what=session.moves_once_agreed)
    if entry.for_the_living and _is_out(session):
        return Sentence("lines.eliminated")
    if not entry.who & {_role_of(game, seat), Caller.ANYBODY}:
        allowed = tuple(each.words for each in Caller if each in entry.who)
        return Sentence("help.only_for", who=allowed) if seat else Sentence("help.sign_on")
    if entry.act is Act.PERSON and not _may_set_person(session):
        return Sentence("lines.from_own_address")
    flaw = why_not_yet(session, entry)
    return flaw or (entry.refused_in.get(game.status) if game else None)


def _may_set_person(session: Session) -> bool:
    """Whether the mail may change what holds for its writer at all games."""
    person = session.person
    if person is not None:
        known = session.uow.persons.get(person.id) or person
        if session.address in known.addresses or is_from_address_on_file(session):
            return True
    return verdict(Act.PERSON, session.proof) is not Verdict.ON_FILE


def _is_out(session: Session) -> bool:
    """Whether a player speaks all of whose powers are eliminated."""
    situation, seat = session.situation(), session.seat
    if situation is None or seat is None or not seat.powers:
        return False
    return set(seat.powers) <= situation.state.eliminated


def _role_of(game: Game | None, seat: Seat | None) -> Caller:
    """As what somebody at a seat uses commands; a game has one master and any co-masters."""
    if game is None or seat is None:
        return Caller.ANYBODY
    match seat.role:
        case Role.PLAYER:
            return Caller.PLAYER
        case Role.OBSERVER:
            return Caller.OBSERVER
        case Role.MASTER:
            return Caller.MASTER if seat.person == game.master else Caller.CO_MASTER


def converse(session: Session) -> None:
    """Carry out what a mail says; changes and answer are in *session* afterwards."""
    _Conversation(session).hold()


class _Conversation:
    """The lines of one mail with what is left of them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.left = list(session.mail.lines)
        self.unread = Leftovers(session)
        self.draft = OrderDraft(session)
        self.commands = CommandLines(session, self.left, self.draft)
        self.heard = 0
        """How many lines were commands."""
        self.room = Heard()
        self.questions: list[Line] = []
        """What is asked in plain words, answered once the orders are on file."""

    def hold(self) -> None:
        """Go through the lines, then put the orders on file."""
        commands = [*commands_of(self.session.said, self.session.mail.lines)]
        self.session.is_dry = DRY in commands
        self.session.wanted_language = language_set_by(self.session, commands)
        self._hear_tokens()
        self._answer_press()
        while self.left and not self.session.is_closed:
            if self.session.answer.errors >= MOST_ERRORS:
                stop(self.session, self.left[0].number, TOO_MANY_ERRORS)
            else:
                self._try(self.left.pop(0))
        if self.session.once_known is not None:
            self.session.once_known()
        self.commands.file_orders()
        answer_questions(self.session, self.questions)
        confirm_changes(self.session)
        seats.start_if_full(self.session)
        press.send_unsigned(self.session)
        tell_unread(self.session, self.draft.unread)
        self.unread.tell(self.left, self.heard)
        self._wait_for_missed()
        tell_why_not(self.session)
        tell_cut(self.session)

    def _hear_tokens(self) -> None:
        """Open the seat that a token opens; an answer about an act is read as that act."""
        if not self.session.is_dry:
            self.heard += hear_answer(self.session)
        answered = confirmation.hear_answer(self.session, self.commands.in_full)
        if answered is None:
            open_by_token(self.session)
            take_form(self.session)
            self.left[:] = self.session.mail.lines
            sign_in.turned_away(self.session, None)
        else:
            self.left[:] = answered.lines
        self.heard += answered is not None or self.session.opened_by_token

    def _answer_press(self) -> None:
        """An answer to press goes to its writer as it is: nothing in it is read as an order."""
        token = press_answered(self.session)
        if token is not None and rows.answer_press(self.session, token):
            self.session.is_dry, self.session.wanted_language = False, ""
            self.session.mail = replace(self.session.mail, rows=())
            self.left.clear()
            self.heard += 1

    # --- lines --------------------------------------------------------------------------------

    def _try(self, line: Line) -> None:
        try:
            self._hear(line)
        except TooManyPasswords:
            self.session.refuse_all(line, TOO_MANY)

    def _hear(self, line: Line) -> None:
        if line.is_press:
            self._stray(line)
            return
        command = self.session.said.command(line)
        if self.draft.takes(line, self.left):
            self.draft.branch(line)
        elif (parts := self._parts(line, command)) is not None:
            self.left[:0] = parts
        else:
            self._hear_kind(line, command)

    def _hear_kind(self, line: Line, command: Command | NotACommand | Problem) -> None:
        """Take a row as what it is."""
        kind = kind_of(self.session, line, command)
        if kind is LineKind.COMMAND and isinstance(command, NotACommand):
            self._foreign(line)
        elif kind is LineKind.COMMAND and not isinstance(command, NotACommand):
            self.draft.break_off()
            self._hear_command(line, command)
        elif kind is LineKind.QUESTION and self.session.seat is not None:
            self.questions.append(line)
        elif kind is LineKind.ORDER and is_player(self.session.seat):
            self.draft.take(line)
        elif says_nothing(line.text) or (
            self.session.seat is not None and kind is not LineKind.ORDER
        ):
            self.unread.prose.append(line)
        else:
            self.unread.lines.append(line)
            hide_signon(self.session, line, len(self.unread.lines))

    def _parts(
        self, line: Line, command: Command | NotACommand | Problem
    ) -> tuple[Line, ...] | None:
        """The lines of which one row is made; None if it is but one.

        The power that a line names, and its orders for it; what it orders, and what it asks.
        """
        is_own = isinstance(command, Become) and command.own
        if not (is_own or isinstance(command, NotACommand)):
            return None
        asked = questions_within(self.session, line)
        if asked or line.text[1:2] == " ":  # as most orders begin
            return asked or None
        return parted_by_power(self.session, line)

    def _hear_command(self, line: Line, command: Command | Problem) -> None:
        match command:
            case Problem() | SignOn() if is_courteous(line):
                self._greeting(line, command)
            case Problem() if is_player(self.session.seat) and wish_of(line.text) is not None:
                # As with an order that cannot be read, the phase must not begin without it.
                self.draft.take(line)
            case Problem():
                self._wrong_command(line, command)
            case (
                PlainCommand(name="register")
                | Press()
                | PostalPress(act=NoteAction.RECORD)
                | Diary(act=NoteAction.RECORD)
            ) if not self.room.takes(self.session, line, command):
                self.left.insert(0, line)
            case PlainCommand(name="register"):
                self.heard += 1
                self.commands.register(line)
            case Press() | PostalPress(act=NoteAction.RECORD) | Diary(act=NoteAction.RECORD):
                self.heard += 1
                self.commands.write(line, command)
            case _ if self.session.is_dry and not is_harmless(command):
                self.heard += 1
                self.session.refuse_all(line, NOT_IN_DRY_MAILS)
            case _ if self.commands.is_repeated(command):
                self.heard += 1
            case _ if self.room.takes(self.session, line, command):
                self.heard += 1
                self.commands.carry_out(line, command)
            case _:
                self.left.insert(0, line)

    def _wrong_command(self, line: Line, problem: Problem) -> None:
        self.heard += 1
        has_text = bool(self.left) and self.left[0].is_press
        refuse_problem(self.session, line, problem, has_text=has_text)
        if is_player(self.session.seat) and is_about_orders(line, problem):
            self.draft.doubt()

    def _foreign(self, line: Line) -> None:
        """A command of another judge."""
        if begins_press(line.text) and self.session.seat is not None:
            self._foreign_press(line)
        elif is_player(self.session.seat):
            refuse_unknown(self.session, line)
        else:
            self.unread.lines.append(line)
            hide_signon(self.session, line, len(self.unread.lines))

    def _foreign_press(self, line: Line) -> None:
        """A message begun as at another judge: with an end below it, its lines are no orders."""
        refuse_unknown(self.session, line)
        ends = rows.end_of_text(self.session.said, self.left)
        text = self.left[:ends]
        marked = [replace(each, is_press=True) for each in text]
        passage = rows.passage_behind(self.session.said, marked, line.number)
        press.give_back(self.session, redacted(self.session, passage.text))
        del self.left[: ends + bool(text)]

    def _greeting(self, line: Line, command: SignOn | Problem) -> None:
        """`hello` greets as often as it signs on: what opens no seat costs nothing behind it."""
        if (
            isinstance(command, SignOn)
            and self.session.game is None
            and seats.opens_seat(self.session, command)
        ):
            self.heard += 1
            sign_in.turned_away(self.session, line, len(self.session.answer.done))
        else:
            self.unread.prose.append(line)

    def _stray(self, line: Line) -> None:
        """A text whose command was not understood: its writer gets it back."""
        self.left.insert(0, line)
        passage = rows.passage_behind(self.session.said, self.left, line.number - 1)
        press.give_back(self.session, redacted(self.session, passage.text))

    # --- the end ------------------------------------------------------------------------------

    def _wait_for_missed(self) -> None:
        """Where an order was surely meant and not read, the phase waits for a clean mail."""
        search = Search(self.session)
        if is_player(self.session.seat) and any(map(search.is_sure, self.session.missed)):
            self.session.flag()
