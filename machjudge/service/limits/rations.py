"""How many passwords one mail may have hashed: each takes time that other mails wait for."""

from dataclasses import dataclass

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.sentence import Sentence
from machjudge.service.ports.interfaces import Passwords

PASSWORDS_IN_A_MAIL = 8
"""Hashes for one mail.  A signon takes one, and up to three where signs stand around the word."""

TOO_MANY = Sentence("limits.passwords")


class TooManyPasswords(MachjudgeError):
    """A mail has used up its passwords."""


@dataclass(slots=True)
class Rationed:
    """The port `Passwords` for one mail.  Raises TooManyPasswords after the last one."""

    passwords: Passwords
    left: int = PASSWORDS_IN_A_MAIL

    def hash(self, password: str) -> str:
        """The hash to be stored."""
        self._use()
        return self.passwords.hash(password)

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Whether the password is the one."""
        self._use()
        return self.passwords.is_right(hashed, password)

    def remembers(self, hashed: str, password: str) -> bool:
        """Whether the password is known to be the one, which costs nothing."""
        return self.passwords.remembers(hashed, password)

    def _use(self) -> None:
        if not self.left:
            raise TooManyPasswords
        self.left -= 1
