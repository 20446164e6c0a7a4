"""Why something that was read or written cannot stand, and mails that have to wait."""

from datetime import timedelta

from machjudge.adjudicator.names import MachjudgeError


class MustWait(MachjudgeError):
    """An older mail that may be for the same game has not been handled."""

    after = timedelta()
    """When to look again."""


class SenderNotKnownYet(MustWait):
    """Whoever could say whether a mail proves its sender has not answered."""

    after = timedelta(minutes=1)


class FollowsFailed(MustWait):
    """An older mail of the same proven writer for the same game has failed and is tried again."""

    after = timedelta(seconds=1)


class StoreTrouble(MachjudgeError):
    """The database does not do its work: no fault of the mail or the message in hand."""


class Stale(MachjudgeError):
    """What was read has been changed by another transaction: start again."""


class Vanished(Stale):
    """What is written refers to something that is not there, or not any more.

    If that is so again and again, it is a fault and nobody was faster.
    """
