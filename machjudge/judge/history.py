"""``history`` and ``summary``: what happened in a game, as far as the reader may see it."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from operator import itemgetter
from typing import TypeAlias

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.dice import commitment
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.world import World
from machjudge.formats.game_file import (
    SEALED_SET,
    VIEW_FORMAT,
    chronicle_lines,
    nonce_of,
    sealed_digest,
    sealed_root,
    sealing_key,
)
from machjudge.formats.position import WHOLE_POSITION, WHOLE_RULES
from machjudge.formats.values import events_of
from machjudge.judge.archive import record_of
from machjudge.judge.commands import SEATED, command
from machjudge.judge.credentials import Act
from machjudge.judge.endings import outcome
from machjudge.judge.game_view import sealed_set, zone_of
from machjudge.judge.mail_context import MailContext, Work
from machjudge.judge.outgoing import head_of
from machjudge.judge.pages import TurnReader, line_of_phases, press_for
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.press import press_facts_of
from machjudge.judge.questions import broken_off, game_meant, sight_at, stored_game_or_refuse
from machjudge.judge.records import Game, Status, StoredPhase
from machjudge.language.commands import History, PlainCommand
from machjudge.language.dates import read_instant
from machjudge.language.words import ParseError, read_phase
from machjudge.mail_parser.lines import Line
from machjudge.messages import tables
from machjudge.messages.render import File, Text
from machjudge.messages.tables import Year
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText

Said: TypeAlias = tuple[str, ...]

FIRST_MINUTE, LAST_MINUTE = time(0, 0), time(23, 59)
EVERYTHING = frozenset({"all", "full", "everything", "complete", "of"})
"""Words for a whole history or summary, which name no game."""

_NEVER = datetime.max.replace(tzinfo=UTC)
_EVER = datetime.min.replace(tzinfo=UTC)
_ORDER = {Stage.CAMPAIGN: 0, Stage.RETREATS: 1, Stage.ADJUSTMENT: 2}
_SPAN = re.compile(
    r"(?:the )?(?:last )?(?P<count>\d{1,4})? ?(?P<unit>[hdw]|hours?|days?|weeks?)(?: ago)?",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:last|past|since)\b", re.IGNORECASE)


def game_and_date(context: MailContext, said: History) -> tuple[str, Said]:
    """Split the words into game and start; ``history 18 nov`` leaves out a word."""
    words = tuple(word for word in said.game.split() if word.lower() not in EVERYTHING)
    if said.since or not words:
        return " ".join(words), said.since
    instant = _instant(context, words, FIRST_MINUTE)
    is_date = read_phase(words) is not None or not isinstance(instant, Message)
    is_game = game_meant(context, words[0]) is not None
    return ("", words) if is_date and not is_game else (words[0], words[1:])


def limit(
    context: MailContext, phases: Sequence[StoredPhase], words: Said, usual: time
) -> datetime | Message | None:
    """Return an instant, or that of the named phase; or why there is none.

    Up to a phase is up to its results: where *usual* is the last minute of a day.
    """
    if not words:
        return None
    moment = read_phase(words)
    if moment is None:
        return _instant(context, words, usual)
    ranks = [(_rank(phase.before.moment), phase.processed) for phase in phases]
    later = [at for rank, at in ranks if rank >= _rank(moment)]
    if usual is FIRST_MINUTE or not later:
        return later[0] if later else _NEVER
    return max((at for rank, at in ranks if rank <= _rank(moment)), default=_EVER)


def _instant(context: MailContext, words: Said, usual: time) -> datetime | Message:
    """The last such instant in the past."""
    text = " ".join(words)
    span = _SPAN.fullmatch(text)
    if span is not None:
        text = f"-{span['count'] or 1}{span['unit'][0].lower()}"
    plain = _PAST.sub(" ", text).strip()
    instant = read_instant(
        plain, context.now, zone_of(context.services, context.person), usual, past=True
    )
    if isinstance(instant, ParseError):
        return Message("info.history.no_limit", why=instant.reason)
    return instant


def _rank(moment: Moment) -> tuple[object, ...]:
    campaign = moment.campaign
    return (campaign.year, "SUF".index(moment.code[0]), _ORDER[moment.stage])


_MAX_LINES = 1000


@command("history", kind=History, is_dry=True)
def history(context: MailContext, line: Line, said: History) -> None:
    """Send results since a phase or an instant, and the press that the reader may see."""
    name, since = game_and_date(context, said)
    stored = stored_game_or_refuse(context, line, name, "HISTORY")
    if stored is None:
        return
    phases = line_of_phases(context.uow, stored)
    context.progress.work += Work.HISTORY + len(phases)
    first = limit(context, phases, since, FIRST_MINUTE)
    last = limit(context, phases, said.until, LAST_MINUTE)
    for each in (first, last):
        if isinstance(each, Message):
            context.refuse(line, each)
            return
    parts = [*_results(context, stored, phases), *_messages(context, stored)]
    lines: list[str] = []
    for at, part in sorted(parts, key=itemgetter(0)):
        is_after = not isinstance(first, datetime) or at >= first
        if is_after and (not isinstance(last, datetime) or at <= last):
            lines += ["", *part]
    most = said.lines or _MAX_LINES
    shown: list[MessageOrText] = [*lines[:most]] or [Message("info.history.nothing")]
    if len(lines) > most:
        more = Message("info.history.more", n=len(lines) - most, game=stored.name)
        shown += ["", more]
    title = Message("info.title.history", game=stored.name)
    context.answer.texts.append(Text(title, tuple(shown)))


_Part: TypeAlias = tuple[datetime, Sequence[str]]


def _results(context: MailContext, game: Game, phases: Sequence[StoredPhase]) -> Iterator[_Part]:
    if not phases:
        return
    sight, zone = sight_at(context, game), zone_of(context.services, context.person)
    reader = TurnReader(context.services, context.uow, game, sight)
    for turn in reader.turns(phases):
        content, facts = turn.results_for(sight), {"code": turn.code, "at": turn.at, "zone": zone}
        if content is None:
            corrected = Message("info.history.corrected", **facts, lines=turn.corrected)
            yield turn.at, context.say(corrected).split("\n")
            continue
        facts["phase_words"] = turn.words.moment(turn.before.moment)
        facts["sections"] = content.sections()
        texts = context.renderer.lines("history", facts)
        yield turn.at, [line for text in texts for line in context.say(text).split("\n")]


def _messages(context: MailContext, game: Game) -> Iterator[_Part]:
    zone = zone_of(context.services, context.person)
    words = Words(context.services.world(game))
    for press in press_for(context.uow, game, words, sight_at(context, game)):
        message = Message(
            "info.history.press", title=press.title, at=press.at, zone=zone, text=press.text
        )
        yield press.at, context.say(message).split("\n")


_MAX_EXPORT_BYTES = 8_000_000
_LARGE_BYTES = 1_000_000
"""Larger files are sent with gzip."""


@command("get export", act=Act.PLAY, who=SEATED, is_dry=True)
def get_export(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Send the game as a file: as the seat sees it, or after its end all of it."""
    game = context.game
    if game is None or context.is_claim or said.text.lower() not in ("", game.id):
        context.refuse(line, Message("info.export.own_game"))
        return
    phases = line_of_phases(context.uow, game)
    if not phases:
        context.refuse(line, Message("info.not_begun"))
        return
    is_over = game.status is Status.FINISHED
    if is_over:
        chronicle = record_of(context.services, game, context.uow.phases.all_of(game.id))
        text = "\n".join((*chronicle_lines(chronicle), ""))
    else:
        text = json.dumps(view_document(context, game, phases), indent=1) + "\n"
    content, name = text.encode("ascii"), f"{game.id}{'' if is_over else '-view'}.json"
    media_type = "application/json"
    if len(content) > _LARGE_BYTES:
        content, name, media_type = gzip.compress(content, mtime=0), f"{name}.gz", GZIP
    if len(content) > _MAX_EXPORT_BYTES:
        context.refuse(line, Message("info.export.too_large"))
        return
    context.progress.work += Work.REPLAY
    context.answer.files.append(File(name, media_type, content))
    answer = Message("info.export.sent", file=name, is_over=is_over)
    context.answer.texts.append(Text(Message("info.title.export", game=game.name), (answer,)))


GZIP = "application/gzip"


def view_document(
    context: MailContext, game: Game, phases: Sequence[StoredPhase]
) -> dict[str, object]:
    """Return a game that goes on as the opened seat sees it, for ``docs/export.md``."""
    sight, world, now = sight_at(context, game), context.services.world(game), phases[-1]
    moment = now.after.moment
    view = sight.without_hidden_money(world, sight.view(world, now.after))
    # A phase that only handed chits over is there for those who read of it (ASN-02).
    played = [
        phase
        for phase in phases
        if phase.parent is not None and not (phase.is_secret and not sight.visible(phase.events))
    ]
    return {
        "format": VIEW_FORMAT,
        "version": 2,
        "game": game.name,
        "scenario": game.scenario,
        "judge": context.services.judge.code,
        "commitment": commitment(game.secret),
        "powers": sorted(sight.powers),
        "phase": moment.code,
        "rules": WHOLE_RULES.write(game.rules),
        "position": WHOLE_POSITION.write(view),
        "orders": _own_orders(context, sight),
        "phases": [_phase_seen(world, game, sight, phase, moment) for phase in played],
        "tenures": _tenures_seen(context, game, sight),
    }


def _tenures_seen(context: MailContext, game: Game, sight: Sight) -> list[dict[str, object]]:
    """Who led the seats that have changed hands; nothing where the reader may not know people."""
    tenures = game.seating.tenures if sight.sees_people() else ()
    powers = {seat.number: seat.powers for seat in game.seats}
    names = {person.id: person.name for person in context.people(game).values()}

    def code_of(number: int | None) -> str | None:
        if number is None:
            return None
        return context.uow.phases.get(game.id, number).after.moment.code

    return [
        {
            "powers": powers[each.seat],
            "player": None if each.person is None else names.get(each.person),
            "bot": each.bot,
            "since": code_of(each.since),
            "until": code_of(each.until),
        }
        for each in tenures
        if each.seat in powers
    ]


def _own_orders(context: MailContext, sight: Sight) -> dict[str, object]:
    """The orders on file that the reader may see, with what proves them."""
    view = context.view()
    if view is None:
        return {}
    game, code = view.game, view.state.moment.code
    key = sealing_key(game.secret, game.id, code)
    found: dict[str, object] = {}
    for power in (p for p in view.world.in_play if p in sight.powers):
        sealed = sealed_set(view, power)
        found[power] = {
            **SEALED_SET.write(sealed),
            "nonce": nonce_of(key, power, sealed.number),
            "sha256": sealed_digest(key, game.id, code, power, sealed),
        }
    return found


def _phase_seen(
    world: World, game: Game, sight: Sight, phase: StoredPhase, now: Moment
) -> dict[str, object]:
    before, after, events = sight.phase(world, phase.before, phase.after, phase.events, now)
    if event_types.is_correction(events):
        events = tuple(each for each in events if sight.sees_correction(before, after, each))
    key, opens = (
        sealing_key(game.secret, game.id, phase.moment),
        sight.opens_orders(phase.before.moment.stage),
    )
    of_whom = [p for p in sorted(phase.sealed) if opens or p in sight.powers]
    digests = {
        power: sealed_digest(key, game.id, phase.moment, power, each)
        for power, each in sorted(phase.sealed.items())
    }
    return {
        "phase": phase.moment,
        "played": phase.processed.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "events": events_of(sight.visible(events)),
        "all_sealed": sealed_root(digests) if digests else None,
        "sha256": digests,
        "key": key.hex() if digests and opens else None,
        "sealed": {
            power: {
                **SEALED_SET.write(phase.sealed[power]),
                "nonce": nonce_of(key, power, phase.sealed[power].number),
            }
            for power in of_whom
        },
        "agreements": {
            number: {
                **SEALED_SET.write(agreed),
                "nonce": nonce_of(key, PowerId(number), agreed.number),
                "sha256": sealed_digest(key, game.id, phase.moment, PowerId(number), agreed),
            }
            for number, agreed in sorted(phase.agreements.items())
            if sight.sees_agreement(*(PowerId(power) for _, power in agreed.orders))
        },
    }


@command("summary", also=("status",), is_dry=True)
def summary(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Send the game by years: owners, cities, ducats; and some numbers."""
    name = "" if said.text.lower() in EVERYTHING else said.text
    stored = stored_game_or_refuse(context, line, name, "SUMMARY")
    if stored is None:
        return
    phases = line_of_phases(context.uow, stored)
    if not phases:
        context.refuse(line, Message("info.not_begun"))
        return
    words, sight = Words(context.services.world(stored)), sight_at(context, stored)
    # The opening, the end of each year's Fall, and the position now, each once: what a master
    # corrects meanwhile, and a transferred chit, is no year.
    now = phases[-1]
    shown = {
        phase.after.moment: phase
        for phase in phases
        if phase.parent is None or phase.after.moment.stage is Stage.ADJUSTMENT or phase is now
    }
    years = tuple(_year(context.uow, words, phase, now, sight) for phase in shown.values())
    facts = {
        "head": head_of(context.services, stored, phases[-1].after.moment.code),
        "outcome": _outcome(context, words, stored),
        "ownership": tables.ownership(words, years),
        "cities": tables.cities(words, years),
        "treasuries": tables.treasury_chart(words, years),
        **_numbers(context, stored, phases),
    }
    lines = context.renderer.lines("summary", facts)
    context.answer.texts.append(Text(Message("info.title.summary", game=stored.name), lines))


def _outcome(context: MailContext, words: Words, game: Game) -> Message | None:
    if game.ending is not None:
        return outcome(words, game.ending, practice=game.settings.practice)
    if game.clock is None:
        return None
    return broken_off(game.clock, zone_of(context.services, context.person))


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


def _numbers(
    context: MailContext, game: Game, phases: Sequence[StoredPhase]
) -> Mapping[str, object]:
    until = game.ending.at if game.ending is not None else context.now
    throws = (e for p in phases for e in p.events if isinstance(e, event_types.DiceThrown))
    sight = sight_at(context, game)
    items = [i for i in context.uow.press.all_of(game.id) if sight.sees_message(press_facts_of(i))]
    return {
        "played": sum(p.parent is not None and not p.is_interlude for p in phases),
        "lasted": until - phases[0].processed,
        # What says that it went to everybody: no fake stands out.
        "broadcasts": sum((item.shown or item.aim).to_all for item in items),
        "thrown": [die for throw in throws for die in throw.dice],
    }
