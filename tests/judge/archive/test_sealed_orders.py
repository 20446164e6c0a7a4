"""Sealed orders: receipts, results and a record agree, and whoever changes one is found out."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.formats.game_file import (
    Chronicle,
    ChronicleLine,
    SealedSet,
    chronicle_lines,
    read_chronicle,
)
from machjudge.judge.archive import ALL as ALL_SETS
from machjudge.judge.archive import Receipt, chronicle_of, compare, receipts_in, scenario_of, verify
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.process import play_on
from machjudge.judge.records import GameId
from tests.judge.house import House, atlas, started
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, MASTER, ruled
from tests.judge.year import OPENING, SPRING, SUMMER, address_of, order, play

V, L = PowerId("V"), PowerId("L")
ALL = {**SPRING, "I": SPRING["I"][:3]}
LATER = {**SUMMER, "I": SUMMER["I"][:3]}


def record(house: House) -> Chronicle:
    """The game so far, as its keeper has it."""
    found = chronicle_of(house.services, GameId("borgia"))
    assert found is not None
    return found


def receipts(sent) -> list[Receipt]:
    """What messages say of order sets."""
    return [each for mail in sent for each in receipts_in(mail.body)]


@pytest.fixture
def told() -> tuple[House, list[Receipt]]:
    """A game of two campaigns, in which Venice changed its orders, and what was said of it."""
    house = started("nomoney")
    found = receipts(order(house, "V", "A pad h", "A ver h"))
    found += receipts(play(house, ALL))
    found += receipts(play(house, LATER))
    return house, found


def findings(chronicle: Chronicle, house: House) -> dict[str, bool]:
    """Which checks hold."""
    scenario = scenario_of(chronicle, atlas())
    return {f.what: f.holds for f in verify(chronicle, scenario, house.services.judge.version)}


# --- receipts --------------------------------------------------------------------------------


def test_each_receipt_has_a_digest_that_its_player_can_compute(told) -> None:
    """SHA-256 of a text with the orders, their seats and the nonce; set by set."""
    _, found = told
    first, second = [r for r in found if (r.phase, r.about) == ("S1454M", "V")]

    text = (
        '{"game":"borgia","nonce":"NONCE","number":1,"orders":[["A pad h","V"],["A ver h","V"]],'
        '"phase":"S1454M","power":"V"}'
    ).replace("NONCE", first.nonce)
    assert sha256(text.encode()).hexdigest() == first.digest
    assert (first.number, second.number) == (1, 2)
    assert first.nonce != second.nonce


def test_dry_and_refused_mails_seal_nothing() -> None:
    """Nothing of them is on file."""
    house = started("nomoney")

    sent = order(house, "V", "DRY", "A pad h")

    assert receipts(sent) == []


def test_a_receipt_goes_to_its_seat_alone(told) -> None:
    """Nobody else can try guesses: the nonce is secret before the results."""
    house = started("nomoney")
    sent = order(house, "V", "A pad h")

    assert {m.to for m in sent if receipts([m])} == {address_of(house, "V")}


def test_results_bind_the_judge_to_the_sets_of_all(told) -> None:
    """Each reader has the same SHA-256 over all order sets; it says not who sent nothing."""
    house = started("nomoney")
    sent = play(house, ALL)

    roots = {r for r in receipts(sent) if r.about == ALL_SETS}

    assert [r.phase for r in roots] == ["S1454M"]
    assert all(" KEY" in m.body for m in sent if "Results of" in m.body)


def test_where_money_is_hidden_no_key_opens_the_orders_of_others() -> None:
    """Who cannot see an order must not be able to try what it was."""
    house = started()
    house.change(settings=replace(house.game().settings, treasuries=Treasuries.PRIVATE))
    sent = play(house, {**OPENING, "I": OPENING["I"][:3]})

    assert any(r.about == ALL_SETS for r in receipts(sent))
    assert not any(" KEY" in m.body for m in sent)


# --- the record ------------------------------------------------------------------------------


def test_what_was_acknowledged_is_what_was_played(told) -> None:
    """All receipts of all players, and all results, are of the record; the file keeps it."""
    house, found = told
    chronicle = record(house)
    again = read_chronicle("\n".join(chronicle_lines(chronicle)).encode())

    assert findings(again, house)["sealed"]
    finding = compare(again, found)
    assert (finding.holds, finding.doubt) == (True, False)


def _changed(chronicle: Chronicle, lines: tuple[ChronicleLine, ...], sealed: SealedSet | None):
    """The record with other orders of Venice in the first campaign."""
    (index,) = [
        n for n, each in enumerate(chronicle.phases) if each.moment == "S1454M" and each.sealed
    ]
    entry = chronicle.phases[index]
    others = entry.sealed if sealed is None else {**entry.sealed, V: sealed}
    entry = replace(entry, orders={**entry.orders, V: lines}, sealed=others, seal="")
    phases = (*chronicle.phases[:index], entry, *chronicle.phases[index + 1 :])
    return replace(chronicle, phases=phases, seal="")


def _of_venice(chronicle: Chronicle) -> tuple[tuple[ChronicleLine, ...], SealedSet]:
    entry = next(e for e in chronicle.phases if e.moment == "S1454M" and e.sealed)
    return entry.orders[V], entry.sealed[V]


@pytest.mark.parametrize("how", ["dropped", "added", "changed"])
def test_orders_that_were_dropped_added_or_changed_are_named(told, how: str) -> None:
    """First against what the file itself says was on file, then against the receipts."""
    house, found = told
    chronicle = record(house)
    lines, sealed = _of_venice(chronicle)
    other = ChronicleLine("A pad - tre", "A pad - trv")
    new = {"dropped": lines[1:], "added": (*lines, other), "changed": (other, *lines[1:])}[how]

    assert not findings(_changed(chronicle, new, None), house)["sealed"]
    forged = replace(sealed, orders=tuple((line.canonical, "V") for line in new))
    changed = _changed(chronicle, new, forged)
    assert findings(changed, house)["sealed"]
    finding = compare(changed, [r for r in found if r.about != ALL_SETS])
    assert not finding.holds
    assert finding.says.fields["power"] == "V"
    assert not compare(changed, [r for r in found if r.about == ALL_SETS]).holds


def test_an_older_set_in_place_of_the_last_is_found_out(told) -> None:
    """Its player has a receipt with a higher number."""
    house, found = told
    chronicle = record(house)
    first = SealedSet(1, (("A pad h", "V"), ("A ver h", "V")))
    lines = tuple(ChronicleLine(text, text) for text, _ in first.orders)
    changed = _changed(chronicle, lines, first)

    assert not compare(changed, [r for r in found if r.about == "V"]).holds


def test_a_set_without_a_receipt_is_doubted(told) -> None:
    """Only its player knows whether there was one: the line says which to look for."""
    house, found = told
    chronicle = record(house)
    other = ChronicleLine("A pad - fer", "A pad - fer")
    forged = SealedSet(3, ((other.canonical, "V"),))
    changed = _changed(chronicle, (other,), forged)

    finding = compare(changed, [r for r in found if r.about == "V"])

    assert finding.holds
    assert (finding.doubt, finding.says.fields["number"]) == (True, 3)


def test_orders_of_a_phase_without_any_receipt_are_doubted(told) -> None:
    """Somebody may have added orders for a player who sent none in that phase."""
    house, found = told

    finding = compare(record(house), [r for r in found if (r.about, r.phase) == ("V", "S1454M")])

    assert finding.doubt
    assert (finding.says.fields["phase"], finding.says.fields["number"]) == ("U1454M", 1)


def test_a_set_of_the_same_orders_under_a_later_number_is_the_players(told) -> None:
    """A flag that the judge set or cleared makes a set of the same orders, without a receipt."""
    house, found = told
    chronicle = record(house)
    lines, sealed = _of_venice(chronicle)
    changed = _changed(chronicle, lines, replace(sealed, number=3))

    finding = compare(changed, [r for r in found if r.about == "V"])

    assert (finding.holds, finding.doubt) == (True, False)


def test_receipts_of_a_phase_without_order_sets_are_found_out(told) -> None:
    """Who takes the order sets out of the file takes nothing away from the receipts."""
    house, found = told
    chronicle = record(house)
    phases = tuple(replace(each, sealed={}, seal="") for each in chronicle.phases)

    for about in ("V", ALL_SETS):
        own = [r for r in found if r.about == about]
        assert not compare(replace(chronicle, phases=phases, seal=""), own).holds


def test_receipts_of_another_game_do_not_matter(told) -> None:
    """One mailbox holds the messages of several games; a wrong nonce is no receipt of this one."""
    house, found = told
    chronicle = record(house)
    others = [replace(r, game="sforza", digest="0" * 64) for r in found]

    assert compare(chronicle, [*found, *others]).holds
    assert not compare(chronicle, others).holds
    strange = next(replace(r, nonce="0" * 32, digest="0" * 64) for r in found if r.nonce)
    finding = compare(chronicle, [*found, strange])
    assert (finding.holds, finding.doubt) == (True, True)
    assert finding.says.fields["strange"] == 1


def test_a_game_that_was_rolled_back_fits_all_its_receipts() -> None:
    """Also those of orders for a phase that was left before it was played."""
    house = ruled("nomoney")
    found = receipts(play(house, ALL))
    found += receipts(order(house, "V", "hold all"))
    found += receipts(order(house, "V", "A pad - fer"))
    assert house.view().state.moment.code == "U1454M"
    write(house, GINA, MASTER, "ROLLBACK")
    found += receipts(order(house, "V", "A pad - fer"))
    house.later(hours=2000)
    found += receipts(write(house, GINA, MASTER, "PROCESS"))
    found += receipts(play(house, LATER))

    chronicle = record(house)
    assert len([e for e in chronicle.phases if e.moment == "S1454M"]) > 1
    assert findings(chronicle, house)["sealed"]
    finding = compare(chronicle, found)
    assert (finding.holds, finding.doubt) == (True, False)


def test_a_correction_is_proven_like_orders() -> None:
    """Its announcement says what must be in the record, also to those who may not read it."""
    house = ruled("nomoney")
    order(house, "V", "hold all")
    sent = write(house, GINA, MASTER, "FIX UNIT Venice A fer BECAUSE it was there")
    found = [r for r in receipts(sent) if r.about == "FIX"]
    assert {m.to for m in sent if receipts([m])} >= {address_of(house, p) for p in "IVLPNTAF"}
    chronicle = record(house)

    assert compare(chronicle, found).holds
    entry = chronicle.phases[-1]
    (event,) = entry.events
    others = (replace(event, because="I liked it"),)
    changed = replace(chronicle, phases=(*chronicle.phases[:-1], replace(entry, events=others)))
    assert not compare(changed, found).holds


def test_results_do_not_tell_that_a_chit_went_from_hand_to_hand() -> None:
    """It is unreported (ASN-02): no number in a proof or in a seat's file counts it."""
    read = []
    for gives in (False, True):
        house = started()
        play(house, {**OPENING, "I": OPENING["I"][:3]})
        if gives:
            order(house, "L", "give chit Turkey to Naples")
        lines = {**SPRING, "I": SPRING["I"][:3]}
        sent = [m for m in play(house, lines) if m.to == address_of(house, "V")]
        sent += write(house, address_of(house, "V"), "SIGNON Vborgia pwV", "GET EXPORT")
        read.append([(m.body, tuple(a.content for a in m.attachments)) for m in sent])

    assert read[0] == read[1]


def test_messages_of_another_game_prove_nothing(told) -> None:
    """An empty folder, too."""
    house, _ = told

    assert not compare(record(house), []).holds


def test_a_master_in_a_players_name_is_told_as_a_master() -> None:
    """BECOME: the order set says which orders are whose."""
    house = ruled("nomoney")
    write(house, GINA, MASTER, "BECOME Venice", "A pad h")
    play(house, {**ALL, "V": ALL["V"][1:]})

    sealed = next(e for e in record(house).phases if e.moment == "S1454M" and e.sealed).sealed[V]

    assert dict(sealed.orders)["A pad h"] == "M"
    assert set(dict(sealed.orders).values()) == {"M", "V"}


def test_receipts_are_read_in_quotations_and_in_three_languages(told) -> None:
    """The part for programs is the same in all of them."""
    house = started("nomoney")
    (there,) = receipts(order(house, "V", "A pad h"))
    order(house, "V", "SET LANGUAGE it")
    (sent,) = [m for m in order(house, "V", "A pad h") if "SEALED" in m.body]
    quoted = "\n".join(f"> {line}" for line in sent.body.split("\n"))

    (here,) = receipts_in(quoted)

    assert (here.game, here.about, here.number) == ("borgia", there.about, there.number + 1)


def test_a_silent_power_has_an_empty_set() -> None:
    """So that results do not tell who sent nothing, and nothing can be added later."""
    house = started("nomoney")
    play(house, {**ALL, "V": ()})
    house.now = house.view().clock.grace
    assert V not in house.view().order_sets
    stored = play_on(house.services, house.view(), house.now).stored

    assert stored.sealed[V] == SealedSet(0, ())
    assert json.dumps(sorted(stored.sealed)) == json.dumps(sorted(house.view().world.in_play))
