"""Seasons, campaigns and phases, and their order (MOV-02)."""

from dataclasses import dataclass
from enum import Enum


class Season(Enum):
    """A season with a campaign; its letter is that of phase codes."""

    SPRING = "S"
    SUMMER = "U"
    FALL = "F"


class Stage(Enum):
    """The kind of a phase."""

    CAMPAIGN = "M"
    RETREATS = "R"
    ADJUSTMENT = "B"

    # That of all enumerations is made in Python each time.
    __hash__ = object.__hash__


_SEASONS = tuple(Season)
_STAGES = tuple(Stage)
_SEASON_OF = {season.value: season for season in Season}
_STAGE_OF = {stage.value: stage for stage in Stage}


@dataclass(frozen=True, slots=True)
class Campaign:
    """One campaign of one year, such as Spring 1454."""

    year: int
    season: Season

    @property
    def code(self) -> str:
        """Return ``S1454``."""
        return f"{self.season.value}{self.year}"

    def __lt__(self, other: "Campaign") -> bool:
        return (self.year, _SEASONS.index(self.season)) < (
            other.year,
            _SEASONS.index(other.season),
        )

    def years_later(self, years: int) -> "Campaign":
        """Return the same season some years later, as loans fall due (BNK-03)."""
        return Campaign(self.year + years, self.season)


@dataclass(frozen=True, slots=True)
class Moment:
    """One phase of the game, such as ``S1454M``."""

    campaign: Campaign
    stage: Stage

    @property
    def code(self) -> str:
        """Return ``S1454M``."""
        return self.campaign.code + self.stage.value

    @property
    def year(self) -> int:
        """Return the year of the campaign."""
        return self.campaign.year

    @property
    def season(self) -> Season:
        """Return the season of the campaign."""
        return self.campaign.season

    def __lt__(self, other: "Moment") -> bool:
        if self.campaign != other.campaign:
            return self.campaign < other.campaign
        return _STAGES.index(self.stage) < _STAGES.index(other.stage)


def read_campaign(code: str) -> Campaign | None:
    """Read ``S1454``; None if it is no campaign."""
    if not code[1:].isascii() or not code[1:].isdigit():
        return None
    season = _SEASON_OF.get(code[0])
    return Campaign(int(code[1:]), season) if season is not None else None


def read_moment(code: str) -> Moment | None:
    """Read ``S1454M``; None if it is no phase."""
    stage = _STAGE_OF.get(code[-1:])
    campaign = read_campaign(code[:-1])
    if stage is None or campaign is None:
        return None
    return Moment(campaign, stage)


def next_campaign(now: Campaign, *, summer: bool) -> Campaign:
    """Return the campaign after *now*; *summer* as the rules say (SET-02)."""
    if now.season is Season.FALL:
        return Campaign(now.year + 1, Season.SPRING)
    if now.season is Season.SPRING and summer:
        return Campaign(now.year, Season.SUMMER)
    return Campaign(now.year, Season.FALL)


def phase_after(now: Moment, *, dislodged: bool, summer: bool) -> Moment:
    """Return the next phase; *dislodged*: retreats are due after a campaign.

    After a Fall campaign comes the adjustment, then Spring of the next year.
    """
    match now.stage:
        case Stage.CAMPAIGN if dislodged:
            return Moment(now.campaign, Stage.RETREATS)
        case Stage.CAMPAIGN | Stage.RETREATS if now.season is Season.FALL:
            return Moment(now.campaign, Stage.ADJUSTMENT)
        case Stage.CAMPAIGN | Stage.RETREATS | Stage.ADJUSTMENT:
            return Moment(next_campaign(now.campaign, summer=summer), Stage.CAMPAIGN)
