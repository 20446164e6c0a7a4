"""Bytes of a mail to its header and text."""
