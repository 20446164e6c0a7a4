"""Settings of how the desk runs a game that are on or off."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.language.commands.commands import Setting
from machjudge.letters.wording.option_words import played_with
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.model.conduct import Conduct, Treasuries
from machjudge.service.model.ratings import FAME
from machjudge.service.model.records import Game, Status
from machjudge.service.session.command import MASTERS, OVER, RULES, CommandEntry, once_begun
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session
from machjudge.service.setup.rulebook import describe
from machjudge.service.setup.variants import people_lines

HABITS: Mapping[str, bool] = {
    "dias": True,
    "concessions": True,
    "hidden money": True,
    "anonymous": True,
    "reveal": True,
    "secret": True,
    "approval": False,
    "quiet": False,
    "show": False,
    "fresh deadline": False,
    "late count": False,
}
"""Whether each stays as it is once the game has begun, by the key of the setting.

The field of `Conduct` has the same name, but for hidden money, which is a value of one.
"""


def set_habit(session: Session, line: Line, said: Setting) -> None:
    """Switch one of them on or off; most only before the game begins."""
    game = session.game
    if game is None:
        return
    changed = replace(game, conduct=_switched(game.conduct, said))
    session.set_game(changed)
    session.note("conduct", Sentence("setup.habit.noted", name=said.key, on=said.on))
    session.done(Sentence("setup.habit.done", name=said.key, on=said.on))
    told = Sentence("setup.habit.told", name=said.key, on=said.on)
    announce_setting(session, changed, [told])


def _switched(conduct: Conduct, said: Setting) -> Conduct:
    if said.key == "hidden money":
        treasuries = Treasuries.PRIVATE if said.on else Treasuries.PUBLIC
        return replace(conduct, treasuries=treasuries)
    # Any: mypy cannot know that the other fields are all yes or no.
    change: dict[str, Any] = {said.key.replace(" ", "_"): said.on}
    return replace(conduct, **change)


def _begun(key: str) -> Mapping[Status, Wording]:
    return once_begun(Sentence("setup.habit.stays", name=key))


SET_HABITS = tuple(
    CommandEntry(
        f"set {key}",
        RULES,
        MASTERS,
        Act.STEER,
        set_habit,
        setting=key,
        refused_in={**_begun(key), **OVER} if stays else OVER,
    )
    for key, stays in HABITS.items()
)

(SET_HIDDEN_MONEY,) = (entry for entry in SET_HABITS if entry.setting == "hidden money")


def rules_told(scenario: Scenario, game: Game) -> Sentence:
    """What a listing says of the rules: who leads what, what is on, what is not as usual."""
    return Sentence(
        "setup.rules",
        people=people_lines(scenario),
        described=describe(game.rules, scenario.players),
        conduct=game.conduct,
        usual=Conduct(),
        rated=played_with("ratings", game.conduct.ratings),
        qualifies=cities_needed(game.rules.victory, scenario.players) >= FAME,
    )
