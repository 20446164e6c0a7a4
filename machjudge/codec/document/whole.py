"""Positions and rules as JSON, complete by themselves.

Unlike the positions of ``machjudge adjudicate``, these are read without a scenario, so that no
map file can change what has been played; unlike its rules, every option is written.
"""

import dataclasses
from collections.abc import Mapping
from typing import get_args, get_origin, get_type_hints

from machjudge.adjudicator.model.options import UnknownRule, check_limits
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.state import State
from machjudge.codec.document.shape import Json, Unfit, as_object, each, entries, needed
from machjudge.codec.document.values import Form, form_of


def whole_position_of(state: State) -> Json:
    """The position, every field of it; mappings and sets are sorted."""
    return {name: form.write(getattr(state, name)) for name, form in _STATE.items()}


def read_whole_position(value: Json) -> State:
    """The inverse of `whole_position_of`.  Raises Unfit."""
    fields = as_object(value, _STATE)
    return State(
        **{
            name: needed(fields, name, form.read)
            for name, form in _STATE.items()
            if name in fields or name not in _LATER
        }
    )


def whole_rules_of(rules: Rules) -> Json:
    """The rules, every field of them."""
    written: Json = _RULES.write(rules)
    return written


def read_whole_rules(value: Json) -> Rules:
    """The inverse of `whole_rules_of`.  Raises Unfit."""
    rules: Rules = _RULES.read(value)
    try:
        check_limits(rules)
    except UnknownRule as unknown:
        raise Unfit(str(unknown)) from unknown
    return rules


def _form(of: object) -> Form:
    """How the field of a position is written: as the codec does, or a mapping or set of that."""
    origin = get_origin(of)
    if origin is Mapping:
        return _mapping(_form(get_args(of)[1]))
    if origin is frozenset:
        return _set(_form(get_args(of)[0]))
    return form_of(of)


def _mapping(form: Form) -> Form:
    return Form(
        lambda values: {key: form.write(value) for key, value in sorted(values.items())},
        lambda value: dict(entries(value, lambda key, item: (key, form.read(item)))),
    )


def _set(form: Form) -> Form:
    return Form(
        lambda values: [form.write(value) for value in sorted(values)],
        lambda value: frozenset(each(value, form.read)),
    )


_LATER = frozenset({"home_holders"})
"""Fields that positions of earlier versions lack."""

_HINTS = get_type_hints(State)
_STATE = {field.name: _form(_HINTS[field.name]) for field in dataclasses.fields(State)}
_RULES = form_of(Rules)
