"""Which names are free, and what somebody is called whose own name is not."""

import re
from collections.abc import Iterable, Iterator
from itertools import count

import structlog

from machjudge.atlas import Atlas, BrokenMap
from machjudge.sentence import Sentence
from machjudge.service.game.lookalikes import skeletons, unseen_signs, without_unseen
from machjudge.service.game.registry import LONGEST_NAME, clean_name

log = structlog.get_logger(__name__)

OFFICES = (
    *("master", "the master", "game master", "the game master", "gm", "the gm", "co-master"),
    *("moderator", "the moderator", "judge", "the judge", "keeper", "the keeper"),
    *("judge keeper", "the judge keeper", "admin", "administrator", "postmaster", "root"),
    *("mailer-daemon", "observer", "the observer", "observers", "player", "the player", "players"),
    *("all", "everybody", "everyone", "nobody", "somebody", "anonymous", "broadcast", "you"),
)
"""What reads in a message like an office, or like nobody in particular."""
_STAND_IN = "Guest"
_BRACKETED = re.compile(r"[(\[{<（［｛〈][^)\]}>）］｝〉]*[)\]}>）］｝〉]?|[)\]}>）］｝〉]")


class Names:
    """The names that are taken: offices, powers of every scenario, and other people's.

    :param code: the judge's code, as in subjects.
    :param people: the names of everybody who is registered, without whoever asks.
    """

    def __init__(self, atlas: Atlas, code: str, people: Iterable[str]) -> None:
        self._offices = _all_skeletons((*OFFICES, code, f"{code} judge"))
        self._powers = _all_skeletons(_powers(atlas))
        self._people = _all_skeletons(people)

    def flaw(self, name: str) -> Sentence | None:
        """Why somebody cannot be called so; None if they can."""
        if unseen_signs(name):
            return Sentence("game.name.unseen")
        if _BRACKETED.search(name) is not None:
            return Sentence("game.name.brackets")
        own = skeletons(name)
        if not own or not any(each.isalpha() for each in name):
            return Sentence("game.name.no_letters")
        if own & self._offices:
            return Sentence("game.name.office", name=name)
        if own & self._powers:
            return Sentence("game.name.power", name=name)
        if own & self._people:
            return Sentence("game.name.taken", name=name)
        return None

    def nearest(self, wanted: str, address: str) -> str:
        """A free name: the wanted one, the same with a number, or one made from the address."""
        return next(name for name in self._candidates(wanted, address) if self.flaw(name) is None)

    def _candidates(self, wanted: str, address: str) -> Iterator[str]:
        plain = clean_name(_BRACKETED.sub(" ", without_unseen(wanted)))
        local = clean_name(without_unseen(address.partition("@")[0].partition("+")[0]))
        yield plain
        if skeletons(plain) & self._people and not skeletons(plain) & self._reserved:
            yield from (_numbered(plain, number) for number in range(2, 100))
        yield local.title()
        base = local.title() if not skeletons(local) & self._reserved else _STAND_IN
        yield from (_numbered(base or _STAND_IN, number) for number in range(2, 100))
        yield from (_numbered(_STAND_IN, number) for number in count(1))

    @property
    def _reserved(self) -> frozenset[str]:
        return self._offices | self._powers


def _numbered(name: str, number: int) -> str:
    return f"{name[: LONGEST_NAME - 12].strip()} {number}"


def _all_skeletons(names: Iterable[str]) -> frozenset[str]:
    return frozenset(each for name in names for each in skeletons(name))


def _powers(atlas: Atlas) -> Iterator[str]:
    """The names, adjectives and letters of all powers; broken scenarios are passed over."""
    for each in atlas.scenario_ids():
        try:
            scenario = atlas.scenario(each)
        except BrokenMap:
            log.warning("scenario.broken", scenario=each)
            continue
        for power in scenario.powers.values() if scenario is not None else ():
            yield from (power.name, power.adjective, power.id, *power.aliases)
            yield from (own[power.name] for own in atlas.names.values() if power.name in own)
