"""Signons as people write them: what is plain is understood, the rest is refused with a hint."""

import pytest

from machjudge.judge.mail_context import LineParser, read_mail
from machjudge.judge.sign_in import scenario_named
from machjudge.judge.worker import game_concerned
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, write
from tests.mail_parser.mails import mail

ANNA = "anna@player.example"
GINA = "gina@player.example"
STRANGER = "stranger@far.example"
ORDERS = ("A are H", "A flo H", "F psa H")
WRONG = "That game, power and password do not go together"


@pytest.fixture
@built_once
def house() -> House:
    """Borgia is played, Medici forms, and Hidden forms without being listed; Anna leads L."""
    house = started("nomoney")
    write(house, GINA, "CREATE ?Medici masterkey 1454")
    write(house, GINA, "CREATE ?Hidden masterkey 1454 private")
    return house


def told(house: House, *lines: str, sender: str = STRANGER) -> str:
    """The answer to a mail, in one line with single spaces."""
    return " ".join(answer(write(house, sender, *lines), sender).split())


@cases
def test_a_signon_whose_meaning_is_plain_opens_the_seat(house, line) -> None:
    """However letter, game and password are joined, quoted or ended; the orders below count."""
    body = told(house, line, *ORDERS, sender=ANNA)

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body
    assert "pwL" not in body


@pytest.mark.parametrize(
    ("line", "letter"),
    [("SIGNON M Borgia masterkey", "Master"), ("SIGNON Master Borgia masterkey", "Master")],
)
def test_a_master_may_write_his_letter_apart(house, line, letter) -> None:
    """As any player may."""
    assert letter in told(house, line, sender="lucia@player.example")


def test_orders_behind_the_password_are_orders(house) -> None:
    """On the line of the signon, as if they stood on the next one."""
    body = told(house, "signon LBorgia pwL A are H & A flo H, F psa H // all", "signoff")

    assert "COMPLETE: all orders of Florence are on file." in body


def test_a_command_behind_the_password_is_a_command(house) -> None:
    """Signoff ends the mail, dry checks it."""
    assert "A are H" not in told(house, "SIGNON LBorgia pwL SIGNOFF", "A are H")
    assert "DRY: this mail was only checked." in told(house, "SIGNON LBorgia pwL DRY", *ORDERS)


def test_orders_behind_a_wrong_password_are_refused_with_advice(house) -> None:
    """Nothing of such a mail is taken, and none of its words is shown: one may be the password."""
    body = told(house, "SIGNON LBorgia my tulip9", *ORDERS)

    assert "orders stand on lines of their own, and a password has no space in it" in body
    assert "Nothing of this mail was taken." in body
    assert "tulip9" not in body
    assert house.view().order_sets == {}


def test_a_text_does_not_begin_behind_the_password(house) -> None:
    """The lines below would be read as orders; so the whole is refused, and nothing is sent."""
    sent = write(house, ANNA, "SIGNON LBorgia pwL PRESS TO V", "A flo H", "ENDPRESS")
    body = " ".join(answer(sent, ANNA).split())

    assert len(sent) == 1
    assert "A command with a text below it stands on a line of its own" in body
    assert "Nothing of this mail was taken." in body
    assert house.view().order_sets == {}


@cases
def test_a_signon_that_opens_nothing_gets_the_right_hint(house, line, hint) -> None:
    """The nearest game that everybody can list, the missing letter, the missing password."""
    body = told(house, line, "A flo - bol")

    assert hint.lower() in body.lower()
    assert "pwL" not in body
    assert "tulip9" not in body


@pytest.mark.parametrize("line", ["SIGNON LHiden x77", "SIGNON ?Hiden x77", "SIGNON Hidden x77"])
def test_no_hint_names_an_unlisted_game(house, line) -> None:
    """It looks like one that does not exist."""
    as_none = line.replace("Hidden", "Qwerty").replace("Hiden", "Qwert")

    body = told(house, line)

    assert body.replace("Hidden", "Qwerty").replace("Hiden", "Qwert") == told(house, as_none)


def test_a_newcomer_may_write_the_question_mark_apart(house) -> None:
    """The word behind it is the game, and no password."""
    assert "You have joined the game Medici." in told(house, "SIGNON ? Medici foo77")
    assert "Player in Medici" in told(house, "SIGNON ?Medici foo77")


def test_a_stop_behind_a_new_password_is_none_of_it(house) -> None:
    """So that it opens the seat with the stop and without."""
    told(house, "SIGNON ?Medici foo77.")

    assert "Player in Medici" in told(house, "SIGNON ?Medici foo77")
    assert "Player in Medici" in told(house, "SIGNON ?Medici foo77.")


def test_preferences_may_stand_behind_the_password_of_a_newcomer(house) -> None:
    """As a command; other words are named as not read."""
    assert "Your preferences: V* (" in told(house, "SIGNON ?Medici foo77 SET PREFERENCES V*")
    assert "what stands behind the password" in told(house, "SIGNON ?Medici foo77 V*")


def test_the_same_signon_twice_changes_nothing(house) -> None:
    """Somebody who writes it above and below his orders loses none."""
    body = told(house, "SIGNON LBorgia pwL", *ORDERS[:2], "SIGNON LBorgia pwL", ORDERS[2])

    assert "COMPLETE: all orders of Florence are on file." in body
    assert "NOT TAKEN" not in body


def test_a_second_signon_for_another_seat_ends_the_mail(house) -> None:
    """What stands below it is not for the first seat."""
    body = told(house, "SIGNON LBorgia pwL", "SIGNON VBorgia pwV", *ORDERS)

    assert "A mail opens one game only; send what is for another seat in a mail of its own." in body
    assert house.view().order_sets == {}


def test_a_second_signon_below_signoff_is_told(house) -> None:
    """It is not read, and its writer reads that."""
    body = told(house, "SIGNON LBorgia pwL", *ORDERS, "SIGNOFF", "SIGNON VBorgia pwV", "A ven H")

    assert "line 6: nothing below SIGNOFF is read; a mail opens one game only" in body
    assert "pwV" not in body


@cases
def test_a_mail_is_for_the_game_that_its_signon_means(house, line, game) -> None:
    """So that it is handled in the order of the mails of that game."""
    with house.store.reading() as uow:
        concerned = game_concerned(
            LineParser(),
            read_mail(mail(line)),
            lambda name: scenario_named(house.services, uow, name),
        )

    assert concerned == game


def test_all_wrong_passwords_take_the_same_work(house) -> None:
    """As many passwords are compared if there is no such game."""
    counts = []
    for game in ("Borgia", "Hidden", "Qwerty"):
        compared = house.services.passwords.compared = []
        told(house, f'SIGNON L{game} "wrong77."', sender=f"{game.lower()}@far.example")
        counts.append(len(compared))

    assert counts[0] == counts[1] == counts[2] > 0
