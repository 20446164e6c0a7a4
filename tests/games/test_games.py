"""Whole games with random orders: no exception, and nothing that cannot be."""

import time

import pytest

from machjudge.adjudicator.options import PRESETS
from tests.games.closely import GAMES, GAMES_BY_PRESET, play_all, play_by_mail
from tests.games.game import Deal, atlas
from tests.games.variations import Variation, variations, with_everything

SCENARIOS = atlas().scenario_ids()
BY_MAIL = (
    (),
    ("plague", "storms", "forts", "disband"),
    ("nodice",),
    ("nomoney",),
    ("nosummer", "plague", "nospecial"),
    ("noadjacency", "noloans", "storms"),
)
"""Flags with which games are played by mail, in turn."""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_short_game_of_each_scenario_keeps_the_rules(scenario: str) -> None:
    """Three years with everything switched on."""
    tally, broken = play_all([Deal(scenario, 4, chosen=with_everything(), most_years=3)])

    assert broken == []
    assert tally.phases >= 5


@pytest.mark.parametrize("preset", PRESETS)
def test_a_short_game_by_each_preset_keeps_the_rules(preset: str) -> None:
    """Two years; each preset has a scenario of its own."""
    scenario = SCENARIOS[list(PRESETS).index(preset) % len(SCENARIOS)]

    tally, broken = play_all([Deal(scenario, 0, chosen=Variation(preset), most_years=2)])

    assert broken == []
    assert tally.phases >= 4


@pytest.mark.slow
def test_a_year_by_each_variation_keeps_the_rules() -> None:
    """Every option of the rules with each of its values."""
    deals = [Deal("1454", seed, most_years=1) for seed in range(len(variations()))]

    tally, broken = play_all(deals)

    assert broken == []
    assert tally.games == len(variations())


@pytest.mark.parametrize("options", BY_MAIL[:2], ids=" ".join)
def test_a_year_by_mail_keeps_the_rules(options: tuple[str, ...]) -> None:
    """Every mail is answered, the ledger balances, and what is exported holds."""
    game = play_by_mail("1454", options, seed=0, years=1)

    assert game.flaws == []
    assert game.mails > 30


@pytest.mark.games
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_games_by_mail_keep_the_rules(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One of five years for each choice of flags; the number of the choice is the seed."""
    started = time.perf_counter()
    games = [play_by_mail(scenario, options, seed, years=5) for seed, options in enumerate(BY_MAIL)]

    mails = sum(game.mails for game in games)
    phases = sum(len(game.house.store.tables.phases) for game in games)
    with capsys.disabled():
        took = time.perf_counter() - started
        told = f"{scenario} by mail: {len(games)} games, {phases} phases, {mails} mails"
        print(f"\n{told}, {took:.0f} s")  # noqa: T201
    assert [game.flaws for game in games] == [[] for _ in games]


@pytest.mark.games
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_whole_games_keep_the_rules(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two hundred of up to twenty years; a broken one says how to repeat it."""
    started = time.perf_counter()

    tally, broken = play_all(Deal(scenario, seed) for seed in range(GAMES))

    with capsys.disabled():
        took = time.perf_counter() - started
        print(f"\n{scenario}, seeds 0 to {GAMES - 1}: {tally}, {took:.0f} s")  # noqa: T201
    assert broken == []
    assert tally.games == GAMES


@pytest.mark.games
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("preset", PRESETS)
def test_games_by_each_preset_keep_the_rules(preset: str, scenario: str) -> None:
    """Fifty games of up to six years for each preset and scenario."""
    chosen = Variation(preset)

    tally, broken = play_all(Deal(scenario, seed, 6, chosen) for seed in range(GAMES_BY_PRESET))

    assert broken == []
    assert tally.games == GAMES_BY_PRESET
