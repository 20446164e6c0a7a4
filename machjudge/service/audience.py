"""Who is meant by the words behind ``press to``: letters run together, names, or a mixture."""

from collections.abc import Sequence

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.scenario import Power, Scenario
from machjudge.language.commands import Audience
from machjudge.language.lexicon import lexicon_of
from machjudge.service.pressroom import seats_of
from machjudge.service.records import Game, Seat
from machjudge.service.registry import MASTER, OBSERVER

_WORDS = {
    "master": MASTER,
    "gm": MASTER,
    "observer": OBSERVER,
    "observers": OBSERVER,
}
_ALL = frozenset({"all", "everybody", "everyone"})
_FILLERS = frozenset({"and", "the", "to", ","})


def is_for_all(audience: Audience) -> bool:
    """Whether the message goes to everybody."""
    if audience.all_but:
        return not audience.names
    return all(name.lower() in _ALL for name in audience.names)


def readers(
    scenario: Scenario, game: Game, sender: Seat, audience: Audience
) -> tuple[Seat, ...] | str:
    """The seats that shall read, or the word that means nobody; never the sender's own."""
    letters: set[str] = set()
    for word in _words(audience.names):
        found = _letters(scenario, word)
        if found is None:
            return word
        letters.update(found)
    meant = {seat.number for seat in seats_of(game, sorted(letters))}
    return tuple(
        seat
        for seat in game.seats
        if seat.number != sender.number
        and seat.person is not None
        and (seat.number in meant) is not audience.all_but
    )


def powers_meant(scenario: Scenario, names: Sequence[str]) -> tuple[PowerId, ...] | str:
    """The powers that words mean, in the order of the scenario, or the word that means none.

    Empty words mean no power: the answer is an empty word.
    """
    found: set[str] = set()
    for word in _words(names):
        letters = _letters(scenario, word)
        if letters is None or not letters <= set(scenario.in_play):
            return word
        found.update(letters)
    return tuple(power for power in scenario.in_play if power in found) or ""


def _words(names: Sequence[str]) -> list[str]:
    words = [word for name in names for word in name.replace(",", " ").split()]
    return [word for word in words if word.lower() not in _FILLERS]


def _letters(scenario: Scenario, word: str) -> frozenset[str] | None:
    """The letters of the seats that a word means; nothing if it means none.

    An exact name comes first, then letters run together, then the beginning of a name; small
    letters are taken for the beginning of a name before they are taken one by one.
    """
    plain = word.lower()
    if plain in _WORDS:
        return frozenset({_WORDS[plain]})
    exact = [p.id for p in scenario.powers.values() if plain in _called(p)]
    if exact:
        return frozenset(exact)
    glued = frozenset(word.upper())
    if not glued <= {*scenario.in_play, MASTER, OBSERVER}:
        glued = frozenset()
    begun = lexicon_of(scenario).power(word)
    named = frozenset({begun}) if isinstance(begun, str) else frozenset()
    return (glued or named or None) if word.isupper() else (named or glued or None)


def _called(power: Power) -> set[str]:
    return {name.lower() for name in (power.name, power.adjective, *power.aliases)}
