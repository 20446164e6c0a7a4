from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.journeys.judge import JUDGE, OPENED, Judge, QueuedMessage, judging
from tests.journeys.pens import Writer, plain
from tests.journeys.story import Play, Told, script_of
from tests.mail.servers import relaying
from tests.preloaded.known import share_texts_and_maps

share_texts_and_maps()

HERE = Path(__file__).parent
FIRST_YEAR = script_of(HERE / "first_year.toml")
"""The game of eight that `year` plays."""
SMALL = script_of(HERE / "small_game.toml")
"""A game of four, for everything that can go wrong."""


@pytest.fixture(scope="session")
def first_judge(tmp_path_factory) -> Iterator[Judge]:
    """The judge at which the first year is played; it has addresses confirmed."""
    folder = tmp_path_factory.mktemp("first_year")
    with judging(folder, MACHJUDGE_CONFIRM="on") as judge:
        yield judge


@pytest.fixture(scope="session")
def year(first_judge) -> dict[str, Told]:
    """The first year, act by act, played once for all tests."""
    play = Play(first_judge, FIRST_YEAR)
    return {told.act.name: told for told in play.acts()}


@pytest.fixture(scope="session")
def begun(tmp_path_factory) -> Path:
    """The folder of a judge at rest at which the small game has just begun."""
    folder = tmp_path_factory.mktemp("begun")
    with judging(folder) as judge:
        Play(judge, SMALL).play(SMALL.act("forming"))
    return folder


@pytest.fixture
def judge(tmp_path, begun) -> Iterator[Judge]:
    """A judge an hour after the small game has begun; nothing runs yet but the relay."""
    judge = at_the_small_game(tmp_path, begun)
    with relaying(judge.post, judge.relay_port):
        yield judge
        judge.end()


def at_the_small_game(folder: Path, begun: Path) -> Judge:
    """A judge of its own, an hour after the small game has begun."""
    judge = Judge(folder, copied=begun)
    judge.clock.set(OPENED + timedelta(hours=1))
    return judge


MASTER, CATERINA, LORENZA = (SMALL.people[letter] for letter in "MVL")
FRANCESCO = SMALL.people["I"]
SECRET_PRESS = "the gold is under the third stone"
TO_MASTER = "who wrote the grey letter"
DIARY = "tomorrow I betray Milan"


@pytest.fixture
def believer(tmp_path, begun) -> Iterator[Judge]:
    """A judge at the small game that believes no From; letters and diaries are written already."""
    judge = at_the_small_game(tmp_path, begun)
    judge.more["MACHJUDGE_CONFIRM"] = "on"
    with relaying(judge.post, judge.relay_port):
        judge.serve()
        written = (
            (LORENZA, "SIGNON Lborgia giglio15", "PRESS TO V", SECRET_PRESS, "ENDPRESS"),
            (FRANCESCO, "SIGNON Iborgia castello7", "PRESS TO M", TO_MASTER, "ENDPRESS"),
            (CATERINA, "SIGNON Vborgia laguna22", "DIARY", DIARY, "ENDDIARY"),
        )
        for writer, *lines in written:
            ask(judge, writer, *lines)
        yield judge
        judge.end()


def ask(judge: Judge, writer: Writer, *lines: str, to: str = JUDGE) -> QueuedMessage:
    """The answer to a mail."""
    mail = plain(writer, lines)
    judge.send(*mail.copies, sender=writer.address, to=to)
    return judge.answer_to(mail.id)


def flat(letter: QueuedMessage) -> str:
    """The text in one line."""
    return " ".join(letter.text.split())


def answer(judge: Judge, writer: Writer, *lines: str) -> str:
    """The answer to a mail, in one line."""
    return flat(ask(judge, writer, *lines))


def code_address(letter: QueuedMessage) -> str:
    """The address for answers of a letter, with its reply code."""
    return str(letter.mail["Reply-To"])
