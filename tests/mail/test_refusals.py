"""What a relay's refusal is about: the judge, a message, or its reader."""

from machjudge.judge.records import Bounce
from machjudge.mail.relay import Closed, Doubted, Never, NotNow, SmtpStep, refusal
from tests.cases import cases

SOFT, HARD = Bounce.SOFT, Bounce.HARD
KINDS = {
    "closed": (Closed, None),
    "barred": (Closed, None),
    "doubted": (Doubted, None),
    "later": (NotNow, None),
    "later soft": (NotNow, SOFT),
    "never": (Never, None),
    "soft": (Never, SOFT),
    "hard": (Never, HARD),
}


@cases
def test_what_a_refusal_is_about(stage: str, code: int, text: str, about: str) -> None:
    """By the stage, the code of RFC 3463, and only then the words."""
    found = refusal(SmtpStep[stage], code, text.encode())

    assert (type(found), found.bounce) == KINDS[about]
    assert found.why == f"{code} {text}"
    assert not isinstance(found, Closed) or found.lasting == (about == "barred")
