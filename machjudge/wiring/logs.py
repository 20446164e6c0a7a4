"""The log: one line for each thing that happened, on standard error.

No text of a mail, no password and no value of a variable stands in it: faults are told by their
kind and place alone.
"""

import logging
import sys
import traceback
from collections.abc import MutableMapping
from types import TracebackType
from typing import Any

import structlog

_LEVELS = logging.getLevelNamesMapping()


def log_to_stderr(level: str) -> None:
    """Set the log up; *level* is one of the words that the settings know."""
    # aiosmtpd logs commands and, at its most talkative, every line of a mail.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            tell_fault,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def tell_fault(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace an exception by its kind and the places that it passed, innermost last."""
    given = event.pop("exc_info", None)
    fault = sys.exc_info()[1] if given is True else given
    if isinstance(fault, BaseException):
        event["fault"] = fault_of(fault)
    return event


def fault_of(fault: BaseException) -> str:
    """The kind of a fault and the places that it passed; not what it says."""
    return f"{type(fault).__name__} at {' '.join(_places(fault.__traceback__)) or 'nowhere'}"


def _places(trace: TracebackType | None) -> list[str]:
    frames = traceback.extract_tb(trace)
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames]
