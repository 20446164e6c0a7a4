"""The rooms of one judge, built from its settings."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine

from machjudge import __version__
from machjudge.atlas import Atlas
from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.library import Library
from machjudge.mail.authentic import DnsSenderChecks
from machjudge.mail.relay import Relay, Way
from machjudge.mail.relay import Security as Protection
from machjudge.mail.sender import Sender
from machjudge.mail.signing import Signing, signer_of, unsigned
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.allowances import Allowances
from machjudge.service.model.records import Judge
from machjudge.service.pictures.drawn import drawing_by
from machjudge.service.ports.services import Services
from machjudge.settings import (
    RelayAddress,
    RelaySecurity,
    Settings,
    docs_folder,
    templates_folder,
)
from machjudge.store.mail.arrivals import Arrivals
from machjudge.store.mail.keeping import KeepersDesk
from machjudge.store.mail.leases import Leases
from machjudge.store.mail.post_bag import StoredPostBag
from machjudge.store.schema.engine import open_engine
from machjudge.store.schema.holder import myself
from machjudge.store.work import DatabaseStore
from machjudge.wiring.chance import SystemChance, now
from machjudge.wiring.database import prepare_database
from machjudge.wiring.passwords import Argon2Passwords
from machjudge.wiring.secret_file import judge_secret, secret_beside, secret_of

_PROTECTION = {
    RelaySecurity.PLAIN: Protection.PLAIN,
    RelaySecurity.STARTTLS: Protection.STARTTLS,
    RelaySecurity.TLS: Protection.TLS,
}


@dataclass(frozen=True, slots=True)
class Application:
    """One judge with all its rooms; `close` it in the end."""

    settings: Settings
    engine: Engine
    clock: Callable[[], datetime]
    store: DatabaseStore
    services: Services
    arrivals: Arrivals
    sender: Sender
    keepers: KeepersDesk
    leases: Leases

    def close(self) -> None:
        """End the connections to the database."""
        self.engine.dispose()


def build(
    settings: Settings,
    *,
    clock: Callable[[], datetime] = now,
    posted: Callable[[], None] = lambda: None,
    creates: bool = True,
) -> Application:
    """The judge that *settings* describe, its database at the latest step.

    *posted* is called after each transaction of the desk that has put messages into the outbox, in
    the thread that made it.
    *creates* makes a database that is not there yet.
    Raises WrongSchema or DatabaseOutOfReach if the database cannot be used, SecretUnusable if the
    judge's secret cannot.
    """
    prepare_database(settings.database, creates=creates, unless=secret_beside(settings))
    engine = open_engine(settings.database)
    secret = judge_secret(settings, engine) if creates else secret_of(settings, creates=False)
    holder = str(myself())
    store = DatabaseStore(engine, holder, clock, secret, posted)
    judge = judge_of(settings)
    return Application(
        settings=settings,
        engine=engine,
        clock=clock,
        store=store,
        services=desk_of(settings, store, judge, secret),
        arrivals=Arrivals(engine, clock),
        sender=_sender(settings, StoredPostBag(engine, holder), (judge, secret), clock),
        keepers=KeepersDesk(engine, clock),
        leases=Leases(engine, holder, clock),
    )


def paper_of(settings: Settings) -> Stationery:
    """What writes messages: the keeper's own templates, then those of the program."""
    own = [settings.templates] if settings.templates else []
    return Stationery([*own, templates_folder()])


def desk_of(
    settings: Settings, store: DatabaseStore, judge: Judge, secret: JudgeSecret
) -> Services:
    """The desk of the judge."""
    return Services(
        judge=judge,
        store=store,
        passwords=Argon2Passwords(),
        chance=SystemChance(),
        atlas=Atlas(settings.map_folders),
        paper=paper_of(settings),
        library=Library(docs_folder()),
        secret=secret,
        senders=DnsSenderChecks(judge.address, settings.trust_results_of),
    )


def judge_of(settings: Settings) -> Judge:
    """Who this judge is in its mails."""
    return Judge(
        code=settings.code,
        address=settings.address,
        keeper=settings.keeper,
        version=__version__,
        zone=str(settings.timezone),
        max_lines=settings.max_lines,
        allowances=Allowances(
            answers_a_day=settings.answers_per_day,
            games_a_day=settings.games_per_day,
            seats_a_day=settings.seats_per_day,
            observers=settings.observers_per_game,
            press_an_hour=settings.press_per_hour,
        ),
        confirm=settings.confirm == "on",
    )


def _sender(
    settings: Settings,
    bag: StoredPostBag,
    judge: tuple[Judge, JudgeSecret],
    clock: Callable[[], datetime],
) -> Sender:
    way = way_to(settings.relay)
    name = settings.address.rpartition("@")[2]
    return Sender(
        bag=bag,
        connect=lambda: Relay(way, name),
        judge=judge[0],
        secret=judge[1],
        waits=[timedelta(minutes=minutes) for minutes in settings.retry],
        clock=clock,
        drawn=drawing_by(Atlas(settings.map_folders)),
        signed=_signing(settings),
    )


def _signing(settings: Settings) -> Signing:
    """How messages are signed.  Raises KeyUnusable."""
    if settings.dkim_key is None:
        return unsigned
    domain = settings.address.rpartition("@")[2]
    return signer_of(settings.dkim_key, settings.dkim_selector, domain)


def way_to(relay: RelayAddress) -> Way:
    """The way to the relay, as the mail room knows it."""
    return Way(relay.host, relay.port, _PROTECTION[relay.security], relay.user, relay.password)
