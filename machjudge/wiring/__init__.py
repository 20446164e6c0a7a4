"""Everything put together from the settings: the only place that knows all rooms."""

from machjudge.wiring.application import Application, build
from machjudge.wiring.logs import log_to_stderr
from machjudge.wiring.passwords import Argon2Passwords
from machjudge.wiring.rounds import tick, work
from machjudge.wiring.running import serve, work_on

__all__ = [
    "Application",
    "Argon2Passwords",
    "build",
    "log_to_stderr",
    "serve",
    "tick",
    "work",
    "work_on",
]
