"""Plays a phase: from the orders on file to the next position and the messages about it.

All is computed before a transaction opens; the caller writes the changes.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from typing import cast

from machjudge.adjudicator.dice import Dice, SecretDice
from machjudge.adjudicator.moments import Moment
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Orders
from machjudge.formats.game_file import sealed_root_of, sealing_key
from machjudge.formats.values import events_of
from machjudge.judge.agreements import (
    Settled,
    outcome_lines,
    play_agreed,
    sealed_agreement,
    with_votes,
)
from machjudge.judge.changes import Changes
from machjudge.judge.endings import (
    agreed_end,
    end_by_itself,
    ending_of,
    finished,
    stopped_clock,
    vote_lines,
    with_valid_votes,
    without_waits,
)
from machjudge.judge.game_view import (
    GameView,
    absences_of,
    log_entry,
    sealed_set,
    vacant_powers,
    with_phase_played,
)
from machjudge.judge.mails import Attachment, Outgoing
from machjudge.judge.order_sets import (
    absent_in,
    orders_for_the_late,
    orders_for_the_silent,
    orders_of_bots,
    with_lesson,
)
from machjudge.judge.orders_ahead import FiledPlans, file_plans, plan_facts
from machjudge.judge.outgoing import (
    Addressee,
    addressees,
    for_reader,
    game_message,
    head_now,
    turned_out,
)
from machjudge.judge.pictures import pictures_of_phase
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.postal_press import postal_lines, published
from machjudge.judge.records import (
    Ending,
    FiledOrder,
    Game,
    PersonId,
    StoredPhase,
    holdings,
)
from machjudge.judge.timetable import next_clock, why_longer
from machjudge.messages.news import ResultsForAll, facts_for_reader
from machjudge.messages.receipt import LinesByPlace
from machjudge.messages.render import phase_name
from machjudge.messages.results import Absent, PlayedPhase
from machjudge.messages.tables import victory_words
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText


# What happened in a phase as a JSON file, for readers whose programs read it. Their `Sight`
# decides what is in it, as in the words beside it.
def events_file(game: Game, played: PlayedPhase, sight: Sight) -> Attachment:
    """Return the file of what `Sight.phase` returned, as ``docs/export.md`` describes."""
    code = played.before.moment.code
    document = {
        "format": "machjudge-events",
        "version": 1,
        "game": game.name,
        "scenario": game.scenario,
        "phase": code,
        "next": None if played.is_last else played.after.moment.code,
        "powers": sorted(sight.powers),
        "events": events_of(sight.visible(played.events)),
    }
    content = json.dumps(document, indent=1) + "\n"
    return Attachment(f"{game.name.lower()}-{code}.json", "application/json", content.encode())


Lines = Mapping[PowerId, tuple[FiledOrder, ...]]


@dataclass(frozen=True, slots=True)
class Processed:
    """A phase that was played, and the game after it."""

    view: GameView
    stored: StoredPhase
    orders: Orders
    settled: Settled


def process(
    services: Services,
    uow: UnitOfWork,
    view: GameView,
    now: datetime,
    by: PersonId | None = None,
    late: frozenset[PowerId] = frozenset(),
) -> tuple[Changes, GameView]:
    """Play the current phase with the orders on file; stop the clock if the game is won.

    *by* is the master who plays it early; *late* are the powers whose grace is over.
    """
    processed = play_on(services, view, now, late)
    stored, after = processed.stored, processed.view
    arrived = file_plans(after, view.state.moment)
    after = arrived.view
    if ending_of(view.game, stored) is not None:
        won = replace(after.game, clock=stopped_clock(after.clock, now, won=True))
        after = replace(after, game=won)
    elif processed.settled.done or stored.after.eliminated != stored.before.eliminated:
        agreed = agreed_end(after)
        if agreed is not None:
            ending = Ending(*agreed, now, by_vote=True)
            after = replace(after, game=finished(after.game, ending))
    processed = replace(processed, view=after)
    logged = Message("phases.process.logged", code=stored.moment)
    notice = log_entry(services, after.game.id, now, by, "processed", logged)
    changes = Changes(
        read=view.game,
        game=after.game,
        phases=[(stored, holdings(view.world, stored.after))],
        order_sets=list(arrived.order_sets),
        plans=list(arrived.plans),
        notices=[notice],
        messages=result_messages(services, processed, now, arrived, view),
        press=published(view.game, view.postal, stored.number, now),
        removed_notes=list(view.postal),
    )
    if after.game.ending is not None:
        end_by_itself(services, uow, replace(after, postal=()), after.game.ending, changes)
    return changes, after


def play_on(
    services: Services,
    view: GameView,
    now: datetime,
    late: frozenset[PowerId] = frozenset(),
    dice: Dice | None = None,
) -> Processed:
    """Play the phase, with the dice of the game or with others; without the messages."""
    world = view.world
    lines: dict[PowerId, tuple[FiledOrder, ...]] = {
        power: order_set.lines for power, order_set in view.order_sets.items() if order_set.lines
    }
    lines |= orders_of_bots(view, now)
    of_the_late = orders_for_the_late(view, late, now)
    lines |= of_the_late
    lines |= orders_for_the_silent(view, frozenset(lines), now)
    sealed = {power: sealed_set(view, power) for power in view.world.in_play}
    sealed |= {power: replace(sealed[power], void=True) for power in of_the_late}
    dice = dice or SecretDice(view.game.key, view.state.moment.code)
    settled, played_lines = play_agreed(view, lines, dice, late)
    played = settled.played
    stored = view.next_phase(played.state, played.events, played_lines, services.judge.version, now)
    agreed = {str(each.number): sealed_agreement(each) for each in settled.done}
    stored = replace(stored, sealed=sealed, agreements=agreed)
    game = _moved_on(with_phase_played(view, now), world.in_play, stored, now)
    game = with_votes(game, world, settled)
    after = replace(
        view, game=game, phase=stored, order_sets={}, last_number=stored.number, postal=()
    )
    return Processed(after, stored, played.standing, settled)


def _moved_on(game: Game, in_play: Collection[PowerId], stored: StoredPhase, now: datetime) -> Game:
    old = game.clock
    clock = next_clock(
        game.settings,
        stored.after.moment.stage,
        now,
        old.deadline if old is not None else None,
        absences_of(game),
    )
    seats = with_valid_votes(game.seats, in_play, stored.before, stored.after)
    paused = now if old is not None and old.paused is not None else None
    resumes = old.resumes if old is not None else None
    return replace(
        game,
        position=stored.number,
        clock=replace(clock, paused=paused, resumes=resumes, vacant=vacant_powers(game)),
        seats=without_waits(seats),
        ejected=without_waits(game.ejected),
    )


def result_messages(
    services: Services,
    processed: Processed,
    now: datetime,
    arrived: FiledPlans,
    read: GameView,
) -> list[Outgoing]:
    """Return the results for everybody at the game, with postal press and plans.

    *read* is the view before the phase: players who lost a seat in it get its results too.
    """
    view = processed.view
    absent = absent_in(view.world, processed.stored, read.order_sets)
    see = partial(_played_phase, processed, absent)

    @cache
    def shared(language: str) -> ResultsForAll:
        renderer = services.renderer.of(language)
        return ResultsForAll(view.world, see, partial(renderer.part, "_sections"), renderer.say)

    facts = _facts_for_all(services, view, processed.stored.before.moment)
    facts["postal"] = postal_lines(Words(view.world), read.postal)
    readers = [
        *addressees(services, view.game, view.people, now),
        *turned_out(services, view.game, read.clock, view.people, now),
    ]

    is_over = view.game.clock is None or view.game.clock.ends is not None
    sealed = sealed_root_line(view.game, processed.stored)
    why = () if view.game.clock is None else (_why_longer(view, read),)

    def results_for(to: Addressee) -> Outgoing:
        seen = shared(to.reader.language).seen_by(to.sight)
        own = with_lesson(view, to.powers, for_reader(view, to))
        lines = cast("LinesByPlace", own["by_place"])
        pictures = (
            pictures_of_phase(services, seen, to.sight, to.powers, lines)
            if to.reader.pictures
            else ()
        )
        page = services.renderer.page(
            "results",
            {
                **facts,
                **own,
                "due": (*filter(None, why), *cast("tuple[MessageOrText, ...]", own["due"])),
                **plan_facts(arrived, to),
                **seen.facts(to.sight),
                **facts_for_reader(seen, to.sight, to.powers),
                "pictures": pictures,
                "sealed": sealed(to.sight),
                "agreements": outcome_lines(read, processed.settled, to),
                "votes": () if is_over else tuple(vote_lines(view, read.game, to.seats)),
                "is_plain": all(seat.wishes.plain_subject for seat in to.seats),
            },
        )
        said = game_message(view.game, to.address, page, may_wait=True)
        if not to.reader.json:
            return said
        file = events_file(view.game, seen.played, to.sight)
        return replace(said, attachments=(*said.attachments, file))

    return [results_for(to) for to in readers]


def sealed_root_line(game: Game, stored: StoredPhase) -> Callable[[Sight], Message]:
    """Return what binds the judge to all order sets of a phase; with the key for who sees all."""
    key = sealing_key(game.secret, game.id, stored.moment)
    root = sealed_root_of(key, game.id, stored.moment, stored.sealed)

    def line(sight: Sight) -> Message:
        shown = key.hex() if sight.opens_orders(stored.before.moment.stage) else ""
        return Message(
            "game.orders.all_sealed", game=game.id, code=stored.moment, root=root, key=shown
        )

    return line


def _facts_for_all(services: Services, view: GameView, moment: Moment) -> dict[str, object]:
    words = Words(view.world)
    return {
        "wins": victory_words(view.world.rules, view.world.scenario.players),
        "phase_name": phase_name(words, moment),
        "head": head_now(services, view),
        "phase": moment,
        "phase_words": words.moment(moment),
    }


def _why_longer(view: GameView, read: GameView) -> Message | None:
    game, stage = view.game, view.state.moment.stage
    if view.clock.ends is not None or view.clock.paused is not None or read.game.clock is None:
        return None
    return why_longer(game.settings, stage, view.clock, read.clock.deadline)


def _played_phase(processed: Processed, absent: Absent, sight: Sight) -> PlayedPhase:
    view, stored = processed.view, processed.stored
    is_last = view.game.clock is None or view.game.clock.won
    seen = sight.phase(view.world, stored.before, stored.after, stored.events)
    return PlayedPhase(*seen, processed.orders, absent, is_last)
