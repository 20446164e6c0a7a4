"""``machjudge demo``: a judge on loopback plays the game of 1978 by mail, and then with ducats."""

import os
import re
import shutil
import smtplib
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from importlib import resources
from pathlib import Path
from typing import Any

import click
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.names import MachjudgeError, PlaceId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Unit
from machjudge.app import build
from machjudge.judge.records import GameId
from machjudge.settings import PREFIX, load

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Delivered:
    """A message as its reader finds it in their mailbox."""

    to: str
    subject: str
    text: str
    answers: str
    """The Message-ID of the mail that it answers; empty for what the judge wrote by itself."""


class PostOffice:
    """An SMTP server on loopback that delivers everything into one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._delivered: list[Delivered] = []
        self._news = threading.Condition()
        self._controller = Controller(self, hostname=HOST, port=self.port)

    def open(self) -> None:
        """Begin to take messages."""
        self.folder.mkdir(parents=True)
        self._controller.start()

    def close(self) -> None:
        """Take no more."""
        self._controller.stop()

    async def handle_DATA(  # noqa: N802  (the name is aiosmtpd's)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Take one message in: a file for everyone to look at, and a note for who waits for it."""
        content = envelope.content
        raw = content if isinstance(content, bytes) else (content or "").encode()
        for reader in envelope.rcpt_tos:
            self._deliver(reader, raw)
        return "250 delivered"

    def _deliver(self, reader: str, raw: bytes) -> None:
        message = message_from_bytes(raw, policy=policy.default)
        with self._news:
            name = f"{len(self._delivered) + 1:03}-to-{reader.partition('@')[0]}.eml"
            (self.folder / name).write_bytes(raw)
            part = message.get_body(("plain",))
            text = part.get_content() if part is not None else ""
            self._delivered.append(
                Delivered(reader, message["Subject"] or "", text, message["In-Reply-To"] or "")
            )
            self._news.notify_all()

    def wait_for(self, wanted: Callable[[Delivered], bool], seconds: float) -> Delivered | None:
        """The first message of that kind; None if it does not come in time."""
        until = time.monotonic() + seconds
        with self._news:
            while True:
                found = next((message for message in self._delivered if wanted(message)), None)
                if found is not None or not self._news.wait(max(0.0, until - time.monotonic())):
                    return found

    def wait_for_more(self, than: int, seconds: float) -> None:
        """Wait until more messages than that have come, or the time is over."""
        until = time.monotonic() + seconds
        with self._news:
            while len(self._delivered) <= than:
                if not self._news.wait(max(0.0, until - time.monotonic())):
                    return

    def since(self, number: int) -> list[Delivered]:
        """The messages after the first *number* of them."""
        with self._news:
            return self._delivered[number:]

    def count(self) -> int:
        """How many messages have come so far."""
        with self._news:
            return len(self._delivered)


def free_port() -> int:
    """A port of the loopback that nobody uses just now."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
    return port


@dataclass(frozen=True, slots=True)
class ScriptPhase:
    """One phase: what each power orders, and what must stand where after it."""

    phase: str
    note: str
    verb: str
    """What the players do in it, such as ``orders``; the first mail of each verb is shown."""
    orders: Mapping[str, tuple[str, ...]]
    after: Mapping[str, frozenset[str]]
    """The units of each power, such as ``F cro/sc``; empty: not told after this act."""
    control: Mapping[str, str]
    """Places whose province this power controls."""


@dataclass(frozen=True, slots=True)
class Script:
    """A game that was played before."""

    game: str
    """Its name at the judge."""
    scenario: str
    options: str
    """Empty: the usual ones, which are those of the advanced game."""
    source: str
    """Who says where the units stand in the end."""
    title: str
    prologue: str
    acts: tuple[ScriptPhase, ...]


def introductory_game() -> Script:
    """The introductory game of the 1978 rulebook: six campaigns of Expansion of States."""
    return _script("introductory.toml")


def advanced_campaign() -> Script:
    """The first Spring of the same scenario with ducats: a purchase, loans and an assassin."""
    return _script("advanced.toml")


def _script(name: str) -> Script:
    script = tomllib.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))
    return Script(
        game=script["game"],
        scenario=script["scenario"],
        options=script["options"],
        source=script["source"],
        title=script["title"],
        prologue=script.get("prologue", ""),
        acts=tuple(_act(act) for act in script["acts"]),
    )


def _act(act: Mapping[str, Any]) -> ScriptPhase:
    return ScriptPhase(
        phase=act["phase"],
        note=act.get("note", ""),
        verb=act.get("verb", "orders"),
        orders={power: tuple(lines) for power, lines in act["orders"].items()},
        after={
            power: frozenset(units.split(", ")) for power, units in act.get("after", {}).items()
        },
        control=act.get("control", {}),
    )


ADDRESS = "judge@mach.example"
_PATIENCE = 120.0
"""Seconds to wait for an answer before something must be wrong."""
_UNTIL_PLAYED = 10.0
"""Seconds to wait for the results of orders that are complete: SET WAIT may keep them."""
_MARK = ".machjudge-demo"


class DemoFailed(MachjudgeError):
    """The play could not go on: the judge did not come up, or did not answer."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who writes to the judge."""

    name: str
    address: str
    password: str


@dataclass(frozen=True, slots=True)
class DemoJudge:
    """The judge, reached by SMTP only."""

    folder: Path
    port: int
    post: PostOffice

    def write(self, player: Player, subject: str, lines: Sequence[str]) -> str:
        """Send a mail from a player to the judge; its Message-ID comes back."""
        mail = EmailMessage()
        mail["From"] = f"{player.name} <{player.address}>"
        mail["To"] = ADDRESS
        mail["Subject"] = subject
        mail["Message-ID"] = make_msgid(domain="players.example")
        mail.set_content("\n".join(lines) + "\n")
        with smtplib.SMTP(HOST, self.port) as smtp:
            smtp.send_message(mail)
        return str(mail["Message-ID"])

    def answer_to(self, message_id: str) -> Delivered:
        """The judge's answer to a mail.  Raises DemoFailed."""
        return self._expect(f"an answer to {message_id}", lambda got: got.answers == message_id)

    def message_to(self, player: Player, subject_holds: str, text_holds: str = "") -> Delivered:
        """A message to a player with this in its subject and its text.  Raises DemoFailed."""

        def is_it(got: Delivered) -> bool:
            about = subject_holds in got.subject and text_holds in got.text
            return about and got.to == player.address

        return self._expect(f"{text_holds or subject_holds!r} for {player.name}", is_it)

    def _expect(self, what: str, is_it: Callable[[Delivered], bool]) -> Delivered:
        found = self.post.wait_for(is_it, _PATIENCE)
        if found is None:
            says = f"{what} did not come; {self.folder / 'judge.log'} may say why"
            raise DemoFailed(says)
        return found


@contextmanager
def open_demo(folder: Path) -> Iterator[DemoJudge]:
    """A judge that lives in *folder* while the context lasts; the folder stays.

    Raises DemoFailed if the folder holds something else, or the judge does not come up.
    """
    if folder.exists():
        if any(folder.iterdir()) and not (folder / _MARK).exists():
            says = f"{folder} exists and was not made by this command; choose another folder"
            raise DemoFailed(says)
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
    post = PostOffice(folder / "mailbox")
    demo = DemoJudge(folder, free_port(), post)
    environ = _set_up(demo)
    post.open()
    try:
        with _judge(demo, environ):
            yield demo
    finally:
        post.close()


def _set_up(demo: DemoJudge) -> Mapping[str, str]:
    """Write the settings of the stage; what the caller has set does not come in."""
    settings = demo.folder / "machjudge.toml"
    settings.write_text(
        "# The judge of the demo.  Try: machjudge --config machjudge.toml config\n"
        'database = "sqlite:///judge.db"\n'
        f'listen = ["smtp://{HOST}:{demo.port}"]\n'
        f'relay = "smtp://{HOST}:{demo.post.port}"\n'
        f'address = "{ADDRESS}"\n'
        "# Nobody else can write to this judge, so no address has to be confirmed.\n"
        'confirm = "off"\n',
        "utf-8",
    )
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


@contextmanager
def _judge(demo: DemoJudge, environ: Mapping[str, str]) -> Iterator[None]:
    program = [sys.executable, "-m", "machjudge", "--config"]
    config = str(demo.folder / "machjudge.toml")
    # S603: what is run is this very program.
    subprocess.run(  # noqa: S603
        [*program, config, "migrate"], env=environ, check=True, capture_output=True
    )
    with (demo.folder / "judge.log").open("wb") as log:
        serving = subprocess.Popen(  # noqa: S603
            [*program, config, "serve"], env=environ, stdout=log, stderr=log
        )
        try:
            _wait_until_open(demo.port, serving)
            yield
        finally:
            serving.terminate()
            serving.wait(timeout=_PATIENCE)


def _wait_until_open(port: int, serving: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and serving.poll() is None:
        with socket.socket() as door:
            if door.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.05)
    says = "the judge did not open its door"
    raise DemoFailed(says)


_NAMES = {"I": "Milan", "V": "Venice", "N": "Naples", "L": "Florence"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A mail from a player and the judge's answer, or a message that came by itself."""

    player: Player
    wrote: tuple[str, ...]
    """Empty for a message that came by itself."""
    message: Delivered


@dataclass(frozen=True, slots=True)
class Compared:
    """How the position after an act compares with the one that the script tells."""

    act: ScriptPhase
    differences: tuple[str, ...]
    """Each power whose units or lands differ, in words; empty: equal."""


Tell = Callable[[str, Exchange], None]
"""Told of each exchange, with a word for what it is."""
Position = Callable[[str], State]
"""The position of a game now."""


def _players() -> dict[str, Player]:
    return {
        "I": Player("Francesco", "francesco@players.example", "castello7"),
        "V": Player("Caterina", "caterina@players.example", "laguna22"),
        "N": Player("Alfonso", "alfonso@players.example", "vesuvio3"),
        "L": Player("Lorenza", "lorenza@players.example", "giglio15"),
    }


@dataclass(slots=True)
class DemoGame:
    """Four players, one game."""

    demo: DemoJudge
    script: Script
    tell: Tell
    position: Position
    players: Mapping[str, Player] = field(default_factory=_players)
    mails: int = 0

    def register(self) -> None:
        """Make everybody known to the judge, once for all games."""
        for player in self.players.values():
            name = f"Name: {player.name}"
            self.exchange("registers", player, ("register", name, "end"))

    def open(self) -> None:
        """Create the game, join it, and read the first message."""
        game, host = self.script.game, self.players["I"]
        wish = f"{self.script.scenario} {self.script.options}"
        create = f"create ?{game} {host.password} {wish}".rstrip()
        self.exchange("creates a game", host, (create,))
        for power, player in self.players.items():
            lines = (f"signon ?{game} {player.password}", f"set preferences {power}", "signoff")
            self.exchange("joins", player, lines)
        for power, player in self.players.items():
            message = self.demo.message_to(player, f"{self.script.game}: ", "You lead ")
            if f"You lead {_NAMES[power]}" not in message.text:
                says = f"{message.to} did not get {_NAMES[power]}"
                raise DemoFailed(says)
            self.tell("starts", Exchange(player, (), message))

    def play(self, act: ScriptPhase) -> Compared:
        """Send everybody's orders of an act, wait for its results, compare the position."""
        for power, orders in act.orders.items():
            player = self.players[power]
            lines = (f"signon {power}{self.script.game} {player.password}", *orders, "signoff")
            self.exchange(act.verb, player, lines)
        for player in self.players.values():
            message = self._results_of(act, player)
            self.tell(f"{act.verb}: results", Exchange(player, (), message))
        return Compared(act, tuple(_differences(act, self.position(self.script.game))))

    def _results_of(self, act: ScriptPhase, player: Player) -> Delivered:
        """Their subject has the news; the text says which phase it was."""
        moment = read_moment(act.phase)
        if moment is None:
            says = f"{act.phase} is no phase"
            raise DemoFailed(says)
        season, stage = moment.season.name.capitalize(), moment.stage.name.lower()
        about = f"Results of {season} {moment.year}, {stage}."
        return self.demo.message_to(player, f"{self.script.game}: ", about)

    def exchange(self, what: str, player: Player, lines: tuple[str, ...]) -> Delivered:
        """One mail to the judge, and its answer."""
        self.mails += 1
        message = self.demo.answer_to(self.demo.write(player, what, lines))
        self.tell(what, Exchange(player, lines, message))
        return message


def _differences(act: ScriptPhase, state: State) -> list[str]:
    different = []
    for power, expected in act.after.items():
        found = {_short(unit) for unit in state.units() if unit.owner == power}
        if found != expected:
            different.append(f"{_NAMES[power]}: {sorted(found)} instead of {sorted(expected)}")
    for place, power in act.control.items():
        if state.provinces.get(PlaceId(place)) != power:
            different.append(f"{place} is not {_NAMES[power]}'s")
    return different


def _short(unit: Unit) -> str:
    coast = f"/{unit.coast}" if unit.coast else ""
    return f"{unit.kind.value} {unit.place}{coast}"


_WIDTH = 78


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Where database and mailbox are left for a look.",
)
@click.option("--all", "show_all", is_flag=True, help="Print every mail, not one of each kind.")
@click.option("--play", "plays", is_flag=True, help="Play against bots yourself, mail by mail.")
def demo(folder: Path, *, show_all: bool, plays: bool) -> None:
    """Watch games played by mail on this machine, or play one yourself.

    First the introductory game, then one campaign of the advanced game with its ducats.

    Everything goes through SMTP on this machine; nothing leaves it.
    """
    if plays:
        with open_demo(folder) as demo:
            _practise(demo)
        return
    began = time.monotonic()
    click.echo(_PROLOGUE)
    with open_demo(folder) as demo, _positions_of(demo) as position:
        tell = _Printer(show_all).tell
        demo_games = [
            DemoGame(demo, script, tell, position)
            for script in (introductory_game(), advanced_campaign())
        ]
        _heading("The players come in")
        demo_games[0].register()
        compared = [done for demo_game in demo_games for done in _played_script(demo_game)]
        messages = demo.post.count()
    mails = sum(demo_game.mails for demo_game in demo_games)
    seconds = time.monotonic() - began
    _end(compared, f"{mails} mails to the judge, {messages} from it, {seconds:.0f} s")
    click.echo(_EPILOGUE.format(folder=folder))


def _practise(demo: DemoJudge) -> None:
    """A practice game with the person at the terminal, whose lines are mails."""
    you = Player("Lucia Neri", "lucia@players.example", "tulip9")
    seen = 0

    def messages() -> None:
        nonlocal seen
        for each in demo.post.since(seen):
            seen += 1
            click.echo(_quoted(f"Subject: {each.subject}\n{each.text}", "  > "))

    create = f"create ?{_PRACTICE} {you.password} PRACTICE"
    begin = ("register", f"Name: {you.name}", "end", create)
    demo.answer_to(demo.write(you, "begins", begin))
    first = demo.message_to(you, "the game begins")
    messages()
    seat = re.search(rf"SIGNON (\w){_PRACTICE}", first.text)
    if seat is None:
        says = "the first message names no seat"
        raise DemoFailed(says)
    click.echo(_HOW_TO_PLAY)
    while lines := _mail_typed():
        signon = f"signon {seat[1]}{_PRACTICE} {you.password}"
        answer = demo.answer_to(demo.write(you, "orders", (signon, *lines)))
        if "\nCOMPLETE: " in f"\n{answer.text}":
            # Its phase is played at once, unless it is asked to wait.
            demo.post.wait_for_more(seen + 1, _UNTIL_PLAYED)
        messages()


def _mail_typed() -> tuple[str, ...]:
    """The lines up to one with a full stop; none at the end of the input."""
    click.echo("Your mail, ended by a line with a full stop:")
    lines: list[str] = []
    for line in sys.stdin:
        if line.strip() == ".":
            if lines:
                break
            continue
        lines.append(line.rstrip("\n"))
    return tuple(lines)


@contextmanager
def _positions_of(demo: DemoJudge) -> Iterator[Callable[[str], State]]:
    """How to look up the position of a game in the database of the stage."""
    application = build(load({}, file=demo.folder / "machjudge.toml"))

    def position(name: str) -> State:
        with application.store.reading() as work:
            game = work.games.get(GameId(name))
            if game is None or game.position is None:
                says = f"the game {name} has no position"
                raise DemoFailed(says)
            return work.phases.get(game.id, game.position).after

    try:
        yield position
    finally:
        application.close()


def _played_script(demo_game: DemoGame) -> Iterator[Compared]:
    """Play a script from its creation to its last act, and tell of it."""
    _heading(demo_game.script.title)
    if demo_game.script.prologue:
        click.echo(demo_game.script.prologue.strip())
    demo_game.open()
    yield from (_played(demo_game, act) for act in demo_game.script.acts)


def _played(demo_game: DemoGame, act: ScriptPhase) -> Compared:
    _heading(f"{act.phase}  {act.note}".rstrip())
    compared = demo_game.play(act)
    if not act.after:
        return compared
    if compared.differences:
        click.echo(f"The position is NOT the one of {demo_game.script.source}:")
        click.echo("\n".join(f"  {difference}" for difference in compared.differences))
    else:
        click.echo(f"Every unit stands where it stands in {demo_game.script.source}.")
    return compared


def _end(compared: Sequence[Compared], figures: str) -> None:
    acts = [act for act in compared if act.act.after]
    equal = sum(not act.differences for act in acts)
    _heading("The end")
    click.echo(f"{figures}.")
    if equal < len(acts):
        says = f"only {equal} of {len(acts)} positions are as they must be"
        raise DemoFailed(says)
    click.echo(f"All {equal} positions that book and script tell equal those of these games.")


def _heading(text: str) -> None:
    click.echo()
    click.echo(click.style(text, bold=True))
    click.echo("-" * min(len(text), _WIDTH))


class _Printer:
    """Prints exchanges: one of each kind in full, the others as a line of progress."""

    def __init__(self, show_all: bool) -> None:
        self._show_all = show_all
        self._seen: Counter[str] = Counter()

    def tell(self, what: str, exchange: Exchange) -> None:
        """Print one exchange as its first of the kind deserves."""
        self._seen[what] += 1
        if self._show_all or self._seen[what] == 1:
            player = exchange.player
            if exchange.wrote:
                click.echo(f"{player.name} writes to the judge:")
                click.echo(_quoted("\n".join(exchange.wrote), "  | "))
                click.echo("The judge answers:")
            else:
                click.echo(f"The judge writes to {player.name}:")
            click.echo(
                _quoted(f"Subject: {exchange.message.subject}\n{exchange.message.text}", "  > ")
            )
        elif exchange.wrote:
            verdict = _verdict(exchange.message.text)
            click.echo(f"{exchange.player.name} {what}. {verdict}")


def _quoted(text: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.strip().splitlines())


def _verdict(text: str) -> str:
    """The line of an acknowledgement that says whether the orders are complete."""
    lines = (line for line in text.splitlines() if line.startswith(("COMPLETE", "NOT COMPLETE")))
    return next(lines, "")


_PRACTICE = "practice"
_HOW_TO_PLAY = """
You play against bots. Send the lines of the form, changed as you like, or HINT, TAKE BACK,
WHATIF, HELP, LIST. The end of the input (Ctrl-D) ends it; the mails stay in the mailbox."""
_PROLOGUE = """\
machjudge plays the introductory game of Machiavelli (1978): four powers, six
campaigns, one winter; and then one campaign of the advanced game, with ducats.
A judge starts on this machine, with an SMTP door and a database of its own;
four players write mails to it, and a post office takes its messages.
Lines with | are mails to the judge, lines with > its messages; of each kind the
first is shown in full (--all shows every one)."""

_EPILOGUE = """
What is left for a look:
  {folder}/mailbox/       every message that the judge sent, as .eml files
  {folder}/judge.db       the database
  {folder}/judge.log      what the judge logged
  {folder}/machjudge.toml the settings of this judge
Try next, with .venv/bin/machjudge or wherever it is installed:
  machjudge --config {folder}/machjudge.toml replay intro
        rebuild every position from its events and by playing the orders again
  machjudge --config {folder}/machjudge.toml verify ducats
        check every die of the second game, and all that followed from it
  machjudge --config {folder}/machjudge.toml config
        all settings, with what they mean
  machjudge read {folder}/mailbox/001-to-francesco.eml
        what the judge would read in any raw mail
  machjudge map draw 1454 > map.svg
        the board with the set-up of the eight-player scenario
README.md says how to run a judge for real, and docs/playing.md how to play."""
