"""A file layer below SQLite that tells every write and sync, put in from Python.

SQLite reaches its files through a table of functions (https://sqlite.org/vfs.html).  The usual
table is copied, and in the copy `xWrite`, `xTruncate`, `xSync` and `xClose` tell what they do
before they do it.  What nobody syncs is in the page cache only: gone when power fails.
"""

import _sqlite3
import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_P, _INT, _I64 = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_OPEN = ctypes.CFUNCTYPE(_INT, _P, _P, _P, _INT, ctypes.POINTER(_INT))
_WRITE = ctypes.CFUNCTYPE(_INT, _P, _P, _INT, _I64)
_TRUNCATE = ctypes.CFUNCTYPE(_INT, _P, _I64)
_SYNC = ctypes.CFUNCTYPE(_INT, _P, _INT)
_CLOSE = ctypes.CFUNCTYPE(_INT, _P)

_METHODS = 19
"""Pointers in a table of version 3, the number of the version included."""
_CLOSING, _WRITING, _TRUNCATING, _SYNCING = 1, 3, 4, 5


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", _INT),
        ("file_size", _INT),
        ("longest_name", _INT),
        ("next", _P),
        ("name", ctypes.c_char_p),
        ("own", _P),
        ("open", _P),
        ("others", _P * 18),
    )


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that are written into a file."""

    file: Path
    at: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file is cut off."""

    file: Path
    length: int


@dataclass(frozen=True, slots=True)
class Sync:
    """All that was written into a file before is on disk when this returns."""

    file: Path


Act = Write | Truncate | Sync


_LAYERS: list["Layer"] = []
"""SQLite calls into a layer as long as the process lives."""


class Layer:
    """The layer; there is one a process, for every file of SQLite that is opened afterwards.

    *told* is called before each act, in the thread that does it.
    """

    def __init__(self, told: Callable[[Act], None]) -> None:
        self._told = told
        self._files: dict[int, Path] = {}
        self._tables: dict[int, tuple[object, ...]] = {}
        self._library = ctypes.CDLL(_sqlite3.__file__)
        find = self._library.sqlite3_vfs_find
        find.restype, find.argtypes = ctypes.POINTER(_Vfs), [ctypes.c_char_p]
        self._usual = find(None).contents
        self._open = _OPEN(self._usual.open)
        self._own = _Vfs.from_buffer_copy(self._usual)
        self._own.name = b"told"
        self._callback = _OPEN(self._opened)
        self._own.open = ctypes.cast(self._callback, _P)
        register = self._library.sqlite3_vfs_register
        register.argtypes = [ctypes.POINTER(_Vfs), _INT]
        assert register(ctypes.byref(self._own), 1) == 0
        _LAYERS.append(self)

    def _opened(self, _vfs, name, file, flags, found) -> int:
        """Open a file in the usual way, then put our table under it."""
        code = self._open(ctypes.addressof(self._usual), name, file, flags, found)
        table = ctypes.cast(file, ctypes.POINTER(_P))
        if code == 0 and name and table[0]:
            self._files[file] = Path(ctypes.string_at(name).decode())
            table[0] = self._told_table(table[0])
        return code

    def _told_table(self, usual: int) -> int:
        """The copy of a table of file functions that tells."""
        if usual not in self._tables:
            own = (_P * _METHODS).from_address(usual)
            copy = (_P * _METHODS)(*own)
            calls = (
                (_WRITING, self._write(_WRITE(own[_WRITING]))),
                (_TRUNCATING, self._truncate(_TRUNCATE(own[_TRUNCATING]))),
                (_SYNCING, self._sync(_SYNC(own[_SYNCING]))),
                (_CLOSING, self._close(_CLOSE(own[_CLOSING]))),
            )
            for place, call in calls:
                copy[place] = ctypes.cast(call, _P).value
            self._tables[usual] = (copy, calls)
        return ctypes.addressof(self._tables[usual][0])

    def _write(self, usual):
        @_WRITE
        def write(file, data, length, at):
            self._told(Write(self._files[file], at, ctypes.string_at(data, length)))
            return usual(file, data, length, at)

        return write

    def _truncate(self, usual):
        @_TRUNCATE
        def truncate(file, length):
            self._told(Truncate(self._files[file], length))
            return usual(file, length)

        return truncate

    def _sync(self, usual):
        @_SYNC
        def sync(file, flags):
            self._told(Sync(self._files[file]))
            return usual(file, flags)

        return sync

    def _close(self, usual):
        @_CLOSE
        def close(file):
            self._files.pop(file, None)
            return usual(file)

        return close
