"""A judge keeps to the database and the secret with which it began, and says when they are gone."""

import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.processes import Installation, letters, mail
from tests.cli.faulty import without_permission
from tests.mail.servers import Postmaster
from tests.patience import SECONDS, wait_until

pytestmark = pytest.mark.sqlite


def refused(judge: Installation, number: int) -> int:
    """With what a mail is refused; 250 if it is not."""
    try:
        judge.send(mail("lucia", "list", number))
    except smtplib.SMTPResponseException as fault:
        return fault.smtp_code
    except smtplib.SMTPRecipientsRefused as fault:
        ((code, _),) = fault.recipients.values()
        return code
    return 250


def kept(judge: Installation, number: int) -> int:
    """How often a mail stands in the database."""
    question = f"SELECT count(*) FROM inbox WHERE message_id = '<lucia.{number}@example.com>'"  # noqa: S608
    ((found,),) = judge.rows(question)
    return found


def is_told(relay: Postmaster) -> bool:
    """True if the keeper has a message about it."""
    return any(str(each["Subject"]).endswith("mail is refused") for each in letters(relay))


@pytest.mark.parametrize("way", ["moved", "removed"])
def test_no_mail_is_taken_into_a_file_that_is_gone(judge, relay, way) -> None:
    """The sender keeps it; keeper and log are told; nothing is made in the place of the file."""
    judge.run("tick")  # so that all tables are in the file itself
    judge.serve()
    judge.send(mail("lucia", "list", 1))
    file = judge.folder / "judge.db"
    elsewhere = file.rename(judge.folder / "elsewhere.db")
    for each in judge.folder.glob("judge.db-*"):
        each.rename(judge.folder / each.name.replace("judge", "elsewhere"))
    content = elsewhere.read_bytes()
    if way == "removed":
        elsewhere.unlink()

    assert refused(judge, 2) == 451
    assert not file.exists()
    wait_until(
        lambda: any("mail is refused" in str(m["Subject"]).lower() for m in letters(relay)), ""
    )
    assert "was moved, removed or replaced" in judge.log()
    said = judge.run("tick", expected=2)
    assert f"there is no judge in the database {file}" in said
    assert "restore a backup" in judge.run("doctor", expected=1)
    assert not file.exists()

    elsewhere.write_bytes(content)
    elsewhere.rename(file)
    wait_until(lambda: refused(judge, 3) == 250, "the database to be used again")
    assert judge.rows("SELECT count(*) FROM inbox WHERE message_id = '<lucia.3@example.com>'") == [
        (1,)
    ]


def put_in_place(judge: Installation, copy: bytes, mode: int = 0o600) -> Path:
    """Another file in the place of the database."""
    new, file = judge.folder / "new.db", judge.folder / "judge.db"
    new.write_bytes(copy)
    new.chmod(mode)
    for each in judge.folder.glob("judge.db-*"):
        each.unlink()
    return new.replace(file)


def test_another_file_in_its_place_is_opened_anew(judge, relay) -> None:
    """Mails are kept in that, and not in the one of which only this process knows."""
    judge.run("tick")
    copy = (judge.folder / "judge.db").read_bytes()
    judge.serve()
    judge.send(mail("lucia", "list", 1))
    put_in_place(judge, copy)

    wait_until(lambda: refused(judge, 2) == 250, "the database to be used again")

    assert kept(judge, 2) == 1


def started(judge: Installation) -> "subprocess.Popen[bytes]":
    """A `serve` that may not write where others could not."""
    with (judge.folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "machjudge", "serve"],
            env=judge.environment,
            stderr=log,
            preexec_fn=without_permission,  # noqa: PLW1509 - no thread of this test runs
        )
    judge.processes.append(process)
    return process


def test_serve_does_not_begin_on_a_database_that_it_may_not_write(judge) -> None:
    """It says so and ends, in place of telling every mail server to come again."""
    judge.run("migrate")
    (judge.folder / "judge.db").chmod(0o444)

    assert started(judge).wait(SECONDS) == 2

    assert "judge.db" in judge.log()
    assert "no permission to write there" in judge.log()


def test_serve_goes_on_when_its_database_may_be_written_again(judge, relay) -> None:
    """New connections see what was mended."""
    judge.run("tick")
    copy = (judge.folder / "judge.db").read_bytes()
    started(judge)
    wait_until(judge.is_open, "the door")
    file = put_in_place(judge, copy, 0o444)
    assert [refused(judge, 1) for _ in range(3)] == [451] * 3

    file.chmod(0o600)

    # Files that SQLite made beside it meanwhile get its mode with the next mail.
    wait_until(lambda: refused(judge, 1) == 250, "the database to be used again")
    assert kept(judge, 1) == 1


def lose_secret(judge: Installation) -> Path:
    """A judge that has begun, and has lost its secret since."""
    judge.run("tick")
    secret = judge.folder / "judge.secret"
    secret.rename(judge.folder / "elsewhere")
    return secret


@pytest.mark.parametrize("command", ["tick", "serve", "worker"])
def test_a_judge_without_its_secret_does_not_begin(judge, command) -> None:
    """Another secret would refuse all reply codes, and take repeated mails for new ones."""
    secret = lose_secret(judge)

    said = judge.run(command, expected=2)

    assert f"the judge's secret {secret} is not there" in said
    assert "machjudge migrate --new-secret" in said
    assert not secret.exists()
    assert "wrong   secret: " in judge.run("doctor", expected=1)


def test_a_judge_with_another_secret_does_not_begin(judge) -> None:
    """A copy of another judge's file, or one that an older version has made."""
    secret = lose_secret(judge)
    secret.write_text("ab" * 32)

    assert "is not the secret with which the database" in judge.run("tick", expected=2)
    assert "is not the secret with which the database" in judge.run("doctor", expected=1)

    (judge.folder / "elsewhere").replace(secret)
    judge.run("tick")


def test_a_judge_whose_secret_is_lost_for_good_goes_on_with_a_new_one(judge) -> None:
    """When its keeper says so."""
    secret = lose_secret(judge)

    assert "goes on with the secret that is there now" in judge.run("migrate", "--new-secret")

    assert secret.exists()
    judge.run("tick")


def test_a_database_of_an_older_version_learns_the_secret_that_is_there(judge) -> None:
    """Which nobody can tell from another one."""
    judge.run("tick")
    judge.change("DELETE FROM judge")
    judge.run("tick")

    assert judge.rows("SELECT count(*) FROM judge") == [(1,)]


def test_no_new_database_is_made_where_a_judge_has_left_its_secret(judge) -> None:
    """Anyone who wants a new judge says so."""
    judge.run("tick")
    for each in judge.folder.glob("judge.db*"):
        each.unlink()

    assert "but its secret" in judge.run("tick", expected=2)
    assert "but its secret" in judge.run("serve", expected=2)
    assert not (judge.folder / "judge.db").exists()
    judge.run("migrate")
    judge.run("tick", expected=0)
