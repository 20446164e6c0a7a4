"""Why a phase is not played yet, in the words that every message uses for it."""

from machjudge.sentence import Sentence


def flag_line(power: str) -> Sentence:
    """The error flag of a power, by its name."""
    return Sentence("delays.flag", power=power)


def flag_help(*, holds: bool) -> Sentence:
    """What clears the error flag; *holds* before the deadline, when the phase waits for that."""
    return Sentence("delays.flag_help", holds=holds)


def wait_line(power: str) -> Sentence:
    """The wish of a power to wait, by its name."""
    return Sentence("delays.wait", power=power)
