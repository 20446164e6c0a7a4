"""Coming, going and coming back: who may, who may not, and what becomes of the game."""

import pytest

from machjudge.judge.game_settings import Policy
from machjudge.judge.records import Status
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, write

LUCIA, MARCO, ROSA = "lucia@player.example", "marco@player.example", "fresh@far.example"
GINA = "gina@desk.example"
PEOPLE = {
    "I": LUCIA,
    "V": MARCO,
    "L": "anna@player.example",
    "P": "paolo@player.example",
    "N": "rosa@player.example",
    "T": "nino@player.example",
    "A": "enzo@player.example",
    "F": "carla@player.example",
}


@built_once
def borgia() -> House:
    """A running game in which Lucia leads Milan and Marco Venice; Lucia made it."""
    house = started()
    write(house, ROSA, "REGISTER", "Name: Fresh", "END")
    return house


@built_once
def under_gina() -> House:
    """A running game whose master does not play."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454 nodice nomoney")
    for power, address in PEOPLE.items():
        write(house, address, f"SIGNON ?borgia pw{power}7", f"SET PREF {power}")
    return house


def test_a_seat_of_a_finished_game_cannot_be_taken_over() -> None:
    """Nobody becomes part of a result afterwards."""
    house = borgia()
    write(house, MARCO, "SIGNON Vborgia pwV", "RESIGN")
    write(house, LUCIA, "SIGNON Mborgia masterkey", "DECLARE VICTORY L")
    sent = answer(write(house, ROSA, "SIGNON Vborgia fresh77"), ROSA)

    assert "game is over" in sent
    assert not any(seat.person for seat in house.game().seats if "V" in seat.powers)


def test_nobody_leaves_a_finished_game() -> None:
    """Who led what stands in its listing."""
    house = borgia()
    write(house, LUCIA, "SIGNON Mborgia masterkey", "DECLARE VICTORY L")
    sent = answer(write(house, MARCO, "SIGNON Vborgia pwV", "RESIGN"), MARCO)
    ejected = answer(write(house, LUCIA, "SIGNON Mborgia masterkey", "EJECT Venice"), LUCIA)

    assert "The game is over" in sent
    assert "The game is over" in ejected
    assert all(seat.person for seat in house.game().seats)


def test_an_old_password_does_not_open_a_seat_that_was_taken_over() -> None:
    """It is worth nothing from the first moment."""
    house = borgia()
    write(house, MARCO, "SIGNON Vborgia pwV", "SET CONCEDE L", "RESIGN")
    write(house, ROSA, "SIGNON Vborgia fresh77")
    sent = answer(write(house, MARCO, "SIGNON Vborgia pwV"), MARCO)
    seat = next(seat for seat in house.game().seats if "V" in seat.powers)

    assert "do not go together" in sent
    assert (seat.address, seat.concede) == (ROSA, None)


def test_who_has_seen_the_orders_takes_no_seat() -> None:
    """A master who does not play would know what the others have ordered."""
    house = under_gina()
    write(house, MARCO, "SIGNON Vborgia pwV7", "RESIGN")
    sent = answer(write(house, GINA, "SIGNON Vborgia mine777"), GINA)

    assert "somebody else has to take the seat" in " ".join(sent.split())


def test_an_observer_takes_a_seat_as_anybody_may() -> None:
    """He has seen nothing that players have not."""
    house = under_gina()
    write(house, ROSA, "OBSERVE borgia ogle777")
    write(house, MARCO, "SIGNON Vborgia pwV7", "RESIGN")
    sent = answer(write(house, ROSA, "SIGNON Vborgia mine777"), ROSA)

    assert "You lead Venice now" in sent


@pytest.mark.parametrize("policy", list(Policy))
def test_a_game_without_players_stands_still(policy: Policy) -> None:
    """Whatever its policy: nothing is played for nobody."""
    house = under_gina()
    house.change_settings(policy=policy)
    letters = []
    for power, address in PEOPLE.items():
        letters = write(house, address, f"SIGNON {power}borgia pw{power}7", "RESIGN")
    house.later(days=60)
    ticked = look_at_games(house.services, house.now)

    assert ticked.processed == ()
    assert house.view().state.moment.code == "S1454M"
    assert any("waits until somebody does" in one.body for one in letters)


def test_a_playing_master_learns_nothing_from_a_word_of_process() -> None:
    """Right, wrong or none: he names the phase alone."""
    house = borgia()
    letters = write(house, LUCIA, "SIGNON Mborgia masterkey", "PROCESS F1453B nonsense")

    assert not any("orders have changed" in letter.body for letter in letters)
    assert house.view().state.moment.code == "S1454M"


def test_a_master_who_plays_sees_no_orders_and_becomes_nobody() -> None:
    """Also when his player's seat has another password and another address."""
    house = borgia()
    write(house, LUCIA, "SIGNON Iborgia pwI", "SET ADDRESS lucia@other.example")
    write(house, MARCO, "SIGNON Vborgia pwV", "maintain A pad")
    asked = ("LIST", "WHO LATE", "HISTORY", "SUMMARY", "PREVIEW", "BECOME Venice")
    texts = [
        "".join(one.body for one in write(house, LUCIA, "SIGNON Mborgia masterkey", ask))
        for ask in asked
    ]

    assert not any("maintain A Padua" in text for text in texts)
    assert "you play in this game" in texts[-2].lower()
    assert "you play in this game" in texts[-1].lower()


def test_a_pattern_keeps_a_whole_place_out() -> None:
    """Of players and of observers; an invitation of one beats it."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454", "SET DENY PLAYER *@far.example")
    joined = answer(write(house, ROSA, "SIGNON ?borgia fresh77"), ROSA)
    watched = answer(write(house, ROSA, "OBSERVE borgia fresh77"), ROSA)
    other = answer(write(house, MARCO, "SIGNON ?borgia marco77"), MARCO)

    assert "has not invited you" in joined
    assert "has not invited you" in watched
    assert "You have joined" in other


def test_a_question_mark_in_a_list_is_no_pattern() -> None:
    """Only the star stands for anything."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454", "SET DENY PLAYER fres?@far.example")

    assert "You have joined" in answer(write(house, ROSA, "SIGNON ?borgia fresh77"), ROSA)


def test_mails_of_a_seat_do_not_go_to_somebody_else() -> None:
    """He would be taken for a player, and a master could preview no more."""
    house = under_gina()
    sent = answer(write(house, MARCO, "SIGNON Vborgia pwV7", f"SET ADDRESS {GINA}"), MARCO)

    assert "cannot go to that address" in sent
    assert "PROCESS S1454M" in answer(
        write(house, GINA, "SIGNON Mborgia topsecret", "PREVIEW"), GINA
    )


def test_the_master_sets_a_longer_absence_for_a_player() -> None:
    """What the player may not do himself, his master does with one line."""
    house = under_gina()
    own = answer(
        write(house, MARCO, "SIGNON Vborgia pwV7", "SET ABSENCE 1 Dec 2026 to 30 Jan 2027"), MARCO
    )
    write(
        house,
        GINA,
        "SIGNON Mborgia topsecret",
        "BECOME Venice",
        "SET ABSENCE 1 Dec 2026 to 30 Jan 2027",
    )
    seat = next(seat for seat in house.game().seats if "V" in seat.powers)

    assert "ask the master" in " ".join(own.split())
    assert len(seat.absences) == 1


def test_one_address_is_one_person() -> None:
    """Registering twice changes the name and takes no second seat."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454")
    write(house, MARCO, "REGISTER", "Name: Marco", "END", "SIGNON ?borgia marco77")
    write(house, MARCO, "REGISTER", "Name: Mario", "END")
    sent = answer(write(house, MARCO, "SIGNON ?borgia other77"), MARCO)
    players = [seat for seat in house.game().seats if seat.preferences == "" and seat.number > 1]

    assert "do not go together" in sent
    assert len(players) == 1
    assert house.game().status is Status.FORMING


def test_two_of_one_household_play_by_their_own_addresses() -> None:
    """Each has a seat of his own, and neither opens the other's with his password."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454")
    write(house, "a@home.example", "SIGNON ?borgia first77")
    write(house, "b@home.example", "SIGNON ?borgia second77")
    sent = answer(write(house, "a@home.example", "SIGNON ?borgia second77"), "a@home.example")

    assert len(house.game().seats) == 3
    assert "do not go together" in sent


def test_an_address_is_shown_when_its_owner_allows_it() -> None:
    """To those who have signed on to the game, by WHO; to nobody else, and not before."""
    house = under_gina()
    asked = "SIGNON Lborgia pwL7", "WHO"
    before = answer(write(house, PEOPLE["L"], *asked), PEOPLE["L"])
    write(house, MARCO, "SIGNON Vborgia pwV7", "SET PUBLIC ADDRESS")
    after = answer(write(house, PEOPLE["L"], *asked), PEOPLE["L"])
    stranger = answer(write(house, ROSA, "WHO borgia"), ROSA)
    write(house, MARCO, "SIGNON Vborgia pwV7", "SET NOADDRESS PUBLIC")
    again = answer(write(house, PEOPLE["L"], *asked), PEOPLE["L"])

    assert [MARCO in text for text in (before, after, stranger, again)] == [
        False,
        True,
        False,
        False,
    ]
