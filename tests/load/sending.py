# ruff: noqa: T201 - a tool prints
"""Hands mails over as fast as it can, in a process of its own; prints how many seconds it took."""

import smtplib
import sys
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

CONNECTIONS = 20
"""As many as Postfix opens to one destination, unless it is told otherwise."""


def main() -> None:
    """Read mails from the standard input, parted by NUL, and send them."""
    port = int(sys.argv[1])
    mails = sys.stdin.buffer.read().split(b"\0")
    began = monotonic()
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        list(threads.map(lambda n: _send(port, mails[n::CONNECTIONS]), range(CONNECTIONS)))
    print(monotonic() - began)


def _send(port: int, mails: list[bytes]) -> None:
    with smtplib.SMTP("127.0.0.1", port) as client:
        for number, each in enumerate(mails):
            sender = f"player{number}@player.example"
            client.sendmail(sender, ["judge@mach.example"], each)


if __name__ == "__main__":
    main()
