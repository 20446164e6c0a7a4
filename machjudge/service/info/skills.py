"""Skill ratings beside the names of people."""

from collections.abc import Collection, Mapping

from machjudge.sentence import Sentence
from machjudge.service.model.conduct import Ratings
from machjudge.service.model.ratings import Record, records_of
from machjudge.service.model.records import PersonId
from machjudge.service.session.session import Session


def skills_of(session: Session, people: Collection[PersonId]) -> Mapping[PersonId, Sentence]:
    """The skill ratings of those who have one: ``10-5.8`` (RAT-06)."""
    records = records_of(session.uow.games.finishes(people)) if people else {}
    return {person: _beside(records[person]) for person in people if person in records}


def _beside(records: Mapping[Ratings, Record]) -> Sentence:
    texts = {each.value: records[each].skill_text if each in records else "" for each in _RATED}
    return Sentence("info.stats.skill", **texts)


_RATED = (Ratings.BATTLELINE, Ratings.HOF)
