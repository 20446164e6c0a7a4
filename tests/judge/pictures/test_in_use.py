"""A picture and its legend show what their game has, and nothing else."""

import re
from dataclasses import replace

import pytest

from machjudge.judge.pictures import drawing_by
from machjudge.map_files.folders import Atlas
from tests.judge.house import House
from tests.judge.letters_in import write
from tests.judge.year import address_of
from tests.map_files.small import MAPS

DIPLOMACY = ("PRESET", "diplomacy")
BASIC = ("PRESET", "judge_basic")
NOT_IN = {
    ("standard", DIPLOMACY): (
        *("autonomous", "garrison", "fortified city", "major, port", "unfortified", "port"),
        *("half a siege", "rebellion", "famine", "fortress"),
    ),
    ("1454", BASIC): ("major, port", "rebellion", "famine", "fortress"),
    ("1454", ()): ("fortress", "city", "port"),
    ("1454", ("FORTS",)): ("city", "port"),
}
IN = {
    ("standard", DIPLOMACY): ("army", "fleet", "city", "dislodged", "impassable"),
    ("1454", BASIC): ("garrison", "fortified city", "port", "half a siege", "autonomous"),
    ("1454", ()): ("major, port", "rebellion", "famine", "half a siege", "unfortified"),
    ("1454", ("FORTS",)): ("major, port", "rebellion", "famine", "fortress"),
}


def house_of(scenario: str, options: tuple[str, ...]) -> House:
    """A game that has just begun."""
    house = House()
    house.start(scenario, options)
    return house


def drawing(scenario: str, options: tuple[str, ...]) -> str:
    """What GET MAP SVG sends of such a game."""
    (answer,) = write(house_of(scenario, options), "x@player.example", "GET MAP SVG borgia")
    return answer.attachments[0].content.decode()


@pytest.mark.parametrize("game", NOT_IN, ids=str)
def test_the_legend_names_what_the_game_has(game) -> None:
    """In Diplomacy a centre is a city and no more; without forts no fortress is drawn (MAP-07)."""
    words = re.findall(r'<text class="line"[^>]*>([^<]*)<', drawing(*game))

    assert [word for word in IN[game] if word not in words] == []
    assert [word for word in NOT_IN[game] if word in words] == []


def test_a_city_shows_what_it_pays_where_money_is_played() -> None:
    """Moscow counts as any other centre in Diplomacy; Venice pays 3 ducats in Machiavelli."""
    assert 'class="ducats"' not in drawing("standard", DIPLOMACY)
    assert 'class="ducats"' not in drawing("1454", BASIC)
    assert 'class="ducats"' in drawing("1454", ())


def test_the_picture_in_a_message_is_that_of_its_game() -> None:
    """Its centres are plain; one that waits since an earlier version is drawn as it was meant."""
    house = House()
    house.start("standard", DIPLOMACY, keep_mails=True)
    first = next(each for each in house.mails_out() if each.to == address_of(house, "A"))
    plain = first.attachments[0]
    older = replace(plain, content=re.sub(rb',"without":\[[^]]*\]', b"", plain.content))
    draws = drawing_by(Atlas([MAPS]))
    drawn = [draws(replace(first, attachments=(each,))).attachments[0] for each in (plain, older)]

    assert older != plain
    assert [each.media_type for each in drawn] == ["image/png", "image/png"]
    assert drawn[0].content != drawn[1].content
