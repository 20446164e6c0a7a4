"""The rules of a game in the lines of a listing: what is on, what is off, what wins."""

from collections.abc import Sequence

from machjudge.adjudicator.land.victory import cities_needed, homes_needed
from machjudge.adjudicator.model.dice import commitment
from machjudge.adjudicator.model.rules import BasicTest, HomesCounted, Level, Rules
from machjudge.sentence import Sentence


def rule_lines(rules: Rules, players: int, on: Sequence[str], off: Sequence[str]) -> Sentence:
    """What the flags say: those that are *on*, those that are *off*, and what wins."""
    return Sentence("rules.sheet", on=tuple(on), off=tuple(off), wins=victory_words(rules, players))


def victory_words(rules: Rules, players: int) -> Sentence:
    """What wins in a game of so many players: ``15 cities, 2 home countries``."""
    homes, cities = homes_needed(rules.victory), cities_needed(rules.victory, players)
    if rules.victory.level is Level.BASIC:
        whole = rules.victory.basic_test is BasicTest.PROVINCES_AND_ONE_OWN
        return Sentence("rules.wins_basic", cities=cities, with_provinces=whole)
    of_others = rules.victory.homes_counted is HomesCounted.OTHERS
    counted = max(0, homes - of_others)
    return Sentence("rules.wins", cities=cities, homes=counted, of_others=of_others)


def secret_lines(secret: bytes) -> tuple[str, ...]:
    """The secret itself in two lines of 32 signs, for the last mail of a game."""
    digits = secret.hex()
    half = len(digits) // 2
    return (f"  {digits[:half]}", f"  {digits[half:]}")


def commitment_lines(secret: bytes) -> tuple[str, ...]:
    """The SHA-256 of the secret in two lines of 32 signs, for the first mail of a game."""
    digest = commitment(secret)
    half = len(digest) // 2
    return (f"  {digest[:half]}", f"  {digest[half:]}")
