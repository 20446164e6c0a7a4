"""The renderer: nothing that a fact holds can start a header or hide in a body."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.game_settings import GameSettings
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.layout import KINDS, LONGEST_LINE, clean_body, indented, laid, one_line
from machjudge.messages.render import BadTemplate, MessageHeader, MessageRenderer
from machjudge.messages.wording import LineError
from machjudge.settings import templates_folder
from machjudge.translatable import Message
from tests.judge.house import message_renderer


@given(st.text())
def test_one_line_is_one_line_whatever_comes(text: str) -> None:
    """No text, however hostile, keeps a line break or a control character."""
    line = one_line(text)

    assert len(line.splitlines()) <= 1
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in line)


@given(st.text())
def test_body_has_no_control_characters_and_one_line_end(text: str) -> None:
    """Of the control characters only the line feed is left, and there is one at the end."""
    body = clean_body(text)

    assert not any((ord(sign) < 32 and sign != "\n") or 127 <= ord(sign) < 160 for sign in body)
    assert body.endswith("\n")
    assert not body.endswith("\n\n")


@given(st.text(alphabet="ab ", min_size=100, max_size=300))
def test_long_lines_are_broken_at_spaces(text: str) -> None:
    """A line is longer than 80 signs only if a word is."""
    for line in clean_body(text).splitlines():
        assert len(line) <= LONGEST_LINE or " " not in line.strip()


def test_broken_lines_keep_their_indentation() -> None:
    """The rest of a long indented line stands two signs further in."""
    body = clean_body("  " + "word " * 30)

    first, second, *_ = body.splitlines()
    assert first.startswith("  word")
    assert second.startswith("    word")


def test_header_lines_for_tools_are_never_broken() -> None:
    """A line that begins with two colons stays whole, however long the name of the game."""
    line = ":: Judge: MACH  Game: " + "x " * 60

    assert clean_body(line) == line.rstrip() + "\n"


def test_indented_text_cannot_pass_for_ours() -> None:
    """Each line of somebody's text is moved in, after every kind of line break."""
    assert indented(":: Deadline\r:: Judge\u2028:: x") == "  :: Deadline\n  :: Judge\n  :: x"


def template(folder: Path, name: str) -> Path:
    """Where the template of that name lies."""
    place = folder / "en"
    place.mkdir(parents=True, exist_ok=True)
    return place / f"{name}.txt"


def test_subject_with_a_line_break_stays_a_subject(tmp_path: Path) -> None:
    """A fact with a line break neither ends the subject nor reaches the body."""
    template(tmp_path, "x").write_text(
        "{% block subject %}Re: {{ s }}{% endblock %}{% block body %}b{% endblock %}"
    )

    page = MessageRenderer([tmp_path]).page("x", {"s": "hello\r\nBcc: all@example.org"})

    assert page.subject == "Re: hello Bcc: all@example.org"
    assert page.body == "b\n"


def test_keepers_own_template_goes_first(tmp_path: Path) -> None:
    """Of two folders the first that has a template counts."""
    own, given_ = tmp_path / "own", tmp_path / "given"
    for folder, word in ((own, "mine"), (given_, "theirs")):
        template(folder, "x").write_text(
            f"{{% block subject %}}{word}{{% endblock %}}{{% block body %}}{{% endblock %}}"
        )

    assert MessageRenderer([own, given_]).page("x", {}).subject == "mine"


def test_template_that_asks_for_something_unknown_is_refused(tmp_path: Path) -> None:
    """A misspelt name in a template is a fault, never an empty place in a letter."""
    template(tmp_path, "x").write_text(
        "{% block subject %}{{ nobody }}{% endblock %}{% block body %}{% endblock %}"
    )

    with pytest.raises(BadTemplate, match=r"x\.txt"):
        MessageRenderer([tmp_path]).page("x", {})


@pytest.mark.parametrize(("more", "says"), [(True, "One.\nTwo."), (False, "One.")])
def test_entry_that_ends_with_a_choice_leaves_no_empty_line(
    tmp_path: Path, more: bool, says: str
) -> None:
    """Of several lines in a catalogue the last one may be missing."""
    folder = tmp_path / LANGUAGE
    folder.mkdir()
    entry = "One.\n{% if more %}\nTwo.\n{% endif %}\n"
    (folder / "x.toml").write_text(f"both = '''\n{entry}'''\n")

    assert MessageRenderer([tmp_path]).say(Message("x.both", more=more)) == says


@pytest.mark.parametrize(
    ("file", "name", "entry", "key", "fields"),
    [
        ("why", "cut", "cut by {{ unit }}", "reasons.cut", {"unit": "A Pav"}),
        ("seats.join", "told", "{{ name }} is here", "seats.join.announced", {"name": "Anna"}),
        ("options", "told", "{{ name }}", "options.chosen", {"name": "dice"}),
        ("setup.rule", "done", "So: {{ told }}", "setup.rule.done", {"change": "dice"}),
        ("clock", "times", "{{ conduct.zone }}", "clock.times", {"settings": GameSettings()}),
    ],
)
def test_entries_of_version_1_0_0_are_still_read(
    tmp_path: Path, file: str, name: str, entry: str, key: str, fields: dict[str, Any]
) -> None:
    """Names of entries and of what they are given stay within a major version."""
    area, _, section = file.partition(".")
    folder = tmp_path / LANGUAGE
    folder.mkdir()
    heading = f"[{section}]\n" if section else ""
    (folder / f"{area}.toml").write_text(f"{heading}{name} = '{entry}'\n")
    said = MessageRenderer([tmp_path, templates_folder()]).say(Message(key, **fields))

    assert said in {"cut by A Pav", "Anna is here", "dice", "So: dice", "UTC"}


def test_sentence_in_another_one_is_text_for_its_entry(tmp_path: Path) -> None:
    """So that an entry can join it to others, or ask how it begins."""
    folder = tmp_path / LANGUAGE
    folder.mkdir()
    (folder / "x.toml").write_text(
        "inner = 'one'\nouter = '{{ that ~ \"!\" if that else \"\" }}'\n"
    )
    renderer = MessageRenderer([tmp_path])

    assert renderer.say(Message("x.outer", that=Message("x.inner"))) == "one!"


def test_missing_template_is_refused(tmp_path: Path) -> None:
    """A purpose without a template is a fault that names it."""
    with pytest.raises(BadTemplate, match=r"y\.txt"):
        MessageRenderer([tmp_path]).page("y", {})


def test_a_head_without_a_phase_has_no_gap() -> None:
    """As of a mail whose game is known, and not its phase."""
    due = datetime(2026, 11, 27, 12, tzinfo=UTC)

    head = MessageHeader("MACH", "Borgia", "1454", deadline=due)

    assert head.lines[1] == ":: Deadline: Fri Nov 27 2026 12:00:00 +0000"


# What is shown of a line that was not taken: always the order that it is about.


SAY = message_renderer().say

LONG = (
    "Maintain A Padua; maintain A Verona; maintain F Dalmatia; maintain G Venice; "
    "build F Venice; build citizens' militia A Treviso"
)


def shown(trouble: LineError) -> list[str]:
    """The lines of the receipt, without their marks."""
    return clean_body("\n".join(trouble.lines(SAY))).splitlines()


def test_a_long_line_shows_the_order_that_is_refused() -> None:
    """With signs that more stands around it."""
    start = LONG.index("build F Venice")
    first, reason = shown(LineError(2, LONG, "no room", part=(start, start + 14)))

    assert first == "line 2: … build F Venice …"
    assert reason == "No room."


def test_a_long_order_is_shown_whole() -> None:
    """Where nothing in it is marked, it is broken and not cut."""
    line = "F Western Mediterranean convoys the army of Naples from Sardinia to the city of Tunis"
    *rows, _ = shown(LineError(2, line, "there is no such unit"))

    assert " ".join(row.strip() for row in rows) == f"line 2: {line}"


def test_the_trouble_is_named_once() -> None:
    """A word that the reason has already is not said again."""
    said = LineError(2, "A flo - psaa", 'no place is called "psaa"', column=8, length=4)
    unsaid = LineError(2, "A flo - psaa", "the two places do not touch", column=8, length=4)

    assert len(shown(said)) == 2
    assert shown(unsaid)[-1] == "The trouble is here: psaa"


@given(st.integers(0, 300), st.integers(1, 60), st.integers(0, 300), st.integers(0, 59))
def test_what_is_meant_is_always_seen(before: int, length: int, after: int, offset: int) -> None:
    """Whatever stands around it, the part is shown, and the trouble in it."""
    part = "x" * length
    line = "a" * before + part + "b" * after
    column = before + min(offset, length - 1)
    first, *_ = shown(LineError(1, line, "no", column=column, part=(before, before + length)))

    assert part in first
    assert "a" not in first


def test_only_a_whole_line_is_a_button() -> None:
    """How a line is written has words that are to be filled in, or brackets."""
    usage = LineError(2, "unset wait", "no", instead="SET [NO]WAIT", is_usage=True)
    filled = LineError(2, "set comment", "no", instead="SET COMMENT text", is_usage=True)
    line = LineError(2, "A flo - bo", "no", instead="A Florence - Bologna")
    alone = LineError(2, "redy", "no", instead="READY", is_usage=True)

    assert [_has_button(each) for each in (usage, filled, line, alone)] == [
        False,
        False,
        True,
        True,
    ]


def _has_button(trouble: LineError) -> bool:
    return KINDS["button"] in laid("\n".join(trouble.lines(SAY))).kinds
