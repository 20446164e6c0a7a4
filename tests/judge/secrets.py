"""A whole game by mail whose secrets are markers, and the record of who may read which.

Every mail that the judge sends is kept as it would leave the house: all headers, all parts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.header import decode_header, make_header

from machjudge.adjudicator.names import PowerId
from machjudge.judge.mails import OutboxId, Outgoing, QueuedMessage
from machjudge.mail.compose import compose
from tests.judge.house import House
from tests.judge.letters_in import deliver, raw_mail
from tests.judge.year import OPENING, SPRING

POWERS = "IVLPNTAF"
_OF_A_GAME = ("LIST", "WHO", "SUMMARY", "HISTORY", "MAP")
OBSERVER, STRANGER, ORGANISER = "ogle@watch.example", "strange@far.example", "gina@desk.example"


@dataclass
class Secret:
    """A marker, who may read it, and from which mail on everybody may."""

    marker: str
    """A regular expression."""
    readers: frozenset[str]
    since: int
    until: int | None = None
    must_reach: bool = True


@dataclass
class Sent:
    """One mail of the judge, with everything that can be read in it."""

    to: str
    text: str


@dataclass
class Secretive:
    """A game with eight players, an observer, and a master who may play himself."""

    hidden: bool
    anonymous: bool
    master_plays: bool
    reveal: bool = True
    house: House = field(default_factory=House)
    sent: list[Sent] = field(default_factory=list)
    secrets: list[Secret] = field(default_factory=list)

    # --- people -------------------------------------------------------------------------------

    def address(self, power: str) -> str:
        """Where the player of a power writes from."""
        if self.master_plays and power == POWERS[0]:
            return ORGANISER
        return f"adr{power.lower()}qx@player.example"

    def name(self, power: str) -> str:
        """The name of a player, a marker of its own."""
        return f"Nomen{power}zz"

    def password(self, power: str) -> str:
        """His password, a marker that nobody ever reads."""
        return f"pass{power}word77q"

    @property
    def master_sees(self) -> frozenset[str]:
        """The master, if nothing is hidden from him."""
        return frozenset() if self.master_plays else frozenset({ORGANISER})

    @property
    def everybody(self) -> list[str]:
        """All addresses that write to the judge."""
        players = [self.address(power) for power in POWERS]
        return list(dict.fromkeys([*players, ORGANISER, OBSERVER, STRANGER]))

    # --- mails --------------------------------------------------------------------------------

    def write(self, sender: str, *lines: str, name: str = "") -> list[Outgoing]:
        """Send a mail; keep everything that comes of it."""
        letters = deliver(self.house, raw_mail(sender, lines, name=name or "Xy"), sender)
        self.sent += [Sent(letter.to, self._text(letter)) for letter in letters]
        return letters

    def player(self, power: str, *lines: str) -> list[Outgoing]:
        """A player writes."""
        opening = f"SIGNON {power}borgia {self.password(power)}"
        return self.write(self.address(power), opening, *lines, name=self.name(power))

    def master(self, *lines: str) -> list[Outgoing]:
        """The master writes."""
        return self.write(ORGANISER, "SIGNON Mborgia pass0master77q", *lines, name="Gina")

    def _text(self, letter: Outgoing) -> str:
        """Every header and part of the mail as it leaves, decoded."""
        whole = QueuedMessage(OutboxId(len(self.sent) + 1), self.house.now, 1, letter)
        raw = compose(whole, self.house.services.judge, self.house.services.secret).content
        mail = message_from_bytes(raw, policy=policy.default)
        # The address itself stands in To, for him alone.
        heads = [f"{key}: {make_header(decode_header(str(text)))}" for key, text in mail.items()]
        parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
        texts = [part if isinstance(part, str) else part.decode("latin-1") for part in parts]
        return "\n".join([*heads, *texts])

    # --- secrets ------------------------------------------------------------------------------

    def secret(
        self, marker: str, readers: Sequence[str] | frozenset[str], *, must_reach: bool = True
    ) -> Secret:
        """From now on this marker is for these readers only."""
        made = Secret(marker, frozenset(readers), len(self.sent), must_reach=must_reach)
        self.secrets.append(made)
        return made

    def reveal_now(self, *secrets: Secret) -> None:
        """Everybody may read these from the next mail on."""
        for each in secrets:
            each.until = len(self.sent) if each.until is None else each.until

    def leaks(self) -> list[tuple[str, str, str]]:
        """Each marker that somebody read who must not: marker, reader, the mail's text."""
        return [
            (secret.marker, mail.to, mail.text)
            for secret in self.secrets
            for mail in self.sent[secret.since : secret.until]
            if mail.to not in secret.readers and re.search(secret.marker, mail.text)
        ]

    def unread(self) -> list[tuple[str, str]]:
        """Each marker that a rightful reader never got."""
        return [
            (secret.marker, reader)
            for secret in self.secrets
            if secret.must_reach
            for reader in sorted(secret.readers)
            if not any(
                mail.to == reader and re.search(secret.marker, mail.text)
                for mail in self.sent[secret.since : secret.until]
            )
        ]

    # --- the course of the game ---------------------------------------------------------------

    def begin(self) -> None:
        """Create the game, fill it, and play the first adjustment."""
        for power in POWERS:
            self.secret(re.escape(self.password(power)), (), must_reach=False)
            self.secret(re.escape(self.address(power)), (self.address(power),))
        self.secret("pass0master77q", (), must_reach=False)
        self.write(ORGANISER, "CREATE ?Borgia pass0master77q 1454", name="Gina")
        toggles = [
            f"SET {'' if on else 'NO'}{key}"
            for key, on in (
                ("HIDDEN MONEY", self.hidden),
                ("ANONYMOUS", self.anonymous),
                ("REVEAL", self.reveal),
            )
        ]
        self.master(*toggles, "SET WHITE/GREY, FAKE PRESS, POSTAL PRESS")
        for power in POWERS:
            join = f"SIGNON ?borgia {self.password(power)}"
            self.write(self.address(power), join, f"SET PREF {power}", name=self.name(power))
        assert self.house.game().position is not None
        self.write(OBSERVER, "OBSERVE borgia pass0observer77q", name="Ogle")
        for power, lines in OPENING.items():
            self.player(power, *lines)
        assert self.house.view().state.moment.code == "S1454M"

    def fill(self, treasuries: dict[str, int]) -> None:
        """Give the powers these ducats, as if they had earned them."""
        phases = self.house.store.tables.phases
        state = phases[-1].after
        given = {PowerId(power): ducats for power, ducats in treasuries.items()}
        phases[-1] = replace(phases[-1], after=replace(state, treasuries=given))

    def everybody_asks(self) -> None:
        """Every reader asks every question, with his seat open and without."""
        questions = ["LIST", "WHO", "WHO LATE", "SUMMARY", "HISTORY FROM S1454M", "PING"]
        questions += ["LIST FULL", "INFO PLAYER somebody", "VERSION", "MAP", "GET REPLAY"]
        own = ["DIARY LIST", "DIARY READ 1", "POSTAL LIST", "POSTAL READ 1", "POSTAL DELETE 9"]
        named = [f"{each.split()[0]} borgia" for each in questions if each.split()[0] in _OF_A_GAME]
        for power in POWERS:
            self.player(power, *questions, *own)
        self.master(*questions, *own)
        self.write(OBSERVER, "SIGNON Oborgia pass0observer77q", *questions, *own, name="Ogle")
        self.write(STRANGER, *named, "GET REPLAY borgia", name="Strange")

    def spring(self) -> None:
        """All order the spring campaign, which is then played."""
        for power, lines in SPRING.items():
            self.player(power, *lines)
        self.house.now += timedelta(minutes=1)
        assert self.house.view().state.moment.code != "S1454M"
