"""The judge's secret is in a file of its own, never in the database."""

import os
import stat

import pytest

from machjudge.app.machine import secret_of
from machjudge.judge.secret import SecretUnusable
from machjudge.settings import load
from tests.cases import cases


def settings(**values):
    """The settings that are given as variables."""
    return load({f"MACHJUDGE_{name}": str(value) for name, value in values.items()}, usual=())


def test_the_secret_is_made_once_beside_the_database(tmp_path) -> None:
    """Only its owner reads it, and it is the same after a restart."""
    found = settings(DATABASE=f"sqlite:///{tmp_path}/judge.db")
    codes = {secret_of(found).code("test") for _ in range(2)}
    file = tmp_path / "judge.secret"

    assert len(codes) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["judge.secret"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret_of(settings(SECRET_FILE=file)).code("test") in codes


def test_a_loss_of_power_takes_no_new_secret(tmp_path, monkeypatch) -> None:
    """Its text is on disk before it has its name, and its name before the secret is used."""
    synced = []

    def note(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        has_name = (tmp_path / "judge.secret").exists()
        synced.append(("folder" if is_folder else "file", has_name))

    monkeypatch.setattr(os, "fsync", note)
    secret_of(settings(DATABASE=f"sqlite:///{tmp_path}/judge.db"))

    assert synced == [("file", False), ("folder", True)]


def test_commands_that_only_look_make_no_secret(tmp_path) -> None:
    """A keeper who looks as another user must not become the owner of the file."""
    found = secret_of(settings(DATABASE=f"sqlite:///{tmp_path}/judge.db"), creates=False)

    with pytest.raises(SecretUnusable, match=r"judge\.secret cannot be used"):
        found.check()
    assert list(tmp_path.iterdir()) == []


@cases
def test_a_broken_file_is_named(tmp_path, content, says) -> None:
    """Nothing is made in its place: the keeper has a backup, or removes it by hand."""
    file = tmp_path / "key"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(SecretUnusable, match=f"key.*{says}"):
        secret_of(settings(SECRET_FILE=file))
    assert file.read_text(encoding="utf-8") == content


def test_with_postgresql_the_file_must_be_named() -> None:
    """There is no file beside which it could be."""
    with pytest.raises(SecretUnusable, match="MACHJUDGE_SECRET_FILE"):
        secret_of(settings(DATABASE="postgresql://db/mach"))
