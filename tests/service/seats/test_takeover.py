"""What somebody reads who takes over a power that nobody leads any more."""

from dataclasses import replace

from machjudge.adjudicator.model.moments import read_moment
from machjudge.service.model.conduct import Fog
from tests.service.house import House
from tests.service.letters_in import answer, write
from tests.service.riches import position, springtime
from tests.service.year import order

ZOE = "zoe@player.example"


def taken(*lines: str, fog: Fog = Fog.OFF) -> str:
    """The answer to Zoe, who signs on to the power of Florence after its player has resigned.

    With fog it is a year later, as everybody knows the units of the set-up.
    """
    house = House()
    house.start(options=["nomoney"])
    if fog is not Fog.OFF:
        house = springtime("nodice")
        game = house.game()
        conduct = replace(game.conduct, fog=fog)
        house.store.tables.games[game.id] = replace(game, conduct=conduct)
        position(house, moment=read_moment("S1455M"))
    order(house, "L", "RESIGN")
    own = ("REGISTER", "Name: Zoe", "END", "SIGNON Lborgia newpass99")
    return answer(write(house, ZOE, *own, *lines), ZOE)


def test_whoever_takes_over_a_power_gets_the_position_and_lines_to_send_back() -> None:
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
