"""Delivery reports: what became of a letter of the judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.mail_parser.reader import failure_in

HEAD = (
    "From: MAILER-DAEMON@mx.example\r\nTo: judge+bounce.7@mach.example\r\nSubject: Report\r\n"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
    "--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n"
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
)
END = "\r\n--b--\r\n"


@pytest.mark.parametrize(
    ("fields", "failure"),
    [
        (
            "Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such\r\n user\r\n",
            ("smtp; 550 no such user", "5.1.1"),
        ),
        ("Action: Failed\r\nStatus: 5.2.2\r\n", ("5.2.2", "5.2.2")),
        ("Action: failed\r\n", ("no reason given", "")),
        ("Action: delayed\r\nStatus: 4.4.1\r\n", None),
        ("Action: relayed\r\nStatus: 2.0.0\r\n", None),
        ("Action: delayed\r\n\r\nAction: failed\r\nStatus: 5.0.0\r\n", ("5.0.0", "5.0.0")),
        ("Action: failed\r\nDiagnostic-Code: smtp; \x07" + "x" * 300, ("smtp; " + "x" * 194, "")),
    ],
)
def test_a_report_of_a_failure_is_told_from_others(fields, failure) -> None:
    """Delays and successes say nothing; the words of the other server stay on one line."""
    found = failure_in((HEAD + fields + END).encode())

    assert (found and (found.why, found.status)) == failure


@pytest.mark.parametrize("raw", [b"", b"Subject: I am on holiday\r\n\r\nBack soon.\r\n"])
def test_other_machines_report_nothing(raw) -> None:
    """Holiday notes come without a sender, too (RFC 3834)."""
    assert failure_in(raw) is None


@given(st.binary(max_size=300))
def test_any_noise_behind_the_head_of_a_report_is_survived(noise) -> None:
    """Whatever a stranger sends there."""
    found = failure_in(HEAD.encode() + noise)

    assert found is None or "\n" not in found.why + found.status
