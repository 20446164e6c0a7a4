"""Old habits: understood where the meaning is plain, explained where it is not."""

import pytest

from machjudge.judge.questions import UNSUPPORTED_COMMANDS, UNSUPPORTED_PRESS
from machjudge.language.command_parser import parse_command
from machjudge.language.commands import NotACommand
from machjudge.language.lexicon import lexicon_of
from tests.cases import cases
from tests.judge.house import House, atlas, built_once, started
from tests.judge.letters_in import answer, write
from tests.judge.year import OPENING, play

LUCIA, ANNA, MARCO = "lucia@player.example", "anna@player.example", "marco@player.example"
GINA, STRANGER, OLGA = "gina@player.example", "stranger@far.example", "olga@player.example"
PLAYER = "SIGNON LBorgia pwL"
MASTER = "SIGNON MBorgia masterkey"
FORMING = "SIGNON MMedici masterkey"
FLAG = "ERROR FLAG"


@pytest.fixture
@built_once
def house() -> House:
    """Borgia is played by eight, Olga watches it; Medici forms under Gina; Hidden is unlisted."""
    house = started("nomoney")
    write(house, GINA, "REGISTER", "Name: Gina", "END", "CREATE ?Medici masterkey 1454")
    write(house, GINA, "CREATE ?Hidden masterkey 1454 private")
    write(house, OLGA, "OBSERVE Borgia watch1")
    return house


def told(house: House, sender: str, *lines: str) -> str:
    """The answer to a mail, in one line with single spaces."""
    letters = [each for each in write(house, sender, *lines) if each.subject.startswith("Re: ")]
    return " ".join(answer(letters, sender).split())


# --- asking ----------------------------------------------------------------------------------


@cases
def test_what_is_plain_is_answered(house, line, says) -> None:
    """Of somebody who has not signed on."""
    body = told(house, STRANGER, line)

    assert says in body
    assert "[Errors]" not in write(house, STRANGER, line)[0].subject


@pytest.mark.parametrize("line", ["WHO", "WHOGAME", "SUMMARY", "STATUS", "HISTORY", "LISTING"])
def test_behind_a_signon_no_name_is_needed(house, line) -> None:
    """It is the game of the signon."""
    body = told(house, ANNA, PLAYER, line)

    assert "BORGIA" in body
    assert "NOT TAKEN" not in body


@pytest.mark.parametrize("command", ["WHO", "SUMMARY", "HISTORY"])
def test_without_a_signon_the_game_must_be_named(house, command) -> None:
    """And a name with a slip brings the nearest game that everybody can list."""
    assert f"Say which game, as in {command} borgia" in told(house, STRANGER, command)
    assert f"Did you mean: {command} Borgia" in told(house, STRANGER, f"{command} Borga")
    assert "Hidden" not in told(house, STRANGER, f"{command} Hiden")


@cases
def test_a_history_looks_back(house, line) -> None:
    """A date without a year is one in the past."""
    write(house, MARCO, "SIGNON VBorgia pwV", "BROADCAST", "Hear me.", "ENDPRESS")
    house.later(hours=2)

    assert "Hear me." in told(house, ANNA, PLAYER, line)


def test_the_map_of_a_game_is_that_of_its_position(house) -> None:
    """Also for somebody who has not signed on: what everybody may see."""
    (before,) = write(house, STRANGER, "MAP Borgia")[0].attachments
    write(house, LUCIA, MASTER, "FIX UNIT nobody A flo BECAUSE it was there by mistake")
    (after,) = write(house, STRANGER, "MAP Borgia")[0].attachments

    assert before.content != after.content


# --- leaving, waiting, voting ----------------------------------------------------------------


@pytest.mark.parametrize("word", ["QUIT", "Exit", "STOP."])
def test_quit_ends_the_mail_and_not_the_game(house, word) -> None:
    """Its writer reads both, and what was not read."""
    body = told(house, ANNA, PLAYER, "A flo H", word, "A are H")

    assert "Your mail was read up to there. RESIGN gives up a seat." in body
    assert "line 4: A are H" in body
    assert FLAG not in body
    assert house.game().seats[3].person is not None


@pytest.mark.parametrize("below", [["A are H"], ["PRESS TO V", "Farewell!", "ENDPRESS"]])
def test_what_stands_below_resign_is_named_with_the_reason(house, below) -> None:
    """The press does not go out, and its writer reads so."""
    body = told(house, ANNA, PLAYER, "RESIGN", *below)

    assert "You have left the game Borgia." in body
    assert [line for line in below if f": {line} " not in body] == []
    assert "Nothing below RESIGN is read" in body
    assert "Nothing below" not in told(house, LUCIA, "SIGNON Vborgia pwV", "RESIGN")


def test_a_payment_in_spanish_is_told_in_the_words_of_orders() -> None:
    """No other command takes its place; where it cannot be told, none is named."""
    house = started("nodice")
    play(house, OPENING)
    house.mails_out()
    body = told(house, ANNA, PLAYER, "dar 3 ducados a Venice", "dar dinero a Venice")

    assert "Did you mean: pay 3 ducats to Venice" in body
    assert "DIARY" not in body


@cases
def test_what_is_not_plain_is_explained(house, line, says) -> None:
    """It is no order, and raises no error flag."""
    body = told(house, ANNA, PLAYER, "A flo H", line)

    assert says.lower() in body.lower() or "for the master" in body
    assert FLAG not in body
    assert "tulip9" not in body


@cases
def test_a_slip_in_a_command_about_orders_holds_the_phase(house, line, says) -> None:
    """The orders on file are not what was wanted: the phase is not played early with them."""
    body = told(house, ANNA, PLAYER, "A flo H", "A are H", "F psa H", line)

    assert says.lower() in body.lower()
    assert FLAG in body


def test_nothing_that_is_explained_is_an_order_or_a_command() -> None:
    """On no board: else an order would be lost."""
    boards = [lexicon_of(atlas().scenario(each)) for each in atlas().scenario_ids()]
    first = {phrase.split()[0] for phrase in (*UNSUPPORTED_COMMANDS, *UNSUPPORTED_PRESS)}
    ours = {"unstart", "endpress", "endbroadcast", "endpostal", "endpostalpress", "enddiary"}

    begin_phrases = {"no", "not", "don't", "dont", "i", "i'm"}

    assert not {word for word in first - begin_phrases for b in boards if b.means_something(word)}
    assert all(
        isinstance(parse_command(f"{phrase} x"), NotACommand)
        for phrase in UNSUPPORTED_COMMANDS
        if phrase not in ours | {"become master"}
    )


def test_a_stray_end_costs_nothing(house) -> None:
    """A second END below a registration, or one below the orders."""
    body = told(house, ANNA, "REGISTER", "Name: Anna", "END", "END", PLAYER, "A flo H", "END")

    assert FLAG not in body
    assert "NOT TAKEN" not in body


def test_join_with_a_question_mark_joins(house) -> None:
    """Plain enough; in prose the word is none of ours."""
    assert "You have joined the game Medici." in told(house, STRANGER, "JOIN ?Medici foo77")


def test_a_signoff_by_another_word_names_a_second_signon(house) -> None:
    """As below SIGNOFF."""
    body = told(house, ANNA, PLAYER, "LOGOFF", "SIGNON VBorgia pwV", "A ven H")

    assert "Nothing below the end of a mail is read, and a mail opens one game only." in body
    assert "pwV" not in body


# --- settings --------------------------------------------------------------------------------


@cases
def test_a_players_setting_is_understood(house, line, says) -> None:
    """However it is switched, signed or quoted."""
    body = told(house, ANNA, PLAYER, line)

    assert says in body
    assert "tulip9" not in body


@cases
def test_a_players_setting_is_refused_with_a_hint(house, line, says) -> None:
    """What is meant is not clear, or cannot be."""
    body = told(house, ANNA, PLAYER, line)

    assert says in body
    assert "tulip9" not in body
    assert "SET ***" not in body


@cases
def test_a_masters_line_is_understood_or_refused_with_a_hint(house, line, says) -> None:
    """The nearest setting, power, scenario or set of rules."""
    assert says in told(house, GINA, FORMING, line)


@cases
def test_a_masters_time_is_understood_or_refused_with_a_hint(house, line, says) -> None:
    """Spans of time in words, and none at all."""
    assert says in told(house, LUCIA, MASTER, line)


@cases
def test_a_new_game_is_made_or_refused_with_a_hint(house, words, says) -> None:
    """The nearest flag or set of rules, and the line that sets an option."""
    assert says in told(house, GINA, f"CREATE ?Visconti masterkey 1454 {words}")


def test_variant_machiavelli_switches_no_scenario(house) -> None:
    """Every game here is that game; the answer says which scenario stays."""
    told(house, GINA, FORMING, "SET SCENARIO 1385")
    body = told(house, GINA, FORMING, "SET VARIANT MACHIAVELLI")

    assert "every game here is Machiavelli; its scenario stays" in body.replace("Every", "every")
    assert house.game("medici").scenario == "1385"


def test_another_scenario_names_what_is_lost(house) -> None:
    """Flags and numbers that the master had set, so that they can be set again."""
    told(house, GINA, FORMING, "SET PLAGUE, NOSPECIAL, CITIES 18")
    body = told(house, GINA, FORMING, "SET SCENARIO 1385")

    assert "what was set before is gone: plague, nospecial and to win with 18 cities" in body
    assert "what was set before" not in told(house, GINA, FORMING, "SET SCENARIO 1454")


def test_newcomers_are_asked_for_their_wishes_once(house) -> None:
    """Not where they have just said them."""
    first = told(house, STRANGER, "SIGNON ?Medici foo77")
    assert "Say which powers you like, best first: SET PREFERENCES IVL" in first
    other = told(house, "other@far.example", "SIGNON ?Medici foo77", "SET PREFERENCES V*")
    assert "Say which powers you like" not in other


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("CREATE ?Sforza tulip9 1454 nomony", "did you mean nomoney?"),
        ("CREATE ? Sforza tulip9 1454", "The game Sforza is created"),
    ],
)
def test_a_creator_reads_what_was_meant(house, line, says) -> None:
    """A slip in an option, and a question mark that stands apart."""
    assert says in told(house, STRANGER, line)


# --- press -----------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["MODERATOR", "GM", "the game master"])
def test_press_reaches_the_master(house, to) -> None:
    """By any of his names."""
    assert "Your press went to the master" in told(
        house, ANNA, PLAYER, f"PRESS TO {to}", "Hello?", "ENDPRESS"
    )


@cases
def test_press_that_is_not_clear_goes_to_nobody(house, line, says) -> None:
    """Its text comes back, and no line of it becomes an order."""
    sent = write(house, ANNA, PLAYER, line, "A flo H", "ENDPRESS", "A are H")
    body = " ".join(answer(sent, ANNA).split())

    assert len(sent) == 1
    assert says in body
    assert "YOUR TEXT, WHICH WAS NOT SENT A flo H" in body
    assert house.view().order_sets["L"].lines[0].canonical == "A are h"
    assert len(house.view().order_sets["L"].lines) == 1


def test_endpress_without_a_press_is_explained(house) -> None:
    """There is such a word, and nothing for it to end."""
    assert "No press begins above this line" in told(house, ANNA, PLAYER, "ENDPRESS")


@pytest.mark.parametrize("line", ["When is the deadline?", "Can I change my orders?"])
def test_a_question_raises_no_error_flag(house, line) -> None:
    """It is answered, and nobody waits for it to be mended."""
    body = answer(write(house, ANNA, PLAYER, "A flo H", line), ANNA)

    assert "orders are due" in " ".join(body.split())
    assert not house.view().flagged()


def test_an_order_without_a_signon_is_told_what_is_missing(house) -> None:
    """The answer has the lines to send, and does not call it an unknown command."""
    body = answer(write(house, ANNA, "A flo H", "A are H"), ANNA)

    assert "its signon is missing: it belongs above the orders" in body
    assert "SIGNON Lgame yourpassword\nA flo H\nA are H\nSIGNOFF" in body
    assert "There is no command" not in body
