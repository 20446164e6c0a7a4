"""What happens to a power whose orders are missing when its phase is played, in a sentence."""

from machjudge.adjudicator.model.moments import Stage
from machjudge.sentence import Sentence


def without_orders(stage: Stage, *, holds: bool, money: bool, is_silent: bool) -> Sentence:
    """What becomes of somebody's units: *holds* where the late may only hold.

    *is_silent*: nothing of theirs is on file.
    """
    match stage:
        case Stage.CAMPAIGN:
            return Sentence(f"delays.without_orders.{'all' if holds else 'some'}_hold")
        case Stage.RETREATS:
            return Sentence("delays.without_orders.disbanded")
        case Stage.ADJUSTMENT if money:
            key = "kept_by_ducats" if is_silent else "not_maintained"
            return Sentence(f"delays.without_orders.{key}")
        case Stage.ADJUSTMENT:
            return Sentence("delays.without_orders.chosen")
