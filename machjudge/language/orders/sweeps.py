"""Orders for many units at once: ``hold rest``, ``maintain all except A flo, F pis``.

``rest`` are the units that have no order; ``all`` are those that no other line of the mail names.
Which units those are, the position says; this module knows words only.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.orders import Hold, Named, Order, Sweep, Verb
from machjudge.language.orders.parse import MOST_CHARACTERS, read_order, with_advice
from machjudge.language.orders.remarks import courtesies_around
from machjudge.language.vocabulary.lexicon import Lexicon
from machjudge.language.vocabulary.said import Ambiguous, Fault, Parsed, Problem, Refused
from machjudge.language.vocabulary.synonyms import BY_STAGE, OWN_WORDS
from machjudge.language.vocabulary.words import fold, line_of, undressed
from machjudge.language.vocabulary.write import unit_text
from machjudge.sentence import Sentence

_TWOFOLD = "|".join({word for own in BY_STAGE.values() for word in own})
_OTHER_HOLDS = "|".join(
    word for own in OWN_WORDS.values() for word, name in own.items() if name == "HOLD"
)
_VERBS = (
    r"(?P<{}>holds?|h|stands?|stays?|maintains?|m|keeps?"
    rf"|tengono|{_TWOFOLD}|{_OTHER_HOLDS})"
)
_WHOSE = r"(?:\s+(?:my|the|our))?(?:\s+(?:other|remaining))?"
_ALL = rf"all(?:\s+of)?{_WHOSE}(?:\s+(?:units|others|them))?"
_EACH = r"every(?:thing|body|one|\s+unit)(?:\s+else)?"
_UNITS_THERE = r"(?:\s+(?:las|los|le|i|gli)?\s*(?:mie\s+|mis\s+)?(?:unidades|unita))?"
_ALL_THERE = rf"(?:tutto|tutt[eai]|tod[oa]s?){_UNITS_THERE}"
_REST_THERE = (
    r"(?:el\s+|il\s+|lo\s+)?resto(?:\s+delle\s+unita|\s+de\s+(?:las\s+|mis\s+)?unidades)?"
    r"|(?:(?:tutte|tutti|todas|todos)\s+)?(?:gli|le|las|los|lo)\s+"
    r"(?:altr[ei]|otr[oa]s|demas|restant[ei]s?)(?:\s+(?:unita|unidades))?"
)
_WHOM = rf"(?P<{{}}>{_ALL}|{_EACH}|(?:the\s+)?(?:rest|others)|{_REST_THERE}|{_ALL_THERE})"
_MANY = re.compile("all|every|rest|others|tutt|tod[oa]|altr[ei]|otr[oa]s|demas")
"""One of these stands in each order for many units."""
_LEFT = frozenset(
    (
        *("rest", "others", "other", "remaining", "else"),
        *("resto", "altri", "altre", "otros", "otras", "demas"),
        *("restante", "restanti", "restantes"),
    )
)
"""Words for the units that have no order yet."""
_FIRST = re.compile(
    rf"\s*{_VERBS.format('verb')}\s+{_WHOM.format('whom')}"
    r"(?:\s*,?\s*(?P<but>except(?:\s+for)?|but|without|excepto|salvo|menos|eccetto|tranne|meno)\s*:?(?P<units>.*))?\s*[.;]?\s*"
)
_LAST = re.compile(rf"\s*{_WHOM.format('whom')}\s+{_VERBS.format('verb')}\s*[.;]?\s*")
_COMMENT = re.compile(r"\s*(?:#|//).*")
_STAGES = {Verb.HOLD: Stage.CAMPAIGN, Verb.MAINTAIN: Stage.ADJUSTMENT}
_SEPARATOR = re.compile(r"\s*(?:,|&|\b(?:and|e|y|ed)\b|\.(?=\s))\s*", re.IGNORECASE)
_MOST_CUTS = 20
"""Of a longer list no order for many units is looked for behind so many commas."""


class Piece(NamedTuple):
    """A part of a line that is read by itself, and what it says."""

    text: str
    said: Sweep | Parsed
    is_for_many: bool = False
    """Whether it is worded as an order for many units, which may be impossible."""

    @property
    def refused(self) -> tuple[Refused, ...]:
        """What of it could not be read."""
        return self.said.refused if isinstance(self.said, Parsed) else ()

    @property
    def understood(self) -> tuple[Order, ...]:
        """The orders in it, where it is for no more than one unit each."""
        return self.said.understood if isinstance(self.said, Parsed) else ()


def read_pieces(text: str, lexicon: Lexicon, stage: Stage) -> tuple[Piece, ...]:
    """Read a line of orders, some of which may be for many units; without advice."""
    if not may_be_for_many(text):
        return (Piece(text, read_order(text, lexicon, stage)),)
    return tuple(_piece(each, lexicon, stage) for each in parted(text, lexicon, stage))


def advised(pieces: tuple[Piece, ...], lexicon: Lexicon, stage: Stage) -> tuple[Piece, ...]:
    """What was read, with the nearest line that can be read for each problem."""
    return tuple(
        each._replace(said=with_advice(each.said, lexicon, stage))
        if isinstance(each.said, Parsed) and not each.is_for_many
        else each
        for each in pieces
    )


def _piece(text: str, lexicon: Lexicon, stage: Stage) -> Piece:
    sweep = parse_sweep(text, lexicon, stage)
    if sweep is None:
        return Piece(text, read_order(text, lexicon, stage))
    said = sweep if isinstance(sweep, Sweep) else Parsed((sweep,))
    return Piece(text, said, is_for_many=True)


def may_be_for_many(text: str) -> bool:
    """Whether a line holds one of the words without which no order is for many units."""
    return bool(_MANY.search(fold(text)))


def parse_sweep(text: str, lexicon: Lexicon, stage: Stage) -> Sweep | Problem | Ambiguous | None:
    """Read a line as an order for many units.

    :returns: the order; why it cannot be one; or nothing where the line is none of this kind.
    """
    if len(text) > MOST_CHARACTERS or not may_be_for_many(text):
        return None
    plain = _COMMENT.sub("", undressed(line_of(text)).plain)
    match = _worded(plain)
    if match is None:
        start, end = courtesies_around(plain, lexicon)
        match = _worded(plain[start:end])
    if match is None:
        return None
    said = match.groupdict()
    verb = _verb(said["verb"], stage)
    if stage is not _STAGES[verb]:
        reason = Sentence(f"language.only.{verb.value}")
        return Problem(text, 0, Fault.PHASE, reason, text.strip())
    return _with_exceptions(text, Sweep(verb, bool(_LEFT & {*said["whom"].split()})), said, lexicon)


def _worded(plain: str) -> re.Match[str] | None:
    return _FIRST.fullmatch(plain) or _LAST.fullmatch(plain)


def _verb(word: str, stage: Stage) -> Verb:
    """What a verb orders; one of another language may be both, by the kind of phase."""
    if word in _EITHER:
        return Verb.MAINTAIN if stage is Stage.ADJUSTMENT else Verb.HOLD
    is_hold = word[0] in "hs" or word in _OTHER_HOLDS.split("|")
    return Verb.HOLD if is_hold else Verb.MAINTAIN


_EITHER = frozenset(("tengono", *_TWOFOLD.split("|")))


def parted(text: str, lexicon: Lexicon, stage: Stage) -> tuple[str, ...]:
    """A line in the pieces between which orders for many units stand; else the whole line."""
    if len(text) > MOST_CHARACTERS or not may_be_for_many(text):
        return (text,)

    def is_sweep(piece: str) -> bool:
        return isinstance(parse_sweep(piece, lexicon, stage), Sweep)

    pieces = [piece for whole in text.split(";") for piece in _pieces(whole, is_sweep)]
    return tuple(pieces) if any(map(is_sweep, pieces)) else (text,)


def _pieces(text: str, is_sweep: Callable[[str], bool]) -> tuple[str, ...]:
    """A list of orders in two or more, where one for many units begins or ends it.

    It takes as many of the list as it can, for a list may follow its ``except``.
    """
    if is_sweep(text):
        return (text,)
    cuts = [match.span() for match in _SEPARATOR.finditer(text)][:_MOST_CUTS]
    for start, end in reversed(cuts):
        if is_sweep(text[:start]):
            return text[:start], *_pieces(text[end:], is_sweep)
    for start, end in cuts:
        if is_sweep(text[end:]):
            return text[:start], text[end:]
    return (text,)


def _with_exceptions(
    text: str, sweep: Sweep, said: dict[str, str | None], lexicon: Lexicon
) -> Sweep | Problem | Ambiguous:
    if not said.get("but"):
        return sweep
    named: list[Named] = []
    for part in re.split(r"[,;&]|\band\b|\b(?:e|y|ed)\b(?=\s+\w+\s)", said.get("units") or ""):
        unit = _unit(text, part.strip(), lexicon)
        if not isinstance(unit, Named):
            return unit
        named.append(unit)
    return Sweep(sweep.verb, sweep.rest, tuple(named))


def _unit(text: str, name: str, lexicon: Lexicon) -> Named | Problem | Ambiguous:
    said = read_order(f"{name} h", lexicon, Stage.CAMPAIGN).said if name else ()
    if len(said) == 1 and isinstance(said[0], Hold):
        return said[0].unit
    at = max(fold(text).rfind(name), 0) if name else len(text)
    if len(said) == 1 and isinstance(said[0], Ambiguous):
        return Ambiguous(text, at, name, said[0].candidates)
    reason = Sentence("language.left_out")
    return Problem(text, at, Fault.UNEXPECTED if name else Fault.INCOMPLETE, reason, name)


def write_sweep(sweep: Sweep, lexicon: Lexicon) -> str:
    """An order for many units as text that reads as the same order."""
    whom = "rest" if sweep.rest else "all"
    names = ", ".join(unit_text(named, lexicon) for named in sweep.excepted)
    return f"{sweep.verb.value} {whom}{f' except {names}' if names else ''}"
