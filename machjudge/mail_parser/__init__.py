"""Read a mail: from raw bytes to sender, subject, kind, lines and defects.

:func:`reader.read` is the entry; :func:`secrets.redact` makes what is kept of a mail.
"""
