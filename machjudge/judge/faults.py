"""Errors: changed data, database failures, and mails that have to wait."""

from datetime import timedelta

from machjudge.adjudicator.names import MachjudgeError


class MustWait(MachjudgeError):
    """An older mail that may be for the same game has not been handled."""

    after = timedelta()


class SenderNotKnownYet(MustWait):
    """The check whether a mail proves its sender has no result yet."""

    after = timedelta(minutes=1)


class FollowsFailed(MustWait):
    """An older mail of the same proven writer for the same game has failed and is tried again."""

    after = timedelta(seconds=1)


class StoreTrouble(MachjudgeError):
    """The database does not work: no fault of the current mail or message."""


class Stale(MachjudgeError):
    """What was read has been changed by another transaction: start again."""


class Vanished(Stale):
    """What is written refers to something missing; if repeatedly, it is no conflict."""
