"""Press: the rules of a game and their settings, sending, and what each reader is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from machjudge.adjudicator.money.bank import is_cut_off
from machjudge.adjudicator.rules import Ban
from machjudge.judge.audience import Meant, letters_of, meant_by
from machjudge.judge.commands import SEATED, WATCHING, command, once_begun, setting
from machjudge.judge.confirmation import letter_of
from machjudge.judge.credentials import Act, PressToken
from machjudge.judge.game_settings import (
    PRESS_SWITCHES,
    Fakes,
    FromLate,
    FromObservers,
    PressRules,
    Tones,
)
from machjudge.judge.game_view import GameView
from machjudge.judge.limits import no_more_press
from machjudge.judge.mail_context import MailContext, Redacted, Unsigned, redacted
from machjudge.judge.mails import Part, Standing
from machjudge.judge.order_lines import Submission, submit
from machjudge.judge.outgoing import Addressee, addressees, announce_setting, head_of, sight_of
from machjudge.judge.people import MASTER
from machjudge.judge.records import (
    Author,
    Game,
    PersonId,
    PressItem,
    Readership,
    Role,
    Seat,
    Status,
)
from machjudge.language.command_parser import Reader
from machjudge.language.command_parser import ReaderRole as Side
from machjudge.language.commands import Audience, Press, Setting, Tone
from machjudge.mail_parser.lines import Line
from machjudge.mail_parser.secrets import REDACTED
from machjudge.messages.layout import clean_body
from machjudge.messages.render import (
    EVERYBODY,
    UNNAMED,
    UNTOLD,
    Aim,
    Text,
    subject,
    title,
)
from machjudge.messages.visibility import PressFacts
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText, Name

_FIRST_TONE = {
    Tones.NONE: Tone.SIGNED,
    Tones.WHITE: Tone.SIGNED,
    Tones.WHITE_GREY: Tone.SIGNED,
    Tones.GREY: Tone.ANONYMOUS,
    Tones.GREY_WHITE: Tone.ANONYMOUS,
}


@dataclass(frozen=True, slots=True)
class WantedPress:
    """The message that a writer wants to send."""

    seat: Seat
    to: Meant
    tone: Tone | None = None
    """None: the game's usual one."""
    shown: Meant | None = None
    """The readers that it shall state; None if not given."""
    no_fake: bool = False

    @property
    def is_free(self) -> bool:
        """True if it is the master's, or for them alone: always allowed, signed, never faked."""
        return self.to.is_master or self.seat.role is Role.MASTER


def as_meant(rules: PressRules, wanted: WantedPress) -> WantedPress:
    """Return the wish with the game's defaults."""
    signs = wanted.is_free or _observer_signs(rules, wanted.seat)
    tone = wanted.tone or (Tone.SIGNED if signs else _FIRST_TONE[rules.tones])
    fakes = rules.fakes is Fakes.BROADCAST and not (
        wanted.is_free or wanted.no_fake or wanted.to.aim.to_all or wanted.to.names_master
    )
    shown = Meant(EVERYBODY, all_but=True) if fakes and wanted.shown is None else wanted.shown
    return replace(wanted, tone=tone, shown=shown)


def _observer_signs(rules: PressRules, seat: Seat) -> bool:
    return seat.role is Role.OBSERVER and rules.observers is FromObservers.WHITE


def why_not(context: MailContext, game: Game, wanted: WantedPress) -> Message | None:
    """Return why the message, *wanted* as `as_meant` returns it, may not be sent; or ""."""
    reasons = (
        *_manner(game, wanted),
        *_kind(game.settings.press, wanted),
        *_time(context, game, wanted),
    )
    return next(iter(reasons), None)


def is_ruled_out(rules: PressRules, wanted: WantedPress) -> bool:
    """Return True if the game never has such press: to some, to all, from observers."""
    return next(_kind(rules, wanted), None) is not None


def _manner(game: Game, wanted: WantedPress) -> Iterator[Message]:
    rules, hides = game.settings.press, wanted.tone is Tone.ANONYMOUS or wanted.shown is not None
    if wanted.is_free:
        if hides:
            yield Message("press.master_signs", to_master=wanted.to.is_master)
        return
    if hides and wanted.to.names_master and _master_plays(game):
        yield Message("press.master_plays")
    yield from _tone(rules, wanted)
    if wanted.shown is not None:
        if rules.fakes is Fakes.NONE:
            yield Message("press.never_faked")
        elif wanted.to.aim.to_all:
            yield Message("press.broadcast_faked")


def _tone(rules: PressRules, wanted: WantedPress) -> Iterator[Message]:
    signs = _observer_signs(rules, wanted.seat)
    if wanted.tone is Tone.ANONYMOUS and signs:
        yield Message("press.observers_sign")
    elif wanted.tone is Tone.ANONYMOUS and rules.tones is Tones.WHITE:
        yield Message("press.always_signed")
    elif wanted.tone is Tone.SIGNED and rules.tones is Tones.GREY and not signs:
        yield Message("press.always_anonymous")


def _master_plays(game: Game) -> bool:
    masters = (seat for seat in game.seats if seat.role is Role.MASTER and seat.person)
    return any(sight_of(game, [seat]).plays for seat in masters)


def _kind(rules: PressRules, wanted: WantedPress) -> Iterator[Message]:
    if wanted.is_free:
        return
    if rules.tones is Tones.NONE:
        yield Message("press.none")
    if not rules.partial and not wanted.to.aim.to_all:
        yield Message("press.none_to_some")
    if wanted.seat.role is Role.OBSERVER and rules.observers is FromObservers.NONE:
        yield Message("press.none_from_observers")


def _time(context: MailContext, game: Game, wanted: WantedPress) -> Iterator[Message]:
    if not wanted.is_free:
        yield from _banned(context, game, wanted)
        yield from why_not_now(context, game, wanted.seat, to_all=wanted.to.aim.to_all)


def _banned(context: MailContext, game: Game, wanted: WantedPress) -> Iterator[Message]:
    """True if writer or reader leads an excommunicated power; press to all is no talk."""
    view = context.view()
    if view is None or game.status is not Status.RUNNING:
        return
    world, state = view.world, view.state
    if wanted.to.is_unnamed:
        # To name the power would tell who wrote what is answered.
        if any(is_cut_off(world, state, each, by=Ban.NO_TALK) for each in world.scenario.in_play):
            yield Message("press.unnamed_in_ban")
        return
    readers = () if wanted.to.aim.to_all else wanted.to.seats(game, wanted.seat)
    for power in (p for seat in (wanted.seat, *readers) for p in seat.powers):
        if is_cut_off(world, state, power, by=Ban.NO_TALK):
            yield Message("press.excommunicated", power=Words(world).power(power))


def why_not_now(context: MailContext, game: Game, seat: Seat, *, to_all: bool) -> Iterator[Message]:
    """Return why a seat may not write at present, by the rules for the late and the grace."""
    rules, view = game.settings.press, context.view()
    if view is None or game.status is not Status.RUNNING:
        return
    is_over = context.received > view.clock.deadline and view.clock.paused is None
    if is_over and not rules.grace:
        yield Message("press.none_in_grace")
    if seat.role is not Role.PLAYER or (rules.late is FromLate.ANY and not rules.must_order):
        return
    ordered = _as_ordered(context, view)
    if is_over and set(seat.powers) & ordered.readiness().missing:
        rule = rules.late
        may_write = rule is (FromLate.BROADCAST if to_all else FromLate.PARTIAL)
        if rule is not FromLate.ANY and not may_write:
            yield Message("press.late", rule=rule.value)
    if rules.must_order and _has_not_ordered(ordered, seat):
        yield Message("press.order_first")


def _has_not_ordered(view: GameView, seat: Seat) -> bool:
    """True if orders are due from a seat, and a power of it has none on file."""
    late = view.readiness().missing & set(seat.powers)
    order_sets = (view.order_sets.get(power) for power in late)
    return any(order_set is None or not order_set.lines for order_set in order_sets)


def _as_ordered(context: MailContext, view: GameView) -> GameView:
    """The view with the orders above in this mail, which are not on file yet."""
    power = context.power
    if not context.ordering.lines or power is None:
        return view
    lines = tuple(context.ordering.lines)
    taken = submit(
        view, Submission(power, lines, context.received, context.mail_id, said=context.parsed_lines)
    )
    order_set = taken.order_set
    return (
        view
        if order_set is None
        else replace(view, order_sets={**view.order_sets, power: order_set})
    )


@command(
    "set broadcast",
    act=Act.PLAY,
    who=WATCHING,
    setting="broadcast press",
    also=("set nobroadcast", "set normal broadcast"),
)
def set_broadcasts(context: MailContext, _: Line, said: Setting) -> None:
    """Receive broadcasts or not; the judge's own mails come in any case."""
    seat = context.sitting()[1]
    context.set_seat(replace(seat, wishes=replace(seat.wishes, broadcasts=said.on)))
    context.done(Message("press.copies.broadcasts", on=said.on))


@setting("all press", act=Act.PLAY, who=WATCHING, also=("set normal press", "set noall press"))
def set_all_press(context: MailContext, line: Line, said: Setting) -> None:
    """Receive silent copies of press to some, or not."""
    game, seat = context.sitting()
    watched = game.settings.press.watched
    if said.on and not sight_of(game, [seat]).reads_along(watched=watched):
        is_observer = seat.role is Role.OBSERVER and not watched
        context.refuse(line, Message("press.copies.none", is_observer=is_observer))
        return
    context.set_seat(replace(seat, wishes=replace(seat.wishes, all_press=said.on)))
    context.done(Message("press.copies.of_some", on=said.on))


_CHOICES: Mapping[str, tuple[str, type[FromObservers | FromLate]]] = {
    "observer press": ("observers", FromObservers),
    "late press": ("late", FromLate),
}


# --- the rules --------------------------------------------------------------------------------


@setting("white press", "grey press", "white/grey press", "grey/white press")
def set_tone(context: MailContext, line: Line, said: Setting) -> None:
    """Set whether press is signed: ``white``, ``grey``, ``white/grey``, ``grey/white``."""
    if said.on:
        _change(context, "tones", Tones(said.key.removesuffix(" press")))
    else:
        context.refuse(line, Message("press.which_tone"))


@setting("press")
def set_press(context: MailContext, line: Line, said: Setting) -> None:
    """Forbid press (``none``), or allow signed press again."""
    rules = context.sitting()[0].settings.press
    if said.value:
        context.refuse(line, Message("press.known_tones"))
    elif not said.on:
        _change(context, "tones", Tones.NONE)
    elif rules.tones is Tones.NONE:
        _change(context, "tones", Tones.WHITE)
    else:
        context.done(Message("press.rules", rules=rules))


@setting("partial press", "grace press", "must order", "postal press", "watch all press")
@setting("reveal press", refused_in=once_begun(Message("press.open_stays")))
def set_switch(context: MailContext, _: Line, said: Setting) -> None:
    """Switch one press rule on or off."""
    _change(context, PRESS_SWITCHES[said.key], said.on)


@setting("fake press")
def set_fake(context: MailContext, _: Line, said: Setting) -> None:
    """Let press to some state other readers, or not."""
    _change(context, "fakes", Fakes.MAY if said.on else Fakes.NONE)


@setting("partial fakes broadcast")
def set_fakes_broadcast(context: MailContext, _: Line, said: Setting) -> None:
    """Let press to some state that it went to everybody, by default."""
    _change(context, "fakes", Fakes.BROADCAST if said.on else Fakes.MAY)


@setting(*_CHOICES)
def set_choice(context: MailContext, line: Line, said: Setting) -> None:
    """Set what observers, or late players, may write; without a word the first value."""
    field, choices = _CHOICES[said.key]
    words = tuple(each.value for each in choices)
    word = " ".join(said.value).lower().removesuffix(" press") if said.on else "no"
    word = {"none": "no", "": words[0], "broadcasts": "broadcast"}.get(word, word)
    if word in words:
        _change(context, field, choices(word))
    else:
        context.refuse(line, Message("press.choose", name=said.key, words=words))


def _change(context: MailContext, field: str, value: object) -> None:
    game, _ = context.sitting()
    # Any: mypy cannot know the type of a field by its name.
    change: dict[str, Any] = {field: value}
    rules: PressRules = replace(game.settings.press, **change)
    if rules == game.settings.press:
        context.done(Message("press.nothing_changes"))
        return
    changed = replace(game, settings=replace(game.settings, press=rules))
    context.set_game(changed)
    before = Message("press.rules", rules=game.settings.press)
    after = Message("press.rules", rules=rules)
    context.note("settings", Message("press.noted", rules=after))
    context.done(Message("press.changed", before=before, after=after))
    context.answer.standing["press"] = (Message("press.standing", rules=after),)
    standing = Standing("press", (Message("press.announced", rules=after),))
    announce_setting(context, changed, [Message("press.master_changed")], standing)


_TO_ALL = Meant(EVERYBODY, all_but=True)


@dataclass(frozen=True, slots=True)
class Reply:
    """How to answer a message; lines are empty if that is forbidden, or has no known reader."""

    signon: str
    by_reply: bool
    """The words of a plain answer go to the writer."""
    to_writer: str = ""
    """The line above words for the writer, in a new mail."""
    to_all: str = ""
    """The line above words for all stated readers; empty if there are no others."""


def reply_to(game: Game, reader: Seat, writer: Seat | None, got: Meant | None) -> Reply:
    """Return how *reader* answers press.

    :param writer: its writer, as far as the reader may know.
    :param got: the stated readers; None if not stated.
    """
    signon = f"{letter_of(reader)}{game.name}"
    named = _names(writer) if writer is not None else ()
    alone = Meant(Aim(""), named) if named else Meant(UNNAMED)
    by_reply = _may(game, reader, alone)
    to_all = _to_all(game, reader, writer, got) if got is not None else ""
    if not (by_reply or to_all) and _may(game, reader, _TO_ALL):
        to_all = "BROADCAST"
    return Reply(
        signon, by_reply, f"PRESS TO {_letters(named)}" * (by_reply and bool(named)), to_all
    )


def _to_all(game: Game, reader: Seat, writer: Seat | None, got: Meant) -> str:
    if not _may(game, reader, got):
        return ""
    if got.aim.to_all:
        return "BROADCAST"
    if got.all_but:
        return f"PRESS TO ALL BUT {_letters(got.named)}"
    writers = _names(writer) if writer is not None else ()
    others = [each for each in got.named if each not in (*writers, *_own(game, reader))]
    return f"PRESS TO {_letters((*writers, *others))}" if others and writers else ""


def _may(game: Game, reader: Seat, to: Meant) -> bool:
    return not is_ruled_out(game.settings.press, WantedPress(reader, to))


def _names(seat: Seat) -> tuple[Reader, ...]:
    """The name of a seat in press; nothing before powers are dealt."""
    match seat.role:
        case Role.PLAYER:
            return seat.powers
        case Role.MASTER:
            return (Side.MASTER,)
        case Role.OBSERVER:
            return (Side.OBSERVERS,)


def _own(game: Game, seat: Seat) -> tuple[Reader, ...]:
    others = (each for each in game.seats if each.person not in (None, seat.person))
    is_only_one = all(each.role is not seat.role for each in others)
    return _names(seat) if seat.role is Role.PLAYER or is_only_one else ()


def _letters(named: tuple[Reader, ...]) -> str:
    return "".join(letters_of(named))


@dataclass(frozen=True, slots=True)
class PressMessage:
    """A message that may be sent."""

    sender: Seat
    readers: tuple[Seat, ...]
    """Empty for everybody."""
    text: str
    to: Meant
    stated: Meant | None
    """The stated readers; None if not stated."""
    anonymous: bool = False

    @property
    def aim(self) -> Aim:
        """The true readers."""
        return self.to.aim

    @property
    def shown(self) -> Aim:
        """The stated readers, by default *aim*."""
        return self.stated.aim if self.stated is not None else UNTOLD

    @property
    def says_to(self) -> Readership | None:
        """The same as stored; None for the true ones."""
        if self.shown == self.aim:
            return None
        return self.stated.readers if self.stated is not None else Readership()

    @property
    def is_faked(self) -> bool:
        """True if it states other readers than it has."""
        return self.stated is not None and self.stated.aim != self.aim

    @property
    def has_secrets(self) -> bool:
        """True if its readers are not told everything about it."""
        return self.anonymous or self.shown != self.aim


def press_facts_of(item: PressItem) -> PressFacts:
    """Return what decides who may read a stored message."""
    return PressFacts(
        author=item.people[0] if item.people else "",
        sender=item.sender,
        people=frozenset(item.people) - {""},
        seats=frozenset(item.readers),
        to_all=not item.readers,
        anonymous=item.anonymous,
    )


def is_meant(message: PressMessage, to: Addressee) -> bool:
    """Return True if a message is for a person at an address."""
    readers = {seat.number for seat in message.readers}
    return not readers or bool(readers & {seat.number for seat in to.seats})


def part_for(
    context: MailContext, game: Game, message: PressMessage, press_facts: PressFacts, to: Addressee
) -> Part:
    """Return the message as the reader at one address may know it.

    Anonymous press goes in a message of its own: other contents of the mail would show its writer.
    """
    view = context.view()
    signature = signature_of(context, game, message.sender)
    signed = signature if to.sight.sees_signature(press_facts) else ""
    aim = message.aim if to.sight.sees_author(press_facts) else message.shown
    lines = context.services.renderer.of(to.reader.language).lines(
        "press", _facts(context, game, message, press_facts, to)
    )
    return Part(
        game=game.id,
        to=to.address,
        reader=to.reader,
        head=head_of(context.services, game, view.state.moment.code if view else ""),
        subject=subject(signed, aim, anonymous=message.anonymous),
        lines=lines,
        is_press=True,
        reply=_token(context, game, message, to, knows_writer=bool(signed)),
        stands_alone=message.anonymous,
        yields=None if 0 < len(message.readers) < _MANY else _OF_MANY,
    )


def _facts(
    context: MailContext, game: Game, message: PressMessage, press_facts: PressFacts, to: Addressee
) -> Mapping[str, object]:
    signature = signature_of(context, game, message.sender)
    signed = signature if to.sight.sees_signature(press_facts) else ""
    knows = to.sight.sees_author(press_facts)
    aim = message.aim if knows else message.shown
    public = "" if message.anonymous else signature
    reader = _seat_of(message, to)
    stated = title(public, message.shown, anonymous=message.anonymous)
    writer = message.sender if signed else None
    return {
        "title": title(signed, aim, anonymous=message.anonymous),
        "reads_along": not is_meant(message, to),
        "told": stated if knows and message.has_secrets else "",
        "text": message.text,
        "unsigned": None if signed else Message("press.who_knows", **insight(game)),
        "writer": signed,
        "reply": reply_to(game, reader, writer, message.to if knows else message.stated),
    }


def _token(
    context: MailContext, game: Game, message: PressMessage, to: Addressee, *, knows_writer: bool
) -> PressToken:
    """The scope of a reader's answer at one address: words to the writer."""
    seat, serial = _seat_of(message, to), "" if knows_writer else context.services.chance.token()
    return PressToken(
        game.id,
        seat.number,
        seat.generation,
        writer=message.sender.number,
        is_unnamed=not knows_writer,
        hides=message.to.is_unnamed,
        serial=serial,
    )


def _seat_of(message: PressMessage, to: Addressee) -> Seat:
    """The reader's first seat that got the message, from which an answer goes."""
    readers = {seat.number for seat in message.readers}
    return next((seat for seat in to.seats if seat.number in readers), to.seats[0])


def insight(game: Game) -> dict[str, bool]:
    """Return who besides the judge sees through anonymous and faked press."""
    masters = (seat for seat in game.seats if seat.role is Role.MASTER and seat.person)
    return {
        "master_sees": any(sight_of(game, [seat]).sees_all for seat in masters),
        "in_the_end": game.settings.press.opened,
        "is_open": game.settings.press.opened and game.status is Status.FINISHED,
    }


def author_of(context: MailContext, game: Game, seat: Seat) -> Author:
    """Return the author as stored: no name beside a power or an office."""
    is_named = not seat.powers and seat.role is not Role.MASTER
    person = context.people(game).get(seat.person) if is_named and seat.person else None
    return Author(seat.role, seat.powers, person.name if person is not None else "")


def signed_by(words: Words, author: Author) -> MessageOrText:
    """Return an author in words."""
    if author.role is None:
        return Name(author.name, words.world.scenario.board.names)
    powers = tuple(map(words.power, author.powers))
    return Message("press.signature", powers=powers, role=author.role.value, name=author.name)


def signature_of(context: MailContext, game: Game, seat: Seat) -> MessageOrText:
    """Return a seat's signature: its powers, the master, or a person's name and role."""
    return signed_by(Words(context.services.world(game)), author_of(context, game, seat))


_MAX_NAMED = 8
_MANY, _OF_MANY = 3, timedelta(days=1)
"""How many readers are many, and for how long their messages let others go first."""
LONGEST = 20_000
"""Characters of a message; longer ones are not sent."""


# --- from a command to a message --------------------------------------------------------------


def press(context: MailContext, line: Line, said: Press, text: Sequence[str]) -> None:
    """Send a message, or return it with the reason."""
    game, seat = context.game, context.seat
    if game is None or seat is None:
        return
    wanted = _wanted(context, game, seat, said)
    _press(context, game, line, wanted, redacted(context, text))


def answer(context: MailContext, line: Line, token: PressToken, text: Sequence[str]) -> None:
    """Send the text to the writer of the message with that token, as `press` does."""
    game, seat = context.game, context.seat
    if game is None or seat is None:
        return
    tone = Tone.ANONYMOUS if token.hides else None
    wanted = WantedPress(seat, _writer_of(context, game, token), tone)
    _press(context, game, line, as_meant(game.settings.press, wanted), redacted(context, text))


def _writer_of(context: MailContext, game: Game, token: PressToken) -> Meant:
    if token.is_unnamed:
        return Meant(UNNAMED, seat=token.writer)
    writer = next(seat for seat in game.seats if seat.number == token.writer)
    if writer.powers or writer.role is Role.MASTER:
        scenario = context.services.scenario(game)
        named = writer.powers or (MASTER,)
        found = meant_by(scenario, Audience(tuple(named)))
        if isinstance(found, Meant):
            return found
    return Meant(Aim(signature_of(context, game, writer)), seat=token.writer)


def _press(
    context: MailContext, game: Game, line: Line, wanted: WantedPress | Message, clean: Redacted
) -> None:
    message = _message(context, game, wanted, clean)
    if isinstance(message, PressMessage):
        message = no_more_press(context, game, message.sender) or message
    if not isinstance(message, PressMessage):
        context.refuse(line, message)
        give_back(context, clean)
        _tell_orders(context, "")
        return
    if message.anonymous:
        sends = partial(_send_out, context, game, message, clean)
        context.at_end.unsigned.append(Unsigned(line, sends, partial(give_back, context, clean)))
        return
    _send_out(context, game, message, clean)


def _send_out(context: MailContext, game: Game, message: PressMessage, text: Redacted) -> None:
    _send(context, game, message)
    _receipt(context, game, message)
    tell_redacted(context, text)


def send_unsigned(context: MailContext) -> None:
    """Send the anonymous text of a mail, if the mail causes no other messages.

    Otherwise those would show who wrote it.  To be called at the end of the mail.
    """
    own = {
        context.answer_to,
        context.address,
        *((context.seat.address,) if context.seat is not None else ()),
    }
    tells_others = any(each.to not in own for each in context.messages)
    for number, text in enumerate(context.at_end.unsigned):
        if tells_others or number:
            context.refuse(text.line, Message("press.not_alone"))
            text.give_back()
        else:
            text.send()


def give_back(context: MailContext, text: Redacted) -> None:
    """Return a text that was not sent to its writer, if signed on, as From can be forged."""
    if not any(line.strip() for line in text.lines):
        return
    if context.seat is None:
        context.answer.notices.append(Message("press.not_sent", lines=len(text.lines)))
        return
    body = clean_body("\n".join(text.lines)).strip("\n").split("\n")
    shown = tuple(f"  {line}".rstrip() for line in body)
    context.answer.texts.append(Text(Message("press.given_back"), shown))
    tell_redacted(context, text)


def tell_redacted(context: MailContext, text: Redacted) -> None:
    """Report that a password stood in a text."""
    if text.count:
        message = Message("press.redacted", lines=text.count, sign=REDACTED)
        context.answer.notices.append(message)


def _wanted(context: MailContext, game: Game, seat: Seat, said: Press) -> WantedPress | Message:
    scenario = context.services.scenario(game)
    to = meant_by(scenario, said.to)
    shown = meant_by(scenario, said.shown_to) if said.shown_to is not None else None
    if isinstance(to, Message):
        return to
    if isinstance(shown, Message):
        return shown
    return as_meant(game.settings.press, WantedPress(seat, to, said.tone, shown, said.no_fake))


def _message(
    context: MailContext, game: Game, wanted: WantedPress | Message, text: Redacted
) -> PressMessage | MessageOrText:
    if isinstance(wanted, Message):
        return wanted
    reason, to = why_not(context, game, wanted) or text_flaw(text), wanted.to
    readers = () if to.aim.to_all else to.seats(game, wanted.seat)
    if reason is None and not readers and not to.aim.to_all:
        reason = Message("press.no_readers")
    return reason or _meant_message(wanted, readers, body_of(text))


def text_flaw(text: Redacted) -> Message | None:
    """Return why a text cannot be sent under any rules."""
    body = body_of(text)
    if not body:
        return Message("press.empty")
    if len(body) > LONGEST:
        return Message("press.too_long", most=LONGEST)
    return None


def body_of(text: Redacted) -> str:
    """Return a text as its readers get it."""
    return clean_body("\n".join(text.lines)).strip("\n").rstrip()


def _meant_message(wanted: WantedPress, readers: tuple[Seat, ...], text: str) -> PressMessage:
    anonymous = wanted.tone is Tone.ANONYMOUS
    meant = None if anonymous and not wanted.to.aim.to_all else wanted.to
    return PressMessage(wanted.seat, readers, text, wanted.to, wanted.shown or meant, anonymous)


# --- sending ----------------------------------------------------------------------------------


def _send(context: MailContext, game: Game, message: PressMessage) -> None:
    to = [each for each in _addressees(context, game, message) if _gets(game, message, each)]
    people = [seat.person for each in to for seat in each.seats if seat.person is not None]
    writer = message.sender.person or PersonId("")
    item = PressItem(
        game=game.id,
        at=context.now,
        after=game.position,
        sender=message.sender.number,
        readers=tuple(seat.number for seat in message.readers),
        text=message.text,
        anonymous=message.anonymous,
        author=author_of(context, game, message.sender),
        aim=message.to.readers,
        shown=message.says_to,
        people=tuple(dict.fromkeys([writer, *people])),
    )
    for each in to:
        context.send(part_for(context, game, message, press_facts_of(item), each))
    context.changes.press.append(item)


def _addressees(context: MailContext, game: Game, message: PressMessage) -> list[Addressee]:
    """Everybody at the game but the writer.

    For anonymous press the order is shuffled, so that the numbers of the messages do not show
    whether the writer sits between two readers.
    """
    found = addressees(context.services, game, context.people(game), context.now)
    others = [to for to in found if message.sender.number not in {s.number for s in to.seats}]
    if not message.anonymous:
        return others
    salt = context.services.chance.token()
    return sorted(others, key=lambda to: sha256(f"{salt}/{to.address}".encode()).digest())


def _gets(game: Game, message: PressMessage, to: Addressee) -> bool:
    if not message.readers:
        return any(seat.role is Role.PLAYER or seat.wishes.broadcasts for seat in to.seats)
    return is_meant(message, to) or _reads_along(game, to)


def _reads_along(game: Game, to: Addressee) -> bool:
    """True if an observer or master gets a copy of other people's press."""
    wishes = any(seat.wishes.all_press for seat in to.seats)
    return wishes and to.sight.reads_along(watched=game.settings.press.watched)


# --- the receipt ------------------------------------------------------------------------------


def _receipt(context: MailContext, game: Game, message: PressMessage) -> None:
    is_shown = message.shown not in (message.aim, UNTOLD)
    if context.progress.answers_press:
        context.answer.verdict.append(Message("press.answered", to=message.aim.words))
    _tell_orders(context, message.aim.words)
    context.done(
        Message(
            "press.sent",
            anonymous=message.anonymous,
            to=message.aim.words,
            shown=message.shown.words if is_shown else "",
        )
    )
    context.answer.done += [f"  {line}".rstrip() for line in message.text.split("\n")]
    if message.anonymous or message.is_faked:
        seen = {"anonymous": message.anonymous, "faked": message.is_faked, **insight(game)}
        context.done(Message("press.seen", **seen))
    # The powers that were named and have no player.
    empty = {power for seat in game.seats if seat.person is None for power in seat.powers}
    named = () if message.to.all_but else message.to.named
    words = Words(context.services.world(game))
    absent = tuple(words.power(power) for power in sorted(empty) if power in named)
    if absent:
        context.done(Message("press.absent", powers=absent))


def _tell_orders(context: MailContext, to: MessageOrText) -> None:
    """List the lines of an answer that look like orders; *to* is empty if it was not sent."""
    if lines := context.progress.orders_in_press:
        shown = tuple(map(context.safe, lines[:_MAX_NAMED]))
        message = Message("press.orders_in_words", lines=shown, n=len(lines), to=to)
        context.answer.verdict.append(message)


command("press", act=Act.PLAY, who=SEATED, kind=Press)(None)
command("broadcast", act=Act.PLAY, who=SEATED, kind=Press, also=("press to all",))(None)
