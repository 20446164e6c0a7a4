"""Compose the messages to readers from events, positions and templates."""
