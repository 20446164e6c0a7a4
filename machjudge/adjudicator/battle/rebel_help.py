"""Whom rebels help on its way in, and by how much its rivals are supported (REB-11 to REB-14)."""

from typing import TYPE_CHECKING

from machjudge.adjudicator.battle.answers import Answer, Range, both, more
from machjudge.adjudicator.battle.contender import Contender

if TYPE_CHECKING:
    from machjudge.adjudicator.battle.strength import Battle


def rebels_help(battle: "Battle", fighter: Contender) -> Answer:
    """Whether the rebels' one point goes to it among all who would get it (REB-11 to REB-14).

    Claimants of several powers get nothing; of several units of one power the one with more
    support gets it, at equal support none.
    """
    helped: Answer = battle.counts(fighter)
    if battle.rebels_help_each:
        return helped
    for number in battle.into[fighter.goal] if fighter.goal is not None else ():
        rival = battle.fighters[number]
        if rival is fighter or not rival.rebels_help:
            continue
        helped = both(helped, _claims_before(battle, fighter, rival))
    return helped


def _claims_before(battle: "Battle", fighter: Contender, rival: Contender) -> Answer:
    rival_counts = battle.counts(rival)
    if rival_counts is False:
        return True
    ahead: Answer = False
    if rival.unit.owner == fighter.unit.owner:
        ahead = more(_backing(battle, fighter), _backing(battle, rival))
    if ahead is True or rival_counts is True:
        return ahead
    return None


def _backing(battle: "Battle", fighter: Contender) -> Range:
    least, most = battle.supported(fighter, fighter.backers)
    return least - fighter.force, most - fighter.force
