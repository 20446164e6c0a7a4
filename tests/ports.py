"""Ports that nobody else takes: neither another test, nor another process, nor the system."""

import os
import socket
from functools import cache
from itertools import cycle
from pathlib import Path

_FIRST = 10_000
_BLOCK = 100
_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
_EPHEMERAL_ELSEWHERE = 32_768


def free_port(family: socket.AddressFamily = socket.AF_INET) -> int:
    """A port of the loopback that nobody listens at, and that nobody else is given.

    It lies below those that the system takes for connections, and in a block of this process
    alone: between this call and the one that listens, nobody can come first.
    """
    ports = _ports(os.getpid())
    return next(port for port in (next(ports) for _ in range(_BLOCK)) if _is_free(port, family))


@cache
def _ports(process: int):
    """The ports of this process's block, round and round."""
    blocks = range(_FIRST, _last() - _BLOCK, _BLOCK)
    start = process % len(blocks)
    mine = next(first for first in (*blocks[start:], *blocks[:start]) if _takes(first))
    return cycle(range(mine, mine + _BLOCK))


def is_open(port: int) -> bool:
    """True if somebody listens at a port of the loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _last() -> int:
    """The first port that the system gives on request."""
    try:
        return int(_EPHEMERAL.read_text("ascii").split()[0])
    except OSError:
        return _EPHEMERAL_ELSEWHERE


_tokens: list[socket.socket] = []


def _takes(first: int) -> bool:
    """True if a block has become ours: a UDP port says so to the others, as long as we live."""
    token = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        token.bind(("127.0.0.1", first))
    except OSError:
        token.close()
        return False
    _tokens.append(token)
    return True


def _is_free(port: int, family: socket.AddressFamily) -> bool:
    with socket.socket(family) as probe:
        # As servers do: what has been closed a moment ago is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1" if family == socket.AF_INET else "::1", port))
        except OSError:
            return False
        return True
