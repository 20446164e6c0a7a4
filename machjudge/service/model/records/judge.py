"""Who the judge is."""

from dataclasses import dataclass, field

from machjudge.service.model.allowances import Allowances


@dataclass(frozen=True, slots=True)
class Judge:
    """Who this judge is in its mails."""

    code: str
    address: str
    keeper: str | None
    """The address of the judge keeper."""
    version: str
    zone: str = "UTC"
    """The time zone for people who are not registered."""
    max_lines: int = field(default=1000)
    """How many lines of a mail are read at most."""
    allowances: Allowances = field(default_factory=Allowances)
    """How much people may do."""
    confirm: bool = True
    """Whether an address counts only after somebody has answered from it."""
