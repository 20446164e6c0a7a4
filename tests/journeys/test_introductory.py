"""The introductory game of 1978: at the adjudicator alone, and through the mails of a judge."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.phase import play
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.atlas import Atlas
from machjudge.cli import main
from machjudge.cli.stage.performance import GAME, Performance
from machjudge.cli.stage.script import Act, introductory_game
from machjudge.cli.stage.theatre import open_theatre
from machjudge.service.opening import set_up
from machjudge.service.records import GameId, SheetLine
from machjudge.service.rulebook import BadOption, rules_for
from machjudge.service.speech import read_order_lines
from machjudge.settings import load, maps_folder
from machjudge.wiring import build
from tests.journeys.judge import OPENED

ACTS = introductory_game().acts
NO_DICE = SecretDice(bytes(32), "none are thrown")


@cache
def world() -> World:
    """The board and the rules of the game."""
    script = introductory_game()
    scenario = Atlas([maps_folder()]).scenario(script.scenario)
    assert scenario is not None
    rules = rules_for(scenario, script.options.split())
    assert not isinstance(rules, BadOption)
    return world_of(scenario, rules)


@cache
def positions() -> dict[str, tuple[State, State]]:
    """Before and after each act, by its phase."""
    state, found = set_up(world()), {}
    for act in ACTS:
        after = play(world(), state, dict(_orders(act, state)), NO_DICE).state
        found[act.phase] = (state, after)
        state = after
    return found


def _orders(act: Act, state: State) -> Iterator[tuple[PowerId, tuple]]:
    for power, lines in act.orders.items():
        written = [SheetLine(line, line, OPENED, None) for line in lines]
        yield PowerId(power), read_order_lines(world(), state.moment.stage, written)


def units_of(state: State, power: str) -> set[str]:
    """Where a power's units stand, as the script writes it."""
    return {
        f"{unit.kind.value} {unit.place}" + (f"/{unit.coast}" if unit.coast else "")
        for unit in state.units()
        if unit.owner == power
    }


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.phase)
def test_each_phase_ends_as_in_the_book(act) -> None:
    """At the adjudicator: the phase is the one that is due, the position after it the book's."""
    before, after = positions()[act.phase]

    assert before.moment.code == act.phase
    assert {power: units_of(after, power) for power in act.after} == act.after
    assert {place: after.provinces[PlaceId(place)] for place in act.control} == act.control


@pytest.fixture(scope="module")
def stage(tmp_path_factory) -> tuple[Path, list]:
    """The game played by mail as `machjudge demo` does; its folder, and how it compares."""
    folder = tmp_path_factory.mktemp("stage") / "demo"
    with open_theatre(folder) as theatre:
        house = build(load({}, file=folder / "machjudge.toml"))

        def position(name: str) -> State:
            with house.store.reading() as work:
                game = work.games.get(GameId(name))
                assert game is not None
                assert game.position is not None
                return work.phases.get(game.id, game.position).after

        performance = Performance(theatre, introductory_game(), lambda *_: None, position)
        performance.open()
        compared = [performance.play(act) for act in ACTS]
        house.close()
    return folder, compared


@pytest.mark.slow
def test_each_phase_by_mail_ends_as_in_the_book(stage) -> None:
    """Every order as a mail from a player, every answer and result as a mail received."""
    _, compared = stage

    assert [(each.act.phase, each.differences) for each in compared] == [
        (act.phase, ()) for act in ACTS
    ]


@pytest.mark.slow
def test_the_game_by_mail_can_be_replayed(stage) -> None:
    """Every position that is left in the folder is rebuilt from its events and its orders."""
    folder, _ = stage
    printed = CliRunner().invoke(
        main, ["--config", str(folder / "machjudge.toml"), "replay", GAME.upper()]
    )

    assert printed.exit_code == 0
    assert printed.output.endswith(f"{len(ACTS) + 1} phases, 0 of them wrong\n")
