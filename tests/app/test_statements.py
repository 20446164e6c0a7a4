"""How many statements one order mail sends to the database: counted, not timed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import parseaddr

import pytest
from sqlalchemy import Engine, event, select, update

from machjudge.app import Application, work
from machjudge.db.engine import writing
from machjudge.db.tables import GameRow
from machjudge.judge.records import Person, PersonId
from machjudge.mail.server import arrival
from tests.app.processes import Installation, letters
from tests.load.copies import add_games
from tests.load.game import ORDERS, LoadedJudge, begin
from tests.mail.servers import Postmaster, relaying

pytestmark = pytest.mark.sqlite
"""On PostgreSQL a look at where the queue begins comes on top, every five seconds."""

OVER = [number * 10 for number in range(3, 30)]
"""How many games are over in a test that asks for more than the one before."""
WITH_PASSWORD, WITH_TOKEN = 15, 14
"""All statements from the mail's arrival until the relay has its answer, BEGIN among them.

The password is one that was right before; the game is one that this process knows.
"""


class Judge(LoadedJudge):
    """The judge of the load test, all of it in this process."""

    application: Application

    def send(self, mails: Sequence[EmailMessage]) -> None:
        """Take mails in, handle them, and send what there is to send."""
        for mail in mails:
            sender = parseaddr(str(mail["From"]))[1]
            secret = self.application.services.secret
            self.application.arrivals.keep(
                [arrival(mail.as_bytes(), sender, [str(mail["To"])], secret)]
            )
            work(self.application)
            self.application.sender.send_due()

    def statements(self, mail: EmailMessage) -> list[str]:
        """What is said to the database for one mail."""
        said: list[str] = []

        def note(connection: object, cursor: object, statement: str, *_: object) -> None:
            said.append(statement)

        event.listen(self.application.engine, "before_cursor_execute", note)
        try:
            self.send([mail])
        finally:
            event.remove(self.application.engine, "before_cursor_execute", note)
        return said

    def orders(self, number: int) -> EmailMessage:
        """A mail of Florence with the first of her orders."""
        return self.mail("anna", f"SIGNON L{self.name} tulip-anna", *ORDERS[:number])


@contextmanager
def judge_of(installation: Installation) -> Iterator[Judge]:
    """A judge whose game has begun."""
    relay = Postmaster()
    with relaying(relay, installation.relay_port):
        judge = Judge(installation, relay)
        judge.application = installation.rooms()
        try:
            begin(judge)
            for password in (True, False):
                judge.send([judge.order_mail(password=password)])
            yield judge
        finally:
            judge.application.close()


@contextmanager
def elsewhere(judge: Judge) -> Iterator[None]:
    """What is done to the judge meanwhile, a process does that has its own memory."""
    here = judge.application
    judge.application = judge.installation.rooms()
    try:
        yield
    finally:
        judge.application.close()
        judge.application = here


@pytest.fixture(scope="module")
def judge(tmp_path_factory) -> Iterator[Judge]:
    """A judge with a game of eight in which Florence has ordered once."""
    with judge_of(Installation(tmp_path_factory.mktemp("judge"))) as judge:
        yield judge


def test_an_order_mail_costs_few_statements(judge) -> None:
    """Ten orders under a password, the round around them and the sending of the answer."""
    said = judge.statements(judge.order_mail())

    assert len(said) <= WITH_PASSWORD, said


def test_a_reply_costs_fewer(judge) -> None:
    """No password is tried, so none is counted."""
    said = judge.statements(judge.order_mail(password=False))

    assert len(said) <= WITH_TOKEN, said


def test_a_game_that_another_process_has_got_orders_for_costs_one_more(judge) -> None:
    """Of the game this process reads the new order sets alone."""
    judge.send([judge.order_mail(password=False)])
    with elsewhere(judge):
        judge.send([judge.order_mail(password=False)])

    assert len(judge.statements(judge.order_mail(password=False))) <= WITH_TOKEN + 1


def test_no_statement_is_for_one_line(judge) -> None:
    """Ten orders cost as many statements as two."""
    assert len(judge.statements(judge.orders(10))) == len(judge.statements(judge.orders(2)))


def test_no_statement_is_for_one_seat_or_person_or_game(judge) -> None:
    """Observers, strangers, and games that run or are over change nothing."""
    before = len(judge.statements(judge.orders(10)))
    for name in ("vera", "luca", "elsa"):
        judge.say(name, f"OBSERVE {judge.name} tulip-{name}")
    with judge.application.store.writing() as uow:
        for number in range(20):
            address = f"p{number}@stranger.example"
            uow.persons.save(
                Person(
                    PersonId(f"p{number}"), f"P{number}", (address,), "UTC",
                    judge.application.clock(),
                )
            )  # fmt: skip
        uow.commit()
    add_games(judge.application.engine, judge.name, 20, running=False)
    add_games(judge.application.engine, judge.name, 5, running=True)

    assert len(judge.application.store.overdue(judge.application.clock())) == 0
    # The observer has changed the game.
    judge.send([judge.order_mail()])
    assert len(judge.statements(judge.orders(10))) == before


ASKED = {
    "LIST": ("LIST",),
    "VERSION": ("VERSION",),
    "INFO PLAYER by address": ("INFO PLAYER anna@player.example",),
    "INFO PLAYER by name": ("INFO PLAYER Anna",),
    "a signon to a game that is not there": ("SIGNON Lnowhere tulip-anna",),
}


@pytest.mark.parametrize("lines", ASKED.values(), ids=ASKED)
def test_no_statement_is_for_one_game_that_is_over(judge, lines) -> None:
    """What looks at many games reads those that it shows, with as many statements as for few."""
    author = judge.mail("anna", f"SIGNON L{judge.name} tulip-anna", *lines)
    judge.statements(author)
    few = judge.statements(judge.mail("anna", f"SIGNON L{judge.name} tulip-anna", *lines))
    there = len(few)
    add_games(judge.application.engine, judge.name, OVER.pop(0), running=False)

    again = judge.mail("anna", f"SIGNON L{judge.name} tulip-anna", *lines)
    assert len(judge.statements(again)) == there


@pytest.mark.parametrize("line", ["STATS", "STATS Anna", "WHO"])
def test_ratings_follow_from_any_number_of_games_with_as_many_statements(judge, line) -> None:
    """Of all games that are over, however many phases they have had."""
    counts = []
    for _ in range(2):
        number = OVER.pop(0)
        add_games(judge.application.engine, judge.name, number, running=False)
        _rate(judge.application.engine)
        question = judge.mail("anna", f"SIGNON L{judge.name} tulip-anna", line)
        judge.statements(question)
        counts.append(len(judge.statements(question)))

    assert counts[0] == counts[1]
    assert f"{number}-3.4" in list(letters(judge.relay))[-1].get_body(["plain"]).get_content()


def _rate(engine: Engine) -> None:
    """Let all copies that are over end as games for ratings points."""
    ending = {"end": "victory", "winners": ["V"], "at": "2026-11-20T12:00:00Z", "by_vote": False}
    over = select(GameRow.id, GameRow.settings).where(GameRow.status == "finished")
    with writing(engine) as connection:
        for name, settings in connection.execute(over).all():
            rated = {"settings": {**settings, "ratings": "battleline"}, "ending": ending}
            connection.execute(update(GameRow).where(GameRow.id == name).values(**rated))
        connection.commit()


def test_joining_reads_no_game_that_is_over(judge) -> None:
    """Anyone who joins for the first time costs the same with many."""
    counts = []
    for name, game in (("zoe", "first"), ("ada", "second")):
        judge.say("gina", f"CREATE ?{game} tulip-gina")
        add_games(judge.application.engine, judge.name, OVER.pop(0), running=False)
        joining = judge.mail(name, f"SIGNON ?{game} tulip-{name}")
        counts.append(len(judge.statements(joining)))

    assert counts[0] == counts[1]
