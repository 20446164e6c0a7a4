"""Words of lines and what they can mean: synonyms, phases, requests, questions, branches of ``if``.

A player's mistake is a value: nothing in this package raises for anything that somebody typed.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias, TypeVar

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage, read_moment
from machjudge.adjudicator.orders import Order
from machjudge.translatable import Message, MessageOrText, phrase

_TOKEN = re.compile(
    r"""
      [^\W\d_]+(?:'[^\W\d_]+)*'?    # a word; an apostrophe belongs to it: don't, citizens'
    | [0-9]+[.,][0-9]+ | [0-9]+     # a number, whole or not
    | -+>* | =+>* | >+              # dashes and arrows
    | //                            # the beginning of a comment
    | \S                            # any other sign
    """,
    re.VERBOSE,
)

_BULLET = re.compile(
    r"\s*(?:(?:[*•·●▪◦‣⁃]|-(?=\s))\s*|\(?\d{1,3}[.)]\s+|\(?[a-z]\)\s+)?", re.IGNORECASE
)

_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_ARROWS = dict.fromkeys("→⇒⇨➔➙➛➜➝➞➡⟶⟹►▶", ">")
_QUOTES = dict.fromkeys("‘’‚‛′´`", "'")
_SIGNS = _DASHES | _ARROWS | _QUOTES


_BEFORE = re.compile(r"^[\s|*_~`\"'<«»“”„]+(?=[\s(]*\w)")
_BEHIND = re.compile(r"(?<=[\w)'])[\s!|*_~`\"^>«»“”]*[!|*_~`\"^>«»“”]\s*$")
_SMILEY = re.compile(r"(?<=\s)[:;=]['-]?[)(dp|/\\]+\s*$")
_EMPHASIS = re.compile(r"(?<!\w)[*_~]+(?=\w)|(?<=\w)[*_~]+(?!\w)")
"""Marks around a word inside a line: ``*German*``."""
_BRACKETS = re.compile(r"[()\[\]{}]")
_IN_BRACKETS = re.compile(r"(\s*)[(\[{]([^()\[\]{}]*)[)\]}](\s*)")


class Word(NamedTuple):
    """A word, number or sign of a line: in plain lower case, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line in plain letters, and which character of the original each of them comes from."""

    original: str
    plain: str
    """Lower case, without accents, with simple dashes and quotes."""
    origin: tuple[int, ...] | None
    """For each plain character its place in the original; None if they are the same."""

    def column(self, position: int) -> int:
        """Where a plain character stands in the original; the end for the end."""
        if self.origin is None:
            return min(position, len(self.original))
        return self.origin[position] if position < len(self.origin) else len(self.original)

    def words(self) -> list[Word]:
        """The words behind the bullet, if there is one."""
        start = _behind_bullet(self.plain)
        return [Word(m.group(), *m.span()) for m in _TOKEN.finditer(self.plain, start)]

    def between(self, start: int, end: int) -> str:
        """The original text of a stretch of plain characters."""
        return self.original[self.column(start) : self.column(end)]


def cut(plain: str) -> list[str]:
    """The words of a line in plain letters without a bullet: the quick way."""
    return _TOKEN.findall(plain)


def cut_order(text: str) -> list[str]:
    """The words of a line of ASCII, in lower case and without its bullet."""
    plain = text.lower()
    return _TOKEN.findall(plain, 0 if plain[:1].isalpha() else _behind_bullet(plain))


def line_of(text: str) -> PlainLine:
    """Make a line plain."""
    if text.isascii():
        return PlainLine(text, text.lower(), None)
    pairs = [(plain, at) for at, sign in enumerate(text) for plain in _plain(sign)]
    return PlainLine(text, "".join(plain for plain, _ in pairs), tuple(at for _, at in pairs))


def undressed(line: PlainLine) -> PlainLine:
    """The line with spaces in place of what people put around an order, and of pictures in it.

    Marks of emphasis and quotation, bars, exclamation marks, smileys. Every column stays.
    """
    plain = line.plain
    if not plain.isascii():
        plain = "".join(" " if _is_picture(sign) else sign for sign in plain)
    for pattern in (_SMILEY, _BEHIND, _BEFORE, _EMPHASIS):
        plain = pattern.sub(lambda found: " " * len(found[0]), plain)
    around = _IN_BRACKETS.fullmatch(plain)
    if around is not None:
        plain = " ".join((around[1], around[2], around[3]))
    return replace(line, plain=plain)


def without_brackets(line: PlainLine) -> PlainLine:
    """The line with spaces in place of its brackets.  Every column stays."""
    return replace(line, plain=_BRACKETS.sub(" ", line.plain))


MAX_CHARACTERS = 1_000
"""A longer line is no command, and no order is read in it."""
_LONGEST_PLAIN = 4


def _is_picture(sign: str) -> bool:
    """Whether a sign is an emoji or a part of one."""
    return sign > "\x7f" and unicodedata.category(sign) in ("So", "Sk", "Cs")


def fold(text: str) -> str:
    """A text in lower case, without accents, with simple dashes and quotes."""
    return line_of(text).plain


def _behind_bullet(plain: str) -> int:
    match = _BULLET.match(plain)
    # Nothing but a bullet is no bullet: "- " alone is left to be complained about.
    return match.end() if match and match.end() < len(plain) else 0


@lru_cache(maxsize=1024)
def _plain(sign: str) -> str:
    """One character in plain letters; nothing for accents and signs without width."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    # Superscripts, fractions and circled digits stay what they are: 1² is not 12.
    if unicodedata.category(sign) == "No":
        return sign
    parts = unicodedata.normalize("NFKD", sign)
    kept = (part for part in parts if unicodedata.category(part) not in ("Mn", "Me", "Cf"))
    plain = "".join(_SIGNS.get(part, part) for part in kept).lower()
    # One sign of Arabic becomes eighteen letters: no line may grow by such a factor.
    return plain if len(plain) <= _LONGEST_PLAIN else sign


_BY_CLASS: Mapping[str, str] = {
    "ARMY": "ejercito esercito armata amy",
    "FLEET": "flota flotta flt",
    "GARRISON": "guarnicion guarnigione",
    "HOLD": "holding standing staying remain remains defend defends waits hld",
    "MOVES": "moving going march marches marching attack attacks attacking enter enters invade"
    " invades occupy occupies capture captures sail sails mv mto rto",
    "ALLY": "allied",
    "VIA": "through thru",
    "SUPPORT": "sup sups supp supporting",
    "TRANSPORT": "transporting convoying carries carry cvy",
    "C": "conv",
    "CONVERT": "converting become becomes",
    "BESIEGE": "besieging beseiging",
    "DISBAND": "disbanding disbanded destroy destroyed dsb",
    "BUILD": "new recruit recruits bld",
    "REMOVE": "removed dismiss drop rem",
    "WAIVE": "wve",
    "MAINTAIN": "keep keeps kept maintained retain sustain upkeep",
    "PAY": "transfer transfers",
    "REPAY": "payback",
    "DUCATS": "duc ducs",
    "YEAR": "yr yrs",
    "RELIEF": "relieve",
    "PACIFY": "pacifying quell suppress",
    "BUY": "buying purchasing",
    "CAUSE": "causing incite start stir foment",
    "REBELLION": "rebel revolt",
    "ASSASSINATE": "assassin assassinating assasinate assasinates kill kills murder",
    "NONE": "cancelled canceled delete",
    "NORMAL": "ordinary regular",
}

SYNONYMS: Mapping[str, str] = {
    word: name for name, words in _BY_CLASS.items() for word in words.split()
}
"""Word -> the name of its class in the grammar of orders."""

_BY_LANGUAGE: Mapping[str, Mapping[str, str]] = {
    "es": {
        "HOLD": "aguanta aguantar defiende defender permanece permanecer resiste resistir",
        "MOVES": "mueve mover avanza avanzar ataca atacar marchar",
        "SUPPORT": "apoya apoyar apoyo apoyan apoyando sostiene sostener",
        "TRANSPORT": "transporta transportar",
        "CONVERT": "convierte convertir",
        "BESIEGE": "asedia asediar sitia sitiar",
        "DISBAND": "disuelve disolver",
        "BUILD": "construye construir construyo recluta reclutar",
        "REMOVE": "elimina eliminar quita quitar quito",
        "PAY": "paga pagar pago pagamos",
        "GIVE": "dar doy damos",
        "CEDE": "ceder cedo",
        "BURN": "quemar quemo quema",
        "PERMIT": "permitir permito",
        "DUCATS": "ducado ducados",
        "EXPENSE": "gasto",
        "YEAR": "ano anos",
    },
    "it": {
        "HOLD": "difende difendere resta restare rimane rimanere resiste resistere",
        "MOVES": "muove muovere avanza avanzare attacca attaccare",
        "SUPPORT": "appoggia appoggiare appoggio sostiene sostenere supporta supportare",
        "TRANSPORT": "trasporta trasportare",
        "CONVERT": "converte convertire",
        "BESIEGE": "assedia assediare",
        "DISBAND": "scioglie sciogliere",
        "BUILD": "costruisce costruire costruisco costruisci recluta reclutare",
        "REMOVE": "rimuove rimuovere rimuovo rimuovi elimina eliminare",
        "PAY": "paga pagare pago paghiamo",
        "GIVE": "dare diamo",
        "CEDE": "cedere cedo",
        "BURN": "bruciare brucio brucia",
        "PERMIT": "permettere permetto",
        "DUCATS": "ducato ducati",
        "EXPENSE": "spesa",
        "YEAR": "anno anni",
    },
    "de": {
        "HOLD": "halt halte halten bleibt bleiben",
        "MOVES": "zieht ziehe ziehen geht marschiert",
        "SUPPORT": "unterstutzt unterstutze unterstutzen unterstuetzt unterstuetze",
        "TRANSPORT": "transportiert transportieren befordert",
        "CONVERT": "verwandelt umwandeln",
        "BESIEGE": "belagert belagere belagern",
        "DISBAND": "auflosen aufgelost",
        "BUILD": "baue baut bauen",
        "REMOVE": "entferne entfernt entfernen",
        "MAINTAIN": "behalte behalten unterhalte",
        "PAY": "zahle zahlen bezahle bezahlen",
        "DUCATS": "dukaten",
    },
}
"""Words of orders in other languages, by their classes: read from who reads the language."""

OWN_WORDS: Mapping[str, Mapping[str, str]] = {
    language: {word: name for name, words in by_class.items() for word in words.split()}
    for language, by_class in _BY_LANGUAGE.items()
}
"""By language its words and the names of their classes in the grammar of orders."""

_HOLDS = {Stage.CAMPAIGN: "HOLD", Stage.ADJUSTMENT: "MAINTAIN"}
_GOES = {Stage.RETREATS: "MOVES", Stage.ADJUSTMENT: "REMOVE"}
_TWOFOLD: Mapping[str, Sequence[tuple[Mapping[Stage, str], str]]] = {
    "es": (
        (_HOLDS, "mantener mantiene mantienen mantengo mantenemos manten mantenga"),
        (_GOES, "retirar retira retiro"),
    ),
    "it": (
        (_HOLDS, "mantenere mantiene mantengono mantengo manteniamo mantieni tenere tengo tieni"),
        (_GOES, "ritirare ritira ritiro"),
    ),
}
"""Words that say one thing in a kind of phase and another in the next."""

BY_STAGE: Mapping[str, Mapping[str, Mapping[Stage, str]]] = {
    language: {word: classes for classes, words in pairs for word in words.split()}
    for language, pairs in _TWOFOLD.items()
}
"""By language such words, with their classes in each kind of phase in which they are read."""
_SHOWN = {"HOLD": "hold", "MAINTAIN": "maintain", "MOVES": "move", "REMOVE": "remove"}

UNREAD: Mapping[str, tuple[str, ...]] = {
    **{word: (name.lower(),) for own in OWN_WORDS.values() for word, name in own.items()},
    **{
        word: tuple(_SHOWN[name] for name in classes.values())
        for own in BY_STAGE.values()
        for word, classes in own.items()
    },
}
"""Word of another language -> what to write instead, in one kind of phase or another."""

UNREAD_TO = re.compile(r" (?:a|al|ai|alla|nach) ", re.IGNORECASE)
"""To, in these languages; ``a`` is an army, too."""

OWN_LETTERS: Mapping[str, Mapping[str, str]] = {"es": {"e": "a"}}
"""By language the letters for kinds of units that are others than the usual ones."""


class Fault(Enum):
    """Why a line could not be read."""

    UNEXPECTED = "unexpected"
    """A word or sign that cannot stand where it stands."""
    INCOMPLETE = "incomplete"
    """The line stops before the order is complete."""
    LEFT_OVER = "left over"
    """Something follows a complete order that is neither part of it nor a comment."""
    HALF = "half"
    """A piece behind a complete order that is no order by itself; the whole line falls."""
    NO_PLACE = "no such place"
    NO_POWER = "no such power"
    NUMBER = "number"
    """An amount, a year or the number of an expense that cannot be."""
    PHASE = "phase"
    """An order of another kind of phase."""
    CONTRADICTION = "contradiction"
    """A complete order that says two things at once."""
    UNCLEAR = "unclear"
    """A complete order that may say one of two things."""
    AMBIGUOUS = "ambiguous"
    """A name that several places or powers may have (SYN-09)."""
    INSTANT = "instant"
    """A date or time that cannot be read, or does not exist."""
    TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class ParseError:
    """A line, or a part of it, that could not be read, and what would have been right."""

    line: str
    """The line as it was written."""
    column: int
    """Where the trouble begins, counted from 0."""
    fault: Fault
    reason: MessageOrText
    """One sentence for the player, without a full stop."""
    found: str = ""
    """The words that made the trouble; empty at the end of the line."""
    expected: tuple[MessageOrText, ...] = ()
    """What may stand there, in words."""
    nearest: str | None = None
    """The nearest line that can be read, where there is one."""
    candidates: "tuple[Candidate, ...]" = ()
    """What an ambiguous name may mean."""


class Candidate(NamedTuple):
    """One of several things that an abbreviation may mean."""

    id: str
    name: str


def may_mean(text: str, candidates: Iterable[Candidate]) -> Message:
    """That a text may mean several places or powers (SYN-09)."""
    names = tuple(phrase("{} ({})", each.name, each.id) for each in candidates)
    return Message("orders.may_mean", text=text, names=names)


def ambiguous(line: str, column: int, found: str, candidates: tuple[Candidate, ...]) -> ParseError:
    """That a word may mean several places or powers, for which the line is refused (SYN-09)."""
    reason = may_mean(found, candidates)
    return ParseError(line, column, Fault.AMBIGUOUS, reason, found, candidates=candidates)


Said: TypeAlias = Order | ParseError


@dataclass(frozen=True, slots=True)
class Parsed:
    """Everything that one line says, in the order written."""

    said: tuple[Said, ...]
    ignored: str = ""
    """A comment behind the orders that was not read."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where in the line each thing stands; empty where the line says one thing at most."""

    def parts(self) -> tuple[tuple[Said, tuple[int, int] | None], ...]:
        """Each thing that the line says, with where it stands if there are several."""
        return tuple(zip(self.said, self.spans or (None,) * len(self.said), strict=True))

    @property
    def overlooked(self) -> str:
        """The comment, unless ``#`` or ``//`` says that it is none of the judge's business."""
        return "" if self.ignored.startswith(("#", "//")) else self.ignored.strip()

    @property
    def refused(self) -> tuple[ParseError, ...]:
        """What could not be read."""
        return tuple(one for one in self.said if isinstance(one, ParseError))

    @property
    def understood(self) -> tuple[Order, ...]:
        """What could be read."""
        return tuple(one for one in self.said if not isinstance(one, ParseError))


def in_words(items: Sequence[str], last: str = "or") -> str:
    """A list as a sentence has it: ``a, b or c``."""
    if len(items) <= 1:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


_SEASONS: Mapping[str, Season] = {
    "spring": Season.SPRING,
    "summer": Season.SUMMER,
    "u": Season.SUMMER,
    "fall": Season.FALL,
    "autumn": Season.FALL,
}
_STAGES: Mapping[str, Stage] = {
    "movement": Stage.CAMPAIGN,
    "moves": Stage.CAMPAIGN,
    "campaign": Stage.CAMPAIGN,
    "retreats": Stage.RETREATS,
    "builds": Stage.ADJUSTMENT,
    "adjustments": Stage.ADJUSTMENT,
}
Named = TypeVar("Named", Season, Stage)
_YEAR = re.compile(r"[0-9]{4}")
_FILLERS = frozenset({"of", "the", "phase", "season"})


def read_phase(words: Iterable[str]) -> Moment | None:
    """Read the name of a phase; the beginnings of its words suffice.

    :param words: season, year and kind of phase in any order, or one code.
    :returns: the phase, or nothing if the words are none, or not all of it.
    """
    said = [word for raw in words for word in [fold(raw).strip(",.;:")] if word]
    if len(said) == 1:
        return read_moment(said[0].upper())
    parts = [word for word in said if word not in _FILLERS]
    years = [word for word in parts if _YEAR.fullmatch(word)]
    others = [word for word in parts if not _YEAR.fullmatch(word)]
    if len(years) != 1 or len(others) != 2:  # noqa: PLR2004 (season and kind of phase)
        return None
    for season_word, stage_word in (others, others[::-1]):
        season, stage = _begun(season_word, _SEASONS), _begun(stage_word, _STAGES)
        if season is not None and stage is not None:
            return Moment(Campaign(int(years[0]), season), stage)
    return None


def read_campaign(words: Iterable[str]) -> Campaign | None:
    """Read the name of a campaign: ``S1456``, ``spring 1456``.

    :returns: the campaign, or nothing if the words are none, or not all of it.
    """
    said = [*words]
    found = read_phase([f"{said[0]}M"]) if len(said) == 1 else read_phase([*said, "movement"])
    return found.campaign if found is not None else None


def read_stage(words: Iterable[str]) -> Stage | None:
    """Read the name of a kind of phase: ``M``, ``move``, ``retreats``, ``builds``.

    :returns: the kind, or nothing if the words are none.
    """
    said = [word for raw in words for word in [fold(raw).strip(",.;:")] if word]
    parts = [word for word in said if word not in _FILLERS]
    return _begun(parts[0], _STAGES) if len(parts) == 1 else None


def _begun(word: str, names: Mapping[str, Named]) -> Named | None:
    """What a word or its beginning names; the first in the order of the table."""
    return next((meant for name, meant in names.items() if name.startswith(word)), None)


class PlainRequest(Enum):
    """What is wished for."""

    TAKE_BACK = "take_back"
    """An order that was given is to count no more."""
    WAIT = "wait"
    """The phase is to wait for somebody."""
    AS_BEFORE = "as_before"
    """The orders of the last campaign are to be given again."""


_PHRASES = {
    PlainRequest.TAKE_BACK: (
        "cancel",
        "please cancel",
        "please ignore",
        "please withdraw",
        "ignore my",
        "disregard",
        "take back",
        "withdraw my",
        "scratch that",
        "cancela",
        "cancelar",
        "anula",
        "anular",
        "annulla",
        "annullare",
    ),
    PlainRequest.WAIT: (
        "wait",
        "please wait",
        "espera",
        "esperad",
        "por favor espera",
        "aspetta",
        "aspettate",
        "per favore aspetta",
    ),
    PlainRequest.AS_BEFORE: (
        "same as",
        "same orders",
        "as before",
        "as last time",
        "as last turn",
        "lo mismo que",
        "como antes",
        "come prima",
        "come la volta",
    ),
}
"""With what a line begins that wishes for it, in the languages of the judge."""
RESIGNING = (
    "i resign",
    "i quit",
    "i am resigning",
    "i'm resigning",
    "i want to resign",
    "i wish to resign",
    "i would like to resign",
    "i'd like to resign",
    "i have to resign",
    "i must resign",
    "i will resign",
    "please resign",
    "abandono",
    "abandonar",
    "dejo la partida",
    "dejar la partida",
    "dimito",
    "quiero abandonar",
    "quiero dejar la partida",
    "me retiro",
    "renuncio",
    "abbandono",
    "abbandonare",
    "lascio la partita",
    "mi dimetto",
    "mi ritiro",
    "rinuncio",
    "voglio abbandonare",
    "voglio lasciare la partita",
)
"""How somebody says in plain words that they give up their seat."""
_MAX_WORDS = 3


def plain_request(line: str) -> PlainRequest | None:
    """What a line wishes for that is no order; None if it begins otherwise."""
    words = [fold(word).rstrip(".,;:!?") for word in line.split(maxsplit=_MAX_WORDS)[:_MAX_WORDS]]
    beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((wish for each in beginnings if (wish := _requests().get(each))), None)


@cache
def _requests() -> dict[str, PlainRequest]:
    return {phrase: wish for wish, phrases in _PHRASES.items() for phrase in phrases}


class Topic(Enum):
    """What a question in plain words is about."""

    DEADLINE = "deadline"
    PHASE = "phase"
    CHANGE = "change"
    """Whether orders may still be changed."""
    RECEIVED = "received"
    """Whether orders have arrived, and which."""
    LATE = "late"
    MASTER = "master"
    PLAYERS = "players"
    MONEY = "money"
    REACH = "reach"
    """What a unit can do."""
    HOW = "how"
    """How something is ordered or done."""


_ASKING = {
    Topic.RECEIVED: (
        r"(?:did|have|has) (?:you|the judge) (?:get|got|receive|received|seen?)\b",
        r"(?:are|were) my (?:orders|moves) (?:in|ok|okay|there|received|on file|valid|complete)\b",
        r"(?:what|which) (?:are|were) my (?:current )?(?:orders|moves)\b",
        r"did my (?:orders|moves|mail|message) (?:arrive|come|get)\b",
        r"(?:recibiste|recibio|has recibido|ha recibido|han llegado|llegaron|te llegaron)\b",
        r"cuales son mis ordenes\b",
        r"(?:hai|ha|avete) ricevuto\b|sono arrivat[ie]\b|quali sono i miei ordini\b",
    ),
    Topic.CHANGE: (
        r"(?:can|could|may|might) (?:i|we|one) (?:still )?(?:change|alter|edit|resend|update|revise"
        r"|correct|replace|send (?:new|other|more|different))\b(?!.*\b(?:password|address|name"
        r"|deadline)\b)",
        r"too late (?:to|for) (?:change|changing|send|order|a change|changes)\b",
        r"(?:puedo|podemos|se puede|se pueden) (?:todavia |aun )?(?:cambiar|modificar|corregir"
        r"|reenviar)\b(?!.*\b(?:contrasena|direccion|nombre|plazo)\b)",
        r"(?:posso|possiamo|si puo|si possono) (?:ancora )?(?:cambiare|modificare|correggere"
        r"|rimandare)\b(?!.*\b(?:password|indirizzo|nome|scadenza)\b)",
    ),
    Topic.DEADLINE: (
        r"(?:when|what time|what day|what|until when|by when|how long)\b.*\b(?:deadline|due)\b",
        r"when (?:do|must|should) (?:i|we) (?:have to )?(?:order|send|submit)\b",
        r"how (?:much|long|many)\b.*\b(?:time|hours|days|long)\b.*\b(?:left|have|remain\w*)\b",
        r"(?:cuando|hasta cuando|cual|que dia|a que hora)\b.*\b(?:plazo|limite|vence|termina)\b",
        r"cuanto tiempo\b.*\b(?:queda|tengo|tenemos|falta)\b",
        r"(?:quando|entro quando|fino a quando|qual|a che ora)\b.*\b(?:scadenza|scade|termine)\b",
        r"quanto tempo\b.*\b(?:resta|rimane|ho|abbiamo|manca)\b",
    ),
    Topic.LATE: (
        r"who (?:is|are) (?:late|missing|we waiting)\b|who has(?:n't| not) (?:ordered|sent|yet)\b",
        r"(?:who|whom) (?:are we|do we|is everybody|is everyone) wait\w*\b",
        r"quien (?:falta|no ha)\b|a quien (?:esperamos|se espera)\b|quien llega tarde\b",
        r"chi (?:manca|non ha|e in ritardo)\b|chi (?:aspettiamo|si aspetta)\b",
    ),
    Topic.MASTER: (
        r"who (?:'s |is |are )?(?:the |our )?(?:game )?(?:master|gm|referee|moderator)s?\b"
        r"|who (?:runs|masters) (?:the|this) game\b",
        r"quien(?:es)? (?:es|son|dirige) (?:el |la |los |esta )?"
        r"(?:master|director|arbitro|partida)",
        r"chi (?:e|sono|dirige) (?:il |l'|i |la |questa )?(?:master|arbitro|partita|direttore)",
    ),
    Topic.PLAYERS: (
        r"who (?:'s |is |are )?(?:play\w*|lead\w*|has|runs?|controls?|is|rules?)\b(?! (?:game|late"
        r"|full)\b)",
        r"quien(?:es)? (?:juega\w*|lleva\w*|es|dirige\w*|controla\w*|tiene\w*)\b",
        r"chi (?:gioca\w*|guida\w*|e|ha|controlla\w*|comanda\w*)\b",
    ),
    Topic.MONEY: (
        r"how (?:many|much) (?:ducats|money|gold)\b|what is in my treasury\b",
        r"cuant[oa]s? (?:ducados|dinero)\b|quant[aoi] (?:ducati|denaro|soldi)\b",
    ),
    Topic.REACH: (
        r"(?:what|where) (?:can|could|may|might)\b.*\b(?:do|go|move|reach|attack)\b",
        r"(?:can|could|may) (?:my |the )?(?:a|f|g|army|fleet|garrison)\b.*\b(?:go|move|reach)\b",
        r"(?:que|adonde|a donde|donde|hasta donde) puede\b",
        r"(?:che cosa|cosa|dove|fin dove) puo\b",
    ),
    Topic.HOW: (
        r"how (?:do|can|does|should|would|could|must) (?:i|we|one|you|a player)\b|how to\b",
        r"como (?:se |puedo |podemos |hago |debo |hay que )?\w+|de que manera\b",
        r"come (?:si |posso |possiamo |faccio |devo )\w+|in che modo\b",
    ),
    Topic.PHASE: (
        r"(?:what|which) (?:phase|turn|season|year)\b",
        r"(?:que|cual) (?:fase|turno|estacion|ano)\b|en que (?:fase|turno|estacion|ano)\b",
        r"(?:che|quale) (?:fase|turno|stagione|anno)\b|in (?:che|quale) (?:fase|turno|stagione)\b",
    ),
}
"""Topics by the words that ask about them, in plain letters; what comes first counts."""

_DOING = {
    "build": r"build\w*|recruit\w*|constru\w*|reclut\w*|costru\w*",
    "remove": r"remov\w*|disband\w*|retir\w*|elimin\w*|disolv\w*|rimuov\w*|sciogl\w*",
    "maintain": r"maintain\w*|keep|mant\w*|conserv\w*",
    "support": r"support\w*|apoy\w*|appogg\w*|sosten\w*",
    "transport": r"convoy\w*|transport\w*|trasport\w*",
    "siege": r"sieg\w*|besieg\w*|asedi\w*|sitiar|assedi\w*",
    "convert": r"convert\w*",
    "retreat": r"retreat\w*|retirada|ritirata",
    "hold": r"hold|stand|aguant\w*|defend\w*|difend\w*|resist\w*",
    "move": r"mov\w*|advanc\w*|attack\w*|avanz\w*|atac\w*|muov\w*|attacc\w*",
    "bribe": r"brib\w*|sobor\w*|corromp\w*|compr\w*|buy\w*|corrump\w*",
    "borrow": r"borrow\w*|loan\w*|prestamo|prestit\w*",
    "pay": r"pay\w*|give|dar|pag\w*|dare|ducats?|ducados?|ducati",
    "press": r"write|press|messages?|contact\w*|talk|escrib\w*|prensa|scriv\w*|stampa|messagg\w*",
    "wait": r"wait\w*|esper\w*|aspett\w*|absen\w*|holidays?|vacaci\w*|vacanz\w*|assen\w*",
    "draw": r"draw|tablas|empate|patta|pareggio",
    "resign": r"resign|quit|leave|abandon\w*|dejar|lasci\w*|abbandon\w*",
    "password": r"passwords?|contrasena",
    "orders": r"orders?|ordenes|orden|ordini|ordine|enviar|mandare|send",
}
"""What is done, by the words for it in the languages of the judge; the first found counts."""


def topic_of(question: str) -> Topic | None:
    """What a question is about; None if it is about nothing that the judge knows by itself."""
    plain = fold(question).lstrip("¿? ")
    return next((t for t, asks in _asking().items() if any(a.search(plain) for a in asks)), None)


def deed_of(question: str) -> str:
    """What somebody asks how to do, by a word for it; empty for anything else."""
    plain = fold(question)
    return next((deed for deed, asks in _doing().items() if asks.search(plain)), "")


@cache
def _asking() -> dict[Topic, tuple[re.Pattern[str], ...]]:
    return {
        topic: tuple(re.compile(rf"(?<!\w)(?:{each})") for each in asks)
        for topic, asks in _ASKING.items()
    }


@cache
def _doing() -> dict[str, re.Pattern[str]]:
    return {deed: re.compile(rf"\b(?:{words})\b") for deed, words in _DOING.items()}


class Mark(Enum):
    """What a piece of a line begins with."""

    IF = "if"
    THEN = "then"
    ELSE_IF = "else if"
    ELSE = "else"
    END_IF = "endif"


@dataclass(frozen=True, slots=True)
class BranchPart:
    """A mark, or none, and the text up to the next one; *column* is where that text begins."""

    mark: Mark | None
    text: str
    column: int = 0


_MARK = re.compile(r"\b(else\s+if|elseif|elsif|end\s+if|endif|else|if|then)\b[:,]?")
_BEGINNING = re.compile(rf"[\s;]*{_MARK.pattern}")
_TALK = re.compile(
    r"\s*(?:if|then|else),?\s(?!.*\b(?:owns?|treasury)\b)"
    r"(?:.*\s)?(?:not|so|i|you|he|she|it|we|they|this|that|there|my|your|our|me|her|him|us|them)\b"
    r".*[.!?]\s*"
)
_COMMENT = re.compile(r"#|//")


def begins_branch(text: str) -> bool:
    """Whether a line begins with one of the words of ``if … endif``."""
    return bool(_BEGINNING.match(fold(text))) and split_branches(text)[0].mark is not None


def is_talk(text: str) -> bool:
    """Whether a line is a whole sentence such as "If you agree, I will come." and no condition."""
    marks = [piece.mark for piece in split_branches(text)]
    return bool(_TALK.fullmatch(line_of(text).plain)) and len(marks) == 1


def ends_branch(text: str) -> bool:
    """Whether ``endif`` stands in a line."""
    return any(piece.mark is Mark.END_IF for piece in split_branches(text))


def split_branches(text: str) -> tuple[BranchPart, ...]:
    """The pieces of a line; what stands behind ``#`` or ``//`` is no mark."""
    line = line_of(text)
    comment = _COMMENT.search(line.plain)
    end = comment.start() if comment else len(line.plain)
    marks = list(_MARK.finditer(line.plain, 0, end))
    starts = [*(mark.start() for mark in marks), len(line.plain)]
    head = _branch_part(text, None, 0, line.column(starts[0]))
    pieces = [] if not head.text and marks else [head]
    for mark, until in zip(marks, starts[1:], strict=True):
        pieces.append(
            _branch_part(text, _mark(mark.group(1)), line.column(mark.end()), line.column(until))
        )
    return tuple(pieces)


def _branch_part(text: str, mark: Mark | None, start: int, end: int) -> BranchPart:
    said = text[start:end]
    return BranchPart(mark, said.strip(" \t;"), start + len(said) - len(said.lstrip(" \t;")))


def _mark(word: str) -> Mark:
    squeezed = "".join(word.split())
    return {
        "if": Mark.IF,
        "then": Mark.THEN,
        "else": Mark.ELSE,
        "endif": Mark.END_IF,
    }.get(squeezed, Mark.ELSE_IF)
