"""SET JSON: results bring what happened as a JSON file, as far as its reader may see it."""

import json
from dataclasses import replace

import pytest

from machjudge.adjudicator.events import ExpenseSettled, UnitBuilt
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import preset
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.adjudicator.world import world_of
from machjudge.formats.values import read_events
from machjudge.judge.mails import Attachment, Outgoing
from machjudge.judge.process import events_file
from machjudge.messages.results import PlayedPhase
from machjudge.messages.visibility import EVERYTHING, Sight
from tests.drawing.campaign import campaign
from tests.judge.year import OPENING, SPRING, address_of, order, play
from tests.messages.test_golden import running

FLORENCE, TURKS = PowerId("L"), PowerId("T")


def file_for(sight: Sight) -> dict[str, object]:
    """The file of the campaign for somebody."""
    told = campaign()
    world = world_of(told.scenario, preset("judge"))
    seen = PlayedPhase(*sight.phase(world, told.before, told.after, told.events), told.orders)
    found: dict[str, object] = json.loads(events_file(running().game(), seen, sight).content)
    return found


def test_it_has_the_events_of_the_phase_and_says_which() -> None:
    """Read again they are the events that were played, for anyone who may see all."""
    told = campaign()
    found = file_for(EVERYTHING)

    assert found["format"] == "machjudge-events"
    assert (found["game"], found["phase"]) == ("Borgia", told.before.moment.code)
    assert found["next"] == told.after.moment.code
    assert read_events(found["events"]) == told.events


@pytest.mark.parametrize(
    ("sight", "sees"),
    [
        (Sight(frozenset({TURKS})), True),
        (Sight(frozenset({FLORENCE}), hidden_money=True), True),
        (Sight(frozenset({TURKS}), hidden_money=True), False),
        (Sight(hidden_money=True, is_master=True, plays=True), False),
        (Sight(frozenset({TURKS}), hidden_money=True, is_over=True), True),
    ],
)
def test_ducats_stand_in_it_for_those_who_may_know_of_them(sight: Sight, sees: bool) -> None:
    """Florence's bribe of 30 ducats."""
    events = read_events(file_for(sight)["events"])

    assert any(isinstance(each, ExpenseSettled) for each in events) is sees


def test_hidden_units_and_kinds_do_not_stand_in_it() -> None:
    """A mercenary built in the fog: Venice has neither the event nor the word (FOG-01, SPC-06)."""
    told = campaign()
    world = world_of(told.scenario, preset("judge"))
    fleet = Unit(PowerId("N"), Kind.FLEET, PlaceId("pal"), quality=Quality.MERCENARY)
    spring = Moment(Campaign(1455, Season.SPRING), Stage.CAMPAIGN)
    adjustment = Moment(Campaign(1454, Season.FALL), Stage.ADJUSTMENT)
    before = replace(told.after, moment=adjustment, dislodged=(), field={})
    after = replace(before, moment=spring, field={fleet.place: fleet})
    files = {}
    for who, foggy in (("N", True), ("V", True), ("T", False)):
        sight = Sight(frozenset({PowerId(who)}), foggy=foggy, hidden_kinds=True, plays=True)
        seen = sight.phase(world, before, after, (UnitBuilt(fleet, 3),))
        files[who] = events_file(running().game(), PlayedPhase(*seen, {}), sight).content.decode()

    assert "F pal em" in files["N"]
    assert "pal" not in files["V"]
    assert "F pal" in files["T"]
    assert "F pal em" not in files["T"]


def files_of(letter: Outgoing) -> list[Attachment]:
    """The JSON files of a message."""
    return [each for each in letter.attachments if each.media_type == "application/json"]


def test_results_bring_it_to_anyone_who_wished_for_it() -> None:
    """SET JSON ON for one of the players; the others' results are as they were."""
    house = running()
    play(house, OPENING)
    (on,) = order(house, "L", "SET JSON ON")
    letters = {each.to: each for each in play(house, SPRING) if "Results of" in each.body}
    (file,) = files_of(letters[address_of(house, "L")])

    assert "JSON" in on.body
    assert file.name == "borgia-S1454M.json"
    assert json.loads(file.content)["powers"] == ["L"]
    assert not files_of(letters[address_of(house, "V")])
