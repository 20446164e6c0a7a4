"""How much somebody may do without a keeper's word: games made, seats taken, press sent.

Each line beyond it is refused with its reason; the rest of the mail is carried out.
"""

from collections.abc import Sequence

from machjudge.sentence import Sentence
from machjudge.service.model.allowances import DAY, HOUR
from machjudge.service.model.counts import Quota
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.session.session import Session


def no_more_games(session: Session) -> Sentence | None:
    """Use up one of the games that somebody may make; or say why there is none left."""
    most = session.services.judge.allowances.games_a_day
    if _take(session, _quotas(session, "games", most)):
        return None
    return Sentence("session.games_made", n=most)


def no_more_seats(session: Session) -> Sentence | None:
    """Use up one of the seats that somebody may take; or say why there is none left."""
    most = session.services.judge.allowances.seats_a_day
    if _take(session, _quotas(session, "seats", most)):
        return None
    return Sentence("session.seats_taken", n=most)


def no_more_observers(session: Session, game: Game) -> Sentence | None:
    """Why nobody else can watch a game; None if somebody can."""
    most = session.services.judge.allowances.observers
    watching = sum(seat.role is Role.OBSERVER for seat in game.seats)
    if not most or watching < most:
        return None
    return Sentence("session.observers_there", n=most)


def no_more_press(session: Session, game: Game, seat: Seat) -> Sentence | None:
    """Use up one of the texts that a seat may send; or say why there is none left."""
    most = session.services.judge.allowances.press_an_hour
    if _take(session, [Quota(f"press/{game.id}/{seat.number}", most, HOUR)]):
        return None
    return Sentence("session.press_sent", n=most)


def _quotas(session: Session, what: str, most: int) -> list[Quota]:
    """For a person with a proof; what waits for an answer is counted when that comes.

    So what others do under somebody's address uses up nothing of theirs.
    """
    person = session.person
    if person is None or not person.is_confirmed:
        return []
    return [Quota(f"{what}/person {person.id}", most, DAY)]


def _take(session: Session, quotas: Sequence[Quota]) -> bool:
    """Use them once more, unless one is used up; they are counted when the mail is written."""
    for quota in quotas:
        before = quota.used(session.uow.counts, session.now) + session.changes.used_up.count(
            (quota, session.now)
        )
        if quota.most and before >= quota.most:
            return False
    session.changes.used_up += [(quota, session.now) for quota in quotas]
    return True
