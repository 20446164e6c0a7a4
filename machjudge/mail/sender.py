"""Letters of the outbox -> the relay.  A letter is claimed, offered, and marked.

Who dies between offering and marking leaves a claim that ends; the letter is then sent again with
the same Message-ID.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from structlog import get_logger

from machjudge.mail.compose import ComposedMail, Unwritable, compose
from machjudge.mail.relay import Answer, Never, NotNow, OutOfReach, Relay, Taken, Unanswered
from machjudge.mail.signing import Signing, unsigned
from machjudge.service.credentials.secret import JudgeSecret
from machjudge.service.model.records import Judge
from machjudge.service.pictures.wishes import without_wishes
from machjudge.service.ports.interfaces import Stale
from machjudge.service.ports.mailbox import LEASE, Letter, LetterId, PostBag
from machjudge.service.ports.mails import Outgoing

MOST_DEATHS = 20
"""After so many deaths with a message in hand the message is taken for their cause."""

REST_AFTER_SILENCE = timedelta(minutes=1)
"""How long a message rests that a silent relay did not answer to; others go first."""

log = get_logger(__name__)


class _SilentRelay(Exception):
    """The relay answers to no message; what it did last."""


@dataclass(frozen=True, slots=True)
class Round:
    """What came of sending what was due."""

    sent: int = 0
    put_off: int = 0
    given_up: int = 0
    out_of_reach: str | None = None
    """What is wrong with the relay; the letters wait."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends what is due; *waits* are the pauses before each further try of one letter."""

    bag: PostBag
    connect: Callable[[], AbstractContextManager[Relay]]
    judge: Judge
    secret: JudgeSecret
    waits: Sequence[timedelta]
    clock: Callable[[], datetime]
    drawn: Callable[[Outgoing], Outgoing] = without_wishes
    """Draws the pictures that a message shows; without it they stay out."""
    signed: Signing = unsigned
    """Signs a mail, where the judge has a key of its own."""
    unanswered: set[LetterId] = field(default_factory=set)
    """What the relay has said nothing to since it last answered to a message."""

    def send_due(self, stop: Callable[[], bool] = lambda: False) -> Round:
        """Send all letters that are due, oldest first, until *stop* says so or none is left."""
        answers: Counter[type[Answer]] = Counter()
        with self.connect() as relay:
            while not stop() and (letter := self._claimed()) is not None:
                try:
                    answer = self._offered(relay, letter)
                except OutOfReach as fault:
                    return self._postponed(letter, self.clock(), str(fault), answers)
                except _SilentRelay as fault:
                    due = self.clock() + REST_AFTER_SILENCE
                    return self._postponed(letter, due, str(fault), answers)
                answers[type(answer)] += 1
                try:
                    self._mark(letter, answer)
                except Stale:
                    # The claim had ended, and somebody else has sent it again: the same mail.
                    log.warning("letter sent twice", letter=letter.id)
                if letter.is_alone:
                    break
        return _round(answers)

    def _claimed(self) -> Letter | None:
        now = self.clock()
        return self.bag.claim(now, now + LEASE)

    def _offered(self, relay: Relay, letter: Letter) -> Answer:
        """What the relay said to a letter; one that cannot be written will never go."""
        if letter.deaths >= MOST_DEATHS:
            return Never(f"the process ended {letter.deaths} times while it sent this message")
        self.secret.check()  # without it nothing can be written, which is no fault of a letter
        try:
            mail = self._written(letter)
        except Exception as fault:
            return Never(str(fault) if isinstance(fault, Unwritable) else type(fault).__name__)
        try:
            answer = relay.hand_over(mail)
        except OutOfReach:
            raise
        except Exception as fault:
            log.exception("letter not handed over", letter=letter.id)
            relay.hang_up()
            answer = NotNow(type(fault).__name__)
        self._watch_for_silence(letter, answer)
        if isinstance(answer, NotNow) and letter.tries > len(self.waits):
            return Never(f"given up after {letter.tries} tries: {answer.why}", answer.bounce)
        return answer

    def _written(self, letter: Letter) -> ComposedMail:
        """The mail; without what cannot be written of it, as long as its text can be.

        Raises what the text raises.
        """
        plain = replace(letter.outgoing, attachments=(), layout="")
        for form in (self.drawn, without_wishes):
            try:
                return self._composed(letter, form(letter.outgoing))
            except Exception:  # whatever is wrong with a picture or a file, its message goes
                log.exception("letter not written", letter=letter.id)
        return self._composed(letter, plain)

    def _composed(self, letter: Letter, outgoing: Outgoing) -> ComposedMail:
        return self.signed(compose(replace(letter, outgoing=outgoing), self.judge, self.secret))

    def _watch_for_silence(self, letter: Letter, answer: Answer) -> None:
        """Raise _SilentRelay if several letters got no answer; one alone may be to blame for it."""
        if not isinstance(answer, Unanswered):
            self.unanswered.clear()
            return
        self.unanswered.add(letter.id)
        if len(self.unanswered) > 1:
            raise _SilentRelay(answer.why)

    def _mark(self, letter: Letter, answer: Answer) -> None:
        now = self.clock()
        match answer:
            case Taken():
                self.bag.sent(letter.id, now)
                log.info("letter sent", letter=letter.id, tries=letter.tries)
            case NotNow(why):
                due = now + self.waits[letter.tries - 1]
                self.bag.later(letter.id, due, why, counts=True)
                log.warning("letter put off", letter=letter.id, tries=letter.tries, due=due)
            case Never(why, bounce):
                self.bag.give_up(letter.id, now, why, bounce)
                counts = None if bounce is None else bounce.name.lower()
                log.error("letter given up", letter=letter.id, tries=letter.tries, bounce=counts)

    def _postponed(
        self, letter: Letter, due: datetime, why: str, answers: Counter[type[Answer]]
    ) -> Round:
        """Nobody has judged this letter: the try does not count."""
        self.bag.later(letter.id, due, why, counts=False)
        log.warning("relay out of reach", why=why)
        return _round(answers, why)


def _round(answers: Counter[type[Answer]], out_of_reach: str | None = None) -> Round:
    put_off = answers[NotNow] + answers[Unanswered]
    return Round(answers[Taken], put_off, answers[Never], out_of_reach)
