"""What is kept for later, as the lines of a receipt; for the power's own leader only."""

from collections.abc import Iterator

from machjudge.adjudicator.model.moments import Moment, Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Sweep
from machjudge.language.orders.sweeps import parse_sweep
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.letters.wording.notation import order_text
from machjudge.sentence import Sentence, Wording, phrase
from machjudge.service.game.stored_orders import read_order_texts
from machjudge.service.game.view import SeenGame
from machjudge.service.model.plans import Case, Choice, Item, Kept, Plan, PlanPart


def pending_lines(situation: SeenGame, power: PowerId) -> tuple[Wording, ...]:
    """All that a power has on file ahead, with the number of the set; nothing where it has none."""
    plan = situation.plans.get(power)
    if plan is None:
        return ()
    return plan_lines(situation, plan)


def plan_lines(situation: SeenGame, plan: Plan) -> tuple[Wording, ...]:
    """The parts of a plan that are still to come."""
    parts = plan.pending(situation.state.moment)
    lines = [line for part in parts for line in part_lines(situation, part)]
    return (*lines, Sentence("game.plan.number", number=plan.number)) if lines else ()


def part_lines(situation: SeenGame, part: PlanPart) -> Iterator[Wording]:
    """A part under its name."""
    target = part.target
    stage, code = (target.stage, target.code) if isinstance(target, Moment) else (target, "")
    yield Sentence("game.plan.part", code=code, stage=stage.name.lower(), waits=part.waits)
    for item in part.items:
        yield from _item(situation, stage, item, "    ")


def _item(situation: SeenGame, stage: Stage, item: Item, indent: str) -> Iterator[str]:
    match item:
        case Kept(canonical=canonical):
            yield phrase("{}{}", indent, _order(situation, stage, canonical))
        case Choice(cases):
            for number, case in enumerate(cases):
                yield f"{indent}{_opening(case, is_first=number == 0)}"
                for one in case.items:
                    yield from _item(situation, stage, one, f"{indent}  ")
            yield f"{indent}endif"


def _opening(case: Case, *, is_first: bool) -> str:
    if not case.condition:
        return "else"
    return f"{'' if is_first else 'else '}if {case.condition}"


def _order(situation: SeenGame, stage: Stage, canonical: str) -> str:
    lexicon = lexicon_of(situation.world.scenario)
    if isinstance(parse_sweep(canonical, lexicon, stage), Sweep):
        return canonical
    (order,) = read_order_texts(situation.world, stage, [canonical])
    return order_text(situation.words, order)
