"""Words and their meanings: synonyms, phases, requests, questions, branches of ``if``.

A mistake is a value: nothing in this package raises for a player's text.
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

# Lines cut into words, numbers and signs. Knows spelling and typography, no grammar and no game.
# Case, spaces, accents, typographic dashes, arrows and quotes make no difference to an order, nor
# does a bullet or a number in front of it.
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
    """A word, number or sign of a line in plain lower case, and its place."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line in plain letters, with each character's place in the original."""

    original: str
    plain: str
    """Lower case, without accents, with simple dashes and quotes."""
    origin: tuple[int, ...] | None
    """The original place of each plain character; None if equal."""

    def column(self, position: int) -> int:
        """Return the original place of a plain character."""
        if self.origin is None:
            return min(position, len(self.original))
        return self.origin[position] if position < len(self.origin) else len(self.original)

    def words(self) -> list[Word]:
        """Return the words behind the bullet."""
        start = _behind_bullet(self.plain)
        return [Word(m.group(), *m.span()) for m in _TOKEN.finditer(self.plain, start)]

    def between(self, start: int, end: int) -> str:
        """The original text of a stretch of plain characters."""
        return self.original[self.column(start) : self.column(end)]


def cut(plain: str) -> list[str]:
    """Return the words of a line without bullet: the fast way."""
    return _TOKEN.findall(plain)


def cut_order(text: str) -> list[str]:
    """The words of a line of ASCII, in lower case and without its bullet."""
    plain = text.lower()
    return _TOKEN.findall(plain, 0 if plain[:1].isalpha() else _behind_bullet(plain))


def line_of(text: str) -> PlainLine:
    """Return a line in plain letters."""
    if text.isascii():
        return PlainLine(text, text.lower(), None)
    pairs = [(plain, at) for at, sign in enumerate(text) for plain in _plain(sign)]
    return PlainLine(text, "".join(plain for plain, _ in pairs), tuple(at for _, at in pairs))


def undressed(line: PlainLine) -> PlainLine:
    """Return the line with spaces for what surrounds an order, and pictures; columns stay.

    Marks of emphasis and quotation, bars, exclamation marks, smileys.
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
    """Return the line with spaces for brackets; columns stay."""
    return replace(line, plain=_BRACKETS.sub(" ", line.plain))


MAX_CHARACTERS = 1_000
"""Longer lines are not read."""
_LONGEST_PLAIN = 4


def _is_picture(sign: str) -> bool:
    return sign > "\x7f" and unicodedata.category(sign) in ("So", "Sk", "Cs")


def fold(text: str) -> str:
    """Return a text in lower case, without accents, with simple dashes and quotes."""
    return text.lower() if text.isascii() else line_of(text).plain


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


# Words that people write for the words of the grammar, beside those that the grammar lists
# itself. They are read like the others, and taught as little as misspellings are: the judge
# answers in its own words. One that stands in a comment makes no order of it.
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
        "HOLD": "aguanta aguantan aguantar aguanto defiende defender permanece permanecer"
        " resiste resistir queda quedan quedar quedarse",
        "MOVES": "mueve mueven mover muevo avanza avanzan avanzar avanzo ataca atacan atacar ataco"
        " marcha marchan marchar va van voy ir entra entran entrar desplaza desplazar",
        "TO": "hacia",
        "SUPPORT": "apoya apoyar apoyo apoyan apoyando sostiene sostener",
        "TRANSPORT": "transporta transportan transportar transporto",
        "CONVERT": "convierte convertir convierto",
        "BESIEGE": "asedia asedian asediar sitia sitian sitiar",
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
        "BORROW": "pido pedir pide",
        "REPAY": "devuelvo devolver devuelve",
        "BANK": "banco banca",
        "LIFT": "levanta levantar levanto",
        "SIEGE": "asedio",
        "BUY": "compra comprar compro",
        "PACIFY": "pacifica pacificar pacifico",
        "CAUSE": "provoca provocar provoco",
        "REBELLION": "rebelion",
        "CB": "contrasoborno",
        "RELIEF": "auxilio",
        "ASSASSINATION": "asesina asesinar asesino asesinato",
    },
    "it": {
        "HOLD": "difende difendere resta restano restare rimane rimangono rimanere resiste"
        " resistere",
        "MOVES": "muove muovono muovere muovo avanza avanzano avanzare avanzo attacca attaccano"
        " attaccare attacco va vai vanno vado andare marcia marciano marciare entra entrano entrare"
        " sposta spostano spostare",
        "TO": "verso",
        "SUPPORT": "appoggia appoggiano appoggiare appoggio sostiene sostenere supporta supportare",
        "TRANSPORT": "trasporta trasportano trasportare trasporto",
        "CONVERT": "converte convertire converto",
        "BESIEGE": "assedia assediano assediare",
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
        "BORROW": "prendo prendere prende",
        "REPAY": "restituisco restituire restituisce",
        "BANK": "banca banco",
        "LIFT": "toglie togliere tolgo",
        "SIEGE": "assedio l'assedio",
        "BUY": "compra comprare compro",
        "PACIFY": "pacifica pacificare placa placare",
        "CAUSE": "provoca provocare provoco",
        "REBELLION": "ribellione",
        "CB": "controcorruzione",
        "RELIEF": "soccorso",
        "ASSASSINATION": "assassina assassinare assassino assassinio uccidere",
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
"""Order words of other languages, by class."""

OWN_WORDS: Mapping[str, Mapping[str, str]] = {
    language: {word: name for name, words in by_class.items() for word in words.split()}
    for language, by_class in _BY_LANGUAGE.items()
}
"""Words by language, with their classes in the order grammar."""

_HOLDS = {Stage.CAMPAIGN: "HOLD", Stage.ADJUSTMENT: "MAINTAIN"}
_GOES = {Stage.RETREATS: "MOVES", Stage.ADJUSTMENT: "REMOVE"}
_TWOFOLD: Mapping[str, Sequence[tuple[Mapping[Stage, str], str]]] = {
    "es": (
        (_HOLDS, "mantener mantiene mantienen mantengo mantenemos manten mantenga"),
        (_GOES, "retirar retira retiro"),
    ),
    "it": (
        (
            _HOLDS,
            "mantenere mantiene mantengono mantengo manteniamo mantieni tenere tengo tieni tiene",
        ),
        (_GOES, "ritirare ritira ritiro"),
    ),
}
"""Words whose meaning depends on the kind of phase."""

BY_STAGE: Mapping[str, Mapping[str, Mapping[Stage, str]]] = {
    language: {word: classes for classes, words in pairs for word in words.split()}
    for language, pairs in _TWOFOLD.items()
}
"""Such words by language, with their classes in each kind of phase."""
_SHOWN = {"HOLD": "hold", "MAINTAIN": "maintain", "MOVES": "move", "REMOVE": "remove"}

UNREAD: Mapping[str, tuple[str, ...]] = {
    **{word: (name.lower(),) for own in OWN_WORDS.values() for word, name in own.items()},
    **{
        word: tuple(_SHOWN[name] for name in classes.values())
        for own in BY_STAGE.values()
        for word, classes in own.items()
    },
}
"""Unread words of other languages -> what to write instead."""

UNREAD_TO = re.compile(r" (?:a|al|ai|alla|nach) ", re.IGNORECASE)
"""Words for "to" in these languages; ``a`` is an army too."""

SMALL_WORDS: Mapping[str, Mapping[str, frozenset[str]]] = {
    language: {meaning: frozenset(words.split()) for meaning, words in by_meaning.items()}
    for language, by_meaning in {
        "es": {
            "TO": "a al en",
            "INTO": "en",
            "SELF": "se me",
            "STILL": "quieto quieta quietos quietas",
            "OF": "a al de del en contra para",
            "FOR": "a por durante",
            "": "el la una prestado prestados",
        },
        "it": {
            "TO": "a ad al alla in nel nello nella",
            "INTO": "in",
            "SELF": "si mi",
            "STILL": "fermo ferma fermi ferme",
            "OF": "a al di del della in contro per",
            "FOR": "per",
            "": "il la lo una in prestito",
        },
    }.items()
}
"""By language the prepositions that mean a class of the grammar behind a verb, and words without
meaning there: those of all verbs, and of verbs of going and staying (``SELF``, ``STILL``)."""

OWN_LETTERS: Mapping[str, Mapping[str, str]] = {"es": {"e": "a"}}
"""The letters for kinds of units that differ, by language."""


class Fault(Enum):
    """Why a line could not be read."""

    UNEXPECTED = "unexpected"
    """A word or sign in a wrong place."""
    INCOMPLETE = "incomplete"
    """The line stops before the order is complete."""
    LEFT_OVER = "left over"
    """Something behind an order that is neither part of it nor a comment."""
    HALF = "half"
    """A piece behind an order that is none; the line is refused."""
    NO_PLACE = "no such place"
    NO_POWER = "no such power"
    NUMBER = "number"
    """An impossible amount, year or number of an expense."""
    PHASE = "phase"
    """An order of another kind of phase."""
    CONTRADICTION = "contradiction"
    """A complete order that contradicts itself."""
    UNCLEAR = "unclear"
    """A complete order with two meanings."""
    AMBIGUOUS = "ambiguous"
    """An ambiguous name (SYN-09)."""
    INSTANT = "instant"
    """An unreadable or impossible date or time."""
    TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class ParseError:
    """A line, or part of it, that could not be read, and the correction."""

    line: str
    """The line as written."""
    column: int
    """The start of the trouble, from 0."""
    fault: Fault
    reason: MessageOrText
    """One sentence for the player, without a full stop."""
    found: str = ""
    """The words in question; empty at the line's end."""
    expected: tuple[MessageOrText, ...] = ()
    """What may stand there."""
    nearest: str | None = None
    """The nearest readable line."""
    candidates: "tuple[Candidate, ...]" = ()
    """The meanings of an ambiguous name."""


class Candidate(NamedTuple):
    """A meaning of an abbreviation."""

    id: str
    name: str


def may_mean(text: str, candidates: Iterable[Candidate]) -> Message:
    """Return that a text may mean several places or powers (SYN-09)."""
    names = tuple(phrase("{} ({})", each.name, each.id) for each in candidates)
    return Message("orders.may_mean", text=text, names=names)


def ambiguous(line: str, column: int, found: str, candidates: tuple[Candidate, ...]) -> ParseError:
    """Return the refusal of a word that may mean several places or powers (SYN-09)."""
    reason = may_mean(found, candidates)
    return ParseError(line, column, Fault.AMBIGUOUS, reason, found, candidates=candidates)


Said: TypeAlias = Order | ParseError


@dataclass(frozen=True, slots=True)
class Parsed:
    """The contents of one line, in order."""

    said: tuple[Said, ...]
    ignored: str = ""
    """An unread comment behind the orders."""
    spans: tuple[tuple[int, int], ...] = ()
    """The places of the parts; empty for one at most."""

    def parts(self) -> tuple[tuple[Said, tuple[int, int] | None], ...]:
        """Return each part, with its place if there are several."""
        return tuple(zip(self.said, self.spans or (None,) * len(self.said), strict=True))

    @property
    def overlooked(self) -> str:
        """Return the comment, unless ``#`` or ``//`` marks it."""
        return "" if self.ignored.startswith(("#", "//")) else self.ignored.strip()

    @property
    def refused(self) -> tuple[ParseError, ...]:
        """Return what could not be read."""
        return tuple([one for one in self.said if isinstance(one, ParseError)])

    @property
    def understood(self) -> tuple[Order, ...]:
        """Return what could be read."""
        return tuple([one for one in self.said if not isinstance(one, ParseError)])


def in_words(items: Sequence[str], last: str = "or") -> str:
    """Return ``a, b or c``."""
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

    :param words: season, year and kind of phase in any order, or one code; without a kind it is
        the campaign, as the judge itself names one, and winter is the adjustment after Fall.
    :returns: the phase, or nothing if the words are none, or not all of it.
    """
    said = [word for raw in words for word in [fold(raw).strip(",.;:")] if word]
    if len(said) == 1:
        return read_moment(said[0].upper())
    parts = [word for word in said if word not in _FILLERS]
    years = [word for word in parts if _YEAR.fullmatch(word)]
    others = [word for word in parts if not _YEAR.fullmatch(word)]
    if len(years) == 1 and "winter" in others:
        others = ["fall", *(word for word in others if word != "winter"), "builds"][:2]
    elif len(years) == 1 and len(others) == 1:
        others = [*others, "campaign"]
    if len(years) != 1 or len(others) != 2:  # noqa: PLR2004 (season and kind of phase)
        return None
    for season_word, stage_word in (others, others[::-1]):
        season, stage = _begun(season_word, _SEASONS), _begun(stage_word, _STAGES)
        if season is not None and stage is not None:
            return Moment(Campaign(int(years[0]), season), stage)
    return None


def read_campaign(words: Iterable[str]) -> Campaign | None:
    """Read the name of a campaign: ``S1456``, ``spring 1456``; None for other words."""
    said = [*words]
    found = read_phase([f"{said[0]}M"]) if len(said) == 1 else read_phase([*said, "movement"])
    return found.campaign if found is not None else None


def read_stage(words: Iterable[str]) -> Stage | None:
    """Read the name of a kind of phase: ``M``, ``move``, ``retreats``, ``builds``; else None."""
    said = [word for raw in words for word in [fold(raw).strip(",.;:")] if word]
    parts = [word for word in said if word not in _FILLERS]
    return _begun(parts[0], _STAGES) if len(parts) == 1 else None


def _begun(word: str, names: Mapping[str, Named]) -> Named | None:
    """The first entry of the table that begins with the word."""
    return next((meant for name, meant in names.items() if name.startswith(word)), None)


class PlainRequest(Enum):
    """A request in plain words."""

    TAKE_BACK = "take_back"
    """Cancel an order."""
    WAIT = "wait"
    """Let the phase wait."""
    AS_BEFORE = "as_before"
    """Repeat the last campaign's orders."""


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
"""The beginnings of such lines, in the judge's languages."""
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
"""Words of people who give up their seat."""
_MAX_WORDS = 3


def plain_request(line: str) -> PlainRequest | None:
    """Return a line's request that is no order, or None."""
    words = [fold(word).rstrip(".,;:!?") for word in line.split(maxsplit=_MAX_WORDS)[:_MAX_WORDS]]
    beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((wish for each in beginnings if (wish := _requests().get(each))), None)


@cache
def _requests() -> dict[str, PlainRequest]:
    return {phrase: wish for wish, phrases in _PHRASES.items() for phrase in phrases}


class Topic(Enum):
    """The topic of a question in plain words."""

    DEADLINE = "deadline"
    PHASE = "phase"
    CHANGE = "change"
    """Can orders still be changed?"""
    SILENCE = "silence"
    """What becomes of a player who sends no orders in time?"""
    RECEIVED = "received"
    """Which orders have arrived?"""
    LATE = "late"
    MASTER = "master"
    PLAYERS = "players"
    PRICE = "price"
    """What does something cost?"""
    MONEY = "money"
    REACH = "reach"
    """What can a unit do?"""
    RULE = "rule"
    """What is something, how does it work?"""
    HOW = "how"
    """How is something ordered or done?"""


_ASKING = {
    Topic.RECEIVED: (
        r"(?:did|have|has) (?:you|the judge) (?:get|got|receive|received|seen?)\b",
        r"(?:are|were) my (?:orders|moves) (?:in|ok|okay|there|received|on file|valid|complete)\b",
        r"(?:what|which) (?:are|were) my (?:current )?(?:orders|moves)\b",
        r"did my (?:orders|moves|mail|message) (?:arrive|come|get)\b",
        r"am i (?:ready|done|complete|all set)\b|is (?:everything|all) (?:in|ok|okay|there)\b",
        r"(?:what|which orders?) (?:is|are|'s) (?:still )?missing\b|what have i forgotten\b"
        r"|is (?:any|some)thing (?:still )?missing\b",
        r"(?:recibiste|recibio|has recibido|ha recibido|han llegado|llegaron|te llegaron)\b",
        r"cuales son mis ordenes\b|que (?:me )?falta\b|(?:me )?falta algo\b",
        r"(?:hai|ha|avete) ricevuto\b|sono arrivat[ie]\b|quali sono i miei ordini\b"
        r"|(?:che )?cosa (?:mi )?manca\b|(?:mi )?manca qualcosa\b",
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
    Topic.SILENCE: (
        r"(?:what|will|do|does|would|are|is)\b.*\b(?:if|when)\b.*(?:\b(?:do|does|did|can|could|will)"
        r"(?:n't| not|nt)|\bcannot|\b(?:forget|fail) to|\bnever) (?:order|send|submit|write|answer"
        r"|retreat|reply|respond|move|play|give|get my|make it|do anything)\b",
        r"(?:what|will|do|does|would)\b.*\b(?:if|when)\b.*\b(?:(?:miss(?:es|ed)?|forgets?|forgot)"
        r" (?:the|a|my|this|to (?:order|send)|orders)\b|(?:am|is|are|being|arrives?|comes?)"
        r" (?:too )?late\b|(?:sends?|orders?|submits?|writes?|does|do) nothing\b|no orders?\b)",
        r"what\b.*\bwithout (?:any |my )?orders\b",
        r"que (?:me )?(?:pas|ocurr|suced)\w* .*\b(?:si|cuando)\b.*\bno (?:(?:me|te|le|se|os|les"
        r"|doy|da|dan|hago|hace) )?(?:orden|mand|envi|escrib|respond|contest|jueg|nada|lleg)\w*\b",
        r"que (?:me )?(?:pas|ocurr|suced)\w* .*\b(?:sin ordenes|lleg\w* tarde|(?:se )?me"
        r" (?:pas|olvid)\w*)\b",
        r"(?:cosa|che) (?:mi )?(?:succed|accad|capit)\w* .*\b(?:se|quando)\b.*\bnon (?:(?:ti|vi|le"
        r"|gli|si|do|da|faccio|fa) )?(?:ordin|mand|invi|scriv|rispond|gioc|null|nient|arriv)\w*\b",
        r"(?:cosa|che) (?:mi )?(?:succed|accad|capit)\w* .*\b(?:senza ordini|in ritardo|dimentic\w*"
        r"|(?:perd|salt|manc)\w* (?:la scadenza|il turno))\b",
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
    Topic.PRICE: (
        r"(?:what|how (?:much|many))\b.*\b(?:costs?|prices?)\b|how much (?:is|are|for)\b",
        r"(?:que|cual|cuales|cuant[oa]s?|a cuanto)\b.*\b(?:cuestan?|costar\w*|valen?|precios?"
        r"|costes?|sale)\b",
        r"(?:che|qual|quali|quant[oaie])\b.*\b(?:costan?o?|costare|costera\w*|valgono|vale|prezz[oi]"
        r"|viene)\b",
    ),
    Topic.MONEY: (
        r"how (?:many|much) (?:ducats|money|gold|(?:assassin\w* )?chits?)\b"
        r"|what is in my treasury\b|(?:which|what) (?:assassin\w* )?chits\b(?! (?:is|are)\b)",
        r"(?:cuant[oa]s?|que) (?:ducados|dinero|fichas)\b"
        r"|(?:quant[aoi]|che|quali) (?:ducati|denaro|soldi|segnalin[oi])\b",
    ),
    Topic.REACH: (
        r"(?:what|where) (?:can|could|may|might)\b.*\b(?:do|go|move|reach|attack)\b",
        r"(?:can|could|may) (?:my |the )?(?:a|f|g|army|fleet|garrison)\b.*\b(?:go|move|reach)\b",
        r"(?:que|adonde|a donde|donde|hasta donde) puede\b",
        r"(?:che cosa|cosa|dove|fin dove) puo\b",
    ),
    Topic.RULE: (
        r"what (?:is|are|does|do|happens)\b|what's\b",
        r"que (?:es|son|pasa|significa\w*)\b|en que consisten?\b",
        r"(?:che cos'e|cos'e|(?:che )?cosa (?:e|sono|succede|significa\w*))(?!\w)|che (?:e|sono)\b"
        r"|in che cosa consist\w*\b",
    ),
    Topic.HOW: (
        r"how (?:do|can|does|should|would|could|must) (?:i|we|one|you|a player)\b|how to\b"
        r"|how (?:do|does)\b.*\bwork\b"
        r"|(?:what|where|which\b.*) (?:can|could|may|should) (?:i|we) (?:build|recruit)\b",
        r"(?:que|donde|cual\w*)\b.* (?:puedo|podemos|se puede\w*) (?:constru\w+|reclut\w+)\b"
        r"|(?:che|cosa|dove|quali?)\b.* (?:posso|possiamo|si puo|si possono) (?:costru\w+"
        r"|reclut\w+)\b",
        r"como (?:se |puedo |podemos |hago |debo |hay que )?\w+|de que manera\b",
        r"come (?:(?:si |posso |possiamo |faccio |devo )\w+|funziona\w*\b)|in che modo\b",
    ),
    Topic.PHASE: (
        r"(?:what|which) (?:phase|turn|season|year)\b",
        r"(?:que|cual) (?:fase|turno|estacion|ano)\b|en que (?:fase|turno|estacion|ano)\b",
        r"(?:che|quale) (?:fase|turno|stagione|anno)\b|in (?:che|quale) (?:fase|turno|stagione)\b",
    ),
}
"""Topics by the words of questions; the first match counts."""

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
"""Deeds by their words in the judge's languages; the first found counts."""


_PRICED = {
    "militia": r"milit\w*|milici\w*|miliz\w*",
    "mercenary": r"mercenar\w*|elites?|scelt[aeio]",
    "professional": r"profes\w*",
    "cavalry": r"cavalry|caballeria|cavalleria",
    "a": r"famine|relief|hambruna|auxilio|carestia|soccorso",
    "b": r"pacif\w*|quell\w*|placa\w*",
    "c": r"counter-?\s?brib\w*|contrasoborn\w*|controcorruzion\w*",
    "jk": r"rebel\w*|revolts?|ribell\w*",
    "assassin": r"assass\w*|kill\w*|murder\w*|asesin\w*|matar|uccid\w*",
    "loan": r"loans?|borrow\w*|interest|prestamos?|intereses|prestit[oi]|interessi",
    "ei": r"buy\w*|compr\w*",
    "dgh": r"disband\w*|dis[ou]elv\w*|disolver|sciogl\w*",
    "f": r"autonom\w*",
    "defghi": r"brib\w*|sobor\w*|corru\w*|corromp\w*",
    "abcdefghijk": r"expenses?|gastos?|spese|spesa|everything|todo|tutto",
    "unit": r"arm(?:y|ies)|fleets?|garrisons?|units?|ejercitos?|flotas?|guarnicion(?:es)?"
    r"|unidad(?:es)?|armat[ae]|flott[ae]|guarnigion[ei]|unita|build\w*|constru\w*|costru\w*"
    r"|maint\w*|upkeep|mant\w*",
}
"""What has a price, by its words: units, the letters of expenses; the first found counts."""

_RULED = {
    "SIE": r"sieg\w*|besieg\w*|asedi\w*|sitiar|assedi\w*",
    "FAM": r"famines?|hambrunas?|carestia|carestie",
    "PLG": r"plagues?|peste",
    "STM": r"storms?|tormentas?|tempest[ae]",
    "REB": r"rebel\w*|revolts?|ribell\w*",
    "ASN": r"assass\w*|asesin\w*|chits?|fichas?|segnalin[oi]",
    "SPC": r"mercenar\w*|militia\w*|milici\w*|miliz\w*|profes\w*|special|especial\w*|special[ei]",
    "CNV": r"convert\w*|conver[sz]ion\w*",
    "BNK": r"bank\w*|banc[ao]|banche|loans?|prestamos?|prestit[oi]|gifts?|regalos?|doni|dono",
    "EXP": r"expenses?|brib\w*|gastos?|sobor\w*|spes[ae]|corruzion\w*",
    "INC": r"income\w*|ingresos|entrate",
    "ADJ": r"adjustment\w*|upkeep|maint\w*|ajustes?|mant\w*|aggiustament[oi]",
    "HOM": r"home|natal(?:es)?|origine",
    "ELI": r"eliminat\w*|eliminad\w*|eliminazion\w*",
    "VIC": r"victor\w*|win|wins|ganar?|vittoria|vincere|vince",
    "RAT": r"ratings?|clasificacion|classifica",
    "FOG": r"fog|niebla|nebbia|hidden|ocult\w*|nascost\w*",
    "MAP": r"straits?|forts?|fortress\w*|estrechos?|fortalezas?|strett[oi]|fortezz[ae]|venice",
    "CTL": r"control\w*",
    "SEQ": r"sequence|order of (?:play|events)|secuencia|sequenza",
    "MOV": r"supports?|convoys?|transports?|retreat\w*|dislodge\w*|apoyos?|convoyes|retirad\w*"
    r"|desaloj\w*|appogg\w*|convogli\w*|ritirat\w*|scacciat\w*|coasts?|costas?|cost[ae]",
}
"""The sections of the rules, by the words that people ask with; the first found counts."""

_CLAUSES = re.compile(r"(?:[,;]|\s(?:and|y|e|ed)\b)\s*(?=[¿\w])", re.IGNORECASE)


def questions_in(text: str) -> list[str]:
    """Return the questions that a sentence joins ("When is the deadline and who is late?").

    The sentence itself, unless several of its parts have a topic.
    """
    parts = [part for part in _CLAUSES.split(text) if topic_of(part) is not None]
    return parts if len(parts) > 1 else [text]


def priced_in(question: str) -> str:
    """Return what a question asks the price of, as ``_PRICED`` has it, or ""."""
    return _first(_PRICED, question)


def area_of(question: str) -> str:
    """Return the section of the rules that a question is about, or ""."""
    return _first(_RULED, question)


def topic_of(question: str) -> Topic | None:
    """Return a question's topic, or None if the judge cannot answer it."""
    plain = fold(question).lstrip("¿? ")
    return next((t for t, asks in _asking().items() if any(a.search(plain) for a in asks)), None)


def deed_of(question: str) -> str:
    """Return the deed that a person asks about, or ""."""
    return _first(_DOING, question)


def _first(named: Mapping[str, str], question: str) -> str:
    """The first name whose words stand in a question."""
    plain = fold(question)
    said = (name for name, words in named.items() if re.search(rf"\b(?:{words})\b", plain))
    return next(said, "")


@cache
def _asking() -> dict[Topic, tuple[re.Pattern[str], ...]]:
    return {
        topic: tuple(re.compile(rf"(?<!\w)(?:{each})") for each in asks)
        for topic, asks in _ASKING.items()
    }


class Mark(Enum):
    """The mark at a piece's beginning."""

    IF = "if"
    THEN = "then"
    ELSE_IF = "else if"
    ELSE = "else"
    END_IF = "endif"


@dataclass(frozen=True, slots=True)
class BranchPart:
    """A mark, or none, and its text, which begins at *column*."""

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
    """Return whether a line begins with a word of ``if … endif``."""
    return bool(_BEGINNING.match(fold(text))) and split_branches(text)[0].mark is not None


def is_talk(text: str) -> bool:
    """Return whether a line is a sentence such as "If you agree, I will come" and no condition."""
    marks = [piece.mark for piece in split_branches(text)]
    is_one = len(marks) == 1 or (marks[:2] == [Mark.THEN, Mark.IF] and text.rstrip().endswith("?"))
    return bool(_TALK.fullmatch(line_of(text).plain)) and is_one


def ends_branch(text: str) -> bool:
    """Return whether a line contains ``endif``."""
    return any(piece.mark is Mark.END_IF for piece in split_branches(text))


def split_branches(text: str) -> tuple[BranchPart, ...]:
    """Return the pieces of a line; marks do not count behind ``#`` or ``//``."""
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
