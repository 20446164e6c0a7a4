"""The settings of an installation: what can be set, where it is read, where the data folders lie.

Values come from a TOML file and from ``MACHJUDGE_*`` variables; variables win.
The games themselves are not set up here: that is `Rules`, the board and the scenario.
"""

from machjudge.settings.addresses import (
    ListenAddress,
    Protocol,
    RelayAddress,
    RelaySecurity,
    TcpAddress,
    UnixAddress,
)
from machjudge.settings.folders import (
    docs_folder,
    maps_folder,
    migrations_folder,
    templates_folder,
)
from machjudge.settings.sources import load
from machjudge.settings.table import PREFIX, TABLE, SettingRow, Settings, SettingsError

__all__ = [
    "PREFIX",
    "TABLE",
    "ListenAddress",
    "Protocol",
    "RelayAddress",
    "RelaySecurity",
    "SettingRow",
    "Settings",
    "SettingsError",
    "TcpAddress",
    "UnixAddress",
    "docs_folder",
    "load",
    "maps_folder",
    "migrations_folder",
    "templates_folder",
]
