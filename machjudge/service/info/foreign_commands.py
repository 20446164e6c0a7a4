"""What other judges know and this one does not: a sentence each about what there is instead."""

from collections.abc import Container, Mapping

from machjudge.language.vocabulary.words import fold

SETTINGS: Mapping[str, str] = {
    "moderated": "every game here has a master; a master who plays sees no orders of others",
    "access": "where somebody writes from does not count; SET ALLOW PLAYER and SET DENY PLAYER "
    "say who may join",
    "level": "players have no levels here; SET ONTIMERAT 80 asks for punctual ones",
    "dedication": "nobody has points here; SET ONTIMERAT 80 asks for punctual players, and "
    "INFO PLAYER shows how punctual somebody is",
    "rated": "games are not rated here; INFO PLAYER shows how punctual somebody is",
    "resume": "the master alone lets a game go on that is paused or terminated; RESUME takes a "
    "TERMINATE back for a week, until the secret of the dice goes out",
    "proxy": "nobody can give an order for another power's unit here",
    "powers": "how many powers there are follows from the scenario; GET INDEX names them",
    "notation": "answers have one notation here; GET SYNTAX shows all that is understood",
    "language": "there is one language here so far: English",
    "name": "a game keeps its name",
    "allow master": "PROMOTE and an address make an observer a co-master",
    "rating": "games are not rated here; INFO PLAYER shows how punctual somebody is",
    "foreign press": "there is no such kind of press here; HELP SET PRESS shows those there are",
    "foreign rule": "that is a rule of other games; HELP SET shows those of Machiavelli",
}
"""Settings of other judges, by the keys that the language has for them."""

_DRAW = "SET DRAW votes for a draw, SET CONCEDE V for somebody's victory; SET NODRAW takes it back"
_BEGIN = "FORCE BEGIN begins with the players that there are; the master sends it"
_PLAY = "PREVIEW shows what would happen and gives the line with PROCESS that plays the phase"
_JOIN = "to join a game that forms, write SIGNON ?game and a password of your own"
_LEAVE = "RESIGN gives up your seat; SIGNOFF ends a mail"
_END = "TERMINATE breaks a game off; the master sends it"
_TIME = "the master gives more time, with SET DEADLINE +24h; PRESS TO M asks for it"
_SEAT = "EJECT Venice takes a seat from its owner; whoever signs on to it then takes it over"
_UNDO = "CLEAR drops your orders, HISTORY ORDERS shows older sets, RESTORE 3 takes one again"
_FILED = "every answer shows your orders on file; HISTORY ORDERS shows older sets"
_READY = "READY says that your orders are meant as they stand; it is not needed otherwise"
_KEEPER = "that is done by the keeper of this judge, and not by mail"
_RECORDS = "INFO PLAYER and an address or a name shows how punctual somebody is"
QUESTION = "HELP shows all commands, LIST the games, GET GUIDE how a game goes"
"""The answer to a question in plain words."""
_ASKING = (
    "what",
    "how",
    "when",
    "where",
    "why",
    "which",
    "can",
    "could",
    "would",
    "should",
    "does",
)
"""With what questions begin, and nothing that may be an order."""
_WORDS = "no press begins above this line; PRESS TO V begins one, and BROADCAST one to all"

COMMANDS: Mapping[str, str] = {
    "unstart": "a game that has begun cannot form again; ROLLBACK goes back to its first phase",
    "endpress": _WORDS,
    "endbroadcast": _WORDS,
    "endpostal": "no postal press begins above this line; POSTAL PRESS begins one",
    "endpostalpress": "no postal press begins above this line; POSTAL PRESS begins one",
    "enddiary": "no entry begins above this line; DIARY begins one",
    "become master": "whoever creates a game is its master; PROMOTE makes others co-masters",
    "join": _JOIN,
    "enroll": _JOIN,
    "enter game": _JOIN,
    "takeover": "a seat without player is taken over by SIGNON Lgame and a password of your own",
    "quit": _LEAVE,
    "leave game": _LEAVE,
    "leave the game": _LEAVE,
    "abandon": _LEAVE,
    "leave": _LEAVE,
    "unsubscribe": _LEAVE,
    "subscribe": _JOIN,
    "vote": _DRAW,
    "draw": _DRAW,
    "nodraw": _DRAW,
    "concede": _DRAW,
    "concession": _DRAW,
    "surrender": _DRAW,
    "start game": _BEGIN,
    "start the game": _BEGIN,
    "begin game": _BEGIN,
    "begin the game": _BEGIN,
    "start": _BEGIN,
    "begin": _BEGIN,
    "adjudicate": _PLAY,
    "rollforward": _PLAY,
    "run": _PLAY,
    "undo": _UNDO,
    "revert": _UNDO,
    "orders": _FILED,
    "my orders": _FILED,
    "show orders": _FILED,
    "delete game": _END,
    "end game": _END,
    "kick": _SEAT,
    "dummy": _SEAT,
    "replace player": _SEAT,
    "invite": "SET ALLOW PLAYER and an address invite somebody; the master sends it",
    "extend": _TIME,
    "extension": _TIME,
    "delay": _TIME,
    "postpone": _TIME,
    "deadline": "LIST shows the deadline; the master sets another one with SET DEADLINE fri 20:00",
    "grace": "LIST shows how long the grace lasts; the master sets it with SET MOVES GRACE 72",
    "timing": "the master sets the clocks: SET MOVES NEXT 72 CLOCK 20:00 DAYS -MTWTF- GRACE 72",
    "password": "to change your password, write SET PASSWORD and the new one",
    "change password": "to change your password, write SET PASSWORD and the new one",
    "new password": "to change your password, write SET PASSWORD and the new one",
    "address": "to get the mails of this game elsewhere, write SET ADDRESS and the address",
    "change address": "to get the mails of this game elsewhere, write SET ADDRESS and the address",
    "email": "to get the mails of this game elsewhere, write SET ADDRESS and the address",
    "rename": "a game keeps its name; REGISTER with a line Name: changes yours",
    "name:": "REGISTER stands above such lines, and END below them",
    "variant": "SET SCENARIO 1385 chooses a scenario before the game begins; GET INDEX names all",
    "scenario": "SET SCENARIO 1385 chooses a scenario before the game begins; GET INDEX names all",
    "set-up": "GET SCENARIO 1454 shows how a game begins",
    "setup": "GET SCENARIO 1454 shows how a game begins",
    "adjust dedication": _KEEPER,
    "record": _KEEPER,
    "fixid": _KEEPER,
    "no control": _KEEPER,
    "dedication": _RECORDS,
    "rating": _RECORDS,
    "ratings": _RECORDS,
    **dict.fromkeys(_ASKING, QUESTION),
    "done": _READY,
    "submit": _READY,
    "finished": _READY,
    "finalize": _READY,
    "not ready": "SET WAIT makes the phase wait for its deadline",
    "unready": "SET WAIT makes the phase wait for its deadline",
    "unwait": "SET NOWAIT takes SET WAIT back",
    "no wait": "write SET NOWAIT",
    "not wait": "write SET NOWAIT",
    "don't wait": "write SET NOWAIT",
    "dont wait": "write SET NOWAIT",
}
"""Commands of other judges and old habits, by the words that they begin with."""

PRESS_COMMANDS = frozenset(
    {
        "tell",
        "message",
        "msg",
        "mail",
        "e-mail",
        "letter",
        "write to",
        "write",
        "send press",
        "send message",
        "partial press",
        "private press",
        "secret press",
        "grey press",
        "gray press",
        "white press",
        "anonymous press",
        "whisper",
        "announce",
        "postal",
    }
)
"""With what others begin a message; its lines are no orders here either."""

_PRESS = "to write to others, write PRESS TO V, your text, and ENDPRESS; BROADCAST writes to all"
_MOST_WORDS = 3


def explained(line: str) -> str | None:
    """What there is here instead of a command of another judge; none if the line is no such."""
    phrase = _phrase(line, COMMANDS)
    return COMMANDS[phrase] if phrase is not None else (_PRESS if begins_press(line) else None)


def begins_press(line: str) -> bool:
    """Whether a line begins a message in the words of another judge."""
    return _phrase(line, PRESS_COMMANDS) is not None


def _phrase(line: str, phrases: Container[str]) -> str | None:
    """The longest of the phrases with which a line begins."""
    words = [fold(word).rstrip(".,;!?") for word in line.split()[:_MOST_WORDS]]
    tried = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((phrase for phrase in tried if phrase in phrases), None)
