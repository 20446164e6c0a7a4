"""The results of a phase are made once for all readers who may see the same."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from machjudge.adjudicator.events import ChitGiven, GiftGiven, LoanTaken
from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.process import process
from machjudge.messages.news import SharedResults
from machjudge.messages.render import MessageRenderer
from machjudge.messages.results import PlayedPhase, phase_results
from machjudge.messages.visibility import EVERYTHING, Sight
from tests.judge.house import House
from tests.judge.riches import position, springtime, words_of
from tests.judge.year import address_of
from tests.messages.said import say

POWERS = [PowerId(power) for power in "IVLPNTAF"]
PURSES = {power: 41 + number for number, power in enumerate(POWERS)}


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the parts that are rendered apart from the messages."""
    made: list[str] = []
    part = MessageRenderer.part

    def counted(self: MessageRenderer, name: str, facts: dict[str, object]) -> str:
        made.append(name)
        return part(self, name, facts)

    monkeypatch.setattr(MessageRenderer, "part", counted)
    return made


def letters(house: House, *, hidden: bool) -> dict[str, str]:
    """What the players read when their phase is played, by their powers."""
    game = house.game()
    treasuries = Treasuries.PRIVATE if hidden else Treasuries.PUBLIC
    settings = replace(game.settings, treasuries=treasuries)
    house.store.tables.games[game.id] = replace(game, settings=settings)
    position(house, treasuries=dict(PURSES))
    with house.store.reading() as uow:
        changes, _ = process(house.services, uow, house.view(), house.now)
    bodies = {letter.to: letter.body for letter in changes.messages}
    return {power: bodies[address_of(house, power)] for power in POWERS}


def test_eight_readers_who_may_see_the_same_share_one_rendering(renderings: list[str]) -> None:
    """All but the player who runs the game too: a master is told more when it is won."""
    house = springtime()
    renderings.clear()
    told = letters(house, hidden=False)

    assert renderings == ["_sections"] * 4
    assert len(told) == 8
    for body in told.values():
        assert "\nOTHER POWERS\n" in body
        assert all(str(ducats) in body for ducats in PURSES.values())


def test_readers_who_may_see_different_things_read_only_theirs(renderings: list[str]) -> None:
    """Where treasuries are hidden, nobody's results are anybody else's."""
    house = springtime()
    renderings.clear()
    told = letters(house, hidden=True)

    assert len(renderings) == 16
    for power, body in told.items():
        money = body.partition("\nSTANDING\n")[2].partition("\n\n")[0]
        seen = [ducats for ducats in PURSES.values() if str(ducats) in money]
        assert seen == [PURSES[power]]


def sights() -> Iterator[Sight]:
    """Readers of all kinds."""
    powers = [frozenset[PowerId](), *(frozenset({power}) for power in POWERS)]
    for own, hidden, master, over in product(powers, *[(False, True)] * 3):
        yield Sight(own, is_master=master, plays=bool(own), hidden_money=hidden, is_over=over)


def test_what_is_shared_is_what_each_would_have_read_alone() -> None:
    """Gifts, loans and chits included, which some may see and others not, or not all of it."""
    house = springtime()
    state = house.view().state
    venice, lombardy, papacy = PowerId("V"), PowerId("L"), PowerId("P")
    events = (
        GiftGiven(venice, lombardy, ducats=3, asked=9),
        LoanTaken(papacy, 10, 12, state.moment.campaign),
        ChitGiven(lombardy, venice, papacy),
    )
    words = words_of(house)
    played = PlayedPhase(*EVERYTHING.phase(words.world, state, state, events), {})
    shared = SharedResults(words, played, str, say)

    for sight in sights():
        facts = shared.facts(sight)
        assert facts["results"] == phase_results(words, played, sight), sight
        assert facts["is_master"] == sight.is_master
