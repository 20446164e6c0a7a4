"""Passwords are hashed at a cost, and nothing is learnt from a wrong one."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from machjudge.app import Argon2Passwords
from machjudge.app import application as module
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


class CountedHasher:
    """Hashes, and counts how often passwords were compared."""

    def __init__(self, passwords: Argon2Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
        self.compared = 0
        self._hasher = passwords._hasher
        monkeypatch.setattr(passwords, "_hasher", self)

    def hash(self, password: str) -> str:
        """Hash it."""
        return self._hasher.hash(password)

    def verify(self, hashed: str, password: str) -> bool:
        """Compare it."""
        self.compared += 1
        return self._hasher.verify(hashed, password)


def test_a_right_password_is_hashed_once_in_ten_minutes(monkeypatch) -> None:
    """A second mail costs no hash; after ten minutes the next one does."""
    now = 1000.0
    passwords = Argon2Passwords(clock=lambda: now)
    hasher = CountedHasher(passwords, monkeypatch)
    hashed = passwords.hash("mona lisa")
    counts = []
    for later in (0.0, 599.0, 1.0, 599.0, 600.0):
        now += later
        assert passwords.is_right(hashed, "mona lisa")
        counts.append(hasher.compared)

    assert counts == [1, 1, 2, 2, 3]


def test_only_right_passwords_are_remembered(monkeypatch) -> None:
    """A wrong one is hashed each time, as is the right one of another hash."""
    passwords = Argon2Passwords()
    hasher = CountedHasher(passwords, monkeypatch)
    first, second = passwords.hash("mona lisa"), passwords.hash("mona lisa")
    for _ in range(2):
        assert not passwords.is_right(first, "monalisa")
    assert not passwords.is_cached(first, "monalisa")
    assert passwords.is_right(first, "mona lisa")

    assert (passwords.is_cached(first, "mona lisa"), hasher.compared) == (True, 3)
    assert not passwords.is_cached(second, "mona lisa")


def test_no_password_is_kept_in_memory() -> None:
    """Nor its hash: only what follows from both under a key of this process."""
    passwords = Argon2Passwords()
    hashed = passwords.hash("mona lisa")
    passwords.is_right(hashed, "mona lisa")

    (mark,) = passwords._right._until
    assert len(mark) == 32
    assert mark != next(iter(_marks(Argon2Passwords(), hashed)))


def _marks(passwords: Argon2Passwords, hashed: str) -> list[bytes]:
    """What another process remembers of the same password."""
    passwords.is_right(hashed, "mona lisa")
    return list(passwords._right._until)
