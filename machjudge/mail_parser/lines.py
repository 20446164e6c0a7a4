"""Find where the orders of a mail end: at a signature or a closing formula.

What stands below is kept as skipped; the judge looks for orders among it. Courtesies above the
first order are skipped as well.
"""

import re
import string
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cache, cached_property, lru_cache
from itertools import accumulate, groupby, islice, pairwise, takewhile
from textwrap import wrap
from typing import Final, Self

from machjudge.translatable import Message

# The normal form of a line's characters. For the grammar (``plain``): * compatibility forms
# become plain ones (full width, ligatures, "…"), but superscripts, fractions and circled digits
# stay what they are: 1² is not 12; * every kind of white space is a space; runs of spaces are
# kept, ends are trimmed; * characters without width, and soft hyphens, are gone; * hyphen, en
# dash, em dash and minus are ``-``; an arrow in any form is ``->``; * apostrophes are ``'``;
# double quotation marks and pairs of single ones around words are gone. ASCII inside a word is
# never changed, so that passwords stay what they were: ``--`` or ``=>`` are put in normal form
# only where they stand alone.
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_ARROWS = (
    "\u2192\u25b6\u21d2\u21e8\u21fe\u2794\u2799\u279b\u279c\u279d\u279e\u27a1\u27f6\u27f9\u27fe"
    "\u2b62\U0001f852"
)
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_NO_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d"
    "\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
)
_SELECTORS = "".join(chr(code) for code in range(0xFE00, 0xFE10))
_SPACES = "\t\u00a0\u1680\u202f\u205f\u3000" + "".join(chr(code) for code in range(0x2000, 0x200B))

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROL = "\x00-\x08\x0e-\x1f\x7f-\x9f\ufff9-\ufffb"

DIRECTION = re.compile(f"[{_DIRECTION}]")
"""Characters that change the direction of writing (Unicode property Bidi_Control)."""
CONTROL = re.compile(f"[{_CONTROL}]")
"""Control characters that no mail program writes into text."""
UNDECODABLE = "\ufffd"
"""What stands for bytes that could not be decoded."""

LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_SPACING = str.maketrans({**dict.fromkeys(_SPACES, " "), **dict.fromkeys(_NO_WIDTH + _SELECTORS)})
_SIGNS = str.maketrans(
    {
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_ARROWS, "->"),
        **dict.fromkeys(_SINGLE, "'"),
        **dict.fromkeys(_DOUBLE, '"'),
    }
)
_DASH_ARROW = re.compile(f"[{_DASHES}]+[>\u203a]")
_LONGEST_FORM = 4
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
_LONE_ARROW = re.compile(r"(?<!\S)(?:-{2,3}|={1,3})>(?!\S)")
_LONE_DASHES = re.compile(r"(?<=\S )-{2,3}(?= \S)")
_OPENING = re.compile(r"(?<!\S)\"+(?=\S)|(?<=[\s(:])\"+(?=\S)")
_CLOSING = re.compile(r"(?<=[^\s\"])\"+(?=[\s,;.:!)]|$)")
_PAIR = re.compile(r"(?<!\S)'([^']+)'(?!\S)")


def words(text: str) -> frozenset[str]:
    """The words of a text, as a table for looking things up."""
    return frozenset(text.split())


def split_lines(text: str) -> list[str]:
    """The lines of a text, at every character that ends a line, without their ends."""
    lines = LINE_END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    return lines


def without_surrogates(text: str) -> str:
    """The text with halves of surrogate pairs, which no encoding can write, marked undecodable."""
    return _SURROGATE.sub(UNDECODABLE, text)


def visible(text: str) -> str:
    """The text with plain spaces and nothing that cannot be seen; typography is kept."""
    if text.isascii() and text.isprintable():
        return text.rstrip()
    cleaned = CONTROL.sub("", DIRECTION.sub("", text.translate(_SPACING)))
    return unicodedata.normalize("NFC", cleaned).rstrip()


def readable(text: str) -> str:
    """The text as :func:`visible` shows it, with compatibility forms made plain."""
    return visible(text if text.isascii() else _unfold_forms(text))


def plain(text: str) -> str:
    """Return the normal form of a line for the grammar."""
    if text.isascii():
        # Nearly every line: nothing to translate but tabs.
        signs = text.replace("\t", " ")
    else:
        signs = _DASH_ARROW.sub("->", _unfold_forms(text)).translate(_SPACING).translate(_SIGNS)
    signs = _LONE_DASHES.sub("-", _LONE_ARROW.sub("->", signs))
    if '"' in signs:
        signs = _CLOSING.sub("", _OPENING.sub("", signs))
    return (_PAIR.sub(r"\1", signs) if "'" in signs else signs).strip(" ")


def normal_form(text: str) -> tuple[str, Sequence[int]]:
    """Return the text in which secrets are looked for, and where its signs stand in *text*.

    Default-ignorable signs, controls and marks on letters are gone; letters and digits that look
    like plain ones are plain and small; white space other than a line end is a space.
    """
    if text.isascii() and CONTROL.search(text) is None:
        return text, range(len(text))
    signs = list(map(_plain_signs, text))
    return "".join(signs), [at for at, each in enumerate(signs) for _ in each]


@lru_cache(maxsize=4096)
def _plain_signs(char: str) -> str:
    if char in "\n\r":
        return char
    if char.isspace():
        return " "
    if _is_unseen(char):
        return ""
    if char.isascii():
        return char
    parts = unicodedata.normalize("NFKD", char).casefold()[:_LONGEST_FORM]
    return "".join(_lookalikes().get(each, each) for each in parts if not _is_unseen(each))


def _is_unseen(char: str) -> bool:
    return char in _FILLERS or unicodedata.category(char) in _UNSEEN


_UNSEEN = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Mc", "Me"))
"""Controls, signs for programs, signs of no meaning, marks: all default-ignorable ones but some."""
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""


@lru_cache(maxsize=1)
def _lookalikes() -> Mapping[str, str]:
    """The letters, digits and stops of other scripts that look like plain ones."""
    # Its table takes long to load, and most mails have no such signs.
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415

    plain = string.ascii_lowercase + string.ascii_uppercase + string.digits + ".+"
    found = {"\u3002": "."}
    for sign in plain:
        for each in confusables_data.get(sign, ()):
            if len(each["c"]) == 1 and not each["c"].isascii():
                found.setdefault(each["c"], sign.lower())
    return found


def single_line(text: str, most: int = 500) -> str:
    """The text as a harmless header value: one line, no control characters, at most *most* long."""
    seen = visible(without_surrogates(" ".join(split_lines(text[: 4 * most]))))
    return " ".join(seen.split())[:most].rstrip()


def _unfold_forms(text: str) -> str:
    return unicodedata.normalize("NFC", "".join(map(_compatible, text)))


@lru_cache(maxsize=4096)
def _compatible(char: str) -> str:
    form = unicodedata.decomposition(char)
    if not form.startswith("<") or form.startswith(_KEPT_FORMS) or char in _SINGLE:
        return char
    plainer = unicodedata.normalize("NFKC", char)
    # One sign of Arabic becomes eighteen letters: no mail may grow by such a factor.
    return plainer if len(plainer) <= _LONGEST_FORM else char


class MailKind(Enum):
    """What is to be done with a mail."""

    ORDERS = "orders"
    """Exactly its lines go on to the grammar."""
    IGNORE = "ignore"
    """Written by a machine: noted and never answered."""
    HOLD = "hold"
    """At most its lines may be read; one answer says what is wrong with it."""


class WhyIgnored(Enum):
    """Why a mail is never answered."""

    OWN_MAIL = "the mail is one of our own, or carries a loop header"
    TOO_MANY_HOPS = "the mail went through too many servers"
    BOUNCE = "a delivery report"
    AUTO_SUBMITTED = "the mail says that it was submitted automatically (RFC 3834)"
    AUTORESPONDER = "an automatic answer"
    SUPPRESSES_ANSWERS = "the mail asks for no automatic answers"
    BULK = "bulk mail"
    MAILING_LIST = "mail from a mailing list"
    ROBOT = "the sender is a machine or takes no answers"
    CALENDAR_REPLY = "the answer of a calendar"
    SUBJECT = "the subject is that of an automatic answer"
    NO_SENDER = "there is nobody to answer"


class MailFlaw(Enum):
    """Something wrong with a mail or a line of it."""

    EMPTY = "empty"
    UNREADABLE = "unreadable"
    NOT_TEXT = "not_text"
    ENCRYPTED = "encrypted"
    SIGNED_WHOLE = "signed_whole"
    OUTLOOK = "outlook"
    OTHER_FORMAT = "other_format"
    TEXTS_DIFFER = "texts_differ"
    SIGNON_ONLY_QUOTED = "signon_only_quoted"
    DIRECTION = "direction"
    CONTROL = "control"
    UNDECODABLE = "undecodable"
    TOO_LONG = "too_long"
    DEPENDS = "depends"
    TOO_MANY_LINES = "too_many_lines"
    TOO_MUCH_TEXT = "too_much_text"
    TEXT_CUT = "text_cut"
    QUOTE_CUT = "quote_cut"
    SEVERAL_SENDERS = "several_senders"
    NO_SENDER = "no_sender"
    BELOW_SIGNOFF = "below_signoff"
    LOOKS_AUTOMATIC = "looks_automatic"
    QUOTE_REST = "quote_rest"
    AFTER_QUOTE = "after_quote"
    OTHER_TEXT = "other_text"
    ATTACHMENT = "attachment"


_REMARKS = frozenset(
    {
        MailFlaw.BELOW_SIGNOFF,
        MailFlaw.AFTER_QUOTE,
        MailFlaw.OTHER_TEXT,
        MailFlaw.ATTACHMENT,
        MailFlaw.QUOTE_CUT,
    }
)


@dataclass(frozen=True, slots=True)
class Defect:
    """A flaw, and the line of the body where it is (counted from 1), if it is in a line."""

    flaw: MailFlaw
    line: int | None = None

    @property
    def holds(self) -> bool:
        """Return whether the sender has to be told; False for a mail that was read as meant."""
        return self.flaw not in _REMARKS

    @property
    def words(self) -> Message:
        """What is wrong, for the sender."""
        flaw = Message(f"reading.flaw.{self.flaw.value}")
        return Message("reading.defect", line=self.line, flaw=flaw)


class Owner(Enum):
    """Whose words a row of a mail is."""

    WRITER = "writer"
    JUDGE = "judge"
    """A message of the judge that the mail quotes."""
    QUOTE = "quotation"
    """Another quotation, or a text beside the one that is read."""
    FOOTER = "footer"
    """A signature, or what a mail program, a scanner or a company adds."""
    MACHINE = "machine"
    """The whole mail was written by a machine."""


class LineKind(Enum):
    """What a row of the writer is; the service says it once, where the game is known."""

    COMMAND = "command"
    ORDER = "order"
    TEXT = "text"
    """Of a press or of a diary."""
    AGREEMENT = "agreement"
    QUESTION = "question"
    PROSE = "prose"


class Where(Enum):
    """Where a row stands that was not read."""

    GREETING = "greeting"
    CLOSING = "closing"
    SIGNATURE = "signature"
    QUOTE = "quote"
    UNCLEAR = "unclear"
    """It may be the writer's, or a part of a text that is quoted without marks."""
    FURTHER = "further"


_UNIT = r"(?:a|(?-i:E)|f|g|army|fleet|garrison)"
"""``E`` is a Spanish army; in lower case it is the Italian word for "and"."""
_EXPENSE = r"(?:e|exp|expense) ?\d(?![0-9a-f]{8})"
_NUMBERED = r"[afg][1-9]\d?"
_LETTERED = r"[a-l] ?- ?[\w(][\w '()./-]{0,40}- ?\d{1,4} ?d(?:ucats?)?$"
"""An expense in the letters of 1978, ``C-A1-3d``."""
_NOTHING = r"(?!)"


@dataclass(frozen=True)
class Vocabulary:
    """The words of the judge's language, in lower case."""

    commands: frozenset[tuple[str, ...]] = frozenset()
    """Phrases with which a command begins."""
    verbs: frozenset[tuple[str, ...]] = frozenset()
    """Phrases with which an order begins that goes on behind them."""
    orders: frozenset[tuple[str, ...]] = frozenset()
    """Phrases that are an order by themselves."""
    deeds: frozenset[str] = frozenset()
    """Words that say what a unit does, behind its name."""
    texts: frozenset[str] = frozenset()
    """The texts that can be requested."""
    headings: frozenset[str] = frozenset()
    """Lines that stand only in messages of the judge, in small letters."""

    def begins_command(self, text: str) -> bool:
        """Return whether a line begins with a command or an order; ``for 2 years`` ends a loan."""
        return bool(self.command.match(text))

    def is_command(self, text: str) -> bool:
        """Return whether a line begins with a command that is no verb of an order."""
        return bool(self.dialogue.match(text))

    def is_unit_order(self, text: str) -> bool:
        """Return whether a line begins like an order with a unit's kind."""
        return bool(self.unit_order.match(text))

    def is_bare_order(self, text: str) -> bool:
        """Return whether a line begins like an order with a place only."""
        return bool(self.bare_order.match(text))

    @cached_property
    def dialogue(self) -> re.Pattern[str]:
        """How a line begins with a command that is no verb of an order."""
        commands = rf"(?:{_any(self.commands)})(?![\w'])(?<!\bfor)"
        loans = r"for(?= +[^\d\s])" if ("for",) in self.commands else _NOTHING
        return re.compile(rf"{commands}|{loans}", re.IGNORECASE)

    @cached_property
    def command(self) -> re.Pattern[str]:
        """How a line begins with a command or an order."""
        verbs = rf"(?:{_any(self.verbs)})[:,]? +\S"
        alone = rf"(?:{_any(self.orders)})(?![\w'])"
        return re.compile(rf"{self.dialogue.pattern}|{verbs}|{alone}|{_EXPENSE}", re.IGNORECASE)

    @cached_property
    def _deed(self) -> str:
        return f"(?:-|->|{_any((deed,) for deed in self.deeds)})"

    @cached_property
    def unit_order(self) -> re.Pattern[str]:
        """How a line begins like an order with a unit's kind."""
        deed = rf":? {self._deed}(?!\w)"
        letter = r" ?: ?(?:[afg](?: ?-|/|$)|0$)"
        plain = rf"{_UNIT} [\w.'/ ]{{1,40}}?(?: ?->? ?\w|{deed}|{letter})"
        numbered = rf"{_NUMBERED}(?: [\w.'/ ]{{1,40}}?)??(?: ?: ?\w| ->? ?\w|{deed})"
        return re.compile(f"{plain}|{numbered}|{_LETTERED}", re.IGNORECASE)

    @cached_property
    def bare_order(self) -> re.Pattern[str]:
        """How a line begins like an order with a place only."""
        words = r"[\w.']{2,20}(?: [\w.']{2,20}){0,2}"
        deed = rf" {self._deed}(?: |$)"
        return re.compile(rf"{words}(?: ->? ?\w|-> ?\w|{deed})", re.IGNORECASE)


def _any(phrases: Iterable[tuple[str, ...]]) -> str:
    longest = sorted(phrases, key=lambda phrase: (-len(" ".join(phrase)), phrase))
    return "|".join("[ -]+".join(map(re.escape, phrase)) for phrase in longest) or _NOTHING


_SIGNON = re.compile(r"(?:(?:sign|log)[ -]*(?:on|in)|hello)\b", re.IGNORECASE)
_FULL_SIGNON = re.compile(
    r"(?:sign|log)[ -]*(?:on|in)\s+\?{0,1}\s*\S+\s+\S+|(?:hello)\s+\S+\s+\S+\s*$", re.IGNORECASE
)
_SIGNON_BEHIND = re.compile(
    r"([^>|].*[^\W\d_]{2}[.!]) +(sign *on +\?{0,1}[A-Za-z]\w+ +\S+) *", re.IGNORECASE
)
"""`zimbra_external`: a warning without a line end in front of the first row."""
_SIGNOFF = re.compile(r"sign[ -]*off[\s.!,;]*$", re.IGNORECASE)
_PRESS = re.compile(
    r"(?:(?:postal +)?press|broadcast)\b|diary\b(?! +(?:list|read|delete)\b)", re.IGNORECASE
)
_END_OF_PRESS = re.compile(
    r"end *(?:press|broadcast|postal(?: *press)?|diary)[\s.!,;]*$", re.IGNORECASE
)
_COMMENT = re.compile(r"set +comment +begin\b", re.IGNORECASE)
_END_OF_COMMENT = re.compile(
    r"(?:end(?: *comment)?|set +comment +end|sign *off)[\s.!,;]*$", re.IGNORECASE
)
_FREE = re.compile(
    r"(?:help|list|get|send|register|create|observe|watch|who|map|version|ping|i am also|info"
    r"|summary|differences|status|stats|statistics|ratings?|history|confirm|forget +me"
    r"|offer +(?:no +)?substitutes?"
    r"|set +(?:time *zone|calendar|html|pictures?|maps|json|notif(?:y|ications?)|digests?"
    r"|lang(?:uage)?|idioma|lingua))\b",
    re.IGNORECASE,
)
_BEGINS = frozenset("bdehlpsBDEHLPS\u017f")
"""How a line begins that any of these patterns finds: ``\u017f`` is a long s."""
_ORDER_LIKE = re.compile(r"(?:^|\s)(?:[AEFG]|[Aa]rmy|[Ff]leet|[Gg]arrison)\s+[A-Z]\w{2,}")
"""A unit and what may be its place."""
_MAX_POWERS = 3
"""The most words of a power's name behind ``for``."""
_PROSE = re.compile(r"for\b", re.IGNORECASE)
"""What begins a command, and sentences as well."""

_EXTRA = (
    "*\u2022\u2023\u2043\u204c\u204d\u2219\u25aa\u25ab\u25b6\u25b8\u25ba\u25cb\u25cf\u25e6\u25a0\u25a1"
    "\u25c6\u27a2\u27a4\u2713\u2714\u2756\u00b7\u00a7\uf0a7\uf0b7\uf0d8"
)
_BULLETS: Final = re.compile(
    rf"(?:[{re.escape(_EXTRA)}+-]\s+|[{_EXTRA[1:]}]|o {{2,}}|->\s+"
    r"|\[[ xX]\]\s+|[\u2610\u2611\u2612]\s*|[\u2460-\u249b]\s*"
    r"|\(?\d{1,3}[.)]\s+|\(?\d{1,3}[.)](?=[A-Za-z]{1,8}[ -]))"
)
_EMPHASIS = re.compile(
    r"(?<![^\s(])(\*{1,3}|_{1,3}|`{1,3})(?=[^\s*_`])([^*`]*?[^\s*`])\1(?=[\s,;.:!)]|$)"
)
_UNDECORATED = re.compile(r"(?!o {2})[A-Za-z][^*_`\x80-\U0010ffff]*")
"""How almost all lines are: no bullet can stand in front, and no mark of emphasis within."""
_MAX_SQUEEZED = 500
_MAX_MARKS = 40
"""In a line with more marks they are not emphasis; pairing them would take long."""
_RULE = re.compile(r"[-_=*~+#.`\u00b7\u2022\u2500-\u257f ]+")
_FRAMES = ("-", "_", "=", "*")
_LEAST_FRAME = 3


@dataclass(frozen=True)
class Line:
    """A line of a mail: a row of the body, or the joined pieces of a row that was broken."""

    number: int
    """Its place in the body as its writer sees it, counted from 1."""
    text: str
    """In normal form (see :func:`plain`), without bullets and emphasis; in press as written."""
    raw: str
    """As it was written; pieces of a broken line are joined by a line feed."""
    is_press: bool = False
    """True for the text of a press, which is no command whatever it looks like."""
    part: tuple[int, int] | None = None
    """The part of the text that is meant, if not all of it."""
    owner: Owner = Owner.WRITER
    kind: LineKind | None = None
    where: Where | None = None
    """Where it stands, if it was left out on purpose."""
    is_changed: bool = False
    """True if the writer has inserted or changed it within words of the judge."""
    words: Vocabulary = field(default=Vocabulary(), repr=False, compare=False)
    # What its text looks like, found out once: each row is looked at from many sides.
    bare: str = field(init=False, repr=False, compare=False)
    """The text without bullets, numbers and emphasis, and without unseen characters."""
    is_blank: bool = field(init=False, repr=False, compare=False)
    """Nothing is written in it."""
    is_quoted: bool = field(init=False, repr=False, compare=False)
    """It has a quote mark."""
    is_rule: bool = field(init=False, repr=False, compare=False)
    """It is a drawn line, or a heading between two."""
    is_signon: bool = field(init=False, repr=False, compare=False)
    """It begins like a signon."""
    is_signoff: bool = field(init=False, repr=False, compare=False)
    """Reading ends here."""
    begins_press: bool = field(init=False, repr=False, compare=False)
    """The body of a press follows."""
    ends_press: bool = field(init=False, repr=False, compare=False)
    """The body of a press ends above it."""
    begins_comment: bool = field(init=False, repr=False, compare=False)
    """The text of a comment follows."""
    is_unit_order: bool = field(init=False, repr=False, compare=False)
    """It begins like an order with a unit's kind."""
    is_command: bool = field(init=False, repr=False, compare=False)
    """It begins with a command or an order's verb."""
    is_said: bool = field(init=False, repr=False, compare=False)
    """It looks like an order or a command."""

    def __post_init__(self) -> None:
        """Look at the text."""
        text = self.text
        said_by = bare(text)
        opens = said_by[:1] in _BEGINS
        is_unit_order = self.words.unit_order.match(said_by) is not None
        is_command = self.words.command.match(said_by) is not None
        is_order = is_unit_order or self.words.bare_order.match(said_by) is not None
        # "Press on, we are nearly there!"
        is_sentence = said_by[-1:] in (".", "!", "?") and len(said_by.split()) > _MAX_POWERS
        vars(self).update(
            bare=said_by,
            is_blank=not text,
            is_quoted=text[:1] == ">",
            is_rule=_RULE.fullmatch(text) is not None
            or (text[:1] in _FRAMES and self._is_framed()),
            is_signon=opens and _SIGNON.match(said_by) is not None,
            is_signoff=opens and _SIGNOFF.match(said_by) is not None,
            begins_press=opens and _PRESS.match(said_by) is not None and not is_sentence,
            ends_press=opens and _END_OF_PRESS.match(said_by) is not None,
            begins_comment=opens and _COMMENT.match(said_by) is not None,
            is_unit_order=is_unit_order,
            is_command=is_command,
            is_said=is_order or (is_command and not _PROSE.match(said_by)),
        )

    def _is_framed(self) -> bool:
        """Return whether it is no order between two drawn lines, as "--- A Flo - Bol ---" is."""
        inside = unframed(self.text)
        return inside != self.text and not replace(self, text=inside).is_said

    def marked(self, **changes: object) -> Self:
        """Return the line with another owner, kind or place; its text stays as it is."""
        line = object.__new__(type(self))
        vars(line).update(vars(self), **changes)
        return line

    @property
    def first_word(self) -> str:
        """Return the first word, or ""."""
        return next(iter(self.text.split(maxsplit=1)), "")

    @cached_property
    def squeezed(self) -> str:
        """Return the beginning, single-spaced: some programs set header fields in columns."""
        return " ".join(self.bare[:_MAX_SQUEEZED].split())

    @property
    def is_full_signon(self) -> bool:
        """Return whether it is a signon with game and password."""
        has_marks = self.bare[:1] in ("", ">", " ", "|") or self.bare != self.text
        said_by = unquoted(self.bare) if has_marks else self.bare
        return _FULL_SIGNON.match(said_by) is not None

    @property
    def is_greeting(self) -> bool:
        """Return whether its first word is also a greeting."""
        return self.bare[:5].lower() == "hello"

    @property
    def ends_comment(self) -> bool:
        """Return whether the text of a comment ends here."""
        return bool(_END_OF_COMMENT.match(self.bare))

    @property
    def is_free(self) -> bool:
        """Return whether it begins like a command that needs no signon."""
        return bool(_FREE.match(self.bare))

    def left_out(self, where: Where, owner: Owner) -> Self:
        """Return the line marked as not read."""
        return replace(self, text=self.bare, raw=self.bare, owner=owner, where=where)

    @property
    def kind_by_look(self) -> LineKind:
        """Return its kind by its look; the judge, which knows the game, may decide otherwise."""
        if self.is_signon or self.is_signoff or self.words.dialogue.match(self.bare):
            first, *behind = self.bare.lower().split()
            # "Get BlueMail for Android"
            is_advice = first == "get" and len(behind) > 1 and behind[0] not in self.words.texts
            # "For urgent matters call Anna."
            is_prose = first == "for" and len(behind) > _MAX_POWERS and self.bare[-1] in ".!?"
            return LineKind.PROSE if is_advice or is_prose else LineKind.COMMAND
        # What is struck out is shown to its writer as it stands.
        struck = replace(self, text=self.text.strip("~")) if self.text[:2] == "~~" else self
        if struck.is_said or _ORDER_LIKE.search(self.bare):
            return LineKind.ORDER
        if is_assent(self.bare):
            return LineKind.AGREEMENT
        return LineKind.QUESTION if self.bare.endswith("?") else LineKind.PROSE


def rows_of(lines: Sequence[str], most: int, words: Vocabulary) -> list[Line]:
    """The rows of a body; of one longer than *most* characters only the beginning is looked at."""
    return [
        Line(number, plain(piece[:most].rstrip("\x1a")), piece, words=words)
        for number, line in enumerate(lines, start=1)
        for piece in _split_signon(line)
    ]


def _split_signon(line: str) -> Sequence[str]:
    """A row, or the sentence and the signon of which a server has made one row."""
    found = _SIGNON_BEHIND.fullmatch(line) if len(line) < _MAX_SQUEEZED else None
    return (line,) if found is None else (found[1], found[2])


def bare(text: str) -> str:
    """A line in normal form without bullets, numbers, emphasis and unseen characters."""
    if not text.isprintable():  # neither kind is printable
        text = CONTROL.sub("", DIRECTION.sub("", text))
    return undecorated(text)


def undecorated(text: str) -> str:
    """A line without leading bullets and numbers, and without marks of emphasis."""
    if _UNDECORATED.fullmatch(text):
        return text.rstrip(" ")
    text = _behind_pictures(text)
    for _ in range(3):
        bullet = _BULLETS.match(text)
        shorter = _without_emphasis(text[bullet.end() :] if bullet else text)
        if shorter == text:
            break
        text = shorter
    return text.strip(" ")


def unframed(text: str) -> str:
    """A line without the lines drawn before and behind it: "--- A Flo - Bol ---"."""
    sign = text[:1]
    if sign not in _FRAMES:
        return text
    inside = text.strip(sign)
    before, behind = len(text) - len(text.lstrip(sign)), len(text) - len(text.rstrip(sign))
    if not inside:  # nothing but the line, which is before and behind
        return inside if len(text) >= 2 * _LEAST_FRAME else text
    return inside.strip() if min(before, behind) >= _LEAST_FRAME else text


def _behind_pictures(text: str) -> str:
    """A line without the bars and pictures in front; what stands behind may be a password."""
    if _THUMBS.fullmatch(text):
        return "OK"
    at = 0
    while at < len(text) and (text[at] in "| " or _is_picture(text[at])):
        at += 1
    return text[at:]


_THUMBS = re.compile("(?:[\U0001f44d\U0001f44c\u2705\U0001f197][\U0001f3fb-\U0001f3ff]? ?)+")
"""Pictures that agree, by themselves in a row."""


def _is_picture(char: str) -> bool:
    is_drawn = unicodedata.category(char) == "So" or "\U0001f3fb" <= char <= "\U0001f3ff"
    return char > "\x7f" and is_drawn and char not in _EXTRA


def unquoted(text: str) -> str:
    """A line without its quote marks."""
    return undecorated(text.lstrip("> |"))


def _without_emphasis(text: str) -> str:
    marks = text.count("*") + text.count("_") + text.count("`")
    return _EMPHASIS.sub(r"\2", text) if 1 < marks <= _MAX_MARKS else text


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A text file whose lines were read, because the mail itself held no orders."""

    name: str
    first: int
    """The number of its first line."""
    last: int


_SAID = frozenset({LineKind.COMMAND, LineKind.ORDER, LineKind.TEXT})


@dataclass(frozen=True)
class Mail:
    """A mail as read. Header values are single lines without control characters."""

    sender: str | None
    """The writer's address: in From or, where a list replaced it, in Reply-To or the envelope."""
    reply_to: str | None
    """The address in Reply-To, if it is exactly one of a person."""
    display_name: str
    """The sender's name in From, or ""."""
    subject: str
    message_id: str | None
    """With its angle brackets."""
    references: tuple[str, ...]
    """The mails it answers, oldest first, In-Reply-To last."""
    kind: MailKind
    rows: tuple[Line, ...]
    """Every row with its owner, in the order of the mail; also where the mail is ignored."""
    defects: tuple[Defect, ...]
    loop: bool
    """True for one of our own mails that comes back."""
    why_ignored: WhyIgnored | None = None
    attachments: tuple[str, ...] = ()
    """Names (or types) of the parts that were not read."""
    file: AttachedFile | None = None
    suspected: WhyIgnored | None = None
    """Why it may be automatic although it says something."""
    codes: tuple[str, ...] = ()
    """Possible reply codes, the surest first."""
    senders: tuple[str, ...] = ()
    """Every address in its From fields, in lower case."""
    is_in_from: bool = True
    """True if the sender's address stands in From, which servers vouch for."""
    by_list: bool = False
    """True if it came by a mailing list or a server that replaced the writer."""
    quoted: tuple[str, ...] = ()
    """The known messages of the judge that it quotes."""
    quotable: tuple[str, ...] = ()
    """Its words where it may quote a message of the judge (see `closest`), else none."""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Return the rows that are read; none if the mail is ignored."""
        return tuple([r for r in self.rows if r.where is None and r.owner is Owner.WRITER])

    @property
    def unheard(self) -> tuple[Line, ...]:
        """Return the rows of an ignored mail, which are only searched for a proof."""
        return tuple(row for row in self.rows if row.where is None and row.owner is Owner.MACHINE)

    @property
    def skipped(self) -> tuple[Line, ...]:
        """Return the rows left out on purpose."""
        return tuple(row for row in self.rows if row.where and row.owner is not Owner.MACHINE)

    def with_lines(self, lines: Iterable[Line]) -> Self:
        """Return the mail with other rows to be read."""
        read = (replace(line, owner=Owner.WRITER) for line in lines)
        return replace(self, rows=(*read, *self.skipped))

    @property
    def said(self) -> tuple[Line, ...]:
        """Return the rows addressed to the judge or to players, without prose."""
        return tuple(row for row in self.rows if row.owner is Owner.WRITER and row.kind in _SAID)

    @property
    def has_own_words(self) -> bool:
        """Return whether the mail has words that are not quoted."""
        return any(row.owner is Owner.WRITER for row in self.rows)

    @cached_property
    def instructions(self) -> tuple[Line, ...]:
        """Return the lines outside press, which may be orders and commands."""
        return tuple([line for line in self.lines if not line.is_press])


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much of a mail is read. Beyond these, the mail is held with a defect."""

    lines: int = 2_000
    """Lines handed on."""
    characters: int = 1_000
    """Characters of one line."""
    said: int = 30_000
    """Characters of all lines, without those of press."""
    rows: int = 6_000
    """Rows of the body looked at, quoted text included."""
    shown: int = 300_000
    """Characters of these rows."""
    text: int = 1_100_000
    """Bytes of the body looked at, markup included."""

    @property
    def longest(self) -> int:
        """Return the characters of a line of press, which is split at *characters*."""
        return 20 * self.characters


# Greetings, closing formulas, names and agreement: the salutations around orders. A line is one if
# it begins with words of the lists below and goes on with a name at most. Accents, capitals and
# punctuation make no difference, but where ``agrees`` looks at what a word of agreement stands
# for: who answers a question of the judge may take it back in the same line.
_CLOSINGS: Final = """
regards, rgds, wishes, best, all the best, cheers, cheerio, sincerely, truly, faithfully,
cordially, warmly, respectfully, yours, kindly, bye, goodbye,
gruss, grusse, gruesse, grussen, gruessen, mfg, saluti, saluto, abbraccio, cordialmente,
saludos, saludo, salud, atentamente, abrazo, abrazos, cordialement, salutations
"""
_FAREWELLS: Final = """
love, hugs, take care, see you, see ya, cya, ttyl,
good bye, bye bye, good luck, have fun, have a nice day, have a nice evening, have a nice weekend,
have a good day, have a good one, have a good weekend, have a great day, have a great weekend,
so long, farewell, good night, until next time, talk soon, peace, xoxo, greetings,
hochachtungsvoll, bis bald, bis dann,
bis spater, bis morgen, tschuss, tschuess, alles gute, alles liebe, herzlichst, freundlichst,
a presto, a dopo, a domani, a risentirci, arrivederci,
arrivederla, buona giornata, buona serata, buona notte, buonanotte, ciao,
hasta luego, hasta pronto, hasta manana,
hasta la vista, adios, buen dia, cumprimentos, abraco, abracos, ate logo, ate breve,
amicalement, respectueusement, sincerement, a bientot,
a demain, a la prochaine, au revoir, bonne journee, bonne soiree, bonne nuit, bise, bises,
bien a vous,
bien a toi, tout a vous, groet, groeten, groetjes, mvg, hilsen, halsning, halsningar, mvh,
pozdrawiam, pozdrowienia
"""
_THANKS: Final = """
thanks, thank you, thank u, thx, thnx, tks, tia, much appreciated, dank, danke, grazie, gracias,
merci, obrigado, obrigada, dank je, dank je wel, dank u, bedankt, tack, tak
"""
_BETWEEN: Final = """
best, kind, kindest, warm, warmest, many, with, my, the, very, all, good, much, so, again, in,
advance, a lot, and, big, dear, for your help, for your time, for everything, for all, to all,
mit, viele, vielen, beste, besten, liebe, lieben, schone, schonen, schoene, schoenen, freundliche,
freundlichen, herzliche, herzlichen, sonnige, einen, und, im, voraus, schon, schoen, sehr,
tausend, aus, von,
un, cordiali, distinti, cari, caro, tanti, tante, molti, molte, mille, affettuosi, cordiale, e,
anticipo,
a tutti, a todos, cordiales, muchos, muchas, atentos, mil, fuerte, gran, cordial, y,
de antemano, muito,
bien, tres, meilleures, meilleurs, cordiales, sinceres, beaucoup, d'avance, et,
met, vriendelijke, hartelijke, med, vanlig, vennlig, venlig
"""
_GREETINGS: Final = """
dear, hi, hello, hey, hiya, howdy, morning, good morning, good day, good evening,
good afternoon, greetings,
salutations, hallo, guten morgen, guten tag, guten abend, sehr geehrte, sehr geehrter, lieber,
liebe, liebes, moin, servus, gruezi, gruss gott, gruss dich, ciao, salve, buongiorno, buon giorno,
buonasera, buona sera, caro, cara, cari, care, gentile, gentili, egregio, egregia,
spettabile, hola, buenos dias, buenas, buenas tardes, buenas noches, estimado, estimada,
estimados, querido, querida, queridos, bonjour, bonsoir, salut, coucou, cher, chere, chers,
cheres, beste, hoi, ola, bom dia, hej, kaere, kara, hei, czesc, witam
"""
_SURE: Final = """
yes, yep, yeah, sí, sì, ja, oui, sim, i confirm, i agree, that is me, that's me, that was me,
it is me, it's me, it was me, confirmo, lo confirmo, soy yo, fui yo, he sido yo,
confermo, lo confermo, sono io, sono stato io, sono stata io, ero io
"""
"""Words that agree, whatever follows them."""
_LIGHT: Final = """
ok, okay, okey, confirm, confirmed, agreed, done, sure, of course, all right, alright, fine, great,
do it, please do, si, vale, confirmado, confirmada, claro, perfecto, de acuerdo,
confermato, confermata, certo, perfetto, bene, d'accordo, va bene
"""
"""Words that agree, followed by nothing but salutations or a stop."""
_ASSENTS: Final = f"""{_SURE},{_LIGHT},
perfect, got it, received, noted, understood, no problem, please, looks good, looks good to me,
looks fine, looks right, sounds good, that is fine, that's fine, as offered, as it stands,
as they stand, good to go, lgtm, approved, accepted, go ahead,
estoy de acuerdo, me parece bien, esta bien, todo bien, muy bien, adelante,
aceptado, hecho, recibido, mi va bene, va bene cosi, tutto bene, sta bene, sono d'accordo,
benissimo, accettato, fatto, ricevuto,
jawohl, bestatigt, bestaetigt, einverstanden, gut, je confirme, confirme
"""
"""Words that agree to offered lines."""
_MAX_SALUTATION = 90
_MAX_NAMES = 4
_MAX_OF_TITLE = 7
_MAX_WORDS_BEHIND = 9
_LONGEST_PHRASE = 4
_PLAIN_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*\.?")
_NO_PROSE = re.compile(r"[0-9=|#>@]")
_DASHED = re.compile(r" -+ ")
_HEADING = re.compile(
    r"(?:(?:here are )?(?:my|our|the) )?(?:orders|moves) for [^:]{1,40}:?", re.IGNORECASE
)
_EXPANDED = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "ł": "l"})

_AROUND: Final = """
judge, keeper, sir, madam, all, everybody, everyone, and, a, the, with, please, morning, day,
evening, afternoon, very, many, much, kind, kindest, warm,
juez, por favor, y, un, una, muchas, cordiales, giudice, per favore, e, mille, tante, cordiali,
distinti, mit, viele, freundlichen
"""
"""Words between a salutation, thanks or a closing and a name."""
_MAX_OF_AGREEMENT = 25
_MAX_COURTEOUS, _MAX_SIGNED = 8, 2
_OBJECT = re.compile(
    r"\A\s+(?:it|this|that|me|(?:my|the|mi|la|il mio|il) "
    r"(?:address|seat|account|game|dirección|puesto|indirizzo|posto))\b",
    re.IGNORECASE,
)
"""What is confirmed."""
_STOP = re.compile(r"\s*[.,;:!–—-]")
_BUT = re.compile(
    r"\?|n['’]t\b|\b(?:no|not|non|never|nunca|mai|but|pero|però|stop|stopp|unsubscribe|remove|delete|"
    r"spam|cancel|baja|basta|wrong|away|office|vacation|holidays?|leave|absent|ferie|vacanza|vacaciones|"
    r"fuera|assente|ausente|sbagliat[oa]|equivocad[oa]|prega)\b",
    re.IGNORECASE,
)
"""Words that turn agreement into something else."""
_ANY_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

Phrase = tuple[str, ...]


def _one_of(phrases: str) -> str:
    """A pattern for the phrases, with either apostrophe."""
    listed = [" ".join(each.split()) for each in phrases.split(",")]
    return "|".join(re.escape(each).replace("'", "['’]") for each in listed)


_IS_SURE = re.compile(
    rf"\W*(?:{_one_of(_SURE)})\b(?! (?:what|that|qué|que|che|cosa)\b)", re.IGNORECASE
)
_IS_LIGHT = re.compile(rf"\W*(?:{_one_of(_LIGHT)}|y)(?P<rest>\W.*)?", re.IGNORECASE)


def is_greeting(text: str) -> bool:
    """Return whether a line is only a greeting: "Dear judge,", but not "hello Lborgia x"."""
    words = _words(text, _first_words(_GREETINGS))
    start = _longest(words, 0, _phrases(_GREETINGS))
    if not start or _NO_PROSE.search(text) or _DASHED.search(text):
        return False
    behind = len(words) - start
    return _are_names(words[start:]) or (
        text.rstrip()[-1] in ",:.!" and 0 < behind < _MAX_WORDS_BEHIND
    )


def is_heading(text: str) -> bool:
    """Return whether a line only announces orders: "My orders for Venice:"."""
    return _HEADING.fullmatch(text.strip()) is not None


def is_closing(text: str) -> bool:
    """Return whether a line is only a closing formula or thanks, with or without a name."""
    formulas = f"{_CLOSINGS},{_FAREWELLS}"
    words = _words(text, _first_words(f"{formulas},{_THANKS},{_BETWEEN}"))
    if not words or "?" in text or _NO_PROSE.search(text):
        return False
    thanks, closings = _phrases(_THANKS), _phrases(formulas)
    known = thanks | closings | _phrases(_BETWEEN)
    at = closes = thanked = 0
    while size := _longest(words, at, known):
        said = tuple(words[at : at + size])
        thanked += said in thanks
        closes += said in thanks | closings
        at += size
    if not closes:
        return False
    behind = words[at:]
    is_prose = thanked > 0 and len(behind) < _MAX_WORDS_BEHIND and not _DASHED.search(text)
    return _are_names(behind) or (is_prose and len(behind[0]) > 1)


_UNCHANGED = re.compile(
    r"(?:please |just )*(?:leave|keep|let) (?:it|them|things|all|everything|"
    r"(?:all )?(?:of )?(?:my|the|your) (?:orders|units|lines))(?: all)?,? "
    r"(?:just |exactly )?as (?:(?:it|they) (?:is|are|was|were|stands?)|is|before|offered)"
    r"|(?:d[eé]jalo|deja|dejad|dejar) todo como est[aá]"
    r"|lascia(?:lo|te)? tutto com(?:e sta|['’][eè]|e [eè])",
    re.IGNORECASE,
)
"""What agrees to lines in a sentence of its own."""


def is_assent(text: str) -> bool:
    """Return whether a line only agrees: "ok!", "Yes, confirmed. Thanks!"."""
    text = _UNCHANGED.sub("ok", text, count=1)
    words = _words(text, _first_words(_ASSENTS))
    if not words:
        return False
    known = _phrases(_ASSENTS) | _phrases(_THANKS) | _phrases(_BETWEEN)
    at = 0
    while size := _longest(words, at, known):
        at += size
    return at == len(words) and not (_NO_PROSE.search(text) or "?" in text)


def agrees(text: str) -> bool:
    """Return whether a text says yes in English, Spanish or Italian, and does not take it back.

    More may follow the answer: "Yes, I want to play."
    """
    if takes_back(text) or len(text.split()) > _MAX_OF_AGREEMENT:
        return False
    if _IS_SURE.match(text):
        return True
    light = _IS_LIGHT.fullmatch(text.strip())
    if light is None:
        return False
    rest = _OBJECT.sub("", light["rest"] or "", count=1)
    ends = not rest.strip() or _STOP.match(rest) is not None
    return ends or is_bare_salutation(rest) or agrees(rest)


def takes_back(text: str) -> bool:
    """Return whether a line has a word that takes agreement back, or asks."""
    return _BUT.search(text) is not None


def is_bare_salutation(text: str) -> bool:
    """Return whether a line is only a salutation, thanks or a closing, with a name."""
    if takes_back(text) or any(map(str.isdigit, text)):
        return False
    words = _ANY_WORD.findall(text)
    known = _courteous()
    plain = [_plain(word) for word in words]
    names = [word for word, small in zip(words, plain, strict=True) if small not in known]
    begins = not words or plain[0] in known
    is_short = len(words) <= _MAX_COURTEOUS and len(names) <= _MAX_SIGNED
    return begins and is_short and all(word[0].isupper() for word in names)


def is_name(text: str, names: frozenset[str]) -> bool:
    """Return whether a line is a name with one of *names* at an end; see :func:`names_of`."""
    words = [word.strip(".") for word in _words(text)]
    if not 0 < len(words) <= _MAX_OF_TITLE or ":" in text or _NO_PROSE.search(text):
        return False
    return words[0] in names or (words[-1] in names and len(words) <= _MAX_NAMES)


def names_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of names too long for abbreviations."""
    return frozenset(word for text in texts for word in _words(text) if len(word) >= _SHORTEST_NAME)


_SHORTEST_NAME = 3


def _words(text: str, first: frozenset[str] | None = None) -> list[str]:
    """The words of a short line in plain small letters; [] unless it begins with one of *first*."""
    if len(text) > _MAX_SALUTATION:
        return []
    plain = text.lower() if text.isascii() else _plain(text)
    begin = _PLAIN_WORD.search(plain)
    if begin is None or (first is not None and begin[0].rstrip(".") not in first):
        return []
    return [word.rstrip(".") for word in _PLAIN_WORD.findall(plain)]


def _plain(text: str) -> str:
    whole = unicodedata.normalize("NFKD", text.casefold().translate(_EXPANDED))
    return "".join(char for char in whole if not unicodedata.combining(char))


@cache
def _courteous() -> frozenset[str]:
    """Every word of a salutation, of thanks and of a formal closing."""
    listed = ",".join((_GREETINGS, _CLOSINGS, _THANKS, _AROUND))
    return frozenset(word for phrase in _phrases(listed) for word in phrase)


@cache
def _phrases(text: str) -> frozenset[Phrase]:
    return frozenset(tuple(each.split()) for each in _plain(text).split(",") if each.strip())


@cache
def _first_words(text: str) -> frozenset[str]:
    return frozenset(phrase[0] for phrase in _phrases(text))


def _longest(words: Sequence[str], at: int, known: frozenset[Phrase]) -> int:
    """The number of words from *at* on that are a phrase, or 0."""
    sizes = range(min(_LONGEST_PHRASE, len(words) - at), 0, -1)
    return next((size for size in sizes if tuple(words[at : at + size]) in known), 0)


def _are_names(words: Sequence[str]) -> bool:
    """Return whether there are only names and initials; a letter in front is a unit's."""
    return len(words) <= 1 or (len(words) <= _MAX_NAMES and len(words[0]) > 1)


# What of a mail stands in a message of the judge: words beside words, however rows are broken. A
# message is cut into its runs of three words; where such a run stands in the mail, the two are
# followed as far as they agree. The work grows with the length of the mail alone: a diff of the
# standard library takes minutes for a mail of one word a thousand times, and one that looks for
# the longest common sequence takes words out of their places. A row is quoted if all its words
# are found and stand beside others of the message: what looks like an order is quoted only in one
# piece with a sentence of the judge, above or below it, for people send the lines of a form back
# as their own.
_RUN = 3
_LEAST = 5
"""The least number of words in a piece that is no chance."""
_MAX_PLACES = 40
"""The most places in a message that are tried for one run."""
_MAX_WORDS = 30_000
_MAX_MESSAGES = 8
_SLACK = 2
"""The most words of a message missing between two rows of a quotation."""
_ANNOUNCED_WITHIN = 2
"""The most rows between a quotation and its announcement."""
_CHANGED = 14
"""The most words missing where others stand in their place."""
_MAX_ROWS_OF_A_WORD = 8
_WORD = re.compile(r"\w+(?:'\w+)*|[-=:/+]+>?")
_FRONT = re.compile(r"\A[^\w=/+-]+")
_LINK = re.compile(r"<(?:https?:|mailto:|tel:)[^<>]{0,500}>|~~")


def words_of(text: str) -> list[str]:
    """The words and signs of a text in small letters, without links behind words.

    Signs in front may be marks of quotation.
    """
    found: list[str] = _WORD.findall(_FRONT.sub("", _LINK.sub(" ", text).lower(), count=1))
    return ["-" if word == "->" else word for word in found] if "->" in found else found


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of a mail prepared for comparison."""

    text: str
    """Without marks of quotation, bullets and emphasis."""
    is_said: bool
    """True if it looks like an order or a command."""
    depth: int
    """The number of quote marks."""
    announces: bool = False
    """True if a quotation may begin below it."""


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a mail that stand in a message, by index."""

    quoted: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    """Rows within the quotation that differ from the message."""
    is_to_end: bool = False
    """True if the end of the message is quoted."""


@dataclass(frozen=True, slots=True)
class _Piece:
    row: int
    start: int
    end: int
    is_whole: bool


def find(
    rows: Sequence[ComparedRow], message: str, headings: Collection[str] = frozenset()
) -> Found:
    """The rows that stand in a message.  Work is linear in the length of both.

    Its *headings* are known where rows have broken or joined them, too.
    """
    said, begins = _message(message)
    owners: list[int] = []
    words: list[str] = []
    for at, row in enumerate(rows):
        here = words_of(row.text)
        owners += [at] * len(here)
        words += here
    del words[_MAX_WORDS:], owners[_MAX_WORDS:]
    places, long = _places_with_broken(words, owners, said)
    surely = {owner for owner, is_long in zip(owners, long, strict=True) if is_long}
    known = frozenset(places)
    heads = [
        (begin, end)
        for begin, end in pairwise((*begins, len(said)))
        if _HEAD.match(begins[begin]) or " ".join(said[begin:end]) in headings
        if known.issuperset(range(begin, end))
    ]
    quoted: set[int] = set()
    changed: set[int] = set()
    pieces = [*_pieces(rows, owners, places)]
    quoted |= {p.row for p in pieces if _is_sentence(rows[p.row], p, begins, len(said))}
    chains = [
        chain
        for chain in _chains(pieces)
        # A whole row that is no order shows that the judge's own text is there.
        if any(p.is_whole and p.row in surely and not rows[p.row].is_said for p in chain)
    ]
    is_to_end = False
    sure = [
        chain
        for chain in chains
        if _is_quotation(rows, chain)
        or any(chain[0].start <= begin and end <= chain[-1].end for begin, end in heads)
    ]
    for chain in chains:
        if chain in sure or any(_belongs(chain, each) for each in sure):
            _claim(rows, chain, begins, quoted, changed)
            is_to_end = is_to_end or chain[-1].end >= len(said) - _SLACK
    return Found(frozenset(quoted), frozenset(changed - quoted), is_to_end)


def _places_with_broken(
    words: Sequence[str], owners: Sequence[int], said: Sequence[str]
) -> tuple[list[int], list[bool]]:
    """What `_places` returns, also for words of the message that rows of the mail have broken.

    All pieces of a word have its place.
    """
    known, pairs = frozenset(said), frozenset(pairwise(said))
    whole: list[str] = []
    sizes: list[int] = []
    at = 0
    while at < len(words):
        size = _pieces_of_word(words, owners, at, known, pairs)
        whole.append("".join(words[at : at + size]))
        sizes.append(size)
        at += size
    if len(whole) == len(words):
        return _places(words, owners, said)
    begins = [*accumulate(sizes, initial=0)][:-1]
    places, long = _places(whole, [owners[at] for at in begins], said)
    return (
        [place for place, size in zip(places, sizes, strict=True) for _ in range(size)],
        [is_long for is_long, size in zip(long, sizes, strict=True) for _ in range(size)],
    )


def _pieces_of_word(
    words: Sequence[str],
    owners: Sequence[int],
    at: int,
    known: frozenset[str],
    pairs: frozenset[tuple[str, str]],
) -> int:
    """How many words from *at* on are one *known* word: each but the first begins a row."""
    found, joined = 1, words[at]
    for end in range(at + 1, min(at + _MAX_ROWS_OF_A_WORD, len(words))):
        if owners[end] == owners[end - 1] or (words[end - 1], words[end]) in pairs:
            break
        joined += words[end]
        if joined in known:
            found = end + 1 - at
    return found


def _message(message: str) -> tuple[list[str], Mapping[int, str]]:
    """The words of a message, and its lines by their first words."""
    said: list[str] = []
    begins: dict[int, str] = {}
    for line in message.split("\n"):
        begins[len(said)] = line
        said += words_of(plain(line))
        if len(said) > _MAX_WORDS:
            break
    return said[:_MAX_WORDS], begins


def closest(words: Sequence[str], messages: Iterable[str]) -> list[str]:
    """The messages in which some piece of the *words* of a mail stands, those with most first."""
    here = _runs(words)
    if not here:
        return []
    counted = ((len(here & _runs(_message(each)[0])), each) for each in messages)
    likely = sorted((each for each in counted if each[0]), key=lambda each: -each[0])
    return [message for _, message in likely[:_MAX_MESSAGES]]


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All pieces of at least the length that is looked at."""
    known = words[:_MAX_WORDS]
    return set(zip(*(known[at:] for at in range(_LEAST)), strict=False))


def _places(
    words: Sequence[str], owners: Sequence[int], said: Sequence[str]
) -> tuple[list[int], list[bool]]:
    """Where each word of a mail stands in a message (-1: nowhere), and whether in a long piece."""
    index: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(said) - _RUN + 1):
        index.setdefault(tuple(said[start : start + _RUN]), []).append(start)

    def longest(at: int, follows: int) -> tuple[int, int]:
        best, length = -1, 0
        starts = index.get(tuple(words[at : at + _RUN]), ())
        for start in (follows, *islice(starts, _MAX_PLACES)):
            size = _agree(words, at, said, start)
            # What goes on from the piece above is meant, where the same stands twice.
            if size > length + (best == follows and best >= 0):
                best, length = start, size
        return best, length

    places, long = [-1] * len(words), [False] * len(words)
    at = follows = 0
    while at < len(words):
        best, length = longest(at, follows)
        if length and best != follows:
            # A row or its end, by chance also elsewhere in the message, takes no row below along.
            below = next((n for n in range(at, at + length) if owners[n] != owners[at]), None)
            if below is not None and longest(below, best + below - at)[1] > at + length - below:
                length = below - at
        if length >= _RUN or (best == follows and length and at and places[at - 1] >= 0):
            places[at : at + length] = range(best, best + length)
            long[at : at + length] = [length >= _LEAST] * length
            at, follows = at + length, best + length
        else:
            at += 1
    return places, long


def _agree(words: Sequence[str], at: int, said: Sequence[str], start: int) -> int:
    size = 0
    most = min(len(words) - at, len(said) - start)
    while size < most and words[at + size] == said[start + size]:
        size += 1
    return size


def _pieces(
    rows: Sequence[ComparedRow], owners: Sequence[int], places: Sequence[int]
) -> Iterable[_Piece]:
    at = 0
    while at < len(owners):
        end = at
        while end < len(owners) and owners[end] == owners[at]:
            end += 1
        found = [place for place in places[at:end] if place >= 0]
        if found:
            is_whole = len(found) == end - at
            # Of an order, nothing may be left out.
            is_whole &= not rows[owners[at]].is_said or found == [*range(found[0], found[-1] + 1)]
            yield _Piece(owners[at], found[0], found[-1] + 1, is_whole)
        at = end


def _chains(pieces: Sequence[_Piece]) -> Iterable[list[_Piece]]:
    """The pieces in groups that go on in the message where the one above ends."""
    chain: list[_Piece] = []
    for piece in pieces:
        if chain and not _goes_on(chain[-1], piece):
            yield chain
            chain = []
        chain.append(piece)
    if chain:
        yield chain


def _goes_on(above: _Piece, piece: _Piece) -> bool:
    is_plain = above.is_whole and piece.is_whole and piece.row == above.row + 1
    # Two rows may have pieces of one word.
    return -1 <= piece.start - above.end <= (_SLACK if is_plain else _CHANGED)


def _is_quotation(rows: Sequence[ComparedRow], chain: Sequence[_Piece]) -> bool:
    """Return whether rows are quoted and not rewritten.

    The judge repeats what it does not understand and gives back texts, so equal words may be the
    writer's.
    """
    first = chain[0].row
    above = rows[max(0, first - _ANNOUNCED_WITHIN) : first]
    here = [rows[piece.row] for piece in chain]
    return any(row.depth for row in here) or any(row.announces for row in above)


def _is_sentence(row: ComparedRow, piece: _Piece, begins: Collection[int], most: int) -> bool:
    """Return whether a row that looks like an order is a whole line of prose of the message.

    "A unit without an order is removed." is copied with the lines above it.
    """
    ends = piece.end in begins or piece.end == most
    is_long = piece.is_whole and piece.end - piece.start >= _LEAST
    return row.is_said and row.text.endswith(".") and is_long and piece.start in begins and ends


def _belongs(chain: Sequence[_Piece], other: Sequence[_Piece]) -> bool:
    """Return whether two chains have the same order in the mail as in the message."""
    if chain[0].row < other[0].row:
        return chain[-1].end <= other[0].start
    return other[-1].end <= chain[0].start


def _claim(
    rows: Sequence[ComparedRow],
    chain: Sequence[_Piece],
    begins: Collection[int],
    quoted: set[int],
    changed: set[int],
) -> None:
    whole = {piece.row: piece for piece in chain if piece.is_whole}
    depths = [rows[at].depth for at in whole]
    depth = max(set(depths), key=depths.count)
    first, last = chain[0].row, chain[-1].row
    while depth and last + 1 < len(rows) and rows[last + 1].depth == depth:
        last += 1
    for at in range(first, last + 1):
        row = rows[at]
        # A piece of a broken line goes without a mark; a line of its own was typed in between.
        is_line = row.is_said and at in whole and whole[at].start in begins
        if row.depth < depth and (is_line or at not in whole):
            continue
        if at in whole:
            quoted.add(at)
        elif row.is_said:
            changed.add(at)
        elif row.depth or not any(map(str.isalnum, row.text)):
            quoted.add(at)


_MAX_ROWS = 5
_MAX_ANNOUNCEMENT = 500
_MAX_FIELDS = 10
# Whose words the rows of a body are: its writer's, the judge's, or those of another quotation.
# What the judge is known to have sent is compared word by word, and needs no mark and no
# announcement. Else marks decide (`>`, a bar, `MJ>`), and where a mail program sets none, an
# announcement: a row with an address and a date that ends like one, two or more rows of `Word:
# value` with an address or a date among them, a divider, or a heading of the judge's own
# messages. These are shapes, not lists of languages; the lists at the end hold what has no shape.
# Behind an announcement that is followed by marked rows, or by words of the judge that are known,
# the rest may be the writer's; behind another one, everything is quoted.
_ENOUGH_FIELDS = 2
_ENOUGH_BARS = 2
_ORDERS_ABOVE = 2
_MAX_STRANGE = 10
"""At most one in so many rows of a known message may differ."""
_STRANGE = 3
"""The most rows that occur in the HTML form alone."""
_BROKEN_FROM, _BROKEN_AT = 60, 72

_ADDRESS = re.compile(r"[^\s<>()]@[^\s<>()]+\.\w")
_DATE = re.compile(
    r"\d{4}\s?[-/.年]\s?\d\d?|\d\d?\s?[-/.]\s?\d\d?\s?[-/.]\s?\d{2,4}"
    r"|\b\d\d?\b.{1,25}\b(?:19|20)\d\d\b"
)
_TIME = re.compile(r"\b\d\d?[:.h]\d\d\b")
_CLOSED = re.compile(r"[:：]$|[^\s<>()]+@[^\s<>()]+[>)\]][,;]?$|^-{2,}.*-{2,}$")
_FIELD = re.compile(r"\*{0,2}([^\W\d_][^\n:：<>@]{0,24}?)\s?[:：]\*{0,2}(?:\s|$|(?<=：))")
_SUPERCITE = re.compile(r"\s{0,9}[A-Za-z]{1,4}>")
_FRAMED = re.compile(r"\*?-{3,}.*[^\W\d_].*-{3,}\*?$")
_SIGN = re.compile(r"\s{0,9}([^\w\s]{1,3}|\[\w{1,3}\])")
"""A sign of quotation that no list knows, as some rows below each other have it."""
_NO_SIGNS = (
    frozenset(f"{_EXTRA}{_DASHES}{_NO_WIDTH}{_DOUBLE}")
    | frozenset("#/+-'\"`~=_(<>|&\u00bf\u00a1.,@$\u2026")
) - {"\u00bb"}
"""Bullets, and what begins sentences, comments and marks that are known."""
_LETTERS = frozenset(string.ascii_letters) | {""}
_LAST_SIGN = "\u25ff"
"""Pictures, which stand behind it, are bullets."""
_ENOUGH_SIGNS = 3
_HEAD = re.compile(r":: \w+: ")
_CODE_ROW = re.compile(r"[^\W\d_][^\d:：]{0,30}[:：]? ?r\.(?:[a-z2-7]{26}|\*{8})", re.IGNORECASE)
"""The last row of a message; it is added when the message is sent."""
_ROWS_OF_CODE = 9
"""The most rows in which a narrow screen shows it."""

_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schrieben|a écrit|ha scritto|escribió|escribio|escreveu|schreef"
    r"|skrev|napisał(?:\(a\)|a)?|geschreven|zitat von)\b",
    re.IGNORECASE,
)
"""A time without an address: `attribution_*_bare` and `attribution_quoting` of the corpus."""
_DIVIDER = re.compile(
    r"original|forward|nachricht|message|messaggio|mensa?je|mensagem|bericht|meddelande|besked",
    re.IGNORECASE,
)
"""A word in a divider below which no header stands: `block_original_bare`, `block_german`."""
_BEGIN_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message "
    r"(?:réexpédié|transféré)|inizio messaggio inoltrato|inicio del mensaje reenviado)\s*:$",
    re.IGNORECASE,
)
"""Apple's divider, which has no frame: `block_begin_forwarded`."""


@dataclass(frozen=True, slots=True)
class Quotations:
    """The rows of a body, quoted ones marked as such."""

    rows: tuple[Line, ...]
    """Rows changed or inserted within words of the judge are quoted, and the writer's."""
    defects: tuple[Defect, ...]
    messages: tuple[str, ...]
    """The messages of the judge of which rows are quoted."""

    @property
    def own(self) -> tuple[Line, ...]:
        """The rows that are not quoted."""
        return tuple([row for row in self.rows if row.where is None])

    @property
    def quoted(self) -> tuple[Line, ...]:
        """The others."""
        return tuple(row for row in self.rows if row.where is not None)


def find_quotations(
    rows: Sequence[Line],
    messages: Sequence[str] = (),
    names: frozenset[str] = frozenset(),
) -> Quotations:
    """Tell the writer's rows from quoted ones; *messages* are texts of the judge in any order.

    *names* are the writer's own (see `names_of`).
    """
    return _QuotationFinder(rows, messages, names).quotations()


def quotable(rows: Sequence[Line]) -> tuple[str, ...]:
    """The words of rows that may stand in a message; none where nothing but orders stands there."""
    if not [
        row for row in rows if not (row.is_blank or row.is_said or row.is_signon or row.is_rule)
    ]:
        return ()
    return tuple(word for row in rows if not row.is_blank for word in words_of(_unmarked(row)))


def _unmarked(row: Line) -> str:
    """The row without quote marks, bullets and emphasis."""
    marks = _marks(row)
    return unquoted(row.bare[marks:] if marks else row.bare)


@dataclass
class _QuotationFinder:
    rows: Sequence[Line]
    messages: Sequence[str]
    names: frozenset[str] = frozenset()
    owners: list[Owner] = field(init=False)
    changed: set[int] = field(default_factory=set)
    framed: set[int] = field(default_factory=set)
    """The rows of a press in which the writer repeats words that are known as the judge's."""
    is_to_end: bool = False
    quoted: list[str] = field(default_factory=list)
    rests: list[Line] = field(default_factory=list)
    """Pieces of broken quoted rows that look like orders or commands."""
    compared: set[int] = field(default_factory=set)
    """The rows that stand in known messages."""
    rest: int | None = None
    """Where a quotation without marks begins that was taken to the end of the mail."""
    unclear: set[int] = field(default_factory=set)
    """Orders and commands of which nobody can say whose they are."""

    def __post_init__(self) -> None:
        self.owners = [Owner.WRITER] * len(self.rows)

    def quotations(self) -> Quotations:
        self._mark()
        self._compare()
        first = self._announced()
        self._take_below_twins()
        self._know_by_headings()
        for at, row in enumerate(self.rows):
            if "r." in row.text.lower() and self._is_own(at):
                self._know_code(at)
        defects = [Defect(MailFlaw.QUOTE_REST, row.number) for row in self.rests if row.is_said]
        if first is not None and self._is_answer_above(first):
            defects = self._mark_behind(first)
        self._doubt()
        rows = [
            row if owner is Owner.WRITER else self._quoted_row(at, row)
            for at, (row, owner) in enumerate(zip(self.rows, self.owners, strict=True))
        ]
        return Quotations(tuple(rows), tuple(defects), tuple(self.quoted))

    def _quoted_row(self, at: int, row: Line) -> Line:
        if at in self.unclear:
            return row.marked(owner=Owner.QUOTE, where=Where.UNCLEAR)
        is_changed = at in self.changed
        owner = Owner.WRITER if is_changed else self.owners[at]
        return row.marked(owner=owner, where=Where.QUOTE, is_changed=is_changed)

    def _is_own(self, at: int) -> bool:
        return self.owners[at] is Owner.WRITER

    # --- marks ------------------------------------------------------------------------------

    def _mark(self) -> None:
        for at, row in enumerate(self.rows):
            if row.is_quoted:
                self.owners[at] = Owner.QUOTE
        self._mark_initials()
        self._mark_signs()
        for at in range(1, len(self.rows) - 1):
            if self.rows[at - 1].is_quoted and self._is_own(at) and self._is_rest(at):
                self.owners[at] = Owner.QUOTE
                self.rests.append(self.rows[at])

    def _mark_initials(self) -> None:
        """Mark rows that begin with initials, as some below each other do."""
        found = (_SUPERCITE.match(row.raw[:40]) for row in self.rows)
        marks = [each[0].strip() if each else "" for each in found]
        groups = [(mark, len([*group])) for mark, group in groupby(marks)]
        sure = {mark for mark, size in groups if mark and size >= _ENOUGH_BARS}
        for at, mark in enumerate(marks):
            if mark in sure:
                self._take(at, at + 1, Owner.QUOTE)

    def _mark_signs(self) -> None:
        """Mark rows that begin with the same sign, some below each other, sentences among them."""
        if sum(row.raw[:1] not in _LETTERS for row in self.rows) < _ENOUGH_SIGNS:
            return
        cleaned = [row.raw[:20].translate(_SPACING) for row in self.rows]
        found = [None if text[:1].isalnum() else _SIGN.match(text) for text in cleaned]
        signs = ["" if each is None or each[1][0] in _NO_SIGNS else each[1] for each in found]
        for sign, group in groupby(range(len(signs)), signs.__getitem__):
            places = [*group]
            if not sign or len(places) < _ENOUGH_SIGNS or sign > _LAST_SIGN:
                continue
            texts = [bare(plain(self.rows[at].raw.partition(sign)[2])) for at in places]
            is_said = [replace(self.rows[0], text=text).is_said for text in texts]
            if sum(bool(text) for text, said in zip(texts, is_said, strict=True) if not said) > 1:
                self._take(places[0], places[-1] + 1, Owner.QUOTE)

    def _is_rest(self, at: int) -> bool:
        row, above = self.rows[at], self.rows[at - 1]
        if row.is_blank or row.is_command:
            return False
        width = len(above.raw.rstrip())
        first_word = len(row.text.split(" ", 1)[0])
        was_broken = width >= _BROKEN_FROM and width + 1 + first_word > _BROKEN_AT
        return was_broken and not self._is_own(at + 1) and len(row.raw) < width

    # --- what the judge is known to have sent -------------------------------------------------

    def _compare(self) -> None:
        if not self.messages:
            return
        filled = [at for at, row in enumerate(self.rows) if not row.is_blank]
        compared = [self._compared(self.rows[at]) for at in filled]
        changed: set[int] = set()
        quoted: set[int] = set()
        words = [word for row in compared for word in words_of(row.text)]
        headings = self.rows[0].words.headings
        for text in closest(words, self.messages):
            found = find(compared, text, headings)
            quoted |= {filled[at] for at in found.quoted}
            self.quoted += [text] if found.quoted else []
            changed |= {filled[at] for at in found.changed}
            self.is_to_end |= found.is_to_end
        self.compared = quoted
        self.framed = self._press(quoted) if quoted else set()
        for at in quoted - self.framed:
            self.owners[at] = Owner.JUDGE
        self.changed = {at for at in changed - quoted - self.framed if not self.rows[at].is_rule}
        for at in self.changed:
            self.owners[at] = Owner.JUDGE
        self.rests = [row for row in self.rests if self.rows.index(row) not in quoted]

    def _compared(self, row: Line) -> ComparedRow:
        marks, text = _marks(row), _unmarked(row)
        said = replace(row, text=text).is_said or replace(row, text=text).is_signon
        return ComparedRow(
            text,
            said,
            depth=row.text[:marks].count(">") or int(bool(marks)),
            announces=not said and self._may_announce(row),
        )

    def _may_announce(self, row: Line) -> bool:
        """Return whether a row resembles an announcement, which is enough above known words."""
        return (
            row.bare.endswith((":", "："))
            or bool(_FIELD.match(row.squeezed) or _FRAMED.fullmatch(row.text.strip("* ")))
            or self._announces(row.bare[:_MAX_ANNOUNCEMENT]) is not None
        )

    def _press(self, quoted: Collection[int] = (), *, unbroken: bool = False) -> set[int]:
        """Return the rows of a press that the writer begins and ends, words of the judge included.

        *quoted* are further rows that are not the writer's; with *unbroken* none of these, and no
        heading, may stand within.
        """
        typed: set[int] = set()
        if not [row for row in self.rows if row.begins_press]:
            return typed
        begin: int | None = None
        for at, row in enumerate(self.rows):
            if not self._is_own(at) or at in quoted or (unbroken and self._is_heading(row)):
                begin = None if unbroken else begin
            elif row.ends_press and begin is not None:
                typed |= {n for n in range(begin, at + unbroken) if self._is_own(n)}
                begin = None
            elif row.begins_press:
                begin = at
        return typed

    # --- announcements ------------------------------------------------------------------------

    def _announced(self) -> int | None:
        """Mark announcements and what they announce.

        Return where the first certain announcement above marked rows begins.
        """
        first: int | None = None
        # What looks like an announcement in such a press was written to another player.
        framed = self.framed | self._press(unbroken=True)
        at = 0
        while at < len(self.rows):
            if self.owners[at] is not Owner.WRITER or self.rows[at].is_blank or at in framed:
                at += 1
                continue
            found = self._announcement_at(at)
            if found is None:
                is_end = self.rows[at].bare.endswith((":", "：")) and not self.rows[at].is_said
                if is_end and self._stands_above_judge(at):
                    self.owners[at] = Owner.JUDGE
                at += 1
                continue
            end, is_certain, may_be_rest = found
            self._mark_bars(end)
            behind = next((n for n in range(end, len(self.rows)) if self._counts(n)), None)
            is_other = behind is not None and self.owners[behind] is Owner.QUOTE
            known = None if is_other else self._known(end)
            if known is not None:
                self._take(at, known, Owner.JUDGE)
                is_marked = self.rows[known].is_quoted
                first = at if first is None and is_certain and is_marked else first
                at = known
            elif is_other or (behind is not None and _marks(self.rows[behind])):
                # Of a message that is much like a known one, marks tell what is quoted.
                self._take(at, end, Owner.QUOTE)
                first = at if first is None and is_certain else first
                at = end
            elif may_be_rest and (is_certain or self._has_footprint(end)):
                self._take_rest(at)
                return first
            else:
                at += 1
        self._take_below_heading()
        return first

    def _stands_above_judge(self, at: int) -> bool:
        behind = next((n for n in range(at + 1, len(self.rows)) if self._counts(n)), None)
        return behind is not None and self.owners[behind] is Owner.JUDGE

    def _known(self, start: int) -> int | None:
        """Return where a known message begins below an announcement, or None.

        Other messages of the judge have many of the same words.
        """
        if Owner.JUDGE not in self.owners[start:]:
            return None
        below = [n for n in range(start, len(self.rows)) if self._counts(n)]
        judges = [n for n in below if self.owners[n] is Owner.JUDGE]
        if not judges:
            return None
        within = [n for n in below if n <= judges[-1]]
        strange = sum(self._is_own(n) for n in within)
        most = max(_STRANGE if self.is_to_end else 1, len(within) // _MAX_STRANGE)
        return judges[0] if strange <= most else None

    def _counts(self, at: int) -> bool:
        row = self.rows[at]
        return not row.is_rule and any(map(str.isalnum, row.text))

    def _announcement_at(self, at: int) -> tuple[int, bool, bool] | None:
        """The row behind an announcement, whether it is certain, and whether it needs no marks."""
        if self.rows[at].is_said or self.rows[at].is_signon:
            return None
        if end := self._header_block(at):
            return end, True, True
        if self._is_divider(at):
            # A header block may stand below, or the mail itself.
            return self._header_block(at + 1) or at + 1, True, True
        return self._attribution(at)

    def _attribution(self, at: int) -> tuple[int, bool, bool] | None:
        weak: tuple[int, bool, bool] | None = None
        joined = ""
        taken = 0
        for end in range(at, len(self.rows)):
            row = self.rows[end]
            is_open = joined.count("<") > joined.count(">")
            if row.is_blank and is_open:
                continue
            stops = row.is_blank or row.is_said or row.is_signon or not self._is_own(end)
            # What stands directly above a drawn line or a header is the writer's.
            stops = stops or (end > at and (row.is_rule or self._header_block(end) is not None))
            if taken == _MAX_ROWS or (stops and not (is_open and row.is_quoted)):
                break
            joined, taken = f"{joined} {row.bare}".strip(), taken + 1
            if len(joined) > _MAX_ANNOUNCEMENT:
                break
            found = self._announces(joined)
            if found is True:
                return end + 1, True, True
            if found is False and (weak is None or joined.endswith((":", "："))):
                weak = end + 1, False, bool(_DATE.search(joined) or _ADDRESS.search(joined))
        return weak

    def _announces(self, text: str) -> bool | None:
        """Return whether a text surely announces a quotation; None if it does not at all."""
        ends = text.endswith((":", "："))
        has_address, has_date = bool(_ADDRESS.search(text)), bool(_DATE.search(text))
        if not (ends or has_address or has_date):
            return None
        has_time = bool(_TIME.search(text))
        if has_address and (has_date or has_time) and _CLOSED.search(text):
            return True
        if ends and (has_date or has_time) and _WROTE.search(text):
            return True
        if ends and (has_address or has_date or has_time or _WROTE.search(text)):
            return False
        return False if has_date and (has_time or has_address) and text[-1] not in ".!?" else None

    def _header_block(self, at: int) -> int | None:
        """Return where a block of header fields ends that begins at a row, or None.

        It has an address or a date; what players write above their press has neither.
        """
        fields = texts = 0
        has_mark = False
        end = at
        for n in range(at, min(at + _MAX_FIELDS, len(self.rows))):
            row = self.rows[n]
            is_field = bool(_FIELD.match(row.squeezed)) and not row.is_said and self._is_own(n)
            if not is_field:
                # A field may be broken, and stand apart from the next one by an empty row.
                texts += 1
                if texts > 1 or not fields or row.is_said or row.is_signon:
                    break
                continue
            texts = 0
            fields += 1
            end = n + 1
            has_mark |= bool(_ADDRESS.search(row.text) or _DATE.search(row.text))
        is_block = fields >= _ENOUGH_FIELDS and has_mark
        return end if is_block and not self._is_registration(at) else None

    def _is_registration(self, at: int) -> bool:
        above = (self.rows[n] for n in range(at - 1, -1, -1) if not self.rows[n].is_blank)
        for row in above:
            if row.bare.lower().startswith("register"):
                return True
            if ":" not in row.bare:
                return False
        return False

    def _is_divider(self, at: int) -> bool:
        row = self.rows[at]
        text = row.text.strip("* ")
        framed = bool(_FRAMED.fullmatch(text)) and bool(_DIVIDER.search(text))
        return framed or bool(_BEGIN_FORWARDED.match(row.bare))

    def _mark_bars(self, start: int) -> None:
        """Mark rows behind an announcement that all begin with a bar: some programs quote so."""
        at = start
        while at < len(self.rows) and (
            self.rows[at].is_blank or self.rows[at].raw.lstrip().startswith("|")
        ):
            if not self.rows[at].is_blank and self._is_own(at):
                self.owners[at] = Owner.QUOTE
            at += 1

    def _is_heading(self, row: Line) -> bool:
        text = row.bare[_marks(row) :]
        return bool(_HEAD.match(text)) or " ".join(words_of(text)) in row.words.headings

    def _know_by_headings(self) -> None:
        """Mark a whole quotation as the judge's if it has one of its headings."""
        headings = frozenset(self._headings)
        if not headings:
            return
        for is_own, group in groupby(range(len(self.rows)), self._is_own):
            places = list(group)
            if not (is_own or headings.isdisjoint(places)):
                self.owners[places[0] : places[-1] + 1] = [Owner.JUDGE] * len(places)

    def _has_footprint(self, start: int) -> bool:
        # A heading may also stand in a known message that is much like this one.
        return any(at >= start and not self.rows[at].is_quoted for at in reversed(self._headings))

    @cached_property
    def _headings(self) -> tuple[int, ...]:
        """The rows with headings of the judge, looked up once for all announcements."""
        return tuple([at for at, row in enumerate(self.rows) if self._is_heading(row)])

    def _take_below_heading(self) -> None:
        """A heading of the judge begins a quotation even without an announcement."""
        typed = self._press()
        own = (n for n in self._headings if self._is_own(n) and n not in typed)
        at = next(own, None)
        if at is None:
            return
        while at > 0 and self._is_own(at - 1):
            above = self.rows[at - 1]
            if above.is_said or above.is_signon or above.ends_press:
                break
            at -= 1
        self._take_rest(at)

    def _know_code(self, marked: int) -> None:
        """Mark the row of the reply code as the judge's; a row of it, or all of it, is *marked*."""
        for begin in range(marked, max(-1, marked - _ROWS_OF_CODE), -1):
            rows = self.rows[begin : marked + _ROWS_OF_CODE]
            joined = accumulate(_FRONT.sub("", _unmarked(row)) for row in rows)
            ends = (n for n, code in enumerate(joined, start=1) if _CODE_ROW.fullmatch(code))
            size = next((n for n in ends if begin + n > marked), 0)
            if size:
                label = takewhile(self._is_label, reversed(self.rows[:begin]))
                self._take(begin - len([*label]), begin + size, Owner.JUDGE)
                return

    @staticmethod
    def _is_label(row: Line) -> bool:
        """Return whether a row above a code is a word of its label, or has none."""
        return not row.is_said and len(words_of(row.text)) <= 1

    def _take_below_twins(self) -> None:
        """A row worded like the one above the judge's words announces what the writer once wrote.

        Somebody who answers their own mail quotes both.
        """
        filled = [at for at, row in enumerate(self.rows) if any(map(str.isalnum, row.text))]
        begins = [n for n, at in enumerate(filled) if n and not self._is_own(at)]
        begins = [n for n in begins if self._is_own(filled[n - 1])]
        # What stands above the judge's words may be a divider in an unknown language.
        for n in [n for begin in begins[:_MAX_FIELDS] for n in (begin - 1, begin)]:
            announced = _unmarked(self.rows[filled[n]])
            for at in filled[:n]:
                if self._is_own(at) and _is_twin(_unmarked(self.rows[at]), announced):
                    self._take(at, filled[n], Owner.QUOTE)
                    break

    def _take(self, start: int, end: int, owner: Owner) -> None:
        for at in range(start, end):
            if self._is_own(at):
                self.owners[at] = owner

    def _take_rest(self, at: int) -> None:
        while at > 0 and (self.rows[at - 1].is_blank or self.rows[at - 1].is_rule):
            at -= 1
        self._take(at, len(self.rows), Owner.QUOTE)
        self.rest = at

    # --- what may be quoted -------------------------------------------------------------------

    def _doubt(self) -> None:
        """Find the orders and commands that may be the writer's or quoted: nobody obeys those.

        Either they stand where an answer below a quotation would, and nothing is said above it;
        or a strange text goes before them. The text of a press is the writer's.
        """
        said = [at for at, row in enumerate(self.rows) if row.is_said and not row.is_signon]
        if not said or all(
            row.is_said or row.is_blank or row.is_signon or row.is_signoff for row in self.rows
        ):
            return
        texts = self._texts()
        own = [at for at in said if self._is_own(at) and at not in texts]
        if self.rest is not None and all(at >= self.rest for at in own):
            ends = (at for at in range(self.rest, len(self.rows)) if self._is_known(at))
            end = max(ends, default=self.rest - 1)
            self.unclear.update(at for at in said if at > end and at not in self.changed)
        begin = self._strange_text(texts) if own else None
        if begin is not None:
            self.unclear.update(at for at in own if at >= begin)
            echoes = (at for at in range(begin, len(self.rows)) if _ECHO.match(self.rows[at].bare))
            self.unclear.update(at for at in echoes if self._is_own(at) and at not in texts)
        for at in self.unclear:
            self.owners[at] = Owner.QUOTE

    def _is_known(self, at: int) -> bool:
        """Return whether a row is surely the judge's, and no order."""
        row = self.rows[at]
        return self._is_heading(row) or (at in self.compared and not row.is_said)

    def _texts(self) -> set[int]:
        """The rows of texts that the writer begins, and of what is only tried out."""
        found: set[int] = set()
        in_text = False
        for at, row in enumerate(self.rows):
            ends = row.ends_press or row.ends_comment
            if in_text:
                found.add(at)
            begins = row.begins_press or row.begins_comment or _TRIES.match(row.bare)
            in_text = self._is_own(at) and (bool(begins) or (in_text and not ends))
        return found

    def _strange_text(self, texts: Collection[int]) -> int | None:
        """Return where a text begins, without marks, that is hardly the writer's; None if none."""
        begin = sentences = 0
        has_said = has_prose = False
        units: dict[str, tuple[str, int]] = {}
        for at, row in enumerate(self.rows):
            if not self._is_own(at) or row.is_blank or at in texts:
                begin, has_prose = at + 1, False
                continue
            is_echo = not row.is_unit_order and _ECHO.match(row.bare) is not None
            if (is_echo and has_prose) or self._addresses_writer(row):
                return begin
            if row.is_said and not row.is_signon:
                has_said = True
                unit = _UNIT_OF.match(row.bare.lower())
                if unit is None:
                    if _TURNS.match(row.bare):
                        units.clear()
                    continue
                once, before = units.setdefault(unit[0], (row.bare.lower(), sentences))
                if once != row.bare.lower() and sentences - before >= _ENOUGH_BARS:
                    return 0
            elif not (row.is_signon or is_greeting(row.bare) or is_closing(row.bare)):
                if has_said and not is_heading(row.bare) and self._attribution(at) is not None:
                    return at
                is_order = _UNIT_OF.match(row.bare) is not None
                has_prose |= not (is_order or _ARROW.search(row.bare))
                sentences += len(row.bare.split()) >= _LEAST and not is_order
        return None

    def _addresses_writer(self, row: Line) -> bool:
        """Return whether somebody speaks to the writer of the mail: "Hi Anna", "Anna, ciao"."""
        name, comma, _ = row.bare.partition(",")
        if not self.names or not (comma or is_greeting(row.bare)):
            return False
        first = _words(name)
        is_name = bool(comma) and len(first) == 1 and bool(row.bare.partition(",")[2].strip())
        return not self.names.isdisjoint(first) and (is_name or is_greeting(row.bare))

    # --- behind a quotation with marks ---------------------------------------------------------

    def _is_answer_above(self, first: int) -> bool:
        """Return whether the mail ends at the quotation, since signon and orders are above it."""
        above = [self.rows[at] for at in range(first) if self._is_own(at) and self.rows[at].text]
        if len(above) < _ORDERS_ABOVE or not any(row.is_full_signon for row in above):
            return False
        behind = (self.rows[at] for at in range(first, len(self.rows)) if self._is_own(at))
        return not any(row.is_signoff or row.is_signon or row.ends_press for row in behind)

    def _mark_behind(self, first: int) -> list[Defect]:
        behind = [at for at in range(first, len(self.rows)) if self._is_own(at)]
        said = [self.rows[at] for at in behind if self.rows[at].is_said]
        for at in behind:
            self.owners[at] = Owner.QUOTE
        return [Defect(MailFlaw.AFTER_QUOTE, said[0].number)] if said else []


def _is_twin(text: str, announced: str) -> bool:
    """Return whether two announcements of quotations differ in the names alone."""
    if _FRAMED.fullmatch(text.strip("* ")):
        return text == announced
    if not (text.endswith((":", "：")) and announced.endswith((":", "："))):
        return False
    ways = (zip(text, announced, strict=False), zip(text[::-1], announced[::-1], strict=False))
    alike = (takewhile(lambda pair: pair[0] == pair[1], way) for way in ways)
    return any(sum(each.isalpha() for each, _ in way) >= _LEAST_OF_TWIN for way in alike)


_LEAST_OF_TWIN = 4
_ECHO = re.compile(
    r"(?:[^\W\d_]+ ?: )?(?:[AEFG]|Army|Fleet|Garrison) {1,3}[A-Z][\w '.]{1,30}"
    r"(?: ?: [^\W\d_]+ \w| -> .*\.$)"
)
"""How judges name what they have: ``A Arezzo: no order``, ``Florence: Army Florence -> Siena.``"""
_UNIT_OF = re.compile(r"(?:a|f|g|e|army|fleet|garrison) \w{3}", re.IGNORECASE)
"""A unit's kind, and the beginning of its place."""
_ARROW = re.compile(r"[-\u2010-\u2015\u2192>] ?\w")
"""What stands before a place to which a unit goes, in orders of any form."""
_TRIES = re.compile(r"what ?if\b", re.IGNORECASE)
_TURNS = re.compile(r"(?:phase|for|become|if|else|endif|sign *on)\b", re.IGNORECASE)
"""What the orders below are for: other units, another phase, or a case."""
_QUOTE_MARKS = re.compile(r"(?:[>|]\s?|[A-Za-z]{1,4}>\s?)+")


def _marks(row: Line) -> int:
    """How many characters of a row's bare text are marks of quotation."""
    found = _QUOTE_MARKS.match(row.bare)
    return found.end() if found else 0


_MAX_FOOTER = 160
_MAX_JOINED = 2_000
_MAX_FOOTERS = 8

_MOBILE = re.compile(
    r"(?:sent|envoyé|gesendet|verschickt|inviato|enviado|verzonden|skickat|sendt|wysłan[eo])"
    r" (?:from|via|with|using|de|du|depuis|à partir|von|mit|über|da|dal|dalla|con|desde|do|pelo"
    r"|vanaf|met|från|fra|med|z) .*$"
    r"|von meine[mr]? .{0,60} gesendet|diese nachricht wurde von meinem .{0,60} gesendet"
    r"|(?:get|download|hol(?:en sie)?|laden sie|obtenez|obtenir|téléchargez|scarica|ottieni|obtener"
    r"|obtén|download) (?:dir |sie |euch )?outlook (?:for|für|pour|per|para|voor|för|til) "
    r"|outlook (?:for|für|pour|per|para|voor|för|til) (?:ios|android|mac)\b",
    re.IGNORECASE,
)
_CHECKED = re.compile(
    r"\b(?:scanned|checked|tested|verified|überprüft|geprüft|gescannt|analysée?|vérifiée?"
    r"|controllat[oa]|verificat[oa]|analizado|comprobado|gecontroleerd)\b",
    re.IGNORECASE,
)
_FOR_VIRUSES = re.compile(r"\b(?:virus\w*|viren\w*|malware|spam|threats)\b", re.IGNORECASE)
_CLEAN = re.compile(
    r"\b(?:virus[- ]?free|virenfrei|sans virus|sin virus|libre de virus|priva di virus|mailscanner"
    r"|anti-?virus)\b",
    re.IGNORECASE,
)
_SCANNER_WORD = re.compile(
    r"virus|viren|malware|mailscanner|\bscanned\b|\bspam\b|https?://|\bwww\.", re.IGNORECASE
)
_DISCLAIMER = re.compile(
    r"\b(?:(?:scanned|checked|protected|secured|filtered) by|confidential\w*"
    r"|privileged|intended (?:recipient|solely|only)|disclaimer|vertraulich\w*"
    r"|confidentiel\w*|riservat\w*|confidencial\w*|vertrouwelijk\w*|before (?:you )?print(?:ing)?"
    r"|originated (?:from )?outside|outside (?:of )?(?:the|your) organi[sz]ation)\b",
    re.IGNORECASE,
)
_DEVICE = re.compile(r"(?:iphone|ipad|galaxy|android|blackberry|huawei|xiaomi)", re.IGNORECASE)
_MAX_OF_DEVICE = 60
_SCANNER_HEADING = re.compile(r"information|virus|viren|scan|security|antispam", re.IGNORECASE)
_LONG_RULE = 10
_MAX_OF_LIST = 4
_WHERE = re.compile(r"https?://|[^\s<>()]@[^\s<>()]+\.\w", re.IGNORECASE)
_STARTS = re.compile(
    r"(?:this|the|diese[rs]?|ce|cet|cette|le|quest[oa']|est[ea]|dit|deze|denne|detta)"
    r" ?(?:e-?mail|message|mail|communication|nachricht|courriel|messaggio|correo|mensaje|bericht)"
    r"|confidential|disclaimer|caution|external|\[external\]|notice|please consider|scanned|checked"
    r"|virus|no virus|https?://|www\.",
    re.IGNORECASE,
)


def is_mobile_footer(row: Line) -> bool:
    """Return whether the row is a telephone's or mail program's footer ("Sent from my …")."""
    return len(row.text) <= _MAX_FOOTER and bool(_MOBILE.match(row.bare))


def is_device_line(row: Line) -> bool:
    """Return whether a short last row names a telephone, in any language."""
    return len(row.text) <= _MAX_OF_DEVICE and bool(_DEVICE.search(row.bare))


def begins_appendix(row: Line) -> bool:
    """Return whether a row is a line drawn across the mail or a scanner's heading."""
    if not row.is_rule:
        return False
    return len(row.text) >= _LONG_RULE and (
        not any(map(str.isalnum, row.text)) or bool(_SCANNER_HEADING.search(row.text))
    )


def without_footers(rows: Sequence[Line]) -> list[Line]:
    """The rows without footers. A footer ends the mail unless an order or command is behind it."""
    kept = [row for row in rows if not is_mobile_footer(row)]
    last = [*_paragraphs(kept)][-1:]
    if last and last[0][0] > 1 and _is_of_list(kept[last[0][0] - 1 :]):
        kept = kept[: last[0][0] - 1]
    for _ in range(_MAX_FOOTERS):
        at = _first_start(kept, _is_footer)
        if at is None:
            break
        end = next((i for i in range(at, len(kept)) if kept[i].is_blank), len(kept))
        said = [row for row in kept[at:end] if row.is_said or row.is_signon]
        behind = kept[end:]
        kept = [*kept[:at], *said, *(behind if any(row.is_said for row in behind) else [])]
    return kept


def _is_of_list(rows: Sequence[Line]) -> bool:
    """Return whether the last rows of a mail are a list's: a drawn line, its name, where it is."""
    rule, *below = [row for row in rows if not row.is_blank]
    return (
        begins_appendix(rule)
        and len(below) <= _MAX_OF_LIST
        and any(_WHERE.search(row.text) for row in below)
        and not any(row.is_unit_order or row.is_full_signon for row in below)
    )


def _is_footer(text: str) -> bool:
    return _names_a_scan(text) or bool(_DISCLAIMER.search(text))


def _names_a_scan(text: str) -> bool:
    return bool(_CLEAN.search(text) or (_CHECKED.search(text) and _FOR_VIRUSES.search(text)))


def _first_start(rows: Sequence[Line], is_footer: Callable[[str], bool]) -> int | None:
    for start, end in _paragraphs(rows):
        if is_footer(" ".join([row.bare for row in rows[start:end]])[:_MAX_JOINED]):
            ruled = start > 0 and rows[start - 1].is_rule
            return _first_row(rows, start, end, ruled=ruled)
    return None


def _first_row(rows: Sequence[Line], start: int, end: int, *, ruled: bool) -> int:
    """The first row of the footer: orders may stand above it in the same paragraph."""
    found = next((at for at in range(start, end) if _begins_footer(rows[at])), None)
    if found is not None and not ruled:
        return found
    first = end - 1 if found is None else found
    while first > start and not rows[first - 1].is_said:
        first -= 1
    return first


def _begins_footer(row: Line) -> bool:
    return bool(_STARTS.match(row.bare) or _SCANNER_WORD.search(row.bare))


def _paragraphs(rows: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The runs of rows between blank rows and drawn lines."""
    start: int | None = None
    for at, row in enumerate(rows):
        gap = row.is_blank or row.is_rule
        if gap and start is not None:
            yield start, at
        start = None if gap else (at if start is None else start)
    if start is not None:
        yield start, len(rows)


_SIGNATURE_SIGNS = "-\u2012\u2013\u2014\u2015"
_SIGNATURE = re.compile(r"[-\u2012-\u2015]{2}$")
_LONE_DASH = re.compile(r"[\u2013\u2014]$")
_BARE = re.compile(r"[^\W\d_]+\.?(?: [^\W\d_]+\.?){0,2}$")
"""A line of names only."""
_PARTS = re.compile(r"[:,;] *")
_MAX_BELOW = 200


@dataclass(frozen=True, slots=True)
class EndOfOrders:
    """The rows that may be read, and the others."""

    rows: tuple[Line, ...]
    skipped: tuple[Line, ...]
    below: tuple[Line, ...]
    """Everything from the end of the orders on."""


def without_salutations(rows: Sequence[Line], names: frozenset[str]) -> EndOfOrders:
    """The rows up to the end of the orders, without greetings; *names* are the sender's own."""
    return _EndingFinder(rows, names).end_of_orders()


class _EndingFinder:
    def __init__(self, rows: Sequence[Line], names: frozenset[str]) -> None:
        self.rows = rows
        self.names = names
        self.greetings: dict[int, Line] = {}
        ends = [at for at, row in enumerate(rows) if row.is_signoff]
        self.last_said = _last(rows[: ends[0] if ends else None], _is_order)
        self.last_end = max([at for at, row in enumerate(rows) if row.ends_press], default=-1)
        self.lists_places = False
        """True if a row above has only names, as a list of places."""

    def end_of_orders(self) -> EndOfOrders:
        has_said = has_written = in_press = in_comment = False
        for at, row in enumerate(self.rows):
            in_comment = row.begins_comment or (in_comment and not row.ends_comment)
            if in_comment:
                has_said = True
                continue
            if row.is_signoff:
                break
            may_draw = row.raw[:20].lstrip()[:1] in _SIGNATURE_SIGNS
            if may_draw and self._draws_signature(at) and not (in_press and at < self.last_end):
                return self._end_at(at, Where.SIGNATURE)
            if in_press:
                in_press = not row.ends_press
            elif (has_said and self._closes(at)) or (has_written and self._signs(at, has_said)):
                return self._end_at(at, Where.CLOSING)
            elif not has_said and _greets(row):
                self.greetings[at] = row
            else:
                has_said = has_said or (row.is_said and not row.is_signon)
                in_press = row.begins_press
                self.lists_places |= not row.is_said and bool(_BARE.match(row.bare))
            has_written |= not (row.is_blank or row.is_signon)
        return self._end_at(len(self.rows), Where.CLOSING)

    def _end_at(self, end: int, where: Where) -> EndOfOrders:
        off = next((at for at in range(end, len(self.rows)) if self.rows[at].is_signoff), None)
        below = tuple(self.rows[end:off])
        written = {row.number for row in without_footers(below)}
        shown = [
            row
            for row in below
            if row.is_said or (row.number in written and not (row.is_blank or row.is_rule))
        ]
        signed = next((row.number for row in below if _SIGNATURE.match(row.raw[:20].strip())), None)
        skipped = [row.left_out(Where.GREETING, Owner.WRITER) for row in self.greetings.values()]
        for row in shown[:_MAX_BELOW]:
            is_signature = signed is not None and row.number > signed
            skipped.append(row.left_out(Where.SIGNATURE if is_signature else where, Owner.FOOTER))
        kept = [row for at, row in enumerate(self.rows[:end]) if at not in self.greetings]
        return EndOfOrders(tuple(kept), tuple(skipped), below)

    def _draws_signature(self, at: int) -> bool:
        """Return whether a row is two dashes, or a long one with no order behind it."""
        drawn = self.rows[at].raw[:20].strip()
        return bool(_SIGNATURE.match(drawn) or (_LONE_DASH.match(drawn) and at > self.last_said))

    def _closes(self, at: int) -> bool:
        """Return whether the orders end above a row: a formula, or a program's footer."""
        row = self.rows[at]
        if at <= self.last_said:
            return is_closing(row.bare)
        is_footer = is_mobile_footer(row) or is_device_line(row) or begins_appendix(row)
        return is_footer or is_closing(row.bare)

    def _signs(self, at: int, has_said: bool) -> bool:
        """Return whether a row is the sender's name below all orders, not a place of a list."""
        if at <= self.last_said:
            return False
        stands_alone = not self.lists_places or (has_said and self.rows[at - 1].is_blank)
        return stands_alone and is_name(self.rows[at].bare, self.names)


def _greets(row: Line) -> bool:
    """Return whether a row is a courtesy above all orders."""
    if row.is_full_signon or _has_order(row):
        return False
    return (
        (is_greeting(row.bare) and not is_heading(row.bare))
        or is_closing(row.bare)
        or (is_assent(row.bare) and not row.is_said)
    )


def _has_order(row: Line) -> bool:
    """Return whether an order follows a colon or comma: "my orders: A flo s A are"."""
    _, *behind = _PARTS.split(row.bare)
    return any(row.words.is_unit_order(part) for part in behind)


def _is_order(row: Line) -> bool:
    """Return whether a row is an order or command, and no footer: "Poslano s mojeg iPhonea"."""
    return row.is_said and (row.is_unit_order or row.is_command or not is_device_line(row))


def _last(rows: Sequence[Line], is_wanted: Callable[[Line], bool]) -> int:
    return next((at for at in range(len(rows) - 1, -1, -1) if is_wanted(rows[at])), -1)


_MAX_PIECES = 20
# From the rows that the sender wrote to the lines for the grammar. Reading ends at a signoff, or
# at the limit; ``end_of_orders`` knows where orders end otherwise. Between ``press`` or
# ``broadcast`` and its end, lines are text: kept as written, blank ones too. Elsewhere blank
# rows, drawn lines and footers are dropped, broken lines put together, bullets and emphasis taken
# off. A line that cannot be trusted is left out with a defect. What depends on it is left out
# too: the body of a press, and what follows a signon.
_NOISE = 10


@dataclass(frozen=True, slots=True)
class TakenLines:
    """The lines for the grammar, and what was left out."""

    lines: tuple[Line, ...]
    defects: tuple[Defect, ...]
    skipped: tuple[Line, ...] = ()


class _In(Enum):
    ORDERS = auto()
    PRESS = auto()
    LOST_PRESS = auto()
    LOST_SIGNON = auto()


@dataclass
class _Section:
    """Rows read alike; the end is given for a press that has ended."""

    is_press: bool
    rows: list[Line] = field(default_factory=list)
    has_ended: bool = False


def take_lines(rows: Sequence[Line], limits: ReadingLimits) -> TakenLines:
    """The lines in the rows that the sender wrote; none at all if they are no text as a whole."""
    if _is_noise(rows):
        return TakenLines((), (Defect(MailFlaw.NOT_TEXT),))
    defects: list[Defect] = []
    lines: list[Line] = []
    skipped: list[Line] = []
    for section in _sections(rows, limits, defects):
        if section.is_press:
            lines += _press_lines(section, limits, defects)
        else:
            rows = without_footers(section.rows)
            skipped += _dropped(section.rows, rows)
            lines += _order_lines(rows, limits, defects)
    kept = _within(lines, limits)
    if len(lines) > len(kept):
        is_full = len(kept) == limits.lines
        flaw = MailFlaw.TOO_MANY_LINES if is_full else MailFlaw.TOO_MUCH_TEXT
        defects.append(Defect(flaw, lines[len(kept)].number))
    defects.sort(key=lambda defect: defect.line or 0)
    return TakenLines(kept, tuple(defects), tuple(skipped))


def with_kinds(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a mail, the writer's with their kind by look.

    Fields of a registration belong to their command; a long comment is text.
    """
    found: list[Line] = []
    in_comment = in_fields = False
    for line in lines:
        if line.owner is not Owner.WRITER:
            found.append(line)
            continue
        ends = in_comment and line.ends_comment
        in_comment = line.begins_comment or (in_comment and not ends)
        is_end = line.text.strip().lower() == "end"
        in_fields = in_fields and (":" in line.text or is_end)
        kind = line.kind_by_look
        if line.where is Where.GREETING:
            # It greets or agrees above all orders, whatever it looks like.
            kind = kind if kind is LineKind.AGREEMENT else LineKind.PROSE
        if line.is_press or (in_comment and not line.begins_comment):
            kind = LineKind.TEXT
        elif ends or in_fields:
            kind = LineKind.COMMAND
        in_fields = (in_fields and not is_end) or line.bare.lower().startswith("register")
        found.append(line.marked(kind=kind))
    return found


def _within(lines: Sequence[Line], limits: ReadingLimits) -> tuple[Line, ...]:
    left = limits.said
    for at, line in enumerate(lines[: limits.lines]):
        left -= 0 if line.is_press else len(line.text)
        if left < 0:
            return tuple(lines[:at])
    return tuple(lines[: limits.lines])


def _dropped(rows: Sequence[Line], kept: Sequence[Line]) -> Iterator[Line]:
    """What is dropped as a footer and still looks like something said."""
    numbers = {row.number for row in kept}
    for row in rows:
        if row.number not in numbers and row.is_said:
            yield row.left_out(Where.SIGNATURE, Owner.FOOTER)


def _is_noise(rows: Sequence[Line]) -> bool:
    """Return whether so many rows are binary that the others are chance."""
    filled = [row.text for row in rows if not row.is_blank]
    bad = sum(1 for text in filled if CONTROL.search(text) or UNDECODABLE in text)
    return bad >= _NOISE and bad > len(filled) // 4


def _sections(
    rows: Sequence[Line], limits: ReadingLimits, defects: list[Defect]
) -> Iterator[_Section]:
    """Cut the rows at the beginnings and ends of press; leave out what cannot be trusted."""
    section, where = _Section(is_press=False), _In.ORDERS
    for row in rows:
        flaw = _flaw(row, limits)
        where, is_kept = _step(where, row, flaw, defects)
        if section.is_press and where is not _In.PRESS:
            section.has_ended = True
            yield section
            section = _Section(is_press=False)
        if is_kept:
            section.rows.append(row)
        if row.is_signoff:
            break
        if where is _In.PRESS and not section.is_press:
            yield section
            section = _Section(is_press=True)
    yield section


def _step(where: _In, row: Line, flaw: MailFlaw | None, defects: list[Defect]) -> tuple[_In, bool]:
    """The state after this row, and True if the row is kept."""
    if where in (_In.PRESS, _In.LOST_PRESS) and not (row.ends_press or row.is_signoff):
        return where, where is _In.PRESS
    if row.is_blank:
        return where, True
    if flaw is not None and not (row.ends_press or row.is_signoff):
        defects.append(Defect(flaw, row.number))
        return _after_flawed(where, row), False
    if where is _In.LOST_PRESS and row.ends_press:
        return _In.ORDERS, False
    if where is _In.LOST_SIGNON and not (row.is_signon or row.is_signoff):
        defects.append(Defect(MailFlaw.DEPENDS, row.number))
        return where, False
    return (_In.PRESS if row.begins_press else _In.ORDERS), True


def _after_flawed(where: _In, row: Line) -> _In:
    if row.begins_press:
        return _In.LOST_PRESS
    if row.is_signon:
        return _In.LOST_SIGNON
    return _In.LOST_SIGNON if where is _In.LOST_SIGNON else _In.ORDERS


def _flaw(row: Line, limits: ReadingLimits) -> MailFlaw | None:
    if len(row.raw) > limits.characters:
        return MailFlaw.TOO_LONG
    if DIRECTION.search(row.text):
        return MailFlaw.DIRECTION
    if CONTROL.search(row.text):
        return MailFlaw.CONTROL
    return MailFlaw.UNDECODABLE if UNDECODABLE in row.text else None


def _order_lines(
    rows: Sequence[Line], limits: ReadingLimits, defects: list[Defect]
) -> Iterator[Line]:
    for first, *broken in rewrap([row for row in rows if not row.is_rule]):
        line = first
        if broken or first.bare != first.text or first.text[:1] in _FRAMES:
            rows_of_line = (first, *broken)
            text = bare(unframed(" ".join([row.text for row in rows_of_line])))
            line = replace(first, text=text, raw="\n".join([row.raw for row in rows_of_line]))
        if len(line.text) > limits.characters:
            defects.append(Defect(MailFlaw.TOO_LONG, line.number))
        elif not line.is_blank:
            yield line


def _press_lines(section: _Section, limits: ReadingLimits, defects: list[Defect]) -> Iterator[Line]:
    rows = section.rows if section.has_ended else _without_tail(section.rows)
    for row in rows:
        pieces = _in_pieces(visible(row.raw), limits.characters)
        if len(pieces) > _MAX_PIECES:
            defects.append(Defect(MailFlaw.TOO_LONG, row.number))
        else:
            yield from (Line(row.number, piece, piece, is_press=True) for piece in pieces)


def _without_tail(rows: Sequence[Line]) -> Sequence[Line]:
    """The rows of a press without what a mail program or scanner wrote below, and blank ends."""
    at = _first_start(rows, _names_a_scan)
    kept = list(rows if at is None or not _is_last_paragraph(rows, at) else rows[:at])
    while kept and (kept[-1].is_blank or kept[-1].is_rule or is_mobile_footer(kept[-1])):
        kept.pop()
    return kept


def _is_last_paragraph(rows: Sequence[Line], at: int) -> bool:
    gap = next((i for i in range(at, len(rows)) if rows[i].is_blank), len(rows))
    return all(row.is_blank or row.is_rule for row in rows[gap:])


def _in_pieces(text: str, most: int) -> list[str]:
    """The text in pieces of at most *most* characters: a paragraph is no long order."""
    if len(text) <= most:
        return [text]
    if len(text) > most * _MAX_PIECES:
        return [""] * (_MAX_PIECES + 1)
    return wrap(text, most)


# --- lines that a mail program broke ------------------------------------------------------------

_LONG = 60
_FULL = 66
_WIDTH = 72
_MAX_BROKEN = 10
_OPEN_END = re.compile(r"(?:^|[^-])->?$")
_WANTS_MORE = re.compile(
    r"(?:(?:^|(?<!:)(?<!\bin)(?<!\ben) )(?:a|(?-i:E)|f)"
    r"|(?:^| )(?:to|converts?|m|moves?|army|fleet|garrison|ducats|the|of|for|and|with|pacify"
    r"|cause|assassinate|buy|counter-bribe|famine|expense))$",
    re.IGNORECASE,
)
"""Conversions are complete: ``G1: A`` in the letters of 1978, ``F Pisa converte in A``."""
_EXPENSE_WITHOUT_DEED = re.compile(
    r"(?:e|exp|expense) ?\d+ ?:? ?[\d+ ]*(?:d|ducats?)?$", re.IGNORECASE
)
_DISBAND = re.compile(r"disbands?\b", re.IGNORECASE)
_WANTS_UNIT = re.compile(
    r"(?<!\bvia)(?<!\bby) (?:s|supports?|t|transports?|convoys?)$", re.IGNORECASE
)
"""``A con - sev via convoy`` is complete."""
_BEGINS_COMMENT = re.compile(r"#|//")
_CONTINUES = re.compile(r"->? ")


def rewrap(rows: Sequence[Line]) -> list[list[Line]]:
    """Group the rows that are one line broken by a mail program near column 78.

    A line goes on in the next if it ends with a dash or an arrow; if it ends with a comma or a word
    that needs another, and is long or the next is nothing by itself; if the next begins with an
    arrow; or if the next line's first word would not have fitted. A signon and a comment stay
    alone, and a short line never swallows an order.
    """
    groups: list[list[Line]] = []
    for row in rows:
        if groups and len(groups[-1]) < _MAX_BROKEN and _is_broken_off(groups[-1][-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _is_broken_off(row: Line, after: Line) -> bool:
    adjacent = after.number == row.number + 1 and row.text and after.text
    if not adjacent or row.is_signon or row.begins_press or _BEGINS_COMMENT.match(after.text):
        return False
    if after.is_command:
        return bool(_EXPENSE_WITHOUT_DEED.match(row.text) and _DISBAND.match(after.text))
    return _ends_open(row, after) or _begins_open(row, after) or _did_not_fit(row, after)


def _ends_open(row: Line, after: Line) -> bool:
    is_long = len(row.text) >= _LONG
    if _OPEN_END.search(row.text):
        return is_long or not after.is_unit_order
    if row.text.endswith(","):
        return (is_long and row.is_said) or ((is_long or row.is_said) and not after.is_said)
    if _WANTS_UNIT.search(row.text):
        return is_long or not after.is_said
    if row.words.is_command(row.bare) and not is_long:
        # "PHASE EVERY M", "BECOME F": the letter is no unit.
        return False
    return bool(_WANTS_MORE.search(row.text)) and not after.is_said


def _begins_open(row: Line, after: Line) -> bool:
    if not _CONTINUES.match(after.text) or _CONTINUES.match(row.text) or after.is_unit_order:
        return False
    return after.text.startswith("->") or len(row.text) >= _LONG


def _did_not_fit(row: Line, after: Line) -> bool:
    first_word = len(after.text.split(" ", 1)[0])
    full = len(row.text) >= _FULL and len(row.text) + 1 + first_word > _WIDTH
    return full and not after.is_said and after.bare == after.text


# --- clear-signed and encrypted text (OpenPGP, RFC 9580 section 7) ------------------------------

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN = "-----BEGIN PGP "
_END = "-----END PGP "
_SEALED = "-----BEGIN PGP MESSAGE-----"


def is_encrypted(rows: Sequence[Line]) -> bool:
    """Return whether the text has an encrypted message."""
    return _SEALED in [row.text for row in rows]


def without_pgp(rows: Sequence[Line]) -> list[Line]:
    """The rows without signatures, keys and encrypted text, signed ones as they were written."""
    if not [row for row in rows if row.text.startswith(_BEGIN)]:
        return list(rows)
    return list(_outside_pgp(rows))


def _outside_pgp(rows: Sequence[Line]) -> Iterator[Line]:
    in_header = in_block = in_signed = False
    for row in rows:
        if row.text.startswith(_BEGIN):
            in_signed = in_header = row.text == _SIGNED
            in_block = not in_signed
        elif row.text.startswith(_END):
            in_block = False
        elif in_header:
            in_header = not row.is_blank
        elif not in_block:
            yield _unescaped(row) if in_signed else row


def _unescaped(row: Line) -> Line:
    """The row without the dash that signing put in front."""
    if not row.raw.startswith("- "):
        return row
    return replace(row, raw=row.raw[2:], text=plain(row.raw[2 : len(row.text) + 2]))
