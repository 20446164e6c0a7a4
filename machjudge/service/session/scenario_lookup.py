"""A scenario by the name that somebody wrote; one whose file is broken is the keeper's affair."""

from datetime import timedelta
from difflib import get_close_matches

import structlog

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import BrokenMap, Shapes
from machjudge.letters.page.head import Head
from machjudge.letters.page.page import one_line
from machjudge.service.ports.mails import Outgoing
from machjudge.service.session.session import Talk

log = structlog.get_logger(__name__)

USUAL_SCENARIO = "1454"
"""What is played where nobody names one."""
_DAY = timedelta(days=1)
_MOST_POSTED = 200


def scenario_called(talk: Talk, name: str) -> Scenario | str:
    """The scenario of a name, or why there is none; the keeper is told of a broken file."""
    try:
        found = talk.desk.atlas.scenario(name)
    except BrokenMap as fault:
        _tell_keeper(talk, name, fault)
        return f"the scenario {name!r} cannot be used now; the keeper of this judge is told"
    return found if found is not None else f"there is no scenario {name!r}; {known(talk)}"


def is_scenario_name(talk: Talk, name: str) -> bool:
    """Whether there is a scenario of that name, in order or not."""
    try:
        return talk.desk.atlas.scenario(name) is not None
    except BrokenMap:
        return True


def shapes_of(talk: Talk, scenario: Scenario) -> Shapes | None:
    """The drawing of a scenario's board; none if there is none, or a broken one."""
    try:
        return talk.desk.atlas.shapes(scenario.board)
    except BrokenMap as fault:
        _tell_keeper(talk, scenario.board.id, fault)
        return None


def nearest_scenario(talk: Talk, name: str) -> str | None:
    """The name of a scenario that looks most like a word."""
    others = [each for each in talk.desk.atlas.scenario_ids() if each != name.lower()]
    near = get_close_matches(name.lower(), others, n=1)
    return near[0] if near else None


def known(talk: Talk) -> str:
    """Which scenarios there are, as the end of a sentence."""
    return f"there are {', '.join(talk.desk.atlas.scenario_ids())}"


def _tell_keeper(talk: Talk, name: str, fault: BrokenMap) -> None:
    """Tell what is wrong with the file, once a day at most."""
    log.error("scenario.broken", scenario=name, faults=[str(each) for each in fault.faults])
    keeper = talk.desk.judge.keeper
    if keeper is None:
        return
    facts = {"head": Head(talk.desk.judge.code), "name": name, "faults": fault.faults}
    page = talk.desk.paper.page("broken_map", facts)
    subject = one_line(page.subject)
    told = talk.uow.outbox.lately(keeper, talk.now - _DAY, _MOST_POSTED)
    if all(each.subject != subject for each in told):
        talk.send(Outgoing(keeper, subject, page.body))
