"""Telling the judge keeper of our own faults, in plain words and without anybody's text."""

import traceback
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from machjudge.letters.layout.lines import clean_body, one_line
from machjudge.letters.page.head import Head
from machjudge.letters.page.page import BadTemplate, Page
from machjudge.letters.wording.catalogue import BadCatalogue
from machjudge.sentence import Sentence
from machjudge.service.model.counts import Quota
from machjudge.service.model.records import GameId, Notice
from machjudge.service.ports.interfaces import Stale, UnitOfWork
from machjudge.service.ports.mails import KeptMail, Outgoing
from machjudge.service.ports.services import ScenarioUnusable, Services

log = structlog.get_logger(__name__)

_KIND = "fault"
_OWN = Path(__file__).parents[2]
"""Where the program's modules are."""
_DAY = timedelta(days=1)
_LOOKED_BACK = timedelta(days=7)
"""For so long the keeper is told of mails that were set aside."""


def tell_of_game(services: Services, game: GameId, error: Exception, now: datetime) -> None:
    """Tell of a game that could not be processed; once a day for the same game."""
    log.error("game.failed", game=game, fault=_named(error), exc_info=error)
    # Whoever is in the way tells the keeper, or the next tick does.
    with suppress(Stale), services.store.writing() as uow:
        today = [
            n for n in uow.notices.all_of(game) if n.kind == _KIND and n.at.date() == now.date()
        ]
        if today:
            return
        uow.notices.add(Notice(game, now, None, _KIND, _named(error)))
        for letter in _letters(services, Sentence("ports.game_failed", game=game), error):
            uow.outbox.put(letter)
        uow.commit()


def about_mail(
    services: Services, uow: UnitOfWork, mail: KeptMail, error: Exception, now: datetime
) -> list[Outgoing]:
    """The message about a mail that was set aside, if it is the first of its kind in a day.

    `tell_of_more` counts the others.
    """
    kind = kind_of(error)
    quota = _told(kind)
    if quota.used(uow.counts, now) >= quota.most:
        uow.counts.add((_untold(kind),), now)
        return []
    uow.counts.add((quota.key,), now)
    deaths = mail.deaths if mail.tries <= 1 else 0
    what = Sentence("ports.mail_set_aside", mail=mail.id, tries=mail.tries, deaths=deaths)
    return _letters(services, what, error)


def tell_of_more(services: Services, now: datetime) -> None:
    """Tell the keeper once a day for each kind of fault how many mails more it has set aside."""
    keeper = services.judge.keeper
    if keeper is None:
        return
    with services.store.reading() as uow:
        kinds = {each.why for each in uow.inbox.all_aside(now - _LOOKED_BACK)}
        since = now - _LOOKED_BACK
        untold = uow.counts.numbers([*map(_untold, kinds)], since, now) if kinds else {}
        due = [kind for kind in kinds if untold[_untold(kind)]]
        more = {
            kind: untold[_untold(kind)]
            for kind in sorted(due)
            if not _told(kind).used(uow.counts, now)
        }
    if not more:
        return
    lines = [Sentence("ports.more_of_kind", n=n, error=kind) for kind, n in more.items()]
    facts = {
        "head": Head(services.judge.code),
        "subject": Sentence("ports.more_set_aside", n=sum(more.values())),
        "lines": (*lines, Sentence("ports.how_to_retry")),
    }
    page = services.paper.page("token", facts)
    keys = {_told(kind).key for kind in more}
    with suppress(Stale), services.store.writing() as uow:
        uow.counts.lock(keys)
        if any(_told(kind).used(uow.counts, now) for kind in more):
            return  # another process has told it
        uow.counts.add(keys, now)
        uow.counts.forget([*map(_untold, more)])
        uow.outbox.put(Outgoing(to=keeper, subject=page.subject, body=page.body))
        uow.commit()


def _told(kind: str) -> Quota:
    """How often the keeper is told of a kind of fault."""
    return Quota(f"keeper/{kind}", 1, _DAY)


def _untold(kind: str) -> str:
    """The key under which mails are counted of which the keeper has not been told."""
    return f"keeper/untold/{kind}"


def _letters(services: Services, what: Sentence, error: Exception) -> list[Outgoing]:
    if services.judge.keeper is None:
        return []
    page = _page(services, _said(services, what), error)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]


def kind_of(error: Exception) -> str:
    """The kind of a fault and the place where it was raised; the same is raised there again.

    Without the text of the fault, which may repeat what somebody wrote.
    """
    cause = error.__cause__
    of = "" if cause is None else f" of {type(cause).__name__}"
    frames = traceback.extract_tb((cause or error).__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_OWN)]
    at = "".join(f" at {Path(each.filename).name}:{each.lineno}" for each in (own or frames)[-1:])
    which = f" in {error.game.scenario}" if isinstance(error, ScenarioUnusable) else ""
    return f"{_named(error)}{which}{of}{at}"


def _said(services: Services, what: Sentence) -> str:
    """What has happened; by its key if the keeper's own catalogue is the fault."""
    try:
        return services.paper.say(what)
    except BadCatalogue as flaw:
        return f"{what!r}: {flaw}"


def _page(services: Services, what: str, fault: Exception) -> Page:
    """The letter; without a template if the keeper's own one is the fault."""
    error = kind_of(fault)
    faults = fault.faults if isinstance(fault, ScenarioUnusable) else ()
    try:
        facts = {"head": Head(services.judge.code), "what": what, "error": error, "faults": faults}
        return services.paper.page("fault", facts)
    except (BadTemplate, BadCatalogue) as flaw:
        subject = one_line(f"{services.judge.code}: {what}")
        return Page(subject, clean_body(f"{what}\n{error}\n{flaw}\n"))


def _named(error: Exception) -> str:
    """The kind of the fault only: its text may repeat what somebody wrote."""
    return type(error).__name__
