"""``differences``: what two sets of rules, or a game and a set, play otherwise."""

from dataclasses import dataclass

from machjudge.adjudicator.model.presets import PRESETS
from machjudge.adjudicator.model.rules import Rules
from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.option_words import contrasts
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.info.questions import game_meant
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.desk_options import with_preset
from machjudge.service.model.records import Game
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session
from machjudge.service.setup.rulebook import PRESET_WORDS, desk_contrasts, preset_of

_FILLERS = frozenset(
    {"between", "of", "from", "to", "and", "vs", "with", "preset", "presets", "rules"}
)
_TWO = 2


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """A set of rules or a game, what it plays and how it is run."""

    name: str
    rules: Rules
    conduct: Conduct


def differences(session: Session, line: Line, said: PlainCommand) -> None:
    """What two sets of rules play otherwise; with one of them, this game and that set."""
    words = [word.strip(",") for word in said.words if word.strip(",").lower() not in _FILLERS]
    sides = [_side(session, word) for word in words]
    faults = [each for each in sides if isinstance(each, Sentence)]
    if faults or not 0 < len(sides) <= _TWO:
        why = faults[0] if faults else Sentence("info.differences.two", known=PRESET_WORDS)
        session.refuse(line, why, instead=DIFFERENCES.usage)
        return
    own = _of_game(session.game) if session.game else _of_preset("judge")
    left, right = [*([own] if len(sides) < _TWO else []), *_found(sides)]
    facts = {
        "left": left.name,
        "right": right.name,
        "rows": (
            *contrasts(left.rules, right.rules),
            *desk_contrasts(left.conduct, right.conduct),
        ),
    }
    title = Sentence("info.title.differences", left=left.name, right=right.name)
    lines = session.paper.lines("differences", facts)
    session.answer.texts.append(Text(title, lines))


DIFFERENCES = CommandEntry(
    "differences",
    ASKING,
    ANYBODY,
    Act.READ,
    differences,
    is_dry=True,
)


def _of_game(game: Game) -> ComparedSide:
    return ComparedSide(game.name, game.rules, game.conduct)


def _of_preset(name: str) -> ComparedSide:
    return ComparedSide(name, PRESETS[name], with_preset(Conduct(), name))


def _found(sides: list[ComparedSide | Sentence]) -> list[ComparedSide]:
    return [each for each in sides if isinstance(each, ComparedSide)]


def _side(session: Session, word: str) -> ComparedSide | Sentence:
    """The rules that a word means, or why it means none."""
    preset = preset_of(word)
    if preset is not None:
        return _of_preset(preset)
    game = game_meant(session, word)
    if game is not None:
        return _of_game(game)
    return Sentence("setup.rule.no_preset", known=PRESET_WORDS)
