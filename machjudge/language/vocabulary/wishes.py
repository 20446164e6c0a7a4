"""What people write and ask in plain words instead of orders; none of it is carried out."""

import re
from enum import Enum
from functools import cache

from machjudge.language.vocabulary.words import fold


class Wish(Enum):
    """What is wished for."""

    TAKE_BACK = "take_back"
    """An order that was given is to count no more."""
    WAIT = "wait"
    """The phase is to wait for somebody."""
    AS_BEFORE = "as_before"
    """The orders of the last campaign are to be given again."""


_PHRASES = {
    Wish.TAKE_BACK: (
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
    Wish.WAIT: (
        "wait",
        "please wait",
        "espera",
        "esperad",
        "por favor espera",
        "aspetta",
        "aspettate",
        "per favore aspetta",
    ),
    Wish.AS_BEFORE: (
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
_MOST_WORDS = 3


def wish_of(line: str) -> Wish | None:
    """What a line wishes for that is no order; None if it begins otherwise."""
    words = [fold(word).rstrip(".,;:!?") for word in line.split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]]
    beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((wish for each in beginnings if (wish := _wishes().get(each))), None)


@cache
def _wishes() -> dict[str, Wish]:
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
