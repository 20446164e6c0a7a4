"""An agreement is offered by one mail and accepted by another; both hear what becomes of it."""

import json
import re
import textwrap
from dataclasses import replace
from hashlib import sha256

import pytest

from machjudge.adjudicator.events import ChitGiven, GiftGiven
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import with_option
from machjudge.bots.policies import BotPolicy
from machjudge.formats.game_file import (
    Chronicle,
    chronicle_lines,
    nonce_of,
    read_chronicle,
    sealed_digest,
    sealing_key,
)
from machjudge.judge.agreements import next_number
from machjudge.judge.archive import (
    Receipt,
    chronicle_of,
    compare,
    receipts_in,
    replay,
    scenario_of,
    verify,
)
from machjudge.judge.game_settings import PressRules, Tones, Treasuries
from machjudge.judge.mails import Outgoing
from machjudge.judge.process import play_on
from machjudge.judge.records import Agreement, GameId, Status
from machjudge.judge.tick import look_at_games
from machjudge.translatable import Message
from tests.cases import cases
from tests.judge.house import UNLIMITED, House, atlas, message_renderer, started
from tests.judge.letters_in import answer, flat, message_to, reply, results_to, write
from tests.judge.riches import position, springtime
from tests.judge.year import OPENING, SPRING, order, play
from tests.results_told import tells_results

ANNA, MARCO, LUCIA = (f"{name}@player.example" for name in ("anna", "marco", "lucia"))
"""Anna leads Florence, Marco Venice, and Lucia, who is the master too, Milan."""
ORDERS = {**SPRING, "I": SPRING["I"][:3]}
"""Milan has no garrison here."""
DEAL = "OFFER Venice: 12 ducats FOR chit Milan"


@pytest.fixture
def house() -> House:
    """1454 in its first Spring; everybody has 40 ducats."""
    return springtime()


def with_rule(name: str) -> House:
    """The same with an option of the rules that is off at first."""
    house = springtime()
    house.change(rules=with_option(house.game().rules, name, True))
    return house


def offered(house: House, line: str = DEAL) -> Outgoing:
    """The message that Venice gets of Florence's offer."""
    return message_to(order(house, "L", line), MARCO)


def agreement(house: House) -> Agreement:
    """The only agreement of the game."""
    (found,) = house.game().agreements
    return found


def agreed(house: House, line: str = DEAL) -> Agreement:
    """An offer of Florence that Venice has accepted."""
    reply(house, offered(house, line), "ACCEPT")
    assert agreement(house).accepted is not None
    return agreement(house)


def played(house: House, **more: tuple[str, ...]) -> dict[str, str]:
    """What everybody reads of Spring, in one line each, by the names in their addresses.

    :param more: lines that powers send besides their orders for units.
    """
    sent = play(house, {p: (*lines, *more.get(p, ())) for p, lines in ORDERS.items()})
    return {one.to.partition("@")[0]: flat(one.body) for one in sent if tells_results(one.body)}


def happened(house: House) -> tuple[list[GiftGiven], list[ChitGiven]]:
    """What changed hands in the phase that was played last."""
    events = house.view().phase.events
    gifts = [each for each in events if isinstance(each, GiftGiven)]
    return gifts, [each for each in events if isinstance(each, ChitGiven)]


# --- from the offer to the results -------------------------------------------------------------


def test_offer_says_what_both_do_until_when_and_how_to_answer(house: House) -> None:
    """To the other side alone; the offerer has a receipt."""
    sent = order(house, "L", DEAL)
    told, receipt = message_to(sent, MARCO), flat(answer(sent, ANNA))
    number = agreement(house).number

    assert {each.to for each in sent} == {ANNA, MARCO}
    assert told.subject == f"borgia: offer {number} from Florence (S1454M)"
    body = flat(told.body)
    assert "Your part: the assassination chit on Milan. The part of Florence: 12 ducats." in body
    assert "both parts are carried out when Spring 1454 is played, or neither is" in body
    assert f"To accept: ACCEPT {number}\nTo decline: DECLINE {number}\n" in told.body
    assert f"You have offered Venice agreement {number}. Your part: 12 ducats." in receipt
    assert f"WITHDRAW {number} takes it back until then." in receipt


def test_agreement_is_carried_out_with_the_phase(house: House) -> None:
    """As orders of both sides, on record like any other; both read it, and nobody else."""
    found = agreed(house)
    results = played(house)
    stored = house.view().phase

    assert happened(house) == ([GiftGiven("L", "V", 12, 12)], [ChitGiven("V", "L", "I")])
    assert (
        stored.orders["L"][-1].canonical == f"pay 12 ducats to Venice by agreement {found.number}"
    )
    assert stored.orders["V"][-1].canonical == "give Milan to Florence"
    assert [stored.orders[p][-1].written for p in "LV"] == [f"agreement {found.number}"] * 2
    told = f"Agreement {found.number} was carried out. Your part:"
    assert [name for name, body in results.items() if told in body] == ["marco", "anna"]
    others = [results[n] for n in results if n not in ("marco", "anna")]
    assert not any(re.search(rf"\b{found.number}\b", each) for each in others)


def test_game_with_agreements_is_verified() -> None:
    """Playing the stored orders again brings the same events."""
    house = started()
    play(house, OPENING)
    agreed(house, "OFFER V: 3 d FOR 5 d, chit Milan")
    play(house, {**SPRING, "L": (*SPRING["L"], "pay 2 ducats to Venice")})

    checked = replay(house.services, GameId("borgia"))

    assert checked is not None
    assert all(check.is_kept and check.plays_again for check in checked)
    assert sorted(gift.ducats for gift in happened(house)[0]) == [2, 3, 5]


def test_acceptance_is_told_at_once(house: House) -> None:
    """The offerer can still take it back by answering that."""
    sent = reply(house, offered(house), "I accept.", "", "A ver h")
    told = message_to(sent, ANNA)
    taken_back = reply(house, told, "withdraw")

    assert told.subject.startswith(f"borgia: Venice has accepted offer {agreement(house).number}")
    assert "A Verona H" in answer(sent, MARCO)
    assert "has withdrawn offer" in message_to(taken_back, MARCO).subject
    assert [seat.person for seat in house.game().seats if seat.address == ANNA] != [None]
    assert played(house)
    assert happened(house) == ([], [])


def test_offer_without_anything_asked_is_a_gift_once_it_is_accepted(house: House) -> None:
    """Unanswered it is none, and both read that."""
    offered(house, "OFFER Venice 4 ducats")
    results = played(house)

    assert happened(house) == ([], [])
    for name in ("anna", "marco"):
        assert "ended without an answer." in results[name]


def test_request_without_anything_given(house: House) -> None:
    """The other side may give it all the same."""
    agreed(house, "OFFER Venice: FOR 4 ducats")
    played(house)

    assert happened(house)[0] == [GiftGiven("V", "L", 4, 4)]


# --- what comes in between ---------------------------------------------------------------------


def test_later_order_comes_first_and_its_receipt_says_so(house: House) -> None:
    """The agreement lapses, both sides of it; the other reads no more than that."""
    found = agreed(house)
    receipt = flat(answer(order(house, "L", "pay 30 ducats to Milan"), ANNA))
    results = played(house)

    warned = f"As your orders stand, agreement {found.number} with Venice cannot be carried out"
    assert f"{warned}: your own orders and debts leave too few ducats." in receipt
    assert happened(house) == ([GiftGiven("L", "I", 30, 30)], [])
    lapsed = f"Agreement {found.number} was not carried out, neither part of it:"
    assert f"{lapsed} your own orders and debts leave too few ducats." in results["anna"]
    assert f"{lapsed} the part of Florence could not be done." in results["marco"]


def test_chit_that_was_given_away_meanwhile_ends_the_agreement(house: House) -> None:
    """What was asked for it is not paid either."""
    agreed(house)
    receipt = flat(answer(order(house, "V", "give Milan to Papacy"), MARCO))
    results = played(house)

    assert "cannot be carried out: you do not hold that chit." in receipt
    assert happened(house) == ([], [])
    assert "the part of Venice could not be done." in results["anna"]


@pytest.mark.parametrize(("power", "other"), [("L", MARCO), ("V", ANNA)])
def test_either_side_takes_it_back(house: House, power: str, other: str) -> None:
    """Until the phase is played; the other is told at once, and a second time changes nothing."""
    number = agreed(house).number
    sent = order(house, power, f"WITHDRAW {number}")
    again = order(house, power, f"WITHDRAW {number}")

    assert "nothing of it is carried out." in flat(message_to(sent, other).body)
    assert [each.to for each in again if each.to == other] == []
    assert f"Offer {number} is withdrawn already." in flat(again[0].body)
    played(house)
    assert happened(house) == ([], [])


def test_acceptance_after_the_withdrawal_is_refused(house: House) -> None:
    """Mails may cross; the one that came first counts."""
    told = offered(house)
    order(house, "L", f"WITHDRAW {agreement(house).number}")
    refused = flat(answer(reply(house, told, "ACCEPT"), MARCO))

    assert "Florence has withdrawn offer" in refused
    assert agreement(house).accepted is None


def test_second_acceptance_changes_nothing(house: House) -> None:
    """Nor the instant by which agreements are ordered."""
    told = offered(house)
    reply(house, told, "ACCEPT")
    first = agreement(house)
    house.later(hours=1)
    again = reply(house, told, "ACCEPT")

    assert "You have accepted offer" in flat(answer(again, MARCO))
    assert agreement(house) == first
    assert [each.to for each in again] == [MARCO]


def test_declined_offer_cannot_be_accepted(house: House) -> None:
    """The offerer is told."""
    told = offered(house)
    sent = reply(house, told, "No, thanks.")

    assert message_to(sent, ANNA).subject.startswith("borgia: Venice has declined offer")
    reply(house, told, "ACCEPT")
    assert agreement(house).accepted is None


def test_offer_ends_with_its_phase(house: House) -> None:
    """Whoever accepts it later is told so."""
    told = offered(house)
    played(house)

    assert f"Offer {agreement(house).number} has ended" in flat(
        answer(reply(house, told, "ACCEPT"), MARCO)
    )


def test_offer_until_a_later_phase_is_carried_out_when_it_is_accepted(house: House) -> None:
    """With the phase in which that happens."""
    told = offered(house, f"{DEAL} UNTIL F1454M")
    assert "It can be accepted until Fall 1454 is played" in flat(told.body)
    assert not any("ended without an answer" in body for body in played(house).values())
    sent = reply(house, told, "ACCEPT")

    assert "when Summer 1454 is played" in flat(answer(sent, MARCO))
    assert agreement(house).phase == "U1454M"


def test_offer_until_an_instant(house: House) -> None:
    """Afterwards it cannot be accepted, though its phase goes on."""
    told = offered(house, f"{DEAL} UNTIL +24h")
    assert "It can be accepted until Sat 21 Nov 2026, 13:00 CET" in flat(told.body)
    house.later(hours=25)

    assert "has ended" in flat(answer(reply(house, told, "ACCEPT"), MARCO))


def test_offer_until_a_phase_that_does_not_come(house: House) -> None:
    """Retreats that nobody has to make: it ends before, and both read it."""
    offered(house, f"{DEAL} UNTIL S1454R")
    results = played(house)

    assert "ended without an answer." in results["anna"]


def test_rollback_brings_an_agreement_back(house: House) -> None:
    """It waits for its phase again, as orders do."""
    agreed(house)
    played(house)
    write(house, LUCIA, "SIGNON Mborgia masterkey", "ROLLBACK S1454M")
    assert happened(house)[0] == []
    house.later(days=9)
    results = results_to(order(house, "L", "A flo h"), ANNA)

    assert "was carried out." in flat(results.body)
    assert happened(house)[0] == [GiftGiven("L", "V", 12, 12)]


def test_next_player_of_a_seat_sees_what_is_agreed_and_may_take_it_back(house: House) -> None:
    """It belongs to the power, as its orders do; the old player's message opens nothing more."""
    told = offered(house, "OFFER Venice: 12 ducats FOR 5 ducats")
    number = agreement(house).number
    order(house, "V", "RESIGN")
    after = reply(house, told, "ACCEPT")
    own = ("REGISTER", "Name: Zoe", "END", "SIGNON Vborgia newpass99")
    seen = flat(answer(write(house, "zoe@player.example", *own), "zoe@player.example"))

    assert agreement(house).accepted is None
    assert not any("accepted offer" in each.subject for each in after)
    assert f"{number}, offered by Florence, for Spring 1454: ACCEPT {number}" in seen


# --- proof -------------------------------------------------------------------------------------


def checked(chronicle: Chronicle) -> dict[str, bool]:
    """Which checks of a record hold."""
    found = verify(chronicle, scenario_of(chronicle, atlas()), "1.0")
    return {each.what: each.holds for each in found}


def proven(house: House, line: str = "OFFER V: 3 d FOR 5 d, chit Milan") -> list[Receipt]:
    """What both sides are told when an agreement is accepted, before it is carried out."""
    sent = reply(house, offered(house, line), "ACCEPT")
    told = {each.to: [r for r in receipts_in(each.body) if r.about.isdecimal()] for each in sent}
    assert told[ANNA] == told[MARCO]
    played(house)
    return told[ANNA]


def test_acceptance_proves_the_terms_to_both_sides(house: House) -> None:
    """A SHA-256 over what each does, which the record of the game brings again."""
    (proof,) = proven(house)
    record = chronicle_of(house.services, GameId("borgia"))
    assert record is not None
    text = (
        '{"game":"borgia","nonce":"NONCE","number":1,"orders":[["pay 3 ducats to Venice","L"],'
        '["pay 5 ducats to Florence","V"],["give Milan to Florence","V"]],'
        '"phase":"S1454M","power":"NUMBER"}'
    ).replace("NONCE", proof.nonce)

    assert sha256(text.replace("NUMBER", proof.about).encode()).hexdigest() == proof.digest
    assert checked(record)["sealed"]
    assert compare(record, [proof]).holds
    assert read_chronicle("\n".join(chronicle_lines(record)).encode()) == record


def test_changed_terms_are_found_out(house: House) -> None:
    """In the record of the agreement by its proof, in the orders by the record."""
    (proof,) = proven(house)
    record = chronicle_of(house.services, GameId("borgia"))
    assert record is not None
    *before, last = record.phases
    agreed_for = last.agreements[proof.about]
    dearer = tuple((text.replace("3 ducats", "9 ducats"), of) for text, of in agreed_for.orders)
    changed = {proof.about: replace(agreed_for, orders=dearer)}
    lines = {
        power: tuple(
            replace(line, canonical=line.canonical.replace("3 ducats", "9 ducats")) for line in own
        )
        for power, own in last.orders.items()
    }
    of_terms = replace(record, phases=(*before, replace(last, agreements=changed)))
    of_orders = replace(record, phases=(*before, replace(last, orders=lines)))
    of_both = replace(record, phases=(*before, replace(last, orders=lines, agreements=changed)))
    unknown = replace(record, phases=(*before, replace(last, agreements={})))

    assert not checked(of_terms)["sealed"]
    assert not checked(of_orders)["sealed"]
    assert not checked(unknown)["sealed"]
    assert checked(of_both)["sealed"]
    wrong = compare(of_both, [proof])
    assert not wrong.holds
    assert isinstance(wrong.says, Message)
    assert wrong.says.key == "archive.receipt.agreement_differs"


def test_an_agreement_that_nobody_made_has_no_proof(house: House) -> None:
    """An order slipped in as agreed, in a file that is sealed anew, is doubted by receipts."""
    (proof,) = proven(house)
    record = chronicle_of(house.services, GameId("borgia"))
    assert record is not None
    florence = PowerId("L")
    receipts = []
    for phase in record.phases:
        own = phase.sealed.get(florence)
        if own is not None and own.number:
            key = sealing_key(record.secret, record.game, phase.moment)
            digest = sealed_digest(key, record.game, phase.moment, florence, own)
            nonce = nonce_of(key, florence, own.number)
            known = (record.game.lower(), phase.moment, florence, own.number, digest, nonce)
            receipts.append(Receipt(*known))

    assert checked(record)["sealed"]
    assert not compare(record, [*receipts, proof]).doubt
    alone = compare(record, receipts)
    assert alone.holds
    assert alone.doubt
    said = message_renderer().say(alone.says)
    assert f"agreement {proof.about} for S1454M was played, and has no proof here" in said


def test_part_that_was_left_out_is_found_out(house: House) -> None:
    """Nothing is half done in a record either."""
    (proof,) = proven(house)
    record = chronicle_of(house.services, GameId("borgia"))
    assert record is not None
    *before, last = record.phases
    for power in "LV":
        own = [x for x in last.orders[PowerId(power)] if x.written != f"agreement {proof.about}"]
        less = {**last.orders, PowerId(power): tuple(own)}
        assert not checked(replace(record, phases=(*before, replace(last, orders=less))))["sealed"]


def test_own_order_that_does_the_part_is_no_missing_one() -> None:
    """A province that both cede, by an order and by the agreement, is ceded once."""
    house = with_rule("trade_provinces")
    reply(house, offered(house, "OFFER Venice: Pistoia FOR 12 ducats"), "ACCEPT")
    played(house, L=("cede pst to Venice",))
    record = chronicle_of(house.services, GameId("borgia"))

    assert record is not None
    assert house.view().state.provinces["pst"] == "V"
    assert checked(record)["sealed"]


def test_export_of_a_game_that_goes_on_has_ones_own_agreements_alone(house: House) -> None:
    """With the nonce and the SHA-256 that both sides were told."""
    (proof,) = proven(house)
    views = {
        power: json.loads(order(house, power, "GET EXPORT")[-1].attachments[-1].content)
        for power in "LVP"
    }

    for power in "LV":
        (own,) = views[power]["phases"][-1]["agreements"].values()
        assert (own["sha256"], own["nonce"]) == (proof.digest, proof.nonce)
    assert views["P"]["phases"][-1]["agreements"] == {}


# --- words -------------------------------------------------------------------------------------


@cases
def test_answers(text: str, means: str) -> None:
    """A line of its own accepts or declines; with any condition it does neither."""
    house = springtime()
    reply(house, offered(house), *text.split("|"))
    found = agreement(house)

    became = "accepted" if found.accepted else "declined" if found.withdrawn else "open"
    assert became == means


@cases
def test_offers(line: str, gives: list[str], asks: list[str]) -> None:
    """As people write them, in three languages."""
    house = with_rule("trade_provinces")
    for name in ("spanish", "italian"):
        if name in line:
            order(house, "L", f"SET LANGUAGE {name}")
    order(house, "L", line.partition("# ")[0])
    found = agreement(house)

    assert ([*found.gives], [*found.asks]) == (gives, asks)


@cases
def test_refused_offers(line: str, why: str) -> None:
    """What the rules do not allow, or nobody can read, is refused with the reason."""
    house = springtime()
    sent = order(house, "L", line)

    assert why.lower() in flat(answer(sent, ANNA)).lower()
    assert [each.to for each in sent] == [ANNA]
    assert house.game().agreements == ()


def test_answer_that_does_neither_leaves_the_offer_open_and_says_so(house: House) -> None:
    """Its words are not passed on."""
    sent = reply(house, offered(house), "I accept if you add 3 ducats")

    assert "is still open: your reply neither accepts nor declines it." in flat(sent[0].body)
    assert [each.to for each in sent] == [MARCO]


@pytest.mark.parametrize("language", ["english", "spanish", "italian"])
def test_quoted_offer_accepts_nothing(house: House, language: str) -> None:
    """Below words that are no answer or alone, whatever sets it off, and however it is wrapped."""
    order(house, "V", f"SET LANGUAGE {language}")
    told = offered(house)
    rows = told.body.splitlines()
    wrapped = [part for row in rows for part in textwrap.wrap(row, 40) or [""]]
    for quoted in ([f"> {row}" for row in rows], rows, wrapped, [f"   {row}" for row in rows]):
        reply(house, told, "What is this about?", "", "Anna wrote:", *quoted)
        reply(house, told, *quoted)

    assert agreement(house).accepted is None
    assert agreement(house).withdrawn is None


def test_withdraw_alone_gives_up_no_seat_while_there_are_offers(house: House) -> None:
    """It asks which is meant; RESIGN still resigns."""
    offered(house)
    asked = flat(answer(order(house, "L", "WITHDRAW"), ANNA))

    assert f"WITHDRAW {agreement(house).number}; to leave the game write RESIGN" in asked
    assert all(seat.person for seat in house.game().seats if seat.address == ANNA)


# --- who may -----------------------------------------------------------------------------------


def test_forged_sender_accepts_nothing(house: House) -> None:
    """From proves nothing: neither alone, nor with another power's sign-on."""
    offered(house)
    number = agreement(house).number
    write(house, MARCO, f"ACCEPT {number}")
    order(house, "P", f"ACCEPT {number}", f"WITHDRAW {number}")
    write(house, MARCO, "SIGNON Pborgia pwP", f"ACCEPT {number}")

    assert agreement(house).accepted is None
    assert agreement(house).withdrawn is None


def test_offer_goes_only_where_press_may_go(house: House) -> None:
    """It names its power: not where press is anonymous, forbidden, or to all only."""
    for rules, why in (
        (PressRules(tones=Tones.NONE), "there is no press in this game"),
        (PressRules(tones=Tones.GREY), "press is anonymous in this game"),
        (PressRules(partial=False), "there is no press to some in this game"),
    ):
        house.change_settings(press=rules)
        assert why in flat(answer(order(house, "L", DEAL), ANNA)).lower()
    assert house.game().agreements == ()


def test_anonymous_players_are_known_by_their_powers(house: House) -> None:
    """No message about an agreement has a name or an address of the other side."""
    house.change_settings(anonymous=True)
    sent = order(house, "L", DEAL)
    sent += reply(house, message_to(sent, MARCO), "ACCEPT")

    assert not any("anna" in each.body.lower() for each in sent if each.to == MARCO)
    assert not any("marco" in each.body.lower() for each in sent if each.to == ANNA)


def test_numbers_tell_nothing_of_other_agreements(house: House) -> None:
    """They do not count up."""
    for power, other in (("L", "V"), ("P", "N"), ("I", "T"), ("L", "A")):
        order(house, power, f"OFFER {other}: 1 ducat")
    numbers = [each.number for each in house.game().agreements]

    assert len(set(numbers)) == 4
    assert numbers != sorted(numbers) or max(numbers) - min(numbers) > 50


def test_no_number_is_given_twice_in_a_game(house: House) -> None:
    """Of those that are over few are kept; after the 900th numbers have four digits."""
    offered(house)
    first = agreement(house)
    game, numbers = house.game(), [first.number]
    for _ in range(901):
        numbers.append(next_number(game))
        made = replace(first, number=numbers[-1])
        game = replace(game, agreements=(*game.agreements[-60:], made))

    assert len(set(numbers)) == 902
    assert {len(str(number)) for number in numbers[:900]} == {3}
    assert {len(str(number)) for number in numbers[900:]} == {4}


def test_master_turns_offers_off(house: House) -> None:
    """What was agreed stands; nothing more is offered or accepted."""
    told = offered(house)
    write(house, LUCIA, "SIGNON Mborgia masterkey", "SET OFFERS OFF")

    assert "There are no offers in this game" in flat(answer(order(house, "L", DEAL), ANNA))
    assert "There are no offers in this game" in flat(answer(reply(house, told, "ACCEPT"), MARCO))


def test_acceptance_goes_only_where_press_may_go(house: House) -> None:
    """Rules may have changed since the offer; to take it back is never forbidden."""
    told = offered(house)
    house.change_settings(press=PressRules(tones=Tones.NONE))
    refused = flat(answer(reply(house, told, "ACCEPT"), MARCO))
    assert "there is no press in this game" in refused.lower()
    assert agreement(house).accepted is None

    sent = reply(house, told, "DECLINE")
    assert "Venice has declined your offer" in flat(message_to(sent, ANNA).body)


@pytest.mark.parametrize(
    ("gone", "why"),
    [("V", "venice is eliminated"), ("L", "florence is eliminated")],
)
def test_eliminated_power_deals_with_nobody(house: House, gone: str, why: str) -> None:
    """Not even where something is only given to it."""
    told = offered(house, "OFFER Venice: 5 ducats")
    position(house, eliminated=frozenset({PowerId(gone)}))
    refused = flat(answer(reply(house, told, "ACCEPT"), MARCO))

    assert why in refused.lower()
    assert agreement(house).accepted is None


def test_answers_count_as_press() -> None:
    """Whoever has used up an hour's press accepts later, and can still decline."""
    house = springtime()
    house.services = replace(
        house.services,
        judge=replace(house.services.judge, limits=replace(UNLIMITED, press_an_hour=2)),
    )
    first, second = (offered(house, "OFFER Venice: 1 ducat") for _ in range(2))
    told = message_to(order(house, "P", "OFFER Venice: 1 ducat"), MARCO)
    for each in (first, second):
        reply(house, each, "ACCEPT")
    refused = flat(answer(reply(house, told, "ACCEPT"), MARCO))
    reply(house, told, "DECLINE")

    assert "2 texts" in refused or "in an hour" in refused
    (last,) = [each for each in house.game().agreements if each.giver == "P"]
    assert last.accepted is None
    assert last.withdrawn is not None


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("OFFER Venice: 5 ducats FOR vote Florence", {"concessions": False}),
        ("OFFER Venice: 5 ducats FOR vote draw LV", {"dias": True}),
    ],
)
def test_vote_that_the_game_knows_no_more_undoes_its_agreement(
    house: House, line: str, change: dict[str, bool]
) -> None:
    """Rules that change after the acceptance leave neither part, and the receipt says so."""
    agreed(house, line)
    house.change_settings(**change)
    warned = flat(answer(order(house, "V", "A ver h"), MARCO))
    played(house)

    assert "cannot be carried out: the rules do not allow your part." in warned
    assert happened(house) == ([], [])
    assert not any(seat.draw or seat.concede for seat in house.game().seats)


@pytest.mark.parametrize(("asked", "is_done"), [("vote draw", False), ("5 ducats", True)])
def test_vote_of_a_seat_that_has_lost_its_player_is_worth_nothing(
    house: House, asked: str, is_done: bool
) -> None:
    """So what was given for it is kept; ducats are paid by the power all the same."""
    agreed(house, f"OFFER Venice: 5 ducats FOR {asked}")
    order(house, "V", "RESIGN")
    played_out = play_on(house.services, house.view(), house.now).settled

    assert bool(played_out.done) is is_done
    assert len(played_out.failed) == (not is_done)


def test_powers_of_one_seat_vote_as_one(house: House) -> None:
    """The second of two agreements for different votes is undone, whichever power made it."""
    seats = [
        replace(seat, powers=("V", "P")) if "V" in seat.powers else seat
        for seat in house.game().seats
        if "P" not in seat.powers
    ]
    house.change(seats=tuple(seats))
    told = [
        offered(house, f"OFFER {to}: 5 ducats FOR vote {vote}")
        for to, vote in (("V", "draw LV"), ("P", "draw"))
    ]
    for each in told:
        reply(house, each, "ACCEPT")
        house.later(hours=1)
    first, second = house.game().agreements
    settled = play_on(house.services, house.view(), house.now).settled
    warned = flat(answer(order(house, "V", "A ver h"), MARCO))

    assert first.accepted
    assert second.accepted
    assert [each.number for each in settled.done] == [first.number]
    assert [each.number for each, _ in settled.failed] == [second.number]
    assert f"agreement {second.number} with Florence cannot be carried out" in warned
    assert f"agreement {first.number} with Florence cannot" not in warned


def test_reminder_names_what_waits_for_an_answer(house: House) -> None:
    """To each side what it reads in its receipts, and to nobody else."""
    offered(house)
    number = agreement(house).number
    house.later(days=6)
    for _ in range(23):
        house.later(hours=1)
        look_at_games(house.services, house.now)
    sent = house.mails_out()
    reminders = {each.to: flat(each.body) for each in sent if "reminder" in each.subject}

    assert f"{number}, offered by Florence, for Spring 1454: ACCEPT {number}" in reminders[MARCO]
    assert f"{number}, which you have offered Venice" in reminders[ANNA]
    assert len(reminders) > len((ANNA, MARCO))
    assert not any(str(number) in body for to, body in reminders.items() if to not in (ANNA, MARCO))


def test_nobody_deals_with_a_seat_without_a_player(house: House) -> None:
    """A bot agrees to nothing."""
    house.change_settings(vacant=BotPolicy.HOLD)
    order(house, "V", "RESIGN")

    assert "Nobody leads Venice, and a bot agrees to nothing" in flat(
        answer(order(house, "L", DEAL), ANNA)
    )


def test_offers_of_one_power_are_limited(house: House) -> None:
    """Those that wait; one that is taken back makes room."""
    for _ in range(10):
        order(house, "L", DEAL)
    full = flat(answer(order(house, "L", DEAL), ANNA))
    order(house, "L", f"WITHDRAW {house.game().agreements[0].number}")

    assert "10 of your offers and agreements wait already" in full
    assert "You have offered" in flat(answer(order(house, "L", DEAL), ANNA))


def test_other_side_reads_nothing_of_a_hidden_treasury(house: House) -> None:
    """That a part could not be done, and no more."""
    house.change_settings(treasuries=Treasuries.PRIVATE)
    agreed(house)
    results = played(house, L=("pay 35 ducats to Milan",))

    told = re.search(r"OFFERS AND AGREEMENTS (.*?\.) Your part", results["marco"])
    assert told is not None
    assert told[1].endswith("neither part of it: the part of Florence could not be done.")
    assert "35" not in results["marco"]


# --- kinds of parts ----------------------------------------------------------------------------


def test_province_is_ceded_where_the_rules_allow_it() -> None:
    """Together with what is paid for it."""
    house = with_rule("trade_provinces")
    told = offered(house, "OFFER Venice: Pistoia FOR 12 ducats")
    reply(house, told, "ACCEPT")
    played(house)

    assert house.view().state.provinces["pst"] == "V"
    assert [gift.ducats for gift in happened(house)[0]] == [12]


def test_upkeep_of_another_powers_unit_is_paid_in_the_adjustment() -> None:
    """Where there are gifts in it: the owner maintains the unit with the ducats."""
    house = with_rule("gifts_in_adjustment")
    fall = position(house, moment=replace(house.view().state.moment, stage=Stage.ADJUSTMENT))
    assert fall.moment.code == "S1454B"
    position(house, treasuries={**fall.treasuries, PowerId("V"): 9, PowerId("L"): 40})
    told = offered(house, "OFFER Venice: upkeep A Verona FOR chit Milan")
    assert "Your part: the upkeep of A Verona and the assassination chit on Milan." in flat(
        told.body
    )
    reply(house, told, "ACCEPT")
    keep = dict.fromkeys("ILPNTAF", ("maintain all",))
    play(house, {**keep, "V": ("maintain A pad, F dal, G ven",)})

    state = house.view().state
    assert state.field["ver"].owner == "V"
    assert state.treasuries["V"] == 0
    assert happened(house)[1] == [ChitGiven("V", "L", "I")]


def test_votes_of_an_agreement_count_with_those_of_the_phase(house: House) -> None:
    """The last votes for a draw that an agreement brings end the game, as SET DRAW does."""
    for power in "IPNTAF":
        order(house, power, "SET DRAW")
    agreed(house, "OFFER Venice: 5 ducats, vote draw FOR vote draw")
    sent = play(house, ORDERS)

    assert house.game().status is Status.FINISHED
    assert happened(house)[0] == [GiftGiven("L", "V", 5, 5)]
    assert house.game().ending
    assert sum("shared" in each.body or "draw" in each.body for each in sent) >= 8


def test_vote_that_is_agreed_is_taken_back_with_its_agreement(house: House) -> None:
    """SET NODRAW says how; another vote of one's own comes first, like other orders."""
    number = agreed(house, "OFFER Venice: 5 ducats FOR vote draw").number
    refused = flat(answer(order(house, "V", "SET NODRAW"), MARCO))
    warned = flat(answer(order(house, "V", "SET DRAW VF"), MARCO))

    assert f"WITHDRAW {number} takes it back" in refused
    assert "cannot be carried out: an order or a vote of your own says otherwise." in warned


def test_vote_of_an_agreement_stands_in_the_next_phase(house: House) -> None:
    """Where it does not end the game: its power may withdraw it like any other."""
    agreed(house, "OFFER Venice: 5 ducats, vote draw FOR vote draw")
    played(house)

    voted = [seat.powers for seat in house.game().seats if seat.draw]
    assert sorted(power for powers in voted for power in powers) == ["L", "V"]


def test_what_if_knows_nothing_of_agreements(house: House) -> None:
    """It tries orders, and no promises."""
    agreed(house)
    tried = flat(answer(order(house, "L", "WHATIF", "A flo - sie", "ENDWHATIF"), ANNA))

    assert "12 ducats to Venice" not in tried


def test_offers_of_a_mail_to_one_power_come_in_one_message(house: House) -> None:
    """Each with its own lines; a plain yes is asked which of them it means."""
    sent = order(house, "L", DEAL, "OFFER Venice: 3 ducats", "OFFER Naples: 1 ducat")
    first, second, other = [each.number for each in house.game().agreements]
    told = message_to(sent, MARCO)
    unclear = reply(house, told, "I accept")
    open_ = [each.accepted for each in house.game().agreements]
    reply(house, told, f"ACCEPT {second}", f"DECLINE {first}")

    assert told.subject == f"borgia: offers {first} and {second} from Florence (S1454M)"
    assert not re.search(rf"\b{other}\b", told.body)
    assert "The part of Florence: 3 ducats." in flat(told.body)
    assert "Answer with one of these lines for each of them." in flat(told.body)
    assert f"To decline: DECLINE {first}\nTo accept: ACCEPT {second}\n" in told.body
    assert "Write its number, as in ACCEPT" in flat(message_to(unclear, MARCO).body)
    assert open_ == [None] * 3
    found = {each.number: each for each in house.game().agreements}
    assert (found[first].withdrawn_by, found[second].accepted_by) != (None, None)
    assert found[second].accepted is not None
    assert found[other].accepted is None


def test_what_a_mail_takes_back_is_told_beside_what_it_offers(house: House) -> None:
    """In a message of its own."""
    order(house, "L", DEAL)
    first = agreement(house).number
    sent = order(
        house, "L", "OFFER Venice: 3 ducats", f"WITHDRAW {first}", "OFFER Venice: 4 ducats"
    )
    told = [each for each in sent if each.to == MARCO]

    assert [each.subject.count("offers") for each in told] == [0, 1]
    assert f"Florence has withdrawn offer {first}" in told[0].subject
