"""That somebody else was faster, or comes first."""

from machjudge.adjudicator.model.names import MachjudgeError


class MustWait(MachjudgeError):
    """An older mail that may be for the same game has not been handled."""


class Stale(MachjudgeError):
    """What was read has been changed by another transaction: start again."""
