"""What a reader may see, decided here and nowhere else."""

from dataclasses import dataclass

from machjudge.adjudicator.names import PowerId


@dataclass(frozen=True, slots=True)
class Sight:
    """A reader by all his seats at a game: the powers that he leads, and whether he runs it."""

    powers: frozenset[PowerId] = frozenset()
    is_master: bool = False
    plays: bool = False

    def sees_orders_of(self, power: PowerId) -> bool:
        """Whether he may see orders before their phase is played.

        His own; all of them as a master who does not play himself.
        """
        return power in self.powers or (self.is_master and not self.plays)

    def sees_progress(self) -> bool:
        """Whether he may see before the deadline whose orders are complete."""
        return self.is_master
