"""Store everything in one database, SQLite or PostgreSQL, behind the ports of the judge."""
