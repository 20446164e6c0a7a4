"""Telling everybody at a game that something has changed."""

from collections.abc import Collection, Sequence

from machjudge.service.post import addressees, head_of, letter
from machjudge.service.records import Game, Outgoing
from machjudge.service.talk import Talk


def announce(
    talk: Talk,
    game: Game,
    subject: str,
    lines: Sequence[str],
    only: Collection[str] | None = None,
) -> None:
    """Tell everybody at the game, or some addresses, except the speaker, who gets the answer."""
    own = talk.seat.address if talk.seat is not None else ""
    for outgoing in announcements(talk, game, subject, lines):
        if outgoing.to != own and (only is None or outgoing.to in only):
            talk.send(outgoing)


def announcements(talk: Talk, game: Game, subject: str, lines: Sequence[str]) -> list[Outgoing]:
    """A letter to each address at the game."""
    situation = talk.situation()
    phase = situation.state.moment.code if situation is not None else ""
    facts = {"head": head_of(talk.desk, game, phase), "subject": subject, "lines": lines}
    return [
        letter(
            game, to.address, talk.desk.paper.page("announcement", {**facts, "reader": to.reader})
        )
        for to in addressees(talk.desk, game, talk.people(game), talk.now)
    ]
