"""The rules that a master sets, number by number of the catalogue's area SET."""

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import PRESETS, departures
from machjudge.adjudicator.rules import Route
from machjudge.judge.archive import replay
from machjudge.judge.game_settings import TOGGLES
from machjudge.judge.records import Game, GameId
from machjudge.judge.rule_settings import FLAGS
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, write
from tests.judge.phases.test_mastering import GINA, ruled
from tests.judge.phases.test_mastering import master as steer
from tests.judge.year import OPENING, address_of, order, play
from tests.rule_values import option_value

LUCIA = "lucia@player.example"
MASTER = "SIGNON Mborgia masterkey"


@built_once
def forming(*options: str) -> House:
    """A game of 1454 that forms, with a player besides its master."""
    house = House()
    write(house, LUCIA, f"CREATE ?borgia masterkey 1454 {' '.join(options)}")
    write(house, "anna@player.example", "SIGNON ?borgia tulip9")
    return house


def master(house: House, *lines: str) -> str:
    """The answer to a mail of the master, in one line."""
    sent = write(house, LUCIA, MASTER, *lines)
    return " ".join(next(x.body for x in sent if x.subject.startswith("Re:")).split())


def options_of(game: Game, *names: str) -> tuple[object, ...]:
    """The values of some options of a game's rules."""
    return tuple(option_value(game.rules, name) for name in names)


@cases
def test_each_flag_is_set(number: str, line: str, option: str, value: object) -> None:
    """By its names of the catalogue; *number* says which."""
    house = forming()
    master(house, line)

    assert options_of(house.game(), option) == (value,), number


def test_mach2_is_switched_off_without_a_mistake_where_it_is_not_on() -> None:
    """SET-01: and nothing changes."""
    house = forming()
    before = house.game().rules

    assert "mach2 is off." in master(house, "SET NOMACH2")
    assert house.game().rules == before


def test_nomach2_brings_the_usual_rules_back() -> None:
    """SET-01: from Diplomacy, which is made of them."""
    house = forming("preset", "diplomacy")
    master(house, "SET NOMACH2")

    assert house.game().rules == PRESETS["judge"]


def test_no_money_takes_bribes_assassins_and_special_units_along() -> None:
    """SET-03: the Basic economy."""
    house = forming()
    master(house, "SET NOMONEY")

    assert options_of(house.game(), "loans", "assassinations", "special") == (False, False, False)


def test_money_is_on_however_the_game_opens() -> None:
    """SET-03: the flag that is on already leaves the opening of the rules of 1995 as it is."""
    house = forming()
    master(house, "SET MACH2")

    assert "money is on, as before" in master(house, "SET MONEY")
    assert options_of(house.game(), "money", "initial_adjustment") == (True, "fixed_money")
    assert "On: money, dice" in master(house, "LIST borgia")


def test_a_scenario_of_that_name_comes_before_the_set_of_rules() -> None:
    """SET-20: ``machiavelli2`` is 1454 on the board of 1995, which is played by its rules."""
    house = forming()
    master(house, "SET SCENARIO machiavelli2")

    assert house.game().scenario == "machiavelli2"
    assert house.game().rules.income == PRESETS["mach2"].income
    assert options_of(house.game(), "control_timing") == ("fall",)


@pytest.mark.parametrize("word", ["mach2", "machiavelli2", "mach_2"])
def test_the_rules_of_1995_go_by_several_names(word: str) -> None:
    """On whatever board (SET-20)."""
    house = forming()
    master(house, f"SET PRESET {word}")

    assert house.game().scenario == "1454"
    assert options_of(house.game(), "control_timing") == ("fall",)


def test_no_dice_fixes_incomes_and_ends_all_chance() -> None:
    """SET-04: famine, plague, loans and assassinations go; each of them brings the dice back."""
    chance = ("famine", "plague", "loans", "assassinations")
    house = forming("plague")
    master(house, "SET NODICE")
    assert options_of(house.game(), *chance) == (False, False, False, False)

    for flag in chance:
        master(house, "SET NODICE", f"SET {flag.upper()}")
        assert options_of(house.game(), "dice") == (True,)


def test_usual_flags_are_those_of_the_catalogue() -> None:
    """SET-16: the list of Mach1, with summer and garrisons."""
    names = ("famine", "plague", "loans", "assassinations", "dice", "special", "forts")
    more = ("adjacency", "storm", "money", "coastal_convoys", "disband_order", "summer")
    house = forming()

    assert options_of(house.game(), *names) == (True, False, True, True, True, True, False)
    assert options_of(house.game(), *more) == ("units", "off", True, True, False, True)
    assert options_of(house.game(), "garrisons") == (True,)


def test_basic_is_a_set_of_flags() -> None:
    """SET-16, SET-17: all off but coastal convoys and disbanding; no money, no dice."""
    house = forming()
    assert "the rules are those of basic" in master(house, "SET PRESET basic")

    names = ("money", "dice", "famine", "loans", "assassinations", "special", "forts")
    assert options_of(house.game(), *names) == (False,) * 7
    assert options_of(house.game(), "coastal_convoys", "disband_order") == (True, True)
    assert "no such set of rules" in master(house, "SET PRESET nonsense")


def test_flags_show_in_the_listing() -> None:
    """SET-19: the set of rules, on and off, and what wins."""
    house = forming()
    master(house, "SET NODICE", "SET CITIES 23")
    text = " ".join(answer(write(house, "dino@x.example", "LIST borgia"), "dino@x.example").split())

    off = text.partition("Off:")[2].partition("To win:")[0]
    assert {"dice", "famine", "plague"} <= {word.strip(",. ") for word in off.split()}
    assert "Rules: judge, the old judge's usual rules of 2004, but" in text
    assert "To win: 23 cities, 3 home countries." in text


def test_basic_games_may_have_disasters() -> None:
    """SET-21: the master switches famine on, which brings dice and no money."""
    house = forming()
    master(house, "SET PRESET basic", "SET FAMINE")

    assert options_of(house.game(), "famine", "dice", "money") == (True, True, False)


def test_number_of_cities_belongs_to_the_master() -> None:
    """SET-22: within the cities of the map; the homes follow or are set."""
    house = forming()
    assert "to win: 18 cities, 3 home countries." in master(house, "SET CITIES 18")
    assert "18 cities, 1 home country" in master(house, "SET HOMES 1")
    assert "write a number from 1 to" in master(house, "SET CITIES 0")
    assert "write a number from 1 to" in master(house, "SET CITIES 500")
    assert "home countries at most" in master(house, "SET HOMES 99")
    assert options_of(house.game(), "victory_cities", "victory_homes") == (18, 1)


def test_rules_of_a_running_game_change_with_a_mark() -> None:
    """In the log, to everybody, and from the next phase on."""
    house = started()
    play(house, OPENING)
    sent = write(house, LUCIA, MASTER, "SET PLAGUE")

    assert options_of(house.game(), "plague") == (True,)
    told = [x for x in sent if "settings changed" in x.subject]
    assert len(told) == 7
    assert all("in the game that is" in " ".join(x.body.split()) for x in told)
    kinds = [(n.kind, n.text) for n in house.store.tables.notices]
    assert ("rules", "plague is on, from now on in the game that is played") in kinds


@cases
def test_rules_that_do_not_fit_the_position_are_refused(line: str, words: str) -> None:
    """The game of 1454 is in its first adjustment, with garrisons."""
    house = started()
    before = house.game().rules

    assert words in master(house, line).replace("Money", "money").replace("Garrisons", "garrisons")
    assert house.game().rules == before


def test_summer_is_left_out_once_it_is_over() -> None:
    """In Summer itself it stays."""
    house = started("nomoney")
    write(house, LUCIA, MASTER, "PROCESS S1454M")
    assert house.view().state.moment.code == "U1454M"

    assert "it is Summer now" in master(house, "SET NOSUMMER").replace("It", "it")


def test_money_may_come_into_a_game_that_began_without() -> None:
    """Every treasury is empty then, and fills like any other: by loans, gifts and income."""
    house = started("nomoney")
    master(house, "SET MONEY, LOANS")
    order(house, "L", "A flo h", "A are h", "F psa h", "borrow 5 d for 1 year", "pay 2 d to milan")
    order(house, "I", "A mil h", "e1: 3 d counter-bribe A mil")

    write(house, LUCIA, MASTER, "PROCESS S1454M")
    borrowed = house.view().state.treasuries
    for phase in ("U1454M", "F1454M", "F1454B"):
        write(house, LUCIA, MASTER, f"PROCESS {phase}")
    state = house.view().state

    assert (borrowed["L"], borrowed["I"]) == (5, 0)
    assert state.moment.code == "S1455M"
    assert set(state.treasuries) == set("IVLPNTAF")
    assert min(state.treasuries.values()) >= 0
    assert sum(state.treasuries.values()) > sum(borrowed.values())
    assert all(check.is_kept for check in replay(house.services, GameId("borgia")) or [])


def test_assassins_need_the_chits_of_the_beginning() -> None:
    """ASN-01: who has none could never send one, so the flag is refused; off and on is no harm."""
    without, with_chits = House(), House()
    without.start(options=["noassassinations"])
    with_chits.start()

    refused = master(without, "SET ASSASSINATIONS")
    master(with_chits, "SET NOASSASSINATIONS")
    taken = master(with_chits, "SET ASSASSINATIONS")

    assert "There are no chits: a game that begins without assassinations deals none." in refused
    assert options_of(without.game(), "assassinations") == (False,)
    assert "assassinations are on" in taken
    assert options_of(with_chits.game(), "assassinations") == (True,)


@cases
def test_flags_that_change_with_another_are_told(begun: str, line: str, says: str) -> None:
    """To everybody in the game, so that nobody wonders about the next results (SET-04)."""
    house = House()
    house.start(options=begun.split())

    sent = write(house, LUCIA, MASTER, line)

    told = [" ".join(x.body.split()) for x in sent if "settings changed" in x.subject]
    assert len(told) == 7
    assert all(f"a rule: {says}, from now on in the game that is played." in x for x in told)


def test_finished_game_keeps_its_rules() -> None:
    """Nothing changes any more."""
    house = started("nomoney")
    write(house, LUCIA, MASTER, "DECLARE VICTORY Venice")

    assert "game is over" in master(house, "SET PLAGUE")


def test_a_flag_that_is_so_already_changes_nothing_and_tells_nobody() -> None:
    """The master reads "as before"; the players read nothing."""
    house = started()
    sent = write(house, LUCIA, "SIGNON MBorgia masterkey", "SET DICE")

    assert [each.to for each in sent] == [LUCIA]
    assert "dice are on, as before." in answer(sent, LUCIA)


# --- what changes with it --------------------------------------------------------------------


def test_the_rules_of_1995_leave_what_was_set_before() -> None:
    """SET-01: a flag among others; the answer says what stays and what changes."""
    house = forming()
    told = master(house, "SET NOFAMINE, CITIES 12", "SET MACH2")

    assert options_of(house.game(), "famine", "control_timing") == (False, "fall")
    assert options_of(house.game(), "victory_level", "victory_cities") == ("custom", 12)
    assert "set before, and stays:" in told
    assert "(famine: false)" in told.partition("and stays:")[2]

    master(house, "SET NOMACH2")
    assert options_of(house.game(), "famine", "control_timing") == (False, "continuous")


@pytest.mark.parametrize(
    "line",
    ["SET MACH2", "SET NOMONEY", "SET PRESET karttunen", "SET BASIC", "SET NODICE", "SET CITIES 9"],
)
def test_each_rule_that_changes_with_another_is_named(line: str) -> None:
    """To the master and to the players, by its name or by that of its flag."""
    house = forming()
    before = house.game().rules
    sent = write(house, LUCIA, MASTER, line)
    changed = departures(house.game().rules, before)

    assert changed
    for letter in sent:
        told = letter.body.partition("to win:")[0] if "CITIES" not in line else ""
        flags = {flag.option: flag.name for flag in FLAGS}
        for name in changed if told else ():
            assert name in told or flags.get(name, name) in told, (letter.to, name)


def test_money_that_comes_back_says_what_stays_off() -> None:
    """SET-03: what went with it needs lines of its own."""
    house = forming()
    assert (
        "money is off, and with it loans, assassinations, special units and adjacency for bribes"
        in master(house, "SET NOMONEY")
    )
    told = master(house, "SET MONEY")

    assert "still off, each with a line of its own to switch it on: loans, assassinations" in told
    assert "still off" not in master(house, "SET MONEY")


# --- orders on file --------------------------------------------------------------------------


def test_orders_that_a_change_makes_void_are_off_file_at_once() -> None:
    """Their player reads which and why, and the phase waits; other orders stay."""
    house = ruled()
    play(house, OPENING)
    order(house, "L", "borrow 5 for 1 year", "A flo h", "A are h", "F psa h")
    order(house, "V", "A pad h", "A ver h", "F dal h", "G ven h")
    sent = steer(house, "SET NOBANK")
    mails = {each.to: " ".join(each.body.split()) for each in sent}
    florence, venice = mails[address_of(house, "L")], mails[address_of(house, "V")]

    assert "Orders of Florence that were on file cannot be given under it" in florence
    assert "borrow 5 ducats for 1 year: this game is played without that" in florence
    assert "until then the phase waits for its deadline" in florence
    assert "on file cannot be given" not in venice
    order_sets = house.view().order_sets
    assert [line.canonical for line in order_sets[PowerId("L")].lines] == [
        "A flo h",
        "A are h",
        "F psa h",
    ]
    assert order_sets[PowerId("L")].flawed
    assert not order_sets[PowerId("V")].flawed
    assert "were judged by it" in mails[GINA]
    assert "Florence loses borrow 5 ducats for 1 year: this game is played" in mails[GINA]
    (asked,) = order(house, "L", "WHO")
    assert "orrow" not in asked.body

    order(house, "L", "READY")
    assert not house.view().order_sets[PowerId("L")].flawed


def test_a_master_who_plays_does_not_read_whose_orders_a_change_makes_void() -> None:
    """It would say what others have ordered."""
    house = started()
    play(house, OPENING)
    order(house, "L", "borrow 5 for 1 year", "A flo h", "A are h", "F psa h")
    lucia = "lucia@player.example"
    sent = write(house, lucia, "SIGNON Mborgia masterkey", "SET NOBANK")
    told = " ".join(next(x.body for x in sent if x.to == lucia and "Re:" in x.subject).split())

    assert "were judged by it" in told
    assert "borrow" not in told


def test_a_change_that_makes_no_order_void_changes_no_orders() -> None:
    """Nobody gets an error flag by it."""
    house = ruled()
    play(house, OPENING)
    order(house, "L", "borrow 5 for 1 year", "A flo h", "A are h", "F psa h")
    before = house.view().order_sets
    steer(house, "SET NOFAMINE")

    assert house.view().order_sets == before


def test_set_23_the_appendix_makes_standard_diplomacy_and_the_answer_says_so() -> None:
    """On its board, of the rules of 1995 without their features; with one of them it does not."""
    house = House()
    write(house, LUCIA, "CREATE ?borgia masterkey dipmach")
    almost = master(house, "SET MACH2", "SET NODICE", "SET NOMONEY", "SET NOSPECIAL, NOGARRISONS")
    assert "diplomacy" not in almost
    assert house.game().rules.movement.convoy_route is Route.EXPLICIT

    told = master(house, "SET NOSUMMER")
    assert "nothing of Machiavelli is left, so the preset is diplomacy" in told
    assert house.game().rules == PRESETS["diplomacy"]

    master(house, "SET OPTION elimination no_home_city")
    assert options_of(house.game(), "elimination", "fleet_builds") == ("no_home_city", "coasts")


def test_set_23_on_another_board_it_stays_the_edition_of_1995() -> None:
    """The classic board is none of Diplomacy."""
    house = forming()
    master(house, "SET MACH2", "SET NODICE", "SET NOMONEY, NOSPECIAL, NOGARRISONS, NOSUMMER")

    assert options_of(house.game(), "convoy_route", "fleet_builds") == ("explicit", "ports")


@pytest.mark.parametrize("key", TOGGLES)
def test_a_setting_that_is_on_or_off_is_told_in_words(key: str) -> None:
    """To the master with its name, to the players without: they read what it means for them."""
    house = forming()
    write(house, "marco@player.example", "SIGNON ?borgia pwV")
    for no in ("", "NO"):
        sent = write(house, LUCIA, MASTER, f"SET {no}{key}")
        bodies = {each.to: " ".join(each.body.split()) for each in sent}

        assert f"{key.upper()} is {'off' if no else 'on'}: " in bodies[LUCIA]
        if "marco@player.example" in bodies:
            told = bodies["marco@player.example"]
            assert "The master has set: " in told
            assert f"set: {key} " not in told
