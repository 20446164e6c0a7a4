"""Build the application from the settings; it alone imports all packages.

Names are imported at their first use, so that a process loads only what it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from machjudge.app.application import Application, Argon2Passwords, build
    from machjudge.app.serving import serve, serve_all
    from machjudge.app.working import log_to_stderr, renewed, tick, work, work_on


__all__ = [
    "Application",
    "Argon2Passwords",
    "build",
    "log_to_stderr",
    "renewed",
    "serve",
    "serve_all",
    "tick",
    "work",
    "work_on",
]

_PLACES = {
    "Application": "application",
    "Argon2Passwords": "application",
    "build": "application",
    "log_to_stderr": "working",
    "renewed": "working",
    "serve": "serving",
    "serve_all": "serving",
    "tick": "working",
    "work": "working",
    "work_on": "working",
}


def __getattr__(name: str) -> object:
    """Return a name of `__all__` from its module."""
    if name not in _PLACES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    found: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    return found
