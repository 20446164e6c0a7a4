"""Players who write as people do: late or not at all, twice, with greetings and quotations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from random import Random

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import GiveChit, Order
from machjudge.judge.game_view import GameView, missing
from machjudge.language.lexicon import lexicon_of, write
from tests.games.players import orders_for
from tests.games.post import _can_be_said, _lines_for
from tests.simulation.judge import JUDGE

_GREETINGS = ("", "Dear judge,", "Ciao,", "Hello,", "Hi judge,")
_FAREWELLS = ("", "Regards,\n{}", "Best wishes,\n{}", "-- \n{}\nsent from my galley")
_SLIPS = ("A mil supprts", "A xyz - abc", "- - -")
_CHATTER = (("list",), ("help",), ("history",), ("who",))
_ASIDES = ("set wait", "set nowait", "list")


@dataclass
class Player:
    """Somebody who leads a power of one game; `reply_to` is where the last results came from."""

    name: str
    game: str
    power: PowerId
    chance: Random
    reply_to: str = ""
    quoted: Sequence[str] = ()
    written: int = 0
    laziness: float = field(init=False)

    def __post_init__(self) -> None:
        """Each has a habit of their own."""
        self.laziness = self.chance.random() * 0.3

    @property
    def address(self) -> str:
        """Where their mail goes."""
        return f"{self.name}.{self.game}@players.example"

    @property
    def password(self) -> str:
        """A word that nobody else uses."""
        return f"parola{self.name}{self.game}"

    @property
    def signon(self) -> str:
        """What opens their seat."""
        return f"SIGNON {self.power}{self.game} {self.password}"

    def moments(self, now: datetime, deadline: datetime) -> list[datetime]:
        """When they write in a phase: never, once or more often, now and then too late."""
        if self.chance.random() < self.laziness * 0.5:
            return []
        span = max(deadline - now, deadline - deadline)
        late = 1.3 if self.chance.random() < self.laziness else 1.0
        times = self.chance.choice((1, 1, 1, 2, 2, 3))
        return sorted(now + span * (self.chance.random() * late) for _ in range(times))

    def orders(self, view: GameView) -> list[str]:
        """Lines of orders: at random, or just what is lacking; none if nothing need be ordered."""
        names = lexicon_of(view.world.scenario)
        sheets = orders_for(view.world, view.state, self.chance)
        given = [each for each in sheets.get(self.power, ()) if _is_plain(each)]
        lines = [write(each, names) for each in given]
        lacking = missing(view.world, view.state, self.power, ())
        if not lines or self.chance.random() < 0.3:
            units = view.state.units_of(self.power)
            lines = _lines_for(lacking, view.state.moment.stage, units) if lacking else []
            self.chance.shuffle(lines)
        if lines and self.chance.random() < 0.1:
            lines.insert(self.chance.randint(0, len(lines)), self.chance.choice(_SLIPS))
        return lines if lacking else []

    def asides(self) -> list[str]:
        """What some say besides their orders."""
        return [self.chance.choice(_ASIDES)] if self.chance.random() < 0.2 else []

    def chatter(self) -> list[str]:
        """Lines that order nothing."""
        return list(self.chance.choice(_CHATTER))

    def mail(self, lines: Sequence[str]) -> "Written":
        """The lines as a mail, in the dress that the player fancies."""
        self.written += 1
        replies = bool(self.reply_to) and self.chance.random() < 0.5
        first = [] if replies else [self.signon]
        known = f"<{self.written}.{self.address}>"
        body = "\n".join([*self._before(), *first, *lines, *self._after()])
        mail = EmailMessage(policy=SMTP)
        mail["From"] = f"{self.name.title()} <{self.address}>"
        mail["To"] = JUDGE
        mail["Subject"] = self.chance.choice(("orders", "Re: orders", f"Fwd: {self.game}", "hi"))
        mail["Message-ID"] = known
        mail.set_content(body + "\n", charset="utf-8")
        return Written(known, self, mail.as_bytes(), self.reply_to if replies else JUDGE)

    def _before(self) -> list[str]:
        greeting = self.chance.choice(_GREETINGS)
        return [greeting, ""] if greeting else []

    def _after(self) -> list[str]:
        told = [*self.chance.choice(_FAREWELLS).format(self.name.title()).split("\n")]
        # No two mails say the same: who repeats a text may be a machine.
        told.append("" if "--" not in told else f"letter {self.written}")
        how = self.chance.random()
        if how < 0.2 and self.quoted:
            return [
                "signoff",
                *told,
                "On Monday the judge wrote:",
                *(f"> {q}" for q in self.quoted),
            ]
        if how < 0.3 and self.quoted:
            return ["signoff", *told, "-----Original Message-----", f"From: {JUDGE}", *self.quoted]
        return told


@dataclass(frozen=True, slots=True)
class Written:
    """A mail ready to be sent."""

    id: str
    by: Player
    raw: bytes
    to: str


def _is_plain(order: Order) -> bool:
    """True if it can be written, and waits for its phase: chits change hands at once."""
    return _can_be_said(order) and not isinstance(order, GiveChit)
