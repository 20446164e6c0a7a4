"""What a power has, owes and holds in secret, for the mails to its own leader."""

from collections import Counter

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.money.banking import debts_of, owed
from machjudge.letters.page.standings import debt_text
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, phrase


def purse(words: Words, state: View, power: PowerId) -> tuple[Sentence, ...]:
    """Treasury, debts with their dates, what is due now, and the assassination chits."""
    if not words.world.rules.game.money or power in state.eliminated:
        return ()
    return (
        Sentence("receipt.treasury", ducats=state.treasuries.get(power, 0)),
        *debt_lines(state, power),
        *chit_lines(words, state, power),
    )


def debt_lines(state: View, power: PowerId) -> tuple[Sentence, ...]:
    """What is owed to the bank, the earliest first; and what must be paid in this campaign."""
    debts = debts_of(state, power)
    lines = [Sentence("receipt.debt", debt=debt_text(debt)) for debt in debts]
    if power in state.defaulted:
        lines.append(Sentence("receipt.no_credit"))
    due = owed([debt for debt in debts if not state.moment.campaign < debt.due])
    if due and state.moment.stage is Stage.CAMPAIGN:
        lines.append(Sentence("receipt.due_now", ducats=due))
    return tuple(lines)


def chit_lines(words: Words, state: View, power: PowerId) -> tuple[Sentence, ...]:
    """The assassination chits of a power (ASN-01)."""
    held = Counter(state.chits.get(power, ()))
    others = [other for other in words.world.in_play if other != power]
    if held == Counter(others) and others:
        return (Sentence("receipt.chit_on_each"),)
    names = tuple(
        phrase("{} ({})", words.power(one), str(n)) if n > 1 else words.power(one)
        for one, n in held.items()
    )
    return (Sentence("receipt.chits", names=names),) if names else ()
