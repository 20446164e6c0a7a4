"""Retreats that the judge chooses: no phase of their own, and no mail (MOV-47)."""

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.options import with_option
from tests.judge.house import House, started
from tests.judge.year import SPRING, SUMMER, play


def played(choice: str) -> tuple[House, str]:
    """A house after the first Summer, in which Perugia falls, and what was said of it."""
    house = started("nomoney")
    house.change(rules=with_option(house.game().rules, "retreat_choice", choice))
    play(house, {**SPRING, "I": SPRING["I"][:3]})
    sent = play(house, {**SUMMER, "I": SUMMER["I"][:3]})
    (results, *_) = (mail.body for mail in sent if "Results of Summer 1454" in mail.body)
    return house, results


@pytest.mark.parametrize("choice", ["judge_ranked", "judge_lumped"])
def test_the_campaign_tells_where_the_judge_sent_the_unit(choice: str) -> None:
    """And nobody is asked: the next campaign follows at once."""
    house, results = played(choice)

    assert house.view().state.moment.code == "F1454M"
    assert "RETREATS\nA Perugia (Papacy) retreats to " in results
    assert "may retreat" not in results


def test_players_are_asked_by_the_usual_rules() -> None:
    """In a phase of its own."""
    house, results = played("player")

    assert house.view().state.moment.stage is Stage.RETREATS
    assert "A Perugia (Papacy) may retreat to" in results
