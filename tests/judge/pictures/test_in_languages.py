"""Pictures have the names and the words of their reader's language."""

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.drawing import draw_part, named_in, set_up
from machjudge.drawing.geometry import near
from machjudge.drawing.scene import Scene, places_of
from machjudge.judge.mails import Outgoing
from machjudge.judge.pictures import drawing_by
from machjudge.map_files.folders import Atlas
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import write
from tests.judge.year import OPENING, order, play
from tests.map_files.small import MAPS

ANNA = "anna@player.example"
WORDS = {
    "en": ("Florence", "The Balance of Power: Fall 1453, adjustment", "army", "half a siege"),
    "es": ("Florencia", "El equilibrio de poder: otoño de 1453, ajuste", "ejército", "asedio"),
    "it": ("Firenze", "L’equilibrio di potere: autunno 1453, aggiustamento", "armata", "assedio"),
}


@built_once
def house_in(language: str) -> House:
    """A running game in which Florence reads a language."""
    house = started("nodice")
    write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {language}")
    return house


def to_anna(sent: list[Outgoing]) -> Outgoing:
    """The answer that Anna gets."""
    return next(each for each in sent if each.to == ANNA)


@pytest.mark.parametrize("language", WORDS)
def test_a_drawing_of_get_map_is_in_the_language_of_its_reader(language: str) -> None:
    """Names of places and powers, the title and the legend."""
    answer = to_anna(write(house_in(language), ANNA, "SIGNON Lborgia pwL", "GET MAP SVG"))
    (svg,) = (each for each in answer.attachments if each.media_type == "image/svg+xml")
    drawn = svg.content.decode()

    assert [said for said in WORDS[language] if said not in drawn] == []
    assert (">army<" in drawn) is (language == "en")
    assert ("Florence" in drawn) is (language == "en")


@pytest.mark.parametrize(
    ("scenario", "captions"),
    [
        ("1385", {"en": "Austria: neutral", "es": "Austria: neutral", "it": "Austria: neutrale"}),
        (
            "standard",
            {
                "en": "Switzerland: impassable",
                "es": "Suiza: intransitable",
                "it": "Svizzera: invalicabile",
            },
        ),
    ],
)
@pytest.mark.parametrize("language", ["en", "es", "it"])
def test_the_caption_of_a_closed_place_is_in_the_language_of_its_reader(
    scenario: str, captions: dict[str, str], language: str
) -> None:
    """The words of the legend stand in the title of the place."""
    answer = to_anna(
        write(house_in(language), ANNA, "SIGNON Lborgia pwL", f"GET MAP {scenario} SVG")
    )
    (svg,) = (each for each in answer.attachments if each.media_type == "image/svg+xml")

    assert f"<title>{captions[language]} (" in svg.content.decode()


@pytest.mark.parametrize("language", ["es", "it"])
def test_a_picture_near_a_reader_has_its_names(language: str) -> None:
    """As large as in English, at the same places."""
    atlas = Atlas([MAPS])
    scenario = atlas.scenario("1454")
    assert scenario is not None
    shapes = atlas.shapes(scenario.board)
    assert shapes is not None
    scene = Scene(set_up(scenario))
    own = places_of(scene, [PowerId("L")])
    frame = near(shapes, own)
    drawn = draw_part(shapes, scene, named_in(scenario, language), frame, own)

    assert WORDS[language][0] in drawn
    assert "Florence" not in drawn


def test_readers_of_two_languages_share_what_is_to_be_drawn() -> None:
    """Only its media type tells the language; each gets a picture of their own from it."""
    draws = drawing_by(Atlas([MAPS]))
    lines = ("A flo - bol", "A are H", "F psa H")
    houses = [house_in(language) for language in ("en", "es")]
    for house in houses:
        play(house, OPENING)
    english, spanish = (to_anna(order(house, "L", *lines)) for house in houses)
    (one,), (other,) = english.attachments, spanish.attachments
    pictures = [draws(each).attachments[0] for each in (english, spanish)]

    assert one.content == other.content
    assert other.media_type == f"{one.media_type}; lang=es"
    assert {each.media_type for each in pictures} == {"image/png"}
    assert pictures[0].content != pictures[1].content


@pytest.mark.parametrize("language", ["es", "it"])
@pytest.mark.parametrize("scenario", ["1454", "1454_nine", "mach_este", "standard", "winds"])
def test_the_table_of_a_board_is_in_the_language_of_its_reader(
    language: str, scenario: str
) -> None:
    """With the names of its places, and no wider than other mails."""
    said = write(house_in(language), ANNA, "SIGNON Lborgia pwL", f"GET MAP {scenario}")
    table = to_anna(said).body.partition("----")[0]

    assert "Provincia" in table
    assert [word for word in ("Province", "Borders", "fortified", "Sea ") if word in table] == []
    assert max(map(len, table.splitlines())) <= 80
