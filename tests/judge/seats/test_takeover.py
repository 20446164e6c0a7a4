"""What somebody reads who takes over a power that nobody leads any more."""

from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import Fog
from tests.judge.house import started
from tests.judge.letters_in import answer, write
from tests.judge.phases.test_news import taken_over
from tests.judge.riches import position, springtime
from tests.judge.year import address_of, order, play

ZOE = "zoe@player.example"


def taken(*lines: str, fog: Fog = Fog.OFF) -> str:
    """The answer to Zoe, who signs on to the power of Florence after its player has resigned.

    With fog it is a year later, as everybody knows the units of the set-up.
    """
    house = started("nomoney")
    if fog is not Fog.OFF:
        house = springtime("nodice")
        house.change_settings(fog=fog)
        position(house, moment=read_moment("S1455M"))
    order(house, "L", "RESIGN")
    own = ("REGISTER", "Name: Zoe", "END", "SIGNON Lborgia newpass99")
    return answer(write(house, ZOE, *own, *lines), ZOE)


def test_anyone_who_takes_over_a_power_gets_the_position_and_lines_to_send_back() -> None:
    """As at the start of a game: units, what may be ordered, the map, and until when."""
    body = taken()

    assert "LINES TO SEND BACK\nA Arezzo H\nA Florence H\nF Pisa H\n" in body
    assert "Florence: order your 3 units." in body
    assert "Map of your part of the board: A Arezzo (Florence)" in " ".join(body.split())
    assert "UNITS\nMilan: A Cremona, A Milan, A Pavia\n" in body
    assert body.count("Orders are due") == 1


def test_in_the_fog_a_replacement_sees_what_the_power_sees() -> None:
    """The position that is shown is that of its seat."""
    body = taken(fog=Fog.KARTTUNEN)

    assert "Florence: A Arezzo, A Florence, F Pisa" in body
    assert "France: A Avignon, A Swiss\n" in body
    assert "F Marseille" not in body


def test_orders_in_the_first_mail_of_a_replacement_are_answered_as_orders() -> None:
    """What is on file is shown, and no lines to send back."""
    body = taken("A flo h")

    assert "  A Florence H" in body
    assert "LINES TO SEND BACK" not in body


def test_anyone_who_takes_over_a_power_is_told_whose_orders_are_on_file() -> None:
    """They count as they stand; where there are none, nothing is said of them."""
    house = started("nomoney")
    order(house, "L", "A flo - sie", "RESIGN")
    own = ("REGISTER", "Name: Zoe", "END", "SIGNON Lborgia newpass99")
    body = answer(write(house, ZOE, *own), ZOE)

    assert "Orders of the last player of Florence are on file, see below." in body
    assert "  A Florence - Siena" in body
    assert "last player" not in taken()
    order_sent = answer(write(house, ZOE, "SIGNON Lborgia newpass99", "CLEAR"), ZOE)
    assert "A Florence: no order" in order_sent


def test_nobody_takes_over_an_eliminated_power_unawares() -> None:
    """The listing says what it is, a newcomer is told, and no button speaks of its orders."""
    house = taken_over()
    orders = dict.fromkeys("LPNTAF", ("hold all",))
    play(house, {**orders, "V": ("A pav - mil", "hold rest")})
    out = address_of(house, "I")
    ordered = answer(order(house, "I", "A mil h"), out)
    listed = answer(write(house, ZOE, "LIST borgia"), ZOE)
    order(house, "I", "RESIGN")
    own = ("REGISTER", "Name: Zoe", "END", "SIGNON Iborgia newpass99")
    told = " ".join(answer(write(house, ZOE, *own), ZOE).split())

    assert "OR SEND ONE LINE" not in ordered
    assert "Milan: Lucia, eliminated\n" in listed
    assert "That power is eliminated, and there is nothing to lead" in told
    assert not any(seat.person is not None for seat in house.game().seats if "I" in seat.powers)


def test_nobody_is_asked_to_take_an_eliminated_power_whose_player_is_ejected() -> None:
    """Of a power that is in the game they are."""
    house = springtime("nodice")
    position(house, eliminated=frozenset({PowerId("L")}))
    master = (address_of(house, "I"), "SIGNON Mborgia masterkey")
    out, living = (write(house, *master, f"EJECT {name}") for name in ("Florence", "Papacy"))

    assert "has taken the seat of Florence" in answer(out, address_of(house, "V"))
    assert "SIGNON" not in answer(out, address_of(house, "V"))
    assert "SIGNON PBorgia" in answer(living, address_of(house, "V"))
