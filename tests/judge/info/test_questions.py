"""Questions, settings, comings and goings: what is answered, and what stays as it was."""

from machjudge.adjudicator.names import PowerId
from machjudge.judge.pictures import PICTURE_REQUEST, read_request
from machjudge.judge.records import Role
from tests.cases import cases
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer, ask, deliver, raw_mail, write
from tests.judge.year import order

ANNA = "anna@player.example"
LUCIA = "lucia@player.example"
DINO = "dino@other.example"
MASTER = "SIGNON Mborgia masterkey"


def master(house: House, *lines: str) -> str:
    """The answer to a mail of the master, in one line."""
    sent = write(house, LUCIA, MASTER, *lines)
    return " ".join(next(x.body for x in sent if x.subject.startswith("Re:")).split())


def says(house: House, *lines: str) -> str:
    """The answer to a mail of Florence, in one line."""
    return " ".join(answer(order(house, "L", *lines), ANNA).split())


# --- questions -------------------------------------------------------------------------------


def test_list_names_games_and_their_openings(house: House) -> None:
    """A running game with an abandoned seat says which."""
    assert "Borgia: S1454M The Balance of Power (1454) all seats taken" in ask(house, "LIST")

    order(house, "L", "RESIGN")
    assert "Open seats: L; to take one: SIGNON LBorgia" in ask(house, "LIST")


def test_list_without_games_says_how_to_make_one() -> None:
    """Nobody stands before an empty page."""
    assert "CREATE ?name password 1454" in ask(House(), "LIST")


def test_list_full_shows_each_game(house: House) -> None:
    """As many listings as games."""
    assert "THE GAME BORGIA" in ask(house, "LIST FULL")


def test_listing_names_the_late_after_the_deadline(house: House) -> None:
    """Before it only how many are missing."""
    assert "8 powers still without complete orders." in ask(house, "LIST borgia")

    house.later(days=8)
    assert "Late: Austria, France, Milan" in ask(house, "LIST borgia")


def test_who_names_players_and_nothing_else(house: House) -> None:
    """Names by power."""
    text = ask(house, "WHO borgia")

    assert "Florence: Anna" in text
    assert "@" not in text


def test_who_asks_for_a_game_that_is_there(house: House) -> None:
    """Another name gets the answer of LIST."""
    assert "no game of that name" in ask(house, "WHO sforza")


def test_who_of_a_forming_game_names_those_who_have_joined() -> None:
    """In the order of their seats."""
    house = House()
    write(house, LUCIA, "CREATE ?sforza masterkey 1454")
    write(house, ANNA, "SIGNON ?sforza tulip9")

    assert "WHO PLAYS SFORZA Anna" in ask(house, "WHO sforza")


def test_map_of_the_game_shows_its_position(house: House) -> None:
    """With a picture that names the phase."""
    sent = order(house, "L", "GET MAP SVG")

    (file,) = [f for letter in sent for f in letter.attachments]
    assert (file.name, file.media_type) == ("classic.svg", "image/svg+xml")
    assert b"Spring 1454, campaign" in file.content


def test_map_of_the_game_is_drawn_when_it_is_sent(house: House) -> None:
    """Until then the message has what the picture shows: the position of this game, no order."""
    (letter,) = order(house, "L", "GET MAP")
    (file,) = letter.attachments
    wish, scene = read_request(file.content)

    assert (file.name, file.media_type) == ("classic.png", PICTURE_REQUEST)
    assert (wish.crop, wish.moment.code) == ("all", "S1454M")
    assert scene.state.field["flo"].owner == "L"
    assert scene.acts == ()


def test_map_without_a_game_shows_the_set_up() -> None:
    """Of the usual scenario, or of one that is named."""
    for line, title in (
        ("GET MAP SVG", b"Balance of Power"),
        ("MAP 1385 svg", b"Expansion of States"),
    ):
        sent = write(House(), DINO, line)
        assert title in sent[0].attachments[0].content


def test_map_of_a_game_is_found_by_its_name(house: House) -> None:
    """Its scenario; the position is for its people."""
    assert b"Balance of Power" in write(house, DINO, "MAP borgia svg")[0].attachments[0].content


@cases
def test_questions_are_answered(line: str, words: str) -> None:
    """Each with its text, or with what there is instead."""
    assert words.lower() in ask(House(), line).lower()


def test_first_word_of_get_may_be_send() -> None:
    """``SEND ME RULES`` as people say it."""
    assert "The rules in short" in ask(House(), "SEND ME RULES")


# --- settings --------------------------------------------------------------------------------


@cases
def test_players_settings_are_answered(house: House, line: str, words: str) -> None:
    """Done, or refused with the reason."""
    assert words.lower() in says(house, line).lower()


@cases
def test_masters_settings_are_answered(house: House, line: str, words: str) -> None:
    """Done, or refused with the reason."""
    assert words.lower() in master(house, line).lower()


@built_once
def forming() -> House:
    """A game of which Lucia is the master, with Anna at the table."""
    house = House()
    write(house, LUCIA, "CREATE ?borgia masterkey 1454")
    write(house, ANNA, "SIGNON ?borgia tulip9")
    return house


@cases
def test_settings_before_the_game_are_answered(line: str, words: str) -> None:
    """What needs a running game says so."""
    assert words.lower() in master(forming(), line).lower()


@cases
def test_players_of_a_forming_game_are_answered(line: str, words: str) -> None:
    """Preferences now, orders later."""
    text = ask(forming(), "SIGNON ?borgia tulip9", line, sender=ANNA)

    assert words.lower() in text.lower()


def test_own_address_needs_no_words(house: House) -> None:
    """``SET ADDRESS`` alone takes the address of the mail."""
    write(house, DINO, "SIGNON Lborgia pwL", "SET ADDRESS")

    assert DINO in {seat.address for seat in house.game().seats if "L" in seat.powers}


# --- coming and going ------------------------------------------------------------------------


def test_power_may_be_named_in_full(house: House) -> None:
    """``SIGNON Florence@borgia`` opens the seat of Florence."""
    assert "Florence in Borgia" in ask(house, "SIGNON Florence@borgia pwL", sender=ANNA)
    assert "Florence in Borgia" in ask(house, "SIGNON florentine@borgia pwL", sender=ANNA)
    assert "do not go together" in ask(house, "SIGNON Sparta@borgia pwL", sender=ANNA)
    assert "Master in Borgia" in master(house)


def test_observer_opens_his_seat_again(house: House) -> None:
    """By OBSERVE or by SIGNON O; another password does not open it."""
    write(house, DINO, "OBSERVE borgia tulip9")

    assert "Observer in Borgia" in ask(house, "SIGNON Oborgia tulip9")
    assert "do not go together" in ask(house, "OBSERVE borgia another")
    assert len([seat for seat in house.game().seats if seat.role is Role.OBSERVER]) == 1


def test_observer_of_nothing_is_refused(house: House) -> None:
    """As with every seat that does not open."""
    assert "do not go together" in ask(house, "OBSERVE sforza tulip9")


def test_observer_may_leave(house: House) -> None:
    """His seat is gone."""
    write(house, DINO, "OBSERVE borgia tulip9")
    write(house, DINO, "SIGNON Oborgia tulip9", "RESIGN")

    assert not [seat for seat in house.game().seats if seat.role is Role.OBSERVER]


def test_player_who_leaves_before_the_start_makes_room() -> None:
    """His seat is not left empty."""
    house = forming()
    write(house, ANNA, "SIGNON ?borgia tulip9", "RESIGN")

    assert [seat.role for seat in house.game().seats] == [Role.MASTER]


def test_abandoned_seat_is_taken_over_with_a_new_password(house: House) -> None:
    """The old password no longer opens it; orders count at once."""
    order(house, "L", "RESIGN")

    write(house, DINO, "REGISTER", "Name: Dino", "END", "SIGNON Lborgia newword", "A flo h")

    (seat,) = [seat for seat in house.game().seats if "L" in seat.powers]
    assert seat.address == DINO
    assert house.view().order_sets[PowerId("L")].lines[0].canonical == "A flo h"
    assert "do not go together" in ask(house, "SIGNON Lborgia pwL", sender=ANNA)


def test_abandoned_seat_needs_a_registered_person_and_a_sound_password(house: House) -> None:
    """Nobody takes over of whom the judge knows nothing but an address."""
    order(house, "L", "RESIGN")

    assert "send REGISTER" in ask(house, "SIGNON Lborgia newword", sender=DINO)
    assert "do not go together" in ask(house, "SIGNON Lborgia x")


def test_next_public_game_is_joined_without_its_name() -> None:
    """``SIGNON ?`` takes the oldest one that forms."""
    house = forming()
    house.later(hours=1)
    write(house, LUCIA, "CREATE ?sforza masterkey 1454")

    assert "You have joined the game borgia." in ask(house, "SIGNON ? tulip9")


def test_second_seat_of_another_password_is_refused() -> None:
    """Who sits in a forming game opens his seat with its password only."""
    assert "do not go together" in ask(forming(), "SIGNON ?borgia another", sender=ANNA)


def test_registration_is_changed_by_another_one() -> None:
    """Name and zone; a zone that is not there is named with the nearest."""
    house = House()
    ask(house, "REGISTER", "Name: Dino Rossi", "Timezone: Europe/Rome", "END")
    text = ask(house, "REGISTER", "Name: Dino Verdi", "Timezone: Europe/Rom", "END")

    (person,) = house.store.tables.persons.values()
    assert (person.name, person.zone) == ("Dino Verdi", "Europe/Rome")
    assert "Did you mean: Timezone: Europe/Rome" in text


def test_registration_ends_at_the_first_line_that_is_no_field() -> None:
    """Anyone who forgets END loses nothing behind it."""
    house = House()
    text = ask(house, "REGISTER", "Name: Dino Rossi", "VERSION")

    assert "machjudge 1.0" in text


def test_registration_needs_a_name() -> None:
    """Where neither the mail nor a line has one."""
    raw = raw_mail(DINO, ["REGISTER", "END"], name="")

    assert "needs your name" in answer(deliver(House(), raw, DINO), DINO)


@cases
def test_time_zone_is_known_by_its_city(typed, zone) -> None:
    """Also where the country is named, and where the zone has two names."""
    sent = write(House(), "x@new.example", "REGISTER", "Name: Bo", f"Timezone: {typed}", "END")

    assert f"Bo, time zone {zone}." in answer(sent, "x@new.example")


def test_unknown_time_zone_is_asked_back() -> None:
    """Nobody is left with UTC without a word."""
    asked = write(House(), "x@new.example", "REGISTER", "Name: Bo", "Timezone: Itly", "END")
    silent = write(House(), "x@new.example", "REGISTER", "Name: Bo", "END")

    assert "you read times in UTC until you send one" in answer(asked, "x@new.example")
    assert "You have named no time zone." in answer(silent, "x@new.example")
