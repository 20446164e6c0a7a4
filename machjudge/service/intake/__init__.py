"""Taking mails in: reading their bytes, and what becomes of mails that cannot be read."""
