"""That somebody else was faster."""

from machjudge.adjudicator.model.names import MachjudgeError


class Stale(MachjudgeError):
    """What was read has been changed by another transaction: start again."""
