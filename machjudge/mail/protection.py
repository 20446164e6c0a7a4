"""The certificate with which the judge's own doors speak TLS (STARTTLS, RFC 3207)."""

import ssl
from pathlib import Path

from machjudge.adjudicator.model.names import MachjudgeError


class CertificateUnusable(MachjudgeError):
    """A certificate or key that cannot be read, or that do not belong together."""


def protection_by(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """TLS 1.2 or newer with a certificate, and its key where that is in a file of its own.

    Both are files in PEM.  Raises CertificateUnusable.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without the last argument a key under a passphrase would be asked for at the terminal.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except OSError as fault:
        files = f"{certificate} and {key}" if key is not None else str(certificate)
        message = f"the certificate of the listener cannot be used: {files}: {fault}"
        raise CertificateUnusable(message) from fault
    return context
