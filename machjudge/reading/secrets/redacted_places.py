"""What stands in the place of a secret."""

from typing import Final

REDACTED: Final = "********"
