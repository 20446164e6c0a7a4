"""Mails in their order: each takes effect once, in one transaction, and holds up nobody long."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from machjudge.judge import worker
from machjudge.judge.mails import KeptMail, MailOutcome
from machjudge.judge.records import Game, MailId
from machjudge.judge.worker import handle, take
from machjudge.messages.render import MessageRenderer
from tests.judge.house import ROOT, House
from tests.judge.letters_in import deliver, raw_mail, work, write
from tests.judge.year import order

ANNA = "anna@player.example"
LUCIA = "lucia@player.example"


class DiskFull(Exception):
    """A fault that no player made."""


def mail(house: House, *lines: str, sender: str = ANNA) -> MailId:
    """A mail that waits in the inbox."""
    return house.store.receive(raw_mail(sender, lines), sender, house.now)


def test_mail_takes_effect_and_is_answered_in_one_transaction(house: House) -> None:
    """Orders and answer are written together, and the mail is finished with them."""
    order(house, "L", "A flo h")

    (row,) = house.store.tables.inbox
    assert (row.outcome, row.game) == (MailOutcome.ANSWERED, "borgia")
    assert house.on_file() == ["A flo h"]


def test_failed_commit_leaves_neither_orders_nor_answer(house: House) -> None:
    """What cannot be written whole is not written at all, and is tried again."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    kept = _claim(house)
    noted = [0]

    def fail_at_the_second() -> None:
        noted[0] += 1
        if noted[0] == 2:
            raise DiskFull

    house.store.before_commit = fail_at_the_second
    with pytest.raises(DiskFull):
        handle(house.services, kept, house.now)

    assert house.on_file() == []
    assert house.mails_out() == []
    assert house.store.tables.inbox[0].unfinished


def _claim(house: House) -> KeptMail:
    with house.store.writing() as uow:
        kept = uow.inbox.claim(house.now)
        uow.commit()
    assert kept is not None
    return kept


def test_failing_mail_is_tried_again_after_a_while(house: House) -> None:
    """A first failure puts the mail back; seconds later it takes effect."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    _fail_reading_once(house)
    work(house)
    assert house.on_file() == []

    house.later(seconds=3)
    work(house)

    assert house.on_file() == ["A flo h"]


def _fail_reading_once(house: House) -> None:
    """The next reading transaction fails."""
    healthy = house.store.reading

    def broken():
        house.store.reading = healthy
        raise DiskFull

    house.store.reading = broken


def test_mail_that_goes_on_failing_is_set_aside_and_the_keeper_told(house: House) -> None:
    """The keeper, the sender and the master get a message; only the sender gets the text."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    healthy = house.store.reading
    house.store.reading = _always_broken
    for _ in range(3):  # the second try begins with a look that the first one does not need
        work(house)
        house.later(seconds=3)
    house.store.reading = healthy

    letters = house.mails_out()
    assert [letter.to for letter in letters] == ["keeper@mach.example", ANNA, LUCIA]
    assert ["A flo h" in letter.body for letter in letters] == [False, True, False]
    assert "pwL" not in "".join(letter.body for letter in letters)
    assert house.store.tables.inbox[0].aside.startswith("DiskFull at ")


def _always_broken():
    raise DiskFull


def test_failing_mail_holds_up_nobody_else(house: House) -> None:
    """While one mail waits for another try, those of other senders to other games go on."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    _fail_reading_once(house)

    sent = write(house, "dino@player.example", "HELP")

    assert [letter.to for letter in sent] == ["dino@player.example"]


def test_catalogue_of_the_keeper_that_cannot_be_read_is_told_to_them(
    house: House, tmp_path: Path
) -> None:
    """The mail is set aside; the letter names what was to be said, and the broken file."""
    own = tmp_path / "en"
    own.mkdir()
    (own / "ports.toml").write_text("no entry", encoding="utf-8")
    house.services = replace(
        house.services, renderer=MessageRenderer([tmp_path, ROOT / "templates"])
    )
    mail(house, "HELP")
    for _ in range(3):
        work(house)
        house.later(hours=1)

    (letter,) = house.mails_out()
    assert house.store.tables.inbox[0].aside.startswith("BadCatalogue")
    assert letter.to == "keeper@mach.example"
    assert "ports.mail_set_aside" in letter.subject
    assert "ports.toml" in letter.body


@pytest.mark.parametrize("name", ["_head.txt", "reply.txt", "fault.txt"])
def test_template_of_the_keeper_that_cannot_be_used_is_told_to_him(
    house: House, name: str, tmp_path: Path
) -> None:
    """The mail is set aside like any other; even if the letter about it is what cannot be made."""
    own = tmp_path / "en"
    own.mkdir()
    (own / name).write_text("{% block subject %}{% endblock %}{{ nobody }}", encoding="utf-8")
    (own / "reply.txt").write_text("{{ nobody }}", encoding="utf-8")
    house.services = replace(
        house.services, renderer=MessageRenderer([tmp_path, ROOT / "templates"])
    )
    mail(house, "HELP")
    for _ in range(3):
        work(house)
        house.later(hours=1)

    letter, *others = house.mails_out()
    assert house.store.tables.inbox[0].aside.startswith("BadTemplate")
    assert (letter.to, "set aside" in letter.subject) == ("keeper@mach.example", True)
    assert {each.to for each in others} <= {ANNA, LUCIA}
    assert "BadTemplate" in letter.body


def test_mail_set_aside_no_longer_holds_up_its_game(house: House) -> None:
    """A later mail for the game takes effect once the older one is set aside."""
    first = mail(house, "SIGNON Lborgia pwL", "A flo h")
    house.store.tables.inbox[first - 1].aside = "broken"

    order(house, "V", "A pad h")

    assert house.on_file("V") == ["A pad h"]


def test_mails_for_one_game_take_effect_in_the_order_of_their_receipt(house: House) -> None:
    """A mail whose elder is still in doubt is put back, and counts no failure."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    second = mail(house, "SIGNON Vborgia pwV", "A pad h", sender="marco@player.example")
    elder = _claim(house)

    taken = take(house.services, house.now)

    assert taken is not None
    assert (taken.mail.id, taken.is_finished) == (second, False)
    assert house.on_file("V") == []
    assert take(house.services, house.now) is None
    handle(house.services, elder, house.now)
    work(house)
    assert house.on_file("V") == ["A pad h"]
    assert house.store.tables.inbox[1].tries == 1


def test_mail_that_has_to_wait_is_put_back_before_the_work(house: House) -> None:
    """Its signon is not even looked at; and the next mail, for another game, is taken up."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    mail(house, "SIGNON Vborgia wrong", "A pad h", sender="marco@player.example")
    mail(house, "PING", sender="lucia@player.example")
    _claim(house)

    taken = [take(house.services, house.now) for _ in range(3)]

    assert [one and one.is_finished for one in taken] == [False, True, None]
    assert house.store.tables.inbox[1].game == "borgia"
    assert not house.mails_out()[0].to.startswith("marco")


def test_mail_for_another_game_does_not_wait(house: House) -> None:
    """Anyone who is known to write for another game holds up none but his own."""
    first = mail(house, "SIGNON Lborgia pwL", "A flo h")
    _claim(house)
    with house.store.writing() as uow:
        uow.inbox.concerns(first, "sforza")
        uow.commit()

    order(house, "V", "A pad h")

    assert house.on_file("V") == ["A pad h"]


def test_older_mail_of_the_same_sender_goes_first(house: House) -> None:
    """Two mails of one sender are never handled side by side."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    mail(house, "SIGNON Lborgia pwL", "A flo - bol")
    _claim(house)

    assert take(house.services, house.now) is None


def test_game_changed_in_between_is_read_again(house: House) -> None:
    """What was computed from an older version is thrown away and done anew."""
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    kept = _claim(house)

    def next_time() -> None:
        house.store.before_writing = somebody_is_faster

    def somebody_is_faster() -> None:
        house.file("V", "A pad h")
        _save(house, house.game())

    house.store.before_writing = next_time
    taken = handle(house.services, kept, house.now)

    assert taken.is_finished
    assert house.on_file("L") == ["A flo h"]
    assert house.on_file("V") == ["A pad h"]


def _save(house: House, game: Game) -> None:
    """Save a game as somebody else would."""
    with house.store.writing() as uow:
        uow.games.save(replace(game, version=game.version + 1))
        uow.commit()


def test_finished_mail_takes_no_effect_again(house: House) -> None:
    """A claim that ran out while its holder was still at work does no harm."""
    mail(house, "SIGNON Lborgia pwL", "BROADCAST", "Peace", "ENDPRESS")
    kept = _claim(house)
    handle(house.services, kept, house.now)
    sent = len(house.mails_out())

    again = handle(house.services, kept, house.now) if False else _handled_again(house, kept)

    assert sent > 1
    assert not again
    assert house.mails_out() == []


def _handled_again(house: House, kept) -> bool:
    try:
        return handle(house.services, kept, house.now).is_finished
    except Exception:
        return False


def test_kept_mail_has_no_password_after_it_was_handled(house: House) -> None:
    """What stays of a mail is readable and holds no password."""
    order(house, "L", "A flo h", "SET PASSWORD tulip99")

    raw = house.store.tables.inbox[0].mail.raw
    assert b"A flo h" in raw
    assert b"pwL" not in raw
    assert b"tulip99" not in raw


@pytest.mark.parametrize(
    "header",
    [
        b"Auto-Submitted: auto-replied",
        b"X-Autoreply: yes",
        b"Return-Path: <>",
    ],
)
def test_automatic_mail_is_noted_and_never_answered(house: House, header: bytes) -> None:
    """Nothing of it is obeyed, not even where it holds a signon."""
    raw = header + b"\n" + raw_mail(ANNA, ["SIGNON Lborgia wrong1", "A flo h"])

    assert deliver(house, raw, ANNA) == []
    assert house.store.tables.inbox[0].outcome is MailOutcome.SILENT
    assert house.on_file() == []


def test_mail_that_wants_its_answer_sent_to_us_is_answered_where_it_comes_from(
    house: House,
) -> None:
    """A Reply-To with our own address would be a loop."""
    raw = b"Reply-To: judge+x@mach.example\n" + raw_mail(ANNA, ["HELP"])

    assert [letter.to for letter in deliver(house, raw, ANNA)] == [ANNA]


def test_answer_stands_in_the_thread_of_the_mail(house: House) -> None:
    """It names the mail that it answers, and those that this one answered."""
    raw = b"References: <old@x.example>\n" + raw_mail(ANNA, ["HELP"])

    (letter,) = deliver(house, raw, ANNA)

    assert letter.answers is not None
    assert letter.references == ("<old@x.example>",)


def test_orders_received_before_the_phase_began_are_refused(house: House) -> None:
    """A mail that was held up while its phase was played does not slip into the next one."""
    number = mail(house, "SIGNON Lborgia pwL", "A flo - bol")
    house.store.tables.inbox[number - 1].not_before = house.now + timedelta(hours=2)
    house.later(hours=1)
    game = house.game()
    assert game.clock is not None
    _save(house, replace(game, clock=replace(game.clock, began=house.now)))
    house.later(hours=2)

    work(house)

    (letter,) = house.mails_out()
    assert "received before this phase began" in letter.body
    assert house.on_file() == []


def test_a_mail_waits_for_the_moment_in_which_somebody_reads_an_older_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two workers have begun at once; the one with the younger mail does not put it back."""
    mail(house, "LIST", sender=LUCIA)
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    older, younger = _claim(house), _claim(house)
    looks = []

    def others_go_on(seconds: float) -> None:
        looks.append(seconds)
        handle(house.services, older, house.now)

    monkeypatch.setattr(worker.time, "sleep", others_go_on)
    taken = handle(house.services, younger, house.now)

    assert taken.is_finished
    assert len(looks) == 1
    assert house.on_file() == ["A flo h"]


def test_a_mail_does_not_wait_long_for_one_that_nobody_finds_the_game_of(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is put back, and is taken up when its turn has come."""
    mail(house, "LIST", sender=LUCIA)
    mail(house, "SIGNON Lborgia pwL", "A flo h")
    _claim(house)
    younger = _claim(house)
    looks: list[float] = []
    monkeypatch.setattr(worker.time, "sleep", looks.append)

    taken = handle(house.services, younger, house.now)

    assert not taken.is_finished
    assert 0 < sum(looks) < 1
    assert house.on_file() == []
