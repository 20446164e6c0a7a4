"""``get rules``: the rules of the game that is meant, in short, by section and by number."""

from collections.abc import Sequence

from machjudge.adjudicator.model.presets import JUDGE
from machjudge.letters.page.game_rules import as_played
from machjudge.letters.page.reply import File, Text
from machjudge.letters.wording.option_words import set_of_rules
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.info.questions import game_meant
from machjudge.service.model.records import Game
from machjudge.service.session.session import Session
from machjudge.service.setup.rulebook import desk_apart

_OF_GAME = frozenset({"of", "for", "in"})
"""Words before the name of a game."""


def send_rules(session: Session, line: Line, wanted: str) -> None:
    """The rules in short, a section or one rule; of the game that is named or signed on to."""
    lines = session.services.library.rules_about(wanted) if wanted else ()
    game, about = (session.game, wanted) if lines else _game_named(session, wanted)
    if not about:
        send_rules_in_short(session, game)
        return
    lines = lines or session.services.library.rules_about(about)
    if not lines:
        areas = tuple(section.area for section in session.services.library.sections())
        session.refuse(line, Sentence("info.get.no_rule", areas=areas))
        return
    title = Sentence("info.title.rules", wanted=about)
    session.answer.texts.append(Text(title, _played_in(session, game, lines)))


def _game_named(session: Session, wanted: str) -> tuple[Game | None, str]:
    """The game that one of the words names, or that of the mail, and the other words."""
    words = wanted.split()
    for word in words:
        game = game_meant(session, word)
        if game is not None:
            rest = (each for each in words if each != word and each.lower() not in _OF_GAME)
            return game, " ".join(rest)
    return session.game, wanted


def _played_in(session: Session, game: Game | None, lines: Sequence[str]) -> tuple[str, ...]:
    rules = game.rules if game is not None else JUDGE
    return as_played(lines, rules, session.paper.say)


def send_rules_in_short(session: Session, game: Game | None) -> None:
    """The set of rules of the game, the rules in short, and all of them as a file."""
    library, paper = session.services.library, session.paper
    played: tuple[Wording, ...] = (
        set_of_rules(game.rules, desk_apart(game)) if game is not None else ()
    )
    facts = {
        "sections": library.sections(),
        "played": played,
        "game": game.name if game is not None else "",
    }
    session.answer.texts.append(Text("RULES", paper.lines("get_rules", facts)))
    whole = (*map(paper.say, played), *_played_in(session, game, library.lines("rules")))
    session.answer.files.append(text_file("rules", whole))


def text_file(name: str, lines: Sequence[str]) -> File:
    """A text as a file."""
    return File(f"{name}.txt", "text/plain", ("\n".join(lines) + "\n").encode())
