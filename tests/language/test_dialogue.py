"""Commands: every one of them, its synonyms, and what is no command."""

import pytest

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.language import Fault, NotACommand, ParseError, parse_command
from machjudge.language import commands as c
from tests.cases import cases
from tests.messages.said import say

SPRING = Moment(Campaign(1455, Season.SPRING), Stage.CAMPAIGN)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("signon Lborgia secret", c.SignOn("L", "borgia", "secret")),
        ("SIGN ON Lborgia Secret", c.SignOn("L", "borgia", "Secret")),
        ("hello Lborgia set", c.SignOn("L", "borgia", "set")),
        ("login Mborgia off", c.SignOn("M", "borgia", "off")),
        ("signon Florence@borgia pw", c.SignOn("Florence", "borgia", "pw")),
        ("signon ?borgia pw LVP* nodice", c.Join("borgia", "pw", ("LVP*", "nodice"))),
        ("signon ? pw", c.Join("", "pw")),
        ("signoff", c.SignOff()),
        ("Sign Off.", c.SignOff()),
        ("-- ", c.SignOff()),
        ("observe borgia pw", c.Observe("borgia", "pw")),
        ("watch ?borgia pw", c.Observe("borgia", "pw")),
        ("create ?borgia pw 1454 nomoney", c.Create("borgia", "pw", ("1454", "nomoney"))),
        ("create borgia pw", c.Create("borgia", "pw")),
        ("become Papal States", c.Become("Papal States")),
        ("declare victory Venice, Milan", c.Declare(("Venice,", "Milan"))),
        ("Declare draw", c.Declare(draw=True)),
        ("process", c.Process()),
        ("process S1455M", c.Process(SPRING)),
        ("process spring 1455 movement", c.Process(SPRING)),
        ("process 7F3A-19", c.Process(token="7F3A-19")),
        ("rollback", c.Rollback()),
        ("rollback s1455m", c.Rollback(SPRING)),
        ("phase S1455M", c.Phase(SPRING)),
        ("if not A mil", c.If(("not", "A", "mil"))),
        ("else if F gen", c.If(("F", "gen"), otherwise=True)),
        ("clear", c.Clear()),
        ("list", c.List()),
        ("list borgia", c.List("borgia")),
        ("list full", c.List(full=True)),
        ("list full borgia", c.List("borgia", full=True)),
        ("list borgia full", c.List("borgia", full=True)),
        ("history", c.History()),
        (
            "history borgia from mon 20:00 to fri lines 100",
            c.History("borgia", ("mon", "20:00"), ("fri",), 100),
        ),
        ("press to LM", c.Press(c.Audience(("LM",)))),
        (
            "press to L, M and V white",
            c.Press(c.Audience(("L", "M", "V")), c.Tone.SIGNED),
        ),
        ("press to all but L", c.Press(c.Audience(("L",), all_but=True))),
        ("press +LM grey", c.Press(c.Audience(("LM",)), c.Tone.ANONYMOUS)),
        ("press -LM", c.Press(c.Audience(("LM",), all_but=True))),
        ("press to all", c.Press(c.EVERYBODY)),
        ("broadcast", c.Press(c.EVERYBODY)),
        ("broadcast anonymous", c.Press(c.EVERYBODY, c.Tone.ANONYMOUS)),
        ("broadcast no fake", c.Press(c.EVERYBODY, no_fake=True)),
        (
            "press to L fake broadcast",
            c.Press(c.Audience(("L",)), shown_to=c.EVERYBODY),
        ),
        ("press to L fake", c.Press(c.Audience(("L",)), shown_to=c.EVERYBODY)),
        (
            "press fake partial to M to L",
            c.Press(c.Audience(("L",)), shown_to=c.Audience(("M",))),
        ),
        ("postal press", c.PostalPress()),
        ("postal list", c.PostalPress(c.NoteAction.LIST)),
        ("postal read 2", c.PostalPress(c.NoteAction.READ, 2)),
        ("postal withdraw 2", c.PostalPress(c.NoteAction.DELETE, 2)),
        ("diary", c.Diary(c.NoteAction.RECORD)),
        ("diary list", c.Diary(c.NoteAction.LIST)),
        ("diary read 3", c.Diary(c.NoteAction.READ, 3)),
        ("diary delete 12", c.Diary(c.NoteAction.DELETE, 12)),
        ("wait", c.Set((c.Setting("wait"),))),
        ("nowait", c.Set((c.Setting("wait", on=False),))),
        ("set wait", c.Set((c.Setting("wait"),))),
    ],
)
def test_command_is_read(line: str, command: c.Command) -> None:
    """Each command is a value with its arguments as they were written."""
    assert parse_command(line) == command


@cases
def test_plain_command_is_read(line: str, command: list[str]) -> None:
    """Of these nothing but their words is known."""
    assert parse_command(line) == c.PlainCommand(command[0], tuple(command[1:]))


@cases
def test_other_lines_are_no_commands(line: str) -> None:
    """They may be orders; that is for somebody else to say."""
    assert parse_command(line) == NotACommand()


@cases
def test_broken_command_says_what_is_wrong(line: str, fault: str, column: int, reason: str) -> None:
    """It begins like a command, so it is not taken for an order."""
    problem = parse_command(line)

    assert isinstance(problem, ParseError)
    assert (problem.line, problem.fault, problem.column) == (line, Fault[fault], column)
    assert say(problem.reason) == reason


def test_problem_names_what_may_follow() -> None:
    """Keywords, and a word where any may stand."""
    problem = parse_command("send")

    assert isinstance(problem, ParseError)
    assert tuple(map(say, problem.expected)) == (
        "a name or word",
        "calendar",
        "export",
        "me",
        "my",
        "reliability",
        "token",
    )


@cases
def test_no_command_shows_its_password(line: str) -> None:
    """A command may end up in a log."""
    command = parse_command(line)

    assert not isinstance(command, ParseError | NotACommand)
    assert "xyzzy" not in repr(command)
