"""Mails that came in and messages that go out."""
