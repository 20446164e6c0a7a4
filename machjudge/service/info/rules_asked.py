"""``get rules``: the rules of the game or set that is meant, in short, by section and number.

What is sent is in the language of its reader where the text is there; a line above an English
one says so.
"""

from collections.abc import Sequence

from machjudge.letters.page.game_rules import as_played
from machjudge.letters.page.reply import File, Text
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.info.questions import game_meant
from machjudge.service.session.answered_mail import Work
from machjudge.service.session.session import Session
from machjudge.service.setup.flags import FLAGS, is_on
from machjudge.service.setup.rulebook import RuleSet, of_game, of_preset, preset_of

_OF_GAME = frozenset({"of", "for", "in", "by", "preset"})
"""Words before the name of a game or a set of rules."""


def send_rules(session: Session, line: Line, wanted: str) -> None:
    """The rules in short, a section or one rule; as a game or a named set of rules has them."""
    library, language = session.services.library, session.paper.language
    lines = library.rules_about(wanted, language) if wanted else ()
    played, about = (_at_hand(session), wanted) if lines else _rules_named(session, wanted)
    if not about:
        _send_in_short(session, played)
        return
    lines = lines or library.rules_about(about, language)
    if not lines:
        areas = tuple(section.area for section in library.sections())
        session.refuse(line, Sentence("info.get.no_rule", areas=areas))
        return
    title = Sentence("info.title.rules", wanted=about)
    own = _played_in(session, played, lines)
    session.answer.texts.append(Text(title, below_its_language(session, "rules", own)))


def _at_hand(session: Session) -> RuleSet | None:
    """The rules of the game that the mail is about."""
    return of_game(session.game) if session.game is not None else None


def _rules_named(session: Session, wanted: str) -> tuple[RuleSet | None, str]:
    """The game or the set of rules that a word names, or the mail's game, and the other words."""
    words = wanted.split()
    for word in words:
        played = _called(session, word)
        if played is not None:
            rest = (each for each in words if each != word and each.lower() not in _OF_GAME)
            return played, " ".join(rest)
    return _at_hand(session), wanted


def _called(session: Session, word: str) -> RuleSet | None:
    game, preset = game_meant(session, word), preset_of(word)
    if game is not None:
        return of_game(game)
    return of_preset(preset) if preset is not None else None


def _played_in(session: Session, played: RuleSet | None, lines: Sequence[str]) -> tuple[str, ...]:
    apart = played.departures if played is not None else ()
    return as_played(lines, apart, session.paper.say)


def _send_in_short(session: Session, played: RuleSet | None) -> None:
    """The set of rules, what it plays otherwise, the rules in short, and all of them as a file."""
    library, paper = session.services.library, session.paper
    told: tuple[Wording, ...] = played.told if played is not None else ()
    facts = {
        "sections": library.sections(paper.language),
        "played": told,
        "unusual": played.unusual if played is not None else (),
        "game": played.name if played is not None else "",
        "on": _on(played),
    }
    session.answer.texts.append(Text("RULES", paper.lines("get_rules", facts)))
    rules = _played_in(session, played, library.lines("rules", paper.language))
    whole = (*map(paper.say, told), *below_its_language(session, "rules", rules))
    session.answer.files.append(text_file("rules", whole))


def text_in_full(session: Session, name: str) -> tuple[str, ...]:
    """The lines of a text for the reader."""
    lines = session.services.library.lines(name, session.paper.language)
    return below_its_language(session, name, lines)


def below_its_language(session: Session, name: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines of a text; where it is not in the reader's language, one above them says so."""
    session.work += sum(map(len, lines)) // Work.SIGNS
    if session.services.library.is_in(session.paper.language, name):
        return tuple(lines)
    return (session.paper.say(Sentence("info.get.in_english")), "", *lines)


def _on(played: RuleSet | None) -> frozenset[str]:
    """The options with a flag that are on; all of them where no game is meant."""
    return frozenset(flag.option for flag in FLAGS if played is None or is_on(played.rules, flag))


def text_file(name: str, lines: Sequence[str]) -> File:
    """A text as a file."""
    return File(f"{name}.txt", "text/plain", ("\n".join(lines) + "\n").encode())
