"""Handles one mail: its reply tokens, its lines in their order, its answer."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from machjudge.adjudicator.names import PowerId
from machjudge.judge import (
    agreements,
    confirmation,
    people,
    press,
    rows,
    seats,
    sign_in,
    what_if,
)
from machjudge.judge.changes import token_of
from machjudge.judge.command_table import entries_for, entry_of_setting
from machjudge.judge.commands import ENTRIES, MASTERS, Caller, CommandEntry, Group
from machjudge.judge.confirmation import (
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
    PressToken,
    SeatToken,
    SubstituteToken,
    TokenScope,
    Verdict,
    hash_of,
    presented,
    verdict,
    without_codes,
)
from machjudge.judge.game_view import GameView, completeness_of, numbers, reader_of
from machjudge.judge.limits import TOO_MANY, TooManyPasswords
from machjudge.judge.mail_context import MailContext, is_player, redacted, tell_unread
from machjudge.judge.mails import Attachment, KeptMail, Outgoing, in_language, paged
from machjudge.judge.mastering import own_seats, split_power_heading
from machjudge.judge.order_lines import OrderDraft
from machjudge.judge.order_sets import summarize_orders
from machjudge.judge.outgoing import Addressee, Answered, answered, head_of, sight_of
from machjudge.judge.personal_settings import language_set_by
from machjudge.judge.pictures import pictures_of_orders
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.postal_press import waiting_lines
from machjudge.judge.questions import UNSUPPORTED_SETTINGS, answer_questions, begins_press
from machjudge.judge.records import Game, GameId, Role, Seat
from machjudge.judge.rows import (
    DRY,
    DRY_NOTICE,
    MAX_ERRORS,
    NOT_DRY,
    TOO_MANY_ERRORS,
    CommandLimit,
    MissedOrders,
    UnparsedLines,
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
from machjudge.judge.seats import answer_as_substitute, confirm_address, set_house_rules
from machjudge.judge.secret import JudgeSecret
from machjudge.judge.setup import dossier_of, for_beginner
from machjudge.judge.sign_in import begins_text, rest_of_line
from machjudge.judge.undo import name_lines_back
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
from machjudge.language.words import ParseError, fold, plain_request
from machjudge.mail_parser.lines import Line, LineKind, Mail
from machjudge.mail_parser.secrets import REDACTED, codes_in, lines_of_codes
from machjudge.messages.render import Answer, MessageHeader, MessageRenderer, Page, Reader
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText, joined

Opening = SignOn | Join | Observe | Create

_CODE_LINE = re.compile(rf"\W*(?:{LABEL})?\W*(?:r\.)?{re.escape(REDACTED)}\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenedSeat:
    """A seat at a game."""

    game: Game
    seat: Seat


def without_code_lines(mail: Mail) -> Mail:
    """Return the mail without lines that are only a reply code, or a part of one."""
    blotted = lines_of_codes([line.text for line in mail.lines])
    lines = [
        line
        for line, left in zip(mail.lines, blotted, strict=True)
        if left == line.text or not _CODE_LINE.fullmatch(left)
    ]
    return mail if len(lines) == len(mail.lines) else mail.with_lines(lines)


def codes_of(kept: KeptMail, mail: Mail) -> list[str]:
    """Return possible reply tokens of a mail: in its recipient address, then in the text."""
    return list(dict.fromkeys([*codes_in(kept.recipients), *mail.codes]))


def game_answered(
    secret: JudgeSecret, uow: UnitOfWork, kept: KeptMail, mail: Mail
) -> GameId | None:
    """Return the game whose seat the reply tokens of a mail speak for."""
    found = presented(secret, uow.reply_tokens, codes_of(kept, mail))
    return _game_of(uow, tuple(token_scopes for _, token_scopes in found))


def _game_of(uow: UnitOfWork, token_scopes: tuple[TokenScope, ...]) -> GameId | None:
    for each in token_scopes:
        match each:
            case SeatToken(game=game) | SubstituteToken(game=game):
                return game
            case ActToken(act):
                waiting = uow.acts.get(act)
                return waiting.game if waiting is not None else None
            case AddressToken():
                continue
    return None


def open_by_token(context: MailContext) -> None:
    """Open the seat of the mail's token, unless the mail opens another one itself."""
    place = _opened(context)
    command = _first_opening(context)
    if place is None:
        return
    if command is not None and not _means(context, command, place):
        # It still proves who writes: another seat is theirs at once.
        context.writer.proven, context.writer.has_code = place.seat.person, True
        return
    context.enter(place.game, place.seat)
    context.writer.opened_by_token = True
    if isinstance(command, SignOn):
        letter = seats.named_letter(context, seats.as_meant(context, command))
        context.speak_from(place.seat.number, PowerId(letter))


def press_answered(context: MailContext) -> PressToken | None:
    """Return the token of the answered press, unless the mail signs on like any other."""
    surest = next(
        (each for each in context.writer.token_scopes if isinstance(each, SeatToken)), None
    )
    if not (context.writer.opened_by_token and isinstance(surest, PressToken)):
        return None
    return surest if _first_opening(context) is None else None


def is_open(context: MailContext, command: object) -> bool:
    """Return True if a command opens the seat that a token has opened already."""
    if not context.writer.opened_by_token or context.became or not isinstance(command, Opening):
        return False
    game, seat = context.game, context.seat
    return (
        game is not None and seat is not None and _means(context, command, OpenedSeat(game, seat))
    )


def report_stale_token(context: MailContext) -> None:
    """Report why the token of a mail opened no seat, if nothing else opened one."""
    known = signon_for(context)
    if context.game is None and known is not None and _opened(context) is None:
        seat, game = known
        context.answer.verdict.append(Message("intake.old_code", seat=seat, game=game.name))


def _opened(context: MailContext) -> OpenedSeat | None:
    return place_opened(context.writer.token_scopes, context.find_game)


def place_opened(
    token_scopes: Iterable[TokenScope], find_game: Callable[[str], Game | None]
) -> OpenedSeat | None:
    """Return the seat of the first good token; None if there is none."""
    tokens = (each for each in token_scopes if isinstance(each, SeatToken))
    places = (_place_of(each, find_game(each.game)) for each in tokens)
    return next((place for place in places if place is not None), None)


def _place_of(token: SeatToken, game: Game | None) -> OpenedSeat | None:
    """The seat of a token of the current generation, if it has a holder."""
    for seat in game.seats if game is not None else ():
        is_it = (seat.number, seat.generation) == (token.seat, token.generation)
        if game is not None and is_it and seat.person is not None:
            return OpenedSeat(game, seat)
    return None


def _first_opening(context: MailContext) -> Opening | None:
    for line in context.mail.instructions:
        command = context.parsed_lines.command(line)
        if isinstance(command, SignOff):
            return None
        if isinstance(command, Opening) and not is_courteous(line):
            return command
    return None


def _means(context: MailContext, command: Opening, place: OpenedSeat) -> bool:
    """Return True if a command opens that seat, without a token of its own."""
    match command:
        case SignOn():
            said = seats.as_meant(context, command)
            is_it = said.game.lower() == place.game.id
            is_it = is_it and people.is_called(place.seat, seats.named_letter(context, said))
        case Join(game=name):
            is_it = (name.lower(), Role.PLAYER) == (place.game.id, place.seat.role)
        case Observe(game=name):
            is_it = (name.lower(), Role.OBSERVER) == (place.game.id, place.seat.role)
        case Create():
            return False
    return is_it and not _is_token(context, command.password)


def _is_token(context: MailContext, text: str) -> bool:
    return any(context.uow.tokens.token(hash_of(each)) is not None for each in spellings(text))


def answer_messages(context: MailContext) -> list[Outgoing]:
    """Return the answer to the sender, and a copy to a different address on file.

    Of what a master writes the seat that they have become gets only what follows BECOME.
    """
    to = context.answer_to
    seat = context.seat
    owner = seat.address if seat is not None and seat.person is not None else to
    view, reader = context.view(), _reader(context)
    copy = context.answer if context.copy is None else context.copy
    _judge_orders(context, copy, view, reader)
    context.answer.verdict += waiting_words(context)
    _offer_language(context)
    if numbers := context.answer.overlooked:
        # It was not read, and may have been an order.
        shown = tuple(str(number) for number in numbers[:_MAX_NAMED])
        message = Message("intake.overlooked", numbers=shown, n=len(numbers))
        context.answer.verdict.append(message)
    if context.copy is not None:
        context.answer = context.answer.with_rest(copy)
    copied_from = _writer(context) if owner != to else ""
    page = _page(context, copy, view, reader, copied_from)
    pages = {to: (page, copy)}
    if context.copy is not None:
        whole = _page(context, context.answer, view, reader, copied_from)
        pages[to] = (whole, context.answer)
    # The person whose registration was changed is told, wherever the answer goes.
    known = [person for person in context.changes.persons.values() if person.is_confirmed]
    changed = (person.addresses[0] for person in known)
    addresses = dict.fromkeys((to, owner, *changed))
    return [
        _message(context, address, *pages.get(address, (page, copy)))
        for address in addresses
        if address
    ]


_HEARD = 2
"""So many different words of a language say that somebody writes in it; of a stranger, one does."""


def _offer_language(context: MailContext) -> None:
    """Tell somebody who writes in another language how the judge writes to them in it."""
    known = context.person or context.claimant
    is_set = known is not None and known.language
    if is_set or context.progress.wanted_language or context.ordering.has_ordered:
        return
    renderer, needed = context.renderer, 1 if known is None else _HEARD
    own = (fold(row.text) for row in context.mail.rows if not row.is_press)
    said = {word for text in own for word in text.split()}
    plain = {word.strip(".,;:!?¡¿()\"'") for word in said}
    for language in renderer.languages:
        other = renderer.of(language)
        heard = set(fold(other.say(Message("setup.language.heard"))).split())
        if language != renderer.language and len(heard & plain) >= needed:
            context.answer.notices.append(other.say(Message("setup.language.offer")))


def _writer(context: MailContext) -> MessageOrText:
    """The sender's address, for the seat's owner; a master's address is private."""
    if not context.became or context.power is None or context.game is None:
        return context.address
    power = Words(context.services.world(context.game)).power(context.power)
    return Message("intake.master_as", power=power)


def _message(context: MailContext, address: str, page: Page, answer: Answer) -> Outgoing:
    about = context.game.id if context.game is not None and context.seat is not None else None
    message, language = paged(address, page, about), context.renderer.language
    return replace(
        message,
        answers=context.mail.message_id,
        references=without_codes(context.mail.references),
        reply=(reply := _reply(context, address, page)),
        takes_token=reply is not None,
        attachments=(
            *message.attachments,
            *(
                Attachment(file.name, in_language(file.media_type, language), file.content)
                for file in dict.fromkeys(answer.files)
            ),
        ),
    )


def _reply(context: MailContext, address: str, page: Page) -> TokenScope | None:
    """The scope of the answer's token: the seat, if the address is its own, or the address."""
    game, seat = context.game, context.seat
    if game is None or seat is None or context.is_claim:
        return code_for(context, address)
    owner = context.people(game).get(seat.person) if seat.person is not None else None
    on_file = (seat.address, *(owner.addresses if owner is not None else ()))
    return token_of(game, seat, page.phase) if address in on_file else None


def _judge_orders(
    context: MailContext, answer: Answer, view: GameView | None, reader: Reader
) -> None:
    """Show the verdict and the order set to the holder of a seat at a running game."""
    seat = context.seat
    if view is None or seat is None or context.is_claim:
        return
    if seat.person is None and not context.became:
        return
    seats = [seat] if context.became or seat.role is not Role.PLAYER else list(own_seats(context))
    if _shows_orders(context, answer):
        _show_orders(context, answer, view, sight_of(view.game, seats), reader)
    if seat.role is Role.PLAYER:
        for each in seats:
            answer.verdict += completeness_of(
                view, each, answer.errors, context.now, is_dry=context.progress.is_dry
            )
            if _shows_orders(context, answer) and not context.progress.is_dry:
                answer.numbers += numbers(view, each)
        answer.verdict += _late(context, view, reader)
        if view.game.agreements:
            answer.warnings += agreements.warnings_of(view, seat.powers)
        if answer.warnings:
            answer.verdict.append(Message("intake.warned", n=len(answer.warnings)))


def _show_orders(
    context: MailContext, answer: Answer, everything: GameView, sight: Sight, reader: Reader
) -> None:
    """Show the orders on file that may be seen; players get a picture too."""
    view = everything.seen_by(sight)
    shown = summarize_orders(view, sight)
    answer.orders, answer.money = [*shown.orders], [*shown.money]
    answer.warnings = [*shown.warnings]
    answer.notices += shown.notices
    answer.later = [*shown.later]
    if sight.powers and reader.pictures:
        answer.pictures = pictures_of_orders(context.services, view, sight)


def _shows_orders(context: MailContext, answer: Answer) -> bool:
    """Return True if the answer repeats the orders: not if the mail was only press.

    Nor where a master has made a mistake: all powers' orders would hide what is wrong.
    """
    changed = context.ordering.has_ordered or bool(
        context.changes.order_sets or context.changes.plans
    )
    is_master = context.seat is not None and context.seat.role is Role.MASTER
    is_slip = is_master and bool(answer.troubles or answer.ignored)
    return changed or not (context.progress.has_written or is_slip)


def _late(context: MailContext, view: GameView, reader: Reader) -> list[Message]:
    deadline = view.clock.deadline
    is_late = context.received > deadline and view.clock.paused is None
    if not context.ordering.has_ordered or not is_late:
        return []
    by = context.received - deadline
    return [Message("intake.late", deadline=deadline, zone=reader.zone, by=by)]


def _page(
    context: MailContext,
    answer: Answer,
    view: GameView | None,
    reader: Reader,
    copied_from: MessageOrText,
) -> Page:
    about = None if context.progress.answers_press else answered(context)
    facts = {
        "head": _head(context, view),
        "reader": reader,
        "subject": context.safe(_subject(context, about)),
        "about": _about(view, about, context) if about is not None else (),
        "errors": answer.errors,
        "dry": DRY_NOTICE if context.progress.is_dry else "",
        "speaker": _speaker(context, view),
        "verdict": answer.verdict,
        "troubles": answer.trouble_lines(context.renderer.say),
        "done": [
            f"  {text}" for line in answer.done_lines() for text in context.say(line).split("\n")
        ],
        "undo": [f"  {line}" for line in answer.undo],
        "ignored": [f"  {context.say(line)}" for line in answer.ignored],
        "orders": answer.orders,
        "later": answer.later,
        "numbers": answer.numbers,
        "money": answer.money,
        "buttons": _buttons(context, view),
        "warnings": answer.warnings,
        "notices": answer.notices,
        "pictures": answer.pictures,
        **_beginning(context, view, reader),
        "postal": waiting_lines(context),
        "agreements": agreements.waiting_lines(context) if view and view.game.agreements else (),
        # A map is sent once per mail.
        "texts": tuple(dict.fromkeys(answer.texts)),
        "copied_from": copied_from,
        "is_for_rest": context.copy is not None,
    }
    return context.services.renderer.page("reply", facts)


def _beginning(context: MailContext, view: GameView | None, reader: Reader) -> Mapping[str, object]:
    """Show the position to a new holder of a seat, as at the start of a game."""
    seat = context.seat
    if view is None or seat is None or not context.progress.sat_down:
        return {"form": (), "units": (), "dossier": ()}
    to = Addressee(seat.address, reader, (seat,), sight_of(view.game, [seat]))
    dossier = dossier_of(context, view, to)
    if context.ordering.has_ordered:
        return {"form": (), "units": (), "dossier": dossier}
    return {**for_beginner(context.services, view, to), "dossier": dossier}


def _buttons(context: MailContext, view: GameView | None) -> tuple[Message, ...]:
    seat = context.seat
    if view is None or seat is None or seat.role is not Role.PLAYER or context.progress.is_dry:
        return ()
    if (
        seat.person is None
        or context.is_claim
        or context.became
        or not context.ordering.has_ordered
    ):
        return ()
    is_flagged = any(s.flawed for s in map(view.order_sets.get, seat.powers) if s is not None)
    ready = (Message("todo.button.ready"),) if is_flagged else ()
    if view.state.eliminated.issuperset(seat.powers):
        return ()
    if view.is_overdue(context.now) or view.clock.ends is not None:
        return ready
    return (*ready, Message(f"todo.button.{'nowait' if seat.waits else 'wait'}"))


def _head(context: MailContext, view: GameView | None) -> MessageHeader:
    """The game's head for the holder of a seat; others only read the judge's name."""
    services: Services = context.services
    if context.game is None or context.seat is None or context.is_claim:
        return MessageHeader(services.judge.code)
    phase = view.state.moment.code if view is not None else ""
    started = (phase.after.moment.code for phase, _ in context.changes.phases)
    return head_of(services, context.game, phase or next(started, ""))


def _speaker(context: MailContext, view: GameView | None) -> MessageOrText:
    if context.game is None or context.seat is None or context.is_claim:
        return ""
    words = Words(context.services.world(context.game))
    return Message(
        "intake.speaker",
        powers=joined(", ", map(words.power, context.seat.powers)),
        role=context.seat.role.value,
        game=context.game.name,
        phase=words.moment(view.state.moment) if view is not None else "",
    )


def _reader(context: MailContext) -> Reader:
    seat = context.seat
    sitting = context.people(context.game) if context.game is not None else {}
    person = sitting.get(seat.person) if seat is not None and seat.person else context.person
    return replace(
        reader_of(context.services, person, context.now), language=context.renderer.language
    )


def _subject(context: MailContext, about: Answered | None) -> str:
    """The mail's subject, with the code of the answered phase if it is another one."""
    typed = _PHASE_AT_END.sub("", context.mail.subject)
    for renderer in dict.fromkeys((context.renderer, context.services.renderer)):
        typed = _mark(renderer).sub("", typed)
    judge = f"{context.services.judge.code}:".lower()
    game = f"{context.game.id}:" if context.game is not None else judge
    own = " ".join(_own_words(typed, judge, game))
    code = about.moment.code if about is not None else ""
    return context.say(Message("intake.subject", subject=own, code=code)).strip()


def _mark(renderer: MessageRenderer) -> re.Pattern[str]:
    mark = renderer.say(Message("intake.subject", subject="", code=_CODE)).strip()
    pattern = re.escape(mark).replace(_CODE, r"[SUF]\d{4}[MRB]")
    return re.compile(rf"\s*{pattern}\s*$", re.ASCII)


def _about(view: GameView | None, about: Answered, context: MailContext) -> tuple[Message, ...]:
    """Tell a player that the mail answers a message about another phase."""
    if view is None or context.seat is None or context.seat.role is not Role.PLAYER:
        return ()
    here, there = view.state.moment.code, about.moment.code
    note = Message(
        "intake.about",
        here=here,
        there=there,
        is_certain=about.is_certain,
        has_ordered=context.ordering.has_ordered,
    )
    return (note,)


def _own_words(subject: str, judge: str, game: str) -> Iterator[str]:
    """The words behind ``Re:``, ``[Errors]``, ``borgia:`` and ``MACH:borgia - S1454M``."""
    rest = subject.split()
    while rest:
        first = rest[0].lower()
        is_tag = first.startswith(judge)
        if not (is_tag or first == game or _PREFIX.fullmatch(first)):
            break
        del rest[:1]
        if is_tag and rest[:1] == ["-"]:
            del rest[:2]
    yield from rest


_CODE = "S0000M"
_PHASE_AT_END = re.compile(r"\s*\([SUF]\d{4}[MRB]\)\s*$", re.ASCII)
_PREFIX = re.compile(r"[^\W\d_]{1,3}(?:\[\d+\])?[:：]|\[[^\[\]\d]{1,30}\]|\W*spam\W+")
"""How mail programs mark an answer, in three letters at most, and what servers put in front."""

_MAX_NAMED = 8


_ENDS_OF_COMMENT = frozenset({"end", "endcomment", "setcommentend", "signoff"})


class CommandLines:
    """Carries out commands; *left* are the lines below, of which a command may take some."""

    def __init__(self, context: MailContext, left: list[Line], draft: OrderDraft) -> None:
        self.context = context
        self.left = left
        self.draft = draft
        self._asked: list[tuple[int, Callable[[], None]]] = []
        """Questions that wait for the orders, with their index among the texts."""
        self._answered: dict[tuple[object, ...], Game | None] = {}
        """Answered questions, by asker and question, with the game at that time."""
        self._moves_once_agreed = ""
        """A waiting act will move the game to another phase."""

    def is_repeated(self, command: Command) -> bool:
        """Return True if a question was asked before and nothing has changed since."""
        entry = next(iter(entries_for(command)), None)
        if entry is None or entry.group is not Group.ASKING or entry.act is not Act.READ:
            return False
        context = self.context
        words = command.text.lower() if isinstance(command, PlainCommand) else command
        asked = (entry.name, words, context.seat_number, context.speaking_for)
        is_known = asked in self._answered and self._answered[asked] is context.game
        self._answered[asked] = context.game
        return is_known

    def carry_out(self, line: Line, command: Command) -> None:
        """Carry out a command; leave the opened seat if the sender may not speak for it."""
        entries, done = entries_for(command), len(self.context.answer.done)
        opens = bool(entries) and entries[0].opens_seat and self.context.game is None
        self._hand_over(line, command, entries)
        if opens:
            sign_in.turned_away(self.context, line, done)

    def _hand_over(self, line: Line, command: Command, entries: Sequence[CommandEntry]) -> None:
        if isinstance(command, Set):
            self._set(line, command)
        elif not entries:
            refuse_unknown(self.context, line)
        elif entries[0].opens_seat and self.context.game is not None:
            self._open_again(line, command)
        elif isinstance(command, SignOn | Join):
            self._open(line, command, entries[0])
        elif isinstance(command, Become):
            self._become(line, command, entries[0])
        elif self._may(line, entries[0]) and entries[0].handler is not None:
            if isinstance(command, Clear | Restore):
                # What stands above is on file first, so that it is dropped or replaced as well.
                file_orders(self.context, self.draft)
            self._do(line, command, entries[0])

    def file_orders(self) -> None:
        """Put the orders so far on file, and answer questions about them."""
        file_orders(self.context, self.draft)
        texts = self.context.answer.texts
        for at, answer in reversed(self._asked):
            end = len(texts)
            answer()
            texts[at:] = [*texts[end:], *texts[at:end]]
        self._asked.clear()

    def _do(self, line: Line, command: Command, entry: CommandEntry) -> None:
        """Carry out a command; questions and irreversible ones may have to wait."""
        handler = entry.handler
        if handler is None:
            return
        if entry.tells_orders and is_player(self.context.seat):
            at = len(self.context.answer.texts)
            self._asked.append((at, partial(handler, self.context, line, command)))
            return
        if entry.act is not Act.FINAL or confirmation.is_proven(self.context):
            self._done_by(entry, partial(handler, self.context, line, command))
            return
        refused = confirmation.refusals_of(
            self.context, lambda context: handler(context, line, command)
        )
        self.context.answer.troubles += refused
        if not refused:
            text = self.in_full(line)
            confirmation.require_confirmation(self.context, line, text)
            if entry.about_phase:
                self._moves_once_agreed = text

    def in_full(self, line: Line) -> str:
        """Return a command as a line that means the same whenever it is read."""
        command = self.context.parsed_lines.command(line)
        entries = () if isinstance(command, ParseError | NotACommand) else entries_for(command)
        in_full = next((entry.unchanging for entry in entries), None)
        return in_full(self.context, command) if in_full is not None else line.text

    def _open(self, line: Line, typed: SignOn | Join, entry: CommandEntry) -> None:
        """Open a seat; what stands behind the password is a line of its own."""
        said = seats.as_meant(self.context, typed) if isinstance(typed, SignOn) else typed
        rest = rest_of_line(self.context.parsed_lines, said)
        if begins_text(self.context.parsed_lines, rest):
            self.context.secrets.add(said.password)
            self.context.refuse_all(line, seats.TEXT_ON_LINE, note=seats.NOTHING_TAKEN)
        elif entry.handler is not None:
            entry.handler(self.context, line, said)
            if rest and not self.context.progress.is_closed:
                self.left.insert(0, replace(line, text=rest, raw=rest))

    def _open_again(self, line: Line, command: Command) -> None:
        """Ignore a repeated signon; refuse a different one."""
        is_same = isinstance(command, SignOn) and seats.is_open(self.context, command)
        if not (is_same or is_open(self.context, command)):
            self.context.refuse_all(line, Message("intake.one_game"))
            return
        said = seats.as_meant(self.context, command) if isinstance(command, SignOn) else command
        rest = (
            rest_of_line(self.context.parsed_lines, said) if isinstance(said, SignOn | Join) else ""
        )
        if rest:
            self.left.insert(0, replace(line, text=rest, raw=rest))

    def _become(self, line: Line, command: Become, entry: CommandEntry) -> None:
        """Change the power; if that fails, read no further, to keep orders apart."""
        self.file_orders()
        if not self._may(line, entry):
            self.context.progress.is_closed = True
        elif entry.handler is not None:
            entry.handler(self.context, line, command)

    def _set(self, line: Line, command: Set) -> None:
        for one in command.settings:
            entry = entry_of_setting(one)
            if entry is None:
                unknown = Message("intake.no_setting", key=one.key)
                self.context.refuse(line, UNSUPPORTED_SETTINGS.get(one.key, unknown))
            elif one.key == "comment" and one.on and one.value[0].lower() == "begin":
                self._house_rules(line, entry)
            elif one.value and takes_nothing(one.key):
                name = one.key.upper()
                reason = Message("setup.nothing_behind", name=name)
                self.context.refuse(line, reason, f"SET {name}" if one.on else f"SET NO{name}")
            elif self._may(line, entry) and entry.handler is not None:
                self._done_by(entry, partial(entry.handler, self.context, line, one))

    def _done_by(self, entry: CommandEntry, do: Callable[[], None]) -> None:
        """Carry out a command; the answer names the lines that take back what a master did."""
        context, named = self.context, len(self.context.answer.undo)
        is_masters = context.seat is not None and context.seat.role is Role.MASTER
        before = context.game
        do()
        is_named = len(context.answer.undo) > named
        if before is not None and is_masters and not is_named and entry.who <= MASTERS:
            name_lines_back(context, before)

    def _house_rules(self, line: Line, entry: CommandEntry) -> None:
        lines: list[Line] = []
        has_end = False
        while self.left and not has_end:
            each = self.left.pop(0)
            has_end = "".join(each.text.split()).lower() in _ENDS_OF_COMMENT
            lines += [] if has_end else [each]
        if not self._may(line, entry):
            return
        if not has_end:
            self.context.refuse(line, Message("intake.comment_without_end"))
            tell_unread(self.context, lines)
            return
        kept = tuple(each.raw.strip() for each in lines)
        self._done_by(entry, partial(set_house_rules, self.context, line, kept))

    def read_below(self, line: Line, command: PlainCommand | Press | PostalPress | Diary) -> None:
        """Carry out a command together with the lines below that belong to it."""
        match command:
            case PlainCommand(name="register"):
                self._register(line)
            case PlainCommand():
                self._try_out(line, command)
            case _:
                self._write(line, command)

    def _register(self, line: Line) -> None:
        """Register with the lines up to ``end``, or up to the first that is no field."""
        fields: list[Line] = []
        while self.left and not self.left[0].is_press:
            if self.left[0].text.strip().lower() == "end":
                self.left.pop(0)
                break
            if ":" not in self.left[0].text:
                break
            fields.append(self.left.pop(0))
        if self._may(line, ENTRIES["register"]):
            register(self.context, line, fields)

    def _try_out(self, line: Line, command: PlainCommand) -> None:
        """Try the lines below a WHATIF; they are never orders, allowed or not."""
        below = what_if.lines_below(self.context.parsed_lines, self.left)
        if self.context.progress.is_dry:
            # What is counted would be forgotten with the mail; it stores nothing anyway.
            self.context.refuse_all(line, NOT_DRY)
            tell_unread(self.context, below)
            return
        if not self._may(line, ENTRIES["whatif"]):
            tell_unread(self.context, below)
            return
        self.file_orders()
        what_if.what_if(self.context, line, command, below)

    def _write(self, line: Line, command: Press | PostalPress | Diary) -> None:
        """Carry out a command with a text; its lines are never commands, allowed or not."""
        passage = rows.passage_behind(self.context.parsed_lines, self.left, line.number)
        entry = next(iter(entries_for(command)))
        if not self._may(line, entry):
            press.give_back(self.context, redacted(self.context, passage.text))
        elif meant := rows.swallowed(self.context, passage):
            rows.hold_back(self.context, line, passage, meant)
        else:
            rows.write_text(self.context, line, command, passage.text)

    def _may(self, line: Line, entry: CommandEntry) -> bool:
        """Return True if the sender may use a command, else tell them why not."""
        flaw: MessageOrText | None
        if self.context.became and entry.is_personal:
            flaw = Message("lines.only_the_player")
        elif entry.about_phase and self._moves_once_agreed:
            flaw = Message("lines.waits_above", what=self._moves_once_agreed)
        else:
            flaw = _why_not(self.context, entry)
        if flaw:
            self.context.refuse(line, flaw)
        return not flaw


def _why_not(context: MailContext, entry: CommandEntry) -> MessageOrText | None:
    game, seat = context.game, context.seat
    if entry.for_the_living and _is_out(context):
        return Message("lines.eliminated")
    if not entry.who & {_role_of(game, seat), Caller.ANYBODY}:
        allowed = tuple(each.words for each in Caller if each in entry.who)
        return Message("help.only_for", who=allowed) if seat else Message("help.sign_on")
    if entry.act is Act.PERSON and not _may_set_person(context):
        return Message("lines.from_own_address")
    flaw = why_not_yet(context, entry)
    return flaw or (entry.refused_in.get(game.status) if game else None)


def _may_set_person(context: MailContext) -> bool:
    """Return True if the mail may change the writer's settings for all games."""
    person = context.person
    if person is not None:
        known = context.uow.persons.get(person.id) or person
        if context.address in known.addresses or is_from_address_on_file(context):
            return True
    return verdict(Act.PERSON, context.proof) is not Verdict.ON_FILE


def _is_out(context: MailContext) -> bool:
    """Return True for a player all of whose powers are eliminated."""
    view, seat = context.view(), context.seat
    if view is None or seat is None or not seat.powers:
        return False
    return set(seat.powers) <= view.state.eliminated


def _role_of(game: Game | None, seat: Seat | None) -> Caller:
    """The role of a seat for commands; a game has one master and any co-masters."""
    if game is None or seat is None:
        return Caller.ANYBODY
    match seat.role:
        case Role.PLAYER:
            return Caller.PLAYER
        case Role.OBSERVER:
            return Caller.OBSERVER
        case Role.MASTER:
            return Caller.MASTER if seat.person == game.master else Caller.CO_MASTER


def run_mail(context: MailContext) -> None:
    """Carry out the lines of a mail; changes and answer are in *context* afterwards."""
    _MailRun(context).process_lines()


class _MailRun:
    """The lines of one mail that are left to do."""

    def __init__(self, context: MailContext) -> None:
        self.context = context
        self.left = list(context.mail.lines)
        self.unread = UnparsedLines(context)
        self.draft = OrderDraft(context)
        self.commands = CommandLines(context, self.left, self.draft)
        self.commands_read = 0
        self.limit = CommandLimit()
        self.questions: list[Line] = []
        """Answered once the orders are on file."""

    def process_lines(self) -> None:
        """Read the lines, then put the orders on file."""
        commands = commands_of(self.context.parsed_lines, self.context.mail.lines)
        self.context.progress.is_dry = DRY in commands
        self.context.progress.wanted_language = language_set_by(self.context, commands)
        self._use_tokens()
        self._answer_press()
        if self.context.changes.game is not None and self.context.changes.game.agreements:
            agreements.take_answer(self.context, self.left)
        while self.left and not self.context.progress.is_closed:
            if len(self.context.answer.troubles) >= MAX_ERRORS:
                stop(self.context, self.left[0].number, TOO_MANY_ERRORS)
            else:
                line = self.left.pop(0)
                try:
                    self._take(line)
                except TooManyPasswords:
                    self.context.refuse_all(line, TOO_MANY)
        if self.context.at_end.once_known is not None:
            self.context.at_end.once_known()
        self.commands.file_orders()
        self.context.end_copy()
        answer_questions(self.context, self.questions)
        confirm_changes(self.context)
        seats.start_if_full(self.context)
        press.send_unsigned(self.context)
        tell_unread(self.context, self.draft.unread)
        self.unread.tell(self.left, self.commands_read)
        self._wait_for_missed()
        report_stale_token(self.context)
        tell_cut(self.context)

    def _use_tokens(self) -> None:
        """Open the seat of a token; an answer about an act is read as that act."""
        if not self.context.progress.is_dry:
            self.commands_read += confirm_address(self.context)
            self.commands_read += answer_as_substitute(self.context)
        answered = confirmation.resume_pending_act(self.context, self.commands.in_full)
        if answered is None:
            open_by_token(self.context)
            take_form(self.context)
            self.left[:] = self.context.mail.lines
            sign_in.turned_away(self.context, None)
        else:
            self.left[:] = answered.lines
        self.commands_read += answered is not None or self.context.writer.opened_by_token

    def _answer_press(self) -> None:
        """Forward an answer to press unchanged: none of it is read as an order."""
        token = press_answered(self.context)
        if token is not None and rows.answer_press(self.context, token):
            self.context.progress.is_dry, self.context.progress.wanted_language = False, ""
            self.context.mail = replace(self.context.mail, rows=())
            self.left.clear()
            self.commands_read += 1

    # --- lines --------------------------------------------------------------------------------

    def _take(self, line: Line) -> None:
        if line.is_press:
            self._give_back_text(line)
            return
        command = self.context.parsed_lines.command(line)
        if self.draft.takes(line, self.left):
            self.draft.branch(line)
        elif (parts := self._parts(line, command)) is not None:
            self.left[:0] = parts
        else:
            self._take_as(line, command)

    def _take_as(self, line: Line, command: Command | NotACommand | ParseError) -> None:
        kind = kind_of(self.context, line, command)
        if kind is LineKind.COMMAND and isinstance(command, NotACommand):
            self._take_foreign(line)
        elif kind is LineKind.COMMAND and not isinstance(command, NotACommand):
            self.draft.break_off()
            self._take_command(line, command)
        elif kind is LineKind.QUESTION and self.context.seat is not None:
            self.questions.append(line)
        elif kind is LineKind.ORDER and is_player(self.context.seat):
            self.draft.take(line)
        elif says_nothing(line.text) or (
            self.context.seat is not None and kind is not LineKind.ORDER
        ):
            self.unread.prose.append(line)
        else:
            self.unread.lines.append(line)
            hide_signon(self.context, line, len(self.unread.lines))

    def _parts(
        self, line: Line, command: Command | NotACommand | ParseError
    ) -> tuple[Line, ...] | None:
        """The lines in one row, as of a power and its order; None if it is only one."""
        is_own = isinstance(command, Become) and command.own
        if not (is_own or isinstance(command, NotACommand)):
            return None
        asked = questions_within(self.context, line) if "?" in line.text else ()
        if asked or line.text[1:2] == " ":  # as most orders begin
            return asked or None
        return split_power_heading(self.context, line)

    def _take_command(self, line: Line, command: Command | ParseError) -> None:
        match command:
            case ParseError() | SignOn() if is_courteous(line):
                self._take_greeting(line, command)
            case ParseError() if (
                is_player(self.context.seat) and plain_request(line.text) is not None
            ):
                # As with an order that cannot be read, the phase must not begin without it.
                self.draft.take(line)
            case ParseError():
                self._refuse_command(line, command)
            case (
                PlainCommand(name="register" | "whatif")
                | Press()
                | PostalPress(act=NoteAction.RECORD)
                | Diary(act=NoteAction.RECORD)
            ):
                if self.limit.takes(self.context, line, command):
                    self.commands_read += 1
                    self.commands.read_below(line, command)
                else:
                    self.left.insert(0, line)
            case _ if self.context.progress.is_dry and not is_harmless(command):
                self.commands_read += 1
                self.context.refuse_all(line, NOT_DRY)
            case _ if self.commands.is_repeated(command):
                self.commands_read += 1
            case _ if self.limit.takes(self.context, line, command):
                self.commands_read += 1
                self.commands.carry_out(line, command)
            case _:
                self.left.insert(0, line)

    def _refuse_command(self, line: Line, problem: ParseError) -> None:
        self.commands_read += 1
        has_text = bool(self.left) and self.left[0].is_press
        refuse_problem(self.context, line, problem, has_text=has_text)
        if is_player(self.context.seat) and is_about_orders(line, problem):
            self.draft.doubt()

    def _take_foreign(self, line: Line) -> None:
        if begins_press(line.text) and self.context.seat is not None:
            self._take_foreign_press(line)
        elif is_player(self.context.seat):
            refuse_unknown(self.context, line)
        else:
            self.unread.lines.append(line)
            hide_signon(self.context, line, len(self.unread.lines))

    def _take_foreign_press(self, line: Line) -> None:
        """Skip a message in the words of another judge, if it has an end."""
        refuse_unknown(self.context, line)
        ends = rows.end_of_text(self.context.parsed_lines, self.left)
        text = self.left[:ends]
        marked = [replace(each, is_press=True) for each in text]
        passage = rows.passage_behind(self.context.parsed_lines, marked, line.number)
        press.give_back(self.context, redacted(self.context, passage.text))
        del self.left[: ends + bool(text)]

    def _take_greeting(self, line: Line, command: SignOn | ParseError) -> None:
        """Treat `hello` as a greeting if it opens no seat."""
        if (
            isinstance(command, SignOn)
            and self.context.game is None
            and seats.opens_seat(self.context, command)
        ):
            self.commands_read += 1
            sign_in.turned_away(self.context, line, len(self.context.answer.done))
        else:
            self.unread.prose.append(line)

    def _give_back_text(self, line: Line) -> None:
        self.left.insert(0, line)
        passage = rows.passage_behind(self.context.parsed_lines, self.left, line.number - 1)
        press.give_back(self.context, redacted(self.context, passage.text))

    # --- the end ------------------------------------------------------------------------------

    def _wait_for_missed(self) -> None:
        """Let the phase wait if an order was surely meant and not read."""
        search = MissedOrders(self.context)
        if is_player(self.context.seat) and any(map(search.is_sure, self.context.progress.missed)):
            self.context.flag()
