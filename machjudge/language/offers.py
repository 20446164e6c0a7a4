"""Read offers of agreements, and the answers to them, as people write them.

``Venice: 12 ducats FOR chit Ferrara UNTIL F1455M``: what the writer gives, what they ask, and how
long the offer stands; in the words of Spanish and Italian, too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Cede, GiveChit, Maintain, Order, Pay
from machjudge.language.lexicon import Lexicon
from machjudge.language.orders import read_order
from machjudge.language.words import ParseError, fold
from machjudge.translatable import Message


@dataclass(frozen=True, slots=True)
class VoteWords:
    """A vote for a draw, or for the game to go to a power, with the words that name the powers."""

    is_draw: bool
    powers: tuple[str, ...] = ()


PartWords: TypeAlias = Pay | GiveChit | Cede | Maintain | VoteWords
"""What a side does: an order of its own, a vote, or the upkeep of the other's unit."""


@dataclass(frozen=True, slots=True)
class OfferWords:
    """An offer as it was written."""

    to: PowerId
    gives: tuple[PartWords, ...]
    asks: tuple[PartWords, ...]
    until: str
    """The words of its end; empty if there are none."""


def _words(text: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(text, re.IGNORECASE).match


_UNTIL = re.compile(
    r"[\s,;]+(?:until|till|hasta(?: el| la)?|fino al?)\s+(?P<end>.+)$", re.IGNORECASE
)
_FOR = re.compile(
    r"(?:^|[\s,;:]+)(?:in exchange for|in return for|for|a cambio de|por|in cambio di|per)\s+",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*[,;&]\s*|\s+(?:and|y|e|ed|plus)\s+", re.IGNORECASE)
_NOTHING = re.compile(r"(?:nothing|nada|niente|nulla|none)?", re.IGNORECASE)
_TO = _words(r"(?:to|al?)\s+(?=\w)")
_GIVE = re.compile(
    r"^(?:(?:i|you|we|yo|tu|io)\s+)?(?:will\s+)?"
    r"(?:pays?|gives?|lend|pago|paga|pagas|paghi|doy|da|das|do|dai)\s+",
    re.IGNORECASE,
)
_RECEIVER = re.compile(r"\s+(?:to|a)\s+(?:you|me|us|ti|mi|te)$", re.IGNORECASE)
_CHIT = re.compile(
    r"\b(?:assassination\s+)?(?:chits?|fichas?|segnalin[oi])\b"
    r"(?:\s+(?:de\s+asesinato|di\s+assassinio)\b)?",
    re.IGNORECASE,
)
_AROUND_CHIT = re.compile(
    r"\b(?:the|an?|your|my|on|of|against|for|la|el|lo|il|tu|tuo|mio|su|mi|una?|sobre|contra|del?"
    r"|di|contro)\b",
    re.IGNORECASE,
)
_UPKEEP = _words(
    r"(?:the\s+|el\s+|il\s+)?(?:upkeep|maintenance|mantenimiento|mantenimento)\s+"
    r"(?:(?:of|for|de la|del|de|della|di)\s+)?"
)
_VOTES = _words(
    r"(?:(?:a|an|un|one|your|my)\s+)?(?P<votes>votes?|votos?)?\s*"
    r"(?:(?:for|to|por|per)\s+)?(?:(?:a|an|un|una)\s+)?"
    r"(?:(?P<draw>draw|empate|tablas|patta|pareggio)\b|(?P<concede>concede(?:\s+to)?|cedo a)\b)?"
    r"\s*(?:(?:with|of|among|for|con|entre|tra)\s+)?"
    r"(?P<who>(?:(?!\b(?:for|por|per|votes?|votos?)\b).)*)$"
)
_PROVINCE = re.compile(
    r"^(?:(?:cedes?|ceder|cedo)\s+)?(?:(?:the|la)\s+)?(?:(?:province|provincia)\s+(?:of|de|di)?\s*)?",
    re.IGNORECASE,
)


def read_offer(text: str, giver: PowerId, lexicon: Lexicon) -> OfferWords | Message:
    """Read an offer of *giver*, without the word that begins the line; or say what is wrong."""
    ends = _UNTIL.search(text)
    until = ends["end"].strip(" .") if ends is not None else ""
    text = (text[: ends.start()] if ends is not None else text).strip(" .")
    to = _TO(text)
    text = text[to.end() :] if to is not None else text
    name, colon, rest = text.partition(":")
    if not colon:
        name, _, rest = text.partition(" ")
    receiver = lexicon.power(fold(name.strip(" ,")))
    if not isinstance(receiver, str):
        return Message("language.offer.to_whom", name=name)
    return _both_sides(rest, giver, receiver, lexicon, until)


def _both_sides(
    rest: str, giver: PowerId, receiver: PowerId, lexicon: Lexicon, until: str
) -> OfferWords | Message:
    """Each "for" may stand between what is given and what is asked, or in a part of it."""
    wrong: Message | None = None
    for between in (*_FOR.finditer(rest), None):
        given = rest[: between.start()] if between is not None else rest
        asked = rest[between.end() :] if between is not None else ""
        gives = _read_parts(given, receiver, lexicon)
        asks = _read_parts(asked, giver, lexicon)
        if isinstance(gives, tuple) and isinstance(asks, tuple):
            if not gives and not asks:
                break
            return OfferWords(receiver, gives, asks, until)
        wrong = wrong or (gives if isinstance(gives, Message) else None)
        wrong = wrong or (asks if isinstance(asks, Message) else None)
    return wrong or Message("language.offer.empty")


def _read_parts(text: str, other: PowerId, lexicon: Lexicon) -> tuple[PartWords, ...] | Message:
    """Read what is given to *other*."""
    text = text.strip(" .,:;")
    if _NOTHING.fullmatch(text):
        return ()
    whole = _read_part(text, other, lexicon)
    if whole is not None:
        return (whole,)
    parts: list[PartWords] = []
    for piece in filter(None, _BETWEEN.split(text)):
        one = _read_part(piece, other, lexicon)
        if one is None:
            return Message("language.offer.unread", text=piece)
        parts.append(one)
    return tuple(parts)


def _read_part(text: str, other: PowerId, lexicon: Lexicon) -> PartWords | None:
    vote = _VOTES(text)
    if vote is not None and (vote["votes"] or vote["draw"] or vote["concede"]):
        said = VoteWords(bool(vote["draw"]), tuple(vote["who"].split()))
        return said if said.is_draw or said.powers else None
    plain, name = _RECEIVER.sub("", _GIVE.sub("", text)), lexicon.powers[other].name
    if plain[:1].isdecimal():
        order = _order(f"pay {plain} to {name}", lexicon, Stage.CAMPAIGN)
        return Pay(order.ducats, other) if isinstance(order, Pay) and order.ducats else None
    if _CHIT.search(plain):
        named = _AROUND_CHIT.sub(" ", _CHIT.sub(" ", plain)).split()
        victim = lexicon.power(fold(" ".join(named)))
        return GiveChit(victim, other) if isinstance(victim, str) else None
    upkeep = _UPKEEP(plain)
    if upkeep is not None:
        order = _order(f"maintain {plain[upkeep.end() :]}", lexicon, Stage.ADJUSTMENT)
        return order if isinstance(order, Maintain) else None
    place = _PROVINCE.sub("", plain)
    order = _order(f"cede {place} to {name}", lexicon, Stage.CAMPAIGN)
    return order if isinstance(order, Cede) and order.to == other else None


def _order(text: str, lexicon: Lexicon, stage: Stage) -> Order | None:
    parsed = read_order(text, lexicon, stage)
    said = parsed.said[0] if len(parsed.said) == 1 and not parsed.ignored else None
    return None if isinstance(said, ParseError) else said


# --- answers -----------------------------------------------------------------------------------

_THANKS = r"(?:[\s,.!]+(?:please|thanks|thank you|thx|cheers|gracias|grazie))*[\s.!]*"
_IT = (
    r"(?:\s+(?:it|this|that|(?:the|your|this|la tua|la sua|la|tu|su|esta|questa)\s+"
    r"(?:offer|agreement|oferta|offerta)|(?:el|tu)\s+acuerdo|l'\s*(?:offerta|accordo)"
    r"|offer|agreement|oferta|offerta))?(?:\s+#?\d{1,6})?"
)
_YES = (
    r"(?:(?:yes|ok|okay|si|sure|fine|agreed|deal|good|great|perfect|va bene|vale|bueno|bene"
    r"|de acuerdo|d'accordo|claro|certo)[\s,.!]+)*"
)
_ACCEPTS = re.compile(
    rf"{_YES}(?:(?:i|we|yo|io|la|lo)\s+|l')?(?:(?:hereby|gladly|happily|do)\s+)?"
    rf"(?:accept(?:s|ed)?|acept(?:o|amos|ado|ada)|accett(?:o|iamo|ato|ata)){_IT}{_THANKS}"
    rf"|{_YES}(?:the |your )?offer (?:is )?accepted{_THANKS}"
)
_NO = r"(?:(?:no|nope|sorry|wait|lo siento|espera|mi dispiace|aspetta)[\s,.!]+)*"
_DECLINES = re.compile(
    rf"(?:no|nope|no thanks|no,? thank you|no,? gracias|no,? grazie){_THANKS}"
    rf"|{_NO}(?:(?:i|we|la|lo|yo|io)\s+)?(?:decline|refuse|reject|withdraw"
    rf"|rechazo|rifiuto|declino|retiro|ritiro){_IT}{_THANKS}"
    rf"|{_NO}(?:(?:i|we)\s+)?(?:do not|don't|can ?not|can't|won't|will not)\s+accept{_IT}{_THANKS}"
    rf"|{_NO}(?:(?:yo|io)\s+)?(?:no|non)\s+(?:(?:la|lo)\s+|l')?(?:acepto|accetto){_IT}{_THANKS}"
)


def answer_to_offer(text: str) -> bool | None:
    """Return True if a line accepts an offer and says no more, False if it declines it.

    None for every other line: "I accept if you add 3 ducats" does neither.
    """
    plain = " ".join(fold(text).replace("’", "'").strip("¡¿ ").split())
    if _ACCEPTS.fullmatch(plain):
        return True
    return False if _DECLINES.fullmatch(plain) else None
