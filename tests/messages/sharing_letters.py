"""The letters about dice that the players share."""

from collections.abc import Callable, Mapping

from machjudge.judge.mails import Outgoing
from tests.judge.letters_in import write
from tests.judge.setup.test_shared_dice import (
    GINA,
    PLAYERS,
    all_words,
    asked,
    forming,
    joined,
    say,
)

_LUCIA = "lucia@player.example"


def _to_lucia(letters: list[Outgoing], subject: str) -> str:
    (letter,) = [one for one in letters if one.to == _LUCIA and subject in one.subject]
    return f"To: {letter.to}\nSubject: {letter.subject}\n\n{letter.body}"


def _words_wanted() -> str:
    house = forming("SET DICE SHARED")
    return _to_lucia(joined(house, *PLAYERS), "random words")


def _started() -> str:
    return _to_lucia(all_words(asked()), "the game begins")


def _ended() -> str:
    house = asked()
    all_words(house)
    end = ("SIGNON Mborgia masterkey", "DECLARE VICTORY France")
    return _to_lucia(write(house, GINA, *end), "game over")


SHARING_LETTERS: Mapping[str, Callable[[], str]] = {
    "words_wanted": _words_wanted,
    "word_receipt": lambda: _to_lucia(say(asked(), "Lucia", "RANDOM tulip"), "Re:"),
    "words": lambda: _to_lucia(all_words(asked()), "the words of the players"),
    "started_with_shared_dice": _started,
    "game_over_with_shared_dice": _ended,
}
"""By the names of their golden files."""
