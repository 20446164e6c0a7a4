"""Receive mails by SMTP or LMTP and send them through a relay. Knows nothing of games."""
