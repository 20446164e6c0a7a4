"""Ways of fighting among which the rules choose: what cuts a support, and what a swap takes."""

from collections.abc import Callable, Mapping

from machjudge.adjudicator.battle.answers import Answer, Range, both, more, not_
from machjudge.adjudicator.battle.contender import Contender
from machjudge.adjudicator.battle.strength import Battle, any_attack, head_to_head
from machjudge.adjudicator.model.rules import (
    ConflictRules,
    ConvoyCut,
    EliteCut,
    StrengthScope,
    SupportCut,
)

Cut = Callable[[Battle, Contender, Contender], Answer]


def fight_by(battle: Battle, rules: ConflictRules) -> None:
    """Tell a battle how the rules have it fought."""
    battle.cut = _CUTS[rules.support_cut, rules.elite_cut]
    battle.coming = _COMING[rules.strength_scope]
    battle.dislodged_acts = rules.dislodged_acts
    battle.convoys_cut = rules.convoy_cut is ConvoyCut.CONSISTENT


def _equal_force(battle: Battle, attacker: Contender, supporter: Contender) -> Answer:
    """Only an attack as strong as the force in the place cuts (MOV-14)."""
    weaker = more(battle.resistance(supporter), battle.push(attacker))
    return both(battle.counts(attacker), not_(weaker))


def _equal_to_elite(battle: Battle, attacker: Contender, supporter: Contender) -> Answer:
    """Any attack cuts, but an elite's support only one as strong as the elite (MOV-28)."""
    weaker = more((supporter.force, supporter.force), battle.push(attacker))
    return both(battle.counts(attacker), not_(weaker))


_CUTS: Mapping[tuple[SupportCut, EliteCut], Cut] = {
    (SupportCut.ANY, EliteCut.WHOLE): any_attack,
    (SupportCut.ANY, EliteCut.POINT): _equal_to_elite,
    (SupportCut.ANY, EliteCut.EQUAL_ONLY): _equal_to_elite,
    (SupportCut.EQUAL, EliteCut.WHOLE): _equal_force,
    (SupportCut.EQUAL, EliteCut.POINT): _equal_force,
    (SupportCut.EQUAL, EliteCut.EQUAL_ONLY): _equal_force,
}


def _in_target(battle: Battle, contender: Contender, holder: Contender) -> Range:
    """Against one that comes the other way supports count only where they are given into.

    The holder has its own strength alone; but where it would drive *contender* out as well, neither
    gets through (MOV-18).
    """
    alone, own = battle.resistance(holder), battle.push(contender)
    power = contender.unit.owner
    prevails = more(battle.push(holder, against=power), battle.resistance(contender))
    least = max(alone[0], own[0]) if prevails is True else alone[0]
    most = alone[1] if prevails is False else max(alone[1], own[1])
    return least, most


_COMING: Mapping[StrengthScope, Callable[[Battle, Contender, Contender], Range]] = {
    StrengthScope.HEAD_TO_HEAD: head_to_head,
    StrengthScope.TARGET: _in_target,
}
