"""What other judges know and this one does not: a sentence each about what there is instead."""

from collections.abc import Mapping

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
}
"""Settings of other judges, by the keys that the language has for them."""

COMMANDS: Mapping[str, str] = {
    "unstart": "a game that has begun cannot form again; ROLLBACK goes back to its first phase",
}
"""Commands of other judges, by their first word."""
