"""Messages in other languages than English, each as the mail that one reader gets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from machjudge.service.intake.tick import look_at_games
from machjudge.service.setup.forming import start
from tests.letters.clock_letters import text_of
from tests.service.house import House
from tests.service.letters_in import write
from tests.service.year import OPENING, SPRING, address_of, order, play

ANNA = "anna@player.example"


def _reading(language: str, *options: str) -> House:
    """A game of which one player reads in a language."""
    house = House()
    house.start(options=options)
    write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {language}")
    return house


def _language_set(language: str) -> str:
    house = House()
    house.start()
    line = {"es": "SET IDIOMA español", "it": "SET LINGUA italiano"}[language]
    return text_of(write(house, ANNA, "SIGNON Lborgia pwL", line), ANNA)


def _results(language: str) -> str:
    house = _reading(language, "nodice")
    play(house, OPENING)
    sent = play(house, SPRING)
    return text_of(sent, ANNA, "borgia, primavera")


def _receipt_with_errors(language: str) -> str:
    house = _reading(language, "nomoney")
    lines = ["A flo - psaa", "A are - rme", "A mil h", "A are", "F psa - pio (maybe)"]
    assert address_of(house, "L") == ANNA
    return text_of(order(house, "L", *lines), ANNA)


def _reminder(language: str) -> str:
    house = _reading(language, "nomoney")
    order(house, "L", "A flo h")
    look_at_games(house.services, house.later(days=6, hours=13))
    return text_of(house.mails_out(), ANNA)


def _started(language: str) -> str:
    house = _reading(language)
    readers = house.store.tables.persons.values()
    people = {each.id: replace(each, language=language) for each in readers}
    changes, _ = start(house.services, house.game(), people, house.now)
    (letter,) = [each for each in changes.letters if each.to == ANNA]
    return text_of([letter], ANNA)


LANGUAGE_LETTERS: Mapping[str, Callable[[], str]] = {
    f"{language}_{name}": partial(letter, language)
    for language in ("es", "it")
    for name, letter in {
        "language_set": _language_set,
        "results": _results,
        "receipt_with_errors": _receipt_with_errors,
        "reminder": _reminder,
        "started": _started,
    }.items()
}
