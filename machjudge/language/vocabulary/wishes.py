"""What people write in plain words instead of an order; none of it is carried out."""

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
