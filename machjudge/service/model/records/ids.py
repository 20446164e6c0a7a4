"""What people, games and mails are known by."""

from typing import NewType

PersonId = NewType("PersonId", str)
"""A random token that never changes, whatever addresses the person has."""

GameId = NewType("GameId", str)
"""A game's name in lower case; no two games have the same."""

MailId = NewType("MailId", int)
"""The number of a kept mail; a higher number was received later."""
