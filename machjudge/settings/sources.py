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

from machjudge.settings.table import PREFIX, TABLE, Entry, Settings, SettingsError

CONFIG_VARIABLE = PREFIX + "CONFIG"
"""The variable that names the file."""

USUAL_FILES = (Path("machjudge.toml"), Path("/etc/machjudge.toml"))
"""Where a file is looked for when nobody names one; the first that exists is read."""

_BY_NAME = {entry.name: entry for entry in TABLE}
_BY_VARIABLE = {entry.variable: entry for entry in TABLE}
_LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Given:
    """The value that somebody gave to one setting: as text, by whom, and where he stands."""

    entry: Entry
    text: str
    origin: str
    folder: Path


def load(
    environ: Mapping[str, str], file: Path | None = None, usual: Sequence[Path] = USUAL_FILES
) -> Settings:
    """The settings in force.

    *file* is the one named on the command line; without it MACHJUDGE_CONFIG names one, and
    without that the first of *usual* that exists is read, if any.
    SettingsError names the key, its origin and what is expected.
    """
    chosen = _choose_file(environ, file, usual)
    given = [] if chosen is None else list(_given_in_file(chosen))
    given += _given_in_variables(environ)
    origins = {entry.name: "default" for entry in TABLE} | {
        each.entry.name: each.origin for each in given
    }
    # Any: each field has a type of its own, and its kind has just made a value of that type.
    values: dict[str, Any] = {each.entry.name: _value(each) for each in given}
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


def _given_in_file(file: Path) -> Iterator[Given]:
    folder = file.resolve().parent
    for key, value in _read_file(file).items():
        if key not in _BY_NAME:
            raise SettingsError(_unknown(f"{file}: there is no setting {key!r}", key, _BY_NAME))
        entry = _BY_NAME[key]
        yield Given(entry, _as_text(entry, value, str(file)), str(file), folder)


def _read_file(file: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"{file}: the settings cannot be read: {error.strerror}"
        raise SettingsError(message) from error
    except ValueError as error:
        message = f"{file}: not a TOML file: {error}"
        raise SettingsError(message) from error


def _as_text(entry: Entry, value: object, origin: str) -> str:
    """The *value* of a TOML file as one would write it in a variable."""
    match value:
        case str():
            return value
        case int() if not isinstance(value, bool):
            return str(value)
        case list() if all(type(item) in {str, int} for item in value):
            return " ".join(map(str, value))
        case _:
            raise SettingsError(_expected(entry, repr(value), origin))


def _given_in_variables(environ: Mapping[str, str]) -> Iterator[Given]:
    known = [*_BY_VARIABLE, CONFIG_VARIABLE]
    for variable, text in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if variable not in _BY_VARIABLE:
            raise SettingsError(_unknown(f"there is no variable {variable}", variable, known))
        yield Given(_BY_VARIABLE[variable], text, variable, Path())


def _value(given: Given) -> object:
    try:
        return given.entry.kind.read(given.text, given.folder)
    except ValueError:
        # Not chained: the cause repeats the text, which may be a password.
        message = _expected(given.entry, repr(given.text), given.origin)
        raise SettingsError(message) from None


def _expected(entry: Entry, quoted: str, origin: str) -> str:
    said = "" if entry.kind.secret else f", not {quoted[:_LONGEST_QUOTE]}"
    return f"{origin}: {entry.name} must be {entry.kind.expected}{said}"


def _unknown(message: str, word: str, known: Sequence[str] | Mapping[str, Entry]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return (
        f"{message}; did you mean {near[0]}?"
        if near
        else f"{message}; there are {', '.join(known)}"
    )
