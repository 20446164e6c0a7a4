"""What a deadline costs: a phase is played, and everybody gets the results."""

from collections.abc import Iterator
from unittest.mock import patch

from machjudge.judge.game_view import load
from machjudge.judge.process import process
from machjudge.judge.records import GameId
from machjudge.messages.render import MessageRenderer
from tests.load.game import LoadedJudge, opened
from tests.load.measure import Figure, seconds_of


def played(judge: LoadedJudge, pydip: float) -> Iterator[Figure]:
    """A phase of eight powers, from the orders on file to the results of everybody."""
    with opened(judge) as application, application.store.reading() as reading:
        game = reading.games.get(GameId(judge.name))
        assert game is not None
        view = load(application.services, reading, game)
        seconds = seconds_of(
            lambda: process(application.services, reading, view, application.clock())
        )
        part = MessageRenderer.part
        with patch.object(MessageRenderer, "part", autospec=True, side_effect=part) as rendered:
            changes, _ = process(application.services, reading, view, application.clock())
    readers = len(changes.messages)
    yield Figure(
        f"a phase with the results of {readers} readers, / pydip",
        seconds / pydip,
        "",
        remark=f"{1000 * seconds:.0f} ms",
    )
    yield Figure(
        f"shared texts rendered for {readers} readers: two for players, two for the master",
        rendered.call_count,
        "4",
    )
