"""Of the checklist of features, F190 to F212, what no other test of the desk shows."""

from dataclasses import replace
from datetime import timedelta

import pytest

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.judge.game_settings import Policy
from machjudge.judge.pictures import PICTURE_REQUEST
from machjudge.judge.records import Status
from machjudge.judge.tick import look_at_games
from tests.judge.house import ROOT, House, atlas, started
from tests.judge.letters_in import answer, ask, sent_to, write
from tests.judge.phases.test_mastering import GINA, master, previewed, ruled, said
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, address_of, order, play
from tests.results_told import tells_results

DINO = "dino@other.example"


# --- F191: the game ---------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["1385", "1499", "machiavelli", "mach_sfd1", "dipmach"])
def test_f191_create_with_a_variants_name_makes_that_game(variant: str) -> None:
    """By our names and by those of the old judge."""
    house = House()
    text = ask(house, f"CREATE ?borgia tulip9 {variant}")

    assert "The game borgia is created, and you are its master." in text
    assert house.game().scenario == atlas().scenario(variant).id


# --- F193, F194, F195: distant play ----------------------------------------------------------


def test_f193_deadline_follows_from_the_setting() -> None:
    """The next campaign takes as long as the master has set, and orders come by mail."""
    house = ruled("nomoney")
    master(house, "SET MOVES NEXT 250")
    orders = {power: lines for power, lines in SPRING.items() if power != "I"}
    play(house, {**orders, "I": ("A cre h", "A mil h", "A pav h")})
    clock = house.view().clock

    assert house.view().state.moment.code == "U1454M"
    assert clock.deadline - clock.began == timedelta(hours=250)


def test_f194_units_of_the_late_hold_and_nothing_of_theirs_is_spent() -> None:
    """Where the game has it so: what he sent in part is not carried out either."""
    house = ruled()
    play(house, OPENING)
    master(house, "SET NMR HOLD", "SET MOVES GRACE 24", "FIX TREASURY Florence 30 BECAUSE a test")
    play(house, SPRING, without="L")
    order(house, "L", "A are - sie", "E 1: 3 famine flo", "pay 9 to Venice")
    assert house.game().settings.policy is Policy.HOLD
    while house.view().state.moment.code == "S1454M":
        look_at_games(house.services, house.later(hours=12))
    view = house.view()

    assert PlaceId("are") in view.state.field
    assert view.state.treasuries[PowerId("L")] == 30


def test_f195_press_goes_to_all_or_to_some_and_binds_nobody() -> None:
    """A broadcast reaches everybody, a letter those whom it names; the deadline stays."""
    house = ruled("nomoney")
    before = house.view().clock
    to_all = order(house, "L", "BROADCAST", "Peace to all.", "ENDPRESS")
    to_some = order(house, "L", "PRESS TO VM", "I promise you Rome.", "ENDPRESS")
    read = {x.to for x in to_some if "I promise you Rome." in x.body}

    assert {x.to for x in to_all if "Peace to all." in x.body} >= {
        address_of(house, power) for power in "IVPNTAF"
    }
    assert read == {address_of(house, "V"), GINA, address_of(house, "L")}
    assert house.view().clock == before


# --- F199: money ------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [True, False])
def test_f199_treasuries_are_public_or_each_players_own(hidden: bool) -> None:
    """As the game is set before it begins; the master who does not play sees all."""
    house = House()
    write(house, GINA, "CREATE ?borgia masterkey 1454")
    master(house, f"SET {'' if hidden else 'NO'}HIDDEN MONEY")
    for number in range(8):
        write(house, f"p{number}@player.example", f"SIGNON ?borgia pw{number}")
    foreign = ask(house, "LIST borgia").partition("TREASURIES")[2]

    assert ("15 ducats" in foreign) is not hidden
    assert said(master(house, "LIST")).count(" ducats ") >= 8


# --- F200, F201: what is mailed --------------------------------------------------------------


def test_f200_results_come_twice_when_somebody_has_to_retreat() -> None:
    """The campaign's at once, with the retreats that are due; the rest when they are played."""
    house = ruled("nodice")
    play(house, OPENING)
    play(house, SPRING)
    first = [x for x in play(house, SUMMER) if tells_results(x.body) and x.to == GINA]
    assert house.view().state.moment.code == "U1454R"

    second = order(house, "P", "A per - spo")
    then = [x for x in second if tells_results(x.body) and x.to == GINA]

    assert "DISLODGED" in first[0].body
    assert house.view().state.moment.code == "F1454M"
    assert "A Perugia (Papacy) retreats to Spoleto." in then[0].body


# --- F203, F204, F205: texts and reports -----------------------------------------------------


def test_f203_map_comes_as_a_file() -> None:
    """A picture, and the places in words."""
    (sent,) = write(House(), DINO, "GET MAP")
    (large,) = write(House(), DINO, "GET MAP SVG")

    assert [file.media_type for file in sent.attachments] == [PICTURE_REQUEST]
    assert [file.media_type for file in large.attachments] == ["image/svg+xml"]
    assert "Borders" in sent.body


def test_f204_rules_come_by_mail_in_words_of_our_own() -> None:
    """The short rules, and all of them from our docs as a file."""
    (sent,) = write(House(), DINO, "GET RULES")
    (file,) = sent.attachments
    first = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()[0].lstrip("# ")

    assert file.content.decode().splitlines()[0].lower() == first.lower()
    assert "THE YEAR" in sent.body


def test_f205_summary_has_statistics_and_the_order_of_the_map() -> None:
    """Provinces stand as the board's file has them, powers as the scenario has them."""
    house = started("nodice")
    for orders in (OPENING, SPRING, SUMMER, FALL):
        play(house, orders)
    text = answer(write(house, DINO, "SUMMARY borgia"), DINO)
    world = house.view().world
    names = [world.place(place).name for place in world.board.province_order]
    rows = [line[:12].strip() for line in text.partition("WHO HELD WHAT")[2].splitlines()]
    shown = [name for name in rows if name in names]

    assert "phases in" in text
    assert len(shown) > 40
    assert shown == [name for name in names if name in shown]


# --- F206, F209: the master ------------------------------------------------------------------


def test_f206_master_sets_a_wrong_position_right() -> None:
    """He goes back a phase, and takes a unit off the map, with his reason in the log."""
    house = ruled("nomoney")
    master(house, previewed(house))
    assert house.view().state.moment.code == "U1454M"

    master(house, "ROLLBACK")
    assert house.view().state.moment.code == "S1454M"

    master(house, "FIX UNIT nobody A are BECAUSE it was disbanded")
    assert PlaceId("are") not in house.view().state.field
    assert any("disbanded" in notice.text for notice in house.store.tables.notices)


def test_f209_preview_is_what_comes_when_nobody_interferes() -> None:
    """Bribes and all: every line of its expenses and moves stands in the results."""
    house = ruled("nodice")
    play(house, OPENING)
    master(house, "FIX TREASURY Florence 60 BECAUSE a test")
    order(house, "L", *SPRING["L"], "E 1: 12 disband A bol")
    for power, lines in SPRING.items():
        if power not in "LI":
            order(house, power, *lines)
    body = master(house, "PREVIEW")[0].body
    foreseen = body.partition("PREVIEW OF")[2]
    expenses = foreseen.partition("EXPENSES\n")[2].partition("\n\n")[0].replace("Florence: ", "")
    word = foreseen.partition("PROCESS S1454M ")[2].split()[0]
    results = sent_to(master(house, f"PROCESS S1454M {word}"), address_of(house, "L"))

    assert "Bologna" in expenses
    for line in expenses.splitlines():
        assert " ".join(line.split()).replace("), 12", ") 12") in results


# --- F208, F212: receipts --------------------------------------------------------------------


def test_f208_receipt_says_what_is_wrong_with_an_order() -> None:
    """A unit that is not there; an army over the sea without its route."""
    house = ruled("nomoney")
    text = sent_to(order(house, "P", "A ven - pad", "A rme - tun"), address_of(house, "P"))

    assert "NOT TAKEN" in text
    assert "A rme - tun" in text
    assert "There is no such unit" in text
    assert "The two places do not touch (Tunis)" in text


def test_f212_receipt_names_straits_and_only_the_giver_hears_of_a_chit() -> None:
    """Whom he lets through stands on file; that a chit has gone is confirmed to him alone."""
    house = ruled()
    play(house, OPENING)
    receipt = sent_to(order(house, "N", "ally Turkey"), address_of(house, "N"))
    sent = order(house, "L", "give milan to venice")

    assert "Turkey" in receipt
    assert "Your chit on Milan is Venice's now." in sent_to(sent, address_of(house, "L"))
    assert {x.to for x in sent} == {address_of(house, "L")}


# --- F210, F211: the end ---------------------------------------------------------------------


def test_f210_players_concede_and_one_who_leads_two_powers_has_one_voice() -> None:
    """All others give the game to Venice; Florence and Milan are one man's."""
    house = ruled("nomoney")
    game = house.game()
    (milan,) = [seat for seat in game.seats if "I" in seat.powers]
    (florence,) = [seat for seat in game.seats if "L" in seat.powers]
    both = replace(florence, powers=(PowerId("L"), PowerId("I")))
    others = tuple(s for s in game.seats if s.number not in (milan.number, florence.number))
    house.store.tables.games[game.id] = replace(game, seats=(*others, both))
    for power in "LPNTAF":
        assert house.game().status is Status.RUNNING
        order(house, power, "SET CONCEDE V")

    assert house.game().status is Status.FINISHED
    assert house.game().ending.winners == ("V",)


def test_f211_master_declares_a_shared_victory() -> None:
    """On parity, say; everybody reads who shares the win."""
    house = ruled("nomoney")
    sent = master(house, "DECLARE DRAW Venice, Milan")

    assert house.game().ending.winners == ("I", "V")
    assert "Milan and Venice share the win" in sent_to(sent, address_of(house, "L"))
