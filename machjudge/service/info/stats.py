"""``stats``: ratings points of the judge, of a game, and of somebody (area RAT)."""

from collections.abc import Iterator, Mapping, Sequence

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.option_words import played_with
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.ending.ending import outcome
from machjudge.service.info.player_record import person_or_refuse
from machjudge.service.info.questions import game_meant, game_or_refuse, sight_at
from machjudge.service.model.conduct import Ratings
from machjudge.service.model.ends import End
from machjudge.service.model.ratings import (
    RatedGame,
    Record,
    Unrated,
    finish_of,
    places_of,
    players_of,
    points_text,
    records_of,
    why_unrated,
)
from machjudge.service.model.records import Game, PersonId
from machjudge.service.session.answered_mail import Work
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session

_MOST_PEOPLE = 20
"""How many people stand in a table of the judge, the best first."""
_JUDGE = frozenset({"all", "judge", "games", "of"})
"""Words behind ``stats`` that name neither a game nor a person."""
_UNPLACED = frozenset({Unrated.OFF, Unrated.BROKEN_OFF})
"""Why a game has no order of finishing."""


def stats(session: Session, line: Line, said: PlainCommand) -> None:
    """Tell of all games that are over; of one, or of somebody, who is named.

    What is both the name of a game and of somebody means the game; *player* in front of it tells.
    """
    session.work += Work.HISTORY
    first, *rest = [*said.words, ""]
    if _JUDGE.issuperset(word.lower() for word in said.words):
        _of_judge(session)
    elif first.lower() == "player" and any(rest):
        _of_person(session, line, " ".join(rest).strip())
    elif first.lower() == "game":
        name = " ".join(rest).strip()
        game = game_or_refuse(session, line, name, "STATS")
        if game is not None:
            _of_game(session, game)
    elif (game := game_meant(session, said.text)) is not None:
        _of_game(session, game)
    else:
        _of_person(session, line, said.text)


STATS = CommandEntry(
    "stats",
    ASKING,
    ANYBODY,
    Act.READ,
    stats,
    also=("ratings", "rating"),
    is_dry=True,
)


def _of_person(session: Session, line: Line, who: str) -> None:
    found = person_or_refuse(session, line, who)
    if found is None:
        return
    records = records_of(session.uow.games.finishes([found])).get(found, {})
    lines = [told for ratings in Ratings for told in _record(ratings, records.get(ratings))]
    title = Sentence("info.title.stats_of_player", who=who)
    session.answer.texts.append(Text(title, tuple(lines or [Sentence("info.stats.nothing")])))


def _record(ratings: Ratings, record: Record | None) -> Iterator[Sentence]:
    """What somebody has reached, and how often each place."""
    if record is None:
        return
    yield Sentence(
        "info.stats.record",
        ratings=ratings.value,
        skill=record.skill_text,
        points=points_text(record.points),
        games=record.games,
    )
    for (first, last), (times, points) in sorted(record.places.items()):
        yield Sentence(
            "info.stats.place",
            place=_place_text(first, last),
            times=times,
            points=points_text(points),
        )


def _place_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


# --- a game ----------------------------------------------------------------------------------


def _of_game(session: Session, game: Game) -> None:
    title = Sentence("info.title.stats_of_game", game=game.name)
    session.answer.texts.append(Text(title, tuple(_game_lines(session, game))))


def _game_lines(session: Session, game: Game) -> Iterator[Wording]:
    ending, number = game.ending, game.position
    found = session.uow.phases.holdings(game.id, number) if number is not None else ()
    finish = finish_of(game, found)
    if ending is None or finish is None:
        rated = played_with("ratings", game.conduct.ratings)
        yield Sentence("info.stats.not_over", rated=rated)
        return
    words, why = Words(session.services.world(game)), why_unrated(finish)
    yield outcome(words, ending)
    if why not in _UNPLACED:
        names = _names(session, game)
        yield from _powers(words, finish, names)
        if any(len(player.powers) > 1 for player in players_of(finish)):
            yield from _players(words, finish, names)
    if why is not None:
        yield Sentence(f"info.stats.unrated.{why.value}")


def _names(session: Session, game: Game) -> Mapping[PersonId, str]:
    """The names of those at the game, if the writer may know who led what."""
    if not sight_at(session, game).sees_people():
        return {}
    return {person.id: person.name for person in session.people(game).values()}


def _powers(words: Words, finish: RatedGame, names: Mapping[PersonId, str]) -> Iterator[Sentence]:
    leaders = {p: seat.person for seat in finish.seats if seat.person for p in seat.powers}
    for power, place in places_of(finish).items():
        yield Sentence(
            "info.stats.power",
            place=_place_text(place.first, place.last),
            power=words.power(power),
            cities=finish.cities[power],
            points=points_text(place.points),
            name=names.get(leaders[power], "") if power in leaders else "",
        )


def _players(words: Words, finish: RatedGame, names: Mapping[PersonId, str]) -> Iterator[Sentence]:
    """Those who led several powers count by the points of all of them (RAT-05)."""
    for player in players_of(finish):
        yield Sentence(
            "info.stats.player",
            place=_place_text(player.place.first, player.place.last),
            powers=tuple(map(words.power, player.powers)),
            name=names.get(player.person, "") if player.person else "",
            total=points_text(player.total),
            points=points_text(player.place.points),
        )


# --- the judge -------------------------------------------------------------------------------


def _of_judge(session: Session) -> None:
    ends = session.uow.games.ends()
    finishes = session.uow.games.finishes()
    counted = sum(why_unrated(finish) is None for finish in finishes)
    lines: list[Wording] = [
        Sentence(
            "info.stats.over",
            total=sum(ends.values()),
            victories=ends.get(End.VICTORY, 0),
            draws=ends.get(End.DRAW, 0),
            concessions=ends.get(End.CONCESSION, 0),
            terminated=ends.get(End.TERMINATED, 0),
        ),
        Sentence("info.stats.counted", n=counted) if counted else Sentence("info.stats.nothing"),
    ]
    records = records_of(finishes)
    for ratings in Ratings:
        ranked = _best_first(records, ratings)
        if ranked:
            lines += ["", Sentence(f"info.stats.title_{ratings.value}")]
            lines += _table(session, ranked)
    session.answer.texts.append(Text(Sentence("info.title.stats"), tuple(lines)))


def _best_first(
    records: Mapping[PersonId, Mapping[Ratings, Record]], ratings: Ratings
) -> Sequence[tuple[PersonId, Record]]:
    """By skill, then by games; the rest is left to chance by the tokens of people."""
    found = [(who, own[ratings]) for who, own in records.items() if ratings in own]
    return sorted(found, key=lambda each: (-each[1].skill, -each[1].games, each[0]))


def _table(session: Session, ranked: Sequence[tuple[PersonId, Record]]) -> Iterator[Sentence]:
    shown = ranked[:_MOST_PEOPLE]
    people = session.uow.persons.of([who for who, _ in shown])
    for who, record in shown:
        if who in people:
            yield Sentence("info.stats.person", skill=record.skill_text, name=people[who].name)
    if len(ranked) > len(shown):
        yield Sentence("info.stats.more", n=len(ranked) - len(shown))
