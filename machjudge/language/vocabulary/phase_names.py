"""The name of a phase in words: ``S1455M``, ``spring 1455 movement``, ``fall of 1456, builds``."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from machjudge.adjudicator.model.moments import Campaign, Moment, Season, Stage, read_moment
from machjudge.language.vocabulary.words import fold

_SEASONS: Mapping[str, Season] = {
    "spring": Season.SPRING,
    "summer": Season.SUMMER,
    "u": Season.SUMMER,
    "fall": Season.FALL,
    "autumn": Season.FALL,
}
_STAGES: Mapping[str, Stage] = {
    "movement": Stage.CAMPAIGN,
    "moves": Stage.CAMPAIGN,
    "campaign": Stage.CAMPAIGN,
    "retreats": Stage.RETREATS,
    "builds": Stage.ADJUSTMENT,
    "adjustments": Stage.ADJUSTMENT,
}
Named = TypeVar("Named", Season, Stage)
_YEAR = re.compile(r"[0-9]{4}")
_FILLERS = frozenset({"of", "the", "phase", "season"})


def read_phase(words: Iterable[str]) -> Moment | None:
    """Read the name of a phase; the beginnings of its words suffice.

    :param words: season, year and kind of phase in any order, or one code.
    :returns: the phase, or nothing if the words are none, or not all of it.
    """
    said = [word for raw in words for word in [fold(raw).strip(",.;:")] if word]
    if len(said) == 1:
        return read_moment(said[0].upper())
    parts = [word for word in said if word not in _FILLERS]
    years = [word for word in parts if _YEAR.fullmatch(word)]
    others = [word for word in parts if not _YEAR.fullmatch(word)]
    if len(years) != 1 or len(others) != 2:  # noqa: PLR2004 (season and kind of phase)
        return None
    for season_word, stage_word in (others, others[::-1]):
        season, stage = _begun(season_word, _SEASONS), _begun(stage_word, _STAGES)
        if season is not None and stage is not None:
            return Moment(Campaign(int(years[0]), season), stage)
    return None


def read_campaign(words: Iterable[str]) -> Campaign | None:
    """Read the name of a campaign: ``S1456``, ``spring 1456``.

    :returns: the campaign, or nothing if the words are none, or not all of it.
    """
    said = [*words]
    found = read_phase([f"{said[0]}M"]) if len(said) == 1 else read_phase([*said, "movement"])
    return found.campaign if found is not None else None


def read_stage(words: Iterable[str]) -> Stage | None:
    """Read the name of a kind of phase: ``M``, ``move``, ``retreats``, ``builds``.

    :returns: the kind, or nothing if the words are none.
    """
    said = [word for raw in words for word in [fold(raw).strip(",.;:")] if word]
    parts = [word for word in said if word not in _FILLERS]
    return _begun(parts[0], _STAGES) if len(parts) == 1 else None


def _begun(word: str, names: Mapping[str, Named]) -> Named | None:
    """What a word or its beginning names; the first in the order of the table."""
    return next((meant for name, meant in names.items() if name.startswith(word)), None)
