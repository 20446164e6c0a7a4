"""Passwords are hashed at a cost, and nothing is learnt from a wrong one."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from machjudge.wiring import Argon2Passwords
from machjudge.wiring import passwords as module
from tests.patience import SECONDS


@pytest.fixture(scope="module")
def passwords() -> Argon2Passwords:
    """What the judge uses."""
    return Argon2Passwords()


def test_the_right_password_is_right(passwords) -> None:
    """And any other is not."""
    hashed = passwords.hash("mona lisa")

    assert passwords.is_right(hashed, "mona lisa")
    assert not passwords.is_right(hashed, "Mona Lisa")
    assert not passwords.is_right(hashed, "")


def test_a_hash_is_argon2id_and_never_the_same(passwords) -> None:
    """The same password of two people looks different."""
    first, second = passwords.hash("same"), passwords.hash("same")

    assert first.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert first != second


@pytest.mark.parametrize("hashed", [None, "", "plain", "$argon2id$broken"])
def test_without_a_hash_no_password_is_right(passwords, hashed) -> None:
    """Not even the empty one, nor what stands in the place of the hash."""
    assert not passwords.is_right(hashed, "")
    assert not passwords.is_right(hashed, "plain")
    assert not passwords.is_right(hashed, "nobody has this password")


def test_any_text_can_be_a_password(passwords) -> None:
    """However people write."""
    text = "Würzburg \U0001f511 密碼" * 20

    assert passwords.is_right(passwords.hash(text), text)


def test_only_a_few_are_hashed_at_once(passwords, monkeypatch) -> None:
    """A flood of signons does not take all memory."""
    now, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(module.AT_ONCE)

    class Counting:
        def hash(self, password: str) -> str:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            together.wait(SECONDS)
            with lock:
                now -= 1
            return password

    monkeypatch.setattr(passwords, "_hasher", Counting())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(passwords.hash, "abcdefgh"))

    assert most == module.AT_ONCE
