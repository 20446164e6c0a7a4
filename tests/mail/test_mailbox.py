"""What is read of a mail in a mailbox, and how the mailbox is opened."""

import json
import ssl
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.mail.addresses import is_sound, route
from machjudge.mail.mailbox import (
    AccessTokens,
    MailboxFault,
    MailboxPlace,
    OpenFolder,
    PasswordLogin,
    TokenLogin,
    envelope_of,
)
from machjudge.mail.relay import SecretUnreadable, Security
from machjudge.mail.server import protection_by
from tests.cases import cases
from tests.mail.imap import PASSWORD, USER, ImapServer, imap

JUDGE = "judge@mach.example"
HERE = Path(__file__).parent


@cases
def test_the_envelope_is_what_the_provider_has_noted(head, sender, recipients) -> None:
    """Addresses with a tag come first; the topmost Return-Path counts."""
    raw = f"{head}\n\nhelp\n".encode()

    assert envelope_of(raw, JUDGE) == (sender, tuple(recipients))


@given(st.binary(max_size=500) | st.text(max_size=200).map(lambda t: f"To: {t}\n\n".encode()))
def test_any_bytes_have_an_envelope(raw: bytes) -> None:
    """For the judge, and such as can be kept."""
    sender, recipients = envelope_of(raw, JUDGE)

    assert is_sound(sender)
    assert recipients
    assert all(route(JUDGE, each) or each.startswith("postmaster") for each in recipients)


# --- passwords -------------------------------------------------------------------------------


def place(server: ImapServer, login, security: Security = Security.PLAIN, **more) -> MailboxPlace:
    """The mailbox of a server."""
    return MailboxPlace("127.0.0.1", server.port, security, USER, login, **more)


@pytest.mark.parametrize("word", [PASSWORD, "pässwörd", "a b", 'quoted "\\'])
def test_passwords_of_any_signs_open_a_mailbox(word, monkeypatch) -> None:
    """Those that are not ASCII by AUTHENTICATE, as LOGIN knows no others."""
    monkeypatch.setattr("tests.mail.imap.PASSWORD", word)
    with imap(ImapServer()) as server:
        folder = OpenFolder(place(server, PasswordLogin(lambda: word)))
        folder.leave()

    assert 'SELECT "INBOX"' in server.commands


def test_a_refused_password_is_not_repeated() -> None:
    """Whatever the server says of it."""
    with imap(ImapServer()) as server:
        server.refuses = lambda command: "no s3kret here" if command == "LOGIN" else ""
        with pytest.raises(MailboxFault) as told:
            OpenFolder(place(server, PasswordLogin(lambda: "s3kret")))

    assert "no *** here" in str(told.value)
    assert "s3kret" not in str(told.value)


# --- TLS -------------------------------------------------------------------------------------


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_a_mailbox_is_opened_by_tls(security) -> None:
    """From the beginning, or from STARTTLS on; the password travels in neither before."""
    protection = protection_by(HERE / "relay.pem", None)
    server = ImapServer(protection=protection, is_tls=security is Security.TLS)
    trust = _trusting(HERE / "relay.pem")
    with imap(server):
        folder = OpenFolder(place(server, PasswordLogin(lambda: PASSWORD), security, trust=trust))
        folder.leave()

    wanted = ["CAPABILITY", "STARTTLS"] if security is Security.STARTTLS else ["CAPABILITY"]
    assert server.commands[: len(wanted)] == wanted
    assert "LOGIN" in server.commands


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_a_certificate_that_nobody_vouches_for_opens_nothing(security) -> None:
    """And the password stays here."""
    protection = protection_by(HERE / "relay.pem", None)
    server = ImapServer(protection=protection, is_tls=security is Security.TLS)
    with imap(server), pytest.raises(MailboxFault, match="certificate"):
        OpenFolder(place(server, PasswordLogin(lambda: PASSWORD), security))

    assert "LOGIN" not in server.commands


def _trusting(file: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=file)


# --- tokens ----------------------------------------------------------------------------------


@dataclass
class TokenServer:
    """A provider that gives tokens for a refresh token, and perhaps another one of these."""

    refresh: str = "refresh 1"
    turns: bool = False
    life: int = 3600
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    """Answers to the next requests, instead of a token."""
    asked: list[dict[str, list[str]]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)

    def answer(self, form: dict[str, list[str]]) -> tuple[int, bytes]:
        """What is said to a request."""
        self.asked.append(form)
        if self.answers:
            return self.answers.pop(0)
        if form.get("refresh_token") != [self.refresh]:
            return 400, b'{"error": "invalid_grant", "error_description": "expired"}'
        self.given.append(f"access-{len(self.asked)}")
        told = {"access_token": self.given[-1], "token_type": "Bearer", "expires_in": self.life}
        if self.turns:
            self.refresh = told["refresh_token"] = f"refresh {len(self.asked) + 1}"
        return 200, json.dumps(told).encode()


@contextmanager
def giving(tokens: TokenServer) -> Iterator[str]:
    """A web server that gives tokens; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answer a request."""
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, text = tokens.answer(parse_qs(form))
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/token?tenant=a"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Seconds:
    """Time that a test lets pass."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """This second."""
        return self.now


def tokens_of(
    url: str, folder: Path, clock: Seconds, of_client: str | None = "s3kret"
) -> AccessTokens:
    """The tokens of a provider, with the refresh token in a file."""
    file = folder / "refresh"
    if not file.exists():
        file.write_text("refresh 1\n", "utf-8")
    return AccessTokens(url, "the judge", lambda: of_client, file, clock)


def test_a_token_is_used_until_it_ends(tmp_path) -> None:
    """Then there is another one, in time."""
    provider, clock = TokenServer(), Seconds()
    with giving(provider) as url:
        tokens = tokens_of(url, tmp_path, clock)
        first = [tokens.token(), tokens.token()]
        clock.now += 3600 - 30
        later = tokens.token()

    assert first == ["access-1", "access-1"]
    assert later == "access-2"
    assert provider.asked[0] == {
        "grant_type": ["refresh_token"],
        "client_id": ["the judge"],
        "client_secret": ["s3kret"],
        "refresh_token": ["refresh 1"],
    }


def test_a_client_without_a_secret_sends_none(tmp_path) -> None:
    """As programs on people's own machines have none."""
    provider = TokenServer()
    with giving(provider) as url:
        tokens_of(url, tmp_path, Seconds(), of_client=None).token()

    assert "client_secret" not in provider.asked[0]


def test_a_new_refresh_token_replaces_the_old_one(tmp_path) -> None:
    """In the file, which only its owner may read; the next process begins with it."""
    provider, clock = TokenServer(turns=True), Seconds()
    with giving(provider) as url:
        tokens_of(url, tmp_path, clock).token()
        tokens_of(url, tmp_path, clock).token()

    file = tmp_path / "refresh"
    assert [each["refresh_token"] for each in provider.asked] == [["refresh 1"], ["refresh 2"]]
    assert file.read_text("utf-8") == "refresh 3\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((400, b'{"error": "invalid_grant"}'), "invalid_grant"),
        ((400, b'{"error": "<script>\\u0000"}'), "400"),
        ((500, b"oops"), "500|Expecting value"),
        ((200, b"[]"), "200"),
        ((200, b"{}"), "no access_token"),
        ((200, b'{"access_token": "a\\u0001b"}'), "no access_token"),
        ((200, b'{"access_token": 7}'), "no access_token"),
    ],
)
def test_what_is_no_token_is_told_without_secrets(tmp_path, answer, told) -> None:
    """The provider's word for it, where that is a word."""
    provider = TokenServer(answers=[answer])
    with giving(provider) as url, pytest.raises(SecretUnreadable, match=told) as fault:
        tokens_of(url, tmp_path, Seconds()).token()

    assert not {"s3kret", "refresh 1", "script"} & set(str(fault.value).split())


def test_a_mailbox_is_opened_with_a_token(tmp_path) -> None:
    """One that was cached and is refused is replaced at once."""
    provider, clock = TokenServer(), Seconds()
    with giving(provider) as url, imap(ImapServer()) as server:
        login = TokenLogin(tokens_of(url, tmp_path, clock))
        server.tokens = {"access-1"}
        OpenFolder(place(server, login)).leave()
        server.tokens = {"access-2"}
        OpenFolder(place(server, login)).leave()

    assert provider.given == ["access-1", "access-2"]


def test_a_token_that_the_mailbox_does_not_take_is_a_fault(tmp_path) -> None:
    """A new one is not asked for again and again."""
    provider = TokenServer()
    told = "the access token is refused"
    with (
        giving(provider) as url,
        imap(ImapServer()) as server,
        pytest.raises(MailboxFault, match=told) as fault,
    ):
        OpenFolder(place(server, TokenLogin(tokens_of(url, tmp_path, Seconds()))))

    assert provider.given == ["access-1"]
    assert "access-1" not in str(fault.value)
