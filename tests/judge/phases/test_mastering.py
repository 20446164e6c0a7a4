"""What a master does with the course of a game: preview, process, rollback, fix, become."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.dice import Throw
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.units import Kind, Unit
from machjudge.judge.archive import replay
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person
from machjudge.judge.preview import forecast_phase
from machjudge.judge.records import GameId
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import write
from tests.judge.year import OPENING, SPRING, address_of, order, play

GINA = "gina@player.example"
MASTER = "SIGNON Mborgia masterkey"
FLO = PowerId("L")


@built_once
def ruled(*options: str, scenario: str = "1454") -> House:
    """A game with a master who does not play."""
    house = House()
    game = house.start(scenario, options)
    gina = new_person(house.services, GINA, "Gina", house.now)
    seat = replace(game.seats[0], person=gina.id, address=GINA)
    changed = replace(game, master=gina.id, seats=(seat, *game.seats[1:]))
    house.store.tables.games[game.id] = changed
    house.store.tables.persons[gina.id] = gina
    return house


def master(house: House, *lines: str, sender: str = GINA) -> list[Outgoing]:
    """What a mail of the master brings."""
    return write(house, sender, MASTER, *lines)


def said(letters: list[Outgoing], to: str = GINA) -> str:
    """The answer to the master, in one line."""
    return " ".join(next(x.body for x in letters if x.to == to and "Re:" in x.subject).split())


def previewed(house: House) -> str:
    """The line with which a preview says how to process."""
    body = next(x.body for x in master(house, "PREVIEW") if x.to == GINA)
    return next(line.strip() for line in body.splitlines() if line.startswith("  PROCESS "))


# --- preview and process ---------------------------------------------------------------------


def test_preview_goes_to_the_master_alone_and_changes_nothing() -> None:
    """One mail, and the game as it was."""
    house = ruled("nomoney")
    before = house.game()
    order(house, "L", "A flo - pst")
    sent = master(house, "PREVIEW")

    assert [letter.to for letter in sent] == [GINA]
    assert "A Florence - Pistoia" in sent[0].body
    assert house.game().position == before.position


def test_preview_shows_bribes() -> None:
    """What is paid for stands in it, before the deadline."""
    house = ruled()
    play(house, OPENING)
    order(house, "L", "E 1: 3 famine flo", "E 2: 12 disband G pis")
    master(house, "FIX TREASURY Florence 40 BECAUSE the test needs it")
    text = master(house, "PREVIEW")[0].body

    assert "EXPENSES" in text
    assert "Florence" in text.partition("EXPENSES")[2]


def test_preview_says_of_every_die_what_each_result_would_do() -> None:
    """Incomes by their tables, disasters by severity, row and column; nothing is thrown."""
    house = ruled("plague", "storms")
    play(house, OPENING)
    play(house, SPRING)
    while house.view().state.moment.code != "F1454M":
        master(house, previewed(house))
    text = " ".join(master(house, "PREVIEW")[0].body.split())
    foreseen = text.partition("DICE NOT YET THROWN")[2]

    assert "famine severity: 2 dice 2, 3: nothing; 4, 6: a row; 5, 7: a column;" in foreseen
    assert "famine row: 2 dice 2: Ancona, Corsica, Modena, Patrimony, Provence" in foreseen
    assert "storm column: 2 dice 2: Western Tyrrhenian Sea" in foreseen
    assert "income of Milan: 1 die Each die: 1: 2d, 2: 3d, 3: 3d, 4: 4d, 5: 4d, 6: 5d" in foreseen
    assert "Power Sea Prov" not in text


def test_token_of_the_preview_lets_the_phase_be_played() -> None:
    """And only this phase."""
    house = ruled("nomoney")
    line = previewed(house)
    sent = master(house, line)

    assert "S1454M is played" in said(sent)
    assert "the game is at U1454M" in said(master(house, line)).replace("The", "the")


def test_process_without_the_token_is_refused() -> None:
    """Nobody plays what he has not seen."""
    house = ruled("nomoney")

    assert "The word with which a preview ends is missing" in said(master(house, "PROCESS S1454M"))
    assert "another phase, or orders have changed" in said(master(house, "PROCESS S1454M abcd"))
    assert house.view().state.moment.code == "S1454M"


def test_token_is_gone_when_orders_change() -> None:
    """The phase would not be the one that was shown."""
    house = ruled("nomoney")
    line = previewed(house)
    order(house, "L", "A flo - pst")

    assert "orders have changed since" in said(master(house, line))
    assert "is played" in said(master(house, previewed(house)))


def test_master_who_plays_sees_no_preview() -> None:
    """He names the phase alone."""
    house = started("nomoney")
    lucia = "lucia@player.example"
    sent = write(house, lucia, MASTER, "PREVIEW")

    assert "You play in this game" in said(sent, lucia)
    sent = write(house, lucia, MASTER, "PROCESS S1454M")
    assert "S1454M is played" in said([x for x in sent if "Re:" in x.subject], lucia)


def test_preview_throws_no_die_as_long_as_orders_may_change() -> None:
    """An assassin's die with what each face does, before the deadline and in the grace after it."""
    house = ruled()
    play(house, OPENING)
    master(house, "FIX TREASURY Florence 60 BECAUSE the test needs it")
    order(house, "L", "E 1: 12 assassinate Milan")
    assert "assassinate" in house.view().order_sets[FLO].lines[0].canonical
    body = master(house, "PREVIEW")[0].body

    assert "DICE NOT YET THROWN" in body
    assert "IF THE DICE SAY" in body
    assert "ASSASSINATIONS" in body.partition("IF THE DICE SAY 1")[2]
    house.later(days=30)
    late = master(house, "PREVIEW")[0].body

    assert house.now > house.view().clock.deadline
    assert late.partition("DICE NOT YET")[2].partition("\nNEXT:")[0].splitlines() == (
        body.partition("DICE NOT YET")[2].partition("\nNEXT:")[0].splitlines()
    )


def test_courses_of_a_decisive_die_are_sorted_by_what_they_bring() -> None:
    """A rebellion that rises up to 2, and an income that decides nothing."""

    def tell(dice):
        (rises,) = dice.roll(Throw("rebellion per"))
        (more,) = dice.roll(Throw("income milan"))
        return ("always", f"income {more}", "it rises" if rises <= 2 else "quiet")

    found = forecast_phase(tell)

    assert found.certain == ("always",)
    assert [throw.purpose for throw in found.throws] == ["rebellion per", "income milan"]
    by_line = {course.lines: course.faces for course in found.courses}
    assert by_line[("it rises",)] == (((1,),), ((2,),))
    assert len(by_line[("quiet",)]) == 4


def test_too_many_dice_are_only_named() -> None:
    """Three decisive dice have 216 results."""

    def tell(dice):
        rolls = [dice.roll(Throw("assassination A L", 1, n)) for n in (1, 2, 3)]
        return tuple(str(roll) for roll in rolls)

    found = forecast_phase(tell)

    assert len(found.throws) == 3
    assert found.courses == ()


# --- rollback --------------------------------------------------------------------------------


def test_rollback_brings_position_and_orders_back() -> None:
    """And forward again; the same orders have the same dice and results."""
    house = ruled()
    play(house, OPENING)
    before = house.view()
    play(house, SPRING)
    after = house.view()
    sent = master(house, "ROLLBACK")

    assert house.view().state == before.state
    assert set(house.view().order_sets) == set(SPRING)
    assert len([x for x in sent if "rollback to" in x.subject]) == 8
    master(house, f"ROLLBACK {after.state.moment.code}")
    assert house.view().state == after.state
    master(house, f"ROLLBACK {before.state.moment.code}")
    house.later(hours=1)
    master(house, previewed(house))
    assert house.view().state == after.state


def test_a_rollback_says_which_results_and_orders_no_longer_count() -> None:
    """Everybody has them in their mailbox, and would go by them; so do corrections count."""
    house = ruled()
    play(house, OPENING)
    play(house, SPRING)
    write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "A flo H")
    master(house, "FIX TREASURY Florence 9 BECAUSE of a gift")
    back = told(house, "ROLLBACK F1453B")

    assert "from Summer 1454 to Fall 1453 adjustment." in back
    assert "The results of Fall 1453 adjustment and Spring 1454 no longer count." in back
    assert "Corrections of the position since then are undone." in back
    assert "Other orders that were on file do not count: send them again" in back
    forward = told(house, "ROLLBACK U1454M")
    assert "The results of Fall 1453 adjustment and Spring 1454 count again." in forward
    assert "Corrections of the position count again, too." in forward
    assert "no longer" not in forward


def told(house: House, line: str) -> str:
    """What a player is told of a line of the master."""
    to = address_of(house, "L")
    return " ".join(next(x.body for x in master(house, line) if x.to == to).split())


def test_a_rollback_without_corrections_speaks_of_none_and_keeps_chits_to_itself() -> None:
    """A chit that was given away is nobody's business."""
    house = ruled()
    play(house, OPENING)
    play(house, SPRING)
    order(house, "L", "give turkey to naples")
    assert house.view().phase.is_secret
    back = told(house, "ROLLBACK S1454M")

    assert house.view().state.moment.code == "S1454M"
    assert "Corrections" not in back


def test_rollback_names_the_phases_that_there_are() -> None:
    """Nowhere to go is said."""
    house = ruled()

    assert "This is the first phase" in said(master(house, "ROLLBACK"))
    assert "there is no other F1460M" in said(master(house, "ROLLBACK F1460M")).replace("T", "t")


# --- corrections -----------------------------------------------------------------------------


@cases
def test_corrections_are_told_with_their_reason(line: str, told: str) -> None:
    """To everybody, and kept as an event of a phase of its own."""
    house = ruled()
    sent = master(house, line)

    assert told in said(sent)
    letters = [x for x in sent if "correction" in x.subject]
    assert len(letters) == 8
    assert all(told in " ".join(x.body.split()) for x in letters)
    assert all(
        check.is_kept and check.plays_again for check in replay(house.services, GameId("borgia"))
    )


def test_corrected_position_is_the_one_that_is_played() -> None:
    """Unit, owner, treasury and marker stand in it; orders on file stay there."""
    house = ruled()
    play(house, OPENING)
    order(house, "L", "A flo h")
    master(
        house,
        "FIX TREASURY Florence 9 BECAUSE it was paid twice",
        "FIX UNIT Florence A sie BECAUSE it was lost",
        "FIX OWNER Milan PROVINCE sie BECAUSE rule four says so",
        "FIX MARKER FAMINE sie BECAUSE dice say so",
        "FIX MARKER NO FAMINE sie BECAUSE dice did not",
    )
    state = house.view().state
    sie = PlaceId("sie")

    assert state.treasuries[FLO] == 9
    assert state.field[sie] == Unit(FLO, Kind.ARMY, sie)
    assert state.provinces[sie] == "I"
    assert sie not in state.famine
    assert [line.canonical for line in house.view().order_sets[FLO].lines] == ["A flo h"]
    assert state.moment.code == "S1454M"


@cases
def test_corrections_that_mean_nothing_are_refused(line: str, words: str) -> None:
    """With what to write."""
    house = ruled()
    before = house.view()
    text = said(master(house, line))

    assert words.lower() in text.lower()
    assert house.view() == before


def test_hidden_treasury_is_corrected_for_its_owner_alone() -> None:
    """The others read the reason, and no number."""
    house = ruled()
    house.change_settings(treasuries=Treasuries.PRIVATE)
    sent = master(house, "FIX TREASURY Florence 4711 BECAUSE it was paid twice")
    told = {x.to: x.body for x in sent if "correction" in x.subject}

    assert "4711" in told.pop(address_of(house, "L"))
    assert len(told) == 7
    assert not [body for body in told.values() if "4711" in body]
    assert all("it was paid twice" in body for body in told.values())


# --- become ----------------------------------------------------------------------------------


def test_master_orders_for_a_power_and_its_player_gets_a_copy() -> None:
    """Without the master's address and without any password."""
    house = ruled("nomoney")
    sent = master(house, "BECOME Florence", "A flo - pst")
    copies = [x for x in sent if x.to == address_of(house, "L")]

    assert [line.canonical for line in house.view().order_sets[FLO].lines] == ["A flo - pst"]
    assert len(copies) == 1
    first = copies[0].body
    assert first.startswith("This mail came from the master, who writes as Florence.")
    assert GINA not in copies[0].body
    assert "masterkey" not in copies[0].body


def test_becoming_stands_in_the_log() -> None:
    """So that the players read of it in the end."""
    house = ruled("nomoney")
    master(house, "BECOME L", "A flo h")

    assert ("become", "wrote as Florence") in [(n.kind, n.text) for n in house.store.tables.notices]


@pytest.mark.parametrize("line", ["SET PASSWORD stolen9", "SET ADDRESS x@y.example", "RESIGN"])
def test_what_only_the_player_may_do_is_refused(line: str) -> None:
    """His seat stays his."""
    house = ruled("nomoney")
    before = house.game()

    assert "Only the player may do that" in said(master(house, "BECOME Florence", line))
    assert house.game() == before


def test_a_player_reads_nothing_of_what_a_master_wrote_above_become() -> None:
    """The master reads the answer to all."""
    house = ruled("nomoney")
    sent = write(
        house,
        GINA,
        "Lucia is a nuisance.",
        MASTER,
        "She sleeps again.",
        "PRESS TO V",
        "The secret of Venice.",
        "ENDPRESS",
        "SET MOVES GRACE 12",
        "PROMOTE vera@player.example",
        "LIST borgia",
        "BECOME Florence",
        "A flo - pst",
        "A ven - pad",
    )
    answers = {each.to: " ".join(each.body.split()) for each in sent if "Re:" in each.subject}
    whole, copy = answers[GINA], answers[address_of(house, "L")]

    for words in ("A ven - pad", "A Florence - Pistoia"):
        assert words in whole
        assert words in copy
    for words in (
        "a nuisance",
        "sleeps again",
        "secret of Venice",
        "vera@player.example",
        "THE GAME BORGIA",
    ):
        assert words in whole
        assert words not in copy


def test_failed_become_leaves_the_rest_unread() -> None:
    """Nobody's orders slip to somebody else."""
    house = ruled("nomoney")
    text = said(master(house, "BECOME Sparta", "A flo h"))

    assert "is no power here" in text
    assert "was not read" in text
    assert house.view().order_sets == {}


def test_master_who_plays_becomes_nobody_else() -> None:
    """He would see orders."""
    house = started("nomoney")
    lucia = "lucia@player.example"

    sent = write(house, lucia, MASTER, "BECOME Florence", "A flo h")
    assert "You play in this game" in said(sent, lucia)
    assert house.view().order_sets == {}


def test_player_speaks_for_his_other_power() -> None:
    """FOR switches; one signon opens all his seats."""
    house = ruled("nomoney")
    game = house.game()
    anna = next(seat for seat in game.seats if "L" in seat.powers)
    seats = tuple(
        replace(s, person=anna.person, address=anna.address) if "V" in s.powers else s
        for s in game.seats
    )
    house.store.tables.games[game.id] = replace(game, seats=seats)
    sent = order(house, "L", "A flo h", "FOR Venice", "A ver h", "FOR Milan", "A mil h")
    order_sets = house.view().order_sets

    assert {p: [x.canonical for x in s.lines] for p, s in order_sets.items()} == {
        "L": ["A flo h"],
        "V": ["A ver h"],
    }
    text = said(sent, anna.address)
    assert "of Florence missing" in text
    assert "of Venice missing" in text
    assert "You do not lead 'Milan' here" in text


def test_a_listing_shows_what_the_same_mail_has_corrected() -> None:
    """Not the game as it was before the mail."""
    house = ruled("nodice")
    sent = master(house, "FIX TREASURY FLORENCE 77 because promised", "SET COMMENT Hear!", "LIST")

    assert "Florence: 77 ducats" in said(sent)
    assert "Hear!" in said(sent).partition("THE GAME BORGIA")[2]
