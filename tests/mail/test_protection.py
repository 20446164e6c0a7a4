"""STARTTLS at the judge's own doors (RFC 3207), and certificates that cannot be used."""

import smtplib
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from machjudge.mail.server import CertificateUnusable, TcpEndpoint, protection_by
from tests.mail.conftest import SIZE_LIMIT, Doors
from tests.mail.servers import JUDGE, Mat, Running, certificates, talking
from tests.mail.test_listener import MAIL, data, dial, envelope
from tests.patience import SECONDS
from tests.ports import free_port

PEM = Path(__file__).with_name("relay.pem")


@pytest.fixture
def protected() -> Iterator[Doors]:
    """Two open doors with a certificate."""
    mat = Mat()
    listener = Running(mat, SIZE_LIMIT, protection_by(PEM, None))
    both = Doors(mat, listener)
    listener.open([TcpEndpoint(*both.smtp, lmtp=False), TcpEndpoint(*both.lmtp, lmtp=True)])
    yield both
    listener.end()


@pytest.mark.parametrize("kind", [smtplib.SMTP, smtplib.LMTP])
def test_a_mail_comes_in_under_tls(protected: Doors, kind: type[smtplib.SMTP]) -> None:
    """By SMTP and by LMTP, with the certificate that the keeper gave; it is one session."""
    host, port = protected.smtp if kind is smtplib.SMTP else protected.lmtp
    with kind(host, port) as client:
        client.sock.settimeout(SECONDS)
        client.ehlo("client.example")
        offered = client.has_extn("starttls")
        client.starttls(context=certificates()[1])
        client.ehlo("client.example")
        is_safe = isinstance(client.sock, ssl.SSLSocket)
        open_sessions = len(protected.listener._listener._server.visits)
        client.sendmail("lucia@example.com", [JUDGE], MAIL)

    assert offered
    assert is_safe
    assert open_sessions == 1
    assert [each.raw for each in protected.mat.kept] == [MAIL]


def test_what_was_said_before_tls_counts_for_nothing(protected: Doors) -> None:
    """An envelope from before it is forgotten, and commands sent along with STARTTLS are not read.

    Somebody between the two could have said them (RFC 3207, 4.2).
    """
    with talking(dial(protected.smtp)) as line:
        envelope(line)
        line.connection.sendall(b"STARTTLS\r\nMAIL FROM:<eve@example.com>\r\n")
        answer = line.hear()
        line.connection.settimeout(SECONDS)
        _, client = certificates()
        with client.wrap_socket(line.connection, server_hostname="127.0.0.1") as safe:
            safe.sendall(b"EHLO client.example\r\n")
            greeting = b""
            while b"250 " not in greeting:
                greeting += safe.recv(4096)
            safe.sendall(b"DATA\r\n")
            refused = safe.recv(4096)

    assert answer.startswith("220")
    assert b"STARTTLS" not in greeting
    assert refused.startswith(b"503")
    assert protected.mat.kept == []


def test_mails_without_tls_are_still_taken(protected: Doors) -> None:
    """Mail servers speak TLS where they can."""
    with talking(dial(protected.smtp)) as line:
        envelope(line)
        answer = data(line)

    assert answer.startswith("250")


def test_a_session_that_was_just_left_does_not_keep_the_doors_open() -> None:
    """However the end of TLS and the closing of the doors come together."""
    for _ in range(20):
        listener = Running(Mat(), SIZE_LIMIT, protection_by(PEM, None))
        door = ("127.0.0.1", free_port())
        listener.open([TcpEndpoint(*door, lmtp=False)])
        with smtplib.SMTP(*door) as client:
            client.starttls(context=certificates()[1])
            client.ehlo("client.example")
        listener.end()


def test_without_a_certificate_none_is_offered(doors: Doors) -> None:
    """And STARTTLS is refused."""
    with talking(dial(doors.smtp)) as line:
        answer = line.ask(b"STARTTLS")

    assert answer.startswith("454")


@pytest.mark.parametrize("content", [None, b"", b"-----BEGIN CERTIFICATE-----\nno\n"])
def test_a_certificate_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None) -> None:
    """A file that is missing, empty or no certificate."""
    file = tmp_path / "own.pem"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CertificateUnusable, match=r"certificate of the listener.*own\.pem"):
        protection_by(file, None)


def test_a_key_of_another_certificate_is_named(tmp_path: Path) -> None:
    """The two must belong together."""
    key = tmp_path / "other.pem"
    key.write_bytes((PEM.parent / "dkim.pem").read_bytes())
    with pytest.raises(CertificateUnusable, match=r"other\.pem"):
        protection_by(PEM, key)
