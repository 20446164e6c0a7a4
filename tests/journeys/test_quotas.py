"""Nobody fills a judge with games, observers and press, by SMTP."""

import pytest

from tests.journeys.conftest import SMALL, answer
from tests.journeys.pens import Writer

pytestmark = pytest.mark.slow

DARIO = Writer("Dario", "dario@far.example", "tulip99")


def test_games_and_seats_come_to_an_end(judge) -> None:
    """After three games a day, and as many observers as the keeper allows; each refusal is told."""
    judge.more["MACHJUDGE_OBSERVERS_PER_GAME"] = "2"
    judge.serve()
    made = [answer(judge, DARIO, f"CREATE ?game{n} tulip99 1385") for n in range(4)]
    observers = [Writer(f"Ugo {n}", f"ugo{n}@far.example", "") for n in range(3)]
    watching = [answer(judge, each, "OBSERVE borgia tulip9") for each in observers]

    assert ["is created" in told for told in made] == [True, True, True, False]
    assert "ou have made 3 games in 24 hours" in made[3]
    assert "has 2 observers, as many as a game may have" in watching[2]


def test_press_comes_to_an_end_and_orders_do_not(judge) -> None:
    """Sixty texts an hour; the orders below them count."""
    judge.serve()
    texts = [line for n in range(62) for line in ("PRESS TO L", f"text {n}", "ENDPRESS")]
    told = answer(judge, SMALL.people["V"], SMALL.signon("V"), *texts, "F dal H")

    assert told.count("ou have sent 60 texts in an hour") == 2
    assert "text 61" in told
    assert judge.rows("SELECT count(*) FROM sheets WHERE power = 'V'") == [(1,)]
