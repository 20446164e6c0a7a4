"""What surrounds the tests: nothing of the machine they run on, or of whoever runs them."""

import locale
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

_PREFIXES = ("LC_", "PG", "XDG_", "CLICOLOR")
_NAMES = {
    "COLUMNS",
    "FORCE_COLOR",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",  # each process would compile everything anew
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "TZDIR",
}
OURS = "MACHJUDGE_"
KEPT = "MACHJUDGE_TEST_"
"""What tests are told by a variable, such as the PostgreSQL server to use."""


def cut_off() -> None:
    """Forget the machine's settings, zone, language, home and umask, here and in what we start."""
    for name in [*os.environ]:
        ours = name.startswith(OURS) and not name.startswith(KEPT)
        if ours or name in _NAMES or name.startswith(_PREFIXES):
            del os.environ[name]
    sys.dont_write_bytecode = False
    _keep_index()
    os.environ |= {
        # An empty file of settings: neither the machine's own is looked for, nor one in the folder.
        "MACHJUDGE_CONFIG": os.devnull,
        "HOME": os.devnull,  # nothing can be read there, and nothing written
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }
    time.tzset()
    with suppress(locale.Error):  # not every system has it
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
    os.umask(0o022)


def _keep_index() -> None:
    """Leave pip the package index that is set up in the home which we leave."""
    usual = Path.home() / ".config" / "pip" / "pip.conf"
    if usual.is_file():
        os.environ.setdefault("PIP_CONFIG_FILE", str(usual))
