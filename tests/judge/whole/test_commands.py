"""A command is one entry above its handler; whatever else knows commands agrees with it."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import get_args

import pytest

from machjudge.judge.command_table import TABLE, find_entry
from machjudge.judge.commands import ANYBODY, ENTRIES, CommandEntry
from machjudge.judge.credentials import Act
from machjudge.judge.questions import UNSUPPORTED_SETTINGS as EXPLAINED
from machjudge.judge.records import Status
from machjudge.language import commands as c
from machjudge.language.command_parser import FIXED, RULES
from machjudge.language.command_parser import commands as openings
from machjudge.language.settings import options
from machjudge.mail_parser.lines import Line
from machjudge.mail_parser.secrets import redact_line
from machjudge.translatable import Message
from tests.judge.house import ROOT, message_renderer
from tests.judge.whole.test_rights import RIGHTS, answer_as, may

PARTS = {"else", "endif", "endpress"}
"""Lines that belong to another command."""
OTHER_JUDGES = {"unstart"}
"""Commands of other judges; the answer says what there is instead."""

NOT_FREE = {"signoff", "dry"}
"""Commands for anybody that say nothing of where a mail begins."""


say = message_renderer().say


def names_of(entry: CommandEntry) -> Iterator[str]:
    """How a command may begin, without the names that are only shown."""
    for name in (entry.name, *entry.also):
        bare = name.rstrip("?").strip()
        if bare.replace(" ", "").isalpha():
            yield bare


def line_of(name: str, entry: CommandEntry) -> str:
    """A line with two words behind a command, or as many as stand up to its secret."""
    game = "?borgia" if "?" in say(entry.usage) else "Lborgia"
    return " ".join([name.upper(), *[game, "tulip9"][-(entry.secret_at or 2) :]])


def plain_rules() -> set[str]:
    """The rules of the grammar from which plain commands are made, as names."""
    grammar = files("machjudge.language").joinpath("commands.lark").read_text("utf-8")
    rules = set(re.findall(r"-> (\w+)$", grammar, re.MULTILINE))
    return {
        rule.replace("_", " ")
        for rule in rules - set(FIXED)
        if rule not in RULES and rule != "set_"
    }


def test_every_command_stands_in_the_table_once() -> None:
    """Those that were declared, and no others."""
    assert Counter(entry.name for entry in TABLE) == Counter(list(ENTRIES))


def test_every_command_of_the_language_has_an_entry() -> None:
    """What the grammar reads is carried out, belongs to another command, or is explained."""
    kinds = {entry.kind for entry in TABLE}
    plain = {entry.name for entry in TABLE if entry.kind is None and not entry.setting}

    assert set(get_args(c.Command)) - kinds == {c.PlainCommand, c.Set}
    assert plain_rules() == plain | PARTS | OTHER_JUDGES


def test_every_setting_has_an_entry_or_an_explanation() -> None:
    """And the language knows every setting of the table."""
    keys = {option.key for option in options().values()}
    ours = {entry.setting for entry in TABLE if entry.setting}

    assert ours | set(EXPLAINED) == keys
    assert ours & set(EXPLAINED) == set()
    assert all(entry.kind is None for entry in TABLE if entry.setting)


@pytest.mark.parametrize("entry", [e for e in TABLE if not e.setting], ids=lambda e: e.name)
def test_reading_knows_how_each_command_begins(entry: CommandEntry) -> None:
    """By each of its names, so that the line is never taken for the rest of another."""
    for name in names_of(entry):
        words = tuple(name.lower().split())
        assert any(words[:count] in openings() for count in range(1, len(words) + 1))


@pytest.mark.parametrize("entry", TABLE, ids=lambda e: e.name)
def test_reading_hides_the_word_in_the_place_of_a_secret(entry: CommandEntry) -> None:
    """And only there: by each of the names of a command."""
    for name in names_of(entry):
        line = line_of(name, entry)
        assert ("tulip9" not in redact_line(line)) is bool(entry.secret_at), line


def test_reading_knows_what_needs_no_signon() -> None:
    """A mail that begins so speaks for itself, even above a quoted signon."""
    for_anybody = {entry.name for entry in TABLE if entry.who == ANYBODY}
    rows = {
        (e.name, name): Line(1, f"{name} borgia tulip9", "") for e in TABLE for name in names_of(e)
    }
    token_scopes = {key: row.is_free or row.is_signon for key, row in rows.items()}

    free = {name for (name, _), does in token_scopes.items() if does}
    assert free == for_anybody - NOT_FREE | {"history orders", "get export"}
    assert all(does for (name, _), does in token_scopes.items() if name in free)


@pytest.mark.parametrize("entry", TABLE, ids=lambda e: e.name)
def test_reading_knows_below_which_commands_a_text_stands(entry: CommandEntry) -> None:
    """Its lines are no commands."""
    assert Line(1, say(entry.usage), "").begins_press is say(entry.usage).endswith("ENDPRESS")


def test_every_name_finds_its_entry() -> None:
    """``HELP`` and the name, whichever it is."""
    assert [entry.name for entry in TABLE if find_entry(entry.name) is not entry] == []


def test_help_knows_a_setting_by_each_of_its_names() -> None:
    """``HELP SET VICTORY`` is that of the cities that win."""
    entry = find_entry("SET  Victory")

    assert entry is not None
    assert entry.name == "set cities"


def test_dry_mail_holds_nothing_that_would_be_stored_but_orders() -> None:
    """Beside what reads and plays, it opens a seat that one has, or writes as a power."""
    dry = [entry for entry in TABLE if entry.is_dry]
    others = {entry.name for entry in dry if entry.act not in (Act.READ, Act.PLAY)}

    assert others == {"signon", "become"}
    assert [entry.name for entry in dry if entry.setting] == ["set wait"]


def test_help_says_which_settings_are_for_a_game_that_forms() -> None:
    """And they are refused in a game that is played."""
    told = {e.name for e in TABLE if "before the game begins." in say(e.help)}
    refused = {e.name for e in TABLE if e.setting and Status.RUNNING in e.refused_in}

    assert refused - told == {"set preferences"}
    assert told <= refused


@pytest.mark.parametrize(
    "entry", [e for e in TABLE if Status.RUNNING in e.refused_in], ids=lambda e: e.name
)
def test_command_is_refused_in_the_states_of_its_entry(entry: CommandEntry) -> None:
    """With the sentence of the entry, in a game that is played."""
    role = next(role for role in ("player", "master") if may(entry.name, role))
    text = answer_as(role, RIGHTS[entry.name][1])

    reason = entry.refused_in[Status.RUNNING]
    assert (say(reason) if isinstance(reason, Message) else reason).lower() in text.lower()


@pytest.mark.parametrize("language", ["en", "es", "it"])
def test_the_first_line_of_a_help_stands_alone(language: str) -> None:
    """HELP SET shows no more of each command: it must not end in the middle of a sentence."""
    catalogue = tomllib.loads((ROOT / "templates" / language / "commands.toml").read_text("utf-8"))
    helps = {name: each["help"].split("\n")[0] for name, each in catalogue.items()}
    whole = {name: line for name, line in helps.items() if line[:1].isupper() or line[:1] in "¿¡"}

    assert len(whole) > 80
    assert [name for name, line in whole.items() if line[-1] not in ".:?"] == []
