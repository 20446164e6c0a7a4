"""The docs tell what the judge does: the command reference is made from the table of commands."""

import os
import tomllib
from collections.abc import Iterator

from machjudge.service.dispatch import TABLE
from machjudge.service.entry import RULES, Entry, Who
from tests.service.house import ROOT

REFERENCE = ROOT / "docs" / "commands.md"
GOLDEN = ROOT / "tests" / "letters" / "golden"
RIGHTS = ROOT / "tests" / "service" / "rights.toml"

_HEAD = """# Commands

Made from the table of commands in `machjudge/service/dispatch.py`; `HELP` sends the same by mail.
Capital and small letters are the same, and so are `signon` and `sign on`.
How orders are written stands in [orders.md](orders.md), how a game goes in
[playing.md](playing.md).
"""


def reference() -> str:
    """The command reference, as it shall stand in the docs."""
    lines = [_HEAD]
    for group in dict.fromkeys(entry.group for entry in TABLE):
        lines += [f"## {group.capitalize()}\n"]
        entries = [entry for entry in TABLE if entry.group == group]
        lines += _flags(entries) if group == RULES else [_section(entry) for entry in entries]
    return "\n".join(lines)


def _flags(entries: list[Entry]) -> Iterator[str]:
    yield "For the master, several on one line with commas between them. Before the game begins"
    yield "they change freely; `HELP SET MONEY` and so on say whether they may change later.\n"
    yield "| setting | about |\n|---|---|"
    yield from (f"| `{entry.usage}` | {entry.about} |" for entry in entries)
    yield ""


def _section(entry: Entry) -> str:
    allowed = [who.value for who in Who if who in entry.who]
    parts = [
        f"### `{entry.usage}`",
        f"{entry.about}\nFor {'anybody' if Who.ANYBODY in entry.who else ', '.join(allowed)}.",
        f"Also: {', '.join(f'`{name}`' for name in entry.also)}." if entry.also else "",
        "\n".join(f"    {line}" for line in entry.more),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def test_command_reference_is_the_table() -> None:
    """``GOLDEN=write`` writes it anew."""
    if os.environ.get("GOLDEN") == "write":
        REFERENCE.write_text(reference(), encoding="utf-8")

    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_every_command_has_its_rights_written_down() -> None:
    """A line in ``tests/service/rights.toml`` for each row of the table, with all seven roles."""
    rights = tomllib.loads(RIGHTS.read_text(encoding="utf-8"))

    assert sorted(rights) == sorted(entry.name for entry in TABLE)
    assert {len(cells.split()) for cells, _ in rights.values()} == {7}


def test_help_names_every_command() -> None:
    """Each row of the table stands in the mail that HELP sends."""
    text = (GOLDEN / "help_for_an_empty_mail.txt").read_text(encoding="utf-8")

    assert [entry.name for entry in TABLE if entry.group != RULES and entry.usage not in text] == []
    assert [
        entry.name for entry in TABLE if entry.group == RULES and entry.setting not in text
    ] == []
