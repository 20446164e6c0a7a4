"""Reading: the raw bytes of a mail to sender, subject, kind, lines and defects. Pure.

:func:`reader.read` is the way in; :func:`secrets.redact` makes what is kept of a mail that was
handled.
"""
