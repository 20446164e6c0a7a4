"""Mails that came in, one after the other, and what time brings."""
