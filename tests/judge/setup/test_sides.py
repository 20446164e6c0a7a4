"""Fewer people than powers: each leads several, which win and lose together."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.formats.position import WHOLE_POSITION
from machjudge.judge.archive import replay
from machjudge.judge.game_view import players
from machjudge.judge.records import Status
from tests.cases import cases
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer, reply, write
from tests.results_told import tells_results

LUCIA, MARCO = "lucia@player.example", "marco@player.example"
GINA = "gina@desk.example"


@built_once
def begun(scenario: str = "1454-2-2", *, master: tuple[str, ...] = ()) -> House:
    """A game for two: Lucia leads Venice and the Papacy, Marco Milan, Florence and Naples."""
    house = House()
    write(house, GINA, f"CREATE ?borgia topsecret {scenario} nodice", *master)
    write(house, LUCIA, "SIGNON ?borgia lucky7", "SET PREF PV")
    write(house, MARCO, "SIGNON ?borgia marco7")
    return house


def test_whole_sides_are_dealt_by_preference_lists() -> None:
    """Two players are enough, and each has all the powers of one side."""
    house = begun()

    assert house.game().status is Status.RUNNING
    assert [seat.powers for seat in players(house.game())] == [("V", "P"), ("I", "L", "N")]
    assert house.view().state.sides == (("V", "P"), ("I", "L", "N"))


@pytest.mark.parametrize(
    ("scenario", "people", "each"), [("1454-4", 4, 2), ("1454-3-2", 3, 3), ("1521-2", 2, 3)]
)
def test_every_player_leads_as_many_powers_as_the_variant_says(scenario, people, each) -> None:
    """All powers have a player, and nobody has more than another where each chooses."""
    house = House()
    write(house, GINA, f"CREATE ?borgia topsecret {scenario}")
    for number in range(people):
        write(house, f"p{number}@player.example", "SIGNON ?borgia secret7")
    seats = players(house.game())
    led = [power for seat in seats for power in seat.powers]

    assert sorted(led) == sorted(house.services.scenario(house.game()).in_play)
    assert max(len(seat.powers) for seat in seats) == each


def test_a_wish_for_one_power_brings_its_whole_side() -> None:
    """Anyone who likes Naples best gets Milan and Florence with it."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454 players 2 option 2")
    write(house, LUCIA, "SIGNON ?borgia lucky7", "SET PREF N")
    write(house, MARCO, "SIGNON ?borgia marco7")

    assert players(house.game())[0].powers == ("I", "L", "N")


def test_players_can_be_set_until_the_game_begins() -> None:
    """The number of people changes with the variant, not the rules; too few is refused."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454 nodice")
    write(house, LUCIA, "SIGNON ?borgia lucky7")
    sent = answer(write(house, GINA, "SIGNON Mborgia topsecret", "SET PLAYERS 2 OPTION 2"), GINA)
    refused = answer(write(house, GINA, "SIGNON Mborgia topsecret", "SET PLAYERS 9"), GINA)

    assert house.game().scenario == "1454-2-2"
    assert "The game is for 2 players now" in sent
    assert "it is for 2, 3, 4, 5, 6, 7 or 8" in " ".join(refused.split())
    write(house, MARCO, "SIGNON ?borgia marco7")
    late = answer(write(house, GINA, "SIGNON Mborgia topsecret", "SET PLAYERS 4"), GINA)
    assert "does not change once the game has begun" in " ".join(late.split())


@pytest.mark.parametrize(("level", "told"), [("basic", True), ("ultimate", False)])
def test_a_number_of_players_that_does_not_suit_the_basic_victory_is_said(level, told) -> None:
    """The master can set the cities then."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1385", f"SET OPTION victory_level {level}")
    sent = answer(write(house, GINA, "SIGNON Mborgia topsecret", "SET PLAYERS 2"), GINA)

    assert "The game is for 2 players now" in sent
    assert ("does not suit so few players" in " ".join(sent.split())) is told


def test_one_mail_orders_for_all_powers_of_a_side() -> None:
    """The letter of the signon says for whom the first orders are; FOR goes on with another."""
    house = begun(master=("SET NOMONEY",))
    sent = answer(
        write(
            house,
            LUCIA,
            "SIGNON Pborgia lucky7",
            "A bol h",
            "FOR Venice",
            "A pad h",
        ),
        LUCIA,
    )
    order_sets = house.view().order_sets

    assert [line.written for line in order_sets[PowerId("P")].lines] == ["A bol h"]
    assert [line.written for line in order_sets[PowerId("V")].lines] == ["A pad h"]
    assert "3 orders of the Papacy missing" in sent
    assert "3 orders of Venice missing" in sent


@cases
def test_the_name_of_a_power_before_its_orders_is_for(lines) -> None:
    """As people write who lead several: with a colon, on the same line or above."""
    house = begun(master=("SET NOMONEY",))
    body = answer(write(house, LUCIA, "SIGNON Pborgia lucky7", *lines), LUCIA)

    assert body.count("COMPLETE: all orders of") == 2
    assert "NOT TAKEN" not in body
    assert "NOT READ" not in body


def test_a_slip_behind_the_name_of_a_power_is_told_for_that_power() -> None:
    """The other lines are not touched by it."""
    house = begun(master=("SET NOMONEY",))
    lines = ("hold all", "Venice: A pad xyzzy", "hold rest")
    body = answer(write(house, LUCIA, "SIGNON Pborgia lucky7", *lines), LUCIA)

    assert "COMPLETE: all orders of the Papacy are on file." in body
    assert "ERROR FLAG of Venice" in body


def test_the_first_message_shows_for_and_its_lines_work() -> None:
    """Anyone who leads two powers can send the example as it stands."""
    house = House()
    write(house, GINA, "CREATE ?borgia masterkey 1454-2-2 nodice nomoney")
    write(house, MARCO, "SIGNON ?borgia pw77", "SET PREF L")
    sent = write(house, LUCIA, "SIGNON ?borgia pw77")
    body = next(x.body for x in sent if x.to == LUCIA and "the game begins" in x.subject)
    example = body.partition("for example:\n")[2].partition("\n\n")[0].splitlines()
    lines = [line.strip().replace("yourpassword", "pw77") for line in example]

    assert [line for line in lines if line.startswith("FOR")] == ["FOR Venice", "FOR Papacy"]
    body = answer(write(house, LUCIA, *lines), LUCIA)
    assert body.count("COMPLETE") == 2
    assert "NOT COMPLETE" not in body


def test_the_lines_to_send_back_are_for_their_powers() -> None:
    """Copied into an answer they order all units of both; quoted as they were they order none."""
    house = begun(master=("SET NOMONEY",))
    told = write(house, LUCIA, "SIGNON Vborgia lucky7", "hold all", "FOR P", "hold all")
    others = ("hold all", "FOR L", "hold all", "FOR N", "hold all")
    sent = [*told, *write(house, MARCO, "SIGNON Iborgia marco7", *others)]
    (letter,) = [x for x in sent if x.to == LUCIA and tells_results(x.body)]
    form = letter.body.partition("LINES TO SEND BACK\n")[2].partition("\n\n")[0].splitlines()
    own = [line for line in form if line.endswith(" H") or line.startswith("FOR")]
    quoted = ["On Friday, MACH judge wrote:", "", *(f"> {row}" for row in letter.body.splitlines())]

    assert own[0] == "FOR Venice"
    assert "FOR Papacy" in own
    assert answer(reply(house, letter, *quoted), LUCIA).count("NOT COMPLETE") == 2
    body = answer(reply(house, letter, *own), LUCIA)
    assert body.count("COMPLETE") == 2
    assert "NOT COMPLETE" not in body


def test_an_order_for_another_power_of_the_side_says_how() -> None:
    """Nothing is guessed: the answer names the word that goes on with the other power."""
    house = begun(master=("SET NOMONEY",))
    sent = answer(write(house, LUCIA, "SIGNON Pborgia lucky7", "A pad h"), LUCIA)

    assert "FOR Venice" in sent


def test_the_rival_side_reads_nothing_of_the_orders() -> None:
    """A side sees the orders of its own powers, and of no other."""
    house = begun(master=("SET NOMONEY",))
    write(house, LUCIA, "SIGNON Pborgia lucky7", "A bol h", "FOR V", "A pad h")
    own = answer(write(house, LUCIA, "SIGNON Vborgia lucky7"), LUCIA)
    other = answer(write(house, MARCO, "SIGNON Lborgia marco7"), MARCO)

    assert "A Bologna H" in own
    assert "A Padua H" in own
    assert "Bologna" not in other


def test_the_whole_side_is_abandoned_and_taken_over() -> None:
    """Anyone who resigns gives up all his powers, and the person who signs on leads all of them."""
    house = begun()
    write(house, LUCIA, "SIGNON Vborgia lucky7", "RESIGN")
    listing = answer(write(house, "rosa@player.example", "LIST"), "rosa@player.example")
    write(house, "rosa@player.example", "REGISTER", "Name: Rosa", "END")
    sent = answer(
        write(house, "rosa@player.example", "SIGNON Pborgia fresh77"), "rosa@player.example"
    )

    assert "Open seats: V, P" in listing
    assert "You lead Venice and the Papacy now" in sent
    assert {seat.powers for seat in players(house.game()) if seat.person} == {
        ("V", "P"),
        ("I", "L", "N"),
    }


def test_a_side_is_conceded_to_as_a_whole() -> None:
    """Conceding to one power of a side gives the game to all of them."""
    house = begun()
    write(house, MARCO, "SIGNON Iborgia marco7", "SET CONCEDE P")

    assert house.game().status is Status.FINISHED
    assert house.game().ending.winners == ("V", "P")


def test_powers_of_one_side_cannot_draw_with_each_other() -> None:
    """That would be a win: a draw is between players."""
    house = begun()
    sent = answer(write(house, MARCO, "SIGNON Iborgia marco7", "SET DRAW VP"), MARCO)

    assert "is no draw" in sent


def test_the_listing_says_who_goes_together() -> None:
    """For how many people, which powers win together, and which are out."""
    house = begun()
    sent = answer(write(house, MARCO, "SIGNON Iborgia marco7", "LIST"), MARCO)

    assert "For 2 players." in sent
    assert "Venice and the Papacy" in sent
    assert "Out of the game: Turkey, Austria and France." in sent


def test_a_scenario_tells_its_variants() -> None:
    """Anyone who asks for a scenario reads how it is played by fewer people."""
    sent = answer(write(House(), LUCIA, "GET SCENARIO 1454"), LUCIA)

    assert "1454-2-2  2 players, VP ILN" in sent
    assert "1454-4    4 players, 2 powers each" in sent


def test_a_phase_of_sides_is_played_and_rebuilt() -> None:
    """Sides go through phases, and the stored documents bring the same again."""
    house = begun(master=("SET NOMONEY",))
    write(house, LUCIA, "SIGNON Vborgia lucky7", "A pad - trv", "A ver h", "F dal h", "G ven h")
    write(house, LUCIA, "SIGNON Pborgia lucky7", "A bol h", "A per h", "A rme h", "F anc h")
    for power in "ILN":
        name = house.services.scenario(house.game()).powers[PowerId(power)].name
        units = house.view().state.units_of(PowerId(power))
        lines = [f"{unit.kind.value} {unit.place} h" for unit in units]
        write(house, MARCO, "SIGNON Iborgia marco7", f"FOR {name}", *lines)

    checks = replay(house.services, house.game().id)
    assert house.view().state.moment.code == "U1454M"
    assert house.view().state.sides == (("V", "P"), ("I", "L", "N"))
    assert all(check.is_kept and check.plays_again for check in checks)


def test_positions_keep_their_sides_in_the_store() -> None:
    """A position that is written has its sides when it is read again; one without, none."""
    state = begun().view().state
    without = replace(state, sides=())

    assert WHOLE_POSITION.read(WHOLE_POSITION.write(state)) == state
    assert WHOLE_POSITION.read(WHOLE_POSITION.write(without)) == without


# --- one set of units ------------------------------------------------------------------------


def begun_as_one(*master: str) -> House:
    """The same game, where each player has one set of units."""
    return begun(master=("SET OPTION side_units one", *master))


def all_hold(house: House, power: str) -> list[str]:
    """An order for each unit of a power."""
    units = house.view().state.units_of(PowerId(power))
    return [f"{unit.kind.value} {unit.place} h" for unit in units]


def test_one_set_of_units_is_led_as_the_first_of_its_powers() -> None:
    """SET-24: each seat has one power, and the win is that of its side."""
    house = begun_as_one()

    assert [seat.powers for seat in players(house.game())] == [("V",), ("I",)]
    assert house.view().state.sides == (("V", "P"), ("I", "L", "N"))


def test_orders_for_one_set_are_complete_in_one_mail() -> None:
    """SET-24: units of both home countries, and nothing is asked of another power."""
    house = begun_as_one("SET NOMONEY")
    sent = answer(write(house, LUCIA, "SIGNON Vborgia lucky7", *all_hold(house, "V")), LUCIA)

    assert "COMPLETE" in sent
    assert "NOT COMPLETE" not in sent
    assert "A Bologna H" in sent
    assert "Papacy" not in sent


def test_for_names_the_power_that_has_the_units() -> None:
    """SET-24: orders below FOR Papacy are for the one set of units."""
    house = begun_as_one("SET NOMONEY")
    write(house, LUCIA, "SIGNON Vborgia lucky7", "F dal h", "FOR Papacy", "A bol h")
    order_sets = house.view().order_sets

    assert [line.written for line in order_sets[PowerId("V")].lines] == ["F dal h", "A bol h"]


def test_a_signon_to_a_power_of_one_set_names_the_one_that_has_the_units() -> None:
    """SET-24: the line to send is in the answer."""
    sent = answer(write(begun_as_one(), LUCIA, "SIGNON Pborgia lucky7", "A bol h"), LUCIA)

    assert "V has the units of P in this game" in " ".join(sent.split())
    assert "SIGNON Vborgia password" in sent


def test_the_listing_says_who_has_whose_units() -> None:
    """SET-24: each power with its player, or the one that has its units."""
    sent = answer(write(begun_as_one(), MARCO, "SIGNON Iborgia marco7", "LIST borgia"), MARCO)

    assert "Venice: Lucia\n" in sent
    assert "Papacy: Venice has its units" in sent
    assert "one set of units, with one treasury" in " ".join(sent.split())
    assert "Openings" not in sent


def test_a_game_with_one_set_each_is_played_and_rebuilt() -> None:
    """SET-24: its set-up follows again from what is stored, and its phases play again."""
    house = begun_as_one("SET NOMONEY")
    write(house, LUCIA, "SIGNON Vborgia lucky7", *all_hold(house, "V"))
    write(house, MARCO, "SIGNON Iborgia marco7", *all_hold(house, "I"))

    checks = replay(house.services, house.game().id)
    assert house.view().state.moment.code == "U1454M"
    assert all(check.is_kept and check.plays_again for check in checks)


def test_one_set_is_rated_as_one_power() -> None:
    """SET-24, RAT-05: powers whose units others have take no place."""
    house = begun_as_one("SET OPTION ratings hof", "SET CITIES 23")
    write(house, MARCO, "SIGNON Iborgia marco7", "SET CONCEDE V")
    sent = answer(write(house, LUCIA, "STATS borgia"), LUCIA)

    assert house.game().ending.winners == ("V",)
    assert "Venice" in sent
    assert "Papacy" not in sent


def test_a_side_with_units_apart_is_rated_by_all_its_powers() -> None:
    """RAT-05: each power of the side has its place."""
    house = begun(master=("SET OPTION ratings hof", "SET CITIES 23"))
    write(house, MARCO, "SIGNON Iborgia marco7", "SET CONCEDE V")
    sent = answer(write(house, LUCIA, "STATS borgia"), LUCIA)

    assert "Papacy" in sent


def test_units_are_put_together_before_the_game_only() -> None:
    """SET-24: who leads what is settled when the game begins."""
    house = begun()
    line = "SET OPTION side_units one"
    sent = answer(write(house, GINA, "SIGNON Mborgia topsecret", line), GINA)

    assert "Side_units does not change once the game has begun" in " ".join(sent.split())
    assert house.view().leads(PowerId("P")) == "P"
