"""The end of a game: its last mail, with everything that may be known now, and the secret."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from machjudge.adjudicator.names import PowerId
from machjudge.letters import tables
from machjudge.letters.head import Reader
from machjudge.letters.rulesheet import commitment_lines, secret_lines
from machjudge.letters.sight import Sight
from machjudge.letters.times import header_time
from machjudge.letters.words import Words, listed
from machjudge.service.diary import opened
from machjudge.service.ends import End, Ending
from machjudge.service.forming import player_lines
from machjudge.service.post import addressees, head_of, letter
from machjudge.service.postbag import postal_lines, published
from machjudge.service.records import Game, Notice, Outgoing, Role, Status
from machjudge.service.sharing import word_lines
from machjudge.service.situation import Situation
from machjudge.service.talk import Talk

_MOST_ACTS = 200
"""How many acts of the master the last mail names, the latest of them."""

_NO_ACTS = frozenset({"joined", "resigned", "ended"})
"""Kinds of notices that are no use of a master's power."""


def end_game(talk: Talk, end: End, winners: tuple[PowerId, ...], *, by_vote: bool = False) -> None:
    """End the game of a talk; tell everybody at it how, and what was hidden until now."""
    game, situation = talk.game, talk.situation()
    if game is None:
        return
    ending = Ending(end, winners, talk.now, by_vote=by_vote)
    finished = _finished(game, ending)
    told = outcome(Words(talk.desk.world(game)), ending)
    talk.set_game(finished)
    talk.note("ended", told)
    talk.answer.verdict.append(told)
    talk.done("The game is over; its last mail goes to everybody.")
    facts = {
        "outcome": told,
        "by_vote": by_vote,
        "postal": _postal(talk, finished, situation),
        **_facts(talk, finished, situation),
    }
    diaries = opened(talk, finished)
    talk.changes.letters += [
        replace(one, attachments=diaries) for one in _letters(talk, finished, situation, facts)
    ]


def _finished(game: Game, ending: Ending) -> Game:
    seats = tuple(replace(seat, draw=None, concede=None, waits=False) for seat in game.seats)
    return replace(game, status=Status.FINISHED, clock=None, ending=ending, seats=seats)


def _postal(talk: Talk, game: Game, situation: Situation | None) -> tuple[str, ...]:
    """The postal press that waited for results, which will not come any more."""
    waiting = situation.postal if situation is not None else ()
    if situation is not None and waiting:
        talk.changes.press += published(game, waiting, situation.phase.number, talk.now)
        talk.changes.torn += waiting
    return postal_lines(waiting)


def outcome(words: Words, ending: Ending) -> str:
    """How a game ended, in one sentence."""
    names = listed(words.power(power) for power in ending.winners)
    has = "has" if len(ending.winners) == 1 else "have together"
    match ending.end:
        case End.VICTORY:
            return f"{names} {has} won."
        case End.DRAW:
            return f"{names} share the win: the game is drawn."
        case End.CONCESSION:
            return f"{names} {has} won: all others have conceded."
        case End.TERMINATED:
            return "The master has broken the game off; nobody has won."


def _letters(
    talk: Talk, game: Game, situation: Situation | None, facts: Mapping[str, object]
) -> list[Outgoing]:
    return [
        letter(
            game,
            to.address,
            talk.desk.paper.page(
                "finished",
                {
                    **facts,
                    "reader": to.reader,
                    "acts": _acts(talk, game, to.reader),
                    "players": _players(game, situation, to.sight),
                },
            ),
        )
        for to in addressees(talk.desk, game, talk.people(game), talk.now)
    ]


def _facts(talk: Talk, game: Game, situation: Situation | None) -> Mapping[str, object]:
    """What everybody may know now; nothing to show where the game never began."""
    if situation is None:
        empty = ("units", "treasuries", "chits", "holdings", "secret", "commitment", "words")
        return {"head": head_of(talk.desk, game), **dict.fromkeys(empty, ())}
    words, state = Words(situation.world), situation.state
    return {
        "head": head_of(talk.desk, game, state.moment.code),
        "units": tables.board_units(words, state),
        "treasuries": tables.treasuries(words, state),
        "chits": tables.chits(words, state, words.world.scenario.in_play),
        "holdings": tables.holdings(words, state),
        "secret": secret_lines(game.secret),
        "commitment": commitment_lines(game.secret),
        "is_shared": game.shared is not None,
        "words": word_lines(game),
    }


def _players(game: Game, situation: Situation | None, sight: Sight) -> tuple[str, ...]:
    """Who led what, if that is told."""
    if situation is None or not sight.sees_people():
        return ()
    ended = replace(situation, game=game)
    return player_lines(Words(situation.world), ended, sight)


def _acts(talk: Talk, game: Game, reader: Reader) -> tuple[str, ...]:
    """What the master did with his powers, with the instants as the reader has them."""
    masters = {seat.person for seat in game.seats if seat.role is Role.MASTER} | {game.master}
    log = [*talk.uow.notices.all_of(game.id), *talk.changes.notices]
    acts = [each for each in log if each.by in masters and each.kind not in _NO_ACTS]
    return tuple(line for act in acts[-_MOST_ACTS:] for line in _act(act, reader))


def _act(act: Notice, reader: Reader) -> Iterator[str]:
    yield header_time(act.at.astimezone(reader.zone))
    yield f"  {act.text}"
