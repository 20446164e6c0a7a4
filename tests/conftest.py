"""What all tests share: how Hypothesis searches, and an environment without our variables."""

import os

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run, so that a red test is red for its change alone.
settings.register_profile(
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
# For a night: pytest --hypothesis-profile=long
settings.register_profile("long", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    """Forget the settings of the judge that somebody may run from this very shell."""
    ours = [name for name in os.environ if name.startswith("MACHJUDGE_")]
    for variable in ours:
        if not variable.startswith("MACHJUDGE_TEST_"):
            del os.environ[variable]
