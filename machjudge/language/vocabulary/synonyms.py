"""Words that people write for the words of the grammar, beside those that the grammar lists itself.

They are read like the others, and taught as little as misspellings are: the judge answers in its
own words.  One that stands in a comment makes no order of it.
"""

import re
from collections.abc import Mapping

_BY_CLASS: Mapping[str, str] = {
    "ARMY": "ejercito esercito armata",
    "FLEET": "flota flotta",
    "GARRISON": "guarnicion guarnigione",
    "HOLD": "holding standing staying remain remains defend defends waits",
    "MOVES": "moving going march marches marching attack attacks attacking enter enters invade"
    " invades occupy occupies capture captures sail sails",
    "ALLY": "allied",
    "VIA": "through thru",
    "SUPPORT": "sup sups supp supporting",
    "TRANSPORT": "transporting convoying carries carry",
    "C": "conv",
    "CONVERT": "converting become becomes",
    "BESIEGE": "besieging beseiging",
    "DISBAND": "disbanding disbanded destroy destroyed",
    "BUILD": "new recruit recruits",
    "REMOVE": "removed dismiss drop",
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

_UNREAD: Mapping[str, str] = {
    "give": "dar doy damos dare diamo",
    "pay": "pagar pago paga pagamos pagare paghiamo",
    "cede": "ceder cedo cedere",
    "burn": "quemar quemo bruciare brucio",
    "permit": "permitir permito permettere permetto",
    "build": "construir construye construyo costruire costruisce costruisco costruisci",
    "remove": "retirar retira retiro quitar quita quito rimuovere rimuove rimuovo rimuovi",
    "maintain": "mantener mantengo mantenere",
    "hold": "mantiene defiende aguanta resta difende",
    "support": "apoyar apoya apoyo appoggiare appoggia appoggio",
    "transport": "transportar transporta trasportare trasporta",
    "besiege": "asediar asedia sitiar sitia assediare assedia",
    "convert": "convertir convierte convertire converte",
    "disband": "disolver disuelve sciogliere scioglie",
    "ducats": "ducado ducados ducato ducati",
}
"""Words of other languages that are no order here, by what they mean."""

UNREAD: Mapping[str, str] = {
    word: meant for meant, words in _UNREAD.items() for word in words.split()
}
"""Word of another language -> what to write instead."""

UNREAD_TO = re.compile(r" (?:a|al|ai|alla) ", re.IGNORECASE)
"""To, in these languages; ``a`` is an army, too."""

OWN_LETTERS: Mapping[str, Mapping[str, str]] = {"es": {"e": "a"}}
"""By language the letters for kinds of units that are others than the usual ones."""
