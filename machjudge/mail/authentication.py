"""Verify the sender of a mail, by its DKIM signature or a trusted host's word.

DKIM is RFC 6376, Authentication-Results RFC 8601. A proof is for this judge and now: the mail names
the judge in To or Cc, its Date is that of its receipt, and its signature covers all meaningful
parts; repeats are found elsewhere. The whole mail is untrusted, so its head is checked before a
library sees it, and an ambiguous head proves nothing.
"""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING

import structlog

from machjudge.judge.faults import SenderNotKnownYet
from machjudge.mail.addresses import message_id_in, route
from machjudge.mail_parser.mime import addresses_in

if TYPE_CHECKING:
    import dns.resolver

# --- the field Authentication-Results by its grammar (RFC 8601, 2.2) ----------------------------
#
# A field that breaks it is ignored. As an extension, bare values may have any signs but separators,
# as servers write them.

_LONGEST_RESULTS = 10_000

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
    if len(text) > _LONGEST_RESULTS or _NOT_TEXT.search(text):
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


# --- the keys of signers ------------------------------------------------------------------------

# The public keys of DKIM signers, asked of the name server of this machine, and remembered. A key
# is a TXT record (RFC 6376, 3.6.2). That there is none is remembered as well. Who writes mails
# decides whose name servers are asked. So the waiting for those of one domain is bounded, and
# costs no other domain its answer; the waiting for all of them together becomes short, not
# nothing.
SECONDS = 2.0
"""The time limit for a stranger's name server."""
MAX_WAITED, A_WHILE = 4.0, 60.0
"""The most seconds of waiting for a domain in a period; then only cached answers count."""
MAX_FOR_ALL, BRIEF = 10.0, 0.25
"""After so many seconds for all domains, questions wait only briefly."""
LONGEST = 3600.0
"""The longest time in seconds for which an answer is cached."""
_MAX_ANSWERS = 1000


class NoAnswerInTime(SenderNotKnownYet):
    """The name server did not answer in time."""


class KeyFinder:
    """Finds the TXT record of a name.

    *made* makes the resolver; by default the machine's own. *clock* counts seconds.
    """

    def __init__(
        self,
        made: "Callable[[], dns.resolver.Resolver] | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._made = made
        self._clock = clock
        self._waited: dict[bytes, float] = defaultdict(float)
        self._since = clock()

    def __call__(self, name: bytes, timeout: float = SECONDS) -> bytes | None:
        """Return the joined TXT record; None if there is none.  Raises NoAnswerInTime."""
        from dns.exception import DNSException, Timeout  # noqa: PLC0415  as below
        from dns.resolver import NXDOMAIN, NoAnswer  # noqa: PLC0415

        began = self._clock()
        if began - self._since > A_WHILE:
            self._since = began
            self._waited.clear()
        owner = _owner(name)
        try:
            found = self._resolver.resolve(
                name.decode("ascii"), "TXT", lifetime=self._patience(owner, timeout), search=False
            )
        except (NXDOMAIN, NoAnswer):
            return None
        except Timeout as silence:
            raise NoAnswerInTime from silence
        except (DNSException, UnicodeError, OSError):
            return None
        finally:
            self._waited[owner] += self._clock() - began
        return next((b"".join(each.strings) for each in found), None)

    def _patience(self, owner: bytes, timeout: float) -> float:
        """The seconds for an answer; cached ones take none."""
        if self._waited[owner] >= MAX_WAITED:
            return 0.0
        return min(timeout, BRIEF) if sum(self._waited.values()) >= MAX_FOR_ALL else timeout

    @cached_property
    def _resolver(self) -> "dns.resolver.Resolver":
        from dns import resolver  # noqa: PLC0415  takes long to load, and few mails are signed

        made = self._made() if self._made is not None else resolver.Resolver()
        made.cache = _short_memory()
        return made


def _owner(name: bytes) -> bytes:
    """The owner's domain: the last two labels, or three below ``co.uk``.

    A name server's owner can make any number of names.
    """
    labels = name.lower().rstrip(b".").split(b".")
    *_, second, top = [b"", *labels]
    is_below_country = len(top) == _COUNTRY and len(second) <= _OF_COUNTRY
    return b".".join(labels[-3 if is_below_country else -2 :])


_COUNTRY, _OF_COUNTRY = 2, 3
"""Letters of a country's domain, and of shared ones below it: ``co.uk``, ``com.br``."""


def _short_memory() -> "dns.resolver.LRUCache":
    from dns import resolver  # noqa: PLC0415  as above

    class ShortMemory(resolver.LRUCache):
        """Answers of the last hour."""

        def put(self, key: "dns.resolver.CacheKey", value: "dns.resolver.Answer") -> None:
            value.expiration = min(value.expiration, time.time() + LONGEST)
            super().put(key, value)

    return ShortMemory(_MAX_ANSWERS)


Dns = Callable[..., bytes | None]
"""The TXT record of a name; the library adds a timeout in seconds."""

FRESH = timedelta(days=2)
"""The most time between a mail's Date, or signature, and its receipt."""
_AHEAD = timedelta(hours=1)
"""The most time by which a signature may be later than the receipt: clocks differ."""

_MAX_HEAD = 64_000
_MAX_FIELDS = 300
_MAX_SIGNATURES = 2
"""The most signatures of a mail that are looked up."""
_MAX_NAMED = 200
"""The most fields named in a signature."""
_LONGEST_SIGNATURE = 5_000
_LONGEST_KEY = 1_500
"""The longest key record; 4,096 bits take half of it."""
_LEAST_BITS = 1024
_ALGORITHM = b"rsa-sha256"
"""The only algorithm left by RFC 8301 that all servers know."""
_VOUCHED = frozenset((_ALGORITHM, b"ed25519-sha256"))
"""Methods for which the trusted host's word counts."""

_ALWAYS = frozenset((b"from", b"subject", b"date", b"message-id", b"content-type"))
"""Fields that a signature must name, even if absent, so that none is added."""
_WHERE_PRESENT = frozenset((b"mime-version",))
_CONTENT = b"content-"
_ONCE = (b"from", b"message-id")

_END_OF_HEAD = re.compile(rb"\r?\n\r?\n|\r?\n?\Z")
_LINE_END = re.compile(rb"\r?\n")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_FIELD = re.compile(rb"([!-9;-~]{1,200}):")
_GAP = re.compile(rb"\s{60}")
"""White space that slows the library's expressions."""
_BLANKS = re.compile(rb"[\t ]+")
_DOMAIN = re.compile(rb"[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
_HOST = re.compile(rb"[ \t]*([^\s;()\"\\]+?)\.?(?=[\s;(]|\Z)")
_NUMBER = re.compile(rb"[0-9]{1,12}")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DnsSenderChecks:
    """Verifies senders; *dns* finds TXT records, *host* is trusted."""

    judge: str
    """The judge's address, which a mail must name."""
    host: str = ""
    """The authserv-id of the keeper's mail server; empty: no results are trusted."""
    dns: Dns = field(default_factory=KeyFinder)

    def is_verified(self, raw: bytes, address: str, received: datetime) -> bool:
        """Return whether the mail *raw* proves that *address*, in its From, wrote to the judge.

        *received* is when it came.  Raises SenderNotKnownYet if a name server did not answer in
        time.
        """
        domain = address.rpartition("@")[2].lower().rstrip(".")
        head = _head_of(raw)
        if not domain or head is None:
            return False
        own = [*_signatures(head, domain, self.judge, received)]
        if not head.is_for(self.judge, received, is_dated=bool(own)):
            return False
        return _is_vouched_for(head, own, domain, self.host) or self._is_signed(raw, own)

    def _is_signed(self, raw: bytes, own: "Sequence[_Signature]") -> bool:
        good = [each for each in own if each.is_whole and each.tags[b"a"] == _ALGORITHM]
        return any(self._is_right(raw, each) for each in good[:_MAX_SIGNATURES])

    def _is_right(self, raw: bytes, signature: "_Signature") -> bool:
        import dkim  # noqa: PLC0415  takes long to load, and few mails are signed

        def key(name: bytes, timeout: float = SECONDS) -> bytes | None:
            return _usable(self.dns(name, timeout=timeout), signature.tags)

        try:
            mail = dkim.DKIM(raw, logger=_Silent(), minkey=_LEAST_BITS, timeout=SECONDS)
            if signature.tags.get(b"c", b"").endswith(b"/relaxed"):
                # The same to this canonicalization, and no work for its expressions.
                mail.body = _BLANKS.sub(b" ", mail.body)
            fields = [each for each in mail.headers if each[0].lower() == b"dkim-signature"]
            names, field_ = list(signature.names), fields[signature.number]
            return bool(mail.verify_sig(signature.tags, names, field_, key))
        except SenderNotKnownYet:
            raise
        # Whatever strangers write into a signature, or their name servers say, proves nothing.
        except Exception as fault:
            log.info("signature refused", fault=type(fault).__name__)
            return False


class _Silent:
    """A logger that drops the library's messages, which repeat the mail."""

    def __getattr__(self, _: str) -> Callable[..., None]:
        return lambda *_args, **_more: None


# --- the head of a mail ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Head:
    """An unambiguous header: names in lower case, raw values."""

    fields: tuple[tuple[bytes, bytes], ...]

    @cached_property
    def times(self) -> Counter[bytes]:
        return Counter(name for name, _ in self.fields)

    def all(self, name: bytes) -> list[bytes]:
        return [value for each, value in self.fields if each == name]

    def is_for(self, judge: str, received: datetime, *, is_dated: bool) -> bool:
        """Return whether it is a recent mail with a Message-ID to the judge.

        Without *is_dated* it may have no Date: then the trusted host alone says when it was sent.
        """
        if any(self.times[name] != 1 for name in _ONCE) or self.times[b"date"] > 1:
            return False
        dates = self.all(b"date")
        is_fresh = bool(dates) or not is_dated
        for date in dates:
            written = _instant(date)
            is_fresh = written is not None and abs(written - received) <= FRESH
        readers = (*self.all(b"to"), *self.all(b"cc"))
        (ident,) = self.all(b"message-id")
        return is_fresh and bool(message_id_in(ident)) and _name(readers, judge)


def _head_of(raw: bytes) -> _Head | None:
    """The head, if unambiguous: no bare CR, no noise, every line a field."""
    start = raw[: _MAX_HEAD + 1]
    end = _END_OF_HEAD.search(start)
    if end is None or end.start() > _MAX_HEAD or (end.end() == len(start) < len(raw)):
        return None
    fields: list[tuple[bytes, list[bytes]]] = []
    for line in _LINE_END.split(start[: end.start()]):
        begun = _FIELD.match(line)
        if _CONTROL.search(line):
            return None
        if line[:1] in (b" ", b"\t") and fields and line.strip():
            fields[-1][1].append(line)
        elif begun is not None and len(fields) < _MAX_FIELDS:
            fields.append((begun[1].lower(), [line[begun.end() :]]))
        else:
            return None
    return _Head(tuple((name, b"\r\n".join(lines)) for name, lines in fields))


def _text(value: bytes) -> str:
    return _LINE_END.sub(b"", value).decode("utf-8", "replace").strip()


def _instant(date: bytes) -> datetime | None:
    """The instant of a Date field, or None."""
    try:
        found = parsedate_to_datetime(_text(date)[:100])
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _name(fields: Sequence[bytes], judge: str) -> bool:
    named = (address for each in fields for address in addresses_in(_text(each)))
    return any(route(judge, address) is not None for address in named)


# --- signatures ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Signature:
    number: int
    """Its index among the mail's signatures, from the top."""
    tags: dict[bytes, bytes]
    names: tuple[bytes, ...]
    """Its fields, in lower case."""
    is_whole: bool
    """True if it covers the whole mail, was made for the judge, and is valid now."""


def _signatures(head: _Head, domain: str, judge: str, received: datetime) -> "Iterator[_Signature]":
    """The signatures of the domain or one above it, and those of unknown domains."""
    for number, value in enumerate(head.all(b"dkim-signature")):
        tags = _tags(value)
        if tags is None or not _DOMAIN.fullmatch(tags.get(b"d", b"")):
            yield _Signature(number, {}, (), is_whole=False)
            continue
        if not is_aligned(tags[b"d"].decode("ascii"), domain):
            continue
        names = tuple(name.strip().lower() for name in tags.get(b"h", b"").split(b":"))
        is_whole = (
            _is_sound(tags)
            and _is_now(tags, received)
            and len(names) <= _MAX_NAMED
            and _covers(head, Counter(names), judge)
        )
        yield _Signature(number, tags, names, is_whole=is_whole)


def _tags(value: bytes) -> dict[bytes, bytes] | None:
    """The tags of a signature; None if unreadable."""
    if len(value) > _LONGEST_SIGNATURE or _GAP.search(value):
        return None
    from dkim.util import InvalidTagValueList, parse_tag_value  # noqa: PLC0415  as above

    try:
        found: dict[bytes, bytes] = parse_tag_value(value)
    except InvalidTagValueList:
        return None
    return found


def _is_sound(tags: dict[bytes, bytes]) -> bool:
    """Return whether it is a version 1 signature over the whole text with possible names."""
    domain, who = tags.get(b"d", b""), tags.get(b"i")
    behind = who.rpartition(b"@")[2].lower() if who is not None else domain.lower()
    return (
        tags.get(b"v") == b"1"
        and tags.get(b"a") in _VOUCHED
        and tags.get(b"q", b"dns/txt") == b"dns/txt"
        and b"l" not in tags
        and all(tags.get(name) for name in (b"b", b"bh", b"h"))
        and all(_DOMAIN.fullmatch(tags.get(name, b"")) for name in (b"d", b"s"))
        and (behind == domain.lower() or behind.endswith(b"." + domain.lower()))
    )


def _is_now(tags: dict[bytes, bytes], received: datetime) -> bool:
    """Return whether it is recent and had not expired at the receipt."""
    if any(not _NUMBER.fullmatch(tags[name]) for name in (b"t", b"x") if name in tags):
        return False
    came = received.timestamp()
    made, ends = int(tags.get(b"t", b"%d" % int(came))), tags.get(b"x")
    is_late = ends is not None and (came >= int(ends) or int(ends) < made)
    return not is_late and -FRESH.total_seconds() <= made - came <= _AHEAD.total_seconds()


def _covers(head: _Head, named: Counter[bytes], judge: str) -> bool:
    """Return whether all fields that matter are covered.

    A field is covered as often as it is named, from below; one more on top would be read first.
    """
    if not all(named[name] for name in _ALWAYS):
        return False
    means = (name for name in head.times if name.startswith(_CONTENT))
    for name in {*_ALWAYS, *_WHERE_PRESENT, *means}:
        if head.times[name] > named[name]:
            return False
    readers = [value for name in (b"to", b"cc") for value in head.all(name)[::-1][: named[name]]]
    return _name(readers, judge)


def _usable(record: bytes | None, tags: dict[bytes, bytes]) -> bytes | None:
    """The record's key for this signature (RFC 6376, 3.6.1), or None."""
    from dkim.util import InvalidTagValueList, parse_tag_value  # noqa: PLC0415  as above

    try:
        said: dict[bytes, bytes] = parse_tag_value((record or b"")[: _LONGEST_KEY + 1])
    except InvalidTagValueList:
        return None
    flags, hashes, services = (
        {each.strip().lower() for each in said.get(name, b"").split(b":")} - {b""}
        for name in (b"t", b"h", b"s")
    )
    who = tags.get(b"i", b"@" + tags[b"d"]).rpartition(b"@")[2]
    may = (
        len(record or b"") <= _LONGEST_KEY
        and said.get(b"v", b"DKIM1") == b"DKIM1"
        and said.get(b"k", b"rsa").lower() == b"rsa"
        and b"y" not in flags
        and (b"s" not in flags or who.lower() == tags[b"d"].lower())
        and (not hashes or b"sha256" in hashes)
        and (not services or bool(services & {b"*", b"email"}))
        and bool(said.get(b"p"))
    )
    return b"v=DKIM1; k=rsa; p=" + said[b"p"] if may else None


def is_aligned(signer: str, domain: str) -> bool:
    """Return whether a domain may sign for another: the same, or one below it."""
    signer = signer.lower().strip(".")
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


# --- the word of a trusted host --------------------------------------------------------------


def _is_vouched_for(head: _Head, own: Sequence[_Signature], domain: str, host: str) -> bool:
    """Return whether the trusted host's topmost results confirm the sender; others may be forged.

    The host does not say what a signature covers, so all the domain's signatures must be valid
    here.
    """
    fields = head.all(b"authentication-results") if host else ()
    found = next((each for each in fields if _is_of(each, host)), None)
    results = results_of(_text(found)) if found is not None else None
    is_whole = all(each.is_whole for each in own)
    for result in results or ():
        if not result.has_passed:
            continue
        match result.method:
            case "dkim" if is_whole and is_aligned(_domain(result, "header.d"), domain):
                return True
            case "dmarc" if _domain(result, "header.from") == domain:
                if is_whole or any(_came_from(each, domain) for each in results or ()):
                    return True
            case _:
                continue
    return False


def _is_of(field_: bytes, host: str) -> bool:
    """Return whether a field has the host's own form: the plain name first, in its line.

    A server that removes forged fields may not recognise its name in quotes, behind a comment or in
    another line.
    """
    name = _HOST.match(field_)
    return name is not None and name[1].lower() == host.lower().rstrip(".").encode()


def _domain(result: AuthResult, name: str) -> str:
    """The only domain named in a result, or ""."""
    found = result.named(name)
    return found[0].lower().rpartition("@")[2].rstrip(".") if len(found) == 1 else ""


def _came_from(result: AuthResult, domain: str) -> bool:
    """Return whether a server sent the mail that may do so for the domain (RFC 7489, 3.1.2)."""
    sender = _domain(result, "smtp.mailfrom")
    is_own = is_aligned(sender, domain) or is_aligned(domain, sender)
    return result.method == "spf" and result.has_passed and bool(sender) and is_own
