"""What every letter begins and ends with: who writes, about which game, until when, to whom."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from machjudge.adjudicator.model.moments import Moment
from machjudge.letters.wording.catalogue import LANGUAGE
from machjudge.letters.wording.times import header_time
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording


def phase_name(words: Words, moment: Moment) -> Sentence:
    """``Spring 1454``, ``Spring 1454 retreats``: as subjects have it."""
    campaign = words.moment(moment).fields["campaign"]
    return Sentence(f"news.phase.{moment.stage.name.lower()}", campaign=campaign)


@dataclass(frozen=True, slots=True)
class Head:
    """The game as the two lines that begin with two colons have it; tools read them."""

    judge: str
    """The judge's code, such as ``MACH``."""
    game: str = ""
    """Empty in letters that are about no game."""
    variant: str = ""
    """The title of the scenario with its id."""
    phase: str = ""
    """The code of the phase that is being played, such as ``S1454M``; empty before and after."""
    deadline: datetime | None = None
    state: str = ""
    """What stands instead of a deadline: ``forming``, ``finished``."""
    ends: datetime | None = None
    """When the game ends for good, where it is won or its master has broken it off."""
    won: bool = False
    """Whether it ends because somebody has won."""
    next: Wording = ""
    """The phase in words: ``Spring 1454``."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with two colons: two of them in letters about a game, otherwise one."""
        if not self.game:
            return (f":: Judge: {self.judge}",)
        first = f":: Judge: {self.judge}  Game: {self.game}  Variant: {self.variant}"
        if self.ends is not None:
            return (first, f":: Deadline: none (ends {header_time(self.ends)})")
        if self.deadline is None:
            return (first, f":: Deadline: none ({self.state})")
        return (first, f":: Deadline: {self.phase} {header_time(self.deadline)}")

    @property
    def tag(self) -> str:
        """What subjects begin with: ``MACH:borgia - S1454M``."""
        if not self.game:
            return self.judge
        return f"{self.judge}:{self.game.lower()}" + (f" - {self.phase}" if self.phase else "")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a letter, and when."""

    name: str
    zone: tzinfo
    now: datetime
    language: str = LANGUAGE
    html: bool = True
    """Whether the letter has an HTML part beside its text."""
    pictures: bool = True
    """Whether that part shows maps."""
    json: bool = False
    """Whether results bring what happened as a JSON file, too."""

    def left(self, until: datetime) -> timedelta:
        """The time that is left; negative when it is over."""
        return until - self.now
