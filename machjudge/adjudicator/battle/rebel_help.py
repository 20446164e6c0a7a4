"""Whom rebels help on its way in, and by how much its rivals are supported (REB-11 to REB-14)."""

from typing import TYPE_CHECKING

from machjudge.adjudicator.battle.answers import Answer, Range, both, more
from machjudge.adjudicator.battle.contender import Contender

if TYPE_CHECKING:
    from machjudge.adjudicator.battle.strength import Battle


def rebels_help(battle: "Battle", contender: Contender) -> Answer:
    """Whether the rebels' one point goes to it among all who would get it (REB-11 to REB-14).

    Claimants of several powers get nothing; of several units of one power the one with more
    support gets it, at equal support none.
    """
    helped: Answer = battle.counts(contender)
    if battle.rebels_help_each:
        return helped
    for number in battle.into[contender.goal] if contender.goal is not None else ():
        rival = battle.contenders[number]
        if rival is contender or not rival.rebels_help:
            continue
        helped = both(helped, _claims_before(battle, contender, rival))
    return helped


def _claims_before(battle: "Battle", contender: Contender, rival: Contender) -> Answer:
    rival_counts = battle.counts(rival)
    if rival_counts is False:
        return True
    ahead: Answer = False
    if rival.unit.owner == contender.unit.owner:
        ahead = more(_backing(battle, contender), _backing(battle, rival))
    if ahead is True or rival_counts is True:
        return ahead
    return None


def _backing(battle: "Battle", contender: Contender) -> Range:
    least, most = battle.supported(contender, contender.backers)
    return least - contender.force, most - contender.force
