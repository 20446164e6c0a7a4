"""A mail that fails, wherever it does, stops nobody; its writer, the master and the keeper know."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge import handle_mail, mail_context, worker
from machjudge.judge import worker as set_aside
from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.faults import StoreTrouble
from machjudge.judge.handle_mail import CommandLines
from machjudge.judge.limits import LimitedHasher
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import MailOutcome
from machjudge.judge.ports import tell_of_more
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import raw_mail, work
from tests.judge.phases.test_mastering import GINA as MASTER
from tests.judge.phases.test_mastering import ruled
from tests.judge.year import order

ANNA, MARCO, EVE = "anna@player.example", "marco@player.example", "eve@elsewhere.example"
KEEPER = "keeper@mach.example"
POISON = "the wells are poisoned"
"""What stands in a mail that is to fail."""
PROOFS = ("code", "password", "nothing", "stranger")
RIGHTS: Mapping[str, list[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "whole" / "rights.toml").read_text(encoding="utf-8")
)
OPENINGS = {"signon", "signon ?", "observe", "create", "join"}


class BrokenError(Exception):
    """A mistake that nobody has found yet."""


@dataclass
class Fault:
    """Where something is broken for the mails that hold the poison."""

    monkeypatch: pytest.MonkeyPatch
    current: bytes = b""

    def watch(self) -> None:
        """Note which mail is in hand."""
        handle = worker.handle

        def watched(services, kept, now, heard=None):
            self.current = kept.raw
            return handle(services, kept, now, heard)

        self.monkeypatch.setattr(worker, "handle", watched)

    def at(self, place: object, name: str, error: type[Exception] = BrokenError) -> None:
        """What is named so there raises an error while a poisoned mail is in hand."""
        healthy: Callable = getattr(place, name)

        def broken(*args, **kwargs):
            if POISON.encode() in self.current:
                raise error
            return healthy(*args, **kwargs)

        self.monkeypatch.setattr(place, name, broken)


@pytest.fixture
def fault(monkeypatch) -> Fault:
    """Nothing is broken yet."""
    fault = Fault(monkeypatch)
    fault.watch()
    return fault


@pytest.fixture
def house() -> House:
    """1454 in its first Spring, with a master who does not play."""
    return ruled("nomoney")


def break_reading(fault: Fault) -> None:
    """The mail cannot be read."""
    fault.at(mail_context, "read")


def break_claim(fault: Fault) -> None:
    """It cannot be said whom it claims to come from."""
    fault.at(worker, "claim_of")


def break_game(fault: Fault) -> None:
    """It cannot be found for which game it is."""
    fault.at(worker, "game_concerned")


def break_tokens(fault: Fault) -> None:
    """Its reply codes cannot be looked up."""
    fault.at(MailContext, "load_reply_tokens")


def break_passwords(fault: Fault) -> None:
    """Its signon cannot be carried out."""
    fault.at(LimitedHasher, "is_right")
    fault.at(MailContext, "enter")


def break_orders(fault: Fault) -> None:
    """Its orders cannot be put on file."""
    fault.at(handle_mail, "file_orders")


def break_answer(fault: Fault) -> None:
    """Its answer cannot be written."""
    fault.at(worker, "answer_messages")


def break_pictures(fault: Fault) -> None:
    """The picture of its orders cannot be made."""
    fault.at(handle_mail, "pictures_of_orders")


def break_letters(fault: Fault) -> None:
    """The messages to others cannot be written."""
    fault.at(worker, "in_messages")


def break_keeping(fault: Fault) -> None:
    """What it brings about cannot be kept."""
    fault.at(worker, "keep")


STAGES = (
    break_reading,
    break_claim,
    break_game,
    break_tokens,
    break_passwords,
    break_orders,
    break_answer,
    break_pictures,
    break_letters,
    break_keeping,
)
FOR_PLAYERS_ONLY = {break_passwords, break_pictures}
"""Stages that a mail without a proof does not come to."""


def send(house: House, proof: str, *lines: str) -> str:
    """Keep a mail with that proof; whose it is."""
    sender = EVE if proof == "stranger" else ANNA
    signon = {"password": ["SIGNON Lborgia pwL"], "nothing": ["SIGNON Lborgia wrong7"]}
    to = "judge@mach.example"
    if proof == "code":
        seat = next(seat for seat in house.game().seats if seat.address == ANNA)
        token = next(
            token_scopes
            for token_scopes in house.store.tables.reply_tokens.values()
            if getattr(token_scopes, "seat", None) == seat.number
        )
        to = f"judge+{tag_of(code_of(SECRET, token))}@mach.example"
    raw = raw_mail(sender, [*signon.get(proof, []), *lines])
    house.store.receive(raw, sender, house.now, recipient=to)
    return sender


def for_seconds(house: House, seconds: int = 59) -> None:
    """Let time go on, and the judge work."""
    for _ in range(seconds):
        work(house)
        house.later(seconds=1)


def told(house: House) -> dict[str, str]:
    """What came to whom."""
    return {letter.to: letter.body for letter in house.mails_out()}


@pytest.mark.parametrize("proof", PROOFS)
@pytest.mark.parametrize("stage", STAGES, ids=lambda each: each.__name__.removeprefix("break_"))
def test_whatever_raises_stops_nobody_and_is_told_within_a_minute(
    house: House, fault: Fault, stage, proof: str
) -> None:
    """Others for the same game go on in the same second, and everybody concerned knows."""
    stage(fault)
    if proof in {"nothing", "stranger"} and stage in FOR_PLAYERS_ONLY:
        fault.at(worker, "run_mail")
    send(house, proof, "A flo h", f"BROADCAST\n{POISON}\nENDPRESS")
    house.store.receive(raw_mail(MARCO, ["SIGNON Vborgia pwV", "A pad h"]), MARCO, house.now)
    work(house)

    assert house.on_file("V") == ["A pad h"]
    assert MARCO in told(house) or stage is break_reading
    house.mails_out()
    began = house.now
    for_seconds(house)
    row = house.store.tables.inbox[0]
    assert row.aside is not None
    assert row.ended is None or row.ended - began < timedelta(minutes=1)
    assert house.on_file("L") == []


@pytest.mark.parametrize("proof", PROOFS)
@pytest.mark.parametrize("stage", STAGES, ids=lambda each: each.__name__.removeprefix("break_"))
def test_writer_master_and_keeper_are_told(house: House, fault: Fault, stage, proof: str) -> None:
    """The writer gets the text back, without a password; the keeper gets one message."""
    stage(fault)
    if proof in {"nothing", "stranger"} and stage in FOR_PLAYERS_ONLY:
        fault.at(worker, "run_mail")
    sender = send(house, proof, "A flo h", f"BROADCAST\n{POISON}\nENDPRESS")
    for_seconds(house)
    letters = told(house)

    assert POISON in letters[sender]
    assert "nothing in it was carried out" in letters[sender]
    assert "pwL" not in "".join(letters.values())
    assert "wrong7" not in "".join(letters.values())
    assert "BrokenError" in letters[KEEPER]
    assert POISON not in letters[KEEPER]
    assert (MASTER in letters) == (proof != "stranger")
    assert POISON not in letters.get(MASTER, "")


@pytest.mark.memory
@pytest.mark.parametrize("name", [*RIGHTS])
def test_a_command_that_raises_stops_nobody(house: House, fault: Fault, name: str) -> None:
    """Whichever it is: the orders of others count at once, and its writer is told."""
    for method in ("carry_out", "read_below"):
        healthy = getattr(CommandLines, method)

        def broken(self, line, *rest, healthy=healthy):
            healthy(self, line, *rest)
            if POISON.encode() in fault.current and line.number > 1:
                raise BrokenError

        fault.monkeypatch.setattr(CommandLines, method, broken)
    lines = RIGHTS[name][1].split("|")
    send(house, "password", *lines, "HELP", POISON)
    house.store.receive(raw_mail(MARCO, ["SIGNON Vborgia pwV", "A pad h"]), MARCO, house.now)
    work(house)

    assert house.on_file("V") == ["A pad h"]
    house.mails_out()
    for_seconds(house)
    row, letters = house.store.tables.inbox[0], told(house)
    assert row.aside is not None or row.outcome is MailOutcome.ANSWERED
    assert row.aside is None or POISON in letters[ANNA]


def test_many_mails_of_a_stranger_hold_up_no_orders(house: House, fault: Fault) -> None:
    """Twenty that fail: the orders behind them are on file at once, and the keeper hears once."""
    break_answer(fault)
    for n in range(20):
        house.store.receive(raw_mail(EVE, [POISON, f"{n}"]), EVE, house.now)
    house.store.receive(raw_mail(MARCO, ["SIGNON Vborgia pwV", "A pad h"]), MARCO, house.now)
    work(house)
    assert house.on_file("V") == ["A pad h"]
    for_seconds(house)
    letters = [each.to for each in house.mails_out()]

    assert letters.count(KEEPER) == 1
    assert letters.count(EVE) == 1


def test_the_keeper_hears_of_the_others_once_a_day_with_their_number(
    house: House, fault: Fault
) -> None:
    """One message for one kind of fault."""
    break_answer(fault)
    for n in range(5):
        house.store.receive(raw_mail(EVE, [POISON, f"{n}"]), EVE, house.now)
    for_seconds(house)
    house.mails_out()
    tell_of_more(house.services, house.now)
    assert house.mails_out() == []

    house.later(days=1)
    for _ in range(2):
        tell_of_more(house.services, house.now)
    (letter,) = house.mails_out()
    assert letter.to == KEEPER
    assert "4 mails more set aside by this fault: BrokenError" in letter.body


def test_only_the_same_proven_writer_waits_and_only_for_seconds(house: House, fault: Fault) -> None:
    """A later mail for the same game does not overtake; it goes on when the first is set aside."""
    break_answer(fault)
    send(house, "password", "A flo h", POISON)
    send(house, "password", "A flo - bol")
    send(house, "nothing", "HELP")
    work(house)
    assert house.on_file("L") == []
    assert house.store.tables.inbox[2].outcome is MailOutcome.ANSWERED

    for_seconds(house, 10)
    assert house.store.tables.inbox[0].aside is not None
    assert house.on_file("L") == ["A flo - bol"]


def test_a_mail_that_succeeds_the_second_time_comes_before_the_next_of_its_writer(
    house: House, fault: Fault
) -> None:
    """So the later of two orders for a unit counts."""
    failed = []
    healthy = worker.answer_messages

    def once(context):
        if not failed:
            failed.append(context)
            raise BrokenError
        return healthy(context)

    fault.monkeypatch.setattr(worker, "answer_messages", once)
    send(house, "code", "A flo h")
    send(house, "code", "A flo - bol")
    for_seconds(house, 10)

    assert house.on_file("L") == ["A flo - bol"]
    assert all(row.outcome is MailOutcome.ANSWERED for row in house.store.tables.inbox)


def test_a_fault_at_another_place_gives_a_third_try(house: House, fault: Fault) -> None:
    """Three tries in all, within seconds."""
    places = iter(("answer_messages", "cause_of", "in_messages", "keep"))
    tries = []

    def fail_elsewhere(context):
        tries.append(context)
        name = next(places)
        fault.at(worker, name)
        return getattr(worker, name)(context)

    fault.monkeypatch.setattr(worker, "clear_bounces", fail_elsewhere)
    send(house, "password", "A flo h", POISON)
    for_seconds(house, 20)

    assert len(tries) == 1
    row = house.store.tables.inbox[0]
    assert (row.tries, row.aside is not None) == (3, True)


def test_the_phase_waits_for_a_player_whose_mail_was_set_aside(house: House, fault: Fault) -> None:
    """Complete orders on file do not begin it before its deadline; a clean mail does."""
    powers = house.view().world.scenario.in_play
    for power in powers[1:]:
        order(house, power, "HOLD ALL")
    begun = house.view().phase.number
    break_answer(fault)
    send(house, "password", POISON)
    for_seconds(house)
    assert "until its deadline" in told(house)[MASTER]
    assert house.view().flagged() == {PowerId("L")}
    order(house, powers[0], "HOLD ALL")
    assert house.view().phase.number == begun

    order(house, "L", "READY")
    assert house.view().phase.number > begun


@pytest.mark.parametrize("times", [3, 30])
def test_trouble_of_the_database_is_no_failure_of_the_mail(
    house: House, fault: Fault, times: int
) -> None:
    """However often the connection is cut while the answer is kept, the orders count."""
    cuts = []
    healthy = worker.keep

    def cut(context, post, uow):
        kept = healthy(context, post, uow)
        if len(cuts) < times:
            cuts.append(1)
            raise StoreTrouble
        return kept

    fault.monkeypatch.setattr(worker, "keep", cut)
    send(house, "password", "A flo h")
    for_seconds(house)

    assert len(cuts) == times
    assert house.on_file("L") == ["A flo h"]
    assert house.store.tables.inbox[0].tries == 1
    assert list(told(house)) == [ANNA]


def test_telling_may_fail_as_well(house: House, fault: Fault) -> None:
    """The mail is set aside all the same, and holds up nobody."""
    break_answer(fault)
    fault.at(set_aside, "_to_writer")
    send(house, "password", "A flo h", POISON)
    for_seconds(house)
    assert house.store.tables.inbox[0].aside is not None
    assert list(told(house)) == [KEEPER]
