"""Orders for later phases, conditional and standing orders: kept, shown, carried out, dropped."""

from datetime import timedelta

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.archive import export, replay, scenario_of, verify
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.orders_ahead import MAX_KEPT
from machjudge.judge.records import GameId, Status
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge import year
from tests.judge.house import House, atlas, started
from tests.judge.letters_in import answer, flat, raw_mail, work, write
from tests.judge.phases.test_mastering import master, ruled
from tests.judge.riches import position, springtime
from tests.judge.year import OPENING, address_of, order, play
from tests.results_told import tells_results

ANNA = "anna@player.example"
FLO = PowerId("L")
SPRING = {**year.SPRING, "I": year.SPRING["I"][:3]}
"""Without the garrison that Milan builds in other tests."""
SUMMER = {**year.SUMMER, "I": year.SUMMER["I"][:3]}
HOLD = ("A flo h", "A are h", "F psa h")


def kept(house: House, power: str = "L") -> list[str]:
    """For what a power has something on file ahead."""
    plan = house.view().plans.get(PowerId(power))
    return [part.name for part in plan.parts] if plan is not None else []


def body(house: House, *lines: str, power: str = "L") -> str:
    """The answer to an order mail, whitespace made plain."""
    to = address_of(house, power)
    (found,) = [m.body for m in order(house, power, *lines) if m.to == to and "Re:" in m.subject]
    return " ".join(found.split())


def opened(house: House, orders=SPRING, without: str = "L") -> str:
    """Let the others order, so that the phase is played; what opens the next one for Anna."""
    sent = play(house, orders, without)
    (found,) = [m.body for m in sent if m.to == ANNA and tells_results(m.body)]
    return found


# --- for one phase ---------------------------------------------------------------------------


def test_orders_for_a_later_phase_are_kept_until_it_comes(house: House) -> None:
    """They are shown in each receipt, and are the order set on file when the phase begins."""
    shown = body(house, *SPRING["L"], "PHASE U1454M", "A are - per", "A sie h", "F pio h")
    assert "ORDERS FOR LATER PHASES U1454M: A Arezzo - Perugia A Siena H F Piombino H" in shown
    assert "ORDERS FOR LATER PHASES U1454M:" in body(house, "LIST")
    assert house.on_file() == ["A flo - sie", "A are h", "F psa - pio"]

    letter = opened(house)

    assert house.view().state.moment.code == "U1454M"
    assert house.on_file() == ["A are - per", "A sie h", "F pio h"]
    assert "ORDERS KEPT FOR THIS PHASE\n  COMPLETE: all orders of Florence" in letter
    assert "ORDERS FOR LATER PHASES" not in body(house, "LIST")


@pytest.mark.parametrize("named", ["U1454M", "summer 1454 move", "su 1454 m"])
def test_phases_are_named_in_words_and_by_their_beginnings(house: House, named: str) -> None:
    """``summer`` by two letters: one alone is Spring."""
    body(house, f"PHASE {named}", "A flo h")

    assert kept(house) == ["U1454M"]


def test_naming_the_phase_that_is_played_makes_orders_current(house: House) -> None:
    """Also behind another one, and in a mail that came before the phase began."""
    body(house, "PHASE U1454M", "A flo h", "PHASE S1454M", "A are h")
    assert (house.on_file(), kept(house)) == (["A are h"], ["U1454M"])

    early = house.now - timedelta(minutes=1)
    lines = ["SIGNON Lborgia pwL", "PHASE S1454M", "F psa h"]
    house.store.receive(raw_mail(ANNA, lines), ANNA, early)
    work(house)
    assert "F psa h" in house.on_file()


@cases
def test_phases_that_cannot_have_orders_are_refused(house: House, named: str, why: str) -> None:
    """One sentence says why; the orders below it count for no other phase."""
    said = body(house, f"PHASE {named}", "A flo h")

    assert why.lower() in said.lower()
    assert "NOT READ line 3: A flo h" in said
    assert (house.on_file(), kept(house)) == ([], [])


def test_summer_is_refused_where_there_is_none() -> None:
    """SET-02."""
    house = started("nomoney", "nosummer")

    assert "this game has no Summer" in body(house, "PHASE U1455M", "A flo h")


def test_five_years_ahead_are_allowed_and_retreats_may_come(house: House) -> None:
    """Nobody knows if anybody will be dislodged."""
    said = body(house, "PHASE S1459M", "A flo h", "PHASE S1454R", "A flo - pst")

    assert kept(house) == ["S1454R", "S1459M"]
    assert "NOT TAKEN" not in said


def test_retreats_that_do_not_come_are_told(house: House) -> None:
    """The letter of the next phase says that the orders are not used."""
    body(house, *SPRING["L"], "PHASE S1454R", "A flo - pst")

    assert "S1454R did not come; the orders for it are not used." in opened(house)


def test_what_cannot_be_read_is_told_at_once_and_the_rest_when_the_phase_comes(
    house: House,
) -> None:
    """A word is wrong today; whether Siena touches Rome counts in Summer."""
    said = body(house, *SPRING["L"], "PHASE U1454M", "A sie - xyz", "A sie - ven", "A are h")
    assert 'no place of this board is called "xyz"' in said.lower()
    assert "A Siena - Venice" in said

    letter = opened(house)

    assert house.on_file() == ["A are h"]
    assert "1 order kept for this phase cannot be given." in letter
    assert "Not taken: A sie - ven" in letter
    assert house.view().order_sets[FLO].flawed


@cases
def test_what_the_board_forbids_is_told_before_its_phase(
    house: House, named: str, text: str, why: str
) -> None:
    """It is kept all the same; the rest is judged when the phase begins."""
    said = flat(answer(order(house, "L", f"PHASE {named}", text), ANNA))

    assert f"Line 3 is kept, but will not be possible in its phase: {why}" in said


def test_what_the_board_allows_is_kept_without_a_word(house: House) -> None:
    """Whoever may stand there then."""
    said = body(house, "PHASE U1454M", "A bol - mod", "F las t A bar - dal", "A cro - ist")

    assert "will not be possible" not in said


def test_later_line_for_the_same_unit_takes_the_place_of_the_earlier(house: House) -> None:
    """As among the orders of the phase that is played."""
    body(house, "PHASE U1454M", "A flo h", "A are h")
    said = body(house, "PHASE U1454M", "A flo - pst")

    assert "U1454M: A Arezzo H A Florence - Pistoia (set 2" in said


def test_chits_and_too_many_orders_are_not_kept(house: House) -> None:
    """A chit is handed over at once; the judge keeps no book of a player's dreams."""
    money = springtime()
    assert (
        "a chit is handed over at once"
        in body(money, "PHASE U1454M", "give turkey to naples").lower()
    )

    units = [f"E {n % 4 + 1}: 9 d famine relief mil" for n in range(3)]
    assert kept(money) == []
    body(money, "PHASE U1454M", *units)
    lines = [f"if treasury >= {n} then A flo h endif" for n in range(MAX_KEPT)]
    said = body(money, "PHASE F1454M", *lines)
    assert f"No more than {MAX_KEPT} orders" in said
    assert kept(money) == ["U1454M"]


def test_nobody_else_sees_what_is_kept() -> None:
    """The master only when he writes in the player's name; the preview shows this phase."""
    house = ruled("nomoney")
    body(house, "PHASE U1454M", "A flo - pst")
    mails = [*order(house, "V", "LIST"), *master(house, "LIST", "PREVIEW")]
    become = master(house, "BECOME Florence", "LIST")

    assert not any("LATER PHASES" in m.body or "Florence - Pistoia" in m.body for m in mails)
    assert all("A Florence - Pistoia" in m.body for m in become)


def test_other_powers_commands_are_their_own(house: House) -> None:
    """Observers and masters keep no orders."""
    said = answer(
        write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "PHASE U1454M"),
        "lucia@player.example",
    )

    assert "That is for players only." in said


# --- conditions ------------------------------------------------------------------------------


def test_conditional_set_filed_two_phases_ahead_is_carried_out() -> None:
    """Through the whole desk, and the record of the game can be played again."""
    house = springtime(ducats=9)
    lines = [
        "PHASE F1454M",
        "IF Austria A tyr AND NOT (A sie OR treasury < 3) THEN",
        "  A are - flo",
        "ELSE IF A sie",
        "  IF Florence owns sie",
        "    A sie b",
        "  ELSE",
        "    A sie - pis",
        "  ENDIF",
        "  HOLD REST",
        "ENDIF",
    ]
    body(house, *SPRING["L"], *lines)
    opened(house)
    sent = play(house, dict.fromkeys(SPRING, ("HOLD REST",)))
    (letter,) = [m.body for m in sent if m.to == ANNA and tells_results(m.body)]

    assert house.view().state.moment.code == "F1454M"
    assert "ORDERS KEPT FOR THIS PHASE" in letter
    orders = house.on_file()
    assert sorted(orders) == ["A are h", "A sie b", "F pio h"]
    play(house, {power: ("HOLD REST",) for power in SPRING if power != "L"})
    fall = next(p for p in house.store.tables.phases if p.moment == "F1454M")
    assert [line.canonical for line in fall.orders[FLO]] == orders
    checks = replay(house.services, GameId("borgia"))
    assert all(check.is_kept and check.plays_again for check in checks if check.number > 1)


@cases
def test_conditions_of_this_phase_are_judged_at_once(
    house: House, lines: list[str], orders: list[str]
) -> None:
    """By the position at the start of the phase, which is known."""
    body(house, *lines)

    assert sorted(house.on_file()) == sorted(orders)


@cases
def test_bad_conditions_are_shown_with_their_line(house: House, lines: list[str], why: str) -> None:
    """Nothing of such a block counts, and the rest of the mail does."""
    said = body(house, "A are h", *lines)

    assert why.lower() in said.lower()
    assert "A flo h" not in house.on_file()
    assert "A are h" in house.on_file()


def test_error_in_a_branch_costs_that_line_only(house: House) -> None:
    """One bad line never costs the others."""
    said = body(house, "PHASE U1454M", "if A flo", "A flo - xyz", "A are h", "endif")

    assert "line 4:" in said
    assert "U1454M: if A flo A Arezzo H endif" in said


@cases
def test_money_can_be_a_condition(condition: str, is_true: bool) -> None:
    """What stands in a treasury at the start of the phase."""
    house = springtime(ducats=9)
    body(house, f"if {condition}", "A flo h", "endif")

    assert house.on_file() == (["A flo h"] if is_true else [])


def test_hidden_ducats_of_others_are_no_condition() -> None:
    """Else a condition would tell what the game hides; also where the game hides them later."""
    house = springtime(ducats=9)
    body(house, "PHASE U1454M", "if treasury Milan >= 0 then A flo h else A are h endif")
    house.change_settings(treasuries=Treasuries.PRIVATE)

    assert "Ducats are hidden" in body(house, "if treasury Milan >= 9", "A flo h", "endif")
    assert house.on_file() == []
    body(house, "PHASE S1454M", *SPRING["L"])
    opened(house)
    assert house.on_file() == ["A are h"]


# --- standing orders -------------------------------------------------------------------------


def test_standing_orders_count_where_nothing_else_is_on_file(house: House) -> None:
    """Orders for the very phase come first; afterwards the standing ones again."""
    said = body(house, *SPRING["L"], "PHASE EVERY M", "HOLD REST", "PHASE U1454M", "A sie h")
    assert "Every campaign: hold rest" in said

    opened(house)
    assert house.on_file() == ["A sie h"]
    play(house, SUMMER, "L")
    look_at_games(house.services, house.later(days=60))
    order(house, "L", "HOLD REST")
    assert house.view().state.moment.code == "F1454M"
    assert len(house.on_file()) == 3


def test_standing_orders_count_at_once_where_nothing_is_on_file(house: House) -> None:
    """From the phase that is played on; orders that are there stay alone."""
    body(house, "PHASE EVERY MOVE", "HOLD REST")
    assert sorted(house.on_file()) == sorted(HOLD)

    body(house, "A sie h", "PHASE EVERY R", "A flo disband", power="V")
    assert kept(house, "V") == ["every R"]


def test_standing_orders_that_cannot_be_given_hold_nothing_up(house: House) -> None:
    """They are told and left out; the set is not flawed."""
    body(house, *SPRING["L"])
    body(house, "PHASE EVERY M", "A sie - ven", "A are h", "A sie h", "F pio h")
    letter = opened(house)

    assert "Not taken: A sie - ven" in letter
    assert not house.view().order_sets[FLO].flawed
    assert sorted(house.on_file()) == ["A are h", "A sie h", "F pio h"]


def test_game_of_standing_orders_alone_keeps_its_deadlines(house: House) -> None:
    """It does not run away: somebody must write, or the deadline come."""
    house.later(minutes=1)
    for power in SPRING:
        order(house, power, "PHASE EVERY M", "HOLD REST")
    first = house.view().state.moment.code
    look_at_games(house.services, house.later(hours=1))
    assert (first, house.view().state.moment.code) == ("U1454M", "U1454M")

    deadline = house.view().clock.deadline
    look_at_games(house.services, deadline)
    assert house.view().state.moment.code == "F1454M"


# --- who is in -------------------------------------------------------------------------------


def test_kept_orders_count_as_in(house: House) -> None:
    """The others have ordered: nobody waits for anyone who has ordered before."""
    body(house, *SPRING["L"], "PHASE U1454M", "HOLD REST")
    opened(house)
    play(house, SUMMER, "L")

    assert house.view().state.moment.code != "U1454M"


def test_wish_to_wait_can_be_kept_as_well(house: House) -> None:
    """Below the name of a phase it is for that phase."""
    said = body(house, *SPRING["L"], "PHASE U1454M", "HOLD REST", "SET WAIT")
    assert "U1454M, waiting for the deadline: hold rest" in said
    assert not any(seat.waits for seat in house.game().seats)

    opened(house)
    play(house, SUMMER, "L")

    assert house.view().state.moment.code == "U1454M"
    assert [seat.powers for seat in house.game().seats if seat.waits] == [("L",)]


def test_flawed_kept_orders_wait_for_the_deadline(house: House) -> None:
    """Anyone who reads that an order failed has time to mend it."""
    body(house, *SPRING["L"], "PHASE U1454M", "A sie - ven", "HOLD REST")
    opened(house)
    play(house, SUMMER, "L")

    assert house.view().state.moment.code == "U1454M"


# --- dropping and restoring ------------------------------------------------------------------


AHEAD = ("PHASE U1454M", "A flo h", "PHASE F1454M", "A flo h", "PHASE EVERY B", "waive")


@cases
def test_orders_are_dropped(house: House, lines: list[str], now: int, ahead: list[str]) -> None:
    """Those that are named, and no others."""
    body(house, *HOLD, *AHEAD)
    body(house, *lines)

    assert (len(house.on_file()), kept(house)) == (now, ahead)


def test_clear_of_what_is_not_there_says_so(house: House) -> None:
    """And a phase that is over keeps its record."""
    assert "You had no orders on file for S1454M." in body(house, "CLEAR")
    assert "There was nothing of that kind on file." in body(house, "CLEAR STANDING")
    assert "F1453B is over" in body(house, "CLEAR F1453B")
    assert (
        "clear a phase such as s1455m, or later, standing or all" in body(house, "CLEAR x").lower()
    )


def test_clear_below_a_phase_that_was_refused_drops_nothing(house: House) -> None:
    """It was meant for that phase, not for the one that is played."""
    body(house, *HOLD)
    said = body(house, "PHASE S1460M", "CLEAR")

    assert "there can be no orders for the phase named above" in said
    assert len(house.on_file()) == 3


def test_each_set_has_a_number_and_can_be_restored(house: House) -> None:
    """The receipt tells the number; what is restored is a set of its own."""
    assert "This is set 1 of the orders of Florence." in body(house, *HOLD)
    assert "This is set 2 of the orders of Florence." in body(house, "A flo - pst")
    listed = body(house, "HISTORY ORDERS")
    assert "YOUR ORDER SETS OF S1454M set 1," in listed
    assert "set 2," in listed

    said = body(house, "RESTORE 1")

    assert "Your orders are those of set 1 again; this is set 3." in said
    assert sorted(house.on_file()) == sorted(HOLD)
    assert "no such set; they have the numbers 1 to 3" in body(house, "RESTORE 9")


def test_cleared_orders_can_be_restored(house: House) -> None:
    """Nothing that was acknowledged is lost."""
    body(house, *HOLD)
    assert "RESTORE 1 brings them back" in body(house, "CLEAR")
    body(house, "RESTORE 1")

    assert sorted(house.on_file()) == sorted(HOLD)


def test_sets_are_found_again_behind_a_chit_and_a_correction() -> None:
    """The position changes in the middle of the phase; the numbers go on."""
    house = springtime()
    body(house, "A flo h")
    body(house, "give turkey to naples")
    assert "This is set 2 of the orders of Florence." in body(house, "A are h")
    body(house, "RESTORE 1")

    assert house.on_file() == ["A flo h"]


def test_orders_for_later_phases_can_be_restored(house: House) -> None:
    """By a number of their own."""
    body(house, "PHASE U1454M", "A flo h")
    body(house, "CLEAR ALL")
    assert kept(house) == []
    assert "set 1" in body(house, "HISTORY ORDERS")
    said = body(house, "RESTORE LATER 1")

    assert "are those of set 1 again" in said
    assert "U1454M: A Florence H (set 3" in said


# --- many units at once ----------------------------------------------------------------------


def test_hold_rest_orders_anyone_who_has_none(house: House) -> None:
    """Anyone who has an order keeps it, wherever in the mails it stands."""
    body(house, "A flo - pst")
    body(house, "hold rest", "A are - per")

    assert sorted(house.on_file()) == ["A are - per", "A flo - pst", "F psa h"]


def test_hold_all_leaves_out_whom_the_mail_names(house: House) -> None:
    """What was on file before is replaced."""
    body(house, "A flo - pst", "A are - per")
    body(house, "hold all except A are; F psa - pio")

    assert sorted(house.on_file()) == ["A are - per", "A flo h", "F psa - pio"]


def test_maintain_all_except() -> None:
    """In the adjustment each other unit is maintained."""
    house = started()
    said = body(house, "maintain all except A flo and F psa")
    assert house.on_file() == ["maintain A are"]
    assert "maintain A Arezzo" in said
    assert "A Florence has no order yet. To let it go, send: remove A Florence" in said
    assert "no order yet" not in body(house, "maintain all except F psa; remove F psa")

    assert "you have no a rme" in body(house, "maintain all except A rme").lower()
    assert "units hold in campaigns only" in body(house, "hold rest").lower()
    body(house, "remove F psa", "maintain all")
    assert sorted(house.on_file()) == ["maintain A are", "maintain A flo", "remove F psa"]


# --- dry -------------------------------------------------------------------------------------


def test_dry_mail_is_answered_and_stores_nothing(house: House) -> None:
    """Wherever the word stands; the first line of the answer says so."""
    before = house.store.tables
    lines = [*HOLD, "A flo - xyz", "PHASE U1454M", "A flo h", "SET WAIT", "DRY"]
    (letter,) = order(house, "L", *lines)

    assert letter.body.startswith("DRY: this mail was only checked. Nothing of it is stored.")
    assert "ORDERS AS THEY WOULD BE" in letter.body
    assert "NOT TAKEN" in letter.body
    assert (house.on_file(), kept(house)) == ([], [])
    after = house.store.tables
    assert (after.order_sets, after.plans, after.games) == (
        before.order_sets,
        before.plans,
        before.games,
    )


def test_dry_mail_sets_no_error_flag_and_says_what_it_would_do(house: House) -> None:
    """The flag that it would set is not told as one that stands."""
    (letter,) = order(house, "L", "DRY", *HOLD, "A flo - xyz")

    assert "Sent without DRY, it would set the error flag of Florence." in letter.body
    assert "ERROR FLAG" not in letter.body
    assert not house.view().flagged()


def test_dry_mail_does_nothing_but_check() -> None:
    """No phase is played for a look at its dice, no seat is tried out."""
    house = ruled("nomoney")
    code = house.view().state.moment.code
    (said,) = master(house, "DRY", f"PROCESS {code} 12345678")
    assert "DRY checks orders only" in " ".join(said.body.split())

    order(house, "L", *HOLD)
    order(house, "L", "RESIGN")
    sent = write(house, "dino@other.example", "DRY", "SIGNON Lborgia newword9", *HOLD)
    assert not any("Pisa" in m.body for m in sent)
    assert house.view().state.moment.code == code


def test_wrong_passwords_of_dry_mails_count(house: House) -> None:
    """Nobody tries passwords for nothing."""
    write(house, "dino@other.example", "SIGNON Lborgia wrong77", "DRY")

    assert house.store.tables.counts


def test_press_in_a_dry_mail_is_not_sent(house: House) -> None:
    """And a line of a press that says dry makes no mail dry."""
    sent = order(house, "L", "DRY", "PRESS TO V", "hello", "ENDPRESS")
    assert [m.to for m in sent] == [ANNA]

    order(house, "L", "PRESS TO V", "dry", "ENDPRESS", "A flo h")
    assert house.on_file() == ["A flo h"]


# --- rollback, takeover, late mails ----------------------------------------------------------


def test_rollback_keeps_what_is_ordered_ahead() -> None:
    """Orders that have been used wait again for their phase."""
    house = ruled("nomoney")
    body(house, *SPRING["L"], "PHASE U1454M", "A are - per", "PHASE F1454M", "A are h")
    opened(house)
    assert house.on_file() == ["A are - per"]

    master(house, "ROLLBACK S1454M")
    assert "U1454M: A Arezzo - Perugia F1454M:" in body(house, "LIST")
    look_at_games(house.services, house.view().clock.deadline)

    assert house.view().state.moment.code == "U1454M"
    assert house.on_file() == ["A are - per"]


def test_anyone_who_takes_over_is_shown_what_is_kept(house: House) -> None:
    """Orders belong to the power; the newcomer may drop them."""
    body(house, "PHASE U1454M", "A flo - pst")
    order(house, "L", "RESIGN")
    lines = ["REGISTER", "Name: Dino Grasso", "END", "SIGNON Lborgia newword9"]
    said = answer(write(house, "dino@other.example", *lines), "dino@other.example")

    assert "Orders for later phases of Florence are on file" in said
    assert "A Florence - Pistoia" in said


def test_older_mail_does_not_change_what_a_newer_one_keeps(house: House) -> None:
    """Whatever was set aside and is handled late, the newest word counts."""
    body(house, "PHASE U1454M", "A flo h")
    early = house.now - timedelta(hours=1)
    lines = ["SIGNON Lborgia pwL", "PHASE U1454M", "A flo - pst"]
    house.store.receive(raw_mail(ANNA, lines), ANNA, early)
    work(house)
    said = " ".join(answer(house.mails_out(), ANNA).split())

    assert "a newer mail of yours has changed your orders for later phases" in said.lower()
    assert "U1454M: A Florence H" in said


def test_eliminated_powers_keep_no_orders(house: House) -> None:
    """Nothing is kept for them, and nothing of theirs is put on file."""
    body(house, "PHASE U1454M", "A flo h")
    position(house, eliminated=frozenset({FLO}))

    assert "your power is eliminated" in body(house, "PHASE F1454M", "A flo h").lower()


def test_finished_game_with_kept_orders_can_be_verified() -> None:
    """Its file holds the orders that were in force, and every die and position of it holds."""
    house = started()
    play(house, {**OPENING, "I": OPENING["I"][:3]})
    body(house, *SPRING["L"], "PHASE U1454M", "if A sie then A sie b endif", "HOLD REST")
    opened(house)
    play(house, SUMMER, "L")
    house.change(status=Status.FINISHED)

    chronicle = export(house.services, house.game().id)
    (summer,) = [entry for entry in chronicle.phases if entry.moment == "U1454M"]
    assert "A sie b" in [line.canonical for line in summer.orders[FLO]]
    findings = verify(chronicle, scenario_of(chronicle, atlas()), "1.0")
    assert [f.what for f in findings if not f.holds] == []


def test_a_counter_bribe_for_a_unit_is_no_order_for_it() -> None:
    """It still lacks one, and holds with the rest."""
    house = started("nodice")
    for power in house.game().seats:
        for letter in power.powers:
            order(house, letter, "maintain all")
    said = body(house, "expense 1: 3 counter-bribe F psa", "A flo - pst", "A are - per")

    assert "NOT COMPLETE: 1 order of Florence missing" in said
    assert "F Pisa: no order" in said
    body(house, "hold rest")
    assert "F psa h" in house.on_file()
