from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from machjudge.mail.server import TcpEndpoint
from tests.mail.servers import Mat, Running
from tests.ports import free_port

SIZE_LIMIT = 100_000


@dataclass
class Doors:
    """A listener with an SMTP and an LMTP door, and the store behind them."""

    mat: Mat
    listener: Running
    smtp: tuple[str, int] = field(default_factory=lambda: ("127.0.0.1", free_port()))
    lmtp: tuple[str, int] = field(default_factory=lambda: ("127.0.0.1", free_port()))


@pytest.fixture
def doors() -> Iterator[Doors]:
    """Two open doors."""
    mat = Mat()
    listener = Running(mat, SIZE_LIMIT)
    both = Doors(mat, listener)
    listener.open([TcpEndpoint(*both.smtp, lmtp=False), TcpEndpoint(*both.lmtp, lmtp=True)])
    yield both
    mat.gate.set()
    listener.end()
