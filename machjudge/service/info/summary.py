"""``summary``: a game by years."""

from collections.abc import Mapping, Sequence

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.model.moments import Stage
from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page import chart
from machjudge.letters.page.chart import Year
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.ending.ending import outcome
from machjudge.service.game.view import zone_of
from machjudge.service.info.listings import broken_off
from machjudge.service.info.questions import game_or_refuse, sight_at
from machjudge.service.info.time_span import (
    EVERYTHING,
)
from machjudge.service.model.records import Game, StoredPhase
from machjudge.service.pages.turns import line_of_phases
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.press.press_message import missive_of
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.outgoing import head_of
from machjudge.service.session.session import Session


def summary(session: Session, line: Line, said: PlainCommand) -> None:
    """The game by years: who held what, cities, ducats; and some numbers."""
    name = "" if said.text.lower() in EVERYTHING else said.text
    game = game_or_refuse(session, line, name, "SUMMARY")
    stored = session.find_game(game.id) if game is not None else None
    if stored is None:
        return
    phases = line_of_phases(session.uow, stored)
    if not phases:
        session.refuse(line, Sentence("info.not_begun"))
        return
    words = Words(session.services.world(stored))
    years = _years(session, words, phases, sight_at(session, stored))
    facts = {
        "head": head_of(session.services, stored, phases[-1].after.moment.code),
        "outcome": _outcome(session, words, stored),
        "ownership": chart.ownership(words, years),
        "cities": chart.cities(words, years),
        "treasuries": chart.treasuries(words, years),
        **_numbers(session, stored, phases),
    }
    lines = session.paper.lines("summary", facts)
    session.answer.texts.append(Text(Sentence("info.title.summary", game=stored.name), lines))


SUMMARY = CommandEntry(
    "summary",
    ASKING,
    ANYBODY,
    Act.READ,
    summary,
    also=("status",),
    is_dry=True,
)


def _outcome(session: Session, words: Words, game: Game) -> Sentence | None:
    """How the game ended, or when it will; None if it goes on."""
    if game.ending is not None:
        return outcome(words, game.ending)
    if game.clock is None:
        return None
    return broken_off(game.clock, zone_of(session.services, session.person))


def _years(
    session: Session, words: Words, phases: Sequence[StoredPhase], sight: Sight
) -> tuple[Year, ...]:
    """The opening, the end of each year's Fall, and the position now."""
    fixed = [p for p in phases if p.parent is None or p.after.moment.stage is Stage.ADJUSTMENT]
    shown = fixed if phases[-1] in fixed else [*fixed, phases[-1]]
    now = phases[-1]
    return tuple(_year(session.uow, words, phase, now, sight) for phase in shown)


def _year(
    uow: UnitOfWork, words: Words, phase: StoredPhase, now: StoredPhase, sight: Sight
) -> Year:
    held = uow.phases.holdings(phase.game, phase.number)
    return Year(
        title="" if phase is now else f"{phase.after.moment.campaign.year % 100:02}",
        state=sight.view(words.world, phase.after, now.after.moment),
        cities={each.power: each.cities for each in held},
        treasuries={
            each.power: each.treasury
            for each in held
            if each.treasury is not None and sight.sees_money_of(each.power)
        },
    )


def _numbers(session: Session, game: Game, phases: Sequence[StoredPhase]) -> Mapping[str, object]:
    """How long it took, how much was written, how the dice fell."""
    until = game.ending.at if game.ending is not None else session.now
    throws = (e for p in phases for e in p.events if isinstance(e, happened.DiceThrown))
    return {
        "played": sum(p.parent is not None and not p.is_interlude for p in phases),
        "lasted": until - phases[0].processed,
        "broadcasts": _broadcasts(session, game),
        "thrown": [die for throw in throws for die in throw.dice],
    }


def _broadcasts(session: Session, game: Game) -> int:
    """How many messages the reader may see that say they went to everybody: no fake stands out."""
    sight = sight_at(session, game)
    items = [i for i in session.uow.press.all_of(game.id) if sight.sees_message(missive_of(i))]
    return sum((item.shown or item.aim).to_all for item in items)
