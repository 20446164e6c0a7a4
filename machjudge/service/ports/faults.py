"""Telling the judge keeper of our own faults, in plain words and without anybody's text."""

from contextlib import suppress
from datetime import datetime

import structlog

from machjudge.letters.layout.lines import clean_body, one_line
from machjudge.letters.page.head import Head
from machjudge.letters.page.page import BadTemplate, Page
from machjudge.letters.wording.catalogue import BadCatalogue
from machjudge.sentence import Sentence
from machjudge.service.model.records import GameId, Notice
from machjudge.service.ports.interfaces import Stale
from machjudge.service.ports.mails import KeptMail, Outgoing
from machjudge.service.ports.services import ScenarioUnusable, Services

log = structlog.get_logger(__name__)

_KIND = "fault"


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


def about_mail(services: Services, mail: KeptMail, error: Exception) -> list[Outgoing]:
    """The letter about a mail that was set aside; None if no keeper is set."""
    deaths = mail.deaths if mail.tries <= 1 else 0
    what = Sentence("ports.mail_set_aside", mail=mail.id, tries=mail.tries, deaths=deaths)
    return _letters(services, what, error)


def about_unreadable(services: Services, mail: KeptMail, error: str) -> list[Outgoing]:
    """The letter about a mail that raised an error of the kind *error* while it was read."""
    return _letters(services, Sentence("ports.mail_unreadable", mail=mail.id), error)


def _letters(services: Services, what: Sentence, error: Exception | str) -> list[Outgoing]:
    if services.judge.keeper is None:
        return []
    page = _page(services, _said(services, what), error)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]


def _said(services: Services, what: Sentence) -> str:
    """What has happened; by its key if the keeper's own catalogue is the fault."""
    try:
        return services.paper.say(what)
    except BadCatalogue as flaw:
        return f"{what!r}: {flaw}"


def _page(services: Services, what: str, fault: Exception | str) -> Page:
    """The letter; without a template if the keeper's own one is the fault."""
    error = fault if isinstance(fault, str) else _named(fault)
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
