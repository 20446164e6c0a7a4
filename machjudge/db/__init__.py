"""Where everything lasts: one database behind the ports of the desk and of the mail room.

The same code serves SQLite and PostgreSQL.  Nothing is parsed, adjudicated, rendered or sent here.
"""
