"""Words that people write for the words of the grammar, beside those that the grammar lists itself.

They are read like the others, and taught as little as misspellings are: the judge answers in its
own words.  One that stands in a comment makes no order of it.
"""

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

OWN_LETTERS: Mapping[str, Mapping[str, str]] = {"es": {"e": "a"}}
"""By language the letters for kinds of units that are others than the usual ones."""
