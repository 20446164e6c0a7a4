"""The newspaper of a year in a game: results, press, map and graphs that everybody may see.

It goes to those who want it when the year is over, without the code of a seat, so that they can
pass it on; anybody may ask for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.moments import Stage
from machjudge.judge.changes import Changes
from machjudge.judge.game_view import people_of, reader_of, zone_of
from machjudge.judge.mail_context import MailContext, Work
from machjudge.judge.mails import Attachment, Outgoing
from machjudge.judge.outgoing import Addressee, addressees, game_message, head_of, sight_of
from machjudge.judge.pages import (
    GameCourse,
    ReadPress,
    TurnShown,
    course_along,
    facts_of,
    line_of_phases,
    line_to,
    press_for,
)
from machjudge.judge.pictures import pictures_of_scene
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.questions import game_meant, stored_game_or_refuse
from machjudge.judge.records import Game, Status, StoredPhase
from machjudge.mail_parser.lines import Line
from machjudge.messages.render import File, Reader, Text
from machjudge.translatable import Message

HTML = "; ".join(("text/html", "charset=utf-8"))
_MAX = 3
"""Newspapers per answer."""


@dataclass(frozen=True, slots=True)
class _Growth:
    """A power's cities at the end of a year, and at its beginning."""

    power: str
    name: str
    cities: int
    before: int


@dataclass(frozen=True, slots=True)
class Newspaper:
    """A year of a game as everybody may see it, as far as it has been played."""

    course: GameCourse
    """The turns from the opening to the last of the year."""
    year: int
    turns: tuple[TurnShown, ...]
    """The turns of the year."""
    press: tuple[ReadPress, ...]
    """What was written to everybody in it, oldest first."""

    def page(self, services: Services, language: str) -> Attachment:
        """The newspaper as a page in one file, with map and graphs, in the judge's time zone."""
        reader = replace(reader_of(services, None, self.turns[-1].at), language=language)
        facts = {**facts_of(services, self.course, last_only=True), **self._facts(reader)}
        page = services.renderer.document("newspaper", facts)
        return Attachment(_file_name(self.course.game, self.year), HTML, page.encode())

    def message(self, services: Services, to: Addressee, page: Attachment) -> Outgoing:
        """The newspaper as a message with its page, without a code."""
        reader = replace(to.reader, zone=zone_of(services, None))
        game, words = self.course.game, self.course.words
        scene = self.turns[-1].scene
        facts = {
            "head": head_of(services, game, "" if game.clock is None else scene.state.moment.code),
            "pictures": pictures_of_scene(services, words, scene, ()) if reader.pictures else (),
            **self._facts(reader),
        }
        sent = game_message(
            game, to.address, services.renderer.page("newspaper", facts), may_wait=True
        )
        return replace(sent, attachments=(*sent.attachments, page), takes_token=False)

    def _facts(self, reader: Reader) -> Mapping[str, object]:
        return {
            "reader": reader,
            "game": self.course.game,
            "year": self.year,
            "year_turns": self.turns,
            "press": self.press,
            "growth": self._growth(),
            "file": _file_name(self.course.game, self.year),
        }

    def _growth(self) -> Sequence[_Growth]:
        """How each power fared, the largest first."""
        turns = self.course.turns
        began = turns[max(0, turns.index(self.turns[0]) - 1)].standing
        grown = (
            _Growth(now.power, now.name, now.cities, was.cities)
            for was, now in zip(began, self.turns[-1].standing, strict=True)
        )
        return sorted(grown, key=lambda one: (-one.cities, one.name))


def _file_name(game: Game, year: int) -> str:
    return f"{game.id}-{year}.html"


def years_of(phases: Iterable[StoredPhase]) -> tuple[int, ...]:
    """Return the years in which campaigns were played, oldest first."""
    moments = [phase.before.moment for phase in phases if phase.parent is not None]
    years = (each.campaign.year for each in moments if each.stage is Stage.CAMPAIGN)
    return tuple(dict.fromkeys(years))


def newspaper_of(
    services: Services, uow: UnitOfWork, game: Game, phases: Sequence[StoredPhase], year: int
) -> Newspaper:
    """Return the newspaper of one of `years_of`, with what came before the first of them."""
    sight = sight_of(game, [])
    whole = course_along(services, uow, game, sight, phases)
    opening, *played = whole.turns
    before = max((each for each in years_of(phases) if each < year), default=0)
    until = [turn for turn in played if _year_of(turn) <= year]
    own = tuple(turn for turn in until if _year_of(turn) > before)
    began = max((turn.at for turn in until if turn not in own), default=None)
    ended = own[-1].at if until != played or game.status is not Status.FINISHED else None
    press = tuple(
        each
        for each in press_for(uow, game, whole.words, sight)
        if (began is None or each.at >= began) and (ended is None or each.at < ended)
    )
    return Newspaper(replace(whole, turns=(opening, *until)), year, own, press)


def _year_of(turn: TurnShown) -> int:
    return int(turn.code[1:5])


def newspapers(
    services: Services, uow: UnitOfWork, changes: Changes, now: datetime
) -> list[Outgoing]:
    """Return the newspapers of the years that end with *changes*, for those who want them."""
    game = changes.game
    if game is None or changes.read is None:
        return []
    years = {
        stored.before.moment.campaign.year
        for stored, _ in changes.phases
        if stored.parent is not None
        and stored.before.moment.campaign.year < stored.after.moment.campaign.year
    }
    is_over = game.status is Status.FINISHED and changes.read.status is not Status.FINISHED
    if not (years or is_over):
        return []
    wanted = {seat.address for seat in game.seats if seat.wishes.newspaper}
    if not wanted:
        return []
    fresh = (stored for stored, _ in changes.phases)
    phases = line_to(game.position, (*uow.phases.all_of(game.id), *fresh))
    if is_over and phases:
        years |= {phases[-1].after.moment.campaign.year}
    people = {**people_of(uow, game), **changes.persons}
    readers = [to for to in addressees(services, game, people, now) if to.address in wanted]
    messages: list[Outgoing] = []
    for year in sorted(years & set(years_of(phases))):
        paper = newspaper_of(services, uow, game, phases, year)
        pages = {
            each: paper.page(services, each) for each in {to.reader.language for to in readers}
        }
        messages += (paper.message(services, to, pages[to.reader.language]) for to in readers)
    return messages


def send_newspaper(context: MailContext, line: Line, rest: str) -> None:
    """Send the newspaper of a year, the last one that is over if none is named."""
    words = rest.split()
    years = [word for word in words if word.isdecimal() and game_meant(context, word) is None]
    wanted = " ".join(word for word in words if word not in years)
    stored = stored_game_or_refuse(context, line, wanted, "GET NEWSPAPER")
    if stored is None:
        return
    phases = line_of_phases(context.uow, stored)
    there = years_of(phases)
    if not there:
        context.refuse(line, Message("info.not_begun"))
        return
    is_on = stored.status is not Status.FINISHED and phases[-1].after.moment.campaign.year
    over = tuple(year for year in there if year != is_on)
    year = int(years[0]) if years and len(years[0]) == _DIGITS else (over or there)[-1]
    if (years and len(years[0]) != _DIGITS) or year not in there:
        known = tuple(map(str, there))
        context.refuse(line, Message("newspaper.no_year", years=known), instead=_line(stored, over))
        return
    sent, name = [each.name for each in context.answer.files], _file_name(stored, year)
    if name not in sent:
        if len([each for each in sent if each.endswith(".html")]) >= _MAX:
            context.refuse(line, Message("newspaper.enough", most=_MAX))
            return
        context.progress.work += Work.REPLAY
        paper = newspaper_of(context.services, context.uow, stored, phases, year)
        page = paper.page(context.services, context.renderer.language)
        context.answer.files.append(File(name, page.media_type, page.content))
    message = Message("newspaper.sent", file=name, is_open=year == is_on)
    title = Message("newspaper.title", game=stored.name, year=year)
    context.answer.texts.append(Text(title, (message,)))


_DIGITS = 4


def _line(game: Game, over: Sequence[int]) -> str:
    words = ("GET NEWSPAPER", game.name, *(str(year) for year in over[-1:]))
    return " ".join(words)
