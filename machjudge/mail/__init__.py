"""Mails come in by SMTP or LMTP and go out through a relay.  Knows nothing of games."""
