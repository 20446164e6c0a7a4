"""A text ↔ a JSON document, in the strict sense of RFC 8259."""

import json
from typing import NoReturn

from machjudge.codec.document.shape import Json, refuse, shown

TOO_DEEP = "it is nested too deeply"


def read_document(line: bytes) -> Json:
    """The JSON value of a line, or of a file.

    Raises Unfit for what is no UTF-8 or no JSON, for NaN and infinity, for a key that stands twice
    in an object (one of the two would be lost without a word), and for a value nested so deeply
    that reading it would not end well.
    """
    try:
        value: Json = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse(f"it is not UTF-8: the byte at {error.start}")
    except json.JSONDecodeError as error:
        refuse(f"it is not JSON: {error.msg.lower()}, {_place(error)}")
    except RecursionError:
        refuse(TOO_DEEP)
    except ValueError:
        refuse("a number has too many digits")
    return value


def _place(error: json.JSONDecodeError) -> str:
    """Where the fault is; a document of several lines is counted by lines."""
    line = "" if error.doc.count("\n") < 1 else f"in line {error.lineno} "
    end = ", where it ends" if error.pos >= len(error.doc.rstrip()) else ""
    return f"{line}at character {error.colno}{end}"


def write_document(value: Json) -> str:
    """The value on one line, in ASCII."""
    return _ENCODER.encode(value)


def _each_key_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        refuse(f'the key "{shown(twice)}" stands twice in one object')
    return found


def _refuse_constant(name: str) -> NoReturn:
    refuse(f"{name} is no number of JSON")


# What is written was made here, and holds nothing within itself.
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)
_DECODER = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_refuse_constant)
