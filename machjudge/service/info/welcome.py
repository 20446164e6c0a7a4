"""The answer to somebody who writes for the first time, and has not heard of commands."""

from machjudge.letters.page.reply import Text
from machjudge.sentence import Sentence
from machjudge.service.info.listings import brief, may_list
from machjudge.service.model.records import Status
from machjudge.service.session.session import Session

_MOST_GAMES = 3


def give_welcome(session: Session) -> None:
    """Add what this is, how to join, the games with room and where help is to the answer."""
    services, uow = session.services, session.uow
    found = [game for game in uow.games.unfinished() if may_list(game, None)]
    phases = uow.phases.now(found)
    entries = [brief(services, uow, game, phases.get(game.id, "")) for game in found]
    forming = {game.name for game in found if game.status is Status.FORMING}
    room = [entry for entry in entries if entry.name in forming or entry.open]
    facts = {"games": sorted(room, key=lambda entry: entry.name not in forming)[:_MOST_GAMES]}
    lines = session.paper.lines("welcome", facts)
    session.answer.texts.append(Text(Sentence("info.title.welcome"), lines))
