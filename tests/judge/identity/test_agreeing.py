"""What an answer says that somebody's mail program, or a machine, has written in its own way."""

import pytest

from machjudge.judge.mail_context import read_mail
from machjudge.judge.sign_in import denies, is_wordless, own_words
from machjudge.mail_parser.lines import Mail, agrees

HTML = "MIME-Version: 1.0\nContent-Type: text/html\n\n"
BASE64 = "Content-Transfer-Encoding: base64\n\n"
SILENT = {
    "nothing": "\n",
    "a no-break space": "\n\u00a0\n",
    "a quotation": "\n> Reply to this message.\n> NOT ME\n",
    "a quotation of Outlook's": "\n\nFrom: MACH judge <judge@mach.example>\nSent: Friday\nTo: V\n"
    "Subject: x\n\nReply to this message.\nIf you did not ask: reply NOT ME.\n",
    "a quotation in HTML": f"{HTML}<div><br></div><blockquote type=cite>What?</blockquote>",
    "a telephone": "\nSent from my iPhone\n",
    "a signature": "\n-- \nVera Verdi\nHead Office: Milan\n",
    "salutations": "\nDear judge,\n\nBest regards\nV\n",
}
NOT_SILENT = {
    "words in HTML": f"{HTML}<p>What is this?</p><blockquote>yes</blockquote>",
    "words below a quotation": "\n> Reply to this message\n\nWho are you?\n",
    "a notice of absence as a signature": "\n-- \nI am away until Monday\n",
    "an encrypted text": "MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; name=smime.p7m\n"
    f"{BASE64}MIAGCSqGSIb3DQEHA6CAMIACAQAx\n",
    "a text of Outlook's own": "MIME-Version: 1.0\nContent-Type: application/ms-tnef\n"
    f"{BASE64}eJ8+IgAA\n",
    "a file": f"MIME-Version: 1.0\nContent-Type: application/pdf; name=a.pdf\n{BASE64}JVBERi0=\n",
    "another language": "\n\u041f\u0435\u0440\u0435\u0441\u0442\u0430\u043d\u044c\u0442\u0435\n",
    "a salutation that goes on": "\nHello, I am away until Monday.\n",
}


def answer(body: str, subject: str = "Re: my seat") -> Mail:
    """An answer of V's as it is read."""
    head = f"From: V <v@p.example>\nTo: judge@mach.example\nSubject: {subject}\nMessage-ID: <1@p>\n"
    raw = (head + body).replace("\n", "\r\n").encode()
    return read_mail(raw, own=("judge@mach.example",))


@pytest.mark.parametrize("name", SILENT)
def test_an_answer_without_words_of_its_own_is_known(name: str) -> None:
    """Whatever programs add to it."""
    assert is_wordless(answer(SILENT[name]))


@pytest.mark.parametrize("name", NOT_SILENT)
def test_words_are_found_wherever_they_stand(name: str) -> None:
    """What cannot be read may hide some."""
    mail = answer(NOT_SILENT[name])

    assert not is_wordless(mail)
    assert not agrees(next(own_words(mail), ""))


@pytest.mark.parametrize("subject", ["unsubscribe", "I am on vacation", "Stop", "What is this?"])
def test_a_subject_of_its_own_may_say_no(subject: str) -> None:
    """An empty text below it agrees to nothing; behind a reply's mark stand the judge's words."""
    assert not is_wordless(answer("\n", subject))
    assert is_wordless(answer("\n", f"Re: {subject}"))


def test_the_judges_own_words_deny_nothing() -> None:
    """Some programs quote them without a mark."""
    assert not denies(answer("\nWhat is this?\nIf not: reply NOT ME, or do nothing.\n"))
    assert denies(answer("\nWhat is this?\nIt was not me.\n"))
