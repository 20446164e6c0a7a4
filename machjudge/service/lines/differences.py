"""``differences``: what two sets of rules, or a game and a set, play otherwise."""

from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.option_words import contrasts
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.info.questions import game_meant
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session
from machjudge.service.setup.rulebook import (
    PRESET_WORDS,
    RuleSet,
    desk_contrasts,
    of_game,
    of_preset,
    preset_of,
)

_FILLERS = frozenset(
    {"between", "of", "from", "to", "and", "vs", "with", "preset", "presets", "rules"}
)
_TWO = 2


def differences(session: Session, line: Line, said: PlainCommand) -> None:
    """What two sets of rules play otherwise; with one of them, this game and that set."""
    words = [word.strip(",") for word in said.words if word.strip(",").lower() not in _FILLERS]
    sides = [_side(session, word) for word in words]
    faults = [each for each in sides if isinstance(each, Sentence)]
    if faults or not 0 < len(sides) <= _TWO:
        why = faults[0] if faults else Sentence("info.differences.two", known=PRESET_WORDS)
        session.refuse(line, why, instead=DIFFERENCES.usage)
        return
    own = of_game(session.game) if session.game else of_preset("judge")
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


def _found(sides: list[RuleSet | Sentence]) -> list[RuleSet]:
    return [each for each in sides if isinstance(each, RuleSet)]


def _side(session: Session, word: str) -> RuleSet | Sentence:
    """The rules that a word means, or why it means none."""
    preset = preset_of(word)
    if preset is not None:
        return of_preset(preset)
    game = game_meant(session, word)
    if game is not None:
        return of_game(game)
    return Sentence("setup.rule.no_preset", known=PRESET_WORDS)
