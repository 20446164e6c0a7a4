"""Answers carry the right to answer, and forged mails carry none: by SMTP, with a real database."""

from email.message import EmailMessage

import pytest

from tests.journeys.conftest import SMALL
from tests.journeys.judge import JUDGE, Judge, QueuedMessage

CATERINA, MASTER = SMALL.people["V"], SMALL.people["M"]
MALLORY = "mallory@evil.example"
NUMBERS = iter(range(1, 1000))


@pytest.fixture
def strict(judge: Judge) -> Judge:
    """A judge at the small game that believes no From."""
    judge.more |= {
        "MACHJUDGE_CONFIRM": "on",
        "MACHJUDGE_TRUST_RESULTS_OF": "mx.mach.example",
    }
    judge.serve()
    return judge


def send(judge: Judge, sender: str, *lines: str, to: str = JUDGE, **fields: str) -> str:
    """Hand a mail over; its Message-ID."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: Orders"
    mail["Message-ID"] = f"<t{next(NUMBERS)}@players.example>"
    for name, value in fields.items():
        mail[name.replace("_", "-")] = value
    mail.set_content("\n".join(lines) + "\n")
    judge.send(mail.as_bytes(), sender=sender, to=to)
    return str(mail["Message-ID"])


def ask(judge: Judge, sender: str, *lines: str, **more: str) -> QueuedMessage:
    """The first answer to a mail."""
    return judge.answer_to(send(judge, sender, *lines, **more))


def reply_to(letter: QueuedMessage) -> str:
    """The address for answers to a message."""
    return str(letter.mail["Reply-To"].addresses[0].addr_spec)


def code_in(letter: QueuedMessage) -> str:
    """The reply code in the last line of a message."""
    return letter.text.rstrip().rpartition("Reply code: r.")[2]


def question(judge: Judge) -> QueuedMessage:
    """The message that asks whether an act is meant."""
    judge.rest()
    (found,) = [each for each in judge.letters() if "please confirm" in each.subject]
    return found


def is_led(judge: Judge) -> bool:
    """True if somebody leads Venice."""
    return next(s for s in judge.game("borgia").seats if "V" in s.powers).person is not None


def test_answering_a_message_is_enough(strict: Judge) -> None:
    """To its address, by the Message-ID, or below its last line: each alone."""
    first = ask(strict, CATERINA.address, SMALL.signon("V"))
    code, me = code_in(first), CATERINA.address
    answers = [
        ask(strict, me, "F dal H", to=reply_to(first)),
        ask(strict, me, "F dal H", In_Reply_To=str(first.mail["Message-ID"])),
        ask(strict, me, "F dal H", "", "On Friday, MACH judge wrote:", f"> Reply code: r.{code}"),
        ask(strict, me, "", to=reply_to(first)),
    ]

    assert len(code) == 26
    assert ["Venice in borgia" in each.text for each in answers] == [True] * 4


def test_no_token_is_kept_and_none_is_printed(strict: Judge) -> None:
    """Not in the database, once the mails are handled, and not by the keeper's commands."""
    first = ask(strict, CATERINA.address, SMALL.signon("V"))
    code = code_in(first)
    quoted = ["PRESS TO M", f"> Reply code: r.{code}", "ENDPRESS", f"nonsense r.{code}"]
    send(strict, CATERINA.address, *quoted, to=reply_to(first), References=first.mail["Message-ID"])
    strict.rest()
    kept = "".join(str(strict.rows(table)) for table in strict.tables())

    assert code not in kept.lower()
    assert code.encode() not in strict.run("keeper", "list").encode()
    to_others = [each for each in strict.letters() if each.to != CATERINA.address]
    assert code not in "".join(each.text for each in to_others)
    assert code not in (strict.folder / "log").read_text(encoding="utf-8")


def test_a_guessed_code_opens_nothing(strict: Judge) -> None:
    """Neither one of the right form nor one of another judge."""
    for code in ("a" * 26, "abcdefghijklmnopqrstuvwx27"):
        answer = ask(strict, MALLORY, "F dal H", to=f"judge+r.{code}@mach.example")
        assert "Venice in borgia" not in answer.text


def test_a_forged_resignation_waits_for_its_owner(strict: Judge) -> None:
    """Who knows the password, and writes any From, resigns nobody; the owner's answer does."""
    send(strict, CATERINA.address, SMALL.signon("V"), "RESIGN")
    asked = question(strict)
    assert is_led(strict)
    assert asked.to == CATERINA.address

    answer = ask(strict, CATERINA.address, "YES", to=reply_to(asked))
    strict.rest()
    assert "You have left the game borgia." in answer.text
    assert not is_led(strict)


def test_the_copy_of_a_stranger_opens_nothing(strict: Judge) -> None:
    """The answer to a password from elsewhere carries no code there, only at the owner's."""
    send(strict, MALLORY, SMALL.signon("V"), "F dal H")
    strict.rest()
    there = {each.to: each for each in strict.letters() if "Venice in borgia" in each.text}

    assert there[MALLORY].mail["Reply-To"] is None
    assert "Reply code" not in there[MALLORY].text
    assert "Reply code: r." in there[CATERINA.address].text


@pytest.mark.parametrize(
    ("host", "opens"), [("mx.mach.example", True), ("mx.evil.example", False), ("", False)]
)
def test_only_verified_senders_where_the_game_says_so(strict: Judge, host, opens) -> None:
    """As the host says that the keeper trusts, and no other."""

    def verified(address: str, by: str) -> dict[str, str]:
        domain = address.rpartition("@")[2]
        return {"Authentication_Results": f"{by}; dkim=pass header.d={domain}"} if by else {}

    by_master = verified(MASTER.address, "mx.mach.example")
    ask(strict, MASTER.address, SMALL.signon("M"), "SET SENDER VERIFIED", **by_master)
    by_caterina = verified(CATERINA.address, host)
    answer = ask(strict, CATERINA.address, SMALL.signon("V"), "F dal H", **by_caterina)

    assert ("Venice in borgia" in answer.text) is opens


def test_revoked_codes_get_a_readable_answer(strict: Judge) -> None:
    """Anyone who has passed one on by mistake ends it."""
    first = ask(strict, CATERINA.address, SMALL.signon("V"))
    ask(strict, CATERINA.address, "REVOKE TOKENS", to=reply_to(first))
    answer = ask(strict, CATERINA.address, "F dal H", to=reply_to(first))

    assert "opens no seat any more" in answer.text
    assert "Venice in borgia" not in answer.text
