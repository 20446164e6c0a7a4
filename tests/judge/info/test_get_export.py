"""``GET EXPORT``: a game as a file, for its seats alone, and no more of it than they may see."""

import gzip
import json

from machjudge.formats.game_file import read_chronicle
from machjudge.judge.archive import scenario_of, verify
from machjudge.judge.game_settings import Treasuries
from tests.judge.house import House, atlas, built_once
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, MASTER, ruled
from tests.judge.riches import position
from tests.judge.year import OPENING, SPRING, address_of, order, play

OLGA = "olga@watch.example"


@built_once
def game(*, hides: bool = False) -> House:
    """A game in its first Summer, with an observer and a master."""
    house = ruled()
    if hides:
        house.change_settings(treasuries=Treasuries.PRIVATE, special_public=False)
    play(house, {**OPENING, "I": OPENING["I"][:3]})
    play(house, {**SPRING, "I": SPRING["I"][:3]})
    write(house, OLGA, "OBSERVE borgia tulip9")
    return house


def sent_to(house: House, sender: str, opening: str) -> dict:
    """What comes in the file."""
    (mail,) = [m for m in write(house, sender, opening, "GET EXPORT") if m.to == sender]
    (file,) = [each for each in mail.attachments if each.name.startswith("borgia")]
    content = file.content
    return json.loads(gzip.decompress(content) if file.name.endswith(".gz") else content)


def view_of(house: House, power: str) -> dict:
    """What a player gets."""
    return sent_to(house, address_of(house, power), f"SIGNON {power}borgia pw{power}")


def test_a_player_gets_the_game_as_they_see_it() -> None:
    """With their own orders on file, what opens them, and the commitment of the secret."""
    house = game()
    order(house, "V", "hold all")
    order(house, "L", "hold all")

    view = view_of(house, "V")

    assert (view["format"], view["phase"], view["powers"]) == ("machjudge view", "U1454M", ["V"])
    assert list(view["orders"]) == ["V"]
    assert view["orders"]["V"]["number"] == 1
    spring = next(each for each in view["phases"] if each["phase"] == "S1454M")
    assert set(spring["sealed"]) == set("IVLPNTAF") == set(spring["sha256"])
    assert "secret" not in json.dumps(view)


def test_what_the_game_hides_is_not_in_it() -> None:
    """No ducats of others, no orders of others, and no key that would open them."""
    house = game(hides=True)
    position(house, treasuries=dict.fromkeys(house.view().state.treasuries, 31))

    view = view_of(house, "V")

    assert view["position"]["treasuries"] == {"V": 31}
    assert list(view["position"]["chits"]) == ["V"]
    assert all(set(each["sealed"]) <= {"V"} and each["key"] is None for each in view["phases"])
    assert not any(
        e["kind"] == "income_paid" and e["power"] != "V"
        for p in view["phases"]
        for e in p["events"]
    )


def test_observers_get_what_is_public_and_a_master_what_he_may_see() -> None:
    """A master who may play gets what observers get."""
    house = game(hides=True)
    order(house, "V", "hold all")
    public = sent_to(house, OLGA, "SIGNON Oborgia tulip9")
    assert (public["powers"], public["orders"], public["position"]["treasuries"]) == ([], {}, {})

    assert len(sent_to(house, GINA, MASTER)["position"]["treasuries"]) == 8
    house.change_settings(master_plays=True)
    assert sent_to(house, GINA, MASTER) == public


def test_strangers_get_nothing() -> None:
    """And a wrong password opens nothing."""
    house = game()

    for lines in (["GET EXPORT"], ["SIGNON Vborgia wrong", "GET EXPORT"], ["GET EXPORT borgia"]):
        sent = write(house, "mallory@far.example", *lines)
        assert not any(a.name.startswith("borgia") for m in sent for a in m.attachments)


def test_it_tells_who_led_the_seats_that_changed_hands() -> None:
    """Where players know each other; a name that was forgotten is gone from it, too."""
    house = game()
    write(house, address_of(house, "V"), "SIGNON Vborgia pwV", "RESIGN")
    write(house, "nora@far.example", "REGISTER", "Name: Nora", "END", "SIGNON Vborgia pwNora7")
    known = view_of(house, "L")["tenures"]
    house.change_settings(anonymous=True)
    hidden = view_of(house, "L")["tenures"]

    assert [(each["powers"], each["player"], each["bot"]) for each in known] == [
        (["V"], "Marco", False),
        (["V"], "Nora", False),
    ]
    assert [(each["since"], each["until"]) for each in known][-1] == ("U1454M", None)
    assert hidden == []
    house.change_settings(anonymous=False)
    (marco,) = [who for who in house.store.tables.persons.values() if who.name == "Marco"]
    del house.store.tables.persons[marco.id]
    assert view_of(house, "L")["tenures"][0]["player"] is None


def test_after_the_end_it_is_the_whole_game_and_verifies() -> None:
    """The file that the keeper's export writes; nobody has to ask the keeper for it."""
    house = game(hides=True)
    write(house, GINA, MASTER, "TERMINATE")
    for each in [m for m in house.store.tables.outbox if m.to == GINA]:
        assert each
    house.change(status=type(house.game().status).FINISHED)

    said = sent_to(house, OLGA, "SIGNON Oborgia tulip9")

    chronicle = read_chronicle(json.dumps(said).encode())
    findings = verify(chronicle, scenario_of(chronicle, atlas()), house.services.judge.version)
    assert all(each.holds for each in findings)
    assert said["secret"] == house.game().secret.hex()
