"""What the demo plays: at the adjudicator alone, and through the mails of a judge."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.events import UnitChangedOwner
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.money.income import yearly_income
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import play
from machjudge.cli import main
from machjudge.cli.demo import Script, ScriptPhase, advanced_campaign, introductory_game
from machjudge.judge.game_view import read_order_lines
from machjudge.judge.opening import set_up
from machjudge.judge.records import FiledOrder
from machjudge.judge.rule_settings import BadOption, rules_for
from machjudge.map_files.folders import Atlas
from machjudge.settings import maps_folder
from tests.journeys.judge import OPENED

SCRIPTS = (introductory_game(), advanced_campaign())
ACTS = SCRIPTS[0].acts
NO_DICE = SecretDice(bytes(32), "none are thrown")


@cache
def world(number: int = 0) -> World:
    """The board and the rules of a script."""
    script = SCRIPTS[number]
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
        after = play(world(), state, _orders_of(act, state), NO_DICE).state
        found[act.phase] = (state, after)
        state = after
    return found


def _orders_of(act: ScriptPhase, state: State, script: int = 0) -> dict[PowerId, tuple]:
    stage = state.moment.stage
    return {
        PowerId(power): read_order_lines(
            world(script), stage, [FiledOrder(line, line, OPENED, None) for line in lines]
        )
        for power, lines in act.orders.items()
    }


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


@dataclass(frozen=True)
class Staged:
    """What the demo left and printed, and the seconds that it computed."""

    folder: Path
    printed: list[str]
    seconds: float


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=25)
def test_the_advanced_campaign_ends_as_it_must_whatever_the_dice_say(secret: bytes) -> None:
    """No income, no assassin and no rebel of it moves a unit from where the script has it."""
    start = set_up(world(1))
    income = yearly_income(world(1), start, SecretDice(secret, start.moment.code))
    state = evolve_all(start, income)
    for act in SCRIPTS[1].acts:
        dice = SecretDice(secret, act.phase)
        played = play(world(1), state, _orders_of(act, state, script=1), dice)
        state = played.state
        assert {power: units_of(state, power) for power in act.after} == act.after
        assert {place: state.provinces[PlaceId(place)] for place in act.control} == act.control
    assert any(isinstance(event, UnitChangedOwner) for event in played.events)


@pytest.fixture(scope="module")
def stage(tmp_path_factory) -> Staged:
    """Both games played by mail as `machjudge demo` does."""
    folder = tmp_path_factory.mktemp("stage") / "demo"
    before = _computed()
    printed = CliRunner().invoke(main, ["demo", "--folder", str(folder)])
    assert printed.exit_code == 0, printed.output
    return Staged(folder, printed.output.splitlines(), _computed() - before)


def _computed() -> float:
    """Seconds that this process and its children have computed so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def test_one_person_plays_practice_in_a_terminal(tmp_path) -> None:
    """Mails of typed lines, each answered, and the results when the orders are complete."""
    typed = "HINT\n.\nmaintain all\n.\nTAKE BACK\n.\n"

    printed = CliRunner().invoke(
        main, ["demo", "--play", "--folder", str(tmp_path / "demo")], input=typed
    )

    assert printed.exit_code == 0, printed.output
    parts = printed.output.split("Your mail, ended by a line with a full stop:")
    told = " ".join(parts[0].split())
    assert "you against bots" in told
    assert [mark for part in parts[1:] for mark in _MARKS if mark in part] == list(_MARKS)


_MARKS = ("HINT FOR F1453B", "NEXT: Spring 1454", "Back to Fall 1453 adjustment")


def test_each_phase_by_mail_ends_as_it_must(stage) -> None:
    """Every order as a mail from a player, every answer and result as a mail received."""
    printed = stage.printed
    told = [act for script in SCRIPTS for act in script.acts if act.after]

    equal = [line for line in printed if line.startswith("Every unit stands where it stands in")]
    assert len(equal) == len(told)


def test_a_newcomer_sees_a_bribe(stage) -> None:
    """The order, what its receipt counts, the result, and in the end what to try next."""
    printed = stage.printed

    for line in (
        "  | expense 1: 21 ducats buy A bol",
        "  > E1 21d buy A Bologna (Milan); leaves 6d",
        "  > A Bologna (Milan) now serves Florence.",
    ):
        assert line[:32] in [each[:32] for each in printed]
    assert printed.index("Try next, with .venv/bin/machjudge or wherever it is installed:") > 0
    assert "docs/playing.md" in printed[-1]


def test_it_takes_less_than_a_minute(stage) -> None:
    """Of computing, judge and players together; how long it takes on a busy machine is chance."""
    assert stage.seconds < 45


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.game)
def test_the_games_by_mail_hold_what_the_epilogue_promises(stage, script: Script) -> None:
    """Every position that is left is rebuilt from events and orders, and every die verified."""
    config = ["--config", str(stage.folder / "machjudge.toml")]

    replayed = CliRunner().invoke(main, [*config, "replay", script.game.upper()])
    verified = CliRunner().invoke(main, [*config, "verify", script.game])

    assert replayed.exit_code == verified.exit_code == 0
    assert replayed.output.endswith(f"{len(script.acts) + 1} phases, 0 of them wrong\n")
    assert "Everything holds." in verified.output
