"""Single options of the rules, set by mail with their names."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, OPTIONS, value_text, with_option
from machjudge.adjudicator.units import ARMY, Unit
from machjudge.adjudicator.world import world_of
from machjudge.judge import rule_settings
from machjudge.judge.game_settings import SERVICE_OPTION_FIELDS, service_value
from machjudge.judge.opening import set_up
from machjudge.messages.wording import played_with
from machjudge.translatable import Message
from tests.cases import cases
from tests.judge.house import House, atlas, message_renderer, started
from tests.judge.letters_in import answer, write
from tests.judge.setup.test_ruling import LUCIA, MASTER, forming, master
from tests.judge.year import OPENING, play
from tests.rule_values import option_value

say = message_renderer().say


@cases
def test_an_option_is_set_by_its_name(line: str, name: str, value: object) -> None:
    """However the name and the value are parted."""
    house = forming()
    master(house, line)

    wanted = tuple(value) if isinstance(value, list) else value
    assert option_value(house.game().rules, name) == wanted


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_an_option_is_set_by_mail(name: str) -> None:
    """The usual one last; the answer says what is played, and so do the rules."""
    option, house = OPTIONS[name], forming()
    for value in sorted(option.choices, key=lambda each: each == option.default):
        said = master(house, f"SET OPTION {name} {value_text(value)}")

        assert option.of(house.game().rules) == value
        assert say(played_with(name, value)).rstrip(".") in said


@pytest.mark.parametrize("name", SERVICE_OPTION_FIELDS)
def test_every_value_of_a_service_option_is_set_by_mail(name: str) -> None:
    """The usual one last."""
    option, house = SERVICE_OPTION_FIELDS[name], forming()
    for value in sorted(option.choices, key=lambda each: each == option.default):
        master(house, f"SET OPTION {name} {value_text(value)}")

        assert service_value(house.game().settings, name) == value


@pytest.mark.parametrize(
    ("line", "flag"),
    [
        ("SET OPTION storm sea_die", "storms"),
        ("SET OPTION adjacency units_or_control", "adjacency"),
    ],
)
def test_a_flag_is_on_with_any_value_that_is_not_off(line: str, flag: str) -> None:
    """The listing says so, and to switch it on changes nothing."""
    house = forming()
    master(house, line)
    rules = house.game().rules
    master(house, f"SET {flag}")
    on, _, off = listing(house).partition("On: ")[2].partition("Off: ")

    assert house.game().rules == rules
    assert flag in on
    assert flag not in off.partition("To win")[0]


def test_a_price_is_set_and_the_others_stay() -> None:
    """And the listing says so, in a sentence."""
    house = forming()
    said = master(house, "SET OPTION expense_prices b=9 i=24")

    prices = option_value(house.game().rules, "expense_prices")
    assert prices == {**dict(OPTIONS["expense_prices"].default), "b": 9, "i": 24}
    assert "(b) 9d" in " ".join(said.split())
    assert "Expenses cost at least: famine relief (a) 3d, pacifying a reb" in listing(house)


def listing(house: House) -> str:
    """The listing of the game in one line."""
    return " ".join(answer(write(house, LUCIA, MASTER, "LIST"), LUCIA).split())


@cases
def test_what_cannot_be_is_refused_with_the_nearest(line: str, why: str, instead: str) -> None:
    """Names and values; nothing changes."""
    house = forming()
    before = house.game().rules
    said = master(house, line)

    assert why.lower() in said.lower()
    assert instead in said
    assert house.game().rules == before


@cases
def test_nonsense_is_refused_in_short(line: str) -> None:
    """Without a fault, whatever stands there."""
    house = forming()
    before = house.game().rules
    said = master(house, line)

    assert "NOT TAKEN" in said
    assert house.game().rules == before


def test_set_04_an_option_with_a_flag_switches_what_hangs_on_it() -> None:
    """As the flag does: without dice there are no loans, and the answer says so."""
    house = forming()
    said = master(house, "SET OPTION dice off")

    assert option_value(house.game().rules, "loans") is False
    assert "and with them" in said


def test_an_option_of_a_game_that_is_played_is_told_to_everybody() -> None:
    """And marked in the log."""
    house = started()
    play(house, OPENING)
    sent = write(house, LUCIA, MASTER, "SET OPTION home_loss all_lost")

    told = [" ".join(each.body.split()) for each in sent if "settings changed" in each.subject]
    assert len(told) == 7
    assert all("changed a rule: A power loses" in body for body in told)
    assert any("(home_loss: all_lost)" in note.text for note in house.store.tables.notices)


def test_neutral_countries_do_not_close_over_units() -> None:
    """They cannot be closed while units stand in them (MAP-30)."""
    scenario = atlas().scenario("1385")
    closed = world_of(scenario, with_option(JUDGE, "neutral_impassable", value=True))
    state = set_up(closed)
    inside = replace(state, field={**state.field, PlaceId("swi"): Unit(PowerId("M"), ARMY, "swi")})

    assert rule_settings.unfit(closed, JUDGE, state) != Message("setup.unfit.neutral")
    assert rule_settings.unfit(closed, JUDGE, inside) == Message("setup.unfit.neutral")


def test_help_tells_what_is_played_with_each_value() -> None:
    """And what is played in the game of the mail."""
    house = forming()
    said = master(house, "SET OPTION home_formula floor", "HELP OPTION home_formula")

    assert "ceil (usual)" in said
    assert "divided by eight, rounded down." in said
    assert "In this game it is floor." in said
    assert "GET RULES VIC-05" in said


def test_help_names_the_expenses_whose_letters_are_the_value() -> None:
    """And says what an empty value means."""
    said = master(forming(), "HELP OPTION adjacency_kinds", "HELP OPTION unit_caps")
    none = master(forming(), "SET OPTION adjacency_kinds none")

    assert "counter-bribe (c), disbanding" in " ".join(said.split())
    assert "No limit is set to the armies, fleets and garrisons of a power." in said
    assert (
        "No expense needs a unit of yours next to its target (adjacency_kinds: none)."
        in " ".join(none.split())
    )


def test_help_options_lists_every_option() -> None:
    """Each with its values."""
    said = master(forming(), "HELP OPTIONS")

    assert [name for name in OPTIONS if f" {name}: " not in said] == []


def test_an_option_that_is_set_like_a_setting_is_told_how() -> None:
    """Its name is known: the line that sets it differs by one word."""
    for line in ("SET FOG", "set fog karttunen", "SET SIDE_UNITS one"):
        said = master(forming(), line)
        name = line.split()[1].lower()

        assert f"'{name}' is an option: HELP OPTION {name} names its values" in said
