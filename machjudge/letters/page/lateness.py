"""What happens to a power whose orders are missing when its phase is played, in a sentence."""

from machjudge.adjudicator.model.moments import Stage


def without_orders(stage: Stage, *, holds: bool, money: bool, is_silent: bool) -> str:
    """What becomes of somebody's units: *holds* where the late may only hold.

    *is_silent*: nothing of theirs is on file.
    """
    match stage:
        case Stage.CAMPAIGN if holds:
            return "Your units hold, and you spend nothing."
        case Stage.CAMPAIGN:
            return "Your units without an order hold."
        case Stage.RETREATS:
            return "Your units without a retreat are disbanded."
        case Stage.ADJUSTMENT if money and is_silent:
            return "You keep as many units as your ducats pay for."
        case Stage.ADJUSTMENT if money:
            return "Your units without a maintain order are removed."
        case Stage.ADJUSTMENT:
            return "You build nothing; what you must remove is chosen for you."
