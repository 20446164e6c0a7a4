"""A scenario by the name that somebody wrote; one whose file is broken is the keeper's affair."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from difflib import get_close_matches

import structlog

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import BrokenMap, FileFault, Shapes
from machjudge.atlas.faults import unsayable
from machjudge.language import lexicon_of, unsayable_names
from machjudge.letters.layout.lines import one_line
from machjudge.letters.page.head import Head
from machjudge.sentence import Sentence
from machjudge.service.ports.mails import Outgoing
from machjudge.service.session.session import Session

log = structlog.get_logger(__name__)

USUAL_SCENARIO = "1454"
"""What is played where nobody names one."""
_DAY = timedelta(days=1)
_MOST_POSTED = 200


def scenario_called(session: Session, name: str) -> Scenario | Sentence:
    """The scenario of a name, or why there is none; the keeper is told of a broken file."""
    try:
        found = session.services.atlas.scenario(name)
        if found is not None:
            _refuse_unsayable(found)
    except BrokenMap as fault:
        _tell_keeper(session, name, fault)
        return Sentence("session.scenario_broken", name=name)
    return found or Sentence("session.no_scenario", name=name, known=known(session))


def _refuse_unsayable(scenario: Scenario) -> None:
    """Raise BrokenMap where orders cannot say a name of the scenario or its board."""
    faults = []
    for each in unsayable_names(lexicon_of(scenario)):
        file = scenario.id if each.bearer in scenario.powers else scenario.board.id
        says = unsayable(each.name, each.line)
        faults.append(FileFault(f"{file}.toml", None, each.bearer, says))
    if faults:
        raise BrokenMap(faults)


def is_scenario_name(session: Session, name: str) -> bool:
    """Whether there is a scenario of that name, in order or not."""
    try:
        return session.services.atlas.scenario(name) is not None
    except BrokenMap:
        return True


def shapes_of(session: Session, scenario: Scenario) -> Shapes | None:
    """The drawing of a scenario's board; None if there is none, or a broken one."""
    try:
        return session.services.atlas.shapes(scenario.board)
    except BrokenMap as fault:
        _tell_keeper(session, scenario.board.id, fault)
        return None


def nearest_scenario(session: Session, name: str) -> str | None:
    """The name of a scenario that looks most like a word."""
    others = [each for each in session.services.atlas.scenario_ids() if each != name.lower()]
    near = get_close_matches(name.lower(), others, n=1)
    return near[0] if near else None


def known(session: Session) -> Sentence:
    """Which scenarios there are, as the end of a sentence."""
    return Sentence("session.scenarios", names=", ".join(session.services.atlas.scenario_ids()))


def scenarios(session: Session) -> Iterator[Scenario]:
    """All scenarios but those whose files are broken."""
    atlas = session.services.atlas
    for name in atlas.scenario_ids():
        with suppress(BrokenMap):
            found = atlas.scenario(name)
            if found is not None:
                yield found


def _tell_keeper(session: Session, name: str, fault: BrokenMap) -> None:
    """Tell what is wrong with the file, once a day at most."""
    log.error("scenario.broken", scenario=name, faults=[str(each) for each in fault.faults])
    keeper = session.services.judge.keeper
    if keeper is None:
        return
    facts = {"head": Head(session.services.judge.code), "name": name, "faults": fault.faults}
    page = session.services.paper.page("broken_map", facts)
    subject = one_line(page.subject)
    told = session.uow.outbox.lately(keeper, session.now - _DAY, _MOST_POSTED)
    if all(each.subject != subject for each in told):
        session.send(Outgoing(keeper, subject, page.body))
