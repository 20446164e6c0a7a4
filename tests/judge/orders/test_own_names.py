"""Places by their names in the language of whoever writes and reads, through the whole desk."""

import pytest

from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, write
from tests.judge.year import OPENING, SPRING, order, play

ANNA, MARCO = "anna@player.example", "marco@player.example"


@pytest.fixture
@built_once
def house() -> House:
    """1454 before its first campaign; Anna, who leads Florence, reads Spanish."""
    house = started("nodice")
    write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE es")
    play(house, OPENING)
    return house


def test_spanish_orders_are_read_and_shown_in_spanish(house) -> None:
    """And kept as all others are."""
    told = answer(order(house, "L", "A Florencia - Siena", "Flota Pisa - Mar Ligur"), ANNA)

    assert "E Florencia - Siena" in told
    assert house.on_file()[0] == "A flo - sie"


def test_names_of_a_language_are_read_in_the_mail_that_sets_it() -> None:
    """Whose answer is written in it, too."""
    house = started("nodice")
    play(house, OPENING)
    told = answer(order(house, "L", "SET LANGUAGE it", "A Firenze - Siena", "F Pisa H"), ANNA)

    assert "A Firenze - Siena" in told
    assert house.on_file() == ["A flo - sie", "F psa h"]


def test_each_reader_has_their_own_names_of_one_phase(house) -> None:
    """The same results, in two languages."""
    sent = play(house, SPRING)
    (spanish,) = [each.body for each in sent if each.to == ANNA and "Resultados" in each.body]
    (english,) = [each.body for each in sent if each.to == MARCO and "Results of" in each.body]

    assert "E Padua - Ferrara; rebota con E Bolonia (Papado)" in spanish
    assert "A Padua - Ferrara; bounced with A Bologna (Papacy)" in " ".join(english.split())
    assert "Florencia" not in english
    assert "Naples" not in spanish


def test_news_of_others_reach_each_in_their_language(house) -> None:
    """A message to many is written for each of its readers."""
    sent = write(
        house, "carla@player.example", "SIGNON Fborgia pwF", "PRESS TO LV", "Hi", "ENDPRESS"
    )
    texts = {each.to: each.body for each in sent}

    assert "Francia" in texts[ANNA]
    assert "France" in texts[MARCO]
    assert "Francia" not in texts[MARCO]


def test_press_goes_to_powers_by_any_of_their_names(house) -> None:
    """Anyone who reads English may answer Turquía."""
    sent = write(house, MARCO, "SIGNON Vborgia pwV", "PRESS TO TURQUIA", "Hi", "ENDPRESS")

    assert len(sent) == 2


def test_nobody_is_called_like_a_power_in_another_language(house) -> None:
    """Else they would be taken for it in messages."""
    told = answer(
        write(house, "max@player.example", "REGISTER", "Name: Venezia", "END"), "max@player.example"
    )

    assert "The name 'Venezia' reads like that of a power; choose another one." in told


def test_name_of_two_places_is_asked_back_in_the_readers_words(house) -> None:
    """Mar Tirreno is the beginning of two."""
    told = answer(order(house, "L", "F Pisa - Mar Tirreno"), ANNA)

    assert "Mar Tirreno Oriental (ets)" in " ".join(told.split())
    assert "Mar Tirreno Occidental (wts)" in " ".join(told.split())
