"""Rows of text to lines for the grammar."""
