"""Words that people write for the words of the grammar, beside those that the grammar lists itself.

They are read like the others, and taught as little as misspellings are: the judge answers in its
own words.  One that stands in a comment makes no order of it.
"""

import re
from collections.abc import Mapping, Sequence

from machjudge.adjudicator.model.moments import Stage

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
