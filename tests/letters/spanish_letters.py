"""Messages in Spanish, each as the mail that one reader gets."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from machjudge.service.intake.tick import look_at_games
from machjudge.service.setup.forming import start
from tests.letters.clock_letters import text_of
from tests.service.house import House
from tests.service.letters_in import write
from tests.service.year import OPENING, SPRING, address_of, order, play

ANNA = "anna@player.example"


def _spanish(*options: str) -> House:
    house = House()
    house.start(options=options)
    write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE es")
    return house


def _language_set() -> str:
    house = House()
    house.start()
    return text_of(write(house, ANNA, "SIGNON Lborgia pwL", "SET IDIOMA español"), ANNA)


def _results() -> str:
    house = _spanish("nodice")
    play(house, OPENING)
    sent = play(house, SPRING)
    return text_of(sent, ANNA, "borgia, primavera")


def _receipt_with_errors() -> str:
    house = _spanish("nomoney")
    lines = ["A flo - psaa", "A are - rme", "A mil h", "A are", "F psa - pio (maybe)"]
    assert address_of(house, "L") == ANNA
    return text_of(order(house, "L", *lines), ANNA)


def _reminder() -> str:
    house = _spanish("nomoney")
    order(house, "L", "A flo h")
    look_at_games(house.services, house.later(days=6, hours=13))
    return text_of(house.mails_out(), ANNA)


def _started() -> str:
    house = _spanish()
    people = {each.id: replace(each, language="es") for each in house.store.tables.persons.values()}
    changes, _ = start(house.services, house.game(), people, house.now)
    (letter,) = [each for each in changes.letters if each.to == ANNA]
    return text_of([letter], ANNA)


SPANISH_LETTERS: Mapping[str, Callable[[], str]] = {
    "es_language_set": _language_set,
    "es_results": _results,
    "es_receipt_with_errors": _receipt_with_errors,
    "es_reminder": _reminder,
    "es_started": _started,
}
