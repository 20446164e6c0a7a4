"""Every result carries its reason: rivals as strong as they are said to be, attackers that attack.

Checked in random battles; tests/replays checks the recorded phases.
"""

from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.year.steps import play
from tests.adjudicator.chronicle import Chronicle
from tests.adjudicator.echoes import Echoes
from tests.adjudicator.report import Report
from tests.strategies import CLASSIC, STANDARD, STRAITS, battles

BATTLES = st.one_of(battles(CLASSIC), battles(CLASSIC, 9, STRAITS), battles(STANDARD))


@given(BATTLES)
def test_reasons_are_borne_out_by_the_other_events(battle) -> None:
    """Strengths recompute from supports, cuts name an attack, convoys a fleet of their route."""
    played = play(battle.world, battle.state, battle.orders, GivenDice({}))

    assert list(Report(battle.world, played.events).faults()) == []


@given(BATTLES)
def test_events_say_what_was_before(battle) -> None:
    """Owners that lose something had it, sieges that end were laid, orders are told as given."""
    played = play(battle.world, battle.state, battle.orders, GivenDice({}))

    assert list(Chronicle(battle.world, battle.state, played.events).faults()) == []
    assert list(Echoes(played.standing, played.events).faults()) == []
