"""Put the settings in force together from a file and from variables.  Reads nothing but the file.

Variables win over the file, and the file over the defaults.
"""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from machjudge.settings.table import PREFIX, TABLE, SettingRow, Settings, SettingsError

CONFIG_VARIABLE = PREFIX + "CONFIG"
"""The variable that names the file."""

USUAL_FILES = (Path("machjudge.toml"), Path("/etc/machjudge.toml"))
"""Where a file is looked for when nobody names one; the first that exists is read."""

_BY_NAME = {entry.name: entry for entry in TABLE}
_BY_VARIABLE = {entry.variable: entry for entry in TABLE}
_LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class GivenValue:
    """The value that somebody gave to one setting: as text, where, and the folder it counts from.

    The folder is that of the file, for paths; the one that we are in for a variable.
    """

    entry: SettingRow
    text: str
    origin: str
    folder: Path


@dataclass(frozen=True, slots=True)
class SettingFault:
    """Something that cannot be used: which setting, where it was said, what is expected."""

    says: str


def load(
    environ: Mapping[str, str], file: Path | None = None, usual: Sequence[Path] = USUAL_FILES
) -> Settings:
    """The settings in force.

    *file* is the one named on the command line; without it MACHJUDGE_CONFIG names one, and
    without that the first of *usual* that exists is read, if any.
    SettingsError names every fault at once.
    """
    chosen = _choose_file(environ, file, usual)
    found = [] if chosen is None else list(_in_file(chosen))
    found += _in_variables(environ)
    read = [(each, _value(each)) for each in found]
    faults = [value.says for _, value in read if isinstance(value, SettingFault)]
    if faults:
        raise SettingsError(faults)
    # Any: each field has a type of its own, and its kind has just made a value of that type.
    values: dict[str, Any] = {}
    origins = {entry.name: "default" for entry in TABLE}
    for given, value in read:
        if isinstance(given, GivenValue):
            values[given.entry.name] = value
            origins[given.entry.name] = given.origin
    return Settings(**values, origins=MappingProxyType(origins))


def _choose_file(
    environ: Mapping[str, str], file: Path | None, usual: Sequence[Path]
) -> Path | None:
    if file is not None:
        return file
    named = environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named)
    return next((path for path in usual if path.is_file()), None)


def _in_file(file: Path) -> Iterator[GivenValue | SettingFault]:
    folder = file.resolve().parent
    table = _read_file(file)
    if isinstance(table, SettingFault):
        yield table
        return
    for key, value in table.items():
        if key in _BY_NAME:
            yield _given(_BY_NAME[key], value, file, folder)
        else:
            yield _unknown(f"{file}: there is no setting {key!r}", key, _BY_NAME)


def _read_file(file: Path) -> Mapping[str, object] | SettingFault:
    try:
        # Some editors put a byte order mark at the beginning.
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        return SettingFault(f"{file}: the settings cannot be read: {error.strerror}")
    except ValueError as error:
        return SettingFault(f"{file}: not a TOML file: {error}")


def _given(entry: SettingRow, value: object, file: Path, folder: Path) -> GivenValue | SettingFault:
    """The *value* of a TOML file as one would write it in a variable."""
    match value:
        case str():
            text = value
        case int() if not isinstance(value, bool):
            text = str(value)
        case list() if all(type(item) in {str, int} for item in value):
            text = " ".join(map(str, value))
        case _:
            return _expected(entry, repr(value), str(file))
    return GivenValue(entry, text, str(file), folder)


def _in_variables(environ: Mapping[str, str]) -> Iterator[GivenValue | SettingFault]:
    known = [*_BY_VARIABLE, CONFIG_VARIABLE]
    for variable, text in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if variable in _BY_VARIABLE:
            yield GivenValue(_BY_VARIABLE[variable], text, variable, Path())
        else:
            yield _unknown(f"there is no variable {variable}", variable, known)


def _value(given: GivenValue | SettingFault) -> object:
    """The value that is meant; a Fault if there is none."""
    if isinstance(given, SettingFault):
        return given
    try:
        return given.entry.kind.read(given.text, given.folder)
    except ValueError:
        return _expected(given.entry, repr(given.text), given.origin)


def _expected(entry: SettingRow, quoted: str, origin: str) -> SettingFault:
    said = "" if entry.kind.secret else f", not {quoted[:_LONGEST_QUOTE]}"
    return SettingFault(f"{origin}: {entry.name} must be {entry.kind.expected}{said}")


def _unknown(
    message: str, word: str, known: Sequence[str] | Mapping[str, SettingRow]
) -> SettingFault:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return SettingFault(
        f"{message}; did you mean {near[0]}?"
        if near
        else f"{message}; there are {', '.join(known)}"
    )
