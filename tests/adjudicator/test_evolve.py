"""Every kind of event changes the position or says that it tells only."""

from typing import get_args

import pytest

from machjudge.adjudicator.events import Change, Event


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_kind_has_a_change_or_tells_only(kind: type) -> None:
    """Its docstring says so, and never both."""
    assert ("Tells only" in (kind.__doc__ or "")) is (not issubclass(kind, Change))


@pytest.mark.parametrize("kind", Change.__subclasses__(), ids=lambda kind: kind.__name__)
def test_a_kind_with_a_change_says_which(kind: type) -> None:
    """None is left with what all have in common, which changes nothing."""
    assert "apply" in vars(kind)
