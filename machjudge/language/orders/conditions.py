"""Conditions of ``if`` as values, and as text that reads as the same condition."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.units import Kind
from machjudge.language.vocabulary.lexicon import Lexicon


class Sign(Enum):
    """How an amount is compared."""

    LEAST = ">="
    MORE = ">"
    MOST = "<="
    LESS = "<"
    EXACTLY = "="


@dataclass(frozen=True, slots=True)
class UnitThere:
    """A unit stands at a place: of that power, or anybody's; of that type, or any."""

    place: PlaceId
    kind: Kind | None = None
    owner: PowerId | None = None


@dataclass(frozen=True, slots=True)
class Owned:
    """A power controls a province, or a city; without a power: nobody does."""

    place: PlaceId
    by: PowerId | None
    in_city: bool = False


@dataclass(frozen=True, slots=True)
class Treasury:
    """A treasury compared with an amount of ducats."""

    power: PowerId
    sign: Sign
    ducats: int


@dataclass(frozen=True, slots=True)
class Not:
    """The contrary."""

    of: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """All of them hold."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of them holds."""

    parts: "tuple[Condition, ...]"


Fact: TypeAlias = UnitThere | Owned | Treasury
Condition: TypeAlias = Fact | Not | Both | Either


def write_condition(condition: Condition, lexicon: Lexicon) -> str:
    """A condition as text that reads as the same condition, whoever speaks."""
    match condition:
        case UnitThere(place, kind, owner):
            parts = (_power_text(owner, lexicon), kind.letter if kind is not None else "", place)
            return " ".join(part for part in parts if part)
        case Owned(place, by, in_city):
            whose = _power_text(by, lexicon) or "nobody"
            return f"{whose} owns {'city ' if in_city else ''}{place}"
        case Treasury(power, sign, ducats):
            return f"treasury {_power_text(power, lexicon)} {sign.value} {ducats}"
        case Not(of):
            return f"not {_in_brackets(of, lexicon)}"
        case Both(parts):
            return " and ".join(_in_brackets(part, lexicon) for part in parts)
        case Either(parts):
            return " or ".join(_in_brackets(part, lexicon) for part in parts)


def _in_brackets(part: Condition, lexicon: Lexicon) -> str:
    text = write_condition(part, lexicon)
    return f"({text})" if isinstance(part, Both | Either) else text


def _power_text(power: PowerId | None, lexicon: Lexicon) -> str:
    if power is None:
        return ""
    return "autonomous" if power == AUTONOMOUS else lexicon.powers[power].name
