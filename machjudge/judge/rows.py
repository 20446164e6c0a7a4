"""The kinds of rows in a mail, and what is done with the unusual ones."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from difflib import SequenceMatcher, get_close_matches
from functools import cache, cached_property

from machjudge.adjudicator.events import ChitGiven
from machjudge.adjudicator.legality import objection_to, unit_named
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import OPTIONS
from machjudge.adjudicator.orders import (
    Build,
    BulkOrder,
    Expense,
    GiveChit,
    Maintain,
    Named,
    Order,
    Remove,
    UnitOrder,
    Waive,
)
from machjudge.adjudicator.rules import OrderNotation
from machjudge.judge import people, postal_press, press
from machjudge.judge.audience import meant_by
from machjudge.judge.command_table import (
    TABLE,
    entries_for,
    entry_of_setting,
    nearest,
    nearest_entry,
)
from machjudge.judge.commands import Caller, CommandEntry
from machjudge.judge.confirmation import is_proven, require_confirmation, signon_for
from machjudge.judge.credentials import ActToken, PressToken
from machjudge.judge.game_settings import SERVICE_OPTION_FIELDS
from machjudge.judge.game_view import GameView, SeenGame, write_order
from machjudge.judge.mail_context import (
    MAX_SHOWN,
    LineParser,
    MailContext,
    Work,
    interlude,
    is_player,
    more_lines,
    not_approved,
    redacted,
    shortened,
    tell_comments,
    tell_unread,
    too_old,
    vocabulary,
)
from machjudge.judge.mastering import own_seats
from machjudge.judge.order_lines import (
    OrderDraft,
    Submission,
    SubmittedOrders,
    for_another_phase,
    submit,
    unit_numbers,
)
from machjudge.judge.order_sets import lesson_of
from machjudge.judge.orders_ahead import file_standing_orders, keep_ahead
from machjudge.judge.outgoing import answered, answered_at, began, view_for_power
from machjudge.judge.questions import QUESTION, give_welcome, supported_instead
from machjudge.judge.records import Role
from machjudge.judge.rule_settings import option_line
from machjudge.judge.sign_in import rest_of_line
from machjudge.judge.texts import is_asked_for
from machjudge.language import command_parser
from machjudge.language import commands as c
from machjudge.language.commands import (
    END_PRESS,
    Audience,
    Become,
    Command,
    Diary,
    If,
    Join,
    List,
    NotACommand,
    PlainCommand,
    PostalPress,
    Press,
    Set,
    SignOff,
    SignOn,
)
from machjudge.language.lexicon import Lexicon, Unknown, lexicon_of, write
from machjudge.language.orders import LinePart, may_be_bulk_order, waits
from machjudge.language.words import (
    UNREAD,
    Fault,
    ParseError,
    cut,
    fold,
    plain_request,
    topic_of,
)
from machjudge.mail_parser.lines import (
    Defect,
    Line,
    LineKind,
    MailFlaw,
    Owner,
    Where,
    is_assent,
    is_closing,
    is_greeting,
    is_heading,
    is_name,
    names_of,
    words_of,
)
from machjudge.mail_parser.secrets import means_password
from machjudge.messages.layout import one_line
from machjudge.messages.receipt import Asked, asked
from machjudge.messages.render import MessageRenderer, Text
from machjudge.messages.wording import LineError, Words
from machjudge.translatable import Message, MessageOrText

MAX_COMMANDS = 150
MAX_SETTINGS = 200
MAX_ERRORS = 100
"""Wrong lines per mail; the rest is not read."""

# How much of one mail is carried out, and the sentence about the rest. What is cut off is named
# first in the answer, and the phase waits for it: an order is never lost silently.
TOO_MANY_ERRORS = Message("lines.cut.errors", most=MAX_ERRORS)
_CUT = frozenset({MailFlaw.TOO_MANY_LINES, MailFlaw.TOO_MUCH_TEXT, MailFlaw.TEXT_CUT})


@dataclass(slots=True)
class CommandLimit:
    """Counts the commands and settings of a mail that were carried out."""

    commands: int = 0
    settings: int = 0

    def takes(self, context: MailContext, line: Line, command: Command) -> bool:
        """Count a command; without room for it, stop reading the mail and return False."""
        self.commands += 1
        self.settings += len(command.settings) if isinstance(command, Set) else 0
        if self.commands > MAX_COMMANDS:
            stop(context, line.number, Message("lines.cut.commands", most=MAX_COMMANDS))
        elif self.settings > MAX_SETTINGS:
            stop(context, line.number, Message("lines.cut.settings", most=MAX_SETTINGS))
        elif context.progress.work >= Work.MAX:
            stop(context, line.number, Message("lines.cut.work"))
        context.progress.work += 1
        return not context.progress.is_closed


def stop(context: MailContext, number: int, reason: Message) -> None:
    """Read no line of the mail from that number on."""
    context.progress.is_closed = context.progress.is_cut = True
    context.answer.verdict.append(Message("lines.cut.stopped", reason=reason, number=number))


def tell_cut(context: MailContext) -> None:
    """Say first that the mail was too long, and let the phase wait for the rest of it."""
    for defect in context.mail.defects:
        if defect.flaw in _CUT:
            has_many = defect.flaw is MailFlaw.TOO_MANY_LINES
            message = Message("lines.cut.too_long", line=defect.line, has_many=has_many)
            context.answer.verdict.insert(0, message)
            context.progress.is_cut = True
            break
    if context.progress.is_cut and is_player(context.seat):
        context.flag()


# --- dry: a mail that is read and answered, and of which nothing is stored ----------------------

DRY = c.PlainCommand("dry")
"""Counts anywhere in a mail, but not in the text of a press."""
DRY_NOTICE = Message("lines.dry")
NOT_DRY = Message("lines.not_in_dry_mails")

_PARTS = frozenset({"else", "endif", "endpress"})
"""Parts of other commands, without an entry of their own."""


def commands_of(
    said: LineParser, lines: Iterable[Line]
) -> list[Command | c.NotACommand | ParseError]:
    """Return the lines of a mail as commands, up to the one that ends it.

    A line that opens a seat gives what stands behind the sign-on.
    """
    found = []
    for line in lines:
        command = said.command(line)
        if isinstance(command, c.SignOn | c.Join):
            command = said.command_in(rest_of_line(said, command))
        found.append(command)
        if isinstance(command, c.SignOff):
            break
    return found


def is_harmless(command: Command) -> bool:
    """Return True if a dry mail may hold the command, with each of its settings."""
    if isinstance(command, c.Set):
        found = [entry_of_setting(each) for each in command.settings]
        return bool(found) and all(each is not None and each.is_dry for each in found)
    entries = entries_for(command)
    is_part = isinstance(command, c.PlainCommand) and command.name in _PARTS
    return is_part or any(entry.is_dry for entry in entries)


_STRUCK = re.compile(r"~~.*~~")
_LETTER = re.compile(r"(?<![\w'])[AEFG](?![\w'.])")
"""A unit's letter inside a line; in lower case it is a word of many languages."""
_WRITTEN = re.compile(r"(?<!\w)-+>?(?=\s|\w)|\s->?\s|>")
_ASKED = frozenset(("get", "who", "list", "help", "history"))
"""First words of questions to the judge, and of sentences."""
_WATCHED = frozenset(("your", "my", "his", "her", "their", "the", "this", "how", "what", "out"))
"""Words behind ``watch`` in a sentence that name no game."""
_NEVER_TALK = frozenset(("clear", "fix", "phase", "restore", "set"))
"""Commands that seldom begin a sentence and must not be lost: `set wait, please!`."""
_LEAST_BEHIND, _MAX_BEHIND = 2, 8
_MAX_OF_COMMAND = 6
"""A line with more words is prose, even if it begins like a command of another judge."""
_MAX_OF_NAME = 5
"""Up to this many words, a unit and a place are an order whose rest is missing."""
_MAX_OF_SLIP = 4
_ALIKE = 0.8
_MAX_SLIPS = 50
"""For this many lines of a mail a similar order is looked for, which takes long."""
_NUMBERED = re.compile(r"(?<!\w)[afg][1-9]\d?(?!\w)", re.IGNORECASE)
"""A unit by its number, in games where units have numbers."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_EXPENSE = re.compile(
    r"(?:famine|plague) relief\b|pacify\b|counter-? ?bribe\b|cb\b|bribe\b|assassinate\b"
    r"|buy\b|cause\b|rebellion\b",
    re.IGNORECASE,
)
_VERBS = frozenset(("build", "burn", "cede", "disband", "maintain", "pay", "remove"))
"""Verbs that begin an order, in languages where they seldom begin a sentence."""
_MONEY_VERBS = frozenset(("borrow", "expense", "repay"))
"""Verbs that begin an order with a number, and sentences: ``pido perdón``."""


def kind_of(
    context: MailContext, line: Line, command: Command | NotACommand | ParseError
) -> LineKind:
    """Return the kind of a row; *command* is the row read as a command."""
    text = line.text
    if line.is_press:
        return LineKind.TEXT
    if _STRUCK.fullmatch(text):
        return LineKind.PROSE
    asks = text.endswith("?") or text[:1] == "¿"
    if asks and _is_question(context, text, command):
        return LineKind.QUESTION
    if not isinstance(command, NotACommand):
        return LineKind.PROSE if _is_talk(context, text, command) else LineKind.COMMAND
    if says_nothing(text):
        return LineKind.PROSE
    if _is_order(context, text) or plain_request(text) is not None:
        return LineKind.ORDER
    reason = supported_instead(text)
    if is_assent(text) and reason in (None, QUESTION):
        return LineKind.AGREEMENT
    if reason == QUESTION or text.endswith("?"):
        return LineKind.QUESTION
    if len(text.split()) <= _MAX_OF_COMMAND and (reason or _is_near_command(context, text)):
        return LineKind.COMMAND
    return LineKind.ORDER if _is_slip(context, text) else LineKind.PROSE


def _is_question(
    context: MailContext, text: str, command: Command | NotACommand | ParseError
) -> bool:
    """Return True for a plain question that begins like `who` or an order; it has its mark."""
    if context.seat is None:
        return False
    if isinstance(command, NotACommand):
        return not (vocabulary().is_unit_order(text) or _is_read(context, text))
    is_plain = isinstance(command, ParseError | PlainCommand | List)
    return is_plain and topic_of(text) is not None


def says_nothing(text: str) -> bool:
    """Return True for a second ``END``, or a heading such as "My orders for Spring:"."""
    return text.strip(" .!").lower() == "end" or (" for " in text and is_heading(text))


def questions_within(context: MailContext, line: Line) -> tuple[Line, ...]:
    """Return the parts of a line with a question mark: what it orders, then its questions.

    Empty if it asks nothing, or can be read as it stands: "A flo - bol?" is an order.
    """
    if not is_player(context.seat):
        return ()
    pieces = _pieces_of(context, line.text)
    is_whole = pieces is not None and not any(
        each.refused for each in pieces if not isinstance(each.said, BulkOrder)
    )
    if is_whole:
        return ()
    greeting, *sentences = _SENTENCES.split(line.text)
    greets = bool(sentences) and is_greeting(greeting)
    rest: list[str] = []
    asked: list[str] = []
    every = sentences if greets else [greeting, *sentences]
    meant = [sentence for sentence in every if not _wants_assent(sentence)]
    for sentence in meant:
        before, behind = _order_and_question(context, sentence)
        if _asks(context, behind):
            rest += [before] if before else []
            asked.append(behind)
        else:
            rest.append(sentence)
    if not rest or (not asked and meant == every):
        return ()
    greetings = [greeting] if greets else []
    return tuple(replace(line, text=each) for each in (*greetings, " ".join(rest), *asked))


def _wants_assent(sentence: str) -> bool:
    """Return True for a question that any receipt answers: "OK?"."""
    return sentence.endswith("?") and is_assent(sentence.rstrip("? "))


def _order_and_question(context: MailContext, sentence: str) -> tuple[str, str]:
    """Split "Hold all, and when do we process?"; mostly there is only the question."""
    before, _, behind = sentence.partition(", ")
    is_order = behind.endswith("?") and MissedOrders(context).is_bulk(before)
    return (before, behind) if is_order else ("", sentence)


def _asks(context: MailContext, text: str) -> bool:
    """Return True if a sentence asks something that can be answered."""
    asks = text.endswith("?") or text[:1] == "¿"
    is_asked = asks and _is_question(context, text, context.parsed_lines.command_in(text))
    return is_asked and (topic_of(text) is not None or len(text.split()) > _LEAST_BEHIND)


def is_courteous(line: Line) -> bool:
    """Return True if a line begins with the word that is also a greeting."""
    return line.first_word.lower().rstrip("!,.") == "hello"


# --- commands ---------------------------------------------------------------------------------


def _is_near_command(context: MailContext, text: str) -> bool:
    """Return True if a line begins with a command with a letter or two wrong."""
    if not is_player(context.seat):
        return nearest_entry(text, context.parsed_lines.near) is not None
    first, *behind = text.lower().split()
    is_short = len(behind) < _LEAST_BEHIND and not is_courteous(Line(0, text, text))
    return is_short and bool(get_close_matches(first, _first_words(), n=1, cutoff=_ALIKE))


@cache
def _first_words() -> frozenset[str]:
    return frozenset(name.split()[0] for entry in TABLE for name in (entry.name, *entry.also))


def _is_talk(context: MailContext, text: str, command: Command | ParseError) -> bool:
    """Return True if a line that begins like a command is a sentence to another player."""
    if not is_player(context.seat):
        return False
    first, *behind = (word.strip(",;:.!?") for word in text.lower().split())
    match command:
        case If():
            return True  # it is none of a condition: "If you agree, I will come."
        case Become(own=True):
            return len(behind) > 1 and not _is_order(context, text)  # "For now I trust you."
        case SignOn():
            return False
        case ParseError() if first not in _NEVER_TALK and plain_request(text) is None:
            ends = text[-1] in ".!?" and len(behind) >= _LEAST_BEHIND
            return (ends or len(behind) > _MAX_BEHIND) and not _is_order(context, text)
    if first == "watch":
        return bool(_WATCHED.intersection(behind[:1]))
    return (
        first in _ASKED
        and _LEAST_BEHIND <= len(behind) <= _MAX_BEHIND
        and text[-1] in "!?."
        and not _names_something(context, behind)
    )


def _names_something(context: MailContext, words: Sequence[str]) -> bool:
    """Return True if the words name a text, a game, a power or a place, as in "get rules"."""
    game = context.game
    lexicon = context.lexicon(game) if game is not None else None
    return any(
        is_asked_for(word)
        or context.find_game(word) is not None
        or (lexicon is not None and lexicon.is_exact(word) and len(word) > 1)
        for word in words
    )


# --- orders -----------------------------------------------------------------------------------


def _is_order(context: MailContext, text: str) -> bool:
    if _is_read(context, text):
        return True
    game, view = context.game, context.view()
    if is_order_like(text, context.lexicon(game) if game is not None else None):
        return True
    if view is not None and waits(text, context.lexicon(view.game), view.state.moment.stage):
        return True
    is_numbered = view is not None and view.world.rules.game.notation is not OrderNotation.PLACES
    return is_numbered and (_NUMBERED.search(text) is not None or vocabulary().is_unit_order(text))


def _is_read(context: MailContext, text: str) -> bool:
    for each in _pieces_of(context, text) or ():
        if isinstance(each.said, BulkOrder) or each.said.understood:
            return True
    return False


def _pieces_of(context: MailContext, text: str) -> tuple[LinePart, ...] | None:
    view = context.view()
    if view is None:
        return None
    stage = view.phase.after.moment.stage
    return context.parsed_lines.orders(text, context.lexicon(view.game), stage)


def _is_slip(context: MailContext, text: str) -> bool:
    game, view = context.game, context.view()
    is_short = _LEAST_BEHIND <= len(text.split()) <= _MAX_OF_COMMAND
    if game is None or view is None or not is_player(context.seat) or not is_short:
        return False
    context.progress.slips_looked_for += 1
    if context.progress.slips_looked_for > _MAX_SLIPS:
        return False
    pieces = context.parsed_lines.advised(text, context.lexicon(game), view.state.moment.stage)
    refused = [one for each in pieces for one in each.refused]
    return all(one.nearest is not None for one in refused)


def is_order_like(text: str, lexicon: Lexicon | None) -> bool:
    """Return True if a line names a unit and a place, or begins like an order or an expense.

    :param lexicon: the names of the game; without them a line is known by its words alone.
    """
    words = vocabulary()
    if words.begins_command(text) and not words.is_command(text):
        return True
    if _EXPENSE.match(text):
        return True
    if lexicon is None:
        return words.is_unit_order(text)
    plain = [word for word in cut(fold(text)) if word[0].isalnum() or word[0] in "->"]
    if not plain:
        return False
    verbs = UNREAD.get(plain[0], ())
    if len(plain) > 1 and _VERBS.intersection(verbs):
        return True
    if _MONEY_VERBS.intersection(verbs) and any(word.isdecimal() for word in plain):
        return True
    places = [at for at in range(len(plain)) if _is_place(plain, at, lexicon)]
    if words.is_unit_order(text) and (places or len(plain) <= _MAX_OF_SLIP):
        return True
    return bool(places) and _names_unit(text, plain, places, lexicon)


def _names_unit(text: str, plain: Sequence[str], places: Collection[int], lexicon: Lexicon) -> bool:
    if not _unit_words().isdisjoint(plain):
        return True
    deeds = (vocabulary().deeds, UNREAD.keys())
    acts = (
        len(places) > 1
        or _WRITTEN.search(text)
        or not all(words.isdisjoint(plain[1:]) for words in deeds)
    )
    is_order = bool(acts) or len(plain) <= _MAX_OF_NAME
    if plain[0] in _letters(lexicon) and 1 in places:
        return is_order
    is_slip_of_verb = get_close_matches(plain[0], _known_verbs(), n=1, cutoff=_ALIKE)
    if is_slip_of_verb and not _letters(lexicon).isdisjoint(plain[1:]):
        return True
    letters = {at for at, word in enumerate(plain) if word in _letters(lexicon)}
    return is_order and bool(_LETTER.search(text)) and any(at - 1 in letters for at in places)


def _is_place(plain: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Return True if a word is a place, the first word of one, or an abbreviation."""
    word = plain[at]
    if word in lexicon.heads:
        pieces = (plain[at : at + len(name)] for name in lexicon.heads[word])
        if any(tuple(each) in lexicon.heads[word] for each in pieces):
            return True
    if word in vocabulary().deeds or not word[0].isalpha():
        return False
    return word in lexicon.names_anywhere or not isinstance(lexicon.place(word), Unknown)


def _letters(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(("a", "f", "g", *lexicon.letters))


@cache
def _unit_words() -> frozenset[str]:
    return command_parser.unit_words()


@cache
def _known_verbs() -> tuple[str, ...]:
    return tuple(sorted(word for word, *more in command_parser.verbs() if not more))


_ASKING = (c.SignOn, c.SignOff, c.List, c.History, c.If)
_ASKING_PLAIN = frozenset(
    ("help", "get", "summary", "who", "map", "version", "ping", "stats", "info player")
).union(("history orders", "send token", "endpress", "else", "endif"))
"""Commands that change nothing, and words around orders: a line of these alone is no loss."""
_FOR_UNITS = (UnitOrder, Maintain, Remove)
_SHORT = 4
"""More words behind a free command make a sentence: "process of elimination"."""
_LONGEST = 200
_MAINTAINS = re.compile(r"\b(?:m|maintains?|keep)\b", re.IGNORECASE)
_GREETS = re.compile(r"hello\b", re.IGNORECASE)
_LONGEST_SIGNON = 5
_SENTENCE = re.compile(r"[.!?]$")


@dataclass
class MissedOrders:
    """Looks for orders and commands in lines that were not read."""

    context: MailContext

    @cached_property
    def view(self) -> SeenGame | None:
        """The game as the writer sees it."""
        view, power = self.context.view(), self.context.power
        return view_for_power(view, power or PowerId("")) if view else None

    def finds(self, text: str) -> bool:
        """Return True if a line is a whole order, or a command that changes something."""
        return self.is_command(text) or bool(self.orders_in(text)) or self.is_bulk(text)

    def is_command(self, text: str) -> bool:
        """Return True if a line is a command that would change something."""
        command = (
            self.context.parsed_lines.command_in(text) if len(text) <= _LONGEST else NotACommand()
        )
        if isinstance(command, (NotACommand, ParseError, *_ASKING)):
            return False
        if isinstance(command, c.PlainCommand) and command.name in _ASKING_PLAIN:
            return False
        if isinstance(command, c.Set):
            return all(entry_of_setting(each) is not None for each in command.settings)
        return not _is_sentence(command, text)

    def is_signon(self, text: str) -> bool:
        """Return True if a line is a signon, not a greeting or a sentence."""
        said = isinstance(
            self.context.parsed_lines.command_in(text), c.SignOn
        ) and not _GREETS.match(text)
        return said and len(text.split()) <= _LONGEST_SIGNON and not _SENTENCE.search(text)

    def is_bulk(self, text: str) -> bool:
        """Return True if a line orders many units at once, such as "hold all"."""
        is_likely = len(text) <= _LONGEST and may_be_bulk_order(text)
        pieces = self._pieces(text) if is_likely else ()
        return len(pieces) == 1 and isinstance(pieces[0].said, BulkOrder)

    def orders_in(self, text: str) -> tuple[Order, ...]:
        """Return the orders of a line of nothing but whole orders: unit, place and action."""
        if self.view is None or len(text) > _LONGEST:
            return ()
        text = self._in_places(self.view, text)
        if not looks_like_order(text):
            return ()
        pieces = self._pieces(text)
        orders = [one for each in pieces for one in each.understood]
        is_whole = not any(isinstance(each.said, BulkOrder) or each.refused for each in pieces)
        return tuple(orders) if is_whole and not any(_is_bare(one, text) for one in orders) else ()

    def others_in(self, text: str) -> tuple[MessageOrText, ...]:
        """Return the writer's other powers for whose units a line has orders."""
        own = {power for seat in own_seats(self.context) for power in seat.powers}
        others = own - {self.context.power}
        if self.view is None or not others:
            return ()
        world, state, power = self.view.world, self.view.state, self.context.power
        orders = (each for each in self.orders_in(text) if isinstance(each, _FOR_UNITS))
        units = (unit_named(world, state, power or PowerId(""), each.unit) for each in orders)
        owners = {unit.owner for unit in units if unit is not None} & others
        return tuple(map(self.view.words.power, sorted(owners)))

    def _in_places(self, view: SeenGame, text: str) -> str:
        power = self.context.power
        numbers = unit_numbers(view, power) if power is not None else None
        placed = numbers.in_places(text) if numbers is not None else text
        return placed if isinstance(placed, str) else text

    def _pieces(self, text: str) -> tuple[LinePart, ...]:
        if self.view is None:
            return ()
        lexicon = self.view.lexicon
        return self.context.parsed_lines.orders(text, lexicon, self.view.state.moment.stage)

    def is_on_file(self, text: str) -> bool:
        """Return True if all orders of a line are on file."""
        orders = self.orders_in(text)
        return bool(orders) and set(map(self.canonical, orders)) <= set(self._filed())

    def is_ordered(self, text: str) -> bool:
        """Return True if an order for the unit of a line is on file."""
        filed = {tuple(line.split()[:2]) for line in self._filed()}
        units = {tuple(self.canonical(each).split()[:2]) for each in self.orders_in(text)}
        return bool(units) and units <= filed

    def is_sure(self, text: str) -> bool:
        """Return True if a line can only be a new, lawful order for the current phase."""
        view, power = self.view, self.context.power
        if view is None or power is None:
            return False
        if self.is_bulk(text):
            return True
        orders = self.orders_in(text)
        flaws = (objection_to(view.world, view.state, power, each) for each in orders)
        return bool(orders) and not any(flaws) and not self.is_on_file(text)

    def canonical(self, order: Order) -> str:
        """Return an order as it is kept on file."""
        return write_order(self.view.world, order) if self.view is not None else ""

    def _filed(self) -> Iterator[str]:
        powers = {power for seat in own_seats(self.context) for power in seat.powers}
        for power in powers | ({self.context.power} if self.context.power else set()):
            order_set = self.view.order_sets.get(PowerId(power)) if self.view else None
            yield from (
                line.canonical for line in (order_set.lines if order_set is not None else ())
            )


def looks_like_order(text: str) -> bool:
    """Return True if a line may be an order; a quick test before parsing."""
    is_order = vocabulary().is_unit_order(text) or vocabulary().is_bare_order(text)
    return is_order or vocabulary().begins_command(text)


def _is_bare(order: Order, text: str) -> bool:
    """Return True if an order is only a name; in an adjustment it means to keep the unit."""
    return isinstance(order, Maintain) and not _MAINTAINS.search(text)


def _is_sentence(command: Command, text: str) -> bool:
    """Return True if a command with free words is more likely a sentence."""
    if isinstance(command, c.Press | c.PostalPress | c.Diary):
        return False
    words = text.split()
    return len(words) > _SHORT or (len(words) > 1 and bool(_SENTENCE.search(text)))


_SINCE = timedelta(days=60)
_MAX_MESSAGES = 30
_OURS = 0.5
"""The share of quoted rows that must stand in the message."""
_OUR_SENTENCES = 0.75
"""The same of those that are no orders: other messages of the judge have many of them, too."""
_STRUCK_OR_COMMENT = re.compile(r"~~.*?~~|#.*")
_LIKE_A_LINE = 0.6
_MAX_PIECES = 4
"""Into at most this many rows mail programs break a line of the form."""


def take_form(context: MailContext) -> None:
    """Read how the mail changes the form that it answers, before its own lines.

    Changed rows are read; if the mail only agrees, the lines as they are offered.
    """
    lines = _changed_for_others(context)
    form = _quoted(context) if _may_change(context) else None
    is_answered = form is not None and form.says_something
    if not (lines or is_answered):
        if is_agreement(context):
            _take_offered(context, form)
        return
    if lines and context.power is not None:
        lines.append(_for_power(context.power, lines[-1].number))
    lines += _taken(context, form) if form is not None and is_answered else []
    context.mail = context.mail.with_lines((*lines, *context.mail.lines))


def _changed_for_others(context: MailContext) -> list[Line]:
    """Return what was changed in the lines of the writer's other powers."""
    if not _may_change(context):
        return []
    number, speaking_for, power = context.seat_number, context.speaking_for, context.power
    own = [(each.number, PowerId(letter)) for each in own_seats(context) for letter in each.powers]
    lines: list[Line] = []
    for seat, letter in own:
        if letter == power:
            continue
        context.seat_number, context.speaking_for = seat, letter
        form = _quoted(context)
        taken = _taken(context, form) if form is not None and form.says_something else []
        lines += [_for_power(letter, taken[0].number), *taken] if taken else []
    context.seat_number, context.speaking_for = number, speaking_for
    return lines


def _for_power(power: PowerId, number: int) -> Line:
    return Line(number, f"FOR {power}", f"FOR {power}")


def _taken(context: MailContext, form: "_Form") -> list[Line]:
    """The lines that a form means; they are reported, and no longer listed as quoted."""
    taken = {row.number for row in form.rows}
    left = (row for row in context.mail.rows if row.where is None or row.number not in taken)
    context.mail = replace(context.mail, rows=tuple(left))
    _tell(context, form)
    return [Line(row.number, row.text, row.text) for row in form.rows]


def _may_change(context: MailContext) -> bool:
    """Return True if the mail is proven and answers a message of the current phase."""
    return context.writer.opened_by_token and is_player(context.seat) and answered(context) is None


def is_agreement(context: MailContext) -> bool:
    """Return True if a mail agrees and says nothing else but a greeting and a name."""
    names = names_of([context.mail.display_name])
    own = [each.text for each in context.mail.rows if each.owner is Owner.WRITER]
    says_no_more = all(
        is_assent(text) or is_greeting(text) or is_closing(text) or is_name(text, names)
        for text in own
    )
    return says_no_more and any(map(is_assent, own))


def offers_lines(context: MailContext) -> bool:
    """Return True if the answered message has lines that can be taken as they stand."""
    return _may_change(context) and bool(_offered(context, _quoted(context)))


def _take_offered(context: MailContext, form: "_Form | None") -> None:
    """Take the offered lines, except for units with another order on file."""
    offered = _offered(context, form)
    if not offered:
        if form is None and _has_nothing_on_file(context):
            context.answer.notices.append(Message("lines.form.not_quoted"))
        return
    search = MissedOrders(context)
    taken = [line for line in offered if not search.is_ordered(line)]
    stays = tuple(line for line in offered if line not in taken and not search.is_on_file(line))
    shown = tuple(line for line in offered if line not in stays)
    number = context.mail.lines[0].number if context.mail.lines else 1
    lines = (Line(number, line, line) for line in taken)
    skipped = (row for row in context.mail.skipped if not is_assent(row.text))
    context.mail = replace(context.mail, rows=(*lines, *skipped))
    context.answer.verdict += [
        Message("lines.form.offered", lines=shown, stays=stays),
        Message("lines.form.how_to_change"),
    ]


def _has_nothing_on_file(context: MailContext) -> bool:
    """Return True if a power has lines to send back in this phase, and has ordered nothing."""
    view, power = context.view(), context.power
    if view is None or power is None or not _may_change(context) or view.orders_of(power):
        return False
    seen = view_for_power(view, power)
    return bool(asked(seen.words, seen.state, power).sendable)


def _offered(context: MailContext, form: "_Form | None") -> tuple[str, ...]:
    """The lines to send together of the answered message, as far as they are still valid."""
    if form is not None:
        return tuple(line for line in form.lines if line not in form.left_out)
    view, power = context.view(), context.power
    if view is None or power is None or any(a.where is Where.QUOTE for a in context.mail.skipped):
        return ()
    seen = view_for_power(view, power)
    lines = _sendable(view, power, map(context.say, asked(seen.words, seen.state, power).sendable))
    made = answered_at(context)
    has_all = made and any(_has_all(body, lines) for body in _messages(context, made, made))
    return lines if has_all else ()


def _sendable(view: GameView, power: PowerId, usual: Iterable[str]) -> tuple[str, ...]:
    """The lines to send together: those of a tutorial's lesson, else the usual ones."""
    lesson = lesson_of(view, (power,)) if view.game.settings.tutorial else None
    return (lesson.lines if lesson is not None else ()) or tuple(usual)


def _messages(
    context: MailContext, since: datetime | None, until: datetime | None = None
) -> list[str]:
    owner = context.seat.address if context.seat is not None else ""
    return [
        body
        for address in sorted({context.address, context.answer_to, owner} - {""})
        for at, body in context.uow.outbox.bodies(address, context.now - _SINCE, _MAX_MESSAGES)
        if (since is None or at >= since) and (until is None or at <= until)
    ]


def _has_all(message: str, lines: Iterable[str]) -> bool:
    words = plain_words(message)
    return all(plain_words(line) in words for line in lines)


def plain_words(text: str) -> str:
    """Return the words and signs of a text in one line, however it was broken."""
    return f" {' '.join(words_of(text))} "


def _quoted(context: MailContext) -> "_Form | None":
    """The quoted form; None if it is of another phase, or not quoted exactly once."""
    view, power = context.view(), context.power
    rows = [
        replace(row, text=text)
        for row in context.mail.skipped
        if row.where is Where.QUOTE and (text := _STRUCK_OR_COMMENT.sub("", row.text).strip())
    ]
    found = _title(context, rows) if rows else None
    if view is None or power is None or found is None:
        return None
    renderer, at = found
    seen = view_for_power(view, power)
    asks = asked(seen.words, seen.state, power)
    lines = _sendable(view, power, map(renderer.say, asks.sendable))
    choices = tuple(tuple(map(renderer.say, choice.lines)) for choice in asks.choices)
    every = [*lines, *(line for choice in choices for line in choice)]
    message = next(iter(context.mail.quoted), "")
    if not _has_all(message, every) or message not in _messages(context, began(context)):
        return None
    words = plain_words(message)
    ours = [plain_words(row.text) in words for row in rows]
    # What announces the quotation is above its first row.
    begin = ours.index(True) if True in ours else 0
    quoted = zip(rows[begin:], ours[begin:], strict=True)
    sentences = [is_in for row, is_in in quoted if not row.is_said]
    if sum(ours) < len(rows) * _OURS or sum(sentences) < len(sentences) * _OUR_SENTENCES:
        return None
    filed = list(units_of(seen.orders_of(power)))
    form = _Form(context, asks, lines, choices, message, filed)
    others = {each for seat in own_seats(context) for each in seat.powers} - {power}
    for other in sorted(others):
        led = view_for_power(view, other)
        form.strange |= {
            plain_words(renderer.say(line)) for line in asked(led.words, led.state, other).form
        }
    form.compare(renderer, rows[at + 1 :])
    form.read(is_adjustment=seen.state.moment.stage is Stage.ADJUSTMENT)
    return form


def _title(context: MailContext, quoted: Sequence[Line]) -> tuple[MessageRenderer, int] | None:
    """The row of the form's only title, and its language."""
    title = Message("results.section.form")
    for renderer in dict.fromkeys((context.renderer, context.services.renderer)):
        words = plain_words(renderer.say(title))
        at = [n for n, each in enumerate(quoted) if plain_words(each.text) == words]
        if at:
            return (renderer, at[0]) if len(at) == 1 else None
    return None


@dataclass(slots=True)
class _Form:
    """The reply lines of a message, and how its quotation changes them."""

    context: MailContext
    asks: Asked
    lines: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    message: str
    filed: list[Named]
    strange: set[str] = field(default_factory=set)
    """Words of the lines for the reader's other powers."""
    search: MissedOrders = field(init=False)
    words: str = field(init=False)
    sentences: frozenset[str] = field(init=False)
    kept: list[Line] = field(default_factory=list)
    """Lines to send together that are quoted."""
    again: list[Line] = field(default_factory=list)
    """Those quoted more often than in the form."""
    left: list[list[Line]] = field(default_factory=list)
    changed: list[Line] = field(default_factory=list)
    """Rows that were added or changed; in the end only those that are read."""
    pieces: list[Line] = field(default_factory=list)
    """Rows of the message that are not lines of the form; a row may be the rest of one."""
    gone: tuple[str, ...] = ()
    """Lines to send together that are not quoted."""
    end: int = 0
    is_whole: bool = False
    """The end of the form is quoted, so that a missing line was deleted."""
    is_moved: bool = False
    """Lines to send together stand in another order."""
    slips: list[Line] = field(default_factory=list)
    """Changed rows that are no whole orders."""
    stands: list[Line] = field(default_factory=list)
    """Lines that count unchanged."""
    idle: list[Line] = field(default_factory=list)
    """Lines that do not count, as another order for their unit is on file."""
    chosen: list[Line] = field(default_factory=list)
    unclear: list[list[Line]] = field(default_factory=list)
    """Choices of which too many lines were left."""
    deleted: tuple[str, ...] = ()
    has_offers: bool = False
    """Lines are quoted that would build something, and that say nothing."""

    def __post_init__(self) -> None:
        self.search = MissedOrders(self.context)
        self.words = plain_words(self.message)
        self.sentences = frozenset(map(plain_words, self.message.split("\n")))
        self.left = [[] for _ in self.choices]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The lines to send together that were removed or changed."""
        return self.gone if self.is_whole else ()

    @property
    def rows(self) -> list[Line]:
        found = (*self.changed, *self.slips, *self.stands, *self.chosen)
        return sorted(found, key=lambda row: row.number)

    def compare(self, renderer: MessageRenderer, rows: Sequence[Line]) -> None:
        """Find what of the form stands in the rows below its title."""
        below = [each for each in self.asks.form if isinstance(each, Message)]
        below += map(Message, ("todo.send", "todo.tap"))
        marks = {plain_words(renderer.say(each)) for each in below}
        titles = {plain_words(renderer.say(Message(each))) for each in ("todo.buttons", "todo.how")}
        words = [plain_words(row.text) for row in rows]
        end = next((n for n, each in enumerate(words) if each in titles), len(rows))
        self.is_whole = end < len(rows) or not marks.isdisjoint(words)
        self.end = rows[end].number if end < len(rows) else rows[-1].number + 1 if rows else 0
        self.changed = [row for row in rows[end:] if row.is_changed]
        lines = [plain_words(line) for line in self.lines]
        waiting = Counter(lines)
        offers = {plain_words(one): n for n, each in enumerate(self.choices) for one in each}
        places: list[int] = []
        at = 0
        while at < end:
            row, key, size = _row_at(rows[:end], at, waiting.keys() | offers.keys())
            if key in offers:
                self.left[offers[key]].append(row)
            elif key in waiting:
                (self.kept if waiting[key] else self.again).append(row)
                places += [lines.index(key)] if waiting[key] else []
                waiting[key] -= min(waiting[key], 1)
            elif self._is_new(row, rows[at + 1 : at + 2]):
                self.changed.append(row)
            else:
                self.pieces.append(row)
            at += size
        self.is_moved = places != sorted(places)
        pairs = zip(self.lines, lines, strict=True)
        self.gone = tuple(line for line, words in pairs if waiting[words])

    def read(self, *, is_adjustment: bool) -> None:
        """Take the changes and the unchanged lines; nothing if nothing was changed."""
        self.slips = [row for row in self.changed if self._is_slip(row)]
        # A row within a missing line may be the rest of it.
        gone = [plain_words(line) for line in self.gone]
        left = (row for row in self.pieces if not self._is_order(row.text))
        self.slips += [row for row in left if any(plain_words(row.text) in line for line in gone)]
        new = [row for row in self.changed if not self.search.others_in(row.text)]
        if is_adjustment:
            self._read_adjustment(new)
        else:
            self._read_units(new)
        if self.rows or (is_adjustment and (self.left_out or self.is_moved)):
            self._add_rest()

    @property
    def says_something(self) -> bool:
        """Return True if the form yielded anything."""
        return bool(self.rows or self.unclear or self.deleted)

    def _read_units(self, new: Sequence[Line]) -> None:
        """Orders for units: the changed ones, and the choices."""
        choices = [self._unit_of(lines[0]) for lines in self.choices]
        spent = [self._unit_of(row.text) for row in new if self._spends(row)]
        units = {*map(self._unit_of, self.lines), *choices, *spent} - {""}
        rows = [(row, self._unit_of(row.text)) for row in new]
        of_units = Counter(unit for _, unit in rows)
        self.changed = [row for row, unit in rows if unit in units and of_units[unit] == 1]
        self._choose([n for n, unit in enumerate(choices) if not of_units[unit]])

    def _read_adjustment(self, new: Sequence[Line]) -> None:
        """Lines for units and new units: the changed ones, and the choices."""
        self.changed = [*self.again, *(row for row in new if self._is_order(row.text))]
        orders = [order for row in self.changed for order in self._orders(row.text)]
        if not (self.slips or any(isinstance(order, Build | Waive) for order in orders)):
            self._choose(range(len(self.choices)))
        self.has_offers = any(self.left) and not (self.chosen or self.unclear)

    def _add_rest(self) -> None:
        """Add the other lines to send together; orders on file and changed rows come first."""
        named = [each for row in self.changed for each in units_of(self._orders(row.text))]
        for row in self.kept:
            if self._is_for(self.filed, row.text):
                self.idle += [] if self.search.is_on_file(row.text) else [row]
            elif not self._is_for(named, row.text):
                self.stands.append(row)
        has_sweep = any(self.search.is_bulk(row.text) for row in self.changed)
        self.deleted = tuple(
            line
            for line in self.left_out
            if not (has_sweep or self._is_for(named, line) or _is_like(line, self.slips))
        )

    def _choose(self, numbers: Iterable[int]) -> None:
        """Add what was chosen of some choices: in place of another line, or alone."""
        for number in numbers:
            left, lines = self.left[number], self.choices[number]
            counts = Counter(plain_words(row.text) for row in left)
            twice = [row for row in left if counts[plain_words(row.text)] > 1]
            if twice:
                is_in_place = len(left) == len(counts) + 1 == len(lines)
                is_clear, found = is_in_place or len(counts) == 1, twice[:1]
            elif not self.is_whole or not left or len(counts) == len(lines):
                continue
            else:
                orders = sum(len(self._orders(row.text)) for row in left)
                is_clear, found = orders <= self.asks.choices[number].most, left
            if is_clear:
                self.chosen += found
            else:
                self.unclear.append(left)

    # --- rows ---------------------------------------------------------------------------------

    def _unit_of(self, text: str) -> str:
        orders = self._orders(text)
        return " ".join(self.search.canonical(orders[0]).split()[:2]) if len(orders) == 1 else ""

    def _is_for(self, units: Sequence[Named], text: str) -> bool:
        return any(_is_same(each, unit) for each in units_of(self._orders(text)) for unit in units)

    def _is_new(self, row: Line, below: Sequence[Line]) -> bool:
        """Return True if a row was added or changed, or the end of its line was left out.

        A row that continues in the row *below*, as in the message, was only broken.
        """
        words = plain_words(row.text)
        if any(words in line for line in self.strange):
            return False
        if row.is_changed or words not in self.words:
            return True
        is_broken = any(plain_words(f"{row.text} {each.text}") in self.words for each in below)
        return not is_broken and words not in self.sentences and self._is_order(row.text)

    def _is_slip(self, row: Line) -> bool:
        if self._is_order(row.text) or not self._is_no_command(row.text):
            return False
        return looks_like_order(row.text) or any(_is_like(line, [row]) for line in self.gone)

    def _is_order(self, text: str) -> bool:
        return bool(self._orders(text)) or self.search.is_bulk(text)

    def _spends(self, row: Line) -> bool:
        """An expense among the lines, for which the form has none."""
        orders = self._orders(row.text) if row.number < self.end else ()
        return any(isinstance(order, Expense) for order in orders)

    def _orders(self, text: str) -> tuple[Order, ...]:
        return self.search.orders_in(text) if self._is_no_command(text) else ()

    def _is_no_command(self, text: str) -> bool:
        """Quoted commands are not carried out."""
        return isinstance(self.context.parsed_lines.command_in(text), NotACommand)


def _row_at(rows: Sequence[Line], at: int, known: Collection[str]) -> tuple[Line, str, int]:
    """The row at an index, with the rows that continue its line of the form."""
    for size in range(1, min(_MAX_PIECES, len(rows) - at) + 1):
        text = " ".join(piece.text for piece in rows[at : at + size])
        if (words := plain_words(text)) in known:
            return replace(rows[at], text=text, raw=text), words, size
    return rows[at], "", 1


def _is_like(line: str, rows: Sequence[Line]) -> bool:
    """Return True if one of some rows is similar to a line, or begins as it does."""
    words = plain_words(line)
    begins = " ".join(words.split()[:-1])
    return any(
        text.lstrip().startswith(begins)
        or SequenceMatcher(None, words, text).ratio() >= _LIKE_A_LINE
        for text in (plain_words(row.text) for row in rows)
    )


def units_of(orders: Iterable[Order]) -> Iterator[Named]:
    """Return the units that the orders are for."""
    return (each.unit for each in orders if isinstance(each, UnitOrder | Maintain | Remove))


def _is_same(one: Named, other: Named) -> bool:
    is_kind = one.kind == other.kind or None in (one.kind, other.kind)
    return is_kind and one.place == other.place


def _tell(context: MailContext, meant: _Form) -> None:
    def tell(key: str, rows: Sequence[Line], **more: object) -> None:
        if rows:
            lines = tuple(context.safe(row.text) for row in rows)
            context.answer.notices.append(Message(f"lines.form.{key}", lines=lines, **more))

    tell("changed", sorted(meant.changed, key=lambda row: row.number))
    tell("chosen", meant.chosen)
    is_rest = bool(meant.changed or meant.chosen or meant.slips or meant.deleted)
    tell("stands", meant.stands, is_moved=meant.is_moved, is_rest=is_rest)
    tell("idle", meant.idle)
    search = MissedOrders(context)
    for is_filed in (False, True):
        gone = [line for line in meant.deleted if search.is_on_file(line) is is_filed]
        if gone:
            message = Message("lines.form.deleted", lines=tuple(gone), is_filed=is_filed)
            context.answer.notices.append(message)
    if meant.has_offers and meant.rows:
        context.answer.notices.append(Message("lines.form.offers"))
    for left in meant.unclear:
        lines = tuple(row.text for row in left)
        context.refuse(left[0], Message("lines.form.unclear", lines=lines))
        context.progress.missed += lines


def file_orders(context: MailContext, draft: OrderDraft) -> None:
    """Put the orders so far on file, for this phase and for later ones."""
    draft.break_off()
    _file_for_now(context, draft)
    flaw = not_approved(context)
    if flaw and draft.ahead:
        context.answer.notices.append(Message("lines.not_kept", why=flaw))
        draft.ahead.clear()
    keep_ahead(context, draft.ahead)
    file_standing_orders(context)
    draft.ahead.clear()


def _file_for_now(context: MailContext, draft: OrderDraft) -> None:
    seat, view = context.seat, context.view()
    power, lines = context.power, tuple(context.ordering.lines)
    is_flawed, draft.is_flawed = draft.is_flawed, False
    if not (lines or is_flawed) or seat is None:
        return
    context.ordering.lines.clear()
    refusal = not_approved(context) or (
        context.why_not_played() if view is None else too_old(context)
    )
    if view is None or refusal or power is None:
        if lines:
            context.refuse(lines[0], refusal or "")
        tell_unread(context, lines[1:])
        return
    lines = _without_farewell(context, view, lines)
    own = frozenset(each for seat in own_seats(context) for each in seat.powers)
    given = Submission(
        power,
        lines,
        context.received,
        context.mail_id,
        own - {power},
        is_flawed,
        context.parsed_lines,
    )
    error = for_another_phase(context, view, given)
    if error is not None:
        context.add_error(error)
        first = next(line for line in lines if line.number == error.number)
        tell_unread(context, [line for line in lines if line is not first])
        return
    context.ordering.has_ordered = True
    _take(context, lines, submit(view, given))


def _take(context: MailContext, lines: Sequence[Line], taken: SubmittedOrders) -> None:
    """Put the orders on file, and report what was not taken."""
    for trouble in taken.troubles:
        context.add_error(replace(trouble, instead=_instead_of(trouble)))
    tell_comments(context, taken.ignored)
    context.answer.notices += taken.notices
    if taken.cut is not None:
        context.answer.ignored.append(Message("orders.too_much_wrong", number=taken.cut))
        stop(context, taken.cut, TOO_MANY_ERRORS)
    if taken.order_set is not None:
        context.file(taken.order_set)
    _pass_chits(context, lines, taken.chits)


def _pass_chits(context: MailContext, lines: Sequence[Line], chits: Sequence[ChitGiven]) -> None:
    """Hand chits over at once; only the giver is told (ASN-02)."""
    view = context.view()
    if view is None or not chits:
        return
    words = Words(view.world)
    if not is_proven(context):
        lexicon = lexicon_of(view.world.scenario)
        for chit in chits:
            require_confirmation(
                context, lines[0], write(GiveChit(chit.victim, chit.receiver), lexicon)
            )
        return
    context.pass_on(interlude(context.services, view, chits, context.now))
    for chit in chits:
        victim, receiver = words.power(chit.victim), words.power(chit.receiver)
        context.done(Message("lines.chit_given", victim=victim, receiver=receiver))


_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}[.,!]?$")


def _without_farewell(
    context: MailContext, view: GameView, lines: tuple[Line, ...]
) -> tuple[Line, ...]:
    """The lines without the power's own name as signature, alone below all others.

    In an adjustment a bare name may mean to keep a unit, as in a list of such.
    """
    said = context.mail.instructions
    if len(lines) <= 1 or lines[-1].number != said[-1].number or context.power is None:
        return lines
    is_apart = len(said) > 1 and said[-2].number < said[-1].number - 1
    name = Words(view.world).power(context.power)
    keeps = view.state.moment.stage is Stage.ADJUSTMENT
    names = (line.text for line in lines[:-1] if _NAME.match(line.text))
    is_list = keeps and not all(map(vocabulary().begins_command, names))
    if not is_apart or is_list or lines[-1].text.rstrip(" .,!").lower() != name.lower():
        return lines
    tell_unread(context, lines[-1:])
    context.answer.ignored.append(Message("lines.your_name"))
    return lines[:-1]


_SPEAKS = re.compile(r"(?:no|not|with|don'?t|wait)\b[\s,]+\w+[\s,]+\w", re.IGNORECASE)
"""A sentence whose first word resembles a command: suggesting one would reverse its meaning."""


def _instead_of(trouble: LineError) -> MessageOrText | None:
    """The nearest order, or player's command; None if the line begins like an order."""
    first, *_ = trouble.line.split() or [""]
    # A readable order that may not be given has no column.
    begins_well = trouble.column is None or trouble.column > len(first)
    is_order = is_order_like(trouble.line, None) or _SPEAKS.match(trouble.line)
    if trouble.instead or begins_well or is_order or fold(first) in UNREAD:
        return trouble.instead
    return nearest(trouble.line, Caller.PLAYER)


_MAX_NAMED = 8
_ENDS = frozenset(("signoff", "endpress"))


def write_text(
    context: MailContext, line: Line, said: Press | PostalPress | Diary, text: Sequence[str]
) -> None:
    """Carry out a command with a text; if that fails, the text goes back to its writer."""
    context.progress.has_written = True
    match said:
        case Press():
            press.press(context, line, said, text)
        case PostalPress():
            postal_press.queue_postal(context, line, text)
        case Diary():
            postal_press.record(context, line, text)


@dataclass(frozen=True, slots=True)
class TextBehind:
    """The text behind a command."""

    text: tuple[str, ...]
    lines: tuple[Line, ...]
    has_end: bool
    """The writer has marked its end."""


def passage_behind(said: LineParser, left: list[Line], number: int) -> TextBehind:
    """Take the text behind the line of that number, and its end, out of the lines."""
    text: list[str] = []
    lines: list[Line] = []
    while left and left[0].is_press:
        line = left.pop(0)
        text += [""] * (line.number - number - 1)
        text.append(line.raw)
        lines.append(line)
        number = line.number
    has_end = bool(left) and said.command(left[0]) == END_PRESS
    if has_end:
        left.pop(0)
    return TextBehind(tuple(text), tuple(lines), has_end)


def swallowed(context: MailContext, passage: TextBehind) -> tuple[Line, ...]:
    """Return the lines of a text without an end that look like orders or commands."""
    if passage.has_end:
        return ()
    search = MissedOrders(context)
    texts = ((line, line.text.strip()) for line in passage.lines)
    return tuple(line for line, text in texts if search.is_signon(text) or search.finds(text))


def hold_back(context: MailContext, line: Line, passage: TextBehind, meant: Sequence[Line]) -> None:
    """Send and carry out nothing; return the text with a hint what to write."""
    numbers = tuple(str(each.number) for each in meant[:_MAX_NAMED])
    context.refuse(line, Message("lines.no_endpress", numbers=numbers, n=len(meant)))
    context.answer.overlooked += [each.number for each in meant]
    context.progress.missed += [each.text.strip() for each in meant]
    press.give_back(context, redacted(context, passage.text))


def answer_press(context: MailContext, token: PressToken) -> bool:
    """Forward an answer to press; return True if the mail is nothing else."""
    own = (None, Where.GREETING, Where.CLOSING)
    said = [row for row in context.mail.rows if row.where in own]
    lines = [each for each in said if each.is_press or each.text.lower() not in _ENDS]
    first = next(iter(lines), None)
    command = context.parsed_lines.command(first) if first is not None else None
    if isinstance(command, Press | PostalPress | Diary):
        has_end = any(context.parsed_lines.command(each) == END_PRESS for each in said)
        if has_end or not isinstance(command, Press):
            return False
        lines = lines[1:]
    context.progress.answers_press = context.progress.has_written = True
    if first is None or context.mail.suspected is not None:
        context.answer.verdict.append(Message("press.no_answer", is_empty=first is None))
        return True
    search = MissedOrders(context)
    meant = (each.text for each in lines if search.finds(each.text.strip()))
    context.progress.orders_in_press = tuple(meant)
    if isinstance(command, Press):
        press.press(context, first, command, _spaced(lines))
    else:
        press.answer(context, first, token, _spaced(lines))
    return True


def _spaced(lines: Sequence[Line]) -> list[str]:
    text: list[str] = []
    before = lines[0].number if lines else 0
    for line in lines:
        text += [""] if line.number > before + 1 else []
        text += line.raw.split("\n")
        before = line.number + line.raw.count("\n")
    return text


def end_of_text(said: LineParser, left: Sequence[Line]) -> int:
    """Return how many lines precede the end of a text; 0 if it has none."""
    for number, line in enumerate(left):
        command = said.command(line)
        if command == END_PRESS:
            return number
        if line.is_press or isinstance(command, Press | PostalPress | Diary | SignOff | SignOn):
            return 0
    return 0


OPENING = frozenset(
    name.split()[0]
    for entry in TABLE
    for name in (entry.name, *entry.also)
    if entry.opens_seat and entry.secret_at
)

_MAX_EXPLAINED = 50
"""For this many lines that are no command the nearest one is looked for, which takes long."""


_MAX_WORDS = 6
"""A longer line is prose, even if it begins like a command."""


@dataclass(slots=True)
class UnparsedLines:
    """The lines that are left at the end of a mail."""

    context: MailContext
    lines: list[Line] = field(default_factory=list)
    """Lines that are no commands, of writers who give no orders."""
    prose: list[Line] = field(default_factory=list)

    def tell(self, left: Sequence[Line], heard: int) -> None:
        """Report lines that meant nothing, as errors if the mail has nothing else.

        *left* are the lines below the end of the mail, *heard* is how many were commands.
        """
        if self._is_first_contact(heard):
            self._tell_defects(heard)
        elif self._has_orders_alone(heard):
            self._ask_for_signon()
            tell_skipped_lines(self.context)
            self._tell_defects(heard=1)
        else:
            self._tell_lines(left, heard)

    def _tell_lines(self, left: Sequence[Line], heard: int) -> None:
        rest = self.prose
        failed = [
            line for line in rest if isinstance(self.context.parsed_lines.command(line), SignOn)
        ]
        if failed and not heard:
            heard += 1
            rest.remove(failed[0])
            self.context.refuse_all(failed[0], people.NOT_OPENED)
        looked_at = [(line, supported_instead(line.text)) for line in self.lines[:_MAX_EXPLAINED]]
        shown = set()
        for number, (line, reason) in enumerate(looked_at):
            near = (
                None
                if reason is not None
                else nearest_entry(line.text, self.context.parsed_lines.near)
            )
            if reason is not None or near is not None or (number == 0 and not heard):
                shown.add(number)
                self._no_such_command(line, reason, near)
        heard += sum(reason not in (None, QUESTION) for _, reason in looked_at)
        others = [line for number, line in enumerate(self.lines) if number not in shown]
        greeted = [] if self.context.seat is None else rest
        tell_unread(self.context, sorted([*greeted, *others], key=lambda line: line.number))
        self._tell_left(left)
        if others and not self.context.progress.is_closed:
            above = self.context.seat is None or is_player(self.context.seat)
            self.context.answer.ignored.append(Message("lines.unread_orders", above=above))
        tell_skipped_lines(self.context)
        self._tell_untouched()
        self._tell_defects(heard)

    def _tell_untouched(self) -> None:
        """Report that an answer without orders, or with only a quotation, does nothing."""
        mail, answer = self.context.mail, self.context.answer
        quotes = any(line.where is Where.QUOTE for line in mail.skipped)
        is_reply = self.context.writer.opened_by_token and not self.context.progress.answers_press
        did = (mail.lines, answer.done, answer.overlooked, answer.troubles, answer.verdict)
        does_something = any(did) or (is_reply and not quotes and mail.has_own_words)
        if (quotes or is_reply) and not does_something and is_player(self.context.seat):
            offers = offers_lines(self.context)
            own = (Where.GREETING, Where.CLOSING)
            says = mail.has_own_words or any(line.where in own for line in mail.skipped)
            message = Message("lines.untouched", says=says, quotes=quotes, offers=offers)
            answer.verdict.append(message)

    def _is_first_contact(self, heard: int) -> bool:
        """True for a writer without a seat and no line like an order or a command."""
        return self._opens_nothing(heard) and not any(map(self._looks_meant, self.lines))

    def _has_orders_alone(self, heard: int) -> bool:
        """True if there are orders, and nothing that opens a seat."""
        others = [line for line in self.lines if not _is_order_like(line)]
        has_orders = len(others) < len(self.lines) and not any(map(self._looks_meant, others))
        return has_orders and self._opens_nothing(heard)

    def _looks_meant(self, line: Line) -> bool:
        """True if a line may be meant as an order, or as a command of this or another judge."""
        if _is_order_like(line) or supported_instead(line.text) not in (None, QUESTION):
            return True
        near = self.context.parsed_lines.near
        is_prose = line.text.endswith("?") or len(line.text.split()) > _MAX_WORDS
        return not is_prose and nearest_entry(line.text, near) is not None

    def _opens_nothing(self, heard: int) -> bool:
        """True if there was no signon, nor a try."""
        said = map(self.context.parsed_lines.command, self.prose)
        return (
            self.context.seat is None and not heard and not any(isinstance(c, SignOn) for c in said)
        )

    def _ask_for_signon(self) -> None:
        """Refuse the first order, with the lines to send; nothing but orders is repeated."""
        orders = [line for line in self.lines if _is_order_like(line)]
        shown = tuple(shortened(self.context.safe(line.text)) for line in orders[:MAX_SHOWN])
        self.context.refuse(orders[0], Message("lines.no_signon"))
        seat, _ = signon_for(self.context) or ("", None)
        signed = Message("lines.signed", orders=shown, more=len(orders) - len(shown), seat=seat)
        self.context.answer.texts.append(Text(Message("lines.send_this"), (signed,)))

    def _tell_left(self, left: Sequence[Line]) -> None:
        """Below a signoff, report unread lines from another signon on."""
        left = [
            line
            for line in left
            if not isinstance(self.context.parsed_lines.command(line), SignOff)
        ]
        if (
            self.context.progress.is_closed
            and not self.context.answer.troubles
            and not self.context.progress.has_quit
            and not self.context.progress.has_resigned
        ):
            at = next((n for n, line in enumerate(left) if self._opens(line)), len(left))
            tell_unread(self.context, left[at:])
            self.context.answer.ignored += [Message("lines.below")] if left[at:] else []
        else:
            tell_unread(self.context, left)
            if left and self.context.progress.has_resigned:
                self.context.answer.ignored.append(Message("lines.below_resign"))

    def _opens(self, line: Line) -> bool:
        command = None if is_courteous(line) else self.context.parsed_lines.command(line)
        return isinstance(command, SignOn | Join)

    def _no_such_command(
        self, line: Line, reason: MessageOrText | None, near: CommandEntry | None
    ) -> None:
        seat = self.context.seat
        is_player = seat is None or seat.role is Role.PLAYER
        if not is_player and near is None and reason is None:
            self.context.refuse(line, Message("lines.only_players"))
            return
        if near is not None and near.name.split()[0] in OPENING:
            self.context.secrets.update(line.text.split()[1:])
        _refuse(self.context, line, reason, near)

    def _tell_defects(self, heard: int) -> None:
        file = self.context.mail.file
        if file is not None:
            name = one_line(file.name)
            message = Message("lines.file_read", name=name, first=file.first, last=file.last)
            self.context.answer.notices.append(message)
        # An empty answer confirms something, or opens a seat: nothing is missing in it.
        is_answer = bool(heard) and not self.context.mail.lines
        for defect in self._defects():
            if is_answer and defect.flaw is MailFlaw.EMPTY:
                continue
            is_notice = defect.flaw is MailFlaw.LOOKS_AUTOMATIC
            if is_notice:
                notice = Message("lines.full_notice", text=defect.words)
                self.context.answer.notices.append(notice)
            else:
                self.context.answer.ignored.append(defect.words)
        is_empty = any(defect.flaw is MailFlaw.EMPTY for defect in self._defects())
        if (is_empty and not is_answer) or (not heard and not self.context.answer.texts):
            if is_agreement(self.context) and self.context.person is not None:
                self.context.answer.verdict.append(Message("lines.agrees_to_nothing"))
            else:
                give_welcome(self.context)

    def _defects(self) -> list[Defect]:
        """What is wrong with the mail; an answer to a message needs no text and no signon."""
        answers = self.context.writer.opened_by_token or any(
            isinstance(each, ActToken) for each in self.context.writer.token_scopes
        )
        none_needed = _NEEDED if answers else frozenset()
        return [each for each in self.context.mail.defects if each.flaw not in none_needed]


_NEEDED = frozenset({MailFlaw.EMPTY, MailFlaw.SIGNON_ONLY_QUOTED})
"""What is wrong with a mail only where it has to open a seat itself."""


def _is_order_like(line: Line) -> bool:
    return is_order_like(line.text, None)


def refuse_unknown(context: MailContext, line: Line) -> None:
    """Refuse what is no command here, with what there is instead; only its first word is shown."""
    reason = supported_instead(line.text)
    _refuse(context, line, reason, None if reason is not None else nearest_entry(line.text))


def _refuse(
    context: MailContext, line: Line, reason: MessageOrText | None, near: CommandEntry | None
) -> None:
    first = line.first_word
    shown = replace(line, text=first if first == line.text else f"{first} …")
    if context.seat is None and vocabulary().is_unit_order(line.text):
        reason = Message("lines.no_signon")
    if reason is not None:
        is_master = context.seat is not None and context.seat.role is Role.MASTER
        key = reason.key if isinstance(reason, Message) else ""
        own = _FOR_MASTERS.get(key) if is_master else None
        context.refuse(shown, reason if own is None else Message(own))
    else:
        unknown = Message("lines.no_command", word=first)
        context.refuse(shown, unknown, instead=None if near is None else near.usage)


_FOR_MASTERS = {
    "foreign.command.replace": "foreign.command.seat",
    "foreign.command.time": "foreign.master.time",
    "foreign.command.undo": "foreign.master.undo",
}
"""What masters read in place of an answer that sends players to them, or is about orders."""

# --- what was left out on purpose ---------------------------------------------------------------

_POSTSCRIPT = re.compile(r"(?:p\.? ?p?\.?s\.?|n\.?b\.?)\s*[:.-]?\s+", re.IGNORECASE)


def tell_skipped_lines(context: MailContext) -> None:
    """Report the lines left out, and those like an order or a command."""
    search = MissedOrders(context)
    for where in Where:
        here = [line for line in context.mail.skipped if line.where is where]
        meant = _meant(search, where, here)
        is_greeting = where is Where.GREETING and context.seat is not None
        shown = here if is_greeting or where is Where.CLOSING else meant
        if shown:
            _tell_skipped(search, where, shown, meant)
            if where is not Where.SIGNATURE:
                # In quoted text, only a change of what the judge wrote is surely meant.
                sure = (each for each in meant if each.is_changed or where is not Where.QUOTE)
                context.progress.missed += [_POSTSCRIPT.sub("", each.text) for each in sure]


def _meant(search: MissedOrders, where: Where, skipped: Sequence[Line]) -> list[Line]:
    if where is Where.GREETING:
        return []
    found = (
        each for each in skipped if each.owner is not Owner.JUDGE and _is_meant(search, where, each)
    )
    once = {each.text.lower(): each for each in found if not search.is_on_file(each.text)}
    # Of a message that is not known, the lines of the form are the judge's own all the same.
    ours = _of_form(search.context) if once and where is Where.QUOTE else frozenset()
    return [each for text, each in once.items() if " ".join(text.split()) not in ours]


def _of_form(context: MailContext) -> frozenset[str]:
    view, power = context.view(), context.power
    if view is None or power is None:
        return frozenset()
    seen = view_for_power(view, power)
    lines = map(context.say, asked(seen.words, seen.state, power).form)
    return frozenset(" ".join(line.lower().split()) for line in lines)


def _is_meant(search: MissedOrders, where: Where, line: Line) -> bool:
    """Return True for an order or a command; a signon counts only in the writer's own text."""
    text = _POSTSCRIPT.sub("", line.text)
    if where is Where.CLOSING and search.is_signon(text):
        return True
    # `Florence: A are - sie` is how judges name what they have, and people what they order.
    behind = text.partition(":")[2].strip() if where is Where.UNCLEAR else ""
    return search.finds(text) or (behind != "" and search.finds(behind))


# --- what is said of it -----------------------------------------------------------------------


def _tell_skipped(
    search: MissedOrders, where: Where, shown: Sequence[Line], meant: Sequence[Line]
) -> None:
    context = search.context
    for line in shown[:MAX_SHOWN]:
        text = _shown(context, line)
        context.answer.ignored.append(Message("session.line", number=line.number, text=text))
    if len(shown) > MAX_SHOWN:
        context.answer.ignored.append(more_lines(shown))
    if where is not Where.GREETING:
        context.answer.ignored.append(Message(f"lines.aside.{where.name.lower()}"))
    if not meant:
        return
    context.answer.overlooked += [line.number for line in meant]
    numbers = tuple(str(line.number) for line in meant[:MAX_SHOWN])
    powers = dict.fromkeys(each for line in meant for each in search.others_in(line.text))
    message = Message(
        "lines.overlooked",
        numbers=numbers,
        n=len(meant),
        where=where.name.lower(),
        others=tuple(powers),
    )
    context.answer.ignored.append(message)


def _shown(context: MailContext, line: Line) -> str:
    """The beginning of a row, long enough to find it."""
    text = context.safe(line.text)
    mark = "> " if line.where is Where.QUOTE else ""
    return mark + shortened(text)


# --- lines that begin like a command and are none -----------------------------------------------

_NO_NAME = re.compile("[^A-Za-z0-9?]+")
"""What can stand between a game's name and a password joined to it."""

_ABOUT_ORDERS = frozenset(("clear", "restore"))
"""First words of commands about the orders on file."""

_NO_SETTING = "language.no_setting"
_MAX_SIGNONS = 10
_SHORTEST_PASSWORD = 3


def refuse_problem(
    context: MailContext, line: Line, problem: ParseError, *, has_text: bool = False
) -> None:
    """Refuse a line that begins like a command; a possible password is not repeated."""
    words = line.text.split()
    if words[0].lower() == "phase":
        # Orders for a phase that could not be read are for no other one.
        context.ordering.targets_no_phase = context.ordering.is_phase_unread = True
    if words[0].lower() in OPENING or _sets_password(words):
        _password_problem(context, line, problem, words)
        return
    option = problem.found.lower()
    is_unknown = isinstance(problem.reason, Message) and problem.reason.key == _NO_SETTING
    if is_unknown and option in {*OPTIONS, *SERVICE_OPTION_FIELDS}:
        behind = line.text[problem.column + len(problem.found) :].split()
        context.refuse(line, Message("lines.is_option", key=option), option_line(option, behind))
        return
    context.refuse(
        line,
        Message("lines.expected", reason=problem.reason, expected=tuple(problem.expected)),
        column=problem.column,
        length=len(problem.found) or 1,
        instead=problem.nearest or _as_written(context, line, problem, has_text),
    )


def is_about_orders(line: Line, problem: ParseError) -> bool:
    """Return True if a refused command would have changed the orders, or kept the phase open."""
    meant = (problem.nearest or "").lower().split()
    return line.first_word.lower() in _ABOUT_ORDERS or meant[-1:] == ["wait"]


def _password_problem(
    context: MailContext, line: Line, problem: ParseError, words: Sequence[str]
) -> None:
    """Show what stands before the password, unchanged; secrets can equal words in it."""
    second, *joined = _NO_NAME.split(words[1]) if words[1:] else [""]
    more = len(words) > 2 or bool(joined)  # noqa: PLR2004  behind the name
    if words[0].lower() in OPENING and not more and not _names_game(context, second):
        # The only word behind SIGNON may be the password.
        second, joined, more = "", [second], bool(second)
    context.secrets.update(filter(None, (*words[2:], *joined)))
    shown = f"{words[0]} {second}".strip() + (" …" if more else "")
    trouble = LineError(line.number, shown, problem.reason)
    context.answer.troubles.append(trouble)


def _names_game(context: MailContext, word: str) -> bool:
    """Return True for the name of a game, with or without a letter before it."""
    return any(name and context.find_game(name) for name in (word, word[1:]))


def hide_signon(context: MailContext, line: Line, number: int) -> None:
    """Hide the password in `Lborgia tulip9`, a signon without its first word.

    *number* counts the lines that were no commands so far; each costs a look-up.
    """
    first, *others = line.text.split()
    is_short = len(others) in (1, 2) and number <= _MAX_SIGNONS
    if is_short and context.seat is None and _names_game(context, first):
        context.secrets.update(each for each in others if len(each) >= _SHORTEST_PASSWORD)


def _as_written(
    context: MailContext, line: Line, problem: ParseError, has_text: bool
) -> MessageOrText | None:
    """The form of a setting that lacks its value, or of a command with a text."""
    lacks = problem.fault is Fault.INCOMPLETE and line.text[:3].lower() == "set"
    if not (lacks or has_text):
        return None
    return _with_to(context, line) or nearest(line.text)


def _with_to(context: MailContext, line: Line) -> str | None:
    """``press V`` with the missing word in front of its readers."""
    first, *names = line.text.split()
    game = context.game
    if game is None or first.lower() != "press" or not names:
        return None
    to = meant_by(context.services.scenario(game), Audience(tuple(names)))
    return None if isinstance(to, Message) else f"PRESS TO {' '.join(names)}"


def _sets_password(words: Sequence[str]) -> bool:
    """Return True if a line probably means ``set password``."""
    return words[0].lower() == "set" and len(words) > 1 and means_password(words[1])
