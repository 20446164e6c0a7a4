"""Mails as mail programs mangle them: what must reach the grammar, and nothing else."""

import pytest

from machjudge.judge.mail_context import read_mail as read
from tests.mail_parser.mails import CORPUS, Case, corpus, flaws_of, texts


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.name)
def test_a_mail_is_read_as_its_writer_meant_it(case: Case) -> None:
    """Kind and lines are exactly those expected; the expected flaws are among those found."""
    mail = read(case.raw)

    assert mail.kind.value == case.kind
    assert tuple(texts(mail)) == case.lines
    assert case.defects <= flaws_of(mail)


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.name)
def test_orders_have_no_defect_that_holds_and_held_mails_have_one(case: Case) -> None:
    """A held mail says why; a mail that is read as meant has remarks at most."""
    mail = read(case.raw)

    if case.kind != "ignore":
        assert (case.kind == "hold") == any(defect.holds for defect in mail.defects)
    assert (case.kind == "ignore") == (mail.why_ignored is not None)


def test_every_mail_of_the_corpus_is_tested() -> None:
    """No mail lies in the folder without its expectation, and none is missing."""
    assert {path.stem for path in CORPUS.glob("*.eml")} == {case.name for case in corpus()}


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.name)
def test_line_feeds_alone_read_the_same(case: Case) -> None:
    """Line ends of CR LF or LF make no difference."""
    mail, other = read(case.raw), read(case.raw.replace(b"\r\n", b"\n"))

    assert (texts(other), other.kind) == (texts(mail), mail.kind)
