"""Order lines that are not taken: why, and what is in force instead."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from machjudge.adjudicator.legality.slots import slot_of
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Hold, Order
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.language.orders.parse import read_order
from machjudge.language.orders.sweeps import read_pieces
from machjudge.language.vocabulary.said import Ambiguous, Candidate, Fault, Problem
from machjudge.language.vocabulary.wishes import wish_of
from machjudge.letters.page.reply import MOST_TROUBLES
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.trouble import Trouble
from machjudge.letters.wording.why import objection
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording, joined, phrase
from machjudge.service.game.view import SeenGame
from machjudge.service.orders.advice import instead, same_of_own
from machjudge.service.orders.order_lines import Swept


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that was said and is not taken."""

    line: Line
    said: Order | Problem | Ambiguous
    trouble: Trouble
    flaw: Flaw | None = None
    """Why it may not be ordered here and now; None for what could not be read."""
    rest: tuple[str, ...] | None = None
    """The orders of its line that could be taken, by themselves; None where it has no others."""
    of: str = ""
    """What of its line is not taken either, if that is not all of it: up to a semicolon."""


def refused_by(
    situation: SeenGame, power: PowerId, line: Line, order: Order, because: Objection
) -> Refused:
    """An order that may not be given, with why and what may be meant instead."""
    reason: Wording = objection(Words(situation.world), because)
    advice = instead(situation, power, order, because)
    if advice is not None:
        reason = Sentence("orders.advised", reason=reason, advice=advice)
    meant = same_of_own(situation, power, order, because)
    trouble = Trouble(line.number, line.text, reason, instead=meant, part=line.part)
    return Refused(line, order, trouble, because.flaw)


def means_nothing(situation: SeenGame, refused: Refused) -> bool:
    """Whether a line can mean nothing in this phase, so that nobody waits until it is mended.

    An order of another kind of phase, or for a unit that need not retreat.
    """
    if not isinstance(refused.said, Problem):
        return refused.flaw in (Flaw.WRONG_PHASE, Flaw.NOT_DISLODGED)
    if refused.said.fault is not Fault.PHASE:
        return False
    lexicon, line = situation.lexicon, refused.said.line
    return any(
        not any(piece.refused for piece in read_pieces(line, lexicon, stage)) for stage in Stage
    )


def once_each(refused: "list[Refused]", sweeps: Sequence[Swept]) -> "list[Refused]":
    """Of an order for many units one refusal says it all."""
    swept = {each.line.number for each in sweeps}
    found: list[Refused] = []
    for each in refused:
        number = each.line.number
        if number not in swept or number not in {other.line.number for other in found}:
            found.append(each)
    return found


def noted(
    situation: SeenGame, power: PowerId, refused: list[Refused], written: Mapping[int, str]
) -> Iterator[Trouble]:
    """The troubles by their lines, with what stays in force for those that are shown.

    :param written: lines that were read with places for numbers, as they are to be shown.
    """
    refused.sort(key=lambda each: each.line.number)
    for each in refused[:MOST_TROUBLES]:
        trouble = _as_written(each.trouble, written)
        note = _in_force_for(situation, power, each)
        if each.rest is not None:
            note = Sentence("orders.none_of_line", part=each.of, in_force=note)
            trouble = replace(trouble, instead=joined(", ", each.rest) or trouble.instead)
        yield replace(trouble, note=note)
    yield from (_as_written(each.trouble, written) for each in refused[MOST_TROUBLES:])


def _as_written(trouble: Trouble, written: Mapping[int, str]) -> Trouble:
    """A trouble with the line as somebody wrote it, and its word where it stands there, too."""
    line = written.get(trouble.number)
    if line is None:
        return trouble
    column = trouble.column
    word = trouble.line[column : column + trouble.length] if column is not None else ""
    at = line.find(word) if word.strip() else -1
    return replace(trouble, line=line, column=at if at >= 0 else None, part=None)


def trouble_of(line: Line, said: Order | Problem | Ambiguous) -> Trouble | None:
    """Why something that was said cannot be an order, or nothing."""
    match said:
        case Problem():
            return _problem(line, said)
        case Ambiguous():
            return _ambiguous(line, said)
        case _:
            return None


def _problem(line: Line, problem: Problem) -> Trouble:
    wish = wish_of(problem.line)
    if wish is not None:
        # Which of its words is no order is of no use to whoever did not mean one.
        reason = Sentence(f"orders.wish.{wish.value}")
        return Trouble(line.number, problem.line, reason, part=line.part)
    return Trouble(
        line.number,
        problem.line,
        Sentence("lines.expected", reason=problem.reason, expected=problem.expected),
        column=problem.column,
        length=len(problem.found) or 1,
        instead=problem.nearest,
        part=line.part,
    )


def may_mean(text: str, candidates: Iterable[Candidate]) -> Sentence:
    """That a text may mean several places or powers (SYN-09)."""
    names = tuple(phrase("{} ({})", each.name, each.id) for each in candidates)
    return Sentence("orders.may_mean", text=text, names=names)


def _ambiguous(line: Line, said: Ambiguous) -> Trouble:
    return Trouble(
        line.number,
        said.line,
        may_mean(said.text, said.candidates),
        column=said.column,
        length=len(said.text),
        part=line.part,
    )


def _in_force_for(situation: SeenGame, power: PowerId, refused: Refused) -> Wording:
    """What is in force for the unit that a refused line is about."""
    if not isinstance(refused.said, Problem | Ambiguous):
        return _in_force(situation, power, refused.said)
    words = refused.line.text.split()
    lexicon, stage = situation.lexicon, situation.state.moment.stage
    for count in (2, 1, 3):
        read = read_order(f"{' '.join(words[:count])} h", lexicon, stage).said
        if len(read) == 1 and isinstance(read[0], Hold):
            return _in_force(situation, power, read[0])
    return ""


def _in_force(situation: SeenGame, power: PowerId, order: Order) -> Wording:
    slot = slot_of(situation.world, situation.state, power, order)
    for old in situation.orders_of(power):
        if slot_of(situation.world, situation.state, power, old) == slot:
            return Sentence("orders.in_force", order=order_text(situation.words, old))
    return ""
