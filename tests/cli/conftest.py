from pathlib import Path

import pytest
from click.testing import CliRunner


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """A command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return CliRunner()
