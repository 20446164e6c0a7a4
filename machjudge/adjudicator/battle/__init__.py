"""Resolve movement."""
