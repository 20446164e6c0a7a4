"""What the listener answers to mail servers, with the statuses of RFC 3463."""

import re

OK = "250 2.0.0 Kept"
NOT_OURS = "550 5.1.1 No such address here"
BAD_ADDRESS = "553 5.1.3 This address cannot be used"
TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients"
BARE_LINE_FEED = "550 5.6.0 A line feed without a carriage return (RFC 5321, 2.3.8)"
TOO_LARGE = "552 5.3.4 The mail is too large"
OUR_FAULT = "451 4.3.0 A fault on our side; please try again later"
NO_ACCOUNTS = "502 5.5.1 AUTH not implemented"
CLOSING = "421 4.3.2 Closing; please try again later"
FULL = "421 4.3.2 Too many connections; please try again later"

_STATUS = {
    "221": "2.0.0",
    "252": "2.5.2",
    "454": "4.7.0",
    "500": "5.5.2",
    "501": "5.5.4",
    "502": "5.5.1",
    "503": "5.5.1",
    "504": "5.5.4",
    "530": "5.7.0",
    "535": "5.7.8",
    "552": "5.3.4",
    "554": "5.7.0",
    "555": "5.5.4",
}
"""The status (RFC 3463) of answers of aiosmtpd's, which has none in them."""
_HAS_STATUS = re.compile(r"[245]\.\d")


def with_status(answer: str) -> str:
    """An answer with its status, which comes behind the code (RFC 2034)."""
    code, _, words = answer.partition(" ")
    status = "2.0.0" if answer == "250 OK" else _STATUS.get(code)
    return answer if status is None or _HAS_STATUS.match(words) else f"{code} {status} {words}"
