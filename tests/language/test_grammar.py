"""The grammars are what they claim to be: LALR without conflicts, one class for each word."""

from importlib.resources import files

from lark import Lark

from machjudge.adjudicator.moments import Stage
from machjudge.language import command_parser, lexicon
from machjudge.language.lexicon import END, Halt, letter, tree_of
from tests.cases import cases


def _source(name: str) -> str:
    return files("machjudge.language").joinpath(name).read_text(encoding="utf-8")


@cases
def test_strict_lark_accepts_the_grammar(name: str, start: list[str]) -> None:
    """No conflict between rules and none between words: Lark refuses such grammars when strict."""
    assert Lark(_source(name), parser="lalr", start=start, strict=True).rules


def test_every_word_belongs_to_one_class() -> None:
    """A word listed under two classes would silently belong to the later one."""
    listed = [
        word
        for terminal in lexicon._grammar().terminals
        if terminal.name not in lexicon._OPEN
        for word in lexicon.listed(terminal.pattern)
    ]

    assert len(listed) == len(set(listed)) == len(lexicon.vocabulary())


def test_signs_are_listed_as_they_are_written() -> None:
    """Patterns escape dashes and brackets; the vocabulary does not."""
    assert {"-", "->", "(", ")", "/", "%", "+"} <= set(lexicon.vocabulary())


def test_commands_list_their_keywords() -> None:
    """Synonyms of a command are keywords of one class."""
    assert command_parser.keywords()["login"] == command_parser.keywords()["signin"] == "SIGNON"


def test_words_of_a_class_come_shortest_first() -> None:
    """The words of a class are found by its name."""
    assert lexicon.words_of("SUPPORT") == ("support", "supports")


def test_letters_and_classes_are_inverse() -> None:
    """Each class has a character of its own; other characters belong to none."""
    assert [lexicon.class_of(letter(name)) for name in lexicon.classes()] == list(lexicon.classes())
    assert lexicon.class_of("\x01") == ""


def test_shape_that_ends_too_soon_halts_at_its_end() -> None:
    """The halt names the end, and what could follow."""
    halt = tree_of(Stage.CAMPAIGN, letter("A") + letter("NAME"))

    assert isinstance(halt, Halt)
    assert (halt.index, "H" in halt.accepts, END in halt.accepts) == (2, True, False)


def test_lexer_of_lark_is_never_asked() -> None:
    """The parser is fed with classes, so its lexer has nothing to say."""
    lexer = lexicon.NoLexer(None)

    assert list(lexer.lex(None, None)) == []  # type: ignore[arg-type]
