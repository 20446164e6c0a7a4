"""Tables, columns and rows of the database."""
