"""The options of the desk: fields of `Conduct` that the named sets of rules decide, too."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from machjudge.adjudicator.model.options import Option, Value, options_in, typed
from machjudge.adjudicator.model.presets import lineage
from machjudge.service.model.conduct import Conduct

DESK_OPTIONS: Mapping[str, Option] = dict(options_in("", Conduct()))
"""The options by their names, in the order of the fields."""


def desk_value(conduct: Conduct, name: str) -> object:
    """The value of an option in a game that is run so."""
    value: object = getattr(conduct, DESK_OPTIONS[name].field)
    return value


def desk_option_read(conduct: Conduct, name: str, value: Value) -> object:
    """A value that settings write, as a conduct has it.  Raises UnknownRule."""
    return typed(DESK_OPTIONS[name], desk_value(conduct, name), value)


def with_preset(conduct: Conduct, preset: str) -> Conduct:
    """The conduct with all options of the desk as a named set of rules has them."""
    # Any: mypy cannot know the types of fields that are named by options.
    values: dict[str, Any] = {option.field: option.default for option in DESK_OPTIONS.values()}
    for each in reversed(tuple(lineage(preset))):
        for option in DESK_OPTIONS.values():
            values[option.field] = option.facts.presets.get(each, values[option.field])
    return replace(conduct, **values)


def desk_departures(conduct: Conduct, usual: Conduct) -> tuple[str, ...]:
    """The names of the options of the desk that two games have otherwise."""
    return tuple(n for n in DESK_OPTIONS if desk_value(conduct, n) != desk_value(usual, n))
