"""A game as a script of mails: read from a file, played at a judge, and told act by act."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from machjudge.adjudicator.names import AUTONOMOUS
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Unit
from tests.journeys.judge import JUDGE, Judge, QueuedMessage
from tests.journeys.pens import PENS, Writer, plain
from tests.patience import wait_until
from tests.results_told import tells_results


@dataclass(frozen=True)
class Act:
    """One act of a script."""

    name: str
    played: tuple[str, ...]
    """The phases that are played in it."""
    steps: tuple[Mapping[str, Any], ...]
    units: Mapping[str, str]
    """Where every unit stands when it is over, by power."""


@dataclass(frozen=True)
class Script:
    """A game that people have agreed to play in a certain way."""

    game: str
    people: Mapping[str, Writer]
    acts: tuple[Act, ...]

    def act(self, name: str) -> Act:
        """The act of that name."""
        return next(act for act in self.acts if act.name == name)

    def lines(self, letter: str, step: Mapping[str, Any]) -> list[str]:
        """What somebody writes in a step, with signon and signoff."""
        lines = step["text"].strip("\n").split("\n")
        seat = step.get("as", letter)
        return [self.signon(letter, seat), *lines, "SIGNOFF"] if seat else lines

    def signon(self, letter: str, seat: str = "") -> str:
        """The line with which somebody speaks for his seat."""
        return f"SIGNON {seat or letter}{self.game} {self.people[letter].password}"


def script_of(file: Path) -> Script:
    """The script in a file; what may stand in it is told at its beginning."""
    told = tomllib.loads(file.read_text("utf-8"))
    people = {letter: Writer(**each) for letter, each in told["people"].items()}
    return Script(told["game"], people, tuple(_act(each) for each in told["acts"]))


def _act(told: Mapping[str, Any]) -> Act:
    return Act(
        told["name"], tuple(told.get("played", ())), tuple(told["steps"]), told.get("units", {})
    )


@dataclass(frozen=True)
class Told:
    """What came of one act."""

    act: Act
    answers: Mapping[str, Sequence[Sequence[QueuedMessage]]]
    """What came back for each of a writer's mails, in the order of the mails."""
    letters: tuple[QueuedMessage, ...]
    """All letters that came in the act."""
    position: State | None
    """Where the game stands when it is over; none while it forms."""

    def answer(self, writer: str, mail: int = 0) -> QueuedMessage:
        """The only answer to a mail of somebody: his first one, unless another is meant."""
        (letter,) = self.answers[writer][mail]
        return letter

    def letters_about(self, subject: str) -> dict[str, QueuedMessage]:
        """The letters with this in their subjects, by their readers, each of whom got one.

        Only those that the judge wrote by itself.
        """
        own = [letter for letter in self.letters if not letter.subject.startswith("Re:")]
        return self._by_reader([letter for letter in own if subject in letter.subject])

    def results_of(self, code: str) -> dict[str, QueuedMessage]:
        """The results of a phase by their readers."""
        return self._by_reader([each for each in self.letters if tells_results(each.text, code)])

    @staticmethod
    def _by_reader(found: list[QueuedMessage]) -> dict[str, QueuedMessage]:
        by_reader = {letter.to.partition("@")[0]: letter for letter in found}
        assert len(found) == len(by_reader)
        return by_reader

    def results(self) -> QueuedMessage:
        """The results of the act as Lorenza reads them; all but the end is the same for all."""
        return self.results_of(self.act.played[-1])["lorenza"]

    def units(self) -> dict[str, str]:
        """Where the powers' units stand, as scripts write them."""
        units = self.position.units() if self.position is not None else ()
        found: dict[str, list[str]] = {}
        for unit in units:
            found.setdefault(unit.owner, []).append(_short(unit))
        found.pop(AUTONOMOUS, None)
        return {power: ", ".join(sorted(shown)) for power, shown in found.items()}


def _short(unit: Unit) -> str:
    coast = f"/{unit.coast}" if unit.coast else ""
    return f"{unit.kind.value} {unit.place}{coast}"


@dataclass
class Play:
    """A script on its way through a judge."""

    judge: Judge
    script: Script
    sent: dict[str, list[str]] = field(default_factory=dict)
    """The Message-IDs of the act's mails, by writer."""
    seen: int = 0

    def acts(self) -> Iterator[Told]:
        """Play act after act."""
        for act in self.script.acts:
            yield self.play(act)

    def play(self, act: Act) -> Told:
        """Carry out the steps of an act, and wait until all that comes of them has come."""
        self.sent = {}
        for step in act.steps:
            self._do(step)
        self._wait_for(act.played)
        letters = self.judge.letters()
        new, self.seen = letters[self.seen :], len(letters)
        answers = {
            letter: [self.judge.answers_to(each) for each in sent]
            for letter, sent in self.sent.items()
        }
        game = self.judge.game(self.script.game)
        position = self.judge.position(game.id) if game.position is not None else None
        return Told(act, answers, tuple(new), position)

    def _wait_for(self, played: Sequence[str]) -> None:
        """Wait until phases are played, and everybody has got his letters."""
        if played:
            last = "SELECT moment FROM phases WHERE number > 0 ORDER BY number"
            wait_until(lambda: self.judge.rows(last)[-1:] == [played[-1:]], f"{played}")
        self.judge.rest()

    def _do(self, step: Mapping[str, Any]) -> None:
        match step:
            case {"from": writer}:
                self._write(writer, step)
            case {"deadline": hours}:
                self._let_pass(timedelta(hours=hours))
            case {"restart": how}:
                self._restart(how)
            case {"rest": True}:
                self.judge.rest()

    def _let_pass(self, hours: timedelta) -> None:
        """Let time pass until so many hours after the deadline, or before it where negative."""
        clock = self.judge.game(self.script.game).clock
        assert clock is not None
        self.judge.let_pass(clock.deadline + hours)

    def _restart(self, how: str) -> None:
        if how == "by force":
            self.judge.kill()
        else:
            self.judge.stop()
        self.judge.serve()

    def _write(self, letter: str, step: Mapping[str, Any]) -> None:
        writer = self.script.people[letter]
        lines = [self._with_token(line) for line in self.script.lines(letter, step)]
        last = [each for each in self.judge.letters() if each.to == writer.address][-1:]
        mail = PENS[step.get("form", "plain")](writer, lines, last)
        self.sent.setdefault(letter, []).append(mail.id)
        # What cannot be taken back is done at once in an answer to the judge's message.
        to = str(last[0].mail["Reply-To"]) if "process " in "".join(lines) else JUDGE
        self.judge.send(*mail.copies, sender=writer.address, to=to)
        if step.get("as") in ("", "?") and self.judge.more.get("MACHJUDGE_CONFIRM") == "on":
            self._confirm(writer, self.judge.answer_to(mail.id))

    def _confirm(self, writer: Writer, asked: QueuedMessage) -> None:
        """Reply to the first message, with nothing in it, as it asks for."""
        assert "Reply to this message, empty or with your orders" in asked.text
        empty = plain(writer, ())
        self.judge.send(*empty.copies, sender=writer.address, to=str(asked.mail["Reply-To"]))
        confirmed = self.judge.answer_to(empty.id)
        assert f"Your address is confirmed: {writer.address}." in confirmed.text

    def _with_token(self, line: str) -> str:
        """The line with the word that the last preview ended with."""
        if "{token}" not in line:
            return line
        offered = [
            row.split()[-1]
            for letter in self.judge.letters()
            for row in letter.text.splitlines()
            if row.strip().startswith("PROCESS ")
        ]
        return line.format(token=offered[-1])
