"""Greetings, closing formulas, names and agreement: the courtesies around orders.

A line is one if it begins with words of the lists below and goes on with a name at most. Accents,
capitals and punctuation make no difference, but where :func:`agrees` looks at what a word of
agreement stands for: who answers a question of the judge may take it back in the same line.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

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
_FILLERS: Final = """
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
dear, hi, hello, hey, hiya, howdy, good morning, good day, good evening, good afternoon, greetings,
salutations, hallo, guten morgen, guten tag, guten abend, sehr geehrte, sehr geehrter, lieber,
liebe, liebes, moin, servus, gruezi, gruss gott, gruss dich, ciao, salve, buongiorno, buon giorno,
buonasera, buona sera, caro, cara, cari, care, gentile, gentili, egregio, egregia,
spettabile, hola, buenos dias, buenas, buenas tardes, buenas noches, estimado, estimada,
estimados, querido, querida, queridos, bonjour, bonsoir, salut, coucou, cher, chere, chers,
cheres, beste, hoi, ola, bom dia, hej, kaere, kara, hei, czesc, witam,
"""
_OPENINGS: Final = """
hope you, hope all, hope this, i hope, we hope, trust you, here are, here come, here is, these are,
please find, please see, see below, see inline, find below, below are, my orders, my moves,
our orders, orders for, moves for, sorry,
apologies, as promised, siehe unten, vedi sotto, ver abajo,
mis ordenes, nuestras ordenes, ordenes para, ordenes de, aqui van, aqui estan, estas son mis,
i miei ordini, i nostri ordini, ordini per, ecco i miei, ecco gli ordini, questi sono i miei,
meine befehle, meine zuge, meine zuege, unsere befehle, hier sind, hier kommen,
mes ordres, nos ordres, voici mes
"""
_SURE: Final = """
yes, yep, yeah, sí, sì, ja, oui, sim, i confirm, i agree, that is me, that's me, that was me,
it is me, it's me, it was me, confirmo, lo confirmo, soy yo, fui yo, he sido yo,
confermo, lo confermo, sono io, sono stato io, sono stata io, ero io
"""
"""Words that agree to what the judge asks, whatever stands behind them."""
_LIGHT: Final = """
ok, okay, okey, confirm, confirmed, agreed, done, sure, of course, all right, alright, fine, great,
do it, please do, si, vale, confirmado, confirmada, claro, perfecto, de acuerdo,
confermato, confermata, certo, perfetto, bene, d'accordo, va bene
"""
"""Words that do so where nothing follows them but courtesies, or a stop."""
_ASSENTS: Final = f"""{_SURE},{_LIGHT},
perfect, got it, received, noted, understood, no problem, please, looks good, looks good to me,
looks fine, looks right, sounds good, that is fine, that's fine, as offered, as it stands,
as they stand, good to go, lgtm, approved, accepted, go ahead,
estoy de acuerdo, me parece bien, esta bien, todo bien, muy bien, adelante,
aceptado, hecho, recibido, mi va bene, va bene cosi, tutto bene, sta bene, sono d'accordo,
benissimo, accettato, fatto, ricevuto,
jawohl, bestatigt, bestaetigt, einverstanden, gut, je confirme, confirme
"""
"""Words that agree to lines which are offered."""
_MOST_CHARACTERS = 90
_MOST_NAMES = 4
_MOST_OF_TITLE = 7
_MOST_WORDS_BEHIND = 9
_LONGEST_PHRASE = 4
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*\.?")
_NO_PROSE = re.compile(r"[0-9=|#>@]")
_DASHED = re.compile(r" -+ ")
_ANNOUNCED = re.compile(r"\b(?:orders|moves) for\b[^:]*:\s*\S", re.IGNORECASE)
"""Orders behind a colon: "My orders for Venice: hold all"."""
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
"""Words between a salutation, thanks or a closing and the name of somebody."""
_MOST_OF_AGREEMENT = 25
_MOST_COURTEOUS, _MOST_SIGNED = 8, 2
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
"""What makes of a word of agreement something else."""
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
    """Whether a line is but a greeting, such as "Dear judge,"; "hello Lborgia x" is a signon."""
    openings = f"{_GREETINGS},{_OPENINGS}"
    words = _words(text, _first_words(openings))
    start = _longest(words, 0, _phrases(openings))
    if not start or _NO_PROSE.search(text) or _DASHED.search(text) or _ANNOUNCED.search(text):
        return False
    behind = len(words) - start
    return _are_names(words[start:]) or (
        text.rstrip()[-1] in ",:.!" and 0 < behind < _MOST_WORDS_BEHIND
    )


def is_heading(text: str) -> bool:
    """Whether a line but says whose or which orders stand below it: "My orders for Venice:"."""
    return _HEADING.fullmatch(text.strip()) is not None


def is_closing(text: str) -> bool:
    """Whether a line is but a closing formula or thanks, with or without a name behind it."""
    formulas = f"{_CLOSINGS},{_FAREWELLS}"
    words = _words(text, _first_words(f"{formulas},{_THANKS},{_FILLERS}"))
    if not words or _NO_PROSE.search(text):
        return False
    thanks, closings = _phrases(_THANKS), _phrases(formulas)
    known = thanks | closings | _phrases(_FILLERS)
    at = closes = thanked = 0
    while size := _longest(words, at, known):
        said = tuple(words[at : at + size])
        thanked += said in thanks
        closes += said in thanks | closings
        at += size
    if not closes:
        return False
    behind = words[at:]
    is_prose = thanked > 0 and len(behind) < _MOST_WORDS_BEHIND and not _DASHED.search(text)
    return _are_names(behind) or (is_prose and len(behind[0]) > 1)


def is_assent(text: str) -> bool:
    """Whether a line but agrees: "ok!", "Yes, confirmed. Thanks!"."""
    words = _words(text, _first_words(_ASSENTS))
    known = _phrases(_ASSENTS) | _phrases(_THANKS) | _phrases(_FILLERS)
    at = 0
    while size := _longest(words, at, known):
        at += size
    return bool(words) and at == len(words) and not _NO_PROSE.search(text)


def agrees(text: str) -> bool:
    """Whether somebody says yes in English, Spanish or Italian, and nothing that takes it back.

    This answers a question of the judge: more than the line may follow, "Yes, I want to play."
    """
    if takes_back(text) or len(text.split()) > _MOST_OF_AGREEMENT:
        return False
    if _IS_SURE.match(text):
        return True
    light = _IS_LIGHT.fullmatch(text.strip())
    if light is None:
        return False
    rest = _OBJECT.sub("", light["rest"] or "", count=1)
    ends = not rest.strip() or _STOP.match(rest) is not None
    return ends or is_bare_courtesy(rest) or agrees(rest)


def takes_back(text: str) -> bool:
    """Whether a line has a word that makes of agreement something else, or asks."""
    return _BUT.search(text) is not None


def is_bare_courtesy(text: str) -> bool:
    """Whether a line is a salutation, thanks or a closing, with a name, and says no more."""
    if takes_back(text) or any(map(str.isdigit, text)):
        return False
    words = _ANY_WORD.findall(text)
    known = _courteous()
    plain = [_plain(word) for word in words]
    names = [word for word, small in zip(words, plain, strict=True) if small not in known]
    begins = not words or plain[0] in known
    is_short = len(words) <= _MOST_COURTEOUS and len(names) <= _MOST_SIGNED
    return begins and is_short and all(word[0].isupper() for word in names)


def is_name(text: str, names: frozenset[str]) -> bool:
    """Whether a line is a name that begins or ends with one of *names*; see :func:`names_of`."""
    words = [word.strip(".") for word in _words(text)]
    if not 0 < len(words) <= _MOST_OF_TITLE or ":" in text or _NO_PROSE.search(text):
        return False
    return words[0] in names or (words[-1] in names and len(words) <= _MOST_NAMES)


def names_of(texts: Iterable[str]) -> frozenset[str]:
    """The words of names that are long enough to be told from abbreviations."""
    return frozenset(word for text in texts for word in _words(text) if len(word) >= _SHORTEST_NAME)


_SHORTEST_NAME = 3


def _words(text: str, first: frozenset[str] | None = None) -> list[str]:
    """The words of a short line in plain small letters; None if it begins with none of *first*."""
    if len(text) > _MOST_CHARACTERS:
        return []
    plain = _plain(text)
    begin = _WORD.search(plain)
    if begin is None or (first is not None and begin[0].rstrip(".") not in first):
        return []
    return [word.rstrip(".") for word in _WORD.findall(plain)]


def _plain(text: str) -> str:
    """Small letters without accents."""
    if text.isascii():
        return text.lower()
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
    """How many words from *at* on are one of the phrases; 0 if none is."""
    sizes = range(min(_LONGEST_PHRASE, len(words) - at), 0, -1)
    return next((size for size in sizes if tuple(words[at : at + size]) in known), 0)


def _are_names(words: Sequence[str]) -> bool:
    """Whether nothing stands there but a name or an initial; a letter in front is a unit's."""
    return len(words) <= 1 or (len(words) <= _MOST_NAMES and len(words[0]) > 1)
