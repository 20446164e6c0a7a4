"""Parse the field Authentication-Results by its grammar (RFC 8601, 2.2).

A field that breaks it is ignored. As an extension, bare values may have any signs but separators,
as servers write them.
"""

import re
from dataclasses import dataclass

LONGEST = 10_000

_KEYWORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?", re.ASCII)
_VERSION = re.compile(r"[0-9]+", re.ASCII)
_BARE = re.compile(r"[^\s;()\"\\,]+")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
_PAIR = re.compile(r"\\(.)")
_NOT_TEXT = re.compile(r"[^\t -~\xa0-\U0010ffff]")
_BLANK = re.compile(r"[ \t]*")
_IN_COMMENT = re.compile(r"(?:[^()\\]|\\.)*")


class _NoResults(ValueError):
    """The field breaks the grammar."""


@dataclass(frozen=True, slots=True)
class AuthResult:
    """The result of one check."""

    method: str
    """In small letters, such as ``dkim``."""
    result: str
    is_known: bool
    """True for the only version of the method."""
    properties: tuple[tuple[str, str], ...]
    """Names in small letters, such as ``header.d``, with values."""

    @property
    def has_passed(self) -> bool:
        """Return whether the check passed."""
        return self.is_known and self.result == "pass"

    def named(self, name: str) -> list[str]:
        """Return the values of a property."""
        return [value for each, value in self.properties if each == name]


def results_of(text: str) -> list[AuthResult] | None:
    """Return the results in an unfolded field; None if it is invalid or of another version.

    "none" is an empty list.
    """
    if len(text) > LONGEST or _NOT_TEXT.search(text):
        return None
    try:
        return _Field(text).results()
    except _NoResults:
        return None


class _Field:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def results(self) -> list[AuthResult]:
        """Read everything.  Raises _NoResults."""
        self.pass_over()
        self.value()
        if self.pass_over() and self.peek(_VERSION) and self.take(_VERSION) != "1":
            raise _NoResults
        self.pass_over()
        found: list[AuthResult] = []
        while self.sign(";"):
            self.pass_over()
            if self.at == len(self.text) and found:
                break
            result = self.result(is_first=not found)
            if result is None:
                break
            found.append(result)
        if self.at != len(self.text):
            raise _NoResults
        return found

    def result(self, *, is_first: bool) -> AuthResult | None:
        """Read a result; None for "none"."""
        method, version = self.take(_KEYWORD).lower(), "1"
        self.pass_over()
        if is_first and method == "none" and self.at == len(self.text):
            return None
        if self.sign("/"):
            self.pass_over()
            version = self.take(_VERSION)
            self.pass_over()
        self.expect("=")
        self.pass_over()
        result, properties = self.take(_KEYWORD).lower(), []
        while self.pass_over() and self.peek(_KEYWORD):
            found = self.property()
            if found is not None:
                properties.append(found)
        return AuthResult(method, result, version == "1", tuple(properties))

    def property(self) -> tuple[str, str] | None:
        """Read a property and its value; None for a reason."""
        kind = self.take(_KEYWORD).lower()
        self.pass_over()
        name = ""
        if kind != "reason" or self.text[self.at : self.at + 1] != "=":
            self.expect(".")
            self.pass_over()
            name = self.take(_KEYWORD).lower()
            self.pass_over()
        self.expect("=")
        self.pass_over()
        value = self.value()
        return (f"{kind}.{name}", value) if name else None

    def value(self) -> str:
        """Read a value: bare, quoted, or both in an address with a quoted name."""
        parts: list[str] = []
        while self.peek(_QUOTED) or self.peek(_BARE):
            if self.peek(_QUOTED):
                parts.append(_PAIR.sub(r"\1", self.take(_QUOTED)[1:-1]))
            else:
                parts.append(self.take(_BARE))
        if not parts:
            raise _NoResults
        return "".join(parts)

    def pass_over(self) -> bool:
        """Pass over blanks and nested comments; return whether there were any."""
        began = self.at
        self.take(_BLANK)
        while self.sign("("):
            depth = 1
            while depth:
                self.take(_IN_COMMENT)
                if self.sign("("):
                    depth += 1
                else:
                    self.expect(")")
                    depth -= 1
            self.take(_BLANK)
        return self.at > began

    def peek(self, what: re.Pattern[str]) -> bool:
        return what.match(self.text, self.at) is not None

    def take(self, what: re.Pattern[str]) -> str:
        """Take what comes next.  Raises _NoResults if it is something else."""
        found = what.match(self.text, self.at)
        if found is None:
            raise _NoResults
        self.at = found.end()
        return found[0]

    def sign(self, sign: str) -> bool:
        """Pass over a sign if it comes next; return whether it does."""
        is_it = self.text.startswith(sign, self.at)
        self.at += is_it
        return is_it

    def expect(self, sign: str) -> None:
        """Pass over a sign.  Raises _NoResults if something else comes."""
        if not self.sign(sign):
            raise _NoResults
