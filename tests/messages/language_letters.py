"""Messages in each language, each as the mail that one reader gets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from machjudge.judge.mails import Outgoing
from machjudge.judge.reminders import send_digests
from machjudge.judge.setup import start
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, ruled
from tests.judge.returned import HARD, come_back
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, address_of, order, play
from tests.messages.clock_letters import as_text, letter_of

ANNA = "anna@player.example"
LUCIA = "lucia@player.example"


@built_once
def _reading(language: str, *options: str) -> House:
    """A game of which one player reads in a language."""
    house = House()
    house.start(options=options)
    write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {language}")
    return house


def _language_set(language: str) -> Outgoing:
    house = House()
    house.start()
    line = {"es": "SET IDIOMA español", "it": "SET LINGUA italiano", "en": "SET LANGUAGE en"}
    return letter_of(write(house, ANNA, "SIGNON Lborgia pwL", line[language]), ANNA)


def _results(language: str) -> Outgoing:
    house = _reading(language, "nodice")
    play(house, OPENING)
    sent = play(house, SPRING)
    return letter_of(sent, ANNA, "Piombino")


def _receipt(language: str) -> Outgoing:
    """Of orders with money, by the names of the reader's language."""
    house = _reading(language, "nodice")
    play(house, OPENING)
    city = {"es": "Florencia", "it": "Firenze", "en": "Florence"}[language]
    money = ["borrow 10 ducats for 1 year", "expense 1: 12 ducats disband A bol"]
    return letter_of(order(house, "L", *money, f"A {city} - sie", "A are h"), ANNA)


def _receipt_with_errors(language: str) -> Outgoing:
    house = _reading(language, "nomoney")
    lines = ["A flo - psaa", "A are - rme", "A mil h", "A are", "F psa - pio (maybe)"]
    assert address_of(house, "L") == ANNA
    return letter_of(order(house, "L", *lines), ANNA)


def _reminder(language: str) -> Outgoing:
    house = _reading(language, "nomoney")
    order(house, "L", "A flo h")
    look_at_games(house.services, house.later(days=6, hours=13))
    return letter_of(house.mails_out(), ANNA)


def _out_of_reach(language: str) -> Outgoing:
    """To the master, who hears that messages to a player come back."""
    house = _reading(language)
    write(house, LUCIA, "SIGNON Mborgia masterkey", f"SET LANGUAGE {language}")
    house.change_settings(briefing_hours=0)
    come_back(house, ANNA, HARD)
    look_at_games(house.services, house.later(days=4))
    return letter_of(house.mails_out(), LUCIA)


def _briefing(language: str) -> Outgoing:
    """To the master, a day before a deadline for which two are missing."""
    house = ruled("nomoney")
    write(house, GINA, "SIGNON Mborgia masterkey", f"SET LANGUAGE {language}", "SET NMR HOLD")
    for power, lines in SPRING.items():
        if power not in "TV":
            order(house, power, *lines)
    come_back(house, address_of(house, "T"), HARD)
    house.mails_out()
    look_at_games(house.services, house.later(days=6))
    return letter_of(house.mails_out(), GINA)


def _undone(language: str) -> Outgoing:
    """To the master, who has set, corrected, ejected and paused."""
    house = ruled()
    write(house, GINA, "SIGNON Mborgia masterkey", f"SET LANGUAGE {language}")
    lines = ("SET PLAGUE", "FIX UNIT nobody A flo BECAUSE of a slip", "EJECT Turkey", _PAUSE)
    return letter_of(write(house, GINA, "SIGNON Mborgia masterkey", *lines), GINA)


_PAUSE = "PAUSE UNTIL 3 Dec 2026 20:00 BECAUSE I am away"


def _digest(language: str) -> Outgoing:
    """Press and results that have waited for seven in the morning."""
    house = _reading(language, "nodice")
    write(house, ANNA, "SIGNON Lborgia pwL", "SET NOTIFY DAILY")
    write(house, "marco@player.example", "SIGNON Vborgia pwV", "PRESS TO L", "Pace?", "ENDPRESS")
    play(house, OPENING)
    send_digests(house.services, house.later(days=1))
    return letter_of(house.mails_out(), ANNA)


def _newspaper(language: str) -> Outgoing:
    """Of the first year, with press."""
    house = _reading(language, "nodice")
    order(house, "L", "SET NEWSPAPER ON")
    play(house, OPENING)
    order(house, "V", "BROADCAST", "Pace?", "ENDPRESS")
    for orders in (SPRING, SUMMER):
        house.later(hours=1)
        play(house, orders)
    order(house, "P", "A per - spo")
    play(house, FALL)
    sent = [mail for power in "IVLPNTAF" for mail in order(house, power, "maintain all")]
    return next(mail for mail in sent if mail.to == ANNA and not mail.takes_token)


def _offer(language: str) -> Outgoing:
    """Of ducats for a vote, to the one who may accept it."""
    house = _reading(language, "nodice")
    play(house, OPENING)
    return letter_of(order(house, "V", "OFFER L: 5 ducats FOR vote draw"), ANNA)


def _started(language: str) -> Outgoing:
    house = _reading(language)
    readers = house.store.tables.persons.values()
    people = {each.id: replace(each, language=language) for each in readers}
    changes, _ = start(house.services, house.game(), people, house.now)
    (letter,) = [each for each in changes.messages if each.to == ANNA]
    return letter


KINDS: Mapping[str, Callable[[str], Outgoing]] = {
    "results": _results,
    "receipt": _receipt,
    "started": _started,
    "reminder": _reminder,
    "out_of_reach": _out_of_reach,
    "briefing": _briefing,
    "undone": _undone,
    "digest": _digest,
    "newspaper": _newspaper,
    "offer": _offer,
    "language_set": _language_set,
    "receipt_with_errors": _receipt_with_errors,
}
LANGUAGE_MESSAGES: Mapping[str, Callable[[], Outgoing]] = {
    f"{language}_{name}": partial(letter, language)
    for language in ("en", "es", "it")
    for name, letter in KINDS.items()
}


def _text_of(name: str) -> str:
    return as_text(LANGUAGE_MESSAGES[name]())


LANGUAGE_LETTERS: Mapping[str, Callable[[], str]] = {
    name: partial(_text_of, name) for name in LANGUAGE_MESSAGES
}
