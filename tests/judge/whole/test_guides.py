"""The guides are true: their mails are sent in their order, and what they show comes back.

``GOLDEN=write pytest tests/judge/whole/test_guides.py`` writes the letters into the guides anew.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from machjudge.judge.command_table import TABLE
from machjudge.language import Fault, NotACommand, ParseError
from machjudge.language.command_parser import parse_command
from tests.judge.calendar import Record
from tests.judge.guide import Chapter, Player, blocks, fits, renewed, rewritten
from tests.judge.house import NOON, ROOT, House
from tests.judge.mastering_story import story as mastering
from tests.judge.playing_story import STORY as PLAYING

WRITES = os.environ.get("GOLDEN") == "write"
HALF_A_YEAR = timedelta(days=183)
STORIES: Mapping[str, Mapping[str, Chapter]] = {
    "README.md": {name: PLAYING[name] for name in ("the others join", "the others adjust")},
    "docs/playing.md": PLAYING,
    "docs/mastering.md": mastering("en"),
    "docs/es/playing.md": PLAYING,
    "docs/es/mastering.md": mastering("es"),
    "docs/it/playing.md": PLAYING,
    "docs/it/mastering.md": mastering("it"),
}


@dataclass(frozen=True)
class Played:
    """A guide, and the game that was played by it."""

    file: Path
    text: str
    player: Player


@cache
def play(name: str) -> Played:
    """A guide, played once."""
    file = ROOT / name
    text = file.read_text(encoding="utf-8")
    player = Player(Record(House()), STORIES[name], renews=WRITES)
    player.play(text)
    return Played(file, text, player)


@pytest.fixture(scope="module", params=STORIES)
def played(request: pytest.FixtureRequest) -> Played:
    """Each guide with its game."""
    return play(request.param)


def test_letters_in_the_guide_are_what_its_mails_bring(played: Played) -> None:
    """Character for character, but for the lines left out."""
    if WRITES:
        played.file.write_text(rewritten(played.text, played.player), encoding="utf-8")
        return

    wrong = [one for one in played.player.shown if not one.is_true]
    assert [(one.block.start, one.block.lines, one.real) for one in wrong] == []


def test_guide_plays_every_chapter_and_shows_an_answer_to_every_mail(played: Played) -> None:
    """No mail stands there without the letter that it brings; the README shows the last one."""
    found = list(blocks(played.text))
    after = [b for a, b in pairwise(found) if a.kind == "mail"]
    chapters = [block.who for block in found if block.kind == "meanwhile"]

    assert found[-1].kind == "letter"
    if played.file.name != "README.md":
        assert len(after) >= 10
        assert {block.kind for block in after} == {"letter"}
    assert chapters == list(played.player.chapters)


def test_guide_leaves_no_mail_out_of_its_game(played: Played) -> None:
    """Whatever looks like a signon in a block of code is a mail that was sent."""
    mailed = {line for block in blocks(played.text) for line in block.lines}
    signons = [line for line in played.text.splitlines() if line.lstrip().startswith("SIGNON ")]

    assert signons
    assert [line for line in signons if line not in mailed] == []


def test_commands_in_the_sentences_of_the_guide_are_read(played: Played) -> None:
    """Each is one, or the beginning of one."""
    sentences = re.sub(r"^```.*?^```", "", played.text, flags=re.DOTALL | re.MULTILINE)
    openings = {name.partition(" ")[0].upper() for row in TABLE for name in (row.name, *row.also)}
    quoted = [code for code in re.findall(r"`([^`]+)`", sentences) if code.isupper() or " " in code]
    commands = [code for code in quoted if code.partition(" ")[0] in openings]

    assert len(commands) > 25 or played.file.name == "README.md"
    for code in commands:
        said = parse_command(code)
        assert not isinstance(said, NotACommand), code
        assert not isinstance(said, ParseError) or said.fault is Fault.INCOMPLETE, code


def test_game_of_the_players_guide_lasts_half_a_year_with_all_clauses_of_the_clock() -> None:
    """Lateness, absence, abandonment, replacement, pause, a jump of the clock; all orders in."""
    player = play("docs/playing.md").player
    notices = player.record.house.store.tables.notices
    subjects = " ".join(letter.subject for _, letter in player.record.letters)

    wanted = {"processed", "times", "absence", "abandoned", "joined", "paused", "resumed", "clock"}
    assert player.record.house.now - NOON >= HALF_A_YEAR
    assert wanted <= {notice.kind for notice in notices}
    for kind in ("reminder", "you are late", "a player wanted for", "game over"):
        assert kind in subjects


# --- how letters are compared ----------------------------------------------------------------

REAL = ["Subject: Results", "", "one", "two", "three", "four", "five"]


@pytest.mark.parametrize(
    ("shown", "true"),
    [
        (REAL, True),
        (["Subject: Results", "…", "two", "…", "four", "five"], True),
        (["…", "four", "…"], True),
        (["Subject: Results", "", "one", "…"], True),
        (["Subject: Results", "", "one"], False),
        (["Subject: Result", "…"], False),
        (["Subject: Results", "…", "Two", "…"], False),
        (["Subject: Results", "…", "two", "four", "…"], False),
        (["Subject: Results", "…", "four", "…", "two", "…"], False),
        (["Subject: Results", "…", "four"], False),
    ],
)
def test_shortened_letter_is_true_line_for_line(shown: list[str], true: bool) -> None:
    """Only whole lines are left out, and only where dots stand."""
    assert fits(shown, REAL) is true


def test_letter_that_was_worded_anew_is_shortened_as_before() -> None:
    """What was left out stays out, what was shown is shown in its new words."""
    shown = ["Subject: Results", "…", "two", "three", "…", "five"]
    new = ["Subject: Results", "", "one", "two", "THREE", "four", "5", "five"]

    assert renewed(shown, new) == ["Subject: Results", "…", "two", "THREE", "…", "five"]
